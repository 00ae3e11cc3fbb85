//! What docs/scenes.md shows is true, and the schema knows every key in it.

mod common;

use std::fs;

use chasles::mesh::files::to_obj;
use chasles::mesh::shapes::{Gear, Shape};
use chasles_cli::scene::Scene;
use common::{Folder, root, scenes};

/// The blocks of a Markdown text that are marked as TOML.
fn toml_blocks(text: &str) -> Vec<&str> {
    let after_fence = text.split("```toml\n").skip(1);
    after_fence.filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn every_example_is_a_scene() {
    let folder = Folder::new("examples");
    folder.write("meshes/wheel.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let text = fs::read_to_string(root().join("docs/scenes.md")).expect("the page exists");
    let blocks = toml_blocks(&text);
    assert!(blocks.len() >= 5, "only {} examples", blocks.len());
    for block in blocks {
        if let Err(error) = Scene::from_text(block, "docs/scenes.md", folder.path()) {
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

#[test]
fn every_scene_of_the_repository_loads() {
    for path in scenes() {
        let scene = Scene::load(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert!(scene.bodies().len() >= 2, "{path:?}");
    }
}

#[test]
fn the_schema_and_the_page_have_the_same_keys() {
    let run = Folder::new("schema").run(&["schema"]);
    let schema: serde_json::Value = serde_json::from_str(&run.out).expect("one document");
    let page = fs::read_to_string(root().join("docs/scenes.md")).expect("the page exists");
    for table in ["BodyEntry", "PoseEntry", "TwistEntry"] {
        let keys = schema["$defs"][table]["properties"].as_object().expect("a table has keys");
        for key in keys.keys() {
            assert!(page.contains(&format!("| `{key}` |")), "{key} is not explained");
        }
    }
    assert_eq!(schema["additionalProperties"], false);
}
