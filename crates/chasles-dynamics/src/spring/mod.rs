//! Collision response by springs, and bodies made of them [MW88 §3.1].
//!
//! Springs suit gentle and resting contact, and flexible bodies; for hard impacts impulses are
//! cheaper, since the stiffer a spring is, the shorter are the steps that it needs.
//!
//! - [`law`]: a contact spring that stiffens without bound, and gives back what it should;
//! - [`integrate`]: rigid bodies pressed together, in steps as short as the springs ask for;
//! - `adaptive`: the steps of those, and of sheets on contact springs;
//! - [`net`]: the springs of a sheet of cloth;
//! - [`sheet`]: a sheet that moves and never crosses bodies or itself;
//! - `foresee`: what a sheet does to bodies that it carries, before they move;
//! - `cushion`: contact springs of a sheet.

mod adaptive;
mod cushion;
mod foresee;
mod gradients;
pub(crate) mod implicit;
pub mod integrate;
pub mod law;
mod leg;
pub mod net;
pub mod sheet;
mod touching;
