//! What is in the zone stays out of the world and gets away.

use chasles::glam::{DQuat, DVec3};
use chasles::trace::{Body, Contents, Fixture, Turn, Workspace, World};
use chasles::{Polygons, Pose};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;

use crate::{at, cube, floor, half, shift, world};

#[test]
fn what_leaves_a_face_beyond_its_edge_is_let_go() {
    // In the cell of a cube's top, but beyond its edge: the plane comes closer, the cube does not.
    let thick = World::new(vec![Fixture::new(shapes::cube())]).and_then(|w| w.with_thickness(0.01));
    let thick = thick.expect("a world");
    let start = at(half() + 0.004, half() + 0.009, 0.0);
    let leaves = shift(&thick, &Body::point(), &start, DVec3::new(1.0, -0.3, 0.0));
    assert_eq!((leaves.fraction, leaves.touch), (1.0, None));
    let sinks = shift(&thick, &Body::point(), &start, DVec3::new(0.1, -0.3, 0.0));
    assert_eq!(sinks.fraction, 0.0);
    // A bar that crosses over the edge, likewise.
    let bar = Body::new(&shapes::segment(DVec3::new(-0.5, 0.5, 1.0), DVec3::new(0.5, -0.5, -1.0)));
    let bar = bar.expect("a body");
    let start = at(half() + 0.004, half() + 0.004, 0.0);
    let leaves = shift(&thick, &bar, &start, DVec3::new(1.0, 1.0, 0.0));
    assert_eq!((leaves.fraction, leaves.touch), (1.0, None));
}

#[test]
fn a_body_in_the_zone_slides_along_the_floor_for_ever() {
    let world = world(&[shapes::mapped(floor(), |v| 1e3 * v)]);
    let mut pose = shift(&world, &cube(), &at(0.3, 2.0, 0.1), DVec3::new(0.0, -4.0, 0.0)).end;
    let direction = DVec3::new(0.6, -1e-17, 0.37);
    for _ in 0..1_000 {
        let trace = shift(&world, &cube(), &pose, direction);
        assert_eq!(trace.fraction, 1.0);
        pose = trace.end;
    }
}

#[test]
fn what_stands_on_a_slanted_floor_does_not_fall_through_it() {
    let mut random = Random::new(11);
    let (mut workspace, mut stopped) = (Workspace::new(), 0);
    let spindle = shapes::mapped(shapes::octahedron(), |v| 0.3 * v);
    let body = Body::new(&spindle).expect("a body");
    for _ in 0..400 {
        let tilt = random.rotation();
        let floor = shapes::mapped(shapes::cuboid(DVec3::new(4., 1., 4.)), |v| {
            tilt * (v - DVec3::new(0.0, 0.5, 0.0))
        });
        let world = World::new(vec![Fixture::new(floor)]).expect("a world");
        // The lowest tip is put on the floor, up to rounding.
        let place = tilt * DVec3::new(random.between(-1., 1.), 0.0, random.between(-1., 1.));
        let lowest = spindle.vertices.iter().map(|v| v.dot(tilt * DVec3::Y));
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        let start = Pose::from_position(place - tilt * DVec3::Y * lowest).expect("finite");
        if world.contents(&body, &start, &mut workspace) != Contents::Free {
            continue;
        }
        let down = -(tilt * DVec3::Y) + 0.3 * random.vector();
        let trace = shift(&world, &body, &start, down);
        assert!(trace.fraction < 0.5, "{trace:?}");
        assert_eq!(world.contents(&body, &trace.end, &mut workspace), Contents::Free);
        let turn = Turn::new(place - tilt * DVec3::X, tilt * DVec3::Z, -1.0).expect("finite");
        let trace = world.rotate(&body, &start, &turn, &mut workspace);
        assert_eq!(world.contents(&body, &trace.end, &mut workspace), Contents::Free);
        stopped += 1;
    }
    assert!(stopped > 100, "{stopped}");
}

#[test]
fn long_slides_are_as_free_as_short_ones() {
    let tilt = DQuat::from_rotation_z(0.3);
    let floor = shapes::mapped(shapes::cuboid(DVec3::new(20., 1., 20.)), |v| tilt * v);
    let world = World::new(vec![Fixture::new(floor)]).expect("a world");
    let start = Pose::new([0., 3., 0.], tilt).expect("finite");
    let rest = shift(&world, &cube(), &start, DVec3::new(0., -4., 0.)).end;
    for length in [1.0, 1e2, 1e5, 1e9] {
        let slide = shift(&world, &cube(), &rest, length * (tilt * DVec3::X));
        assert!(slide.fraction > 0.0, "{length}");
    }
}

#[test]
fn walls_that_share_corners_have_no_seam() {
    // Two cubes side by side: a box slides over the seam without catching.
    let h = half();
    let right = shapes::mapped(shapes::cube(), |v| v + DVec3::new(2.0 * h, 0.0, 0.0));
    let world = world(&[shapes::cube(), right]);
    let start = at(0.0, 4.0 * h, 0.0);
    let rest = shift(&world, &cube(), &start, DVec3::new(0.0, -4.0 * h, 0.0));
    let slide = shift(&world, &cube(), &rest.end, DVec3::new(2.0 * h, 0.0, 0.0));
    assert_eq!((slide.fraction, slide.touch), (1.0, None), "{slide:?}");
}

#[test]
fn tiles_of_one_height_are_slid_over_without_a_catch() {
    // Tiles with gaps and with borders that do not match, and a body larger and one smaller.
    let tile = |x: f64, z: f64, size: f64| {
        shapes::mapped(shapes::cuboid(DVec3::new(size, 1.0, size)), |v| v + DVec3::new(x, -0.5, z))
    };
    let mut tiles: Vec<Polygons> = (0..40).map(|i| tile(1.1 * f64::from(i), 0.0, 1.0)).collect();
    tiles.extend((0..25).map(|i| tile(1.7 * f64::from(i), 1.25, 1.7 - 1e-9)));
    let world = world(&tiles);
    for size in [0.3, 0.8, 3.0] {
        for turned in [0.0, 0.4] {
            let body = Body::new(&shapes::cuboid(DVec3::splat(size))).expect("a body");
            let start = Pose::new([1.0, 4.0, 0.2], DQuat::from_rotation_y(turned)).expect("finite");
            let rest = shift(&world, &body, &start, DVec3::new(0.0, -5.0, 0.0));
            let mut pose = rest.end;
            for by in [
                DVec3::new(20.0, 0.0, 0.9),
                DVec3::new(10.0, 0.0, -0.8),
                DVec3::new(-29.0, 0.0, 0.1),
            ] {
                let slide = shift(&world, &body, &pose, by);
                assert_eq!((slide.fraction, slide.touch), (1.0, None), "{size} {turned} {by}");
                pose = slide.end;
            }
        }
    }
}
