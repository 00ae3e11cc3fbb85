//! Which keys the tables of a scene give, and those of another command, which they may not.

use std::ops::Range;

use toml::Spanned;

use crate::error::{Fault, Problem};
use crate::file::BodyEntry;

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

/// The keys that only `chasles collide` has for what a body is and how it moves, but for `twist`.
pub(crate) fn of_collide(entry: &BodyEntry) -> [Key; 6] {
    [
        ("end", span(&entry.end)),
        ("flight", span(&entry.flight)),
        ("solid", span(&entry.solid)),
        ("sdf", span(&entry.sdf)),
        ("expression", span(&entry.expression)),
        ("bounds", span(&entry.bounds)),
    ]
}

/// The keys that only `chasles trace` has.
pub(crate) fn of_trace(entry: &BodyEntry) -> [Key; 6] {
    [
        ("moving", span(&entry.moving)),
        ("translate", span(&entry.translate)),
        ("rotate", span(&entry.rotate)),
        ("portions", span(&entry.portions)),
        ("walk", span(&entry.walk)),
        ("tag", span(&entry.tag)),
    ]
}

/// The name of a body, or what it is called without one.
pub(crate) fn name(index: usize, entry: &BodyEntry) -> String {
    entry.name.as_ref().map_or_else(|| format!("body-{index}"), |name| name.get_ref().clone())
}

/// Fails on the first body that gives one of these keys; `problem` is made of its name and the key.
pub(crate) fn refuse<const N: usize, P: Into<Problem>>(
    bodies: &[Spanned<BodyEntry>],
    keys: impl Fn(&BodyEntry) -> [Key; N],
    problem: impl Fn(String, &'static str) -> P,
) -> Result<(), Fault> {
    for (index, entry) in bodies.iter().enumerate() {
        let entry = entry.get_ref();
        if let Some((key, span)) = first_given(keys(entry)) {
            return Err(Fault::new(problem(name(index, entry), key), span));
        }
    }
    Ok(())
}
