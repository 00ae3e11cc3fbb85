//! What a search means: bodies apart, in touch, through each other, or one inside the other.

use glam::DVec3;

use super::leaf::{Found, Spot};
use super::scene::Scene;
use super::search::Ending;
use super::{Distance, Feature, Workspace};
use crate::bounds::Collider;
use crate::motion::Pose;
use crate::near;

/// A [`Distance`] in A's local frame and the numbers of the colliders.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub(super) distance: f64,
    pub(super) points: [DVec3; 2],
    pub(super) normal: DVec3,
    /// None stands for the inside.
    spots: [Option<Spot>; 2],
    pub(super) overlaps: bool,
}

impl Outcome {
    pub(super) fn new(scene: &Scene, poses: &[Pose; 2], workspace: &mut Workspace) -> Self {
        match workspace.search.run(scene) {
            Ending::Crossing(crossing) => {
                let normal = outward(scene, &crossing.spots);
                Self::overlapping([crossing.point; 2], crossing.spots.map(Some), normal)
            }
            Ending::Apart(distance, found) if distance > scene.tolerance => {
                Self::unless_inside(scene, distance, &found, &mut workspace.stack)
            }
            Ending::Apart(distance, found) => {
                let [a, b] = [scene.a, scene.b];
                let overlaps = near::intersect(a, b, *poses, &mut workspace.near);
                let distance = if overlaps { 0.0 } else { distance };
                let normal = touching_normal(scene, &found);
                let Found { spots, points } = found;
                Self { distance, points, normal, spots: spots.map(Some), overlaps }
            }
        }
    }

    fn overlapping(points: [DVec3; 2], spots: [Option<Spot>; 2], normal: DVec3) -> Self {
        Self { distance: 0.0, points, normal, spots, overlaps: true }
    }

    /// Bodies whose surfaces are apart: one may be inside the other.
    fn unless_inside(scene: &Scene, distance: f64, found: &Found, stack: &mut Vec<u32>) -> Self {
        let apart = (found.points[1] - found.points[0]) / distance;
        // All of a surface is at least the distance away from the other.
        let clear = 0.5 * distance;
        let is_in_b =
            |&v: &u32| near::contains(scene.b, scene.point_in_b(scene.a.local(v)), clear, stack);
        if scene.b.is_closed()
            && let Some(v) = parts(scene.a).find(is_in_b)
        {
            let spots = [Some(Spot::Vertex(v)), None];
            return Self::overlapping([scene.a.local(v); 2], spots, -apart);
        }
        let is_in_a =
            |&v: &u32| near::contains(scene.a, scene.point(scene.b.local(v)), clear, stack);
        if scene.a.is_closed()
            && let Some(v) = parts(scene.b).find(is_in_a)
        {
            let spots = [None, Some(Spot::Vertex(v))];
            return Self::overlapping([scene.point(scene.b.local(v)); 2], spots, -apart);
        }
        let Found { spots, points } = *found;
        Self { distance, points, normal: apart, spots: spots.map(Some), overlaps: false }
    }

    /// In the world, in the numbers of the input.
    pub(super) fn to_world(self, scene: &Scene, pose: &Pose) -> Distance {
        Distance {
            distance: self.distance,
            points: self.points.map(|point| pose.point(point + scene.a.pivot())),
            normal: pose.vector(self.normal),
            features: [labelled(scene.a, self.spots[0]), labelled(scene.b, self.spots[1])],
            overlaps: self.overlaps,
        }
    }
}

/// A vertex of each part, and all that have no faces.
fn parts(collider: &Collider) -> impl Iterator<Item = u32> {
    let mesh = collider.mesh();
    let all = if collider.has_lone() { 0..mesh.vertex_count() as u32 } else { 0..0 };
    let lone = all.filter(|&v| mesh.vertex_faces(v).is_empty());
    collider.seeds().iter().copied().chain(lone)
}

pub(super) fn labelled(collider: &Collider, spot: Option<Spot>) -> Feature {
    let mesh = collider.mesh();
    match spot {
        Some(Spot::Vertex(v)) => Feature::Vertex(mesh.vertex_label(v)),
        Some(Spot::Edge(e)) => Feature::Edge(mesh.edge_label(e)),
        Some(Spot::Face(f)) => Feature::Face(mesh.face_label(f)),
        None => Feature::Inside,
    }
}

/// The direction in which B leaves A: across a face if there is one, across two edges, or between
/// the mean normals of what touches. Towards B's middle if none of these tells.
fn outward(scene: &Scene, spots: &[Spot; 2]) -> DVec3 {
    let mean = mean_normal(scene.a, &spots[0]) - scene.turn * mean_normal(scene.b, &spots[1]);
    let middle = (scene.point(scene.b.nodes()[0].centre) - scene.a.nodes()[0].centre)
        .try_normalize()
        .unwrap_or(DVec3::X);
    let away = mean.try_normalize().unwrap_or(middle);
    match *spots {
        [Spot::Face(f), _] => scene.a.mesh().normal(f),
        [_, Spot::Face(f)] => -(scene.turn * scene.b.mesh().normal(f)),
        [Spot::Edge(p), Spot::Edge(q)] => {
            let across = scene.a.direction(p).cross(scene.turn * scene.b.direction(q));
            let across = across.try_normalize().unwrap_or(away);
            if across.dot(away) < 0.0 { -across } else { across }
        }
        _ => away,
    }
}

/// The mean normal of the faces at a feature.
fn mean_normal(collider: &Collider, spot: &Spot) -> DVec3 {
    let mesh = collider.mesh();
    let sum: DVec3 = match *spot {
        Spot::Face(f) => mesh.normal(f),
        Spot::Edge(e) => mesh.edge_sides(e).iter().map(|side| mesh.normal(side.face)).sum(),
        Spot::Vertex(v) => mesh.vertex_faces(v).iter().map(|&f| mesh.normal(f)).sum(),
    };
    sum.normalize_or_zero()
}

/// The normal of bodies in touch: along the line of the closest points where that is above
/// rounding, else as the features say.
fn touching_normal(scene: &Scene, found: &Found) -> DVec3 {
    let [p, q] = found.points;
    if p.distance(q) > FAR * scene.noise {
        (q - p).normalize()
    } else {
        outward(scene, &found.spots)
    }
}

/// Points this many roundings apart have a line through them that is known to 1e-3.
const FAR: f64 = 1e3;
