//! The page of two bodies on their way past each other, and of their contacts.

use chasles::query::{Contact, Piece, Route, Trajectory};
use chasles::{Polyhedron, Pose};
use chasles_picture::palette;

use crate::contacts::{Names, alone, axes, columns, events, value, words};
use crate::data::{Axis, BodyData, Document, Group, Key, Span, ViewData};
use crate::encode::{doubles, isolated, singles};
use crate::frame::{Extent, Frame};
use crate::limits::{self, AXES, EVENTS};
use crate::mesh::Surface;
use crate::surfaces::Surfaces;
use crate::words::{plural, sentence};
use crate::{Parts, page};

/// Frames for each part of the motion, and at most; between two the page follows the screw.
const FRAMES: usize = 16;
const MOST_FRAMES: usize = 640;

/// How long the motion plays, in seconds.
const SECONDS: f64 = 6.0;

/// A body of the page.
#[derive(Clone, Copy, Debug)]
pub struct Body<'p> {
    /// What it is called.
    pub name: &'p str,
    /// What is drawn.
    pub mesh: &'p Polyhedron,
    /// Whether the mesh only sketches a body that has no features.
    pub is_sketch: bool,
    /// How it moves.
    pub motion: &'p Trajectory,
}

/// Two bodies, and when they touch.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'p> {
    /// A and B.
    pub bodies: [Body<'p>; 2],
    /// Their contacts in the order of time.
    pub contacts: &'p [Contact],
    /// The word for the kind of a contact.
    pub kind: fn(&Contact) -> String,
    /// How the contacts were found, in words.
    pub found: &'p str,
}

impl Pair<'_> {
    /// The page.
    ///
    /// *Accepts* any two bodies and contacts. *Guarantees* one whole file that needs no other, of
    /// some 1.5 MB at most but for names, the same bytes for the same input, and a note for all
    /// that it leaves out. *Cost* linear. *Fails* never.
    pub fn page(&self) -> String {
        let [a, b] = self.bodies.map(|body| isolated(body.name));
        let title = format!("{a} and {b}");
        let count = plural(self.contacts.len(), "contact");
        let summary = sentence(&format!("{count}, {}", self.found));
        page(&Parts::of(&self.document(&title), &summary))
    }

    fn document<'t>(&self, title: &'t str) -> Document<'t> {
        let route = Route::new(self.bodies[0].motion, self.bodies[1].motion);
        let frame = self.frame();
        let mut surfaces = Surfaces::default();
        let meshes = self.bodies.map(|body| surfaces.add(surface(&body), body.name));
        let times = times(&route, surfaces.bytes());
        let (meshes_data, mut notes) = surfaces.finish(&frame);
        let kept = self.kept(&mut notes);
        let first = kept.first().map_or(0.0, |(_, contact)| contact.time);
        let bodies = [0, 1].map(|i| self.body(i, meshes[i], (&frame, &times)));
        Document {
            command: "collide",
            title,
            notes,
            time: span(first),
            frame: frame.data(),
            view: ViewData { eye: [0.5, -0.72, 0.48], up: [0.0, 0.0, 1.0] },
            frames: doubles(times.iter().copied()),
            meshes: meshes_data,
            bodies: bodies.into(),
            legend: [0, 1].map(|i| self.key(i)).into(),
            joints: Vec::new(),
            groups: vec![self.group(&kept, &route, (&frame, &times))],
            group: 0,
            chosen: (!kept.is_empty()).then_some(0),
            columns: columns(self.contacts.iter()),
            kind_key: Some("kind"),
            value: Some(value(self.contacts.iter())),
            plots: Vec::new(),
            stills: Vec::new(),
            words: words(false, false),
        }
    }

    /// The box around both bodies during the motion.
    fn frame(&self) -> Frame {
        let mut extent = Extent::default();
        for Body { mesh, motion, .. } in &self.bodies {
            (0..=16)
                .for_each(|i| extent.include(mesh.bounds(), &motion.pose_at(f64::from(i) / 16.0)));
        }
        extent.frame()
    }

    /// The contacts that the table has, with their words: the most proper, if they are too many.
    fn kept(&self, notes: &mut Vec<String>) -> Vec<(Names, &Contact)> {
        let mut kept: Vec<&Contact> = self.contacts.iter().collect();
        if kept.len() > EVENTS {
            let all = kept.len();
            notes.push(format!("The table has the {EVENTS} most proper of {all} contacts."));
            kept.sort_by(|p, q| q.properness.total_cmp(&p.properness));
            kept.truncate(EVENTS);
            kept.sort_by(|p, q| p.time.total_cmp(&q.time));
        }
        let names = |contact: &Contact| {
            let [a, b] = [contact.features.a, contact.features.b].map(|part| part.to_string());
            [(self.kind)(contact), a, b]
        };
        kept.into_iter().map(|contact| (names(contact), contact)).collect()
    }

    fn key(&self, index: usize) -> Key {
        Key { name: self.bodies[index].name.to_string(), colour: palette(index).to_hex() }
    }

    fn body(&self, index: usize, mesh: usize, (frame, times): (&Frame, &[f64])) -> BodyData {
        let Body { name, is_sketch, motion, .. } = self.bodies[index];
        let poses: Vec<[f32; 7]> = times.iter().map(|&t| frame.pose(&motion.pose_at(t))).collect();
        let is_still = poses.iter().all(|pose| *pose == poses[0]);
        BodyData {
            name: name.to_string(),
            colour: palette(index).to_hex(),
            mesh,
            pose: is_still.then(|| poses[0]),
            track: (!is_still).then(|| singles(poses.into_iter().flatten())),
            framed: true,
            edges: !is_sketch,
            ghosts: vec![0],
            paths: true,
            legend: index,
            ..BodyData::plain()
        }
    }

    fn group(
        &self,
        kept: &[(Names, &Contact)],
        route: &Route,
        (frame, times): (&Frame, &[f64]),
    ) -> Group {
        let [a, b] = self.bodies.map(|body| isolated(body.name));
        Group {
            name: format!("{a} and {b}: {}", plural(self.contacts.len(), "contact")),
            a: 0,
            b: 1,
            track: self.relative_track(route, (frame, times)),
            axes: self.axes(route, frame),
            events: events(kept, self.contacts.len(), None),
            ..alone()
        }
    }

    fn axes(&self, route: &Route, frame: &Frame) -> Vec<Axis> {
        let names = self.bodies.map(|body| body.name);
        let whole = |[from, to]: [f64; 2], t: f64| from + (to - from) * t;
        let of_piece = |&Piece { ref step, times }: &Piece| {
            let all = axes(frame, step, names, AXES as u32);
            all.into_iter().map(move |axis| Axis {
                from: whole(times, axis.from),
                to: whole(times, axis.to),
                ..axis
            })
        };
        route.pieces().iter().flat_map(of_piece).take(AXES).collect()
    }

    /// How B goes by the relative screws, where that is not its own way.
    fn relative_track(&self, route: &Route, (frame, times): (&Frame, &[f64])) -> Option<String> {
        let pose = |pose: &Pose| frame.pose(pose);
        let own = times.iter().map(|&t| pose(&self.bodies[1].motion.pose_at(t)));
        let relative: Vec<[f32; 7]> = times.iter().map(|&t| pose(&by_relative(route, t))).collect();
        let is_apart = |(one, other): (&[f32; 7], [f32; 7])| {
            one.iter().zip(other).any(|(x, y)| (x - y).abs() > 1e-5)
        };
        let differs = relative.iter().zip(own).any(is_apart);
        differs.then(|| singles(relative.into_iter().flatten()))
    }
}

/// Where B is at a time by the relative screws.
fn by_relative(route: &Route, time: f64) -> Pose {
    let pieces = route.pieces();
    let at = pieces.iter().position(|piece| time <= piece.times[1]).unwrap_or(0);
    let Piece { step, times: [from, to] } = &pieces[at];
    step.pose_of_b_by_relative((time - from) / (to - from))
}

/// The times of all frames: as many as there is room for beside meshes of so many bytes.
fn times(route: &Route, meshes: usize) -> Vec<f64> {
    let parts: usize = route.pieces().iter().map(|piece| piece.step.parts() as usize).sum();
    let room = limits::frames(meshes, 3 * limits::POSE) - 1;
    let count = (FRAMES * parts).clamp(2 * FRAMES, MOST_FRAMES).min(room);
    (0..=count).map(|i| i as f64 / count as f64).collect()
}

fn span(start: f64) -> Span {
    Span {
        label: "time",
        unit: "",
        digits: 4,
        first: 0.0,
        last: 1.0,
        start,
        seconds: SECONDS,
        pace: String::new(),
        now: 0.01,
        momentary: false,
    }
}

fn surface(body: &Body) -> Surface {
    match body.is_sketch {
        true => Surface::sketch(body.mesh),
        false => Surface::rigid(body.mesh),
    }
}

#[cfg(test)]
mod tests {
    use chasles::Motion;
    use chasles::mesh::shapes::{Cuboid, Shape};
    use chasles::query::{Geometry, Options, Waypoints, Workspace, contacts};

    use super::*;

    fn page_of(name: &str) -> String {
        let mesh = Shape::Box(Cuboid::default()).build().unwrap();
        let cube = Geometry::mesh(mesh.clone());
        let at = |z: f64| Pose::from_position([0.2, 0.1, z]).unwrap();
        let still = Trajectory::from(Motion::still(Pose::IDENTITY));
        let way = Trajectory::from(Waypoints::evenly([at(3.0), at(2.0), at(0.0)]).unwrap());
        let route = Route::new(&still, &way);
        let mut memory = Workspace::new();
        let found = contacts(&cube, &cube, &route, &Options::all(), &mut memory).unwrap();
        let body = |motion| Body { name, mesh: &mesh, is_sketch: false, motion };
        let pair = Pair {
            bodies: [body(&still), body(&way)],
            contacts: &found,
            kind: |contact| contact.features.a.kind().to_string(),
            found: "by the exact method",
        };
        pair.page()
    }

    #[test]
    fn a_page_is_whole_and_the_same_each_time() {
        let page = page_of("cube");
        assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
        assert_eq!(page, page_of("cube"));
        assert!(page.len() < 300_000, "{}", page.len());
    }

    #[test]
    fn no_name_ends_a_script_or_a_tag() {
        let plain = page_of("cube").matches("</script>").count();
        let page = page_of("</script><script>alert(1)</script><b x='\"'>");
        assert_eq!(page.matches("</script>").count(), plain);
        assert!(!page.contains("<script>alert") && !page.contains("<b x="));
    }
}
