//! How often the closed parts of a world wind around the cells of a grid that no face enters.
//!
//! A point in such a cell is known to be free or solid at once. From any other point it is a short
//! way to the nearest such cell along an axis; the faces on that way tell how the two differ.

use glam::DVec3;

use crate::bounds::Aabb;
use crate::numeric::Elementary;

/// Cells for each face, roughly; the walls of rooms then fill a third of the cells or less.
const CELLS: f64 = 8.0;

/// Entries of faces in cells, for each face, before cells are made larger.
const ENTRIES: usize = 64;

/// Cells along an axis, at most.
const MOST: f64 = 1024.0;

/// What places may be wrong by, in cells: rounding of the scale and of the coordinates.
const ROUNDING: f64 = 1e-6;

/// A cell that a face may enter.
const MIXED: i8 = i8::MIN;

/// A cell that is yet to be looked at.
const OPEN: i8 = i8::MAX;

/// A grid over the closed parts of a world; no cells at all where there are none.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    low: DVec3,
    /// Cells for each unit of length.
    scale: DVec3,
    counts: [usize; 3],
    windings: Vec<i8>,
}

/// A point with a known winding number, on a line along an axis with the one asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landmark {
    pub(super) at: DVec3,
    pub(super) axis: usize,
    pub(super) winding: i32,
}

impl Grid {
    /// *Accepts* the boxes of the faces of closed parts. `winding` tells it for any point in no
    /// face. *Cost* linear, and one call for each connected set of cells without a face.
    pub(super) fn new(faces: &[Aabb], winding: impl FnMut(DVec3) -> i32) -> Self {
        if faces.is_empty() {
            return Self::default();
        }
        let all = faces.iter().fold(Aabb::EMPTY, |all, one| all.join(one));
        let size = all.high - all.low;
        // A flat world has a grid with some height.
        let size = size.max(DVec3::splat(1e-3 * size.max_element()));
        // In units of the size, so that the product neither vanishes nor overflows.
        let unit = size.max_element();
        let share = (size / unit).element_product() / (CELLS * faces.len() as f64);
        let mut length = unit * share.cube_root();
        loop {
            let mut grid = Self::empty(all.low, size, length);
            let entries: usize = faces.iter().map(|face| grid.cells(face).count()).sum();
            if entries <= ENTRIES * faces.len() || grid.windings.len() == 1 {
                grid.mark(faces);
                grid.flood(winding);
                return grid;
            }
            length *= 2.0;
        }
    }

    fn empty(low: DVec3, size: DVec3, length: f64) -> Self {
        let counts = (size / length).ceil().clamp(DVec3::ONE, DVec3::splat(MOST));
        let scale = counts / size;
        let counts = counts.to_array().map(|count| count as usize);
        let windings = vec![OPEN; counts.iter().product()];
        Self { low, scale, counts, windings }
    }

    fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.counts[1] + y) * self.counts[0] + x
    }

    /// The cell along an axis, within the grid; what is outside is in the nearest one.
    fn place(&self, axis: usize, at: f64) -> usize {
        // A cast of a negative number is 0.
        (at as usize).min(self.counts[axis] - 1)
    }

    /// The cells that a box may enter: all within rounding as well.
    fn cells(&self, face: &Aabb) -> Span {
        let [low, high] = [face.low, face.high].map(|side| (side - self.low) * self.scale);
        Span([0, 1, 2].map(|axis| {
            let first = self.place(axis, low[axis] - ROUNDING);
            [first, self.place(axis, high[axis] + ROUNDING)]
        }))
    }

    fn mark(&mut self, faces: &[Aabb]) {
        for face in faces {
            let Span([xs, ys, zs]) = self.cells(face);
            for z in zs[0]..=zs[1] {
                for y in ys[0]..=ys[1] {
                    let first = self.number([xs[0], y, z]);
                    self.windings[first..=first + xs[1] - xs[0]].fill(MIXED);
                }
            }
        }
    }

    /// Neighbours that no face enters have the same winding number.
    fn flood(&mut self, mut winding: impl FnMut(DVec3) -> i32) {
        let mut waiting = Vec::new();
        for start in 0..self.windings.len() {
            if self.windings[start] != OPEN {
                continue;
            }
            // Beyond what a cell can hold it is as good as unknown.
            let found = winding(self.middle(start)).try_into().unwrap_or(MIXED);
            let found = if found == OPEN { MIXED } else { found };
            waiting.push(start);
            self.windings[start] = found;
            while let Some(cell) = waiting.pop() {
                let mut stride = 1;
                for count in self.counts {
                    let along = cell / stride % count;
                    let before = (along > 0).then(|| cell - stride);
                    let after = (along + 1 < count).then(|| cell + stride);
                    for next in before.into_iter().chain(after) {
                        if self.windings[next] == OPEN {
                            self.windings[next] = found;
                            waiting.push(next);
                        }
                    }
                    stride *= count;
                }
            }
        }
    }

    fn middle(&self, cell: usize) -> DVec3 {
        let [x, y, _] = self.counts;
        let place = [cell % x, cell / x % y, cell / (x * y)];
        self.low + (DVec3::from_array(place.map(|i| i as f64)) + 0.5) / self.scale
    }

    /// The nearest point along an axis whose winding number is known; the point itself often.
    #[inline]
    pub(super) fn landmark(&self, point: DVec3) -> Landmark {
        let here = |winding| Landmark { at: point, axis: 0, winding };
        let place = (point - self.low) * self.scale;
        let counts = DVec3::from_array(self.counts.map(|count| count as f64));
        // What touches the border of the grid may seem to be outside; it may touch a face there.
        let is_within = place.cmpge(DVec3::splat(-ROUNDING)) & place.cmple(counts + ROUNDING);
        // Also where there is no grid.
        if !is_within.all() || self.windings.is_empty() {
            return here(0);
        }
        let cell = [0, 1, 2].map(|axis| self.place(axis, place[axis]));
        match self.windings[self.number(cell)] {
            MIXED => self.landmark_around(point, cell),
            winding => here(i32::from(winding)),
        }
    }

    fn landmark_around(&self, point: DVec3, cell: [usize; 3]) -> Landmark {
        let strides = [1, self.counts[0], self.counts[0] * self.counts[1]];
        let start = self.number(cell);
        let mut steps = 0;
        // The grid ends in every direction, and so does the search.
        loop {
            steps += 1;
            for axis in 0..3 {
                let [along, count] = [cell[axis], self.counts[axis]];
                let at = |offset: f64, winding| {
                    let mut at = point;
                    at[axis] = self.low[axis] + (along as f64 + 0.5 + offset) / self.scale[axis];
                    Landmark { at, axis, winding }
                };
                let sides = [(along >= steps, -1.0), (along + steps < count, 1.0)];
                for (is_within, side) in sides {
                    let offset = side * steps as f64;
                    let shift = steps * strides[axis];
                    let next = if side < 0.0 { start.wrapping_sub(shift) } else { start + shift };
                    match is_within.then(|| self.windings[next]) {
                        // Outside the grid nothing winds around anything.
                        None => return at(offset, 0),
                        Some(MIXED) => {}
                        Some(winding) => return at(offset, i32::from(winding)),
                    }
                }
            }
        }
    }
}

/// First and last cells along each axis.
struct Span([[usize; 2]; 3]);

impl Span {
    fn count(&self) -> usize {
        self.0.iter().map(|[first, last]| last - first + 1).product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn landmarks_are_where_no_face_is() {
        let wall = Aabb { low: DVec3::new(0.0, 0.0, 4.0), high: DVec3::new(10.0, 10.0, 4.5) };
        let corners = [DVec3::ZERO, DVec3::splat(10.0)].map(|p| Aabb::around([p]));
        let faces = [wall, corners[0], corners[1]];
        let grid = Grid::new(&faces, |point| if point.z < 4.0 { 1 } else { 2 });
        let free = grid.landmark(DVec3::new(5.0, 5.0, 1.5));
        assert_eq!((free.winding, free.at), (1, DVec3::new(5.0, 5.0, 1.5)));
        let walled = grid.landmark(DVec3::new(5.0, 5.0, 4.4));
        assert!(walled.axis == 2 && !(4.0..4.5).contains(&walled.at.z), "{walled:?}");
        assert_eq!(walled.winding, if walled.at.z < 4.0 { 1 } else { 2 });
        assert_eq!(grid.landmark(DVec3::splat(11.0)).winding, 0);
    }

    #[test]
    fn a_world_in_a_plane_and_an_empty_one_have_grids() {
        let sheet = Aabb { low: DVec3::ZERO, high: DVec3::new(1.0, 0.0, 1.0) };
        for faces in [&[sheet][..], &[]] {
            let grid = Grid::new(faces, |_| 1);
            let landmark = grid.landmark(DVec3::new(0.5, 0.0, 0.5));
            assert!(landmark.winding == 0 && landmark.at.y <= 0.0, "{landmark:?}");
        }
    }
}
