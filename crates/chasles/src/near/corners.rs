//! Vertices near the inside of a ridge or near another vertex, where no face and no pair of ridges
//! tells the distance.

use glam::DVec3;

use super::find::{Finder, Found, Stand};
use super::leaf::Placed;
use crate::bounds::Node;
use crate::contact::{Met, Pair, Terms};

/// A direction may leave a cone by this and by the rounding of its ends.
const CONE: f64 = 1e-9;

impl Finder<'_, '_> {
    /// Vertices of the other body that are nearest to the inside of a ridge of `owner`.
    pub(super) fn over_edges(&mut self, owner: usize, node: &Node, corners: &[Placed]) {
        let collider = self.scene.sides[owner].collider;
        for edge in node.edges.clone().filter(|&e| collider.is_ridge(e)) {
            let [from, to] = collider.mesh().edge(edge).map(|v| collider.local(v));
            let direction = collider.direction(edge);
            for corner in corners {
                let along = direction.dot(corner.at - from);
                if along >= 0.0 && direction.dot(corner.at - to) <= 0.0 {
                    let apart = corner.at - (from + along * direction);
                    self.over_edge(owner, edge, corner, apart);
                }
            }
        }
    }

    /// A vertex that is `apart` from the nearest point of a ridge of `owner`.
    #[inline]
    fn over_edge(&mut self, owner: usize, edge: u32, corner: &Placed, apart: DVec3) {
        let collider = self.scene.sides[owner].collider;
        let Some((outward, gap)) = self.within_reach(apart) else { return };
        let wings = Terms::of(collider.wings(edge).map(|wing| -wing.dot(outward)));
        let Some(stand) = self.nearest(wings, (1 - owner, corner.vertex), outward, gap) else {
            return;
        };
        let faces = collider.mesh().edge_sides(edge).iter().map(|side| side.face);
        let best = self.best_face(owner, faces, corner.vertex);
        let met = best.map_or((Met::EdgeVertex, edge), |(face, _)| (Met::FaceVertex, face));
        self.keep(owner, met, corner, stand);
    }

    /// A vertex of A and one of B that are nearest to each other.
    #[inline]
    pub(super) fn between_corners(&mut self, vertex: u32, corner: &Placed) {
        let [a, b] = self.scene.sides.map(|side| side.collider);
        let Some((normal, gap)) = self.within_reach(corner.at - a.local(vertex)) else { return };
        let rays = Terms::of(a.rays(vertex).iter().map(|ray| -ray.dot(normal)));
        let Some(stand) = self.nearest(rays, (1, corner.vertex), normal, gap) else { return };
        let of_a = a.mesh().vertex_faces(vertex).iter().copied();
        let of_b = b.mesh().vertex_faces(corner.vertex).iter().copied();
        let bests = [self.best_face(0, of_a, corner.vertex), self.best_face(1, of_b, vertex)];
        let pair = match bests {
            [Some((face, p)), other] if other.is_none_or(|(_, q)| p >= q) => {
                Pair { met: Met::FaceVertex, a: face, b: corner.vertex }
            }
            [_, Some((face, _))] => Pair { met: Met::VertexFace, a: vertex, b: face },
            _ => Pair { met: Met::VertexVertex, a: vertex, b: corner.vertex },
        };
        let Stand { properness, resolved, .. } = stand;
        self.push(Found { pair, resolved, point: a.local(vertex), normal, gap, properness });
    }

    /// Direction and length of a vector within reach. What touches has no direction, and is found
    /// with the faces and ridges.
    #[inline]
    fn within_reach(&self, apart: DVec3) -> Option<(DVec3, f64)> {
        let gap_sq = apart.length_squared();
        if gap_sq > self.options.reach * self.options.reach {
            return None;
        }
        let gap = gap_sq.sqrt();
        (gap > self.scene.tolerance).then(|| (apart / gap, gap))
    }

    /// How a vertex of `owner` stands over a feature with these terms, if no point next to the two
    /// is nearer.
    #[inline]
    fn nearest(
        &self,
        terms: Terms,
        (owner, vertex): (usize, u32),
        outward: DVec3,
        gap: f64,
    ) -> Option<Stand> {
        let least = -CONE - self.scene.noise / gap;
        let below = terms.properness(true);
        if below < least {
            return None;
        }
        let above = self.ray_terms(owner, vertex, outward).properness(true);
        let properness = below.min(above);
        (above >= least).then_some(Stand { outward, gap, properness, resolved: true })
    }

    /// The face of `owner` with the best properness for a vertex of the other body, which stands
    /// for an edge or vertex of its rim as in the method for moving bodies.
    fn best_face(
        &self,
        owner: usize,
        faces: impl Iterator<Item = u32>,
        vertex: u32,
    ) -> Option<(u32, f64)> {
        let mesh = self.scene.sides[owner].collider.mesh();
        let judged = faces.map(|face| {
            let terms = self.ray_terms(1 - owner, vertex, mesh.normal(face));
            (face, terms.properness(!mesh.is_two_sided(face)))
        });
        judged.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }
}
