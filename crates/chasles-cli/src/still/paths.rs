//! Where all bodies are during the step, and the paths of some of their vertices.

use std::borrow::Cow;

use chasles::glam::DVec3;
use chasles::{Motion, Polyhedron, Pose};
use chasles_picture::Still;
use chasles_scene::{Body, Deforming, Form, Scene};

use super::choice::{self, Moment, PROPER_ENOUGH, far_apart};
use super::features;
use super::placed::{Placed, diameter};
use crate::results::{Features, Found, Results};

/// Paths drawn for each body: enough to see the flow, few enough to see the body.
pub(super) const PATHS: usize = 5;

/// Straight pieces of a path in each part of the step; a quarter-turn of 24 looks round.
pub(super) const PIECES: u32 = 24;

/// The most pieces of a path, however often a body turns.
pub(super) const MOST_PIECES: u32 = 1200;

/// Features are drawn as touching so near to the time at which they do, as a part of the step.
pub(super) const NOW: f64 = 1e-9;

/// Where bodies are during the step.
pub(super) struct Paths<'r> {
    pub(super) scene: &'r Scene,
    pub(super) results: &'r Results,
    pub(super) moment: Moment,
}

impl<'r> Paths<'r> {
    /// All bodies at one time.
    pub(super) fn placed(&self, time: f64) -> Vec<Placed<'r>> {
        let whole = |index: usize, mesh: &'r Polyhedron, motion: &Motion| {
            let pose = self.pose(index, motion, time);
            let has_moved = pose != motion.start();
            Placed { time, mesh: Cow::Borrowed(mesh), pose, has_moved }
        };
        let body = |(index, body): (usize, &'r Body)| match &body.form {
            Form::Rigid(rigid) => whole(index, rigid.collider.mesh(), &rigid.motion),
            Form::Solid(solid) => whole(index, solid.look(), &solid.motion),
            Form::Deforming(deforming) => {
                let [start, end] = deforming.frames.ends();
                let has_moved = time > 0.0 && start != end;
                Placed { time, mesh: deforming.mesh_at(time), pose: Pose::IDENTITY, has_moved }
            }
        };
        self.scene.bodies().iter().enumerate().map(body).collect()
    }

    /// The pose of a rigid body at time `t`: that of B by the relative screw in the pair of the
    /// moment, that of every other body by its own motion.
    pub(super) fn pose(&self, body: usize, motion: &Motion, t: f64) -> Pose {
        let pair = self.moment.pair.map(|pair| &self.results.pairs[pair]);
        let step = pair.filter(|pair| pair.bodies[1] == body).and_then(|pair| pair.step.as_ref());
        step.map_or_else(|| motion.pose_at(t), |step| step.pose_of_b_by_relative(t))
    }

    /// Where a contact is on its body A, which is placed at some time, and its normal there.
    pub(super) fn mark(&self, a: usize, placed: &Placed, contact: &Found) -> [DVec3; 2] {
        match &self.scene.bodies()[a].form {
            Form::Rigid(_) | Form::Solid(_) => {
                [placed.pose.point(contact.point_in_a), placed.pose.vector(contact.normal_in_a)]
            }
            Form::Deforming(body) => [carried(body, contact, placed.time), contact.normal],
        }
    }

    /// Marks contacts on bodies that are placed: the first large, with its features if it is now,
    /// and others small; all alike if there is no first.
    pub(super) fn add_markers(
        &self,
        still: &mut Still,
        placed: &[Placed],
        contacts: &[(usize, &Found)],
    ) {
        let first = choice::first(self.results);
        let is_first = |contact: &Found| first.is_some_and(|(_, it)| std::ptr::eq(it, contact));
        for &(a, contact) in contacts {
            let [point, normal] = self.mark(a, &placed[a], contact);
            let has_arrow = contact.properness >= PROPER_ENOUGH;
            let arrow = if has_arrow { normal } else { DVec3::ZERO };
            match first {
                Some(_) if is_first(contact) => {
                    still.first_marker(point, arrow, contact.properness)
                }
                Some(_) => still.later_marker(point, contact.properness),
                None => still.marker(point, arrow, contact.properness),
            };
        }
        let now = first.filter(|(_, contact)| {
            contacts.iter().any(|(_, other)| std::ptr::eq(*other, *contact))
        });
        if let Some((pair, contact)) = now {
            let both = self.results.pairs[pair].bodies.map(|body| &placed[body]);
            if (both[0].time - contact.time).abs() < NOW {
                features::outlines(contact, both).iter().for_each(|line| {
                    still.outline(line);
                });
            }
        }
    }

    /// The paths of a few vertices of a body; none if it stands still.
    pub(super) fn of(&self, body: usize) -> Vec<Vec<DVec3>> {
        let size = diameter(self.scene.bodies()[body].mesh());
        let is_seen = |path: &Vec<DVec3>| {
            let reach = path.iter().map(|p| p.distance(path[0])).fold(0.0, f64::max);
            reach > 1e-6 * size
        };
        let paths = match self.scene.bodies()[body].deforming() {
            None => self.of_rigid(body),
            Some(deforming) => {
                let [start, end] = deforming.frames.ends();
                let chosen = far_apart(start, PATHS).into_iter();
                chosen.map(|vertex| vec![start[vertex], end[vertex]]).collect()
            }
        };
        paths.into_iter().filter(is_seen).collect()
    }

    pub(super) fn of_rigid(&self, body: usize) -> Vec<Vec<DVec3>> {
        let Some(motion) = self.scene.bodies()[body].motion() else { return Vec::new() };
        let pieces = (PIECES * self.scene.parts()).clamp(2 * PIECES, MOST_PIECES);
        let times = (0..=pieces).map(|i| f64::from(i) / f64::from(pieces));
        let poses: Vec<Pose> = times.map(|t| self.pose(body, motion, t)).collect();
        let corners = self.scene.bodies()[body].mesh().positions();
        let path = |corner: usize| poses.iter().map(|pose| pose.point(corners[corner])).collect();
        far_apart(corners, PATHS).into_iter().map(path).collect()
    }
}

/// Where a contact is at time `t` on a body A that deforms: it moves with the corners of its
/// feature, the more with one the nearer it is. On an edge this is exact, and on a face it stays
/// near.
fn carried(body: &Deforming, contact: &Found, t: f64) -> DVec3 {
    let Features::Meshes(features) = &contact.features else { return contact.point };
    let corners = match features {
        chasles::Features::Fv { face, .. } => body.face(*face),
        chasles::Features::Vf { vertex, .. } => std::slice::from_ref(vertex),
        chasles::Features::Ee { a, .. } => a,
    };
    let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
    for &corner in corners {
        let from = body.frames.position(corner, contact.time);
        let shift = body.frames.position(corner, t) - from;
        let distance = from.distance(contact.point);
        if distance == 0.0 {
            return contact.point + shift;
        }
        sum += shift / distance;
        weights += 1.0 / distance;
    }
    contact.point + sum / weights
}
