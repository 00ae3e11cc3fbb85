//! Edges between their faces, and the directions that properness needs of them.

use glam::DVec3;
use wide::f64x2;

use crate::mesh::{Polyhedron, Side};

/// An edge between its faces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ridge {
    /// The unit vector along the edge.
    pub(crate) direction: DVec3,
    /// Two of its wings, coordinate by coordinate. The same twice if there is one face, and no
    /// numbers if there is none; of more than two faces the first two bound what all give.
    wings: [[f64; 2]; 3],
}

impl Ridge {
    pub(super) fn new(mesh: &Polyhedron, e: u32) -> Self {
        let direction = direction(mesh, e);
        let mut wings = wings(mesh, e, direction);
        let first = wings.next().unwrap_or(DVec3::NAN);
        let second = wings.next().unwrap_or(first);
        Self { direction, wings: [0, 1, 2].map(|i| [first[i], second[i]]) }
    }

    /// The products of a vector and the wings.
    #[inline]
    pub(crate) fn terms(&self, vector: DVec3) -> [f64; 2] {
        let [x, y, z] = vector.to_array().map(f64x2::splat);
        let [a, b, c] = &self.wings;
        (f64x2::new(*a) * x + f64x2::new(*b) * y + f64x2::new(*c) * z).to_array()
    }
}

/// The unit vector along an edge.
#[inline]
pub(super) fn direction(mesh: &Polyhedron, e: u32) -> DVec3 {
    let [p, q] = mesh.edge(e).map(|v| mesh.position(v));
    (q - p).normalize_or_zero()
}

/// The direction from an edge in direction `along` into each of its faces: left of the edge seen
/// from outside for a left face, right for a right one.
#[inline]
pub(super) fn wings(
    mesh: &Polyhedron,
    e: u32,
    along: DVec3,
) -> impl ExactSizeIterator<Item = DVec3> + Clone {
    mesh.edge_sides(e).iter().map(move |side| wing(mesh, side, along))
}

#[inline]
fn wing(mesh: &Polyhedron, side: &Side, along: DVec3) -> DVec3 {
    let left = mesh.normal(side.face).cross(along);
    if side.left { left } else { -left }
}

/// Its length squared, rounded up a little, since bounds rely on it.
pub(super) fn length_sq(mesh: &Polyhedron, e: u32) -> f64 {
    let [p, q] = mesh.edge(e).map(|v| mesh.position(v));
    p.distance_squared(q) * (1.0 + 8.0 * f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::{Shape, Torus};

    #[test]
    fn terms_are_the_products_with_the_wings_bit_for_bit() {
        let mesh = Shape::Torus(Torus::default()).build().expect("a torus");
        for e in 0..mesh.edge_count() as u32 {
            let ridge = Ridge::new(&mesh, e);
            let x = f64::from(e);
            let vector = DVec3::new(x.sin(), (2.0 * x).cos(), (0.3 * x).sin());
            let wings = wings(&mesh, e, ridge.direction);
            assert!(ridge.terms(vector).into_iter().eq(wings.map(|wing| wing.dot(vector))));
        }
    }
}
