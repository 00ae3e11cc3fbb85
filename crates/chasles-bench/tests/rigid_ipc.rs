//! Scenes of the public benchmark for rigid bodies are read as its README says, and run or are
//! listed.

use std::fs;
use std::path::{Path, PathBuf};

use chasles::glam::DVec3;
use chasles_bench::rigid_ipc::{Effort, Scene, folder, run, scenes};
use chasles_dynamics::BodyId;
use chasles_dynamics::world::Kind;

/// A folder of the benchmark's form with a cube as its mesh, and a scene of these bodies.
fn written(name: &str, bodies: &str) -> PathBuf {
    let root = std::env::temp_dir().join(format!("chasles-rigid-{name}-{}", std::process::id()));
    for below in ["fixtures", "meshes"] {
        fs::create_dir_all(root.join(below)).expect("a folder");
    }
    let cube = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    fs::write(root.join("meshes/cube.obj"), cube).expect("a file");
    fs::write(root.join("meshes/line.obj"), "v 0 0 0\nv 1 0 0\nl 1 2\n").expect("a file");
    let scene = format!(
        "{{ \"timestep\": 0.01, \"max_time\": 2, \"rigid_body_problem\": {{
            \"gravity\": [0, -10, 0], \"coefficient_restitution\": -1,
            \"rigid_bodies\": [{bodies}] }} }}"
    );
    let path = root.join("fixtures/scene.json");
    fs::write(&path, scene).expect("a file");
    path
}

fn load(path: &Path) -> Scene {
    let root = path.parent().and_then(Path::parent).expect("a folder");
    let scene = Scene::load(path, &root.join("meshes")).expect("a scene");
    fs::remove_dir_all(root).expect("the folder");
    scene
}

#[test]
fn bodies_are_placed_scaled_and_moved_as_the_scene_says() {
    let bodies = r#"
        { "mesh": "cube.obj", "scale": [2, 1, 1], "position": [5, 0, 0], "rotation": [0, 0, 90],
          "density": 3, "linear_velocity": [1, 0, 0], "angular_velocity": [0, 180, 0],
          "force": [0, 7, 0] },
        { "mesh": "cube.obj", "dimensions": [4, 4, 4], "is_dof_fixed": true, "group_id": 1 },
        { "mesh": "cube.obj", "position": [0, 9, 0], "type": "static", "group_id": 1 },
        { "mesh": "cube.obj", "position": [9, 9, 0], "type": "kinematic",
          "angular_velocity": [0, 0, 90] },
        { "mesh": "line.obj", "enabled": false }"#;
    let scene = load(&written("placed", bodies));
    assert_eq!((scene.bodies, scene.seconds), (4, 2.0));
    let mut world = scene.world.expect("nothing is missing");
    assert_eq!(world.options().gravity, DVec3::new(0.0, -10.0, 0.0));
    let first = &world.bodies()[0];
    // Twice as long along x, which points along y after the turn.
    assert!(first.centre().distance(DVec3::new(4.5, 1.0, 0.5)) < 1e-12, "{}", first.centre());
    assert!((first.solidity().expect("dynamic").mass() - 6.0).abs() < 1e-12);
    assert!((first.velocity().angular.y - std::f64::consts::PI).abs() < 1e-12);
    assert_eq!([first.material().restitution(), first.material().friction()], [0.0; 2]);
    assert!(matches!(world.bodies()[1].kind(), Kind::Static));
    let [low, high] = world.bodies()[1].collider().mesh().bounds();
    assert_eq!(high - low, DVec3::splat(4.0));
    assert!(!world.collides(BodyId(1), BodyId(2)) && world.collides(BodyId(0), BodyId(1)));
    // A kinematic body turns about its centre of mass, and a force pulls besides gravity.
    let before = world.bodies()[0].velocity().linear.y;
    world.step(0.5).expect("a step");
    let middle = world.bodies()[3].pose().position();
    assert!(middle.distance(DVec3::new(9.5, 9.5, 0.5)) < 1e-12, "{middle}");
    let gained = world.bodies()[0].velocity().linear.y - before;
    assert!((gained - 0.5 * (7.0 / 6.0 - 10.0)).abs() < 1e-9, "{gained}");
}

#[test]
fn what_the_world_lacks_is_listed() {
    let lacks = |bodies: &str| {
        let missing = load(&written("lacks", bodies)).world.expect_err("something is missing");
        missing.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(lacks(r#"{ "mesh": "line.obj" }"#), ["bodies of edges"]);
    assert_eq!(lacks(r#"{ "vertices": [[0, 0, 0]] }"#), ["bodies of points"]);
    let locked = r#"{ "mesh": "cube.obj", "torque": [0, 1, 0],
                      "is_dof_fixed": [true, true, true, false, false, false] }"#;
    assert_eq!(lacks(locked), ["locked directions", "torques"]);
    let posed = r#"{ "mesh": "cube.obj", "type": "kinematic", "kinematic_max_time": 1,
                     "kinematic_poses": [{ "position": [0, 1, 0] }] }"#;
    assert_eq!(lacks(posed), ["an end of kinematic motion", "pose lists"]);
}

#[test]
#[allow(clippy::print_stdout, reason = "a skipped test must say so in the log")]
fn every_scene_of_the_benchmark_runs_or_says_what_it_needs() {
    let Some(folder) = folder() else {
        println!("skipped: no folder rigid-ipc; CHASLES_SHARED may name its parent");
        return;
    };
    let found = scenes(&folder).expect("the folder can be read");
    assert!(found.len() >= 45, "{} scenes", found.len());
    // A moment of each; whole runs are for the program `rigid_ipc`.
    let effort = Effort { seconds: Some(0.02), limit: 2.0 };
    let mut ran = 0;
    for (name, path) in &found {
        let row = run(name, path, effort);
        let is_told = ["ran", "slow"].contains(&row.result.as_str());
        assert!(is_told || row.result.starts_with("needs "), "{name}: {}", row.result);
        assert_eq!((row.overlaps, row.crossings), (0, 0), "{name}");
        ran += usize::from(is_told);
    }
    assert!(ran >= 26, "{ran} scenes run");
}
