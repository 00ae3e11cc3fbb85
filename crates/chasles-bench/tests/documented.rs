//! What docs/benchmarks.md shows is what crates/chasles-bench/results holds.

use std::fs;
use std::path::{Path, PathBuf};

use chasles_bench::dial;
use chasles_bench::growth;
use chasles_bench::heaps::row as heaps;
use chasles_bench::lines::{self, LINKAGES, NEAR, QUESTIONS};
use chasles_bench::rigid_ipc;
use chasles_bench::screen_growth::{self, Over};
use chasles_bench::simulation::{PeerRow, Row, step_name};
use chasles_bench::table::{duration, three_digits};
use serde::de::DeserializeOwned;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn result(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(name)
}

fn page() -> String {
    fs::read_to_string(root().join("docs/benchmarks.md")).expect("the page exists")
}

/// Fails unless the page has a table row of these cells.
fn assert_row(page: &str, cells: &[String]) {
    let row = format!("| {} |", cells.join(" | "));
    assert!(page.contains(&row), "docs/benchmarks.md lacks the row\n{row}");
}

/// Fails unless the notes have this plot; `CHASLES_WRITE=1 cargo test -p chasles-bench --test
/// documented` draws it anew.
fn assert_drawn(name: &str, svg: &str) {
    let path = root().join("docs").join(name);
    if std::env::var_os("CHASLES_WRITE").is_some() {
        fs::write(&path, svg).expect("the notes can be written to");
    }
    assert!(fs::read_to_string(path).is_ok_and(|found| found == svg), "{name} is another plot");
}

#[test]
fn the_plot_is_that_of_the_measurements() {
    let series = growth::read(&result("growth.csv")).expect("the results exist");
    assert_drawn("growth.svg", &growth::plot(&series).expect("a plot").to_svg());
}

#[test]
fn the_table_of_growth_is_that_of_the_measurements() {
    let page = page();
    for line in growth::read(&result("growth.csv")).expect("the results exist") {
        let names = [&line.scene, &line.mode, line.phase.name()].map(String::from);
        let times = line.points.iter().map(|point| duration(point.seconds));
        let contacts = line.points.last().map_or(0, |point| point.contacts);
        let bar = line.bar().map_or("-".into(), |bar| format!("{bar:.1}"));
        let last = [contacts.to_string(), format!("{:.2}", line.slope()), bar];
        assert_row(&page, &names.into_iter().chain(times).chain(last).collect::<Vec<_>>());
    }
}

/// The cells of the rows of a file of results: times as times, all others as they are.
fn cells(name: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(result(name)).expect("the results exist");
    let head = reader.headers().expect("a head").clone();
    let cell = |(column, value): (&str, &str)| match value.parse() {
        Ok(seconds) if column.ends_with("_s") => duration(seconds),
        _ if value.is_empty() => "-".to_string(),
        _ => value.to_string(),
    };
    let row = |row: csv::StringRecord| head.iter().zip(row.iter()).map(cell).collect();
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

#[test]
fn the_tables_of_deforming_surfaces_are_those_of_the_measurements() {
    let page = page();
    for name in ["linear.csv", "cloth.csv"] {
        let rows = cells(name);
        assert!(!rows.is_empty());
        rows.iter().for_each(|row| assert_row(&page, row));
    }
}

#[test]
fn the_table_of_everyday_motions_is_that_of_the_measurement() {
    let page = page();
    let rows = cells("everyday.csv");
    assert_eq!(rows.len(), 29);
    rows.iter().for_each(|row| assert_row(&page, row));
}

#[test]
fn the_tables_of_many_bodies_and_of_batches_are_those_of_the_measurements() {
    let page = page();
    for (name, count) in [("many.csv", 23), ("batch.csv", 5)] {
        let rows = cells(name);
        assert_eq!(rows.len(), count, "{name}");
        rows.iter().for_each(|row| assert_row(&page, row));
    }
}

#[test]
fn the_table_of_first_answers_is_that_of_the_measurements() {
    let page = page();
    let rows = cells("fresh.csv");
    assert_eq!(rows.len(), 6);
    for row in rows {
        let [question, _faces, rest @ ..] = row.as_slice() else { panic!("{row:?}") };
        assert_row(&page, &[std::slice::from_ref(question), rest].concat());
    }
}

#[test]
fn the_table_of_mixed_motions_is_that_of_the_measurements() {
    let page = page();
    let times = ["facing_s", "all_s", "first_s", "parry_s"];
    let ratios = ["facing_ratio", "all_ratio", "first_ratio", "over_same"];
    let rows = numbers("mixed.csv", &[times, ratios].concat());
    assert_eq!(rows.len(), 9);
    for (query, row) in rows {
        let times = row[..4].iter().map(|&time| duration(time));
        let ratios = row[4..].iter().map(|&ratio| three_digits(ratio));
        let cells = [format!("{query}, mixed")].into_iter().chain(times);
        assert_row(&page, &cells.chain(ratios).collect::<Vec<_>>());
    }
}

/// `CHASLES_WRITE=1 cargo test -p chasles-bench --test documented` draws it anew.
#[test]
fn the_plot_and_table_of_near_misses_are_those_of_the_measurements() {
    let found = lines::read(&result("near.csv")).expect("the results exist");
    assert_drawn("near.svg", &lines::plot(&found, &NEAR).expect("a plot").to_svg());
    let page = page();
    for (name, points) in &found {
        let times = points.iter().map(|&[_, seconds]| duration(seconds));
        let cells = [name.clone()].into_iter().chain(times);
        assert_row(&page, &cells.collect::<Vec<_>>());
    }
}

#[test]
fn the_tables_of_paths_are_those_of_the_measurements() {
    let page = page();
    for name in ["paths.csv", "paths_precision.csv"] {
        let rows = cells(name);
        assert_eq!(rows.len(), 12, "{name}");
        rows.iter().for_each(|row| assert_row(&page, row));
    }
}

/// The rows of a file of results as numbers after a name; what is left out is not a number.
fn numbers(name: &str, columns: &[&str]) -> Vec<(String, Vec<f64>)> {
    let mut reader = csv::Reader::from_path(result(name)).expect("the results exist");
    let head = reader.headers().expect("a head").clone();
    let place = |column: &&str| head.iter().position(|name| name == *column).expect("a column");
    let places: Vec<usize> = columns.iter().map(place).collect();
    let row = |row: csv::StringRecord| {
        let number = |&place: &usize| row[place].parse().unwrap_or(f64::NAN);
        (row[0].to_string(), places.iter().map(number).collect())
    };
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

#[test]
fn the_table_of_peers_is_that_of_the_measurements() {
    let page = page();
    let times = ["facing_s", "all_s", "first_s", "parry_s", "parry_screw_s"];
    let ratios = ["facing_ratio", "facing_screw_ratio", "facing_bar", "all_ratio", "all_bar"];
    let columns = [&times[..], &ratios, &["first_ratio"]].concat();
    for (query, row) in numbers("peers.csv", &columns) {
        let (times, ratios) = row.split_at(5);
        let bar = |x: f64| if x.is_nan() { "-".to_string() } else { x.to_string() };
        let ratio =
            |(i, &x): (usize, &f64)| if [2, 4].contains(&i) { bar(x) } else { three_digits(x) };
        let times = times.iter().map(|&time| duration(time));
        let ratios = ratios.iter().enumerate().map(ratio);
        assert_row(&page, &std::iter::once(query).chain(times).chain(ratios).collect::<Vec<_>>());
    }
}

#[test]
fn the_tables_of_traces_are_those_of_the_measurements() {
    let page = page();
    let levels = ["polygons", "triangles", "internal_edges", "internal_vertices"];
    for (query, row) in numbers("traces.csv", &levels) {
        let counts = row[..2].iter().map(|&count| thousands(count as u64));
        let shares = row[2..].iter().map(|share| format!("{:.1} %", 100.0 * share));
        if query == "point" {
            assert_row(&page, &counts.chain(shares).collect::<Vec<_>>());
        }
    }
    let means = ["boxes_mean_s", "bsp_mean_s", "parry_mean_s"];
    let medians = ["boxes_median_s", "bsp_median_s", "parry_median_s"];
    let counts = ["polygons", "stopped", "disagreements"];
    let columns = [&counts[..], &means, &medians, &["mean_ratio"]].concat();
    let rows = numbers("traces.csv", &columns);
    assert_eq!(rows.len(), 12);
    for (query, row) in rows {
        let unless_absent = |cell: String, x: f64| if x.is_nan() { "-".into() } else { cell };
        let counts = row[..3].iter().map(|&x| unless_absent(thousands(x as u64), x));
        let times = row[3..9].iter().map(|&x| unless_absent(duration(x), x));
        let ratio = unless_absent(three_digits(row[9]), row[9]);
        let cells = [query].into_iter().chain(counts).chain(times).chain([ratio]);
        assert_row(&page, &cells.collect::<Vec<_>>());
    }
}

#[test]
fn the_table_of_instructions_is_that_of_the_measurements() {
    let page = page();
    for (query, row) in numbers("instructions.csv", &["facing", "all", "first"]) {
        let counts = row.iter().map(|&count| thousands(count as u64));
        assert_row(&page, &std::iter::once(query).chain(counts).collect::<Vec<_>>());
    }
}

fn thousands(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        _ => format!("{},{:03}", thousands(count / 1000), count % 1000),
    }
}

#[test]
fn the_tables_of_the_screen_are_those_of_the_measurements() {
    for (drawing, column) in [("pixels", "pixels_s"), ("auto", "auto_s")] {
        let rows = numbers("screen.csv", &[column, "paper_s", "exact_s"]);
        let page = page();
        assert_eq!(rows.len(), 27);
        for resolutions in rows.chunk_by(|p, q| p.0 == q.0) {
            let times = resolutions.iter().map(|(_, row)| duration(row[0]));
            let ratios = resolutions.iter().map(|(_, row)| three_digits(row[1] / row[0]));
            let (name, row) = &resolutions[0];
            let cells = times.chain(ratios).chain([duration(row[2])]);
            let name = format!("{name}, {drawing}");
            assert_row(&page, &[name].into_iter().chain(cells).collect::<Vec<_>>());
        }
    }
}

/// The table of the dial in docs/screen.md, and both of its plots, which
/// `CHASLES_WRITE=1 cargo test -p chasles-bench --test documented` draws anew.
#[test]
fn the_table_and_the_plots_of_the_dial_are_those_of_the_measurements() {
    let found = dial::read(&result("screen_dial.csv")).expect("the results exist");
    let page = fs::read_to_string(root().join("docs/screen.md")).expect("the page exists");
    for row in found.iter().filter(|row| row.drawing == "pixels") {
        let counts = [row.missed, row.extra].map(|count| count.to_string());
        let name = [row.query.clone(), row.pixels.to_string(), duration(row.seconds)];
        let off = [row.worst, row.mean].map(|x| format!("{x:.1e}"));
        let cells: Vec<String> = name.into_iter().chain(off).chain(counts).collect();
        assert_row(&page, &cells);
    }
    for (shown, name) in dial::Shown::PLOTS {
        assert_drawn(name, &dial::plot(&found, shown).expect("a plot").to_svg());
    }
}

/// `CHASLES_WRITE=1 cargo test -p chasles-bench --test documented` draws them anew.
#[test]
fn the_plot_of_questions_is_that_of_the_measurements() {
    let found = lines::read(&result("paths_precision.csv")).expect("the results exist");
    assert_drawn("paths.svg", &lines::plot(&found, &QUESTIONS).expect("a plot").to_svg());
}

/// `CHASLES_WRITE=1 cargo test -p chasles-bench --test documented` draws it anew.
#[test]
fn the_plot_and_table_of_linkages_are_those_of_the_measurements() {
    let found = lines::read(&result("linkages.csv")).expect("the results exist");
    assert_drawn("linkages.svg", &lines::plot(&found, &LINKAGES).expect("a plot").to_svg());
    let page = page();
    for (name, points) in &found {
        let of = |links: f64| points.iter().find(|point| point[0] == links).map_or(0.0, |p| p[1]);
        let times = [10.0, 100.0, 1000.0, 4000.0].map(|links| duration(of(links)));
        let slope = format!("{:.2}", lines::slope(points));
        assert_row(&page, &[std::slice::from_ref(name), &times[..], &[slope]].concat());
    }
}

#[test]
fn the_plots_of_the_screen_are_those_of_the_measurements() {
    let rows = screen_growth::read(&result("screen_growth.csv")).expect("the results exist");
    for (over, name) in Over::PLOTS {
        assert_drawn(name, &screen_growth::plot(&rows, over).expect("a plot").to_svg());
    }
}

#[test]
fn the_tables_of_growth_of_the_screen_are_those_of_the_measurements() {
    let page = page();
    let rows = screen_growth::read(&result("screen_growth.csv")).expect("the results exist");
    for line in rows.chunk_by(|p, q| p.over == q.over && p.query == q.query) {
        let times = line.iter().map(|row| duration(row.seconds));
        let cells: Vec<String> = std::iter::once(line[0].query.clone()).chain(times).collect();
        assert_row(&page, &cells);
    }
}

/// Fails unless the page has a table of these rows under this head; `CHASLES_WRITE=1 cargo test -p
/// chasles-bench --test documented` writes it anew.
fn assert_table(head: &str, rows: &[Vec<String>]) {
    let lines = rows.iter().map(|cells| format!("| {} |\n", cells.join(" | ")));
    let expected: String = lines.collect();
    let page = page();
    let (before, after) = page.split_once(&format!("{head}\n")).expect("the page has the head");
    let (rule, after) = after.split_once('\n').expect("a rule is below the head");
    let end = after.find("\n\n").map_or(after.len(), |end| end + 1);
    let end = if after.starts_with('\n') { 0 } else { end };
    if std::env::var_os("CHASLES_WRITE").is_some() {
        let page = format!("{before}{head}\n{rule}\n{expected}{}", &after[end..]);
        fs::write(root().join("docs/benchmarks.md"), page).expect("the page can be written to");
        return;
    }
    assert_eq!(&after[..end], expected, "docs/benchmarks.md has another table");
}

fn rows<R: DeserializeOwned>(name: &str) -> Vec<R> {
    let mut reader = csv::Reader::from_path(result(name)).expect("the results exist");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// One test, since both tables are of one page.
#[test]
fn the_tables_and_plots_of_heaps_are_those_of_the_measurements() {
    let rows = heaps::read(&result("heaps.csv")).expect("the results exist");
    let cells: Vec<Vec<String>> = rows.iter().map(heaps::Row::cells).collect();
    assert_table(&format!("| {} |", heaps::HEAD.join(" | ")), &cells);
    let growing = heaps::growing(&rows);
    let powers = growing.iter().map(|heap| heaps::exponent_cells(&rows, heap));
    assert_table("| growth | Chasles | rapier | MuJoCo |", &powers.collect::<Vec<_>>());
    for heap in growing {
        let name = format!("heaps-{heap}.svg");
        assert_drawn(&name, &heaps::plot(&rows, &heap).expect("a plot").to_svg());
        assert!(page().contains(&format!("![{heap}]({name})")), "{name} is not shown");
    }
}

/// Millimetres.
fn depth(metres: f64) -> String {
    if metres == 0.0 { "0".into() } else { format!("{} mm", three_digits(1e3 * metres)) }
}

/// One test, since both tables are of one page.
#[test]
fn the_tables_of_simulations_are_those_of_the_measurements() {
    let simulated: Vec<Row> = rows("simulations.csv");
    let cells = |row: &Row| {
        let counts = [row.bodies, row.impacts, row.contacts, row.waits, row.overlaps];
        let counts = counts.into_iter().chain([row.crossings]).map(|n| thousands(n as u64));
        let names = [row.scene.clone(), step_name(row.dt), duration(row.seconds)];
        let took = [duration(row.wall_s), three_digits(row.real_time)];
        let last = [depth(row.worst_depth)].into_iter().chain(took);
        names.into_iter().chain(counts).chain(last).collect()
    };
    let head = "| scene | dt | simulated | bodies | impacts | contacts | waits | overlaps | crossings \
                | worst depth | took | of real time |";
    assert_table(head, &simulated.iter().map(cells).collect::<Vec<_>>());
    let peers: Vec<PeerRow> = rows("rapier.csv");
    assert_eq!(peers.len(), 4);
    let side_by_side = |peer: &PeerRow| {
        let is_same = |row: &&Row| (&row.scene, row.dt) == (&peer.scene, peer.dt);
        let row = simulated.iter().find(is_same).expect("the scene is simulated here as well");
        assert_eq!(row.seconds, peer.seconds, "{}", row.scene);
        let counts = [row.bodies, row.overlaps, peer.overlaps].map(|n| thousands(n as u64));
        let depths = [row.worst_depth, peer.worst_depth].map(depth);
        let times = [row.real_time, peer.real_time].map(duration);
        [row.scene.clone()].into_iter().chain(counts).chain(depths).chain(times).collect()
    };
    let head = "| scene | bodies | overlaps | in rapier | worst depth | in rapier | a second takes \
                | in rapier |";
    assert_table(head, &peers.iter().map(side_by_side).collect::<Vec<_>>());
}

#[test]
fn the_table_of_the_public_benchmark_is_that_of_the_measurements() {
    let rows: Vec<rigid_ipc::Row> = rows("rigid_ipc.csv");
    assert_eq!(rows.len(), 45);
    let head = "| scene | bodies | result | simulated | overlaps | crossings | passing | waits \
                | in a row | lost | processor / s |";
    assert_table(head, &rows.iter().map(rigid_ipc::Row::cells).collect::<Vec<_>>());
}
