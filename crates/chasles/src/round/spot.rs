//! Where two features touch at a root of their gap, if they do.
//!
//! The gap is that of the whole plane or line of a feature and of the whole ball, tube or disc of the
//! round body. The place decides: the nearest points must lie in both features, up to a tolerance.
//! A point within the tolerance of a border may belong to its neighbour; what both see is one
//! contact, so such points are marked.

use glam::DVec3;

use super::body::{Kind, Round, unit_across};
use super::gaps::{Gap, PARALLEL, Part, Place};
use crate::contact::locate::{Place as InFace, in_polygon};

/// The corners of a face in local coordinates.
pub(super) struct Corners<'c> {
    pub(super) positions: &'c [DVec3],
    pub(super) corners: &'c [u32],
}

/// A touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// The point of A's feature.
    pub(super) point: DVec3,
    /// From A to B.
    pub(super) normal: DVec3,
    pub(super) part: Part,
    pub(super) is_border: bool,
}

/// How far a number may be beyond its limit: `None` if it is, otherwise whether it is close.
fn within(value: f64, limit: f64, tolerance: f64) -> Option<bool> {
    (value <= limit + tolerance).then_some(value >= limit - tolerance)
}

/// Where the features of a gap touch at a time, given that the gap vanishes.
pub(super) fn spot(gap: &Gap, t: f64, tolerance: f64, corners: &Corners) -> Option<Spot> {
    let body = gap.motion.at(t);
    let touch = Touching { gap, body, tolerance };
    match (gap.part, gap.place) {
        (Part::End(sign), Place::Face(p, n)) => {
            let x = body.end(sign);
            let point = x - n.dot(x - p) * n;
            let is_border = touch.in_face(point, n, corners)? | touch.on_end(point, sign)?;
            Some(Spot { point, normal: n, part: gap.part, is_border })
        }
        (Part::End(sign), Place::Edge(p, u, half)) => {
            let x = body.end(sign);
            let along = (x - p).dot(u);
            let on_edge = within(along.abs(), half, tolerance)?;
            let point = p + along * u;
            touch.between(point, x, on_edge | touch.on_end(point, sign)?)
        }
        (Part::End(sign), Place::Vertex(v)) => {
            touch.between(v, body.end(sign), touch.on_end(v, sign)?)
        }
        (Part::Side, Place::Vertex(v)) => {
            let along = (v - body.centre).dot(body.axis);
            let on_border = within(along.abs(), body.half, tolerance)?;
            touch.between(v, body.centre + along * body.axis, on_border)
        }
        (Part::Side, Place::Edge(p, u, half)) => touch.side_edge(p, u, half),
        (Part::Cap(sign), Place::Vertex(v)) => {
            let y = v - body.centre;
            let out = (y - y.dot(body.axis) * body.axis).length();
            let is_border = within(out, body.radius, tolerance)?;
            Some(Spot { point: v, normal: -sign * body.axis, part: gap.part, is_border })
        }
        (Part::Cap(sign), Place::Edge(p, u, half)) => touch.cap_edge(sign, p, u, half),
        (Part::Rim(sign), Place::Face(_, n)) => touch.rim_face(sign, n, corners),
        (Part::Rim(sign), Place::Edge(p, u, half)) => touch.rim_edge(sign, p, u, half),
        (Part::Side | Part::Cap(_), Place::Face(..)) | (Part::Rim(_), Place::Vertex(_)) => None,
    }
}

impl Round {
    /// An end of the core, -1.0 or 1.0.
    #[inline]
    pub(super) fn end(&self, sign: f64) -> DVec3 {
        self.centre + sign * self.half * self.axis
    }
}

struct Touching<'g> {
    gap: &'g Gap<'g>,
    body: Round,
    tolerance: f64,
}

impl Touching<'_> {
    /// Whether a point of a face's plane is on its border; none if it is outside.
    fn in_face(&self, point: DVec3, n: DVec3, face: &Corners) -> Option<bool> {
        let corner = |i: usize| face.positions[face.corners[i] as usize];
        match in_polygon(point, n, corner, face.corners.len(), self.tolerance) {
            InFace::Outside => None,
            InFace::Inside => Some(false),
            InFace::Edge(_) | InFace::Corner(_) => Some(true),
        }
    }

    /// Whether an end of the core is the point of it that is nearest to another.
    fn on_end(&self, point: DVec3, sign: f64) -> Option<bool> {
        if self.body.kind == Kind::Sphere {
            return Some(false);
        }
        let beyond = sign * (point - self.body.end(sign)).dot(self.body.axis);
        within(-beyond, 0.0, self.tolerance)
    }

    /// A touch at a point of A whose nearest point of the core is this.
    fn between(&self, point: DVec3, core: DVec3, is_border: bool) -> Option<Spot> {
        // A radius below the rounding of places leaves no direction but that of the motion.
        let against = || -self.gap.motion.flow(point);
        let across = core - point;
        let normal = if across.length() > 1e-3 * self.gap.radius { across } else { against() };
        let normal = normal.try_normalize().unwrap_or(DVec3::Z);
        Some(Spot { point, normal, part: self.gap.part, is_border })
    }

    fn side_edge(&self, p: DVec3, u: DVec3, half: f64) -> Option<Spot> {
        let Round { centre, axis, half: half_length, .. } = self.body;
        let sine = axis.cross(u).length();
        if sine < PARALLEL {
            return None;
        }
        let y = centre - p;
        let cosine = axis.dot(u);
        let along = (y.dot(u) - cosine * y.dot(axis)) / (sine * sine);
        let up = along * cosine - y.dot(axis);
        let tolerance = self.tolerance / sine;
        let on_edge = within(along.abs(), half, tolerance)?;
        let on_side = within(up.abs(), half_length, tolerance)?;
        self.between(p + along * u, centre + up * axis, on_edge | on_side)
    }

    /// An edge in the plane of a cap that reaches across it; if it ends in the cap, its vertex
    /// touches.
    fn cap_edge(&self, sign: f64, p: DVec3, u: DVec3, half: f64) -> Option<Spot> {
        let Round { axis, radius, .. } = self.body;
        let y = p - self.body.end(sign);
        let along = -y.dot(u);
        let out = y + along * u;
        let is_border = within(out.length(), radius, self.tolerance)?;
        let chord = (radius * radius - out.length_squared()).max(0.0).sqrt();
        within(along.abs() + chord, half, self.tolerance)?;
        let point = p + along * u;
        Some(Spot { point, normal: -sign * axis, part: Part::Cap(sign), is_border })
    }

    /// The lowest point of a disc, or its middle if it lies flat.
    fn rim_face(&self, sign: f64, n: DVec3, corners: &Corners) -> Option<Spot> {
        let Round { axis, radius, half, .. } = self.body;
        // The other disc is not lower.
        let other = within(2.0 * half * sign * n.dot(axis), 0.0, self.tolerance)?;
        let is_flat = radius * n.cross(axis).length() <= self.tolerance;
        let down = if is_flat { DVec3::ZERO } else { radius * unit_across(n, axis) };
        let point = self.body.end(sign) - down;
        let is_border = self.in_face(point, n, corners)? | other;
        let part = if is_flat { Part::Cap(sign) } else { Part::Rim(sign) };
        Some(Spot { point, normal: n, part, is_border })
    }

    /// Where the line pierces the plane of the cap. It touches the body there only if it does not
    /// pass into it: seen from the rim, inside is inward and away from the cap.
    fn rim_edge(&self, sign: f64, p: DVec3, u: DVec3, half: f64) -> Option<Spot> {
        let Round { axis, .. } = self.body;
        let x = self.body.end(sign);
        let cosine = axis.dot(u);
        if cosine.abs() < PARALLEL {
            return self.cap_edge(sign, p, u, half);
        }
        let along = axis.dot(x - p) / cosine;
        let tolerance = self.tolerance / cosine.abs();
        let on_edge = within(along.abs(), half, tolerance)?;
        let point = p + along * u;
        let out = (point - x).try_normalize()?;
        let outward = sign * axis;
        // The direction outward is as uncertain as the point.
        let angle = tolerance / self.body.radius + 1e-12;
        let passes = within(u.dot(out) * u.dot(outward), 0.0, angle * cosine.abs())?;
        let normal = u.cross(axis.cross(out)).try_normalize().unwrap_or(-out);
        let normal = if normal.dot(out + outward) > 0.0 { -normal } else { normal };
        Some(Spot { point, normal, part: self.gap.part, is_border: on_edge | passes })
    }
}
