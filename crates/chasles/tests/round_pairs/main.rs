//! Two round bodies begin to touch and part when they do.
//!
//! A contact is proven by a point that both bodies have and a direction along which they do not
//! overlap; between contacts an independent distance says whether they meet.

mod barely;
mod cones;
mod ellipsoids;

use chasles::glam::{DQuat, DVec3};
use chasles::round::{self, Contact, Feature, Options, Round, Workspace};
use chasles::{Motion, Pose, Screw, Step};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::step_along;

/// A round body in the words of the oracle, somewhere.
#[derive(Clone, Copy, Debug)]
struct Body {
    is_cylinder: bool,
    radius: f64,
    ends: [DVec3; 2],
}

impl Body {
    fn random(random: &mut Random) -> Self {
        let half = random.one_of(&[0.0, 0.05, 0.4, 1.5]) * random.between(0.5, 1.0);
        let (centre, axis) = (0.2 * random.vector(), random.direction());
        Self {
            is_cylinder: half > 0.0 && random.below(2) == 0,
            radius: random.one_of(&[0.01, 0.2, 0.6]) * random.between(0.5, 1.0),
            ends: [centre - half * axis, centre + half * axis],
        }
    }

    fn round(&self) -> Round {
        let body = if self.is_cylinder {
            Round::cylinder(self.ends, self.radius)
        } else {
            Round::capsule(self.ends, self.radius)
        };
        body.expect("fits")
    }

    fn placed(&self, pose: &Pose) -> Self {
        Self { ends: self.ends.map(|end| pose.point(end)), ..*self }
    }

    fn axis(&self) -> DVec3 {
        (self.ends[1] - self.ends[0]).normalize_or_zero()
    }

    fn distance(&self, x: DVec3) -> f64 {
        let [p, q] = self.ends;
        let (axis, length) = (self.axis(), p.distance(q));
        let along = (x - p).dot(axis);
        if !self.is_cylinder {
            return x.distance(p + axis * along.max(0.0).min(length)) - self.radius;
        }
        let out = x.distance(p + along * axis) - self.radius;
        let up = (-along).max(along - length);
        if out > 0.0 && up > 0.0 { out.hypot(up) } else { out.max(up) }
    }

    /// How far the body reaches along a unit direction.
    fn extent(&self, d: DVec3) -> f64 {
        let ends = self.ends.map(|end| end.dot(d));
        let round = if self.is_cylinder { d.cross(self.axis()).length() } else { 1.0 };
        ends[0].max(ends[1]) + self.radius * round
    }

    /// The signed gap to another body, not much below the truth; roughly, by search.
    fn gap(&self, other: &Self) -> f64 {
        let [p, q] = self.ends;
        let core = |s: f64| p + (q - p) * s;
        if !self.is_cylinder {
            return lowest(0.0, 1.0, |s| other.distance(core(s))) - self.radius;
        }
        if !other.is_cylinder {
            return other.gap(self);
        }
        let [u, v] = [self.axis().any_orthonormal_vector(), self.axis()].map(|v| v * self.radius);
        let w = v.cross(u) / self.radius;
        lowest(0.0, 1.0, |s| {
            lowest(-1.0, 1.0, |x| {
                let width = (1.0 - x * x).sqrt();
                lowest(-width, width, |y| other.distance(core(s) + x * u + y * w))
            })
        })
    }
}

/// The least value of a convex function, by golden sections.
fn lowest(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..26 {
        let [s, t] = [low + (high - low) * 0.381_966, low + (high - low) * 0.618_034];
        if f(s) < f(t) {
            high = t;
        } else {
            low = s;
        }
    }
    f(0.5 * (low + high))
}

fn all(bodies: &[Body; 2], step: &Step, options: &Options) -> Vec<Contact> {
    let [a, b] = bodies.map(|body| body.round());
    round::contacts_of_rounds(&a, &b, step, options, &mut Workspace::new()).to_vec()
}

fn random_step(random: &mut Random) -> Step {
    let pose =
        |random: &mut Random| Pose::new(1.2 * random.vector(), random.rotation()).expect("finite");
    let [a, b] = [pose(random), pose(random)];
    let twist = |random: &mut Random| {
        let angle = generate::angle(random) * random.one_of(&[0.0, 1.0, 3.0]);
        Screw::from_twist(angle * random.direction(), 2.0 * random.vector()).expect("finite")
    };
    let (of_a, of_b) = (twist(random), twist(random));
    step_along((a, of_a), (b, of_b))
}

/// A and B at a time, in A's frame.
fn placed(bodies: &[Body; 2], step: &Step, t: f64) -> [Body; 2] {
    let pose = step.pose_of_a(t).inverse_after(&step.pose_of_b_by_relative(t));
    [bodies[0], bodies[1].placed(&pose)]
}

#[test]
fn contacts_are_proven_and_meetings_are_not_missed() {
    let mut counts = [0; 3];
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let bodies = [Body::random(&mut random), Body::random(&mut random)];
        let step = random_step(&mut random);
        let contacts = all(&bodies, &step, &Options::default());
        for contact in &contacts {
            let [a, b] = placed(&bodies, &step, contact.time);
            let at = format!("seed {seed}: {bodies:?} {contact:?}");
            let (point, n) = (contact.point_in_a, contact.normal_in_a);
            let off = a.distance(point).abs().max(b.distance(point).abs());
            assert!(off < 1e-7, "{at}: {off} off");
            let overlap = a.extent(n) + b.extent(-n);
            assert!(overlap.abs() < 1e-7, "{at}: {overlap} along the normal");
            let [low, high] = contact.time_bracket;
            assert!(low <= contact.time && contact.time <= high, "{at}");
            counts[0] += 1;
        }
        check_between(seed, &bodies, &step, &contacts, &mut counts);
    }
    assert!(counts[0] > 50 && counts[1] > 2000 && counts[2] > 300, "{counts:?}");
}

/// Whether the bodies meet is the same all the time between two contacts, and what they say.
fn check_between(
    seed: u64,
    bodies: &[Body; 2],
    step: &Step,
    contacts: &[Contact],
    counts: &mut [u32; 3],
) {
    let slow = bodies[0].is_cylinder && bodies[1].is_cylinder;
    let samples = if slow { 10 } else { 60 };
    for i in 0..=samples {
        let t = f64::from(i) / f64::from(samples);
        let [a, b] = placed(bodies, step, t);
        let gap = a.gap(&b);
        if gap.abs() < 1e-4 {
            continue;
        }
        let crossings = contacts.iter().filter(|c| !c.grazing);
        let before = crossings.clone().rev().find(|c| c.time <= t);
        let after = crossings.clone().find(|c| c.time > t);
        let meets = gap < 0.0;
        let said = before.map(|c| c.normal_speed < 0.0).or(after.map(|c| c.normal_speed > 0.0));
        // Without contacts they may be apart or one inside the other; both ends then agree.
        if let Some(said) = said {
            assert_eq!(said, meets, "seed {seed} at {t}: {gap} {contacts:#?}");
        } else {
            let [a, b] = placed(bodies, step, 0.0);
            let start = a.gap(&b);
            assert!(start * gap > 0.0 || start.abs() < 1e-4, "seed {seed} at {t}: {start} {gap}");
        }
        counts[if meets { 2 } else { 1 }] += 1;
    }
}

#[test]
fn the_first_contact_is_that_of_all_and_swapping_changes_only_sides() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let bodies = [Body::random(&mut random), Body::random(&mut random)];
        let step = random_step(&mut random);
        let contacts = all(&bodies, &step, &Options::default());
        let first = all(&bodies, &step, &Options { first_only: true, ..Options::default() });
        assert_eq!(first.len(), contacts.len().min(1), "seed {seed}");
        if let (Some(first), Some(of_all)) = (first.first(), contacts.first()) {
            assert!((first.time - of_all.time).abs() < 1e-9, "seed {seed}");
        }
        // The relative screw of a step with several parts is another for B than for A.
        if step.parts() > 1 {
            continue;
        }
        let swapped = all(&[bodies[1], bodies[0]], &step.swapped(), &Options::default());
        assert_eq!(
            swapped.len(),
            contacts.len(),
            "seed {seed}: {contacts:?} {swapped:?} {bodies:?}"
        );
        for (p, q) in contacts.iter().zip(&swapped) {
            assert!((p.time - q.time).abs() < 1e-9, "seed {seed}: {p:?} {q:?}");
            // In the world each is carried along its own A; in A's frame they agree.
            let b_in_a = step.pose_of_a(p.time).inverse_after(&step.pose_of_b_by_relative(p.time));
            let normal = b_in_a.vector(q.normal_in_a);
            assert!((p.normal_in_a + normal).length() < 1e-4, "seed {seed}: {p:?} {q:?}");
        }
    }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position([x, y, z]).expect("finite")
}

#[test]
fn upright_cylinders_meet_cap_on_cap_and_side_on_side() {
    let can = Body { is_cylinder: true, radius: 0.5, ends: [-DVec3::Z, DVec3::Z] };
    let down = Step::new(
        Motion::still(Pose::IDENTITY),
        Motion::between(at(0.3, 0.0, 4.0), at(0.3, 0.0, 0.0)),
    );
    let contacts = all(&[can, can], &down, &Options::default());
    assert_eq!(contacts.len(), 1);
    assert!((contacts[0].time - 0.5).abs() < 1e-9 && contacts[0].normal == DVec3::Z);
    assert_eq!(
        [contacts[0].features.a, contacts[0].features.b],
        [Feature::Cap(1), Feature::Cap(0)]
    );
    let along = Step::new(
        Motion::still(Pose::IDENTITY),
        Motion::between(at(-3.0, 0.0, 0.2), at(3.0, 0.0, 0.2)),
    );
    let contacts = all(&[can, can], &along, &Options::default());
    assert_eq!(contacts.len(), 2);
    for (contact, time) in contacts.iter().zip([1.0 / 3.0, 2.0 / 3.0]) {
        assert!((contact.time - time).abs() < 1e-9, "{contact:?}");
        assert_eq!([contact.features.a, contact.features.b], [Feature::Side, Feature::Side]);
    }
    let facing = all(&[can, can], &along, &Options { facing: true, ..Options::default() });
    assert_eq!(facing.len(), 1);
}

#[test]
fn a_cylinder_tips_over_onto_a_sphere() {
    // The rim at distance sqrt(2) from the pivot comes down on the ball's top at height 0.2.
    let ball = Body { is_cylinder: false, radius: 0.2, ends: [DVec3::ZERO; 2] };
    let can = Body { is_cylinder: true, radius: 1.0, ends: [DVec3::ZERO, DVec3::Z] };
    let turn = DQuat::from_rotation_x(1.0);
    let fall = [at(0.0, 0.0, 1.0), Pose::new([0.0, 0.0, 1.0], turn).expect("finite")];
    let contacts = all(
        &[ball, can],
        &Step::new(Motion::still(Pose::IDENTITY), Motion::between(fall[0], fall[1])),
        &Options::default(),
    );
    assert!(contacts.is_empty(), "the cap turns about its middle: {contacts:?}");
    let fall = [at(0.0, 0.0, 1.0), Pose::new([0.0, 0.0, -1.0], DQuat::IDENTITY).expect("finite")];
    let contacts = all(
        &[ball, can],
        &Step::new(Motion::still(Pose::IDENTITY), Motion::between(fall[0], fall[1])),
        &Options::default(),
    );
    assert!((contacts[0].time - 0.4).abs() < 1e-9, "{contacts:?}");
    assert_eq!(contacts[0].features.b, Feature::Cap(0));
}

#[test]
fn spheres_on_a_screw_pass_each_other_or_graze() {
    // On a circle of radius 2 about z; the other rests at (0, 2, 0): distances are chords.
    let ball = Body { is_cylinder: false, radius: 0.25, ends: [DVec3::ZERO; 2] };
    let spin = Screw::from_twist([0.0, 0.0, 3.0], DVec3::ZERO).expect("finite");
    let step = |height: f64| {
        let rest = (at(0.0, 2.0, height), Screw::STILL);
        step_along(rest, (at(2.0, 0.0, 0.0), spin))
    };
    let contacts = all(&[ball, ball], &step(0.0), &Options::default());
    let half = 2.0 * (0.5_f64 / 4.0).asin();
    let middle = std::f64::consts::FRAC_PI_2;
    assert_eq!(contacts.len(), 2);
    for (contact, angle) in contacts.iter().zip([middle - half, middle + half]) {
        assert!((contact.time - angle / 3.0).abs() < 1e-13, "{contact:?}");
        assert!(contact.time_bracket[1] - contact.time_bracket[0] < 1e-12);
    }
    let grazing = all(&[ball, ball], &step(0.5), &Options::default());
    assert_eq!(grazing.len(), 1, "{grazing:?}");
    assert!(grazing[0].grazing && (grazing[0].time - middle / 3.0).abs() < 1e-6);
    assert!(all(&[ball, ball], &step(0.5 + 1e-9), &Options::default()).is_empty());
}

#[test]
fn cylinders_that_touch_at_the_start_have_their_normal() {
    let can = |half: f64, radius: f64| Body {
        is_cylinder: true,
        radius,
        ends: [-half * DVec3::Z, half * DVec3::Z],
    };
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let [a, b] = [(); 2].map(|()| can(random.one_of(&[0.5, 1.0]), random.one_of(&[0.25, 0.5])));
        let tilt = DQuat::from_axis_angle(random.direction(), random.one_of(&[0.0, 1.0]));
        // Side by side, they part, slide or turn, or B goes into A.
        let start = DVec3::new(a.radius + b.radius, 0.0, random.between(-0.4, 0.4));
        let (way, turn) = random.one_of(&[
            (DVec3::ZERO, 1.0),
            (DVec3::new(1.0, 0.0, 0.2), 0.0),
            (DVec3::new(0.0, 0.0, 0.1), 0.5),
            (DVec3::new(-0.2, 0.0, 0.05), 0.0),
        ]);
        let place = |p: DVec3, turn: f64| {
            Pose::new(tilt * p, tilt * DQuat::from_rotation_z(turn)).expect("finite")
        };
        let of_b = [place(start, 0.0), place(start + way, turn)];
        let step =
            Step::new(Motion::still(place(DVec3::ZERO, 0.0)), Motion::between(of_b[0], of_b[1]));
        let first = all(&[a, b], &step, &Options::default())[0];
        let at = format!("seed {seed}: {first:?}");
        assert!(first.time < 1e-6 && (first.normal_in_a - DVec3::X).length() < 1e-6, "{at}");
        assert!(a.distance(first.point_in_a).abs() < 1e-9, "{at}");
    }
}

#[test]
fn a_touch_that_lasts_or_slowly_deepens_is_one_contact() {
    let can = Body { is_cylinder: true, radius: 0.5, ends: [-DVec3::Z, DVec3::Z] };
    let tip = DQuat::from_axis_angle(DVec3::new(0.6, 0.8, 0.0), 1e-6);
    let turned = |x: f64, z: f64, q: DQuat| Pose::new([x, 0.0, z], q).expect("finite");
    let spin = DQuat::from_rotation_z(1.0);
    for [from, to] in [
        [at(-0.3, 0.0, 2.0), at(0.3, 0.0, 2.0)],
        [at(0.1, 0.0, 2.0), turned(0.1, 2.0, spin)],
        [at(1.0, 0.0, 0.3), turned(1.0, -0.3, spin)],
        [at(0.1, 0.0, 2.0), turned(0.1, 2.0, tip)],
    ] {
        let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to));
        let contacts = all(&[can, can], &step, &Options::default());
        assert_eq!(contacts.len(), 1, "{contacts:?}");
        assert!(contacts[0].grazing && contacts[0].time == 0.0, "{contacts:?}");
    }
}
