//! The bodies of a film.

use chasles::glam::DVec3;
use chasles::{Polyhedron, Pose};
use chasles_picture::Colour;

/// A mesh that bodies have.
#[derive(Clone, Debug)]
pub(crate) struct Part<'s> {
    pub(crate) name: &'s str,
    pub(crate) colour: Colour,
    pub(crate) mesh: &'s Polyhedron,
    /// How far each vertex of the mesh moves in straight lines while the film runs; of a body that
    /// deforms.
    pub(crate) shifts: Option<Vec<DVec3>>,
}

/// A body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'s> {
    pub(crate) name: &'s str,
    /// Where it is at first.
    pub(crate) pose: Pose,
    /// The number of its mesh.
    pub(crate) part: usize,
}

/// All bodies of a film.
#[derive(Clone, Debug)]
pub(crate) struct Stage<'s> {
    pub(crate) title: &'s str,
    pub(crate) parts: Vec<Part<'s>>,
    pub(crate) nodes: Vec<Node<'s>>,
}

impl Stage<'_> {
    /// The numbers of the bodies that deform.
    pub(super) fn deforming(&self) -> impl Iterator<Item = usize> {
        let deforms = |(_, node): &(usize, &Node)| self.parts[node.part].shifts.is_some();
        self.nodes.iter().enumerate().filter(deforms).map(|(number, _)| number)
    }
}
