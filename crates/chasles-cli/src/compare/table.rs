//! A comparison for eyes.

use std::io::{self, Write};

use super::matching::Against;
use super::rows::{Comparison, Row};
use crate::table::missed_words;
use crate::words::{duration, length, plain, plural};

/// The heads of the columns of numbers.
pub(super) const HEADS: [&str; 9] = [
    "median",
    "contacts",
    "first",
    "sought",
    "found",
    "missed",
    "extra",
    "inside",
    "worst time error",
];

/// What each of these columns says.
pub(super) const MEANINGS: [&str; 9] = [
    "how long one query of all pairs takes, without set-up: half of the runs were faster",
    "how many contacts the method reports",
    "when the first of them is, as a fraction of the step",
    "how many contacts of the exact method this method looks for: those that it can find by its \
     nature",
    "how many of those that it looks for a contact of its own matches, one to one",
    "how many of those that it looks for none of its own contacts matches",
    "how many of its contacts match none of the exact method",
    "how many of its points are inside the other body from the start, where surfaces do not meet: \
     no false contacts, and not counted as extra",
    "the largest difference between the times of a contact and of the one that it matches, as a \
     fraction of the step",
];

/// The numbers of a row, under their heads.
pub(super) fn cells(row: &Row) -> [String; 9] {
    let none = || "-".to_string();
    let of = |number: Option<usize>| number.map_or_else(none, |number| number.to_string());
    let against = row.against.as_ref();
    let first = row.times.first().map_or_else(none, |time| format!("{time:.6}"));
    [
        duration(row.timing.median),
        row.times.len().to_string(),
        first,
        of(against.map(|a| a.sought)),
        of(against.map(|a| a.found)),
        of(against.map(Against::missed)),
        of(against.map(|a| a.extra)),
        of(against.map(|a| a.inside)),
        against.and_then(|a| a.worst()).map_or_else(none, length),
    ]
}

/// Writes a row for each method, and a line for each that does not take the scene.
pub(super) fn write(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", plain(&comparison.title))?;
    if comparison.pairs == 0 {
        return writeln!(out, "{}", summary(comparison));
    }
    let width = comparison.rows.iter().map(|row| row.options.len());
    let width = width.fold("options".len(), usize::max);
    let line = |name: &str, words: &str, cells: [&str; 9]| {
        let [median, contacts, first, sought, found, missed, extra, inside, worst] = cells;
        format!(
            "{name:6}  {words:width$}  {median:>9}  {contacts:>8}  {first:>8}  {sought:>6}  \
             {found:>6}  {missed:>6}  {extra:>5}  {inside:>6}  {worst:>16}"
        )
    };
    writeln!(out, "{}", line("method", "options", HEADS))?;
    for row in &comparison.rows {
        let cells = cells(row);
        let cells = cells.each_ref().map(String::as_str);
        writeln!(out, "{}", line(row.method, &row.options, cells))?;
    }
    if !comparison.refused.is_empty() {
        writeln!(out)?;
    }
    for refused in &comparison.refused {
        writeln!(out, "{:6}  {}", refused.method, plain(&refused.reason))?;
    }
    for row in &comparison.rows {
        let words = sums(row);
        if !words.is_empty() {
            writeln!(out, "\n{:6}  {}", row.method, words.join("\n        "))?;
        }
    }
    writeln!(out, "\n{}", summary(comparison))?;
    writeln!(out, "`chasles docs compare` explains the columns")
}

/// What a method looks for, what its contacts are matched with, how both add up, and what it may
/// miss. Of the exact method nothing is said, and where that does not take the scene, the last
/// alone.
pub(super) fn sums(row: &Row) -> Vec<String> {
    let missed_words = row.missed.as_ref().map(missed_words);
    let Some(against) = &row.against else { return missed_words.into_iter().collect() };
    let Against { sought, found, unsought, repeated, between, extra, inside, .. } = *against;
    let missed = against.missed();
    let why = [
        (against.merged, "next to a contact that matches another"),
        (
            row.missed.as_ref().map_or(0, |_| against.missed_edges),
            "edges that cross between samples",
        ),
    ];
    let why = why.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!(", {n} of them {what}"));
    let why: String = why.collect();
    let mut parts = vec![format!("{found} found")];
    let others = [
        (unsought, "not sought"),
        (repeated, "said again"),
        (between, "of samples between"),
        (inside, "inside"),
    ];
    parts.extend(others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    parts.push(format!("{extra} extra"));
    let depth = missed_words.map(|words| format!("; {words}")).unwrap_or_default();
    vec![
        row.matched.to_string(),
        format!("{sought} sought = {found} found + {missed} missed{why}"),
        format!("{} = {}{depth}", plural(row.times.len(), "contact"), parts.join(" + ")),
    ]
}

/// A sentence on how the times were measured, or on why there are none.
pub(super) fn summary(comparison: &Comparison) -> String {
    if comparison.pairs == 0 {
        let bodies = plural(comparison.bodies, "body");
        return format!("{bodies}: no pair to compare methods on; add a second [[body]]");
    }
    let runs = comparison.rows.iter().map(|row| row.timing.runs as usize);
    let (least, most) = (runs.clone().min().unwrap_or(0), runs.max().unwrap_or(0));
    let runs = match least == most {
        true => plural(most, "run"),
        false => format!("{least} to {most} runs"),
    };
    format!("Medians of {runs}, without set-up; times and errors as fractions of the step")
}
