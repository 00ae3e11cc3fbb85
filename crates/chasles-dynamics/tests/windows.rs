//! Worlds that are stepped in windows: the promise, the laws, and what they cost.

#[path = "worlds/scenes.rs"]
#[allow(dead_code)]
mod scenes;

use chasles::Pose;
use chasles_dynamics::world::{Load, Report, Route};
use chasles_dynamics::{Body, Options, World, WorldError};
use chasles_testkit::generate::Random;
use glam::{DQuat, DVec3};
use scenes::{
    Judge, at, cars, cuboid, dominoes, dynamic, energy, floor, made_of, rocks, wall, weight,
};

const DT: f64 = 1.0 / 60.0;

fn in_windows(mut world: World) -> World {
    world.set_options(Options::windows());
    world
}

fn empty() -> World {
    World::new(Options::windows())
}

/// Lets a world run, and finds no two bodies that cross at the end of any step, no energy beyond a
/// mean lift of this height in a step, and no time lost.
fn run(name: &str, mut world: World, seconds: f64, lift: f64) -> World {
    let judge = Judge::new(&world);
    let lifted = lift * weight(&world);
    for step in 0..(seconds / DT).round() as u32 {
        let before = energy(&world);
        let report = world.step(DT).expect("a step");
        assert_eq!(judge.crossing(&world), None, "{name} in step {step}");
        assert_eq!(report.lost, [], "{name} in step {step}");
        let after = energy(&world);
        let most = before + 1e-9 * before.abs() + lifted;
        assert!(after <= most, "{name} gains from {before} to {after} J in step {step}");
    }
    world
}

/// Boxes at random attitudes that fall onto each other between four walls.
fn pile(count: u32) -> World {
    let mut world = empty();
    world.add(floor());
    for sign in [-1.0, 1.0] {
        world.add(Body::fixed(cuboid([1.0, 0.99, 6.0])).at(at(sign, 0.0, 3.001)));
        world.add(Body::fixed(cuboid([0.99, 1.0, 6.0])).at(at(0.0, sign, 3.001)));
    }
    let random = &mut Random::new(5);
    for i in 0..count {
        let [x, y] = [i % 2, i / 2 % 2].map(|k| 0.36 * f64::from(k) - 0.18);
        let place = [x, y, 0.3 + 0.36 * f64::from(i / 4)];
        let pose = Pose::new(place, random.rotation()).expect("finite");
        world.add(dynamic(&cuboid([0.2; 3]), 1000.0).at(pose));
    }
    world
}

#[test]
fn heaps_stay_apart_lose_no_time_and_gain_nothing() {
    run("a pile", pile(24), 2.0, 1e-6);
    run("dominoes", in_windows(dominoes(8)), 1.5, 1e-6);
    run("rocks", in_windows(rocks(10)), 2.0, 1e-6);
}

#[test]
fn violent_collisions_keep_bodies_apart() {
    for (name, world, seconds) in [
        ("cars", in_windows(cars()), 0.5),
        ("a wall that is hit", in_windows(wall(4, 5, true)), 0.5),
    ] {
        let mut world = world;
        let judge = Judge::new(&world);
        for step in 0..(seconds / DT).round() as u32 {
            world.step(DT).expect("a step");
            assert_eq!(judge.crossing(&world), None, "{name} in step {step}");
        }
    }
}

#[test]
fn a_bullet_does_not_pass_a_thin_plate_at_any_speed() {
    for speed in [10.0, 1e3, 1e4] {
        let mut world = empty();
        world.add(Body::fixed(cuboid([4.0, 4.0, 0.001])));
        let spin = DVec3::new(3.0, 200.0, 5.0);
        let bullet = dynamic(&cuboid([0.02, 0.02, 0.05]), 8000.0).at(at(0.1, 0.2, 2.0));
        world.add(bullet.moving(DVec3::Z * -speed, spin));
        for _ in 0..40 {
            world.step(DT).expect("a step");
            assert!(world.bodies()[1].pose().position().z > 0.0, "through at {speed} m/s");
        }
    }
}

#[test]
fn stacks_and_walls_come_to_rest_and_sleep() {
    let mut stack = empty();
    stack.add(floor());
    for i in 0..8 {
        let place = at(0.0, 0.0, 0.6 + 1.05 * f64::from(i));
        stack.add(dynamic(&cuboid([1.0; 3]), 1.0).at(place));
    }
    for (name, world) in [("stack", stack), ("wall", in_windows(wall(4, 6, false)))] {
        let world = run(name, world, 4.0, 1e-6);
        assert!(world.bodies()[1..].iter().all(Body::is_asleep), "the {name} does not sleep");
    }
}

/// Sweeps over the contacts do not come to an end here.
#[test]
fn towers_that_get_heavier_upwards_stand_and_wait_for_nothing() {
    for (count, ratio, stride) in [(20, 1.5, 7), (40, 1.1, 1), (60, 1.0, 17)] {
        let mut world = empty();
        world.add(floor());
        let cube = cuboid([0.2; 3]);
        for i in (0..count).map(|k| k * stride % count) {
            let density = 1000.0 * f64::powi(ratio, i);
            let height = 0.2 * (0.5001 + 1.0001 * f64::from(i));
            world.add(dynamic(&cube, density).at(at(0.002 * f64::from(i % 3), 0.0, height)));
        }
        let (world, reports) = reports(world, 180);
        let lost = reports.iter().map(|report| report.lost.len()).sum::<usize>();
        assert_eq!(lost, 0, "{count} cubes that grow by {ratio} wait");
        let top = world.bodies()[1..].iter().map(|body| body.centre().z).fold(0.0, f64::max);
        let stood = 0.2 * (0.5001 + 1.0001 * f64::from(count - 1));
        assert!((top - stood).abs() < 1e-3, "{count} cubes that grow by {ratio} end at {top}");
    }
}

#[test]
fn bodies_that_begin_closer_than_the_kept_gap_are_not_lifted() {
    let mut world = empty();
    world.add(floor());
    for i in 0..6 {
        let place = at(0.0, 0.0, 0.1 + 1e-5 + (0.2 + 1e-5) * f64::from(i));
        world.add(dynamic(&cuboid([0.2; 3]), 1000.0).at(place));
    }
    let before = energy(&world);
    let world = run("a tower", world, 1.0, 1e-7);
    let lift = (energy(&world) - before) / weight(&world);
    assert!(lift < 1e-7, "lifted by {lift} m");
}

#[test]
fn a_block_on_a_slope_slips_at_the_angle_of_friction() {
    let slides = |degrees: f64| {
        let mut world = World::new(Options { sleep_below: 0.0, ..Options::windows() });
        let turn = DQuat::from_rotation_y(degrees.to_radians());
        let plank = Pose::new(turn * DVec3::new(0.0, 0.0, -0.5), turn).expect("finite");
        let rough = made_of(0.0, 0.5);
        world.add(Body::fixed(cuboid([40.0, 4.0, 1.0])).at(plank).made_of(rough));
        let place = Pose::new(turn * DVec3::new(0.0, 0.0, 0.1002), turn).expect("finite");
        world.add(dynamic(&cuboid([0.4, 0.4, 0.2]), 500.0).at(place).made_of(rough));
        for _ in 0..300 {
            world.step(DT).expect("a step");
        }
        world.bodies()[1].pose().position().distance(place.position())
    };
    let angle = 0.5_f64.atan().to_degrees();
    let held = slides(angle - 0.05);
    assert!(held < 1e-3, "creeps by {held} m in 5 s");
    // Friction of 0.49 on the slope of 0.5, as the closed form has it.
    let slope = (angle + 0.5).to_radians();
    let expected = 0.5 * 25.0 * 9.81 * (slope.sin() - 0.5 * slope.cos());
    let way = slides(angle + 0.5);
    assert!((way / expected - 1.0).abs() < 0.05, "{way} m, not {expected} m in 5 s");
}

#[test]
fn a_load_below_friction_moves_nothing_and_one_above_does() {
    for (force, expected) in [(4.8, 0.0), (5.0, 0.5 * (5.0 - 0.5 * 9.81))] {
        let mut world = empty();
        world.add(floor());
        let body = dynamic(&cuboid([1.0, 1.0, 0.2]), 1.0 / 0.2).made_of(made_of(0.0, 0.5));
        let id = world.add(body.at(at(0.0, 0.0, 0.1002)));
        for _ in 0..60 {
            world.step(DT).expect("a step");
        }
        world.load(id, Load { force: DVec3::X * force, ..Load::default() });
        for _ in 0..60 {
            world.step(DT).expect("a step");
        }
        let way = world.bodies()[id.0].pose().position().x;
        assert!((way - expected).abs() < 2e-3, "{way}, not {expected} m by {force} N");
    }
}

#[test]
fn what_is_dropped_comes_back_to_the_square_of_its_restitution() {
    for restitution in [0.3, 0.8, 1.0] {
        let mut world = empty();
        world.add(floor().made_of(made_of(1.0, 0.0)));
        let cube = dynamic(&cuboid([0.2; 3]), 1.0).made_of(made_of(restitution, 0.0));
        world.add(cube.at(at(0.0, 0.0, 1.1)));
        let (mut bounced, mut steps) = (None, 0);
        while bounced.is_none() && steps < 60 {
            let report = world.step(DT).expect("a step");
            let body = &world.bodies()[1];
            let head = body.pose().position().z - 0.1 + body.velocity().linear.z.powi(2) / 19.62;
            bounced = (!report.impacts.is_empty()).then_some(head);
            steps += 1;
        }
        let ratio = bounced.expect("an impact") / restitution.powi(2);
        assert!((ratio - 1.0).abs() < 5e-3, "{ratio} of the height at {restitution}");
    }
}

/// A body that flies through a heap of collisions, next to others, and touches nothing.
#[test]
fn a_free_body_beside_collisions_follows_its_parabola() {
    let mut world = pile(24);
    let start = DVec3::new(0.0, 0.0, 12.0);
    let [linear, angular] = [DVec3::Z * -3.0, DVec3::new(0.0, 0.0, 40.0)];
    let needle = dynamic(&cuboid([0.01, 0.01, 0.3]), 1000.0).at(at(0.0, 0.0, 12.0));
    let free = world.add(needle.moving(linear, angular));
    for step in 1..=45 {
        world.step(DT).expect("a step");
        let time = f64::from(step) * DT;
        let expected = start + time * linear - 0.5 * 9.81 * time * time * DVec3::Z;
        let error = world.bodies()[free.0].centre().distance(expected);
        assert!(error < 1e-9, "{error} m off in step {step}");
    }
}

fn reports(mut world: World, steps: u32) -> (World, Vec<Report>) {
    let all = (0..steps).map(|_| world.step(DT).expect("a step")).collect();
    (world, all)
}

#[test]
fn the_same_bits_follow_at_any_number_of_threads_and_after_going_back() {
    let bits = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| reports(pile(16), 60).0.fingerprint())
    };
    assert_eq!(bits(1), bits(4));
    let (mut world, _) = reports(pile(16), 30);
    let moment = world.save();
    let once = reports(world.clone(), 30).0.fingerprint();
    reports(world.clone(), 5);
    world.restore(&moment).expect("the same world");
    assert_eq!(reports(world, 30).0.fingerprint(), once);
}

#[test]
fn a_plate_on_its_route_pushes_boxes_and_a_press_on_a_block_says_that_it_waits() {
    let mut world = empty();
    world.add(floor());
    let route = Route::twist(at(-1.0, 0.0, 0.5), DVec3::X, DVec3::ZERO).expect("a route");
    world.add(Body::kinematic(cuboid([0.1, 1.0, 0.8]), route));
    let pushed = world.add(dynamic(&cuboid([0.2; 3]), 500.0).at(at(-0.5, 0.0, 0.101)));
    let (world, _) = reports(world, 120);
    let x = world.bodies()[pushed.0].pose().position().x;
    assert!((x - 1.15).abs() < 0.02, "pushed to {x}");

    let mut world = empty();
    world.add(floor());
    world.add(dynamic(&cuboid([0.4; 3]), 500.0).at(at(0.0, 0.0, 0.201)));
    let keys = vec![(0.0, at(0.0, 0.0, 1.0)), (1.0, at(0.0, 0.0, 0.2)), (2.0, at(0.0, 0.0, 1.0))];
    let press = world
        .add(Body::kinematic(cuboid([1.0, 1.0, 0.1]), Route::keys(keys).expect("times that grow")));
    let (mut waited, mut lowest) = (0.0, 1.0_f64);
    for _ in 0..125 {
        let report = world.step(DT).expect("a step");
        let [parts, impacts] = [report.parts as usize, report.impacts.len()];
        assert!(parts < 20 && impacts < 20, "{parts} parts and {impacts} impacts in a step");
        let of_press = report.lost.iter().filter(|lost| lost.body == press);
        waited += of_press.map(|lost| lost.seconds).sum::<f64>();
        lowest = lowest.min(world.bodies()[press.0].pose().position().z);
    }
    assert!(waited > 0.2 && lowest > 0.449, "waited {waited} s, came down to {lowest}");
    let z = world.bodies()[press.0].pose().position().z;
    assert!((z - 1.0).abs() < 1e-6, "the press ends at {z}");
}

#[test]
fn what_rests_costs_little() {
    let world = World::new(Options { sleep_below: 0.0, ..Options::windows() });
    let mut world = world;
    world.add(floor());
    for i in 0..20 {
        let [x, z] = [i % 5, i / 5].map(f64::from);
        let place = at(0.25 * x, 0.0, 0.1002 + 0.2002 * z);
        world.add(dynamic(&cuboid([0.2; 3]), 1000.0).at(place));
    }
    let (_, reports) = reports(world, 240);
    let last: Vec<_> = reports[200..].iter().map(|report| report.work).collect();
    let visits: u64 = last.iter().map(|work| work.visits).sum();
    let queries: u64 = last.iter().map(|work| work.queries).sum();
    // 80 contacts in 40 steps, a few sweeps each.
    assert!(visits < 3 * 80 * 40 && queries == 0, "{visits} visits, {queries} queries");
}

#[test]
fn a_moment_of_other_shapes_brings_no_contacts_of_theirs() {
    let cube_of = |height: f64| {
        let mut world = empty();
        world.add(floor());
        world.add(dynamic(&cuboid([0.2, 0.2, height]), 1000.0).at(at(0.0, 0.0, 0.1003)));
        world
    };
    let (low, _) = reports(cube_of(0.19), 3);
    let mut high = cube_of(0.2);
    high.restore(&low.save()).expect("as many bodies");
    let judge = Judge::new(&high);
    if high.check().is_ok() {
        high.step(DT).expect("a step");
        assert_eq!(judge.crossing(&high), None);
    }
}

#[test]
fn a_body_that_leaves_its_route_within_a_window_keeps_its_momentum() {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..Options::windows() });
    let cube = cuboid([0.2; 3]);
    let heavy = dynamic(&cube, 1000.0).mass_properties().copied().expect("it has mass");
    let route = Route::twist(at(0.0, 0.0, 0.0), DVec3::X * 6.0, DVec3::ZERO).expect("a route");
    let yielding = world.add(Body::yielding(cube, route, heavy));
    let chip = dynamic(&cuboid([0.05; 3]), 8.0).made_of(made_of(0.0, 0.0)).at(at(0.19, 0.0, 0.0));
    let chip = world.add(chip);
    let mass =
        |id: usize, world: &World| world.bodies()[id].mass_properties().map_or(0.0, |s| s.mass());
    let before = 6.0 * heavy.mass();
    for _ in 0..3 {
        world.step(DT).expect("a step");
    }
    let momentum: f64 = [yielding.0, chip.0]
        .into_iter()
        .map(|id| mass(id, &world) * world.bodies()[id].velocity().linear.x)
        .sum();
    assert!((momentum / before - 1.0).abs() < 1e-9, "{momentum} of {before} kg m/s");
}

/// The tip of a rod is hit so hard that it would turn by more than a radian in the step.
#[test]
fn what_an_impact_spins_up_turns_little_in_each_part() {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..Options::windows() });
    let rod = world.add(dynamic(&cuboid([2.0, 0.02, 0.02]), 1000.0));
    for y in [-0.7, 0.7] {
        world.add(Body::fixed(cuboid([0.1, 0.1, 1.0])).at(at(0.0, y, 0.0)));
    }
    let shot = dynamic(&cuboid([0.05; 3]), 8000.0).at(at(0.9, -1.0, 0.0));
    world.add(shot.moving(DVec3::Y * 200.0, DVec3::ZERO));
    world.record(true);
    let judge = Judge::new(&world);
    for _ in 0..30 {
        let report = world.step(DT).expect("a step");
        assert_eq!(judge.crossing(&world), None);
        for part in &report.record {
            // Bodies that are alone may turn as far as they like.
            for moved in part.moves.iter().filter(|moved| moved.body == rod && part.moves.len() > 1)
            {
                let [from, to] = moved.poses.map(|pose| pose.rotation());
                let turn = 2.0 * (to * from.conjugate()).xyz().length().min(1.0).asin();
                assert!(turn < 1.8, "{turn} rad in a part");
            }
        }
    }
}

/// A step that may cost next to nothing is one window, and what that leaves unsolved waits. What
/// touches nothing flies on.
#[test]
fn a_budget_bounds_a_step_and_what_was_proven_in_it_counts() {
    for max_work in [0.0, 20.0, 1e3] {
        let mut world = pile(24);
        world.set_options(Options { max_work, ..*world.options() });
        let free = dynamic(&cuboid([0.2; 3]), 1000.0).at(at(0.0, 0.0, 9.0));
        let free = world.add(free.moving(DVec3::X * 0.1, DVec3::Z));
        let judge = Judge::new(&world);
        let mut rounds = 0;
        for step in 0..40 {
            let report = world.step(DT).expect("a step");
            assert_eq!(judge.crossing(&world), None, "{max_work} in step {step}");
            assert!(report.lost.iter().all(|lost| lost.body != free), "{max_work} in step {step}");
            rounds += report.work.rounds;
        }
        // A round is begun while something is left to spend, and no trial without it.
        assert_eq!(rounds > 0, max_work > 0.0, "{rounds} rounds for {max_work}");
        let time = 40.0 * DT;
        let fallen = 9.0 - 0.5 * 9.81 * time * time - world.bodies()[free.0].centre().z;
        assert!(fallen.abs() < 1e-9, "{fallen} m off its parabola at {max_work}");
    }
    let mut world = pile(24);
    world.set_options(Options { max_work: f64::INFINITY, ..*world.options() });
    assert_eq!(world.step(DT).map(|report| report.lost), Ok(Vec::new()));
    world.set_options(Options { max_work: f64::NAN, ..*world.options() });
    assert!(matches!(world.step(DT), Err(WorldError::Work(_))));
}

/// A disc that turns by 17,000 radians in a step shares it with what it does not touch.
#[test]
fn no_body_loses_time_to_one_that_turns_too_fast_for_the_windows_of_a_step() {
    let mut world = World::new(Options { max_parts: 64, ..Options::windows() });
    let disc = dynamic(&cuboid([1.0, 1.0, 0.1]), 1000.0).at(at(0.0, 0.0, 5.0));
    let disc = world.add(disc.moving(DVec3::ZERO, DVec3::Z * 1e6));
    let cube = world.add(dynamic(&cuboid([0.1; 3]), 1000.0).at(at(0.8, 0.0, 5.0)));
    for step in 1..=20 {
        let report = world.step(DT).expect("a step");
        assert_eq!((report.lost, report.parts), (Vec::new(), 64), "in step {step}");
        let time = f64::from(step) * DT;
        for id in [disc, cube] {
            let fallen = 5.0 - world.bodies()[id.0].centre().z;
            assert!((fallen - 0.5 * 9.81 * time * time).abs() < 1e-9, "{fallen} m in {time} s");
        }
    }
}

/// How the worlds of the scenes move.
fn options() -> Options {
    Options::default()
}
