//! Meshes that are inside out are turned by every command, which says so.

mod common;

use common::Folder;
use serde_json::Value;

/// A pyramid on a square; `over` turns its faces.
fn pyramid(over: bool, shift: f64) -> String {
    let corners = [[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]];
    let mut text = String::new();
    for [x, y, z] in corners {
        text += &format!("v {} {y} {z}\n", f64::from(x) + shift);
    }
    text += &format!("v {} 1.5 0.2\n", 0.1 + shift);
    for face in [vec![1, 2, 3, 4], vec![2, 1, 5], vec![3, 2, 5], vec![4, 3, 5], vec![1, 4, 5]] {
        let mut face: Vec<i32> = face;
        if over {
            face.reverse();
        }
        let words: Vec<String> = face.iter().map(i32::to_string).collect();
        text += &format!("f {}\n", words.join(" "));
    }
    text
}

const STEP: &str = r#"
[[body]]
name = "cube"
shape = { box = { size = [4, 1, 4] } }

[[body]]
name = "horse"
mesh = "horse.obj"
start = { position = [0.2, 3, 0.1], rotation = { axis = [1, 0, 1], degrees = 200 } }
end = { position = [0.3, -1, 0.2], rotation = { axis = [1, 0, 1], degrees = 215 } }
"#;

const TRACE: &str = r#"
[[body]]
name = "horse"
mesh = "horse.obj"

[[body]]
name = "cube"
shape = { box = {} }
moving = true
start = { position = [0.1, 4, 0.1] }
translate = [0, -6, 0]
"#;

const FALL: &str = r#"
[[body]]
name = "floor"
shape = { box = { size = [9, 1, 9] } }
kind = "static"

[[body]]
name = "horse"
mesh = "horse.obj"
density = 100
start = { position = [0, 1, 0] }
"#;

const WARNING: &str = "the mesh of horse is inside out: its faces are turned over";

/// A folder with the mesh one way or the other.
fn folder(name: &str, over: bool) -> Folder {
    let folder = Folder::new(&format!("{name}-{over}"));
    folder.write("horse.obj", pyramid(over, 0.0));
    folder.write("step.toml", STEP);
    folder.write("trace.toml", TRACE);
    folder.write("fall.toml", FALL);
    folder
}

fn json(folder: &Folder, arguments: &[&str], warning: Option<&str>) -> Value {
    let run = folder.run(&[arguments, &["--json", "-"]].concat());
    let expected = warning.map_or(String::new(), |warning| format!("warning: {warning}\n"));
    assert_eq!((run.status, run.err), (0, expected), "{arguments:?}");
    let value: Value = serde_json::from_str(&run.out).expect("JSON");
    match warning {
        Some(warning) => assert_eq!(value["warnings"], serde_json::json!([warning])),
        None => {
            let warnings = value.get("warnings").and_then(Value::as_array);
            assert!(warnings.is_none_or(Vec::is_empty), "{arguments:?}");
        }
    }
    value
}

/// The same but for warnings and what depends on the clock.
fn both(name: &str, arguments: &[&str]) -> [Value; 2] {
    let [right, turned] = [false, true].map(|over| folder(name, over));
    [json(&right, arguments, None), json(&turned, arguments, Some(WARNING))]
}

#[test]
fn collide_finds_what_it_finds_of_a_mesh_that_was_never_inside_out() {
    for options in [&["--facing"][..], &["--first"], &["--touchable"], &["--method", "screen"]] {
        let values = both("collide", &[&["collide", "step.toml"], options].concat());
        let [right, turned] = values.map(|value| value["pairs"][0]["contacts"].clone());
        let [right, turned] = [&right, &turned].map(|list| list.as_array().expect("a list"));
        assert!(!right.is_empty() && right.len() == turned.len(), "{options:?}");
        for (right, turned) in right.iter().zip(turned) {
            for key in ["kind", "a", "b", "touchable", "grazing"] {
                assert_eq!(right[key], turned[key], "{options:?} {key}");
            }
            let [p, q] = [right, turned].map(|c| c["time"].as_f64().expect("a number"));
            assert!((p - q).abs() < 1e-9, "{options:?}");
        }
    }
}

/// A ball of rings; the vertex farthest to the left is at `x`.
fn ball(x: f64) -> String {
    let (around, down) = (24, 12);
    let mut text = String::from("v 0 1 0\nv 0 -1 0\n");
    for (i, j) in (1..down).flat_map(|j| (0..around).map(move |i| (i, j))) {
        let [turn, tilt] = [2 * i, j].map(f64::from);
        let [turn, tilt] = [turn / f64::from(around), tilt / f64::from(down)]
            .map(|share| std::f64::consts::PI * share);
        let is_left = 2 * i == around && 2 * j == down;
        let along = if is_left { x } else { turn.cos() * tilt.sin() };
        text += &format!("v {along} {} {}\n", tilt.cos(), turn.sin() * tilt.sin());
    }
    let number = |i: i32, j: i32| match j {
        0 => 1,
        j if j == down => 2,
        j => 3 + (j - 1) * around + i % around,
    };
    for (i, j) in (0..down).flat_map(|j| (0..around).map(move |i| (i, j))) {
        let corners = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        for [a, b, c] in [[0, 1, 2], [0, 2, 3]].map(|t| t.map(|k: usize| corners[k])) {
            if a != b && b != c && c != a {
                text += &format!("f {a} {b} {c}\n");
            }
        }
    }
    text
}

/// A vertex that is pulled through the ball and far away makes the volume negative; all faces but
/// those at it look outwards.
#[test]
fn one_vertex_astray_does_not_turn_a_mesh() {
    let folder = folder("astray", false);
    let facing = |x: f64, warning: Option<&str>| {
        folder.write("horse.obj", ball(x));
        let value = json(&folder, &["collide", "step.toml", "--facing"], warning);
        value["pairs"][0]["contacts"].as_array().expect("a list").len()
    };
    let sound = facing(-1.0, None);
    assert!(sound > 10, "{sound}");
    let doubtful = "the mesh of horse goes through itself at the part of face 0: its volume and \
        most of its faces disagree about the outside, and it is left as it is";
    assert!(facing(1000.0, Some(doubtful)) >= sound / 2);
    let run = folder.run(&["inspect", "horse.obj", "--json", "-"]);
    let value: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(value["doubtful_components"]["first"], serde_json::json!([0]));
    assert_eq!(value["inside_out_components"]["total"], 0);
}

#[test]
fn facing_has_the_first_contact() {
    let folder = folder("first", true);
    let time = |option: &str| {
        let value = json(&folder, &["collide", "step.toml", option], Some(WARNING));
        value["pairs"][0]["contacts"][0]["time"].as_f64().expect("a contact")
    };
    assert!((time("--facing") - time("--first")).abs() < 1e-12);
}

#[test]
fn compare_trace_and_simulate_turn_it_too() {
    let [right, turned] = both("compare", &["compare", "step.toml", "--repeat", "1"]);
    let lists = [&right, &turned].map(|value| value["methods"].as_array().expect("a list"));
    assert!(lists[0].len() == 3 && lists[1].len() == 3, "{right} {turned}");
    for (right, turned) in lists[0].iter().zip(lists[1]) {
        assert!(right["contacts"].as_u64().expect("a number") > 0, "{right}");
        assert_eq!(right["contacts"], turned["contacts"]);
        assert_eq!(right["missed"], turned["missed"]);
    }
    let [right, turned] = both("trace", &["trace", "trace.toml"]);
    let [p, q] = [right, turned].map(|value| value["fraction"].as_f64().expect("a number"));
    assert!((p - q).abs() < 1e-9 && p < 1.0, "{p} {q}");
    let [right, turned] = both("simulate", &["simulate", "fall.toml", "--seconds", "0.5"]);
    assert_eq!(right["bodies"], turned["bodies"]);
    let [p, q] =
        [right, turned].map(|v| v["energy"]["end"]["potential"].as_f64().unwrap_or(f64::NAN));
    assert!((p - q).abs() < 1e-6 * p.abs(), "{p} {q}");
}

#[test]
fn field_warns_and_inspect_lists_it() {
    let folder = folder("field", true);
    let run = folder.run(&["field", "horse.obj", "-o", "horse.sdf", "--cells", "8"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.starts_with("warning: horse.obj is inside out"), "{}", run.err);
    let run = folder.run(&["inspect", "horse.obj", "--json", "-"]);
    let value: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(value["inside_out_components"]["first"], serde_json::json!([0]));
}

#[test]
fn a_part_of_several_is_turned_and_a_cavity_is_not() {
    let folder = folder("parts", false);
    let far = |text: &str| {
        let shifted = |word: &str| word.parse::<i32>().map_or(word.into(), |v| (v + 5).to_string());
        let line = |line: &str| match line.strip_prefix("f ") {
            Some(face) => {
                format!("f {}\n", face.split(' ').map(shifted).collect::<Vec<_>>().join(" "))
            }
            None => format!("{line}\n"),
        };
        text.lines().map(line).collect::<String>()
    };
    let two = pyramid(false, 0.0) + &far(&pyramid(true, 5.0));
    folder.write("horse.obj", &two);
    let part =
        "a part of the mesh of horse, that of face 5, is inside out: its faces are turned over";
    json(&folder, &["collide", "step.toml"], Some(part));
    // The same, smaller and within the first.
    let small: String = far(&pyramid(true, 0.0))
        .lines()
        .map(|line| match line.strip_prefix("v ") {
            Some(place) => {
                let place: Vec<f64> =
                    place.split(' ').map(|x| x.parse().expect("a number")).collect();
                format!("v {} {} {}\n", 0.3 * place[0], 0.3 * place[1] + 0.1, 0.3 * place[2])
            }
            None => format!("{line}\n"),
        })
        .collect();
    folder.write("horse.obj", pyramid(false, 0.0) + &small);
    json(&folder, &["collide", "step.toml"], None);
}
