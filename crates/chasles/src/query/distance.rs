//! How far bodies at rest are apart.

use glam::DVec3;

use super::error::{QueryError, Question};
use super::feature::{Feature, Features};
use super::geometry::{Geometry, Kind};
use super::workspace::Workspace;
use crate::bounds::Collider;
use crate::distance::{self, BothRevolvedGap, RevolvedGap};
use crate::motion::Pose;
use crate::near::TOUCHING;
use crate::round::rest::{Between, between};
use crate::round::{self, Round};

/// The distance of two bodies at rest, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The distance of the two points; 0 if the bodies overlap.
    pub distance: f64,
    /// The closest points of A and B. Of bodies that overlap, a point of both, twice.
    pub points: [DVec3; 2],
    /// Unit, from A to B.
    pub normal: DVec3,
    /// The closest parts; of bodies that overlap the parts that do: an edge and the face that it
    /// passes through, or a vertex and the inside of the other body;
    /// [`overlapping_parts`](super::overlapping_parts) has all of them.
    pub features: Features,
    /// Whether the bodies share more than points where they touch.
    pub overlaps: bool,
}

/// The distance of two bodies at rest, with the closest points and parts.
///
/// *Accepts* meshes, spheres, capsules, cylinders and cones at poses of A and B, and an ellipsoid
/// beside another round body. *Guarantees* what [`distance`](crate::distance::distance) does: the
/// least distance of two points to 1e-14 of the sizes and the distance of the bodies, and 0 with
/// the parts that overlap for bodies in each other. A sphere or a capsule is as far away as its
/// core less its radius. Beside an ellipsoid the bodies are proven to be as far apart as said by
/// how far they reach along the normal, and no farther than their points. *Cost* about the cube
/// root of the faces; of two cylinders or cones, or with an ellipsoid, some microseconds. *Fails*
/// where a body is a solid, or an ellipsoid beside a mesh.
///
/// ```
/// use chasles::Pose;
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::query::{Feature, Geometry, Workspace, distance};
///
/// let cube = Geometry::shape(&Shape::Box(Cuboid::default()))?;
/// let ball = Geometry::sphere(0.5)?;
/// let poses = [Pose::IDENTITY, Pose::from_position([3.0, 0.1, 0.2])?];
/// let found = distance(&cube, &ball, poses, &mut Workspace::new())?;
/// assert!((found.distance - 2.0).abs() < 1e-12 && !found.overlaps);
/// assert!(matches!((found.features.a, found.features.b), (Feature::Face(_), Feature::End(0))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(
    a: &Geometry,
    b: &Geometry,
    poses: [Pose; 2],
    workspace: &mut Workspace,
) -> Result<Distance, QueryError> {
    if let (Some(of_a), Some(of_b)) = (a.as_revolved(), b.as_revolved()) {
        return Ok(of_revolved([of_a, of_b], poses));
    }
    if let (Some(of_a), Some(of_b)) = (a.round(), b.round())
        && [a.kind(), b.kind()].contains(&Kind::Ellipsoid)
    {
        return Ok(beside_ellipsoid([of_a, of_b], poses));
    }
    let memory = workspace.methods.distance.get_or_insert_default();
    match [(a.core(), b.as_revolved()), (b.core(), a.as_revolved())] {
        [(Some(core), Some(round)), _] => {
            return Ok(beside_revolved(a, core, round, (poses, memory)));
        }
        [_, (Some(core), Some(round))] => {
            let [pose_a, pose_b] = poses;
            return Ok(beside_revolved(b, core, round, ([pose_b, pose_a], memory)).swapped());
        }
        _ => {}
    }
    let [(core_a, radius_a), (core_b, radius_b)] = cores(a, b, Question::Distance)?;
    let found = distance::distance(core_a, core_b, poses, memory);
    let features = Features::from(found.features).of_bodies([a, b]);
    let around = radius_a + radius_b;
    let distance::Distance { points: [p, q], normal, .. } = found;
    let points = [p + radius_a * normal, q - radius_b * normal];
    let gap = found.distance - around;
    let overlaps = found.overlaps || around > 0.0 && gap < -TOUCHING * around;
    let shared = 0.5 * (points[0] + points[1]);
    Ok(match (found.overlaps, gap > 0.0 || around == 0.0) {
        // The cores overlap, and share the point.
        (true, _) => Distance { distance: 0.0, points: [p, q], normal, features, overlaps },
        (false, true) => Distance { distance: gap, points, normal, features, overlaps },
        (false, false) => {
            Distance { distance: 0.0, points: [shared; 2], normal, features, overlaps }
        }
    })
}

/// The distance of two cylinders or cones.
fn of_revolved(rounds: [&Round; 2], poses: [Pose; 2]) -> Distance {
    let found = distance::between_revolved(rounds, poses);
    let [a, b] = found.parts.map(|part| part.map_or(Feature::Inside, Feature::from));
    let features = Features { a, b };
    let BothRevolvedGap { gap, points, normal, overlaps, .. } = found;
    if gap > 0.0 {
        return Distance { distance: gap, points, normal, features, overlaps };
    }
    if rounds.iter().any(|round| round.kind() == round::Kind::Cone) {
        // What is nearest on the axis of a cone may lie beyond its base.
        let Between { points, normal, features, .. } = between(rounds[0], rounds[1], poses);
        return Distance { distance: 0.0, points, normal, features: features.into(), overlaps };
    }
    let shared = 0.5 * (points[0] + points[1]);
    Distance { distance: 0.0, points: [shared; 2], normal, features, overlaps }
}

/// The distance of round bodies of which one is an ellipsoid: what is proven of it.
fn beside_ellipsoid(rounds: [&Round; 2], poses: [Pose; 2]) -> Distance {
    let Between { gap, points, normal, features } = between(rounds[0], rounds[1], poses);
    let overlaps = gap < -TOUCHING * rounds[0].radius().min(rounds[1].radius());
    Distance { distance: gap.max(0.0), points, normal, features: features.into(), overlaps }
}

/// The distance of a body, with its core, and a cylinder or a cone.
fn beside_revolved(
    body: &Geometry,
    (core, radius): (&Collider, f64),
    round: &Round,
    (poses, memory): ([Pose; 2], &mut distance::Workspace),
) -> Distance {
    let found = distance::from_revolved(core, round, poses, memory);
    let RevolvedGap { points: [p, q], normal, of_mesh, overlaps, .. } = found;
    let of_body = Feature::from(of_mesh).of_body(body);
    if overlaps {
        // A point of the core in the other, or of the other in the core.
        let (shared, of_round) = match of_body {
            Feature::Inside => (q, found.of_round.into()),
            _ => (p, Feature::Inside),
        };
        let features = Features { a: of_body, b: of_round };
        return Distance { distance: 0.0, points: [shared; 2], normal, features, overlaps };
    }
    let features = Features { a: of_body, b: found.of_round.into() };
    let points = [p + radius * normal, q];
    let gap = found.gap - radius;
    if gap > 0.0 {
        return Distance { distance: gap, points, normal, features, overlaps };
    }
    // The nearest point of the other is no farther from the core than the body reaches.
    let overlaps = gap < -TOUCHING * radius;
    Distance { distance: 0.0, points: [q; 2], normal, features, overlaps }
}

impl Distance {
    /// The same seen by B: the bodies change places.
    fn swapped(self) -> Self {
        let Self { points: [p, q], normal, features, .. } = self;
        Self { points: [q, p], normal: -normal, features: features.swapped(), ..self }
    }
}

/// A mesh of each body, and how far around it the body reaches.
pub(super) fn cores<'g>(
    a: &'g Geometry,
    b: &'g Geometry,
    question: Question,
) -> Result<[(&'g Collider, f64); 2], QueryError> {
    match (a.core(), b.core()) {
        (Some(of_a), Some(of_b)) => Ok([of_a, of_b]),
        _ => Err(QueryError::no_method(question, [a.kind(), b.kind()])),
    }
}
