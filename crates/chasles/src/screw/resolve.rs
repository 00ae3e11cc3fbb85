//! From touches to contacts: normal, properness, and one contact for each coincidence.
//!
//! Properness [Buss04 §5]: for a face and a vertex `min e_i . n` over the unit vectors `e_i` along
//! the vertex's edges. For two edges eq. (7), which we write with the unit vectors from each edge
//! into its faces (*wings*): `(n x e_A) . n_A1 = -n . wing`, so the value is the least of
//! `-n . wing` over A's wings and `n . wing` over B's. In this form it needs no orientation, and
//! edges with one face, many faces or none have their own terms and no others.

use glam::DVec3;

use super::query::Query;
use super::touch::Touch;
use crate::contact::{Facing, Met, Pair, Terms};
use crate::numeric::HelixAt;
use crate::numeric::roots::Root;

/// A contact in the numbers and coordinates of the query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// A face and a vertex, a vertex and a face, or two edges; a coincidence
    /// only where a lone vertex takes part and no face does.
    pub(crate) pair: Pair,
    pub(crate) root: Root,
    pub(crate) point: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) properness: f64,
    pub(crate) normal_speed: f64,
    pub(crate) touchable: bool,
}

impl Query<'_> {
    /// The contact of one pair at a root. `EdgeVertex` and the other coincidences are resolved
    /// into the pair with the best properness.
    pub(crate) fn resolve(&mut self, touch: &Touch) -> Found {
        let &Touch { pair: Pair { met, a, b }, root, ref at, point, normal, .. } = touch;
        let found = match met {
            Met::FaceVertex => self.with_face_of_a([a, b], root, at, (point, normal)),
            Met::VertexFace => self.with_face_of_b([a, b], root, (point, normal)),
            Met::EdgeEdge => self.between_edges([a, b], root, at, (point, normal)),
            _ => self.resolve_coincidence(touch),
        };
        Found { touchable: touch.touchable, ..found }
    }

    #[cold]
    fn resolve_coincidence(&mut self, touch: &Touch) -> Found {
        let &Touch { pair: Pair { met, a, b }, root, ref at, .. } = touch;
        match met {
            Met::EdgeVertex => self.edge_vertex(a, b, root, at),
            Met::VertexEdge => self.vertex_edge(a, b, root, at),
            _ => self.vertex_vertex(a, b, root, at),
        }
    }

    /// The contact of a pair with these terms of properness.
    #[inline(always)]
    fn found(
        &self,
        pair: Pair,
        root: Root,
        (point, normal): (DVec3, DVec3),
        (terms, has_outside): (Terms, bool),
    ) -> Found {
        let flow = self.relative.screw.flow(point);
        let Facing { normal, properness, normal_speed } = terms.facing(normal, flow, has_outside);
        let touchable = self.is_touchable(&pair);
        Found { pair, root, point, normal, properness, normal_speed, touchable }
    }

    /// Whether a pair can touch from outside.
    #[inline(always)]
    pub(crate) fn is_touchable(&self, pair: &Pair) -> bool {
        pair.is_touchable([self.a.collider, self.b.collider])
    }

    /// B's axes are turned to the time of contact; we turn the normal back instead.
    #[inline]
    pub(crate) fn in_b(&self, vector: DVec3, at: &HelixAt) -> DVec3 {
        self.b.unplace_vector(self.relative.screw.turn(vector, at, -1.0))
    }

    fn vertex_of_b(&mut self, v: u32, at: &HelixAt) -> DVec3 {
        at.along(self.b.spread(v))
    }

    fn face_vertex(&mut self, face: u32, vertex: u32, root: Root, at: &HelixAt) -> Found {
        let spot = (self.vertex_of_b(vertex, at), self.a.plane(face).normal);
        self.with_face_of_a([face, vertex], root, at, spot)
    }

    fn vertex_face(&mut self, vertex: u32, face: u32, root: Root, at: &HelixAt) -> Found {
        let outward = self.relative.screw.turn(self.b.plane(face).normal, at, 1.0);
        let spot = (self.a.point(vertex), -outward);
        self.with_face_of_b([vertex, face], root, spot)
    }

    /// The contact of a face of A, whose outward normal is given, and a vertex of B.
    #[inline(always)]
    pub(crate) fn with_face_of_a(
        &mut self,
        [face, vertex]: [u32; 2],
        root: Root,
        at: &HelixAt,
        (point, normal): (DVec3, DVec3),
    ) -> Found {
        let in_b = self.in_b(normal, at);
        let terms = Terms::of(self.b.collider.rays(vertex).iter().map(|ray| ray.dot(in_b)));
        let has_outside = !self.a.collider.mesh().is_two_sided(face);
        let pair = Pair { met: Met::FaceVertex, a: face, b: vertex };
        self.found(pair, root, (point, normal), (terms, has_outside))
    }

    /// The contact of a vertex of A and a face of B, whose inward normal is given.
    #[inline(always)]
    pub(crate) fn with_face_of_b(
        &mut self,
        [vertex, face]: [u32; 2],
        root: Root,
        (point, normal): (DVec3, DVec3),
    ) -> Found {
        let terms = Terms::of(self.a.collider.rays(vertex).iter().map(|ray| -ray.dot(normal)));
        let has_outside = !self.b.collider.mesh().is_two_sided(face);
        let pair = Pair { met: Met::VertexFace, a: vertex, b: face };
        self.found(pair, root, (point, normal), (terms, has_outside))
    }

    /// The contact of two edges with this normal or its opposite.
    #[inline(always)]
    pub(crate) fn between_edges(
        &mut self,
        [ea, eb]: [u32; 2],
        root: Root,
        at: &HelixAt,
        (point, normal): (DVec3, DVec3),
    ) -> Found {
        let in_b = self.in_b(normal, at);
        let terms = self.edge_terms([ea, eb], normal, in_b);
        let pair = Pair { met: Met::EdgeEdge, a: ea, b: eb };
        self.found(pair, root, (point, normal), (terms, false))
    }

    /// The terms of eq. (7) for a normal, given in A's and in B's axes.
    #[inline(always)]
    fn edge_terms(&self, [ea, eb]: [u32; 2], in_a: DVec3, in_b: DVec3) -> Terms {
        let (a, b) = (self.a.collider, self.b.collider);
        // Closed surfaces have no other edges.
        if a.mesh().edge_sides(ea).len() == 2 && b.mesh().edge_sides(eb).len() == 2 {
            let ([p, q], [r, s]) = (a.ridge(ea).terms(in_a), b.ridge(eb).terms(in_b));
            return Terms::of([-p, -q, r, s].into_iter());
        }
        let of_a = a.wings(ea).map(|wing| -wing.dot(in_a));
        let of_b = b.wings(eb).map(|wing| wing.dot(in_b));
        Terms::of(of_a.chain(of_b))
    }

    /// EV: the face at the edge that gives the larger properness.
    fn edge_vertex(&mut self, edge: u32, vertex: u32, root: Root, at: &HelixAt) -> Found {
        let sides = self.a.collider.mesh().edge_sides(edge);
        let faces = sides.iter().map(|side| self.face_vertex(side.face, vertex, root, at));
        best(faces).unwrap_or_else(|| {
            let edges = self.b.collider.mesh().vertex_edges(vertex);
            self.without_faces(
                [&[edge], edges],
                root,
                at,
                Pair { met: Met::EdgeVertex, a: edge, b: vertex },
            )
        })
    }

    /// VE: likewise.
    fn vertex_edge(&mut self, vertex: u32, edge: u32, root: Root, at: &HelixAt) -> Found {
        let sides = self.b.collider.mesh().edge_sides(edge);
        let faces = sides.iter().map(|side| self.vertex_face(vertex, side.face, root, at));
        best(faces).unwrap_or_else(|| {
            let edges = self.a.collider.mesh().vertex_edges(vertex);
            self.without_faces(
                [edges, &[edge]],
                root,
                at,
                Pair { met: Met::VertexEdge, a: vertex, b: edge },
            )
        })
    }

    /// VV: the best of either vertex against the faces at the other.
    fn vertex_vertex(&mut self, va: u32, vb: u32, root: Root, at: &HelixAt) -> Found {
        let (of_a, of_b) = (self.a.collider, self.b.collider);
        let fv = of_a.mesh().vertex_faces(va).iter().map(|&f| self.face_vertex(f, vb, root, at));
        let fv = best(fv);
        let vf = of_b.mesh().vertex_faces(vb).iter().map(|&f| self.vertex_face(va, f, root, at));
        best(fv.into_iter().chain(best(vf))).unwrap_or_else(|| {
            let edges = [of_a.mesh().vertex_edges(va), of_b.mesh().vertex_edges(vb)];
            self.without_faces(edges, root, at, Pair { met: Met::VertexVertex, a: va, b: vb })
        })
    }

    /// A coincidence at which no face takes part: the best pair of edges, or, where a lone point
    /// takes part, the coincidence itself with the normal against the motion.
    fn without_faces(&mut self, edges: [&[u32]; 2], root: Root, at: &HelixAt, pair: Pair) -> Found {
        let point = match pair.met {
            Met::EdgeVertex => self.vertex_of_b(pair.b, at),
            _ => self.a.point(pair.a),
        };
        let pairs = edges[0].iter().flat_map(|&ea| edges[1].iter().map(move |&eb| [ea, eb]));
        let crossings = pairs.filter_map(|[ea, eb]| {
            let start = self.b.collider.mesh().edge(eb).map(|v| self.b.point(v));
            let moved = self.relative.screw.turn(start[1] - start[0], at, 1.0);
            let across = self.a.fixed(ea).direction.cross(moved).try_normalize()?;
            Some(self.between_edges([ea, eb], root, at, (point, across)))
        });
        best(crossings).unwrap_or_else(|| {
            let flow = self.relative.screw.flow(point);
            let normal = self.free_normal(edges, at, -flow);
            self.found(pair, root, (point, normal), (Terms::NONE, true))
        })
    }

    /// The unit vector nearest to `wanted` that is perpendicular to an edge, if there is one.
    fn free_normal(&mut self, edges: [&[u32]; 2], at: &HelixAt, wanted: DVec3) -> DVec3 {
        let along = match (edges[0].first(), edges[1].first()) {
            (Some(&ea), _) => self.a.fixed(ea).direction,
            (_, Some(&eb)) => {
                let [p, q] = self.b.collider.mesh().edge(eb).map(|v| self.b.point(v));
                self.relative.screw.turn(q - p, at, 1.0)
            }
            _ => DVec3::ZERO,
        };
        match along.try_normalize() {
            Some(unit) => wanted
                .reject_from_normalized(unit)
                .try_normalize()
                .unwrap_or_else(|| unit.any_orthonormal_vector()),
            None => wanted.normalize_or(DVec3::Z),
        }
    }

    /// Whether the features of a contact face each other and approach.
    pub(crate) fn is_facing(&mut self, found: &Found) -> bool {
        if found.normal_speed > self.relative.slow && !found.root.grazing {
            return false;
        }
        let at = self.relative.helix.at(found.root.time);
        // The facing value does not change with time, so B is asked where it was at the start.
        let start = at.along(&self.relative.screw.spread(found.point, -1.0));
        let Pair { met, a, b } = found.pair;
        let (of_a, of_b) = (self.a.collider.mesh(), self.b.collider.mesh());
        let mut face_a = |f: u32| self.a.is_facing(f, found.point);
        let mut face_b = |f: u32| self.b.is_facing(f, start);
        let none_or_any = |faces: &[u32], ask: &mut dyn FnMut(u32) -> bool| {
            faces.is_empty() || faces.iter().any(|&f| ask(f))
        };
        let sides_or_none = |sides: &[crate::mesh::Side], ask: &mut dyn FnMut(u32) -> bool| {
            sides.is_empty() || sides.iter().any(|side| ask(side.face))
        };
        match met {
            Met::FaceVertex => face_a(a) && none_or_any(of_b.vertex_faces(b), &mut face_b),
            Met::VertexFace => face_b(b) && none_or_any(of_a.vertex_faces(a), &mut face_a),
            Met::EdgeEdge => {
                sides_or_none(of_a.edge_sides(a), &mut face_a)
                    && sides_or_none(of_b.edge_sides(b), &mut face_b)
            }
            _ => true,
        }
    }
}

fn best(found: impl Iterator<Item = Found>) -> Option<Found> {
    found.reduce(|best, next| if next.properness > best.properness { next } else { best })
}

/// Merges touches of one coincidence that several gap functions saw: sorts them and keeps one of
/// each cluster, with the narrowest bracket; it grazes only if all of the cluster do.
pub(crate) fn merge(coincidences: &mut Vec<Touch>) {
    let order = |p: &Touch, q: &Touch| {
        p.pair.cmp(&q.pair).then(p.root.time.total_cmp(&q.root.time)).then(p.tested.cmp(&q.tested))
    };
    coincidences.sort_unstable_by(order);
    let width = |root: &Root| root.bracket[1] - root.bracket[0];
    coincidences.dedup_by(|next, kept| {
        // One vertex can pass one edge twice, but not this soon.
        let near =
            next.root.time - kept.root.time <= 1e-9 + width(&next.root).max(width(&kept.root));
        let same = next.pair == kept.pair && near;
        if same {
            let grazing = kept.root.grazing && next.root.grazing;
            let sharper = kept.root.grazing && !next.root.grazing
                || kept.root.grazing == next.root.grazing && width(&next.root) < width(&kept.root);
            if sharper {
                *kept = *next;
            }
            kept.root.grazing = grazing;
        }
        same
    });
}
