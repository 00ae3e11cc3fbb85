//! Vectors that move on a screw, their products and their lengths, with bounds of how they change.
//!
//! Lengths `|V|` have a kink where `V` vanishes. Otherwise `|V|''` is at most `|V'|² / |V| +
//! |V''|`.

use glam::DVec3;

/// A vector that moves, with bounds for as long as half of an interval.
#[derive(Clone, Copy)]
pub(super) struct Moving {
    pub(super) value: DVec3,
    pub(super) slope: DVec3,
    /// At most, at all of these times: of the vector, its slope and the slope of that.
    pub(super) length: f64,
    pub(super) rate: f64,
    pub(super) bend: f64,
}

impl Moving {
    pub(super) fn new(value: DVec3, slope: DVec3, bend: f64, half: f64) -> Self {
        let rate = slope.length() + bend * half;
        Self { value, slope, length: value.length() + rate * half, rate, bend }
    }

    pub(super) fn cross(&self, other: &Self, half: f64) -> Self {
        let slope = self.slope.cross(other.value) + self.value.cross(other.slope);
        let bend =
            self.bend * other.length + 2.0 * self.rate * other.rate + self.length * other.bend;
        Self::new(self.value.cross(other.value), slope, bend, half)
    }
}

/// The length of a vector, with the same bounds, given what it is at least.
pub(super) struct Length {
    pub(super) value: f64,
    pub(super) slope: f64,
    pub(super) rate: f64,
    pub(super) bend: f64,
}

impl Length {
    pub(super) fn new(of: &Moving, least: f64, half: f64) -> Self {
        let value = of.value.length();
        let least = (value - of.rate * half).max(least);
        let bend = if least > 0.0 { of.rate * of.rate / least + of.bend } else { f64::INFINITY };
        let slope = if value > 0.0 { of.value.dot(of.slope) / value } else { 0.0 };
        Self { value, slope, rate: of.rate, bend }
    }
}
