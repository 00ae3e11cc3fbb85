//! The distance of two convex round bodies, with what proves it.
//!
//! GJK: the nearest point to the origin of the set of differences `b - a` is approached by
//! simplices of at most four of its points, each time with the farthest one against the point found
//! so far. Nothing relies on its end: a direction counts as separating by the support functions,
//! and a common point by distances, both in closed form.

use glam::DVec3;

use super::body::{Kind, Round, unit_across};
use super::climb::Climb;

impl Round {
    /// The point of the *core* that is farthest along a direction: of a cylinder, a cone or an
    /// ellipsoid the body itself.
    fn core_support(&self, d: DVec3) -> DVec3 {
        let along = d.dot(self.axis);
        let end = self.end(1.0_f64.copysign(along));
        match self.kind {
            Kind::Cylinder => end + self.radius * unit_across(d, self.axis),
            Kind::Cone => self.centre + self.farthest_of_cone(d),
            Kind::Ellipsoid => self.centre + self.farthest(d).0,
            _ => end,
        }
    }

    /// The radius of the ball that is added to the core.
    pub(super) fn ball(&self) -> f64 {
        if self.kind.has_core() { self.radius } else { 0.0 }
    }

    /// How far the body reaches along a unit direction.
    pub(super) fn extent(&self, d: DVec3) -> f64 {
        if self.kind == Kind::Cone {
            return d.dot(self.centre) + self.extent_of_cone(d);
        }
        let along = d.dot(self.axis);
        let round = match self.kind {
            Kind::Cylinder => self.radius * d.cross(self.axis).length(),
            Kind::Ellipsoid => self.farthest(d).1,
            _ => self.radius,
        };
        d.dot(self.centre) + self.half * along.abs() + round
    }

    /// The point of the body that is nearest to another; a point inside is nearest to itself.
    pub(super) fn nearest(&self, point: DVec3) -> DVec3 {
        if self.kind == Kind::Ellipsoid {
            let (distance, foot) = self.nearest_of_ellipsoid(point);
            return if distance > 0.0 { foot } else { point };
        }
        if self.kind == Kind::Cone {
            return self.nearest_of_cone(point);
        }
        let y = point - self.centre;
        let along = y.dot(self.axis);
        let up = along.clamp(-self.half, self.half);
        let foot = self.centre + up * self.axis;
        let out = if self.kind == Kind::Cylinder { y - along * self.axis } else { point - foot };
        foot + out.clamp_length_max(self.radius)
    }

    /// A body of which all points are at least this deep in this one, or none; of an ellipsoid one
    /// that is as near as that along a unit direction.
    fn shrunk(&self, depth: f64, d: DVec3) -> Option<Self> {
        let [radius, half] = [self.radius - depth, self.half - depth];
        match self.kind {
            Kind::Cylinder => {
                (radius > 0.0 && half > 0.0).then_some(Self { radius, half, ..*self })
            }
            Kind::Cone => self.within_cone(depth),
            Kind::Ellipsoid => self.within(depth, d),
            _ => (radius > 0.0).then_some(Self { radius, ..*self }),
        }
    }
}

/// How far the bodies are apart along a unit direction from A to B.
pub(super) fn gap_along(a: &Round, b: &Round, d: DVec3) -> f64 {
    -b.extent(-d) - a.extent(d)
}

/// Nearest points of two cores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub(super) on_a: DVec3,
    pub(super) on_b: DVec3,
}

/// A point of the set of differences.
#[derive(Clone, Copy, Debug, Default)]
struct Vertex {
    a: DVec3,
    b: DVec3,
    /// Their difference, in units of the size.
    w: DVec3,
}

/// Rounds of GJK; a dozen are usual, and each is safe to be the last.
const ROUNDS: usize = 64;

/// Nearest points of the cores, as well as rounding allows; equal where the cores meet.
pub(super) fn nearest(a: &Round, b: &Round) -> Nearest {
    // Feet are found by products of four lengths.
    let unit = power_of_two(a.reach() + b.reach() + a.centre.distance(b.centre));
    let support = |d: DVec3| {
        let [a, b] = [a.core_support(d), b.core_support(-d)];
        Vertex { a, b, w: (b - a) / unit }
    };
    let mut simplex = [support(b.centre - a.centre); 4];
    let (mut count, mut v) = (1, simplex[0].w);
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    for _ in 0..ROUNDS {
        if v == DVec3::ZERO || count == 4 {
            break;
        }
        let next = support(v);
        // What is left to gain is below rounding, or the point is one of those known.
        let gain = v.length_squared() - v.dot(next.w);
        let is_known = simplex[..count].iter().any(|old| old.w == next.w);
        let rounding = f64::EPSILON * v.length() * (next.a.length() + next.b.length()) / unit;
        if gain <= 1e-15 * v.length_squared() + rounding || is_known {
            break;
        }
        simplex[count] = next;
        let (kept, best, point) = lowest(&simplex[..count + 1]);
        if point.length_squared() >= v.length_squared() {
            break;
        }
        let old = simplex;
        count = 0;
        for (i, weight) in best.into_iter().enumerate() {
            if kept & (1 << i) != 0 {
                simplex[count] = old[i];
                weights[count] = weight;
                count += 1;
            }
        }
        v = point;
    }
    let mix =
        |of: fn(&Vertex) -> DVec3| (0..count).map(|i| weights[i] * of(&simplex[i])).sum::<DVec3>();
    Nearest { on_a: mix(|v| v.a), on_b: mix(|v| v.b) }
}

/// The greatest power of two that is not above a positive number: what is divided by it keeps its
/// bits.
fn power_of_two(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & f64::INFINITY.to_bits())
}

/// The point of a simplex that is nearest to the origin: which corners, their weights, the point.
///
/// Every face with the last corner is tried, since the others were before: the foot of the origin
/// on its hull counts if its weights are positive.
fn lowest(simplex: &[Vertex]) -> (u32, [f64; 4], DVec3) {
    let mut best = (1, [1.0, 0.0, 0.0, 0.0], simplex[0].w);
    let mut least = f64::INFINITY;
    for set in 1_u32 << (simplex.len() - 1)..1 << simplex.len() {
        if let Some((weights, point)) = foot(simplex, set)
            && point.length_squared() < least
        {
            least = point.length_squared();
            best = (set, weights, point);
        }
    }
    best
}

/// The foot of the origin on the hull of some corners, if it lies between them.
fn foot(simplex: &[Vertex], set: u32) -> Option<([f64; 4], DVec3)> {
    let mut members = [0; 4];
    let mut count = 0;
    for i in 0..simplex.len() {
        if set & (1 << i) != 0 {
            members[count] = i;
            count += 1;
        }
    }
    let at = |i: usize| simplex[members[i]].w;
    let p = at(0);
    let [e, f, g] = [1, 2, 3].map(|i| if i < count { at(i) - p } else { DVec3::ZERO });
    let shares = match count {
        1 => [0.0; 3],
        2 => [-p.dot(e) / e.length_squared(), 0.0, 0.0],
        3 => {
            let n = e.cross(f);
            let nn = n.length_squared();
            [n.dot(f.cross(p)) / nn, n.dot(p.cross(e)) / nn, 0.0]
        }
        _ => {
            let volume = e.dot(f.cross(g));
            let q = -p;
            [q.dot(f.cross(g)), q.dot(g.cross(e)), q.dot(e.cross(f))].map(|s| s / volume)
        }
    };
    let rest = 1.0 - shares.iter().sum::<f64>();
    let is_inside = rest > 0.0 && shares[..count - 1].iter().all(|s| *s > 0.0);
    if !is_inside {
        return None;
    }
    let mut weights = [0.0; 4];
    weights[members[0]] = rest;
    for i in 1..count {
        weights[members[i]] = shares[i - 1];
    }
    // The foot on a tetrahedron is the origin itself.
    let point = p + shares[0] * e + shares[1] * f + shares[2] * g;
    Some((weights, if count == 4 { DVec3::ZERO } else { point }))
}

/// The direction found in which two bodies are farthest apart, how far, and their nearest points.
///
/// The best direction is that of the nearest points, known to rounding over their distance. Next to
/// a touch that is not enough, so it is improved where the gap is smooth: everywhere for two rims,
/// on the circle across an axis for a side. Flat features have directions of their own. Where
/// bodies overlap by little, smaller ones tell.
pub(super) fn separation(a: &Round, b: &Round) -> (DVec3, f64, Nearest) {
    let near = nearest(a, b);
    let (normal, gap) = farthest(a, b, near.on_b - near.on_a);
    if gap >= 0.0 {
        return (normal, gap, near);
    }
    let inner = SMALLER.iter().find_map(|&share| smaller_apart(a, b, share));
    let (better, of_better) =
        inner.map_or((normal, gap), |inner| farthest(a, b, inner.on_b - inner.on_a));
    if of_better > gap { (better, of_better, near) } else { (normal, gap, near) }
}

/// By which shares of their sizes bodies are made smaller. A direction is known to 1e-10 over a
/// distance of the first, and is as old; the other is for those that overlap by more than that.
const SMALLER: [f64; 2] = [1e-6, 1e-3];

/// Nearest points of two bodies that are smaller by a share of their sizes.
fn nearest_smaller(a: &Round, b: &Round, share: f64) -> Nearest {
    let smaller = |body: &Round| {
        if body.kind == Kind::Ellipsoid {
            return body.scaled(1.0 - share);
        }
        let size = match body.kind {
            Kind::Cylinder => body.half.min(body.radius),
            Kind::Cone => body.ball_in_cone(),
            _ => body.radius,
        };
        body.shrunk(share * size, body.axis).unwrap_or(*body)
    };
    nearest(&smaller(a), &smaller(b))
}

/// The same, if these bodies are apart.
fn smaller_apart(a: &Round, b: &Round, share: f64) -> Option<Nearest> {
    let near = nearest_smaller(a, b, share);
    let apart = near.on_a.distance(near.on_b);
    (apart > 1e-3 * share * a.reach().min(b.reach())).then_some(near)
}

/// The same for bodies that touch, whose nearest points are one: normal and a point of A.
///
/// The nearest points of slightly smaller bodies tell the direction about as well as they are
/// smaller; it is improved from there.
pub(super) fn touching(a: &Round, b: &Round) -> (DVec3, DVec3) {
    let near = nearest_smaller(a, b, SMALLER[0]);
    let (normal, _) = farthest(a, b, near.on_b - near.on_a);
    let point = 0.5 * (near.on_a + near.on_b);
    (normal, point + (a.extent(normal) - normal.dot(point)) * normal)
}

/// Whether bodies that touch along a direction from A to B do so where a ball of a radius fits into
/// each: what they touch with has no border nearer than that. `slack` is for what the direction is
/// wrong by.
pub(super) fn touch_inside(a: &Round, b: &Round, d: DVec3, radius: f64, slack: f64) -> bool {
    let inner = |body: &Round, towards: DVec3| {
        if body.kind == Kind::Ellipsoid {
            // It has no border at all.
            return Some(*body);
        }
        let body = body.shrunk(radius, towards)?;
        Some(body.placed(body.centre + radius * towards, body.axis))
    };
    let bodies = inner(a, d).zip(inner(b, -d));
    bodies.is_some_and(|(a, b)| separation(&a, &b).1 <= slack)
}

/// The direction in which two bodies are farthest apart, of those that flat features have and those
/// that lead uphill from a given one.
fn farthest(a: &Round, b: &Round, v: DVec3) -> (DVec3, f64) {
    let way = b.centre - a.centre;
    let [beside_a, beside_b] = [a, b].map(|body| unit_across(way, body.axis));
    let [beside_a, beside_b] = [a.beside(beside_a), -b.beside(-beside_b)];
    let [left, right] = across_both(a, b);
    let flat = [a.axis, -a.axis, b.axis, -b.axis, left, right, way, beside_a, beside_b];
    let gap = |d: DVec3| gap_along(a, b, d);
    let step = STEP / a.ratio().max(b.ratio());
    let climb = Climb::new(a, b);
    let mut best = (DVec3::Z, f64::NEG_INFINITY);
    let mut offer = |d: DVec3| {
        let gap = gap_along(a, b, d);
        if gap > best.1 {
            best = (d, gap);
        }
    };
    flat.iter().filter_map(|d| d.try_normalize()).for_each(&mut offer);
    for (axis, lean) in [(a.axis, a.lean()), (b.axis, -b.lean())] {
        if let Some(d) = (v - v.dot(axis) * axis).try_normalize() {
            offer(match &climb {
                Some(climb) => climb.on_circle(d, (axis, lean)),
                None => uphill_on_circle(gap, d, (axis, lean), step),
            });
        }
    }
    if let Some(d) = v.try_normalize() {
        offer(d);
        if climb.is_none() {
            offer(uphill(gap, d, step));
        }
    }
    if let Some(climb) = &climb {
        let d = climb.on_sphere(best.0);
        best = (d, gap_along(a, b, d));
    }
    best
}

/// The length of steps by which slopes are measured: with an error of its square (1e-8) in the
/// direction, and so of 1e-16 in the gap, which is flat there. An ellipsoid bends by as much as its
/// axes differ on as much shorter a way.
const STEP: f64 = 1e-4;

/// The two directions from A to B that are normals of both sides: across both axes, but for cones.
fn across_both(a: &Round, b: &Round) -> [DVec3; 2] {
    let across = a.axis.cross(b.axis);
    let [of_a, of_b] = [a.lean(), -b.lean()];
    if of_a == 0.0 && of_b == 0.0 {
        return [across, -across];
    }
    let (cosine, sine_sq) = (a.axis.dot(b.axis), across.length_squared());
    let along = (of_a - cosine * of_b) * a.axis + (of_b - cosine * of_a) * b.axis;
    let rest = sine_sq - along.length_squared() / sine_sq;
    if rest >= 0.0 {
        let aside = rest.sqrt() * across.normalize_or_zero();
        let along = along / sine_sq.sqrt();
        [along + aside, along - aside]
    } else {
        // No direction is both.
        [DVec3::ZERO; 2]
    }
}

/// Newton's steps towards the greatest value on a circle about an axis: of the unit directions
/// that lean along it by a sine; `d` is across it.
fn uphill_on_circle(
    f: impl Fn(DVec3) -> f64,
    mut d: DVec3,
    (axis, lean): (DVec3, f64),
    length: f64,
) -> DVec3 {
    let flat = (1.0 - lean * lean).max(0.0).sqrt();
    let f = |d: DVec3| f(flat * d + lean * axis);
    for _ in 0..3 {
        let e = axis.cross(d);
        let turned = |angle: f64| (d + angle * e).normalize();
        let [low, here, high] = [f(turned(-length)), f(d), f(turned(length))];
        let bend = low + high - 2.0 * here;
        if bend >= 0.0 {
            break;
        }
        // No step is longer than the direction may be wrong.
        let step = 0.5 * length * (low - high) / bend;
        d = turned(step.clamp(-0.1, 0.1));
    }
    flat * d + lean * axis
}

/// Newton's steps towards the greatest value on the sphere.
fn uphill(f: impl Fn(DVec3) -> f64, mut d: DVec3, length: f64) -> DVec3 {
    for _ in 0..3 {
        let x = d.any_orthonormal_vector();
        let y = d.cross(x);
        let at = |s: f64, t: f64| f((d + length * (s * x + t * y)).normalize());
        let here = at(0.0, 0.0);
        let [left, right, down, up] = [at(-1.0, 0.0), at(1.0, 0.0), at(0.0, -1.0), at(0.0, 1.0)];
        let mixed = 0.25 * (at(1.0, 1.0) + at(-1.0, -1.0) - at(1.0, -1.0) - at(-1.0, 1.0));
        let [xx, yy] = [left + right - 2.0 * here, down + up - 2.0 * here];
        let [gx, gy] = [0.5 * (right - left), 0.5 * (up - down)];
        let determinant = xx * yy - mixed * mixed;
        if !(determinant > 0.0 && xx < 0.0) {
            break;
        }
        let step = [mixed * gy - yy * gx, mixed * gx - xx * gy].map(|s| length * s / determinant);
        d = (d + (step[0] * x + step[1] * y).clamp_length_max(0.1)).normalize();
    }
    d
}

/// How deep a point of two bodies is in one of them at least, given how they overlap: a quarter of
/// that, which next to the corners of cones is too much.
pub(super) fn common_depth(a: &Round, b: &Round, gap: f64) -> f64 {
    -0.25 * gap * a.keenness().max(b.keenness())
}

/// A point of B that is proven to be in A, with how deep it is, if it is at least `depth` deep; `d`
/// is the direction, either way, along which they overlap least.
///
/// If B comes within `m` of a body that is `2 depth` inside A, its nearest point is `2 depth - m`
/// deep in A.
pub(super) fn common_point(a: &Round, b: &Round, d: DVec3, depth: f64) -> Option<(DVec3, f64)> {
    let inner = a.shrunk(2.0 * depth, d)?;
    let Nearest { on_a, on_b } = nearest(&inner, b);
    // With its ball, B reaches from the core towards A.
    let way = on_a - on_b;
    let step = way.length().min(b.ball());
    let point = on_b + way.normalize_or_zero() * step;
    let deep = -a.distance(point);
    (deep >= depth).then_some((point, deep))
}
