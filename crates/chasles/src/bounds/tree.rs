//! A tree over the faces, edges and vertices of a mesh.
//!
//! Faces (and lone segments and points) are sorted along a space-filling curve and split where the
//! curve leaves an octant. What has one code together, as nearly all of a mesh with a vertex far
//! away, is sorted along a curve of its own. Each edge and vertex belongs to the first face that
//! has it. Renumbering everything in that order makes the features of each node three contiguous
//! ranges, so a node is a box and three pairs of numbers.

use std::ops::Range;

use glam::DVec3;

use super::blocks::SMALL;
use crate::mesh::Polyhedron;

/// Faces in a leaf at most. Larger leaves mean fewer boxes but more pairs of features.
const LEAF: usize = 8;

/// The same in large leaves, which small bodies have for contacts of motions: there what is done
/// for each leaf and each pair of leaves counts most. Distances are sought between all features of
/// two leaves, and take up to three times as long with these.
const LARGE_LEAF: usize = 16;

/// A box around a part of the mesh.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Middle of the box, in the collider's local coordinates.
    pub(crate) centre: DVec3,
    /// Half the box's sides.
    pub(crate) half: DVec3,
    /// The first of two children that stand side by side; 0 for a leaf.
    pub(crate) child: u32,
    /// The numbers of the leaves that it has, from left to right; of a leaf its own.
    pub(crate) leaves: Range<u32>,
    pub(crate) vertices: Range<u32>,
    pub(crate) edges: Range<u32>,
    pub(crate) faces: Range<u32>,
}

impl Node {
    #[inline]
    pub(crate) fn is_leaf(&self) -> bool {
        self.child == 0
    }
}

/// One thing that is sorted into the tree.
#[derive(Clone, Copy)]
enum Item {
    Face(u32),
    Segment(u32),
    Point(u32),
}

/// Orders of vertices, edges and faces: entry `i` is the old number of the new feature `i`.
pub(crate) struct Order {
    pub(crate) vertices: Vec<u32>,
    pub(crate) edges: Vec<u32>,
    pub(crate) faces: Vec<u32>,
}

/// A tree and the order of features that it asks for.
pub(crate) struct Tree {
    pub(crate) order: Order,
    pub(crate) nodes: Vec<Node>,
    /// The same tree with large leaves, of a small body.
    pub(crate) large: Option<Vec<Node>>,
}

/// Sorts a mesh into a tree.
///
/// *Guarantees* the same tree for the same mesh. *Cost* `n log n` with a small constant; memory
/// linear.
pub(crate) fn build(mesh: &Polyhedron) -> Tree {
    let mut items = sorted_items(mesh);
    let mut numbering = Numbering::new(mesh);
    let mut nodes = vec![empty_node()];
    let mut counts = vec![items.len()];
    let mut stack = vec![(0usize, 0..items.len())];
    let mut leaves = 0;
    // Depth first, left child first: leaves are numbered from left to right.
    while let Some((node, range)) = stack.pop() {
        if range.len() <= LEAF {
            nodes[node] =
                Node { leaves: leaves..leaves + 1, ..numbering.leaf(&items[range], mesh) };
            leaves += 1;
            continue;
        }
        let middle = split(&mut items[range.clone()], mesh) + range.start;
        let child = nodes.len();
        nodes[node].child = child as u32;
        nodes.extend([empty_node(), empty_node()]);
        counts.extend([middle - range.start, range.end - middle]);
        stack.push((child + 1, middle..range.end));
        stack.push((child, range.start..middle));
    }
    // Children stand behind their parents.
    for parent in (0..nodes.len()).rev() {
        if !nodes[parent].is_leaf() {
            nodes[parent] = joined(&nodes, parent);
        }
    }
    nodes.shrink_to_fit();
    let large = (mesh.face_count() <= SMALL).then(|| cut(&nodes, &counts));
    Tree { order: numbering.order, nodes, large }
}

/// The tree with large leaves, given how many things each node has.
fn cut(nodes: &[Node], counts: &[usize]) -> Vec<Node> {
    let mut large = vec![empty_node()];
    let mut stack = vec![(0, 0)];
    let mut leaves = 0;
    while let Some((place, from)) = stack.pop() {
        let is_leaf = counts[from] <= LARGE_LEAF;
        let (child, of) = (large.len(), nodes[from].child as usize);
        large[place] =
            Node { child: if is_leaf { 0 } else { child as u32 }, ..nodes[from].clone() };
        if is_leaf {
            large[place].leaves = leaves..leaves + 1;
            leaves += 1;
        } else {
            large.extend([empty_node(), empty_node()]);
            stack.extend([(child + 1, of + 1), (child, of)]);
        }
    }
    // Children stand behind their parents.
    for parent in (0..large.len()).rev() {
        if !large[parent].is_leaf() {
            let child = large[parent].child as usize;
            large[parent].leaves = large[child].leaves.start..large[child + 1].leaves.end;
        }
    }
    large
}

fn empty_node() -> Node {
    Node {
        centre: DVec3::ZERO,
        half: DVec3::ZERO,
        child: 0,
        leaves: 0..0,
        vertices: 0..0,
        edges: 0..0,
        faces: 0..0,
    }
}

fn joined(nodes: &[Node], parent: usize) -> Node {
    let child = nodes[parent].child as usize;
    let [left, right] = [&nodes[child], &nodes[child + 1]];
    let low = (left.centre - left.half).min(right.centre - right.half);
    let high = (left.centre + left.half).max(right.centre + right.half);
    let (centre, half) = box_between(low, high);
    Node {
        centre,
        half,
        child: child as u32,
        leaves: left.leaves.start..right.leaves.end,
        vertices: left.vertices.start..right.vertices.end,
        edges: left.edges.start..right.edges.end,
        faces: left.faces.start..right.faces.end,
    }
}

/// Centre and half sizes, the latter rounded up.
fn box_between(low: DVec3, high: DVec3) -> (DVec3, DVec3) {
    let centre = 0.5 * (low + high);
    let half = (high - centre).max(centre - low);
    (centre, half * (1.0 + 4.0 * f64::EPSILON))
}

/// Where the curve leaves the octant: the first item whose code differs in the highest bit that
/// differs at all. Equal codes are made anew within the box of their items, and where these are one
/// point the list is split in the middle.
fn split(items: &mut [Sorted], mesh: &Polyhedron) -> usize {
    let differ = |items: &[Sorted]| items[0].code ^ items[items.len() - 1].code;
    if differ(items) == 0 {
        sort(items, mesh);
    }
    let differing = differ(items);
    if differing == 0 {
        return items.len() / 2;
    }
    let bit = 63 - differing.leading_zeros();
    items.partition_point(|item| item.code >> bit & 1 == 0)
}

/// One thing, and the code of a point of it.
struct Sorted {
    code: u64,
    item: Item,
}

impl Item {
    /// A point of it.
    fn at(self, mesh: &Polyhedron) -> DVec3 {
        match self {
            Self::Face(f) => mesh.face_point(f),
            Self::Segment(e) => {
                let [p, q] = mesh.edge(e).map(|v| mesh.position(v));
                0.5 * (p + q)
            }
            Self::Point(v) => mesh.position(v),
        }
    }
}

fn sorted_items(mesh: &Polyhedron) -> Vec<Sorted> {
    let faces = (0..mesh.face_count() as u32).map(Item::Face);
    let segments = (0..mesh.edge_count() as u32).filter(|&e| mesh.edge_sides(e).is_empty());
    let points = (0..mesh.vertex_count() as u32)
        .filter(|&v| mesh.vertex_edges(v).is_empty() && mesh.vertex_faces(v).is_empty());
    let mut items = Vec::with_capacity(mesh.face_count());
    let lone = segments.map(Item::Segment).chain(points.map(Item::Point));
    items.extend(faces.chain(lone).map(|item| Sorted { code: 0, item }));
    sort_within(&mut items, mesh, mesh.bounds());
    items
}

/// Sorts along the curve through the box of the items.
fn sort(items: &mut [Sorted], mesh: &Polyhedron) {
    let points = || items.iter().map(|item| item.item.at(mesh));
    let low = points().fold(DVec3::INFINITY, DVec3::min);
    let high = points().fold(DVec3::NEG_INFINITY, DVec3::max);
    sort_within(items, mesh, [low, high]);
}

fn sort_within(items: &mut [Sorted], mesh: &Polyhedron, [low, high]: [DVec3; 2]) {
    let size = (high - low).max_element().max(f64::MIN_POSITIVE);
    for Sorted { code, item } in &mut *items {
        *code = interleaved(((item.at(mesh) - low) / size).clamp(DVec3::ZERO, DVec3::ONE));
    }
    items.sort_by_key(|item| item.code);
}

/// The Morton code of a point of the unit cube, 20 bits a coordinate.
fn interleaved(p: DVec3) -> u64 {
    let spread = |x: f64| {
        let mut bits = (x * 1_048_575.0) as u64;
        bits = (bits | bits << 32) & 0x001f_0000_0000_ffff;
        bits = (bits | bits << 16) & 0x001f_0000_ff00_00ff;
        bits = (bits | bits << 8) & 0x100f_00f0_0f00_f00f;
        bits = (bits | bits << 4) & 0x10c3_0c30_c30c_30c3;
        (bits | bits << 2) & 0x1249_2492_4924_9249
    };
    spread(p.x) << 2 | spread(p.y) << 1 | spread(p.z)
}

/// New numbers, given out in the order of the leaves.
struct Numbering {
    order: Order,
    vertex_taken: Vec<bool>,
    edge_taken: Vec<bool>,
}

impl Numbering {
    fn new(mesh: &Polyhedron) -> Self {
        let order = Order {
            vertices: Vec::with_capacity(mesh.vertex_count()),
            edges: Vec::with_capacity(mesh.edge_count()),
            faces: Vec::with_capacity(mesh.face_count()),
        };
        Self {
            order,
            vertex_taken: vec![false; mesh.vertex_count()],
            edge_taken: vec![false; mesh.edge_count()],
        }
    }

    fn take_vertex(&mut self, v: u32) {
        if !std::mem::replace(&mut self.vertex_taken[v as usize], true) {
            self.order.vertices.push(v);
        }
    }

    fn take_edge(&mut self, e: u32) {
        if !std::mem::replace(&mut self.edge_taken[e as usize], true) {
            self.order.edges.push(e);
        }
    }

    fn counts(&self) -> [u32; 3] {
        [self.order.vertices.len(), self.order.edges.len(), self.order.faces.len()]
            .map(|n| n as u32)
    }

    fn leaf(&mut self, items: &[Sorted], mesh: &Polyhedron) -> Node {
        let [v0, e0, f0] = self.counts();
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        let mut cover = |v: u32| {
            low = low.min(mesh.position(v));
            high = high.max(mesh.position(v));
        };
        for sorted in items {
            match sorted.item {
                Item::Face(f) => {
                    self.order.faces.push(f);
                    mesh.face_edges(f).iter().for_each(|&e| self.take_edge(e));
                    for &v in mesh.face(f) {
                        self.take_vertex(v);
                        cover(v);
                    }
                }
                Item::Segment(e) => {
                    self.take_edge(e);
                    for v in mesh.edge(e) {
                        self.take_vertex(v);
                        cover(v);
                    }
                }
                Item::Point(v) => {
                    self.take_vertex(v);
                    cover(v);
                }
            }
        }
        let [v1, e1, f1] = self.counts();
        let (centre, half) = box_between(low, high);
        Node { centre, half, vertices: v0..v1, edges: e0..e1, faces: f0..f1, ..empty_node() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Polygons;
    use crate::mesh::shapes::{Shape, Torus};

    /// Large leaves hold what a node of the tree does, each thing once, and are as large as may be.
    #[test]
    fn the_tree_of_a_small_body_is_also_had_with_large_leaves() {
        let torus = Shape::Torus(Torus { segments: [20, 15], ..Torus::default() });
        let Tree { nodes, large, .. } = build(&torus.build().expect("a torus"));
        let large = large.expect("small");
        let faces = |node: &Node| node.faces.len();
        let most = |nodes: &[Node]| nodes.iter().filter(|n| n.is_leaf()).map(faces).max();
        assert!(most(&nodes) <= Some(LEAF) && most(&large) > Some(LEAF));
        let mut next = [0; 3];
        let mut leaves: Vec<&Node> = large.iter().filter(|node| node.is_leaf()).collect();
        leaves.sort_by_key(|leaf| leaf.leaves.start);
        for (i, leaf) in leaves.into_iter().enumerate() {
            let same =
                nodes.iter().find(|node| node.faces == leaf.faces && node.edges == leaf.edges);
            let same = same.expect("a node of the tree");
            assert_eq!((same.centre, same.half), (leaf.centre, leaf.half));
            assert_eq!([leaf.vertices.start, leaf.edges.start, leaf.faces.start], next);
            assert_eq!(leaf.leaves, i as u32..i as u32 + 1);
            next = [leaf.vertices.end, leaf.edges.end, leaf.faces.end];
        }
        assert_eq!(next[2], 300);
        for node in large.iter().filter(|node| !node.is_leaf()) {
            let [p, q] = [0, 1].map(|i| &large[node.child as usize + i]);
            assert_eq!([node.leaves.start, p.leaves.end], [p.leaves.start, q.leaves.start]);
            assert!(node.leaves.end == q.leaves.end && faces(node) > LARGE_LEAF);
        }
        assert!(build(&sheet(60, None)).large.is_none());
    }

    /// A square sheet of `n` by `n` squares, and a triangle with a corner far away.
    fn sheet(n: u32, far: Option<f64>) -> Polyhedron {
        let at = |i: u32| DVec3::new(f64::from(i % (n + 1)), f64::from(i / (n + 1)), 0.0);
        let mut vertices: Vec<DVec3> = (0..(n + 1) * (n + 1)).map(at).collect();
        // In no order, as in files of scans.
        let corner = |i: u32| i * 7919 % (n * n);
        let square = |i: u32| {
            let low = corner(i) / n * (n + 1) + corner(i) % n;
            vec![low, low + 1, low + n + 2, low + n + 1]
        };
        let mut faces: Vec<Vec<u32>> = (0..n * n).map(square).collect();
        if let Some(far) = far {
            vertices.push(DVec3::new(far, 1.0, 1.0));
            faces.push(vec![0, 1, vertices.len() as u32 - 1]);
        }
        Polyhedron::new(&Polygons::new(vertices, faces)).expect("a mesh")
    }

    #[test]
    fn a_vertex_far_away_does_not_make_leaves_larger() {
        let area = |mesh: &Polyhedron| {
            let nodes = build(mesh).nodes;
            let leaves = nodes.iter().filter(|node| node.is_leaf() && node.half.x < 100.0);
            leaves.map(|node| 4.0 * node.half.x * node.half.y).sum::<f64>()
        };
        let plain = area(&sheet(60, None));
        assert!(plain < 2.0 * 3600.0, "{plain}");
        for far in [1e6, 1e9, 1e11] {
            let with = area(&sheet(60, Some(far)));
            assert!(with < 1.2 * plain, "{far}: {with} {plain}");
        }
    }
}
