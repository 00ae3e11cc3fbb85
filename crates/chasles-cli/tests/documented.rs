//! What docs/scenes.md shows is true, and the schema knows every key in it.

mod common;

use std::fs;

use chasles_cli::scene::Scene;
use common::{Folder, root};

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
fn every_scene_of_the_repository_loads() {
    for entry in fs::read_dir(root().join("scenes")).expect("there are scenes") {
        let path = entry.expect("a file").path();
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
