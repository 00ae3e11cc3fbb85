//! Sheets of `chasles simulate`, springs for contact, and what is refused of them.

mod common;

use common::Folder;
use serde_json::Value;

/// A ball that stands still under a sheet of nine vertices, which begins on line 7.
const SCENE: &str = "\
[[body]]
name = \"ball\"
kind = \"static\"
shape = { sphere = { radius = 0.2 } }

[[sheet]]
size = [0.4, 0.4]
cells = [2, 2]
start = { position = [0, 0.25, 0] }
";

fn refused(scene: &str, line: usize, says: &str, advice: &str) {
    let folder = Folder::new("sheets-refused");
    folder.write("scene.toml", scene);
    let run = folder.run(&["simulate", "scene.toml", "--json", "out.json"]);
    assert_eq!(run.status, 2, "{scene}\n{}", run.err);
    for part in [says, advice, &format!("scene.toml:{line}:")] {
        assert!(run.err.contains(part), "{part:?} is not in\n{}", run.err);
    }
    assert!(!folder.path().join("out.json").exists());
}

fn with(line: &str) -> String {
    format!("{SCENE}{line}\n")
}

#[test]
fn a_sheet_falls_on_a_ball_and_its_pins_stay() {
    let folder = Folder::new("sheets-fall");
    folder.write("scene.toml", with("pins = [[0, 0], [2, 0]]"));
    let run =
        folder.run(&["simulate", "scene.toml", "--seconds", "0.4", "--trajectory", "-", "--check"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let frames: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let height = |frame: &Value, vertex: usize| {
        assert_eq!(frame["sheets"][0]["name"], "sheet-0");
        assert_eq!(frame["sheets"][0]["vertices"].as_array().expect("a list").len(), 9);
        frame["sheets"][0]["vertices"][vertex][1].as_f64().expect("a number")
    };
    let [first, last] = [&frames[0], &frames[frames.len() - 1]];
    assert!((height(first, 0) - 0.25).abs() < 1e-15);
    for pin in [0, 2] {
        assert_eq!(height(last, pin).to_bits(), height(first, pin).to_bits());
    }
    assert!(height(last, 6) < 0.2, "a loose corner falls");
    assert!(height(last, 4) > 0.19, "the middle lies on the ball");
}

#[test]
fn the_summary_counts_sheets_and_their_energy() {
    let folder = Folder::new("sheets-summary");
    folder.write("scene.toml", with("velocity = [0, 2, 0]\nmass_per_area = 2"));
    let run = folder.run(&["simulate", "scene.toml", "--seconds", "0.05", "--json", "-"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let summary: Value = serde_json::from_str(&run.out).expect("an object");
    assert_eq!(summary["sheets"], 1);
    let kinetic = summary["energy"]["start"]["kinetic"].as_f64().expect("a number");
    // 0.32 kg at 2 m/s.
    assert!((kinetic - 0.64).abs() < 1e-12, "{kinetic}");
    let potential = summary["energy"]["start"]["potential"].as_f64().expect("a number");
    assert!((potential - 0.32 * 9.81 * 0.25).abs() < 1e-12, "{potential}");
}

#[test]
fn wrong_sheets_are_refused_with_their_line() {
    refused(&with("pins = [[3, 0]]"), 10, "the pin [3, 0] is beyond", "chasles docs scenes");
    refused(&with("thickness = 0.3"), 6, "within its thickness", "less than a cell");
    refused(&with("bend = -1"), 6, "bend stiffness", "cells");
    refused(&with("name = \"ball\""), 10, "\"ball\"", "name");
    refused(&SCENE.replace("[0.4, 0.4]", "[0.4, 0]"), 7, "no area", "size");
    refused(&SCENE.replace("[2, 2]", "[2, 0]"), 6, "cells", "size");
    refused(&SCENE.replace("[2, 2]", "[900, 900]"), 8, "811801 vertices", "cells");
    refused(&SCENE.replace("0.25", "0.2"), 6, "touch at the start", "apart");
    let inside = SCENE.replace("0.25", "0").replace("[0.4, 0.4]", "[0.1, 0.1]");
    refused(&inside, 6, "the sheet \"sheet-0\" is inside the body \"ball\"", "out of");
    refused(&with("colour = 3"), 10, "colour", "chasles docs scenes");
    refused(&SCENE.replace("[0.4, 0.4]", "[0.4]"), 7, "two numbers", "chasles docs scenes");
}

#[test]
fn sheets_are_refused_where_nothing_is_simulated() {
    let folder = Folder::new("sheets-elsewhere");
    folder.write("scene.toml", SCENE);
    let run = folder.run(&["collide", "scene.toml"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("sheets belong to a scene for `chasles simulate`"), "{}", run.err);
}

#[test]
fn a_box_rests_on_springs_above_where_impulses_hold_it() {
    let folder = Folder::new("sheets-springs");
    let rest = |response: &str| {
        let scene = format!(
            "[world]\nstepping = \"events\"\nresponse = \"{response}\"\n\n[[body]]\nkind = \"static\"\n\
             shape = {{ box = {{ size = [9, 2, 9] }} }}\nstart = {{ position = [0, -1, 0] }}\n\n\
             [[body]]\nname = \"cube\"\nshape = {{ box = {{}} }}\nstart = {{ position = [0, 0.502, 0] }}\n"
        );
        folder.write("scene.toml", &scene);
        let run = folder.run(&["simulate", "scene.toml", "--seconds", "1.5", "--trajectory", "-"]);
        assert_eq!(run.status, 0, "{}", run.err);
        let last: Value =
            serde_json::from_str(run.out.lines().last().expect("frames")).expect("an object");
        last["bodies"][1]["position"][1].as_f64().expect("a number") - 0.5
    };
    let [impulses, springs] = ["impulses", "springs"].map(rest);
    assert!((impulses - 5e-5).abs() < 1e-5, "{impulses}");
    assert!(springs > 2e-4 && springs < 1e-3, "{springs}");
}

#[test]
fn an_unknown_response_is_refused() {
    refused(
        &format!("[world]\nresponse = \"rubber\"\n{SCENE}"),
        2,
        "rubber",
        "chasles docs scenes",
    );
}

#[test]
fn a_bouncing_box_passes_no_sheet_within_a_step() {
    let folder = Folder::new("sheets-bounce");
    let scene = "[world]\ngravity = [0, 0, 0]\nseconds = 0.05\n\n\
        [[body]]\nname = \"floor\"\nkind = \"static\"\nshape = { box = { size = [9, 1, 9] } }\n\
        start = { position = [0, -0.5, 0] }\nrestitution = 1\nfriction = 0\n\n\
        [[body]]\nname = \"cube\"\nshape = { box = { size = [0.2, 0.2, 0.2] } }\n\
        start = { position = [0, 1, 0] }\nvelocity = [0, -108, 0]\n\
        restitution = 1\nfriction = 0\n\n\
        [[sheet]]\nsize = [1, 1]\ncells = [8, 8]\nstart = { position = [0, 0.5, 0] }\n\
        pins = [[0, 0], [0, 8], [8, 0], [8, 8]]\n";
    folder.write("scene.toml", scene);
    let run = folder.run(&["simulate", "scene.toml", "--check", "--json", "-"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let summary: Value = serde_json::from_str(&run.out).expect("an object");
    assert_eq!(summary["crossings"].as_array().map(Vec::len), Some(0));
    let energy = |at: &str| {
        let of = |kind: &str| summary["energy"][at][kind].as_f64().expect("a number");
        of("kinetic") + of("potential")
    };
    assert!(energy("end") < 1.001 * energy("start"), "{} {}", energy("start"), energy("end"));
}
