//! The distance of bodies at rest: that of all pairs of features, where it is said to be, and 0 for
//! bodies in each other.

use chasles::distance::{Distance, Feature, Workspace, distance, overlapping_parts};
use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Bolt, Nut, Shape, Sphere};
use chasles::{Collider, Polygons, Polyhedron, Pose};
use chasles_testkit::distance::{
    crossing_faces, from_polygon, from_segment, is_inside, of_surfaces, passes_through,
};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::shapes;

/// Two meshes at rest.
struct Rest {
    meshes: [Polygons; 2],
    colliders: [Collider; 2],
    poses: [Pose; 2],
}

impl Rest {
    fn new(meshes: [Polygons; 2], poses: [Pose; 2]) -> Self {
        let collider = |mesh: &Polygons| Collider::new(Polyhedron::new(mesh).expect("a mesh"));
        Self { colliders: meshes.each_ref().map(collider), meshes, poses }
    }

    fn distance(&self, workspace: &mut Workspace) -> Distance {
        let [a, b] = &self.colliders;
        distance(a, b, self.poses, workspace)
    }

    /// Of both bodies together; points count as a tenth, since no rounding is a part of nothing.
    fn size(&self) -> f64 {
        let size = |collider: &Collider| {
            let [low, high] = collider.mesh().bounds();
            (high - low).length()
        };
        self.colliders.iter().map(size).sum::<f64>().max(0.1)
    }

    /// What every pair of features says; none if it is a matter of rounding whether they overlap.
    fn expected(&self) -> Option<f64> {
        let meshes = self.colliders.each_ref().map(Collider::mesh);
        let apart = of_surfaces(meshes, self.poses);
        if passes_through(meshes, self.poses) {
            return Some(0.0);
        }
        if apart < 1e-6 * self.size() {
            return None;
        }
        Some(if is_inside(meshes, self.poses) { 0.0 } else { apart })
    }
}

fn mesh(random: &mut Random) -> Polygons {
    match random.below(8) {
        0 => generate::open_mesh(random),
        1 => shapes::torus(9, 7, 1.0, 0.4),
        2..5 => generate::convex_mesh(random),
        _ => generate::closed_mesh(random),
    }
}

/// Any two meshes, as likely in each other as apart.
fn random_rest(seed: u64) -> Rest {
    let mut random = Random::new(seed);
    let meshes = [mesh(&mut random), mesh(&mut random)];
    let scale = random.one_of(&[1.0, 1.0, 0.2, 0.05]);
    let [a, b] = meshes;
    let meshes = [a, shapes::mapped(b, |v| scale * v)];
    let apart = random.one_of(&[0.5, 1.5, 2.5, 4.0, 30.0]);
    let pose = |position, random: &mut Random| Pose::new(position, random.rotation()).unwrap();
    let at = 3.0 * random.vector();
    let poses = [pose(at, &mut random), pose(at + apart * random.vector(), &mut random)];
    Rest::new(meshes, poses)
}

/// Boxes on a lattice with quarter turns: parallel edges and faces, equal distances.
fn aligned_rest(seed: u64) -> Rest {
    let mut random = Random::new(seed ^ 0xa11);
    let mut size = || DVec3::from_array([0; 3].map(|_| random.one_of(&[0.5, 1.0, 1.5])));
    let meshes = [shapes::cuboid(size()), shapes::cuboid(size())];
    let quarters = f64::from(random.below(4) as u32);
    let turn = DQuat::from_rotation_x(quarters * std::f64::consts::FRAC_PI_2);
    let shift = DVec3::from_array([0; 3].map(|_| 0.25 * random.below(25) as f64 - 3.0));
    Rest::new(meshes, [Pose::IDENTITY, Pose::new(shift, turn).unwrap()])
}

fn rests(count: u64) -> impl Iterator<Item = (String, Rest)> {
    let random = (0..count).map(|seed| (format!("random {seed}"), random_rest(seed)));
    let aligned = (0..count / 4).map(|seed| (format!("aligned {seed}"), aligned_rest(seed)));
    random.chain(aligned)
}

fn check_against_all_pairs(count: u64) {
    let mut workspace = Workspace::new();
    let mut counts = [0, 0, 0];
    for (name, rest) in rests(count) {
        let found = rest.distance(&mut workspace);
        let Some(expected) = rest.expected() else {
            counts[2] += 1;
            continue;
        };
        let wrong = (found.distance - expected).abs();
        assert!(wrong <= 1e-12 * rest.size(), "{name}: {found:?}, not {expected}");
        assert_eq!(found.overlaps, expected == 0.0, "{name}: {found:?}");
        counts[usize::from(found.overlaps)] += 1;
    }
    let [apart, overlapping, unclear] = counts.map(|n| n as f64 / count as f64);
    assert!(apart > 0.5 && overlapping > 0.1 && unclear < 0.2, "{counts:?}");
}

#[test]
fn distances_are_those_of_all_pairs() {
    check_against_all_pairs(1500);
}

/// `cargo test --release -p chasles --test distance -- --ignored`
#[test]
#[ignore = "takes half a minute where nothing is optimized"]
fn distances_are_those_of_all_pairs_ten_thousand_times() {
    check_against_all_pairs(10_000);
}

/// A bar and a rod that are turned in their own frames, so that the rod is parallel to an edge up
/// to rounding: the direction across the two is all rounding.
#[test]
fn rods_along_an_edge_are_as_far_from_it_as_their_lines() {
    let mut workspace = Workspace::new();
    let expected = 0.3_f64.hypot(0.3);
    for seed in 0..20_000 {
        let mut random = Random::new(seed ^ 0x60d);
        let turn = random.rotation();
        let bar = shapes::mapped(shapes::cuboid(DVec3::new(10.0, 1.0, 1.0)), |v| turn * v);
        let middle = DVec3::new(random.between(-2.0, 2.0), 0.8, 0.8);
        let pose = |random: &mut Random| Pose::new(random.vector(), random.rotation()).unwrap();
        let [of_rod, world] = [pose(&mut random), pose(&mut random)];
        let half = random.between(0.5, 1.0) * DVec3::X;
        let ends = [middle - half, middle + half].map(|end| of_rod.inverse().point(turn * end));
        let rod = shapes::segment(ends[0], ends[1]);
        let found = Rest::new([bar, rod], [world, world.after(&of_rod)]).distance(&mut workspace);
        let wrong = (found.distance - expected).abs();
        assert!(wrong < 1e-13, "{seed}: {found:?}");
    }
}

#[test]
fn distances_of_meshes_with_many_leaves_are_those_of_all_pairs() {
    let mut workspace = Workspace::new();
    for seed in 0..60 {
        let mut random = Random::new(seed ^ 0x1eaf);
        let meshes = [shapes::torus(24, 15, 1.0, 0.4), shapes::torus(20, 16, 0.8, 0.3)];
        let at = random.between(0.5, 4.0) * random.direction();
        let poses = [DVec3::ZERO, at].map(|at| Pose::new(at, random.rotation()).unwrap());
        let rest = Rest::new(meshes, poses);
        let Some(expected) = rest.expected() else { continue };
        let found = rest.distance(&mut workspace);
        let wrong = (found.distance - expected).abs();
        assert!(wrong <= 1e-12 * rest.size(), "{seed}: {found:?}, not {expected}");
    }
}

/// How far a point is from a feature.
#[test]
fn overlapping_parts_are_all_pairs_of_faces_through_each_other() {
    let mut workspace = Workspace::new();
    let [mut most, mut inside, mut apart] = [0; 3];
    for seed in 0..1500 {
        let rest = random_rest(seed);
        let [a, b] = &rest.colliders;
        let expected = crossing_faces([a.mesh(), b.mesh()], rest.poses);
        let overlaps = rest.distance(&mut workspace).overlaps;
        let parts = overlapping_parts(a, b, rest.poses, usize::MAX, &mut workspace).to_vec();
        let is_lone =
            |[p, q]: &&[Feature; 2]| matches!(p, Feature::Edge(_)) || matches!(q, Feature::Edge(_));
        let faces: Vec<[u32; 2]> = parts
            .iter()
            .filter_map(|pair| match pair {
                [Feature::Face(f), Feature::Face(g)] => Some([*f, *g]),
                _ => None,
            })
            .collect();
        assert_eq!(faces, expected, "seed {seed}");
        assert_eq!(parts.is_empty(), !overlaps, "seed {seed}");
        let others = parts.len() - faces.len();
        if parts.iter().filter(is_lone).count() == 0 {
            assert_eq!(others, usize::from(overlaps && faces.is_empty()), "seed {seed}: {parts:?}");
        }
        inside += usize::from(parts.len() == 1 && parts[0].contains(&Feature::Inside));
        apart += usize::from(!overlaps);
        let few = overlapping_parts(a, b, rest.poses, 3, &mut workspace).to_vec();
        assert_eq!(few.len(), parts.len().min(3), "seed {seed}");
        assert!(few.iter().all(|pair| parts.contains(pair)), "seed {seed}");
        most = most.max(parts.len());
    }
    assert!(most > 20 && inside > 10 && apart > 100, "{most} {inside} {apart}");
}

fn from_feature(mesh: &Polygons, pose: &Pose, feature: Feature, point: DVec3) -> f64 {
    let at = |v: u32| pose.point(mesh.vertices[v as usize]);
    match feature {
        Feature::Vertex(v) => at(v).distance(point),
        Feature::Edge(ends) => from_segment(&ends.map(at), point),
        Feature::Face(f) => {
            let ring: Vec<DVec3> = mesh.faces[f as usize].iter().map(|&v| at(v)).collect();
            from_polygon(&ring, point)
        }
        Feature::Inside => 0.0,
    }
}

#[test]
fn points_are_on_their_features_and_the_normal_is_between_them() {
    let mut kinds = std::collections::BTreeSet::new();
    for (name, rest) in rests(1000) {
        let found = rest.distance(&mut Workspace::new());
        let noise = 1e-12 * rest.size();
        for i in [0, 1] {
            let (mesh, pose) = (&rest.meshes[i], &rest.poses[i]);
            let off = from_feature(mesh, pose, found.features[i], found.points[i]);
            assert!(off <= noise, "{name}: {off}, {found:?}");
        }
        let [p, q] = found.points;
        assert!((found.normal.length() - 1.0).abs() < 1e-12, "{name}: {found:?}");
        if !found.overlaps {
            assert!((p.distance(q) - found.distance).abs() <= noise, "{name}: {found:?}");
            let aside = q - p - found.distance * found.normal;
            assert!(aside.length() <= noise, "{name}: {found:?}");
        }
        kinds.insert(found.features.map(|feature| format!("{feature:?}").as_bytes()[0]));
    }
    // Vertices, edges, faces, insides: all pairs but two faces, a face over an edge, two insides.
    let pairs = ["VV", "VE", "EV", "VF", "FV", "EE", "EF", "FE", "VI", "IV"];
    for pair in pairs {
        assert!(kinds.iter().any(|kind| kind == pair.as_bytes()), "no {pair} in {kinds:?}");
    }
}

#[test]
fn the_order_of_the_bodies_does_not_matter() {
    let mut workspace = Workspace::new();
    for (name, rest) in rests(300) {
        let found = rest.distance(&mut workspace);
        let [a, b] = &rest.colliders;
        let turned = distance(b, a, [rest.poses[1], rest.poses[0]], &mut workspace);
        let wrong = (found.distance - turned.distance).abs();
        assert!(wrong <= 1e-13 * (rest.size() + found.distance), "{name}: {found:?} {turned:?}");
        assert_eq!(found.overlaps, turned.overlaps, "{name}");
    }
}

#[test]
fn earlier_queries_leave_no_trace() {
    let mut used = Workspace::new();
    for (name, rest) in rests(300) {
        let found = rest.distance(&mut used);
        assert_eq!(found, rest.distance(&mut Workspace::new()), "{name}");
        assert_eq!(found, rest.distance(&mut used), "{name}");
    }
}

fn cuboid(size: f64) -> Polygons {
    shapes::cuboid(DVec3::splat(size))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position([x, y, z]).unwrap()
}

#[test]
fn a_body_inside_a_closed_one_overlaps_and_inside_an_open_one_does_not() {
    let mut workspace = Workspace::new();
    let poses = [Pose::IDENTITY, at(0.1, 0.3, 0.0)];
    let within = Rest::new([cuboid(2.0), cuboid(0.5)], poses);
    let found = within.distance(&mut workspace);
    assert!(found.overlaps && found.distance == 0.0);
    assert!(matches!(found.features, [Feature::Inside, Feature::Vertex(_)]), "{found:?}");
    // The nearest way out for B is up.
    assert!(found.normal.abs_diff_eq(DVec3::Y, 1e-12), "{found:?}");
    let around = Rest::new([cuboid(0.5), cuboid(2.0)], [poses[1], poses[0]]);
    let found = around.distance(&mut workspace);
    assert!(matches!(found.features, [Feature::Vertex(_), Feature::Inside]), "{found:?}");
    assert!(found.normal.abs_diff_eq(-DVec3::Y, 1e-12), "{found:?}");
    let mut opened = cuboid(2.0);
    opened.faces.pop();
    let found = Rest::new([opened, cuboid(0.5)], poses).distance(&mut workspace);
    assert!(!found.overlaps && (found.distance - 0.45).abs() < 1e-12, "{found:?}");
}

#[test]
fn bodies_in_touch_have_a_normal_and_no_distance() {
    let mut workspace = Workspace::new();
    let octahedron = shapes::octahedron;
    let half = std::f64::consts::FRAC_PI_4;
    let [over_x, over_z] = [DQuat::from_rotation_x(half), DQuat::from_rotation_z(half)];
    let flat = DQuat::IDENTITY;
    for (meshes, turns, position, normal) in [
        ([cuboid(1.0), cuboid(1.0)], [flat; 2], DVec3::new(0.25, 1.0, -0.25), DVec3::Y),
        ([cuboid(1.0), cuboid(1.0)], [flat; 2], DVec3::new(1.0, 0.0, 0.0), DVec3::X),
        ([cuboid(1.0), octahedron()], [flat; 2], DVec3::new(0.1, 0.2, -1.5), -DVec3::Z),
        ([octahedron(), cuboid(1.0)], [flat; 2], DVec3::new(0.1, 0.2, -1.5), -DVec3::Z),
        ([cuboid(1.0), cuboid(1.0)], [over_x, over_z], DVec3::Y * 2.0_f64.sqrt(), DVec3::Y),
        ([cuboid(1.0), cuboid(1.0)], [over_x, over_z], -DVec3::Y * 2.0_f64.sqrt(), -DVec3::Y),
    ] {
        let [a, b] = [DVec3::ZERO, position];
        let poses = [Pose::new(a, turns[0]).unwrap(), Pose::new(b, turns[1]).unwrap()];
        let found = Rest::new(meshes, poses).distance(&mut workspace);
        assert!(!found.overlaps && found.distance < 1e-15, "{found:?}");
        assert!(found.normal.dot(normal) > 0.5, "{found:?}, not along {normal}");
    }
    // Flush bodies that share more than a side overlap.
    let flush = Rest::new([cuboid(1.0), cuboid(1.0)], [Pose::IDENTITY, at(0.5, 0.0, 0.0)]);
    assert!(flush.distance(&mut workspace).overlaps);
}

#[test]
fn a_bolt_in_its_nut_keeps_its_clearance() {
    let nut =
        Shape::Nut(Nut { radius: 0.5, pitch: 0.2, depth: 0.12, clearance: 0.02, ..Nut::default() });
    let shapes = [nut, Shape::Bolt(Bolt::default())];
    let meshes = shapes.map(|shape| shape.polygons().expect("fitting parameters"));
    let rest = Rest::new(meshes, [Pose::IDENTITY; 2]);
    let found = rest.distance(&mut Workspace::new());
    let expected = of_surfaces(rest.colliders.each_ref().map(Collider::mesh), rest.poses);
    assert!(!found.overlaps && found.distance > 0.005, "{found:?}");
    assert!((found.distance - expected).abs() < 1e-12, "{found:?}, not {expected}");
}

#[test]
fn spheres_far_beyond_their_size_apart_are_told_at_once() {
    let sphere = Shape::Sphere(Sphere { segments: [192, 96], ..Sphere::default() });
    let mesh = sphere.polygons().expect("fitting parameters");
    let mut rest = Rest::new([mesh.clone(), mesh], [Pose::IDENTITY; 2]);
    for far in [1e3, 1e9, 1e15, 1e30] {
        rest.poses[1] = at(far, 0.3 * far, -0.2 * far);
        let start = std::time::Instant::now();
        let found = rest.distance(&mut Workspace::new());
        let centres = rest.poses[1].position().length();
        assert!((found.distance - centres).abs() <= 2.1 + 1e-14 * far, "{far}: {found:?}");
        // Feature by feature it takes seconds.
        assert!(start.elapsed().as_secs_f64() < 0.5, "{far}");
    }
}
