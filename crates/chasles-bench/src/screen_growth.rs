//! How the time of a query on the screen grows with its resolution and with the meshes.

use std::path::Path;

use chasles_picture::{Axis, PictureError, Plot, Size, Style};
use serde::{Deserialize, Serialize};

/// What grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Over {
    /// Pixels along a typical short edge.
    Pixels,
    /// Faces of each body.
    Faces,
}

impl Over {
    /// Both, each with the file of its plot in the notes.
    pub const PLOTS: [(Self, &'static str); 2] =
        [(Self::Pixels, "screen-pixels.svg"), (Self::Faces, "screen-faces.svg")];
}

/// One measurement.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Row {
    /// What grows.
    pub over: Over,
    /// Which bodies and which motion.
    pub query: String,
    /// How many pixels or faces.
    pub size: u32,
    /// Median time.
    pub seconds: f64,
}

/// The measurements that a file holds.
///
/// *Fails* if it cannot be read.
pub fn read(path: &Path) -> Result<Vec<Row>, csv::Error> {
    csv::Reader::from_path(path)?.deserialize().collect()
}

/// Time over what grows, on logarithmic axes, a line for each query.
///
/// *Fails* never: the size of the picture is within its limits.
pub fn plot(rows: &[Row], over: Over) -> Result<Plot, PictureError> {
    let size = Size::new(900, 600)?;
    let (name, title) = match over {
        Over::Pixels => ("pixels along a short edge", "Time of a query by resolution"),
        Over::Faces => ("faces of each torus", "Time of a query at 12 pixels by size"),
    };
    let mut plot = Plot::new(size, Axis::log(name), Axis::log("seconds"));
    plot.title(title);
    let shown: Vec<&Row> = rows.iter().filter(|row| row.over == over).collect();
    for line in shown.chunk_by(|p, q| p.query == q.query) {
        let points: Vec<[f64; 2]> =
            line.iter().map(|row| [f64::from(row.size), row.seconds]).collect();
        plot.series(&line[0].query, Style::LineAndDots, &points);
    }
    Ok(plot)
}
