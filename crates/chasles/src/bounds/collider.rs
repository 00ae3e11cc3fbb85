//! A mesh made ready for queries.

use std::sync::OnceLock;

use glam::DVec3;

use super::blocks::{Blocks, SMALL};
use super::convexity::{Convexity, Corner, is_convex};
use super::fan::{Bests, Fans};
use super::fitted::Fitted;
use super::groups::{Groups, Wood};
use super::hull::{Hull, Units};
use super::outlook::Outlook;
use super::polytope::Polytope;
use super::ridge::{Ridge, length_sq, wings};
use super::skeleton::Skeleton;
use super::tree::{Node, Tree, build};
use crate::mesh::Polyhedron;
use crate::motion::Screw;

/// A [`Polyhedron`] with a hierarchy and the directions that properness needs, built once.
///
/// *Accepts* any mesh. *Guarantees* the same structure for the same mesh. *Cost* of
/// [`Collider::new`]: `n log n` with a small constant; memory linear in the mesh. What queries need
/// of single features is made when they first look at them, and kept: until then a query may be
/// slower and allocate. Vertices far away from all others change neither; a mesh that is lost
/// beside them is refused by [`Polyhedron::new`].
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
    /// The tree with large leaves, where there is one.
    large: Option<Vec<Node>>,
    /// What is around each node of that.
    groups: Groups,
    /// For each of its leaves its node.
    leaf_nodes: Vec<u32>,
    /// Origin of the local coordinates: the body's own if that is near, otherwise the middle of
    /// the body, so that far-away meshes lose no digits.
    pivot: DVec3,
    /// Vertices, and points of the planes of faces, relative to a pivot that is not the origin.
    local: Option<[Box<[DVec3]>; 2]>,
    /// How far corners of each face are from the mean of all of them at most.
    face_radius: Vec<f32>,
    /// Where faces look, four by four.
    outlooks: Blocks<Outlook>,
    /// For each edge, its length squared; for each face that of its longest edge.
    edge_length_sq: Vec<f32>,
    face_length_sq: Vec<f32>,
    /// For each vertex, unit vectors along its edges.
    fans: Fans,
    /// For each edge, the unit vector along it and what it separates.
    ridges: Blocks<Ridge>,
    /// For each vertex, an upper bound of `min ray . n` over all unit `n`.
    best_properness: Bests,
    convexity: Convexity,
    skeleton: OnceLock<Skeleton>,
    radius: f64,
    short_edge: f64,
    leaf_radius: f64,
    has_lone: bool,
    /// Boxes for queries of distance, made by the first of them.
    fitted: OnceLock<Fitted>,
    /// A coarse polytope around the body, made when first asked for.
    polytope: OnceLock<Polytope>,
    /// Whether the mesh is closed, and convex: each takes a pass over it to tell.
    is_closed: OnceLock<bool>,
    is_convex: OnceLock<bool>,
}

impl Collider {
    /// Prepares a mesh. The mesh is renumbered in the order of the hierarchy; labels stay.
    ///
    /// What queries need of single features is made when they first look at them.
    pub fn new(mesh: Polyhedron) -> Self {
        let Tree { order, mut nodes, mut large } = build(&mesh);
        let mesh = mesh.renumbered(&order.vertices, &order.edges, &order.faces);
        let pivot = pivot(&nodes[0]);
        for node in nodes.iter_mut().chain(large.iter_mut().flatten()) {
            node.centre -= pivot;
        }
        let moving = large.as_ref().unwrap_or(&nodes);
        // Leaves are numbered from left to right, as their features are.
        let mut leaf_nodes = vec![0; moving[0].leaves.len()];
        for (node, i) in moving.iter().zip(0..).filter(|(node, _)| node.is_leaf()) {
            leaf_nodes[node.leaves.start as usize] = i;
        }
        let local = (pivot != DVec3::ZERO).then(|| {
            [mesh.positions(), mesh.face_points()].map(|of| of.iter().map(|p| p - pivot).collect())
        });
        let squares = mesh.positions().iter().map(|p| (p - pivot).length_squared());
        let radius = squares.fold(0.0, f64::max).sqrt();
        let is_small = mesh.face_count() <= SMALL;
        let wood = Wood { nodes: moving, leaf_nodes: &leaf_nodes, mesh: &mesh };
        let groups = Groups::new(wood, is_small, Units { pivot, scale: scale(radius) });
        let leaf_radius = lower_quartile(leaf_nodes.len(), |i| groups.radius_of_leaf(i, wood));
        let [edges, faces] = [0..mesh.edge_count() as u32, 0..mesh.face_count() as u32];
        let edge_length_sq: Vec<f32> = edges.clone().map(|e| length_sq(&mesh, e) as f32).collect();
        let longest = |f: u32| {
            let lengths = mesh.face_edges(f).iter().map(|&e| edge_length_sq[e as usize]);
            lengths.fold(0.0, f32::max)
        };
        let face_radius: Vec<f32> = faces.clone().map(|f| face_radius(&mesh, f)).collect();
        let units = (pivot, scale(radius));
        let outlook = |quad: u32| Outlook::new(&mesh, quad, &face_radius, units);
        Self {
            groups,
            leaf_nodes,
            outlooks: Blocks::new(faces.len().div_ceil(4), is_small, outlook),
            face_radius,
            face_length_sq: faces.map(longest).collect(),
            edge_length_sq,
            fans: Fans::new(&mesh, is_small),
            ridges: Blocks::new(edges.len(), is_small, |e| Ridge::new(&mesh, e)),
            best_properness: Bests::new(mesh.vertex_count()),
            convexity: Convexity::new(&mesh),
            skeleton: OnceLock::new(),
            radius,
            short_edge: lower_quartile(edges.len(), |e| length_sq(&mesh, e)).sqrt(),
            leaf_radius,
            has_lone: has_lone(&mesh),
            fitted: OnceLock::new(),
            polytope: OnceLock::new(),
            is_closed: OnceLock::new(),
            is_convex: OnceLock::new(),
            local,
            pivot,
            nodes,
            large,
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

    /// The same tree for contacts of motions, for which small bodies have larger leaves. Leaves,
    /// hulls and what else is asked of nodes by their numbers are of this one.
    #[inline]
    pub(crate) fn moving_nodes(&self) -> &[Node] {
        self.large.as_deref().unwrap_or(&self.nodes)
    }

    /// The node of a leaf.
    #[inline]
    pub(crate) fn leaf_node(&self, leaf: u32) -> u32 {
        self.leaf_nodes[leaf as usize]
    }

    /// What is around a node.
    #[inline]
    pub(crate) fn hull(&self, node: u32) -> &Hull {
        self.groups.hull(node, self.wood())
    }

    /// Whether no face at a feature of a node can move outward anywhere in its box, or by less
    /// than `slow`, if the body moves like this and turns by `angle`.
    #[inline]
    pub(crate) fn turns_away(&self, node: u32, motion: &Screw, angle: f64, slow: f64) -> bool {
        self.groups.turns_away(node, self.wood(), motion, (angle, slow))
    }

    #[inline]
    fn wood(&self) -> Wood<'_> {
        Wood { nodes: self.moving_nodes(), leaf_nodes: &self.leaf_nodes, mesh: &self.mesh }
    }

    /// Boxes that lie as the surface does, made when first asked for.
    pub(crate) fn fitted(&self) -> &Fitted {
        self.fitted.get_or_init(|| Fitted::new(&self.nodes, &self.mesh, self.pivot))
    }

    /// A coarse polytope around the body, in local coordinates, made when first asked for.
    pub(crate) fn polytope(&self) -> &Polytope {
        self.polytope.get_or_init(|| Polytope::around(self.locals(), self.nodes[0].centre))
    }

    /// Whether every component is closed, and nothing is without faces; found when first asked.
    pub(crate) fn is_closed(&self) -> bool {
        *self.is_closed.get_or_init(|| self.mesh.is_closed())
    }

    /// Whether the body is closed and convex, up to 1e-10 of its size; found when first asked.
    pub(crate) fn is_convex(&self) -> bool {
        let judge = || self.is_closed() && self.seeds().len() == 1 && is_convex(&self.mesh);
        *self.is_convex.get_or_init(judge)
    }

    /// The unit of the sides of hulls.
    pub(crate) fn scale(&self) -> f64 {
        scale(self.radius)
    }

    /// The faces of other leaves at the features of the leaf at this node.
    #[inline]
    pub(crate) fn other_faces(&self, node: u32) -> &[u32] {
        self.groups.other_faces(node, self.wood())
    }

    pub(crate) fn pivot(&self) -> DVec3 {
        self.pivot
    }

    /// All vertices relative to the pivot.
    #[inline]
    pub(crate) fn locals(&self) -> &[DVec3] {
        self.local.as_ref().map_or(self.mesh.positions(), |[vertices, _]| vertices)
    }

    /// For all faces a point of their planes relative to the pivot.
    #[inline]
    pub(crate) fn face_locals(&self) -> &[DVec3] {
        self.local.as_ref().map_or(self.mesh.face_points(), |[_, faces]| faces)
    }

    /// A vertex relative to the pivot.
    #[inline]
    pub(crate) fn local(&self, vertex: u32) -> DVec3 {
        self.locals()[vertex as usize]
    }

    /// A point of a face's plane relative to the pivot.
    #[inline]
    pub(crate) fn face_local(&self, face: u32) -> DVec3 {
        self.face_locals()[face as usize]
    }

    /// Where the faces from four times `quad` on look.
    #[inline]
    pub(crate) fn outlook(&self, quad: u32) -> &Outlook {
        let units = (self.pivot, self.scale());
        let new = |quad| Outlook::new(&self.mesh, quad, &self.face_radius, units);
        self.outlooks.at(quad, new)
    }

    #[inline]
    pub(crate) fn rays(&self, vertex: u32) -> &[DVec3] {
        self.fans.rays(&self.mesh, vertex)
    }

    /// The square of an edge's length, or a little more.
    #[inline]
    pub(crate) fn edge_length_sq(&self, edge: u32) -> f64 {
        length_sq(&self.mesh, edge)
    }

    /// That as the nearest single.
    #[inline]
    pub(crate) fn edge_length_sq_single(&self, edge: u32) -> f32 {
        self.edge_length_sq[edge as usize]
    }

    /// The square of the length of a face's longest edge, or a little more.
    #[inline]
    pub(crate) fn face_length_sq(&self, face: u32) -> f64 {
        let lengths = self.mesh.face_edges(face).iter().map(|&e| self.edge_length_sq(e));
        lengths.fold(0.0, f64::max)
    }

    /// That as the nearest single.
    #[inline]
    pub(crate) fn face_length_sq_single(&self, face: u32) -> f32 {
        self.face_length_sq[face as usize]
    }

    #[inline]
    pub(crate) fn direction(&self, edge: u32) -> DVec3 {
        self.ridge(edge).direction
    }

    #[inline]
    pub(crate) fn ridge(&self, edge: u32) -> &Ridge {
        self.ridges.at(edge, |e| Ridge::new(&self.mesh, e))
    }

    /// Unit vectors from an edge into its faces, perpendicular to the edge.
    #[inline]
    pub(crate) fn wings(&self, edge: u32) -> impl ExactSizeIterator<Item = DVec3> + Clone {
        wings(&self.mesh, edge, self.direction(edge))
    }

    /// What is left without seams, made when first asked for.
    #[inline]
    fn skeleton(&self) -> &Skeleton {
        self.skeleton.get_or_init(|| Skeleton::new(&self.mesh))
    }

    /// Whether an edge is more than a seam between coplanar faces.
    #[inline]
    pub(crate) fn is_ridge(&self, edge: u32) -> bool {
        self.skeleton().has_edge(edge)
    }

    /// Whether a vertex is more than a point within a plane.
    #[inline]
    pub(crate) fn is_corner(&self, vertex: u32) -> bool {
        self.skeleton().has_vertex(vertex)
    }

    /// Whether the solid fills more than half of the surroundings of an edge.
    #[inline]
    pub(crate) fn is_reflex(&self, edge: u32) -> bool {
        self.convexity.is_reflex(&self.mesh, edge)
    }

    /// How the solid fills the surroundings of a vertex.
    #[inline]
    pub(crate) fn corner(&self, vertex: u32) -> Corner {
        self.convexity.corner(&self.mesh, vertex)
    }

    /// A vertex of each part that hangs together through edges of faces.
    pub(crate) fn seeds(&self) -> &[u32] {
        self.skeleton().seeds()
    }

    #[inline]
    pub(crate) fn best_properness(&self, vertex: u32) -> f64 {
        self.best_properness.of(vertex, || self.rays(vertex))
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

/// A number such that about a quarter of these, by their places, are smaller; 0 if there are none.
fn lower_quartile(count: usize, number: impl Fn(u32) -> f64) -> f64 {
    let taken = count.min(SAMPLE);
    if taken == 0 {
        return 0.0;
    }
    let mut sample: Vec<f64> = (0..taken).map(|i| number((i * count / taken) as u32)).collect();
    *sample.select_nth_unstable_by(taken / 4, f64::total_cmp).1
}

fn has_lone(mesh: &Polyhedron) -> bool {
    (0..mesh.edge_count() as u32).any(|e| mesh.edge_sides(e).is_empty())
        || (0..mesh.vertex_count() as u32).any(|v| mesh.vertex_edges(v).is_empty())
}
