//! The broad phase: which faces a moving box may reach, in the order in which it does.

use glam::DVec3;

use super::boxes::Boxes;
use super::bsp::Bsp;
use crate::bounds::Aabb;

/// How a world finds the faces near a motion. Answers do not depend on it, times do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Broad {
    /// A tree of boxes, four to a node: the faster one.
    #[default]
    Boxes,
    /// The paper's: an axial BSP tree from the bounding planes of the faces' boxes
    /// [Waveren05 §5].
    Bsp,
}

/// One or the other, built.
#[derive(Clone, Debug)]
pub(super) enum Index {
    Boxes(Boxes),
    Bsp(Bsp),
}

/// Memory of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    /// Nodes that wait, each with the parameter at which it is reached.
    pub(super) nodes: Vec<(f32, u32)>,
    /// The same for the BSP, with the parameter at which the node is left.
    pub(super) halves: Vec<([f64; 2], u32)>,
    /// The search that last met each face.
    pub(super) met: Vec<u32>,
    pub(super) search: u32,
}

impl Index {
    pub(super) fn new(broad: Broad, faces: &[Aabb]) -> Self {
        match broad {
            Broad::Boxes => Self::Boxes(Boxes::new(faces)),
            Broad::Bsp => Self::Bsp(Bsp::new(faces)),
        }
    }

    /// Calls `each` with every face whose box is reached, roughly in order and each once.
    ///
    /// *Accepts* the boxes of the faces that the index was built from. `each` returns the parameter
    /// up to which the search goes on; what is reached at once is never left out.
    #[inline]
    pub(super) fn visit(
        &self,
        faces: &[Aabb],
        front: &Front,
        pending: &mut Pending,
        each: impl FnMut(u32) -> f64,
    ) {
        match self {
            Self::Boxes(boxes) => boxes.visit(front, pending, each),
            Self::Bsp(bsp) => bsp.visit(faces, front, pending, each),
        }
    }

    /// Calls `each` with every face whose box overlaps a place.
    pub(super) fn overlapping(
        &self,
        faces: &[Aabb],
        place: &Aabb,
        pending: &mut Pending,
        mut each: impl FnMut(u32),
    ) {
        self.visit(faces, &Front::Still(*place), pending, |face| {
            if faces[face as usize].overlaps(place) {
                each(face);
            }
            0.0
        });
    }
}

/// The box that a search is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Front {
    /// It stands still, or it is around a whole motion.
    Still(Aabb),
    /// It moves by `velocity` while the parameter goes from 0 to 1.
    Moving { middle: DVec3, half: DVec3, velocity: DVec3, inverse: DVec3 },
}

impl Front {
    pub(super) fn moving(start: &Aabb, velocity: DVec3) -> Self {
        Self::Moving {
            middle: (start.low + start.high) * 0.5,
            half: (start.high - start.low) * 0.5,
            velocity,
            // Finite, so that the product with zero is zero: at rest along an axis a box is reached
            // at once or never.
            inverse: velocity.recip().clamp(DVec3::splat(-1e300), DVec3::splat(1e300)),
        }
    }

    /// The parameter at which a box is reached, if it is.
    #[inline]
    pub(super) fn reaches(&self, around: &Aabb) -> Option<f64> {
        match self {
            Self::Still(place) => around.overlaps(place).then_some(0.0),
            Self::Moving { middle, half, inverse, .. } => {
                let low = (around.low - half - middle) * inverse;
                let high = (around.high + half - middle) * inverse;
                let enter = low.min(high).max(DVec3::ZERO).max_element();
                let leave = low.max(high).min(DVec3::ONE).min_element();
                (enter <= leave).then_some(enter)
            }
        }
    }
}
