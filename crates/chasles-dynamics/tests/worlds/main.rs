//! Bodies that move, collide and rest.

mod apart;
mod laws;
mod linked;
mod scenes;
