//! Where things are in the picture: shifted and scaled, so that singles are enough for them.

use chasles::Pose;
use chasles::glam::DVec3;

use super::data::FrameData;

/// A box that grows with what it shall show.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    low: DVec3,
    high: DVec3,
}

impl Default for Extent {
    /// A box with nothing in it.
    fn default() -> Self {
        Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY }
    }
}

impl Extent {
    /// Takes in a box at a pose.
    pub fn include(&mut self, [low, high]: [DVec3; 2], pose: &Pose) {
        for i in 0..8 {
            let pick = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
            let corner = pose.point(DVec3::new(pick(0), pick(1), pick(2)));
            if corner.is_finite() {
                self.low = self.low.min(corner);
                self.high = self.high.max(corner);
            }
        }
    }

    /// What stands in the middle of the picture, and half of its longest side.
    pub fn frame(&self) -> Frame {
        if !(self.low.is_finite() && self.high.is_finite()) {
            return Frame { centre: DVec3::ZERO, scale: 1.0 };
        }
        let half = (self.high * 0.5 - self.low * 0.5).max_element();
        let centre = self.low * 0.5 + self.high * 0.5;
        // Below this the reciprocal overflows.
        Frame { centre, scale: if half > 1e-300 { half } else { 1.0 } }
    }
}

/// From the world to the picture.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    centre: DVec3,
    scale: f64,
}

impl Frame {
    /// A place of a body in its own frame, as drawn.
    pub fn local(&self, point: DVec3) -> [f32; 3] {
        (point / self.scale).as_vec3().to_array()
    }

    /// The same with all digits.
    pub fn local_exact(&self, point: DVec3) -> [f64; 3] {
        (point / self.scale).to_array()
    }

    /// A pose as drawn.
    pub fn pose(&self, pose: &Pose) -> [f32; 7] {
        let [x, y, z] = self.local(pose.position() - self.centre);
        let [i, j, k, w] = pose.rotation().as_quat().to_array();
        [x, y, z, i, j, k, w]
    }

    /// What the page is told.
    pub fn data(&self) -> FrameData {
        FrameData { centre: self.centre.to_array(), scale: self.scale }
    }
}
