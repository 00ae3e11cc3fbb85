//! The features of a leaf that come near a leaf of the other body.

use glam::DVec3;

use super::scene::Scene;
use crate::bounds::{Aabb, Node};

/// A vertex, placed in the other body's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) vertex: u32,
    pub(super) at: DVec3,
}

/// An edge in A's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) edge: u32,
    pub(super) from: DVec3,
    pub(super) direction: DVec3,
    pub(super) length: f64,
}

impl Segment {
    #[inline]
    pub(super) fn ends(&self) -> [DVec3; 2] {
        [self.from, self.from + self.length * self.direction]
    }
}

/// What two leaves have near each other; the memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaves {
    /// Corners of each body, in the frame of the other.
    pub(super) corners: [Vec<Placed>; 2],
    /// Ridges of each body, in A's frame.
    pub(super) ridges: [Vec<Segment>; 2],
}

impl Leaves {
    /// Collects corners and ridges within `reach` of the other leaf's box.
    pub(super) fn gather(&mut self, scene: &Scene, nodes: [&Node; 2], reach: f64) {
        let grown = DVec3::splat(reach + scene.noise);
        let boxes = nodes.map(|node| {
            Aabb { low: node.centre - node.half, high: node.centre + node.half }.grown(grown)
        });
        for (owner, node) in nodes.into_iter().enumerate() {
            let [own, other] = [&scene.sides[owner], &scene.sides[1 - owner]];
            let corners = node.vertices.clone().filter(|&v| own.collider.is_corner(v));
            let placed = corners
                .map(|vertex| Placed { vertex, at: other.point(own.collider.local(vertex)) });
            let around = &boxes[1 - owner];
            let near = |p: &Placed| (around.low.cmple(p.at) & p.at.cmple(around.high)).all();
            self.corners[owner].clear();
            self.corners[owner].extend(placed.filter(near));
        }
        self.gather_ridges(scene, nodes, &boxes, reach);
    }

    /// Both bodies' ridges are kept in A's frame, in which B's box is a larger one.
    fn gather_ridges(&mut self, scene: &Scene, nodes: [&Node; 2], boxes: &[Aabb; 2], reach: f64) {
        let [side, _] = &scene.sides;
        let [a, b] = scene.sides.map(|side| side.collider);
        let middle = side.point(nodes[1].centre);
        let half = side.box_of(nodes[1].half) + DVec3::splat(reach + scene.noise);
        let around_b = Aabb { low: middle - half, high: middle + half };
        let of_a = nodes[0].edges.clone().filter(|&e| a.is_ridge(e)).map(|edge| Segment {
            edge,
            from: a.local(a.mesh().edge(edge)[0]),
            direction: a.direction(edge),
            length: a.edge_length_sq(edge).sqrt(),
        });
        let of_b = nodes[1].edges.clone().filter(|&e| b.is_ridge(e)).map(|edge| Segment {
            edge,
            from: side.point(b.local(b.mesh().edge(edge)[0])),
            direction: side.vector(b.direction(edge)),
            length: b.edge_length_sq(edge).sqrt(),
        });
        let near = |around: &Aabb, s: &Segment| around.overlaps(&Aabb::around(s.ends()));
        self.ridges[0].clear();
        self.ridges[0].extend(of_a.filter(|s| near(&around_b, s)));
        self.ridges[1].clear();
        self.ridges[1].extend(of_b.filter(|s| near(&boxes[0], s)));
    }
}
