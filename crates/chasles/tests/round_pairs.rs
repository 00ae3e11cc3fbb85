//! Two round bodies begin to touch and part when they do.
//!
//! A contact is proven by a point that both bodies have and a direction along which they do not
//! overlap; between contacts an independent distance says whether they meet.

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

/// Bodies along z, half as thick as they are long.
fn upright() -> [Round; 3] {
    let ends = [-DVec3::Z, DVec3::Z];
    let bodies = [Round::cylinder(ends, 0.5), Round::capsule(ends, 0.5), Round::sphere(0.5)];
    bodies.map(|body| body.expect("fits"))
}

/// A step in which B turns about an axis through a point, by the length of the axis.
fn turns(from: Pose, axis: DVec3, through: DVec3) -> Step {
    let twist = Screw::from_twist(axis, through.cross(axis)).expect("finite");
    step_along((Pose::IDENTITY, Screw::STILL), (from, twist))
}

fn found(a: &Round, b: &Round, step: &Step) -> Vec<Contact> {
    round::contacts_of_rounds(a, b, step, &Options::default(), &mut Workspace::new()).to_vec()
}

#[test]
fn what_turns_next_to_a_cylinder_does_not_touch_it() {
    let [can, pill, ball] = upright();
    let coin = Round::cylinder([-0.2 * DVec3::Z, 0.2 * DVec3::Z], 0.5).expect("fits");
    let tilt = DQuat::from_rotation_x(0.7);
    for gap in [1e-2, 1e-4, 1e-6, 1e-8] {
        let place = |at: DVec3, turn: DQuat| Pose::new(at, turn).expect("finite");
        let beside = DVec3::X * (1.0 + gap);
        let [upright, aslant] = [DQuat::IDENTITY, tilt].map(|turn| place(beside, turn));
        let half_turn = std::f64::consts::PI * DVec3::Z;
        let in_place = turns(upright, half_turn, beside);
        let around = turns(upright, half_turn, DVec3::ZERO);
        let aslant_in_place = turns(aslant, tilt * half_turn, beside);
        let over = |height: f64, turn| place(DVec3::Z * (height + gap), turn);
        let on_cap = turns(over(2.0, DQuat::IDENTITY), half_turn, DVec3::X);
        let height = 1.0 + 0.2 * 0.7_f64.cos() + 0.5 * 0.7_f64.sin();
        let on_rim = turns(over(height, tilt), half_turn, DVec3::ZERO);
        let cases = [
            (can, can, in_place),
            (ball, can, in_place),
            (pill, can, in_place),
            (can, can, around),
            (can, ball, around),
            (can, pill, around),
            (can, can, aslant_in_place),
            (can, can, on_cap),
            (can, coin, on_rim),
        ];
        for (number, (a, b, step)) in cases.into_iter().enumerate() {
            let found = found(&a, &b, &step);
            assert!(found.is_empty(), "case {number}, {gap:e} away: {found:?}");
        }
    }
}

#[test]
fn cylinders_that_turn_fast_come_and_go_slowly() {
    // B turns about an axis next to its own, so that it comes nearer and goes by next to nothing.
    let [can, ..] = upright();
    for small in [1e-3, 1e-5, 1e-7] {
        let axis = DVec3::X * (1.0 + small);
        for (sign, angle, share) in [(-1.0, 2.0, 1.0 / 3.0), (1.0, 3.0, 2.0 / 3.0)] {
            let start =
                Pose::from_position(axis + DVec3::X * (2.0 * small * sign)).expect("finite");
            let found = found(&can, &can, &turns(start, DVec3::Z * angle, axis));
            let [touch] = found[..] else {
                panic!("{small:e}, {sign}: one contact, not {found:?}")
            };
            let truth = share * std::f64::consts::PI / angle;
            let slack = 4.0 * small + 1e-9 / small;
            assert!((touch.time - truth).abs() < slack, "{small:e}, {sign}: {touch:?} {truth}");
            assert!(touch.normal_speed * sign < 0.0 || small < 1e-6, "{small:e}: {touch:?}");
        }
    }
}

/// Bodies begin to meet or part at these times and at no others.
fn meet_at(found: &[Contact], times: &[f64], case: &str) {
    assert_eq!(found.len(), times.len(), "{case}: {found:?}");
    for (contact, &time) in found.iter().zip(times) {
        let [from, to] = contact.time_bracket;
        assert!(from <= time && time <= to && !contact.grazing, "{case}, at {time}: {contact:?}");
        assert!((contact.time - time).abs() < 1e-6, "{case}, at {time}: {contact:?}");
    }
}

#[test]
fn a_ball_that_passes_a_cylinder_by_next_to_nothing_meets_it_and_parts() {
    let (can, ball) = (&upright()[0], Round::sphere(0.5).expect("fits"));
    for depth in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9] {
        let height = can.radius() + 0.5 - depth;
        let pass = [at(-2.0, height, 0.1), at(2.0, height, 0.1)];
        let half = (depth * (2.0 * (can.radius() + 0.5) - depth)).sqrt();
        let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(pass[0], pass[1]));
        let times = [0.5 - half / 4.0, 0.5 + half / 4.0];
        meet_at(&found(can, &ball, &step), &times, &format!("across, {depth:e} deep"));
        meet_at(&found(&ball, can, &step.swapped()), &times, &format!("swapped, {depth:e} deep"));
    }
}

#[test]
fn a_ball_that_winds_along_a_cylinder_by_next_to_nothing_leaves_it_over_its_end() {
    let (can, ball) = (&upright()[0], Round::sphere(0.5).expect("fits"));
    let end = can.half_length();
    for depth in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 3e-10] {
        let start = at(can.radius() + 0.5 - depth, 0.0, 0.0);
        let wind = Screw::from_twist([0.0, 0.0, 1.5], [0.0, 0.0, 2.0 * end]).expect("finite");
        let step = step_along((Pose::IDENTITY, Screw::STILL), (start, wind));
        let time = (end + (depth * (1.0 - depth)).sqrt()) / (2.0 * end);
        meet_at(&found(can, &ball, &step), &[time], &format!("{depth:e} deep"));
    }
}

#[test]
fn cans_that_slide_overlapping_by_next_to_nothing_part_and_meet_again() {
    let can = &upright()[0];
    // B stands on A and goes around a line beside its middle; rims pass where the axes are a diameter apart.
    let (beside, orbit, first, angle) = (0.41, 0.6, -1.2, 3.0);
    let apart: f64 = (1.0 - orbit * orbit - beside * beside) / (2.0 * orbit * beside);
    let times = [-1.0, 1.0].map(|side| (side * apart.acos() - first) / angle);
    for depth in [1e-6, 1e-7, 1e-8, 1e-9] {
        let pose = |turned: f64| {
            let (sine, cosine) = (first + turned).sin_cos();
            let place = [beside + orbit * cosine, orbit * sine, 2.0 - depth];
            Pose::new(place, DQuat::from_rotation_z(turned)).expect("finite")
        };
        let step =
            Step::new(Motion::still(Pose::IDENTITY), Motion::between(pose(0.0), pose(angle)));
        let contacts = found(can, can, &step);
        for time in times {
            let holds = |c: &Contact| c.time_bracket[0] <= time && time <= c.time_bracket[1];
            assert!(contacts.iter().any(holds), "{depth:e} deep, at {time}: {contacts:?}");
        }
        for contact in &contacts {
            let off = times.map(|time| (contact.time - time).abs());
            assert!(off[0].min(off[1]) < 1e-6, "{depth:e} deep, not at {times:?}: {contact:?}");
            let place = pose(angle * contact.time).position();
            let aside = DVec3::new(place.x, place.y, 0.0).normalize();
            let is_normal = (contact.normal_in_a - aside).length() < 1e-6;
            assert!(is_normal, "{depth:e} deep, not along {aside}: {contact:?}");
        }
    }
}

#[test]
fn cans_that_touch_at_the_start_and_slide_apart_have_the_normal_of_the_start() {
    let can = &upright()[0];
    // Beside A, B goes around it and leaves it over its end; on top of A, it leaves it over its rim.
    let wind = Screw::from_twist([0.0, 0.0, 1.5], [0.0, 0.0, 3.0]).expect("finite");
    let aside = Screw::from_twist(DVec3::ZERO, [0.0, 2.0, 0.0]).expect("finite");
    for (place, twist, normal) in [(DVec3::X, wind, DVec3::X), (2.0 * DVec3::Z, aside, DVec3::Z)] {
        let start = (Pose::from_position(place).expect("finite"), twist);
        let step = step_along((Pose::IDENTITY, Screw::STILL), start);
        let contacts = found(can, can, &step);
        let [first] = contacts[..] else { panic!("one contact, not {contacts:?}") };
        assert!(first.time == 0.0 && first.grazing, "{first:?}");
        assert!((first.normal_in_a - normal).length() < 1e-9, "not along {normal}: {first:?}");
        assert!((normal.dot(first.point_in_a) - 0.5 * place.length()).abs() < 1e-9, "{first:?}");
    }
}

#[test]
fn cans_that_come_to_overlap_slowly_are_seen_to_part() {
    let can = &upright()[0];
    // B comes down on A and leaves it over the rim when the axes are a diameter apart.
    let (start, end) = (0.3, 1.4);
    let time = (1.0 - start) / (end - start);
    for sunk in [1e-7, 6e-8, 2e-8] {
        for gap in [0.0, 1e-12, 1e-11] {
            let way = [at(start, 0.0, 2.0 + gap), at(end, 0.0, 2.0 - sunk)];
            let contacts = found(
                can,
                can,
                &Step::new(Motion::still(Pose::IDENTITY), Motion::between(way[0], way[1])),
            );
            let holds = |c: &Contact| c.time_bracket[0] <= time && time <= c.time_bracket[1];
            let parts = contacts.iter().find(|c| holds(c) && c.normal_speed > 0.0);
            let case = format!("{sunk:e} after {gap:e}");
            let Some(contact) = parts else { panic!("{case}: not at {time}: {contacts:?}") };
            assert!((contact.time - time).abs() < 1e-9, "{case}: {contact:?}");
            assert!((contact.normal_in_a - DVec3::X).length() < 1e-6, "{case}: {contact:?}");
            assert_eq!(contacts.len(), 2, "{case}: {contacts:?}");
        }
    }
}

#[test]
fn cans_in_touch_that_part_for_a_moment_touch_again() {
    let can = &upright()[0];
    // B stands on A and goes around a line beside its middle, over the rim by a little.
    let (beside, over, first, angle) = (0.41, 1e-5, -1.2, 3.0);
    let orbit = 1.0 - beside + over;
    let apart: f64 = (1.0 - orbit * orbit - beside * beside) / (2.0 * orbit * beside);
    let again = (apart.acos() - first) / angle;
    let c = DVec3::X * beside;
    let start = c + orbit * DVec3::new(f64::cos(first), f64::sin(first), 0.0) + 2.0 * DVec3::Z;
    let start = Pose::from_position(start).expect("finite");
    let contacts = found(can, can, &turns(start, angle * DVec3::Z, c));
    let times: Vec<f64> = contacts.iter().map(|c| c.time).collect();
    assert!(contacts.iter().all(|c| c.grazing) && times[0] == 0.0, "{contacts:?}");
    // The step has two parts, in each of which the touch is seen.
    assert!(times.iter().any(|time| (time - again).abs() < 1e-6), "{again}: {contacts:?}");
}

#[test]
fn cans_that_rock_part_at_one_end_and_touch_again_at_the_other() {
    let can = &upright()[0];
    // Half-way B stands beside A, apart by a little; it turns about where they would touch.
    let c = 0.5 * DVec3::X;
    for (gap, angle) in [(2e-7, 1.0), (1e-8, 1.0), (1e-7, 0.2), (5e-8, 3.0)] {
        let turn = DQuat::from_rotation_y(-0.5 * angle);
        let start = Pose::new(c + turn * DVec3::new(0.5 + gap, 0.0, 0.0), turn).expect("finite");
        let contacts = found(can, can, &turns(start, angle * DVec3::Y, c));
        let [parts, meets] = &contacts[..] else { panic!("two contacts, not {contacts:?}") };
        for (contact, side) in [(parts, -1.0), (meets, 1.0)] {
            let case = format!("{gap:e} and {angle}: {contact:?}");
            assert!((contact.time - 0.5 - side * gap / angle).abs() < 1e-10, "{case}");
            let place = DVec3::new(0.5, 0.0, -side);
            assert!(contact.point_in_a.distance(place) < 1e-5, "not at {place}: {case}");
            assert!((contact.normal_speed + side * angle).abs() < 1e-5, "{case}");
        }
    }
}

#[test]
fn cans_that_swing_touch_at_the_faster_end() {
    let can = &upright()[0];
    // As above, but about a point higher than both: the lower end comes twice as fast as the upper, from
    // farther away.
    let c = DVec3::new(0.5, 0.0, 3.0);
    for gap in [1e-7, 3e-8] {
        let turn = DQuat::from_rotation_y(-0.5);
        let offset = DVec3::new(0.5 + gap, 0.0, -3.0);
        let start = Pose::new(c + turn * offset, turn).expect("finite");
        let contacts = found(can, can, &turns(start, DVec3::Y, c));
        let meets = contacts.first().expect("they meet");
        let case = format!("{gap:e}: {meets:?}");
        assert!((meets.time - 0.5 - 0.25 * gap).abs() < 1e-9, "{case}");
        assert!(meets.point_in_a.distance(DVec3::new(0.5, 0.0, -1.0)) < 1e-5, "{case}");
        assert!((meets.normal_speed + 4.0).abs() < 1e-4, "{case}");
    }
}

#[test]
fn cans_of_any_size_touch_when_those_of_size_one_do() {
    let times = |scale: f64| -> Vec<f64> {
        let can = |half: f64, radius: f64| {
            Round::cylinder([-half * scale * DVec3::Z, half * scale * DVec3::Z], radius * scale)
        };
        let [a, b] = [can(1.0, 0.5), can(0.3, 0.7)].map(|can| can.expect("fits"));
        let pose =
            |x: f64, turn: DQuat| Pose::new(scale * DVec3::new(x, 0.1, 0.2), turn).expect("finite");
        let way = [pose(-3.0, DQuat::from_rotation_y(0.4)), pose(3.0, DQuat::from_rotation_x(1.1))];
        let contacts = found(
            &a,
            &b,
            &Step::new(Motion::still(Pose::IDENTITY), Motion::between(way[0], way[1])),
        );
        contacts.iter().map(|contact| contact.time).collect()
    };
    let known = times(1.0);
    assert_eq!(known.len(), 2);
    for power in [-380, -300, -20, 20, 280, 320] {
        assert_eq!(times(f64::powi(2.0, power)), known, "2^{power}");
    }
}
