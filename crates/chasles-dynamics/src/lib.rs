//! What happens when bodies touch: impulses, springs, linkages, and a world where nothing
//! interpenetrates.
//!
#![doc = include_str!("../front.md")]
//!
//! ```text
//! bodies -> forces -> velocities -> response -> motion, certified by detection -> bodies
//! ```
//!
//! Detection knows nothing of mass or force; this crate adds them. The modules stand in the order
//! of the pipeline:
//!
//! - [`body`]: mass, what a body is made of, how it answers an impulse;
//! - [`spin`]: free rotation, which keeps momentum and energy;
//! - [`impulse`]: what collisions do to velocities;
//! - [`linkage`]: joints, and bodies that answer together;
//! - [`spring`]: contact springs, and sheets of springs;
//! - [`world`]: bodies that move and respond, and never cross each other.
//!
//! All vectors are in the world's frame unless a name says otherwise; units are SI and radians.

pub mod body;
pub mod impulse;
pub mod linkage;
mod lock;
mod matter;
pub mod spin;
pub mod spring;
#[cfg(feature = "serde")]
mod unbounded;
pub mod world;

pub use world::{Body, BodyId, Options, Report, World, WorldError};
