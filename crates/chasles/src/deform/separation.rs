//! Pairs that must keep a distance.
//!
//! From a time at which the features are `gap` apart they cannot meet before `gap` over the
//! greatest relative speed of their points has passed, so a walk of such steps never passes the
//! moment at which the distance is reached. It ends a little before it; or as soon as a plane is
//! found that keeps the features apart from there to the end.

use glam::DVec3;

use super::closest::on_segment;
use super::pair::Pair;

/// The walk ends when what is left is this small a part of the distance; it is reported early by
/// no more.
const EARLY: f64 = 1e-3;

/// A bound of a distance that is this part of it is as good as the best: it is told early by far
/// less than [`EARLY`].
const TOLD: f64 = 1.0 - 1e-6;

/// Products and sums of coordinates of at most 1, and the length of a vector.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Steps of the walk. Each takes away all but a small part of what is left unless the features turn
/// about each other; where they do, what is reached is reported.
const STEPS: usize = 1000;

impl Pair {
    /// When the features first come as close as `separation`, or a little before; `None` if they
    /// stay farther apart.
    ///
    /// *Accepts* any separation; what is not positive is taken as the smallest positive number.
    /// *Guarantees* that the features are farther apart than `separation` at all earlier times.
    /// This is on the safe side, unlike [`Pair::first`]: a time may be reported for features that
    /// come no closer than 1.002 times the separation, or as close as rounding of the coordinates
    /// lets distances be known. *Cost* usually ten to twenty distances, at most a thousand. *Fails*
    /// never.
    ///
    /// ```
    /// # use chasles::deform::Pair;
    /// let triangle = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]];
    /// let at = |z: f64| [[0.25, 0.25, z], triangle[0], triangle[1], triangle[2]];
    /// let pair = Pair::vertex_triangle(at(1.0), at(0.5))?;
    /// assert!(pair.first_within(0.4).is_none());
    /// let time = pair.first_within(0.6).expect("they come to half");
    /// assert!(time > 0.798 && time <= 0.8);
    /// # Ok::<(), chasles::deform::PositionError>(())
    /// ```
    pub fn first_within(&self, separation: f64) -> Option<f64> {
        let (pair, scale) = self.scaled();
        let separation = if separation > 0.0 { separation * scale } else { 0.0 };
        let separation = separation.max(f64::MIN_POSITIVE);
        if pair.middles_tell(separation) {
            return None;
        }
        let speed = pair.greatest_speed() * (1.0 + 1e-12);
        let mut time = 0.0;
        for _ in 0..STEPS {
            let (least, toward) = pair.least_distance(time);
            let left = least - separation;
            // Also where it is not a number.
            if left.is_nan() || left <= EARLY * separation {
                return Some(time);
            }
            if pair.along(&pair.at(1.0), toward) - ROUNDING > (1.0 + EARLY) * separation {
                return None;
            }
            // Half of what may be early is kept back, so that the last step lands before the end.
            time += (left - 0.5 * EARLY * separation) / speed;
            if time > 1.0 {
                return None;
            }
        }
        Some(time)
    }

    /// Whether the features stay apart along the line between their middles at the start, which is
    /// soon asked.
    #[inline]
    fn middles_tell(&self, separation: f64) -> bool {
        let [start, end] = self.ends();
        let (first, second) = start.split_at(self.vertices_of_first());
        let middle = |vertices: &[DVec3]| vertices.iter().sum::<DVec3>() / vertices.len() as f64;
        let toward = middle(first) - middle(second);
        let least = (1.0 + EARLY) * separation * toward.length() + 2.0 * ROUNDING;
        self.along(start, toward) > least && self.along(end, toward) > least
    }

    /// A lower bound of the distance of the features at a time, for coordinates of at most 1, and
    /// the unit vector along which they are that far apart.
    ///
    /// Along any unit vector the features are at least as far apart as their vertices are; the
    /// vector between their closest points tells the distance, and if those are badly known, as in
    /// thin triangles, that of the normal or of the sides does.
    fn least_distance(&self, time: f64) -> (f64, DVec3) {
        let vertices = self.at(time);
        let (apart, _) = self.between(&vertices, &self.closest(vertices));
        // The features are as far apart as two points of theirs at most: no other vector tells much
        // more.
        let (length, toward) = (apart.length(), apart.normalize_or_zero());
        let least = self.along(&vertices, toward);
        if least >= TOLD * length && least > ROUNDING {
            return (least - ROUNDING, toward);
        }
        let (first, second) = vertices.split_at(self.vertices_of_first());
        let normal = self.normal(&vertices).unwrap_or(DVec3::ZERO);
        let candidates = sides(first, second).into_iter().chain([normal, -normal]);
        let mut best = (least.max(0.0), toward);
        for toward in candidates.map(DVec3::normalize_or_zero) {
            let least = self.along(&vertices, toward);
            best = if least > best.0 { (least, toward) } else { best };
        }
        (best.0 - ROUNDING, best.1)
    }

    /// How far vertices of the first feature are beyond those of the second along a vector. Of
    /// vertices that go straight, this is a concave function of time: between two times it is never
    /// less than at one of them.
    #[inline]
    fn along(&self, vertices: &[DVec3; 4], toward: DVec3) -> f64 {
        let (first, second) = vertices.split_at(self.vertices_of_first());
        let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
        first.iter().for_each(|p| low = low.min(toward.dot(*p)));
        second.iter().for_each(|p| high = high.max(toward.dot(*p)));
        low - high
    }

    /// A bound of the speed at which points of the two features approach each other.
    fn greatest_speed(&self) -> f64 {
        let [start, end] = self.ends();
        let moves: [DVec3; 4] = std::array::from_fn(|i| end[i] - start[i]);
        let (first, second) = moves.split_at(self.vertices_of_first());
        // Points of a feature move as mixtures of its vertices.
        let between = first.iter().flat_map(|p| second.iter().map(move |q| (*p - *q).length()));
        between.fold(0.0, f64::max)
    }
}

/// From the points of the second feature's sides that are closest to the vertices of the first to
/// these vertices; the last is there twice for a triangle and a vertex.
fn sides(first: &[DVec3], second: &[DVec3]) -> [DVec3; 4] {
    let n = second.len();
    std::array::from_fn(|i| {
        let p = first[(i / n).min(first.len() - 1)];
        let [from, to] = [second[i % n], second[(i + 1) % n]];
        p - from.lerp(to, on_segment(p, from, to))
    })
}
