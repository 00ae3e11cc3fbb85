//! `--help` and manual pages: every example runs in any folder, and text fills its lines.

mod common;

use common::Folder;

const COMMANDS: [&str; 14] = [
    "collide",
    "compare",
    "simulate",
    "trace",
    "inspect",
    "field",
    "queries",
    "scenes",
    "demo",
    "play",
    "docs",
    "schema",
    "man",
    "completions",
];

/// How wide help is where there is no terminal.
const WIDTH: usize = 100;

/// The help of the program, and of each command.
fn helps(folder: &Folder) -> Vec<String> {
    let whole = folder.run(&["--help"]).out;
    let each = COMMANDS.iter().map(|command| folder.run(&[command, "--help"]).out);
    std::iter::once(whole).chain(each).collect()
}

/// The lines below `Examples:`.
fn examples(help: &str) -> Vec<&str> {
    let (_, after) = help.split_once("Examples:\n").expect("examples");
    after.lines().map_while(|line| line.strip_prefix("  ")).collect()
}

/// The files that examples take for granted: those of the reader.
fn readers_files(folder: &Folder) {
    let tetrahedron = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let places = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let mut ply = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n".to_string();
    let mut stl = "solid part\n".to_string();
    ply += &places.map(|[x, y, z]| format!("{x} {y} {z}\n")).concat();
    for [p, q, r] in tetrahedron {
        ply += &format!("3 {p} {q} {r}\n");
        stl += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in [p, q, r].map(|corner| places[corner]) {
            stl += &format!("vertex {x} {y} {z}\n");
        }
        stl += "endloop\nendfacet\n";
    }
    folder.write("scan.ply", ply);
    folder.write("part.stl", stl + "endsolid part\n");
    for name in ["rod.vf.bin", "rod.ee.bin"] {
        folder.write(name, [0; 200]);
    }
}

/// The arguments of a line, as far as the program gets them: pipes, files and patterns are of the
/// shell.
fn arguments(line: &str) -> Vec<String> {
    let line = line.split(" | ").next().unwrap_or(line);
    let line = line.split(" > ").next().unwrap_or(line);
    line.split_whitespace().skip(1).map(|word| word.replace('*', "rod")).collect()
}

#[test]
fn every_example_runs_without_the_source_tree() {
    let folder = Folder::new("help-examples");
    let mut count = 0;
    for help in helps(&folder) {
        let run = Folder::new("help-run");
        readers_files(&run);
        for line in examples(&help) {
            assert!(line.starts_with("chasles "), "{line}");
            let words = arguments(line);
            let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
            // A moment of a simulation is enough, but for the picture of a later one.
            if words[0] == "simulate" {
                words.extend(["--seconds", if words.contains(&"--at") { "0.5" } else { "0.05" }]);
            }
            // All simulations at their length; tests/library.rs runs every scene.
            if words.contains(&"--thumbnails") {
                continue;
            }
            let result = run.run(&words);
            // A program without the playground says how to get it; tests/play.rs looks at that.
            if words[0] == "play" && result.err.contains("without the playground") {
                continue;
            }
            assert_eq!(result.status, 0, "{line}: {}", result.err);
            count += 1;
        }
    }
    assert!(count > 60, "{count} examples");
}

#[test]
fn no_example_needs_the_folder_of_scenes() {
    for help in helps(&Folder::new("help-folder")) {
        assert!(!help.contains("scenes/"), "{help}");
    }
}

/// A line ends where the next word does not fit.
#[test]
fn paragraphs_fill_their_lines() {
    for help in helps(&Folder::new("help-lines")) {
        let (_, after) = help.split_once("Examples:\n").expect("examples");
        let notes = after.split("\n\n").skip(1);
        for paragraph in notes {
            let lines: Vec<&str> = paragraph.trim_end().lines().collect();
            assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{paragraph}");
            for pair in lines.windows(2) {
                let word = pair[1].split(' ').next().unwrap_or("");
                let room = WIDTH - pair[0].chars().count();
                assert!(word.chars().count() + 1 > room, "{word:?} fits in\n{paragraph}");
            }
        }
    }
}

#[test]
fn options_stand_under_their_headings() {
    let folder = Folder::new("help-headings");
    for command in ["collide", "simulate", "trace"] {
        let help = folder.run(&[command, "--help"]).out;
        let place = |words: &str| help.find(words).unwrap_or_else(|| panic!("{words}: {help}"));
        assert!(place("      --report <FILE.html>") < place("Options of --picture:"), "{command}");
        assert!(place("      --json <FILE>") < place("Options of --picture:"), "{command}");
        assert!(place("Options of --picture:") < place("      --size"), "{command}");
    }
    for (command, animates) in
        [("collide", true), ("simulate", true), ("trace", false), ("inspect", false)]
    {
        let help = folder.run(&[command, "-h"]).out;
        assert!(help.contains("--picture <FILE.png|svg"), "{command}");
        assert_eq!(help.contains("gif"), animates, "{command}: {help}");
    }
}

/// A shell offers the scenes that can be copied; the help does not list them.
#[test]
fn shells_complete_the_names_of_scenes_to_copy() {
    let folder = Folder::new("help-completions");
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.run(&["completions", shell]).out;
        for scene in chasles_scene::library::SCENES {
            assert!(script.contains(scene.name), "{shell}: {}", scene.name);
        }
    }
    for words in [&["scenes", "--help"][..], &["man", "scenes"]] {
        assert!(!folder.run(words).out.contains("possible values"), "{words:?}");
    }
}

#[test]
fn manual_pages_have_sections_of_examples_and_notes() {
    let folder = Folder::new("help-man");
    for command in COMMANDS {
        let page = folder.run(&["man", command]).out;
        assert!(page.contains(".SH EXAMPLES\n.nf\nchasles "), "{command}: {page}");
        assert!(!page.contains("EXTRA") && page.matches(".nf").count() == 1, "{command}: {page}");
    }
    let page = folder.run(&["man"]).out;
    assert!(page.contains("chasles collide tori \\-\\-report tori.html\n"), "{page}");
    assert!(page.contains(".SH NOTES\n.PP\nExit status"), "{page}");
}

#[test]
fn every_command_has_a_manual_page_and_examples() {
    let folder = Folder::new("help-manual");
    let page = folder.run(&["man"]).out;
    assert!(page.contains(".TH chasles 1") && page.contains("Exit status"), "{page:.300}");
    for command in COMMANDS {
        let page = folder.run(&["man", command]).out;
        assert!(page.contains(&format!("chasles\\-{command}")), "{command}: {page:.300}");
        let help = folder.run(&[command, "--help"]).out;
        assert!(help.contains(&format!("Examples:\n  chasles {command}")), "{command}: {help}");
    }
}
