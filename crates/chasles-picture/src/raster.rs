//! Fills polygons and draws lines with a depth test.
//!
//! Each pixel is the mean of 4 x 4 samples. The picture is made in bands of a few rows, so that the
//! samples of a band are all the memory needed. The depth kept is `1/z`, which is linear across
//! the picture on a plane and on a segment; the background is at 0.
//!
//! Lines lie on the surfaces that they border, so comparing depths alone would show them in bits.
//! A sample of a line is therefore also shown where one of the line's own faces is on top.

use std::ops::Range;

use chasles::glam::DVec2;

use crate::colour::Colour;
use crate::image::Image;
use crate::size::Size;

/// Samples along each side of a pixel.
pub(crate) const SAMPLES: usize = 4;

/// Pixels in a band: its samples take 4 MB, and a band of a common width has some 20 rows, enough
/// to share the set-up of a polygon.
const BAND_PIXELS: usize = 1 << 14;

/// How much nearer, in proportion, a line is taken to be than it is. Above the rounding of depths
/// and the slope of faces across half a line; below the thickness of a body that should hide it.
const LINE_LIFT: f64 = 1e-3;

/// How much nearer a translucent face must be to show, so that a ghost in the place of a solid body
/// does not flicker.
const GHOST_LIFT: f64 = 1e-6;

/// The mark of a sample that no face covers.
const NO_FACE: u32 = u32::MAX;

/// A filled polygon. Coordinates here and below are in samples.
#[derive(Clone, Debug)]
pub(crate) struct Face {
    pub(crate) corners: Vec<DVec2>,
    /// Coefficients of `1/z = a x + b y + c`.
    pub(crate) inverse_depth: [f64; 3],
    /// Lowest and highest `1/z` of the corners.
    pub(crate) depth_range: [f64; 2],
    pub(crate) colour: Colour,
    /// Names the face to its edges.
    pub(crate) id: u32,
}

/// A line with round ends; a dot when the ends are one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) ends: [DVec2; 2],
    pub(crate) inverse_depths: [f64; 2],
    pub(crate) radius: f64,
    pub(crate) colour: Colour,
    /// The faces that the line borders.
    pub(crate) faces: [Option<u32>; 2],
}

/// Faces and lines that hide each other; what is translucent is so as a whole.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    pub(crate) faces: Vec<Face>,
    pub(crate) lines: Vec<Line>,
    pub(crate) opacity: f64,
}

/// The solid layer on a page, and then each translucent one over it, in order.
pub(crate) fn drawn(size: Size, page: Colour, solid: &Layer, ghosts: &[Layer]) -> Image {
    let mut image = Image::filled(size, page);
    let [width, height] = [size.width() as usize, size.height() as usize];
    let most_rows = (BAND_PIXELS / width).max(1);
    let [mut band, mut over] = [0, 1].map(|_| Band::new(width * SAMPLES));
    let samples = [width * SAMPLES, height * SAMPLES];
    let windows: Vec<Window> = ghosts.iter().map(|ghost| Window::around(ghost, samples)).collect();
    for top in (0..height).step_by(most_rows) {
        let rows = most_rows.min(height - top);
        let rows_of_band = top * SAMPLES..(top + rows) * SAMPLES;
        let all = Window { columns: 0..samples[0], rows: rows_of_band.clone() };
        band.begin(rows_of_band.clone(), page);
        band.clear(&all, page);
        band.draw(solid, None);
        over.begin(rows_of_band, page);
        for (ghost, window) in ghosts.iter().zip(&windows) {
            let window = window.within(&all.rows);
            over.clear(&window, page);
            if !window.is_empty() {
                over.draw(ghost, Some(&band));
            }
            band.blend(&over, &window, ghost.opacity);
        }
        band.average_into(&mut image.rgba_mut()[4 * top * width..4 * (top + rows) * width]);
    }
    image
}

/// A rectangle of samples. A picture has as many ghosts as bodies, each much smaller than it.
#[derive(Clone, Debug)]
struct Window {
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Window {
    /// All samples that a layer may touch, in a picture of so many columns and rows.
    fn around(layer: &Layer, [columns, rows]: [usize; 2]) -> Self {
        let corners = layer.faces.iter().flat_map(|face| &face.corners).map(|&p| [p, p]);
        let lines = layer.lines.iter().flat_map(|line| {
            line.ends.map(|p| [p - DVec2::splat(line.radius), p + DVec2::splat(line.radius)])
        });
        let none = [DVec2::INFINITY, DVec2::NEG_INFINITY];
        let join = |[low, high]: [DVec2; 2], [p, q]: [DVec2; 2]| [low.min(p), high.max(q)];
        let [low, high] = corners.chain(lines).fold(none, join);
        // One more on all sides for the rounding of crossings.
        let [low, high] = [low - DVec2::ONE, high + DVec2::ONE];
        Self { columns: centres(low.x, high.x, 0..columns), rows: centres(low.y, high.y, 0..rows) }
    }

    /// The part in some rows.
    fn within(&self, rows: &Range<usize>) -> Self {
        let start = self.rows.start.clamp(rows.start, rows.end);
        let end = self.rows.end.clamp(start, rows.end);
        Self { columns: self.columns.clone(), rows: start..end }
    }

    fn is_empty(&self) -> bool {
        self.columns.is_empty() || self.rows.is_empty()
    }
}

#[derive(Clone, Copy)]
struct Sample {
    inverse_depth: f64,
    face: u32,
    colour: Colour,
    is_line: bool,
}

impl Sample {
    /// The page, with nothing on it.
    fn empty(page: Colour) -> Self {
        Self { inverse_depth: 0.0, face: NO_FACE, colour: page, is_line: false }
    }
}

struct Band {
    width: usize,
    rows: Range<usize>,
    samples: Vec<Sample>,
}

impl Band {
    fn new(width: usize) -> Self {
        Self { width, rows: 0..0, samples: Vec::new() }
    }

    /// Makes this a band of other rows, with anything on it; the memory stays.
    fn begin(&mut self, rows: Range<usize>, page: Colour) {
        self.samples.resize(self.width * rows.len(), Sample::empty(page));
        self.rows = rows;
    }

    /// Where the samples of a window are, row by row; it lies in the band.
    fn places(&self, window: &Window) -> impl Iterator<Item = Range<usize>> + use<> {
        let Window { columns, rows } = window.clone();
        let (first, width) = (self.rows.start, self.width);
        rows.map(move |row| {
            let start = (row - first) * width;
            start + columns.start..start + columns.end
        })
    }

    fn clear(&mut self, window: &Window, page: Colour) {
        for places in self.places(window) {
            self.samples[places].fill(Sample::empty(page));
        }
    }

    fn draw(&mut self, layer: &Layer, behind: Option<&Self>) {
        let mut crossings = Vec::new();
        for face in &layer.faces {
            let ys = || face.corners.iter().map(|c| c.y);
            let [low, high] = [ys().fold(f64::MAX, f64::min), ys().fold(f64::MIN, f64::max)];
            for row in self.rows_within(low, high) {
                find_crossings(&face.corners, row as f64 + 0.5, &mut crossings);
                for span in crossings.chunks_exact(2) {
                    self.fill(face, row, [span[0], span[1]], behind);
                }
            }
        }
        for line in &layer.lines {
            let [low, high] =
                [line.ends[0].y.min(line.ends[1].y), line.ends[0].y.max(line.ends[1].y)];
            for row in self.rows_within(low - line.radius, high + line.radius) {
                self.draw_line_in_row(line, row, behind);
            }
        }
    }

    /// The rows of the band whose centres lie in `low..high`.
    fn rows_within(&self, low: f64, high: f64) -> Range<usize> {
        centres(low, high, self.rows.clone())
    }

    /// Fills a span of a row where the face is in front.
    fn fill(&mut self, face: &Face, row: usize, span: [f64; 2], behind: Option<&Self>) {
        let [a, b, c] = face.inverse_depth;
        let in_row = b * (row as f64 + 0.5) + c;
        let start = (row - self.rows.start) * self.width;
        for x in centres(span[0], span[1], 0..self.width) {
            let depth = a * (x as f64 + 0.5) + in_row;
            // A face seen almost edge-on has steep coefficients; its corners bound the truth.
            let depth = depth.clamp(face.depth_range[0], face.depth_range[1]);
            let hidden = behind
                .is_some_and(|b| depth < b.samples[start + x].inverse_depth * (1.0 + GHOST_LIFT));
            let sample = &mut self.samples[start + x];
            if !hidden && depth > sample.inverse_depth {
                *sample = Sample {
                    inverse_depth: depth,
                    face: face.id,
                    colour: face.colour,
                    is_line: false,
                };
            }
        }
    }

    /// Draws the samples of a row that are within `radius` of the segment.
    fn draw_line_in_row(&mut self, line: &Line, row: usize, behind: Option<&Self>) {
        let [p, q] = line.ends;
        let along = q - p;
        let length_sq = along.length_squared();
        let y = row as f64 + 0.5;
        let start = (row - self.rows.start) * self.width;
        let [low, high] = x_range(line, y);
        for x in centres(low, high, 0..self.width) {
            let from_p = DVec2::new(x as f64 + 0.5, y) - p;
            let t = if length_sq > 0.0 { from_p.dot(along) / length_sq } else { 0.0 };
            let t = t.clamp(0.0, 1.0);
            if (from_p - along * t).length_squared() > line.radius * line.radius {
                continue;
            }
            let [d0, d1] = line.inverse_depths;
            let depth = d0 + (d1 - d0) * t;
            let lifted = depth * (1.0 + LINE_LIFT);
            let hidden = behind.is_some_and(|b| lifted < b.samples[start + x].inverse_depth);
            let sample = &mut self.samples[start + x];
            let own = sample.face != NO_FACE && line.faces.contains(&Some(sample.face));
            if !hidden && (own || lifted >= sample.inverse_depth) {
                sample.colour = line.colour;
                sample.is_line = true;
                sample.inverse_depth = sample.inverse_depth.max(depth);
            }
        }
    }

    /// Lays a window of a translucent band over this one. Lines are thin and would vanish, so they
    /// are made less translucent than faces.
    fn blend(&mut self, over: &Self, window: &Window, opacity: f64) {
        let [face, line] = [opacity, opacity.sqrt()].map(|part| (part * 256.0).round() as u32);
        for places in self.places(window) {
            let above = &over.samples[places.clone()];
            for (below, above) in self.samples[places].iter_mut().zip(above) {
                if above.inverse_depth > 0.0 {
                    let part = if above.is_line { line } else { face };
                    below.colour = blended(below.colour, above.colour, part);
                }
            }
        }
    }

    /// Writes the mean of each pixel's samples, four bytes a pixel.
    fn average_into(&self, rgba: &mut [u8]) {
        const COUNT: u32 = (SAMPLES * SAMPLES) as u32;
        let columns = self.width / SAMPLES;
        for (i, pixel) in rgba.chunks_exact_mut(4).enumerate() {
            let corner = i / columns * SAMPLES * self.width + i % columns * SAMPLES;
            let mut sum = [COUNT / 2; 3];
            for row in 0..SAMPLES {
                let from = corner + row * self.width;
                for Sample { colour, .. } in &self.samples[from..from + SAMPLES] {
                    sum[0] += u32::from(colour.r);
                    sum[1] += u32::from(colour.g);
                    sum[2] += u32::from(colour.b);
                }
            }
            pixel[..3].copy_from_slice(&sum.map(|s| (s / COUNT) as u8));
        }
    }
}

/// `part` of 256 parts of `above`, the rest of `below`; [`Colour::mix`] in whole numbers, since
/// every sample under a ghost goes through it.
fn blended(below: Colour, above: Colour, part: u32) -> Colour {
    let one = |p: u8, q: u8| ((u32::from(p) * (256 - part) + u32::from(q) * part + 128) >> 8) as u8;
    Colour { r: one(below.r, above.r), g: one(below.g, above.g), b: one(below.b, above.b) }
}

/// The numbers `i` of `within` with `low <= i + 1/2 < high`.
fn centres(low: f64, high: f64, within: Range<usize>) -> Range<usize> {
    // Conversion from a float saturates, so places far outside are safe.
    let first = ((low - 0.5).ceil() as usize).clamp(within.start, within.end);
    let end = ((high - 0.5).ceil() as usize).clamp(first, within.end);
    first..end
}

/// Where the outline crosses the height `y`, sorted. Each edge is read from its lower end, so that
/// two faces at one edge agree to the last bit and leave no crack.
fn find_crossings(corners: &[DVec2], y: f64, crossings: &mut Vec<f64>) {
    crossings.clear();
    for (i, &p) in corners.iter().enumerate() {
        let q = corners[(i + 1) % corners.len()];
        if (p.y <= y) != (q.y <= y) {
            let (low, high) = if p.y < q.y { (p, q) } else { (q, p) };
            crossings.push(low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y)));
        }
    }
    crossings.sort_unstable_by(f64::total_cmp);
}

/// Bounds on x of the samples at height `y` that are within `radius` of the segment.
fn x_range(line: &Line, y: f64) -> [f64; 2] {
    let [p, q] = line.ends;
    let rise = q.y - p.y;
    let (t0, t1) = if rise == 0.0 {
        (0.0, 1.0)
    } else {
        let t = [(y - line.radius - p.y) / rise, (y + line.radius - p.y) / rise];
        (t[0].min(t[1]).clamp(0.0, 1.0), t[0].max(t[1]).clamp(0.0, 1.0))
    };
    let x = [p.x + (q.x - p.x) * t0, p.x + (q.x - p.x) * t1];
    [x[0].min(x[1]) - line.radius, x[0].max(x[1]) + line.radius]
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Colour = Colour::hex(0xff_00_00);
    const BLUE: Colour = Colour::hex(0x00_00_ff);
    const WHITE: Colour = Colour::hex(0xff_ff_ff);

    fn face(corners: &[(f64, f64)], depth: f64, colour: Colour) -> Face {
        let samples = SAMPLES as f64;
        let corners = corners.iter().map(|&(x, y)| DVec2::new(x, y) * samples).collect();
        let inverse_depth = [0.0, 0.0, 1.0 / depth];
        Face { corners, inverse_depth, depth_range: [1.0 / depth; 2], colour, id: 0 }
    }

    fn on_white(solid: Layer, ghosts: &[Layer]) -> Image {
        drawn(Size::new(20, 40).unwrap(), WHITE, &solid, ghosts)
    }

    fn layer(faces: Vec<Face>) -> Layer {
        Layer { faces, lines: Vec::new(), opacity: 0.5 }
    }

    #[test]
    fn a_concave_polygon_keeps_its_notch() {
        let letter = [
            (0., 0.),
            (20., 0.),
            (20., 40.),
            (15., 40.),
            (15., 10.),
            (5., 10.),
            (5., 40.),
            (0., 40.),
        ];
        let image = on_white(layer(vec![face(&letter, 1.0, RED)]), &[]);
        assert_eq!([(2, 30), (17, 30), (10, 5)].map(|(x, y)| image.pixel(x, y)), [Some(RED); 3]);
        assert_eq!(image.pixel(10, 30), Some(WHITE));
    }

    #[test]
    fn the_nearer_face_wins_in_any_order() {
        let far = face(&[(0., 0.), (20., 0.), (20., 20.)], 2.0, RED);
        let near = face(&[(0., 0.), (20., 0.), (20., 20.)], 1.0, BLUE);
        for faces in [vec![far.clone(), near.clone()], vec![near, far]] {
            assert_eq!(on_white(layer(faces), &[]).pixel(15, 5), Some(BLUE));
        }
    }

    #[test]
    fn a_pixel_that_is_half_covered_is_half_coloured() {
        let half = face(&[(0., 0.), (5.5, 0.), (5.5, 40.), (0., 40.)], 1.0, RED);
        let image = on_white(layer(vec![half]), &[]);
        assert_eq!(image.pixel(5, 20), Some(Colour::hex(0xff_80_80)));
    }

    #[test]
    fn ghosts_are_translucent_and_hidden_by_solids() {
        let left = [(0., 0.), (10., 0.), (10., 40.), (0., 40.)];
        let all = [(0., 0.), (20., 0.), (20., 40.), (0., 40.)];
        let ghost = layer(vec![face(&all, 2.0, RED), face(&all, 3.0, BLUE)]);
        let image = on_white(layer(vec![face(&left, 1.0, BLUE)]), &[ghost]);
        assert_eq!(image.pixel(5, 20), Some(BLUE));
        assert_eq!(image.pixel(15, 20), Some(Colour::hex(0xff_80_80)));
    }

    #[test]
    fn lines_far_outside_cost_and_draw_nothing() {
        let end = DVec2::splat(1e15);
        let ends = [end, end * 2.0];
        let line =
            Line { ends, inverse_depths: [1.0; 2], radius: 4.0, colour: RED, faces: [None; 2] };
        let image = on_white(Layer { lines: vec![line], ..Layer::default() }, &[]);
        assert!(image.rgba().iter().all(|&byte| byte == 255));
    }
    /// Each ghost counts with its own samples only, wherever it is.
    #[test]
    fn ghosts_are_laid_over_their_own_place() {
        let place = |x: f64, y: f64| {
            let corners = [(x, y), (x + 3.0, y), (x + 3.0, y + 3.0), (x, y + 3.0)];
            layer(vec![face(&corners, 1.0, RED)])
        };
        let end = |x: f64| DVec2::new(x, 120.0);
        let line = Line {
            ends: [end(40.0), end(72.0)],
            inverse_depths: [1.0; 2],
            radius: 6.0,
            colour: BLUE,
            faces: [None; 2],
        };
        let stroke = Layer { lines: vec![line], opacity: 0.25, ..Layer::default() };
        let far = place(1e9, -1e9);
        let ghosts = [place(-2.0, -2.0), far, place(5.0, 5.0), place(6.0, 6.0), stroke];
        let image = on_white(Layer::default(), &ghosts);
        let is_seen = |x: i32, y: i32| {
            let pixel = image.pixel(x as u32, y as u32);
            pixel.is_some_and(|pixel| pixel != WHITE)
        };
        for (x, y) in (0..20).flat_map(|x| (0..40).map(move |y| (x, y))) {
            let in_square = [-2, 5, 6]
                .iter()
                .any(|&from| (from..from + 3).contains(&x) && (from..from + 3).contains(&y));
            let [x_off, y_off] = [x.clamp(10, 18) - x, y - 30];
            let near_line = x_off * x_off + y_off * y_off <= 5;
            assert!(is_seen(x, y) == in_square || near_line, "{x} {y}");
        }
        assert!(is_seen(14, 30), "the line");
        assert_eq!(image.pixel(7, 7), Some(Colour::hex(0xff_40_40)), "two ghosts");
    }
    /// Hundreds of ghosts cost as much as their samples, not hundreds of pictures.
    #[test]
    fn the_window_of_a_ghost_is_as_large_as_the_ghost() {
        let corners = [(5.0, 5.0), (8.0, 5.0), (8.0, 8.0), (5.0, 8.0)];
        let ghost = layer(vec![face(&corners, 1.0, RED)]);
        let Window { columns, rows } = Window::around(&ghost, [2000, 1000]);
        assert_eq!((columns, rows), (19..33, 19..33));
        let far = layer(vec![face(&[(-9.0, -9.0), (-8.0, -9.0), (-8.0, -8.0)], 1.0, RED)]);
        assert!(Window::around(&far, [2000, 1000]).is_empty());
        assert!(Window::around(&Layer::default(), [2000, 1000]).is_empty());
    }
}
