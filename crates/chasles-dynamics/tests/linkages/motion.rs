//! Pendulums, cranks and bars against closed forms.

use std::f64::consts::PI;

use chasles::Pose;
use chasles_dynamics::body::Velocity;
use chasles_dynamics::linkage::Joint;
use glam::{DQuat, DVec3};

use crate::kinds::Make;
use crate::kit::{G, Random, System, solid};

/// The arithmetic-geometric mean, with which a pendulum's period is `2 pi √(l / g) / agm(1, cos)`.
fn agm(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..30 {
        [a, b] = [0.5 * (a + b), (a * b).sqrt()];
    }
    a
}

/// A rod of length 1 that hangs at the origin, turned by an angle about `z`.
fn pendulum(make: Make, amplitude: f64) -> System {
    let mut system = System::default();
    system.place(None, DVec3::ZERO);
    let turn = DQuat::from_rotation_z(amplitude);
    let pose = Pose::new(turn * DVec3::new(0.0, -0.5, 0.0), turn).expect("finite");
    let rod = solid(2.0, DVec3::new(2.0 / 12.0, 0.001, 2.0 / 12.0));
    system.add(Some(rod), pose);
    let anchors = system.at([0, 1], DVec3::ZERO, DVec3::Z);
    system.joints.push(make([0, 1], anchors).expect("two bodies"));
    system
}

/// The first time at which a released pendulum hangs straight down, times 4; and how much the
/// energy strayed in ten periods, of what there is to swing with.
fn period(make: Make, amplitude: f64, h: f64) -> (f64, f64) {
    let mut system = pendulum(make, amplitude);
    let start = system.energy();
    let swing = start + 2.0 * G * 0.5;
    let mut found = None;
    let mut stray = 0.0f64;
    for step in 0..(20.0 / h) as usize {
        let before = system.poses[1].position().x;
        system.step(h);
        let after = system.poses[1].position().x;
        if after <= 0.0 && found.is_none() {
            found = Some(4.0 * h * (step as f64 + before / (before - after)));
        }
        stray = stray.max((system.energy() - start).abs() / swing);
    }
    (found.expect("it swings"), stray)
}

#[test]
fn pendulums_swing_with_the_period_of_the_closed_form() {
    // About the end of a rod: l = I / (m d) = (1/12 + 1/4) / (1/2).
    let length: f64 = 2.0 / 3.0;
    for amplitude in [0.05, 0.5 * PI] {
        let exact = 2.0 * PI * (length / G).sqrt() / agm(1.0, (0.5f64 * amplitude).cos());
        for make in [Joint::ball as Make, Joint::hinge] {
            let [(coarse, stray), (fine, finer)] =
                [0.01, 0.005].map(|h| period(make, amplitude, h));
            let [coarse, fine] = [coarse, fine].map(|found| (found / exact - 1.0).abs());
            assert!(coarse < 2e-4 && fine < 5e-5, "{amplitude}: {coarse} {fine}");
            assert!(stray < 1e-3 && finer < 2e-4, "{amplitude}: energy by {stray}, {finer}");
        }
    }
}

#[test]
fn a_double_pendulum_keeps_its_energy() {
    for h in [0.004, 0.002] {
        let mut system = pendulum(Joint::hinge, 2.0);
        let end = system.poses[1].point(DVec3::new(0.0, -0.5, 0.0));
        let rod = solid(1.0, DVec3::new(1.0 / 12.0, 0.001, 1.0 / 12.0));
        system.place(Some(rod), end + 0.5 * DVec3::X);
        let anchors = system.at([1, 2], end, DVec3::Z);
        system.joints.push(Joint::hinge([1, 2], anchors).expect("two bodies"));
        let start = system.energy();
        let mut stray = 0.0f64;
        for _ in 0..(10.0 / h) as usize {
            system.step(h);
            stray = stray.max((system.energy() - start).abs());
        }
        // Of some 60 J to swing with: of second order.
        assert!(stray < 50.0 * h * h, "energy by {stray} J");
    }
}

const CRANK: f64 = 0.3;
const ROD: f64 = 0.8;

/// A crank about the origin, a rod, and a slide along `x` that is a rail or the paper's two lines.
fn crank(has_rail: bool) -> System {
    let mut system = System::default();
    let [pin, end] = [DVec3::X * CRANK, DVec3::X * (CRANK + ROD)];
    system.place(None, DVec3::ZERO);
    system.place(Some(solid(3.0, DVec3::new(0.1, 0.1, 0.15))), DVec3::ZERO);
    system.place(Some(solid(1.0, DVec3::new(0.01, 0.06, 0.06))), 0.5 * (pin + end));
    system.place(Some(solid(2.0, DVec3::splat(0.02))), end);
    for (bodies, place) in [([0, 1], DVec3::ZERO), ([1, 2], pin), ([2, 3], end)] {
        let anchors = system.at(bodies, place, DVec3::Z);
        system.joints.push(Joint::hinge(bodies, anchors).expect("two bodies"));
    }
    if has_rail {
        let anchors = system.at([0, 3], end, DVec3::X);
        system.joints.push(Joint::rail([0, 3], anchors).expect("two bodies"));
    } else {
        for place in [end, end + 0.1 * DVec3::X] {
            let anchors = system.at([0, 3], place, DVec3::X);
            system.joints.push(Joint::line([0, 3], anchors).expect("two bodies"));
        }
    }
    system
}

#[test]
fn a_piston_follows_its_crank() {
    for has_rail in [true, false] {
        let mut system = crank(has_rail);
        let speed = 10.0;
        system.joints[0] = system.joints[0].drive_angle(speed, 1e6).expect("a hinge");
        system.fit();
        // Three rows too many: all axes are across one plane. The hinge at the slide keeps it from
        // turning about the two lines, so there they are two.
        let rank = if has_rail { (20, 3) } else { (19, 2) };
        assert_eq!(system.linkage.rank(), rank);
        let h = 0.002;
        let [mut worst, mut worst_speed] = [0.0f64; 2];
        for _ in 0..1000 {
            system.fit();
            system.linkage.settle(&mut system.velocities, h);
            let turned = system.joints[0].angle([&system.poses[0], &system.poses[1]]);
            let (sin, cos) = turned.sin_cos();
            let along = (ROD * ROD - (CRANK * sin).powi(2)).sqrt();
            let place = DVec3::X * (CRANK * cos + along);
            worst = worst.max((system.poses[3].position() - place).length());
            let rate = -speed * CRANK * sin * (1.0 + CRANK * cos / along);
            worst_speed = worst_speed.max((system.velocities[3].linear.x - rate).abs());
            system.poses = system.shifted(&system.velocities, h);
            system.straighten(2);
        }
        assert!(worst < 1e-13, "{worst} m off");
        assert!(worst_speed < 1e-12, "{worst_speed} m/s off");
    }
}

/// A crank, a coupler and a rocker of hinges; two more balls hold what is held already.
fn four_bars() -> System {
    let mut system = System::default();
    let corners = [[0.0, 0.0], [0.0, 0.5], [1.5, 1.2], [1.6, 0.0]];
    let corners = corners.map(|[x, y]| DVec3::new(x, y, 0.0));
    system.place(None, DVec3::ZERO);
    for i in 0..3 {
        let rod = solid(1.0, DVec3::new(0.1, 0.1, 0.12));
        system.place(Some(rod), 0.5 * (corners[i] + corners[i + 1]));
    }
    for (i, corner) in corners.into_iter().enumerate() {
        let bodies = [i, (i + 1) % 4];
        let anchors = system.at(bodies, corner, DVec3::Z);
        system.joints.push(Joint::hinge(bodies, anchors).expect("two bodies"));
    }
    for (i, corner) in corners.into_iter().enumerate().take(3).skip(1) {
        let anchors = system.at([i, i + 1], corner + DVec3::Z, DVec3::Z);
        system.joints.push(Joint::ball([i, i + 1], anchors).expect("two bodies"));
    }
    system
}

#[test]
fn four_bars_turn_round_and_keep_energy_and_lengths() {
    let mut system = four_bars();
    system.fit();
    assert_eq!(system.linkage.rank(), (26, 9));
    system.velocities[1].angular = 12.0 * DVec3::Z;
    system.linkage.settle(&mut system.velocities, 0.0);
    let start = system.energy();
    let [mut turned, mut before] =
        [0.0, system.joints[0].angle([&system.poses[0], &system.poses[1]])];
    for _ in 0..4000 {
        system.step(0.001);
        let gap = system.linkage.gap();
        assert!(gap.length < 1e-6 && gap.angle < 1e-6, "{gap:?}");
        let now = system.joints[0].angle([&system.poses[0], &system.poses[1]]);
        turned += (now - before + PI).rem_euclid(2.0 * PI) - PI;
        before = now;
    }
    assert!(turned > 12.0, "it turned by {turned} only");
    let stray = (system.energy() / start - 1.0).abs();
    assert!(stray < 1e-5, "energy by {stray}");
}

#[test]
fn corrections_square_the_error() {
    let mut random = Random(11);
    for _ in 0..20 {
        let mut system = four_bars();
        let by: Vec<Velocity> = (0..4).map(|_| random.velocity()).collect();
        system.poses = system.shifted(&by, 0.02);
        let fixed = system.poses[0];
        system.fit();
        let mut gaps = vec![system.linkage.gap()];
        for _ in 0..4 {
            system.straighten(1);
            system.fit();
            gaps.push(system.linkage.gap());
        }
        let sizes: Vec<f64> = gaps.iter().map(|gap| gap.length.max(gap.angle)).collect();
        assert!(sizes[0] > 1e-3);
        for pair in sizes.windows(2) {
            assert!(pair[1] < 20.0 * pair[0] * pair[0] + 1e-13, "{sizes:?}");
        }
        assert!(sizes[4] < 1e-13, "{sizes:?}");
        assert_eq!(system.poses[0], fixed);
    }
}

#[test]
fn corrections_with_old_factors_shrink_the_error_and_steps_are_short() {
    let mut random = Random(12);
    let mut system = four_bars();
    system.joints.truncate(3);
    let by: Vec<Velocity> = (0..4).map(|_| random.velocity()).collect();
    system.poses = system.shifted(&by, 0.02);
    system.fit();
    for step in system.linkage.correction(1e-3) {
        assert!(step.linear.length() < 1.000_001e-3);
    }
    for _ in 0..12 {
        let by = system.linkage.correction(1.0);
        system.poses = system.shifted(&by, 1.0);
        let (joints, poses) = (system.joints.clone(), system.poses.clone());
        system.linkage.measure(&joints, &poses).expect("the same joints");
    }
    let gap = system.linkage.gap();
    assert!(gap.length < 1e-10 && gap.angle < 1e-10, "{gap:?}");
}

#[test]
fn loops_that_have_drifted_still_turn() {
    let mut random = Random(13);
    let turned = |drift: f64, random: &mut Random| {
        let mut system = four_bars();
        let by: Vec<Velocity> = (0..4).map(|_| random.velocity()).collect();
        system.poses = system.shifted(&by, drift);
        system.fit();
        assert_eq!(system.linkage.rank(), (26, 9), "by {drift}");
        let mut velocities = vec![Velocity::ZERO; 4];
        velocities[1].angular = 12.0 * DVec3::Z;
        system.linkage.settle(&mut velocities, 0.0);
        velocities[1].angular.z
    };
    let exact = turned(0.0, &mut random);
    for drift in [1e-8, 1e-6, 1e-5, 1e-4, 3e-4] {
        for _ in 0..100 {
            let error = (turned(drift, &mut random) / exact - 1.0).abs();
            assert!(error < 100.0 * drift, "{error} by {drift}");
        }
    }
}
