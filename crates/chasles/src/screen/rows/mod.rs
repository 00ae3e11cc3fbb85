//! The drawing of rows: lines as they are, in rows as high as a short edge [Buss04 §9, steps four
//! to six].
//!
//! ```text
//!   Band         rows, and what is counted by them           band.rs
//!   Record       what a line leaves in a row; long rows      records.rs
//!   Footprints   what a face covers of a row                 footprint.rs
//!   sweep        vertices in faces, lines that cross         sweep.rs
//! ```

pub(super) mod band;
pub(super) mod footprint;
pub(super) mod records;
pub(super) mod sweep;
