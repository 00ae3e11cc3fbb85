//! Numbers of the input, odd worlds and bad ones.

use chasles::glam::DVec3;
use chasles::trace::{Body, Fixture, Turn, Workspace, World, WorldError};
use chasles::{Features, Polygons};
use chasles_testkit::shapes;

use crate::{at, cube, floor, shift, world};

#[test]
fn results_name_the_numbers_of_the_input() {
    // Two floors; the second is an L, which is split into triangles.
    let corner =
        [[0., 0., 0.], [0., 0., 2.], [1., 0., 2.], [1., 0., 1.], [2., 0., 1.], [2., 0., 0.]];
    let unused = Polygons::new(corner.map(|c| [c[0] + 9.0, c[1], c[2]]), [[0, 1, 2, 3, 4, 5]]);
    let l = Polygons::new(corner, [[5, 4, 3], [0, 1, 2]]);
    let l = Polygons { faces: vec![l.faces[0].clone(), vec![0, 1, 2, 3, 4, 5]], ..l };
    let fixtures = vec![
        Fixture::new(unused).tagged(1),
        Fixture::new(shapes::mapped(l, |v| v)).tagged_by_face(vec![2, 3]),
    ];
    let world = World::new(fixtures).expect("a world");
    let mut workspace = Workspace::new();
    let hit = world.point(DVec3::new(0.5, 1.0, 1.7), DVec3::new(0.5, -1.0, 1.7), &mut workspace);
    let touch = hit.expect("finite").touch.expect("a floor");
    assert_eq!((touch.fixture, touch.tag), (1, 3));
    assert_eq!(touch.features, Features::Vf { vertex: 0, face: 1 });
}

#[test]
fn a_vertex_that_fixtures_share_has_its_number_in_each() {
    // Two sheets that share the corner at the origin; a bar across falls on the edge that rises
    // from it in the second. There the corner is 3, and 4 is another vertex at the same place.
    let first = Polygons::new([[0., 0., 0.], [-4., 0., 0.], [0., -4., 0.]], [[0, 1, 2]]);
    let second = Polygons::new(
        [[4., 2., 0.], [4., -2., 0.], [9., -2., 0.], [-0.0, 0., 0.], [0., 0., 0.]],
        [[0, 1, 3], [1, 4, 2]],
    );
    let world = world(&[first, second]);
    let bar = Body::new(&shapes::cuboid(DVec3::new(0.1, 0.1, 2.0))).expect("a body");
    let mut workspace = Workspace::new();
    let hit = world.translate(&bar, &at(2.0, 5.0, 0.0), DVec3::NEG_Y * 6.0, &mut workspace);
    let touch = hit.expect("finite").touch.expect("the edge");
    assert_eq!(touch.fixture, 1);
    let Features::Ee { b, .. } = touch.features else { panic!("{touch:?}") };
    assert_eq!(b, [0, 3]);
}

#[test]
fn preprocessing_finds_what_is_internal() {
    // A cube's faces cut into triangles have flat diagonals; an L has one reflex edge.
    let cube = shapes::cube();
    let cut = cube.faces.iter().flat_map(|f| [vec![f[0], f[1], f[2]], vec![f[0], f[2], f[3]]]);
    let cut = Polygons { faces: cut.collect(), ..cube };
    let census = World::new(vec![Fixture::new(cut)]).expect("a world").census();
    assert_eq!((census.edges, census.internal_edges, census.internal_vertices), (18, 6, 0));
    let mut room = shapes::cube();
    room.faces.iter_mut().for_each(|face| face.reverse());
    let census = World::new(vec![Fixture::new(room)]).expect("a world").census();
    assert_eq!((census.internal_edges, census.internal_vertices), (12, 8));
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let floor_world = world(&[floor()]);
    let mut workspace = Workspace::new();
    let nan = DVec3::new(f64::NAN, 0.0, 0.0);
    assert!(floor_world.translate(&cube(), &at(0.0, 2.0, 0.0), nan, &mut workspace).is_err());
    assert!(floor_world.point(DVec3::ZERO, nan, &mut workspace).is_err());
    assert!(Turn::new(DVec3::ZERO, DVec3::ZERO, 1.0).is_err());
    assert!(Turn::new(DVec3::ZERO, DVec3::Y, f64::INFINITY).is_err());
    assert!(Turn::new(nan, DVec3::Y, 1.0).is_err());
    let error = |fixtures: Vec<Fixture>| World::new(fixtures).expect_err("bad").to_string();
    assert_eq!(error(vec![]), "the world has no fixture: it needs at least one face");
    let line = Polygons::new([[0., 0., 0.], [1., 0., 0.], [2., 0., 0.]], [[0, 1, 2]]);
    let both = Polygons { faces: vec![vec![0, 1, 3], vec![0, 1, 2]], ..line };
    let both = Polygons { vertices: [both.vertices.clone(), vec![DVec3::Y]].concat(), ..both };
    assert!(
        error(vec![Fixture::new(floor()), Fixture::new(both)])
            .contains("fixture 1: face 1 has no area")
    );
    assert!(error(vec![Fixture::new(shapes::point(DVec3::ZERO))]).contains("fixture 0"));
    let far = shapes::mapped(floor(), |v| v / 0.0);
    assert!(error(vec![Fixture::new(far)]).contains("vertex 0"));
    let tags = Fixture::new(floor()).tagged_by_face(vec![1, 2]);
    assert_eq!(
        World::new(vec![tags]).err(),
        Some(WorldError::Tags { fixture: 0, faces: 1, tags: 2 })
    );
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(world(&[floor()]).with_thickness(bad).is_err());
    }
}

#[test]
fn tiny_and_huge_worlds_are_worlds() {
    let mut workspace = Workspace::new();
    for size in [1e-110, 1e-60, 1e-20, 1e20, 1e40] {
        let mesh = shapes::mapped(shapes::cube(), |v| size * v);
        let world = World::new(vec![Fixture::new(mesh.clone())]).expect("a world");
        let body = Body::new(&mesh).expect("a body");
        let start = at(0.3 * size, 3.0 * size, 0.2 * size);
        let trace = shift(&world, &body, &start, DVec3::new(0.0, -4.0 * size, 0.0));
        assert!((trace.fraction - 0.5).abs() < 1e-9, "{size} {trace:?}");
        let turn = Turn::new(DVec3::ZERO, DVec3::Z, 3.0).expect("finite");
        assert!(world.rotate(&body, &start, &turn, &mut workspace).fraction > 0.0);
    }
}

#[test]
fn a_split_face_may_leave_a_sliver() {
    // One of the two triangles has no area next to the other.
    let corners = [[0.5, 0., 0.], [0., 1e30, 0.], [1e30, 0., 0.], [0., 0., 0.]];
    let world = World::new(vec![Fixture::new(Polygons::new(corners, [[0, 1, 2, 3]]))]);
    let world = world.expect("a world");
    let by = DVec3::new(0.0, 0.0, -1e30);
    let trace = shift(&world, &Body::point(), &at(1e29, 1e29, 5e29), by);
    assert!((trace.fraction - 0.5).abs() < 1e-9, "{trace:?}");
}
