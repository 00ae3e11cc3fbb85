//! Contacts along several pieces of a way.

use chasles::glam::DVec3;
use chasles::query::{self, Contact, Geometry, Options, Route, Waypoints, Workspace};
use chasles::{Motion, Pose, Step, solid};
use chasles_testkit::generate::Random;

use crate::{all, cube, pose, torus};

#[test]
fn a_route_has_the_contacts_of_its_pieces_each_once() {
    let [a, b] = [Geometry::from(torus()), Geometry::from(cube())];
    let mut workspace = Workspace::new();
    let mut random = Random::new(9);
    for _ in 0..8 {
        let from = 2.5 * random.vector().normalize();
        let ends = [from, 0.4 * random.vector() - from].map(|p| pose(p, random.vector()));
        let whole = Motion::between(ends[0], ends[1]);
        let step = Step::new(Motion::still(Pose::IDENTITY), whole);
        let expected =
            query::contacts(&a, &b, &step, &all(), &mut workspace).expect("exact").to_vec();
        // Waypoints on the same screw: the same motion in three pieces, one of which ends at a
        // contact.
        let border = expected.first().map_or(0.4, |c| c.time);
        let times = [0.0, border, 0.5 * (1.0 + border), 1.0];
        let way = Waypoints::new(times.map(|t| (t, whole.pose_at(t)))).expect("in order");
        let route = Route::new(Motion::still(Pose::IDENTITY), &way);
        assert_eq!(route.pieces().len(), 3);
        let found = query::contacts(&a, &b, &route, &all(), &mut workspace).expect("exact");
        assert_eq!(found.len(), expected.len());
        for (contact, expected) in found.iter().zip(&expected) {
            assert!((contact.time - expected.time).abs() < 1e-9);
            assert!((contact.point - expected.point).length() < 1e-8);
            let speeds = [contact.normal_speed, expected.normal_speed];
            assert!((speeds[0] - speeds[1]).abs() < 1e-6 * speeds[1].abs().max(1.0));
        }
        let late = Options { window: [times[2], 1.0], ..all() };
        let found = query::contacts(&a, &b, &route, &late, &mut workspace).expect("exact");
        let is_late = |c: &&Contact| c.time >= times[2];
        assert_eq!(found.len(), expected.iter().filter(is_late).count());
    }
}

#[test]
fn what_stays_in_touch_along_a_route_is_reported_once() {
    // A cube slides over another, face on face, past waypoints.
    let cube = Geometry::from(cube());
    let at = |x: f64| pose(DVec3::new(x, 1.0, 0.25), DVec3::ZERO);
    let way = Waypoints::evenly([0.1, 0.2, 0.3, 0.4].map(at)).expect("in order");
    let route = Route::new(Motion::still(Pose::IDENTITY), &way);
    let mut workspace = Workspace::new();
    let many =
        query::contacts(&cube, &cube, &route, &all(), &mut workspace).expect("exact").to_vec();
    let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(at(0.1), at(0.4)));
    let one = query::contacts(&cube, &cube, &step, &all(), &mut workspace).expect("exact");
    assert!(!one.is_empty());
    let features = |contacts: &[Contact]| {
        let mut all: Vec<_> = contacts.iter().map(|c| c.features).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(features(&many), features(&one));
    // Samples of a body that is in a solid are not told again at each waypoint.
    let ground = Geometry::solid(solid::HalfSpace::new(DVec3::Y, 0.0).expect("a half-space"));
    let at = |y: f64| pose(DVec3::Y * y, DVec3::ZERO);
    let way = Waypoints::evenly([1.0, 0.3, 0.2, 0.1].map(at)).expect("in order");
    let route = Route::new(Motion::still(Pose::IDENTITY), &way);
    let vertices = cube.with_cover(f64::INFINITY);
    let found = query::contacts(&ground, &vertices, &route, &all(), &mut workspace).expect("few");
    assert_eq!(found.len(), 4, "{:?}", found.contacts);
}

/// Points of a solid that are in the other at a waypoint have been told by the piece before; those
/// that come in later are the first of their piece.
#[test]
fn the_first_contact_of_a_route_is_the_first_of_its_contacts() {
    let ball = |x: f64| solid::Sphere::new(DVec3::X * x, 1.0).expect("round");
    let a = Geometry::solid(ball(0.0));
    let pair: Vec<Box<dyn solid::Solid>> = vec![Box::new(ball(1.7)), Box::new(ball(-2.5))];
    let b = Geometry::solid(solid::Union::new(pair).expect("two solids"));
    let at = |x: f64, y: f64| pose(DVec3::new(x, y, 0.0), DVec3::ZERO);
    let ways = [
        [at(0.0, 0.0), at(0.05, 0.0), at(1.0, 0.0)],
        [at(-0.1, 0.0), at(0.1, 0.0), at(1.2, 0.0)],
        [at(0.0, 0.0), at(0.0, 0.3), at(1.4, 0.3)],
    ];
    let mut workspace = Workspace::new();
    let mut found = 0;
    for way in ways {
        let way = Waypoints::evenly(way).expect("in order");
        let route = Route::new(Waypoints::still(Pose::IDENTITY), &way);
        for options in [Options::default(), Options::all()] {
            for window in [[0.0, 1.0], [0.5, 1.0]] {
                let options = Options { window, ..options };
                let all = query::contacts(&a, &b, &route, &options, &mut workspace);
                let time = all.expect("samples").first().map(|c| c.time);
                let first = query::first_contact(&a, &b, &route, &options, &mut workspace);
                assert_eq!(first.expect("samples").map(|c| c.time), time, "{options:?}");
                found += usize::from(time.is_some_and(|time| time > 0.5));
            }
        }
    }
    assert!(found > 2, "{found} in later pieces");
}
