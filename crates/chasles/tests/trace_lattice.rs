//! Traces on a lattice: whatever coincides, nothing comes near, stops far away, ends in
//! the world or is shut there.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use chasles::glam::{DQuat, DVec3};
use chasles::trace::{Body, Fixture, Trace, Turn, Workspace, World};
use chasles::{Polygons, Pose};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;
use chasles_testkit::trace::{Motion, Soup, lowest_distance};

/// A point with whole coordinates about the origin.
fn whole(random: &mut Random, count: usize) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| random.below(count) as f64)) - ((count - 1) / 2) as f64
}

/// The first of many draws that is fine.
fn drawn<T>(random: &mut Random, draw: impl Fn(&mut Random) -> T, fine: impl Fn(&T) -> bool) -> T {
    loop {
        let drawn = draw(random);
        if fine(&drawn) {
            return drawn;
        }
    }
}

/// A box, a tetrahedron, a triangle or a rectangle, perhaps a slanted one.
fn piece(random: &mut Random) -> Polygons {
    let size = |random: &mut Random| 1.0 + random.below(3) as f64;
    let volume = |t: &[DVec3; 4]| (t[1] - t[0]).cross(t[2] - t[0]).dot(t[3] - t[0]);
    let corners = |random: &mut Random| [0; 4].map(|_| whole(random, 5));
    let low = whole(random, 5);
    match random.below(5) {
        0 | 1 => {
            let size = DVec3::from_array([0; 3].map(|_| size(random)));
            let size = size * random.one_of(&[0.5, 1.0]);
            shapes::mapped(shapes::cuboid(size), |v| v + low + size * 0.5)
        }
        2 => {
            let mut corners = drawn(random, corners, |t| volume(t).abs() > 0.1);
            if volume(&corners) > 0.0 {
                corners.swap(0, 1);
            }
            shapes::tetrahedron(corners)
        }
        3 => {
            let has_area = |t: &[DVec3; 4]| (t[1] - t[0]).cross(t[2] - t[0]).length() > 0.1;
            let corners = drawn(random, corners, has_area);
            Polygons::new(corners[..3].iter().copied(), [[0, 1, 2]])
        }
        _ => {
            let sides = [[DVec3::X, DVec3::Y], [DVec3::Y, DVec3::Z], [DVec3::X, DVec3::ONE]];
            let [u, v] = random.one_of(&sides);
            let [u, v] = [u * size(random), v * size(random)];
            Polygons::new([low, low + u, low + u + v, low + v], [[0, 1, 2, 3]])
        }
    }
}

fn body(random: &mut Random) -> Polygons {
    let is_some = |v: &DVec3| *v != DVec3::ZERO;
    match random.below(7) {
        0 => shapes::point(DVec3::ZERO),
        1 => {
            let length = random.one_of(&[1.0, 4.0]);
            shapes::segment(DVec3::ZERO, length * drawn(random, |r| whole(r, 3), is_some))
        }
        2 => shapes::octahedron(),
        3 => shapes::l_prism(),
        4 => shapes::cube(),
        _ => piece(random),
    }
}

/// Along and about axes of the lattice, through its points.
fn motion(random: &mut Random, tilt: DQuat) -> Motion {
    let axis = tilt * random.one_of(&[DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE.normalize()]);
    match random.below(3) {
        0 => {
            let angles = [FRAC_PI_2, PI, TAU, 2.0 * TAU, -FRAC_PI_2, -PI, 0.3, 1e-3, 1e-12];
            Motion::Turn(tilt * (0.5 * whole(random, 9)), axis, random.one_of(&angles))
        }
        1 => Motion::Shift(axis * random.one_of(&[1.0, -1.0, 3.0, -0.5, 1e-12, 1e3])),
        _ => Motion::Shift(tilt * (whole(random, 5) * random.one_of(&[1.0, 0.5, 1e-3]))),
    }
}

fn traced(
    world: &World,
    (body, start): (&Body, &Pose),
    motion: &Motion,
    workspace: &mut Workspace,
) -> Trace {
    match *motion {
        Motion::Shift(by) => world.translate(body, start, by, workspace).expect("finite"),
        Motion::Turn(origin, axis, angle) => {
            let turn = Turn::new(origin, axis, angle).expect("finite");
            world.rotate(body, start, &turn, workspace)
        }
    }
}

/// The first part of a motion backwards, from its end.
fn reversed(motion: &Motion, part: f64) -> Motion {
    match *motion {
        Motion::Shift(by) => Motion::Shift(-part * by),
        Motion::Turn(origin, axis, angle) => Motion::Turn(origin, axis, -part * angle),
    }
}

/// What is wrong with the answer to a random question, and whether it is a stop.
fn fault(seed: u64, workspace: &mut Workspace) -> (Option<String>, bool) {
    let random = &mut Random::new(seed);
    let tilt = if random.below(3) == 0 { random.rotation() } else { DQuat::IDENTITY };
    let count = 1 + random.below(4);
    let placed: Vec<Polygons> =
        (0..count).map(|_| shapes::mapped(piece(random), |v| tilt * v)).collect();
    let world = World::new(placed.iter().cloned().map(Fixture::new).collect()).expect("a world");
    let e = random.one_of(&[1e-9, 1e-6, 1e-3]);
    let world = world.with_thickness(e).expect("positive");
    let mesh = body(random);
    let body = Body::new(&mesh).expect("a body");
    let gap = e * random.one_of(&[0.0, 0.5, 1.0, 2.0]) * random.one_of(&[DVec3::X, DVec3::Y]);
    let at = whole(random, 9) * random.one_of(&[1.0, 0.5]) + gap;
    let turned = random.one_of(&[0.0, 0.0, FRAC_PI_2, PI, PI / 4.0]);
    let rotation = tilt * DQuat::from_rotation_y(turned);
    let start = Pose::new(tilt * at, rotation).expect("finite");
    let motion = motion(random, tilt);
    let trace = traced(&world, (&body, &start), &motion, workspace);
    if trace.started_solid {
        return (None, false);
    }
    let [fixed, moving] = [Soup::new(&shapes::joined(&placed)), Soup::new(&mesh)];
    let before = moving.distance(&start, &fixed, 10.0 * e);
    let lowest = lowest_distance((&moving, &start), &fixed, &motion, trace.fraction, e);
    // What starts in the zone may come a little closer to one thing where it leaves another.
    let is_near = before > 1e-3 * e && lowest < (0.5 * e).min(0.7 * before);
    let end = moving.distance(&trace.end, &fixed, 10.0 * e);
    let is_stopped = trace.touch.is_some();
    let is_far = trace.touch.is_some_and(|touch| end.max(touch.distance) > 3.0 * e + 1e-12);
    let again = traced(&world, (&body, &trace.end), &motion, workspace);
    // The way back is free, and leads away from whatever stopped the body.
    let is_way_back = is_stopped && before > 3.0 * e && trace.fraction > 0.0;
    let is_shut = is_way_back && {
        let back = reversed(&motion, trace.fraction);
        traced(&world, (&body, &trace.end), &back, workspace).fraction < 1.0
    };
    let faults = [
        (is_near, "comes near"),
        (is_far, "stops far away"),
        (again.started_solid, "ends in the world"),
        (is_shut, "cannot go back"),
        (!is_stopped && trace.fraction < 1.0, "stops for nothing"),
    ];
    let found = faults.into_iter().find(|(is_wrong, _)| *is_wrong);
    let told = found.map(|(_, what)| {
        format!("seed {seed} {what}: {} to {} e, {motion:?} {trace:?}", before / e, lowest / e)
    });
    (told, is_stopped)
}

#[test]
fn what_coincides_on_a_lattice_neither_crosses_nor_stops_far_away_nor_is_shut() {
    let mut workspace = Workspace::new();
    let mut stops = 0;
    let mut faults = Vec::new();
    for seed in 0..3_000 {
        let (fault, is_stop) = fault(seed, &mut workspace);
        faults.extend(fault);
        stops += u32::from(is_stop);
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(stops > 300, "{stops}");
}
