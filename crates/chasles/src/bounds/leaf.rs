//! What a query wants to know of a leaf of the tree before it looks at the leaf's features.

use glam::DVec3;

use super::tree::Node;
use crate::mesh::Polyhedron;

/// A leaf of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// No edge of its faces is longer than the root of this.
    pub(crate) length_sq: f64,
    /// Half the diagonal of its box.
    pub(crate) radius: f64,
    /// Holds the normals of all faces at its features.
    pub(crate) normals: Cone,
}

impl Leaf {
    /// *Accepts* the faces of other leaves at this leaf's features, and a bound of the square of a
    /// face's longest edge and of a segment's length.
    pub(super) fn new(
        node: &Node,
        mesh: &Polyhedron,
        other_faces: &[u32],
        [face_length_sq, edge_length_sq]: [&[f64]; 2],
    ) -> Self {
        let of_faces = node.faces.clone().map(|f| face_length_sq[f as usize]);
        let of_edges = node.edges.clone().map(|e| edge_length_sq[e as usize]);
        let faces = node.faces.clone().chain(other_faces.iter().copied());
        let lone = node.vertices.clone().any(|v| mesh.vertex_faces(v).is_empty())
            || node.edges.clone().any(|e| mesh.edge_sides(e).is_empty());
        let all_around = lone || faces.clone().any(|f| mesh.is_two_sided(f));
        Self {
            length_sq: of_faces.chain(of_edges).fold(0.0, f64::max),
            radius: node.half.length() * (1.0 + 8.0 * f64::EPSILON),
            normals: if all_around {
                Cone::ALL
            } else {
                Cone::around(faces.map(|f| mesh.normal(f)))
            },
        }
    }
}

/// Faces of other leaves at the features of this one, each once and in order.
pub(super) fn other_faces(node: &Node, mesh: &Polyhedron, out: &mut Vec<u32>) {
    let start = out.len();
    let at_vertices = node.vertices.clone().flat_map(|v| mesh.vertex_faces(v)).copied();
    let at_edges = node.edges.clone().flat_map(|e| mesh.edge_sides(e)).map(|side| side.face);
    out.extend(at_vertices.chain(at_edges).filter(|f| !node.faces.contains(f)));
    out[start..].sort_unstable();
    let mut kept = start;
    for i in start..out.len() {
        if i == start || out[i] != out[i - 1] {
            out[kept] = out[i];
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// Directions no farther than an angle from an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cone {
    axis: DVec3,
    /// Of the angle; the cosine is negative for all directions.
    cosine: f64,
    sine: f64,
}

impl Cone {
    /// All directions.
    pub(crate) const ALL: Self = Self { axis: DVec3::Z, cosine: -1.0, sine: 0.0 };

    /// A cone that holds these unit vectors; all directions if they need more than a half-space.
    fn around(normals: impl Iterator<Item = DVec3> + Clone) -> Self {
        let axis = normals.clone().sum::<DVec3>().normalize_or_zero();
        let cosine = normals.map(|n| n.dot(axis)).fold(1.0, f64::min) - 1e-12;
        if cosine <= 0.0 {
            return Self::ALL;
        }
        Self { axis, cosine, sine: (1.0 - cosine * cosine).max(0.0).sqrt() }
    }

    /// The greatest component of a vector along a direction of the cone.
    #[inline]
    pub(crate) fn greatest(&self, vector: DVec3) -> f64 {
        let length_sq = vector.length_squared();
        let along = vector.dot(self.axis);
        let length = length_sq.sqrt();
        if self.cosine < 0.0 || along >= length * self.cosine {
            return length;
        }
        along * self.cosine + (length_sq - along * along).max(0.0).sqrt() * self.sine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cone_bounds_all_its_directions() {
        let normals = [[0.1, 0.0, 1.0], [-0.3, 0.2, 1.0], [0.2, -0.4, 0.9]];
        let normals = normals.map(|n| DVec3::from(n).normalize());
        let cone = Cone::around(normals.iter().copied());
        assert!(cone.cosine > 0.8);
        for i in 0..200 {
            let [a, b] = [0.7 * f64::from(i), 0.13 * f64::from(i)];
            let vector = 3.0 * DVec3::new(a.cos() * b.sin(), a.sin() * b.sin(), b.cos());
            let greatest = normals.iter().map(|n| n.dot(vector)).fold(f64::MIN, f64::max);
            assert!(greatest <= cone.greatest(vector) + 1e-9);
            // Not much more than the widest of the three.
            assert!(cone.greatest(vector) <= greatest + 3.0);
        }
        assert!(cone.greatest(-DVec3::Z) < -0.8);
        assert_eq!(Cone::around([DVec3::X, -DVec3::X].into_iter()), Cone::ALL);
        assert_eq!(Cone::ALL.greatest(DVec3::new(0.0, 0.0, -2.0)), 2.0);
    }
}
