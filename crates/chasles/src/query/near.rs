//! Places where bodies at rest are near each other.
//!
//! A sphere is a point with a radius and a capsule a segment with one: where their cores are near
//! something, they are nearer by the radius. Cores and meshes are asked of [`near::near`], which
//! takes points and segments as meshes without faces; two cores are compared here.

use glam::DVec3;

use super::distance::cores;
use super::error::{QueryError, Question};
use super::feature::{Feature, Features};
use super::geometry::Geometry;
use super::workspace::Workspace;
use crate::motion::Pose;
use crate::near;
use crate::round::Round;

/// A place where two surfaces are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// What is near what.
    pub features: Features,
    /// The closest point of A, in the world frame.
    pub point_a: DVec3,
    /// The closest point of B, in the world frame.
    pub point_b: DVec3,
    /// Unit, from A to B, in the world frame.
    pub normal: DVec3,
    /// The distance of the two points, not negative.
    pub gap: f64,
    /// How well the features face each other, in `[-1, 1]`.
    pub properness: f64,
    /// Unit directions in the world frame, where an edge or the side of a capsule is near another.
    pub lines: Option<[DVec3; 2]>,
}

/// All places where two bodies at rest are within `reach` of each other: the contact points of a
/// solver.
///
/// *Accepts* meshes, spheres and capsules that do not overlap, at poses of A and B, and any reach.
/// *Guarantees* and *Cost* as [`near::near`] with [`near::Options::within`]: one place for each
/// vertex over a face and each two edges that cross. An end of a capsule is near something as a
/// vertex is, its side as an edge; capsules side by side are near each other at two places.
/// *Fails* where a body is a cylinder, a cone, an ellipsoid or a solid.
///
/// ```
/// use chasles::Pose;
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::query::{Feature, Geometry, Workspace, near};
///
/// let floor = Geometry::shape(&Shape::Box(Cuboid { size: [9.0, 1.0, 9.0] }))?;
/// let cube = Geometry::shape(&Shape::Box(Cuboid::default()))?;
/// let poses = [Pose::IDENTITY, Pose::from_position([1.0, 1.001, 2.0])?];
/// let mut workspace = Workspace::new();
/// let places = near(&floor, &cube, poses, 0.01, &mut workspace)?;
/// assert!(places.len() == 4 && places.iter().all(|place| place.normal.y == 1.0));
///
/// let ball = Geometry::sphere(0.5)?;
/// let places = near(&floor, &ball, poses, 0.01, &mut workspace)?;
/// assert!(places.len() == 1 && places[0].features.b == Feature::End(0));
/// assert!((places[0].gap - 0.001).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn near<'w>(
    a: &Geometry,
    b: &Geometry,
    poses: [Pose; 2],
    reach: f64,
    workspace: &'w mut Workspace,
) -> Result<&'w [Near], QueryError> {
    let [(core_a, radius_a), (core_b, radius_b)] = cores(a, b, Question::Near)?;
    let Workspace { methods, near, .. } = workspace;
    near.clear();
    if let (Some(of_a), Some(of_b)) = (a.round(), b.round()) {
        of_cores([Core::new(of_a, &poses[0]), Core::new(of_b, &poses[1])], near);
    } else {
        let options = near::Options::within(reach + radius_a + radius_b);
        let memory = methods.near.get_or_insert_default();
        near.extend(near::near(core_a, core_b, poses, &options, memory).iter().map(|place| Near {
            features: Features::from(place.features).of_bodies([a, b]),
            point_a: place.point_a,
            point_b: place.point_b,
            normal: place.normal,
            gap: place.gap,
            properness: place.properness,
            lines: place.edges,
        }));
    }
    if radius_a + radius_b > 0.0 {
        for place in &mut *near {
            place.point_a += radius_a * place.normal;
            place.point_b -= radius_b * place.normal;
            place.gap = (place.gap - radius_a - radius_b).max(0.0);
        }
        near.retain(|place| place.gap <= reach);
    }
    Ok(near)
}

/// The core of a round body: a point, or a segment.
struct Core {
    ends: [DVec3; 2],
    /// Unit, or zero for a point.
    direction: DVec3,
    length: f64,
}

/// A place on a core.
#[derive(Clone, Copy)]
struct Place {
    at: DVec3,
    feature: Feature,
}

/// Sides of capsules that are parallel to within this sine are near each other at their ends.
const PARALLEL: f64 = 1e-6;

/// How steeply an end may look along its own capsule at what it is near: as the least properness
/// of [`near::Options::within`].
const STEEPEST: f64 = 0.1;

impl Core {
    fn new(round: &Round, pose: &Pose) -> Self {
        let ends = round.ends().map(|end| pose.point(end));
        let way = ends[1] - ends[0];
        Self { ends, direction: way.normalize_or_zero(), length: way.length() }
    }

    /// The place nearest to a point.
    fn nearest(&self, point: DVec3) -> Place {
        self.place((point - self.ends[0]).dot(self.direction))
    }

    /// The place so far along the core.
    fn place(&self, along: f64) -> Place {
        if along <= 0.0 {
            Place { at: self.ends[0], feature: Feature::End(0) }
        } else if along >= self.length {
            Place { at: self.ends[1], feature: Feature::End(1) }
        } else {
            Place { at: self.ends[0] + along * self.direction, feature: Feature::Side }
        }
    }

    /// The ends, and the unit vectors from there along the core.
    fn tips(&self) -> impl Iterator<Item = (Place, DVec3)> {
        let inward = [self.direction, -self.direction];
        let count = if self.length > 0.0 { 2 } else { 1 };
        (0..count)
            .map(move |i| (Place { at: self.ends[i], feature: Feature::End(i as u8) }, inward[i]))
    }
}

/// The places where two cores are near each other: ends that are no farther than the points beside
/// them, and two sides that cross.
fn of_cores([a, b]: [Core; 2], found: &mut Vec<Near>) {
    let mut add = |on_a: Place, on_b: Place, slope: f64, lines: Option<[DVec3; 2]>| {
        let between = on_b.at - on_a.at;
        let Some(normal) = between.try_normalize() else { return };
        let features = Features { a: on_a.feature, b: on_b.feature };
        let is_known = found.iter().any(|near: &Near| near.features == features);
        if !is_known && slope <= STEEPEST {
            let (point_a, point_b, gap) = (on_a.at, on_b.at, between.length());
            let properness = -slope.max(0.0);
            found.push(Near { features, point_a, point_b, normal, gap, properness, lines });
        }
    };
    let across = a.direction.cross(b.direction);
    let sine_sq = across.length_squared();
    if sine_sq > PARALLEL * PARALLEL {
        let between = b.ends[0] - a.ends[0];
        let on_a = a.place(between.cross(b.direction).dot(across) / sine_sq);
        let on_b = b.place(between.cross(a.direction).dot(across) / sine_sq);
        if [on_a, on_b].iter().all(|place| place.feature == Feature::Side) {
            add(on_a, on_b, 0.0, Some([a.direction, b.direction]));
        }
    }
    // How far an end looks back along its own capsule at what it is near.
    let slope = |from: DVec3, to: DVec3, inward: DVec3| {
        (to - from).try_normalize().map_or(0.0, |toward| toward.dot(inward))
    };
    for (tip, inward) in a.tips() {
        let other = b.nearest(tip.at);
        add(tip, other, slope(tip.at, other.at, inward), None);
    }
    for (tip, inward) in b.tips() {
        let other = a.nearest(tip.at);
        add(other, tip, slope(tip.at, other.at, inward), None);
    }
}
