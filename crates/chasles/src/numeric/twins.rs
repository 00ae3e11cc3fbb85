//! The roots of two gaps at a time, where these are monotone: as nearly all are that have a root.
//!
//! Evaluating a gap is a chain of operations that wait for each other, and most numbers of it stand
//! alone. Two gaps side by side cost hardly more than one. What comes out for one does not depend
//! on the other.

use std::array;

use wide::f64x2;

use super::HelixAt;
use super::gaps::HelixGap;
use super::roots::{Root, SETTLED};

/// Two lists as a list of pairs.
#[inline(always)]
pub(crate) fn side_by_side<const N: usize>([p, q]: [[f64; N]; 2]) -> [f64x2; N] {
    array::from_fn(|i| f64x2::new([p[i], q[i]]))
}

/// What is known of the roots of two gaps.
pub(crate) struct TwinRoots {
    time: f64x2,
    bracket: [f64x2; 2],
    at: HelixAt<f64x2>,
    /// Bits of the gaps that were found to have a root, and of those of which nothing is known.
    found: u32,
    unknown: u32,
}

/// What is known of the roots of one gap.
pub(crate) enum Finding {
    NoRoot,
    /// One root, and the motion there.
    OneRoot(Root, HelixAt),
    Unknown,
}

impl TwinRoots {
    #[inline]
    pub(crate) fn of(&self, lane: usize) -> Finding {
        if self.found >> lane & 1 == 1 {
            let one = |two: f64x2| two.to_array()[lane];
            let HelixAt { t, s1, c2, c3, c4, cos } = self.at;
            let at = HelixAt {
                t: one(t),
                s1: one(s1),
                c2: one(c2),
                c3: one(c3),
                c4: one(c4),
                cos: one(cos),
            };
            let bracket = self.bracket.map(one);
            Finding::OneRoot(Root { time: one(self.time), bracket, grazing: false }, at)
        } else if self.unknown >> lane & 1 == 1 {
            Finding::Unknown
        } else {
            Finding::NoRoot
        }
    }
}

/// The roots of two gaps that are monotone on their windows; nothing is known of a gap whose `bend`
/// does not show that it is.
///
/// A gap with a second derivative of at most `bend` stays clear of zero if the parabola that comes
/// nearest, given value and slope in the middle of the window, does. If the slope changes by no
/// more than half over the window, Halley's steps from the middle contract to the root, and a step
/// that leaves the window by more than half its width proves that the root is not in it.
#[inline]
pub(crate) fn monotone_roots(
    gaps: &impl HelixGap<f64x2>,
    [from, to]: [f64x2; 2],
    noise: f64,
) -> TwinRoots {
    let all = |value: f64| f64x2::splat(value);
    let [bend, noise] = [gaps.bend(), all(noise)];
    let half = all(0.5) * (to - from);
    let [first, last] = [from - half, to + half];
    let mut t = from + half;
    let middle = gaps.helix().at_two(t);
    let [mut value, mut slope, mut curvature] = gaps.sample(&middle);
    let steep = slope.abs();
    let clear = value.abs().simd_gt(half * (steep + all(0.5) * half * bend) + noise);
    let bent = (half * bend).simd_gt(all(0.5) * steep) | (steep * half).simd_lt(all(8.0) * noise);
    let unknown = bent & !clear;
    let mut found = !(bent | clear);
    if !found.any() {
        let unknown = unknown.to_bitmask();
        return TwinRoots { time: t, bracket: [from, to], at: middle, found: 0, unknown };
    }
    let mut active = found;
    let jerk = gaps.jerk();
    for _ in 0..12 {
        let step = -value * slope / (slope * slope - all(0.5) * value * curvature);
        t = active.bitselect(t + step, t);
        let inside = t.simd_gt(first) & t.simd_lt(last);
        found &= inside | !active;
        active = active & inside & !are_settled(step, [slope, curvature, jerk]);
        if !active.any() {
            break;
        }
        let sample = gaps.sample(&gaps.helix().at_two(t));
        slope = active.bitselect(sample[1], slope);
        [value, curvature] = [sample[0], sample[2]];
    }
    let reach = noise / slope.abs() + all(f64::EPSILON);
    let time = from.fast_max(t.fast_min(to));
    found &= (t - time).abs().simd_le(reach);
    TwinRoots {
        time,
        bracket: [(t - reach).fast_max(from), (t + reach).fast_min(to)],
        at: gaps.helix().at_two(time),
        found: found.to_bitmask(),
        unknown: unknown.to_bitmask(),
    }
}

/// Where nothing is left to correct after a Halley step; `is_settled` of single roots derives it.
/// In a window in which the slope changes by half at most, `|q s|` is small enough.
#[inline]
fn are_settled(step: f64x2, [slope, curvature, jerk]: [f64x2; 3]) -> f64x2 {
    let inverse = f64x2::ONE / slope;
    let bent = step * curvature * inverse;
    let length = step.abs();
    let rest = length * (bent * bent + step * step * (jerk * inverse).abs());
    rest.simd_lt(f64x2::splat(SETTLED)) & length.simd_lt(f64x2::splat(1e-3))
}

#[cfg(test)]
mod tests {
    use super::super::Helix;
    use super::super::gaps::LineGap;
    use super::super::roots::all_roots;
    use super::*;

    /// A gap with one root at about 0.55, one without a root, one with two and one that bends.
    const GAPS: [[f64; 5]; 4] = [
        [-0.5, 1.0, -0.3, 0.2, 0.1],
        [2.0, 0.3, 0.1, 0.0, 0.0],
        [0.2, -1.5, 4.0, 0.0, 0.0],
        [-0.1, 0.1, 1.0, 3.0, 0.0],
    ];

    const NOISE: f64 = 1e-15;

    fn bits(finding: &Finding) -> Vec<u64> {
        match finding {
            Finding::NoRoot => vec![0],
            Finding::Unknown => vec![1],
            Finding::OneRoot(Root { time, bracket: [low, high], .. }, at) => {
                [*time, *low, *high, at.t, at.s1, at.c2, at.c3, at.c4, at.cos]
                    .map(f64::to_bits)
                    .to_vec()
            }
        }
    }

    fn solve(helix: &Helix, k: [[f64; 5]; 2]) -> [Finding; 2] {
        let gaps = LineGap { helix, k: side_by_side(k) };
        let window = [0.4, 0.7].map(f64x2::splat);
        let roots = monotone_roots(&gaps, window, NOISE);
        [roots.of(0), roots.of(1)]
    }

    #[test]
    fn a_gap_does_not_depend_on_its_neighbour() {
        let helix = &Helix::new(1.3);
        for p in GAPS {
            let alone = bits(&solve(helix, [p, p])[0]);
            for q in GAPS {
                assert_eq!(bits(&solve(helix, [p, q])[0]), alone);
                assert_eq!(bits(&solve(helix, [q, p])[1]), alone);
            }
        }
    }

    #[test]
    fn what_is_known_is_what_halving_finds() {
        let helix = &Helix::new(1.3);
        let mut found = 0;
        for k in GAPS {
            let gap = LineGap { helix, k };
            let roots = all_roots(&gap, [0.4, 0.7], gap.bend(), NOISE);
            match (&solve(helix, [k, k])[0], roots.as_slice()) {
                (Finding::Unknown, _) | (Finding::NoRoot, []) => {}
                (Finding::OneRoot(root, at), [expected]) => {
                    assert!((root.time - expected.time).abs() < 1e-14);
                    assert!(root.bracket[0] <= root.time && root.time <= root.bracket[1]);
                    assert_eq!(at.cos, helix.at(root.time).cos);
                    found += 1;
                }
                (_, roots) => panic!("{k:?} has the roots {roots:?}"),
            }
        }
        assert!(found > 0);
    }
}
