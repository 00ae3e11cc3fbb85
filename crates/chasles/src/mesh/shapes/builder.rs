//! Rings of vertices around the y axis, and the faces between them.

use std::f64::consts::TAU;

use glam::DVec3;

use crate::mesh::Polygons;
use crate::numeric::Elementary;

/// The point at `radius` from the y axis, `turns` of a circle counter-clockwise from x.
pub(super) fn on_circle(radius: f64, turns: f64, y: f64) -> DVec3 {
    let (sin, cos) = (TAU * turns).sine_cosine();
    DVec3::new(radius * cos, y, -radius * sin)
}

/// Vertices and faces under construction.
#[derive(Default)]
pub(super) struct Builder {
    polygons: Polygons,
}

impl Builder {
    pub(super) fn vertex(&mut self, position: DVec3) -> u32 {
        self.polygons.vertices.push(position);
        self.polygons.vertices.len() as u32 - 1
    }

    pub(super) fn vertices(&mut self, positions: impl IntoIterator<Item = DVec3>) -> Vec<u32> {
        positions.into_iter().map(|p| self.vertex(p)).collect()
    }

    /// The corners of a regular polygon around the axis.
    pub(super) fn ring(&mut self, corners: u32, radius: f64, y: f64) -> Vec<u32> {
        let turns = |i| f64::from(i) / f64::from(corners);
        self.vertices((0..corners).map(|i| on_circle(radius, turns(i), y)))
    }

    pub(super) fn face(&mut self, corners: Vec<u32>) {
        self.polygons.faces.push(corners);
    }

    /// A quadrilateral for each side of two rings of equal length, outside away from the axis.
    pub(super) fn band(&mut self, lower: &[u32], upper: &[u32]) {
        debug_assert_eq!(lower.len(), upper.len(), "a band joins rings of equal length");
        for i in 0..lower.len() {
            let next = (i + 1) % lower.len();
            self.face(vec![lower[i], lower[next], upper[next], upper[i]]);
        }
    }

    /// A triangle from each side of a ring up to an apex.
    pub(super) fn fan_up(&mut self, ring: &[u32], apex: u32) {
        for i in 0..ring.len() {
            self.face(vec![ring[i], ring[(i + 1) % ring.len()], apex]);
        }
    }

    /// A triangle from each side of a ring down to an apex.
    pub(super) fn fan_down(&mut self, ring: &[u32], apex: u32) {
        for i in 0..ring.len() {
            self.face(vec![ring[(i + 1) % ring.len()], ring[i], apex]);
        }
    }

    /// One polygon over a ring, seen from above.
    pub(super) fn cap_up(&mut self, ring: &[u32]) {
        self.face(ring.to_vec());
    }

    /// One polygon under a ring, seen from below.
    pub(super) fn cap_down(&mut self, ring: &[u32]) {
        self.face(ring.iter().rev().copied().collect());
    }

    /// The flat area between two rings at one height, one polygon for each pair of arcs, seen from
    /// above. Arc `i` of both rings spans the same angle.
    pub(super) fn annulus_up(&mut self, inner: &[Vec<u32>], outer: &[Vec<u32>]) {
        for (inner, outer) in inner.iter().zip(outer) {
            self.face(outer.iter().chain(inner.iter().rev()).copied().collect());
        }
    }

    /// The same, seen from below.
    pub(super) fn annulus_down(&mut self, inner: &[Vec<u32>], outer: &[Vec<u32>]) {
        for (inner, outer) in inner.iter().zip(outer) {
            self.face(inner.iter().chain(outer.iter().rev()).copied().collect());
        }
    }

    pub(super) fn finish(self) -> Polygons {
        self.polygons
    }
}

/// A ring cut at the given positions, of which the first is 0; each arc holds both its ends.
pub(super) fn arcs(ring: &[u32], starts: &[usize]) -> Vec<Vec<u32>> {
    let ends = starts.iter().skip(1).copied().chain([ring.len()]);
    let arc = |(&start, end)| (start..=end).map(|i: usize| ring[i % ring.len()]).collect();
    starts.iter().zip(ends).map(arc).collect()
}

/// A ring cut into equal arcs.
pub(super) fn equal_arcs(ring: &[u32], count: usize) -> Vec<Vec<u32>> {
    let starts: Vec<usize> = (0..count).map(|i| i * ring.len() / count).collect();
    arcs(ring, &starts)
}
