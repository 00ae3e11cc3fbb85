//! What can go wrong.

use thiserror::Error;

/// Why a device gives no contacts.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// No adapter can be used.
    #[error("no adapter can compute here; seen: {}", list(.seen))]
    NoAdapter {
        /// The adapters that were seen, and what each lacks.
        seen: Vec<String>,
    },
    /// The adapter gave no device.
    #[error("{adapter} gave no device: {reason}")]
    NoDevice {
        /// The name of the adapter.
        adapter: String,
        /// What it said.
        reason: String,
    },
    /// A pair is at fault.
    #[error("pair {pair}: {reason}")]
    Pair {
        /// Its number.
        pair: usize,
        /// Why its contacts cannot be found.
        reason: chasles::screen::ScreenError,
    },
    /// Lists would need more memory than is allowed.
    #[error(
        "the lists of the device need {needed} bytes: {limit} are allowed; choose larger pixels, \
         or allow more"
    )]
    Memory {
        /// What one pair, or as few as possible, need.
        needed: u64,
        /// What is allowed.
        limit: u64,
    },
    /// The device failed, or answered what makes no sense.
    #[error("{adapter} failed: {reason}")]
    Failed {
        /// The name of the adapter.
        adapter: String,
        /// What it said.
        reason: String,
    },
}

fn list(seen: &[String]) -> String {
    if seen.is_empty() { "none".to_owned() } else { seen.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapters_that_were_seen_are_named() {
        let none = Error::NoAdapter { seen: vec![] }.to_string();
        assert_eq!(none, "no adapter can compute here; seen: none");
        let seen = ["one: 4 storage buffers", "two: no compute"].map(String::from).to_vec();
        let message = Error::NoAdapter { seen }.to_string();
        assert!(message.ends_with("seen: one: 4 storage buffers; two: no compute"), "{message}");
    }
}
