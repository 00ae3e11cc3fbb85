//! How a body takes part in a simulation: whom it meets, what pulls and slows it, whether its
//! surface runs along, and whether it only tells who is in it.

use chasles_dynamics::Body;
use chasles_dynamics::world::{Damping, Filter};
use toml::Spanned;

use super::entry::SimulateKeys;
use super::error::SimulateProblem;
use super::fault;
use crate::error::Fault;
use crate::form::Source;
use crate::given::{first_given, span};
use crate::motion;

/// Groups have numbers below this.
const GROUPS: u8 = 32;

impl Source<'_, SimulateKeys> {
    /// The body with the manners of its table.
    pub(super) fn mannered(&self, body: Body) -> Result<Body, Fault> {
        let SimulateKeys { sensor, surface_velocity, .. } = self.own();
        let vector = |key: &Option<Spanned<_>>| motion::vector(key.as_ref().map(|v| *v.get_ref()));
        let body = body.filtered(self.filter()?).damped(self.damping()?);
        let body = body.conveying(vector(surface_velocity));
        Ok(if sensor.as_ref().is_some_and(|is_one| *is_one.get_ref()) {
            body.sensing()
        } else {
            body
        })
    }

    /// Fails on manners that a body of this kind does not have.
    pub(super) fn check_manners(&self) -> Result<(), Fault> {
        let SimulateKeys { linear_damping, angular_damping, .. } = self.own();
        let given = first_given([
            ("linear_damping", span(linear_damping)),
            ("angular_damping", span(angular_damping)),
        ]);
        match given.filter(|_| !self.kind().has_mass()) {
            None => Ok(()),
            Some((key, span)) => {
                let (body, kind) = (self.name.to_string(), self.kind().name());
                Err(fault(SimulateProblem::NotOfKind { body, kind, key }, span))
            }
        }
    }

    fn damping(&self) -> Result<Damping, Fault> {
        let SimulateKeys { linear_damping, angular_damping, .. } = self.own();
        let rate = |key: &'static str, entry: &Option<Spanned<f64>>| match entry {
            None => Ok(0.0),
            Some(rate) if *rate.get_ref() >= 0.0 => Ok(*rate.get_ref()),
            Some(rate) => {
                Err(fault(SimulateProblem::Below { key, number: *rate.get_ref() }, rate.span()))
            }
        };
        Ok(Damping {
            linear: rate("linear_damping", linear_damping)?,
            angular: rate("angular_damping", angular_damping)?,
        })
    }

    fn filter(&self) -> Result<Filter, Fault> {
        let SimulateKeys { groups, mask, .. } = self.own();
        let usual = Filter::default();
        Ok(Filter {
            groups: bits("groups", groups)?.unwrap_or(usual.groups),
            mask: bits("mask", mask)?.unwrap_or(usual.mask),
        })
    }
}

/// A list of groups as bits.
fn bits(key: &'static str, groups: &Option<Vec<Spanned<u8>>>) -> Result<Option<u32>, Fault> {
    let bit = |bits: u32, group: &Spanned<u8>| match *group.get_ref() {
        number if number < GROUPS => Ok(bits | 1 << number),
        number => {
            let (number, high) = (f64::from(number), f64::from(GROUPS - 1));
            Err(fault(SimulateProblem::OutOfRange { key, number, low: 0.0, high }, group.span()))
        }
    };
    groups.as_ref().map(|groups| groups.iter().try_fold(0, bit)).transpose()
}
