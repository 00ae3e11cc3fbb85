//! What `start` and `end` of a body say: degrees count literally, and what is left out is
//! inherited.

mod common;

use std::f64::consts::PI;

use common::Folder;
use serde_json::Value;

/// A blade of length 2 along x, and a post beside it: the blade reaches the post at 80 degrees.
fn scene(start: &str, end: &str) -> String {
    format!(
        "[[body]]\nname = 'post'\nshape = {{ box = {{ size = [0.01, 0.01, 4] }} }}\n\
         start = {{ position = [0.1736481776669303, 0.984807753012208, 0] }}\n[[body]]\n\
         name = 'blade'\nshape = {{ box = {{ size = [2.4, 0.002, 0.5] }} }}\n{start}\n{end}\n"
    )
}

fn collide(folder: &Folder, text: &str) -> Value {
    folder.write("scene.toml", text);
    let run = folder.run(&["collide", "scene.toml", "--json", "-"]);
    assert_eq!(run.status, 0, "{}", run.err);
    serde_json::from_str(&run.out).expect("JSON")
}

/// The whole turn of the pair in degrees, with its sign about z.
fn turn(found: &Value) -> f64 {
    let pair = &found["pairs"][0];
    let screws = pair["screws"].as_array().cloned().unwrap_or(vec![pair["screw"].clone()]);
    let angle = |screw: &Value| {
        screw["angle"].as_f64().expect("an angle")
            * screw["axis_direction"][2].as_f64().expect("a number").round()
    };
    screws.iter().map(angle).sum::<f64>().to_degrees()
}

fn axis(axis: &str, degrees: f64) -> String {
    format!("{{ rotation = {{ axis = {axis}, degrees = {degrees} }} }}")
}

#[test]
fn degrees_about_one_axis_count_literally() {
    let folder = Folder::new("turns-literal");
    let z = "[0, 0, 1]";
    let cases = [
        (Some((z, 40.0)), (z, 400.0), 360.0),
        (None, (z, 270.0), 270.0),
        (None, (z, -270.0), -270.0),
        (None, (z, 180.0), 180.0),
        (None, (z, -180.0), -180.0),
        (Some((z, 350.0)), (z, 10.0), -340.0),
        (Some((z, -30.0)), ("[0, 0, 0.3]", 700.0), 730.0),
        // The same line the other way round.
        (Some((z, 40.0)), ("[0, 0, -2]", 320.0), -360.0),
        (Some(("[1, 0, 0]", 0.0)), (z, 300.0), 300.0),
        (Some((z, 20.0)), (z, 60.0), 40.0),
        // No degrees are a number of them as well.
        (Some((z, 0.0)), (z, 270.0), 270.0),
        (Some((z, 270.0)), (z, 0.0), -270.0),
        (Some((z, 400.0)), (z, 0.0), -400.0),
        (Some((z, -200.0)), ("[0, 0, -1]", 0.0), 200.0),
        // About another axis they are no turn, and the way there is the shorter one.
        (Some((z, 270.0)), ("[1, 0, 0]", 0.0), 90.0),
    ];
    for (start, end, expected) in cases {
        let start = start.map_or(String::new(), |(a, d)| format!("start = {}", axis(a, d)));
        let text = scene(&start, &format!("end = {}", axis(end.0, end.1)));
        let found = collide(&folder, &text);
        let turned = turn(&found);
        assert!((turned - expected).abs() < 1e-9, "{text} turns by {turned}, not {expected}");
    }
    // 270 degrees pass the post at 80, and the other end of the blade passes it at 260.
    let found = collide(&folder, &scene("", &format!("end = {}", axis(z, 270.0))));
    let times: Vec<f64> = found["pairs"][0]["contacts"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|contact| contact["time"].as_f64().expect("a time"))
        .collect();
    for passes in [80.0 / 270.0, 260.0 / 270.0] {
        let near = times.iter().any(|time| (time - passes).abs() < 0.005);
        assert!(near, "nothing at {passes}: {times:?}");
    }
    assert!(times.iter().all(|time| *time > 0.28), "{times:?}");
}

#[test]
fn between_different_axes_the_shorter_turn_is_taken_and_more_is_refused() {
    let folder = Folder::new("turns-shorter");
    let start = format!("start = {}", axis("[1, 0, 0]", 90.0));
    let found = collide(&folder, &scene(&start, &format!("end = {}", axis("[0, 0, 1]", 90.0))));
    let angle = found["pairs"][0]["screw"]["angle"].as_f64().expect("an angle");
    assert!((angle - 2.0 * PI / 3.0).abs() < 1e-12, "{angle}");
    let quaternion = "start = { rotation = [0, 0, 1, 1] }";
    for start in [&start, quaternion] {
        let text = scene(start, &format!("end = {}", axis("[0, 0, 1]", 270.0)));
        folder.write("bad.toml", text);
        let run = folder.run(&["collide", "bad.toml"]);
        assert_eq!(run.status, 2, "{}", run.out);
        for phrase in ["bad.toml:9:20", "turns by 270 degrees", "`start`", "`twist ="] {
            assert!(run.err.contains(phrase), "{phrase:?} is not in {}", run.err);
        }
    }
    // A quaternion that turns nothing is no rotation.
    let none = "start = { rotation = [0, 0, 0, 2] }";
    let found = collide(&folder, &scene(none, &format!("end = {}", axis("[0, 0, 1]", 270.0))));
    assert!((turn(&found) - 270.0).abs() < 1e-9);
}

/// Where the body is at the end, from the film.
fn end_of_blade(folder: &Folder, start: &str, end: &str) -> (Vec<f64>, f64) {
    let text = format!(
        "[[body]]\nname = 'ball'\nshape = {{ box = {{}} }}\nstart = {{ position = [9, 9, 9] }}\n\
         [[body]]\nshape = {{ box = {{}} }}\n{start}\n{end}\n"
    );
    let found = collide(folder, &text);
    let screw = &found["pairs"][0]["screw"];
    let direction: Vec<f64> = (0..3)
        .map(|i| screw["axis_direction"][i].as_f64().expect("a number"))
        .map(|x| x * screw["translation"].as_f64().expect("a number"))
        .collect();
    (direction, screw["angle"].as_f64().expect("an angle"))
}

#[test]
fn what_an_end_leaves_out_is_as_at_the_start() {
    let folder = Folder::new("turns-inherited");
    let start = "start = { position = [1, 2, 3], rotation = { axis = [1, 2, 2], degrees = 77 } }";
    let (shift, angle) = end_of_blade(&folder, start, "end = { position = [4, 2, 3] }");
    assert!(angle < 1e-14, "an end without rotation turned the body by {angle}");
    assert!((shift[0] - 3.0).abs() < 1e-14 && shift[1..].iter().all(|x| x.abs() < 1e-14));
    let end = "end = { rotation = { axis = [1, 2, 2], degrees = 107 } }";
    let (shift, angle) = end_of_blade(&folder, start, end);
    assert!((angle - PI / 6.0).abs() < 1e-13, "{angle}");
    assert!(shift.iter().all(|x| x.abs() < 1e-14), "an end without position moved it: {shift:?}");
    let (shift, angle) = end_of_blade(&folder, start, "end = {}");
    assert!(angle < 1e-14 && shift.iter().all(|x| x.abs() < 1e-14));
}

#[test]
fn a_long_turn_with_a_shift_goes_straight() {
    let folder = Folder::new("turns-flight");
    let by_end = "[[body]]\nname = 'floor'\nshape = { plane = { size = [20, 20] } }\n[[body]]\n\
                  shape = { box = { size = [2, 0.5, 0.5] } }\nstart = { position = [0, 3, 0] }\n\
                  end = { position = [0, -1, 0], rotation = { axis = [0, 0, 1], degrees = 720 } }\n";
    let by_flight = by_end.replace(
        "end = { position = [0, -1, 0], rotation = { axis = [0, 0, 1], degrees = 720 } }",
        "flight = { linear = [0, -4, 0], angular = [0, 0, 12.566370614359172] }",
    );
    let [end, flight] = [by_end, &by_flight].map(|text| collide(&folder, text));
    assert_eq!(end, flight);
    assert!(!end["pairs"][0]["contacts"].as_array().expect("a list").is_empty());
}

/// The rotations of a body about y in a trajectory, in degrees from one line to the next.
fn turns_in_simulation(folder: &Folder, keyframes: &str) -> Vec<f64> {
    let text = format!(
        "[world]\nseconds = 1\ndt = 0.05\n[[body]]\nkind = 'kinematic'\nshape = {{ box = {{}} }}\n\
         keyframes = [{keyframes}]\n\
         [[body]]\nshape = {{ box = {{}} }}\nstart = {{ position = [50, 50, 50] }}\n"
    );
    folder.write("scene.toml", text);
    let run = folder.run(&["simulate", "scene.toml", "--trajectory", "out.jsonl"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let lines = std::fs::read_to_string(folder.path().join("out.jsonl")).expect("a trajectory");
    let angle = |line: &str| {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let q = |i: usize| value["bodies"][0]["rotation"][i].as_f64().expect("a number");
        2.0 * q(1).atan2(q(3)).to_degrees()
    };
    let angles: Vec<f64> = lines.lines().map(angle).collect();
    let step = |pair: &[f64]| (pair[1] - pair[0] + 540.0).rem_euclid(360.0) - 180.0;
    angles.windows(2).map(step).collect()
}

#[test]
fn keyframes_turn_literally_and_inherit_too() {
    let folder = Folder::new("turns-keyframes");
    let turned = "rotation = { axis = [0, 1, 0], degrees = ";
    let steps = turns_in_simulation(
        &folder,
        &format!("{{ time = 0, {turned}40 }} }}, {{ time = 1, {turned}400 }} }}"),
    );
    assert!((steps.iter().sum::<f64>() - 360.0).abs() < 1e-6, "{steps:?}");
    assert!(steps.iter().all(|step| (step - 18.0).abs() < 1e-6), "{steps:?}");
    let there_and_back = format!(
        "{{ time = 0, {turned}0 }} }}, {{ time = 0.5, {turned}270 }} }}, {{ time = 1, {turned}0 }} }}"
    );
    let steps = turns_in_simulation(&folder, &there_and_back);
    let (there, back) = steps.split_at(steps.len() / 2);
    assert!((there.iter().sum::<f64>() - 270.0).abs() < 1e-6, "{steps:?}");
    assert!((back.iter().sum::<f64>() + 270.0).abs() < 1e-6, "{steps:?}");
    let steps = turns_in_simulation(
        &folder,
        &format!("{{ time = 0, {turned}40 }} }}, {{ time = 1, position = [1, 0, 0] }}"),
    );
    assert!(steps.iter().all(|step| step.abs() < 1e-9), "{steps:?}");
    let text = "[[body]]\nkind = 'kinematic'\nshape = { box = {} }\nkeyframes = [\n\
                { time = 0, rotation = { axis = [1, 0, 0], degrees = 10 } },\n\
                { time = 1, rotation = { axis = [0, 1, 0], degrees = 200 } }]\n\
                [[body]]\nshape = { box = {} }\nstart = { position = [50, 50, 50] }\n";
    folder.write("bad.toml", text);
    let run = folder.run(&["simulate", "bad.toml"]);
    assert!(run.status == 2 && run.err.contains("a keyframe turns by 200"), "{}", run.err);
}
