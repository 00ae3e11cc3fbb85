//! How the time of a query grows with the meshes.

use serde::Serialize;

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Both colliders and the first query, from meshes.
    Fresh,
    /// A query with colliders and workspace as an earlier one left them.
    Steady,
}

impl Phase {
    /// Both, in the order of the tables.
    pub const ALL: [Self; 2] = [Self::Fresh, Self::Steady];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Steady => "steady",
        }
    }
}

/// One measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Faces of each of the two meshes.
    pub faces: usize,
    /// Contacts found.
    pub contacts: usize,
    /// Median time.
    pub seconds: f64,
}

/// The same scene at growing sizes: what a plot draws as one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// How the bodies pass each other.
    pub scene: &'static str,
    /// What the query asks for.
    pub mode: &'static str,
    /// What is timed.
    pub phase: Phase,
    /// By size.
    pub points: Vec<Point>,
}

impl Series {
    /// The exponent `k` of the law `time ~ faces^k` that fits best: the slope of the least-squares
    /// line through the logarithms.
    ///
    /// *Accepts* two sizes and more; NaN for fewer.
    pub fn slope(&self) -> f64 {
        let logs = self.points.iter().map(|p| ((p.faces as f64).ln(), p.seconds.ln()));
        let n = self.points.len() as f64;
        let (x_sum, y_sum) = logs.clone().fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x, sy + y));
        let [x_mean, y_mean] = [x_sum / n, y_sum / n];
        let (above, below) = logs.fold((0.0, 0.0), |(above, below), (x, y)| {
            (above + (x - x_mean) * (y - y_mean), below + (x - x_mean).powi(2))
        });
        above / below
    }

    /// The largest slope that the project aims for; none where it has no aim.
    pub fn bar(&self) -> Option<f64> {
        match (self.phase, self.scene) {
            (Phase::Fresh, _) => Some(1.1),
            (Phase::Steady, "near-miss") => Some(0.6),
            (Phase::Steady, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_power_law_is_its_exponent() {
        let point = |faces: usize| Point { faces, contacts: 0, seconds: (faces as f64).powf(0.7) };
        let points = [300, 3000, 30_000].map(point).to_vec();
        let series = Series { scene: "near-miss", mode: "all", phase: Phase::Steady, points };
        assert!((series.slope() - 0.7).abs() < 1e-12);
    }
}
