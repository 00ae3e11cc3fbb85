//! Questions about bodies that stand still.

use super::distance::distance;
use super::error::{QueryError, Side};
use super::feature::{Feature, Features};
use super::geometry::{Form, Geometry};
use super::workspace::Workspace;
use crate::bounds::Collider;
use crate::distance;
use crate::motion::Pose;
use crate::near::{self, TOUCHING};
use crate::path;
use crate::round::rest::{between, inside_ellipsoid};
use crate::round::{self, Round};

/// Whether two bodies share points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overlap {
    /// They do not, or they only touch.
    Apart,
    /// They do, and these parts are among those that do: of meshes an edge and the face that it
    /// passes through, or a vertex and the inside of the other; with a sphere or a capsule the
    /// parts whose cores are nearest; otherwise a sample of one surface that is in the other body.
    /// [`overlapping_parts`] has all of two meshes.
    Overlapping(Features),
    /// The samples of their surfaces do not tell; never of meshes and round bodies.
    Undecided,
}

impl Overlap {
    /// Whether the bodies are known to share points.
    pub fn is_overlapping(self) -> bool {
        matches!(self, Self::Overlapping(_))
    }
}

/// Whether two bodies at rest are in each other.
///
/// *Accepts* bodies of any kind at poses of A and B. *Guarantees* for meshes, spheres and capsules
/// what [`near::intersect`] does: bodies that only touch, by up to 1e-10 of their size, are apart;
/// the same for cylinders, cones and ellipsoids. For solids what samples of the surfaces prove:
/// [`Overlap::Overlapping`] if one of them is in the other body, [`Overlap::Apart`] if all are
/// farther from it than their cover. *Cost* that of a [`distance`](super::distance()), or a
/// question for each sample. *Fails* where a body cannot be sampled.
///
/// ```
/// use chasles::Pose;
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::query::{Feature, Geometry, Overlap, Workspace, overlaps};
///
/// let cube = Geometry::shape(&Shape::Box(Cuboid::default()))?;
/// let ball = Geometry::sphere(0.5)?;
/// let mut workspace = Workspace::new();
/// let mut ask = |x: f64| {
///     let poses = [Pose::IDENTITY, Pose::from_position([x, 0.1, 0.2]).unwrap()];
///     overlaps(&cube, &ball, poses, &mut workspace)
/// };
/// let Overlap::Overlapping(parts) = ask(0.9)? else { panic!("they overlap") };
/// assert!(matches!((parts.a, parts.b), (Feature::Face(_), Feature::End(0))));
/// assert_eq!(ask(1.0)?, Overlap::Apart);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`near::intersect`]: crate::near::intersect
pub fn overlaps(
    a: &Geometry,
    b: &Geometry,
    poses: [Pose; 2],
    workspace: &mut Workspace,
) -> Result<Overlap, QueryError> {
    if are_far_apart([a, b], poses) {
        return Ok(Overlap::Apart);
    }
    if let (Some(of_a), Some(of_b)) = (a.core(), b.core()) {
        let workspace = workspace.methods.distance.get_or_insert_default();
        return Ok(cores_overlap([of_a, of_b], poses, workspace)
            .map_or(Overlap::Apart, |parts| Overlap::Overlapping(parts.of_bodies([a, b]))));
    }
    let is_exact = |body: &Geometry| body.core().is_some() || body.as_revolved().is_some();
    if is_exact(a) && is_exact(b) {
        let found = distance(a, b, poses, workspace)?;
        return Ok(if found.overlaps {
            Overlap::Overlapping(found.features)
        } else {
            Overlap::Apart
        });
    }
    match [a.form(), b.form()] {
        [Form::Round(of_a), Form::Round(of_b)] => {
            return Ok(rounds_overlap([of_a, of_b], poses));
        }
        [Form::Mesh(mesh), Form::Round(egg)] => {
            let memory = workspace.methods.round.get_or_insert_default();
            return Ok(mesh_and_ellipsoid(mesh, egg, poses, memory));
        }
        [Form::Round(egg), Form::Mesh(mesh)] => {
            let memory = workspace.methods.round.get_or_insert_default();
            let [pose_a, pose_b] = poses;
            return Ok(match mesh_and_ellipsoid(mesh, egg, [pose_b, pose_a], memory) {
                Overlap::Overlapping(features) => Overlap::Overlapping(features.swapped()),
                other => other,
            });
        }
        _ => {}
    }
    let [a, b] = [a.probe(Side::A)?, b.probe(Side::B)?];
    let b_in_a = poses[0].inverse_after(&poses[1]);
    let of_b = surface_in(&b, &a, &b_in_a);
    let of_a = surface_in(&a, &b, &b_in_a.inverse());
    Ok(match [of_a, of_b] {
        [Some(Told::In(sample)), _] => {
            Overlap::Overlapping(Features { a: Feature::Sample(sample), b: Feature::Surface })
        }
        [_, Some(Told::In(sample))] => {
            Overlap::Overlapping(Features { a: Feature::Surface, b: Feature::Sample(sample) })
        }
        // No point of a surface is in the other body: neither crosses, and neither is inside.
        [Some(Told::Apart), Some(Told::Apart)] => Overlap::Apart,
        _ => Overlap::Undecided,
    })
}

/// Whether balls around two bodies are apart; never of bodies without end.
fn are_far_apart(bodies: [&Geometry; 2], poses: [Pose; 2]) -> bool {
    let ball = |i: usize| {
        let [low, high] = bodies[i].bounds();
        (poses[i].point(0.5 * (low + high)), 0.5 * (high - low).length())
    };
    let [(p, own), (q, others)] = [ball(0), ball(1)];
    // Far above rounding, which grows with how far from the origin the bodies are.
    let rounding = 1e-12 * (p.abs().max_element() + q.abs().max_element() + own + others);
    p.distance(q) > own + others + rounding
}

/// The parts of two cores, meshes or not, that are nearer than their radii, or in each other.
fn cores_overlap(
    [(a, radius_a), (b, radius_b)]: [(&Collider, f64); 2],
    poses: [Pose; 2],
    workspace: &mut distance::Workspace,
) -> Option<Features> {
    let found = distance::distance(a, b, poses, workspace);
    let around = (radius_a + radius_b) * (1.0 - TOUCHING);
    (found.overlaps || found.distance < around).then(|| found.features.into())
}

/// Whether round bodies overlap, of which one is an ellipsoid.
fn rounds_overlap(rounds: [&Round; 2], poses: [Pose; 2]) -> Overlap {
    let found = between(rounds[0], rounds[1], poses);
    if found.gap < -TOUCHING * rounds[0].radius().min(rounds[1].radius()) {
        Overlap::Overlapping(found.features.into())
    } else {
        Overlap::Apart
    }
}

/// Whether a part of a mesh is in an ellipsoid, or all of the ellipsoid in a closed mesh.
fn mesh_and_ellipsoid(
    mesh: &Collider,
    egg: &Round,
    poses: [Pose; 2],
    memory: &mut round::Workspace,
) -> Overlap {
    let pose = poses[0].inverse_after(&poses[1]);
    let found = inside_ellipsoid(mesh, egg, (&pose, TOUCHING), &mut memory.nodes);
    if let Some(part) = found {
        return Overlap::Overlapping(Features { a: part.into(), b: Feature::Side });
    }
    let centre = pose.point(egg.ends()[0]) - mesh.pivot();
    // What is clear of the surface of the ellipsoid is clear of its centre.
    if mesh.is_closed() && near::contains(mesh, centre, 0.0, &mut memory.nodes) {
        Overlap::Overlapping(Features { a: Feature::Inside, b: Feature::Side })
    } else {
        Overlap::Apart
    }
}

/// What samples of a surface tell.
enum Told {
    /// All are outside of the other body, farther than their cover.
    Apart,
    /// This one is in it.
    In(path::Sample),
    Nothing,
}

/// What samples of one body tell about its surface and the other's solid, given the pose of the
/// first in the frame of the other; none if there are none.
fn surface_in(of: &path::Body, other: &path::Body, pose: &Pose) -> Option<Told> {
    let (samples, solid) = (of.samples?, other.solid?);
    let mut told = Told::Apart;
    for (sample, place) in samples.iter() {
        let distance = solid.distance(pose.point(place));
        if distance.high < 0.0 {
            return Some(Told::In(sample));
        }
        // What is not a number tells nothing.
        let is_clear = distance.low > samples.cover();
        if !is_clear {
            told = Told::Nothing;
        }
    }
    Some(told)
}

/// The parts of two bodies at rest that overlap: of meshes all pairs of faces that pass through
/// each other, each once, in order, at most `limit` of them.
///
/// *Accepts* bodies of any kind at poses of A and B. *Guarantees* for meshes what
/// [`distance::overlapping_parts`] does; for other bodies the one pair that [`overlaps`] names.
/// Nothing if the bodies do not overlap, or it is undecided. *Cost* as there. *Fails* as
/// [`overlaps`].
///
/// ```
/// use chasles::Pose;
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::query::{Geometry, Workspace, overlapping_parts};
///
/// let cube = Geometry::shape(&Shape::Box(Cuboid::default()))?;
/// let poses = [Pose::IDENTITY, Pose::from_position([0.5, 0.625, 0.75])?];
/// let mut workspace = Workspace::new();
/// assert_eq!(overlapping_parts(&cube, &cube, poses, usize::MAX, &mut workspace)?.len(), 6);
/// assert_eq!(overlapping_parts(&cube, &cube, poses, 4, &mut workspace)?.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlapping_parts<'w>(
    a: &Geometry,
    b: &Geometry,
    poses: [Pose; 2],
    limit: usize,
    workspace: &'w mut Workspace,
) -> Result<&'w [Features], QueryError> {
    if let (Some(of_a), Some(of_b)) = (a.collider(), b.collider()) {
        let Workspace { methods, parts, .. } = workspace;
        let memory = methods.distance.get_or_insert_default();
        let found = distance::overlapping_parts(of_a, of_b, poses, limit, memory);
        parts.clear();
        parts.extend(found.iter().map(|&pair| Features::from(pair).of_bodies([a, b])));
    } else {
        let found = overlaps(a, b, poses, workspace)?;
        workspace.parts.clear();
        if let Overlap::Overlapping(features) = found {
            workspace.parts.extend((limit > 0).then_some(features));
        }
    }
    Ok(&workspace.parts)
}
