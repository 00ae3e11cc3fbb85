//! A character slides, climbs, descends and stands, the same each time.

use std::f64::consts::PI;

use chasles::glam::{DQuat, DVec3};
use chasles::trace::{Body, Fixture, Walk, Walker, Workspace, World};
use chasles::{Polygons, Pose};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;
use chasles_testkit::trace::Soup;

/// A box by its lowest and highest corner.
fn block(low: [f64; 3], high: [f64; 3]) -> Polygons {
    let [low, high] = [low, high].map(DVec3::from_array);
    shapes::mapped(shapes::cuboid(high - low), |v| v + (low + high) * 0.5)
}

/// A wedge that rises along x from 0 to `run` by `rise`, and is 4 wide.
fn ramp(at: [f64; 3], run: f64, rise: f64) -> Polygons {
    let corner = |x: f64, y: f64, z: f64| DVec3::from_array(at) + DVec3::new(x, y, z);
    let vertices =
        [0.0, 4.0].map(|z| [corner(0., 0., z), corner(run, 0., z), corner(run, rise, z)]);
    let faces: [&[u32]; 5] = [&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[0, 3, 5, 2]];
    Polygons::new(vertices.concat(), faces.map(<[u32]>::to_vec))
}

/// A floor with walls, stairs of 0.2, a gentle ramp and a steep one.
fn level() -> Vec<Polygons> {
    let mut level = vec![
        block([-20., -1., -20.], [20., 0., 20.]),
        block([8., 0., -20.], [9., 4., 20.]),
        block([-20., 0., 8.], [20., 4., 9.]),
        ramp([-10., 0., -10.], 4.0, 1.5),
        ramp([-10., 0., -18.], 2.0, 4.0),
    ];
    level.extend((0..5).map(|i| {
        let i = f64::from(i);
        block([2. + 0.4 * i, 0., -4.], [6., 0.2 * (i + 1.0), 0.])
    }));
    level
}

fn world() -> World {
    World::new(level().into_iter().map(Fixture::new).collect()).expect("a world")
}

fn walker() -> Walker {
    let body = Body::new(&shapes::cuboid(DVec3::new(0.6, 1.8, 0.6))).expect("a body");
    Walker::new(body, DVec3::Y, 0.3, PI / 4.0).expect("fitting numbers")
}

/// Drops the character somewhere, and walks.
fn run(at: [f64; 3], by: [f64; 3], frames: usize) -> Vec<Walk> {
    let (world, walker, mut workspace) = (world(), walker(), Workspace::new());
    let start = Pose::from_position(DVec3::from_array(at)).expect("finite");
    let body = Body::new(&shapes::cuboid(DVec3::new(0.6, 1.8, 0.6))).expect("a body");
    let down = DVec3::new(0.0, -3.0, 0.0);
    let mut pose = world.translate(&body, &start, down, &mut workspace).expect("finite").end;
    let step = |_| {
        let by = DVec3::from_array(by);
        let walk = walker.walk(&world, &pose, by, &mut workspace).expect("finite");
        assert!(!walk.started_solid);
        pose = walk.end;
        walk
    };
    (0..frames).map(step).collect()
}

fn feet(walk: &Walk) -> DVec3 {
    walk.end.position() - DVec3::new(0.0, 0.9, 0.0)
}

#[test]
fn stairs_are_climbed_and_descended_on_foot() {
    let up = run([0.0, 1.5, -2.0], [0.1, 0.0, 0.0], 40);
    assert!(up.iter().all(|walk| walk.ground.is_some()), "always on the ground");
    let top = feet(&up[39]);
    assert!((top.y - 1.0).abs() < 1e-9 && top.x > 3.9, "{top}");
    let down = run([4.5, 3.0, -2.0], [-0.1, 0.0, 0.0], 60);
    assert!(down.iter().all(|walk| walk.ground.is_some()), "stays on the ground");
    assert!(feet(&down[59]).y.abs() < 1e-9 && feet(&down[59]).x < 0.0);
}

#[test]
fn gentle_slopes_are_walked_up_and_steep_ones_are_walls() {
    let gentle = run([-11.0, 1.5, -8.0], [0.1, 0.0, 0.0], 45);
    assert!(gentle.iter().all(|walk| walk.ground.is_some()));
    assert!((feet(&gentle[44]).y - 1.5).abs() < 0.3, "{}", feet(&gentle[44]));
    let steep = run([-11.0, 1.5, -16.0], [0.1, 0.0, 0.0], 45);
    let end = feet(&steep[44]);
    assert!(end.y < 0.31 && end.x < -9.5, "{end}");
    assert!(steep[44].wall.is_some());
}

#[test]
fn a_wall_is_slid_along_and_a_corner_is_quiet() {
    let along = run([7.0, 1.5, 0.0], [0.2, 0.0, 0.1], 20);
    let end = feet(&along[19]);
    assert!((end.x - 7.7).abs() < 1e-9 && (end.z - 2.0).abs() < 1e-6, "{end}");
    let corner = run([6.0, 1.5, 6.0], [0.2, 0.0, 0.15], 40);
    let settled = corner[30].end;
    assert!(corner[30..].iter().all(|walk| walk.end == settled), "not a bit moves");
    assert!(feet(&corner[30]).distance(DVec3::new(7.7, 0.0, 7.7)) < 1e-9);
}

#[test]
fn standing_still_is_standing_still() {
    let still = run([0.0, 1.5, 3.0], [0.0, 0.0, 0.0], 50);
    assert!(still.iter().all(|walk| walk.end == still[0].end && walk.ground.is_some()));
}

#[test]
fn a_jump_leaves_the_ground_and_an_edge_is_fallen_from() {
    let jump = run([0.0, 1.5, 3.0], [0.0, 0.5, 0.0], 1);
    assert!(jump[0].ground.is_none() && feet(&jump[0]).y > 0.49);
    // The stairs' back is a drop of 1, more than a step.
    let over = run([5.0, 3.0, -2.0], [0.2, 0.0, 0.0], 12);
    let last = over.last().expect("twelve frames");
    assert!(last.ground.is_none() && feet(last).y > 0.99, "{last:?}");
}

#[test]
fn a_long_random_run_never_crosses_the_level_and_repeats_itself() {
    let run = || {
        let (world, walker, mut workspace) = (world(), walker(), Workspace::new());
        let mut random = Random::new(3);
        let mut pose = Pose::from_position(DVec3::new(0.0, 0.91, 0.0)).expect("finite");
        let mut wanted = DVec3::X;
        let mut poses = Vec::new();
        for frame in 0..2_000 {
            if frame % 20 == 0 {
                wanted = 0.15 * random.direction() * DVec3::new(1.0, 0.0, 1.0);
            }
            let grounded = poses.last().is_none_or(|(_, is_grounded)| *is_grounded);
            let fall = if grounded { DVec3::ZERO } else { DVec3::new(0.0, -0.1, 0.0) };
            let walk = walker.walk(&world, &pose, wanted + fall, &mut workspace).expect("finite");
            assert!(!walk.started_solid, "frame {frame}");
            pose = walk.end;
            poses.push((pose, walk.ground.is_some()));
        }
        poses
    };
    let [once, again] = [run(), run()];
    assert_eq!(once, again);
    let level = Soup::new(&shapes::joined(&level()));
    let body = Soup::new(&shapes::cuboid(DVec3::new(0.6, 1.8, 0.6)));
    for (frame, (pose, _)) in once.iter().enumerate().step_by(10) {
        assert!(body.distance(pose, &level, 1e-6) > 0.0, "frame {frame}: {pose:?}");
    }
    assert!(once.iter().filter(|(_, is_grounded)| *is_grounded).count() > 1_000);
}

#[test]
fn walkers_that_cannot_be_are_refused() {
    for (up, step, slope) in [
        (DVec3::ZERO, 0.3, 0.7),
        (DVec3::Y, -0.3, 0.7),
        (DVec3::Y, 0.3, -0.7),
        (DVec3::Y, f64::NAN, 0.7),
        (DVec3::Y, 0.3, f64::INFINITY),
    ] {
        assert!(Walker::new(Body::point(), up, step, slope).is_err(), "{up} {step} {slope}");
    }
}

fn turned(position: DVec3, rotation: DQuat) -> Pose {
    Pose::new(position, rotation).expect("finite")
}

fn fall(world: &World, at: Pose, up: DVec3) -> Pose {
    let body = Body::new(&shapes::cuboid(DVec3::new(0.6, 1.8, 0.6))).expect("a body");
    world.translate(&body, &at, -3.0 * up, &mut Workspace::new()).expect("finite").end
}

fn walker_with(step: f64, up: DVec3) -> Walker {
    let body = Body::new(&shapes::cuboid(DVec3::new(0.6, 1.8, 0.6))).expect("a body");
    Walker::new(body, up, step, PI / 4.0).expect("fitting numbers")
}

#[test]
fn steep_walls_are_not_climbed_whatever_the_step() {
    let wall = || block([3., -8., -15.], [4., 8., 15.]);
    let mut workspace = Workspace::new();
    for lean in [0.05, 0.2, 0.5, 0.7] {
        let leaning = turned(DVec3::ZERO, DQuat::from_rotation_z(-lean));
        let floor = Fixture::new(block([-20., -1., -20.], [20., 0., 20.]));
        let world = World::new(vec![floor, Fixture::new(wall()).at(leaning)]).expect("a world");
        for step in [0.0, 1e-12, 1e-6, 0.01, 0.3] {
            let walker = walker_with(step, DVec3::Y);
            let start = turned(DVec3::new(-1.0, 2.0, 0.0), DQuat::IDENTITY);
            let mut pose = fall(&world, start, DVec3::Y);
            for _ in 0..100 {
                let by = 0.1 * DVec3::X;
                pose = walker.walk(&world, &pose, by, &mut workspace).expect("finite").end;
                let height = pose.position().y - 0.9;
                assert!(height < step + 1e-6, "{height} with {step} on a lean of {lean}");
            }
        }
    }
}

#[test]
fn a_step_of_exactly_the_height_is_climbed_and_kept_to_on_the_way_down() {
    let mut workspace = Workspace::new();
    for step in [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5] {
        for base in [0.0, 0.1, 0.7, 3.3, -2.1, 100.0] {
            let low = block([-5., base - 1., -5.], [5., base, 5.]);
            let high = block([1., base - 0.5, -5.], [5., base + step, 5.]);
            let world = World::new([low, high].map(Fixture::new).into()).expect("a world");
            let walker = walker_with(step, DVec3::Y);
            let start = turned(DVec3::new(0.0, base + 1.5, 0.0), DQuat::IDENTITY);
            let mut pose = fall(&world, start, DVec3::Y);
            for x in [0.1; 20].into_iter().chain([-0.1; 30]) {
                let by = x * DVec3::X;
                let walk = walker.walk(&world, &pose, by, &mut workspace).expect("finite");
                assert!(walk.ground.is_some(), "{step} at {base}: {walk:?}");
                pose = walk.end;
            }
            let end = pose.position();
            assert!((end.y - base - 0.9).abs() < 1e-6 && end.x < -0.9, "{step} at {base}: {end}");
        }
    }
}

#[test]
fn corners_of_leaning_walls_are_quiet_and_not_climbed() {
    let mut workspace = Workspace::new();
    let wall = || block([3., -8., -15.], [4., 8., 15.]);
    for seed in 0..150 {
        let random = &mut Random::new(seed);
        let tilt = if random.below(3) == 0 { DQuat::IDENTITY } else { random.rotation() };
        let place =
            |mesh: Polygons, q: DQuat| Fixture::new(shapes::mapped(mesh, |v| tilt * (q * v)));
        let mut side = |sign: f64| {
            let lean = DQuat::from_rotation_z(random.one_of(&[0.0, 0.1, -0.1]));
            place(wall(), DQuat::from_rotation_y(sign * random.between(0.2, 1.3)) * lean)
        };
        let walls = [side(1.0), side(-1.0)];
        let floor = place(block([-20., -1., -20.], [20., 0., 20.]), DQuat::IDENTITY);
        let world = World::new([[floor].as_slice(), &walls].concat()).expect("a world");
        let walker = walker_with(0.3, tilt * DVec3::Y);
        let start = turned(tilt * DVec3::new(-2.0, 2.0, 0.0), tilt);
        let mut pose = fall(&world, start, tilt * DVec3::Y);
        let by = tilt * (0.2 * DVec3::X);
        for frame in 0..300 {
            let walk = walker.walk(&world, &pose, by, &mut workspace).expect("finite");
            let height = (tilt.conjugate() * walk.end.position()).y - 0.9;
            assert!(height < 0.31, "climbs to {height}, seed {seed}");
            let moved = walk.end.position().distance(pose.position());
            assert!(
                frame < 290 || moved == 0.0 || moved > 1e-9,
                "trembles by {moved}, seed {seed}"
            );
            pose = walk.end;
        }
    }
}

#[test]
fn steep_slopes_are_not_climbed_in_the_air_and_slid_down() {
    let mut workspace = Workspace::new();
    let floor = || block([-20., -1., -20.], [20., 0., 20.]);
    for (seed, rise) in (0..40).map(|i| (i, [21.0, 25.0, 40.0, 100.0][i % 4])) {
        let random = &mut Random::new(seed as u64);
        let tilt = if seed % 3 == 0 { DQuat::IDENTITY } else { random.rotation() };
        let place = |mesh: Polygons| Fixture::new(shapes::mapped(mesh, |v| tilt * v));
        let world = World::new(vec![place(floor()), place(ramp([0., 0., -2.], 20., rise))]);
        let (world, walker) = (world.expect("a world"), walker_with(0.3, tilt * DVec3::Y));
        let mut pose = turned(tilt * DVec3::new(-1.0, random.between(2.5, 8.0), 0.0), tilt);
        let mut speed = 0.0;
        let mut heights = vec![f64::INFINITY];
        for frame in 0..400 {
            // A run into the slope all the while, and the fall as a program counts it.
            let by = tilt * DVec3::new(0.1, speed, 0.0);
            let walk = walker.walk(&world, &pose, by, &mut workspace).expect("finite");
            let moved = tilt.conjugate() * (walk.end.position() - pose.position());
            speed = if walk.ground.is_some() { 0.0 } else { moved.y - 0.003 };
            pose = walk.end;
            let now = (tilt.conjugate() * pose.position()).y - 0.9;
            let before = heights[frame];
            assert!(now < before + 1e-9 || now < 0.31, "climbs to {now}, seed {seed} {frame}");
            heights.push(now);
        }
        let [middle, end] = [heights[200], heights[400]];
        assert!(end < 0.31 || end < middle - 0.1, "hangs at {end}, seed {seed}");
    }
}
