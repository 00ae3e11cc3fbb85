//! A mesh cut into the pieces that hang together.

use super::forest::{join, root};
use super::polygons::{MeshError, Polygons};

impl Polygons {
    /// The pieces of a mesh that share no vertex, in the order of their lowest vertices.
    ///
    /// *Accepts* what [`Polyhedron::new`](super::Polyhedron::new) does. *Guarantees* that faces,
    /// segments and points, and vertices among them, keep their order, and that vertices which
    /// nothing uses are left out; in a mesh of vertices alone each is a piece. Vertices at one
    /// place under two numbers are two. *Cost* linear. *Fails* as `Polyhedron::new`.
    ///
    /// ```
    /// use chasles::Polygons;
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [5., 0., 0.], [6., 0., 0.]];
    /// let mut mesh = Polygons::new(corners, [[0, 1, 2]]);
    /// mesh.segments.push([3, 4]);
    /// let pieces = mesh.pieces()?;
    /// assert_eq!(pieces.len(), 2);
    /// assert_eq!((pieces[1].vertices.len(), &pieces[1].segments[..]), (2, &[[0, 1]][..]));
    /// # Ok::<(), chasles::mesh::MeshError>(())
    /// ```
    pub fn pieces(&self) -> Result<Vec<Self>, MeshError> {
        self.check()?;
        let mut parent: Vec<u32> = (0..self.vertices.len() as u32).collect();
        let mut is_used = vec![self.has_vertices_alone(); self.vertices.len()];
        let pairs = self.faces.iter().flat_map(|face| face.windows(2).map(|w| [w[0], w[1]]));
        for [p, q] in pairs.chain(self.segments.iter().copied()) {
            join(&mut parent, p, q);
        }
        let of_faces = self.faces.iter().flatten().chain(self.segments.iter().flatten());
        of_faces.chain(&self.points).for_each(|&v| is_used[v as usize] = true);
        let mut number = vec![0; parent.len()];
        let mut place = vec![0; parent.len()];
        let mut pieces: Vec<Self> = Vec::new();
        for v in (0..parent.len()).filter(|&v| is_used[v]) {
            let first = root(&mut parent, v as u32) as usize;
            if first == v {
                number[v] = pieces.len();
                pieces.push(Self::default());
            }
            number[v] = number[first];
            let piece = &mut pieces[number[v]];
            place[v] = piece.vertices.len() as u32;
            piece.vertices.push(self.vertices[v]);
        }
        let at = |v: u32| place[v as usize];
        for face in &self.faces {
            let piece = &mut pieces[number[face[0] as usize]];
            piece.faces.push(face.iter().map(|&v| at(v)).collect());
        }
        for &[p, q] in &self.segments {
            pieces[number[p as usize]].segments.push([at(p), at(q)]);
        }
        for &v in &self.points {
            pieces[number[v as usize]].points.push(at(v));
        }
        Ok(pieces)
    }

    /// Whether every vertex is a point, since there is nothing else.
    fn has_vertices_alone(&self) -> bool {
        self.faces.is_empty() && self.segments.is_empty() && self.points.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Polyhedron;
    use crate::mesh::shapes::{Cuboid, Shape};
    use glam::DVec3;

    #[test]
    fn two_boxes_in_one_mesh_are_two_pieces() {
        let cube = Shape::Box(Cuboid::default()).polygons().unwrap();
        let mut both = cube.clone();
        // Vertices of both take turns, and one belongs to nothing.
        both.vertices = cube.vertices.iter().flat_map(|v| [*v, *v + DVec3::X * 3.0]).collect();
        both.vertices.push(DVec3::ONE * 9.0);
        let faces = |odd: u32| {
            cube.faces.iter().map(move |f| f.iter().map(|v| 2 * v + odd).collect::<Vec<_>>())
        };
        both.faces = faces(0).chain(faces(1)).collect();
        let pieces = both.pieces().unwrap();
        assert_eq!(pieces.len(), 2);
        assert_eq!(pieces[0], cube);
        let volumes = pieces.iter().map(|piece| Polyhedron::new(piece).unwrap().volume());
        assert_eq!(volumes.collect::<Vec<_>>(), [1.0; 2]);
    }

    #[test]
    fn vertices_alone_are_pieces_each() {
        let dots = Polygons { vertices: vec![DVec3::ZERO, DVec3::X], ..Polygons::default() };
        assert_eq!(dots.pieces().unwrap().len(), 2);
        assert!(Polygons::default().pieces().is_err());
        let wrong = Polygons::new([[0.0; 3]], [[0, 1, 2]]);
        assert!(wrong.pieces().is_err());
    }
}
