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

use chasles::{Features, Polygons, Pose, Step};
use glam::DVec3;

use crate::dd::{Dd, Vector};
use crate::geometry::{Crossing, boundary_margin, segment_distance};
use crate::judge::{Event, ROOT_DISTANCE};
use crate::motion::{LinePath, Motion, OVERHANG, Path};
use crate::query::Query;
use crate::roots::{Series, Zeros};
use crate::surface::Surface;

/// Times this far outside the step are still listed, as borderline.
const TIME_SLACK: f64 = 1e-7;
/// Points this far outside a feature are still listed, as borderline; relative to the size, or
/// absolute for bodies smaller than 1.
const PLACE_SLACK: f64 = 1e-7;
/// Gaps below this part of the reach count as touching: 30 times the rounding that a careful
/// `f64` method must allow for.
const NEAR: f64 = 1e-12;
/// Two values of properness closer than this leave the sign of the normal open.
const TIE: f64 = 1e-9;
/// Below this sine two edges are parallel for all practical purposes.
const PARALLEL: f64 = 1e-9;

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

/// One mesh in A's frame at the start of the step.
struct Body {
    surface: Surface,
    places: Vec<Vector>,
    /// Paths under the motion of B; for A's vertices the inverse motion is this one at `-t`.
    paths: Vec<Path>,
    normals: Vec<Vector>,
    centres: Vec<Vector>,
    lines: Vec<LinePath>,
}

impl Body {
    fn new(surface: Surface, places: Vec<Vector>, motion: &Motion) -> Self {
        let paths = places.iter().map(|&p| motion.path(p)).collect();
        let corners =
            |face: &Vec<u32>| -> Vec<Vector> { face.iter().map(|&v| places[v as usize]).collect() };
        let normals = surface.faces.iter().map(|f| newell_normal(&corners(f))).collect();
        let centres = surface.faces.iter().map(|f| mean(&corners(f))).collect();
        let line = |ends: [u32; 2]| {
            let [p, q] = ends.map(|v| places[v as usize]);
            motion.line(p, q)
        };
        let lines = surface.edges.iter().map(|e| line(e.ends)).collect();
        Self { surface, places, paths, normals, centres, lines }
    }

    /// The directions of the edges at a vertex, not yet unit.
    fn directions(&self, vertex: u32) -> impl Iterator<Item = Vector> {
        let from = self.places[vertex as usize];
        self.surface.neighbours(vertex).map(move |w| self.places[w as usize] - from)
    }

    /// For each face at an edge, the direction within the face away from the edge.
    fn inward(&self, edge: usize) -> impl Iterator<Item = Vector> {
        let edge = &self.surface.edges[edge];
        let [p, q] = edge.ends.map(|v| self.places[v as usize]);
        let along = (q - p).unit();
        let into = move |&(face, left): &(usize, bool)| {
            let inward = self.normals[face].cross(along);
            if left { inward } else { -inward }
        };
        edge.sides.iter().map(into)
    }

    fn face_balls(&self) -> Vec<Ball> {
        self.surface.faces.iter().map(|f| Ball { members: f.clone() }).collect()
    }

    fn edge_balls(&self) -> Vec<Ball> {
        self.surface.edges.iter().map(|e| Ball { members: e.ends.to_vec() }).collect()
    }

    fn vertex_balls(&self) -> Vec<Ball> {
        self.surface.vertices.iter().map(|&v| Ball { members: vec![v] }).collect()
    }
}

fn newell_normal(corners: &[Vector]) -> Vector {
    let next = corners.iter().cycle().skip(1);
    let area = |(&p, &q): (&Vector, &Vector)| (p - corners[0]).cross(q - corners[0]);
    corners.iter().zip(next).map(area).fold(Vector::default(), |sum, a| sum + a).unit()
}

fn mean(corners: &[Vector]) -> Vector {
    let sum = corners.iter().fold(Vector::default(), |sum, &p| sum + p);
    sum * (Dd::ONE / Dd::from(corners.len() as f64))
}

/// A feature as the ball about the mean of its vertices.
struct Ball {
    members: Vec<u32>,
}

impl Ball {
    fn centre(&self, places: &[DVec3]) -> DVec3 {
        let sum: DVec3 = self.members.iter().map(|&v| places[v as usize]).sum();
        sum / self.members.len() as f64
    }

    fn radius(&self, places: &[DVec3]) -> f64 {
        let centre = self.centre(places);
        let distance = |&v: &u32| places[v as usize].distance(centre);
        self.members.iter().map(distance).fold(0.0, f64::max)
    }
}

/// Which body's face takes part.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    FaceOfA,
    FaceOfB,
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

/// What the roots alone say about an event.
struct TimeFrame {
    time: f64,
    other_root: f64,
    rate: f64,
    window: [f64; 2],
}

/// A touch without a simple root, from the start of the window on; borderline by construction.
fn touch(features: Features, window: [f64; 2]) -> Event {
    let time = window[0];
    Event {
        features,
        time,
        point_in_a: DVec3::ZERO,
        normal_in_a: DVec3::Z,
        properness: 0.0,
        normal_speed: 0.0,
        feature_margin: 0.0,
        time_margin: time.min(1.0 - time),
        inside: false,
        other_root: 0.0,
        sin_angle: 1.0,
        either_sign: true,
        // The slack is wider than any tolerance of containment; this is for rounding only.
        window: [window[0] - 1e-9, window[1] + 1e-9],
    }
}

/// Sign of the normal, properness and whether the other sign is as good. `terms` are the values
/// whose minimum is the properness, for the sign +1; `rate` is the normal speed for that sign.
fn best_sign(terms: &[f64], rate: f64, signs: &[f64]) -> (f64, f64, bool) {
    let value = |sign: f64| terms.iter().map(|t| sign * t).reduce(f64::min).unwrap_or(1.0);
    if let [only] = signs {
        return (*only, value(*only), false);
    }
    let (plus, minus) = (value(1.0), value(-1.0));
    let tie = (plus - minus).abs() < TIE;
    let sign = if terms.is_empty() {
        if rate <= 0.0 { 1.0 } else { -1.0 }
    } else if plus >= minus {
        1.0
    } else {
        -1.0
    };
    (sign, value(sign), tie && !terms.is_empty())
}

/// A face of one body and a vertex of the other, seen from the face.
struct FacePair<'s> {
    scene: &'s Scene,
    role: Role,
    face: usize,
    vertex: u32,
    series: Series,
    speed: f64,
}

impl<'s> FacePair<'s> {
    fn new(scene: &'s Scene, role: Role, face: usize, vertex: u32) -> Self {
        let (of_face, of_vertex) = bodies(scene, role);
        let path = &of_vertex.paths[vertex as usize];
        let normal = of_face.normals[face];
        let mut terms: Vec<Dd> = path.terms().iter().map(|&c| normal.dot(c)).collect();
        terms[0] = normal.dot(path.terms()[0] - of_face.centres[face]);
        if role == Role::FaceOfB {
            // Seen from B, A's vertex runs along the same curve backwards.
            terms.iter_mut().skip(1).step_by(2).for_each(|c| *c = -*c);
        }
        let speed = path.speed();
        // The acceleration along a screw is the speed across the axis times the angle.
        let series = Series::new(terms, scene.motion.angle() * speed * (1.0 + 1e-9));
        Self { scene, role, face, vertex, series, speed }
    }

    fn bodies(&self) -> (&'s Body, &'s Body) {
        bodies(self.scene, self.role)
    }

    /// Time along the motion of B that carries the vertex as the face sees it.
    fn signed(&self, t: Dd) -> Dd {
        if self.role == Role::FaceOfA { t } else { -t }
    }

    fn features(&self) -> Features {
        let (face, vertex) = (self.face as u32, self.vertex);
        match self.role {
            Role::FaceOfA => Features::Fv { face, vertex },
            Role::FaceOfB => Features::Vf { vertex, face },
        }
    }

    fn margin(&self, t: Dd) -> f64 {
        let (of_face, of_vertex) = self.bodies();
        let point = of_vertex.paths[self.vertex as usize].at(self.signed(t));
        let corners = of_face.surface.faces[self.face].iter();
        let around: Vec<DVec3> =
            corners.map(|&v| (of_face.places[v as usize] - point).to_f64()).collect();
        boundary_margin(&around, of_face.normals[self.face].to_f64())
    }

    fn event(&self, root: Dd, frame: TimeFrame) -> Option<Event> {
        let feature_margin = self.margin(root);
        if feature_margin < -self.scene.slack {
            return None;
        }
        let (of_face, of_vertex) = self.bodies();
        let motion = &self.scene.motion;
        let normal = of_face.normals[self.face];
        let term = |d: Vector| motion.turned(d, self.signed(root)).unit().dot(normal).to_f64();
        let terms: Vec<f64> = of_vertex.directions(self.vertex).map(term).collect();
        let signs: &[f64] =
            if of_face.surface.two_sided[self.face] { &[1.0, -1.0] } else { &[1.0] };
        let (sign, properness, either_sign) = best_sign(&terms, frame.rate, signs);
        let (point_in_a, normal) = match self.role {
            Role::FaceOfA => (of_vertex.paths[self.vertex as usize].at(root), normal),
            Role::FaceOfB => (of_vertex.places[self.vertex as usize], -motion.turned(normal, root)),
        };
        let time_margin = frame.time.min(1.0 - frame.time);
        Some(Event {
            features: self.features(),
            time: frame.time,
            point_in_a: point_in_a.to_f64(),
            normal_in_a: normal.to_f64() * sign,
            properness,
            normal_speed: frame.rate * sign,
            feature_margin,
            time_margin,
            inside: feature_margin >= 0.0 && time_margin >= 0.0,
            other_root: frame.other_root,
            sin_angle: 1.0,
            either_sign,
            window: frame.window,
        })
    }
}

/// The body of the face and the body of the vertex.
fn bodies(scene: &Scene, role: Role) -> (&Body, &Body) {
    match role {
        Role::FaceOfA => (&scene.a, &scene.b),
        Role::FaceOfB => (&scene.b, &scene.a),
    }
}

/// An edge of A and an edge of B.
struct EdgePair<'s> {
    scene: &'s Scene,
    a: usize,
    b: usize,
    /// `det(u, w(t), b(t) - a)` for unit directions: the gap times the sine of the angle.
    series: Series,
    speed: f64,
}

impl<'s> EdgePair<'s> {
    fn new(scene: &'s Scene, a: usize, b: usize) -> Self {
        let [p, q] = ends(&scene.a, a).map(|v| scene.a.places[v as usize]);
        let direction = (q - p).unit();
        // The moment about A's origin would cancel for bodies far from it; about `p` it is zero,
        // and the moving line's moment about `p` differs by `p x d`.
        let line = &scene.b.lines[b];
        let about = |(m, d): (&Vector, &Vector)| direction.dot(p.cross(*d) - *m);
        let terms: Vec<Dd> = line.moments.iter().zip(&line.directions).map(about).collect();
        let paths = ends(&scene.b, b).map(|v| &scene.b.paths[v as usize]);
        let speed = paths[0].speed().max(paths[1].speed());
        let apart = (paths[0].terms()[0] - p).length().to_f64() + speed * (1.0 + OVERHANG);
        let angle = scene.motion.angle();
        let curvature = angle * angle * apart + 3.0 * angle * speed;
        Self { scene, a, b, series: Series::new(terms, curvature * (1.0 + 1e-9)), speed }
    }

    fn features(&self) -> Features {
        Features::Ee { a: ends(&self.scene.a, self.a), b: ends(&self.scene.b, self.b) }
    }

    /// The ends of both edges at time `t`, relative to the first end of A's.
    fn places(&self, t: Dd) -> [Vector; 4] {
        let [p, q] = ends(&self.scene.a, self.a).map(|v| self.scene.a.places[v as usize]);
        let [r, s] = ends(&self.scene.b, self.b).map(|v| self.scene.b.paths[v as usize].at(t));
        [Vector::default(), q - p, r - p, s - p]
    }

    fn crossing(&self, t: Dd) -> Crossing {
        Crossing::new(&self.places(t))
    }

    fn distance(&self, t: Dd) -> f64 {
        let [p, q, r, s] = self.places(t).map(Vector::to_f64);
        segment_distance([p, q], [r, s])
    }

    fn event(&self, root: Dd, crossing: &Crossing, frame: TimeFrame) -> Option<Event> {
        if crossing.sine < PARALLEL {
            let is_close = self.distance(root) < self.scene.slack;
            return is_close.then(|| touch(self.features(), frame.window));
        }
        // Near-parallel lines cross at a place that is known less well.
        if crossing.margin < -(self.scene.slack + self.scene.near / crossing.sine) {
            return None;
        }
        let normal = crossing.normal;
        let in_a = self.scene.a.inward(self.a).map(|d| -normal.dot(d).to_f64());
        let turned = |d: Vector| self.scene.motion.turned(d, root);
        let in_b = self.scene.b.inward(self.b).map(|d| normal.dot(turned(d)).to_f64());
        let terms: Vec<f64> = in_a.chain(in_b).collect();
        let (sign, properness, either_sign) = best_sign(&terms, frame.rate, &[1.0, -1.0]);
        let [p, _] = ends(&self.scene.a, self.a).map(|v| self.scene.a.places[v as usize]);
        let time_margin = frame.time.min(1.0 - frame.time);
        Some(Event {
            features: self.features(),
            time: frame.time,
            point_in_a: (p + crossing.point).to_f64(),
            normal_in_a: normal.to_f64() * sign,
            properness,
            normal_speed: frame.rate * sign,
            feature_margin: crossing.margin,
            time_margin,
            inside: crossing.margin >= 0.0 && time_margin >= 0.0,
            other_root: frame.other_root,
            sin_angle: crossing.sine,
            either_sign,
            window: frame.window,
        })
    }
}

fn ends(body: &Body, edge: usize) -> [u32; 2] {
    body.surface.edges[edge].ends
}
