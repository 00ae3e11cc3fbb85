//! Rotation of a body that is kept from turning about some axes of the world.
//!
//! Guides act by torques along locked axes, so the momentum along the free ones stays. With the
//! free axes `P` and the constant `l = Pᵀ I ω`,
//!
//! ```text
//! ω = P (Pᵀ I(R) P)⁻¹ l,       R' = ω x R
//! ```
//!
//! About one free axis the moment does not change while the body turns about it, and `ω` is
//! constant: the motion is exact. With two free axes it is integrated by the classical method of
//! Runge and Kutta of fourth order, in steps of a fiftieth of a radian: `ω` is found from `l`, so
//! momentum is exact, and energy `l.ω / 2` is off by some 1e-10 a radian.

use glam::{DMat3, DQuat, DVec3};

use crate::lock::Locks;
use chasles::numeric::rotation_by;

/// The largest turn of one step of integration, in radians.
const STEP: f64 = 0.02;

/// Steps of integration at most: forty radians, beyond which steps grow.
const MOST_STEPS: f64 = 2000.0;

/// The attitude of a body on guides and what makes it turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guided {
    /// Takes the principal axes to the world.
    pub(crate) attitude: DQuat,
    pub(crate) angular: DVec3,
    pub(crate) moments: DVec3,
    pub(crate) locks: Locks,
}

impl Guided {
    /// The body after this many seconds under a torque, half of whose impulse comes before the
    /// turn and half after it.
    pub(crate) fn after(&self, torque: DVec3, seconds: f64) -> Self {
        let half = 0.5 * seconds * torque;
        let pushed = Self { angular: self.angular + self.inverse() * half, ..*self };
        let turned = pushed.turned(seconds);
        Self { angular: turned.angular + turned.inverse() * half, ..turned }
    }

    fn turned(&self, seconds: f64) -> Self {
        if self.locks.free_turns().len() < 2 {
            let turn = rotation_by(self.angular * seconds);
            return Self { attitude: (turn * self.attitude).normalize(), ..*self };
        }
        let momentum = self.inertia() * self.angular;
        let energy = 0.5 * momentum.dot(self.angular);
        let fastest = (2.0 * energy / self.moments.min_element()).sqrt();
        let steps = (fastest * seconds / STEP).ceil().clamp(1.0, MOST_STEPS);
        let turned = (0..steps as u32)
            .fold(self.attitude, |attitude, _| self.step(attitude, momentum, seconds / steps));
        let end = Self { attitude: turned, ..*self };
        if turned.is_finite() { Self { angular: end.inverse() * momentum, ..end } } else { *self }
    }

    fn step(&self, attitude: DQuat, momentum: DVec3, h: f64) -> DQuat {
        let slope = |attitude: DQuat| {
            let unit = attitude.normalize();
            let angular = Self { attitude: unit, ..*self }.inverse() * momentum;
            DQuat::from_vec4((0.5 * angular).extend(0.0)) * attitude
        };
        let first = slope(attitude);
        let second = slope(attitude + first * (0.5 * h));
        let third = slope(attitude + second * (0.5 * h));
        let fourth = slope(attitude + third * h);
        (attitude + (first + (second + third) * 2.0 + fourth) * (h / 6.0)).normalize()
    }

    /// In the world's axes.
    fn inertia(&self) -> DMat3 {
        let axes = DMat3::from_quat(self.attitude);
        axes * DMat3::from_diagonal(self.moments) * axes.transpose()
    }

    fn inverse(&self) -> DMat3 {
        self.locks.inv_inertia(&self.inertia())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guided(turns: [bool; 3]) -> Guided {
        let locks = Locks { turns, ..Locks::NONE };
        let attitude = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7);
        let angular =
            crate::body::Velocity { angular: DVec3::new(2.0, -1.0, 3.0), ..Default::default() };
        let angular = locks.kept(&angular).angular;
        Guided { attitude, angular, moments: DVec3::new(1.0, 2.0, 2.7), locks }
    }

    #[test]
    fn energy_and_free_momentum_stay() {
        for turns in [[true, false, false], [false, true, false], [false, false, true]] {
            let start = guided(turns);
            let momentum = |top: &Guided| {
                let all = top.inertia() * top.angular;
                top.locks
                    .kept(&crate::body::Velocity { angular: all, ..Default::default() })
                    .angular
            };
            let energy = |top: &Guided| 0.5 * top.angular.dot(top.inertia() * top.angular);
            let end = (0..100).fold(start, |top, _| top.after(DVec3::ZERO, 0.1));
            assert!(momentum(&end).distance(momentum(&start)) < 1e-11, "{end:?}");
            assert!((energy(&end) / energy(&start) - 1.0).abs() < 1e-7, "{end:?}");
            assert!(end.angular.distance(start.angular) > 0.1, "the moments change on the way");
        }
    }

    #[test]
    fn a_torque_about_the_one_free_axis_acts_as_in_a_plane() {
        let start = guided([true, true, false]);
        let moment = start.inertia().z_axis.z;
        let torque = DVec3::new(5.0, 7.0, 1.5);
        let end = (0..10).fold(start, |top, _| top.after(torque, 0.1));
        let rate = 1.5 / moment;
        assert!(end.angular.distance(DVec3::Z * (3.0 + rate)) < 1e-12, "{}", end.angular);
        let turn = DQuat::from_rotation_z(3.0 + 0.5 * rate) * start.attitude;
        assert!((turn * end.attitude.conjugate()).xyz().length() < 1e-12);
    }
}
