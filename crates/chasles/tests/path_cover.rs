//! How deep bodies may be in each other unnoticed: no deeper than samples cover them, whichever
//! body is a mesh and whichever a solid.
//!
//! Judges are surfaces sampled far more densely, distances at many times, and segments that are
//! shot at a solid; none of it is part of how samples are made, but for the dense samples of
//! solids.

use std::f64::consts::PI;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{self, Shape};
use chasles::path::{
    Body, Method, Options, Samples, SamplesError, Workspace, contacts, missed_depth,
};
use chasles::solid::{
    Block, Capsule, Cuboid, Cylinder, Difference, Expression, HalfSpace, HeightField, Intersection,
    Interval, MeshSolid, Offset, Place, Sdf, SdfOptions, Solid, Sphere, Torus, Transformed, Union,
};
use chasles::{Motion, Polyhedron, Pose, Step};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes::{cuboid, point};

/// A body with its samples as they are by default, and far denser ones to judge by.
struct Sampled {
    solid: Box<dyn Solid>,
    samples: Samples,
    dense: Vec<DVec3>,
}

impl Sampled {
    fn mesh(shape: Shape) -> Self {
        let mesh = shape.build().expect("a mesh");
        let cover = Samples::usual_cover(&mesh);
        let solid = Box::new(MeshSolid::new(&mesh).expect("a solid"));
        let dense = Samples::new(mesh.clone(), 0.3 * cover).expect("samples");
        let samples = Samples::new(mesh, cover).expect("samples");
        Self { solid, samples, dense: some(&dense) }
    }

    fn solid(solid: impl Solid + 'static) -> Self {
        let samples = Samples::usual_of_solid(&solid).expect("samples");
        let dense = Samples::of_solid(&solid, 0.5 * samples.cover()).expect("samples");
        Self { solid: Box::new(solid), samples, dense: some(&dense) }
    }

    fn body(&self) -> Body<'_> {
        Body { solid: Some(&*self.solid), samples: Some(&self.samples) }
    }
}

/// Enough points to judge by, evenly chosen.
fn some(samples: &Samples) -> Vec<DVec3> {
    samples.iter().map(|(_, at)| at).step_by(samples.len() / 4_000 + 1).collect()
}

/// How deep the deepest known point of a surface is in a solid, at a time.
fn deepest(points: &[DVec3], pose: Pose, solid: &Sampled, pose_of_solid: Pose) -> f64 {
    let in_solid = pose_of_solid.inverse();
    let depth = |&p: &DVec3| -solid.solid.distance(in_solid.point(pose.point(p))).high;
    points.iter().map(depth).fold(0.0, f64::max)
}

/// The depths of A's points in B and of B's in A.
fn depths([a, b]: [&Sampled; 2], motion: &Step, time: f64) -> [f64; 2] {
    let [of_a, of_b] = [motion.pose_of_a(time), motion.pose_of_b(time)];
    [deepest(&a.dense, of_a, b, of_b), deepest(&b.dense, of_b, a, of_a)]
}

fn bar() -> Shape {
    Shape::Box(shapes::Cuboid { size: [4.0, 0.2, 0.2] })
}

/// B goes from one place to another, turned all the while; A rests.
fn moved(turn: DQuat, from: DVec3, to: DVec3) -> Step {
    let pose = |at: DVec3| Pose::new(at, turn).expect("finite");
    Step::new(Motion::still(Pose::IDENTITY), Motion::between(pose(from), pose(to)))
}

fn first_time([a, b]: [&Sampled; 2], motion: &Step) -> Option<f64> {
    let options = Options { first_only: true, ..Options::default() };
    let mut workspace = Workspace::new();
    let found = contacts([&a.body(), &b.body()], motion, &options, &mut workspace);
    found.expect("an answer").first().map(|contact| contact.time)
}

/// Two crossed bars have no vertex near each other; their edges meet first.
#[test]
fn crossed_bars_that_pass_through_each_other_are_seen() {
    let fall = moved(DQuat::from_rotation_y(PI / 2.0), DVec3::Y, -DVec3::Y);
    let [x, z] = [DVec3::new(2.0, 0.1, 0.1), DVec3::new(-2.0, -0.1, -0.1)];
    let solid = || Cuboid::new((x - z).to_array()).expect("a bar");
    let bars = [Sampled::mesh(bar()), Sampled::mesh(bar()), Sampled::solid(solid())];
    for pair in [[&bars[0], &bars[1]], [&bars[0], &bars[2]], [&bars[2], &bars[0]]] {
        let [a, b] = pair.map(Sampled::body);
        let missed = missed_depth([&a, &b], &Options::default()).map(|d| d.expect("a bound"));
        assert!(missed.iter().all(|&depth| depth < 0.05), "{missed:?}");
        // The faces meet at 0.4, and close in at a speed of 2.
        let time = first_time(pair, &fall).expect("they meet");
        let late = 0.5 * missed[0].max(missed[1]) + 1e-6;
        assert!(time > 0.4 - 1e-6 && time < 0.4 + late, "{time} with {missed:?}");
    }
}

/// The corners of the box come into the cylinder long after its side has come into the box.
#[test]
fn a_cylinder_over_a_box_is_no_deeper_than_stated_when_it_is_seen() {
    let mut can = shapes::Cylinder::default();
    (can.radius, can.height) = (1.0, 6.0);
    let [can, cube] = [
        Sampled::mesh(Shape::Cylinder(can)),
        Sampled::mesh(Shape::Box(shapes::Cuboid { size: [1.6; 3] })),
    ];
    let fall = moved(DQuat::from_rotation_x(0.5 * PI), DVec3::Y * 2.5, DVec3::Y * 0.5);
    let fall_z = moved(DQuat::from_rotation_z(0.5 * PI), DVec3::Y * 2.5, DVec3::Y * 0.5);
    for motion in [fall, fall_z] {
        let pair = [&cube, &can];
        let time = first_time(pair, &motion).expect("they meet");
        let [a, b] = pair.map(Sampled::body);
        let missed = missed_depth([&a, &b], &Options::default()).map(|d| d.expect("a bound"));
        let deep = depths(pair, &motion, time);
        assert!((0..2).all(|i| deep[i] <= missed[i] + 1e-6), "{deep:?} over {missed:?}");
        assert!(missed[0].max(missed[1]) < 0.15, "{missed:?}");
    }
}

fn ball(x: f64, radius: f64) -> Box<dyn Solid> {
    Box::new(Sphere::new([x, 0.0, 0.0], radius).expect("a ball"))
}

/// Solids of every kind that has an end.
fn solids() -> Vec<(&'static str, Box<dyn Solid>)> {
    let bounds = |r: f64| Some([DVec3::splat(-r), DVec3::splat(r)]);
    let cube = || Box::new(Cuboid::new([1.2, 1.0, 0.8]).expect("a box"));
    let lens = || Intersection::new(vec![ball(-0.5, 1.0), ball(0.5, 1.0)]).expect("a lens");
    let bored = Difference::new(cube(), vec![ball(0.0, 0.45)]).expect("a bored box");
    let turned = Pose::new([0.3, 0.0, 0.1], DQuat::from_rotation_x(0.7)).expect("finite");
    let brick = MeshSolid::from_polygons(&cuboid(DVec3::new(1.0, 1.5, 2.0))).expect("a brick");
    let field = SdfOptions::across(&brick, 40).and_then(|o| Sdf::sample(&brick, &o));
    let hills = vec![0.3, 0.5, 0.2, 0.6, 0.9, 0.4, 0.1, 0.5, 0.7];
    let egg = Expression::parse("x^2 + 2*y^2 + 1.5*z^2 - 1", bounds(1.3)).expect("a formula");
    vec![
        ("sphere", ball(0.0, 1.0)),
        ("box", cube()),
        ("torus", Box::new(Torus::new(1.0, 0.3).expect("a torus"))),
        ("cylinder", Box::new(Cylinder::new(0.5, 1.4).expect("a cylinder"))),
        ("capsule", Box::new(Capsule::new([-1.0; 3], [1.0; 3], 0.2).expect("a capsule"))),
        ("union", Box::new(Union::new(vec![ball(-0.7, 0.8), ball(0.6, 0.7)]).expect("two balls"))),
        ("lens", Box::new(lens())),
        ("bored box", Box::new(bored)),
        ("grown", Box::new(Offset::new(cube(), 0.2).expect("a grown box"))),
        ("turned", Box::new(Transformed::new(cube(), turned, 1.5).expect("a turned box"))),
        ("field", Box::new(field.expect("a field"))),
        ("hills", Box::new(HeightField::new(hills, 3, [0.0; 2], 1.0, -0.5).expect("hills"))),
        ("formula", Box::new(egg)),
    ]
}

/// Segments that are shot at a solid end on its surface: no such place may be farther from the next
/// sample than the cover that is stated.
#[test]
fn no_point_of_a_solid_is_farther_from_a_sample_than_is_stated() {
    let random = &mut Random::new(5);
    for (name, solid) in solids() {
        let samples = Samples::of_solid(&*solid, 0.1).expect(name);
        assert!(samples.cover() < 0.15, "{name}: {}", samples.cover());
        assert!(samples.mesh().is_none() && samples.len() > 100, "{name}");
        let [low, high] = solid.bounds();
        let (middle, size) = (0.5 * (low + high), (high - low).length());
        let mut hits = 0;
        for _ in 0..400 {
            let from = middle + size * random.vector().normalize();
            let to = middle + 0.5 * (high - low) * random.vector();
            let Some(at) = solid.entry(from, to, 1e-9) else { continue };
            let place = from.lerp(to, at);
            let nearest = samples.iter().map(|(_, p)| p.distance(place)).fold(f64::MAX, f64::min);
            let allowed = samples.cover() + 2.0 * solid.error() + 1e-8;
            assert!(nearest <= allowed, "{name}: {nearest} over {allowed} at {place}");
            hits += 1;
        }
        assert!(hits > 20, "{name}: {hits}");
        for (_, place) in samples.iter() {
            assert!(solid.distance(place).high < 1e-6, "{name}: {place} is outside");
        }
    }
}

#[test]
fn solids_meet_solids_both_ways_round() {
    let ball = || Sampled::solid(Sphere::new([0.0; 3], 0.5).expect("a ball"));
    let [a, b] = [ball(), ball()];
    // They touch where their middles are 1 apart, after a quarter of the way.
    let come = moved(DQuat::IDENTITY, DVec3::X * 2.0, DVec3::X * -2.0);
    let went = moved(DQuat::IDENTITY, DVec3::X * -2.0, DVec3::X * 2.0);
    let cover = a.samples.cover();
    for (pair, motion) in [([&a, &b], &come), ([&b, &a], &come), ([&a, &b], &went)] {
        let time = first_time(pair, motion).expect("they meet");
        assert!(time > 0.25 - 1e-6 && time < 0.25 + 0.25 * cover + 1e-6, "{time}");
    }
    // One without samples is still met by the other.
    let pair = [Body { samples: None, ..a.body() }, b.body()];
    let depths = missed_depth([&pair[0], &pair[1]], &Options::default());
    assert_eq!(depths, [None, Some(cover)]);
    let mut workspace = Workspace::new();
    let options = Options::default();
    assert!(
        !contacts([&pair[0], &pair[1]], &come, &options, &mut workspace).expect("ok").is_empty()
    );
    let along = Options { method: Method::Segments, precision: 0.01, ..options };
    assert_eq!(missed_depth([&pair[0], &pair[1]], &along), [None, Some(cover + 0.01)]);
}

/// Up to the first contact, or to the end without one, no surface is deeper in the other body than
/// is stated: bodies and motions at random.
#[test]
fn nothing_deeper_than_stated_is_missed() {
    let mut bodies: Vec<Sampled> = vec![
        Sampled::mesh(bar()),
        Sampled::mesh(Shape::Box(shapes::Cuboid::default())),
        Sampled::mesh(Shape::Cylinder(shapes::Cylinder::default())),
        Sampled::mesh(Shape::Torus(shapes::Torus::default())),
    ];
    bodies.extend([
        Sampled::solid(Cuboid::new([3.0, 0.3, 0.3]).expect("a bar")),
        Sampled::solid(Torus::new(0.8, 0.2).expect("a ring")),
        Sampled::solid(Sphere::new([0.0; 3], 0.4).expect("a ball")),
    ]);
    let [mut met, mut shallow, mut deep] = [0; 3];
    for seed in 0..60 {
        let random = &mut Random::new(seed);
        let pair = [0, 1].map(|_| &bodies[random.below(bodies.len())]);
        let mut pose = |far: f64| {
            let at = far * random.vector().normalize_or(DVec3::X) + 0.5 * random.vector();
            Pose::new(at, random.rotation()).expect("finite")
        };
        let [start, end] = [pose(3.0), pose(1.0)];
        let motion = Step::new(Motion::still(Pose::IDENTITY), Motion::between(start, end));
        let [a, b] = pair.map(Sampled::body);
        let missed = missed_depth([&a, &b], &Options::default()).map(|d| d.expect("a bound"));
        let first = first_time(pair, &motion);
        met += u32::from(first.is_some());
        let until = first.unwrap_or(1.0);
        for look in 0..=5 {
            let found = depths(pair, &motion, until * f64::from(look) / 5.0);
            for (depth, missed) in found.into_iter().zip(missed) {
                assert!(depth <= missed + 1e-6, "seed {seed}: {depth} over {missed}");
                shallow += u32::from(depth > 0.0);
            }
        }
        // Not all overlaps are that shallow in the end.
        deep += u32::from(depths(pair, &motion, 1.0)[0] > missed[0]);
    }
    assert!(met > 20 && shallow > 5 && deep > 5, "{met} met, {shallow} shallow, {deep} deep");
}

/// A ball whose distance is known on one side only.
#[derive(Debug)]
struct HalfKnown(Sphere);

impl Solid for HalfKnown {
    fn bounds(&self) -> [DVec3; 2] {
        self.0.bounds()
    }

    fn distance(&self, point: DVec3) -> Interval {
        let unknown = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        if point.x > 0.0 { self.0.distance(point) } else { unknown }
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.0.normal(point)
    }

    fn place(&self, block: &Block) -> Place {
        self.0.place(block)
    }
}

/// Pieces whose surface is not found count as those next to them, and single pieces as a whole.
#[test]
fn covers_hold_where_samples_are_few_or_not_found() {
    let ball = Sphere::new([0.0; 3], 1.0).expect("a ball");
    let half = HalfKnown(ball);
    assert!(matches!(Samples::of_solid(&half, 0.1), Err(SamplesError::Lost { .. })));
    let random = &mut Random::new(8);
    let solids: [(&dyn Solid, f64); 4] = [(&half, 1.0), (&half, 1.5), (&ball, 3.0), (&ball, 10.0)];
    for (solid, cover) in solids {
        let samples = Samples::of_solid(solid, cover).expect("samples");
        for _ in 0..300 {
            let place = random.direction();
            let nearest = samples.iter().map(|(_, p)| p.distance(place)).fold(f64::MAX, f64::min);
            assert!(nearest <= samples.cover(), "{nearest} over {}, {cover}", samples.cover());
        }
    }
}

#[test]
fn solids_that_cannot_be_sampled_say_why() {
    let ground = HalfSpace::new([0.0, 1.0, 0.0], 0.0).expect("a half-space");
    assert!(matches!(Samples::of_solid(&ground, 0.1), Err(SamplesError::Unbounded)));
    assert!(matches!(Samples::usual_of_solid(&ground), Err(SamplesError::Unbounded)));
    let ball = Sphere::new([0.0; 3], 1.0).expect("a ball");
    assert!(matches!(Samples::of_solid(&ball, 1e-5), Err(SamplesError::Rough { .. })));
    for cover in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Samples::of_solid(&ball, cover), Err(SamplesError::Cover(_))));
    }
    let wire = Polyhedron::new(&point(DVec3::ONE)).expect("a point");
    assert_eq!(Samples::usual_cover(&wire), f64::INFINITY);
}

/// The figures that the notes give.
#[test]
fn the_usual_cover_takes_a_few_thousand_samples() {
    let count = |shape: Shape| {
        let mesh = shape.build().expect("a shape");
        let cover = Samples::usual_cover(&mesh);
        Samples::new(mesh, cover).expect("samples").len()
    };
    let cube = count(Shape::Box(shapes::Cuboid::default()));
    assert!((2_000..2_300).contains(&cube), "{cube}");
    let torus = count(Shape::Torus(shapes::Torus::default()));
    assert!((6_000..6_500).contains(&torus), "{torus}");
    let solids: [Box<dyn Solid>; 4] = [
        Box::new(Sphere::new([0.0; 3], 1.0).expect("a sphere")),
        Box::new(Cuboid::new([1.0; 3]).expect("a box")),
        Box::new(Torus::new(1.0, 0.4).expect("a torus")),
        Box::new(Cylinder::new(0.7, 1.6).expect("a cylinder")),
    ];
    for solid in solids {
        let count = Samples::usual_of_solid(&*solid).expect("samples").len();
        assert!((3_000..6_500).contains(&count), "{count} of {solid:?}");
    }
}
