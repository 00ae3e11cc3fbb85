//! What stands still: polygons of one or more parts, with tags, prepared once.

use std::cmp::Ordering;

use glam::DVec3;
use thiserror::Error;

use super::body::Body;
use super::broad::{Broad, Index, Pending};
use super::cell::Zone;
use super::contents::full_winding;
use super::grid::Grid;
use super::model::Model;
use crate::bounds::Aabb;
use crate::mesh::{MeshError, Polygons, Polyhedron};
use crate::motion::Pose;
use crate::numeric::SMALLEST_COORDINATE;

/// The thinnest expel zone, relative to the largest coordinate of the world and the body: 2^13
/// units in the last place. A height over a panel is the result of a rotation of a vertex (12
/// roundings), its motion (8) and a product with a normal (8), each wrong by at most one unit of
/// the last place of a coordinate and twice that where a rotation's centre lies across; 2^6 units
/// bound the sum. The zone is 128 times that, since what is lost at a stop (the rounding of a pose,
/// and the allowance for sliding of 1/64) is lost again at each of many stops in a row.
const THINNEST: f64 = 8192.0 * f64::EPSILON;

/// What a height may be wrong by, relative to the largest coordinate; see [`THINNEST`].
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Why a world or a moving body cannot be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WorldError {
    /// No fixture at all.
    #[error("the world has no fixture: it needs at least one face")]
    Empty,
    /// A mesh is wrong.
    #[error("fixture {fixture}: {error}")]
    Mesh {
        /// Its number, from 0.
        fixture: usize,
        /// What is wrong.
        error: MeshError,
    },
    /// A face without area, or a lone segment or point: nothing can rest on it.
    #[error("fixture {fixture}: face {face} has no area; a world is made of faces with an area")]
    NoArea {
        /// The fixture's number, from 0.
        fixture: usize,
        /// The face's number, from 0.
        face: usize,
    },
    /// Lone segments or points, or no face at all.
    #[error(
        "fixture {fixture} has segments or points without a face, or nothing at all; a world is \
         made of faces"
    )]
    NoFace {
        /// Its number, from 0.
        fixture: usize,
    },
    /// Tags for another number of faces.
    #[error("fixture {fixture} has {faces} faces, but {tags} tags: each face needs one")]
    Tags {
        /// Its number, from 0.
        fixture: usize,
        /// How many faces it has.
        faces: usize,
        /// How many tags were given.
        tags: usize,
    },
    /// A thickness that is not positive and finite.
    #[error("the expel zone cannot be {0} thick: it must be a positive number")]
    Thickness(f64),
}

/// A mesh that stands in the world.
#[derive(Clone, Debug)]
pub struct Fixture {
    polygons: Polygons,
    pose: Pose,
    tags: Vec<u32>,
}

impl Fixture {
    /// A mesh at its own coordinates, with tag 0.
    ///
    /// *Accepts* any mesh; [`World::new`] checks it. *Cost* linear. *Fails* never.
    pub fn new(polygons: Polygons) -> Self {
        let tags = vec![0; polygons.faces.len()];
        Self { polygons, pose: Pose::IDENTITY, tags }
    }

    /// The same elsewhere.
    ///
    /// *Accepts* any pose, which replaces an earlier one. *Cost* constant. *Fails* never.
    #[must_use]
    pub fn at(self, pose: Pose) -> Self {
        Self { pose, ..self }
    }

    /// The same with one tag for all faces: a material, contents, or whatever the caller counts.
    ///
    /// *Accepts* any number, which replaces earlier tags. *Cost* linear. *Fails* never.
    #[must_use]
    pub fn tagged(self, tag: u32) -> Self {
        Self { tags: vec![tag; self.polygons.faces.len()], ..self }
    }

    /// The same with a tag for each face of the mesh.
    ///
    /// *Accepts* as many tags as there are faces; [`World::new`] refuses others. *Cost* constant.
    /// *Fails* never.
    #[must_use]
    pub fn tagged_by_face(self, tags: Vec<u32>) -> Self {
        Self { tags, ..self }
    }
}

/// Everything that stands still.
#[derive(Clone, Debug)]
pub struct World {
    pub(super) model: Model,
    /// Of the faces.
    pub(super) boxes: Vec<Aabb>,
    pub(super) index: Index,
    pub(super) grid: Grid,
    /// Places and numbers of the vertices of all fixtures, one after the other, each fixture's
    /// sorted.
    vertices: Vec<(DVec3, u32)>,
    /// The fixture, the number there and the tag of each face of the model.
    names: Vec<(u32, u32, u32)>,
    /// The first face and the first vertex of each fixture, and the numbers of all at the end.
    firsts: Vec<[u32; 2]>,
    extent: f64,
    thickness: Option<f64>,
    /// Whether the free space is inside: a closed room with its faces towards the inside.
    pub(super) is_inside_out: bool,
    /// The body of point traces.
    pub(super) dot: Body,
}

/// What preprocessing found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// Convex faces after splitting.
    pub faces: usize,
    /// Edges of faces.
    pub edges: usize,
    /// Those of them that cannot be touched first.
    pub internal_edges: usize,
    /// Vertices of faces.
    pub vertices: usize,
    /// Those of them that only internal edges meet at.
    pub internal_vertices: usize,
}

impl World {
    /// Joins fixtures into one world, finds internal edges and builds expel lines and the tree.
    ///
    /// *Accepts* closed and open meshes; closed ones are solid behind their faces, faces of open
    /// ones are solid sheets that stop from both sides. Faces that are not convex or not planar are
    /// split. Vertices of different fixtures at the same place are one, so that walls that share
    /// corners have no seam; a closed mesh to which an open one is glued along an edge is open, and
    /// so hollow. *Guarantees* that results name the numbers of the input. *Cost* `n log n`.
    /// *Fails* on bad meshes, faces without area, lone segments and points.
    ///
    /// ```
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// use chasles::trace::{Fixture, World};
    ///
    /// let cube = Shape::Box(Cuboid::default()).polygons()?;
    /// let census = World::new(vec![Fixture::new(cube)])?.census();
    /// assert_eq!((census.edges, census.internal_edges), (12, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(fixtures: Vec<Fixture>) -> Result<Self, WorldError> {
        let mut all = Polygons::default();
        let mut tags = Vec::new();
        let mut firsts = vec![[0, 0]];
        for (number, fixture) in fixtures.into_iter().enumerate() {
            let Fixture { mut polygons, pose, tags: own } = fixture;
            polygons.vertices.iter_mut().for_each(|v| *v = pose.point(*v));
            check(number, &polygons, &own)?;
            let welded = polygons.welded_by_default();
            let polygons = welded.map_err(|error| WorldError::Mesh { fixture: number, error })?;
            let first = all.vertices.len() as u32;
            all.vertices.extend(polygons.vertices);
            all.faces.extend(
                polygons.faces.into_iter().map(|f| f.into_iter().map(|v| v + first).collect()),
            );
            tags.extend(own);
            firsts.push([all.faces.len() as u32, all.vertices.len() as u32]);
        }
        if all.faces.is_empty() {
            return Err(WorldError::Empty);
        }
        // Each fixture has passed the same checks by itself.
        let model = Model::new(&all).map_err(|error| WorldError::Mesh { fixture: 0, error })?;
        // Lone segments, left of slivers where a face was split, are edges of their neighbours.
        let faces = 0..model.mesh.face_count() as u32;
        let boxes: Vec<Aabb> = faces.map(|face| model.aabb(face)).collect();
        let index = Index::new(Broad::default(), &boxes);
        let one_sided = |i: &usize| !model.mesh.is_two_sided(*i as u32);
        let closed: Vec<Aabb> = (0..boxes.len()).filter(one_sided).map(|i| boxes[i]).collect();
        let mut pending = Pending::default();
        let winding = |point| full_winding(&model.mesh, (&index, &boxes), point, &mut pending);
        let grid = Grid::new(&closed, winding);
        let name = |face: u32| {
            let label = model.face_label(face);
            let fixture = firsts.partition_point(|[first, _]| *first <= label) as u32 - 1;
            (fixture, label - firsts[fixture as usize][0], tags[label as usize])
        };
        Ok(Self {
            names: (0..model.mesh.face_count() as u32).map(name).collect(),
            index,
            grid,
            extent: model.extent(),
            is_inside_out: signed_volume(&model.mesh) < 0.0,
            vertices: sorted_by_place(all.vertices, &firsts),
            thickness: None,
            dot: Body::point(),
            model,
            boxes,
            firsts,
        })
    }

    /// The same world with an expel zone of a thickness of the caller's choice.
    ///
    /// *Accepts* a positive number. Where it is below what rounding asks for at the coordinates of
    /// a query, that is taken instead, so that nothing interpenetrates. *Cost* constant. *Fails* on
    /// anything else.
    pub fn with_thickness(self, thickness: f64) -> Result<Self, WorldError> {
        match thickness.is_finite() && thickness > 0.0 {
            true => Ok(Self { thickness: Some(thickness), ..self }),
            false => Err(WorldError::Thickness(thickness)),
        }
    }

    /// The same world with a broad phase of the caller's choice.
    ///
    /// *Guarantees* the same answers, bit for bit. *Cost* `n log² n` for the BSP of a level.
    /// *Fails* never.
    ///
    /// ```
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// use chasles::trace::{Broad, Fixture, World};
    ///
    /// let cube = Shape::Box(Cuboid::default()).polygons()?;
    /// let world = World::new(vec![Fixture::new(cube)])?.with_broad(Broad::Bsp);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_broad(self, broad: Broad) -> Self {
        Self { index: Index::new(broad, &self.boxes), ..self }
    }

    /// The zone for a query about a body, with coordinates as large as `far`.
    ///
    /// Its thickness follows from the world and the body: contacts are there, and what one motion
    /// has left at some height rests at that height for the next. A far start or axis adds to
    /// rounding only, as long as that stays well below the zone.
    pub(super) fn zone(&self, body: &Body, far: f64) -> Zone {
        let near = self.extent.max(body.radius);
        let rounding = self.rounding(far.max(near));
        // At least the smallest coordinate that counts, so that a world at one point has a zone.
        let thinnest = (THINNEST * near).max(8.0 * rounding).max(SMALLEST_COORDINATE);
        let thickness = self.thickness.map_or(thinnest, |asked| asked.max(thinnest));
        Zone { thickness, rounding }
    }

    /// What a height over a panel may be wrong by, with coordinates as large as `far`.
    pub(super) fn rounding(&self, far: f64) -> f64 {
        ROUNDING * far.max(self.extent)
    }

    /// How many edges and vertices can never be touched first, and so are left out.
    ///
    /// *Guarantees* counts after splitting and joining. *Cost* linear in the faces. *Fails* never.
    pub fn census(&self) -> Census {
        let Model { mesh, parts, .. } = &self.model;
        let [mut edges, mut corners] = [0, 0];
        for part in 0..parts.count() {
            edges += parts.edges(part).len();
            corners += parts.corners(part).len();
        }
        Census {
            faces: mesh.face_count(),
            edges: mesh.edge_count(),
            internal_edges: mesh.edge_count() - edges,
            vertices: mesh.vertex_count(),
            internal_vertices: mesh.vertex_count() - corners,
        }
    }

    /// A face of the model: the fixture, its number there and its tag.
    pub(super) fn face(&self, face: u32) -> (u32, u32, u32) {
        self.names[face as usize]
    }

    /// The number of a vertex of the model in a fixture that uses it.
    pub(super) fn vertex(&self, vertex: u32, fixture: u32) -> u32 {
        let [first, end] = [0, 1].map(|i| self.firsts[fixture as usize + i][1]);
        let label = self.model.mesh.vertex_label(vertex);
        if (first..end).contains(&label) {
            return label - first;
        }
        let place = self.model.mesh.position(vertex);
        let own = &self.vertices[first as usize..end as usize];
        let found = own.partition_point(|(v, _)| by_place(*v, place).is_lt());
        own.get(found).map_or(0, |(_, number)| *number)
    }
}

/// The vertices of each fixture in the order of their places, then of their numbers.
fn sorted_by_place(vertices: Vec<DVec3>, firsts: &[[u32; 2]]) -> Vec<(DVec3, u32)> {
    let mut sorted = Vec::with_capacity(vertices.len());
    for pair in firsts.windows(2) {
        let [first, end] = [pair[0][1] as usize, pair[1][1] as usize];
        sorted.extend(vertices[first..end].iter().copied().zip(0..));
        sorted[first..].sort_unstable_by(|(v, i), (w, j)| by_place(*v, *w).then(i.cmp(j)));
    }
    sorted
}

/// The order of two places by their coordinates, both zeros being one.
fn by_place(v: DVec3, w: DVec3) -> Ordering {
    v.to_array().partial_cmp(&w.to_array()).unwrap_or(Ordering::Equal)
}

/// Refuses a fixture of which a face would be lost, where it stands.
fn check(fixture: usize, polygons: &Polygons, tags: &[u32]) -> Result<(), WorldError> {
    let [faces, tags] = [polygons.faces.len(), tags.len()];
    if faces != tags {
        return Err(WorldError::Tags { fixture, faces, tags });
    }
    if !polygons.segments.is_empty() || !polygons.points.is_empty() || faces == 0 {
        return Err(WorldError::NoFace { fixture });
    }
    let mesh = Polyhedron::new(polygons).map_err(|error| WorldError::Mesh { fixture, error })?;
    let mut has_area = vec![false; faces];
    for face in 0..mesh.face_count() as u32 {
        has_area[mesh.face_label(face) as usize] = true;
    }
    match has_area.iter().position(|&has| !has) {
        Some(face) => Err(WorldError::NoArea { fixture, face }),
        None => Ok(()),
    }
}

/// Six times the volume within the closed parts.
fn signed_volume(mesh: &Polyhedron) -> f64 {
    let [low, high] = mesh.bounds();
    let middle = (low + high) * 0.5;
    let closed = (0..mesh.face_count() as u32).filter(|&face| !mesh.is_two_sided(face));
    let cone = |face: u32| {
        let corners = mesh.face(face);
        let at = |i: usize| mesh.position(corners[i]) - middle;
        (2..corners.len()).map(|i| at(0).dot(at(i - 1).cross(at(i)))).sum::<f64>()
    };
    closed.map(cone).sum()
}
