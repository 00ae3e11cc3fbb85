//! Completeness modulo two: every piercing that appears or disappears needs an event.
//!
//! An edge pierces a face or it does not. During a motion that can change only when an end of the
//! edge crosses the face or the edge crosses the border of the face. So for each pair of an edge of
//! one body and a face of the other,
//!
//! ```text
//! pierces at the start  XOR  parity of its events  =  pierces at the end
//! ```
//!
//! A face-vertex event counts for all edges at the vertex against the face; an edge-edge event
//! counts for each edge against the faces at the other one. Nothing here solves for a time, so a
//! lost event shows even where every solver would lose it (unless two are lost in one pair).

use std::collections::BTreeSet;
use std::fmt;

use chasles::screw::RawEvent;
use chasles::{Features, Polygons, Step, Workspace};
use glam::DVec3;

use crate::geometry::boundary_margin;
use crate::motion::Motion;
use crate::query::{Query, collider, size_of};
use crate::surface::Surface;

/// Piercings closer to changing than this part of the size are not judged.
const BORDERLINE: f64 = 1e-9;

/// Whose edge it is; the face is the other body's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeOf {
    /// An edge of A and a face of B.
    A,
    /// An edge of B and a face of A.
    B,
}

/// An edge of one body and a face of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// Whose edge.
    pub edge_of: EdgeOf,
    /// The ends of the edge in the numbers of the input, lower first.
    pub edge: [u32; 2],
    /// The face in the numbers of the input.
    pub face: u32,
}

/// What the parity check found.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Parity {
    /// Pairs that pierce at the start, at the end, or have an event, and were judged.
    pub judged: usize,
    /// Pairs left out because a grazing event or a borderline piercing makes them ambiguous.
    pub set_apart: usize,
    /// Pairs whose parity is wrong.
    pub violations: Vec<Pair>,
    /// Events that name a feature the meshes do not have.
    pub unknown: Vec<Features>,
}

impl Parity {
    /// Whether nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.violations.is_empty() && self.unknown.is_empty()
    }
}

impl fmt::Display for Parity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (judged, apart) = (self.judged, self.set_apart);
        write!(f, "{judged} pairs judged, {apart} set apart, ")?;
        write!(f, "{} violations", self.violations.len())?;
        for pair in self.violations.iter().take(10) {
            write!(f, "\n  {pair:?}")?;
        }
        for features in self.unknown.iter().take(10) {
            write!(f, "\n  no such features: {features:?}")?;
        }
        Ok(())
    }
}

/// Checks the library's raw events of a query; see [`parity`].
pub fn parity_of_library(query: &Query, doubtful: &[Features]) -> Parity {
    parity_of_step([&query.a, &query.b], &query.step(), doubtful)
}

/// Checks the library's raw events of a step of any number of parts; see [`parity`].
pub fn parity_of_step(meshes: [&Polygons; 2], step: &Step, doubtful: &[Features]) -> Parity {
    let [a, b] = meshes.map(collider);
    let events = chasles::screw::raw_events(&a, &b, step, &mut Workspace::new());
    parity_in(&Scene::new(meshes, step), &events, doubtful)
}

/// Checks the parity of all pairs of an edge and a face, but for those that a doubtful event, one
/// that rounding may add or remove, would toggle.
pub fn parity(query: &Query, events: &[RawEvent], doubtful: &[Features]) -> Parity {
    parity_in(&Scene::of(query), events, doubtful)
}

fn parity_in(scene: &Scene, events: &[RawEvent], doubtful: &[Features]) -> Parity {
    let mut result = Parity::default();
    let mut odd = BTreeSet::new();
    let doubtful = doubtful.iter().filter_map(|features| scene.pairs_of(features)).flatten();
    let mut apart: BTreeSet<Pair> = doubtful.collect();
    let mut seen = BTreeSet::new();
    for event in events {
        let Some(pairs) = scene.pairs_of(&event.features) else {
            result.unknown.push(event.features);
            continue;
        };
        for pair in pairs {
            seen.insert(pair);
            if event.grazing {
                apart.insert(pair);
            }
            toggle(&mut odd, pair);
        }
    }
    for end in 0..2 {
        let piercings = scene.piercings(end);
        apart.extend(piercings.borderline);
        seen.extend(&piercings.certain);
        piercings.certain.into_iter().for_each(|pair| toggle(&mut odd, pair));
    }
    result.set_apart = apart.len();
    result.judged = seen.difference(&apart).count();
    result.violations = odd.difference(&apart).copied().collect();
    result
}

fn toggle(set: &mut BTreeSet<Pair>, pair: Pair) {
    if !set.remove(&pair) {
        set.insert(pair);
    }
}

/// Whether two closed convex bodies are surely apart at the start: nothing pierces anything, and
/// no vertex of one lies behind all faces of the other.
pub fn convex_bodies_start_apart(query: &Query) -> bool {
    let scene = Scene::of(query);
    let piercings = scene.piercings(0);
    let (places_a, places_b) = (&scene.a.positions, &scene.places_b[0]);
    piercings.certain.is_empty()
        && piercings.borderline.is_empty()
        && !is_inside(places_a[0], &scene.b.faces, places_b)
        && !is_inside(places_b[0], &scene.a.faces, places_a)
}

fn is_inside(point: DVec3, faces: &[Vec<u32>], places: &[DVec3]) -> bool {
    faces.iter().all(|face| {
        let polygon = Polygon::new(face.iter().map(|&v| places[v as usize]).collect());
        (point - polygon.centre).dot(polygon.normal) <= 0.0
    })
}

/// Which pairs pierce, and which cannot be told.
#[derive(Default)]
struct Piercings {
    certain: Vec<Pair>,
    borderline: Vec<Pair>,
}

/// Both surfaces, with positions in A's frame at the start and at the end.
struct Scene {
    a: Surface,
    b: Surface,
    places_b: [Vec<DVec3>; 2],
    tolerance: f64,
}

impl Scene {
    fn new(meshes: [&Polygons; 2], step: &Step) -> Self {
        let [a, b] = meshes.map(Surface::new);
        let places_b = [0.0, 1.0].map(|t| {
            let still = Motion::new(&[step.pose_of_a(t); 2], &[step.pose_of_b(t); 2]);
            b.positions.iter().map(|&p| still.placed(p).to_f64()).collect()
        });
        Self { a, b, places_b, tolerance: BORDERLINE * size_of(meshes[0], meshes[1]) }
    }

    fn of(query: &Query) -> Self {
        Self::new([&query.a, &query.b], &query.step())
    }

    /// The pairs that an event toggles; none if it names a feature that does not exist.
    fn pairs_of(&self, features: &Features) -> Option<Vec<Pair>> {
        let at_vertex = |edge_of, surface: &Surface, vertex: u32, face: u32| {
            let edges = surface.vertex_edges.get(vertex as usize)?;
            let pair = |&e: &usize| Pair { edge_of, edge: surface.edges[e].ends, face };
            Some(edges.iter().map(pair).collect::<Vec<Pair>>())
        };
        let at_edge = |edge_of, edge, other: &Surface, crossed| {
            let sides = &other.edges[other.edge_number(crossed)?].sides;
            let pair = |s: &(usize, bool)| Pair { edge_of, edge, face: s.0 as u32 };
            Some(sides.iter().map(pair).collect::<Vec<Pair>>())
        };
        match *features {
            Features::Fv { face, vertex } => {
                self.a.faces.get(face as usize)?;
                at_vertex(EdgeOf::B, &self.b, vertex, face)
            }
            Features::Vf { vertex, face } => {
                self.b.faces.get(face as usize)?;
                at_vertex(EdgeOf::A, &self.a, vertex, face)
            }
            Features::Ee { a, b } => {
                let mut pairs = at_edge(EdgeOf::A, a, &self.b, b)?;
                pairs.extend(at_edge(EdgeOf::B, b, &self.a, a)?);
                Some(pairs)
            }
        }
    }

    fn piercings(&self, end: usize) -> Piercings {
        let (places_a, places_b) = (&self.a.positions, &self.places_b[end]);
        let mut found = Piercings::default();
        self.add_piercings(EdgeOf::A, [places_a, places_b], &mut found);
        self.add_piercings(EdgeOf::B, [places_b, places_a], &mut found);
        found
    }

    /// Tests all edges of one body against all faces of the other; `places` are those of the
    /// edges and those of the faces.
    fn add_piercings(&self, edge_of: EdgeOf, places: [&[DVec3]; 2], found: &mut Piercings) {
        let (edges, faces) = match edge_of {
            EdgeOf::A => (&self.a.edges, &self.b.faces),
            EdgeOf::B => (&self.b.edges, &self.a.faces),
        };
        for (number, face) in faces.iter().enumerate() {
            let corners: Vec<DVec3> = face.iter().map(|&v| places[1][v as usize]).collect();
            let polygon = Polygon::new(corners);
            for edge in edges {
                let pair = Pair { edge_of, edge: edge.ends, face: number as u32 };
                let [p, q] = edge.ends.map(|v| places[0][v as usize]);
                match polygon.pierced_by(p, q, self.tolerance) {
                    Some(true) => found.certain.push(pair),
                    Some(false) => {}
                    None => found.borderline.push(pair),
                }
            }
        }
    }
}

/// A face with what piercing tests need.
struct Polygon {
    corners: Vec<DVec3>,
    normal: DVec3,
    centre: DVec3,
    radius: f64,
}

impl Polygon {
    fn new(corners: Vec<DVec3>) -> Self {
        let first = corners[0];
        let next = corners.iter().cycle().skip(1);
        let area = |(p, q): (&DVec3, &DVec3)| (p - first).cross(q - first);
        let normal = corners.iter().zip(next).map(area).sum::<DVec3>().normalize_or_zero();
        let centre = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let radius = corners.iter().map(|c| c.distance(centre)).fold(0.0, f64::max);
        Self { corners, normal, centre, radius }
    }

    /// Whether the segment pierces the polygon; none if rounding could tell otherwise.
    fn pierced_by(&self, p: DVec3, q: DVec3, tolerance: f64) -> Option<bool> {
        let [from, to] = [p, q].map(|x| (x - self.centre).dot(self.normal));
        if from.min(to) > tolerance || from.max(to) < -tolerance {
            return Some(false);
        }
        let middle = 0.5 * (p + q);
        let reach = 0.5 * p.distance(q) + self.radius + tolerance;
        if middle.distance_squared(self.centre) > reach * reach {
            return Some(false);
        }
        if from.abs() <= tolerance && to.abs() <= tolerance {
            return None;
        }
        // An end near the plane stands for the crossing point.
        let s = (from / (from - to)).clamp(0.0, 1.0);
        let crossing = p.lerp(q, s);
        let around: Vec<DVec3> = self.corners.iter().map(|c| c - crossing).collect();
        let margin = boundary_margin(&around, self.normal);
        if margin < -tolerance {
            return Some(false);
        }
        let clear = margin > tolerance && from.abs() > tolerance && to.abs() > tolerance;
        clear.then_some(true)
    }
}
