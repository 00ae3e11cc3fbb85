//! Rows of keys: a swatch and what it stands for.

use chasles::glam::DVec2;

use super::colour::{Colour, properness_colour, properness_position};
use super::svg::{Anchor, Svg, Type, fitting_size, num, text_width};

/// What stands before a key's text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Swatch {
    /// A filled square: a body.
    Square(Colour),
    /// A short line with SVG's dash pattern (empty: solid), and a dot if the series has points.
    Line { colour: Colour, dashes: String, dots: bool },
    /// A dot: a scatter series.
    Dot(Colour),
    /// The scale of properness with its ticks.
    Properness,
}

/// One key of a legend.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    pub(super) swatch: Swatch,
    pub(super) text: String,
}

/// Keys set out in rows.
#[derive(Clone, Debug)]
pub(super) struct Legend {
    font: f64,
    ink: Colour,
    /// Each key and its place, relative to the legend's upper left corner.
    placed: Vec<(Key, DVec2)>,
    height: f64,
}

impl Legend {
    /// Sets the keys out from left to right in rows up to `width` wide. A key wider than that
    /// makes all text smaller.
    pub(super) fn new(keys: Vec<Key>, width: f64, font: f64, ink: Colour) -> Self {
        let fit = |key: &Key| {
            let room = (width - swatch_width(&key.swatch, font) - 0.5 * font).max(1.0);
            fitting_size(&key.text, font, false, room)
        };
        let font = keys.iter().map(fit).fold(font, f64::min);
        let row_height =
            if keys.iter().any(|k| k.swatch == Swatch::Properness) { 2.3 } else { 1.5 };
        let mut at = DVec2::ZERO;
        let mut placed = Vec::with_capacity(keys.len());
        for key in keys {
            let needed = swatch_width(&key.swatch, font) + text_width(&key.text, font, false);
            if at.x > 0.0 && at.x + needed > width {
                at = DVec2::new(0.0, at.y + row_height * font);
            }
            placed.push((key, at));
            at.x += needed + 1.6 * font;
        }
        let height = if placed.is_empty() { 0.0 } else { at.y + row_height * font };
        Self { font, ink, placed, height }
    }

    /// The height of all rows; 0 without keys.
    pub(super) fn height(&self) -> f64 {
        self.height
    }

    /// Draws the legend with its upper left corner at `corner`.
    pub(super) fn draw(&self, svg: &mut Svg, corner: DVec2) {
        for (key, place) in &self.placed {
            let at = corner + *place;
            self.draw_swatch(svg, &key.swatch, at);
            let text = at + DVec2::new(swatch_width(&key.swatch, self.font), 1.1 * self.font);
            svg.text(text, &key.text, self.text(self.font, Anchor::Start));
        }
    }

    fn text(&self, size: f64, anchor: Anchor) -> Type {
        Type { size, bold: false, anchor, colour: self.ink }
    }

    fn draw_swatch(&self, svg: &mut Svg, swatch: &Swatch, at: DVec2) {
        let font = self.font;
        let [x, y] = [at.x, at.y + 0.75 * font];
        match swatch {
            Swatch::Square(colour) => svg.push(format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\" rx=\"{3}\" fill=\"{4}\"/>",
                num(x),
                num(y - 0.42 * font),
                num(0.84 * font),
                num(0.15 * font),
                colour.to_hex()
            )),
            Swatch::Line { colour, dashes, dots } => {
                let end = x + 1.7 * font;
                svg.push(format!(
                    "<path d=\"M{} {}H{}\" stroke=\"{}\" stroke-width=\"{}\"{dashes}/>",
                    num(x),
                    num(y),
                    num(end),
                    colour.to_hex(),
                    num(0.14 * font)
                ));
                if *dots {
                    self.dot(svg, DVec2::new(0.5 * (x + end), y), *colour);
                }
            }
            Swatch::Dot(colour) => self.dot(svg, DVec2::new(x + 0.4 * font, y), *colour),
            Swatch::Properness => self.draw_properness(svg, at),
        }
    }

    fn dot(&self, svg: &mut Svg, at: DVec2, colour: Colour) {
        let (x, y, radius) = (num(at.x), num(at.y), num(0.26 * self.font));
        let fill = colour.to_hex();
        svg.push(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>"));
    }

    /// A bar from -1 to 1 in the colours of the markers, with ticks beneath.
    fn draw_properness(&self, svg: &mut Svg, at: DVec2) {
        let font = self.font;
        svg.define(&properness_gradient());
        let (width, left) = (SCALE_WIDTH * font, at.x + 0.7 * font);
        svg.push(format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"url(#properness)\" \
             stroke=\"{}\" stroke-width=\"{}\"/>",
            num(left),
            num(at.y + 0.4 * font),
            num(width),
            num(0.7 * font),
            self.ink.to_hex(),
            num(0.05 * font)
        ));
        for (value, label) in [(-1.0, "−1"), (-0.25, "−¼"), (0.0, "0"), (0.25, "¼"), (1.0, "1")]
        {
            let x = left + 0.5 * width * (1.0 + properness_position(value));
            let place = DVec2::new(x, at.y + 2.05 * font);
            svg.text(place, label, self.text(0.8 * font, Anchor::Middle));
        }
    }
}

/// Length of the bar of properness, in font sizes.
const SCALE_WIDTH: f64 = 9.0;

fn swatch_width(swatch: &Swatch, font: f64) -> f64 {
    font * match swatch {
        Swatch::Square(_) => 1.25,
        Swatch::Line { .. } => 2.1,
        Swatch::Dot(_) => 1.1,
        Swatch::Properness => SCALE_WIDTH + 1.9,
    }
}

fn properness_gradient() -> String {
    let stop = |i: i32| {
        // Even steps along the bar, whose scale is the square root of the value.
        let position = f64::from(i) / 8.0;
        let colour = properness_colour((position * position).copysign(position)).to_hex();
        format!("<stop offset=\"{}\" stop-color=\"{colour}\"/>", num(0.5 + 0.5 * position))
    };
    let stops: String = (-8..=8).map(stop).collect();
    format!("<linearGradient id=\"properness\">{stops}</linearGradient>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(count: usize) -> Vec<Key> {
        let key = |i| Key { swatch: Swatch::Dot(Colour::hex(0)), text: format!("series {i}") };
        (0..count).map(key).collect()
    }

    #[test]
    fn keys_wrap_into_rows_that_fit() {
        let one = Legend::new(keys(2), 400.0, 16.0, Colour::hex(0));
        let many = Legend::new(keys(12), 400.0, 16.0, Colour::hex(0));
        assert!(many.height() > one.height());
        assert!(many.placed.iter().all(|(_, at)| at.x < 400.0 - 60.0));
        assert_eq!(Legend::new(Vec::new(), 400.0, 16.0, Colour::hex(0)).height(), 0.0);
    }

    #[test]
    fn a_key_that_is_too_long_is_set_smaller() {
        let long = Key { swatch: Swatch::Dot(Colour::hex(0)), text: "long ".repeat(100) };
        let legend = Legend::new(vec![long], 300.0, 16.0, Colour::hex(0));
        assert!(text_width(&legend.placed[0].0.text, legend.font, false) <= 300.0);
    }
}
