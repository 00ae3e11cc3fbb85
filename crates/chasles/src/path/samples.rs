//! Points that stand for the surface of a body.
//!
//! Every vertex of a mesh is one. Edges and faces have more, as many as it takes that no point of
//! the surface is farther than the *cover* from a sample: on an edge they are twice that apart, and
//! the triangles of a face have a grid (`grid.rs`). Solids are sampled where their distances lead
//! to their surface (`covering.rs`).
//!
//! While no sample is in a solid, then, no point of the surface is deeper in it than the cover: a
//! point at depth `d`, which is its distance from the surface of the solid, has a ball of radius
//! `d` around it in the solid, and a sample within the cover of it.

use glam::DVec3;
use thiserror::Error;

use super::covering::{Covering, SurfacePoint, USUAL_SHARE};
use super::grid::Grid;
use crate::bounds::{Aabb, Convexity, Corner};
use crate::mesh::{self, LARGEST_SPLIT, Polyhedron};
use crate::numeric::short;
use crate::solid::Solid;

/// Which point of a body touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sample {
    /// A vertex, by its number in the input.
    Vertex(u32),
    /// A point of an edge, given by its vertices, the lower number first.
    Edge {
        /// The edge.
        edge: [u32; 2],
        /// Which of its points, counted from its first vertex.
        number: u32,
    },
    /// A point of a face.
    Face {
        /// The face.
        face: u32,
        /// Which of its points.
        number: u32,
    },
    /// A point of the surface of a solid, by its number.
    Point(u32),
}

/// Why a surface cannot be sampled.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SamplesError {
    /// Not a length.
    #[error("the cover is {}; it must be positive, or infinite for vertices only", short(*.0))]
    Cover(f64),
    /// Too many points.
    #[error(
        "a cover of {} needs {} samples or more; at most {limit} are made, so make it larger",
        short(*cover),
        short(*count)
    )]
    TooMany {
        /// What was asked for.
        cover: f64,
        /// How many there would be.
        count: f64,
        /// How many there may be.
        limit: usize,
    },
    /// A face that cannot be cut into triangles in reasonable time.
    #[error("face {face} has {corners} corners; at most {limit} can be sampled, so split it")]
    Face {
        /// Its number in the input.
        face: u32,
        /// How many corners it has.
        corners: usize,
        /// How many it may have.
        limit: usize,
    },
    /// A solid that is not in any box.
    #[error("the solid has no end")]
    Unbounded,
    /// A solid that does not tell well enough where its surface is.
    #[error("a cover of {} takes too many questions, so make it larger", short(*cover))]
    Rough {
        /// What was asked for.
        cover: f64,
    },
    /// A solid with no point to be found where its surface may be.
    #[error("no point of the solid is found near {point}")]
    Lost {
        /// Where, in the frame of the solid.
        point: DVec3,
    },
}

/// A feature of the mesh, by its number there.
#[derive(Clone, Copy, Debug)]
enum Feature {
    Vertex(u32),
    Edge(u32),
    Face(u32),
    /// A point of a solid, with its outward normal.
    Smooth(DVec3),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) place: DVec3,
    pub(super) sample: Sample,
    feature: Feature,
}

/// Some samples that lie together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cluster {
    pub(super) center: DVec3,
    pub(super) radius: f64,
    pub(super) first: u32,
    pub(super) end: u32,
}

/// The samples of a body, made once.
#[derive(Clone, Debug)]
pub struct Samples {
    /// Absent of a solid, as the mesh is.
    convexity: Option<Convexity>,
    /// Absent of a solid.
    mesh: Option<Polyhedron>,
    spots: Vec<Spot>,
    clusters: Vec<Cluster>,
    whole: Cluster,
    cover: f64,
}

/// Samples in a cluster at most: small enough to lie close together, large enough to be worth a
/// question of its own.
const CLUSTER: usize = 24;

impl Samples {
    /// The most samples of a body: a gigabyte.
    pub const MAX: usize = 10_000_000;

    /// Samples such that no point of the surface is farther than `cover` from one.
    ///
    /// *Accepts* any mesh; an infinite cover asks for the vertices alone, which then cover nothing
    /// else. *Guarantees* the cover, and the same samples for the same mesh. *Cost* `n log n` in
    /// the samples. *Fails* if the cover is not positive or needs more than [`Samples::MAX`], and
    /// on faces with thousands of corners.
    ///
    /// ```
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// use chasles::path::Samples;
    ///
    /// let cube = Shape::Box(Cuboid::default()).build()?;
    /// assert_eq!(Samples::new(cube.clone(), f64::INFINITY)?.len(), 8);
    /// assert!(Samples::new(cube, 0.1)?.len() > 300);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(mesh: Polyhedron, cover: f64) -> Result<Self, SamplesError> {
        let count = Self::count(&mesh, cover)?;
        let mut spots = Vec::with_capacity(count);
        vertices(&mesh, &mut spots);
        if cover.is_finite() {
            edges(&mesh, cover, &mut spots);
            faces(&mesh, cover, &mut spots);
        }
        Ok(Self::made(Some(mesh), spots, cover))
    }

    /// Samples of the surface of a solid such that no point of it is farther than
    /// [`Samples::cover`] from one; that is `cover`, or more where the distances of the solid are
    /// rough.
    ///
    /// *Accepts* solids with finite bounds and a positive, finite cover. *Guarantees* the cover
    /// that the samples state, that each is in the solid up to a billionth of its size, and the
    /// same samples for the same solid. *Cost* some 100 questions to the solid for each square of
    /// the cover on its surface. *Fails* on solids without end, on a cover that takes millions of
    /// questions, and where the solid leads to no point of it.
    ///
    /// ```
    /// use chasles::path::Samples;
    /// use chasles::solid::Sphere;
    ///
    /// let samples = Samples::of_solid(&Sphere::new([0.0; 3], 1.0)?, 0.1)?;
    /// assert!(samples.len() > 500 && samples.cover() < 0.101);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_solid(solid: &dyn Solid, cover: f64) -> Result<Self, SamplesError> {
        if !(cover > 0.0 && cover.is_finite()) {
            return Err(SamplesError::Cover(cover));
        }
        Ok(Self::covering(&Covering::new(solid, cover)?))
    }

    /// Samples of a solid as dense as [`Samples::usual_cover`] says of meshes, up to a quarter.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`Samples::of_solid`], with some 3,000
    /// to 6,000 samples.
    pub fn usual_of_solid(solid: &dyn Solid) -> Result<Self, SamplesError> {
        Ok(Self::covering(&Covering::usual(solid)?))
    }

    /// The cover that suits a mesh: 1/48 of the root of its area, some 2,000 samples of a box, and
    /// more of a mesh with smaller faces, each of which has its own. So a cube is covered to 5 % of
    /// its side, and a bar that is 40 times as long as thick to a quarter of its thickness.
    ///
    /// *Accepts* any mesh. *Guarantees* a positive number; infinite for a mesh that is no more than
    /// a point, whose vertices are all there is. *Cost* linear in the mesh. *Fails* never.
    pub fn usual_cover(mesh: &Polyhedron) -> f64 {
        let area: f64 = (0..mesh.face_count() as u32).map(|f| face_area(mesh, f)).sum();
        let places = (0..mesh.vertex_count() as u32).map(|v| mesh.position(v));
        let Aabb { low, high } = Aabb::around(places);
        // Wires have no area.
        let least = (high - low).length() / 16.0;
        let cover = USUAL_SHARE * area.sqrt().max(least);
        if cover > 0.0 && cover.is_finite() { cover } else { f64::INFINITY }
    }

    fn covering(covering: &Covering) -> Self {
        let spot = |(SurfacePoint { place, normal }, number): (&SurfacePoint, u32)| Spot {
            place: *place,
            sample: Sample::Point(number),
            feature: Feature::Smooth(*normal),
        };
        Self::made(None, covering.points.iter().zip(0..).map(spot).collect(), covering.cover)
    }

    fn made(mesh: Option<Polyhedron>, mut spots: Vec<Spot>, cover: f64) -> Self {
        let clusters = clustered(&mut spots);
        let whole = Cluster::around(&spots, 0);
        let convexity = mesh.as_ref().map(Convexity::new);
        Self { convexity, mesh, spots, clusters, whole, cover }
    }

    /// How many samples [`Samples::new`] would make, or a few more.
    ///
    /// *Accepts* what it accepts. *Guarantees* that it makes no more. *Cost* linear in the mesh,
    /// however small the cover is. *Fails* as it does.
    pub fn count(mesh: &Polyhedron, cover: f64) -> Result<usize, SamplesError> {
        if cover.is_nan() || cover <= 0.0 {
            return Err(SamplesError::Cover(cover));
        }
        let loops = (0..mesh.face_count() as u32).map(|f| (mesh.face(f).len(), mesh.face_label(f)));
        if let Some((corners, face)) = loops.max().filter(|(n, _)| *n > LARGEST_SPLIT) {
            return Err(SamplesError::Face { face, corners, limit: LARGEST_SPLIT });
        }
        let mut count = mesh.vertex_count() as f64;
        if cover.is_finite() {
            count += edge_samples(mesh, cover) + face_samples(mesh, cover);
        }
        if count > Self::MAX as f64 {
            return Err(SamplesError::TooMany { cover, count, limit: Self::MAX });
        }
        Ok(count as usize)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.spots.len()
    }

    /// Whether there is none: a mesh without vertices.
    pub fn is_empty(&self) -> bool {
        self.spots.is_empty()
    }

    /// How far a point of the surface may be from the next sample.
    pub fn cover(&self) -> f64 {
        self.cover
    }

    /// All samples with their places, in the body's frame.
    pub fn iter(&self) -> impl Iterator<Item = (Sample, DVec3)> + '_ {
        self.spots.iter().map(|spot| (spot.sample, spot.place))
    }

    /// The mesh that was sampled; none of a solid.
    pub fn mesh(&self) -> Option<&Polyhedron> {
        self.mesh.as_ref()
    }

    pub(super) fn spots(&self, cluster: &Cluster) -> &[Spot] {
        &self.spots[cluster.first as usize..cluster.end as usize]
    }

    pub(super) fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    pub(super) fn whole(&self) -> &Cluster {
        &self.whole
    }

    /// Whether the body's shape next to a sample lets a solid touch it from outside. A smooth one
    /// has to stay on one side of a plane; the edge of another may lie in a saddle, and its tip in
    /// any hollow.
    pub(super) fn is_touchable(&self, spot: &Spot, by: &dyn Solid) -> bool {
        let (Some(convexity), Some(mesh), true) = (&self.convexity, &self.mesh, by.is_smooth())
        else {
            return true;
        };
        match spot.feature {
            Feature::Vertex(v) => convexity.corner(mesh, v) == Corner::Peak,
            Feature::Edge(e) => !convexity.is_reflex(mesh, e),
            Feature::Face(_) | Feature::Smooth(_) => true,
        }
    }

    /// The least slope, over the tangent plane with this normal, of the directions in which the
    /// body goes on from a sample: [Buss04 §5] for a vertex, and likewise for points of edges and
    /// faces. 1 where it does not go on.
    pub(super) fn properness(&self, spot: &Spot, normal: DVec3) -> f64 {
        let flat = |outward: DVec3| -outward.cross(normal).length();
        let least = match (spot.feature, &self.mesh) {
            (Feature::Smooth(outward), _) => flat(outward),
            // Other features are of meshes only.
            (_, None) => 1.0,
            (Feature::Vertex(v), Some(mesh)) => {
                let ray = |&e: &u32| {
                    let away = mesh.position(mesh.neighbour(e, v)) - mesh.position(v);
                    away.normalize_or_zero().dot(normal)
                };
                mesh.vertex_edges(v).iter().map(ray).fold(1.0, f64::min)
            }
            (Feature::Edge(e), Some(mesh)) => {
                let [p, q] = mesh.edge(e).map(|v| mesh.position(v));
                let along = (q - p).normalize_or_zero();
                // Into a face, across the edge.
                let wing = |face: u32| {
                    let across = mesh.normal(face).cross(along);
                    let inward = across.dot(mesh.face_point(face) - p);
                    across.dot(normal) * inward.signum()
                };
                let wings = mesh.edge_sides(e).iter().map(|side| wing(side.face));
                wings.fold(-along.dot(normal).abs(), f64::min)
            }
            (Feature::Face(f), Some(mesh)) => flat(mesh.normal(f)),
        };
        least.clamp(-1.0, 1.0)
    }
}

fn vertices(mesh: &Polyhedron, spots: &mut Vec<Spot>) {
    spots.extend((0..mesh.vertex_count() as u32).map(|v| Spot {
        place: mesh.position(v),
        sample: Sample::Vertex(mesh.vertex_label(v)),
        feature: Feature::Vertex(v),
    }));
}

/// In how many pieces an edge of this length is cut.
fn edge_pieces(length: f64, cover: f64) -> f64 {
    (length / (2.0 * cover)).ceil().max(1.0)
}

fn edge_samples(mesh: &Polyhedron, cover: f64) -> f64 {
    let ends = |e: u32| mesh.edge(e).map(|v| mesh.position(v));
    let count = |[p, q]: [DVec3; 2]| edge_pieces(p.distance(q), cover) - 1.0;
    (0..mesh.edge_count() as u32).map(|e| count(ends(e))).sum()
}

fn edges(mesh: &Polyhedron, cover: f64, spots: &mut Vec<Spot>) {
    for e in 0..mesh.edge_count() as u32 {
        let [p, q] = mesh.edge(e);
        let edge = mesh.edge_label(e);
        // From the vertex with the lower number.
        let [p, q] = if mesh.vertex_label(p) == edge[0] { [p, q] } else { [q, p] };
        let [p, q] = [p, q].map(|v| mesh.position(v));
        let pieces = edge_pieces(p.distance(q), cover) as u32;
        spots.extend((1..pieces).map(|number| Spot {
            place: p.lerp(q, f64::from(number) / f64::from(pieces)),
            sample: Sample::Edge { edge, number },
            feature: Feature::Edge(e),
        }));
    }
}

/// The triangles that a face is cut into.
fn triangles(body: &Polyhedron, face: u32) -> impl Iterator<Item = [DVec3; 3]> {
    let corners: Vec<DVec3> = body.face(face).iter().map(|&v| body.position(v)).collect();
    mesh::triangles(&corners).into_iter().map(move |t| t.map(|i| corners[i]))
}

/// The area of a face, by its triangles; 0 of one that is too large to be cut.
fn face_area(mesh: &Polyhedron, face: u32) -> f64 {
    if mesh.face(face).len() > LARGEST_SPLIT {
        return 0.0;
    }
    triangles(mesh, face).map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum()
}

fn face_samples(mesh: &Polyhedron, cover: f64) -> f64 {
    let faces = 0..mesh.face_count() as u32;
    faces.flat_map(|f| triangles(mesh, f)).map(|triangle| Grid::new(triangle, cover).count()).sum()
}

/// The points of a grid on each triangle of a face but for its corners, which are vertices. Those
/// on its sides are needed too: the points of an edge are elsewhere.
fn faces(mesh: &Polyhedron, cover: f64, spots: &mut Vec<Spot>) {
    for f in 0..mesh.face_count() as u32 {
        let face = mesh.face_label(f);
        let first = spots.len();
        for triangle in triangles(mesh, f) {
            Grid::new(triangle, cover).each(|place| {
                let sample = Sample::Face { face, number: (spots.len() - first) as u32 };
                spots.push(Spot { place, sample, feature: Feature::Face(f) });
            });
        }
    }
}

impl Cluster {
    fn around(spots: &[Spot], first: usize) -> Self {
        let Aabb { low, high } = Aabb::around(spots.iter().map(|spot| spot.place));
        let center = if spots.is_empty() { DVec3::ZERO } else { 0.5 * (low + high) };
        let radius = spots.iter().map(|spot| spot.place.distance(center)).fold(0.0, f64::max);
        let end = (first + spots.len()) as u32;
        Self { center, radius: radius * (1.0 + 1e-14), first: first as u32, end }
    }
}

/// Sorts samples into clusters, by halves along the longest side.
fn clustered(spots: &mut [Spot]) -> Vec<Cluster> {
    let mut clusters = Vec::new();
    let mut waiting = vec![[0, spots.len()]];
    while let Some([start, end]) = waiting.pop() {
        let own = &mut spots[start..end];
        if own.len() <= CLUSTER {
            clusters.push(Cluster::around(own, start));
            continue;
        }
        let around = Aabb::around(own.iter().map(|spot| spot.place));
        let axis = (around.high - around.low).max_position();
        let half = own.len() / 2;
        own.select_nth_unstable_by(half, |a, b| {
            a.place[axis].total_cmp(&b.place[axis]).then(a.sample.cmp(&b.sample))
        });
        let middle = start + half;
        waiting.extend([[middle, end], [start, middle]]);
    }
    clusters
}
