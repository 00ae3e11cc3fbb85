//! The paper's own drawing: pixels of one size, Bresenham's lines, and times from what is drawn
//! [Buss04 §9].
//!
//! ```text
//!   step three   pieces of edges -> runs of pixels          run.rs
//!   step four    runs by rows, sorted by h_min              sheet.rs
//!   step five    vertices in faces that are open            faces.rs, newton.rs
//!   step six     edges that share a pixel, or pass          crossings.rs, table.rs
//!                in layers of time; from a hash table       layers.rs, cells.rs
//!   Figure 14    the pixels of a curve, for pictures        chain.rs
//!   the rest     EV, VE, VV resolved; properness            settle.rs
//! ```
//!
//! Steps one and two, where the screen stands and what faces the motion, are those of the other
//! drawings, and so is what a contact says.

mod cells;
mod chain;
mod crossings;
mod faces;
mod layers;
mod newton;
mod run;
mod settle;
mod sheet;
mod table;

use crate::screen::rows::records::Order;
use crate::screen::rows::sweep::Touching;

pub(super) use chain::chain;
pub(super) use crossings::{Active, crossings, keep, mark};
pub(super) use faces::{Faces, vertices_in_faces};
pub(super) use sheet::Sheet;
pub(super) use table::Meetings;

/// How rows are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'t> {
    pub(super) touching: &'t Touching,
    /// In a coarse look what comes so close may meet, in pixels; else 0.
    pub(super) reach: u32,
    pub(super) order: Order,
}
