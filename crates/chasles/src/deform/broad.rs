//! Pairs of features whose paths may meet.

use glam::DVec3;

use super::octree::Octree;
use super::surface::Moving;
use crate::bounds::{Aabb, Stack};

/// How pairs that may touch are found. All ways find the same contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BroadPhase {
    /// Trees of boxes over both surfaces, fitted to the step.
    #[default]
    Boxes,
    /// The octree of points with grown boxes of [MW88 §2.1], made anew for each step.
    Octree,
    /// Every feature against every other: slow, and good for checks.
    All,
}

/// Two surfaces, or one and itself.
pub(super) struct Search<'s> {
    pub(super) surfaces: [&'s Moving<'s>; 2],
    pub(super) with_itself: bool,
    pub(super) edges: bool,
    /// Features this close count as well as those that touch.
    pub(super) margin: f64,
}

/// Two features of which the boxes overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    /// A vertex of one surface (0 for A, 1 for B) and a triangle of the other.
    Vertex { of: usize, vertex: u32, triangle: u32 },
    /// An edge of A and one of B.
    Edges([u32; 2]),
}

/// Memory that searches reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    boxes: [Boxes; 2],
    stack: Stack,
    octree: Octree,
}

/// Boxes of the paths of a surface's features.
#[derive(Clone, Debug, Default)]
struct Boxes {
    vertices: Vec<Aabb>,
    edges: Vec<Aabb>,
    cells: Vec<Aabb>,
    nodes: Vec<Aabb>,
}

impl Boxes {
    /// Boxes grown by a margin.
    fn fit(&mut self, moving: &Moving<'_>, margin: f64) {
        let Moving { surface, ends: [start, end] } = *moving;
        self.vertices.clear();
        let path = |(p, q): (&DVec3, &DVec3)| Aabb::around([*p, *q]).grown(DVec3::splat(margin));
        self.vertices.extend(start.iter().zip(end).map(path));
        let Self { vertices, edges, cells, nodes } = self;
        let at = |v: u32| &vertices[v as usize];
        edges.clear();
        edges.extend(surface.edges.iter().map(|&[p, q]| at(p).join(at(q))));
        cells.clear();
        let join = |[p, q, r]: [u32; 3]| at(p).join(at(q)).join(at(r));
        cells.extend(surface.cells.iter().map(|cell| join(cell.corners)));
        surface.tree.fit(cells, nodes);
    }
}

impl Search<'_> {
    /// Calls `each` with every pair of features whose boxes overlap, once. Features of one surface
    /// that share a vertex are left out.
    pub(super) fn run(
        &self,
        phase: BroadPhase,
        memory: &mut Memory,
        mut each: impl FnMut(Candidate),
    ) {
        let Memory { boxes, stack, octree } = memory;
        let [of_a, of_b] = boxes;
        // Half of it on either side, and a little for rounding.
        let margin = 0.5 * self.margin * (1.0 + 1e-3);
        of_a.fit(self.surfaces[0], margin);
        if !self.with_itself {
            of_b.fit(self.surfaces[1], margin);
        }
        let boxes = if self.with_itself { [&*of_a, &*of_a] } else { [&*of_a, &*of_b] };
        match phase {
            BroadPhase::Boxes => self.by_boxes(boxes, stack, &mut each),
            BroadPhase::Octree => self.by_octree(boxes, octree, &mut each),
            BroadPhase::All => self.all(boxes, &mut each),
        }
    }

    fn by_boxes(&self, boxes: [&Boxes; 2], stack: &mut Stack, each: &mut impl FnMut(Candidate)) {
        let [a, b] = self.surfaces.map(|moving| moving.surface);
        let of_cells = |i: u32, j: u32| {
            if !boxes[0].cells[i as usize].overlaps(&boxes[1].cells[j as usize]) {
                return;
            }
            if let Some(triangle) = b.cells[j as usize].triangle {
                for &vertex in a.own_vertices.row(i) {
                    self.vertex(boxes, [0, vertex as usize, triangle as usize], each);
                }
            }
            if let Some(triangle) = a.cells[i as usize].triangle {
                for &vertex in b.own_vertices.row(j) {
                    self.vertex(boxes, [1, vertex as usize, triangle as usize], each);
                }
            }
            if self.edges {
                for &p in a.own_edges.row(i) {
                    b.own_edges.row(j).iter().for_each(|&q| self.pair(boxes, [p, q], each));
                }
            }
        };
        if self.with_itself {
            a.tree.pairs_within(&boxes[0].nodes, stack, of_cells);
        } else {
            a.tree.pairs_between(&boxes[0].nodes, (&b.tree, &boxes[1].nodes), stack, of_cells);
        }
    }

    /// A vertex of one surface and a triangle of the other, if their boxes overlap.
    #[inline]
    fn vertex(
        &self,
        boxes: [&Boxes; 2],
        [of, vertex, triangle]: [usize; 3],
        each: &mut impl FnMut(Candidate),
    ) {
        // The first cells are the triangles.
        let near = boxes[of].vertices[vertex].overlaps(&boxes[1 - of].cells[triangle]);
        let corners = &self.surfaces[1 - of].surface.triangles[triangle];
        let joined = self.with_itself && corners.contains(&(vertex as u32));
        if near && !joined {
            let [vertex, triangle] = [vertex as u32, triangle as u32];
            each(Candidate::Vertex { of, vertex, triangle });
        }
    }

    /// An edge of A and an edge of B, if their boxes overlap; of one surface the lower comes first.
    #[inline]
    fn pair(&self, boxes: [&Boxes; 2], [p, q]: [u32; 2], each: &mut impl FnMut(Candidate)) {
        let [p, q] = if self.with_itself { [p.min(q), p.max(q)] } else { [p, q] };
        let near = boxes[0].edges[p as usize].overlaps(&boxes[1].edges[q as usize]);
        let joined = || {
            let [of_p, of_q] =
                [(0, p), (1, q)].map(|(of, e)| &self.surfaces[of].surface.edges[e as usize]);
            self.with_itself && of_p.iter().any(|v| of_q.contains(v))
        };
        if near && !joined() {
            each(Candidate::Edges([p, q]));
        }
    }

    /// Whose vertices are taken: A's and B's, or those of the only surface.
    fn sides(&self) -> &'static [usize] {
        if self.with_itself { &[0] } else { &[0, 1] }
    }

    fn by_octree(&self, boxes: [&Boxes; 2], octree: &mut Octree, each: &mut impl FnMut(Candidate)) {
        for &of in self.sides() {
            let Moving { surface, ends } = *self.surfaces[of];
            octree.fill(surface.vertices.iter().map(|&v| (v, ends[0][v as usize])));
            let paths = surface.vertices.iter().map(|&v| v as usize);
            let grown = reach(paths.map(|v| (ends[0][v], &boxes[of].vertices[v])));
            for triangle in 0..self.surfaces[1 - of].surface.triangles.len() {
                let place = boxes[1 - of].cells[triangle].grown(grown);
                octree.inside(&place, |vertex| {
                    self.vertex(boxes, [of, vertex as usize, triangle], each);
                });
            }
        }
        if self.edges {
            let Moving { surface, ends } = *self.surfaces[0];
            let middle = |&[p, q]: &[u32; 2]| ends[0][p as usize].midpoint(ends[0][q as usize]);
            octree.fill((0..).zip(surface.edges.iter().map(middle)));
            let grown = reach(surface.edges.iter().map(middle).zip(&boxes[0].edges));
            for q in 0..self.surfaces[1].surface.edges.len() as u32 {
                octree.inside(&boxes[1].edges[q as usize].grown(grown), |p| {
                    if !self.with_itself || p < q {
                        self.pair(boxes, [p, q], each);
                    }
                });
            }
        }
    }

    fn all(&self, boxes: [&Boxes; 2], each: &mut impl FnMut(Candidate)) {
        let surface = |of: usize| self.surfaces[of].surface;
        for &of in self.sides() {
            for &vertex in &surface(of).vertices {
                for triangle in 0..surface(1 - of).triangles.len() {
                    self.vertex(boxes, [of, vertex as usize, triangle], each);
                }
            }
        }
        if self.edges {
            for q in 0..surface(1).edges.len() as u32 {
                let earlier = if self.with_itself { q } else { surface(0).edges.len() as u32 };
                (0..earlier).for_each(|p| self.pair(boxes, [p, q], each));
            }
        }
    }
}

/// How far boxes reach from points at most, rounded up.
fn reach<'b>(all: impl Iterator<Item = (DVec3, &'b Aabb)>) -> DVec3 {
    let one = |(point, around): (DVec3, &Aabb)| (around.high - point).max(point - around.low);
    all.map(one).fold(DVec3::ZERO, DVec3::max) * (1.0 + 1e-12)
}
