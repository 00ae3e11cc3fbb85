//! All places where two meshes at rest are near each other: the contact points of a solver.
//!
//! *Question.* Two bodies stand at given poses and do not interpenetrate. Where are their surfaces
//! within a distance of each other, and in which direction? The answer is a list of pairs of
//! features [Buss04 §5]:
//!
//! 1. a vertex of one body in front of a face of the other;
//! 2. two edges whose closest points lie within both;
//! 3. a vertex and an edge, or two vertices, where no point next to them is nearer. The face next
//!    to them with the better properness stands for the edge or vertex, and the normal lies along
//!    the line between the two points.
//!
//! Seams between coplanar faces, and vertices within a plane, are no features: a box on a floor has
//! four contact points, however the floor is cut into triangles. What is found at one place several
//! times is reported once; only between faces that rise from a common edge, as floor and wall do, a
//! vertex that touches both is there twice.
//!
//! *Accepts* any two [`Collider`]s and any [`Pose`]s; meshes may be open, and their faces then
//! count from both sides. *Guarantees* that the places do not depend on the order of the bodies;
//! that where the bodies are apart by less than the reach, the smallest gap is their distance; and
//! the same bits for the same input. *Cost* for two cubes a few microseconds; else proportional to
//! the pairs of leaves of the two trees within reach; where tips of `n` edges meet `n² log n`, and
//! memory for the places that are kept. No allocation once the [`Workspace`] has grown. *Fails*
//! never.
//!
//! ```text
//! poses -> Scene      each body in the other's frame, pairs of leaves    scene.rs
//!       -> Leaves     corners and ridges near the other leaf             leaf.rs
//!       -> Found      vertices over faces; ridges; edges and vertices    find.rs, ridges.rs, corners.rs
//!       -> Near       one for each place, in the world                   merge.rs, here
//! ```
//!
//! [`intersect`] says whether the bodies interpenetrate; [`crate::distance`] has their distance
//! alone.
//!
//! # Where it fails
//!
//! Features are judged by what is next to them. A vertex before a thin wall is also in front of a
//! face behind that wall, if that is within reach; with a reach below the thickness of walls and
//! the width of slots this does not occur. Bodies that interpenetrate by more than rounding have
//! near places only elsewhere. Edges and vertices without faces that touch, rather than being
//! apart, are found by their edges alone.

mod corners;
mod find;
mod inside;
mod intersect;
mod leaf;
mod merge;
mod ridges;
mod scene;
mod share;

use glam::DVec3;

use crate::bounds::Collider;
use crate::contact::{Features, Met};
use crate::mesh::Polyhedron;
use crate::motion::Pose;
use find::{Finder, Found};
use leaf::Leaves;
use scene::Scene;
use share::Touches;

pub(crate) use inside::contains;
pub use intersect::intersect;
pub(crate) use intersect::{Cut, cut, piercings};
pub(crate) use scene::TOUCHING;

/// Which places are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The largest gap, in the unit of the meshes; NaN and negative numbers find nothing.
    pub reach: f64,
    /// Places with a lower properness are left out; NaN leaves out all. At 0 only places are left
    /// where no point next to them is nearer; a little less keeps those that the bodies may turn
    /// to.
    pub min_properness: f64,
}

impl Options {
    /// Everything up to this distance with a properness of at least -0.1, which takes a box that is
    /// tilted by up to five degrees as lying on four corners.
    pub fn within(reach: f64) -> Self {
        Self { reach, min_properness: -0.1 }
    }
}

/// A place where two surfaces are near each other. Every field is valid whenever a `Near` exists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// What is near what, in the numbers of the input.
    pub features: Features,
    /// The closest point of A, in the world frame.
    pub point_a: DVec3,
    /// The closest point of B, in the world frame: `point_a + gap * normal`, up to rounding.
    pub point_b: DVec3,
    /// Unit, from A to B, in the world frame.
    pub normal: DVec3,
    /// The distance of the two points, not negative.
    pub gap: f64,
    /// How well the features face each other, in `[-1, 1]` [Buss04 §5].
    pub properness: f64,
    /// Unit directions of A's and B's edge, in the world frame, where two edges are near each
    /// other.
    pub edges: Option<[DVec3; 2]>,
}

/// Memory that queries use again.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    stack: Vec<[u32; 2]>,
    leaves: Leaves,
    found: Vec<Found>,
    memory: merge::Memory,
    near: Vec<Near>,
    touches: Touches,
}

impl Workspace {
    /// An empty workspace, which grows in the first queries.
    pub fn new() -> Self {
        Self::default()
    }
}

/// All places where the surfaces of A and B are within `options.reach` of each other.
///
/// *Accepts*, *Guarantees*, *Cost* and *Fails*: see the [module](self). Places are in the order of
/// their features.
///
/// ```
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::near::{Options, Workspace, near};
/// use chasles::{Collider, Pose};
///
/// let floor = Collider::new(Shape::Box(Cuboid { size: [9.0, 1.0, 9.0] }).build()?);
/// let cube = Collider::new(Shape::Box(Cuboid::default()).build()?);
/// let poses = [Pose::IDENTITY, Pose::from_position([1.0, 1.001, 2.0])?];
/// let mut workspace = Workspace::new();
/// let places = near(&floor, &cube, poses, &Options::within(0.01), &mut workspace);
/// assert_eq!(places.len(), 4);
/// assert!(places.iter().all(|place| (place.gap - 0.001).abs() < 1e-12 && place.normal.y == 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn near<'w>(
    a: &Collider,
    b: &Collider,
    poses: [Pose; 2],
    options: &Options,
    workspace: &'w mut Workspace,
) -> &'w [Near] {
    let Workspace { stack, leaves, found, memory, near, .. } = workspace;
    found.clear();
    near.clear();
    if options.reach >= 0.0 {
        let scene = Scene::new([a, b], &poses, options.reach);
        let mut finder = Finder { scene, options: *options, found };
        memory.begin();
        scene.leaves(options.reach, stack, |p, q| {
            finder.leaves([p, q], leaves);
            memory.thin(finder.found, &scene);
            true
        });
        memory.merge(found, &scene);
        let pose = &poses[0];
        near.extend(found.iter().map(|found| {
            let point_a = pose.point(found.point + a.pivot());
            let normal = pose.vector(found.normal);
            let along = |mesh: &Polyhedron, edge: u32, pose: &Pose| {
                let [from, to] = mesh.edge(edge).map(|v| mesh.position(v));
                pose.vector((to - from).normalize_or_zero())
            };
            let is_crossing = found.pair.met == Met::EdgeEdge;
            let edges = is_crossing.then(|| {
                let [of_a, of_b] = [found.pair.a, found.pair.b];
                [along(a.mesh(), of_a, &poses[0]), along(b.mesh(), of_b, &poses[1])]
            });
            Near {
                features: found.pair.labelled(a.mesh(), b.mesh()),
                point_a,
                point_b: point_a + found.gap * normal,
                normal,
                gap: found.gap,
                properness: found.properness,
                edges,
            }
        }));
        near.sort_unstable_by(in_order);
    }
    near
}

/// By features, then by where they are.
fn in_order(p: &Near, q: &Near) -> std::cmp::Ordering {
    let place = |near: &Near| near.point_a.to_array();
    let [x, y] = [place(p), place(q)];
    let by_place = x.iter().zip(&y).map(|(x, y)| x.total_cmp(y));
    p.features
        .cmp(&q.features)
        .then_with(|| by_place.fold(std::cmp::Ordering::Equal, |all, next| all.then(next)))
}
