//! A mesh as a file or a program states it, before anything is known about it.

use glam::DVec3;
use thiserror::Error;

use crate::numeric::LARGEST_COORDINATE;

/// Why vertices and faces do not make a mesh.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MeshError {
    /// Neither faces nor segments nor points.
    #[error("the mesh is empty: it has no vertex, segment or face")]
    Empty,
    /// A coordinate is NaN, infinite, or so large that products overflow.
    #[error("vertex {vertex} is at {position}: coordinates must be finite and below 1e100")]
    BadVertex {
        /// Its number, from 0.
        vertex: usize,
        /// Where it is.
        position: DVec3,
    },
    /// A vertex far away from all others; see [`Polygons::check_strays`].
    #[error(
        "vertex {vertex} is at {position}, {sizes:.0} times the size of the mesh away from nearly \
         all others: the rest is too small beside it"
    )]
    StrayVertex {
        /// Its number, from 0.
        vertex: usize,
        /// Where it is.
        position: DVec3,
        /// How far away, in sizes of what nearly all vertices span.
        sizes: f64,
    },
    /// A vertex so far away that most edges are lost in the rounding of its coordinates.
    #[error(
        "vertex {vertex} is at {position}, so far away that most edges are shorter than 1e-12 of \
         the mesh: they cannot be told from rounding"
    )]
    LostBesideVertex {
        /// Its number, from 0.
        vertex: usize,
        /// Where it is.
        position: DVec3,
    },
    /// A face, segment or point names a vertex that does not exist.
    #[error("{what} {index} uses vertex {vertex}, but there are only {count} vertices (from 0)")]
    NoSuchVertex {
        /// `face`, `segment` or `point`.
        what: &'static str,
        /// Its number, from 0.
        index: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// A face without vertices.
    #[error("face {face} has no vertices")]
    EmptyFace {
        /// Its number, from 0.
        face: usize,
    },
    /// A polygon that is not planar and too large to be split into triangles.
    #[error(
        "face {face} is not planar and has {vertices} vertices; non-planar faces are split into \
         triangles only up to {limit} vertices: triangulate it"
    )]
    PolygonTooLarge {
        /// Its number, from 0.
        face: usize,
        /// How many vertices it has.
        vertices: usize,
        /// The most that are split.
        limit: usize,
    },
    /// A length within which vertices are joined that is none.
    #[error("vertices are to be joined within {weld}, but that must be a finite length from 0")]
    BadWeld {
        /// The length.
        weld: f64,
    },
    /// More than 2^31 vertices or corners.
    #[error("the mesh has more than 2^31 vertices or corners")]
    TooLarge,
}

/// Vertices and what they bound, in the numbers of the input.
///
/// Any mix is allowed: closed and open surfaces, several components, edges with more than two
/// faces, lone segments and lone points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    /// Positions, in the order of the input.
    pub vertices: Vec<DVec3>,
    /// Each face as its vertices, counter-clockwise seen from outside.
    pub faces: Vec<Vec<u32>>,
    /// Lone segments.
    pub segments: Vec<[u32; 2]>,
    /// Lone points. Where there are neither faces nor segments nor points, every vertex is one.
    pub points: Vec<u32>,
}

impl Polygons {
    /// Vertices and faces from plain arrays.
    ///
    /// ```
    /// use chasles::{Polygons, Polyhedron};
    /// let triangle = Polygons::new([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]], [[0, 1, 2]]);
    /// assert_eq!(Polyhedron::new(&triangle)?.edge_count(), 3);
    /// # Ok::<(), chasles::mesh::MeshError>(())
    /// ```
    pub fn new<V: Into<DVec3>, F: Into<Vec<u32>>>(
        vertices: impl IntoIterator<Item = V>,
        faces: impl IntoIterator<Item = F>,
    ) -> Self {
        Self {
            vertices: vertices.into_iter().map(Into::into).collect(),
            faces: faces.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// Checks numbers and coordinates; the rest of the library relies on it.
    pub(crate) fn check(&self) -> Result<(), MeshError> {
        let count = self.vertices.len();
        let corners: usize = self.faces.iter().map(Vec::len).sum();
        if count >= 1 << 31 || corners >= 1 << 31 || self.segments.len() >= 1 << 30 {
            return Err(MeshError::TooLarge);
        }
        for (vertex, &position) in self.vertices.iter().enumerate() {
            let fits = position.is_finite() && position.abs().max_element() <= LARGEST_COORDINATE;
            if !fits {
                return Err(MeshError::BadVertex { vertex, position });
            }
        }
        let exists =
            |what, index, vertices: &[u32]| match vertices.iter().find(|&&v| v as usize >= count) {
                Some(&vertex) => Err(MeshError::NoSuchVertex { what, index, vertex, count }),
                None => Ok(()),
            };
        for (index, face) in self.faces.iter().enumerate() {
            if face.is_empty() {
                return Err(MeshError::EmptyFace { face: index });
            }
            exists("face", index, face)?;
        }
        for (index, segment) in self.segments.iter().enumerate() {
            exists("segment", index, segment)?;
        }
        for (index, &point) in self.points.iter().enumerate() {
            exists("point", index, &[point])?;
        }
        if count == 0 { Err(MeshError::Empty) } else { self.check_lost() }
    }
}
