//! Bodies that move, collide and rest.

mod again;
mod apart;
mod asked;
mod chained;
mod cloth;
mod codimensional;
mod cushioned;
mod drifting;
mod guided;
mod isolated;
mod joined;
mod laws;
mod linked;
mod neighbours;
mod pressed;
mod rolling;
mod routes;
mod scenes;
mod stacked;
mod still;
