//! Scenes with bodies that deform: frames, self collision, and rigid bodies beside them.

mod common;

use std::fs;

use common::{Folder, root};
use serde_json::Value;

/// A triangle in the plane of this height.
fn triangle(height: f64) -> String {
    format!("v 0 {height} 0\nv 1 {height} 0\nv 0 {height} 1\nf 1 2 3\n")
}

/// A body that falls from height 1 to -0.5.
const SHEET: &str = "[[body]]\nname = \"sheet\"\nframes = [\"start.obj\", \"end.obj\"]\n";

/// A floor at height 0.
const FLOOR: &str = "[[body]]\nname = \"floor\"\nshape = { plane = {} }\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("start.obj", triangle(1.0));
    folder.write("end.obj", triangle(-0.5));
    folder
}

fn collide(folder: &Folder, arguments: &[&str]) -> Value {
    let run = folder.run(&[&["collide"], arguments, &["--json", "-"]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&run.out).expect("standard output is one JSON document")
}

fn of_text(folder: &Folder, scene: &str) -> Value {
    folder.write("scene.toml", scene);
    collide(folder, &["scene.toml"])
}

fn contacts(pair: &Value) -> &Vec<Value> {
    pair["contacts"].as_array().expect("a list")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn times(pair: &Value) -> Vec<f64> {
    contacts(pair).iter().map(|contact| contact["time"].as_f64().expect("a number")).collect()
}

fn scene(name: &str) -> String {
    root().join("scenes").join(name).to_string_lossy().into_owned()
}

fn near(p: f64, q: f64) -> bool {
    (p - q).abs() < 1e-12
}

#[test]
fn a_sheet_meets_a_floor_at_rest() {
    let results = of_text(&folder("frames-rest"), &format!("{FLOOR}{SHEET}"));
    assert_eq!(results["pairs"].as_array().map(Vec::len), Some(1));
    let pair = &results["pairs"][0];
    assert_eq!((&pair["a"], &pair["b"]), (&"floor".into(), &"sheet".into()));
    assert_eq!((&pair["screw"], &pair["parts"]), (&Value::Null, &1.into()));
    assert!(pair.get("screws").is_none());
    assert!(!contacts(pair).is_empty());
    assert!(times(pair).into_iter().all(|time| near(time, 2.0 / 3.0)), "{pair}");
    for vertex in 0..3 {
        let is_seen = |c: &&Value| c["kind"] == "fv" && c["b"]["vertex"] == vertex;
        let contact = contacts(pair).iter().find(is_seen).expect("each vertex meets the floor");
        assert_eq!(numbers(&contact["normal"]), [0.0, 1.0, 0.0]);
        assert!(near(contact["normal_speed"].as_f64().expect("a number"), -1.5), "{contact}");
    }
}

/// The floor rises by 1 and is turned all along: at the time t the sheet is at 1 - 1.5 t and the
/// floor at t.
#[test]
fn a_sheet_meets_a_body_that_moves_without_turning() {
    let folder = folder("frames-moving");
    let turned = "rotation = { axis = [0, 1, 0], degrees = 90 }";
    let poses = format!("start = {{ {turned} }}\nend = {{ position = [0, 1, 0], {turned} }}\n");
    let twist = format!("start = {{ {turned} }}\ntwist = {{ linear = [0, 1, 0] }}\n");
    for motion in [poses, twist] {
        let pair = &of_text(&folder, &format!("{FLOOR}{motion}{SHEET}"))["pairs"][0];
        assert!(!contacts(pair).is_empty());
        assert!(times(pair).into_iter().all(|time| near(time, 0.4)), "{pair}");
        for contact in contacts(pair) {
            let [point, in_a] = ["point", "point_in_a"].map(|key| numbers(&contact[key]));
            assert!(near(point[1], 0.4) && near(in_a[1], 0.0), "{contact}");
            // A quarter-turn about y carries x to -z.
            assert!(near(in_a[0], -point[2]) && near(in_a[2], point[0]), "{contact}");
        }
    }
}

/// A triangle of the sheet spans both sides of the cut from one corner of the floor to another.
#[test]
fn flat_polygons_of_rigid_bodies_stay_whole() {
    let folder = folder("frames-whole");
    folder.write("start.obj", "v -1 2 -0.5\nv 1 1 -0.4\nv 0.1 1 1\nf 1 2 3\n");
    folder.write("end.obj", "v -1 -1 -0.5\nv 1 -2 -0.4\nv 0.1 -2 1\nf 1 2 3\n");
    let pair = &of_text(&folder, &format!("{FLOOR}{SHEET}"))["pairs"][0];
    let kinds: Vec<&str> = contacts(pair).iter().filter_map(|c| c["kind"].as_str()).collect();
    assert_eq!(kinds, ["fv"; 3], "{pair}");
}

#[test]
fn scale_is_that_of_both_frames() {
    let folder = folder("frames-scale");
    let pair = &of_text(
        &folder,
        &format!("{SHEET}scale = 2\n{FLOOR}start.position = [0, 0.5, 0]\n"),
    )["pairs"][0];
    assert!(!contacts(pair).is_empty());
    assert!(times(pair).into_iter().all(|time| near(time, 0.5)), "{pair}");
    assert!(contacts(pair).iter().any(|c| c["kind"] == "vf" && c["b"]["face"] == 0), "{pair}");
}

#[test]
fn two_bodies_with_frames_meet() {
    let folder = folder("frames-both");
    let other = SHEET.replace("sheet", "other").replace("start.obj\", \"end", "end.obj\", \"start");
    let results = of_text(&folder, &format!("{SHEET}{other}"));
    let pair = &results["pairs"][0];
    assert!(!contacts(pair).is_empty());
    assert!(times(pair).into_iter().all(|time| near(time, 0.5)), "{pair}");
}

#[test]
fn a_body_meets_itself_only_if_asked() {
    let folder = Folder::new("frames-itself");
    let text = fs::read_to_string(scene("fold.toml")).expect("the scene exists");
    for mesh in ["sheet-start.obj", "sheet-end.obj"] {
        let bytes = fs::read(root().join("scenes/meshes").join(mesh)).expect("the mesh exists");
        folder.write(&format!("meshes/{mesh}"), bytes);
    }
    let pairs = &of_text(&folder, &text)["pairs"];
    assert_eq!(pairs.as_array().map(Vec::len), Some(1));
    assert_eq!((&pairs[0]["a"], &pairs[0]["b"]), (&"sheet".into(), &"sheet".into()));
    assert!(contacts(&pairs[0]).len() > 10);
    assert!(contacts(&pairs[0]).iter().all(|contact| contact["kind"] != "vf"));
    let run = folder.run(&["collide", "scene.toml"]);
    assert!(run.out.contains("sheet and itself: "), "{}", run.out);
    for asked in ["self_collision = false", ""] {
        let text = text.replace("self_collision = true", asked);
        assert_eq!(of_text(&folder, &text)["pairs"], Value::Array(Vec::new()));
    }
}

#[test]
fn rigid_pairs_are_not_changed_by_a_body_with_frames() {
    let folder = folder("frames-rigid");
    let boxes = "[[body]]\nshape = { box = {} }\n[[body]]\nshape = { box = {} }\n\
                 start = { position = [2.5, 0.3, 0.2] }\nend = { position = [0, 0.3, 0.2] }\n";
    let alone = of_text(&folder, boxes);
    let beside = of_text(&folder, &format!("{boxes}{SHEET}"));
    assert_eq!(beside["pairs"].as_array().map(Vec::len), Some(3));
    assert!(!contacts(&alone["pairs"][0]).is_empty());
    assert_eq!(alone["pairs"][0], beside["pairs"][0]);
}

#[test]
fn options_choose_among_the_contacts() {
    let folder = Folder::new("frames-options");
    let cloth = scene("cloth.toml");
    let found = |more: &[&str]| {
        let results = collide(&folder, &[&[&*cloth], more].concat());
        contacts(&results["pairs"][0]).clone()
    };
    let all = found(&[]);
    assert!(all.len() > 100, "{}", all.len());
    assert_eq!(found(&["--first"]), all[..1]);
    let time = |contact: &Value| contact["time"].as_f64().expect("a number");
    let middle = time(&all[all.len() / 2]);
    let until: Vec<Value> = all.iter().filter(|c| time(c) <= middle).cloned().collect();
    assert_eq!(found(&["--window", "0", &format!("{middle:?}")]), until);
    let properness = |contact: &Value| contact["properness"].as_f64().expect("a number");
    let proper: Vec<Value> = all.iter().filter(|c| properness(c) >= -0.1).cloned().collect();
    assert!(!proper.is_empty() && proper.len() < all.len());
    assert_eq!(found(&["--min-properness", "-0.1"]), proper);
    assert_eq!(found(&["--min-properness", "-0.1", "--first"]), proper[..1]);
    // The side from which a surface is approached is that which it faces.
    assert_eq!(found(&["--facing"]), all);
}

#[test]
fn the_cloth_of_the_scene_meets_the_sphere_and_not_itself() {
    let results = collide(&Folder::new("frames-cloth"), &[&scene("cloth.toml")]);
    let pairs = results["pairs"].as_array().expect("a list");
    assert_eq!(pairs.len(), 2);
    assert_eq!((&pairs[1]["a"], &pairs[1]["b"]), (&"cloth".into(), &"cloth".into()));
    assert!(contacts(&pairs[1]).is_empty());
    for contact in contacts(&pairs[0]) {
        let point = numbers(&contact["point"]);
        let radius = point.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!((0.47..0.501).contains(&radius) && point[1] > 0.0, "{contact}");
    }
}

/// The bodies of a panel are one image; titles are text beside it.
#[test]
fn pictures_show_the_body_at_their_time() {
    let folder = Folder::new("frames-pictures");
    let fold = scene("fold.toml");
    let run = folder.run(&["collide", &fold, "--picture", "out.svg", "--at", "0,0.5,1", "--quiet"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let svg = fs::read_to_string(folder.path().join("out.svg")).expect("just drawn");
    assert!(svg.contains("(a) time 0.0000") && svg.contains("(c) time 1.0000"));
    let images: Vec<&str> =
        svg.split("base64,").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(images.len(), 3);
    assert!(images[0] != images[1] && images[1] != images[2]);
    for file in ["out.png", "out.svg"] {
        let run = folder.run(&["collide", &fold, "--picture", file, "--at", "0.8", "--quiet"]);
        assert_eq!((run.status, run.err.as_str()), (0, ""));
    }
}

#[test]
fn the_screen_does_not_take_bodies_with_frames() {
    let folder = folder("frames-screen");
    folder.write("scene.toml", format!("{FLOOR}{SHEET}"));
    let run = folder.run(&["collide", "scene.toml", "--method", "screen", "--json", "out.json"]);
    assert_eq!(run.status, 2);
    let phrase = "scene.toml, floor and sheet: the screen takes rigid bodies only";
    assert!(run.err.contains(phrase) && run.err.contains("help:"), "{}", run.err);
    assert!(!folder.names().contains(&"out.json".to_string()));
}

#[test]
fn frames_are_not_overwritten() {
    let folder = folder("frames-inputs");
    folder.write("scene.toml", SHEET);
    for frame in ["start.obj", "end.obj"] {
        let run = folder.run(&["collide", "scene.toml", "--json", frame]);
        assert!(
            run.status == 2 && run.err.contains(&format!("{frame} is the input")),
            "{}",
            run.err
        );
    }
}

/// The second line of a body, the place as `line:column`, and phrases of the message.
const WRONG: [(&str, &str, &[&str]); 21] = [
    ("frames = 'start.obj'", "2:10", &["expected two mesh files [\"start.obj\", \"end.obj\"]"]),
    ("frames = ['start.obj']", "2:10", &["invalid length 1, expected two mesh files"]),
    ("frames = ['start.obj', 'end.obj', 'end.obj']", "2:10", &["invalid length 3, expected two"]),
    ("frames = ['start.obj', 3]", "2:24", &["expected a file name in quotes"]),
    ("frames = ['start.obj', 'none.obj']", "2:24", &["cannot use the mesh none.obj"]),
    ("frames = ['none.obj', 'end.obj']", "2:11", &["cannot use the mesh none.obj"]),
    (
        "frames = ['start.obj', 'other.obj']",
        "2:24",
        &["other.obj: face 0 has the vertices [0, 1, 2]"],
    ),
    (
        "frames = ['start.obj', 'more.obj']",
        "2:24",
        &["more.obj", "face 1 does not exist at the start", "same faces"],
    ),
    (
        "frames = ['start.obj', 'extra.obj']",
        "2:24",
        &["extra.obj: the surface has 3 vertices, but 4"],
    ),
    (
        "frames = ['start.obj', 'range.obj']",
        "2:24",
        &["range.obj: line 4: vertex 9 does not exist"],
    ),
    ("frames = ['nan.obj', 'end.obj']", "2:11", &["nan.obj: line 2"]),
    ("frames = ['start.obj', 'far.obj']", "2:24", &["far.obj: vertex 1 is at"]),
    ("frames = ['start.obj', 'end.obj']\nmesh = 'end.obj'", "2:10", &["both `mesh` and `frames`"]),
    (
        "frames = ['start.obj', 'end.obj']\nshape = { box = {} }",
        "2:10",
        &["both `shape` and `frames`"],
    ),
    ("frames = ['start.obj', 'end.obj']\nstart = {}", "3:9", &["both `frames` and `start`"]),
    ("frames = ['start.obj', 'end.obj']\nend = {}", "3:7", &["both `frames` and `end`"]),
    ("frames = ['start.obj', 'end.obj']\ntwist = {}", "3:9", &["both `frames` and `twist`"]),
    ("frames = ['start.obj', 'end.obj']\nself_collision = 'yes'", "3:18", &["expected a boolean"]),
    (
        "shape = { box = {} }\nself_collision = true",
        "3:18",
        &["is rigid", "cannot collide with itself"],
    ),
    (
        "frames = ['start.obj', 'end.obj']\n[[body]]\nname = 'top'\nshape = { box = {} }\n\
         twist = { angular = [0, 0, 1] }",
        "6:9",
        &["the body \"top\" turns, and \"body-0\" has frames", "straight lines", "`frames` too"],
    ),
    (
        "shape = { box = {} }\nend = { rotation = { axis = [0, 1, 0], degrees = 1 } }\n[[body]]\n\
         frames = ['start.obj', 'end.obj']",
        "3:7",
        &["the body \"body-0\" turns, and \"body-1\" has frames"],
    ),
];

#[test]
fn wrong_frames_are_named_with_their_file_and_place() {
    let folder = folder("frames-wrong");
    folder.write("other.obj", triangle(0.0).replace("f 1 2 3", "f 1 3 2"));
    folder.write("more.obj", triangle(0.0) + "f 1 3 2\n");
    folder.write("extra.obj", format!("{}v 0 0 0\n", triangle(0.0)));
    folder.write("range.obj", triangle(0.0).replace("f 1 2 3", "f 1 2 9"));
    folder.write("nan.obj", triangle(0.0).replace("v 1 0 0", "v 1 nan 0"));
    folder.write("far.obj", triangle(0.0).replace("v 1 0 0", "v 1e101 0 0"));
    for (rest, place, phrases) in WRONG {
        folder.write("bad.toml", format!("[[body]]\n{rest}\n"));
        let names = folder.names();
        let run = folder.run(&["collide", "bad.toml", "--json", "out.json"]);
        assert_eq!(run.status, 2, "{rest}\n{}", run.err);
        for phrase in phrases {
            assert!(run.err.contains(phrase), "{phrase:?} is not said of\n{rest}\n{}", run.err);
        }
        let place = format!("bad.toml:{place}]");
        assert!(run.err.contains(&place), "{place:?} is not named for\n{rest}\n{}", run.err);
        assert!(run.err.contains("help:"), "{rest}\n{}", run.err);
        assert_eq!(folder.names(), names, "a file is left behind by\n{rest}");
    }
}

/// The meshes of the scenes are those of the example.
#[path = "../examples/frames/meshes.rs"]
mod meshes;

/// `CHASLES_WRITE=1 cargo test -p chasles-cli --test frames` writes them anew.
#[test]
fn the_frames_of_scenes_are_made_by_the_example() {
    for (name, mesh) in meshes::all() {
        let text = chasles::mesh::files::to_obj(&mesh);
        let path = root().join("scenes/meshes").join(name);
        if std::env::var_os("CHASLES_WRITE").is_some() {
            fs::write(&path, &text).expect("the scenes can be written to");
        }
        assert!(
            fs::read_to_string(path).is_ok_and(|found| found == text),
            "{name} is another mesh"
        );
    }
}
