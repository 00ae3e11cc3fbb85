//! Samples a solid: first the middles of all blocks, then the corners in those near the surface.

use glam::{DVec3, IVec3};

use super::{ACROSS, Layout, NONE, SIDE, Sdf, VOLUME, middle};
use crate::solid::{Interval, Solid, SolidError};

/// How finely and how far from the surface a solid is sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SdfOptions {
    /// The length of a cell, in the unit of the solid.
    pub cell: f64,
    /// Points up to this distance from the surface get samples.
    pub band: f64,
}

impl SdfOptions {
    /// So many cells along the longest side of the solid, and a band of two cells.
    ///
    /// *Accepts* a solid with finite bounds and any number of cells. *Guarantees* a cell above 0.
    /// *Cost* that of the solid's bounds. *Fails* on a solid without end or without size, and on no
    /// cells.
    pub fn across(solid: &dyn Solid, cells: u32) -> Result<Self, SolidError> {
        let [low, high] = finite_bounds(solid)?;
        let cell = (high - low).max_element() / f64::from(cells);
        check("the length of a cell", cell, cell > 0.0)?;
        Ok(Self { cell, band: 2.0 * cell })
    }
}

/// The bounds, if they are finite and hold anything.
pub(in crate::solid) fn finite_bounds(solid: &dyn Solid) -> Result<[DVec3; 2], SolidError> {
    let [low, high] = solid.bounds();
    if low.cmpgt(high).any() {
        return Err(SolidError::Empty("its bounds hold no point"));
    }
    match low.is_finite() && high.is_finite() {
        true => Ok([low, high]),
        false => Err(SolidError::Unbounded("only a solid with finite bounds can be sampled")),
    }
}

fn check(what: &'static str, value: f64, is_right: bool) -> Result<(), SolidError> {
    let error = SolidError::Number { what, value, expected: "finite and above 0" };
    if is_right && value.is_finite() { Ok(()) } else { Err(error) }
}

/// The memory of a field with so many blocks, and of those with samples. As a double, since the
/// counts may be beyond any integer until they are checked.
pub(super) fn bytes(blocks: f64, sampled: f64) -> f64 {
    let [slot, middle, samples] = [size_of::<u32>(), size_of::<f64>(), VOLUME * size_of::<f32>()];
    blocks * (slot + middle) as f64 + sampled * samples as f64
}

pub(super) fn check_memory(blocks: f64, sampled: f64) -> Result<(), SolidError> {
    let value = bytes(blocks, sampled);
    let error = SolidError::Number {
        what: "the number of bytes of the field",
        value,
        expected: "no more than 2^30: take larger cells",
    };
    if value <= Sdf::LARGEST as f64 { Ok(()) } else { Err(error) }
}

impl Sdf {
    /// Samples a solid.
    ///
    /// *Accepts* any solid with finite bounds, also a sheet or another field. *Guarantees* the
    /// same field for the same solid, and that memory is checked before it is taken. *Cost* a
    /// question for each block and 729 for each block near the surface. *Fails* on a solid
    /// without end, one whose distance is not known from both sides, numbers out of range, and
    /// more than [`Sdf::LARGEST`] bytes.
    pub fn sample(solid: &dyn Solid, options: &SdfOptions) -> Result<Self, SolidError> {
        Self::sample_with(solid, options, &mut |_| ())
    }

    /// As [`Sdf::sample`]; `progress` is told the fraction that is done, now and then.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as there; the fractions rise, and the last one
    /// is 1 if any block has samples.
    pub fn sample_with(
        solid: &dyn Solid,
        options: &SdfOptions,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Self, SolidError> {
        let mut layout = layout(solid, options)?;
        let Middles { slots, distances, count } = middles(solid, &mut layout)?;
        check_memory(slots.len() as f64, f64::from(count))?;
        let mut samples = Vec::with_capacity(count as usize * VOLUME);
        for (block, _) in slots.iter().enumerate().filter(|(_, slot)| **slot != NONE) {
            sample_block(solid, &mut layout, block, &mut samples)?;
            progress(samples.len() as f64 / (count as usize * VOLUME) as f64);
        }
        Ok(Self::new(layout, slots, distances, samples))
    }
}

/// Blocks around the bounds and the band, and a cell more.
fn layout(solid: &dyn Solid, options: &SdfOptions) -> Result<Layout, SolidError> {
    let SdfOptions { cell, band } = *options;
    check("the length of a cell", cell, cell > 0.0)?;
    check("the band around the surface", band, band >= 0.0)?;
    let bounds = finite_bounds(solid)?;
    let origin = bounds[0] - (band + cell);
    let size = bounds[1] + (band + cell) - origin;
    let blocks = (size / (cell * SIDE as f64)).ceil().max(DVec3::ONE);
    check_memory(blocks.element_product(), 0.0)?;
    let blocks = blocks.to_array().map(|n| n as u32);
    Ok(Layout { origin, cell, blocks, bounds, band, sample_error: 0.0, middle_error: 0.0 })
}

/// A distance that is known from both sides.
fn known(distance: Interval) -> Result<Interval, SolidError> {
    let what = "half the length of an interval of the solid's distance";
    let value = distance.radius();
    let error = SolidError::Number { what, value, expected: "finite, where it is sampled" };
    if value.is_finite() { Ok(distance) } else { Err(error) }
}

/// What is known from the middles of blocks.
struct Middles {
    slots: Vec<u32>,
    distances: Vec<f64>,
    /// Blocks near the surface.
    count: u32,
}

fn middles(solid: &dyn Solid, layout: &mut Layout) -> Result<Middles, SolidError> {
    let blocks = layout.block_count();
    let slots = Vec::with_capacity(blocks);
    let mut all = Middles { slots, distances: Vec::with_capacity(blocks), count: 0 };
    for block in 0..blocks {
        let place = layout.origin + middle(&numbers(layout, block)) * layout.cell;
        let distance = known(solid.distance(place))?;
        let stored = 0.5 * (distance.low + distance.high);
        layout.middle_error = layout.middle_error.max(stored_error(distance, stored));
        all.distances.push(stored);
        let is_near = is_near(distance, layout);
        all.slots.push(if is_near { all.count } else { NONE });
        all.count += u32::from(is_near);
    }
    Ok(all)
}

/// What a number may be wrong by that stands for an interval, rounded up.
fn stored_error(truth: Interval, stored: f64) -> f64 {
    (truth.high - stored).max(stored - truth.low).max(0.0).next_up()
}

/// Whether a point of the block with this distance of its middle may be within the band.
fn is_near(distance: Interval, layout: &Layout) -> bool {
    // Rounded up: the block's half diagonal.
    let radius = 0.5 * SIDE as f64 * 1.733 * layout.cell;
    let reach = radius + layout.band;
    distance.low <= reach && distance.high >= -reach
}

fn sample_block(
    solid: &dyn Solid,
    layout: &mut Layout,
    block: usize,
    samples: &mut Vec<f32>,
) -> Result<(), SolidError> {
    let first = IVec3::from_array(numbers(layout, block).map(|n| (n * SIDE) as i32));
    let across = ACROSS as i32;
    for i in 0..VOLUME as i32 {
        let at = IVec3::new(i % across, i / across % across, i / (across * across));
        let distance = known(solid.distance(layout.corner(first + at)))?;
        let inv = layout.cell.recip();
        let [low, high] = [distance.low * inv, distance.high * inv];
        let sample = (0.5 * (low + high)) as f32;
        // Two roundings of the quotients.
        let rounding = 4.0 * f64::EPSILON * low.abs().max(high.abs());
        let error = stored_error(Interval::new(low, high), f64::from(sample)) + rounding;
        layout.sample_error = layout.sample_error.max(error);
        samples.push(sample);
    }
    known(Interval::new(-layout.sample_error, layout.sample_error))?;
    Ok(())
}

/// The numbers of a block along the axes.
fn numbers(layout: &Layout, block: usize) -> [usize; 3] {
    let [nx, ny, _] = layout.blocks.map(|n| n as usize);
    [block % nx, block / nx % ny, block / (nx * ny)]
}
