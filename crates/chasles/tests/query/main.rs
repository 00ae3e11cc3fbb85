//! The front door gives what the methods behind it give, bit for bit.

mod closely;
mod distances;
mod routes;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape, Torus};
use chasles::path::{self, Samples};
use chasles::query::{
    self, Contact, Feature, Geometry, Guarantee, Kind, LoadError, Method, Options, Overlap,
    QueryError, Reason, Workspace,
};
use chasles::round::{self, Round};
use chasles::solid::{self, MeshSolid, Solid};
use chasles::trace::{Body, Fixture, Travel, Turn, World};
use chasles::{
    Collider, Motion, Polygons, Polyhedron, Pose, Screw, Step, contact, near, screen, screw,
};
use chasles_testkit::generate::Random;

fn torus() -> Collider {
    Collider::new(Shape::Torus(Torus::default()).build().expect("a torus"))
}

fn cube() -> Collider {
    Collider::new(Shape::Box(Cuboid::default()).build().expect("a cube"))
}

fn rounds() -> [Round; 3] {
    let ends = [[0.0, -0.4, 0.1], [0.3, 0.5, 0.0]];
    let [capsule, cylinder] = [Round::capsule(ends, 0.3), Round::cylinder(ends, 0.3)];
    [Round::sphere(0.4).expect("round"), capsule.expect("round"), cylinder.expect("round")]
}

fn pose(position: DVec3, turn: DVec3) -> Pose {
    Pose::new(position, DQuat::from_scaled_axis(turn)).expect("finite")
}

/// Both bodies move: B past A, through the middle or beside it.
fn steps() -> Vec<Step> {
    let mut random = Random::new(22);
    let mut ways = Vec::new();
    for number in 0..24 {
        let a = [0.1, 0.2].map(|s| pose(s * random.vector(), s * random.vector()));
        let from = 3.0 * random.vector().normalize();
        let aside = random.vector() * 0.5;
        let b = [from, aside - from].map(|p| pose(p, 1.2 * random.vector()));
        let [a, mut b] = [a, b].map(|[from, to]| Motion::between(from, to));
        if number % 4 == 3 {
            let twist = Screw::from_twist(2.5 * random.vector(), -2.0 * from).expect("finite");
            b = Motion::along(b.start(), twist).expect("few turns");
        }
        ways.push(Step::new(a, b));
    }
    ways
}

fn all() -> Options {
    Options::all()
}

/// The same wishes in the words of the methods.
fn wanted(options: &Options) -> contact::Options {
    let least = if options.proper { -1e-6 } else { -1.0 };
    contact::Options {
        min_properness: options.min_properness.max(least),
        facing: options.facing,
        touchable: options.touchable,
        first_only: options.first_only,
        window: options.window,
    }
}

/// What may be wanted.
fn wishes() -> [Options; 4] {
    [all(), Options::default(), all().first(), Options { window: [0.2, 0.5], ..all() }]
}

fn same<F: Copy + Into<query::Features>>(door: &[Contact], room: &[contact::Contact<F>]) {
    let room: Vec<Contact> = room.iter().map(|c| c.with_features(c.features.into())).collect();
    assert_eq!(door, room);
}

#[test]
fn two_meshes_are_the_exact_methods() {
    let [a, b] = [torus(), cube()];
    let [of_a, of_b] = [&a, &b].map(|c| Geometry::from(c.clone()));
    let [mut door, mut room] = [Workspace::new(), Workspace::new()].map(|w| (w, 0));
    let mut own = screw::Workspace::new();
    for step in steps() {
        for options in wishes() {
            let found = query::contacts(&of_a, &of_b, &step, &options, &mut door.0).expect("exact");
            assert_eq!(found.choice.reason, Reason::Meshes);
            assert_eq!((found.guarantee, found.undecided), (Guarantee::Exact, 0));
            let expected = screw::contacts(&a, &b, &step, &wanted(&options), &mut own);
            same(&found, expected);
            room.1 += expected.len();
        }
    }
    assert!(room.1 > 1000, "{} contacts", room.1);
    room.0 = Workspace::new();
    let first = query::first_contact(&of_a, &of_b, &steps()[0], &Options::default(), &mut room.0);
    assert_eq!(first.expect("exact").map(|c| c.time), {
        let wanted = wanted(&Options::default().first());
        screw::contacts(&a, &b, &steps()[0], &wanted, &mut own).first().map(|c| c.time)
    });
}

#[test]
fn the_screen_is_the_screen() {
    let [a, b] = [torus(), cube()];
    let [of_a, of_b] = [&a, &b].map(|c| Geometry::from(c.clone()));
    let mut workspace = Workspace::new();
    let mut own = screen::Workspace::new();
    let mut count = 0;
    for step in steps() {
        let options = all().by(Method::Screen);
        let found =
            query::contacts(&of_a, &of_b, &step, &options, &mut workspace).expect("a screen");
        assert_eq!(found.choice.reason, Reason::Asked);
        let Guarantee::Pixels { pixel } = found.guarantee else { panic!("{:?}", found.guarantee) };
        assert_eq!(Ok(pixel), options.screen.pixel(&a, &b));
        let expected =
            screen::contacts(&a, &b, &step, &options.screen, &mut own).expect("a screen");
        same(&found, expected);
        count += expected.len();
        assert_eq!(workspace.screen_statistics(), Some(own.statistics()));
        let proper = Options { method: Method::Screen, ..Options::default() };
        let few = query::contacts(&of_a, &of_b, &step, &proper, &mut workspace).expect("a screen");
        assert!(few.iter().all(|c| c.touchable && c.properness >= -1e-6));
    }
    assert!(count > 100, "{count}");
}

#[test]
fn round_bodies_are_the_round_method_both_ways() {
    let mesh = torus();
    let of_mesh = Geometry::from(mesh.clone());
    let mut workspace = Workspace::new();
    let mut own = round::Workspace::new();
    let mut count = 0;
    for round in rounds() {
        let of_round = Geometry::from(round);
        for step in steps() {
            for options in wishes() {
                let wanted = wanted(&options);
                let found = query::contacts(&of_mesh, &of_round, &step, &options, &mut workspace);
                let found = found.expect("exact");
                assert_eq!(found.choice.reason, Reason::Round);
                same(&found, round::contacts(&mesh, &round, &step, &wanted, &mut own));
                count += found.len();
                let swapped = step.swapped();
                let expected = round::contacts(&mesh, &round, &swapped, &wanted, &mut own);
                let found = query::contacts(&of_round, &of_mesh, &step, &options, &mut workspace);
                is_mirrored(&step, &found.expect("exact"), expected);
            }
        }
    }
    assert!(count > 500, "{count}");
}

/// The same contacts seen by a round A: on the same places of both bodies.
fn is_mirrored(step: &Step, found: &[Contact], expected: &[round::Contact]) {
    assert_eq!(found.len(), expected.len());
    for contact in found {
        let features = contact.features;
        let twin = expected.iter().find(|c| {
            query::Features::from(c.features) == features.swapped() && c.time == contact.time
        });
        let twin = twin.expect("a contact of the swapped query");
        // Where the mesh, B, has it, is where the swapped query has it.
        let a_in_b = step.b_in_a_by_relative(contact.time).inverse();
        let apart = a_in_b.point(contact.point_in_a) - twin.point_in_a;
        let opposite = a_in_b.vector(contact.normal_in_a) + twin.normal_in_a;
        assert!(apart.length() < 1e-12 && opposite.length() < 1e-12, "{apart} {opposite}");
        let a = step.pose_of_a(contact.time);
        assert!((a.point(contact.point_in_a) - contact.point).length() < 1e-13);
        assert!((a.vector(contact.normal_in_a) - contact.normal).length() < 1e-13);
        assert_eq!(
            (contact.normal_speed, contact.properness),
            (twin.normal_speed, twin.properness)
        );
    }
}

#[test]
fn a_ball_that_is_hit_from_above_has_its_normal_up() {
    // A is the ball and rests; a cube falls onto it.
    let [ball, cube] = [Geometry::sphere(0.5).expect("round"), Geometry::from(cube())];
    let [from, to] = [2.0, 0.0].map(|z| pose(DVec3::new(7.0, 0.0, z), DVec3::ZERO));
    let still = Motion::still(pose(7.0 * DVec3::X, DVec3::Z));
    let step = Step::new(still, Motion::between(from, to));
    let mut workspace = Workspace::new();
    let hit = query::first_contact(&ball, &cube, &step, &Options::default(), &mut workspace);
    let hit = hit.expect("exact").expect("they meet");
    assert!((hit.time - 0.5).abs() < 1e-12 && (hit.normal - DVec3::Z).length() < 1e-12);
    assert!((hit.point - DVec3::new(7.0, 0.0, 0.5)).length() < 1e-12, "{}", hit.point);
    assert!(matches!((hit.features.a, hit.features.b), (Feature::End(0), Feature::Face(_))));
}

#[test]
fn two_round_bodies_are_the_round_method() {
    let mut workspace = Workspace::new();
    let mut own = round::Workspace::new();
    let mut count = 0;
    for a in rounds() {
        for b in rounds() {
            let [of_a, of_b] = [a, b].map(Geometry::from);
            for step in &steps()[..6] {
                let found = query::contacts(&of_a, &of_b, step, &all(), &mut workspace);
                let wanted = contact::Options::default();
                same(
                    &found.expect("exact"),
                    round::contacts_of_rounds(&a, &b, step, &wanted, &mut own),
                );
                count += own_count(&a, &b, step);
            }
        }
    }
    assert!(count > 30, "{count}");
}

fn own_count(a: &Round, b: &Round, step: &Step) -> usize {
    let wanted = contact::Options::default();
    round::contacts_of_rounds(a, b, step, &wanted, &mut round::Workspace::new()).len()
}

/// They touch at the start only, so the window of times in which they may is as short as rounding,
/// and speeds in it as small.
#[test]
fn round_bodies_that_touch_and_move_apart_have_no_contact_that_approaches() {
    let mut workspace = Workspace::new();
    let ends = [DVec3::NEG_Y, DVec3::Y];
    let [capsule, cylinder] = [Round::capsule(ends, 0.3), Round::cylinder(ends, 0.3)]
        .map(|round| Geometry::from(round.expect("round")));
    let [ball, ..] = rounds().map(Geometry::from);
    let cube = Geometry::from(cube());
    for (a, b) in [(&ball, &ball), (&capsule, &ball), (&cylinder, &ball), (&cube, &ball)] {
        // As far apart along x as their boxes say.
        let x = a.bounds()[1].x - b.bounds()[0].x;
        let [from, to] = [x, x + 2.0].map(|x| pose(DVec3::X * x, DVec3::ZERO));
        let parting = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to));
        let options = Options::default();
        let found = query::contacts(a, b, &parting, &options, &mut workspace).expect("exact");
        assert!(found.is_empty(), "{:?}", found.contacts);
        let meeting = Step::new(Motion::still(Pose::IDENTITY), Motion::between(to, from));
        let found = query::contacts(a, b, &meeting, &options, &mut workspace).expect("exact");
        assert!(found.iter().any(|c| c.normal_speed < 0.0), "{:?}", found.contacts);
    }
}

#[test]
fn solids_are_the_path_method() {
    let mesh = torus();
    let cone = || solid::Cone::new(0.5, 1.0).expect("a cone");
    let [of_mesh, of_cone] = [Geometry::from(mesh.clone()), Geometry::solid(cone())];
    let samples = Samples::new(mesh.mesh().clone(), Samples::usual_cover(mesh.mesh()));
    let [samples, of_solid] = [samples, Samples::usual_of_solid(&cone())].map(|s| s.expect("few"));
    let solids: [Box<dyn Solid>; 2] =
        [Box::new(MeshSolid::new(mesh.mesh()).expect("a solid")), Box::new(cone())];
    let a = path::Body { solid: Some(&*solids[0]), samples: Some(&samples) };
    let b = path::Body { solid: Some(&*solids[1]), samples: Some(&of_solid) };
    let mut workspace = Workspace::new();
    let mut own = path::Workspace::new();
    let mut count = 0;
    for step in &steps()[..4] {
        let options = all();
        let found = query::contacts(&of_mesh, &of_cone, step, &options, &mut workspace);
        let found = found.expect("samples");
        assert_eq!(found.choice.reason, Reason::Solid);
        let Guarantee::Samples { missed_depth } = found.guarantee else { panic!() };
        assert_eq!(missed_depth, path::missed_depth([&a, &b], &options.path));
        let expected = path::contacts([&a, &b], step, &options.path, &mut own).expect("samples");
        same(&found, expected);
        count += expected.len();
        let first = query::first_contact(&of_mesh, &of_cone, step, &options, &mut workspace);
        assert_eq!(first.expect("samples").map(|c| c.time), expected.first().map(|c| c.time));
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_round_body_meets_a_solid_where_it_meets_the_mesh_of_it() {
    let slab = solid::Cuboid::new([4.0, 1.0, 4.0]).expect("a box");
    let slab = Geometry::solid(slab);
    let [from, to] = [3.0, 0.0].map(|y| pose(DVec3::Y * y, DVec3::ZERO));
    let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to));
    let mut workspace = Workspace::new();
    for round in [
        Round::sphere(0.5).expect("round"),
        Round::capsule([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 0.5).expect("round"),
        Round::cylinder([[0.0, -0.5, 0.0], [0.0, 0.5, 0.0]], 0.3).expect("round"),
    ] {
        let options = Options::default();
        let hit = query::first_contact(&slab, &round.into(), &step, &options, &mut workspace);
        let hit = hit.expect("samples").expect("a hit");
        // Two of the three units of height, less what samples miss.
        assert!(hit.time >= 2.0 / 3.0 - 1e-5 && hit.time < 0.68, "{}", hit.time);
        assert!(hit.normal.y > 0.99);
    }
}

#[test]
fn what_no_method_answers_names_the_alternatives() {
    let bodies = [
        Geometry::from(cube()),
        Geometry::sphere(1.0).expect("round"),
        Geometry::solid(solid::Sphere::new(DVec3::ZERO, 1.0).expect("a ball")),
    ];
    let mut workspace = Workspace::new();
    let step = steps()[0];
    for a in &bodies {
        for b in &bodies {
            for method in [Method::Auto, Method::Exact, Method::Screen, Method::Path] {
                let kinds = [a.kind(), b.kind()];
                let is_answered = match method {
                    Method::Auto | Method::Path => true,
                    Method::Exact => !kinds.contains(&Kind::Solid),
                    Method::Screen => kinds == [Kind::Mesh; 2],
                };
                let asked = all().by(method);
                match query::contacts(a, b, &step, &asked, &mut workspace) {
                    Ok(_) => assert!(is_answered, "{kinds:?} {method:?}"),
                    Err(error) => {
                        assert!(!is_answered, "{kinds:?} {method:?}: {error}");
                        assert!(error.to_string().contains("Method::Auto"), "{error}");
                        assert!(matches!(error, QueryError::NoMethod { .. }));
                    }
                }
            }
        }
    }
    let at_rest = [Pose::IDENTITY; 2];
    let [_, ball, solid] = &bodies;
    let error = query::near(ball, solid, at_rest, 0.1, &mut workspace).unwrap_err();
    assert!(error.to_string().contains("solid::surface"), "{error}");
    let travel = Travel::shift(DVec3::X);
    let error = query::cast(ball, solid, at_rest, &travel, &mut workspace).unwrap_err();
    assert!(error.to_string().contains("first_contact"), "{error}");
}

#[test]
fn errors_name_what_the_bodies_are() {
    let cylinder = Geometry::cylinder([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 0.5).expect("round");
    let ball = Geometry::sphere(1.0).expect("round");
    let mut workspace = Workspace::new();
    let poses = [Pose::IDENTITY; 2];
    let error = query::near(&cylinder, &cylinder, poses, 0.1, &mut workspace).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no method gives near places of a cylinder and a cylinder; Geometry::shape makes a mesh of \
         Shape::Cylinder or Shape::Cone, and overlaps and first_contact take bodies of any kind"
    );
    let error = query::penetration(&ball, &cylinder, poses, &mut workspace).unwrap_err();
    assert!(error.to_string().contains("of a sphere and a cylinder; it takes meshes"), "{error}");
    let error = query::choose(&ball, &cylinder, Method::Screen).unwrap_err().to_string();
    let expected = "the collision screen does not give contacts of a sphere and a cylinder; ";
    assert!(error.starts_with(expected), "{error}");
    assert_eq!(ball.kind().to_string(), "sphere");
}

/// Some programs write faces clockwise.
#[test]
fn a_mesh_that_is_inside_out_has_the_contacts_of_one_that_is_not() {
    let polygons = Shape::Torus(Torus::default()).polygons().expect("a torus");
    let mut inward = polygons.clone();
    inward.turn(&Vec::from_iter(0..inward.faces.len() as u32));
    let [right, turned] = [&polygons, &inward]
        .map(|polygons| Geometry::mesh(Polyhedron::new(polygons).expect("a torus")));
    assert_eq!(right.turned().map(|turned| turned.faces.len()), Some(0));
    assert_eq!(turned.turned().map(|turned| turned.faces.len()), Some(300));
    let cube = Geometry::from(cube());
    let mut workspace = Workspace::new();
    let mut count = 0;
    for step in steps() {
        let mut ask = |torus: &Geometry| {
            let found = query::contacts(torus, &cube, &step, &Options::default(), &mut workspace);
            found.expect("exact").to_vec()
        };
        let [expected, found] = [ask(&right), ask(&turned)];
        let features = |contacts: &[Contact]| -> Vec<query::Features> {
            contacts.iter().map(|contact| contact.features).collect()
        };
        assert_eq!(features(&found), features(&expected));
        count += found.len();
    }
    assert!(count > 20, "{count}");
    // A point has no faces to turn.
    let point = Polygons { vertices: vec![DVec3::X], ..Polygons::default() };
    let point = Geometry::mesh(Polyhedron::new(&point).expect("a point"));
    assert_eq!(point.bounds(), [DVec3::X; 2]);
    // A mesh that looks outward is taken as it is, bit for bit.
    let as_it_is = Geometry::from(Collider::new(Polyhedron::new(&polygons).expect("a torus")));
    let meshes = [&as_it_is, &right].map(|body| body.collider().expect("a mesh").mesh());
    assert_eq!(meshes[0], meshes[1]);
}

#[test]
fn a_file_gives_a_body() {
    let path = std::env::temp_dir().join(format!("chasles-query-{}.obj", std::process::id()));
    std::fs::write(
        &path,
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
    )
    .expect("written");
    let body = Geometry::load(&path).expect("a tetrahedron");
    std::fs::remove_file(&path).expect("removed");
    assert_eq!((body.kind(), body.bounds()), (Kind::Mesh, [DVec3::ZERO, DVec3::ONE]));
    let error = Geometry::load("none.obj").expect_err("no file");
    assert!(matches!(error, LoadError::File(_)) && error.to_string().contains("none.obj"));
}

#[test]
fn two_solids_without_end_have_nothing_to_follow() {
    let below = || {
        let ground = solid::HalfSpace::new(DVec3::Y, 0.0).expect("a half-space");
        Geometry::solid(ground)
    };
    let mut workspace = Workspace::new();
    let found = query::contacts(&below(), &below(), &steps()[0], &all(), &mut workspace);
    assert_eq!(found.unwrap_err(), QueryError::Path(path::PathError::NothingToAsk));
}

#[test]
fn bodies_at_rest_are_those_of_near() {
    let [a, b] = [torus(), cube()];
    let [of_a, of_b] = [&a, &b].map(|c| Geometry::from(c.clone()));
    let mut workspace = Workspace::new();
    let mut own = near::Workspace::new();
    let mut random = Random::new(5);
    let mut seen = [0; 3];
    for _ in 0..60 {
        let poses = [1.0, 1.6].map(|s| pose(s * random.vector(), random.vector()));
        let overlap = query::overlaps(&of_a, &of_b, poses, &mut workspace).expect("meshes");
        let is_in = near::intersect(&a, &b, poses, &mut own);
        assert_eq!(overlap.is_overlapping(), is_in);
        assert_ne!(overlap, Overlap::Undecided);
        seen[usize::from(is_in)] += 1;
        let places = query::near(&of_a, &of_b, poses, 0.3, &mut workspace).expect("meshes");
        let expected = near::near(&a, &b, poses, &near::Options::within(0.3), &mut own);
        assert_eq!(places.len(), expected.len());
        for (place, expected) in places.iter().zip(expected) {
            assert_eq!(place.features, expected.features.into());
            assert_eq!((place.point_a, place.point_b), (expected.point_a, expected.point_b));
            assert_eq!((place.gap, place.normal), (expected.gap, expected.normal));
        }
        seen[2] += places.len();
    }
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
}

#[test]
fn round_bodies_and_solids_overlap_where_points_tell() {
    let mut workspace = Workspace::new();
    let cube = Geometry::from(cube());
    let solid = Geometry::solid(solid::Cuboid::new([1.0; 3]).expect("a box"));
    let bodies = rounds().map(Geometry::from);
    let mut ask = |a: &Geometry, b: &Geometry, x: f64| {
        let poses = [pose(DVec3::Y, DVec3::Z), pose(DVec3::new(x, 1.0, 0.0), DVec3::X)];
        query::overlaps(a, b, poses, &mut workspace).expect("an answer")
    };
    for other in [&cube, &solid] {
        for body in &bodies {
            for x in [0.0, 0.5] {
                let answers = [ask(body, other, x), ask(other, body, x)];
                let [Overlap::Overlapping(first), Overlap::Overlapping(second)] = answers else {
                    panic!("{body:?} {other:?} at {x}: {answers:?}");
                };
                let kinds = [first, second].map(|parts| [parts.a.kind(), parts.b.kind()]);
                let of_samples = |kinds: [&str; 2]| {
                    ["sample", "surface"].map(|kind| kinds.contains(&kind)) == [true; 2]
                };
                let is_solid = other.kind() == Kind::Solid;
                assert_eq!(kinds.map(of_samples), [is_solid; 2], "{first:?} {second:?}");
            }
            assert_eq!([ask(body, other, 2.5), ask(other, body, 2.5)], [Overlap::Apart; 2]);
        }
    }
    let small = Geometry::sphere(0.1).expect("round");
    assert!(ask(&cube, &small, 0.0).is_overlapping(), "inside the cube");
    let large = Geometry::sphere(9.0).expect("round");
    assert!(ask(&large, &cube, 0.0).is_overlapping(), "around the cube");
    // Spheres touch at the sum of the radii.
    assert!(ask(&small, &small, 0.1999).is_overlapping());
    assert_eq!([0.2, 0.2001].map(|x| ask(&small, &small, x)), [Overlap::Apart; 2]);
    // A cylinder that is nearer to a solid than its samples' cover is not decided.
    let [.., cylinder] = &bodies;
    let answers: Vec<Overlap> =
        (0..40).map(|i| ask(cylinder, &solid, 0.05 * f64::from(i))).collect();
    assert!(answers.contains(&Overlap::Undecided), "{answers:?}");
}

#[test]
fn casts_are_traces() {
    let cube = Shape::Box(Cuboid::default()).polygons().expect("a cube");
    let world = World::new(vec![Fixture::new(cube.clone())]).expect("a world");
    let body = Body::new(&cube).expect("a body");
    let geometry = Geometry::from(self::cube());
    let start = Pose::from_position([0.3, 3.0, 0.2]).expect("finite");
    let turn = Turn::new(DVec3::new(0.0, 1.5, 0.0), DVec3::X, 3.0).expect("an axis");
    let shift = DVec3::new(0.1, -4.0, 0.0);
    let mut workspace = Workspace::new();
    let own = &mut chasles::trace::Workspace::new();
    let shifted = world.translate(&body, &start, shift, own).expect("finite");
    let turned = world.rotate(&body, &start, &turn, own);
    let both = Travel { by: shift, turn, parts: 4.try_into().expect("not 0") };
    let advanced = world.advance(&body, &start, &both, own).expect("finite");
    for (travel, expected) in
        [(Travel::shift(shift), shifted), (Travel::turn(turn), turned), (both, advanced)]
    {
        assert!(expected.fraction < 1.0);
        let poses = [Pose::IDENTITY, start];
        let found = query::cast(&geometry, &geometry, poses, &travel, &mut workspace);
        let found = found.expect("meshes");
        assert_eq!((found.fraction, found.end), (expected.fraction, expected.end));
        let (stop, touch) = (found.stop.expect("a stop"), expected.touch.expect("a stop"));
        assert_eq!(stop.features, query::Features::from(touch.features).swapped());
        assert_eq!((stop.point, stop.normal), (touch.point, touch.normal));
        // The same elsewhere, seen from there.
        let there = pose(DVec3::new(5.0, -2.0, 1.0), DVec3::new(0.4, 1.0, -0.3));
        let poses = [there, there.after(&start)];
        let Travel { by, parts, .. } = travel;
        let about = Turn::new(there.point(DVec3::new(0.0, 1.5, 0.0)), there.vector(DVec3::X), 3.0);
        let turn = if travel == Travel::shift(shift) { travel.turn } else { about.expect("axis") };
        let travel = Travel { by: there.vector(by), turn, parts };
        let found = query::cast(&geometry, &geometry, poses, &travel, &mut workspace);
        let found = found.expect("meshes");
        assert!((found.fraction - expected.fraction).abs() < 1e-9);
        let stop = found.stop.expect("a stop");
        assert!((stop.point - there.point(touch.point)).length() < 1e-8);
        assert!((stop.normal - there.vector(touch.normal)).length() < 1e-12);
        assert!((found.end.position() - there.point(expected.end.position())).length() < 1e-8);
    }
}

#[test]
fn tori_have_a_handful_of_contacts_for_a_response() {
    let torus = Geometry::from(torus());
    let mut workspace = Workspace::new();
    let mut counts = Vec::new();
    for step in steps() {
        let some = query::contacts(&torus, &torus, &step, &Options::default(), &mut workspace);
        let some = some.expect("exact").to_vec();
        let all = query::contacts(&torus, &torus, &step, &all(), &mut workspace).expect("exact");
        assert!(some.iter().all(|c| all.contains(c)), "options choose, and change nothing");
        assert!(some.iter().all(|c| c.normal_speed <= 0.0 && c.touchable));
        assert!(all.is_empty() || !some.is_empty(), "the first contact is among them");
        let first =
            query::first_contact(&torus, &torus, &step, &Options::default(), &mut workspace);
        assert_eq!(first.expect("exact").map(|c| c.time), some.first().map(|c| c.time));
        counts.push((some.len(), all_len(&torus, &step)));
    }
    let hits: Vec<_> = counts.iter().filter(|(_, all)| *all > 0).collect();
    assert!(hits.len() > 10 && hits.iter().all(|(some, all)| some * 4 <= *all), "{counts:?}");
}

fn all_len(torus: &Geometry, step: &Step) -> usize {
    query::contacts(torus, torus, step, &all(), &mut Workspace::new()).expect("exact").len()
}
