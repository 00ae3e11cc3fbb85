//! The dial of the screen: what finer pixels cost, and what they gain.

use std::path::Path;

use chasles_picture::{Axis, PictureError, Plot, Size, Style};
use serde::{Deserialize, Serialize};

/// One drawing of one query at one resolution.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Row {
    /// Which bodies and which motion.
    pub query: String,
    /// The way of drawing, as on the command line.
    pub drawing: String,
    /// Pixels along a typical short edge.
    pub pixels: u32,
    /// Median time.
    pub seconds: f64,
    /// Pixel records of both bodies.
    pub records: usize,
    /// Pairs of records that were compared.
    pub compared: usize,
    /// Contacts of the exact method that face the motion, and those that the screen shows between
    /// the same features.
    pub facing: usize,
    /// See above.
    pub shown: usize,
    /// The largest and the mean difference of their times, in parts of the step.
    pub worst: f64,
    /// See above.
    pub mean: f64,
    /// Proper contacts of the exact method, and those that nothing matches.
    pub proper: usize,
    /// See above.
    pub missed: usize,
    /// Contacts of the screen that match none of the exact method.
    pub extra: usize,
}

/// The measurements that a file holds.
///
/// *Fails* if it cannot be read.
pub fn read(path: &Path) -> Result<Vec<Row>, csv::Error> {
    csv::Reader::from_path(path)?.deserialize().collect()
}

/// What a plot shows over the pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The time of a query.
    Cost,
    /// The worst time error.
    Error,
}

impl Shown {
    /// Both, each with the file of its plot in the notes.
    pub const PLOTS: [(Self, &'static str); 2] =
        [(Self::Cost, "screen-dial-cost.svg"), (Self::Error, "screen-dial-error.svg")];
}

/// Cost or error of the drawing in pixels over the resolution, on logarithmic axes.
///
/// *Fails* never: the size of the picture is within its limits.
pub fn plot(rows: &[Row], shown: Shown) -> Result<Plot, PictureError> {
    let size = Size::new(900, 600)?;
    let (name, title) = match shown {
        Shown::Cost => ("seconds", "Time of a query drawn in pixels"),
        Shown::Error => ("parts of the step", "Worst error of a time, drawn in pixels"),
    };
    let mut plot = Plot::new(size, Axis::log("pixels along a short edge"), Axis::log(name));
    plot.title(title);
    let drawn: Vec<&Row> = rows.iter().filter(|row| row.drawing == "pixels").collect();
    for line in drawn.chunk_by(|p, q| p.query == q.query) {
        let value = |row: &Row| if shown == Shown::Cost { row.seconds } else { row.worst };
        let points: Vec<[f64; 2]> =
            line.iter().map(|row| [f64::from(row.pixels), value(row)]).collect();
        plot.series(&line[0].query, Style::LineAndDots, &points);
    }
    Ok(plot)
}
