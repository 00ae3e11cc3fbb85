//! Pairs that must keep a distance.
//!
//! From a time at which the features are `gap` apart they cannot meet before `gap` over the greatest
//! relative speed of their points has passed, so a walk of such steps never passes the moment at
//! which the distance is reached. It ends a little before it.

use glam::DVec3;

use super::pair::Pair;

/// The walk ends when what is left is this small a part of the distance; it is reported early by
/// no more.
const EARLY: f64 = 1e-3;

/// Steps of the walk. Each takes away all but a small part of what is left unless the features turn
/// about each other; where they do, what is reached is reported.
const STEPS: usize = 1000;

impl Pair {
    /// When the features first come as close as `separation`, or a little before; `None` if they
    /// stay farther apart.
    ///
    /// *Accepts* a separation that is positive and finite; others are taken as the smallest
    /// positive number. *Guarantees* that the features are farther apart than `separation` at all
    /// earlier times. This is on the safe side, unlike [`Pair::first`]: a time may be reported for
    /// features that come no closer than 1.002 times the separation, or as close as rounding of
    /// the coordinates lets distances be known. *Cost* usually ten to twenty distances, at most
    /// a thousand. *Fails* never.
    ///
    /// ```
    /// # use chasles::deform::Pair;
    /// let triangle = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]];
    /// let at = |z: f64| [[0.25, 0.25, z], triangle[0], triangle[1], triangle[2]];
    /// let pair = Pair::vertex_triangle(at(1.0), at(0.5))?;
    /// assert!(pair.first_within(0.4).is_none());
    /// let time = pair.first_within(0.6).expect("they come to half");
    /// assert!(time > 0.798 && time <= 0.8);
    /// # Ok::<(), chasles::deform::PairError>(())
    /// ```
    pub fn first_within(&self, separation: f64) -> Option<f64> {
        let separation = if separation > 0.0 { separation } else { f64::MIN_POSITIVE };
        let all = self.ends().as_flattened();
        let size = all.iter().fold(0.0, |most: f64, p| most.max(p.abs().max_element()));
        // Distances are no better known than this.
        let rounding = 64.0 * f64::EPSILON * size;
        let speed = self.greatest_speed() * (1.0 + 1e-12);
        let mut time = 0.0;
        for _ in 0..STEPS {
            let vertices = self.at(time);
            let (apart, _) = self.between(&vertices, &self.closest(vertices));
            let left = apart.length() - rounding - separation;
            if left <= EARLY * separation {
                return Some(time);
            }
            // Half of what may be early is kept back, so that the last step lands before the end.
            time += (left - 0.5 * EARLY * separation) / speed;
            // Also where nothing moves and the step is infinite.
            if time > 1.0 || time.is_nan() {
                return None;
            }
        }
        Some(time)
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
