//! A convex body, checked once.

use std::f64::consts::PI;

use glam::DVec3;
use thiserror::Error;

use super::hull::Hull;
use super::side::{Plane, outside, without_dust};
use crate::mesh::Polyhedron;
use crate::numeric::solid_angle;

/// Why a mesh is not a [`Convex`]. Faces, edges and vertices are in the numbers of the input.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ConvexError {
    /// An edge does not have one face on each side.
    #[error("the edge between vertices {} and {} does not have one face on each side: the surface \
        is open there, a face has no area, or faces are oriented differently", edge[0], edge[1])]
    Open {
        /// The ends of the edge.
        edge: [u32; 2],
    },
    /// A lone vertex, or a mesh without faces.
    #[error("vertex {vertex} belongs to no face")]
    Loose {
        /// The vertex.
        vertex: u32,
    },
    /// The body is smaller than 1e-60, or its volume may be rounding alone.
    #[error("the body has no volume: its largest side is {size}, its volume is {volume}")]
    Flat {
        /// The largest side of its bounding box.
        size: f64,
        /// Its signed volume.
        volume: f64,
    },
    /// Faces are clockwise seen from outside.
    #[error("the faces are oriented inwards: the volume is {volume}")]
    Inward {
        /// The signed volume.
        volume: f64,
    },
    /// A vertex lies outside the plane of a face.
    #[error("not convex: vertex {vertex} lies {height} outside the plane of face {face}")]
    NotConvex {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
        /// Its distance from the plane of the face.
        height: f64,
    },
}

/// The smallest body: its volumes and the squares of its areas are far from underflow.
const SMALLEST: f64 = 1e-60;

/// Volumes below this, relative to the size times the area, may be rounding alone: a sum of the
/// areas of faces times heights of at most the size, each rounded some times to `2⁻⁵³`.
const VOLUME_ERROR: f64 = 16.0 * f64::EPSILON;

/// How far a vertex may lie outside the plane of a face, relative to the size of the body: what
/// [`Polyhedron`] calls flat, and so the least that its faces can tell. A mesh that was turned and
/// rounded is within 1e-15, but for narrow faces.
const DENT: f64 = 1e-10;

/// The rounding of corners, relative to the largest coordinate: a turn and a shift, and the plane
/// through them.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A closed convex body: the convex hull of the vertices of a mesh, whose faces say no different.
///
/// A mesh in doubles is hardly ever exactly convex: turn a cube and its faces are bent by the
/// rounding of their corners. The hull of the vertices always is, and no two readings of it exist.
/// So the hull is what queries are about, and the mesh must be its surface up to rounding; edges
/// and faces in answers are those of the mesh.
#[derive(Clone, Debug)]
pub struct Convex {
    mesh: Polyhedron,
    pub(super) points: Vec<DVec3>,
    pub(super) hull: Hull,
    /// The planes of the hull's triangles.
    pub(super) planes: Vec<Plane>,
    /// Lowest and highest coordinates of the points.
    pub(super) bounds: [DVec3; 2],
    pub(super) centre: DVec3,
    pub(super) radius: f64,
    /// The largest distance of a vertex from the origin.
    pub(super) reach: f64,
}

impl Convex {
    /// Checks that a mesh is convex, and makes it ready for queries.
    ///
    /// *Accepts* a closed mesh, oriented outwards, with a volume, no vertex of which lies farther
    /// outside the plane of a face than 1e-10 of the body's size, or than rounding of the face's
    /// corners may put it: a polygon that is flat to that degree is one face of a [`Polyhedron`],
    /// so dents below that are not the mesh's to tell. The volume must be more than its own
    /// rounding. Coordinates below 1e-80 count as zero. *Guarantees* that queries see the exact
    /// convex hull of the vertices. *Cost* linear if the mesh is exactly convex; else its hull is
    /// computed, quadratic at worst. *Fails* as [`ConvexError`] says, naming the place. Meshes
    /// rounded to singles are often dented by 1e-7 where flat faces were cut into triangles, and
    /// are refused.
    ///
    /// ```
    /// use chasles::convex::{Convex, ConvexError};
    /// use chasles::mesh::shapes::{Cuboid, Shape, Torus};
    /// assert!(Convex::new(Shape::Box(Cuboid::default()).build()?).is_ok());
    /// let torus = Convex::new(Shape::Torus(Torus::default()).build()?);
    /// assert!(matches!(torus, Err(ConvexError::NotConvex { .. })));
    /// # Ok::<(), chasles::mesh::shapes::ShapeError>(())
    /// ```
    pub fn new(mesh: Polyhedron) -> Result<Self, ConvexError> {
        check_closed(&mesh)?;
        let points: Vec<DVec3> = mesh.positions().iter().map(|&p| without_dust(p)).collect();
        let [low, high] = mesh.bounds();
        let size = (high - low).max_element();
        if size < SMALLEST {
            return Err(ConvexError::Flat { size, volume: mesh.volume() });
        }
        let hull = match exact_surface(&mesh, &points) {
            Some(hull) => hull,
            None => {
                let volume = check_volume(&mesh, size)?;
                check_dents(&mesh, size)?;
                let mut hull = Hull::default();
                if !hull.rebuild(&points) {
                    return Err(ConvexError::Flat { size, volume });
                }
                hull
            }
        };
        let centre = 0.5 * (low + high);
        let farthest = |from: DVec3| points.iter().map(|p| p.distance(from)).fold(0.0, f64::max);
        let (radius, reach) = (farthest(centre), farthest(DVec3::ZERO));
        let planes = hull.planes(&points).collect();
        let bounds = bounds(&points);
        Ok(Self { mesh, points, hull, planes, bounds, centre, radius, reach })
    }

    /// The mesh that the body was made of.
    pub fn mesh(&self) -> &Polyhedron {
        &self.mesh
    }
}

/// Lowest and highest coordinates.
pub(super) fn bounds(points: &[DVec3]) -> [DVec3; 2] {
    let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    points.iter().fold(none, |[low, high], &p| [low.min(p), high.max(p)])
}

fn check_closed(mesh: &Polyhedron) -> Result<(), ConvexError> {
    for edge in 0..mesh.edge_count() as u32 {
        let is_seam = matches!(mesh.edge_sides(edge), [p, q] if p.left != q.left);
        if !is_seam {
            return Err(ConvexError::Open { edge: mesh.edge_label(edge) });
        }
    }
    let mut vertices = 0..mesh.vertex_count() as u32;
    match vertices.find(|&v| mesh.vertex_faces(v).is_empty()) {
        Some(v) => Err(ConvexError::Loose { vertex: mesh.vertex_label(v) }),
        None => Ok(()),
    }
}

fn check_volume(mesh: &Polyhedron, size: f64) -> Result<f64, ConvexError> {
    let volume = mesh.volume();
    if volume.abs() <= VOLUME_ERROR * size * mesh.area() {
        Err(ConvexError::Flat { size, volume })
    } else if volume < 0.0 {
        Err(ConvexError::Inward { volume })
    } else {
        Ok(volume)
    }
}

/// The mesh's own faces, cut into triangles, if they are the exact hull.
///
/// A closed surface that all its triangles see from outside around one inner point, once, is
/// star-shaped; without valleys it is then convex at every edge and vertex, hence convex.
fn exact_surface(mesh: &Polyhedron, points: &[DVec3]) -> Option<Hull> {
    let fans = (0..mesh.face_count() as u32).flat_map(|face| {
        let corners = mesh.face(face);
        corners.windows(2).skip(1).map(move |pair| [corners[0], pair[0], pair[1]])
    });
    let hull = Hull::from_triangles(fans.collect(), points.len())?;
    let inner = points.iter().sum::<DVec3>() / points.len() as f64;
    let around = |t: &[u32; 3]| t.map(|i| points[i as usize]);
    let seen = |t: &[u32; 3]| solid_angle(around(t).map(|p| p - inner));
    let is_around = hull.triangles.iter().all(|t| outside(around(t), inner) < 0.0);
    let turns: f64 = hull.triangles.iter().map(seen).sum();
    // Once around is 4 pi, twice is 8 pi: anything between tells them apart.
    (is_around && turns < 6.0 * PI && hull.is_convex(points)).then_some(hull)
}

fn check_dents(mesh: &Polyhedron, size: f64) -> Result<(), ConvexError> {
    let largest = mesh.positions().iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    for face in 0..mesh.face_count() as u32 {
        let (normal, point) = (mesh.normal(face), mesh.face_point(face));
        // Rounded corners turn the plane of a narrow face, which shows at the far end of the body.
        let dent = (DENT * size).max(ROUNDING * largest * (size / width(mesh, face)).max(1.0));
        for (v, &p) in mesh.positions().iter().enumerate() {
            let height = normal.dot(p - point);
            if height > dent {
                let [face, vertex] = [mesh.face_label(face), mesh.vertex_label(v as u32)];
                return Err(ConvexError::NotConvex { face, vertex, height });
            }
        }
    }
    Ok(())
}

/// How wide a face is across its longest way: its area over that.
fn width(mesh: &Polyhedron, face: u32) -> f64 {
    let corners = || mesh.face(face).iter().map(|&v| mesh.position(v) - mesh.face_point(face));
    let twice = corners().zip(corners().cycle().skip(1)).map(|(p, q)| p.cross(q)).sum::<DVec3>();
    let farthest = corners().map(DVec3::length).fold(0.0, f64::max);
    0.25 * twice.length() / farthest
}
