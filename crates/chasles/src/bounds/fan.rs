//! The edges at a vertex as unit vectors, and how proper a contact of the vertex can be.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::DVec3;

use super::blocks::{Parts, SIZE};
use crate::mesh::Polyhedron;

/// The edges at all vertices.
#[derive(Clone, Debug)]
pub(super) struct Fans {
    /// Those of all vertices one after the other, of a small body.
    all: Box<[DVec3]>,
    /// Otherwise those of some vertices.
    parts: Parts<DVec3>,
}

impl Fans {
    /// Nothing yet, unless the body is small.
    pub(super) fn new(mesh: &Polyhedron, is_small: bool) -> Self {
        let count = mesh.vertex_count();
        match is_small {
            true => Self { all: rays(mesh, 0..count as u32), parts: Parts::new(0) },
            false => Self { all: Box::default(), parts: Parts::new(count) },
        }
    }

    /// Unit vectors along the edges at a vertex, away from it, in the order of the edges.
    #[inline(always)]
    pub(super) fn rays(&self, mesh: &Polyhedron, v: u32) -> &[DVec3] {
        match self.all.get(mesh.vertex_edges_place(v)) {
            Some(rays) => rays,
            None => self.rays_of_large(mesh, v),
        }
    }

    #[inline]
    fn rays_of_large(&self, mesh: &Polyhedron, v: u32) -> &[DVec3] {
        let block = self.parts.of(v, |vertices| rays(mesh, vertices));
        let Range { start, end } = mesh.vertex_edges_place(v);
        let before = mesh.vertex_edges_place(v / SIZE * SIZE).start;
        &block[start - before..end - before]
    }
}

/// Unit vectors along the edges at vertices.
fn rays(mesh: &Polyhedron, vertices: Range<u32>) -> Box<[DVec3]> {
    let at = |v: u32| {
        let to = move |&e: &u32| {
            (mesh.position(mesh.neighbour(e, v)) - mesh.position(v)).normalize_or_zero()
        };
        mesh.vertex_edges(v).iter().map(to)
    };
    vertices.flat_map(at).collect()
}

/// For each vertex how proper a contact can be at best, found when first asked for.
#[derive(Debug)]
pub(super) struct Bests(Box<[AtomicU32]>);

impl Bests {
    pub(super) fn new(count: usize) -> Self {
        Self((0..count).map(|_| AtomicU32::new(0)).collect())
    }

    /// An upper bound for a vertex, as a single. Whoever finds it finds the same, so the order of
    /// threads does not matter; what happens to be 0 is found each time.
    #[inline]
    pub(super) fn of<'r>(&self, v: u32, rays: impl FnOnce() -> &'r [DVec3]) -> f64 {
        match self.0[v as usize].load(Ordering::Relaxed) {
            0 => self.find(v, rays()),
            bits => f64::from(f32::from_bits(bits)),
        }
    }

    #[cold]
    #[inline(never)]
    fn find(&self, v: u32, rays: &[DVec3]) -> f64 {
        // Above the rounding of a single of at most 1.
        let best = (best_properness(rays) + 1e-7) as f32;
        self.0[v as usize].store(best.to_bits(), Ordering::Relaxed);
        f64::from(best)
    }
}

impl Clone for Bests {
    fn clone(&self) -> Self {
        let copy = |best: &AtomicU32| AtomicU32::new(best.load(Ordering::Relaxed));
        Self(self.0.iter().map(copy).collect())
    }
}

/// An upper bound of `max over unit n of min over rays of ray . n`.
///
/// If some half-space holds all rays the bound is 1 here, which never culls. Otherwise the origin
/// lies inside the rays' convex hull and the maximum is minus the distance to the nearest of its
/// facets; we look at every plane through three rays that has all others on one side.
fn best_properness(rays: &[DVec3]) -> f64 {
    // Vertices with many edges are rare, and the search is quartic: they are never culled.
    if rays.len() < 4 || rays.len() > 8 {
        return 1.0;
    }
    let mut nearest = f64::INFINITY;
    for i in 0..rays.len() {
        for j in 0..i {
            for k in 0..j {
                let normal = (rays[j] - rays[i]).cross(rays[k] - rays[i]);
                let Some(mut normal) = normal.try_normalize() else { continue };
                if normal.dot(rays[i]) < 0.0 {
                    normal = -normal;
                }
                let offset = normal.dot(rays[i]);
                if rays.iter().all(|r| normal.dot(*r) <= offset + 1e-12) {
                    nearest = nearest.min(offset);
                }
            }
        }
    }
    // Rays in a half-space: then some facet plane has the origin on its outer side or through it,
    // found above as a plane with all rays on one side and offset near 0.
    if nearest.is_finite() && spans(rays) { 1e-9 - nearest } else { 1.0 }
}

/// Whether no closed half-space through the origin holds all rays.
fn spans(rays: &[DVec3]) -> bool {
    let one_sided = |normal: DVec3| {
        let [low, high] = rays
            .iter()
            .map(|r| r.dot(normal))
            .fold([0.0f64, 0.0], |[low, high], d| [low.min(d), high.max(d)]);
        low >= -1e-12 || high <= 1e-12
    };
    let pairs = (0..rays.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    !pairs
        .map(|(i, j)| rays[i].cross(rays[j]))
        .any(|n| n.length() < 1e-12 || one_sided(n.normalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saddle_vertices_are_bounded_and_convex_ones_are_not() {
        let saddle = [[1., 0., 0.2], [-1., 0., 0.2], [0., 1., -0.2], [0., -1., -0.2]];
        let saddle = saddle.map(|r| DVec3::from(r).normalize());
        let bound = best_properness(&saddle);
        assert!(bound < -0.1, "{bound}");
        let mut best = f64::NEG_INFINITY;
        for i in 0..200 {
            for j in 0..100 {
                let [a, b] = [0.0314159 * f64::from(i), 0.0314159 * f64::from(j)];
                let n = DVec3::new(a.cos() * b.sin(), a.sin() * b.sin(), b.cos());
                best = best.max(saddle.iter().map(|r| r.dot(n)).fold(f64::INFINITY, f64::min));
            }
        }
        assert!(best <= bound && best > bound - 0.02, "{best} {bound}");
        let peak = [[1., 0., -0.2], [-1., 0., -0.2], [0., 1., -0.2], [0., -1., -0.2]];
        assert_eq!(best_properness(&peak.map(|r| DVec3::from(r).normalize())), 1.0);
    }
}
