//! Whether a polygon holds the origin, in doubles: decided where rounding leaves no doubt.
//!
//! The height `f` and the `n . m_i` of `forms.rs` are in Bernstein form, so that the coefficients
//! on an interval bound the values there. We halve intervals:
//!
//! - no touch where all coefficients of `f` have one sign, or those of some `n . m_i` are negative;
//! - a touch where `f` has opposite signs at the ends and all coefficients of all `n . m_i` are
//!   positive;
//! - where `f` has one root the `n . m_i` are asked there, first in doubles, then by the caller
//!   with more digits.
//!
//! *Errors.* Let `u = 2^-53`, and let `l`, `e` bound the coordinates of corners and edges axis by
//! axis. A difference has a relative error of `u`; a component of `n` one of at most `5 u` of
//! `2 e_y e_z`, one of `m` `5 u` of `l_y e_z + l_z e_y`; `f` is a sum of three products and a
//! combination of three terms, so `12 u` of the sum of bounds, and `n . m_i` `17 u`. We use `32 u`.
//! Each halving adds four roundings of numbers below the bound. Where the bounds are so small that
//! products lose digits, or so large that they overflow, nothing is decided.

use glam::DVec3;

use super::forms::{Coefficients, Paths, Vector};

/// What the filter can say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Answer {
    /// They do not touch during the step.
    Clear,
    /// They touch; the first touch is in this interval if `first` was asked for.
    Touch(Crossing),
    /// Rounding decides, so nothing is said.
    Unknown,
}

/// An interval in which the height changes sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crossing {
    pub(super) from: f64,
    pub(super) to: f64,
    height: [f64; 4],
    error: f64,
}

/// Deepest interval: 2^-16 of the step. What is closer to a border than that is rare enough.
const DEPTH: u32 = 16;

/// So many intervals are looked at; more means that rounding decides almost everywhere.
const EFFORT: u32 = 160;

/// Bounds of coordinates that are zero or between these: products of four are far from where they
/// lose digits, also the low ones of pairs of doubles, and from where they overflow.
const SMALLEST: f64 = 1e-60;
const LARGEST: f64 = 1e60;

const UNIT: f64 = 0.5 * f64::EPSILON;

/// Bernstein forms on one interval.
#[derive(Clone, Copy)]
struct Forms<const M: usize> {
    height: [f64; 4],
    sides: [[f64; 5]; M],
    from: f64,
    width: f64,
    depth: u32,
}

/// Bounds that the errors of heights and sides are proportional to.
#[derive(Clone, Copy)]
pub(super) struct Bounds<const M: usize> {
    pub(super) height: f64,
    pub(super) sides: [f64; M],
}

/// Bounds of the coordinates of corners and edges, and of heights and sides; `None` if products
/// come near the ends of the range of doubles. A bound that is zero means that the value is.
#[inline]
pub(super) fn bounds<const M: usize>(paths: &Paths<f64, M>) -> Option<([DVec3; 2], Bounds<M>)> {
    let most = |vectors: &[[Vector<f64>; 2]; M]| {
        let all = vectors.as_flattened().iter();
        all.fold(DVec3::ZERO, |most, v| most.max(DVec3::from(*v).abs()))
    };
    let [l, e] = [most(&paths.corners), most(&paths.edges)];
    let n = 2.0 * DVec3::new(e.y * e.z, e.z * e.x, e.x * e.y);
    let m = DVec3::new(l.y * e.z + l.z * e.y, l.z * e.x + l.x * e.z, l.x * e.y + l.y * e.x);
    let [height, side] = [l.dot(n), n.dot(m)];
    let fits = |x: f64| x == 0.0 || (SMALLEST..LARGEST).contains(&x);
    let usable = [l, e].iter().all(|v| v.to_array().into_iter().all(fits));
    usable.then_some(([l, e], Bounds { height, sides: [side; M] }))
}

/// Whether some direction has all corners on one side of the origin during the whole step: that
/// toward the middle of all corners, or the part of it across one of two edges. It is what clears
/// parallel edges in one plane, for which everything else is zero.
fn is_beside<const M: usize>(paths: &Paths<f64, M>, l: DVec3) -> bool {
    let corners = || paths.corners.as_flattened().iter().map(|q| DVec3::from(*q));
    let middle: DVec3 = corners().sum();
    let across = |edge: &[Vector<f64>; 2]| {
        let along = DVec3::from(edge[0]) + DVec3::from(edge[1]);
        middle - along * (middle.dot(along) / along.length_squared())
    };
    [middle, across(&paths.edges[0]), across(&paths.edges[1])].into_iter().any(|toward| {
        // Corners have one rounding, products and sums three more.
        let error = 8.0 * UNIT * toward.abs().dot(l);
        corners().all(|q| toward.dot(q) > error)
    })
}

/// Decides whether a polygon holds the origin at some time; `l` bounds the coordinates of corners.
/// Where rounding leaves open whether it does so at the only root in an interval, `settle` says.
#[inline]
pub(super) fn decide<const M: usize>(
    paths: &Paths<f64, M>,
    (l, bounds): (DVec3, Bounds<M>),
    first: bool,
    settle: impl FnMut(&Crossing) -> bool,
) -> Answer {
    let normal = paths.normal();
    let height = paths.height(&normal);
    if is_clear(&height, 32.0 * UNIT * bounds.height) || is_beside(paths, l) {
        return Answer::Clear;
    }
    halve((height, paths.sides(&normal)), bounds, first, settle)
}

/// What one interval says.
enum Verdict {
    Clear,
    Touch,
    /// A single root, but it is not clear whether inside.
    Root,
    Unknown,
    Halve,
}

/// Looks at intervals from left to right; the coefficients may come without sides.
pub(super) fn halve<const M: usize>(
    (height, sides): Coefficients<f64, M>,
    bounds: Bounds<M>,
    first: bool,
    mut settle: impl FnMut(&Crossing) -> bool,
) -> Answer {
    let forms = Forms { height, sides, from: 0.0, width: 1.0, depth: 0 };
    let mut stack = [forms; DEPTH as usize + 1];
    let mut height = 1;
    let mut doubt = false;
    for _ in 0..EFFORT {
        if height == 0 {
            return if doubt { Answer::Unknown } else { Answer::Clear };
        }
        height -= 1;
        let forms = &stack[height];
        let unit = UNIT * f64::from(32 + 4 * forms.depth);
        let error = bounds.height * unit;
        let of_sides = bounds.sides.map(|bound| bound * unit);
        let crossing = || forms.crossing(error);
        let touches = match forms.verdict((error, &of_sides), first) {
            Verdict::Clear => Some(false),
            Verdict::Touch => Some(true),
            Verdict::Root => {
                let inside = forms.is_inside(&crossing(), &of_sides);
                inside.or_else(|| Some(settle(&crossing())))
            }
            Verdict::Unknown => None,
            Verdict::Halve => {
                let [left, right] = forms.halves();
                stack[height] = right;
                stack[height + 1] = left;
                height += 2;
                continue;
            }
        };
        match touches {
            Some(false) => {}
            Some(true) => return Answer::Touch(crossing()),
            None if first => return Answer::Unknown,
            None => doubt = true,
        }
    }
    Answer::Unknown
}

/// Whether all coefficients are on one side of zero.
#[inline]
fn is_clear<const N: usize>(b: &[f64; N], error: f64) -> bool {
    b.iter().all(|b| *b > error) || b.iter().all(|b| *b < -error)
}

impl<const M: usize> Forms<M> {
    fn crossing(&self, error: f64) -> Crossing {
        let &Self { from, width, height, .. } = self;
        Crossing { from, to: from + width, height, error }
    }

    fn verdict(&self, (of_height, of_sides): (f64, &[f64; M]), first: bool) -> Verdict {
        let b = &self.height;
        if is_clear(b, of_height) {
            return Verdict::Clear;
        }
        // Without sides nothing is known of them.
        let mut inside = M > 0;
        for (side, error) in self.sides.iter().zip(of_sides) {
            if side.iter().all(|c| *c < -error) {
                return Verdict::Clear;
            }
            inside &= side.iter().all(|c| c > error);
        }
        let ends = [b[0], b[3]];
        let crosses = b[0] * b[3] < 0.0 && ends.iter().all(|b| b.abs() > of_height);
        if inside && crosses && !first {
            return Verdict::Touch;
        }
        if crosses && is_single(b, of_height) {
            return if inside { Verdict::Touch } else { Verdict::Root };
        }
        let flat = b.iter().all(|b| b.abs() <= of_height);
        if self.depth == DEPTH || inside && flat { Verdict::Unknown } else { Verdict::Halve }
    }

    /// Whether the polygon holds the origin at the only root in the interval, if that is sure.
    fn is_inside(&self, crossing: &Crossing, errors: &[f64; M]) -> Option<bool> {
        let mut sure = M > 0;
        let (x, [low, high]) = crossing.root();
        for (side, error) in self.sides.iter().zip(errors) {
            let steepest = side.windows(2).map(|c| (c[1] - c[0]).abs()).fold(0.0, f64::max);
            let error = 2.0 * error + 4.0 * steepest * (high - low);
            let value = quartic_at(side, x);
            if value < -error {
                return Some(false);
            }
            sure &= value > error;
        }
        sure.then_some(true)
    }

    fn halves(&self) -> [Self; 2] {
        let [mut left, mut right] = [*self; 2];
        split(&self.height, &mut left.height, &mut right.height);
        for i in 0..M {
            split(&self.sides[i], &mut left.sides[i], &mut right.sides[i]);
        }
        for half in [&mut left, &mut right] {
            half.width *= 0.5;
            half.depth += 1;
        }
        right.from += right.width;
        [left, right]
    }
}

/// Whether a form with opposite signs at its ends has one root only: its coefficients change sign
/// once, whatever those near zero are.
fn is_single(b: &[f64; 4], error: f64) -> bool {
    let [b1, b2] = if b[0] > 0.0 { [b[1], b[2]] } else { [-b[1], -b[2]] };
    b1 > error || b2 < -error
}

/// Bernstein coefficients of both halves, by de Casteljau's scheme.
#[inline]
fn split<const N: usize>(whole: &[f64; N], left: &mut [f64; N], right: &mut [f64; N]) {
    let mut c = *whole;
    for i in 0..N {
        left[i] = c[0];
        right[N - 1 - i] = c[N - 1 - i];
        for j in 0..N - 1 - i {
            c[j] = 0.5 * (c[j] + c[j + 1]);
        }
    }
}

impl Crossing {
    /// The time of the only root in the interval, and doubles on both sides of it.
    pub(super) fn time(&self) -> (f64, [f64; 2]) {
        let (x, [low, high]) = self.root();
        let time = |x: f64| self.from + (self.to - self.from) * x;
        let bracket = [time(low).next_down().max(self.from), time(high).next_up().min(self.to)];
        (time(x).clamp(bracket[0], bracket[1]), bracket)
    }

    /// Whether the height is positive at the end.
    pub(super) fn is_rising(&self) -> bool {
        self.height[3] > 0.0
    }

    /// Near the root, and the slope of the height there.
    pub(super) fn guess(&self) -> (f64, f64) {
        let (x, _) = self.root();
        let width = self.to - self.from;
        (self.from + width * x, cubic_at(&self.height, x).1 / width)
    }

    /// The only root, as a part of the interval, between two others with sure signs.
    fn root(&self) -> (f64, [f64; 2]) {
        let rising = self.is_rising();
        // One more evaluation is one more halving.
        let error = 2.0 * self.error;
        let mut ends = [0.0, 1.0];
        let mut x = self.height[0] / (self.height[0] - self.height[3]);
        for _ in 0..64 {
            let (value, slope) = cubic_at(&self.height, x);
            if value.abs() <= error {
                break;
            }
            ends[usize::from((value > 0.0) == rising)] = x;
            let newton = x - value / slope;
            let within = newton > ends[0] && newton < ends[1];
            let next = if within { newton } else { 0.5 * (ends[0] + ends[1]) };
            if next == x {
                break;
            }
            x = next;
        }
        let sure = |x: f64, positive: bool| {
            let value = cubic_at(&self.height, x).0;
            if positive { value > error } else { value < -error }
        };
        // Close in from both sides as far as signs are sure.
        let mut reach = 4.0 * error / cubic_at(&self.height, x).1.abs() + f64::EPSILON;
        for _ in 0..60 {
            let [below, above] = [x - reach, x + reach];
            let closer =
                [below > ends[0] && sure(below, !rising), above < ends[1] && sure(above, rising)];
            if closer[0] {
                ends[0] = below;
            }
            if closer[1] {
                ends[1] = above;
            }
            if below <= ends[0] && above >= ends[1] {
                break;
            }
            reach *= 4.0;
        }
        (x, ends)
    }
}

/// Value and slope of a cubic in Bernstein form.
fn cubic_at(b: &[f64; 4], x: f64) -> (f64, f64) {
    let y = 1.0 - x;
    let [p, q, r] = [y * b[0] + x * b[1], y * b[1] + x * b[2], y * b[2] + x * b[3]];
    let [p, q] = [y * p + x * q, y * q + x * r];
    (y * p + x * q, 3.0 * (q - p))
}

/// The value of a quartic in Bernstein form.
fn quartic_at(b: &[f64; 5], x: f64) -> f64 {
    let y = 1.0 - x;
    let mut c = *b;
    for last in (1..5).rev() {
        for i in 0..last {
            c[i] = y * c[i] + x * c[i + 1];
        }
    }
    c[0]
}
