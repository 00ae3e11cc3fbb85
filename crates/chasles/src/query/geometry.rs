//! Bodies of any kind, made ready once.

use std::fmt;
#[cfg(feature = "files")]
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use glam::{DMat3, DQuat, DVec3};
#[cfg(feature = "files")]
use thiserror::Error;

use super::error::{QueryError, Side};
use crate::bounds::Collider;
use crate::mesh::shapes::{Shape, ShapeError};
#[cfg(feature = "files")]
use crate::mesh::{MeshError, files};
use crate::mesh::{Polygons, Polyhedron, Turned};
use crate::motion::Pose;
use crate::path::{self, Samples, SamplesError};
use crate::round::{self, Round, RoundError};
use crate::solid::{self, MeshSolid, Solid, SolidError};
use crate::trace::{self, Fixture};

/// What kind of body a [`Geometry`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A polyhedron, closed or open.
    Mesh,
    /// A sphere, exactly.
    Sphere,
    /// A capsule, exactly.
    Capsule,
    /// A cylinder, exactly.
    Cylinder,
    /// A cone, exactly.
    Cone,
    /// An ellipsoid, exactly.
    Ellipsoid,
    /// Anything else that answers for its distance: constructive solids, formulas, fields.
    Solid,
}

impl Kind {
    /// Whether it is a sphere, a capsule, a cylinder, a cone or an ellipsoid, exactly.
    pub fn is_round(self) -> bool {
        !matches!(self, Self::Mesh | Self::Solid)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mesh => "mesh",
            Self::Sphere => "sphere",
            Self::Capsule => "capsule",
            Self::Cylinder => "cylinder",
            Self::Cone => "cone",
            Self::Ellipsoid => "ellipsoid",
            Self::Solid => "solid",
        })
    }
}

/// Why a file gives no body.
#[cfg(feature = "files")]
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{0}")]
    File(#[from] files::FileError),
    /// The file has no mesh that can be used.
    #[error("{}: {error}", path.display())]
    Mesh {
        /// The file.
        path: PathBuf,
        /// What is wrong with its mesh.
        error: MeshError,
    },
}

/// The shape of a body, in its own frame, made ready once for any number of queries.
///
/// Clones share everything, also between threads. What only some methods need, such as samples of
/// the surface, is made when it is first asked for, and kept.
///
/// ```
/// use chasles::mesh::shapes::{Shape, Torus};
/// use chasles::query::Geometry;
/// use chasles::solid;
///
/// let torus = Geometry::shape(&Shape::Torus(Torus::default()))?; // a mesh of 300 faces
/// let ball = Geometry::sphere(0.5)?; // round, exactly
/// let ring = Geometry::solid(solid::Torus::new(0.5, 0.1)?); // a solid, by its distance
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Geometry {
    body: Arc<Body>,
}

struct Body {
    form: Form,
    bounds: [DVec3; 2],
    /// How densely the surface is sampled; the usual cover if none is given.
    cover: Option<f64>,
    probe: OnceLock<Result<Probe, ProbeError>>,
    traced: OnceLock<Traced>,
    core: OnceLock<Option<Arc<Collider>>>,
}

/// What the body is.
#[derive(Clone)]
pub(super) enum Form {
    Mesh(Arc<Collider>),
    Round(Round),
    Solid(Arc<dyn Solid>),
}

/// A body as the path method takes it.
struct Probe {
    solid: Arc<dyn Solid>,
    /// Absent where the body has no end, or its surface is not found.
    samples: Option<Samples>,
}

#[derive(Clone, Debug)]
enum ProbeError {
    Samples(SamplesError),
    Solid(SolidError),
}

/// A mesh as traces take it: to stand still, and to move.
struct Traced {
    fixture: Result<trace::World, trace::WorldError>,
    body: Result<trace::Body, crate::mesh::MeshError>,
}

impl fmt::Debug for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Geometry").field("kind", &self.kind()).finish_non_exhaustive()
    }
}

impl Geometry {
    /// A mesh, with its faces turned outward.
    ///
    /// Faces are counter-clockwise seen from outside. Some programs write them the other way, and
    /// then a body has its outside inside and loses its contacts. So closed components that look
    /// inward, and lie in no other, are turned, as [`Polyhedron::turn_outward`] does; cavities
    /// stay. [`Geometry::turned`] says which. A room whose walls are meant to look inward is kept
    /// as it is by `Geometry::from(Collider::new(mesh))`.
    ///
    /// *Accepts* any polyhedron, closed or open; of an open one, which has no outside, nothing is
    /// turned. *Guarantees* that results name the numbers of its input, and for a mesh that looks
    /// outward that nothing changes. *Cost* `n log n`: that of [`Collider::new`], and about half as
    /// much again to see which way the mesh looks. *Fails* never.
    ///
    /// ```
    /// use chasles::Polyhedron;
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// use chasles::query::Geometry;
    /// let mut polygons = Shape::Box(Cuboid::default()).polygons()?;
    /// polygons.faces.iter_mut().for_each(|face| face.reverse());
    /// let cube = Geometry::mesh(Polyhedron::new(&polygons)?);
    /// assert_eq!(cube.turned().map(|turned| turned.faces.len()), Some(6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mesh(mut mesh: Polyhedron) -> Self {
        mesh.turn_outward();
        Collider::new(mesh).into()
    }

    /// The mesh of a file: OBJ, STL, PLY, OFF, glTF or GLB, by its extension.
    ///
    /// *Accepts* what [`files::load`](crate::mesh::files::load) does. *Guarantees* and *Cost* as
    /// [`Geometry::mesh`]; features have the numbers of the file, from 0. *Fails* with what is
    /// wrong with the file, or with the mesh in it.
    ///
    /// ```no_run
    /// use chasles::query::Geometry;
    /// let bunny = Geometry::load("bunny.obj")?;
    /// # Ok::<(), chasles::query::LoadError>(())
    /// ```
    #[cfg(feature = "files")]
    pub fn load(path: impl AsRef<std::path::Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let polygons = files::load(path)?;
        let mesh = Polyhedron::new(&polygons)
            .map_err(|error| LoadError::Mesh { path: path.to_owned(), error })?;
        Ok(Self::mesh(mesh))
    }

    /// A mesh of a built-in shape.
    ///
    /// *Accepts* any shape. *Guarantees* and *Cost* as [`Geometry::mesh`]; spheres, capsules,
    /// cylinders and cones become polyhedra too: for exactly round ones see [`Geometry::sphere`].
    /// *Fails* on parameters that make no shape.
    pub fn shape(shape: &Shape) -> Result<Self, ShapeError> {
        // Shapes look outward.
        Ok(Collider::new(shape.build()?).into())
    }

    /// A sphere about the origin, exactly.
    ///
    /// *Accepts*, *Guarantees* and *Fails* as [`Round::sphere`]. *Cost* constant.
    pub fn sphere(radius: f64) -> Result<Self, RoundError> {
        Ok(Round::sphere(radius)?.into())
    }

    /// All points within a radius of a segment, exactly.
    ///
    /// *Accepts*, *Guarantees* and *Fails* as [`Round::capsule`]. *Cost* constant.
    pub fn capsule(ends: [impl Into<DVec3>; 2], radius: f64) -> Result<Self, RoundError> {
        Ok(Round::capsule(ends, radius)?.into())
    }

    /// A cylinder with flat ends, exactly.
    ///
    /// *Accepts*, *Guarantees* and *Fails* as [`Round::cylinder`]. *Cost* constant.
    pub fn cylinder(ends: [impl Into<DVec3>; 2], radius: f64) -> Result<Self, RoundError> {
        Ok(Round::cylinder(ends, radius)?.into())
    }

    /// A cone with a round base about one point and its tip at another, exactly.
    ///
    /// *Accepts*, *Guarantees* and *Fails* as [`Round::cone`]. *Cost* constant.
    pub fn cone(ends: [impl Into<DVec3>; 2], radius: f64) -> Result<Self, RoundError> {
        Ok(Round::cone(ends, radius)?.into())
    }

    /// An ellipsoid about the origin with these half axes along x, y and z, exactly;
    /// [`Round::ellipsoid_at`] makes one with other axes.
    ///
    /// *Accepts*, *Guarantees* and *Fails* as [`Round::ellipsoid`]. *Cost* constant.
    pub fn ellipsoid(half_axes: impl Into<DVec3>) -> Result<Self, RoundError> {
        Ok(Round::ellipsoid(half_axes)?.into())
    }

    /// Anything that answers for its distance: constructive solids, formulas, distance fields,
    /// height fields, patches.
    ///
    /// *Accepts* any [`Solid`]. *Guarantees* what the solid does. *Cost* constant; the first query
    /// samples its surface, with up to millions of questions. *Fails* never.
    pub fn solid(solid: impl Solid + 'static) -> Self {
        let bounds = solid.bounds();
        Self::made(Form::Solid(Arc::new(solid)), bounds, None)
    }

    /// The same body, its surface sampled so densely for the path method that no point of it is
    /// farther than `cover` from a sample.
    ///
    /// *Accepts* any length; an infinite one takes the vertices of a mesh alone. Without this the
    /// cover is 1/48 of the square root of the body's area. *Guarantees* the same shape. *Cost*
    /// constant; the first query that needs samples makes them. *Fails* never; that query does if
    /// there are too many.
    #[must_use]
    pub fn with_cover(&self, cover: f64) -> Self {
        Self::made(self.body.form.clone(), self.body.bounds, Some(cover))
    }

    /// What kind of body it is.
    pub fn kind(&self) -> Kind {
        match &self.body.form {
            Form::Mesh(_) => Kind::Mesh,
            Form::Round(round) => match round.kind() {
                round::Kind::Sphere => Kind::Sphere,
                round::Kind::Capsule => Kind::Capsule,
                round::Kind::Cylinder => Kind::Cylinder,
                round::Kind::Cone => Kind::Cone,
                round::Kind::Ellipsoid => Kind::Ellipsoid,
            },
            Form::Solid(_) => Kind::Solid,
        }
    }

    /// The lowest and the highest corner of a box around the body, in its frame; infinite where it
    /// has no end.
    pub fn bounds(&self) -> [DVec3; 2] {
        self.body.bounds
    }

    /// The mesh with its hierarchy, if the body is one.
    pub fn collider(&self) -> Option<&Collider> {
        match &self.body.form {
            Form::Mesh(collider) => Some(collider),
            _ => None,
        }
    }

    /// What [`Geometry::mesh`] turned outward, and what it could not tell; none if the body is no
    /// mesh.
    pub fn turned(&self) -> Option<&Turned> {
        self.collider().map(|collider| collider.mesh().turned())
    }

    /// The sphere, capsule, cylinder, cone or ellipsoid, if the body is one.
    pub fn round(&self) -> Option<&Round> {
        match &self.body.form {
            Form::Round(round) => Some(round),
            _ => None,
        }
    }

    /// How many samples of the surface the path method follows.
    ///
    /// *Accepts* any body. *Guarantees* 0 where there are none: bodies without end, or with a
    /// surface that is not found. *Cost* that of making them, once. *Fails* if they are too many.
    pub fn sample_count(&self) -> Result<usize, QueryError> {
        Ok(self.probe(Side::A)?.samples.map_or(0, Samples::len))
    }

    fn made(form: Form, bounds: [DVec3; 2], cover: Option<f64>) -> Self {
        let body = Body {
            form,
            bounds,
            cover,
            probe: OnceLock::new(),
            traced: OnceLock::new(),
            core: OnceLock::new(),
        };
        Self { body: Arc::new(body) }
    }

    pub(super) fn form(&self) -> &Form {
        &self.body.form
    }

    /// The body as the path method takes it; errors call it `side`.
    pub(super) fn probe(&self, side: Side) -> Result<path::Body<'_>, QueryError> {
        let Body { form, cover, probe, .. } = &*self.body;
        match probe.get_or_init(|| Probe::new(form, *cover)) {
            Ok(probe) => {
                Ok(path::Body { solid: Some(&*probe.solid), samples: probe.samples.as_ref() })
            }
            Err(ProbeError::Samples(error)) => {
                Err(QueryError::Samples { body: side, error: *error })
            }
            Err(ProbeError::Solid(error)) => {
                Err(QueryError::Solid { body: side, error: error.clone() })
            }
        }
    }

    /// The body as what stands still in a cast; none if it is no mesh.
    pub(super) fn fixture(&self) -> Option<Result<&trace::World, QueryError>> {
        let fixture = self.traced()?.fixture.as_ref();
        Some(fixture.map_err(|error| QueryError::Fixture(error.clone())))
    }

    /// The body as what moves in a cast; none if it is no mesh.
    pub(super) fn moving(&self) -> Option<Result<&trace::Body, QueryError>> {
        let body = self.traced()?.body.as_ref();
        Some(body.map_err(|error| QueryError::Moving(error.clone())))
    }

    fn traced(&self) -> Option<&Traced> {
        let Form::Mesh(collider) = &self.body.form else { return None };
        Some(self.body.traced.get_or_init(|| {
            let polygons = collider.mesh().to_polygons();
            let body = trace::Body::new(&polygons);
            Traced { fixture: trace::World::new(vec![Fixture::new(polygons)]), body }
        }))
    }

    /// The body, if it is a cylinder or a cone.
    pub(super) fn as_revolved(&self) -> Option<&Round> {
        let is_revolved = |kind| matches!(kind, round::Kind::Cylinder | round::Kind::Cone);
        self.round().filter(|round| is_revolved(round.kind()))
    }

    /// A mesh and how far around it the body reaches: the mesh itself, or the core of a sphere or a
    /// capsule, a point or a segment. None of bodies that are not of this form.
    ///
    /// *Guarantees* that the body is all that is no farther from the mesh. *Cost* nothing after the
    /// first call. *Fails* never.
    pub fn core(&self) -> Option<(&Collider, f64)> {
        self.shared_core().map(|(core, radius)| (&**core, radius))
    }

    /// The same, to be kept.
    ///
    /// *Cost* and *Fails* as [`Geometry::core`].
    pub fn shared_core(&self) -> Option<(&Arc<Collider>, f64)> {
        match &self.body.form {
            Form::Mesh(collider) => Some((collider, 0.0)),
            Form::Round(round) => {
                let core = self.body.core.get_or_init(|| core(round));
                core.as_ref().map(|core| (core, round.radius()))
            }
            Form::Solid(_) => None,
        }
    }
}

impl From<Collider> for Geometry {
    fn from(collider: Collider) -> Self {
        Arc::new(collider).into()
    }
}

impl From<Arc<Collider>> for Geometry {
    fn from(collider: Arc<Collider>) -> Self {
        let bounds = collider.mesh().bounds();
        Self::made(Form::Mesh(collider), bounds, None)
    }
}

impl From<Round> for Geometry {
    fn from(round: Round) -> Self {
        Self::made(Form::Round(round), round.bounds(), None)
    }
}

impl From<Arc<dyn Solid>> for Geometry {
    fn from(solid: Arc<dyn Solid>) -> Self {
        let bounds = solid.bounds();
        Self::made(Form::Solid(solid), bounds, None)
    }
}

/// The segment or point around which a round body is; none of other kinds than spheres and
/// capsules.
fn core(round: &Round) -> Option<Arc<Collider>> {
    let [from, to] = round.ends();
    let polygons = match round.kind() {
        round::Kind::Sphere => Polygons { vertices: vec![from], ..Polygons::default() },
        round::Kind::Capsule => {
            Polygons { vertices: vec![from, to], segments: vec![[0, 1]], ..Polygons::default() }
        }
        round::Kind::Cylinder | round::Kind::Cone | round::Kind::Ellipsoid => return None,
    };
    Polyhedron::new(&polygons).ok().map(|core| Arc::new(Collider::new(core)))
}

impl Probe {
    fn new(form: &Form, cover: Option<f64>) -> Result<Self, ProbeError> {
        match form {
            Form::Mesh(collider) => {
                let mesh = collider.mesh();
                let solid = MeshSolid::new(mesh).map_err(ProbeError::Solid)?;
                let cover = cover.unwrap_or_else(|| Samples::usual_cover(mesh));
                let samples = Samples::new(mesh.clone(), cover).map_err(ProbeError::Samples)?;
                Ok(Self { solid: Arc::new(solid), samples: Some(samples) })
            }
            Form::Round(round) => {
                Self::of_solid(solid_of(round).map_err(ProbeError::Solid)?, cover)
            }
            Form::Solid(solid) => Self::of_solid(Arc::clone(solid), cover),
        }
    }

    /// A solid that cannot be sampled, as one without end, is only what others are held against,
    /// unless its cover was asked for and takes too much.
    fn of_solid(solid: Arc<dyn Solid>, cover: Option<f64>) -> Result<Self, ProbeError> {
        let samples = match cover {
            None => Samples::usual_of_solid(&*solid),
            Some(cover) if cover.is_finite() => Samples::of_solid(&*solid, cover),
            // Vertices alone, and a solid has none.
            Some(_) => return Ok(Self { solid, samples: None }),
        };
        match (samples, cover) {
            (Err(error @ SamplesError::Rough { .. }), Some(_)) => Err(ProbeError::Samples(error)),
            (samples, _) => Ok(Self { solid, samples: samples.ok() }),
        }
    }
}

/// A round body as a solid.
fn solid_of(round: &Round) -> Result<Arc<dyn Solid>, SolidError> {
    let [from, to] = round.ends();
    Ok(match round.kind() {
        round::Kind::Sphere => Arc::new(solid::Sphere::new(from, round.radius())?),
        round::Kind::Capsule => Arc::new(solid::Capsule::new(from, to, round.radius())?),
        round::Kind::Cylinder | round::Kind::Cone => {
            let (radius, height) = (round.radius(), 2.0 * round.half_length());
            let upright: Box<dyn Solid> = match round.kind() {
                round::Kind::Cone => Box::new(solid::Cone::new(radius, height)?),
                _ => Box::new(solid::Cylinder::new(radius, height)?),
            };
            let turn = DQuat::from_rotation_arc(DVec3::Y, (to - from).normalize_or_zero());
            let pose = Pose::from_valid(0.5 * from + 0.5 * to, turn);
            Arc::new(solid::Transformed::new(upright, pose, 1.0)?)
        }
        round::Kind::Ellipsoid => {
            let (half_axes, [x, y, z]) = round.half_axes().expect("an ellipsoid has them");
            let upright = solid::Ellipsoid::new(half_axes)?;
            let pose = Pose::from_valid(from, DQuat::from_mat3(&DMat3::from_cols(x, y, z)));
            Arc::new(solid::Transformed::new(Box::new(upright), pose, 1.0)?)
        }
    })
}
