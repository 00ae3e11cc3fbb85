//! Where a body may stand, and what it touches there.

use chasles::glam::{DQuat, DVec3};
use chasles::trace::{Body, Broad, Contents, Fixture, Workspace, World};
use chasles::{Polygons, Pose};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;

use crate::{THICKNESS, at, block, cube, floor, half, shift, world};

#[test]
fn a_placement_is_free_crossing_inside_or_around() {
    let mut workspace = Workspace::new();
    let small = Body::new(&shapes::mapped(shapes::cube(), |v| 0.1 * v)).expect("a body");
    let large = Body::new(&shapes::mapped(shapes::cube(), |v| 10.0 * v)).expect("a body");
    let fixture = Fixture::new(shapes::cube()).tagged(7);
    let world = World::new(vec![fixture]).expect("a world");
    let origin = Pose::IDENTITY;
    assert_eq!(world.contents(&small, &at(5.0, 0.0, 0.0), &mut workspace), Contents::Free);
    assert_eq!(world.contents(&small, &origin, &mut workspace), Contents::Inside);
    assert_eq!(world.contents(&large, &origin, &mut workspace), Contents::Around);
    let crossing = world.contents(&small, &at(half(), 0.0, 0.0), &mut workspace);
    assert!(matches!(crossing, Contents::Crossing { fixture: 0, tag: 7, .. }), "{crossing:?}");
    let touching = at(2.0 * half(), 0.0, 0.0);
    assert_eq!(world.contents(&cube(), &touching, &mut workspace), Contents::Free);
    for body in [&small, &large] {
        let trace = shift(&world, body, &origin, DVec3::X);
        assert_eq!((trace.started_solid, trace.fraction, trace.end), (true, 0.0, origin));
    }
}

#[test]
fn a_touch_does_not_tell_inside_from_outside() {
    let mut workspace = Workspace::new();
    let box_of = |low: [f64; 3], high: [f64; 3]| {
        let [low, high] = [low, high].map(DVec3::from_array);
        shapes::mapped(shapes::cuboid(high - low), |v| v + (low + high) * 0.5)
    };
    let floor = World::new(vec![Fixture::new(box_of([-5., -2., -5.], [5., 0., 5.]))]);
    let floor = floor.expect("a world");
    // A crate sunk into the floor with its top flush, whichever vertex comes first.
    let mut sunk = box_of([-0.5, -1.0, -0.5], [0.5, 0.0, 0.5]);
    for _ in 0..8 {
        let body = Body::new(&sunk).expect("a body");
        assert_eq!(floor.contents(&body, &Pose::IDENTITY, &mut workspace), Contents::Inside);
        sunk.vertices.rotate_left(1);
        sunk.faces.iter_mut().flatten().for_each(|v| *v = (*v + 7) % 8);
    }
    // On the floor, on its edges and at its corners one is outside.
    let unit = World::new(vec![Fixture::new(box_of([0.; 3], [1.; 3]))]).expect("a world");
    for [x, y, z] in [[0.1, 0., 0.], [0.9, 1., 1.], [1., 1., 1.], [0.3, 1., 0.4], [0., 0.5, 1.]] {
        assert_eq!(unit.contents(&Body::point(), &at(x, y, z), &mut workspace), Contents::Free);
    }
    // A tetrahedron that touches the body's side with one vertex is not within it.
    let tip =
        [DVec3::ZERO, DVec3::new(-1., 0., 1.), DVec3::new(-1., 1., -1.), DVec3::new(-1., -1., -1.)];
    let spike = shapes::mapped(shapes::tetrahedron(tip), |v| 0.1 * v);
    let spike = World::new(vec![Fixture::new(spike)]).expect("a world");
    let body = Body::new(&box_of([0., -1., -1.], [2., 1., 1.])).expect("a body");
    assert_eq!(spike.contents(&body, &Pose::IDENTITY, &mut workspace), Contents::Free);
}

#[test]
fn a_room_is_free_inside_and_solid_outside() {
    let mut room = shapes::mapped(shapes::cube(), |v| 10.0 * v);
    room.faces.iter_mut().for_each(|face| face.reverse());
    let pillar = shapes::mapped(shapes::cube(), |v| v + DVec3::new(2.0, 0.0, 0.0));
    let world = world(&[room, pillar]);
    let mut workspace = Workspace::new();
    let point = Body::point();
    for (x, expected) in [(0.0, Contents::Free), (2.0, Contents::Inside), (20.0, Contents::Inside)]
    {
        assert_eq!(world.contents(&point, &at(x, 0.1, 0.2), &mut workspace), expected, "{x}");
    }
    let trace =
        world.point(DVec3::ZERO, DVec3::new(0.0, 99.0, 0.0), &mut workspace).expect("finite");
    assert!((trace.end.position().y - 10.0 * half() + THICKNESS).abs() < 1e-9, "{trace:?}");
}

#[test]
fn contacts_are_listed_once_and_in_one_order() {
    let tile = |i: u32| {
        let [x, z] = [i % 4, i / 4].map(|k| 1.5 * f64::from(k) - 2.0);
        shapes::mapped(shapes::cuboid(DVec3::new(1.5, 1.0, 1.5)), |v| v + DVec3::new(x, -0.5, z))
    };
    // An L, whose faces are split, and a thin plate over several tiles.
    let meshes =
        [shapes::mapped(shapes::l_prism(), |v| 0.5 * v), shapes::cuboid(DVec3::new(2.0, 0.1, 2.0))];
    let build = || World::new((0..16).map(tile).map(Fixture::new).collect()).expect("a world");
    let [boxes, bsp] = [Broad::Boxes, Broad::Bsp].map(|broad| build().with_broad(broad));
    let mut workspace = Workspace::new();
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let start =
            Pose::new([random.between(-1., 1.), 2.0, random.between(-1., 1.)], random.rotation());
        let body = Body::new(&meshes[random.below(2)]).expect("a body");
        let start = start.expect("finite");
        let end = shift(&boxes, &body, &start, DVec3::new(0.0, -4.0, 0.0)).end;
        let [one, other] = [&boxes, &bsp]
            .map(|world| world.contacts(&body, &end, 0.1, &mut workspace).expect("a distance"));
        assert_eq!(one, other);
        let mut names: Vec<_> = one.iter().map(|t| (t.features, t.fixture)).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), one.len(), "each once");
    }
}

#[test]
fn a_resting_box_touches_with_four_corners() {
    let world = world(&[floor()]);
    let rest = shift(&world, &cube(), &at(0.3, 2.0, 0.1), DVec3::new(0.0, -4.0, 0.0));
    let mut workspace = Workspace::new();
    let touches = world.contacts(&cube(), &rest.end, 2.0 * THICKNESS, &mut workspace);
    let touches = touches.expect("a distance");
    assert_eq!(touches.len(), 4, "{touches:?}");
    assert!(touches.iter().all(|t| t.normal == DVec3::Y && t.features.kind() == "vf"));
    assert!(world.contacts(&cube(), &rest.end, -1.0, &mut workspace).is_err());
    assert!(world.contacts(&cube(), &rest.end, f64::NAN, &mut workspace).is_err());
    // Hanging over the border: two corners, and two crossings of edges.
    let over = shift(&world, &cube(), &at(2.0, 2.0, 0.0), DVec3::new(0.0, -4.0, 0.0));
    let touches = world.contacts(&cube(), &over.end, 2.0 * THICKNESS, &mut workspace);
    let mut kinds: Vec<&str> =
        touches.expect("a distance").iter().map(|t| t.features.kind()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["ee", "ee", "vf", "vf"]);
}

#[test]
fn what_touches_is_free_and_what_overlaps_is_not_on_a_grid() {
    let mut workspace = Workspace::new();
    let random = &mut Random::new(21);
    let halves = |random: &mut Random, count: usize| {
        DVec3::from_array([0; 3].map(|_| 0.5 * random.below(count) as f64))
    };
    let [mut free, mut overlapping] = [0; 2];
    for i in 0..20_000 {
        let mut bounds = [[DVec3::ZERO; 2]; 3];
        for [low, high] in &mut bounds {
            *low = halves(random, 6);
            *high = *low + 0.5 + halves(random, 4);
        }
        let [first, second, moving] = bounds;
        let boxes = [first, second].map(|[low, high]| block(low.to_array(), high.to_array()));
        let overlap = |[a, b]: [DVec3; 2], [c, d]: [DVec3; 2]| a.cmplt(d).all() && c.cmplt(b).all();
        // Solids that overlap have edges inside, and those that share a mere edge or vertex are one
        // there: only floors of two boxes, and boxes apart.
        let between = (first[0].max(second[0]), first[1].min(second[1]));
        let shared = (between.1 - between.0).to_array().map(|width| width > 0.0);
        let is_apart = (between.1 - between.0).min_element() < 0.0;
        let is_flush = shared.iter().filter(|&&wide| wide).count() == 2;
        let count = if is_apart || is_flush { 2 } else { 1 };
        let world = World::new(boxes[..count].iter().cloned().map(Fixture::new).collect());
        let size = moving[1] - moving[0];
        let body = Body::new(&shapes::cuboid(size)).expect("a body");
        let middle = Pose::from_position((moving[0] + moving[1]) * 0.5).expect("finite");
        let contents = world.expect("a world").contents(&body, &middle, &mut workspace);
        let is_free = !bounds[..count].iter().any(|&other| overlap(other, moving));
        assert_eq!(contents == Contents::Free, is_free, "{i}: {contents:?} {bounds:?}");
        *(if is_free { &mut free } else { &mut overlapping }) += 1;
    }
    assert!(free > 10_000 && overlapping > 4_000, "{free} {overlapping}");
}

#[test]
fn two_tetrahedra_whose_edges_halve_each_other_cross() {
    let corners = [[1., 1., 1.], [-1., 1., -1.], [1., -1., -1.], [-1., -1., 1.]];
    let one = shapes::tetrahedron(corners.map(DVec3::from_array));
    let other = shapes::tetrahedron(corners.map(|c| -DVec3::from_array(c)));
    let mut other = other;
    other.faces.iter_mut().for_each(|face| face.reverse());
    let world = World::new(vec![Fixture::new(one)]).expect("a world");
    let body = Body::new(&other).expect("a body");
    let contents = world.contents(&body, &Pose::IDENTITY, &mut Workspace::new());
    assert!(matches!(contents, Contents::Crossing { .. }), "{contents:?}");
    // Side by side they touch with an edge each, across each other.
    let contents = world.contents(&body, &at(0.0, 2.0, 0.0), &mut Workspace::new());
    assert_eq!(contents, Contents::Free);
}

#[test]
fn contacts_with_a_sheet_point_to_the_body() {
    let world = World::new(vec![Fixture::new(floor())]).expect("a world");
    for side in [1.0, -1.0] {
        for gap in [0.0, 1e-16, 1e-15, 1e-14, 1e-12] {
            let start = at(0.1, side * (half() + gap), 0.1);
            let contacts = world.contacts(&cube(), &start, 1e-6, &mut Workspace::new());
            let contacts = contacts.expect("a distance");
            assert_eq!(contacts.len(), 4, "{side} {gap}");
            assert!(contacts.iter().all(|c| c.normal.y * side > 0.9), "{side} {gap} {contacts:?}");
        }
    }
}

#[test]
fn contacts_do_not_depend_on_tilt_and_size() {
    for (i, scale) in (0..240).map(|i| (i, [1.0, 30.0, 1e3, 1e4][i % 4])) {
        let random = &mut Random::new(i as u64);
        let turned = DQuat::from_rotation_y(random.one_of(&[0.0, 0.3]));
        let features = |tilt: DQuat| {
            let cube = shapes::mapped(shapes::cuboid(DVec3::splat(2.0 * scale)), |v| tilt * v);
            let world = World::new(vec![Fixture::new(cube)]).expect("a world");
            let body = Body::new(&shapes::cuboid(DVec3::splat(scale))).expect("a body");
            let at = tilt * DVec3::new(scale, (1.5 + 1e-4) * scale, 0.1 * scale);
            let pose = Pose::new(at, tilt * turned).expect("finite");
            let contacts = world.contacts(&body, &pose, 2e-4 * scale, &mut Workspace::new());
            let contacts = contacts.expect("a distance");
            let mut features: Vec<_> = contacts.iter().map(|c| c.features).collect();
            features.sort_unstable();
            features
        };
        assert_eq!(features(DQuat::IDENTITY), features(random.rotation()), "{i}, size {scale}");
    }
}

#[test]
fn what_passes_through_a_floor_with_vertices_and_edges_only_is_not_free() {
    let mut workspace = Workspace::new();
    let floors = [
        // One face, the same cut into two, and as a sheet of cells.
        block([-5., -5., -5.], [5., 0., 5.]),
        cut(block([-5., -5., -5.], [5., 0., 5.])),
        shapes::mapped(shapes::sheet(4, 4), |v| 2.0 * DVec3::new(v.x - 2.0, 0.0, v.y - 2.0)),
    ];
    let bodies = [
        shapes::octahedron(),
        cut(shapes::octahedron()),
        // A box with a belt of vertices, and a strip of two cells that stands upright.
        belted(),
        shapes::mapped(shapes::sheet(1, 2), |v| DVec3::new(v.x - 0.5, v.y - 1.0, 0.0)),
    ];
    for (i, floor) in floors.iter().enumerate() {
        let world = World::new(vec![Fixture::new(floor.clone())]).expect("a world");
        for (k, mesh) in bodies.iter().enumerate() {
            let body = Body::new(mesh).expect("a body");
            // Anywhere, over an edge, and at a vertex.
            for (x, z) in [(0.125, 0.375), (0.25, 0.25), (0.0, 0.0), (1.0, 0.5), (2.0, -2.0)] {
                let contents = world.contents(&body, &at(x, 0.0, z), &mut workspace);
                assert_ne!(contents, Contents::Free, "floor {i}, body {k} at {x}, {z}");
                for by in [DVec3::X, -DVec3::Y, DVec3::Y] {
                    let trace = shift(&world, &body, &at(x, 0.0, z), by);
                    assert!(trace.started_solid, "floor {i}, body {k}: {trace:?}");
                }
                let above = at(x, 1.0, z);
                assert_eq!(world.contents(&body, &above, &mut workspace), Contents::Free);
            }
        }
    }
}

#[test]
fn a_body_that_holds_a_part_of_a_solid_flush_is_not_free() {
    // Two boxes that are one solid, and a body that ends exactly where they meet.
    let tower = [block([0., 0., 0.], [1., 1., 1.]), block([0., 1., 0.], [1., 2., 1.])];
    let meshes = [vec![shapes::joined(&tower)], tower.to_vec(), vec![belted()]];
    let mut workspace = Workspace::new();
    for (i, mesh) in meshes.iter().enumerate() {
        let world = World::new(mesh.iter().cloned().map(Fixture::new).collect()).expect("a world");
        let seam = if i == 2 { 0.0 } else { 1.0 };
        for (low, high) in [(seam - 3.0, seam), (seam, seam + 3.0)] {
            let body = Body::new(&block([-2., low, -2.], [3., high, 3.])).expect("a body");
            let contents = world.contents(&body, &Pose::IDENTITY, &mut workspace);
            assert_ne!(contents, Contents::Free, "{i}");
        }
    }
}

/// The same with triangles.
fn cut(mut mesh: Polygons) -> Polygons {
    mesh.faces = { mesh.faces.into_iter() }
        .flat_map(|f| (2..f.len()).map(|i| vec![f[0], f[i - 1], f[i]]).collect::<Vec<_>>())
        .collect();
    mesh
}

/// A box from -1 to 1 with vertices at half its height as well.
fn belted() -> Polygons {
    let ring = |y: f64| {
        [[-1., -1.], [1., -1.], [1., 1.], [-1., 1.]].map(|[x, z]| DVec3::new(0.5 * x, y, 0.5 * z))
    };
    let mut faces = vec![vec![0, 1, 2, 3], vec![11, 10, 9, 8]];
    for (low, k) in [0, 4].into_iter().flat_map(|low| (0..4).map(move |k| (low, k))) {
        let next = (k + 1) % 4;
        faces.push(vec![low + k, low + k + 4, low + next + 4, low + next]);
    }
    Polygons::new([ring(-1.0), ring(0.0), ring(1.0)].concat(), faces)
}

#[test]
fn what_touches_the_wall_of_a_room_is_free() {
    let mut workspace = Workspace::new();
    let random = &mut Random::new(12);
    // With corners that are exactly these.
    let exact = |low: DVec3, high: DVec3| {
        shapes::mapped(shapes::cube(), |v| DVec3::select(v.cmplt(DVec3::ZERO), low, high))
    };
    for _ in 0..300 {
        let low = 3.0 * random.vector();
        let high = low + 6.0 + 2.0 * random.vector();
        let mut room = exact(low, high);
        room.faces.iter_mut().for_each(|face| face.reverse());
        let world = World::new(vec![Fixture::new(room)]).expect("a world");
        for (axis, wall) in [0, 1, 2].into_iter().flat_map(|axis| [(axis, low), (axis, high)]) {
            let middle = (low + high) * 0.5;
            let mut at = middle;
            at[axis] = wall[axis];
            let body = Body::new(&exact(at.min(middle + 0.5), at.max(middle + 0.5)));
            let body = body.expect("a body");
            let found = world.contents(&body, &Pose::IDENTITY, &mut workspace);
            assert_eq!(found, Contents::Free, "{low} {high}, at {at}");
            let trace = world.point(at, middle, &mut workspace).expect("finite");
            assert!(!trace.started_solid && trace.fraction == 1.0, "{low} {high}, at {at}");
        }
    }
}
