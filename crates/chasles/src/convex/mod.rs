//! Whether, where and how deep two convex bodies interpenetrate, by clipping.
//!
//! *Question.* Two closed convex bodies stand at given poses. Do they share a point? Which parts of
//! each lie inside the other, and how is the deepest of them pushed out? Vertices, edges clipped to
//! the other body's faces, and centres of faces are tried, both ways round, after Cyrus and Beck
//! [MW88 §2.2]. `docs/convex.md` has the derivation.
//!
//! *Accepts* any two [`Convex`] and any [`Pose`]s. *Guarantees* the answer of exact arithmetic for
//! the hulls of the vertices of A and of the placed vertices of B: there is no tolerance, touching
//! counts, with depth 0. A vertex `v` of B is placed once, at `poses[0].inverse_after(&poses[1])
//! .point(v)` in the frame of A, in doubles. If that is exact (shifts on a grid, half-turns), so
//! are the answers; else they are those of bodies that differ from the given ones by rounding. Only
//! where rounding leaves B flat is less known, see below. Points and depths are rounded. *Cost* for
//! bodies apart a few passes over the vertices; else up to
//! features of one times faces of the other, but parts that are outside are mostly seen at the
//! first face tried. Bodies apart by no more than rounding may need B's hull anew, which is
//! quadratic in its vertices. No allocation once the [`Workspace`] has grown. *Fails* never; see
//! below for where it is of no use.
//!
//! ```text
//! poses -> Pair      B in the frame of A; spheres, a plane between      apart.rs
//!       -> Solid     exact: vertices in, edges through                  solid.rs, side.rs, hull.rs
//!       -> Facets    pieces of edges, depths                            facets.rs
//!       -> Piece, Deepest in the world                                  here, workspace.rs
//! ```
//!
//! # Why vertices and edges are enough
//!
//! Let two closed convex polyhedra share a point. If their surfaces do not meet, one lies inside
//! the other, and with it all of its vertices. If they do meet, then so do a face `F` of one and a
//! face `G` of the other. `F` and `G` are convex polygons, so their common part is a point, a
//! segment or a polygon, and each of its corners lies on the rim of `F` or on that of `G`: on an
//! edge of one body that meets the other. So an edge meets the other body or one contains a vertex
//! of the other. With closed comparisons the centres of faces add nothing to the decision
//! (differs from [MW88 §2.2], whose open comparisons cannot see bodies that coincide, with centres
//! or without); they are reported because they are good points to push at.
//!
//! An edge meets a body if an end is inside, or else if it passes through a triangle of the surface
//! out of whose plane it stands. That suffices: an edge that lies in the plane of a face, with its
//! ends outside, crosses the rim of that face, and so passes through a neighbouring face; along the
//! rim itself it passes a corner of the body, and of the planes that meet there one does not
//! contain it. Both tests are signs of determinants of four points, which [Shewchuk97 §4] decides
//! exactly.
//!
//! *Where it fails.* The depth is that of points found, below the nearest face: the deepest of them
//! is a good place to push at, not the shortest way out of each other. Two edges that cross in the
//! middle have a contact normal across both; here it is that of the nearest face. Where B is so
//! small next to A or to their distance that the rounding of its placed vertices leaves it flat,
//! edges of A through its faces are missed.

mod apart;
mod body;
mod facets;
mod hull;
mod side;
mod solid;
mod workspace;

use glam::DVec3;

use crate::mesh::Polygons;
use crate::motion::Pose;
use apart::Pair;
use facets::Depth;

pub use body::{Convex, ConvexError};
pub(crate) use hull::tetrahedron as first_tetrahedron;
pub(crate) use side::{outside, without_dust};
pub use workspace::Workspace;

/// One of the two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// The first body.
    A,
    /// The second body.
    B,
}

impl Owner {
    /// The other body.
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    fn of<T: Copy>(self, [a, b]: &[T; 2]) -> T {
        match self {
            Self::A => *a,
            Self::B => *b,
        }
    }
}

/// A feature of a body, in the numbers of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// A vertex.
    Vertex(u32),
    /// An edge, as its two vertices, the lower number first. A polygon that is not flat to 1e-10 is
    /// cut into triangles, and the cuts are edges. Rarely, where rounding bends a face, a diagonal
    /// of that face.
    Edge([u32; 2]),
    /// The centre of a face: the mean of its corners. A polygon that is cut has one for each of
    /// its triangles.
    Face(u32),
}

/// A part of a feature of one body that lies inside the other, its boundary included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Whose feature it is.
    pub owner: Owner,
    /// Which feature.
    pub feature: Feature,
    /// The ends of the piece of an edge, in the world frame; for a vertex or a centre both are that
    /// point.
    pub ends: [DVec3; 2],
}

impl Piece {
    /// The middle of the piece.
    pub fn point(&self) -> DVec3 {
        0.5 * (self.ends[0] + self.ends[1])
    }
}

/// The deepest point found, and how to push it out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deepest {
    /// Whose feature the point belongs to; the other body contains it.
    pub owner: Owner,
    /// Which feature.
    pub feature: Feature,
    /// The face of the other body that is nearest, in the numbers of the input.
    pub face: u32,
    /// The point, in the world frame.
    pub point: DVec3,
    /// Its distance from the plane of that face; 0 for bodies that touch.
    pub depth: f64,
    /// The unit normal of that face in the world frame, pointing from A to B: moved along it by the
    /// depth, B no longer has the point in common with A.
    pub normal: DVec3,
}

/// The convex hull of points as a mesh of triangles, with the points as its vertices.
///
/// *Accepts* any points. *Guarantees* triangles that are counter-clockwise seen from outside,
/// decided exactly; points within the hull belong to no triangle. *Cost* quadratic at worst.
/// *Fails* with none where a coordinate is not finite or beyond 1e90, or all points lie in a plane.
///
/// ```
/// use chasles::convex::hull;
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [0.2, 0.2, 0.2]];
/// let tetrahedron = hull(&corners.map(Into::into)).expect("not flat");
/// assert_eq!(tetrahedron.faces.len(), 4);
/// ```
pub fn hull(points: &[DVec3]) -> Option<Polygons> {
    // Products of three coordinates stay within the range of doubles.
    if !points.iter().all(|p| p.is_finite() && p.abs().max_element() <= 1e90) {
        return None;
    }
    let points: Vec<DVec3> = points.iter().map(|&p| side::without_dust(p)).collect();
    let mut hull = hull::Hull::default();
    if !hull.rebuild(&points) {
        return None;
    }
    let faces = hull.triangles.iter().map(|t| t.to_vec()).collect();
    Some(Polygons { vertices: points, faces, ..Polygons::default() })
}

/// A point that both bodies have, or none if they are apart.
///
/// *Accepts* any two bodies; `poses` are those of A and of B. *Guarantees* as the [module](self)
/// says: some if and only if the bodies interpenetrate or touch. The first feature found in the
/// order vertices of B, of A, edges of B, of A. *Cost* see there; stops at the first feature.
/// *Fails* never.
///
/// ```
/// use chasles::convex::{Convex, Workspace, first_point};
/// use chasles::{Pose, mesh::shapes::{Cuboid, Shape}};
/// let cube = Convex::new(Shape::Box(Cuboid { size: [1.0; 3] }).build()?)?;
/// let mut workspace = Workspace::new();
/// let mut meets = |x: f64| {
///     let poses = [Pose::IDENTITY, Pose::from_position([x, 0.0, 0.0]).expect("finite")];
///     first_point(&cube, &cube, poses, &mut workspace).is_some()
/// };
/// assert!(meets(0.0) && meets(1.0) && !meets(1.0_f64.next_up()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_point(
    a: &Convex,
    b: &Convex,
    poses: [Pose; 2],
    workspace: &mut Workspace,
) -> Option<Piece> {
    let pair = Pair::new(a, b, poses);
    let part = workspace.meeting_part(&pair)?;
    let mut piece = workspace.piece(&pair, part);
    piece.ends = piece.ends.map(|p| poses[0].point(p));
    Some(piece)
}

/// All parts of features that lie inside the other body: vertices, pieces of edges and centres of
/// faces of B in A, then of A in B, each in the order of the input.
///
/// *Accepts* any two bodies; `poses` are those of A and of B. *Guarantees* as the [module](self)
/// says: empty if and only if the bodies are apart. An edge that only touches has a piece without
/// length. *Cost* see there. *Fails* never.
///
/// ```
/// use chasles::convex::{Convex, Owner, Workspace, all_points};
/// use chasles::{Pose, mesh::shapes::{Cuboid, Shape}};
/// // Crossed bars: no vertex of one is inside the other, but four edges of each pass through it.
/// let bar = |size| Convex::new(Shape::Box(Cuboid { size }).build().expect("fits"));
/// let (a, b) = (bar([4.0, 1.0, 1.0])?, bar([1.0, 4.0, 1.0])?);
/// let mut workspace = Workspace::new();
/// let pieces = all_points(&a, &b, [Pose::IDENTITY; 2], &mut workspace);
/// let of_b = pieces.iter().filter(|piece| piece.owner == Owner::B);
/// assert!(of_b.filter(|piece| piece.ends[0].distance(piece.ends[1]) == 1.0).count() == 4);
/// # Ok::<(), chasles::convex::ConvexError>(())
/// ```
pub fn all_points<'w>(
    a: &Convex,
    b: &Convex,
    poses: [Pose; 2],
    workspace: &'w mut Workspace,
) -> &'w [Piece] {
    let pair = Pair::new(a, b, poses);
    match workspace.meeting_part(&pair) {
        Some(part) => workspace.gather(&pair, part),
        None => workspace.pieces.clear(),
    }
    for piece in &mut workspace.pieces {
        piece.ends = piece.ends.map(|p| poses[0].point(p));
    }
    &workspace.pieces
}

/// Depths that differ by less than this, relative to the reach, are equal up to rounding.
const SAME_DEPTH: f64 = 64.0 * f64::EPSILON;

/// The deepest of all points found, or none if the bodies are apart.
///
/// *Accepts* any two bodies; `poses` are those of A and of B. *Guarantees* that of all points of
/// [`all_points`] none lies deeper below the nearest face of the body that contains it, up to
/// rounding. Of equally deep ones that which is farthest from all other faces is chosen, so that
/// the normal of bodies that rest on each other is that of the faces that touch. *Cost* as
/// [`all_points`], and a few passes over the faces for each piece. *Fails* never.
///
/// ```
/// use chasles::convex::{Convex, Workspace, deepest_point};
/// use chasles::{Pose, glam::DVec3, mesh::shapes::{Cuboid, Shape}};
/// let cube = Convex::new(Shape::Box(Cuboid { size: [1.0; 3] }).build()?)?;
/// let poses = [Pose::IDENTITY, Pose::from_position([0.25, 0.875, 0.25])?];
/// let deepest = deepest_point(&cube, &cube, poses, &mut Workspace::new()).expect("they meet");
/// assert_eq!((deepest.depth, deepest.normal), (0.125, DVec3::Y));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn deepest_point(
    a: &Convex,
    b: &Convex,
    poses: [Pose; 2],
    workspace: &mut Workspace,
) -> Option<Deepest> {
    let pair = Pair::new(a, b, poses);
    let part = workspace.meeting_part(&pair)?;
    workspace.gather(&pair, part);
    let Workspace { facets, pieces, depths, .. } = workspace;
    let slack = SAME_DEPTH * pair.reach;
    let mut greatest = 0.0_f64;
    depths.clear();
    depths.extend(pieces.iter().enumerate().filter_map(|(i, piece)| {
        let outer = &facets[piece.owner.other() as usize];
        let depth = outer.deepest(piece.ends, greatest - slack)?;
        greatest = greatest.max(depth.depth);
        Some((i, depth))
    }));
    let clearance =
        |(i, depth): &(usize, Depth)| facets[pieces[*i].owner.other() as usize].clearance(depth);
    let (i, depth, _) = depths
        .iter()
        .filter(|(_, depth)| depth.depth >= greatest - slack)
        .map(|found| (found.0, found.1, clearance(found)))
        .reduce(|best, next| if next.2 > best.2 { next } else { best })?;
    let Piece { owner, feature, .. } = pieces[i];
    let outward = facets[owner.other() as usize].normal(depth.face);
    let from_a_to_b = if owner == Owner::B { outward } else { -outward };
    Some(Deepest {
        owner,
        feature,
        face: pair.body(owner.other()).mesh().face_label(depth.face),
        point: poses[0].point(depth.point),
        depth: depth.depth,
        normal: poses[0].vector(from_a_to_b),
    })
}
