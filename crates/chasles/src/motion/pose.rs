//! Where a body is: position and orientation.

use glam::{DQuat, DVec3};
use thiserror::Error;

use crate::numeric::{LARGEST_COORDINATE, without_dust};

/// Why a pose, twist or step cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum MotionError {
    /// A coordinate is NaN or infinite.
    #[error("the {what} has a coordinate that is not finite: {value}")]
    NotFinite {
        /// Which vector.
        what: &'static str,
        /// Its value.
        value: DVec3,
    },
    /// A coordinate is so large that squares would overflow.
    #[error("the {what} has a coordinate beyond 1e100: {value}")]
    TooLarge {
        /// Which vector.
        what: &'static str,
        /// Its value.
        value: DVec3,
    },
    /// The quaternion is zero or not finite, so it names no rotation.
    #[error("the rotation {0} is not a rotation: it must be finite and not zero")]
    NotARotation(DQuat),
    /// The axis of a rotation is the zero vector.
    #[error("the axis of the rotation is zero: it must have a direction")]
    NoAxis,
    /// A length is negative.
    #[error("the {what} is {value}: it must not be negative")]
    Negative {
        /// Which length.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A step leaves its relative screws by more than asked for, cut into as many parts as it may
    /// be.
    #[error(
        "cut into {parts} parts, the relative motion leaves its screws by up to {}; at most {} was \
         asked for",
        crate::numeric::short(*bound),
        crate::numeric::short(*length)
    )]
    Departs {
        /// How many.
        parts: u32,
        /// The proven bound that is left.
        bound: f64,
        /// What was asked for.
        length: f64,
    },
    /// The step would have to be cut into more parts than [`crate::Step::MAX_PARTS`].
    #[error("the twist turns by {radians} radians in one step; at most {limit} are allowed")]
    TooManyTurns {
        /// The angle asked for.
        radians: f64,
        /// The largest angle allowed.
        limit: f64,
    },
}

/// Checks a vector once, where it enters the library.
pub(crate) fn checked(what: &'static str, value: DVec3) -> Result<DVec3, MotionError> {
    if !value.is_finite() {
        Err(MotionError::NotFinite { what, value })
    } else if value.abs().max_element() > LARGEST_COORDINATE {
        Err(MotionError::TooLarge { what, value })
    } else {
        Ok(without_dust(value))
    }
}

/// A rigid placement: `x` in the body's frame is at `rotation * x + position`.
///
/// The position is finite and the rotation is a unit quaternion, always.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "(DVec3, DQuat)", into = "(DVec3, DQuat)"))]
pub struct Pose {
    position: DVec3,
    rotation: DQuat,
}

#[cfg(feature = "serde")]
impl From<Pose> for (DVec3, DQuat) {
    fn from(pose: Pose) -> Self {
        (pose.position, pose.rotation)
    }
}

/// Takes what is a pose as it is, to the bit.
#[cfg(feature = "serde")]
impl TryFrom<(DVec3, DQuat)> for Pose {
    type Error = MotionError;

    fn try_from((position, rotation): (DVec3, DQuat)) -> Result<Self, MotionError> {
        let checked = Self::new(position, rotation)?;
        let is_unit = (rotation.length_squared() - 1.0).abs() < 1e-9;
        Ok(if is_unit { Self { position, rotation } } else { checked })
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// The body's frame is the world frame.
    pub const IDENTITY: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// A pose from a position and a quaternion of any non-zero length.
    ///
    /// *Accepts* anything that converts to glam's types, from any glam version through mint.
    /// *Guarantees* a unit rotation. *Cost* constant. *Fails* on coordinates that are not finite
    /// or beyond 1e100, and on a zero quaternion.
    pub fn new(
        position: impl Into<DVec3>,
        rotation: impl Into<DQuat>,
    ) -> Result<Self, MotionError> {
        let rotation: DQuat = rotation.into();
        let largest = rotation.to_array().into_iter().fold(0.0, |m: f64, c| m.max(c.abs()));
        if !rotation.is_finite() || largest == 0.0 {
            return Err(MotionError::NotARotation(rotation));
        }
        // Scaled first, so that neither tiny nor huge quaternions lose their length.
        let rotation = (rotation * (1.0 / largest)).normalize();
        if !rotation.is_finite() {
            return Err(MotionError::NotARotation(rotation));
        }
        Ok(Self { position: checked("position", position.into())?, rotation })
    }

    /// A pose that only shifts.
    ///
    /// *Accepts* finite coordinates. *Guarantees* the identity rotation. *Cost* constant. *Fails*
    /// as [`Pose::new`].
    pub fn from_position(position: impl Into<DVec3>) -> Result<Self, MotionError> {
        Self::new(position, DQuat::IDENTITY)
    }

    /// Built from parts that are already known to be valid.
    pub(crate) fn from_valid(position: DVec3, rotation: DQuat) -> Self {
        Self { position, rotation: rotation.normalize() }
    }

    /// Where the body's origin is.
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// How the body is turned; a unit quaternion.
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// A point of the body's frame in the world frame.
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.position
    }

    /// A direction of the body's frame in the world frame.
    pub fn vector(&self, vector: DVec3) -> DVec3 {
        self.rotation * vector
    }

    /// The pose that undoes this one.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { position: rotation * -self.position, rotation }
    }

    /// First `inner`, then this pose: `self.after(inner).point(x) == self.point(inner.point(x))`
    /// up to rounding.
    pub fn after(&self, inner: &Self) -> Self {
        Self::from_valid(self.point(inner.position), self.rotation * inner.rotation)
    }

    /// `other` as seen from this pose: `self.inverse().after(other)`, but without the rounding of
    /// large positions that cancel.
    pub fn inverse_after(&self, other: &Self) -> Self {
        let back = self.rotation.conjugate();
        Self::from_valid(back * (other.position - self.position), back * other.rotation)
    }
}
