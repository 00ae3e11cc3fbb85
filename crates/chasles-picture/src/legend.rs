//! Rows of keys: a swatch and what it stands for.

use chasles::glam::DVec2;

use crate::colour::{Colour, properness_colour, properness_position};
use crate::svg::{Anchor, Svg, Type, fitted, num, text_width};

/// What stands before a key's text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Swatch {
    /// A filled square: a body.
    Square(Colour),
    /// A short line with SVG's dash pattern (empty: solid), and a dot if the series has points.
    Line { colour: Colour, dashes: String, dots: bool },
    /// A dot: a scatter series.
    Dot(Colour),
    /// The scale of properness with its ticks.
    Properness,
    /// Nothing: the text stands alone.
    Nothing,
}

/// One key of a legend.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub(crate) swatch: Swatch,
    pub(crate) text: String,
}

/// Keys set out in rows.
#[derive(Clone, Debug)]
pub(crate) struct Legend {
    font: f64,
    ink: Colour,
    /// Each key and its place, relative to the legend's upper left corner.
    placed: Vec<(Key, DVec2)>,
    height: f64,
}

impl Legend {
    /// Sets the keys out from left to right in up to `most_rows` rows of up to `width`. A text
    /// that is wider makes all text smaller, and is cut in the end; keys that find no place are
    /// counted. The scale of properness is never left out.
    pub(crate) fn new(
        keys: Vec<Key>,
        [width, font]: [f64; 2],
        ink: Colour,
        most_rows: usize,
    ) -> Self {
        let (scales, mut keys): (Vec<Key>, Vec<Key>) =
            keys.into_iter().partition(|key| key.swatch == Swatch::Properness);
        let all = keys.len();
        keys.truncate(MOST_KEYS);
        let room = |key: &Key| (width - swatch_width(&key.swatch, font) - 0.5 * font).max(1.0);
        let fitted: Vec<_> =
            keys.iter().map(|key| fitted(&key.text, font, false, room(key))).collect();
        let font = fitted.iter().map(|(_, size)| *size).fold(font, f64::min);
        for (key, (text, _)) in keys.iter_mut().zip(fitted) {
            key.text = text;
        }
        let row_height = font * if scales.is_empty() { 1.5 } else { 2.3 };
        let keys = Row { font, width }.keys_that_fit(keys, scales, all, most_rows);
        let places = Row { font, width }.places(&keys);
        let place = |&(row, x): &(usize, f64)| DVec2::new(x, row as f64 * row_height);
        let height = places.last().map_or(0.0, |&(row, _)| (row + 1) as f64 * row_height);
        Self { font, ink, placed: keys.into_iter().zip(places.iter().map(place)).collect(), height }
    }

    /// The height of all rows; 0 without keys.
    pub(crate) fn height(&self) -> f64 {
        self.height
    }

    /// Draws the legend with its upper left corner at `corner`.
    pub(crate) fn draw(&self, svg: &mut Svg, corner: DVec2) {
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
            Swatch::Nothing => {}
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
        for (value, label) in [(-1.0, "-1"), (-0.25, "-¼"), (0.0, "0"), (0.25, "¼"), (1.0, "1")] {
            let x = left + 0.5 * width * (1.0 + properness_position(value));
            let place = DVec2::new(x, at.y + 2.05 * font);
            svg.text(place, label, self.text(0.8 * font, Anchor::Middle));
        }
    }
}

/// More than any few rows hold; the rest need not be measured.
const MOST_KEYS: usize = 200;

/// Rows of keys as wide as `width`.
struct Row {
    font: f64,
    width: f64,
}

impl Row {
    /// The row of each key and its place in it.
    fn places(&self, keys: &[Key]) -> Vec<(usize, f64)> {
        let widths: Vec<f64> = keys.iter().map(|key| self.needed(key)).collect();
        self.set_out(&widths)
    }

    fn needed(&self, key: &Key) -> f64 {
        swatch_width(&key.swatch, self.font) + text_width(&key.text, self.font, false)
    }

    fn set_out(&self, widths: &[f64]) -> Vec<(usize, f64)> {
        let (mut row, mut x) = (0, 0.0);
        let place = |&needed: &f64| {
            if x > 0.0 && x + needed > self.width {
                (row, x) = (row + 1, 0.0);
            }
            let place = (row, x);
            x += needed + 1.6 * self.font;
            place
        };
        widths.iter().map(place).collect()
    }

    /// As many keys as fit, the number of those left out of `all`, and the scales.
    fn keys_that_fit(
        &self,
        mut keys: Vec<Key>,
        scales: Vec<Key>,
        all: usize,
        most_rows: usize,
    ) -> Vec<Key> {
        let more =
            |left: usize| Key { swatch: Swatch::Nothing, text: format!("… and {left} more") };
        let widths = |keys: &[Key]| keys.iter().map(|key| self.needed(key)).collect::<Vec<_>>();
        let [of_keys, of_scales] = [widths(&keys), widths(&scales)];
        let of_more = self.needed(&more(all));
        let fits = |count: usize| {
            let of_more = (count < all).then_some(of_more);
            let widths: Vec<f64> =
                of_keys[..count].iter().copied().chain(of_more).chain(of_scales.clone()).collect();
            self.set_out(&widths).last().is_none_or(|&(row, _)| row < most_rows)
        };
        let count = (0..=keys.len()).rev().find(|&count| fits(count)).unwrap_or(0);
        keys.truncate(count);
        keys.extend((count < all).then(|| more(all - count)));
        keys.extend(scales);
        keys
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
        Swatch::Nothing => 0.0,
    }
}

fn properness_gradient() -> String {
    let stop = |position: f64, value: f64| {
        let colour = properness_colour(value).to_hex();
        format!("<stop offset=\"{}\" stop-color=\"{colour}\"/>", num(0.5 + 0.5 * position))
    };
    // Even steps along the bar, whose scale is the square root of the value, and a step at 0.
    let shares = (0..=8).map(|i| f64::from(i) / 8.0);
    let below = shares.clone().rev().map(|share| stop(-share, -(share * share).max(1e-6)));
    let stops: String = below.chain(shares.map(|share| stop(share, share * share))).collect();
    format!("<linearGradient id=\"properness\">{stops}</linearGradient>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(count: usize) -> Vec<Key> {
        let key = |i| Key { swatch: Swatch::Dot(Colour::hex(0)), text: format!("series {i}") };
        (0..count).map(key).collect()
    }

    fn legend(keys: Vec<Key>, width: f64) -> Legend {
        Legend::new(keys, [width, 16.0], Colour::hex(0), 4)
    }

    #[test]
    fn keys_wrap_into_rows_that_fit() {
        let one = legend(keys(2), 400.0);
        let many = legend(keys(12), 400.0);
        assert!(many.height() > one.height());
        assert!(many.placed.iter().all(|(_, at)| at.x < 400.0 - 60.0));
        assert_eq!(legend(Vec::new(), 400.0).height(), 0.0);
    }

    #[test]
    fn a_key_that_is_too_long_is_set_smaller() {
        let long = Key { swatch: Swatch::Dot(Colour::hex(0)), text: "long ".repeat(100) };
        let legend = legend(vec![long], 300.0);
        assert!(text_width(&legend.placed[0].0.text, legend.font, false) <= 300.0);
        assert!(legend.font > 10.0, "{}", legend.font);
    }

    #[test]
    fn keys_without_room_are_counted_and_the_scale_stays() {
        for count in [30, 1000] {
            let scale = Key { swatch: Swatch::Properness, text: "properness".into() };
            let legend = legend([keys(count), vec![scale]].concat(), 600.0);
            let [.., (more, _), (last, _)] = &legend.placed[..] else {
                panic!("two keys at least")
            };
            assert_eq!(last.swatch, Swatch::Properness);
            assert_eq!(more.text, format!("… and {} more", count + 2 - legend.placed.len()));
            assert!(legend.placed.len() > 6 && legend.height() <= 4.01 * 2.3 * 16.0);
        }
    }
}
