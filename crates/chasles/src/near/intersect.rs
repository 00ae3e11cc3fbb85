//! Whether two bodies at rest interpenetrate.
//!
//! An edge of one that pierces a face of the other, clearly within both, decides. Where edges only
//! touch faces or rims, as those of boxes on a lattice do, closed bodies are asked whether they
//! share points a little inside: next to what touches, and between such places along an edge. If
//! nothing touches, one body may be inside the other, which a vertex of each part tells.

use glam::DVec3;

use super::Workspace;
use super::inside::contains;
use super::scene::Scene;
use super::share::Touches;
use crate::bounds::{Collider, Node};
use crate::contact::locate::{Place, in_polygon};
use crate::motion::Pose;

/// A point this many tolerances from a surface is neither inside nor outside.
pub(super) const CLEAR: f64 = 10.0;

/// A wing that leaves a plane by less does not tell on which side it is.
const SIDE: f64 = 1e-9;

/// What an edge does to a face.
pub(crate) enum Cut {
    None,
    Through,
    /// How far along the edge, from 0 to 1.
    Touch(f64),
}

/// Whether the surfaces of A and B intersect, or one of them, if closed, contains the other.
///
/// *Accepts* any two colliders and any poses. *Guarantees* `true` if an edge of one passes through
/// a face of the other, or a vertex of one lies inside the other, by more than 1e-10 of the smaller
/// body's size and rounding; for touching closed bodies, `true` only if they share a point 1e-7 of
/// that size deep. Bodies that only touch do not intersect. *Cost* a test for each edge and face
/// whose leaves come together, so `n²` where vertices of `n` edges touch; a walk through both trees
/// for each place at which edges touch; memory linear in the edges. No allocation once the
/// workspace has grown. *Fails* where the edges of open meshes meet only rims, and where bodies
/// that touch at vertices of more than 16 edges share only a narrow part there.
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
    let closed = [a, b].map(|body| body.is_closed());
    let Workspace { stack, touches, .. } = workspace;
    touches.begin(closed == [true; 2]);
    let mut through = false;
    scene.leaves(scene.tolerance, stack, |p, q| {
        through = scene.pierce(0, [p, q], touches) || scene.pierce(1, [p, q], touches);
        !through
    });
    through
        || closed == [true; 2] && scene.share(touches)
        || (0..2).any(|owner| closed[1 - owner] && scene.is_inside(owner, &mut touches.stack))
}

/// Calls `each` with every edge that passes through a face of the other body: whose edge it is, 0
/// or 1, the edge and the face. Ends when `each` returns false.
///
/// What only touches is left out, as in [`intersect`]; an edge through the edge between two faces
/// passes through both.
pub(crate) fn piercings(
    [a, b]: [&Collider; 2],
    poses: [Pose; 2],
    workspace: &mut Workspace,
    mut each: impl FnMut(usize, u32, u32) -> bool,
) {
    let scene = Scene::new([a, b], &poses, 0.0);
    scene.leaves(scene.tolerance, &mut workspace.stack, |p, q| {
        [0, 1].into_iter().all(|owner| {
            let [own, other] = [&scene.sides[owner], &scene.sides[1 - owner]];
            let nodes = [p, q];
            nodes[owner].edges.clone().all(|edge| {
                let ends = own.collider.mesh().edge(edge).map(|v| own.collider.local(v));
                let ends = ends.map(|at| other.point(at));
                nodes[1 - owner].faces.clone().all(|face| {
                    match cut(other.collider, face, ends, scene.tolerance, |_| true) {
                        Cut::Through => each(owner, edge, face),
                        _ => true,
                    }
                })
            })
        })
    });
}

impl Scene<'_> {
    /// Whether an edge of `owner` passes through a face of the other; notes those that touch.
    fn pierce(&self, owner: usize, nodes: [&Node; 2], touches: &mut Touches) -> bool {
        let [own, other] = [&self.sides[owner], &self.sides[1 - owner]];
        for edge in nodes[owner].edges.clone() {
            let ends = own.collider.mesh().edge(edge).map(|v| other.point(own.collider.local(v)));
            for face in nodes[1 - owner].faces.clone() {
                let known =
                    |along: f64| touches.knows(owner, edge, self.part_at(owner, edge, along));
                match cut(other.collider, face, ends, self.tolerance, known) {
                    Cut::None => {}
                    Cut::Through => return true,
                    Cut::Touch(along) => {
                        touches.note(owner, edge, self.part_at(owner, edge, along));
                    }
                }
            }
        }
        false
    }

    /// Whether a part of `owner` has a vertex inside the other body.
    fn is_inside(&self, owner: usize, stack: &mut Vec<u32>) -> bool {
        let [own, other] = [&self.sides[owner], &self.sides[1 - owner]];
        let clear = CLEAR * self.tolerance;
        let mut is_in =
            |v: u32| contains(other.collider, other.point(own.collider.local(v)), clear, stack);
        let mesh = own.collider.mesh();
        // Segments and points without faces are parts of their own.
        let is_lone = |v: &u32| mesh.vertex_faces(*v).is_empty();
        own.collider.seeds().iter().any(|&v| is_in(v))
            || own.collider.has_lone() && (0..mesh.vertex_count() as u32).filter(is_lone).any(is_in)
    }
}

/// What a segment does to a face, both in the frame of the face. Where it only touches, it is not
/// looked at if that is `known`, as most touches of many edges at one vertex are.
pub(crate) fn cut(
    collider: &Collider,
    face: u32,
    [p, q]: [DVec3; 2],
    tolerance: f64,
    known: impl Fn(f64) -> bool,
) -> Cut {
    let mesh = collider.mesh();
    let [normal, origin] = [mesh.normal(face), collider.face_local(face)];
    let [from, to] = [p, q].map(|end| normal.dot(end - origin));
    let in_plane = from.abs() <= tolerance && to.abs() <= tolerance;
    if from.min(to) > tolerance || from.max(to) < -tolerance || in_plane {
        return Cut::None;
    }
    let along = (from / (from - to)).clamp(0.0, 1.0);
    let strict = from.abs() > tolerance && to.abs() > tolerance;
    if !strict && known(along) {
        return Cut::None;
    }
    let ring = mesh.face(face);
    let corner = |i: usize| collider.local(ring[i]);
    let place = in_polygon(p.lerp(q, along), normal, corner, ring.len(), tolerance);
    match place {
        Place::Outside => Cut::None,
        Place::Inside if strict => Cut::Through,
        Place::Edge(i) if strict && is_seam(collider, mesh.face_edges(face)[i], q - p) => {
            Cut::Through
        }
        _ => Cut::Touch(along),
    }
}

/// Whether a line in this direction through a point of an edge passes from one side of the surface
/// to the other: seen along the line, the two faces lie on either side of the edge.
fn is_seam(collider: &Collider, edge: u32, line: DVec3) -> bool {
    let Some(aside) = collider.direction(edge).cross(line).try_normalize() else { return false };
    let mut wings = collider.wings(edge).map(|wing| wing.dot(aside));
    match (wings.next(), wings.next(), wings.next()) {
        (Some(p), Some(q), None) => p.min(q) < -SIDE && p.max(q) > SIDE,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::super::inside::{is_at, winding_of_all};
    use super::*;
    use crate::mesh::shapes::{Cone, Cuboid, Cylinder, Prism, Shape, Sphere};

    /// All pairs of edges and faces, and at each touch a look in all directions into both bodies
    /// and between two of them: what [`intersect`] does with few of each.
    struct Oracle<'s, 'c>(&'s Scene<'c>);

    impl Oracle<'_, '_> {
        fn intersects(&self) -> bool {
            let Self(scene) = self;
            let mut shared = false;
            for owner in [0, 1] {
                let [own, other] = [&scene.sides[owner], &scene.sides[1 - owner]];
                for edge in 0..own.collider.mesh().edge_count() as u32 {
                    let local = own.collider.mesh().edge(edge).map(|v| own.collider.local(v));
                    let mut touches = Vec::new();
                    for face in 0..other.collider.mesh().face_count() as u32 {
                        let ends = local.map(|at| other.point(at));
                        match cut(other.collider, face, ends, scene.tolerance, |_| false) {
                            Cut::None => {}
                            Cut::Through => return true,
                            Cut::Touch(along) => {
                                let normal = other.collider.mesh().normal(face);
                                touches.push((along, own.vector(-normal)));
                            }
                        }
                    }
                    shared = shared || self.shares(owner, edge, touches);
                }
            }
            shared || (0..2).any(|owner| self.0.is_inside(owner, &mut Vec::new()))
        }

        fn shares(&self, owner: usize, edge: u32, mut touches: Vec<(f64, DVec3)>) -> bool {
            let collider = self.0.sides[owner].collider;
            let mesh = collider.mesh();
            let [from, to] = mesh.edge(edge).map(|v| collider.local(v));
            let normals = mesh.edge_sides(edge).iter().map(|side| mesh.normal(side.face));
            let inward = -normals.sum::<DVec3>().normalize_or_zero();
            let below = |along: f64, toward: DVec3| {
                toward.try_normalize().is_some_and(|toward| {
                    self.is_shared(owner, from.lerp(to, along) + 1e3 * self.0.tolerance * toward)
                })
            };
            touches.sort_by(|p, q| p.0.total_cmp(&q.0));
            let mut last = 0.0;
            for &(along, other) in &touches {
                let towards = [inward, other, inward + other];
                let middle = 0.5 * (last + along);
                if towards.into_iter().any(|t| below(along, t)) || below(middle, inward) {
                    return true;
                }
                last = along;
            }
            !touches.is_empty() && below(0.5 * (last + 1.0), inward)
        }

        fn is_shared(&self, owner: usize, at: DVec3) -> bool {
            let [own, other] = [&self.0.sides[owner], &self.0.sides[1 - owner]];
            let within = |collider: &Collider, at: DVec3| {
                let clear = CLEAR * self.0.tolerance;
                let mut faces = 0..collider.mesh().face_count() as u32;
                !faces.any(|face| is_at(collider, face, at, clear))
                    && winding_of_all(collider, at) > 0
            };
            within(other.collider, other.point(at)) && within(own.collider, at)
        }
    }

    #[test]
    fn all_pairs_and_all_directions_give_the_same_answers() {
        let shapes = [
            Shape::Box(Cuboid::default()),
            Shape::Box(Cuboid { size: [2.0, 1.0, 0.5] }),
            Shape::Prism(Prism::default()),
            Shape::Cone(Cone { segments: 12, ..Cone::default() }),
            Shape::Cylinder(Cylinder { segments: 8, ..Cylinder::default() }),
            Shape::Sphere(Sphere { segments: [8, 4], ..Sphere::default() }),
        ];
        let bodies = shapes.map(|shape| Collider::new(shape.build().expect("a shape")));
        let mut state = 3_u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % limit
        };
        let mut counts = [0, 0];
        let mut workspace = Workspace::new();
        for number in 0..1500 {
            let [a, b] = [0, 1].map(|_| &bodies[below(6) as usize]);
            // Halves and quarter turns, so that most bodies touch or coincide.
            let position = DVec3::from_array([0, 1, 2].map(|_| below(7) as f64 * 0.5 - 1.5));
            let turn = DQuat::from_rotation_x(below(4) as f64 * std::f64::consts::FRAC_PI_2)
                * DQuat::from_rotation_y(below(4) as f64 * std::f64::consts::FRAC_PI_4);
            let poses = [Pose::IDENTITY, Pose::new(position, turn).expect("finite")];
            let expected = Oracle(&Scene::new([a, b], &poses, 0.0)).intersects();
            assert_eq!(intersect(a, b, poses, &mut workspace), expected, "case {number}");
            counts[usize::from(expected)] += 1;
        }
        assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
    }
}
