//! A joint that names tables with copies is made for each of them.

use std::path::Path;

use chasles::glam::DVec3;
use chasles_scene::{SceneError, SimulateScene};

/// A row of three flails: a post, a rod that hangs on it, and a ball at the rod's end.
fn flails(rods: &str, joints: &str) -> Result<SimulateScene, SceneError> {
    let text = format!(
        r#"
        [[body]]
        name = "post"
        kind = "static"
        shape = {{ box = {{ size = [0.1, 0.1, 0.1] }} }}
        start = {{ position = [0, 2, 0] }}
        copies = {{ count = [3, 1, 1], spacing = [2, 1, 1] }}

        [[body]]
        name = "rod"
        shape = {{ box = {{ size = [0.8, 0.05, 0.05] }} }}
        start = {{ position = [0.6, 2, 0] }}
        copies = {{ {rods} }}

        [[body]]
        name = "lone"
        shape = {{ box = {{}} }}
        start = {{ position = [0, 9, 0] }}

        {joints}"#
    );
    SimulateScene::from_text(&text, "flails.toml", Path::new("."))
}

const THREE: &str = "at = [[0, 0, 0], [2, 0, 0], [4, 0, 0]]";

#[test]
fn each_copy_gets_a_joint_where_it_is() {
    let joint = r#"
        [[joint]]
        kind = "hinge"
        bodies = ["post", "rod"]
        anchor = [0.1, 2, 0]
        axis = [0, 0, 1]"#;
    let scene = flails(THREE, joint).expect("a scene");
    let mut world = scene.world().clone();
    assert_eq!(world.joints().len(), 3);
    for (copy, joint) in world.joints().iter().enumerate() {
        assert_eq!(joint.bodies(), [copy, 3 + copy]);
        for (body, anchor) in joint.bodies().into_iter().zip(joint.anchors()) {
            let point = world.bodies()[body].pose().point(anchor.frame().position());
            let expected = DVec3::new(0.1 + 2.0 * copy as f64, 2.0, 0.0);
            assert!(point.distance(expected) < 1e-12, "{point} for {expected}");
        }
    }
    // All swing alike.
    for _ in 0..30 {
        world.step(1.0 / 60.0).expect("a step");
    }
    let [first, last] = [3, 5].map(|body| world.bodies()[body].pose().position());
    assert!(first.y < 1.8 && (last - first).distance(DVec3::X * 4.0) < 1e-9, "{first} {last}");
}

#[test]
fn copies_hang_on_the_world_or_on_one_body() {
    let world = r#"
        [[joint]]
        kind = "ball"
        bodies = ["rod"]
        anchor = [0.5, 2.5, 0]"#;
    assert_eq!(flails(THREE, world).expect("a scene").world().joints().len(), 3);
    let lone = r#"
        [[joint]]
        kind = "ball"
        bodies = ["lone", "rod"]
        anchor = [0.5, 2.5, 0]"#;
    let scene = flails(THREE, lone).expect("a scene");
    let bodies: Vec<[usize; 2]> = scene.world().joints().iter().map(|j| j.bodies()).collect();
    assert_eq!(bodies, [[6, 3], [6, 4], [6, 5]]);
    // One copy by its own name.
    let single = world.replace("\"rod\"", "\"rod-1\"").replace("0.5, 2.5", "2.5, 2.5");
    let scene = flails(THREE, &single).expect("a scene");
    assert_eq!(scene.world().joints()[0].bodies()[1], 4);
}

#[test]
fn copies_that_do_not_match_are_refused() {
    let joint = r#"
        [[joint]]
        kind = "ball"
        bodies = ["post", "rod"]
        anchor = [0.1, 2, 0]"#;
    let error = flails("at = [[0, 0, 0], [2, 0, 0]]", joint).expect_err("two of three");
    assert!(error.to_string().contains("3 copies with 2"), "{error}");
    let unknown = joint.replace("\"rod\"", "\"rodd\"");
    let error = flails(THREE, &unknown).expect_err("no such table");
    assert!(error.to_string().contains("did you mean \"rod\"?"), "{error}");
    let itself = joint.replace("\"post\"", "\"rod\"");
    assert!(flails(THREE, &itself).is_err());
}
