//! Contact springs in windows: the depth of rest, restitution, energy, momentum and friction.

use chasles::round::Round;
use chasles_dynamics::body::MassProperties;
use chasles_dynamics::spring::law::Law;
use chasles_dynamics::world::{Load, Shape, Springs};
use chasles_dynamics::{Body, BodyId, Options, World};
use chasles_testkit::generate::Random;
use glam::{DQuat, DVec3};

use crate::scenes::{Judge, at, cuboid, dynamic, energy, floor, made_of, rocks, wall, weight};

const DT: f64 = 1.0 / 60.0;

fn springy(gravity: DVec3) -> World {
    World::new(Options { gravity, springs: Some(Springs::default()), ..Options::windows() })
}

fn down() -> DVec3 {
    Options::default().gravity
}

/// The stiffness of a contact of two bodies of this reduced mass, at the usual period of 10 ms.
fn stiffness(mass: f64) -> f64 {
    mass * (std::f64::consts::TAU / 0.01).powi(2)
}

/// The depth at which a spring that reaches out by `limit` bears a force.
fn depth(force: f64, stiffness: f64, limit: f64) -> f64 {
    force / (stiffness + force / limit)
}

/// The gaps between two bodies.
fn gaps(world: &World, [one, other]: [usize; 2]) -> Vec<f64> {
    let near = world.near(BodyId(one), 2e-3);
    near.iter().filter(|(id, _)| id.0 == other).map(|(_, place)| place.gap).collect()
}

#[test]
fn a_stack_rests_at_the_depth_of_its_springs() {
    for (e, dt) in [(1.0, DT), (0.5, DT), (0.0, DT), (1.0, 1.0 / 240.0), (0.3, 1.0 / 1000.0)] {
        let mut world = springy(down());
        world.add(floor().made_of(made_of(1.0, 0.5)));
        let densities = [1.0, 1.0, 300.0];
        for (i, density) in densities.into_iter().enumerate() {
            let place = at(0.0, 0.0, 0.501 + 1.001 * i as f64);
            let body = dynamic(&cuboid([1.0; 3]), density).at(place);
            world.add(body.made_of(made_of(e, 0.5)));
        }
        for _ in 0..(3.0 / dt) as u32 {
            world.step(dt).expect("a step");
        }
        for i in 0..3 {
            let below = if i == 0 { f64::INFINITY } else { densities[i - 1] };
            let stiffness = stiffness((densities[i].recip() + below.recip()).recip());
            let gaps = gaps(&world, [i, i + 1]);
            assert!(gaps.len() >= 4);
            let load = 9.81 * densities[i..].iter().sum::<f64>();
            let corners = gaps.len() as f64;
            // It stands wherever its force is the load, between those of both ways. Four corners
            // bear it at least; where others came to be near later, they do as well.
            let bears = |count: f64, share: f64| depth(load / (count * share), stiffness, 1e-3);
            let [least, most] = [bears(corners, 1.0), bears(4.0, (e * e).max(1e-9))];
            for gap in gaps {
                let found = 1e-3 - gap;
                let slack = 0.02 * least;
                let is_there = found > least - slack && found < most + slack;
                assert!(is_there, "{found} beyond {least} and {most}, level {i}, {e}, {dt}");
            }
        }
    }
}

#[test]
fn a_ball_comes_back_to_the_square_of_its_restitution() {
    for (e, dt) in [(0.3, DT), (0.5, DT), (0.8, DT), (1.0, DT), (0.5, 1e-3), (0.8, 1.0 / 30.0)] {
        for fall in [0.003, 0.3, 5.0] {
            let mut world = springy(down());
            world.add(floor().made_of(made_of(1.0, 0.5)));
            let mass_properties =
                MassProperties::of_round(&Round::sphere(0.1).expect("a ball"), 500.0);
            let shape = Shape::sphere(0.1).expect("a ball");
            let ball =
                Body::dynamic(shape, mass_properties.expect("a mass")).made_of(made_of(e, 0.5));
            // Springs reach out by a thousandth of its diameter.
            let lowest = 0.1 + 2e-4;
            let id = world.add(ball.at(at(0.0, 0.0, lowest + fall)));
            let mut back = None;
            for _ in 0..(4.0 / dt) as u32 {
                let before = world.bodies()[id.0].velocity().linear.z;
                world.step(dt).expect("a step");
                let body = &world.bodies()[id.0];
                let speed = body.velocity().linear.z;
                if before <= 0.0 && speed > 0.0 && back.is_none() {
                    back = Some((body.centre().z, speed * speed / (2.0 * 9.81)));
                }
            }
            // A spring begins where it is seen first: within its reach, after a fast window.
            let (turn, rises) = back.expect("it comes back");
            assert!(turn > 0.1 && turn < lowest + 1e-6, "it turns round at {turn}: {e}, {dt}");
            let wanted = e * e * (lowest + fall - turn);
            assert!((rises / wanted - 1.0).abs() < 0.01, "{rises} of {wanted}: {e}, {dt}");
        }
    }
}

#[test]
fn a_spring_gives_back_the_square_of_the_restitution_of_what_it_took() {
    for (e, dt, least) in [(0.6, 2e-6, 0.95), (1.0, 2e-6, 0.95), (0.6, DT, 0.0), (0.0, 1e-5, 0.0)] {
        let mut world = springy(DVec3::ZERO);
        world.add(floor().made_of(made_of(1.0, 0.0)));
        let body = dynamic(&cuboid([1.0; 3]), 1.0).made_of(made_of(e, 0.0));
        let id = world.add(body.at(at(0.0, 0.0, 0.501)));
        // Pressed so slowly that it takes no speed.
        let force = 4.0 * 5.0 * stiffness(1.0) * 1e-3;
        let rise = ((0.04 / dt) as u32).max(400);
        for i in 0..rise {
            let share = (f64::from(i) / f64::from(rise) * 2.0).min(1.0);
            let load = Load { force: -force * share * DVec3::Z, torque: DVec3::ZERO };
            assert!(world.load(id, load));
            world.step(dt).expect("a step");
        }
        let law = Law::new(stiffness(1.0), 1e-3, e).expect("a law");
        let stored: f64 = gaps(&world, [0, 1]).iter().map(|gap| law.energy(1e-3 - gap)).sum();
        assert!(stored > 0.0 || e == 0.0);
        assert!(world.load(id, Load::default()));
        let before = world.bodies()[id.0].kinetic_energy();
        let mut most = 0.0_f64;
        for _ in 0..((0.01 / dt) as u32).max(10) {
            world.step(dt).expect("a step");
            most = most.max(world.bodies()[id.0].kinetic_energy());
        }
        let slack = before + 1e-12;
        assert!(most <= stored * (1.0 + 1e-6) + slack, "{most} of {stored} J: {e}, {dt}");
        assert!(most >= least * stored, "{most} of {stored} J: {e}, {dt}");
    }
}

/// What the springs of all pairs give back at most, if all began at their reach.
fn stored(world: &World, size: f64, mass: f64, e: f64) -> f64 {
    let law = Law::new(stiffness(mass), 1e-3 * size, e).expect("a law");
    let mut sum = 0.0;
    for i in 0..world.bodies().len() {
        let near = world.near(BodyId(i), 1e-3 * size);
        let later = near.iter().filter(|(other, _)| other.0 > i);
        sum += later.map(|(_, place)| law.energy(1e-3 * size - place.gap)).sum::<f64>();
    }
    sum
}

#[test]
fn heaps_on_springs_gain_nothing_stay_apart_and_lose_no_time() {
    let mut world = springy(down());
    world.add(floor());
    let random = &mut Random::new(8);
    for i in 0..14 {
        let place = [0.1 * f64::from(i % 3), 0.0, 0.3 + 0.36 * f64::from(i)];
        let pose = chasles::Pose::new(place, random.rotation()).expect("finite");
        world.add(dynamic(&cuboid([0.2; 3]), 1000.0).at(pose));
    }
    let judge = Judge::new(&world);
    let lift = 1e-6 * weight(&world);
    for step in 0..180 {
        let before = energy(&world) + stored(&world, 0.2, 8.0, 0.3);
        let report = world.step(DT).expect("a step");
        assert_eq!(judge.crossing(&world), None, "in step {step}");
        assert_eq!(report.lost, [], "in step {step}");
        let after = energy(&world);
        assert!(after <= before + lift, "from {before} to {after} J in step {step}");
    }
}

#[test]
fn scenes_on_springs_stay_apart() {
    for (name, world) in [("a wall that is hit", wall(4, 5, true)), ("rocks", rocks(8))] {
        let mut world = world;
        world.set_options(Options { springs: Some(Springs::default()), ..Options::windows() });
        let judge = Judge::new(&world);
        for step in 0..60 {
            world.step(DT).expect("a step");
            assert_eq!(judge.crossing(&world), None, "{name} in step {step}");
        }
    }
}

#[test]
fn springs_keep_momentum() {
    for (e, speed) in [(0.0, 0.005), (0.7, 0.005), (1.0, 0.005), (0.5, 0.2), (0.5, 3.0)] {
        let mut world = springy(DVec3::ZERO);
        let cube = cuboid([0.4; 3]);
        let turned = |x: f64, angle: f64| {
            chasles::Pose::new([x, 0.1 * angle, 0.0], DQuat::from_rotation_z(angle))
        };
        for (x, angle, v) in [(-0.3, 0.3, speed), (0.3, 0.1, -speed)] {
            let body = dynamic(&cube, 100.0 * (1.5 + x)).made_of(made_of(e, 0.4));
            let pose = turned(x, angle).expect("finite");
            world.add(body.at(pose).moving(DVec3::X * v, DVec3::ZERO));
        }
        let momentum = |world: &World| -> DVec3 {
            let of =
                |body: &Body| body.velocity().linear * body.mass_properties().expect("mass").mass();
            world.bodies().iter().map(of).sum()
        };
        let before = momentum(&world);
        let start = world.bodies()[0].velocity();
        for _ in 0..(0.4 / speed / DT).ceil() as u32 {
            world.step(DT).expect("a step");
        }
        assert_ne!(world.bodies()[0].velocity(), start, "they met");
        let off = momentum(&world).distance(before);
        assert!(off < 1e-12 * 100.0 * speed, "{off} at {speed} m/s, {e}");
    }
}

#[test]
fn a_block_on_springs_holds_up_to_the_angle_of_friction_and_does_not_creep() {
    for (degrees, slides) in [(25.0_f64, false), (28.0, true)] {
        let angle = degrees.to_radians();
        let mut world = springy(9.81 * DVec3::new(angle.sin(), 0.0, -angle.cos()));
        world.add(floor().made_of(made_of(0.3, 0.5)));
        let body = dynamic(&cuboid([0.5, 0.5, 0.2]), 500.0).made_of(made_of(0.3, 0.5));
        let id = world.add(body.at(at(0.0, 0.0, 0.1002)));
        for _ in 0..20 {
            world.step(DT).expect("a step");
        }
        let start = world.bodies()[id.0].centre().x;
        for _ in 0..60 {
            world.step(DT).expect("a step");
        }
        let way = world.bodies()[id.0].centre().x - start;
        assert!(if slides { way > 0.05 } else { way.abs() < 1e-9 }, "{way} at {degrees}");
    }
}
