//! When two features come closest: bounds of their distance over a part of the step, halved until
//! they are sharp.
//!
//! A point of a body that moves along a screw has the velocity `flow(x) = w x x + v`. Over a time
//! `u` from the middle of a span it departs from `x + u flow(x)` by at most `|w| |flow(x)| u² / 2`,
//! and its velocity from that of a point at the distance `r` by at most `|w| r`. So over a span of
//! half-length `half` a feature that reaches `r` to either side of its middle moves as if it slid
//! along a straight line, up to an error of
//!
//! ```text
//!   |w| r half + (|w x flow(middle)| + |w|² r) half² / 2
//! ```
//!
//! with `|w x d|` for `|w| r` where the feature is an edge of the half-length `d`.
//!
//! The least distance of what slides is known in closed form: that of a segment, the way of a
//! vertex, from a face; or that of a segment, one edge, from the parallelogram that the other edge
//! sweeps. With the error it bounds the distance of the features from below, which leaves spans
//! out; where the error is small against the distance asked for, it is the distance.

use glam::{DMat3, DVec3};

use crate::motion::Screw;
use crate::numeric::Helix;
use crate::screen::judging::judge::UNSEEN;
use crate::screen::place::relative::Relative;

/// How a body moves past another, in the local coordinates of the other.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Passage<'q> {
    pub(in crate::screen) screw: Screw,
    pub(in crate::screen) helix: &'q Helix,
    pub(in crate::screen) turned: DMat3,
    pub(in crate::screen) offset: DVec3,
}

/// Where a body is at one time, in the local coordinates of the other.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Placed {
    pub(in crate::screen) turned: DMat3,
    pub(in crate::screen) offset: DVec3,
}

impl Placed {
    #[inline]
    pub(in crate::screen) fn point(&self, local: DVec3) -> DVec3 {
        self.turned * local + self.offset
    }
}

impl<'q> Passage<'q> {
    /// B past A, and A past B.
    pub(in crate::screen) fn both(relative: &'q Relative) -> [Self; 2] {
        let &Relative { screw, ref helix, turned, offset } = relative;
        let back = turned.transpose();
        [
            Self { screw, helix, turned, offset },
            Self {
                screw: relative.screw_in_b().reversed(),
                helix,
                turned: back,
                offset: -(back * offset),
            },
        ]
    }

    /// The body at a time.
    pub(in crate::screen) fn at(&self, time: f64) -> Placed {
        let at = self.helix.at(time);
        let turn = |axis: DVec3| self.screw.turn(axis, &at, 1.0);
        let DMat3 { x_axis, y_axis, z_axis } = self.turned;
        Placed {
            turned: DMat3::from_cols(turn(x_axis), turn(y_axis), turn(z_axis)),
            offset: at.along(&self.screw.spread(self.offset, 1.0)),
        }
    }

    /// Where a point of the body is at a time.
    #[inline]
    pub(in crate::screen) fn point(&self, local: DVec3, time: f64) -> DVec3 {
        let start = self.turned * local + self.offset;
        self.helix.at(time).along(&self.screw.spread(start, 1.0))
    }

    /// How far something that reaches `radius` around a point with this velocity may depart from
    /// sliding, within `half` of a time.
    #[inline]
    pub(in crate::screen) fn error(&self, radius: f64, velocity: DVec3, half: f64) -> f64 {
        self.departure(self.screw.angle() * radius, velocity, half)
    }

    /// How far an edge with half of it this long, and with this velocity of its middle, may depart
    /// from sliding, within `half` of a time.
    #[inline]
    pub(in crate::screen) fn error_of_edge(
        &self,
        half_edge: DVec3,
        velocity: DVec3,
        half: f64,
    ) -> f64 {
        self.departure(self.screw.angular().cross(half_edge).length(), velocity, half)
    }

    /// The same for something whose velocity differs by up to `aside` from that of its middle.
    #[inline]
    fn departure(&self, aside: f64, velocity: DVec3, half: f64) -> f64 {
        let bend = self.screw.angular().cross(velocity).length() + self.screw.angle() * aside;
        (aside + 0.5 * bend * half) * half
    }
}

/// The closest approach of two features.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Closest {
    pub(in crate::screen) time: f64,
    pub(in crate::screen) gap: f64,
}

impl Closest {
    /// Whether the gap is smaller, by more than rounding: of equal ones the first counts.
    pub(in crate::screen) fn is_closer(&self, other: &Self) -> bool {
        self.gap < (1.0 - 1e-9) * other.gap
    }
}

/// The least distance of what slides for `half` to either side of a time.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Sliding {
    pub(in crate::screen) distance: f64,
    /// When, from the middle on.
    pub(in crate::screen) at: f64,
    pub(in crate::screen) error: f64,
}

/// Approaches of one pair in several places whose gaps differ by this many pixels are equally
/// close: what slides in at a constant gap is first seen a little before it is there.
pub(in crate::screen) const SAME: f64 = 0.01;

/// Distances that differ by less than this are the same, where what is above `far` does not matter.
pub(in crate::screen) fn rounding(far: f64) -> f64 {
    if far.is_finite() { 1e-9 * far } else { 0.0 }
}

/// Whether something is closer than another, or as close and earlier: a distance and a time each.
#[inline]
pub(in crate::screen) fn is_before(one: (f64, f64), other: (f64, f64), slack: f64) -> bool {
    one.0 < other.0 - slack || (one.0 <= other.0 + slack && one.1 < other.1)
}

/// Where the error is this part of the distance asked for, a span is short enough to look at its
/// closest approach.
const SHARP: f64 = 0.25;

/// Approaches that differ by less than this part of the distance asked for are equally close, and
/// spans are halved until no closer one can be left in them.
pub(in crate::screen) const EQUAL: f64 = 0.05;

/// So many spans of one pair are looked at before none is halved any more. Edges of a hundred
/// pixels that turn by a radian at a constant gap need some thousand.
const MOST_SPANS: usize = 1 << 13;

/// Halvings at most: times are then exact to 1e-12 of the part.
const DEEPEST: usize = 40;

/// Sections around a closest approach: its time is then exact to 1e-4 of the span.
const SECTIONS: usize = 20;

/// Of a span that is cut twice so that either of the longer parts is cut alike.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// The closest approach within a span, if it may be within `reach`; no farther than a twentieth
/// more.
///
/// `slide(middle, half, far)` is the least distance of features that slide, exact where it is not
/// above `far`; `least(middle, half)` is another lower bound of their distance, asked where that is
/// not sharp.
pub(in crate::screen) fn search(
    [from, to]: [f64; 2],
    reach: f64,
    slide: impl Fn(f64, f64, f64) -> Sliding,
    least: impl Fn(f64, f64) -> f64,
) -> Option<Closest> {
    let mut best: Option<Closest> = None;
    let mut width = 0.0;
    let mut waiting = [[0.0; 2]; DEEPEST + 1];
    waiting[0] = [from, to];
    let [mut count, mut looked] = [1, 0];
    while count > 0 {
        count -= 1;
        looked += 1;
        let [from, to] = waiting[count];
        let [middle, half] = [0.5 * (from + to), 0.5 * (to - from)];
        let mut limit = reach.min(best.map_or(reach, |best| best.gap - EQUAL * reach));
        if limit <= 0.0 {
            break;
        }
        let Sliding { distance, at, error } = slide(middle, half, limit);
        if distance - error > limit {
            continue;
        }
        // The earlier half first, so that of equally close approaches the earliest is found.
        if error <= SHARP * reach || count + 2 > DEEPEST || looked >= MOST_SPANS {
            let time = middle + at;
            let gap = slide(time, 0.0, f64::INFINITY).distance;
            let found = Closest { time, gap };
            if best.is_none_or(|best| found.is_closer(&best)) {
                best = Some(found);
                width = half;
            }
            limit = limit.min(gap - EQUAL * reach);
            if error <= 0.5 * EQUAL * reach || distance - error > limit {
                continue;
            }
        }
        if count + 2 <= DEEPEST && looked < MOST_SPANS && least(middle, half) <= limit {
            waiting[count] = [middle, to];
            waiting[count + 1] = [from, middle];
            count += 2;
        }
    }
    let found = best.filter(|best| best.gap <= (1.0 + EQUAL) * reach)?;
    Some(polished(found, (width, [from, to]), UNSEEN * reach, slide))
}

/// The closest approach near another, which was found in a span of this half-length: by golden
/// sections of what is around it. Gaps up to `unseen` are small enough.
fn polished(
    mut found: Closest,
    (half, [from, to]): (f64, [f64; 2]),
    unseen: f64,
    slide: impl Fn(f64, f64, f64) -> Sliding,
) -> Closest {
    if found.gap <= unseen {
        return found;
    }
    let look = |time: f64| Closest { time, gap: slide(time, 0.0, f64::INFINITY).distance };
    let [mut low, mut high] = [(found.time - half).max(from), (found.time + half).min(to)];
    let section = |low: f64, high: f64| high - GOLDEN * (high - low);
    let ends = [look(low), look(high)];
    let [mut p, mut q] = [look(section(low, high)), look(section(high, low))];
    for _ in 0..SECTIONS {
        if p.gap <= q.gap {
            (high, q) = (q.time, p);
            p = look(section(low, high));
        } else {
            (low, p) = (p.time, q);
            q = look(section(high, low));
        }
    }
    for candidate in [p, q].into_iter().chain(ends) {
        if candidate.is_closer(&found) {
            found = candidate;
        }
    }
    found
}
