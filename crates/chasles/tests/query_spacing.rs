//! How near the bodies of a set come is what pairs say one by one, at any number of threads.

use chasles::glam::DQuat;
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::query::{self, Accuracy, Geometry, Member, PairClearance, Route, Set, Workspace};
use chasles::{Motion, Pose};
use chasles_testkit::generate::Random;

const WIDTH: f64 = 1e-3;

/// Bodies all over the place, of which most move, from pose to pose or in flight, and turn.
fn scene(count: usize, angle: f64, seed: u64) -> Set {
    let mut random = Random::new(seed);
    let bar = Shape::Box(Cuboid { size: [0.2, 1.5, 0.3] });
    let bodies = [
        Geometry::shape(&bar).expect("a bar"),
        Geometry::sphere(0.4).expect("a ball"),
        Geometry::capsule([[0.0, -0.3, 0.0], [0.0, 0.3, 0.0]], 0.2).expect("a capsule"),
        Geometry::cylinder([[0.1, -0.3, 0.0], [0.1, 0.3, 0.0]], 0.25).expect("a cylinder"),
    ];
    let mut set = Set::new();
    for i in 0..count {
        let turn = DQuat::from_scaled_axis(random.vector());
        let start = Pose::new(3.5 * random.vector(), turn).expect("finite");
        let [linear, angular] = [0.8 * random.vector(), angle * random.direction()];
        let end = Pose::new(start.position() + linear, DQuat::from_scaled_axis(angular) * turn);
        let motion = match i % 5 {
            0 => Motion::still(start),
            1 => Motion::flight(start, linear, angular).expect("finite"),
            _ => Motion::between(start, end.expect("finite")),
        };
        set.add(bodies[i % 4].clone(), motion);
    }
    set
}

/// All pairs of which one moves, one by one.
fn one_by_one(set: &Set, accuracy: Accuracy) -> Vec<PairClearance> {
    let mut workspace = Workspace::new();
    let mut all = Vec::new();
    let members: Vec<_> = set.bodies().collect();
    for (i, &(first, a)) in members.iter().enumerate() {
        for &(second, b) in &members[i + 1..] {
            let stands = |member: &Member| member.motion.motion().is_some_and(Motion::is_still);
            if stands(a) && stands(b) {
                continue;
            }
            let route = Route::new(a.motion.clone(), b.motion.clone());
            let found =
                query::clearance(&a.geometry, &b.geometry, &route, accuracy, &mut workspace);
            let clearance = found.expect("bodies have a clearance");
            all.push(PairClearance { bodies: [first, second], clearance });
        }
    }
    all
}

#[test]
fn clearances_of_a_set_are_those_of_its_pairs_and_others_stay_beyond_the_reach() {
    let [mut listed, mut left_out] = [0, 0];
    for (number, angle) in [0.1, 0.45, 1.2, 2.0, 3.1].into_iter().enumerate() {
        let set = scene(16, angle, number as u64 + 1);
        for max_departure in [None, Some(0.05)] {
            let accuracy = Accuracy { max_departure, ..Accuracy::from(WIDTH) };
            let all = one_by_one(&set, accuracy);
            for reach in [0.0, 0.3] {
                let found = set.clearances(reach, accuracy).expect("an answer");
                let is_listed =
                    |pair: &&PairClearance| found.iter().any(|f| f.bodies == pair.bodies);
                let (near, far): (Vec<&PairClearance>, Vec<&PairClearance>) =
                    all.iter().partition(is_listed);
                assert!(near.into_iter().eq(&found), "{angle} {reach}");
                for pair in &far {
                    assert!(pair.clearance.upper > reach, "{angle} {reach}: {pair:?}");
                }
                listed += found.len();
                left_out += far.len();
            }
        }
    }
    assert!(listed > 200 && left_out > 400, "{listed} {left_out}: nothing is tested");
}

#[test]
fn the_clearance_of_a_set_is_the_least_of_its_pairs() {
    let mut apart = 0;
    for seed in 0..12 {
        let set = scene(6, 0.3, seed);
        let all = one_by_one(&set, WIDTH.into());
        let least =
            |of: fn(&PairClearance) -> f64| all.iter().map(of).fold(f64::INFINITY, f64::min);
        let found = set.clearance(1e3, WIDTH).expect("an answer").expect("bodies");
        assert_eq!(found.clearance.upper, least(|pair| pair.clearance.upper));
        assert_eq!(found.clearance.lower, least(|pair| pair.clearance.lower));
        let same = all.iter().find(|pair| pair.bodies == found.bodies).expect("a pair");
        assert_eq!(same.clearance.points, found.clearance.points);
        apart += usize::from(found.clearance.lower > 0.0);
    }
    assert!(apart > 3, "{apart}: nothing is tested");
}

/// A body that creeps past a post is nearer to it than one that rushes past another, but a wide
/// interval tells less about that one.
#[test]
fn the_lower_bound_of_a_set_is_that_of_all_pairs() {
    let ball = Geometry::sphere(0.1).expect("a ball");
    let at = |x: f64, y: f64| Pose::from_position([x, y, 0.0]).expect("finite");
    let mut set = Set::new();
    for x in [0.0, 100.0] {
        set.add(ball.clone(), Motion::still(at(x, 0.0)));
    }
    set.add(ball.clone(), Motion::between(at(0.5, 0.0), at(0.5, 0.1)));
    set.add(ball.clone(), Motion::between(at(100.7, -10.0), at(100.7, 10.0)));
    let [creeps, rushes] = [0, 1].map(|i| set.clearances(1.0, 5.0).expect("an answer")[i]);
    assert!(creeps.clearance.upper < rushes.clearance.upper);
    assert!(creeps.clearance.lower > rushes.clearance.lower, "{creeps:?} {rushes:?}");
    let found = set.clearance(1.0, 5.0).expect("an answer").expect("two pairs");
    assert_eq!(found.bodies, creeps.bodies);
    assert_eq!(found.clearance.lower, rushes.clearance.lower);
}

/// Bodies that turn alike, each in place, go straight past each other on their screw: they come
/// nearer there than on their own motions, the more so the farther apart they are.
#[test]
fn a_reach_is_one_on_screws() {
    let ball = Geometry::sphere(0.05).expect("a ball");
    let mut set = Set::new();
    let turn = DQuat::from_rotation_z(0.45);
    for x in [0.0, 4.18] {
        let [from, to] = [DQuat::IDENTITY, turn].map(|q| Pose::new([x, 0.0, 0.0], q));
        set.add(ball.clone(), Motion::between(from.expect("finite"), to.expect("finite")));
    }
    let alone = one_by_one(&set, WIDTH.into());
    assert!(alone[0].clearance.upper < 4.0, "{alone:?}");
    assert_eq!(set.clearances(4.0, WIDTH).expect("an answer"), alone);
}

#[test]
fn threads_change_no_bit_of_clearances() {
    let set = scene(14, 2.0, 9);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| set.clearances(0.2, WIDTH)).expect("an answer")
    };
    let one = with(1);
    assert!(one.len() > 5 && [2, 3].into_iter().all(|threads| with(threads) == one));
}

#[test]
fn ways_that_are_none_are_refused_and_odd_reaches_count_as_nothing() {
    let set = scene(8, 0.3, 2);
    assert!(set.clearances(1e3, f64::NAN).is_err() && set.clearances(1e3, -1.0).is_err());
    let none = set.clearances(0.0, WIDTH).expect("an answer");
    for reach in [f64::NAN, -1.0] {
        assert_eq!(set.clearances(reach, WIDTH).expect("an answer"), none);
    }
}
