//! The page of `trace`: bodies on their way through a world, and what stopped them.

use std::collections::BTreeMap;
use std::path::Path;

use chasles::Pose;
use chasles::glam::DVec3;
use chasles::trace::Touch;
use chasles_picture::{Look, View};
use chasles_scene::{Journey, Mover, TraceScene};

use super::data::{
    BodyData, Cells, Column, Document, Events, Group, Key, Layers, Span, ViewData, Words,
};
use super::encode::{doubles, isolated, singles};
use super::frame::{Extent, Frame};
use super::limits::{self, EVENTS, POSE};
use super::mesh::Surface;
use super::stills::fitting;
use super::surfaces::Surfaces;
use super::{Parts, page};
use crate::still::{self, Canvas, FLOOR};
use crate::table::features;
use crate::trace::{TraceResult, within};
use crate::words::{plural, sentence};

/// Frames at least, and at most: a walk has one for each move.
const FRAMES: usize = 96;
const MOST_FRAMES: usize = 960;

/// With more rows than this, only those of the moment have markers.
const MANY: usize = 60;

/// With more bodies than this, their paths would hide them; lone points have one each.
const MOST_PATHS: usize = 24;

/// Of more bodies that start in the world the others are counted.
const MOST_NAMED: usize = 8;

/// How long a journey plays, in seconds.
const SECONDS: f64 = 4.0;

/// The page of a scene for traces and of what became of its bodies; `summary` says that in a line.
///
/// *Accepts* any scene and its results. *Guarantees* one whole file that needs no other, of some
/// 1.5 MB at most but for names and very many bodies, the same bytes for the same input, and a note
/// on the page for everything that it leaves out. *Cost* of a picture and of all features. *Fails*
/// never.
pub fn trace(scene: &TraceScene, results: &[TraceResult], summary: &str) -> String {
    let meshes = scene.movers().iter().map(|mover| &mover.mesh);
    let meshes = meshes.chain(scene.fixed().iter().map(|fixed| &fixed.mesh));
    let times = times(results, meshes.map(|mesh| Surface::rigid(mesh).bytes()).sum());
    let ways = scene.movers().iter().zip(results).map(|(m, r)| way(m, r, &times)).collect();
    let report = Report { scene, results, times, ways };
    page(&Parts::of(&report.document(), summary))
}

struct Report<'r> {
    scene: &'r TraceScene,
    results: &'r [TraceResult],
    times: Vec<f64>,
    /// Where each body is in each frame.
    ways: Vec<Vec<Pose>>,
}

/// A touch, and when it is.
struct Row<'r> {
    time: f64,
    body: &'r str,
    what: &'static str,
    touch: &'r Touch,
}

impl<'r> Report<'r> {
    fn document(&self) -> Document<'r> {
        let frame = self.frame();
        let mut surfaces = Surfaces::default();
        let bodies = self.bodies(&frame, &mut surfaces);
        let (meshes, mut notes) = surfaces.finish(&frame);
        notes.extend(self.scene.warnings().iter().map(|warning| sentence(warning)));
        notes.extend(self.skipped());
        notes.extend(self.solid());
        let mut rows = self.rows();
        let total = rows.len();
        if total > EVENTS {
            notes.push(format!(
                "The table has the first {EVENTS} of {total} contacts; --json has all."
            ));
            rows.truncate(EVENTS);
        }
        let View { towards_eye, up, .. } = still::trace_view(self.results);
        let still = Path::new("still.png");
        let still = still::draw_trace_on(self.scene, self.results, &Canvas::small(), still);
        Document {
            command: "trace",
            title: self.scene.title(),
            notes,
            time: Span {
                label: "part of the way",
                unit: "",
                digits: 4,
                first: 0.0,
                last: 1.0,
                start: if let [row] = &rows[..] { row.time } else { 1.0 },
                seconds: SECONDS,
                pace: String::new(),
                now: 0.015,
                momentary: rows.len() > MANY,
            },
            frame: frame.data(),
            view: ViewData { eye: towards_eye.to_array(), up: up.to_array() },
            frames: doubles(self.times.iter().copied()),
            meshes,
            bodies,
            legend: self.legend(),
            joints: Vec::new(),
            chosen: (rows.len() == 1).then_some(0),
            groups: vec![Group { events: self.events(&rows, total), ..Group::of_all() }],
            group: 0,
            columns: columns(self.results.len()),
            kind_key: Some("what"),
            value: None,
            plots: Vec::new(),
            stills: fitting([("The start, the way and the end".to_string(), still)], 0).0,
            words: words(self.results.iter().any(|result| result.solid.is_some())),
        }
    }

    /// Notes on the bodies that start in the world: the first by name, and how many more there are.
    fn solid(&self) -> Vec<String> {
        let traced = self.scene.movers().iter().zip(self.results);
        let solid = traced.filter_map(|(mover, result)| Some((mover, result.solid?)));
        let mut notes: Vec<String> = solid
            .map(|(Mover { name, .. }, contents)| {
                let within = within(self.scene.fixed(), contents);
                format!("{} starts in the world ({within}) and does not move.", isolated(name))
            })
            .collect();
        if notes.len() > MOST_NAMED {
            let more = plural(notes.len() - MOST_NAMED, "other body");
            notes.truncate(MOST_NAMED);
            notes.push(format!("So it is with {more}."));
        }
        notes
    }

    /// A note if a walk has more moves than the page has frames.
    fn skipped(&self) -> Option<String> {
        let moves = self.results.iter().map(|result| result.moves().len()).max().unwrap_or(0);
        let frames = self.times.len();
        (frames <= moves).then(|| format!("This page has {frames} frames for {moves} moves."))
    }

    fn frame(&self) -> Frame {
        let mut extent = Extent::default();
        for (mover, way) in self.scene.movers().iter().zip(&self.ways) {
            for pose in way.iter().step_by(1 + way.len() / 32).chain(way.last()) {
                extent.include(mover.mesh.bounds(), pose);
            }
        }
        for fixed in self.scene.fixed().iter().filter(|fixed| self.is_framed(&fixed.mesh)) {
            extent.include(fixed.mesh.bounds(), &fixed.pose);
        }
        extent.frame()
    }

    /// Whether the first view shows all of a body of the world: unless it is far larger than the
    /// way.
    fn is_framed(&self, mesh: &chasles::Polyhedron) -> bool {
        let mut extent = Extent::default();
        for (mover, way) in self.scene.movers().iter().zip(&self.ways) {
            for pose in [way.first(), way.last()].into_iter().flatten() {
                extent.include(mover.mesh.bounds(), pose);
            }
        }
        let [low, high] = mesh.bounds();
        (high - low).length() <= FLOOR * 2.0 * extent.frame().data().scale
    }

    fn bodies(&self, frame: &Frame, surfaces: &mut Surfaces) -> Vec<BodyData> {
        let movers = self.scene.movers();
        let in_the_way = still::in_the_way(
            self.scene,
            self.results,
            still::trace_view(self.results).towards_eye,
        );
        let fixed = self.scene.fixed().iter().zip(in_the_way).map(|(fixed, glass)| BodyData {
            name: fixed.name.clone(),
            colour: still::WORLD.to_hex(),
            mesh: surfaces.add(Surface::rigid(&fixed.mesh), &fixed.name),
            pose: Some(frame.pose(&fixed.pose)),
            framed: self.is_framed(&fixed.mesh),
            glass,
            ..BodyData::plain()
        });
        let mut bodies: Vec<BodyData> = fixed.collect();
        for (index, (mover, way)) in movers.iter().zip(&self.ways).enumerate() {
            bodies.push(BodyData {
                name: mover.name.clone(),
                colour: Look::of(index).colour.to_hex(),
                mesh: surfaces.add(Surface::rigid(&mover.mesh), &mover.name),
                track: Some(singles(way.iter().flat_map(|pose| frame.pose(pose)))),
                framed: true,
                ghosts: vec![0, self.times.len() - 1],
                paths: movers.len() <= MOST_PATHS || mover.mesh.vertex_count() == 1,
                legend: 1 + index,
                ..BodyData::plain()
            });
        }
        bodies
    }

    fn legend(&self) -> Vec<Key> {
        let world = Key { name: "world".to_string(), colour: still::WORLD.to_hex() };
        let movers = self.scene.movers().iter().enumerate();
        let keys = movers.map(|(i, mover)| Key {
            name: mover.name.clone(),
            colour: Look::of(i).colour.to_hex(),
        });
        std::iter::once(world).chain(keys).collect()
    }

    fn rows(&self) -> Vec<Row<'r>> {
        let mut rows = Vec::new();
        for (mover, result) in self.scene.movers().iter().zip(self.results) {
            let body = mover.name.as_str();
            let end = if result.walks() { 1.0 } else { result.trace.fraction };
            let row = |time, what, touch| Row { time, body, what, touch };
            rows.extend(walked(body, result));
            rows.extend(result.trace.touch.iter().map(|touch| row(end, "stopped by", touch)));
            let near = result.contacts.iter().flatten();
            rows.extend(near.map(|touch| row(end, "near", touch)));
        }
        rows.sort_by(|p, q| p.time.total_cmp(&q.time));
        rows
    }

    fn events(&self, rows: &[Row], total: usize) -> Events {
        let fixed = self.scene.fixed();
        let words = |of: &dyn Fn(&Row) -> String| Cells::words(rows.iter().map(of));
        let world = |row: &Row| {
            let name = &fixed[row.touch.fixture as usize].name;
            format!("{} of {name}", features(row.touch.features)[1])
        };
        let tag = |row: &Row| {
            let tag = &fixed[row.touch.tag as usize].tag;
            let is_name = *tag == fixed[row.touch.fixture as usize].name;
            if is_name { String::new() } else { tag.clone() }
        };
        let columns = BTreeMap::from([
            ("body", words(&|row| row.body.to_string())),
            ("what", words(&|row| row.what.to_string())),
            ("moving", words(&|row| features(row.touch.features)[0].clone())),
            ("world", words(&world)),
            ("distance", Cells::Numbers(doubles(rows.iter().map(|row| row.touch.distance)))),
            ("tag", words(&tag)),
        ]);
        let vectors =
            |of: fn(&Touch) -> DVec3| doubles(rows.iter().flat_map(|row| of(row.touch).to_array()));
        Events {
            count: rows.len(),
            total,
            time: doubles(rows.iter().map(|row| row.time)),
            point: vectors(|touch| touch.point),
            normal: vectors(|touch| touch.normal),
            places: None,
            columns,
        }
    }
}

/// The touches of a walk at which ground or wall change.
fn walked<'r>(body: &'r str, result: &'r TraceResult) -> Vec<Row<'r>> {
    let moves = result.moves();
    let mut rows = Vec::new();
    let mut before: [Option<u32>; 2] = [None; 2];
    for (i, one) in moves.iter().enumerate() {
        let time = (i + 1) as f64 / moves.len() as f64;
        let touches = [(&one.walk.ground, "stands on"), (&one.walk.wall, "held by")];
        for ((touch, what), before) in touches.into_iter().zip(&mut before) {
            let fixture = touch.as_ref().map(|touch| touch.fixture);
            if fixture != *before {
                rows.extend(touch.as_ref().map(|touch| Row { time, body, what, touch }));
            }
            *before = fixture;
        }
    }
    rows
}

/// Even times, one for each move of a walk, and with them those at which bodies stop: as many as
/// there is room for beside meshes of so many bytes.
fn times(results: &[TraceResult], meshes: usize) -> Vec<f64> {
    let moves = results.iter().map(|result| result.moves().len()).max().unwrap_or(0);
    let most = limits::frames(meshes, POSE * results.len()).min(MOST_FRAMES);
    let pieces = moves.max(FRAMES).min(most);
    let even = (0..=pieces).map(|i| i as f64 / pieces as f64);
    let stops = results.iter().map(|result| result.trace.fraction).take(FRAMES.min(most));
    let mut times: Vec<f64> = even.chain(stops).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Where a body is at each time, until it stops.
fn way(mover: &Mover, result: &TraceResult, times: &[f64]) -> Vec<Pose> {
    let trace = &result.trace;
    let walked = |time: f64| {
        let moves = result.moves();
        let number = (time * moves.len() as f64).round() as usize;
        match number.checked_sub(1).and_then(|before| moves.get(before)) {
            Some(one) => one.walk.end,
            None => mover.start,
        }
    };
    let pose = |&time: &f64| match &mover.journey {
        Journey::Walk(_) => walked(time),
        _ if time >= trace.fraction => trace.end,
        _ => mover.pose_at(time),
    };
    times.iter().map(pose).collect()
}

/// The columns of the table; a lone body need not be named in each row.
fn columns(bodies: usize) -> Vec<Column> {
    let body = (bodies > 1).then(|| Column::text("body", "0.7fr"));
    let others = [
        Column::text("what", "").called("", "how they meet"),
        Column::text("world", "1.4fr").called("world", "what is met"),
        Column::text("moving", "").called("with", "the feature of the body"),
        Column::number("time", 4, "3.8em").called("at", "as a part of the way"),
        Column::number("distance", 4, "5.8em")
            .called("distance", "of the body from what it meets, in the expel zone"),
    ];
    body.into_iter().chain(others).collect()
}

fn words(starts_solid: bool) -> Words {
    Words {
        list: "Contacts",
        timeline: "Contacts on the way",
        empty: match starts_solid {
            true => {
                "No contacts: bodies that start in the world, as the notes above say, do not move, and nothing is in the way of others."
            }
            false => "No contacts: nothing is in the way. The view shows the whole way.",
        },
        layers: Layers {
            edges: "edges",
            start: Some("start and end, faintly"),
            paths: Some("path of the centre"),
            axis: None,
            joints: None,
            ground: "grid and shadows",
            markers: "contacts",
            normals: "normals",
        },
        help: vec![
            "The view shows each body on its way through the world, which is grey: as far as it \
             gets. The faint bodies are where it starts and ends, the curve is the path of its \
             centre, and what stands between the eye and its end is glass.",
            "A disc is a contact, with the normal of the world there. The table says what meets what, how far along the way, and at which distance: a body stops in front of what it meets, in the expel zone.",
        ],
    }
}
