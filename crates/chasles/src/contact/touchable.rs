//! Whether the shape of two closed bodies next to a contact lets them touch there from outside.
//!
//! While bodies are only touching, the solids next to the contact have no inner point in common.
//! That rules out, whatever the bodies' positions:
//!
//! | meets | what cannot be |
//! |---|---|
//! | face and vertex | a vertex whose solid no half-space holds: the face's half-space is taken |
//! | two edges that cross | a reflex edge: what it leaves free holds no line but its own |
//! | edge and vertex | a saddle at a reflex edge, and a pit |
//! | two vertices | a pit and anything but a peak |
//!
//! [Buss04 §5] looks at edges alone: its properness is positive where a needle stands *inside* a
//! solid on the tip of a pit.

use super::{Met, Pair};
use crate::bounds::{Collider, Corner};

impl Pair {
    /// Whether two features, or the features that coincide, can touch from outside. Where it is not
    /// known what is solid, they can.
    #[inline]
    pub(crate) fn is_touchable(&self, [a, b]: [&Collider; 2]) -> bool {
        match self.met {
            Met::FaceVertex => b.corner(self.b) == Corner::Peak,
            Met::VertexFace => a.corner(self.a) == Corner::Peak,
            Met::EdgeEdge => !a.is_reflex(self.a) & !b.is_reflex(self.b),
            Met::EdgeVertex => is_open_to_edge(b.corner(self.b), a.is_reflex(self.a)),
            Met::VertexEdge => is_open_to_edge(a.corner(self.a), b.is_reflex(self.b)),
            Met::VertexVertex => {
                let both = [a.corner(self.a), b.corner(self.b)];
                both.contains(&Corner::Peak) || !both.contains(&Corner::Pit)
            }
        }
    }
}

/// Whether an edge of the other body can lie against a vertex.
fn is_open_to_edge(corner: Corner, is_reflex: bool) -> bool {
    match corner {
        Corner::Peak => true,
        Corner::Saddle => !is_reflex,
        Corner::Pit => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Polygons, Polyhedron};

    /// A box with a pit in its top: its tip is vertex 8.
    fn pit() -> Collider {
        let base = [[-2., -2.], [2., -2.], [2., 2.], [-2., 2.]];
        let level = |z: f64| base.map(|[x, y]| [x, y, z]);
        let vertices = [&level(-3.0)[..], &level(0.0), &[[0.3, 0.2, -1.0]]].concat();
        let mut faces = vec![vec![3, 2, 1, 0]];
        faces.extend((0..4).map(|i| vec![i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4]));
        faces.extend((0..4).map(|i| vec![i + 4, (i + 1) % 4 + 4, 8]));
        Collider::new(Polyhedron::new(&Polygons::new(vertices, faces)).expect("a mesh"))
    }

    /// A prism over an L: the reflex edge from vertex 3 to vertex 9 ends in a saddle at 3.
    fn groove() -> Collider {
        let flat = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];
        let lowest = [0., 0., -0.5, 0., -0.5, 0.];
        let below = (0..6).map(|i| [flat[i][0], flat[i][1], lowest[i]]);
        let vertices = below.chain(flat.map(|[x, y]| [x, y, 1.0]));
        let mut faces = vec![vec![5, 4, 3, 2, 1, 0], vec![6, 7, 8, 9, 10, 11]];
        faces.extend((0..6).map(|i| vec![i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6]));
        Collider::new(Polyhedron::new(&Polygons::new(vertices, faces)).expect("a mesh"))
    }

    fn vertex(body: &Collider, label: u32) -> u32 {
        let mut all = 0..body.mesh().vertex_count() as u32;
        all.find(|&v| body.mesh().vertex_label(v) == label).expect("a vertex")
    }

    fn edge(body: &Collider, label: [u32; 2]) -> u32 {
        let mut all = 0..body.mesh().edge_count() as u32;
        all.find(|&e| body.mesh().edge_label(e) == label).expect("an edge")
    }

    /// The table of the module, line by line.
    #[test]
    fn what_can_touch_is_what_the_table_says() {
        let (pit, groove) = (&pit(), &groove());
        let corners = [(pit, vertex(pit, 0)), (groove, vertex(groove, 3)), (pit, vertex(pit, 8))];
        let kinds = corners.map(|(body, v)| body.corner(v));
        assert_eq!(kinds, [Corner::Peak, Corner::Saddle, Corner::Pit]);
        let edges = [(pit, edge(pit, [0, 1])), (groove, edge(groove, [3, 9]))];
        assert_eq!(edges.map(|(body, e)| body.is_reflex(e)), [false, true]);
        let can = |met, (body_a, a): (&Collider, u32), (body_b, b): (&Collider, u32)| {
            Pair { met, a, b }.is_touchable([body_a, body_b])
        };
        let both = |[there, back]: [Met; 2], p, q| {
            assert_eq!(can(there, p, q), can(back, q, p), "{there:?}");
            can(there, p, q)
        };
        let with_face = [Met::FaceVertex, Met::VertexFace];
        assert_eq!(corners.map(|v| both(with_face, (pit, 0), v)), [true, false, false]);
        let crossing = |p| edges.map(|q| both([Met::EdgeEdge; 2], p, q));
        assert_eq!(edges.map(crossing), [[true, false], [false, false]]);
        let with_edge = |v| edges.map(|e| both([Met::EdgeVertex, Met::VertexEdge], e, v));
        assert_eq!(corners.map(with_edge), [[true, true], [true, false], [false, false]]);
        let tips = |p| corners.map(|q| both([Met::VertexVertex; 2], p, q));
        let none_but_peaks = [true, false, false];
        assert_eq!(corners.map(tips), [[true; 3], [true, true, false], none_but_peaks]);
    }
}
