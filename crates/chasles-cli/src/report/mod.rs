//! `--report FILE.html`: one page with everything on it, which works from a file and without a
//! network.
//!
//! ```text
//! results -> Document -> chasles_report::page -> one file
//! ```
//!
//! The page itself, with its viewer, is the crate `chasles-report`. Here results become its
//! documents.

mod collide;
mod curves;
mod reel;
mod screen;
mod simulate;
mod trace;

pub use collide::{collide, parts};
pub use reel::Reel;
pub use simulate::simulate;
pub use trace::trace;

pub use chasles_report::Parts;
use chasles_report::{contacts, data, encode, frame, limits, mesh, page, scales, stills, surfaces};
pub(crate) use chasles_report::{encode::inside_script, filled};
