//! Boxes around parts of a body, carried into a chart.

use glam::{DMat3, DVec3};
use wide::f32x4;

use super::chart::{Chart, NEAR_AXIS, PAD, Widening, padded};
use super::hull::Hull;
use super::slab::Slab;
use crate::numeric::Elementary;
use crate::numeric::{ANGLE_ERROR, angle};

/// Where a body's local coordinates lie in a chart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    axes: DMat3,
    offset: DVec3,
    /// The axes, column by column, in units of the body's size, for directions only.
    lanes: [[f32x4; 3]; 3],
}

impl Chart {
    /// How a body's local coordinates lie in the chart; sides of its boxes are in units of `scale`.
    pub(crate) fn frame(&self, turned: &DMat3, offset: DVec3, scale: f64) -> Frame {
        let axes = self.axes * *turned;
        let lane = |x: f64| f32x4::splat((x * scale) as f32);
        let lanes = axes.to_cols_array_2d().map(|column| column.map(lane));
        Frame { axes, offset: self.axes * (offset - self.origin), lanes }
    }

    /// Bounds of the box around a part of a body, and its interval in `s`, infinite if it surrounds
    /// the axis.
    ///
    /// With `r` the distance of the centre from the axis, a point that is `u` farther out and `v`
    /// aside has the distance `hypot(r + u, v)` and is seen under the angle `atan(v / (r + u))`.
    /// With `|u| <= out`, `|v| <= side` and `near = r - out` that angle is at most `side / near`
    /// and departs from `v / r` by at most
    ///
    /// ```text
    /// side out / (r near) + (side / near)³ / 3
    /// ```
    ///
    /// All else is linear, and the sum of what each side of the box gives bounds it.
    #[inline]
    pub(crate) fn boxed(&self, frame: &Frame, hull: &Hull) -> (Slab, [f64; 2]) {
        let at = frame.axes * hull.centre + frame.offset;
        let [cx, cz, root] = self.root(at.x, at.z);
        let inverse = 1.0 / root;
        let [ux, uz] = [cx * inverse, cz * inverse];
        let [c, g] = self.toward;
        let reach = hull.reach(&frame.lanes, {
            let [along_h, along_tau] = [-g * inverse, c * inverse];
            let lanes = |v: [f64; 4]| f32x4::new(v.map(|x| x as f32));
            [
                lanes([ux, along_h * uz, along_tau * uz, uz]),
                lanes([0.0, c, g, 0.0]),
                lanes([uz, -along_h * ux, -along_tau * ux, -ux]),
            ]
        });
        let [out, _, _, side] = reach.to_array().map(f64::from);
        let nearest = root - self.kappa * out;
        // Written so that a box around the axis, where nothing is a number, surrounds it.
        if !(nearest > 0.1 * root && root > NEAR_AXIS) {
            return self.surrounding(frame, hull);
        }
        let s = if self.kappa > 0.0 { angle(cx, cz) / self.kappa } else { at.x };
        let rounding = ANGLE_ERROR * s.abs() + PAD / nearest;
        let widest = side / nearest;
        let ends = [s - widest - rounding, s + widest + rounding];
        // Features on the other side of the cut are bounded a whole turn away.
        if ends[0] < -self.half_turn || ends[1] > self.half_turn {
            return (self.surrounding(frame, hull).0, ends);
        }
        let seen = self.kappa * widest;
        let bend = seen * (out * inverse + 0.34 * seen * widest) + rounding;
        let dip = 0.5 * self.kappa * side * side * inverse;
        let middle = [self.rho(at.x, at.z, root), c * at.y - g * s, g * at.y + c * s];
        let Widening { base, turned, .. } = self.widening;
        let pad = reach + base + turned * f32x4::splat(bend as f32);
        (Slab::around(middle, pad, dip as f32), ends)
    }

    /// Bounds of a box that surrounds the axis or nearly does.
    #[cold]
    fn surrounding(&self, frame: &Frame, hull: &Hull) -> (Slab, [f64; 2]) {
        let at = frame.axes * hull.centre + frame.offset;
        let upright = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        let [x, y, z, _] = hull.reach(&frame.lanes, upright.map(f32x4::new)).to_array();
        let reach = f64::from(x).hypotenuse(f64::from(z));
        let y = padded([at.y, at.y], f64::from(y));
        let [_, _, root] = self.root(at.x, at.z);
        let rho = self.rho(at.x, at.z, root);
        let low = if self.kappa > 0.0 { (rho - reach).max(-1.0 / self.kappa) } else { rho - reach };
        let everything = [f64::NEG_INFINITY, f64::INFINITY];
        (Slab::new(&self.extent_all_around([low, rho + reach], y)), everything)
    }
}
