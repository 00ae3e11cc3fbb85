//! Scenes from memory: files are what the caller gives, and no file system is asked.

use std::collections::BTreeMap;
use std::path::Path;

use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::solid::{MeshSolid, Sdf, SdfOptions};
use chasles_scene::{
    Document, Folder, Pace, Scene, SceneError, SimulateScene, TraceScene, library,
};

fn document(text: &str, files: &[(&str, &[u8])]) -> Document {
    let files = files.iter().map(|(name, bytes)| (name.to_string(), bytes.to_vec()));
    Document::new(text, "memory.toml", files.collect::<BTreeMap<String, Vec<u8>>>())
}

fn said(document: &Document) -> String {
    Scene::read(document).expect_err("the scene is wrong").to_string()
}

const CUBE: &[u8] = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
    f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

#[test]
fn meshes_and_fields_come_from_memory() {
    let cube = Shape::Box(Cuboid::default()).build().expect("a cube");
    let solid = MeshSolid::new(&cube).expect("a solid");
    let options = SdfOptions::across(&solid, 8).expect("eight cells");
    let mut field = Vec::new();
    Sdf::sample(&solid, &options).expect("a field").write(&mut field).expect("memory has room");
    let text = "[[body]]\nmesh = 'parts/cube.obj'\n[[body]]\nsdf = 'cube.sdf'\n";
    let scene = Scene::read(&document(text, &[("parts/cube.obj", CUBE), ("cube.sdf", &field)]));
    let scene = scene.expect("a scene");
    assert_eq!(scene.bodies()[0].mesh().face_count(), 6);
    assert_eq!(scene.files(), [Path::new("parts/cube.obj"), Path::new("cube.sdf")]);
}

/// A file of this name is on the disk, and is not read.
#[test]
fn what_is_not_given_is_not_sought_on_the_disk() {
    assert!(Path::new("Cargo.toml").is_file(), "tests run in the folder of their crate");
    let unknown = document("[[body]]\nsdf = 'Cargo.toml'\n", &[]);
    assert!(said(&unknown).starts_with("memory.toml:2:7: cannot read the distance field"));
    let known = Document::new("[[body]]\nsdf = 'Cargo.toml'\n", "disk.toml", Folder::new(""));
    assert!(said(&known).contains("cannot use the distance field Cargo.toml"));
    assert!(said(&document("[[body]]\nmesh = 'cube.obj'\n", &[])).contains("cannot use the mesh"));
}

#[test]
fn buffers_outside_a_gltf_file_are_refused() {
    let gltf =
        br#"{ "asset": { "version": "2.0" }, "buffers": [{ "uri": "a.bin", "byteLength": 4 }] }"#;
    let scene = document("[[body]]\nmesh = 'a.gltf'\n", &[("a.gltf", gltf), ("a.bin", b"0000")]);
    assert!(said(&scene).contains("embed the buffer"), "{}", said(&scene));
}

#[test]
fn errors_have_a_place_and_a_remedy() {
    let text = "title = 'é'\n[[body]]\nshape = { box = {} }\nscael = 2\n";
    let error = Scene::read(&document(text, &[])).expect_err("a key is unknown");
    assert!(error.to_string().starts_with("memory.toml:4:1: unknown key `scael`"), "{error}");
    assert!(error.help().starts_with("did you mean `scale`?"), "{}", error.help());
    let SceneError::Wrong(wrong) = error else { panic!("{error}") };
    assert_eq!(&text[wrong.span], "scael");
    let bytes = Document::from_bytes(b"a = 1\n\xff".to_vec(), "b.toml", Folder::new(""));
    assert!(matches!(bytes, Err(SceneError::NotText { line: 2, .. })));
}

#[test]
fn every_built_in_scene_is_valid_for_its_command() {
    for scene in library::SCENES {
        let path = Path::new(scene.name);
        let read = match scene.command {
            "collide" => Scene::load(path).map(|read| read.title().to_string()),
            "trace" => TraceScene::load(path).map(|read| read.title().to_string()),
            _ => SimulateScene::load(path, Pace::default()).map(|read| read.title().to_string()),
        };
        assert_eq!(read.expect(scene.name), scene.title());
    }
}

/// A solid that is round is exactly so for queries, and what is made for it is kept.
#[test]
fn round_solids_are_round_geometries() {
    let text = "
        [[body]]
        name = 'ball'
        solid = { sphere = { radius = 1.0 } }
        [[body]]
        name = 'block'
        solid = { box = { size = [1.0, 1.0, 1.0] } }
        start = { position = [3.0, 0.0, 0.0] }
        end = { position = [1.0, 0.0, 0.0] }
    ";
    let scene = Scene::from_text(text, "round.toml", Path::new(".")).expect("a scene");
    let [ball, block] = [0, 1].map(|i| scene.bodies()[i].geometry().expect("rigid"));
    assert!(ball.round().is_some() && block.round().is_none());
    assert!(scene.bodies()[0].exact().is_some() && scene.bodies()[1].exact().is_none());
}
