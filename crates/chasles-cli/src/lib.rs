//! The parts of the program `chasles` that other programs can use.

pub mod picture;
