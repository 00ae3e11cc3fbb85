//! How far a body gets through another that stands still.

use glam::DVec3;

use super::error::{QueryError, Question};
use super::feature::{Feature, Features};
use super::geometry::Geometry;
use super::workspace::Workspace;
use crate::contact;
use crate::mesh::Polyhedron;
use crate::motion::Pose;
use crate::trace::{Touch, Trace, Travel};

/// How far a body got, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cast {
    /// How much of the travel is done, in `[0, 1]`.
    pub fraction: f64,
    /// Where B is then; bit for bit the start where the fraction is 0 and A is at the identity.
    pub end: Pose,
    /// Whether B intersects A at the start. It then does not move at all.
    pub started_solid: bool,
    /// The thickness of the expel zone, which B does not enter.
    pub thickness: f64,
    /// What stopped B, if the travel is not done.
    pub stop: Option<Stop>,
}

/// What stops a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// What is before what.
    pub features: Features,
    /// Where: the vertex, or a point of A's edge.
    pub point: DVec3,
    /// Unit, from A to B.
    pub normal: DVec3,
    /// How far apart the features are along the normal.
    pub distance: f64,
}

/// Moves B through A, which stands still, until something stops it.
///
/// Use this where B must never be in A, whatever rounding does: it stops just before it touches.
/// For a world of many bodies, for points, and for characters see [`trace`](crate::trace).
///
/// *Accepts* two meshes at poses of A and B, and a [`Travel`]: a shift, a turn, or both in
/// portions. *Guarantees* what [`trace`](crate::trace) does: the body does not intersect A on the
/// way nor at the end, and a stop is at most three thicknesses of the expel zone from A; all is in
/// the world frame. *Cost* logarithmic in A, linear in the features near the way; the first cast
/// prepares both bodies. *Fails* where a body is no mesh, where A has faces without area, lone
/// segments or points, and on vectors that are not finite.
///
/// ```
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::query::{Geometry, Workspace, cast};
/// use chasles::trace::Travel;
/// use chasles::{Pose, glam::DVec3};
///
/// let cube = Geometry::shape(&Shape::Box(Cuboid::default()))?;
/// let poses = [Pose::IDENTITY, Pose::from_position([0.3, 3.0, 0.2])?];
/// let fall = Travel::shift(DVec3::new(0.0, -4.0, 0.0));
/// let cast = cast(&cube, &cube, poses, &fall, &mut Workspace::new())?;
/// assert!((cast.fraction - 0.5).abs() < 1e-9);
/// assert!(cast.stop.is_some_and(|stop| stop.normal == DVec3::Y));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast(
    a: &Geometry,
    b: &Geometry,
    poses: [Pose; 2],
    travel: &Travel,
    workspace: &mut Workspace,
) -> Result<Cast, QueryError> {
    let (Some(fixture), Some(body)) = (a.fixture(), b.moving()) else {
        return Err(QueryError::no_method(Question::Cast, [a.kind(), b.kind()]));
    };
    let (fixture, body) = (fixture?, body?);
    let meshes = [a, b].map(|body| body.collider().map(|collider| collider.mesh()));
    let workspace = workspace.methods.trace.get_or_insert_default();
    let [of_a, of_b] = poses;
    if of_a == Pose::IDENTITY {
        return Ok(answer(&fixture.travel(body, &of_b, travel, workspace)?, meshes));
    }
    let start = of_a.inverse_after(&of_b);
    let trace = fixture.travel(body, &start, &travel.seen_from(&of_a), workspace)?;
    Ok(answer(&trace.seen_with_world_at(&of_a), meshes))
}

/// A trace in the words of the door.
fn answer(trace: &Trace, meshes: [Option<&Polyhedron>; 2]) -> Cast {
    let stop = trace.touch.map(|Touch { features, point, normal, distance, .. }| Stop {
        features: in_input(features, meshes),
        point,
        normal,
        distance,
    });
    let &Trace { fraction, end, started_solid, thickness, .. } = trace;
    Cast { fraction, end, started_solid, thickness, stop }
}

/// The features of a trace, which names those of what moves first, by numbers of the meshes, in
/// those of the input.
fn in_input(features: contact::Features, [a, b]: [Option<&Polyhedron>; 2]) -> Features {
    let label = |feature: Feature, mesh: Option<&Polyhedron>| match (feature, mesh) {
        (Feature::Vertex(v), Some(mesh)) => Feature::Vertex(mesh.vertex_label(v)),
        (Feature::Face(f), Some(mesh)) => Feature::Face(mesh.face_label(f)),
        (Feature::Edge(edge), Some(mesh)) => {
            let mut ends = edge.map(|v| mesh.vertex_label(v));
            ends.sort_unstable();
            Feature::Edge(ends)
        }
        (feature, _) => feature,
    };
    let Features { a: of_b, b: of_a } = features.into();
    Features { a: label(of_a, a), b: label(of_b, b) }
}
