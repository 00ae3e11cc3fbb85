//! A real robot: the Panda of the package `pyroboplan`, with its meshes, where the Python package
//! index can be reached. Its files are in a temporary folder and nowhere else.

mod support;

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::Command;

use chasles::Pose;
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::query::Geometry;
use chasles_planning::{Packages, Robot, Scene, Verdict};
use chasles_testkit::generate::Random;
use support::{along, configuration, span};

/// Downloads and unpacks the package; none, with a line that says so, where that fails.
fn models(folder: &Path) -> Option<PathBuf> {
    let quick = ["--quiet", "--retries", "0", "--timeout", "20"];
    let pip = [&["-m", "pip", "download", "--no-deps", "pyroboplan==1.3.1"][..], &quick].concat();
    let unpack = "import glob, zipfile; zipfile.ZipFile(glob.glob('*.whl')[0]).extractall()";
    let run = |arguments: &[&str]| {
        let done = Command::new("python3").args(arguments).current_dir(folder).output();
        done.is_ok_and(|output| output.status.success())
    };
    if run(&pip) && run(&["-c", unpack]) {
        return Some(folder.join("pyroboplan/models"));
    }
    // Not by a macro that tests capture: the line is to be seen.
    let line = "skipped: pyroboplan 1.3.1 cannot be downloaded, so no real robot is tested";
    writeln!(stderr(), "{line}").expect("standard error is open");
    None
}

fn panda(models: &Path) -> Robot {
    let folder = models.join("panda_description");
    let packages = Packages::new().with("panda_description", &folder);
    let robot = Robot::load(folder.join("urdf/panda.urdf"), &packages).expect("it is right");
    robot.with_srdf(folder.join("srdf/panda.srdf")).expect("it is right")
}

/// The robot over a table, among boxes and balls.
fn scene(robot: Robot, random: &mut Random) -> Scene {
    let mut scene = Scene::new(robot);
    let table = Geometry::shape(&Shape::Box(Cuboid { size: [2.0, 2.0, 0.1] })).expect("a box");
    let below = Pose::from_position([0.0, 0.0, -0.06]).expect("finite");
    scene.add("table", table, below).expect("new");
    for number in 0..29 {
        let size = [(); 3].map(|()| random.between(0.03, 0.2));
        let geometry = match number % 2 {
            0 => Geometry::shape(&Shape::Box(Cuboid { size })).expect("a box"),
            _ => Geometry::sphere(0.5 * size[0]).expect("a ball"),
        };
        let [angle, out] = [random.between(-3.2, 3.2), random.between(0.4, 0.9)];
        let place = [out * angle.cos(), out * angle.sin(), random.between(0.0, 1.0)];
        let pose = Pose::new(place, random.rotation()).expect("finite");
        scene.add(format!("obstacle {number}"), geometry, pose).expect("new");
    }
    scene
}

#[test]
fn real_robots_are_read_and_edges_of_one_are_what_samples_say() {
    let folder = tempfile::tempdir().expect("a folder");
    if let Some(models) = models(folder.path()) {
        edges_of_the_panda_are_what_samples_say(&models);
        robots_of_meshes_that_are_not_read_say_so(&models);
    }
}

fn edges_of_the_panda_are_what_samples_say(models: &Path) {
    let robot = panda(models);
    assert_eq!(robot.variables().len(), 8, "seven joints, and one finger that the other mimics");
    let mut random = Random::new(21);
    let scene = scene(robot, &mut random);
    let [mut free, mut hits, mut undecided] = [0; 3];
    for _ in 0..60 {
        let [q0, far] = [(); 2].map(|()| configuration(scene.robot(), &mut random));
        let q1 = along([&q0, &far], random.one_of(&[0.1, 0.3, 1.0]));
        let edge = scene.edge(&q0, &q1, 0.0).expect("finite");
        match &edge.verdict {
            Verdict::Free => {
                free += 1;
                let count = (span([&q0, &q1]) / 5e-3).ceil() as usize;
                for i in 0..=count {
                    let q = along([&q0, &q1], i as f64 / count as f64);
                    let near = scene.distance(&q).expect("finite").expect("pairs");
                    assert!(!near.overlaps && near.distance >= edge.clearance[0], "{near:?}");
                }
            }
            Verdict::Hit(hit) => {
                hits += 1;
                let near = scene.distance(&hit.configuration).expect("finite").expect("pairs");
                assert!(near.overlaps || near.distance < 1e-9 * 0.3, "{near:?}");
            }
            Verdict::Undecided(_) => undecided += 1,
        }
    }
    assert!(free > 5 && hits > 5 && undecided == 0, "{free} free, {hits} hits, {undecided}");
}

fn robots_of_meshes_that_are_not_read_say_so(models: &Path) {
    let packages =
        Packages::new().with("robot_12dof_description", models.join("robot_12dof_description"));
    let file = models.join("robot_12dof_description/urdf/robot_12dof.urdf");
    let error = Robot::load(file, &packages).expect_err("its meshes are COLLADA");
    assert!(error.to_string().contains(".dae"), "{error}");
    let packages = Packages::new()
        .with("ur_description", models.join("ur_description"))
        .with("robotiq_2f_85_gripper_visualization", models);
    let arm = Robot::load(models.join("ur_description/urdf/ur5_on_base.urdf"), &packages);
    let arm = arm.expect("its meshes are STL");
    assert!(arm.variable("shoulder_pan_joint").is_ok());
}
