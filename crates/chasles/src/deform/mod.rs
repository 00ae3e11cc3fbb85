//! Surfaces whose vertices move in straight lines during a step: cloth, soft bodies, keyframes.
//!
//! *Question.* All vertices of two triangles, or of one surface, are given at the start and at the
//! end of a step and move in straight lines between. Do a vertex and a triangle, or two edges,
//! touch at some time, and when first? [MW88 §2.1] asks this for points and triangles.
//!
//! *Accepts* any finite positions. *Guarantees* that the decision is the one that real arithmetic
//! would make for these doubles: no false hit, no missed hit, for closed features, for motion in
//! a plane or along a line, for triangles and edges without size, for double roots. *Cost* about
//! 0.1 us for a pair that doubles can decide; some microseconds where rounding is in the way.
//! *Fails* never on finite input.
//!
//! [`Pair`] asks for two features, [`contacts`] and [`self_contacts`] for whole surfaces, and
//! [`free_fraction`] how far a step may go, [`closings`] who comes near, and [`Neighbours`] asks
//! those for many ways that differ little.
//!
//! ```text
//! two surfaces -> pairs whose boxes overlap          surface.rs, broad.rs, octree.rs
//!              -> contacts                           find.rs
//! four paths -> polygon that must hold the origin   forms.rs
//!            -> doubles with proven errors           filter.rs
//!            -> twice the digits                     fine.rs
//!            -> integers, Sturm chains               exact.rs, numeric/exact
//! ```

mod broad;
mod closest;
mod exact;
mod filter;
mod find;
mod fine;
mod forms;
mod labelled;
mod octree;
mod pair;
mod separation;
mod surface;
mod within;

pub use broad::BroadPhase;
pub use find::{
    Options, Statistics, Workspace, contacts, free_fraction, self_contacts, self_free_fraction,
};
pub use labelled::{Labelled, LabelledError, labelled};
pub use pair::{Decision, Kind, Pair, PositionError, Touch};
pub use surface::{Moving, Surface, SurfaceError};
pub use within::{Closing, Neighbours, closings, self_closings};
