//! Where two features touch at a root of their gap, if they do.
//!
//! The gap is that of the whole plane or line of a feature and of the whole ball, tube or disc of
//! the round body. The place decides: the nearest points must lie in both features, up to a
//! tolerance. A point within the tolerance of a border may belong to its neighbour; what both see
//! is one contact, so such points are marked.

use glam::DVec3;

use super::body::{Kind, Round, unit_across};
use super::gaps::{Gap, PARALLEL, Part, Place};
use super::skin;
use crate::contact::locate::{Place as InFace, in_polygon};

/// The corners of a face in local coordinates.
pub(super) struct Corners<'c> {
    pub(super) positions: &'c [DVec3],
    pub(super) corners: &'c [u32],
}

impl Corners<'_> {
    /// How far a point is outside of the face, seen along its normal; 0 inside.
    pub(super) fn outside(&self, point: DVec3, n: DVec3) -> f64 {
        let corner = |i: usize| self.positions[self.corners[i] as usize];
        match in_polygon(point, n, corner, self.corners.len(), 0.0) {
            InFace::Outside => self.to_border(point, n).length(),
            _ => 0.0,
        }
    }

    /// The way from a point to the border of the face, seen along its normal.
    fn to_border(&self, point: DVec3, n: DVec3) -> DVec3 {
        let flat = |i: u32| {
            let v = self.positions[i as usize] - point;
            v - v.dot(n) * n
        };
        let before = self.corners.iter().cycle().skip(self.corners.len().saturating_sub(1));
        let sides = before.zip(self.corners).map(|(&p, &q)| [flat(p), flat(q)]);
        let ways = sides.map(|[p, q]| {
            let side = q - p;
            p + (-p.dot(side) / side.length_squared()).clamp(0.0, 1.0) * side
        });
        let by = |p: &DVec3, q: &DVec3| p.length_squared().total_cmp(&q.length_squared());
        ways.min_by(by).unwrap_or(DVec3::ZERO)
    }
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
            let (point, on_border) = touch.in_face(x - n.dot(x - p) * n, n, corners)?;
            let is_border = on_border | touch.on_end(point, sign)?;
            Some(Spot { point, normal: n, part: gap.part, is_border })
        }
        (Part::End(sign), Place::Edge(p, u, half)) => {
            let x = body.end(sign);
            let along = (x - p).dot(u);
            let on_edge = within(along.abs(), half, tolerance)?;
            let point = p + along.clamp(-half, half) * u;
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
        (Part::Slant, Place::Vertex(v)) => touch.slant_vertex(v),
        (Part::Slant, Place::Edge(p, u, half)) => touch.slant_edge(p, u, half),
        (Part::Tip, Place::Face(_, n)) => touch.tip_face(n, corners),
        (Part::Skin, Place::Vertex(v)) => touch.skin(v, false),
        (Part::Skin, Place::Edge(p, u, half)) => {
            let along = skin::along(&body, p, u);
            let is_border = within(along.abs(), half, tolerance)?;
            touch.skin(p + along.clamp(-half, half) * u, is_border)
        }
        (Part::Skin, Place::Face(_, n)) => {
            let lowest = body.centre - body.farthest(n).0;
            let (point, is_border) = touch.in_face(lowest, n, corners)?;
            Some(Spot { normal: n, ..touch.skin(point, is_border)? })
        }
        (Part::Side | Part::Slant | Part::Cap(_), Place::Face(..))
        | (Part::Rim(_), Place::Vertex(_))
        | (Part::Tip, Place::Vertex(_) | Place::Edge(..)) => None,
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
    /// The point of a face that is a point of its plane up to the tolerance, and whether it is on
    /// the border; none if that is outside.
    fn in_face(&self, point: DVec3, n: DVec3, face: &Corners) -> Option<(DVec3, bool)> {
        let corner = |i: usize| face.positions[face.corners[i] as usize];
        let place = |tolerance| in_polygon(point, n, corner, face.corners.len(), tolerance);
        match place(self.tolerance) {
            InFace::Outside => None,
            InFace::Inside => Some((point, false)),
            _ if place(0.0) == InFace::Outside => Some((point + face.to_border(point, n), true)),
            _ => Some((point, true)),
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

    /// A vertex on the side of a cone.
    fn slant_vertex(&self, v: DVec3) -> Option<Spot> {
        // What is nearer to the tip than this has no direction from the axis.
        let unclear = 1e3 * self.tolerance;
        let is_border = self.on_slant(self.body.along_slant(v).0, self.tolerance)?;
        let normal = -self.body.outward_of_cone(v, unclear);
        Some(Spot { point: v, normal, part: self.gap.part, is_border })
    }

    /// Whether a place along the slant of a cone is between tip and rim.
    fn on_slant(&self, along: f64, tolerance: f64) -> Option<bool> {
        let length = self.body.slant().length;
        Some(within(-along, 0.0, tolerance)? | within(along, length, tolerance)?)
    }

    /// An edge beside a cone: where the plane through it that is tangent to the cone has it next to
    /// its generator.
    fn slant_edge(&self, p: DVec3, u: DVec3, half: f64) -> Option<Spot> {
        let (down, normal, sine) = self.body.generator(p, u)?;
        let (along, below) = beside_generator(self.body.end(1.0) - p, u, (down, sine));
        let tolerance = self.tolerance / sine;
        let on_edge = within(along.abs(), half, tolerance)?;
        let on_side = self.on_slant(below, tolerance)?;
        let point = self.beside_slant(p, u, half)?;
        self.touches(point)?;
        Some(Spot { point, normal: -normal, part: self.gap.part, is_border: on_edge | on_side })
    }

    /// The point of an edge that is nearest to the side of a cone, as [`Self::beside_axis`].
    fn beside_slant(&self, p: DVec3, u: DVec3, half: f64) -> Option<DVec3> {
        let (down, _, sine) = self.body.generator(p, u)?;
        let tip = self.body.end(1.0);
        let (along, _) = beside_generator(tip - p, u, (down, sine));
        let point = p + along.clamp(-half, half) * u;
        let below = (point - tip).dot(down).clamp(0.0, self.body.slant().length);
        Some(p + (tip + below * down - p).dot(u).clamp(-half, half) * u)
    }

    /// The tip of a cone on a face, unless the rim is lower.
    fn tip_face(&self, n: DVec3, corners: &Corners) -> Option<Spot> {
        let rim_too = within(-self.body.tip_over_rim(-n), 0.0, self.tolerance)?;
        let (point, on_border) = self.in_face(self.body.end(1.0), n, corners)?;
        Some(Spot { point, normal: n, part: Part::Tip, is_border: on_border | rim_too })
    }

    /// A touch of an ellipsoid at a point of A.
    fn skin(&self, point: DVec3, is_border: bool) -> Option<Spot> {
        self.touches(point)?;
        // As for a radius below the rounding of places.
        let against = || (-self.gap.motion.flow(point)).try_normalize();
        let normal = self.body.outward(point).map(|normal| -normal).or_else(against);
        let normal = normal.unwrap_or(DVec3::Z);
        Some(Spot { point, normal, part: Part::Skin, is_border })
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
        let point = self.beside_axis(p, u, half, along);
        self.touches(point)?;
        let up = (point - centre).dot(axis).clamp(-half_length, half_length);
        self.between(point, centre + up * axis, on_edge | on_side)
    }

    /// The point of an edge that is nearest to the core, given roughly where. Nearly parallel lines
    /// do not tell where they are nearest, but their segments are as near wherever that is.
    fn beside_axis(&self, p: DVec3, u: DVec3, half: f64, along: f64) -> DVec3 {
        let Round { centre, axis, half: half_length, .. } = self.body;
        let point = p + along.clamp(-half, half) * u;
        let up = (point - centre).dot(axis).clamp(-half_length, half_length);
        p + (centre + up * axis - p).dot(u).clamp(-half, half) * u
    }

    /// Whether a point of A is on the body, by itself and not by the gap of its line.
    fn touches(&self, point: DVec3) -> Option<()> {
        (self.off(point).abs() <= self.gap.motion.tolerance).then_some(())
    }

    /// How far a point is from the body, which is as thick as the gap asks for.
    fn off(&self, point: DVec3) -> f64 {
        if self.body.kind == Kind::Ellipsoid {
            return self.body.beyond(point);
        }
        Round { radius: self.gap.radius, ..self.body }.distance(point)
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

    /// The lowest point of a disc, or its middle if it lies flat, unless the other end is lower.
    fn rim_face(&self, sign: f64, n: DVec3, corners: &Corners) -> Option<Spot> {
        let Round { axis, radius, half, .. } = self.body;
        let beyond = match self.body.kind {
            Kind::Cone => self.body.tip_over_rim(-n),
            _ => 2.0 * half * sign * n.dot(axis),
        };
        let other = within(beyond, 0.0, self.tolerance)?;
        let is_flat = radius * n.cross(axis).length() <= self.gap.motion.tolerance;
        let down = if is_flat { DVec3::ZERO } else { radius * unit_across(n, axis) };
        let (point, on_border) = self.in_face(self.body.end(sign) - down, n, corners)?;
        let is_border = on_border | other;
        let part = if is_flat { Part::Cap(sign) } else { Part::Rim(sign) };
        Some(Spot { point, normal: n, part, is_border })
    }

    /// Where the line pierces the plane of the cap. It touches the body there only if it does not
    /// pass into it: seen from the rim, inside is inward and away from the cap.
    fn rim_edge(&self, sign: f64, p: DVec3, u: DVec3, half: f64) -> Option<Spot> {
        let Round { axis, .. } = self.body;
        let x = self.body.end(sign);
        let cosine = axis.dot(u);
        if cosine.abs() * half <= self.gap.motion.noise {
            return self.cap_edge(sign, p, u, half);
        }
        let along = axis.dot(x - p) / cosine;
        let on_edge = within(along.abs(), half, self.tolerance / cosine.abs())?;
        let point = self.beside_rim(x, p, u, half);
        self.touches(point)?;
        let out = unit_across(point - x, axis);
        let (side, outward) = (self.body.beside(out), sign * axis);
        // The direction outward is as uncertain as the point, by the tolerance over the cosine.
        let angle = self.tolerance / self.body.radius + 1e-12 * cosine.abs();
        let passes = within(u.dot(side) * u.dot(outward), 0.0, angle)?;
        let normal = u.cross(axis.cross(out)).try_normalize().unwrap_or(-side);
        let normal = if normal.dot(side + outward) > 0.0 { -normal } else { normal };
        Some(Spot { point, normal, part: self.gap.part, is_border: on_edge | passes })
    }

    /// The point of an edge that is nearest to a cap: where it pierces the plane of the cap, unless
    /// another is nearer. Where the edge is nearly in that plane it does not tell where it pierces
    /// it; then it is an end of the chord under which the cap sees it.
    fn beside_rim(&self, x: DVec3, p: DVec3, u: DVec3, half: f64) -> DVec3 {
        let Round { axis, radius, .. } = self.body;
        let [y, v] = [p - x, u].map(|v| v - v.dot(axis) * axis);
        let point = |along: f64| p + along.clamp(-half, half) * u;
        let pierced = point(axis.dot(x - p) / axis.dot(u));
        let middle = -y.dot(v) / v.length_squared();
        if !middle.is_finite() {
            return pierced;
        }
        let out_sq = (y + middle * v).length_squared();
        let chord = ((radius * radius - out_sq).max(0.0) / v.length_squared()).sqrt();
        let by = |p: &DVec3, q: &DVec3| self.off(*p).total_cmp(&self.off(*q));
        let others = [middle, middle - chord, middle + chord].map(point);
        let nearest = others.into_iter().min_by(by).unwrap_or(pierced);
        let gain = self.off(pierced) - self.off(nearest);
        if gain > 0.5 * self.gap.motion.tolerance { nearest } else { pierced }
    }
}

/// Where a line and a generator of a cone are nearest: along both, from the point to which the tip
/// is given, and from the tip.
fn beside_generator(tip: DVec3, u: DVec3, (down, sine): (DVec3, f64)) -> (f64, f64) {
    let cosine = down.dot(u);
    let along = (tip.dot(u) - cosine * tip.dot(down)) / (sine * sine);
    (along, along * cosine - tip.dot(down))
}

/// How far the nearest point of an edge is from the body, where the gap of its line does not tell
/// it well; none for other features.
pub(super) fn edge_gap(gap: &Gap, t: f64) -> Option<f64> {
    let body = gap.motion.at(t);
    let touch = Touching { gap, body, tolerance: gap.motion.tolerance };
    match (gap.part, gap.place) {
        (Part::Side, Place::Edge(p, u, half)) => {
            let n = body.axis.cross(u);
            let along = (body.centre - p).dot(body.axis.cross(n)) / -n.length_squared();
            along.is_finite().then(|| touch.off(touch.beside_axis(p, u, half, along)))
        }
        (Part::Slant, Place::Edge(p, u, half)) => {
            touch.beside_slant(p, u, half).map(|point| touch.off(point))
        }
        (Part::Rim(sign), Place::Edge(p, u, half)) => {
            Some(touch.off(touch.beside_rim(body.end(sign), p, u, half)))
        }
        _ => None,
    }
}
