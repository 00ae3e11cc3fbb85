//! The direction in which two round bodies are farthest apart, by Newton's steps with slopes in
//! closed form: beside needles, whose extents bend too sharply for differences.
//!
//! A body reaches along a unit direction `d`, from its centre, as far as
//!
//! ```text
//! H = |W d| + l . d      W     the half axes of an ellipsoid, the radius of others (of a cylinder
//!                              and at the base of a cone only across the axis)
//!                        l     the end of the axis that is farther; none of an ellipsoid
//! slope along t          (W t).(W d) / |W d| + l . t
//! bend along s and t     (W s x W d).(W t x W d) / |W d|³
//! ```
//!
//! where the products of the last lose nothing, however thin the body. With `r` from centre to
//! centre, `G = r . d - H_a - H_b` is the gap along `d`; on the sphere of directions it bends by
//! `-G` more. Creases, where the end of the axis changes, are circles about the axis.

use glam::DVec3;

use super::body::{Kind, Round};
use super::convex::gap_along;
use crate::numeric::Elementary;

/// Bodies with half axes that differ by more than this ratio are needles.
const NEEDLE: f64 = 30.0;

/// Newton's steps at most; a few are usual, and none makes the direction worse.
const STEPS: usize = 40;

/// Halvings of one step before it counts as none.
const HALVINGS: usize = 12;

/// No step turns by more: slopes tell nothing of what is farther.
const LONGEST: f64 = 0.5;

/// Two bodies of which one is a needle.
pub(super) struct Climb<'r> {
    a: &'r Round,
    b: &'r Round,
}

impl<'r> Climb<'r> {
    /// None if neither body is a needle: then differences are as good.
    pub(super) fn new(a: &'r Round, b: &'r Round) -> Option<Self> {
        (a.ratio().max(b.ratio()) > NEEDLE).then_some(Self { a, b })
    }

    /// Uphill from a unit direction.
    pub(super) fn on_sphere(&self, mut d: DVec3) -> DVec3 {
        for _ in 0..STEPS {
            let tangents = self.across(d);
            let gap = gap_along(self.a, self.b, d).max(0.0);
            let [x, y] = tangents.map(|t| self.slope(d, t));
            let [xx, yy] = tangents.map(|t| self.bend(d, [t, t]) + gap);
            let xy = self.bend(d, tangents);
            let determinant = xx * yy - xy * xy;
            let step = [x * yy - y * xy, y * xx - x * xy].map(|s| s / determinant);
            let step = step[0] * tangents[0] + step[1] * tangents[1];
            let Some(next) = higher(d, step, |d| gap_along(self.a, self.b, d)) else { break };
            d = next;
        }
        d
    }

    /// Uphill on the circle of the unit directions that lean along an axis by a sine, from a unit
    /// vector across it.
    pub(super) fn on_circle(&self, mut e: DVec3, (axis, lean): (DVec3, f64)) -> DVec3 {
        let flat = (1.0 - lean * lean).max(0.0).sqrt();
        let leaning = |e: DVec3| flat * e + lean * axis;
        for _ in 0..STEPS {
            let (d, t) = (leaning(e), axis.cross(e));
            let bend = flat * self.bend(d, [t, t]) + self.slope(d, e);
            let step = self.slope(d, t) / bend * t;
            let Some(next) = higher(e, step, |e| gap_along(self.a, self.b, leaning(e))) else {
                break;
            };
            e = next;
        }
        leaning(e)
    }

    /// Two unit vectors across a direction, along which the gap bends least and most: products of
    /// both are then small, and what is thin keeps its digits.
    fn across(&self, d: DVec3) -> [DVec3; 2] {
        let u = d.any_orthonormal_vector();
        let v = d.cross(u);
        let [uu, vv] = [u, v].map(|t| self.bend(d, [t, t]));
        let (sin, cos) =
            (0.5 * f64::arctangent_over(2.0 * self.bend(d, [u, v]), uu - vv)).sine_cosine();
        [cos * u + sin * v, cos * v - sin * u]
    }

    /// How the gap changes along a vector.
    fn slope(&self, d: DVec3, t: DVec3) -> f64 {
        let way = self.b.centre - self.a.centre;
        way.dot(t) - slope_of(self.a, d, t) + slope_of(self.b, -d, t)
    }

    /// How the gap bends down along two vectors.
    fn bend(&self, d: DVec3, ways: [DVec3; 2]) -> f64 {
        bend_of(self.a, d, ways) + bend_of(self.b, -d, ways)
    }
}

/// The end of a step, or of the longest part of it that leads uphill.
fn higher(d: DVec3, step: DVec3, gap: impl Fn(DVec3) -> f64) -> Option<DVec3> {
    let here = gap(d);
    let mut step = step.clamp_length_max(LONGEST);
    for _ in 0..HALVINGS {
        let next = (d + step).normalize();
        if gap(next) > here {
            return Some(next);
        }
        step *= 0.5;
    }
    None
}

/// `W d` of a body along a direction, or of another vector where it reaches so.
fn wide(body: &Round, d: DVec3, v: DVec3) -> DVec3 {
    let across = || body.radius * (v - v.dot(body.axis) * body.axis);
    match body.kind {
        Kind::Ellipsoid => body.half_axes * (body.frame().transpose() * v),
        Kind::Cylinder => across(),
        Kind::Cone if body.tip_over_rim(d) > 0.0 => DVec3::ZERO,
        Kind::Cone => across(),
        Kind::Sphere | Kind::Capsule => body.radius * v,
    }
}

fn slope_of(body: &Round, d: DVec3, t: DVec3) -> f64 {
    let [of_d, of_t] = [d, t].map(|v| wide(body, d, v));
    let length = of_d.length();
    let round = if length > 0.0 { of_t.dot(of_d) / length } else { 0.0 };
    let end = match body.kind {
        Kind::Cone => 1.0_f64.copysign(body.tip_over_rim(d)),
        _ => 1.0_f64.copysign(d.dot(body.axis)),
    };
    round + end * body.half * body.axis.dot(t)
}

fn bend_of(body: &Round, d: DVec3, ways: [DVec3; 2]) -> f64 {
    let of_d = wide(body, d, d);
    let length = of_d.length();
    let [s, t] = ways.map(|v| wide(body, d, v).cross(of_d));
    if length > 0.0 { s.dot(t) / (length * length * length) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Pose;
    use glam::DQuat;

    /// Slopes and bends are those of the gap, by differences, for bodies of all kinds.
    #[test]
    fn slopes_and_bends_are_those_of_differences() {
        let turn = DQuat::from_scaled_axis(DVec3::new(0.3, -1.0, 0.7));
        let frame = Pose::new([0.1, 0.2, 0.3], turn).expect("finite");
        let egg = Round::ellipsoid_at(&frame, [1.0, 0.4, 0.02]).expect("fits");
        let ends = [[3.0, 0.2, 0.1], [3.5, -0.7, 0.6]];
        let others = [
            Round::sphere_at(ends[0], 0.4),
            Round::capsule(ends, 0.2),
            Round::cylinder(ends, 0.3),
            Round::cone(ends, 0.5),
            Round::ellipsoid_at(&Pose::from_position(ends[0]).expect("finite"), [0.2, 0.9, 0.5]),
        ];
        for other in others.map(|other| other.expect("fits")) {
            for i in 0..60 {
                let x = f64::from(i);
                let d = DVec3::new(x.sin(), (1.7 * x).cos(), (0.3 * x).sin()).normalize();
                let (a, b) = if i % 2 == 0 { (&egg, &other) } else { (&other, &egg) };
                let climb = Climb::new(a, b).expect("a needle");
                let [s, t] = climb.across(d);
                let gap = |x: f64, y: f64| {
                    let v = d + x * s + y * t;
                    // What is reached along a vector grows with it.
                    v.length() * gap_along(a, b, v.normalize())
                };
                let h = 1e-4;
                let slope = (gap(h, 0.0) - gap(-h, 0.0)) / (2.0 * h);
                let bend = (gap(h, 0.0) + gap(-h, 0.0) - 2.0 * gap(0.0, 0.0)) / (h * h);
                let far =
                    (slope - climb.slope(d, s)).abs().max((bend + climb.bend(d, [s, s])).abs());
                let thin = climb.bend(d, [s, s]).max(climb.bend(d, [t, t]));
                // Not next to a crease.
                if thin < 20.0 && bend.abs() < 1e3 {
                    assert!(far < 1e-4 * (1.0 + thin), "{i} {:?}: {far} {thin}", other.kind);
                }
                assert!(climb.bend(d, [s, t]).abs() < 1e-12 * (1.0 + thin), "{i} {:?}", other.kind);
            }
        }
    }
}
