//! The page of `simulate`: a film of all bodies, impacts, and what is conserved over time.

use std::collections::BTreeMap;
use std::path::Path;

use chasles::Pose;
use chasles::glam::DVec3;
use chasles_dynamics::linkage::Joint;
use chasles_dynamics::world::Impact;
use chasles_picture::{Look, View, palette};
use chasles_scene::SimulateScene;

use super::data::{
    BodyData, Cells, Column, Document, Events, Group, JointData, Key, Layers, PlotData, Series,
    Span, StillData, Value, ViewData, Words,
};
use super::encode::{doubles, singles};
use super::frame::{Extent, Frame};
use super::mesh::Surface;
use super::reel::{Reel, State};
use super::scales::amount_scales;
use super::stills::fitting;
use super::surfaces::Surfaces;
use super::{Parts, page};
use crate::simulate::{Course, Moment, left_out, sheet_mesh};
use crate::still::{self, Canvas, Framed};
use crate::words::{length, plural, sentence};

/// A page opens so long before the strongest impact, as a share of all of the time: that is still
/// of the moment.
const BEFORE: f64 = 0.01;

/// With more impacts than this, weak ones are left out at first.
const FEW_IMPACTS: usize = 40;

/// Impacts with less than this share of the largest impulse are weak.
const WEAK: f64 = 0.1;

/// How long a simulation plays at least, in seconds: what is shorter is slowed down.
const LEAST_SECONDS: f64 = 1.0;

/// The page of a simulation whose course has a reel; `summary` says in a line what came of it.
///
/// *Accepts* any scene and its course. *Guarantees* one whole file that needs no other, of some 1.5
/// MB at most but for names and very many bodies, the same bytes for the same input, and a note on
/// the page for everything that it leaves out. *Cost* of three pictures and of the reel. *Fails*
/// never.
pub fn simulate(scene: &SimulateScene, course: &Course, reel: &Reel, summary: &str) -> String {
    let film = Film { scene, course, reel, frame: frame(scene, reel) };
    page(&Parts::of(&film.document(), summary))
}

struct Film<'r> {
    scene: &'r SimulateScene,
    course: &'r Course,
    reel: &'r Reel,
    frame: Frame,
}

impl<'r> Film<'r> {
    fn document(&self) -> Document<'r> {
        let mut surfaces = Surfaces::default();
        let bodies = self.bodies(&mut surfaces);
        let (meshes, mut notes) = surfaces.finish(&self.frame);
        notes.extend(self.scene.warnings().iter().map(|warning| sentence(warning)));
        let left_out = left_out(self.scene, &self.course.findings);
        notes.extend(left_out.iter().map(|said| sentence(said)));
        notes.extend(self.reel.notes(self.course.impacts));
        let (stills, note) = self.stills();
        notes.extend(note);
        let View { towards_eye, up, .. } =
            still::simulated_view(self.course.world.options().gravity);
        let last = self.reel.times.last().copied().unwrap_or(0.0);
        let largest = self.reel.impacts.iter().map(|i| i.impulse.length()).fold(0.0, f64::max);
        Document {
            command: "simulate",
            title: self.scene.title(),
            notes,
            time: Span {
                label: "time",
                unit: "s",
                digits: 3,
                first: 0.0,
                last,
                start: self.opening(last),
                seconds: last.max(LEAST_SECONDS),
                pace: pace(last),
                now: 0.015,
                momentary: true,
            },
            frame: self.frame.data(),
            view: ViewData { eye: towards_eye.to_array(), up: up.to_array() },
            frames: doubles(self.reel.times.iter().copied()),
            meshes,
            bodies,
            legend: self.legend(),
            joints: self.joints(),
            groups: vec![self.group()],
            group: 0,
            chosen: None,
            columns: columns(),
            kind_key: None,
            value: Some(Value {
                key: "impulse",
                label: "impulse",
                unit: "N s",
                low: 0.0,
                high: largest,
                start: self.least_shown(largest),
                rounding: 0.0,
                enough: 0.0,
                scale: amount_scales(),
            }),
            plots: self.plots(),
            stills,
            words: words(!self.reel.sheets.is_empty(), !self.course.world.joints().is_empty()),
        }
    }

    /// Just before the strongest impact, so that it is marked; the beginning if nothing hits
    /// anything.
    fn opening(&self, last: f64) -> f64 {
        let strength = |impact: &&Impact| impact.impulse.length_squared();
        let by_strength = |p: &&Impact, q: &&Impact| strength(p).total_cmp(&strength(q)).reverse();
        // Of equal ones the first.
        let strongest = self.reel.impacts.iter().min_by(by_strength);
        strongest.map_or(0.0, |impact| (impact.time - BEFORE * last).max(0.0))
    }

    /// The least impulse that is shown at first: with many impacts a tenth of the largest, in one
    /// digit.
    fn least_shown(&self, largest: f64) -> f64 {
        if self.reel.impacts.len() <= FEW_IMPACTS || largest <= 0.0 {
            return 0.0;
        }
        let tenth = WEAK * largest;
        let digit = 10_f64.powf(tenth.log10().floor());
        (tenth / digit).floor() * digit
    }

    /// All joints; of those with the world only the body counts.
    fn joints(&self) -> Vec<JointData> {
        let is_shown = |body: usize| body < self.scene.names().len();
        let data = |joint: &Joint| {
            let ends = joint.bodies().into_iter().zip(joint.anchors());
            let ends: Vec<_> = ends.filter(|(body, _)| is_shown(*body)).collect();
            let axis = ends.first().filter(|_| joint.has_axis());
            JointData {
                bodies: ends.iter().map(|(body, _)| *body).collect(),
                points: ends
                    .iter()
                    .map(|(_, at)| self.frame.local(at.frame().position()))
                    .collect(),
                axis: axis.map(|(_, at)| (at.frame().rotation() * DVec3::Z).as_vec3().to_array()),
            }
        };
        self.course.world.joints().iter().map(data).collect()
    }

    fn bodies(&self, surfaces: &mut Surfaces) -> Vec<BodyData> {
        let world = self.scene.world();
        let framed = Framed::of(self.scene);
        let mut meshes = BTreeMap::new();
        let mut all = Vec::new();
        for (index, name) in self.scene.names().iter().enumerate() {
            let (body, table) = (&world.bodies()[index], self.scene.table(index));
            let mesh = body.collider().mesh();
            let number = match meshes.get(&table) {
                Some(&number) => {
                    surfaces.share(number, name);
                    number
                }
                None => surfaces.add(Surface::rigid(mesh), name),
            };
            meshes.insert(table, number);
            let track = self.reel.track(index);
            let poses = track.map(|poses| poses.iter().flat_map(|pose| self.frame.pose(pose)));
            let [low, high] = mesh.bounds();
            all.push(BodyData {
                name: name.clone(),
                colour: still::simulated_colour(self.scene, table, index).to_hex(),
                mesh: number,
                pose: track.is_none().then(|| self.frame.pose(&body.pose())),
                track: poses.map(singles),
                framed: framed.is_small((high - low).length()),
                legend: table,
                ..BodyData::plain()
            });
        }
        let tables = self.scene.tables().count();
        for (number, name) in self.scene.sheets().iter().enumerate() {
            let Some(mesh) = sheet_mesh(&world.sheets()[number]) else { continue };
            let surface = Surface::deforming(&mesh, self.reel.sheets[number].clone());
            all.push(BodyData {
                name: name.clone(),
                colour: Look::of(tables + number).colour.to_hex(),
                mesh: surfaces.add(surface, name),
                pose: Some(self.frame.pose(&Pose::IDENTITY)),
                framed: true,
                legend: tables + number,
                ..BodyData::plain()
            });
        }
        all
    }

    fn legend(&self) -> Vec<Key> {
        let tables = self.scene.tables().enumerate().map(|(number, (name, body))| Key {
            name: name.to_string(),
            colour: still::simulated_colour(self.scene, number, body).to_hex(),
        });
        let count = self.scene.tables().count();
        let sheets = self.scene.sheets().iter().enumerate().map(|(number, name)| Key {
            name: name.clone(),
            colour: Look::of(count + number).colour.to_hex(),
        });
        tables.chain(sheets).collect()
    }

    fn group(&self) -> Group {
        let impacts = &self.reel.impacts;
        let names = |i: usize| {
            let name = |impact: &Impact| self.scene.name(impact.bodies[i].0).to_string();
            Cells::words(impacts.iter().map(name))
        };
        let columns = BTreeMap::from([
            ("a", names(0)),
            ("b", names(1)),
            ("impulse", Cells::Numbers(doubles(impacts.iter().map(|i| i.impulse.length())))),
        ]);
        let events = Events {
            count: impacts.len(),
            total: self.course.impacts,
            time: doubles(impacts.iter().map(|impact| impact.time)),
            point: doubles(impacts.iter().flat_map(|i| i.point.to_array())),
            // From A to B, as in all results.
            normal: doubles(impacts.iter().flat_map(|i| (-i.normal).to_array())),
            places: None,
            columns,
        };
        Group { events, ..Group::of_all() }
    }

    /// The start, the middle and the end.
    fn stills(&self) -> (Vec<StillData>, Option<String>) {
        let moments = &self.reel.moments;
        let picture = |moment: &Moment| {
            let caption = format!("After {:.3} s", moment.time);
            let canvas = (&Canvas::small(), Path::new("still.png"));
            (caption.clone(), still::draw_simulated(self.scene, moment, canvas, &caption))
        };
        fitting(moments.iter().map(picture), moments.len() - 1)
    }

    fn plots(&self) -> Vec<PlotData> {
        let start = self.reel.states.first().map_or(0.0, |state| state.potential);
        let series = |name, number: usize, value: &dyn Fn(&State) -> f64| Series {
            name,
            colour: palette(number).to_hex(),
            values: doubles(self.reel.states.iter().map(value)),
        };
        // What is far from everything has no gap to draw.
        let gap = |state: &State| {
            let near = state.nearness.filter(|near| near.gap.is_finite());
            near.map_or(f64::NAN, |near| near.gap)
        };
        let of_bodies = if self.reel.sheets.is_empty() { "" } else { "of bodies, without sheets" };
        let measured = || self.reel.states.iter().filter_map(|state| state.nearness);
        let depth = measured().map(|near| near.depth).fold(0.0, f64::max);
        let frames = plural(measured().count(), "frame");
        let overlaps: usize = measured().map(|near| near.overlaps).sum();
        let note = match overlaps {
            0 => format!("no overlap in {frames}"),
            _ => format!("{}, {} m at worst", plural(overlaps, "overlap"), length(depth)),
        };
        vec![
            PlotData {
                title: "Energy",
                unit: "J",
                note: String::new(),
                is_log: false,
                is_half: false,
                series: vec![
                    series("kinetic", 0, &|s| s.kinetic),
                    series("potential", 1, &|s| s.potential - start),
                    series("sum", 2, &|s| s.kinetic + s.potential - start),
                ],
            },
            PlotData {
                title: "Momentum",
                unit: "N s",
                note: of_bodies.to_string(),
                is_log: false,
                is_half: true,
                series: vec![series("", 0, &|s| s.momentum[0].length())],
            },
            PlotData {
                title: "Angular momentum",
                unit: "N m s",
                note: of_bodies.to_string(),
                is_log: false,
                is_half: true,
                series: vec![series("", 3, &|s| s.momentum[1].length())],
            },
            PlotData {
                title: "Penetration",
                unit: "m",
                note,
                is_log: true,
                is_half: false,
                series: vec![
                    series("depth", 3, &|s| s.nearness.map_or(f64::NAN, |near| near.depth)),
                    series("gap", 2, &gap),
                ],
            },
        ]
    }
}

/// What is said of a film that does not play in real time.
fn pace(seconds: f64) -> String {
    if seconds >= LEAST_SECONDS || seconds <= 0.0 {
        return String::new();
    }
    format!(
        "{} s play in {LEAST_SECONDS} s, {:.1} times slower than real time",
        length(seconds),
        LEAST_SECONDS / seconds
    )
}

/// The box around what moves, but for the few that are far from all others.
fn frame(scene: &SimulateScene, reel: &Reel) -> Frame {
    let bodies = &scene.world().bodies()[..scene.names().len()];
    let mut extent = Extent::default();
    let tracks: Vec<Option<&[Pose]>> = (0..bodies.len()).map(|i| reel.track(i)).collect();
    let count = tracks.iter().flatten().map(|poses| poses.len()).min().unwrap_or(0);
    for moment in (0..count).step_by(1 + count / 24) {
        let both = bodies.iter().zip(&tracks);
        let poses: Vec<Pose> =
            both.map(|(body, track)| track.map_or(body.pose(), |poses| poses[moment])).collect();
        let framed = Framed::at(scene, &poses);
        for (i, body) in bodies.iter().enumerate().filter(|(i, _)| tracks[*i].is_some()) {
            let bounds @ [low, high] = body.collider().mesh().bounds();
            if framed.shows(poses[i].position(), (high - low).length()) {
                extent.include(bounds, &poses[i]);
            }
        }
    }
    let places = reel.sheets.iter().flat_map(|sets| [sets.first(), sets.last()]);
    for &place in places.flatten().flatten() {
        extent.include([place; 2], &Pose::IDENTITY);
    }
    extent.frame()
}

fn columns() -> Vec<Column> {
    vec![
        Column::number("time", 4, "4.6em").called("time, s", "in seconds"),
        Column::text("a", "1fr").called("A", "the first body"),
        Column::text("b", "1fr").called("B", "the second body"),
        Column::number("impulse", 4, "7em").called("impulse, N s", "how hard they hit"),
    ]
}

fn words(has_sheets: bool, has_joints: bool) -> Words {
    let empty = if has_sheets {
        "No impacts: no body hits another. What sheets touch is not listed; the view shows it."
    } else {
        "No impacts: in this time nothing hits anything. The view shows what moves."
    };
    Words {
        list: "Impacts",
        timeline: "Impacts over time, by impulse",
        empty,
        layers: Layers {
            edges: "edges",
            start: None,
            paths: None,
            axis: None,
            joints: has_joints.then_some("joints"),
            ground: "grid and shadows",
            markers: "impacts of the moment",
            normals: "normals",
        },
        help: vec![
            "The view shows the bodies at the time of the slider, which begins just before the \
             strongest impact. A disc is an impact of the moment: the larger and the farther in \
             colour, the larger its impulse. The chosen one has its normal, from the first body \
             to the second; the button of layers shows all normals. Rings are joints, with their \
             axes.",
            "Of many impacts those with less than a tenth of the largest impulse are left out at \
             first: Show all brings them back.",
            "The plots show the energy of all that moves (the potential from its start), the momentum of bodies and the angular one about the origin, and how deep bodies are in each other: the depth is 0 where none are, and the gap, on a logarithmic axis, is the smallest between bodies that are near each other.",
            "Choose an impact in the table or in the plot under the view to go to its time.",
        ],
    }
}
