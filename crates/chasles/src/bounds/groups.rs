//! The hulls of all nodes of a tree, made in groups, each when it is first asked for.
//!
//! A group is a node with few faces and all nodes below it. Of nodes above groups the boxes are
//! those of the tree; which way their faces look is found for all of them when it is first asked.
//! A small body is one group, which is made at once and asked without a detour.

use std::sync::OnceLock;

use super::hull::{Cone, Hull, Units};
use super::tree::Node;
use crate::mesh::{Polyhedron, Rows};
use crate::motion::Screw;

/// Faces in a group at most: a query that looks at one looks at several of its leaves, and so many
/// take less than a tenth of a millisecond.
const LARGEST: usize = 256;

/// Marks places of nodes that are above groups.
const ABOVE: u32 = 1 << 31;

/// What is around the nodes of a tree.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// For each node the number of its group, or its place among those above.
    places: Vec<u32>,
    /// Nodes above groups, and their boxes.
    above: Vec<(u32, Hull)>,
    cones: OnceLock<Box<[Cone]>>,
    groups: Vec<Group>,
    /// The only group of a small body; nothing of a large one.
    small: Made,
    units: Units,
}

#[derive(Clone, Debug)]
struct Group {
    root: u32,
    made: OnceLock<Made>,
}

/// What is made of a group.
#[derive(Clone, Debug)]
struct Made {
    /// Those of the root and of all nodes below, which follow each other.
    hulls: Box<[Hull]>,
    /// For each leaf, the faces of other leaves at its features.
    other_faces: Rows<u32>,
}

/// A tree and its mesh.
#[derive(Clone, Copy)]
pub(super) struct Wood<'t> {
    pub(super) nodes: &'t [Node],
    pub(super) leaf_nodes: &'t [u32],
    pub(super) mesh: &'t Polyhedron,
}

impl Wood<'_> {
    /// The node of a number.
    #[inline]
    fn node(&self, i: u32) -> &Node {
        &self.nodes[i as usize]
    }
}

impl Groups {
    /// The groups of a tree, of which nothing is made yet unless the body is small.
    pub(super) fn new(wood: Wood<'_>, is_small: bool, units: Units) -> Self {
        if is_small {
            let small = wood.made(0, units);
            let (places, above, groups) = (Vec::new(), Vec::new(), Vec::new());
            return Self { places, above, cones: OnceLock::new(), groups, small, units };
        }
        let nodes = wood.nodes;
        let mut places = vec![0; nodes.len()];
        let [mut above, mut groups] = [Vec::new(), Vec::new()].map(|list: Vec<u32>| list);
        let mut stack = vec![0];
        while let Some(i) = stack.pop() {
            let node = &nodes[i as usize];
            if node.is_leaf() || node.faces.len() <= LARGEST {
                let group = groups.len() as u32;
                places[i as usize] = group;
                let below = below(node);
                places[below.start as usize..below.end as usize].fill(group);
                groups.push(i);
            } else {
                places[i as usize] = ABOVE | above.len() as u32;
                above.push(i);
                stack.extend([node.child, node.child + 1]);
            }
        }
        let boxed = |i: u32| (i, Hull::upright(&nodes[i as usize], units.scale));
        let group = |root: u32| Group { root, made: OnceLock::new() };
        let small = Made { hulls: Box::default(), other_faces: Rows::from_fn(0, |_, _| {}) };
        Self {
            places,
            small,
            above: above.into_iter().map(boxed).collect(),
            cones: OnceLock::new(),
            groups: groups.into_iter().map(group).collect(),
            units,
        }
    }

    /// What is around a node.
    #[inline]
    pub(super) fn hull(&self, i: u32, wood: Wood<'_>) -> &Hull {
        match self.small.hulls.get(i as usize) {
            Some(hull) => hull,
            None => self.hull_of_large(i, wood),
        }
    }

    #[inline]
    fn hull_of_large(&self, i: u32, wood: Wood<'_>) -> &Hull {
        let place = self.places[i as usize];
        if place & ABOVE != 0 {
            return &self.above[(place & !ABOVE) as usize].1;
        }
        let group = &self.groups[place as usize];
        &self.made(group, wood).hulls[wood.place(group.root, i)]
    }

    /// Whether no face at a feature of a node can move outward anywhere in its box, or by less
    /// than `slow`, if the body moves like this and turns by `angle`.
    #[inline]
    pub(super) fn turns_away(
        &self,
        i: u32,
        wood: Wood<'_>,
        motion: &Screw,
        (angle, slow): (f64, f64),
    ) -> bool {
        let hull = self.hull(i, wood);
        let normals = match self.places.get(i as usize) {
            Some(above) if above & ABOVE != 0 => &self.cones(wood)[(above & !ABOVE) as usize],
            _ => hull.normals(),
        };
        hull.turns_away(normals, motion, angle, slow)
    }

    /// The faces of other leaves at the features of the leaf at this node.
    #[inline]
    pub(super) fn other_faces(&self, i: u32, wood: Wood<'_>) -> &[u32] {
        let leaf = wood.node(i).leaves.start;
        if !self.small.hulls.is_empty() {
            return self.small.other_faces.row(leaf);
        }
        let group = &self.groups[self.places[i as usize] as usize];
        let first = wood.node(group.root).leaves.start;
        self.made(group, wood).other_faces.row(leaf - first)
    }

    /// How far the box of a leaf reaches from its centre; makes no group.
    pub(super) fn radius_of_leaf(&self, leaf: u32, wood: Wood<'_>) -> f64 {
        let mut others = Vec::new();
        let node = wood.node(wood.leaf_nodes[leaf as usize]);
        other_faces(node, wood.mesh, &mut others);
        Hull::around(node, normals(node, wood.mesh, &others), wood.mesh, self.units).ball().1
    }

    #[inline]
    fn made<'g>(&self, group: &'g Group, wood: Wood<'_>) -> &'g Made {
        match group.made.get() {
            Some(made) => made,
            None => self.make(group, wood),
        }
    }

    #[cold]
    #[inline(never)]
    fn make<'g>(&self, group: &'g Group, wood: Wood<'_>) -> &'g Made {
        group.made.get_or_init(|| wood.made(group.root, self.units))
    }

    /// Which way the faces of nodes above groups look.
    fn cones(&self, wood: Wood<'_>) -> &[Cone] {
        self.cones.get_or_init(|| {
            let mut cones = vec![Cone::ALL; self.above.len()];
            // Parents stand before their children.
            for (place, (i, _)) in self.above.iter().enumerate().rev() {
                let child = wood.node(*i).child;
                let [p, q] = [child, child + 1].map(|i| match self.places[i as usize] {
                    above if above & ABOVE != 0 => cones[(above & !ABOVE) as usize],
                    _ => wood.cone_of_group(i),
                });
                cones[place] = p.joined(&q);
            }
            cones.into()
        })
    }
}

/// The nodes below a node, which follow each other: the tree is numbered depth first.
fn below(node: &Node) -> std::ops::Range<u32> {
    match node.is_leaf() {
        true => 0..0,
        false => node.child..node.child + 2 * (node.leaves.len() as u32 - 1),
    }
}

impl Wood<'_> {
    /// Where a node is in the group of a root.
    #[inline]
    fn place(&self, root: u32, i: u32) -> usize {
        if i == root { 0 } else { (i - self.node(root).child) as usize + 1 }
    }

    fn made(&self, root: u32, units: Units) -> Made {
        let top = self.node(root);
        let other_faces = Rows::from_fn(top.leaves.len(), |leaf, out| {
            let node = self.leaf_nodes[(top.leaves.start + leaf) as usize];
            other_faces(self.node(node), self.mesh, out);
        });
        let all = || std::iter::once(root).chain(below(top));
        let upright = |i: u32| Hull::upright(self.node(i), units.scale);
        let mut hulls: Box<[Hull]> = all().map(upright).collect();
        // Children stand behind their parents.
        for i in below(top).rev().chain([root]) {
            let node = self.node(i);
            let normals = if node.is_leaf() {
                normals(node, self.mesh, other_faces.row(node.leaves.start - top.leaves.start))
            } else {
                let child = self.place(root, node.child);
                hulls[child].normals().joined(hulls[child + 1].normals())
            };
            hulls[self.place(root, i)] = Hull::around(node, normals, self.mesh, units);
        }
        Made { hulls, other_faces }
    }

    /// Which way faces look that have a feature of a group: asked for groups that nobody else may
    /// ask for, so that each face counts as often as it is met.
    fn cone_of_group(&self, root: u32) -> Cone {
        let node = self.node(root);
        let mesh = self.mesh;
        let at_vertices = node.vertices.clone().flat_map(|v| mesh.vertex_faces(v)).copied();
        let at_edges = node.edges.clone().flat_map(|e| mesh.edge_sides(e)).map(|side| side.face);
        let faces = node.faces.clone().chain(at_vertices).chain(at_edges);
        cone(node, mesh, faces)
    }
}

/// The directions of the faces at a leaf's features, those of other leaves included.
fn normals(leaf: &Node, mesh: &Polyhedron, other_faces: &[u32]) -> Cone {
    cone(leaf, mesh, leaf.faces.clone().chain(other_faces.iter().copied()))
}

/// The directions of faces, unless some are without an outside or a feature of the node is without
/// a face.
fn cone(node: &Node, mesh: &Polyhedron, faces: impl Iterator<Item = u32> + Clone) -> Cone {
    let lone = node.vertices.clone().any(|v| mesh.vertex_faces(v).is_empty())
        || node.edges.clone().any(|e| mesh.edge_sides(e).is_empty());
    if lone || faces.clone().any(|f| mesh.is_two_sided(f)) {
        return Cone::ALL;
    }
    Cone::around(faces.map(|f| mesh.normal(f)))
}

/// Faces of other leaves at the features of this one, each once and in order.
fn other_faces(node: &Node, mesh: &Polyhedron, out: &mut Vec<u32>) {
    let start = out.len();
    let at_vertices = node.vertices.clone().flat_map(|v| mesh.vertex_faces(v)).copied();
    let at_edges = node.edges.clone().flat_map(|e| mesh.edge_sides(e)).map(|side| side.face);
    out.extend(at_vertices.chain(at_edges).filter(|f| !node.faces.contains(f)));
    out[start..].sort_unstable();
    let mut kept = start;
    for i in start..out.len() {
        if i == start || out[i] != out[i - 1] {
            out[kept] = out[i];
            kept += 1;
        }
    }
    out.truncate(kept);
}
