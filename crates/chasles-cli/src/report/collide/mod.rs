//! The page of `collide`: bodies carried along their screws, and the contacts of every pair.

mod pairs;
mod subject;

use std::path::Path;

use chasles::Pose;

use super::contacts::{columns, value, words};
use super::data::{BodyData, Document, Key, Span, StillData, ViewData};
use super::encode::{doubles, singles};
use super::limits;
use super::mesh::Surface;
use super::stills::fitting;
use super::surfaces::Surfaces;
use super::{Parts, page};
use crate::args::At;
use crate::results::{PairResult, Results};
use crate::still::{self, Canvas, Moment, Sight};
use crate::table::{departures, summary};
use crate::words::sentence;
use chasles_picture::{View, palette};
use chasles_scene::{Body, Form, Scene, meshes};
use pairs::Pairs;
use subject::{Reel, Report, is_floor};

/// Frames for each part of the step, and at most. Between two the page follows the screw, so that
/// few are enough.
const FRAMES: u32 = 16;
const MOST_FRAMES: u32 = 640;

/// Frames for each part without which bodies go other ways: between two of them they turn by less
/// than half.
const FEWEST: u32 = 2;

/// How long a step plays, in seconds.
const SECONDS: f64 = 6.0;

/// The page of a scene and its contacts.
///
/// *Accepts* any scene whose solids are [sketched](Scene::sketch), and its results with all
/// contacts. *Guarantees* one whole file that needs no other, of some 1.5 MB at most but for names
/// and very many bodies, the same bytes for the same input, and a note on the page for everything
/// that it leaves out. *Cost* of three pictures, and of all features and contacts. *Fails* never.
pub fn collide(scene: &Scene, results: &Results) -> String {
    page(&parts(scene, results))
}

/// What that page says, for pages that say more. *Accepts*, *Guarantees*, *Cost* and *Fails* as
/// [`collide`].
pub fn parts(scene: &Scene, results: &Results) -> Parts {
    let report = Report::new(scene, results);
    let touching = results.pairs.iter().filter(|pair| pair.total > 0).count();
    Parts::of(&report.document(), &summary(scene, results, touching))
}

impl<'r> Report<'r> {
    fn document(&self) -> Document<'r> {
        let mut surfaces = Surfaces::default();
        let bodies = self.scene.bodies().iter();
        let meshes: Vec<usize> =
            bodies.clone().map(|body| surfaces.add(surface(body), &body.name)).collect();
        let pairs = Pairs::of(self);
        let reel = self.reel(surfaces.bytes(), pairs.count());
        let (meshes_data, mut notes) = surfaces.finish(&self.frame);
        notes.extend(reel.note.clone());
        let open = self.results.open.iter().map(|(name, opening)| meshes::open(name, opening));
        notes.extend(self.scene.warnings().into_iter().chain(open).map(|said| sentence(&said)));
        notes.extend(departures(self.scene, self.results));
        let shown = pairs.draw(self, &reel, &mut notes);
        let (stills, note) = self.stills();
        notes.extend(note);
        let bodies = bodies.zip(meshes).enumerate();
        let contacts = self.results.pairs.iter().flat_map(|pair| &pair.contacts);
        let overlaps = self.results.pairs.iter().any(PairResult::starts_in_overlap);
        Document {
            command: "collide",
            title: self.scene.title(),
            notes,
            time: Span {
                label: "time",
                unit: "",
                digits: 4,
                first: 0.0,
                last: 1.0,
                start: if self.is_begun { self.moment.time } else { shown.first },
                seconds: SECONDS,
                pace: String::new(),
                now: 0.01,
                momentary: false,
            },
            frame: self.frame.data(),
            view: self.view(),
            frames: doubles(reel.times.iter().copied()),
            meshes: meshes_data,
            bodies: bodies.map(|(i, (body, mesh))| self.body((i, body), mesh, &reel)).collect(),
            legend: self.legend(),
            joints: Vec::new(),
            groups: shown.groups,
            group: shown.group,
            chosen: shown.chosen,
            columns: columns(contacts.clone()),
            kind_key: Some("kind"),
            value: Some(value(contacts)),
            plots: Vec::new(),
            stills,
            words: words(self.results.pairs.is_empty(), overlaps),
        }
    }

    /// As many frames as there is room for beside meshes of so many bytes and the screens of so
    /// many pairs.
    fn reel(&self, meshes: usize, pairs: usize) -> Reel {
        let parts = self.scene.parts();
        let tracks = self.scene.bodies().len() + pairs;
        let room = limits::frames(meshes, limits::POSE * tracks) - 1;
        let usual = FRAMES.saturating_mul(parts).clamp(2 * FRAMES, MOST_FRAMES);
        let pieces = usual.min(u32::try_from(room).unwrap_or(u32::MAX));
        let times = (0..=pieces).map(|i| f64::from(i) / f64::from(pieces)).collect();
        let is_rough = pieces < FEWEST.saturating_mul(parts);
        let note = is_rough.then(|| {
            format!("This page has {pieces} frames for the {parts} parts of the step: between frames bodies may go other ways than they do.")
        });
        Reel { times, note }
    }

    fn body(&self, (index, body): (usize, &Body), mesh: usize, reel: &Reel) -> BodyData {
        let poses = body.motion().map(|motion| self.poses(reel, |t| motion.pose_at(t)));
        let is_still = poses.as_ref().is_none_or(|poses| poses.iter().all(|p| *p == poses[0]));
        let fixed = poses.as_ref().map_or_else(|| self.frame.pose(&Pose::IDENTITY), |all| all[0]);
        BodyData {
            name: body.name.clone(),
            colour: palette(index).to_hex(),
            mesh,
            track: poses.filter(|_| !is_still).map(|poses| singles(poses.into_iter().flatten())),
            pose: is_still.then_some(fixed),
            framed: !is_floor(self.scene, body),
            edges: !matches!(body.form, Form::Solid(_)),
            ghosts: vec![0],
            paths: true,
            legend: index,
            ..BodyData::plain()
        }
    }

    fn legend(&self) -> Vec<Key> {
        let bodies = self.scene.bodies().iter().enumerate();
        let key = |(i, body): (usize, &Body)| Key {
            name: body.name.clone(),
            colour: palette(i).to_hex(),
        };
        bodies.map(key).collect()
    }

    /// The start, the moment that tells most, and the end.
    fn stills(&self) -> (Vec<StillData>, Option<String>) {
        let Moment { time, reason, .. } = self.moment;
        let mut moments =
            vec![(0.0, ", the start"), (time, reason), (1.0, ", the end of the step")];
        moments.dedup_by(|later, earlier| later.0 == earlier.0);
        let picture = |&(time, words): &(f64, &str)| {
            let at = [At::Time(time)];
            let canvas = (&Canvas::small(), Path::new("still.png"));
            let png = still::draw_on(self.scene, self.results, &at, canvas);
            (format!("Time {time:.4}{words}"), png)
        };
        let telling = moments.iter().position(|moment| moment.0 == time).unwrap_or(0);
        fitting(moments.iter().map(picture), telling)
    }

    /// From where a picture would show the first proper contact.
    fn view(&self) -> ViewData {
        let sight = self.moment.pair.and_then(|pair| {
            let pair = &self.results.pairs[pair];
            let contact = pair.contacts.iter().find(|contact| contact.time >= self.moment.time)?;
            let body = &self.scene.bodies()[pair.bodies[0]];
            let pose = body.motion().map_or(Pose::IDENTITY, |motion| motion.pose_at(contact.time));
            let [low, high] = body.mesh().bounds();
            let place = contact.point - pose.point(low * 0.5 + high * 0.5);
            let size = (high - low).length().max(f64::MIN_POSITIVE);
            Some(Sight { place: place / size, normal: contact.normal })
        });
        let View { towards_eye, up, .. } = still::view(sight);
        ViewData { eye: towards_eye.to_array(), up: up.to_array() }
    }
}

fn surface(body: &Body) -> Surface {
    match (&body.form, body.deforming()) {
        (_, Some(deforming)) => Surface::deforming(body.mesh(), deforming.frames.ends().to_vec()),
        (Form::Solid(_), None) => Surface::sketch(body.mesh()),
        (_, None) => Surface::rigid(body.mesh()),
    }
}
