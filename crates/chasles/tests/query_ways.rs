//! Sets and batches take waypoints, bounds of the departure and filters, and tell what starts in
//! overlap.

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::query::{
    self, Accuracy, BodyId, Contact, Filter, Geometry, Options, Outcome, Overlap, Route, Set,
    Trajectory, Waypoints, Workspace, batch,
};
use chasles::{Motion, Pose, Step};
use chasles_testkit::generate::Random;

fn bodies() -> [Geometry; 3] {
    let bar = Shape::Box(Cuboid { size: [0.2, 1.5, 0.3] });
    let ends = [[0.0, -0.3, 0.0], [0.0, 0.3, 0.0]];
    [
        Geometry::shape(&bar).expect("a bar"),
        Geometry::sphere(0.4).expect("round"),
        Geometry::capsule(ends, 0.2).expect("round"),
    ]
}

/// Somewhere in the way of others, turned and moved on by an angle a leg at most.
fn trajectory(angle: f64, kind: u32, random: &mut Random) -> Trajectory {
    let turn = DQuat::from_scaled_axis(random.vector());
    let start = Pose::new(3.5 * random.vector(), turn).expect("finite");
    let mut pose = start;
    let mut next = || {
        let turn = DQuat::from_scaled_axis(0.57 * angle * random.vector()) * pose.rotation();
        pose = Pose::new(pose.position() + 0.8 * random.vector(), turn).expect("finite");
        pose
    };
    match kind {
        0 => Motion::still(start).into(),
        1 => Motion::between(start, next()).into(),
        2 => Motion::flight(start, DVec3::new(0.5, 1.0, 0.2), DVec3::Y * angle)
            .expect("few turns")
            .into(),
        _ => {
            let way = Waypoints::new([(0.0, start), (0.3, next()), (0.8, next()), (1.0, next())]);
            way.expect("in order").into()
        }
    }
}

fn scene(count: u32, angle: f64, seed: u64) -> Set {
    let mut random = Random::new(seed);
    let bodies = bodies();
    let mut set = Set::new();
    for i in 0..count {
        let body = bodies[i as usize % bodies.len()].clone();
        set.add(body, trajectory(angle, i % 5, &mut random));
    }
    set
}

/// The contacts of each pair, by the route of both.
fn of_all_pairs(set: &Set, options: &Options) -> Vec<([usize; 2], Vec<Contact>)> {
    let mut workspace = Workspace::new();
    let mut all = Vec::new();
    for (a, one) in set.bodies() {
        for (b, other) in set.bodies().skip(a.index() + 1) {
            if one.motion.is_still() && other.motion.is_still() {
                continue;
            }
            let route = Route::new(&one.motion, &other.motion);
            let [of_a, of_b] = [&one.geometry, &other.geometry];
            let found = query::contacts(of_a, of_b, &route, options, &mut workspace);
            let found = found.expect("an answer").to_vec();
            if !found.is_empty() {
                all.push(([a.index(), b.index()], found));
            }
        }
    }
    all
}

#[test]
fn a_set_with_waypoints_has_the_contacts_of_all_pairs() {
    let mut count = 0;
    for (angle, seed) in [(0.1, 1), (0.4, 2), (1.0, 3), (2.5, 4), (2.9, 5)] {
        let set = scene(45, angle, seed);
        let closely = Options { max_departure: Some(0.05), ..Options::default() };
        for options in [Options::all(), Options::default().first(), closely] {
            let found = set.contacts(&options).expect("an answer");
            let rows: Vec<([usize; 2], Vec<Contact>)> = found
                .pairs()
                .map(|pair| (pair.bodies.map(BodyId::index), pair.found.to_vec()))
                .collect();
            assert_eq!(rows, of_all_pairs(&set, &options), "{angle} {options:?}");
            assert!(found.asked() < 45 * 44 / 2);
            count += rows.len();
            let near = set.near_pairs(&options, false);
            assert!(found.pairs().all(|pair| near.contains(&pair.bodies)), "{angle}");
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn a_body_past_waypoints_has_the_first_contact_and_the_clearance_of_its_route() {
    let set = scene(40, 0.6, 8);
    let [body, ..] = bodies();
    let mut random = Random::new(9);
    let ways: Vec<Waypoints> = (0..60)
        .map(|_| {
            let poses = [0; 3].map(|_| {
                let turn = DQuat::from_scaled_axis(random.vector());
                Pose::new(3.0 * random.vector(), turn).expect("finite")
            });
            Waypoints::evenly(poses).expect("in order")
        })
        .collect();
    let (options, watch) = (Options::default(), batch::Watch::default());
    let found = batch::first_contacts_in(&set, &body, &ways, &options, &watch).expect("exact");
    let nearest = batch::clearances_in(&set, &body, &ways, 1e-3, &watch).expect("exact");
    let mut workspace = Workspace::new();
    let mut hits = 0;
    for (i, way) in ways.iter().enumerate() {
        let mut first: Option<(BodyId, Contact)> = None;
        let mut least = f64::INFINITY;
        for (id, member) in set.bodies() {
            let route = Route::new(&member.motion, way);
            let one =
                query::first_contact(&member.geometry, &body, &route, &options, &mut workspace);
            let earlier = |c: &Contact| first.is_none_or(|(_, f)| c.time < f.time);
            first = one.expect("exact").filter(earlier).map(|c| (id, c)).or(first);
            let one = query::clearance(&member.geometry, &body, &route, 1e-3, &mut workspace);
            least = least.min(one.expect("exact").upper);
        }
        assert_eq!(found[i], first, "way {i}");
        assert_eq!(nearest[i].map(|(_, c)| c.upper), Some(least), "way {i}");
        hits += usize::from(first.is_some());
    }
    assert!(hits > 10 && hits < 60, "{hits}");
}

/// Two cubes spin in place, one to the left and one to the right: the screw between them leads
/// through the middle.
#[test]
fn bodies_that_spin_in_place_far_apart_meet_in_no_set_that_bounds_the_departure() {
    let cube = Geometry::shape(&Shape::Box(Cuboid::default())).expect("a cube");
    let spin = |x: f64, degrees: f64| {
        let turn = DQuat::from_rotation_z(degrees.to_radians());
        let start = Pose::from_position([x, 0.0, 0.0]).expect("finite");
        Motion::between(start, Pose::new([x, 0.0, 0.0], turn).expect("finite"))
    };
    let mut set = Set::new();
    set.add(cube.clone(), spin(0.0, -100.0));
    let mut alone = set.clone();
    set.add(cube.clone(), spin(5.0, 100.0));
    let [loosely, closely] =
        [None, Some(0.01)].map(|max_departure| Options { max_departure, ..Options::default() });
    assert_eq!(set.contacts(&loosely).expect("exact").pairs().len(), 1);
    let found = set.contacts(&closely).expect("exact");
    assert_eq!((found.pairs().len(), found.asked()), (0, 0));
    assert!(set.first_contact(&loosely).expect("exact").is_some());
    assert_eq!(set.first_contact(&closely), Ok(None));
    let watch = batch::Watch::default();
    let motions = [spin(5.0, 100.0)];
    let ask = |set: &Set, options: &Options| {
        batch::first_contacts_in(set, &cube, &motions, options, &watch).expect("exact")[0]
    };
    assert!(ask(&alone, &loosely).is_some() && ask(&alone, &closely).is_none());
    let steps = [Step::new(spin(0.0, -100.0), motions[0])];
    let times = |options: &Options| {
        batch::first_times(&cube, &cube, &steps, options, &watch).expect("exact")[0]
    };
    assert!(times(&loosely).is_finite() && times(&closely).is_nan());
    // The nearest is the one that spins, though one that stands is nearer than its screw.
    alone.add(cube.clone(), Motion::still(Pose::from_position([11.0, 0.0, 0.0]).expect("finite")));
    let accuracy = Accuracy { max_departure: Some(1e-3), ..Accuracy::from(1e-3) };
    let found = batch::clearances_in(&alone, &cube, &motions, accuracy, &watch).expect("meshes");
    let (id, clearance) = found[0].expect("bodies");
    assert_eq!(id.index(), 0);
    assert!((clearance.upper - (5.0 - 2.0_f64.sqrt())).abs() < 3e-3, "{clearance:?}");
}

#[test]
fn a_batch_leaves_out_what_filters_do() {
    let ball = Geometry::sphere(0.5).expect("round");
    let at = |x: f64| Pose::from_position([x, 0.0, 0.0]).expect("finite");
    let mut set = Set::new();
    let hidden = Filter { groups: 2, mask: 2 };
    let first = set.add_with(ball.clone(), Motion::still(at(2.0)), hidden);
    let second = set.add(ball.clone(), Motion::still(at(5.0)));
    let motions = [Motion::between(at(0.0), at(9.0))];
    let (options, watch) = (Options::default(), batch::Watch::default());
    let who = |visitor: batch::Visitor<'_>| {
        let found = batch::first_contacts_in(&set, visitor, &motions, &options, &watch);
        let nearest = batch::clearances_in(&set, visitor, &motions, 1e-3, &watch);
        let hit = batch::first_hit_in(&set, visitor, &motions, &options, &watch);
        let found = found.expect("exact")[0].map(|(id, _)| id);
        assert_eq!(nearest.expect("exact")[0].map(|(id, _)| id), found);
        assert_eq!(hit.expect("exact").is_some(), found.is_some());
        let outcome = batch::outcomes_in(&set, visitor, &motions, &options, &watch);
        assert_eq!(outcome.expect("exact")[0].1, found);
        found
    };
    let usual = batch::Visitor::from(&ball);
    assert_eq!(who(usual), Some(second));
    assert_eq!(who(batch::Visitor { filter: Filter { groups: 3, mask: 3 }, ..usual }), Some(first));
    assert_eq!(who(batch::Visitor { filter: Filter { groups: 4, mask: 0 }, ..usual }), None);
    assert_eq!(who(batch::Visitor { ignored: &[second], ..usual }), None);
}

#[test]
fn a_motion_that_starts_in_overlap_is_not_free() {
    let [bar, ball, _] = bodies();
    let mut random = Random::new(12);
    let steps: Vec<Step> = (0..300)
        .map(|_| {
            let [from, to] = [0, 1].map(|_| {
                let turn = DQuat::from_scaled_axis(random.vector());
                Pose::new(1.2 * random.vector(), turn).expect("finite")
            });
            Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to))
        })
        .collect();
    let (options, watch) = (Options::default(), batch::Watch::default());
    let outcomes = batch::outcomes(&bar, &ball, &steps, &options, &watch).expect("exact");
    let firsts = batch::first_contacts(&bar, &ball, &steps, &options, &watch).expect("exact");
    let starts: Vec<[Pose; 2]> =
        steps.iter().map(|step| step.motions().map(|m| m.start())).collect();
    let overlaps = batch::overlaps(&bar, &ball, &starts, &watch).expect("exact");
    let mut seen = [0; 4];
    for ((outcome, first), overlap) in outcomes.iter().zip(&firsts).zip(&overlaps) {
        let kind = match (outcome, first, overlap) {
            (Outcome::StartsOverlapping(parts), None, Overlap::Overlapping(own))
                if parts == own =>
            {
                0
            }
            (Outcome::StartsOverlapping(_), Some(_), Overlap::Overlapping(_)) => 1,
            (Outcome::Hit(hit), Some(contact), Overlap::Apart) if hit == contact => 2,
            (Outcome::Free, None, Overlap::Apart) => 3,
            other => panic!("{other:?}"),
        };
        seen[kind] += 1;
        assert_eq!(outcome.is_free(), kind == 3);
    }
    assert!(seen[0] > 20 && seen[2] > 20 && seen[3] > 20, "{seen:?}");
    // Past the start, the window begins elsewhere.
    let late = Options { window: [1.0, 1.0], ..options };
    let mut workspace = Workspace::new();
    for step in &steps {
        let end = step.motions().map(|motion| motion.end());
        let is_in = query::overlaps(&bar, &ball, end, &mut workspace).expect("exact");
        let outcome = query::outcome(&bar, &ball, step, &late, &mut workspace).expect("exact");
        assert_eq!(matches!(outcome, Outcome::StartsOverlapping(_)), is_in.is_overlapping());
    }
}

#[test]
fn a_body_that_starts_in_one_of_a_set_is_not_free() {
    let [_, ball, _] = bodies();
    let set = scene(30, 0.3, 5);
    let mut random = Random::new(6);
    let motions: Vec<Motion> = (0..150)
        .map(|_| {
            let from = Pose::from_position(4.0 * random.vector()).expect("finite");
            let to = Pose::from_position(from.position() + random.vector()).expect("finite");
            Motion::between(from, to)
        })
        .collect();
    let (options, watch) = (Options::default(), batch::Watch::default());
    let found = batch::outcomes_in(&set, &ball, &motions, &options, &watch).expect("exact");
    let firsts = batch::first_contacts_in(&set, &ball, &motions, &options, &watch).expect("exact");
    let mut workspace = Workspace::new();
    let mut seen = [0; 3];
    for (i, (outcome, whose)) in found.iter().enumerate() {
        let start = motions[i].start();
        let inside = set.bodies().find(|(_, member)| {
            let poses = [member.motion.start(), start];
            let told = query::overlaps(&member.geometry, &ball, poses, &mut workspace);
            told.expect("exact").is_overlapping()
        });
        match (inside, firsts[i]) {
            (Some((id, _)), _) => {
                assert!(matches!(outcome, Outcome::StartsOverlapping(_)), "{outcome:?}");
                assert_eq!(*whose, Some(id));
                seen[0] += 1;
            }
            (None, Some((id, contact))) => {
                assert_eq!((*outcome, *whose), (Outcome::Hit(contact), Some(id)));
                seen[1] += 1;
            }
            (None, None) => {
                assert_eq!((*outcome, *whose), (Outcome::Free, None));
                seen[2] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
}

#[test]
fn a_set_tells_which_bodies_overlap_also_those_that_stand() {
    let mut set = scene(90, 0.3, 5);
    let mut expected = Vec::new();
    let mut workspace = Workspace::new();
    for (a, one) in set.bodies() {
        for (b, other) in set.bodies().skip(a.index() + 1) {
            let poses = [one.motion.start(), other.motion.start()];
            let found = query::overlaps(&one.geometry, &other.geometry, poses, &mut workspace);
            let found = found.expect("exact");
            if found.is_overlapping() {
                expected.push(([a, b], found));
            }
        }
    }
    let found = set.overlaps().expect("exact");
    let rows: Vec<_> = found.iter().map(|pair| (pair.bodies, pair.overlap)).collect();
    assert_eq!(rows, expected);
    assert!(rows.len() > 5, "{}", rows.len());
    let [a, b] = rows[0].0;
    set.ignore(b, a);
    assert_eq!(set.overlaps().expect("exact").len(), rows.len() - 1);
    let ids: Vec<BodyId> = set.bodies().map(|(id, _)| id).collect();
    for id in ids {
        let body = set.body_mut(id).expect("of this set");
        body.motion = Motion::still(body.motion.start()).into();
    }
    assert_eq!(set.overlaps().expect("exact").len(), rows.len() - 1, "all stand");
    assert_eq!(set.contacts(&Options::all()).expect("exact").asked(), 0);
}
