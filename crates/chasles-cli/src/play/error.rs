//! Why there is no playground.

use miette::Diagnostic;
use thiserror::Error;

/// Why there is no playground.
#[derive(Debug, Error, Diagnostic)]
pub enum PlayError {
    /// It is not part of this program.
    #[error("this program was built without the playground")]
    #[diagnostic(help(
        "take a released program, or in a checkout make the page and then the program: \
         rustup target add wasm32-unknown-unknown; \
         cargo run --release --manifest-path web/build/Cargo.toml; \
         cargo build --release -p chasles-cli --features play"
    ))]
    Without,
    /// A scene from standard input, of which the page cannot have a copy.
    #[error("a scene from standard input cannot be played")]
    #[diagnostic(help("write it to a file, and name that"))]
    StandardInput,
    /// No server can be started.
    #[cfg(feature = "play")]
    #[error("nothing can be served at port {port}: {error}")]
    #[diagnostic(help("leave out --port for a free one, or write a file with --page FILE.html"))]
    Port {
        /// The port that was asked for.
        port: u16,
        /// What the system says.
        error: std::io::Error,
    },
}
