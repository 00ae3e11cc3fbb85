//! How long linkages take, by the number of their links.

use chasles_cli::picture::{self, Axis, PictureError, Plot, Style};

use crate::precision::Line;

/// Seconds over links, on logarithmic axes, a line for each kind of linkage.
///
/// *Fails* never: the size of the picture is within its limits.
pub fn plot(lines: &[Line]) -> Result<Plot, PictureError> {
    let size = picture::Size::new(900, 600)?;
    let mut plot = Plot::new(size, Axis::log("links"), Axis::log("seconds"));
    plot.title("Fitting and settling a linkage, by its links");
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
