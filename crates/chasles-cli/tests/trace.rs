//! `chasles trace`: how far bodies get, as closed forms have it, and what is refused.

mod common;

use std::f64::consts::{PI, TAU};
use std::fs;

use chasles::glam::DVec3;
use chasles_scene::{Fixed, Journey, TraceScene};
use common::{CUBES, Folder, root, trace_scenes};
use serde_json::{Value, json};

/// Lengths of the scenes are a few units, and zones below 1e-10.
const CLOSE: f64 = 1e-6;

fn scene(name: &str) -> String {
    root().join("scenes").join(name).to_string_lossy().into_owned()
}

fn trace(folder: &Folder, arguments: &[&str]) -> Value {
    let run = folder.run(&[&["trace"], arguments, &["--json", "-"]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&run.out).expect("standard output is one JSON document")
}

fn of_text(folder: &Folder, scene: &str, more: &[&str]) -> Value {
    folder.write("scene.toml", scene);
    trace(folder, &[&["scene.toml"], more].concat())
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn fraction(result: &Value) -> f64 {
    result["fraction"].as_f64().expect("a number")
}

fn is_near(p: &[f64], q: &[f64]) -> bool {
    p.len() == q.len() && p.iter().zip(q).all(|(p, q)| (p - q).abs() < CLOSE)
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// A floor with its top at height 0 and a unit cube above it; more keys of the cube follow.
const CUBE: &str = "\
[[body]]
name = \"floor\"
shape = { box = { size = [9, 2, 9] } }
start = { position = [0, -1, 0] }

[[body]]
name = \"cube\"
shape = { box = { size = [1, 1, 1] } }
moving = true
";

fn cube(more: &str) -> String {
    format!("{CUBE}{more}\n")
}

#[test]
fn a_brick_stops_at_the_wall_of_the_corner_that_it_meets_first() {
    let result = trace(&Folder::new("trace-corner"), &[&scene("trace-corner.toml")]);
    // How far the turned brick reaches towards the wall behind it.
    let reach = 0.5 * (PI / 6.0).sin() + 0.3 * (PI / 6.0).cos();
    let expected = (1.5 - reach) / 2.4;
    assert!((fraction(&result) - expected).abs() < CLOSE, "{result}");
    assert!(fraction(&result) <= expected, "it must not go too far");
    let end = [2.0 - 2.5 * expected, 0.8 - 0.9 * expected, 1.5 - 2.4 * expected];
    assert!(is_near(&numbers(&result["end"]["position"]), &end), "{result}");
    let contact = &result["contact"];
    assert_eq!(contact["kind"], "vf");
    assert_eq!(contact["world"]["body"], "back wall");
    assert_eq!(contact["tag"], "plaster");
    assert!(is_near(&numbers(&contact["normal"]), &[0.0, 0.0, 1.0]), "{contact}");
    assert!(numbers(&contact["point"])[2].abs() < CLOSE, "{contact}");
}

#[test]
fn a_beam_turns_until_its_ends_meet_the_walls() {
    let result = trace(&Folder::new("trace-corridor"), &[&scene("trace-corridor.toml")]);
    // Its corner is at height 1.5 sin a + 0.2 cos a over the middle line, and the walls at 1.
    let [long, wide] = [1.5, 0.2_f64];
    let angle = (1.0 / long.hypot(wide)).asin() - (wide / long).atan();
    assert!((fraction(&result) - angle / PI).abs() < CLOSE, "{result}");
    assert!(fraction(&result) <= angle / PI, "it must not turn too far");
    let rotation = [0.0, (angle / 2.0).sin(), 0.0, (angle / 2.0).cos()];
    assert!(is_near(&numbers(&result["end"]["rotation"]), &rotation), "{result}");
    assert!(is_near(&numbers(&result["end"]["position"]), &[0.0, 0.8, 0.0]), "{result}");
}

#[test]
fn a_player_passes_the_pillars_and_stops_at_the_ramp() {
    // The level without the walk, which crates/chasles-cli/tests/walk.rs looks at.
    let text = fs::read_to_string(scene("trace-level.toml")).expect("the scene exists");
    let level = text.split("[body.walk]").next().expect("a text has a beginning");
    let pushed = format!("{level}translate = [8, 0, 0]\n");
    let result = of_text(&Folder::new("trace-level"), &pushed, &[]);
    // The ramp has a height of 0.05, as the player's feet, where it has gone 24/7 of that.
    let expected = (5.0 - 0.3 + 0.05 * 24.0 / 7.0) / 8.0;
    assert!((fraction(&result) - expected).abs() < CLOSE, "{result}");
    let contact = &result["contact"];
    assert_eq!((&contact["kind"], &contact["tag"]), (&json!("vf"), &json!("wood")));
    assert_eq!(contact["world"]["body"], "ramp");
    assert!(is_near(&numbers(&contact["normal"]), &[-0.28, 0.96, 0.0]), "{contact}");
}

/// The fraction at which a segment enters a convex body: it is then behind all of its faces.
fn entry(body: &Fixed, from: DVec3, by: DVec3) -> Option<f64> {
    let [mut enter, mut leave] = [0.0_f64, 1.0_f64];
    for face in 0..body.mesh.face_count() as u32 {
        let normal = body.pose.vector(body.mesh.normal(face));
        let point = body.pose.point(body.mesh.position(body.mesh.face(face)[0]));
        let (height, rate) = (normal.dot(from - point), normal.dot(by));
        if rate < 0.0 {
            enter = enter.max(-height / rate);
        } else if rate > 0.0 {
            leave = leave.min(-height / rate);
        } else if height > 0.0 {
            return None;
        }
    }
    (enter <= leave).then_some(enter)
}

#[test]
fn every_spark_of_the_burst_stops_where_its_line_enters_the_level() {
    let path = scene("trace-burst.toml");
    let result = trace(&Folder::new("trace-burst"), &[&path]);
    let scene = TraceScene::load(path.as_ref()).expect("a scene");
    let traces = result["traces"].as_array().expect("a list");
    assert_eq!(traces.len(), scene.movers().len());
    let mut stopped = 0;
    for (trace, mover) in traces.iter().zip(scene.movers()) {
        assert_eq!(trace["body"], mover.name);
        let Journey::Shift(by) = mover.journey else { panic!("sparks do not turn") };
        let entries = scene.fixed().iter().map(|body| entry(body, mover.start.position(), by));
        let expected = entries.flatten().fold(1.0, f64::min);
        assert!((fraction(trace) - expected).abs() < CLOSE, "{trace} instead of {expected}");
        assert_eq!(trace["contact"].is_null(), expected == 1.0, "{trace}");
        stopped += u32::from(expected < 1.0);
    }
    assert!(stopped > 8 && (stopped as usize) < traces.len(), "{stopped} stopped");
}

/// The first half of `scenes/trace-burst.toml`; the sparks follow.
const BURST: &str = "\
# Sparks fly from one place in all directions: points against a level. Each is traced by itself.
# For `chasles trace`. Up is y. A test writes the sparks: CHASLES_WRITE=1 cargo test --test trace
title = \"A burst of sparks\"

[[body]]
name = \"floor\"
shape = { box = { size = [6, 0.2, 5] } }
start = { position = [0, -0.1, 0] }
tag = \"stone\"

[[body]]
name = \"wall\"
shape = { box = { size = [6, 2.4, 0.2] } }
start = { position = [0, 1.2, -1.6] }
tag = \"plaster\"

[[body]]
name = \"pillar\"
shape = { cylinder = { radius = 0.35, height = 2, segments = 24 } }
start = { position = [1.3, 1, 0] }
tag = \"marble\"

[[body]]
name = \"ramp\"
shape = { box = { size = [2, 0.4, 2] } }
start = { position = [-1.8, 0.3, 0.2], rotation = [0, 0, -1, 3] }
tag = \"wood\"
";

/// Directions that are spread evenly, from the top to the bottom.
fn burst() -> String {
    let sparks = 32;
    let golden = TAU * (1.0 - f64::sqrt(1.25) + 0.5);
    let mut text = BURST.to_string();
    for i in 0..sparks {
        let height = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(sparks);
        let around = (1.0 - height * height).sqrt();
        let (sine, cosine) = (golden * f64::from(i)).sin_cos();
        let [x, y, z] = [around * cosine, height, around * sine].map(|x| 2.2 * x);
        text += &format!(
            "\n[[body]]\nname = \"spark {i}\"\nmesh = \"meshes/point.obj\"\nmoving = true\n\
             start = {{ position = [0, 1, 0] }}\ntranslate = [{x:.2}, {y:.2}, {z:.2}]\n"
        );
    }
    text
}

/// `CHASLES_WRITE=1 cargo test -p chasles-cli --test trace` writes it anew.
#[test]
fn the_burst_is_spread_evenly() {
    let path = root().join("scenes/trace-burst.toml");
    if std::env::var_os("CHASLES_WRITE").is_some() {
        fs::write(&path, burst()).expect("the scenes can be written to");
    }
    assert!(fs::read_to_string(path).is_ok_and(|found| found == burst()), "other sparks");
}

/// The block in docs/trace.md, but for the time.
#[test]
fn the_lines_of_the_notes_are_printed() {
    let out = Folder::new("trace-lines").run(&["trace", &scene("trace-corner.toml")]).out;
    let page = fs::read_to_string(root().join("docs/trace.md")).expect("the page exists");
    let block = page.split("```text\n").find(|block| block.starts_with("A brick"));
    let block = block.and_then(|block| block.split("```").next()).expect("the page shows lines");
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.contains("took ")).map(String::from).collect()
    };
    assert_eq!(lines(block), lines(&out));
}

fn check_contact(contact: &Value) {
    assert_eq!(
        keys(contact),
        ["distance", "kind", "moving", "normal", "point", "tag", "world"],
        "{contact}"
    );
    let [moving, world] = match contact["kind"].as_str().expect("a kind") {
        "fv" => ["face", "vertex"],
        "vf" => ["vertex", "face"],
        "ee" => ["edge", "edge"],
        kind => panic!("{kind} is no kind"),
    };
    assert_eq!(keys(&contact["moving"]), [moving]);
    assert_eq!(keys(&contact["world"]), ["body", world]);
    assert_eq!(numbers(&contact["point"]).len(), 3);
    let length = numbers(&contact["normal"]).iter().map(|x| x * x).sum::<f64>();
    assert!((length - 1.0).abs() < 1e-12, "{contact}");
}

fn check_trace(trace: &Value, more: &[&str]) {
    let mut expected = vec!["contact", "end", "expel_zone", "fraction", "started_solid"];
    expected.extend(more);
    expected.sort_unstable();
    assert_eq!(keys(trace), expected);
    assert!((0.0..=1.0).contains(&fraction(trace)) && trace["started_solid"].is_boolean());
    assert!(trace["expel_zone"].as_f64().is_some_and(|zone| zone > 0.0), "{trace}");
    assert_eq!(keys(&trace["end"]), ["position", "rotation"]);
    assert_eq!(numbers(&trace["end"]["position"]).len(), 3);
    assert_eq!(numbers(&trace["end"]["rotation"]).len(), 4);
    if !trace["contact"].is_null() {
        check_contact(&trace["contact"]);
    }
}

#[test]
fn the_json_of_every_scene_has_the_fields_of_the_contract() {
    let folder = Folder::new("trace-contract");
    for path in trace_scenes() {
        let result = trace(&folder, &[&path.to_string_lossy()]);
        match result.get("traces") {
            None if result.get("moves").is_some() => check_trace(&result, &["moves"]),
            None => check_trace(&result, &[]),
            Some(traces) => {
                assert_eq!(keys(&result), ["title", "traces"]);
                for trace in traces.as_array().expect("a list") {
                    check_trace(trace, &["body"]);
                }
            }
        }
    }
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let folder = Folder::new("trace-same");
    for path in trace_scenes() {
        let run = || folder.run(&["trace", &path.to_string_lossy(), "--json", "-"]).out;
        assert_eq!(run(), run(), "{path:?}");
    }
}

#[test]
fn a_free_move_has_no_contact_and_ends_where_it_should() {
    let text = cube("start = { position = [0, 3, 0] }\ntranslate = [1, -1, 2]");
    let result = of_text(&Folder::new("trace-free"), &text, &[]);
    assert_eq!((fraction(&result), &result["contact"]), (1.0, &Value::Null));
    assert!(is_near(&numbers(&result["end"]["position"]), &[1.0, 2.0, 2.0]));
}

#[test]
fn a_body_that_starts_in_the_world_is_marked_and_does_not_move() {
    let folder = Folder::new("trace-solid");
    let text = cube("start = { position = [0, 0.2, 0] }\ntranslate = [0, 5, 0]");
    let result = of_text(&folder, &text, &[]);
    assert_eq!((fraction(&result), &result["started_solid"]), (0.0, &Value::Bool(true)));
    assert_eq!(result["contact"], Value::Null);
    assert_eq!(numbers(&result["end"]["position"]), [0.0, 0.2, 0.0]);
    let run = folder.run(&["trace", "scene.toml"]);
    assert_eq!(run.status, 0);
    assert!(run.out.contains("starts in the world (it crosses face"), "{}", run.out);
    let inside = cube("start = { position = [0, -1, 0] }\nscale = 0.1\ntranslate = [0, 5, 0]");
    assert_eq!(of_text(&folder, &inside, &[])["started_solid"], true);
}

#[test]
fn a_shift_and_a_turn_together_carry_the_axis_along() {
    let folder = Folder::new("trace-both");
    let motion =
        "translate = [3, 0, 0]\nrotate = { origin = [0, 2, 0], axis = [0, 0, 1], degrees = 90 }";
    let free = cube(&format!("start = {{ position = [1, 2, 0] }}\n{motion}"));
    let result = of_text(&folder, &free, &[]);
    assert_eq!(fraction(&result), 1.0);
    assert!(is_near(&numbers(&result["end"]["position"]), &[3.0, 3.0, 0.0]), "{result}");
    // About its own middle, a height of 0.6 above the floor: a corner meets it after 45 degrees at
    // the latest, and portions of a degree stop next to the true angle.
    let low = motion.replace("[0, 2, 0]", "[0, 0.6, 0]");
    let stopped = cube(&format!("start = {{ position = [0, 0.6, 0] }}\n{low}\nportions = 90"));
    let result = of_text(&folder, &stopped, &[]);
    // The corner is 0.5 (sin a + cos a) below the middle.
    let angle = (1.2 / 2.0_f64.sqrt()).asin() - PI / 4.0;
    let degrees = angle.to_degrees() / 90.0;
    assert!((fraction(&result) - degrees).abs() < 1.0 / 180.0, "{result}");
    assert_eq!(result["contact"]["world"]["body"], "floor");
}

#[test]
fn contacts_where_it_ends_are_listed_on_demand() {
    let folder = Folder::new("trace-contacts");
    let text = cube("start = { position = [0, 3, 0] }\ntranslate = [0, -5, 0]");
    let result = of_text(&folder, &text, &["--contacts", "0.001"]);
    check_trace(&result, &["contacts"]);
    let contacts = result["contacts"].as_array().expect("a list");
    contacts.iter().for_each(check_contact);
    assert_eq!(contacts.len(), 4, "the corners of the cube: {result}");
    let run = folder.run(&["trace", "scene.toml", "--contacts", "0.001"]);
    for phrase in ["cube stops at", "normal", "zone", "took", "4 contacts where it ends"] {
        assert!(run.out.contains(phrase), "{phrase:?} is not in\n{}", run.out);
    }
}

#[test]
fn the_thickness_is_that_asked_for_unless_rounding_needs_more() {
    let folder = Folder::new("trace-thickness");
    let text = cube("start = { position = [0, 3, 0] }\ntranslate = [0, -5, 0]");
    let zone = |more: &[&str]| of_text(&folder, &text, more);
    let thick = zone(&["--thickness", "0.01"]);
    assert_eq!(thick["expel_zone"], 0.01);
    assert!((fraction(&thick) - 2.49 / 5.0).abs() < CLOSE, "{thick}");
    let default = zone(&[])["expel_zone"].clone();
    assert_eq!(zone(&["--thickness", "1e-300"])["expel_zone"], default);
    for (wrong, phrase) in [("0", "above 0"), ("-1", "above 0"), ("nan", "above 0"), ("x", "not a")]
    {
        let run = folder.run(&["trace", "scene.toml", "--thickness", wrong]);
        assert!(run.status == 2 && run.err.contains(phrase), "{wrong}: {}", run.err);
    }
    let run = folder.run(&["trace", "scene.toml", "--contacts", "-1"]);
    assert!(run.status == 2 && run.err.contains("from 0 to 1e100"), "{}", run.err);
}

/// Keys of the cube, the place as `line:column`, and a phrase of the message.
const WRONG_CUBES: [(&str, &str, &str); 15] = [
    ("", "9:10", "has `moving = true`, but neither `translate` nor `rotate` nor `walk`"),
    ("translate = [0, nan, 0]", "10:17", "`body[1].translate[1]` is nan"),
    ("translate = [0, 0, -inf]", "10:20", "which is not finite"),
    ("translate = [0, 0]", "10:13", "invalid length 2, expected a vector"),
    (
        "rotate = { axis = [0, 0, 0], degrees = 9 }",
        "10:10",
        "has no length, so it has no direction",
    ),
    ("rotate = { axis = [0, 0, 1], degrees = inf }", "10:40", "which is not finite"),
    ("rotate = { axis = [0, 0, 1] }", "10:10", "missing key `degrees`"),
    ("rotate = { axis = [0, 0, 1], angle = 9 }", "10:30", "unknown key `angle`"),
    ("translate = [0, 1, 0]\nportions = 3", "11:12", "not both `translate` and `rotate`"),
    (
        "translate = [0, 1, 0]\nrotate = { axis = [0, 0, 1], degrees = 9 }\nportions = 0",
        "12:12",
        "cannot be cut into 0 portions",
    ),
    ("translate = [0, 1, 0]\ntag = 'a'", "11:7", "has both `moving = true` and `tag`"),
    ("translate = [0, 1, 0]\nend = {}", "11:7", "which belongs to a scene for `chasles collide`"),
    ("twist = {}", "10:9", "the body \"cube\" has `twist`, which belongs to a scene for"),
    ("translate = [0, 1, 0]\nself_collision = true", "11:18", "is rigid"),
    ("translate = [0, 1, 0]\nmoving = true", "11:1", "duplicate key"),
];

/// Whole scenes, the place and a phrase.
const WRONG_SCENES: [(&str, &str, &str); 9] = [
    ("", "1:1", "the scene has no bodies"),
    ("[[body]]\nshape = { box = {} }", "1:1", "no body of the scene has `moving = true`"),
    ("[[body]]\nshape = { box = {} }\nmoving = false", "1:1", "nothing to trace"),
    (
        "[[body]]\nshape = { box = {} }\nmoving = true\ntranslate = [1, 0, 0]",
        "1:1",
        "so there is no world",
    ),
    (
        "[[body]]\nshape = { box = {} }\ntranslate = [1, 0, 0]\n[[body]]\nmoving = true",
        "3:13",
        "has `translate`, but not `moving = true`",
    ),
    ("[[body]]\nmesh = 'empty.obj'\n[[body]]\nmoving = true", "2:8", "empty"),
    (
        "[[body]]\nmesh = 'flat.obj'\n[[body]]\nshape = { box = {} }\nmoving = true\ntranslate = [1, 0, 0]",
        "2:8",
        "the body \"body-0\" cannot be part of the world: face 0 has no area",
    ),
    (
        "[[body]]\nmesh = 'point.obj'\n[[body]]\nshape = { box = {} }\nmoving = true\ntranslate = [1, 0, 0]",
        "2:8",
        "a world is made of faces",
    ),
    (
        "[[body]]\nframes = ['flat.obj', 'flat.obj']\n[[body]]\nmoving = true",
        "2:10",
        "has `frames`, and bodies that deform cannot be traced",
    ),
];

#[test]
fn wrong_scenes_are_refused_with_their_place_and_advice() {
    let folder = Folder::new("trace-wrong");
    folder.write("empty.obj", "# nothing\n");
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    folder.write("point.obj", "v 0 0 0\np 1\n");
    let cubes = WRONG_CUBES.map(|(more, place, phrase)| (cube(more), place, phrase));
    let scenes = WRONG_SCENES.map(|(text, place, phrase)| (text.to_string(), place, phrase));
    for (text, place, phrase) in cubes.into_iter().chain(scenes) {
        folder.write("bad.toml", &text);
        let run = folder.run(&["trace", "bad.toml", "--json", "out.json", "--picture", "out.png"]);
        assert_eq!(run.status, 2, "{text}\n{}", run.err);
        assert!(run.err.contains(phrase), "{phrase:?} is not said of\n{text}\n{}", run.err);
        let place = format!("bad.toml:{place}]");
        assert!(run.err.contains(&place), "{place:?} is not named for\n{text}\n{}", run.err);
        assert!(run.err.contains("help:"), "{}", run.err);
        assert!(run.out.is_empty(), "{}", run.out);
        assert_eq!(folder.names(), ["bad.toml", "empty.obj", "flat.obj", "point.obj"]);
    }
}

#[test]
fn a_scene_for_the_other_command_is_refused_with_advice() {
    let folder = Folder::new("trace-other");
    folder.write("cubes.toml", CUBES);
    let run = folder.run(&["trace", "cubes.toml"]);
    assert_eq!(run.status, 2);
    for phrase in ["no body of the scene has `moving = true`", "chasles collide"] {
        assert!(run.err.contains(phrase), "{phrase:?} is not in\n{}", run.err);
    }
    for path in trace_scenes() {
        let run = folder.run(&["collide", &path.to_string_lossy()]);
        assert_eq!(run.status, 2);
        assert!(run.err.contains("which belongs to a scene for `chasles trace`"), "{}", run.err);
        assert!(run.err.contains("run `chasles trace` on this scene"), "{}", run.err);
    }
}

/// The corners of the face are not in one plane: it is split, and keeps its number.
#[test]
fn faces_of_the_world_need_not_be_flat() {
    let folder = Folder::new("trace-bent");
    folder.write("bent.obj", "v -2 0 -2\nv -2 1 2\nv 2 0 2\nv 2 1 -2\nf 1 2 3 4\n");
    let scene = "[[body]]\nmesh = 'bent.obj'\n[[body]]\nshape = { box = { size = [0.2, 0.2, 0.2] } }\n\
                 moving = true\nstart = { position = [0, 4, 0] }\ntranslate = [0, -8, 0]\n";
    folder.write("scene.toml", scene);
    let run = folder.run(&["trace", "scene.toml", "--json", "-"]);
    assert!(run.status == 0 && run.err.contains("the mesh of body-0 is open"), "{}", run.err);
    let result: Value = serde_json::from_str(&run.out).expect("one JSON document");
    assert!(fraction(&result) > 0.3 && fraction(&result) < 0.5, "{result}");
    assert_eq!(result["contact"]["world"]["body"], "body-0");
}

#[test]
fn a_picture_is_drawn_of_every_scene() {
    let folder = Folder::new("trace-pictures");
    for path in trace_scenes() {
        let path = path.to_string_lossy();
        let run = folder.run(&["trace", &path, "--picture", "a.png", "--picture", "a.png"]);
        assert_eq!(run.status, 2, "an option is given once");
        let run = folder.run(&["trace", &path, "--picture", "a.png", "--quiet"]);
        assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "", ""));
        let run = folder.run(&["trace", &path, "--picture", "a.svg", "--json", "a.json"]);
        assert_eq!(run.status, 0, "{}", run.err);
        let [png, svg] = ["a.png", "a.svg"].map(|name| fs::read(folder.path().join(name)));
        assert!(png.expect("a picture").starts_with(b"\x89PNG"));
        let svg = String::from_utf8(svg.expect("a picture")).expect("text");
        assert!(svg.contains("faint: the start") && svg.contains("world"), "{svg:.300}");
        let json = fs::read_to_string(folder.path().join("a.json")).expect("results");
        assert!(serde_json::from_str::<Value>(&json).is_ok());
    }
}
