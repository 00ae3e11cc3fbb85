//! Continuous collision detection under screw motion.
//!
#![doc = include_str!("../front.md")]
//!
//! Chasles' theorem: every rigid displacement is a screw motion. Given two polyhedra and their
//! poses at the start and at the end of a step, this crate finds every contact of the step.
//!
//! ```text
//! bodies + poses -> motion (one relative screw) -> candidate pairs -> contacts
//! ```
//!
//! **Start with [`query`]**, the front door: bodies of any kind, motions of any kind, and one
//! function for each question. The other modules are the methods behind it, for experts.
//!
//! The modules stand in the order of that pipeline; each uses only those before it. A query of the
//! exact method is [`contacts`]: two [`Collider`]s, each made once from a [`Polyhedron`]; a
//! [`Step`], how they move; [`Options`], which contacts are wanted; and a [`Workspace`], which
//! keeps memory for the next query. It returns [`Contact`]s in the order of time.
//!
//! ```
//! use chasles::mesh::shapes::{Cuboid, Shape};
//! use chasles::{Collider, Options, Pose, Motion, Step, Workspace, contacts, glam::DQuat};
//!
//! let cube = Collider::new(Shape::Box(Cuboid::default()).build()?);
//! // A rests; B falls by 3 while it turns by a radian.
//! let start = Pose::from_position([0.2, 3.0, 0.1])?;
//! let end = Pose::new([0.2, 0.0, 0.1], DQuat::from_rotation_z(1.0))?;
//! let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(start, end));
//!
//! let mut workspace = Workspace::new();
//! let found = contacts(&cube, &cube, &step, &Options::default(), &mut workspace);
//! let first = found.first().expect("the cubes meet");
//! assert!(first.time > 0.5 && first.normal_speed < 0.0 && first.normal.y > 0.99);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Examples, each under 60 lines:
//!
//! | | |
//! |---|---|
//! | `examples/first_hit.rs` | when and where a falling, turning cube first touches a torus |
//! | `examples/all_contacts.rs` | every contact of two tori, and those that a response needs |
//! | `examples/many_bodies.rs` | a thousand bodies a frame |
//! | `examples/robot_link.rs` | a link of a robot that swings past a scan, with its clearance |
//! | `examples/waypoints.rs` | a bar that passes waypoints past a post |
//! | `examples/batch.rs` | a hundred thousand motions on all cores |
//! | `examples/character.rs` | a character that walks, climbs steps and slides along walls |
//!
//! Meshes come from [`mesh::shapes`], from arrays ([`Polygons`]) or from [`mesh::files`].

pub mod bounds;
pub mod contact;
pub mod convex;
pub mod deform;
pub mod distance;
pub mod mesh;
pub mod motion;
pub mod near;
pub mod numeric;
mod parallel;
pub mod path;
pub mod query;
pub mod round;
pub mod screen;
pub mod screw;
pub mod solid;
pub mod trace;

pub use bounds::Collider;
pub use contact::{Contact, Features};
pub use glam;
pub use mesh::{Polygons, Polyhedron};
pub use motion::{Motion, Pose, Screw, Step};
pub use screw::{Options, Workspace, contacts};
