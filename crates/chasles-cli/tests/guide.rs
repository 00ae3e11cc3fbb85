//! A new user's first hour: every command of docs/guide.md and of the tutorials works, in order, in
//! an empty folder.

mod common;

use std::fs;

use common::{Folder, root};

/// Options that are followed by a file to write.
const OUTPUTS: [&str; 7] =
    ["--picture", "--report", "--json", "--gltf", "--trajectory", "--output", ">"];

/// A line of the guide that a user follows.
enum Step {
    /// Types a command.
    Type(String),
    /// Saves a file.
    Save { name: String, text: String },
}

/// What a page tells to do: indented lines that begin with the name of the program, and blocks of
/// TOML after a line that names their file.
fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = page.lines();
    let mut named = None;
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("    chasles ") {
            steps.push(Step::Type(command.to_string()));
        } else if line == "```toml" {
            let text = lines.by_ref().take_while(|line| *line != "```").collect::<Vec<_>>();
            let name = named.take().expect("a block of TOML has a name");
            steps.push(Step::Save { name, text: text.join("\n") + "\n" });
        } else if let Some(name) = line.strip_suffix("`:").and_then(|line| line.rsplit('`').next())
        {
            named = Some(name.to_string());
        }
    }
    steps
}

/// Runs a command as a shell would, and checks that the files that it names are there.
fn type_in(folder: &Folder, command: &str) {
    let words: Vec<&str> = command.split(' ').collect();
    let typed = words.iter().position(|word| *word == ">").unwrap_or(words.len());
    let run = folder.run(&words[..typed]);
    assert_eq!(run.status, 0, "chasles {command}: {}", run.err);
    let is_file = |line: &str| line.starts_with("wrote the ");
    assert!(run.err.lines().all(is_file), "chasles {command}: {}", run.err);
    if let [">", file] = words[typed..] {
        folder.write(file, &run.out);
    }
    for two in words.windows(2).filter(|two| OUTPUTS.contains(&two[0]) && two[1] != "-") {
        let length = fs::metadata(folder.path().join(two[1])).map(|file| file.len());
        assert!(length.is_ok_and(|length| length > 100), "chasles {command}: no {}", two[1]);
    }
}

#[test]
fn every_command_of_the_guide_works_in_order() {
    let (typed, saved) = follow("guide");
    assert!(typed >= 20 && saved == 1, "{typed} commands, {saved} files");
}

#[test]
fn every_command_of_the_tutorials_works_in_order() {
    for (page, commands, files) in [("robotics", 3, 1), ("research", 7, 0), ("teaching", 8, 0)] {
        let (typed, saved) = follow(page);
        assert_eq!((typed, saved), (commands, files), "{page}");
    }
}

/// Does what a page tells, and counts commands and files.
fn follow(page: &str) -> (usize, usize) {
    let text = fs::read_to_string(root().join(format!("docs/{page}.md")));
    let folder = Folder::new(page);
    let (mut typed, mut saved) = (0, 0);
    for step in steps(&text.expect("the page exists")) {
        match step {
            Step::Type(command) => {
                type_in(&folder, &command);
                typed += 1;
            }
            Step::Save { name, text } => {
                folder.write(&name, text);
                saved += 1;
            }
        }
    }
    (typed, saved)
}

/// The book shows each page once.
#[test]
fn the_summary_of_the_book_names_every_page() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the page exists");
    let named = |file: &str| summary.matches(&format!("]({file}.md)")).count();
    for page in chasles_cli::docs::PAGES {
        assert_eq!(named(page.name), 1, "{}", page.name);
    }
    assert_eq!(summary.matches("](").count(), chasles_cli::docs::PAGES.len());
}

/// The number in the guide is that of the program.
#[test]
fn the_guide_counts_the_contacts_with_which_a_collision_begins() {
    let page = fs::read_to_string(root().join("docs/guide.md")).expect("the page exists");
    let folder = Folder::new("guide-count");
    let count = |more: &[&str]| {
        let run = folder.run(&[&["collide", "tori"], more].concat());
        let line = run.out.lines().last().unwrap_or_default().to_string();
        line.split(' ').next().unwrap_or_default().to_string()
    };
    let [all, few] = [count(&[]), count(&["--min-properness", "-0.1", "--facing"])];
    assert!(page.contains(&format!("a collision begins: {few} of {all}.")), "{few} of {all}");
}

/// `CHASLES_WRITE=1 cargo test -p chasles-cli --test guide` draws the thumbnails anew, and
/// `chasles scenes --thumbnails docs/gallery --force` does the same.
#[test]
fn the_gallery_shows_every_scene() {
    let page = fs::read_to_string(root().join("docs/gallery.md")).expect("the page exists");
    let folder = root().join("docs/gallery");
    if std::env::var_os("CHASLES_WRITE").is_some() {
        let place = folder.to_string_lossy().into_owned();
        let run = Folder::new("gallery").run(&["scenes", "--thumbnails", &place, "--force"]);
        assert_eq!(run.status, 0, "{}", run.err);
    }
    let mut bytes = 0;
    for scene in chasles_scene::library::SCENES {
        let file = format!("gallery/{}.png", scene.name);
        assert!(page.contains(&format!("]({file})")), "{} has no picture", scene.name);
        assert!(page.contains(&format!("`{}`", scene.command_line())), "{}", scene.name);
        bytes += fs::metadata(root().join("docs").join(file)).expect("a picture").len();
    }
    assert!(bytes < 1_500_000, "{bytes} bytes of thumbnails");
}

/// Two of them are drawn again: the pictures are what the program draws.
#[test]
fn thumbnails_are_what_the_program_draws() {
    let folder = Folder::new("gallery-again");
    for (command, scene) in [("collide", "tori"), ("trace", "trace-corner")] {
        let more = ["--picture", "a.png", "--size", "360x240", "--plain", "--quiet"];
        let run = folder.run(&[&[command, scene], &more[..]].concat());
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        let [drawn, shown] =
            [folder.path().join("a.png"), root().join(format!("docs/gallery/{scene}.png"))]
                .map(|path| pixels(&fs::read(path).expect("a picture")));
        assert_eq!(drawn.len(), shown.len());
        // Other processors may round other pixels.
        let differ = drawn.iter().zip(&shown).filter(|(p, q)| p.abs_diff(**q) > 8).count();
        assert!(differ < drawn.len() / 1000, "{differ} values of {scene} differ");
    }
}

/// Pages of rustdoc have no files beside them, so the picture is in the page: a thumbnail of the
/// gallery. `CHASLES_WRITE=1 cargo test -p chasles-cli --test guide` writes it anew.
#[test]
fn the_front_pages_of_the_crates_show_thumbnails() {
    use base64::Engine;
    for (name, scene, words) in [
        ("chasles", "tori", "Two tori at the moment of their first proper contact"),
        (
            "chasles-dynamics",
            "simulate-wall",
            "A wall of bricks after a ball has hit it at 150 mph",
        ),
    ] {
        let picture = fs::read(root().join(format!("docs/gallery/{scene}.png"))).expect("drawn");
        let data = base64::engine::general_purpose::STANDARD.encode(picture);
        let size = "width=\"360\" height=\"240\"";
        let front =
            format!("\n<img alt=\"{words}\" {size} src=\"data:image/png;base64,{data}\">\n\n");
        let path = root().join(format!("crates/{name}/front.md"));
        if std::env::var_os("CHASLES_WRITE").is_some() {
            fs::write(&path, &front).expect("the crates can be written to");
        }
        assert!(
            fs::read_to_string(&path).is_ok_and(|found| found == front),
            "{name}: another picture"
        );
        // Rustdoc drops empty lines at the ends of a file: without these the picture would stand in
        // the first sentence, which lists of crates show as text.
        let source = fs::read_to_string(root().join(format!("crates/{name}/src/lib.rs")));
        let alone = "//!\n#![doc = include_str!(\"../front.md\")]\n//!\n";
        assert!(
            source.is_ok_and(|text| text.contains(alone)),
            "{name}: the picture is in a sentence"
        );
    }
}

fn pixels(png: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("it fits")];
    reader.next_frame(&mut pixels).expect("a whole PNG");
    pixels
}
