//! Bevy's transforms, which are singles and may scale, and poses, which are doubles and rigid.

use bevy_ecs::component::Component;
use bevy_math::{Mat3, Quat, Vec3};
use bevy_transform::components::{GlobalTransform, Transform};
use chasles::Pose;
use chasles::glam::{DMat3, DQuat, DVec3};
use chasles::motion::MotionError;
use thiserror::Error;

/// Why a transform is no pose.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum PoseError {
    /// It scales, shears or mirrors.
    #[error(
        "the transform is not rigid: its axes have lengths {0}, or are not at right angles, or \
         mirror; scale the mesh instead of the transform"
    )]
    NotRigid(DVec3),
    /// It has numbers that no pose can have.
    #[error(transparent)]
    Motion(#[from] MotionError),
}

/// A matrix this far from a rotation is one that scales. Products of singles are off by 1e-7 for
/// each level of a hierarchy; nobody sees a scale of 1.0001.
const RIGID: f64 = 1e-4;

/// The pose that a transform in the world stands for.
///
/// *Accepts* any transform. *Guarantees* the position to the bit, and the nearest rotation to
/// rounding. *Cost* constant. *Fails* where it scales, shears or mirrors by more than 1e-4, or is
/// not finite.
///
/// ```
/// use bevy_chasles::pose_of;
/// use bevy_transform::components::{GlobalTransform, Transform};
/// let there = GlobalTransform::from(Transform::from_xyz(1.0, 2.0, 3.0));
/// assert_eq!(pose_of(&there)?.position().to_array(), [1.0, 2.0, 3.0]);
/// # Ok::<(), bevy_chasles::PoseError>(())
/// ```
pub fn pose_of(transform: &GlobalTransform) -> Result<Pose, PoseError> {
    let affine = transform.affine();
    let axes = Mat3::from(affine.matrix3).to_cols_array().map(f64::from);
    let position = double(affine.translation.into());
    let axes = DMat3::from_cols_array(&axes);
    if !axes.is_finite() {
        return Err(MotionError::NotARotation(DQuat::from_array([f64::NAN; 4])).into());
    }
    let off = (axes.transpose() * axes - DMat3::IDENTITY).to_cols_array();
    if off.iter().any(|entry| entry.abs() > RIGID) || axes.determinant() < 0.0 {
        let lengths = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length);
        return Err(PoseError::NotRigid(DVec3::from_array(lengths)));
    }
    Ok(Pose::new(position, DQuat::from_mat3(&axes))?)
}

/// A pose as a transform: each number rounded to the nearest single.
pub fn transform_of(pose: &Pose) -> Transform {
    let rotation = pose.rotation().to_array().map(|number| number as f32);
    Transform::from_translation(single(pose.position())).with_rotation(Quat::from_array(rotation))
}

/// Where a plugin of this crate has put an entity, in doubles.
///
/// It is added by [`Character`](crate::Character) and [`RigidBody`](crate::RigidBody). To move such
/// an entity elsewhere, change its `Transform`: what was written there before no longer agrees, and
/// the transform counts.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct ExactPose {
    pub(crate) pose: Option<Pose>,
    written: Transform,
}

impl ExactPose {
    /// The pose; none before the first frame.
    pub fn pose(&self) -> Option<Pose> {
        self.pose
    }

    /// The pose, unless somebody else has changed the transform since.
    pub(crate) fn if_unchanged(&self, transform: &Transform) -> Option<Pose> {
        self.pose.filter(|_| self.written == *transform)
    }

    /// Takes a pose, and writes it to a transform if that would change.
    pub(crate) fn put(
        &mut self,
        pose: Pose,
        transform: &mut bevy_ecs::change_detection::Mut<Transform>,
    ) {
        let written = transform_of(&pose);
        if **transform != written {
            **transform = written;
        }
        *self = Self { pose: Some(pose), written };
    }

    /// Takes the pose that a transform stands for.
    pub(crate) fn adopt(&mut self, transform: &Transform) -> Result<Pose, PoseError> {
        let pose = pose_of(&GlobalTransform::from(*transform))?;
        *self = Self { pose: Some(pose), written: *transform };
        Ok(pose)
    }
}

pub(crate) fn double(vector: Vec3) -> DVec3 {
    DVec3::from_array(vector.to_array().map(f64::from))
}

pub(crate) fn single(vector: DVec3) -> Vec3 {
    Vec3::from_array(vector.to_array().map(|number| number as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn global(transform: Transform) -> GlobalTransform {
        GlobalTransform::from(transform)
    }

    #[test]
    fn a_pose_comes_back_as_the_same_transform() {
        let turned = Transform::from_xyz(1.5, -2.25, 1e6)
            .with_rotation(Quat::from_rotation_y(0.75) * Quat::from_rotation_x(-2.0));
        let pose = pose_of(&global(turned)).unwrap();
        let back = transform_of(&pose);
        assert_eq!(back.translation, turned.translation);
        assert!(back.rotation.dot(turned.rotation).abs() > 1.0 - 1e-6);
        assert!((pose.rotation().length() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn what_is_not_rigid_is_refused() {
        for scale in [[2.0, 2.0, 2.0], [1.0, 1.001, 1.0], [-1.0, 1.0, 1.0], [0.0, 1.0, 1.0]] {
            let scaled = global(Transform::from_scale(Vec3::from_array(scale)));
            assert!(matches!(pose_of(&scaled), Err(PoseError::NotRigid(_))), "{scale:?}");
        }
        // A shear: a scaled parent of a turned child.
        let parent = global(Transform::from_scale(Vec3::new(2.0, 0.5, 1.0)));
        let child = parent * Transform::from_rotation(Quat::from_rotation_z(0.7));
        assert!(pose_of(&child).is_err());
        let lost = global(Transform::from_xyz(f32::NAN, 0.0, 0.0));
        assert!(matches!(pose_of(&lost), Err(PoseError::Motion(_))));
    }

    #[test]
    fn a_deep_hierarchy_of_rotations_is_rigid() {
        let link = Transform::from_xyz(0.1, 0.0, 0.3).with_rotation(Quat::from_rotation_x(0.37));
        let end = (0..100).fold(GlobalTransform::IDENTITY, |at, _| at * link);
        assert!(pose_of(&end).is_ok());
    }
}
