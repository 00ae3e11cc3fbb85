//! What to look for, how finely, and what can be wrong with that.

use thiserror::Error;

use crate::bounds::Collider;
use crate::screen::rows::records::Order;

/// The size of a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolution {
    /// So many pixels along a typical short edge of the two bodies; see [`typical_edge`].
    Pixels(u32),
    /// A pixel is this long.
    Length(f64),
}

/// How bodies are drawn on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drawing {
    /// What is fastest: pairs where features are few, rows otherwise. Times are those of roots.
    #[default]
    Auto,
    /// The paper's own [Buss04 §9]: Bresenham's pixels, records in rows of one pixel, and times of
    /// edges as the pixels say. Fewer pixels are cheaper and coarser, more are dearer and finer.
    Pixels,
    /// Lines in rows as high as a short edge is long; times are those of roots.
    Rows,
    /// Features are compared pair by pair, by bounds; times are those of roots. Around the axis,
    /// and for faces without an outside, rows are drawn instead.
    Pairs,
}

/// What to look for, and how finely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The size of a pixel: the dial between accuracy and cost.
    pub resolution: Resolution,
    /// How bodies are drawn.
    pub drawing: Drawing,
    /// Curves are followed to this part of the step. `None`: the time in which the fastest point
    /// moves by a pixel. Taken to be at least a millionth and at most a quarter.
    pub time_resolution: Option<f64>,
    /// Contacts with a lower properness are left out; -1 keeps everything.
    pub min_properness: f64,
    /// Report every vertex and face, and every two edges, that come within a pixel, and not only
    /// what crosses [Buss04 §10]: once, at their closest approach and marked as grazing, whether
    /// they approach or not. Nothing is reported that stays farther than two pixels. Seams between
    /// coplanar faces and vertices within a plane are no features.
    pub robust: bool,
    /// By what records of a row are sorted.
    pub order: Order,
    /// Look first with pixels this many times larger, and then only at faces that may meet; 1 looks
    /// once. Kept to reproduce the paper: it was slower in every case measured (`docs/screen.md`,
    /// "What was tried"), since both looks cost about the same, and fewer than some 500 faces are
    /// otherwise not drawn at all.
    pub coarse_first: u32,
    /// Collide boxes around parts of the bodies first, and draw only faces in boxes that meet. The
    /// contacts are the same; on large meshes that meet in few places the cost is far lower. Bodies
    /// around the axis, or across the cut behind it, have no such boxes and are drawn whole.
    pub boxes_first: bool,
    /// Collide a coarse polytope around each body first, and look only where both meet on the
    /// screen [Buss04 §10]. The contacts are the same. For comparison with the paper: boxes alone
    /// are as fast in nearly every case measured (`docs/screen.md`, "Extensions, in pixels").
    pub hull_first: bool,
    /// A query that needs more pixel records than this for a body, has more edges to compare, or in
    /// robust mode more pairs within a pixel, fails: some 52 bytes each.
    pub max_records: usize,
}

impl Default for Options {
    /// The middle of the paper's three resolutions, everything that crosses, and at most 4 million
    /// records a body.
    fn default() -> Self {
        Self {
            resolution: Resolution::Pixels(12),
            drawing: Drawing::Auto,
            time_resolution: None,
            min_properness: -1.0,
            robust: false,
            order: Order::Height,
            coarse_first: 1,
            boxes_first: true,
            hull_first: false,
            max_records: 1 << 22,
        }
    }
}

/// The sizes of pixels and rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// The length of a pixel.
    pub(super) pixel: f64,
    /// How high rows are, in pixels: about as a short edge is long, so that most edges leave one to
    /// three records.
    pub(super) row_height: f32,
}

/// An edge of more pixels than this is too long for singles, and for any number of records.
const MOST_PIXELS: f64 = 1e15;

/// Why a query cannot be answered.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ScreenError {
    /// [`Resolution::Pixels`] of 0.
    #[error("the screen has 0 pixels along a typical edge: at least 1 is needed")]
    NoPixels,
    /// [`Resolution::Length`] that is no length.
    #[error("a pixel of length {0}: it must be finite and above 0")]
    BadLength(f64),
    /// A time resolution that is no time.
    #[error("a time resolution of {0}: it must be finite and above 0")]
    BadTime(f64),
    /// A threshold that is not a number.
    #[error("the least properness is {0}: it must be a number")]
    BadProperness(f64),
    /// The bodies are too large for the pixel.
    #[error(
        "the screen needs more than {limit} records at {pixel} a pixel: choose larger pixels, \
         or allow more records"
    )]
    TooManyRecords {
        /// The most that are allowed.
        limit: usize,
        /// The length of a pixel.
        pixel: f64,
    },
}

impl Options {
    /// The length of a pixel for two bodies.
    ///
    /// *Accepts* any bodies. *Guarantees* a length above 0. *Cost* constant. *Fails* on options
    /// that make no sense.
    pub fn pixel(&self, a: &Collider, b: &Collider) -> Result<f64, ScreenError> {
        Ok(self.grid(a, b)?.pixel)
    }

    /// How sharp times are, if the fastest point takes this long for a pixel.
    pub(super) fn sharpness(&self, per_pixel: f64) -> f32 {
        self.time_resolution.unwrap_or(per_pixel).clamp(1e-6, 0.25) as f32
    }

    /// Pixels and rows for two bodies.
    pub(super) fn grid(&self, a: &Collider, b: &Collider) -> Result<Grid, ScreenError> {
        self.check()?;
        let edges = [typical_edge(a), typical_edge(b)];
        // A lone point has no edges; two of them cannot meet on a screen.
        let edge = edges.into_iter().filter(|e| *e > 0.0).fold(f64::INFINITY, f64::min);
        let edge = if edge.is_finite() { edge } else { 1.0 };
        let pixel = match self.resolution {
            Resolution::Pixels(n) => edge / f64::from(n),
            Resolution::Length(length) => length,
        };
        // Places would have no numbers, and bodies seem to be nowhere.
        if edge / pixel > MOST_PIXELS {
            return Err(ScreenError::TooManyRecords { limit: self.max_records, pixel });
        }
        Ok(Grid { pixel, row_height: (edge / pixel).clamp(1.0, 1e6) as f32 })
    }

    fn check(&self) -> Result<(), ScreenError> {
        let is_positive = |x: f64| x.is_finite() && x > 0.0;
        match self.resolution {
            Resolution::Pixels(0) => return Err(ScreenError::NoPixels),
            Resolution::Length(x) if !is_positive(x) => return Err(ScreenError::BadLength(x)),
            _ => {}
        }
        match self.time_resolution {
            Some(t) if !is_positive(t) => Err(ScreenError::BadTime(t)),
            _ if self.min_properness.is_nan() => {
                Err(ScreenError::BadProperness(self.min_properness))
            }
            _ => Ok(()),
        }
    }
}

/// The length of a typical short edge: a quarter of the edges are shorter. 0 if there are none.
///
/// *Accepts* any body. *Guarantees* an edge of the body. *Cost* constant. *Fails* never; of large
/// meshes 64 edges stand for all.
pub fn typical_edge(body: &Collider) -> f64 {
    body.short_edge()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_options_are_named() {
        let with = |resolution| Options { resolution, ..Options::default() }.check();
        assert_eq!(with(Resolution::Pixels(0)), Err(ScreenError::NoPixels));
        assert_eq!(with(Resolution::Length(-1.0)), Err(ScreenError::BadLength(-1.0)));
        assert!(with(Resolution::Length(f64::NAN)).is_err());
        let time = Options { time_resolution: Some(0.0), ..Options::default() };
        let message = time.check().unwrap_err().to_string();
        assert_eq!(message, "a time resolution of 0: it must be finite and above 0");
        let nan = Options { min_properness: f64::NAN, ..Options::default() };
        assert!(nan.check().is_err());
    }
}
