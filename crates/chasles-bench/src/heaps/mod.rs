//! Worlds that grow: heaps of boxes, stones, balls, ragdolls and chains, and scenes of the project.
//!
//! ```text
//! Heap -> World -> here, Peer (rapier), Model (MuJoCo) -> Row -> table, plots
//! ```
//!
//! Up is z in heaps. All are made of shapes and seeded numbers, so all engines get the same bodies.

mod bowl;
mod linked;
pub mod row;

use std::path::Path;
use std::sync::Arc;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::{Collider, Pose};
use chasles_dynamics::body::{MassProperties, Material};
use chasles_dynamics::world::Shape as Surface;
use chasles_dynamics::{Body, Options, World};
use chasles_scene::{Pace, SimulateScene};
use chasles_testkit::generate::Random;

type Failure = Box<dyn std::error::Error>;

/// A kind of heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heap {
    /// Boxes in layers, a little apart, which settle onto each other.
    Grid,
    /// Boxes at random attitudes that fall onto each other within four walls.
    Pile,
    /// A pyramid of boxes that stands; the number is its base.
    Pyramid,
    /// Convex stones poured into a bowl.
    Rocks,
    /// Balls poured into a bowl.
    Spheres,
    /// Figures of eleven boxes with ball joints that fall onto each other.
    Ragdolls,
    /// Chains of ten boxes with ball joints that swing down from posts onto the floor.
    Chains,
    /// A scene of the project; the number is that of its bodies, and is not asked for.
    Scene(&'static str),
}

impl Heap {
    /// All kinds, with the numbers that are measured.
    pub const ALL: [(Self, &'static [usize]); 11] = [
        (Self::Grid, &[10, 30, 100, 300, 1000, 3000]),
        (Self::Pile, &[10, 30, 100, 300, 1000, 3000]),
        (Self::Pyramid, &[5, 10, 20, 30]),
        (Self::Rocks, &[30, 100, 300]),
        (Self::Spheres, &[30, 100, 300]),
        (Self::Ragdolls, &[1, 3, 10, 30, 100]),
        (Self::Chains, &[1, 3, 10, 30, 100]),
        (Self::Scene("wall"), &[0]),
        (Self::Scene("dominoes"), &[0]),
        (Self::Scene("rocks"), &[0]),
        (Self::Scene("cars"), &[0]),
    ];

    /// What tables call it.
    pub fn name(self) -> String {
        let name = match self {
            Self::Grid => "grid",
            Self::Pile => "pile",
            Self::Pyramid => "pyramid",
            Self::Rocks => "rocks",
            Self::Spheres => "spheres",
            Self::Ragdolls => "ragdolls",
            Self::Chains => "chains",
            Self::Scene(name) => return format!("scene {name}"),
        };
        name.to_string()
    }

    /// The world with so many bodies besides what stands still; the base of a pyramid, figures, or
    /// chains.
    ///
    /// *Fails* never for sizes that are measured, as long as the scenes of the project can be read.
    pub fn world(self, count: usize, options: Options) -> Result<World, Failure> {
        let mut world = World::new(options);
        match self {
            Self::Grid => grid(&mut world, count)?,
            Self::Pile => pile(&mut world, count)?,
            Self::Pyramid => pyramid(&mut world, count)?,
            Self::Rocks => bowl::poured(&mut world, count, &bowl::stones()?)?,
            Self::Spheres => bowl::poured(&mut world, count, &[bowl::ball()?])?,
            Self::Ragdolls => linked::ragdolls(&mut world, count)?,
            Self::Chains => linked::chains(&mut world, count)?,
            Self::Scene(name) => return scene(name, options),
        }
        Ok(world)
    }
}

/// A scene of the project with these options, but for its gravity.
fn scene(name: &str, options: Options) -> Result<World, Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let scene = SimulateScene::load(&folder.join(format!("simulate-{name}.toml")), Pace::default());
    let mut world = scene.map_err(|error| error.to_string())?.world().clone();
    world.set_options(Options { gravity: world.options().gravity, ..options });
    Ok(world)
}

/// The side of boxes.
const SIDE: f64 = 0.2;

fn collider(size: [f64; 3]) -> Result<Arc<Collider>, Failure> {
    Ok(Arc::new(Collider::new(Shape::Box(Cuboid { size }).build()?)))
}

fn cube() -> Result<(Surface, MassProperties), Failure> {
    let cube = collider([SIDE; 3])?;
    let mass = MassProperties::of_mesh(cube.mesh(), 1000.0)?;
    Ok((cube.into(), mass))
}

fn material() -> Result<Material, Failure> {
    Ok(Material::new(0.1, 0.5)?)
}

fn fixed(world: &mut World, size: [f64; 3], at: [f64; 3]) -> Result<(), Failure> {
    let body = Body::fixed(collider(size)?).at(Pose::from_position(at)?);
    world.add(body.made_of(material()?));
    Ok(())
}

fn add(
    world: &mut World,
    (shape, mass): &(Surface, MassProperties),
    pose: Pose,
) -> Result<(), Failure> {
    world.add(Body::dynamic(shape.clone(), *mass).at(pose).made_of(material()?));
    Ok(())
}

/// The least side of a square with so many places in so many layers.
fn side(count: usize, layers: usize) -> usize {
    (1..).find(|n| n * n * layers >= count).unwrap_or(1)
}

fn grid(world: &mut World, count: usize) -> Result<(), Failure> {
    fixed(world, [40.0, 40.0, 1.0], [0.0, 0.0, -0.5])?;
    let body = cube()?;
    let n = side(count, 5);
    let mut random = Random::new(7);
    for i in 0..count {
        let [x, y, z] = [i % n, i / n % n, i / (n * n)].map(|k| k as f64);
        let jitter = 0.02 * SIDE * random.vector();
        let at = DVec3::new(1.25 * x, 1.25 * y, 1.1 * z + 0.6) * SIDE + jitter;
        add(world, &body, Pose::from_position(at)?)?;
    }
    Ok(())
}

fn pile(world: &mut World, count: usize) -> Result<(), Failure> {
    let n = side(count, 10).max(2);
    let wide = 1.9 * SIDE * n as f64;
    let high = 6.0 * SIDE * (count as f64 / (n * n) as f64).max(2.0);
    fixed(world, [2.0 * wide, 2.0 * wide, 1.0], [0.0, 0.0, -0.5])?;
    let off = 0.5 * wide + 0.5 + 1e-3;
    for sign in [-1.0, 1.0] {
        fixed(world, [1.0, wide, high], [sign * off, 0.0, 0.5 * high + 1e-3])?;
        fixed(world, [wide, 1.0, high], [0.0, sign * off, 0.5 * high + 1e-3])?;
    }
    let body = cube()?;
    let mut random = Random::new(11);
    for i in 0..count {
        let place = |k: usize| (k as f64 + 0.5) * 1.85 * SIDE - 0.5 * 1.85 * SIDE * n as f64;
        let at = [place(i % n), place(i / n % n), SIDE * (1.0 + 1.85 * (i / (n * n)) as f64)];
        let turn = DQuat::from_scaled_axis(3.0 * random.vector());
        add(world, &body, Pose::new(at, turn)?)?;
    }
    Ok(())
}

fn pyramid(world: &mut World, base: usize) -> Result<(), Failure> {
    fixed(world, [40.0, 40.0, 1.0], [0.0, 0.0, -0.5])?;
    let body = cube()?;
    for row in 0..base {
        for k in 0..base - row {
            let x = (k as f64 - 0.5 * (base - row) as f64) * 1.05 * SIDE;
            let z = (row as f64 + 0.5) * 1.005 * SIDE + 0.002 * SIDE;
            add(world, &body, Pose::from_position([x, 0.0, z])?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_begin_apart_and_closed() {
        for (heap, counts) in Heap::ALL {
            let count = counts[counts.len().min(2) - 1];
            let mut world = heap.world(count, Options::default()).expect("shapes");
            world.check().expect("bodies are apart");
            // The bowl of the project's scene is open.
            let volume = world.bodies()[0].collider().mesh().mass(1.0);
            let is_closed = volume.is_some_and(|mass| mass.mass > 0.0);
            assert!(is_closed || matches!(heap, Heap::Scene(_)), "{} has a hole", heap.name());
        }
    }

    #[test]
    fn figures_and_chains_have_their_links_and_collide_with_their_neighbours() {
        for (heap, bodies, joints) in [(Heap::Ragdolls, 11, 10), (Heap::Chains, 11, 10)] {
            let mut world = heap.world(3, Options::default()).expect("shapes");
            world.check().expect("bodies are apart");
            // A floor besides, and a post for each chain.
            assert_eq!(world.bodies().len(), 1 + 3 * bodies, "{}", heap.name());
            assert_eq!(world.joints().len(), 3 * joints, "{}", heap.name());
            assert_eq!(world.ignored().count(), 0, "{}", heap.name());
        }
    }
}
