//! The bodies of a random world: apart at the start, and on their way to each other.

use std::sync::Arc;

use chasles::glam::DVec3;
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::{Collider, Polygons, Polyhedron, Pose};
use chasles_dynamics::body::{MassProperties, Material};
use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::spring::net::{Fabric, Net};
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::world::{Route, Shape as Surface};
use chasles_dynamics::{Body, BodyId, Options, World};
use chasles_testkit::generate::{Random, closed_mesh};

use super::arena::{Arena, Nature};

type Failure = Box<dyn std::error::Error>;

/// What one place of the arena holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guest {
    /// A mesh.
    Mesh,
    /// A ball or a capsule.
    Round,
    /// A chain of boxes.
    Chain,
    /// A box on a route.
    Guided,
}

/// A ball of the arena that is one guest's own at the start.
struct Place {
    guest: Guest,
    centre: DVec3,
    radius: f64,
}

/// The world without those that fly free, and how far it reaches.
pub(super) fn populated(nature: &Nature, random: &mut Random) -> Result<(World, f64), Failure> {
    let mut world = World::new(Options { gravity: nature.gravity, ..Options::windows() });
    let (places, mut reach) = places(nature, random);
    let high = reach;
    if nature.has_cloth {
        reach *= 1.5;
        world.add_sheet(cloth(nature, high, random)?);
    }
    fence(&mut world, nature.arena, 1.1 * reach)?;
    for place in &places {
        match place.guest {
            Guest::Mesh => {
                single(&mut world, (nature, place), &mesh(place.radius, random)?, random)?
            }
            Guest::Round => {
                single(&mut world, (nature, place), &round(place.radius, random)?, random)?
            }
            Guest::Chain => chain(&mut world, (nature, place), random)?,
            Guest::Guided => guided(&mut world, (nature, place), random)?,
        }
    }
    Ok((world, 1.2 * reach))
}

/// Balls that do not meet, in a cube about the origin, and half its side.
fn places(nature: &Nature, random: &mut Random) -> (Vec<Place>, f64) {
    let mut guests = vec![Guest::Mesh];
    let kinds = [
        (nature.has_round, Guest::Round),
        (nature.has_links, Guest::Chain),
        (nature.has_routes, Guest::Guided),
    ];
    guests.extend(kinds.iter().filter(|(has, _)| *has).map(|(_, guest)| *guest));
    let mut places: Vec<Place> = Vec::new();
    let mut half = nature.size;
    for i in 0..nature.count {
        let power = nature.spread * random.between(-1.0, 1.0);
        let radius = 0.5 * nature.size * 10_f64.powf(power);
        // Each kind at least once.
        let guest = if i < guests.len() { guests[i] } else { random.one_of(&guests) };
        loop {
            let centre = (half - radius).max(0.0) * random.vector();
            let is_free = |p: &Place| p.centre.distance(centre) > 1.05 * (p.radius + radius);
            if places.iter().all(is_free) {
                places.push(Place { guest, centre, radius });
                break;
            }
            half *= 1.03;
        }
    }
    let far = places.iter().map(|p| p.centre.abs().max_element() + p.radius);
    let reach = far.fold(0.0, f64::max);
    (places, reach)
}

fn collider(size: DVec3) -> Result<Arc<Collider>, Failure> {
    Ok(Arc::new(Collider::new(Shape::Box(Cuboid { size: size.to_array() }).build()?)))
}

/// What stands around a cube of this half side.
fn fence(world: &mut World, arena: Arena, half: f64) -> Result<(), Failure> {
    let thick = 0.02 * half;
    let mut slab = |along: DVec3, wide: f64| -> Result<(), Failure> {
        let size = DVec3::splat(2.0 * wide) * (DVec3::ONE - along.abs()) + thick * along.abs();
        let at = Pose::from_position((half + 0.5 * thick) * along)?;
        world.add(Body::fixed(collider(size)?).at(at).made_of(Material::new(1.0, 0.3)?));
        Ok(())
    };
    match arena {
        Arena::Open => Ok(()),
        Arena::Floor => slab(-DVec3::Z, 10.0 * half),
        Arena::Closed => {
            let sides = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
            sides.into_iter().try_for_each(|side| slab(side, half + thick))
        }
    }
}

/// A mesh whose corners are at most this far from its centre.
fn mesh(radius: f64, random: &mut Random) -> Result<(Surface, MassProperties), Failure> {
    let polygons = match random.below(4) {
        0 => boxed([1.0, 0.05, 0.05]),
        1 => boxed([1.0, 1.0, 0.02]),
        _ => closed_mesh(random),
    };
    let unit = Polyhedron::new(&polygons)?;
    let centre = MassProperties::of_mesh(&unit, 1.0)?.centre();
    let far = polygons.vertices.iter().map(|v| v.distance(centre)).fold(0.0, f64::max);
    let vertices = polygons.vertices.iter().map(|v| (*v - centre) * (radius / far)).collect();
    let scaled = Polyhedron::new(&Polygons { vertices, ..polygons })?;
    let mass_properties = MassProperties::of_mesh(&scaled, 1000.0)?;
    Ok((Arc::new(Collider::new(scaled)).into(), mass_properties))
}

fn boxed(size: [f64; 3]) -> Polygons {
    Shape::Box(Cuboid { size }).polygons().unwrap_or_default()
}

/// A ball or a capsule of this radius about its centre.
fn round(radius: f64, random: &mut Random) -> Result<(Surface, MassProperties), Failure> {
    let shape = match random.below(2) {
        0 => Surface::sphere(radius)?,
        _ => Surface::capsule([DVec3::X * -0.7 * radius, DVec3::X * 0.7 * radius], 0.3 * radius)?,
    };
    let round = shape.geometry().round().ok_or("it is round")?;
    let mass_properties = MassProperties::of_round(round, 1000.0)?;
    Ok((shape, mass_properties))
}

fn material(random: &mut Random) -> Result<Material, Failure> {
    let [some, more] = [random.unit(), random.unit()];
    Ok(Material::new(random.one_of(&[0.0, 1.0, some]), random.one_of(&[0.0, 2.0, more]))?)
}

/// The mass of a body: that of water of the mean size, times a power of ten.
fn weighed(
    nature: &Nature,
    mass_properties: &MassProperties,
    random: &mut Random,
) -> Result<MassProperties, Failure> {
    let power = nature.masses * random.between(-1.0, 1.0);
    Ok(mass_properties.with_mass(500.0 * nature.size.powi(3) * 10_f64.powf(power))?)
}

/// Velocities that lead a body towards the middle.
fn thrown(nature: &Nature, centre: DVec3, random: &mut Random) -> [DVec3; 2] {
    let speed = nature.speed * random.unit().powi(2);
    let aim = (0.3 * random.vector() - centre.normalize_or_zero()).normalize_or_zero();
    [speed * aim, nature.spin * random.unit() * random.direction()]
}

type Spot<'a> = (&'a Nature, &'a Place);

fn single(
    world: &mut World,
    (nature, place): Spot<'_>,
    (shape, mass_properties): &(Surface, MassProperties),
    random: &mut Random,
) -> Result<(), Failure> {
    let pose = Pose::new(place.centre, random.rotation())?;
    let [linear, angular] = thrown(nature, place.centre, random);
    let mass_properties = weighed(nature, mass_properties, random)?;
    let body = Body::dynamic(shape.clone(), mass_properties).at(pose).made_of(material(random)?);
    world.add(body.moving(linear, angular));
    Ok(())
}

/// A chain of two to five boxes in its place: hinges with limits, some with motors, and balls.
fn chain(world: &mut World, (nature, place): Spot<'_>, random: &mut Random) -> Result<(), Failure> {
    let links = 2 + random.below(4);
    let pitch = 1.8 * place.radius / links as f64;
    let turn = random.rotation();
    let link = collider(DVec3::new(0.8, 0.25, 0.25) * pitch)?;
    let mass_properties = MassProperties::of_mesh(link.mesh(), 1000.0)?;
    let linear = thrown(nature, place.centre, random)[0];
    let mut last: Option<BodyId> = None;
    for i in 0..links {
        let along = (i as f64 - 0.5 * (links - 1) as f64) * pitch;
        let pose = Pose::new(place.centre + turn * DVec3::X * along, turn)?;
        let mass = weighed(nature, &mass_properties, random)?;
        let body = Body::dynamic(Arc::clone(&link), mass).at(pose).made_of(material(random)?);
        let id = world.add(body.moving(linear, DVec3::ZERO));
        if let Some(before) = last {
            let point = place.centre + turn * DVec3::X * (along - 0.5 * pitch);
            joined(world, [before, id], (point, turn * DVec3::Y), random)?;
        }
        last = Some(id);
    }
    Ok(())
}

fn joined(
    world: &mut World,
    bodies: [BodyId; 2],
    (point, axis): (DVec3, DVec3),
    random: &mut Random,
) -> Result<(), Failure> {
    let poses = bodies.map(|id| world.bodies()[id.index()].pose());
    let anchors = Anchor::along(point, axis)?.in_bodies([&poses[0], &poses[1]]);
    let numbers = bodies.map(|id| id.index());
    let hinge = Joint::hinge(numbers, anchors)?;
    let joint = match random.below(4) {
        0 => Joint::ball(numbers, anchors)?,
        1 => hinge,
        2 => hinge.limit_angle(-1.0, 1.0)?,
        _ => hinge.drive_angle(5.0, 1.0)?,
    };
    world.link(joint)?;
    Ok(())
}

/// A plank that turns where it is, or goes to and fro.
fn guided(
    world: &mut World,
    (nature, place): Spot<'_>,
    random: &mut Random,
) -> Result<(), Failure> {
    let start = Pose::new(place.centre, random.rotation())?;
    let plank = collider(DVec3::new(1.8, 0.5, 0.1) * place.radius)?;
    let spin = nature.spin * random.unit() * random.direction();
    let route = match random.below(2) {
        0 => Route::twist(start, DVec3::ZERO, spin)?,
        _ => {
            let end = Pose::new(-0.5 * place.centre, random.rotation())?;
            let period = place.centre.length() / nature.speed.min(10.0 * nature.size);
            let turns =
                (0..8).map(|i| (f64::from(i) * period, if i % 2 == 0 { start } else { end }));
            Route::keys(turns.collect())?
        }
    };
    world.add(Body::kinematic(plank, route).made_of(material(random)?));
    Ok(())
}

/// A square of cloth above all bodies, loose or held at its corners.
fn cloth(nature: &Nature, high: f64, random: &mut Random) -> Result<Sheet, Failure> {
    const CELLS: u32 = 6;
    let side = 1.5 * high;
    let corner = DVec3::new(-0.5 * side, -0.5 * side, 1.2 * high);
    let weight = nature.size * 10_f64.powf(random.between(0.0, 2.0));
    let fabric = Fabric {
        mass_per_area: weight,
        structural: 100.0 * weight * side * side,
        shear: 20.0 * weight * side * side,
        bend: 0.5 * weight * side * side,
        damping: 0.02 * weight * side,
        thickness: 2e-3 * side,
        ..Fabric::default()
    };
    let net = Net::grid(corner, [DVec3::X * side, DVec3::Y * side], [CELLS; 2], &fabric)?;
    let mut sheet = Sheet::new(net)?;
    if random.below(2) == 0 {
        let row = CELLS as usize + 1;
        [0, row - 1, row * (row - 1), row * row - 1]
            .into_iter()
            .for_each(|vertex| sheet.pin(vertex, true));
    }
    Ok(sheet)
}
