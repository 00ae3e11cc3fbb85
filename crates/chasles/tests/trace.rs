//! Traces never interpenetrate, never stop far from the world, and answer every odd question.

#![allow(clippy::print_stdout, reason = "the soaks print what they counted")]

use std::f64::consts::{PI, TAU};

use chasles::glam::DVec3;
use chasles::trace::{Body, Fixture, Trace, Turn, Workspace, World};
use chasles::{Polygons, Pose};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::shapes;
use chasles_testkit::trace::{self, Motion, Soup, lowest_distance};

/// No cell of the zone reaches further, in thicknesses.
const REACH: f64 = 3.0;

struct Case {
    world: World,
    fixed: Soup,
    body: Body,
    moving: Soup,
    start: Pose,
    motion: Motion,
}

impl Case {
    fn trace(&self, workspace: &mut Workspace) -> Trace {
        match self.motion {
            Motion::Shift(by) => {
                self.world.translate(&self.body, &self.start, by, workspace).expect("finite")
            }
            Motion::Turn(origin, axis, angle) => {
                let turn = Turn::new(origin, axis, angle).expect("finite");
                self.world.rotate(&self.body, &self.start, &turn, workspace)
            }
        }
    }

    /// What is wrong with an answer.
    fn fault(&self, trace: &Trace, round: u32) -> Option<String> {
        let e = trace.thickness;
        let at_start = self.moving.distance(&self.start, &self.fixed, f64::INFINITY);
        if trace.started_solid {
            // Only the first start may be anywhere; the next ones are where a trace ended.
            return (round > 0).then(|| "starts in the solid".into());
        }
        // At corners, where few of the cells cover, the zone is thinner than elsewhere. In the zone
        // heights over panels must not shrink; the distance may, by the slant of a cell.
        let allowed = if at_start >= e { 0.5 * e } else { 0.3 * at_start };
        let way = (&self.moving, &self.start);
        let lowest = lowest_distance(way, &self.fixed, &self.motion, trace.fraction, e);
        if lowest < allowed {
            return Some(format!("comes as near as {} thicknesses", lowest / e));
        }
        let at_end = self.moving.distance(&trace.end, &self.fixed, 4.0 * e);
        if trace.fraction > 0.0 && at_end < allowed {
            return Some(format!("ends at {} thicknesses", at_end / e));
        }
        if trace.touch.is_some() && at_end > REACH * e {
            return Some(format!("stops at {} thicknesses", at_end / e));
        }
        if trace.touch.is_none() && trace.fraction < 1.0 {
            return Some("stops for nothing".into());
        }
        None
    }
}

fn world_mesh(random: &mut Random) -> Polygons {
    match random.below(3) {
        0 => generate::closed_mesh(random),
        1 => shapes::sheet(3, 2),
        _ => {
            let apart = 1.2 * random.direction();
            let other = shapes::mapped(generate::convex_mesh(random), |v| 0.6 * v + apart);
            shapes::joined(&[shapes::mapped(generate::convex_mesh(random), |v| 0.6 * v), other])
        }
    }
}

fn body_mesh(random: &mut Random) -> Polygons {
    let mesh = match random.below(8) {
        0 => shapes::point(DVec3::ZERO),
        1 => shapes::segment(random.vector(), random.vector()),
        2 => shapes::polygon(&shapes::regular(4, 0.3)),
        3 => generate::closed_mesh(random),
        _ => generate::convex_mesh(random),
    };
    let size = random.between(0.2, 0.8);
    shapes::mapped(mesh, |v| size * v)
}

/// A body somewhere outside that comes near the middle of the world.
fn case(seed: u64, is_turn: bool) -> Case {
    let mut random = Random::new(seed);
    let [fixed, moving] = [world_mesh(&mut random), body_mesh(&mut random)];
    let offset = random.one_of(&[0.0, 0.0, 10.0, 1e4]) * random.direction();
    let fixed = shapes::mapped(fixed, |v| v + offset);
    let world = World::new(vec![Fixture::new(fixed.clone())]).expect("a world");
    let thickness = random.one_of(&[0.0, 1e-9, 1e-6, 1e-3]);
    let world =
        if thickness > 0.0 { world.with_thickness(thickness).expect("positive") } else { world };
    let from = offset + random.between(1.5, 3.0) * random.direction();
    let start = Pose::new(from, random.rotation()).expect("finite");
    let target = offset + 0.7 * random.vector();
    let motion = if is_turn {
        // Both ends lie on a circle about the axis.
        let chord = target - from;
        let axis = chord.cross(random.direction()).normalize();
        let aside =
            axis.cross(chord) * random.between(-1.0, 1.0) + axis * random.between(-1.0, 1.0);
        Motion::Turn((from + target) * 0.5 + aside, axis, random.between(-TAU, TAU))
    } else {
        Motion::Shift((target - from) * random.between(0.5, 2.0))
    };
    let body = Body::new(&moving).expect("a body");
    let [fixed, moving] = [&fixed, &moving].map(Soup::new);
    Case { world, fixed, body, moving, start, motion }
}

/// Traces each case, then goes on from where it ended, so that most starts are in the zone.
fn check(count: u64, is_turn: bool) {
    let mut workspace = Workspace::new();
    let [mut stopped, mut free, mut in_zone, mut solid] = [0; 4];
    let mut faults = Vec::new();
    for seed in 0..count {
        let mut case = case(seed, is_turn);
        let mut random = Random::new(!seed);
        for round in 0..4 {
            let trace = case.trace(&mut workspace);
            if let Some(fault) = case.fault(&trace, round) {
                faults.push(format!("seed {seed}, round {round}: {fault}: {trace:?}"));
                break;
            }
            if trace.started_solid {
                solid += 1;
                break;
            }
            *(if trace.touch.is_some() { &mut stopped } else { &mut free }) += 1;
            in_zone += u32::from(round > 0 && trace.touch.is_some());
            let Some(touch) = trace.touch else { break };
            case.start = trace.end;
            case.motion = next_motion(&case, touch.normal, &mut random, is_turn);
        }
    }
    println!("{stopped} stopped, {free} free, {in_zone} again from the zone, {solid} in the solid");
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults[..faults.len().min(12)].join("\n")
    );
    assert!(u64::from(stopped) > count / 3 && u64::from(free) > count / 20);
}

/// On along the surface, back from it, or into it.
fn next_motion(case: &Case, normal: DVec3, random: &mut Random, is_turn: bool) -> Motion {
    if is_turn {
        let origin = case.start.position() + random.vector();
        return Motion::Turn(origin, random.direction(), random.between(-PI, PI));
    }
    let by = random.between(0.1, 2.0) * random.direction();
    Motion::Shift(match random.below(3) {
        0 => by - normal * by.dot(normal),
        1 => by,
        _ => by - normal * (by.dot(normal) - random.between(-1e-3, 1e-3)),
    })
}

#[test]
fn shifts_stop_in_the_zone_and_nowhere_else() {
    check(400, false);
}

#[test]
fn turns_stop_in_the_zone_and_nowhere_else() {
    check(400, true);
}

#[test]
#[ignore = "takes minutes: cargo test --release -p chasles --test trace -- --ignored"]
fn twenty_thousand_shifts_stop_in_the_zone() {
    check(20_000, false);
}

#[test]
#[ignore = "takes minutes: cargo test --release -p chasles --test trace -- --ignored"]
fn twenty_thousand_turns_stop_in_the_zone() {
    check(20_000, true);
}

/// What happens to one body in a closed room.
#[derive(Debug, Default)]
struct Count {
    moves: u64,
    stops: u64,
    at_once: u64,
    free_directions: u64,
    lowest: f64,
}

/// Moves and turns a body at random, each time to where the trace ends.
fn soak(moves: u64, offset: f64, mesh: &Polygons) -> Count {
    let at = offset * DVec3::new(0.6, -0.48, 0.64);
    let room = shapes::mapped(trace::room(20, 40, 7), |v| v + at);
    let world = World::new(vec![Fixture::new(room.clone())]).expect("a world");
    let body = Body::new(mesh).expect("a body");
    let [fixed, moving] = [&room, mesh].map(Soup::new);
    let mut workspace = Workspace::new();
    let mut random = Random::new(offset.to_bits());
    let mut pose = Pose::from_position(at).expect("finite");
    let mut count = Count { lowest: f64::INFINITY, ..Count::default() };
    for i in 0..moves {
        let trace = random_move(&world, &body, &pose, &mut random, &mut workspace);
        assert!(!trace.started_solid, "move {i} starts in the world: {pose:?}");
        let e = trace.thickness;
        let distance = moving.distance(&trace.end, &fixed, 4.0 * e);
        assert!(distance > 0.2 * e, "move {i} ends {} thicknesses away", distance / e);
        count.lowest = count.lowest.min(distance / e);
        count.moves += 1;
        count.stops += u64::from(trace.touch.is_some());
        count.at_once += u64::from(trace.fraction == 0.0);
        pose = trace.end;
        if trace.touch.is_some() && i % 16 == 0 {
            let near = moving.near(&pose, &fixed, 14.0 * e);
            let free = directions().filter(|&d| near.is_free(d, e));
            for direction in free {
                count.free_directions += 1;
                let by = 10.0 * e * direction;
                let out = world.translate(&body, &pose, by, &mut workspace).expect("finite");
                assert!(out.fraction > 0.0, "stuck after move {i}: {pose:?} along {direction}");
            }
        }
    }
    count
}

fn random_move(
    world: &World,
    body: &Body,
    pose: &Pose,
    random: &mut Random,
    workspace: &mut Workspace,
) -> Trace {
    let length = random.one_of(&[1e-6, 0.1, 1.0, 5.0]);
    match random.below(2) {
        0 => {
            let by = length * random.direction();
            world.translate(body, pose, by, workspace).expect("finite")
        }
        _ => {
            let origin = pose.position() + random.between(0.0, 1.0) * random.vector();
            let turn = Turn::new(origin, random.direction(), length.min(PI)).expect("finite");
            world.rotate(body, pose, &turn, workspace)
        }
    }
}

/// 64 unit vectors, spread over the sphere along a spiral.
fn directions() -> impl Iterator<Item = DVec3> {
    (0..64).map(|i| {
        let y = 1.0 - (2.0 * f64::from(i) + 1.0) / 64.0;
        let (sine, cosine) = (f64::from(i) * 2.399_963_229_728_653).sin_cos();
        let radius = (1.0 - y * y).sqrt();
        DVec3::new(radius * cosine, y, radius * sine)
    })
}

#[test]
fn many_moves_in_a_room_neither_cross_nor_get_stuck() {
    for (offset, mesh) in walkers() {
        let count = soak(2_000, offset, &mesh);
        println!("{count:?}");
        assert!(count.stops > 400 && count.free_directions > 500, "{count:?}");
    }
}

#[test]
#[ignore = "takes minutes: cargo test --release -p chasles --test trace -- --ignored"]
fn a_million_moves_of_a_ring_neither_cross_nor_get_stuck() {
    let [(offset, mesh), _] = walkers();
    println!("{:?}", soak(1_000_000, offset, &mesh));
}

#[test]
#[ignore = "takes minutes: cargo test --release -p chasles --test trace -- --ignored"]
fn a_million_moves_of_a_brick_far_out_neither_cross_nor_get_stuck() {
    let [_, (offset, mesh)] = walkers();
    println!("{:?}", soak(1_000_000, offset, &mesh));
}

/// A body with a hole near the origin, and a brick far from it.
fn walkers() -> [(f64, Polygons); 2] {
    [(0.0, shapes::torus(6, 5, 0.5, 0.2)), (1e4, shapes::cuboid(DVec3::new(0.4, 0.7, 1.1)))]
}
