//! The built-in scenes: all of the project, as they are, in any folder.

mod common;

use std::collections::BTreeSet;
use std::fs;

use chasles_scene::library::{FILES, SCENES};
use common::{Folder, root};
use serde_json::Value;

/// A new scene or mesh belongs into the lists of `src/library/list.rs`.
#[test]
fn no_scene_and_no_mesh_of_the_project_is_forgotten() {
    let names = |folder: &str, ending: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(root().join(folder)).expect("the folder exists").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.ends_with(ending)).collect()
    };
    let scenes = SCENES.iter().map(|scene| format!("{}.toml", scene.name));
    assert_eq!(scenes.collect::<BTreeSet<_>>(), names("scenes", ".toml"));
    let files = FILES.iter().map(|(file, _)| file.trim_start_matches("meshes/").to_string());
    assert_eq!(files.collect::<BTreeSet<_>>(), names("scenes/meshes", ""));
    assert!(FILES.iter().all(|(file, _)| file.ends_with(".obj")), "others are not read");
}

/// Simulations are run for a moment only.
#[test]
fn every_built_in_scene_runs_by_its_command_without_the_source_tree() {
    let folder = Folder::new("library-run");
    for scene in SCENES {
        let line = scene.command_line();
        let mut arguments: Vec<&str> = line.split(' ').skip(1).collect();
        if scene.command == "simulate" {
            arguments.extend(["--seconds", "0.02"]);
        }
        let run = folder.run(&arguments);
        // The one simulation with an open mesh of a file says so.
        let is_open = line.contains("simulate-rocks");
        let told = run.err.starts_with("warning: the mesh of bowl is open");
        assert_eq!((run.status, told), (0, is_open), "{line}: {}", run.err);
        assert!(is_open || run.err.is_empty(), "{line}: {}", run.err);
        assert!(run.out.starts_with(scene.title()), "{line}: {}", run.out);
    }
    assert!(folder.names().is_empty());
}

#[test]
fn the_list_names_every_scene_and_its_command() {
    let folder = Folder::new("library-list");
    let list = folder.run(&["scenes"]).out;
    let json = folder.run(&["scenes", "--json", "-"]).out;
    let json: Value = serde_json::from_str(&json).expect("one document");
    assert_eq!(json.as_array().map(Vec::len), Some(SCENES.len()));
    for scene in SCENES {
        for words in [scene.name, scene.title(), &scene.shows(), &scene.command_line()] {
            assert!(list.contains(words), "{words:?} is not in the list");
        }
    }
    let gear = &json[5];
    assert_eq!((&gear["name"], &gear["files"][0]), (&"gear".into(), &"meshes/gear.obj".into()));
}

#[test]
fn copies_are_the_files_of_the_project_and_run() {
    let folder = Folder::new("library-copy");
    let run = folder.run(&["scenes", "--copy", "gear", "mine"]);
    assert_eq!((run.status, run.out.as_str()), (0, "2 files in mine\n"), "{}", run.err);
    let copied = fs::read(folder.path().join("mine/meshes/gear.obj")).expect("copied");
    assert_eq!(copied, fs::read(root().join("scenes/meshes/gear.obj")).expect("the mesh"));
    assert_eq!(folder.run(&["collide", "mine/gear.toml"]).status, 0);
    let run = folder.run(&["scenes", "--copy", "all", "mine"]);
    let count = SCENES.len() + FILES.len();
    assert_eq!(
        run.out,
        format!("{count} files in mine\n"),
        "a file that is the same is no hindrance"
    );
    for scene in SCENES {
        let copy = fs::read_to_string(folder.path().join(format!("mine/{}.toml", scene.name)));
        assert_eq!(copy.expect("copied"), scene.text);
    }
    let run = folder.run(&["scenes", "--copy", "tori.toml"]);
    assert_eq!((run.status, folder.names()), (0, vec!["mine".into(), "tori.toml".into()]));
}

#[test]
fn a_file_in_the_way_is_kept_unless_forced() {
    let folder = Folder::new("library-force");
    folder.write("meshes/soup.obj", "mine");
    let run = folder.run(&["scenes", "--copy", "soup"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("soup.obj exists") && run.err.contains("--force"), "{}", run.err);
    assert_eq!(folder.names(), ["meshes"], "all or nothing");
    assert_eq!(folder.run(&["scenes", "--copy", "soup", "--force", "--quiet"]).out, "");
    assert_eq!(folder.names(), ["meshes", "soup.toml"]);
    let mesh = fs::read(folder.path().join("meshes/soup.obj")).expect("a mesh");
    assert_ne!(mesh, b"mine");
}

#[test]
fn a_file_comes_before_a_built_in_scene_of_its_name() {
    let folder = Folder::new("library-shadow");
    folder.write("tori", common::CUBES);
    assert!(folder.run(&["collide", "tori"]).out.starts_with("Cubes\n"));
    assert!(folder.run(&["collide", "tori.toml"]).out.starts_with("Two tori\n"));
}

#[test]
fn wrong_names_are_told_and_leave_nothing() {
    let folder = Folder::new("library-wrong");
    folder.write("file", "");
    for (arguments, phrase) in [
        (vec!["scenes", "--copy", "dominos"], "did you mean simulate-dominoes?"),
        (vec!["scenes", "--copy", "banana"], "`chasles scenes` lists all"),
        (vec!["scenes", "--copy", "tori", "file"], "cannot make the folder"),
        (vec!["scenes", "mine"], "--copy"),
        (vec!["scenes", "--force"], "--copy"),
        (vec!["collide", "torri"], "did you mean the built-in scene tori?"),
        (vec!["collide", "scenes/tori.toml"], "did you mean the built-in scene tori?"),
        (vec!["simulate", "wall"], "did you mean the built-in scene simulate-wall?"),
        (vec!["trace", "banana"], "or a scene of `chasles scenes`"),
        (vec!["collide", "simulate-wall"], "chasles simulate"),
    ] {
        let run = folder.run(&arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.out);
        assert!(run.err.contains(phrase), "{arguments:?}: {}", run.err);
        assert_eq!(folder.names(), ["file"], "{arguments:?}");
    }
}
