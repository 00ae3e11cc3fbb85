//! Limits stop and never pull; motors reach their speed with the force they have.

use chasles_dynamics::body::Velocity;
use chasles_dynamics::linkage::Joint;
use glam::DVec3;

use crate::kit::{Random, System, difference, solid};

/// A wheel of moment 2 about `z`, or a block of mass 4 along it, held by a fixed body.
fn held(joint: impl Fn(&System) -> Joint) -> System {
    let mut system = System::default();
    system.place(None, DVec3::ZERO);
    system.place(Some(solid(4.0, DVec3::new(1.5, 1.5, 2.0))), DVec3::ZERO);
    system.joints.push(joint(&system));
    system.fit();
    system
}

fn hinge(system: &System) -> Joint {
    Joint::hinge([0, 1], system.at([0, 1], DVec3::ZERO, DVec3::Z)).expect("two bodies")
}

fn rail(system: &System) -> Joint {
    Joint::rail([0, 1], system.at([0, 1], DVec3::ZERO, DVec3::Z)).expect("two bodies")
}

fn spin(speed: f64) -> Velocity {
    Velocity { linear: DVec3::ZERO, angular: speed * DVec3::Z }
}

#[test]
fn limits_stop_at_the_limit_and_never_pull() {
    let system = held(|system| hinge(system).limit_angle(-0.2, 0.1).expect("a hinge"));
    // Speed, seconds, and the speed that is left: what would pass the limit is cut to reach it.
    let cases = [
        (0.5, 0.1, 0.5),
        (2.0, 0.1, 1.0),
        (-1.9, 0.1, -1.9),
        (-5.0, 0.1, -2.0),
        (3.0, 1.0, 0.1),
        (0.0, 1.0, 0.0),
    ];
    for (speed, seconds, expected) in cases {
        let mut velocities = vec![Velocity::ZERO, spin(speed)];
        system.linkage.settle(&mut velocities, seconds);
        let error = difference(&velocities[1..], &[spin(expected)]);
        assert!(error < 1e-13, "{speed}: {:?}", velocities[1]);
    }
}

#[test]
fn a_limit_that_is_passed_lets_go_and_is_taken_back_in_place() {
    let mut system = held(|system| rail(system).limit_travel(-1.0, 0.5).expect("a rail"));
    let shift = Velocity { linear: 0.52 * DVec3::Z, angular: DVec3::ZERO };
    system.poses = system.shifted(&[Velocity::ZERO, shift], 1.0);
    system.fit();
    for (speed, expected) in [(1.0, 0.0), (0.0, 0.0), (-1.0, -1.0)] {
        let along = |speed: f64| Velocity { linear: speed * DVec3::Z, angular: DVec3::ZERO };
        let mut velocities = vec![Velocity::ZERO, along(speed)];
        system.linkage.settle(&mut velocities, 0.01);
        assert!(difference(&velocities[1..], &[along(expected)]) < 1e-13);
    }
    system.straighten(1);
    assert!((system.poses[1].position() - 0.5 * DVec3::Z).length() < 1e-12);
}

#[test]
fn angles_are_measured_the_short_way_to_the_limits() {
    // From 170 to 200 degrees: the angle jumps at 180.
    let [min, max] = [170f64, 200.0].map(f64::to_radians);
    let mut system = held(|system| hinge(system).limit_angle(min, max).expect("a hinge"));
    let start = system.clone();
    for (degrees, speed, expected) in
        [(195f64, 1.0, 5f64), (195.0, -1.0, -25.0), (175.0, -1.0, -5.0)]
    {
        system.poses = start.shifted(&[Velocity::ZERO, spin(degrees.to_radians())], 1.0);
        system.fit();
        let mut velocities = vec![Velocity::ZERO, spin(speed)];
        system.linkage.settle(&mut velocities, 1.0);
        assert!((velocities[1].angular.z - expected.to_radians()).abs() < 1e-12, "{degrees}");
    }
}

#[test]
fn a_swing_stays_in_its_cone() {
    let mut system = held(|system| {
        let anchors = system.at([0, 1], DVec3::new(0.0, 0.0, 1.0), DVec3::Z);
        Joint::ball([0, 1], anchors).expect("two bodies").limit_swing(0.4).expect("a ball")
    });
    let mut random = Random(31);
    system.velocities[1] = random.velocity();
    let h = 0.01;
    let mut most = 0.0f64;
    for _ in 0..2000 {
        system.velocities[1].linear.x += 5.0 * h;
        let before = system.kinetic();
        system.fit();
        system.linkage.settle(&mut system.velocities, h);
        assert!(system.kinetic() <= before * (1.0 + 1e-12));
        system.poses = system.shifted(&system.velocities, h);
        system.straighten(2);
        most = most.max(system.joints[0].swing([&system.poses[0], &system.poses[1]]));
    }
    assert!(most > 0.399 && most < 0.4 + 1e-6, "it swings to {most}");
}

#[test]
fn a_motor_reaches_its_speed_with_the_torque_it_has() {
    let [torque, speed, h] = [3.0, 6.0, 0.01];
    let mut system = held(|system| hinge(system).drive_angle(speed, torque).expect("a hinge"));
    // The moment is 2, so each step gives 0.015 rad/s: 400 steps.
    for step in 1..=450 {
        system.fit();
        system.linkage.settle(&mut system.velocities, h);
        let expected = (torque * h / 2.0 * f64::from(step)).min(speed);
        let found = system.velocities[1].angular.z;
        assert!((found - expected).abs() < 1e-10, "{step}: {found} for {expected}");
        system.poses = system.shifted(&system.velocities, h);
        system.straighten(1);
    }
    let mut system = held(|system| rail(system).drive_travel(-2.0, 10.0).expect("a rail"));
    system.velocities[1].linear.z = 1.0;
    system.linkage.settle(&mut system.velocities, 0.1);
    assert!((system.velocities[1].linear.z - 0.75).abs() < 1e-12);
}

#[test]
fn a_limit_is_stronger_than_a_motor() {
    let joint = |system: &System| {
        let joint = hinge(system).limit_angle(-0.5, 0.1).expect("a hinge");
        joint.drive_angle(100.0, f64::INFINITY).expect("a hinge")
    };
    // No speed satisfies both; the limit's impulse has no bound, and neither has the motor's.
    let mut finite = held(joint);
    finite.joints[0] = finite.joints[0].drive_angle(100.0, 50.0).expect("a hinge");
    finite.fit();
    finite.linkage.settle(&mut finite.velocities, 1.0);
    assert!((finite.velocities[1].angular.z - 0.1).abs() < 1e-9, "{:?}", finite.velocities);
    let endless = held(joint);
    let mut velocities = endless.velocities.clone();
    endless.linkage.settle(&mut velocities, 1.0);
    assert!(velocities[1].angular.is_finite());
}

#[test]
fn many_limits_in_a_chain_hold_together() {
    let mut random = Random(32);
    for _ in 0..50 {
        let mut system = System::default();
        system.place(None, DVec3::ZERO);
        for link in 1..=12 {
            let middle = DVec3::X * (f64::from(link) - 0.5);
            let body = system.place(Some(random.solid()), middle);
            let bodies = [body - 1, body];
            let anchors = system.at(bodies, middle - 0.5 * DVec3::X, DVec3::Z);
            let joint = Joint::hinge(bodies, anchors).expect("two bodies");
            system.joints.push(joint.limit_angle(-0.01, 0.02).expect("a hinge"));
        }
        system.fit();
        let mut velocities: Vec<Velocity> = (0..13)
            .map(|_| Velocity { linear: random.vector(), angular: random.vector() })
            .collect();
        velocities[0] = Velocity::ZERO;
        let before = system.kinetic_of(&velocities);
        system.linkage.settle(&mut velocities, 0.1);
        assert!(system.kinetic_of(&velocities) <= before);
        for joint in &system.joints {
            let [a, b] = joint.bodies().map(|body| velocities[body].angular.z);
            assert!(b - a < 0.2 + 1e-9 && b - a > -0.1 - 1e-9, "{}", b - a);
        }
    }
}
