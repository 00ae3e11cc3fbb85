//! How the time of a query grows with the meshes.

use std::path::Path;

use chasles_picture::{Axis, PictureError, Plot, Size, Style};
use serde::{Deserialize, Serialize};

use crate::query::Mode;
use crate::scenes::Passing;

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
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
    /// How the bodies pass each other: the name of a [`Passing`].
    pub scene: String,
    /// What the query asks for: the name of a [`Mode`].
    pub mode: String,
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
        match (self.phase, self.scene.as_str()) {
            (Phase::Fresh, _) => Some(1.1),
            (Phase::Steady, "near-miss") => Some(0.6),
            (Phase::Steady, _) => None,
        }
    }
}

/// One point of a series as the files state it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Row {
    scene: String,
    mode: String,
    phase: Phase,
    faces: usize,
    contacts: usize,
    seconds: f64,
    slope: f64,
    bar: Option<f64>,
}

/// The points of all series, one row each.
pub fn rows(series: &[Series]) -> Vec<Row> {
    let rows_of = |series: &Series| {
        let row = |point: &Point| Row {
            scene: series.scene.clone(),
            mode: series.mode.clone(),
            phase: series.phase,
            faces: point.faces,
            contacts: point.contacts,
            seconds: point.seconds,
            slope: series.slope(),
            bar: series.bar(),
        };
        series.points.iter().map(row).collect::<Vec<Row>>()
    };
    series.iter().flat_map(rows_of).collect()
}

/// The series that a file of [`rows`] holds.
///
/// *Fails* if it cannot be read.
pub fn read(path: &Path) -> Result<Vec<Series>, csv::Error> {
    let mut all: Vec<Series> = Vec::new();
    for row in csv::Reader::from_path(path)?.deserialize() {
        let Row { scene, mode, phase, faces, contacts, seconds, .. } = row?;
        let point = Point { faces, contacts, seconds };
        let is_it = |s: &&mut Series| s.scene == scene && s.mode == mode && s.phase == phase;
        match all.iter_mut().find(is_it) {
            Some(series) => series.points.push(point),
            None => all.push(Series { scene, mode, phase, points: vec![point] }),
        }
    }
    Ok(all)
}

/// Time over faces on logarithmic axes: all contacts, a line for each scene and phase, and lines
/// of the slopes that are aimed for. Facing contacts would lie on the same lines.
///
/// *Fails* never: the size of the picture is within its limits.
pub fn plot(series: &[Series]) -> Result<Plot, PictureError> {
    let size = Size::new(900, 600)?;
    let mut plot = Plot::new(size, Axis::log("faces of each torus"), Axis::log("seconds"));
    plot.title("Time of a query for all contacts");
    let shown = || series.iter().filter(|line| line.mode == Mode::All.name());
    for line in shown() {
        let name = format!("{}, {}: slope {:.2}", line.scene, line.phase.name(), line.slope());
        plot.series(&name, Style::LineAndDots, &points(line));
    }
    for line in shown().filter(|line| line.scene == Passing::NearMiss.name()) {
        let ends = [line.points.first(), line.points.last()];
        if let (Some(bar), [Some(first), Some(last)]) = (line.bar(), ends) {
            let rise = (last.faces as f64 / first.faces as f64).powf(bar);
            let ends =
                [[first.faces as f64, first.seconds], [last.faces as f64, first.seconds * rise]];
            plot.series(&format!("a slope of {bar}"), Style::Line, &ends);
        }
    }
    Ok(plot)
}

fn points(line: &Series) -> Vec<[f64; 2]> {
    line.points.iter().map(|point| [point.faces as f64, point.seconds]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_power_law_is_its_exponent() {
        let point = |faces: usize| Point { faces, contacts: 0, seconds: (faces as f64).powf(0.7) };
        let points = [300, 3000, 30_000].map(point).to_vec();
        let [scene, mode] = ["near-miss", "all"].map(String::from);
        let series = Series { scene, mode, phase: Phase::Steady, points };
        assert!((series.slope() - 0.7).abs() < 1e-12);
    }
}
