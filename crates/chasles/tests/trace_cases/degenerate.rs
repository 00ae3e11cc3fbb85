//! The degenerate cases of the paper by name, with those it gets wrong.

use std::f64::consts::{PI, TAU};

use chasles::glam::{DQuat, DVec3};
use chasles::trace::{Body, Fixture, Turn, Workspace, World};
use chasles::{Polygons, Pose};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;
use chasles_testkit::trace::{Motion, Soup, lowest_distance};

use crate::{THICKNESS, at, cube, floor, half, shift, turn, world};

#[test]
fn a_vertex_behind_a_plane_may_leave_it() {
    // The smallest root is where a vertex that starts behind the plane leaves.
    let wall =
        Polygons::new([[0., -1., -1.], [0., 1., -1.], [0., 1., 1.], [0., -1., 1.]], [[0, 1, 2, 3]]);
    let closed = shapes::mapped(shapes::cube(), |v| 2.0 * v);
    let world = world(&[shapes::mapped(closed, |v| v + DVec3::new(-5.0, 0.0, 0.0)), wall]);
    let point = Body::point();
    // The sheet stops from both sides.
    for (x, angle) in [(1.0, PI), (-1.0, PI)] {
        let trace = turn(&world, &point, &at(x, 0.0, 0.0), (DVec3::ZERO, DVec3::Y, angle));
        assert!((trace.fraction - 0.5).abs() < 1e-5, "{trace:?}");
    }
    // From above the solid, behind the plane of its front, through that plane twice.
    let round = (DVec3::new(-4.0, 0.0, 0.0), DVec3::Z, -PI);
    assert_eq!(turn(&world, &point, &at(-5.0, 2.0, 0.0), round).fraction, 1.0);
}

#[test]
fn a_root_at_half_a_turn_is_no_special_case() {
    // a = 0 in the quadratic of the whole angle [Waveren05 §2.4]: the plane is met at 180 degrees.
    let wall = shapes::mapped(shapes::cuboid(DVec3::new(0.2, 2.0, 2.0)), |v| {
        v + DVec3::new(-1.1, 0.0, 0.0)
    });
    let trace = turn(
        &world(&[wall]),
        &Body::point(),
        &at(1.0, 0.0, 0.0),
        (DVec3::ZERO, DVec3::Y, 1.5 * PI),
    );
    let angle = trace.fraction * 1.5 * PI;
    assert!(angle < PI && angle > PI - 0.002, "{angle}");
}

#[test]
fn an_axis_through_a_vertex_or_across_a_plane_moves_nothing_towards_it() {
    let world = world(&[floor()]);
    let spin = (DVec3::ZERO, DVec3::Y, 3.0 * TAU);
    let trace = turn(&world, &cube(), &at(0.0, half() + THICKNESS, 0.0), spin);
    assert_eq!((trace.fraction, trace.touch), (1.0, None), "spinning on the floor");
    let corner = DVec3::splat(-half());
    let start = at(0.0, 2.0, 0.0);
    let trace = turn(&world, &cube(), &start, (start.position() + corner, DVec3::Y, 1.0));
    assert_eq!(trace.fraction, 1.0, "the vertex on the axis rests");
}

#[test]
fn opposite_rulings_of_a_hyperboloid_slide_along_each_other() {
    // A case that the paper's list omits: a line that turns about an axis sweeps a hyperboloid; a
    // line of the other family meets it at every angle, so that the volume vanishes all the time.
    let [p, q] = [DVec3::new(1.0, -1.0, -1.0), DVec3::new(1.0, 1.0, 1.0)];
    let mirrored = [p, q].map(|v| DVec3::new(v.x, v.y, -v.z));
    let edge = Body::new(&shapes::segment(p, q)).expect("a body");
    // A blade whose edge is the other ruling, outside of the hyperboloid.
    let out = DVec3::new(2.0, 0.0, 0.0);
    let blade = Polygons::new(
        [mirrored[0], mirrored[1], mirrored[1] + out, mirrored[0] + out],
        [[0, 1, 2, 3]],
    );
    let world = world(&[blade]);
    let away = Pose::new(DVec3::ZERO, DQuat::from_rotation_y(PI)).expect("finite");
    for angle in [-2.9, -1.0, 1.0, 2.9] {
        let trace = turn(&world, &edge, &away, (DVec3::ZERO, DVec3::Y, angle));
        let lowest = lowest_distance(
            (&Soup::new(&shapes::segment(p, q)), &away),
            &Soup::new(&Polygons::new(
                [mirrored[0], mirrored[1], mirrored[1] + out, mirrored[0] + out],
                [[0, 1, 2, 3]],
            )),
            &Motion::Turn(DVec3::ZERO, DVec3::Y, angle),
            trace.fraction,
            trace.thickness,
        );
        assert!(lowest > 0.9 * THICKNESS, "{angle} {lowest} {trace:?}");
        assert!(trace.fraction > 0.3, "{angle} {trace:?}");
    }
}

#[test]
fn no_vertex_slips_past_a_ridge() {
    // With sidedness tested at the crossing of the expanded planes, both faces of a ridge miss
    // some.
    let mut random = Random::new(10);
    let mut stopped = 0;
    let point = Body::point();
    let mut workspace = Workspace::new();
    let prism = shapes::prism(&shapes::regular(5, 0.1), 3.0);
    let thick = World::new(vec![Fixture::new(prism.clone())]).and_then(|w| w.with_thickness(0.01));
    let thick = thick.expect("a world");
    let soup = Soup::new(&prism);
    let dot = Soup::new(&shapes::point(DVec3::ZERO));
    for _ in 0..3_000 {
        // Aim at a point of a ridge, up to two thicknesses beside it.
        let ridge =
            { prism.vertices[random.below(5)] } * DVec3::new(1.0, random.between(-0.9, 0.9), 1.0);
        let target = ridge + 0.02 * random.vector();
        let origin = target + random.between(0.5, 2.0) * random.direction();
        let axis = (target - origin).cross(random.direction()).normalize();
        let back = DQuat::from_axis_angle(axis, -random.between(0.5, 2.5));
        let start = Pose::from_position(origin + back * (target - origin)).expect("finite");
        if dot.distance(&start, &soup, 0.1) < 0.05 {
            continue;
        }
        let angle = 2.6;
        let whole = Turn::new(origin, axis, angle).expect("finite");
        let trace = thick.rotate(&point, &start, &whole, &mut workspace);
        let motion = Motion::Turn(origin, axis, angle);
        let lowest = lowest_distance((&dot, &start), &soup, &motion, trace.fraction, 0.01);
        assert!(trace.started_solid || lowest > 0.0093, "{lowest} {trace:?}");
        stopped += u32::from(trace.touch.is_some());
    }
    assert!(stopped > 600, "{stopped}");
}

#[test]
fn parallel_edges_and_motion_in_the_plane_of_two_edges_are_met() {
    // The denominator vanishes whenever the motion lies in the span of both edges.
    let world = world(&[shapes::cube()]);
    let h = half();
    // Edge on edge, exactly parallel and exactly above each other, and both turned by 45 degrees.
    let diagonal = DQuat::from_rotation_x(PI / 4.0);
    for rotation in [DQuat::IDENTITY, diagonal] {
        let start = Pose::new([0.0, 5.0 * h, 2.0 * h], rotation).expect("finite");
        let trace = shift(&world, &cube(), &start, DVec3::new(0.0, -8.0 * h, 0.0));
        let soup = Soup::new(&shapes::cube());
        let distance = soup.distance(&trace.end, &soup, 1.0);
        assert!(distance > 0.9 * THICKNESS, "{distance} {trace:?}");
    }
    // A bar that moves in the plane that it spans with the cube's top edge, towards that edge.
    let bar = Body::new(&shapes::segment(DVec3::new(-3.0, 1.0, 0.0), DVec3::new(3.0, -1.0, 0.0)));
    let bar = bar.expect("a body");
    let trace = shift(&world, &bar, &at(0.0, 3.0, h), DVec3::new(0.0, -4.0, 0.0));
    assert!(trace.touch.is_some() && trace.fraction < 1.0, "{trace:?}");
}

#[test]
fn sharp_and_dangling_edges_stop_edges_that_pass_along_the_face() {
    let blade = shapes::prism(
        &[DVec3::ZERO, DVec3::X]
            .map(|v| v.truncate())
            .into_iter()
            .chain([DVec3::new(1.0, 0.02, 0.0).truncate()])
            .collect::<Vec<_>>(),
        2.0,
    );
    for (mesh, tilt) in [(blade, 0.01), (floor(), 1e-3), (floor(), 0.0)] {
        let world = world(std::slice::from_ref(&mesh));
        let bar =
            shapes::segment(DVec3::new(-9.0, -9.0 * tilt, 0.3), DVec3::new(9.0, 9.0 * tilt, 0.4));
        let body = Body::new(&bar).expect("a body");
        for from in
            [DVec3::new(0.0, 3.0, 0.0), DVec3::new(0.0, -3.0, 0.0), DVec3::new(0.0, 3.0, 0.5)]
        {
            let start = Pose::from_position(from).expect("finite");
            let trace = shift(&world, &body, &start, -2.0 * from);
            let distance = Soup::new(&bar).distance(&trace.end, &Soup::new(&mesh), 1.0);
            assert!(
                trace.touch.is_some() && distance > 0.9 * THICKNESS,
                "{tilt} {distance} {trace:?}"
            );
        }
    }
}

#[test]
fn in_the_zone_a_point_stops_at_once_at_the_top_or_at_its_return() {
    // Figures 2 to 4 of the paper: the arc sinks at once, rises less than the zone, or leaves it.
    let thick = World::new(vec![Fixture::new(floor())]).and_then(|w| w.with_thickness(0.1));
    let thick = thick.expect("a world");
    let point = Body::point();
    let start = at(0.0, 0.05, 0.0);
    let run = |origin: DVec3, angle: f64| turn(&thick, &point, &start, (origin, DVec3::Z, angle));
    let sinks = run(DVec3::new(0.5, 0.05, 0.0), 2.0);
    assert_eq!((sinks.fraction, sinks.end), (0.0, start));
    // On a circle of radius 1 about a centre below and to the left, 0.2 radians before the top.
    let centre = DVec3::new(0.0, 0.05, 0.0) - DVec3::new((0.2_f64).sin(), (0.2_f64).cos(), 0.0);
    let to_top = run(centre, 1.0);
    assert!((to_top.fraction - 0.2).abs() < 0.02, "{}", to_top.fraction);
    // A circle through the floor: up, out of the zone, and down to it again.
    let returns = run(DVec3::new(-0.5, 0.0, 0.0), PI);
    let height = returns.end.position().y;
    assert!((height - 0.1).abs() < 1e-9 && returns.fraction > 0.8, "{returns:?}");
}

#[test]
fn the_flattest_roof_has_a_ridge() {
    for slope in [1e-13, 1e-11, 1e-10, 9e-10, 2e-9, 1e-6] {
        let corners = [
            [-4., -4. * slope, -4.],
            [0., 0., -4.],
            [4., -4. * slope, -4.],
            [-4., -4. * slope, 4.],
            [0., 0., 4.],
            [4., -4. * slope, 4.],
        ];
        let roof = Polygons::new(corners, [[0, 3, 4, 1], [1, 4, 5, 2]]);
        let world = World::new(vec![Fixture::new(roof.clone())]).expect("a world");
        let bar = shapes::segment(DVec3::new(-3., 0., 0.1), DVec3::new(3., 0., 0.2));
        let body = Body::new(&bar).expect("a body");
        let trace = shift(&world, &body, &at(0., 1., 0.), DVec3::new(0., -2., 0.));
        let height = trace.end.position().y;
        assert!(height > 0.5 * trace.thickness, "{slope}: {}", height / trace.thickness);
    }
}
