//! Joints, their limits and their motors.

use chasles::Pose;
use chasles::glam::DVec3;
use chasles_dynamics::linkage::{Anchor, Joint, JointError, Spring};
use chasles_dynamics::world::{Body, BodyId, JointId, Shape, Strength};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Inner, PyWorld, choice};
use crate::array::{refuse_others, vector};
use crate::error::{Error, world as world_error};

/// A constructor of joints.
type Make = fn([usize; 2], [Anchor; 2]) -> Result<Joint, JointError>;

/// The kinds of joints that need no number.
const KINDS: [(&str, Make); 10] = [
    ("ball", Joint::ball),
    ("hinge", Joint::hinge),
    ("cardan", Joint::cardan),
    ("weld", Joint::weld),
    ("line", Joint::line),
    ("piston", Joint::piston),
    ("rail", Joint::rail),
    ("plane", Joint::plane),
    ("plate", Joint::plate),
    ("no_spin", Joint::no_spin),
];

/// The keywords of a joint besides its kind, bodies and anchors.
const KNOWN: [&str; 9] = [
    "length",
    "spring",
    "limit_angle",
    "limit_travel",
    "limit_swing",
    "drive_angle",
    "drive_travel",
    "draw_angle",
    "draw_travel",
];

/// A joint from its word, with the number that some kinds need.
fn made(
    kind: &str,
    bodies: [usize; 2],
    anchors: [Anchor; 2],
    said: Option<&Bound<'_, PyDict>>,
) -> PyResult<Joint> {
    let length = || {
        let length = said.map_or(Ok(None), |said| said.get_item("length"))?;
        let needed = || Error::new_err(format!("a {kind} needs a length"));
        length.ok_or_else(needed)?.extract::<f64>()
    };
    let joint = match kind {
        "distance" => Joint::distance(bodies, anchors, length()?),
        "rope" => Joint::rope(bodies, anchors, length()?),
        "spring" => {
            let spring = said.map_or(Ok(None), |said| said.get_item("spring"))?;
            let needed = "a spring needs spring=(length, stiffness, damping)";
            let spring = spring.ok_or_else(|| Error::new_err(needed))?;
            Joint::spring(bodies, anchors, self::spring(spring.extract()?))
        }
        other => {
            let known: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            if !known.contains(&other) {
                let known = known.join(", ");
                let message =
                    format!("no joint {other:?}; there are {known}, distance, rope, spring");
                return Err(Error::new_err(message));
            }
            choice("the kind of joint", other, &KINDS)?(bodies, anchors)
        }
    };
    joint.map_err(world_error)
}

fn spring((place, stiffness, damping): (f64, f64, f64)) -> Spring {
    Spring { place, stiffness, damping }
}

/// A joint with the limits and motors that keywords say.
fn changed(mut joint: Joint, said: Option<&Bound<'_, PyDict>>) -> PyResult<Joint> {
    let Some(said) = said else { return Ok(joint) };
    for (key, value) in said.iter() {
        let next = match key.extract::<String>()?.as_str() {
            "limit_angle" => pair(&value, |min, max| joint.limit_angle(min, max))?,
            "limit_travel" => pair(&value, |min, max| joint.limit_travel(min, max))?,
            "limit_swing" => joint.limit_swing(value.extract()?),
            "drive_angle" => pair(&value, |speed, torque| joint.drive_angle(speed, torque))?,
            "drive_travel" => pair(&value, |speed, force| joint.drive_travel(speed, force))?,
            "draw_angle" => drawn(&value, |spring, torque| joint.draw_angle(spring, torque))?,
            "draw_travel" => drawn(&value, |spring, force| joint.draw_travel(spring, force))?,
            _ => continue,
        };
        joint = next.map_err(world_error)?;
    }
    Ok(joint)
}

fn pair<T>(value: &Bound<'_, PyAny>, make: impl FnOnce(f64, f64) -> T) -> PyResult<T> {
    let (first, second) = value.extract()?;
    Ok(make(first, second))
}

/// A place, a stiffness, a damping and the most force of a motor.
fn drawn<T>(value: &Bound<'_, PyAny>, make: impl FnOnce(Spring, f64) -> T) -> PyResult<T> {
    let (place, stiffness, damping, most): (f64, f64, f64, f64) = value.extract()?;
    Ok(make(spring((place, stiffness, damping)), most))
}

impl Inner {
    /// The body that stands for the world in joints.
    fn ground(&mut self) -> PyResult<BodyId> {
        if let Some(ground) = self.ground.filter(|&ground| self.world.body(ground).is_some()) {
            return Ok(ground);
        }
        let point = Shape::sphere(1.0).map_err(world_error)?;
        let ground = self.world.add(Body::fixed(point).intangible());
        self.ground = Some(ground);
        Ok(ground)
    }

    fn add_joint(&mut self, joint: Joint, passes: bool) -> PyResult<usize> {
        let added = if passes { self.world.link(joint) } else { self.world.join(joint) };
        self.joints.push(added.map_err(world_error)?);
        Ok(self.joints.len() - 1)
    }
}

#[pymethods]
impl PyWorld {
    /// Joins two bodies where they are now, at a point of the world and along an axis there, and
    /// gives the number of the joint.
    ///
    /// `kind` is ball, hinge, cardan, weld, line, piston, rail, plane, plate, no_spin, distance or
    /// rope (with a `length`) or spring (`spring=(length, stiffness, damping)`). `b` None is the
    /// world, for which a body is added that nothing meets. `b_point` is the point of `b` where it
    /// is another. Limits: `limit_angle`, `limit_travel` (least, most), `limit_swing` (most).
    /// Motors: `drive_angle` (speed, torque), `drive_travel` (speed, force), `draw_angle` and
    /// `draw_travel` (place, stiffness, damping, most). The bodies pass through each other
    /// if they overlap now, unless `collide`.
    ///
    /// >>> import chasles
    /// >>> world = chasles.World(gravity=(0, 0, 0))
    /// >>> wheel = world.add(chasles.Mesh.cylinder(), density=1.0)
    /// >>> axle = world.link("hinge", wheel, None, axis=(0, 1, 0), drive_angle=(2.0, 100.0))
    /// >>> _ = world.step(0.5)
    /// >>> round(abs(float(world.angular_velocity(wheel)[1])), 6)
    /// 2.0
    #[pyo3(
        signature = (
            kind, a, b=None, point=None, axis=None, *, b_point=None, collide=false, **keywords
        ),
        text_signature = "($self, kind, a, b=None, point=None, axis=None, *, b_point=None, \
                          collide=False, length=None, spring=None, limit_angle=None, \
                          limit_travel=None, limit_swing=None, drive_angle=None, \
                          drive_travel=None, draw_angle=None, draw_travel=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn link(
        &self,
        py: Python<'_>,
        kind: &str,
        a: usize,
        b: Option<usize>,
        point: Option<&Bound<'_, PyAny>>,
        axis: Option<&Bound<'_, PyAny>>,
        b_point: Option<&Bound<'_, PyAny>>,
        collide: bool,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<usize> {
        refuse_others(keywords, &KNOWN)?;
        let mut inner = self.lock(py)?;
        // What stands for the world stands at its origin.
        let pose_b = b.map_or(Ok(Pose::IDENTITY), |b| inner.body(b).map(Body::pose))?;
        let pose_a = inner.body(a)?.pose();
        let centre = inner.body(a)?.centre();
        let point = point.map_or(Ok(centre), |point| vector("point", point))?;
        let axis = axis.map_or(Ok(DVec3::Z), |axis| vector("axis", axis))?;
        let b_point = b_point.map_or(Ok(point), |point| vector("b_point", point))?;
        let anchor = |at: DVec3| Anchor::along(at, axis).map_err(world_error);
        let of_a = anchor(point)?.in_bodies([&pose_a, &pose_b])[0];
        let of_b = anchor(b_point)?.in_bodies([&pose_a, &pose_b])[1];
        let joint = |b: usize| changed(made(kind, [a, b], [of_a, of_b], keywords)?, keywords);
        // A joint that cannot be adds nothing to the world, also not what stands for it.
        joint(b.unwrap_or(usize::MAX))?;
        let b = b.map_or_else(|| inner.ground(), |b| Ok(BodyId(b)))?;
        let joint = joint(b.0)?;
        inner.add_joint(joint, !collide)
    }

    /// Removes a joint.
    fn unlink(&self, py: Python<'_>, joint: usize) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let id = inner.joint(joint)?;
        let removed = inner.world.unlink(id);
        removed.map(drop).ok_or_else(|| world_error(format!("there is no joint {joint}")))
    }

    /// Gives a joint other limits and motors; those that are not named stay. `free=True` first
    /// takes all away.
    ///
    /// >>> import chasles
    /// >>> world = chasles.World(gravity=(0, 0, 0))
    /// >>> slider = world.add(chasles.Mesh.box(), density=1.0)
    /// >>> rail = world.link("rail", slider, None, axis=(1, 0, 0))
    /// >>> world.change_joint(rail, drive_travel=(0.5, 1e3))
    /// >>> _ = world.step(1.0)
    /// >>> round(abs(float(world.pose(slider)[0, 3])), 6)
    /// 0.5
    #[pyo3(
        signature = (joint, *, free=false, **keywords),
        text_signature = "($self, joint, *, free=False, limit_angle=None, limit_travel=None, \
                          limit_swing=None, drive_angle=None, drive_travel=None, draw_angle=None, \
                          draw_travel=None)"
    )]
    fn change_joint(
        &self,
        py: Python<'_>,
        joint: usize,
        free: bool,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        refuse_others(keywords, &KNOWN[2..])?;
        let mut inner = self.lock(py)?;
        let id = inner.joint(joint)?;
        let known = inner.world.joint(id).copied();
        let known = known.ok_or_else(|| world_error(format!("there is no joint {joint}")))?;
        let start = if free { known.unlimited().undriven() } else { known };
        let wanted = changed(start, keywords)?;
        inner.world.change_joint(id, |_| Ok(wanted)).map_err(world_error)
    }

    /// Lets a joint break when it bears more than a force or a torque on the mean of a step;
    /// without either, never again.
    #[pyo3(signature = (joint, *, force=None, torque=None))]
    fn set_strength(
        &self,
        py: Python<'_>,
        joint: usize,
        force: Option<f64>,
        torque: Option<f64>,
    ) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let id: JointId = inner.joint(joint)?;
        let strength = (force.is_some() || torque.is_some()).then(|| Strength {
            force: force.unwrap_or(f64::INFINITY),
            torque: torque.unwrap_or(f64::INFINITY),
        });
        inner.world.set_strength(id, strength).map_err(world_error)
    }

    /// The bodies of a joint.
    fn joined(&self, py: Python<'_>, joint: usize) -> PyResult<(usize, usize)> {
        let inner = self.lock(py)?;
        let bodies = inner.world.joined(inner.joint(joint)?);
        let [a, b] = bodies.ok_or_else(|| world_error(format!("there is no joint {joint}")))?;
        Ok((a.0, b.0))
    }

    /// The numbers of all joints.
    fn joints(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        let inner = self.lock(py)?;
        Ok(inner.world.joint_ids().map(|(id, _)| inner.joint_number(id)).collect())
    }
}
