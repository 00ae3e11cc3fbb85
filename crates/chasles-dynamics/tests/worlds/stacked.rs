//! Stacks of boxes of all sizes and densities, and houses of cards: they neither gain energy nor
//! stop in the air.

use chasles::Pose;
use chasles_dynamics::{Body, World};
use chasles_testkit::generate::Random;
use glam::{DQuat, DVec3};

use crate::scenes::{at, cuboid, dynamic, energy, floor, made_of, weight};

const DT: f64 = 1.0 / 60.0;

/// Boxes on each other, each a little off the one below, with up to a thousand times its density.
fn odd_stack(random: &mut Random) -> World {
    let (restitution, friction) =
        (random.one_of(&[0.0, 0.3, 0.6]), random.one_of(&[0.3, 0.8, 2.0]));
    let made = made_of(restitution, friction);
    let mut world = World::new(crate::options());
    world.add(floor().made_of(made));
    let mut height = 0.0;
    for _ in 0..8 + random.below(9) {
        let density = 1000.0 * 10_f64.powf(random.between(-1.5, 1.5));
        let size = [0.5, 0.5, 0.1].map(|least| random.between(least, 1.0));
        let [x, y] = [0, 1].map(|_| random.between(-0.08, 0.08));
        height += 1e-4 + 0.5 * size[2];
        world.add(dynamic(&cuboid(size), density).made_of(made).at(at(x, y, height)));
        height += 0.5 * size[2];
    }
    world
}

#[test]
fn odd_stacks_come_to_rest_and_gain_no_energy() {
    for seed in 0..12 {
        let mut world = odd_stack(&mut Random::new(seed));
        let weight = weight(&world);
        for step in 0..90 {
            let before = energy(&world);
            world.step(DT).expect("a step");
            let gain = (energy(&world) - before) / weight;
            assert!(gain < 1e-5, "seed {seed} is lifted by {gain} m in step {step}");
        }
        assert!(world.bodies()[1..].iter().all(Body::is_asleep), "seed {seed} does not rest");
    }
}

/// A tower of a hundred boxes, each thrown a little faster than the one below.
#[test]
fn a_tower_of_thrown_boxes_waits_for_nothing() {
    let mut world = World::new(crate::options());
    world.add(floor());
    let cube = cuboid([0.2; 3]);
    for i in 0..100 {
        let height = 0.2 * (0.5001 + 1.0001 * f64::from(i));
        let body = dynamic(&cube, 1000.0).at(at(0.002 * f64::from(i % 3), 0.0, height));
        world.add(body.moving(DVec3::X * 0.005 * f64::from(i), DVec3::ZERO));
    }
    for step in 0..12 {
        let report = world.step(DT).expect("a step");
        assert!(report.waiting.is_empty(), "{} wait in step {step}", report.waiting.len());
        assert!(report.parts <= 2, "{} parts in step {step}", report.parts);
    }
}

#[test]
fn stacks_stand_whatever_their_friction() {
    for friction in [1e9, 1e77, 1e150, 1e300] {
        let mut world = World::new(crate::options());
        let made = made_of(0.0, friction);
        world.add(floor().made_of(made));
        for i in 0..12 {
            let place = at(0.1 * f64::from(i % 3), 0.0, 0.505 + 1.005 * f64::from(i));
            let density = if i % 2 == 0 { 100.0 } else { 3000.0 };
            world.add(dynamic(&cuboid([1.0; 3]), density).made_of(made).at(place));
        }
        for step in 0..90 {
            let done = world.step(DT);
            assert!(done.is_ok(), "{friction}: {done:?} in step {step}");
        }
        let rest = world.bodies()[1..].iter().filter(|body| body.is_asleep()).count();
        assert_eq!(rest, 12, "with a friction of {friction}");
    }
}

/// All contacts of the plate depend on each other.
#[test]
fn a_light_plate_on_four_legs_carries_boxes_a_thousand_times_heavier() {
    let mut world = World::new(crate::options());
    world.add(floor());
    for [x, y] in [[-3.0, -3.0], [3.0, -3.0], [-3.0, 3.0], [3.0, 3.0]] {
        world.add(dynamic(&cuboid([0.5, 0.5, 1.0]), 1000.0).at(at(x, y, 0.505)));
    }
    world.add(dynamic(&cuboid([12.0, 12.0, 0.5]), 100.0).at(at(0.0, 0.0, 1.265)));
    for i in 0..9 {
        let [x, y] = [i % 3, i / 3].map(|place| 1.1 * (f64::from(place) - 1.0));
        world.add(dynamic(&cuboid([1.0; 3]), 1e6).at(at(x, y, 2.03)));
    }
    for step in 0..90 {
        let report = world.step(DT).expect("a step");
        assert!(report.waiting.is_empty(), "{} wait in step {step}", report.waiting.len());
    }
    assert!(world.bodies()[1..].iter().all(Body::is_asleep));
}

/// Two cards that lean against each other with their upper edges, and one on top of them, on each
/// other three times.
fn card_house(size: f64) -> World {
    let mut world = World::new(crate::options());
    let made = made_of(0.0, 0.3);
    world.add(floor().made_of(made));
    let (thick, lean) = (0.02 * size, 0.35_f64);
    let height = size * lean.cos() + thick * lean.sin();
    let aside = 0.5 * size * lean.sin() + 0.5 * thick / lean.cos() + 0.001 * size;
    let [leaning, lying] = [[thick, 0.7 * size, size], [1.5 * size, 0.7 * size, thick]].map(cuboid);
    for story in 0..3 {
        let base = f64::from(story) * (height + 1.2 * thick) + 0.0005 * size;
        for side in [-1.0, 1.0] {
            let turn = DQuat::from_rotation_y(-side * lean);
            let pose = Pose::new([side * aside, 0.0, base + 0.5 * height], turn).expect("finite");
            world.add(dynamic(&leaning, 700.0).made_of(made).at(pose));
        }
        let top = at(0.0, 0.0, base + height + 0.55 * thick);
        world.add(dynamic(&lying, 700.0).made_of(made).at(top));
    }
    world
}

/// Where edges meet that are almost parallel, one end is a touch and the other is hit.
#[test]
fn falling_houses_of_small_cards_do_not_stop_in_the_air() {
    let mut world = card_house(1.8e-3);
    let mut longest = 0;
    let mut row = 0;
    for _ in 0..80 {
        let report = world.step(1.0 / 240.0).expect("a step");
        row = if report.waiting.is_empty() { 0 } else { row + 1 };
        longest = longest.max(row);
    }
    assert!(longest < 10, "cards wait for {longest} steps in a row");
}
