//! A comparison as a page: one file, no scripts, light or dark as the reader likes.

use std::fmt::Write;

use super::table::{HEADS, cells, summary, sums};
use super::{Comparison, Row};
use crate::picture::{Axis, Plot, Size, Style, Theme, escaped, palette};

/// Errors are drawn from here on: what is smaller is rounding, and zero has no place on the axis.
const LEAST_ERROR: f64 = 1e-17;

/// Contacts of a method that a plot shows at most: more than it has pixels across.
const MOST_POINTS: usize = 2_500;

/// Sizes of plots in pixels: for pages and for telephones.
const BROAD: [u32; 2] = [900, 420];
const NARROW: [u32; 2] = [340, 320];

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 16px/1.5 'Noto Sans', system-ui, sans-serif; margin: 0 auto; max-width: 68rem; padding: 1.5rem;
       color: #1f242b; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .35rem .5rem; border-bottom: 1px solid #c9ced6; }
td { white-space: nowrap; } td:nth-child(2) { white-space: normal; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
.bar { display: block; height: .3rem; margin-top: .2rem; margin-left: auto; }
h1, li { overflow-wrap: anywhere; }
svg { display: block; max-width: 100%; height: auto; } .dark, .narrow { display: none; }
@media (prefers-color-scheme: dark) {
  body { color: #e8ebef; background: #161a20; } th, td { border-color: #3a424d; }
  .dark.broad { display: block; } .light { display: none; }
}
@media screen and (max-width: 44rem) {
  body { padding: .75rem; } h1 { font-size: 1.25rem; }
  table, tbody, tr { display: block; } tr:first-child { display: none; } tr { margin-bottom: 1rem; }
  td { display: flex; justify-content: space-between; gap: 1rem; position: relative; padding: .2rem 0; }
  td::before { content: attr(data-head); opacity: .8; }
  td:first-child { font-weight: 600; } td:first-child::before { content: none; }
  .bar { position: absolute; right: 0; bottom: 0; margin: 0; }
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

/// The page of a comparison.
pub(super) fn draw(comparison: &Comparison) -> String {
    let title = escaped(&comparison.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}: methods compared</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}: methods compared</h1>\n"
    );
    if comparison.pairs == 0 {
        let _ = writeln!(page, "<p>{}.</p>\n</body>\n</html>", escaped(&summary(comparison)));
        return page;
    }
    page += &table(comparison);
    let _ = writeln!(page, "<p>{}.</p>", escaped(&summary(comparison)));
    page += &matched(comparison);
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
    page += "<p>A method <em>seeks</em> some of the contacts that the exact method finds. It \
             <em>misses</em> one of these if none of its own matches it; a contact is <em>extra</em> \
             if it matches none of the exact method. Points that are <em>inside</em> the other body from \
             the start are no false contacts: the exact method has contacts where surfaces meet.</p>\n\
             </body>\n</html>\n";
    page
}

fn table(comparison: &Comparison) -> String {
    let mut table = "<div class=\"wide\"><table>\n<tr><th>method</th><th>options</th>".to_string();
    for head in HEADS {
        let _ = write!(table, "<th>{head}</th>");
    }
    table += "</tr>\n";
    let slowest = comparison.rows.iter().map(|row| row.timing.median.as_secs_f64());
    let slowest = slowest.fold(f64::MIN_POSITIVE, f64::max);
    for row in &comparison.rows {
        let (name, words) = (row.method, escaped(&row.options));
        let share = 100.0 * row.timing.median.as_secs_f64() / slowest;
        let colour = colour(row).to_hex();
        let [median, others @ ..] = cells(row);
        let _ = write!(
            table,
            "<tr><td>{name}</td><td data-head=\"options\">{words}</td>\
             <td data-head=\"{}\">{median}\
             <span class=\"bar\" style=\"width:{share:.1}%;background:{colour}\"></span></td>",
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
    let sums = |row: &Row| Some((row.method, sums(row)?));
    let rows: Vec<_> = comparison.rows.iter().filter_map(sums).collect();
    if rows.is_empty() {
        return String::new();
    }
    let mut list = "<h2>What is matched with what</h2>\n<ul>\n".to_string();
    for (name, lines) in rows {
        let lines = lines.map(|line| escaped(&line).to_string()).join("; ");
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
        let (name, reason) = (refused.method, escaped(&refused.reason));
        let _ = writeln!(list, "<li>{name}: {reason}</li>");
    }
    list + "</ul>\n"
}

/// A plot for light pages and one for dark ones, each for broad windows and for narrow ones, in which a broad plot would be
/// too small to read; names in them are told apart by that of the plot.
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
fn colour(row: &Row) -> crate::picture::Colour {
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
    use std::time::Duration;

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
        let missed_depth = None;
        let row = Row { method, options, timing, times, matched, missed_depth, against };
        let (title, bodies, pairs) = ("t".to_string(), 2, 1);
        Comparison { title, bodies, pairs, rows: vec![row], refused: Vec::new() }
    }

    #[test]
    fn many_contacts_are_thinned_with_a_note() {
        let [few, many] = [2_500, 100_000].map(|count| draw(&comparison(count)));
        assert!(!few.contains("are drawn for each method"));
        assert_eq!(many.matches("Of 100000 contacts some 2500 are drawn").count(), 2);
        assert!(many.len() < few.len() + 100_000, "{} and {} bytes", many.len(), few.len());
        let kept = thinned(&[1, 5, 2], |some| some[0]);
        assert_eq!(kept, [1, 5, 2]);
    }

    #[test]
    fn names_within_a_page_are_told_apart() {
        let page = draw(&comparison(3));
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
