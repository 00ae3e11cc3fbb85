//! How near bodies come to each other during a motion, and how those in each other are separated.

use super::distance::cores;
use super::error::{QueryError, Question};
use super::geometry::Geometry;
use super::route::{Moves, cut};
use super::workspace::Workspace;
use crate::bounds::Collider;
use crate::distance::{self, Moving, Standing};
use crate::motion::{Pose, Step};
use crate::round::Round;

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
/// *Accepts* meshes, spheres, capsules, cylinders and cones on a [`Step`](crate::Step) or a
/// [`Route`](super::Route), and a width or an [`Accuracy`]. *Guarantees* what
/// [`distance::clearance`] does, along the relative screws: the distance is at least `lower` at all
/// times and `upper` at `time`, and they differ by the width at most, or by rounding if that is
/// more. If the bodies touch, `lower` is 0. `upper` is 0 then too, unless a round body is in the
/// other by less than the width: then it may be as large as the width. *Cost* about that of 25 to
/// 50 [`distance`](super::distance())s for each piece of a route, up to 200 where the bodies keep
/// their distance. *Fails* where a body is a solid or an ellipsoid, on a width that is negative or
/// not a number, and where no number of parts keeps the departure below its bound.
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
    let pair = Pair::new(a, b)?;
    let [radius_a, radius_b] = pair.radii();
    let workspace = workspace.methods.distance.get_or_insert_default();
    let mut all: Option<Clearance> = None;
    for index in 0..motion.count() {
        let piece = motion.piece(index);
        let step = cut(&piece.step, max_departure, [a, b])?;
        let found = pair.clearance(&step, width, workspace);
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

/// Two bodies as clearances take them.
enum Pair<'g> {
    /// Meshes or cores, and how far around them the bodies reach.
    Cores([(&'g Collider, f64); 2]),
    /// A body with a core, and a cylinder or a cone.
    Beside((&'g Collider, f64), &'g Round, Moving),
    BothRevolved([&'g Round; 2]),
}

impl<'g> Pair<'g> {
    fn new(a: &'g Geometry, b: &'g Geometry) -> Result<Self, QueryError> {
        match [(a.core(), b.as_revolved()), (b.core(), a.as_revolved())] {
            [(Some(core), Some(round)), _] => Ok(Self::Beside(core, round, Moving::B)),
            [_, (Some(core), Some(round))] => Ok(Self::Beside(core, round, Moving::A)),
            [(None, Some(of_b)), (None, Some(of_a))] => Ok(Self::BothRevolved([of_a, of_b])),
            _ => cores(a, b, Question::Clearance).map(Self::Cores),
        }
    }

    /// How far around what is asked for A and B reach.
    fn radii(&self) -> [f64; 2] {
        match *self {
            Self::Cores(cores) => cores.map(|(_, radius)| radius),
            Self::Beside((_, radius), _, Moving::A) => [0.0, radius],
            Self::Beside((_, radius), _, Moving::B) => [radius, 0.0],
            Self::BothRevolved(_) => [0.0; 2],
        }
    }

    fn clearance(&self, step: &Step, width: f64, workspace: &mut distance::Workspace) -> Clearance {
        match *self {
            Self::Cores([(a, _), (b, _)]) => distance::clearance(a, b, step, width, workspace),
            Self::Beside((core, _), round, moving) => {
                let standing = Standing::Mesh(core);
                distance::beside_revolved(standing, (round, moving), step, width, workspace)
            }
            Self::BothRevolved([of_a, of_b]) => {
                let standing = Standing::Revolved(of_a);
                distance::beside_revolved(standing, (of_b, Moving::B), step, width, workspace)
            }
        }
    }
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
