//! A mesh under construction: polygons become planar loops, and these get edges and adjacency.

use std::collections::BTreeMap;

use std::collections::hash_map::Entry;

use glam::DVec3;
use rustc_hash::FxHashMap;

use super::{Polyhedron, Side};
use crate::mesh::forest::{join, root};
use crate::mesh::outward::Turned;
use crate::mesh::plane::{is_flat, mean_plane};
use crate::mesh::polygons::MeshError;
use crate::mesh::rows::Rows;
use crate::mesh::split::{LARGEST_SPLIT, triangles};
use crate::mesh::weld::Weld;

/// The loop without corners that repeat their neighbour.
pub(super) fn distinct_neighbours(corners: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut kept: Vec<u32> = corners.collect();
    kept.dedup();
    while kept.len() > 1 && kept.first() == kept.last() {
        kept.pop();
    }
    kept
}

/// Faces, segments and points under construction, in welded input numbers.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) loops: Vec<Vec<u32>>,
    labels: Vec<u32>,
    normals: Vec<DVec3>,
    face_points: Vec<DVec3>,
    pub(super) segments: Vec<[u32; 2]>,
    pub(super) points: Vec<u32>,
}

impl Parts {
    pub(super) fn add_polygon(
        &mut self,
        face: usize,
        corners: &[u32],
        vertices: &[DVec3],
    ) -> Result<(), MeshError> {
        let places: Vec<DVec3> = corners.iter().map(|&v| vertices[v as usize]).collect();
        let Some(plane) = (corners.len() > 2).then(|| mean_plane(&places)).flatten() else {
            self.add_loop_as_segments(corners);
            return Ok(());
        };
        if corners.len() == 3 || is_flat(&places, &plane) {
            self.loops.push(corners.to_vec());
            self.labels.push(face as u32);
            self.normals.push(plane.normal);
            self.face_points.push(plane.point);
            return Ok(());
        }
        if corners.len() > LARGEST_SPLIT {
            let limit = LARGEST_SPLIT;
            return Err(MeshError::PolygonTooLarge { face, vertices: corners.len(), limit });
        }
        for triangle in triangles(&places) {
            self.add_polygon(face, &triangle.map(|i| corners[i]), vertices)?;
        }
        Ok(())
    }

    pub(super) fn add_loop_as_segments(&mut self, corners: &[u32]) {
        if corners.len() == 1 || corners.iter().all(|v| *v == corners[0]) {
            self.points.push(corners[0]);
            return;
        }
        let next = corners.iter().cycle().skip(1);
        let pairs = corners.iter().zip(next).map(|(&p, &q)| [p.min(q), p.max(q)]);
        self.segments.extend(pairs.filter(|[p, q]| p != q));
    }

    /// Numbers what is used, in input order, and builds the adjacency.
    pub(super) fn assemble(mut self, vertices: &[DVec3]) -> Polyhedron {
        let vertex_labels = self.used_vertices(vertices.len());
        let mut number = vec![0u32; vertices.len()];
        for (new, &label) in vertex_labels.iter().enumerate() {
            number[label as usize] = new as u32;
        }
        for corner in self.loops.iter_mut().flatten().chain(self.segments.iter_mut().flatten()) {
            *corner = number[*corner as usize];
        }
        let (edges, sides, loop_edges) = self.edges();
        let edge_sides = Rows::from_pairs(edges.len(), sides.iter().copied());
        let two_sided = open_components(self.loops.len(), &edge_sides);
        let ends = edges.iter().enumerate().flat_map(|(e, ends)| ends.map(|v| (v, e as u32)));
        let vertex_edges = Rows::from_pairs(vertex_labels.len(), ends);
        let corners = |(f, corners): (usize, &Vec<u32>)| {
            let mut once = corners.clone();
            once.sort_unstable();
            once.dedup();
            once.into_iter().map(move |v| (v, f as u32))
        };
        let corners: Vec<_> = self.loops.iter().enumerate().flat_map(corners).collect();
        Polyhedron {
            positions: vertex_labels.iter().map(|&v| vertices[v as usize]).collect(),
            edges,
            edge_sides,
            vertex_edges,
            vertex_faces: Rows::from_pairs(vertex_labels.len(), corners.iter().copied()),
            vertex_labels,
            loops: Rows::from_rows(self.loops.iter()),
            loop_edges,
            face_labels: self.labels,
            normals: self.normals,
            face_points: self.face_points,
            two_sided,
            weld: Weld::default(),
            edge_names: BTreeMap::new(),
            turned: Turned::default(),
        }
    }

    fn used_vertices(&self, count: usize) -> Vec<u32> {
        let mut used = vec![false; count];
        let all = self.loops.iter().flatten().chain(self.segments.iter().flatten());
        for &v in all.chain(&self.points) {
            used[v as usize] = true;
        }
        (0..count as u32).filter(|&v| used[v as usize]).collect()
    }

    /// Edges in order of first appearance, who borders them, and each loop's edges.
    #[allow(clippy::type_complexity, reason = "three parallel results of one pass")]
    fn edges(&self) -> (Vec<[u32; 2]>, Vec<(u32, Side)>, Rows<u32>) {
        let corners: usize = self.loops.iter().map(Vec::len).sum();
        let mut numbers = FxHashMap::with_capacity_and_hasher(corners, Default::default());
        let mut edges = Vec::with_capacity(corners / 2);
        let mut number = |p: u32, q: u32| {
            let ends = [p.min(q), p.max(q)];
            match numbers.entry(ends) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    edges.push(ends);
                    *new.insert(edges.len() as u32 - 1)
                }
            }
        };
        let mut sides = Vec::with_capacity(corners);
        let mut loop_edges = Vec::with_capacity(self.loops.len());
        for (face, corners) in self.loops.iter().enumerate() {
            let next = corners.iter().cycle().skip(1);
            let row: Vec<u32> = corners.iter().zip(next).map(|(&p, &q)| number(p, q)).collect();
            for (i, &edge) in row.iter().enumerate() {
                let left = corners[i] < corners[(i + 1) % corners.len()];
                sides.push((edge, Side { face: face as u32, left }));
            }
            loop_edges.push(row);
        }
        for &[p, q] in &self.segments {
            number(p, q);
        }
        (edges, sides, Rows::from_rows(loop_edges.iter()))
    }
}

/// For each face, whether its component has an edge with unequal numbers of left and right faces.
/// Faces are connected through edges, not through vertices.
fn open_components(faces: usize, sides: &Rows<Side>) -> Vec<bool> {
    let mut parent: Vec<u32> = (0..faces as u32).collect();
    for edge in 0..sides.len() as u32 {
        for pair in sides.row(edge).windows(2) {
            join(&mut parent, pair[0].face, pair[1].face);
        }
    }
    let mut open = vec![false; faces];
    for edge in 0..sides.len() as u32 {
        let row = sides.row(edge);
        let balance: i32 = row.iter().map(|side| if side.left { 1 } else { -1 }).sum();
        if balance != 0 {
            open[root(&mut parent, row[0].face) as usize] = true;
        }
    }
    (0..faces as u32).map(|f| open[root(&mut parent, f) as usize]).collect()
}
