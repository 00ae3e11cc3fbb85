//! Boxes, hierarchies and the finding of pairs that may touch.
//!
//! [`Collider`] is a mesh prepared for queries: a tree over its faces, edges and vertices.
//! A chart straightens a screw motion, so that features can be bounded once, before anything
//! moves; a slab is such a bound.
//!
//! ```
//! use chasles::Collider;
//! use chasles::mesh::shapes::{Cuboid, Shape};
//!
//! let cube = Collider::new(Shape::Box(Cuboid::default()).build()?);
//! let shared = cube.clone(); // made once, and used in any number of queries
//! assert_eq!(shared.mesh().face_count(), 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aabb;
mod blocks;
mod boxed;
mod bvh;
mod chart;
mod chord;
mod collider;
mod convexity;
mod cover;
mod fan;
mod fitted;
mod groups;
mod half_space;
mod hull;
mod outlook;
mod polytope;
mod ridge;
mod skeleton;
mod slab;
mod swept;
mod tree;

pub(crate) use aabb::Aabb;
pub(crate) use boxed::Frame;
pub(crate) use bvh::{Bvh, Stack};
pub(crate) use chart::{Chart, Spot, Widened};
pub(crate) use chord::{Chords, Ends};
pub use collider::Collider;
pub(crate) use convexity::{Convexity, Corner};
pub(crate) use cover::Cover;
pub(crate) use fitted::Twins;
pub(crate) use outlook::Aim;
pub(crate) use polytope::Facet;
pub(crate) use skeleton::FLAT;
pub(crate) use slab::{Quad, Slab, Spread};
pub(crate) use swept::{Affine, Placement, SweptBox};
pub(crate) use tree::Node;
