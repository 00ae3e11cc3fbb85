//! How many questions a path asks a solid, by precision.

use std::path::Path;

use chasles_cli::picture::{self, Axis, PictureError, Plot, Style};

/// A kind of path, and its questions by precision.
pub type Line = (String, Vec<[f64; 2]>);

/// The measurements that a file holds: the name of each column, and its questions by precision.
///
/// *Fails* if it cannot be read.
pub fn read(path: &Path) -> Result<Vec<Line>, csv::Error> {
    let mut reader = csv::Reader::from_path(path)?;
    let names: Vec<String> = reader.headers()?.iter().skip(1).map(String::from).collect();
    let rows: Vec<Vec<f64>> = reader.deserialize().collect::<Result<_, _>>()?;
    let column = |i: usize| rows.iter().map(|row| [row[0], row[i + 1]]).collect();
    Ok(names.into_iter().enumerate().map(|(i, name)| (name, column(i))).collect())
}

/// Questions over precision, on logarithmic axes, a line for each kind of path.
///
/// *Fails* never: the size of the picture is within its limits.
pub fn plot(lines: &[Line]) -> Result<Plot, PictureError> {
    let size = picture::Size::new(900, 600)?;
    let mut plot = Plot::new(size, Axis::log("precision"), Axis::log("questions for each path"));
    plot.title("Questions to the solid by precision");
    for (name, points) in lines {
        plot.series(&name.replace('_', " "), Style::LineAndDots, points);
    }
    Ok(plot)
}
