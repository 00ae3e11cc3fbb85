//! The MuJoCo side of a simulation: the same bodies as a model of its XML, run by its Python
//! package.
//!
//! Mass, centre and inertia, velocities, friction and gravity are those of the world; of two
//! frictions the larger counts in both. There is no restitution. Boxes and balls are its own, other
//! convex meshes their hulls, ball joints `connect` constraints of bodies that are free otherwise.
//! All else is MuJoCo's default: Newton's method, pyramids for friction, no sleeping.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use chasles::Pose;
use chasles::glam::{DQuat, DVec3};
use chasles::round::Kind as RoundKind;
use chasles_dynamics::world::Kind;
use chasles_dynamics::{Body, World};
use serde::Deserialize;

use crate::rapier::{is_box, is_convex};

/// What steps a model: its arguments are a file and the number of steps. It prints one line of
/// JSON.
const STEPPER: &str = include_str!("mujoco.py");

/// Processor times of a run, in seconds.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Run {
    /// Of all steps together.
    pub all_s: f64,
    /// Of the longest.
    pub worst_s: f64,
    /// The version of MuJoCo, and its settings.
    pub settings: String,
}

/// The model of a world.
///
/// *Accepts* worlds of fixed and dynamic bodies that are boxes, balls or convex meshes, with no
/// joints but balls. *Guarantees* the same bodies in the same order. *Cost* linear. *Fails* with
/// what cannot be said.
pub fn model(world: &World, dt: f64) -> Result<String, String> {
    let gravity = world.options().gravity;
    let [mut assets, mut bodies, mut joints] = [String::new(), String::new(), String::new()];
    let mut speeds = String::new();
    for (number, body) in world.bodies().iter().enumerate() {
        let geom = geom(body, number, &mut assets)?;
        match body.kind() {
            Kind::Static => {
                let _ =
                    writeln!(bodies, "<body name=\"b{number}\" {}>{geom}</body>", at(&body.pose()));
            }
            Kind::Dynamic(_) => {
                let _ = writeln!(bodies, "{}", dynamic(body, number, &geom));
                let _ = write!(speeds, "{} ", speed(body));
            }
            Kind::Kinematic(_) | Kind::Yielding(..) => return Err("a body on a route".into()),
        }
    }
    for joint in world.joints() {
        if !joint.is_ball() {
            return Err("a joint that is no ball".into());
        }
        let ([a, b], anchor) = (joint.bodies(), numbers(joint.anchors()[0].frame().position()));
        let _ = writeln!(joints, "<connect body1=\"b{a}\" body2=\"b{b}\" anchor=\"{anchor}\"/>");
    }
    let gravity = numbers(gravity);
    Ok(format!(
        "<mujoco><option timestep=\"{dt}\" gravity=\"{gravity}\"/><size memory=\"1G\"/>\n\
         <asset>\n{assets}</asset>\n<worldbody>\n{bodies}</worldbody>\n\
         <equality>\n{joints}</equality>\n<keyframe><key qvel=\"{speeds}\"/></keyframe></mujoco>\n"
    ))
}

/// Steps a model that is in a file.
///
/// *Accepts* a Python with the package `mujoco`. *Cost* that of the steps, in another process.
/// *Fails* with what Python says.
pub fn run(python: &Path, model: &Path, steps: u32) -> Result<Run, String> {
    let done = Command::new(python)
        .args(["-c", STEPPER])
        .arg(model)
        .arg(steps.to_string())
        .output()
        .map_err(|error| format!("{}: {error}", python.display()))?;
    if !done.status.success() {
        let text = String::from_utf8_lossy(&done.stderr);
        return Err(text.lines().last().unwrap_or("it says nothing").to_string());
    }
    serde_json::from_slice(&done.stdout).map_err(|error| error.to_string())
}

fn numbers(v: DVec3) -> String {
    format!("{} {} {}", v.x, v.y, v.z)
}

fn turn(q: DQuat) -> String {
    format!("{} {} {} {}", q.w, q.x, q.y, q.z)
}

fn at(pose: &Pose) -> String {
    format!("pos=\"{}\" quat=\"{}\"", numbers(pose.position()), turn(pose.rotation()))
}

fn dynamic(body: &Body, number: usize, geom: &str) -> String {
    let Some(mass_properties) = body.mass_properties() else { return String::new() };
    let inertial = format!(
        "<inertial pos=\"{}\" quat=\"{}\" mass=\"{}\" diaginertia=\"{}\"/>",
        numbers(mass_properties.centre()),
        turn(mass_properties.axes()),
        mass_properties.mass(),
        numbers(mass_properties.moments()),
    );
    let place = at(&body.pose());
    format!("<body name=\"b{number}\" {place}><freejoint/>{inertial}{geom}</body>")
}

/// The velocity of the origin of the body's frame, and the angular one in that frame.
fn speed(body: &Body) -> String {
    let (pose, velocity) = (body.pose(), body.velocity());
    let arm = pose.position() - body.centre();
    let linear = velocity.linear + velocity.angular.cross(arm);
    let angular = pose.rotation().conjugate() * velocity.angular;
    format!("{} {}", numbers(linear), numbers(angular))
}

/// The shape of a body; a mesh is added to the assets.
fn geom(body: &Body, number: usize, assets: &mut String) -> Result<String, String> {
    let friction = body.material().friction();
    let shape = if let Some(round) = body.shape().geometry().round() {
        if round.kind() != RoundKind::Sphere {
            return Err("a round body that is no ball".into());
        }
        format!("type=\"sphere\" size=\"{}\"", round.radius())
    } else {
        let mesh = body.collider().mesh();
        let [low, high] = mesh.bounds();
        if is_box(mesh) {
            format!("type=\"box\" size=\"{}\"", numbers(0.5 * (high - low)))
        } else if is_convex(mesh) {
            let corners: Vec<String> = mesh.positions().iter().map(|v| numbers(*v)).collect();
            let vertices = corners.join(" ");
            let _ = writeln!(assets, "<mesh name=\"m{number}\" vertex=\"{vertices}\"/>");
            format!("type=\"mesh\" mesh=\"m{number}\"")
        } else {
            return Err("a mesh that is not convex".into());
        }
    };
    Ok(format!("<geom {shape} friction=\"{friction} 0.005 0.0001\"/>"))
}

#[cfg(test)]
mod tests {
    use chasles_dynamics::Options;

    use super::*;
    use crate::heaps::Heap;

    #[test]
    fn models_have_all_bodies_and_joints_and_say_what_they_cannot() {
        let world = Heap::Ragdolls.world(2, Options::default()).expect("shapes");
        let model = model(&world, 0.01).expect("boxes and balls");
        assert_eq!(model.matches("<freejoint/>").count(), 22);
        assert_eq!(model.matches("<connect ").count(), 20);
        assert_eq!(model.matches("type=\"box\"").count(), 23);
        let bowl = Heap::Rocks.world(30, Options::default()).expect("shapes");
        assert_eq!(super::model(&bowl, 0.01).err().as_deref(), Some("a mesh that is not convex"));
    }

    #[test]
    fn a_python_that_is_not_there_is_an_error() {
        let error = run(Path::new("no-such-python"), Path::new("no-such-model"), 1);
        assert!(error.is_err_and(|text| text.starts_with("no-such-python")));
    }
}
