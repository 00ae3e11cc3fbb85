//! Numbers: the functions of a helix, without a threshold between turning and sliding.

mod angle;
mod helix;
pub mod roots;

pub(crate) use angle::{ANGLE_ERROR, angle};
pub use helix::{Helix, HelixAt, log_coefficient};

/// The largest coordinate accepted: squares and products of three stay far from overflow.
pub(crate) const LARGEST_COORDINATE: f64 = 1e100;

/// The smaller of two numbers, neither of which is NaN: one instruction, where `f64::min` needs
/// several to handle NaN.
#[inline(always)]
pub(crate) fn lower(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The larger of two numbers, neither of which is NaN.
#[inline(always)]
pub(crate) fn upper(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
