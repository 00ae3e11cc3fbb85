//! Contacts do not depend on who is called A, where the world's origin is, which way time runs,
//! the unit of length, or the handedness of space.
//!
//! Only clear events are compared: the others may come and go with the last bit.

use chasles::glam::{DQuat, DVec3};
use chasles::{Contact, Features, Options, Pose};
use chasles_testkit::motion::Motion;
use chasles_testkit::query::{mirror, sound_contacts_of_step};
use chasles_testkit::{Query, generate, lattice, oracle, shapes};

/// Times agree to this; a thousandth of what makes an event borderline.
const TIME: f64 = 1e-9;

fn queries() -> impl Iterator<Item = Query> {
    let general = (0..60).map(generate::query).chain((0..30).map(generate::open_query));
    general.chain((0..60).map(lattice::query))
}

/// The library's contacts of clear events whose normal has one possible sign.
fn clear_contacts(query: &Query) -> Vec<Contact> {
    let size = query.size();
    let found = query.sound_contacts(&Options::default());
    let events = oracle(query);
    let clear = events.iter().filter(|e| e.is_clear(size) && !e.either_sign);
    let contact = |e: &chasles_testkit::Event| {
        let same = |c: &&Contact| c.features == e.features && (c.time - e.time).abs() < TIME;
        let contact = found.iter().find(same);
        *contact.unwrap_or_else(|| panic!("missed {:?} at {}", e.features, e.time))
    };
    clear.map(contact).collect()
}

/// Each clear contact of `query`, as `expected` says it should be in `other`, is found there.
fn compare(query: &Query, other: &Query, expected: impl Fn(&Contact) -> Contact) {
    let others = other.sound_contacts(&Options::default());
    let place = 1e-7 * query.size().max(other.size());
    for contact in clear_contacts(query) {
        let image = expected(&contact);
        let same = |c: &&Contact| {
            c.features == image.features
                && (c.time - image.time).abs() < TIME
                && (c.point_in_a - image.point_in_a).length() < place
                && (c.normal_in_a - image.normal_in_a).length() < 1e-7
                && (c.properness - image.properness).abs() < 1e-7
                && (c.normal_speed - image.normal_speed).abs() < 1e-6 * image.normal_speed.abs()
        };
        let count = others.iter().filter(same).count();
        assert_eq!(count, 1, "{count} images of {contact:?},\nwhich should be {image:?}");
    }
}

fn swapped(features: Features) -> Features {
    match features {
        Features::Fv { face, vertex } => Features::Vf { vertex, face },
        Features::Vf { vertex, face } => Features::Fv { face, vertex },
        Features::Ee { a, b } => Features::Ee { a: b, b: a },
    }
}

#[test]
fn swapping_the_bodies_swaps_the_features_and_turns_the_normals() {
    for query in queries() {
        // A's frame seen from B at the time of contact: B's motion backwards from there.
        let into_b = Motion::new(&query.poses_b, &query.poses_a);
        compare(&query, &query.swapped(), |c| {
            let t = chasles_testkit::dd::Dd::from(c.time);
            let place = |p: DVec3| into_b.path(into_b.placed(p)).at(t).to_f64();
            let point = place(c.point_in_a);
            let unit = query.size();
            let normal = place(c.point_in_a - c.normal_in_a * unit) - point;
            Contact {
                features: swapped(c.features),
                point_in_a: point,
                normal_in_a: normal / unit,
                ..*c
            }
        });
    }
}

/// The others may come and go with the last bit, but not the first touch of all.
#[test]
fn swapping_the_bodies_keeps_the_time_of_the_first_contact_on_a_lattice() {
    let queries = (0..1000).map(|seed| {
        let query = lattice::query(seed);
        (query.step(), query.a, query.b)
    });
    let steps = (0..500).map(lattice::turning).map(|(a, b, step)| (step, a, b));
    let options = Options { first_only: true, ..Options::default() };
    let mut touching = 0;
    for (i, (step, a, b)) in queries.chain(steps).enumerate() {
        let first = |contacts: Vec<Contact>| contacts.first().map(|c| c.time);
        let one = first(sound_contacts_of_step([&a, &b], &step, &options));
        let other = first(sound_contacts_of_step([&b, &a], &step.swapped(), &options));
        assert_eq!(one.is_some(), other.is_some(), "query {i}: {one:?} and {other:?}");
        if let (Some(one), Some(other)) = (one, other) {
            // A double root is known to the square root of rounding.
            assert!((one - other).abs() < 1e-6, "query {i}: {one} and {other}");
            touching += 1;
        }
    }
    assert!(touching > 500, "only {touching} queries touch: nothing is tested");
}

#[test]
fn a_common_displacement_changes_nothing_but_the_world() {
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 1.1);
    for query in queries() {
        let by = Pose::new(DVec3::new(3.0, -2.0, 5.0) * query.size(), turn).expect("finite");
        // Displacing positions far from the origin rounds them, which is another query.
        let reach = query.poses_a[0].position().length() + by.position().length();
        if reach > 1e2 * query.size() {
            continue;
        }
        let displaced = query.displaced(&by);
        compare(&query, &displaced, |c| *c);
        let worlds = query.contacts(&Options::default());
        let others = displaced.contacts(&Options::default());
        for (c, other) in worlds.iter().zip(&others).filter(|(c, o)| c.features == o.features) {
            if !c.grazing && (c.time - other.time).abs() < TIME {
                assert!((by.point(c.point) - other.point).length() < 1e-6 * query.size());
            }
        }
    }
}

#[test]
fn time_runs_backwards_as_well() {
    // Closed bodies only: the normal of a lone point or segment follows the direction of time.
    for query in (0..90).map(generate::query) {
        compare(&query, &query.reversed(), |c| Contact {
            time: 1.0 - c.time,
            normal_speed: -c.normal_speed,
            ..*c
        });
    }
}

#[test]
fn a_mirror_shows_the_mirror_image() {
    for query in queries() {
        compare(&query, &query.mirrored(), |c| Contact {
            point_in_a: mirror(c.point_in_a),
            normal_in_a: mirror(c.normal_in_a),
            ..*c
        });
    }
}

/// A pose that making it again leaves as it is: normalizing a rotation may move its last bit, and
/// then a scaled query would not be the same query scaled.
fn settled(pose: Pose) -> Option<Pose> {
    let again = |p: &Pose| Pose::new(p.position(), p.rotation()).ok();
    let chain = std::iter::successors(Some(pose), again).take(50);
    chain.into_iter().find(|p| again(p) == Some(*p))
}

fn settled_query(query: &Query) -> Option<Query> {
    let [a0, a1] = query.poses_a.map(settled);
    let [b0, b1] = query.poses_b.map(settled);
    Some(Query { poses_a: [a0?, a1?], poses_b: [b0?, b1?], ..query.clone() })
}

#[test]
fn scaling_by_a_power_of_two_scales_exactly() {
    let mut tested = 0;
    for query in queries().filter_map(|q| settled_query(&q)) {
        let found = query.sound_contacts(&Options::default());
        tested += usize::from(!found.is_empty());
        for factor in [0.25, 1024.0] {
            let scaled = query.scaled(factor).sound_contacts(&Options::default());
            let expected = |c: &Contact| Contact {
                point_in_a: c.point_in_a * factor,
                point: c.point * factor,
                normal_speed: c.normal_speed * factor,
                ..*c
            };
            assert_eq!(scaled, found.iter().map(expected).collect::<Vec<_>>());
        }
    }
    assert!(tested > 10, "only {tested} queries touch and can be scaled exactly");
}

/// Bounds are in units of the reach, so a triangle far away makes those of all others coarse.
#[test]
fn a_triangle_far_away_changes_nothing_elsewhere() {
    let torus = shapes::torus(18, 12, 1.0, 0.4);
    let pose = |x: f64, z: f64, angle: f64| {
        let axis = DVec3::new(1.0, 2.0, 0.5).normalize();
        Pose::new([x, 0.13, z], DQuat::from_axis_angle(axis, angle)).expect("finite")
    };
    let mut tested = 0;
    for (angle, z) in [(0.0, 0.9), (0.6, 0.3), (2.0, 0.9), (3.0, 1.3)] {
        let poses_b = [pose(-3.0, z, 0.7), pose(3.0, z, 0.7 + angle)];
        let [a, b] = [torus.clone(), torus.clone()];
        let query = Query { a, b, poses_a: [Pose::IDENTITY; 2], poses_b };
        let mut far = query.clone();
        let corners = [[1e5, 0.0, 0.0], [1e5, 1.0, 0.0], [1e5, 0.0, 1.0]].map(DVec3::from);
        let first = torus.vertices.len() as u32;
        far.a.vertices.extend(corners);
        far.a.faces.push(vec![first, first + 1, first + 2]);
        let found = far.sound_contacts(&Options::default());
        let expected = clear_contacts(&query);
        tested += expected.len();
        // What counts as touching grows with the reach, and with it the rounding of times.
        for contact in expected {
            let is_it = |c: &Contact| {
                c.features == contact.features && (c.time - contact.time).abs() < 1e-6
            };
            assert!(found.iter().any(is_it), "{angle}: {contact:?}");
        }
    }
    assert!(tested > 100, "only {tested} contacts");
}
