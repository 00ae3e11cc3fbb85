//! Two trees of certified edges grow towards each other, past a wall with a window [Kuffner00].
//! An edge that hits is kept as far as it is proven free.

use std::error::Error;
use std::io::{Write, stdout};

use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::{Pose, query::Geometry};
use chasles_planning::{Packages, Robot, Scene, SceneError};

type Q = Vec<f64>;
/// Configurations, each with the number of the one before.
type Tree = Vec<(Q, usize)>;

fn main() -> Result<(), Box<dyn Error>> {
    let urdf = include_str!("../tests/support/arm.urdf");
    let robot = Robot::parse(urdf, "arm.urdf", &Packages::new())?;
    let srdf = include_str!("../tests/support/arm.srdf");
    let mut scene = Scene::new(robot.with_srdf_text(srdf, "arm.srdf")?);
    for (name, y) in [("left", 0.4), ("right", -0.4)] {
        let slab = Geometry::shape(&Shape::Box(Cuboid { size: [0.04, 0.5, 1.6] }))?;
        scene.add(name, slab, Pose::from_position([0.5, y, 0.8])?)?;
    }
    // Beside the wall, and through its window.
    let start = vec![1.5, -0.3, 1.2, 0.0, 0.0, 0.3, 0.0, 0.0];
    let goal = vec![0.0, 0.5, 0.6, 0.0, 0.1, -0.3, 1.57, 0.02];
    let path = connect(&scene, [start, goal])?.ok_or("no way was found")?;
    let clear = scene.clearance(&path, 1e-4)?.ok_or("there are pairs")?.lower;
    writeln!(stdout(), "{} configurations, never nearer than {clear:.4}", path.len())?;
    Ok(())
}

fn connect(scene: &Scene, ends: [Q; 2]) -> Result<Option<Vec<Q>>, SceneError> {
    let [mut one, mut other] = ends.map(|q| vec![(q, 0)]);
    let limits = scene.robot().variables().iter().map(|v| v.limits.map(|l| l.clamp(-3.2, 3.2)));
    let limits: Vec<[f64; 2]> = limits.collect();
    let mut bits = 1_u64;
    for _ in 0..10_000 {
        let sample = limits.iter().map(|[low, high]| {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            low + (high - low) * (bits >> 11) as f64 / (1_u64 << 53) as f64
        });
        let aim = grow(scene, &mut one, &sample.collect::<Q>())?;
        if grow(scene, &mut other, &aim)? == aim {
            let [mut way, rest] = [trace(&one), trace(&other)];
            way.reverse();
            way.extend(rest);
            return Ok(Some(way));
        }
        std::mem::swap(&mut one, &mut other);
    }
    Ok(None)
}

/// Goes from the nearest configuration of a tree towards another, as far as is free.
fn grow(scene: &Scene, tree: &mut Tree, aim: &[f64]) -> Result<Q, SceneError> {
    let away = |q: &[f64]| q.iter().zip(aim).map(|(p, q)| (p - q).powi(2)).sum::<f64>();
    let nearest = (0..tree.len()).min_by(|&i, &j| away(&tree[i].0).total_cmp(&away(&tree[j].0)));
    let nearest = nearest.unwrap_or(0);
    let edge = scene.edge(&tree[nearest].0, aim, 0.0)?;
    // A little back from a hit, so that the next edge begins free.
    let t = if edge.is_free() { 1.0 } else { 0.9 * edge.fraction };
    let along = |(p, q): (&f64, &f64)| if t == 1.0 { *q } else { p + t * (q - p) };
    let new: Q = tree[nearest].0.iter().zip(aim).map(along).collect();
    tree.push((new.clone(), nearest));
    Ok(new)
}

/// The way from the newest configuration of a tree back to its root.
fn trace(tree: &Tree) -> Vec<Q> {
    let before = |&i: &usize| (i > 0).then(|| tree[i].1);
    let way = std::iter::successors(Some(tree.len() - 1), before);
    way.map(|i| tree[i].0.clone()).collect()
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
