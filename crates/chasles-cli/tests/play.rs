//! `chasles play` and live reports: what they write, and what they say where there is no page.

mod common;

use common::page::data;
use common::{CUBES, Folder};

const WITHOUT: &str = "this program was built without the playground";

/// Runs the program; none if it has no playground, which it then says with a way to get it.
fn run(folder: &Folder, arguments: &[&str]) -> Option<common::Run> {
    let run = folder.run(arguments);
    if !run.err.contains(WITHOUT) {
        return Some(run);
    }
    assert_eq!(run.status, 2, "{}", run.err);
    assert!(run.err.contains("--features play") && run.err.contains("web/build"), "{}", run.err);
    assert!(!folder.path().join("out.html").exists(), "nothing is half-written");
    None
}

fn page(folder: &Folder) -> String {
    std::fs::read_to_string(folder.path().join("out.html")).expect("the page is text")
}

#[test]
fn a_page_has_the_scene_with_its_files() {
    let folder = Folder::new("play-page");
    folder.write("part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("scene.toml", "[[body]]\nmesh = \"part.obj\"\n[[body]]\nshape = { box = {} }\n");
    let Some(run) = run(&folder, &["play", "scene.toml", "--page", "out.html"]) else { return };
    assert_eq!(run.status, 0, "{}", run.err);
    let data = data(&page(&folder));
    assert_eq!(
        (&data["name"], data["files"]["part.obj"].is_string()),
        (&"scene.toml".into(), true)
    );
    assert!(data["text"].as_str().is_some_and(|text| text.contains("part.obj")));
}

#[test]
fn a_wrong_scene_is_told_and_nothing_is_written() {
    let folder = Folder::new("play-wrong");
    folder.write("scene.toml", "[[body]]\nshpe = { box = {} }\n");
    let Some(run) = run(&folder, &["play", "scene.toml", "--page", "out.html"]) else { return };
    assert_eq!(run.status, 2);
    assert!(run.err.contains("shpe") && run.err.contains("did you mean"), "{}", run.err);
    assert!(!folder.path().join("out.html").exists());
}

#[test]
fn a_live_report_has_what_was_found_and_what_was_asked() {
    let folder = Folder::new("play-live");
    folder.write("scene.toml", CUBES);
    let asked = ["collide", "scene.toml", "--facing", "--window", "0.25", "1", "--quiet"];
    let live = [&asked[..], &["--report", "out.html", "--live"]].concat();
    let Some(run) = run(&folder, &live) else { return };
    assert_eq!(run.status, 0, "{}", run.err);
    let given = data(&page(&folder));
    assert_eq!(
        (&given["options"]["facing"], &given["options"]["from"]),
        (&true.into(), &0.25.into())
    );
    folder.run(&[&asked[..], &["--report", "plain.html"]].concat());
    let plain = std::fs::read_to_string(folder.path().join("plain.html")).expect("a page");
    assert_eq!(given["document"], data(&plain), "it has the same contacts as a plain report");
    assert!(plain.len() < page(&folder).len() / 4, "without --live pages stay small");
}

#[test]
fn a_live_report_needs_a_report() {
    let folder = Folder::new("play-alone");
    let run = folder.run(&["collide", "tori", "--live"]);
    assert!(run.status == 2 && run.err.contains("--report"), "{}", run.err);
}
