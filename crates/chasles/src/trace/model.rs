//! A mesh prepared for traces: panels, ridges and corners, each with its part of the expel zone.
//!
//! A *panel* is one side of a convex face, a *ridge* an edge over which the free space is wider
//! than a half-space, a *corner* a vertex at such an edge. Only these can be touched first; the
//! other edges are internal [Waveren05 §4]. Faces of open surfaces have two panels, back to back.
//! [`super::zone`] builds the cells, [`super::parts`] lists the features.

use std::ops::Range;

use glam::DVec3;

use super::parts::{Parts, pieces};
use super::zone::Cells;
use crate::bounds::Aabb;
use crate::mesh::{MeshError, Polygons, Polyhedron, convex_pieces};

/// One side of a convex face, the bevel of a sharp edge, or a side of the tube around a lone
/// segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    /// The face, or the part that a lone segment is.
    pub(super) face: u32,
    pub(super) normal: DVec3,
    /// A corner, from which everything about the panel is measured.
    pub(super) point: DVec3,
    /// How high the cell is, in thicknesses.
    pub(super) rise: f64,
    /// Whether there is another panel right behind it.
    pub(super) is_sheet: bool,
    pub(super) first_bound: u32,
    pub(super) end_bound: u32,
}

impl Panel {
    /// Whether this is no side of a face, but has no width.
    pub(super) fn is_bevel(&self) -> bool {
        self.rise != 1.0
    }

    /// Whether this is a side of the tube around a lone segment.
    pub(super) fn is_tube(&self) -> bool {
        self.rise < 1.0
    }
}

/// A plane that bounds a cell: `normal . (x - point) >= offset - growth e`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) normal: DVec3,
    pub(super) offset: f64,
    pub(super) growth: f64,
}

/// An edge that can be touched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ridge {
    pub(super) edge: u32,
    pub(super) start: DVec3,
    /// Unit, from the start along the edge.
    pub(super) along: DVec3,
    pub(super) length: f64,
    /// Unit, towards the expel line.
    pub(super) out: DVec3,
    /// How high the strip is, in thicknesses.
    pub(super) rise: f64,
    /// `out x along`: unit, normal to the strip, on the side of the first panel.
    pub(super) across: DVec3,
    /// Normals of the panel on the side of `across` and of the other one.
    pub(super) normals: [DVec3; 2],
}

impl Ridge {
    /// The point of the ridge next to the edge from `p` to `q`, the common normal, outward, and how
    /// far from the point along it the edge is.
    pub(super) fn meeting(&self, p: DVec3, q: DVec3) -> (DVec3, DVec3, f64) {
        let (u, normal) = self.passing(p, q);
        let edge = q - p;
        let on_edge =
            |from: DVec3| p + edge * (edge.dot(from - p) / edge.length_squared()).clamp(0.0, 1.0);
        let on_ridge = |u: f64| self.start + self.along * u.clamp(0.0, self.length);
        let near = on_edge(on_ridge(if u.is_finite() { u } else { 0.0 }));
        let point = on_ridge(self.along.dot(near - self.start));
        // Where they are next to each other: of nearly parallel edges the normal is poor.
        (point, normal, normal.dot(on_edge(point) - point))
    }

    /// How far along the ridge's line a line through `p` and `q` is nearest, not finite for
    /// parallel lines, and the common normal, outward.
    pub(super) fn passing(&self, p: DVec3, q: DVec3) -> (f64, DVec3) {
        let normal = (q - p).cross(self.along);
        let normal = if normal.dot(self.out) < 0.0 { -normal } else { normal };
        let normal = normal.try_normalize().unwrap_or(self.out);
        // In the plane that the line spans with the normal.
        let across = normal.cross(q - p);
        (across.dot(p - self.start) / across.dot(self.along), normal)
    }
}

/// A mesh with all of its cells.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) mesh: Polyhedron,
    /// The number in the input of each face that was put into the mesh.
    labels: Vec<u32>,
    panels: Vec<Panel>,
    bounds: Vec<Bound>,
    pub(super) ridges: Vec<Ridge>,
    /// Where the panels of a face or a lone segment begin; one more at the end.
    face_panels: Vec<u32>,
    pub(super) parts: Parts,
    /// One vertex of each connected piece, and for each vertex the number of its piece.
    pub(super) pieces: Vec<u32>,
    pub(super) piece_of: Vec<u32>,
}

impl Model {
    /// Splits faces that are not convex or not flat, finds ridges and builds cells.
    ///
    /// *Accepts* polygons whose vertices are joined: of different fixtures only those at the same
    /// place are one. *Guarantees* that faces keep the numbers of the input. *Cost* linear, besides
    /// the splitting.
    /// *Fails* as [`Polyhedron::new`].
    pub(super) fn new(polygons: &Polygons) -> Result<Self, MeshError> {
        polygons.check()?;
        let (convex, labels) = convex_pieces(polygons)?;
        let mesh = Polyhedron::welded(&convex, 0.0)?;
        let Cells { panels, bounds, ridges, face_panels, .. } = Cells::of(&mesh);
        let parts = Parts::new(&mesh, &ridges);
        let (pieces, piece_of) = pieces(&mesh);
        Ok(Self { mesh, labels, panels, bounds, ridges, face_panels, parts, pieces, piece_of })
    }

    /// From a vertex to its neighbours, all together, with vertices at these places.
    pub(super) fn lean(&self, vertex: u32, place: impl Fn(u32) -> DVec3) -> DVec3 {
        let edges = self.mesh.vertex_edges(vertex).iter();
        edges.map(|&edge| place(self.mesh.neighbour(edge, vertex)) - place(vertex)).sum()
    }

    /// The lone segment that a panel is around, and its ends; none for panels of faces.
    pub(super) fn lone_segment(&self, panel: &Panel) -> Option<(u32, [DVec3; 2])> {
        let edge = *self.parts.edges(panel.face).first().filter(|_| panel.is_tube())?;
        Some((edge, self.mesh.edge(edge).map(|v| self.mesh.position(v))))
    }

    #[inline]
    pub(super) fn bounds(&self, panel: &Panel) -> &[Bound] {
        &self.bounds[panel.first_bound as usize..panel.end_bound as usize]
    }

    /// The numbers of the panels of a part, bevels last.
    #[inline]
    pub(super) fn panels(&self, part: u32) -> Range<u32> {
        match self.face_panels.get(part as usize + 1) {
            Some(&end) => self.face_panels[part as usize]..end,
            None => 0..0,
        }
    }

    #[inline]
    pub(super) fn panel(&self, panel: u32) -> &Panel {
        &self.panels[panel as usize]
    }

    /// A face's number in the input.
    pub(super) fn face_label(&self, face: u32) -> u32 {
        self.labels[self.mesh.face_label(face) as usize]
    }

    /// The box of a part.
    pub(super) fn aabb(&self, part: u32) -> Aabb {
        Aabb::around(self.parts.vertices(part).iter().map(|&v| self.mesh.position(v)))
    }

    /// The largest coordinate.
    pub(super) fn extent(&self) -> f64 {
        let [low, high] = self.mesh.bounds();
        low.abs().max(high.abs()).max_element()
    }
}

/// Whether a point is over a face or under it, up to `slack` beyond its border.
pub(super) fn is_over(mesh: &Polyhedron, face: u32, point: DVec3, slack: f64) -> bool {
    let corners = mesh.face(face);
    let at = |i: usize| mesh.position(corners[i % corners.len()]);
    (0..corners.len()).all(|i| {
        let inward = mesh.normal(face).cross(at(i + 1) - at(i)).normalize_or_zero();
        inward.dot(point - at(i)) >= -slack
    })
}
