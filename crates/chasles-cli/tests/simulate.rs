//! `chasles simulate`: what trajectories say, that threads change nothing, and what is refused.

mod common;

use common::{CUBES, Folder, root, simulate_scenes};
use serde_json::{Value, json};

/// A floor with its top at height 0, and nothing that moves; bodies follow.
const FLOOR: &str = "\
[[body]]
name = \"floor\"
kind = \"static\"
shape = { box = { size = [9, 2, 9] } }
start = { position = [0, -1, 0] }

";

/// A unit cube 2 above the floor; more of its keys follow.
const CUBE: &str = "\
[[body]]
name = \"cube\"
shape = { box = { size = [1, 1, 1] } }
start = { position = [0, 2.5, 0] }
";

fn cube(more: &str) -> String {
    format!("{FLOOR}{CUBE}{more}\n")
}

fn simulate(folder: &Folder, scene: &str, more: &[&str]) -> String {
    folder.write("scene.toml", scene);
    let run = folder.run(&[&["simulate", "scene.toml"], more].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{scene}");
    run.out
}

fn summary(folder: &Folder, scene: &str, more: &[&str]) -> Value {
    let out = simulate(folder, scene, &[more, &["--json", "-"]].concat());
    serde_json::from_str(&out).expect("standard output is one JSON document")
}

fn frames(folder: &Folder, scene: &str, more: &[&str]) -> Vec<Value> {
    let out = simulate(folder, scene, &[more, &["--trajectory", "-"]].concat());
    out.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// The height of the second body.
fn height(frame: &Value) -> f64 {
    number(&frame["bodies"][1]["position"][1])
}

#[test]
fn a_trajectory_has_a_line_for_time_0_and_for_each_step() {
    let folder = Folder::new("simulate-trajectory");
    let frames = frames(&folder, &cube(""), &["--seconds", "1.5", "--dt", "0.01"]);
    assert_eq!(frames.len(), 151);
    for (step, frame) in frames.iter().enumerate() {
        assert_eq!(keys(frame), ["bodies", "contacts", "time"]);
        assert!((number(&frame["time"]) - 0.01 * step as f64).abs() < 1e-9, "{frame}");
        let bodies = frame["bodies"].as_array().expect("a list");
        let names: Vec<&Value> = bodies.iter().map(|body| &body["name"]).collect();
        assert_eq!(names, ["floor", "cube"]);
        for body in bodies {
            let all = ["angular_velocity", "name", "position", "rotation", "velocity"];
            assert_eq!(keys(body), all);
            assert_eq!(body["rotation"].as_array().map(Vec::len), Some(4));
        }
    }
    assert_eq!(frames[0]["time"], 0.0);
    assert_eq!(frames[0]["contacts"], json!([]));
}

#[test]
fn a_cube_falls_as_galileo_says_and_stays_on_the_floor() {
    let folder = Folder::new("simulate-fall");
    let frames = frames(&folder, &cube("restitution = 0"), &["--seconds", "2"]);
    for frame in &frames {
        let time = number(&frame["time"]);
        let fallen = 2.5 - 0.5 * 9.81 * time * time;
        if fallen > 0.51 {
            assert!((height(frame) - fallen).abs() < 1e-9, "{frame}");
        }
        assert!(height(frame) > 0.5, "the cube is in the floor: {frame}");
    }
    assert!(height(frames.last().expect("frames")) < 0.5011);
    let impacts: Vec<&Value> =
        frames.iter().flat_map(|frame| frame["contacts"].as_array().expect("a list")).collect();
    let first = impacts.first().expect("an impact");
    assert_eq!(keys(first), ["a", "b", "impulse", "normal", "point", "time"]);
    assert_eq!((&first["a"], &first["b"]), (&json!("floor"), &json!("cube")));
    // The normal points from A to B, which is pushed along it.
    assert!((number(&first["normal"][1]) - 1.0).abs() < 1e-9, "{first}");
    assert!(number(&first["impulse"][1]) > 0.0, "{first}");
    let expected = f64::sqrt(2.0 * 2.0 / 9.81);
    assert!((number(&first["time"]) - expected).abs() < 1e-3, "{first}");
}

#[test]
fn the_summary_says_what_happened() {
    let result = summary(&Folder::new("simulate-summary"), &cube("density = 2"), &["--check"]);
    let all = [
        "asleep",
        "bodies",
        "checked_frames",
        "checked_steps",
        "crossings",
        "dt",
        "dynamic",
        "energy",
        "hash",
        "impacts",
        "joint_gap",
        "left_out",
        "overlaps",
        "parts",
        "seconds",
        "sheets",
        "steps",
        "title",
        "waits",
        "wall_seconds",
        "warnings",
        "worst_depth",
    ];
    assert_eq!(keys(&result), all);
    assert_eq!(result["bodies"], 2);
    assert_eq!(result["dynamic"], 1);
    assert_eq!(result["asleep"], 1, "{result}");
    assert_eq!(result["steps"], 300);
    assert_eq!(result["checked_frames"], 300);
    assert_eq!(result["checked_steps"], 300);
    assert_eq!((&result["overlaps"], &result["crossings"]), (&json!([]), &json!([])));
    assert_eq!(result["worst_depth"], 0.0);
    assert!(number(&result["impacts"]) >= 1.0);
    let energy = &result["energy"];
    assert!((number(&energy["start"]["potential"]) - 2.0 * 9.81 * 2.5).abs() < 1e-9, "{energy}");
    assert!((number(&energy["end"]["potential"]) - 2.0 * 9.81 * 0.501).abs() < 0.01, "{energy}");
    assert_eq!(energy["end"]["kinetic"], 0.0);
}

#[test]
fn threads_change_no_bit() {
    let folder = Folder::new("simulate-threads");
    let grid = "copies = { count = [3, 1, 2], spacing = [1.8, 0, 1.8], tumble = 4 }";
    let scene = cube(grid);
    let hash = |threads: &str| {
        summary(&folder, &scene, &["--threads", threads, "--seconds", "0.9"])["hash"].clone()
    };
    let one = hash("1");
    assert_eq!(one.as_str().map(str::len), Some(16));
    for threads in ["1", "2", "5"] {
        assert_eq!(hash(threads), one, "{threads} threads");
    }
    let other = summary(&folder, &scene, &["--threads", "1", "--seconds", "1"])["hash"].clone();
    assert_ne!(other, one, "another state has another hash");
}

#[test]
fn copies_are_numbered_layer_by_layer() {
    let folder = Folder::new("simulate-copies");
    let grid = "copies = { count = [2, 2, 2], spacing = [2, 3, 4], odd_layers = [0.5, 0, 0] }";
    let frame = &frames(&folder, &cube(grid), &["--seconds", "0.01", "--dt", "0.01"])[0];
    let bodies = frame["bodies"].as_array().expect("a list");
    let place = |number: usize| (&bodies[1 + number]["name"], &bodies[1 + number]["position"]);
    assert_eq!(bodies.len(), 9);
    assert_eq!(place(0), (&json!("cube-0"), &json!([0.0, 2.5, 0.0])));
    assert_eq!(place(1), (&json!("cube-1"), &json!([2.0, 2.5, 0.0])));
    assert_eq!(place(2), (&json!("cube-2"), &json!([0.0, 2.5, 4.0])));
    assert_eq!(place(4), (&json!("cube-4"), &json!([0.5, 5.5, 0.0])));
    let list = "copies = { at = [[0, 0, 0], [2, 1, 0]] }";
    let frame = &frames(&folder, &cube(list), &["--seconds", "0.01", "--dt", "0.01"])[0];
    assert_eq!(frame["bodies"][2]["position"], json!([2.0, 3.5, 0.0]));
}

#[test]
fn kinematic_bodies_keep_to_their_way() {
    let folder = Folder::new("simulate-kinematic");
    let door = "\
[[body]]
name = \"door\"
kind = \"kinematic\"
shape = { box = { size = [0.2, 1, 0.2] } }
start = { position = [3, 1, 3] }
twist = { angular = [0, 1.5707963267948966, 0], point = [2, 0, 3] }
";
    let lift = "\
[[body]]
name = \"lift\"
kind = \"kinematic\"
shape = { box = { size = [1, 0.2, 1] } }
keyframes = [{ time = 0, position = [-3, 1, 0] }, { time = 2, position = [-3, 3, 0] }]
";
    let scene = format!("{door}{lift}{}", cube(""));
    let frames = frames(&folder, &scene, &["--seconds", "1", "--dt", "0.125"]);
    let position = |frame: &Value, body: usize| -> Vec<f64> {
        let list = frame["bodies"][body]["position"].as_array().expect("a list");
        list.iter().map(number).collect()
    };
    let is_at = |found: Vec<f64>, expected: [f64; 3]| {
        let off = found.iter().zip(expected).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{found:?} instead of {expected:?}");
    };
    // The door turns about x = 2, z = 3 by a quarter in a second, from x towards -z.
    is_at(position(&frames[8], 0), [2.0, 1.0, 2.0]);
    let half = f64::sqrt(0.5);
    is_at(position(&frames[4], 0), [2.0 + half, 1.0, 3.0 - half]);
    is_at(position(&frames[8], 1), [-3.0, 2.0, 0.0]);
}

#[test]
fn every_method_lets_a_cube_rest_on_the_floor() {
    let folder = Folder::new("simulate-methods");
    for method in ["exact", "screen", "trace"] {
        let scene = format!("[world]\nmethod = \"{method}\"\nwindow = 0.002\n{}", cube(""));
        let result = summary(&folder, &scene, &["--check", "--seconds", "3"]);
        assert_eq!(result["asleep"], 1, "{method}: {result}");
        assert_eq!(
            (&result["overlaps"], &result["crossings"]),
            (&json!([]), &json!([])),
            "{method}"
        );
    }
}

#[test]
fn the_table_has_a_row_for_each_second() {
    let out = simulate(&Folder::new("simulate-table"), &cube(""), &["--seconds", "2.5"]);
    let rows: Vec<&str> = out.lines().filter(|line| line.contains(" s  ")).collect();
    assert_eq!(rows.len(), 3, "{out}");
    assert!(
        rows[0].trim_start().starts_with("1.00 s") && rows[2].trim_start().starts_with("2.50 s")
    );
    assert!(out.contains("2 bodies in 150 steps:"), "{out}");
    assert!(out.contains("0 overlaps in 1 frame looked at"), "{out}");
    assert!(out.contains("% of real time"), "{out}");
    let out = simulate(&Folder::new("simulate-check"), &cube(""), &["--seconds", "1", "--check"]);
    let checked = "0 overlaps in 60 frames, 0 crossings in 60 steps looked at";
    assert!(out.contains(checked), "{out}");
}

#[test]
fn files_appear_whole_and_a_picture_shows_the_moment() {
    let folder = Folder::new("simulate-files");
    let more = ["--json", "a.json", "--trajectory", "a.jsonl", "--picture", "a.svg", "--at", "0.5"];
    let out = simulate(&folder, &cube(""), &[&more[..], &["--seconds", "1", "--quiet"]].concat());
    assert_eq!(out, "");
    assert_eq!(folder.names(), ["a.json", "a.jsonl", "a.svg", "scene.toml"]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!(read("a.jsonl").lines().count(), 61);
    assert!(read("a.svg").contains("After 0.500 s"));
    let run = folder.run(&["simulate", "scene.toml", "--json", "b", "--trajectory", "b"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("is named for two results"), "{}", run.err);
    assert_eq!(folder.names(), ["a.json", "a.jsonl", "a.svg", "scene.toml"]);
}

/// What follows [`CUBE`] in the scene, the place as `line:column`, and a phrase of the message.
const AFTER_A_CUBE: [(&str, &str, &str); 46] = [
    ("mass = 0", "11:8", "`mass` is 0, which is not above 0"),
    ("mass = -2.5", "11:8", "`mass` is -2.5, which is not above 0"),
    ("mass = nan", "11:8", "`body[1].mass` is nan"),
    ("density = 0", "11:11", "`density` is 0, which is not above 0"),
    ("density = -1", "11:11", "`density` is -1"),
    ("density = 1\nmass = 1", "12:8", "has both `density` and `mass`"),
    ("mass = 1\ninertia = [1, 1, 2.1]", "12:11", "no body has the principal moments 1, 1 and 2.1"),
    ("mass = 1\ninertia = [1, 1, -1]", "12:11", "no body has the principal moments"),
    ("mass = 1\ninertia = [1, 1]", "12:11", "expected a vector [x, y, z]"),
    ("inertia = [1, 1, 1]", "11:11", "has `inertia`, but not `mass`"),
    ("mass = 1\ncentre = [0, 0, 0]", "12:10", "has `centre`, but not `inertia`"),
    ("restitution = 1.1", "11:15", "a restitution of 1.1 is impossible"),
    ("restitution = -0.1", "11:15", "a restitution of -0.1 is impossible"),
    ("friction = -0.1", "11:12", "a friction of -0.1 is impossible"),
    ("kind = 'heavy'", "11:8", "unknown kind `heavy`, expected one of `dynamic`"),
    ("kind = 'kinematic'", "11:8", "is kinematic, but has neither `twist` nor `keyframes`"),
    ("kind = 'yielding'", "11:8", "is yielding, but has neither"),
    ("kind = 'static'", "1:1", "no body of the scene is dynamic"),
    ("kind = 'static'\nvelocity = [1, 0, 0]", "12:12", "is static and has `velocity`"),
    ("twist = {}", "11:9", "is dynamic and has `twist`"),
    ("keyframes = []", "11:13", "is dynamic and has `keyframes`"),
    (
        "kind = 'yielding'\ntwist = {}\nvelocity = [1, 0, 0]",
        "13:12",
        "is yielding and has `velocity`",
    ),
    ("kind = 'yielding'\nkeyframes = []", "10:9", "has both `start` and `keyframes`"),
    ("lock = ['up']", "11:8", "unknown direction `up`, expected one of `x`"),
    ("kind = 'static'\nlock = ['x']", "12:8", "is static and has `lock`"),
    ("kind = 'kinematic'\ntwist = {}\nforce = [1, 0, 0]", "13:9", "is kinematic and has `force`"),
    ("until = 1", "11:9", "is dynamic and has `until`"),
    ("kind = 'yielding'\ntwist = {}\nuntil = -1", "13:9", "`until` is -1, which is below 0"),
    ("thickness = 0", "11:13", "`thickness` is 0, which is not above 0"),
    ("closed = true\nthickness = 1", "12:13", "has both `closed` and `thickness`"),
    ("velocity = [0, inf, 0]", "11:16", "which is not finite"),
    ("end = {}", "11:7", "has `end`, which `chasles simulate` does not take"),
    ("moving = true", "11:10", "has `moving`, which `chasles simulate` does not take"),
    ("tag = 'a'", "11:7", "has `tag`, which `chasles simulate` does not take"),
    ("flight = {}", "11:10", "has `flight`, which"),
    ("copies = {}", "11:10", "have neither `count` and `spacing` nor `at`"),
    ("copies = { at = [] }", "11:17", "0 copies of \"cube\" cannot be made"),
    ("copies = { count = [1, 0, 1], spacing = [1, 1, 1] }", "11:20", "0 copies of \"cube\""),
    ("copies = { count = [1000, 1000, 1000], spacing = [1, 1, 1] }", "11:20", "1000000000 copies"),
    ("copies = { count = [1, 1], spacing = [1, 1, 1] }", "11:20", "expected three whole numbers"),
    ("copies = { at = [[0, 0, 0]], spacing = [1, 1, 1] }", "11:40", "have both `at` and `spacing`"),
    (
        "copies = { count = [2, 1, 1], spacing = [0.9, 0, 0] }",
        "7:1",
        "the bodies \"cube-0\" and \"cube-1\" overlap",
    ),
    (
        "[[body]]\nname = 'b'\nshape = { box = {} }\nstart = { position = [0.2, 2.4, 0.1] }",
        "11:1",
        "the bodies \"cube\" and \"b\" overlap at the start",
    ),
    (
        "[[body]]\nname = 'b'\nshape = { box = { size = [0.1, 0.1, 0.1] } }\nstart = { position = [0, 2.5, 0] }",
        "11:1",
        "the bodies \"cube\" and \"b\" overlap at the start",
    ),
    (
        "[[body]]\nshape = { plane = {} }\nstart = { position = [0, 9, 0] }",
        "12:9",
        "the body \"body-2\" is not closed",
    ),
    (
        "[[body]]\nshape = { plane = {} }\nmass = 3\nstart = { position = [0, 9, 0] }",
        "12:9",
        "is not closed",
    ),
];

/// What stands before [`FLOOR`] and [`CUBE`], with the place and a phrase.
const WORLDS: [(&str, &str, &str); 13] = [
    ("dt = 0", "2:6", "`dt` is 0, which is not above 0"),
    ("dt = -0.1", "2:6", "`dt` is -0.1"),
    ("dt = nan", "2:6", "`world.dt` is nan"),
    ("seconds = 0", "2:11", "`seconds` is 0, which is not above 0"),
    ("dt = 1e-9", "2:6", "more than a simulation takes"),
    ("dt = 1e-300", "2:6", "steps of 1e-300 s are 5.0e300 steps"),
    ("zone = 0", "2:8", "`zone` is 0, which is not from"),
    ("zone = 0.1", "2:8", "`zone` is 0.1, which is not from"),
    ("gravity = 9.81", "2:11", "expected a vector [x, y, z]"),
    ("method = 'guess'", "2:10", "unknown method `guess`, expected one of `exact`"),
    ("window = -0.1", "2:10", "`window` is -0.1, which is below 0"),
    ("response = 'magic'", "2:12", "unknown response `magic`, expected `impulses`"),
    ("wind = 3", "2:1", "unknown key `wind`, expected one of `gravity`"),
];

fn refuses(folder: &Folder, scene: &str, place: &str, phrase: &str) {
    folder.write("bad.toml", scene);
    let files = ["--json", "out.json", "--trajectory", "out.jsonl", "--picture", "out.png"];
    let run = folder.run(&[&["simulate", "bad.toml"], &files[..]].concat());
    assert_eq!(run.status, 2, "{scene}\n{}", run.err);
    assert!(run.err.contains(phrase), "{phrase:?} is not said of\n{scene}\n{}", run.err);
    let place = format!("bad.toml:{place}]");
    assert!(run.err.contains(&place), "{place:?} is not named for\n{scene}\n{}", run.err);
    assert!(run.err.contains("help:"), "no remedy for\n{scene}\n{}", run.err);
    assert!(run.out.is_empty(), "{}", run.out);
    assert_eq!(folder.names(), ["bad.toml"], "a file is left behind by\n{scene}");
}

#[test]
fn bodies_that_cannot_be_are_refused_with_their_place() {
    let folder = Folder::new("simulate-bad-bodies");
    for (rest, place, phrase) in AFTER_A_CUBE {
        refuses(&folder, &cube(rest), place, phrase);
    }
}

#[test]
fn worlds_that_cannot_be_are_refused_with_their_place() {
    let folder = Folder::new("simulate-bad-worlds");
    for (line, place, phrase) in WORLDS {
        refuses(&folder, &format!("[world]\n{line}\n{}", cube("")), place, phrase);
    }
}

#[test]
fn keyframes_that_go_back_are_refused() {
    let scene = "\
[[body]]
kind = \"yielding\"
shape = { box = {} }
keyframes = [{ time = 0 }, { time = 2, position = [1, 0, 0] }, { time = 1 }]
";
    let folder = Folder::new("simulate-keyframes");
    refuses(&folder, scene, "4:73", "keyframe 2 is at 1 s, which is not after the one before it");
    let none =
        scene.replace("[{ time = 0 }, { time = 2, position = [1, 0, 0] }, { time = 1 }]", "[]");
    refuses(&folder, &none, "4:13", "has no keyframes");
}

#[test]
fn names_of_copies_are_not_those_of_others() {
    let folder = Folder::new("simulate-names");
    let more =
        "copies = { at = [[0, 0, 0], [2, 0, 0]] }\n[[body]]\nname = 'cube-1'\nshape = { box = {} }";
    refuses(&folder, &cube(more), "12:1", "the name \"cube-1\" is used by two bodies");
}

#[test]
fn wrong_options_are_refused() {
    let folder = Folder::new("simulate-options");
    folder.write("scene.toml", cube(""));
    for (options, phrase) in [
        (&["--seconds", "0"][..], "must be a finite number above 0"),
        (&["--dt", "nan"], "must be a finite number above 0"),
        (&["--dt", "-1"], "must be a finite number above 0"),
        (&["--threads", "0"], "0 is not in 1..=1024"),
        (&["--at", "1"], "--picture"),
        (&["--at", "9", "--picture", "a.png"], "after the end of the simulation"),
        (&["--json", "-", "--trajectory", "-"], "is named for two results"),
    ] {
        let run = folder.run(&[&["simulate", "scene.toml"], options].concat());
        assert_eq!(run.status, 2, "{options:?}");
        assert!(run.err.contains(phrase), "{options:?}: {}", run.err);
        assert_eq!(folder.names(), ["scene.toml"]);
    }
}

#[test]
fn other_commands_refuse_what_moves_and_pass_over_what_weighs() {
    let folder = Folder::new("simulate-others");
    let collide = |scene: String| {
        folder.write("scene.toml", scene);
        folder.run(&["collide", "scene.toml"])
    };
    for key in ["kind = 'static'", "velocity = [1, 0, 0]", "copies = { at = [[0, 0, 0]] }"] {
        let run = collide(format!("{CUBES}{key}\n"));
        assert_eq!(run.status, 2);
        let said = "which belongs to a scene for `chasles simulate`";
        assert!(run.err.contains(said) && run.err.contains("help:"), "{}", run.err);
    }
    let weighs = "mass = 3\nrestitution = 0.5\nfriction = 0.2\n[world]\nseconds = 3\n";
    let run = collide(format!("{CUBES}{weighs}"));
    assert_eq!((run.status, run.err.as_str()), (0, ""));
}

#[test]
fn every_scene_of_the_repository_runs_a_little() {
    let folder = Folder::new("simulate-scenes");
    assert!(simulate_scenes().len() >= 4);
    for scene in simulate_scenes() {
        let name = scene.to_string_lossy();
        let run = folder.run(&["simulate", &name, "--seconds", "0.1", "--json", "-"]);
        // The one scene with an open mesh of a file says so.
        let is_open = name.ends_with("simulate-rocks.toml");
        let told = run.err.starts_with("warning: the mesh of bowl is open: 16 edges are open");
        assert_eq!((run.status, told), (0, is_open), "{name}: {}", run.err);
        assert_eq!(run.err.lines().count(), usize::from(is_open), "{name}: {}", run.err);
        let result: Value = serde_json::from_str(&run.out).expect("one document");
        assert_eq!(result["overlaps"], json!([]), "{name}");
    }
    assert!(root().join("docs/simulate.md").exists());
}
