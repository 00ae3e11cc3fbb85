//! Two edges that pass each other: the distance of one from the parallelogram that the other
//! sweeps, over a short time.
//!
//! Long edges that turn past each other at a constant gap would be halved until `|w| r half` is
//! small. The distance of their lines bounds that of the edges too, and hardly changes then: it is
//! `|S| / sin`, with the side product `S` of unit vectors along them, whose control coefficients
//! bound it over a span ([`gaps`](crate::numeric::gaps)), and the sine of their angle, which grows
//! by at most `|w| half`.

use glam::DVec3;

use crate::numeric::gaps::LineGap;
use crate::numeric::roots::Gap;
use crate::screen::judging::locate::{PARALLEL, side_product};
use crate::screen::near::closest::{Closest, Passage, Sliding, is_before, rounding, search};

/// Two edges that pass each other.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct EdgeOverEdge<'q> {
    pub(in crate::screen) passage: &'q Passage<'q>,
    /// The ends of the edge that stands still.
    pub(in crate::screen) still: [DVec3; 2],
    /// The ends of the edge that moves, in the local coordinates of its body.
    pub(in crate::screen) moving: [DVec3; 2],
}

impl EdgeOverEdge<'_> {
    /// The closest approach within a span, if it may be within `reach`.
    pub(in crate::screen) fn closest(&self, span: [f64; 2], reach: f64) -> Option<Closest> {
        let lines = self.lines();
        let least = |middle, half| self.lines_stay_apart(&lines, middle, half);
        search(span, reach, |middle, half, far| self.slide(middle, half, far), least)
    }

    /// The side product of the lines of both edges.
    fn lines(&self) -> LineGap<'_> {
        let &Passage { ref screw, helix, turned, offset } = self.passage;
        let unit = |[p, q]: [DVec3; 2]| (q - p).normalize_or_zero();
        let still = [self.still[0], unit(self.still)];
        let moving = [turned * self.moving[0] + offset, turned * unit(self.moving)];
        side_product(still, moving, screw, helix)
    }

    /// A lower bound of the distance of the lines of both edges, and so of the edges, over a span.
    fn lines_stay_apart(&self, gap: &LineGap<'_>, middle: f64, half: f64) -> f64 {
        let [a, b] = [middle - half, middle + half].map(|t| (t, gap.at(t)));
        let sides = gap.coefficients(a, b);
        let side = |sign: f64| sides.iter().fold(f64::INFINITY, |least, s| least.min(sign * s));
        let [p, q] = self.still;
        let moving = self.moving.map(|end| self.passage.point(end, middle));
        let size = (q - p).length() * (moving[1] - moving[0]).length();
        let sine = (q - p).cross(moving[1] - moving[0]).length() / size;
        let sine = (sine + self.passage.screw.angle() * half).min(1.0);
        if sine > 0.0 { side(1.0).max(side(-1.0)).max(0.0) / sine } else { 0.0 }
    }

    /// Where on both edges they are closest at a time, as fractions.
    pub(in crate::screen) fn places(&self, time: f64) -> [f64; 2] {
        closest_on_segments(self.still, self.moving.map(|end| self.passage.point(end, time))).0
    }

    #[inline]
    fn slide(&self, middle: f64, half: f64, far: f64) -> Sliding {
        let edge = self.moving.map(|end| self.passage.point(end, middle));
        if half == 0.0 {
            let (_, distance) = closest_on_segments(self.still, edge);
            return Sliding { distance, at: 0.0, error: 0.0 };
        }
        let velocity = self.passage.screw.flow(0.5 * (edge[0] + edge[1]));
        let error = self.passage.error_of_edge(0.5 * (edge[1] - edge[0]), velocity, half);
        let least = self.lines_apart(edge, velocity * half);
        let (distance, at) = if least > far + error {
            (least, 0.0)
        } else {
            from_swept(self.still, edge, velocity * half, rounding(far))
        };
        Sliding { distance, at: at * half, error }
    }

    /// A lower bound: along the common perpendicular of the edges, and across the one that stands
    /// still and the motion.
    fn lines_apart(&self, [r, s]: [DVec3; 2], half_way: DVec3) -> f64 {
        let [p, q] = self.still;
        let between = r - p;
        let along = |across: DVec3, way: DVec3| {
            let [apart, way] = [between.dot(across).abs(), way.dot(across).abs()];
            let length = across.length();
            if length > 0.0 { (apart - way) / length } else { 0.0 }
        };
        let by_edges = along((q - p).cross(s - r), half_way);
        let middle = between + 0.5 * (s - r);
        let across = (q - p).cross(half_way);
        let length = across.length();
        let by_motion = if length > 0.0 {
            (middle.dot(across).abs() - 0.5 * (s - r).dot(across).abs()) / length
        } else {
            0.0
        };
        by_edges.max(by_motion)
    }
}

/// The distance of a segment from what an edge sweeps that goes by `half_way` to either side, and
/// when: from -1 to 1, the first of those that differ by `slack` at most.
fn from_swept(still: [DVec3; 2], [r, s]: [DVec3; 2], half_way: DVec3, slack: f64) -> (f64, f64) {
    let along = s - r;
    let across = along.cross(half_way);
    let size = across.length_squared();
    let mut best = (f64::INFINITY, 0.0);
    // Narrower ones are what their sides are.
    if size > (NARROW * NARROW) * along.length_squared() * half_way.length_squared() {
        let inside = |x: DVec3| {
            let from = x - r;
            let place = from.cross(half_way).dot(across) / size;
            let time = along.cross(from).dot(across) / size;
            ((0.0..=1.0).contains(&place) && time.abs() <= 1.0).then_some(time)
        };
        let heights = still.map(|x| (x - r).dot(across));
        let most = heights[0].abs().max(heights[1].abs());
        if (heights[0] < 0.0) != (heights[1] < 0.0) && most > slack * size.sqrt() {
            let f = heights[0] / (heights[0] - heights[1]);
            if let Some(time) = inside(still[0].lerp(still[1], f)) {
                return (0.0, time);
            }
        }
        for (x, height) in still.into_iter().zip(heights) {
            let distance = height.abs() / size.sqrt();
            if let Some(time) = inside(x)
                && is_before((distance, time), best, slack)
            {
                best = (distance, time);
            }
        }
    }
    for time in [-1.0, 1.0] {
        let (_, distance) = closest_on_segments(still, [r, s].map(|x| x + time * half_way));
        if is_before((distance, time), best, slack) {
            best = (distance, time);
        }
    }
    for end in [r, s] {
        let ([_, f], distance) = closest_on_segments(still, [end - half_way, end + half_way]);
        let there = (distance, 2.0 * f - 1.0);
        if is_before(there, best, slack) {
            best = there;
        }
    }
    best
}

/// A parallelogram with a smaller sine between its sides is taken for these: it is narrower than
/// what they are long by this factor.
const NARROW: f64 = 1e-9;

/// The closest points of two segments as fractions, and their distance. Of parallel segments an end
/// of one; a segment may be a point.
pub(in crate::screen) fn closest_on_segments(
    [p, q]: [DVec3; 2],
    [r, s]: [DVec3; 2],
) -> ([f64; 2], f64) {
    let [d, e, between] = [q - p, s - r, r - p];
    let across = d.cross(e);
    let size = across.length_squared();
    if size > (PARALLEL * PARALLEL) * d.length_squared() * e.length_squared() {
        let u = between.cross(e).dot(across) / size;
        let v = between.cross(d).dot(across) / size;
        if (0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v) {
            return ([u, v], (p + u * d).distance(r + v * e));
        }
    }
    let foot = |x: DVec3, from: DVec3, along: DVec3| {
        let length_sq = along.length_squared();
        if length_sq > 0.0 { ((x - from).dot(along) / length_sq).clamp(0.0, 1.0) } else { 0.0 }
    };
    let ends =
        [[0.0, foot(p, r, e)], [foot(r, p, d), 0.0], [1.0, foot(q, r, e)], [foot(s, p, d), 1.0]];
    let mut best = ([0.0; 2], f64::INFINITY);
    for [u, v] in ends {
        let distance = (p + u * d).distance(r + v * e);
        if distance < best.1 {
            best = ([u, v], distance);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Screw;
    use crate::numeric::Helix;
    use glam::{DMat3, DQuat};

    /// Numbers from -1 to 1 that repeat with their seed.
    fn numbers(seed: u32) -> impl FnMut() -> f64 {
        let mut state = f64::from(seed);
        move || {
            state += 1.0;
            2.0 * ((12.9898 * state).sin() * 43758.5453).rem_euclid(1.0) - 1.0
        }
    }

    /// Edges of very different lengths, about a unit apart or almost touching.
    #[test]
    fn bounds_of_passing_edges_hold_and_are_sharp() {
        let [mut sharp, mut of_lines] = [0, 0];
        for seed in 0..4000 {
            let mut next = numbers(7 * seed);
            let mut vector = || DVec3::new(next(), next(), next());
            let [still, moving] = [[vector(), vector()], [vector(), vector()]];
            let screw = Screw::from_valid(vector(), 0.3 * vector());
            let long = [1.0, 30.0][seed as usize % 2];
            let [still, moving] = [still, moving].map(|edge| edge.map(|end| long * end));
            let helix = Helix::new(screw.angle());
            let turned = DMat3::from_quat(DQuat::from_scaled_axis(vector()));
            let offset = [0.1, 3.0][seed as usize / 2 % 2] * vector();
            let passage = &Passage { screw, helix: &helix, turned, offset };
            let over = EdgeOverEdge { passage, still, moving };
            let [middle, half] = [0.5, [0.5, 0.1, 0.01][seed as usize % 3]];
            let Sliding { distance, error, .. } = over.slide(middle, half, f64::INFINITY);
            let of_the_lines = over.lines_stay_apart(&over.lines(), middle, half);
            let times = (0..=200).map(|i| middle + half * (0.01 * f64::from(i) - 1.0));
            let gap = |time: f64| over.slide(time, 0.0, f64::INFINITY).distance;
            let least = times.map(gap).fold(f64::INFINITY, f64::min);
            let slack = 1e-12 * long;
            assert!(distance - error <= least + slack, "{seed}: {distance} - {error} > {least}");
            assert!(of_the_lines <= least + slack, "{seed}: {of_the_lines} > {least}");
            sharp += u32::from(distance - error > 0.9 * least);
            of_lines += u32::from(of_the_lines > 0.9 * least);
        }
        assert!(sharp > 800 && of_lines > 80, "{sharp} {of_lines}");
    }
}
