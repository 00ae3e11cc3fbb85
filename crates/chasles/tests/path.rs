//! Points on paths: nothing touches before the reported time, and what is reported is near.
//!
//! Judges are formulas of distances and dense sampling of poses, which share nothing with the
//! search.

#![allow(clippy::print_stdout, reason = "the soak prints what it counted")]

use chasles_testkit::step_along;
use std::f64::consts::{PI, TAU};

use chasles::glam::{DQuat, DVec3};
use chasles::path::{
    Body, Features, Method, Options, PathError, Sample, Samples, SamplesError, Workspace, contacts,
};
use chasles::solid::{
    Capsule, Cuboid, Cylinder, Difference, Expression, HalfSpace, Interval, MeshSolid, Offset, Sdf,
    SdfOptions, Solid, Sphere, Torus, Transformed, Union,
};
use chasles::{Collider, Contact, Motion, Polyhedron, Pose, Screw, Step};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::shapes;

/// A pass between two hills, a vertex with reflex edges.
fn pass() -> Polyhedron {
    let at = |x: i32, y: i32, z: f64| [f64::from(x), f64::from(y), z];
    let grid = || (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y)));
    let top = |(x, y): (i32, i32)| at(x, y, 0.3 * f64::from(x * x) - f64::from(y * y));
    let mut vertices: Vec<[f64; 3]> = grid().map(top).collect();
    vertices.extend(grid().map(|(x, y)| at(x, y, -3.0)));
    let mut faces = Vec::new();
    for first in [0, 1, 3, 4] {
        let [a, b, c, d] = [first, first + 1, first + 4, first + 3];
        faces.extend([vec![a, b, c], vec![a, c, d], vec![d + 9, c + 9, b + 9, a + 9]]);
    }
    let border = [0, 1, 2, 5, 8, 7, 6, 3, 0];
    faces.extend(border.windows(2).map(|s| vec![s[0] + 9, s[1] + 9, s[1], s[0]]));
    Polyhedron::new(&chasles::Polygons::new(vertices, faces)).expect("a mesh")
}

/// An edge of a box comes down along the pass; a ball does not get to its vertex.
#[test]
fn a_sharp_solid_touches_where_a_smooth_one_cannot() {
    let mesh = pass();
    assert!(mesh.is_closed() && mesh.volume() > 0.0);
    let samples = Samples::new(mesh, f64::INFINITY).expect("vertices");
    let blade = Cuboid::new([0.4, 1.0, 0.4]).expect("a box");
    let turn = DQuat::from_rotation_y(PI / 4.0);
    let [from, to] = [1.0, -1.0].map(|z| {
        let height = z + 0.2 * 2_f64.sqrt();
        Pose::new([0.0, 0.0, height], turn).expect("finite")
    });
    let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to));
    let middle = |solid: &dyn Solid| {
        let mut workspace = Workspace::new();
        let body = Body { solid: None, samples: Some(&samples) };
        let other = Body { solid: Some(solid), samples: None };
        let found = contacts([&body, &other], &step, &Options::default(), &mut workspace);
        let found = found.expect("an answer");
        let at = |c: &&Contact<Features>| c.features == Features::SampleSolid(Sample::Vertex(4));
        found.iter().find(at).copied().expect("the solid comes to the middle of the pass")
    };
    let touched = middle(&blade);
    assert!(touched.touchable && (touched.time - 0.5).abs() < 1e-6, "{touched:?}");
    assert!(!middle(&Sphere::new([0.0; 3], 0.2).expect("a ball")).touchable);
    let moved = Transformed::new(Box::new(blade), Pose::IDENTITY, 1.0).expect("a box");
    assert!(middle(&moved).touchable);
}

/// A solid and its true signed distance.
struct Judged {
    solid: Box<dyn Solid>,
    distance: fn(DVec3) -> f64,
}

fn judged<S: Solid + 'static>(
    solid: Result<S, chasles::solid::SolidError>,
    distance: fn(DVec3) -> f64,
) -> Judged {
    Judged { solid: Box::new(solid.expect("a solid")), distance }
}

fn from_box(p: DVec3, half: DVec3) -> f64 {
    let off = p.abs() - half;
    off.max(DVec3::ZERO).length() + off.max_element().min(0.0)
}

fn from_ring(p: DVec3) -> f64 {
    DVec3::new(DVec3::new(p.x, 0.0, p.z).length() - 1.0, p.y, 0.0).length() - 0.4
}

fn from_can(p: DVec3) -> f64 {
    let off = DVec3::new(DVec3::new(p.x, 0.0, p.z).length() - 0.7, p.y.abs() - 0.8, 0.0);
    off.max(DVec3::ZERO).length() + off.x.max(off.y).min(0.0)
}

fn from_capsule(p: DVec3) -> f64 {
    let along = p.x.clamp(-1.0, 1.0);
    p.distance(DVec3::new(along, 0.0, 0.0)) - 0.3
}

fn cube_mesh() -> Result<MeshSolid, chasles::solid::SolidError> {
    MeshSolid::from_polygons(&shapes::cuboid(DVec3::new(1.0, 1.5, 2.0)))
}

fn solids() -> Vec<Judged> {
    let ball =
        |x: f64, r: f64| Sphere::new([x, 0.0, 0.0], r).map(|s| Box::new(s) as Box<dyn Solid>);
    let two = || vec![ball(-0.8, 0.7).expect("a ball"), ball(0.8, 0.7).expect("a ball")];
    let shell = || Difference::new(ball(0.0, 1.2)?, vec![ball(0.0, 0.8)?]);
    let moved = || {
        let torus = Box::new(Torus::new(1.0, 0.4)?);
        let pose = Pose::new([0.5, 0.0, 0.0], DQuat::from_rotation_x(PI / 2.0)).expect("finite");
        Transformed::new(torus, pose, 1.0)
    };
    let field = || {
        let mesh = cube_mesh()?;
        Sdf::sample(&mesh, &SdfOptions::across(&mesh, 40)?)
    };
    vec![
        judged(Sphere::new([0.0; 3], 1.0), |p| p.length() - 1.0),
        judged(Cuboid::new([1.0, 1.5, 2.0]), |p| from_box(p, DVec3::new(0.5, 0.75, 1.0))),
        judged(Torus::new(1.0, 0.4), from_ring),
        judged(Cylinder::new(0.7, 1.6), from_can),
        judged(Capsule::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.3), from_capsule),
        judged(HalfSpace::new([0.0, 2.0, 0.0], 0.0), |p| p.y),
        judged(Union::new(two()), |p| {
            let ball = |x: f64| p.distance(DVec3::new(x, 0.0, 0.0)) - 0.7;
            ball(0.8).min(ball(-0.8))
        }),
        judged(shell(), |p| (p.length() - 1.2).max(0.8 - p.length())),
        judged(moved(), |p| from_ring(DVec3::new(p.x - 0.5, p.z, -p.y))),
        judged(cube_mesh(), |p| from_box(p, DVec3::new(0.5, 0.75, 1.0))),
        judged(field(), |p| from_box(p, DVec3::new(0.5, 0.75, 1.0))),
        judged(Expression::parse("hypot(hypot(x, z) - 1, y) - 0.4", None), from_ring),
        judged(Expression::parse("x^2 + y^2 + z^2 - 1", None), |p| p.length() - 1.0),
    ]
}

fn pose(random: &mut Random) -> Pose {
    Pose::new(1.5 * random.vector(), random.rotation()).expect("finite")
}

fn motion(random: &mut Random) -> Step {
    let spin = random.one_of(&[0.0, 0.1, 1.0, 3.0, 12.0]);
    let mut pair = || (pose(random), spin * random.vector(), 3.0 * random.vector());
    let [(a, turn_a, move_a), (b, turn_b, move_b)] = [pair(), pair()];
    match random.below(3) {
        0 => {
            let mut pivot = || if random.below(2) == 0 { DVec3::ZERO } else { random.vector() };
            let pivots = [pivot(), pivot()];
            let a = Motion::flight_about(pivots[0], a, move_a, turn_a).expect("finite");
            Step::new(a, Motion::flight_about(pivots[1], b, move_b, turn_b).expect("finite"))
        }
        1 => {
            let twist = |angular, linear| Screw::from_twist(angular, linear).expect("finite");
            let [of_a, of_b] = [(a, twist(turn_a, move_a)), (b, twist(turn_b, move_b))];
            step_along(of_a, of_b)
        }
        _ => Step::new(Motion::between(a, pose(random)), Motion::between(b, pose(random))),
    }
}

/// Where B is as contacts see it.
fn pose_of_b(motion: &Step, t: f64) -> Pose {
    if motion.is_free() { motion.pose_of_b(t) } else { motion.pose_of_b_by_relative(t) }
}

/// Where a point of B is for A.
fn seen(motion: &Step, t: f64, point: DVec3) -> DVec3 {
    motion.pose_of_a(t).inverse().point(pose_of_b(motion, t).point(point))
}

/// The samples of a single point.
fn point(at: DVec3) -> Samples {
    let mesh = Polyhedron::new(&shapes::point(at)).expect("a point");
    Samples::new(mesh, f64::INFINITY).expect("one sample")
}

#[derive(Debug, Default)]
struct Count {
    touching: u32,
    clear: u32,
    grazing: u32,
}

/// What positions of the judge may be wrong by.
const ROUNDING: f64 = 1e-12;

/// Asks for the first contact of a point, and looks at many times before it.
fn judge(cases: u32, looks: u32) -> Count {
    let all = solids();
    let mut count = Count::default();
    let mut workspace = Workspace::new();
    for seed in 0..cases {
        let random = &mut Random::new(u64::from(seed));
        let Judged { solid, distance } = &all[random.below(all.len())];
        let precision = 10f64.powf(random.between(-9.0, -1.0));
        let (motion, at) = (motion(random), random.vector());
        let samples = point(at);
        let [a, b] = [
            Body { solid: Some(solid), samples: None },
            Body { solid: None, samples: Some(&samples) },
        ];
        let options = Options { precision, first_only: true, ..Options::default() };
        let found = contacts([&a, &b], &motion, &options, &mut workspace).expect("an answer");
        let case = format!("seed {seed}: {solid:?} {motion:?} {at} {precision:e} {found:?}");
        let end = found.first().map_or(1.0, |contact| contact.time);
        let gap = |t: f64| distance(seen(&motion, t, at));
        for i in 0..looks {
            // Evenly, and closer and closer to the end.
            let share = f64::from(i) / f64::from(looks);
            for t in [end * share, end * (1.0 - share.powi(8))] {
                assert!(t >= end || gap(t) > -ROUNDING, "touches at {t}, {case}");
            }
        }
        match found {
            [] => count.clear += 1,
            [contact] => {
                let near = precision + 2.0 * solid.error() + ROUNDING;
                assert!(contact.grazing || gap(contact.time) <= near, "too early, {case}");
                assert!(
                    contact.point.distance(pose_of_b(&motion, end).point(at)) < 1e-11,
                    "{case}"
                );
                count.touching += 1;
                count.grazing += u32::from(contact.grazing);
            }
            _ => panic!("more than one, {case}"),
        }
    }
    count
}

#[test]
fn no_point_touches_before_its_time_and_all_are_near_then() {
    let count = judge(3_000, 40);
    println!("{count:?}");
    assert!(count.touching > 800 && count.clear > 500 && count.grazing < 5, "{count:?}");
}

#[test]
#[ignore = "takes minutes: cargo test --release -p chasles --test path -- --ignored"]
fn a_hundred_thousand_points_touch_neither_late_nor_early() {
    println!("{:?}", judge(100_000, 200));
}

/// Bodies as solids with the vertices of their meshes.
struct Meshes {
    solids: [MeshSolid; 2],
    samples: [Samples; 2],
}

impl Meshes {
    fn new(query: &chasles_testkit::query::Query) -> Self {
        let mesh = |polygons| Polyhedron::new(polygons).expect("a mesh");
        let meshes = [mesh(&query.a), mesh(&query.b)];
        Self {
            solids: [&meshes[0], &meshes[1]].map(|mesh| MeshSolid::new(mesh).expect("a solid")),
            samples: meshes.map(|mesh| Samples::new(mesh, f64::INFINITY).expect("vertices")),
        }
    }

    fn bodies(&self) -> [Body<'_>; 2] {
        [0, 1].map(|i| Body { solid: Some(&self.solids[i]), samples: Some(&self.samples[i]) })
    }
}

/// The first time of each vertex of either body.
fn first_times(found: &[Contact<Features>], features: Features) -> Option<f64> {
    found.iter().find(|contact| contact.features == features).map(|contact| contact.time)
}

#[test]
fn vertices_meet_polyhedra_when_the_exact_method_says() {
    let (mut exact, mut path) = (chasles::Workspace::new(), Workspace::new());
    let mut met = 0;
    for seed in 0..400 {
        let query = generate::query(seed);
        let size = query.a.vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        let precision = 1e-6 * size;
        let [a, b] =
            [&query.a, &query.b].map(|p| Collider::new(Polyhedron::new(p).expect("a mesh")));
        let all =
            chasles::contacts(&a, &b, &query.step(), &chasles::Options::default(), &mut exact);
        let meshes = Meshes::new(&query);
        let [a, b] = meshes.bodies();
        let options = Options { precision, ..Options::default() };
        let motion = query.step();
        let found = contacts([&a, &b], &motion, &options, &mut path).expect("an answer");
        for contact in all.iter().filter(|c| !c.grazing) {
            let features = match contact.features {
                chasles::Features::Fv { vertex, .. } => {
                    Features::SolidSample(Sample::Vertex(vertex))
                }
                chasles::Features::Vf { vertex, .. } => {
                    Features::SampleSolid(Sample::Vertex(vertex))
                }
                chasles::Features::Ee { .. } => continue,
            };
            let time = first_times(found, features);
            let is_first = time.is_some_and(|time| time <= contact.time + 1e-9);
            assert!(is_first, "seed {seed}: {contact:?} after {time:?}");
            met += 1;
        }
        for contact in found.iter().filter(|c| !c.grazing && c.time > 0.0) {
            let (solid, sample, is_a) = match contact.features {
                Features::SolidSample(sample) => (&meshes.solids[0], sample, true),
                Features::SampleSolid(sample) => (&meshes.solids[1], sample, false),
            };
            let pose_of_b = pose_of_b(&motion, contact.time);
            let in_b = pose_of_b.inverse().point(contact.point);
            let place = if is_a { contact.point_in_a } else { in_b };
            let off = solid.distance(place);
            assert!(
                off.low <= precision && off.high >= -precision,
                "seed {seed}: {sample:?} {off:?}"
            );
        }
    }
    assert!(met > 1_000, "{met}");
}

#[test]
fn the_first_contact_is_the_first_of_all_and_order_is_kept() {
    let mut workspace = Workspace::new();
    for seed in 0..60 {
        let query = generate::query(seed);
        let meshes = Meshes::new(&query);
        let [a, b] = meshes.bodies();
        let motion = query.step();
        let all = Options { precision: 1e-5, ..Options::default() };
        let found = contacts([&a, &b], &motion, &all, &mut workspace).expect("an answer");
        assert!(found.windows(2).all(|pair| pair[0].time <= pair[1].time));
        let key = |contact: &Contact<Features>| (contact.time, contact.features);
        let expected = found.first().map(key);
        let only = Options { first_only: true, ..all };
        let first = contacts([&a, &b], &motion, &only, &mut workspace).expect("an answer");
        assert_eq!(first.first().map(key), expected, "seed {seed}");
    }
    // All corners of a face that comes down flat touch at once.
    let ground = HalfSpace::new([0.0, 1.0, 0.0], 0.0).expect("a half-space");
    let grid = Polyhedron::new(&shapes::torus(40, 30, 1.0, 0.3)).expect("a torus");
    let samples = Samples::new(grid, f64::INFINITY).expect("vertices");
    let fall = [1.5, -1.0].map(|y| Pose::from_position([0.0, y, 0.0]).expect("finite"));
    let motion = Step::new(Motion::still(Pose::IDENTITY), Motion::between(fall[0], fall[1]));
    let a = Body { solid: Some(&ground), samples: None };
    let b = Body { solid: None, samples: Some(&samples) };
    let mut first = |first_only| {
        let options = Options { first_only, ..Options::default() };
        let found = contacts([&a, &b], &motion, &options, &mut workspace).expect("finite");
        (found[0].time, found[0].features)
    };
    assert_eq!(first(true), first(false));
}

#[test]
fn a_point_that_goes_round_enters_once_in_every_turn() {
    let ground = HalfSpace::new([0.0, 1.0, 0.0], -0.5).expect("a half-space");
    let samples = point(DVec3::X);
    let spin = Screw::from_twist([0.0, 0.0, 3.25 * TAU], DVec3::ZERO).expect("finite");
    let still = (Pose::IDENTITY, Screw::STILL);
    let step = step_along(still, (Pose::IDENTITY, spin));
    let flight =
        Motion::flight(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * 3.25 * TAU).expect("finite");
    let a = Body { solid: Some(&ground), samples: None };
    let b = Body { solid: None, samples: Some(&samples) };
    let flights = Step::new(Motion::still(Pose::IDENTITY), flight);
    for motion in [step, flights] {
        let mut workspace = Workspace::new();
        let found =
            contacts([&a, &b], &motion, &Options::default(), &mut workspace).expect("finite");
        // Below the plane from 7/12 to 11/12 of each turn.
        let expected = [0.0, 1.0, 2.0].map(|turn| (turn + 7.0 / 12.0) / 3.25);
        let times: Vec<f64> = found.iter().map(|contact| contact.time).collect();
        assert_eq!(times.len(), 3, "{times:?}");
        for (time, expected) in times.iter().zip(expected) {
            assert!(*time <= expected && *time > expected - 1e-6, "{times:?}");
        }
        assert!(found.iter().all(|c| c.normal.distance(DVec3::Y) < 1e-12 && c.normal_speed < 0.0));
    }
}

/// What a point on a straight way meets of solids side by side, at the default precision.
fn along_x(solids: Vec<Box<dyn Solid>>, from: DVec3, by: f64) -> Vec<f64> {
    let union = Union::new(solids).expect("a union");
    let samples = point(from);
    let end = Pose::from_position([by, 0.0, 0.0]).expect("finite");
    let motion = Step::new(Motion::still(Pose::IDENTITY), Motion::between(Pose::IDENTITY, end));
    let a = Body { solid: Some(&union), samples: None };
    let b = Body { solid: None, samples: Some(&samples) };
    let mut workspace = Workspace::new();
    let found = contacts([&a, &b], &motion, &Options::default(), &mut workspace);
    found.expect("finite").iter().map(|contact| contact.time).collect()
}

#[test]
fn what_slides_off_a_floor_meets_the_next_thing() {
    let block = |x: f64, y: f64| -> Box<dyn Solid> {
        let cuboid = Box::new(Cuboid::new([1.0; 3]).expect("a cube"));
        let pose = Pose::from_position([x, y, 0.0]).expect("finite");
        Box::new(Transformed::new(cuboid, pose, 1.0).expect("moved"))
    };
    let times = along_x(vec![block(0.5, -0.5), block(2.5, 0.0)], DVec3::new(0.1, 0.0, 0.0), 2.5);
    assert_eq!(times.len(), 2, "{times:?}");
    assert!(times[0] == 0.0 && (times[1] - 1.9 / 2.5).abs() < 1e-6, "{times:?}");
}

#[test]
fn what_has_left_between_two_parts_is_met_again() {
    // Leaves a wall just as a part ends, and meets a ball in the next.
    let samples = point(DVec3::X);
    let spin = Motion::flight(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * PI).expect("finite");
    let motion = Step::new(spin, Motion::still(Pose::IDENTITY));
    let mut workspace = Workspace::new();
    for i in 1..40 {
        let wall = HalfSpace::new([-1.0, 0.0, 0.0], -0.000_25 * f64::from(i)).expect("a wall");
        let ball = Sphere::new([-0.707, -0.707, 0.0], 0.2).expect("a ball");
        let union = Union::new(vec![Box::new(wall), Box::new(ball)]).expect("a union");
        let a = Body { solid: Some(&union), samples: None };
        let b = Body { solid: None, samples: Some(&samples) };
        let options = Options { precision: 1e-2, ..Options::default() };
        let found = contacts([&a, &b], &motion, &options, &mut workspace).expect("finite");
        assert_eq!(found.len(), 2, "{i}: {found:?}");
    }
}

#[test]
fn straight_pieces_find_what_boxes_find() {
    let mut workspace = Workspace::new();
    let all = solids();
    let mut met = 0;
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let Judged { solid, .. } = &all[random.below(8)];
        let (motion, samples) = (motion(random), point(random.vector()));
        let a = Body { solid: Some(solid), samples: None };
        let b = Body { solid: None, samples: Some(&samples) };
        let mut time = |method| {
            let options = Options { precision: 1e-7, first_only: true, method };
            let found = contacts([&a, &b], &motion, &options, &mut workspace).expect("finite");
            found.first().map(|contact| (contact.time, contact.normal_speed))
        };
        let [boxes, segments] = [time(Method::Boxes), time(Method::Segments)];
        // Boxes find all that segments do, and segments all but what is as shallow as the
        // precision.
        if let Some((t, _)) = segments {
            assert!(
                boxes.is_some_and(|(s, _)| s <= t + 1e-6),
                "seed {seed}: {boxes:?} {segments:?}"
            );
        }
        if let Some((s, speed)) = boxes.filter(|(_, speed)| *speed < -0.1) {
            let is_same = segments.is_some_and(|(t, _)| (t - s).abs() < 1e-5 / speed.abs());
            assert!(is_same, "seed {seed}: {boxes:?} {segments:?}");
            met += 1;
        }
    }
    assert!(met > 60, "{met}");
}

#[test]
fn what_an_eroded_formula_cannot_tell_is_marked_by_both_methods() {
    // Truly a ball of radius 3/4, but next to its surface the formula does not tell how far it is.
    let formula = Expression::parse("x^2 + y^2 + z^2 - 1", None).expect("a formula");
    let eroded = Offset::new(Box::new(formula), -0.25).expect("a solid");
    let ball = Sphere::new([0.0; 3], 0.75).expect("a ball");
    let point = Polyhedron::new(&shapes::point(DVec3::ZERO)).expect("a point");
    let samples = Samples::new(point, f64::INFINITY).expect("samples");
    let moving = Body { solid: None, samples: Some(&samples) };
    let ends = [-2.0, 2.0].map(|x| Pose::from_position([x, 0.1, 0.2]).expect("finite"));
    let motion = Step::new(Motion::still(Pose::IDENTITY), Motion::between(ends[0], ends[1]));
    for method in [Method::Boxes, Method::Segments] {
        let options = Options { precision: 1e-6, first_only: true, method };
        let first = |solid: &dyn Solid| {
            let still = Body { solid: Some(solid), samples: None };
            let workspace = &mut Workspace::new();
            contacts([&still, &moving], &motion, &options, workspace).expect("an answer")[0]
        };
        let contact = first(&eroded);
        assert!(contact.point.length() > 0.76 && contact.grazing, "{method:?}: {contact:?}");
        let contact = first(&ball);
        assert!(contact.point.length() < 0.750_002 && !contact.grazing, "{method:?}: {contact:?}");
    }
}

#[test]
fn no_point_of_a_surface_is_farther_from_a_sample_than_the_cover() {
    let random = &mut Random::new(2);
    for (mesh, cover) in [(shapes::car(), 0.15), (shapes::torus(7, 5, 1.0, 0.4), 0.1)] {
        let mesh = Polyhedron::new(&mesh).expect("a mesh");
        let samples = Samples::new(mesh.clone(), cover).expect("samples");
        for _ in 0..3_000 {
            let corners = mesh.face(random.below(mesh.face_count()) as u32);
            // A mean of corners is in the face where it is convex; these are.
            let weights: Vec<f64> = corners.iter().map(|_| random.unit().powi(3)).collect();
            let sum: f64 = weights.iter().sum();
            let place: DVec3 =
                corners.iter().zip(&weights).map(|(&v, w)| mesh.position(v) * (w / sum)).sum();
            let nearest = samples.iter().map(|(_, at)| at.distance(place)).fold(f64::MAX, f64::min);
            assert!(nearest <= cover * (1.0 + 1e-12), "{nearest}");
        }
        let worst = samples
            .iter()
            .map(|(_, at)| MeshSolid::new(&mesh).expect("a solid").distance(at).low.abs());
        assert!(worst.take(50).fold(0.0, f64::max) < 1e-12, "samples lie on the surface");
    }
}

/// Not a number where x is negative.
#[derive(Debug)]
struct Broken;

impl Solid for Broken {
    fn bounds(&self) -> [DVec3; 2] {
        [DVec3::NEG_INFINITY, DVec3::INFINITY]
    }

    fn distance(&self, point: DVec3) -> Interval {
        Interval::point(point.x.sqrt())
    }

    fn normal(&self, _: DVec3) -> DVec3 {
        DVec3::X
    }
}

#[test]
fn bad_questions_are_refused_with_a_reason() {
    let samples = point(DVec3::X);
    let solid = Sphere::new([0.0; 3], 1.0).expect("a sphere");
    let mut workspace = Workspace::new();
    let motion = Step::new(Motion::still(Pose::IDENTITY), Motion::still(Pose::IDENTITY));
    let a = Body { solid: Some(&solid), samples: None };
    let b = Body { solid: None, samples: Some(&samples) };
    for precision in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = Options { precision, ..Options::default() };
        let error = contacts([&a, &b], &motion, &options, &mut workspace).expect_err("bad");
        assert!(matches!(error, PathError::Precision(_)));
    }
    let ask = |pair: [&Body; 2], motion: &Step, workspace: &mut Workspace| {
        contacts(pair, motion, &Options::default(), workspace).map(<[_]>::len)
    };
    assert_eq!(ask([&a, &a], &motion, &mut workspace), Err(PathError::NothingToAsk));
    let broken = Body { solid: Some(&Broken), samples: None };
    let back = Pose::from_position([-3.0, 0.0, 0.0]).expect("finite");
    let motion = Step::new(Motion::still(Pose::IDENTITY), Motion::between(Pose::IDENTITY, back));
    let error = ask([&broken, &b], &motion, &mut workspace).expect_err("not a number");
    assert!(
        matches!(error, PathError::NotANumber { body: 'A', point } if point.x < 0.0),
        "{error}"
    );
    let error = ask([&b, &broken], &motion, &mut workspace).map(|_| ());
    assert_eq!(error, Ok(()), "A's point moves to where B is a number");
    let cube = || Polyhedron::new(&shapes::cube()).expect("a cube");
    for cover in [0.0, -1.0, f64::NAN] {
        assert!(matches!(Samples::new(cube(), cover), Err(SamplesError::Cover(_))));
    }
    assert!(matches!(Samples::new(cube(), 1e-6), Err(SamplesError::TooMany { .. })));
    assert!(Motion::flight(Pose::IDENTITY, DVec3::NAN, DVec3::ZERO).is_err());
    assert!(Motion::flight(Pose::IDENTITY, DVec3::ZERO, DVec3::X * 1e9).is_err());
}

#[test]
fn flights_far_from_the_origin_are_as_precise_as_others() {
    // Places so far away are known to 1e-8, but not how far the bodies are from each other.
    let far = DVec3::new(1e8, -1e8, 1e8);
    let at = |x: f64| Pose::from_position(far + DVec3::X * x).expect("finite");
    let ball = Sphere::new([0.0; 3], 1.0).expect("a ball");
    let solid = Body { solid: Some(&ball), samples: None };
    let samples = point(DVec3::ZERO);
    let body = Body { solid: None, samples: Some(&samples) };
    let options = Options { precision: 1e-11, ..Options::default() };
    let flies = Motion::flight(at(3.0), DVec3::X * -2.7, DVec3::Z * PI).expect("finite");
    let motion = Step::new(Motion::still(at(0.0)), flies);
    let mut workspace = Workspace::new();
    let found = contacts([&solid, &body], &motion, &options, &mut workspace).expect("a number");
    assert!((found[0].time - 2.0 / 2.7).abs() < 1e-11, "{}", found[0].time);
}
