//! Bodies that nothing outside touches keep their momentum, linear and angular, through their
//! collisions.

use chasles_dynamics::{Body, Options, World};
use chasles_testkit::generate::Random;
use glam::DVec3;

use crate::scenes::{at, cuboid, dynamic, made_of};

/// Linear and angular momentum, and what roundings of them are measured against.
struct Momentum {
    linear: DVec3,
    angular: DVec3,
    scales: [f64; 2],
}

impl Momentum {
    fn of(world: &World) -> Self {
        let mut sum = Self { linear: DVec3::ZERO, angular: DVec3::ZERO, scales: [0.0; 2] };
        for body in world.bodies() {
            let [linear, angular] = body.momentum();
            sum.linear += linear;
            sum.angular += angular;
            sum.scales[0] += linear.length();
            sum.scales[1] += angular.length();
        }
        sum
    }

    /// How much of both is lost, as shares.
    fn lost(&self, now: &Self) -> [f64; 2] {
        let [linear, angular] = self.scales;
        let [p, l] = [now.linear - self.linear, now.angular - self.angular];
        [p.length() / linear, l.length() / angular]
    }
}

/// Boxes that spin and fly at each other from all sides.
fn swarm(seed: u64, count: u32) -> World {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
    let random = &mut Random::new(seed);
    for i in 0..count {
        let size = [0; 3].map(|_| random.between(0.2, 0.9));
        let turn = std::f64::consts::TAU * f64::from(i) / f64::from(count);
        let place = 2.0 * DVec3::X.rotate_z(turn);
        let linear = -random.between(1.0, 20.0) * place + 0.5 * random.vector();
        let body = dynamic(&cuboid(size), random.between(1.0, 50.0));
        let body = body.made_of(made_of(random.unit(), random.unit()));
        world.add(body.at(at(place.x, place.y, place.z)).moving(linear, 3.0 * random.vector()));
    }
    world
}

fn energy(world: &World) -> f64 {
    world.bodies().iter().map(Body::kinetic_energy).sum()
}

#[test]
fn momentum_stays_when_spinning_boxes_meet() {
    let mut impacts = 0;
    for seed in 0..40 {
        let mut world = swarm(seed, 2 + seed as u32 % 3);
        let start = Momentum::of(&world);
        for step in 0..40 {
            let before = energy(&world);
            impacts += world.step(1.0 / 60.0).expect("a step").impacts.len();
            let [linear, angular] = start.lost(&Momentum::of(&world));
            assert!(linear < 1e-14, "{seed}: {linear:e} of the momentum in step {step}");
            assert!(angular < 1e-12, "{seed}: {angular:e} of the angular one in step {step}");
            let after = energy(&world);
            assert!(after <= before * (1.0 + 1e-12), "{seed}: {before} to {after} J in {step}");
        }
    }
    assert!(impacts > 40, "{impacts} impacts");
}
