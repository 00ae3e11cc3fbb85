//! Bounds of all features of a leaf, when it is first met.
//!
//! Most features are bounded by a few numbers, so it is the looking up that costs: vertices are
//! charted two at a time, features bounded four at a time, and lists taken as slices beforehand.

use std::ops::Range;

use glam::DVec3;

use super::body::{Body, Who};
use super::cache::Cache;
use super::relative::Relative;
use crate::bounds::{Chart, Chord, Node, Quad, Slab, Widened};

impl Body<'_> {
    /// Bounds all features of a leaf, and the leaf by them; true if that has just been done.
    pub(crate) fn look_into_leaf(&mut self, index: u32, chart: &Chart) -> bool {
        if self.cache.leaf_marks[index as usize] == self.cache.query {
            return false;
        }
        self.cache.leaf_marks[index as usize] = self.cache.query;
        let collider = self.collider;
        let leaf = &collider.nodes()[index as usize];
        if self.cull.facing {
            for f in leaf.faces.clone().chain(collider.other_faces(index).iter().copied()) {
                self.mark_facing(f);
            }
        }
        self.chart_leaf(leaf, chart);
        let start = self.cache.quads.len();
        self.cache.starts[leaf.leaves.start as usize] = start as u32;
        self.bound_faces(leaf.faces.clone(), chart);
        self.bound_edges(leaf.edges.clone(), chart);
        self.bound_vertices(leaf.vertices.clone(), chart);
        let quads = &self.cache.quads[start..];
        let all = quads.iter().fold(Quad::EMPTY, |all, quad| all.join(quad)).all();
        self.set_node(index, all);
        true
    }

    /// Marks a face, and those of its corners and edges, where it faces the other body, or all but
    /// does. The outward speed is linear, so that at its middle, the angle and its radius tell for
    /// most faces, and corners for the others and for edges.
    fn mark_facing(&mut self, f: u32) {
        let query = self.cache.query;
        if self.cache.faced_marks[f as usize] == query {
            return;
        }
        self.cache.faced_marks[f as usize] = query;
        let mesh = self.collider.mesh();
        let Relative { angle, slow, .. } = *self.relative;
        let middle = self.face_locals[f as usize];
        let radius = self.collider.face_radius(f);
        let normal = mesh.normal(f);
        let speed = normal.dot(self.drift.flow(middle));
        let bend = angle * radius;
        // Twice as far as for contacts: rounding differs.
        let least = -2.0 * slow;
        if speed + bend < least && !mesh.is_two_sided(f) {
            return;
        }
        let Cache { useful_vertices, useful_edges, useful_faces, .. } = &mut *self.cache;
        let [vertices, edges] = [useful_vertices.as_mut_slice(), useful_edges.as_mut_slice()];
        useful_faces[f as usize] = query;
        let border = mesh.face_edges(f);
        if speed - bend >= least || mesh.is_two_sided(f) {
            for (&v, &e) in mesh.face(f).iter().zip(border) {
                vertices[v as usize] = query;
                edges[e as usize] = query;
            }
            return;
        }
        let mut before = border[border.len() - 1];
        for (&v, &after) in mesh.face(f).iter().zip(border) {
            if normal.dot(self.drift.flow(self.locals[v as usize])) >= least {
                vertices[v as usize] = query;
                edges[before as usize] = query;
                edges[after as usize] = query;
            }
            before = after;
        }
    }

    /// Charts the vertices of all features of a leaf.
    fn chart_leaf(&mut self, leaf: &Node, chart: &Chart) {
        let mesh = self.collider.mesh();
        self.chart_vertices(mesh.corners(leaf.faces.clone()).iter().copied(), chart);
        // All other edges and vertices are those of the faces.
        if self.collider.has_lone() {
            let ends = mesh.edges(leaf.edges.clone()).as_flattened();
            self.chart_vertices(ends.iter().copied().chain(leaf.vertices.clone()), chart);
        }
    }

    #[inline]
    fn chart_vertices(&mut self, vertices: impl Iterator<Item = u32>, chart: &Chart) {
        for v in vertices {
            if self.cache.spot_marks[v as usize] != self.cache.query {
                self.chart_pair(v, chart);
            }
        }
    }

    /// Charts a vertex and the next or previous one, for little more than one would take: those
    /// near in number are near in place, and needed as well.
    #[inline(never)]
    fn chart_pair(&mut self, v: u32, chart: &Chart) {
        let last = self.collider.mesh().vertex_count() as u32 - 1;
        let pair = [v & !1, last.min(v | 1)];
        let points = pair.map(|v| self.point(v));
        let spots = chart.spots(points);
        for (i, v) in pair.into_iter().enumerate() {
            self.cache.spot_marks[v as usize] = self.cache.query;
            self.cache.points[v as usize] = points[i];
            self.cache.spots[v as usize] = spots[i];
        }
    }

    fn bound_faces(&mut self, faces: Range<u32>, chart: &Chart) {
        let (collider, mesh) = (self.collider, self.collider.mesh());
        let (is_b, all) = (self.who == Who::B, !self.cull.facing);
        let Cache { query, spots, points, useful_faces, face_slacks, quads, .. } = &mut *self.cache;
        let (spots, useful) = (spots.as_slice(), useful_faces.as_slice());
        for four in fours(faces) {
            let (mut slabs, mut length_sq) = ([Slab::EMPTY; 4], [0.0; 4]);
            for lane in 0..4 {
                let f = four.start + lane;
                if f < four.end && (all || useful[f] == *query) {
                    for &v in mesh.face(f as u32) {
                        slabs[lane] = slabs[lane].join(&spots[v as usize].slab());
                    }
                    length_sq[lane] = collider.face_length_sq_single(f as u32);
                }
            }
            let awkward = |lane| awkward(mesh.face((four.start + lane) as u32), points, chart);
            let (quad, slacks) = bounded(chart.widened(&slabs, length_sq), awkward);
            quads.push(if is_b { chart.swept_four(&quad) } else { quad });
            face_slacks[four.clone()].copy_from_slice(&slacks[..four.len()]);
        }
    }

    fn bound_edges(&mut self, edges: Range<u32>, chart: &Chart) {
        let (collider, mesh) = (self.collider, self.collider.mesh());
        let (is_b, all) = (self.who == Who::B, !self.cull.facing);
        let Cache { query, spots, points, useful_edges, chords, quads, .. } = &mut *self.cache;
        let (spots, useful) = (spots.as_slice(), useful_edges.as_slice());
        for four in fours(edges) {
            let (mut slabs, mut length_sq) = ([Slab::EMPTY; 4], [0.0; 4]);
            for lane in 0..4 {
                let e = four.start + lane;
                // What has no faces has no sides to face with, and is never left out.
                let is_useful =
                    || all || useful[e] == *query || mesh.edge_sides(e as u32).is_empty();
                if e < four.end && is_useful() {
                    let [p, q] = mesh.edge(e as u32).map(|v| &spots[v as usize]);
                    slabs[lane] = p.slab().join(&q.slab());
                    length_sq[lane] = collider.edge_length_sq_single(e as u32);
                    chords[e] = Chord::new(p, q);
                }
            }
            let awkward = |lane| awkward(&mesh.edge((four.start + lane) as u32), points, chart);
            let (quad, slacks) = bounded(chart.widened(&slabs, length_sq), awkward);
            quads.push(if is_b { chart.swept_four(&quad) } else { quad });
            for (chord, slack) in chords[four].iter_mut().zip(slacks) {
                chord.set_slack(slack);
            }
        }
    }

    fn bound_vertices(&mut self, vertices: Range<u32>, chart: &Chart) {
        let (collider, mesh) = (self.collider, self.collider.mesh());
        let (is_b, all) = (self.who == Who::B, !self.cull.facing);
        let Cache { query, spots, points, useful_vertices, vertex_slacks, quads, .. } =
            &mut *self.cache;
        let (spots, useful) = (spots.as_slice(), useful_vertices.as_slice());
        for four in fours(vertices) {
            let mut slabs = [Slab::EMPTY; 4];
            for (lane, slab) in slabs.iter_mut().enumerate() {
                let v = four.start + lane;
                let is_facing =
                    || all || useful[v] == *query || mesh.vertex_faces(v as u32).is_empty();
                let least = self.cull.min_properness;
                // No contact is worse than -1.
                let is_proper = || least <= -1.0 || collider.best_properness(v as u32) >= least;
                if v < four.end && is_facing() && is_proper() {
                    *slab = spots[v].slab();
                }
            }
            let awkward = |lane| awkward(&[(four.start + lane) as u32], points, chart);
            let (quad, slacks) = bounded(chart.widened(&slabs, [0.0; 4]), awkward);
            quads.push(if is_b { chart.swept_four(&quad) } else { quad });
            vertex_slacks[four.clone()].copy_from_slice(&slacks[..four.len()]);
        }
    }
}

/// A range in pieces of four, as places in lists.
fn fours(range: Range<u32>) -> impl Iterator<Item = Range<usize>> {
    let Range { start, end } = range;
    (start as usize..end as usize).step_by(4).map(move |i| i..(i + 4).min(end as usize))
}

/// The bounds and slacks of four features, awkward ones by other means.
#[inline(always)]
fn bounded(widened: Widened, slab: impl Fn(usize) -> Slab) -> (Quad, [f32; 4]) {
    let Widened { mut quad, slacks, mut awkward } = widened;
    while awkward != 0 {
        let lane = awkward.trailing_zeros() as usize;
        quad.set(lane, &slab(lane));
        awkward &= awkward - 1;
    }
    (quad, slacks.to_array())
}

/// Bounds of a feature with these corners near the axis, or far around it.
#[cold]
#[inline(never)]
fn awkward(corners: &[u32], points: &[DVec3], chart: &Chart) -> Slab {
    chart.awkward(corners.iter().map(|&v| chart.point(points[v as usize])))
}
