//! Where the screen stands, and where points and bounds are on it [Buss04 §4.1, §6, §7].
//!
//! ```text
//!   Relative     the screw of one part of a step             relative.rs
//!   Axes         the axis is y; r, h and t of a point        axes.rs
//!   Lanes        the same for four points, in singles        lanes.rs
//!   Extent       bounds on the screen                        extent.rs
//!   Projection   curves and places, for pictures             projection.rs
//! ```

pub(super) mod axes;
pub(super) mod extent;
pub(super) mod lanes;
pub(super) mod projection;
pub(super) mod relative;
