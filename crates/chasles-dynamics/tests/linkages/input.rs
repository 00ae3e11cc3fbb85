//! Wrong joints are refused, with the reason.

use std::f64::consts::PI;

use chasles::Pose;
use chasles_dynamics::body::Inertia;
use chasles_dynamics::linkage::{Anchor, Joint, JointError, Linkage, LinkageError};
use glam::DVec3;

fn anchors() -> [Anchor; 2] {
    [Anchor::at(DVec3::ZERO).expect("a place"), Anchor::at(DVec3::X).expect("a place")]
}

#[test]
fn anchors_need_a_place_and_an_axis() {
    assert!(matches!(Anchor::at([f64::NAN, 0.0, 0.0]), Err(JointError::Anchor(_))));
    assert!(matches!(Anchor::along([0.0; 3], [0.0; 3]), Err(JointError::Axis(_))));
    assert!(matches!(Anchor::along([0.0; 3], [f64::NAN, 1.0, 0.0]), Err(JointError::Axis(_))));
    assert!(matches!(Anchor::along([0.0; 3], [f64::INFINITY, 1.0, 0.0]), Err(JointError::Axis(_))));
    assert!(matches!(Anchor::along([f64::INFINITY; 3], [1.0; 3]), Err(JointError::Anchor(_))));
    for size in [1e-300, 1.0, 1e300] {
        for way in [DVec3::Z, -DVec3::Z, DVec3::new(1.0, -2.0, 0.5)] {
            let anchor = Anchor::along(DVec3::X, size * way).expect("an axis");
            let axis = anchor.frame().vector(DVec3::Z);
            assert!((axis - way.normalize()).length() < 1e-14, "{size} {way}");
        }
    }
}

#[test]
fn joints_need_two_bodies() {
    assert_eq!(Joint::ball([3, 3], anchors()), Err(JointError::Itself(3)));
    assert_eq!(Joint::weld([0, 0], anchors()), Err(JointError::Itself(0)));
}

#[test]
fn limits_need_an_interval_and_motors_a_force() {
    let hinge = Joint::hinge([0, 1], anchors()).expect("two bodies");
    let rail = Joint::rail([0, 1], anchors()).expect("two bodies");
    let ball = Joint::ball([0, 1], anchors()).expect("two bodies");
    assert!(matches!(hinge.limit_angle(1.0, 0.0), Err(JointError::Limits { .. })));
    assert!(matches!(hinge.limit_angle(f64::NAN, 0.0), Err(JointError::Limits { .. })));
    assert!(matches!(rail.limit_travel(0.0, f64::NAN), Err(JointError::Limits { .. })));
    assert!(rail.limit_travel(f64::NEG_INFINITY, 0.0).is_ok());
    assert!(hinge.limit_angle(0.0, 0.0).is_ok());
    for swing in [0.0, -1.0, PI + 0.1, f64::NAN] {
        assert!(matches!(ball.limit_swing(swing), Err(JointError::Swing(_))));
    }
    assert!(matches!(hinge.drive_angle(1.0, -1.0), Err(JointError::Force(_))));
    assert!(matches!(hinge.drive_angle(1.0, f64::NAN), Err(JointError::Force(_))));
    assert!(matches!(rail.drive_travel(f64::INFINITY, 1.0), Err(JointError::Speed(_))));
    assert!(matches!(ball.limit_angle(0.0, 1.0), Err(JointError::Missing(_))));
    assert!(matches!(hinge.limit_travel(0.0, 1.0), Err(JointError::Missing(_))));
    assert!(matches!(hinge.limit_swing(1.0), Err(JointError::Missing(_))));
    assert!(matches!(ball.drive_angle(0.0, 1.0), Err(JointError::Missing(_))));
    assert!(matches!(ball.drive_travel(0.0, 1.0), Err(JointError::Missing(_))));
}

#[test]
fn linkages_need_their_bodies() {
    let joint = Joint::ball([0, 2], anchors()).expect("two bodies");
    let bodies = [Inertia::fixed(DVec3::ZERO); 2];
    let poses = [Pose::IDENTITY; 2];
    let unknown = LinkageError::UnknownBody { joint: 0, body: 2, bodies: 2 };
    assert_eq!(Linkage::new(&[joint], &bodies, &poses).err(), Some(unknown));
    let poses_missing = LinkageError::Poses { poses: 1, bodies: 2 };
    assert_eq!(Linkage::new(&[], &bodies, &poses[..1]).err(), Some(poses_missing));
    let mut linkage = Linkage::new(&[], &bodies, &poses).expect("nothing to hold");
    linkage.settle(&mut [Default::default(); 2], 0.1);
    let ball = Joint::ball([0, 1], anchors()).expect("two bodies");
    assert_eq!(linkage.measure(&[ball], &poses).err(), Some(LinkageError::OtherJoints));
}
