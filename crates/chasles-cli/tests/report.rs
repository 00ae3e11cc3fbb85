//! Pages: one file with everything, whose data are those of the other results.

mod common;

use common::page::{data, doubles, notes, page, singles, words};
use common::{CUBES, Folder, root};
use serde_json::Value;

/// The most bytes that the page of the tori may have.
const TORI: usize = 1_000_000;

fn scene(name: &str) -> String {
    root().join("scenes").join(name).to_string_lossy().into_owned()
}

/// A page that names no other file: no address but data, and the names of XML.
fn assert_alone(page: &str) {
    for word in ["http://", "https://", "//cdn", "src=\"", "@import", "url("] {
        assert!(!page.contains(word), "{word} at {:?}", page.find(word));
    }
    assert_eq!(page.matches("href=").count(), page.matches("href=\"data:,\"").count());
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
}

#[test]
fn the_page_of_the_tori_is_small_and_needs_nothing_else() {
    let page = page(&Folder::new("report-tori"), &["collide", &scene("tori.toml")]);
    assert_alone(&page);
    assert!(page.len() <= TORI, "{} bytes", page.len());
    assert!(page.contains("<title>Two tori</title>"));
    let data = data(&page);
    assert_eq!(data["notes"], serde_json::json!([]));
    assert_eq!(data["meshes"].as_array().map(Vec::len), Some(1), "both tori have one mesh");
    let stills = data["stills"].as_array().expect("a list");
    let captions: Vec<&Value> = stills.iter().map(|still| &still["caption"]).collect();
    assert_eq!(
        captions,
        [
            "Time 0.0000, the start",
            "Time 0.1847, the first proper, approaching contact (large)",
            "Time 1.0000, the end of the step"
        ]
    );
    for still in stills {
        let png = still["image"].as_str().expect("text");
        assert!(png.starts_with("data:image/png;base64,iVBOR") && png.len() < 100_000);
    }
}

/// A number as JSON has it: read back it is the same, to the last bit. Readers of JSON may be less
/// exact, so texts are compared.
fn text(number: f64) -> String {
    serde_json::to_string(&number).expect("a number")
}

fn vector(numbers: &[f64]) -> String {
    serde_json::to_string(numbers).expect("numbers")
}

#[test]
fn contacts_of_a_page_are_those_of_the_json_to_the_last_bit() {
    let folder = Folder::new("report-same");
    for name in ["tori.toml", "spin.toml", "cloth.toml", "gear.toml"] {
        let data = data(&page(&folder, &["collide", &scene(name), "--json", "out.json"]));
        let json = std::fs::read_to_string(folder.path().join("out.json")).expect("text");
        let mut rest = json.as_str();
        for group in data["groups"].as_array().expect("a list") {
            for fragment in fragments(&group["events"]) {
                let found = rest.find(&fragment);
                rest = &rest[found.unwrap_or_else(|| panic!("{name}: {fragment} comes next"))..];
            }
        }
        let count = |group: &Value| group["events"]["count"].as_u64().expect("a number") as usize;
        let all: usize = data["groups"].as_array().expect("a list").iter().map(count).sum();
        assert!(all > 0 && all == json.matches("\"kind\":").count(), "{name}: {all}");
    }
}

/// What the JSON says of each event.
fn fragments(events: &Value) -> Vec<String> {
    let columns = &events["columns"];
    let (points, normals) = (doubles(&events["point"]), doubles(&events["normal"]));
    let (times, speeds) = (doubles(&events["time"]), doubles(&columns["speed"]));
    let properness = doubles(&columns["properness"]);
    let [kinds, a, b] = ["kind", "a", "b"].map(|key| words(&columns[key]));
    let [grazing, untouchable] = ["grazing", "untouchable"].map(|key| words(&columns[key]));
    assert_eq!(
        (events["count"].clone(), events["total"].clone()),
        (times.len().into(), times.len().into())
    );
    let of = |i: usize| {
        let (grazing, touchable) = (grazing[i] == "grazing", untouchable[i].is_empty());
        let [a, b] = [&a[i], &b[i]].map(|words| feature(words));
        let kind = format!("\"{}\"", kinds[i]);
        let (point, normal) = (vector(&points[3 * i..][..3]), vector(&normals[3 * i..][..3]));
        let (p, s) = (text(properness[i]), text(speeds[i]));
        [
            format!("\"kind\":{kind},\"a\":{a},\"b\":{b},\"time\":{},", text(times[i])),
            format!(
                "\"point\":{point},\"normal\":{normal},\"properness\":{p},\"normal_speed\":{s},\
                \"grazing\":{grazing},\"touchable\":{touchable}"
            ),
        ]
    };
    (0..times.len()).flat_map(of).collect()
}

/// A feature as JSON has it, from its words.
fn feature(words: &str) -> String {
    let (kind, number) = words.split_once(' ').expect("two words");
    match number.split_once('-') {
        Some((p, q)) => format!("{{\"edge\":[{p},{q}]}}"),
        None => format!("{{\"{kind}\":{number}}}"),
    }
}

/// B goes by the screw that A sees: where contacts are, both bodies are.
#[test]
fn tracks_end_where_the_scene_says() {
    let folder = Folder::new("report-tracks");
    folder.write("scene.toml", CUBES);
    let data = data(&page(&folder, &["collide", "scene.toml"]));
    let scale = data["frame"]["scale"].as_f64().expect("a number");
    let centre = doubles_of(&data["frame"]["centre"]);
    let track = singles(&data["bodies"][1]["track"]);
    let place = |frame: usize| -> Vec<f64> {
        (0..3).map(|i| f64::from(track[7 * frame + i]) * scale + centre[i]).collect()
    };
    let last = track.len() / 7 - 1;
    let is_near = |p: Vec<f64>, q: [f64; 3]| p.iter().zip(q).all(|(x, y)| (x - y).abs() < 1e-6);
    assert!(is_near(place(0), [3.0, 0.25, 0.25]), "{:?}", place(0));
    assert!(is_near(place(last), [0.0, 0.25, 0.25]), "{:?}", place(last));
    assert_eq!(doubles(&data["frames"]).len(), last + 1);
    assert!(data["bodies"][0]["pose"].is_array() && data["bodies"][0]["track"].is_null());
}

fn doubles_of(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

#[test]
fn names_cannot_end_the_script_or_add_elements() {
    let folder = Folder::new("report-names");
    let evil = "</script><script>alert(1)</script><!--<b>&amp;'";
    let text =
        CUBES.replace("\"Cubes\"", &format!("\"{evil}\"")).replace("\"a\"", &format!("\"{evil}\""));
    folder.write("scene.toml", text);
    let page = page(&folder, &["collide", "scene.toml"]);
    assert_alone(&page);
    assert!(!page.contains("alert(1)</script>") && !page.contains("<!--<b>"));
    assert!(page.contains("<title>&lt;/script&gt;&lt;script&gt;alert(1)"));
    let data = data(&page);
    assert_eq!(data["title"], evil);
    assert_eq!(data["bodies"][0]["name"], evil);
}

/// U+202E turns all that follows around: it is spelt out, as in tables. Letters that run the other
/// way are kept within their name.
#[test]
fn names_do_not_turn_the_words_of_the_page_around() {
    let folder = Folder::new("report-turned-names");
    folder.write("scene.toml", CUBES.replace("\"a\"", "\"a\u{202e}b\"").replace("\"b\"", "\"ג\""));
    let data = data(&page(&folder, &["collide", "scene.toml"]));
    let group = &data["groups"][0];
    for words in [&group["axes"][0]["words"], &group["name"]] {
        let words = words.as_str().expect("text");
        assert!(words.contains("a\\u{202e}b") && words.contains("\u{2068}ג\u{2069}"), "{words:?}");
        assert!(!words.contains('\u{202e}'), "{words:?}");
    }
}

#[test]
fn a_page_without_contacts_says_so_and_shows_the_motion() {
    let folder = Folder::new("report-empty");
    folder.write("scene.toml", CUBES.replace("end = { position = [0, ", "end = { position = [9, "));
    folder.write("alone.toml", "[[body]]\nshape = { box = {} }\nend = { position = [1, 0, 0] }\n");
    for scene in ["scene.toml", "alone.toml"] {
        let page = page(&folder, &["collide", scene]);
        let data = data(&page);
        assert_eq!(data["groups"][0]["events"]["count"], 0);
        let empty = if scene == "alone.toml" {
            "No contacts: a body alone meets nothing."
        } else {
            "No contacts: in this step the bodies do not touch"
        };
        assert!(data["words"]["empty"].as_str().is_some_and(|words| words.starts_with(empty)));
        assert_eq!(data["words"]["layers"]["axis"].is_string(), scene == "scene.toml");
        let moves =
            data["bodies"].as_array().expect("a list").iter().any(|b| b["track"].is_string());
        assert!(moves && page.contains("0 contacts") | page.contains("no pair"), "{scene}");
    }
}

/// Two boxes of which one is at another place each time: apart, touching, crossing, inside.
#[test]
fn bodies_in_each_other_from_the_start_are_named_though_they_have_no_contact() {
    let folder = Folder::new("report-overlap");
    for (place, size, overlaps) in [
        ("[3, 0, 0]", 1.0, false),
        ("[1, 0, 0]", 1.0, false),
        ("[0.4, 0.2, 0.1]", 1.0, true),
        ("[0.1, 0, 0]", 0.2, true),
    ] {
        folder.write(
            "scene.toml",
            format!(
                "[[body]]\nname = \"case\"\nshape = {{ box = {{}} }}\n[[body]]\nname = \"key\"\n\
                 shape = {{ box = {{ size = [{size}, {size}, {size}] }} }}\n\
                 start = {{ position = {place} }}\n"
            ),
        );
        let run = folder.run(&["collide", "scene.toml", "--picture", "a.svg", "--json", "a.json"]);
        let words = "in each other from the start: case with key";
        assert_eq!(run.out.contains(words), overlaps, "{place}: {}", run.out);
        let [svg, json] = ["a.svg", "a.json"]
            .map(|name| std::fs::read_to_string(folder.path().join(name)).expect("just written"));
        assert_eq!(svg.contains(words), overlaps, "{place}");
        let json: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json["pairs"][0]["overlap_at_start"], overlaps, "{place}");
        let page = page(&folder, &["collide", "scene.toml"]);
        assert_eq!(page.contains(words), overlaps, "{place}");
        let empty = data(&page)["words"]["empty"].as_str().expect("words").to_string();
        assert_eq!(empty.contains("are in each other from the start"), overlaps, "{place}");
    }
}

#[test]
fn bodies_at_rest_have_no_screen_and_the_page_says_why() {
    let folder = Folder::new("report-rest");
    let apart = "[[body]]\nshape = { box = {} }\n[[body]]\nshape = { box = {} }\n\
                 start = { position = [3, 0, 0] }\n";
    folder.write("scene.toml", apart);
    let data = data(&page(&folder, &["collide", "scene.toml"]));
    let group = &data["groups"][0];
    assert_eq!(
        group["screen_note"],
        "There is no screen: neither body moves as the other sees it."
    );
    assert_eq!(group["axes"][0]["words"], "Seen from body-0, body-1 stays where it is");
}

/// Poses that are turned alike leave a turn of some 1e-16 between them, about an axis far away.
#[test]
fn a_turned_body_that_goes_straight_on_has_a_screen_of_its_size() {
    let turned = "rotation = { axis = [-0.73, 0.69, 0.53], degrees = 12.5 }";
    let folder = Folder::new("report-turned");
    for (more, r, words) in [
        ("", "r, across the motion", "goes 2.5179 straight on"),
        ("0000000000001", "r, across the motion", "goes 2.5179 straight on"),
        ("001", "r, across the motion", "turns by 1.000e-4° about the axis"),
        ("9", "r, distance from the axis", "turns by 0.0900° about the axis"),
    ] {
        let end = turned.replace("12.5", &format!("12.5{more}"));
        let scene = format!(
            "[[body]]\nname = \"plate\"\nshape = {{ box = {{ size = [4, 0.2, 4] }} }}\n\
             [[body]]\nname = \"box\"\nshape = {{ box = {{ size = [1, 1, 1] }} }}\n\
             start = {{ position = [0, 2, 0], {turned} }}\n\
             end = {{ position = [0.3, -0.5, 0], {end} }}\n"
        );
        folder.write("scene.toml", scene);
        let data = data(&page(&folder, &["collide", "scene.toml"]));
        let group = &data["groups"][0];
        let screen = &group["screens"][0];
        assert_eq!(screen["r"], r, "{more}");
        let said = group["axes"][0]["words"].as_str().expect("words");
        assert!(said.contains(words), "{said}");
        let end = |i: usize, j: usize| screen["ranges"][i][j].as_f64().expect("a number");
        let places = doubles(&group["events"]["places"]);
        for (i, at) in places.iter().enumerate() {
            let [low, high] = [0, 1].map(|j| end(i % 2, j));
            assert!((2.0..6.0).contains(&(high - low)), "{low} to {high}");
            assert!((low..high).contains(at), "{at} between {low} and {high}");
        }
        let distinct = |i: usize| (places[i] - places[i + 2]).abs() > 1e-3;
        assert!(places.len() >= 8 && (0..2).any(distinct), "{places:?}");
    }
}

#[test]
fn bodies_that_start_in_the_world_are_named_on_the_page() {
    let folder = Folder::new("report-solid");
    let brick = |name: &str, y: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmoving = true\nshape = {{ box = {{ size = [0.2, 0.2, 0.2] }} }}\n\
             start = {{ position = [0, {y}, 0] }}\ntranslate = [1, 0, 0]\n"
        )
    };
    let floor = "[[body]]\nname = \"floor\"\nshape = { box = { size = [9, 1, 9] } }\n";
    folder.write(
        "some.toml",
        [floor, &brick("over", 2.0), &brick("half", 0.5), &brick("in", 0.0)].concat(),
    );
    folder.write("one.toml", [floor, &brick("half", 0.5)].concat());
    let some = data(&page(&folder, &["trace", "some.toml"]));
    let said = notes(&some);
    assert!(said.contains("half starts in the world (it crosses face "), "{said}");
    assert!(said.contains(" of floor) and does not move."), "{said}");
    assert!(said.contains("in starts in the world (it is inside) and does not move."), "{said}");
    assert!(!said.contains("over"), "{said}");
    let empty = |data: &Value| data["words"]["empty"].as_str().expect("words").to_string();
    assert!(empty(&some).contains("start in the world"), "{}", empty(&some));
    let one = data(&page(&folder, &["trace", "one.toml"]));
    assert!(empty(&one).contains("start in the world"), "{}", empty(&one));
    let free = data(&page(&folder, &["trace", "trace-corner"]));
    assert!(!notes(&free).contains("starts in") && !empty(&free).contains("start in"));
}

#[test]
fn a_short_simulation_plays_slower_and_says_so() {
    let folder = Folder::new("report-short");
    let adrift = "[[body]]\nshape = { box = {} }\n[world]\ngravity = [0, 0, 0]\nseconds = 0.02\n";
    folder.write("scene.toml", adrift);
    let short = data(&page(&folder, &["simulate", "scene.toml", "--dt", "0.01"]));
    assert_eq!(short["time"]["seconds"], 1.0);
    assert_eq!(short["time"]["pace"], "0.0200 s play in 1 s, 50.0 times slower than real time");
    let long = data(&page(&folder, &["simulate", "scene.toml", "--seconds", "1.5"]));
    assert_eq!(long["time"]["pace"], "");
    assert_eq!(long["time"]["seconds"], long["time"]["last"]);
}

#[test]
fn the_screw_of_a_part_says_which_part_it_is() {
    let folder = Folder::new("report-parts");
    let spin = data(&page(&folder, &["collide", "spin"]));
    let words = spin["groups"][0]["axes"][1]["words"].as_str().expect("text");
    assert!(words.starts_with("Part 2 of 5: seen from ") && words.contains("90.0°"), "{words}");
    let tori = data(&page(&folder, &["collide", "tori"]));
    let words = tori["groups"][0]["axes"][0]["words"].as_str().expect("text");
    assert!(words.starts_with("Seen from "), "{words}");
}

#[test]
fn a_page_a_picture_and_the_table_say_which_contacts_were_asked_for() {
    let folder = Folder::new("report-filters");
    let asked = ["--facing", "--min-properness", "-0.1", "--window", "0", "0.5"];
    let words = "only facing, approaching, touchable contacts with a properness of at least -0.1 \
        and a time from 0 to 0.5";
    assert!(page(&folder, &[&["collide", "tori"], &asked[..]].concat()).contains(words));
    let picture = ["collide", "tori", "--picture", "tori.svg"];
    let run = folder.run(&[&picture, &asked[..]].concat());
    assert!(run.out.contains(words), "{}", run.out);
    let svg = std::fs::read_to_string(folder.path().join("tori.svg")).expect("just drawn");
    assert!(svg.contains(words));
    assert!(!folder.run(&["collide", "tori"]).out.contains("only "));
}

#[test]
fn the_page_of_a_simulation_has_its_trajectory_and_impacts() {
    let folder = Folder::new("report-simulate");
    let scene = scene("simulate-cradle.toml");
    let arguments = ["simulate", &scene, "--seconds", "0.5", "--trajectory", "out.jsonl"];
    let page = page(&folder, &arguments);
    assert_alone(&page);
    let data = data(&page);
    let lines = std::fs::read_to_string(folder.path().join("out.jsonl")).expect("text");
    let times = doubles(&data["frames"]);
    assert_eq!(lines.lines().count(), times.len());
    for (line, time) in lines.lines().zip(&times) {
        assert!(line.starts_with(&format!("{{\"time\":{},", text(*time))), "{time}: {line}");
    }
    let events = &data["groups"][0]["events"];
    let impacts = doubles(&events["time"]);
    assert!(!impacts.is_empty() && impacts.len() == lines.matches("\"impulse\":").count());
    let [a, b] = ["a", "b"].map(|side| words(&events["columns"][side]));
    for (i, time) in impacts.iter().enumerate() {
        let [a, b] = [&a[i], &b[i]];
        let impact = format!("{{\"time\":{},\"a\":\"{a}\",\"b\":\"{b}\",", text(*time));
        assert!(lines.contains(&impact), "{impact}");
    }
    let titles: Vec<&str> = data["plots"]
        .as_array()
        .expect("plots")
        .iter()
        .filter_map(|p| p["title"].as_str())
        .collect();
    let expected = ["Energy", "Momentum", "Angular momentum", "Penetration"];
    assert_eq!(titles, expected);
    let units: Vec<&Value> = (0..4).map(|i| &data["plots"][i]["unit"]).collect();
    assert_eq!(units, ["J", "N s", "N m s", "m"], "one unit for each plot");
    let captions: Vec<&Value> = (0..3).map(|i| &data["stills"][i]["caption"]).collect();
    assert_eq!(captions, ["After 0.000 s", "After 0.250 s", "After 0.500 s"]);
    for plot in data["plots"].as_array().expect("plots") {
        for series in plot["series"].as_array().expect("series") {
            assert_eq!(doubles(&series["values"]).len(), times.len());
        }
    }
    let depth = doubles(&data["plots"][3]["series"][0]["values"]);
    assert!(depth.iter().all(|&depth| depth == 0.0), "nothing interpenetrates: {depth:?}");
}

#[test]
fn the_page_of_a_trace_has_its_contact() {
    let folder = Folder::new("report-trace");
    let page = page(&folder, &["trace", &scene("trace-corner.toml"), "--json", "out.json"]);
    assert_alone(&page);
    let data = data(&page);
    let json = std::fs::read_to_string(folder.path().join("out.json")).expect("text");
    let events = &data["groups"][0]["events"];
    let (times, points) = (doubles(&events["time"]), doubles(&events["point"]));
    let tag = &words(&events["columns"]["tag"])[0];
    for part in [
        format!("\"fraction\":{},", text(times[0])),
        format!("\"point\":{},", vector(&points)),
        format!("\"tag\":\"{tag}\""),
    ] {
        assert!(json.contains(&part), "{part} is not in {json}");
    }
}

#[test]
fn every_scene_for_traces_has_a_page() {
    let folder = Folder::new("report-traces");
    for scene in common::trace_scenes() {
        let page = page(&folder, &["trace", &scene.to_string_lossy()]);
        assert!(data(&page)["groups"][0]["events"]["count"].as_u64() > Some(0), "{scene:?}");
    }
}

#[test]
fn pages_that_cannot_be_written_are_named_and_leave_nothing() {
    let folder = Folder::new("report-errors");
    folder.write("scene.toml", CUBES);
    folder.write("sub.html/file", "");
    for path in ["none/out.html", "sub.html"] {
        let run = folder.run(&["collide", "scene.toml", "--report", path, "--json", "out.json"]);
        assert!(
            run.status == 2 && run.err.contains(&format!("cannot write {path}")),
            "{}",
            run.err
        );
    }
    for path in ["out.txt", "out", "-"] {
        let run = folder.run(&["collide", "scene.toml", "--report", path]);
        assert!(run.status == 2 && run.err.contains("must end in .html"), "{}", run.err);
    }
    let run = folder.run(&["collide", "scene.toml", "--report", "x.html", "--json", "x.html"]);
    assert!(run.status == 2 && run.err.contains("named for two results"), "{}", run.err);
    let run = folder.run(&["inspect", "mesh.obj", "--report", "x.html"]);
    assert!(run.status == 2 && run.err.contains("--report"), "{}", run.err);
    assert_eq!(folder.names(), ["scene.toml", "sub.html"]);
}

#[test]
fn the_same_scene_gives_the_same_page() {
    let folder = Folder::new("report-again");
    folder.write("scene.toml", CUBES);
    let first = page(&folder, &["collide", "scene.toml"]);
    assert_eq!(first, page(&folder, &["collide", "scene.toml"]));
}
