//! Two features: the function of time that vanishes when they touch, and what a root of it means.

use chasles::Features;
use glam::DVec3;

use super::Scene;
use super::body::Body;
use crate::dd::{Dd, Vector};
use crate::geometry::{Crossing, boundary_margin, segment_distance};
use crate::judge::Event;
use crate::motion::OVERHANG;
use crate::roots::Series;

/// Two values of properness closer than this leave the sign of the normal open.
const TIE: f64 = 1e-9;
/// Below this sine two edges are parallel for all practical purposes.
const PARALLEL: f64 = 1e-9;

/// Which body's face takes part.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Role {
    FaceOfA,
    FaceOfB,
}

/// What the roots alone say about an event.
pub(super) struct TimeFrame {
    pub(super) time: f64,
    pub(super) other_root: f64,
    pub(super) rate: f64,
    pub(super) window: [f64; 2],
}

/// A touch without a simple root, from the start of the window on; borderline by construction.
pub(super) fn touch(features: Features, window: [f64; 2]) -> Event {
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
pub(super) fn best_sign(terms: &[f64], rate: f64, signs: &[f64]) -> (f64, f64, bool) {
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
pub(super) struct FacePair<'s> {
    pub(super) scene: &'s Scene,
    pub(super) role: Role,
    pub(super) face: usize,
    pub(super) vertex: u32,
    pub(super) series: Series,
    pub(super) speed: f64,
}

impl<'s> FacePair<'s> {
    pub(super) fn new(scene: &'s Scene, role: Role, face: usize, vertex: u32) -> Self {
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

    pub(super) fn bodies(&self) -> (&'s Body, &'s Body) {
        bodies(self.scene, self.role)
    }

    /// Time along the motion of B that carries the vertex as the face sees it.
    pub(super) fn signed(&self, t: Dd) -> Dd {
        if self.role == Role::FaceOfA { t } else { -t }
    }

    pub(super) fn features(&self) -> Features {
        let (face, vertex) = (self.face as u32, self.vertex);
        match self.role {
            Role::FaceOfA => Features::Fv { face, vertex },
            Role::FaceOfB => Features::Vf { vertex, face },
        }
    }

    pub(super) fn margin(&self, t: Dd) -> f64 {
        let (of_face, of_vertex) = self.bodies();
        let point = of_vertex.paths[self.vertex as usize].at(self.signed(t));
        let corners = of_face.surface.faces[self.face].iter();
        let around: Vec<DVec3> =
            corners.map(|&v| (of_face.places[v as usize] - point).to_f64()).collect();
        boundary_margin(&around, of_face.normals[self.face].to_f64())
    }

    pub(super) fn event(&self, root: Dd, frame: TimeFrame) -> Option<Event> {
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
pub(super) fn bodies(scene: &Scene, role: Role) -> (&Body, &Body) {
    match role {
        Role::FaceOfA => (&scene.a, &scene.b),
        Role::FaceOfB => (&scene.b, &scene.a),
    }
}

/// An edge of A and an edge of B.
pub(super) struct EdgePair<'s> {
    pub(super) scene: &'s Scene,
    pub(super) a: usize,
    pub(super) b: usize,
    /// `det(u, w(t), b(t) - a)` for unit directions: the gap times the sine of the angle.
    pub(super) series: Series,
    pub(super) speed: f64,
}

impl<'s> EdgePair<'s> {
    pub(super) fn new(scene: &'s Scene, a: usize, b: usize) -> Self {
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

    pub(super) fn features(&self) -> Features {
        Features::Ee { a: ends(&self.scene.a, self.a), b: ends(&self.scene.b, self.b) }
    }

    /// The ends of both edges at time `t`, relative to the first end of A's.
    pub(super) fn places(&self, t: Dd) -> [Vector; 4] {
        let [p, q] = ends(&self.scene.a, self.a).map(|v| self.scene.a.places[v as usize]);
        let [r, s] = ends(&self.scene.b, self.b).map(|v| self.scene.b.paths[v as usize].at(t));
        [Vector::default(), q - p, r - p, s - p]
    }

    pub(super) fn crossing(&self, t: Dd) -> Crossing {
        Crossing::new(&self.places(t))
    }

    pub(super) fn distance(&self, t: Dd) -> f64 {
        let [p, q, r, s] = self.places(t).map(Vector::to_f64);
        segment_distance([p, q], [r, s])
    }

    pub(super) fn event(&self, root: Dd, crossing: &Crossing, frame: TimeFrame) -> Option<Event> {
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

pub(super) fn ends(body: &Body, edge: usize) -> [u32; 2] {
    body.surface.edges[edge].ends
}
