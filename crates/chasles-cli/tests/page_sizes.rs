//! Pages stay small however large their scenes are, and say what they leave out.

mod common;

use common::page::{MOST, bytes, data, doubles, notes, page};
use common::{CUBES, Folder};

#[test]
fn large_meshes_are_thinned_with_a_note() {
    let folder = Folder::new("report-large");
    let fine = "shape = { torus = { segments = [400, 200] } }";
    let coarse = "shape = { box = { size = [1, 1, 1] } }";
    folder.write("scene.toml", CUBES.replacen(coarse, fine, 1));
    let page = page(&folder, &["collide", "scene.toml", "--first"]);
    assert!(page.len() < MOST, "{} bytes", page.len());
    let data = data(&page);
    let note = data["notes"][0].as_str().expect("a note");
    assert!(
        note.starts_with("a is drawn with ") && note.contains("of its 160000 triangles"),
        "{note}"
    );
    assert_eq!(data["meshes"][0]["thinned"], true);
    assert_eq!(data["meshes"][1]["thinned"], false);
}

/// The housing takes most of the room there is for meshes; the gear needs little, and gets it.
#[test]
fn a_small_body_beside_a_large_one_keeps_its_detail() {
    let folder = Folder::new("report-fair");
    let data = data(&page(&folder, &["collide", "housing", "--method", "path"]));
    let bodies = data["bodies"].as_array().expect("a list");
    let is_thinned = |name: &str| {
        let body = bodies.iter().find(|body| body["name"] == name).expect("it is there");
        data["meshes"][body["mesh"].as_u64().expect("a number") as usize]["thinned"].clone()
    };
    assert_eq!((is_thinned("housing"), is_thinned("gear")), (true.into(), false.into()));
    assert!(!notes(&data).contains("gear"), "{}", notes(&data));
}

/// Two fine meshes: both are coarser, and so are their curves on the screen.
#[test]
fn curves_of_large_meshes_are_thinned_with_a_note() {
    let folder = Folder::new("report-curves");
    let fine = "shape = { torus = { segments = [400, 200] } }";
    folder.write("scene.toml", CUBES.replace("shape = { box = { size = [1, 1, 1] } }", fine));
    let page = page(&folder, &["collide", "scene.toml", "--first"]);
    assert!(page.len() < MOST, "{} bytes", page.len());
    let data = data(&page);
    let notes = notes(&data);
    assert!(notes.contains("a and b are each drawn with "), "{notes}");
    assert!(notes.contains("The collision screen of a with b is drawn coarser"), "{notes}");
    let curves = &data["groups"][0]["screens"][0]["curves"];
    for body in 0..2 {
        let points = bytes(&curves[body]["points"]).len() / 4;
        assert!((1000..60_000).contains(&points), "{points} points of body {body}");
    }
}

/// Every limit at once: many pairs, parts, contacts and features.
#[test]
fn a_scene_that_is_too_large_in_every_way_has_a_page_of_bounded_size() {
    let folder = Folder::new("report-bounded");
    let body = |name: String, more: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nshape = {{ torus = {{ segments = [24, 12] }} }}\n{more}\n"
        )
    };
    let mut text = "title = \"All at once\"\n".to_string();
    for i in 0..8 {
        let x = f64::from(i) * 0.9;
        let twist = format!(
            "start = {{ position = [{x}, 0, 0] }}\ntwist = {{ angular = [0, {}, 0], point = [{x}, 0, 0] }}",
            20.0 + 1.7 * f64::from(i)
        );
        text += &body(format!("ring {i}"), &twist);
    }
    folder.write("scene.toml", text);
    let page = page(&folder, &["collide", "scene.toml", "--window", "0", "0.9"]);
    assert!(page.len() < MOST, "{} bytes", page.len());
    let notes = notes(&data(&page));
    for words in ["drawn coarser", "most proper of", "have a collision screen", "screws of"] {
        assert!(notes.contains(words), "{words}: {notes}");
    }
    assert!(!notes.contains("a grid of 0 cells"), "{notes}");
    let asked = "only contacts with a time from 0 to 0.9";
    assert!(page.contains(asked), "the page says what was asked for");
}

/// The pages of all built-in scenes whose pages were large.
#[test]
fn pages_of_the_repository_are_of_bounded_size() {
    let folder = Folder::new("report-sizes");
    for arguments in [
        &["collide", "stuck"][..],
        &["collide", "housing", "--method", "path"],
        &["simulate", "simulate-wall", "--seconds", "1.5"],
        &["simulate", "simulate-cloth", "--seconds", "2"],
    ] {
        let page = page(&folder, arguments);
        assert!(page.len() < MOST, "{arguments:?}: {} bytes", page.len());
    }
}

/// One brick is free, one crosses the floor, one is inside it.
#[test]
fn long_simulations_have_fewer_frames_with_a_note() {
    let folder = Folder::new("report-long");
    folder.write(
        "scene.toml",
        "[[body]]\nshape = { box = {} }\n[world]\ngravity = [0, 0, 0]\ndt = 0.001\nseconds = 4\n",
    );
    let data = data(&page(&folder, &["simulate", "scene.toml"]));
    let frames = doubles(&data["frames"]);
    assert!(frames.len() <= 1000, "{}", frames.len());
    assert!(frames.last().is_some_and(|last| (last - 4.0).abs() < 1e-9), "the end is kept");
    let note = data["notes"][0].as_str().expect("a note");
    assert!(note.starts_with("One of 5 steps is a frame of this page"), "{note}");
    assert!(data["words"]["empty"].as_str().is_some_and(|words| words.starts_with("No impacts")));
}
