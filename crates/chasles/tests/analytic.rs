//! Contacts with a closed form.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_4, TAU};

use chasles::glam::{DQuat, DVec3};
use chasles::{Contact, Features, Options, Pose, Screw};
use chasles_testkit::query::sound_contacts_of_step;
use chasles_testkit::{Query, generate, shapes, step_along};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position([x, y, z]).expect("finite")
}

fn all(query: &Query) -> Vec<Contact> {
    query.sound_contacts(&Options::default())
}

#[track_caller]
fn close(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-12, "{value} instead of {expected}");
}

#[test]
fn cubes_in_translation_meet_at_quarters() {
    // Half-sizes 0.5 and 0.25, from x = 3 to x = -1.
    let query = Query {
        a: shapes::cube(),
        b: shapes::cuboid(DVec3::splat(0.5)),
        poses_a: [Pose::IDENTITY; 2],
        poses_b: [at(3.0, 0.1, 0.05), at(-1.0, 0.1, 0.05)],
    };
    let fv = |c: &&Contact| c.features.kind() == "fv";
    let contacts = all(&query);
    let found: Vec<&Contact> = contacts.iter().filter(fv).collect();
    assert_eq!(found.len(), 16);
    for (i, contact) in found.iter().enumerate() {
        close(contact.time, [0.5625, 0.6875, 0.8125, 0.9375][i / 4]);
        let plus_x = i < 8;
        assert_eq!(contact.normal_in_a, if plus_x { DVec3::X } else { -DVec3::X });
        close(contact.normal_speed, if plus_x { -4.0 } else { 4.0 });
    }
}

#[test]
fn a_cube_orbiting_an_axis_touches_on_the_faces() {
    let quarter = DQuat::from_rotation_y(FRAC_PI_2);
    let query = Query {
        a: shapes::cuboid(DVec3::splat(2.0)),
        b: shapes::cuboid(DVec3::splat(0.2)),
        poses_a: [Pose::IDENTITY; 2],
        poses_b: [at(0.0, 0.0, 1.2), Pose::new([1.2, 0.0, 0.0], quarter).expect("finite")],
    };
    let contacts = all(&query);
    let fv: Vec<&Contact> = contacts.iter().filter(|c| c.features.kind() == "fv").collect();
    for contact in &fv {
        close(contact.point_in_a.abs().max_element(), 1.0);
    }
    // Of the corner at radius r, the face z = 1 is left or entered where r cos(angle) = 1.
    let r = 1.1_f64.hypot(0.1);
    let first = fv.first().expect("the inner corners cross the face z = 1");
    close(first.time, ((1.0 / r).acos() - (0.1_f64 / 1.1).atan()) / FRAC_PI_2);
}

#[test]
fn a_point_on_a_helix_meets_planes_where_the_cosine_says() {
    // Radius 2, angle 2.5, rise 3: the face x = -0.5 is met where 2 cos(2.5 t) = -0.5.
    let wall = shapes::mapped(shapes::cuboid(DVec3::new(1.0, 9.0, 9.0)), |v| v - DVec3::X);
    let query = generate::spun(wall, shapes::point(DVec3::X * 2.0), DVec3::Z * 2.5, DVec3::Z * 3.0);
    let contacts = all(&query);
    assert_eq!(contacts.len(), 2);
    for (contact, x) in contacts.iter().zip([-0.5_f64, -1.5]) {
        let angle = (x / 2.0).acos();
        close(contact.time, angle / 2.5);
        let expected = DVec3::new(x, 2.0 * angle.sin(), 3.0 * contact.time);
        assert!((contact.point_in_a - expected).length() < 1e-12);
        assert_eq!(contact.properness, 1.0);
    }
    assert_eq!(contacts[0].features, Features::Fv { face: 1, vertex: 0 });
    close(contacts[0].normal_speed, -5.0 * (-0.25_f64).acos().sin());
}

#[test]
fn seen_from_the_point_the_same_contact_is_a_vertex_against_a_face() {
    let wall = shapes::mapped(shapes::cuboid(DVec3::new(1.0, 9.0, 9.0)), |v| v - DVec3::X);
    let query = generate::spun(wall, shapes::point(DVec3::X * 2.0), DVec3::Z * 2.5, DVec3::Z * 3.0);
    let contacts = all(&query.swapped());
    assert_eq!(contacts.len(), 2);
    assert_eq!(contacts[0].features, Features::Vf { vertex: 0, face: 1 });
    close(contacts[0].time, (-0.25_f64).acos() / 2.5);
}

#[test]
fn a_vertex_on_a_face_has_the_least_slope_of_its_edges() {
    let tip = [[0., 0., 0.], [1., 0., 1.], [-1., 1., 1.], [-1., -1., 1.]].map(DVec3::from_array);
    let query = Query {
        a: shapes::cuboid(DVec3::new(4.0, 4.0, 1.0)),
        b: shapes::tetrahedron(tip),
        poses_a: [Pose::IDENTITY; 2],
        poses_b: [at(0.1, 0.2, 1.5), at(0.1, 0.2, -0.5)],
    };
    let first = all(&query)[0];
    assert_eq!(first.features, Features::Fv { face: 5, vertex: 0 });
    close(first.time, 0.5);
    close(first.properness, 1.0 / 3.0_f64.sqrt());
    close(first.normal_speed, -2.0);
}

#[test]
fn crossed_roofs_touch_at_their_ridges() {
    let upper = DQuat::from_rotation_x(FRAC_PI_4);
    let pose = |z: f64| Pose::new([0.1, 0.2, z], upper).expect("finite");
    let ridge = Pose::new(DVec3::ZERO, DQuat::from_rotation_y(FRAC_PI_4)).expect("finite");
    let query = Query {
        a: shapes::cube(),
        b: shapes::cube(),
        poses_a: [ridge; 2],
        poses_b: [pose(3.0), pose(0.0)],
    };
    // Half diagonals 1/sqrt 2 each: the ridges meet at z = sqrt 2.
    let first = all(&query)[0];
    assert_eq!(first.features.kind(), "ee");
    close(first.time, (3.0 - 2.0_f64.sqrt()) / 3.0);
    close(first.properness, FRAC_1_SQRT_2);
    close(first.normal_speed, -3.0);
    assert!((first.normal - DVec3::Z).length() < 1e-12);
}

fn spin(a: &chasles::Polygons, b: &chasles::Polygons, turns: f64) -> Vec<Contact> {
    let twist = Screw::from_twist([0.0, 0.0, TAU * turns], DVec3::ZERO).expect("finite");
    let still = (Pose::IDENTITY, Screw::STILL);
    let step = step_along(still, (Pose::IDENTITY, twist));
    sound_contacts_of_step([a, b], &step, &Options::default())
}

#[test]
fn a_blade_meets_a_post_once_in_each_turn() {
    // The post stands at 200 degrees.
    let angle = 200.0_f64.to_radians();
    let foot = DVec3::new(angle.cos(), angle.sin(), 0.0) * 1.5;
    let post = shapes::segment(foot - DVec3::Z, foot + DVec3::Z);
    let blade = shapes::segment(DVec3::X, DVec3::X * 2.0);
    for (turns, count) in [(0.5, 0), (1.25, 1), (2.5, 2), (-1.0, 1)] {
        let times: Vec<f64> = spin(&post, &blade, turns).iter().map(|c| c.time).collect();
        let first: f64 = if turns > 0.0 { 200.0 } else { 160.0 };
        assert_eq!(times.len(), count, "{turns} turns: {times:?}");
        for (i, time) in times.iter().enumerate() {
            close(*time, (first + 360.0 * i as f64) / (360.0 * turns.abs()));
        }
    }
}

#[test]
fn a_contact_between_two_parts_is_reported_once() {
    // A whole turn has four parts, and the post stands where the second ends.
    let post = shapes::segment(DVec3::new(-1.5, 0.0, -1.0), DVec3::new(-1.5, 0.0, 1.0));
    let contacts = spin(&post, &shapes::segment(DVec3::X, DVec3::X * 2.0), 1.0);
    assert_eq!(contacts.len(), 1);
    close(contacts[0].time, 0.5);
    assert!(!contacts[0].grazing);
    // A solid blade and a point on the way of its face.
    let size = DVec3::new(1.0, 0.5, 1.0);
    let blade = shapes::mapped(shapes::cuboid(size), |v| v + DVec3::new(1.5, -0.25, 0.0));
    let contacts = spin(&shapes::point(DVec3::X * -1.5), &blade, 1.0);
    assert_eq!(contacts.len(), 2);
    close(contacts[0].time, 0.5);
}

#[test]
fn a_thick_blade_meets_a_thick_post_first_where_the_sine_says() {
    let size = DVec3::new(1.0, 0.1, 1.0);
    let blade = shapes::mapped(shapes::cuboid(size), |v| v + DVec3::X * 1.5);
    let post = shapes::mapped(shapes::cuboid(DVec3::new(0.2, 0.2, 0.5)), |v| {
        v - DVec3::new(1.0, 1.0, 0.0)
    });
    // A corner at radius r and angle phi meets the leading face when r sin(phi - turn) = 0.05.
    let turn_to = |x: f64, y: f64| y.atan2(x).rem_euclid(TAU) - (0.05 / x.hypot(y)).asin();
    let corners = [(-0.9, -0.9), (-0.9, -1.1), (-1.1, -0.9), (-1.1, -1.1)];
    let first = corners.map(|(x, y)| turn_to(x, y)).into_iter().fold(f64::INFINITY, f64::min);
    for turns in [1.0, 1.5, 3.25] {
        let contacts = spin(&post, &blade, turns);
        close(contacts[0].time, first / (TAU * turns));
        assert!(contacts[0].normal_speed < 0.0 && contacts[0].properness >= -1e-12);
    }
}
