//! Meshes of files: what rounding moved apart is joined, and what stays open is told.

mod common;

use chasles::Polyhedron;
use chasles::mesh::shapes::{Cuboid, Shape};
use common::Folder;
use serde_json::Value;

/// A unit cube as text STL, each corner moved by up to `noise` in each direction, without the last
/// `missing` of its 12 triangles.
fn cube_stl(noise: f64, missing: usize) -> String {
    let cube = Shape::Box(Cuboid::default()).polygons().expect("a cube");
    let mesh = Polyhedron::new(&cube).expect("a cube");
    let mut text = String::from("solid cube\n");
    let mut turn = 0.0_f64;
    for triangle in (0..6).flat_map(|face| mesh.face_triangles(face)).take(12 - missing) {
        text += "facet normal 0 0 0\nouter loop\n";
        for place in triangle.map(|v| mesh.position(v)) {
            turn += 1.0;
            let [x, y, z] = [place.x + noise * turn.sin(), place.y + noise * turn.cos(), place.z];
            text += &format!("vertex {x} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid cube\n"
}

fn scene(keys: &str) -> String {
    format!(
        "[[body]]\nname = \"a\"\nmesh = \"cube.stl\"\n{keys}\n[[body]]\nname = \"b\"\n\
         shape = {{ box = {{}} }}\nstart = {{ position = [3, 0.25, 0.25] }}\n\
         end = {{ position = [0, 0.25, 0.25], rotation = {{ axis = [0, 0, 1], degrees = 40 }} }}\n"
    )
}

/// The JSON of `collide`, and what it prints.
fn collide(folder: &Folder, keys: &str) -> (Value, String) {
    folder.write("scene.toml", scene(keys));
    let run = folder.run(&["collide", "scene.toml", "--json", "-"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let table = folder.run(&["collide", "scene.toml"]).out;
    (serde_json::from_str(&run.out).expect("one document"), table)
}

#[test]
fn rounding_noise_changes_no_contact() {
    let folder = Folder::new("weld-noise");
    folder.write("cube.stl", cube_stl(0.0, 0));
    let (clean, _) = collide(&folder, "");
    folder.write("cube.stl", cube_stl(1e-15, 0));
    let (noisy, table) = collide(&folder, "");
    assert!(noisy.get("open").is_none() && !table.contains("open"), "{table}");
    let [clean, noisy] = [clean, noisy].map(|result| contacts(&result));
    assert!(clean.len() > 5, "{clean:?}");
    assert_eq!(noisy, clean);
}

/// Kind, time and properness of all contacts, to nine digits; contacts at one time may change
/// places.
fn contacts(result: &Value) -> Vec<(String, i64, i64)> {
    let contacts = result["pairs"][0]["contacts"].as_array().expect("a list");
    let digits = |contact: &Value, key: &str| {
        (1e9 * contact[key].as_f64().expect("a number")).round() as i64
    };
    let found = |contact: &Value| {
        let kind = contact["kind"].as_str().expect("a kind").to_string();
        (kind, digits(contact, "time"), digits(contact, "properness"))
    };
    let mut found: Vec<_> = contacts.iter().map(found).collect();
    found.sort();
    found
}

#[test]
fn an_open_mesh_is_told_with_the_weld_that_closes_it() {
    let folder = Folder::new("weld-open");
    folder.write("cube.stl", cube_stl(1e-7, 0));
    let (open, table) = collide(&folder, "");
    assert_eq!((&open["open"][0]["body"], &open["open"][0]["edges"]), (&"a".into(), &36.into()));
    let weld = open["open"][0]["closing_weld"].as_f64().expect("a length");
    assert!((1e-8..4e-7).contains(&weld), "{weld}");
    let line = format!(
        "the mesh of a is open: 36 edges are open; joining vertices within {weld:e} would close it"
    );
    assert!(table.contains(&line), "{table}");
    let inspect = folder.run(&["inspect", "cube.stl"]).out;
    assert!(inspect.contains("volume    none: nothing is closed"), "{inspect}");
    assert!(inspect.contains(&format!("joining vertices within {weld:e} would close it")));
    let (closed, table) = collide(&folder, &format!("weld = {weld:e}"));
    assert!(closed.get("open").is_none() && !table.contains("open"), "{table}");
}

#[test]
fn inspect_joins_vertices_as_a_scene_does() {
    let folder = Folder::new("weld-inspect");
    folder.write("cube.stl", cube_stl(1e-7, 0));
    let closed = folder.run(&["inspect", "cube.stl", "--weld", "1e-6"]);
    assert!(closed.out.contains("closed    yes"), "{}", closed.out);
    let open = folder.run(&["inspect", "cube.stl", "--weld", "0"]);
    assert!(open.out.contains("closed    no"), "{}", open.out);
    let wrong = folder.run(&["inspect", "cube.stl", "--weld=-1"]);
    assert!(wrong.status == 2 && wrong.err.contains("finite length from 0"), "{}", wrong.err);
}

#[test]
fn every_command_and_page_says_that_a_mesh_is_open() {
    let folder = Folder::new("open-everywhere");
    folder.write("cube.stl", cube_stl(0.0, 1));
    // The name is markup, which pages show as text.
    let a = "[[body]]\nname = '</script><b>'\nmesh = 'cube.stl'\n";
    let b = "[[body]]\nname = 'b'\nshape = { box = {} }\nstart = { position = [3, 0, 0] }\n";
    let end = "end = { position = [0, 0, 0] }\n";
    let fall = "[world]\nseconds = 0.1\n";
    let scenes = [
        ("collide", format!("{a}{b}{end}")),
        ("compare", format!("{a}{b}{end}")),
        ("trace", format!("{a}{b}moving = true\ntranslate = [-1, 0, 0]\n")),
        ("simulate", format!("{fall}{a}kind = 'static'\n{b}")),
    ];
    for (command, scene) in scenes {
        folder.write("scene.toml", scene);
        let run = folder.run(&[command, "scene.toml", "--report", "page.html"]);
        assert_eq!(run.status, 0, "{command}: {}", run.err);
        let said = format!("{}{}", run.out, run.err);
        let told = "the mesh of </script><b> is open: 3 edges are open";
        assert!(said.contains(told), "{command}: {said}");
        let page = std::fs::read_to_string(folder.path().join("page.html"));
        let page = page.expect("a page");
        assert!(page.contains("is open: 3 edges are open"), "{command}");
        assert!(!page.contains("</script><b>"), "{command}");
    }
}

#[test]
fn a_hole_is_told_and_has_no_volume() {
    let folder = Folder::new("weld-hole");
    folder.write("cube.stl", cube_stl(0.0, 1));
    let (open, table) = collide(&folder, "");
    assert_eq!(
        (&open["open"][0]["edges"], &open["open"][0]["closing_weld"]),
        (&3.into(), &Value::Null)
    );
    assert!(
        table.contains(
            "the mesh of a is open: 3 edges are open; joining vertices within a hundredth"
        )
    );
    let run = folder.run(&["inspect", "cube.stl", "--json", "-"]);
    let found: Value = serde_json::from_str(&run.out).expect("one document");
    assert_eq!((&found["open_edges"], &found["closing_weld"]), (&3.into(), &Value::Null));
    let volume = found["volume"].as_f64().expect("a number");
    assert!(volume == 0.0 && volume.is_sign_positive(), "{volume}");
}

#[test]
fn a_weld_that_collapses_is_not_made_and_is_told() {
    let folder = Folder::new("weld-collapse");
    folder.write("cube.stl", cube_stl(0.0, 0));
    let (clean, _) = collide(&folder, "");
    let (wide, _) = collide(&folder, "weld = 2.0");
    assert_eq!(clean["pairs"], wide["pairs"], "edges are as long as before");
    assert!(clean.get("kept_apart").is_none() && clean.get("warnings").is_none());
    // Rounded copies stay apart with all others, and the mesh is open, which is told as well.
    folder.write("cube.stl", cube_stl(1e-15, 0));
    let (rounded, _) = collide(&folder, "");
    assert!(rounded.get("kept_apart").is_none() && rounded.get("open").is_none(), "{rounded}");
    let (wide, table) = collide(&folder, "weld = 10");
    let apart = &wide["kept_apart"][0];
    assert_eq!((&apart["body"], apart["weld"].as_f64()), (&"a".into(), Some(10.0)), "{apart}");
    let count = apart["vertices"].as_u64().expect("a number");
    assert!(count > 8, "{apart}");
    let line = format!("{count} vertices of a, the first of them vertex 0, are not welded");
    assert!(wide["warnings"][0].as_str().expect("a warning").starts_with(&line), "{wide}");
    assert!(wide["open"][0]["body"] == "a" && table.contains("is open"), "{table}");
    for command in ["collide", "compare"] {
        let run = folder.run(&[command, "scene.toml"]);
        assert!(run.err.starts_with(&format!("warning: {line}")), "{command}: {}", run.err);
    }
}

#[test]
fn a_weld_that_is_none_is_refused_with_its_line() {
    let folder = Folder::new("weld-wrong");
    folder.write("cube.stl", cube_stl(0.0, 0));
    folder.write("scene.toml", scene("weld = -1.0"));
    let run = folder.run(&["collide", "scene.toml"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("within -1, which is negative"), "{}", run.err);
    assert!(run.err.contains("scene.toml:4:8"), "{}", run.err);
    folder.write("scene.toml", scene("").replace("box = {} }", "box = {} }\nweld = 0.1"));
    let run = folder.run(&["collide", "scene.toml"]);
    assert!(run.err.contains("the body \"b\" has `weld`, but no `mesh`"), "{}", run.err);
}
