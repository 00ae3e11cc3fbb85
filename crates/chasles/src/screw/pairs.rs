//! Pairs of features that may touch: both trees are walked together in the chart.

use super::cache::Body;
use crate::bounds::{Chart, Extent};

/// Candidate pairs, the moving feature first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    /// Vertex of B, face of A.
    pub(crate) fv: Vec<[u32; 2]>,
    /// Vertex of A, face of B.
    pub(crate) vf: Vec<[u32; 2]>,
    /// Edge of B, edge of A.
    pub(crate) ee: Vec<[u32; 2]>,
    stack: Vec<[u32; 2]>,
}

impl Candidates {
    fn clear(&mut self) {
        self.fv.clear();
        self.vf.clear();
        self.ee.clear();
    }

    /// Finds all pairs whose bounds overlap; each pair once.
    pub(crate) fn find(&mut self, a: &mut Body<'_>, b: &mut Body<'_>, chart: &Chart) {
        self.clear();
        let ((_, s_of_a), (_, s_of_b)) = (a.root(chart), b.root(chart));
        let turns = chart.turns(s_of_a, s_of_b);
        for turn in turns.clone() {
            self.stack.push([0, 0]);
            while let Some([i, j]) = self.stack.pop() {
                self.descend([i, j], a, b, (chart, turn));
            }
        }
        if turns.count() > 1 {
            for list in [&mut self.fv, &mut self.vf, &mut self.ee] {
                list.sort_unstable();
                list.dedup();
            }
        }
    }

    fn descend(
        &mut self,
        [i, j]: [u32; 2],
        a: &mut Body<'_>,
        b: &mut Body<'_>,
        (chart, turn): (&Chart, i32),
    ) {
        let of_a = chart.shifted(&a.node(i, chart), turn);
        if !of_a.overlaps(&b.node(j, chart)) {
            return;
        }
        let [p, q] = [&a.collider.nodes()[i as usize], &b.collider.nodes()[j as usize]];
        if p.is_leaf() && q.is_leaf() {
            let in_a = chart.shifted(&a.leaf(i, chart), turn);
            let in_b = b.leaf(j, chart);
            if in_a.overlaps(&in_b) {
                self.leaves([i, j], a, b, (chart, turn));
            }
        } else if q.is_leaf() || (!p.is_leaf() && p.half.max_element() >= q.half.max_element()) {
            self.stack.push([p.child + 1, j]);
            self.stack.push([p.child, j]);
        } else {
            self.stack.push([i, q.child + 1]);
            self.stack.push([i, q.child]);
        }
    }

    /// Pairs between the features of two leaves.
    fn leaves(
        &mut self,
        [i, j]: [u32; 2],
        a: &mut Body<'_>,
        b: &mut Body<'_>,
        (chart, turn): (&Chart, i32),
    ) {
        let [p, q] = [&a.collider.nodes()[i as usize], &b.collider.nodes()[j as usize]];
        let in_a = chart.shifted(&a.leaf(i, chart), turn);
        let shifted = |extent: Extent| chart.shifted(&extent, turn);
        for v in q.vertices.clone() {
            let extent = b.vertex_extent(v);
            if extent.overlaps(&in_a) {
                let met = |f: &u32| shifted(a.face_extent(*f)).overlaps(&extent);
                self.fv.extend(p.faces.clone().filter(met).map(|f| [v, f]));
            }
        }
        for e in q.edges.clone() {
            let extent = b.edge_extent(e);
            if extent.overlaps(&in_a) {
                let met = |k: &u32| shifted(a.edge_extent(*k)).overlaps(&extent);
                self.ee.extend(p.edges.clone().filter(met).map(|k| [e, k]));
            }
        }
        let in_b = b.leaf(j, chart);
        for v in p.vertices.clone() {
            let extent = shifted(a.vertex_extent(v));
            if extent.overlaps(&in_b) {
                let met = |f: &u32| b.face_extent(*f).overlaps(&extent);
                self.vf.extend(q.faces.clone().filter(met).map(|f| [v, f]));
            }
        }
    }
}
