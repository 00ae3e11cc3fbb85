//! What rests stays: stacks stand, blocks hold up to the friction angle, gaps open without energy.

use chasles_dynamics::body::{Inertia, Velocity};
use chasles_dynamics::impulse::rest::{Options, hold, part};
use chasles_dynamics::impulse::{Effort, Loose, Touch};
use glam::{DMat3, DQuat, DVec3};

const GRAVITY: f64 = 9.81;
const DT: f64 = 1.0 / 60.0;
/// The gap that contacts keep.
const TARGET: f64 = 1e-4;

/// A cube of unit mass and side.
#[derive(Clone, Copy)]
struct Cube {
    centre: DVec3,
    turn: DQuat,
}

impl Cube {
    fn inertia(&self) -> Inertia {
        let inv_inertia = DMat3::from_diagonal(DVec3::splat(6.0));
        Inertia { centre: self.centre, inv_mass: DVec3::ONE, inv_inertia }
    }

    fn corner(&self, i: usize, height: f64) -> DVec3 {
        let sign = |bit: usize| if i >> bit & 1 == 0 { -0.5 } else { 0.5 };
        self.centre + self.turn * DVec3::new(sign(0), sign(1), height)
    }

    fn moved(&self, by: &Velocity, time: f64) -> Self {
        Self {
            centre: self.centre + time * by.linear,
            turn: DQuat::from_scaled_axis(time * by.angular) * self.turn,
        }
    }
}

/// Contacts of cubes on each other and of the first on the floor, which is the last body.
fn stacked(cubes: &[Cube], friction: f64) -> Vec<Touch> {
    let mut touches = Vec::new();
    for (i, cube) in cubes.iter().enumerate() {
        for corner in 0..4 {
            let point = cube.corner(corner, -0.5);
            let (below, normal, height) = match i.checked_sub(1).map(|j| (j, cubes[j])) {
                Some((j, under)) => {
                    let normal = under.turn * DVec3::Z;
                    (j, normal, normal.dot(point - under.centre) - 0.5)
                }
                None => (cubes.len(), DVec3::Z, point.z),
            };
            let bodies = [i, below];
            touches.push(Touch { bodies, point, normal, gap: height, restitution: 0.0, friction });
        }
    }
    touches
}

/// One step of a stack: gravity, contacts, motion, and what pushes apart.
fn step(cubes: &mut [Cube], velocities: &mut [Velocity], impulses: &mut [DVec3], together: usize) {
    let mut bodies: Vec<_> = cubes.iter().map(Cube::inertia).collect();
    bodies.push(Inertia::fixed(DVec3::ZERO));
    let count = bodies.len();
    let response = Loose(&bodies);
    velocities[..cubes.len()].iter_mut().for_each(|v| v.linear.z -= GRAVITY * DT);
    let touches = stacked(cubes, 0.5);
    let mut options = Options::new(TARGET, DT);
    options.effort.together = together;
    let _ = hold(&response, velocities, &touches, impulses, &options);
    let (apart, _) = part(&response, count, &touches, 0.5 * TARGET, &options.effort);
    for ((cube, velocity), apart) in cubes.iter_mut().zip(velocities).zip(apart) {
        *cube = cube.moved(velocity, DT).moved(&apart, 0.2);
    }
}

/// The drift and the speed of a stack of ten after ten seconds, with so many contacts solved
/// together at most.
fn stood(together: usize) -> (f64, f64) {
    let at = |i: u32| Cube {
        centre: DVec3::new(
            0.01 * f64::from(i % 3),
            0.0,
            0.5 + TARGET + f64::from(i) * (1.0 + TARGET),
        ),
        turn: DQuat::IDENTITY,
    };
    let mut cubes: Vec<_> = (0..10).map(at).collect();
    let start = cubes.clone();
    let mut velocities = vec![Velocity::ZERO; 11];
    let mut impulses = vec![DVec3::ZERO; 40];
    for _ in 0..600 {
        step(&mut cubes, &mut velocities, &mut impulses, together);
    }
    let drift = cubes.iter().zip(&start).map(|(cube, start)| cube.centre.distance(start.centre));
    let speed = velocities.iter().map(|v| v.linear.length() + v.angular.length());
    (drift.fold(0.0, f64::max), speed.fold(0.0, f64::max))
}

#[test]
fn a_stack_of_ten_stays_where_it_is() {
    let (drift, speed) = stood(64);
    assert!(drift < 1e-4 && speed < 1e-6, "drifted by {drift}, moves at {speed}");
}

#[test]
fn a_stack_solved_pair_by_pair_sways_less_than_one_sees() {
    let (drift, speed) = stood(12);
    assert!(drift < 1e-3 && speed < 1e-3, "drifted by {drift}, moves at {speed}");
}

/// The speed along an incline of a block of friction 0.5 after a second.
fn slid(degrees: f64) -> f64 {
    let down = DQuat::from_rotation_y(f64::to_radians(degrees)).inverse() * DVec3::NEG_Z;
    let cube = [Cube { centre: DVec3::Z * 0.5, turn: DQuat::IDENTITY }];
    let bodies = [cube[0].inertia(), Inertia::fixed(DVec3::ZERO)];
    let touches = stacked(&cube, 0.5);
    let mut velocities = [Velocity::ZERO; 2];
    let mut impulses = [DVec3::ZERO; 4];
    let options = Options::new(0.0, DT);
    for _ in 0..60 {
        velocities[0].linear += GRAVITY * DT * down;
        let _ = hold(&Loose(&bodies), &mut velocities, &touches, &mut impulses, &options);
    }
    velocities[0].linear.x.hypot(velocities[0].linear.y)
}

#[test]
fn a_block_slips_at_the_friction_angle() {
    let angle = f64::to_degrees(f64::atan(0.5));
    let held = slid(angle - 0.1);
    assert!(held < 1e-6, "slips at {held} below the angle");
    let (sin, cos) = f64::to_radians(angle + 0.1).sin_cos();
    let expected = GRAVITY * (sin - 0.5 * cos);
    let slipped = slid(angle + 0.1);
    assert!((slipped - expected).abs() < 1e-3 * expected, "{slipped} for {expected}");
}

#[test]
fn a_gap_may_close_in_a_step_and_no_more() {
    let bodies =
        [Cube { centre: DVec3::Z, turn: DQuat::IDENTITY }.inertia(), Inertia::fixed(DVec3::ZERO)];
    let contact = |gap: f64| Touch {
        bodies: [0, 1],
        point: DVec3::Z * 0.5,
        normal: DVec3::Z,
        gap,
        restitution: 0.9,
        friction: 0.5,
    };
    for (gap, speed, expected) in
        [(0.02, -5.0, -1.2), (0.02, -1.0, -1.0), (0.0, -1.0, 0.0), (-0.1, -1.0, 0.0)]
    {
        let mut velocities =
            [Velocity { linear: DVec3::Z * speed, ..Velocity::ZERO }, Velocity::ZERO];
        let mut impulses = [DVec3::ZERO];
        let options = Options::new(0.0, DT);
        let _ = hold(&Loose(&bodies), &mut velocities, &[contact(gap)], &mut impulses, &options);
        assert!((velocities[0].linear.z - expected).abs() < 1e-12, "{gap} {speed}");
    }
}

#[test]
fn bodies_below_the_target_are_parted_evenly_by_a_displacement() {
    let cubes = [0.4995, 1.4985].map(|z| Cube { centre: DVec3::Z * z, turn: DQuat::IDENTITY });
    let bodies = [cubes[0].inertia(), cubes[1].inertia(), Inertia::fixed(DVec3::ZERO)];
    let touches = stacked(&cubes, 0.5);
    let effort = Effort { sweeps: 100, tolerance: 1e-12, rough: 1e-8, together: 8 };
    let (apart, solved) = part(&Loose(&bodies), 3, &touches, TARGET, &effort);
    assert!(solved.error <= 1e-12, "{solved:?}");
    assert!((apart[0].linear.z - 6e-4).abs() < 1e-9 && (apart[1].linear.z - 1.7e-3).abs() < 1e-9);
    assert!(apart.iter().all(|by| by.angular.length() < 1e-9));
}

#[test]
fn a_guess_from_elsewhere_does_no_harm() {
    let cube = [Cube { centre: DVec3::Z * 0.5, turn: DQuat::IDENTITY }];
    let bodies = [cube[0].inertia(), Inertia::fixed(DVec3::ZERO)];
    let touches = stacked(&cube, 0.5);
    let mut velocities = [Velocity::ZERO; 2];
    velocities[0].linear.z = 1.0;
    let mut impulses = [DVec3::new(3.0, -1.0, 2.0), DVec3::Z, DVec3::NEG_Z, DVec3::ZERO];
    let options = Options::new(0.0, DT);
    let _ = hold(&Loose(&bodies), &mut velocities, &touches, &mut impulses, &options);
    assert!((velocities[0].linear - DVec3::Z).length() < 1e-6, "{:?}", velocities[0]);
    assert!(impulses.iter().all(|p| p.length() < 1e-6), "{impulses:?}");
}
