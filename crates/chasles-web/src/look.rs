//! How a body looks: triangles, and the edges of its polygons.

use chasles::Polyhedron;
use chasles::glam::DVec3;
use wasm_bindgen::prelude::*;

/// The surface of a body as the viewer takes it.
#[wasm_bindgen]
#[derive(Clone, Debug, Default)]
pub struct Look {
    positions: Vec<f32>,
    triangles: Vec<u32>,
    faces: Vec<u32>,
    edges: Vec<u32>,
    lone: Vec<u32>,
    labels: Vec<u32>,
}

#[wasm_bindgen]
impl Look {
    /// Places of vertices, in lengths of the `scale` that was asked for.
    #[wasm_bindgen(getter)]
    pub fn positions(&self) -> Vec<f32> {
        self.positions.clone()
    }

    /// The corners of triangles.
    #[wasm_bindgen(getter)]
    pub fn triangles(&self) -> Vec<u32> {
        self.triangles.clone()
    }

    /// The number of each triangle's polygon in the input.
    #[wasm_bindgen(getter)]
    pub fn faces(&self) -> Vec<u32> {
        self.faces.clone()
    }

    /// The ends of the edges of polygons, without the cuts through them.
    #[wasm_bindgen(getter)]
    pub fn edges(&self) -> Vec<u32> {
        self.edges.clone()
    }

    /// Vertices without an edge.
    #[wasm_bindgen(getter)]
    pub fn lone(&self) -> Vec<u32> {
        self.lone.clone()
    }

    /// The number of each vertex in the input.
    #[wasm_bindgen(getter)]
    pub fn labels(&self) -> Vec<u32> {
        self.labels.clone()
    }
}

impl Look {
    /// How a surface looks that deforms: its mesh at some time, with the places of its vertices as
    /// they are numbered in the input.
    ///
    /// *Accepts* the mesh of the surface, its places, and a length above 0. *Cost* linear. *Fails*
    /// never.
    #[cfg(feature = "world")]
    pub(crate) fn deforming(mesh: &Polyhedron, places: &[DVec3], scale: f64) -> Self {
        let mut look = Self::of(mesh, scale);
        for number in [&mut look.triangles, &mut look.edges, &mut look.lone].into_iter().flatten() {
            *number = mesh.vertex_label(*number);
        }
        look.positions = scaled(places, scale);
        look.labels = (0..places.len() as u32).collect();
        look
    }

    /// How a mesh looks, its places divided by a length.
    ///
    /// *Accepts* any mesh, and a length above 0. *Cost* linear. *Fails* never.
    pub(crate) fn of(mesh: &Polyhedron, scale: f64) -> Self {
        let mut look = Self { positions: scaled(mesh.positions(), scale), ..Self::default() };
        for face in 0..mesh.face_count() as u32 {
            for corners in mesh.face_triangles(face) {
                look.triangles.extend(corners);
                look.faces.push(mesh.face_label(face));
            }
        }
        let is_shown = |&edge: &u32| match mesh.edge_sides(edge) {
            [p, q] => mesh.face_label(p.face) != mesh.face_label(q.face),
            _ => true,
        };
        let edges = (0..mesh.edge_count() as u32).filter(is_shown);
        look.edges = edges.flat_map(|edge| mesh.edge(edge)).collect();
        let vertices = 0..mesh.vertex_count() as u32;
        look.lone = vertices.clone().filter(|&v| mesh.vertex_edges(v).is_empty()).collect();
        look.labels = vertices.map(|v| mesh.vertex_label(v)).collect();
        look
    }
}

/// Places in lengths of a scale, as they are drawn.
pub(crate) fn scaled(places: &[DVec3], scale: f64) -> Vec<f32> {
    places.iter().flat_map(|place| (*place / scale).as_vec3().to_array()).collect()
}
