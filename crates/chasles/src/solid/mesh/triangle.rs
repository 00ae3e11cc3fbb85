//! One triangle: its distance from a point, and whether a box or a segment comes to it.
//!
//! ```text
//!              c               normal  towards the reader
//!            /   \  sides[1]   sides   unit, in the plane, away from the triangle
//!   sides[2]/  .  \            foot    where the perpendicular from the point meets the plane
//!          a ----- b
//!           sides[0]
//! ```
//!
//! All lengths below are relative to the point that asks, so that errors are relative to the
//! distance `D` of the farthest corner and not to that of the origin. With `e = 2^-52`:
//!
//! * The normal is computed in pairs of doubles (`2^-100` of the square of the size). A triangle
//!   lower than `2^-48` of its size counts as its three edges, which is wrong by half of that
//!   height, `8 e` of the size; for others the normal is right to `7 e`, the sides to `10 e`, and
//!   with the rounding of a scalar product heights over planes and sides to `13 e D`.
//! * If the foot lies within the sides by more than [`SURE`]` D`, it lies in the triangle, and the
//!   distance is the height over the plane.
//! * Otherwise the distance to the edges that face the point is taken (to `4 e D`: the parameter
//!   of the closest point on an edge needs no care, the distance is flat there). If the foot was
//!   inside after all, it lies within `(16 + 13) e D` of a side, and in a convex polygon also of an
//!   edge: the answer is too large by no more than that.
//!
//! The sum stays below [`ERROR`]` D`.

use glam::{DMat3, DVec3};

use crate::bounds::Aabb;
use crate::numeric::angle_between;
use crate::numeric::double::Double;
use crate::numeric::upper;

/// How far a foot must lie within the sides, relative to the farthest corner: more than the 13
/// roundings that the heights over sides may be wrong by.
pub(super) const SURE: f64 = 16.0 * f64::EPSILON;

/// What a distance may be wrong by, relative to the farthest corner: 4 + 16 + 13 + 8 roundings.
pub(super) const ERROR: f64 = 48.0 * f64::EPSILON;

/// A triangle lower than this part of its size is taken for its edges.
const THINNEST: f64 = 16.0 * f64::EPSILON;

/// Three corners and the planes through them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub(super) corners: [DVec3; 3],
    /// Unit, or zero if the triangle is as thin as a line.
    pub(super) normal: DVec3,
    /// Side `i` belongs to the edge from corner `i`; zero if the normal is.
    sides: [DVec3; 3],
}

/// The point of a triangle that is closest to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closest {
    /// From there to the point that asks.
    pub(super) away: DVec3,
    pub(super) distance_sq: f64,
    /// Whether it is surely in the middle of the triangle.
    pub(super) is_face: bool,
}

impl Closest {
    const NOWHERE: Self =
        Self { away: DVec3::INFINITY, distance_sq: f64::INFINITY, is_face: false };
}

impl Triangle {
    pub(super) fn new(corners: [DVec3; 3]) -> Self {
        let normal = unit_normal(corners);
        let side = |i: usize| {
            let along = corners[(i + 1) % 3] - corners[i];
            along.normalize_or_zero().cross(normal).normalize_or_zero()
        };
        Self { corners, normal, sides: [side(0), side(1), side(2)] }
    }

    /// The box around it.
    pub(super) fn around(&self) -> Aabb {
        Aabb::around(self.corners)
    }

    /// The point closest to `p`; `sure` is [`SURE`] times the distance of the farthest corner.
    #[inline]
    pub(super) fn closest(&self, p: DVec3, sure: f64) -> Closest {
        self.closest_within(p, sure, f64::INFINITY)
    }

    /// The point closest to `p`, or one at infinity if none is closer than the root of `most_sq`.
    ///
    /// A triangle is no closer than its plane, and than each of its sides: that rules out most of
    /// them without a look at their edges. Heights are wrong by less than [`ERROR`] allows.
    #[inline]
    pub(super) fn closest_within(&self, p: DVec3, sure: f64, most_sq: f64) -> Closest {
        let from = self.corners.map(|corner| p - corner);
        let over = [0, 1, 2].map(|i| self.sides[i].dot(from[i]));
        let height = self.normal.dot(from[0]);
        let beyond = upper(upper(over[0], over[1]), upper(over[2], 0.0));
        let height_sq = height * height;
        if height_sq + beyond * beyond > most_sq {
            return Closest::NOWHERE;
        }
        if over[0] < -sure && over[1] < -sure && over[2] < -sure {
            return Closest { away: self.normal * height, distance_sq: height_sq, is_face: true };
        }
        let mut best = Closest::NOWHERE;
        for i in 0..3 {
            // The closest point of a convex polygon is on an edge that faces the point.
            if over[i] >= -sure {
                let away = from_edge(from[i], self.corners[(i + 1) % 3] - self.corners[i]);
                let distance_sq = away.length_squared();
                if distance_sq < best.distance_sq {
                    best = Closest { away, distance_sq, is_face: false };
                }
            }
        }
        best
    }

    /// Whether it is proven that a box has no point of the triangle: by a separating axis.
    ///
    /// The box is given by its frame (the transposed axes), its middle and half its lengths.
    /// A gap must exceed `margin`, the rounding of places, times the length of the axis.
    #[inline]
    pub(super) fn misses(&self, frame: &Framed, margin: f64) -> bool {
        let local = self.corners.map(|corner| frame.to_local * (corner - frame.center));
        let [a, b, c] = local;
        let [low, high] = [a.min(b).min(c), a.max(b).max(c)];
        let reach = frame.half + margin;
        if low.cmpgt(reach).any() || high.cmplt(-reach).any() {
            return true;
        }
        let normal = frame.to_local * self.normal;
        if normal.dot(a).abs() > frame.half.dot(normal.abs()) + margin {
            return true;
        }
        (0..3).any(|i| {
            let [p, q, other] = [local[i], local[(i + 1) % 3], local[(i + 2) % 3]];
            let along = q - p;
            let margin = margin * along.abs().element_sum();
            [DVec3::X, DVec3::Y, DVec3::Z].iter().any(|axis| {
                let across = axis.cross(along);
                let [on_edge, on_corner] = [across.dot(p), across.dot(other)];
                let reach = frame.half.dot(across.abs()) + margin;
                on_edge.min(on_corner) > reach || on_edge.max(on_corner) < -reach
            })
        })
    }

    /// The part of a segment that lies in the prism of height and overhang `margin` around the
    /// triangle, which holds every point in common.
    ///
    /// The heights of the ends are wrong by less than half of the margin, so are those between.
    #[inline]
    pub(super) fn window(&self, [from, to]: [DVec3; 2], margin: f64) -> Option<[f64; 2]> {
        let mut window = in_box([0.0, 1.0], [from, to], &self.around(), margin)?;
        let corner = self.corners[0];
        let [start, end] = [from, to].map(|p| self.normal.dot(p - corner));
        window = clip(window, start - margin, end - margin)?;
        window = clip(window, -start - margin, -end - margin)?;
        for (side, corner) in self.sides.iter().zip(self.corners) {
            let [start, end] = [from, to].map(|p| side.dot(p - corner));
            window = clip(window, start - margin, end - margin)?;
        }
        Some(window)
    }

    /// The angle that the triangle takes up around one of its points: a full turn in its middle,
    /// half of one on an edge. Features closer than `near` are those it is on.
    pub(super) fn angle_at(&self, p: DVec3, near: f64) -> f64 {
        use std::f64::consts::{PI, TAU};
        let at_corner = (0..3).find(|&i| p.distance(self.corners[i]) <= near);
        if let Some(i) = at_corner {
            let edge = |k: usize| self.corners[(i + k) % 3] - self.corners[i];
            return angle_between(edge(1), edge(2));
        }
        let on_edge = (0..3).any(|i| self.sides[i].dot(p - self.corners[i]) >= -near);
        if on_edge { PI } else { TAU }
    }
}

/// The frame of a box, for [`Triangle::misses`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Framed {
    pub(super) to_local: DMat3,
    pub(super) center: DVec3,
    pub(super) half: DVec3,
}

/// From the closest point of an edge to a point, given relative to the edge's start.
#[inline]
fn from_edge(from: DVec3, along: DVec3) -> DVec3 {
    let length_sq = along.length_squared();
    let at = if length_sq > 0.0 { (from.dot(along) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
    from - along * at
}

/// The unit normal, right to a few roundings, or zero for a triangle as thin as a line.
fn unit_normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    let size = (b - a).abs().max((c - a).abs()).max((c - b).abs()).max_element();
    if size == 0.0 {
        return DVec3::ZERO;
    }
    let difference = |p: DVec3, q: DVec3| [0, 1, 2].map(|i| Double::sum(p[i], -q[i]));
    let [u, v] = [difference(b, a), difference(c, a)];
    let cross = |i: usize, j: usize| (u[i] * v[j] - u[j] * v[i]).high / size / size;
    let normal = DVec3::new(cross(1, 2), cross(2, 0), cross(0, 1));
    let length = normal.length();
    if length < THINNEST { DVec3::ZERO } else { normal / length }
}

/// The part of a window of fractions in which a value that goes evenly from `start` to `end` is
/// not positive.
#[inline]
fn clip([first, last]: [f64; 2], start: f64, end: f64) -> Option<[f64; 2]> {
    // The quotient has three roundings.
    const OUTWARD: f64 = 2.0 * f64::EPSILON;
    let window = match (start > 0.0, end > 0.0) {
        (false, false) => [first, last],
        (true, true) => return None,
        (true, false) => [first.max(start / (start - end) * (1.0 - OUTWARD)), last],
        (false, true) => [first, last.min(start / (start - end) * (1.0 + OUTWARD))],
    };
    (window[0] <= window[1]).then_some(window)
}

/// The part of a window in which a segment is in a box that is grown by a margin.
#[inline]
pub(super) fn in_box(
    mut window: [f64; 2],
    [from, to]: [DVec3; 2],
    place: &Aabb,
    margin: f64,
) -> Option<[f64; 2]> {
    let [low, high] = [place.low - margin, place.high + margin];
    for axis in 0..3 {
        window = clip(window, low[axis] - from[axis], low[axis] - to[axis])?;
        window = clip(window, from[axis] - high[axis], to[axis] - high[axis])?;
    }
    Some(window)
}
