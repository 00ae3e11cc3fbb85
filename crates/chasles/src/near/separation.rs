//! The distance of two surfaces.
//!
//! It is that of a vertex and a face, in front of it, or of two edges: any other pair of closest
//! points has an edge of each body through it. Pairs of nodes are looked at nearest first, and left
//! out where their boxes are farther apart than what is known.

use glam::DVec3;

use super::Workspace;
use super::scene::{Scene, halves};
use crate::bounds::{Collider, Node};
use crate::contact::locate::{Place, in_polygon};
use crate::motion::Pose;

/// The distance of the surfaces of two bodies at rest.
///
/// *Accepts* any two colliders and any poses. *Guarantees* the distance of the nearest points of
/// the two surfaces up to rounding, if these do not intersect; else something not above the distance
/// of their nearest edges and vertices. For a body inside another it is the distance to the wall.
/// *Cost* for bodies that are far apart about the
/// depth of the trees; beside each other, the features near the closest points. No allocation once
/// the workspace has grown. *Fails* never.
///
/// ```
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::near::{Workspace, separation};
/// use chasles::{Collider, Pose};
///
/// let cube = Collider::new(Shape::Box(Cuboid::default()).build()?);
/// let poses = [Pose::IDENTITY, Pose::from_position([4.0, 5.0, 0.25])?];
/// assert!((separation(&cube, &cube, poses, &mut Workspace::new()) - 5.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn separation(a: &Collider, b: &Collider, poses: [Pose; 2], workspace: &mut Workspace) -> f64 {
    let scene = Scene::new([a, b], &poses, 0.0);
    let stack = &mut workspace.stack;
    let nodes = [a.nodes(), b.nodes()];
    let node = |[i, j]: [u32; 2]| [&nodes[0][i as usize], &nodes[1][j as usize]];
    let bound = |pair: [u32; 2]| {
        let [p, q] = node(pair);
        scene.distance_bound(p, q)
    };
    let mut least = f64::INFINITY;
    stack.clear();
    stack.push([0, 0]);
    while let Some(pair) = stack.pop() {
        let [p, q] = node(pair);
        if scene.distance_bound(p, q) >= least {
            continue;
        }
        if p.is_leaf() && q.is_leaf() {
            least = least.min(scene.leaf_distance([p, q]));
        } else {
            let [near, far] = halves(pair, [p, q]);
            let swap = bound(near) > bound(far);
            stack.extend(if swap { [near, far] } else { [far, near] });
        }
    }
    least
}

impl Scene<'_> {
    /// The least distance of features of two leaves.
    fn leaf_distance(&self, nodes: [&Node; 2]) -> f64 {
        let [a, b] = self.sides.map(|side| side.collider);
        let mut least = self.height(0, nodes).min(self.height(1, nodes));
        for p in nodes[0].edges.clone() {
            let p = a.mesh().edge(p).map(|v| a.local(v));
            for q in nodes[1].edges.clone() {
                let q = b.mesh().edge(q).map(|v| self.sides[0].point(b.local(v)));
                least = least.min(segment_distance(p, q));
            }
        }
        for (owner, body) in [a, b].into_iter().enumerate() {
            if body.has_lone() {
                least = least.min(self.lone(owner, nodes));
            }
        }
        least
    }

    /// The least height of vertices of the other leaf over faces of `owner`'s.
    fn height(&self, owner: usize, nodes: [&Node; 2]) -> f64 {
        let [own, other] = [&self.sides[owner], &self.sides[1 - owner]];
        let mesh = own.collider.mesh();
        let mut least = f64::INFINITY;
        for v in nodes[1 - owner].vertices.clone() {
            let at = own.point(other.collider.local(v));
            for face in nodes[owner].faces.clone() {
                let normal = mesh.normal(face);
                let height = normal.dot(at - own.collider.face_local(face));
                let ring = mesh.face(face);
                let corner = |i: usize| own.collider.local(ring[i]);
                if height.abs() < least
                    && in_polygon(at - height * normal, normal, corner, ring.len(), 0.0)
                        != Place::Outside
                {
                    least = height.abs();
                }
            }
        }
        least
    }

    /// The least distance of vertices of `owner` that have no edges from the other leaf's edges and
    /// vertices.
    fn lone(&self, owner: usize, nodes: [&Node; 2]) -> f64 {
        let [own, other] = [self.sides[owner].collider, self.sides[1 - owner].collider];
        let lone = nodes[owner].vertices.clone().filter(|&v| own.mesh().vertex_edges(v).is_empty());
        let mut least = f64::INFINITY;
        for v in lone {
            let at = self.sides[1 - owner].point(own.local(v));
            let edges = nodes[1 - owner].edges.clone().map(|e| other.mesh().edge(e));
            let segments = edges.map(|ends| point_distance(at, ends.map(|v| other.local(v))));
            let vertices = nodes[1 - owner].vertices.clone().map(|v| at.distance(other.local(v)));
            least = segments.chain(vertices).fold(least, f64::min);
        }
        least
    }
}

/// The distance of two segments: within both, or at an end of one.
fn segment_distance([p0, p1]: [DVec3; 2], [q0, q1]: [DVec3; 2]) -> f64 {
    let [u, w, between] = [p1 - p0, q1 - q0, q0 - p0];
    let across = u.cross(w);
    let across_sq = across.length_squared();
    if across_sq > 1e-18 * u.length_squared() * w.length_squared() {
        let along = [between.cross(w), between.cross(u)].map(|c| c.dot(across) / across_sq);
        if along.iter().all(|along| (0.0..=1.0).contains(along)) {
            return point_distance(p0 + along[0] * u, [q0, q1]);
        }
    }
    let from_p = point_distance(p0, [q0, q1]).min(point_distance(p1, [q0, q1]));
    from_p.min(point_distance(q0, [p0, p1])).min(point_distance(q1, [p0, p1]))
}

/// The distance of a point from a segment.
fn point_distance(x: DVec3, [p, q]: [DVec3; 2]) -> f64 {
    let along = q - p;
    let part = (x - p).dot(along) / along.length_squared();
    x.distance(p + along * part.clamp(0.0, 1.0))
}
