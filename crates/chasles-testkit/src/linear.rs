//! Pairs of features on straight paths: generators, and an oracle that knows when they cannot
//! touch.

use chasles::deform::{Kind, Pair};
use glam::DVec3;

use crate::generate::Random;

/// The ways in which pairs are made.
pub const WAYS: usize = 12;

/// A random pair; `way` below [`WAYS`] says how. It touches for sure at the time that comes with
/// it, if one does.
pub fn pair(way: usize, seed: u64) -> (Pair, Option<f64>) {
    let mut random = Random::new(seed ^ (way as u64) << 56);
    let kind = random.one_of(&[Kind::VertexTriangle, Kind::EdgeEdge]);
    let mut time = None;
    let ends = match way {
        0 => everyday(&mut random),
        1 => on_grid(&mut random, 2),
        2 => on_grid(&mut random, 5),
        3 => coplanar(&mut random),
        4 => collinear(&mut random),
        5 => without_length(&mut random),
        6 => across_scales(&mut random),
        7 => {
            let (ends, at) = planted(&mut random, kind);
            time = Some(at);
            ends
        }
        8 => {
            let (ends, _) = planted(&mut random, kind);
            nudged(&mut random, ends)
        }
        9 => {
            let (ends, at) = planted(&mut random, kind);
            time = Some(at);
            stretched(&mut random, ends)
        }
        10 => {
            let (ends, at) = grazing(&mut random, kind);
            time = Some(at);
            ends
        }
        _ => {
            let everyday = everyday(&mut random);
            stretched(&mut random, everyday)
        }
    };
    let pair = Pair::new(kind, ends).expect("the positions are finite");
    (pair, time)
}

type Ends = [[DVec3; 4]; 2];

fn everyday(random: &mut Random) -> Ends {
    [[0; 4]; 2].map(|end| end.map(|_| random.vector()))
}

fn on_grid(random: &mut Random, size: usize) -> Ends {
    [[0; 4]; 2].map(|end| end.map(|_| grid_point(random, size)))
}

fn grid_point(random: &mut Random, size: usize) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| random.below(2 * size + 1) as f64 - size as f64))
}

/// All vertices stay in one plane: a coordinate plane, or one whose equation is exact.
fn coplanar(random: &mut Random) -> Ends {
    let slanted = random.below(2) == 0;
    [[0; 4]; 2].map(|end| {
        end.map(|_| {
            let p = grid_point(random, 4);
            DVec3::new(p.x, p.y, if slanted { p.x + 2.0 * p.y } else { 0.5 })
        })
    })
}

/// All vertices stay on one line.
fn collinear(random: &mut Random) -> Ends {
    let [from, along] = [grid_point(random, 3), grid_point(random, 2)];
    [[0; 4]; 2].map(|end| end.map(|_| from + along * (random.below(9) as f64 - 4.0)))
}

/// Triangles and edges that have no size at one of the ends of the step, or at both.
fn without_length(random: &mut Random) -> Ends {
    let mut ends = on_grid(random, 3);
    for end in &mut ends {
        let [to, from] = random.one_of(&[[1, 0], [3, 2], [2, 1]]);
        if random.below(3) > 0 {
            end[to] = end[from];
        }
    }
    ends
}

/// Coordinates from 1e-30 to 1e30 in one pair.
fn across_scales(random: &mut Random) -> Ends {
    let exponent = random.one_of(&[0.0, 8.0, 30.0]);
    let mut one = || random.between(-1.0, 1.0) * 10_f64.powf(random.between(-exponent, exponent));
    [[0; 4]; 2].map(|end| end.map(|_| DVec3::from_array([0; 3].map(|_| one()))))
}

/// A touch at a simple fraction of the step, which need not be binary, at a place with weights in
/// quarters: all numbers are exact.
fn planted(random: &mut Random, kind: Kind) -> (Ends, f64) {
    let size = random.one_of(&[4, 4, 1 << 40]);
    let mut middle: [DVec3; 4] = [0; 4].map(|_| 4.0 * grid_point(random, size));
    let quarter = |random: &mut Random| random.below(5) as f64 / 4.0;
    let [u, w] = [quarter(random), quarter(random)];
    match kind {
        Kind::VertexTriangle => {
            let w = w.min(1.0 - u);
            let [a, b, c] = [middle[1], middle[2], middle[3]];
            middle[0] = a + u * (b - a) + w * (c - a);
        }
        Kind::EdgeEdge => {
            let on_first = middle[0] + u * (middle[1] - middle[0]);
            // The other edge is moved so that it meets the first.
            let on_second = middle[2] + w * (middle[3] - middle[2]);
            for end in &mut middle[2..] {
                *end += on_first - on_second;
            }
        }
    }
    let moves = [0; 4].map(|_| grid_point(random, size + 2));
    let at = |part: f64| std::array::from_fn(|i| middle[i] + part * moves[i]);
    let [before, after] = random.one_of(&[[1.0, 1.0], [1.0, 2.0], [2.0, 3.0], [1.0, 6.0]]);
    ([at(-before), at(after)], before / (before + after))
}

/// A touch without crossing: the height is the square of `s`, which is zero at a simple fraction of
/// the step. With edges `(s, 1, 0)` and `(0, 0, 1)`, and a first corner at `(c s, c - s, d)`, it is
/// `c s - s (c - s)`.
fn grazing(random: &mut Random, kind: Kind) -> (Ends, f64) {
    let whole = random.one_of(&[2, 3, 5, 7]);
    let part = random.below(whole + 1);
    // All in quarters; inside of the triangle, on its border, and of the parallelogram.
    let [c, d] = random.one_of(&[[-0.5, -0.25], [-0.75, 0.0], [-0.5, -0.5], [-1.0, -0.25]]);
    let paths = [grid_point(random, 5), grid_point(random, 5)];
    let ends = [0, whole].map(|t| {
        let s = t as f64 - part as f64;
        let first = DVec3::new(c * s, c - s, d);
        let [along, across] = [DVec3::new(s, 1.0, 0.0), DVec3::Z];
        let p = paths[usize::from(t > 0)];
        match kind {
            Kind::VertexTriangle => [p, p + first, p + first + along, p + first + along + across],
            // The corners are differences: the second edge ends where the first one starts from.
            Kind::EdgeEdge => [p, p + along, p - first, p - first - across],
        }
    });
    (ends, part as f64 / whole as f64)
}

/// Each axis in a unit of its own, a power of two, up to the ends of the range of doubles.
fn stretched(random: &mut Random, ends: Ends) -> Ends {
    let most = random.one_of(&[300.0, 900.0]);
    let units = DVec3::from_array([0; 3].map(|_| random.between(-most, most).round().exp2()));
    ends.map(|end| end.map(|p| p * units))
}

/// A few coordinates moved by a unit in the last place.
fn nudged(random: &mut Random, mut ends: Ends) -> Ends {
    for _ in 0..=random.below(3) {
        let [end, vertex, axis] = [random.below(2), random.below(4), random.below(3)];
        let one = &mut ends[end][vertex][axis];
        *one = if random.below(2) == 0 { one.next_up() } else { one.next_down() };
    }
    ends
}

/// What the oracle can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    /// They do not touch.
    Apart,
    /// They touch or nearly do, or the oracle gave up.
    Perhaps,
}

/// Whether a pair can touch, by bisection of time and weights: a box of times and weights is left
/// out where some coordinate of the difference of the two points cannot be zero. Slow, and the idea
/// of Wang and others (Wang21 in REFERENCES.md); shares nothing with the library.
pub fn can_touch(kind: Kind, ends: &[[DVec3; 4]; 2]) -> Near {
    let size = ends.as_flattened().iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let slack = 1e-14 * size;
    let mut stack = vec![[[0.0, 1.0]; 3]];
    for _ in 0..20_000 {
        let Some(cell) = stack.pop() else { return Near::Apart };
        if is_excluded(kind, ends, &cell, slack) {
            continue;
        }
        let widest = (0..3).max_by(|&i, &j| width(cell[i]).total_cmp(&width(cell[j])));
        let widest = widest.expect("there are three");
        if width(cell[widest]) < 1e-6 {
            return Near::Perhaps;
        }
        let [low, high] = cell[widest];
        let middle = 0.5 * (low + high);
        for half in [[low, middle], [middle, high]] {
            let mut part = cell;
            part[widest] = half;
            stack.push(part);
        }
    }
    Near::Perhaps
}

fn width([low, high]: [f64; 2]) -> f64 {
    high - low
}

/// The difference is linear in each of the three, so its extremes are at corners of the cell.
fn is_excluded(kind: Kind, ends: &[[DVec3; 4]; 2], cell: &[[f64; 2]; 3], slack: f64) -> bool {
    if kind == Kind::VertexTriangle && cell[1][0] + cell[2][0] > 1.0 {
        return true;
    }
    let mut low = DVec3::INFINITY;
    let mut high = DVec3::NEG_INFINITY;
    for corner in 0..8 {
        let [t, u, w] = [0, 1, 2].map(|i| cell[i][corner >> i & 1]);
        let at = |i: usize| ends[0][i] + t * (ends[1][i] - ends[0][i]);
        let difference = match kind {
            Kind::VertexTriangle => at(0) - at(1) - u * (at(2) - at(1)) - w * (at(3) - at(1)),
            Kind::EdgeEdge => at(0) + u * (at(1) - at(0)) - at(2) - w * (at(3) - at(2)),
        };
        low = low.min(difference);
        high = high.max(difference);
    }
    low.cmpgt(DVec3::splat(slack)).any() || high.cmplt(DVec3::splat(-slack)).any()
}
