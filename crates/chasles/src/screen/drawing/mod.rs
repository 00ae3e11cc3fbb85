//! What is drawn of a body: the faces that face the motion, their edges, and these as curves
//! [Buss04 §4.2, §8, §9, steps one to three].
//!
//! ```text
//!   Clusters   boxes that meet                               clusters.rs      §10
//!   Hulls      coarse polytopes that meet, if asked for      hulls.rs         §10
//!   Facing     which way a face looks, and where it is cut   facing.rs        §4.2
//!   Tiles      facing faces in reach of the other body       front_faces.rs
//!   Strokes    their edges, cut where a face turns away      front_edges.rs   step two
//!   Sectors    what is drawn twice, behind the axis          doppel.rs        §8
//!   Pen        an edge as straight pieces                    pieces.rs        step three
//!   Body       what all of these ask about a body            body.rs
//!   Drawn      all of it for one body                        drawn.rs
//! ```

pub(super) mod body;
pub(super) mod clusters;
pub(super) mod doppel;
pub(super) mod drawn;
pub(super) mod facing;
pub(super) mod front_edges;
pub(super) mod front_faces;
pub(super) mod hulls;
pub(super) mod pieces;
