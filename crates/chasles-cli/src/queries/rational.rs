//! The double nearest to a fraction of whole numbers of any length.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, Sign, UBig};

/// The longest number that is read: the smallest double as a fraction has some 750 digits, and
/// longer ones only cost time.
pub(super) const LONGEST: usize = 4096;

/// The double nearest to a fraction, of two equally near ones the even one; and whether it is
/// equal.
///
/// *Accepts* any numerator, and a denominator other than 0. *Guarantees* the rounding of IEEE 754,
/// also where doubles are subnormal; beyond their range the result is infinite. *Fails* never.
pub(super) fn nearest(numerator: IBig, denominator: IBig) -> (f64, bool) {
    let (sign, n) = numerator.into_parts();
    let (other, d) = denominator.into_parts();
    let (magnitude, is_equal) = nearest_magnitude(&n, &d);
    (if sign == other { magnitude } else { -magnitude }, is_equal)
}

/// Bits of the quotient beyond those of a double: enough to tell halves from what is next to them,
/// together with a last bit that is set where there is a remainder.
const BITS: i64 = 66;

fn nearest_magnitude(n: &UBig, d: &UBig) -> (f64, bool) {
    if *n == UBig::ZERO {
        return (0.0, true);
    }
    // The fraction is q 2^-shift, and q has 66 or 67 bits.
    let shift = BITS - (n.bit_len() as i64 - d.bit_len() as i64);
    let [up, down] = [shift.max(0), (-shift).max(0)].map(|bits| bits as usize);
    let (n, d) = (n << up, d << down);
    let quotient = &n / &d;
    let is_whole = &quotient * &d == n;
    let q = u128::try_from(quotient).unwrap_or(u128::MAX) | u128::from(!is_whole);
    // The exponent of the last bit of the double.
    let bits = i64::from(u128::BITS - q.leading_zeros());
    let last = (bits - 53 - shift).max(-1074);
    let dropped = last + shift;
    if dropped > 127 {
        return (0.0, false);
    }
    let (kept, rest) = (q >> dropped, q & ((1 << dropped) - 1));
    let half = 1 << (dropped - 1);
    let up = rest > half || (rest == half && kept % 2 == 1);
    (scaled((kept + u128::from(up)) as f64, last), rest == 0)
}

/// A whole number of at most 53 bits times a power of two that a double holds, in two steps: the
/// power alone may be beyond what one does.
fn scaled(whole: f64, exponent: i64) -> f64 {
    let half = (exponent / 2).clamp(-1100, 1100) as i32;
    let rest = (exponent - i64::from(half)).clamp(-1100, 1100) as i32;
    whole * 2_f64.powi(half) * 2_f64.powi(rest)
}

/// The numerator or denominator that a text states.
pub(super) fn whole(text: &str) -> Option<IBig> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_whole || text.len() > LONGEST {
        return None;
    }
    let magnitude = UBig::from_str_radix(digits, 10).ok()?;
    let sign = if text.starts_with('-') { Sign::Negative } else { Sign::Positive };
    Some(IBig::from_parts(sign, magnitude))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(n: &str, d: &str) -> (f64, bool) {
        nearest(whole(n).expect("a number"), whole(d).expect("a number"))
    }

    #[test]
    fn fractions_become_the_nearest_doubles() {
        assert_eq!(of("3", "-2"), (-1.5, true));
        assert_eq!(of("0", "7"), (0.0, true));
        assert_eq!(of("1", "3"), (1.0 / 3.0, false));
        assert_eq!(of("-1", "10"), (-0.1, false));
        // Half way between 2^53 and 2^53 + 2 the even one is nearer; a little more is not half way.
        assert_eq!(of("9007199254740993", "1"), (9007199254740992.0, false));
        assert_eq!(of("9007199254740995", "1"), (9007199254740996.0, false));
        let more = format!("9007199254740993{}1", "0".repeat(400));
        let one = format!("1{}", "0".repeat(401));
        assert_eq!(of(&more, &one), (9007199254740994.0, false));
    }

    #[test]
    fn every_double_is_read_back() {
        let mut bits = 1_u64;
        for _ in 0..3000 {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let x = f64::from_bits(bits & !(1 << 63));
            // Subnormal ones, too.
            for x in [x, f64::from_bits(bits >> 13), f64::MIN_POSITIVE, f64::MAX] {
                if !x.is_finite() {
                    continue;
                }
                let exponent = ((x.to_bits() >> 52) as i64).max(1) - 1075;
                let mantissa = x.to_bits() & ((1 << 52) - 1);
                let mantissa = if x.is_normal() { mantissa | 1 << 52 } else { mantissa };
                let power = |bits: i64| IBig::from(1) << (bits.max(0) as usize);
                let n = IBig::from(mantissa) * power(exponent) * IBig::from(3);
                assert_eq!(nearest(n, power(-exponent) * IBig::from(3)), (x, true));
            }
        }
    }

    #[test]
    fn what_doubles_do_not_hold_becomes_zero_or_infinite() {
        let huge = format!("1{}", "0".repeat(400));
        assert_eq!(of(&huge, "1"), (f64::INFINITY, false));
        assert_eq!(of("1", &huge), (0.0, false));
        // Half of the smallest double is as near to zero, which is even; more than half is not.
        let smallest = (UBig::ONE << 1075).to_string();
        assert_eq!(of("1", &smallest), (0.0, false));
        assert_eq!(of("3", &smallest), (2.0 * f64::from_bits(1), false));
        assert_eq!(whole("12a"), None);
        assert_eq!(whole(""), None);
        assert_eq!(whole("-"), None);
    }
}
