//! Scenes of the public benchmark for rigid bodies are read as its README says, and run.

use std::fs;
use std::path::{Path, PathBuf};

use chasles::glam::DVec3;
use chasles_bench::rigid_ipc::{Effort, Scene, folder, run, scenes};
use chasles_dynamics::world::Kind;
use chasles_dynamics::{BodyId, Options};

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
    let scene = Scene::load(path, &root.join("meshes"), Options::windows()).expect("a scene");
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
    let mut world = scene.world;
    assert_eq!((world.bodies().len(), scene.seconds), (4, 2.0));
    assert_eq!(world.options().gravity, DVec3::new(0.0, -10.0, 0.0));
    let first = &world.bodies()[0];
    // Twice as long along x, which points along y after the turn.
    assert!(first.centre().distance(DVec3::new(4.5, 1.0, 0.5)) < 1e-12, "{}", first.centre());
    assert!((first.mass_properties().expect("dynamic").mass() - 6.0).abs() < 1e-12);
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
fn locks_torques_and_groups_are_those_of_the_scene() {
    let bodies = r#"
        { "mesh": "cube.obj", "torque": [0, 90, 45],
          "is_dof_fixed": [true, true, true, true, false, true],
          "linear_velocity": [1, 2, 3], "angular_velocity": [10, 0, 10] },
        { "mesh": "cube.obj", "position": [0, 5, 0], "group_id": 3 },
        { "mesh": "cube.obj", "position": [0, 5.5, 0], "group_id": 3 }"#;
    let mut world = load(&written("locks", bodies)).world;
    world.step(0.1).expect("bodies of one group may be in each other");
    let first = &world.bodies()[0];
    // A cube of a tonne: m a² / 6 about its axis; 90 degrees are pi / 2 newton metres.
    let rate = 0.1 * std::f64::consts::FRAC_PI_2 / (1000.0 / 6.0);
    assert!(first.velocity().angular.distance(DVec3::Y * rate) < 1e-12, "{:?}", first.velocity());
    assert_eq!(first.velocity().linear, DVec3::ZERO);
    assert!((world.bodies()[1].velocity().linear.y + 1.0).abs() < 1e-12);
}

#[test]
fn what_has_no_faces_has_mass_and_falls() {
    let bodies = r#"
        { "mesh": "line.obj", "scale": 2, "density": 3 },
        { "vertices": [[0, 0, 0], [1, 0, 0]], "position": [0, 0, 5], "density": 2 },
        { "vertices": [[0, 0, 0], [2, 0, 0], [2, 3, 0], [0, 3, 0]], "faces": [[0, 1, 2, 3]],
          "position": [0, 0, 9], "density": 5 },
        { "vertices": [[0, 0, 0], [1, 0, 0], [5, 0, 0], [6, 0, 0]], "edges": [[0, 1], [2, 3]],
          "position": [0, 0, 12], "split_components": true }"#;
    let mut world = load(&written("thin", bodies)).world;
    let masses = world.bodies().iter().map(|body| body.mass_properties().expect("dynamic").mass());
    // On each metre, on each point, on each square metre.
    let expected = [6.0, 4.0, 30.0, 1000.0, 1000.0];
    for (found, expected) in masses.zip(expected) {
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} for {expected}");
    }
    assert!(world.bodies()[4].centre().distance(DVec3::new(5.5, 0.0, 12.0)) < 1e-12);
    world.step(0.1).expect("a step");
    assert!(world.bodies().iter().all(|body| (body.velocity().linear.y + 1.0).abs() < 1e-12));
}

#[test]
fn kinematic_bodies_follow_their_poses_then_their_velocities_until_their_time_is_up() {
    let bodies = r#"
        { "mesh": "cube.obj", "type": "kinematic", "kinematic_max_time": 0.05,
          "linear_velocity": [10, 0, 0], "is_dof_fixed": [false, true, true, true, true, true],
          "kinematic_poses": [{ "position": [0, 1, 0] },
                              { "position": [0, 1, 2], "rotation": [0, 0, 90] }] },
        { "mesh": "cube.obj", "position": [50, 0, 0] }"#;
    let scene = load(&written("poses", bodies));
    let mut world = scene.world;
    // The centre of the cube is half a metre from its corner, which turns to the other side.
    let turned = DVec3::new(-0.5, 1.5, 2.5);
    let places = [
        (1, DVec3::new(0.5, 1.5, 0.5)),
        (2, turned),
        (4, turned + DVec3::X * 0.2),
        (5, turned + DVec3::X * 0.3),
        (9, turned + DVec3::X * 0.3),
    ];
    let mut steps = 0;
    for (until, place) in places {
        while steps < until {
            world.step(scene.dt).expect("a step");
            steps += 1;
        }
        let at = world.bodies()[0].pose().position();
        assert!(at.distance(place) < 1e-9, "{at} for {place} after {steps} steps");
    }
}

fn folder_or_say_so() -> Option<PathBuf> {
    let found = folder();
    if found.is_none() {
        say("skipped: no folder rigid-ipc; CHASLES_SHARED may name its parent");
    }
    found
}

#[allow(clippy::print_stdout, reason = "a skipped test must say so in the log")]
fn say(line: &str) {
    println!("{line}");
}

#[test]
fn every_scene_of_the_benchmark_runs() {
    let Some(folder) = folder_or_say_so() else { return };
    let found = scenes(&folder).expect("the folder can be read");
    assert!(found.len() >= 45, "{} scenes", found.len());
    // A moment of each; whole runs are for the program `rigid_ipc`.
    let effort = Effort { seconds: Some(0.02), limit: 2.0, options: Options::windows() };
    for (name, path) in &found {
        let row = run(name, path, effort);
        assert!(["ran", "slow"].contains(&row.result.as_str()), "{name}: {}", row.result);
        assert_eq!((row.overlaps, row.crossings), (0, 0), "{name}");
    }
}

#[test]
fn short_scenes_run_to_their_end_without_waits() {
    let Some(folder) = folder_or_say_so() else { return };
    let wanted = [
        "points/tet-hole",
        "points/tet-plane",
        "edges/3-link-chain",
        "card-tent",
        "turntable",
        "torque-test",
        "tet-corner",
        "tunneling",
        "tunnel/2-walls",
        "compactor",
    ];
    let found = scenes(&folder).expect("the folder can be read");
    let is_wanted = |name: &str| wanted.iter().any(|wanted| name.contains(wanted));
    let chosen: Vec<_> = found.iter().filter(|(name, _)| is_wanted(name)).collect();
    assert_eq!(chosen.len(), wanted.len());
    let effort = Effort { seconds: Some(1.0), limit: 60.0, options: Options::windows() };
    for (name, path) in chosen {
        let row = run(name, path, effort);
        assert_eq!(row.result, "ran", "{name}");
        assert_eq!((row.overlaps, row.crossings, row.longest_wait), (0, 0, 0), "{name}");
        assert_eq!(row.lost, 0.0, "{name}");
        // The four plates of the compactor are of one group, and each crosses two others.
        let passing = if name.contains("compactor") { 4 } else { 0 };
        assert_eq!(row.passing, passing, "{name}");
    }
}
