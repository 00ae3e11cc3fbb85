//! From one written pose to the next: `start` and `end` of a body, or two of its keyframes.
//!
//! Two poses do not say how often a body turns between them, but degrees do: about one axis the
//! turn is their difference, literally. What a pose leaves out is as in the one before.
//!
//! A turn below 180 degrees is the screw between the poses, as ever. From there on
//!
//! ```text
//! 180 exactly, or no shift across the axis     the screw with that turn
//! beyond 180, with a shift across the axis     the body's origin moves straight while it turns
//! ```
//!
//! There is a screw for the last case too, unless the turn is whole. It leads the body round
//! circles of the radius `d / (2 sin(turn/2))`, `d` the shift across the axis: through half the
//! world where nearly a whole turn was meant to go with a small shift. Nobody who writes so means
//! that.

use chasles::glam::DVec3;
use chasles::motion::MotionError;
use chasles::{Motion, Pose, Screw, Step};
use toml::Spanned;

use crate::error::{Fault, Problem};
use crate::file::{AxisAngle, PoseEntry, RotationEntry, Vector};
use crate::motion::{pose, rotation, unit};

/// The sine of the angle between two axes that are one. Two ways to write an axis differ by
/// rounding, 1e-16; written digits differ by more than this.
const SAME_AXIS: f64 = 1e-12;

/// The share of a shift that is across an axis only by rounding.
const ALONG: f64 = 1e-12;

/// The most degrees of a turn: as many as a step has parts for.
pub(crate) const MOST_DEGREES: f64 = 90.0 * Step::MAX_PARTS as f64;

/// A pose, and what was written of its rotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) pose: Pose,
    written: Written,
}

/// How a rotation was written.
#[derive(Clone, Copy, Debug)]
enum Written {
    /// Not at all, or as a quaternion that turns nothing: any axis will do.
    None,
    /// A quaternion, which has no degrees.
    Quaternion,
    /// A unit axis and literal degrees. None of them still count about the same axis: 0 after 270
    /// turns back by 270.
    Degrees(DVec3, f64),
}

/// What two poses are called in messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    pub(crate) before: &'static str,
    pub(crate) place: &'static str,
}

impl Names {
    /// The degrees of a turn, if they are not too many.
    fn checked(self, degrees: f64) -> Result<f64, Problem> {
        let Self { before, place } = self;
        match degrees.abs() <= MOST_DEGREES {
            true => Ok(degrees),
            false => Err(Problem::ManyTurns { place, before, degrees }),
        }
    }
}

/// The motion from `start` to `end`.
///
/// *Fails* on a rotation that is none, and on more than 180 degrees about another axis than before.
pub(crate) fn motion(
    start: Option<&Spanned<PoseEntry>>,
    end: &Spanned<PoseEntry>,
) -> Result<Motion, Fault> {
    let first = start.map_or(Ok(Placed::ORIGIN), |entry| Placed::ORIGIN.then(entry))?;
    let last = first.then(end)?;
    let names = Names { before: "`start`", place: "`end`" };
    first.motion_to(&last, names).map_err(|problem| {
        let span = end.get_ref().rotation.as_ref().map_or(end.span(), Spanned::span);
        Fault::new(problem, span)
    })
}

impl Placed {
    /// At the origin, not turned.
    pub(crate) const ORIGIN: Self = Self { pose: Pose::IDENTITY, written: Written::None };

    /// The pose that is written next; what it leaves out is as here.
    pub(crate) fn then(&self, entry: &Spanned<PoseEntry>) -> Result<Self, Fault> {
        let PoseEntry { position, rotation: turned } = entry.get_ref();
        let placed = pose(entry)?;
        let position = position.map_or(self.pose.position(), |_| placed.position());
        let (turn, written) = match turned {
            None => (self.pose.rotation(), self.written),
            Some(entry) => (placed.rotation(), Written::new(entry)?),
        };
        let pose = Pose::new(position, turn).map_err(|error| Fault::new(error, entry.span()))?;
        Ok(Self { pose, written })
    }

    /// How a body gets from here to the next pose.
    pub(crate) fn motion_to(&self, next: &Self, names: Names) -> Result<Motion, Problem> {
        let poses = [self.pose, next.pose];
        match (self.written, next.written) {
            (Written::Degrees(axis, from), Written::Degrees(other, to))
                if axis.cross(other).length() <= SAME_AXIS =>
            {
                let to = if axis.dot(other) < 0.0 { -to } else { to };
                Ok(turning(poses, axis, names.checked(to - from)?)?)
            }
            // No degrees are none about any axis.
            (Written::None | Written::Degrees(_, 0.0), Written::Degrees(axis, degrees)) => {
                Ok(turning(poses, axis, names.checked(degrees)?)?)
            }
            (_, Written::Degrees(_, degrees)) if degrees.abs() > 180.0 => {
                let Names { before, place } = names;
                Err(Problem::TurnBeyondHalf { place, before, degrees })
            }
            _ => Ok(Motion::between(poses[0], poses[1])),
        }
    }
}

impl Written {
    fn new(entry: &Spanned<RotationEntry>) -> Result<Self, Fault> {
        let at = |problem| Fault::new(problem, entry.span());
        match *entry.get_ref() {
            RotationEntry::Quaternion(_) => {
                let is_none = rotation(entry.get_ref()).map_err(at)?.xyz() == DVec3::ZERO;
                Ok(if is_none { Self::None } else { Self::Quaternion })
            }
            RotationEntry::AxisAngle(AxisAngle { axis: Vector(axis), degrees }) => {
                Ok(Self::Degrees(unit(axis).map_err(at)?, degrees))
            }
        }
    }
}

/// From one pose to another with a turn about an axis by so many degrees, which the poses agree
/// with up to whole turns.
fn turning([start, end]: [Pose; 2], axis: DVec3, degrees: f64) -> Result<Motion, MotionError> {
    if degrees.abs() < 180.0 {
        return Ok(Motion::between(start, end));
    }
    let angular = axis * degrees.to_radians();
    let shift = end.position() - start.position();
    let across = shift.reject_from_normalized(axis);
    if across.length() <= ALONG * shift.length() {
        let linear = shift - angular.cross(start.position());
        return Motion::along(start, Screw::from_twist(angular, linear)?);
    }
    if degrees.abs() > 180.0 {
        return Motion::flight(start, shift, angular);
    }
    // Half a turn: the middle between both origins is on the axis.
    let middle = 0.5 * (start.position() + end.position());
    let along = shift - across;
    Motion::along(start, Screw::from_twist(angular, along - angular.cross(middle))?)
}
