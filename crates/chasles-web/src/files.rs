//! Files that a scene names, from memory.

use std::collections::BTreeMap;

use wasm_bindgen::prelude::*;

/// Files by the names that scenes have for them.
#[wasm_bindgen]
#[derive(Clone, Debug, Default)]
pub struct Files {
    files: BTreeMap<String, Vec<u8>>,
}

#[wasm_bindgen]
impl Files {
    /// No files.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Files {
        Self::default()
    }

    /// Adds a file, in place of one with this name.
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) {
        self.files.insert(name.to_string(), bytes);
    }
}

impl Files {
    /// The same as scenes take them.
    pub(crate) fn inner(&self) -> BTreeMap<String, Vec<u8>> {
        self.files.clone()
    }
}
