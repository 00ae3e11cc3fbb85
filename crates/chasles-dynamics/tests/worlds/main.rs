//! Bodies that move, collide and rest.

mod again;
mod apart;
mod laws;
mod linked;
mod scenes;
