//! How deep two bodies are in each other.

use std::collections::BTreeMap;

use chasles::glam::DVec3;
use chasles::solid::{MeshSolid, Solid};
use chasles::{Collider, Pose};

/// Parts into which edges are cut: bodies may cross with all their corners outside.
const EDGE_PARTS: u32 = 8;

/// Parts into which the ways from the middle of a face to its corners are cut: bodies that are
/// stacked exactly have all edges on the surface of others.
const FACE_PARTS: u32 = 4;

/// The bodies that were ever in another, as solids, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Solids(BTreeMap<usize, Option<MeshSolid>>);

impl Solids {
    /// How far points of the edges and faces of one body are from the surface of the other on the
    /// inside, at most; 0 for bodies without an inside.
    pub(super) fn depth(
        &mut self,
        colliders: [&Collider; 2],
        names: [usize; 2],
        poses: [Pose; 2],
    ) -> f64 {
        let mut deepest = 0.0;
        for (of, other) in [(0, 1), (1, 0)] {
            let mesh = colliders[other].mesh();
            let solid = self.0.entry(names[other]).or_insert_with(|| MeshSolid::new(mesh).ok());
            let Some(solid) = solid else { continue };
            let into = poses[other].inverse_after(&poses[of]);
            deepest = f64::max(deepest, deepest_point(colliders[of], &into, solid));
        }
        deepest
    }
}

/// The depth of the deepest point of a body that is looked at.
fn deepest_point(body: &Collider, into: &Pose, solid: &MeshSolid) -> f64 {
    let mesh = body.mesh();
    let edges = (0..mesh.edge_count() as u32).map(|edge| mesh.edge(edge));
    let edges = edges.map(|ends| (ends.map(|v| mesh.position(v)), EDGE_PARTS));
    let spokes = (0..mesh.face_count() as u32).flat_map(|face| {
        let corners = mesh.face(face);
        let sum: DVec3 = corners.iter().map(|&v| mesh.position(v)).sum();
        let middle = sum / corners.len() as f64;
        corners.iter().map(move |&v| ([middle, mesh.position(v)], FACE_PARTS))
    });
    let points = edges.chain(spokes).flat_map(|([from, to], parts)| {
        (0..=parts).map(move |part| from.lerp(to, f64::from(part) / f64::from(parts)))
    });
    points.map(|point| -solid.distance(into.point(point)).high).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use chasles::mesh::shapes::{Cuboid, Shape};

    use super::*;

    fn bar(size: [f64; 3]) -> Collider {
        Collider::new(Shape::Box(Cuboid { size }).build().expect("a box"))
    }

    #[test]
    fn bodies_are_as_deep_as_points_of_their_edges_and_faces() {
        // All edges of either cube are on the surface of the other, or outside.
        let cube = bar([1.0; 3]);
        let at = |x: f64| [Pose::IDENTITY, Pose::from_position([x, 0.0, 0.0]).expect("a pose")];
        let depth = |x: f64| Solids::default().depth([&cube, &cube], [0, 1], at(x));
        assert!((depth(0.99) - 0.01).abs() < 1e-9, "{}", depth(0.99));
        assert_eq!(depth(1.01), 0.0);
        // Two bars that cross at right angles have no corner in each other.
        let [along, across] = [bar([4.0, 1.0, 1.0]), bar([1.0, 1.0, 4.0])];
        let lifted = [Pose::IDENTITY, Pose::from_position([0.0, 0.9, 0.0]).expect("a pose")];
        let depth = Solids::default().depth([&along, &across], [0, 1], lifted);
        assert!((depth - 0.1).abs() < 1e-9, "{depth}");
    }
}
