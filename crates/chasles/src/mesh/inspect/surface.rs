//! What shows in the adjacency.

use super::{Component, Sample};
use crate::mesh::Polyhedron;
use crate::mesh::components::Components;
use crate::mesh::forest::join;
use crate::mesh::mass::{middle, six_volumes};

/// How the faces at an edge go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// Two faces that agree on which side is outside.
    Sound,
    /// A single face: the surface ends here.
    Border,
    /// More than two faces.
    Crowded,
    /// Two faces that disagree on which side is outside.
    Twisted,
    /// No face at all.
    Lone,
}

impl EdgeKind {
    /// What kind of edge the mesh has there.
    pub fn of(mesh: &Polyhedron, edge: u32) -> Self {
        match mesh.edge_sides(edge) {
            [] => Self::Lone,
            [_] => Self::Border,
            [one, other] if one.left != other.left => Self::Sound,
            [_, _] => Self::Twisted,
            _ => Self::Crowded,
        }
    }
}

/// Whether the faces at a vertex are more than a single fan: parts of the surface meet there
/// without sharing an edge.
pub fn is_pinched(mesh: &Polyhedron, vertex: u32) -> bool {
    fans(mesh, vertex) > 1
}

/// Findings about edges, vertices and components.
#[derive(Default)]
pub(super) struct Surface {
    pub(super) border_edges: Sample<[u32; 2]>,
    pub(super) crowded_edges: Sample<[u32; 2]>,
    pub(super) twisted_edges: Sample<[u32; 2]>,
    pub(super) pinched: Sample<u32>,
    pub(super) inward: Sample<u32>,
    pub(super) components: Vec<Component>,
    pub(super) lone_segments: usize,
    pub(super) lone_points: usize,
    pub(super) edge_lengths: Option<[f64; 2]>,
}

impl Surface {
    pub(super) fn of(mesh: &Polyhedron) -> Self {
        let mut surface = Self::default();
        let components = Components::of(mesh);
        let mut sound = vec![true; components.count];
        surface.look_at_edges(mesh, &components, &mut sound);
        surface.look_at_vertices(mesh, &components, &mut sound);
        surface.components = summaries(mesh, &components, &sound);
        for component in &surface.components {
            if component.volume.is_some_and(|volume| volume < 0.0) {
                surface.inward.push(component.first_face);
            }
        }
        surface
    }

    fn look_at_edges(&mut self, mesh: &Polyhedron, components: &Components, sound: &mut [bool]) {
        for edge in 0..mesh.edge_count() as u32 {
            let [p, q] = mesh.edge(edge).map(|v| mesh.position(v));
            let length = p.distance(q);
            let [shortest, longest] = self.edge_lengths.unwrap_or([length; 2]);
            self.edge_lengths = Some([shortest.min(length), longest.max(length)]);
            match EdgeKind::of(mesh, edge) {
                EdgeKind::Sound => continue,
                EdgeKind::Lone => self.lone_segments += 1,
                EdgeKind::Border => self.border_edges.push(mesh.edge_label(edge)),
                EdgeKind::Twisted => self.twisted_edges.push(mesh.edge_label(edge)),
                EdgeKind::Crowded => self.crowded_edges.push(mesh.edge_label(edge)),
            }
            if let Some(side) = mesh.edge_sides(edge).first() {
                sound[components.of_face[side.face as usize] as usize] = false;
            }
        }
    }

    fn look_at_vertices(&mut self, mesh: &Polyhedron, components: &Components, sound: &mut [bool]) {
        for vertex in 0..mesh.vertex_count() as u32 {
            let faces = mesh.vertex_faces(vertex);
            if faces.is_empty() && mesh.vertex_edges(vertex).is_empty() {
                self.lone_points += 1;
            }
            if !is_pinched(mesh, vertex) {
                continue;
            }
            self.pinched.push(mesh.vertex_label(vertex));
            // Two components that merely touch here are each sound.
            let of = |face: &u32| components.of_face[*face as usize] as usize;
            for [a, b] in faces.windows(2).map(|pair| [of(&pair[0]), of(&pair[1])]) {
                sound[a] &= a != b;
            }
        }
    }
}

/// How many sets of faces meet at a vertex, faces that share an edge there being of one set.
fn fans(mesh: &Polyhedron, vertex: u32) -> usize {
    let mut faces = mesh.vertex_faces(vertex).to_vec();
    faces.sort_unstable();
    let mut parent: Vec<u32> = (0..faces.len() as u32).collect();
    let mut fans = faces.len();
    for &edge in mesh.vertex_edges(vertex) {
        for pair in mesh.edge_sides(edge).windows(2) {
            let place = |face: u32| faces.partition_point(|other| *other < face) as u32;
            fans -= usize::from(join(&mut parent, place(pair[0].face), place(pair[1].face)));
        }
    }
    fans
}

fn summaries(mesh: &Polyhedron, components: &Components, sound: &[bool]) -> Vec<Component> {
    let reference = middle(mesh);
    let volumes = components.sums(|face| six_volumes(mesh, face, reference));
    let faces = components.sums(|_| 1.0);
    let mut summaries: Vec<Component> = (0..components.count)
        .map(|i| Component {
            first_face: u32::MAX,
            faces: faces[i] as usize,
            closed: false,
            volume: Some(volumes[i] / 6.0),
            euler: faces[i] as i64,
            genus: None,
        })
        .collect();
    for (face, &component) in components.of_face.iter().enumerate() {
        let summary = &mut summaries[component as usize];
        summary.first_face = summary.first_face.min(mesh.face_label(face as u32));
        summary.closed = !mesh.is_two_sided(face as u32);
    }
    count_vertices_and_edges(mesh, components, &mut summaries);
    for (summary, &sound) in summaries.iter_mut().zip(sound) {
        summary.volume = summary.volume.filter(|_| summary.closed);
        let handles = (sound && summary.closed).then_some((2 - summary.euler) / 2);
        summary.genus = handles.and_then(|handles| u64::try_from(handles).ok());
    }
    summaries
}

fn count_vertices_and_edges(mesh: &Polyhedron, components: &Components, to: &mut [Component]) {
    for edge in 0..mesh.edge_count() as u32 {
        if let Some(side) = mesh.edge_sides(edge).first() {
            to[components.of_face[side.face as usize] as usize].euler -= 1;
        }
    }
    let mut at_vertex: Vec<u32> = Vec::new();
    for vertex in 0..mesh.vertex_count() as u32 {
        at_vertex.clear();
        let faces = mesh.vertex_faces(vertex);
        at_vertex.extend(faces.iter().map(|&face| components.of_face[face as usize]));
        at_vertex.sort_unstable();
        at_vertex.dedup();
        for &component in &at_vertex {
            to[component as usize].euler += 1;
        }
    }
}
