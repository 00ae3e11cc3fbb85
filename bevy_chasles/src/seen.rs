//! Where colliders were in the frame before.

use bevy_ecs::component::Component;
use bevy_transform::components::GlobalTransform;
use chasles::Pose;

use crate::pose::{PoseError, pose_of};

/// Where a collider was seen last. To teleport an entity, so that it meets nothing on the way,
/// insert `Seen::default()` together with its new transform.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Seen {
    pose: Option<Pose>,
    refused: Option<PoseError>,
}

impl Seen {
    /// The pose at the end of the last frame; none for an entity that is new or was refused.
    pub fn pose(&self) -> Option<Pose> {
        self.pose
    }

    /// Where the body is now and was before; tells once why it is nowhere.
    pub(crate) fn look(
        &mut self,
        transform: &GlobalTransform,
    ) -> Result<[Pose; 2], Option<PoseError>> {
        match pose_of(transform) {
            Ok(pose) => {
                let from = self.pose.unwrap_or(pose);
                *self = Self { pose: Some(pose), refused: None };
                Ok([from, pose])
            }
            Err(error) => {
                // A transform that is not finite equals nothing, and is told by its kind.
                let told =
                    self.refused.is_some_and(|before| before.to_string() == error.to_string());
                *self = Self { pose: None, refused: Some(error) };
                Err((!told).then_some(error))
            }
        }
    }
}
