//! Gaps between the side of a cone and the features of A.
//!
//! `x` is the tip, `a` the unit axis towards it, β half of the angle there; `v` a vertex, `p`, `u`
//! middle and unit direction of an edge; `F` the flow, `w` its angular velocity.
//!
//! ```text
//! vertex   cos β |y'| + sin β (y . a)    y = v - x, y' across a; v moves with -F(v) in its frame
//! edge     |e . a| - |e| sin β           e = (p - x) x u, with -F(x) x u and a' = w x a
//! ```
//!
//! The first is the distance from the tangent planes of the side, and so no more than the distance.
//! The second, of the whole line, is that distance times the sine that the plane through the line
//! has to a generator, for the cone and its mirror image beyond the tip: where the plane touches
//! tells which it is, and lines steeper than the side are always in one of them. It has kinks where
//! the line meets the axis, within both, and where it passes through the tip.

use glam::DVec3;

use super::body::Round;
use super::cone::Slant;
use super::gaps::{Gap, Place};
use super::motion::Motion;
use super::moving::{Length, Moving};
use super::solve::Sample;
use super::spot::edge_gap;
use crate::numeric::roots::Root;

/// The gap of the body where it is at a time, with bounds for half of an interval on both sides;
/// none of faces, which touch the side only where they touch the tip and the rim.
pub(super) fn sample(motion: &Motion, body: &Round, place: Place, half: f64) -> Option<Sample> {
    match place {
        Place::Vertex(v) => Some(vertex(motion, body, v, half)),
        Place::Edge(p, u, _) => Some(edge(motion, body, (p, u), half)),
        Place::Face(..) => None,
    }
}

fn vertex(motion: &Motion, body: &Round, v: DVec3, half: f64) -> Sample {
    let Slant { sin, cos, .. } = body.slant();
    let axis = body.axis;
    let (y, flow) = (v - body.end(1.0), -motion.flow(v));
    let cut = |v: DVec3| v - v.dot(axis) * axis;
    let [speed, bent] = [flow.length(), motion.bent(flow).length()];
    let out = Length::new(&Moving::new(cut(y), cut(flow), bent, half), 0.0, half);
    let up = y.dot(axis);
    Sample {
        value: cos * out.value + sin * up,
        slope: cos * out.slope + sin * flow.dot(axis),
        bend: cos * out.bend + sin * bent.min(motion.alpha * speed),
        rate: speed,
        factor: cos * out.value - sin * up,
    }
}

fn edge(motion: &Motion, body: &Round, (p, u): (DVec3, DVec3), half: f64) -> Sample {
    let Slant { sin, .. } = body.slant();
    let tip = body.end(1.0);
    let flow = motion.flow(tip);
    let moment = (p - tip).cross(u);
    let e = Moving::new(moment, -flow.cross(u), motion.bent(flow).length(), half);
    let turned = motion.screw.angular().cross(body.axis);
    let a = Moving::new(body.axis, turned, motion.theta * motion.alpha, half);
    let [k, k1] = [e.value.dot(a.value), e.slope.dot(a.value) + e.value.dot(a.slope)];
    let k2 = e.bend + 2.0 * e.rate * a.rate + e.length * a.bend;
    let k_rate = k1.abs() + k2 * half;
    let length = Length::new(&e, 0.0, half);
    let is_smooth = k.abs() > k_rate * half;
    Sample {
        value: k.abs() - sin * length.value,
        slope: k1.copysign(k1 * k) - sin * length.slope,
        bend: if is_smooth { k2 + sin * length.bend } else { f64::INFINITY },
        rate: k_rate + sin * length.rate,
        factor: k.abs() + sin * length.value,
    }
}

/// A root of an edge and the side, as the cone alone sees it: a line that goes through the tip into
/// the cone comes out of its mirror image, so their gap only touches zero there.
pub(super) fn without_image(gap: &Gap, root: &Root) -> Root {
    let signs = root.bracket.map(|t| edge_gap(gap, t));
    let goes_in = matches!(signs, [Some(before), Some(after)] if before * after < 0.0);
    Root { grazing: root.grazing && !goes_in, ..*root }
}

/// For how long a vertex that keeps to the side stays beyond its ends.
pub(super) fn beyond_ends(motion: &Motion, body: &Round, v: DVec3) -> (f64, f64) {
    let (along, _) = body.along_slant(v);
    ((-along).max(along - body.slant().length), motion.flow(v).length())
}
