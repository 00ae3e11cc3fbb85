//! Numbers: the functions of a helix, without a threshold between turning and sliding.
//!
//! ```
//! use chasles::numeric::Interval;
//!
//! // Bounds that contain what real arithmetic gives, rounding included.
//! let x = Interval { low: 1.0, high: 2.0 };
//! let root = x.sqrt();
//! assert!(root.low <= 1.0 && root.high >= 2.0_f64.sqrt() && root.high < 1.415);
//! ```

mod angle;
pub(crate) mod double;
mod elementary;
pub(crate) mod ellipsoid;
pub(crate) mod exact;
mod functions;
pub(crate) mod gaps;
mod halving;
mod helix;
mod interval;
mod number;
pub mod roots;
mod solid_angle;
pub(crate) mod twins;

pub(crate) use angle::{ANGLE_ERROR, angle, angles};
pub use functions::{Elementary, angle_between, rotation_about, rotation_by, vector_of};
pub(crate) use halving::Halving;
pub use helix::{Helix, HelixAt, log_coefficient};
pub use interval::Interval;
pub(crate) use solid_angle::solid_angle;

use glam::DVec3;

/// The largest coordinate accepted: squares and products of three stay far from overflow.
pub(crate) const LARGEST_COORDINATE: f64 = 1e100;

/// Coordinates below this are zero, so that squares of lengths stay far from underflow.
pub(crate) const SMALLEST_COORDINATE: f64 = 1e-120;

/// The vector without coordinates that are too small to count.
pub(crate) fn without_dust(v: DVec3) -> DVec3 {
    DVec3::select(v.abs().cmplt(DVec3::splat(SMALLEST_COORDINATE)), DVec3::ZERO, v)
}

/// A number in digits, or with an exponent where they would be many.
pub(crate) fn short(value: f64) -> String {
    let is_short = value == 0.0 || (1e-4..1e7).contains(&value.abs());
    if is_short { format!("{value}") } else { format!("{value:e}") }
}

/// The smaller of two numbers, neither of which is NaN: one instruction, where `min` needs
/// several to handle NaN.
#[inline(always)]
pub(crate) fn lower<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// The larger of two numbers, neither of which is NaN.
#[inline(always)]
pub(crate) fn upper<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}
