//! The bodies of a scene as the path method takes them: meshes as samples and as solids.

use std::path::Path;
use std::sync::Arc;

use chasles::path::{Body, Samples};
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
    /// Absent where the body is no mesh.
    samples: Option<Samples>,
}

impl Probes {
    /// Samples every mesh of a scene.
    ///
    /// *Accepts* any scene, and the file it was read from, for messages. *Guarantees* that no point of
    /// a mesh is farther than the cover from a sample, and that all samples are counted before the
    /// first is made. *Cost* `n log n` in samples and faces. *Fails* on a cover that needs more than
    /// [`Samples::MAX`] for all bodies, and on polygons with thousands of corners.
    pub fn new(scene: &Scene, file: &Path, cover: Cover) -> Result<Self, EngineError> {
        let counts = scene.bodies().iter().map(|body| count(body, cover));
        let count = counts.sum::<Result<usize, EngineError>>()?;
        if count > Samples::MAX {
            return Err(EngineError::ManySamples { scene: file.to_path_buf(), count });
        }
        let probe = |body| Probe::new(body, cover);
        Ok(Self { bodies: scene.bodies().iter().map(probe).collect::<Result<_, _>>()? })
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

/// How many samples a body would have.
fn count(body: &scene::Body, cover: Cover) -> Result<usize, EngineError> {
    let Form::Rigid(rigid) = &body.form else { return Ok(0) };
    Samples::count(rigid.collider.mesh(), cover.0)
        .map_err(|error| EngineError::Samples { body: body.name.clone(), error })
}

impl Probe {
    /// None of a body that deforms.
    fn new(body: &scene::Body, cover: Cover) -> Result<Option<Self>, EngineError> {
        let name = || body.name.clone();
        match &body.form {
            Form::Deforming(_) => Ok(None),
            Form::Solid(body) => Ok(Some(Self { solid: Arc::clone(&body.solid), samples: None })),
            Form::Rigid(rigid) => {
                let mesh = rigid.collider.mesh();
                let solid = MeshSolid::new(mesh)
                    .map_err(|error| EngineError::MeshSolid { body: name(), error })?;
                let samples = Samples::new(mesh.clone(), cover.0)
                    .map_err(|error| EngineError::Samples { body: name(), error })?;
                Ok(Some(Self { solid: Arc::new(solid), samples: Some(samples) }))
            }
        }
    }

    fn body(&self) -> Body<'_> {
        Body { solid: Some(&*self.solid), samples: self.samples.as_ref() }
    }
}
