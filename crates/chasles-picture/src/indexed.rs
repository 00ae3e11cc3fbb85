//! Few colours for many: what a GIF can show of a frame.
//!
//! The colours of a frame, cut to six bits a channel, are put into a box, and the longest box is
//! halved until there are as many as the format has colours. So no colour is far from one that is
//! shown, however few pixels have it: discs and scales are small, and their colours are what they
//! say.

use std::collections::BTreeMap;

/// The colours that a frame of a GIF has, but for the transparent one.
const MOST: usize = 255;

/// What the transparent colour is called.
pub(crate) const TRANSPARENT: u8 = 255;

/// Pixels as numbers of colours.
pub(crate) struct Indexed {
    /// One for each pixel.
    pub(crate) pixels: Vec<u8>,
    /// Three bytes for each colour, the transparent one last.
    pub(crate) palette: Vec<u8>,
}

/// A colour cut to six bits a channel, and all pixels that have it.
struct Shade {
    key: [u8; 3],
    sum: [u64; 3],
    count: u64,
}

impl Indexed {
    /// The colours of pixels of four bytes, of which those with a fourth of 0 are transparent.
    pub(crate) fn of(rgba: &[u8]) -> Self {
        let pixels = || rgba.chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]]);
        let mut shades: BTreeMap<[u8; 3], Shade> = BTreeMap::new();
        for [r, g, b, _] in pixels().filter(|p| p[3] != 0) {
            let key = cut([r, g, b]);
            let shade = shades.entry(key).or_insert(Shade { key, sum: [0; 3], count: 0 });
            shade.count += 1;
            for (sum, channel) in shade.sum.iter_mut().zip([r, g, b]) {
                *sum += u64::from(channel);
            }
        }
        let boxes = boxes(shades.into_values().collect());
        let mut palette: Vec<u8> = boxes.iter().flat_map(|shades| shown(shades)).collect();
        palette.resize(3 * (MOST + 1), 0);
        let mut numbers = BTreeMap::new();
        for (number, shades) in boxes.iter().enumerate() {
            numbers.extend(shades.iter().map(|shade| (shade.key, number as u8)));
        }
        let number = |[r, g, b, a]: [u8; 4]| match a {
            0 => TRANSPARENT,
            _ => numbers.get(&cut([r, g, b])).copied().unwrap_or_default(),
        };
        Self { pixels: pixels().map(number).collect(), palette }
    }
}

fn cut(colour: [u8; 3]) -> [u8; 3] {
    colour.map(|channel| channel >> 2)
}

/// Halves the longest box until there are enough.
fn boxes(shades: Vec<Shade>) -> Vec<Vec<Shade>> {
    let mut boxes = vec![shades];
    while boxes.len() < MOST {
        let sides = boxes.iter().map(|shades| longest(shades)).enumerate();
        let Some((number, (channel, [low, high]))) = sides.max_by_key(|(_, (_, [l, h]))| h - l)
        else {
            break;
        };
        if low == high {
            break;
        }
        let middle = low + (high - low) / 2;
        let whole = std::mem::take(&mut boxes[number]);
        let (lower, upper) = whole.into_iter().partition(|shade| shade.key[channel] <= middle);
        boxes[number] = lower;
        boxes.push(upper);
    }
    boxes
}

/// The longest side of the box around some shades: its channel and its ends.
fn longest(shades: &[Shade]) -> (usize, [u8; 2]) {
    let side = |channel: usize| {
        let keys = || shades.iter().map(|shade| shade.key[channel]);
        (channel, [keys().min().unwrap_or(0), keys().max().unwrap_or(0)])
    };
    let longer = |p: (usize, [u8; 2]), q: (usize, [u8; 2])| {
        if q.1[1] - q.1[0] > p.1[1] - p.1[0] { q } else { p }
    };
    (1..3).map(side).fold(side(0), longer)
}

/// The colour that shows a box: that of its commonest shade, so that the page keeps its own.
fn shown(shades: &[Shade]) -> [u8; 3] {
    let commonest = shades.iter().max_by_key(|shade| shade.count);
    commonest.map_or([0; 3], |shade| shade.sum.map(|sum| (sum / shade.count.max(1)) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::Colour;

    /// A colour of a palette.
    fn colour(palette: &[u8], number: u8) -> Colour {
        let at = 3 * usize::from(number);
        Colour { r: palette[at], g: palette[at + 1], b: palette[at + 2] }
    }

    #[test]
    fn rare_colours_are_kept_among_many_others() {
        let mut rgba: Vec<u8> = Vec::new();
        for i in 0..200_000u32 {
            rgba.extend([(i % 97) as u8, 100 + (i % 53) as u8, 200 + (i % 41) as u8, 255]);
        }
        rgba.extend([0x6a, 0x1b, 0x7a, 255, 9, 9, 9, 0]);
        let Indexed { pixels, palette } = Indexed::of(&rgba);
        let shown = colour(&palette, pixels[200_000]);
        let off = [shown.r.abs_diff(0x6a), shown.g.abs_diff(0x1b), shown.b.abs_diff(0x7a)];
        assert!(off.iter().all(|&off| off < 8), "{shown:?}");
        assert_eq!((pixels[200_001], palette.len()), (TRANSPARENT, 768));
        for (pixel, rgba) in pixels.iter().zip(rgba.chunks_exact(4)).take(200_000) {
            let Colour { r, g, b } = colour(&palette, *pixel);
            let off = [(r, rgba[0]), (g, rgba[1]), (b, rgba[2])].map(|(p, q)| p.abs_diff(q));
            assert!(off.iter().all(|&off| off < 24), "{rgba:?} is shown as {r} {g} {b}");
        }
    }

    #[test]
    fn few_colours_stay_as_they_are() {
        let rgba = [10, 20, 30, 255, 200, 100, 50, 255, 10, 20, 30, 255];
        let Indexed { pixels, palette } = Indexed::of(&rgba);
        assert_eq!(pixels[0], pixels[2]);
        assert_eq!(colour(&palette, pixels[1]), Colour { r: 200, g: 100, b: 50 });
        assert!(Indexed::of(&[]).pixels.is_empty());
    }
}
