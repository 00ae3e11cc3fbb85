//! Traces: how far a body gets through a world that stands still, and what stops it.
//!
//! The query of a game: move this body from here to there, or turn it about an axis, through a
//! world of polygons (van Waveren, 2005). A trace ends before anything interpenetrates, whatever
//! rounding does: the world is wrapped in a thin *expel zone*, and what is in the zone may only
//! move away.
//!
//! *Accepts* any body and any world of faces; the world does not move. *Guarantees* that a body
//! outside the world stays outside it, over any number of traces, and that a stop is at most three
//! thicknesses of the zone from the world. *Cost* logarithmic in the world, linear in the features
//! near the way. *Fails* on motions that are not finite; a body that starts in the world is said to
//! (`started_solid`), and does not move.
//!
//! ```
//! use chasles::mesh::shapes::{Cuboid, Shape};
//! use chasles::trace::{Body, Fixture, Workspace, World};
//! use chasles::{Pose, glam::DVec3};
//!
//! let cube = Shape::Box(Cuboid::default()).polygons()?;
//! let world = World::new(vec![Fixture::new(cube.clone())])?;
//! let body = Body::new(&cube)?;
//!
//! let start = Pose::from_position([0.3, 3.0, 0.2])?;
//! let fall = world.translate(&body, &start, DVec3::new(0.0, -4.0, 0.0), &mut Workspace::new())?;
//! assert!((fall.fraction - 0.5).abs() < 1e-9);
//! assert!(fall.touch.is_some_and(|touch| touch.normal == DVec3::Y));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod boxes;
mod broad;
mod bsp;
mod cell;
mod character;
mod contents;
mod gather;
mod grid;
mod model;
mod motion;
mod parts;
mod pierce;
mod query;
mod strip;
mod sweep;
mod tree;
mod tube;
mod world;
mod zone;

pub use body::Body;
pub use broad::Broad;
pub use character::{Slide, Walk, Walker};
pub use contents::Contents;
pub use motion::{Touch, Trace, Travel, Turn};
pub use query::Workspace;
pub use world::{Census, Fixture, World, WorldError};
