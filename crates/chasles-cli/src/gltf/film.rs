//! The poses of bodies, kept moment by moment for their film.

use chasles::Pose;
use chasles::glam::Quat;

/// Where all bodies that move are, at all times. Singles, since files of films have no others.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// In seconds.
    pub times: Vec<f32>,
    /// One for each body that moves.
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
    /// A film of these bodies, as yet without frames but with room for so many.
    pub(crate) fn new(moving: impl Iterator<Item = usize>, frames: usize) -> Self {
        let track = |body| Track {
            body,
            positions: Vec::with_capacity(frames),
            rotations: Vec::with_capacity(frames),
        };
        Self { times: Vec::with_capacity(frames), tracks: moving.map(track).collect() }
    }

    /// One more frame.
    pub(crate) fn add(&mut self, time: f64, pose: impl Fn(usize) -> Pose) {
        self.times.push(time as f32);
        for track in &mut self.tracks {
            track.add(&pose(track.body));
        }
    }
}

impl Track {
    fn add(&mut self, pose: &Pose) {
        self.positions.push(pose.position().as_vec3().to_array());
        let turn = pose.rotation().as_quat();
        let before = self.rotations.last().map(|last| Quat::from_array(*last));
        let turn = if before.is_some_and(|before| before.dot(turn) < 0.0) { -turn } else { turn };
        self.rotations.push(turn.to_array());
    }
}
