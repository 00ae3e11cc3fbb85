//! The tests of `worlds` for bodies that are stepped by events, one impact after the other.

#[path = "worlds/again.rs"]
mod again;
#[path = "worlds/apart.rs"]
mod apart;
#[path = "worlds/asked.rs"]
mod asked;
#[path = "worlds/drifting.rs"]
mod drifting;
#[path = "worlds/isolated.rs"]
mod isolated;
#[path = "worlds/laws.rs"]
mod laws;
#[path = "worlds/linked.rs"]
mod linked;
#[path = "worlds/neighbours.rs"]
mod neighbours;
#[path = "worlds/pressed.rs"]
mod pressed;
#[path = "worlds/rolling.rs"]
mod rolling;
#[path = "worlds/routes.rs"]
mod routes;
#[path = "worlds/scenes.rs"]
mod scenes;
#[path = "worlds/stacked.rs"]
mod stacked;
#[path = "worlds/still.rs"]
mod still;

use chasles_dynamics::Options;

/// How the worlds of these tests move.
fn options() -> Options {
    Options::events()
}
