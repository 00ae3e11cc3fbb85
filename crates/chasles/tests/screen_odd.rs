//! Bodies and motions for which a screen is easily wrong: wires, edges that wind on it, turns that
//! are rounding.

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Shape, Torus};
use chasles::screen::{Options, Resolution, ScreenError, Workspace, contacts};
use chasles::{Collider, Contact, Features, Motion, Polygons, Polyhedron, Pose, Step};
use chasles_testkit::shapes;

fn pixels(n: u32) -> Options {
    Options { resolution: Resolution::Pixels(n), ..Options::default() }
}

fn collider(polygons: &Polygons) -> Collider {
    Collider::new(Polyhedron::new(polygons).expect("a mesh"))
}

/// The second body goes from a pose to another.
fn moves(from: Pose, to: Pose) -> Step {
    Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to))
}

fn turned(angle: f64, height: f64) -> Pose {
    Pose::new([0.0, height, 0.0], DQuat::from_rotation_y(angle)).expect("finite")
}

fn shown(bodies: [&Polygons; 2], step: &Step, options: &Options) -> Vec<Contact> {
    let [a, b] = bodies.map(collider);
    contacts(&a, &b, step, options, &mut Workspace::new()).expect("few records").to_vec()
}

/// Fails unless each of the options shows the one contact between edges that the exact method
/// finds.
fn expect_crossing(bodies: [&Polygons; 2], step: &Step, options: &[Options]) {
    let [a, b] = bodies.map(collider);
    let proper = chasles::Options { min_properness: 0.1, ..Default::default() };
    let mut memory = chasles::Workspace::new();
    let mut exact = chasles::contacts(&a, &b, step, &proper, &mut memory).to_vec();
    exact.retain(|contact| contact.normal_speed < 0.0);
    let [due] = exact[..] else { panic!("{exact:?} instead of one contact") };
    assert!(matches!(due.features, Features::Ee { .. }));
    for options in options {
        let shown = shown(bodies, step, options);
        let is_due = |c: &Contact| c.features == due.features && (c.time - due.time).abs() < 1e-9;
        assert!(shown.iter().any(is_due), "{options:?} shows {shown:?} instead of {due:?}");
    }
}

fn wire([p, q]: [[f64; 3]; 2]) -> Polygons {
    shapes::segment(p.into(), q.into())
}

/// A sharp edge between two points, with a face on each side of it.
fn blade(ends: [DVec3; 2], sides: [DVec3; 2]) -> Polygons {
    let [p, q] = ends;
    let [u, v] = sides;
    let vertices = [p, q, p + u, p + v, q + u, q + v].map(|at| at.to_array());
    let faces: [&[u32]; 5] = [&[0, 1, 4, 2], &[0, 3, 5, 1], &[2, 4, 5, 3], &[0, 2, 3], &[1, 5, 4]];
    Polygons::new(vertices, faces)
}

/// The middle of the first wire is nearer to the axis than its ends, and nothing else reaches the
/// other body.
#[test]
fn wires_are_bent_like_other_edges() {
    let long = wire([[10.0, -4.0, -4.0], [10.0, 4.0, 4.0]]);
    let step = moves(turned(-10.0_f64.to_radians(), 0.0), turned(12.0_f64.to_radians(), 0.0));
    let robust = Options { robust: true, ..pixels(12) };
    let all = [pixels(12), pixels(100), robust];
    expect_crossing([&long, &wire([[9.5, 0.0, 0.0], [10.5, 0.0, 0.0]])], &step, &all);
    let sides = [[0.0, -0.3, 1.0], [0.0, 0.3, 1.0]].map(DVec3::from);
    let ends = [[9.5, 0.0, 0.0], [10.5, 0.0, 0.0]].map(DVec3::from);
    expect_crossing([&long, &blade(ends, sides)], &step, &all);
}

#[test]
fn a_coarse_first_look_sees_wires() {
    let bodies =
        [[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [[0.1, -1.0, 0.0], [0.1, 1.0, 0.0]]].map(wire);
    let at = |z: f64| Pose::from_position([0.0, 0.0, z]).expect("finite");
    let coarse = |robust: bool| Options { coarse_first: 4, robust, ..pixels(12) };
    let all = [pixels(12), coarse(false), coarse(true)];
    expect_crossing([&bodies[0], &bodies[1]], &moves(at(-1.0), at(2.0)), &all);
}

/// The height on the screen of an edge toward the axis that rises has an inflection: the curve of
/// this one crosses its chord in the middle.
#[test]
fn edges_that_wind_around_their_chords_are_crossed() {
    let ends = [[0.0, -0.31194, 0.15], [0.0, 0.31194, 1.95]].map(DVec3::from);
    let sides = [[0.00077, 0.0215, -0.0011], [0.01528, 0.01514, 0.0011]].map(DVec3::from);
    let long = blade(ends, sides);
    let ends = [[0.018145, -0.220067, 0.440755], [-0.010887, -0.207351, 0.436347]].map(DVec3::from);
    let sides = [[-0.008024, -0.0157, 0.007559], [-0.008024, -0.02094, -0.007559]].map(DVec3::from);
    let step = moves(turned(-0.9, -0.9), turned(0.1, 0.1));
    let all = [6, 8, 12, 24, 48].map(pixels);
    expect_crossing([&long, &blade(ends, sides)], &step, &all);
}

/// Poses that are turned alike leave a turn between them that is rounding, about an axis that may
/// go through the bodies.
#[test]
fn turns_that_are_rounding_cost_nothing() {
    let torus = Torus { segments: [40, 30], ..Torus::default() };
    let torus = Shape::Torus(torus).polygons().expect("fits");
    let [a, b] = [&torus, &torus].map(collider);
    let mut workspace = Workspace::new();
    let mut records = |tenths: u32| {
        let axis = DVec3::new(1.0, 2.0, 3.0).normalize();
        let turn = DQuat::from_axis_angle(axis, (0.1 * f64::from(tenths)).to_radians());
        let at = |z: f64| Pose::new([2.6, 0.1, z], turn).expect("finite");
        contacts(&a, &b, &moves(at(1.0), at(-1.0)), &pixels(6), &mut workspace).expect("few");
        workspace.statistics().records
    };
    let mut before = records(300);
    for tenths in 301..500 {
        let now = records(tenths);
        assert!(now < 2 * before + 50, "{now} after {before} at {tenths} / 10 degrees");
        before = now;
    }
}

/// Singles do not tell pixels apart that are so far from the middle of the screen, in any
/// direction.
#[test]
fn bodies_too_long_for_the_pixels_are_refused() {
    let cube = shapes::cuboid(DVec3::ONE);
    for along in [DVec3::X, DVec3::Y] {
        let moved = |by: DVec3| shapes::mapped(cube.clone(), |v| v + by);
        let long = shapes::joined(&[moved(1e8 * along), moved(-1e8 * along)]);
        let at =
            |z: f64| Pose::from_position(1e8 * along + DVec3::new(0.2, 0.3, z)).expect("finite");
        let step = moves(at(1.5), at(0.5));
        let [a, b] = [&long, &cube].map(collider);
        let found = contacts(&a, &b, &step, &pixels(12), &mut Workspace::new()).map(<[_]>::len);
        assert!(matches!(found, Err(ScreenError::TooManyRecords { .. })), "{along}: {found:?}");
    }
}
