//! What a query knows of a body's features, kept from query to query.
//!
//! Nothing is cleared between queries: every entry carries the number of the query that wrote it.

use glam::DVec3;

use super::pack::Pack;
use super::placed::{Fixed, Lines, Plane};
use crate::bounds::{Chords, Collider, Cover, Quad, Slab, Spot, SweptBox};

/// Values that are computed once a query, when first asked, and kept side by side: memory grows
/// with what a query touches, not with the mesh, apart from one number a feature.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo<T> {
    /// Where the value of a feature is, counted from `first` on; older numbers mean nothing.
    slots: Vec<u32>,
    first: u32,
    pub(super) values: Vec<T>,
}

impl<T: Copy> Memo<T> {
    /// Forgets all values and makes room for `count` features.
    pub(super) fn begin(&mut self, count: usize) {
        // Numbers of earlier queries stay below those of this one, so nothing need be cleared,
        // except once in four thousand million values.
        match self.first.checked_add(self.values.len() as u32) {
            Some(first) if u32::MAX - first > count as u32 => self.first = first.max(1),
            _ => {
                self.slots.fill(0);
                self.first = 1;
            }
        }
        self.values.clear();
        grow(&mut self.slots, count, 0);
    }

    #[inline]
    pub(super) fn slot(&self, i: u32) -> Option<usize> {
        let slot = self.slots[i as usize];
        (slot >= self.first).then(|| (slot - self.first) as usize)
    }

    #[inline]
    pub(super) fn set(&mut self, i: u32, value: T) -> usize {
        let slot = self.values.len();
        self.slots[i as usize] = self.first + slot as u32;
        self.values.push(value);
        slot
    }
}

/// The memory of one body's features, reused from query to query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    pub(super) query: u32,
    pub(super) points: Vec<DVec3>,
    pub(super) spots: Vec<Spot>,
    /// Marks of vertices that have a point and a spot.
    pub(super) spot_marks: Vec<u32>,
    pub(super) planes: Memo<Plane>,
    pub(super) spreads: Memo<[DVec3; 4]>,
    pub(super) lines: Memo<Lines>,
    pub(super) fixed: Memo<Fixed>,
    pub(super) leaf_marks: Vec<u32>,
    pub(super) faced_marks: Vec<u32>,
    pub(super) node_marks: Vec<u32>,
    pub(super) nodes: Vec<Slab>,
    /// Bounds of leaves, four by four.
    pub(super) quad_marks: Vec<u32>,
    pub(super) leaf_quads: Vec<Quad>,
    /// Boxes of nodes have a number of their own, since they are made anew in a query.
    pub(super) boxing: u32,
    pub(super) box_marks: Vec<u32>,
    pub(super) boxes: Vec<SweptBox>,
    /// Features of leaves that were looked into, and their bounds, four by four: faces, edges,
    /// vertices.
    pub(super) ids: Vec<u32>,
    /// How much of the list is used.
    pub(super) used: usize,
    pub(super) quads: Vec<Quad>,
    /// Those of edges on the collision screen.
    pub(super) chords: Vec<Chords>,
    /// Where those of a leaf are.
    pub(super) packs: Vec<Pack>,
    /// How far on the screen vertices are from their spots, and borders of faces from their chords.
    pub(super) vertex_slacks: Vec<f32>,
    pub(super) face_slacks: Vec<f32>,
    pub(super) covers: Memo<Cover>,
    /// Of four faces each, which may and which do face the other body, and the query's number.
    pub(super) facing: Vec<(u32, [u8; 2])>,
    /// Marks of what faces the other body: vertices, edges, faces.
    pub(super) useful_vertices: Vec<u32>,
    pub(super) useful_edges: Vec<u32>,
    pub(super) useful_faces: Vec<u32>,
}

/// Makes a list at least this long.
#[inline]
fn grow<T: Clone>(list: &mut Vec<T>, count: usize, filler: T) {
    if list.len() < count {
        lengthen(list, count, filler);
    }
}

#[cold]
#[inline(never)]
fn lengthen<T: Clone>(list: &mut Vec<T>, count: usize, filler: T) {
    if list.is_empty() {
        // Fresh memory is zero already: marks that no query asks for are never written.
        *list = vec![filler; count];
    } else {
        list.resize(count, filler);
    }
}

impl Cache {
    pub(super) fn begin(&mut self, collider: &Collider) {
        let mesh = collider.mesh();
        let [v, e, f] = [mesh.vertex_count(), mesh.edge_count(), mesh.face_count()];
        let nodes = collider.moving_nodes().len();
        grow(&mut self.points, v, DVec3::ZERO);
        grow(&mut self.spots, v, Spot::default());
        grow(&mut self.packs, nodes, Pack::default());
        // Lists of each leaf begin at multiples of four, and one is written behind them.
        grow(&mut self.ids, v + e + f + 12 * collider.moving_nodes()[0].leaves.len() + 4, 0);
        self.used = 0;
        self.quads.clear();
        self.chords.clear();
        grow(&mut self.nodes, nodes, Slab::EMPTY);
        let quads = nodes.div_ceil(8) + 1;
        grow(&mut self.leaf_quads, quads, Quad::EMPTY);
        grow(&mut self.boxes, nodes, SweptBox::default());
        grow(&mut self.box_marks, nodes, 0);
        self.begin_boxes();
        grow(&mut self.vertex_slacks, v, 0.0);
        grow(&mut self.face_slacks, f, 0.0);
        grow(&mut self.facing, f.div_ceil(4), (0, [0; 2]));
        self.covers.begin(f);
        self.planes.begin(f);
        self.spreads.begin(v);
        self.lines.begin(e);
        self.fixed.begin(e);
        self.query = self.query.wrapping_add(1);
        let marks = [
            (&mut self.spot_marks, v),
            (&mut self.node_marks, nodes),
            (&mut self.leaf_marks, nodes),
            (&mut self.quad_marks, quads),
            (&mut self.faced_marks, f),
            (&mut self.useful_vertices, v),
            (&mut self.useful_edges, e),
            (&mut self.useful_faces, f),
        ];
        // After 2^32 queries the numbers start again.
        let start_again = self.query == 0;
        if start_again {
            self.facing.fill((0, [0; 2]));
        }
        for (list, count) in marks {
            if start_again {
                list.fill(0);
            }
            grow(list, count, 0);
        }
        self.query = self.query.max(1);
    }

    /// Forgets the boxes of nodes in space.
    pub(super) fn begin_boxes(&mut self) {
        self.boxing = self.boxing.wrapping_add(1);
        if self.boxing == 0 {
            self.box_marks.fill(0);
            self.boxing = 1;
        }
    }
}
