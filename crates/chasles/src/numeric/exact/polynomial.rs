//! Polynomials with integer coefficients.

use std::ops::{Add, Mul, Neg, Sub};

use dashu_int::ops::BitTest;
use dashu_int::{IBig, Sign};

use super::dyadic::Dyadic;

/// A polynomial in the time; the coefficient of the lowest power comes first, the last is not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Polynomial(Vec<IBig>);

/// -1, 0 or 1.
pub(super) fn sign(of: &IBig) -> i8 {
    match of.sign() {
        _ if of.is_zero() => 0,
        Sign::Positive => 1,
        Sign::Negative => -1,
    }
}

impl Polynomial {
    pub(crate) fn new(mut coefficients: Vec<IBig>) -> Self {
        while coefficients.last().is_some_and(IBig::is_zero) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    /// The value that runs from `start` to `end` between the times 0 and 1.
    pub(crate) fn between(start: &IBig, end: &IBig) -> Self {
        Self::new(vec![start.clone(), end - start])
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn leading(&self) -> Option<&IBig> {
        self.0.last()
    }

    /// The sign of the value at a time.
    pub(crate) fn sign_at(&self, time: &Dyadic) -> i8 {
        let mut value = IBig::ZERO;
        for (power, coefficient) in self.0.iter().rev().enumerate() {
            value = value * &time.whole + (coefficient << (time.shift * power));
        }
        sign(&value)
    }

    /// About where the polynomial changes sign between two times, as far as doubles can tell.
    pub(super) fn root_in_doubles(&self, [mut low, mut high]: [f64; 2]) -> f64 {
        // Only proportions matter, and leading digits.
        let spare = self.0.iter().map(|c| c.bit_len()).max().unwrap_or(0).saturating_sub(900);
        let c: Vec<f64> = self.0.iter().map(|c| (c >> spare).to_f64().value()).collect();
        let value = |t: f64| c.iter().rev().fold(0.0, |sum, c| sum * t + c);
        let rising = value(high) > value(low);
        let mut t = 0.5 * (low + high);
        for _ in 0..50 {
            if (value(t) > 0.0) == rising {
                high = t;
            } else {
                low = t;
            }
            // The chord finds simple roots; halving every other time makes sure of the rest.
            let chord = low - value(low) * (high - low) / (value(high) - value(low));
            let middle = 0.5 * (low + high);
            t = if chord > low && chord < high && t != middle { chord } else { middle };
        }
        t
    }

    pub(crate) fn derivative(&self) -> Self {
        let powers = (1_u32..).map(IBig::from);
        Self::new(self.0.iter().skip(1).zip(powers).map(|(c, power)| c * power).collect())
    }

    /// A positive multiple of the remainder of the division by a polynomial other than zero.
    pub(super) fn remainder(mut self, by: &Self) -> Self {
        let Some(leading) = by.leading() else { return self };
        let factor = leading * IBig::from(sign(leading));
        while self.0.len() >= by.0.len() {
            let Some(top) = self.0.pop() else { break };
            let top = top * IBig::from(sign(leading));
            let shift = self.0.len() + 1 - by.0.len();
            for (i, c) in self.0.iter_mut().enumerate() {
                *c *= &factor;
                if i >= shift {
                    *c -= &top * &by.0[i - shift];
                }
            }
            self = Self::new(self.0);
        }
        self
    }

    /// The common factor of the highest degree of two polynomials, up to a constant.
    pub(super) fn common_factor(&self, other: &Self) -> Self {
        let [mut before, mut now] = [self.clone(), other.clone()];
        while !now.is_zero() {
            let next = before.remainder(&now);
            before = now;
            now = next;
        }
        before
    }

    /// The polynomial with every root once, up to a constant.
    pub(super) fn with_simple_roots(&self) -> Self {
        let repeated = self.common_factor(&self.derivative());
        if repeated.0.len() > 1 { self.divided(&repeated) } else { self.clone() }
    }

    /// A multiple of the quotient by a factor of higher degree than 0.
    fn divided(&self, by: &Self) -> Self {
        let Some(leading) = by.leading() else { return self.clone() };
        let mut rest = self.0.clone();
        let mut quotient = Vec::new();
        while rest.len() >= by.0.len() {
            let Some(top) = rest.pop() else { break };
            let shift = rest.len() + 1 - by.0.len();
            for (i, c) in rest.iter_mut().enumerate() {
                *c *= leading;
                if i >= shift {
                    *c -= &top * &by.0[i - shift];
                }
            }
            for c in &mut quotient {
                *c *= leading;
            }
            quotient.push(top);
        }
        quotient.reverse();
        Self::new(quotient)
    }

    /// The polynomial with every factor that vanishes at this time taken out, up to a constant.
    pub(super) fn without_root(&self, time: &Dyadic) -> Self {
        let mut rest = self.clone();
        while !rest.is_zero() && rest.sign_at(time) == 0 {
            // Division by `2^shift t - whole`, from the highest power down; no fraction is left,
            // because `whole` and the power of two have no common factor.
            let mut quotient = vec![IBig::ZERO; rest.0.len() - 1];
            let mut carried = IBig::ZERO;
            for (i, c) in rest.0.iter().enumerate().skip(1).rev() {
                carried = (c + &carried * &time.whole) >> time.shift;
                quotient[i - 1] = carried.clone();
            }
            rest = Self::new(quotient);
        }
        rest
    }

    /// How often the coefficients of the Bernstein form between two times change sign (at least
    /// the number of roots between them, and of the same parity), and the first sign that is not 0.
    pub(super) fn changes_between(&self, low: &Dyadic, high: &Dyadic) -> (usize, i8) {
        let ([low, high], shift) = low.aligned(high);
        let width = high - &low;
        // First x from 0 to 1, t = (low + width x) / 2^shift: multiples of all coefficients, then
        // a shift by `low`; each step of the scheme brings one more factor.
        let n = self.0.len();
        let mut c: Vec<IBig> =
            self.0.iter().enumerate().map(|(i, c)| c << (shift * (n - 1 - i))).collect();
        for i in 0..n {
            for j in (i..n.saturating_sub(1)).rev() {
                let next = &c[j + 1] * &low;
                c[j] += next;
            }
        }
        let mut power = IBig::ONE;
        for c in &mut c {
            *c *= &power;
            power *= &width;
        }
        // Then x = 1 / (1 + y), y from infinity to 0: reversed, and shifted by one.
        c.reverse();
        for i in 0..n {
            for j in (i..n.saturating_sub(1)).rev() {
                let next = c[j + 1].clone();
                c[j] += next;
            }
        }
        // The constant of `y` belongs to `high`: read from the other end.
        let mut signs = c.iter().rev().map(sign).filter(|s| *s != 0);
        let first = signs.next().unwrap_or(0);
        let mut last = first;
        let mut changes = 0;
        for sign in signs {
            changes += usize::from(sign != last);
            last = sign;
        }
        (changes, first)
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;

    fn add(self, other: Self) -> Polynomial {
        let [long, short] =
            if self.0.len() >= other.0.len() { [self, other] } else { [other, self] };
        let mut sum = long.0.clone();
        for (c, other) in sum.iter_mut().zip(&short.0) {
            *c += other;
        }
        Polynomial::new(sum)
    }
}

impl Neg for Polynomial {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.into_iter().map(|c| -c).collect())
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;

    fn sub(self, other: Self) -> Polynomial {
        let mut difference = self.0.clone();
        difference.resize(self.0.len().max(other.0.len()), IBig::ZERO);
        for (c, other) in difference.iter_mut().zip(&other.0) {
            *c -= other;
        }
        Polynomial::new(difference)
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;

    fn mul(self, other: Self) -> Polynomial {
        if self.is_zero() || other.is_zero() {
            return Polynomial(Vec::new());
        }
        let mut product = vec![IBig::ZERO; self.0.len() + other.0.len() - 1];
        for (i, p) in self.0.iter().enumerate().filter(|(_, p)| !p.is_zero()) {
            for (j, q) in other.0.iter().enumerate() {
                product[i + j] += p * q;
            }
        }
        Polynomial::new(product)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial<const N: usize>(c: [i64; N]) -> Polynomial {
        Polynomial::new(c.map(IBig::from).to_vec())
    }

    fn half() -> Dyadic {
        Dyadic::ZERO.middle(&Dyadic::ONE)
    }

    #[test]
    fn arithmetic() {
        let [p, q] = [polynomial([-1, 2]), polynomial([3, 0, 1])];
        assert_eq!(&p + &q, polynomial([2, 2, 1]));
        assert_eq!(&q - &q, polynomial([0]));
        assert_eq!(&p * &q, polynomial([-3, 6, -1, 2]));
        assert_eq!(q.derivative(), polynomial([0, 2]));
        assert_eq!(
            (p.sign_at(&Dyadic::ZERO), p.sign_at(&half()), p.sign_at(&Dyadic::ONE)),
            (-1, 0, 1)
        );
        // t^2 + 3 = (-2 t + 1) (...) + 13/4, times 4.
        assert_eq!(q.remainder(&polynomial([1, -2])), polynomial([13]));
    }

    #[test]
    fn roots_are_taken_out_with_all_their_factors() {
        let p = polynomial([-1, 2]);
        let q = polynomial([3, 0, 1]);
        let product = &(&p * &p) * &q;
        assert_eq!(product.without_root(&half()), q);
        assert_eq!(polynomial([0, 0, 5]).without_root(&Dyadic::ZERO), polynomial([5]));
    }

    #[test]
    fn repeated_factors_are_taken_out_once() {
        let [p, q] = [polynomial([-1, 7]), polynomial([3, 0, 1])];
        let simple = (&(&p * &p) * &q).with_simple_roots();
        // A multiple of the product of both.
        assert!(simple.clone().remainder(&(&p * &q)).is_zero());
        assert_eq!(simple.0.len(), 4);
        assert_eq!((&p * &q).with_simple_roots(), &p * &q);
        assert_eq!((&(&p * &p) * &p).with_simple_roots().0.len(), 2);
    }

    #[test]
    fn sign_changes_bound_roots() {
        // (4 t - 1)(4 t - 3)
        let p = polynomial([3, -16, 16]);
        assert_eq!(p.changes_between(&Dyadic::ZERO, &Dyadic::ONE), (2, 1));
        assert_eq!(p.changes_between(&Dyadic::ZERO, &half()), (1, 1));
        assert_eq!(p.changes_between(&half(), &Dyadic::ONE), (1, -1));
        assert_eq!(polynomial([1, 0, 1]).changes_between(&Dyadic::ZERO, &Dyadic::ONE), (0, 1));
    }
}
