//! What stands in a picture, and how it looks.

use chasles::glam::DVec3;
use chasles::{Polyhedron, Pose};

use crate::colour::{Colour, palette};

/// How bodies are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drawing {
    /// Faces in colour, as light falls on them, with thin edges.
    #[default]
    Shaded,
    /// Edges only, where no face hides them: for print.
    Lines,
}

/// How a body looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The colour of faces; edges are a darker shade of it.
    pub colour: Colour,
    /// 1 is solid, 0 invisible. Of a translucent body only the front is seen.
    pub opacity: f64,
    /// Whether the edges of polygons are drawn.
    pub edges: bool,
    /// Whether the camera makes sure to show the whole body; turn it off for endless floors.
    pub framed: bool,
}

impl Look {
    /// Solid, with edges, in the colour of body number `index`.
    pub fn of(index: usize) -> Self {
        Self { colour: palette(index), ..Self::default() }
    }

    /// The same body where it was, or will be: faint, with edges.
    pub fn ghost(self) -> Self {
        Self { opacity: 0.22, ..self }
    }
}

impl Default for Look {
    fn default() -> Self {
        Self { colour: palette(0), opacity: 1.0, edges: true, framed: true }
    }
}

/// A placed body.
pub(crate) struct Body<'a> {
    pub(crate) mesh: &'a Polyhedron,
    pub(crate) pose: Pose,
    pub(crate) look: Look,
}

impl Body<'_> {
    /// Whether an edge is drawn. The cuts inside a polygon that was split are not, and lone
    /// segments always are.
    pub(crate) fn shows_edge(&self, edge: u32) -> bool {
        match self.mesh.edge_sides(edge) {
            [] => true,
            [p, q] => {
                self.look.edges && self.mesh.face_label(p.face) != self.mesh.face_label(q.face)
            }
            _ => self.look.edges,
        }
    }
}

/// A polyline in the world.
pub(crate) struct Curve {
    pub(crate) points: Vec<DVec3>,
    pub(crate) colour: Colour,
    pub(crate) width: f64,
}

/// A contact.
pub(crate) struct Marker {
    pub(crate) point: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) properness: f64,
    /// How large it is: 1 is usual.
    pub(crate) scale: f64,
}
