//! How far a mesh is from a cylinder with flat ends.
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
use super::{Feature, Workspace};
use crate::bounds::{Collider, Node};
use crate::contact::locate::{Place, in_polygon};
use crate::motion::Pose;
use crate::near;
use crate::round::{self, Round};

/// Halvings of an edge: what is left is below the spacing of doubles.
const HALVINGS: u32 = 60;

/// How far a mesh is from a cylinder, in the world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CylinderGap {
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
pub(crate) fn from_cylinder(
    mesh: &Collider,
    round: &Round,
    poses: [Pose; 2],
    workspace: &mut Workspace,
) -> CylinderGap {
    let cylinder = Cylinder::new(round, &poses[0].inverse_after(&poses[1]), mesh.pivot());
    let mut search = Search { mesh, cylinder, best: Best::NONE };
    search.run(&mut workspace.nodes);
    let (best, tolerance) = (search.best, search.tolerance());
    let holds = best.gap > tolerance
        && mesh.is_closed()
        && near::contains(mesh, cylinder.centre, 0.5 * best.gap, &mut workspace.stack);
    let to_world = |local: DVec3| poses[0].point(local + mesh.pivot());
    let surface = best.point - best.gap * best.away;
    CylinderGap {
        gap: if holds { -best.gap } else { best.gap },
        points: [to_world(best.point), to_world(surface)],
        normal: poses[0].vector(if holds { best.away } else { -best.away }),
        of_mesh: if holds { Feature::Inside } else { labelled(mesh, best.spot) },
        of_round: cylinder.part(surface),
        overlaps: holds || best.gap < -tolerance,
    }
}

/// A cylinder in the local frame of the mesh.
#[derive(Clone, Copy, Debug)]
struct Cylinder {
    centre: DVec3,
    axis: DVec3,
    half: f64,
    radius: f64,
}

impl Cylinder {
    fn new(round: &Round, pose: &Pose, pivot: DVec3) -> Self {
        let [from, to] = round.ends();
        let axis = pose.vector(to - from).normalize_or_zero();
        let centre = pose.point(0.5 * from + 0.5 * to) - pivot;
        Self { centre, axis, half: round.half_length(), radius: round.radius() }
    }

    /// The signed distance of a point, and its gradient.
    fn distance(&self, point: DVec3) -> (f64, DVec3) {
        let y = point - self.centre;
        let along = y.dot(self.axis);
        let across = self.across(y);
        let off_axis = across.length();
        let out = off_axis - self.radius;
        let beyond = along.abs() - self.half;
        let radial =
            if off_axis > 0.0 { across / off_axis } else { self.axis.any_orthonormal_vector() };
        let axial = self.axis * along.signum();
        if out > 0.0 && beyond > 0.0 {
            let distance = out.hypot(beyond);
            (distance, (out * radial + beyond * axial).normalize_or(radial))
        } else if out > beyond {
            (out, radial)
        } else {
            (beyond, axial)
        }
    }

    /// What of a vector is across the axis. Far along the axis the first difference leaves some of
    /// it, which is large beside what is left; the second takes that away.
    fn across(&self, y: DVec3) -> DVec3 {
        let once = y - y.dot(self.axis) * self.axis;
        once - once.dot(self.axis) * self.axis
    }

    /// The point farthest along a unit direction; of several the middle of a cap, or an end.
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let along = direction.dot(self.axis);
        let across = (direction - along * self.axis).normalize_or_zero();
        self.centre + self.half * along.signum() * self.axis + self.radius * across
    }

    /// The part of the surface at one of its points.
    fn part(&self, point: DVec3) -> round::Feature {
        let y = point - self.centre;
        let along = y.dot(self.axis);
        let end = u8::from(along > 0.0);
        let small = 1e-12 * (self.radius + self.half);
        let is_out = self.across(y).length() > self.radius - small;
        match (is_out, along.abs() > self.half - small) {
            (true, true) => round::Feature::Rim(end),
            (false, true) => round::Feature::Cap(end),
            _ => round::Feature::Side,
        }
    }
}

/// The nearest place of the mesh so far.
#[derive(Clone, Copy, Debug)]
struct Best {
    gap: f64,
    point: DVec3,
    /// From the cylinder.
    away: DVec3,
    spot: Option<Spot>,
}

impl Best {
    const NONE: Self = Self { gap: f64::INFINITY, point: DVec3::ZERO, away: DVec3::X, spot: None };
}

struct Search<'c> {
    mesh: &'c Collider,
    cylinder: Cylinder,
    best: Best,
}

/// Nodes by the bits of a bound that is not negative: they are in the order of the numbers.
pub(super) type Queue = BinaryHeap<Reverse<(u64, u32)>>;

impl Search<'_> {
    /// Opens nodes in the order of their bounds, until none can be nearer.
    fn run(&mut self, queue: &mut Queue) {
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
        let Cylinder { half, radius, .. } = self.cylinder;
        let size = half.hypot(radius);
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

    fn look(&mut self, point: DVec3, spot: Spot) {
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
        let rises = |t: f64| self.cylinder.distance(from + t * way).1.dot(way) >= 0.0;
        // At an end the vertex has it.
        if rises(0.0) || !rises(1.0) {
            return;
        }
        let [mut low, mut high] = [0.0, 1.0];
        for _ in 0..HALVINGS {
            let t = 0.5 * (low + high);
            *(if rises(t) { &mut high } else { &mut low }) = t;
        }
        self.look(from + high * way, Spot::Edge(e));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_from_very_long_cylinders_are_unit_and_across() {
        let axis = DVec3::new(0.3, -0.5, 0.8).normalize();
        let aside = axis.any_orthonormal_vector();
        for half in [1.0, 1e4, 1e8, 1e12] {
            let cylinder = Cylinder { centre: DVec3::ZERO, axis, half, radius: 1.0 };
            for along in [-1.1, -0.9, 0.3, 0.999, 1.0001] {
                for off in [0.5, 1.5, 3.0] {
                    let point = along * half * axis + off * aside;
                    let (_, away) = cylinder.distance(point);
                    assert!(away.is_normalized(), "{half} {along} {off}: {}", away.length());
                    let is_beside = along.abs() < 1.0 && off > 1.0;
                    assert!(!is_beside || away.dot(axis).abs() < 1e-14, "{half} {along} {off}");
                }
            }
        }
    }
}
