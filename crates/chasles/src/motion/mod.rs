//! Poses, screws and the relative motion of two bodies in one step.
//!
//! [`Pose`] places a body, [`Screw`] moves it, [`Motion`] is how one body
//! moves during a step, and [`Step`] holds how two bodies move between two
//! instants. What the detection methods use is the relative motion: B as A sees it [Buss04 §4].
//!
//! ```
//! use chasles::glam::{DQuat, DVec3};
//! use chasles::{Motion, Pose, Screw, Step};
//!
//! let start = Pose::from_position([1.0, 0.0, 0.0])?;
//! let end = Pose::new([0.0, 1.0, 0.5], DQuat::from_rotation_z(1.0))?;
//! let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(start, end));
//! assert!(step.part(0).relative().angle() > 0.9);
//! // Any turn, also of many revolutions, about any axis, with a shift along it.
//! let thread = Screw::about_axis(DVec3::ZERO, DVec3::Z, 20.0, 0.3)?;
//! let halfway = Motion::along(start, thread)?.pose_at(0.5);
//! assert!((halfway.position().z - 0.15).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod departure;
mod pose;
mod rigid;
mod screw;
mod step;

pub use departure::Departure;
pub(crate) use pose::checked;
pub use pose::{MotionError, Pose};
pub use rigid::Motion;
pub(crate) use rigid::{Flight, Spin};
pub use screw::{Screw, arc_ratio};
pub(crate) use step::Frames;
pub use step::{Part, Step};
