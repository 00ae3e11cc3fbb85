//! The program `chasles`; everything it does is in the library of the same crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    chasles_cli::run(std::env::args_os())
}
