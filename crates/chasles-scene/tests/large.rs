//! The large scenes of the project are valid, and as large as they say.

use std::path::Path;

use chasles_scene::{Pace, SimulateScene};

#[test]
fn large_scenes_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/large");
    for (name, bodies, joints) in [("stones", 1029, 0), ("figures", 1329, 1200), ("net", 97, 0)] {
        let path = folder.join(format!("{name}.toml"));
        let scene = SimulateScene::load(&path, Pace::default()).expect("a scene");
        let world = scene.world();
        assert_eq!((scene.names().len(), world.joints().len()), (bodies, joints), "{name}");
        // Nothing passes through anything, not even neighbours of a linkage.
        assert_eq!(world.ignored().count(), 0, "{name}");
    }
}
