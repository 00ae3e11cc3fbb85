//! What the notes show is true, and the schema knows every key in them.

mod common;
#[path = "../examples/facing/figures.rs"]
mod figures;

use std::collections::BTreeSet;
use std::fs;
use std::io::Cursor;
use std::path::Path;

use chasles::Polygons;
use chasles::glam::DVec3;
use chasles::mesh::files::to_obj;
use chasles::mesh::shapes::{Gear, Shape};
use chasles_picture::{Axis, Plot, Size, Style};
use chasles_scene::{Pace, Scene, SimulateScene, TraceScene};
use common::{Folder, path_scenes, root, scenes, simulate_scenes, trace_scenes};
use serde_json::Value;

/// The blocks of a Markdown text that are marked as TOML.
fn toml_blocks(text: &str) -> Vec<&str> {
    let after_fence = text.split("```toml\n").skip(1);
    after_fence.filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn every_example_is_a_scene() {
    let folder = Folder::new("examples");
    for mesh in ["wheel", "flag-0", "flag-1"] {
        folder.write(&format!("meshes/{mesh}.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    }
    let cube = Shape::Box(Default::default()).polygons().expect("a cube");
    folder.write("meshes/part.obj", to_obj(&cube));
    let field = ["field", "meshes/part.obj", "--cells", "8", "--output", "meshes/part.sdf"];
    assert_eq!(folder.run(&field).status, 0);
    let text = fs::read_to_string(root().join("docs/scenes.md")).expect("the page exists");
    let blocks = toml_blocks(&text);
    assert!(blocks.len() >= 5, "only {} examples", blocks.len());
    for block in blocks {
        let (name, folder) = ("docs/scenes.md", folder.path());
        let error = if block.contains("moving = true") {
            TraceScene::from_text(block, name, folder).err()
        } else if block.contains("[world]") {
            SimulateScene::from_text(block, name, folder).err()
        } else {
            Scene::from_text(block, name, folder).err()
        };
        if let Some(error) = error {
            panic!("{error} in\n{block}");
        }
    }
}

#[test]
fn every_shape_has_an_example() {
    let run = Folder::new("shapes").run(&["schema"]);
    let schema: serde_json::Value = serde_json::from_str(&run.out).expect("one document");
    let shapes = schema["$defs"]["Shape"]["oneOf"].as_array().expect("a list");
    let page = fs::read_to_string(root().join("docs/scenes.md")).expect("the page exists");
    let examples = toml_blocks(&page).concat();
    for shape in shapes {
        let (name, measures) = shape["properties"]
            .as_object()
            .expect("a table")
            .iter()
            .next()
            .expect("a shape has a name");
        assert!(examples.contains(&format!("shape = {{ {name} = {{ ")), "{name} has no example");
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("{name} is not explained"));
        let table = measures["$ref"].as_str().expect("a reference").trim_start_matches("#/$defs/");
        for key in schema["$defs"][table]["properties"].as_object().expect("keys").keys() {
            assert!(row.contains(&format!("`{key}")), "{key} of {name} is not explained");
        }
    }
}

/// Every number of a shape, with its name and what the schema says of it.
fn shape_numbers(schema: &Value) -> Vec<(String, String, Value)> {
    let mut numbers = Vec::new();
    for shape in schema["$defs"]["Shape"]["oneOf"].as_array().expect("a list") {
        let shape = shape["properties"].as_object().expect("a table");
        let (name, measures) = shape.iter().next().expect("a shape has a name");
        let table = measures["$ref"].as_str().expect("a reference").trim_start_matches("#/$defs/");
        let keys = schema["$defs"][table]["properties"].as_object().expect("keys");
        numbers.extend(keys.iter().map(|(key, rule)| (name.clone(), key.clone(), rule.clone())));
    }
    numbers
}

#[test]
fn the_schema_has_the_limits_of_the_program() {
    let run = Folder::new("limits").run(&["schema"]);
    let schema: Value = serde_json::from_str(&run.out).expect("one document");
    let accepts = |name: &str, key: &str, value: &str| {
        let scene = format!("[[body]]\nshape = {{ {name} = {{ {key} = {value} }} }}\n");
        Scene::from_text(&scene, "limits", &root()).map_err(|error| error.to_string())
    };
    for (name, key, rule) in shape_numbers(&schema) {
        let (rule, count) = match rule["type"].as_str() {
            Some("array") => (&rule["items"], rule["minItems"].as_u64().expect("a length")),
            _ => (&rule, 0),
        };
        let list = |x: &Value| match count {
            0 => x.to_string(),
            _ => format!("[{}]", vec![x.to_string(); count as usize].join(", ")),
        };
        let least = &rule["minimum"];
        if rule["type"] == "integer" {
            let least = least.as_u64().unwrap_or_else(|| panic!("{key} of {name} has no minimum"));
            let error = accepts(&name, &key, &list(&(least - 1).into())).expect_err("too few");
            assert!(error.contains("at least"), "{name}.{key}: {error}");
            // The two numbers of what has poles have limits of their own, and the schema the lower.
            if name != "sphere" && name != "capsule" {
                assert!(accepts(&name, &key, &list(&least.into())).is_ok(), "{name}.{key}");
            }
        } else {
            assert_eq!(rule["type"], "number", "{name}.{key}");
            // The reader of JSON rounds the last digit.
            let ratio = least.as_f64().expect("a minimum") / 1e-60;
            assert!((ratio - 1.0).abs() < 1e-9, "{name}.{key}");
            assert!(accepts(&name, &key, &list(&0.into())).is_err(), "{name}.{key}");
        }
    }
    assert!(!run.out.contains("null") && !run.out.contains("[`"), "marks of other notations");
}

/// The rows of a table in docs/inspect.md and the keys of the JSON are the same.
#[test]
fn every_key_of_an_inspection_is_explained() {
    let run = Folder::new("inspection").run(&[
        "inspect",
        &root().join("scenes/meshes/gear.obj").to_string_lossy(),
        "--json",
        "-",
    ]);
    let report: Value = serde_json::from_str(&run.out).expect("one document");
    let keys: BTreeSet<&str> = report.as_object().expect("keys").keys().map(|k| &**k).collect();
    let page = fs::read_to_string(root().join("docs/inspect.md")).expect("the page exists");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(keys, rows.collect());
    for (table, inner) in [("counts", &report["counts"]), ("components", &report["components"][0])]
    {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{table}` |")));
        for key in inner.as_object().expect("keys").keys() {
            assert!(row.is_some_and(|row| row.contains(&format!("`{key}`"))), "{table}.{key}");
        }
    }
    for (key, value) in report.as_object().expect("keys") {
        let is_sample = value.as_object().is_some_and(|value| value.contains_key("total"));
        let row = page.lines().find(|line| line.starts_with(&format!("| `{key}` | sample of")));
        assert_eq!(is_sample, row.is_some(), "{key}");
    }
}

/// `CHASLES_WRITE=1 cargo test -p chasles-cli --test documented` writes it anew.
#[test]
fn the_mesh_of_a_scene_is_made_by_the_shape_it_shows() {
    let gear = Gear { teeth: 12, module: 0.2, thickness: 0.3, bore: Some(0.3) };
    let text = to_obj(&Shape::Gear(gear).polygons().expect("a gear"));
    let path = root().join("scenes/meshes/gear.obj");
    if std::env::var_os("CHASLES_WRITE").is_some() {
        fs::write(&path, &text).expect("the scenes can be written to");
    }
    assert!(fs::read_to_string(path).is_ok_and(|found| found == text), "gear.obj is another mesh");
}

/// Triangles of any size at any place, which cross each other: numbers that look random.
fn soup(count: u32) -> Polygons {
    let mut state = 20u64;
    let mut unit = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        // Three decimals, so that the file is short.
        ((z ^ (z >> 31)) % 2001) as f64 / 1000.0 - 1.0
    };
    let mut soup = Polygons::default();
    for triangle in 0..count {
        let middle = DVec3::new(2.0 * unit(), 1.5 * unit(), 1.5 * unit());
        let corners = [(); 3].map(|()| middle + 0.7 * DVec3::new(unit(), unit(), unit()));
        soup.vertices.extend(corners.map(|p| (1000.0 * p).round() / 1000.0));
        soup.faces.push([0, 1, 2].map(|corner| 3 * triangle + corner).to_vec());
    }
    soup
}

/// `CHASLES_WRITE=1 cargo test -p chasles-cli --test documented` writes it anew.
#[test]
fn the_soup_of_a_scene_is_made_of_numbers_that_look_random() {
    let text = to_obj(&soup(48));
    let path = root().join("scenes/meshes/soup.obj");
    if std::env::var_os("CHASLES_WRITE").is_some() {
        fs::write(&path, &text).expect("the scenes can be written to");
    }
    assert!(fs::read_to_string(path).is_ok_and(|found| found == text), "soup.obj is another mesh");
}

/// Every kind of solid has an example and a row with all of its keys.
#[test]
fn every_solid_has_an_example() {
    let run = Folder::new("solids").run(&["schema"]);
    let schema: Value = serde_json::from_str(&run.out).expect("one document");
    let page = fs::read_to_string(root().join("docs/scenes.md")).expect("the page exists");
    let examples = toml_blocks(&page).concat();
    let solids = schema["$defs"]["SolidEntry"]["properties"].as_object().expect("keys");
    assert!(solids.len() >= 17, "{solids:?}");
    for (name, rule) in solids {
        assert!(examples.contains(&format!("{name} = ")), "{name} has no example");
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` | ")));
        let Some(table) = rule["$ref"].as_str() else { continue };
        let table = &schema["$defs"][table.trim_start_matches("#/$defs/")];
        let Some(keys) = table["properties"].as_object() else { continue };
        for key in keys.keys() {
            let has_key = |line: &str| line.contains(&format!("`{key}"));
            let rows = page.lines().filter(|line| line.starts_with(&format!("| `{name}` | ")));
            assert!(rows.clone().any(has_key), "{key} of {name} is not explained: {row:?}");
        }
    }
}

/// Fails unless a picture of the notes is as drawn. With `CHASLES_WRITE=1` it is first replaced.
fn assert_shown(name: &str, drawn: &[u8]) {
    let path = root().join("docs").join(name);
    if std::env::var_os("CHASLES_WRITE").is_some() {
        fs::write(&path, drawn).expect("the notes can be written to");
    }
    let shown = fs::read(&path).unwrap_or_else(|error| panic!("docs/{name}: {error}"));
    if name.ends_with(".png") {
        assert_same_pixels(name, drawn, &shown);
    } else {
        let [drawn, shown] = [drawn, &shown].map(|bytes| String::from_utf8_lossy(bytes));
        assert_same_shapes(name, &drawn, &shown);
    }
}

/// Other processors may round other pixels, so a few may differ.
fn assert_same_pixels(name: &str, drawn: &[u8], shown: &[u8]) {
    let [drawn, shown] = [drawn, shown].map(pixels);
    assert_eq!(drawn.len(), shown.len(), "{name} has another size");
    let differ = drawn.iter().zip(&shown).filter(|(p, q)| p.abs_diff(**q) > 8).count();
    assert!(differ < drawn.len() / 1000, "{differ} of {} values of {name} differ", drawn.len());
}

/// The same words, and numbers that differ by what cannot be seen: other processors may round the
/// last digit.
fn assert_same_shapes(name: &str, drawn: &str, shown: &str) {
    let is_digit = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let words = |text: &str| text.split(is_digit).filter(|w| !w.is_empty()).collect::<String>();
    assert!(words(drawn) == words(shown), "{name} has other shapes");
    let numbers = |text: &str| -> Vec<f64> {
        text.split(|c| !is_digit(c)).filter_map(|number| number.parse().ok()).collect()
    };
    let [drawn, shown] = [drawn, shown].map(numbers);
    let far = drawn.iter().zip(&shown).find(|(p, q)| (*p - *q).abs() > 0.05);
    assert!(drawn.len() == shown.len() && far.is_none(), "{name} has other places: {far:?}");
}

/// `CHASLES_WRITE=1 cargo test -p chasles-cli --test documented` draws them anew.
#[test]
fn the_pictures_of_the_notes_are_what_the_program_draws() {
    let folder = Folder::new("pictures-of-notes");
    let screen = ["--method", "screen"];
    let pixels = ["--screen", "--drawing", "pixels", "--pixels", "6"];
    let times = ["--at", "0,proper,1"];
    for (scene, name, more) in [
        ("tori", "tori.png", vec![]),
        ("tori", "screen-tori.svg", [&screen[..], &["--screen"]].concat()),
        ("tori", "screen-squares.svg", [&screen[..], &pixels].concat()),
        ("tori", "screen-times.png", [&screen[..], &times].concat()),
        ("tips", "screen-tips.png", times.to_vec()),
        ("proper", "screen-proper.png", times.to_vec()),
    ] {
        let run = folder.run(&[&["collide", scene, "--picture", name], &more[..]].concat());
        assert_eq!(run.status, 0, "{}", run.err);
        assert_shown(name, &fs::read(folder.path().join(name)).expect("just drawn"));
    }
}

/// `CHASLES_WRITE=1 cargo test -p chasles-cli --test documented` draws them anew.
#[test]
fn the_figures_of_facing_parts_are_what_the_example_draws() {
    for (figure, name) in [("square", "screen-square.svg"), ("cube", "screen-cube.png")] {
        let drawn = figures::draw(figure, Path::new(name)).expect("a figure");
        assert_shown(name, &drawn);
    }
    for wrong in ["circle", ""] {
        assert!(figures::draw(wrong, Path::new("x.svg")).is_err());
    }
}

/// The commands under the figures of docs/screen.md draw these figures.
#[test]
fn every_figure_of_the_screen_has_its_command() {
    let page = fs::read_to_string(root().join("docs/screen.md")).expect("the page exists");
    let tori = ["screen-tori.svg", "screen-squares.svg", "screen-times.png"];
    let others = ["screen-tips.png", "screen-proper.png", "screen-square.svg", "screen-cube.png"];
    for name in tori.into_iter().chain(others) {
        let commands = ["`chasles collide ", "`cargo run "];
        let command = page.lines().find(|line| {
            commands.iter().any(|start| line.starts_with(start)) && line.contains(name)
        });
        assert!(command.is_some() && page.contains(&format!("]({name})")), "{name}");
    }
}

/// A row of docs/data/screen-rates.csv: which bodies, and the numbers after it.
fn rates() -> Vec<(String, Vec<f64>)> {
    let text = fs::read_to_string(root().join("docs/data/screen-rates.csv")).expect("the rates");
    let row = |line: &str| {
        let mut cells = line.split(',').map(String::from);
        let set = cells.next().expect("a name");
        (set, cells.map(|cell| cell.parse().expect("a number")).collect())
    };
    text.lines().skip(1).map(row).collect()
}

fn thousands(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        _ => format!("{},{:03}", thousands(count / 1000), count % 1000),
    }
}

#[test]
fn the_table_of_rates_is_that_of_the_measurements() {
    let page = fs::read_to_string(root().join("docs/screen.md")).expect("the page exists");
    let rates = rates();
    assert_eq!(rates.len(), 8);
    for (set, row) in rates {
        let [pixels, _, due, found, reported, made_up, widest] = row[..] else {
            panic!("{row:?} has other columns")
        };
        let counts = [pixels, due, found, reported, made_up].map(|x| thousands(x as u64));
        let row = format!("| {set} | {} | {widest:.2} |", counts.join(" | "));
        assert!(page.contains(&row), "docs/screen.md lacks the row\n{row}");
        assert!(due == found && widest <= 1.0, "{row}");
    }
}

/// `CHASLES_WRITE=1 cargo test -p chasles-cli --test documented` draws it anew.
#[test]
fn the_plot_of_rates_is_that_of_the_measurements() {
    let rates = rates();
    let points = |set: &str, share: &dyn Fn(&[f64]) -> f64| -> Vec<[f64; 2]> {
        let rows = rates.iter().filter(|(name, _)| name == set);
        rows.map(|(_, row)| [row[0], 100.0 * share(row)]).collect()
    };
    let found = |row: &[f64]| row[3] / row[2];
    let made_up = |row: &[f64]| row[5] / row[4];
    let share = Axis { range: Some([0.03, 200.0]), ..Axis::log("percent") };
    let pixels = Axis { range: Some([0.0, 50.0]), ..Axis::linear("pixels along a short edge") };
    let mut plot = Plot::new(Size::new(900, 600).expect("a small size"), pixels, share);
    plot.title("What the screen finds, and what it makes up");
    plot.series("due contacts that are found", Style::LineAndDots, &points("random", &found));
    plot.series("the same, labelled cases", Style::Dots, &points("labelled", &found));
    plot.series(
        "reported contacts that are made up",
        Style::LineAndDots,
        &points("random", &made_up),
    );
    assert_shown("screen-rates.svg", plot.to_svg().as_bytes());
}

#[test]
fn the_rows_of_the_readme_are_printed() {
    let scene = root().join("scenes/tori.toml");
    let out = Folder::new("readme-rows").run(&["collide", &scene.to_string_lossy()]).out;
    let page = fs::read_to_string(root().join("README.md")).expect("the page exists");
    let block = page.split("```text\n").nth(1).and_then(|rest| rest.split("\n...").next());
    let rows = block.expect("the README shows rows").lines().map(str::trim_start);
    let rows: Vec<&str> = rows.collect();
    let printed: Vec<&str> = out.lines().map(str::trim_start).collect();
    assert!(rows.len() > 3);
    assert!(printed.windows(rows.len()).any(|some| some == rows), "none is left out: {out}");
    let count =
        page.split("These are the first of ").nth(1).and_then(|rest| rest.split(' ').next());
    let count = count.expect("the README counts the rows");
    assert!(out.contains(&format!(": {count} contacts, ")), "{count}: {out}");
}

fn pixels(png: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(Cursor::new(png)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("it fits")];
    reader.next_frame(&mut pixels).expect("a whole PNG");
    pixels
}

#[test]
fn every_scene_of_the_repository_loads() {
    for path in [scenes(), path_scenes()].concat() {
        let scene = Scene::load(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert!(scene.pairs().next().is_some(), "{path:?}");
    }
    for path in trace_scenes() {
        TraceScene::load(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    }
    for path in simulate_scenes() {
        let scene = SimulateScene::load(&path, Pace::default());
        scene.unwrap_or_else(|error| panic!("{path:?}: {error}"));
    }
}

#[test]
fn the_schema_and_the_page_have_the_same_keys() {
    let run = Folder::new("schema").run(&["schema"]);
    let schema: serde_json::Value = serde_json::from_str(&run.out).expect("one document");
    let page = fs::read_to_string(root().join("docs/scenes.md")).expect("the page exists");
    for table in [
        "BodyEntry",
        "PoseEntry",
        "TwistEntry",
        "FlightEntry",
        "TurnEntry",
        "WalkEntry",
        "LegEntry",
        "WorldEntry",
        "KeyframeEntry",
        "CopiesEntry",
    ] {
        let keys = schema["$defs"][table]["properties"].as_object().expect("a table has keys");
        for key in keys.keys() {
            assert!(page.contains(&format!("| `{key}` |")), "{key} is not explained");
        }
    }
    assert_eq!(schema["additionalProperties"], false);
}
