//! The bodies of a scene as the path method takes them: each as samples and as a solid.

use std::path::Path;
use std::sync::Arc;

use chasles::Polyhedron;
use chasles::path::Samples;
use chasles::query::Geometry;
use chasles_scene::{Body, Form, Query, Scene};

use crate::engine::EngineError;
use crate::results::Cover;

/// What the path method asks, made once for a scene.
#[derive(Clone, Debug)]
pub struct Probes {
    /// Each body with its samples, and how many these are; none if it deforms.
    bodies: Vec<Option<(Geometry, usize)>>,
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
            let probe = probe(body, cover)?;
            // Those of meshes have been counted.
            let is_solid = matches!(body.form, Form::Solid(_));
            count += probe.as_ref().filter(|_| is_solid).map_or(0, |(_, samples)| *samples);
            many(count)?;
            bodies.push(probe);
        }
        Ok(Self { bodies })
    }

    /// What is asked of a pair of [`Scene::pairs`].
    pub fn query<'p>(&'p self, scene: &'p Scene, pair: [usize; 2]) -> Query<'p> {
        let [a, b] = pair.map(|body| self.bodies[body].as_ref());
        match (a, b, scene.path_motion(pair)) {
            (Some((a, of_a)), Some((b, of_b)), Some(step)) => Query::Bodies {
                bodies: [a, b],
                step: Box::new(step),
                samples: Some([*of_a, *of_b]),
            },
            // One deforms, which the engine refuses.
            _ => Query::Deforms,
        }
    }
}

/// How many samples a mesh would have; 0 of others.
fn count(body: &Body, cover: Cover) -> Result<usize, EngineError> {
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

/// A body with its samples, made now; none of a body that deforms.
fn probe(body: &Body, cover: Cover) -> Result<Option<(Geometry, usize)>, EngineError> {
    let geometry = match &body.form {
        // Round ones are sampled as solids too.
        Form::Solid(body) => Geometry::from(Arc::clone(&body.solid)),
        _ => match body.geometry() {
            Some(geometry) => geometry,
            None => return Ok(None),
        },
    };
    let geometry = match cover {
        Cover::Usual => geometry,
        Cover::Length(cover) => geometry.with_cover(cover),
    };
    let count = geometry.sample_count().map_err(|error| EngineError::of_body(error, &body.name))?;
    Ok(Some((geometry, count)))
}
