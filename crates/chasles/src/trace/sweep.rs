//! What a moving point, and all that is measured on it, looks like as a function of one number.
//!
//! ```text
//!   shift   x(f) = x + v f                                        f in [0, 1]
//!   turn    x(r) = x + (k x ρ) sin θ + (k x (k x ρ)) (1 - cos θ)   r = tan(θ/2), ρ = x - o
//! ```
//!
//! Everything that decides a contact is linear in the position of a point or bilinear in a line
//! (a volume, the permuted product of Plücker coordinates [Waveren05 §2]), and so has the form
//! `start + slope S + sag C` with `S = f, C = 0` for a shift and `S = sin θ, C = 1 - cos θ` for a
//! turn. Times `1 + r²` that is a quadratic in `r`: no arctangent is needed to find or to order
//! contacts [Waveren05 §4]. Written this way the value at the start is exact up to the rounding of
//! the positions, where the paper's `v0 + v2` cancels.

use glam::{DQuat, DVec3};

use crate::bounds::Aabb;
use crate::motion::Pose;
use crate::numeric::double::Double;

/// How the body moves during one trace or one part of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sweep {
    /// By this vector.
    Shift(DVec3),
    /// About the axis through `origin` along the unit vector `axis`, counter-clockwise, up to the
    /// angle whose half has the tangent `end`.
    Turn { origin: DVec3, axis: DVec3, end: f64 },
}

/// The way of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) at: DVec3,
    velocity: DVec3,
    bend: DVec3,
}

/// `start + slope S + sag C`, a measure of moving things.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wave {
    pub(super) start: f64,
    pub(super) slope: f64,
    pub(super) sag: f64,
}

/// `a r² + 2 b r + c`, of the same sign as a [`Wave`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadratic {
    a: f64,
    b: f64,
    c: f64,
}

impl Sweep {
    /// The parameter at the end.
    #[inline]
    pub(super) fn end(&self) -> f64 {
        match *self {
            Self::Shift(_) => 1.0,
            Self::Turn { end, .. } => end,
        }
    }

    /// The velocity of all points, if they have one and the same.
    pub(super) fn velocity(&self) -> Option<DVec3> {
        match *self {
            Self::Shift(velocity) => Some(velocity),
            Self::Turn { .. } => None,
        }
    }

    #[inline]
    pub(super) fn way(&self, at: DVec3) -> Way {
        match *self {
            Self::Shift(velocity) => Way { at, velocity, bend: DVec3::ZERO },
            Self::Turn { origin, axis, .. } => {
                let velocity = axis.cross(at - origin);
                Way { at, velocity, bend: axis.cross(velocity) }
            }
        }
    }

    /// `S` and `C` at a parameter.
    #[inline]
    fn basis(&self, r: f64) -> [f64; 2] {
        match self {
            Self::Shift(_) => [r, 0.0],
            Self::Turn { .. } => {
                let scale = 2.0 * r / (1.0 + r * r);
                [scale, scale * r]
            }
        }
    }

    #[inline]
    pub(super) fn at(&self, way: &Way, r: f64) -> DVec3 {
        let [s, c] = self.basis(r);
        way.at + way.velocity * s + way.bend * c
    }

    /// A box around the whole way; a turn is at most a quarter.
    #[inline]
    pub(super) fn around(&self, way: &Way) -> Aabb {
        let [s, c] = self.basis(self.end());
        let [along, down] = [way.velocity * s, way.bend * c];
        Aabb {
            low: way.at + along.min(DVec3::ZERO) + down.min(DVec3::ZERO),
            high: way.at + along.max(DVec3::ZERO) + down.max(DVec3::ZERO),
        }
    }

    /// How a wave changes: by `f`, or by the angle.
    #[inline]
    pub(super) fn rate(&self, wave: &Wave) -> Wave {
        match self {
            Self::Shift(_) => Wave { start: wave.slope, slope: 0.0, sag: 0.0 },
            Self::Turn { .. } => Wave { start: wave.slope, slope: wave.sag, sag: -wave.slope },
        }
    }

    /// `t' n - t n'`, which has the sign of the rate of `t / n`; again such a wave, since the
    /// terms of twice the angle cancel.
    #[inline]
    pub(super) fn rate_of_ratio(&self, t: &Wave, n: &Wave) -> Wave {
        Wave {
            start: t.slope * n.start - t.start * n.slope,
            slope: t.sag * n.start - t.start * n.sag,
            sag: match self {
                Self::Shift(_) => 0.0,
                Self::Turn { .. } => (t.start + t.sag) * n.slope - t.slope * (n.start + n.sag),
            },
        }
    }

    #[inline]
    pub(super) fn quadratic(&self, wave: &Wave) -> Quadratic {
        let Wave { start, slope, sag } = *wave;
        match self {
            Self::Shift(_) => Quadratic { a: 0.0, b: slope / 2.0, c: start },
            Self::Turn { .. } => Quadratic { a: start + 2.0 * sag, b: slope, c: start },
        }
    }

    /// How much of the way there is as the rates of [`Sweep::rate`] count it.
    #[inline]
    pub(super) fn duration(&self) -> f64 {
        match *self {
            Self::Shift(_) => 1.0,
            // Above 2 atan(end).
            Self::Turn { end, .. } => 2.0 * end,
        }
    }

    /// The same motion seen by a body that is at `pose`: there the world moves, and backwards.
    pub(super) fn seen_from(&self, pose: &Pose) -> Self {
        let back = pose.rotation().conjugate();
        match *self {
            Self::Shift(velocity) => Self::Shift(back * -velocity),
            Self::Turn { origin, axis, end } => {
                Self::Turn { origin: back * (origin - pose.position()), axis: back * -axis, end }
            }
        }
    }

    /// Where a body that starts at `pose` is.
    pub(super) fn pose(&self, pose: &Pose, r: f64) -> Pose {
        match *self {
            Self::Shift(velocity) => {
                Pose::from_valid(pose.position() + velocity * r, pose.rotation())
            }
            Self::Turn { axis, .. } => {
                let cosine = (1.0 + r * r).sqrt().recip();
                let v = axis * (r * cosine);
                let turn = DQuat::from_xyzw(v.x, v.y, v.z, cosine);
                let position = self.at(&self.way(pose.position()), r);
                Pose::from_valid(position, turn * pose.rotation())
            }
        }
    }

    /// How far it is from one parameter to a later one.
    pub(super) fn left(&self, from: f64, to: f64) -> f64 {
        match *self {
            Self::Shift(_) => to - from,
            Self::Turn { .. } => (to - from) / (1.0 + to * from),
        }
    }

    /// The parameter that is this far after another one.
    pub(super) fn joined(&self, r: f64, rest: f64) -> f64 {
        match self {
            Self::Shift(_) => r + rest,
            Self::Turn { .. } => (r + rest) / (1.0 - r * rest),
        }
    }
}

impl Way {
    /// The height over the plane through `point` with this normal.
    #[inline]
    pub(super) fn height(&self, normal: DVec3, point: DVec3) -> Wave {
        Wave {
            start: normal.dot(self.at - point),
            slope: normal.dot(self.velocity),
            sag: normal.dot(self.bend),
        }
    }

    /// The volume that the moving line from `self` to `other` spans with the fixed line through
    /// `point` along `direction`: `(p - point) . ((q - p) x direction)`.
    ///
    /// Nearly parallel lines are told apart to the last digit of their ends: the cross product is
    /// computed in twice the precision where it is small.
    pub(super) fn volume(&self, other: &Self, point: DVec3, direction: DVec3) -> Wave {
        let from = self.at - point;
        let along = other.at - self.at;
        let turning = other.velocity - self.velocity;
        let bending = other.bend - self.bend;
        let normal = careful_cross(along, direction);
        let slow = turning.cross(direction);
        Wave {
            start: from.dot(normal),
            slope: self.velocity.dot(normal) + from.dot(slow),
            sag: self.bend.dot(normal)
                + 2.0 * self.velocity.dot(slow)
                + from.dot(bending.cross(direction)),
        }
    }
}

/// The cross product to the last digits of its factors also where it nearly vanishes.
#[inline]
fn careful_cross(a: DVec3, b: DVec3) -> DVec3 {
    let plain = a.cross(b);
    // Where less than 2^-10 of the length is left, rounding has taken ten bits.
    if plain.length_squared() > 1e-6 * a.length_squared() * b.length_squared() {
        return plain;
    }
    let minor = |p: f64, q: f64, s: f64, t: f64| {
        (Double::new(p) * Double::new(q) - Double::new(s) * Double::new(t)).high
    };
    DVec3::new(minor(a.y, b.z, a.z, b.y), minor(a.z, b.x, a.x, b.z), minor(a.x, b.y, a.y, b.x))
}

impl Wave {
    #[inline]
    pub(super) fn plus(&self, constant: f64) -> Self {
        Self { start: self.start + constant, ..*self }
    }

    #[inline]
    pub(super) fn scaled(&self, by: f64) -> Self {
        Self { start: self.start * by, slope: self.slope * by, sag: self.sag * by }
    }

    /// The wave plus an error that grows with the way.
    #[inline]
    pub(super) fn widened(&self, by: f64) -> Self {
        Self { slope: self.slope + by, ..*self }
    }

    /// A bound of its size up to a quarter turn.
    pub(super) fn most(&self) -> f64 {
        self.start.abs() + self.slope.abs() + self.sag.abs()
    }

    #[inline]
    pub(super) fn plus_wave(&self, other: &Self) -> Self {
        self.minus(&other.scaled(-1.0))
    }

    #[inline]
    pub(super) fn minus(&self, other: &Self) -> Self {
        Self {
            start: self.start - other.start,
            slope: self.slope - other.slope,
            sag: self.sag - other.sag,
        }
    }
}

impl Quadratic {
    /// Not negative from a parameter on.
    pub(super) fn after(r: f64) -> Self {
        Self { a: 0.0, b: 0.5, c: -r }
    }

    #[inline]
    fn is_negative(&self, r: f64) -> bool {
        let Self { a, b, c } = *self;
        let value = (a * r + 2.0 * b) * r + c;
        // At a root the value may round to either side of zero.
        let rounding = 16.0 * f64::EPSILON * ((a.abs() * r + 2.0 * b.abs()) * r + c.abs());
        value < -rounding
    }

    /// The only root at which the quadratic changes from negative to positive.
    ///
    /// For either sign of `a` it is `(-b + √(b² - a c)) / a` (the entering crossing of
    /// [Waveren05 §2.4], mirrored); the form without cancellation is taken.
    #[inline]
    fn rise(&self) -> Option<f64> {
        // In units of the largest coefficient, so that squares do not overflow.
        let unit = self.a.abs().max(self.b.abs()).max(self.c.abs());
        let [a, b, c] = [self.a, self.b, self.c].map(|x| x / unit);
        let root = (b * b - a * c).sqrt();
        let r = if b > 0.0 { -c / (b + root) } else { (root - b) / a };
        (r.is_finite()).then_some(r)
    }
}

/// The lowest parameter in `[0, end]` at which none of the conditions is negative.
///
/// *Accepts* conditions that can be listed again. *Guarantees* that each is passed over at most
/// twice: a quadratic is positive in at most two pieces. *Cost* two passes where the first
/// candidate fits.
#[inline]
pub(super) fn first_time(
    conditions: impl Iterator<Item = Quadratic> + Clone,
    end: f64,
) -> Option<f64> {
    let mut r = 0.0;
    loop {
        let before = r;
        for condition in conditions.clone() {
            if condition.is_negative(r) {
                r = condition.rise().filter(|&rise| rise > r && rise <= end)?;
            }
        }
        if r == before {
            return Some(r);
        }
    }
}

/// The parameter of a shift, up to its end, from which on one of the conditions is negative.
///
/// *Accepts* conditions of a shift, which are linear, none of them negative somewhere before.
#[inline]
pub(super) fn last_time(conditions: impl Iterator<Item = Quadratic>) -> f64 {
    let falling = conditions.filter(|condition| condition.b < 0.0);
    falling.map(|Quadratic { b, c, .. }| -c / (2.0 * b)).fold(1.0, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Sweep =
        Sweep::Turn { origin: DVec3::new(0.2, -0.1, 0.4), axis: DVec3::Z, end: 0.9 };

    fn value(sweep: &Sweep, wave: &Wave, r: f64) -> f64 {
        let [s, c] = sweep.basis(r);
        wave.start + wave.slope * s + wave.sag * c
    }

    fn quadratic(a: f64, b: f64, c: f64) -> Quadratic {
        Quadratic { a, b, c }
    }

    #[test]
    fn a_turn_is_counter_clockwise() {
        let sweep = Sweep::Turn { origin: DVec3::ZERO, axis: DVec3::Z, end: 1.0 };
        let quarter = sweep.at(&sweep.way(DVec3::X), 1.0);
        assert!(quarter.distance(DVec3::Y) < 1e-15, "{quarter}");
        let pose = sweep.pose(&Pose::from_position(DVec3::X).expect("finite"), 1.0);
        assert!(pose.point(DVec3::X).distance(2.0 * DVec3::Y) < 1e-15);
    }

    #[test]
    fn waves_follow_the_geometry_they_stand_for() {
        let [p, q] = [DVec3::new(1.0, 0.3, -0.2), DVec3::new(0.4, 1.1, 0.6)];
        let [point, direction] = [DVec3::new(0.5, -0.4, 0.1), DVec3::new(0.3, 0.2, 0.9)];
        for sweep in [TURN, Sweep::Shift(DVec3::new(0.7, -0.3, 0.2))] {
            let [one, other] = [p, q].map(|x| sweep.way(x));
            let volume = one.volume(&other, point, direction);
            let height = one.height(direction, point);
            let ratio = sweep.rate_of_ratio(&volume, &height);
            for i in 0..=10 {
                let r = sweep.end() * f64::from(i) / 10.0;
                let [x, y] = [&one, &other].map(|way| sweep.at(way, r));
                let expected = (x - point).dot((y - x).cross(direction));
                assert!((value(&sweep, &volume, r) - expected).abs() < 1e-14);
                assert!((value(&sweep, &height, r) - direction.dot(x - point)).abs() < 1e-15);
                let [t, n] = [&volume, &height].map(|wave| value(&sweep, wave, r));
                let [dt, dn] = [&volume, &height].map(|w| value(&sweep, &sweep.rate(w), r));
                assert!((value(&sweep, &ratio, r) - (dt * n - t * dn)).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn lines_that_are_parallel_but_for_the_last_digit_span_a_volume() {
        // Three times the number next to a third is 1 - 2^-54, which rounds to 1.
        let still = Sweep::Shift(DVec3::ZERO);
        let [p, q] = [DVec3::Z, DVec3::new(1.0, 1.0 / 3.0, 1.0)].map(|x| still.way(x));
        let volume = p.volume(&q, DVec3::ZERO, DVec3::new(3.0, 1.0, 0.0));
        assert_eq!(volume.start, 2.0_f64.powi(-54));
    }

    #[test]
    fn a_motion_in_two_parts_is_the_whole() {
        let way = TURN.way(DVec3::new(1.0, 2.0, 3.0));
        let middle = TURN.at(&way, 0.3);
        let rest = TURN.left(0.3, 0.9);
        let end = TURN.at(&TURN.way(middle), rest);
        assert!(end.distance(TURN.at(&way, 0.9)) < 1e-14);
        assert!((TURN.joined(0.3, rest) - 0.9).abs() < 1e-15);
    }

    #[test]
    fn only_rising_roots_count() {
        assert_eq!(quadratic(1.0, 0.0, -1.0).rise(), Some(1.0));
        assert_eq!(quadratic(-1.0, 0.0, 1.0).rise(), Some(-1.0));
        assert_eq!(quadratic(0.0, 0.5, -0.25).rise(), Some(0.25));
        assert_eq!(quadratic(0.0, -0.5, 0.25).rise(), None);
        assert_eq!(quadratic(1.0, 0.0, 1.0).rise(), None);
        assert_eq!(quadratic(0.0, 0.0, 0.0).rise(), None);
    }

    #[test]
    fn the_first_time_waits_for_the_last_condition() {
        // Between 0.2 and 0.6, after 0.5, and not before 0.1 or between 0.3 and 0.45.
        let window = quadratic(-1.0, 0.4, -0.12);
        let late = quadratic(0.0, 0.5, -0.5);
        let holed = quadratic(1.0, -0.375, 0.135);
        let all = [window, late, holed];
        let found = first_time(all.into_iter(), 1.0).expect("there is one");
        assert!((found - 0.5).abs() < 1e-15, "{found}");
        assert_eq!(first_time(all.into_iter(), 0.4), None);
        assert_eq!(first_time([window, quadratic(0.0, 0.5, -0.7)].into_iter(), 1.0), None);
    }
}
