//! The convex test agrees with the separating axis theorem, and what it reports is true.

use chasles::convex::{
    Convex, ConvexError, Deepest, Feature, Owner, Piece, Workspace, all_points, deepest_point,
    first_point,
};
use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Shape, Sphere};
use chasles::{Polygons, Polyhedron, Pose};
use chasles_testkit::convex::{ConvexPair, Kind, overlap};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;

fn convex(polygons: &Polygons) -> Convex {
    let mesh = Polyhedron::new(polygons).expect("a mesh");
    Convex::new(mesh).unwrap_or_else(|error| panic!("{error}: {polygons:?}"))
}

fn shifted(x: f64, y: f64, z: f64) -> [Pose; 2] {
    [Pose::IDENTITY, Pose::from_position([x, y, z]).expect("finite")]
}

/// A pair made ready.
struct Case {
    pair: ConvexPair,
    bodies: [Convex; 2],
}

impl Case {
    fn new(seed: u64) -> Self {
        let pair = ConvexPair::new(seed);
        Self { bodies: [convex(&pair.a), convex(&pair.b)], pair }
    }

    fn first(&self, workspace: &mut Workspace) -> Option<Piece> {
        first_point(&self.bodies[0], &self.bodies[1], self.pair.poses, workspace)
    }

    fn all<'w>(&self, workspace: &'w mut Workspace) -> &'w [Piece] {
        all_points(&self.bodies[0], &self.bodies[1], self.pair.poses, workspace)
    }

    fn deepest(&self, workspace: &mut Workspace) -> Option<Deepest> {
        deepest_point(&self.bodies[0], &self.bodies[1], self.pair.poses, workspace)
    }

    /// How far a point of the world is outside a body, by its mesh; negative inside.
    fn height(&self, owner: Owner, point: DVec3) -> f64 {
        let i = owner as usize;
        let (mesh, pose) = (self.bodies[i].mesh(), self.pair.poses[i]);
        let local = pose.inverse().point(point);
        let height = |f: u32| mesh.normal(f).dot(local - mesh.face_point(f));
        (0..mesh.face_count() as u32).map(height).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// No disagreement with the oracle, and answers of all kinds among the pairs.
fn check_agreement(seeds: std::ops::Range<u64>) {
    let mut workspace = Workspace::new();
    let mut counts = [[0; 2]; Kind::ALL.len()];
    for seed in seeds {
        let case = Case::new(seed);
        let [a, b] = case.pair.points();
        let expected = overlap(&a, &b);
        let kind = case.pair.kind;
        assert_eq!(case.first(&mut workspace).is_some(), expected, "seed {seed}, {kind:?}");
        assert_eq!(!case.all(&mut workspace).is_empty(), expected, "seed {seed}, {kind:?}");
        counts[kind as usize][usize::from(expected)] += 1;
        if matches!(kind, Kind::Coincident | Kind::Touching) {
            assert!(expected, "seed {seed}, {kind:?} pairs meet");
        }
    }
    let [out, inside] = counts[Kind::Nested as usize];
    assert!(inside > 50 * out, "{out} of {inside} are not nested");
    for kind in [Kind::Grid, Kind::Crossed, Kind::Near, Kind::Turned, Kind::TurnedTouching] {
        let [apart, meeting] = counts[kind as usize];
        assert!(
            apart.min(meeting) * 20 > apart + meeting,
            "{kind:?}: {apart} apart, {meeting} not"
        );
    }
}

#[test]
fn ten_thousand_pairs_agree_with_the_separating_axis_theorem() {
    check_agreement(0..10_000);
}

#[test]
#[ignore = "a minute"]
fn a_hundred_thousand_pairs_agree_with_the_separating_axis_theorem() {
    check_agreement(1_000_000..1_100_000);
}

#[test]
fn the_order_of_exact_bodies_does_not_matter() {
    let mut workspace = Workspace::new();
    for seed in 0..4_000 {
        let case = Case::new(seed);
        if !case.pair.kind.is_exact() || case.pair.kind == Kind::Coincident {
            continue;
        }
        let [a, b] = &case.bodies;
        let [p, q] = case.pair.poses;
        let back = first_point(b, a, [q, p], &mut workspace).is_some();
        assert_eq!(case.first(&mut workspace).is_some(), back, "seed {seed}");
    }
}

#[test]
fn every_feature_inside_is_reported_and_no_other() {
    let mut workspace = Workspace::new();
    for seed in 0..2_000 {
        let case = Case::new(seed);
        let pieces = case.all(&mut workspace).to_vec();
        let of = |owner: Owner, feature| {
            pieces.iter().find(|p| (p.owner, p.feature) == (owner, feature)).copied()
        };
        for owner in [Owner::A, Owner::B] {
            let (mesh, pose) =
                (case.bodies[owner as usize].mesh(), case.pair.poses[owner as usize]);
            let height = |p: DVec3| case.height(owner.other(), p);
            let check = |p: DVec3, feature| {
                let is_found = of(owner, feature).is_some();
                let height = height(p);
                assert!(is_found || height > -1e-12, "seed {seed}: {feature:?} is missing");
                assert!(!is_found || height < 1e-12, "seed {seed}: {feature:?} is outside");
            };
            for v in 0..mesh.vertex_count() as u32 {
                check(pose.point(mesh.position(v)), Feature::Vertex(mesh.vertex_label(v)));
            }
            for f in 0..mesh.face_count() as u32 {
                check(pose.point(mesh.face_point(f)), Feature::Face(mesh.face_label(f)));
            }
            for e in 0..mesh.edge_count() as u32 {
                let ends = mesh.edge(e).map(|v| pose.point(mesh.position(v)));
                let piece = of(owner, Feature::Edge(mesh.edge_label(e)));
                check_piece(&height, ends, piece, seed);
            }
        }
    }
}

/// Samples of an edge are inside where its piece is, and outside elsewhere.
fn check_piece(height: &impl Fn(DVec3) -> f64, ends: [DVec3; 2], piece: Option<Piece>, seed: u64) {
    let way = ends[1] - ends[0];
    let at = |p: DVec3| (p - ends[0]).dot(way) / way.length_squared();
    let [from, to] = piece.map_or([2.0, 2.0], |piece| piece.ends.map(at));
    for i in 0..=20 {
        let t = f64::from(i) / 20.0;
        let height = height(ends[0] + way * t);
        let is_in = (from - 1e-9..=to + 1e-9).contains(&t);
        assert!(
            is_in || height > -1e-9,
            "seed {seed}: {height} below at {t}, not in {from} to {to}"
        );
        let is_well_in = (from + 1e-9..=to - 1e-9).contains(&t);
        assert!(!is_well_in || height < 1e-9, "seed {seed}: {height} above at {t}");
    }
}

#[test]
fn the_deepest_point_is_the_deepest_and_is_pushed_out_by_its_depth() {
    let mut workspace = Workspace::new();
    for seed in 0..4_000 {
        let case = Case::new(seed);
        let deepest = case.deepest(&mut workspace);
        let pieces = case.all(&mut workspace);
        assert_eq!(deepest.is_none(), pieces.is_empty());
        let Some(deepest) = deepest else { continue };
        let size =
            1e-12 * (1.0 + deepest.point.length() + case.bodies[0].mesh().bounds()[1].length());
        let depth = -case.height(deepest.owner.other(), deepest.point);
        assert!((depth - deepest.depth).abs() < size, "seed {seed}: {depth}, {deepest:?}");
        for piece in pieces {
            for t in [0.0, 0.3, 0.5, 0.7, 1.0] {
                let other = -case.height(piece.owner.other(), piece.ends[0].lerp(piece.ends[1], t));
                assert!(
                    other <= deepest.depth + size,
                    "seed {seed}: {other} in {piece:?}, {deepest:?}"
                );
            }
        }
        assert!(deepest.normal.is_normalized());
        let outward = if deepest.owner == Owner::B { deepest.normal } else { -deepest.normal };
        let moved = deepest.point + outward * deepest.depth;
        assert!(case.height(deepest.owner.other(), moved).abs() < size, "seed {seed}: {deepest:?}");
        let beyond = moved + outward * 1e-3;
        assert!((case.height(deepest.owner.other(), beyond) - 1e-3).abs() < size, "seed {seed}");
    }
}

#[test]
fn bodies_that_rest_on_each_other_have_the_normal_of_the_faces_that_touch() {
    let cube = convex(&shapes::cuboid(DVec3::splat(2.0)));
    let small = convex(&shapes::cuboid(DVec3::ONE));
    let mut workspace = Workspace::new();
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        for side in [-1.0, 1.0] {
            let [up, flush] = [axis * side, DVec3::new(0.5, 0.5, 0.5) * (1.0 - axis)];
            for (b, at) in [(&cube, 2.0 * up), (&small, 1.5 * up), (&small, 1.5 * up + flush)] {
                let deepest = deepest_point(&cube, b, shifted(at.x, at.y, at.z), &mut workspace);
                let deepest = deepest.expect("they touch");
                assert_eq!((deepest.depth, deepest.normal), (0.0, up), "{at}");
            }
        }
    }
}

#[test]
fn coincident_boxes_and_crossed_bars_are_found() {
    // The two cases that the test as printed in the paper misses.
    let cube = convex(&shapes::cube());
    let mut workspace = Workspace::new();
    let pieces = all_points(&cube, &cube, [Pose::IDENTITY; 2], &mut workspace);
    assert_eq!(pieces.len(), 2 * (8 + 12 + 6));
    let bars = [[6.0, 1.0, 1.0], [1.0, 6.0, 1.0]].map(|s| convex(&shapes::cuboid(s.into())));
    let pieces = all_points(&bars[0], &bars[1], [Pose::IDENTITY; 2], &mut workspace);
    let edges = pieces.iter().filter(|p| matches!(p.feature, Feature::Edge(_)));
    assert_eq!(edges.filter(|p| (p.ends[0].distance(p.ends[1]) - 1.0).abs() < 1e-12).count(), 8);
    assert!(pieces.iter().all(|p| !matches!(p.feature, Feature::Vertex(_))));
}

#[test]
fn an_edge_through_a_thin_plate_is_found() {
    let plate = convex(&shapes::cuboid(DVec3::new(4.0, 4.0, 1e-3)));
    let needle = convex(&shapes::cuboid(DVec3::new(1e-3, 1e-3, 4.0)));
    let mut workspace = Workspace::new();
    assert!(first_point(&plate, &needle, shifted(0.3, 0.2, 0.0), &mut workspace).is_some());
    assert!(first_point(&plate, &needle, shifted(2.1, 0.2, 0.0), &mut workspace).is_none());
}

#[test]
fn meshes_that_are_not_convex_are_named() {
    let error = |polygons: &Polygons| {
        Convex::new(Polyhedron::new(polygons).expect("a mesh")).expect_err("not convex")
    };
    let mut open = shapes::cube();
    open.faces.pop();
    assert_eq!(error(&open), ConvexError::Open { edge: [1, 3] });
    let mut turned_over = shapes::cube();
    turned_over.faces[0].reverse();
    let message = error(&turned_over).to_string();
    assert!(message.ends_with("or faces are oriented differently"), "{message}");
    let mut inward = shapes::cube();
    inward.faces.iter_mut().for_each(|face| face.reverse());
    assert_eq!(error(&inward), ConvexError::Inward { volume: -1.0 });
    let message = error(&shapes::l_prism()).to_string();
    assert_eq!(message, "not convex: vertex 4 lies 1 outside the plane of face 4");
    let flat = shapes::mapped(shapes::cube(), |v| v * DVec3::new(1.0, 1.0, 0.0));
    assert!(matches!(error(&flat), ConvexError::Open { .. } | ConvexError::Flat { .. }));
    let two = shapes::joined(&[
        shapes::cube(),
        shapes::mapped(shapes::cube(), |v| v + DVec3::new(3.0, 0.0, 0.0)),
    ]);
    assert!(matches!(error(&two), ConvexError::NotConvex { .. }));
    let inner = shapes::joined(&[shapes::cube(), shapes::mapped(shapes::cube(), |v| 0.5 * v)]);
    assert!(matches!(error(&inner), ConvexError::NotConvex { .. }));
    let mut loose = shapes::cube();
    loose.vertices.push(DVec3::splat(0.1));
    loose.points.push(8);
    assert_eq!(error(&loose), ConvexError::Loose { vertex: 8 });
    let tiny = shapes::mapped(shapes::cube(), |v| v * 1e-61);
    assert!(matches!(error(&tiny), ConvexError::Flat { .. }));
}

#[test]
fn a_star_that_winds_around_twice_is_not_convex() {
    // A double pyramid over a pentagram: no edge is a valley, but the surface crosses itself.
    let star = shapes::regular(5, 0.0).into_iter().map(|p| p.extend(0.0));
    let vertices: Vec<DVec3> = star.chain([DVec3::Z, -DVec3::Z]).collect();
    let next = |i: u32| (i + 2) % 5;
    let faces = (0..5).flat_map(|i| [[i, next(i), 5], [next(i), i, 6]]);
    let mesh = Polyhedron::new(&Polygons::new(vertices, faces)).expect("a mesh");
    assert!(matches!(Convex::new(mesh), Err(ConvexError::NotConvex { .. })));
}

#[test]
fn turned_and_rounded_meshes_are_still_convex() {
    let mut random = Random::new(7);
    let sphere = Shape::Sphere(Sphere { segments: [12, 8], ..Sphere::default() });
    let sphere = sphere.polygons().expect("fitting parameters");
    for seed in 0..300 {
        let [turn, far] = [random.rotation(), random.rotation()];
        let place = |v: DVec3| turn * (v * 3.0) + far * DVec3::X * 100.0;
        for mesh in [shapes::cube(), shapes::truncated_cube(0.3), sphere.clone()] {
            let mesh = Polyhedron::new(&shapes::mapped(mesh, place)).expect("a mesh");
            assert!(Convex::new(mesh).is_ok(), "seed {seed}");
        }
    }
}

/// A needle has hardly a volume, and yet nothing about it is rounding.
#[test]
fn thin_bodies_are_convex_and_are_met() {
    let mut random = Random::new(17);
    let mut workspace = Workspace::new();
    let cube = convex(&shapes::cube());
    for thin in [1e-6, 1e-8, 1e-9, 1e-11] {
        let needle = shapes::cuboid(DVec3::new(2.0, thin, thin));
        let plate = shapes::cuboid(DVec3::new(2.0, 2.0, thin));
        for body in [&needle, &plate].map(convex) {
            for (x, expected) in [(0.3, true), (1.5, true), (1.500_001, false)] {
                let found = first_point(&cube, &body, shifted(x, 0.1, 0.1), &mut workspace);
                assert_eq!(found.is_some(), expected, "{thin} thin at {x}");
            }
        }
    }
    for _ in 0..50 {
        let turn = random.rotation();
        let needle = shapes::cuboid(DVec3::new(2.0, 1e-8, 1e-8));
        let needle = convex(&shapes::mapped(needle, |v| turn * v));
        let poses = [Pose::IDENTITY, Pose::new([0.2, 0.1, 0.3], turn).expect("finite")];
        let deepest = deepest_point(&cube, &needle, poses, &mut workspace).expect("they meet");
        assert!(deepest.depth > 0.1, "{deepest:?}");
    }
}

#[test]
fn scales_and_far_places_do_not_matter() {
    let mut workspace = Workspace::new();
    for scale in [1e-55, 1e-9, 1.0, 1e9, 1e90] {
        let cube = convex(&shapes::mapped(shapes::cube(), |v| v * scale));
        for (x, expected) in [(0.5, true), (1.0, true), (1.0 + 1e-15, false), (2.0, false)] {
            let poses = shifted(x * scale, 0.0, 0.0);
            let found = first_point(&cube, &cube, poses, &mut workspace);
            // Only powers of two keep the ratio of the size and the place; touching is not asked.
            if scale == 1.0 || (x - 1.0_f64).abs() > 0.1 {
                assert_eq!(found.is_some(), expected, "{x} at {scale}");
            }
        }
        let far = shifted(1e100, -1e100, 1e100);
        assert!(first_point(&cube, &cube, far, &mut workspace).is_none());
    }
}

#[test]
fn spheres_of_a_thousand_faces_meet_when_they_do() {
    let sphere = Shape::Sphere(Sphere { segments: [40, 25], ..Sphere::default() });
    let sphere = Convex::new(sphere.build().expect("fits")).expect("a sphere is convex");
    let mut workspace = Workspace::new();
    // Poles are vertices: along y the spheres touch at exactly one radius from each.
    for (y, expected) in [(1.0, true), (1.0_f64.next_up(), false), (0.9, true), (1.1, false)] {
        let found = first_point(&sphere, &sphere, shifted(0.0, y, 0.0), &mut workspace);
        assert_eq!(found.is_some(), expected, "{y}");
    }
}

#[test]
fn later_queries_allocate_nothing() {
    let mut workspace = Workspace::new();
    let cases: Vec<Case> = (0..400).map(Case::new).collect();
    let mut run = || {
        for case in &cases {
            case.first(&mut workspace);
            case.all(&mut workspace);
            case.deepest(&mut workspace);
        }
    };
    run();
    assert_eq!(allocation_counter::measure(run).count_total, 0);
}

#[test]
fn a_workspace_does_not_change_answers() {
    let mut used = Workspace::new();
    for seed in 0..2_000 {
        let case = Case::new(seed);
        assert_eq!(case.first(&mut used), case.first(&mut Workspace::new()), "seed {seed}");
        assert_eq!(case.deepest(&mut used), case.deepest(&mut Workspace::new()), "seed {seed}");
    }
}

#[test]
fn a_tiny_body_in_a_huge_one_is_found() {
    let huge = convex(&shapes::cuboid(DVec3::splat(1e12)));
    let tiny = convex(&shapes::cuboid(DVec3::splat(1e-9)));
    let turn = DQuat::from_rotation_x(0.3);
    let poses = [Pose::IDENTITY, Pose::new([1e11, 2e11, -3e11], turn).expect("finite")];
    let mut workspace = Workspace::new();
    assert!(first_point(&huge, &tiny, poses, &mut workspace).is_some());
    assert!(first_point(&tiny, &huge, [poses[1], poses[0]], &mut workspace).is_some());
}
