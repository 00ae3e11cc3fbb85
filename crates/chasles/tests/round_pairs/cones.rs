//! Cones beside round bodies: the least signed distance of one body over the points of a cone is a
//! convex function of the place along the axis and across it.

use chasles::glam::{DQuat, DVec3};
use chasles::round::{self, Contact, Feature, Options, Round, Workspace};
use chasles::{Motion, Pose, Step};
use chasles_testkit::cone::Cone;
use chasles_testkit::ellipsoid::Ellipsoid;
use chasles_testkit::generate::Random;

use crate::{Body, at, lowest, random_step};

fn random_cone(random: &mut Random) -> Cone {
    let (middle, axis) = (0.2 * random.vector(), random.direction());
    let height = random.one_of(&[0.1, 0.8, 2.0]) * random.between(0.5, 1.0);
    let radius = random.one_of(&[0.05, 0.3, 0.9]) * random.between(0.5, 1.0);
    Cone { base: middle - 0.5 * height * axis, tip: middle + 0.5 * height * axis, radius }
}

fn round_of(cone: &Cone) -> Round {
    Round::cone([cone.base, cone.tip], cone.radius).expect("fits")
}

fn placed(cone: &Cone, pose: &Pose) -> Cone {
    Cone { base: pose.point(cone.base), tip: pose.point(cone.tip), ..*cone }
}

/// The body beside a cone.
enum Other {
    Cone(Cone),
    Body(Body),
    Egg(Ellipsoid),
}

impl Other {
    fn random(random: &mut Random) -> Self {
        match random.below(4) {
            0 => Self::Body(Body::random(random)),
            1 => {
                let frame = Pose::new(0.2 * random.vector(), random.rotation()).expect("finite");
                let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| frame.vector(axis));
                let half_axes = [(); 3].map(|()| random.between(0.1, 0.8));
                Self::Egg(Ellipsoid { centre: frame.position(), axes, half_axes })
            }
            _ => Self::Cone(random_cone(random)),
        }
    }

    fn round(&self) -> Round {
        match self {
            Self::Cone(cone) => round_of(cone),
            Self::Body(body) => body.round(),
            Self::Egg(egg) => {
                let [x, y, z] = egg.axes;
                let turn = DQuat::from_mat3(&chasles::glam::DMat3::from_cols(x, y, z));
                let frame = Pose::new(egg.centre, turn).expect("finite");
                Round::ellipsoid_at(&frame, egg.half_axes).expect("fits")
            }
        }
    }

    /// Convex, with the sign of the distance; next to the surface the distance.
    fn distance(&self, x: DVec3) -> f64 {
        match self {
            Self::Cone(cone) => cone.distance(x),
            Self::Body(body) => body.distance(x),
            Self::Egg(egg) => egg.level(x) * egg.half_axes.iter().fold(1.0_f64, |p, q| p.min(*q)),
        }
    }

    fn off(&self, x: DVec3) -> f64 {
        if let Self::Egg(egg) = self { egg.distance(x) } else { self.distance(x) }
    }

    fn extent(&self, d: DVec3) -> f64 {
        match self {
            Self::Cone(cone) => cone.extent(d),
            Self::Body(body) => body.extent(d),
            Self::Egg(egg) => -egg.over_plane(DVec3::ZERO, -d).0,
        }
    }

    /// The least of that over a cone.
    fn gap(&self, cone: &Cone) -> f64 {
        let u = cone.axis().any_orthonormal_vector();
        let w = cone.axis().cross(u);
        lowest(0.0, 1.0, |s| {
            let radius = cone.radius * (1.0 - s);
            let middle = cone.base.lerp(cone.tip, s);
            lowest(-1.0, 1.0, |x| {
                let width = (1.0 - x * x).sqrt();
                lowest(-width, width, |y| self.distance(middle + radius * (x * u + y * w)))
            })
        })
    }
}

fn found(a: &Round, b: &Round, step: &Step) -> Vec<Contact> {
    round::contacts_of_rounds(a, b, step, &Options::default(), &mut Workspace::new()).to_vec()
}

/// B near A, in one part.
fn near_step(random: &mut Random) -> Step {
    let from = Pose::new(random.vector(), random.rotation()).expect("finite");
    let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 1.5));
    let to = Pose::new(random.vector(), turn * from.rotation()).expect("finite");
    Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to))
}

#[test]
fn contacts_of_cones_are_proven_and_meetings_are_not_missed() {
    let mut counts = [0; 3];
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let (cone, other) = (random_cone(&mut random), Other::random(&mut random));
        let step = if seed % 3 == 0 { random_step(&mut random) } else { near_step(&mut random) };
        let contacts = found(&other.round(), &round_of(&cone), &step);
        let cone_at = |t: f64| {
            placed(&cone, &step.pose_of_a(t).inverse_after(&step.pose_of_b_by_relative(t)))
        };
        for contact in &contacts {
            let b = cone_at(contact.time);
            let at = format!("seed {seed}: {contact:?}");
            let (point, n) = (contact.point_in_a, contact.normal_in_a);
            let off = other.off(point).abs().max(b.distance(point).abs());
            assert!(off < 1e-7, "{at}: {off} off");
            let overlap = other.extent(n) + b.extent(-n);
            // The normal is taken up to 1e-7 of the part of the step aside.
            assert!(overlap.abs() < 1e-6, "{at}: {overlap} along the normal");
            let [low, high] = contact.time_bracket;
            assert!(low <= contact.time && contact.time <= high, "{at}");
            counts[0] += 1;
        }
        for i in 0..=8 {
            let t = f64::from(i) / 8.0;
            let gap = other.gap(&cone_at(t));
            if gap.abs() < 1e-4 {
                continue;
            }
            let crossings = contacts.iter().filter(|c| !c.grazing);
            let before = crossings.clone().rev().find(|c| c.time <= t);
            let after = crossings.clone().find(|c| c.time > t);
            let said = before.map(|c| c.normal_speed < 0.0).or(after.map(|c| c.normal_speed > 0.0));
            let meets = said.unwrap_or_else(|| other.gap(&cone_at(0.0)) < 0.0);
            assert_eq!(meets, gap < 0.0, "seed {seed} at {t}: {gap} {contacts:#?}");
            counts[1 + usize::from(meets)] += 1;
        }
    }
    assert!(counts[0] > 80 && counts[1] > 1000 && counts[2] > 200, "{counts:?}");
}

#[test]
fn swapped_and_first_ones_are_the_same() {
    let mut count = 0;
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let [a, b] = [(); 2].map(|()| round_of(&random_cone(&mut random)));
        let step = near_step(&mut random);
        let contacts = found(&a, &b, &step);
        let swapped = found(&b, &a, &step.swapped());
        let options = Options { first_only: true, ..Options::default() };
        let mut workspace = Workspace::new();
        let first = round::contacts_of_rounds(&a, &b, &step, &options, &mut workspace).to_vec();
        assert_eq!([swapped.len(), first.len()], [contacts.len(), contacts.len().min(1)], "{seed}");
        for (p, q) in contacts.iter().zip(&swapped).chain(contacts.iter().zip(&first)) {
            assert!((p.time - q.time).abs() < 1e-8, "seed {seed}: {p:?} {q:?}");
        }
        count += contacts.len();
    }
    assert!(count > 40, "{count}");
}

#[test]
fn tips_sides_and_bases_meet_at_the_time_of_the_drawing_board() {
    let up = Round::cone([-DVec3::Z, DVec3::Z], 0.5).expect("fits");
    let down = Round::cone([DVec3::Z, -DVec3::Z], 0.5).expect("fits");
    let fall = |x: f64, b: &Round| {
        let step = Step::new(
            Motion::still(Pose::IDENTITY),
            Motion::between(at(x, 0.0, 4.0), at(x, 0.0, 0.0)),
        );
        let contacts = found(&up, b, &step);
        (contacts[0].time, contacts[0].features.a, contacts[0].features.b, contacts[0].normal)
    };
    // Tip on tip; side along side, which are parallel; base on tip; rim over the side.
    let slope = DVec3::new(4.0, 0.0, 1.0).normalize();
    for (x, b, height, parts, normal) in [
        (0.0, &down, 2.0, [Feature::Tip, Feature::Tip], None),
        (0.3, &down, 2.0 - 4.0 * 0.3, [Feature::Side, Feature::Side], Some(slope)),
        (0.3, &up, 2.0, [Feature::Tip, Feature::Cap(0)], Some(DVec3::Z)),
        (0.7, &up, 2.0 - 4.0 * 0.2, [Feature::Side, Feature::Rim(0)], Some(slope)),
    ] {
        let (time, of_a, of_b, found) = fall(x, b);
        assert!((time - (4.0 - height) / 4.0).abs() < 1e-8, "{x}: {time} {of_a:?} {of_b:?}");
        assert_eq!([of_a, of_b], parts, "{x}: {found}");
        assert!(normal.is_none_or(|normal| (found - normal).length() < 1e-6), "{x}: {found}");
    }
}

#[test]
fn what_rests_spins_or_rolls_together_is_one_contact() {
    let up = Round::cone([-DVec3::Z, DVec3::Z], 0.5).expect("fits");
    let table = Round::cylinder([-2.0 * DVec3::Z, -DVec3::Z], 2.0).expect("fits");
    let turned = Pose::new([0.1, 0.2, 0.0], DQuat::from_rotation_z(1.0)).expect("finite");
    for to in [at(0.1, 0.2, 0.0), turned, at(0.6, 0.2, 0.0)] {
        let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(at(0.1, 0.2, 0.0), to));
        let contacts = found(&table, &up, &step);
        let [only] = contacts[..] else { panic!("{to:?}: {contacts:#?}") };
        assert!(only.grazing && only.time == 0.0, "{only:?}");
        assert!((only.normal - DVec3::Z).length() < 1e-6, "{only:?}");
    }
}
