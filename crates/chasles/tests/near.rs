//! Places where bodies at rest are near each other: all of them, each once, and no others.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use chasles::distance::{self, distance};
use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Bolt, Cone, Nut, Shape, Sphere};
use chasles::near::{Near, Options, Workspace, intersect, near};
use chasles::{Collider, Features, Polygons, Polyhedron, Pose};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::near::{Limits, Place, places};
use chasles_testkit::{lattice, screen, shapes};

const REACH: f64 = 0.05;

/// Far above rounding, far below the sizes of the bodies.
const SLACK: f64 = 1e-7;

/// Two meshes at rest.
#[derive(Clone)]
struct Rest {
    meshes: [Polygons; 2],
    poses: [Pose; 2],
}

impl Rest {
    fn colliders(&self) -> [Collider; 2] {
        self.meshes.each_ref().map(|mesh| Collider::new(Polyhedron::new(mesh).expect("a mesh")))
    }

    fn near(&self, options: &Options) -> Vec<Near> {
        let [a, b] = self.colliders();
        near(&a, &b, self.poses, options, &mut Workspace::new()).to_vec()
    }

    fn swapped(&self) -> Self {
        let ([a, b], [p, q]) = (self.meshes.clone(), self.poses);
        Self { meshes: [b, a], poses: [q, p] }
    }

    fn intersect(&self) -> bool {
        let [a, b] = self.colliders();
        intersect(&a, &b, self.poses, &mut Workspace::new())
    }

    /// Moves B against a direction until the surfaces are `gap` apart, or about; each step is as
    /// long as the bodies are apart, and so cannot pass. Bodies that miss each other end beyond.
    fn approached(mut self, toward: DVec3, gap: f64) -> Self {
        let [a, b] = self.colliders();
        let mut workspace = distance::Workspace::new();
        for _ in 0..200 {
            let left = distance(&a, &b, self.poses, &mut workspace).distance - gap;
            if left < 1e-3 * gap || left > 12.0 {
                break;
            }
            let position = self.poses[1].position() + left * toward;
            self.poses[1] = Pose::new(position, self.poses[1].rotation()).expect("finite");
        }
        self
    }
}

/// Any two meshes a little apart, in any position.
fn random_rest(seed: u64) -> Rest {
    let mut random = Random::new(seed);
    let mesh = |random: &mut Random| match seed % 4 {
        0 => generate::convex_mesh(random),
        1 => generate::open_mesh(random),
        2 => shapes::torus(12, 8, 1.0, 0.4),
        _ => generate::closed_mesh(random),
    };
    let meshes = [mesh(&mut random), generate::closed_mesh(&mut random)];
    let toward = random.direction();
    let pose = |position, random: &mut Random| Pose::new(position, random.rotation()).unwrap();
    let poses = [pose(DVec3::ZERO, &mut random), pose(-6.0 * toward, &mut random)];
    let gap = random.one_of(&[1e-6, 1e-3, 0.02, 0.04]);
    Rest { meshes, poses }.approached(toward, gap)
}

/// Boxes on a lattice, flush or turned by eighths of a turn, `gap` apart.
fn aligned_rest(seed: u64) -> Rest {
    let mut random = Random::new(seed ^ 0xa11);
    let mut size = || DVec3::from_array([0; 3].map(|_| random.one_of(&[0.5, 1.0, 1.5])));
    let meshes = [shapes::cuboid(size()), shapes::cuboid(size())];
    let axis = random.one_of(&[DVec3::X, DVec3::Y, DVec3::Z]);
    let turn = random.one_of(&[0.0, 0.0, FRAC_PI_4, FRAC_PI_2]);
    let aside = DVec3::from_array([0; 3].map(|_| 0.25 * random.below(5) as f64 - 0.5));
    let toward = random.one_of(&[DVec3::X, DVec3::Y, DVec3::Z]);
    let start = aside.reject_from(toward) - 6.0 * toward;
    let b = Pose::new(start, DQuat::from_axis_angle(axis, turn)).unwrap();
    let both = Pose::new(random.vector(), random.rotation()).unwrap();
    let poses = if random.below(2) == 0 { [Pose::IDENTITY, b] } else { [both, both.after(&b)] };
    let toward = if poses[0] == both { both.vector(toward) } else { toward };
    Rest { meshes, poses }.approached(toward, random.one_of(&[1e-4, 0.01]))
}

fn bolt_in_nut(turn: f64, aside: DVec3) -> Rest {
    let nut =
        Shape::Nut(Nut { radius: 0.5, pitch: 0.2, depth: 0.12, clearance: 0.02, ..Nut::default() });
    let shapes = [nut, Shape::Bolt(Bolt::default())];
    let [nut, bolt] = shapes.map(|shape| shape.polygons().expect("fitting parameters"));
    let position = DVec3::Y * (0.2 * turn / std::f64::consts::TAU) + aside;
    let pose = Pose::new(position, DQuat::from_rotation_y(-turn)).unwrap();
    Rest { meshes: [nut, bolt], poses: [Pose::IDENTITY, pose] }
}

/// All that is tried, with names; those that intersect are left out.
fn rests() -> impl Iterator<Item = (String, Rest)> {
    let random = (0..160).map(|seed| (format!("random {seed}"), random_rest(seed)));
    let aligned = (0..160).map(|seed| (format!("aligned {seed}"), aligned_rest(seed)));
    let threads = [(0.0, DVec3::ZERO), (1.0, DVec3::ZERO), (0.5, DVec3::new(0.004, 0.003, 0.002))];
    let threads = threads
        .into_iter()
        .map(|(turn, aside)| (format!("thread turned by {turn}"), bolt_in_nut(turn, aside)));
    let rings = [1e-3, 0.03].map(|gap| {
        let torus = shapes::torus(20, 15, 1.0, 0.4);
        let pose = Pose::new(DVec3::X, DQuat::from_rotation_x(1.6)).unwrap();
        let linked = Rest { meshes: [torus.clone(), torus], poses: [Pose::IDENTITY, pose] };
        (format!("rings {gap} apart"), linked.approached(DVec3::X, gap))
    });
    let all = random.chain(aligned).chain(threads).chain(rings);
    all.filter(|(_, rest)| !screen::overlap(rest.meshes.each_ref(), rest.poses))
}

fn is_at(near: &Near, place: &Place) -> bool {
    near.point_a.distance(place.point_a) < 1e-6 && near.point_b.distance(place.point_b) < 1e-6
}

#[test]
fn places_are_those_of_all_pairs() {
    let mut count = 0;
    for (name, rest) in rests() {
        let [a, b] = rest.colliders();
        let options = Options::within(REACH);
        let found = rest.near(&options);
        count += found.len();
        let all = |slack: f64| {
            let limits = Limits { reach: REACH, least: options.min_properness, slack };
            places([a.mesh(), b.mesh()], rest.poses, &limits)
        };
        let possible = all(SLACK);
        for near in &found {
            let is_real =
                |place: &Place| is_at(near, place) && near.normal.dot(place.normal) > 0.999;
            assert!(possible.iter().any(is_real), "{name}: {near:?} is not a place");
        }
        for place in all(-SLACK) {
            let missed = !found.iter().any(|near| is_at(near, &place));
            assert!(!missed, "{name}: {place:?} is missed");
        }
    }
    assert!(count > 2000, "only {count} places");
}

#[test]
fn every_place_is_reported_once() {
    for (name, rest) in rests() {
        let found = rest.near(&Options::within(REACH));
        for (i, p) in found.iter().enumerate() {
            let same = |q: &&Near| {
                p.point_a.distance(q.point_a) < 1e-10 && p.point_b.distance(q.point_b) < 1e-10
            };
            assert_eq!(found[i + 1..].iter().find(same), None, "{name}: as {p:?}");
        }
    }
}

fn has_lone(mesh: &Polyhedron) -> bool {
    (0..mesh.edge_count() as u32).any(|e| mesh.edge_sides(e).is_empty())
        || (0..mesh.vertex_count() as u32).any(|v| mesh.vertex_edges(v).is_empty())
}

#[test]
fn the_smallest_gap_is_the_distance_of_the_bodies() {
    let mut within = 0;
    for (name, rest) in rests() {
        let Rest { meshes, poses } = &rest;
        let expected = screen::distance(meshes.each_ref(), *poses);
        let [a, b] = rest.colliders();
        // The oracle sees only faces.
        let lone = [a.mesh(), b.mesh()].into_iter().any(has_lone);
        let least = distance(&a, &b, *poses, &mut distance::Workspace::new()).distance;
        if !lone {
            assert!((least - expected).abs() < 1e-9, "{name}: {least}, but {expected}");
        }
        for min_properness in [0.0 - 1e-6, -0.1] {
            let found = rest.near(&Options { reach: REACH, min_properness });
            let smallest = found.iter().map(|near| near.gap).fold(f64::INFINITY, f64::min);
            if least < REACH - 1e-9 {
                assert!((smallest - least).abs() < 1e-9, "{name}: {smallest}, but {least}");
                within += 1;
            } else if least > REACH + 1e-9 {
                assert!(found.is_empty(), "{name}");
            }
        }
    }
    assert!(within > 300, "only {within} within reach");
}

#[test]
fn points_normals_and_gaps_agree() {
    for (name, rest) in rests() {
        for near in rest.near(&Options::within(REACH)) {
            let Near { point_a, point_b, normal, gap, properness, .. } = near;
            assert!((normal.length() - 1.0).abs() < 1e-12, "{name}: {near:?}");
            assert!((point_b - point_a).distance(gap * normal) < 1e-12, "{name}: {near:?}");
            assert!((0.0..=REACH).contains(&gap), "{name}: {near:?}");
            assert!((-0.1..=1.0).contains(&properness), "{name}: {near:?}");
        }
    }
}

#[test]
fn swapped_bodies_have_the_same_places() {
    for (name, rest) in rests() {
        let options = Options::within(REACH);
        let [forth, back] = [rest.near(&options), rest.swapped().near(&options)];
        // At the limits rounding may choose.
        let clear = |near: &&Near| {
            near.gap < REACH - 1e-9 && near.properness > options.min_properness + 1e-9
        };
        for (from, to) in [(&forth, &back), (&back, &forth)] {
            for p in from.iter().filter(clear) {
                let mirrored = |q: &&Near| {
                    p.point_a.distance(q.point_b) < 1e-8
                        && p.point_b.distance(q.point_a) < 1e-8
                        && p.normal.dot(q.normal) < -0.999_999
                };
                assert!(to.iter().any(|q| mirrored(&q)), "{name}: {p:?}");
            }
        }
    }
}

#[test]
fn the_order_and_the_bits_do_not_depend_on_the_workspace() {
    let mut workspace = Workspace::new();
    for (name, rest) in rests() {
        let [a, b] = rest.colliders();
        let options = Options::within(REACH);
        let again = near(&a, &b, rest.poses, &options, &mut workspace);
        assert_eq!(again, rest.near(&options), "{name}");
        assert!(again.is_sorted_by_key(|near| near.features), "{name}");
    }
}

/// A floor of `n` times `n` squares, each of two triangles, from 0 to `size`; open, at y = 0.
fn floor(n: u32, size: f64) -> Polygons {
    let vertex = |i: u32| {
        let [x, z] = [i % (n + 1), i / (n + 1)].map(|k| size * f64::from(k) / f64::from(n));
        DVec3::new(x, 0.0, z)
    };
    let triangles = |i: u32| {
        let corner = i / n * (n + 1) + i % n;
        let [right, up, both] = [corner + 1, corner + n + 1, corner + n + 2];
        [[corner, up, right], [right, up, both]]
    };
    Polygons::new((0..(n + 1) * (n + 1)).map(vertex), (0..n * n).flat_map(triangles))
}

fn boxes(sizes: [[f64; 3]; 2], position: [f64; 3], turn: f64) -> Rest {
    let meshes = sizes.map(|size| shapes::cuboid(DVec3::from(size)));
    let pose = Pose::new(position, DQuat::from_rotation_y(turn)).unwrap();
    Rest { meshes, poses: [Pose::IDENTITY, pose] }
}

/// The places on A, in order, and the kinds of features.
fn spots(found: &[Near]) -> Vec<([i64; 3], &'static str)> {
    let rounded = |p: DVec3| p.to_array().map(|x| (x * 1e4).round() as i64);
    let mut spots: Vec<_> =
        found.iter().map(|near| (rounded(near.point_a), near.features.kind())).collect();
    spots.sort_unstable();
    spots
}

#[test]
fn a_box_on_a_face_stands_on_its_corners() {
    for turn in [0.0, 0.3] {
        for gap in [0.0, 1e-12, 1e-3] {
            let rest = boxes([[9.0, 1.0, 9.0], [1.0; 3]], [1.0, 1.0 + gap, 0.5], turn);
            let found = rest.near(&Options::within(0.01));
            assert_eq!(found.len(), 4, "{found:?}");
            for near in found {
                assert!(matches!(near.features, Features::Fv { .. }));
                assert!(near.normal.distance(DVec3::Y) < 1e-12 && (near.gap - gap).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn seams_and_vertices_of_a_flat_floor_are_no_contacts() {
    // Corners on seams, on vertices and within triangles; the floor as A and as B.
    for (x, z, turn) in [(2.0, 2.0, 0.0), (2.5, 2.25, 0.0), (2.3, 2.6, 0.4), (1.5, 1.5, FRAC_PI_4)]
    {
        for gap in [0.0, 1e-3] {
            let pose = Pose::new([x, 0.5 + gap, z], DQuat::from_rotation_y(turn)).unwrap();
            let meshes = [floor(4, 4.0), shapes::cube()];
            let rest = Rest { meshes, poses: [Pose::IDENTITY, pose] };
            for rest in [rest.clone(), rest.swapped()] {
                let found = rest.near(&Options::within(0.01));
                assert_eq!(found.len(), 4, "{x} {z} {turn} {gap}: {found:?}");
            }
        }
    }
}

#[test]
fn crossed_bricks_meet_in_the_corners_of_their_overlap() {
    let found =
        boxes([[3.0, 1.0, 1.0]; 2], [0.0, 1.001, 0.0], FRAC_PI_2).near(&Options::within(0.01));
    let corners =
        [[-5000, 5000, -5000], [-5000, 5000, 5000], [5000, 5000, -5000], [5000, 5000, 5000]];
    assert_eq!(spots(&found), corners.map(|corner| (corner, "ee")));
    // Shifted, so that an end of the upper one lies on the lower one.
    let found =
        boxes([[3.0, 1.0, 1.0]; 2], [0.0, 1.001, 1.2], FRAC_PI_2).near(&Options::within(0.01));
    let corners = [
        ([-5000, 5000, -3000], "fv"),
        ([-5000, 5000, 5000], "ee"),
        ([5000, 5000, -3000], "fv"),
        ([5000, 5000, 5000], "ee"),
    ];
    assert_eq!(spots(&found), corners);
}

#[test]
fn flush_cubes_meet_in_the_corners_of_the_common_rectangle() {
    for gap in [0.0, 1e-12, 1e-9, 1e-6, 1e-3] {
        for (y, z) in [(0.0, 0.0), (0.5, 0.0), (0.0, -0.25), (0.5, 0.25), (1e-12, 0.0)] {
            let found = boxes([[1.0; 3]; 2], [1.0 + gap, y, z], 0.0).near(&Options::within(0.01));
            assert_eq!(found.len(), 4, "{gap} {y} {z}: {found:?}");
            let facing = |near: &Near| near.normal.distance(DVec3::X) < 1e-9;
            assert!(found.iter().all(facing), "{gap} {y} {z}: {found:?}");
        }
    }
}

#[test]
fn a_corner_in_a_corner_of_a_room_has_floor_and_walls() {
    // An L: a floor and a wall, with the box in the valley between them.
    let profile = [[0., 0.], [3., 0.], [3., 1.], [1., 1.], [1., 3.], [0., 3.]];
    let l = shapes::prism(&profile.map(Into::into), 4.0);
    for gap in [0.0, 1e-3] {
        let meshes = [l.clone(), shapes::cube()];
        let b = Pose::from_position(middle_of_valley(&l) + DVec3::new(gap, gap, 0.0)).unwrap();
        let found = Rest { meshes, poses: [Pose::IDENTITY, b] }.near(&Options::within(0.01));
        let [up, aside] = [DVec3::Y, DVec3::X]
            .map(|n| found.iter().filter(|near| near.normal.distance(n) < 1e-9).count());
        assert_eq!((up, aside, found.len()), (4, 4, 8), "{gap}: {found:?}");
    }
}

/// Where a unit cube touches the two faces of the valley at (1, 1) of the profile.
fn middle_of_valley(l: &Polygons) -> DVec3 {
    let [low, high] = Polyhedron::new(l).expect("a mesh").bounds();
    DVec3::new(1.5, 1.5, 0.5 * (low.z + high.z))
}

#[test]
fn tips_and_edges_have_normals_along_the_line_between_them() {
    let turned = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Y);
    let tip = 0.75_f64.sqrt();
    let cubes = |a: DQuat, b: DQuat, shift: DVec3| Rest {
        meshes: [shapes::cube(), shapes::cube()],
        poses: [Pose::new(DVec3::ZERO, a).unwrap(), Pose::new(shift, b).unwrap()],
    };
    // Tip over tip, a little aside: no face is below, the line between the tips is the normal.
    let shift = DVec3::new(0.002, 2.0 * tip + 0.004, 0.001);
    let found = cubes(turned, turned, shift).near(&Options::within(0.01));
    let direct = DVec3::new(0.002, 0.004, 0.001);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].normal.distance(direct.normalize()) < 1e-9, "{found:?}");
    assert!((found[0].gap - direct.length()).abs() < 1e-12);
    // Tip over an edge that lies on top.
    let edge = DQuat::from_rotation_x(FRAC_PI_4);
    let shift = DVec3::new(0.1, tip + 0.5_f64.sqrt() + 0.004, 0.002);
    let found = cubes(edge, turned, shift).near(&Options::within(0.01));
    let direct = DVec3::new(0.0, 0.004, 0.002);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].normal.distance(direct.normalize()) < 1e-9, "{found:?}");
    assert!(matches!(found[0].features, Features::Fv { .. }));
}

#[test]
fn bodies_intersect_where_edges_pierce_faces() {
    let mut counts = [0, 0];
    for seed in 0..300 {
        let query = if seed % 2 == 0 { generate::query(seed) } else { lattice::query(seed) };
        for i in [0, 1] {
            let rest = Rest {
                meshes: [query.a.clone(), query.b.clone()],
                poses: [query.poses_a[i], query.poses_b[i]],
            };
            let pierced = screen::overlap(rest.meshes.each_ref(), rest.poses);
            let found = rest.intersect();
            assert_eq!(found, rest.swapped().intersect(), "seed {seed}, pose {i}");
            assert!(found || !pierced, "seed {seed}, pose {i}: pierced");
            // Beyond that only what touches or is inside may intersect.
            let [a, b] = rest.colliders();
            let apart = chasles_testkit::distance::of_surfaces([a.mesh(), b.mesh()], rest.poses);
            let inside = chasles_testkit::near::inside([a.mesh(), b.mesh()], rest.poses);
            assert!(!found || pierced || inside || apart < 1e-9, "seed {seed}, pose {i}: {apart}");
            assert!(found || !inside || apart < 1e-6, "seed {seed}, pose {i}: inside");
            counts[usize::from(found)] += 1;
        }
    }
    assert!(counts[0] > 50 && counts[1] > 20, "{counts:?}");
}

#[test]
fn touching_bodies_do_not_intersect_and_flush_ones_inside_do() {
    // As they stand, and elsewhere, where rounding makes touches a little more or less than that.
    let mut random = Random::new(5);
    let mut elsewhere = || Pose::new(random.vector(), random.rotation()).unwrap();
    let mut ask = |sizes, position, turn| {
        let rest = boxes(sizes, position, turn);
        let first = rest.intersect();
        for _ in 0..5 {
            let both = elsewhere();
            let moved = Rest { poses: rest.poses.map(|pose| both.after(&pose)), ..rest.clone() };
            assert_eq!(moved.intersect(), first, "{sizes:?} {position:?} {turn}");
        }
        first
    };
    let cubes = [[1.0; 3]; 2];
    // Flush outside, along faces, edges and corners.
    for position in [[1., 0., 0.], [1., 0.5, 0.25], [1., 1., 0.], [1., 1., 1.], [0.25, 1., 0.]] {
        assert!(!ask(cubes, position, 0.0), "{position:?}");
        assert!(!ask([[1.0, 1.0, 1.0], [1.0, 1.0, 0.5]], position, 0.0), "{position:?}");
    }
    assert!(!ask([[3.0, 1.0, 1.0]; 2], [0.0, 1.0, 0.0], FRAC_PI_2));
    // The same place, shifted along a face, and flush within a larger one.
    for position in [[0., 0., 0.], [0.5, 0., 0.], [0.5, 0.5, 0.], [0.999, 0.999, 0.0]] {
        assert!(ask(cubes, position, 0.0), "{position:?}");
    }
    assert!(ask([[1.0; 3], [0.5; 3]], [0.25, 0.0, 0.0], 0.0));
    assert!(ask([[3.0, 1.0, 1.0]; 2], [0.0, 0.0, 0.0], FRAC_PI_2));
    // Clearly inside, and inside a ring without being in its body.
    assert!(ask([[1.0; 3], [0.25; 3]], [0.1, 0.0, 0.0], 0.3));
    let meshes = [shapes::torus(20, 15, 1.0, 0.4), shapes::cuboid(DVec3::splat(0.5))];
    assert!(!Rest { meshes, poses: [Pose::IDENTITY; 2] }.intersect());
}

#[test]
fn segments_pierce_open_surfaces_at_seams_and_folds() {
    let ask = |mesh: &Polygons, from: [f64; 3], to: [f64; 3]| {
        let segment = shapes::segment(from.into(), to.into());
        Rest { meshes: [mesh.clone(), segment], poses: [Pose::IDENTITY; 2] }.intersect()
    };
    let flat = floor(4, 4.0);
    // A line of the grid, a diagonal, and within a triangle; then from above only.
    for [x, z] in [[1.0, 1.5], [1.25, 1.75], [1.3, 1.2]] {
        assert!(ask(&flat, [x, -1.0, z], [x, 1.0, z]), "{x} {z}");
        assert!(!ask(&flat, [x, 0.0, z], [x, 1.0, z]), "{x} {z}");
    }
    // The fold of a sheet at x = 1 is 0.3 high.
    let folded = shapes::sheet(2, 2);
    assert!(ask(&folded, [1.0, 0.5, 0.0], [1.0, 0.5, 1.0]));
    assert!(!ask(&folded, [0.0, 0.5, 0.3], [2.0, 0.5, 0.3]));
    assert!(!ask(&folded, [0.0, 0.25, 0.3], [2.0, 0.75, 0.3]));
}

#[test]
fn dual_tetrahedra_intersect_though_their_edges_only_cross() {
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let one =
        [corner(1., 1., 1.), corner(1., -1., -1.), corner(-1., 1., -1.), corner(-1., -1., 1.)];
    let meshes = [one, one.map(|p| -p)].map(shapes::tetrahedron);
    assert!(Rest { meshes, poses: [Pose::IDENTITY; 2] }.intersect());
}

#[test]
fn limits_that_are_no_numbers_find_nothing() {
    let rest = boxes([[1.0; 3]; 2], [1.001, 0.0, 0.0], 0.0);
    assert_eq!(rest.near(&Options::within(f64::NAN)), []);
    assert_eq!(rest.near(&Options::within(-1.0)), []);
    assert_eq!(rest.near(&Options { reach: 0.1, min_properness: f64::NAN }), []);
    assert_eq!(rest.near(&Options::within(f64::INFINITY)).len(), 4);
}

fn on_top(shape: &Shape, y: f64, turn: f64) -> Rest {
    let mesh = shape.polygons().expect("a shape");
    let upper = Pose::new([0.0, y, 0.0], DQuat::from_rotation_x(turn)).expect("finite");
    Rest { meshes: [mesh.clone(), mesh], poses: [Pose::IDENTITY, upper] }
}

#[test]
fn tips_of_thousands_of_edges_touch_in_moments_and_little_memory() {
    // Each edge of a tip touches each face of the other: 32 million pairs.
    let cone = Shape::Cone(Cone { segments: 4000, ..Cone::default() });
    for (apart, intersects) in [(0.0, false), (0.25, false), (-0.25, true)] {
        assert_eq!(on_top(&cone, 1.0 + apart, PI).intersect(), intersects, "{apart}");
    }
    // Tip in tip.
    let slender = Shape::Cone(Cone { radius: 0.25, segments: 3000, ..Cone::default() });
    let rest = on_top(&cone, 0.0, 0.0);
    let meshes = [rest.meshes[0].clone(), slender.polygons().expect("a shape")];
    assert!(Rest { meshes, ..rest }.intersect());
}

#[test]
fn spheres_touch_pole_on_pole_in_moments() {
    let sphere = Shape::Sphere(Sphere { segments: [200, 100], ..Sphere::default() });
    for (apart, intersects) in [(0.0, false), (0.001, false), (-0.001, true)] {
        assert_eq!(on_top(&sphere, 1.0 + apart, 0.0).intersect(), intersects, "{apart}");
    }
}

#[test]
fn pages_of_a_book_take_no_memory_for_each_pair() {
    // Each edge at the back of one book touches each page of the other there.
    let pages = 2000;
    let page = |j: u32| {
        let angle = PI * f64::from(j) / f64::from(pages);
        DVec3::new(angle.cos(), angle.sin(), 0.5)
    };
    let back = [DVec3::ZERO, DVec3::Z].into_iter();
    let faces = (0..pages).map(|j| [0, 1, 2 + j]);
    let book = Polygons::new(back.chain((0..pages).map(page)), faces);
    let turned = Pose::new([0.0; 3], DQuat::from_rotation_z(PI)).expect("finite");
    let rest = Rest { meshes: [book.clone(), book], poses: [Pose::IDENTITY, turned] };
    let [a, b] = rest.colliders();
    let memory = allocation_counter::measure(|| {
        let _ = intersect(&a, &b, rest.poses, &mut Workspace::new());
    });
    assert!(memory.bytes_max < 1 << 20, "{memory:?}");
}

#[test]
fn segments_and_points_without_faces_are_inside_too() {
    let cube = Collider::new(Polyhedron::new(&shapes::cube()).expect("a cube"));
    let [low, high] = cube.mesh().bounds();
    let middle = 0.5 * (low + high);
    let vertices = vec![middle, middle + 0.1 * (high - low)];
    let point = Polygons { vertices: vertices[..1].to_vec(), ..Polygons::default() };
    let segment = Polygons { vertices, segments: vec![[0, 1]], ..Polygons::default() };
    for lone in [point, segment] {
        let lone = Collider::new(Polyhedron::new(&lone).expect("a mesh"));
        for (by, is_in) in [(DVec3::ZERO, true), (3.0 * (high - low), false)] {
            let poses = [Pose::IDENTITY, Pose::from_position(by).expect("finite")];
            assert_eq!(intersect(&cube, &lone, poses, &mut Workspace::new()), is_in);
            let swapped = [poses[1], poses[0]];
            assert_eq!(intersect(&lone, &cube, swapped, &mut Workspace::new()), is_in);
        }
    }
}
