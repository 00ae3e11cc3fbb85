//! Shapes whose lists are too long are refused.
//!
//! The TOML reader fills an array of three from a list of four and drops the rest. So every list
//! of a shape is compared with what was made of it.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Fault, Problem};
use crate::file::BodyEntry;

/// Fails if a shape of a scene, already read as `bodies`, has more numbers than it takes.
pub(crate) fn check(scene: &DeTable, bodies: &[Spanned<BodyEntry>]) -> Result<(), Fault> {
    let Some(DeValue::Array(tables)) = value(scene, "body") else { return Ok(()) };
    for (table, body) in tables.iter().zip(bodies) {
        let (DeValue::Table(table), Some(shape)) = (table.get_ref(), &body.get_ref().shape) else {
            continue;
        };
        // A shape is numbers and lists of numbers, which JSON can hold.
        let taken = serde_json::to_value(shape.get_ref()).unwrap_or_default();
        if let Some(DeValue::Table(stated)) = value(table, "shape") {
            check_lists(stated, &taken)?;
        }
    }
    Ok(())
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

fn value<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t DeValue<'i>> {
    let found = table.iter().find(|(name, _)| name.get_ref() == key);
    found.map(|(_, value)| value.get_ref())
}
