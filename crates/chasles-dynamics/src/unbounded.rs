//! Numbers that may be infinite, for formats that have no infinity: it is written as the largest
//! number, and that is read as infinity.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

fn bounded(number: f64) -> f64 {
    number.clamp(-f64::MAX, f64::MAX)
}

fn unbounded(number: f64) -> f64 {
    if number.abs() == f64::MAX { number * f64::INFINITY } else { number }
}

/// For a field that is a number.
pub(crate) fn serialize<S: Serializer>(number: &f64, out: S) -> Result<S::Ok, S::Error> {
    bounded(*number).serialize(out)
}

/// For a field that is a number.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    f64::deserialize(from).map(unbounded)
}

/// For a field that may be limits.
pub(crate) mod limits {
    use super::{Deserialize, Deserializer, Serialize, Serializer, bounded, unbounded};

    pub(crate) fn serialize<S: Serializer>(
        limits: &Option<[f64; 2]>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        limits.map(|limits| limits.map(bounded)).serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<[f64; 2]>, D::Error> {
        Ok(Option::<[f64; 2]>::deserialize(from)?.map(|limits| limits.map(unbounded)))
    }
}
