//! Continuous collision detection under screw motion.
//!
//! Chasles' theorem: every rigid displacement is a screw motion. Given two polyhedra and their
//! poses at the start and at the end of a step, this crate finds every contact of the step.
//!
//! ```text
//! bodies + poses -> motion (one relative screw) -> candidate pairs -> contacts
//! ```
//!
//! The modules stand in the order of that pipeline; each uses only those before it.

pub mod bounds;
pub mod contact;
pub mod mesh;
pub mod motion;
pub mod numeric;
pub mod screen;
pub mod screw;

pub use bounds::Collider;
pub use contact::{Contact, Features};
pub use glam;
pub use mesh::{Polygons, Polyhedron};
pub use motion::{Pose, Screw, Step};
pub use screw::{Options, Workspace, contacts};

/// The example of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
