//! The gaps between a feature of A and one of the round body, as functions of time.
//!
//! Legend: `c`, `a` centre and unit axis of B, `x` an end of its core or the centre of a cap, `r`
//! the radius, `h` half of its length; `n`, `p` unit normal and point of a plane, `p`, `u` middle
//! and unit direction of an edge, `v` a vertex; `F` the flow. All gaps are lengths times a sine at
//! most.
//!
//! ```text
//! end, face      n.(x - p) - r                    slope n.F(x); of the tip of a cone r is 0
//! end, edge      |y - (y.u) u| - r,  y = x - p    slope y.F / |y|, y taken across u
//! end, vertex    |x - v| - r
//! side, vertex   |y - (y.a) a| - r,  y = v - c    the same in B's frame, where v moves with -F(v)
//! side, edge     |k| - r |N|, N = a x u, k = (c - p).N
//! cap, vertex    ±a.(v - c) - h                   slope -+a.F(v)
//! rim, face      n.(x - p) - r |n x a|            the lowest point of a disc
//! rim, edge      |W| - r |a.u|, W = a x ((p - x) x u): (a.u) times the vector from the axis to
//!                where the line pierces the plane of the cap
//! ```
//!
//! That of a cone's side is in slant.rs, those of an ellipsoid are in skin.rs. Lengths `|V|` of
//! smooth vectors have a kink where `V` vanishes. Otherwise `|V|''` is at most `|V'|² / |V| +
//! |V''|`, and everywhere the slope is at most `|V'|`: so every gap has a bound of its rate, and a
//! bound of its second derivative where it has one.

use glam::DVec3;

use super::motion::Motion;
use super::skin;
use super::slant;
use super::solve::{self, Bounded, Sample};

/// Directions with a smaller sine are parallel (with a smaller cosine, across): their common normal
/// would be known to less than 1e-6, and other pairs see the touch. As in the exact engine.
pub(super) const PARALLEL: f64 = 1e-9;

/// A feature of A.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Vertex(DVec3),
    /// Middle, unit direction, half length.
    Edge(DVec3, DVec3, f64),
    /// A point and the unit normal, towards the side that is looked at.
    Face(DVec3, DVec3),
}

/// A feature of the round body; ends are -1.0 and 1.0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    Side,
    End(f64),
    Cap(f64),
    Rim(f64),
    /// The side of a cone.
    Slant,
    /// The tip of a cone.
    Tip,
    /// All of an ellipsoid.
    Skin,
}

/// Two features whose gap is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap<'m> {
    pub(super) motion: &'m Motion,
    pub(super) place: Place,
    pub(super) part: Part,
    /// The distance at which they touch.
    pub(super) radius: f64,
}

/// No such gap is asked for; nothing touches.
const NOTHING: Sample =
    Sample { value: f64::INFINITY, slope: 0.0, bend: 0.0, rate: 0.0, factor: 1.0 };

impl Bounded for Gap<'_> {
    fn noise(&self) -> f64 {
        self.motion.noise
    }

    fn nodes(&self) -> usize {
        let is_steep = matches!(self.part, Part::Skin | Part::Slant);
        if is_steep { solve::MANY_NODES } else { solve::NODES }
    }

    #[inline]
    fn sample(&self, t: f64, half: f64) -> Sample {
        let body = self.motion.at(t);
        let (c, a) = (body.centre, body.axis);
        let end = |sign: f64| c + sign * body.half * a;
        match (self.part, self.place) {
            (Part::End(sign), Place::Face(p, n)) => self.end_face(end(sign), self.radius, (p, n)),
            (Part::Tip, Place::Face(p, n)) => self.end_face(end(1.0), 0.0, (p, n)),
            (Part::End(sign), Place::Edge(p, u, _)) => {
                let x = end(sign);
                self.length(x - p, self.motion.flow(x), Some(u), half)
            }
            (Part::End(sign), Place::Vertex(v)) => {
                let x = end(sign);
                self.length(x - v, self.motion.flow(x), None, half)
            }
            (Part::Side, Place::Vertex(v)) => {
                self.length(v - c, -self.motion.flow(v), Some(a), half)
            }
            (Part::Side, Place::Edge(p, u, _)) => self.lines(c - p, a, u, half),
            (Part::Cap(sign), Place::Vertex(v)) => self.cap_vertex(v, c, sign * a, body.half),
            // An edge that stays parallel to the plane of the cap: any of its points will do.
            (Part::Cap(sign), Place::Edge(p, ..)) => self.cap_vertex(p, c, sign * a, body.half),
            (Part::Rim(sign), Place::Face(p, n)) => self.rim_face(end(sign), a, (p, n), half),
            (Part::Rim(sign), Place::Edge(p, u, _)) => self.rim_edge(end(sign), a, (p, u), half),
            (Part::Slant, place) => {
                slant::sample(self.motion, &body, place, half).unwrap_or(NOTHING)
            }
            (Part::Skin, place) => skin::sample(self.motion, &body, place, half),
            (Part::Side | Part::Cap(_), Place::Face(..))
            | (Part::Rim(_), Place::Vertex(_))
            | (Part::Tip, Place::Vertex(_) | Place::Edge(..)) => NOTHING,
        }
    }
}

impl Gap<'_> {
    fn end_face(&self, x: DVec3, radius: f64, (p, n): (DVec3, DVec3)) -> Sample {
        let flow = self.motion.flow(x);
        Sample {
            value: n.dot(x - p) - radius,
            slope: n.dot(flow),
            bend: self.motion.plane_bend(n, flow),
            rate: flow.length(),
            factor: 1.0,
        }
    }

    /// The length of `y`, which changes by `flow`, less the radius; across a direction that is
    /// fixed where `y` moves, if there is one.
    fn length(&self, y: DVec3, flow: DVec3, across: Option<DVec3>, half: f64) -> Sample {
        let cut = |v: DVec3| across.map_or(v, |u| v - v.dot(u) * u);
        let (y, speed) = (cut(y), cut(flow).length());
        let length = y.length();
        let bent = self.motion.bent(flow).length();
        let rate = speed + bent * half;
        let least = length - rate * half;
        let bend = if least > 0.0 { rate * rate / least + bent } else { f64::INFINITY };
        let slope = if length > 0.0 { y.dot(flow) / length } else { 0.0 };
        Sample { value: length - self.radius, slope, bend, rate, factor: length + self.radius }
    }

    /// Two lines; `y` from the middle of the edge to the centre.
    fn lines(&self, y: DVec3, a: DVec3, u: DVec3, half: f64) -> Sample {
        let Motion { alpha, theta, ref screw, .. } = *self.motion;
        let turned = screw.angular().cross(a);
        let [n, n1] = [a.cross(u), turned.cross(u)];
        let sine = n.length();
        // y is not where the centre is, but differs from it by a constant.
        let flow = self.motion.flow(self.centre_from(y));
        let k = y.dot(n);
        let k1 = flow.dot(n) + y.dot(n1);
        let (speed, bent) = (flow.length(), self.motion.bent(flow).length());
        let most = (sine + alpha * half).min(1.0);
        let k2 = bent * most + 2.0 * speed * alpha + (y.length() + speed * half) * alpha * theta;
        let k_rate = k1.abs() + k2 * half;
        let least = sine - alpha * half;
        let r = self.radius;
        let is_smooth = (least > 0.0 || alpha == 0.0) && k.abs() > k_rate * half;
        let turning = if alpha == 0.0 { 0.0 } else { alpha * alpha / least + alpha * theta };
        let sine1 = if sine > 0.0 { n.dot(n1) / sine } else { 0.0 };
        Sample {
            value: k.abs() - r * sine,
            slope: k1.copysign(k1 * k) - r * sine1,
            bend: if is_smooth { k2 + r * turning } else { f64::INFINITY },
            rate: k_rate + r * alpha,
            factor: k.abs() + r * sine,
        }
    }

    fn centre_from(&self, y: DVec3) -> DVec3 {
        match self.place {
            Place::Edge(p, ..) => p + y,
            _ => y,
        }
    }

    /// `a` outward. In B's frame the plane rests and the vertex moves with `-F(v)`.
    fn cap_vertex(&self, v: DVec3, c: DVec3, a: DVec3, half_length: f64) -> Sample {
        let flow = self.motion.flow(v);
        let speed = flow.length();
        Sample {
            value: a.dot(v - c) - half_length,
            slope: -a.dot(flow),
            bend: (self.motion.alpha * speed).min(self.motion.bent(flow).length()),
            rate: speed,
            factor: 1.0,
        }
    }

    fn rim_face(&self, x: DVec3, a: DVec3, (p, n): (DVec3, DVec3), half: f64) -> Sample {
        let Motion { alpha, theta, ref screw, .. } = *self.motion;
        let flow = self.motion.flow(x);
        let [across, turned] = [n.cross(a), n.cross(screw.angular().cross(a))];
        let sine = across.length();
        let least = sine - alpha * half;
        let turning = if alpha == 0.0 {
            0.0
        } else if least > 0.0 {
            alpha * alpha / least + alpha * theta
        } else {
            f64::INFINITY
        };
        let sine1 = if sine > 0.0 { across.dot(turned) / sine } else { 0.0 };
        Sample {
            value: n.dot(x - p) - self.radius * sine,
            slope: n.dot(flow) - self.radius * sine1,
            bend: self.motion.plane_bend(n, flow) + self.radius * turning,
            rate: flow.length() + self.radius * alpha,
            factor: n.dot(x - p) + self.radius * sine,
        }
    }

    fn rim_edge(&self, x: DVec3, a: DVec3, (p, u): (DVec3, DVec3), half: f64) -> Sample {
        let Motion { alpha, theta, ref screw, .. } = *self.motion;
        let turned = screw.angular().cross(a);
        let flow = self.motion.flow(x);
        let moment = (p - x).cross(u);
        let w = a.cross(moment);
        let w1 = turned.cross(moment) - a.cross(flow.cross(u));
        let (speed, bent) = (flow.length(), self.motion.bent(flow).length());
        let w2 = alpha * theta * (moment.length() + speed * half) + 2.0 * alpha * speed + bent;
        let w_rate = w1.length() + w2 * half;
        let length = w.length();
        let least = length - w_rate * half;
        let cosine = a.dot(u);
        let is_smooth = least > 0.0 && (cosine.abs() > alpha * half || alpha == 0.0);
        let smooth = || w_rate * w_rate / least + w2 + self.radius * alpha * theta;
        let length1 = if length > 0.0 { w.dot(w1) / length } else { 0.0 };
        Sample {
            value: length - self.radius * cosine.abs(),
            slope: length1 - self.radius * turned.dot(u) * 1.0_f64.copysign(cosine),
            bend: if is_smooth { smooth() } else { f64::INFINITY },
            rate: w_rate + self.radius * alpha,
            factor: length + self.radius * cosine.abs(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{self, Pose, Step};
    use crate::round::Round;
    use glam::DQuat;

    /// Numbers in `[-1, 1)` that are always the same.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }

        fn vector(&mut self) -> DVec3 {
            DVec3::new(self.next(), self.next(), self.next())
        }

        fn cylinder(&mut self) -> Round {
            let axis = self.vector();
            Round::cylinder([-0.3 * axis, axis], 0.1 + self.next().abs()).expect("fits")
        }

        fn ellipsoid(&mut self) -> Round {
            let frame = Pose::new(0.3 * self.vector(), DQuat::from_scaled_axis(self.vector()));
            let half_axes = 0.05 + self.vector().abs();
            Round::ellipsoid_at(&frame.expect("finite"), half_axes).expect("fits")
        }

        fn cone(&mut self) -> Round {
            let axis = self.vector();
            Round::cone([-0.3 * axis, axis], 0.1 + self.next().abs()).expect("fits")
        }

        fn motion(&mut self, body: &Round) -> Motion {
            let mut pose = || {
                let turn = DQuat::from_scaled_axis(1.5 * self.vector());
                Pose::new(2.0 * self.vector(), turn).expect("finite")
            };
            let [still, moving] =
                [motion::Motion::still(Pose::IDENTITY), motion::Motion::between(pose(), pose())];
            let step = Step::new(still, moving);
            Motion::new(&step.part(0), (DVec3::ZERO, 2.0), body)
        }
    }

    #[test]
    fn rates_and_bends_are_bounds() {
        let mut numbers = Numbers(1);
        let mut smooth = 0;
        for round in 0..4000 {
            let [is_egg, is_cone] = [round % 4 == 0, round % 4 == 1];
            let body = match round % 4 {
                0 => numbers.ellipsoid(),
                1 => numbers.cone(),
                _ => numbers.cylinder(),
            };
            let motion = numbers.motion(&body);
            let [p, u] = [numbers.vector(), numbers.vector().normalize()];
            let (vertex, edge, face) =
                (Place::Vertex(p), Place::Edge(p, u, 1.0), Place::Face(p, u));
            let skin = [(Part::Skin, vertex), (Part::Skin, edge), (Part::Skin, face)];
            let parts = [
                (Part::End(1.0), vertex),
                (Part::End(1.0), edge),
                (Part::End(-1.0), face),
                (Part::Side, vertex),
                (Part::Side, edge),
                (Part::Cap(1.0), vertex),
                (Part::Rim(-1.0), face),
                (Part::Rim(1.0), edge),
            ];
            let cone = [(Part::Slant, vertex), (Part::Slant, edge), (Part::Tip, face)];
            let (t, half) = (0.5 + 0.4 * numbers.next(), 0.1 * numbers.next().powi(4));
            let pairs: &[(Part, Place)] = match (is_egg, is_cone) {
                (true, _) => &skin,
                (_, true) => &cone,
                _ => &parts,
            };
            for &(part, place) in pairs {
                let gap = Gap { motion: &motion, place, part, radius: motion.body.radius };
                let Sample { value, slope, bend, rate, .. } = gap.sample(t, half);
                for share in [-1.0, -0.6, 0.3, 1.0] {
                    let step = share * half;
                    let change = gap.sample(t + step, 0.0).value - value;
                    let rounding = 2.0 * motion.noise;
                    let at = format!("{part:?} {place:?} at {t} by {step}");
                    assert!(change.abs() <= rate * step.abs() + rounding, "{at}: {change} {rate}");
                    let bent = (change - slope * step).abs();
                    assert!(bent <= 0.5 * bend * step * step + rounding, "{at}: {bent} {bend}");
                }
                smooth += usize::from(bend.is_finite());
            }
        }
        assert!(smooth > 17_000, "most gaps are smooth almost everywhere: {smooth}");
    }
}
