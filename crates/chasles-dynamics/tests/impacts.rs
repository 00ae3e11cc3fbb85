//! What collisions keep: momentum always, energy never more than there was; they push and never
//! pull, and leave nothing approaching.

mod crowd;

use chasles_dynamics::body::{Inertia, Material, Velocity};
use chasles_dynamics::impulse::account::Account;
use chasles_dynamics::impulse::rest;
use chasles_dynamics::impulse::several::{self, collide_all};
use chasles_dynamics::impulse::spread::{Spread, collide_spreading};
use chasles_dynamics::impulse::{Loose, Touch, pair};
use chasles_testkit::generate::Random;
use crowd::{Crowd, ball, fixed_floor, touch};
use glam::{DMat3, DQuat, DVec3};

/// Random collisions in `./test`; the long run has the full number.
const FEW: u64 = 2_000;
const MANY: u64 = 100_000;

/// How contacts are made to collide.
#[derive(Clone, Copy, Debug)]
enum Law {
    Alone,
    Together,
    Spreading,
}

/// The worst of what may be wrong, as shares of energy, momentum, impulse and speed before.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    gain: f64,
    linear: f64,
    angular: f64,
    pull: f64,
    cone: f64,
    approach: f64,
    error: f64,
    sweeps: usize,
    /// How often rounds ran out.
    cut: usize,
}

impl Worst {
    fn add(&mut self, other: &Self) {
        for (mine, other) in [
            (&mut self.gain, other.gain),
            (&mut self.linear, other.linear),
            (&mut self.angular, other.angular),
            (&mut self.pull, other.pull),
            (&mut self.cone, other.cone),
            (&mut self.approach, other.approach),
            (&mut self.error, other.error),
        ] {
            *mine = mine.max(other);
        }
        self.sweeps = self.sweeps.max(other.sweeps);
        self.cut += other.cut;
    }
}

/// Lets a crowd collide, and compares before and after.
fn collide(crowd: &Crowd, law: Law) -> Worst {
    let response = Loose(&crowd.bodies);
    let mut velocities = crowd.velocities.clone();
    let touches = match law {
        Law::Alone => &crowd.touches[..1],
        _ => &crowd.touches,
    };
    let fastest =
        touches.iter().map(|touch| crowd.approach(touch, &velocities)).fold(0.0, f64::max);
    let (impulses, solved, is_cut) = match law {
        Law::Alone => (vec![pair::collide(&response, &mut velocities, &touches[0])], None, false),
        Law::Together => {
            let found =
                collide_all(&response, &mut velocities, touches, &several::Options::default());
            (found.impulses, Some(found.solved), false)
        }
        Law::Spreading => {
            let found = collide_spreading(&response, &mut velocities, touches, &Spread::default());
            (found.impulses, Some(found.solved), found.is_cut)
        }
    };
    let [before, after] =
        [&crowd.velocities, &velocities].map(|velocities| Account::of(&crowd.bodies, velocities));
    let strongest = impulses.iter().map(|p| p.length()).fold(f64::MIN_POSITIVE, f64::max);
    let over = |f: &dyn Fn(&Touch, DVec3) -> f64| {
        touches.iter().zip(&impulses).map(|(touch, &p)| f(touch, p)).fold(0.0, f64::max)
    };
    let momentum = crowd.momentum_scale(strongest);
    // What spreads ends at a threshold in m/s.
    let left = if let Law::Spreading = law { Spread::default().threshold } else { 0.0 };
    Worst {
        gain: (after.energy - before.energy) / before.energy,
        linear: if crowd.is_isolated() {
            (after.linear - before.linear).length() / momentum
        } else {
            0.0
        },
        angular: if crowd.is_isolated() {
            (after.angular - before.angular).length() / momentum
        } else {
            0.0
        },
        pull: over(&|touch, p| -touch.normal.dot(p) / strongest),
        cone: over(&|touch, p| {
            let push = touch.normal.dot(p);
            ((p - push * touch.normal).length() - touch.friction * push) / strongest
        }),
        approach: over(&|touch, _| crowd.approach(touch, &velocities) - left) / fastest.max(1e-3),
        error: solved.map_or(0.0, |solved| solved.error) / fastest.max(1e-3),
        sweeps: solved.map_or(0, |solved| solved.sweeps),
        cut: usize::from(is_cut),
    }
}

#[test]
fn of_two_materials_the_lower_restitution_and_the_larger_friction_count() {
    let material = |restitution, friction| Material::new(restitution, friction).expect("possible");
    let pairs = [[(0.25, 0.4), (0.75, 0.1)], [(0.75, 0.4), (0.25, 0.1)], [(0.5, 0.3), (0.5, 0.3)]];
    for [one, other] in pairs {
        for [(e, mu), (f, nu)] in [[one, other], [other, one]] {
            let both = material(e, mu).with(&material(f, nu));
            let [restitution, friction] = [f64::min(e, f), f64::max(mu, nu)];
            let bodies = [ball(DVec3::Z), fixed_floor()];
            let touch = Touch {
                restitution: both.restitution(),
                friction: both.friction(),
                ..touch([0, 1], DVec3::ZERO, DVec3::Z)
            };
            for order in [[0, 1], [1, 0]] {
                let sign = if order[0] == 0 { 1.0 } else { -1.0 };
                let touch = Touch { bodies: order, normal: sign * DVec3::Z, ..touch };
                let linear = DVec3::new(40.0, 0.0, -2.0);
                let start = [Velocity { linear, angular: DVec3::ZERO }, Velocity::ZERO];
                let response = Loose(&bodies);
                let [mut alone, mut together, mut spread] = [start; 3];
                let sum = |impulses: Vec<DVec3>| impulses.into_iter().sum::<DVec3>();
                let options = several::Options::default();
                let impulses = [
                    pair::collide(&response, &mut alone, &touch),
                    sum(collide_all(&response, &mut together, &[touch; 2], &options).impulses),
                    sum(collide_spreading(&response, &mut spread, &[touch], &Spread::default())
                        .impulses),
                ];
                for (impulse, [after, _]) in impulses.into_iter().zip([alone, together, spread]) {
                    let impulse = sign * impulse;
                    assert!((after.linear.z - 2.0 * restitution).abs() < 1e-12, "{after:?}");
                    assert!((impulse.x + friction * impulse.z).abs() < 1e-12, "{impulse}");
                }
            }
        }
    }
}

#[test]
fn heavy_bodies_of_any_friction_bounce() {
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let friction = random.one_of(&[1e150, 1e300, f64::MAX]);
        let inv_inertia = DMat3::from_diagonal(random.vector().abs() * 1e-11);
        let heavy = Inertia { centre: random.vector(), inv_mass: DVec3::splat(1e-12), inv_inertia };
        let rough = Touch { friction, ..touch([0, 1], DVec3::ZERO, DVec3::Z) };
        let linear = 40.0 * random.vector() - DVec3::Z * 2.0;
        let mut velocities = [Velocity { linear, angular: DVec3::ZERO }, Velocity::ZERO];
        let impulse = pair::collide(&Loose(&[heavy, fixed_floor()]), &mut velocities, &rough);
        assert!(impulse.is_finite(), "seed {seed}: {impulse}");
        assert!(impulse.z >= -1e-15 * impulse.length(), "seed {seed} pulls: {impulse}");
    }
}

/// The worst over many random crowds.
fn worst(law: Law, count: u64, crowd: impl Fn(&mut Random) -> Crowd) -> Worst {
    let mut worst = Worst::default();
    for seed in 0..count {
        worst.add(&collide(&crowd(&mut Random::new(seed)), law));
    }
    worst
}

/// Asserts what every law keeps.
fn keeps(law: Law, count: u64) -> Worst {
    let worst = worst(law, count, Crowd::random);
    keeps_laws(&worst);
    assert!(worst.approach < 1e-8, "a contact still approaches: {worst:?}");
    worst
}

fn keeps_laws(worst: &Worst) {
    assert!(worst.gain < 1e-12, "energy grew: {worst:?}");
    assert!(worst.linear < 1e-12 && worst.angular < 1e-12, "momentum changed: {worst:?}");
    assert!(worst.pull <= 0.0, "a contact pulled: {worst:?}");
    assert!(worst.cone < 1e-12, "friction left its cone: {worst:?}");
}

/// More contacts than are solved directly; sweeps may end before all of them are still.
#[test]
fn dozens_of_contacts_keep_momentum_gain_nothing_and_never_pull() {
    for law in [Law::Together, Law::Spreading] {
        keeps_laws(&worst(law, 100, Crowd::large));
    }
}

#[test]
fn one_contact_keeps_momentum_gains_nothing_and_never_pulls() {
    keeps(Law::Alone, FEW);
}

#[test]
fn several_contacts_keep_momentum_gain_nothing_and_never_pull() {
    keeps(Law::Together, FEW);
}

#[test]
fn bodies_that_clasp_each_other_stop_and_do_not_pass_through() {
    // Seeds where contacts of one pair ask for more speed apart on both sides than there can be.
    for seed in [3342, 3750, 3769] {
        let worst = collide(&Crowd::random(&mut Random::new(seed)), Law::Together);
        assert!(worst.approach < 1e-6 && worst.gain < 1e-12, "seed {seed}: {worst:?}");
    }
}

#[test]
fn impulses_without_bound_that_are_taken_back_leave_no_rounding() {
    // A seed where contacts are wedged, and a direct solution that does not help is a hundred
    // million times stronger than what is found in the end.
    let worst = collide(&Crowd::random(&mut Random::new(21_553)), Law::Together);
    assert!(worst.approach < 1e-9, "{worst:?}");
}

#[test]
fn a_spreading_impact_keeps_momentum_gains_nothing_and_never_pulls() {
    keeps(Law::Spreading, FEW);
}

#[test]
#[ignore = "a hundred thousand collisions"]
fn a_hundred_thousand_single_contacts_keep_what_they_should() {
    eprintln!("{:?}", keeps(Law::Alone, MANY));
}

#[test]
#[ignore = "a hundred thousand collisions"]
fn a_hundred_thousand_crowds_that_collide_together_keep_what_they_should() {
    eprintln!("{:?}", keeps(Law::Together, MANY));
}

#[test]
#[ignore = "a hundred thousand collisions"]
fn a_hundred_thousand_spreading_impacts_keep_what_they_should() {
    eprintln!("{:?}", keeps(Law::Spreading, MANY));
}

#[test]
fn the_normal_speed_comes_back_as_the_restitution_says() {
    for seed in 0..1000 {
        let crowd = Crowd::random(&mut Random::new(seed));
        let touch = crowd.touches[0];
        let mut velocities = crowd.velocities.clone();
        pair::collide(&Loose(&crowd.bodies), &mut velocities, &touch);
        let [before, after] = [&crowd.velocities, &velocities].map(|v| crowd.approach(&touch, v));
        let wrong = (after + touch.restitution * before).abs();
        assert!(wrong < 1e-11, "{before} became {after} with {}", touch.restitution);
    }
}

/// The velocities of five balls in a row after some of them came in.
fn cradle(before: [f64; 5], restitution: f64) -> [f64; 5] {
    let bodies: Vec<_> = (0..5).map(|i| ball(DVec3::X * f64::from(i))).collect();
    let row = |i: usize| Touch {
        restitution,
        ..touch([i, i + 1], DVec3::X * (i as f64 + 0.5), DVec3::NEG_X)
    };
    let touches: Vec<_> = (0..4).map(row).collect();
    let mut velocities =
        before.map(|speed| Velocity { linear: DVec3::X * speed, angular: DVec3::ZERO });
    let _ = collide_spreading(&Loose(&bodies), &mut velocities, &touches, &Spread::default());
    velocities.map(|velocity| velocity.linear.x)
}

#[test]
fn the_cradle_passes_on_as_many_balls_as_come() {
    for (before, expected) in [
        ([2.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 2.0]),
        ([2.0, 2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0, 2.0]),
        ([2.0, 2.0, 2.0, 0.0, 0.0], [0.0, 0.0, 2.0, 2.0, 2.0]),
        ([2.0, 0.0, 0.0, 0.0, -2.0], [-2.0, 0.0, 0.0, 0.0, 2.0]),
        ([0.0, 0.0, 0.0, -1.0, -3.0], [-3.0, -1.0, 0.0, 0.0, 0.0]),
    ] {
        for (found, expected) in cradle(before, 1.0).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{found} for {expected} after {before:?}");
        }
    }
}

#[test]
fn a_soft_cradle_ends_moving_as_one() {
    for speed in cradle([5.0, 0.0, 0.0, 0.0, 0.0], 0.0) {
        assert!((speed - 1.0).abs() < 1e-5, "{speed}");
    }
}

#[test]
fn what_is_symmetric_stays_so_whatever_the_numbers() {
    // A ball falls between two others: both are struck at the same time.
    let [left, right] = [DVec3::new(-0.4, 0.0, 0.0), DVec3::new(0.4, 0.0, 0.0)];
    let bodies = [ball(left), ball(DVec3::Z * 0.9), ball(right)];
    let struck = |other: usize| {
        let normal = (bodies[1].centre - bodies[other].centre).normalize();
        let point = bodies[1].centre - 0.5 * normal;
        Touch { restitution: 0.8, friction: 0.4, ..touch([1, other], point, normal) }
    };
    let mut velocities = [Velocity::ZERO; 3];
    velocities[1].linear = DVec3::NEG_Z;
    let touches = [struck(0), struck(2)];
    let _ = collide_spreading(&Loose(&bodies), &mut velocities, &touches, &Spread::default());
    let [left, middle, right] = velocities.map(|velocity| velocity.linear);
    assert!((left.x + right.x).abs() < 1e-12 && (left.z - right.z).abs() < 1e-12);
    assert!(middle.x.abs() < 1e-12 && right.x > 0.1);
}

/// A box of 2 by 1 by 0.5 that falls on a floor, turned about y: its corners below and its velocity
/// after these of them collide together.
fn landing(tilt: f64, corners: &[usize], restitution: f64) -> (Vec<DVec3>, Velocity) {
    let turn = DMat3::from_quat(DQuat::from_rotation_y(tilt));
    let size = DVec3::new(2.0, 1.0, 0.5);
    let squares = size * size;
    let moments = (DVec3::splat(squares.element_sum()) - squares) / 12.0;
    let inv_inertia = turn * DMat3::from_diagonal(moments.recip()) * turn.transpose();
    let bodies =
        [Inertia { centre: DVec3::ZERO, inv_mass: DVec3::ONE, inv_inertia }, fixed_floor()];
    let signs = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
    let below = |&i: &usize| turn * (0.5 * size * DVec3::new(signs[i].0, signs[i].1, -1.0));
    let at = |point: DVec3| Touch { restitution, friction: 0.3, ..touch([0, 1], point, DVec3::Z) };
    let touches: Vec<_> = corners.iter().map(below).map(at).collect();
    let mut velocities = [Velocity::ZERO; 2];
    velocities[0].linear = DVec3::new(0.2, 0.0, -1.0);
    let options = several::Options::default();
    let found = collide_all(&Loose(&bodies), &mut velocities, &touches, &options);
    (found.impulses, velocities[0])
}

#[test]
fn a_tilted_and_a_straight_box_respond_alike() {
    let all = [0, 1, 2, 3];
    for restitution in [0.0, 0.5, 1.0] {
        let straight = landing(0.0, &all, restitution).1;
        for tilt in [1e-3, -1e-3, 1e-6] {
            let tilted = landing(tilt, &all, restitution).1;
            let apart = (tilted.linear - straight.linear).length()
                + (tilted.angular - straight.angular).length();
            assert!(apart < 20.0 * f64::abs(tilt), "{apart} apart by a tilt of {tilt}");
        }
    }
}

#[test]
fn four_corners_share_a_flat_landing_evenly() {
    let (impulses, _) = landing(0.0, &[0, 1, 2, 3], 0.5);
    let pushes: Vec<_> = impulses.iter().map(|p| p.z).collect();
    // The box slides along x, so front and back differ, but not left and right.
    assert!((pushes[0] - pushes[2]).abs() < 1e-6 && (pushes[1] - pushes[3]).abs() < 1e-6);
    assert!(pushes.iter().all(|&push| push > 0.1), "{pushes:?}");
}

/// Holds a crowd, beginning with guesses up to this strong: the energy before and after, and the
/// worst that an impulse leaves its cone by, as a share of the strongest.
fn held(crowd: &Crowd, random: &mut Random, strongest: f64) -> ([f64; 2], f64) {
    let mut velocities = crowd.velocities.clone();
    let mut impulses: Vec<_> = crowd.touches.iter().map(|_| strongest * random.vector()).collect();
    let options = rest::Options::new(0.0, 1.0 / 60.0);
    let response = Loose(&crowd.bodies);
    let _ = rest::hold(&response, &mut velocities, &crowd.touches, &mut impulses, &options);
    let energy = |velocities: &[Velocity]| Account::of(&crowd.bodies, velocities).energy;
    let most = impulses.iter().map(|p| p.length()).fold(f64::MIN_POSITIVE, f64::max);
    let outside = |(touch, p): (&Touch, &DVec3)| {
        let push = touch.normal.dot(*p);
        let side = (*p - push * touch.normal).length();
        (side - touch.friction * push).max(-push) / most
    };
    let outside = crowd.touches.iter().zip(&impulses).map(outside).fold(0.0, f64::max);
    ([energy(&crowd.velocities), energy(&velocities)], outside)
}

#[test]
fn contacts_that_are_held_gain_no_energy_whatever_their_number_friction_and_guess() {
    for seed in 0..600 {
        let random = &mut Random::new(seed);
        let mut crowd = if seed % 4 == 0 { Crowd::random(random) } else { Crowd::large(random) };
        let friction = random.one_of(&[0.0, 0.5, 1.0, 2.0, 5.0]);
        crowd.touches.iter_mut().for_each(|touch| {
            touch.friction = friction;
            touch.gap = 0.02 * random.unit() * f64::from(u8::from(seed % 3 == 0));
        });
        let strongest = random.one_of(&[0.0, 1.0, 100.0]);
        let ([before, after], outside) = held(&crowd, random, strongest);
        let contacts = crowd.touches.len();
        assert!(
            after <= before * (1.0 + 1e-9),
            "seed {seed}: {before} became {after} J at {contacts} contacts with a friction of \
             {friction}, from {strongest} N s"
        );
        assert!(outside <= 1e-12, "seed {seed}: an impulse is {outside} outside of its cone");
    }
}
