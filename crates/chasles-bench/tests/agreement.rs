//! Both sides of the comparison answer the same question: where they are given the same motion,
//! they find the same first contact. Where the speed cases are absent the tests say so and pass.

use chasles::Pose;
use chasles::glam::DQuat;
use chasles_bench::parry::{Cast, Path};
use chasles_bench::{Case, Mode, Pair, cases};

#[test]
fn parry_and_chasles_agree_on_the_same_screw() {
    for case in cases::speed_cases() {
        let pair = Pair::new(&case).unwrap();
        let ours = pair.query(Mode::First).run().first().map(|contact| contact.time);
        assert_close(&case, Cast::new(&case, Path::Screw), ours);
    }
}

#[test]
fn parry_and_chasles_agree_on_the_same_straight_path() {
    for case in cases::speed_cases() {
        assert_close(&case, Cast::new(&case, Path::Straight), straight_contact(&case));
    }
}

/// parry stops when the bodies are within its tolerance, so it may be a little early.
fn assert_close(case: &Case, cast: Cast, ours: Option<f64>) {
    let theirs = cast.run().map(|hit| hit.time_of_impact);
    let close = match (theirs, ours) {
        (Some(theirs), Some(ours)) => (theirs - ours).abs() < 1e-5,
        (None, None) => true,
        _ => false,
    };
    assert!(close, "{}: parry {theirs:?}, chasles {ours:?}", case.name);
}

/// The first contact when B's origin moves in a straight line: a chain of short screws. Each bulges
/// from the line by an eighth of its length times its angle, less than 1e-4, which at the speed of
/// these bodies is about 1e-5 of the step.
fn straight_contact(case: &Case) -> Option<f64> {
    let parts = 100;
    let mut pair = Pair::new(case).unwrap();
    (0..parts).find_map(|i| {
        let times = [i, i + 1].map(|i| f64::from(i) / f64::from(parts));
        pair.set_poses([case.a.poses, times.map(|t| straight_pose(case.b.poses, t))]);
        let mut query = pair.query(Mode::First);
        let contact = query.run().first()?;
        Some(times[0] + (times[1] - times[0]) * contact.time)
    })
}

fn straight_pose([start, end]: [Pose; 2], t: f64) -> Pose {
    let turn = end.rotation() * start.rotation().conjugate();
    let turn = DQuat::from_scaled_axis(turn.to_scaled_axis() * t);
    Pose::new(start.position().lerp(end.position(), t), turn * start.rotation()).unwrap()
}
