//! A surface of triangles whose vertices move, and its positions in one step.

use glam::DVec3;
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::pair::PositionError;
use crate::bounds::Bvh;
use crate::mesh::{LARGEST_SPLIT, MeshError, Polygons, Rows, triangles};

/// What is wrong with a surface or its positions.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SurfaceError {
    /// The mesh itself is wrong.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Two frames of one surface have different numbers of vertices.
    #[error("the surface has {expected} vertices, but {found} positions are given at the {}",
        if *.at_end { "end" } else { "start" })]
    Count {
        /// Vertices of the surface.
        expected: usize,
        /// Positions given.
        found: usize,
        /// At the end of the step; otherwise at its start.
        at_end: bool,
    },
    /// Two frames of one surface differ in a face.
    #[error("face {face} {} at the start, but {} at the end: both frames must have the same faces",
        corners(.start), corners(.end))]
    Faces {
        /// The first face that differs, from 0.
        face: usize,
        /// Its vertices at the start; none if there are fewer faces.
        start: Option<Vec<u32>>,
        /// Its vertices at the end; none if there are fewer faces.
        end: Option<Vec<u32>>,
    },
    /// Two vertices that are one go apart.
    #[error("vertices {first} and {second} are one, since they stand at one place in the mesh, but \
        they are apart at the {}: make the surface from both frames", if *.at_end { "end" } else { "start" })]
    Parted {
        /// The lower number, from 0.
        first: usize,
        /// The other.
        second: usize,
        /// At the end of the step; otherwise at its start.
        at_end: bool,
    },
    /// A position is not finite.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// What a face has, in words.
fn corners(face: &Option<Vec<u32>>) -> String {
    face.as_ref().map_or_else(
        || "does not exist".into(),
        |vertices| format!("has the vertices {vertices:?}"),
    )
}

/// Triangles, edges and vertices of a surface that deforms, with a tree over them.
///
/// Polygons are cut into triangles, which keep the number of their polygon. The cuts are edges as
/// the others are, also in polygons that stay flat: a contact of two edges may name a diagonal.
/// Lone segments and points are kept. Vertices that stand at one place are one vertex, named by the
/// lowest number.
///
/// ```
/// use chasles::Polygons;
/// use chasles::deform::{Options, Surface, Workspace};
/// let sheet = Polygons::new([[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]], [[0, 1, 2, 3]]);
/// let surface = Surface::new(&sheet)?;
/// // One sheet rests, another falls through it and bends.
/// let above: Vec<_> = sheet.vertices.iter().map(|p| [p.x + 0.3, p.y + 0.2, 1.0]).collect();
/// let below: Vec<_> = sheet.vertices.iter().map(|p| [p.x + 0.3, p.y + 0.2, -p.x]).collect();
/// let rest = surface.at_rest(&sheet.vertices)?;
/// let [above, below] = [above, below].map(|frame| frame.into_iter().map(Into::into).collect::<Vec<_>>());
/// let falling = surface.moving(&above, &below)?;
/// let mut workspace = Workspace::default();
/// let found = chasles::deform::contacts(&rest, &falling, &Options::default(), &mut workspace);
/// assert!(!found.is_empty());
/// # Ok::<(), chasles::deform::SurfaceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Surface {
    /// For each vertex of the input the one that stands for it.
    same: Vec<u32>,
    pub(super) vertices: Vec<u32>,
    pub(super) edges: Vec<[u32; 2]>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// For each triangle, the face of the input.
    pub(super) faces: Vec<u32>,
    /// Triangles, then lone segments, then lone points: what the tree is over.
    pub(super) cells: Vec<Cell>,
    /// For each cell the vertices and edges that no earlier cell has.
    pub(super) own_vertices: Rows<u32>,
    pub(super) own_edges: Rows<u32>,
    /// For each vertex of the input, the vertices that edges lead to.
    pub(super) neighbours: Rows<u32>,
    /// For each edge, the corners opposite to it.
    pub(super) opposite: Rows<u32>,
    pub(super) tree: Bvh,
}

/// A triangle, a lone segment or a lone point, the last corner repeated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) corners: [u32; 3],
    pub(super) triangle: Option<u32>,
}

/// A surface with its positions at the start and at the end of a step.
#[derive(Clone, Copy, Debug)]
pub struct Moving<'s> {
    pub(super) surface: &'s Surface,
    pub(super) ends: [&'s [DVec3]; 2],
}

impl Surface {
    /// A surface whose vertices are one where they stand at the same place.
    ///
    /// *Accepts* any mesh. *Guarantees* that the same input gives the same numbering. *Cost*
    /// `n log n`. *Fails* as [`crate::Polyhedron::new`] does.
    pub fn new(polygons: &Polygons) -> Result<Self, SurfaceError> {
        Self::of_frames(polygons, &polygons.vertices)
    }

    /// A surface given at two instants: vertices are one where they stand at the same place at
    /// both.
    ///
    /// *Accepts* any two meshes with the same faces. *Guarantees* and *Cost* as [`Surface::new`].
    /// *Fails* as it does, and where the two differ in more than positions.
    pub fn between(start: &Polygons, end: &Polygons) -> Result<Self, SurfaceError> {
        end.check()?;
        if let Some(face) = first_difference(&start.faces, &end.faces) {
            let of = |frame: &Polygons| frame.faces.get(face).cloned();
            return Err(SurfaceError::Faces { face, start: of(start), end: of(end) });
        }
        let [expected, found] = [start.vertices.len(), end.vertices.len()];
        if expected != found {
            return Err(SurfaceError::Count { expected, found, at_end: true });
        }
        Self::of_frames(start, &end.vertices)
    }

    fn of_frames(polygons: &Polygons, end: &[DVec3]) -> Result<Self, SurfaceError> {
        polygons.check()?;
        let same = welded([&polygons.vertices, end]);
        let mut cells = Vec::new();
        let mut faces = Vec::new();
        for (face, corners) in polygons.faces.iter().enumerate() {
            if corners.len() > LARGEST_SPLIT {
                let [vertices, limit] = [corners.len(), LARGEST_SPLIT];
                return Err(MeshError::PolygonTooLarge { face, vertices, limit }.into());
            }
            for corners in cut(corners, &polygons.vertices) {
                let triangle = Some(faces.len() as u32);
                cells.push(Cell { corners: corners.map(|v| same[v as usize]), triangle });
                faces.push(face as u32);
            }
        }
        let lone =
            |corners: [u32; 3]| Cell { corners: corners.map(|v| same[v as usize]), triangle: None };
        cells.extend(polygons.segments.iter().map(|&[p, q]| lone([p, q, q])));
        cells.extend(polygons.points.iter().map(|&p| lone([p; 3])));
        if cells.is_empty() {
            cells.extend((0..polygons.vertices.len() as u32).map(|p| lone([p; 3])));
        }
        Ok(Self::of_cells(cells, faces, same, &polygons.vertices))
    }

    fn of_cells(cells: Vec<Cell>, faces: Vec<u32>, same: Vec<u32>, positions: &[DVec3]) -> Self {
        let mut seen = vec![false; positions.len()];
        let mut vertices = Vec::new();
        let own_vertices = Rows::from_fn(cells.len(), |cell, own| {
            for v in cells[cell as usize].corners {
                if !std::mem::replace(&mut seen[v as usize], true) {
                    own.push(v);
                    vertices.push(v);
                }
            }
        });
        let mut numbers = FxHashMap::default();
        let mut edges = Vec::new();
        let mut opposite = Vec::new();
        let own_edges = Rows::from_fn(cells.len(), |cell, own| {
            let Cell { corners: [p, q, r], triangle } = cells[cell as usize];
            for ([from, to], apex) in [([p, q], r), ([q, r], p), ([r, p], q)] {
                if from == to {
                    continue;
                }
                let edge = [from.min(to), from.max(to)];
                let number = *numbers.entry(edge).or_insert_with(|| {
                    own.push(edges.len() as u32);
                    edges.push(edge);
                    edges.len() as u32 - 1
                });
                if triangle.is_some() {
                    opposite.push((number, apex));
                }
            }
        });
        let ends = edges.iter().flat_map(|&[p, q]| [(p, q), (q, p)]);
        let middle = |cell: &Cell| {
            cell.corners.iter().map(|&v| positions[v as usize]).sum::<DVec3>() * (1.0 / 3.0)
        };
        Self {
            same,
            vertices,
            triangles: cells.iter().filter(|c| c.triangle.is_some()).map(|c| c.corners).collect(),
            faces,
            neighbours: Rows::from_pairs(positions.len(), ends),
            opposite: Rows::from_pairs(edges.len(), opposite.iter().copied()),
            edges,
            tree: Bvh::new(&cells.iter().map(middle).collect::<Vec<_>>()),
            cells,
            own_vertices,
            own_edges,
        }
    }

    /// How many positions a frame has.
    pub fn vertex_count(&self) -> usize {
        self.same.len()
    }

    /// How many triangles there are.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// The surface in a step.
    ///
    /// *Accepts* finite positions, one for each vertex of the input, equal for vertices that are
    /// one. *Cost* linear. *Fails* on other numbers of positions and names the first that is not
    /// right.
    pub fn moving<'s>(
        &'s self,
        start: &'s [DVec3],
        end: &'s [DVec3],
    ) -> Result<Moving<'s>, SurfaceError> {
        for (frame, at_end) in [(start, false), (end, true)] {
            let [expected, found] = [self.same.len(), frame.len()];
            if expected != found {
                return Err(SurfaceError::Count { expected, found, at_end });
            }
            if let Some(vertex) = frame.iter().position(|p| !p.is_finite()) {
                let position = frame[vertex];
                return Err(PositionError { vertex, at_end, position }.into());
            }
            let pairs = self.same.iter().map(|&v| v as usize).enumerate();
            if let Some((second, first)) = { pairs }.find(|&(v, first)| frame[v] != frame[first]) {
                return Err(SurfaceError::Parted { first, second, at_end });
            }
        }
        Ok(Moving { surface: self, ends: [start, end] })
    }

    /// The surface in a step in which it does not move: the easy case of [MW88 §2.1].
    ///
    /// *Accepts* and *Fails* as [`Surface::moving`].
    pub fn at_rest<'s>(&'s self, positions: &'s [DVec3]) -> Result<Moving<'s>, SurfaceError> {
        self.moving(positions, positions)
    }
}

/// For each vertex the lowest number of those that stand at the same place in both frames.
fn welded(frames: [&[DVec3]; 2]) -> Vec<u32> {
    let mut places = FxHashMap::default();
    let key = |v: usize| frames.map(|frame| (frame[v] + 0.0).to_array().map(f64::to_bits));
    (0..frames[0].len()).map(|v| *places.entry(key(v)).or_insert(v as u32)).collect()
}

fn first_difference(p: &[Vec<u32>], q: &[Vec<u32>]) -> Option<usize> {
    let differs = p.iter().zip(q).position(|(p, q)| p != q);
    differs.or_else(|| (p.len() != q.len()).then(|| p.len().min(q.len())))
}

/// The triangles of a face; those without three corners become lines and points.
fn cut(face: &[u32], positions: &[DVec3]) -> Vec<[u32; 3]> {
    match *face {
        [] => Vec::new(),
        [p] => vec![[p; 3]],
        [p, q] => vec![[p, q, q]],
        [p, q, r] => vec![[p, q, r]],
        _ => {
            let corners: Vec<DVec3> = face.iter().map(|&v| positions[v as usize]).collect();
            triangles(&corners).into_iter().map(|t| t.map(|i| face[i])).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_and_vertex_belongs_to_one_cell() {
        let mut mesh = Polygons::new(
            [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0., 0., 0.], [5., 0., 0.]],
            [vec![0, 1, 2, 3], vec![4, 1, 5]],
        );
        mesh.segments = vec![[5, 3]];
        let surface = Surface::new(&mesh).expect("a mesh");
        assert_eq!((surface.triangle_count(), surface.vertex_count()), (3, 6));
        // The fifth vertex is the first.
        let mut vertices = surface.vertices.clone();
        vertices.sort_unstable();
        assert_eq!(vertices, [0, 1, 2, 3, 5]);
        assert_eq!(surface.edges.len(), 8);
        let owned: usize = (0..4).map(|cell| surface.own_edges.row(cell).len()).sum();
        assert_eq!(owned, 8);
    }

    #[test]
    fn frames_that_differ_are_refused() {
        let frame = |faces: Vec<[u32; 3]>, z: f64| {
            Polygons::new([[0., 0., z], [1., 0., 0.], [0., 1., 0.]], faces)
        };
        let fault = |end: Polygons| {
            Surface::between(&frame(vec![[0, 1, 2]], 0.0), &end).map(|_| ()).expect_err("differs")
        };
        let differs = fault(frame(vec![[0, 2, 1]], 0.0)).to_string();
        assert!(differs.contains("face 0 has the vertices [0, 1, 2] at the start"), "{differs}");
        let fewer = fault(frame(vec![], 0.0)).to_string();
        assert!(fewer.contains("at the start, but does not exist at the end"), "{fewer}");
        assert!(fault(frame(vec![[0, 1, 2]], f64::NAN)).to_string().contains("vertex 0"));
    }
}
