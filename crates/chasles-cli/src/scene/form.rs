//! From the keys of a body to what it is: meshes are read, looks and motion put together.

use std::path::{Path, PathBuf};

use chasles::deform::{PositionError, SurfaceError};
use toml::Spanned;

use super::body::{Deforming, Form, Frames, Rigid};
use super::error::{Fault, Problem};
use super::file::{BodyEntry, FramesEntry};
use super::motion::{Course, Motion};
use crate::bodies::{self, Made};

/// A body as the file has it.
#[derive(Clone, Copy)]
pub(super) struct Source<'e> {
    pub(super) name: &'e str,
    pub(super) entry: &'e Spanned<BodyEntry>,
    /// Where mesh files are sought.
    pub(super) folder: &'e Path,
}

impl Source<'_> {
    /// What the body is. A rigid one gets frames too if it is `beside_frames`.
    pub(super) fn form(&self, course: &Course, beside_frames: bool) -> Result<Form, Fault> {
        match course {
            Course::Rigid(motion) => {
                let rigid = self.rigid(*motion, beside_frames)?;
                Ok(Form::Rigid(Box::new(rigid)))
            }
            Course::Frames(frames) => Ok(Form::Deforming(Box::new(self.deforming(frames)?))),
        }
    }

    /// The mesh files that the body names.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let BodyEntry { mesh, frames, .. } = self.entry.get_ref();
        let frames = frames.iter().flat_map(|frames| &frames.get_ref().0);
        mesh.iter().chain(frames).map(|file| self.folder.join(file.get_ref())).collect()
    }

    fn rigid(&self, motion: Motion, beside_frames: bool) -> Result<Rigid, Fault> {
        if let Some(itself) = self.meets_itself() {
            return Err(Fault::new(Problem::RigidItself(self.name.to_string()), itself.span()));
        }
        let Made { polygons, mesh } = self.mesh()?;
        let frames = beside_frames.then(|| Frames::of_rigid(&polygons, &motion)).transpose();
        let frames = frames.map_err(|source| {
            let problem = Problem::BesideFrames { body: self.name.to_string(), source };
            Fault::new(problem, self.entry.span())
        })?;
        Ok(Rigid::new(mesh, motion, frames))
    }

    pub(super) fn mesh(&self) -> Result<Made, Fault> {
        let BodyEntry { mesh, shape, .. } = self.entry.get_ref();
        match (mesh, shape) {
            (Some(mesh), None) => self.load(mesh),
            (None, Some(shape)) => bodies::from_shape(shape.get_ref(), self.scale()?)
                .map_err(|problem| Fault::new(problem, shape.span())),
            (Some(_), Some(shape)) => Err(self.two_looks(["mesh", "shape"], shape)),
            (None, None) => {
                Err(Fault::new(Problem::NoLooks(self.name.to_string()), self.entry.span()))
            }
        }
    }

    fn deforming(&self, frames: &Spanned<FramesEntry>) -> Result<Deforming, Fault> {
        let BodyEntry { mesh, shape, .. } = self.entry.get_ref();
        if mesh.is_some() {
            return Err(self.two_looks(["mesh", "frames"], frames));
        }
        if shape.is_some() {
            return Err(self.two_looks(["shape", "frames"], frames));
        }
        let FramesEntry(entries) = frames.get_ref();
        let ends = [self.load(&entries[0])?, self.load(&entries[1])?];
        Deforming::new(ends, self.meets_itself().is_some()).map_err(|source| {
            // Where the two differ, the second is called wrong.
            let entry = match source {
                SurfaceError::Mesh(_)
                | SurfaceError::Position(PositionError { at_end: false, .. }) => &entries[0],
                _ => &entries[1],
            };
            let path = self.folder.join(entry.get_ref());
            Fault::new(Problem::Frames { path, source }, entry.span())
        })
    }

    fn load(&self, file: &Spanned<PathBuf>) -> Result<Made, Fault> {
        bodies::from_file(&self.folder.join(file.get_ref()), self.scale()?)
            .map_err(|problem| Fault::new(problem, file.span()))
    }

    fn scale(&self) -> Result<f64, Fault> {
        self.entry.get_ref().scale.as_ref().map_or(Ok(1.0), |scale| {
            bodies::scale(*scale.get_ref()).map_err(|problem| Fault::new(problem, scale.span()))
        })
    }

    /// Where the body is asked to meet itself.
    pub(super) fn meets_itself(&self) -> Option<&Spanned<bool>> {
        self.entry.get_ref().self_collision.as_ref().filter(|itself| *itself.get_ref())
    }

    fn two_looks<T>(&self, keys: [&'static str; 2], second: &Spanned<T>) -> Fault {
        Fault::new(Problem::TwoLooks { body: self.name.to_string(), keys }, second.span())
    }
}
