//! What pictures are drawn on.

use crate::picture::{Animation, Drawing, Format, Image, Size, Still};
use crate::progress::Progress;

/// How large a picture is, and how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// In pixels.
    pub size: Size,
    /// Shaded, or by lines.
    pub drawing: Drawing,
    /// Whether it goes without title, caption and legend.
    pub is_plain: bool,
}

impl Default for Canvas {
    /// A labelled picture for a page.
    fn default() -> Self {
        Self { size: super::size(), drawing: Drawing::default(), is_plain: false }
    }
}

impl Canvas {
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
    /// Draws all frames, several at a time, and puts them together in their order.
    pub(super) fn roll(
        &self,
        size: Size,
        frame: impl Fn(u32) -> Image + Sync,
        progress: &Progress,
    ) -> Vec<u8> {
        use rayon::prelude::*;
        progress.count(u64::from(self.frames), "frames");
        let mut animation = Animation::new(self.format, size, [self.frames, self.fps]);
        let at_once = 2 * rayon::current_num_threads() as u32;
        for first in (0..self.frames).step_by(at_once as usize) {
            let numbers = first..(first + at_once).min(self.frames);
            let images: Vec<Image> = numbers.into_par_iter().map(&frame).collect();
            for image in &images {
                animation.push(image);
                progress.advance();
            }
        }
        animation.finish()
    }
}
