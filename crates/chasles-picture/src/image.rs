//! Finished pixels.

use crate::colour::Colour;
use crate::indexed::Indexed;
use crate::size::Size;

/// A finished picture: opaque pixels, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    size: Size,
    /// Four bytes a pixel; the fourth is always 255.
    rgba: Vec<u8>,
}

impl Image {
    pub(crate) fn filled(size: Size, colour: Colour) -> Self {
        let pixels = size.width() as usize * size.height() as usize;
        let pixel = [colour.r, colour.g, colour.b, 255];
        Self { size, rgba: pixel.repeat(pixels) }
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Four bytes a pixel (red, green, blue, 255), row by row from the top.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    pub(crate) fn rgba_mut(&mut self) -> &mut [u8] {
        &mut self.rgba
    }

    /// Lays another picture over this one, its upper left corner at column `x` and row `y`. What
    /// stands over the border is cut off.
    pub(crate) fn paste(&mut self, other: &Self, [x, y]: [u32; 2]) {
        let [width, from] = [self.size.width(), other.size.width()].map(|w| w as usize);
        let columns = from.min(width.saturating_sub(x as usize));
        let rows = other.size.height().min(self.size.height().saturating_sub(y));
        for row in 0..rows as usize {
            let to = 4 * ((y as usize + row) * width + x as usize);
            let bytes = &other.rgba[4 * row * from..][..4 * columns];
            self.rgba[to..to + bytes.len()].copy_from_slice(bytes);
        }
    }

    /// The colour at column `x` from the left and row `y` from the top, or nothing outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<Colour> {
        if x >= self.size.width() || y >= self.size.height() {
            return None;
        }
        let at = 4 * (y as usize * self.size.width() as usize + x as usize);
        let [r, g, b] = [self.rgba[at], self.rgba[at + 1], self.rgba[at + 2]];
        Some(Colour { r, g, b })
    }

    /// The picture as a PNG file, 8 bits a channel, no transparency.
    pub fn to_png(&self) -> Vec<u8> {
        let rgb: Vec<u8> = self.rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.size.width(), self.size.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(&rgb))
            .expect("memory can be written, and the buffer has the size of the header");
        file
    }

    /// The same with at most 256 colours, in far fewer bytes.
    pub fn to_small_png(&self) -> Vec<u8> {
        let Indexed { pixels, palette } = Indexed::of(&self.rgba);
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.size.width(), self.size.height());
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(palette);
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::NoFilter);
        encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(&pixels))
            .expect("memory can be written, and the buffer has the size of the header");
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_reads_back_as_it_was() {
        let size = Size::new(3, 2).unwrap();
        let image = Image::filled(size, Colour::hex(0x12_34_56));
        let file = image.to_png();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((frame.width, frame.height), (3, 2));
        assert_eq!(pixels, [0x12, 0x34, 0x56].repeat(6));
        assert_eq!(image.pixel(3, 0), None);
    }

    #[test]
    fn a_small_png_shows_the_same() {
        let mut image = Image::filled(Size::new(90, 60).unwrap(), Colour::hex(0xf0_f0_f0));
        image.paste(&Image::filled(Size::new(30, 20).unwrap(), Colour::hex(0x00_72_b2)), [7, 9]);
        let [small, large] = [image.to_small_png(), image.to_png()];
        assert!(small.len() < 1200, "{} bytes; {}", small.len(), large.len());
        let mut decoder = png::Decoder::new(std::io::Cursor::new(&small));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let rgb = image.rgba().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]);
        assert!(pixels.iter().zip(rgb).all(|(p, q)| p.abs_diff(q) <= 3));
    }

    #[test]
    fn a_pasted_picture_is_cut_at_the_border() {
        let [dark, light] = [Colour::hex(0x10_10_10), Colour::hex(0xf0_f0_f0)];
        let mut page = Image::filled(Size::new(4, 3).unwrap(), light);
        page.paste(&Image::filled(Size::new(2, 2).unwrap(), dark), [3, 2]);
        let count = page.rgba().chunks_exact(4).filter(|p| p[0] == 0x10).count();
        assert_eq!((count, page.pixel(3, 2)), (1, Some(dark)));
        page.paste(&Image::filled(Size::new(2, 2).unwrap(), dark), [9, 9]);
    }
}
