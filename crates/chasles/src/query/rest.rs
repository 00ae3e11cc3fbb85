//! Questions about bodies that stand still.

use super::error::{QueryError, Side};
use super::geometry::Geometry;
use super::workspace::Workspace;
use crate::bounds::Collider;
use crate::distance;
use crate::motion::Pose;
use crate::path;

/// Whether two bodies share points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// They do not, or they only touch.
    Apart,
    /// They do.
    Overlapping,
    /// The samples of their surfaces do not tell; never of meshes, spheres and capsules.
    Undecided,
}

/// Bodies this share of their size in each other only touch: as
/// [`near::intersect`](crate::near::intersect) has it.
const TOUCHING: f64 = 1e-10;

/// Whether two bodies at rest are in each other.
///
/// *Accepts* bodies of any kind at poses of A and B. *Guarantees* for meshes, spheres and capsules
/// what [`near::intersect`] does: bodies that only touch, by up to 1e-10 of their size, are apart.
/// For cylinders and solids what samples of their surfaces prove: [`Overlap::Overlapping`] if one
/// of them is in the other body, [`Overlap::Apart`] if all are farther from it than their cover.
/// *Cost* that of [`near::intersect`], or a question for each sample. *Fails* where a body cannot
/// be sampled.
///
/// ```
/// use chasles::Pose;
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::query::{Geometry, Overlap, Workspace, overlaps};
///
/// let cube = Geometry::shape(&Shape::Box(Cuboid::default()))?;
/// let ball = Geometry::sphere(0.5)?;
/// let mut workspace = Workspace::new();
/// for (x, expected) in [(0.9, Overlap::Overlapping), (1.0, Overlap::Apart)] {
///     let poses = [Pose::IDENTITY, Pose::from_position([x, 0.0, 0.0])?];
///     assert_eq!(overlaps(&cube, &ball, poses, &mut workspace)?, expected);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`near::intersect`]: crate::near::intersect
pub fn overlaps(
    a: &Geometry,
    b: &Geometry,
    poses: [Pose; 2],
    workspace: &mut Workspace,
) -> Result<Overlap, QueryError> {
    if let (Some(a), Some(b)) = (a.core(), b.core()) {
        let workspace = workspace.methods.distance.get_or_insert_default();
        return Ok(match cores_overlap([a, b], poses, workspace) {
            true => Overlap::Overlapping,
            false => Overlap::Apart,
        });
    }
    let [a, b] = [a.probe(Side::A)?, b.probe(Side::B)?];
    let b_in_a = poses[0].inverse_after(&poses[1]);
    let of_b = surface_in(&b, &a, &b_in_a);
    let of_a = surface_in(&a, &b, &b_in_a.inverse());
    Ok(match [of_a, of_b] {
        [Some(Overlap::Overlapping), _] | [_, Some(Overlap::Overlapping)] => Overlap::Overlapping,
        // No point of a surface is in the other body: neither crosses, and neither is inside.
        [Some(Overlap::Apart), Some(Overlap::Apart)] => Overlap::Apart,
        _ => Overlap::Undecided,
    })
}

/// Whether the cores of two bodies, meshes or not, are nearer than their radii, or in each other.
fn cores_overlap(
    [(a, radius_a), (b, radius_b)]: [(&Collider, f64); 2],
    poses: [Pose; 2],
    workspace: &mut distance::Workspace,
) -> bool {
    let found = distance::distance(a, b, poses, workspace);
    found.overlaps || found.distance < (radius_a + radius_b) * (1.0 - TOUCHING)
}

/// What samples of one body tell about its surface and the other's solid, given the pose of the
/// first in the frame of the other; none if there are none.
fn surface_in(of: &path::Body, other: &path::Body, pose: &Pose) -> Option<Overlap> {
    let (samples, solid) = (of.samples?, other.solid?);
    let mut told = Overlap::Apart;
    for (_, place) in samples.iter() {
        let distance = solid.distance(pose.point(place));
        if distance.high < 0.0 {
            return Some(Overlap::Overlapping);
        }
        // What is not a number tells nothing.
        let is_clear = distance.low > samples.cover();
        if !is_clear {
            told = Overlap::Undecided;
        }
    }
    Some(told)
}
