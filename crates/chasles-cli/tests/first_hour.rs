//! What a newcomer meets: files are named and shown, mistakes are answered with what was meant, and
//! what is printed can be typed.

mod common;

use std::fs;

use common::Folder;

#[test]
fn files_are_named_on_standard_error() {
    let folder = Folder::new("told-files");
    let run = folder.run(&["collide", "cubes", "--report", "c.html", "--picture", "c.png"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let lines: Vec<&str> = run.err.lines().collect();
    assert_eq!(lines.len(), 2, "{}", run.err);
    assert!(lines[0].starts_with("wrote the report c.html (") && lines[0].ends_with(" KB)"));
    assert!(lines[1].starts_with("wrote the picture c.png ("), "{}", run.err);
    let quiet = folder.run(&["collide", "cubes", "--json", "c.json", "--quiet"]);
    assert_eq!([quiet.out.as_str(), quiet.err.as_str()], ["", ""], "quiet means nothing at all");
    let piped = folder.run(&["collide", "cubes", "--json", "-"]);
    assert_eq!(piped.err, "", "standard output is no file");
}

#[test]
fn every_command_names_its_files() {
    let folder = Folder::new("told-commands");
    folder.run(&["scenes", "--copy", "gear", "--quiet"]);
    for (words, files) in [
        (&["collide", "cubes", "--gltf", "a.glb"][..], "film a.glb"),
        (&["trace", "trace-corner", "--json", "b.json"], "JSON b.json"),
        (
            &["simulate", "simulate-cradle", "--trajectory", "c.jsonl", "--seconds", "0.1"],
            "trajectory c.jsonl",
        ),
        (&["compare", "cubes", "--repeat", "1", "--report", "d.html"], "report d.html"),
        (&["inspect", "meshes/gear.obj", "--picture", "e.png"], "picture e.png"),
    ] {
        let run = folder.run(words);
        assert!(run.err.starts_with(&format!("wrote the {files} (")), "{words:?}: {}", run.err);
    }
}

/// Beside a file with everything, the table is a dozen rows and the name of the file.
#[test]
fn the_table_is_short_beside_a_file() {
    let folder = Folder::new("told-table");
    let rows = |out: &str| out.lines().filter(|line| line.contains("(")).count() - 2;
    let alone = folder.run(&["collide", "tori"]).out;
    assert_eq!(rows(&alone), 20, "{alone}");
    assert!(alone.contains("  ... and 1052 more\n"), "{alone}");
    for (option, file) in [("--report", "t.html"), ("--json", "t.json")] {
        let run = folder.run(&["collide", "tori", option, file]).out;
        assert_eq!(rows(&run), 12, "{run}");
        assert!(run.contains(&format!("  ... 1060 more: {file}\n")), "{run}");
    }
}

#[test]
fn unknown_keys_are_answered_with_the_one_that_was_meant() {
    let folder = Folder::new("meant-keys");
    for (body, meant) in [
        ("shpe = { box = { size = [1, 1, 1] } }", "did you mean `shape`?"),
        ("shape = { torsu = {} }", "did you mean `torus`?"),
        ("shape = { box = { sizes = [1, 1, 1] } }", "did you mean `size`?"),
        ("shape = { torus = {} }\nstart = { postion = [0, 0, 0] }", "did you mean `position`?"),
        ("shape = { torus = {} }\nknid = \"static\"", "did you mean `kind`?"),
    ] {
        folder.write("wrong.toml", format!("[[body]]\n{body}\n"));
        let run = folder.run(&["collide", "wrong.toml"]);
        assert_eq!(run.status, 2);
        assert!(run.err.contains(meant), "{body}: {}", run.err);
    }
    let joint = "[[body]]\nname = \"pendulum\"\nshape = { torus = {} }\n[[joint]]\n\
                 kind = \"ball\"\nanchor = [0, 0, 0]\nbodies = [\"pendulm\"]\n";
    folder.write("joint.toml", joint);
    let run = folder.run(&["simulate", "joint.toml"]);
    assert!(run.err.contains("did you mean \"pendulum\"?"), "{}", run.err);
}

#[test]
fn unknown_names_are_answered_with_the_one_that_was_meant() {
    let folder = Folder::new("meant-names");
    for (words, meant) in [
        (&["man", "colide"][..], "did you mean collide?"),
        (&["docs", "scens"], "did you mean scenes?"),
        (&["colide", "tori"], "'collide'"),
        (&["collide", "tori", "--reprot", "a.html"], "'--report'"),
        (&["collide", "tori", "--method", "exat"], "'exact'"),
        (&["collide", "torri"], "did you mean the built-in scene tori?"),
    ] {
        let run = folder.run(words);
        assert!(run.status == 2 && run.err.contains(meant), "{words:?}: {}", run.err);
    }
}

/// An installed program has no folder of notes: it prints them itself.
#[test]
fn no_message_sends_to_a_file_that_is_not_there() {
    let sources = common::root().join("crates/chasles-cli/src");
    let mut left = vec![sources];
    let mut count = 0;
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).expect("sources").flatten() {
            let path = entry.path();
            if path.is_dir() {
                left.push(path);
                continue;
            }
            if path.extension().is_none_or(|ending| ending != "rs") || path.ends_with("docs.rs") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("text");
            let mut said = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let wrong = said.find(|line| line.contains("docs/"));
            assert_eq!(wrong, None, "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 50, "{count} files");
}

#[test]
fn every_page_of_the_notes_is_in_the_program() {
    let folder = Folder::new("docs-pages");
    let list = folder.run(&["docs"]).out;
    for entry in fs::read_dir(common::root().join("docs")).expect("notes").flatten() {
        let path = entry.path();
        // The summary is the table of contents of the book.
        if path.extension().is_none_or(|ending| ending != "md") || path.ends_with("SUMMARY.md") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(list.contains(&format!("{name} ")), "{name} is not in\n{list}");
        let run = folder.run(&["docs", &name]);
        assert_eq!(run.out, fs::read_to_string(&path).expect("text"), "{name}");
    }
}

/// A number that is printed can be copied into a command: its minus is the one of the keyboard.
#[test]
fn numbers_are_printed_with_the_minus_of_the_keyboard() {
    let folder = Folder::new("minus");
    for words in [
        &["collide", "tori", "--min-properness", "-0.1", "--report", "t.html"][..],
        &["collide", "tori", "--picture", "t.svg", "--min-properness", "-0.2"],
        &["trace", "trace-corner"],
        &["simulate", "simulate-cradle", "--seconds", "0.1"],
    ] {
        let run = folder.run(words);
        assert_eq!(run.status, 0, "{}", run.err);
        assert!(!run.out.contains('\u{2212}'), "{words:?}: {}", run.out);
    }
    let picture = fs::read_to_string(folder.path().join("t.svg")).expect("a picture");
    assert!(picture.contains(">-1</text>"), "the legend has no -1");
    assert!(!picture.contains('\u{2212}'), "the picture has another minus");
    let said = folder.run(&["collide", "tori", "--min-properness", "-0.1"]).out;
    assert!(said.contains("a properness of at least -0.1"), "{said}");
    let page = fs::read_to_string(folder.path().join("t.html")).expect("a page");
    let button = "aria-label=\"Farther\">\u{2212}</button>";
    assert!(!page.replace(button, "").contains('\u{2212}'), "the page prints another minus");
}

#[test]
fn the_demo_needs_no_scene_and_says_what_comes_next() {
    let folder = Folder::new("demo");
    let run = folder.run(&["demo", "--report", "demo.html"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(folder.names(), ["demo.html"]);
    assert!(run.out.contains("1072 contacts") && run.out.contains("Open demo.html"), "{}", run.out);
    let (_, next) = run.out.split_once("Next:\n").expect("what comes next");
    for line in next.lines() {
        let command = line.trim_start().split("  ").next().expect("a command");
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| *word != "--open").collect();
        // All of its seconds would take as many here.
        let short: &[&str] = if words[0] == "simulate" { &["--seconds", "0.05"] } else { &[] };
        let run = folder.run(&[&words, short].concat());
        assert!(command.starts_with("chasles ") && run.status == 0, "{line}: {}", run.err);
        let page = words.iter().find(|word| word.ends_with(".html"));
        assert!(page.is_none_or(|page| folder.path().join(page).is_file()), "{line}");
        let said = page.map_or(&run.out, |_| &run.err);
        assert!(!said.is_empty(), "{line}");
    }
    assert!(folder.names().iter().any(|name| name == "wall.html"), "the commands were run");
    let alone = folder.run(&["demo"]);
    let place = alone.err.strip_prefix("wrote the report ").expect("a place");
    let place = place.rsplit_once(" (").expect("a size").0;
    assert!(fs::metadata(place).is_ok_and(|meta| meta.len() > 100_000), "{place}");
    fs::remove_dir_all(std::path::Path::new(place).parent().expect("a folder")).expect("ours");
    let quiet = folder.run(&["demo", "--report", "quiet.html", "--quiet"]);
    assert_eq!([quiet.out.as_str(), quiet.err.as_str()], ["", ""]);
}

/// Each command's own scenes are offered, and files too.
#[test]
fn shells_offer_the_scenes_of_each_command() {
    let folder = Folder::new("offered-scenes");
    let script = |shell| folder.run(&["completions", shell]).out;
    let bash = script("bash");
    for (command, scene) in [
        ("collide", "tori"),
        ("compare", "tori"),
        ("simulate", "simulate-wall"),
        ("trace", "trace-corner"),
    ] {
        let opts = bash.split(&format!("chasles__subcmd__{command})\n")).nth(1).expect(command);
        let opts = opts.lines().next().expect("options");
        assert!(opts.contains(&format!(" {scene} ")), "{command}: {opts}");
        assert_eq!(opts.contains(" simulate-wall "), command == "simulate", "{command}: {opts}");
    }
    let fish = script("fish");
    assert!(fish.contains("__fish_seen_subcommand_from trace\" -a \"trace-corner "), "{fish}");
    let zsh = script("zsh");
    for command in ["collide", "simulate", "trace"] {
        let function = format!("_chasles_scenes_{command}");
        assert!(zsh.contains(&format!(":{function}'")), "{command}");
        let body = zsh.split(&format!("{function}() {{\n")).nth(1).expect(command);
        assert!(body.lines().next().expect("a line").contains("files:scene file:_files"), "{body}");
    }
}

/// The radii of the discs and rings of a picture: of each the outermost circle.
fn radii(svg: &str) -> Vec<f64> {
    let circles = svg.split("<circle ").skip(1).filter_map(|rest| rest.split_once("/>"));
    let circles = circles.map(|(circle, _)| circle);
    // A disc lies on a rim in the colour of the page, and a ring on one of ink.
    let rims = circles.filter(|circle| {
        circle.ends_with("fill=\"#ffffff\"") || circle.contains("fill=\"none\" stroke=\"#1f242b\"")
    });
    let radius = |circle: &str| circle.split("r=\"").nth(1)?.split('"').next()?.parse().ok();
    rims.filter_map(radius).collect()
}

/// *The* contact of a picture is large, with the features that touch; all others are small.
#[test]
fn the_first_contact_of_a_picture_is_large_and_shows_what_touches() {
    let folder = Folder::new("picture-first");
    let drawn = |name: &str, more: &[&str]| {
        let words = [&["collide", "cubes", "--quiet", "--picture", name], more].concat();
        let run = folder.run(&words);
        assert_eq!(run.status, 0, "{}", run.err);
        fs::read_to_string(folder.path().join(name)).expect("just written")
    };
    let svg = drawn("c.svg", &[]);
    let found = radii(&svg);
    let large = found.iter().filter(|radius| **radius > 10.0).count();
    assert_eq!((large, found.len()), (1, 9), "{found:?}");
    assert!(found.iter().filter(|radius| **radius < 7.0).count() == 8, "{found:?}");
    assert_eq!(svg.matches("stroke=\"#c2185b\"").count(), 1, "the face that is touched");
    let later = drawn("d.svg", &["--at", "0.9"]);
    assert!(!later.contains("#c2185b"), "later nothing of it touches");
}

#[cfg(unix)]
mod open {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::*;

    fn run(folder: &Folder, path: &Path, words: &[&str]) -> common::Run {
        let mut command = common::command(words);
        let output = command.current_dir(folder.path()).env("PATH", path).output();
        common::Run::from(output.expect("the program starts"))
    }

    fn opener(folder: &Folder, script: &str) {
        folder.write("bin/xdg-open", format!("#!/bin/sh\n{script}\n"));
        let path = folder.path().join("bin/xdg-open");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("ours");
    }

    #[test]
    fn the_report_is_shown_and_else_the_picture() {
        let folder = Folder::new("open-shown");
        opener(&folder, "echo \"$1\" > shown");
        let bin = folder.path().join("bin");
        for (words, shown) in [
            (&["--report", "c.html", "--picture", "c.png"][..], "c.html"),
            (&["--picture", "c.png"], "c.png"),
        ] {
            let words = [&["collide", "cubes", "--open"], words].concat();
            let out = run(&folder, &bin, &words);
            assert_eq!(out.status, 0, "{}", out.err);
            let path = fs::read_to_string(folder.path().join("shown")).expect("it was shown");
            let whole = fs::canonicalize(folder.path().join(shown)).expect("it is there");
            assert_eq!(Path::new(path.trim_end()), whole);
        }
    }

    #[test]
    fn what_cannot_be_shown_is_told_and_the_work_is_done() {
        let folder = Folder::new("open-not");
        let empty = folder.path().join("bin");
        fs::create_dir_all(&empty).expect("ours");
        let words = ["collide", "cubes", "--report", "c.html", "--open"];
        let out = run(&folder, &empty, &words);
        assert_eq!(out.status, 0, "{}", out.err);
        assert!(out.err.contains("nothing here can open it (no xdg-open"), "{}", out.err);
        opener(&folder, "exit 3");
        let out = run(&folder, &empty, &words);
        assert_eq!(out.status, 0, "{}", out.err);
        assert!(out.err.contains("the system has no program for it"), "{}", out.err);
        let quiet = ["demo", "--report", "d.html", "--open", "--quiet"];
        let out = run(&folder, &empty, &quiet);
        assert_eq!([out.out.as_str(), out.err.as_str()], ["", ""]);
        assert!(folder.path().join("d.html").is_file());
    }

    #[test]
    fn there_must_be_something_to_show() {
        let folder = Folder::new("open-nothing");
        for words in [&["collide", "cubes", "--open"][..], &["compare", "cubes", "--open"]] {
            let out = folder.run(words);
            assert!(out.status == 2 && out.err.contains("--report"), "{words:?}: {}", out.err);
        }
    }
}
