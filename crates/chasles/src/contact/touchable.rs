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
