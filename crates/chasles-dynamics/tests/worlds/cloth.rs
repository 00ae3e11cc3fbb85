//! Sheets among bodies.

use chasles::Pose;
use chasles::deform::{Surface, Workspace, closings};
use chasles::mesh::shapes::Shape;
use chasles_dynamics::body::MassProperties;
use chasles_dynamics::spring::net::{Fabric, Net};
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::world::{Route, SheetId};
use chasles_dynamics::{Body, BodyId, Options, World, WorldError};
use glam::{DQuat, DVec3};

use crate::scenes::{at, ball, cuboid, dynamic, floor, made_of, solid};

fn sheet(cells: u32, size: f64, centre: DVec3) -> Sheet {
    let corner = centre - 0.5 * size * (DVec3::X + DVec3::Y);
    let sides = [DVec3::X * size, DVec3::Y * size];
    let net = Net::grid(corner, sides, [cells; 2], &Fabric::default()).expect("a net");
    Sheet::new(net).expect("a sheet")
}

/// Whether the first sheet and the first body, of this shape, are apart.
fn is_apart(world: &World, shape: &Shape) -> bool {
    let polygons = shape.polygons().expect("a shape");
    let surface = Surface::new(&polygons).expect("a surface");
    let pose = world.bodies()[0].pose();
    let places: Vec<DVec3> = polygons.vertices.iter().map(|p| pose.point(*p)).collect();
    let sheet = &world.sheets()[0];
    let [body, cloth] = [(&surface, &places[..]), (sheet.surface(), sheet.positions())]
        .map(|(surface, places)| surface.at_rest(places).expect("finite"));
    closings(&cloth, &body, 1e-6, &mut Workspace::default()).is_empty()
}

#[test]
fn a_cloth_drapes_over_a_ball() {
    let mut world = World::new(crate::options());
    world.add(Body::fixed(solid(&ball(0.3))));
    world.add_sheet(sheet(10, 1.0, DVec3::Z * 0.32));
    for _ in 0..90 {
        world.step(1.0 / 60.0).expect("a step");
        assert!(is_apart(&world, &ball(0.3)));
    }
    let places = world.sheets()[0].positions();
    assert!(places[60].z > 0.29, "the middle lies on the ball: {}", places[60]);
    assert!(places[0].z < 0.05, "the corner hangs down: {}", places[0]);
}

#[test]
fn a_turning_ball_on_a_route_lifts_a_cloth() {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
    let rise = |t: f64| {
        let turn = DQuat::from_rotation_x(2.0 * t);
        (t, Pose::new(DVec3::Z * t, turn).expect("finite"))
    };
    let route = Route::keys([0.0, 0.5, 1.0].map(rise).to_vec()).expect("a route");
    world.add(Body::kinematic(solid(&ball(0.2)), route));
    world.add_sheet(sheet(8, 0.6, DVec3::Z * 0.3));
    for _ in 0..30 {
        let report = world.step(1.0 / 30.0).expect("a step");
        assert_eq!(report.waiting, []);
        assert!(is_apart(&world, &ball(0.2)), "through the cloth");
    }
    let middle = world.sheets()[0].positions()[40];
    // It slides off a ball that turns, to the side that comes down.
    assert!(middle.z > 0.7, "the cloth stayed behind: {middle}");
}

#[test]
fn momentum_goes_from_a_cloth_to_the_body_that_it_hits() {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
    world.add(dynamic(&cuboid([0.3; 3]), 2.0));
    let mut cloth = sheet(8, 0.6, DVec3::Z * 0.2);
    cloth.throw(DVec3::Z * -2.0);
    world.add_sheet(cloth);
    let before = momentum(&world);
    let mut lost = 1.0;
    for _ in 0..6 {
        // The air slows the cloth alone.
        let air = (1.0 - lost) * before;
        assert!((momentum(&world) - before + air).length() < 0.02 * before.length());
        world.step(1.0 / 60.0).expect("a step");
        lost *= (-0.2_f64 / 60.0).exp();
    }
    assert!(world.bodies()[0].velocity().linear.z < -0.1, "the box was not pushed");
}

#[test]
fn a_body_waits_for_a_sheet_that_it_squeezes() {
    let mut world = World::new(crate::options());
    world.add(floor());
    let press =
        Route::keys(vec![(0.0, at(0.0, 0.0, 0.4)), (1.0, at(0.0, 0.0, -1.0))]).expect("down");
    world.add(Body::kinematic(cuboid([2.0, 2.0, 0.2]), press));
    world.add_sheet(sheet(4, 0.5, DVec3::Z * 0.1));
    let mut waits = 0;
    for _ in 0..40 {
        waits += world.step(1.0 / 60.0).expect("a step").waiting.len();
        let low = world.bodies()[1].pose().position().z - 0.1;
        let places = world.sheets()[0].positions();
        assert!(places.iter().all(|p| p.z > 0.0 && p.z < low), "crossed at {low}");
    }
    assert!(waits > 0, "the press came down through the sheet");
}

/// A square of one metre that is held at its corners.
fn trampoline(cells: u32, structural: f64, height: f64) -> Sheet {
    let fabric = Fabric { structural, ..Fabric::default() };
    let corner = DVec3::new(-0.5, -0.5, height);
    let net = Net::grid(corner, [DVec3::X, DVec3::Y], [cells; 2], &fabric).expect("a net");
    let mut sheet = Sheet::new(net).expect("a sheet");
    let side = cells as usize + 1;
    for vertex in [0, side - 1, side * (side - 1), side * side - 1] {
        sheet.pin(vertex, true);
    }
    sheet
}

/// Of the first body and the first sheet.
fn momentum(world: &World) -> DVec3 {
    let sheet = &world.sheets()[0];
    let parts = sheet.net().masses().iter().zip(sheet.velocities());
    world.bodies()[0].momentum()[0] + parts.map(|(m, v)| *m * *v).sum::<DVec3>()
}

fn energy(world: &World) -> f64 {
    let gravity = world.options().gravity;
    let bodies = world.bodies().iter().map(|body| {
        let mass = body.mass_properties().map_or(0.0, |mass_properties| mass_properties.mass());
        body.kinetic_energy() - mass * gravity.dot(body.centre())
    });
    let sheets = world.sheets().iter().flat_map(|sheet| sheet.energy(gravity));
    bodies.sum::<f64>() + sheets.sum::<f64>()
}

/// The greatest energy of a ball that flies into a trampoline, as a share of what it was, and its
/// speed at the end.
fn caught(radius: f64, mass: f64, speed: f64, steps: u32) -> (f64, f64) {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
    let ball = solid(&ball(radius));
    let mass_properties =
        MassProperties::of_mesh(ball.mesh(), 1.0).and_then(|one| one.with_mass(mass));
    let body = Body::dynamic(ball, mass_properties.expect("a mass"));
    world.add(body.at(at(0.03, 0.02, 0.2)).moving(DVec3::Z * -speed, DVec3::ZERO));
    world.add_sheet(trampoline(8, 2000.0, 0.0));
    let before = energy(&world);
    let mut most = before;
    for _ in 0..steps {
        world.step(1.0 / 60.0).expect("a step");
        most = most.max(energy(&world));
    }
    (most / before, world.bodies()[0].velocity().linear.z)
}

#[test]
fn a_trampoline_gives_no_ball_or_bullet_more_energy_than_it_brought() {
    for (radius, mass, speed) in [(0.1, 0.1, 20.0), (0.05, 0.01, 300.0), (0.1, 5.0, 3.0)] {
        let (most, back) = caught(radius, mass, speed, 30);
        assert!(most < 1.001, "{most} of the energy of {mass} kg at {speed} m/s");
        assert!(back > -0.2 * speed, "{mass} kg at {speed} m/s go on at {back}");
    }
}

#[test]
fn a_body_that_bounces_off_the_floor_does_not_pass_a_sheet_in_between() {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
    world.add(floor().made_of(made_of(1.0, 0.0)));
    let body = dynamic(&cuboid([0.2; 3]), 1000.0).made_of(made_of(1.0, 0.0));
    let id = world.add(body.at(at(0.0, 0.0, 1.0)).moving(DVec3::Z * -108.0, DVec3::ZERO));
    world.add_sheet(trampoline(8, 100.0, 0.5));
    let start = energy(&world);
    for _ in 0..3 {
        world.step(1.0 / 60.0).expect("a step");
        let sheet = world.sheets()[0].positions();
        let middle = sheet[40].z;
        let z = world.bodies()[id.0].pose().position().z;
        assert!(z > middle, "the box at {z} is below the sheet at {middle}");
        assert!(energy(&world) < 1.001 * start);
    }
}

#[test]
fn a_sheet_in_a_body_is_refused() {
    let mut world = World::new(crate::options());
    world.add(Body::fixed(cuboid([5.0; 3])));
    world.add_sheet(sheet(4, 1.0, DVec3::ZERO));
    assert_eq!(world.step(0.01), Err(WorldError::SheetInside(SheetId(0), BodyId(0))));
}

#[test]
fn bodies_far_from_a_sheet_that_is_caught_do_not_wait() {
    let mut world = World::new(crate::options());
    world.add(floor());
    let press =
        Route::keys(vec![(0.0, at(0.0, 0.0, 0.12)), (1.0, at(0.0, 0.0, -0.1))]).expect("down");
    let near = world.add(Body::kinematic(cuboid([0.2; 3]), press));
    world.add_sheet(sheet(5, 0.5, DVec3::Z * 0.005));
    let far = world.add(dynamic(&cuboid([0.2; 3]), 1000.0).at(at(20.0, 0.0, 9.0)));
    let mut waits = 0;
    for _ in 0..60 {
        let waiting = world.step(1.0 / 60.0).expect("a step").waiting;
        assert!(!waiting.contains(&far), "a body far away waits");
        waits += waiting.len();
    }
    assert!(waits > 0 && world.bodies()[near.0].pose().position().z > 0.1);
    let fallen = 9.0 - world.bodies()[far.0].pose().position().z;
    assert!((fallen - 0.5 * 9.81).abs() < 1e-6, "fell by {fallen}");
}

#[test]
fn worlds_with_sheets_are_restored_bit_by_bit() {
    let mut world = World::new(crate::options());
    world.add(Body::fixed(solid(&ball(0.3))));
    world.add_sheet(sheet(6, 0.8, DVec3::Z * 0.32));
    let run = |world: &mut World| {
        (0..10).for_each(|_| drop(world.step(1.0 / 60.0).expect("a step")));
        world.fingerprint()
    };
    run(&mut world);
    let moment = world.save();
    let once = run(&mut world);
    world.restore(&moment).expect("the same world");
    assert_eq!(run(&mut world), once);
    let mut other = World::new(crate::options());
    other.add(Body::fixed(solid(&ball(0.3))));
    assert!(other.restore(&moment).is_err(), "it has no sheet");
}

#[test]
fn a_sheet_that_touches_a_body_is_refused() {
    let mut world = World::new(crate::options());
    world.add(Body::fixed(cuboid([1.0; 3])));
    world.add_sheet(sheet(4, 2.0, DVec3::Z * 0.2));
    assert_eq!(world.step(0.01), Err(WorldError::SheetTouches(SheetId(0), BodyId(0))));
}

#[test]
fn a_later_sheet_comes_to_lie_on_an_earlier_one() {
    let mut world = World::new(crate::options());
    world.add(floor());
    world.add_sheet(sheet(3, 0.4, DVec3::Z * 0.02));
    world.add_sheet(sheet(3, 0.4, DVec3::new(0.03, 0.02, 0.06)));
    for _ in 0..60 {
        world.step(1.0 / 60.0).expect("a step");
    }
    let [low, high] = [0, 1].map(|i| world.sheets()[i].positions()[5].z);
    assert!(low > 0.0 && high > low + 5e-4, "{low} {high}");
}

#[test]
fn a_box_that_falls_on_a_cloth_on_the_floor_is_not_thrown() {
    let mut world = World::new(crate::options());
    world.add(floor());
    let id = world.add(dynamic(&cuboid([0.2; 3]), 1000.0).at(at(0.0, 0.0, 0.2)));
    world.add_sheet(sheet(5, 0.5, DVec3::Z * 0.005));
    let energy = |world: &World| {
        let body = &world.bodies()[id.0];
        body.kinetic_energy() + 8.0 * 9.81 * body.centre().z
    };
    let start = energy(&world);
    for _ in 0..30 {
        world.step(1.0 / 60.0).expect("a step");
        let now = energy(&world);
        assert!(now < 1.001 * start, "thrown up: {now} of {start} J");
        assert!(world.bodies()[id.0].pose().position().z > 0.1, "in the floor");
    }
}

#[test]
fn an_earlier_sheet_does_not_fall_through_a_later_one() {
    let mut world = World::new(crate::options());
    world.add(floor());
    world.add_sheet(sheet(3, 0.4, DVec3::new(0.03, 0.02, 0.06)));
    world.add_sheet(sheet(3, 0.4, DVec3::Z * 0.01));
    for _ in 0..30 {
        world.step(1.0 / 60.0).expect("a step");
        let [a, b] = [0, 1].map(|i| {
            let sheet = &world.sheets()[i];
            sheet.surface().at_rest(sheet.positions()).expect("finite")
        });
        assert!(closings(&a, &b, 1e-6, &mut Workspace::default()).is_empty());
    }
}

#[test]
fn a_moment_is_restored_in_a_world_that_has_not_begun() {
    let make = || {
        let mut world = World::new(crate::options());
        world.add(Body::fixed(solid(&ball(0.3))));
        world.add_sheet(sheet(6, 0.8, DVec3::Z * 0.32));
        world
    };
    let run = |world: &mut World| {
        (0..20).for_each(|_| drop(world.step(1.0 / 60.0).expect("a step")));
        world.fingerprint()
    };
    let mut first = make();
    run(&mut first);
    let moment = first.save();
    let mut second = make();
    second.restore(&moment).expect("a world with the same bodies");
    assert_eq!(run(&mut second), run(&mut first));
}

#[test]
fn sheets_that_cross_at_the_start_are_refused() {
    let mut world = World::new(crate::options());
    world.add_sheet(sheet(4, 1.0, DVec3::ZERO));
    world.add_sheet(sheet(4, 0.5, DVec3::Z * 1e-4));
    assert_eq!(world.step(0.01), Err(WorldError::SheetsTouch(SheetId(0), SheetId(1))));
}

/// A box that flies into a loose sheet, without air: by how much their momentum is off at most, and
/// the greatest energy, as shares of what they were.
fn flown_into(mass: f64, speed: f64, turn: DQuat) -> [f64; 2] {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
    let start = Pose::new([0.03, 0.0, 0.3], turn).expect("finite");
    let body = dynamic(&cuboid([0.1; 3]), 1e3 * mass).at(start);
    world.add(body.moving(DVec3::Z * -speed, DVec3::ZERO));
    let fabric = Fabric { drag: 0.0, ..Fabric::default() };
    let corner = DVec3::new(-0.5, -0.5, 0.0);
    let net = Net::grid(corner, [DVec3::X, DVec3::Y], [10; 2], &fabric).expect("a net");
    world.add_sheet(Sheet::new(net).expect("a sheet"));
    let before = (momentum(&world), energy(&world));
    let [mut off, mut most] = [0.0_f64; 2];
    for _ in 0..40 {
        world.step(1.0 / 60.0).expect("a step");
        off = off.max(momentum(&world).distance(before.0) / before.0.length());
        most = most.max(energy(&world) / before.1);
    }
    assert!(world.bodies()[0].velocity().linear.z > -0.6 * speed, "nothing slowed {mass} kg");
    [off, most]
}

#[test]
fn boxes_of_any_mass_and_a_loose_sheet_keep_their_momentum_and_gain_no_energy() {
    for mass in [0.15, 1.2e-3, 1.2e-6] {
        for (speed, turn) in [(1.0, 0.0), (5.0, 0.4), (30.0, 0.0)] {
            let [off, most] = flown_into(mass, speed, DQuat::from_rotation_y(turn));
            let what = format!("{mass} kg at {speed} m/s");
            assert!(off < 1e-8, "the momentum of {what} is off by {off:e}");
            assert!(most < 1.0 + 1e-9, "the energy of {what} grew to {most}");
        }
    }
}
