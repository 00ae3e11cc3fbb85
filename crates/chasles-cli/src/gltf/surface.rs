//! Meshes in single precision.

use chasles::glam::{DVec3, Vec3};

use super::stage::Part;

/// The triangles of a mesh.
pub(super) struct Surface {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) corners: Vec<u32>,
    /// Empty unless it deforms.
    pub(super) shifts: Vec<[f32; 3]>,
}

impl Surface {
    pub(super) fn new(part: &Part) -> Self {
        let faces = 0..part.mesh.face_count() as u32;
        let singles = |p: &DVec3| p.as_vec3().to_array();
        Self {
            positions: part.mesh.positions().iter().map(singles).collect(),
            corners: faces.flat_map(|face| part.mesh.face_triangles(face)).flatten().collect(),
            shifts: part.shifts.iter().flatten().map(singles).collect(),
        }
    }

    pub(super) fn size_bound(part: &Part) -> usize {
        let corners = (0..part.mesh.face_count() as u32).map(|face| part.mesh.face(face).len());
        12 * (2 * part.mesh.vertex_count() + corners.sum::<usize>())
    }
}

/// The corners of the box around points.
pub(super) fn bounds(points: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let corners = || points.iter().map(|p| Vec3::from_array(*p));
    let [low, high] = [corners().reduce(Vec3::min), corners().reduce(Vec3::max)];
    [low, high].map(|corner| corner.unwrap_or_default().to_array())
}
