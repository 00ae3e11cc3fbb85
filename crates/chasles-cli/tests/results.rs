//! The JSON of `collide` has exactly the fields that scripts rely on.

mod common;

use common::{CUBES, Folder, has_frames, root, scenes};
use serde_json::{Map, Value};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names
}

fn number(object: &Value, key: &str) -> f64 {
    object[key].as_f64().unwrap_or_else(|| panic!("{key} is a number in {object}"))
}

fn numbers(object: &Value, key: &str, count: usize) -> Vec<f64> {
    let list = object[key].as_array().unwrap_or_else(|| panic!("{key} is a list in {object}"));
    assert_eq!(list.len(), count, "{key} in {object}");
    list.iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn is_unit(v: &[f64]) -> bool {
    (v.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12
}

fn check_screw(screw: &Value) {
    assert_eq!(sorted(keys(screw)), ["angle", "axis_direction", "axis_point", "translation"]);
    assert!((0.0..=std::f64::consts::PI + 1e-12).contains(&number(screw, "angle")));
    number(screw, "translation");
    numbers(screw, "axis_point", 3);
    assert!(is_unit(&numbers(screw, "axis_direction", 3)));
}

fn check_feature(feature: &Value, name: &str) {
    let feature: &Map<String, Value> = feature.as_object().expect("a feature is an object");
    assert_eq!(feature.len(), 1);
    match name {
        "edge" => {
            let [v0, v1] = [0, 1].map(|i| feature["edge"][i].as_u64().expect("a vertex number"));
            assert!(v0 < v1 && feature["edge"].as_array().expect("a list").len() == 2);
        }
        _ => assert!(feature[name].is_u64(), "{feature:?} has a {name}"),
    }
}

fn check_contact(contact: &Value) {
    let expected = [
        "a",
        "b",
        "grazing",
        "kind",
        "normal",
        "normal_in_a",
        "normal_speed",
        "point",
        "point_in_a",
        "properness",
        "time",
        "time_bracket",
        "touchable",
    ];
    assert_eq!(sorted(keys(contact)), expected);
    let [of_a, of_b] = match contact["kind"].as_str().expect("a kind") {
        "fv" => ["face", "vertex"],
        "vf" => ["vertex", "face"],
        "ee" => ["edge", "edge"],
        kind => panic!("{kind} is no kind"),
    };
    check_feature(&contact["a"], of_a);
    check_feature(&contact["b"], of_b);
    let time = number(contact, "time");
    let bracket = numbers(contact, "time_bracket", 2);
    assert!((0.0..=1.0).contains(&time) && bracket[0] <= time && time <= bracket[1]);
    for point in ["point", "point_in_a"] {
        numbers(contact, point, 3);
    }
    for normal in ["normal", "normal_in_a"] {
        assert!(is_unit(&numbers(contact, normal, 3)));
    }
    assert!((-1.0..=1.0).contains(&number(contact, "properness")));
    number(contact, "normal_speed");
    assert!(contact["grazing"].is_boolean() && contact["touchable"].is_boolean());
}

fn check_pair(pair: &Value) {
    let parts = pair["parts"].as_u64().expect("a count");
    let mut expected = vec!["a", "b", "contacts", "departure", "parts", "screw", "undecided"];
    // Bodies with frames have no screw, and are not looked at.
    if !pair["screw"].is_null() {
        expected.push("overlap_at_start");
        let [estimate, bound] = ["estimate", "bound"].map(|key| number(&pair["departure"], key));
        assert!(estimate >= 0.0 && estimate <= bound);
        assert!(pair["overlap_at_start"].is_boolean());
    }
    if parts > 1 {
        expected.push("screws");
        let screws = pair["screws"].as_array().expect("a list");
        assert_eq!(screws.len() as u64, parts.min(64));
        assert_eq!(screws[0], pair["screw"]);
        screws.iter().for_each(check_screw);
    }
    assert_eq!(sorted(keys(pair)), sorted(expected));
    assert!(pair["a"].is_string() && pair["b"].is_string());
    // Only the pairs of bodies with frames have none.
    if !pair["screw"].is_null() {
        check_screw(&pair["screw"]);
    }
    assert_eq!(pair["undecided"], Value::Array(Vec::new()));
    let contacts = pair["contacts"].as_array().expect("a list");
    contacts.iter().for_each(check_contact);
    assert!(contacts.is_sorted_by_key(|contact| number(contact, "time")));
}

fn collide(folder: &Folder, arguments: &[&str]) -> Value {
    let arguments = [&["collide"], arguments, &["--json", "-"]].concat();
    let run = folder.run(&arguments);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    serde_json::from_str(&run.out).expect("standard output is one JSON document")
}

fn scene(name: &str) -> String {
    root().join("scenes").join(name).to_string_lossy().into_owned()
}

#[test]
fn every_scene_gives_results_of_the_documented_form() {
    let folder = Folder::new("documented-form");
    for path in scenes() {
        let results = collide(&folder, &[&path.to_string_lossy()]);
        // The one scene with an open mesh of a file says so.
        let is_open = path.ends_with("soup.toml");
        let open: &[&str] = if is_open { &["method", "open"] } else { &["method"] };
        let expected = [open, &["pairs", "parts", "title"]].concat();
        assert_eq!(sorted(keys(&results)), expected, "{path:?}");
        assert_eq!(results["method"], "exact");
        for pair in results["pairs"].as_array().expect("a list") {
            assert_eq!(pair["parts"], results["parts"]);
            assert_eq!(pair["screw"].is_null(), has_frames(&path), "{path:?}");
            check_pair(pair);
        }
    }
}

#[test]
fn pairs_of_bodies_that_come_near_are_listed_in_file_order() {
    let folder = Folder::new("pairs");
    let names = |pair: &Value| [pair["a"].clone(), pair["b"].clone()];
    let listed = |results: &Value| -> Vec<_> {
        results["pairs"].as_array().expect("a list").iter().map(names).collect()
    };
    let results = collide(&folder, &[&scene("cubes.toml")]);
    assert_eq!(listed(&results), [["large", "small"], ["small", "passing"]]);
    // Of two bodies the one pair is listed, however far apart they are.
    folder.write("scene.toml", CUBES.replace("[[body]]", "[[body]]\nscale = 0.001"));
    assert_eq!(listed(&collide(&folder, &["scene.toml"])).len(), 1);
}

/// 300 boxes on a grid, of which one passes along a row: 44,850 pairs, of which few come near.
#[test]
fn many_bodies_list_few_pairs() {
    let folder = Folder::new("many-bodies");
    let mut text = String::from("title = \"Grid\"\n");
    for i in 0..300 {
        let [x, y] = [2 * (i % 20), 2 * (i / 20)];
        text += "[[body]]\nshape = { box = { size = [1, 1, 1] } }\n";
        text += &format!("start = {{ position = [{x}, {y}, 0] }}\n");
    }
    text += "[[body]]\nname = \"passing\"\nshape = { box = { size = [1, 1, 1] } }\n";
    text += "start = { position = [-3, 0.3, 0] }\nend = { position = [50, 0.3, 0] }\n";
    folder.write("scene.toml", text);
    let results = collide(&folder, &["scene.toml"]);
    let pairs = results["pairs"].as_array().expect("a list");
    assert_eq!(pairs.len(), 20);
    assert!(pairs.iter().all(|pair| pair["b"] == "passing"));
    assert!(pairs.iter().all(|pair| !pair["contacts"].as_array().expect("a list").is_empty()));
}

#[test]
fn the_screw_is_that_of_b_as_a_sees_it() {
    let folder = Folder::new("screw");
    folder.write("scene.toml", CUBES);
    let results = collide(&folder, &["scene.toml"]);
    assert_eq!(results["title"], "Cubes");
    let screw = &results["pairs"][0]["screw"];
    assert!((number(screw, "angle") - 40f64.to_radians()).abs() < 1e-14);
    assert!(number(screw, "translation").abs() < 1e-14);
    assert!((numbers(screw, "axis_direction", 3)[2].abs() - 1.0).abs() < 1e-15);
}

#[test]
fn a_twist_of_450_degrees_makes_five_parts() {
    let results = collide(&Folder::new("parts"), &[&scene("spin.toml")]);
    assert_eq!(results["parts"], 5);
    assert_eq!(results["pairs"][0]["screws"].as_array().expect("a list").len(), 5);
}

#[test]
fn a_twist_of_many_turns_lists_64_screws() {
    let folder = Folder::new("many-turns");
    let twist = "twist = { angular = [0, 300, 0], linear = [0, 1, 0] }\n";
    folder.write("scene.toml", CUBES.replacen("start =", &format!("{twist}start ="), 1));
    let text = std::fs::read_to_string(folder.path().join("scene.toml")).expect("just written");
    let without_end: Vec<&str> = text.lines().filter(|line| !line.starts_with("end")).collect();
    folder.write("scene.toml", without_end.join("\n"));
    let results = collide(&folder, &["scene.toml"]);
    assert_eq!(results["parts"], 191);
    check_pair(&results["pairs"][0]);
}

#[test]
fn bodies_with_poses_are_cut_like_those_with_twists() {
    let folder = Folder::new("mixed");
    let still = "[[body]]\nshape = { box = {} }\nstart = { position = [0, 9, 0] }\n";
    let twist = "twist = { angular = [0, 0, 4] }\n";
    folder.write("scene.toml", format!("{CUBES}\n{still}{twist}"));
    let results = collide(&folder, &["scene.toml"]);
    assert_eq!(results["parts"], 3);
    for pair in results["pairs"].as_array().expect("a list") {
        assert_eq!(pair["parts"], 3);
        check_pair(pair);
    }
    let turned: f64 = results["pairs"][0]["screws"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|screw| number(screw, "angle"))
        .sum();
    assert!((turned - 40f64.to_radians()).abs() < 1e-13, "{turned}");
}

#[test]
fn a_single_body_has_no_pairs() {
    let folder = Folder::new("single");
    folder.write("alone.toml", "[[body]]\nshape = { box = {} }\n");
    let results = collide(&folder, &["alone.toml"]);
    assert_eq!(results["title"], "alone");
    assert_eq!(results["pairs"], Value::Array(Vec::new()));
    let run = folder.run(&["collide", "alone.toml"]);
    assert!(run.status == 0 && run.out.contains("no pair to test"), "{}", run.out);
}

#[test]
fn repetitions_are_timed() {
    let folder = Folder::new("timed");
    let timing = &collide(&folder, &[&scene("cubes.toml"), "--repeat", "7"])["timing"];
    assert_eq!(sorted(keys(timing)), ["median_ns", "min_ns", "runs"]);
    assert_eq!(timing["runs"], 7);
    let ns = |key: &str| timing[key].as_u64().expect("whole nanoseconds");
    assert!(ns("min_ns") <= ns("median_ns"));
}

/// A generous bound on the least of many runs, for slow and busy machines: one takes some 2 ms.
#[test]
fn a_small_scene_takes_no_time() {
    let folder = Folder::new("quick");
    let results = collide(&folder, &[&scene("tori.toml"), "--repeat", "20"]);
    let ns = results["timing"]["min_ns"].as_u64().expect("whole nanoseconds");
    assert!(ns < 500_000_000, "{ns} ns");
}

#[test]
fn bodies_touch_in_every_scene_but_that_of_the_bolt() {
    let folder = Folder::new("contacts");
    for path in scenes() {
        let results = collide(&folder, &[&path.to_string_lossy()]);
        let is_free = results["pairs"][0]["contacts"].as_array().expect("a list").is_empty();
        assert_eq!(is_free, path.ends_with("bolt.toml"), "{path:?}");
    }
}

#[test]
fn first_and_window_leave_out_the_rest() {
    let folder = Folder::new("filters");
    let count = |arguments: &[&str]| {
        let results = collide(&folder, &[&[scene("tori.toml").as_str()], arguments].concat());
        results["pairs"][0]["contacts"].as_array().expect("a list").len()
    };
    assert_eq!(count(&["--first"]), 1);
    let halves = count(&["--window", "0", "0.5"]) + count(&["--window", "0.5", "1"]);
    assert_eq!(halves, count(&[]), "no contact of this scene is at half time");
    assert!(count(&["--min-properness", "0"]) < count(&[]));
}

/// Four corners in a wall are one contact of two faces, and a length above 0 is asked for.
#[test]
fn faces_that_lie_flat_are_one_contact() {
    let folder = Folder::new("flat");
    let asked = |more: &[&str]| collide(&folder, &[&["proper"], more].concat());
    let straight = |results: &Value| {
        let pairs = results["pairs"].as_array().expect("a list");
        pairs.iter().find(|pair| pair["b"] == "straight").expect("a pair with the wall").clone()
    };
    let plain = straight(&asked(&[]));
    assert!(plain.get("flat").is_none());
    let count = plain["contacts"].as_array().map_or(0, Vec::len);
    assert!(count >= 4, "{plain}");
    let results = asked(&["--flat", "1e-9"]);
    let pair = straight(&results);
    let [flat] = pair["flat"].as_array().expect("a list").as_slice() else { panic!("{pair}") };
    assert_eq!(flat["kind"], "ff");
    check_feature(&flat["a"], "face");
    check_feature(&flat["b"], "face");
    assert_eq!(numbers(flat, "normal", 3), [1.0, 0.0, 0.0]);
    let region = flat["region"][0].as_array().expect("a polygon");
    assert_eq!(region.len(), 4, "{flat}");
    assert!(region.iter().all(|place| (place[0].as_f64().unwrap() - 0.5).abs() < 1e-9), "{flat}");
    let left = pair["contacts"].as_array().map_or(0, Vec::len);
    assert_eq!(left + flat["contacts"].as_u64().expect("a count") as usize, count);
    // The first edge of the tilted box and the tips of the fork lie on the wall; next to the second
    // edge of the tilted box there is a face in the wall already.
    let all = results["pairs"].as_array().expect("a list").iter();
    let kinds: Vec<&Value> =
        all.flat_map(|pair| pair["flat"].as_array().expect("a list")).map(|f| &f["kind"]).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "ff").count(), 1, "{kinds:?}");
    assert_eq!(kinds.iter().filter(|kind| **kind == "fe").count(), 3, "{kinds:?}");
    let wrong = folder.run(&["collide", "proper", "--flat", "0", "--json", "x.json"]);
    assert_eq!(wrong.status, 2, "{}", wrong.err);
}
