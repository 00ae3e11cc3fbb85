//! Ellipsoids beside round bodies.
//!
//! Two ellipsoids `(x - p)ᵀ A⁻¹ (x - p) <= 1` and `(x - q)ᵀ B⁻¹ (x - q) <= 1` meet if `s (1 - s) dᵀ
//! ((1 - s) A + s B)⁻¹ d`, with `d` from one centre to the other, is at most 1 for all `s` in `[0,
//! 1]` [Perram and Wertheim 1985]. A capsule is a row of balls.

use chasles::glam::{DMat3, DQuat, DVec3};
use chasles::round::{self, Contact, Feature, Options, Round, Workspace};
use chasles::{Motion, Pose, Step};
use chasles_testkit::ellipsoid::Ellipsoid;
use chasles_testkit::generate::Random;

use crate::{Body, at, lowest, random_step};

/// An ellipsoid in its own frame.
#[derive(Clone, Copy, Debug)]
struct Egg {
    frame: Pose,
    half_axes: [f64; 3],
}

impl Egg {
    fn random(random: &mut Random) -> Self {
        let size = random.one_of(&[0.1, 0.8, 1.4]);
        let half_axes = [(); 3].map(|()| size * random.one_of(&[0.1, 0.5, 1.0]));
        Self {
            frame: Pose::new(0.2 * random.vector(), random.rotation()).expect("finite"),
            half_axes,
        }
    }

    fn round(&self) -> Round {
        Round::ellipsoid_at(&self.frame, self.half_axes).expect("fits")
    }

    fn placed(&self, pose: &Pose) -> Ellipsoid {
        let frame = pose.after(&self.frame);
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| frame.vector(axis));
        Ellipsoid { centre: frame.position(), axes, half_axes: self.half_axes }
    }
}

/// The matrix of the quadratic form's inverse.
fn matrix(egg: &Ellipsoid) -> DMat3 {
    let [x, y, z] = egg.axes;
    let axes = DMat3::from_cols(x, y, z);
    axes * DMat3::from_diagonal(DVec3::from(egg.half_axes.map(|half| half * half)))
        * axes.transpose()
}

/// Above 1 where two ellipsoids are apart, below where they overlap.
fn apart(a: &Ellipsoid, b: &Ellipsoid) -> f64 {
    let d = b.centre - a.centre;
    let [of_a, of_b] = [matrix(a), matrix(b)];
    let at = |s: f64| s * (1.0 - s) * d.dot((of_a * (1.0 - s) + of_b * s).inverse() * d);
    -lowest(0.0, 1.0, |s| -at(s))
}

/// The same beside a capsule, by its least ball.
fn apart_from_capsule(egg: &Ellipsoid, body: &Body) -> f64 {
    let [p, q] = body.ends;
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    lowest(0.0, 1.0, |s| {
        apart(egg, &Ellipsoid { centre: p.lerp(q, s), axes, half_axes: [body.radius; 3] })
    })
}

/// The same beside a cylinder: its least level in the ellipsoid.
fn apart_from_cylinder(egg: &Ellipsoid, body: &Body) -> f64 {
    let [p, q] = body.ends;
    let u = body.axis().any_orthonormal_vector();
    let w = body.axis().cross(u);
    1.0 + lowest(0.0, 1.0, |s| {
        lowest(-1.0, 1.0, |x| {
            let width = (1.0 - x * x).sqrt();
            lowest(-width, width, |y| egg.level(p.lerp(q, s) + body.radius * (x * u + y * w)))
        })
    })
}

/// A, and an ellipsoid B, at a time in A's frame.
enum Other {
    Egg(Egg),
    Body(Body),
}

impl Other {
    fn round(&self) -> Round {
        match self {
            Self::Egg(egg) => egg.round(),
            Self::Body(body) => body.round(),
        }
    }

    fn apart(&self, egg: &Ellipsoid) -> f64 {
        match self {
            Self::Egg(own) => apart(&own.placed(&Pose::IDENTITY), egg),
            Self::Body(body) if body.is_cylinder => apart_from_cylinder(egg, body),
            Self::Body(body) => apart_from_capsule(egg, body),
        }
    }

    fn distance(&self, x: DVec3) -> f64 {
        match self {
            Self::Egg(own) => own.placed(&Pose::IDENTITY).distance(x),
            Self::Body(body) => body.distance(x),
        }
    }

    fn extent(&self, d: DVec3) -> f64 {
        match self {
            Self::Egg(own) => reach(&own.placed(&Pose::IDENTITY), d),
            Self::Body(body) => body.extent(d),
        }
    }
}

/// How far an ellipsoid reaches along a direction.
fn reach(egg: &Ellipsoid, d: DVec3) -> f64 {
    -egg.over_plane(DVec3::ZERO, -d).0
}

fn found(a: &Round, b: &Round, step: &Step) -> Vec<Contact> {
    round::contacts_of_rounds(a, b, step, &Options::default(), &mut Workspace::new()).to_vec()
}

#[test]
fn contacts_of_ellipsoids_are_proven_and_meetings_are_not_missed() {
    let mut counts = [0; 3];
    for seed in 0..240 {
        let mut random = Random::new(seed);
        let egg = Egg::random(&mut random);
        let other = match random.below(2) {
            0 => Other::Egg(Egg::random(&mut random)),
            _ => Other::Body(Body::random(&mut random)),
        };
        let step = random_step(&mut random);
        let contacts = found(&other.round(), &egg.round(), &step);
        let placed =
            |t: f64| egg.placed(&step.pose_of_a(t).inverse_after(&step.pose_of_b_by_relative(t)));
        for contact in &contacts {
            let b = placed(contact.time);
            let at = format!("seed {seed}: {contact:?}");
            let (point, n) = (contact.point_in_a, contact.normal_in_a);
            let off = other.distance(point).abs().max(b.distance(point).abs());
            assert!(off < 1e-7, "{at}: {off} off");
            let overlap = other.extent(n) + reach(&b, -n);
            assert!(overlap.abs() < 1e-7, "{at}: {overlap} along the normal");
            let [low, high] = contact.time_bracket;
            assert!(low <= contact.time && contact.time <= high, "{at}");
            counts[0] += 1;
        }
        let is_slow = matches!(&other, Other::Body(body) if body.is_cylinder);
        let samples = if is_slow { 8 } else { 60 };
        for i in 0..=samples {
            let t = f64::from(i) / f64::from(samples);
            let level = other.apart(&placed(t)) - 1.0;
            if level.abs() < 1e-3 {
                continue;
            }
            let crossings = contacts.iter().filter(|c| !c.grazing);
            let before = crossings.clone().rev().find(|c| c.time <= t);
            let after = crossings.clone().find(|c| c.time > t);
            let said = before.map(|c| c.normal_speed < 0.0).or(after.map(|c| c.normal_speed > 0.0));
            let start = other.apart(&placed(0.0)) - 1.0;
            let meets = said.unwrap_or(start < 0.0);
            assert_eq!(meets, level < 0.0, "seed {seed} at {t}: {level} {contacts:#?}");
            counts[1 + usize::from(meets)] += 1;
        }
    }
    assert!(counts[0] > 50 && counts[1] > 2000 && counts[2] > 400, "{counts:?}");
}

#[test]
fn swapped_and_first_ones_are_the_same_and_a_ball_is_a_ball() {
    let mut count = 0;
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let [egg, other] = [Egg::random(&mut random), Egg::random(&mut random)];
        let step = random_step(&mut random);
        if step.parts() > 1 {
            continue;
        }
        let [a, b] = [egg.round(), other.round()];
        let contacts = found(&a, &b, &step);
        let swapped = found(&b, &a, &step.swapped());
        let options = Options { first_only: true, ..Options::default() };
        let mut workspace = Workspace::new();
        let first = round::contacts_of_rounds(&a, &b, &step, &options, &mut workspace).to_vec();
        assert_eq!([swapped.len(), first.len()], [contacts.len(), contacts.len().min(1)], "{seed}");
        for (p, q) in contacts.iter().zip(&swapped).chain(contacts.iter().zip(&first)) {
            assert!((p.time - q.time).abs() < 1e-8, "seed {seed}: {p:?} {q:?}");
        }
        let radius = random.between(0.1, 0.6);
        let balls = [
            Round::sphere_at(egg.frame.position(), radius),
            Round::ellipsoid_at(&egg.frame, [radius; 3]),
        ];
        let [ball, as_egg] = balls.map(|ball| ball.expect("fits"));
        let point = Round::sphere(0.3).expect("fits");
        let [one, same] = [&ball, &as_egg].map(|b| found(&point, b, &step));
        assert_eq!(one.len(), same.len(), "seed {seed}: {one:?} {same:?}");
        for (p, q) in one.iter().zip(&same) {
            assert!((p.time - q.time).abs() < 1e-8, "seed {seed}: {p:?} {q:?}");
            assert!((p.normal_in_a - q.normal_in_a).length() < 1e-4, "seed {seed}: {p:?} {q:?}");
        }
        count += contacts.len() + one.len();
    }
    assert!(count > 40, "{count}");
}

#[test]
fn tips_meet_at_the_time_of_the_drawing_board_and_what_rests_together_is_one() {
    let long = Round::ellipsoid([2.0, 0.5, 0.25]).expect("fits");
    let step = Step::new(
        Motion::still(Pose::IDENTITY),
        Motion::between(at(8.0, 0.0, 0.0), at(0.0, 0.0, 0.0)),
    );
    let contacts = found(&long, &long, &step);
    let [only] = contacts[..] else { panic!("{contacts:#?}") };
    assert!((only.time - 0.5).abs() < 1e-9 && (only.normal - DVec3::X).length() < 1e-9);
    assert_eq!([only.features.a, only.features.b], [Feature::Side; 2]);
    // On top of each other, spinning about the vertical.
    let spun = Pose::new([0.0, 0.0, 0.5], DQuat::from_rotation_z(1.0)).expect("finite");
    let rest = Step::new(Motion::still(Pose::IDENTITY), Motion::between(at(0.0, 0.0, 0.5), spun));
    let contacts = found(&long, &long, &rest);
    let [only] = contacts[..] else { panic!("{contacts:#?}") };
    assert!(only.grazing && only.time == 0.0, "{only:?}");
    assert!((only.normal - DVec3::Z).length() < 1e-6, "{only:?}");
}
