//! Bodies that move, collide and rest.

mod again;
mod apart;
mod asked;
mod chained;
mod cloth;
mod cushioned;
mod damped;
mod drifting;
mod events;
mod filters;
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
mod stacked;
mod still;
