//! What is wrong with the input, in words.

use std::fmt::Display;

use thiserror::Error;
use wasm_bindgen::JsValue;

/// What is wrong with the input: what, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Wrong(String);

impl Wrong {
    /// Something that is wrong, in words.
    pub(crate) fn new(words: impl Display) -> Self {
        Self(words.to_string())
    }
}

impl From<Wrong> for JsValue {
    fn from(wrong: Wrong) -> Self {
        wasm_bindgen::JsError::new(&wrong.0).into()
    }
}
