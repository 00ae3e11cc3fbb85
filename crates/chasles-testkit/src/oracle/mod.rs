//! Every event of a query, slowly and independently of the library under test.
//!
//! All pairs of a face and a vertex, a vertex and a face, and two edges are examined. A filter in
//! `f64` drops pairs whose bounding balls stay apart (their centres move at a known speed, so a
//! few samples bound the distance throughout); it only discards. What is left is solved as a power
//! series in double-double ([`crate::motion`], [`crate::roots`]).
//!
//! *Accepts* meshes of planar polygons, closed or open, manifold or not, with lone segments and
//! points; any relative angle up to pi. *Fails* to be an authority where events are borderline;
//! [`Event::is_clear`] says where.

mod body;
mod pairs;

use chasles::{Polygons, Pose, Step};
use glam::DVec3;

use crate::dd::{Dd, Vector};
use crate::judge::{Event, ROOT_DISTANCE};
use crate::motion::{Motion, OVERHANG, Path};
use crate::query::Query;
use crate::roots::{Series, Zeros};
use crate::surface::Surface;
use body::{Ball, Body};
use pairs::{EdgePair, FacePair, Role, TimeFrame, touch};

/// Times this far outside the step are still listed, as borderline.
const TIME_SLACK: f64 = 1e-7;
/// Points this far outside a feature are still listed, as borderline; relative to the size, or
/// absolute for bodies smaller than 1.
const PLACE_SLACK: f64 = 1e-7;
/// Gaps below this part of the reach count as touching: 30 times the rounding that a careful
/// `f64` method must allow for.
const NEAR: f64 = 1e-12;

/// Every event of the query, sorted by time; borderline ones included.
pub fn oracle(query: &Query) -> Vec<Event> {
    let scene = Scene::new(query);
    let mut events = Vec::new();
    for (face, vertex) in scene.close(&scene.a.face_balls(), &scene.b.vertex_balls()) {
        scene.face_events(Role::FaceOfA, face, scene.b.surface.vertices[vertex], &mut events);
    }
    for (vertex, face) in scene.close(&scene.a.vertex_balls(), &scene.b.face_balls()) {
        scene.face_events(Role::FaceOfB, face, scene.a.surface.vertices[vertex], &mut events);
    }
    for (a, b) in scene.close(&scene.a.edge_balls(), &scene.b.edge_balls()) {
        scene.edge_events(a, b, &mut events);
    }
    events.sort_by(|p, q| p.time.total_cmp(&q.time).then(p.features.cmp(&q.features)));
    events
}

/// Every event of a step of any number of parts, sorted by time. Events next to the instant
/// between two parts are borderline, and listed with both.
pub fn oracle_of_step(a: &Polygons, b: &Polygons, step: &Step) -> Vec<Event> {
    let parts = (0..step.parts()).map(|index| step.part(index));
    let events = parts.flat_map(|part| {
        let poses_a = [Pose::IDENTITY; 2];
        let query = Query { a: a.clone(), b: b.clone(), poses_a, poses_b: part.b_in_a() };
        let [start, end] = part.times();
        let stretch = end - start;
        let whole = move |event: Event| Event {
            time: start + event.time * stretch,
            time_margin: event.time_margin * stretch,
            other_root: event.other_root * stretch,
            normal_speed: event.normal_speed / stretch,
            window: event.window.map(|t| start + t * stretch),
            ..event
        };
        oracle(&query).into_iter().map(whole)
    });
    let mut events: Vec<Event> = events.collect();
    events.sort_by(|p, q| p.time.total_cmp(&q.time).then(p.features.cmp(&q.features)));
    events
}

/// A query, prepared.
struct Scene {
    a: Body,
    b: Body,
    motion: Motion,
    slack: f64,
    near: f64,
    slices: usize,
}

impl Scene {
    fn new(query: &Query) -> Self {
        let motion = Motion::new(&query.poses_a, &query.poses_b);
        let [a, b] = [&query.a, &query.b].map(Surface::new);
        let places_a = a.positions.iter().map(|&p| p.into()).collect();
        let places_b = b.positions.iter().map(|&p| motion.placed(p)).collect();
        let (a, b) = (Body::new(a, places_a, &motion), Body::new(b, places_b, &motion));
        let size = query.size();
        let speed = a.paths.iter().chain(&b.paths).map(Path::speed).fold(0.0, f64::max);
        let faces = a.surface.faces.len().max(b.surface.faces.len()) as f64;
        let slices = (2.0 * faces.sqrt() * speed / size.max(1e-300)).clamp(8.0, 128.0) as usize;
        let slack = PLACE_SLACK * size.max(1.0);
        Self { a, b, motion, slack, near: NEAR * (2.0 * size + speed), slices }
    }

    /// Pairs of a feature of A and one of B whose balls may touch during the step.
    fn close(&self, of_a: &[Ball], of_b: &[Ball]) -> Vec<(usize, usize)> {
        let half = (0.5 + OVERHANG) / self.slices as f64;
        let rounded = |places: &[Vector]| places.iter().map(|p| p.to_f64()).collect::<Vec<_>>();
        let fixed = rounded(&self.a.places);
        let start = rounded(&self.b.places);
        let slice = |k: usize| -> Vec<DVec3> {
            let t = (k as f64 + 0.5) / self.slices as f64;
            self.b.paths.iter().map(|p| p.near(t)).collect()
        };
        let slices: Vec<Vec<DVec3>> = (0..self.slices).map(slice).collect();
        let balls: Vec<(DVec3, f64)> =
            of_a.iter().map(|b| (b.centre(&fixed), b.radius(&fixed))).collect();
        let mut pairs = Vec::new();
        for (j, ball) in of_b.iter().enumerate() {
            let centres: Vec<DVec3> = slices.iter().map(|places| ball.centre(places)).collect();
            let speeds = ball.members.iter().map(|&v| self.b.paths[v as usize].speed());
            let reach = ball.radius(&start) + speeds.fold(0.0, f64::max) * half * 1.01;
            // Rounding is far below `near`; points up to the slack outside are wanted too.
            let reach = reach + 4.0 * self.slack + 1e3 * self.near;
            for (i, &(centre, radius)) in balls.iter().enumerate() {
                let limit = (radius + reach).powi(2);
                if centres.iter().any(|c| c.distance_squared(centre) <= limit) {
                    pairs.push((i, j));
                }
            }
        }
        pairs
    }

    fn face_events(&self, role: Role, face: usize, vertex: u32, events: &mut Vec<Event>) {
        let pair = FacePair::new(self, role, face, vertex);
        let zeros = pair.series.zeros(-OVERHANG, 1.0 + OVERHANG, self.near);
        for (i, &root) in zeros.roots.iter().enumerate() {
            if let Some(frame) = self.frame_of_root(&zeros, i, pair.series.slope(root).to_f64()) {
                events.extend(pair.event(root, frame));
            }
        }
        let close = |t: f64, reach: f64| pair.margin(Dd::from(t)) > -(self.slack + reach);
        for window in self.windows(&zeros, &pair.series) {
            if let Some(first) = first_close(window, pair.speed, self.slack, close) {
                events.push(touch(pair.features(), [first, window[1]]));
            }
        }
    }

    fn edge_events(&self, a: usize, b: usize, events: &mut Vec<Event>) {
        let pair = EdgePair::new(self, a, b);
        let zeros = pair.series.zeros(-OVERHANG, 1.0 + OVERHANG, self.near);
        for (i, &root) in zeros.roots.iter().enumerate() {
            let crossing = pair.crossing(root);
            let rate = pair.series.slope(root).to_f64() / crossing.sine.max(1e-300);
            if let Some(frame) = self.frame_of_root(&zeros, i, rate) {
                events.extend(pair.event(root, &crossing, frame));
            }
        }
        let close = |t: f64, reach: f64| pair.distance(Dd::from(t)) < self.slack + reach;
        for window in self.windows(&zeros, &pair.series) {
            if let Some(first) = first_close(window, pair.speed, self.slack, close) {
                events.push(touch(pair.features(), [first, window[1]]));
            }
        }
    }

    /// Time, distance to the next root and window of a root; none if it is outside the step.
    fn frame_of_root(&self, zeros: &Zeros, index: usize, rate: f64) -> Option<TimeFrame> {
        let time = zeros.roots[index].to_f64();
        let roots = zeros.roots.iter().enumerate().filter(|(i, _)| *i != index);
        let roots = roots.map(|(_, r)| (*r - zeros.roots[index]).abs().to_f64());
        let touches = zeros.touches.iter();
        let touches = touches.map(|[a, b]| (a - time).max(time - b).max(0.0));
        let other_root = roots.chain(touches).fold(f64::INFINITY, f64::min);
        // Two roots too close to tell apart may be reported as one between them.
        let twin = if other_root < ROOT_DISTANCE { other_root } else { 0.0 };
        let shift = 1e-9 + self.near / rate.abs() + twin;
        let window = [time - shift, time + shift];
        let inside = (-TIME_SLACK..=1.0 + TIME_SLACK).contains(&time);
        if !inside && (window[1] < 0.0 || window[0] > 1.0) {
            return None;
        }
        Some(TimeFrame { time, other_root, rate, window })
    }

    /// Where the gap of the two features' planes or lines is negligible without a simple root:
    /// touches, and ends of the step from which a slow pair has its root far away.
    fn windows(&self, zeros: &Zeros, series: &Series) -> Vec<[f64; 2]> {
        let pad = |[a, b]: [f64; 2]| [(a - 1e-6).max(0.0), (b + 1e-6).min(1.0)];
        let mut windows: Vec<[f64; 2]> = zeros.touches.iter().copied().map(pad).collect();
        windows.retain(|[a, b]| a <= b);
        for end in [0.0, 1.0] {
            let near_root = |r: &Dd| (r.to_f64() - end).abs() < OVERHANG;
            let known = zeros.roots.iter().any(near_root)
                || windows.iter().any(|[a, b]| (a..=b).contains(&&end));
            if !known && series.near(end).abs() < self.near {
                let shift = 1e-9 + self.near / series.slope_near(end).abs().max(self.near);
                windows.push([(end - shift).max(0.0), (end + shift).min(1.0)]);
            }
        }
        windows
    }
}

/// The earliest time in the window from which on two features may be within the slack of each
/// other, or none if they never are. `close(t, reach)` says whether they are within the slack plus
/// `reach` at `t`; their distance changes at most at `speed`.
fn first_close(
    window: [f64; 2],
    speed: f64,
    slack: f64,
    close: impl Fn(f64, f64) -> bool,
) -> Option<f64> {
    // A pair that stays just outside the slack would be cut for ever; then any time will do.
    let mut budget = 2000;
    let mut stack = vec![window];
    while let Some([a, b]) = stack.pop() {
        let (middle, reach) = (0.5 * (a + b), 0.5 * (b - a) * speed);
        budget -= 1;
        if !close(middle, reach) {
            continue;
        }
        if reach <= slack || budget < 0 {
            return Some(a);
        }
        stack.extend([[middle, b], [a, middle]]);
    }
    None
}
