//! The relative motion leaves its screws by no more than the bound says, and by what the estimate
//! says.
//!
//! Judges are the poses of both bodies, sampled densely, and closed forms.

use std::f64::consts::PI;

use chasles::glam::{DQuat, DVec3};
use chasles::motion::{Departure, MotionError};
use chasles::{Collider, Motion, Options, Polyhedron, Pose, Screw, Step, Workspace, contacts};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;

/// What the judge's own poses may be wrong by.
const ROUNDING: f64 = 1e-12;

fn pose(random: &mut Random) -> Pose {
    Pose::new(2.0 * random.vector(), random.rotation()).expect("finite")
}

/// A body that rests, goes from pose to pose, along a twist or flies, turning by `spin` at most.
fn motion(random: &mut Random, spin: f64) -> Motion {
    let start = pose(random);
    let [linear, angular] = [2.0 * random.vector(), spin * random.vector()];
    let made = match random.below(5) {
        0 => Ok(Motion::still(start)),
        1 => {
            let turn = DQuat::from_scaled_axis(angular) * start.rotation();
            Ok(Motion::between(start, Pose::new(start.position() + linear, turn).expect("finite")))
        }
        2 => Screw::from_twist(angular, linear).and_then(|twist| Motion::along(start, twist)),
        3 => Motion::flight(start, linear, angular),
        _ => Motion::flight_about(random.vector(), start, linear, angular),
    };
    made.expect("finite")
}

/// A box somewhere near the origin.
fn around(random: &mut Random) -> [DVec3; 2] {
    let [middle, half] = [random.vector(), random.between(0.05, 1.0) * random.vector().abs()];
    [middle - half, middle + half]
}

/// The largest departure of points of B's box that dense sampling sees.
fn seen(step: &Step, [low, high]: [DVec3; 2], random: &mut Random) -> f64 {
    let mut farthest: f64 = 0.0;
    for i in 0..=400 {
        let t = f64::from(i) / 400.0;
        let [truly, taken] = [step.pose_of_b(t), step.pose_of_b_by_relative(t)];
        for corner in 0..8 {
            let pick = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
            let x = DVec3::new(pick(0), pick(1), pick(2));
            farthest = farthest.max(truly.point(x).distance(taken.point(x)));
        }
        let x = low + (high - low) * DVec3::from_array([(); 3].map(|()| random.between(0.0, 1.0)));
        farthest = farthest.max(truly.point(x).distance(taken.point(x)));
    }
    farthest
}

fn diagonal([low, high]: [DVec3; 2]) -> f64 {
    (high - low).length()
}

#[test]
fn bounds_hold_and_estimates_are_near() {
    let mut moved = 0;
    let mut shares = Vec::new();
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let spin = random.one_of(&[0.0, 0.1, 0.7, 2.0, 6.0]);
        let step = Step::new(motion(random, spin), motion(random, spin));
        let step = step.with_parts(random.one_of(&[1, 1, 3]));
        let bounds = [around(random), around(random)];
        let Departure { estimate, bound } = step.departure(bounds).expect("finite boxes");
        let is_swapped = diagonal(bounds[0]) < diagonal(bounds[1]);
        let (judged, points) =
            if is_swapped { (step.swapped(), bounds[0]) } else { (step, bounds[1]) };
        let true_one = seen(&judged, points, random);
        let case = format!("seed {seed}: {true_one:e} {estimate:e} {bound:e}, {step:?}");
        assert!(true_one <= bound + ROUNDING, "beyond the bound, {case}");
        assert!(estimate <= 1.01 * true_one + ROUNDING, "over-estimated, {case}");
        assert!(estimate >= 0.95 * true_one - ROUNDING, "under-estimated, {case}");
        // Where parts turn a little the bound is tight, and zero where there is a screw.
        if spin <= 0.7 {
            assert!(bound <= 1.25 * true_one + 1e-4 * spin * spin + ROUNDING, "loose, {case}");
        }
        moved += u32::from(true_one > 1e-3);
        if spin <= 0.7 && estimate > 1e-6 {
            shares.push(bound / estimate);
        }
    }
    shares.sort_unstable_by(f64::total_cmp);
    let [median, worst] = [shares[shares.len() / 2], shares[shares.len() - 1]];
    assert!(median < 1.05 && worst < 1.5, "{median} {worst} of {}", shares.len());
    assert!(moved > 150, "{moved}");
}

/// A motion about an axle along z at a place.
fn wheel(hub: DVec3, radians: f64) -> Motion {
    let angular = DVec3::Z * radians;
    let twist = Screw::from_twist(angular, hub.cross(angular)).expect("finite");
    Motion::along(Pose::from_position(hub).expect("finite"), twist).expect("few turns")
}

const UNIT: [DVec3; 2] = [DVec3::NEG_ONE, DVec3::ONE];

#[test]
fn wheels_on_parallel_axles_leave_the_screw_by_the_sagitta() {
    let step = Step::new(wheel(DVec3::ZERO, 0.5), wheel(DVec3::X * 1.6, 0.5));
    // As A sees it B goes round it without turning: the screw is the chord of that arc.
    let sagitta = 1.6 * (1.0 - f64::cos(0.25));
    assert!((sagitta - 0.0497).abs() < 5e-5);
    let departure = step.departure([UNIT; 2]).expect("finite boxes");
    assert!((departure.estimate - sagitta).abs() < 1e-12, "{departure:?}");
    assert!(departure.bound >= sagitta && departure.bound < 1.03 * sagitta, "{departure:?}");
    // Far from the origin it is the same, but for rounding.
    let far = DVec3::new(1e6, -1e6, 0.0);
    let step = Step::new(wheel(far, 0.5), wheel(far + DVec3::X * 1.6, 0.5));
    let away = step.departure([UNIT; 2]).expect("finite boxes");
    assert!((away.estimate - sagitta).abs() < 1e-8 && away.bound < 1.03 * sagitta, "{away:?}");
}

/// Between poses exactly half a turn apart, but for rounding; quaternions have either sign.
fn half_turn(random: &mut Random) -> Motion {
    let start = pose(random);
    let turn = DQuat::from_axis_angle(random.vector().normalize(), PI) * start.rotation();
    let turn = if random.below(2) == 0 { turn } else { -turn };
    let end = Pose::new(start.position() + random.vector(), turn).expect("finite");
    Motion::between(start, end)
}

#[test]
fn opposite_quarter_turns_depart_from_nothing() {
    for seed in 0..200 {
        let random = &mut Random::new(seed);
        let hub = random.vector();
        let along = wheel(hub, PI / 2.0);
        let (start, turn) = (pose(random), DQuat::from_rotation_z(-PI / 2.0));
        let about = |at: DVec3| hub + turn * (at - hub);
        let sign = random.one_of(&[1.0, -1.0]);
        let end = Pose::new(about(start.position()), turn * start.rotation() * sign);
        let between = Motion::between(start, end.expect("finite"));
        for step in [Step::new(along, between), Step::new(between, along)] {
            let true_one = seen(&step, UNIT, random);
            assert!(true_one < ROUNDING, "seed {seed}: {true_one:e}, {step:?}");
            let bound = step.departure([UNIT; 2]).expect("finite boxes").bound;
            assert!(true_one <= bound && bound < ROUNDING, "{bound:e}");
        }
    }
}

#[test]
fn screws_depart_from_nothing() {
    let still = Motion::still(Pose::IDENTITY);
    let slide = Motion::between(Pose::IDENTITY, Pose::from_position([3.0, 1.0, 0.0]).expect("ok"));
    for step in [
        Step::new(still, wheel(DVec3::X, 30.0)),
        Step::new(wheel(DVec3::X, 1.0), still),
        Step::new(slide, still),
        Step::new(slide, slide),
        // Both on one axle.
        Step::new(wheel(DVec3::X, 1.0), wheel(DVec3::X, -1.4)),
    ] {
        let departure = step.departure([UNIT; 2]).expect("finite boxes");
        assert!(departure.bound < 1e-12, "{step:?}: {departure:?}");
    }
    for seed in 0..500 {
        let random = &mut Random::new(seed);
        let half = half_turn(random);
        let still = Motion::still(pose(random));
        for step in [Step::new(still, half), Step::new(half, still)] {
            let departure = step.departure([UNIT; 2]).expect("finite boxes");
            assert_eq!(departure, Departure::default());
            let true_one = seen(&step, UNIT, random);
            assert!(true_one < ROUNDING, "seed {seed}: {true_one:e}, {step:?}");
        }
    }
    let endless = [DVec3::NEG_INFINITY, DVec3::INFINITY];
    let step = Step::new(wheel(DVec3::ZERO, 0.5), wheel(DVec3::X, 0.5));
    assert_eq!(step.departure([endless; 2]), None);
    assert_eq!(step.departure([endless, UNIT]), step.departure([UNIT; 2]));
}

#[test]
fn parts_bring_the_departure_below_any_length_but_rounding() {
    let step = Step::new(wheel(DVec3::ZERO, 3.0), wheel(DVec3::X * 1.6, -2.0));
    let mut last = step.parts();
    for length in [1e-1, 1e-2, 1e-4, 1e-6] {
        let cut = step.with_departure_below(length, [UNIT; 2]).expect("few enough parts");
        let bound = cut.departure([UNIT; 2]).expect("finite boxes").bound;
        assert!(bound <= length, "{bound:e} above {length:e}");
        // Not many more than are needed.
        assert!(cut.parts() >= last && bound > 0.5 * length, "{} parts: {bound:e}", cut.parts());
        last = cut.parts();
    }
    // Also where a length is hardly below what the step has already.
    for share in [0.95, 0.6] {
        let length = share * step.departure([UNIT; 2]).expect("finite boxes").bound;
        let cut = step.with_departure_below(length, [UNIT; 2]).expect("few enough parts");
        let bound = cut.departure([UNIT; 2]).expect("finite boxes").bound;
        assert!(bound <= length && cut.parts() > step.parts(), "{bound:e} above {length:e}");
    }
    let error = step.with_departure_below(1e-12, [UNIT; 2]).expect_err("too fine");
    assert!(matches!(error, MotionError::Departs { parts: Step::MAX_PARTS, .. }), "{error}");
    assert!(step.with_departure_below(f64::NAN, [UNIT; 2]).is_err());
}

/// The first root of a function that begins above zero.
fn first_root(f: impl Fn(f64) -> f64) -> f64 {
    let after = (0..10_000).map(|i| f64::from(i) * 1e-4).find(|t| f(*t) <= 0.0).expect("a root");
    let mut ends = [after - 1e-4, after];
    for _ in 0..60 {
        let middle = 0.5 * (ends[0] + ends[1]);
        ends[usize::from(f(middle) <= 0.0)] = middle;
    }
    ends[1]
}

#[test]
fn a_spinning_falling_plank_lands_when_its_corners_do() {
    let collider = |mesh| Collider::new(Polyhedron::new(&mesh).expect("a mesh"));
    let floor = shapes::mapped(shapes::cuboid(DVec3::new(20.0, 2.0, 20.0)), |v| v - DVec3::Y);
    let plank = shapes::cuboid(DVec3::new(2.0, 0.5, 0.5));
    let [floor, plank] = [collider(floor), collider(plank)];
    let bounds = [&floor, &plank].map(|body| body.mesh().bounds());
    let (fall, spin) = (4.0, 3.4 * PI);
    let start = Pose::from_position([0.3, 2.6, 0.0]).expect("finite");
    let flight = Motion::flight(start, DVec3::Y * -fall, DVec3::Z * spin).expect("few turns");
    let step = Step::new(Motion::still(Pose::IDENTITY), flight);
    // How low the corners are.
    let expected = first_root(|t| {
        let (sin, cos) = (spin * t).sin_cos();
        2.6 - fall * t - sin.abs() - 0.25 * cos.abs()
    });
    let mut workspace = Workspace::new();
    let mut first = |step: &Step| {
        let options = Options { first_only: true, ..Options::default() };
        contacts(&floor, &plank, step, &options, &mut workspace)[0].time
    };
    let rough = (first(&step) - expected).abs();
    assert!(rough > 1e-3, "a screw for each quarter-turn is {rough:e} off only");
    for length in [1e-2, 1e-4, 1e-6] {
        let step = step.with_departure_below(length, bounds).expect("few enough parts");
        let error = (first(&step) - expected).abs();
        // Corners approach the floor at a speed of more than 1.
        assert!(error <= length, "{error:e} off with a departure of {length:e}");
    }
}
