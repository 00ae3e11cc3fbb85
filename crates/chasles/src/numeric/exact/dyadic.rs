//! Integers over powers of two.

use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_int::ops::BitTest;

/// The number `whole / 2^shift`; the shift is the least possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dyadic {
    pub(super) whole: IBig,
    pub(super) shift: usize,
}

impl Dyadic {
    pub(crate) const ZERO: Self = Self { whole: IBig::ZERO, shift: 0 };
    pub(crate) const ONE: Self = Self { whole: IBig::ONE, shift: 0 };

    fn new(whole: IBig, shift: usize) -> Self {
        let spare = whole.trailing_zeros().unwrap_or(shift).min(shift);
        Self { whole: whole >> spare, shift: shift - spare }
    }

    /// A finite double.
    pub(crate) fn from_double(double: f64) -> Self {
        let (digits, exponent) = parts(double);
        let whole = IBig::from(digits) << exponent.max(0) as usize;
        Self { whole, shift: (-exponent).max(0) as usize }
    }

    /// Half the sum.
    pub(crate) fn middle(&self, other: &Self) -> Self {
        let ([p, q], shift) = self.aligned(other);
        Self::new(p + q, shift + 1)
    }

    /// Both as integers over the same power of two, and its exponent.
    pub(super) fn aligned(&self, other: &Self) -> ([IBig; 2], usize) {
        let shift = self.shift.max(other.shift);
        let whole = |of: &Self| &of.whole << (shift - of.shift);
        ([whole(self), whole(other)], shift)
    }

    /// Neighbouring doubles on both sides, or equal ones if the number is a double; for numbers
    /// that are not negative.
    pub(super) fn rounded(&self) -> [f64; 2] {
        let spare = self.whole.bit_len().saturating_sub(53);
        let cut = &self.whole >> spare;
        let exact = spare == 0 || (&cut << spare) == self.whole;
        let digits = cut.to_f64().value();
        // Two factors, since one power may be too small for a double.
        let exponent = spare as i32 - self.shift as i32;
        let low = digits * 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2);
        match exact {
            _ if self.whole.is_zero() => [0.0, 0.0],
            // Digits are lost below the normal range, in either direction.
            _ if low < f64::MIN_POSITIVE => [low.next_down().max(0.0), low.next_up()],
            true => [low, low],
            false => [low, low.next_up()],
        }
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        let ([p, q], _) = self.aligned(other);
        p.cmp(&q)
    }
}

/// Finite doubles as integers, all multiplied by the same power of two.
pub(crate) fn integers<const N: usize>(doubles: [f64; N]) -> [IBig; N] {
    let parts = doubles.map(parts);
    let least = parts.iter().filter(|(digits, _)| *digits != 0).map(|(_, exponent)| *exponent);
    let least = least.min().unwrap_or(0);
    parts.map(|(digits, exponent)| match digits {
        0 => IBig::ZERO,
        _ => IBig::from(digits) << (exponent - least) as usize,
    })
}

/// A double as an odd integer (or zero) and the exponent of its power of two.
fn parts(double: f64) -> (i64, i32) {
    debug_assert!(double.is_finite(), "only finite numbers are integers times powers of two");
    let bits = double.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let digits = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    if digits == 0 {
        return (0, 0);
    }
    let zeros = digits.trailing_zeros();
    let digits = digits >> zeros;
    let signed = if double.is_sign_negative() { -digits } else { digits };
    (signed, exponent.max(1) - 1075 + zeros as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_become_integers_in_proportion() {
        let [a, b, c, d] = integers([1.5, -0.25, 0.0, 3.0]);
        assert_eq!([a, b, c, d], [6, -1, 0, 12].map(IBig::from));
        let [tiny, one] = integers([f64::from_bits(1), 1.0]);
        assert_eq!((tiny, one), (IBig::ONE, IBig::ONE << 1074));
        assert_eq!(integers([-0.0]), [IBig::ZERO]);
    }

    #[test]
    fn rounding_encloses() {
        let third = Dyadic::new((IBig::ONE << 200) / IBig::from(3), 200);
        let [low, high] = third.rounded();
        assert!(low <= 1.0 / 3.0 && 1.0 / 3.0 <= high && low < high && high - low < 2e-16);
        let quarter = Dyadic::ZERO.middle(&Dyadic::ZERO.middle(&Dyadic::ONE));
        assert_eq!(quarter.rounded(), [0.25, 0.25]);
        assert!(quarter < Dyadic::ONE && quarter > Dyadic::ZERO);
        let tiny = Dyadic { whole: IBig::ONE, shift: 2000 };
        assert_eq!(tiny.rounded()[0], 0.0);
        assert!(tiny.rounded()[1] > 0.0);
    }
}
