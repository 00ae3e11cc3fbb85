//! Measurements as lines: columns of a file over its first one, and their plot.

use std::io;
use std::path::Path;

use chasles_picture::{Axis, PictureError, Plot, Size, Style};

/// The name of a column, and its values over those of the first.
pub type Line = (String, Vec<[f64; 2]>);

/// The lines that a file of numbers holds, one for each column but the first.
///
/// *Fails* if it cannot be read.
pub fn read(path: &Path) -> Result<Vec<Line>, csv::Error> {
    let mut reader = csv::Reader::from_path(path)?;
    let names: Vec<String> = reader.headers()?.iter().skip(1).map(String::from).collect();
    let rows: Vec<Vec<f64>> = reader.deserialize().collect::<Result<_, _>>()?;
    let column = |i: usize| rows.iter().map(|row| [row[0], row[i + 1]]).collect();
    Ok(names.into_iter().enumerate().map(|(i, name)| (name, column(i))).collect())
}

/// Writes lines over the same points, so that [`read`] has them again.
///
/// *Fails* if `out` does.
pub fn write(out: &mut dyn io::Write, first: &str, lines: &[Line]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record([first].into_iter().chain(lines.iter().map(|(name, _)| name.as_str())))?;
    for (i, [across, _]) in lines.first().map_or(&[][..], |(_, points)| points).iter().enumerate() {
        let values = lines.iter().map(|(_, points)| points[i][1]);
        writer.write_record([*across].into_iter().chain(values).map(|x| x.to_string()))?;
    }
    writer.flush()
}

/// What a plot says of its lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Labels {
    /// Above the plot.
    pub title: &'static str,
    /// Below the axis of the first column.
    pub across: &'static str,
    /// Beside the axis of the others.
    pub up: &'static str,
}

/// How many questions a path asks a solid, by precision.
pub const QUESTIONS: Labels = Labels {
    title: "Questions to the solid by precision",
    across: "precision",
    up: "questions for each path",
};

/// What a miss costs, by how near the bodies come.
pub const NEAR: Labels = Labels {
    title: "A miss of two bodies of 69,168 triangles, by its clearance",
    across: "least distance on the way, of a size of about 1",
    up: "seconds",
};

/// How long linkages take, by their links.
pub const LINKAGES: Labels = Labels {
    title: "Fitting and settling a linkage, by its links",
    across: "links",
    up: "seconds",
};

/// All lines on logarithmic axes.
///
/// *Fails* never: the size of the picture is within its limits.
pub fn plot(lines: &[Line], labels: &Labels) -> Result<Plot, PictureError> {
    let size = Size::new(900, 600)?;
    let mut plot = Plot::new(size, Axis::log(labels.across), Axis::log(labels.up));
    plot.title(labels.title);
    for (name, points) in lines {
        plot.series(&name.replace('_', " "), Style::LineAndDots, points);
    }
    Ok(plot)
}

/// The exponent of a line from its first to its last point: 1 where the cost is linear.
pub fn slope(points: &[[f64; 2]]) -> f64 {
    let [first, .., last] = points else { return f64::NAN };
    (last[1] / first[1]).ln() / (last[0] / first[0]).ln()
}
