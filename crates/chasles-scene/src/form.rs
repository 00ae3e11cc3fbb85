//! From the keys of a body to what it is: meshes are read, looks and motion put together.

use std::path::PathBuf;

use chasles::Motion;
use chasles::deform::{PositionError, SurfaceError};
use chasles::round::Round;
use chasles::solid::Solid;
use toml::Spanned;

use crate::body::{Deforming, Form, Frames, Rigid};
use crate::error::{Fault, Problem};
use crate::file::{CollideKeys, CommonKeys, FramesEntry};
use crate::files::Files;
use crate::given::span;
use crate::keys::BodyEntry;
use crate::meshes::{self, Made};
use crate::motion::Course;
use crate::solid::{self, Builder, SolidBody, SolidProblem};

/// A body as the file has it.
pub(crate) struct Source<'e, K> {
    pub(crate) name: &'e str,
    pub(crate) entry: &'e Spanned<BodyEntry<K>>,
    /// The files that it names.
    pub(crate) files: &'e dyn Files,
}

impl<K> Source<'_, K> {
    pub(crate) fn common(&self) -> &CommonKeys {
        &self.entry.get_ref().common
    }

    pub(crate) fn own(&self) -> &K {
        &self.entry.get_ref().own
    }

    pub(crate) fn mesh(&self) -> Result<Made, Fault> {
        let CommonKeys { mesh, shape, .. } = self.common();
        self.weld()?;
        match (mesh, shape) {
            (Some(mesh), None) => self.load(mesh).map(Made::outward),
            (None, Some(shape)) => meshes::from_shape(shape.get_ref(), self.scale()?)
                .map_err(|problem| Fault::new(problem, shape.span())),
            (Some(_), Some(shape)) => Err(self.two_looks(["mesh", "shape"], shape)),
            (None, None) => Err(self.no_looks()),
        }
    }

    /// The mesh file that the body names, if it does.
    pub(crate) fn mesh_file(&self) -> Option<PathBuf> {
        self.common().mesh.as_ref().map(|file| self.files.path(file.get_ref()))
    }

    fn no_looks(&self) -> Fault {
        Fault::new(Problem::NoLooks(self.name.to_string()), self.entry.span())
    }

    fn load(&self, file: &Spanned<PathBuf>) -> Result<Made, Fault> {
        meshes::from_file(self.files, file.get_ref(), self.scale()?, self.weld()?)
            .map_err(|problem| Fault::new(problem, file.span()))
    }

    pub(crate) fn scale(&self) -> Result<f64, Fault> {
        self.common().scale.as_ref().map_or(Ok(1.0), |scale| {
            meshes::scale(*scale.get_ref()).map_err(|problem| Fault::new(problem, scale.span()))
        })
    }

    /// Within what length vertices are joined, if the file says so. Only meshes of files have it.
    fn weld(&self) -> Result<Option<f64>, Fault> {
        let CommonKeys { mesh, weld, .. } = self.common();
        let Some(length) = weld else { return Ok(None) };
        match (mesh, *length.get_ref()) {
            (Some(_), weld) if weld >= 0.0 => Ok(Some(weld)),
            (Some(_), weld) => Err(Fault::new(Problem::Weld(weld), length.span())),
            (None, _) => {
                Err(Fault::new(Problem::NothingToWeld(self.name.to_string()), length.span()))
            }
        }
    }

    fn refuse_itself(&self) -> Result<(), Fault> {
        self.meets_itself().map_or(Ok(()), |itself| {
            Err(Fault::new(Problem::RigidItself(self.name.to_string()), itself.span()))
        })
    }

    /// Where the body is asked to meet itself.
    pub(crate) fn meets_itself(&self) -> Option<&Spanned<bool>> {
        self.common().self_collision.as_ref().filter(|itself| *itself.get_ref())
    }

    pub(crate) fn two_looks<T>(&self, keys: [&'static str; 2], second: &Spanned<T>) -> Fault {
        Fault::new(Problem::TwoLooks { body: self.name.to_string(), keys }, second.span())
    }
}

impl Source<'_, CollideKeys> {
    /// What the body is. A rigid one gets frames too if it is `beside_frames`.
    pub(crate) fn form(&self, course: &Course, beside_frames: bool) -> Result<Form, Fault> {
        self.check_looks()?;
        self.weld()?;
        match course {
            Course::Rigid(motion) if self.is_solid() => {
                let solid = self.solid()?;
                Ok(Form::Solid(Box::new(SolidBody::new(solid, self.round()?, *motion))))
            }
            Course::Rigid(motion) => {
                let rigid = self.rigid(*motion, beside_frames)?;
                Ok(Form::Rigid(Box::new(rigid)))
            }
            Course::Frames(frames) => Ok(Form::Deforming(Box::new(self.deforming(frames)?))),
        }
    }

    /// The files that the body names, frames and solids included.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let CollideKeys { frames, solid, sdf, .. } = self.own();
        let mesh = &self.common().mesh;
        let frames = frames.iter().flat_map(|frames| &frames.get_ref().0);
        let meshes = mesh.iter().chain(frames).map(|file| file.get_ref().clone());
        let solids = solid.iter().flat_map(|solid| solid.get_ref().files());
        let fields = sdf.iter().map(|sdf| sdf.get_ref().file().clone());
        meshes.chain(solids).chain(fields).map(|file| self.files.path(&file)).collect()
    }

    /// Fails if the body looks two ways, or is rigid and shall meet itself.
    fn check_looks(&self) -> Result<(), Fault> {
        let (common, own) = (self.common(), self.own());
        let looks = [
            ("mesh", span(&common.mesh)),
            ("shape", span(&common.shape)),
            ("frames", span(&own.frames)),
            ("solid", span(&own.solid)),
            ("sdf", span(&own.sdf)),
            ("expression", span(&own.expression)),
        ];
        let mut given = looks.into_iter().filter_map(|(key, span)| Some((key, span?)));
        if let (Some((one, _)), Some((other, span))) = (given.next(), given.next()) {
            let body = self.name.to_string();
            return Err(Fault::new(Problem::TwoLooks { body, keys: [one, other] }, span));
        }
        match (&own.bounds, &own.expression) {
            (Some(bounds), None) => Err(Fault::new(SolidProblem::Bounds, bounds.span())),
            _ => Ok(()),
        }
    }

    /// The round body that the solid is, if it is one.
    fn round(&self) -> Result<Option<Round>, Fault> {
        let scale = self.scale()?;
        Ok(self.own().solid.as_ref().and_then(|solid| solid::round(solid.get_ref(), scale)))
    }

    fn is_solid(&self) -> bool {
        let CollideKeys { solid, sdf, expression, .. } = self.own();
        solid.is_some() || sdf.is_some() || expression.is_some()
    }

    /// The solid of a body that is no mesh, scaled.
    fn solid(&self) -> Result<Box<dyn Solid>, Fault> {
        self.refuse_itself()?;
        let CollideKeys { solid, sdf, expression, bounds, .. } = self.own();
        let builder = Builder::new(self.files);
        let made: Box<dyn Solid> = match (solid, sdf, expression) {
            (Some(solid), _, _) => builder.solid(solid)?,
            (_, Some(sdf), _) => Box::new(builder.field(sdf.get_ref(), &sdf.span())?),
            (_, _, Some(text)) => Box::new(solid::expression(text, bounds.as_ref())?),
            (None, None, None) => return Err(self.no_looks()),
        };
        solid::scaled(made, self.scale()?)
            .map_err(|error| Fault::new(SolidProblem::Solid(error), self.entry.span()))
    }

    fn rigid(&self, motion: Motion, beside_frames: bool) -> Result<Rigid, Fault> {
        self.refuse_itself()?;
        let made = self.mesh()?;
        let frames = beside_frames.then(|| Frames::of_rigid(&made.welded(), &motion)).transpose();
        let frames = frames.map_err(|source| {
            let problem = Problem::BesideFrames { body: self.name.to_string(), source };
            Fault::new(problem, self.entry.span())
        })?;
        Ok(Rigid::new(made.mesh, motion, frames))
    }

    fn deforming(&self, frames: &Spanned<FramesEntry>) -> Result<Deforming, Fault> {
        let FramesEntry(entries) = frames.get_ref();
        let ends = [self.load(&entries[0])?, self.load(&entries[1])?];
        Deforming::new(ends, self.meets_itself().is_some()).map_err(|source| {
            // Where the two differ, the second is called wrong.
            let entry = match source {
                SurfaceError::Mesh(_)
                | SurfaceError::Position(PositionError { at_end: false, .. }) => &entries[0],
                _ => &entries[1],
            };
            let path = self.files.path(entry.get_ref());
            Fault::new(Problem::Frames { path, source }, entry.span())
        })
    }
}
