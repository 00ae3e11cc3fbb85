//! The bodies of a scene as the path method takes them: each as samples and as a solid.

use std::path::Path;
use std::sync::Arc;

use chasles::Polyhedron;
use chasles::path::{Body, Samples, SamplesError};
use chasles::solid::{MeshSolid, Solid};

use crate::engine::EngineError;
use crate::results::Cover;
use crate::scene::{self, Form, Query, Scene};

/// What the path method asks, made once for a scene.
#[derive(Clone, Debug)]
pub struct Probes {
    bodies: Vec<Option<Probe>>,
}

#[derive(Clone, Debug)]
struct Probe {
    solid: Arc<dyn Solid>,
    /// Absent where the body has no end, or its surface is not found.
    samples: Option<Samples>,
}

impl Probes {
    /// Samples every body of a scene.
    ///
    /// *Accepts* any scene, and the file it was read from, for messages. *Guarantees* that no point
    /// of a mesh is farther than the cover from a sample, and that all samples of meshes are
    /// counted before the first is made; solids state their own cover. *Cost* `n log n` in samples
    /// and faces, and up to millions of questions to a solid. *Fails* on a cover that needs more
    /// than [`Samples::MAX`] for all bodies, and on polygons with thousands of corners. A solid
    /// that cannot be sampled has no samples, unless that is for a cover that was asked for.
    pub fn new(scene: &Scene, file: &Path, cover: Cover) -> Result<Self, EngineError> {
        let counts = scene.bodies().iter().map(|body| count(body, cover));
        let many = |count| match count > Samples::MAX {
            true => Err(EngineError::ManySamples { scene: file.to_path_buf(), count }),
            false => Ok(()),
        };
        let mut count = counts.sum::<Result<usize, EngineError>>()?;
        many(count)?;
        let mut bodies = Vec::with_capacity(scene.bodies().len());
        for body in scene.bodies() {
            let probe = Probe::new(body, cover)?;
            let of_solid =
                probe.iter().filter_map(|p| p.samples.as_ref()).filter(|s| s.mesh().is_none());
            count += of_solid.map(Samples::len).sum::<usize>();
            many(count)?;
            bodies.push(probe);
        }
        Ok(Self { bodies })
    }

    /// What is asked of a pair of [`Scene::pairs`].
    pub fn query<'p>(&'p self, scene: &'p Scene, pair: [usize; 2]) -> Query<'p> {
        let [a, b] = pair.map(|body| self.bodies[body].as_ref().map(Probe::body));
        match (a, b, scene.path_motion(pair)) {
            (Some(a), Some(b), Some(step)) => Query::Path { bodies: [a, b], step: Box::new(step) },
            // One deforms, which the engine refuses.
            _ => Query::Deforms,
        }
    }
}

/// How many samples a mesh would have; 0 of others.
fn count(body: &scene::Body, cover: Cover) -> Result<usize, EngineError> {
    let Form::Rigid(rigid) = &body.form else { return Ok(0) };
    let mesh = rigid.collider.mesh();
    Samples::count(mesh, length(mesh, cover))
        .map_err(|error| EngineError::Samples { body: body.name.clone(), error })
}

/// The cover of a mesh.
fn length(mesh: &Polyhedron, cover: Cover) -> f64 {
    match cover {
        Cover::Usual => Samples::usual_cover(mesh),
        Cover::Length(cover) => cover,
    }
}

/// The samples of a solid. One that cannot be sampled, as one without end, is only what others are
/// held against, unless its cover was asked for and takes too much.
fn of_solid(solid: &dyn Solid, cover: Cover) -> Result<Option<Samples>, SamplesError> {
    let samples = match cover {
        Cover::Usual => Samples::usual_of_solid(solid),
        Cover::Length(cover) if cover.is_finite() => Samples::of_solid(solid, cover),
        // Vertices alone, and a solid has none.
        Cover::Length(_) => return Ok(None),
    };
    match (samples, cover) {
        (Err(error @ SamplesError::Rough { .. }), Cover::Length(_)) => Err(error),
        (samples, _) => Ok(samples.ok()),
    }
}

impl Probe {
    /// None of a body that deforms.
    fn new(body: &scene::Body, cover: Cover) -> Result<Option<Self>, EngineError> {
        let name = || body.name.clone();
        let samples = |error| EngineError::Samples { body: name(), error };
        match &body.form {
            Form::Deforming(_) => Ok(None),
            Form::Solid(body) => {
                let solid = Arc::clone(&body.solid);
                let samples = of_solid(&*solid, cover).map_err(samples)?;
                Ok(Some(Self { solid, samples }))
            }
            Form::Rigid(rigid) => {
                let mesh = rigid.collider.mesh();
                let solid = MeshSolid::new(mesh)
                    .map_err(|error| EngineError::MeshSolid { body: name(), error })?;
                let samples = Samples::new(mesh.clone(), length(mesh, cover)).map_err(samples)?;
                Ok(Some(Self { solid: Arc::new(solid), samples: Some(samples) }))
            }
        }
    }

    fn body(&self) -> Body<'_> {
        Body { solid: Some(&*self.solid), samples: self.samples.as_ref() }
    }
}
