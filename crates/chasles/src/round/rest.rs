//! Round bodies at rest: how far two of them are apart, and what of a mesh is in an ellipsoid.

use glam::DVec3;

use super::body::Round;
use super::convex::{common_depth, common_point, separation};
use super::features::{Feature, Features};
use super::find::Id;
use super::meet::feature;
use crate::bounds::Collider;
use crate::contact::locate::{Place, in_polygon};
use crate::motion::Pose;

/// Two round bodies at rest, in the world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Between {
    /// They are apart by this along the normal: proven by how far both reach along it. Not positive
    /// if they meet, and then at most how far one must go to part them, less its sign.
    pub(crate) gap: f64,
    /// The nearest points found, of A and B; a point of both, twice, if they meet.
    pub(crate) points: [DVec3; 2],
    /// Unit, from A to B.
    pub(crate) normal: DVec3,
    /// The parts that are nearest.
    pub(crate) features: Features,
}

/// How far two round bodies are apart, with their nearest points.
///
/// *Accepts* any bodies at any poses. *Guarantees* that both points are of their bodies, to
/// rounding, and that the distance is at least the gap. *Cost* some microseconds. *Fails* never.
pub(crate) fn between(a: &Round, b: &Round, poses: [Pose; 2]) -> Between {
    let pivot = poses[0].point(a.centre);
    let [a, b] = [a.at(&poses[0], pivot), b.at(&poses[1], pivot)];
    let (normal, gap, near) = separation(&a, &b);
    let features = Features { a: feature(&a, normal), b: feature(&b, -normal) };
    if gap <= 0.0 {
        let depth = common_depth(&a, &b, gap);
        let common = common_point(&a, &b, normal, depth).or(common_point(&b, &a, normal, depth));
        let middle = 0.5 * (near.on_a + near.on_b);
        let point = pivot + common.map_or(middle, |(point, _)| point);
        return Between { gap, points: [point; 2], normal, features };
    }
    let way = (near.on_b - near.on_a).try_normalize().unwrap_or(normal);
    let points = [near.on_a + a.ball() * way, near.on_b - b.ball() * way];
    Between { gap, points: points.map(|point| pivot + point), normal, features }
}

/// The part of a mesh that comes nearest to the centre of an ellipsoid, as its stretched axes see
/// it, if that is in it by more than a share of its size.
///
/// *Accepts* any mesh, and the pose of the ellipsoid's frame in the mesh's. *Guarantees* that a
/// part is found if one is in it, and that it is. *Cost* the leaves near it. *Fails* never.
pub(crate) fn inside_ellipsoid(
    mesh: &Collider,
    body: &Round,
    (pose, share): (&Pose, f64),
    stack: &mut Vec<u32>,
) -> Option<Feature> {
    let body = body.at(pose, mesh.pivot());
    let mut search = Search { mesh, body, best: (body.radius * (1.0 - share), None) };
    stack.clear();
    stack.push(0);
    while let Some(index) = stack.pop() {
        let node = &mesh.nodes()[index as usize];
        // Nothing is longer for being stretched.
        if body.stretched(node.centre).length() - node.half.length() >= search.best.0 {
            continue;
        }
        if node.is_leaf() {
            node.vertices.clone().for_each(|v| search.vertex(v));
            node.edges.clone().for_each(|e| search.edge(e));
            node.faces.clone().for_each(|f| search.face(f));
        } else {
            stack.extend([node.child + 1, node.child]);
        }
    }
    search.best.1.map(|id| id.labelled(mesh))
}

/// The nearest part so far, by how far it is from the centre.
struct Search<'s> {
    mesh: &'s Collider,
    body: Round,
    best: (f64, Option<Id>),
}

impl Search<'_> {
    fn offer(&mut self, id: Id, point: DVec3) {
        let length = point.length();
        if length < self.best.0 {
            self.best = (length, Some(id));
        }
    }

    fn corner(&self, v: u32) -> DVec3 {
        self.body.stretched(self.mesh.local(v))
    }

    fn vertex(&mut self, v: u32) {
        self.offer(Id::Vertex(v), self.corner(v));
    }

    fn edge(&mut self, e: u32) {
        let [p, q] = self.mesh.mesh().edge(e).map(|v| self.corner(v));
        let way = q - p;
        let along = -p.dot(way) / way.length_squared();
        if along > 0.0 && along < 1.0 {
            self.offer(Id::Edge(e), p + along * way);
        }
    }

    /// Where the plane of a face is nearest, if that is in the face.
    fn face(&mut self, f: u32) {
        let mesh = self.mesh.mesh();
        // A normal is stretched the other way.
        let normal = self.body.frame().transpose() * mesh.normal(f);
        let normal = (self.body.half_axes * normal).normalize_or_zero();
        let foot = normal * normal.dot(self.body.stretched(self.mesh.face_local(f)));
        let corners = mesh.face(f);
        let corner = |i: usize| self.corner(corners[i]);
        if in_polygon(foot, normal, corner, corners.len(), 0.0) != Place::Outside {
            self.offer(Id::Face(f), foot);
        }
    }
}

impl Round {
    /// The body at a pose, seen from a point.
    fn at(&self, pose: &Pose, pivot: DVec3) -> Self {
        let placed = self.placed(pose.point(self.centre) - pivot, pose.vector(self.axis));
        Self { side: pose.vector(self.side), ..placed }
    }
}
