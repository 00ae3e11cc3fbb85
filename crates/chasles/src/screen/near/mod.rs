//! Robust mode: what comes within a pixel and does not cross [Buss04 §10].
//!
//! ```text
//!   passing      from a part of a step to its near misses    passing.rs
//!   Finder       pairs of features whose boxes come near     pairs_near.rs
//!   Closest      the closest approach of a pair              closest.rs
//!   vertices over faces, and edges over edges                over_face.rs, over_edge.rs
//! ```

pub(super) mod closest;
pub(super) mod over_edge;
pub(super) mod over_face;
pub(super) mod pairs_near;
pub(super) mod passing;
