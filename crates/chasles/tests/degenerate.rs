//! Parallel, coplanar, coincident, grazing, motionless: nothing breaks, and the answer is sensible.

use std::f64::consts::FRAC_PI_2;

use chasles::glam::{DQuat, DVec2, DVec3};
use chasles::mesh::MeshError;
use chasles::{Contact, Features, Options, Polygons, Polyhedron, Pose, Screw, contact};
use chasles_testkit::generate::{self, Plant};
use chasles_testkit::query::sound_contacts_of_step;
use chasles_testkit::{Query, judge, lattice, oracle, shapes, step_along};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position([x, y, z]).expect("finite")
}

fn moving(a: Polygons, b: Polygons, poses_b: [Pose; 2]) -> Query {
    Query { a, b, poses_a: [Pose::IDENTITY; 2], poses_b }
}

fn cubes(poses_b: [Pose; 2]) -> Query {
    moving(shapes::cube(), shapes::cube(), poses_b)
}

/// Contacts that are sound, agree with the oracle, and name no grazing pair twice.
#[track_caller]
fn sensible(query: &Query) -> Vec<Contact> {
    let contacts = query.sound_contacts(&Options::default());
    judge(&contacts, &oracle(query), query.size()).expect_good("degenerate");
    grazing_is_reported_once(&contacts);
    contacts
}

#[track_caller]
fn grazing_is_reported_once(contacts: &[Contact]) {
    let mut grazing: Vec<Features> =
        contacts.iter().filter(|c| c.grazing).map(|c| c.features).collect();
    let count = grazing.len();
    grazing.sort_unstable();
    grazing.dedup();
    assert_eq!(grazing.len(), count, "a grazing pair is reported more than once");
}

#[track_caller]
fn starts_at(contacts: &[Contact], time: f64) {
    let first = contacts.first().expect("the bodies touch").time;
    assert!((first - time).abs() < 1e-9, "first at {first} instead of {time}");
}

#[test]
fn aligned_cubes_meet_face_to_face() {
    for aside in [[0.0, 0.0], [0.5, 0.0], [0.3, 0.4], [1.0, 0.0]] {
        let [y, z] = aside;
        let contacts = sensible(&cubes([at(3.0, y, z), at(0.0, y, z)]));
        starts_at(&contacts, 2.0 / 3.0);
    }
    let contacts = sensible(&cubes([at(3.0, 0.3, 0.4), at(0.0, 0.3, 0.4)]));
    let head_on = |c: &&Contact| (c.normal - DVec3::X).length() < 1e-9 && c.normal_speed < 0.0;
    assert!(contacts.iter().filter(head_on).count() >= 2);
}

#[test]
fn a_cube_slides_over_another() {
    let contacts = sensible(&cubes([at(-3.0, 0.25, 1.0), at(3.0, 0.25, 1.0)]));
    starts_at(&contacts, 1.0 / 3.0);
}

/// B's lower face slides over A's upper one: x of its centre is 6 t - 3, y overlaps by 3/4.
fn slides_are_marked(parts: u32) {
    let query = cubes([at(-3.0, 0.25, 1.0), at(3.0, 0.25, 1.0)]);
    let fv = |vertex| Features::Fv { face: 5, vertex };
    let vf = |vertex| Features::Vf { vertex, face: 4 };
    // B's leading corner inside A's width and A's corner at that end first, the trailing ones when
    // B has moved by its length.
    let expected = [(fv(4), 1.0 / 3.0), (vf(3), 1.0 / 3.0), (fv(0), 0.5), (vf(7), 0.5)];
    let step = query.step().with_parts(parts);
    let contacts = sound_contacts_of_step([&query.a, &query.b], &step, &Options::default());
    for (features, time) in expected {
        let found: Vec<&Contact> = contacts.iter().filter(|c| c.features == features).collect();
        assert_eq!(found.len(), 1, "{parts} parts: {found:?}");
        assert!(found[0].grazing && (found[0].time - time).abs() < 1e-12, "{found:?}");
        assert!(found[0].normal_speed.abs() < 1e-12 && found[0].normal == DVec3::Z);
    }
    let others = contacts.iter().filter(|c| expected.iter().all(|e| c.features != e.0));
    // The sides pass each other, in and out.
    for contact in others {
        let ends = [1.0 / 3.0, 2.0 / 3.0];
        let passes = ends.iter().any(|end| (contact.time - end).abs() < 1e-12);
        assert!(passes && !contact.grazing, "{parts} parts: {contact:?}");
    }
}

#[test]
fn each_pair_that_slides_is_reported_once_and_marked_where_it_begins() {
    [1, 2, 3, 4, 6].into_iter().for_each(slides_are_marked);
}

#[test]
fn where_parts_begin_makes_no_difference_to_a_slide() {
    [5, 7, 16].into_iter().for_each(slides_are_marked);
}

#[test]
fn cubes_that_touch_at_the_start_or_the_end_touch_only_there() {
    for contact in sensible(&cubes([at(1.0, 0.2, 0.3), at(3.0, 0.2, 0.3)])) {
        assert!(contact.time <= 1e-9);
    }
    for contact in sensible(&cubes([at(3.0, 0.2, 0.3), at(1.0, 0.2, 0.3)])) {
        assert!(contact.time >= 1.0 - 1e-9);
    }
}

#[test]
fn collinear_segments_touch_once_when_their_ends_meet() {
    let segment = || shapes::segment(DVec3::ZERO, DVec3::X);
    let query = moving(segment(), segment(), [at(-3.0, 0.0, 0.0), at(3.0, 0.0, 0.0)]);
    let contacts = sensible(&query);
    assert_eq!(contacts.len(), 1);
    assert!(contacts[0].grazing);
    starts_at(&contacts, 1.0 / 3.0);
}

#[test]
fn parallel_segments_that_pass_at_a_distance_do_not_touch() {
    let segment = || shapes::segment(DVec3::ZERO, DVec3::X);
    let query = moving(segment(), segment(), [at(-3.0, 0.5, 0.0), at(3.0, 0.5, 0.0)]);
    assert_eq!(sensible(&query), []);
}

#[test]
fn parallel_segments_meet_side_by_side_once() {
    let segment = || shapes::segment(DVec3::ZERO, DVec3::X);
    let query = moving(segment(), segment(), [at(0.25, -1.0, 0.0), at(0.25, 1.0, 0.0)]);
    let contacts = sensible(&query);
    assert_eq!(contacts.len(), 1);
    starts_at(&contacts, 0.5);
}

#[test]
fn planted_degeneracies_are_survived() {
    for seed in 0..90 {
        let (_, query) = generate::adversarial(seed);
        let _ = sensible(&query);
    }
}

#[test]
fn a_tangent_vertex_is_reported_once() {
    // The tip of a blade turns about z and touches the plane x = 1 at half time, exactly.
    let wall = shapes::mapped(shapes::cuboid(DVec3::new(1.0, 6.0, 6.0)), |v| v + DVec3::X * 1.5);
    let [start, end] = [-1.0, 1.0].map(|s| {
        Pose::new(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.25 * s, 1.0)).expect("finite")
    });
    for (tip, count) in [(1.0, 1), (0.999, 0), (1.001, 2)] {
        let point = shapes::point(DVec3::X * tip);
        let contacts = sensible(&moving(wall.clone(), point, [start, end]));
        assert_eq!(contacts.len(), count, "tip at {tip}");
        assert!(contacts.iter().all(|c| c.grazing == (tip == 1.0)));
        if tip == 1.0 {
            // Rounding moves a double root by the square root of its size.
            assert!((contacts[0].time - 0.5).abs() < 1e-6);
        }
    }
}

#[test]
fn planted_tangents_are_never_lost() {
    for seed in 0..400 {
        let (time, query) = generate::tangent(seed);
        let contacts = query.sound_contacts(&Options::default());
        // Rounding moves a double root by the square root of its size.
        let found = contacts.iter().any(|c| (c.time - time).abs() < 5e-6);
        assert!(found, "seed {seed}: nothing at {time}");
    }
}

#[test]
fn grazing_pairs_of_lattice_queries_are_reported_once() {
    let mut grazing = 0;
    for query in (0..1000).map(lattice::query) {
        let contacts = query.sound_contacts(&Options::default());
        grazing_is_reported_once(&contacts);
        grazing += usize::from(contacts.iter().any(|c| c.grazing));
    }
    assert!(grazing > 50, "only {grazing} queries graze: nothing is tested");
}

#[test]
fn a_corner_that_leaves_along_an_edge_is_reported_once() {
    // B starts below A, face on face, and turns by 3/8 of a turn about x as it rises.
    let pose = |position: [f64; 3], rotation: [f64; 4]| {
        Pose::new(position, DQuat::from_array(rotation)).expect("finite")
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let still = pose([0.5, -1.0, 1.0], [0.0, 0.0, half, -half.next_down()]);
    let start = [-0.499_999_999_999_999_9, 0.5, 0.500_000_000_000_000_1, -0.5];
    let end = [
        -0.653_281_482_438_188_3,
        0.653_281_482_438_188_4,
        -0.270_598_050_073_098_45,
        0.270_598_050_073_098_4,
    ];
    let poses_b = [pose([0.5, -1.0, 0.0], start), pose([0.5, -1.0, 3.0], end)];
    let query = Query { poses_a: [still; 2], ..cubes(poses_b) };
    let contacts = query.sound_contacts(&Options::default());
    for (i, c) in contacts.iter().enumerate() {
        let twin = |o: &&Contact| o.features == c.features && o.time - c.time < 1e-9;
        assert_eq!(contacts[i + 1..].iter().find(twin), None, "again after {c:?}");
    }
}

#[test]
fn planted_tangents_are_reported_at_most_once_each() {
    let mut touching = 0;
    for seed in 0..180 {
        let (plant, query) = generate::adversarial(seed);
        if matches!(plant, Plant::TangentVertex | Plant::TangentEdge) {
            let contacts = query.sound_contacts(&Options::default());
            grazing_is_reported_once(&contacts);
            touching += usize::from(!contacts.is_empty());
            for (i, c) in contacts.iter().enumerate() {
                let twin = |o: &&Contact| o.features == c.features && o.time - c.time < 1e-8;
                assert!(contacts[i + 1..].iter().find(twin).is_none(), "{plant:?}, seed {seed}");
            }
        }
    }
    assert!(touching > 30, "only {touching} queries have contacts: nothing is tested");
}

#[test]
fn no_motion_separated_means_no_contact() {
    assert_eq!(sensible(&cubes([at(3.0, 0.0, 0.0); 2])), []);
}

#[test]
fn no_motion_overlapping_means_no_contact() {
    let turned = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
    let pose = Pose::new([0.4, 0.3, 0.2], turned).expect("finite");
    assert_eq!(sensible(&cubes([pose; 2])), []);
}

#[test]
fn no_motion_touching_is_grazing_at_the_start() {
    for query in [cubes([at(1.0, 0.25, 0.125); 2]), cubes([Pose::IDENTITY; 2])] {
        let contacts = sensible(&query);
        assert!(!contacts.is_empty());
        assert!(contacts.iter().all(|c| c.grazing && c.time == 0.0));
    }
}

#[test]
fn identical_bodies_at_identical_poses_may_move() {
    let spun = |angular: DVec3, linear: DVec3| {
        generate::spun(shapes::car(), shapes::car(), angular, linear)
    };
    for query in [
        spun(DVec3::ZERO, DVec3::ZERO),
        spun(DVec3::ZERO, DVec3::X),
        spun(DVec3::Y, DVec3::ZERO),
        spun(DVec3::new(0.3, 0.2, 0.1), DVec3::new(1.0, 0.1, 0.2)),
    ] {
        let _ = sensible(&query);
    }
}

#[test]
fn degenerate_faces_and_duplicate_vertices_do_no_harm() {
    let mut broken = shapes::cube();
    let copy = broken.vertices[7];
    broken.vertices.extend([copy, copy]);
    broken.faces.extend([vec![7, 8, 9], vec![0, 1, 0], vec![3], vec![2, 2, 6, 6], vec![0, 9]]);
    let whole = moving(shapes::cube(), shapes::cube(), [at(3.0, 0.3, 0.4), at(0.0, 0.3, 0.4)]);
    let query = Query { a: broken, ..whole.clone() };
    let contacts = query.sound_contacts(&Options::default());
    starts_at(&contacts, 2.0 / 3.0);
    let clear = oracle(&whole).into_iter().filter(|e| e.is_clear(2.0));
    for event in clear.filter(|e| e.features.kind() == "fv") {
        assert!(contacts.iter().any(|c| c.features == event.features));
    }
}

#[test]
fn a_point_enters_and_leaves_a_cube() {
    let point = shapes::point(DVec3::ZERO);
    let query = moving(shapes::cube(), point, [at(-1.5, 0.1, 0.2), at(1.5, 0.1, 0.2)]);
    let contacts = sensible(&query);
    let seen: Vec<_> = contacts.iter().map(|c| (c.features, c.normal_speed < 0.0)).collect();
    let fv = |face| Features::Fv { face, vertex: 0 };
    assert_eq!(seen, [(fv(0), true), (fv(1), false)]);
    assert!(contacts.iter().all(|c| c.properness == 1.0));
}

#[test]
fn a_point_passes_a_lone_face_from_the_side_it_comes_from() {
    let face = shapes::polygon(&shapes::regular(3, 0.0));
    for z in [1.0, -1.0] {
        let point = shapes::point(DVec3::ZERO);
        let contacts = sensible(&moving(face.clone(), point, [at(0.1, 0.1, z), at(0.1, 0.1, -z)]));
        assert_eq!(contacts.len(), 1);
        assert_eq!(contacts[0].time, 0.5);
        assert_eq!(contacts[0].normal, DVec3::Z * z);
        assert_eq!(contacts[0].normal_speed, -2.0);
    }
}

#[test]
fn segments_cross_once() {
    let a = shapes::segment(-DVec3::X, DVec3::X);
    let b = shapes::segment(-DVec3::Y, DVec3::Y);
    let contacts = sensible(&moving(a, b, [at(0.1, 0.2, 1.0), at(0.1, 0.2, -1.0)]));
    assert_eq!(contacts.len(), 1);
    assert_eq!(contacts[0].features, Features::Ee { a: [0, 1], b: [0, 1] });
    assert_eq!((contacts[0].time, contacts[0].properness), (0.5, 1.0));
    assert_eq!((contacts[0].normal, contacts[0].normal_speed), (DVec3::Z, -2.0));
}

#[test]
fn two_points_have_no_features_that_touch() {
    let point = || shapes::point(DVec3::ZERO);
    assert_eq!(sensible(&moving(point(), point(), [at(-1.0, 0.0, 0.0), at(1.0, 0.0, 0.0)])), []);
    assert_eq!(sensible(&moving(point(), point(), [Pose::IDENTITY; 2])), []);
}

#[test]
fn triangles_in_one_plane_meet_corner_to_side() {
    let right = [DVec2::ZERO, DVec2::X, DVec2::Y];
    let left = [-DVec2::X, DVec2::new(-2.0, -1.0), DVec2::new(-2.0, 1.0)];
    let a = shapes::polygon(&right);
    // The tip at x = -1 + 2 t, y = 0.25 meets the side x = 0 at half time.
    let b = shapes::polygon(&left.map(|p| p + DVec2::Y * 0.25));
    let contacts = sensible(&moving(a, b, [Pose::IDENTITY, at(2.0, 0.0, 0.0)]));
    starts_at(&contacts, 0.5);
    assert!(contacts.iter().all(|c| c.grazing));
}

#[test]
fn a_vertex_on_the_axis_stays_where_it_is() {
    // B's tip stands on A's top face and B turns about the vertical through it.
    let tip = [[0., 0., 0.], [1., 0., 1.], [-1., 1., 1.], [-1., -1., 1.]].map(DVec3::from_array);
    let a = shapes::mapped(shapes::cube(), |v| v - DVec3::Z * 0.5);
    let query = generate::spun(a, shapes::tetrahedron(tip), DVec3::Z * FRAC_PI_2, DVec3::ZERO);
    let contacts = sensible(&query);
    assert_eq!(contacts.len(), 1);
    assert_eq!(contacts[0].features, Features::Fv { face: 5, vertex: 0 });
    assert!(contacts[0].grazing && contacts[0].time == 0.0);
}

#[test]
fn a_pair_that_touches_in_every_part_is_reported_once() {
    let tip = [[0., 0., 0.], [1., 0., 1.], [-1., 1., 1.], [-1., -1., 1.]].map(DVec3::from_array);
    let table = shapes::mapped(shapes::cube(), |v| v - DVec3::Z * 0.5);
    let twist = Screw::from_twist(DVec3::Z * 12.0, DVec3::ZERO).expect("finite");
    let still = (Pose::IDENTITY, Screw::STILL);
    let step = step_along(still, (Pose::IDENTITY, twist));
    let top = shapes::tetrahedron(tip);
    let contacts = sound_contacts_of_step([&table, &top], &step, &Options::default());
    assert_eq!(contacts.len(), 1);
    assert!(contacts[0].grazing && contacts[0].time == 0.0);
}

#[test]
fn a_pair_that_rests_in_one_part_and_crosses_in_another_is_reported_for_both() {
    // A moves straight, B turns about y. After the first of two parts the point is where it was,
    // seen from A, so it rests in the face; in the second it goes up from there on an arc of angle
    // `turn` whose chord falls by `fall`, and meets the face again `2 fall` before the arc's end.
    let [turn, fall] = [1.5_f64, 0.1];
    let chord = DVec3::new(fall.cos(), 0.0, -fall.sin());
    let arm = -(DQuat::from_rotation_y(-turn) * chord);
    let half_way = DQuat::from_rotation_y(turn) * arm - arm;
    let angular = DVec3::Y * (2.0 * turn);
    let twist = |angular: DVec3, linear: DVec3| Screw::from_twist(angular, linear).expect("finite");
    let of_a = (Pose::IDENTITY, twist(DVec3::ZERO, 2.0 * half_way));
    let of_b = (Pose::IDENTITY, twist(angular, angular.cross(arm)));
    let step = step_along(of_a, of_b);
    assert_eq!(step.parts(), 2);
    let table = shapes::mapped(shapes::cuboid(DVec3::new(8.0, 8.0, 1.0)), |v| v - DVec3::Z * 0.5);
    let point = shapes::point(DVec3::ZERO);
    let contacts = sound_contacts_of_step([&table, &point], &step, &Options::default());
    let pair = Features::Fv { face: 5, vertex: 0 };
    assert!(contacts.iter().all(|c| c.features == pair), "{contacts:?}");
    let first = contacts.first().expect("the point rests");
    assert!(first.grazing && first.time == 0.0);
    let last = contacts.last().expect("the point comes back");
    assert!((last.time - (1.0 - fall / turn)).abs() < 1e-9, "{contacts:?}");
    assert!(!last.grazing && last.normal_speed < 0.0);
}

/// The same contacts at the same times after scaling by these powers of two.
fn size_does_not_matter(exponents: &[i32]) {
    let query = generate::query(11);
    let times = |q: &Query| -> Vec<f64> {
        q.sound_contacts(&Options::default()).iter().map(|c| c.time).collect()
    };
    let expected = times(&query);
    assert!(!expected.is_empty());
    for exponent in exponents {
        let found = times(&query.scaled(2.0_f64.powi(*exponent)));
        assert_eq!(found.len(), expected.len(), "scaled by 2^{exponent}");
        assert!(found.iter().zip(&expected).all(|(f, e)| (f - e).abs() < 1e-9));
    }
}

#[test]
fn size_does_not_matter_over_ninety_orders_of_magnitude() {
    size_does_not_matter(&[-150, -100, -40, 40, 100, 150]);
}

#[test]
fn size_does_not_matter_up_to_the_largest_coordinate() {
    size_does_not_matter(&[-330, -300, -200, 200, 300, 318]);
}

/// A bullet meets what a slow body meets, at the same places.
#[test]
fn speed_does_not_matter() {
    let torus = || shapes::torus(20, 15, 1.0, 0.3);
    let pass = |way: f64, turn: DQuat| {
        let end = Pose::new([way, 0.3137, 0.9], turn).expect("finite");
        moving(torus(), torus(), [at(-way, 0.3137, 0.9), end])
    };
    let slow = pass(4.0, DQuat::IDENTITY).sound_contacts(&Options::default());
    assert!(slow.len() > 1000);
    for way in [1e3, 1e6, 1e9] {
        // The arc of the turn departs from the chord by much less than the bodies' size.
        for turn in [DQuat::IDENTITY, DQuat::from_rotation_y(1e-7 / way)] {
            let fast = pass(way, turn).sound_contacts(&Options::default());
            assert_eq!(fast.len(), slow.len(), "{way}");
            let first =
                pass(way, turn).contacts(&Options { first_only: true, ..Options::default() });
            let mut first_of_all = fast.clone();
            contact::keep_first(&mut first_of_all);
            assert_eq!(first, first_of_all);
            let near = |c: &Contact, d: &Contact| (c.point - d.point).length() < 1e-6 * way.sqrt();
            for contact in &slow {
                let same = |d: &&Contact| d.features == contact.features && near(contact, d);
                let found = fast.iter().find(same).expect("the same contact");
                // The sign of an edge normal is rounding's where both properness values are equal.
                let speed = (contact.normal_speed * way / 4.0).abs();
                assert!((found.normal_speed.abs() - speed).abs() <= 1e-4 * way, "{way} {speed}");
            }
        }
    }
    let late = pass(1e6, DQuat::IDENTITY);
    let late = Query { poses_b: [at(1e3, 0.0, 0.0), late.poses_b[1]], ..late };
    assert!(late.contacts(&Options::default()).is_empty());
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let vector = DVec3::new(0.0, bad, 0.0);
        assert!(Pose::from_position(vector).is_err());
        assert!(Pose::new(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, bad, 1.0)).is_err());
        assert!(Screw::from_twist(vector, DVec3::ZERO).is_err());
        assert!(Screw::from_twist(DVec3::ZERO, vector).is_err());
        let mesh = shapes::mapped(shapes::cube(), |v| v + vector);
        assert!(matches!(Polyhedron::new(&mesh), Err(MeshError::BadVertex { vertex: 0, .. })));
    }
    assert!(Pose::new(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)).is_err());
}
