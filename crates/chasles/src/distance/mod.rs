//! How far two meshes are apart: at rest, over a motion, and how they are separated if they
//! overlap.
//!
//! *Question.* Two bodies stand at given poses. What is their distance, and where are the closest
//! points? If they overlap, which parts do, and what separates them? How near do they come on their
//! way? [`distance`], [`overlapping_parts`], [`penetration`] and [`clearance`] answer.
//! `docs/distance.md` has the derivations.
//!
//! *Accepts* any two [`Collider`]s, open or closed. *Guarantees* the answer up to rounding, and the
//! same bits for the same input, whatever the [`Workspace`] was used for before. *Fails* never.
//!
//! ```text
//! poses -> Scene      B in A's frame; bounds of boxes, four at a time    scene.rs
//!       -> Search     pairs of nodes, the nearest first                  search.rs
//!       -> Leaves     vertices over faces, edges, what passes through    leaf.rs, segment.rs
//!       -> Distance   in the world, in the numbers of the input          here, outcome.rs
//!       -> pairs      of faces through each other, if they overlap       overlap.rs
//! step  -> While      halved where its bound is least                    clearance.rs
//!       -> Sweep      the same search with bounds over a while           sweep.rs
//! poses -> Search     of one tree beside a cylinder or a cone            from_revolved.rs
//!       -> Nearest    of two of these                                    both_revolved.rs
//! step  -> Glide      the same over a while                              glide.rs
//! poses -> Out        of convex bodies, by hulls of differences          polytope.rs
//!       -> Exit       of others, back from outside to the first contact  penetration.rs
//! ```
//!
//! # Where it fails
//!
//! A body inside a closed one overlaps it, however it got there; inside an open one it does not.
//! Bodies that touch within 1e-10 of the smaller one's size are judged as
//! [`crate::near::intersect`] does, with the same limits.

mod both_revolved;
mod clearance;
mod from_revolved;
mod glide;
mod leaf;
mod outcome;
mod overlap;
mod penetration;
mod polytope;
mod revolved;
mod scene;
mod search;
mod segment;
mod sweep;

use std::collections::BinaryHeap;

use glam::DVec3;

use crate::bounds::Collider;
use crate::motion::Pose;
use crate::{near, screw};
use clearance::{While, poses_at};
use outcome::Outcome;
use scene::Scene;
use search::Search;

pub(crate) use both_revolved::{BothRevolvedGap, between_revolved};
pub use clearance::{Clearance, clearance};
pub(crate) use from_revolved::{RevolvedGap, from_revolved};
pub(crate) use glide::{Moving, Standing, beside_revolved};
pub use overlap::overlapping_parts;
pub use penetration::{Penetration, penetration};

/// A part of a body, in the numbers of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// A vertex.
    Vertex(u32),
    /// An edge between its ends, as its two vertices, the lower number first.
    Edge([u32; 2]),
    /// A face within its border.
    Face(u32),
    /// What a closed surface encloses.
    Inside,
}

/// The distance of two bodies at rest. Every field is valid whenever a `Distance` exists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The distance of the two points; 0 if the bodies overlap.
    pub distance: f64,
    /// The closest points of A and B, in the world frame. Of bodies that overlap, a point of both,
    /// twice.
    pub points: [DVec3; 2],
    /// Unit, in the world frame: from A to B, so that B moves away along it. Of bodies that overlap
    /// it is across the face that is passed through, or towards the nearest wall.
    pub normal: DVec3,
    /// The closest parts of A and B. Of bodies that overlap an edge and the face that it passes
    /// through, or a vertex and the inside of the other body; of those that touch where they also
    /// overlap, what touches. [`overlapping_parts`] has all that overlap.
    pub features: [Feature; 2],
    /// Whether the bodies share more than points where they touch.
    pub overlaps: bool,
}

/// Memory that queries use again.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    search: Search,
    near: near::Workspace,
    stack: Vec<u32>,
    whiles: BinaryHeap<While>,
    screw: Option<Box<screw::Workspace>>,
    overlapping: Vec<[Feature; 2]>,
    nodes: from_revolved::Queue,
}

impl Workspace {
    /// An empty workspace, which grows in the first queries.
    pub fn new() -> Self {
        Self::default()
    }
}

/// The distance of two bodies at rest, with the closest points.
///
/// *Accepts* any two colliders and any poses. *Guarantees* the least distance of two points of the
/// surfaces, up to 1e-14 of the sizes and the distance of the bodies; 0 if an edge of one passes
/// through a face of the other, if one lies inside the other and that is closed, and where bodies
/// that touch overlap by the rules of [`crate::near::intersect`]. *Cost* grows about with the cube
/// root of the faces, see `docs/benchmarks.md`; the first query of a collider fits boxes to its
/// tree. No allocation once the workspace has grown. *Fails* never.
///
/// ```
/// use chasles::distance::{Feature, Workspace, distance};
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::{Collider, Pose};
///
/// let cube = Collider::new(Shape::Box(Cuboid::default()).build()?);
/// let mut workspace = Workspace::new();
/// let poses = [Pose::IDENTITY, Pose::from_position([4.0, 5.0, 0.25])?];
/// let found = distance(&cube, &cube, poses, &mut workspace);
/// assert!((found.distance - 5.0).abs() < 1e-12 && !found.overlaps);
/// assert!(matches!(found.features, [Feature::Edge(_) | Feature::Vertex(_), _]));
///
/// let poses = [Pose::IDENTITY, Pose::from_position([0.5, 0.5, 0.25])?];
/// let found = distance(&cube, &cube, poses, &mut workspace);
/// assert!(found.distance == 0.0 && found.overlaps);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(
    a: &Collider,
    b: &Collider,
    poses: [Pose; 2],
    workspace: &mut Workspace,
) -> Distance {
    let scene = Scene::new(a, b, &poses);
    Outcome::new(&scene, &poses, workspace).to_world(&scene, &poses[0])
}
