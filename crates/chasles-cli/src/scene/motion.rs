//! How a body of a scene moves: between poses, or along a twist.
//!
//! A twist is given by the velocity `v` of the material point at `p` and the rotation vector `w`,
//! both per step and in the world frame. The velocity of any point `x` of the body is then
//! `w x (x - p) + v`, so the velocity at the world origin is `v - w x p`, and the body is at
//! `exp(t twist) start` at time `t`.

use std::ops::Range;

use chasles::glam::{DQuat, DVec3};
use chasles::path::Flight;
use chasles::{Pose, Screw, Step};
use toml::Spanned;

use super::error::{Fault, Problem};
use super::file::{
    AxisAngle, BodyEntry, FlightEntry, FramesEntry, PoseEntry, RotationEntry, TwistEntry, Vector,
};

/// The largest angle that counts as none. Two ways to write one rotation differ by as much; a path
/// then leaves its chord by an eighth of the angle times its length, which is rounding.
const STRAIGHT: f64 = 2e-15;

/// The motion of one body in one step, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// From a start pose to an end pose.
    Poses([Pose; 2]),
    /// From a start pose along a constant twist.
    Twist {
        /// At time 0.
        start: Pose,
        /// In the world frame, per step.
        twist: Screw,
    },
    /// At constant linear and angular velocity, turning.
    Flight(Flight),
}

impl Motion {
    fn new(name: &str, entry: &BodyEntry) -> Result<Self, Fault> {
        let start = entry.start.as_ref().map_or(Ok(Pose::IDENTITY), pose)?;
        let both = |keys, span| {
            Err(Fault::new(Problem::TwoMotions { body: name.to_string(), keys }, span))
        };
        match (&entry.end, &entry.twist, &entry.flight) {
            (Some(_), Some(twist), _) => both(["end", "twist"], twist.span()),
            (Some(_), None, Some(flight)) => both(["end", "flight"], flight.span()),
            (None, Some(_), Some(flight)) => both(["twist", "flight"], flight.span()),
            (Some(end), None, None) => Ok(Self::Poses([start, pose(end)?])),
            (None, Some(entry), None) => Ok(Self::Twist { start, twist: twist(entry)? }),
            (None, None, Some(entry)) => flight(start, entry),
            (None, None, None) => Ok(Self::Poses([start, start])),
        }
    }

    /// The pose at time 0.
    pub fn start(&self) -> Pose {
        match self {
            Self::Poses([start, _]) | Self::Twist { start, .. } => *start,
            Self::Flight(flight) => flight.pose_at(0.0),
        }
    }

    /// The pose at time 1.
    pub fn end(&self) -> Pose {
        match self {
            Self::Poses([_, end]) => *end,
            Self::Twist { start, twist } => twist.pose_at(1.0).after(start),
            Self::Flight(flight) => flight.pose_at(1.0),
        }
    }

    /// The pose at time `t`, exactly so at both ends.
    pub fn pose_at(&self, t: f64) -> Pose {
        if let Self::Flight(flight) = self {
            flight.pose_at(t)
        } else if t == 0.0 {
            self.start()
        } else if t == 1.0 {
            self.end()
        } else {
            self.screw().pose_at(t).after(&self.start())
        }
    }

    /// Whether every point of the body moves in a straight line, to rounding.
    pub fn is_straight(&self) -> bool {
        !matches!(self, Self::Flight(_)) && self.screw().angle() <= STRAIGHT
    }

    /// The same motion as a flight: what flies, or moves without turning.
    pub fn flight(&self) -> Option<Flight> {
        match self {
            Self::Flight(flight) => Some(*flight),
            _ if self.is_straight() => {
                let shift = self.end().position() - self.start().position();
                Flight::new(self.start(), shift, DVec3::ZERO).ok()
            }
            _ => None,
        }
    }

    /// The screw in the world frame that carries the body from its start to its end, the shorter way
    /// unless it has a twist.
    pub fn screw(&self) -> Screw {
        match self {
            Self::Poses([start, end]) => Screw::between(start, end),
            Self::Flight(_) => Screw::between(&self.start(), &self.end()),
            Self::Twist { twist, .. } => *twist,
        }
    }
}

/// How a body gets through the step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Course<'e> {
    /// As a whole.
    Rigid(Motion),
    /// Vertex by vertex, from one mesh file to another.
    Frames(&'e Spanned<FramesEntry>),
}

impl<'e> Course<'e> {
    fn new(name: &str, entry: &'e BodyEntry) -> Result<Self, Fault> {
        let Some(frames) = &entry.frames else { return Motion::new(name, entry).map(Self::Rigid) };
        let others = [
            ("start", entry.start.as_ref().map(Spanned::span)),
            ("end", entry.end.as_ref().map(Spanned::span)),
            ("twist", entry.twist.as_ref().map(Spanned::span)),
            ("flight", entry.flight.as_ref().map(Spanned::span)),
        ];
        match others.into_iter().find_map(|(key, span)| Some((key, span?))) {
            Some((key, span)) => {
                Err(Fault::new(Problem::FramesAndPose { body: name.to_string(), key }, span))
            }
            None => Ok(Self::Frames(frames)),
        }
    }

    fn turns(&self) -> bool {
        matches!(self, Self::Rigid(motion) if !motion.is_straight())
    }
}

/// The courses of all bodies.
///
/// *Fails* on a body that turns beside one with frames: their contacts are not those of vertices
/// on straight paths.
pub(super) fn courses<'e>(
    names: &[String],
    bodies: &'e [Spanned<BodyEntry>],
) -> Result<Vec<Course<'e>>, Fault> {
    let courses = names.iter().zip(bodies).map(|(name, entry)| Course::new(name, entry.get_ref()));
    let courses = courses.collect::<Result<Vec<_>, _>>()?;
    let deforming = courses.iter().position(|course| matches!(course, Course::Frames(_)));
    let turning = courses.iter().position(Course::turns);
    let (Some(deforming), Some(turning)) = (deforming, turning) else { return Ok(courses) };
    let entry = bodies[turning].get_ref();
    let [turning_name, deforming] = [turning, deforming].map(|body| names[body].clone());
    let problem = Problem::TurnsBesideFrames { turning: turning_name, deforming };
    Err(Fault::new(problem, span_of_motion(entry).unwrap_or_else(|| bodies[turning].span())))
}

/// Where a body says how it moves.
fn span_of_motion(entry: &BodyEntry) -> Option<Range<usize>> {
    let end = entry.end.as_ref().map(Spanned::span);
    let twist = entry.twist.as_ref().map(Spanned::span);
    end.or(twist).or_else(|| entry.flight.as_ref().map(Spanned::span))
}

/// Whether a body flies. *Fails* if another turns along a screw.
pub(super) fn has_flight(
    names: &[String],
    courses: &[Course],
    bodies: &[Spanned<BodyEntry>],
) -> Result<bool, Fault> {
    let is_flight = |course: &Course| matches!(course, Course::Rigid(Motion::Flight(_)));
    let is_screw =
        |course: &Course| matches!(course, Course::Rigid(motion) if motion.flight().is_none());
    let Some(flying) = courses.iter().position(is_flight) else { return Ok(false) };
    let Some(turning) = courses.iter().position(is_screw) else { return Ok(true) };
    let span = span_of_motion(bodies[turning].get_ref());
    let [turning_name, flying] = [turning, flying].map(|body| names[body].clone());
    let problem = Problem::TurnsBesideFlight { turning: turning_name, flying };
    Err(Fault::new(problem, span.unwrap_or_else(|| bodies[turning].span())))
}

/// Into how many parts the step is cut: if there are twists, a part for each quarter-turn of the
/// body that turns most, else one.
pub(super) fn parts(courses: &[Course], bodies: &[Spanned<BodyEntry>]) -> Result<u32, Fault> {
    if bodies.iter().all(|entry| entry.get_ref().twist.is_none()) {
        return Ok(1);
    }
    let mut parts = 1;
    for (course, entry) in courses.iter().zip(bodies) {
        let Course::Rigid(motion) = course else { continue };
        let span = entry.get_ref().twist.as_ref().map_or(entry.span(), Spanned::span);
        let needed = Step::parts_for(motion.screw().angle());
        parts = parts.max(needed.map_err(|error| Fault::new(error, span))?);
    }
    Ok(parts)
}

pub(super) fn pose(entry: &Spanned<PoseEntry>) -> Result<Pose, Fault> {
    let rotation = match &entry.get_ref().rotation {
        Some(entry) => {
            rotation(entry.get_ref()).map_err(|problem| Fault::new(problem, entry.span()))?
        }
        None => DQuat::IDENTITY,
    };
    Pose::new(vector(entry.get_ref().position), rotation)
        .map_err(|error| Fault::new(error, entry.span()))
}

fn rotation(entry: &RotationEntry) -> Result<DQuat, Problem> {
    match *entry {
        RotationEntry::Quaternion(q) => {
            let pose = Pose::new(DVec3::ZERO, DQuat::from_array(q));
            pose.map(|pose| pose.rotation()).map_err(|_| Problem::ZeroQuaternion(q))
        }
        RotationEntry::AxisAngle(AxisAngle { axis: Vector(axis), degrees }) => {
            // Whole turns are dropped exactly, before pi brings rounding in.
            Ok(DQuat::from_axis_angle(unit(axis)?, (degrees % 360.0).to_radians()))
        }
    }
}

/// The direction of an axis.
pub(super) fn unit(axis: [f64; 3]) -> Result<DVec3, Problem> {
    let direction = DVec3::from_array(axis);
    // Scaled first, so that neither tiny nor huge axes lose their length.
    let scaled = direction / direction.abs().max_element();
    scaled.try_normalize().ok_or(Problem::ZeroAxis(axis))
}

fn twist(entry: &Spanned<TwistEntry>) -> Result<Screw, Fault> {
    let TwistEntry { linear, angular, point } = entry.get_ref();
    let angular = vector(*angular);
    let linear = vector(*linear) - angular.cross(vector(*point));
    Screw::from_twist(angular, linear).map_err(|error| Fault::new(error, entry.span()))
}

/// A flight; one that does not turn goes from pose to pose like any other body.
fn flight(start: Pose, entry: &Spanned<FlightEntry>) -> Result<Motion, Fault> {
    let FlightEntry { linear, angular } = entry.get_ref();
    let [linear, angular] = [*linear, *angular].map(vector);
    let flight = Flight::new(start, linear, angular);
    let flight = flight.map_err(|error| Fault::new(error, entry.span()))?;
    Ok(match angular.length() <= STRAIGHT {
        true => Motion::Poses([start, flight.pose_at(1.0)]),
        false => Motion::Flight(flight),
    })
}

pub(super) fn vector(entry: Option<Vector>) -> DVec3 {
    entry.map_or(DVec3::ZERO, |Vector(v)| DVec3::from_array(v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn motion(body: &str) -> Motion {
        let text = format!("[[body]]\nshape = {{ box = {{ size = [1, 1, 1] }} }}\n{body}");
        let file = super::super::parse(&text).unwrap();
        Motion::new("a", file.body[0].get_ref()).unwrap()
    }

    #[test]
    fn a_twist_about_a_point_keeps_that_point() {
        let spin = motion(&format!("twist = {{ angular = [0, 0, {}], point = [2, 1, 0] }}", PI));
        let end = spin.end().point(DVec3::new(3.0, 1.0, 5.0));
        assert!((end - DVec3::new(1.0, 1.0, 5.0)).length() < 1e-14, "{end}");
    }

    #[test]
    fn linear_is_the_velocity_of_the_material_point() {
        let roll = motion("twist = { linear = [1, 2, 3], angular = [0, 4, 0], point = [0, 0, 7] }");
        let velocity = roll.screw().flow(DVec3::new(0.0, 0.0, 7.0));
        assert!((velocity - DVec3::new(1.0, 2.0, 3.0)).length() < 1e-14, "{velocity}");
    }

    #[test]
    fn an_axis_and_the_quaternion_of_the_same_turn_agree() {
        let half = f64::sqrt(0.5);
        let by_axis = motion("end = { rotation = { axis = [0, 0, 9], degrees = 450 } }").end();
        let by_quaternion = motion(&format!("end = {{ rotation = [0, 0, {half}, {half}] }}")).end();
        let difference = by_axis.rotation() - by_quaternion.rotation();
        assert!(difference.length() < 1e-15, "{difference}");
    }

    #[test]
    fn end_is_start_where_it_is_left_out() {
        let still = motion("start = { position = [1, 2, 3] }");
        assert_eq!(still.end(), still.start());
    }
}
