//! Random linkages: energy is never gained, momentum is kept, joints stay together.

use chasles_dynamics::body::Velocity;
use chasles_dynamics::impulse::several::{self, collide_all};
use chasles_dynamics::impulse::spread::{Spread, collide_spreading};
use chasles_dynamics::impulse::{Loose, Response, Touch};
use chasles_dynamics::linkage::Joint;

use crate::kinds::KINDS;
use crate::kit::{Random, System, difference, largest};

/// Two to seven bodies in a tree of joints, sometimes with loops and several joints on a pair, and
/// sometimes with limits.
fn linkage(random: &mut Random, has_fixed: bool) -> System {
    let mut system = System::default();
    let bodies = 2 + random.below(6);
    for body in 0..bodies {
        let is_dynamic = body > 0 || !has_fixed;
        let solid = random.solid();
        system.add(is_dynamic.then_some(solid), random.pose());
    }
    let extra = random.below(3);
    for number in 1..bodies + extra {
        let second = if number < bodies { number } else { 1 + random.below(bodies - 1) };
        let ends = [random.below(second), second];
        let anchors = system.at(ends, random.vector(), random.vector());
        let joint = KINDS[random.below(KINDS.len())].0(ends, anchors).expect("two bodies");
        system.joints.push(limited(joint, random));
    }
    system.velocities = system.solids.iter().map(|_| random.velocity()).collect();
    if has_fixed {
        system.velocities[0] = Velocity::ZERO;
    }
    system.fit();
    system
}

fn limited(joint: Joint, random: &mut Random) -> Joint {
    let room = 0.02 * random.unit();
    let limits = [
        joint.limit_angle(-room, 0.5 * room),
        joint.limit_travel(-room, 0.5 * room),
        joint.limit_swing(1e-3 + room),
    ];
    let limited = limits[random.below(3)];
    if random.unit() < 0.5 { limited.unwrap_or(joint) } else { joint }
}

#[test]
fn settling_never_adds_energy_and_leaves_no_joint_apart() {
    let mut random = Random(21);
    let mut loose = 0;
    for case in 0..10_000 {
        let mut system = linkage(&mut random, case % 2 == 0);
        let before = system.kinetic();
        system.linkage.settle(&mut system.velocities, 0.01);
        let after = system.kinetic();
        assert!(after <= before * (1.0 + 1e-12), "{case}: from {before} to {after}");
        let parting = system.linkage.parting(&system.velocities);
        assert!(parting < 3e-5, "{case}: apart with {parting}");
        loose += usize::from(parting > 1e-9);
        let settled = system.velocities.clone();
        system.linkage.settle(&mut system.velocities, 0.01);
        let change = difference(&settled, &system.velocities);
        assert!(change < 1e-8, "{case}: settled again, velocities change by {change}");
    }
    // Rows within 1e-5 of following from others are left to them.
    assert!(loose <= 5, "{loose} linkages do not fit to rounding");
}

#[test]
fn a_collision_of_linked_bodies_never_adds_energy() {
    collide(22, 10_000);
}

#[test]
#[ignore = "two hundred thousand collisions"]
fn two_hundred_thousand_collisions_of_linked_bodies_never_add_energy() {
    collide(22, 200_000);
}

/// Lets linked bodies collide at random, and asserts what they keep, and that impulses do what
/// inverse effective mass says.
fn collide(seed: u64, count: usize) {
    let mut random = Random(seed);
    let mut apart = 0;
    for case in 0..count {
        let system = linkage(&mut random, case % 2 == 0);
        let linkage = &system.linkage;
        let n = system.solids.len();
        let mut velocities = system.velocities.clone();
        let is_settled = case % 4 < 2;
        if is_settled {
            linkage.settle(&mut velocities, 0.01);
        }
        let first = random.below(n);
        let ends = [first, (first + 1 + random.below(n - 1)) % n];
        let [point, normal] = [random.vector(), random.vector().normalize()];
        let restitution = random.unit();
        let speed = linkage.approach(&velocities, ends, point).dot(normal);
        let inv_effective_mass = normal.dot(linkage.inv_effective_mass(ends, point) * normal);
        if inv_effective_mass < 1e-6 {
            continue;
        }
        let impulse = -(1.0 + restitution) * speed / inv_effective_mass * normal;
        let before = system.kinetic_of(&velocities);
        let parting = linkage.parting(&velocities);
        linkage.push(&mut velocities, ends, point, impulse);
        let after = system.kinetic_of(&velocities);
        let scale = impulse.length() * speed.abs();
        // Of velocities that do not fit, a part of the approach belongs to no push.
        let is_lower = after <= before + 1e-9 * (before + scale);
        assert!(is_lower || !is_settled, "{case}: {before} to {after}");
        let left = linkage.approach(&velocities, ends, point).dot(normal);
        let size = largest(&velocities).max(speed.abs());
        // Softness is rounded up by 1e-12 of what loose bodies have.
        let free = Loose(&system.inertias(&system.poses)).inv_effective_mass(ends, point);
        let most = free.x_axis.x + free.y_axis.y + free.z_axis.z;
        let blur = 1e-8 * size + 2e-12 * most * impulse.length();
        let error = (left + restitution * speed).abs();
        assert!(error < blur, "{case}: {left} of {speed}");
        let parted = (linkage.parting(&velocities) - parting).abs();
        assert!(parted < 3e-5 * size, "{case}: joints part by {parted} more");
        apart += usize::from(parted > 1e-9 * size);
        linkage.settle(&mut velocities, 0.01);
        let settled = system.kinetic_of(&velocities);
        assert!(settled <= after * (1.0 + 1e-12), "{case}: {after} to {settled}");
    }
    // Rows within 1e-5 of following from others are left to them.
    assert!(apart <= count / 50_000, "{apart} pushes part joints");
}

/// One to six contacts anywhere between bodies of a linkage, of all restitutions and frictions.
fn touches(random: &mut Random, bodies: usize) -> Vec<Touch> {
    let touch = |random: &mut Random| {
        let first = random.below(bodies);
        Touch {
            bodies: [first, (first + 1 + random.below(bodies - 1)) % bodies],
            point: random.vector(),
            normal: random.vector().normalize(),
            gap: 0.0,
            restitution: random.unit(),
            friction: 2.0 * random.unit() * random.unit(),
        }
    };
    (0..1 + random.below(6)).map(|_| touch(random)).collect()
}

/// Lets linkages collide in several places, together or one after the other, and asserts that none
/// gains energy, pulls or leaves its cone.
fn collide_in_places(seed: u64, count: usize) {
    let mut random = Random(seed);
    for case in 0..count {
        let mut system = linkage(&mut random, case % 2 == 0);
        system.linkage.settle(&mut system.velocities, 0.0);
        let touches = touches(&mut random, system.solids.len());
        let mut velocities = system.velocities.clone();
        let impulses = if case % 4 < 2 {
            let options = several::Options::default();
            collide_all(&system.linkage, &mut velocities, &touches, &options).impulses
        } else {
            let options = Spread::default();
            collide_spreading(&system.linkage, &mut velocities, &touches, &options).impulses
        };
        let [before, after] = [&system.velocities, &velocities].map(|v| system.kinetic_of(v));
        assert!(after <= before * (1.0 + 1e-9), "{case}: from {before} to {after}");
        let strongest = impulses.iter().map(|p| p.length()).fold(0.0, f64::max);
        for (touch, impulse) in touches.iter().zip(&impulses) {
            let push = touch.normal.dot(*impulse);
            let across = (*impulse - push * touch.normal).length();
            assert!(push >= 0.0, "{case}: a pull of {push}");
            assert!(across <= touch.friction * push + 1e-12 * strongest, "{case}: {touch:?}");
        }
    }
}

#[test]
fn linkages_that_collide_in_several_places_gain_no_energy_and_never_pull() {
    collide_in_places(27, 2_000);
}

#[test]
#[ignore = "a hundred thousand collisions"]
fn a_hundred_thousand_linkages_that_collide_gain_no_energy_and_never_pull() {
    collide_in_places(28, 100_000);
}

#[test]
fn momentum_is_kept_without_fixed_bodies() {
    let mut random = Random(23);
    for case in 0..2_000 {
        let mut system = linkage(&mut random, false);
        let n = system.solids.len();
        // Joints that have drifted apart keep it too.
        let drift: Vec<Velocity> = (0..n).map(|_| random.velocity()).collect();
        system.poses = system.shifted(&drift, 0.01);
        system.fit();
        let (linear, angular) = system.momentum(&system.velocities);
        let size: f64 = system.solids.iter().flatten().map(|solid| 10.0 * solid.mass()).sum();
        let mut velocities = system.velocities.clone();
        system.linkage.settle(&mut velocities, 0.01);
        system.linkage.push(&mut velocities, [0, n - 1], random.vector(), random.vector());
        let (p, l) = system.momentum(&velocities);
        let error = (p - linear).length().max((l - angular).length()) / size;
        assert!(error < 1e-12, "{case}: momentum changes by {error}");
    }
}

#[test]
fn the_same_linkage_gives_the_same_bits() {
    let run = || {
        let mut random = Random(24);
        let mut system = linkage(&mut random, true);
        system.linkage.settle(&mut system.velocities, 0.01);
        system.velocities
    };
    assert_eq!(run(), run());
    // A linkage that has been fitted to other joints before is as good as a new one.
    let mut random = Random(25);
    for case in 0..100 {
        let fresh = linkage(&mut random, case % 2 == 0);
        let mut used = fresh.clone();
        for joint in &mut used.joints {
            *joint = Joint::ball(joint.bodies(), joint.anchors()).expect("two bodies");
        }
        used.fit();
        used.joints = fresh.joints.clone();
        used.fit();
        let [mut a, mut b] = [fresh.velocities.clone(), fresh.velocities.clone()];
        used.linkage.settle(&mut a, 0.01);
        fresh.linkage.settle(&mut b, 0.01);
        assert_eq!(a, b);
    }
}
