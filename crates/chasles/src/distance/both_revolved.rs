//! How far two cylinders with flat ends, or cones, are apart.
//!
//! The signed distance `f` from the first is a convex function of the point, in closed form and
//! with its gradient. It is least over the second cylinder either
//!
//! - *on its side*. Then the gradient `n` there is across its axis, and so it is at the point `y`
//!   of the axis beside it. Conversely, where the slope of `f` along the axis vanishes at a point
//!   `y` between the ends, all points `z` of the second have
//!   `f(z) >= f(y) + n . (z - y) >= f(y) - r`, and `y - r n` has just that: the distance is
//!   `f(y) - r`.
//! - or *on one of its end discs*. Along a chord of a disc `f` is least where its slope changes its
//!   sign, or at an end; and that least is again a convex function of where the chord is, with a
//!   slope that is known: of the point itself, or of the way along the rim if it is at an end.
//!
//! A cone has only one disc, and its side is that of the balls about points of its axis which touch
//! it from within: that about the point `s` below the tip has the radius `s sin β`, and touches the
//! side `s cos β` along the slant. So what is least there is `f - s sin β`, which is convex too,
//! and where its slope vanishes `n` is a normal of the side, or at the tip one of those of the tip.
//!
//! Both slopes are halved to the last digit. Cylinders that overlap have a point of the second in
//! the first, on its axis, on its side or on a disc: were there one only elsewhere, the axis would
//! be nearest at an end, to a point of the first beyond the disc and within its radius, and the
//! first, being convex, would pass through the disc.

use glam::DVec3;

use super::revolved::{HALVINGS, Revolved};
use crate::motion::Pose;
use crate::near;
use crate::numeric::Elementary;
use crate::round::{self, Round, Slant};

/// How far two cylinders are apart, in the world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BothRevolvedGap {
    /// The distance; not positive if they overlap or touch.
    pub(crate) gap: f64,
    /// The closest points of both; a point of both, twice, if they overlap.
    pub(crate) points: [DVec3; 2],
    /// Unit, from the first to the second.
    pub(crate) normal: DVec3,
    /// The closest parts; none stands for the inside of a cylinder that overlaps the other.
    pub(crate) parts: [Option<round::Feature>; 2],
    /// Whether they share more than points where they touch.
    pub(crate) overlaps: bool,
}

/// The distance of two cylinders or cones at poses, with the closest points.
///
/// *Accepts* cylinders and cones. *Guarantees* the least distance to some units in the last place
/// of the coordinates; of bodies that overlap only that they do, and a point of both unless one is
/// a cone. *Cost* some microseconds. *Fails*
/// never.
pub(crate) fn between_revolved(rounds: [&Round; 2], poses: [Pose; 2]) -> BothRevolvedGap {
    let [from, to] = rounds[0].ends();
    let pivot = 0.5 * from + 0.5 * to;
    let own = Revolved::new(rounds[0], &Pose::IDENTITY, pivot);
    let other = Revolved::new(rounds[1], &poses[0].inverse_after(&poses[1]), pivot);
    let found = Nearest::new(&own, &other);
    let overlaps = found.gap < -tolerance([&own, &other]);
    let points = found.points(overlaps);
    let is_in_own = overlaps && found.distance < 0.0;
    let parts = [
        (!is_in_own).then(|| own.part(points[0])),
        (!overlaps || is_in_own && found.radius == 0.0).then(|| other.part(points[1])),
    ];
    BothRevolvedGap {
        gap: found.gap,
        points: points.map(|point| poses[0].point(point + pivot)),
        normal: poses[0].vector(found.away),
        parts,
        overlaps,
    }
}

/// What is this deep in each other overlaps.
fn tolerance(cylinders: [&Revolved; 2]) -> f64 {
    let [p, q] = cylinders.map(|cylinder| cylinder.half.hypotenuse(cylinder.radius));
    near::TOUCHING * p.min(q)
}

/// Where the second cylinder is nearest to the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub(super) gap: f64,
    /// A point of the second, on its axis or on a disc, and how far that is from the first.
    place: DVec3,
    distance: f64,
    /// From the place to the side; 0 on a disc.
    radius: f64,
    /// Unit, from the first to the second.
    pub(super) away: DVec3,
}

impl Nearest {
    pub(super) fn new(first: &Revolved, second: &Revolved) -> Self {
        let on_side = match second.slant {
            Some(slant) => Self::on_slant(first, second, &slant),
            None => {
                let side = first.nearest_between(second.ends());
                side.map(|place| Self::at(first, place, second.radius))
            }
        };
        let discs = second.discs().map(|centre| {
            let disc = Disc::new(first, centre, second);
            Self::at(first, disc.nearest(), 0.0)
        });
        let nearer = |least: Self, next: Self| if next.gap < least.gap { next } else { least };
        let on_disc = nearer(discs[0], discs[1]);
        on_side.map_or(on_disc, |on_side| nearer(on_disc, on_side))
    }

    /// The nearest point of a cone's side or its tip, if neither the base nor the rim is nearer.
    fn on_slant(first: &Revolved, second: &Revolved, slant: &Slant) -> Option<Self> {
        let [_, tip] = second.ends();
        let at = |s: f64| tip - s * second.axis;
        let rises = |s: f64| -first.distance(at(s)).1.dot(second.axis) >= slant.sin;
        if rises(0.0) {
            return Some(Self::at(first, tip, 0.0));
        }
        let [mut low, mut high] = [0.0, slant.length / slant.cos];
        if !rises(high) {
            return None;
        }
        for _ in 0..HALVINGS {
            let s = 0.5 * (low + high);
            *(if rises(s) { &mut high } else { &mut low }) = s;
        }
        Some(Self::at(first, at(high), high * slant.sin))
    }

    fn at(first: &Revolved, place: DVec3, radius: f64) -> Self {
        let (distance, away) = first.distance(place);
        Self { gap: distance - radius, place, distance, radius, away }
    }

    /// The closest points, or a point of both.
    fn points(&self, overlaps: bool) -> [DVec3; 2] {
        let of_first = self.place - self.distance * self.away;
        let of_second = self.place - self.radius * self.away;
        match (overlaps, self.distance < 0.0) {
            (true, true) => [self.place; 2],
            (true, false) => [of_first; 2],
            _ => [of_first, of_second],
        }
    }
}

/// An end disc of a cylinder beside another.
struct Disc<'c> {
    other: &'c Revolved,
    centre: DVec3,
    radius: f64,
    /// Unit vectors across the axis; the second towards the other cylinder.
    axes: [DVec3; 2],
}

impl<'c> Disc<'c> {
    fn new(other: &'c Revolved, centre: DVec3, of: &Revolved) -> Self {
        let (_, away) = other.distance(centre);
        let toward = away.dot(of.axis) * of.axis - away;
        let toward = toward.try_normalize().unwrap_or(of.axis.any_orthonormal_vector());
        let toward = toward.reject_from_normalized(of.axis).normalize_or(toward);
        Self { other, centre, radius: of.radius, axes: [of.axis.cross(toward), toward] }
    }

    /// The point of the disc nearest to the other cylinder, or one within it. There `f` has ridges,
    /// at which one slope does not tell the other.
    fn nearest(&self) -> DVec3 {
        let [mut low, mut high] = [-self.radius, self.radius];
        for _ in 0..HALVINGS {
            let x = 0.5 * (low + high);
            match self.slope(x) {
                Slope::Within(point) => return point,
                Slope::Rises => high = x,
                Slope::Falls => low = x,
            }
        }
        self.on_chord(0.5 * (low + high)).0
    }

    /// The nearest point of the chord at `x`, its place on it, and the length of half of it.
    fn on_chord(&self, x: f64) -> (DVec3, f64, f64) {
        let half = ((self.radius - x) * (self.radius + x)).max(0.0).sqrt();
        let at = |y: f64| self.centre + x * self.axes[0] + y * self.axes[1];
        let rises = |y: f64| self.other.distance(at(y)).1.dot(self.axes[1]) >= 0.0;
        let [mut low, mut high] = [-half, half];
        if rises(low) {
            return (at(low), low, half);
        }
        if !rises(high) {
            return (at(high), high, half);
        }
        for _ in 0..HALVINGS {
            let y = 0.5 * (low + high);
            *(if rises(y) { &mut high } else { &mut low }) = y;
        }
        (at(high), high, half)
    }

    /// How the least distance of a chord changes with `x`.
    fn slope(&self, x: f64) -> Slope {
        let (point, y, half) = self.on_chord(x);
        let (distance, away) = self.other.distance(point);
        if distance < 0.0 {
            return Slope::Within(point);
        }
        let [across, along] = self.axes.map(|axis| away.dot(axis));
        let slope = if y.abs() < half { across } else { half * across - y.signum() * x * along };
        if slope >= 0.0 { Slope::Rises } else { Slope::Falls }
    }
}

/// How the least distance of chords changes.
enum Slope {
    Rises,
    Falls,
    /// A point of the chord is in the other cylinder.
    Within(DVec3),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cylinder(centre: [f64; 3], axis: [f64; 3], [half, radius]: [f64; 2]) -> Revolved {
        Revolved {
            centre: centre.into(),
            axis: DVec3::from(axis).normalize(),
            half,
            radius,
            slant: None,
        }
    }

    #[test]
    fn sides_caps_and_rims_have_their_distances() {
        let own = cylinder([0.0; 3], [0.0, 0.0, 1.0], [2.0, 0.5]);
        let cases = [
            // Crossed sides; flat ends; a rim over a side; two rims across a corner.
            ([1.5, 0.0, 0.3], [0.0, 1.0, 0.0], 0.75),
            ([0.1, 0.2, 3.5], [0.0, 0.0, 1.0], 0.5),
            ([2.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.5),
            ([3.0, 0.0, 4.0], [0.0, 0.0, 1.0], 2.25_f64.hypot(1.0)),
        ];
        for (centre, axis, wanted) in cases {
            let other = cylinder(centre, axis, [1.0, 0.25]);
            for found in [Nearest::new(&own, &other), Nearest::new(&other, &own)] {
                assert!((found.gap - wanted).abs() < 1e-14, "{centre:?}: {}", found.gap);
            }
        }
    }
}
