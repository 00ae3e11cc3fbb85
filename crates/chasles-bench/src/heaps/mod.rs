//! Worlds that grow: grids, piles and pyramids of boxes, stones and balls in a bowl.
//!
//! Up is z. All are made of shapes and seeded numbers, so both engines get the same bodies.

use std::f64::consts::TAU;
use std::sync::Arc;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::{Collider, Polygons, Polyhedron, Pose};
use chasles_dynamics::body::{Material, Solidity};
use chasles_dynamics::world::Shape as Surface;
use chasles_dynamics::{Body, Options, World};
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
}

impl Heap {
    /// All kinds, with the numbers that are measured.
    pub const ALL: [(Self, &'static [usize]); 5] = [
        (Self::Grid, &[10, 30, 100, 300, 1000, 3000]),
        (Self::Pile, &[10, 30, 100, 300, 1000, 3000]),
        (Self::Pyramid, &[5, 10, 20, 30]),
        (Self::Rocks, &[30, 100, 300]),
        (Self::Spheres, &[30, 100, 300]),
    ];

    /// What tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Pile => "pile",
            Self::Pyramid => "pyramid",
            Self::Rocks => "rocks",
            Self::Spheres => "spheres",
        }
    }

    /// The world with so many bodies besides what stands still; the base of a pyramid.
    ///
    /// *Fails* never for sizes that are measured.
    pub fn world(self, count: usize, options: Options) -> Result<World, Failure> {
        let mut world = World::new(options);
        match self {
            Self::Grid => grid(&mut world, count)?,
            Self::Pile => pile(&mut world, count)?,
            Self::Pyramid => pyramid(&mut world, count)?,
            Self::Rocks => poured(&mut world, count, &stones()?)?,
            Self::Spheres => {
                let ball = Surface::sphere(0.15)?;
                let round = ball.geometry().round().ok_or("a ball is round")?;
                let mass = Solidity::of_round(round, 1000.0)?;
                poured(&mut world, count, &[(ball, mass)])?;
            }
        }
        Ok(world)
    }
}

/// The side of boxes.
const SIDE: f64 = 0.2;

fn collider(size: [f64; 3]) -> Result<Arc<Collider>, Failure> {
    Ok(Arc::new(Collider::new(Shape::Box(Cuboid { size }).build()?)))
}

fn cube() -> Result<(Surface, Solidity), Failure> {
    let cube = collider([SIDE; 3])?;
    let mass = Solidity::of_mesh(cube.mesh(), 1000.0)?;
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

fn add(world: &mut World, (shape, mass): &(Surface, Solidity), pose: Pose) -> Result<(), Failure> {
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

/// Three convex stones of a dozen corners.
fn stones() -> Result<Vec<(Surface, Solidity)>, Failure> {
    (0..3)
        .map(|seed| {
            let mesh = Polyhedron::new(&stone(seed))?;
            let mass = Solidity::of_mesh(&mesh, 2600.0)?;
            Ok((Arc::new(Collider::new(mesh)).into(), mass))
        })
        .collect()
}

/// A stone: two tips and two rings of corners on an ellipsoid, which is convex.
fn stone(seed: u64) -> Polygons {
    let mut random = Random::new(100 + seed);
    let radii = DVec3::new(0.16, 0.13, 0.10) * (1.0 + 0.2 * random.between(-1.0, 1.0));
    let sides = 5 + seed as usize;
    let [low, high] = [-0.5, 0.45];
    let ring = |height: f64, shift: f64| {
        (0..sides).map(move |k| {
            let angle = (k as f64 + shift) / sides as f64 * TAU;
            let wide = (1.0 - height * height).sqrt();
            radii * DVec3::new(wide * angle.cos(), wide * angle.sin(), height)
        })
    };
    let mut vertices: Vec<DVec3> = ring(low, 0.0).chain(ring(high, 0.5)).collect();
    vertices.extend([radii * -DVec3::Z, radii * DVec3::Z]);
    let [bottom, top] = [2 * sides, 2 * sides + 1].map(|k| k as u32);
    let mut faces = Vec::new();
    for k in 0..sides {
        let [k, next] = [k, (k + 1) % sides].map(|k| k as u32);
        let [up, up_next] = [k, next].map(|k| k + sides as u32);
        faces.push(vec![bottom, next, k]);
        faces.push(vec![top, up, up_next]);
        faces.push(vec![k, next, up]);
        faces.push(vec![up, next, up_next]);
    }
    Polygons { vertices, faces, ..Polygons::default() }
}

/// A bowl as a solid of rotation.
fn bowl(radius: f64) -> Polygons {
    const AROUND: usize = 24;
    const ALONG: usize = 6;
    let profile: Vec<[f64; 2]> = (0..=ALONG)
        .map(|k| {
            let angle = k as f64 / ALONG as f64 * 1.2;
            [radius * angle.sin(), radius * (1.0 - angle.cos())]
        })
        .collect();
    let mut vertices = Vec::new();
    let wall = 0.15 * radius;
    for (inside, drop) in [(true, 0.0), (false, wall)] {
        for &[r, z] in &profile[1..] {
            let r = if inside { r } else { r + wall };
            vertices.extend((0..AROUND).map(|k| {
                let angle = k as f64 / AROUND as f64 * TAU;
                DVec3::new(r * angle.cos(), r * angle.sin(), z - drop)
            }));
        }
    }
    let tip = vertices.len() as u32;
    vertices.extend([DVec3::ZERO, DVec3::Z * -wall]);
    let at =
        |shell: usize, row: usize, k: usize| ((shell * ALONG + row) * AROUND + k % AROUND) as u32;
    let mut faces = Vec::new();
    let mut quad = |[a, b, c, d]: [u32; 4]| faces.extend([vec![a, c, b], vec![a, d, c]]);
    for k in 0..AROUND {
        for row in 0..ALONG - 1 {
            quad([at(0, row, k), at(0, row, k + 1), at(0, row + 1, k + 1), at(0, row + 1, k)]);
            quad([at(1, row, k), at(1, row + 1, k), at(1, row + 1, k + 1), at(1, row, k + 1)]);
        }
        let rim = ALONG - 1;
        quad([at(0, rim, k), at(0, rim, k + 1), at(1, rim, k + 1), at(1, rim, k)]);
    }
    for k in 0..AROUND {
        faces.push(vec![tip, at(0, 0, k), at(0, 0, k + 1)]);
        faces.push(vec![tip + 1, at(1, 0, k + 1), at(1, 0, k)]);
    }
    // Seen from above, the inside of the bowl is its outside.
    Polygons { vertices, faces, ..Polygons::default() }
}

fn poured(world: &mut World, count: usize, shapes: &[(Surface, Solidity)]) -> Result<(), Failure> {
    let n = side(count, 12).max(2);
    let radius = 0.45 * n as f64 + 0.4;
    let mesh = Polyhedron::new(&bowl(radius))?;
    world.add(Body::fixed(Arc::new(Collider::new(mesh))).made_of(material()?));
    let mut random = Random::new(13);
    for i in 0..count {
        let place = |k: usize| (k as f64 - 0.5 * (n - 1) as f64) * 0.42;
        let height = 0.6 * radius + 0.42 * (i / (n * n)) as f64;
        let at = DVec3::new(place(i % n), place(i / n % n), height) + 0.02 * random.vector();
        let turn = DQuat::from_scaled_axis(3.0 * random.vector());
        add(world, &shapes[i % shapes.len()], Pose::new(at, turn)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_begin_apart_and_closed() {
        for (heap, counts) in Heap::ALL {
            let mut world = heap.world(counts[1], Options::default()).expect("shapes");
            world.check().expect("bodies are apart");
            let volume = world.bodies()[0].collider().mesh().mass(1.0);
            assert!(volume.is_some_and(|mass| mass.mass > 0.0), "{} has a hole", heap.name());
        }
    }
}
