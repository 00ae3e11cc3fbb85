//! Each kind of joint holds what it says, and is what the paper combines it of.

use chasles_dynamics::body::Velocity;
use chasles_dynamics::linkage::{Anchor, Joint, JointError};
use glam::DVec3;

use crate::kit::{Random, System, difference};

pub(crate) type Make = fn([usize; 2], [Anchor; 2]) -> Result<Joint, JointError>;

/// All kinds, with their rows.
pub(crate) const KINDS: [(Make, usize); 10] = [
    (Joint::ball, 3),
    (Joint::hinge, 5),
    (Joint::cardan, 4),
    (Joint::weld, 6),
    (Joint::line, 2),
    (Joint::piston, 4),
    (Joint::rail, 5),
    (Joint::plane, 1),
    (Joint::plate, 4),
    (Joint::no_spin, 1),
];

/// Two bodies anywhere, with joints that are brought together from afar, so that they slide and
/// turn to some place of their own.
fn assembled(make: Make, random: &mut Random) -> System {
    let mut system = System::default();
    let anchors = [0, 1].map(|_| {
        system.add(Some(random.solid()), random.pose());
        Anchor::along(random.vector(), random.vector()).expect("an axis")
    });
    system.joints.push(make([0, 1], anchors).expect("two bodies"));
    system.straighten(120);
    system.fit();
    system
}

#[test]
fn what_fits_stays_together_to_second_order() {
    let mut random = Random(41);
    for (kind, (make, rows)) in KINDS.into_iter().enumerate() {
        for _ in 0..20 {
            let mut system = assembled(make, &mut random);
            let gap = system.linkage.gap();
            assert!(gap.length < 1e-12 && gap.angle < 1e-12, "{kind}: {gap:?}");
            assert_eq!(system.linkage.rank(), (rows, 0));
            system.velocities = vec![random.velocity(), random.velocity()];
            system.linkage.settle(&mut system.velocities, 0.0);
            system.poses = system.shifted(&system.velocities, 1e-5);
            system.fit();
            let gap = system.linkage.gap();
            assert!(gap.length < 1e-8 && gap.angle < 1e-8, "{kind}: {gap:?}");
        }
    }
}

/// What velocities of two random bodies become under these joints.
fn settled(joints: &[(Make, DVec3, DVec3)]) -> Vec<Velocity> {
    let mut random = Random(42);
    let mut system = System::default();
    for _ in 0..2 {
        system.add(Some(random.solid()), random.pose());
    }
    for &(make, point, axis) in joints {
        let anchors = system.at([0, 1], point, axis);
        system.joints.push(make([0, 1], anchors).expect("two bodies"));
    }
    system.fit();
    let mut velocities = vec![random.velocity(), random.velocity()];
    system.linkage.settle(&mut velocities, 0.0);
    velocities
}

#[test]
fn combinations_are_what_the_paper_says() {
    let [o, z] = [DVec3::new(0.3, -0.2, 0.4), DVec3::new(1.0, 2.0, -0.5).normalize()];
    let x = z.any_orthonormal_vector();
    let y = z.cross(x);
    let same = |a: &[(Make, DVec3, DVec3)], b: &[(Make, DVec3, DVec3)]| {
        difference(&settled(a), &settled(b)) < 1e-11
    };
    let hinge: &[(Make, DVec3, DVec3)] = &[(Joint::hinge, o, z)];
    assert!(same(hinge, &[(Joint::ball, o, z), (Joint::ball, o + z, z)]));
    assert!(same(&[(Joint::piston, o, z)], &[(Joint::line, o, z), (Joint::line, o + z, z)]));
    let balls = [o, o + x, o + y].map(|point| (Joint::ball as Make, point, z));
    assert!(same(&[(Joint::weld, o, z)], &balls));
    assert!(!same(hinge, &balls));
    // Three planes alone let the bodies spin about the normal.
    let mut planes = [o, o + x, o + y].map(|point| (Joint::plane as Make, point, z)).to_vec();
    let plate: &[(Make, DVec3, DVec3)] = &[(Joint::plate, o, z)];
    assert!(!same(plate, &planes));
    let velocities = settled(&planes);
    assert!((velocities[1].angular - velocities[0].angular).dot(z).abs() > 0.1);
    planes.push((Joint::no_spin, o, z));
    assert!(same(plate, &planes));
    assert!(same(&[(Joint::rail, o, z)], &[(Joint::piston, o, z), (Joint::no_spin, o, z)]));
    assert!(same(&[(Joint::cardan, o, z)], &[(Joint::ball, o, z), (Joint::no_spin, o, z)]));
}

#[test]
fn a_body_that_nothing_moves_drags_others_along() {
    let mut random = Random(43);
    let mut system = System::default();
    system.place(None, DVec3::ZERO);
    system.add(Some(random.solid()), random.pose());
    let anchors = system.at([0, 1], random.vector(), random.vector());
    system.joints.push(Joint::weld([0, 1], anchors).expect("two bodies"));
    system.fit();
    let drag = random.velocity();
    let mut velocities = vec![drag, Velocity::ZERO];
    system.linkage.settle(&mut velocities, 0.0);
    assert_eq!(velocities[0], drag);
    let centre = system.inertias(&system.poses)[1].centre;
    let expected = Velocity { linear: drag.at(DVec3::ZERO, centre), angular: drag.angular };
    assert!(difference(&velocities[1..], &[expected]) < 1e-13);
}
