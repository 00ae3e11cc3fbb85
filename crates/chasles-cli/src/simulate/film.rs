//! The poses of a simulation, kept step by step for its film.

use chasles::Pose;
use chasles_dynamics::world::Kind;
use chasles_dynamics::{Body, World};

use crate::scene::SimulateScene;

/// Where all bodies that move are, at all times. Singles, since files of films have no others.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// In seconds.
    pub times: Vec<f32>,
    /// One for each body that moves, in the order of the world.
    pub tracks: Vec<Track>,
}

/// Where one body is, at all times.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The number of the body.
    pub body: usize,
    /// Of its origin.
    pub positions: Vec<[f32; 3]>,
    /// Quaternions `[x, y, z, w]`, each in the half-space of the one before.
    pub rotations: Vec<[f32; 4]>,
}

impl Film {
    /// A film of a scene, with its beginning.
    pub(super) fn new(scene: &SimulateScene) -> Self {
        let frames = scene.steps() as usize + 1;
        let track = |body| Track {
            body,
            positions: Vec::with_capacity(frames),
            rotations: Vec::with_capacity(frames),
        };
        let mut film =
            Self { times: Vec::with_capacity(frames), tracks: moving(scene).map(track).collect() };
        film.add(scene.world());
        film
    }

    /// One more frame.
    pub(super) fn add(&mut self, world: &World) {
        self.times.push(world.time() as f32);
        for track in &mut self.tracks {
            track.add(&world.bodies()[track.body].pose());
        }
    }
}

impl Track {
    fn add(&mut self, pose: &Pose) {
        self.positions.push(pose.position().as_vec3().to_array());
        let turn = pose.rotation().as_quat();
        let before = self.rotations.last().map(|last| chasles::glam::Quat::from_array(*last));
        let turn = if before.is_some_and(|before| before.dot(turn) < 0.0) { -turn } else { turn };
        self.rotations.push(turn.to_array());
    }
}

/// The numbers of the bodies of a scene that may move.
pub(crate) fn moving(scene: &SimulateScene) -> impl Iterator<Item = usize> + '_ {
    let bodies = scene.world().bodies().iter().take(scene.names().len()).enumerate();
    let moves = |(_, body): &(usize, &Body)| !matches!(body.kind(), Kind::Static);
    bodies.filter(moves).map(|(number, _)| number)
}
