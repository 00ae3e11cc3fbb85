//! Labelled queries are read, decided and counted, and what is wrong with a file is named.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{Folder, root};
use serde_json::Value;

/// A point that falls from `from` to `to` through the middle of a triangle in the plane z = 0.
fn falling([from, to]: [f64; 2], label: f64) -> Vec<f64> {
    let end = |z: f64| [0.25, 0.25, z, 0., 0., 0., 1., 0., 0., 0., 1., 0.];
    [&end(from)[..], &end(to), &[label]].concat()
}

/// Two edges in one plane for the whole step; one moves along x, and its end touches the other at
/// the time 1/2.
fn sliding(label: f64) -> Vec<f64> {
    let end = |x: f64| [x, 0., 0., x + 1., 0., 0., 0.25, -1., 0., 0.25, 1., 0.];
    [&end(-1.75)[..], &end(0.25), &[label]].concat()
}

fn bytes(queries: &[Vec<f64>]) -> Vec<u8> {
    queries.iter().flatten().flat_map(|number| number.to_le_bytes()).collect()
}

/// A hit, a hit that is labelled a miss, a miss that is labelled a hit, and two misses.
fn mixed() -> Vec<u8> {
    bytes(&[
        falling([1., -3.], 1.),
        falling([1., -1.], 0.),
        falling([1., 0.5], 1.),
        falling([3., 1.], 0.),
        falling([-1., -2.], 0.),
    ])
}

fn report(folder: &Folder, files: &[&str]) -> Value {
    let run = folder.run(&[&["queries"], files, &["--json", "-"]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    serde_json::from_str(&run.out).expect("standard output is one JSON document")
}

fn count(file: &Value, key: &str) -> u64 {
    file[key].as_u64().unwrap_or_else(|| panic!("{key} is not a whole number: {file}"))
}

#[test]
fn answers_are_compared_with_labels() {
    let folder = Folder::new("queries-counts");
    folder.write("mixed.vf.bin", mixed());
    let report = report(&folder, &["mixed.vf.bin"]);
    assert_eq!(report.as_object().map(|object| object.len()), Some(1));
    let file = &report["files"][0];
    let mut keys: Vec<&str> = file.as_object().expect("keys").keys().map(|key| &**key).collect();
    keys.sort_unstable();
    let names = ["exact_fallbacks", "false_hits", "file", "hits", "max_ns", "mean_ns"];
    assert_eq!(keys, [&names[..], &["median_ns", "missed", "p99_ns", "queries"]].concat());
    assert_eq!(file["file"], "mixed.vf.bin");
    let counts = ["queries", "hits", "false_hits", "missed"].map(|key| count(file, key));
    assert_eq!(counts, [5, 2, 1, 1]);
}

#[test]
fn times_are_ordered_and_those_of_decisions_alone() {
    let folder = Folder::new("queries-times");
    // The slow ones stand in the middle, so that only sorted times are in order.
    let apart = [[0.0; 6], [9.0; 6]].concat();
    let quick = [&apart[..], &apart, &[0.0]].concat();
    let [quick, slow] = [vec![quick; 200], vec![sliding(1.); 100]];
    folder.write("many.ee.bin", bytes(&[quick.clone(), slow, quick].concat()));
    let file = &report(&folder, &["many.ee.bin"])["files"][0];
    assert_eq!((count(file, "hits"), count(file, "false_hits")), (100, 0));
    let [median, p99, max] = ["median_ns", "p99_ns", "max_ns"].map(|key| count(file, key));
    assert!(median <= p99 && p99 <= max && count(file, "mean_ns") <= max, "{file}");
    // Generous, for slow and busy machines: a decision takes some 100 ns.
    assert!(median < 1_000_000, "{file}");
}

#[test]
fn exact_arithmetic_is_counted_where_rounding_is_in_the_way() {
    let folder = Folder::new("queries-exact");
    folder.write("plane.ee.bin", bytes(&[sliding(1.)]));
    folder.write("clear.vf.bin", bytes(&[falling([1., -3.], 1.)]));
    let files = &report(&folder, &["plane.ee.bin", "clear.vf.bin"])["files"];
    assert_eq!([0, 1].map(|i| count(&files[i], "exact_fallbacks")), [1, 0]);
    assert_eq!([0, 1].map(|i| count(&files[i], "hits")), [1, 1]);
}

#[test]
fn there_is_a_line_for_each_query_in_the_order_of_the_files() {
    let folder = Folder::new("queries-answers");
    folder.write("z.vf.bin", mixed());
    folder.write("a.ee.bin", bytes(&[sliding(1.)]));
    let run = folder.run(&["queries", "z.vf.bin", "a.ee.bin", "--answers", "out.txt", "--quiet"]);
    assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "", ""));
    let text = fs::read_to_string(folder.path().join("out.txt")).expect("it was written");
    let lines: Vec<Vec<f64>> = text
        .lines()
        .map(|line| line.split(' ').map(|word| word.parse().expect("a number")).collect())
        .collect();
    let times = [Some(0.25), Some(0.5), None, None, None, Some(0.5)];
    assert_eq!(lines.len(), times.len(), "{text}");
    for (line, time) in lines.iter().zip(times) {
        match (time, &line[..]) {
            (None, line) => assert_eq!(line, &[0.0]),
            (Some(time), &[hit, found, from, to]) => {
                assert!(hit == 1.0 && from <= found && found <= to, "{text}");
                assert!(from <= time && time <= to && to - from < 1e-9, "{text}");
            }
            _ => panic!("{text}"),
        }
    }
}

#[test]
fn the_table_has_a_row_for_each_file_and_sums_up() {
    let folder = Folder::new("queries-table");
    folder.write("mixed.vf.bin", mixed());
    folder.write("none.ee.bin", []);
    let run = folder.run(&["queries", "mixed.vf.bin", "none.ee.bin"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("file ") && lines[1].starts_with("mixed.vf.bin "), "{}", run.out);
    assert!(lines[2].starts_with("none.ee.bin ") && lines[2].ends_with('-'), "{}", run.out);
    let last = "5 queries in 2 files: 2 hits, 1 of them false, 1 missed; ";
    assert!(lines[4].starts_with(last), "{}", run.out);
    assert_eq!(report(&folder, &["none.ee.bin"])["files"][0]["mean_ns"], Value::Null);
}

#[test]
fn wrong_files_are_named_with_the_query_and_leave_nothing_behind() {
    let folder = Folder::new("queries-wrong");
    let good = falling([1., -3.], 1.);
    let with = |place: usize, number: f64| {
        let mut second = good.clone();
        second[place] = number;
        bytes(&[good.clone(), second])
    };
    let one = bytes(std::slice::from_ref(&good));
    folder.write("good.vf.bin", &one);
    folder.write("good.bin", &one);
    folder.write("short.ee.bin", &bytes(&[good.clone(), good.clone()])[..399]);
    folder.write("nan.vf.bin", with(13, f64::NAN));
    folder.write("inf.ee.bin", with(0, f64::INFINITY));
    folder.write("label.vf.bin", with(24, 0.5));
    folder.write("out.json", "before");
    folder.write(".vf./plain.bin", &one);
    let names = folder.names();
    for (file, phrase) in [
        ("good.bin", "good.bin: the name has neither `.vf.`"),
        (".vf./plain.bin", "plain.bin: the name has neither `.vf.`"),
        ("two.ee.vf.bin", "two.ee.vf.bin: the name has both `.vf.`"),
        (
            "short.ee.bin",
            "short.ee.bin: 399 bytes are not whole queries of 200 bytes: 199 left over",
        ),
        ("nan.vf.bin", "nan.vf.bin: query 1: vertex 0 is at [0.25, NaN, -3] at the end"),
        ("inf.ee.bin", "inf.ee.bin: query 1: vertex 0 is at [inf, 0.25, 1] at the start"),
        ("label.vf.bin", "label.vf.bin: query 1: the label is 0.5"),
        ("none.vf.bin", "cannot read the queries none.vf.bin"),
    ] {
        let arguments =
            ["queries", "good.vf.bin", file, "--json", "out.json", "--answers", "a.txt"];
        let run = folder.run(&arguments);
        assert_eq!(run.status, 2, "{file}");
        assert!(run.err.contains(phrase) && run.err.contains("help:"), "{phrase}\n{}", run.err);
        assert!(run.out.is_empty(), "{}", run.out);
        assert_eq!(folder.names(), names, "{file}");
    }
    let kept = fs::read_to_string(folder.path().join("out.json")).expect("it is there");
    assert_eq!(kept, "before");
}

#[test]
fn results_neither_overwrite_queries_nor_each_other() {
    let folder = Folder::new("queries-shared");
    folder.write("mixed.vf.bin", mixed());
    for (json, answers, phrase) in [
        ("out", "out", "out is named for two results"),
        ("-", "-", "standard output is named for two results"),
        ("mixed.vf.bin", "out", "mixed.vf.bin is the input"),
        ("out", "./mixed.vf.bin", "mixed.vf.bin is the input"),
    ] {
        let run = folder.run(&["queries", "mixed.vf.bin", "--json", json, "--answers", answers]);
        assert!(run.status == 2 && run.err.contains(phrase), "{phrase}\n{}", run.err);
        assert_eq!(folder.names(), ["mixed.vf.bin"]);
    }
    let run = folder.run(&["queries", "mixed.vf.bin", "--answers", "-"]);
    assert_eq!((run.status, run.out.lines().count()), (0, 5), "{}", run.out);
    assert_eq!(folder.run(&["queries"]).status, 2);
}

/// The folder of labelled queries, if there is one.
#[allow(clippy::print_stdout, reason = "a skipped test must say so in the log")]
fn shared() -> Option<PathBuf> {
    let shared = std::env::var_os("CHASLES_SHARED").map(PathBuf::from);
    let folder = shared.unwrap_or_else(|| root().join("../shared")).join("linear-ccd-queries");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} not found; CHASLES_SHARED may name its parent", folder.display());
    None
}

#[test]
fn all_labelled_queries_are_answered_as_labelled() {
    let Some(shared) = shared() else { return };
    let entries = fs::read_dir(shared).expect("it is a folder");
    let paths = entries.flatten().map(|entry| entry.path().to_string_lossy().into_owned());
    let mut paths: Vec<String> = paths.filter(|path| path.ends_with(".bin")).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let paths: Vec<&str> = paths.iter().map(|path| &**path).collect();
    for file in
        report(&Folder::new("queries-labelled"), &paths)["files"].as_array().expect("a list")
    {
        assert!(count(file, "queries") > 0, "{file}");
        assert_eq!(["false_hits", "missed"].map(|key| count(file, key)), [0, 0], "{file}");
    }
}

/// A zip archive of arrays, stored as they are.
fn npz(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in arrays {
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated);
        archive.start_file(format!("{name}.npy"), options).expect("an entry");
        std::io::Write::write_all(&mut archive, bytes).expect("an entry");
    }
    archive.finish().expect("an archive").into_inner()
}

fn npy(descr: &str, shape: &str, items: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(items);
    bytes
}

/// All queries as doubles, without and with only their labels.
fn split(queries: &[u8]) -> [Vec<u8>; 2] {
    let rows = || queries.chunks_exact(200);
    let labels = rows().map(|row| u8::from(row[192..] == 1_f64.to_le_bytes()));
    [rows().flat_map(|row| row[..192].to_vec()).collect(), labels.collect()]
}

/// The queries as rows of a numerator and a denominator for each coordinate, and the label.
fn fractions(queries: &[u8]) -> String {
    let numbers: Vec<f64> =
        queries.chunks_exact(8).map(|x| f64::from_le_bytes(x.try_into().expect("8"))).collect();
    let mut text = String::new();
    for query in numbers.chunks_exact(25) {
        for vertex in query[..24].chunks_exact(3) {
            // Coordinates here are quarters.
            vertex.iter().for_each(|x| text += &format!("{},-8,", -8.0 * x));
            text += &format!("{}\n", query[24]);
        }
    }
    text
}

#[test]
fn text_and_arrays_are_read_as_doubles_are() {
    let folder = Folder::new("queries-forms");
    folder.write("mixed.vf.bin", mixed());
    let counts = |report: &Value| {
        let file = &report["files"][0];
        ["queries", "hits", "false_hits", "missed", "exact_fallbacks"].map(|key| count(file, key))
    };
    let expected = counts(&report(&folder, &["mixed.vf.bin"]));
    let decimals: Vec<String> = mixed()
        .chunks_exact(200)
        .map(|query| {
            let number = |x: &[u8]| f64::from_le_bytes(x.try_into().expect("8 bytes")).to_string();
            query.chunks_exact(8).map(number).collect::<Vec<_>>().join(", ")
        })
        .collect();
    let [places, labels] = split(&mixed());
    let archive = npz(&[
        ("queries", npy("<f8", "(5, 8, 3)", &places)),
        ("labels", npy("|b1", "(5,)", &labels)),
    ]);
    let spoken = format!("# Gr\u{f6}\u{df}e\n{}", fractions(&mixed()));
    let forms: [(&str, Vec<u8>); 6] = [
        ("spoken.vf.csv", spoken.into_bytes()),
        ("mixed.vf.csv", fractions(&mixed()).into_bytes()),
        ("vertex-face/data_0_0.csv", fractions(&mixed()).into_bytes()),
        ("decimal.vf.txt", decimals.join("\n").into_bytes()),
        ("mixed.vf.npy", npy("<f8", "(5, 25)", &mixed())),
        ("mixed.vf.npz", archive),
    ];
    for (name, contents) in forms {
        folder.write(name, contents);
        let found = report(&folder, &[name]);
        assert_eq!(counts(&found), expected, "{name}");
        assert!(found["files"][0].get("rounded").is_none(), "{name}");
    }
}

#[test]
fn fractions_that_are_no_doubles_are_counted() {
    let folder = Folder::new("queries-rounded");
    folder.write("third.vf.csv", fractions(&mixed()).replacen("-2,-8,", "1,3,", 2));
    assert_eq!(count(&report(&folder, &["third.vf.csv"])["files"][0], "rounded"), 2);
    let run = folder.run(&["queries", "third.vf.csv"]);
    assert!(run.out.contains("2 numbers are no doubles and were rounded"), "{}", run.out);
}

#[test]
fn wrong_text_and_arrays_are_named() {
    let folder = Folder::new("queries-wrong-forms");
    let error = |name: &str, contents: &[u8]| {
        folder.write(name, contents);
        let run = folder.run(&["queries", name]);
        assert_eq!(run.status, 2, "{}", run.out);
        run.err.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let cut = fractions(&mixed()).lines().take(11).collect::<Vec<_>>().join("\n");
    assert!(error("a.vf.csv", cut.as_bytes()).contains("line 11: the last query has 3 rows of 8"));
    let label = fractions(&mixed()).replace(",1\n", ",7\n");
    assert!(error("b.vf.csv", label.as_bytes()).contains("query 0: the label is 7"));
    let pickled = error("c.vf.npy", &npy("|O", "(1, 25)", b"\x80\x04."));
    assert!(pickled.contains("pickled objects"), "{pickled}");
    let [places, _] = split(&mixed());
    let lonely = npz(&[("queries", npy("<f8", "(5, 8, 3)", &places))]);
    assert!(error("d.vf.npz", &lonely).contains("no array `labels`"));
    // Two gigabytes of zeros in some kilobytes, and fewer bytes than claimed.
    let bomb = npz(&[("queries", npy("<f8", "(99999999, 25)", &vec![0; 1 << 20]))]);
    assert!(
        error("e.vf.npz", &bomb).contains("more than 33554432 numbers"),
        "a claim beyond the limit"
    );
    // Each byte would become a number of eight, and that again a part of a query.
    let bytes = npz(&[("queries", npy("|u1", "(40000, 25)", &vec![0; 1_000_000]))]);
    assert!(error("g.vf.npz", &bytes).contains("the array holds bytes"), "bytes are no positions");
    let prose = error("h.vf.csv", b"this is no list\n");
    assert!(prose.contains("line 1: names of columns, but no row"), "{prose}");
    let sixteen: Vec<u8> =
        "1,2,3\n".encode_utf16().flat_map(u16::to_le_bytes).cycle().take(200).collect();
    let columns = error("i.vf.csv", &sixteen);
    assert!(columns.contains("line 1: 3 columns, but there must be 25"), "{columns}");
    let short = npz(&[("queries", npy("<f8", "(1000000, 25)", &vec![0; 1 << 20]))]);
    assert!(error("f.vf.npz", &short).contains("fewer bytes than"), "a claim beyond the archive");
}
