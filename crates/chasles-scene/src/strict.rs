//! Shapes whose lists are too long are refused.
//!
//! The TOML reader fills an array of three from a list of four and drops the rest. So every list
//! of a shape is compared with what was made of it.

use chasles::mesh::shapes::Shape;
use toml::de::{DeTable, DeValue};

use crate::error::{Fault, Problem};

/// Fails if a shape, already read as `shape`, is stated with more numbers than it takes.
pub(crate) fn check(stated: &DeValue, shape: &Shape) -> Result<(), Fault> {
    let DeValue::Table(stated) = stated else { return Ok(()) };
    // A shape is numbers and lists of numbers, which JSON can hold.
    check_lists(stated, &serde_json::to_value(shape).unwrap_or_default())
}

fn check_lists(stated: &DeTable, taken: &serde_json::Value) -> Result<(), Fault> {
    for (key, value) in stated {
        let key = key.get_ref();
        match (value.get_ref(), &taken[key.as_ref()]) {
            (DeValue::Table(stated), taken) => check_lists(stated, taken)?,
            (DeValue::Array(list), serde_json::Value::Array(numbers))
                if list.len() != numbers.len() =>
            {
                let [found, wanted] = [list.len(), numbers.len()];
                let message = format!("`{key}` has {found} numbers, but takes {wanted}");
                return Err(Fault::new(Problem::Format(message), value.span()));
            }
            _ => {}
        }
    }
    Ok(())
}
