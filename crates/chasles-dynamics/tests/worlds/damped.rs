//! Damping, conveyors, and forces at points.

use chasles_dynamics::body::Velocity;
use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::world::{Damping, Load, Springs};
use chasles_dynamics::{Body, BodyId, Options, World, WorldError};
use glam::DVec3;

use crate::scenes::{at, cuboid, dynamic, floor, made_of};

const DT: f64 = 1.0 / 60.0;

fn both() -> [Options; 2] {
    [Options::default(), Options::windows()]
}

fn run(world: &mut World, steps: u32) {
    (0..steps).for_each(|_| drop(world.step(DT).expect("a step")));
}

fn body(world: &World, id: BodyId) -> &Body {
    world.body(id).expect("it is there")
}

/// A fall with drag in one step and in many is the closed form.
#[test]
fn a_damped_fall_is_exact_at_any_step() {
    for (options, steps) in both().into_iter().flat_map(|o| [1, 7, 600].map(|n| (o, n))) {
        for rate in [0.0, 1e-9, 0.3, 40.0] {
            let mut world = World::new(options);
            let damping = Damping { linear: rate, angular: 0.0 };
            let start = DVec3::new(3.0, 0.0, 5.0);
            let cube = dynamic(&cuboid([0.5; 3]), 1.0).moving(start, DVec3::ZERO);
            let id = world.add(cube.damped(damping));
            let time = 2.0;
            (0..steps).for_each(|_| {
                world.step(time / f64::from(steps)).expect("a step");
            });
            let gravity = DVec3::Z * -9.81;
            let (speed, way) = if rate < 1e-6 {
                (start + time * gravity, time * start + 0.5 * time * time * gravity)
            } else {
                let limit = gravity / rate;
                let left = (-rate * time).exp();
                let way = limit * time + (start - limit) * (1.0 - left) / rate;
                (limit + left * (start - limit), way)
            };
            let found = body(&world, id);
            assert!(found.velocity().linear.distance(speed) < 1e-7, "{rate} {steps}");
            assert!(found.pose().position().distance(way) < 1e-7, "{rate} {steps}");
        }
    }
}

/// Free rotation that fades goes the way of one that does not, at another pace.
#[test]
fn a_damped_top_turns_on_the_path_of_a_free_one() {
    for options in both() {
        let rate: f64 = 0.7;
        let spin = DVec3::new(0.1, 3.0, 0.2);
        let brick = cuboid([0.3, 0.5, 0.9]);
        let turned = |angular: f64, seconds: f64, steps: u32| {
            let mut world = World::new(Options { gravity: DVec3::ZERO, ..options });
            let damping = Damping { linear: 0.0, angular };
            let top = dynamic(&brick, 1.0).moving(DVec3::ZERO, spin).damped(damping);
            let id = world.add(top);
            (0..steps).for_each(|_| {
                world.step(seconds / f64::from(steps)).expect("a step");
            });
            let body = body(&world, id);
            (body.pose().rotation(), body.momentum()[1])
        };
        let time = 1.5;
        let pace = (1.0 - (-rate * time).exp()) / rate;
        let (free, momentum) = turned(0.0, pace, 100);
        let (faded, less) = turned(rate, time, 100);
        assert!(free.dot(faded).abs() > 1.0 - 1e-7, "{free} {faded}");
        assert!(less.distance((-rate * time).exp() * momentum) < 1e-9);
    }
}

#[test]
fn damping_acts_on_the_ground_on_springs_and_on_linkages() {
    let springs = Options { springs: Some(Springs::default()), ..Options::default() };
    for options in [both()[0], both()[1], springs] {
        let mut world = World::new(options);
        let ice = made_of(0.0, 0.0);
        world.add(floor().made_of(ice));
        let damping = Damping { linear: 1.0, angular: 0.0 };
        let cube = dynamic(&cuboid([0.5; 3]), 1.0).at(at(0.0, 0.0, 0.2502)).made_of(ice);
        let id = world.add(cube.moving(DVec3::X, DVec3::ZERO).damped(damping));
        run(&mut world, 60);
        let speed = body(&world, id).velocity().linear.x;
        assert!((speed - (-1.0_f64).exp()).abs() < 0.01, "{speed}");
    }
    let swing = |linear: f64| {
        let mut world = World::new(Options::default());
        let post = world.add(Body::fixed(cuboid([0.1; 3])));
        let damping = Damping { linear, angular: linear };
        let bob = world.add(dynamic(&cuboid([0.1; 3]), 1.0).at(at(0.5, 0.0, 0.0)).damped(damping));
        let anchors = [[0.0; 3], [-0.5, 0.0, 0.0]].map(|p| Anchor::at(p).expect("finite"));
        world.link(Joint::ball([post.0, bob.0], anchors).expect("two")).expect("of the world");
        run(&mut world, 600);
        let bob = body(&world, bob);
        bob.kinetic_energy()
            + 9.81 * bob.mass_properties().expect("mass").mass() * (bob.centre().z + 0.5)
    };
    // Energy fades at the rate: on the mean half of it is motion, which fades at twice the rate.
    let share = swing(0.3) / swing(0.0);
    assert!((share - (-3.0_f64).exp()).abs() < 0.02, "{share}");
}

#[test]
fn a_conveyor_carries_what_lies_on_it() {
    for options in both() {
        let mut world = World::new(options);
        let belt = floor().made_of(made_of(0.0, 0.5)).conveying(DVec3::X * 2.0);
        let belt = world.add(belt);
        let cube = cuboid([0.5; 3]);
        let body_at =
            |x: f64| dynamic(&cube, 1.0).at(at(x, 0.0, 0.2502)).made_of(made_of(0.0, 0.5));
        let id = world.add(body_at(0.0));
        run(&mut world, 12);
        let speed = |world: &World| body(world, id).velocity().linear;
        // Friction accelerates it by half of gravity, until it moves along.
        assert!((speed(&world).x - 0.5 * 9.81 * 0.2).abs() < 0.02, "{}", speed(&world));
        run(&mut world, 60);
        assert!((speed(&world) - DVec3::X * 2.0).length() < 0.01, "{}", speed(&world));
        assert!(!body(&world, id).is_asleep());
        world.set_surface_velocity(belt, DVec3::ZERO).expect("there");
        run(&mut world, 60);
        assert!(speed(&world).length() < 1e-3, "the belt stands");
        world.set_surface_velocity(belt, DVec3::Y).expect("there");
        run(&mut world, 60);
        assert!((speed(&world) - DVec3::Y).length() < 0.01, "a sleeper is carried off");
    }
}

/// A belt runs along its surface only: what stands at its end is not pushed.
#[test]
fn a_belt_does_not_push_along_normals() {
    for options in both() {
        let mut world = World::new(options);
        world.add(floor());
        let end = Body::fixed(cuboid([1.0; 3])).at(at(-0.7502, 0.0, 0.51));
        world.add(end.conveying(DVec3::X * 5.0));
        let id = world.add(dynamic(&cuboid([0.5; 3]), 1.0).at(at(0.0, 0.0, 0.2502)));
        run(&mut world, 60);
        assert!(body(&world, id).pose().position().x.abs() < 1e-3);
    }
}

/// A car whose belts run drives off; what it stands on gets the opposite.
#[test]
fn tracks_drive_a_body_that_moves() {
    for options in both() {
        let mut world = World::new(Options { gravity: DVec3::ZERO, ..options });
        let plank = dynamic(&cuboid([4.0, 1.0, 0.2]), 1.0).made_of(made_of(0.0, 0.8));
        let plank = world.add(plank);
        let car =
            dynamic(&cuboid([0.5; 3]), 1.0).at(at(0.0, 0.0, 0.3501)).made_of(made_of(0.0, 0.8));
        let car = world.add(car.conveying(DVec3::X * -1.0));
        for (id, force) in [(plank, 1.0), (car, -1.0)] {
            world.load(id, Load { force: DVec3::Z * force, ..Load::default() });
        }
        run(&mut world, 60);
        let [below, above] = [plank, car].map(|id| body(&world, id).momentum()[0].x);
        assert!(above > 1e-3 && (above + below).abs() < 1e-9 * above, "{above} {below}");
        let [below, above] = [plank, car].map(|id| body(&world, id).velocity().linear.x);
        // Both turn a little, so that centres are faster against each other than surfaces.
        assert!((above - below - 1.0).abs() < 0.15, "{above} {below}");
    }
}

#[test]
fn forces_at_points_and_angular_impulses_are_those_of_mechanics() {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..Options::default() });
    let id = world.add(dynamic(&cuboid([1.0; 3]), 6.0));
    let point = DVec3::new(0.0, 0.5, 0.0);
    assert!(
        world.apply_force(id, DVec3::X * 2.0, point)
            && world.apply_force(id, DVec3::X * -2.0, -point)
    );
    let couple = Load { force: DVec3::ZERO, torque: DVec3::Z * -2.0 };
    assert_eq!(body(&world, id).load(), couple);
    world.load(id, Load::default());
    assert!(world.apply_angular_impulse(id, DVec3::Y * 3.0));
    // The moment of a cube of 6 kg and 1 m is 1.
    let Velocity { linear, angular } = body(&world, id).velocity();
    assert!(linear == DVec3::ZERO && angular.distance(DVec3::Y * 3.0) < 1e-12);
    world.remove(id);
    assert!(!world.apply_force(id, DVec3::X, point) && !world.apply_angular_impulse(id, DVec3::X));
}

#[test]
fn impossible_damping_and_belts_are_refused() {
    let mut world = World::new(Options::default());
    let id = world.add(dynamic(&cuboid([1.0; 3]), 1.0));
    for damping in [-1.0, f64::NAN, f64::INFINITY] {
        let damping = Damping { linear: damping, angular: 0.0 };
        world.set_damping(id, damping).expect("there");
        assert_eq!(world.step(DT), Err(WorldError::Surface(id)));
    }
    world.set_damping(id, Damping::NONE).expect("there");
    world.set_surface_velocity(id, DVec3::X * f64::NAN).expect("there");
    assert_eq!(world.step(DT), Err(WorldError::Surface(id)));
}
