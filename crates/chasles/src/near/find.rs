//! The pairs of features of two leaves that are near each other.
//!
//! A pair is judged by the terms of [Buss04 §5]: the unit vectors from the two features into their
//! bodies should not lead toward each other. For a vertex these are its *rays* along the edges, for
//! an edge its *wings* into the faces.

use glam::DVec3;

use super::Options;
use super::leaf::{Leaves, Placed};
use super::scene::Scene;
use crate::bounds::Node;
use crate::contact::locate::{Place, in_polygon};
use crate::contact::{Met, Pair, Terms};

/// A place where two features are near each other, in A's local frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) pair: Pair,
    /// Whether the face of the pair stands for an edge or a vertex of its rim.
    pub(super) resolved: bool,
    /// The closest point of A.
    pub(super) point: DVec3,
    /// Unit, from A to B.
    pub(super) normal: DVec3,
    pub(super) gap: f64,
    pub(super) properness: f64,
}

impl Found {
    /// The closest point of B.
    #[inline]
    pub(super) fn point_b(&self) -> DVec3 {
        self.point + self.gap * self.normal
    }
}

/// How a vertex stands over a feature of the other body, in that body's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    /// Unit, from the feature to the vertex.
    pub(super) outward: DVec3,
    pub(super) gap: f64,
    pub(super) properness: f64,
    pub(super) resolved: bool,
}

/// Looks at leaves and keeps what is near.
pub(super) struct Finder<'w, 'c> {
    pub(super) scene: Scene<'c>,
    pub(super) options: Options,
    pub(super) found: &'w mut Vec<Found>,
}

impl Finder<'_, '_> {
    /// All pairs of features of two leaves.
    pub(super) fn leaves(&mut self, nodes: [&Node; 2], leaves: &mut Leaves) {
        leaves.gather(&self.scene, nodes, self.options.reach);
        for owner in [0, 1] {
            let corners = &leaves.corners[1 - owner];
            if !corners.is_empty() {
                self.over_faces(owner, nodes[owner], corners);
                self.over_edges(owner, nodes[owner], corners);
            }
        }
        let of_a = self.scene.sides[0].collider;
        for v in nodes[0].vertices.clone().filter(|&v| of_a.is_corner(v)) {
            leaves.corners[1].iter().for_each(|corner| self.between_corners(v, corner));
        }
        for p in &leaves.ridges[0] {
            leaves.ridges[1].iter().for_each(|q| self.between_ridges(p, q));
        }
    }

    /// Vertices of the other body in front of faces of `owner`.
    fn over_faces(&mut self, owner: usize, node: &Node, corners: &[Placed]) {
        let collider = self.scene.sides[owner].collider;
        for face in node.faces.clone() {
            let [upward, origin] = [collider.mesh().normal(face), collider.face_local(face)];
            let two_sided = collider.mesh().is_two_sided(face);
            for corner in corners {
                let height = upward.dot(corner.at - origin);
                let gap = if two_sided { height.abs() } else { height };
                if gap <= self.options.reach && gap >= -self.scene.tolerance {
                    self.over_face(owner, face, corner, height);
                }
            }
        }
    }

    /// A vertex at this height over the plane of a face of `owner`.
    #[inline]
    fn over_face(&mut self, owner: usize, face: u32, corner: &Placed, height: f64) {
        let Scene { sides, tolerance, .. } = &self.scene;
        let collider = sides[owner].collider;
        let mesh = collider.mesh();
        let ring = mesh.face(face);
        let upward = mesh.normal(face);
        let foot = corner.at - height * upward;
        let at = |i: usize| collider.local(ring[i]);
        if in_polygon(foot, upward, at, ring.len(), *tolerance) == Place::Outside {
            return;
        }
        let two_sided = mesh.is_two_sided(face);
        let outward = if two_sided && height < 0.0 { -upward } else { upward };
        let touching = height.abs() <= *tolerance;
        let terms = self.ray_terms(1 - owner, corner.vertex, outward);
        let facing = terms.facing(outward, DVec3::ZERO, !(two_sided && touching));
        let gap = if two_sided { height.abs() } else { height.max(0.0) };
        let stand =
            Stand { outward: facing.normal, gap, properness: facing.properness, resolved: false };
        self.keep(owner, (Met::FaceVertex, face), corner, stand);
    }

    /// The terms of a vertex of `owner` for a direction in the other body's frame.
    #[inline]
    pub(super) fn ray_terms(&self, owner: usize, vertex: u32, outward: DVec3) -> Terms {
        let side = &self.scene.sides[owner];
        let outward = side.vector(outward);
        Terms::of(side.collider.rays(vertex).iter().map(|ray| ray.dot(outward)))
    }

    /// Keeps a vertex of the other body over a feature of `owner`.
    pub(super) fn keep(
        &mut self,
        owner: usize,
        (met, feature): (Met, u32),
        corner: &Placed,
        stand: Stand,
    ) {
        let Stand { outward, gap, properness, resolved } = stand;
        let (pair, point, normal) = if owner == 0 {
            let pair = Pair { met, a: feature, b: corner.vertex };
            (pair, corner.at - gap * outward, outward)
        } else {
            let met = if met == Met::FaceVertex { Met::VertexFace } else { Met::VertexEdge };
            let side = &self.scene.sides[0];
            let pair = Pair { met, a: corner.vertex, b: feature };
            (pair, side.collider.local(corner.vertex), -side.vector(outward))
        };
        self.push(Found { pair, resolved, point, normal, gap, properness });
    }

    pub(super) fn push(&mut self, found: Found) {
        if found.properness >= self.options.min_properness {
            self.found.push(found);
        }
    }
}
