//! What moves: a mesh prepared for traces.

use glam::{DMat3, DVec3};
use rustc_hash::FxHashMap;

use super::model::Model;
use super::tree::Tree;
use crate::bounds::Aabb;
use crate::mesh::shapes::{Shape, ShapeError};
use crate::mesh::{MeshError, Polygons};
use crate::numeric::without_dust;

/// Parts of bodies with at most this many are tried one by one; a tree would not be faster.
const FEW_PARTS: usize = 12;

/// Parts in a leaf of a body's tree at most.
const LEAF: usize = 2;

/// A body that moves through a world: any polyhedron, a single polygon, a segment or a point.
///
/// For the hull of points see [`crate::convex::hull`].
#[derive(Clone, Debug)]
pub struct Body {
    polygons: Polygons,
    pub(super) model: Model,
    /// Over the parts of a body that has many.
    pub(super) tree: Option<Tree>,
    /// The greatest distance of a vertex from the body's origin.
    pub(super) radius: f64,
}

impl Body {
    /// Prepares a mesh.
    ///
    /// *Accepts* any mesh: closed, open, several parts, lone segments and points. *Guarantees*
    /// that results name the numbers of the input. *Cost* linear, besides the splitting of faces
    /// that are not convex. *Fails* on bad numbers and coordinates and on an empty mesh.
    ///
    /// ```
    /// use chasles::trace::Body;
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// let cube = Body::new(&Shape::Box(Cuboid::default()).polygons()?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(polygons: &Polygons) -> Result<Self, MeshError> {
        let model = Model::new(&polygons.welded_by_default()?)?;
        let lengths = model.mesh.positions().iter().map(|p| p.length());
        let radius = lengths.fold(0.0, f64::max);
        let boxes: Vec<Aabb> = (0..model.parts.count()).map(|part| model.aabb(part)).collect();
        let tree = (boxes.len() > FEW_PARTS).then(|| Tree::new(&boxes, LEAF));
        Ok(Self { polygons: polygons.clone(), model, tree, radius })
    }

    /// A single point, at the body's origin.
    ///
    /// *Guarantees* one vertex, number 0. *Cost* constant.
    pub fn point() -> Self {
        let polygons = Polygons { vertices: vec![DVec3::ZERO], ..Polygons::default() };
        Self::new(&polygons).expect("a point at the origin is a mesh")
    }

    /// A box, cylinder, sphere or another built-in shape.
    ///
    /// *Accepts* any shape. *Guarantees* as [`Body::new`]. *Cost* linear. *Fails* on parameters
    /// that make no shape.
    pub fn from_shape(shape: &Shape) -> Result<Self, ShapeError> {
        Ok(Self::new(&shape.polygons()?)?)
    }

    /// A single polygon: debris, a card, a blade. It has two sides.
    ///
    /// *Accepts* corners in order; those of a polygon that is not planar or not convex are split
    /// into triangles. *Guarantees* one face, number 0. *Cost* linear for a convex polygon. *Fails*
    /// as [`Body::new`].
    pub fn polygon(corners: &[DVec3]) -> Result<Self, MeshError> {
        let face: Vec<u32> = (0..corners.len() as u32).collect();
        Self::new(&Polygons::new(corners.iter().copied(), [face]))
    }

    /// The same body with every face moved inward, by half of the expel zone for instance, so that
    /// it touches the world exactly to the eye [Waveren05 §3.5].
    ///
    /// *Accepts* a distance that is small against the body's features. *Guarantees* the same
    /// numbers; a vertex moves to where its faces' planes meet, or nearest to all of them where
    /// more than three do. *Cost* that of [`Body::new`]. *Fails* as [`Body::new`].
    pub fn shrunk(&self, by: f64) -> Result<Self, MeshError> {
        let Model { mesh, .. } = &self.model;
        let mut moved = FxHashMap::default();
        for vertex in 0..mesh.vertex_count() as u32 {
            let faces = mesh.vertex_faces(vertex).iter().filter(|&&f| !mesh.is_two_sided(f));
            let out = meeting_point(faces.map(|&face| mesh.normal(face)));
            let at = mesh.position(vertex);
            moved.insert(bits(at), at - out * by);
        }
        let mut polygons = self.polygons.clone();
        for vertex in &mut polygons.vertices {
            *vertex = moved.get(&bits(without_dust(*vertex))).copied().unwrap_or(*vertex);
        }
        Self::new(&polygons)
    }
}

fn bits(place: DVec3) -> [u64; 3] {
    // Adding 0.0 turns -0.0 into 0.0.
    place.to_array().map(|c| (c + 0.0).to_bits())
}

/// The shortest vector that reaches the planes at distance 1 along all normals, or comes nearest
/// to that in the sense of least squares.
fn meeting_point(normals: impl Iterator<Item = DVec3>) -> DVec3 {
    let outer = |n: DVec3| DMat3::from_cols(n * n.x, n * n.y, n * n.z);
    let add = |(squares, sum): (DMat3, DVec3), n: DVec3| (squares + outer(n), sum + n);
    let (squares, sum) = normals.fold((DMat3::ZERO, DVec3::ZERO), add);
    // A little of the identity picks the shortest of many solutions and costs nine digits.
    let regular = squares + DMat3::from_diagonal(DVec3::splat(1e-9));
    regular.inverse() * sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::{Cuboid, Cylinder};

    #[test]
    fn shapes_and_polygons_are_bodies() {
        let round = Body::from_shape(&Shape::Cylinder(Cylinder::default())).expect("a shape");
        assert!(round.model.parts.count() > 3 && round.radius > 0.5);
        let card = Body::polygon(&[DVec3::ZERO, DVec3::X, DVec3::Y]).expect("a triangle");
        assert_eq!(card.model.panels(0).filter(|&p| !card.model.panel(p).is_bevel()).count(), 2);
        assert!(Body::polygon(&[]).is_err());
    }

    #[test]
    fn a_shrunk_box_is_smaller_by_twice_the_distance() {
        let cube = Shape::Box(Cuboid::default()).polygons().expect("fitting parameters");
        let body = Body::new(&cube).expect("a mesh");
        let [low, high] = body.shrunk(0.125).expect("a mesh").model.mesh.bounds();
        assert!((high - low).abs_diff_eq(DVec3::splat(0.75), 1e-8), "{low} {high}");
    }

    #[test]
    fn a_sheet_has_no_inside_to_shrink_to() {
        let sheet = Polygons::new([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]], [[0, 1, 2]]);
        let body = Body::new(&sheet).expect("a mesh");
        assert_eq!(body.shrunk(0.1).expect("a mesh").polygons, sheet);
    }
}
