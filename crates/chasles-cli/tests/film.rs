//! `chasles simulate --gltf`: the animation holds what the trajectory says, and appears whole or
//! not at all.

mod common;

use chasles::mesh::files::parse_gltf;
use common::{Folder, root};
use serde_json::{Value, json};

/// A floor, and two boxes of one table that fall on it, one of them turning.
const SCENE: &str = "\
[world]
dt = 0.02

[[body]]
name = \"floor\"
kind = \"static\"
shape = { box = { size = [9, 2, 9] } }
start = { position = [0, -1, 0] }

[[body]]
name = \"gear\"
shape = { gear = { teeth = 8 } }
start = { position = [0, 1, 0], rotation = { axis = [1, 0, 0], degrees = 30 } }
angular_velocity = [1, 9, 2]
copies = { at = [[0, 0, 0], [3, 0, 0]] }

[[joint]]
kind = \"ball\"
bodies = [\"gear-1\"]
anchor = [3, 2, 0]
";

/// The two parts of a GLB file.
fn parts(bytes: &[u8]) -> (Value, &[u8]) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    assert_eq!((&bytes[..4], word(4), word(8) as usize), (&b"glTF"[..], 2, bytes.len()));
    let text = word(12) as usize;
    assert_eq!((&bytes[16..20], text % 4), (&b"JSON"[..], 0));
    let binary = 20 + text;
    assert_eq!(&bytes[binary + 4..binary + 8], b"BIN\0");
    assert_eq!(word(binary) as usize, bytes.len() - binary - 8);
    let document = serde_json::from_slice(&bytes[20..binary]).expect("a document");
    (document, &bytes[binary + 8..])
}

fn index(value: &Value) -> usize {
    value.as_u64().expect("a whole number") as usize
}

/// The numbers behind an accessor.
fn floats(document: &Value, binary: &[u8], accessor: usize) -> Vec<f64> {
    let accessor = &document["accessors"][accessor];
    assert_eq!(accessor["componentType"], 5126);
    let view = &document["bufferViews"][index(&accessor["bufferView"])];
    let start = index(&view["byteOffset"]);
    let bytes = &binary[start..start + index(&view["byteLength"])];
    let number = |raw: &[u8]| f64::from(f32::from_le_bytes(raw.try_into().expect("four")));
    bytes.chunks_exact(4).map(number).collect()
}

fn near(found: &[f64], expected: &Value) -> bool {
    let expected = expected.as_array().expect("a list").iter().filter_map(Value::as_f64);
    found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-6)
}

#[test]
fn every_step_is_a_key_of_every_body_that_moves() {
    let folder = Folder::new("film-keys");
    folder.write("scene.toml", SCENE);
    let more = ["--gltf", "a.glb", "--trajectory", "a.jsonl", "--seconds", "1", "--quiet"];
    let run = folder.run(&[&["simulate", "scene.toml"], &more[..]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(folder.names(), ["a.glb", "a.jsonl", "scene.toml"]);
    let bytes = std::fs::read(folder.path().join("a.glb")).expect("just written");
    let (document, binary) = parts(&bytes);
    assert_eq!(document["buffers"], json!([{ "byteLength": binary.len() }]));
    let nodes = document["nodes"].as_array().expect("nodes");
    let names: Vec<&Value> = nodes.iter().map(|node| &node["name"]).collect();
    assert_eq!(names, ["floor", "gear-0", "gear-1"]);
    assert_eq!(nodes[1]["mesh"], nodes[2]["mesh"], "copies share their mesh");
    assert_ne!(nodes[0]["mesh"], nodes[1]["mesh"]);
    let text = std::fs::read_to_string(folder.path().join("a.jsonl")).expect("just written");
    let frames: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    assert_eq!(frames.len(), 51);
    let animation = &document["animations"][0];
    let channels = animation["channels"].as_array().expect("channels");
    let targets: Vec<(usize, &str)> = channels
        .iter()
        .map(|c| (index(&c["target"]["node"]), c["target"]["path"].as_str().expect("a word")))
        .collect();
    let both = |node| [(node, "translation"), (node, "rotation")];
    assert_eq!(targets, [both(1), both(2)].concat());
    for (channel, (node, path)) in channels.iter().zip(targets) {
        let sampler = &animation["samplers"][index(&channel["sampler"])];
        assert_eq!(sampler["interpolation"], "LINEAR");
        let times = floats(&document, binary, index(&sampler["input"]));
        let keys = floats(&document, binary, index(&sampler["output"]));
        let (name, width) = if path == "rotation" { ("rotation", 4) } else { ("position", 3) };
        let keys: Vec<&[f64]> = keys.chunks_exact(width).collect();
        assert_eq!((times.len(), keys.len()), (51, 51));
        for ((frame, time), key) in frames.iter().zip(times).zip(&keys) {
            assert!((time - frame["time"].as_f64().expect("a time")).abs() < 1e-6);
            let said = &frame["bodies"][node][name];
            let other: Vec<f64> = key.iter().map(|x| -x).collect();
            let is_turn = name == "rotation" && near(&other, said);
            assert!(near(key, said) || is_turn, "{key:?} is not {said} at {time} s");
        }
        let jumps = keys.windows(2).any(|two| {
            name == "rotation" && two[0].iter().zip(two[1]).map(|(p, q)| p * q).sum::<f64>() < 0.0
        });
        assert!(!jumps, "a quaternion changes its sign");
    }
}

/// The reader knows nothing of animations: it sees the nodes where they begin.
#[test]
fn a_reader_finds_the_bodies_where_they_begin() {
    let folder = Folder::new("film-reader");
    folder.write("scene.toml", SCENE);
    let more = ["--gltf", "a.glb", "--seconds", "0.1", "--quiet"];
    assert_eq!(folder.run(&[&["simulate", "scene.toml"], &more[..]].concat()).status, 0);
    let bytes = std::fs::read(folder.path().join("a.glb")).expect("just written");
    let found = parse_gltf(&bytes, None).expect("a mesh");
    let mesh = chasles::Polyhedron::new(&found).expect("a mesh");
    let gear = chasles::mesh::shapes::Gear { teeth: 8, ..Default::default() };
    let gear = chasles::mesh::shapes::Shape::Gear(gear).build().expect("a gear");
    assert!(mesh.is_closed());
    assert_eq!(mesh.vertex_count(), 8 + 2 * gear.vertex_count());
    let volume = |mesh: &chasles::Polyhedron| mesh.mass(1.0).expect("closed").mass;
    let expected = 9.0 * 2.0 * 9.0 + 2.0 * volume(&gear);
    assert!((volume(&mesh) / expected - 1.0).abs() < 1e-6, "{} for {expected}", volume(&mesh));
    let [low, high] = mesh.bounds();
    assert!((low.y + 2.0).abs() < 1e-6 && high.y > 1.2 && high.x > 3.3, "{low} to {high}");
}

#[test]
fn what_a_film_leaves_out_or_cannot_show_is_told() {
    let folder = Folder::new("film-told");
    let run = folder.run(&["simulate", "simulate-cloth", "--seconds", "0.02", "--gltf", "a.glb"]);
    assert!(run.out.contains("the film leaves out cloth, since sheets bend"), "{}", run.out);
    let run = folder.run(&["simulate", "simulate-cloth", "--seconds", "0.02"]);
    assert!(!run.out.contains("the film"), "{}", run.out);
    folder.write(
        "far.toml",
        "[[body]]\nname = \"far\"\nshape = { box = {} }\nstart = { position = [1e50, 0, 0] }\n",
    );
    let run = folder.run(&["collide", "far.toml", "--gltf", "far.glb"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("the film cannot show \"far\""), "{}", run.err);
    assert!(run.err.contains("within 1e38 of the origin"), "{}", run.err);
    assert_eq!(folder.names(), ["a.glb", "far.toml"]);
}

#[test]
fn a_film_appears_whole_or_not_at_all() {
    let folder = Folder::new("film-whole");
    folder.write("scene.toml", SCENE);
    for (more, phrase) in [
        (&["--gltf", "a.gltf"][..], "must end in .glb"),
        (&["--gltf", "-"], "must end in .glb"),
        (&["--gltf", "no/a.glb"], "cannot write"),
        (&["--gltf", "a.glb", "--json", "a.glb"], "is named for two results"),
        (&["--gltf", "a.glb", "--trajectory", "a.glb"], "is named for two results"),
    ] {
        let run = folder.run(&[&["simulate", "scene.toml"], more].concat());
        assert_eq!(run.status, 2, "{more:?}");
        assert!(run.err.contains(phrase), "{more:?}: {}", run.err);
        assert_eq!(folder.names(), ["scene.toml"], "{more:?}");
    }
    // Nine million steps of two dozen bodies, of which none is taken.
    let many =
        SCENE.replace("at = [[0, 0, 0], [3, 0, 0]]", "count = [3, 1, 8], spacing = [3, 0, 3]");
    folder.write("scene.toml", many);
    let long = ["--gltf", "a.glb", "--dt", "1e-6", "--seconds", "9"];
    let run = folder.run(&[&["simulate", "scene.toml"], &long[..]].concat());
    assert_eq!((run.status, folder.names()), (2, vec!["scene.toml".to_string()]));
    assert!(run.err.contains("does not fit into a GLB file"), "{}", run.err);
    let far = "[[body]]\nname = 'far'\nshape = { box = {} }\nstart = { position = [1e60, 0, 0] }\n";
    folder.write("scene.toml", format!("{SCENE}{far}"));
    let run = folder.run(&["simulate", "scene.toml", "--gltf", "a.glb", "--json", "a.json"]);
    assert_eq!((run.status, folder.names()), (2, vec!["scene.toml".to_string()]), "{}", run.err);
    assert!(run.err.contains("single precision"), "{}", run.err);
}

#[test]
fn a_film_of_a_scene_of_the_repository_can_be_read() {
    let folder = Folder::new("film-scene");
    let scene = root().join("scenes/simulate-crank.toml");
    let scene = scene.to_string_lossy();
    let run = folder.run(&["simulate", &scene, "--seconds", "0.2", "--gltf", "a.glb"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let bytes = std::fs::read(folder.path().join("a.glb")).expect("just written");
    let (document, _) = parts(&bytes);
    assert_eq!(document["nodes"].as_array().map(Vec::len), Some(6));
    assert!(parse_gltf(&bytes, None).is_ok());
}
