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
//! - `prediction`: what a sheet does to bodies that it carries, before they move;
//! - `sheet_contact`: contact springs of a sheet.
//!
//! ```
//! use chasles_dynamics::spring::law::Law;
//!
//! // A thousand newtons a metre at first, and no body ever gets deeper than a centimetre.
//! let spring = Law::new(1000.0, 0.01, 0.5)?;
//! assert!(spring.force(0.001, 1.0) > 0.9 && spring.force(0.01, 0.0).is_infinite());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adaptive;
mod conjugate_gradients;
pub(crate) mod implicit;
pub mod integrate;
pub mod law;
pub mod net;
mod prediction;
pub mod sheet;
mod sheet_contact;
mod substep;
mod vertex_impulses;
