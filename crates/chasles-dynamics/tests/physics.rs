//! What bodies in windows do, next to the closed forms of mechanics.

#[path = "worlds/scenes.rs"]
#[allow(dead_code)]
mod scenes;

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

use chasles::mesh::shapes::{Cylinder, Shape, Torus};
use chasles::{Collider, Polygons, Polyhedron, Pose};
use chasles_dynamics::world::Route;
use chasles_dynamics::{Body, BodyId, Options, World};
use glam::{DQuat, DVec3};
use scenes::{at, cuboid, dynamic, floor, made_of, solid};

const DT: f64 = 1.0 / 60.0;
const GRAVITY: f64 = 9.81;

/// How the worlds of the scenes move.
fn options() -> Options {
    Options::windows()
}

/// A world in which nothing sleeps, so nothing stands because it does.
fn awake() -> World {
    World::new(Options { sleep_below: 0.0, ..options() })
}

fn place(world: &World, id: BodyId) -> DVec3 {
    world.bodies()[id.index()].pose().position()
}

/// Steps, without a wait.
fn run(world: &mut World, seconds: f64) {
    for step in 0..(seconds / DT).round() as u32 {
        let report = world.step(DT).expect("a step");
        assert_eq!(report.waiting, [], "in step {step}");
    }
}

#[test]
fn a_block_on_a_slope_of_one_in_two_holds_at_a_friction_of_a_half_and_slips_below() {
    let slope = 0.5_f64.atan();
    let way = |friction: f64| {
        let mut world = awake();
        let turn = DQuat::from_rotation_y(slope);
        let on = |height: f64| Pose::new(turn * DVec3::Z * height, turn).expect("finite");
        let made = made_of(0.0, friction);
        world.add(Body::fixed(cuboid([40.0, 4.0, 1.0])).at(on(-0.5)).made_of(made));
        let block = dynamic(&cuboid([0.4, 0.4, 0.2]), 500.0).made_of(made).at(on(0.1002));
        let block = world.add(block);
        let start = place(&world, block);
        run(&mut world, 5.0);
        place(&world, block).distance(start)
    };
    let held = way(0.5);
    assert!(held < 1e-3, "creeps by {held} m in 5 s");
    let expected = 0.5 * 25.0 * GRAVITY * (slope.sin() - 0.49 * slope.cos());
    let slipped = way(0.49);
    assert!((slipped / expected - 1.0).abs() < 0.05, "{slipped} m, not {expected} m in 5 s");
}

/// A house of cards: tents side by side, with cards laid across their tops, level on level.
fn card_house(levels: u32) -> World {
    let mut world = awake();
    let made = made_of(0.0, 0.8);
    world.add(floor().made_of(made));
    let [length, thick, lean] = [0.1, 0.003, 20_f64.to_radians()];
    let gap = 1e-6;
    let card = cuboid([thick, 0.06, length]);
    let low = 0.5 * (length * lean.cos() + thick * lean.sin()) + gap;
    let inner = 0.5 * (length * lean.sin() + thick * lean.cos()) + gap;
    let mut put = |x: f64, z: f64, angle: f64| {
        let pose = Pose::new([x, 0.0, z], DQuat::from_rotation_y(angle)).expect("finite");
        world.add(dynamic(&card, 900.0).made_of(made).at(pose));
    };
    // Half a card that lies is between two tents, so those of a level stand a card and a bit apart.
    let pitch = length + 4.0 * gap;
    let story = 2.0 * low + thick + 2.0 * gap;
    for level in 0..levels {
        let tents = levels - level;
        let base = f64::from(level) * story;
        let x = |tent: u32| (f64::from(tent) - 0.5 * f64::from(tents - 1)) * pitch;
        for tent in 0..tents {
            for side in [-1.0, 1.0] {
                put(x(tent) + side * inner, base + low, -side * lean);
            }
        }
        for tent in 1..tents {
            put(0.5 * (x(tent - 1) + x(tent)), base + 2.0 * low + 0.5 * thick, FRAC_PI_2);
        }
    }
    world
}

#[test]
fn card_tents_and_houses_of_two_and_four_levels_stand() {
    for levels in [1, 2, 4] {
        let mut world = card_house(levels);
        let before: Vec<DVec3> = world.bodies().iter().map(|body| body.pose().position()).collect();
        run(&mut world, 2.0);
        for (body, before) in world.bodies().iter().zip(before) {
            let moved = body.pose().position().distance(before);
            assert!(moved < 0.01, "a card of {levels} levels moves by {moved} m");
        }
    }
}

/// A coin is a wheel of as many spokes as it has sides. From spoke to spoke the spin of a disc is
/// that of one of inertia 1/2 about its middle that is stopped at a corner: `(1/2 + cos a) /
/// (3/2)`. Windows stop it by a little more, the less the shorter they are.
#[test]
fn a_coin_rolls_on_its_rim_as_a_wheel_of_spokes_does() {
    let (radius, sides, speed) = (0.1, 48, 0.7);
    let seconds = 1.5;
    let angle = TAU / f64::from(sides);
    let kept = (0.5 + angle.cos()) / 1.5;
    // Speeds fall by the same share at each spoke, so they fall evenly over the way.
    let rate = -kept.ln() / (2.0 * radius * (0.5 * angle).sin());
    let expected = (1.0 + rate * speed * seconds).ln() / rate;
    let shape = solid(&Shape::Cylinder(Cylinder { radius, height: 0.04, segments: sides }));
    let rolls = |dt: f64| {
        let mut world = awake();
        let rough = made_of(0.0, 0.8);
        world.add(floor().made_of(rough));
        // On a side, at the gap that is kept; the axis lies along y.
        let height = radius * (0.5 * angle).cos() + 1e-4;
        let turn = DQuat::from_rotation_y(0.5 * angle + FRAC_PI_2);
        let pose = Pose::new([0.0, 0.0, height], turn).expect("finite");
        let coin = dynamic(&shape, 8000.0).made_of(rough).at(pose);
        let coin = world.add(coin.moving(DVec3::X * speed, DVec3::Y * speed / radius));
        for _ in 0..(seconds / dt).round() as u32 {
            world.step(dt).expect("a step");
        }
        let end = place(&world, coin);
        let axis = world.bodies()[coin.index()].pose().vector(DVec3::Y);
        assert!(axis.y.abs() > 0.999 && end.y.abs() < 1e-3, "it tips over: {axis} at {end}");
        end.x / expected
    };
    for (dt, least) in [(1.0 / 60.0, 0.6), (1.0 / 240.0, 0.85), (1e-3, 0.95)] {
        let share = rolls(dt);
        assert!((least..1.02).contains(&share), "{share} of {expected} m in steps of {dt} s");
    }
}

/// Windows are straight for what lies on a table that turns, so it goes outwards by a share
/// `turn² dt / 2` in a second.
#[test]
fn a_turntable_carries_a_box_as_long_as_friction_holds_it() {
    let [radius, friction] = [0.5, 0.5];
    let carried = |turn: f64| {
        let mut world = awake();
        let made = made_of(0.0, friction);
        let route = Route::twist(at(0.0, 0.0, -0.05), DVec3::ZERO, DVec3::Z * turn);
        let table = Body::kinematic(cuboid([3.0, 3.0, 0.1]), route.expect("a route"));
        world.add(table.made_of(made));
        let start = at(radius, 0.0, 0.0502);
        let spun = DVec3::Z * turn;
        let cube = dynamic(&cuboid([0.1; 3]), 500.0).made_of(made).at(start);
        let cube = world.add(cube.moving(spun.cross(start.position()), spun));
        run(&mut world, 3.0);
        place(&world, cube)
    };
    // It holds up to a turn of the root of friction times gravity over radius: 3.13 rad/s.
    let slow = carried(2.5);
    let angle = slow.y.atan2(slow.x).rem_euclid(TAU);
    let expected = (3.0_f64 * 2.5).rem_euclid(TAU);
    let drift = (2.5 * 2.5 * 0.5 * DT * 3.0).exp();
    let out = slow.truncate().length() / radius;
    assert!((0.999..1.01 * drift).contains(&out), "slips out to {slow}");
    assert!((angle - expected).abs() < 0.02, "at {angle} rad, not {expected} rad");
    let fast = carried(3.6);
    assert!(fast.truncate().length() > 1.0, "is held to {fast} where friction cannot");
}

/// A ring that hangs on a pin swings about the pin as long as it does not slip on it.
#[test]
fn a_ring_on_a_pin_has_the_period_of_a_compound_pendulum() {
    let [major, minor, pin] = [0.3, 0.03, 0.01];
    let mut world = awake();
    let ring = solid(&Shape::Torus(Torus { major, minor, segments: [48, 12] }));
    let made = made_of(0.0, 1.0);
    let peg = Shape::Cylinder(Cylinder { radius: pin, height: 1.0, segments: 12 });
    // Both axes along y; the ring hangs on the pin at the origin, turned aside by an amplitude.
    world.add(Body::fixed(solid(&peg)).made_of(made));
    let amplitude = 0.3;
    let inner = major - minor;
    let lever = inner - pin;
    let turn = DQuat::from_rotation_y(amplitude);
    let hung = turn * DVec3::Z * -(lever - 5e-4);
    let pose = Pose::new(hung, turn).expect("finite");
    let ring = world.add(dynamic(&ring, 8000.0).made_of(made).at(pose));
    let mass_properties = *world.bodies()[ring.index()].mass_properties().expect("it has mass");
    let about = mass_properties.moments().max_element();
    // The middle of the ring is on a circle of this radius about the pin's middle, and the ring
    // rolls on the pin: it turns by less than its middle does, by the share lever / inner.
    let share = lever / inner;
    let inertia = mass_properties.mass() * lever * lever + about * share * share;
    let small = TAU * (inertia / (mass_properties.mass() * GRAVITY * lever)).sqrt();
    // The series of the period over the amplitude of the middle.
    let expected = small * (1.0 + amplitude * amplitude / 16.0);
    let (mut crossings, mut last) = (Vec::new(), place(&world, ring).x);
    for step in 1..=(12.0 / DT) as u32 {
        let report = world.step(DT).expect("a step");
        assert_eq!(report.waiting, [], "in step {step}");
        let x = place(&world, ring).x;
        if x * last < 0.0 {
            crossings.push(DT * (f64::from(step) - x / (x - last)));
        }
        last = x;
    }
    let swings = crossings.len() - 1;
    let period = 2.0 * (crossings[swings] - crossings[0]) / swings as f64;
    assert!((period / expected - 1.0).abs() < 0.02, "{period} s, not {expected} s");
}

/// A stone of an arch: between two angles and two radii, as thick as one metre.
fn voussoir(angles: [f64; 2], radii: [f64; 2]) -> Arc<Collider> {
    let corner = |angle: f64, radius: f64, y: f64| [radius * angle.cos(), y, radius * angle.sin()];
    let ring = |y: f64| {
        let [[from, to], [inside, outside]] = [angles, radii];
        [(from, inside), (from, outside), (to, outside), (to, inside)]
            .map(|(angle, radius)| corner(angle, radius, y))
    };
    let vertices = ring(-0.5).into_iter().chain(ring(0.5));
    let sides =
        [[0, 1, 2, 3], [7, 6, 5, 4], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]];
    let faces = sides.map(|side| side.to_vec());
    let mesh = Polyhedron::new(&Polygons::new(vertices, faces)).expect("a stone");
    Arc::new(Collider::new(mesh))
}

/// A half-circle stands if it is thicker than 0.1075 of its mean radius (Milankovitch), and falls
/// if it is thinner.
#[test]
fn a_round_arch_stands_if_it_is_thick_enough() {
    let sunk = |thickness: f64, seconds: f64| {
        let mut world = awake();
        let made = made_of(0.0, 0.8);
        world.add(floor().made_of(made));
        const STONES: u32 = 17;
        let radii = [5.0 - 2.5 * thickness, 5.0 + 2.5 * thickness];
        let wide = PI / f64::from(STONES);
        for k in 0..STONES {
            let angles = [k, k + 1].map(|k| f64::from(k) * wide);
            let stone = dynamic(&voussoir([angles[0] + 1e-6, angles[1] - 1e-6], radii), 2500.0);
            world.add(stone.made_of(made).at(at(0.0, 0.0, 1e-5)));
        }
        let key = BodyId(1 + (STONES / 2) as usize);
        let start = world.bodies()[key.index()].centre();
        for _ in 0..(seconds / DT).round() as u32 {
            world.step(DT).expect("a step");
        }
        world.bodies()[key.index()].centre().distance(start)
    };
    let thick = sunk(0.16, 3.0);
    assert!(thick < 0.01, "the keystone of a thick arch moves by {thick} m");
    let thin = sunk(0.07, 3.0);
    assert!(thin > 0.5, "the keystone of a thin arch moves by {thin} m only");
}
