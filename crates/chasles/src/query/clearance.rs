//! How near bodies come to each other during a motion, and how those in each other are separated.

use super::distance::cores;
use super::error::{QueryError, Question};
use super::geometry::Geometry;
use super::route::{Moves, cut};
use super::workspace::Workspace;
use crate::distance;
use crate::motion::Pose;

pub use crate::distance::{Clearance, Penetration};

/// How closely a [`clearance`] is asked for. A number becomes one by `into`: the width alone.
///
/// ```
/// use chasles::query::Accuracy;
/// let of_own_motions = Accuracy { max_departure: Some(1e-4), ..Accuracy::from(1e-3) };
/// assert_eq!(of_own_motions.width, 1e-3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The widest interval, at least 0.
    pub width: f64,
    /// As [`Options::max_departure`](super::Options::max_departure).
    pub max_departure: Option<f64>,
}

impl From<f64> for Accuracy {
    fn from(width: f64) -> Self {
        Self { width, max_departure: None }
    }
}

impl Accuracy {
    /// Refuses widths that say nothing.
    pub(super) fn checked(self) -> Result<Self, QueryError> {
        if self.width >= 0.0 { Ok(self) } else { Err(QueryError::Width(self.width)) }
    }
}

/// The least distance of two bodies over a motion, as an interval no wider than asked for.
///
/// *Accepts* meshes, spheres and capsules on a [`Step`](crate::Step) or a [`Route`](super::Route),
/// and a width or an [`Accuracy`]. *Guarantees* what [`distance::clearance`] does, along the
/// relative screws: the distance is at least `lower` at all times and `upper` at `time`, and they
/// differ by the width at most, or by rounding if that is more. If the bodies touch, `lower` is 0.
/// `upper` is 0 then too, unless a round body is in the other by less than the width: then it may
/// be as large as the width. *Cost* about that of 25 to 50 [`distance`](super::distance())s for
/// each piece of a route, up to 200 where the bodies keep their distance. *Fails* where a body is a
/// cylinder or a solid, on a width that is negative or not a number, and where no number of parts
/// keeps the departure below its bound.
///
/// ```
/// use chasles::query::{Geometry, Workspace, clearance};
/// use chasles::{Motion, Pose, Step};
///
/// let [ball, post] = [Geometry::sphere(0.5)?, Geometry::sphere(0.25)?];
/// let [from, to] = [[-3.0, 1.0, 0.0], [3.0, 1.0, 0.0]].map(|p| Pose::from_position(p).unwrap());
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to));
/// let found = clearance(&post, &ball, &step, 1e-6, &mut Workspace::new())?;
/// assert!(found.lower <= 0.25 + 1e-12 && found.upper >= 0.25 - 1e-12);
/// assert!(found.upper - found.lower <= 1e-6 && (found.time - 0.5).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn clearance(
    a: &Geometry,
    b: &Geometry,
    motion: &impl Moves,
    accuracy: impl Into<Accuracy>,
    workspace: &mut Workspace,
) -> Result<Clearance, QueryError> {
    let Accuracy { width, max_departure } = accuracy.into().checked()?;
    let [(core_a, radius_a), (core_b, radius_b)] = cores(a, b, Question::Clearance)?;
    let workspace = workspace.methods.distance.get_or_insert_default();
    let mut all: Option<Clearance> = None;
    for index in 0..motion.count() {
        let piece = motion.piece(index);
        let step = cut(&piece.step, max_departure, [a, b])?;
        let found = distance::clearance(core_a, core_b, &step, width, workspace);
        let Clearance { points: [p, q], normal, .. } = found;
        let apart = |gap: f64| (gap - radius_a - radius_b).max(0.0);
        let on_surfaces = [p + radius_a * normal, q - radius_b * normal];
        let points = if found.upper == 0.0 {
            // Cores that touch share the point.
            [p, q]
        } else if apart(found.upper) > 0.0 || radius_a + radius_b == 0.0 {
            on_surfaces
        } else {
            [0.5 * (on_surfaces[0] + on_surfaces[1]); 2]
        };
        let next = Clearance {
            lower: apart(found.lower),
            upper: apart(found.upper),
            time: piece.whole(found.time),
            points,
            pairs: found.pairs + all.map_or(0, |all| all.pairs),
            ..found
        };
        let lower = all.map_or(next.lower, |all| all.lower.min(next.lower));
        let nearest = all.filter(|all| all.upper <= next.upper).unwrap_or(next);
        let lower = lower.min(nearest.upper);
        all = Some(Clearance { lower, pairs: next.pairs, ..nearest });
        if nearest.upper == 0.0 {
            break;
        }
    }
    Ok(all.expect("a motion has a piece"))
}

/// A translation of B that separates two bodies in each other; none if they are not.
///
/// *Accepts* meshes at poses of A and B. *Guarantees*, *Cost*: see
/// [`distance::penetration`]; of convex bodies it is the shortest translation, of others neither
/// its length nor the lower bound is *the* depth. *Fails* where a body is no mesh.
///
/// ```
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::query::{Geometry, Workspace, penetration};
/// use chasles::{Pose, glam::DVec3};
///
/// let cube = Geometry::shape(&Shape::Box(Cuboid { size: [1.0; 3] }))?;
/// let poses = [Pose::IDENTITY, Pose::from_position([0.25, 0.875, 0.25])?];
/// let found = penetration(&cube, &cube, poses, &mut Workspace::new())?.expect("they overlap");
/// assert!(found.exact && found.translation.abs_diff_eq(DVec3::Y * 0.125, 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn penetration(
    a: &Geometry,
    b: &Geometry,
    poses: [Pose; 2],
    workspace: &mut Workspace,
) -> Result<Option<Penetration>, QueryError> {
    let (Some(mesh_a), Some(mesh_b)) = (a.collider(), b.collider()) else {
        return Err(QueryError::no_method(Question::Penetration, [a.kind(), b.kind()]));
    };
    let workspace = workspace.methods.distance.get_or_insert_default();
    Ok(distance::penetration(mesh_a, mesh_b, poses, workspace))
}
