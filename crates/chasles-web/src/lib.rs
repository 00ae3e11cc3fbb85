//! The engine in a browser: detection, traces and worlds, compiled to WebAssembly.
//!
//! ```text
//! page (web/*.js) <- messages, arrays handed over -> worker -> this crate -> chasles, ...
//! ```
//!
//! # Nouns
//!
//! | | made from | gives |
//! |---|---|---|
//! | [`Body`] | a shape, arrays, the bytes of a mesh file | how it looks ([`Look`]) |
//! | [`Motion`] | poses, twists | poses at times |
//! | [`Pair`] | two bodies and their motions | the screws, and the collision screen |
//! | [`Engine`] | nothing: it keeps memory | [`Contacts`] of a pair, with [`Options`] |
//! | [`Room`] | bodies that stand | a [`Stop`] of each body that is moved through it |
//! | `Scene`, `Level`, `Simulation` | TOML or JSON, with the files that it names | all of these |
//!
//! There are two builds, since sizes differ much (docs/web.md has them). The whole one has the
//! features `methods` (all methods, round bodies, shapes by name, mesh files, screens) and `world`
//! (the last row). The small one has neither: meshes of arrays, the exact method and traces.
//!
//! # Numbers
//!
//! Whatever is asked for again and again goes in and out as typed arrays: no JSON, and no object
//! for each contact. A pose is seven numbers, a place and a quaternion x y z w. A row of contacts
//! is [`CONTACT_NUMBERS`] numbers and [`CONTACT_FEATURES`] whole numbers; [`Contacts`] says which.
//! Text is read where a body or a scene is made, and nowhere else.
//!
//! Contacts are those of the native program, and their numbers are the same to 1e-13: sines and
//! cosines are those of the platform, which differ in the last bit. There are no threads:
//! `chasles/threads` is off.
//!
//! # The worker
//!
//! `web/worker.js` owns all of this, so that the page never waits. A message is a name and
//! arguments; an answer is arrays that are handed over and not copied. Of a question that is asked
//! again before it is answered, as in a drag, only the last one is asked. Long work is a row of
//! short calls (a pair of a scene, a step of a world), between which the worker reports how far it
//! is and looks whether it is still wanted. A single call cannot be interrupted: if one is not
//! wanted any more and does not end, the page ends the worker and begins with a new one.
//!
//! # Errors
//!
//! What is wrong with the input is a [`Wrong`], which becomes an `Error` of JavaScript with the
//! same words as in the program: what, where, and what would be right.

mod body;
mod contacts;
mod error;
mod features;
#[cfg(feature = "world")]
mod files;
#[cfg(feature = "world")]
mod level;
mod look;
mod motion;
mod options;
mod pair;
mod room;
#[cfg(feature = "world")]
mod scene;
#[cfg(feature = "methods")]
mod screen;
#[cfg(feature = "world")]
mod simulation;

pub use body::Body;
pub use contacts::{CONTACT_NUMBERS, Contacts, Engine};
pub use error::Wrong;
pub use features::CONTACT_FEATURES;
#[cfg(feature = "world")]
pub use files::Files;
#[cfg(feature = "world")]
pub use level::Level;
pub use look::Look;
pub use motion::Motion;
#[cfg(feature = "methods")]
pub use options::Method;
pub use options::Options;
pub use pair::Pair;
pub use room::{Mover, Room, Stop, Way};
#[cfg(feature = "world")]
pub use scene::{Scene, scene_from_toml, scene_to_toml};
#[cfg(feature = "methods")]
pub use screen::Screen;
#[cfg(feature = "world")]
pub use simulation::Simulation;
