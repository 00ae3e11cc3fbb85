//! `collide --method path`: solids, fields and formulas in scenes.

mod common;

use std::fs;

use common::solids::{CUBE, CUBE_OBJ, PATH, refusal};
use common::{Folder, command, path_scenes, root};
use serde_json::{Value, json};

/// The contacts of a scene of a body and the cube.
fn with_cube(folder: &Folder, body: &str, more: &[&str]) -> Value {
    folder.write("scene.toml", format!("[[body]]\nname = \"solid\"\n{body}\n\n{CUBE}"));
    collide(folder, &[&["scene.toml"], more].concat())
}

fn collide(folder: &Folder, arguments: &[&str]) -> Value {
    let run = folder.run(&[&["collide"], arguments, &["--method", "path", "--json", "-"]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&run.out).expect("standard output is one JSON document")
}

fn contacts(results: &Value) -> &Vec<Value> {
    results["pairs"][0]["contacts"].as_array().expect("a list")
}

fn first_time(results: &Value) -> f64 {
    contacts(results)[0]["time"].as_f64().expect("a number")
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> =
        value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// Its lower corners are at height 0 half of the way down, and its upper ones at three quarters.
#[test]
fn a_cube_falls_on_a_half_space_in_time() {
    let folder = Folder::new("path-fall");
    for precision in [1e-3, 1e-6, 1e-10] {
        let option = precision.to_string();
        let options = ["--cover", "inf", "--precision", &option];
        let found = with_cube(&folder, "solid = { half_space = {} }", &options);
        assert_eq!(contacts(&found).len(), 8);
        for (i, contact) in contacts(&found).iter().enumerate() {
            let time = contact["time"].as_f64().expect("a number");
            let early = if i < 4 { 0.5 - time } else { 0.75 - time };
            assert!((0.0..=precision / 4.0).contains(&early), "{time} to {precision}");
            assert_eq!(contact["kind"], "sp");
            assert_eq!(contact["a"], json!({ "solid": true }));
            assert!(contact["b"]["vertex"].is_u64() && keys(&contact["b"]).len() == 1);
            assert_eq!(contact["normal"], json!([0.0, 1.0, 0.0]));
            assert_eq!(contact["normal_speed"], -4.0);
        }
    }
}

/// What is asked for below rounding is answered to rounding: no corner comes and goes.
#[test]
fn a_precision_below_rounding_repeats_no_contact() {
    let folder = Folder::new("path-fine");
    for scene in ["soup.toml", "housing.toml", "cubes.toml"] {
        let scene = root().join("scenes").join(scene);
        let scene = scene.to_string_lossy();
        let vertices = [&*scene, "--cover", "inf"];
        let usual = contacts(&collide(&folder, &vertices)).len();
        for precision in ["1e-13", "1e-14", "1e-30"] {
            let fine = collide(&folder, &[&vertices[..], &["--precision", precision]].concat());
            assert_eq!(contacts(&fine).len(), usual, "{scene} {precision}");
            assert!(contacts(&fine).iter().all(|c| c["grazing"] == false), "{scene} {precision}");
        }
    }
    let spin = CUBE.replace("end = ", "twist = { angular = [0, 0, 30] }\n# ");
    folder.write("spin.toml", format!("[[body]]\nsolid = {{ half_space = {{}} }}\n{spin}"));
    collide(&folder, &["spin.toml", "--segments", "--precision", "1e-30", "--cover", "0.1"]);
}

/// The cube comes down by 4 in the step; each solid has its top at the height in the list.
#[test]
fn every_solid_stops_the_cube_at_its_top() {
    let folder = Folder::new("path-solids");
    folder.write("cube.obj", CUBE_OBJ);
    let flat = "{ box = { size = [4, 2, 4] } }";
    for (solid, top, cover) in [
        (flat.to_string(), 1.0, None),
        ("{ box = {} }".to_string(), 0.5, None),
        ("{ sphere = { radius = 1 } }".to_string(), 1.0, Some(0.05)),
        ("{ sphere = { radius = 1, center = [0.5, 0.5, 0.5] } }".to_string(), 1.5, None),
        (
            "{ capsule = { from = [-2, 0, 0.5], to = [2, 0, 0.5], radius = 0.25 } }".into(),
            0.25,
            None,
        ),
        ("{ cylinder = { radius = 2, height = 1.5 } }".to_string(), 0.75, None),
        (
            "{ transformed = { solid = { cone = { height = 2 } }, position = [0.5, 0, 0.5] } }"
                .into(),
            1.0,
            None,
        ),
        (
            "{ transformed = { solid = { torus = {} }, position = [-0.5, 0, 0.5] } }".into(),
            0.3,
            None,
        ),
        ("{ half_space = { normal = [0, 3, 0], offset = -0.25 } }".to_string(), -0.25, None),
        (
            "{ heights = { rows = [[1, 1], [1, 1]], origin = [-2, -2], spacing = 4, floor = -1 } }"
                .into(),
            1.0,
            None,
        ),
        (format!("{{ union = [{flat}, {{ sphere = {{}} }}] }}"), 1.0, None),
        (format!("{{ intersection = [{flat}, {{ half_space = {{}} }}] }}"), 0.0, None),
        (
            format!(
                "{{ difference = {{ from = {flat}, minus = [{{ transformed = {{ solid = {flat}, position = [0, 1.25, 0] }} }}] }} }}"
            ),
            0.25,
            None,
        ),
        (format!("{{ offset = {{ solid = {flat}, by = 0.125 }} }}"), 1.125, None),
        (format!("{{ offset = {{ solid = {flat}, by = -0.125 }} }}"), 0.875, None),
        (
            format!(
                "{{ transformed = {{ solid = {flat}, scale = 0.5, position = [0, 0.25, 0] }} }}"
            ),
            0.75,
            None,
        ),
        (
            format!(
                "{{ transformed = {{ solid = {flat}, rotation = {{ axis = [0, 0, 1], degrees = 90 }} }} }}"
            ),
            2.0,
            None,
        ),
        ("{ mesh = \"cube.obj\" }".to_string(), 1.5, None),
        ("{ expression = \"y - 0.5\" }".to_string(), 0.5, None),
        (
            "{ expression = \"y - 0.5\", bounds = [[-9, -9, -9], [9, 0.25, 9]] }".to_string(),
            0.25,
            None,
        ),
    ] {
        let cover =
            cover.map_or_else(Vec::new, |c: f64| vec!["--cover".to_string(), c.to_string()]);
        let more: Vec<&str> = cover.iter().map(String::as_str).collect();
        let found = with_cube(&folder, &format!("solid = {solid}"), &more);
        let time = (2.0 - top) / 4.0;
        let error = time - first_time(&found);
        let allowed = if cover.is_empty() { 1e-6 } else { 1e-2 };
        assert!(error.abs() <= allowed, "{solid}: {error}");
    }
}

#[test]
fn fields_and_formulas_may_be_bodies_themselves() {
    let folder = Folder::new("path-bodies");
    folder.write("cube.obj", CUBE_OBJ);
    let run = folder.run(&["field", "cube.obj", "--cells", "30", "--output", "cube.sdf"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(run.out.contains("cells") && run.out.contains("error"), "{}", run.out);
    let from_file = with_cube(&folder, "sdf = \"cube.sdf\"", &[]);
    let sampled = with_cube(&folder, "sdf = { mesh = \"cube.obj\", cells = 30 }", &[]);
    assert_eq!(from_file, sampled);
    // A cell is 0.1, and a field is known to less than that next to its surface.
    let early = 0.125 - first_time(&sampled);
    assert!((0.0..0.2 / 4.0).contains(&early), "{early}");
    let formula = with_cube(&folder, "expression = \"y + sqrt(max(0, x)) * 0\"\nscale = 2", &[]);
    assert!((first_time(&formula) - 0.5).abs() < 1e-6);
    let scaled = with_cube(&folder, "solid = { box = { size = [4, 1, 4] } }\nscale = 3", &[]);
    assert!((first_time(&scaled) - 0.125).abs() < 1e-6);
}

/// A cone on its apex: its edges rise by 1 for each 0.2 aside, however the cone is turned.
#[test]
fn properness_is_that_of_the_body_as_it_is_turned() {
    let folder = Folder::new("path-properness");
    let turned = "rotation = { axis = [1, 0, 0], degrees = 180 }";
    let scene = format!(
        "[[body]]\nsolid = {{ half_space = {{}} }}\n[[body]]\n\
         shape = {{ cone = {{ radius = 0.2, segments = 8 }} }}\n\
         start = {{ position = [0, 1, 0], {turned} }}\nend = {{ position = [0, 0, 0], {turned} }}\n"
    );
    for (name, scene) in [("ab.toml", scene.clone()), ("ba.toml", swapped(&scene))] {
        folder.write(name, scene);
        let found = collide(&folder, &[name, "--first"]);
        let properness = contacts(&found)[0]["properness"].as_f64().expect("a number");
        assert!((properness - 1.0 / 1.04f64.sqrt()).abs() < 1e-9, "{name}: {properness}");
        assert!((first_time(&found) - 0.5).abs() < 1e-6);
    }
}

/// The two bodies of a scene in the other order.
fn swapped(scene: &str) -> String {
    let bodies: Vec<&str> = scene.split("[[body]]\n").skip(1).collect();
    bodies.iter().rev().map(|body| format!("[[body]]\n{body}")).collect()
}

/// Both are polyhedra: samples of each against the other.
#[test]
fn two_meshes_are_asked_both_ways() {
    let folder = Folder::new("path-meshes");
    let body = "shape = { box = { size = [0.5, 0.5, 0.5] } }";
    let found = with_cube(&folder, body, &["--cover", "0.1", "--precision", "1e-9"]);
    assert!((first_time(&found) - 1.75 / 4.0).abs() < 1e-9);
    let kinds = contacts(&found).iter().map(|c| c["kind"].as_str().expect("a kind"));
    let mut kinds: Vec<&str> = kinds.collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, ["ps", "sp"]);
    assert!(contacts(&found).iter().any(|c| keys(&c["a"]) == ["edge", "sample"]));
    assert!(contacts(&found).iter().any(|c| keys(&c["b"]) == ["face", "sample"]));
}

#[test]
fn the_json_states_how_contacts_were_found() {
    let folder = Folder::new("path-json");
    let solid = "solid = { half_space = {} }";
    let found = with_cube(&folder, solid, &[]);
    let expected = ["cover", "method", "pairs", "parts", "precision", "segments", "title"];
    assert_eq!(keys(&found), expected);
    assert_eq!([&found["method"], &found["precision"]], [&json!("path"), &json!(1e-6)]);
    assert_eq!([&found["cover"], &found["segments"]], [&json!("usual"), &json!(false)]);
    let pair = &found["pairs"][0];
    let expected = ["departure", "missed_depth", "parts", "samples", "screw", "undecided"];
    assert_eq!(keys(pair), [&["a", "b", "contacts"], &expected[..]].concat());
    // A forty-eighth of the root of the area of a cube.
    let depth = pair["missed_depth"][1].as_f64().expect("a bound");
    assert!((depth - 6.0_f64.sqrt() / 48.0).abs() < 1e-12, "{depth}");
    assert_eq!((&pair["missed_depth"][0], &pair["samples"][0]), (&Value::Null, &json!(0)));
    let vertices = with_cube(&folder, solid, &["--cover", "inf"]);
    assert_eq!(vertices["cover"], Value::Null);
    let pair = &vertices["pairs"][0];
    assert_eq!([&pair["samples"], &pair["missed_depth"]], [&json!([0, 8]), &json!([null, null])]);
    let found = with_cube(&folder, solid, &["--cover", "0.25", "--segments"]);
    assert_eq!([&found["cover"], &found["segments"]], [&json!(0.25), &json!(true)]);
    assert!(found["pairs"][0]["samples"][1].as_u64().expect("a count") > 50);
    assert_eq!(keys(&contacts(&found)[0]).len(), 13);
}

#[test]
fn options_choose_among_the_contacts() {
    let folder = Folder::new("path-options");
    let solid = "solid = { half_space = {} }";
    let count = |more: &[&str]| {
        let more = [&["--cover", "inf"], more].concat();
        contacts(&with_cube(&folder, solid, &more)).len()
    };
    assert_eq!(count(&[]), 8);
    assert_eq!(count(&["--first"]), 1);
    assert_eq!(count(&["--window", "0.6", "1"]), 4);
    assert_eq!(count(&["--window", "0.6", "1", "--first"]), 1);
    assert_eq!(count(&["--facing"]), 8);
    let segments = first_time(&with_cube(&folder, solid, &["--segments"]));
    assert!((segments - 0.5).abs() < 1e-6);
}

/// The origin goes straight down while the body turns twice: the lowest corner follows no screw.
#[test]
fn bodies_may_fly_at_constant_velocities() {
    let folder = Folder::new("path-flight");
    let flight = "flight = { linear = [0, -4, 0], angular = [0, 0, 12.566370614359172] }";
    let plank = format!(
        "[[body]]\nsolid = {{ half_space = {{}} }}\n[[body]]\n\
         shape = {{ box = {{ size = [2, 0.5, 0.5] }} }}\n\
         start = {{ position = [0, 3, 0] }}\n{flight}\n"
    );
    folder.write("scene.toml", &plank);
    let found = collide(&folder, &["scene.toml", "--first"]);
    let time = first_time(&found);
    // How low the corners are at a time, from the formula.
    let low = |t: f64| {
        let (sin, cos) = (12.566370614359172 * t).sin_cos();
        3.0 - 4.0 * t - sin.abs() - 0.25 * cos.abs()
    };
    assert!(low(time) >= -1e-9 && low(time) < 2e-6, "{}", low(time));
    assert!((0..1000).all(|i| low(time * f64::from(i) / 1000.0) > 0.0));
    assert_eq!(found["pairs"][0]["screw"], Value::Null);
    let run = folder.run(&["collide", "scene.toml", "--method", "path", "--picture", "out.svg"]);
    assert!(run.status == 0 && run.out.contains("constant velocities"), "{}", run.err);
    let meshes = plank.replace("solid = { half_space = {} }", "shape = { plane = {} }");
    // The exact method cuts the step until it is as true as a 1000th of the plank.
    folder.write("meshes.toml", &meshes);
    let run = folder.run(&["collide", "meshes.toml", "--first", "--json", "-"]);
    let exact: Value = serde_json::from_str(&run.out).expect("JSON");
    let apart = (first_time(&exact) - time).abs();
    assert!(apart < 2e-3, "{apart}: {}", run.err);
    // Beside a body that turns along a screw it may be too.
    let turning = plank.replace("{} }\n", "{} }\nend = { rotation = [0, 1, 0, 1] }\n");
    folder.write("scene.toml", &turning);
    let found = collide(&folder, &["scene.toml", "--first"]);
    let apart = (first_time(&found) - time).abs();
    assert!(apart < 2e-3 && found["pairs"][0]["parts"].as_u64() > Some(8), "{apart}");
}

#[test]
fn results_do_not_overwrite_what_solids_are_made_of() {
    let folder = Folder::new("path-inputs");
    folder.write("cube.obj", CUBE_OBJ);
    assert_eq!(
        folder.run(&["field", "cube.obj", "--output", "cube.sdf", "--cells", "8"]).status,
        0
    );
    let field = fs::read(folder.path().join("cube.sdf")).expect("just written");
    for (body, input) in [
        ("sdf = 'cube.sdf'", "cube.sdf"),
        ("sdf = { mesh = 'cube.obj', cells = 8 }", "cube.obj"),
        (
            "solid = { union = [{ offset = { solid = { mesh = 'cube.obj' }, by = 1 } }] }",
            "cube.obj",
        ),
        (
            "solid = { difference = { from = { box = { size = [9, 9, 9] } }, minus = [{ sdf = 'cube.sdf' }] } }",
            "cube.sdf",
        ),
    ] {
        folder.write("scene.toml", format!("[[body]]\n{body}\n\n{CUBE}"));
        let run = folder.run(&["collide", "scene.toml", "--method", "path", "--json", input]);
        assert!(run.status == 2 && run.err.contains("would be overwritten"), "{body}\n{}", run.err);
    }
    assert_eq!(fs::read(folder.path().join("cube.sdf")).expect("still there"), field);
}

#[test]
fn solids_may_stand_in_solids_but_not_without_end() {
    let folder = Folder::new("path-nested");
    let nested = |levels: usize| {
        let [open, close] = ["{ transformed = { solid = ", " } }"].map(|s| s.repeat(levels));
        format!("solid = {open}{{ box = {{}} }}{close}")
    };
    let found = with_cube(&folder, &nested(32), &[]);
    assert!((first_time(&found) - 1.5 / 4.0).abs() < 1e-6);
    for levels in [33, 37, 100, 3000] {
        let scene = format!("[[body]]\n{}\n\n{CUBE}", nested(levels));
        let err = refusal(&folder, &scene, &PATH);
        // Beyond that the TOML reader gives up first.
        let words = ["solids stand in more than 32 others", "this is nested too deeply"];
        assert!(err.contains(words[usize::from(levels > 40)]), "{levels}: {err:.300}");
    }
}

#[test]
fn fields_are_whole_or_absent() {
    let folder = Folder::new("path-field");
    folder.write("cube.obj", CUBE_OBJ);
    folder.write("flat.obj", "v 0 0 0\n");
    for arguments in [
        &["field", "none.obj", "--output", "out.sdf"][..],
        &["field", "flat.obj", "--output", "out.sdf"],
        &["field", "cube.obj", "--output", "cube.obj"],
        &["field", "cube.obj", "--output", "nowhere/out.sdf"],
        &["field", "cube.obj", "--cells", "0", "--output", "out.sdf"],
        &["field", "cube.obj", "--cells", "4096", "--output", "out.sdf"],
        &["field", "cube.obj"],
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.status, 2, "{arguments:?} {}", run.out);
        assert_eq!(folder.names(), ["cube.obj", "flat.obj"], "{arguments:?}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("cube.obj")).expect("still there"), CUBE_OBJ);
    let run = folder.run(&["field", "flat.obj", "--output", "out.sdf"]);
    assert!(run.err.contains("a point has no size") && !run.err.contains("--cells"), "{}", run.err);
}

#[test]
fn a_field_may_go_to_standard_output() {
    let folder = Folder::new("path-field-stdout");
    folder.write("cube.obj", CUBE_OBJ);
    let arguments = ["field", "cube.obj", "--cells", "4", "--output"];
    let mut to_stdout = command(&[&arguments[..], &["-"]].concat());
    let run = to_stdout.current_dir(folder.path()).output().expect("the program starts");
    assert!(run.status.success() && run.stderr.is_empty());
    assert_eq!(folder.names(), ["cube.obj"]);
    assert_eq!(folder.run(&[&arguments[..], &["cube.sdf"]].concat()).status, 0);
    assert_eq!(fs::read(folder.path().join("cube.sdf")).expect("just written"), run.stdout);
}

#[test]
fn every_scene_of_rigid_bodies_is_taken_and_gives_the_same_bytes_twice() {
    let folder = Folder::new("path-scenes");
    for path in path_scenes() {
        let path = path.to_string_lossy();
        let run = || {
            let outputs = ["--quiet", "--json", "-", "--picture", "out.png"];
            let run = folder.run(&[&["collide", &path, "--method", "path"][..], &outputs].concat());
            assert_eq!((run.status, run.err.as_str()), (0, ""), "{path}");
            (run.out, fs::read(folder.path().join("out.png")).expect("a picture"))
        };
        let first = run();
        assert!(first == run(), "{path}");
        let results: Value = serde_json::from_str(&first.0).expect("one document");
        let times: Vec<f64> =
            contacts(&results).iter().map(|c| c["time"].as_f64().expect("a number")).collect();
        assert!(times.is_sorted());
        let is_ours =
            ["soup", "housing", "drill"].iter().any(|name| path.ends_with(&format!("{name}.toml")));
        assert!(!(is_ours && times.is_empty()), "{path}");
    }
}

/// The first contact of samples is never before the first of the exact method, but for the
/// precision.
#[test]
fn first_contacts_of_meshes_agree_with_the_exact_method() {
    let folder = Folder::new("path-agrees");
    let soup = root().join("scenes/soup.toml").to_string_lossy().into_owned();
    let run = folder.run(&["collide", &soup, "--first", "--json", "-"]);
    let exact: Value = serde_json::from_str(&run.out).expect("one document");
    let samples = collide(&folder, &[&soup, "--first", "--cover", "0.02", "--precision", "1e-6"]);
    let late = first_time(&samples) - first_time(&exact);
    // Between samples a body may be in by the cover, at a speed of some 5 a step.
    assert!((-1e-5..0.02).contains(&late), "{late}");
}
