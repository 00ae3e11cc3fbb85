//! A mesh of the surface of a solid, for pictures.
//!
//! *Question.* What does a solid look like?
//!
//! Surface nets [Gibson98]: a grid is laid over the bounds, and every corner is inside or outside
//! by the middle of the interval of its distance. A cell with corners of both kinds gets a vertex,
//! at the mean of the places where its edges cross the surface; an edge of the grid with ends of
//! both kinds gets a polygon through the vertices of the four cells around it.
//!
//! *Accepts* solids with finite bounds. *Guarantees* the same mesh for the same solid, without
//! borders: at every edge as many faces run one way as the other, so that the mesh is closed as
//! [`Polyhedron::is_two_sided`](crate::Polyhedron::is_two_sided) has it. *Cost* a question for each
//! corner of the grid; memory for two layers of the grid and the mesh. *Fails* on sheets and on
//! what is thinner than a cell: no corner is inside.
//!
//! For pictures only: edges of the solid are rounded off, and what is smaller than a cell may be
//! lost. Nothing about contacts may be concluded from it.

use glam::{DVec3, IVec3};

use super::field::finite_bounds;
use super::{Solid, SolidError};
use crate::mesh::Polygons;

/// Cells along the longest side at most: 17 million questions.
const FINEST: u32 = 256;

/// How far the grid begins before the bounds, in cells: a fraction that keeps corners off flat
/// faces in the bounds or at round parts of them, where it is a matter of rounding what is inside.
const SHIFT: f64 = 1.37;

/// A closed mesh that looks like a solid, from a grid with so many cells along its longest side.
///
/// *Accepts* 1 to 256 cells. *Guarantees* a mesh without borders; see the module for what it is
/// not. *Cost* a question for each corner of the grid. *Fails* on a solid without end, one that no
/// corner of the grid is inside of, and other numbers of cells.
pub fn surface(solid: &dyn Solid, cells: u32) -> Result<Polygons, SolidError> {
    let [low, high] = finite_bounds(solid)?;
    if low == high {
        return Err(SolidError::Empty("it is no more than a point"));
    }
    let cell = (high - low).max_element() / f64::from(cells);
    if cells > FINEST || !(cell > 0.0 && cell.is_finite()) {
        let [what, expected] = ["the number of cells along the longest side", "from 1 to 256"];
        return Err(SolidError::Number { what, value: f64::from(cells), expected });
    }
    // A layer of corners more on every side, all of them outside.
    let size = ((high - low) / cell).ceil().as_ivec3() + 3;
    let origin = low - SHIFT * cell;
    let mut net = Net { solid, origin, cell, size, mesh: Polygons::default() };
    net.draw();
    match net.mesh.faces.is_empty() {
        true => Err(SolidError::Empty("no corner of the grid is inside: a sheet, or too thin")),
        false => Ok(net.mesh),
    }
}

struct Net<'s> {
    solid: &'s dyn Solid,
    origin: DVec3,
    cell: f64,
    /// Cells along each axis.
    size: IVec3,
    mesh: Polygons,
}

/// Distances at the corners of one layer of the grid, or vertices of one layer of cells.
type Layer<T> = Vec<T>;

/// No vertex in a cell.
const NONE: u32 = u32::MAX;

impl Net<'_> {
    /// From the lowest layer to the highest; two of corners and two of cells are kept.
    fn draw(&mut self) {
        let mut below = self.corners(0);
        let mut lower = Vec::new();
        for z in 0..self.size.z {
            let above = self.corners(z + 1);
            let upper = self.vertices(z, [&below, &above]);
            self.faces(&below, &above, [&lower, &upper]);
            (below, lower) = (above, upper);
        }
    }

    fn corner_index(&self, x: i32, y: i32) -> usize {
        (y * (self.size.x + 1) + x) as usize
    }

    fn cell_index(&self, x: i32, y: i32) -> usize {
        (y * self.size.x + x) as usize
    }

    /// Distances at height `z`: above 0 at the border, whatever the solid says.
    fn corners(&self, z: i32) -> Layer<f64> {
        let mut layer = Vec::with_capacity(self.corner_index(0, self.size.y + 1));
        for y in 0..=self.size.y {
            for x in 0..=self.size.x {
                let at = IVec3::new(x, y, z);
                let is_border = at.cmpeq(IVec3::ZERO).any() || at.cmpeq(self.size).any();
                let distance = self.solid.distance(self.origin + at.as_dvec3() * self.cell);
                let middle = 0.5 * (distance.low + distance.high);
                // What is not a number is outside.
                let counts = middle.is_finite() && !(is_border && middle < 0.0);
                layer.push(if counts { middle } else { self.cell });
            }
        }
        layer
    }

    /// Makes the vertices of the cells between two layers of corners.
    fn vertices(&mut self, z: i32, layers: [&Layer<f64>; 2]) -> Layer<u32> {
        let mut numbers = vec![NONE; self.cell_index(0, self.size.y)];
        for y in 0..self.size.y {
            for x in 0..self.size.x {
                let corner = |i: i32| {
                    layers[(i >> 2) as usize][self.corner_index(x + (i & 1), y + (i >> 1 & 1))]
                };
                let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(corner);
                if let Some(place) = mean_crossing(&corners) {
                    numbers[self.cell_index(x, y)] = self.mesh.vertices.len() as u32;
                    let at = IVec3::new(x, y, z).as_dvec3() + place;
                    self.mesh.vertices.push(self.origin + at * self.cell);
                }
            }
        }
        numbers
    }

    /// Makes the faces across edges from the lower layer of corners upward, and within it.
    fn faces(&mut self, below: &Layer<f64>, above: &Layer<f64>, cells: [&Layer<u32>; 2]) {
        let [lower, upper] = cells;
        for y in 1..self.size.y {
            for x in 1..self.size.x {
                let start = below[self.corner_index(x, y)];
                let around = |layer: &Layer<u32>, x: i32, y: i32| layer[self.cell_index(x, y)];
                let up = [(x - 1, y - 1), (x, y - 1), (x, y), (x - 1, y)];
                let up = up.map(|(x, y)| around(upper, x, y));
                let mut quads = vec![(above[self.corner_index(x, y)], up)];
                // The lowest layer of corners is outside, and has no cells below it.
                if !lower.is_empty() {
                    let [l, u] = [around(lower, x, y), around(upper, x, y)];
                    let [ly, uy] = [around(lower, x, y - 1), around(upper, x, y - 1)];
                    let [lx, ux] = [around(lower, x - 1, y), around(upper, x - 1, y)];
                    quads.push((below[self.corner_index(x + 1, y)], [ly, l, u, uy]));
                    quads.push((below[self.corner_index(x, y + 1)], [lx, ux, u, l]));
                }
                for (end, quad) in quads {
                    self.add(start, end, quad);
                }
            }
        }
    }

    /// A face across an edge of the grid, counter-clockwise seen from its end, if it is crossed.
    fn add(&mut self, start: f64, end: f64, quad: [u32; 4]) {
        let [a, b, c, d] = quad;
        match (start < 0.0, end < 0.0) {
            (true, false) => self.mesh.faces.push(vec![a, b, c, d]),
            (false, true) => self.mesh.faces.push(vec![d, c, b, a]),
            _ => (),
        }
    }
}

/// The mean of the places where the edges of a cell cross the surface, in cells; none if its
/// corners are all inside or all outside. Kept off the border of the cell, where vertices of
/// neighbours could be at the same place.
fn mean_crossing(corners: &[f64; 8]) -> Option<DVec3> {
    let at = |i: usize| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    for bit in [1, 2, 4] {
        for i in (0..8).filter(|i| i & bit == 0) {
            let [start, end] = [corners[i], corners[i | bit]];
            if (start < 0.0) != (end < 0.0) {
                sum += at(i).lerp(at(i | bit), start / (start - end));
                count += 1.0;
            }
        }
    }
    const BORDER: f64 = 0.02;
    (count > 0.0).then(|| (sum / count).clamp(DVec3::splat(BORDER), DVec3::splat(1.0 - BORDER)))
}
