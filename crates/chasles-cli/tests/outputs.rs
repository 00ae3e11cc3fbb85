//! What is printed where, which files appear, and with which exit status.

mod common;

use std::process::Stdio;

use common::{CUBES, Folder, command};

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("scene.toml", CUBES);
    folder
}

#[test]
fn the_table_sums_up() {
    let run = folder("table").run(&["collide", "scene.toml"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(run.out.starts_with("Cubes\n"), "{}", run.out);
    let last = run.out.lines().last().unwrap_or_default();
    assert!(last.ends_with("of 1 pair (2 bodies)"), "{last}");
}

/// The table keeps the first contacts only, but counts all.
#[test]
fn the_table_counts_what_the_json_lists() {
    let folder = folder("counts");
    let scene = common::root().join("scenes/tori.toml");
    let scene = scene.to_string_lossy();
    let json = folder.run(&["collide", &scene, "--json", "-"]).out;
    let value: serde_json::Value = serde_json::from_str(&json).expect("one document");
    let count = value["pairs"][0]["contacts"].as_array().expect("a list").len();
    let out = folder.run(&["collide", &scene]).out;
    assert!(count > 20 && out.contains(&format!("... and {} more\n", count - 20)), "{out}");
    assert!(out.ends_with(&format!("{count} contacts in 1 of 1 pair (2 bodies)\n")), "{out}");
}

#[test]
fn quiet_prints_nothing() {
    let folder = folder("quiet");
    let run = folder.run(&["collide", "scene.toml", "--quiet", "--json", "out.json"]);
    assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "", ""));
    assert_eq!(folder.names(), ["out.json", "scene.toml"]);
}

#[test]
fn json_on_standard_output_stands_alone() {
    let run = folder("alone").run(&["collide", "scene.toml", "--json", "-"]);
    assert_eq!(run.out.lines().count(), 1);
    let value: serde_json::Value = serde_json::from_str(&run.out).expect("one document");
    assert_eq!(value["title"], "Cubes");
}

#[test]
fn an_existing_file_is_replaced_as_a_whole() {
    let folder = folder("replaced");
    folder.write("out.json", "x".repeat(100_000));
    folder.run(&["collide", "scene.toml", "--json", "out.json"]);
    let text = std::fs::read_to_string(folder.path().join("out.json")).expect("it exists");
    serde_json::from_str::<serde_json::Value>(&text).expect("one document");
    assert_eq!(folder.names(), ["out.json", "scene.toml"]);
}

#[test]
fn a_file_that_was_there_survives_a_failure() {
    let folder = folder("survives");
    folder.write("out.json", "before");
    folder.write("bad.toml", "[[body]]\n");
    let run = folder.run(&["collide", "bad.toml", "--json", "out.json"]);
    assert_eq!(run.status, 2);
    let text = std::fs::read_to_string(folder.path().join("out.json")).expect("it exists");
    assert_eq!(text, "before");
}

#[test]
fn paths_that_cannot_be_written_are_named() {
    let folder = folder("unwritable");
    folder.write("sub/file", "");
    for path in ["none/out.json", "sub", "scene.toml/out.json"] {
        let run = folder.run(&["collide", "scene.toml", "--json", path]);
        assert_eq!(run.status, 2, "{path}");
        assert!(run.err.contains(&format!("cannot write {path}")), "{}", run.err);
        assert!(run.out.is_empty(), "{}", run.out);
    }
    assert_eq!(folder.names(), ["scene.toml", "sub"]);
}

#[test]
fn a_picture_that_fails_leaves_no_json_either() {
    let folder = folder("picture");
    let arguments = ["collide", "scene.toml", "--json", "out.json", "--picture", "none/out.png"];
    assert_eq!(folder.run(&arguments).status, 2);
    assert_eq!(folder.names(), ["scene.toml"]);
}

#[test]
fn two_results_do_not_share_a_file() {
    let folder = folder("shared");
    let run = folder.run(&["collide", "scene.toml", "--json", "x.svg", "--picture", "x.svg"]);
    assert!(run.status == 2 && run.err.contains("x.svg is named for two results"), "{}", run.err);
    let run = folder.run(&["collide", "scene.toml", "--json", "x.svg", "--picture", "./x.svg"]);
    assert!(run.status == 2 && run.err.contains("named for two results"), "{}", run.err);
    assert_eq!(folder.names(), ["scene.toml"]);
}

#[test]
#[cfg(unix)]
fn two_results_do_not_share_a_file_through_a_link() {
    let folder = folder("shared-link");
    folder.write("real.png", "before");
    folder.write("sub/file", "");
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, folder.path().join(name)).expect("a new link");
    };
    link("real.png", "link.json");
    link("sub", "other");
    for files in [["link.json", "real.png"], ["sub/new.png", "other/new.png"]] {
        let run = folder.run(&["collide", "scene.toml", "--json", files[0], "--picture", files[1]]);
        assert!(run.status == 2 && run.err.contains("named for two results"), "{}", run.err);
    }
    let text = std::fs::read_to_string(folder.path().join("real.png")).expect("it exists");
    assert_eq!(text, "before");
}

#[test]
fn the_scene_is_not_overwritten() {
    let folder = folder("overwritten");
    let run = folder.run(&["collide", "scene.toml", "--json", "./scene.toml"]);
    assert!(run.status == 2 && run.err.contains("scene.toml is the input"), "{}", run.err);
    let text = std::fs::read_to_string(folder.path().join("scene.toml")).expect("it exists");
    assert_eq!(text, CUBES);
    assert_eq!(folder.names(), ["scene.toml"]);
}

#[test]
fn neither_scene_nor_mesh_is_overwritten_by_a_picture() {
    let folder = Folder::new("overwritten-mesh");
    let corner = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    folder.write("corner.obj", corner);
    folder.write("scene.svg", "[[body]]\nmesh = 'corner.obj'\n");
    for arguments in [["--picture", "scene.svg"], ["--json", "./corner.obj"]] {
        let run = folder.run(&[&["collide", "scene.svg"], &arguments[..]].concat());
        assert!(run.status == 2 && run.err.contains("is the input"), "{}", run.err);
    }
    let text = std::fs::read_to_string(folder.path().join("corner.obj")).expect("it exists");
    assert_eq!(text, corner);
    assert_eq!(folder.names(), ["corner.obj", "scene.svg"]);
}

#[test]
fn pictures_are_png_or_svg_by_their_name() {
    let folder = folder("pictures");
    for (name, start) in [("a.png", &b"\x89PNG"[..]), ("b.SVG", b"<svg"), ("c.Png", b"\x89PNG")] {
        let run = folder.run(&["collide", "scene.toml", "--quiet", "--picture", name]);
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        let bytes = std::fs::read(folder.path().join(name)).expect("it exists");
        let text = String::from_utf8_lossy(&bytes[..40]);
        assert!(bytes.starts_with(start), "{name}: {text}");
    }
    assert_eq!(folder.names(), ["a.png", "b.SVG", "c.Png", "scene.toml"]);
}

#[test]
fn a_picture_can_be_of_any_time() {
    let folder = folder("time");
    let arguments = ["collide", "scene.toml", "--picture", "end.svg", "--at", "1"];
    assert_eq!(folder.run(&arguments).status, 0);
    let text = std::fs::read_to_string(folder.path().join("end.svg")).expect("it exists");
    assert!(text.contains("Time 1.0000"));
    let run = folder.run(&["collide", "scene.toml", "--at", "1"]);
    assert!(run.status == 2 && run.err.contains("--picture"), "{}", run.err);
}

#[test]
fn a_path_is_named_once_in_an_error() {
    let folder = folder("once");
    folder.write("broken.obj", "v 0 0 x\n");
    folder.write("bad.toml", "[[body]]\nmesh = 'broken.obj'\n");
    for arguments in [["inspect", "broken.obj"], ["inspect", "none.obj"], ["collide", "bad.toml"]] {
        let err = folder.run(&arguments).err;
        let first = err.lines().find(|line| line.contains(".obj")).unwrap_or_default();
        assert_eq!(first.matches(".obj").count(), 1, "{err}");
    }
}

#[test]
fn the_words_of_the_system_are_said_once() {
    let folder = folder("system");
    for arguments in [vec!["collide", "none.toml"], vec!["collide", "scene.toml", "--json", "no/x"]]
    {
        let err = folder.run(&arguments).err;
        assert_eq!(err.matches("os error").count(), 1, "{err}");
        assert!(err.contains("help:"), "{err}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_not_taken_for_a_missing_folder() {
    let run = folder("full").run(&["collide", "scene.toml", "--json", "/dev/full"]);
    assert!(run.status == 2 && run.err.contains("make room there"), "{}", run.err);
}

#[test]
fn devices_are_written_in_place() {
    let run = folder("device").run(&["collide", "scene.toml", "--json", "/dev/null"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
}

/// A signal in the middle of work that would last for minutes.
#[test]
#[cfg(unix)]
fn an_interrupted_run_leaves_nothing_behind() {
    for signal in ["INT", "TERM"] {
        let folder = folder(&format!("interrupted-{signal}"));
        let mut child =
            command(&["collide", "scene.toml", "--json", "a.json", "--picture", "b.png"])
                .args(["--repeat", "1000000"])
                .current_dir(folder.path())
                .stdout(Stdio::null())
                .spawn()
                .expect("the program starts");
        let patience = std::time::Instant::now();
        while folder.names().len() < 3 {
            assert!(patience.elapsed().as_secs() < 60, "no file is reserved");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let kill = std::process::Command::new("kill")
            .args([format!("-{signal}"), child.id().to_string()])
            .status();
        assert!(kill.is_ok_and(|status| status.success()));
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(130), "{signal}");
        assert_eq!(folder.names(), ["scene.toml"], "{signal}");
    }
}

#[test]
fn wrong_arguments_have_status_2() {
    let folder = folder("arguments");
    for (arguments, phrase) in [
        (vec![], "Usage: chasles"),
        (vec!["collide"], "SCENE.toml"),
        (vec!["colide", "scene.toml"], "unrecognized subcommand"),
        (vec!["collide", "scene.toml", "--method", "none"], "possible values: exact, screen"),
        (vec!["collide", "scene.toml", "--min-properness", "2"], "from -1 to 1"),
        (vec!["collide", "scene.toml", "--min-properness", "nan"], "from -1 to 1"),
        (vec!["collide", "scene.toml", "--repeat", "0"], "is not in 1..="),
        (vec!["collide", "scene.toml", "--window", "0.5"], "2 values required"),
        (vec!["collide", "scene.toml", "--window", "0", "1.5"], "from 0 to 1"),
        (vec!["collide", "scene.toml", "--window", "0.7", "0.3"], "ends before it starts"),
        (vec!["collide", "scene.toml", "--picture", "out.bmp"], "must end in .png or .svg"),
    ] {
        let run = folder.run(&arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.err.contains(phrase), "{arguments:?}\n{}", run.err);
    }
}

#[test]
fn help_shows_examples() {
    let folder = folder("help");
    for command in [&[][..], &["collide"], &["inspect"], &["queries"]] {
        let run = folder.run(&[command, &["--help"]].concat());
        assert!(run.status == 0 && run.out.contains("Examples:"), "{}", run.out);
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    for arguments in [&["schema"][..], &["completions", "zsh"], &["--help"]] {
        let mut child = command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let output = command(&["schema"]).stdout(full).output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("cannot write to standard output"), "{errors}");
}

#[test]
fn inspect_counts_a_mesh() {
    let folder = folder("inspect");
    folder.write(
        "corner.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
    );
    let run = folder.run(&["inspect", "corner.obj"]);
    assert!(run.status == 0 && run.out.contains("closed    yes"), "{}", run.out);
    let run = folder.run(&["inspect", "corner.obj", "--json", "-"]);
    let value: serde_json::Value = serde_json::from_str(&run.out).expect("one document");
    assert_eq!(value["counts"]["edges"], 6);
    assert_eq!(value["bounds"], serde_json::json!([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]));
    let run = folder.run(&["inspect", "none.obj"]);
    assert!(run.status == 2 && run.err.contains("none.obj"), "{}", run.err);
}

/// A cube without its top, and a fin on one of its edges.
const OPEN: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
    v 2 0 2\nf 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\nf 2 6 9\n";

#[test]
fn inspect_draws_a_mesh_and_marks_what_is_odd() {
    let folder = folder("inspect-picture");
    folder.write("open.obj", OPEN);
    let arguments = ["inspect", "open.obj", "--picture", "open.svg", "--json", "open.json"];
    let run = folder.run(&arguments);
    assert_eq!((run.status, run.err.lines().count()), (0, 2), "{}", run.err);
    let svg = std::fs::read_to_string(folder.path().join("open.svg")).expect("it exists");
    for phrase in ["open.obj", "6 edges with one face", "1 edge with more than two faces"] {
        assert!(svg.contains(phrase), "{phrase} is not in {:.600}", svg);
    }
    let run = folder.run(&["inspect", "open.obj", "--quiet", "--picture", "open.png"]);
    assert_eq!((run.status, run.out.as_str()), (0, ""));
    let png = std::fs::read(folder.path().join("open.png")).expect("it exists");
    assert!(png.starts_with(b"\x89PNG"));
    assert_eq!(folder.names(), ["open.json", "open.obj", "open.png", "open.svg", "scene.toml"]);
}
