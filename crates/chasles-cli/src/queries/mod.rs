//! `chasles queries`: labelled pairs of features on straight paths, decided and timed.

mod file;
mod numpy;
mod rational;
mod read;
mod text;

use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chasles::deform::{Decision, Kind, Labelled, LabelledError, Touch};
use miette::Diagnostic;
use serde::Serialize;
use thiserror::Error;

pub use file::FormError;

use file::{Queries, Wrong};

use crate::args::QueriesArgs;
use crate::output::{self, Destination};
use crate::progress::Progress;
use crate::words::{duration, plain, plural};
use crate::written::Written;

/// How often every file is passed through: the median of five times is none that an interruption
/// made long.
pub const PASSES: usize = 5;

/// How many queries are timed before the progress is told.
const CHUNK: usize = 1000;

/// Why queries cannot be answered.
#[derive(Debug, Error, Diagnostic)]
pub enum QueriesError {
    /// A file cannot be read.
    #[error("cannot read the queries {}: {error}", path.display())]
    #[diagnostic(help("name a file of labelled queries: doubles, text, .npy or .npz"))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file does not hold queries.
    #[error("cannot use the queries {}: {error}", path.display())]
    Contents {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: LabelledError,
        /// What would be right.
        #[help]
        help: &'static str,
    },
    /// A text or an array does not hold queries.
    #[error("cannot use the queries {}: {error}", path.display())]
    #[diagnostic(help(
        "a text has 25 numbers a row, or 8 rows a query, each a vertex and the label; an array has \
         the shape (n, 25), or (n, 8, 3) beside `labels` in an .npz file"
    ))]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: FormError,
    },
}

impl QueriesError {
    fn contents(path: &Path, error: LabelledError) -> Self {
        let help = match error {
            LabelledError::Kind | LabelledError::TwoKinds => {
                "name the file like rod.vf.bin or rod.ee.csv, or its folder vertex-face or \
                 edge-edge"
            }
            LabelledError::Length { .. } => {
                "a query is 25 doubles of 8 bytes: the file is cut short, or not of this form"
            }
            LabelledError::Position { .. } => {
                "write finite numbers; doubles of a binary file have their lowest byte first"
            }
            LabelledError::Label { .. } => "the 25th number of a query is its label",
        };
        Self::Contents { path: path.to_path_buf(), error, help }
    }
}

/// Runs the command. Files appear only if everything went well.
pub fn run(args: &QueriesArgs) -> miette::Result<()> {
    let kinds = args.files.iter().map(|path| kind(path)).collect::<Result<Vec<_>, _>>()?;
    let targets = [args.json.as_deref(), args.answers.as_deref()];
    let [json, answers] = output::reserve_both(targets, &args.files)?;
    let progress = Progress::new(args.quiet);
    let mut reports = Vec::with_capacity(kinds.len());
    let mut lines = Vec::new();
    for (path, kind) in args.files.iter().zip(kinds) {
        progress.stage("reading queries");
        let Queries { queries, rounded } = read(path, kind)?;
        reports.push(Report { rounded, ..Report::of(path, &queries, &progress) });
        if answers.is_some() {
            progress.stage("finding first times");
            write_answers(&queries, &mut lines);
        }
    }
    write(&reports, &lines, [json, answers], &progress)?;
    drop(progress);
    if args.has_table() {
        output::to_stdout(|out| write_table(&reports, out))?;
    }
    let files = [("answers", args.answers.as_deref()), ("JSON", args.json.as_deref())];
    Written { files: &files, quiet: args.quiet, open: false }.tell();
    Ok(())
}

/// Writes all results, then gives files their names; standard output comes last.
fn write(
    reports: &[Report],
    lines: &[u8],
    [json, answers]: [Option<Destination>; 2],
    progress: &Progress,
) -> Result<(), output::OutputError> {
    progress.finish();
    if let Some(answers) = &answers {
        answers.write(|out| out.write_all(lines))?;
    }
    if let Some(json) = &json {
        json.write(|out| {
            serde_json::to_writer(&mut *out, &ReportsJson { files: reports })?;
            writeln!(out)
        })?;
    }
    [answers, json].into_iter().flatten().try_for_each(Destination::publish)
}

fn kind(path: &Path) -> Result<Kind, QueriesError> {
    file::kind(path).map_err(|error| QueriesError::contents(path, error))
}

fn read(path: &Path, kind: Kind) -> Result<Queries, QueriesError> {
    let bytes =
        fs::read(path).map_err(|error| QueriesError::Read { path: path.to_path_buf(), error })?;
    read::read(kind, &bytes).map_err(|wrong| match wrong {
        Wrong::Form(error) => QueriesError::Form { path: path.to_path_buf(), error },
        Wrong::Queries(error) => QueriesError::contents(path, error),
    })
}

#[derive(Serialize)]
struct ReportsJson<'r> {
    files: &'r [Report],
}

/// What came of the queries of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The name of the file, without its folder.
    pub file: String,
    /// How many queries it has.
    pub queries: usize,
    /// How many of them touch.
    pub hits: usize,
    /// How many touch, though their label says no.
    pub false_hits: usize,
    /// How many do not touch, though their label says so.
    pub missed: usize,
    /// How many needed exact arithmetic.
    pub exact_fallbacks: usize,
    /// How many numbers of the file no double equals: the nearest one was taken. Left out if none.
    #[serde(skip_serializing_if = "is_zero")]
    pub rounded: usize,
    /// How long they took.
    #[serde(flatten)]
    pub times: Times,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Report {
    /// Decides and times every query.
    ///
    /// *Accepts* any queries. *Guarantees* counts that do not depend on the machine. *Cost* six
    /// decisions a query. *Fails* never.
    pub fn of(path: &Path, queries: &[Labelled], progress: &Progress) -> Self {
        let times = Times::of(timed(queries, progress));
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let mut report = Self { file: name.into_owned(), times, ..Self::default() };
        for query in queries {
            let Decision { touches, exact } = query.pair.decide();
            report.queries += 1;
            report.hits += usize::from(touches);
            report.false_hits += usize::from(touches && !query.touches);
            report.missed += usize::from(!touches && query.touches);
            report.exact_fallbacks += usize::from(exact);
        }
        report
    }
}

/// How long each decision took: the median of all passes, without the time of the clock.
fn timed(queries: &[Labelled], progress: &Progress) -> Vec<Duration> {
    progress.count((PASSES * queries.len()) as u64, "decisions");
    let mut durations = vec![[Duration::ZERO; PASSES]; queries.len()];
    for pass in 0..PASSES {
        for (queries, durations) in queries.chunks(CHUNK).zip(durations.chunks_mut(CHUNK)) {
            for (query, durations) in queries.iter().zip(durations) {
                let started = Instant::now();
                black_box(black_box(query).pair.decide());
                durations[pass] = started.elapsed();
            }
            progress.advance_by(queries.len() as u64);
        }
    }
    let clock = clock();
    durations.into_iter().map(|passes| median(passes).saturating_sub(clock)).collect()
}

/// How long the clock says that nothing takes.
fn clock() -> Duration {
    median([(); 101].map(|()| {
        let started = Instant::now();
        started.elapsed()
    }))
}

fn median<const N: usize>(mut durations: [Duration; N]) -> Duration {
    durations.sort_unstable();
    durations[N / 2]
}

/// Times of single queries in nanoseconds; none where there are no queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Times {
    /// Their sum over their number.
    pub mean_ns: Option<u64>,
    /// As many take longer as take less; of an even number of queries the later of the middle two.
    pub median_ns: Option<u64>,
    /// At most one of a hundred takes longer.
    pub p99_ns: Option<u64>,
    /// None takes longer.
    pub max_ns: Option<u64>,
}

impl Times {
    /// Sums up one time for each query.
    pub fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let count = times.len();
        // 2^64 ns are 584 years.
        let ns = |time: Duration| time.as_nanos() as u64;
        let at = |place: usize| times.get(place).copied().map(ns);
        let sum: Duration = times.iter().sum();
        Self {
            mean_ns: sum.as_nanos().checked_div(count as u128).map(|mean| mean as u64),
            median_ns: at(count / 2),
            p99_ns: at((99 * count).div_ceil(100).saturating_sub(1)),
            max_ns: at(count.saturating_sub(1)),
        }
    }
}

/// Adds a line for each query: `0`, or `1` with the first time and its bracket.
fn write_answers(queries: &[Labelled], lines: &mut Vec<u8>) {
    for query in queries {
        let line = match query.pair.first() {
            // With as many digits as it takes to read back the same double.
            Some(Touch { time, bracket: [from, to], .. }) => {
                format!("1 {time:?} {from:?} {to:?}\n")
            }
            None => "0\n".to_string(),
        };
        lines.extend_from_slice(line.as_bytes());
    }
}

/// The least width of the column of files.
const FILE_WIDTH: usize = 16;

fn write_table(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = reports.iter().map(|report| plain(&report.file)).collect();
    let width = names.iter().map(|name| name.chars().count()).fold(FILE_WIDTH, usize::max);
    writeln!(
        out,
        "{:width$}  {:>8}  {:>8}  {:>10}  {:>6}  {:>6}  {:>9}  {:>9}  {:>9}  {:>9}",
        "file", "queries", "hits", "false hits", "missed", "exact", "mean", "median", "p99", "max"
    )?;
    for (report, name) in reports.iter().zip(&names) {
        let Times { mean_ns, median_ns, p99_ns, max_ns } = report.times;
        let shown = |ns: Option<u64>| {
            ns.map_or_else(|| "-".to_string(), |ns| duration(Duration::from_nanos(ns)))
        };
        let [mean, median, p99, max] = [mean_ns, median_ns, p99_ns, max_ns].map(shown);
        writeln!(
            out,
            "{name:width$}  {:>8}  {:>8}  {:>10}  {:>6}  {:>6}  {mean:>9}  {median:>9}  {p99:>9}  \
             {max:>9}",
            report.queries, report.hits, report.false_hits, report.missed, report.exact_fallbacks,
        )?;
    }
    writeln!(out, "\n{}", summary(reports))
}

fn summary(reports: &[Report]) -> String {
    let sum = |of: fn(&Report) -> usize| reports.iter().map(of).sum::<usize>();
    let queries = sum(|report| report.queries);
    let exact = sum(|report| report.exact_fallbacks);
    let share = 100.0 * exact as f64 / queries.max(1) as f64;
    let longest = reports.iter().filter_map(|report| report.times.max_ns).max();
    let longest = longest.map(|ns| format!(", longest {}", duration(Duration::from_nanos(ns))));
    let rounded = match sum(|report| report.rounded) {
        0 => String::new(),
        1 => "; 1 number is no double and was rounded to the nearest".to_string(),
        rounded => format!("; {rounded} numbers are no doubles and were rounded to the nearest"),
    };
    format!(
        "{} in {}: {}, {} of them false, {} missed; {exact} by exact arithmetic ({share:.2} %)\
         {}{rounded}",
        plural(queries, "query"),
        plural(reports.len(), "file"),
        plural(sum(|report| report.hits), "hit"),
        sum(|report| report.false_hits),
        sum(|report| report.missed),
        longest.unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(ns: impl IntoIterator<Item = u64>) -> Times {
        Times::of(ns.into_iter().map(Duration::from_nanos).collect())
    }

    #[test]
    fn at_most_one_query_of_a_hundred_takes_longer_than_p99() {
        let found = times((1..=200).rev());
        let expected = Times {
            mean_ns: Some(100),
            median_ns: Some(101),
            p99_ns: Some(198),
            max_ns: Some(200),
        };
        assert_eq!(found, expected);
        assert_eq!(times([7]).p99_ns, Some(7));
        assert_eq!(times([]), Times::default());
    }

    #[test]
    fn a_file_without_queries_has_no_times() {
        let report = Report::of(Path::new("none.vf.bin"), &[], &Progress::new(true));
        let mut out = Vec::new();
        write_table(&[report], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("0 queries in 1 file") && !text.contains("NaN"), "{text}");
    }
}
