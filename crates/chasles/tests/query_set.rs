//! A set of bodies has the contacts of all its pairs, bit for bit, at any number of threads; and so
//! has a batch of motions.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::query::{
    self, BodyId, Contact, Filter, Geometry, Member, Method, Options, Set, SetContacts, Workspace,
    batch,
};
use chasles::{Motion, Pose, Screw, Step};
use chasles::{screen, solid};
use chasles_testkit::generate::Random;

fn cube(size: f64) -> Geometry {
    Geometry::shape(&Shape::Box(Cuboid { size: [size; 3] })).expect("a cube")
}

/// Bodies of all kinds but solids.
fn bodies() -> [Geometry; 4] {
    let ends = [[0.0, -0.3, 0.0], [0.0, 0.3, 0.0]];
    [
        cube(0.8),
        Geometry::shape(&Shape::Box(Cuboid { size: [0.2, 1.5, 0.3] })).expect("a bar"),
        Geometry::sphere(0.4).expect("round"),
        Geometry::capsule(ends, 0.2).expect("round"),
    ]
}

/// How bodies of a scene move.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Between,
    Along,
    Flight,
}

/// Bodies all over the place: some stand, others move and turn by up to an angle.
fn scene(count: usize, (way, angle): (Way, f64), share: f64, seed: u64) -> Set {
    let mut random = Random::new(seed);
    let bodies = bodies();
    let size = 1.1 * (count as f64).cbrt();
    let mut set = Set::new();
    for i in 0..count {
        let turn = DQuat::from_scaled_axis(random.vector());
        let start = Pose::new(size * random.vector(), turn).expect("finite");
        let angular = angle * random.vector();
        let linear = 1.5 * random.vector();
        let is_moving = 0.5 + 0.5 * random.vector().x < share;
        let motion = match way {
            _ if !is_moving => Motion::still(start),
            Way::Between => {
                let turn = DQuat::from_scaled_axis(angular) * start.rotation();
                let end = Pose::new(start.position() + linear, turn).expect("finite");
                Motion::between(start, end)
            }
            Way::Along => {
                let through = start.position() + random.vector();
                let twist = Screw::from_twist(angular, linear - angular.cross(through));
                Motion::along(start, twist.expect("finite")).expect("few turns")
            }
            Way::Flight => Motion::flight(start, linear, angular).expect("few turns"),
        };
        set.add(bodies[i % bodies.len()].clone(), motion);
    }
    set
}

/// The motion of a body that has no waypoints.
fn motion(member: &Member) -> Motion {
    *member.motion.motion().expect("one motion")
}

/// The contacts of all pairs of which one moves.
fn of_all_pairs(set: &Set, options: &Options) -> Vec<([usize; 2], Vec<Contact>)> {
    let mut workspace = Workspace::new();
    let mut all = Vec::new();
    for (a, one) in set.bodies() {
        for (b, other) in set.bodies().skip(a.index() + 1) {
            if one.motion.is_still() && other.motion.is_still() {
                continue;
            }
            let step = Step::new(motion(one), motion(other));
            let found =
                query::contacts(&one.geometry, &other.geometry, &step, options, &mut workspace);
            let found = found.expect("an answer").to_vec();
            if !found.is_empty() {
                all.push(([a.index(), b.index()], found));
            }
        }
    }
    all
}

fn rows(found: &SetContacts) -> Vec<([usize; 2], Vec<Contact>)> {
    found.pairs().map(|pair| (pair.bodies.map(BodyId::index), pair.found.to_vec())).collect()
}

fn scenes() -> Vec<(String, Set)> {
    let mut scenes = Vec::new();
    for way in [Way::Between, Way::Along, Way::Flight] {
        for (angle, share) in
            [(0.0, 0.5), (0.05, 0.2), (0.2, 1.0), (0.28, 1.0), (1.5, 0.5), (7.0, 0.3)]
        {
            if way == Way::Between && angle > 3.0 {
                continue;
            }
            for seed in 0..3 {
                let name = format!("{way:?} {angle} {share} {seed}");
                scenes.push((name, scene(60, (way, angle), share, seed)));
            }
        }
    }
    scenes
}

#[test]
fn a_set_has_the_contacts_of_all_pairs() {
    let mut count = 0;
    for (name, set) in scenes() {
        for options in [Options::all(), Options::default().first()] {
            let found = set.contacts(&options).expect("an answer");
            let expected = of_all_pairs(&set, &options);
            assert_eq!(rows(&found), expected, "{name}");
            assert_eq!(found.contact_count(), expected.iter().map(|(_, c)| c.len()).sum::<usize>());
            count += found.contact_count();
            let near = set.near_pairs(&options, false);
            let is_near = |pair: &[usize; 2]| near.iter().any(|p| p.map(BodyId::index) == *pair);
            assert!(expected.iter().all(|(pair, _)| is_near(pair)), "{name}");
            assert!(found.asked() <= near.len());
        }
    }
    assert!(count > 4000, "{count}");
}

#[test]
fn the_first_contact_of_a_set_is_the_earliest_of_its_pairs() {
    let mut hits = 0;
    for (name, set) in scenes() {
        let options = Options::default();
        let all = of_all_pairs(&set, &options.first());
        let earlier = |x: &&([usize; 2], Vec<Contact>), y: &&([usize; 2], Vec<Contact>)| {
            x.1[0].time.total_cmp(&y.1[0].time).then(x.0.cmp(&y.0))
        };
        let expected = all.iter().min_by(earlier).map(|(pair, found)| (*pair, found[0]));
        let first = set.first_contact(&options).expect("an answer");
        assert_eq!(first.map(|(pair, c)| (pair.map(BodyId::index), c)), expected, "{name}");
        hits += usize::from(first.is_some());
    }
    assert!(hits > 20, "{hits}");
}

#[test]
fn the_bits_do_not_depend_on_threads() {
    let set = scene(400, (Way::Along, 0.3), 0.5, 7);
    let moving = cube(0.5);
    let motions: Vec<Motion> =
        scene(500, (Way::Along, 0.3), 1.0, 8).bodies().map(|(_, body)| motion(body)).collect();
    let ask = || {
        let watch = batch::Watch::default();
        let found = rows(&set.contacts(&Options::all()).expect("an answer"));
        let first = set.first_contact(&Options::default()).expect("an answer");
        let many = batch::first_contacts_in(&set, &moving, &motions, &Options::default(), &watch);
        (found, first, many.expect("an answer"))
    };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool").install(ask)
    };
    let one = with(1);
    assert!(one.0.len() > 50 && one.1.is_some() && one.2.iter().flatten().count() > 50);
    for threads in [2, 3, 8] {
        assert_eq!(with(threads), one, "{threads} threads");
    }
}

#[test]
fn filters_leave_pairs_out() {
    // Four cubes in a row, each of which moves through the next.
    let mut set = Set::new();
    let cube = cube(1.0);
    let at = |x: f64| Pose::from_position([x, 0.0, 0.0]).expect("finite");
    let ids: Vec<BodyId> = (0..4)
        .map(|i| {
            let x = 1.5 * f64::from(i);
            set.add(cube.clone(), Motion::between(at(x), at(x + if i == 0 { 9.0 } else { 0.0 })))
        })
        .collect();
    let pairs = |set: &Set| -> Vec<[usize; 2]> {
        let found = set.contacts(&Options::default()).expect("exact");
        found.pairs().map(|pair| pair.bodies.map(BodyId::index)).collect()
    };
    // Those that stand are not asked about each other.
    assert_eq!(pairs(&set), [[0, 1], [0, 2], [0, 3]]);
    set.ignore(ids[2], ids[0]);
    assert_eq!(pairs(&set), [[0, 1], [0, 3]]);
    set.body_mut(ids[3]).expect("a body").filter = Filter { groups: 2, mask: u32::MAX };
    assert_eq!(pairs(&set), [[0, 1], [0, 3]]);
    set.body_mut(ids[0]).expect("a body").filter.mask = 1;
    assert_eq!(pairs(&set), [[0, 1]]);
    let mut asked = Vec::new();
    let none = set.contacts_where(&Options::default(), |a, b| {
        asked.push([a.index(), b.index()]);
        false
    });
    assert_eq!(none.expect("nothing").pairs().len(), 0);
    assert_eq!(asked, [[0, 1]]);
    set.body_mut(ids[0]).expect("a body").motion = Motion::still(at(0.0)).into();
    assert_eq!(set.contacts(&Options::all()).expect("exact").asked(), 0);
    assert!(set.near_pairs(&Options::all(), true).is_empty());
    set.body_mut(ids[1]).expect("a body").motion = Motion::still(at(0.9)).into();
    assert_eq!(set.near_pairs(&Options::all(), true).len(), 1);
    assert!(set.body(ids[3]).is_some() && Set::new().body(ids[0]).is_none());
}

#[test]
fn bodies_without_end_meet_everything_that_moves() {
    let mut set = scene(30, (Way::Along, 0.3), 0.4, 3);
    let ground = solid::HalfSpace::new(DVec3::Y, 0.0).expect("a half-space");
    let id = set.add(Geometry::solid(ground), Motion::still(Pose::IDENTITY));
    let options = Options::all().first();
    let found = set.contacts(&options).expect("an answer");
    assert_eq!(rows(&found), of_all_pairs(&set, &options));
    assert!(found.pairs().filter(|pair| pair.bodies.contains(&id)).count() > 3);
}

#[test]
fn an_error_names_the_first_pair() {
    let mut set = scene(40, (Way::Along, 0.3), 1.0, 4);
    let screened = Options::all().by(Method::Screen);
    let error = set.contacts(&screened).expect_err("round bodies have no screen");
    let first = set.near_pairs(&screened, false).into_iter().find(|pair| {
        pair.iter().any(|&id| set.body(id).is_some_and(|b| b.geometry.round().is_some()))
    });
    assert_eq!(Some(error.bodies), first);
    assert!(error.to_string().contains("Method::Exact"), "{error}");
    let [a, b] = error.bodies;
    set.ignore(a, b);
    assert_ne!(set.contacts(&screened).expect_err("others").bodies, [a, b]);
}

/// A grid of cubes, of which every tenth moves a little.
#[test]
fn few_pairs_of_many_bodies_are_asked() {
    let cube = cube(0.9);
    let mut random = Random::new(1);
    for side in [10, 17] {
        let mut set = Set::new();
        for i in 0..side * side * side {
            let place =
                DVec3::new((i % side).into(), (i / side % side).into(), (i / side / side).into());
            let start = Pose::from_position(place).expect("finite");
            let [linear, angular] = [0.1, 0.05].map(|s| s * random.vector());
            let motion = Motion::flight(start, linear, angular).expect("no turns");
            set.add(cube.clone(), if i % 10 == 0 { motion } else { Motion::still(start) });
        }
        let found = set.contacts(&Options::default()).expect("exact");
        let movers = (side * side * side) as usize / 10;
        assert!(found.asked() > movers && found.asked() < 12 * movers, "{}", found.asked());
        assert!(found.pairs().len() > movers / 4, "{}", found.pairs().len());
    }
}

/// Wheels in a row, all of which turn several times, and bodies between them that turn little: each
/// is asked about some neighbours only.
#[test]
fn few_pairs_of_many_bodies_that_turn_far_are_asked() {
    let wheel = cube(0.5);
    let mut random = Random::new(3);
    for count in [200_u32, 1600] {
        let mut set = Set::new();
        for i in 0..count {
            let start = Pose::from_position([f64::from(i), 0.0, 0.0]).expect("finite");
            let angle = if i % 4 == 0 { 0.1 } else { 14.0 };
            let turn = angle * random.vector().normalize();
            set.add(wheel.clone(), Motion::flight(start, DVec3::ZERO, turn).expect("few turns"));
        }
        let asked = set.contacts(&Options::default()).expect("exact").asked();
        let near = set.near_pairs(&Options::default(), false).len();
        assert!(asked <= near && near < 3 * count as usize, "{near} of {count}");
    }
}

/// Plates that turn alike in place, by a quarter in each part, keep seven tenths of their distance
/// on their screws, and so touch there with their corners.
#[test]
fn bodies_that_turn_alike_in_place_touch_on_their_screws() {
    let size = [1.0, 1.0, 0.1];
    let plate = Geometry::shape(&Shape::Box(Cuboid { size })).expect("a plate");
    let mut set = Set::new();
    for x in [0.0, 1.95] {
        let start = Pose::from_position([x, 0.0, 0.0]).expect("finite");
        let turn = std::f64::consts::PI * DVec3::Z;
        set.add(plate.clone(), Motion::flight(start, DVec3::ZERO, turn).expect("few turns"));
    }
    let motions: Vec<Motion> =
        set.bodies().map(|(_, body)| *body.motion.motion().expect("a motion")).collect();
    let step = Step::new(motions[0], motions[1]);
    let mut workspace = Workspace::new();
    let options = Options::all();
    let alone = query::contacts(&plate, &plate, &step, &options, &mut workspace).expect("exact");
    let found = set.contacts(&options).expect("exact");
    let pair = found.pairs().next().expect("they touch");
    assert!(alone.len() > 1 && pair.found.iter().eq(alone.iter()), "{}", alone.len());
}

/// Bodies that go from pose to pose and turn by more than a quarter: no box tells, but the chords
/// of their screws do. Those that turn alike go along them.
#[test]
fn few_pairs_of_bodies_that_turn_past_a_quarter_are_asked() {
    let cube = cube(1.0);
    for angle in [1.5, 1.6, 2.0, 2.4] {
        let mut set = Set::new();
        for i in 0..200 {
            let start = Pose::from_position([10.0 * f64::from(i), 0.0, 0.0]).expect("finite");
            let turn = DQuat::from_rotation_z(angle);
            let end = Pose::new(start.position(), turn).expect("finite");
            set.add(cube.clone(), Motion::between(start, end));
        }
        let near = set.near_pairs(&Options::all(), false).len();
        let asked = set.contacts(&Options::all()).expect("exact").asked();
        assert!(asked <= 400, "{angle}: {asked} of {near} pairs");
    }
}

/// Pixels of robust mode are wider than what is between two cubes, corner to corner, of which one
/// turns so far that no box tells.
#[test]
fn a_set_has_the_contacts_that_pixels_see() {
    let cube = cube(1.0);
    let toward = DVec3::ONE.normalize();
    let at = |gap: f64| toward * (3.0_f64.sqrt() + gap);
    let mut found = 0;
    for gap in [0.02, 0.05, 0.1, 0.2, 0.3] {
        let nudge = Pose::from_position(DVec3::X * 1e-9).expect("finite");
        let turned = Pose::new(at(gap - 1e-3), DQuat::from_axis_angle(toward, 2.0));
        let b = [Pose::from_position(at(gap)).expect("finite"), turned.expect("finite")];
        let mut set = Set::new();
        set.add(cube.clone(), Motion::between(Pose::IDENTITY, nudge));
        set.add(cube.clone(), Motion::between(b[0], b[1]));
        let mut options = Options::all().by(Method::Screen);
        options.screen.resolution = screen::Resolution::Length(0.25);
        options.screen.robust = true;
        let expected = of_all_pairs(&set, &options);
        assert_eq!(rows(&set.contacts(&options).expect("an answer")), expected, "{gap}");
        found += expected.len();
    }
    assert!(found > 1, "{found} pairs");
}

/// B past A, nearer or farther.
fn steps(count: usize) -> Vec<Step> {
    let mut random = Random::new(12);
    let still = Motion::still(Pose::IDENTITY);
    (0..count)
        .map(|_| {
            let from = 2.0 * random.vector().normalize();
            let to = 1.5 * random.vector() - from;
            let pose = |p: DVec3| Pose::new(p, DQuat::from_scaled_axis(random.vector()));
            let [start, end] = [from, to].map(pose);
            Step::new(still, Motion::between(start.expect("finite"), end.expect("finite")))
        })
        .collect()
}

#[test]
fn a_batch_has_the_answers_of_its_motions() {
    let [a, b, ..] = bodies();
    let steps = steps(300);
    let options = Options::default();
    let counted = AtomicUsize::new(0);
    let progress = |done: usize| _ = counted.fetch_max(done, Ordering::Relaxed);
    let watch = batch::Watch { progress: Some(&progress), cancel: None };
    let contacts = batch::first_contacts(&a, &b, &steps, &options, &watch).expect("exact");
    assert_eq!(counted.load(Ordering::Relaxed), steps.len());
    let times = batch::first_times(&a, &b, &steps, &options, &watch).expect("exact");
    let mut workspace = Workspace::new();
    let mut hits = 0;
    for ((step, contact), time) in steps.iter().zip(&contacts).zip(&times) {
        let expected = query::first_contact(&a, &b, step, &options, &mut workspace);
        assert_eq!(*contact, expected.expect("exact"));
        assert_eq!(contact.map_or(f64::NAN, |c| c.time).to_bits(), time.to_bits());
        hits += usize::from(contact.is_some());
    }
    assert!(hits > 50 && hits < 250, "{hits}");
    let free: Vec<Step> =
        steps.iter().zip(&contacts).filter(|(_, c)| c.is_none()).map(|(s, _)| *s).collect();
    let hit = steps[contacts.iter().position(Option::is_some).expect("a hit")];
    let mut mixed = free.clone();
    assert_eq!(batch::first_hit(&a, &b, &mixed, &options, &watch), Ok(None));
    let [early, late] = [free.len() / 3, free.len() / 2];
    mixed[early] = hit;
    mixed[late] = hit;
    assert_eq!(batch::first_hit(&a, &b, &mixed, &options, &watch), Ok(Some(early)));
}

#[test]
fn a_batch_ends_when_it_is_cancelled_and_names_a_motion_without_answer() {
    let [a, _, ball, _] = bodies();
    let steps = steps(300);
    let cancel = AtomicBool::new(false);
    let stop = |done: usize| cancel.store(done >= 64, Ordering::Relaxed);
    let watch = batch::Watch { progress: Some(&stop), cancel: Some(&cancel) };
    let options = Options::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    let ended = pool.install(|| batch::first_times(&a, &a, &steps, &options, &watch));
    assert_eq!(ended, Err(batch::BatchError::Cancelled));
    let hit = batch::first_hit(&a, &a, &steps, &options, &watch);
    assert_eq!(hit, Err(batch::BatchError::Cancelled));
    let watch = batch::Watch::default();
    let screened = options.by(Method::Screen);
    let error = batch::first_times(&a, &ball, &steps, &screened, &watch).expect_err("no screen");
    assert!(matches!(error, batch::BatchError::Query { index: 0, .. }), "{error}");
}

#[test]
fn a_body_in_a_set_has_the_first_of_its_contacts() {
    for (way, share) in [(Way::Along, 0.0), (Way::Between, 0.5), (Way::Flight, 1.0)] {
        let set = scene(80, (way, 0.4), share, 21);
        let [body, ..] = bodies();
        let motions: Vec<Motion> =
            scene(120, (Way::Along, 0.9), 1.0, 22).bodies().map(|(_, body)| motion(body)).collect();
        let options = Options::default();
        let watch = batch::Watch::default();
        let found = batch::first_contacts_in(&set, &body, &motions, &options, &watch);
        let mut workspace = Workspace::new();
        let mut hits = 0;
        for (own, found) in motions.iter().zip(found.expect("exact")) {
            let mut expected: Option<(BodyId, Contact)> = None;
            for (id, member) in set.bodies() {
                let step = Step::new(motion(member), *own);
                let first =
                    query::first_contact(&member.geometry, &body, &step, &options, &mut workspace);
                let earlier = |c: &Contact| expected.is_none_or(|(_, e)| c.time < e.time);
                expected = first.expect("exact").filter(earlier).map(|c| (id, c)).or(expected);
            }
            assert_eq!(found, expected);
            hits += usize::from(found.is_some());
        }
        assert!(hits > 10 && hits < 120, "{hits}");
    }
}

/// Two balls turn alike about their middles, so that neither moves as the eye sees it. As A sees
/// it, B goes round an arc; the screw that is taken for this is its chord, which comes nearer.
#[test]
fn what_the_relative_screw_touches_is_not_left_out() {
    let ball = Geometry::sphere(0.79).expect("round");
    let wheel = |x: f64| {
        let [hub, turn] = [DVec3::X * x, DVec3::Z * 0.49];
        let start = Pose::from_position(hub).expect("finite");
        let twist = Screw::from_twist(turn, hub.cross(turn)).expect("finite");
        Motion::along(start, twist).expect("less than a turn")
    };
    let [a, b] = [wheel(0.0), wheel(1.6)];
    let mut set = Set::new();
    set.add(ball.clone(), a);
    set.add(ball.clone(), b);
    let expected = of_all_pairs(&set, &Options::all());
    assert_eq!(expected.len(), 1, "the chord touches");
    assert_eq!(rows(&set.contacts(&Options::all()).expect("exact")), expected);
    let watch = batch::Watch::default();
    let mut alone = Set::new();
    alone.add(ball.clone(), a);
    let found = batch::first_contacts_in(&alone, &ball, &[b], &Options::all(), &watch);
    assert_eq!(found.expect("exact")[0].map(|(_, contact)| contact), Some(expected[0].1[0]));
}

/// Motions of one body through a set: some free, some not.
fn flights(count: usize) -> Vec<Motion> {
    let mut random = Random::new(5);
    let mut pose = || Pose::new(3.0 * random.vector(), DQuat::from_scaled_axis(random.vector()));
    (0..count).map(|_| Motion::between(pose().expect("finite"), pose().expect("finite"))).collect()
}

#[test]
fn a_batch_has_the_distances_of_its_poses_and_the_clearances_of_its_motions() {
    let [a, _, ball, _] = bodies();
    let steps = steps(150);
    let poses: Vec<[Pose; 2]> =
        steps.iter().map(|step| step.motions().map(|m| m.start())).collect();
    let watch = batch::Watch::default();
    let distances = batch::distances(&a, &ball, &poses, &watch).expect("exact");
    let clearances = batch::clearances(&a, &ball, &steps, 1e-3, &watch).expect("exact");
    let mut workspace = Workspace::new();
    for (i, step) in steps.iter().enumerate() {
        let alone = query::distance(&a, &ball, poses[i], &mut workspace).expect("exact");
        assert_eq!(distances[i], alone, "motion {i}");
        let alone = query::clearance(&a, &ball, step, 1e-3, &mut workspace).expect("exact");
        assert_eq!(clearances[i], alone, "motion {i}");
        assert!(clearances[i].lower <= distances[i].distance, "the start is on the way");
    }
    let free = clearances.iter().filter(|found| found.lower > 0.0).count();
    assert!(free > 10 && free < 140, "{free} of 150 are free");
    let cone = Geometry::solid(solid::Cone::new(0.5, 1.0).expect("a cone"));
    let error = batch::distances(&a, &cone, &poses, &watch).expect_err("no distance");
    assert!(matches!(error, batch::BatchError::Query { index: 0, .. }), "{error}");
}

#[test]
fn a_body_in_a_set_has_the_least_of_its_clearances() {
    let body = cube(0.3);
    let motions = flights(40);
    let watch = batch::Watch::default();
    for way in [Way::Between, Way::Flight] {
        let set = scene(30, (way, 0.8), 0.3, 11);
        let width = 1e-4;
        let found = batch::clearances_in(&set, &body, &motions, width, &watch).expect("exact");
        let mut workspace = Workspace::new();
        for (own, found) in motions.iter().zip(found) {
            let (nearest, found) = found.expect("the set has bodies");
            let mut least = f64::INFINITY;
            for (id, member) in set.bodies() {
                let step = Step::new(motion(member), *own);
                let one = query::clearance(&member.geometry, &body, &step, width, &mut workspace);
                let one = one.expect("exact");
                least = least.min(one.upper);
                assert!(found.lower <= one.upper, "body {id} comes nearer");
                if id == nearest {
                    assert_eq!((found.upper, found.points), (one.upper, one.points));
                }
            }
            assert_eq!(found.upper, least);
            assert!(found.upper - found.lower <= width);
        }
    }
    let none = batch::clearances_in(&Set::new(), &body, &motions, 1.0, &watch).expect("exact");
    assert!(none.iter().all(Option::is_none) && none.len() == motions.len());
}

#[test]
fn the_first_motion_that_brings_a_body_into_a_set_is_found() {
    let set = scene(30, (Way::Between, 0.8), 0.3, 11);
    let (body, options, watch) = (cube(0.1), Options::default(), batch::Watch::default());
    let all = flights(200);
    let found = batch::first_contacts_in(&set, &body, &all, &options, &watch).expect("exact");
    let of = |is_hit: bool| {
        let those = all.iter().zip(&found).filter(move |(_, c)| c.is_some() == is_hit);
        those.map(|(motion, _)| *motion).collect::<Vec<Motion>>()
    };
    let [hits, mut mixed] = [of(true), of(false)];
    assert!(hits.len() > 20 && mixed.len() > 20, "{} hits", hits.len());
    assert_eq!(batch::first_hit_in(&set, &body, &mixed, &options, &watch), Ok(None));
    let [early, late] = [mixed.len() / 3, mixed.len() / 2];
    mixed[late] = hits[0];
    mixed[early] = hits[1];
    assert_eq!(batch::first_hit_in(&set, &body, &mixed, &options, &watch), Ok(Some(early)));
}
