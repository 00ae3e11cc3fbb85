//! Several stills under one title.

use chasles::glam::DVec2;

use crate::colour::{Colour, Theme};
use crate::image::Image;
use crate::legend::{Key, Swatch};
use crate::overlay::Overlay;
use crate::size::Size;
use crate::still::Still;
use crate::svg::Svg;

/// Room for the title of a panel and its margins, in pixels.
const TITLE: f64 = 60.0;

/// Stills set out in rows, with one title and one legend for all.
///
/// *Accepts* up to [`Panels::MOST`] stills; further ones are left out. *Guarantees* equal sizes,
/// and as many columns as show the stills largest. A page with room to spare is made lower.
///
/// ```
/// use chasles_picture::{Panels, Size, Still};
/// let mut panels = Panels::new(Size::new(600, 400)?, 2, 1.0);
/// panels.title("Two moments");
/// for name in ["before", "after"] {
///     let mut still = Still::new(panels.panel());
///     still.title(name);
///     panels.push(still);
/// }
/// assert!(panels.to_svg().contains("after") && panels.render().to_png().len() > 100);
/// # Ok::<(), chasles_picture::PictureError>(())
/// ```
pub struct Panels<'a> {
    size: Size,
    theme: Theme,
    count: usize,
    aspect: f64,
    title: String,
    caption: String,
    keys: Vec<Key>,
    stills: Vec<Still<'a>>,
}

impl<'a> Panels<'a> {
    /// The most panels: more would be too small to see.
    pub const MOST: usize = 12;

    /// A page of at most this size for `count` stills, light. What they show is `aspect` times as
    /// wide as high.
    pub fn new(size: Size, count: usize, aspect: f64) -> Self {
        Self {
            size,
            theme: Theme::default(),
            count: count.clamp(1, Self::MOST),
            aspect: if aspect.is_finite() { aspect.clamp(0.1, 10.0) } else { 1.0 },
            title: String::new(),
            caption: String::new(),
            keys: Vec::new(),
            stills: Vec::new(),
        }
    }

    /// Sets the title of the page.
    pub fn title(&mut self, title: &str) -> &mut Self {
        title.clone_into(&mut self.title);
        self
    }

    /// Sets a line of small print under the title.
    pub fn caption(&mut self, caption: &str) -> &mut Self {
        caption.clone_into(&mut self.caption);
        self
    }

    /// Adds a body's colour to the legend.
    pub fn body_key(&mut self, colour: Colour, text: &str) -> &mut Self {
        self.keys.push(Key { swatch: Swatch::Square(colour), text: text.to_owned() });
        self
    }

    /// Adds the scale of properness to the legend.
    pub fn properness_key(&mut self) -> &mut Self {
        self.keys.push(Overlay::properness_key());
        self
    }

    /// The size that a still must have; known once title, caption and keys are set.
    pub fn panel(&self) -> Size {
        let [columns, rows] = self.grid();
        let area = self.overlay().area().size();
        let side = |length: f64, count: u32| ((length / f64::from(count)) as u32).max(1);
        Size::new(side(area.x, columns), side(area.y, rows))
            .expect("a part of a picture within the limits is within them")
    }

    /// Adds a still of the size [`Panels::panel`].
    pub fn push(&mut self, still: Still<'a>) -> &mut Self {
        if self.stills.len() < self.count {
            self.stills.push(still);
        }
        self
    }

    /// Draws the page.
    pub fn render(&self) -> Image {
        let mut image = Image::filled(self.page(), self.theme.page());
        for (still, at) in self.stills.iter().zip(self.corners()) {
            image.paste(&still.render(), [at.x as u32, at.y as u32]);
        }
        self.text().draw_on(&mut image);
        image
    }

    /// The page as SVG: the bodies as embedded images, markers and text as shapes and text.
    pub fn to_svg(&self) -> String {
        let parts = self.stills.iter().zip(self.corners());
        let parts: String = parts.map(|(still, at)| still.to_svg_part(at)).collect();
        let page = self.theme.page().to_hex();
        let backdrop = format!("<rect width=\"100%\" height=\"100%\" fill=\"{page}\"/>\n{parts}");
        self.text().document(&backdrop)
    }

    fn text(&self) -> Svg {
        let mut svg = Svg::new(self.page());
        self.overlay().draw_text(&mut svg);
        svg
    }

    fn overlay(&self) -> Overlay<'_> {
        self.overlay_on(self.page())
    }

    fn overlay_on(&self, size: Size) -> Overlay<'_> {
        Overlay::new(size, self.theme, [&self.title, &self.caption], &self.keys)
    }

    /// The size of the page without rows of nothing at its foot.
    fn page(&self) -> Size {
        let area = self.overlay_on(self.size).area().size();
        let [columns, rows] = self.grid();
        let height = area.x / f64::from(columns) / self.aspect + TITLE;
        let spare = (area.y - f64::from(rows) * height).clamp(0.0, 0.5 * area.y);
        Size::new(self.size.width(), self.size.height() - spare as u32).unwrap_or(self.size)
    }

    /// Columns and rows that show the stills largest; of equal ones the fewest columns.
    fn grid(&self) -> [u32; 2] {
        let area = self.overlay_on(self.size).area().size();
        let grid = |columns: u32| [columns, (self.count as u32).div_ceil(columns)];
        let height = |[columns, rows]: [u32; 2]| {
            let wide = area.x / f64::from(columns) / self.aspect;
            wide.min(area.y / f64::from(rows) - TITLE)
        };
        let better =
            |best: [u32; 2], next: [u32; 2]| if height(next) > height(best) { next } else { best };
        (1..=self.count as u32).map(grid).reduce(better).unwrap_or([1, 1])
    }

    /// The upper left corners of the panels, row by row, in whole pixels.
    fn corners(&self) -> impl Iterator<Item = DVec2> {
        let [columns, _] = self.grid();
        let panel = self.panel();
        let low = self.overlay().area().low.floor();
        (0..self.count as u32).map(move |i| {
            let [column, row] = [i % columns, i / columns];
            low + DVec2::new(f64::from(column * panel.width()), f64::from(row * panel.height()))
        })
    }
}
