//! Names from files are shown as text, whatever they contain: in tables, in errors, in pictures and
//! in pages.

mod common;

use std::fs;

use common::{Folder, Run};

/// Ends of scripts, comments and sections, markup, quotes, what moves the cursor or colours a
/// terminal, what turns a line around, and what pages are filled by. As TOML and JSON write it.
const NAME: &str = concat!(
    r#"</script><script>alert(1)</script><!-- ]]> <b>&amp; \" ' "#,
    r"\u001b[31m\u0007\u009b2J\u202e {{title}}"
);

/// The same as text.
fn name() -> String {
    serde_json::from_str(&format!("\"{NAME}\"")).expect("a text")
}

/// Fails if an output has signs that a terminal obeys, or that turn lines around.
fn assert_plain(what: &str, text: &str) {
    let obeyed = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(obeyed), "{what}: {text:?}");
}

/// Fails if a page or picture has the name as markup.
fn assert_no_markup(what: &str, text: &str) {
    for markup in ["<script>alert", "</script><script", "<!-- ]]", "]]> <b>", "<b>&"] {
        assert!(!text.contains(markup), "{what} has {markup}");
    }
}

const COLLIDE: &str = "title = \"NAME\"\n[[body]]\nname = \"a NAME\"\nshape = { box = {} }\n\
    [[body]]\nname = \"b NAME\"\nshape = { box = {} }\nstart = { position = [3, 0.25, 0.25] }\n\
    end = { position = [0, 0.25, 0.25] }\n";

const TRACE: &str = "title = \"NAME\"\n[[body]]\nname = \"floor NAME\"\ntag = \"tag NAME\"\n\
    shape = { box = { size = [4, 1, 4] } }\n[[body]]\nname = \"mover NAME\"\nmoving = true\n\
    shape = { box = {} }\nstart = { position = [0, 2, 0] }\ntranslate = [0, -3, 0]\n";

const SIMULATE: &str = "title = \"NAME\"\n[world]\nseconds = 0.1\n[[body]]\nname = \"floor NAME\"\n\
    kind = \"static\"\nshape = { box = { size = [9, 1, 9] } }\n[[body]]\nname = \"one NAME\"\n\
    shape = { box = {} }\nstart = { position = [0, 1.01, 0] }\n[[body]]\nname = \"two NAME\"\n\
    shape = { box = {} }\nstart = { position = [1.2, 2, 0] }\n[[joint]]\nkind = \"ball\"\n\
    bodies = [\"one NAME\", \"two NAME\"]\nanchor = [0.6, 1.5, 0]\n";

fn run(folder: &Folder, arguments: &[&str]) -> Run {
    let run = folder.run(arguments);
    assert_eq!(run.status, 0, "{}", run.err);
    run
}

#[test]
fn names_are_text_in_tables_and_pages() {
    let folder = Folder::new("names");
    for (command, scene) in
        [("collide", COLLIDE), ("compare", COLLIDE), ("trace", TRACE), ("simulate", SIMULATE)]
    {
        let file = format!("{command}.toml");
        folder.write(&file, scene.replace("NAME", NAME));
        let table = run(&folder, &[command, &file, "--report", "a.html"]);
        assert_plain(command, &table.out);
        assert_plain(command, &table.err);
        let all = run(&folder, &[command, &file]).out;
        assert_plain(command, &all);
        assert!(all.contains("</script><script>alert(1)</script><!-- ]]> <b>&amp;"), "{all}");
        assert!(all.contains("\\u{1b}[31m\\u{7}\\u{9b}2J\\u{202e} {{title}}"), "{all}");
        let page = fs::read_to_string(folder.path().join("a.html")).expect("a page");
        assert_no_markup(&format!("the page of {command}"), &page);
        assert_plain(&format!("the page of {command}"), &page);
        assert!(!page.contains("\\u001b") && !page.contains("\\u0007"), "{command}");
        let scripts = if command == "compare" { 0 } else { 2 };
        assert_eq!(page.matches("<script").count(), scripts, "{command}");
        assert_eq!(page.matches("</script").count(), scripts, "{command}");
    }
}

#[test]
fn names_are_text_in_pictures() {
    let folder = Folder::new("names-pictures");
    for (command, scene) in [("collide", COLLIDE), ("trace", TRACE), ("simulate", SIMULATE)] {
        let file = format!("{command}.toml");
        folder.write(&file, scene.replace("NAME", NAME));
        run(&folder, &[command, &file, "--picture", "a.svg"]);
        let picture = fs::read_to_string(folder.path().join("a.svg")).expect("a picture");
        assert_no_markup(&format!("the picture of {command}"), &picture);
        assert!(!picture.contains("<script"), "{command}");
        assert!(picture.contains("&lt;/script&gt;"), "{command} shows no name");
    }
}

#[test]
fn names_are_whole_in_json() {
    let folder = Folder::new("names-json");
    folder.write("a.toml", COLLIDE.replace("NAME", NAME));
    let result = run(&folder, &["collide", "a.toml", "--json", "-"]).out;
    let result: serde_json::Value = serde_json::from_str(&result).expect("one document");
    assert_eq!(result["title"], name());
    assert_eq!(result["pairs"][0]["a"], format!("a {}", name()));
    folder.write(
        "over.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n",
    );
    let over = COLLIDE.replacen("shape = { box = {} }", "mesh = \"over.obj\"", 1);
    folder.write("a.toml", over.replace("NAME", NAME));
    let turned = run(&folder, &["collide", "a.toml", "--json", "-"]);
    assert_plain("a warning", &turned.err);
    let result: serde_json::Value = serde_json::from_str(&turned.out).expect("one document");
    let expected = format!("the mesh of a {} is inside out: its faces are turned over", name());
    assert_eq!(result["warnings"], serde_json::json!([expected]));
}

#[test]
fn names_of_mesh_files_are_text_in_tables_and_pictures() {
    let folder = Folder::new("names-files");
    // A file cannot have a slash in its name.
    let file = format!("{}.obj", name().replace('/', "|"));
    folder.write(&file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let table = run(&folder, &["inspect", &file, "--picture", "a.svg"]);
    assert_plain("inspect", &table.out);
    let picture = fs::read_to_string(folder.path().join("a.svg")).expect("a picture");
    assert_no_markup("the picture of inspect", &picture);
    assert!(!picture.contains("<script") && picture.contains("&lt;|script&gt;"));
}

#[test]
fn names_are_text_in_errors() {
    let folder = Folder::new("names-errors");
    let error = |scene: &str| {
        folder.write("wrong.toml", scene.replace("NAME", NAME));
        let run = folder.run(&["collide", "wrong.toml"]);
        assert_eq!(run.status, 2, "{}", run.out);
        assert!(run.err.contains("alert(1)"), "{}", run.err);
        run.err
    };
    assert_plain("a mesh that is missing", &error("[[body]]\nmesh = \"NAME.obj\"\n"));
    assert_plain("an unknown ending", &error("[[body]]\nmesh = \"NAME\"\n"));
    let twice = "[[body]]\nname = \"NAME\"\nshape = { box = {} }\n";
    assert_plain("a name twice", &error(&twice.repeat(2)));
    assert_plain("an unknown key", &error("[[body]]\nshape = { box = {} }\n\"NAME\" = 1\n"));
    assert_plain("an unknown shape", &error("[[body]]\nshape = { \"NAME\" = {} }\n"));
    let file = format!("{}.obj", name().replace('/', "|"));
    let run = folder.run(&["inspect", &file]);
    assert_plain("a mesh to inspect that is missing", &run.err);
    let run = folder.run(&["collide", &file]);
    assert_plain("a scene that is missing", &run.err);
    let run = folder.run(&["queries", &format!("{file}.vf.bin")]);
    assert_plain("queries that are missing", &run.err);
}
