//! Round bodies in scenes: `collide` answers as the library does, and names ends, sides, caps and
//! rims in every output.

mod common;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape, Torus};
use chasles::round::{self, Contact, Feature, Options, Round, Workspace};
use chasles::{Collider, Motion, Pose, Step};
use common::Folder;
use serde_json::{Value, json};

/// How B comes to A, which rests at the origin: past the middle, turning by 70 degrees.
const MOVE: &str = "start = { position = [0.3, 2.5, 0.1] }\n\
    end = { position = [0.1, -1.5, 0.2], rotation = { axis = [0, 0, 1], degrees = 70 } }";

fn step() -> Step {
    let turn = DQuat::from_axis_angle(DVec3::Z, 70_f64.to_radians());
    let start = Pose::from_position([0.3, 2.5, 0.1]).expect("finite");
    let end = Pose::new([0.1, -1.5, 0.2], turn).expect("finite");
    Step::new(Motion::still(Pose::IDENTITY), Motion::between(start, end))
}

/// What a scene says of round bodies, and the same in the library.
fn rounds() -> Vec<(&'static str, Round)> {
    let ends = |p: [f64; 3], q: [f64; 3]| [p, q].map(DVec3::from_array);
    let turn = DQuat::from_rotation_z(90_f64.to_radians());
    let placed = Pose::new([0.0, 0.5, 0.0], turn).expect("finite");
    let lying = ends([1.0, 0.5, 0.0], [-1.0, 0.5, 0.0]);
    vec![
        ("sphere = { radius = 0.4 }", Round::sphere(0.4).expect("fits")),
        (
            "capsule = { from = [0, -0.6, 0], to = [0.2, 0.6, 0], radius = 0.3 }",
            Round::capsule(ends([0.0, -0.6, 0.0], [0.2, 0.6, 0.0]), 0.3).expect("fits"),
        ),
        (
            "cylinder = { radius = 0.5, height = 0.8 }",
            Round::cylinder(ends([0.0, -0.4, 0.0], [0.0, 0.4, 0.0]), 0.5).expect("fits"),
        ),
        (
            "cone = { radius = 0.5, height = 0.8 }",
            Round::cone(ends([0.0, -0.4, 0.0], [0.0, 0.4, 0.0]), 0.5).expect("fits"),
        ),
        (
            "ellipsoid = { half_axes = [0.7, 0.4, 0.3] }",
            Round::ellipsoid([0.7, 0.4, 0.3]).expect("fits"),
        ),
        (
            "transformed = { solid = { ellipsoid = { half_axes = [0.3, 0.1, 0.2] } }, scale = 2, \
             position = [0, 0.5, 0], rotation = { axis = [0, 0, 1], degrees = 90 } }",
            Round::ellipsoid_at(&placed, [0.6, 0.2, 0.4]).expect("fits"),
        ),
        (
            "transformed = { solid = { cone = { radius = 0.1, height = 1 } }, scale = 2, \
             position = [0, 0.5, 0], rotation = { axis = [0, 0, 1], degrees = 90 } }",
            Round::cone(lying, 0.2).expect("fits"),
        ),
        (
            "transformed = { solid = { capsule = { from = [0, -0.5, 0], to = [0, 0.5, 0], \
             radius = 0.1 } }, scale = 2, position = [0, 0.5, 0], rotation = { axis = [0, 0, 1], \
             degrees = 90 } }",
            Round::capsule(lying, 0.2).expect("fits"),
        ),
    ]
}

fn meshes() -> [(&'static str, Shape); 2] {
    let torus = Torus { major: 1.0, minor: 0.3, segments: [20, 15] };
    [
        ("box = { size = [1, 2, 3] }", Shape::Box(Cuboid { size: [1.0, 2.0, 3.0] })),
        ("torus = { major = 1, minor = 0.3, segments = [20, 15] }", Shape::Torus(torus)),
    ]
}

/// The one pair of a scene of two bodies, of which the second moves.
fn pair(folder: &Folder, [a, b]: [&str; 2], options: &[&str]) -> Value {
    folder.write("two.toml", format!("[[body]]\n{a}\n[[body]]\n{b}\n{MOVE}\n"));
    let run = folder.run(&[&["collide", "two.toml", "--json", "-"], options].concat());
    assert_eq!(run.status, 0, "{a}\n{b}\n{}", run.err);
    let mut found: Value = serde_json::from_str(&run.out).expect("one document");
    found["pairs"][0].take()
}

fn feature(feature: Feature) -> Value {
    match feature {
        Feature::Vertex(vertex) => json!({ "vertex": vertex }),
        Feature::Edge(edge) => json!({ "edge": edge }),
        Feature::Face(face) => json!({ "face": face }),
        Feature::Side => json!({ "side": true }),
        Feature::End(end) => json!({ "end": end }),
        Feature::Cap(cap) => json!({ "cap": cap }),
        Feature::Rim(rim) => json!({ "rim": rim }),
        Feature::Tip => json!({ "tip": true }),
    }
}

/// Whether a number of the JSON is this one: the reader of JSON may be off by a bit.
fn same(found: &Value, expected: f64) -> bool {
    found.as_f64().is_some_and(|x| (x - expected).abs() <= 4.0 * f64::EPSILON * expected.abs())
}

/// Compares the contacts of a pair with those of the library.
fn agree(found: &Value, expected: &[Contact], what: &str) {
    let found = found["contacts"].as_array().expect("a list");
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(same(&found["time"], expected.time), "{what}: {found}");
        assert_eq!(found["a"], feature(expected.features.a), "{what}: {found}");
        assert_eq!(found["b"], feature(expected.features.b), "{what}: {found}");
        let point = expected.point_in_a.to_array().into_iter().enumerate();
        assert!(
            point.into_iter().all(|(i, x)| same(&found["point_in_a"][i], x)),
            "{what}: {found}"
        );
        assert!(same(&found["normal_speed"], expected.normal_speed), "{what}: {found}");
        let kinds = [expected.features.a.kind(), expected.features.b.kind()];
        assert_eq!(found["kind"], kinds.join("-"), "{what}: {found}");
    }
}

#[test]
fn a_mesh_and_a_round_body_touch_as_the_library_says() {
    let folder = Folder::new("round-meshes");
    let mut workspace = Workspace::new();
    let mut total = 0;
    for (shape, mesh) in meshes() {
        let collider = Collider::new(mesh.build().expect("a mesh"));
        for (solid, round) in rounds() {
            // The last three are placed by a rotation of the scene, which rounds them.
            let is_exact = !solid.starts_with("transformed");
            let options = Options::default();
            let expected = round::contacts(&collider, &round, &step(), &options, &mut workspace);
            let bodies = [format!("shape = {{ {shape} }}"), format!("solid = {{ {solid} }}")];
            let found = pair(&folder, [&bodies[0], &bodies[1]], &[]);
            if is_exact {
                agree(&found, expected, &bodies.join(", "));
            }
            let times = found["contacts"].as_array().expect("a list").iter();
            let times: Vec<f64> = times.filter_map(|contact| contact["time"].as_f64()).collect();
            assert_eq!(times.len(), expected.len(), "{bodies:?}");
            let near = |(time, contact): (&f64, &Contact)| (time - contact.time).abs() < 1e-12;
            assert!(times.iter().zip(expected).all(near), "{bodies:?}");
            total += expected.len();
        }
    }
    assert!(total > 20, "only {total} contacts");
}

#[test]
fn round_bodies_touch_each_other_as_the_library_says() {
    let folder = Folder::new("round-rounds");
    let mut workspace = Workspace::new();
    let mut total = 0;
    let rounds = &rounds()[..5];
    for (of_a, a) in rounds {
        for (of_b, b) in rounds {
            let expected =
                round::contacts_of_rounds(a, b, &step(), &Options::default(), &mut workspace);
            let bodies = [of_a, of_b].map(|solid| format!("solid = {{ {solid} }}"));
            let found = pair(&folder, [&bodies[0], &bodies[1]], &[]);
            agree(&found, expected, &bodies.join(", "));
            total += expected.len();
        }
    }
    assert!(total >= 50, "only {total} contacts: each pair meets and parts");
}

/// A ball of radius 0.4 comes down by 4 on a box whose top is at 1. A mesh of it touches later.
#[test]
fn a_solid_sphere_is_round_and_a_shape_is_a_mesh() {
    let folder = Folder::new("round-or-mesh");
    let scene = |ball: &str| {
        format!(
            "[[body]]\nshape = {{ box = {{ size = [4, 2, 4] }} }}\n[[body]]\n{ball}\n\
             start = {{ position = [0.1, 3, 0.2], \
             rotation = {{ axis = [1, 0, 0], degrees = 7 }} }}\n\
             twist = {{ linear = [0, -4, 0] }}\n"
        )
    };
    let first = |ball: &str| {
        folder.write("ball.toml", scene(ball));
        let run = folder.run(&["collide", "ball.toml", "--json", "-"]);
        let found: Value = serde_json::from_str(&run.out).expect("one document");
        found["pairs"][0]["contacts"][0].clone()
    };
    let round = first("solid = { sphere = { radius = 0.2 } }\nscale = 2");
    assert_eq!(round["kind"], "face-end");
    let time = round["time"].as_f64().expect("a number");
    assert!((time - 0.4).abs() < 1e-14, "{time}");
    let mesh = first("shape = { sphere = { radius = 0.4 } }");
    assert!(mesh["kind"] == "fv" && mesh["time"].as_f64() > Some(time + 1e-5), "{mesh}");
}

#[test]
fn every_output_names_the_parts_of_round_bodies() {
    let folder = Folder::new("round-outputs");
    let run = folder.run(&["collide", "bowling", "--report", "a.html", "--picture", "a.svg"]);
    assert_eq!(run.status, 0, "{}", run.err);
    for words in ["face-end", "end-side", "face-rim", "end 0", "rim 0", "side"] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
    let page = std::fs::read_to_string(folder.path().join("a.html")).expect("a page");
    assert!(page.contains("face-end") && page.contains("end-side") && page.contains("rim 0"));
    let svg = std::fs::read_to_string(folder.path().join("a.svg")).expect("a picture");
    assert!(svg.contains(">coin<"), "the legend has all bodies");
    assert!(run.out.contains("face-rim  face 3"), "columns are as wide as their words");
}

#[test]
fn other_methods_take_what_they_did() {
    let folder = Folder::new("round-others");
    let ball = "solid = { sphere = { radius = 0.4 } }";
    let cube = "shape = { box = { size = [1, 2, 3] } }";
    let exact = pair(&folder, [cube, ball], &["--first"]);
    let path = pair(&folder, [cube, ball], &["--method", "path", "--first"]);
    let time = |pair: &Value| pair["contacts"][0]["time"].as_f64().expect("a contact");
    assert!(path["contacts"][0]["kind"] == "sp" || path["contacts"][0]["kind"] == "ps", "{path}");
    assert!(time(&path) >= time(&exact) - 1e-6 && time(&path) < time(&exact) + 0.02, "{path}");
    folder.write("two.toml", format!("[[body]]\n{cube}\n[[body]]\n{ball}\n{MOVE}\n"));
    let screen = folder.run(&["collide", "two.toml", "--method", "screen"]);
    assert!(screen.status == 2 && screen.err.contains("one of these is no mesh"), "{}", screen.err);
    let torus = format!("[[body]]\n{ball}\n[[body]]\nsolid = {{ torus = {{}} }}\n{MOVE}\n");
    folder.write("torus.toml", torus);
    let exact = folder.run(&["collide", "torus.toml"]);
    assert!(exact.status == 2 && exact.err.contains("neither a mesh nor round"), "{}", exact.err);
}

#[test]
fn round_bodies_that_start_in_each_other_are_told() {
    let folder = Folder::new("round-start");
    let scene = |at: &str, other: &str| {
        let ball = format!("solid = {{ sphere = {{}} }}\nstart = {{ position = [{at}, 0, 0] }}");
        folder.write("start.toml", format!("[[body]]\n{other}\n[[body]]\n{ball}\n"));
        let run = folder.run(&["collide", "start.toml", "--json", "-"]);
        let found: Value = serde_json::from_str(&run.out).expect("one document");
        found["pairs"][0]["overlap_at_start"].clone()
    };
    let solids = ["capsule", "cylinder", "cone", "ellipsoid"]
        .map(|name| format!("solid = {{ {name} = {{}} }}"));
    let others = ["shape = { box = {} }".to_string()].into_iter().chain(solids);
    for other in &others.collect::<Vec<_>>() {
        // The side of a cone is nearer to its axis.
        let [near, far] = if other.contains("cone") { ["0.8", "0.82"] } else { ["0.9", "1.1"] };
        assert_eq!(scene(near, other), json!(true), "{other}");
        assert_eq!(scene(far, other), json!(false), "{other}");
    }
}

/// A ball rolls down a ramp among a capsule and a box.
const ROLLING: &str = "\
[world]
seconds = 2

[[body]]
name = \"ramp\"
kind = \"static\"
shape = { box = { size = [12, 1, 4] } }
start = { position = [0, -0.5, 0], rotation = { axis = [0, 0, 1], degrees = -10 } }

[[body]]
name = \"ball\"
solid = { sphere = { radius = 0.25 } }
density = 500
friction = 0.6
start = { position = [-4, 0.9675, 0] }

[[body]]
name = \"pill\"
solid = { capsule = { from = [0, 0, -0.4], to = [0, 0, 0.4], radius = 0.15 } }
start = { position = [1, 0.4, 0] }

[[body]]
name = \"box\"
shape = { box = { size = [0.4, 0.4, 0.4] } }
start = { position = [2.5, 0.6, 0.3] }
";

#[test]
fn a_simulation_rolls_round_solids() {
    let folder = Folder::new("round-simulate");
    folder.write("rolling.toml", ROLLING);
    let outputs = ["--json", "-", "--picture", "end.png", "--report", "page.html", "--check"];
    let run = folder.run(&[&["simulate", "rolling.toml", "--quiet"], &outputs[..]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    let found: Value = serde_json::from_str(&run.out).expect("one document");
    for key in ["overlaps", "crossings"] {
        assert_eq!(found[key], json!([]), "{key}");
    }
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("a page");
    assert!(page.contains("pill"));
    let run = folder.run(&["simulate", "rolling.toml", "--trajectory", "-"]);
    let last: Value = serde_json::from_str(run.out.lines().last().expect("frames")).expect("JSON");
    // From rest just above the ramp, at 5/7 g sin 10 degrees.
    let way = 0.5 * 5.0 / 7.0 * 9.81 * 10_f64.to_radians().sin() * 4.0;
    let x = last["bodies"][1]["position"][0].as_f64().expect("a number");
    let expected = -4.0 + way * 10_f64.to_radians().cos();
    assert!((x - expected).abs() < 0.08, "{x}, not {expected}");
}

#[test]
fn solids_that_a_simulation_has_not_are_refused() {
    let folder = Folder::new("round-refused");
    let refused = |from: &str, to: &str, parts: &[&str]| {
        folder.write("scene.toml", ROLLING.replace(from, to));
        let run = folder.run(&["simulate", "scene.toml"]);
        assert_eq!(run.status, 2, "{to}");
        parts.iter().for_each(|part| assert!(run.err.contains(part), "{part}: {}", run.err));
    };
    let ball = "sphere = { radius = 0.25 }";
    refused(ball, "cylinder = { radius = 1, height = 1 }", &["no exact cylinders", "`capsule`"]);
    refused(ball, "cone = {}", &["no exact cones", "mesh of a cone"]);
    refused(ball, "ellipsoid = {}", &["no exact ellipsoids", "Round::polygons"]);
    refused(ball, "ellipsoid = { half_axes = [1, 1, 1e-9] }", &["a half axis of the ellipsoid"]);
    refused(ball, "torus = { major = 1, minor = 0.2 }", &["neither a sphere nor a capsule"]);
    refused(ball, "sphere = { radius = -1 }", &["radius"]);
    let both = "shape = { sphere = {} }\nsolid = { sphere = { radius = 0.25 } }";
    refused("solid = { sphere = { radius = 0.25 } }", both, &["`shape` and `solid`"]);
}
