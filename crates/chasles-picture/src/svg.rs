//! A writer of SVG, and its way to pixels.

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use chasles::glam::DVec2;
use resvg::{tiny_skia, usvg};

use crate::colour::Colour;
use crate::image::Image;
use crate::size::Size;

/// Elements drawn at a time: the reader of SVG refuses documents with more than a million.
const ELEMENTS_AT_A_TIME: usize = 50_000;

/// Names of fonts, the embedded one first; a browser takes the first that it has.
const FAMILY: &str = "Noto Sans, DejaVu Sans, Helvetica, Arial, sans-serif";

static READER: LazyLock<usvg::Options> = LazyLock::new(|| {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(notosans::REGULAR_TTF.to_vec());
    fonts.load_font_data(notosans::BOLD_TTF.to_vec());
    usvg::Options { fontdb: Arc::new(fonts), ..usvg::Options::default() }
});

/// Which end of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Type {
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) anchor: Anchor,
    pub(crate) colour: Colour,
}

/// What a document is made of.
#[derive(Clone, Debug)]
enum Element {
    /// Anything, as it is written.
    Shape(String),
    /// A line of text, with the attributes that place it.
    Text { place: String, text: String, look: Type },
}

impl Element {
    /// The element for our own reader, which has the font.
    fn drawn(&self) -> String {
        match self {
            Self::Shape(shape) => shape.clone(),
            Self::Text { place, text, look } => text_element(place, text, *look),
        }
    }

    /// The element for any reader: one that takes another font sets the text as wide as it is in
    /// ours, so that it meets nothing beside it. Numbers with raised signs are short and stay as
    /// they are: readers differ in how wide they make the parts of such a text.
    fn written(&self) -> String {
        let Self::Text { place, text, look } = self else { return self.drawn() };
        let width = text_width(text, look.size, look.bold);
        if width <= 0.0 || text.contains(|c| lowered(c).is_some()) {
            return self.drawn();
        }
        let width = num(width);
        let place = format!("{place} textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\"");
        text_element(&place, text, *look)
    }
}

/// An SVG document under construction, in pixels.
#[derive(Clone, Debug)]
pub(crate) struct Svg {
    size: Size,
    definitions: String,
    elements: Vec<Element>,
}

impl Svg {
    pub(crate) fn new(size: Size) -> Self {
        Self { size, definitions: String::new(), elements: Vec::new() }
    }

    /// Adds something that elements refer to: a gradient, a clip path.
    pub(crate) fn define(&mut self, definition: &str) {
        self.definitions.push_str(definition);
    }

    /// Adds one element on top of those before.
    pub(crate) fn push(&mut self, element: String) {
        self.elements.push(Element::Shape(element));
    }

    /// Adds a line of text whose baseline is at `at`.
    pub(crate) fn text(&mut self, at: DVec2, text: &str, look: Type) {
        self.elements.push(Element::Text { place: place(at), text: text.to_string(), look });
    }

    /// Adds a line of text that runs upwards, its baseline at `at`.
    pub(crate) fn upward_text(&mut self, at: DVec2, text: &str, look: Type) {
        let place = format!("transform=\"translate({} {}) rotate(-90)\"", num(at.x), num(at.y));
        self.elements.push(Element::Text { place, text: text.to_string(), look });
    }

    /// The document, with `backdrop` beneath everything.
    pub(crate) fn document(&self, backdrop: &str) -> String {
        self.wrapped("", backdrop, self.elements.iter().map(Element::written))
    }

    /// The document as a part of another, its upper left corner at `at`.
    pub(crate) fn part(&self, at: DVec2, backdrop: &str) -> String {
        let place = format!("{} ", place(at));
        self.wrapped(&place, backdrop, self.elements.iter().map(Element::written))
    }

    /// Draws everything on an image of the same size.
    pub(crate) fn draw_on(&self, image: &mut Image) {
        for elements in self.elements.chunks(ELEMENTS_AT_A_TIME) {
            let tree = parsed(&self.wrapped("", "", elements.iter().map(Element::drawn)));
            let (width, height) = (self.size.width(), self.size.height());
            let mut pixels = tiny_skia::PixmapMut::from_bytes(image.rgba_mut(), width, height)
                .expect("an image holds four bytes for each pixel of its size");
            resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels);
        }
    }

    fn wrapped(
        &self,
        place: &str,
        backdrop: &str,
        elements: impl Iterator<Item = String>,
    ) -> String {
        let (width, height) = (self.size.width(), self.size.height());
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" \
             xmlns:xlink=\"http://www.w3.org/1999/xlink\" {place}width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n"
        );
        if !self.definitions.is_empty() {
            let _ = writeln!(text, "<defs>{}</defs>", self.definitions);
        }
        text.push_str(backdrop);
        for element in elements {
            text.push_str(&element);
            text.push('\n');
        }
        text.push_str("</svg>\n");
        text
    }
}

fn parsed(document: &str) -> usvg::Tree {
    usvg::Tree::from_str(document, &READER)
        .expect("the writer escapes all text and limits elements, so the document is valid")
}

fn place(at: DVec2) -> String {
    format!("x=\"{}\" y=\"{}\"", num(at.x), num(at.y))
}

fn text_element(place: &str, text: &str, look: Type) -> String {
    let anchor = match look.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let weight = if look.bold { " font-weight=\"bold\"" } else { "" };
    format!(
        "<text {place} font-family=\"{FAMILY}\" font-size=\"{}\"{weight} \
         text-anchor=\"{anchor}\" fill=\"{}\">{}</text>",
        num(look.size),
        look.colour.to_hex(),
        marked_up(text, look.size)
    )
}

/// Escaped text in which raised signs such as those of 10⁻⁶ are ordinary signs, smaller and higher:
/// few fonts have them all, and the embedded one lacks the minus.
fn marked_up(text: &str, size: f64) -> String {
    let mut markup = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c| lowered(c).is_some()) {
        let raised = &rest[start..];
        let end = raised.find(|c| lowered(c).is_none()).unwrap_or(raised.len());
        let plain: String = raised[..end].chars().filter_map(lowered).collect();
        let (shift, small) = (num(0.36 * size), num(0.7 * size));
        let _ = write!(
            markup,
            "{}<tspan dy=\"-{shift}\" font-size=\"{small}\">{plain}</tspan>",
            escaped(&rest[..start])
        );
        rest = &raised[end..];
        let next = rest.find(|c| lowered(c).is_some()).unwrap_or(rest.len());
        if next > 0 {
            let _ = write!(markup, "<tspan dy=\"{shift}\">{}</tspan>", escaped(&rest[..next]));
            rest = &rest[next..];
        }
    }
    markup + &escaped(rest)
}

/// The ordinary sign of a raised one.
fn lowered(c: char) -> Option<char> {
    let plain = match c {
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁰' | '⁴'..='⁹' => char::from(b'0' + (c as u32 - '⁰' as u32) as u8),
        '⁻' => '−',
        _ => return None,
    };
    Some(plain)
}

/// How wide a text is in pixels when set in the embedded font.
pub(crate) fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    // Measured at a fixed size, since widths grow in proportion.
    const MEASURED: f64 = 100.0;
    let look = Type { size: MEASURED, bold, anchor: Anchor::Start, colour: Colour::hex(0) };
    let element = text_element("x=\"0\" y=\"0\"", text, look);
    let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\">";
    let tree = parsed(&format!("{head}{element}</svg>"));
    f64::from(tree.root().abs_bounding_box().right()) * size / MEASURED
}

/// Text is not set smaller than this part of its size: it would be too small to read.
const LEAST_SIZE: f64 = 0.65;

/// More than any picture shows in one line; what follows need not be measured.
const MOST_CHARACTERS: usize = 1000;

/// The text and its size so that it is at most `width` wide: smaller if need be, and then cut with
/// an ellipsis.
pub(crate) fn fitted(text: &str, size: f64, bold: bool, width: f64) -> (String, f64) {
    let end = text.char_indices().nth(MOST_CHARACTERS).map_or(text.len(), |(end, _)| end);
    let natural = text_width(&text[..end], size, bold);
    let least = LEAST_SIZE * size;
    if end == text.len() && natural * LEAST_SIZE <= width {
        let size = if natural > width { size * width / natural } else { size };
        return (text.to_string(), size);
    }
    (cut(&text[..end], least, bold, width), least)
}

/// The longest beginning of the text that fits together with an ellipsis.
pub(crate) fn cut(text: &str, size: f64, bold: bool, width: f64) -> String {
    let ends: Vec<usize> = text.char_indices().map(|(end, _)| end).collect();
    let beginning = |end: usize| format!("{}…", text[..end].trim_end());
    let fits = |&end: &usize| text_width(&beginning(end), size, bold) <= width;
    match ends.partition_point(fits) {
        0 => String::new(),
        count => beginning(ends[count - 1]),
    }
}

/// A number with at most two decimals. Beyond a million pixels all places look alike.
pub(crate) fn num(value: f64) -> String {
    let value = if value.is_nan() { 0.0 } else { value.clamp(-1e6, 1e6) };
    let mut text = format!("{value:.2}");
    text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    if text == "-0" { "0".into() } else { text }
}

/// Text as XML can hold it. Characters that XML forbids are left out, line breaks are spaces.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_first_set_smaller_and_then_cut() {
        let width = |(text, size): &(String, f64)| text_width(text, *size, false);
        assert_eq!(fitted("short", 10.0, false, 300.0), ("short".to_string(), 10.0));
        let smaller = fitted(&"long ".repeat(14), 10.0, false, 300.0);
        assert!(smaller.1 < 10.0 && width(&smaller) <= 300.01 && !smaller.0.contains('…'));
        for count in [200, 20_000] {
            let cut = fitted(&"long ".repeat(count), 10.0, false, 300.0);
            assert!(cut.0.ends_with("long…") || cut.0.ends_with('…'), "{cut:?}");
            assert!(cut.1 == 6.5 && (250.0..=300.0).contains(&width(&cut)), "{cut:?}");
        }
        assert_eq!(fitted("word", 10.0, false, 1.0).0, "");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([1.0, -0.001, 12.345, 1e300].map(num), ["1", "0", "12.35", "1000000"]);
        assert_eq!(num(f64::NAN), "0");
        assert_eq!(num(100.0), "100");
    }

    #[test]
    fn any_text_makes_a_readable_document() {
        let all: String =
            ('\0'..='\u{2ff}').chain(['\u{fffe}', '\u{ffff}', '\u{10ffff}']).collect();
        assert!(text_width(&all, 10.0, false) > 0.0);
        assert_eq!(text_width("", 10.0, true), 0.0);
        assert_eq!(escaped("a<b & \"c\"\u{7}"), "a&lt;b &amp; &quot;c&quot;");
    }

    #[test]
    fn raised_signs_are_small_ordinary_ones() {
        let markup = marked_up("10⁻⁶ & m²", 10.0);
        assert!(markup.starts_with("10<tspan dy=\"-3.6\" font-size=\"7\">−6</tspan>"), "{markup}");
        assert!(markup.ends_with("2</tspan>"), "{markup}");
        assert!(markup.contains(" &amp; m"));
        assert!(text_width("10⁻⁶", 10.0, false) > text_width("10", 10.0, false));
    }

    /// A reader without the font would else set wider text over what stands next to it.
    #[test]
    fn documents_say_how_wide_text_is_and_our_own_pictures_do_not_need_it() {
        let size = Size::new(200, 40).unwrap();
        let ink = Colour::hex(0x11_22_33);
        let look = Type { size: 16.0, bold: true, anchor: Anchor::Start, colour: ink };
        let mut svg = Svg::new(size);
        svg.text(DVec2::new(4.0, 20.0), "torus A", look);
        svg.text(DVec2::new(90.0, 20.0), "10⁻⁶", look);
        svg.upward_text(DVec2::new(190.0, 38.0), "", look);
        let document = svg.document("");
        let width = num(text_width("torus A", 16.0, true));
        assert_eq!(document.matches("textLength").count(), 1, "{document}");
        assert!(document.contains(&format!("textLength=\"{width}\"")), "{document}");
        let [mut own, mut read] = [(); 2].map(|()| Image::filled(size, Colour::hex(0xff_ff_ff)));
        svg.draw_on(&mut own);
        let mut pixels = tiny_skia::PixmapMut::from_bytes(read.rgba_mut(), 200, 40).unwrap();
        resvg::render(&parsed(&document), tiny_skia::Transform::identity(), &mut pixels);
        let differ = own.rgba().iter().zip(read.rgba()).filter(|(p, q)| p.abs_diff(**q) > 48);
        assert!(differ.count() < 40, "the width that is said is the width that it has");
    }

    #[test]
    fn the_font_has_the_signs_that_labels_use() {
        let missing = text_width("\u{e000}", 10.0, false);
        for sign in "−×¼µαθπ°".chars() {
            let width = text_width(&sign.to_string(), 10.0, false);
            assert!(width > 0.0 && width != missing, "{sign}");
        }
    }

    #[test]
    fn more_elements_than_the_reader_takes_at_once_are_all_drawn() {
        let size = Size::new(4, 4).unwrap();
        let mut svg = Svg::new(size);
        for _ in 0..ELEMENTS_AT_A_TIME {
            svg.push("<rect width=\"1\" height=\"1\" fill=\"#ff0000\"/>".into());
        }
        svg.push("<rect x=\"3\" y=\"3\" width=\"1\" height=\"1\" fill=\"#00ff00\"/>".into());
        let mut image = Image::filled(size, Colour::hex(0));
        svg.draw_on(&mut image);
        assert_eq!(image.pixel(0, 0), Some(Colour::hex(0xff_00_00)));
        assert_eq!(image.pixel(3, 3), Some(Colour::hex(0x00_ff_00)));
    }
}
