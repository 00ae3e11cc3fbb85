//! Poses, screws and the relative motion of two bodies in one step.
//!
//! [`Pose`] places a body, [`Screw`] moves it, [`Motion`] is how one body
//! moves during a step, and [`Step`] holds how two bodies move between two
//! instants. What the detection methods use is the relative motion: B as A sees it [Buss04 §4].

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
