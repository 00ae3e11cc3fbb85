//! Exact arithmetic: integer polynomials, the times at which they vanish, and signs at such times.
//!
//! Doubles are integers times a power of two, so whatever is a polynomial in the input is one with
//! integer coefficients, up to a positive factor. A time is never computed: it is a polynomial and
//! an interval with binary ends in which that polynomial vanishes once. The sign of another
//! polynomial at that time follows from a Sturm chain, without rounding and without a tolerance.

mod dyadic;
mod polynomial;
mod time;

pub(crate) use dyadic::{Dyadic, integers};
pub(crate) use polynomial::Polynomial;
pub(crate) use time::{Time, roots_in_step};
