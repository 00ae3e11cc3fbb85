//! A height for each place of a grid, and solid below.
//!
//! *Question.* As in [`crate::solid`]. Samples lie on a square grid over the xz plane, heights
//! along y; each cell is two triangles, cut from its corner at the lowest x and z to the opposite
//! one, so the surface is flat in pieces and every answer about it is that of a mesh. The solid
//! goes down from there to a floor; it ends in walls where the grid does.
//!
//! The least and the greatest height of each cell, of each 2 by 2 cells, 4 by 4 and so on make
//! a pyramid of boxes. The nearest triangle is found from its top: boxes that are farther than the
//! best so far are not opened. A segment walks through the triangles below it, one after the other.
//!
//! *Accepts* finite heights above the floor. *Guarantees* exact distances up to rounding, some
//! 4e-15 of the largest coordinate times one more than the steepest slope. *Cost* of a point about
//! the logarithm of the cells, more where many are equally near; of a box at most 256 boxes of the
//! pyramid and the distance of its middle; of a segment the cells it crosses. Memory is three
//! numbers a sample. *Fails* with [`SolidError`] on other numbers.

mod near;
mod tiles;
mod walk;

use glam::{DVec2, DVec3};

use super::shapes::{ROUNDING, number, size, sum};
use super::{Block, Interval, Place, Solid, SolidError, within};
use crate::numeric::LARGEST_COORDINATE;
use near::Near;
use tiles::Tiles;

/// A solid below a grid of heights.
#[derive(Clone, Debug)]
pub struct HeightField {
    heights: Vec<f64>,
    /// Cells along x and z, one less than samples.
    cells: [usize; 2],
    /// The lowest x and z.
    origin: DVec2,
    spacing: f64,
    floor: f64,
    tiles: Tiles,
    /// The box around the solid.
    low: DVec3,
    high: DVec3,
    /// What answers are wrong by, relative to the coordinates.
    rounding: f64,
}

impl HeightField {
    /// The solid from `floor` up to heights that lie `spacing` apart.
    ///
    /// Heights come in rows along x of `columns` samples each, the rows in the order of z; the
    /// first is at `origin`, the lowest x and z.
    ///
    /// *Accepts* at least two rows and columns, heights above the floor. *Guarantees* the surface
    /// of the module's triangles. *Cost* linear in the samples. *Fails* with [`SolidError::Number`]
    /// and [`SolidError::Entry`] on counts that do not fit and on numbers that are not finite.
    pub fn new(
        heights: Vec<f64>,
        columns: usize,
        origin: [f64; 2],
        spacing: f64,
        floor: f64,
    ) -> Result<Self, SolidError> {
        let rows = heights.len() / columns.max(1);
        count("the number of columns", columns)?;
        count("the number of rows", rows)?;
        if heights.len() != rows * columns {
            let expected = "a multiple of the number of columns";
            let value = heights.len() as f64;
            return Err(SolidError::Number { what: "the number of heights", value, expected });
        }
        let spacing = size("the spacing", spacing)?;
        let floor = number("the floor", floor)?;
        let [x, z] = origin;
        let origin = DVec2::new(number("the origin", x)?, number("the origin", z)?);
        check(&heights, floor)?;
        Ok(Self::checked(heights, [columns - 1, rows - 1], origin, spacing, floor))
    }

    fn checked(
        heights: Vec<f64>,
        cells: [usize; 2],
        origin: DVec2,
        spacing: f64,
        floor: f64,
    ) -> Self {
        let tiles = Tiles::new(&heights, cells);
        let end = origin + spacing * DVec2::new(cells[0] as f64, cells[1] as f64);
        let low = DVec3::new(origin.x, floor, origin.y);
        let high = DVec3::new(end.x, tiles.highest(), end.y);
        let rounding = ROUNDING * (1.0 + steepest(&heights, cells, spacing));
        Self { heights, cells, origin, spacing, floor, tiles, low, high, rounding }
    }

    /// The height of a sample.
    #[inline]
    fn sample(&self, i: usize, j: usize) -> f64 {
        self.heights[j * (self.cells[0] + 1) + i]
    }

    /// A sample as a point.
    #[inline]
    fn vertex(&self, i: usize, j: usize) -> DVec3 {
        let x = self.origin.x + self.spacing * i as f64;
        let z = self.origin.y + self.spacing * j as f64;
        DVec3::new(x, self.sample(i, j), z)
    }

    /// A place in cells from the origin.
    #[inline]
    fn in_cells(&self, point: DVec3) -> DVec2 {
        (DVec2::new(point.x, point.z) - self.origin) / self.spacing
    }

    /// The cell of a place; the nearest one if it is beyond the grid.
    #[inline]
    fn cell(&self, place: DVec2) -> [usize; 2] {
        // Negative numbers become zero.
        [(place.x as usize).min(self.cells[0] - 1), (place.y as usize).min(self.cells[1] - 1)]
    }

    /// The height over a place by the plane of the triangle over another place.
    #[inline]
    fn height_by(&self, triangle: DVec2, place: DVec2) -> f64 {
        let [i, j] = self.cell(triangle);
        let corner = DVec2::new(i as f64, j as f64);
        let (at, of) = (place - corner, triangle - corner);
        let [low, high] = [self.sample(i, j), self.sample(i + 1, j + 1)];
        if of.x >= of.y {
            let middle = self.sample(i + 1, j);
            low + (middle - low) * at.x + (high - middle) * at.y
        } else {
            let middle = self.sample(i, j + 1);
            low + (middle - low) * at.y + (high - middle) * at.x
        }
    }

    /// Whether a point is in the solid, up to rounding.
    fn contains(&self, point: DVec3) -> bool {
        let place = self.in_cells(point);
        let is_over = point.cmpge(self.low).all() && point.cmple(self.high).all();
        is_over && point.y <= self.height_by(place, place)
    }

    /// What is wrong by rounding in an answer about points this large.
    #[inline]
    fn error_of(&self, size: f64) -> f64 {
        self.rounding * (size + sum(self.low) + sum(self.high))
    }
}

/// At least two samples make a cell.
fn count(what: &'static str, value: usize) -> Result<(), SolidError> {
    if (2..1 << 31).contains(&value) {
        return Ok(());
    }
    Err(SolidError::Number { what, value: value as f64, expected: "from 2 to 2^31" })
}

fn check(heights: &[f64], floor: f64) -> Result<(), SolidError> {
    let is_wrong = |&&height: &&f64| !(height > floor && height <= 1e60);
    match heights.iter().position(|height| is_wrong(&height)) {
        Some(index) => Err(SolidError::Entry {
            what: "height",
            index,
            value: heights[index],
            expected: "above the floor and at most 1e60",
        }),
        None => Ok(()),
    }
}

/// A bound on the slope of every triangle: the sum of those along x and z.
fn steepest(heights: &[f64], cells: [usize; 2], spacing: f64) -> f64 {
    let columns = cells[0] + 1;
    let rows = heights.chunks_exact(columns);
    let along = rows.flat_map(|row| row.windows(2).map(|pair| (pair[1] - pair[0]).abs()));
    let across = heights.iter().zip(&heights[columns..]).map(|(a, b)| (a - b).abs());
    (along.fold(0.0, f64::max) + across.fold(0.0, f64::max)) / spacing
}

impl Solid for HeightField {
    fn bounds(&self) -> [DVec3; 2] {
        super::shapes::widened([self.low, self.high], self.error_of(0.0))
    }

    fn distance(&self, point: DVec3) -> Interval {
        let is_in_range = sum(point) < LARGEST_COORDINATE;
        if !is_in_range {
            return Interval::ALL;
        }
        let away = Near::new(self, point).sq.sqrt();
        let value = if self.contains(point) { -away } else { away };
        Interval::about(value, self.error_of(sum(point)))
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        let near = Near::new(self, point);
        let sign = if self.contains(point) { -1.0 } else { 1.0 };
        near.normal.unwrap_or_else(|| super::shapes::unit_or(sign * near.arm, DVec3::Y))
    }

    fn place(&self, block: &Block) -> Place {
        let error = self.error_of(sum(block.center) + sum(block.half));
        let reach = block.reach() + error;
        let (low, high) = (block.center - reach, block.center + reach);
        if low.cmpgt(self.high).any() || high.cmplt(self.low).any() {
            return Place::Outside;
        }
        let is_over = low.cmpgt(self.low).all() && high.x < self.high.x && high.z < self.high.z;
        let [first, last] = [low, high].map(|corner| self.cell(self.in_cells(corner)));
        match self.tiles.place([first, last], [low.y, high.y]) {
            Place::Inside if is_over => Place::Inside,
            Place::Outside => Place::Outside,
            _ => within(self.distance(block.center), block.radius()),
        }
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        walk::entry(self, from, to, precision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tent of 2 by 2 cells with its top at the middle, 1 above the floor.
    fn tent() -> HeightField {
        let heights = vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        HeightField::new(heights, 3, [-1.0, -1.0], 1.0, -1.0).expect("a field")
    }

    #[test]
    fn a_point_over_the_top_is_as_far_as_it_is_high() {
        assert!(tent().distance(DVec3::Y * 3.0).contains(2.0));
        assert!(tent().distance(DVec3::new(0.9, -0.8, -0.9)).contains(0.9 - 1.0));
        assert!(tent().distance(DVec3::new(4.0, -0.5, 0.0)).contains(3.0));
    }

    #[test]
    fn a_segment_enters_where_it_meets_the_first_triangle() {
        let down = tent().entry(DVec3::new(0.25, 2.0, -0.25), DVec3::new(0.25, -2.0, -0.25), 1e-9);
        let down = down.expect("it enters");
        // The plane there falls by 1 from the top to either side, x or z, whichever is farther.
        let height = 2.0 - 4.0 * down;
        assert!((height - 0.5).abs() < 1e-12, "{height}");
        assert_eq!(tent().entry(DVec3::new(-2.0, 1.5, 0.0), DVec3::new(2.0, 1.5, 0.0), 1e-9), None);
    }

    #[test]
    fn what_is_wrong_with_a_field_is_named() {
        let wrong = |heights: Vec<f64>, columns| {
            let made = HeightField::new(heights, columns, [0.0; 2], 1.0, 0.0);
            made.expect_err("refused").to_string()
        };
        assert_eq!(
            wrong(vec![1.0, 1.0, f64::NAN, 1.0], 2),
            "height 2 is NaN; it must be above the floor and at most 1e60"
        );
        assert!(wrong(vec![1.0; 5], 2).starts_with("the number of heights is 5"));
        assert!(wrong(vec![1.0; 5], 0).starts_with("the number of columns is 0"));
        assert!(wrong(vec![], 2).starts_with("the number of rows is 0"));
    }
}
