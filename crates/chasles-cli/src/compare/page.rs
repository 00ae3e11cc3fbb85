//! A comparison as a page: one file, no scripts, light or dark as the reader likes.

use std::fmt::Write;
use std::time::Duration;

use chasles_picture::{Axis, Plot, Size, Style, Theme, escaped, palette};

use super::rows::{Comparison, Row};
use super::table::{HEADS, MEANINGS, cells, summary, sums};
use crate::words::plain;

/// Errors are drawn from here on: what is smaller is rounding, and zero has no place on the axis.
const LEAST_ERROR: f64 = 1e-17;

/// Contacts of a method that a plot shows at most: more than it has pixels across.
const MOST_POINTS: usize = 2_500;

/// Sizes of plots in pixels: for pages and for telephones.
const BROAD: [u32; 2] = [900, 420];
const NARROW: [u32; 2] = [340, 320];

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 16px/1.5 'Noto Sans', system-ui, sans-serif; margin: 0 auto;
       max-width: 76rem; padding: 1.5rem;
       color: #1f242b; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .35rem .5rem; border-bottom: 1px solid #c9ced6; }
td { white-space: nowrap; } td:nth-child(2) { white-space: normal; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
.bars { width: 8rem; min-width: 7rem; }
td:nth-child(2) { min-width: 8rem; }
.scale { display: block; height: .9rem; border-right: 1px solid #8a94a3; }
.scale { --decade: calc(100% / var(--decades));
         background: repeating-linear-gradient(
           to right, #8a94a3 0 1px, transparent 1px var(--decade)); }
.bar { display: block; height: .5rem; position: relative; top: .2rem; }
dt { font-weight: 600; } dd { margin: 0 0 .4rem 1.5rem; }
h1, li { overflow-wrap: anywhere; }
svg { display: block; max-width: 100%; height: auto; } .dark, .narrow { display: none; }
@media (prefers-color-scheme: dark) {
  body { color: #e8ebef; background: #161a20; } th, td { border-color: #3a424d; }
  .dark.broad { display: block; } .light { display: none; }
}
@media screen and (max-width: 44rem) {
  body { padding: .75rem; } h1 { font-size: 1.25rem; }
  table, tbody, tr { display: block; } tr:first-child { display: none; } tr { margin-bottom: 1rem; }
  td { display: flex; justify-content: space-between; gap: 1rem; position: relative;
       padding: .2rem 0; }
  td::before { content: attr(data-head); opacity: .8; }
  td:first-child { font-weight: 600; } td:first-child::before { content: none; }
  .bars { width: auto; } .scale { flex: 1; } td:nth-child(2) { min-width: 0; }
  .light.broad, .dark.broad { display: none; } .light.narrow { display: block; }
}
@media screen and (max-width: 44rem) and (prefers-color-scheme: dark) {
  .light.narrow { display: none; } .dark.narrow { display: block; }
}
@media print {
  body { color: #000; background: #fff; }
  .dark.broad { display: none; } .light.broad { display: block; }
}
";

/// The page of a comparison, with what is to be said of the scene.
pub(super) fn draw(comparison: &Comparison, warnings: &[String]) -> String {
    let title = escaped(&plain(&comparison.title));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}: methods compared</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}: methods compared</h1>\n"
    );
    for warning in warnings {
        let _ = writeln!(page, "<p>{}.</p>", escaped(&plain(warning)));
    }
    if comparison.pairs == 0 {
        let _ = writeln!(page, "<p>{}.</p>\n</body>\n</html>", escaped(&summary(comparison)));
        return page;
    }
    page += &table(comparison);
    let _ = writeln!(page, "<p>{}.</p>", escaped(&summary(comparison)));
    page += &matched(comparison);
    page += &columns();
    page += &refused(comparison);
    page += "<h2>Contacts up to a time</h2>\n";
    page += &all_looks("counts", |theme, size| counts(comparison, theme, size));
    let counted = comparison.rows.iter().map(|row| row.times.len());
    page += &thinned_note(counted, "of several that follow each other the last");
    let errors = || comparison.rows.iter().filter_map(|row| row.against.as_ref());
    if errors().any(|against| !against.errors.is_empty()) {
        page += "<h2>How far times are off</h2>\n";
        page += &all_looks("errors", |theme, size| self::errors(comparison, theme, size));
        let counted = errors().map(|against| against.errors.len());
        page +=
            &thinned_note(counted, "of several that follow each other that with the largest error");
    }
    page += "</body>\n</html>\n";
    page
}

/// What the columns say.
fn columns() -> String {
    let mut list = "<details open><summary>What the columns say</summary>\n<dl>\n".to_string();
    for (head, meaning) in HEADS.iter().zip(MEANINGS) {
        let _ = writeln!(list, "<dt>{head}</dt><dd>{meaning}</dd>");
    }
    list + "</dl>\n</details>\n"
}

/// The powers of ten around all medians, in nanoseconds: bars are logarithmic, for methods differ
/// by a factor.
#[derive(Clone, Copy, Debug)]
struct Decades {
    low: i32,
    high: i32,
}

impl Decades {
    fn of(rows: &[Row]) -> Self {
        let logs = rows.iter().map(|row| Self::log(row.timing.median));
        let (least, most) =
            logs.fold((f64::INFINITY, 0.0), |(p, q): (f64, f64), log| (p.min(log), q.max(log)));
        // The shortest bar is seen too: it is half a power long at least.
        let low = if least.is_finite() { (least - 0.5).floor() as i32 } else { 0 };
        Self { low, high: (most.ceil() as i32).max(low + 1) }
    }

    fn log(time: Duration) -> f64 {
        (time.as_nanos().max(1) as f64).log10()
    }

    fn count(self) -> i32 {
        self.high - self.low
    }

    /// Where a time stands between the ends, in percent.
    fn share(self, time: Duration) -> f64 {
        100.0 * (Self::log(time) - f64::from(self.low)) / f64::from(self.count())
    }

    /// Both ends in words.
    fn words(self) -> String {
        let time = |power: i32| {
            let nanos = 10_f64.powi(power);
            let (unit, name) = [(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")]
                .into_iter()
                .find(|(unit, _)| nanos >= *unit)
                .unwrap_or((1.0, "ns"));
            format!("{} {name}", nanos / unit)
        };
        format!("{} to {}, a line for each power of ten", time(self.low), time(self.high))
    }
}

fn table(comparison: &Comparison) -> String {
    let mut table = "<div class=\"wide\"><table>\n<tr><th>method</th><th>options</th>".to_string();
    let decades = Decades::of(&comparison.rows);
    for (number, (head, meaning)) in HEADS.iter().zip(MEANINGS).enumerate() {
        let _ = write!(table, "<th title=\"{meaning}\">{head}</th>");
        if number == 0 {
            let _ = write!(table, "<th class=\"bars\">{}</th>", decades.words());
        }
    }
    table += "</tr>\n";
    for row in &comparison.rows {
        let (name, words) = (row.method, escaped(&row.options));
        let share = decades.share(row.timing.median);
        let (colour, count) = (colour(row).to_hex(), decades.count());
        let [median, others @ ..] = cells(row);
        let _ = write!(
            table,
            "<tr><td>{name}</td><td data-head=\"options\">{words}</td>\
             <td data-head=\"{}\">{median}</td><td class=\"bars\" data-head=\"\">\
             <span class=\"scale\" style=\"--decades:{count}\">\
             <span class=\"bar\" style=\"width:{share:.1}%;background:{colour}\"></span></span></td>",
            HEADS[0]
        );
        for (head, cell) in HEADS[1..].iter().zip(others) {
            let _ = write!(table, "<td data-head=\"{head}\">{}</td>", escaped(&cell));
        }
        table += "</tr>\n";
    }
    table + "</table></div>\n"
}

/// What is matched with what, and how the numbers of each row add up.
fn matched(comparison: &Comparison) -> String {
    let rows = comparison.rows.iter().map(|row| (row.method, sums(row)));
    let rows: Vec<_> = rows.filter(|(_, lines)| !lines.is_empty()).collect();
    if rows.is_empty() {
        return String::new();
    }
    let mut list = "<h2>What is matched with what</h2>\n<ul>\n".to_string();
    for (name, lines) in rows {
        let lines = escaped(&lines.join("; "));
        let _ = writeln!(list, "<li>{name}: {lines}</li>");
    }
    list + "</ul>\n"
}

fn refused(comparison: &Comparison) -> String {
    if comparison.refused.is_empty() {
        return String::new();
    }
    let mut list = "<h2>Methods that do not take this scene</h2>\n<ul>\n".to_string();
    for refused in &comparison.refused {
        let (name, reason) = (refused.method, escaped(&plain(&refused.reason)));
        let _ = writeln!(list, "<li>{name}: {reason}</li>");
    }
    list + "</ul>\n"
}

/// A plot for light pages and one for dark ones, each for broad windows and for narrow ones, in
/// which a broad plot would be too small to read; names in them are told apart by that of the plot.
fn all_looks(name: &str, plot: impl Fn(Theme, Size) -> Plot) -> String {
    let mut looks = String::new();
    for (tone, theme) in [("light", Theme::Light), ("dark", Theme::Dark)] {
        for (breadth, [width, height]) in [("broad", BROAD), ("narrow", NARROW)] {
            let mut plot = plot(theme, Size::new(width, height).expect("a small size"));
            plot.id(&format!("{name}-{tone}-{breadth}"));
            let _ = writeln!(looks, "<div class=\"{tone} {breadth}\">{}</div>", plot.to_svg());
        }
    }
    looks
}

/// A sentence on points that are left out, if some are.
fn thinned_note(counts: impl Iterator<Item = usize>, which: &str) -> String {
    match counts.max() {
        Some(most) if most > MOST_POINTS => format!(
            "<p>Of {most} contacts some {MOST_POINTS} are drawn for each method: {which}.</p>\n"
        ),
        _ => String::new(),
    }
}

/// Of each so many that follow each other, one: few enough for a page.
fn thinned<T: Copy>(all: &[T], choose: impl Fn(&[T]) -> T) -> Vec<T> {
    all.chunks(all.len().div_ceil(MOST_POINTS).max(1)).map(choose).collect()
}

/// The colour of a method, the same in all parts of the page.
fn colour(row: &Row) -> chasles_picture::Colour {
    palette(match row.method {
        "exact" => 0,
        "screen" => 1,
        "path" => 2,
        _ => 3,
    })
}

/// How many contacts each method has up to a time, as stairs.
fn counts(comparison: &Comparison, theme: Theme, size: Size) -> Plot {
    let time = Axis { range: Some([0.0, 1.0]), ..Axis::linear("time, as a fraction of the step") };
    let mut plot = Plot::new(size, time, Axis::linear("contacts"));
    plot.theme(theme);
    for row in &comparison.rows {
        let steps: Vec<(usize, f64)> = row.times.iter().copied().enumerate().collect();
        let mut stairs = vec![[0.0, 0.0]];
        let mut before = 0.0;
        for (number, time) in thinned(&steps, |steps| steps[steps.len() - 1]) {
            let after = (number + 1) as f64;
            stairs.extend([[time, before], [time, after]]);
            before = after;
        }
        stairs.push([1.0, row.times.len() as f64]);
        plot.coloured(row.method, Style::Line, colour(row), &stairs);
    }
    plot
}

/// How far each contact that matches is from the time of the exact method.
fn errors(comparison: &Comparison, theme: Theme, size: Size) -> Plot {
    let time = Axis { range: Some([0.0, 1.0]), ..Axis::linear("time, as a fraction of the step") };
    let mut plot = Plot::new(size, time, Axis::log("error of the time"));
    plot.theme(theme);
    for row in &comparison.rows {
        let Some(against) = &row.against else { continue };
        let mut errors = against.errors.clone();
        errors.sort_by(|p, q| p[0].total_cmp(&q[0]));
        let worst = |some: &[[f64; 2]]| {
            some.iter().copied().fold(some[0], |p, q| if q[1] > p[1] { q } else { p })
        };
        let points = thinned(&errors, worst).into_iter();
        let points: Vec<[f64; 2]> =
            points.map(|[time, error]| [time, error.max(LEAST_ERROR)]).collect();
        plot.coloured(row.method, Style::Dots, colour(row), &points);
    }
    plot
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::matching::Against;
    use crate::results::Timing;

    /// A method with so many contacts, each of another error.
    fn comparison(count: usize) -> Comparison {
        let timing = Timing { runs: 1, median: Duration::from_nanos(1), min: Duration::ZERO };
        let times: Vec<f64> = (0..count).map(|i| i as f64 / count as f64).collect();
        let errors = times.iter().map(|&time| [time, 1e-9 + 1e-6 * (1e4 * time).sin().abs()]);
        let against =
            Against { sought: count, found: count, errors: errors.collect(), ..Against::default() };
        let (method, options, matched) = ("screen", String::new(), "");
        let against = Some(against);
        let missed = None;
        let row = Row { method, options, timing, times, matched, missed, against };
        let (title, bodies, pairs) = ("t".to_string(), 2, 1);
        Comparison { title, bodies, pairs, rows: vec![row], refused: Vec::new() }
    }

    #[test]
    fn many_contacts_are_thinned_with_a_note() {
        let [few, many] = [2_500, 100_000].map(|count| draw(&comparison(count), &[]));
        assert!(!few.contains("are drawn for each method"));
        assert_eq!(many.matches("Of 100000 contacts some 2500 are drawn").count(), 2);
        assert!(many.len() < few.len() + 100_000, "{} and {} bytes", many.len(), few.len());
        let kept = thinned(&[1, 5, 2], |some| some[0]);
        assert_eq!(kept, [1, 5, 2]);
    }

    #[test]
    fn bars_are_logarithmic() {
        let mut both = comparison(1);
        both.rows = [1_000, 100_000]
            .map(|nanos: u64| {
                let mut row = comparison(1).rows.remove(0);
                row.timing.median = Duration::from_nanos(nanos);
                row
            })
            .into();
        let page = draw(&both, &[]);
        let widths: Vec<&str> = page
            .split("width:")
            .filter_map(|rest| rest.split_once("%;back").map(|w| w.0))
            .collect();
        assert_eq!(widths, ["33.3", "100.0"], "a hundredth is two of three powers of ten less");
        assert!(page.contains("100 ns to 100 us, a line for each power of ten"), "{page:.3000}");
    }

    #[test]
    fn every_column_is_explained() {
        let page = draw(&comparison(1), &[]);
        for head in HEADS {
            assert!(page.contains(&format!("<dt>{head}</dt><dd>")), "{head}");
        }
    }

    #[test]
    fn names_within_a_page_are_told_apart() {
        let page = draw(&comparison(3), &[]);
        let names: Vec<&str> =
            page.split(" id=\"").skip(1).filter_map(|r| r.split('"').next()).collect();
        let mut once = names.clone();
        once.sort_unstable();
        once.dedup();
        assert!(names.len() == once.len() && names.len() == 8, "{names:?}");
        for name in names {
            assert!(page.contains(&format!("url(#{name})")), "{name}");
        }
    }
}
