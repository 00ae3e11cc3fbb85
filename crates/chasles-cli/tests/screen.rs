//! `collide --method screen`: the same words as the exact method, to a pixel, and what its options
//! do.

mod common;

use std::collections::BTreeSet;

use common::{CUBES, Folder, has_frames, root, scenes};
use serde_json::Value;

fn scene(name: &str) -> String {
    root().join("scenes").join(name).to_string_lossy().into_owned()
}

/// The results of a command, which must succeed.
fn collide(folder: &Folder, arguments: &[&str]) -> Value {
    let run = folder.run(&[&["collide"], arguments, &["--json", "-"]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&run.out).expect("standard output is one JSON document")
}

fn by_screen(folder: &Folder, scene: &str, more: &[&str]) -> Value {
    collide(folder, &[&[scene, "--method", "screen"], more].concat())
}

fn contacts(results: &Value) -> Vec<Value> {
    let pairs = results["pairs"].as_array().expect("a list");
    pairs.iter().flat_map(|pair| pair["contacts"].as_array().expect("a list").clone()).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> =
        value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} is a number in {value}"))
}

/// Features, time and bracket of a contact.
fn what(contact: &Value) -> (String, f64, [f64; 2]) {
    let features = format!("{} {} {}", contact["kind"], contact["a"], contact["b"]);
    let bracket = [0, 1].map(|i| contact["time_bracket"][i].as_f64().expect("a number"));
    (features, number(contact, "time"), bracket)
}

#[test]
fn every_scene_gives_results_of_the_documented_form() {
    let folder = Folder::new("screen-form");
    let options =
        ["coarse_first", "drawing", "hull_first", "max_records", "order", "pixels", "robust"];
    for path in scenes().into_iter().filter(|path| !has_frames(path)) {
        let results = by_screen(&folder, &path.to_string_lossy(), &[]);
        let mut found = keys(&results);
        // The one scene with an open mesh of a file says so.
        found.retain(|key| !(*key == "open" && path.ends_with("soup.toml")));
        assert_eq!(found, ["method", "pairs", "parts", "screen", "title"], "{path:?}");
        assert_eq!(results["method"], "screen");
        assert_eq!(keys(&results["screen"]), options);
        for pair in results["pairs"].as_array().expect("a list") {
            assert_eq!(keys(&pair["screen"]), ["compared", "drawing", "pixel", "records"]);
            assert!(number(&pair["screen"], "pixel") > 0.0);
            let found = pair["contacts"].as_array().expect("a list");
            assert!(found.is_sorted_by_key(|contact| number(contact, "time")));
        }
        for contact in &contacts(&results) {
            let (_, time, bracket) = what(contact);
            assert!((0.0..=1.0).contains(&time) && bracket[0] <= time && time <= bracket[1]);
            assert_eq!(keys(contact).len(), 13, "{contact}");
            assert!(number(contact, "normal_speed") <= 0.0, "{contact}");
        }
    }
}

/// Of two tori and two cars the screen finds the proper contacts of the exact method, all of them
/// and no others. With 6 pixels it takes one of the tori for a vertex in a face, which is improper.
#[test]
fn proper_contacts_of_tori_and_cars_are_those_of_the_exact_method() {
    let folder = Folder::new("screen-proper");
    let proper = ["--min-properness", "0", "--facing"];
    for (name, count) in [("tori.toml", 3), ("cars.toml", 1)] {
        let exact = contacts(&collide(&folder, &[&[scene(name).as_str()], &proper[..]].concat()));
        assert_eq!(exact.len(), count, "{name}");
        for pixels in ["12", "24", "48"] {
            let arguments = [&proper[..], &["--pixels", pixels]].concat();
            let shown = contacts(&by_screen(&folder, &scene(name), &arguments));
            assert_eq!(shown.len(), count, "{name} at {pixels}");
            for (exact, shown) in exact.iter().zip(&shown) {
                let ((features, time, _), (found, at, bracket)) = (what(exact), what(shown));
                assert_eq!(features, found, "{name} at {pixels}");
                assert!((time - at).abs() < 1e-6 && bracket[0] <= time && time <= bracket[1]);
            }
        }
    }
}

#[test]
fn options_choose_among_the_contacts() {
    let folder = Folder::new("screen-options");
    let tori = scene("tori.toml");
    let count = |more: &[&str]| contacts(&by_screen(&folder, &tori, more)).len();
    let all = count(&[]);
    let touchable = count(&["--touchable"]);
    assert!(touchable < all, "the inner edges of tori are reflex");
    assert_eq!(count(&["--facing"]), touchable, "the screen shows nothing else");
    assert_eq!(count(&["--first"]), 1);
    let halves = count(&["--window", "0", "0.5"]) + count(&["--window", "0.5", "1"]);
    assert_eq!(halves, all, "no contact of this scene is at half time");
    assert!(count(&["--min-properness", "-0.1"]) < all);
    assert!(count(&["--robust"]) > all);
    assert!(count(&["--robust", "--facing"]) <= count(&["--robust"]));
    let length = &by_screen(&folder, &tori, &["--pixel-length", "0.02"])["pairs"][0]["screen"];
    assert_eq!(length["pixel"], 0.02);
    assert!(count(&["--time-resolution", "0.001"]) > all / 2);
}

/// The proper contacts of the tori by each drawing: those of lines have the times of roots, and
/// those of pixels times as good as the pixels.
#[test]
fn drawings_show_the_same_proper_contacts() {
    let folder = Folder::new("screen-drawings");
    for (name, count) in [("tori.toml", 3), ("cars.toml", 1)] {
        let shown = |drawing: &str, pixels: &str| {
            let more = ["--min-properness", "0", "--pixels", pixels, "--drawing", drawing];
            let results = by_screen(&folder, &scene(name), &more);
            assert_eq!(results["screen"]["drawing"], drawing);
            let used = results["pairs"][0]["screen"]["drawing"].clone();
            assert_eq!(used, if drawing == "auto" { "pairs" } else { drawing }, "{name}");
            contacts(&results).iter().map(what).collect::<Vec<_>>()
        };
        let exact = shown("auto", "48");
        assert_eq!(exact.len(), count, "{name}");
        assert_eq!(shown("rows", "48"), exact, "{name}");
        assert_eq!(shown("pairs", "48"), exact, "{name}");
        let worst = |pixels: &str| {
            let found = shown("pixels", pixels);
            let off = exact.iter().map(|(features, time, _)| {
                let same = found.iter().filter(|(other, ..)| other == features);
                let all = same.map(|(_, at, bracket)| {
                    assert!(bracket[0] <= *time && *time <= bracket[1], "{name}: {found:?}");
                    (at - time).abs()
                });
                all.fold(f64::INFINITY, f64::min)
            });
            off.fold(0.0, f64::max)
        };
        let [coarse, fine] = ["12", "384"].map(worst);
        assert!(coarse < 0.02 && fine < 0.002, "{name}: {coarse} and {fine}");
    }
}

/// Figures 1 and 2 of the paper, by both methods: what meets, and how properly.
#[test]
fn scenes_show_what_contacts_and_properness_mean() {
    let folder = Folder::new("screen-meaning");
    for method in ["exact", "screen"] {
        let asked = |name: &str| {
            let more = ["collide", name, "--method", method, "--facing", "--quiet", "--json", "-"];
            let run = folder.run(&more);
            assert_eq!(run.status, 0, "{}", run.err);
            serde_json::from_str::<Value>(&run.out).expect("one document")
        };
        let tips = asked("tips");
        let of_tips = contacts(&tips);
        // Both ends of the shorter edge, each with a face at the longer.
        let vertices: BTreeSet<u64> =
            of_tips.iter().filter_map(|contact| contact["b"]["vertex"].as_u64()).collect();
        assert_eq!(vertices.len(), 2, "{method}: {of_tips:?}");
        let proper = asked("proper");
        let found = |name: &str| {
            let pairs = proper["pairs"].as_array().expect("a list");
            let pair = pairs.iter().find(|pair| pair["b"] == name).expect("a pair with the wall");
            let all = pair["contacts"].as_array().expect("a list").iter();
            let corners = all.filter(|contact| contact["kind"] == "fv");
            corners.map(|c| (number(c, "time"), number(c, "properness"))).collect::<Vec<_>>()
        };
        for (name, improper) in [("straight", 0), ("tilted", 2), ("fork", 0)] {
            let found = found(name);
            assert_eq!(found.len(), 4, "{method} {name}: {found:?}");
            let below = found.iter().filter(|(_, properness)| *properness < -1e-9).count();
            assert_eq!(below, improper, "{method} {name}: {found:?}");
            let is_at_once = found[3].0 - found[0].0 < 1e-6;
            assert_eq!(is_at_once, name == "straight", "{method} {name}: {found:?}");
        }
        let tilt = (10.0_f64).to_radians().sin();
        let [first, last] = [0, 3].map(|i| found("tilted")[i].1);
        assert!(first.abs() < 1e-9 && (last + tilt).abs() < 1e-9, "{first} {last}");
    }
}

#[test]
fn orders_and_coarse_looks_change_the_cost_and_no_proper_contact() {
    let folder = Folder::new("screen-cost");
    for name in ["tori.toml", "cars.toml", "stuck.toml"] {
        let run = |more: &[&str]| {
            let proper = ["--min-properness", "0"];
            by_screen(&folder, &scene(name), &[&proper[..], more].concat())
        };
        let expected = run(&[]);
        assert_eq!(contacts(&run(&["--order", "time"])), contacts(&expected), "{name}");
        assert_eq!(contacts(&run(&["--coarse-first", "4"])), contacts(&expected), "{name}");
        assert_eq!(contacts(&run(&["--hull-first"])), contacts(&expected), "{name}");
    }
}

#[test]
fn steps_of_several_parts_are_searched_part_by_part() {
    let folder = Folder::new("screen-parts");
    let results = by_screen(&folder, &scene("spin.toml"), &[]);
    assert_eq!(results["parts"], 5);
    let exact = contacts(&collide(&folder, &[&scene("spin.toml"), "--facing"]));
    let times: Vec<f64> = contacts(&results).iter().map(|c| number(c, "time")).collect();
    let due = exact.iter().filter(|c| number(c, "properness") > 0.01);
    for contact in due {
        let (_, time, _) = what(contact);
        assert!(times.iter().any(|t| (t - time).abs() < 1e-2), "{contact}");
    }
}

#[test]
fn pairs_do_not_disturb_each_other_and_runs_repeat() {
    let folder = Folder::new("screen-pairs");
    let cubes = scene("cubes.toml");
    let all = by_screen(&folder, &cubes, &[]);
    // Two of the cubes never come near each other.
    let near = all["pairs"].as_array().expect("a list");
    assert_eq!(near.len(), 2);
    assert_eq!(by_screen(&folder, &cubes, &[]), all);
    let text = std::fs::read_to_string(&cubes).expect("the scene exists");
    let bodies: Vec<&str> = text.split("[[body]]").skip(1).collect();
    for [a, b] in [[0, 1], [0, 2], [1, 2]] {
        let two = format!("[[body]]{}\n[[body]]{}", bodies[a], bodies[b]);
        folder.write("two.toml", two);
        let alone = &by_screen(&folder, "two.toml", &[])["pairs"][0];
        let names = |pair: &Value| [pair["a"].clone(), pair["b"].clone()];
        match near.iter().find(|pair| names(pair) == names(alone)) {
            Some(among) => assert_eq!(alone, among),
            None => assert_eq!(alone["contacts"], Value::Array(vec![])),
        }
    }
}

#[test]
fn the_table_names_the_method_and_the_resolution() {
    let folder = Folder::new("screen-table");
    folder.write("scene.toml", CUBES);
    let line = |more: &[&str]| {
        let run = folder.run(&[&["collide", "scene.toml"], more].concat());
        assert!(
            run.status == 0 && run.out.contains("a pixel is") != more.is_empty(),
            "{}",
            run.out
        );
        run.out.lines().last().unwrap_or_default().to_string()
    };
    let plain = line(&["--method", "screen"]);
    assert!(plain.ends_with(", by the screen: 12 pixels along a short edge"), "{plain}");
    let robust = line(&["--method", "screen", "--pixel-length", "0.05", "--robust"]);
    assert!(robust.ends_with(", by the screen: pixels of 0.05, robust"), "{robust}");
    assert!(!line(&[]).contains("screen"));
}

#[test]
fn bad_options_say_what_would_be_right() {
    let folder = Folder::new("screen-errors");
    folder.write("scene.toml", CUBES);
    let by_exact = |option: &str| format!("{option} is an option of the screen");
    let screen = ["--method", "screen"];
    for (arguments, phrase) in [
        (vec!["--pixels", "12"], by_exact("--pixels")),
        (vec!["--method", "exact", "--pixel-length", "1"], by_exact("--pixel-length")),
        (vec!["--drawing", "pixels"], by_exact("--drawing")),
        (vec!["--robust"], by_exact("--robust")),
        (vec!["--order", "time"], by_exact("--order")),
        (vec!["--coarse-first", "4"], by_exact("--coarse-first")),
        (vec!["--max-records", "4"], by_exact("--max-records")),
        (vec!["--hull-first"], by_exact("--hull-first")),
        (vec!["--time-resolution", "0.1"], by_exact("--time-resolution")),
        (vec!["--picture", "x.svg", "--screen"], by_exact("--screen")),
        (vec!["--device"], by_exact("--device")),
        (vec!["--device", "--drawing", "pixels"], "cannot be used with".into()),
        (vec!["--device", "--order", "time"], "cannot be used with".into()),
        (vec!["--pixels", "0"], "0 is not in 1..=".into()),
        (vec!["--pixels", "-3"], "unexpected argument '-3'".into()),
        (vec!["--pixel-length", "-0.5"], "must be a finite number above 0".into()),
        (vec!["--pixel-length", "nan"], "must be a finite number above 0".into()),
        (vec!["--pixel-length", "0"], "must be a finite number above 0".into()),
        (vec!["--time-resolution", "inf"], "must be a finite number above 0".into()),
        (vec!["--pixels", "3", "--pixel-length", "1"], "cannot be used with".into()),
        (vec!["--coarse-first", "0"], "0 is not in 1..=1024".into()),
        (vec!["--max-records", "0"], "0 is not in 1..=".into()),
        (vec!["--screen"], "--picture".into()),
        (vec!["--picture", "x.svg", "--screen", "--at", "0"], "cannot be used with".into()),
        (vec!["--picture", "x.svg", "--at", "2"], "from 0 to 1, or `proper`".into()),
    ] {
        let of_exact = phrase.contains("is an option of");
        let method = if of_exact { &[][..] } else { &screen[..] };
        let run = folder.run(&[&["collide", "scene.toml"], method, &arguments].concat());
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.err.contains(&phrase), "{arguments:?}\n{}", run.err);
        assert!(!of_exact || run.err.contains("add --method screen"), "{}", run.err);
        assert!(run.out.is_empty());
    }
    assert_eq!(folder.names(), ["scene.toml"]);
}

const WITHOUT: &str = "this program was built without graphics hardware";

/// Runs the program with a device, in software where that is there; none where there is none, or
/// the program was built without, which it then says with a way to get it.
fn on_device(folder: &Folder, arguments: &[&str]) -> Option<common::Run> {
    let asked = [&["collide"], arguments, &["--method", "screen", "--device=llvmpipe"]].concat();
    let run = folder.run(&asked);
    if run.err.contains(WITHOUT) {
        assert_eq!(run.status, 2, "{}", run.err);
        assert!(run.err.contains("--features gpu"), "{}", run.err);
        return None;
    }
    let is_there = std::env::var_os("CHASLES_DEVICE").is_some();
    if run.err.contains("no adapter can compute") && !is_there {
        assert_eq!(run.status, 2, "{}", run.err);
        eprintln!("skipped: {}", run.err);
        return None;
    }
    Some(run)
}

/// All pairs of a scene at once, with the filters of the command line; the same bits as in rows.
#[test]
fn a_device_finds_what_rows_show() {
    let folder = Folder::new("screen-device");
    for (name, more) in [
        ("tori.toml", &[][..]),
        ("tori.toml", &["--facing", "--min-properness", "0", "--window", "0.2", "0.9"]),
        ("cubes.toml", &["--robust", "--first"]),
        ("spin.toml", &["--pixels", "24"]),
        ("soup.toml", &[]),
    ] {
        let scene = scene(name);
        let arguments = [&[scene.as_str()], more, &["--json", "-"]].concat();
        let Some(run) = on_device(&folder, &arguments) else { return };
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{name}");
        let found: Value = serde_json::from_str(&run.out).expect("JSON");
        let rows = by_screen(&folder, &scene, &[more, &["--drawing", "rows"]].concat());
        assert_eq!(contacts(&found), contacts(&rows), "{name}");
        assert_eq!(found["screen"], rows["screen"], "{name}");
        let [handed_on, confirmed] =
            ["handed_on", "confirmed"].map(|key| number(&found["device"], key));
        assert!(handed_on >= confirmed, "{}", found["device"]);
        assert!(found["device"]["name"].as_str().is_some_and(|name| name.contains("llvmpipe")));
        assert!(found["pairs"][0]["screen"]["records"].is_null());
    }
}

#[test]
fn a_device_that_is_not_there_is_an_error() {
    let folder = Folder::new("screen-no-device");
    folder.write("scene.toml", CUBES);
    let collide = ["collide", "scene.toml", "--method", "screen", "--json", "out.json"];
    let run = folder.run(&[&collide[..], &["--device=no such device"]].concat());
    let phrases = if run.err.contains(WITHOUT) {
        ["--features gpu", "leave out --device"]
    } else {
        ["no adapter can compute", "leave out --device"]
    };
    assert_eq!(run.status, 2);
    assert!(phrases.iter().all(|phrase| run.err.contains(phrase)), "{}", run.err);
    assert_eq!(folder.names(), ["scene.toml"], "nothing is written");
}

/// What is wrong with a pair is told as without a device.
#[test]
fn a_pair_that_a_device_refuses_is_named() {
    let folder = Folder::new("screen-device-pair");
    folder.write("scene.toml", CUBES);
    let Some(run) = on_device(&folder, &["scene.toml", "--pixel-length", "1e-15"]) else { return };
    assert_eq!(run.status, 2);
    assert!(run.err.contains("scene.toml, a and b: the screen needs more than"), "{}", run.err);
}

#[test]
fn too_many_records_name_the_scene_the_bodies_and_the_way_out() {
    let folder = Folder::new("screen-records");
    folder.write("scene.toml", CUBES);
    for more in [["--max-records", "3"], ["--pixel-length", "1e-9"]] {
        let arguments = ["collide", "scene.toml", "--method", "screen", "--json", "out.json"];
        let run = folder.run(&[&arguments[..], &more].concat());
        assert_eq!(run.status, 2);
        for phrase in ["scene.toml, a and b: the screen needs more than", "--max-records"] {
            assert!(run.err.contains(phrase), "{}", run.err);
        }
        assert_eq!(folder.names(), ["scene.toml"], "no partial result");
    }
}

#[test]
fn a_picture_shows_the_screen() {
    let folder = Folder::new("screen-picture");
    let arguments = |scene: &str, file: &str| {
        let scene = root().join("scenes").join(scene).to_string_lossy().into_owned();
        let run = folder.run(&[
            "collide",
            &scene,
            "--method",
            "screen",
            "--quiet",
            "--picture",
            file,
            "--screen",
        ]);
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        std::fs::read(folder.path().join(file)).expect("it exists")
    };
    let svg = String::from_utf8(arguments("tori.toml", "tori.svg")).expect("text");
    for phrase in ["the collision screen", "A (a): backward parts", "distance from the axis"] {
        assert!(svg.contains(phrase), "{phrase}");
    }
    let pixels = folder.run(&[
        "collide",
        &scene("tori.toml"),
        "--method",
        "screen",
        "--drawing",
        "pixels",
        "--pixels",
        "6",
        "--quiet",
        "--picture",
        "pixels.svg",
        "--screen",
    ]);
    assert_eq!((pixels.status, pixels.err.as_str()), (0, ""));
    let pixels = std::fs::read_to_string(folder.path().join("pixels.svg")).expect("it exists");
    assert!(pixels.contains("6 pixels along a short edge") && pixels != svg);
    assert!(arguments("cubes.toml", "cubes.png").starts_with(b"\x89PNG"));
    let spin = String::from_utf8(arguments("spin.toml", "spin.svg")).expect("text");
    assert!(spin.contains(" of 5; "), "the caption names the part");
    // A bolt around its axis, drawn in sectors.
    assert!(arguments("stuck.toml", "stuck.png").starts_with(b"\x89PNG"));
}

#[test]
fn several_moments_have_a_panel_each() {
    let folder = Folder::new("screen-panels");
    let tori = scene("tori.toml");
    let draw = |at: &str| {
        let run = folder.run(&["collide", &tori, "--picture", "x.svg", "--at", at, "--quiet"]);
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        std::fs::read_to_string(folder.path().join("x.svg")).expect("it exists")
    };
    let svg = draw("0,proper,1");
    for title in ["(a) time 0.0000", "(b) time 0.1847", "(d) time 0.5251", "(e) time 1.0000"] {
        assert!(svg.contains(title), "{title}");
    }
    assert!(svg.contains("3 proper, approaching contacts") && !svg.contains("(f)"));
    let many = vec!["0.5"; 20].join(",");
    assert!(draw(&many).contains("the first 12 of 20 moments"));
}
