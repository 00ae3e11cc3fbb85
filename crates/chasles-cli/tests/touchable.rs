//! Contacts that the shape of a body forbids are marked in every output, and left out on request.

mod common;

use common::{Folder, page};
use serde_json::Value;

/// A box within the solid of a cross of two bars rises through its reflex edges and out of it.
const CROSS: &str = r#"
[[body]]
name = "profile"
mesh = "l.obj"

[[body]]
name = "blade"
shape = { box = { size = [0.2, 0.2, 0.3] } }
start = { position = [0.8, 0.8, 0.5], rotation = { axis = [1, 2, 3], degrees = 40 } }
end = { position = [1.3, 1.2, 0.5], rotation = { axis = [1, 2, 3], degrees = 40 } }
"#;

/// A prism over an L; its edge 3-9 is reflex.
const L: &str = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n\
    v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n\
    f 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\n\
    f 6 1 7 12\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("scene.toml", CROSS);
    folder.write("l.obj", L);
    folder
}

fn contacts(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let run = folder.run(&[&["collide", "scene.toml", "--json", "-"], arguments].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let results: Value = serde_json::from_str(&run.out).expect("JSON");
    results["pairs"][0]["contacts"].as_array().expect("a list").clone()
}

#[test]
fn what_cannot_be_touched_is_marked_and_left_out() {
    let folder = folder("untouchable");
    let all = contacts(&folder, &[]);
    let is = |c: &Value| c["touchable"].as_bool().expect("a flag");
    let at_edge = |c: &&Value| c["a"]["edge"] == serde_json::json!([3, 9]);
    let edge: Vec<&Value> = all.iter().filter(at_edge).collect();
    assert!(!edge.is_empty() && edge.iter().all(|c| !is(c)), "{edge:?}");
    assert!(edge.iter().any(|c| c["properness"].as_f64() > Some(0.0)));
    let touchable: Vec<Value> = all.iter().filter(|c| is(c)).cloned().collect();
    assert_eq!(contacts(&folder, &["--touchable"]), touchable);
}

/// The same blade comes from outside and goes through the notch of the L.
#[test]
fn filters_leave_touchable_contacts_of_bodies_that_come_from_outside() {
    let folder = folder("untouchable-outside");
    let outside = CROSS.replace("[0.8, 0.8, 0.5]", "[1.9, 1.7, 0.5]");
    folder.write("scene.toml", outside.replace("[1.3, 1.2, 0.5]", "[0.6, 0.5, 0.5]"));
    let is = |c: &Value| c["touchable"].as_bool().expect("a flag");
    for method in [&[][..], &["--method", "screen"]] {
        let all = contacts(&folder, method);
        assert!(all.iter().any(is) && !all.iter().all(is), "{method:?}: {}", all.len());
        for filter in ["--facing", "--touchable"] {
            let left = contacts(&folder, &[method, &[filter]].concat());
            assert!(!left.is_empty() && left.iter().all(is), "{method:?} {filter}: {left:?}");
        }
    }
}

#[test]
fn the_table_and_the_page_show_it() {
    let folder = folder("untouchable-page");
    let table = folder.run(&["collide", "scene.toml"]).out;
    assert!(table.contains("  untouchable"), "{table}");
    let data = page::data(&page::page(&folder, &["collide", "scene.toml"]));
    let columns = data["columns"].as_array().expect("a list");
    assert!(columns.iter().any(|column| column["key"] == "untouchable"));
    let asked = ["collide", "scene.toml", "--touchable"];
    let table = folder.run(&asked).out;
    assert!(!table.contains("  untouchable"), "{table}");
    let words = page::page(&folder, &asked);
    assert!(words.contains("only touchable contacts"), "the page says what was asked");
}
