//! The way of a body that nothing diverts: a constant twist, or poses at given times.

use chasles::motion::MotionError;
use chasles::{Pose, Screw};
use glam::DVec3;
use thiserror::Error;

/// What is wrong with a route.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RouteError {
    /// No poses.
    #[error("a route needs at least one pose")]
    Empty,
    /// Times do not grow.
    #[error("pose {index} is at {time} s, which is not after the one before it")]
    Order {
        /// Counted from 0.
        index: usize,
        /// In seconds.
        time: f64,
    },
    /// A velocity that is no number.
    #[error(transparent)]
    Motion(#[from] MotionError),
}

/// Where a body is at any time.
#[derive(Clone, Debug, PartialEq)]
pub enum Route {
    /// From a pose along a twist of the world, given per second.
    Twist {
        /// Where it begins.
        start: Pose,
        /// Linear velocity of the origin of the body's frame.
        linear: DVec3,
        /// Angular velocity about it.
        angular: DVec3,
    },
    /// From pose to pose along screws, at rest before the first and after the last.
    Keys(Vec<(f64, Pose)>),
}

impl Route {
    /// From a pose with constant velocities: of the origin of the body's frame, and about it.
    ///
    /// *Accepts* finite velocities. *Cost* constant. *Fails* for others.
    pub fn twist(start: Pose, linear: DVec3, angular: DVec3) -> Result<Self, RouteError> {
        Screw::from_twist(angular, linear)?;
        Ok(Self::Twist { start, linear, angular })
    }

    /// From pose to pose.
    ///
    /// *Accepts* at least one pose, at finite times that grow. *Cost* linear. *Fails* otherwise.
    pub fn keys(keys: Vec<(f64, Pose)>) -> Result<Self, RouteError> {
        if keys.is_empty() {
            return Err(RouteError::Empty);
        }
        let mut before = f64::NEG_INFINITY;
        for (index, &(time, _)) in keys.iter().enumerate() {
            if !(time > before && time.is_finite()) {
                return Err(RouteError::Order { index, time });
            }
            before = time;
        }
        Ok(Self::Keys(keys))
    }

    /// Where the body is.
    ///
    /// *Accepts* any finite time. *Guarantees* a continuous path. *Cost* logarithmic in the poses.
    /// *Fails* never.
    pub fn pose_at(&self, time: f64) -> Pose {
        match self {
            Self::Twist { start, linear, angular } => {
                let turn = glam::DQuat::from_scaled_axis(*angular * time);
                let position = start.position() + *linear * time;
                Pose::new(position, (turn * start.rotation()).normalize()).unwrap_or(*start)
            }
            Self::Keys(keys) => {
                let next = keys.partition_point(|(at, _)| *at <= time);
                match (next.checked_sub(1).map(|i| keys[i]), keys.get(next)) {
                    (Some((from, start)), Some(&(to, end))) => {
                        let screw = Screw::between(&Pose::IDENTITY, &start.inverse_after(&end));
                        start.after(&screw.pose_at((time - from) / (to - from)))
                    }
                    (Some((_, pose)), None) | (None, Some(&(_, pose))) => pose,
                    (None, None) => Pose::IDENTITY,
                }
            }
        }
    }
}
