//! `chasles compare`: methods side by side, and what is missed or made up is counted.

mod common;

use std::fs;

use common::{CUBES, Folder, root, scenes};
use serde_json::Value;

fn compared(folder: &Folder, scene: &str) -> Value {
    let run = folder.run(&["compare", scene, "--repeat", "1", "--json", "-"]);
    assert_eq!(run.status, 0, "{}", run.err);
    serde_json::from_str(&run.out).expect("one document")
}

fn row<'v>(document: &'v Value, method: &str) -> &'v Value {
    let rows = document["methods"].as_array().expect("a list");
    rows.iter().find(|row| row["method"] == method).unwrap_or_else(|| panic!("no {method}"))
}

#[test]
fn the_tori_are_compared_with_all_methods() {
    let document = compared(&Folder::new("compare-tori"), "tori");
    assert_eq!(document["title"], "Two tori");
    let refused = document["refused"].as_array().expect("a list");
    assert!(refused.len() == 1 && refused[0]["method"] == "trace", "{refused:?}");
    assert!(refused[0]["reason"].as_str().is_some_and(|r| r.starts_with("not run: it needs pure")));
    let [exact, screen, path] = ["exact", "screen", "path"].map(|name| row(&document, name));
    assert!(exact["contacts"].as_u64() > Some(100) && exact["missed"].is_null());
    for (row, worst) in [(screen, 1e-2), (path, 0.1)] {
        let count = |key: &str| row[key].as_u64().unwrap_or_else(|| panic!("{row}"));
        assert!(count("sought") > 0 && count("sought") < exact["contacts"].as_u64().unwrap_or(0));
        assert!(count("missed") <= count("sought") && count("extra") <= count("contacts"));
        assert!(row["worst_time_error"].as_f64().expect("an error") < worst, "{row}");
        assert!(row["median_ns"].as_u64() > Some(0) && row["runs"] == 1);
    }
    assert_eq!((&path["missed"], &path["extra"]), (&path["missed_edges"], &0.into()), "{path}");
}

/// Each contact matches one at most, so what is sought is found or missed, and what a method
/// reports is one of six things.
#[test]
fn contacts_are_counted_one_to_one_and_add_up() {
    let folder = Folder::new("compare-sums");
    for scene in ["tori", "stuck", "cubes", "spin"] {
        let document = compared(&folder, scene);
        for row in document["methods"].as_array().expect("a list").iter().skip(1) {
            let count = |key: &str| row[key].as_u64().unwrap_or_else(|| panic!("{scene}: {row}"));
            assert_eq!(count("sought"), count("found") + count("missed"), "{scene}: {row}");
            let parts = ["found", "unsought", "repeated", "between", "extra", "inside"].map(count);
            assert_eq!(count("contacts"), parts.iter().sum::<u64>(), "{scene}: {row}");
            assert!(count("merged") <= count("missed"), "{scene}: {row}");
        }
    }
    let screen = compared(&folder, "tori");
    let screen = row(&screen, "screen");
    let count = |key: &str| screen[key].as_u64().unwrap_or_else(|| panic!("{screen}"));
    // Inside the tori, where they are reflex, the screen reports what cannot be touched.
    assert!(count("unsought") > 0 && count("missed") > 0, "{screen}");
    assert_eq!(count("merged"), count("missed"), "{screen}");
}

/// What is said of a row is on the table and on the page.
#[test]
fn the_table_and_the_page_say_what_is_matched_with_what() {
    let folder = Folder::new("compare-words");
    let run = folder.run(&["compare", "tori", "--repeat", "1", "--report", "a.html"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let page = fs::read_to_string(folder.path().join("a.html")).expect("just written");
    let document = compared(&folder, "tori");
    let screen = row(&document, "screen");
    let sum = format!(
        "{} sought = {} found + {} missed",
        screen["sought"], screen["found"], screen["missed"]
    );
    for text in [&run.out, &page] {
        assert!(text.contains(&sum), "{sum}: {text}");
        let screen = "sought are facing contacts that do not graze; matched one to one";
        let path = "sought are contacts of a vertex and a face that approach, and facing ones";
        assert!(text.contains(screen) && text.contains(path), "{text}");
    }
}

/// Two boxes of one height side by side on one plane: the one slides up to the other, and all the
/// while their faces are in the same planes.
#[test]
fn what_grazes_is_not_sought() {
    let folder = Folder::new("compare-flush");
    folder.write(
        "flush.toml",
        "[[body]]\nshape = { box = {} }\n[[body]]\nshape = { box = {} }\n\
         start = { position = [2, 0, 0] }\nend = { position = [0.5, 0, 0] }\n",
    );
    let run = folder.run(&["collide", "flush.toml", "--facing", "--json", "-"]);
    let facing: Value = serde_json::from_str(&run.out).expect("one document");
    let facing = facing["pairs"][0]["contacts"].as_array().expect("a list");
    let grazing = facing.iter().filter(|c| c["grazing"] == true || c["normal_speed"] == 0.0);
    let (grazing, all) = (grazing.count() as u64, facing.len() as u64);
    assert!(grazing > 0 && grazing < all, "{grazing} of {all}");
    let document = compared(&folder, "flush.toml");
    let screen = row(&document, "screen");
    assert_eq!(screen["sought"].as_u64(), Some(all - grazing), "{screen}");
    assert_eq!(screen["missed"], 0, "{screen}");
}

#[test]
fn a_scene_that_no_method_takes_is_refused_with_the_true_reason() {
    let folder = Folder::new("compare-none");
    let turned = "end = { rotation = { axis = [0, 0, 1], degrees = 30 } }";
    folder.write(
        "both.toml",
        format!(
            "[[body]]\nshape = {{ box = {{}} }}\n{turned}\n[[body]]\nshape = {{ box = {{}} }}\n\
             start = {{ position = [1.6, 0, 0] }}\n{turned}\n"
        ),
    );
    let words = ["compare", "both.toml", "--max-departure", "1e-14", "--json", "out.json"];
    let run = folder.run(&words);
    let said = run.err.split_whitespace().filter(|word| *word != "\u{2502}");
    let said = said.collect::<Vec<_>>().join(" ");
    assert_eq!((run.status, run.out.as_str()), (2, ""), "{said}");
    assert!(said.contains("no method takes the scene both.toml: exact: "), "{said}");
    assert!(said.contains("4096 parts") && !said.contains("meshes only"), "{said}");
    assert_eq!(folder.names(), ["both.toml"]);
}

/// All vertices of the meshes are points of the path method, and a closed body is entered where the
/// exact method has a vertex that comes to a face: none may be missed, only edges that cross
/// between samples.
#[test]
fn the_path_method_misses_no_vertex_of_closed_bodies() {
    let folder = Folder::new("compare-path");
    for scene in ["cubes", "cars", "spin", "gear", "stuck"] {
        let document = compared(&folder, scene);
        let path = row(&document, "path");
        let missed = (&path["missed"], &path["extra"]);
        assert_eq!(missed, (&path["missed_edges"], &0.into()), "{scene}: {path}");
    }
}

#[test]
fn methods_that_do_not_take_a_scene_are_listed_with_the_reason() {
    let folder = Folder::new("compare-refused");
    for (scene, takes, refused) in [
        ("cloth", "exact", ["screen", "path", "trace"]),
        ("housing", "path", ["exact", "screen", "trace"]),
    ] {
        let document = compared(&folder, scene);
        let rows = document["methods"].as_array().expect("a list");
        assert!(rows.len() == 1 && rows[0]["method"] == takes && rows[0]["missed"].is_null());
        let others = document["refused"].as_array().expect("a list");
        let names: Vec<&Value> = others.iter().map(|other| &other["method"]).collect();
        assert_eq!(names, refused);
        for other in others {
            assert!(other["reason"].as_str().is_some_and(|r| r.contains("only, and")), "{other}");
        }
        let table = folder.run(&["compare", scene, "--repeat", "1"]).out;
        assert!(table.contains("only, and"), "{table}");
    }
}

/// The path method says which points are inside from the start; the exact method has no contact
/// before surfaces meet.
#[test]
fn points_that_start_inside_are_no_false_contacts() {
    let folder = Folder::new("compare-inside");
    let turns = CUBES.replace("[3, 0.25, 0.25]", "[0.1, 0.25, 0.3]");
    let leaves = turns.replace(", rotation = { axis = [0, 0, 1], degrees = 40 }", "");
    let leaves = leaves.replace("[0, 0.25, 0.25]", "[2, 0.25, 0.3]");
    folder.write("rests.toml", leaves.replace("[2, 0.25, 0.3]", "[0.1, 0.25, 0.3]"));
    folder.write("leaves.toml", leaves);
    folder.write("turns.toml", turns);
    for scene in ["rests.toml", "leaves.toml", "turns.toml"] {
        let document = compared(&folder, scene);
        let path = row(&document, "path");
        let count = |key: &str| path[key].as_u64().unwrap_or_else(|| panic!("{path}"));
        assert_eq!((count("extra"), count("missed")), (0, count("missed_edges")), "{scene}");
        assert!(count("inside") > 0 && count("inside") <= count("contacts"), "{scene}: {path}");
    }
}

/// The trace stops in front of what it meets: its time is that of the first facing contact, and not
/// later unless they touch before.
#[test]
fn the_trace_finds_the_first_contact_of_bodies_that_go_straight_or_turn() {
    let folder = Folder::new("compare-trace");
    let straight = CUBES.replace(", rotation = { axis = [0, 0, 1], degrees = 40 }", "");
    folder.write("straight.toml", &straight);
    folder.write("past.toml", straight.replace("[3, 0.25, 0.25]", "[3, 0.25, 5]"));
    folder.write("inside.toml", straight.replace("[3, 0.25, 0.25]", "[0.1, 0.25, 0.25]"));
    for (scene, contacts, sought) in
        [("straight.toml", 1, 1), ("spin", 1, 1), ("past.toml", 1, 1), ("inside.toml", 0, 0)]
    {
        let document = compared(&folder, scene);
        let (trace, exact) = (row(&document, "trace"), row(&document, "exact"));
        let count = |key: &str| trace[key].as_u64().unwrap_or_else(|| panic!("{scene}: {trace}"));
        assert_eq!((count("contacts"), count("sought")), (contacts, sought), "{scene}: {trace}");
        assert_eq!((count("missed"), count("extra")), (0, 0), "{scene}: {trace}");
        if contacts == 0 {
            continue;
        }
        let worst = trace["worst_time_error"].as_f64().expect("an error");
        assert!(worst < 1e-9, "{scene}: {trace}");
        let [stopped, first] = [trace, exact].map(|row| row["first"].as_f64().expect("a time"));
        assert!(stopped <= first, "{scene}: {stopped} is after {first}");
    }
    let document = compared(&folder, "sliding");
    let [stopped, first] =
        ["trace", "exact"].map(|name| row(&document, name)["first"].as_f64().expect("a time"));
    assert!(first == 0.0 && stopped > 0.4, "what touches is free: {stopped} and {first}");
}

/// A body far away that turns while it goes is no reason to leave the trace out, and adds nothing.
#[test]
fn pairs_that_never_come_near_each_other_are_not_asked() {
    let folder = Folder::new("compare-near");
    let straight = CUBES.replace(", rotation = { axis = [0, 0, 1], degrees = 40 }", "");
    let mut scene = straight.clone();
    for i in 0..30 {
        scene += &format!(
            "\n[[body]]\nname = \"far{i}\"\nshape = {{ box = {{ size = [1, 1, 1] }} }}\n\
             start = {{ position = [{x}, 0, 0] }}\n\
             end = {{ position = [{x}, 1, 0], rotation = {{ axis = [0, 1, 0], degrees = 20 }} }}\n",
            x = 20 + 5 * i
        );
    }
    folder.write("two.toml", &straight);
    folder.write("many.toml", &scene);
    let [two, many] = ["two.toml", "many.toml"].map(|scene| compared(&folder, scene));
    assert_eq!((&two["pairs"], &many["pairs"]), (&1.into(), &496.into()));
    for method in ["exact", "screen", "path", "trace"] {
        for key in ["contacts", "first", "sought", "found", "missed", "extra"] {
            let [of_two, of_many] = [&two, &many].map(|document| &row(document, method)[key]);
            assert_eq!(of_two, of_many, "{method} {key}");
        }
    }
}

#[test]
fn a_body_alone_is_told_to_have_no_pair() {
    let folder = Folder::new("compare-alone");
    folder.write("a.toml", "[[body]]\nshape = { box = {} }\nend = { position = [1, 0, 0] }\n");
    let run = folder.run(&["compare", "a.toml", "--report", "a.html"]);
    let words = "1 body: no pair to compare methods on; add a second [[body]]";
    assert!(run.status == 0 && run.out.ends_with(&format!("{words}\n")), "{}{}", run.out, run.err);
    assert!(!run.out.contains("median"), "{}", run.out);
    let page = fs::read_to_string(folder.path().join("a.html")).expect("just written");
    assert!(page.contains(words) && page.ends_with("</html>\n") && !page.contains("<table>"));
    let document = compared(&folder, "a.toml");
    assert_eq!((&document["pairs"], &document["methods"]), (&0.into(), &[0; 0].into()));
}

#[test]
fn every_scene_for_collide_can_be_compared() {
    let folder = Folder::new("compare-all");
    for scene in scenes() {
        compared(&folder, &scene.to_string_lossy());
    }
}

#[test]
fn a_page_stands_alone_and_has_the_table_and_the_plots() {
    let folder = Folder::new("compare-page");
    folder.write("a.toml", CUBES.replace("\"Cubes\"", "\"<b>Cubes</b> & co\""));
    let run = folder.run(&["compare", "a.toml", "--report", "a.html", "--json", "a.json"]);
    assert_eq!((run.status, run.err.lines().count()), (0, 2), "{}", run.err);
    assert_eq!(folder.names(), ["a.html", "a.json", "a.toml"]);
    let page = fs::read_to_string(folder.path().join("a.html")).expect("just written");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("&lt;b&gt;Cubes&lt;/b&gt; &amp; co") && !page.contains("<b>"));
    assert!(page.contains("prefers-color-scheme: dark") && !page.contains("<script"));
    assert!(page.matches("<svg").count() == 8 && page.len() < 1_000_000, "{}", page.len());
    let outside = page.split("http").skip(1).filter(|rest| !rest.starts_with("://www.w3.org/"));
    assert_eq!(outside.count(), 0, "a page asks nobody");
    for cell in ["<td>exact</td>", "<td>screen</td>", "<td>path</td>"] {
        assert!(page.contains(cell), "{cell}");
    }
}

#[test]
fn wrong_uses_are_told_and_leave_nothing() {
    let folder = Folder::new("compare-wrong");
    folder.write("a.toml", CUBES);
    let scene = root().join("scenes/trace-corner.toml").to_string_lossy().into_owned();
    for (arguments, phrase) in [
        (vec!["a.toml", "--report", "a.pdf"], "must end in .html"),
        (vec!["a.toml", "--report", "none/a.html"], "existing folder"),
        (vec!["a.toml", "--json", "a.toml"], "is the input"),
        (vec!["a.toml", "--json", "x.html", "--report", "x.html"], "two results"),
        (vec!["a.toml", "--repeat", "0"], "--repeat"),
        (vec!["torri"], "did you mean the built-in scene tori?"),
        (vec![&scene], "moving"),
    ] {
        let run = folder.run(&[&["compare"], &arguments[..]].concat());
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.err.contains(phrase), "{arguments:?}: {}", run.err);
        assert_eq!(folder.names(), ["a.toml"], "{arguments:?}");
    }
}
