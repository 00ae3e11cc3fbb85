//! What the shape of a closed body forbids to touch is said so, and never is a first contact.

use chasles::glam::{DQuat, DVec2, DVec3};
use chasles::mesh::shapes::{Bolt, Gear, Nut, Shape, Torus};
use chasles::{Contact, Features, Options, Polygons, Pose, contact, near, screen};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::{Query, shapes};

const TOUCHABLE: Options = Options {
    min_properness: -1.0,
    facing: false,
    touchable: true,
    first_only: false,
    window: [0.0, 1.0],
};

fn pose(at: [f64; 3], rotation: DQuat) -> Pose {
    Pose::new(at, rotation).expect("finite")
}

/// B goes from one place to another and does not turn.
fn shifted(a: Polygons, b: Polygons, [from, to]: [[f64; 3]; 2]) -> Query {
    let poses_b = [from, to].map(|at| pose(at, DQuat::IDENTITY));
    Query { a, b, poses_a: [Pose::IDENTITY; 2], poses_b }
}

/// A needle whose tip is at the origin, and which comes from the side of `from`.
fn needle(from: DVec3) -> Polygons {
    let (u, v) = from.normalize().any_orthonormal_pair();
    let base = [u, -0.5 * u + 0.8 * v, -0.5 * u - 0.8 * v].map(|d| from + 0.05 * d);
    shapes::tetrahedron([DVec3::ZERO, base[0], base[1], base[2]])
}

/// A box with a pit of four faces in its top, down to (0, 0, -1).
fn pit() -> Polygons {
    let corners = [[-2., -2.], [2., -2.], [2., 2.], [-2., 2.]];
    let level = |z: f64| corners.map(|[x, y]| [x, y, z]);
    let vertices: Vec<[f64; 3]> =
        [level(-3.0), level(0.0)].concat().into_iter().chain([[0., 0., -1.]]).collect();
    let mut faces = vec![vec![3, 2, 1, 0]];
    faces.extend((0..4).map(|i| vec![i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4]));
    faces.extend((0..4).map(|i| vec![i + 4, (i + 1) % 4 + 4, 8]));
    Polygons::new(vertices, faces)
}

/// A sphere of circles with its radii drawn at random: closed, and concave all over.
fn crumpled(random: &mut Random, [around, down]: [u32; 2]) -> Polygons {
    let mut at = |i: u32, j: u32| {
        let [turn, tilt] = [i, j].map(f64::from);
        let azimuth = std::f64::consts::TAU * turn / f64::from(around);
        let polar = std::f64::consts::PI * tilt / f64::from(down);
        let flat = DVec2::from_angle(azimuth) * polar.sin();
        flat.extend(polar.cos()) * random.between(0.4, 1.0)
    };
    let mut vertices = vec![at(0, 0)];
    vertices
        .extend((1..down).flat_map(|j| (0..around).map(move |i| (i, j))).map(|(i, j)| at(i, j)));
    vertices.push(at(0, down));
    let number = |i: u32, j: u32| match j {
        0 => 0,
        j if j == down => (down - 1) * around + 1,
        j => 1 + (j - 1) * around + i % around,
    };
    let mut faces = Vec::new();
    for (i, j) in (0..down).flat_map(|j| (0..around).map(move |i| (i, j))) {
        let corner = [number(i, j), number(i, j + 1), number(i + 1, j + 1), number(i + 1, j)];
        faces.push([corner[0], corner[1], corner[2]]);
        faces.push([corner[0], corner[2], corner[3]]);
    }
    faces.retain(|[p, q, r]| p != q && q != r && r != p);
    Polygons::new(vertices, faces)
}

#[test]
fn inside_a_solid_a_reflex_edge_looks_proper_and_cannot_be_touched() {
    // The edge of a blade in the corner of an L meets the reflex edge from within.
    let blade = shapes::prism(&[[0., 0.], [-0.3, 0.1], [-0.3, -0.1]].map(DVec2::from_array), 0.4);
    let turn = DQuat::from_rotation_x(1.5);
    let blade = shapes::mapped(blade, |v| {
        DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4) * (turn * (v - 0.2 * DVec3::Z))
    });
    let at = |d: f64| [0.9 + d, 0.9 + d, 0.5];
    let query = shifted(shapes::l_prism(), blade, [at(0.0), at(0.2)]);
    let all = query.sound_contacts(&Options::default());
    let at_edge = |c: &&Contact| matches!(c.features, Features::Ee { a: [3, 9], .. });
    let met = all.iter().find(at_edge).expect("the blade meets the reflex edge");
    assert!(met.properness > 0.3 && met.normal_speed < 0.0 && !met.touchable, "{met:?}");
    for options in [TOUCHABLE, Options { facing: true, ..Options::default() }] {
        let found = query.sound_contacts(&options);
        assert!(found.iter().all(|c| c.touchable) && found.len() < all.len());
    }
}

#[test]
fn the_solid_counts_and_not_the_edges_alone() {
    // A box in the solid rises to the tip of a pit, whose edges all lead away from it.
    let cube = shapes::cuboid(DVec3::splat(0.5));
    let query = shifted(pit(), cube, [[0.1, 0.07, -1.5], [0.1, 0.07, -1.2]]);
    let [met] = query.sound_contacts(&Options::default())[..] else { panic!("one contact") };
    assert!(matches!(met.features, Features::Vf { vertex: 8, .. }), "{met:?}");
    assert!(met.properness > 0.1 && met.normal_speed < 0.0 && !met.touchable, "{met:?}");
    // The same edges as a spike: the box comes from outside.
    let spike = shapes::mapped(pit(), |v| if v.z == -1.0 { -v } else { v });
    let cube = shapes::cuboid(DVec3::splat(0.5));
    let query = shifted(spike, cube, [[0.1, 0.07, 1.5], [0.1, 0.07, 1.2]]);
    let [met] = query.sound_contacts(&Options::default())[..] else { panic!("one contact") };
    assert!(met.properness > 0.1 && met.touchable, "{met:?}");
    // Of two at one time the first is the one that can be touched, however proper the other is.
    let hidden = Contact { touchable: false, properness: 0.9, ..met };
    for mut both in [[met, hidden], [hidden, met]].map(Vec::from) {
        contact::keep_first(&mut both);
        assert_eq!(both, [met]);
    }
}

/// A needle of any slope that comes to the bottom of a pit, or a cube to a corner of its shape.
#[test]
fn tips_get_into_pits() {
    for aside in [[0.0, 0.0], [0.1, -0.2]] {
        let from = DVec3::new(aside[0], aside[1], 2.0);
        let query = shifted(pit(), needle(from), [[0., 0., 0.5], [0., 0., -1.5]]);
        let facing = query.sound_contacts(&Options { facing: true, ..Options::default() });
        let first = facing.first().expect("it gets there");
        assert!(first.touchable && (first.time - 0.75).abs() < 1e-12, "{first:?}");
    }
}

/// The pass between two hills, at (1, 1, 3): a blade across it touches there and nowhere else.
#[test]
fn a_blade_can_lie_on_a_pass() {
    let top = |x: f64, y: f64| [x, y, 3.0 + (x - 1.0).powi(2) - (y - 1.0).powi(2)];
    let places = |f: &dyn Fn(f64, f64) -> [f64; 3]| -> Vec<[f64; 3]> {
        let each = [0.0, 1.0, 2.0];
        each.iter().flat_map(|&y| each.map(|x| f(x, y))).collect()
    };
    let vertices = [places(&top), places(&|x, y| [x, y, 0.0])].concat();
    let mut faces = Vec::new();
    for corner in [0, 1, 3, 4] {
        let [p, q, r, s] = [0, 1, 4, 3].map(|step| corner + step);
        faces.extend([vec![p, q, r], vec![p, r, s], vec![s + 9, r + 9, q + 9, p + 9]]);
    }
    let border = [0, 1, 2, 5, 8, 7, 6, 3];
    faces.extend((0..8).map(|i| {
        let [p, q] = [border[i], border[(i + 1) % 8]];
        vec![p + 9, q + 9, q, p]
    }));
    let blade = shapes::prism(&[[0., 0.], [0.2, 1.0], [-0.2, 1.0]].map(DVec2::from_array), 0.8);
    let upright = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let blade = shapes::mapped(blade, |v| upright * (v - 0.4 * DVec3::Z));
    let query = shifted(Polygons::new(vertices, faces), blade, [[1., 1., 4.], [1., 1., 2.]]);
    let options = Options { facing: true, first_only: true, ..Options::default() };
    let [first] = query.sound_contacts(&options)[..] else { panic!("no contact") };
    assert!(first.touchable && (first.time - 0.5).abs() < 1e-12, "{first:?}");
    let [a, b] = query.colliders();
    let (options, mut workspace) = (screen::Options::default(), screen::Workspace::new());
    let shown = screen::contacts(&a, &b, &query.step(), &options, &mut workspace);
    let shown = shown.expect("good options");
    let is_at_the_pass = |c: &&Contact| (c.time - 0.5).abs() < 1e-3;
    assert!(shown.iter().find(is_at_the_pass).is_some_and(|c| c.touchable), "{shown:?}");
}

/// Checks a query whose bodies start apart; true if they meet.
fn first_is_touchable(query: &Query, what: &str) -> bool {
    let mut all = query.contacts(&Options::default());
    let earliest = all.first().map(|c| c.time);
    contact::keep_first(&mut all);
    let Some(first) = all.first() else { return false };
    assert!(first.touchable, "{what}: {first:?}");
    for options in [TOUCHABLE, Options { facing: true, ..Options::default() }] {
        let found = query.contacts(&options);
        assert!(found.iter().all(|c| c.touchable));
        let time = found.first().map(|c| c.time);
        let late = time.unwrap_or(1.0) - earliest.unwrap_or(1.0);
        assert!(late.abs() < 1e-9, "{what}: late by {late:e} with {options:?}");
    }
    true
}

#[test]
fn the_first_contact_of_crumpled_bodies_that_start_apart_is_touchable() {
    let [mut met, mut untouchable] = [0; 2];
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let sizes = [random.one_of(&[[5, 4], [7, 5], [9, 7]]), random.one_of(&[[4, 3], [8, 6]])];
        let [a, b] = sizes.map(|size| crumpled(&mut random, size));
        let [from, to] = [2.1 * random.direction(), 0.7 * random.vector()];
        let turn = random.rotation();
        let by = DQuat::from_scaled_axis(random.direction() * random.between(0.0, 2.0));
        let poses_b = [pose(from.to_array(), turn), pose(to.to_array(), by * turn)];
        let query = Query { a, b, poses_a: [Pose::IDENTITY; 2], poses_b };
        met += usize::from(first_is_touchable(&query, &format!("seed {seed}")));
        let all = query.contacts(&Options::default());
        untouchable += all.iter().filter(|c| !c.touchable && c.properness > 0.0).count();
    }
    assert!(met > 80, "only {met} bodies meet: nothing is tested");
    assert!(untouchable > 200, "only {untouchable} contacts tell properness from this");
}

#[test]
fn the_first_contact_of_closed_meshes_of_all_kinds_is_touchable() {
    let mut met = 0;
    for seed in 0..400 {
        let query = generate::query(seed);
        let ([a, b], starts) = (query.colliders(), [query.poses_a[0], query.poses_b[0]]);
        // Neither across nor within each other.
        if !near::intersect(&a, &b, starts, &mut near::Workspace::new()) {
            met += usize::from(first_is_touchable(&query, &format!("seed {seed}")));
        }
    }
    assert!(met > 100, "only {met} bodies meet: nothing is tested");
}

#[test]
fn the_first_contact_of_tori_gears_and_threads_is_touchable() {
    let torus = Shape::Torus(Torus { segments: [9, 7], ..Torus::default() });
    let [gear, bolt] = [Shape::Gear(Gear::default()), Shape::Bolt(Bolt::default())];
    let parts = [torus, gear, bolt, Shape::Nut(Nut::default())];
    let meshes = parts.map(|shape| {
        let mesh = shape.polygons().expect("fits");
        let size = mesh.vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        shapes::mapped(mesh, |v| v / size)
    });
    let mut met = 0;
    for (i, a) in meshes.iter().enumerate() {
        for (j, b) in meshes.iter().enumerate() {
            let mut random = Random::new((4 * i + j) as u64);
            // Once as people place them, once askew.
            for askew in [false, true] {
                let way = if askew { random.direction() } else { DVec3::X };
                let turn = if askew { random.rotation() } else { DQuat::IDENTITY };
                let [from, to] = [2.05, 0.3].map(|d| (d * way).to_array());
                let by = DQuat::from_scaled_axis(0.4 * random.direction());
                let poses_b = [pose(from, turn), pose(to, by * turn)];
                let [a, b] = [a.clone(), b.clone()];
                let query = Query { a, b, poses_a: [Pose::IDENTITY; 2], poses_b };
                met += usize::from(first_is_touchable(&query, &format!("{i} and {j}, {askew}")));
            }
        }
    }
    assert!(met > 16, "only {met} bodies meet: nothing is tested");
}

/// Both methods say the same of the contacts that both report.
#[test]
fn the_screen_says_the_same() {
    let [mut same, mut untouchable] = [0; 2];
    for seed in 0..40 {
        let mut random = Random::new(seed ^ 0x5c);
        let [a, b] = [[7, 5], [6, 5]].map(|size| crumpled(&mut random, size));
        let query = shifted(a, b, [[1.2, 0.1, 0.2], [0.3, -0.2, 0.1]]);
        let exact = query.contacts(&Options::default());
        let [p, q] = query.colliders();
        let options = screen::Options::default();
        let mut workspace = screen::Workspace::new();
        let shown = screen::contacts(&p, &q, &query.step(), &options, &mut workspace);
        for contact in shown.expect("good options") {
            let is_same = |other: &&Contact| {
                other.features == contact.features && (other.time - contact.time).abs() < 1e-6
            };
            if let Some(other) = exact.iter().find(is_same) {
                assert_eq!(contact.touchable, other.touchable, "seed {seed}: {contact:?}");
                same += 1;
                untouchable += usize::from(!contact.touchable);
            }
        }
    }
    assert!(same > 300 && untouchable > 30, "{same} in common, {untouchable} untouchable");
}
