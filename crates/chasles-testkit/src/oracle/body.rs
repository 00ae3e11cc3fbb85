//! A mesh in A's frame, with the paths of its vertices and edges.

use glam::DVec3;

use crate::dd::{Dd, Vector};
use crate::motion::{LinePath, Motion, Path};
use crate::surface::Surface;

/// One mesh in A's frame at the start of the step.
pub(super) struct Body {
    pub(super) surface: Surface,
    pub(super) places: Vec<Vector>,
    /// Paths under the motion of B; for A's vertices the inverse motion is this one at `-t`.
    pub(super) paths: Vec<Path>,
    pub(super) normals: Vec<Vector>,
    pub(super) centres: Vec<Vector>,
    pub(super) lines: Vec<LinePath>,
}

impl Body {
    pub(super) fn new(surface: Surface, places: Vec<Vector>, motion: &Motion) -> Self {
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
    pub(super) fn directions(&self, vertex: u32) -> impl Iterator<Item = Vector> {
        let from = self.places[vertex as usize];
        self.surface.neighbours(vertex).map(move |w| self.places[w as usize] - from)
    }

    /// For each face at an edge, the direction within the face away from the edge.
    pub(super) fn inward(&self, edge: usize) -> impl Iterator<Item = Vector> {
        let edge = &self.surface.edges[edge];
        let [p, q] = edge.ends.map(|v| self.places[v as usize]);
        let along = (q - p).unit();
        let into = move |&(face, left): &(usize, bool)| {
            let inward = self.normals[face].cross(along);
            if left { inward } else { -inward }
        };
        edge.sides.iter().map(into)
    }

    pub(super) fn face_balls(&self) -> Vec<Ball> {
        self.surface.faces.iter().map(|f| Ball { members: f.clone() }).collect()
    }

    pub(super) fn edge_balls(&self) -> Vec<Ball> {
        self.surface.edges.iter().map(|e| Ball { members: e.ends.to_vec() }).collect()
    }

    pub(super) fn vertex_balls(&self) -> Vec<Ball> {
        self.surface.vertices.iter().map(|&v| Ball { members: vec![v] }).collect()
    }
}

pub(super) fn newell_normal(corners: &[Vector]) -> Vector {
    let next = corners.iter().cycle().skip(1);
    let area = |(&p, &q): (&Vector, &Vector)| (p - corners[0]).cross(q - corners[0]);
    corners.iter().zip(next).map(area).fold(Vector::default(), |sum, a| sum + a).unit()
}

pub(super) fn mean(corners: &[Vector]) -> Vector {
    let sum = corners.iter().fold(Vector::default(), |sum, &p| sum + p);
    sum * (Dd::ONE / Dd::from(corners.len() as f64))
}

/// A feature as the ball about the mean of its vertices.
pub(super) struct Ball {
    pub(super) members: Vec<u32>,
}

impl Ball {
    pub(super) fn centre(&self, places: &[DVec3]) -> DVec3 {
        let sum: DVec3 = self.members.iter().map(|&v| places[v as usize]).sum();
        sum / self.members.len() as f64
    }

    pub(super) fn radius(&self, places: &[DVec3]) -> f64 {
        let centre = self.centre(places);
        let distance = |&v: &u32| places[v as usize].distance(centre);
        self.members.iter().map(distance).fold(0.0, f64::max)
    }
}
