//! The round body B as A sees it during one part of a step.
//!
//! Coordinates are A's, with A's pivot as origin. The centre of B moves on a helix and its axis
//! turns; everything else follows from these two. Of the points of a screw motion we use that
//! speed and acceleration do not change in size: with the flow `F(x) = w x x + v`,
//!
//! ```text
//! x' = F(x),   x'' = w x F(x),   |x'| = |F(x)|,   |x''| = |w x F(x)|    at all times
//! a' = w x a,  a'' = w x (w x a),  |a'| = alpha,  |a''| <= theta alpha
//! ```
//!
//! and that a point `v` of A moves through B's frame with the velocity `-F(v)`, a constant.

use glam::{DMat3, DVec3};

use super::body::{Kind, Round};
use crate::motion::{Part, Screw};
use crate::numeric::Helix;

/// Rounding unit.
const U: f64 = f64::EPSILON / 2.0;

/// A gap below this many units of the reach has no sign. A gap is a few sums and products of
/// numbers that are known to a few units, like those of edges in the exact engine, which were
/// measured at 6; this is what that engine takes.
const NOISE: f64 = 256.0 * U;

/// B's motion in A's local coordinates.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    pub(super) body: Round,
    pub(super) screw: Screw,
    helix: Helix,
    /// Of which the path of the centre is a combination.
    path: [DVec3; 4],
    /// The axis at the start, and how it changes.
    axes: [DVec3; 3],
    /// The same of the first axis of an ellipsoid.
    sides: [DVec3; 3],
    pub(super) theta: f64,
    /// The rate at which the axis changes.
    pub(super) alpha: f64,
    /// A's radius about its pivot.
    radius_a: f64,
    /// No coordinate of either body is larger at any time.
    pub(super) reach: f64,
    /// No point of B moves faster.
    pub(super) speed: f64,
    pub(super) noise: f64,
    /// Features that come closer than this touch: above the noise, so that a gap of this size has
    /// a sign.
    pub(super) tolerance: f64,
    /// How many times as far as a gap is wrong the place where an ellipsoid touches may be.
    pub(super) blur: f64,
}

impl Motion {
    pub(super) fn new(part: &Part, (pivot_a, radius_a): (DVec3, f64), body: &Round) -> Self {
        let (screw, turned, from): (Screw, DMat3, DVec3) = part.about([pivot_a, body.centre]);
        let placed = body.placed(from, turned * body.axis);
        Self::with(screw, Round { side: turned * body.side, ..placed }, radius_a)
    }

    fn with(screw: Screw, body: Round, radius_a: f64) -> Self {
        let w = screw.angular();
        let theta = screw.angle();
        let ways = |a: DVec3| [a, w.cross(a), w.cross(w.cross(a))];
        let axes = ways(body.axis);
        let far = body.centre.length() + body.reach();
        let speed = screw.linear().length() + theta * far;
        let reach = far + speed + radius_a;
        Self {
            helix: Helix::new(theta),
            path: screw.spread(body.centre, 1.0),
            axes,
            sides: ways(body.side),
            theta,
            alpha: axes[1].length(),
            radius_a,
            reach,
            speed,
            noise: NOISE * reach,
            tolerance: 4.0 * NOISE * reach,
            blur: body.ratio(),
            screw,
            body,
        }
    }

    /// The motion between two times only, as a step of its own with a shorter reach.
    pub(super) fn during(&self, [from, to]: [f64; 2]) -> Self {
        Self::with(self.screw.scaled(to - from), self.at(from), self.radius_a)
    }

    /// The body at a time.
    #[inline]
    pub(super) fn at(&self, t: f64) -> Round {
        let at = self.helix.at(t);
        let turned = |[a, once, twice]: [DVec3; 3]| a + at.s1 * once + at.c2 * twice;
        let placed = self.body.placed(at.along(&self.path), turned(self.axes));
        if self.body.kind != Kind::Ellipsoid {
            return placed;
        }
        Round { side: turned(self.sides), ..placed }
    }

    #[inline]
    pub(super) fn flow(&self, point: DVec3) -> DVec3 {
        self.screw.flow(point)
    }

    /// The acceleration of a point with this velocity.
    #[inline]
    pub(super) fn bent(&self, flow: DVec3) -> DVec3 {
        self.screw.angular().cross(flow)
    }

    /// A bound of the acceleration along the normal of a plane, of a point with this velocity:
    /// `n.x'' = n.(w x F)` is at most the smaller of `|n x w| |F|` and `|w x F|`, exactly 0 for
    /// what slides in the plane.
    pub(super) fn plane_bend(&self, n: DVec3, flow: DVec3) -> f64 {
        let w = self.screw.angular();
        (n.cross(w).length() * flow.length()).min(w.cross(flow).length())
    }

    /// Whether the axis stays at right angles to an edge: its ends are then as high over a cap as
    /// its middle, up to the noise.
    pub(super) fn stays_across(&self, direction: DVec3, half: f64) -> bool {
        let [a, once, twice] = self.axes;
        [a, once, twice].iter().all(|v| v.dot(direction).abs() * half <= self.noise)
    }

    /// The part of a window in which a ball about a point of A can touch B; empty (the first time
    /// after the second) if it cannot.
    ///
    /// In B's frame the point moves at a constant speed, so its distance from B changes no faster:
    /// each step over the spare distance is safe, and any number of them is.
    pub(super) fn window(&self, point: DVec3, radius: f64, window: [f64; 2]) -> [f64; 2] {
        // A few steps find the window of a straight pass; more pay only for grazing ones.
        const STEPS: usize = 6;
        let [mut from, mut to] = window;
        let rate = 1.0 / self.flow(point).length();
        let spare = |t: f64| {
            let spare = self.at(t).beyond(point) - radius - self.tolerance;
            if spare > 0.0 { spare * rate } else { 0.0 }
        };
        for _ in 0..STEPS {
            let step = spare(from);
            from += step;
            if from > to {
                return [1.0, 0.0];
            }
            if step <= 1e-3 * (to - from) {
                break;
            }
        }
        for _ in 0..STEPS {
            let step = spare(to);
            to -= step;
            if from > to {
                return [1.0, 0.0];
            }
            if step <= 1e-3 * (to - from) {
                break;
            }
        }
        // More than the rounding of the sums, less than what the tolerance leaves.
        let pad = 4.0 * f64::EPSILON;
        [(from - pad).max(window[0]), (to + pad).min(window[1])]
    }
}
