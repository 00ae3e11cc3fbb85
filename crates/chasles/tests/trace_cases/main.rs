//! Traces with known answers.

mod degenerate;
mod input;
mod motions;
mod panels;
mod placement;
mod resting;

use chasles::glam::DVec3;
use chasles::trace::{Body, Fixture, Trace, Turn, Workspace, World};
use chasles::{Polygons, Pose};
use chasles_testkit::shapes;

const THICKNESS: f64 = 1e-6;

fn world(meshes: &[Polygons]) -> World {
    let fixtures = meshes.iter().cloned().map(Fixture::new).collect();
    World::new(fixtures).and_then(|w| w.with_thickness(THICKNESS)).expect("a world")
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position([x, y, z]).expect("finite")
}

/// A box by its lowest and highest corner.
fn block(low: [f64; 3], high: [f64; 3]) -> Polygons {
    let [low, high] = [low, high].map(DVec3::from_array);
    shapes::mapped(shapes::cuboid(high - low), |v| v + (low + high) * 0.5)
}

/// A world of one mesh with the zone that rounding asks for.
fn thin(mesh: Polygons) -> World {
    World::new(vec![Fixture::new(mesh)]).expect("a world")
}

/// A square of side 4 about the origin, looking up.
fn floor() -> Polygons {
    let corners = [[-2., 0., -2.], [-2., 0., 2.], [2., 0., 2.], [2., 0., -2.]];
    Polygons::new(corners, [[0, 1, 2, 3]])
}

fn cube() -> Body {
    Body::new(&shapes::cube()).expect("a body")
}

fn shift(world: &World, body: &Body, start: &Pose, by: DVec3) -> Trace {
    world.translate(body, start, by, &mut Workspace::new()).expect("finite")
}

fn turn(
    world: &World,
    body: &Body,
    start: &Pose,
    (origin, axis, angle): (DVec3, DVec3, f64),
) -> Trace {
    let turn = Turn::new(origin, axis, angle).expect("finite");
    world.rotate(body, start, &turn, &mut Workspace::new())
}

/// The height of a cube's bottom.
fn half() -> f64 {
    shapes::cube().vertices.iter().map(|v| v.y).fold(0.0, f64::max)
}
