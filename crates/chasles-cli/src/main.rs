//! The program `chasles`.

fn main() {}
