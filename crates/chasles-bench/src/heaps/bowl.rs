//! Stones and balls that are poured into a bowl.

use std::f64::consts::TAU;
use std::sync::Arc;

use chasles::glam::{DQuat, DVec3};
use chasles::{Collider, Polygons, Polyhedron, Pose};
use chasles_dynamics::body::MassProperties;
use chasles_dynamics::world::Shape as Surface;
use chasles_dynamics::{Body, World};
use chasles_testkit::generate::Random;

use super::{Failure, add, material, side};

/// A true ball.
pub(super) fn ball() -> Result<(Surface, MassProperties), Failure> {
    let ball = Surface::sphere(0.15)?;
    let round = ball.geometry().round().ok_or("a ball is round")?;
    let mass = MassProperties::of_round(round, 1000.0)?;
    Ok((ball, mass))
}

/// Three convex stones of a dozen corners.
pub(super) fn stones() -> Result<Vec<(Surface, MassProperties)>, Failure> {
    (0..3)
        .map(|seed| {
            let mesh = Polyhedron::new(&stone(seed))?;
            let mass = MassProperties::of_mesh(&mesh, 2600.0)?;
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

/// A bowl, and so many bodies above it.
pub(super) fn poured(
    world: &mut World,
    count: usize,
    shapes: &[(Surface, MassProperties)],
) -> Result<(), Failure> {
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
