//! Intersections and differences.

use glam::DVec3;

use super::super::entry::by_boxes;
use super::super::{Block, Interval, Place, Solid, SolidError};
use super::shown::shown;
use super::{Union, block, close, estimate, nested};

/// What several solids say about a point that must be in all of them.
#[derive(Clone, Copy, Debug)]
struct Said {
    /// The greatest lower end.
    low: f64,
    /// The greatest upper end, and the next.
    highs: [f64; 2],
    /// The solid that is farthest, and the number that says so.
    farthest: usize,
    estimate: f64,
    is_nan: bool,
}

impl Said {
    const NOTHING: Self = Self {
        low: f64::NEG_INFINITY,
        highs: [f64::NEG_INFINITY; 2],
        farthest: 0,
        estimate: f64::NEG_INFINITY,
        is_nan: false,
    };

    /// Takes in what one more solid says.
    #[inline]
    fn and(mut self, index: usize, interval: Interval) -> Self {
        self.is_nan |= interval.is_nan();
        self.low = self.low.max(interval.low);
        let [first, second] = self.highs;
        let high = interval.high;
        self.highs = if high > first { [high, first] } else { [first, second.max(high)] };
        let estimate = estimate(interval);
        if estimate > self.estimate {
            (self.farthest, self.estimate) = (index, estimate);
        }
        self
    }

    /// The interval of the intersection; `high` is asked for where the rules prove no upper end.
    #[inline]
    fn interval(&self, high: impl FnOnce() -> f64) -> Interval {
        if self.is_nan {
            return Interval::NAN;
        }
        let [first, second] = self.highs;
        let is_high = first <= 0.0 || second < -first;
        let high = if is_high { first } else { high() };
        Interval::new(self.low, high.max(self.low))
    }
}

/// Solids of which a point must be in all, as they are or as complements.
trait Meeting {
    /// What they say about a point.
    fn ask(&self, point: DVec3) -> Said;

    /// The normal, outward, of what they meet in.
    fn normal_of(&self, said: &Said, point: DVec3) -> DVec3;
}

/// The interval of what several solids meet in, with a point shown where that is worth it.
#[inline]
fn distance(solids: &impl Meeting, point: DVec3, close: f64) -> Interval {
    let said = solids.ask(point);
    said.interval(|| {
        let look = |at| {
            let said = solids.ask(at);
            (said.highs[0], -solids.normal_of(&said, at))
        };
        if said.low > close { f64::INFINITY } else { shown(point, look) }
    })
}

/// What is in all of several solids.
#[derive(Debug)]
pub struct Intersection {
    solids: Vec<Box<dyn Solid>>,
    bounds: [DVec3; 2],
    close: f64,
    nesting: u32,
}

impl Intersection {
    /// The intersection of solids.
    ///
    /// *Accepts* any solids. *Guarantees* an interval that has both ends inside, and outside where
    /// one solid alone decides or close to the surface. *Cost* linear. *Fails* with
    /// [`SolidError::Empty`] if there are none, or if the box in which all lie is outside of one;
    /// whether others meet is not asked, and the distance of an empty one has no upper end.
    pub fn new(solids: Vec<Box<dyn Solid>>) -> Result<Self, SolidError> {
        if solids.is_empty() {
            return Err(SolidError::Empty("an intersection of no solids"));
        }
        let (mut low, mut high) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
        for [l, h] in solids.iter().map(|s| s.bounds()) {
            (low, high) = (low.max(l), high.min(h));
        }
        let bounds = [low, high];
        let is_outside =
            |block: Block| solids.iter().any(|solid| solid.place(&block) == Place::Outside);
        if low.cmpgt(high).any() || block(bounds).is_some_and(is_outside) {
            return Err(SolidError::Empty("the solids of an intersection do not meet"));
        }
        let nesting = nested(&solids)?;
        Ok(Self { solids, bounds, close: close(bounds, nesting), nesting })
    }
}

impl Meeting for Intersection {
    #[inline]
    fn ask(&self, point: DVec3) -> Said {
        let all = self.solids.iter().enumerate();
        all.fold(Said::NOTHING, |said, (i, solid)| said.and(i, solid.distance(point)))
    }

    fn normal_of(&self, said: &Said, point: DVec3) -> DVec3 {
        self.solids[said.farthest].normal(point)
    }
}

impl Solid for Intersection {
    fn bounds(&self) -> [DVec3; 2] {
        self.bounds
    }

    fn distance(&self, point: DVec3) -> Interval {
        distance(self, point, self.close)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.normal_of(&self.ask(point), point)
    }

    fn error(&self) -> f64 {
        super::largest_error(&self.solids)
    }

    fn nesting(&self) -> u32 {
        self.nesting
    }

    /// Outside if outside of one solid, inside if inside of all.
    fn place(&self, block: &Block) -> Place {
        let mut place = Place::Inside;
        for solid in &self.solids {
            match solid.place(block) {
                Place::Outside => return Place::Outside,
                Place::Inside => {}
                Place::Unsure => place = Place::Unsure,
            }
        }
        place
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        by_boxes(self, from, to, precision)
    }
}

/// What is in a solid and not in others.
#[derive(Debug)]
pub struct Difference {
    base: Box<dyn Solid>,
    removed: Union,
    bounds: [DVec3; 2],
    close: f64,
    nesting: u32,
}

impl Difference {
    /// The solid `base` without what is inside of `removed`.
    ///
    /// *Accepts* any solids; surfaces that coincide leave a sheet. *Guarantees* an interval as that
    /// of an [`Intersection`] with complements. *Cost* linear in what is removed, less where its
    /// boxes are far. *Fails* with [`SolidError::Empty`] if nothing is removed, or if one of the
    /// removed solids contains the box around the base.
    pub fn new(base: Box<dyn Solid>, removed: Vec<Box<dyn Solid>>) -> Result<Self, SolidError> {
        if removed.is_empty() {
            return Err(SolidError::Empty("a difference that removes no solids"));
        }
        let removed = Union::new(removed)?;
        let bounds = base.bounds();
        if block(bounds).is_some_and(|block| removed.place(&block) == Place::Inside) {
            return Err(SolidError::Empty("a difference removes all of the solid"));
        }
        let nesting = nested([&base])?.max(removed.nesting());
        Ok(Self { base, removed, bounds, close: close(bounds, nesting), nesting })
    }
}

impl Meeting for Difference {
    #[inline]
    fn ask(&self, point: DVec3) -> Said {
        let said = Said::NOTHING.and(0, self.base.distance(point));
        // What is removed farther away than the base decides nothing; its box tells.
        let away = self.removed.away(point);
        if away > said.highs[0].abs().max(said.low.abs()) {
            return said.and(1, Interval::new(f64::NEG_INFINITY, -away));
        }
        said.and(1, -self.removed.distance(point))
    }

    fn normal_of(&self, said: &Said, point: DVec3) -> DVec3 {
        if said.farthest == 0 { self.base.normal(point) } else { -self.removed.normal(point) }
    }
}

impl Solid for Difference {
    fn bounds(&self) -> [DVec3; 2] {
        self.bounds
    }

    fn distance(&self, point: DVec3) -> Interval {
        distance(self, point, self.close)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.normal_of(&self.ask(point), point)
    }

    fn error(&self) -> f64 {
        self.base.error().max(self.removed.error())
    }

    fn nesting(&self) -> u32 {
        self.nesting
    }

    /// Outside if outside of the base or in what is removed.
    fn place(&self, block: &Block) -> Place {
        let base = self.base.place(block);
        if base == Place::Outside {
            return Place::Outside;
        }
        match self.removed.place(block) {
            Place::Inside => Place::Outside,
            Place::Outside => base,
            Place::Unsure => Place::Unsure,
        }
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        by_boxes(self, from, to, precision)
    }
}
