//! The key `lock` of a body: directions of the world in which it does not move.

use chasles_dynamics::body::Locks;
use schemars::JsonSchema;
use serde::Deserialize;

/// A direction in which a body does not move.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(try_from = "String")]
#[schemars(rename_all = "kebab-case")]
pub(crate) enum LockEntry {
    /// Its centre of mass does not move along the x axis of the world.
    X,
    /// Nor along y.
    Y,
    /// Nor along z.
    Z,
    /// It does not turn about the x axis of the world.
    TurnX,
    /// Nor about y.
    TurnY,
    /// Nor about z.
    TurnZ,
    /// It does not turn at all.
    Turns,
}

impl TryFrom<String> for LockEntry {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        Ok(match word.as_str() {
            "x" => Self::X,
            "y" => Self::Y,
            "z" => Self::Z,
            "turn-x" => Self::TurnX,
            "turn-y" => Self::TurnY,
            "turn-z" => Self::TurnZ,
            "turns" => Self::Turns,
            _ => {
                return Err(format!(
                    "unknown direction `{word}`, expected one of `x`, `y`, `z`, `turn-x`, \
                     `turn-y`, `turn-z`, `turns`"
                ));
            }
        })
    }
}

/// All directions together.
pub(super) fn locks(entries: &[LockEntry]) -> Locks {
    let mut locks = Locks::NONE;
    for entry in entries {
        match entry {
            LockEntry::X => locks.shifts[0] = true,
            LockEntry::Y => locks.shifts[1] = true,
            LockEntry::Z => locks.shifts[2] = true,
            LockEntry::TurnX => locks.turns[0] = true,
            LockEntry::TurnY => locks.turns[1] = true,
            LockEntry::TurnZ => locks.turns[2] = true,
            LockEntry::Turns => locks.turns = [true; 3],
        }
    }
    locks
}
