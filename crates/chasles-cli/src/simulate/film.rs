//! The film of a simulation: its bodies, and which of them move.

use chasles_dynamics::world::Kind;
use chasles_dynamics::{Body, World};
use chasles_scene::SimulateScene;

use crate::gltf::{Film, Node, Part, Stage};
use crate::still;

/// A film of a scene, with its beginning.
pub(super) fn begun(scene: &SimulateScene) -> Film {
    let mut film = Film::new(moving(scene), scene.steps() as usize + 1);
    add(&mut film, scene.world());
    film
}

/// One more frame.
pub(super) fn add(film: &mut Film, world: &World) {
    film.add(world.time(), |body| world.bodies()[body].pose());
}

/// The numbers of the bodies of a scene that may move.
pub(crate) fn moving(scene: &SimulateScene) -> impl Iterator<Item = usize> + '_ {
    let bodies = scene.world().bodies().iter().take(scene.names().len()).enumerate();
    let moves = |(_, body): &(usize, &Body)| !matches!(body.kind(), Kind::Static);
    bodies.filter(moves).map(|(number, _)| number)
}

/// The bodies as they are at first; those of one table share a mesh.
pub(super) fn stage(scene: &SimulateScene) -> Stage<'_> {
    let bodies = scene.world().bodies();
    let mut parts = Vec::new();
    for (number, (name, first)) in scene.tables().enumerate() {
        let colour = still::simulated_colour(scene, number, first);
        parts.push(Part { name, colour, mesh: bodies[first].collider().mesh(), shifts: None });
    }
    let mut nodes = Vec::with_capacity(scene.names().len());
    for (number, name) in scene.names().iter().enumerate() {
        nodes.push(Node { name, pose: bodies[number].pose(), part: scene.table(number) });
    }
    Stage { title: scene.title(), parts, nodes }
}
