//! Planes and edges at the start of a part, as the gap functions want them.

use glam::DVec3;
use wide::f64x2;

use crate::numeric::HelixAt;

/// A plane at the start: unit normal, offset, and how fast the body passes through it outward.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plane {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
    /// The outward speed at `x` is `slope . x + speed`; [Buss04 §4.2] calls a point facing where
    /// it is not negative.
    pub(super) slope: DVec3,
    pub(super) speed: f64,
}

impl Plane {
    #[inline]
    pub(super) fn outward_speed(&self, x: DVec3) -> f64 {
        self.slope.dot(x) + self.speed
    }
}

/// A line as one pair of direction and moment for each coordinate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line([f64x2; 3]);

impl Line {
    #[inline]
    pub(super) fn new(along: DVec3, moment: DVec3) -> Self {
        Self([0, 1, 2].map(|i| f64x2::new([along[i], moment[i]])))
    }

    /// The side product with a line whose direction and moment are exchanged.
    #[inline]
    fn product(&self, exchanged: &Self) -> f64 {
        let [p, q] = [&self.0, &exchanged.0];
        let sums = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        let [along, moment] = sums.to_array();
        along + moment
    }
}

/// A line with a unit direction and its first four derivatives at the start (MATH 3), and the
/// length of the edge on it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    pub(super) lines: [Line; 5],
    pub(crate) length: f64,
}

impl Lines {
    /// The coefficients of the gap between the line and one that stands still.
    #[inline]
    pub(crate) fn gap_to(&self, fixed: &Fixed) -> [f64; 5] {
        let [l0, l1, l2, l3, l4] = &self.lines;
        let against = |line: &Line| line.product(&fixed.line);
        [against(l0), against(l1), against(l2), against(l3), against(l4)]
    }

    /// The direction at a time.
    #[inline]
    pub(crate) fn direction(&self, at: &HelixAt) -> DVec3 {
        let [start, once, twice] = [&self.lines[0].0, &self.lines[1].0, &self.lines[2].0];
        let [s1, c2] = [f64x2::splat(at.s1), f64x2::splat(at.c2)];
        let one = |i: usize| (start[i] + s1 * once[i] + c2 * twice[i]).to_array()[0];
        DVec3::new(one(0), one(1), one(2))
    }
}

/// A fixed edge: start, unit direction and length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fixed {
    pub(crate) from: DVec3,
    pub(crate) direction: DVec3,
    pub(crate) length: f64,
    /// With direction and moment exchanged, and negative.
    pub(super) line: Line,
}
