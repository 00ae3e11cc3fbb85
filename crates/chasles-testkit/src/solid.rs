//! What every solid must keep to, checked against a function that knows only in and out.
//!
//! A [`Case`] is a solid with a level: any function that is negative inside and positive outside,
//! written without the library. The signed distance is found from it by force: points of the
//! surface by bisection between points in and out, then a search over directions for a nearer one.
//!
//! ```text
//! Case -> distances, slopes, normals, boxes, segments, bounds -> what is wrong, as a sentence
//! ```

use std::fmt;
use std::sync::Arc;

use chasles::solid::{Block, Place, Solid};
use glam::{DMat3, DVec3};

use crate::dd::Dd;
use crate::generate::Random;

/// Negative inside, positive outside, any size.
pub type Level = Arc<dyn Fn(DVec3) -> f64 + Send + Sync>;

/// The signed distance in twice the precision.
pub type Exact = Arc<dyn Fn(DVec3) -> Dd + Send + Sync>;

/// A solid and what it is.
pub struct Case {
    /// For messages.
    pub name: &'static str,
    /// The solid under test.
    pub solid: Box<dyn Solid>,
    /// Where its inside is.
    pub level: Level,
    /// Its distance, where there is a formula.
    pub exact: Option<Exact>,
    /// Points are drawn from the cube `[-reach, reach]^3`.
    pub reach: f64,
    /// How far from the surface a segment along it may enter: what 100,000 questions leave open.
    grazing: f64,
    /// Points of the surface.
    surface: Vec<DVec3>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.name, self.solid)
    }
}

/// What is wrong with an answer.
pub type Check = Result<(), String>;

/// Levels closer to zero than this are not judged: their own rounding decides.
const UNCLEAR: f64 = 1e-9;

/// Steps of the search for the nearest point; what it may miss is `SEARCH`.
const SEARCH_STEPS: u32 = 500;

/// What the search for the nearest point may miss, relative to the reach.
const SEARCH: f64 = 1e-2;

/// What it may miss besides, relative to the distance: from afar, few of the points around one on
/// an edge are nearer.
const SEARCH_FAR: f64 = 0.02;

impl Case {
    /// Finds points of the surface; a case without any is a mistake of the test.
    pub fn new(
        name: &'static str,
        solid: Box<dyn Solid>,
        level: impl Fn(DVec3) -> f64 + Send + Sync + 'static,
        reach: f64,
    ) -> Self {
        let level: Level = Arc::new(level);
        let mut random = Random::new(7);
        let mut surface = Vec::new();
        for _ in 0..200_000 {
            let [p, q] = [0; 2].map(|_| reach * random.vector());
            if (level(p) < 0.0) != (level(q) < 0.0) {
                surface.push(crossing(&level, p, q));
            }
            if surface.len() == 2000 {
                break;
            }
        }
        assert!(surface.len() > 200, "{name}: {} points of the surface", surface.len());
        Self { name, solid, level, exact: None, reach, grazing: 0.0, surface }
    }

    /// The same with a formula for the distance.
    #[must_use]
    pub fn with_exact(mut self, exact: impl Fn(DVec3) -> Dd + Send + Sync + 'static) -> Self {
        self.exact = Some(Arc::new(exact));
        self
    }

    /// The same for a solid that cannot tell in 100,000 questions whether a segment along its
    /// surface, this far from it, enters.
    #[must_use]
    pub fn with_grazing(mut self, distance: f64) -> Self {
        self.grazing = distance;
        self
    }

    /// A point anywhere, or close to the surface.
    pub fn point(&self, random: &mut Random) -> DVec3 {
        if random.below(2) == 0 {
            return self.reach * random.vector();
        }
        let off = 10f64.powf(random.between(-6.0, -0.5)) * self.reach;
        random.one_of(&self.surface) + off * random.vector()
    }

    /// The distance to the surface, too long by what the search may miss.
    fn search(&self, point: DVec3, random: &mut Random) -> f64 {
        let mut starts = self.surface.clone();
        starts.sort_by(|a, b| a.distance_squared(point).total_cmp(&b.distance_squared(point)));
        // Not only from the nearest: another part may turn out to come nearer.
        let lengths = [0, 3, 10, 30, 100].map(|i| self.search_from(point, starts[i], random));
        lengths.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// The same from one point of the surface on.
    fn search_from(&self, point: DVec3, start: DVec3, random: &mut Random) -> f64 {
        let is_in = (self.level)(point) < 0.0;
        let (mut best, mut length) = (start, start.distance(point));
        for _ in 0..SEARCH_STEPS {
            let step = 10f64.powf(random.between(-4.0, 0.0)) * self.reach;
            let tried = best + step * random.vector();
            let is_nearer = tried.distance(point) < length;
            if is_nearer && ((self.level)(tried) < 0.0) != is_in {
                best = crossing(&self.level, point, tried);
                length = best.distance(point);
            }
        }
        length
    }

    fn fail(&self, what: impl fmt::Display) -> Check {
        Err(format!("{}: {what}", self.name))
    }

    /// The interval contains the distance found by force and that of the formula.
    pub fn distance(&self, random: &mut Random) -> Check {
        let point = self.point(random);
        let interval = self.solid.distance(point);
        let level = (self.level)(point);
        let is_interval = interval.low <= interval.high;
        if !is_interval {
            return self.fail(format_args!("{interval:?} at {point} is no interval"));
        }
        if level > UNCLEAR && interval.high < 0.0 || level < -UNCLEAR && interval.low > 0.0 {
            return self.fail(format_args!("{interval:?} at {point}, where the level is {level}"));
        }
        if let Some(exact) = &self.exact {
            let true_distance = exact(point);
            let inside =
                Dd::from(interval.low) <= true_distance && true_distance <= Dd::from(interval.high);
            if !inside {
                return self.fail(format_args!("{interval:?} at {point}, not {true_distance:?}"));
            }
        }
        let found = self.search(point, random);
        let slack = SEARCH * self.reach + SEARCH_FAR * found;
        let [low, high] = if level < 0.0 {
            [-interval.high, -interval.low]
        } else {
            [interval.low, interval.high]
        };
        if low > found + 1e-12 * self.reach || high < found - slack {
            let by = if level < 0.0 { -found } else { found };
            return self.fail(format_args!("{interval:?} at {point}, by force {by}"));
        }
        Ok(())
    }

    /// Distances of two points differ by no more than the points do.
    pub fn slope(&self, random: &mut Random) -> Check {
        let p = self.point(random);
        let q = if random.below(2) == 0 {
            self.point(random)
        } else {
            p + 1e-3 * self.reach * random.vector()
        };
        let [at_p, at_q] = [p, q].map(|x| self.solid.distance(x));
        let apart = p.distance(q) * (1.0 + 1e-15);
        if at_p.low > (at_q.high + apart).next_up() || at_q.low > (at_p.high + apart).next_up() {
            return self.fail(format_args!("{at_p:?} at {p} but {at_q:?} at {q}"));
        }
        Ok(())
    }

    /// Normals have unit length and follow the gradient where there is one.
    pub fn normal(&self, random: &mut Random) -> Check {
        let point = self.point(random);
        let normal = self.solid.normal(point);
        if (normal.length() - 1.0).abs() > 1e-12 {
            return self.fail(format_args!("{normal} at {point} is not a unit vector"));
        }
        let h = 1e-5 * self.reach;
        let (mut gradient, mut width) = (DVec3::ZERO, 0.0f64);
        for (axis, slope) in DVec3::AXES.into_iter().zip(gradient.as_mut()) {
            let [a, b] = [-h, h].map(|h| self.solid.distance(point + h * axis));
            width = width.max(a.radius()).max(b.radius());
            *slope = (b.low + b.high - a.low - a.high) / (4.0 * h);
        }
        // Where the gradient is not a unit vector the surface next to the point changes.
        let is_smooth = width < 1e-4 * h && (gradient.length() - 1.0).abs() < 1e-6;
        if is_smooth && normal.dot(gradient) < 0.999 {
            return self.fail(format_args!("normal {normal} at {point}, gradient {gradient}"));
        }
        Ok(())
    }

    /// A box, often long and thin.
    fn block(&self, random: &mut Random) -> Block {
        let size = |random: &mut Random| 10f64.powf(random.between(-3.0, 0.0)) * self.reach;
        let half = DVec3::from_array([0; 3].map(|_| size(random)));
        let axes = match random.below(3) {
            0 => DMat3::IDENTITY,
            _ => DMat3::from_quat(random.rotation()),
        };
        Block { center: self.point(random), axes, half }
    }

    /// Boxes that are outside hold no point of the solid, boxes inside only such.
    pub fn place(&self, random: &mut Random) -> Result<Place, String> {
        let block = self.block(random);
        let place = self.solid.place(&block);
        for i in 0..100 {
            let weight = match i {
                0..8 => DVec3::from_array([1, 2, 4].map(|b| if i & b == 0 { -1.0 } else { 1.0 })),
                _ => random.vector(),
            };
            let point = block.center + block.axes * (block.half * weight);
            let level = (self.level)(point);
            let is_wrong = match place {
                Place::Outside => level < -UNCLEAR,
                Place::Inside => level > UNCLEAR,
                Place::Unsure => false,
            };
            if is_wrong {
                return Err(format!("{}: {block:?} is {place:?}, not {point}", self.name));
            }
        }
        Ok(place)
    }

    /// A segment across, or one that grazes.
    fn segment(&self, random: &mut Random) -> [DVec3; 2] {
        if random.below(3) > 0 {
            return [0; 2].map(|_| self.point(random));
        }
        let touch = random.one_of(&self.surface);
        let normal = self.solid.normal(touch);
        let off = random.one_of(&[0.0, 1e-12, -1e-12, 1e-7, -1e-7, 1e-3]) * self.reach;
        let way = normal.cross(random.direction()).normalize_or(DVec3::X) * self.reach;
        let middle = touch + off * normal;
        [middle - way * random.unit(), middle + way * random.unit()]
    }

    /// No point before the entry is in the solid, and one at or before it is close.
    pub fn entry(&self, random: &mut Random) -> Result<Option<f64>, String> {
        let [from, to] = self.segment(random);
        let precision = 10f64.powf(random.between(-9.0, -2.0)) * self.reach;
        let entry = self.solid.entry(from, to, precision);
        let end = entry.unwrap_or(1.0);
        for i in 0..=300 {
            let t = end * f64::from(i) / 300.0;
            if t < end || entry.is_none() {
                let level = (self.level)(from.lerp(to, t));
                if level < -UNCLEAR {
                    let late = format!("{from} to {to} enters at {entry:?}, {level} at {t}");
                    return Err(format!("{}: {late}", self.name));
                }
            }
        }
        let low = self.solid.distance(from.lerp(to, end)).low;
        let near = precision + 2.0 * self.solid.error() + 1e-13 * self.reach;
        let near = near.max(self.grazing);
        if entry.is_some() && low > near {
            let early = format!("{from} to {to} enters at {end}, {low} away, not {precision}");
            return Err(format!("{}: {early}", self.name));
        }
        Ok(entry)
    }

    /// The box around the solid holds all of its points.
    pub fn bounds(&self, random: &mut Random) -> Check {
        let point = self.point(random);
        let [low, high] = self.solid.bounds();
        let is_in_box = low.cmple(point).all() && point.cmple(high).all();
        if (self.level)(point) < -UNCLEAR && !is_in_box {
            return self.fail(format_args!("{point} is inside, but not in {low} to {high}"));
        }
        Ok(())
    }
}

/// Where the level changes its sign between two points.
fn crossing(level: &Level, from: DVec3, to: DVec3) -> DVec3 {
    let is_in = level(from) < 0.0;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if (level(from.lerp(to, middle)) < 0.0) == is_in {
            low = middle;
        } else {
            high = middle;
        }
    }
    from.lerp(to, high)
}
