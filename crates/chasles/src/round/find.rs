//! One part of a step against a polyhedron: which features can touch when, and where they do.

use glam::DVec3;

use super::Options;
use super::body::{Kind, Round};
use super::features::Feature;
use super::gaps::{Gap, Part, Place};
use super::locate::{Located, located, tolerance_at};
use super::motion::Motion;
use super::solve::all_roots;
use super::spot::Corners;
use crate::bounds::{Collider, Corner};

/// A contact before it has a place in the world; times are of the part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) a: Feature,
    pub(super) b: Feature,
    pub(super) time: f64,
    pub(super) bracket: [f64; 2],
    pub(super) grazing: bool,
    /// For a pair that stays in touch, until when; otherwise the time.
    pub(super) until: f64,
    /// In A's frame.
    pub(super) point: DVec3,
    pub(super) normal: DVec3,
    pub(super) properness: f64,
    /// As in [`Contact`](crate::Contact): what is round can touch what is convex.
    pub(super) touchable: bool,
    pub(super) normal_speed: f64,
    /// Neighbouring features may see the same touch, no farther away than this.
    pub(super) is_border: bool,
    pub(super) slack: f64,
}

/// A time that is uncertain by more than this does not tell a place; a pair that grazes for longer
/// stays in touch.
pub(super) const WIDE: f64 = 1e-6;

/// Sightings of one touch that does not last are no farther apart than this. Its bracket is no
/// wider, unless it is that of a cylinder and another round body after a long slide (meet.rs).
pub(super) const WIDEST: f64 = 1e-5;

/// A body is looked at only while it is near A if that is less than this share of the part: then
/// the units of rounding shrink with the way it goes.
pub(super) const SHORT: f64 = 1.0 / 64.0;

/// Speeds along the normal below this many units of the reach, per part, are rounding: normals are
/// good to some 1e-14 of it over a radius. They are those of the whole part, however short the
/// piece of it in which the bodies are near each other.
pub(super) const SLOW: f64 = 1e-12;

/// What is asked of one part of a step.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'o> {
    pub(super) options: &'o Options,
    /// The number of the part, and of all parts.
    pub(super) part: u32,
    pub(super) parts: u32,
    /// The latest time of the part that matters.
    pub(super) latest: f64,
}

impl Wanted<'_> {
    /// A time of the part as one of the step. All that compare times of the step round alike.
    pub(super) fn in_step(&self, t: f64) -> f64 {
        (f64::from(self.part) + t) / f64::from(self.parts)
    }

    /// Takes a touch if it is asked for. Speeds below `slow` are rounding; they count as
    /// approaching.
    pub(super) fn keep(&mut self, touch: Touch, slow: f64, touches: &mut Vec<Touch>) {
        let Options { min_properness, facing, first_only, window, .. } = *self.options;
        let time = self.in_step(touch.time);
        let is_in_window = time >= window[0] && time <= window[1];
        let approaches = !facing || touch.normal_speed <= slow;
        let is_admitted = self.options.admits(touch.touchable);
        if touch.properness >= min_properness && approaches && is_in_window && is_admitted {
            if first_only {
                // What is the same touch, seen by others, is seen with all of its bracket.
                let latest = touch.bracket[1].max(touch.time) + WIDEST;
                self.latest = self.latest.min(latest);
            }
            touches.push(touch);
        }
    }
}

/// Memory of a query, and what it finds.
pub(super) struct Memory<'m> {
    pub(super) touches: &'m mut Vec<Touch>,
    pub(super) stack: &'m mut Vec<(u32, [f64; 2])>,
}

/// Finds all touches of a part.
pub(super) fn run(a: &Collider, motion: &Motion, wanted: Wanted, memory: Memory) {
    let root = &a.nodes()[0];
    let window = motion.window(root.centre, root.half.length(), [0.0, 1.0]);
    if window[0] > window[1] {
        return;
    }
    if window[1] - window[0] < SHORT {
        let motion = motion.during(window);
        Query { a, motion: &motion, during: window, wanted, memory }.walk();
    } else {
        Query { a, motion, during: [0.0, 1.0], wanted, memory }.walk();
    }
}

/// The bodies of one part, and where touches go.
struct Query<'q> {
    a: &'q Collider,
    motion: &'q Motion,
    /// Which times of the part are the start and the end of the motion.
    during: [f64; 2],
    wanted: Wanted<'q>,
    memory: Memory<'q>,
}

impl Query<'_> {
    /// Walks the tree and tests the features of all leaves that B can touch.
    fn walk(mut self) {
        self.memory.stack.clear();
        self.memory.stack.push((0, [0.0, 1.0]));
        while let Some((index, window)) = self.memory.stack.pop() {
            let node = &self.a.nodes()[index as usize];
            let window = self.until_latest(window);
            let window = self.motion.window(node.centre, node.half.length(), window);
            if window[0] > window[1] {
                continue;
            }
            if node.is_leaf() {
                self.leaf(index, window);
            } else {
                self.memory.stack.extend([(node.child + 1, window), (node.child, window)]);
            }
        }
    }

    /// The part of a window that is early enough to matter.
    fn until_latest(&self, [from, to]: [f64; 2]) -> [f64; 2] {
        let [start, end] = self.during;
        let latest = (self.wanted.latest - start) / (end - start);
        [from, if latest < to { latest } else { to }]
    }

    fn leaf(&mut self, index: u32, window: [f64; 2]) {
        let a = self.a;
        let mesh = a.mesh();
        let node = &a.nodes()[index as usize];
        for v in node.vertices.clone() {
            let place = Place::Vertex(a.local(v));
            self.vertex(Id::Vertex(v), place, window);
        }
        for e in node.edges.clone() {
            let [p, q] = mesh.edge(e).map(|v| a.local(v));
            let place = Place::Edge(0.5 * (p + q), a.direction(e), 0.5 * p.distance(q));
            self.edge(Id::Edge(e), place, window);
        }
        for f in node.faces.clone() {
            self.face(f, window);
        }
    }

    fn vertex(&mut self, id: Id, place: Place, window: [f64; 2]) {
        let Place::Vertex(v) = place else { return };
        let window = self.motion.window(v, 0.0, self.until_latest(window));
        for part in parts_at_vertices(&self.motion.body) {
            self.pair(id, place, *part, window);
        }
    }

    fn edge(&mut self, id: Id, place: Place, window: [f64; 2]) {
        let Place::Edge(p, u, half) = place else { return };
        let window = self.motion.window(p, half, self.until_latest(window));
        let is_flat = matches!(self.motion.body.kind, Kind::Cylinder | Kind::Cone);
        let flat = is_flat && self.motion.stays_across(u, half);
        for part in parts_at_edges(&self.motion.body, flat) {
            self.pair(id, place, *part, window);
        }
    }

    fn face(&mut self, f: u32, window: [f64; 2]) {
        let mesh = self.a.mesh();
        let point = self.a.face_local(f);
        let far = mesh.face(f).iter().map(|&v| self.a.local(v).distance_squared(point));
        let radius = far.fold(0.0, f64::max).sqrt() * (1.0 + 4.0 * f64::EPSILON);
        let window = self.motion.window(point, radius, self.until_latest(window));
        let sides: &[f64] = if mesh.is_two_sided(f) { &[1.0, -1.0] } else { &[1.0] };
        for &side in sides {
            for part in parts_at_faces(&self.motion.body) {
                self.pair(Id::Face(f), Place::Face(point, side * mesh.normal(f)), *part, window);
            }
        }
    }

    /// All touches of two features.
    fn pair(&mut self, id: Id, place: Place, part: Part, window: [f64; 2]) {
        if window[0] > window[1] {
            return;
        }
        let (a, motion) = (self.a, self.motion);
        let gap = Gap { motion, place, part, radius: motion.body.radius };
        let corners = Corners { positions: a.locals(), corners: id.corners(a) };
        all_roots(&gap, window, |root| {
            if let Some(located) = located(&gap, root, &corners) {
                let touch = self.touch(id, &located);
                self.wanted.keep(touch, SLOW * motion.reach, self.memory.touches);
            }
        });
    }

    fn touch(&self, id: Id, Located { root, until, spot }: &Located) -> Touch {
        let flow = self.motion.flow(spot.point);
        let touch = Touch {
            a: id.labelled(self.a),
            b: Feature::of(spot.part),
            time: root.time,
            bracket: root.bracket,
            grazing: root.grazing,
            until: *until,
            point: spot.point + self.a.pivot(),
            normal: spot.normal,
            properness: id.properness(self.a, spot.normal),
            touchable: id.is_touchable(self.a),
            normal_speed: spot.normal.dot(flow),
            is_border: spot.is_border,
            slack: 4.0 * tolerance_at(self.motion, root),
        };
        in_part(touch, self.during)
    }
}

/// A touch with times of a whole part instead of a piece of it.
pub(super) fn in_part(mut touch: Touch, [from, to]: [f64; 2]) -> Touch {
    if [from, to] == [0.0, 1.0] {
        return touch;
    }
    let map = |t: f64| from + (to - from) * t;
    // Rounding of the map moves an end by less than this.
    let pad = f64::EPSILON;
    let [low, high] = touch.bracket.map(map);
    touch.bracket = [(low - pad).max(0.0), (high + pad).min(1.0)];
    [touch.time, touch.until] = [touch.time, touch.until].map(map);
    touch.normal_speed /= to - from;
    touch
}

/// A feature of A in the collider's numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Id {
    Vertex(u32),
    Edge(u32),
    Face(u32),
}

impl Id {
    fn corners<'c>(&self, a: &'c Collider) -> &'c [u32] {
        match self {
            Self::Face(f) => a.mesh().face(*f),
            _ => &[],
        }
    }

    pub(super) fn labelled(&self, a: &Collider) -> Feature {
        match *self {
            Self::Vertex(v) => Feature::Vertex(a.mesh().vertex_label(v)),
            Self::Edge(e) => Feature::Edge(a.mesh().edge_label(e)),
            Self::Face(f) => Feature::Face(a.mesh().face_label(f)),
        }
    }

    /// Whether something round can touch it from outside.
    fn is_touchable(&self, a: &Collider) -> bool {
        match *self {
            Self::Vertex(v) => a.corner(v) == Corner::Peak,
            Self::Edge(e) => !a.is_reflex(e),
            Self::Face(_) => true,
        }
    }

    /// The least of the terms of A's surface: its edges at a vertex, or its faces at an edge,
    /// should lead away from B.
    fn properness(&self, a: &Collider, normal: DVec3) -> f64 {
        let least = |away: &mut dyn Iterator<Item = DVec3>| {
            away.map(|v| -v.dot(normal)).fold(1.0, f64::min).max(-1.0)
        };
        match *self {
            Self::Vertex(v) => least(&mut a.rays(v).iter().copied()),
            Self::Edge(e) => least(&mut a.wings(e)),
            Self::Face(_) => 1.0,
        }
    }
}

fn parts_at_vertices(body: &Round) -> &'static [Part] {
    match body.kind {
        Kind::Sphere => &[Part::End(-1.0)],
        Kind::Capsule => &[Part::End(-1.0), Part::End(1.0), Part::Side],
        Kind::Cylinder => &[Part::Side, Part::Cap(-1.0), Part::Cap(1.0)],
        Kind::Cone => &[Part::Slant, Part::Cap(-1.0)],
        Kind::Ellipsoid => &[Part::Skin],
    }
}

/// An edge that stays parallel to the caps meets no rim by itself.
fn parts_at_edges(body: &Round, flat: bool) -> &'static [Part] {
    match body.kind {
        Kind::Cylinder if flat => &[Part::Side, Part::Cap(-1.0), Part::Cap(1.0)],
        Kind::Cylinder => &[Part::Side, Part::Rim(-1.0), Part::Rim(1.0)],
        Kind::Cone if !flat => &[Part::Slant, Part::Rim(-1.0)],
        _ => parts_at_vertices(body),
    }
}

fn parts_at_faces(body: &Round) -> &'static [Part] {
    match body.kind {
        Kind::Sphere => &[Part::End(-1.0)],
        Kind::Capsule => &[Part::End(-1.0), Part::End(1.0)],
        Kind::Cylinder => &[Part::Rim(-1.0), Part::Rim(1.0)],
        Kind::Cone => &[Part::Rim(-1.0), Part::Tip],
        Kind::Ellipsoid => &[Part::Skin],
    }
}
