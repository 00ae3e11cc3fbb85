//! Bodies that move, collide and rest, in the way that worlds are stepped unless told otherwise.
//! The target `by_events` has the same for worlds that are stepped by events.

mod again;
mod apart;
mod asked;
mod carried;
mod chained;
mod cloth;
mod codimensional;
mod cushioned;
mod damped;
mod drifting;
mod events;
mod filters;
mod guided;
mod handles;
mod isolated;
mod joined;
mod laws;
mod linked;
mod neighbours;
mod pressed;
mod queried;
mod rolling;
mod routes;
mod scenes;
mod sensors;
mod sketched;
mod soft;
mod springy;
mod stacked;
mod still;
mod strained;

use chasles_dynamics::Options;

/// How the worlds of these tests move.
fn options() -> Options {
    Options::default()
}
