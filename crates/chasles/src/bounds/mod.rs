//! Boxes, hierarchies and the finding of pairs that may touch.

mod collider;

pub use collider::Collider;
