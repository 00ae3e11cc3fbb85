//! Options choose among the contacts; they do not change them.

use std::f64::consts::{FRAC_PI_2, TAU};

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape, Sphere, Torus};
use chasles::{
    Collider, Contact, Motion, Options, Polygons, Polyhedron, Pose, Screw, Step, Workspace,
    contact, contacts,
};
use chasles_testkit::generate::Random;
use chasles_testkit::parity::convex_bodies_start_apart;
use chasles_testkit::query::sound_contacts_of_step;
use chasles_testkit::{Query, generate, judge, lattice, oracle, shapes};

fn all(query: &Query) -> Vec<Contact> {
    query.sound_contacts(&Options::default())
}

/// Queries with their contacts, most of which have some.
fn queries() -> impl Iterator<Item = (Query, Vec<Contact>)> {
    let queries = (0..150).map(generate::query).chain((0..50).map(generate::open_query));
    let answered: Vec<(Query, Vec<Contact>)> = queries.map(|q| (q.clone(), all(&q))).collect();
    let touching = answered.iter().filter(|(_, contacts)| contacts.len() > 1).count();
    assert!(touching > 100, "only {touching} queries have contacts: nothing is tested");
    answered.into_iter()
}

#[test]
fn first_only_is_the_first_of_all() {
    for (query, mut all) in queries() {
        let options = Options { first_only: true, ..Options::default() };
        let first = query.sound_contacts(&options);
        contact::keep_first(&mut all);
        assert_eq!(first, all);
    }
}

/// Bodies of many leaves, which are searched in the order of time: apart or in each other at the
/// start, turned about their own middles, past each other or by more than a turn.
#[test]
fn the_first_contact_of_bodies_of_many_faces_is_the_first_of_all() {
    let torus = Shape::Torus(Torus { segments: [34, 22], ..Torus::default() });
    let sphere = Shape::Sphere(Sphere { segments: [40, 24], ..Sphere::default() });
    let meshes = [&torus, &sphere].map(|shape| shape.build().expect("fits"));
    let [a, b] = meshes.map(Collider::new);
    let [mut all, mut first] = [Workspace::new(), Workspace::new()];
    let mut random = Random::new(11);
    let [mut touching, mut overlapping] = [0, 0];
    for case in 0..120 {
        let apart = [0.3, 1.0, 2.5][case % 3];
        let start = Pose::new(apart * random.direction(), random.rotation()).expect("finite");
        let angular = random.direction() * [0.0, 1e-3, 0.2, 1.5, 7.0][case % 5];
        let linear = random.direction() * [0.02, 0.6, 2.5][case / 3 % 3];
        let about = linear - angular.cross(start.position());
        let twist = Screw::from_twist(angular, about).expect("finite");
        let moving = Motion::along(start, twist).expect("few turns");
        let step = Step::new(Motion::still(Pose::IDENTITY), moving);
        for facing in [false, true] {
            let options = Options { facing, ..Options::default() };
            let mut wanted = contacts(&a, &b, &step, &options, &mut all).to_vec();
            contact::keep_first(&mut wanted);
            let options = Options { first_only: true, ..options };
            let found = contacts(&a, &b, &step, &options, &mut first);
            assert_eq!(found, wanted, "{case}");
            touching += found.len();
            overlapping += usize::from(found.iter().any(|contact| !contact.touchable));
        }
    }
    assert!(touching > 100 && overlapping > 5, "{touching} {overlapping}: nothing is tested");
}

/// Triangles of a mesh with their corners.
#[derive(Default)]
struct Pieces {
    vertices: Vec<DVec3>,
    faces: Vec<[u32; 3]>,
}

impl Pieces {
    fn add(&mut self, vertices: &[[f64; 3]], faces: &[[u32; 3]]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(vertices.iter().map(|&v| DVec3::from(v)));
        self.faces.extend(faces.iter().map(|face| face.map(|v| v + first)));
    }

    /// A tetrahedron that stands on a corner, so wide and so high.
    fn add_tip(&mut self, [x, y, z]: [f64; 3], [wide, high]: [f64; 2]) {
        let corner = |k: u32| {
            let (sine, cosine) = (f64::from(k) * TAU / 3.0).sin_cos();
            [x + wide * cosine, y + wide * sine, z + high]
        };
        let faces = [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]];
        self.add(&[[x, y, z], corner(0), corner(1), corner(2)], &faces);
    }

    fn build(self) -> Collider {
        let mesh = Polyhedron::new(&Polygons::new(self.vertices, self.faces));
        Collider::new(mesh.expect("a mesh"))
    }
}

/// A slope, a table and a wall, and so much else that leaves are looked at one by one.
fn ground() -> Collider {
    let mut ground = Pieces::default();
    ground.add(&[[-0.12, -0.08, -0.04], [0.06, -0.08, 0.02], [-0.03, 0.1, -0.01]], &[[0, 1, 2]]);
    ground.add(&[[0.1, -0.08, 0.0], [0.26, -0.08, 0.0], [0.18, 0.1, 0.0]], &[[0, 1, 2]]);
    let wall = [[3.0 - 5e-12, -1.0, 0.01], [3.0 - 5e-12, 1.0, 0.01], [3.0 + 5e-10, 0.0, -1.0]];
    ground.add(&wall, &[[0, 2, 1]]);
    for i in 0..400_u32 {
        let [x, y] = [i % 20, i / 20].map(|k| 0.1 * f64::from(k));
        for [x, y, z] in [[x - 3.0, y - 3.0, -1.5], [x + 2.0, y + 1.0, -0.1]] {
            ground.add(&[[x, y, z], [x + 0.08, y, z], [x, y + 0.08, z]], &[[0, 1, 2]]);
        }
    }
    ground.build()
}

/// A corner that goes down along a wall comes to it at a time that is known to some 1e-5 only. A
/// blunt tip touches a little later, and is found first; a sharp one touches after that, but before
/// the end of the bracket of the corner, so that it cannot be told from the earliest, and is best.
#[test]
fn a_first_contact_at_an_uncertain_time_leaves_out_nothing_that_may_be_as_early() {
    let mut tools = Pieces::default();
    let corner = [[3.0, 0.0, 0.3], [3.4, -0.2, 0.3], [3.4, 0.2, 0.3], [3.4, 0.0, 0.7]];
    tools.add(&corner, &[[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]]);
    tools.add_tip([-0.03, -0.02, 0.29 + 3e-5], [0.06, 0.04]);
    tools.add_tip([0.18, -0.02, 0.3 + 2e-4], [0.01, 0.1]);
    let [a, b] = [ground(), tools.build()];
    let end = Pose::from_position([0.0, 0.0, -1.0]).expect("finite");
    let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(Pose::IDENTITY, end));
    let mut workspace = Workspace::new();
    let mut wanted = contacts(&a, &b, &step, &Options::default(), &mut workspace).to_vec();
    let [earliest, until] = [wanted[0].time, wanted[0].time_bracket[1]];
    assert!(earliest < 0.3 + 3e-5 && until > 0.3 + 2e-4, "{earliest} {until}");
    contact::keep_first(&mut wanted);
    let best = wanted[0];
    assert!((best.time - 0.3 - 2e-4).abs() < 1e-9 && best.properness > 0.9, "{best:?}");
    let options = Options { first_only: true, ..Options::default() };
    assert_eq!(contacts(&a, &b, &step, &options, &mut workspace), wanted);
}

/// Boxes that meet flat touch with edges that slide along each other, at the same time.
#[test]
fn the_first_of_contacts_at_once_approaches_and_is_the_most_proper() {
    let cube = Shape::Box(Cuboid::default()).polygons().expect("fits");
    let mut others = 0;
    for aside in [0.0, 0.3, -0.5] {
        for turn in [0.0, 1e-9, 0.7] {
            let turn = DQuat::from_rotation_z(turn);
            let poses = [4.0, -4.0].map(|z| Pose::new([aside, 0.2, z], turn).expect("finite"));
            let step =
                Step::new(Motion::still(Pose::IDENTITY), Motion::between(poses[0], poses[1]));
            let found = |options: &Options| sound_contacts_of_step([&cube, &cube], &step, options);
            let all = found(&Options::default());
            let [first] = found(&Options { first_only: true, ..Options::default() })[..] else {
                panic!("no contact");
            };
            assert!(first.time - all[0].time < 1e-15 && first.normal_speed < -1.0, "{first:?}");
            let approaching = all.iter().filter(|c| c.normal_speed < 0.0 && c.time <= first.time);
            let most_proper = approaching.map(|c| c.properness).fold(-1.0, f64::max);
            assert_eq!(first.properness, most_proper);
            others += usize::from(first.features != all[0].features);
        }
    }
    assert!(others > 0, "the first by features is always the right one: nothing is tested");
}

#[test]
fn min_properness_is_a_filter() {
    for (query, all) in queries() {
        for min_properness in [-1.0, -0.5, 0.0, 0.3] {
            let options = Options { min_properness, ..Options::default() };
            let kept = all.iter().filter(|c| c.properness >= min_properness).copied();
            assert_eq!(query.sound_contacts(&options), kept.collect::<Vec<_>>());
        }
    }
}

/// The same pairs, marks and times. A coincidence may be seen by another pair of features when some
/// are not asked for, whose time differs in the last bits.
#[track_caller]
fn are_the_same(found: &[Contact], wanted: &[Contact], what: &str) {
    let same = |c: &Contact, d: &Contact| {
        c.features == d.features && c.grazing == d.grazing && (c.time - d.time).abs() < 1e-9
    };
    let lost = wanted.iter().find(|w| !found.iter().any(|f| same(f, w)));
    assert_eq!(lost, None, "{what}: lost");
    let extra = found.iter().find(|f| !wanted.iter().any(|w| same(f, w)));
    assert_eq!(extra, None, "{what}: not among all");
    assert_eq!(found.len(), wanted.len(), "{what}");
}

/// Shapes as people place them, in which most contacts are coincidences of many features.
fn min_properness_filters_aligned_shapes(angle: f64) {
    let mut kept = 0;
    for (seed, query) in (0..250).map(|seed| (seed, generate::aligned(seed, angle))) {
        for facing in [false, true] {
            let all = query.contacts(&Options { facing, ..Options::default() });
            // Not the cosine of an angle that the shapes have, which rounding may put on either
            // side.
            for min_properness in [-0.55, -0.1, 0.27] {
                let options = Options { min_properness, facing, ..Options::default() };
                let wanted = all.iter().filter(|c| c.properness >= min_properness).copied();
                let wanted: Vec<Contact> = wanted.collect();
                let found = query.contacts(&options);
                are_the_same(&found, &wanted, &format!("seed {seed}, {options:?}"));
                kept += wanted.len();
            }
        }
    }
    assert!(kept > 1000, "only {kept} contacts are kept: nothing is tested");
}

#[test]
fn min_properness_is_a_filter_for_aligned_translations() {
    min_properness_filters_aligned_shapes(0.0);
}

#[test]
fn min_properness_is_a_filter_on_a_lattice() {
    for (seed, query) in (0..400).map(|seed| (seed, lattice::query(seed))) {
        let all = all(&query);
        for min_properness in [-0.5, -0.1, 0.0, 0.3] {
            let options = Options { min_properness, ..Options::default() };
            let wanted = all.iter().filter(|c| c.properness >= min_properness).copied();
            let found = query.sound_contacts(&options);
            let what = format!("seed {seed}, {min_properness}");
            are_the_same(&found, &wanted.collect::<Vec<_>>(), &what);
        }
    }
}

#[test]
fn by_default_contacts_of_the_least_properness_are_kept() {
    // A cube screws down through another: edges along the normals of faces have properness -1.
    let mut least = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let (from, by) = (random.between(0.0, 6.0), random.between(-2.0, 2.0));
        let flip = DQuat::from_rotation_x(random.one_of(&[0.0, 1.0, 2.0, 3.0]) * FRAC_PI_2);
        let pose = |z: f64, angle: f64| {
            Pose::new([0.31, 0.22, z], DQuat::from_rotation_z(angle) * flip).expect("finite")
        };
        let query = Query {
            a: shapes::cube(),
            b: shapes::cube(),
            poses_a: [Pose::IDENTITY; 2],
            poses_b: [pose(2.0, from), pose(-2.1, from + by)],
        };
        let all = all(&query);
        judge(&all, &oracle(&query), query.size()).expect_good(&format!("drill {seed}"));
        let any = Options { min_properness: f64::NEG_INFINITY, ..Options::default() };
        assert_eq!(query.sound_contacts(&any), all);
        least += all.iter().filter(|c| c.properness <= -1.0 + 1e-12).count();
    }
    assert!(least > 100, "only {least} contacts have the least properness: nothing is tested");
}

#[test]
fn a_window_is_a_filter() {
    for (query, all) in queries() {
        for window in [[0.0, 0.4], [0.3, 0.6], [0.5, 1.0], [0.25, 0.25]] {
            let near_bound = |c: &Contact| window.iter().any(|w| (c.time - w).abs() < 1e-9);
            // A grazing pair is reported at its earliest time, which a window may change.
            if all.iter().any(|c| near_bound(c) || c.grazing) {
                continue;
            }
            let found = query.sound_contacts(&Options { window, ..Options::default() });
            let kept: Vec<_> =
                all.iter().filter(|c| window[0] <= c.time && c.time <= window[1]).collect();
            let features = |c: &Contact| c.features;
            assert_eq!(
                found.iter().map(features).collect::<Vec<_>>(),
                kept.iter().map(|c| c.features).collect::<Vec<_>>()
            );
            assert!(found.iter().zip(&kept).all(|(f, k)| (f.time - k.time).abs() < 1e-12));
        }
    }
}

#[test]
fn the_bounds_of_a_window_belong_to_it() {
    // A point passes a face at half time, exactly.
    let at = |z: f64| Pose::from_position([0.1, 0.1, z]).expect("finite");
    let query = Query {
        a: shapes::polygon(&shapes::regular(3, 0.0)),
        b: shapes::point(DVec3::ZERO),
        poses_a: [Pose::IDENTITY; 2],
        poses_b: [at(1.0), at(-1.0)],
    };
    let count = |window| query.sound_contacts(&Options { window, ..Options::default() }).len();
    assert_eq!([[0.0, 0.5], [0.5, 1.0], [0.5, 0.5]].map(count), [1; 3]);
    assert_eq!([[0.0, 0.5_f64.next_down()], [0.5_f64.next_up(), 1.0]].map(count), [0; 2]);
}

#[test]
fn bounds_that_are_not_numbers_let_nothing_through() {
    let nan = f64::NAN;
    let empty = [[nan, 1.0], [0.0, nan], [nan; 2], [0.6, 0.4], [-2.0, -1.0], [2.0, 3.0]];
    let mut touching = 0;
    for (query, _) in queries().take(20) {
        for parts in [1, 3] {
            let step = query.step().with_parts(parts);
            let found = |options: &Options| {
                sound_contacts_of_step([&query.a, &query.b], &step, options).len()
            };
            for first_only in [false, true] {
                let options = Options { first_only, ..Options::default() };
                let wide = [f64::NEG_INFINITY, f64::INFINITY];
                let whole = found(&Options { window: wide, ..options });
                assert_eq!(whole, found(&options));
                touching += whole;
                for window in empty {
                    assert_eq!(found(&Options { window, ..options }), 0, "{window:?}");
                }
                assert_eq!(found(&Options { min_properness: nan, ..options }), 0);
            }
        }
    }
    assert!(touching > 100, "only {touching} contacts: nothing is tested");
}

#[test]
fn facing_contacts_are_contacts() {
    let options = Options { facing: true, ..Options::default() };
    for (query, all) in queries() {
        let facing = query.sound_contacts(&options);
        for contact in &facing {
            assert!(all.contains(contact), "not among all contacts: {contact:?}");
            assert!(contact.normal_speed <= 0.0 || contact.grazing, "separating: {contact:?}");
        }
    }
}

#[test]
fn facing_keeps_proper_approaching_contacts_of_convex_bodies() {
    let options = Options { facing: true, ..Options::default() };
    let mut kept = 0;
    for query in (0..200).map(generate::convex_query) {
        let facing = query.sound_contacts(&options);
        let proper = |c: &&Contact| c.properness >= 0.0 && c.normal_speed < 0.0;
        for contact in all(&query).iter().filter(proper) {
            assert!(facing.contains(contact), "lost {contact:?}");
            kept += 1;
        }
    }
    assert!(kept > 50, "only {kept} proper contacts: nothing was tested");
}

#[test]
fn facing_keeps_a_grazing_contact() {
    // A point turns about z and touches the plane x = 1 at half time without crossing it.
    let wall = shapes::mapped(shapes::cuboid(DVec3::new(1.0, 6.0, 6.0)), |v| v + DVec3::X * 1.5);
    let pose = |s: f64| Pose::new(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.25 * s, 1.0));
    let query = Query {
        a: wall,
        b: shapes::point(DVec3::X),
        poses_a: [Pose::IDENTITY; 2],
        poses_b: [-1.0, 1.0].map(|s| pose(s).expect("finite")),
    };
    let facing = query.sound_contacts(&Options { facing: true, ..Options::default() });
    assert_eq!(facing, all(&query));
    assert!(facing.len() == 1 && facing[0].grazing);
}

#[test]
fn facing_keeps_the_first_contact_of_bodies_that_start_apart() {
    let options = Options { facing: true, ..Options::default() };
    let mut tested = 0;
    for query in (0..300).map(generate::convex_query).filter(convex_bodies_start_apart) {
        let size = query.size();
        let Some(first) = oracle(&query).into_iter().next().filter(|e| e.is_clear(size)) else {
            continue;
        };
        let facing = query.sound_contacts(&options);
        let found = facing.first().expect("the bodies touch");
        assert_eq!(found.features, first.features);
        assert!((found.time - first.time).abs() < 1e-9);
        tested += 1;
    }
    assert!(tested > 50, "only {tested} queries start apart: nothing was tested");
}

#[test]
fn facing_keeps_the_first_contact_of_aligned_bodies_that_start_apart() {
    let mut tested = 0;
    for angle in [0.0, 1e-12, 0.3, FRAC_PI_2, 3.0] {
        for (seed, query) in (0..150).map(|seed| (seed, generate::aligned(seed, angle))) {
            for facing in [false, true] {
                let options = Options { facing, ..Options::default() };
                let first = Options { first_only: true, ..options };
                let everything = query.contacts(&options);
                let mut start = everything.clone();
                contact::keep_first(&mut start);
                assert_eq!(query.contacts(&first), start, "angle {angle}, seed {seed}");
                let first_of_all = query.contacts(&Options::default()).first().map(|c| c.time);
                let found = start.first().map(|c| c.time);
                let late = found.unwrap_or(1.0) - first_of_all.unwrap_or(1.0);
                assert!(late.abs() < 1e-9, "angle {angle}, seed {seed}: late by {late:e}");
                tested += start.len();
            }
        }
    }
    assert!(tested > 500, "only {tested} queries touch: nothing is tested");
}
