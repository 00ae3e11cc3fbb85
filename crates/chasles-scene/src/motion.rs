//! How a body of a scene moves: between poses, along a twist, or in free flight.
//!
//! A twist is given by the velocity `v` of the material point at `p` and the rotation vector `w`,
//! both per step and in the world frame. The velocity of any point `x` of the body is then
//! `w x (x - p) + v`, so the velocity at the world origin is `v - w x p`, and the body is at
//! `exp(t twist) start` at time `t`.

use std::ops::Range;

use chasles::glam::{DQuat, DVec3};
use chasles::numeric::rotation_about;
use chasles::{Motion, Pose, Screw, Step};
use toml::Spanned;

use crate::ends;
use crate::error::{Fault, Problem};
use crate::file::{
    AxisAngle, CollideKeys, FlightEntry, FramesEntry, PoseEntry, RotationEntry, TwistEntry, Vector,
};
use crate::keys::BodyEntry;

/// The motion of a body, in the world frame.
fn motion(name: &str, entry: &BodyEntry<CollideKeys>) -> Result<Motion, Fault> {
    let BodyEntry { common, own, .. } = entry;
    let start = common.start.as_ref().map_or(Ok(Pose::IDENTITY), pose)?;
    let both =
        |keys, span| Err(Fault::new(Problem::TwoMotions { body: name.to_string(), keys }, span));
    match (&own.end, &own.twist, &own.flight) {
        (Some(_), Some(twist), _) => both(["end", "twist"], twist.span()),
        (Some(_), None, Some(flight)) => both(["end", "flight"], flight.span()),
        (None, Some(_), Some(flight)) => both(["twist", "flight"], flight.span()),
        (Some(end), None, None) => ends::motion(common.start.as_ref(), end),
        (None, Some(entry), None) => {
            let along = Motion::along(start, twist(entry)?);
            along.map_err(|error| Fault::new(error, entry.span()))
        }
        (None, None, Some(entry)) => flight(start, entry),
        (None, None, None) => Ok(Motion::still(start)),
    }
}

/// How a body gets through the step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Course<'e> {
    /// As a whole.
    Rigid(Motion),
    /// Vertex by vertex, from one mesh file to another.
    Frames(&'e Spanned<FramesEntry>),
}

impl<'e> Course<'e> {
    fn new(name: &str, entry: &'e BodyEntry<CollideKeys>) -> Result<Self, Fault> {
        let BodyEntry { common, own, .. } = entry;
        let Some(frames) = &own.frames else { return motion(name, entry).map(Self::Rigid) };
        let others = [
            ("start", common.start.as_ref().map(Spanned::span)),
            ("end", own.end.as_ref().map(Spanned::span)),
            ("twist", own.twist.as_ref().map(Spanned::span)),
            ("flight", own.flight.as_ref().map(Spanned::span)),
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
pub(crate) fn courses<'e>(
    names: &[String],
    bodies: &'e [Spanned<BodyEntry<CollideKeys>>],
) -> Result<Vec<Course<'e>>, Fault> {
    let courses = names.iter().zip(bodies).map(|(name, entry)| Course::new(name, entry.get_ref()));
    let courses = courses.collect::<Result<Vec<_>, _>>()?;
    let deforming = courses.iter().position(|course| matches!(course, Course::Frames(_)));
    let turning = courses.iter().position(Course::turns);
    let (Some(deforming), Some(turning)) = (deforming, turning) else { return Ok(courses) };
    let entry = &bodies[turning].get_ref().own;
    let [turning_name, deforming] = [turning, deforming].map(|body| names[body].clone());
    let problem = Problem::TurnsBesideFrames { turning: turning_name, deforming };
    Err(Fault::new(problem, span_of_motion(entry).unwrap_or_else(|| bodies[turning].span())))
}

/// Where a body says how it moves.
fn span_of_motion(entry: &CollideKeys) -> Option<Range<usize>> {
    let end = entry.end.as_ref().map(Spanned::span);
    let twist = entry.twist.as_ref().map(Spanned::span);
    end.or(twist).or_else(|| entry.flight.as_ref().map(Spanned::span))
}

/// Into how many parts the step is cut: if turns count, a part for each quarter-turn of the body
/// that turns most, else one.
pub(crate) fn parts(courses: &[Course]) -> u32 {
    let motions = || {
        courses.iter().filter_map(|course| match course {
            Course::Rigid(motion) => Some(motion),
            Course::Frames(_) => None,
        })
    };
    if !motions().any(Motion::counts_turns) {
        return 1;
    }
    let needed = |motion: &Motion| {
        Step::parts_for(motion.angle()).expect("the angle was checked when the motion was made")
    };
    motions().map(needed).max().unwrap_or(1)
}

pub(crate) fn pose(entry: &Spanned<PoseEntry>) -> Result<Pose, Fault> {
    let rotation = match &entry.get_ref().rotation {
        Some(entry) => {
            rotation(entry.get_ref()).map_err(|problem| Fault::new(problem, entry.span()))?
        }
        None => DQuat::IDENTITY,
    };
    Pose::new(vector(entry.get_ref().position), rotation)
        .map_err(|error| Fault::new(error, entry.span()))
}

pub(crate) fn rotation(entry: &RotationEntry) -> Result<DQuat, Problem> {
    match *entry {
        RotationEntry::Quaternion(q) => {
            let pose = Pose::new(DVec3::ZERO, DQuat::from_array(q));
            pose.map(|pose| pose.rotation()).map_err(|_| Problem::ZeroQuaternion(q))
        }
        RotationEntry::AxisAngle(AxisAngle { axis: Vector(axis), degrees }) => {
            // Whole turns are dropped exactly, before pi brings rounding in.
            Ok(rotation_about(unit(axis)?, (degrees % 360.0).to_radians()))
        }
    }
}

/// The direction of an axis.
pub(crate) fn unit(axis: [f64; 3]) -> Result<DVec3, Problem> {
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

fn flight(start: Pose, entry: &Spanned<FlightEntry>) -> Result<Motion, Fault> {
    let FlightEntry { linear, angular, pivot } = entry.get_ref();
    let [linear, angular, pivot] = [*linear, *angular, *pivot].map(vector);
    Motion::flight_about(pivot, start, linear, angular)
        .map_err(|error| Fault::new(error, entry.span()))
}

pub(crate) fn vector(entry: Option<Vector>) -> DVec3 {
    entry.map_or(DVec3::ZERO, |Vector(v)| DVec3::from_array(v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn motion(body: &str) -> Motion {
        let text = format!("[[body]]\nshape = {{ box = {{ size = [1, 1, 1] }} }}\n{body}");
        let (_, bodies) = crate::parse(&text).unwrap();
        super::motion("a", bodies[0].get_ref()).unwrap()
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
        let point = roll.start().inverse().point(DVec3::new(0.0, 0.0, 7.0));
        let [soon, now] = [1e-6, 0.0].map(|t| roll.pose_at(t).point(point));
        let velocity = (soon - now) / 1e-6;
        assert!((velocity - DVec3::new(1.0, 2.0, 3.0)).length() < 1e-4, "{velocity}");
    }

    #[test]
    fn an_axis_and_the_quaternion_of_the_same_turn_agree() {
        let half = f64::sqrt(0.5);
        let by_axis = motion("start = { rotation = { axis = [0, 0, 9], degrees = 450 } }").start();
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
