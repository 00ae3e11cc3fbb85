//! Whether two bodies at rest interpenetrate.
//!
//! An edge of one that pierces a face of the other, clearly within both, decides. Where edges only
//! touch faces or rims, as those of boxes on a lattice do, closed bodies are asked whether they share
//! points a little inside: next to what touches, and between such places along an edge. If nothing
//! touches, one body may be inside the other, which a vertex of each part tells.

use glam::DVec3;

use super::Workspace;
use super::inside::contains;
use super::scene::Scene;
use crate::bounds::{Collider, Node};
use crate::contact::locate::{Place, in_polygon};
use crate::motion::Pose;

/// Shared points are looked for this many tolerances inside: clearly away from the surfaces that
/// touch within one.
const DEPTH: f64 = 1e3;

/// A point this many tolerances from a surface is neither inside nor outside.
const CLEAR: f64 = 10.0;

/// A wing that leaves a plane by less does not tell on which side it is.
const SIDE: f64 = 1e-9;

/// An edge of `owner` that touches a face of the other body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Graze {
    owner: usize,
    edge: u32,
    /// How far along the edge, from 0 to 1.
    along: f64,
    /// Into the other body, in the frame of `owner`.
    inward: DVec3,
}

/// What an edge does to a face.
enum Cut {
    None,
    Through,
    Graze(f64),
}

/// Whether the surfaces of A and B intersect, or one of them, if closed, contains the other.
///
/// *Accepts* any two colliders and any poses. *Guarantees* `true` if an edge of one passes through
/// a face of the other, or a vertex of one lies inside the other, by more than 1e-10 of the smaller
/// body's size and rounding; for touching closed bodies, `true` only if they share a point 1e-7 of
/// that size deep. Bodies that only touch do not intersect. *Cost* as for [`near`](super::near)
/// without reach; linear in the meshes where the boxes of both overlap and nothing intersects, and
/// for each place at which edges touch. No allocation once the workspace has grown. *Fails* where
/// the edges of open meshes meet only rims.
///
/// ```
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::near::{Workspace, intersect};
/// use chasles::{Collider, Pose};
///
/// let cube = Collider::new(Shape::Box(Cuboid::default()).build()?);
/// let mut workspace = Workspace::new();
/// let mut ask = |x: f64| {
///     let poses = [Pose::IDENTITY, Pose::from_position([x, 0.0, 0.0])?];
///     Ok::<_, Box<dyn std::error::Error>>(intersect(&cube, &cube, poses, &mut workspace))
/// };
/// assert!(ask(0.0)? && ask(0.5)? && !ask(1.0)? && !ask(1.5)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn intersect(a: &Collider, b: &Collider, poses: [Pose; 2], workspace: &mut Workspace) -> bool {
    let scene = Scene::new([a, b], &poses, 0.0);
    let Workspace { stack, grazes, .. } = workspace;
    grazes.clear();
    let mut through = false;
    scene.leaves(scene.tolerance, stack, |p, q| {
        through = through || scene.pierce(0, [p, q], grazes) || scene.pierce(1, [p, q], grazes);
    });
    if through {
        return true;
    }
    let closed = [a, b].map(|body| body.mesh().is_closed());
    if closed == [true; 2] && scene.share(grazes) {
        return true;
    }
    [0, 1].into_iter().any(|owner| closed[1 - owner] && scene.is_inside(owner))
}

impl Scene<'_> {
    /// Whether an edge of `owner` passes through a face of the other; notes those that touch.
    fn pierce(&self, owner: usize, nodes: [&Node; 2], grazes: &mut Vec<Graze>) -> bool {
        let [own, other] = [&self.sides[owner], &self.sides[1 - owner]];
        for edge in nodes[owner].edges.clone() {
            let ends = own.collider.mesh().edge(edge).map(|v| other.point(own.collider.local(v)));
            for face in nodes[1 - owner].faces.clone() {
                match cut(other.collider, face, ends, self.tolerance) {
                    Cut::None => {}
                    Cut::Through => return true,
                    Cut::Graze(along) => {
                        let inward = own.vector(-other.collider.mesh().normal(face));
                        grazes.push(Graze { owner, edge, along, inward });
                    }
                }
            }
        }
        false
    }

    /// Whether two closed bodies share a point near where they touch.
    fn share(&self, grazes: &mut [Graze]) -> bool {
        grazes.sort_unstable_by(|p, q| {
            (p.owner, p.edge).cmp(&(q.owner, q.edge)).then(p.along.total_cmp(&q.along))
        });
        let edges = grazes.chunk_by(|p, q| (p.owner, p.edge) == (q.owner, q.edge));
        edges.into_iter().any(|on_edge| self.share_along(on_edge))
    }

    /// Likewise along one edge, of which these are all touches, in order.
    fn share_along(&self, grazes: &[Graze]) -> bool {
        let Some(&Graze { owner, edge, .. }) = grazes.first() else { return false };
        let collider = self.sides[owner].collider;
        let mesh = collider.mesh();
        let [from, to] = mesh.edge(edge).map(|v| collider.local(v));
        let normals = mesh.edge_sides(edge).iter().map(|side| mesh.normal(side.face));
        let inward = -normals.sum::<DVec3>().normalize_or_zero();
        let shared = |along: f64, toward: DVec3| {
            toward.try_normalize().is_some_and(|toward| {
                let at = from.lerp(to, along) + DEPTH * self.tolerance * toward;
                self.is_shared(owner, at)
            })
        };
        let mut last = 0.0;
        for graze in grazes {
            let touches = [inward, graze.inward, inward + graze.inward];
            if touches.into_iter().any(|toward| shared(graze.along, toward))
                || shared(0.5 * (last + graze.along), inward)
            {
                return true;
            }
            last = graze.along;
        }
        shared(0.5 * (last + 1.0), inward)
    }

    /// Whether a local point of `owner` lies inside both bodies.
    fn is_shared(&self, owner: usize, at: DVec3) -> bool {
        let [own, other] = [&self.sides[owner], &self.sides[1 - owner]];
        let clear = CLEAR * self.tolerance;
        contains(other.collider, other.point(at), clear) && contains(own.collider, at, clear)
    }

    /// Whether a part of `owner` has a vertex inside the other body.
    fn is_inside(&self, owner: usize) -> bool {
        let [own, other] = [&self.sides[owner], &self.sides[1 - owner]];
        let clear = CLEAR * self.tolerance;
        let mut seeds = own.collider.seeds().iter().map(|&v| other.point(own.collider.local(v)));
        seeds.any(|at| contains(other.collider, at, clear))
    }
}

/// What a segment does to a face, both in the frame of the face.
fn cut(collider: &Collider, face: u32, [p, q]: [DVec3; 2], tolerance: f64) -> Cut {
    let mesh = collider.mesh();
    let [normal, origin] = [mesh.normal(face), collider.face_local(face)];
    let [from, to] = [p, q].map(|end| normal.dot(end - origin));
    let in_plane = from.abs() <= tolerance && to.abs() <= tolerance;
    if from.min(to) > tolerance || from.max(to) < -tolerance || in_plane {
        return Cut::None;
    }
    let along = (from / (from - to)).clamp(0.0, 1.0);
    let ring = mesh.face(face);
    let corner = |i: usize| collider.local(ring[i]);
    let place = in_polygon(p.lerp(q, along), normal, corner, ring.len(), tolerance);
    let strict = from.abs() > tolerance && to.abs() > tolerance;
    match place {
        Place::Outside => Cut::None,
        Place::Inside if strict => Cut::Through,
        Place::Edge(i) if strict && is_seam(collider, mesh.face_edges(face)[i], q - p) => {
            Cut::Through
        }
        _ => Cut::Graze(along),
    }
}

/// Whether a line in this direction through a point of an edge passes from one side of the surface
/// to the other: seen along the line, the two faces lie on either side of the edge.
fn is_seam(collider: &Collider, edge: u32, line: DVec3) -> bool {
    let Some(aside) = collider.direction(edge).cross(line).try_normalize() else { return false };
    match collider.wings(edge) {
        [p, q] => {
            let [p, q] = [p.dot(aside), q.dot(aside)];
            p.min(q) < -SIDE && p.max(q) > SIDE
        }
        _ => false,
    }
}
