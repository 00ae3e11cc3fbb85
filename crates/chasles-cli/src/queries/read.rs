//! Files of queries in all their forms, told apart by how they begin.

use chasles::deform::{Kind, labelled};

use super::file::{Queries, Wrong};
use super::{numpy, text};

/// The queries of a file, whatever its form.
pub(super) fn read(kind: Kind, bytes: &[u8]) -> Result<Queries, Wrong> {
    if bytes.starts_with(numpy::ZIP) {
        return numpy::read_archive(bytes).map_err(Wrong::Form)?.queries(kind);
    }
    if bytes.starts_with(numpy::NPY) {
        return numpy::read_array(bytes).map_err(Wrong::Form)?.queries(kind);
    }
    if let Some(text) = text::decoded(bytes) {
        return text::read(&text).map_err(Wrong::Form)?.queries(kind);
    }
    let queries = labelled(kind, bytes).map_err(Wrong::Queries)?;
    Ok(Queries { queries, rounded: 0 })
}
