//! A body has the keys of what its scene is for; those of another command are told as such.

use std::path::Path;

use chasles_scene::{Scene, SceneError, SimulateScene, TraceScene};

const BOX: &str = "[[body]]\nshape = { box = {} }\n";

const FLOOR: &str = "[[body]]\nshape = { plane = {} }\nstart = { position = [0, -1, 0] }\n";

fn collide(text: &str) -> Result<(), SceneError> {
    Scene::from_text(text, "a.toml", Path::new("")).map(|_| ())
}

/// A trace must move something, or that is told first.
fn trace(text: &str) -> Result<(), SceneError> {
    let mover = format!("{BOX}moving = true\ntranslate = [0, -1, 0]\n");
    TraceScene::from_text(&format!("{text}{mover}"), "a.toml", Path::new("")).map(|_| ())
}

fn simulate(text: &str) -> Result<(), SceneError> {
    SimulateScene::from_text(text, "a.toml", Path::new("")).map(|_| ())
}

type Reader = fn(&str) -> Result<(), SceneError>;

/// What is said of a box with one more line.
fn said(read: Reader, line: &str) -> String {
    read(&format!("{BOX}{line}\n")).expect_err(line).to_string()
}

#[test]
fn keys_of_another_command_are_told_whatever_their_value() {
    let rows: [(Reader, &str, &str); 8] = [
        (collide, "moving = true", "`moving`, which belongs to a scene for `chasles trace`"),
        (collide, "moving = 3", "`moving`, which belongs to a scene for `chasles trace`"),
        (collide, "kind = 'odd'", "`kind`, which belongs to a scene for `chasles simulate`"),
        (trace, "end = {}", "`end`, which belongs to a scene for `chasles collide`"),
        (trace, "twist = 1", "`twist`, which belongs to a scene for `chasles collide`"),
        (trace, "frames = []", "has `frames`, and bodies that deform cannot be traced"),
        (trace, "velocity = 1", "`velocity`, which belongs to a scene for `chasles simulate`"),
        (simulate, "tag = 1", "has `tag`, which `chasles simulate` does not take"),
    ];
    for (read, line, phrase) in rows {
        let said = said(read, line);
        assert!(said.contains(phrase) && said.contains("a.toml:3:"), "{line}: {said}");
    }
}

#[test]
fn masses_and_materials_are_said_in_any_scene() {
    let matter = "density = 500\nrestitution = 0.1\nfriction = 0.4\n";
    collide(&format!("{BOX}{matter}")).expect("a scene for contacts");
    simulate(&format!("{BOX}{matter}")).expect("a scene for a simulation");
    let way = "moving = true\ntranslate = [0, -1, 0]\n";
    trace(&format!("{BOX}{matter}{way}{FLOOR}")).expect("a scene for a trace");
    let wrong = said(collide, "density = 'heavy'");
    assert!(wrong.contains("expected a number"), "{wrong}");
}

/// Editors are offered all keys by the schema; a message has room for those that help.
#[test]
fn an_unknown_key_is_answered_with_those_of_the_command() {
    let rows: [(Reader, [&str; 2]); 3] = [
        (collide, ["flight", "portions"]),
        (trace, ["portions", "copies"]),
        (simulate, ["copies", "flight"]),
    ];
    for (read, [own, other]) in rows {
        let said = said(read, "colour = 3");
        assert!(said.starts_with("a.toml:3:1: unknown key `colour`, expected one of `name`"));
        assert!(said.contains(&format!("`{own}`")), "{said}");
        assert!(!said.contains(&format!("`{other}`")), "{said}");
    }
}

#[test]
fn the_key_that_was_meant_may_be_of_another_command() {
    let help = |read: Reader, line: &str| read(&format!("{BOX}{line}\n")).expect_err(line).help();
    assert!(help(collide, "strat = {}").starts_with("did you mean `start`?"));
    assert!(help(collide, "movng = true").starts_with("did you mean `moving`?"));
    assert!(help(trace, "copeis = {}").starts_with("did you mean `copies`?"));
}

#[test]
fn bodies_that_are_no_tables_are_told_at_their_place() {
    let said = |text: &str| collide(text).expect_err(text).to_string();
    assert!(
        said("body = [3]").starts_with("a.toml:1:9: invalid type: integer `3`, expected a table")
    );
    assert!(
        said("body = 3").contains("a.toml:1:8: invalid type: integer `3`, expected a sequence")
    );
    assert!(said("[[bdoy]]").contains("unknown key `bdoy`, expected one of `title`, `body`"));
}
