//! The separating axis theorem, exactly.
//!
//! Two convex hulls with volume are apart if and only if one of these directions separates them
//! strictly: the normal of a face of either, or the cross product of an edge of each. Which points
//! span faces and edges need not be known: all planes through three points and all lines through
//! two are tried, and a direction that is none of the above separates only what is apart.
//!
//! Doubles are whole numbers times a power of two, so everything is decided in whole numbers; a
//! rounded gap far from zero needs none of that.

use dashu_int::IBig;
use glam::DVec3;

/// Whether the convex hulls of two sets of points share a point, touching included. Each set spans
/// a volume.
pub fn overlap(a: &[DVec3], b: &[DVec3]) -> bool {
    let sets = Sets::new(a, b);
    let lines = [a.len(), b.len()].map(pairs);
    let across = |[p, q]: [usize; 2]| lines[1].iter().map(move |&[r, s]| [(0, p, q), (1, r, s)]);
    !triples(0, a.len()).any(|axis| sets.is_separating(axis))
        && !triples(1, b.len()).any(|axis| sets.is_separating(axis))
        && !lines[0].iter().copied().flat_map(across).any(|axis| sets.is_separating(axis))
}

/// The line through two points of a set.
type Line = (usize, usize, usize);

fn pairs(count: usize) -> Vec<[usize; 2]> {
    (0..count).flat_map(|q| (0..q).map(move |p| [p, q])).collect()
}

fn triples(set: usize, count: usize) -> impl Iterator<Item = [Line; 2]> {
    let all = (0..count).flat_map(|r| (0..r).flat_map(move |q| (0..q).map(move |p| (p, q, r))));
    all.map(move |(p, q, r)| [(set, p, q), (set, p, r)])
}

/// Points as doubles and as whole numbers of one unit.
struct Sets {
    rounded: [Vec<DVec3>; 2],
    exact: [Vec<[IBig; 3]>; 2],
    size: f64,
}

impl Sets {
    fn new(a: &[DVec3], b: &[DVec3]) -> Self {
        let all = || a.iter().chain(b).flat_map(|p| p.to_array()).filter(|&c| c != 0.0);
        let unit = all().map(|c| parts(c).1).min().unwrap_or(0);
        let exact = |points: &[DVec3]| {
            points.iter().map(|p| p.to_array().map(|c| whole(c, unit))).collect()
        };
        let size = all().map(f64::abs).fold(0.0, f64::max);
        Self { rounded: [a.to_vec(), b.to_vec()], exact: [exact(a), exact(b)], size }
    }

    /// Whether the gap along the cross product of two lines is above zero, one way or the other.
    fn is_separating(&self, [u, v]: [Line; 2]) -> bool {
        let line = |(set, p, q): Line| self.rounded[set][q] - self.rounded[set][p];
        let (d, e) = (line(u), line(v));
        let axis = d.cross(e);
        let [a, b] = [0, 1].map(|i| extent(self.rounded[i].iter().map(|p| p.dot(axis))));
        // Each of at most 18 terms is below |d| |e| size and has at most 8 roundings.
        let error = 200.0 * f64::EPSILON * d.length() * e.length() * self.size;
        let gap = (b[0] - a[1]).max(a[0] - b[1]);
        if gap.abs() > error { gap > 0.0 } else { self.is_exactly_separating([u, v]) }
    }

    fn is_exactly_separating(&self, lines: [Line; 2]) -> bool {
        let [d, e] = lines.map(|(set, p, q)| {
            let ([p, q], k) = ([&self.exact[set][p], &self.exact[set][q]], [0, 1, 2]);
            k.map(|k| &q[k] - &p[k])
        });
        let term = |i: usize, j: usize| &d[i] * &e[j] - &d[j] * &e[i];
        let axis = [term(1, 2), term(2, 0), term(0, 1)];
        let along = |p: &[IBig; 3]| &p[0] * &axis[0] + &p[1] * &axis[1] + &p[2] * &axis[2];
        let [a, b] = [0, 1].map(|i| {
            let mut heights: Vec<IBig> = self.exact[i].iter().map(along).collect();
            heights.sort_unstable();
            heights
        });
        let is_below = |a: &[IBig], b: &[IBig]| a.last() < b.first();
        is_below(&a, &b) || is_below(&b, &a)
    }
}

fn extent(heights: impl Iterator<Item = f64>) -> [f64; 2] {
    heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], x| [l.min(x), h.max(x)])
}

/// A double as a whole number and an exponent of two.
fn parts(c: f64) -> (i64, i64) {
    let bits = c.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (size, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let shift = if size == 0 { 0 } else { size.trailing_zeros() };
    (if c < 0.0 { -(size >> shift) } else { size >> shift }, exponent + i64::from(shift))
}

/// A double in units of `2^unit`.
fn whole(c: f64, unit: i64) -> IBig {
    let (number, exponent) = parts(c);
    if number == 0 { IBig::ZERO } else { IBig::from(number) << (exponent - unit) as usize }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;

    fn shifted(points: &[DVec3], by: DVec3) -> Vec<DVec3> {
        points.iter().map(|&p| p + by).collect()
    }

    #[test]
    fn boxes_overlap_as_their_intervals_do() {
        let cube = shapes::cube().vertices;
        for (x, y, z) in (0..125).map(|i| (i % 5, i / 5 % 5, i / 25)) {
            let by = DVec3::new(f64::from(x), f64::from(y), f64::from(z)) * 0.5 - 1.0;
            let expected = by.abs().max_element() <= 1.0;
            assert_eq!(
                overlap(&cube, &shifted(&cube, 1.5 * by)),
                (1.5 * by).abs().max_element() <= 1.0
            );
            assert_eq!(overlap(&cube, &shifted(&cube, by)), expected);
        }
    }

    #[test]
    fn one_unit_in_the_last_place_is_a_gap() {
        let cube = shapes::cube().vertices;
        let mut beside = shifted(&cube, DVec3::X);
        assert!(overlap(&cube, &beside));
        for p in &mut beside {
            p.x = if p.x == 0.5 { p.x.next_up() } else { p.x };
        }
        assert!(!overlap(&cube, &beside));
    }

    #[test]
    fn doubles_are_taken_apart_and_put_together() {
        for c in [1.0, -3.0, 0.1, 1e-300, 5e-324, 1.5e10] {
            let (number, exponent) = parts(c);
            assert_eq!(
                number as f64
                    * 2f64.powi(exponent as i32 / 2)
                    * 2f64.powi(exponent as i32 - exponent as i32 / 2),
                c
            );
        }
        assert_eq!(whole(-6.0, -1), IBig::from(-12));
    }
}
