//! Keys that guide, pull and weigh bodies of a simulation.

use std::collections::BTreeMap;
use std::path::Path;

use chasles::glam::DVec3;
use chasles_dynamics::World;
use chasles_scene::{Document, Pace, SimulateScene};

fn world(bodies: &str) -> World {
    let text = format!("[world]\ngravity = [0, -10, 0]\n{bodies}");
    let scene = SimulateScene::from_text(&text, "scene.toml", Path::new("."));
    scene.expect("a scene").world().clone()
}

fn steps(world: &mut World, count: u32) {
    (0..count).for_each(|_| assert!(world.step(0.1).is_ok()));
}

#[test]
fn locks_forces_and_torques_act_along_the_axes_of_the_world() {
    let mut world = world(
        "[[body]]\nname = 'drawer'\nshape = { box = {} }\nmass = 2\nforce = [4, 5, 6]\n\
         torque = [1, 1, 1]\nlock = ['y', 'z', 'turns']\n\
         [[body]]\nname = 'table'\nshape = { box = {} }\nmass = 6\n\
         start = { position = [9, 0, 0] }\nangular_velocity = [1, 2, 3]\n\
         torque = [0, 3, 0]\nlock = ['x', 'y', 'z', 'turn-x', 'turn-z']\n",
    );
    steps(&mut world, 10);
    let [drawer, table] = [0, 1].map(|i| &world.bodies()[i]);
    assert!(drawer.pose().position().distance(DVec3::X) < 1e-12, "{:?}", drawer.pose());
    assert_eq!(drawer.velocity().angular, DVec3::ZERO);
    // m a² / 6 is 1.
    assert!(table.velocity().angular.distance(DVec3::Y * 5.0) < 1e-12, "{:?}", table.velocity());
    assert_eq!(table.pose().position(), DVec3::X * 9.0);
}

#[test]
fn a_way_ends_when_its_time_is_up() {
    let lift = "[[body]]\nname = 'lift'\nkind = 'kinematic'\nshape = { box = {} }\nuntil = 0.5\n";
    let ball = "[[body]]\nname = 'ball'\nshape = { box = {} }\nstart = { position = [50, 0, 0] }\n";
    let twist = "twist = { linear = [0, 2, 0] }\n";
    let keyframes = "keyframes = [{ time = 0 }, { time = 2, position = [0, 4, 0] }]\n";
    for way in [twist, keyframes] {
        let mut world = world(&format!("{lift}{way}{ball}"));
        steps(&mut world, 15);
        let place = world.bodies()[0].pose().position();
        assert!(place.distance(DVec3::Y) < 1e-12, "{place} by {way}");
    }
}

/// The mass of a body of this file.
fn weighed(file: &str, keys: &str) -> f64 {
    let text = format!("[[body]]\nmesh = 'a.obj'\ndensity = 10\n{keys}\n");
    let files = BTreeMap::from([("a.obj".to_string(), file.as_bytes().to_vec())]);
    let document = Document::new(&text, "scene.toml", files);
    let scene = SimulateScene::read(&document, Pace::default()).expect("a scene");
    scene.world().bodies()[0].mass_properties().expect("dynamic").mass()
}

#[test]
fn what_encloses_nothing_has_the_mass_of_its_thickness() {
    let pi = std::f64::consts::PI;
    let close = |found: f64, expected: f64| {
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} for {expected}");
    };
    let square = "v 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\nf 1 2 3 4\n";
    close(weighed(square, "thickness = 0.1"), 6.0);
    let wire = "v 0 0 0\nv 2 0 0\nv 2 3 0\nl 1 2 3\n";
    close(weighed(wire, "thickness = 0.2"), 10.0 * 5.0 * pi * 0.01);
    let dots = "v 0 0 0\nv 2 0 0\nv 0 3 0\n";
    close(weighed(dots, "thickness = 0.2"), 10.0 * 4.0 * pi * 0.001);
    // A pyramid without its base; the middle of its vertices is a fifth of its height above that.
    let tent =
        "v 1 1 0\nv -1 1 0\nv -1 -1 0\nv 1 -1 0\nv 0 0 5\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
    close(weighed(tent, "closed = true"), 10.0 * 4.0 / 3.0 * 4.0);
}
