//! Traces with known answers, and the degenerate cases of the paper by name, with those it gets
//! wrong.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use chasles::glam::{DQuat, DVec3};
use chasles::trace::{
    Body, Broad, Contents, Fixture, Trace, Travel, Turn, Workspace, World, WorldError,
};
use chasles::{Features, Polygons, Pose};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;
use chasles_testkit::trace::{Motion, Soup, lowest_distance};

const THICKNESS: f64 = 1e-6;

fn world(meshes: &[Polygons]) -> World {
    let fixtures = meshes.iter().cloned().map(Fixture::new).collect();
    World::new(fixtures).and_then(|w| w.with_thickness(THICKNESS)).expect("a world")
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position([x, y, z]).expect("finite")
}

/// A square of side 4 about the origin, looking up.
fn floor() -> Polygons {
    let corners = [[-2., 0., -2.], [-2., 0., 2.], [2., 0., 2.], [2., 0., -2.]];
    Polygons::new(corners, [[0, 1, 2, 3]])
}

fn cube() -> Body {
    Body::new(&shapes::cube()).expect("a body")
}

fn shift(world: &World, body: &Body, start: &Pose, by: DVec3) -> Trace {
    world.translate(body, start, by, &mut Workspace::new()).expect("finite")
}

fn turn(
    world: &World,
    body: &Body,
    start: &Pose,
    (origin, axis, angle): (DVec3, DVec3, f64),
) -> Trace {
    let turn = Turn::new(origin, axis, angle).expect("finite");
    world.rotate(body, start, &turn, &mut Workspace::new())
}

/// The height of a cube's bottom.
fn half() -> f64 {
    shapes::cube().vertices.iter().map(|v| v.y).fold(0.0, f64::max)
}

#[test]
fn a_falling_cube_stops_a_thickness_above_the_floor() {
    let trace = shift(&world(&[floor()]), &cube(), &at(0.3, 2.0, 0.1), DVec3::new(0.0, -4.0, 0.0));
    let bottom = trace.end.position().y - half();
    assert!((bottom - THICKNESS).abs() < 1e-12, "{bottom}");
    let touch = trace.touch.expect("it stops");
    assert_eq!((touch.normal, touch.features.kind()), (DVec3::Y, "vf"));
    assert!((touch.distance - THICKNESS).abs() < 1e-12);
}

#[test]
fn each_kind_of_pair_is_found() {
    let small = Body::new(&shapes::mapped(shapes::cube(), |v| 0.2 * v)).expect("a body");
    let down = DVec3::new(0.0, -4.0, 0.0);
    let spike = world(&[shapes::tetrahedron([
        DVec3::new(-1.0, 0.0, -1.0),
        DVec3::new(0.0, 0.0, 1.0),
        DVec3::new(1.0, 0.0, -1.0),
        DVec3::new(0.0, 1.0, 0.0),
    ])]);
    let onto_tip = shift(&spike, &cube(), &at(0.0, 4.0, 0.0), down);
    assert_eq!(onto_tip.touch.map(|t| t.features.kind()), Some("fv"));
    let onto_floor = shift(&world(&[floor()]), &small, &at(0.0, 2.0, 0.0), down);
    assert_eq!(onto_floor.touch.map(|t| t.features.kind()), Some("vf"));
    // Two roofs, one upside down across the other.
    let roof = shapes::prism(&shapes::regular(3, FRAC_PI_2), 2.0);
    let [below, above] = [0.0, FRAC_PI_2].map(|about_y| {
        let tip = if about_y == 0.0 {
            DQuat::from_rotation_x(-FRAC_PI_2)
        } else {
            DQuat::from_rotation_x(FRAC_PI_2)
        };
        shapes::mapped(roof.clone(), |v| DQuat::from_rotation_y(about_y) * (tip * v))
    });
    let roofs = world(&[below]);
    let falling =
        shift(&roofs, &Body::new(&above).expect("a body"), &at(0.0, 5.0, 0.0), 2.0 * down);
    assert_eq!(falling.touch.map(|t| t.features.kind()), Some("ee"), "{falling:?}");
}

#[test]
fn a_beam_turns_until_it_meets_a_wall() {
    let beam = Body::new(&shapes::cuboid(DVec3::new(4.0, 0.2, 0.2))).expect("a body");
    let wall = shapes::mapped(shapes::cuboid(DVec3::new(0.2, 2.0, 2.0)), |v| {
        v + DVec3::new(0.0, 0.0, -2.0)
    });
    let world = world(&[wall]);
    // The tip comes round the y axis; its corner at (2, 0.1) meets the wall's side x = 0.1 or its
    // end z = -1.
    let trace = turn(&world, &beam, &Pose::IDENTITY, (DVec3::ZERO, DVec3::Y, PI));
    let angle = trace.fraction * PI;
    // The beam's side, 0.1 from its middle, reaches the wall's corner (0.1, -1).
    let expected = (1.0_f64).atan2(0.1) - (0.1 / (1.01_f64).sqrt()).asin();
    assert!((angle - expected).abs() < 1e-5, "{angle} {expected}");
    assert!(trace.touch.is_some());
    let back = turn(&world, &beam, &trace.end, (DVec3::ZERO, DVec3::Y, -angle));
    assert!(back.fraction == 1.0, "{back:?}");
}

#[test]
fn turning_the_other_way_is_turning_about_the_opposite_axis() {
    let world = world(&[floor()]);
    let start = Pose::new([0.0, 0.9, 0.0], DQuat::from_rotation_z(0.3)).expect("finite");
    let origin = DVec3::new(0.5, 0.3, 0.0);
    let one = turn(&world, &cube(), &start, (origin, DVec3::Z, -3.0));
    let other = turn(&world, &cube(), &start, (origin, -DVec3::Z, 3.0));
    assert_eq!(one, other);
    assert!(one.touch.is_some());
}

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
    // A case that the paper's list omits: a line that turns about an axis sweeps a hyperboloid; a line of the other family
    // meets it at every angle, so that the volume vanishes all the time.
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
    // With sidedness tested at the crossing of the expanded planes, both faces of a ridge miss some.
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
        if soup.distance(&start, &soup, 0.1) < 0.05 || dot.distance(&start, &soup, 0.1) < 0.05 {
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
fn a_shrunk_body_touches_to_the_eye() {
    let world = world(&[floor()]);
    let body = cube().shrunk(THICKNESS).expect("a body");
    let rest = shift(&world, &body, &at(0.0, 2.0, 0.0), DVec3::new(0.0, -4.0, 0.0));
    assert!((rest.end.position().y - half()).abs() < 1e-12);
}

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

#[test]
fn a_travel_ends_where_its_first_portion_is_stopped() {
    let world = world(&[floor()]);
    let mut workspace = Workspace::new();
    let start = at(0.0, 2.0, 0.0);
    let turn = Turn::new(start.position(), DVec3::Z, 1.0).expect("finite");
    let travel =
        |by: DVec3, parts: u32| Travel { by, turn, parts: parts.try_into().expect("positive") };
    for parts in [1, 7] {
        let free = world.advance(&cube(), &start, &travel(DVec3::X, parts), &mut workspace);
        let free = free.expect("finite");
        assert_eq!((free.fraction, free.touch), (1.0, None));
        let turned = Pose::new([1.0, 2.0, 0.0], DQuat::from_rotation_z(1.0)).expect("finite");
        assert!(free.end.position().distance(turned.position()) < 1e-12);
        assert!(free.end.rotation().angle_between(turned.rotation()) < 1e-7);
        let down = DVec3::new(0.0, -4.0, 0.0);
        let stopped = world.advance(&cube(), &start, &travel(down, parts), &mut workspace);
        let stopped = stopped.expect("finite");
        assert!(stopped.touch.is_some() && stopped.fraction < 0.6, "{stopped:?}");
    }
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
fn no_motion_at_all_is_a_whole_motion() {
    let world = world(&[floor()]);
    let start = at(0.0, half() + THICKNESS / 2.0, 0.0);
    let still = shift(&world, &cube(), &start, DVec3::ZERO);
    assert_eq!((still.fraction, still.end, still.touch), (1.0, start, None));
    let still = turn(&world, &cube(), &start, (DVec3::ZERO, DVec3::X, 0.0));
    assert_eq!((still.fraction, still.touch), (1.0, None));
}

#[test]
fn several_turns_are_one_turn_where_nothing_is_met() {
    let world = world(&[floor()]);
    let start = at(0.0, 5.0, 0.0);
    let trace = turn(&world, &cube(), &start, (DVec3::new(0.0, 5.0, 1.0), DVec3::X, 1e6));
    assert_eq!(trace.fraction, 1.0);
    let expected = DQuat::from_rotation_x(1e6);
    assert!(trace.end.rotation().dot(expected).abs() > 1.0 - 1e-12);
}
