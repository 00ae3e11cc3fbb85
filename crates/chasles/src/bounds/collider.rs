//! A mesh made ready for queries.

use std::sync::OnceLock;

use glam::DVec3;
use wide::f64x2;

use super::convexity::{Convexity, Corner};
use super::fitted::Fitted;
use super::hull::{Hull, other_faces};
use super::skeleton::Skeleton;
use super::tree::{Node, Tree, build};
use crate::mesh::{Polyhedron, Rows};

/// A [`Polyhedron`] with a hierarchy and the directions that properness needs, built once.
///
/// *Accepts* any mesh. *Guarantees* the same structure for the same mesh. *Cost* of
/// [`Collider::new`]: `n log n` with a small constant; memory linear in the mesh. Vertices far away
/// from all others change neither; a mesh that is lost beside them is refused by
/// [`Polyhedron::new`].
///
/// ```
/// use chasles::{Collider, Polygons, Polyhedron};
/// let triangle = Polygons::new([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]], [[0, 1, 2]]);
/// let collider = Collider::new(Polyhedron::new(&triangle)?);
/// assert_eq!(collider.mesh().face_count(), 1);
/// # Ok::<(), chasles::mesh::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Collider {
    mesh: Polyhedron,
    nodes: Vec<Node>,
    /// What is around each node.
    hulls: Vec<Hull>,
    /// For each leaf its node.
    leaf_nodes: Vec<u32>,
    /// For each leaf, the faces of other leaves at its features.
    other_faces: Rows<u32>,
    /// Origin of the local coordinates: the body's own if that is near, otherwise the middle of
    /// the body, so that far-away meshes lose no digits.
    pivot: DVec3,
    local: Vec<DVec3>,
    face_local: Vec<DVec3>,
    /// How far corners of each face are from that point at most.
    face_radius: Vec<f32>,
    /// For each vertex, unit vectors along its edges.
    rays: Rows<DVec3>,
    /// For each edge, the unit vector along it and what it separates.
    ridges: Vec<Ridge>,
    /// For each edge, its length squared; for each face that of its longest edge.
    edge_length_sq: Vec<f64>,
    face_length_sq: Vec<f64>,
    /// For each edge, unit vectors into its faces, perpendicular to the edge.
    wings: Rows<DVec3>,
    skeleton: Skeleton,
    convexity: Convexity,
    /// For each vertex, an upper bound of `min ray . n` over all unit `n`.
    best_properness: Vec<f64>,
    radius: f64,
    short_edge: f64,
    leaf_radius: f64,
    has_lone: bool,
    /// Boxes for queries of distance, made by the first of them.
    fitted: OnceLock<Fitted>,
}

/// An edge between its faces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ridge {
    /// The unit vector along the edge.
    pub(crate) direction: DVec3,
    /// The products of the direction and two of its wings, coordinate by coordinate: unit normals
    /// of its faces, of either sign. The same twice if there is one face, and no numbers if there
    /// is none; of more than two faces the first two bound what all give.
    flanks: [f64x2; 3],
}

impl Ridge {
    fn new(mesh: &Polyhedron, e: u32) -> Self {
        let direction = direction(mesh, e);
        let mut flanks = wings(mesh, e).map(|wing| direction.cross(wing));
        let first = flanks.next().unwrap_or(DVec3::NAN);
        let second = flanks.next().unwrap_or(first);
        Self { direction, flanks: [0, 1, 2].map(|i| f64x2::new([first[i], second[i]])) }
    }

    /// The products of a vector and the flanks.
    #[inline]
    pub(crate) fn terms(&self, vector: DVec3) -> [f64; 2] {
        let [x, y, z] = vector.to_array().map(f64x2::splat);
        (self.flanks[0] * x + self.flanks[1] * y + self.flanks[2] * z).to_array()
    }
}

impl Collider {
    /// Prepares a mesh. The mesh is renumbered in the order of the hierarchy; labels stay.
    pub fn new(mesh: Polyhedron) -> Self {
        let Tree { order, mut nodes } = build(&mesh);
        let mesh = mesh.renumbered(&order.vertices, &order.edges, &order.faces);
        let pivot = pivot(&nodes[0]);
        for node in &mut nodes {
            node.centre -= pivot;
        }
        let local: Vec<DVec3> = mesh.positions().iter().map(|p| p - pivot).collect();
        let faces = 0..mesh.face_count() as u32;
        let edge_length_sq: Vec<f64> =
            (0..mesh.edge_count() as u32).map(|e| length_sq(&mesh, e)).collect();
        let longest = |f: u32| {
            let lengths = mesh.face_edges(f).iter().map(|&e| edge_length_sq[e as usize]);
            lengths.fold(0.0, f64::max)
        };
        let face_length_sq: Vec<f64> = faces.clone().map(longest).collect();
        // Leaves are numbered from left to right, as their features are.
        let mut leaf_nodes = vec![0; nodes[0].leaves.len()];
        for (node, i) in nodes.iter().zip(0..).filter(|(node, _)| node.is_leaf()) {
            leaf_nodes[node.leaves.start as usize] = i;
        }
        let around = |leaf: u32, out: &mut Vec<u32>| {
            other_faces(&nodes[leaf_nodes[leaf as usize] as usize], &mesh, out);
        };
        let other_faces = Rows::from_fn(leaf_nodes.len(), around);
        let radius = local.iter().map(|p| p.length_squared()).fold(0.0, f64::max).sqrt();
        let hulls = Hull::all(&nodes, &mesh, (&local, scale(radius)), &other_faces);
        let leaves = nodes.iter().zip(&hulls).filter(|(node, _)| node.is_leaf());
        let leaf_radii: Vec<f64> = leaves.map(|(_, hull)| hull.ball().1).collect();
        let rays = Rows::from_fn(mesh.vertex_count(), |v, out| out.extend(rays(&mesh, v)));
        let best = |v: u32| best_properness(rays.row(v));
        let wings = Rows::from_fn(mesh.edge_count(), |e, out| out.extend(wings(&mesh, e)));
        Self {
            hulls,
            leaf_nodes,
            other_faces,
            face_length_sq,
            face_radius: faces.clone().map(|f| face_radius(&mesh, f)).collect(),
            face_local: faces.map(|f| mesh.face_point(f) - pivot).collect(),
            skeleton: Skeleton::new(&mesh, &wings),
            convexity: Convexity::new(&mesh),
            wings,
            best_properness: (0..mesh.vertex_count() as u32).map(best).collect(),
            rays,
            ridges: (0..mesh.edge_count() as u32).map(|e| Ridge::new(&mesh, e)).collect(),
            radius,
            short_edge: lower_quartile(&edge_length_sq).sqrt(),
            leaf_radius: lower_quartile(&leaf_radii),
            edge_length_sq,
            has_lone: has_lone(&mesh),
            fitted: OnceLock::new(),
            local,
            pivot,
            nodes,
            mesh,
        }
    }

    /// The mesh, in the numbering of the hierarchy; labels are those of the input.
    pub fn mesh(&self) -> &Polyhedron {
        &self.mesh
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of a leaf.
    #[inline]
    pub(crate) fn leaf_node(&self, leaf: u32) -> u32 {
        self.leaf_nodes[leaf as usize]
    }

    /// What is around a node.
    #[inline]
    pub(crate) fn hull(&self, node: u32) -> &Hull {
        &self.hulls[node as usize]
    }

    /// Boxes that lie as the surface does, made when first asked for.
    pub(crate) fn fitted(&self) -> &Fitted {
        self.fitted.get_or_init(|| Fitted::new(&self.nodes, &self.mesh, &self.local))
    }

    /// The unit of the sides of hulls.
    pub(crate) fn scale(&self) -> f64 {
        scale(self.radius)
    }

    /// The faces of other leaves at the features of the leaf at this node.
    #[inline]
    pub(crate) fn other_faces(&self, node: u32) -> &[u32] {
        self.other_faces.row(self.nodes[node as usize].leaves.start)
    }

    pub(crate) fn pivot(&self) -> DVec3 {
        self.pivot
    }

    /// All vertices relative to the pivot.
    #[inline]
    pub(crate) fn locals(&self) -> &[DVec3] {
        &self.local
    }

    /// A vertex relative to the pivot.
    #[inline]
    pub(crate) fn local(&self, vertex: u32) -> DVec3 {
        self.local[vertex as usize]
    }

    /// A point of a face's plane relative to the pivot.
    #[inline]
    pub(crate) fn face_local(&self, face: u32) -> DVec3 {
        self.face_local[face as usize]
    }

    /// That point, and how far from it the face reaches at most.
    #[inline]
    pub(crate) fn face_ball(&self, face: u32) -> (DVec3, f64) {
        (self.face_local(face), f64::from(self.face_radius[face as usize]))
    }

    #[inline]
    pub(crate) fn rays(&self, vertex: u32) -> &[DVec3] {
        self.rays.row(vertex)
    }

    #[inline]
    pub(crate) fn edge_length_sq(&self, edge: u32) -> f64 {
        self.edge_length_sq[edge as usize]
    }

    #[inline]
    pub(crate) fn face_length_sq(&self, face: u32) -> f64 {
        self.face_length_sq[face as usize]
    }

    #[inline]
    pub(crate) fn direction(&self, edge: u32) -> DVec3 {
        self.ridges[edge as usize].direction
    }

    #[inline]
    pub(crate) fn ridge(&self, edge: u32) -> &Ridge {
        &self.ridges[edge as usize]
    }

    #[inline]
    pub(crate) fn wings(&self, edge: u32) -> &[DVec3] {
        self.wings.row(edge)
    }

    /// Whether an edge is more than a seam between coplanar faces.
    #[inline]
    pub(crate) fn is_ridge(&self, edge: u32) -> bool {
        self.skeleton.has_edge(edge)
    }

    /// Whether a vertex is more than a point within a plane.
    #[inline]
    pub(crate) fn is_corner(&self, vertex: u32) -> bool {
        self.skeleton.has_vertex(vertex)
    }

    /// Whether the solid fills more than half of the surroundings of an edge.
    #[inline]
    pub(crate) fn is_reflex(&self, edge: u32) -> bool {
        self.convexity.is_reflex(edge)
    }

    /// How the solid fills the surroundings of a vertex.
    #[inline]
    pub(crate) fn corner(&self, vertex: u32) -> Corner {
        self.convexity.corner(vertex)
    }

    /// A vertex of each part that hangs together through edges of faces.
    pub(crate) fn seeds(&self) -> &[u32] {
        self.skeleton.seeds()
    }

    #[inline]
    pub(crate) fn best_properness(&self, vertex: u32) -> f64 {
        self.best_properness[vertex as usize]
    }

    /// Greatest distance of a vertex from the pivot.
    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    /// The length of a typical short edge: about a quarter of the edges are shorter. 0 if there
    /// are none.
    pub(crate) fn short_edge(&self) -> f64 {
        self.short_edge
    }

    /// The radius of a typical small leaf: about a quarter of them are smaller.
    pub(crate) fn leaf_radius(&self) -> f64 {
        self.leaf_radius
    }

    /// Whether there are edges without faces, or vertices without edges.
    pub(crate) fn has_lone(&self) -> bool {
        self.has_lone
    }
}

/// A body's size, but not zero.
fn scale(radius: f64) -> f64 {
    if radius > 0.0 { radius } else { 1.0 }
}

/// Rounded up a little, since bounds rely on it.
fn face_radius(mesh: &Polyhedron, f: u32) -> f32 {
    let middle = mesh.face_point(f);
    let distances = mesh.face(f).iter().map(|&v| mesh.position(v).distance_squared(middle));
    (distances.fold(0.0, f64::max).sqrt() * (1.0 + 1e-6)) as f32
}

/// The body's origin if it lies within a few sizes of the body; then positions are kept as they
/// are. Otherwise the middle of the body, from which differences are exact or nearly so.
fn pivot(root: &Node) -> DVec3 {
    if root.centre.length() <= 4.0 * root.half.length() { DVec3::ZERO } else { root.centre }
}

/// Numbers looked at to find a typical one; of more, as many are taken evenly.
const SAMPLE: usize = 64;

/// A number such that about a quarter of these are smaller; 0 if there are none.
fn lower_quartile(numbers: &[f64]) -> f64 {
    let count = numbers.len();
    let taken = count.min(SAMPLE);
    if taken == 0 {
        return 0.0;
    }
    let mut sample: Vec<f64> = (0..taken).map(|i| numbers[i * count / taken]).collect();
    *sample.select_nth_unstable_by(taken / 4, f64::total_cmp).1
}

fn has_lone(mesh: &Polyhedron) -> bool {
    (0..mesh.edge_count() as u32).any(|e| mesh.edge_sides(e).is_empty())
        || (0..mesh.vertex_count() as u32).any(|v| mesh.vertex_edges(v).is_empty())
}

fn rays(mesh: &Polyhedron, v: u32) -> impl Iterator<Item = DVec3> {
    let to = move |&e: &u32| {
        (mesh.position(mesh.neighbour(e, v)) - mesh.position(v)).normalize_or_zero()
    };
    mesh.vertex_edges(v).iter().map(to)
}

/// Rounded up a little, since bounds rely on it.
fn length_sq(mesh: &Polyhedron, e: u32) -> f64 {
    let [p, q] = mesh.edge(e).map(|v| mesh.position(v));
    p.distance_squared(q) * (1.0 + 8.0 * f64::EPSILON)
}

fn direction(mesh: &Polyhedron, e: u32) -> DVec3 {
    let [p, q] = mesh.edge(e).map(|v| mesh.position(v));
    (q - p).normalize_or_zero()
}

/// The direction from the edge into each of its faces: left of the edge seen from outside for a
/// left face, right for a right one.
fn wings(mesh: &Polyhedron, e: u32) -> impl Iterator<Item = DVec3> {
    let along = direction(mesh, e);
    let into = move |side: &crate::mesh::Side| {
        let left = mesh.normal(side.face).cross(along);
        if side.left { left } else { -left }
    };
    mesh.edge_sides(e).iter().map(into)
}

/// An upper bound of `max over unit n of min over rays of ray . n`.
///
/// If some half-space holds all rays the bound is 1 here, which never culls. Otherwise the origin
/// lies inside the rays' convex hull and the maximum is minus the distance to the nearest of its
/// facets; we look at every plane through three rays that has all others on one side.
fn best_properness(rays: &[DVec3]) -> f64 {
    // Vertices with many edges are rare, and the search is quartic: they are never culled.
    if rays.len() < 4 || rays.len() > 8 {
        return 1.0;
    }
    let mut nearest = f64::INFINITY;
    for i in 0..rays.len() {
        for j in 0..i {
            for k in 0..j {
                let normal = (rays[j] - rays[i]).cross(rays[k] - rays[i]);
                let Some(mut normal) = normal.try_normalize() else { continue };
                if normal.dot(rays[i]) < 0.0 {
                    normal = -normal;
                }
                let offset = normal.dot(rays[i]);
                if rays.iter().all(|r| normal.dot(*r) <= offset + 1e-12) {
                    nearest = nearest.min(offset);
                }
            }
        }
    }
    // Rays in a half-space: then some facet plane has the origin on its outer side or through it,
    // found above as a plane with all rays on one side and offset near 0.
    if nearest.is_finite() && spans(rays) { 1e-9 - nearest } else { 1.0 }
}

/// Whether no closed half-space through the origin holds all rays.
fn spans(rays: &[DVec3]) -> bool {
    let one_sided = |normal: DVec3| {
        let [low, high] = rays
            .iter()
            .map(|r| r.dot(normal))
            .fold([0.0f64, 0.0], |[low, high], d| [low.min(d), high.max(d)]);
        low >= -1e-12 || high <= 1e-12
    };
    let pairs = (0..rays.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    !pairs
        .map(|(i, j)| rays[i].cross(rays[j]))
        .any(|n| n.length() < 1e-12 || one_sided(n.normalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saddle_vertices_are_bounded_and_convex_ones_are_not() {
        let saddle = [[1., 0., 0.2], [-1., 0., 0.2], [0., 1., -0.2], [0., -1., -0.2]];
        let saddle = saddle.map(|r| DVec3::from(r).normalize());
        let bound = best_properness(&saddle);
        assert!(bound < -0.1, "{bound}");
        let mut best = f64::NEG_INFINITY;
        for i in 0..200 {
            for j in 0..100 {
                let [a, b] = [0.0314159 * f64::from(i), 0.0314159 * f64::from(j)];
                let n = DVec3::new(a.cos() * b.sin(), a.sin() * b.sin(), b.cos());
                best = best.max(saddle.iter().map(|r| r.dot(n)).fold(f64::INFINITY, f64::min));
            }
        }
        assert!(best <= bound && best > bound - 0.02, "{best} {bound}");
        let peak = [[1., 0., -0.2], [-1., 0., -0.2], [0., 1., -0.2], [0., -1., -0.2]];
        assert_eq!(best_properness(&peak.map(|r| DVec3::from(r).normalize())), 1.0);
    }
}
