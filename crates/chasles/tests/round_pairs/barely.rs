//! Round bodies that pass each other, overlap or part by next to nothing.

use chasles::glam::{DQuat, DVec3};
use chasles::round::{self, Contact, Options, Round, Workspace};
use chasles::{Motion, Pose, Screw, Step};
use chasles_testkit::step_along;

use crate::at;

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
    // B stands on A and goes around a line beside its middle; rims pass where the axes are a
    // diameter apart.
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
    // Beside A, B goes around it and leaves it over its end; on top of A, it leaves it over its
    // rim.
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
    // As above, but about a point higher than both: the lower end comes twice as fast as the upper,
    // from farther away.
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
