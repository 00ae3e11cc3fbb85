//! Two bodies at rest in A's local frame, and lower bounds of the distance of their boxes.

use glam::{DMat3, DVec3};
use wide::{f64x2, f64x4};

use super::sweep::Sweep;
use crate::bounds::{Collider, Twins};
use crate::motion::Pose;
use crate::near::TOUCHING;

/// Two bodies, and how B lies in A's frame. Local frames have the pivots of the colliders as
/// origins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'c> {
    pub(super) a: &'c Collider,
    pub(super) b: &'c Collider,
    /// Turns B's local directions into A's.
    pub(super) turn: DMat3,
    /// Where B's pivot is.
    pub(super) shift: DVec3,
    /// How wrong placed coordinates and distances of boxes are at most.
    pub(super) noise: f64,
    /// Features this close touch.
    pub(super) tolerance: f64,
}

impl<'c> Scene<'c> {
    pub(super) fn new(a: &'c Collider, b: &'c Collider, poses: &[Pose; 2]) -> Self {
        let relative = poses[0].inverse_after(&poses[1]);
        let turn = DMat3::from_quat(relative.rotation());
        Self::placed(a, b, turn, relative.point(b.pivot()) - a.pivot())
    }

    /// The bodies with B at a place of A's frame.
    pub(super) fn placed(a: &'c Collider, b: &'c Collider, turn: DMat3, shift: DVec3) -> Self {
        let far = a.radius() + b.radius() + shift.length();
        // Placing takes nine products and sums, and a bound a dozen more of either sign.
        let noise = 32.0 * f64::EPSILON * far;
        let tolerance = (TOUCHING * a.radius().min(b.radius())).max(4.0 * noise);
        Self { a, b, turn, shift, noise, tolerance }
    }

    /// A local point of B.
    #[inline]
    pub(super) fn point(&self, of_b: DVec3) -> DVec3 {
        self.turn * of_b + self.shift
    }

    /// A local point of A in B's frame.
    #[inline]
    pub(super) fn point_in_b(&self, of_a: DVec3) -> DVec3 {
        self.turn.transpose() * (of_a - self.shift)
    }

    /// Two boxes of B.
    fn place(&self, twins: &Twins) -> Twins {
        let columns = [self.turn.x_axis, self.turn.y_axis, self.turn.z_axis];
        let columns = columns.map(|column| column.to_array().map(f64x2::splat));
        let turned = |v: &[f64x2; 3]| {
            [0, 1, 2].map(|i| columns[0][i] * v[0] + columns[1][i] * v[1] + columns[2][i] * v[2])
        };
        let mut centre = turned(&twins.centre);
        for (x, shift) in centre.iter_mut().zip(self.shift.to_array()) {
            *x += f64x2::splat(shift);
        }
        Twins { centre, axes: twins.axes.each_ref().map(turned), half: twins.half }
    }

    /// Lower bounds of the distances of two boxes of A from two of B: the first of A from both,
    /// then the second.
    pub(super) fn bounds(&self, a: &Twins, b: &Twins) -> [f64; 4] {
        self.bounds_less(a, b, |_, _| f64x4::splat(0.0))
    }

    /// The same over a while.
    pub(super) fn swept_bounds(&self, a: &Twins, b: &Twins, sweep: &Sweep) -> [f64; 4] {
        self.bounds_less(a, b, |toward, boxes| sweep.approach_of_boxes(toward, boxes))
    }

    /// Lower bounds of distances, less by what `approach` says for a direction and the boxes of B.
    ///
    /// The boxes are apart by at least what their extents leave between them along any unit
    /// direction. Along the axes of one box the gaps are the sides of a right-angled box in space,
    /// whose diagonal is a bound, and along that diagonal the extent of the other box is at most
    /// what its sides give, so the gap there is a better one. The line of the middles is tried too:
    /// its products with the axes are known already. Rounding is not taken off.
    #[inline(always)]
    fn bounds_less(
        &self,
        a: &Twins,
        b: &Twins,
        approach: impl Fn(&[f64x4; 3], &Lanes) -> f64x4,
    ) -> [f64; 4] {
        let b = self.place(b);
        let [of_a, of_b] = [Lanes::first(a), Lanes::second(&b)];
        let between = [0, 1, 2].map(|i| of_b.centre[i] - of_a.centre[i]);
        let along_a = of_a.axes.each_ref().map(|axis| dot(axis, &between));
        let along_b = of_b.axes.each_ref().map(|axis| dot(axis, &between));
        let cosines = of_a.axes.each_ref().map(|u| of_b.axes.each_ref().map(|v| dot(u, v)));
        let across = [0, 1, 2].map(|j| [0, 1, 2].map(|i| cosines[i][j]));
        let by_a = gap_along(&of_a, &of_b.half, &along_a, &cosines);
        let by_b = gap_along(&of_b, &of_a.half, &along_b, &across);
        let by_middles = gap_of_middles([&of_a.half, &of_b.half], [&along_a, &along_b], &between);
        let less = |gap: Gap| gap.free - approach(&gap.toward, &of_b);
        less(by_a).fast_max(less(by_b)).fast_max(less(by_middles)).to_array()
    }
}

/// How far boxes are apart along a direction.
struct Gap {
    free: f64x4,
    /// Unit, or zero where nothing is free.
    toward: [f64x4; 3],
}

/// Four boxes, coordinate by coordinate.
pub(super) struct Lanes {
    pub(super) centre: [f64x4; 3],
    pub(super) axes: [[f64x4; 3]; 3],
    pub(super) half: [f64x4; 3],
}

impl Lanes {
    /// Each box twice in a row.
    #[inline]
    fn first(twins: &Twins) -> Self {
        Self::spread(twins, |[p, q]| [p, p, q, q])
    }

    /// Both boxes, twice.
    #[inline]
    fn second(twins: &Twins) -> Self {
        Self::spread(twins, |[p, q]| [p, q, p, q])
    }

    #[inline]
    fn spread(twins: &Twins, order: impl Fn([f64; 2]) -> [f64; 4]) -> Self {
        let each = |v: &[f64x2; 3]| v.map(|x| f64x4::new(order(x.to_array())));
        let axes = twins.axes.each_ref().map(each);
        Self { centre: each(&twins.centre), axes, half: each(&twins.half) }
    }
}

#[inline]
pub(super) fn dot(p: &[f64x4; 3], q: &[f64x4; 3]) -> f64x4 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

#[inline]
pub(super) fn cross(p: &[f64x4; 3], q: &[f64x4; 3]) -> [f64x4; 3] {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

/// Squares below this are gaps of nothing: no division by them.
const TINY: f64 = 1e-280;

/// The gap by the axes of one box. `along` are the products of its axes and the line of the
/// middles, `cosines` those with the other box's axes.
#[inline(always)]
fn gap_along(
    own: &Lanes,
    other: &[f64x4; 3],
    along: &[f64x4; 3],
    cosines: &[[f64x4; 3]; 3],
) -> Gap {
    let zero = f64x4::splat(0.0);
    let extent = cosines.map(|row| dot(&row.map(f64x4::abs), other));
    let gaps = [0, 1, 2].map(|i| (along[i].abs() - own.half[i] - extent[i]).fast_max(zero));
    let inverse = inverse_root(dot(&gaps, &gaps));
    let signed = [0, 1, 2].map(|i| gaps[i].flip_signs(along[i]) * inverse);
    let sides = [0, 1, 2].map(|j| {
        (signed[0] * cosines[0][j] + signed[1] * cosines[1][j] + signed[2] * cosines[2][j]).abs()
    });
    let free = dot(&signed, along) - dot(&signed.map(f64x4::abs), &own.half) - dot(&sides, other);
    let [x, y, z] = &own.axes;
    let toward = [0, 1, 2].map(|i| signed[0] * x[i] + signed[1] * y[i] + signed[2] * z[i]);
    Gap { free, toward }
}

/// The gap along the line of the middles.
#[inline(always)]
fn gap_of_middles(half: [&[f64x4; 3]; 2], along: [&[f64x4; 3]; 2], between: &[f64x4; 3]) -> Gap {
    let square = dot(between, between);
    let inverse = inverse_root(square);
    let extent = |i: usize| dot(&along[i].map(f64x4::abs), half[i]);
    let free = (square - extent(0) - extent(1)) * inverse;
    Gap { free, toward: between.map(|x| x * inverse) }
}

#[inline]
fn inverse_root(square: f64x4) -> f64x4 {
    f64x4::splat(1.0) / square.fast_max(f64x4::splat(TINY)).sqrt()
}
