//! Traces are the same, bit for bit, with either broad phase, and judge a start as `contents` does.

use std::f64::consts::PI;

use chasles::glam::DVec3;
use chasles::trace::{Body, Broad, Contents, Fixture, Trace, Turn, Workspace, World};
use chasles::{Polygons, Polyhedron, Pose};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::shapes;

/// Convex bodies on a grid, apart from each other, and a folded sheet below them.
fn pieces(random: &mut Random) -> Vec<Polygons> {
    let place = |i: u32| DVec3::new(f64::from(i % 4), f64::from(i / 4 % 3), f64::from(i / 12));
    let offset = random.one_of(&[0.0, 3.0, 1e4]) * random.direction();
    let piece = |i: u32| {
        let mesh = generate::convex_mesh(random);
        shapes::mapped(mesh, |v| 0.4 * v + place(i) + offset)
    };
    (0..36).map(piece).collect()
}

fn world(random: &mut Random) -> (World, Vec<Polygons>, DVec3) {
    let pieces = pieces(random);
    let middle = pieces[17].vertices[0];
    let sheet = shapes::mapped(shapes::sheet(3, 2), |v| v + middle - DVec3::new(0.0, 0.0, 3.0));
    let fixtures = pieces.iter().cloned().chain([sheet]).map(Fixture::new).collect();
    (World::new(fixtures).expect("a world"), pieces, middle)
}

fn body(random: &mut Random) -> Body {
    let mesh = match random.below(6) {
        0 => shapes::point(DVec3::ZERO),
        1 => shapes::segment(random.vector(), random.vector()),
        2 => shapes::torus(10, 8, 1.0, 0.4),
        3 => shapes::cube(),
        4 => generate::closed_mesh(random),
        _ => generate::convex_mesh(random),
    };
    let size = random.one_of(&[0.1, 0.3, 3.0]);
    Body::new(&shapes::mapped(mesh, |v| size * v)).expect("a body")
}

#[test]
fn both_broad_phases_give_the_same_bits() {
    let mut workspaces = [Workspace::new(), Workspace::new()];
    let [mut stopped, mut solid] = [0, 0];
    for seed in 0..24 {
        let mut random = Random::new(seed);
        let (boxes, _, middle) = world(&mut random);
        let worlds = [boxes.clone(), boxes.with_broad(Broad::Bsp)];
        for _ in 0..60 {
            let body = body(&mut random);
            let at = middle + 2.0 * random.vector();
            let mut start = Pose::new(at, random.rotation()).expect("finite");
            for _ in 0..4 {
                let by = random.between(0.1, 4.0) * random.direction();
                let turn =
                    Turn::new(at + random.vector(), random.direction(), random.between(-PI, PI));
                let turn = turn.expect("finite");
                let is_turn = random.below(3) == 0;
                let mut trace = |i: usize| match is_turn {
                    true => worlds[i].rotate(&body, &start, &turn, &mut workspaces[i]),
                    false => {
                        worlds[i].translate(&body, &start, by, &mut workspaces[i]).expect("finite")
                    }
                };
                let [first, second]: [Trace; 2] = [trace(0), trace(1)];
                assert_eq!(format!("{first:?}"), format!("{second:?}"), "seed {seed}");
                let [free, same] =
                    [0, 1].map(|i| worlds[i].contents(&body, &start, &mut workspaces[i]));
                assert_eq!(free, same);
                assert_eq!(first.started_solid, free != Contents::Free, "seed {seed}: {free:?}");
                stopped += u32::from(first.touch.is_some());
                solid += u32::from(first.started_solid);
                start = first.end;
            }
        }
    }
    assert!(stopped > 1000 && solid > 100, "{stopped} stopped, {solid} in the solid");
}

#[test]
fn a_point_is_solid_behind_all_planes_of_a_convex_piece() {
    let mut workspace = Workspace::new();
    let dot = Body::point();
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let (world, pieces, middle) = world(&mut random);
        let meshes: Vec<Polyhedron> =
            pieces.iter().map(|mesh| Polyhedron::new(mesh).expect("a mesh")).collect();
        let mut inside = 0;
        for _ in 0..2000 {
            let point = middle + 2.5 * random.vector();
            let depth = |mesh: &Polyhedron| {
                let over =
                    |face: u32| mesh.normal(face).dot(point - mesh.position(mesh.face(face)[0]));
                (0..mesh.face_count() as u32).map(over).fold(f64::NEG_INFINITY, f64::max)
            };
            let depth = meshes.iter().map(depth).fold(f64::INFINITY, f64::min);
            let pose = Pose::from_position(point).expect("finite");
            let found = world.contents(&dot, &pose, &mut workspace);
            let expected = if depth < 0.0 { Contents::Inside } else { Contents::Free };
            assert!(found == expected || depth.abs() < 1e-9, "seed {seed}: {point}, {depth}");
            inside += u32::from(depth < 0.0);
        }
        assert!(inside > 20, "{inside} inside");
    }
}
