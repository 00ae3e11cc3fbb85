//! Questions about bodies that stand still.

use glam::DVec3;

use super::error::{QueryError, Question, Side};
use super::feature::Features;
use super::geometry::Geometry;
use super::options::Method;
use super::workspace::Workspace;
use crate::bounds::Collider;
use crate::motion::Pose;
use crate::path;
use crate::{distance, near};

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

/// Bodies this share of their size in each other only touch: as [`near::intersect`] has it.
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

/// A place where two surfaces are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// What is near what.
    pub features: Features,
    /// The closest point of A, in the world frame.
    pub point_a: DVec3,
    /// The closest point of B, in the world frame.
    pub point_b: DVec3,
    /// Unit, from A to B, in the world frame.
    pub normal: DVec3,
    /// The distance of the two points, not negative.
    pub gap: f64,
    /// How well the features face each other, in `[-1, 1]`.
    pub properness: f64,
}

/// All places where two meshes at rest are within `reach` of each other: the contact points of a
/// solver.
///
/// *Accepts* two meshes that do not overlap, at poses of A and B, and any reach. *Guarantees* and
/// *Cost* as [`near::near`] with [`near::Options::within`]: one place for each vertex over a face
/// and each two edges that cross. *Fails* where a body is no mesh.
///
/// ```
/// use chasles::Pose;
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::query::{Geometry, Workspace, near};
///
/// let floor = Geometry::shape(&Shape::Box(Cuboid { size: [9.0, 1.0, 9.0] }))?;
/// let cube = Geometry::shape(&Shape::Box(Cuboid::default()))?;
/// let poses = [Pose::IDENTITY, Pose::from_position([1.0, 1.001, 2.0])?];
/// let mut workspace = Workspace::new();
/// let places = near(&floor, &cube, poses, 0.01, &mut workspace)?;
/// assert!(places.len() == 4 && places.iter().all(|place| place.normal.y == 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn near<'w>(
    a: &Geometry,
    b: &Geometry,
    poses: [Pose; 2],
    reach: f64,
    workspace: &'w mut Workspace,
) -> Result<&'w [Near], QueryError> {
    let (Some(of_a), Some(of_b)) = (a.collider(), b.collider()) else {
        return Err(QueryError::NoMethod {
            question: Question::Near,
            bodies: [a.kind(), b.kind()],
            method: Method::Auto,
            alternatives: "only meshes have them: Geometry::shape and solid::surface make meshes",
        });
    };
    let Workspace { methods, near, .. } = workspace;
    let options = near::Options::within(reach);
    let found = near::near(of_a, of_b, poses, &options, methods.near.get_or_insert_default());
    near.clear();
    near.extend(found.iter().map(|place| Near {
        features: place.features.into(),
        point_a: place.point_a,
        point_b: place.point_b,
        normal: place.normal,
        gap: place.gap,
        properness: place.properness,
    }));
    Ok(near)
}
