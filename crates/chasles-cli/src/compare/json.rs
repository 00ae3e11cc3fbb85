//! A comparison for scripts.

use std::io::{self, Write};

use serde::Serialize;

use super::matching::Against;
use super::rows::{Comparison, Row};
use crate::results::Missed;

/// Writes a comparison and a line end.
pub(super) fn write(
    comparison: &Comparison,
    warnings: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let refused = comparison
        .refused
        .iter()
        .map(|refused| RefusedJson { method: refused.method, reason: &refused.reason });
    let document = ComparisonJson {
        title: &comparison.title,
        pairs: comparison.pairs,
        warnings,
        methods: comparison.rows.iter().map(RowJson::of).collect(),
        refused: refused.collect(),
    };
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

#[derive(Serialize)]
struct ComparisonJson<'c> {
    title: &'c str,
    /// Without any pair there are no methods.
    pairs: usize,
    /// Left out if there are none.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'c [String],
    methods: Vec<RowJson>,
    refused: Vec<RefusedJson<'c>>,
}

#[derive(Serialize)]
struct RowJson {
    method: &'static str,
    options: String,
    runs: u32,
    median_ns: u64,
    min_ns: u64,
    contacts: usize,
    /// Null without contacts.
    first: Option<f64>,
    /// These are null for the exact method, and where it does not take the scene.
    sought: Option<usize>,
    found: Option<usize>,
    missed: Option<usize>,
    merged: Option<usize>,
    missed_edges: Option<usize>,
    unsought: Option<usize>,
    repeated: Option<usize>,
    between: Option<usize>,
    extra: Option<usize>,
    inside: Option<usize>,
    worst_time_error: Option<f64>,
    /// How deep a point may be in another body unnoticed; null unless the method samples, and where
    /// nothing bounds it.
    missed_depth: Option<f64>,
    /// Bodies whose points may be missed at any depth; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without_samples: Vec<String>,
}

impl RowJson {
    fn of(row: &Row) -> Self {
        let against = row.against.as_ref();
        Self {
            method: row.method,
            options: row.options.clone(),
            runs: row.timing.runs,
            // 2^64 ns are 584 years.
            median_ns: row.timing.median.as_nanos() as u64,
            min_ns: row.timing.min.as_nanos() as u64,
            contacts: row.times.len(),
            first: row.times.first().copied(),
            sought: against.map(|a| a.sought),
            found: against.map(|a| a.found),
            missed: against.map(Against::missed),
            merged: against.map(|a| a.merged),
            missed_edges: against.map(|a| a.missed_edges),
            unsought: against.map(|a| a.unsought),
            repeated: against.map(|a| a.repeated),
            between: against.map(|a| a.between),
            extra: against.map(|a| a.extra),
            inside: against.map(|a| a.inside),
            worst_time_error: against.and_then(|a| a.worst()),
            missed_depth: row.missed.as_ref().and_then(Missed::bound),
            without_samples: row.missed.iter().flat_map(|m| m.without_samples.clone()).collect(),
        }
    }
}

#[derive(Serialize)]
struct RefusedJson<'c> {
    method: &'static str,
    reason: &'c str,
}
