//! Which faces hang together.

use super::Polyhedron;

/// Sets of faces that are connected through edges (not through vertices alone).
pub(crate) struct Components {
    /// The component of each face; components are numbered in the order of their first faces.
    pub(crate) of_face: Vec<u32>,
    pub(crate) count: usize,
}

impl Components {
    pub(crate) fn of(mesh: &Polyhedron) -> Self {
        const NONE: u32 = u32::MAX;
        let mut of_face = vec![NONE; mesh.face_count()];
        let mut count = 0;
        let mut waiting = Vec::new();
        for first in 0..mesh.face_count() as u32 {
            if of_face[first as usize] != NONE {
                continue;
            }
            of_face[first as usize] = count;
            waiting.push(first);
            while let Some(face) = waiting.pop() {
                let sides = mesh.face_edges(face).iter().flat_map(|&e| mesh.edge_sides(e));
                for side in sides {
                    let component = &mut of_face[side.face as usize];
                    if *component == NONE {
                        *component = count;
                        waiting.push(side.face);
                    }
                }
            }
            count += 1;
        }
        Self { of_face, count: count as usize }
    }

    /// Sums a value of each face by component, in the order of the faces.
    pub(super) fn sums(&self, value: impl Fn(u32) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.count];
        for (face, &component) in self.of_face.iter().enumerate() {
            sums[component as usize] += value(face as u32);
        }
        sums
    }
}
