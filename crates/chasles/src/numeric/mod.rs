//! Numbers: the functions of a helix, without a threshold between turning and sliding.

mod helix;
pub mod roots;

pub use helix::{Helix, HelixAt, log_coefficient};
