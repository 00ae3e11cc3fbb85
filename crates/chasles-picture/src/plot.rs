//! Plots of series over linear or logarithmic axes.

use std::fmt::Write;

use chasles::glam::DVec2;

use crate::axis::{Axis, Fitted, Scale, Tick};
use crate::camera::Area;
use crate::colour::{Colour, PALETTE_SIZE, Theme, palette};
use crate::image::Image;
use crate::legend::{Key, Legend, Swatch};
use crate::overlay::{Disc, Overlay, disc};
use crate::size::Size;
use crate::svg::{Anchor, Svg, Type, fitted, num, text_width};

/// Rows of the legend: two dozen series are more than a plot can tell apart.
const MOST_ROWS: usize = 6;

/// Lengths in units of [`Size::unit`].
const MARGIN: f64 = 26.0;
const TITLE: f64 = 27.0;
const FONT: f64 = 20.0;
/// From line to line of a caption, in sizes of the font.
const CAPTION: f64 = 1.45;
const LINE_WIDTH: f64 = 2.8;
const HAIR_WIDTH: f64 = 1.1;
const DOT_WIDTH: f64 = 9.0;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// A line from point to point.
    #[default]
    Line,
    /// A dot at each point.
    Dots,
    /// Both.
    LineAndDots,
    /// A thin line, for drawings of many.
    Hair,
    /// A line of dashes.
    Dashed,
}

impl Style {
    fn has_line(self) -> bool {
        self != Self::Dots
    }

    fn has_dots(self) -> bool {
        matches!(self, Self::Dots | Self::LineAndDots)
    }

    fn width(self) -> f64 {
        if self == Self::Hair { HAIR_WIDTH } else { LINE_WIDTH }
    }
}

#[derive(Clone, Debug)]
struct Series {
    name: String,
    style: Style,
    colour: Colour,
    points: Vec<[f64; 2]>,
}

/// A plot of series over two axes.
///
/// Colours come from [`palette`] in order unless chosen; after seven series the lines are dashed.
/// Points without a place (not finite, or not positive on a log axis) are left out and break the
/// line.
///
/// ```
/// use chasles_picture::{Axis, Plot, Size, Style};
/// let mut plot = Plot::new(Size::new(600, 400)?, Axis::log("faces"), Axis::log("time (s)"));
/// plot.title("Cost of a query").series("exact", Style::LineAndDots, &[[10., 1e-5], [100., 2e-4]]);
/// let svg: String = plot.to_svg();
/// let png: Vec<u8> = plot.render().to_png();
/// # assert!(png.len() > 100 && svg.ends_with("</svg>\n"));
/// # Ok::<(), chasles_picture::PictureError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plot {
    size: Size,
    theme: Theme,
    id: String,
    title: String,
    caption: String,
    x: Axis,
    y: Axis,
    same_unit: bool,
    series: Vec<Series>,
    /// Places and properness of contacts.
    markers: Vec<([f64; 2], f64)>,
}

impl Plot {
    /// An empty plot, light.
    pub fn new(size: Size, x: Axis, y: Axis) -> Self {
        Self {
            size,
            theme: Theme::default(),
            id: "data".to_string(),
            title: String::new(),
            caption: String::new(),
            x,
            y,
            same_unit: false,
            series: Vec::new(),
            markers: Vec::new(),
        }
    }

    /// Chooses the page's colours.
    pub fn theme(&mut self, theme: Theme) -> &mut Self {
        self.theme = theme;
        self
    }

    /// Sets the name of the area of the data in the SVG, by letters, digits and strokes: in one
    /// page each plot has another.
    pub fn id(&mut self, id: &str) -> &mut Self {
        id.clone_into(&mut self.id);
        self
    }

    /// Sets the title; a long one is set smaller.
    pub fn title(&mut self, title: &str) -> &mut Self {
        title.clone_into(&mut self.title);
        self
    }

    /// Sets lines of small print under the title; a long one is set smaller, and then cut.
    pub fn caption(&mut self, caption: &str) -> &mut Self {
        caption.clone_into(&mut self.caption);
        self
    }

    /// Makes a length along one axis the same length along the other, so that shapes keep theirs.
    /// Axes that are not both linear stay as they are.
    pub fn same_unit(&mut self) -> &mut Self {
        self.same_unit = self.x.scale == Scale::Linear && self.y.scale == Scale::Linear;
        self
    }

    /// Adds a series of points `[x, y]`; a series without a name is not in the legend.
    pub fn series(&mut self, name: &str, style: Style, points: &[[f64; 2]]) -> &mut Self {
        self.coloured(name, style, palette(self.series.len()), points)
    }

    /// Adds a series in a colour of its own.
    pub fn coloured(
        &mut self,
        name: &str,
        style: Style,
        colour: Colour,
        points: &[[f64; 2]],
    ) -> &mut Self {
        self.series.push(Series { name: name.to_owned(), style, colour, points: points.to_vec() });
        self
    }

    /// Marks a contact by a disc in the colour of its properness, on top of everything; of several
    /// at one place the most proper is seen. The scale of properness comes with the first. What is
    /// not finite is left out.
    pub fn marker(&mut self, place: [f64; 2], properness: f64) -> &mut Self {
        if place.iter().all(|x| x.is_finite()) {
            self.markers.push((place, properness));
        }
        self
    }

    /// Draws the plot.
    pub fn render(&self) -> Image {
        let mut image = Image::filled(self.size, self.theme.page());
        self.draw().draw_on(&mut image);
        image
    }

    /// The plot as SVG, with text as text. Each series is a group of class `series`.
    pub fn to_svg(&self) -> String {
        let page = self.theme.page().to_hex();
        self.draw().document(&format!("<rect width=\"100%\" height=\"100%\" fill=\"{page}\"/>\n"))
    }

    fn draw(&self) -> Svg {
        let sheet = Sheet::new(self);
        let mut svg = Svg::new(self.size);
        sheet.draw_titles(&mut svg);
        sheet.draw_ticks(&mut svg);
        sheet.draw_frame(&mut svg);
        for index in 0..self.series.len() {
            sheet.draw_series(&mut svg, index);
        }
        let mut markers: Vec<_> = self.markers.iter().collect();
        markers.sort_by(|p, q| p.1.total_cmp(&q.1));
        for &(place, properness) in markers {
            if let Some(at) = sheet.place(place) {
                disc(&mut svg, (self.size, self.theme), at, Disc::plain(properness));
            }
        }
        svg
    }

    /// The height of title and caption.
    fn heading(&self) -> f64 {
        let title = if self.title.is_empty() { 0.0 } else { 1.5 * TITLE };
        let caption = CAPTION * FONT * self.caption.lines().count() as f64;
        (title + caption) * self.size.unit()
    }

    fn keys(&self) -> Vec<Key> {
        let named = self.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty());
        let key = |(index, series): (usize, &Series)| {
            let colour = series.colour;
            let swatch = if series.style.has_line() {
                let dots = series.style.has_dots();
                let dashes = dashes(series.style, index, self.size.unit());
                Swatch::Line { colour, dashes, dots }
            } else {
                Swatch::Dot(colour)
            };
            Key { swatch, text: series.name.clone() }
        };
        let scale = (!self.markers.is_empty()).then(Overlay::properness_key);
        named.map(key).chain(scale).collect()
    }
}

/// The dash pattern of a series: none for the first seven unless asked for, then one that grows.
fn dashes(style: Style, index: usize, unit: f64) -> String {
    match (index / PALETTE_SIZE).max(usize::from(style == Style::Dashed)) {
        0 => String::new(),
        round => {
            let dash = 5.0 * round as f64 * unit;
            // The round ends of lines fill a gap that is no wider than they are.
            let gap = if style == Style::Dashed { 7.0 } else { 4.0 } * unit;
            format!(" stroke-dasharray=\"{} {}\"", num(dash), num(gap))
        }
    }
}

/// The largest area in the middle of another on which ranges of these lengths have the same unit.
fn shrunk(area: Area, spans: DVec2) -> Area {
    let unit = (area.size() / spans).min_element();
    let half = spans * (0.5 * unit);
    let middle = (area.low + area.high) * 0.5;
    Area { low: middle - half, high: middle + half }
}

/// A plot laid out: where the data goes, and what stands around it.
struct Sheet<'a> {
    plot: &'a Plot,
    unit: f64,
    legend: Legend,
    x: Fitted,
    y: Fitted,
    x_ticks: (Vec<Tick>, String),
    y_ticks: (Vec<Tick>, String),
    /// The width of the widest label of the y axis.
    widest: f64,
    area: Area,
}

impl<'a> Sheet<'a> {
    fn new(plot: &'a Plot) -> Self {
        let unit = plot.size.unit();
        let [width, height] = [f64::from(plot.size.width()), f64::from(plot.size.height())];
        let values =
            |i: usize| plot.series.iter().flat_map(move |s| s.points.iter().map(move |p| p[i]));
        let (x, y) = (plot.x.fitted(values(0)), plot.y.fitted(values(1)));
        let legend = Legend::new(
            plot.keys(),
            [(width - 2.0 * MARGIN * unit).max(1.0), FONT * unit],
            plot.theme.ink(),
            MOST_ROWS,
        );
        let top = MARGIN * unit + plot.heading() + legend.height() + 0.4 * FONT * unit;
        let bottom = height - (MARGIN + 3.0 * FONT) * unit;
        let y_ticks = y.ticks((bottom - top) / (3.4 * FONT * unit));
        let label = |tick: &Tick| text_width(&tick.label, FONT * unit, false);
        let widest = y_ticks.0.iter().map(label).fold(0.0, f64::max);
        let left = (MARGIN + 2.1 * FONT) * unit + widest;
        let right = width - (MARGIN + FONT) * unit;
        // In a picture too small for its labels the data keeps a pixel.
        let low = DVec2::new(left, top);
        let mut area = Area { low, high: DVec2::new(right, bottom).max(low + DVec2::ONE) };
        if plot.same_unit {
            area = shrunk(area, DVec2::new(x.span(), y.span()));
        }
        let x_ticks = x.ticks(area.size().x / (5.5 * FONT * unit));
        let y_ticks =
            if plot.same_unit { y.ticks(area.size().y / (3.4 * FONT * unit)) } else { y_ticks };
        Self { plot, unit, legend, x, y, x_ticks, y_ticks, widest, area }
    }

    fn pixel(&self, x: f64, y: f64) -> DVec2 {
        let size = self.area.size();
        DVec2::new(self.area.low.x + x * size.x, self.area.high.y - y * size.y)
    }

    fn font(&self, anchor: Anchor) -> Type {
        Type { size: FONT * self.unit, bold: false, anchor, colour: self.plot.theme.ink() }
    }

    fn draw_titles(&self, svg: &mut Svg) {
        let plot = self.plot;
        let margin = MARGIN * self.unit;
        let top = margin + plot.heading();
        if !plot.title.is_empty() {
            let room = f64::from(plot.size.width()) - 2.0 * margin;
            let (title, size) = fitted(&plot.title, TITLE * self.unit, true, room);
            let look = Type { size, bold: true, ..self.font(Anchor::Start) };
            svg.text(DVec2::new(margin, margin + 0.8 * TITLE * self.unit), &title, look);
        }
        let lines = plot.caption.lines().count();
        for (line, below) in plot.caption.lines().zip((0..lines).rev()) {
            let room = f64::from(plot.size.width()) - 2.0 * margin;
            let (line, size) = fitted(line, FONT * self.unit, false, room);
            let look = Type { size, ..self.font(Anchor::Start) };
            let y = top - (0.5 + CAPTION * below as f64) * FONT * self.unit;
            svg.text(DVec2::new(margin, y), &line, look);
        }
        self.legend.draw(svg, DVec2::new(margin, top));
        let middle = (self.area.low + self.area.high) * 0.5;
        let size = self.area.size();
        let label = |text: &str, room: f64| {
            let (text, size) = fitted(text, FONT * self.unit, false, room);
            (text, Type { size, ..self.font(Anchor::Middle) })
        };
        // A title may be wider than a narrow area, but not leave the page.
        let beside = middle.x.min(f64::from(plot.size.width()) - middle.x) - margin;
        let room = size.x.max(2.0 * beside);
        let (x, look) = label(&with_factor(&plot.x.title, &self.x_ticks.1), room);
        let bottom = self.area.high.y + 3.0 * FONT * self.unit;
        svg.text(DVec2::new(middle.x, bottom), &x, look);
        let (y, look) = label(&with_factor(&plot.y.title, &self.y_ticks.1), size.y);
        let left = self.area.low.x - self.widest - 1.4 * FONT * self.unit;
        let at = DVec2::new(left, middle.y);
        svg.upward_text(at, &y, look);
    }

    fn draw_ticks(&self, svg: &mut Svg) {
        let label_gap = 0.55 * FONT * self.unit;
        let [mut grid, mut small] = [String::new(), String::new()];
        let Area { low, high } = self.area;
        for tick in &self.x_ticks.0 {
            let x = self.pixel(tick.place, 0.0).x;
            let path = if tick.label.is_empty() { &mut small } else { &mut grid };
            let _ = write!(path, "M{} {}V{}", num(x), num(low.y), num(high.y));
            let at = DVec2::new(x, high.y + label_gap + 0.8 * FONT * self.unit);
            self.draw_label(svg, at, tick, Anchor::Middle);
        }
        for tick in &self.y_ticks.0 {
            let y = self.pixel(0.0, tick.place).y;
            let path = if tick.label.is_empty() { &mut small } else { &mut grid };
            let _ = write!(path, "M{} {}H{}", num(low.x), num(y), num(high.x));
            let at = DVec2::new(low.x - label_gap, y + 0.36 * FONT * self.unit);
            self.draw_label(svg, at, tick, Anchor::End);
        }
        let colour = self.plot.theme.grid();
        self.stroke(svg, &small, colour, 0.6);
        self.stroke(svg, &grid, colour, 1.5);
    }

    fn draw_label(&self, svg: &mut Svg, at: DVec2, tick: &Tick, anchor: Anchor) {
        if !tick.label.is_empty() {
            svg.text(at, &tick.label, self.font(anchor));
        }
    }

    fn draw_frame(&self, svg: &mut Svg) {
        let Area { low, high } = self.area;
        let path = format!("M{} {}V{}H{}", num(low.x), num(low.y), num(high.y), num(high.x));
        self.stroke(svg, &path, self.plot.theme.ink(), 1.6);
        // Room for half a line, so that data along the frame is not cut lengthwise.
        let room = DVec2::splat(0.5 * DOT_WIDTH * self.unit);
        let [corner, size] = [low - room, self.area.size() + room * 2.0];
        svg.define(&format!(
            "<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>",
            self.plot.id,
            num(corner.x),
            num(corner.y),
            num(size.x),
            num(size.y)
        ));
    }

    fn stroke(&self, svg: &mut Svg, path: &str, colour: Colour, width: f64) {
        if !path.is_empty() {
            let (colour, width) = (colour.to_hex(), num(width * self.unit));
            svg.push(format!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
            ));
        }
    }

    /// A series is one group of at most two paths, however many points it has.
    fn draw_series(&self, svg: &mut Svg, index: usize) {
        let series = &self.plot.series[index];
        let mut group = format!(
            "<g class=\"series\" clip-path=\"url(#{})\" fill=\"none\" stroke=\"{}\" \
             stroke-linejoin=\"round\" stroke-linecap=\"round\">",
            self.plot.id,
            series.colour.to_hex()
        );
        if series.style.has_line() {
            let width = num(series.style.width() * self.unit);
            let path = self.line_path(&series.points);
            let dashes = dashes(series.style, index, self.unit);
            let _ = write!(group, "<path d=\"{path}\" stroke-width=\"{width}\"{dashes}/>");
        }
        if series.style.has_dots() {
            let (path, width) = (self.dot_path(&series.points), num(DOT_WIDTH * self.unit));
            let _ = write!(group, "<path d=\"{path}\" stroke-width=\"{width}\"/>");
        }
        svg.push(group + "</g>");
    }

    fn place(&self, point: [f64; 2]) -> Option<DVec2> {
        Some(self.pixel(self.x.place(point[0])?, self.y.place(point[1])?))
    }

    fn line_path(&self, points: &[[f64; 2]]) -> String {
        let mut path = String::new();
        let mut command = 'M';
        for &point in points {
            match self.place(point) {
                Some(at) => {
                    let _ = write!(path, "{command}{} {}", num(at.x), num(at.y));
                    command = 'L';
                }
                None => command = 'M',
            }
        }
        path
    }

    /// Segments without length, whose round ends are dots.
    fn dot_path(&self, points: &[[f64; 2]]) -> String {
        let dot = |at: DVec2| format!("M{} {}h0", num(at.x), num(at.y));
        points.iter().filter_map(|&point| self.place(point)).map(dot).collect()
    }
}

fn with_factor(title: &str, factor: &str) -> String {
    match (title.is_empty(), factor.is_empty()) {
        (_, true) => title.to_owned(),
        (true, false) => factor.to_owned(),
        (false, false) => format!("{title}  [{factor}]"),
    }
}
