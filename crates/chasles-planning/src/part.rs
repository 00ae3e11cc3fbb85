//! Colliders as the search takes them: balls and boxes around them, and how far they extend.

use chasles::convex;
use chasles::glam::DVec3;
use chasles::query::{Geometry, Kind};

use crate::error::SceneError;
use crate::frame::Frame;

/// Hulls are made of this many vertices at most: making one may take the square of their number.
/// Of larger meshes the box stands for the hull; it contains all of it, which is what counts.
const MOST_HULL: usize = 1 << 12;

/// A collider of a link, or an obstacle.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The link or obstacle that it is of.
    pub(crate) body: usize,
    /// The link that it moves with; none if it stands in the world.
    pub(crate) link: Option<usize>,
    /// Where it is in the frame of the link, or in the world.
    pub(crate) frame: Frame,
    pub(crate) geometry: Geometry,
    /// The middle of the ball around it, in its own frame.
    pub(crate) centre: DVec3,
    pub(crate) radius: f64,
    /// The box around it, in its own frame.
    pub(crate) bounds: [DVec3; 2],
    hull: Hull,
}

/// Points and what is around them, with the same farthest points as the collider or farther ones.
#[derive(Clone, Debug)]
enum Hull {
    Points(Vec<DVec3>),
    /// All that is within a radius of the segment between two points.
    Capsule([DVec3; 2], f64),
    /// The ends, the unit axis, and the radius.
    Cylinder([DVec3; 2], DVec3, f64),
}

/// How far from the origin colliders reach at most: beyond it rounding exceeds what robots are.
const FARTHEST: f64 = 1e12;

/// Whether a body at a frame can be a collider.
///
/// *Fails* on kinds whose distance is not exact, on bodies that are empty or endless, and on those
/// that are too far away.
pub(crate) fn check(name: &str, frame: &Frame, geometry: &Geometry) -> Result<(), SceneError> {
    let kind = geometry.kind();
    if matches!(kind, Kind::Ellipsoid | Kind::Solid) {
        return Err(SceneError::Kind { name: name.into(), kind: format!("of kind {kind}") });
    }
    let [low, high] = geometry.bounds();
    if !(low.is_finite() && high.is_finite() && low.cmple(high).all()) {
        return Err(SceneError::Extent(name.into()));
    }
    let reach = low.abs().max(high.abs()).max_element() + frame.shift.abs().max_element();
    match reach <= FARTHEST {
        true => Ok(()),
        false => Err(SceneError::Far { name: name.into(), reach, farthest: FARTHEST }),
    }
}

impl Part {
    /// A body that was [checked](check).
    pub(crate) fn new(body: usize, link: Option<usize>, frame: Frame, geometry: Geometry) -> Self {
        let bounds = geometry.bounds();
        let [low, high] = bounds;
        let centre = 0.5 * (low + high);
        let (hull, radius) = hull(&geometry, bounds);
        // What rounding may add to a distance from the middle.
        let radius = radius * (1.0 + 1e-14);
        Self { body, link, frame, geometry, centre, radius, bounds, hull }
    }

    /// The least product of a vector with a point of the collider, in its own frame, or less.
    pub(crate) fn low(&self, m: DVec3) -> f64 {
        match &self.hull {
            Hull::Points(points) => points.iter().fold(f64::INFINITY, |low, p| low.min(m.dot(*p))),
            Hull::Capsule([p, q], radius) => m.dot(*p).min(m.dot(*q)) - radius * m.length(),
            Hull::Cylinder([p, q], axis, radius) => {
                m.dot(*p).min(m.dot(*q)) - radius * m.reject_from_normalized(*axis).length()
            }
        }
    }

    /// How far a point is from the box, in the collider's own frame, and the nearest point of it.
    pub(crate) fn nearest_in_box(&self, p: DVec3) -> DVec3 {
        p.clamp(self.bounds[0], self.bounds[1])
    }
}

/// The hull of a body, and the radius of a ball about the middle of its box.
fn hull(geometry: &Geometry, [low, high]: [DVec3; 2]) -> (Hull, f64) {
    let centre = 0.5 * (low + high);
    if let Some(round) = geometry.round() {
        let ends = round.ends();
        let [half, radius] = [round.half_length(), round.radius()];
        // The middle of the box around a cone is not that of its axis.
        let off = centre.distance(0.5 * (ends[0] + ends[1]));
        return match geometry.kind() {
            Kind::Cylinder => {
                let axis = (ends[1] - ends[0]).normalize_or_zero();
                (Hull::Cylinder(ends, axis, radius), half.hypot(radius) + off)
            }
            // A capsule about its axis contains a cone.
            _ => (Hull::Capsule(ends, radius), half + radius + off),
        };
    }
    let vertices = geometry.collider().map_or(&[][..], |mesh| mesh.mesh().positions());
    let radius = vertices.iter().map(|p| p.distance(centre)).fold(0.0, f64::max);
    (Hull::Points(extreme(vertices, [low, high])), radius)
}

/// The vertices of the convex hull, or the corners of the box where it is not made.
fn extreme(vertices: &[DVec3], [low, high]: [DVec3; 2]) -> Vec<DVec3> {
    if vertices.len() > MOST_HULL {
        let side = |take: bool, low: f64, high: f64| if take { high } else { low };
        let corner = |i: u32| {
            let [x, y, z] = [0, 1, 2].map(|axis| i >> axis & 1 == 1);
            let at = |take, axis: usize| side(take, low[axis], high[axis]);
            DVec3::new(at(x, 0), at(y, 1), at(z, 2))
        };
        return (0..8).map(corner).collect();
    }
    let Some(hull) = convex::hull(vertices) else { return vertices.to_vec() };
    let mut corners: Vec<u32> = hull.faces.into_iter().flatten().collect();
    corners.sort_unstable();
    corners.dedup();
    corners.into_iter().map(|corner| vertices[corner as usize]).collect()
}
