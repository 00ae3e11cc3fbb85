//! After the first query with a workspace, later ones allocate nothing, apart from what bodies keep
//! of features that no query has looked at before.
//!
//! This file is a test binary of its own: it counts through a global allocator.

use chasles::deform::{self, BroadPhase, Moving, Surface};
use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cone, Shape};
use chasles::path::{self, Samples};
use chasles::query::{self, Geometry, Route, Set, Waypoints};
use chasles::solid::{self, MeshSolid};
use chasles::trace::{self, Body, Broad, Fixture, Travel, Turn, World};
use chasles::{Collider, Motion, Options, Polygons, Polyhedron, Pose, Step, Workspace, contacts};
use chasles::{distance, near};
use chasles_testkit::generate::Random;
use chasles_testkit::labelled::speed_cases;
use chasles_testkit::{Query, generate, shapes};

/// Two bodies ready for queries and their motion.
struct Scene {
    name: String,
    colliders: [Collider; 2],
    step: Step,
}

impl Scene {
    fn new(name: &str, query: &Query) -> Self {
        Self { name: name.into(), colliders: query.colliders(), step: query.step() }
    }
}

#[test]
fn cubes_and_tori_allocate_only_once() {
    for (name, polygons) in [("cube", shapes::cube()), ("torus", torus())] {
        for distance in [0.3, 0.6, 0.9, 1.5, 2.5] {
            assert_steady(&passing(&format!("{name} at {distance}"), &polygons, distance));
        }
    }
}

#[test]
fn speed_cases_allocate_only_once() {
    for case in speed_cases().unwrap_or_default() {
        assert_steady(&Scene::new(&case.name, &case.query));
    }
}

#[test]
fn planted_grazing_and_coincidences_allocate_only_once() {
    for seed in 0..36 {
        let (plant, query) = generate::adversarial(seed);
        assert_steady(&Scene::new(&format!("{plant:?}, seed {seed}"), &query));
    }
}

#[test]
fn a_step_of_many_parts_allocates_only_once() {
    let mut scene = passing("torus in parts", &torus(), 0.6);
    scene.step = scene.step.with_parts(5);
    assert_steady(&scene);
}

#[test]
fn a_workspace_that_has_seen_a_large_query_serves_a_small_one() {
    let [large, small] = [("large", torus()), ("small", shapes::cube())]
        .map(|(name, shape)| passing(name, &shape, 0.3));
    let mut workspace = Workspace::new();
    let options = Options::default();
    run(&large, &options, &mut workspace);
    // The features of the small bodies are looked at for the first time here.
    run(&small, &options, &mut Workspace::new());
    for scene in [&small, &large, &small] {
        assert_eq!(allocations(scene, &options, &mut workspace), 0, "{}", scene.name);
    }
}

#[test]
fn thousands_of_edges_that_meet_in_a_point_need_little_memory() {
    // Cones tip to tip: a million pairs of edges see the one contact.
    let cone = Shape::Cone(Cone { segments: 1000, ..Cone::default() });
    let mesh = cone.polygons().expect("fitting parameters");
    let upside_down = DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    let pose = |y: f64| Pose::new([0.0, y, 0.0], upside_down).expect("finite");
    let poses_b = [pose(1.5), pose(0.5)];
    let query = Query { a: mesh.clone(), b: mesh, poses_a: [Pose::IDENTITY; 2], poses_b };
    let scene = Scene::new("cones", &query);
    for options in modes() {
        let mut count = 0;
        let memory = allocation_counter::measure(|| {
            count = run(&scene, &options, &mut Workspace::new());
        });
        assert_eq!(count, 1, "{options:?}");
        assert!(memory.bytes_max < 16_000_000, "{} bytes, {options:?}", memory.bytes_max);
    }
}

#[test]
fn tips_of_many_edges_at_rest_need_little_memory() {
    let cone = Shape::Cone(Cone { segments: 500, ..Cone::default() });
    let cone = Collider::new(cone.build().expect("a cone"));
    let upside_down = DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    let above = Pose::new([0.0, 1.0, 0.0], upside_down).expect("finite");
    let mut found = Vec::new();
    let memory = allocation_counter::measure(|| {
        let options = near::Options { reach: 0.01, min_properness: -1.0 };
        let mut workspace = near::Workspace::new();
        found = near::near(&cone, &cone, [Pose::IDENTITY, above], &options, &mut workspace).into();
    });
    // A quarter of a million pairs of edges see the one place.
    assert!(found.len() < 10 && found.iter().any(|near| near.gap < 1e-12), "{found:?}");
    assert!(memory.bytes_max < 6_000_000, "{} bytes", memory.bytes_max);
}

/// What a query states at most, whatever the mesh: the sizes of its batches, apart from contacts.
#[test]
fn vertices_far_away_need_little_memory() {
    for far in [&[427_411.0][..], &[-1e9], &[1e6, -2e6, 3e6, -4e6, 5e6]] {
        let mut mesh = shapes::torus(52, 40, 1.0, 0.4);
        far.iter().enumerate().for_each(|(i, &x)| mesh.vertices[7 * i].x = x);
        let scene = passing("stray", &mesh, 0.9);
        for options in modes() {
            let memory = allocation_counter::measure(|| {
                run(&scene, &options, &mut Workspace::new());
            });
            let most = 150_000_000;
            assert!(memory.bytes_max < most, "{far:?}: {} bytes, {options:?}", memory.bytes_max);
        }
    }
}

/// What follows from the mesh is made where queries look: all of it took 750 bytes a face.
#[test]
fn colliders_need_little_beyond_their_meshes() {
    let scene = passing("tori", &shapes::torus(120, 100, 1.0, 0.4), 0.3);
    let mesh = chasles::Polyhedron::new(&shapes::torus(120, 100, 1.0, 0.4)).expect("a torus");
    let count = 2 * mesh.face_count() as i64;
    let [p, q] = [mesh.clone(), mesh];
    let mut bodies = None;
    let memory = allocation_counter::measure(|| {
        let [a, b] = [p, q].map(Collider::new);
        for options in modes() {
            assert!(!contacts(&a, &b, &scene.step, &options, &mut Workspace::new()).is_empty());
        }
        bodies = Some([a, b]);
    });
    let bytes = memory.bytes_current / count;
    assert!(bytes < 350, "{bytes} bytes a face");
}

#[test]
fn bodies_at_rest_allocate_only_once() {
    let mut workspace = near::Workspace::new();
    let mut search = distance::Workspace::new();
    let options = near::Options::within(0.1);
    for (mesh, height) in [(torus(), 0.85), (torus(), 0.5), (shapes::cube(), 1.0)] {
        let scene = passing("at rest", &mesh, 1.0);
        let poses = [Pose::IDENTITY, Pose::from_position([0.0, height, 0.0]).expect("finite")];
        let [a, b] = &scene.colliders;
        let mut run = || {
            let found = near::near(a, b, poses, &options, &mut workspace).len();
            let apart = distance::distance(a, b, poses, &mut search).distance;
            (found, apart, near::intersect(a, b, poses, &mut workspace))
        };
        let first = run();
        assert!(first.0 > 0 || first.2, "{height}: {first:?}");
        let mut second = first;
        assert_eq!(allocation_counter::measure(|| second = run()).count_total, 0);
        assert_eq!(second, first);
    }
}

/// Boxes, octree and stacks are fitted to each step anew; no pair of these needs exact arithmetic,
/// whose numbers have no limit and are allocated.
#[test]
fn surfaces_that_deform_allocate_only_once() {
    let mut random = Random::new(11);
    let above = shapes::mapped(shapes::sheet(9, 9), |p| p + 0.5 * DVec3::Z);
    let sheets = shapes::joined(&[shapes::sheet(9, 9), above]);
    let surface = Surface::new(&sheets).expect("a mesh");
    let frames: [Vec<DVec3>; 5] = [0.0, 0.5, 1.0, 0.3, 0.1]
        .map(|z| lifted(&sheets, z).map(|p| p + 0.4 * random.vector()).collect());
    let still = surface.at_rest(&frames[0]).expect("finite");
    let steps =
        [[1, 2], [3, 4]].map(|[p, q]| surface.moving(&frames[p], &frames[q]).expect("finite"));
    for broad_phase in [BroadPhase::Boxes, BroadPhase::Octree, BroadPhase::All] {
        let options = deform::Options { broad_phase, ..deform::Options::default() };
        let mut workspace = deform::Workspace::default();
        let mut first = Vec::new();
        first.extend(steps.iter().map(|step| found([&still, step], &options, &mut workspace)));
        assert!(first.iter().flatten().all(|count| *count > 20), "{first:?}");
        for _ in 0..3 {
            for (step, first) in steps.iter().zip(&first) {
                let mut counts = [0; 3];
                let run = || counts = found([&still, step], &options, &mut workspace);
                assert_eq!(allocation_counter::measure(run).count_total, 0, "{broad_phase:?}");
                assert_eq!(counts, *first);
            }
        }
    }
}

/// How many contacts two surfaces have, how many the second has with itself, and how many pairs
/// there are to ask for free fractions.
fn found(
    [a, b]: [&Moving<'_>; 2],
    options: &deform::Options,
    workspace: &mut deform::Workspace,
) -> [usize; 3] {
    let between = deform::contacts(a, b, options, workspace).len();
    let with_itself = deform::self_contacts(b, options, workspace).len();
    let mut pairs = 0;
    for separation in [0.0, 0.01] {
        deform::free_fraction(a, b, separation, workspace);
        pairs += workspace.statistics().pairs;
        deform::self_free_fraction(b, separation, workspace);
        pairs += workspace.statistics().pairs;
    }
    [between, with_itself, pairs as usize]
}

/// The vertices of a mesh at another height.
fn lifted(mesh: &Polygons, z: f64) -> impl Iterator<Item = DVec3> {
    mesh.vertices.iter().map(move |p| *p + z * DVec3::Z)
}

#[test]
fn traces_allocate_only_once() {
    let world = World::new(vec![Fixture::new(torus())]).expect("a world");
    let bodies = [shapes::cube(), torus()].map(|mesh| Body::new(&mesh).expect("a body"));
    let turn = Turn::new(DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0), 2.0).expect("finite");
    for world in [world.clone(), world.with_broad(Broad::Bsp)] {
        let mut workspace = trace::Workspace::new();
        let mut run = || {
            let mut done = 0.0;
            for body in &bodies {
                let start = Pose::from_position([0.3, 4.0, 0.2]).expect("finite");
                let by = DVec3::new(0.1, -6.0, 0.3);
                let shift = world.translate(body, &start, by, &mut workspace).expect("finite");
                done += shift.fraction + world.rotate(body, &start, &turn, &mut workspace).fraction;
                let [from, to] = [start.position(), start.position() + by];
                done += world.point(from, to, &mut workspace).expect("finite").fraction;
            }
            done
        };
        let first = run();
        assert!(first < 5.9, "something stops");
        assert_eq!(allocation_counter::measure(|| assert_eq!(run(), first)).count_total, 0);
    }
}

#[test]
fn points_on_paths_allocate_only_once() {
    let mesh = chasles::Polyhedron::new(&torus()).expect("a torus");
    let solid = MeshSolid::new(&mesh).expect("a solid");
    let samples = Samples::new(mesh, 0.2).expect("samples");
    let body = path::Body { solid: Some(&solid), samples: Some(&samples) };
    let scene = passing("tori", &torus(), 0.6);
    let motion = scene.step.with_parts(3);
    for first_only in [true, false] {
        let options = path::Options { first_only, ..path::Options::default() };
        let mut workspace = path::Workspace::new();
        let mut ask = || {
            let found = path::contacts([&body, &body], &motion, &options, &mut workspace);
            assert!(!found.expect("an answer").is_empty());
        };
        ask();
        let count = allocation_counter::measure(ask).count_total;
        assert_eq!(count, 0, "first only: {first_only}");
    }
}

/// One workspace serves every question about bodies of every kind.
#[test]
fn the_front_door_allocates_only_once() {
    let mesh = chasles::Polyhedron::new(&torus()).expect("a torus");
    let bodies = [
        Geometry::mesh(mesh),
        Geometry::capsule([[-0.4, 0.0, 0.0], [0.4, 0.0, 0.1]], 0.2).expect("round"),
        Geometry::sphere(0.3).expect("round"),
        Geometry::ellipsoid([0.3, 0.2, 0.1]).expect("round"),
        Geometry::solid(solid::Cone::new(0.5, 1.0).expect("a cone")),
    ];
    let step = passing("tori", &torus(), 0.6).step;
    let [still, moving] = step.motions();
    let poses = [0.0, 0.4, 0.7, 1.0].map(|t| moving.pose_at(t));
    let way = Waypoints::evenly(poses).expect("in order");
    let route = Route::new(Waypoints::still(still.start()), &way);
    let travel = Travel::shift(DVec3::X);
    let mut workspace = query::Workspace::new();
    let mut run = || {
        let mut count = 0;
        for a in &bodies {
            for b in &bodies {
                for options in [query::Options::default(), query::Options::all()] {
                    let found = query::contacts(a, b, &step, &options, &mut workspace);
                    count += found.expect("an answer").len();
                    let found = query::contacts(a, b, &route, &options, &mut workspace);
                    count += found.expect("an answer").len();
                    let first = query::first_contact(a, b, &step, &options, &mut workspace);
                    count += usize::from(first.expect("an answer").is_some());
                }
                let at_rest = [still.start(), moving.start()];
                query::overlaps(a, b, at_rest, &mut workspace).expect("an answer");
                let inside = [still.start(); 2];
                let parts = query::overlapping_parts(a, b, inside, 99, &mut workspace);
                count += parts.expect("an answer").len();
            }
        }
        let on_screen = query::Options::all().by(query::Method::Screen);
        let [torus, ..] = &bodies;
        let shown = query::contacts(torus, torus, &step, &on_screen, &mut workspace);
        count += shown.expect("a screen").len();
        let at_rest = [Pose::IDENTITY, Pose::from_position([0.0, 0.0, 0.9]).expect("finite")];
        count += query::near(torus, torus, at_rest, 0.2, &mut workspace).expect("meshes").len();
        query::cast(torus, torus, at_rest, &travel, &mut workspace).expect("meshes");
        count
    };
    let first = run();
    assert!(first > 1000, "{first}");
    let mut again = 0;
    assert_eq!(allocation_counter::measure(|| again = run()).count_total, 0);
    assert_eq!(again, first);
}

/// Cubes on a grid of side 1.1, of which every tenth flies a little and turns by up to an angle.
fn grid(side: u32, angle: f64) -> Set {
    let cube = Geometry::from(Collider::new(Polyhedron::new(&shapes::cube()).expect("a cube")));
    let mut random = Random::new(1);
    let mut set = Set::new();
    for i in 0..side * side * side {
        let place = [i % side, i / side % side, i / side / side].map(|i| 1.1 * f64::from(i));
        let start = Pose::from_position(place).expect("finite");
        let [linear, angular] = [0.15, angle].map(|size| size * random.vector());
        let motion = Motion::flight(start, linear, angular).expect("few turns");
        set.add(cube.clone(), if i % 10 == 0 { motion } else { Motion::still(start) });
    }
    set
}

/// The most that a query of a set holds at one time, with its answer: so much for each body, each
/// pair and each contact, lists that grow by doubling included.
#[test]
fn memory_of_a_set_is_linear_in_bodies_and_contacts() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    for angle in [0.02, 0.3, 3.0] {
        for side in [10, 18] {
            let set = grid(side, angle);
            let ask = || set.contacts(&query::Options::all()).expect("exact");
            // Allocations are counted for the thread that makes them.
            let (found, memory) = pool.install(|| {
                let mut found = None;
                let memory = allocation_counter::measure(|| found = Some(ask()));
                (found.expect("it was asked"), memory.bytes_max)
            });
            let [bodies, pairs, contacts] = [set.len(), found.asked(), found.contact_count()];
            let allowed = 700 * bodies + 100 * pairs + 600 * contacts;
            assert!(memory < allowed as u64, "{memory} for {bodies}, {pairs}, {contacts}");
        }
    }
}

#[test]
fn the_counter_counts() {
    let scene = passing("cube", &shapes::cube(), 0.3);
    assert_ne!(allocations(&scene, &Options::default(), &mut Workspace::new()), 0);
}

fn assert_steady(scene: &Scene) {
    for options in modes() {
        let mut workspace = Workspace::new();
        let first = run(scene, &options, &mut workspace);
        for _ in 0..3 {
            let count = allocations(scene, &options, &mut workspace);
            assert_eq!(count, 0, "{} with {options:?}", scene.name);
            assert_eq!(run(scene, &options, &mut workspace), first);
        }
    }
}

fn modes() -> [Options; 3] {
    let all = Options::default();
    let facing = Options { facing: true, min_properness: -0.1, ..all };
    [facing, all, Options { first_only: true, ..all }]
}

fn run(scene: &Scene, options: &Options, workspace: &mut Workspace) -> usize {
    let [a, b] = &scene.colliders;
    contacts(a, b, &scene.step, options, workspace).len()
}

fn allocations(scene: &Scene, options: &Options, workspace: &mut Workspace) -> u64 {
    allocation_counter::measure(|| _ = run(scene, options, workspace)).count_total
}

/// B flies past A at a distance and turns by 35 degrees.
fn passing(name: &str, mesh: &Polygons, distance: f64) -> Scene {
    let pose = |x: f64, degrees: f64| {
        let axis = DVec3::new(1.0, 2.0, 0.5).normalize();
        let rotation = DQuat::from_axis_angle(axis, degrees.to_radians());
        Pose::new([x, 0.13, distance], rotation).expect("finite")
    };
    let [a, b] = [mesh; 2].map(Polygons::clone);
    let poses_b = [pose(-3.0, 40.0), pose(3.0, 75.0)];
    Scene::new(name, &Query { a, b, poses_a: [Pose::IDENTITY; 2], poses_b })
}

/// As large as those of the speed cases.
fn torus() -> Polygons {
    shapes::torus(20, 15, 1.0, 0.4)
}
