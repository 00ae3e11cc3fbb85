//! The distance of two surfaces.
//!
//! It is that of a vertex and a face, in front of it, or of two edges: any other pair of closest
//! points has an edge of each body through it. Pairs of nodes are looked at nearest first, and left
//! out where their boxes are farther apart than what is known.

use glam::DVec3;

use super::Workspace;
use super::leaf::{Leaves, Placed, Segment};
use super::ridges::PARALLEL_SQ;
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
    let Workspace { stack, leaves, .. } = workspace;
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
            leaves.gather(&scene, [p, q], least);
            least = scene.leaf_distance([p, q], leaves, least);
        } else {
            let [near, far] = halves(pair, [p, q]);
            let swap = bound(near) > bound(far);
            stack.extend(if swap { [near, far] } else { [far, near] });
        }
    }
    least
}

impl Scene<'_> {
    /// The least distance of features of two leaves, if below `least`.
    fn leaf_distance(&self, nodes: [&Node; 2], leaves: &Leaves, mut least: f64) -> f64 {
        for owner in [0, 1] {
            least = self.height(owner, nodes[owner], &leaves.corners[1 - owner], least);
            if self.sides[owner].collider.has_lone() {
                least = least.min(self.lone(owner, nodes));
            }
        }
        for p in &leaves.ridges[0] {
            for q in &leaves.ridges[1] {
                least = segment_distance(p, q, least);
            }
        }
        least
    }

    /// The least height of vertices of the other body over faces of `owner`, if below `least`.
    fn height(&self, owner: usize, node: &Node, corners: &[Placed], mut least: f64) -> f64 {
        let collider = self.sides[owner].collider;
        let mesh = collider.mesh();
        for face in node.faces.clone() {
            let [normal, origin] = [mesh.normal(face), collider.face_local(face)];
            let ring = mesh.face(face);
            let corner = |i: usize| collider.local(ring[i]);
            for placed in corners {
                let height = normal.dot(placed.at - origin);
                let foot = placed.at - height * normal;
                if height.abs() < least
                    && in_polygon(foot, normal, corner, ring.len(), self.noise) != Place::Outside
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

/// The distance of two segments, if below `least`: within both, or at an end of one.
#[inline]
fn segment_distance(p: &Segment, q: &Segment, least: f64) -> f64 {
    let between = q.from - p.from;
    let across = p.direction.cross(q.direction);
    let across_sq = across.length_squared();
    // Segments are no nearer than their lines.
    if between.dot(across).powi(2) > least * least * across_sq {
        return least;
    }
    if across_sq > PARALLEL_SQ {
        let along_p = between.cross(q.direction).dot(across) / across_sq;
        let along_q = between.cross(p.direction).dot(across) / across_sq;
        if (0.0..=p.length).contains(&along_p) && (0.0..=q.length).contains(&along_q) {
            return least.min(point_distance(p.from + along_p * p.direction, q.ends()));
        }
    }
    let from_p = p.ends().map(|x| point_distance(x, q.ends()));
    let from_q = q.ends().map(|x| point_distance(x, p.ends()));
    from_p.into_iter().chain(from_q).fold(least, f64::min)
}

/// The distance of a point from a segment.
fn point_distance(x: DVec3, [p, q]: [DVec3; 2]) -> f64 {
    let along = q - p;
    let part = (x - p).dot(along) / along.length_squared();
    x.distance(p + along * part.clamp(0.0, 1.0))
}
