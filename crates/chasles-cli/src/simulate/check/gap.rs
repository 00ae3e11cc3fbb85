//! How near to each other bodies come.

use chasles::glam::DVec3;
use chasles::query::{Workspace, distance};
use chasles_dynamics::World;

use super::pairs::{around, should_be_apart};

/// Bodies are near if their boxes are, by this share of the smaller.
const NEAR: f64 = 0.01;

/// The smallest distance between two bodies that may not be in each other, of those that are near;
/// none if no two are.
///
/// *Cost* a box test for each pair, and a query for each that is near. *Fails* never; bodies that
/// are in each other have the distance 0.
pub fn smallest_gap(world: &World) -> Option<f64> {
    let mut workspace = Workspace::new();
    let bodies = world.bodies();
    let poses: Vec<_> = bodies.iter().map(|body| body.pose()).collect();
    let boxes: Vec<[DVec3; 2]> = bodies.iter().zip(&poses).map(around).collect();
    let mut least = None;
    for j in 0..bodies.len() {
        for i in 0..j {
            let [[low_a, high_a], [low_b, high_b]] = [boxes[i], boxes[j]];
            let smaller = (high_a - low_a).length().min((high_b - low_b).length());
            let reach = DVec3::splat(NEAR * smaller);
            let is_near = low_a.cmple(high_b + reach).all() && low_b.cmple(high_a + reach).all();
            if is_near && should_be_apart(world, [i, j]) {
                let [a, b] = [i, j].map(|body| bodies[body].shape().geometry());
                let found = distance(a, b, [poses[i], poses[j]], &mut workspace);
                let gap = found.map_or(0.0, |found| found.distance);
                least = Some(least.map_or(gap, |least: f64| least.min(gap)));
            }
        }
    }
    least
}
