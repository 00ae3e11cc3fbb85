//! Curves of a screen as whole numbers, on a grid as fine as there is room for.
//!
//! Where curves would take too many bytes, their points go to a coarser grid, what becomes the same
//! is drawn once, and pieces that follow each other become one curve again: as [`super::thin`] does
//! with meshes.

use std::collections::BTreeMap;

use chasles::screen::Place;

/// The sides of the screen in steps: shorts.
const FINEST: u32 = 65_535;

/// The finest grid on which curves are put together anew: that of a large screen.
const FINE: f64 = 2048.0;

/// Each round has so many fewer cells along a side than the one before.
const COARSER: f64 = 0.75;

/// A point of the grid: r and h.
pub(super) type Point = [u16; 2];

/// The least and the largest r, and h.
pub(super) type Ranges = [[f64; 2]; 2];

/// The curves of both bodies on a grid.
#[derive(Debug, PartialEq)]
pub(super) struct OnGrid {
    pub(super) curves: [Vec<Vec<Point>>; 2],
    /// Cells along a side, if it is coarser than it might be.
    pub(super) cells: Option<u32>,
}

/// The curves in at most `most` bytes.
///
/// *Accepts* any curves within their ranges. *Guarantees* at most `most` bytes. *Cost* of sorting
/// all pieces for each of some twenty rounds. *Fails* to keep what is smaller than a cell.
pub(super) fn on_grid(curves: [&[Vec<Place>]; 2], ranges: &Ranges, most: usize) -> OnGrid {
    let finest = curves.map(|curves| curves.iter().map(|c| points(c, ranges, FINEST)).collect());
    if bytes(&finest) <= most {
        return OnGrid { curves: finest, cells: None };
    }
    let mut cells = FINE;
    loop {
        let coarse = curves.map(|curves| trails(&pieces(curves, ranges, cells as u32)));
        if bytes(&coarse) <= most || cells < 1.0 {
            return OnGrid { curves: coarse, cells: Some(cells as u32) };
        }
        cells *= COARSER;
    }
}

/// The bytes of curves: four for each point, and four for each length.
fn bytes(curves: &[Vec<Vec<Point>>; 2]) -> usize {
    curves.iter().flatten().map(|curve| 4 + 4 * curve.len()).sum()
}

/// A curve on a grid of so many cells; none of less than one.
fn points(curve: &[Place], ranges: &Ranges, cells: u32) -> Vec<Point> {
    let (fine, cells) = (f64::from(FINEST), f64::from(cells));
    // Casts saturate, and what is no number becomes 0.
    let short = |x: f64, [low, high]: [f64; 2]| {
        (((x - low) / (high - low) * cells).round() / cells * fine).round() as u16
    };
    curve.iter().map(|place| [short(place.r, ranges[0]), short(place.h, ranges[1])]).collect()
}

/// All pieces between two points of the grid, each once, both ways.
fn pieces(curves: &[Vec<Place>], ranges: &Ranges, cells: u32) -> Vec<[Point; 2]> {
    let mut pieces = Vec::new();
    for curve in curves {
        for pair in points(curve, ranges, cells).windows(2).filter(|pair| pair[0] != pair[1]) {
            pieces.extend([[pair[0], pair[1]], [pair[1], pair[0]]]);
        }
    }
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

/// Curves that pass through each piece once, one way.
fn trails(pieces: &[[Point; 2]]) -> Vec<Vec<Point>> {
    let mut is_drawn = vec![false; pieces.len()];
    let starts = pieces.chunk_by(|p, q| p[0] == q[0]);
    let mut first = 0;
    let mut places = BTreeMap::new();
    for chunk in starts {
        places.insert(chunk[0][0], first..first + chunk.len());
        first += chunk.len();
    }
    let mut trails = Vec::new();
    for start in 0..pieces.len() {
        let mut trail = Vec::new();
        let mut next = (!is_drawn[start]).then_some(start);
        while let Some(piece) = next {
            let [from, to] = pieces[piece];
            is_drawn[piece] = true;
            if let Ok(back) = pieces.binary_search(&[to, from]) {
                is_drawn[back] = true;
            }
            if trail.is_empty() {
                trail.push(from);
            }
            trail.push(to);
            next = places.get(&to).and_then(|range| range.clone().find(|&p| !is_drawn[p]));
        }
        if !trail.is_empty() {
            trails.push(trail);
        }
    }
    trails
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGES: Ranges = [[0.0, 1.0], [0.0, 1.0]];

    /// The lines of a grid of squares, edge by edge.
    fn squares(count: u32) -> Vec<Vec<Place>> {
        let place = |i: u32, j: u32| Place {
            r: f64::from(i) / f64::from(count),
            h: f64::from(j) / f64::from(count),
            t: 0.0,
        };
        let mut curves = Vec::new();
        for i in 0..=count {
            for j in 0..count {
                curves.push(vec![place(i, j), place(i, j + 1)]);
                curves.push(vec![place(j, i), place(j + 1, i)]);
            }
        }
        curves
    }

    #[test]
    fn few_curves_stay_as_they_are() {
        let curves = squares(2);
        let drawn = on_grid([&curves, &[]], &RANGES, 1000);
        assert_eq!((drawn.cells, drawn.curves[0].len()), (None, 12));
        assert_eq!(drawn.curves[0][0], [[0, 0], [0, 32768]]);
    }

    #[test]
    fn many_curves_take_the_room_there_is_and_still_fill_the_screen() {
        let curves = squares(200);
        for most in [100_000, 10_000, 1000, 8] {
            let drawn = on_grid([&curves, &curves], &RANGES, most);
            assert!(bytes(&drawn.curves) <= most, "{} of {most}", bytes(&drawn.curves));
            assert!(drawn.cells.is_some_and(|cells| cells < 200), "{:?}", drawn.cells);
            if most >= 1000 {
                let high = drawn.curves[1].iter().flatten().map(|p| p[0]).max();
                assert_eq!(high, Some(65535));
            }
        }
    }

    #[test]
    fn every_piece_is_drawn_once() {
        let curves = squares(7);
        let all = pieces(&curves, &RANGES, 7);
        let drawn: usize = trails(&all).iter().map(|trail| trail.len() - 1).sum();
        assert_eq!(drawn, curves.len());
        assert_eq!(2 * drawn, all.len(), "both ways");
        assert!(trails(&all).len() < curves.len() / 2, "pieces become curves");
    }
}
