//! Two bodies at rest, each in its own local frame and in the other's.

use glam::{DMat3, DVec3};

use crate::bounds::{Collider, FLAT, Node};
use crate::motion::Pose;

/// A body and how the other one lies in its frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'c> {
    pub(super) collider: &'c Collider,
    /// Turns the other's local directions into this body's.
    turn: DMat3,
    /// Where the other's pivot lies.
    shift: DVec3,
}

impl<'c> Side<'c> {
    fn new(collider: &'c Collider, pose: &Pose, other: &Collider, other_pose: &Pose) -> Self {
        let relative = pose.inverse_after(other_pose);
        let turn = DMat3::from_quat(relative.rotation());
        let shift = relative.point(other.pivot()) - collider.pivot();
        Self { collider, turn, shift }
    }

    /// A local point of the other body.
    #[inline]
    pub(super) fn point(&self, other: DVec3) -> DVec3 {
        self.turn * other + self.shift
    }

    /// A local direction of the other body.
    #[inline]
    pub(super) fn vector(&self, other: DVec3) -> DVec3 {
        self.turn * other
    }

    /// Half the sides of the box along this body's axes around one along the other's.
    #[inline]
    pub(super) fn box_of(&self, half: DVec3) -> DVec3 {
        let DMat3 { x_axis, y_axis, z_axis } = self.turn;
        x_axis.abs() * half.x + y_axis.abs() * half.y + z_axis.abs() * half.z
    }
}

/// Both bodies, and the lengths that count as nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'c> {
    pub(super) sides: [Side<'c>; 2],
    /// How wrong placed coordinates are at most.
    pub(super) noise: f64,
    /// Points this close are one.
    pub(super) tolerance: f64,
}

/// Bodies this share of the smaller one's size in each other only touch, and what is so close is
/// one: far above rounding, far below what a solver leaves between bodies.
pub(crate) const TOUCHING: f64 = 1e-10;

impl<'c> Scene<'c> {
    /// `reach` is the largest distance asked for.
    pub(super) fn new([a, b]: [&'c Collider; 2], poses: &[Pose; 2], reach: f64) -> Self {
        let sides = [Side::new(a, &poses[0], b, &poses[1]), Side::new(b, &poses[1], a, &poses[0])];
        let far = a.radius() + b.radius() + sides[0].shift.length();
        // Placing takes nine products and sums, and meshes and quaternions are rounded before.
        let noise = 16.0 * f64::EPSILON * far;
        // What is above a bend that counts as flat misses both faces by a part of the distance.
        let bend = 2.0 * FLAT * reach.clamp(0.0, far);
        let tolerance = (TOUCHING * a.radius().min(b.radius()) + bend).max(4.0 * noise);
        Self { sides, noise, tolerance }
    }

    /// Whether boxes around two nodes come within `reach` of each other, by the axes of both.
    #[inline]
    pub(super) fn overlap(&self, a: &Node, b: &Node, reach: f64) -> bool {
        let [side, _] = &self.sides;
        let between = side.point(b.centre) - a.centre;
        let reach = DVec3::splat(reach + self.noise);
        let columns = [side.turn.x_axis, side.turn.y_axis, side.turn.z_axis];
        let sizes = columns.map(|column| column.abs());
        if !between.abs().cmple(a.half + side.box_of(b.half) + reach).all() {
            return false;
        }
        let in_b = DVec3::from_array(columns.map(|column| column.dot(between)));
        let of_a = DVec3::from_array(sizes.map(|size| size.dot(a.half)));
        in_b.abs().cmple(b.half + of_a + reach).all()
    }

    /// Calls `each` with all pairs of leaves that come within `reach` of each other, until it
    /// returns false.
    pub(super) fn leaves(
        &self,
        reach: f64,
        stack: &mut Vec<[u32; 2]>,
        mut each: impl FnMut(&'c Node, &'c Node) -> bool,
    ) {
        let nodes = self.sides.map(|side| side.collider.nodes());
        stack.clear();
        stack.push([0, 0]);
        while let Some([i, j]) = stack.pop() {
            let [p, q] = [&nodes[0][i as usize], &nodes[1][j as usize]];
            if !self.overlap(p, q, reach) {
                continue;
            }
            if !(p.is_leaf() && q.is_leaf()) {
                stack.extend(halves([i, j], [p, q]));
            } else if !each(p, q) {
                return;
            }
        }
    }
}

/// The pairs of the larger node's children with the other node, where not both are leaves.
#[inline]
pub(super) fn halves([i, j]: [u32; 2], [p, q]: [&Node; 2]) -> [[u32; 2]; 2] {
    let larger = p.half.max_element() >= q.half.max_element();
    if !p.is_leaf() && (larger || q.is_leaf()) {
        [[p.child, j], [p.child + 1, j]]
    } else {
        [[i, q.child], [i, q.child + 1]]
    }
}
