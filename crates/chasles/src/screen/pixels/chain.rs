//! The pixels of a curve one after the other, for pictures [Buss04, Fig. 14].

use super::run::{Bresenham, Run};
use crate::screen::drawing::pieces::{Paper, Piece};
use crate::screen::place::axes::Dot;

/// A picture shows no more pixels of one curve.
const MOST: usize = 1 << 20;

/// The pixels of a row of places, given in pixels, as whole numbers along `r` and `h`: each touches
/// the one before.
pub(in crate::screen) fn chain(places: &[[f32; 2]]) -> Vec<[i32; 2]> {
    let mut pixels = Vec::new();
    let mut runs = Vec::new();
    for ends in places.windows(2) {
        let [from, to] = [ends[0], ends[1]];
        let dot = |[rho, h]: [f32; 2]| Dot { rho, h, t: 0.0 };
        runs.clear();
        let piece = Piece { sub: 0, ends: [dot(from), dot(to)], vertices: [None; 2] };
        if !Bresenham::everywhere(MOST, &mut runs).put(&piece) || pixels.len() > MOST {
            break;
        }
        let is_rising = from[0] <= to[0];
        if !is_rising {
            runs.reverse();
        }
        for run in &runs {
            append(&mut pixels, run, from[1] <= to[1]);
        }
    }
    pixels
}

/// Appends a run, by growing `h` or backwards, but for a pixel that is there already.
fn append(pixels: &mut Vec<[i32; 2]>, run: &Run, is_up: bool) {
    let row = Bresenham::row_of(run);
    for i in 0..=run.high - run.low {
        let h = if is_up { run.low + i } else { run.high - i };
        if pixels.last() != Some(&[row, h]) {
            pixels.push([row, h]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_of_a_curve_touch_each_other() {
        let mut number = 0.0_f32;
        let mut next = || {
            number += 1.7;
            9.0 * (number * number).sin()
        };
        for _ in 0..500 {
            let places = [(); 5].map(|()| [next(), next()]);
            let pixels = chain(&places);
            for pair in pixels.windows(2) {
                let [p, q] = [pair[0], pair[1]];
                let apart = (p[0] - q[0]).abs().max((p[1] - q[1]).abs());
                assert_eq!(apart, 1, "{pixels:?} of {places:?}");
            }
            let ends = [places[0], places[4]].map(|place| place.map(|x| (x + 0.5).floor() as i32));
            for (end, pixel) in ends.iter().zip([pixels[0], pixels[pixels.len() - 1]]) {
                let apart = (end[0] - pixel[0]).abs().max((end[1] - pixel[1]).abs());
                assert!(apart <= 1, "{pixel:?} for {end:?}");
            }
        }
    }
}
