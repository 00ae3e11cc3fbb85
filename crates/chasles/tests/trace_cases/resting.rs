//! What is in the zone stays out of the world and gets away.

use chasles::glam::{DQuat, DVec3};
use chasles::trace::{Body, Contents, Fixture, Turn, Workspace, World};
use chasles::{Polygons, Pose};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;

use crate::{at, block, cube, floor, half, shift, thin, world};

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

/// A slab with its top through the origin.
fn tilted_floor(tilt: DQuat) -> World {
    thin(shapes::mapped(block([-10., -1., -10.], [10., 0., 10.]), |v| tilt * v))
}

#[test]
fn what_is_moved_or_turned_along_a_floor_that_it_touches_exactly_is_free_afterwards() {
    let mut workspace = Workspace::new();
    let random = &mut Random::new(8);
    let [mut moved, mut refused] = [0; 2];
    let spindle = Body::new(&shapes::octahedron()).expect("a body");
    for i in 0..4_000 {
        let tilt = random.rotation();
        let (world, normal) = (tilted_floor(tilt), tilt * DVec3::Y);
        let body = if i % 4 == 3 { &spindle } else { &cube() };
        let height = if i % 4 == 3 { 1.0 } else { half() };
        let start = Pose::new(tilt * DVec3::new(0.25, height, -0.5), tilt).expect("finite");
        let mut level = || tilt * DVec3::new(random.between(-1., 1.), 0., random.between(-1., 1.));
        let [by, origin] = [level(), level()];
        let turn = Turn::new(origin, normal, 2.0).expect("finite");
        let traces =
            [shift(&world, body, &start, by), world.rotate(body, &start, &turn, &mut workspace)];
        for trace in traces.iter().filter(|trace| !trace.started_solid) {
            *(if trace.fraction > 0.0 { &mut moved } else { &mut refused }) += 1;
            let contents = world.contents(body, &trace.end, &mut workspace);
            assert_eq!(contents, Contents::Free, "{i}: {trace:?}");
        }
    }
    assert!(moved > 200 && refused > 200, "{moved} {refused}");
}

#[test]
fn a_resting_body_turns_about_an_axis_however_far_away() {
    let random = &mut Random::new(3);
    for _ in 0..100 {
        let tilt = random.rotation();
        let (world, mut workspace) = (tilted_floor(tilt), Workspace::new());
        let above = Pose::new(tilt * DVec3::new(-6.0, 2.0, -6.0), tilt).expect("finite");
        let rest = shift(&world, &cube(), &above, tilt * (-3.0 * DVec3::Y)).end;
        for far in [0.0, 6.0, 9.0, 30.0, 100.0] {
            for angle in [0.01, -0.01] {
                let origin = tilt * DVec3::new(far, 0.0, far);
                let turn = Turn::new(origin, tilt * DVec3::Y, angle).expect("finite");
                let trace = world.rotate(&cube(), &rest, &turn, &mut workspace);
                assert_eq!(trace.fraction, 1.0, "{far}: {trace:?}");
            }
        }
    }
}

#[test]
fn a_resting_body_moves_along_its_floor_however_far_that_is_meant_to_go() {
    let random = &mut Random::new(7);
    for _ in 0..100 {
        let tilt = random.rotation();
        let world = tilted_floor(tilt);
        let above = Pose::new(tilt * DVec3::new(0.0, 2.0, 0.0), tilt).expect("finite");
        let rest = shift(&world, &cube(), &above, tilt * (-3.0 * DVec3::Y)).end;
        for far in [1.0, 1e2, 1e3, 1e4, 1e5, 1e6] {
            let trace = shift(&world, &cube(), &rest, tilt * (far * DVec3::X));
            assert!(trace.fraction * far > 0.5, "{far}: {trace:?}");
        }
    }
}

#[test]
fn slow_pushes_into_a_thick_zone_neither_sink_nor_stick() {
    let random = &mut Random::new(4);
    let mut workspace = Workspace::new();
    for _ in 0..30 {
        let tilt = random.rotation();
        let world = tilted_floor(tilt).with_thickness(0.01).expect("positive");
        let mut pose = Pose::new(tilt * DVec3::new(0.0, half() + 0.02, 0.0), tilt).expect("finite");
        let by = tilt * DVec3::new(1e-3, -1.4e-4, 0.0);
        for _ in 0..300 {
            pose = world.slide(&cube(), &pose, by, &mut workspace).expect("finite").end;
        }
        let end = tilt.conjugate() * pose.position();
        assert!(end.x > 0.29 && end.y - half() > 0.0099, "{end} at tilt {tilt}");
    }
}
