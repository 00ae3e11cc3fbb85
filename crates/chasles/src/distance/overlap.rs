//! Which parts of two bodies in each other overlap.

use super::{Distance, Feature, Workspace, distance};
use crate::bounds::Collider;
use crate::motion::Pose;
use crate::near;

/// Pairs are sorted, and those that were found twice dropped, when there are this many, and again
/// when there are twice as many as were left: each pair of faces is found twice or more.
const SPARE: usize = 1 << 12;

/// The parts of two bodies at rest that overlap: pairs of faces that pass through each other, each
/// once, in the order of their numbers, at most `limit` of them.
///
/// *Accepts* any two colliders and any poses; `usize::MAX` asks for all pairs. *Guarantees* every
/// pair of faces of which one has an edge through the other by more than 1e-10 of the smaller
/// body's size, if there are no more than `limit`; else so many of them, the same for the same
/// input. An edge without faces stands for itself. Where bodies overlap and no edge passes through
/// a face, as where one is inside the other, it is the pair that [`distance`] names: a vertex and
/// the inside, or what touches. Nothing of bodies that do not overlap. *Cost* that of a
/// [`distance`], and a test for each edge and face whose leaves come together; memory for the pairs
/// that are kept. *Fails* never.
///
/// ```
/// use chasles::distance::{Feature, Workspace, overlapping_parts};
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::{Collider, Pose};
///
/// let cube = Collider::new(Shape::Box(Cuboid::default()).build()?);
/// let mut workspace = Workspace::new();
/// // A corner in a corner: three faces of one pass through three of the other.
/// let poses = [Pose::IDENTITY, Pose::from_position([0.5, 0.625, 0.75])?];
/// let parts = overlapping_parts(&cube, &cube, poses, usize::MAX, &mut workspace);
/// assert_eq!(parts.len(), 6);
/// assert!(parts.iter().all(|pair| matches!(pair, [Feature::Face(_), Feature::Face(_)])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlapping_parts<'w>(
    a: &Collider,
    b: &Collider,
    poses: [Pose; 2],
    limit: usize,
    workspace: &'w mut Workspace,
) -> &'w [[Feature; 2]] {
    let Distance { overlaps, features, .. } = distance(a, b, poses, workspace);
    let Workspace { near, overlapping, .. } = workspace;
    overlapping.clear();
    if !overlaps || limit == 0 {
        return overlapping;
    }
    let mut full = SPARE;
    near::piercings([a, b], poses, near, |owner, edge, face| {
        let [own, other] = if owner == 0 { [a, b] } else { [b, a] };
        let pierced = Feature::Face(other.mesh().face_label(face));
        let sides = own.mesh().edge_sides(edge);
        let lone = sides.is_empty().then(|| Feature::Edge(own.mesh().edge_label(edge)));
        let faces = sides.iter().map(|side| Feature::Face(own.mesh().face_label(side.face)));
        let pairs = faces.chain(lone).map(|part| [part, pierced]);
        overlapping.extend(pairs.map(|[p, q]| if owner == 0 { [p, q] } else { [q, p] }));
        if overlapping.len() < full {
            return true;
        }
        sort(overlapping);
        full = 2 * overlapping.len() + SPARE;
        overlapping.len() < limit
    });
    if overlapping.is_empty() {
        overlapping.push(features);
    }
    sort(overlapping);
    overlapping.truncate(limit);
    overlapping
}

/// In order, each pair once.
fn sort(pairs: &mut Vec<[Feature; 2]>) {
    pairs.sort_unstable();
    pairs.dedup();
}
