//! Meshes as solids: closed ones have an inside, open ones and soups are sheets.
//!
//! *Question.* How far is a point from a mesh, on which side; does a box meet it; where does a
//! segment first come to it?
//!
//! Faces become triangles. Components of faces that hang together by edges are closed or open as
//! [`Polyhedron::is_two_sided`] says. The closed ones together bound what they wind around, in
//! either direction, any number of times but zero: a shell that looks inward within
//! one that looks outward is a cavity, a mesh that is inside out has the same inside as before,
//! and parts may touch, overlap or share edges. The open ones, lone segments and lone points are
//! sheets without thickness. A mesh with both is the union: what of a sheet lies inside counts for
//! nothing. Faces within the solid, of parts that overlap, do count as surface, so that depths
//! there are those to the nearest face.
//!
//! *Accepts* whatever [`Polyhedron`] does. *Guarantees* intervals with an error of 48 roundings of
//! the distance of the point to the farthest corner, and the exact sign: it comes from crossings
//! counted without rounding, not from the normals near the closest point, which mislead where
//! faces of several parts meet. *Cost* logarithmic in the faces for a point near the mesh; no
//! question allocates. *Fails* on a polygon with more than 4096 corners that must be cut into ears.

mod surface;
mod triangle;
mod winding;

use glam::DVec3;

use self::surface::{Nearest, Surface};
use self::triangle::{ERROR, Framed, SURE, Triangle};
use super::entry::by_balls;
use super::{Block, Interval, Place, Solid, SolidError};
use crate::bounds::Aabb;
use crate::mesh::{LARGEST_SPLIT, MeshError, Polygons, Polyhedron, fan_or_ears};

/// What places relative to the mesh may be wrong by in the questions of boxes and segments,
/// relative to the size of all that is involved: twice the 13 roundings of a height over a plane,
/// and a few more for a frame that is not quite at right angles.
const PLACES: f64 = 32.0 * f64::EPSILON;

/// Coordinates of points above this are not squared: they are as far away as can be.
const FARTHEST: f64 = 1e150;

/// A mesh that can be asked what a [`Solid`] can.
///
/// ```
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::solid::{MeshSolid, Solid};
/// use chasles::glam::DVec3;
///
/// let cube = MeshSolid::new(&Shape::Box(Cuboid::default()).build()?)?;
/// assert!(cube.distance(DVec3::X * 2.0).contains(1.5));
/// assert!(cube.distance(DVec3::X * 0.25).contains(-0.25));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshSolid {
    closed: Surface,
    sheets: Surface,
    bounds: [DVec3; 2],
    center: DVec3,
    /// No corner is farther from the center.
    radius: f64,
}

impl MeshSolid {
    /// Cuts the faces into triangles and sorts them into trees.
    ///
    /// *Accepts* any mesh. *Guarantees* the same answers for the same mesh. *Cost* `n log n`;
    /// quadratic or worse in the corners of a polygon that is far from convex. *Fails* on such a
    /// polygon with more than 4096 corners.
    pub fn new(mesh: &Polyhedron) -> Result<Self, SolidError> {
        let [mut closed, mut sheets] = [Vec::new(), Vec::new()];
        for face in 0..mesh.face_count() as u32 {
            let corners: Vec<DVec3> = mesh.face(face).iter().map(|&v| mesh.position(v)).collect();
            let split = fan_or_ears(&corners).ok_or(MeshError::PolygonTooLarge {
                face: mesh.face_label(face) as usize,
                vertices: corners.len(),
                limit: LARGEST_SPLIT,
            })?;
            let list = if mesh.is_two_sided(face) { &mut sheets } else { &mut closed };
            list.extend(split.into_iter().map(|t| t.map(|i| corners[i])));
        }
        // Segments and points are triangles with corners at the same place.
        let segments = (0..mesh.edge_count() as u32).filter(|&e| mesh.edge_sides(e).is_empty());
        let ends = segments.map(|e| mesh.edge(e).map(|v| mesh.position(v)));
        sheets.extend(ends.map(|[p, q]| [p, q, q]));
        let points = (0..mesh.vertex_count() as u32)
            .filter(|&v| mesh.vertex_edges(v).is_empty() && mesh.vertex_faces(v).is_empty());
        sheets.extend(points.map(|v| [mesh.position(v); 3]));
        let bounds = mesh.bounds();
        let center = 0.5 * (bounds[0] + bounds[1]);
        let radius = (bounds[1] - center).max(center - bounds[0]).length();
        let [closed, sheets] = [closed, sheets].map(|triangles| Surface::new(&triangles));
        Ok(Self { closed, sheets, bounds, center, radius })
    }

    /// The same from vertices and faces as a file states them.
    ///
    /// *Accepts* what [`Polyhedron::new`] accepts. *Guarantees* the solid that [`MeshSolid::new`]
    /// makes of it. *Cost* that of both. *Fails* as they do.
    pub fn from_polygons(polygons: &Polygons) -> Result<Self, SolidError> {
        Self::new(&Polyhedron::new(polygons)?)
    }

    /// Whether some point is inside: whether a component is closed.
    pub fn has_inside(&self) -> bool {
        !self.closed.is_empty()
    }

    /// How many triangles the faces, segments and points became.
    pub fn triangle_count(&self) -> usize {
        self.closed.len() + self.sheets.len()
    }

    /// How far from a point a corner may be.
    fn reach(&self, p: DVec3) -> f64 {
        p.distance(self.center) + self.radius
    }

    fn is_inside(&self, p: DVec3) -> bool {
        self.closed.winding(p) != 0
    }

    /// What is closest: of the closed parts alone for a point inside.
    fn nearest(&self, p: DVec3, is_inside: bool) -> Option<(Nearest, &Surface)> {
        let sure = SURE * self.reach(p);
        let closed = self.closed.nearest(p, sure).map(|n| (n, &self.closed));
        if is_inside {
            return closed;
        }
        let sheets = self.sheets.nearest(p, sure).map(|n| (n, &self.sheets));
        let distance_sq =
            |found: &Option<(Nearest, _)>| found.map_or(f64::INFINITY, |n| n.0.closest.distance_sq);
        if distance_sq(&sheets) < distance_sq(&closed) { sheets } else { closed }
    }

    /// The normal of the faces around a point of the surface, each by the angle it takes up there
    /// [Baerentzen05]: outward where one side of it is inside and the other is not.
    fn normal_on(&self, surface: &Surface, p: DVec3, error: f64) -> DVec3 {
        let near = 4.0 * error;
        let mut sum = DVec3::ZERO;
        surface.any_in(&Aabb::around([p]).grown(DVec3::splat(near)), |triangle| {
            if triangle.closest(p, 0.0).distance_sq <= near * near {
                sum += triangle.normal * triangle.angle_at(p, near);
            }
            false
        });
        let normal = sum.try_normalize().unwrap_or(DVec3::Z);
        // Far enough to be off the surface, except at needles that the rounding hides as well.
        let step = normal * (16.0 * error);
        if self.is_inside(p + step) && !self.is_inside(p - step) { -normal } else { normal }
    }

    /// Where a segment comes to one triangle: no later than it does, and no farther from it than
    /// the precision.
    fn entry_of(&self, triangle: &Triangle, path: &Segment) -> Option<f64> {
        let [start, end] = triangle.window(path.ends, path.margin)?;
        let [from, to] = path.ends;
        let at = |t: f64| from.lerp(to, t);
        let lone = Lone { triangle, of: self };
        // The prism reaches beyond a sharp corner: there, and at wires, the distance decides.
        if lone.distance(at(start)).low <= path.precision {
            return Some(start);
        }
        let within = by_balls(&lone, at(start), at(end), path.precision)?;
        Some((start + (end - start) * within) * (1.0 - 4.0 * f64::EPSILON))
    }
}

/// A segment, and how closely it is looked at.
struct Segment {
    ends: [DVec3; 2],
    margin: f64,
    precision: f64,
}

/// One triangle of a mesh, as a sheet.
#[derive(Debug)]
struct Lone<'m> {
    triangle: &'m Triangle,
    of: &'m MeshSolid,
}

impl Solid for Lone<'_> {
    fn bounds(&self) -> [DVec3; 2] {
        let Aabb { low, high } = self.triangle.around();
        [low, high]
    }

    fn distance(&self, point: DVec3) -> Interval {
        let reach = self.of.reach(point);
        let distance = self.triangle.closest(point, SURE * reach).distance_sq.sqrt();
        Interval::about(distance, ERROR * reach)
    }

    fn normal(&self, _: DVec3) -> DVec3 {
        self.triangle.normal
    }
}

impl Solid for MeshSolid {
    fn bounds(&self) -> [DVec3; 2] {
        self.bounds
    }

    /// *Guarantees* an error of 48 roundings (`2^-52`) of the distance to the center of the bounds
    /// and to their corner. *Cost* a descent of the tree for the closest point, and one for the
    /// sign if the mesh is closed.
    fn distance(&self, point: DVec3) -> Interval {
        if !point.is_finite() {
            return Interval::point(f64::NAN);
        }
        if point.abs().max_element() > FARTHEST {
            let [low, high] = self.bounds;
            let beyond = (low - point).max(point - high).max_element();
            return Interval::new(beyond.next_down(), f64::INFINITY);
        }
        let is_inside = self.is_inside(point);
        let Some((nearest, _)) = self.nearest(point, is_inside) else {
            return Interval::ALL;
        };
        let error = ERROR * self.reach(point);
        let apart = Interval::about(nearest.closest.distance_sq.sqrt(), error);
        let apart = Interval::new(apart.low.max(0.0), apart.high);
        if is_inside { -apart } else { apart }
    }

    /// On a face its own normal; elsewhere away from the closest point, and on an edge or at a
    /// corner the mean of the faces there. Sheets have normals towards the point.
    fn normal(&self, point: DVec3) -> DVec3 {
        let usable = point.is_finite() && point.abs().max_element() <= FARTHEST;
        let is_inside = usable && self.is_inside(point);
        let found = usable.then(|| self.nearest(point, is_inside)).flatten();
        let Some((Nearest { closest, triangle }, surface)) = found else {
            return (point - self.center).try_normalize().unwrap_or(DVec3::Z);
        };
        let error = ERROR * self.reach(point);
        let distance = closest.distance_sq.sqrt();
        if distance <= 4.0 * error {
            return self.normal_on(surface, point - closest.away, error);
        }
        let away = if closest.is_face {
            let normal = surface.triangle(triangle).normal;
            normal * closest.away.dot(normal).signum()
        } else {
            closest.away / distance
        };
        if is_inside { -away } else { away }
    }

    /// *Guarantees* what it proves by separating axes for each triangle near the box; tight but
    /// for a margin of 32 roundings.
    fn place(&self, block: &Block) -> Place {
        let frame =
            Framed { to_local: block.axes.transpose(), center: block.center, half: block.half };
        let reach = block.reach();
        let margin = PLACES * (self.reach(block.center) + block.radius());
        // Also refuses a box that is not a number, or too far away to be measured.
        if !margin.is_finite() || self.closed.meets(&frame, reach, margin) {
            return Place::Unsure;
        }
        if self.is_inside(block.center) {
            return Place::Inside;
        }
        match self.sheets.meets(&frame, reach, margin) {
            true => Place::Unsure,
            false => Place::Outside,
        }
    }

    /// *Guarantees* not to slip between triangles: each is met with an overhang that is larger
    /// than rounding. A precision below the rounding of distances counts as that. *Cost* a descent
    /// of the tree, and a few hundred questions at sharp corners and wires.
    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        let ends = [from, to];
        let bounds = Aabb { low: self.bounds[0], high: self.bounds[1] };
        if !Aabb::around(ends).overlaps(&bounds) {
            return None;
        }
        if self.is_inside(from) {
            return Some(0.0);
        }
        let margin = PLACES * ends.map(|p| self.reach(p)).into_iter().fold(0.0, f64::max);
        if !margin.is_finite() {
            return by_balls(self, from, to, precision);
        }
        let path = Segment { ends, margin, precision };
        let first = |surface: &Surface| {
            surface.first_on(ends, margin, |triangle| self.entry_of(triangle, &path))
        };
        match [first(&self.closed), first(&self.sheets)] {
            [Some(p), Some(q)] => Some(p.min(q)),
            [p, q] => p.or(q),
        }
    }
}
