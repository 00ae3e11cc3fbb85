//! Sheets that carry bodies.

use std::sync::Arc;

use chasles::Collider;
use chasles::deform::{Surface, Workspace, contacts, self_contacts};
use chasles_dynamics::body::MassProperties;
use chasles_dynamics::spring::net::{Fabric, Net};
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::world::{Report, SheetPart};
use chasles_dynamics::{Body, BodyId, World};
use glam::DVec3;

use crate::scenes::{at, ball, cuboid, floor, solid};

/// The side of the sheets, and how many cells it has.
const SIDE: f64 = 0.6;
const CELLS: u32 = 12;

/// What a fabric of the default kind weighs there.
const CLOTH: f64 = 0.15 * SIDE * SIDE;

/// A square sheet with its middle at a height.
fn cloth(height: f64) -> Sheet {
    let corner = DVec3::new(-0.5 * SIDE, -0.5 * SIDE, height);
    let sides = [DVec3::X * SIDE, DVec3::Y * SIDE];
    let net = Net::grid(corner, sides, [CELLS; 2], &Fabric::default()).expect("a net");
    Sheet::new(net).expect("a sheet")
}

/// The same, held at its corners or along two edges.
fn hammock(height: f64, is_by_corners: bool) -> Sheet {
    let mut sheet = cloth(height);
    let side = CELLS as usize + 1;
    let edges = (0..side).flat_map(|j| [j * side, j * side + side - 1]);
    let corners = [0, side - 1, side * (side - 1), side * side - 1];
    let held: Vec<usize> = if is_by_corners { corners.to_vec() } else { edges.collect() };
    held.into_iter().for_each(|vertex| sheet.pin(vertex, true));
    sheet
}

fn weighing(collider: &Arc<Collider>, mass: f64) -> Body {
    let mass_properties =
        MassProperties::of_mesh(collider.mesh(), 1.0).and_then(|one| one.with_mass(mass));
    Body::dynamic(Arc::clone(collider), mass_properties.expect("a mass"))
}

/// What a run of a world came to.
#[derive(Debug, Default)]
struct Told {
    waits: usize,
    /// Seconds.
    lost: f64,
    crossings: usize,
    /// How far a body moved in the last second, and how fast the fastest was at the end.
    crept: f64,
    speed: f64,
    parts: u32,
}

/// Contacts of a sheet on its way, with bodies and with itself.
fn crossings(world: &World, surfaces: &[Surface], part: &SheetPart) -> usize {
    let sheet = &world.sheets()[part.sheet.0];
    let mut memory = Workspace::default();
    let mut found = 0;
    let (mut from, mut begin) = (&part.start, 0.0);
    for stop in &part.stops {
        let way = sheet.surface().moving(from, &stop.positions).expect("a way");
        found += self_contacts(&way, &Default::default(), &mut memory).len();
        for moved in &part.moves {
            let vertices = world.bodies()[moved.body.0].collider().mesh().positions();
            let at = |share: f64| -> Vec<DVec3> {
                let ends = |p: &DVec3| moved.poses.map(|pose| pose.point(*p));
                vertices.iter().map(|p| ends(p)[0].lerp(ends(p)[1], share)).collect()
            };
            let [start, end] = [begin, stop.fraction].map(at);
            let body = surfaces[moved.body.0].moving(&start, &end).expect("a way");
            found += contacts(&way, &body, &Default::default(), &mut memory).len();
        }
        (from, begin) = (&stop.positions, stop.fraction);
    }
    found
}

fn run(world: &mut World, seconds: u32) -> Told {
    world.record(true);
    let surfaces = world.bodies().iter().map(|body| body.collider().mesh().to_polygons());
    let surfaces: Vec<Surface> = surfaces.map(|p| Surface::new(&p).expect("a surface")).collect();
    let mut told = Told::default();
    let mut before = Vec::new();
    for step in 0..60 * seconds {
        if step == 60 * (seconds - 1) {
            before = world.bodies().iter().map(Body::centre).collect();
        }
        let Report { waiting, lost, sheet_record, parts, .. } =
            world.step(1.0 / 60.0).expect("a step");
        told.waits += waiting.len();
        told.lost += lost.iter().map(|lost| lost.seconds).sum::<f64>();
        told.parts += parts;
        told.crossings +=
            sheet_record.iter().map(|part| crossings(world, &surfaces, part)).sum::<usize>();
    }
    let both = world.bodies().iter().zip(before);
    told.crept = both.map(|(body, before)| body.centre().distance(before)).fold(0.0, f64::max);
    let speeds = world.bodies().iter().map(|body| body.velocity().linear.length());
    told.speed = speeds.fold(0.0, f64::max);
    told
}

/// Fails unless nothing waits, loses time, crosses or creeps by this much in the last second.
fn assert_rests(what: &str, told: &Told, crept: f64) {
    let Told { waits, lost, crossings, .. } = *told;
    assert!(waits == 0 && lost == 0.0, "{what}: {waits} waits, {lost} s lost");
    assert_eq!(crossings, 0, "{what}");
    assert!(told.crept < crept && told.speed < 5.0 * crept, "{what} does not rest: {told:?}");
}

/// A box of some times the weight of the cloth that lies on the floor, and how high above it.
fn on_floor(share: f64, above: f64) -> (World, BodyId) {
    let mut world = World::new(crate::options());
    world.add(floor());
    let body = weighing(&cuboid([0.2; 3]), share * CLOTH);
    let id = world.add(body.at(at(0.01, 0.02, 0.11 + above)));
    world.add_sheet(cloth(0.004));
    (world, id)
}

#[test]
fn boxes_of_any_weight_rest_on_a_cloth_on_the_floor() {
    for (share, above) in
        [(0.01, 0.0), (1.0, 0.0), (10.0, 0.0), (100.0, 0.0), (0.1, 0.2), (10.0, 0.2)]
    {
        let (mut world, id) = on_floor(share, above);
        let told = run(&mut world, 3);
        let what = format!("{share} cloths from {above} m");
        assert_rests(&what, &told, 5e-4);
        let gap = world.bodies()[id.0].centre().z - 0.1;
        // The cloth keeps its thickness from both.
        assert!((3e-3..4.2e-3).contains(&gap), "{what} is {gap} m above the floor");
    }
}

/// A ball of some times the weight of a hammock above it, with a speed to the side.
fn in_hammock(share: f64, is_by_corners: bool, speed: f64) -> (World, BodyId) {
    let mut world = World::new(crate::options());
    let body = weighing(&solid(&ball(0.1)), share * CLOTH);
    let body = body.at(at(0.01, 0.02, 0.63)).moving(DVec3::X * speed, DVec3::ZERO);
    let id = world.add(body);
    world.add_sheet(hammock(0.5, is_by_corners));
    (world, id)
}

#[test]
fn balls_of_any_weight_rest_in_a_hammock() {
    for (share, is_by_corners, speed) in [
        (0.1, true, 0.0),
        (1.0, true, 0.0),
        (10.0, true, 0.0),
        (1.0, false, 0.0),
        (10.0, false, 0.0),
        (1.0, true, 0.3),
    ] {
        let (mut world, id) = in_hammock(share, is_by_corners, speed);
        let told = run(&mut world, 5);
        let what = format!("{share} hammocks, by corners {is_by_corners}, at {speed} m/s");
        assert_rests(&what, &told, 5e-3);
        let ball = world.bodies()[id.0].centre();
        assert!(ball.z > 0.3 && ball.truncate().length() < 0.1, "{what} is at {ball}");
    }
}

#[test]
fn a_cloth_between_two_boxes_carries_the_upper_one() {
    for share in [1.0, 10.0] {
        let mut world = World::new(crate::options());
        world.add(floor());
        world.add(weighing(&cuboid([0.2; 3]), 10.0 * CLOTH).at(at(0.0, 0.0, 0.1003)));
        let body = weighing(&cuboid([0.15; 3]), share * CLOTH);
        let id = world.add(body.at(at(0.01, 0.02, 0.2 + 0.075 + 0.01)));
        world.add_sheet(cloth(0.204));
        let told = run(&mut world, 4);
        let what = format!("{share} cloths");
        assert_rests(&what, &told, 2e-3);
        let gap = world.bodies()[id.0].centre().z - 0.275;
        assert!((2e-3..6e-3).contains(&gap), "{what} are {gap} m above the lower box");
    }
}
