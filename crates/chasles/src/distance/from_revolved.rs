//! How far a mesh is from a cylinder with flat ends or a cone.
//!
//! The signed distance `f` from a convex body is a convex function of the point, and its gradient
//! is the direction from the closest point of the surface. So, of the parts of a mesh,
//!
//! - a vertex has its `f`;
//! - along an edge `f` is least where the slope `grad f . e` changes its sign, which bisection
//!   finds; what is left of the interval is rounding, and the slope is of the size of 1;
//! - over the inside of a face `f` is least below the farthest point of the cylinder towards the
//!   face, if the foot of that point is in the face. Where the farthest points are a line or a
//!   disc, either one of them is as good as all, or the least is also at an edge of the face.
//!
//! A face that the cylinder passes through without meeting its edges holds any point of the section
//! with its plane, such as that between the farthest points of both sides.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::leaf::Spot;
use super::outcome::labelled;
use super::revolved::Revolved;
use super::{Feature, Workspace};
use crate::bounds::{Collider, Node};
use crate::contact::locate::{Place, in_polygon};
use crate::motion::Pose;
use crate::near;
use crate::numeric::Elementary;
use crate::round::{self, Round};

/// How far a mesh is from a cylinder, in the world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RevolvedGap {
    /// The distance; not positive if the bodies overlap or touch.
    pub(crate) gap: f64,
    /// The closest points of the mesh and of the cylinder.
    pub(crate) points: [DVec3; 2],
    /// Unit, from the mesh to the cylinder.
    pub(crate) normal: DVec3,
    /// The part of the mesh; the inside if it holds the cylinder.
    pub(crate) of_mesh: Feature,
    /// The part of the cylinder.
    pub(crate) of_round: round::Feature,
    /// Whether the bodies share more than points where they touch.
    pub(crate) overlaps: bool,
}

/// The signed distance of a mesh and a cylinder at poses, with the closest points.
///
/// *Accepts* any collider, also one of points or segments, and a cylinder. *Guarantees* the least
/// distance to some units in the last place of the coordinates; of bodies that overlap only that
/// they do. *Cost* about that of the mesh's leaves nearest to the cylinder. *Fails* never.
pub(crate) fn from_revolved(
    mesh: &Collider,
    round: &Round,
    poses: [Pose; 2],
    workspace: &mut Workspace,
) -> RevolvedGap {
    let cylinder = Revolved::new(round, &poses[0].inverse_after(&poses[1]), mesh.pivot());
    let mut search = Search::new(mesh, cylinder, f64::INFINITY);
    search.run(&mut workspace.nodes);
    let (best, tolerance) = (search.best, search.tolerance());
    let holds = best.gap > tolerance
        && mesh.is_closed()
        && near::contains(mesh, cylinder.centre, 0.5 * best.gap, &mut workspace.stack);
    let to_world = |local: DVec3| poses[0].point(local + mesh.pivot());
    let surface = best.point - best.gap * best.away;
    RevolvedGap {
        gap: if holds { -best.gap } else { best.gap },
        points: [to_world(best.point), to_world(surface)],
        normal: poses[0].vector(if holds { best.away } else { -best.away }),
        of_mesh: if holds { Feature::Inside } else { labelled(mesh, best.spot) },
        of_round: cylinder.part(surface),
        overlaps: holds || best.gap < -tolerance,
    }
}

/// The nearest place of the mesh so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub(super) gap: f64,
    point: DVec3,
    /// From the cylinder.
    pub(super) away: DVec3,
    spot: Option<Spot>,
}

impl Best {
    const NONE: Self = Self { gap: f64::INFINITY, point: DVec3::ZERO, away: DVec3::X, spot: None };
}

pub(super) struct Search<'c> {
    mesh: &'c Collider,
    cylinder: Revolved,
    pub(super) best: Best,
    /// Nodes that were looked at.
    pub(super) visits: u64,
}

/// Nodes by the bits of a bound that is not negative: they are in the order of the numbers.
pub(super) type Queue = BinaryHeap<Reverse<(u64, u32)>>;

impl<'c> Search<'c> {
    /// A search for what is nearer than `least`.
    pub(super) fn new(mesh: &'c Collider, cylinder: Revolved, least: f64) -> Self {
        Self { mesh, cylinder, best: Best { gap: least, ..Best::NONE }, visits: 0 }
    }

    /// Opens nodes in the order of their bounds, until none can be nearer.
    pub(super) fn run(&mut self, queue: &mut Queue) {
        let nodes = self.mesh.nodes();
        let cylinder = self.cylinder;
        let due = |number: u32| {
            let node = &nodes[number as usize];
            let least = cylinder.distance(node.centre).0 - node.half.length();
            Reverse((least.max(0.0).to_bits(), number))
        };
        queue.clear();
        queue.push(due(0));
        while let Some(Reverse((least, number))) = queue.pop() {
            // Of bodies that overlap any place tells.
            if f64::from_bits(least) > self.best.gap || self.best.gap < -self.tolerance() {
                return;
            }
            self.visits += 1;
            let node = &nodes[number as usize];
            if node.is_leaf() {
                self.leaf(node);
            } else {
                queue.extend([due(node.child), due(node.child + 1)]);
            }
        }
    }

    /// What is this deep in each other overlaps.
    fn tolerance(&self) -> f64 {
        let Revolved { half, radius, .. } = self.cylinder;
        let size = half.hypotenuse(radius);
        let of_mesh = self.mesh.radius();
        near::TOUCHING * if of_mesh > 0.0 { size.min(of_mesh) } else { size }
    }

    fn leaf(&mut self, node: &Node) {
        for v in node.vertices.clone() {
            self.look(self.mesh.local(v), Spot::Vertex(v));
        }
        for e in node.edges.clone() {
            self.edge(e);
        }
        for f in node.faces.clone() {
            self.face(f);
        }
    }

    /// The same of one face with its border.
    pub(super) fn whole_face(&mut self, f: u32) {
        let mesh = self.mesh.mesh();
        for &v in mesh.face(f) {
            self.look(self.mesh.local(v), Spot::Vertex(v));
        }
        for &e in mesh.face_edges(f) {
            self.edge(e);
        }
        self.face(f);
    }

    /// The same of one edge with its ends.
    pub(super) fn whole_edge(&mut self, e: u32) {
        for v in self.mesh.mesh().edge(e) {
            self.look(self.mesh.local(v), Spot::Vertex(v));
        }
        self.edge(e);
    }

    pub(super) fn look(&mut self, point: DVec3, spot: Spot) {
        let (gap, away) = self.cylinder.distance(point);
        if gap < self.best.gap {
            self.best = Best { gap, point, away, spot: Some(spot) };
        }
    }

    fn edge(&mut self, e: u32) {
        let [from, to] = self.mesh.mesh().edge(e).map(|v| self.mesh.local(v));
        let [middle, way] = [0.5 * (from + to), to - from];
        if self.cylinder.distance(middle).0 - 0.5 * way.length() > self.best.gap {
            return;
        }
        // At an end the vertex has it.
        if let Some(point) = self.cylinder.nearest_between([from, to]) {
            self.look(point, Spot::Edge(e));
        }
    }

    fn face(&mut self, f: u32) {
        let mesh = self.mesh.mesh();
        let [normal, origin] = [mesh.normal(f), self.mesh.face_local(f)];
        let height = |point: DVec3| normal.dot(point - origin);
        let side = height(self.cylinder.centre).signum();
        let nearest = self.cylinder.farthest(-side * normal);
        let gap = side * height(nearest);
        if gap >= self.best.gap {
            return;
        }
        let foot = if gap >= 0.0 {
            nearest - height(nearest) * normal
        } else {
            let farthest = self.cylinder.farthest(side * normal);
            nearest.lerp(farthest, gap / (gap - side * height(farthest)))
        };
        let ring = mesh.face(f);
        let corner = |i: usize| self.mesh.local(ring[i]);
        // What is at the border is found there.
        if in_polygon(foot, normal, corner, ring.len(), 0.0) == Place::Inside {
            let spot = Some(Spot::Face(f));
            self.best = Best { gap, point: foot, away: -side * normal, spot };
        }
    }
}
