//! Boxes first: which parts of two bodies can meet at all [Buss04 §10].
//!
//! The paper proposes bounding volumes, and a coarse polyhedron around each body that is collided
//! before the bodies themselves; `hulls.rs` has the second. Ours are the boxes of the collider's
//! hierarchy, down to clusters of a few faces. A box contains its faces at all times, so on the
//! screen its bounds contain theirs, and faces of two boxes whose bounds never meet during the step
//! cannot meet either. Only faces in boxes that meet some box of the other body are drawn.

use std::ops::Range;

use crate::bounds::Collider;
use crate::screen::drawing::body::Body;
use crate::screen::drawing::hulls::Hulls;
use crate::screen::place::extent::Extent;

/// Boxes with at most so many faces are not opened: faces have bounds of their own.
const CLUSTER: usize = 32;

/// The boxes of one body. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
struct Boxes {
    /// Bounds of each node on the screen, if `known` has the number of the query.
    extents: Vec<Extent>,
    known: Vec<u32>,
    met: Vec<u32>,
    faces: Vec<Range<u32>>,
}

impl Boxes {
    fn start(&mut self, nodes: usize) {
        self.faces.clear();
        if self.known.len() < nodes {
            self.extents.resize(nodes, Extent::EMPTY);
            self.known.resize(nodes, 0);
            self.met.resize(nodes, 0);
        }
    }

    #[inline]
    fn extent(&mut self, body: &Body<'_>, limits: &Limits, node: u32) -> Extent {
        let i = node as usize;
        if self.known[i] != limits.query {
            self.known[i] = limits.query;
            self.extents[i] = body.boxed(node).widened(limits.pad, 0.0).shared(&limits.region);
        }
        self.extents[i]
    }

    fn meet(&mut self, collider: &Collider, node: u32, query: u32) {
        let met = &mut self.met[node as usize];
        if *met != query {
            *met = query;
            self.faces.push(collider.nodes()[node as usize].faces.clone());
        }
    }
}

/// Where boxes are looked at, and in which query.
#[derive(Clone, Copy, Debug)]
struct Limits {
    region: Extent,
    pad: f32,
    query: u32,
}

/// Finds the faces of two bodies that are in boxes which meet.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Clusters {
    pub(in crate::screen) hulls: Hulls,
    boxes: [Boxes; 2],
    stack: Vec<[u32; 2]>,
    query: u32,
}

impl Clusters {
    /// Collides the boxes of both bodies in a region during the times of `window`; `pad` is the
    /// distance in pixels at which bounds still meet, which must cover the rounding of singles.
    pub(in crate::screen) fn collide(
        &mut self,
        bodies: &[Body<'_>; 2],
        (region, window): (Extent, [f32; 2]),
        pad: f32,
    ) {
        let colliders = [0, 1].map(|i| bodies[i].facing.collider);
        for (boxes, collider) in self.boxes.iter_mut().zip(colliders) {
            boxes.start(collider.nodes().len());
        }
        let query = self.next_query();
        let limits = &Limits { region, pad, query };
        let Self { boxes: [of_a, of_b], stack, .. } = self;
        stack.push([0, 0]);
        while let Some([a, b]) = stack.pop() {
            let extent = of_a.extent(&bodies[0], limits, a);
            if !extent.meets_in(&of_b.extent(&bodies[1], limits, b), window) {
                continue;
            }
            let nodes = [&colliders[0].nodes()[a as usize], &colliders[1].nodes()[b as usize]];
            let [size_of_a, size_of_b] = nodes.map(|node| {
                let opens = !node.is_leaf() && node.faces.len() > CLUSTER;
                if opens { node.faces.len() } else { 0 }
            });
            if size_of_a.max(size_of_b) == 0 {
                of_a.meet(colliders[0], a, query);
                of_b.meet(colliders[1], b, query);
            } else if size_of_a >= size_of_b {
                stack.extend([[nodes[0].child, b], [nodes[0].child + 1, b]]);
            } else {
                stack.extend([[a, nodes[1].child], [a, nodes[1].child + 1]]);
            }
        }
    }

    /// No faces.
    pub(in crate::screen) fn clear(&mut self) {
        self.boxes.iter_mut().for_each(|boxes| boxes.faces.clear());
    }

    /// All faces of two bodies.
    pub(in crate::screen) fn take_all(&mut self, bodies: &[Body<'_>; 2]) {
        for (boxes, body) in self.boxes.iter_mut().zip(bodies) {
            boxes.faces.clear();
            boxes.faces.push(0..body.facing.collider.mesh().face_count() as u32);
        }
    }

    /// Whether there are boxes worth opening.
    pub(in crate::screen) fn are_of_use(bodies: &[Body<'_>; 2]) -> bool {
        let is_large = |body: &Body<'_>| body.facing.collider.mesh().face_count() > CLUSTER;
        // Around the axis or across the cut there are no bounds.
        bodies.iter().any(is_large) && bodies.iter().all(|body| body.bend.is_finite())
    }

    /// How many faces were found.
    pub(in crate::screen) fn face_count(&self) -> usize {
        self.boxes.iter().flat_map(|boxes| &boxes.faces).map(Range::len).sum()
    }

    /// The faces of A and of B that were found.
    pub(in crate::screen) fn faces(&self) -> [&[Range<u32>]; 2] {
        [&self.boxes[0].faces, &self.boxes[1].faces]
    }

    /// A number that marks what this query wrote. After the last number all marks are cleared.
    fn next_query(&mut self) -> u32 {
        if self.query == u32::MAX {
            self.query = 0;
            for boxes in &mut self.boxes {
                boxes.known.fill(0);
                boxes.met.fill(0);
            }
        }
        self.query += 1;
        self.query
    }
}
