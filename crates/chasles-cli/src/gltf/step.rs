//! The film of a step: a second in which bodies move along their screws.

use chasles::glam::DVec3;
use chasles::{Motion, Pose};
use chasles_picture::palette;
use chasles_scene::{Body, Deforming, Scene};
use miette::Diagnostic;
use thiserror::Error;

use super::{Film, Node, Part, Stage};

/// Keys in each part of the step: in a quarter-turn of 24 a point leaves its arc by a 2000th of the
/// radius.
const KEYS: u32 = 24;

/// The most keys, however often a body turns.
const MOST_KEYS: u32 = 4800;

/// A film whose lengths do not fit the format.
#[derive(Debug, Error, Diagnostic)]
#[error("a film of {0} bytes does not fit into a GLB file, which takes 4 GB")]
#[diagnostic(help("leave out bodies, or give them coarser meshes"))]
pub(crate) struct FilmTooLong(usize);

/// The bodies and how they move.
///
/// *Fails* if the film does not fit into its format, and on bodies that are too far away.
pub(crate) fn made(scene: &Scene) -> miette::Result<(Stage<'_>, Film)> {
    let (stage, keys) = (stage(scene), keys(scene));
    let bytes = stage.size_bound(keys as usize + 1, moving(scene).count());
    if u32::try_from(bytes).is_err() {
        return Err(FilmTooLong(bytes).into());
    }
    let mut film = Film::new(moving(scene), keys as usize + 1);
    for key in 0..=keys {
        let time = f64::from(key) / f64::from(keys);
        let pose = |body: usize| scene.bodies()[body].motion().map(|motion| motion.pose_at(time));
        film.add(time, |body| pose(body).unwrap_or(Pose::IDENTITY));
    }
    stage.check(&film)?;
    Ok((stage, film))
}

fn keys(scene: &Scene) -> u32 {
    KEYS.saturating_mul(scene.parts()).clamp(2 * KEYS, MOST_KEYS)
}

/// The numbers of the bodies that move as a whole.
fn moving(scene: &Scene) -> impl Iterator<Item = usize> + '_ {
    let moves =
        move |(_, body): &(usize, &Body)| body.motion().is_some_and(|motion| !motion.is_still());
    scene.bodies().iter().enumerate().filter(moves).map(|(number, _)| number)
}

fn stage(scene: &Scene) -> Stage<'_> {
    let mut stage = Stage { title: scene.title(), parts: Vec::new(), nodes: Vec::new() };
    for (number, body) in scene.bodies().iter().enumerate() {
        let (name, mesh) = (body.name.as_str(), body.mesh());
        let shifts = body.deforming().map(shifts);
        stage.parts.push(Part { name, colour: palette(number), mesh, shifts });
        let pose = body.motion().map_or(Pose::IDENTITY, Motion::start);
        stage.nodes.push(Node { name, pose, part: number });
    }
    stage
}

/// How far each vertex of the mesh goes.
fn shifts(body: &Deforming) -> Vec<DVec3> {
    let mesh = body.mesh_at(0.0);
    let numbers = (0..mesh.vertex_count() as u32).map(|vertex| mesh.vertex_label(vertex));
    numbers.map(|v| body.frames.position(v, 1.0) - body.frames.position(v, 0.0)).collect()
}
