//! What the page is about.

use chasles::glam::DVec3;
use chasles::{Motion, Pose};

use crate::report::frame::{Extent, Frame};
use crate::results::Results;
use crate::still::{FLOOR, Moment};
use chasles_scene::{Body, Scene};

/// A scene, what was found, and from where both are seen.
pub(super) struct Report<'r> {
    pub(super) scene: &'r Scene,
    pub(super) results: &'r Results,
    pub(super) frame: Frame,
    pub(super) moment: Moment,
    /// Whether the moment is that of a contact with which a collision begins.
    pub(super) is_begun: bool,
}

/// The times of all frames.
pub(super) struct Reel {
    pub(super) times: Vec<f64>,
    pub(super) note: Option<String>,
}

impl<'r> Report<'r> {
    pub(super) fn new(scene: &'r Scene, results: &'r Results) -> Self {
        let moment = Moment::of(results, None);
        let contacts = || results.pairs.iter().flat_map(|pair| &pair.contacts);
        let is_begun = contacts().any(crate::results::begins);
        Self { scene, results, frame: frame(scene), moment, is_begun }
    }

    pub(super) fn poses(&self, reel: &Reel, pose: impl Fn(f64) -> Pose) -> Vec<[f32; 7]> {
        reel.times.iter().map(|&time| self.frame.pose(&pose(time))).collect()
    }
}

/// The box around all bodies during the step, without floors.
fn frame(scene: &Scene) -> Frame {
    let mut extent = Extent::default();
    for body in scene.bodies().iter().filter(|body| !is_floor(scene, body)) {
        let bounds = body.mesh().bounds();
        match (body.motion(), body.deforming()) {
            (Some(motion), _) => include_motion(&mut extent, bounds, motion),
            (None, Some(deforming)) => {
                deforming.frames.ends().iter().flatten().for_each(|&place| {
                    extent.include([place; 2], &Pose::IDENTITY);
                });
            }
            (None, None) => extent.include(bounds, &Pose::IDENTITY),
        }
    }
    extent.frame()
}

fn include_motion(extent: &mut Extent, bounds: [DVec3; 2], motion: &Motion) {
    for i in 0..=8 {
        extent.include(bounds, &motion.pose_at(f64::from(i) / 8.0));
    }
}

/// Whether a body is so large that the first view need not show all of it.
pub(super) fn is_floor(scene: &Scene, body: &Body) -> bool {
    let size = |body: &Body| {
        let [low, high] = body.mesh().bounds();
        (high - low).length()
    };
    let others = scene.bodies().iter().filter(|other| other.name != body.name);
    let largest = others.map(size).fold(0.0, f64::max);
    largest > 0.0 && size(body) > FLOOR * largest
}
