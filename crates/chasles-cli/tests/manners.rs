//! `chasles simulate`: forces, damping, conveyors, groups and sensors of scenes.

mod common;

use common::Folder;
use serde_json::{Value, json};

/// A floor with its top at height 0, with more keys; other bodies follow.
fn floor(more: &str) -> String {
    format!(
        "[[body]]\nname = \"floor\"\nkind = \"static\"\n\
         shape = {{ box = {{ size = [9, 2, 9] }} }}\nstart = {{ position = [0, -1, 0] }}\n{more}\n"
    )
}

fn cube(name: &str, place: [f64; 3], more: &str) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nshape = {{ box = {{ size = [1, 1, 1] }} }}\nmass = 1\n\
         start = {{ position = {place:?} }}\n{more}\n"
    )
}

fn frames(name: &str, scene: &str, seconds: &str) -> Vec<Value> {
    let folder = Folder::new(name);
    folder.write("scene.toml", scene);
    let run = folder.run(&[
        "simulate",
        "scene.toml",
        "--seconds",
        seconds,
        "--trajectory",
        "-",
        "--check",
    ]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{scene}");
    run.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

fn number(frame: &Value, body: usize, key: &str, axis: usize) -> f64 {
    frame["bodies"][body][key][axis].as_f64().expect("a number")
}

#[test]
fn a_force_and_damping_give_a_body_its_final_speed() {
    let more = "force = [3, 9.81, 0]\nlinear_damping = 2\n";
    let scene = floor("") + &cube("kite", [0.0, 3.0, 0.0], more);
    let frames = frames("manners-force", &scene, "2");
    let last = frames.last().expect("frames");
    let speed = 1.5 * (1.0 - (-4.0_f64).exp());
    assert!((number(last, 1, "velocity", 0) - speed).abs() < 1e-9, "{last}");
    assert!((number(last, 1, "position", 1) - 3.0).abs() < 1e-9, "the force carries its weight");
}

#[test]
fn a_spin_fades_by_its_damping() {
    let more = "angular_velocity = [0, 2, 0]\nangular_damping = 0.5\n";
    let world = "[world]\ngravity = [0, 0, 0]\n".to_string();
    let frames = frames("manners-spin", &(world + &cube("top", [0.0; 3], more)), "1");
    let spin = number(frames.last().expect("frames"), 0, "angular_velocity", 1);
    assert!((spin - 2.0 * (-0.5_f64).exp()).abs() < 1e-9, "{spin}");
}

#[test]
fn a_conveyor_carries_a_parcel_through_a_sensor() {
    let gate = "[[body]]\nname = \"gate\"\nkind = \"static\"\nsensor = true\n\
                shape = { box = { size = [0.1, 3, 3] } }\nstart = { position = [2, 1, 0] }\n";
    let scene =
        floor("surface_velocity = [1.5, 0, 0]") + &cube("parcel", [0.0, 0.501, 0.0], "") + gate;
    let frames = frames("manners-belt", &scene, "3");
    let speed = number(&frames[100], 1, "velocity", 0);
    assert!((speed - 1.5).abs() < 1e-3, "{speed}");
    let told: Vec<&Value> =
        frames.iter().filter_map(|frame| frame["sensed"].as_array()).flatten().collect();
    let change = |what: &str| json!({ "sensor": "gate", "body": "parcel", "change": what });
    assert_eq!(told, [&change("entered"), &change("left")]);
    assert!(frames[0].get("sensed").is_none());
}

#[test]
fn groups_say_who_falls_through() {
    let ghost = "groups = [1, 5]\n";
    let stone = "groups = [2]\n";
    let scene = floor("mask = [2]")
        + &cube("ghost", [0.0, 1.0, 0.0], ghost)
        + &cube("stone", [3.0, 1.0, 0.0], stone);
    let frames = frames("manners-groups", &scene, "1");
    let last = frames.last().expect("frames");
    assert!(number(last, 1, "position", 1) < -3.0 && number(last, 2, "position", 1) > 0.49);
}

#[test]
fn manners_that_cannot_be_are_refused_with_their_place() {
    for (more, said) in [
        ("groups = [32]", "`groups` is 32, which is not from 0 to 31"),
        ("linear_damping = -1", "`linear_damping` is -1, which is below 0"),
        ("kind = \"static\"\nforce = [0, 1, 0]", "`force`"),
    ] {
        let folder = Folder::new("manners-wrong");
        folder.write("scene.toml", &(floor("") + &cube("cube", [0.0, 3.0, 0.0], more)));
        let run = folder.run(&["simulate", "scene.toml"]);
        assert!(run.status != 0 && run.err.contains(said), "{more}: {}", run.err);
        assert!(run.err.contains("scene.toml:"), "{}", run.err);
    }
}
