//! Joints hold, impulses pass through whole linkages, and nothing gains energy by it.

mod algebra;
mod input;
mod kinds;
mod kit;
mod motion;
mod random;
mod stops;
