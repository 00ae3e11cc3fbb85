//! Which keys the tables of a scene give, and where.

use std::ops::Range;

use toml::Spanned;

use crate::keys::BodyEntry;

/// A place in the file.
pub(crate) type Span = Range<usize>;

/// A key, and where it is if it is given.
pub(crate) type Key = (&'static str, Option<Span>);

/// Where a value is, if it is given.
pub(crate) fn span<T>(entry: &Option<Spanned<T>>) -> Option<Span> {
    entry.as_ref().map(Spanned::span)
}

/// The first key that is given.
pub(crate) fn first_given(keys: impl IntoIterator<Item = Key>) -> Option<(&'static str, Span)> {
    keys.into_iter().find_map(|(key, span)| Some((key, span?)))
}

/// The name of a body, or what it is called without one.
pub(crate) fn name<K>(index: usize, entry: &BodyEntry<K>) -> String {
    entry
        .common
        .name
        .as_ref()
        .map_or_else(|| format!("body-{index}"), |name| name.get_ref().clone())
}
