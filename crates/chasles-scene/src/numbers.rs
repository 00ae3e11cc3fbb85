//! Every number of a scene file is finite and not absurdly large, wherever it stands.
//!
//! TOML knows `nan` and `inf`. One walk over the whole file refuses them with their place, so that
//! nothing behind it has to ask again.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Fault, Problem};

/// The largest number accepted, as in the library: squares and products of three stay finite.
const LARGEST: f64 = 1e100;

/// Fails if a number is not finite or too large.
pub(crate) fn check(table: &DeTable) -> Result<(), Fault> {
    check_table("", table)
}

fn check_table(key: &str, table: &DeTable) -> Result<(), Fault> {
    table.iter().try_for_each(|(name, value)| {
        let dot = if key.is_empty() { "" } else { "." };
        check_value(&format!("{key}{dot}{}", name.get_ref()), value)
    })
}

fn check_value(key: &str, value: &Spanned<DeValue>) -> Result<(), Fault> {
    match value.get_ref() {
        DeValue::Table(table) => check_table(key, table),
        DeValue::Array(array) => array
            .iter()
            .enumerate()
            .try_for_each(|(index, value)| check_value(&format!("{key}[{index}]"), value)),
        DeValue::Float(float) => {
            let number = float.as_str().to_string();
            let key = key.to_string();
            match number.parse::<f64>() {
                Ok(x) if x.abs() <= LARGEST => Ok(()),
                Ok(x) if x.is_finite() => {
                    Err(Fault::new(Problem::TooLarge { key, number }, value.span()))
                }
                _ => Err(Fault::new(Problem::NotFinite { key, number }, value.span())),
            }
        }
        DeValue::Integer(whole) => {
            let (digits, radix) = (whole.as_str(), whole.radix());
            let fits = i64::from_str_radix(digits, radix).is_ok()
                || u64::from_str_radix(digits, radix).is_ok();
            if fits {
                return Ok(());
            }
            let (key, number) = (key.to_string(), whole.to_string());
            Err(Fault::new(Problem::LongInteger { key, number }, value.span()))
        }
        _ => Ok(()),
    }
}
