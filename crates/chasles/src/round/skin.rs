//! Gaps between an ellipsoid and the features of A.
//!
//! The ellipsoid's own axes see A move on a screw, and the stretch (ellipsoid.rs) makes it a ball
//! of its shortest half axis `r`. `c` is the centre, `n`, `p` unit normal and point of a plane,
//! `p`, `u` middle and unit direction of an edge, `v` a vertex; `F` the flow, `w` its angular
//! velocity.
//!
//! ```text
//! vertex   |P| - r                P = T Rᵀ (v - c),  P' = -T Rᵀ F(v),     |P''| <= |w x F(v)|
//! edge     |P x U| / |U| - r      U = T Rᵀ u,        U' = -T Rᵀ (w x u),  |U''| <= |w x (w x u)|
//! face     n.(c - p) - |H|        H = S Rᵀ n,        H' = -S Rᵀ (w x n),  |H''| <= s |w x (w x n)|
//! ```
//!
//! with `s` the longest half axis. The stretch makes nothing longer, so the first two are no more
//! wrong than places are, and never above the distance; the third is a distance. `H` is nowhere
//! shorter than `r`, and `U` nowhere than `r / s`, so only the first two have a kink: where `P` or
//! `P x U` vanishes, deep in the ellipsoid.

use glam::DVec3;

use super::body::Round;
use super::gaps::Place;
use super::motion::Motion;
use super::moving::{Length, Moving};
use super::solve::Sample;
use super::spot::Corners;

/// The gap of the body where it is at a time, with bounds for half of an interval on both sides.
pub(super) fn sample(motion: &Motion, body: &Round, place: Place, half: f64) -> Sample {
    match place {
        Place::Vertex(v) => vertex(motion, body, v, half),
        Place::Edge(p, u, _) => edge(motion, body, (p, u), half),
        Place::Face(p, n) => face(motion, body, (p, n), half),
    }
}

/// A point of A as the stretched axes of the body see it.
fn point(motion: &Motion, body: &Round, x: DVec3, half: f64) -> Moving {
    let flow = motion.flow(x);
    let slope = -(body.stretch() * (body.frame().transpose() * flow));
    Moving::new(body.stretched(x), slope, motion.bent(flow).length(), half)
}

/// A direction of A in the same way, stretched by anything.
fn direction(motion: &Motion, body: &Round, d: DVec3, by: (DVec3, f64)) -> Moving {
    let (stretch, half) = by;
    let seen = |v: DVec3| stretch * (body.frame().transpose() * v);
    let once = motion.screw.angular().cross(d);
    let bend = stretch.max_element() * motion.bent(once).length();
    Moving::new(seen(d), -seen(once), bend, half)
}

fn vertex(motion: &Motion, body: &Round, v: DVec3, half: f64) -> Sample {
    let length = Length::new(&point(motion, body, v, half), 0.0, half);
    Sample {
        value: length.value - body.radius,
        slope: length.slope,
        bend: length.bend,
        rate: length.rate,
        factor: length.value + body.radius,
    }
}

fn edge(motion: &Motion, body: &Round, (p, u): (DVec3, DVec3), half: f64) -> Sample {
    let stretch = body.stretch();
    let u = direction(motion, body, u, (stretch, half));
    let moment = point(motion, body, p, half).cross(&u, half);
    let least = (u.value.length() - u.rate * half).max(stretch.min_element());
    let [arm, along] = [Length::new(&moment, 0.0, half), Length::new(&u, least, half)];
    let away = arm.value / along.value;
    let most = moment.length / least;
    let rate = (arm.rate + most * along.rate) / least;
    Sample {
        value: away - body.radius,
        slope: (arm.slope - away * along.slope) / along.value,
        bend: (arm.bend + most * along.bend + 2.0 * rate * along.rate) / least,
        rate,
        factor: (away + body.radius) * along.value * along.value,
    }
}

fn face(motion: &Motion, body: &Round, (p, n): (DVec3, DVec3), half: f64) -> Sample {
    let reach = direction(motion, body, n, (body.half_axes, half));
    let reach = Length::new(&reach, body.radius, half);
    let flow = motion.flow(body.centre);
    let height = n.dot(body.centre - p);
    Sample {
        value: height - reach.value,
        slope: n.dot(flow) - reach.slope,
        bend: motion.plane_bend(n, flow) + reach.bend,
        rate: flow.length() + reach.rate,
        factor: height + reach.value,
    }
}

/// Where along an edge, from its middle, its line comes nearest to an ellipsoid that it touches.
pub(super) fn along(body: &Round, p: DVec3, u: DVec3) -> f64 {
    let u = body.stretch() * (body.frame().transpose() * u);
    -body.stretched(p).dot(u) / u.length_squared()
}

/// How far the place where a plane or a line would touch is outside of its feature, with a bound of
/// its speed; none where there is none.
pub(super) fn outside(
    motion: &Motion,
    body: &Round,
    place: Place,
    corners: &Corners,
) -> Option<(f64, f64)> {
    match place {
        Place::Vertex(_) => None,
        // Along a line that keeps its direction; otherwise the place may go any way.
        Place::Edge(p, u, half) => {
            let keeps = motion.screw.angular().cross(u) == DVec3::ZERO;
            let stretched = body.stretch() * (body.frame().transpose() * u);
            let speed = motion.flow(p).length() / stretched.length();
            keeps.then(|| (along(body, p, u).abs() - half, speed))
        }
        // The lowest point goes with the body, and in the body as the normal turns.
        Place::Face(_, n) => {
            let lowest = body.centre - body.farthest(n).0;
            let turning = motion.screw.angular().cross(n).length();
            let most = body.half_axes.max_element();
            let speed = motion.speed + turning * most * (most / body.radius);
            Some((corners.outside(lowest, n), speed))
        }
    }
}

/// How much an ellipsoid's extent against a unit direction changes at most within a time, where the
/// direction rests with the other body: as in the gap of a face.
pub(super) fn change(motion: &Motion, body: &Round, d: DVec3, time: f64) -> f64 {
    let Sample { slope, bend, rate, .. } = face(motion, body, (body.centre, d), time);
    time * rate.min(slope.abs() + 0.5 * time * bend)
}
