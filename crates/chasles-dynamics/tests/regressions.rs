//! One test for each way in which steps in windows have once gone wrong, with its story.

#[path = "worlds/scenes.rs"]
#[allow(dead_code)]
mod scenes;

use chasles::Pose;
use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::spring::net::{Fabric, Net};
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::world::{BodyId, Route, Shape, Strength};
use chasles_dynamics::{Body, Options, World};
use glam::DVec3;
use scenes::{Judge, at, cuboid, dynamic, floor, made_of, wall};

const DT: f64 = 1.0 / 60.0;

fn options() -> Options {
    Options::windows()
}

/// A world without gravity.
fn in_space() -> World {
    World::new(Options { gravity: DVec3::ZERO, ..options() })
}

/// A table of this width whose top is at height 0 and ends at x = 1.
fn table() -> Body {
    Body::fixed(cuboid([2.0, 2.0, 1.0])).at(at(0.0, 0.0, -0.5))
}

/// Follows a crate that passes the rim of a table, and finds it on its parabola.
///
/// Its rear lower edge is so far inside the rim, and so high above the top.
fn passes_the_rim(mut world: World, [inside, above]: [f64; 2], linear: DVec3, dt: f64) {
    world.add(table().made_of(made_of(0.5, 0.5)));
    let start = DVec3::new(1.5 - inside, 0.0, 0.5 + above);
    let pose = Pose::from_position(start).expect("finite");
    let body = dynamic(&cuboid([1.0; 3]), 500.0).at(pose).made_of(made_of(0.5, 0.5));
    let id = world.add(body.moving(linear, DVec3::ZERO));
    let gravity = world.options().gravity;
    for step in 1..=8 {
        let report = world.step(dt).expect("a step");
        let time = f64::from(step) * dt;
        let expected = start + time * linear + 0.5 * time * time * gravity;
        let off = world.bodies()[id.0].centre().distance(expected);
        assert!(off < 1e-9, "{off} m off its parabola in step {step}");
        assert_eq!((report.impacts.len(), report.lost.len()), (0, 0), "in step {step}");
    }
}

/// The plane of a face was a limit for all that came down to it within the step, wherever it would
/// be by then: a crate that had left the table stopped in the air, and bounced.
#[test]
fn what_has_left_a_face_sideways_is_not_stopped_by_its_plane() {
    let world = || World::new(options());
    passes_the_rim(world(), [0.05, 0.15], DVec3::new(3.0, 0.0, -2.0), 0.1);
    passes_the_rim(world(), [0.049, 0.005], DVec3::new(3.0, 0.0, -0.1), DT);
}

/// A place that was passed sideways by less than a fiftieth of the body stayed known, at a gap
/// below zero, and lifted what was below the plane.
#[test]
fn what_is_beside_a_face_and_below_its_plane_is_not_lifted() {
    passes_the_rim(in_space(), [0.004, 0.004], DVec3::new(0.6, 0.0, -0.3), DT);
}

/// The same for a linkage: it swung no longer beside a plane that it was below.
#[test]
fn a_linkage_passes_a_rim_as_well() {
    let mut world = in_space();
    world.add(table());
    let linear = DVec3::new(0.6, 0.0, -0.3);
    let start = DVec3::new(1.496, 0.0, 0.504);
    let block = dynamic(&cuboid([1.0; 3]), 500.0);
    let places = [start, start + DVec3::X * 1.1];
    let ids = places.map(|place| {
        let pose = Pose::from_position(place).expect("finite");
        world.add(block.clone().at(pose).moving(linear, DVec3::ZERO))
    });
    let anchors = [0.55, -0.55].map(|x| Anchor::at([x, 0.0, 0.0]).expect("finite"));
    world.link(Joint::ball([ids[0].0, ids[1].0], anchors).expect("two")).expect("here");
    for step in 1..=8 {
        world.step(DT).expect("a step");
        for (id, place) in ids.into_iter().zip(places) {
            let expected = place + f64::from(step) * DT * linear;
            let off = world.bodies()[id.0].centre().distance(expected);
            assert!(off < 1e-9, "{off} m off in step {step}");
        }
    }
}

/// What is over a face when it arrives is stopped as ever, and what slides over a rim tips over it.
#[test]
fn what_slides_into_a_face_or_tips_over_a_rim_is_held() {
    for speed in [0.3, 3.0, 30.0] {
        let mut world = World::new(options());
        world.add(table());
        let body = dynamic(&cuboid([0.1; 3]), 500.0).made_of(made_of(0.0, 0.3));
        let id = world.add(body.at(at(-0.9, 0.0, 0.0504)).moving(DVec3::X * speed, DVec3::ZERO));
        let judge = Judge::new(&world);
        for step in 0..120 {
            let report = world.step(DT).expect("a step");
            assert_eq!(judge.crossing(&world), None, "{speed} m/s, step {step}");
            assert_eq!(report.lost, [], "{speed} m/s, step {step}");
            let place = world.bodies()[id.0].pose().position();
            assert!(place.x > 0.9 || place.z > 0.0499, "{place} at {speed} m/s in step {step}");
        }
    }
}

/// Beyond a budget the solver of linkages gave up, and with it all contacts of the island: it stood
/// still for good, and the report said that the error was infinite.
#[test]
fn a_large_heap_with_one_hinge_is_solved() {
    let mut world = wall(40, 15, false);
    world.set_options(options());
    let top = world.bodies().len() - 1;
    let place = world.bodies()[top].pose().position() + DVec3::new(0.0, 0.0, 0.0912);
    let door = dynamic(&cuboid([0.1, 0.1, 0.1]), 1000.0);
    let pose = Pose::from_position(place).expect("finite");
    let door = world.add(door.at(pose));
    let anchors = [[0.0, 0.0, 0.0456], [0.0, 0.0, -0.0456]];
    let anchors = anchors.map(|point| Anchor::along(point, DVec3::X).expect("finite"));
    world.link(Joint::hinge([top, door.0], anchors).expect("two")).expect("here");
    let ball = dynamic(&cuboid([0.1; 3]), 2500.0).at(at(5.0, -0.5, 0.5));
    let ball = world.add(ball.moving(DVec3::Y * 20.0, DVec3::ZERO));
    let judge = Judge::new(&world);
    for step in 0..3 {
        let report = world.step(DT).expect("a step");
        assert!(report.lost.is_empty(), "{} wait in step {step}", report.lost.len());
        assert!(report.error.is_finite(), "in step {step}");
    }
    assert_eq!(judge.crossing(&world), None);
    let height = world.bodies()[door.0].pose().position().z;
    assert!((height - place.z).abs() < 5e-3, "the door is at {height}, not {}", place.z);
    assert!(world.bodies()[ball.0].velocity().linear.y < 15.0, "the ball has hit nothing");
}

/// A hub at a height of 10 m, and a propeller inside of its shape that spins at this rate.
fn spun_propeller(world: &mut World, spin: f64) -> [BodyId; 2] {
    let hub = world.add(dynamic(&cuboid([0.3, 0.3, 0.1]), 500.0).at(at(0.0, 0.0, 10.0)));
    let blade = dynamic(&cuboid([0.1, 0.02, 0.02]), 500.0).at(at(0.0, 0.0, 10.0));
    let blade = world.add(blade.moving(DVec3::ZERO, DVec3::Z * spin));
    let anchors = [Anchor::along(DVec3::ZERO, DVec3::Z).expect("finite"); 2];
    world.link(Joint::hinge([hub.0, blade.0], anchors).expect("two")).expect("here");
    [hub, blade]
}

/// A linkage that nothing is near had 64 parts of 0.4 rad in a step, and lost the rest of its time
/// without a word in the report.
#[test]
fn a_drone_whose_propellers_spin_fast_falls_as_fast_as_a_stone() {
    let mut world = World::new(options());
    spun_propeller(&mut world, 2100.0);
    for step in 1..=6 {
        let report = world.step(DT).expect("a step");
        assert_eq!(report.lost, [], "in step {step}");
        let time = f64::from(step) * DT;
        let fallen = 10.0 - world.bodies()[0].centre().z;
        let expected = 0.5 * 9.81 * time * time;
        assert!((fallen - expected).abs() < 1e-6, "{fallen} m, not {expected} m in {time} s");
    }
}

/// And where parts do run out, the report says who lost how much.
#[test]
fn a_linkage_that_runs_out_of_parts_says_so() {
    let mut world = World::new(Options { max_parts: 4, ..in_space().options().to_owned() });
    let both = spun_propeller(&mut world, 600.0);
    let report = world.step(DT).expect("a step");
    let lost: Vec<_> = report.lost.iter().map(|lost| lost.body).collect();
    assert_eq!(lost, both);
    // 10 rad, of which 4 parts make at most 1.6.
    assert!(report.lost.iter().all(|lost| lost.seconds > 0.8 * DT && lost.seconds < DT));
}

/// A rod in a channel that a driven slide pushes against a wall: the rod waited, the slide went on,
/// and the joint between them opened by its way.
#[test]
fn a_joint_to_a_driven_body_stays_closed_where_the_other_is_wedged() {
    let mut world = in_space();
    let route = Route::twist(at(-0.6, 0.0, 0.0), DVec3::X, DVec3::ZERO).expect("a route");
    let slide = world.add(Body::kinematic(cuboid([0.1; 3]), route));
    let rod = world.add(dynamic(&cuboid([1.0, 0.1, 0.1]), 1000.0));
    for side in [-1.0, 1.0] {
        let wall = 0.5515 * side;
        world.add(Body::fixed(cuboid([1.3, 1.0, 1.0])).at(at(0.35, wall, 0.0)));
        world.add(Body::fixed(cuboid([1.3, 1.0, 1.0])).at(at(0.35, 0.0, wall)));
    }
    world.add(Body::fixed(cuboid([0.2, 1.0, 1.0])).at(at(0.7, 0.0, 0.0)));
    let anchors = [0.1, -0.5].map(|x| Anchor::at([x, 0.0, 0.0]).expect("finite"));
    world.link(Joint::ball([slide.0, rod.0], anchors).expect("two")).expect("here");
    let mut waited = 0.0;
    for step in 0..30 {
        let report = world.step(DT).expect("a step");
        assert!(report.gap.length < 1e-6, "open by {} m in step {step}", report.gap.length);
        let of_slide = report.lost.iter().filter(|lost| lost.body == slide);
        waited += of_slide.map(|lost| lost.seconds).sum::<f64>();
    }
    assert!(waited > 0.3, "the slide has waited for {waited} s");
}

/// A pair of single points has no size, of which the bow of its way could be a share: its windows
/// were 0 s long, and all time was lost.
#[test]
fn two_beads_that_spin_move_on() {
    for options in [options(), Options::events()] {
        let mut world = World::new(Options { gravity: DVec3::ZERO, ..options });
        let bead = || {
            let points = chasles::Polygons {
                points: vec![0],
                ..chasles::Polygons::new([[0.0; 3]], Vec::<[u32; 3]>::new())
            };
            let mesh = chasles::Polyhedron::new(&points).expect("a point");
            let sphere = chasles::round::Round::sphere(0.1).expect("a ball");
            let mass =
                chasles_dynamics::body::MassProperties::of_round(&sphere, 100.0).expect("a mass");
            Body::dynamic(Shape::from(chasles::Collider::new(mesh)), mass)
        };
        let ids = [-0.01, 0.01].map(|x| {
            let spin = DVec3::Z * 10.0;
            world.add(bead().at(at(x, 0.0, 0.0)).moving(DVec3::Y * x.signum(), spin))
        });
        for _ in 0..10 {
            let report = world.step(DT).expect("a step");
            assert_eq!((report.lost.len(), report.waiting.len()), (0, 0));
        }
        let way = world.bodies()[ids[1].0].pose().position().y;
        assert!((way - 10.0 * DT).abs() < 1e-9, "{way} m");
    }
}

/// With no window at all time goes on, nothing moves, and the report says so: also of a body alone.
#[test]
fn a_step_of_no_windows_loses_all_of_its_time() {
    let mut world = World::new(Options { max_parts: 0, ..options() });
    let id = world.add(dynamic(&cuboid([0.1; 3]), 1000.0));
    let report = world.step(DT).expect("a step");
    let lost: Vec<_> = report.lost.iter().map(|lost| (lost.body, lost.seconds)).collect();
    assert_eq!(lost, [(id, DT)]);
    assert_eq!(world.bodies()[id.0].pose().position(), DVec3::ZERO);
}

/// A square of one metre that lies here.
fn sheet(centre: DVec3) -> Sheet {
    let corner = centre - 0.5 * (DVec3::X + DVec3::Y);
    let net = Net::grid(corner, [DVec3::X, DVec3::Y], [4; 2], &Fabric::default()).expect("a net");
    Sheet::new(net).expect("a sheet")
}

/// What a welded block bears that a shot of 10 N s hits, and whether the weld breaks at 1 kN; with
/// a shot past a sheet elsewhere, or without it.
fn borne_by_a_weld(is_hurried: bool) -> (f64, bool) {
    let mut world = in_space();
    let post = world.add(Body::fixed(cuboid([0.1; 3])));
    let block = world.add(dynamic(&cuboid([0.1; 3]), 1000.0).at(at(0.5, 0.0, 0.0)));
    let anchors = [0.25, -0.25].map(|x| Anchor::at([x, 0.0, 0.0]).expect("finite"));
    let weld = Joint::weld([post.0, block.0], anchors).expect("two");
    let weld = world.link(weld).expect("here");
    world.set_strength(weld, Some(Strength { force: 1000.0, torque: 1e9 })).expect("there");
    let dull = made_of(0.0, 0.0);
    let shot = dynamic(&cuboid([0.1; 3]), 1000.0).made_of(dull).at(at(0.5, -0.15, 0.0));
    world.add(shot.moving(DVec3::Y * 10.0, DVec3::ZERO));
    if is_hurried {
        world.add_sheet(sheet(DVec3::new(20.0, 0.0, 0.0)));
        let fast = dynamic(&cuboid([0.1; 3]), 1000.0).at(at(20.0, 0.0, 0.5));
        world.add(fast.moving(DVec3::X * 200.0, DVec3::ZERO));
    }
    world.listen(true);
    let report = world.step(DT).expect("a step");
    assert_eq!(report.joint_forces.len(), 1, "each joint is told of once");
    let mut pairs: Vec<_> = report.events.iter().map(|event| event.bodies).collect();
    pairs.dedup();
    assert_eq!(pairs.len(), report.events.len(), "each pair is told of once");
    (report.joint_forces[0].force.length(), report.broken == [weld])
}

/// A step with sheets may be cut into 256 parts, and each joint was judged by the mean of each
/// part: one that bears a blow broke when something hurried past a sheet elsewhere.
#[test]
fn what_a_joint_bears_does_not_depend_on_a_sheet_elsewhere() {
    let (alone, breaks) = borne_by_a_weld(false);
    assert!(!breaks && (alone - 600.0).abs() < 1.0, "{alone} N");
    let (hurried, breaks) = borne_by_a_weld(true);
    assert!(!breaks && (hurried - alone).abs() < 1e-3 * alone, "{hurried} N, not {alone} N");
}

/// Bodies that wait for a sheet that they squeeze were not in `Report::lost`, and sheets that wait
/// were in no report at all.
#[test]
fn who_waits_for_a_sheet_is_said_to_lose_the_time() {
    let mut world = World::new(options());
    world.add(floor());
    let keys = vec![(0.0, at(0.0, 0.0, 0.4)), (1.0, at(0.0, 0.0, -1.0))];
    let press = Body::kinematic(cuboid([2.0, 2.0, 0.2]), Route::keys(keys).expect("down"));
    world.add(press);
    world.add_sheet(sheet(DVec3::Z * 0.1));
    let mut waits = 0;
    for step in 0..40 {
        let report = world.step(DT).expect("a step");
        let mut waiting = report.waiting.clone();
        waiting.sort_unstable();
        let lost: Vec<_> = report.lost.iter().map(|lost| lost.body).collect();
        assert_eq!(waiting, lost, "in step {step}");
        assert!(report.lost.iter().all(|lost| lost.seconds <= DT * (1.0 + 1e-9)), "in step {step}");
        waits += waiting.len();
    }
    assert!(waits > 0, "nothing has waited");
}

/// A body that turns faster than a step has windows for cost all members of its island the rest of
/// the step, also those that it was not near. Now they share the windows, and nobody loses any.
#[test]
fn what_turns_too_fast_for_a_step_costs_others_nothing() {
    let mut world = in_space();
    let needle = dynamic(&cuboid([0.02, 0.02, 0.2]), 1000.0);
    let top = world.add(needle.moving(DVec3::ZERO, DVec3::Z * 3e5));
    let cube = dynamic(&cuboid([0.1; 3]), 1000.0);
    let linear = DVec3::new(0.0, 1.0, 0.0);
    let places = [0.07, 0.18].map(|x| DVec3::X * x);
    let ids = places.map(|place| {
        let pose = Pose::from_position(place).expect("finite");
        world.add(cube.clone().at(pose).moving(linear, DVec3::ZERO))
    });
    let report = world.step(DT).expect("a step");
    assert_eq!(report.lost, []);
    let spin = world.bodies()[top.0].velocity().angular;
    assert!(spin.distance(DVec3::Z * 3e5) < 1e-6, "it spins at {spin} rad/s");
    for (id, place) in ids.into_iter().zip(places) {
        let off = world.bodies()[id.0].centre().distance(place + DT * linear);
        assert!(off < 1e-9, "{off} m off");
    }
}

/// A ball of restitution 1 that falls beside a rotor, so near that both are one island, and how
/// high it comes back from a fall of half a metre.
fn height_beside_a_rotor(torque: f64) -> f64 {
    let mut world = World::new(options());
    world.add(floor().made_of(made_of(1.0, 0.0)));
    let post = world.add(Body::fixed(cuboid([0.1; 3])).at(at(0.0, 0.0, 0.76)).intangible());
    let rotor = world.add(dynamic(&cuboid([1.0, 0.1, 1.0]), 1e5).at(at(0.0, 0.0, 0.76)));
    let anchors = [Anchor::along(DVec3::ZERO, DVec3::Y).expect("finite"); 2];
    let hinge = Joint::hinge([post.0, rotor.0], anchors).expect("two");
    let hinge = if torque > 0.0 { hinge.drive_angle(1e3, torque).expect("a motor") } else { hinge };
    world.link(hinge).expect("both are here");
    let cube = dynamic(&cuboid([0.1; 3]), 100.0).made_of(made_of(1.0, 0.0));
    let cube = world.add(cube.at(at(0.77, 0.0, 0.5501)));
    let mut heights = Vec::new();
    for _ in 0..44 {
        world.step(DT).expect("a step");
        heights.push(world.bodies()[cube.0].centre().z);
    }
    // It is on the floor after a third of a second, and up again after another.
    heights[24..].iter().copied().fold(0.0, f64::max)
}

/// The work of a motor was not allowed for, and so the ball had no energy to bounce with.
#[test]
fn a_motor_takes_no_bounce_from_what_it_does_not_touch() {
    let [alone, beside] = [0.0, 2e4].map(height_beside_a_rotor);
    assert!((alone - 0.55).abs() < 0.01, "it comes back to {alone} m");
    assert!((beside - alone).abs() < 1e-3, "to {beside} m beside a motor, not to {alone} m");
}
