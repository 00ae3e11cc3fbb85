//! What a heap costs in each engine, and how that grows.

use std::collections::BTreeMap;
use std::path::Path;

use chasles_picture::{Axis, PictureError, Plot, Size, Style};
use serde::{Deserialize, Serialize};

use crate::table::{duration, three_digits};

/// One heap of one size. Times are of the processor, in seconds; none where an engine was left out.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Row {
    /// What kind of heap.
    pub heap: String,
    /// Boxes, the base of a pyramid, figures or chains.
    pub count: usize,
    /// Dynamic bodies.
    pub bodies: usize,
    /// For a second of the scene, over the first seconds.
    pub second_s: f64,
    /// The same in rapier.
    pub rapier_s: Option<f64>,
    /// The same in MuJoCo.
    pub mujoco_s: Option<f64>,
    /// The longest step.
    pub worst_s: f64,
    /// The same in rapier.
    pub rapier_worst_s: Option<f64>,
    /// The same in MuJoCo.
    pub mujoco_worst_s: Option<f64>,
    /// For a second at rest, while nothing may sleep.
    pub rest_s: Option<f64>,
    /// The same in rapier.
    pub rapier_rest_s: Option<f64>,
    /// For the same second, while all that may sleep does.
    pub asleep_s: Option<f64>,
    /// The same in rapier.
    pub rapier_asleep_s: Option<f64>,
    /// How often a body waited.
    pub waits: usize,
    /// Windows in all.
    pub windows: u32,
    /// Points of resting contact at the end of a step, at most.
    pub contacts: usize,
    /// Pairs in each other in a frame, if that was looked for.
    pub overlaps: usize,
    /// Pairs in each other between two frames, likewise.
    pub crossings: usize,
    /// Bodies that sleep at the end.
    pub asleep: usize,
    /// Kinetic and potential energy at the end.
    pub energy: f64,
}

impl Row {
    /// How many times rapier's time the first seconds take.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.second_s / self.rapier_s?)
    }

    /// How many times rapier's time a second at rest takes.
    pub fn rest_ratio(&self) -> Option<f64> {
        Some(self.rest_s? / self.rapier_rest_s?)
    }

    /// How many times rapier's longest step the longest one takes.
    pub fn worst_ratio(&self) -> Option<f64> {
        Some(self.worst_s / self.rapier_worst_s?)
    }

    /// The cells of the table in the notes.
    pub fn cells(&self) -> Vec<String> {
        let time = |seconds: Option<f64>| seconds.map_or("-".into(), duration);
        let times = |ratio: Option<f64>| ratio.map_or("-".into(), three_digits);
        vec![
            self.heap.clone(),
            self.bodies.to_string(),
            duration(self.second_s),
            time(self.rapier_s),
            times(self.ratio()),
            time(self.mujoco_s),
            time(self.rest_s),
            time(self.rapier_rest_s),
            times(self.rest_ratio()),
            time(self.asleep_s),
            duration(self.worst_s),
            times(self.worst_ratio()),
            self.waits.to_string(),
        ]
    }
}

/// The heads of [`Row::cells`].
pub const HEAD: [&str; 13] = [
    "heap",
    "bodies",
    "a second takes",
    "in rapier",
    "times",
    "in MuJoCo",
    "at rest",
    "in rapier",
    "times",
    "asleep",
    "worst step",
    "times",
    "waits",
];

/// An engine: its name, and its time for a second.
type Engine = (&'static str, fn(&Row) -> Option<f64>);

/// The engines that a plot shows.
const ENGINES: [Engine; 3] = [
    ("Chasles", |row| Some(row.second_s)),
    ("rapier", |row| row.rapier_s),
    ("MuJoCo", |row| row.mujoco_s),
];

/// The rows of a file.
///
/// *Fails* if it cannot be read.
pub fn read(path: &Path) -> Result<Vec<Row>, csv::Error> {
    csv::Reader::from_path(path)?.deserialize().collect()
}

/// The kinds of heaps that grow, in order.
pub fn growing(rows: &[Row]) -> Vec<String> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *sizes.entry(&row.heap).or_default() += 1);
    let mut names: Vec<String> = Vec::new();
    for row in rows.iter().filter(|row| sizes[row.heap.as_str()] > 1) {
        if !names.contains(&row.heap) {
            names.push(row.heap.clone());
        }
    }
    names
}

/// Time for a second over the number of bodies, of one kind of heap in one engine.
fn line(rows: &[Row], heap: &str, time: fn(&Row) -> Option<f64>) -> Vec<[f64; 2]> {
    let of_kind = rows.iter().filter(|row| row.heap == heap);
    of_kind.filter_map(|row| Some([row.bodies as f64, time(row)?])).collect()
}

/// The exponent of growth of one kind of heap in each engine, by least squares over the
/// logarithms; none of fewer than two sizes.
pub fn exponents(rows: &[Row], heap: &str) -> Vec<(&'static str, Option<f64>)> {
    ENGINES.map(|(name, time)| (name, exponent(&line(rows, heap, time)))).to_vec()
}

fn exponent(points: &[[f64; 2]]) -> Option<f64> {
    let logs: Vec<[f64; 2]> = points.iter().map(|point| point.map(f64::ln)).collect();
    let n = logs.len() as f64;
    let mean = |i: usize| logs.iter().map(|point| point[i]).sum::<f64>() / n;
    let [x, y] = [mean(0), mean(1)];
    let spread: f64 = logs.iter().map(|point| (point[0] - x).powi(2)).sum();
    let both: f64 = logs.iter().map(|point| (point[0] - x) * (point[1] - y)).sum();
    (spread > 0.0).then(|| both / spread)
}

/// The row of the table of exponents of one kind of heap.
pub fn exponent_cells(rows: &[Row], heap: &str) -> Vec<String> {
    let all = exponents(rows, heap);
    let cell = |value: &Option<f64>| value.map_or("-".into(), |value| format!("{value:.2}"));
    let names = std::iter::once(heap.to_string());
    names.chain(all.iter().map(|(_, value)| cell(value))).collect()
}

/// The time for a second over the number of bodies, in all engines, on logarithmic axes.
///
/// *Fails* never: the size of the picture is within its limits.
pub fn plot(rows: &[Row], heap: &str) -> Result<Plot, PictureError> {
    let across = Axis::log("bodies");
    let mut plot = Plot::new(Size::new(700, 450)?, across, Axis::log("processor seconds a second"));
    plot.title(&format!("{heap}: the first seconds"));
    for (name, time) in ENGINES {
        let points = line(rows, heap, time);
        if !points.is_empty() {
            plot.series(name, Style::LineAndDots, &points);
        }
    }
    Ok(plot)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(bodies: usize, second_s: f64, rapier_s: Option<f64>) -> Row {
        Row { heap: "pile".into(), bodies, second_s, rapier_s, ..Row::default() }
    }

    #[test]
    fn exponents_are_those_of_powers() {
        let rows = [10, 100, 1000].map(|n| {
            let x = n as f64;
            row(n, 1e-3 * x.powf(1.5), (n > 10).then_some(1e-4 * x))
        });
        let all = exponents(&rows, "pile");
        let close =
            |found: Option<f64>, wanted: f64| found.is_some_and(|v| (v - wanted).abs() < 1e-9);
        assert!(close(all[0].1, 1.5) && close(all[1].1, 1.0), "{all:?}");
        assert_eq!(all[2].1, None);
        assert_eq!(growing(&rows), ["pile"]);
        assert!(growing(&rows[..1]).is_empty());
        let svg = plot(&rows, "pile").expect("a plot").to_svg();
        assert!(svg.contains("Chasles") && svg.contains("rapier") && !svg.contains("MuJoCo"));
    }
}
