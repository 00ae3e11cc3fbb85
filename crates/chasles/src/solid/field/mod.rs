//! Signed distance fields: a solid sampled once, offline, and then asked in a few nanoseconds.
//!
//! *Question.* How far is a point from a solid that is slow to ask, or that is no longer there?
//!
//! Space is cut into cells, and 8³ of them are a block. Blocks near the surface hold the
//! distance at every corner of their cells; of the others only the distance of their middle is
//! kept. A question finds its block by a table and needs eight samples, or one.
//!
//! ```text
//!   +-------+-------+-------+
//!   |   .   | .-'~~~|~~'-.  |     with samples: the blocks through which the surface
//!   |       .'      |    '. |     goes, or passes within the band
//!   +------/+-------+------\+
//!   |     | |   .   |      ||     the others: their middle
//! ```
//!
//! Nothing is lost by sampling but width. The signed distance `f` is 1-Lipschitz, so what is known
//! exactly at the samples bounds it everywhere, and [`Sdf::distance`](Solid::distance) is an
//! interval around the distance from *the solid that was sampled*; see the derivation at the kernel
//! of a cell. Its half-width is at most `√3/2` cells (the distance to the nearest corner) where
//! there are samples, and shrinks with the square of the cell where the surface is several cells
//! away; in blocks without samples it is the distance from the middle, at most `4 √3` cells. The
//! error of storing samples in single precision is measured when they are stored, and added.
//!
//! *Accepts* solids with finite bounds and a distance that is known from both sides; sheets too.
//! *Guarantees* intervals that contain the distance from the original, rounding included.
//! *Cost* linear in the samples to make; then constant, a few dozen nanoseconds a question.
//! *Fails* on cells that are not positive or would need more than [`Sdf::LARGEST`] bytes.

mod cell;
pub mod file;
mod sample;

use glam::{DVec3, IVec3};

use self::cell::Cell;
pub use self::file::SdfError;
pub use self::sample::SdfOptions;
pub(super) use self::sample::finite_bounds;
use super::{Block, Interval, Place, Solid, within};

/// Cells along a side of a block. Its samples, 9³ numbers of 4 bytes, stay within one page.
const SIDE: usize = 8;

/// Samples along a side of a block: neighbours keep a copy each of those they share.
const ACROSS: usize = SIDE + 1;

/// Samples of a block.
const VOLUME: usize = ACROSS * ACROSS * ACROSS;

/// In place of the number of samples that a block does not have.
const NONE: u32 = u32::MAX;

/// Pieces at most into which a long box is cut before it is placed by balls.
const PIECES: f64 = 16.0;

/// A signed distance field.
///
/// ```
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::solid::{MeshSolid, Sdf, SdfOptions, Solid};
/// use chasles::glam::DVec3;
///
/// let cube = MeshSolid::new(&Shape::Box(Cuboid::default()).build()?)?;
/// let field = Sdf::sample(&cube, &SdfOptions::across(&cube, 16)?)?;
/// let p = DVec3::new(0.3, 0.1, 0.2);
/// assert!(field.distance(p).contains(-0.2) && field.distance(p).radius() <= field.error());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sdf {
    layout: Layout,
    /// For each block the number of its samples among those of others, or [`NONE`].
    slots: Vec<u32>,
    /// The distance of the middle of each block.
    middles: Vec<f64>,
    /// Distances in cells, [`VOLUME`] for each block that has them.
    samples: Vec<f32>,
    /// What follows from the rest.
    derived: Derived,
}

/// Where blocks are, and how well what they hold is known.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Layout {
    /// The lowest corner.
    origin: DVec3,
    /// The length of a cell.
    cell: f64,
    /// Blocks along each axis.
    blocks: [u32; 3],
    /// The bounds of the solid.
    bounds: [DVec3; 2],
    /// All points closer to the surface have samples.
    band: f64,
    /// What samples may be wrong by, in cells.
    sample_error: f64,
    /// What the distances of middles may be wrong by.
    middle_error: f64,
}

impl Layout {
    fn cells(&self) -> DVec3 {
        DVec3::from_array(self.blocks.map(|n| n as f64 * SIDE as f64))
    }

    fn block_count(&self) -> usize {
        self.blocks.iter().map(|&n| n as usize).product()
    }

    /// The place of a corner of a cell.
    fn corner(&self, at: IVec3) -> DVec3 {
        self.origin + at.as_dvec3() * self.cell
    }
}

/// Numbers that every question needs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Derived {
    inv_cell: f64,
    cells: DVec3,
    /// What a bound from samples may be wrong by, in cells.
    slack: f64,
    /// What a bound from a middle may be wrong by.
    middle_slack: f64,
}

impl Derived {
    /// Errors of places: `origin + i cell`, and its inverse, have a few roundings of the largest
    /// coordinate, and the distance changes no more than the place.
    fn new(layout: &Layout, samples: &[f32]) -> Self {
        let cells = layout.cells();
        let end = layout.origin + cells * layout.cell;
        let magnitude = layout.origin.abs().max(end.abs()).max_element();
        let places = 16.0 * f64::EPSILON * (magnitude / layout.cell + cells.max_element());
        let largest = samples.iter().fold(0.0_f32, |all, s| all.max(s.abs()));
        Self {
            inv_cell: layout.cell.recip(),
            cells,
            slack: layout.sample_error + places + Cell::rounding(f64::from(largest)),
            middle_slack: layout.middle_error + places * layout.cell,
        }
    }
}

/// Where a point is: in which block, and its coordinates in cells.
#[derive(Clone, Copy)]
struct Spot {
    block: usize,
    /// Numbers of the block.
    at: [usize; 3],
    /// From the lowest corner of the field.
    place: DVec3,
}

impl Sdf {
    /// Bytes at most that a field takes: samples of half a billion corners are another tool's task.
    pub const LARGEST: u64 = 1 << 30;

    fn new(layout: Layout, slots: Vec<u32>, middles: Vec<f64>, samples: Vec<f32>) -> Self {
        let derived = Derived::new(&layout, &samples);
        Self { layout, slots, middles, samples, derived }
    }

    /// The length of a cell.
    pub fn cell(&self) -> f64 {
        self.layout.cell
    }

    /// Cells along each axis.
    pub fn cells(&self) -> [u32; 3] {
        self.layout.blocks.map(|n| n * SIDE as u32)
    }

    /// All points no farther than this from the surface are in blocks with samples.
    pub fn band(&self) -> f64 {
        self.layout.band
    }

    /// Blocks with samples, and all blocks.
    pub fn block_counts(&self) -> [usize; 2] {
        [self.samples.len() / VOLUME, self.slots.len()]
    }

    /// Bytes that samples, middles and the table take.
    pub fn bytes(&self) -> u64 {
        sample::bytes(self.slots.len() as f64, (self.samples.len() / VOLUME) as f64) as u64
    }

    /// Finds the block of a place in the field, in cells.
    #[inline]
    fn spot(&self, place: DVec3) -> Spot {
        const BLOCKS: f64 = 1.0 / SIDE as f64;
        let [nx, ny, nz] = self.layout.blocks;
        // Casts of numbers that are not negative round down; the far border belongs to the last.
        let number = |x: f64, n: u32| ((x * BLOCKS) as u32).min(n - 1) as usize;
        let at = [number(place.x, nx), number(place.y, ny), number(place.z, nz)];
        Spot { block: (at[2] * ny as usize + at[1]) * nx as usize + at[0], at, place }
    }

    /// The cell around a spot, if its block has samples.
    #[inline]
    fn cell_at(&self, spot: &Spot) -> Option<Cell> {
        let slot = self.slots[spot.block];
        if slot == NONE {
            return None;
        }
        let split = |x: f64, block: usize| {
            let local = x - (block * SIDE) as f64;
            let cell = (local as usize).min(SIDE - 1);
            (cell, (local - cell as f64) as f32)
        };
        let (i, x) = split(spot.place.x, spot.at[0]);
        let (j, y) = split(spot.place.y, spot.at[1]);
        let (k, z) = split(spot.place.z, spot.at[2]);
        let samples = &self.samples[slot as usize * VOLUME..][..VOLUME];
        Some(Cell::new(samples, (k * ACROSS + j) * ACROSS + i, [x, y, z]))
    }

    /// The distance at a place in the field.
    #[inline]
    fn distance_in(&self, place: DVec3) -> Interval {
        let spot = self.spot(place);
        if let Some(cell) = self.cell_at(&spot) {
            let [low, high] = cell.bounds(self.derived.slack);
            return in_order(low * self.layout.cell, high * self.layout.cell).outward();
        }
        let off = (place - middle(&spot.at)).length() * self.layout.cell;
        // Two roundings for the length.
        let off = off * (1.0 + 4.0 * f64::EPSILON) + self.derived.middle_slack;
        Interval::about(self.middles[spot.block], off)
    }

    /// The distance of a point that is not in the field: it changes no more than the point moves,
    /// and is no less than that from the bounds.
    #[cold]
    fn distance_beyond(&self, point: DVec3, place: DVec3) -> Interval {
        if !point.is_finite() {
            return Interval::point(f64::NAN);
        }
        let inside = place.clamp(DVec3::ZERO, self.derived.cells);
        let off = (place - inside).length() * self.layout.cell;
        let near = self.distance_in(inside);
        let error = 8.0 * f64::EPSILON * off + self.derived.slack * self.layout.cell;
        let [low, high] = self.layout.bounds;
        let beyond = (low - point).max(point - high).max(DVec3::ZERO).length();
        let low = (near.low - off - error).max(beyond * (1.0 - 4.0 * f64::EPSILON));
        // Too far for squares to be numbers: the largest coordinate is a bound as well.
        let gap = (self.layout.bounds[0] - point).max(point - high).max_element();
        let low = if low.is_finite() { low } else { gap.min(f64::MAX) };
        in_order(low, near.high + off + error).outward()
    }

    /// Ascends over the middles of blocks, where there are no samples.
    fn slope_of_blocks(&self, spot: &Spot) -> DVec3 {
        let blocks = self.layout.blocks.map(|n| n as usize);
        let strides = [1, blocks[0], blocks[0] * blocks[1]];
        let rise = |axis: usize| {
            let at = spot.at[axis];
            let down = spot.block - if at > 0 { strides[axis] } else { 0 };
            let up = spot.block + if at + 1 < blocks[axis] { strides[axis] } else { 0 };
            let steps = ((up - down) / strides[axis]).max(1);
            (self.middles[up] - self.middles[down]) / steps as f64
        };
        DVec3::new(rise(0), rise(1), rise(2))
    }
}

/// Bounds in their order. Numbers of a file that are no distances of anything contradict each
/// other, and then the bounds are those that do.
#[inline]
fn in_order(low: f64, high: f64) -> Interval {
    if low > high { Interval::new(high, low) } else { Interval::new(low, high) }
}

/// The middle of a block, in cells.
#[inline]
fn middle(at: &[usize; 3]) -> DVec3 {
    let side = SIDE as f64;
    DVec3::new(at[0] as f64, at[1] as f64, at[2] as f64) * side + 0.5 * side
}

impl Solid for Sdf {
    fn bounds(&self) -> [DVec3; 2] {
        self.layout.bounds
    }

    #[inline]
    fn distance(&self, point: DVec3) -> Interval {
        let place = (point - self.layout.origin) * self.derived.inv_cell;
        let cells = self.derived.cells;
        // False also for what is not a number.
        let is_in = place.cmpge(DVec3::ZERO).all() && place.cmple(cells).all();
        if is_in { self.distance_in(place) } else { self.distance_beyond(point, place) }
    }

    /// The slope of the samples interpolated in three directions, or that of the middles of blocks.
    fn normal(&self, point: DVec3) -> DVec3 {
        let place = (point - self.layout.origin) * self.derived.inv_cell;
        let place = if place.is_nan() { DVec3::ZERO } else { place };
        let spot = self.spot(place.clamp(DVec3::ZERO, self.derived.cells));
        let slope = self.cell_at(&spot).map_or_else(|| self.slope_of_blocks(&spot), |c| c.slope());
        slope.try_normalize().unwrap_or(DVec3::Z)
    }

    /// Half of the length of the interval, at most, of a point within the [band](Sdf::band).
    fn error(&self) -> f64 {
        let corner = 0.75_f64.sqrt().next_up();
        // The slack is added, and may be in the bound that it is added to.
        (corner + 2.0 * self.derived.slack) * self.layout.cell * (1.0 + 4.0 * f64::EPSILON)
    }

    /// A long box is cut into up to 16 pieces along its longest axis, and each is placed by the
    /// ball around it.
    fn place(&self, block: &Block) -> Place {
        let axis = block.half.max_position();
        let long = block.half[axis];
        let mut others = block.half;
        others[axis] = 0.0;
        let wide = others.length();
        // NaN and infinity, of a box without width, are 1 and 16 pieces.
        let pieces = (long / wide).ceil().clamp(1.0, PIECES).max(1.0);
        let half = long / pieces;
        // A few roundings of the middles of pieces and of the root.
        let rounding = 8.0 * f64::EPSILON * (block.center.abs().max_element() + long);
        let radius = (half * half + wide * wide).sqrt() + rounding;
        let mut all = None;
        for i in 0..pieces as u32 {
            let along = (2.0 * f64::from(i) + 1.0) * half - long;
            let place = within(self.distance(block.center + block.axes.col(axis) * along), radius);
            if place == Place::Unsure || all.is_some_and(|all| all != place) {
                return Place::Unsure;
            }
            all = Some(place);
        }
        all.unwrap_or(Place::Unsure)
    }
}
