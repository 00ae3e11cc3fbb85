//! Bounds of all features of a leaf, when it is first met.
//!
//! Most features are bounded by a few numbers, so it is the looking up that costs: vertices are
//! charted two at a time, features that count are packed and bounded four at a time, and lists
//! taken as slices beforehand.

use glam::DVec3;

use super::body::{Body, Cull, Who};
use super::cache::Cache;
use super::pack::{EDGES, FACES, Listing, NONE, Pack, VERTICES};
use crate::bounds::{Chart, Ends, Node, Quad, Slab, Widened};

impl Body<'_> {
    /// Bounds all features of a leaf, and the leaf by them; true if that has just been done.
    pub(crate) fn look_into_leaf(&mut self, index: u32, chart: &Chart) -> bool {
        if self.cache.leaf_marks[index as usize] == self.cache.query {
            return false;
        }
        self.cache.leaf_marks[index as usize] = self.cache.query;
        let collider = self.collider;
        let leaf = &collider.moving_nodes()[index as usize];
        if self.cull.facing {
            for f in leaf.faces.clone() {
                self.mark_facing(f, chart);
            }
            for &f in collider.other_faces(index) {
                self.mark_facing(f, chart);
            }
        }
        let pack = self.pick(leaf);
        self.cache.packs[leaf.leaves.start as usize] = pack;
        self.chart_leaf(leaf, chart);
        self.bound_faces(&pack, chart);
        self.bound_edges(&pack, chart);
        self.bound_vertices(&pack, chart);
        let quads = &self.cache.quads[pack.all()];
        let all = quads.iter().fold(Quad::EMPTY, |all, quad| all.join(quad)).all();
        self.set_node(index, all);
        true
    }

    /// Marks a face, and those of its corners and edges, where it faces the other body, or all but
    /// does, and charts its corners.
    #[inline(always)]
    fn mark_facing(&mut self, f: u32, chart: &Chart) {
        if self.cache.faced_marks[f as usize] != self.cache.query {
            self.mark_new(f, chart);
        }
    }

    /// The outward speed is linear, so that at a face's middle, the angle and its radius tell for
    /// most faces, four at a time, and corners for the others and for edges.
    #[inline(never)]
    fn mark_new(&mut self, f: u32, chart: &Chart) {
        let query = self.cache.query;
        self.cache.faced_marks[f as usize] = query;
        let quad = f as usize / 4;
        if self.cache.facing[quad].0 != query {
            self.cache.facing[quad] = (query, self.aim.ask(self.collider.outlook(f / 4)));
        }
        let [may, does] = self.cache.facing[quad].1;
        if may >> (f % 4) & 1 == 1 {
            self.chart_vertices(self.collider.mesh().face(f).iter().copied(), chart);
            self.mark_features(f, does >> (f % 4) & 1 == 1);
        }
    }

    /// Marks what faces the other body of a face: all of it, or what its corners say.
    fn mark_features(&mut self, f: u32, all: bool) {
        let mesh = self.collider.mesh();
        let Cache { query, useful_vertices, useful_edges, useful_faces, .. } = &mut *self.cache;
        let [vertices, edges] = [useful_vertices.as_mut_slice(), useful_edges.as_mut_slice()];
        useful_faces[f as usize] = *query;
        let border = mesh.face_edges(f);
        if all || mesh.is_two_sided(f) {
            for (&v, &e) in mesh.face(f).iter().zip(border) {
                vertices[v as usize] = *query;
                edges[e as usize] = *query;
            }
            return;
        }
        let normal = mesh.normal(f);
        // Twice as far as for contacts: rounding differs.
        let least = -2.0 * self.relative.slow;
        let mut before = border[border.len() - 1];
        for (&v, &after) in mesh.face(f).iter().zip(border) {
            if normal.dot(self.drift.flow(self.locals[v as usize])) >= least {
                vertices[v as usize] = *query;
                edges[before as usize] = *query;
                edges[after as usize] = *query;
            }
            before = after;
        }
    }

    /// Lists the features of a leaf that count.
    fn pick(&mut self, leaf: &Node) -> Pack {
        let (collider, mesh) = (self.collider, self.collider.mesh());
        let Cull { facing, min_properness: least } = self.cull;
        let Cache { query, useful_faces, useful_edges, useful_vertices, ids, used, chords, .. } =
            &mut *self.cache;
        let first = *used as u32 / 4;
        let mut list = Listing { ids, used: *used };
        // No contact is worse than -1.
        let is_proper = |v: u32| least <= -1.0 || collider.best_properness(v) >= least;
        let ends = if facing {
            // What has no faces has no sides to face with, and is never left out.
            let has_lone = collider.has_lone();
            let is_lone_edge = |e: u32| has_lone && mesh.edge_sides(e).is_empty();
            let is_lone = |v: u32| has_lone && mesh.vertex_faces(v).is_empty();
            [
                list.list(leaf.faces.clone(), useful_faces, |_, mark| mark == *query),
                list.list(leaf.edges.clone(), useful_edges, |e, mark| {
                    mark == *query || is_lone_edge(e)
                }),
                list.list(leaf.vertices.clone(), useful_vertices, |v, mark| {
                    (mark == *query || is_lone(v)) && is_proper(v)
                }),
            ]
        } else {
            [
                list.all(leaf.faces.clone()),
                list.all(leaf.edges.clone()),
                list.list(leaf.vertices.clone(), useful_vertices, |v, _| is_proper(v)),
            ]
        };
        *used = list.used;
        Pack::new([first, ends[0], ends[1], ends[2]], chords.len())
    }

    /// Charts the vertices of all features of a leaf that count. Those of faces that face the other
    /// body have been charted with them.
    fn chart_leaf(&mut self, leaf: &Node, chart: &Chart) {
        let mesh = self.collider.mesh();
        if !self.cull.facing {
            self.chart_vertices(mesh.corners(leaf.faces.clone()).iter().copied(), chart);
        }
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

    fn bound_faces(&mut self, pack: &Pack, chart: &Chart) {
        let (collider, mesh) = (self.collider, self.collider.mesh());
        let is_b = self.who == Who::B;
        let Cache { spots, points, face_slacks, quads, ids, .. } = &mut *self.cache;
        let spots = spots.as_slice();
        for four in ids[pack.places(FACES)].as_chunks::<4>().0 {
            let (mut slabs, mut length_sq) = ([Slab::EMPTY; 4], [0.0; 4]);
            for (lane, &f) in four.iter().enumerate().filter(|(_, f)| **f != NONE) {
                for &v in mesh.face(f) {
                    slabs[lane] = slabs[lane].join(&spots[v as usize].slab());
                }
                length_sq[lane] = collider.face_length_sq_single(f);
            }
            let awkward = |lane: usize| awkward(mesh.face(four[lane]), points, chart);
            let (quad, slacks) = bounded(chart.widened(&slabs, length_sq), awkward);
            quads.push(if is_b { chart.swept_four(&quad) } else { quad });
            for (&f, slack) in four.iter().zip(slacks).filter(|(f, _)| **f != NONE) {
                face_slacks[f as usize] = slack;
            }
        }
    }

    fn bound_edges(&mut self, pack: &Pack, chart: &Chart) {
        let (collider, mesh) = (self.collider, self.collider.mesh());
        let is_b = self.who == Who::B;
        let Cache { spots, points, chords, quads, ids, .. } = &mut *self.cache;
        let spots = spots.as_slice();
        for four in ids[pack.places(EDGES)].as_chunks::<4>().0 {
            let mut ends = Ends::NONE;
            for (lane, &e) in four.iter().enumerate().filter(|(_, e)| **e != NONE) {
                let spots = mesh.edge(e).map(|v| &spots[v as usize]);
                ends.set(lane, spots, collider.edge_length_sq_single(e));
            }
            let awkward = |lane: usize| awkward(&mesh.edge(four[lane]), points, chart);
            let (widened, segments) = chart.segments(&ends);
            let (quad, slacks) = bounded(widened, awkward);
            quads.push(if is_b { chart.swept_four(&quad) } else { quad });
            chords.push(segments.with_slacks(slacks));
        }
    }

    fn bound_vertices(&mut self, pack: &Pack, chart: &Chart) {
        let is_b = self.who == Who::B;
        let Cache { spots, points, vertex_slacks, quads, ids, .. } = &mut *self.cache;
        let spots = spots.as_slice();
        for four in ids[pack.places(VERTICES)].as_chunks::<4>().0 {
            let mut slabs = [Slab::EMPTY; 4];
            for (lane, &v) in four.iter().enumerate().filter(|(_, v)| **v != NONE) {
                slabs[lane] = spots[v as usize].slab();
            }
            let awkward = |lane: usize| awkward(&[four[lane]], points, chart);
            let (quad, slacks) = bounded(chart.widened(&slabs, [0.0; 4]), awkward);
            quads.push(if is_b { chart.swept_four(&quad) } else { quad });
            for (&v, slack) in four.iter().zip(slacks).filter(|(v, _)| **v != NONE) {
                vertex_slacks[v as usize] = slack;
            }
        }
    }
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
