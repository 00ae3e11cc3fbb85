//! The page of `collide`: bodies carried along their screws, and the contacts of every pair.

use std::collections::BTreeMap;
use std::path::Path;

use chasles::Pose;
use chasles::glam::DVec3;

use super::data::{
    Axis, BodyData, Cells, Column, Document, Events, Group, Key, Layers, Span, Value, ViewData,
    Words,
};
use super::encode::{doubles, image, singles};
use super::mesh::{Surface, Surfaces};
use super::room::{Frame, Room};
use super::screen::{Draughtsman, Screens};
use super::{page, properness_scale};
use crate::picture::{View, palette};
use crate::results::{Found, PairResult, Results};
use crate::scene::{Body, Form, Motion, Scene};
use crate::still::{self, FLOOR, Moment, PROPER_ENOUGH, Sight};
use crate::table::{features, plural, short, summary};

/// Frames for each part of the step, and at most. Between two the page follows the screw, so that few
/// are enough.
const FRAMES: u32 = 16;
const MOST_FRAMES: u32 = 640;

/// Contacts that a page has at most: a table of more is not read, and 20,000 are 3 MB.
const MOST_CONTACTS: usize = 20_000;

/// Pairs that may be chosen at most.
const MOST_PAIRS: usize = 200;

/// With more contacts than this the page begins with those that are proper enough.
const MANY: usize = 40;

/// Screws that are listed for a pair at most.
const MOST_AXES: u32 = 256;

/// How long a step plays, in seconds.
const SECONDS: f64 = 6.0;

/// The page of a scene and its contacts.
///
/// *Accepts* any scene whose solids are [sketched](Scene::sketch), and its results with all contacts.
/// *Guarantees* one whole file that needs no other, the same bytes for the same input, and a note on the page
/// for everything that it leaves out. *Cost* of a picture, and of all features and contacts. *Fails* never.
pub fn collide(scene: &Scene, results: &Results) -> String {
    let report = Report::new(scene, results);
    let touching = results.pairs.iter().filter(|pair| pair.total > 0).count();
    page(&report.document(), &summary(scene, results, touching))
}

struct Report<'r> {
    scene: &'r Scene,
    results: &'r Results,
    frame: Frame,
    times: Vec<f64>,
    moment: Moment,
    /// Whether the moment is that of a proper contact.
    is_proper: bool,
}

impl<'r> Report<'r> {
    fn new(scene: &'r Scene, results: &'r Results) -> Self {
        let pieces = (FRAMES * scene.parts()).clamp(2 * FRAMES, MOST_FRAMES);
        let times = (0..=pieces).map(|i| f64::from(i) / f64::from(pieces)).collect();
        let moment = Moment::of(results, None);
        let contacts = || results.pairs.iter().flat_map(|pair| &pair.contacts);
        let is_proper = contacts().any(still::is_proper);
        Self { scene, results, frame: frame(scene), times, moment, is_proper }
    }

    fn document(&self) -> Document<'r> {
        let mut surfaces = Surfaces::default();
        let bodies = self.scene.bodies().iter().enumerate();
        let bodies = bodies.map(|(index, body)| self.body(index, body, &mut surfaces)).collect();
        let (meshes, mut notes) = surfaces.finish(&self.frame);
        let (groups, group, chosen) = self.groups(&mut notes);
        let first = group.contacts().next().map_or(0.0, |contact| contact.time);
        let start = if self.is_proper { self.moment.time } else { first };
        let keys = self.scene.bodies().iter().enumerate();
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
                start,
                seconds: SECONDS,
                now: 0.01,
                momentary: false,
            },
            frame: self.frame.data(),
            view: self.view(),
            frames: doubles(self.times.iter().copied()),
            meshes,
            bodies,
            legend: keys
                .map(|(i, body)| Key { name: body.name.clone(), colour: palette(i).to_hex() })
                .collect(),
            groups,
            group: group.number,
            chosen,
            columns: self.columns(),
            kind_key: Some("kind"),
            value: Some(self.value()),
            plots: Vec::new(),
            still: image(&still::draw(self.scene, self.results, &[], Path::new("still.png"))),
            words: words(),
        }
    }

    fn body(&self, index: usize, body: &Body, surfaces: &mut Surfaces) -> BodyData {
        let surface = match body.deforming() {
            Some(deforming) => Surface::deforming(body.mesh(), deforming.frames.ends().to_vec()),
            None => Surface::rigid(body.mesh()),
        };
        let poses = body.motion().map(|motion| self.poses(|t| motion.pose_at(t)));
        let is_still = poses.as_ref().is_none_or(|poses| poses.iter().all(|p| *p == poses[0]));
        let fixed = poses.as_ref().map_or_else(|| self.frame.pose(&Pose::IDENTITY), |all| all[0]);
        BodyData {
            name: body.name.clone(),
            colour: palette(index).to_hex(),
            mesh: surfaces.add(surface, &body.name),
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

    fn poses(&self, pose: impl Fn(f64) -> Pose) -> Vec<[f32; 7]> {
        self.times.iter().map(|&time| self.frame.pose(&pose(time))).collect()
    }

    /// The groups of the page, that which is shown first, and the contact that is chosen in it.
    fn groups(&self, notes: &mut Vec<String>) -> (Vec<Group>, Shown<'r>, Option<usize>) {
        let pairs = &self.results.pairs;
        let touching = pairs.iter().enumerate().filter(|(_, pair)| pair.total > 0);
        let mut listed: Vec<usize> = touching.map(|(number, _)| number).collect();
        if listed.is_empty() && !pairs.is_empty() {
            listed.push(0);
        }
        if listed.len() > MOST_PAIRS {
            notes.push(format!(
                "The first {MOST_PAIRS} of {} pairs with contacts may be chosen.",
                listed.len()
            ));
            let first = self.moment.pair.and_then(|pair| listed.iter().position(|&n| n == pair));
            listed.swap(MOST_PAIRS - 1, first.unwrap_or(0).max(MOST_PAIRS - 1));
            listed.truncate(MOST_PAIRS);
        }
        let all: usize = listed.iter().map(|&number| pairs[number].contacts.len()).sum();
        if all > MOST_CONTACTS {
            notes.push(format!("The table has the {MOST_CONTACTS} most proper of {all} contacts, of each pair a share; --json has all."));
        }
        let mut draughtsman = Draughtsman::new(self.scene);
        let mut groups = Vec::new();
        let mut shown = Shown { number: 0, kept: Vec::new() };
        for number in listed {
            let kept = kept(&pairs[number], all);
            groups.push(self.group(&pairs[number], &kept, &mut draughtsman));
            if groups.len() == 1 || self.moment.pair == Some(number) {
                shown = Shown { number: groups.len() - 1, kept };
            }
        }
        if draughtsman.is_full {
            notes.push(
                "Some pairs are without their collision screen; --picture FILE --screen draws it."
                    .to_string(),
            );
        }
        if groups.is_empty() {
            groups.push(alone());
        }
        let is_first = |contact: &&Found| contact.time >= self.moment.time;
        let chosen = shown.contacts().position(|contact| is_first(&contact));
        let chosen = chosen.filter(|_| self.is_proper).or((!shown.kept.is_empty()).then_some(0));
        (groups, shown, chosen)
    }

    fn group(&self, pair: &PairResult, kept: &[&Found], draughtsman: &mut Draughtsman) -> Group {
        let [a, b] = pair.bodies;
        let names = pair.bodies.map(|body| &self.scene.bodies()[body].name);
        let name = if a == b {
            format!("{} and itself: {}", names[0], plural(pair.total, "contact"))
        } else {
            format!("{} and {}: {}", names[0], names[1], plural(pair.total, "contact"))
        };
        let Screens { data, places, note } = draughtsman.screens(pair, kept);
        Group {
            name,
            a: a as i64,
            b: b as i64,
            track: self.relative_track(pair),
            axes: self.axes(pair),
            screens: data,
            screen_note: note,
            events: events(pair, kept, places),
        }
    }

    /// How B goes by the relative screw, where that is not its own way.
    fn relative_track(&self, pair: &PairResult) -> Option<String> {
        let step = pair.step.as_ref()?;
        let own = self.scene.bodies()[pair.bodies[1]].motion()?;
        let relative = self.poses(|t| step.pose_of_b_by_relative(t));
        let is_apart = |(one, other): (&[f32; 7], [f32; 7])| {
            one.iter().zip(other).any(|(x, y)| (x - y).abs() > 1e-5)
        };
        let differs = relative.iter().zip(self.poses(|t| own.pose_at(t))).any(is_apart);
        differs.then(|| singles(relative.into_iter().flatten()))
    }

    fn axes(&self, pair: &PairResult) -> Vec<Axis> {
        let Some(step) = &pair.step else { return Vec::new() };
        let [a, b] = pair.bodies.map(|body| &self.scene.bodies()[body].name);
        let axis = |index: u32| {
            let part = step.part(index);
            let (screw, [from, to]) = (part.relative(), part.times());
            let turns = screw.angle() > 1e-9;
            let words = match turns {
                true => format!(
                    "Seen from {a}, {b} turns by {:.1}° about the axis and goes {} along it",
                    screw.angle().to_degrees(),
                    short(screw.translation()).replace('-', "−")
                ),
                false => {
                    let way = short(screw.linear().length());
                    format!("Seen from {a}, {b} goes {way} straight on")
                }
            };
            Axis {
                from,
                to,
                point: self.frame.local_exact(screw.axis_point()),
                direction: turns.then(|| screw.axis_direction().to_array()),
                words,
            }
        };
        (0..step.parts().min(MOST_AXES)).map(axis).collect()
    }

    fn value(&self) -> Value {
        let contacts = || self.results.pairs.iter().flat_map(|pair| &pair.contacts);
        let is_near = |contact: &&Found| contact.properness >= PROPER_ENOUGH;
        let choose = contacts().count() > MANY && contacts().any(|contact| is_near(&contact));
        Value {
            key: "properness",
            label: "properness",
            unit: "",
            low: -1.0,
            high: 1.0,
            start: if choose { PROPER_ENOUGH } else { -1.0 },
            scale: properness_scale(),
        }
    }

    fn columns(&self) -> Vec<Column> {
        let proper = "how well the surfaces face each other: 1 is best, below 0 the bodies overlap next to it";
        let mut columns = vec![
            Column::text("kind", "2.4em").called(
                "kind",
                "fv: a face of A and a vertex of B; vf: the reverse; ee: two edges; sp, ps: samples",
            ),
            Column::text("a", "minmax(6.6em, 1fr)").called("of A", "the feature of the first body"),
            Column::text("b", "minmax(6.6em, 1fr)").called("of B", "the feature of the second body"),
            Column::number("time", 6, "5em").called("time", "as a fraction of the step"),
            Column::number("properness", 4, "6.3em").fixed().called("properness", proper),
            Column::number("speed", 3, "4.6em").called(
                "speed",
                "the rate of the gap per step: negative where the bodies approach",
            ),
        ];
        if self.results.pairs.iter().flat_map(|pair| &pair.contacts).any(|c| c.grazing) {
            columns.push(Column::text("grazing", "4em").called("", "they touch without crossing"));
        }
        columns
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

/// What the page shows first.
struct Shown<'r> {
    number: usize,
    kept: Vec<&'r Found>,
}

impl<'r> Shown<'r> {
    fn contacts(&self) -> impl Iterator<Item = &'r Found> {
        self.kept.iter().copied()
    }
}

/// The contacts of a pair that the page has, in the order of time: all, or the most proper.
fn kept(pair: &PairResult, all: usize) -> Vec<&Found> {
    let mut kept: Vec<&Found> = pair.contacts.iter().collect();
    if all > MOST_CONTACTS {
        let share = (kept.len() as u128 * MOST_CONTACTS as u128 / all as u128).max(1) as usize;
        kept.sort_by(|p, q| q.properness.total_cmp(&p.properness));
        kept.truncate(share);
        kept.sort_by(|p, q| p.time.total_cmp(&q.time));
    }
    kept
}

fn events(pair: &PairResult, kept: &[&Found], places: Option<Vec<f32>>) -> Events {
    let numbers = |of: fn(&Found) -> f64| doubles(kept.iter().map(|contact| of(contact)));
    let words = |of: fn(&Found) -> String| Cells::Words(kept.iter().map(|c| of(c)).collect());
    let vectors = |of: fn(&Found) -> DVec3| doubles(kept.iter().flat_map(|c| of(c).to_array()));
    let columns = BTreeMap::from([
        ("kind", words(|c| c.features.kind().to_string())),
        ("a", words(|c| features(c.features)[0].clone())),
        ("b", words(|c| features(c.features)[1].clone())),
        ("time", Cells::Numbers(numbers(|c| c.time))),
        ("properness", Cells::Numbers(numbers(|c| c.properness))),
        ("speed", Cells::Numbers(numbers(|c| c.normal_speed))),
        ("grazing", words(|c| if c.grazing { "grazing".to_string() } else { String::new() })),
    ]);
    Events {
        count: kept.len(),
        total: pair.total,
        time: numbers(|c| c.time),
        point: vectors(|c| c.point),
        normal: vectors(|c| c.normal),
        places: places.map(singles),
        columns,
    }
}

/// The group of a body without others.
fn alone() -> Group {
    let words = ["kind", "a", "b", "grazing"].map(|key| (key, Cells::Words(Vec::new())));
    let numbers = ["time", "properness", "speed"].map(|key| (key, Cells::Numbers(String::new())));
    let columns = words.into_iter().chain(numbers).collect();
    Group { events: Events { columns, ..Events::default() }, ..Group::of_all() }
}

/// The box around all bodies during the step, without floors.
fn frame(scene: &Scene) -> Frame {
    let mut room = Room::new();
    for body in scene.bodies().iter().filter(|body| !is_floor(scene, body)) {
        let bounds = body.mesh().bounds();
        match (body.motion(), body.deforming()) {
            (Some(motion), _) => include_motion(&mut room, bounds, motion),
            (None, Some(deforming)) => {
                deforming.frames.ends().iter().flatten().for_each(|&place| {
                    room.include([place; 2], &Pose::IDENTITY);
                });
            }
            (None, None) => room.include(bounds, &Pose::IDENTITY),
        }
    }
    room.frame()
}

fn include_motion(room: &mut Room, bounds: [DVec3; 2], motion: &Motion) {
    for i in 0..=8 {
        room.include(bounds, &motion.pose_at(f64::from(i) / 8.0));
    }
}

/// Whether a body is so large that the first view need not show all of it.
fn is_floor(scene: &Scene, body: &Body) -> bool {
    let size = |body: &Body| {
        let [low, high] = body.mesh().bounds();
        (high - low).length()
    };
    let others = scene.bodies().iter().filter(|other| other.name != body.name);
    let largest = others.map(size).fold(0.0, f64::max);
    largest > 0.0 && size(body) > FLOOR * largest
}

fn words() -> Words {
    Words {
        list: "Contacts",
        timeline: "Contacts over time, by properness",
        empty: "No contacts: in this step the bodies do not touch, as far as was asked. The view shows how they move.",
        layers: Layers {
            edges: "edges",
            start: Some("the start, faintly"),
            paths: Some("flow lines"),
            axis: Some("the screw axis"),
            markers: "contacts",
            normals: "normals",
        },
        help: vec![
            "The view shows the bodies during one step. They are carried along their screws: the dashed line is the axis of the screw on which the second body goes as the first sees it, the thin curves are paths of some vertices, and the faint bodies are where they start.",
            "A disc is a contact, carried along with the first body, in the colour of its properness: how well the surfaces face each other, from 1 down to −1; below 0 the bodies overlap next to it already. Contacts of the moment are larger, with their normal. Discs behind a body are pale. Choose one in any of the views, or in the table: all show it, and the view goes to its time.",
            "The collision screen shows both bodies as they are seen along the motion: points at one place meet at some time. The contacts are where the edges of the two cross. The wheel or two fingers zoom, a double click shows all.",
        ],
    }
}
