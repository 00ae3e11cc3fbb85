//! Free rotation: a body on which no torque acts keeps its angular momentum and its energy.
//!
//! Seen from the body, the momentum `M` goes around one of its axes on a sphere and on an
//! ellipsoid: Euler's equations, with Jacobi's elliptic functions as their solution. Let `e` be the
//! axis that `M` goes around, which is that of the largest or of the smallest moment, `m` that of
//! the middle one and `o` the third one. With inverse moments `w`, and
//! `r_x = (w_x - w_m) / (w_a - w_c)` for both extreme axes `a` and `c`, which are positive and
//! `r_a + r_c = 1`,
//!
//! ```text
//! M_o = A_o cos φ      A_o² = M_o² + r_e M_m²                   φ = am(u, k)
//! M_m = A_m sin φ      A_m² = A_o² / r_e                        u' = ± √r_e A_e (w_a - w_c)
//! M_e = A_e Δ(φ)       A_e² = M_e² + r_o M_m²                   Δ² = k'² + k² cos² φ
//! k'² = (r_e M_e² - r_o M_o²) / (r_e A_e²)                      (not below 0: that is what picks e)
//! ```
//!
//! All amplitudes are sums of squares, so nothing cancels, whatever the moments are. In the world
//! the momentum stands still; with a third axis `x` of the body, at the angle `θ` to `M` and with
//! `M` at the azimuth `α` about it, the attitude is
//!
//! ```text
//! R = W Rz(ψ) Ry(-θ) Rz(-α),     W constant,     ψ' = |M| (w_1 M_1² + w_2 M_2²) / (M_1² + M_2²)
//! ```
//!
//! where 1 and 2 are the two other axes. Of the extreme axes, `x` is the one that is farther from
//! the middle one (`r_x >= 1/2`): `ψ'` then varies little and smoothly, its nearest pole being
//! `π/4` from the real `u`, and is integrated by Gauss's rule. So energy and momentum are kept to
//! rounding at any step, by construction; only `ψ` has an error at all, and that is below 1e-8
//! radians.

mod amplitude;
mod guided;

use amplitude::Amplitude;
use glam::{DMat3, DQuat, DVec3};

use chasles::numeric::{Elementary, rotation_about, rotation_by};
pub(crate) use guided::Guided;

/// A body turns steadily if the sine of the angle between its angular velocity and its momentum is
/// no more than a few roundings.
const STEADY: f64 = 4e-16;

/// Moments that differ by less than this share are equal but for the rounding of their mesh.
const ROUND: f64 = 1e-14;

/// The least complementary modulus: nearer to where a body turns over only once, rounding decides.
const LEAST_MODULUS: f64 = 1e-16;

/// Nodes and weights of Gauss's rule on `[0, 1]`, five points.
const GAUSS: [[f64; 2]; 5] = [
    [0.046_910_077_030_668_004, 0.118_463_442_528_094_54],
    [0.230_765_344_947_158_45, 0.239_314_335_249_683_23],
    [0.5, 0.284_444_444_444_444_45],
    [0.769_234_655_052_841_5, 0.239_314_335_249_683_23],
    [0.953_089_922_969_332, 0.118_463_442_528_094_54],
];

/// The longest piece of `u` for one rule: with a pole at `π/4` the error is `6.4⁻¹⁰` of the
/// variation there, and with the pieces of common steps, of a tenth, it is rounding.
const PIECE: f64 = 0.5;

/// The attitude of a body and what makes it turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Top {
    /// Takes the principal axes to the world.
    pub attitude: DQuat,
    /// The angular momentum.
    pub momentum: DVec3,
    /// The principal moments of inertia.
    pub moments: DVec3,
}

impl Top {
    /// The angular velocity.
    ///
    /// *Accepts* any attitude of unit length. *Cost* two rotations of a vector. *Fails* never.
    pub fn angular_velocity(&self) -> DVec3 {
        self.attitude * ((self.attitude.conjugate() * self.momentum) / self.moments)
    }

    /// The kinetic energy of the rotation.
    ///
    /// *Accepts* any attitude of unit length. *Cost* a rotation of a vector. *Fails* never.
    pub fn energy(&self) -> f64 {
        let in_body = self.attitude.conjugate() * self.momentum;
        0.5 * in_body.dot(in_body / self.moments)
    }

    /// The body after this many seconds without torque.
    ///
    /// *Accepts* any finite time and any moments. *Guarantees* the same momentum, and the same
    /// energy to rounding, which is that of the attitude times the root of the ratio of the
    /// moments; the attitude has an error below 1e-8 radians for each turn. *Cost* about a hundred
    /// sines for common steps, and not more than a hundred times that for any. *Fails* never; a
    /// body that spins beyond numbers stays as it is.
    #[must_use]
    pub fn after(&self, seconds: f64) -> Self {
        let largest = self.momentum.abs().max_element();
        let in_body = self.attitude.conjugate() * (self.momentum / largest);
        let size = in_body.length();
        let direction = in_body / size;
        let omega = direction / self.moments;
        let turn = size * largest * seconds;
        let is_steady = direction.cross(omega).length() <= STEADY * omega.length();
        let by = if is_steady {
            rotation_by(omega * turn)
        } else if let Some(axis) = self.axis() {
            // About the momentum as all directions across the axis turn, and about the axis
            // besides.
            let across = self.moments[(axis + 1) % 3].recip();
            let besides = (self.moments[axis].recip() - across) * direction[axis] * turn;
            rotation_by(direction * (across * turn)) * rotation_by(DVec3::AXES[axis] * besides)
        } else {
            Polhode::new(direction, self.moments.recip()).turn(turn)
        };
        let attitude = (self.attitude * by).normalize();
        if attitude.is_finite() { Self { attitude, ..*self } } else { *self }
    }
}

impl Top {
    /// The axis about which the body is round.
    fn axis(&self) -> Option<usize> {
        (0..3).find(|axis| {
            let [a, b] = [1, 2].map(|on| self.moments[(axis + on) % 3]);
            (a - b).abs() <= ROUND * a
        })
    }
}

/// The way of a momentum of unit size through a body that does not turn steadily.
///
/// All vectors are along the axes 1, 2 and 3: the extreme axis that is not `x`, the middle one,
/// `x`.
struct Polhode {
    axes: DMat3,
    inv_moments: DVec3,
    start: DVec3,
    /// The numbers of `e` and `o`.
    around: usize,
    other: usize,
    /// `√r_e`, `A_o` and `A_e` with the sign of `M_e`.
    root: f64,
    wide: f64,
    along: f64,
    /// `k'`.
    complement: f64,
}

impl Polhode {
    fn new(direction: DVec3, inv_moments: DVec3) -> Self {
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| inv_moments[j].total_cmp(&inv_moments[i]));
        let [a, middle, c] = order;
        let span = inv_moments[a] - inv_moments[c];
        let far = (inv_moments[a] - inv_moments[middle]) / span;
        let near = (inv_moments[middle] - inv_moments[c]) / span;
        let (x, shares) = if far >= near { (a, [near, far]) } else { (c, [far, near]) };
        let [second, third] = [middle, x].map(|axis| DVec3::AXES[axis]);
        let axes = DMat3::from_cols(second.cross(third), second, third);
        let start = axes.transpose() * direction;
        let squares = start * start;
        let (around, other) =
            if shares[1] * squares.z >= shares[0] * squares.x { (2, 0) } else { (0, 2) };
        let [share, rest] = [shares[around / 2], shares[other / 2]];
        let along_sq = squares[around] + rest * squares.y;
        let room = (share * squares[around] - rest * squares[other]) / (share * along_sq);
        Self {
            axes,
            inv_moments: DVec3::new(inv_moments[a + c - x], inv_moments[middle], inv_moments[x]),
            start,
            around,
            other,
            root: share.sqrt(),
            wide: (squares[other] + share * squares.y).sqrt(),
            along: along_sq.sqrt().copysign(start[around]),
            complement: room.sqrt().clamp(LEAST_MODULUS, 1.0),
        }
    }

    /// The turn of the body, seen from the body before, in this many seconds.
    fn turn(&self, seconds: f64) -> DQuat {
        let amplitude = Amplitude::new(self.complement);
        let start =
            amplitude.phase((self.start.y * self.root).arctangent_over(self.start[self.other]));
        let sign = if self.around == 2 { 1.0 } else { -1.0 };
        let parting = self.inv_moments[self.other] - self.inv_moments[self.around];
        let span = sign * parting * self.root * self.along * seconds;
        let at = |u: f64| self.momentum(amplitude.angle(start + amplitude.rate() * u));
        let mean = |length: f64| self.mean_rate(length, at);
        let period = amplitude.half_turn().copysign(span);
        let whole = (span / period).trunc();
        let rate = if whole > 0.0 {
            let rest = span - whole * period;
            (whole * period * mean(period) + rest * mean(rest)) / span
        } else {
            mean(span)
        };
        let turn = rotation_about(DVec3::Z, rate * seconds);
        let axes = DQuat::from_mat3(&self.axes);
        let seen = aligned(self.start).conjugate() * turn * aligned(at(span));
        axes * seen * axes.conjugate()
    }

    /// The momentum at an angle `φ`.
    fn momentum(&self, angle: f64) -> DVec3 {
        let (sine, cosine) = angle.sine_cosine();
        let modulus_sq = (1.0 - self.complement) * (1.0 + self.complement);
        let high = (self.complement * self.complement + modulus_sq * cosine * cosine).sqrt();
        let mut momentum = DVec3::new(0.0, self.wide / self.root * sine, 0.0);
        momentum[self.other] = self.wide * cosine;
        momentum[self.around] = self.along * high;
        momentum
    }

    /// The mean of `ψ'` from the start to a `u`.
    fn mean_rate(&self, length: f64, momentum_at: impl Fn(f64) -> DVec3) -> f64 {
        let pieces = (length.abs() / PIECE).ceil().max(1.0);
        let rate = |u: f64| {
            let momentum = momentum_at(u).with_z(0.0);
            let squares = momentum * momentum;
            squares.dot(self.inv_moments) / squares.element_sum()
        };
        let of_piece = |piece: u32| -> f64 {
            let at = |node: f64| rate(length * (f64::from(piece) + node) / pieces);
            GAUSS.iter().map(|[node, weight]| weight * at(*node)).sum()
        };
        (0..pieces as u32).map(of_piece).sum::<f64>() / pieces
    }
}

/// `Ry(-θ) Rz(-α)`: takes a vector to the third axis.
fn aligned(vector: DVec3) -> DQuat {
    let tilt = vector.x.hypotenuse(vector.y).arctangent_over(vector.z);
    let azimuth = vector.y.arctangent_over(vector.x);
    rotation_about(DVec3::Y, -tilt) * rotation_about(DVec3::Z, -azimuth)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn top() -> Top {
        let moments = DVec3::new(1.0, 2.0, 2.7);
        let omega = DVec3::new(0.3, 1.0, 0.2);
        let attitude = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7);
        Top { attitude, momentum: attitude * (moments * omega), moments }
    }

    /// Energy and momentum as the velocities tell them, not as they are kept.
    fn told(top: &Top) -> (f64, DVec3) {
        let omega = top.angular_velocity();
        let in_body = top.attitude.conjugate() * omega;
        let momentum = top.attitude * (top.moments * in_body);
        (0.5 * omega.dot(momentum), momentum)
    }

    #[test]
    fn energy_and_momentum_stay_over_a_hundred_thousand_steps() {
        let start = top();
        let (energy, momentum) = told(&start);
        let h = 0.1 / start.angular_velocity().length();
        let mut now = start;
        let [mut worst_energy, mut worst_momentum] = [0.0f64; 2];
        for _ in 0..100_000 {
            now = now.after(h);
            let (e, l) = told(&now);
            worst_energy = worst_energy.max((e / energy - 1.0).abs());
            worst_momentum = worst_momentum.max((l - momentum).length() / momentum.length());
        }
        assert!(worst_energy < 1e-12, "energy off by {worst_energy}");
        assert!(worst_momentum < 1e-13, "momentum off by {worst_momentum}");
    }

    /// Bodies of all kinds, turning in all ways: balls, needles, plates, and those between.
    fn tops() -> impl Iterator<Item = Top> {
        let moments = [
            [1.0, 1.0, 1.0],
            [1.0, 2.0, 2.7],
            [1.0, 1.0 + 1e-9, 1.9],
            [1e-6, 1.0, 1.0],
            [1e-6, 1.0 - 9e-7, 1.0],
            [2e-3, 1.25, 1.2505],
            [1.0, 1.0, 2.0],
            [1.0 - 1e-9, 1.0, 2.0 - 2e-9],
            [0.5 + 1e-7, 0.5, 1.0],
        ];
        let rates = [
            [0.3, 1.0, 0.2],
            [0.0, 3.0, 10.0],
            [1e-9, 3.0, 10.0],
            [1e3, 0.1, 0.2],
            [1.0, 1e-9, 1e-9],
            [1e-9, 1.0, 1e-9],
            [0.0, 1.0, 0.0],
            [-2.0, 1.0, -0.5],
        ];
        let attitude = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7);
        moments.into_iter().flat_map(move |moments| {
            rates.into_iter().flat_map(move |rates| {
                let [a, b, c] = moments;
                [[a, b, c], [c, a, b], [b, a, c]].map(|moments| {
                    let moments = DVec3::from_array(moments);
                    let omega = DVec3::from_array(rates);
                    Top { attitude, momentum: attitude * (moments * omega), moments }
                })
            })
        })
    }

    #[test]
    fn no_body_gains_or_loses_energy_at_any_step() {
        for start in tops() {
            let energy = start.energy();
            for seconds in [1e-3, 1.0 / 60.0, 0.7, 30.0, -1.0, 1e5] {
                let end = (0..10).fold(start, |top, _| top.after(seconds));
                let off = (end.energy() / energy - 1.0).abs();
                assert!(off < 1e-12, "energy off by {off} after {seconds}: {start:?}");
                assert_eq!(end.momentum, start.momentum);
            }
        }
    }

    #[test]
    fn the_attitude_is_that_of_the_differential_equation() {
        for start in tops() {
            let rate = start.momentum.length() / start.moments.min_element();
            let seconds = 3.0 / rate;
            let mut fine = start;
            // The classical method of Runge and Kutta, of fourth order.
            let pieces = 1500;
            let h = seconds / f64::from(pieces);
            for _ in 0..pieces {
                let slope = |attitude: DQuat| {
                    let omega = Top { attitude, ..fine }.angular_velocity();
                    DQuat::from_vec4((0.5 * omega).extend(0.0)) * attitude
                };
                let first = slope(fine.attitude);
                let second = slope(fine.attitude + first * (0.5 * h));
                let third = slope(fine.attitude + second * (0.5 * h));
                let fourth = slope(fine.attitude + third * h);
                let sum = first + (second + third) * 2.0 + fourth;
                fine.attitude = (fine.attitude + sum * (h / 6.0)).normalize();
            }
            for steps in [1, 7] {
                let h = seconds / f64::from(steps);
                let end = (0..steps).fold(start, |top, _| top.after(h));
                let off = (end.attitude * fine.attitude.conjugate()).to_scaled_axis().length();
                assert!(off < 1e-8, "off by {off} in {steps}: {start:?}");
            }
        }
    }

    #[test]
    fn long_steps_are_as_good_as_many_short_ones() {
        let start = top();
        let many = (0..2000).fold(start, |top, _| top.after(0.05));
        let off = start.after(100.0).attitude * many.attitude.conjugate();
        assert!(off.to_scaled_axis().length() < 1e-7, "{off}");
    }

    #[test]
    fn a_symmetric_top_precesses_as_euler_says() {
        // In the body, the angular velocity turns about the axis at ((c - a) / a) omega_z.
        let [a, c] = [1.0, 1.6];
        let moments = DVec3::new(a, a, c);
        let omega = DVec3::new(0.5, 0.0, 2.0);
        let top = Top { attitude: DQuat::IDENTITY, momentum: moments * omega, moments };
        let t = 1.7;
        let end = top.after(t);
        let in_body = end.attitude.conjugate() * end.angular_velocity();
        let angle = (c - a) / a * omega.z * t;
        let expected = DVec3::new(0.5 * angle.cos(), 0.5 * angle.sin(), 2.0);
        assert!((in_body - expected).length() < 1e-12, "{in_body} for {expected}");
    }

    #[test]
    fn a_body_that_spins_beyond_measure_stays_a_number() {
        let fast = Top { momentum: DVec3::splat(1e9), ..top() };
        assert!(fast.after(1.0).attitude.is_finite());
        let endless = Top { momentum: DVec3::splat(1e308), ..top() };
        assert!(endless.after(1e10).attitude.is_finite());
    }
}
