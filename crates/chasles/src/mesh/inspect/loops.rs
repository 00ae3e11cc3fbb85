//! What shows in the polygons as they were stated.

use glam::{DVec2, DVec3};
use rustc_hash::FxHashMap;

use super::{Bent, Sample};
use crate::mesh::Polygons;
use crate::mesh::plane::{Plane, is_flat, mean_plane};

/// Crossings are looked for pair by pair, so only in polygons up to this many corners.
const LARGEST_CROSSING_TEST: usize = 256;

/// A corner counts as reflex if it turns back by more than this sine: above the rounding of the
/// corners of a finely divided straight side, below anything one can see.
const REFLEX: f64 = 1e-9;

/// Findings about the input's vertices and faces.
#[derive(Default)]
pub(super) struct Loops {
    pub(super) bent: Sample<Bent>,
    pub(super) worst_deviation: f64,
    pub(super) flat: Sample<u32>,
    pub(super) repeated: Sample<u32>,
    pub(super) concave: Sample<u32>,
    pub(super) crossing: Sample<u32>,
    pub(super) repeated_vertices: Sample<u32>,
    pub(super) unused_vertices: Sample<u32>,
}

impl Loops {
    pub(super) fn of(polygons: &Polygons) -> Self {
        let mut loops = Self::default();
        let same = first_at_same_place(&polygons.vertices);
        for (vertex, &first) in same.iter().enumerate() {
            if first as usize != vertex {
                loops.repeated_vertices.push(vertex as u32);
            }
        }
        loops.find_unused(polygons);
        let mut known = FxHashMap::default();
        for (number, face) in polygons.faces.iter().enumerate() {
            let number = number as u32;
            let corners = without_repeats(face.iter().map(|&v| same[v as usize]));
            let mut key = corners.clone();
            key.sort_unstable();
            if *known.entry(key).or_insert(number) != number {
                loops.repeated.push(number);
            }
            let places: Vec<DVec3> =
                corners.iter().map(|&v| polygons.vertices[v as usize]).collect();
            loops.look_at(number, &places);
        }
        loops
    }

    fn look_at(&mut self, face: u32, corners: &[DVec3]) {
        let Some(plane) = (corners.len() > 2).then(|| mean_plane(corners)).flatten() else {
            self.flat.push(face);
            return;
        };
        if corners.len() == 3 {
            return;
        }
        let distance = |corner: &DVec3| (corner - plane.point).dot(plane.normal).abs();
        let deviation = corners.iter().map(distance).fold(0.0, f64::max);
        self.worst_deviation = self.worst_deviation.max(deviation);
        if !is_flat(corners, &plane) {
            self.bent.push(Bent { face, deviation });
        }
        let outline = project(corners, &plane);
        let concave = has_reflex_corner(&outline);
        if concave {
            self.concave.push(face);
        }
        // A loop that only turns left crosses itself if it winds more than once, like a pentagram.
        let testable = corners.len() <= LARGEST_CROSSING_TEST;
        let crossing =
            if concave { testable && crosses_itself(&outline) } else { turns(&outline) > 1.5 };
        if crossing {
            self.crossing.push(face);
        }
    }

    fn find_unused(&mut self, polygons: &Polygons) {
        if polygons.faces.is_empty() && polygons.segments.is_empty() && polygons.points.is_empty() {
            return; // Every vertex is a point then.
        }
        let mut used = vec![false; polygons.vertices.len()];
        let faces = polygons.faces.iter().flatten();
        for &v in faces.chain(polygons.segments.iter().flatten()).chain(&polygons.points) {
            used[v as usize] = true;
        }
        for (vertex, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
            self.unused_vertices.push(vertex as u32);
        }
    }
}

fn first_at_same_place(vertices: &[DVec3]) -> Vec<u32> {
    let mut first = FxHashMap::with_capacity_and_hasher(vertices.len(), Default::default());
    // Adding 0.0 turns -0.0 into 0.0, so that equal coordinates have equal bits.
    let bits = |p: &DVec3| p.to_array().map(|c| (c + 0.0).to_bits());
    let number = |(i, p)| *first.entry(bits(p)).or_insert(i as u32);
    vertices.iter().enumerate().map(number).collect()
}

fn without_repeats(corners: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut kept: Vec<u32> = corners.collect();
    kept.dedup();
    while kept.len() > 1 && kept.first() == kept.last() {
        kept.pop();
    }
    kept
}

fn project(corners: &[DVec3], plane: &Plane) -> Vec<DVec2> {
    let (x, y) = plane.normal.any_orthonormal_pair();
    let flat = |c: &DVec3| DVec2::new((c - plane.point).dot(x), (c - plane.point).dot(y));
    corners.iter().map(flat).collect()
}

fn has_reflex_corner(outline: &[DVec2]) -> bool {
    let n = outline.len();
    (0..n).any(|i| {
        let before = outline[i] - outline[(i + n - 1) % n];
        let after = outline[(i + 1) % n] - outline[i];
        before.perp_dot(after) < -REFLEX * before.length() * after.length()
    })
}

/// How often the direction of the sides goes around.
fn turns(outline: &[DVec2]) -> f64 {
    let n = outline.len();
    let side = |i: usize| outline[(i + 1) % n] - outline[i % n];
    (0..n).map(|i| side(i).angle_to(side(i + 1))).sum::<f64>() / std::f64::consts::TAU
}

/// Whether two sides that share no corner pass through each other.
fn crosses_itself(outline: &[DVec2]) -> bool {
    let n = outline.len();
    let side = |i: usize| [outline[i], outline[(i + 1) % n]];
    let apart = |i: usize, j: usize| j > i + 1 && (i, j) != (0, n - 1);
    (0..n).any(|i| (i + 2..n).any(|j| apart(i, j) && cross(side(i), side(j))))
}

fn cross([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let turn = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0
}
