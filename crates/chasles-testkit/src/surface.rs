//! The adjacency of a mesh, built from its polygons and in the numbers of the input.
//!
//! Independent of the library's own. Vertices at the same place are one, with the lowest number.
//! Faces are taken as planar; those without area are left out, so meshes that have some belong in
//! tests that do not ask the oracle.

use std::collections::BTreeMap;

use chasles::Polygons;
use glam::DVec3;

/// An edge: its ends, lower number first, and for each face at it whether the face's loop runs
/// from the first end to the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The ends.
    pub ends: [u32; 2],
    /// The faces at it; `true` where the face lies on the left.
    pub sides: Vec<(usize, bool)>,
}

/// Vertices, edges and faces with who touches whom.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Positions by input number.
    pub positions: Vec<DVec3>,
    /// The loops of all faces, after welding.
    pub faces: Vec<Vec<u32>>,
    /// The edges, sorted by their ends.
    pub edges: Vec<Edge>,
    /// The vertices in use, in rising order.
    pub vertices: Vec<u32>,
    /// For each input number the edges at that vertex.
    pub vertex_edges: Vec<Vec<usize>>,
    /// For each face, whether its component is open.
    pub two_sided: Vec<bool>,
}

impl Surface {
    /// Builds the adjacency.
    pub fn new(mesh: &Polygons) -> Self {
        let welded = weld(&mesh.vertices);
        let name = |v: u32| welded[v as usize];
        let faces: Vec<Vec<u32>> =
            mesh.faces.iter().map(|f| f.iter().map(|&v| name(v)).collect()).collect();
        let mut table: BTreeMap<[u32; 2], Vec<(usize, bool)>> = BTreeMap::new();
        for (number, face) in faces.iter().enumerate() {
            for (&p, &q) in face.iter().zip(face.iter().cycle().skip(1)) {
                table.entry([p.min(q), p.max(q)]).or_default().push((number, p < q));
            }
        }
        for segment in &mesh.segments {
            let [p, q] = segment.map(name);
            table.entry([p.min(q), p.max(q)]).or_default();
        }
        let edges: Vec<Edge> =
            table.into_iter().map(|(ends, sides)| Edge { ends, sides }).collect();
        let mut vertex_edges = vec![Vec::new(); mesh.vertices.len()];
        for (number, edge) in edges.iter().enumerate() {
            edge.ends.iter().for_each(|&v| vertex_edges[v as usize].push(number));
        }
        let vertices = used_vertices(mesh, &edges, name);
        let two_sided = open_components(faces.len(), &edges);
        Self { positions: mesh.vertices.clone(), faces, edges, vertices, vertex_edges, two_sided }
    }

    /// The number of the edge with these ends, lower first.
    pub fn edge_number(&self, ends: [u32; 2]) -> Option<usize> {
        self.edges.binary_search_by_key(&ends, |e| e.ends).ok()
    }

    /// The other ends of the edges at a vertex.
    pub fn neighbours(&self, vertex: u32) -> impl Iterator<Item = u32> {
        let other = move |e: &usize| {
            let [p, q] = self.edges[*e].ends;
            if p == vertex { q } else { p }
        };
        self.vertex_edges[vertex as usize].iter().map(other)
    }
}

fn weld(vertices: &[DVec3]) -> Vec<u32> {
    let mut first = BTreeMap::new();
    let bits = |p: &DVec3| p.to_array().map(|c| (c + 0.0).to_bits());
    let number = |(i, p): (usize, &DVec3)| *first.entry(bits(p)).or_insert(i as u32);
    vertices.iter().enumerate().map(number).collect()
}

fn used_vertices(mesh: &Polygons, edges: &[Edge], name: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut used: Vec<u32> = edges.iter().flat_map(|e| e.ends).collect();
    used.extend(mesh.points.iter().map(|&v| name(v)));
    if mesh.faces.is_empty() && mesh.segments.is_empty() && mesh.points.is_empty() {
        used.extend((0..mesh.vertices.len() as u32).map(name));
    }
    used.sort_unstable();
    used.dedup();
    used
}

/// Spreads openness from unbalanced edges over shared edges until nothing changes.
fn open_components(faces: usize, edges: &[Edge]) -> Vec<bool> {
    let mut open = vec![false; faces];
    let balance = |e: &Edge| e.sides.iter().map(|s| if s.1 { 1 } else { -1 }).sum::<i32>();
    for edge in edges.iter().filter(|e| balance(e) != 0) {
        edge.sides.iter().for_each(|s| open[s.0] = true);
    }
    loop {
        let mut changed = false;
        for edge in edges {
            let any = edge.sides.iter().any(|s| open[s.0]);
            for side in edge.sides.iter().filter(|_| any) {
                changed |= !std::mem::replace(&mut open[side.0], true);
            }
        }
        if !changed {
            return open;
        }
    }
}
