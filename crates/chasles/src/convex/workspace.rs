//! Memory of a query, and the decision whether two bodies meet.

use glam::DVec3;

use super::apart::Pair;
use super::body::{Convex, bounds};
use super::facets::{Depth, Facets};
use super::hull::Hull;
use super::side::{Plane, without_dust};
use super::solid::{Part, Solid, meeting_part};
use super::{Feature, Owner, Piece};

/// Memory that queries reuse: after the first query with bodies of a size, later ones allocate
/// nothing. It also keeps the direction that separated the last two bodies that were apart, which
/// the next query tries first; answers do not depend on it.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    direction: DVec3,
    placed: Placed,
    pub(super) facets: [Facets; 2],
    inside: Vec<bool>,
    pub(super) pieces: Vec<Piece>,
    pub(super) depths: Vec<(usize, Depth)>,
}

/// B in the frame of A.
#[derive(Clone, Debug, Default)]
struct Placed {
    points: Vec<DVec3>,
    planes: Vec<Plane>,
    bounds: [DVec3; 2],
    /// The hull of the placed points, where rounding has made it another than B's own.
    rebuilt: Hull,
    is_rebuilt: bool,
}

impl Placed {
    fn place(&mut self, pair: &Pair) {
        self.points.clear();
        self.points.extend(pair.b.points.iter().map(|&p| without_dust(pair.b_in_a.point(p))));
        self.bounds = bounds(&self.points);
        self.is_rebuilt = false;
        self.planes.clear();
        self.planes.extend(pair.b.hull.planes(&self.points));
    }

    /// Whether the triangles had to be made anew because they are no longer the hull.
    fn rebuild(&mut self, own: &Hull) -> bool {
        if own.is_convex(&self.points) || !self.rebuilt.rebuild(&self.points) {
            return false;
        }
        self.is_rebuilt = true;
        self.planes.clear();
        self.planes.extend(self.rebuilt.planes(&self.points));
        true
    }

    fn solids<'a>(&'a self, pair: &Pair<'a>) -> [Solid<'a>; 2] {
        let Pair { a, b, reach, .. } = *pair;
        let hull = if self.is_rebuilt { &self.rebuilt } else { &b.hull };
        [
            Solid { points: &a.points, hull: &a.hull, planes: &a.planes, bounds: a.bounds, reach },
            Solid { points: &self.points, hull, planes: &self.planes, bounds: self.bounds, reach },
        ]
    }
}

impl Workspace {
    /// An empty workspace; grows with the first query.
    pub fn new() -> Self {
        Self::default()
    }

    /// A part of one body that meets the other, or none if the bodies are apart.
    ///
    /// What is found with the triangles of B's own hull is true even if the rounding of placed
    /// vertices has bent it. What is not found is true only if it is still a hull, so then this is
    /// checked, and the rest is asked again with the hull as it is.
    pub(super) fn meeting_part(&mut self, pair: &Pair) -> Option<(Owner, Part)> {
        if pair.is_clearly_apart(&mut self.direction) {
            return None;
        }
        self.placed.place(pair);
        let found = meeting_part(&self.placed.solids(pair));
        if found.is_some()
            || pair.is_surely_apart(&mut self.direction)
            || !self.placed.rebuild(&pair.b.hull)
        {
            return found;
        }
        meeting_part(&self.placed.solids(pair))
    }

    /// The part as a piece in A's frame.
    pub(super) fn piece(&mut self, pair: &Pair, (owner, part): (Owner, Part)) -> Piece {
        let mesh = pair.body(owner).mesh();
        let (feature, ends) = match part {
            Part::Vertex(v) => (Feature::Vertex(mesh.vertex_label(v)), [v, v]),
            Part::Edge(edge) => {
                let [p, q] = edge.map(|v| mesh.vertex_label(v));
                (Feature::Edge([p.min(q), p.max(q)]), edge)
            }
        };
        let ends = ends.map(|v| owner.of(&self.placed.solids(pair)).points[v as usize]);
        let outer = owner.other();
        let ends = if matches!(part, Part::Edge(_)) {
            let facets = &mut self.facets[outer as usize];
            facets.place(pair, outer);
            facets.clip(ends)
        } else {
            ends
        };
        Piece { owner, feature, ends }
    }

    /// Gathers all pieces, in A's frame, of bodies that are known to meet in `known`.
    pub(super) fn gather(&mut self, pair: &Pair, known: (Owner, Part)) {
        for owner in [Owner::A, Owner::B] {
            self.facets[owner as usize].place(pair, owner);
        }
        self.pieces.clear();
        for owner in [Owner::B, Owner::A] {
            self.gather_of(pair, owner);
        }
        // The exact hull may have a diagonal that is no edge of the mesh, and that alone touches.
        if self.pieces.is_empty() {
            let piece = self.piece(pair, known);
            self.pieces.push(piece);
        }
    }

    /// Gathers vertices, pieces of edges and centres of faces of one body.
    fn gather_of(&mut self, pair: &Pair, owner: Owner) {
        let Self { placed, facets, inside, pieces, .. } = self;
        let solids = placed.solids(pair);
        let (inner, outer) = (owner.of(&solids), owner.other().of(&solids));
        let mesh = pair.body(owner).mesh();
        let at = |v: u32| inner.points[v as usize];
        let mut last = 0;

        inside.clear();
        inside.extend(inner.points.iter().map(|&p| outer.contains(p, &mut last)));
        let vertices = (0..mesh.vertex_count() as u32).filter(|&v| inside[v as usize]);
        pieces.extend(vertices.map(|v| Piece {
            owner,
            feature: Feature::Vertex(mesh.vertex_label(v)),
            ends: [at(v); 2],
        }));

        for edge in 0..mesh.edge_count() as u32 {
            let ends = mesh.edge(edge).map(at);
            let is_in = mesh.edge(edge).map(|v| inside[v as usize]);
            if is_in == [false; 2] && !outer.is_crossed(ends, &mut last) {
                continue;
            }
            let clipped = facets[owner.other() as usize].clip(ends);
            // Ends that are inside stay where they are.
            let ends = [0, 1].map(|i| if is_in[i] { ends[i] } else { clipped[i] });
            pieces.push(Piece { owner, feature: Feature::Edge(mesh.edge_label(edge)), ends });
        }

        for face in 0..mesh.face_count() as u32 {
            let centre = match owner {
                Owner::A => mesh.face_point(face),
                Owner::B => pair.b_in_a.point(mesh.face_point(face)),
            };
            if outer.contains(without_dust(centre), &mut last) {
                let feature = Feature::Face(mesh.face_label(face));
                pieces.push(Piece { owner, feature, ends: [centre; 2] });
            }
        }
    }
}

impl<'a> Pair<'a> {
    pub(super) fn body(&self, owner: Owner) -> &'a Convex {
        owner.of(&[self.a, self.b])
    }
}
