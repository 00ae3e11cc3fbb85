//! What pictures are drawn on.

use std::path::Path;

use chasles_picture::{Animation, Drawing, Format, Image, Size, Still};

use crate::progress::Progress;

/// Width and height in pixels of small pictures: three of them are some 100 KB.
const SMALL: [u32; 2] = [720, 480];

/// Width and height in pixels: fits a page, and a PNG stays below 300 KB.
const SIZE: [u32; 2] = [1200, 800];

/// How large a picture is, and how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// In pixels.
    pub size: Size,
    /// Shaded, or by lines.
    pub drawing: Drawing,
    /// Whether it goes without title, caption and legend.
    pub is_plain: bool,
    /// Whether a PNG has few colours, and so few bytes.
    pub has_few_colours: bool,
}

fn size() -> Size {
    Size::new(SIZE[0], SIZE[1]).expect("the size is within its limits")
}

impl Default for Canvas {
    /// A labelled picture for a page.
    fn default() -> Self {
        Self { size: size(), drawing: Drawing::default(), is_plain: false, has_few_colours: false }
    }
}

impl Canvas {
    /// A labelled picture for a page that has many.
    pub(crate) fn small() -> Self {
        let size = Size::new(SMALL[0], SMALL[1]).expect("the size is within its limits");
        Self { size, has_few_colours: true, ..Self::default() }
    }

    /// The picture as SVG if `path` ends so, and as PNG otherwise.
    pub(super) fn bytes(
        &self,
        path: &Path,
        svg: impl FnOnce() -> String,
        image: impl FnOnce() -> Image,
    ) -> Vec<u8> {
        match path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
            true => svg().into_bytes(),
            false if self.has_few_colours => image().to_small_png(),
            false => image().to_png(),
        }
    }

    /// An empty picture.
    pub(super) fn still<'a>(&self) -> Still<'a> {
        let mut still = Still::new(self.size);
        still.drawing(self.drawing);
        if self.is_plain {
            still.plain();
        }
        still
    }
}

/// How an animation runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reel {
    /// The format of the file.
    pub format: Format,
    /// Frames a second.
    pub fps: u32,
    /// How many frames.
    pub frames: u32,
}

impl Reel {
    /// Draws all frames, several at a time, and puts them together in their order; one may be
    /// held for a while.
    pub(super) fn roll(
        &self,
        size: Size,
        (frame, held): (impl Fn(u32) -> Image + Sync, Option<u32>),
        progress: &Progress,
    ) -> Vec<u8> {
        use rayon::prelude::*;
        progress.count(u64::from(self.frames), "frames");
        let mut animation = Animation::new(self.format, size, [self.frames, self.fps]);
        let at_once = 2 * rayon::current_num_threads() as u32;
        for first in (0..self.frames).step_by(at_once as usize) {
            let numbers = first..(first + at_once).min(self.frames);
            let images: Vec<(u32, Image)> =
                numbers.into_par_iter().map(|number| (number, frame(number))).collect();
            for (number, image) in &images {
                if held == Some(*number) {
                    animation.hold();
                }
                animation.push(image);
                progress.advance();
            }
        }
        animation.finish()
    }
}
