//! Pictures that move, as GIF or APNG.

use std::borrow::Cow;
use std::path::Path;

use crate::image::Image;
use crate::indexed::{Indexed, TRANSPARENT};
use crate::size::Size;

/// How much longer the last frame stays, so that one sees how it ends, and one that is held.
const MORE_SECONDS: u32 = 1;

/// Frames a second at most: those of a GIF stay for a hundredth of a second at least.
const FASTEST: u32 = 100;

/// The formats of animations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 256 colours a frame; every program shows it.
    Gif,
    /// All colours; browsers show it.
    Apng,
}

impl Format {
    /// The format that a file name ends in; none of those of stills.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?;
        if ending.eq_ignore_ascii_case("gif") {
            Some(Self::Gif)
        } else if ending.eq_ignore_ascii_case("apng") {
            Some(Self::Apng)
        } else {
            None
        }
    }
}

/// An animation under construction: frames of one size, shown over and over.
///
/// *Accepts* as many frames as were announced, all of one size. *Guarantees* the same bytes for the
/// same frames. Of each frame only the rectangle that differs from the one before is written, and
/// what is the same in it stays as it was. *Cost* of the pixels; memory of two frames and the file;
/// of an APNG also of all rectangles, uncompressed, until it is finished.
///
/// ```
/// use chasles_picture::{Animation, Format, Size, Still};
/// let still = Still::new(Size::new(60, 40)?);
/// let mut animation = Animation::new(Format::Gif, Size::new(60, 40)?, [2, 20]);
/// animation.push(&still.render());
/// animation.push(&still.render());
/// assert!(animation.finish().starts_with(b"GIF89a"));
/// # Ok::<(), chasles_picture::PictureError>(())
/// ```
pub struct Animation {
    encoder: Encoder,
    size: Size,
    fps: u32,
    /// How many frames are still to come.
    left: u32,
    before: Option<Image>,
    /// Whether the next frame stays longer.
    is_held: bool,
}

enum Encoder {
    Gif(Box<gif::Encoder<Vec<u8>>>),
    /// The pieces of frames; the file is written at the end, when all are known.
    Apng(Vec<Piece>),
}

/// A rectangle of a frame.
struct Piece {
    at: [u32; 2],
    size: [u32; 2],
    rgba: Vec<u8>,
    /// Whether it stays longer.
    is_held: bool,
}

impl Animation {
    /// An animation of this many frames, and so many a second: 1 to 100, as GIF has it.
    pub fn new(format: Format, size: Size, [frames, fps]: [u32; 2]) -> Self {
        let encoder = match format {
            Format::Gif => {
                // A side has at most 8192 pixels.
                let [width, height] = [size.width(), size.height()].map(|side| side as u16);
                let mut encoder = gif::Encoder::new(Vec::new(), width, height, &[])
                    .expect("memory can be written");
                encoder.set_repeat(gif::Repeat::Infinite).expect("memory can be written");
                Encoder::Gif(Box::new(encoder))
            }
            Format::Apng => Encoder::Apng(Vec::new()),
        };
        let fps = fps.clamp(1, FASTEST);
        Self { encoder, size, fps, left: frames, before: None, is_held: false }
    }

    /// Lets the next frame stay a second longer, as the last one does.
    pub fn hold(&mut self) {
        self.is_held = true;
    }

    /// Adds a frame.
    pub fn push(&mut self, image: &Image) {
        self.left = self.left.saturating_sub(1);
        let is_held = std::mem::take(&mut self.is_held) || self.left == 0;
        let piece = Piece::of(self.before.as_ref(), image, is_held);
        match &mut self.encoder {
            Encoder::Gif(encoder) => {
                encoder.write_frame(&piece.gif(self.fps)).expect("memory can be written");
            }
            Encoder::Apng(pieces) => pieces.push(piece),
        }
        self.before = Some(image.clone());
    }

    /// The file.
    pub fn finish(self) -> Vec<u8> {
        match self.encoder {
            Encoder::Gif(encoder) => encoder.into_inner().expect("memory can be written"),
            Encoder::Apng(pieces) => {
                apng(self.size, self.fps, &pieces).expect("memory can be written")
            }
        }
    }
}

impl Piece {
    /// What differs from the frame before; where nothing does, a corner. Pixels that stay are
    /// transparent.
    fn of(before: Option<&Image>, image: &Image, is_held: bool) -> Self {
        let [width, height] = [image.size().width(), image.size().height()];
        let Some(before) = before else {
            let rgba = image.rgba().to_vec();
            return Self { at: [0, 0], size: [width, height], rgba, is_held };
        };
        let differs = |x: u32, y: u32| image.pixel(x, y) != before.pixel(x, y);
        let (mut low, mut high) = ([width, height], [0, 0]);
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            if differs(x, y) {
                (low, high) =
                    ([low[0].min(x), low[1].min(y)], [high[0].max(x + 1), high[1].max(y + 1)]);
            }
        }
        if high == [0, 0] {
            (low, high) = ([0, 0], [1, 1]);
        }
        let mut rgba = Vec::new();
        for (x, y) in (low[1]..high[1]).flat_map(|y| (low[0]..high[0]).map(move |x| (x, y))) {
            match image.pixel(x, y).filter(|_| differs(x, y)) {
                Some(colour) => rgba.extend([colour.r, colour.g, colour.b, 255]),
                None => rgba.extend([0; 4]),
            }
        }
        Self { at: low, size: [high[0] - low[0], high[1] - low[1]], rgba, is_held }
    }

    fn gif(&self, fps: u32) -> gif::Frame<'static> {
        // Both are sides of a picture of at most 8192 pixels.
        let [width, height] = self.size.map(|side| side as u16);
        let [left, top] = self.at.map(|place| place as u16);
        let Indexed { pixels, palette } = Indexed::of(&self.rgba);
        let hundredths = 100 / fps + if self.is_held { 100 * MORE_SECONDS } else { 0 };
        gif::Frame {
            left,
            top,
            delay: hundredths as u16,
            dispose: gif::DisposalMethod::Keep,
            buffer: Cow::Owned(pixels),
            palette: Some(palette),
            transparent: Some(TRANSPARENT),
            width,
            height,
            ..gif::Frame::default()
        }
    }
}

fn apng(size: Size, fps: u32, pieces: &[Piece]) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, size.width(), size.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_animated(pieces.len().max(1) as u32, 0)?;
    encoder.set_frame_delay(1, fps as u16)?;
    encoder.set_blend_op(png::BlendOp::Over)?;
    encoder.set_dispose_op(png::DisposeOp::None)?;
    let mut writer = encoder.write_header()?;
    for piece in pieces {
        writer.reset_frame_position()?;
        writer.set_frame_dimension(piece.size[0], piece.size[1])?;
        writer.set_frame_position(piece.at[0], piece.at[1])?;
        let frames = 1 + if piece.is_held { fps * MORE_SECONDS } else { 0 };
        writer.set_frame_delay(frames as u16, fps as u16)?;
        writer.write_image_data(&piece.rgba)?;
    }
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Still;

    /// Nothing is set aside for frames that may never come, and no delay is cut off or 0.
    #[test]
    fn any_numbers_of_frames_make_a_file() {
        let size = Size::new(8, 8).expect("some pixels");
        for numbers in [[u32::MAX, u32::MAX], [0, 0], [1, 70_000]] {
            for format in [Format::Gif, Format::Apng] {
                let mut animation = Animation::new(format, size, numbers);
                assert!((1..=FASTEST).contains(&animation.fps), "{numbers:?}");
                animation.hold();
                animation.push(&Still::new(size).render());
                assert!(animation.finish().len() > 30);
            }
        }
    }
}
