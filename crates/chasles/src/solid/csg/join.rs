//! Unions.

use glam::DVec3;

use super::super::{Block, Interval, Place, Solid, SolidError};
use super::shown::shown;
use super::{close, estimate, nested};
use crate::numeric::{lower, upper};

/// A part of a union with the box around it.
#[derive(Debug)]
struct Part {
    solid: Box<dyn Solid>,
    low: DVec3,
    high: DVec3,
}

impl Part {
    fn new(solid: Box<dyn Solid>) -> Self {
        let [low, high] = solid.bounds();
        Self { solid, low, high }
    }

    /// The square of the distance of a point from the box.
    #[inline]
    fn away_sq(&self, point: DVec3) -> f64 {
        let (below, above) = (self.low - point, point - self.high);
        let x = upper(upper(below.x, above.x), 0.0);
        let y = upper(upper(below.y, above.y), 0.0);
        let z = upper(upper(below.z, above.z), 0.0);
        x * x + y * y + z * z
    }

    /// Whether a box along the axes misses that of the part.
    #[inline]
    fn misses(&self, low: DVec3, high: DVec3) -> bool {
        self.low.cmpgt(high).any() || low.cmpgt(self.high).any()
    }
}

/// What is in any of several solids.
#[derive(Debug)]
pub struct Union {
    parts: Vec<Part>,
    bounds: [DVec3; 2],
    error: f64,
    close: f64,
    nesting: u32,
}

/// What the parts of a union say about a point.
#[derive(Clone, Copy, Debug)]
struct Said {
    /// The least upper end.
    high: f64,
    /// The least lower end, and the next.
    lows: [f64; 2],
    /// The part that is nearest or deepest, and the number that says so.
    nearest: usize,
    estimate: f64,
    is_nan: bool,
}

/// Parts whose boxes are looked at together.
const GROUP: usize = 16;

impl Union {
    /// The union of solids.
    ///
    /// *Accepts* any solids, also such that overlap. *Guarantees* an interval that has both ends
    /// outside, and inside where one part alone decides or close to the surface. *Cost* linear.
    /// *Fails* with [`SolidError::Empty`] if there are none, and beyond 256 levels of nesting.
    pub fn new(solids: Vec<Box<dyn Solid>>) -> Result<Self, SolidError> {
        if solids.is_empty() {
            return Err(SolidError::Empty("a union of no solids"));
        }
        let (error, nesting) = (super::largest_error(&solids), nested(&solids)?);
        let parts: Vec<Part> = solids.into_iter().map(Part::new).collect();
        let low = parts.iter().fold(DVec3::INFINITY, |low, p| low.min(p.low));
        let high = parts.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(p.high));
        let close = close([low, high], nesting);
        Ok(Self { parts, bounds: [low, high], error, close, nesting })
    }

    /// Asks the parts that may matter, of each group the one with the nearest box first.
    ///
    /// A part whose box is farther than the best so far says at least that distance, without
    /// being asked; the least of these takes its place among the lower ends.
    #[inline]
    fn ask(&self, point: DVec3) -> Said {
        let mut said = Said::NOTHING;
        let (mut reach_sq, mut skipped_sq) = (f64::INFINITY, f64::INFINITY);
        for (group, parts) in self.parts.chunks(GROUP).enumerate() {
            let mut away_sq = [f64::INFINITY; GROUP];
            let mut first = 0;
            for (i, part) in parts.iter().enumerate() {
                away_sq[i] = part.away_sq(point);
                first = if away_sq[i] < away_sq[first] { i } else { first };
            }
            for k in 0..parts.len() {
                // The nearest trades places with the one that would come first.
                let i = if k == 0 {
                    first
                } else if k == first {
                    0
                } else {
                    k
                };
                if away_sq[i] > reach_sq {
                    skipped_sq = lower(skipped_sq, away_sq[i]);
                    continue;
                }
                said.and(group * GROUP + i, parts[i].solid.distance(point));
                reach_sq = upper(said.high, 0.0).powi(2);
            }
        }
        if skipped_sq < f64::INFINITY {
            // The square of a length of three coordinates, and its root: four roundings.
            said.count(skipped_sq.sqrt() * (1.0 - 4.0 * f64::EPSILON));
        }
        said
    }

    /// How far a point is from the box around the union, at least.
    #[inline]
    pub(super) fn away(&self, point: DVec3) -> f64 {
        let [low, high] = self.bounds;
        let off = (low - point).max(point - high).max(DVec3::ZERO);
        // As above: four roundings.
        off.length() * (1.0 - 4.0 * f64::EPSILON)
    }

    /// How far a point is from where the box around the union ends, at most: whatever is beyond
    /// a side of the box is outside.
    fn low_by_box(&self, point: DVec3) -> f64 {
        let [low, high] = self.bounds;
        let out = (point - low).min(high - point).min_element();
        (-out).next_down()
    }

    /// A lower end inside, where more than one part may decide.
    fn low_inside(&self, point: DVec3, high: f64) -> f64 {
        let by_box = self.low_by_box(point);
        if -high > self.close {
            return by_box;
        }
        let out = shown(point, |at| {
            let said = self.ask(at);
            (-said.lows[0], self.parts[said.nearest].solid.normal(at))
        });
        by_box.max(-out)
    }
}

impl Said {
    const NOTHING: Self = Self {
        high: f64::INFINITY,
        lows: [f64::INFINITY; 2],
        nearest: 0,
        estimate: f64::INFINITY,
        is_nan: false,
    };

    /// Takes in what one more part says.
    #[inline]
    fn and(&mut self, index: usize, interval: Interval) {
        self.is_nan |= interval.is_nan();
        self.count(interval.low);
        self.high = lower(interval.high, self.high);
        let estimate = estimate(interval);
        if estimate < self.estimate {
            (self.nearest, self.estimate) = (index, estimate);
        }
    }

    /// Puts a lower end among the two least.
    #[inline]
    fn count(&mut self, low: f64) {
        let [first, second] = self.lows;
        self.lows = if low < first { [low, first] } else { [first, lower(low, second)] };
    }
}

impl Solid for Union {
    fn bounds(&self) -> [DVec3; 2] {
        self.bounds
    }

    fn distance(&self, point: DVec3) -> Interval {
        let said = self.ask(point);
        if said.is_nan {
            return Interval::NAN;
        }
        let [first, second] = said.lows;
        let is_low = first > 0.0 || second > -first;
        let low = if is_low { first } else { self.low_inside(point, said.high) };
        // The bounds are both true, so they only cross where rounding made them.
        Interval::new(low.min(said.high), said.high)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.parts[self.ask(point).nearest].solid.normal(point)
    }

    fn error(&self) -> f64 {
        self.error
    }

    fn nesting(&self) -> u32 {
        self.nesting
    }

    /// Inside if inside of a part, outside if outside of all.
    fn place(&self, block: &Block) -> Place {
        let reach = block.reach() * (1.0 + 8.0 * f64::EPSILON);
        let slack = block.center.abs() * f64::EPSILON;
        let (low, high) = (block.center - reach - slack, block.center + reach + slack);
        let mut place = Place::Outside;
        for part in &self.parts {
            if part.misses(low, high) {
                continue;
            }
            match part.solid.place(block) {
                Place::Outside => {}
                Place::Inside => return Place::Inside,
                Place::Unsure => place = Place::Unsure,
            }
        }
        place
    }

    /// The least of the parts' entries.
    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        let (low, high) = (from.min(to), from.max(to));
        let parts = self.parts.iter().filter(|part| !part.misses(low, high));
        parts.filter_map(|part| part.solid.entry(from, to, precision)).min_by(f64::total_cmp)
    }
}
