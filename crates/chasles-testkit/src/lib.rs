//! Generators, slow oracles and labelled-data readers for the tests of chasles.
//!
//! ```text
//! generate, lattice, labelled -> Query -> oracle -> Event \
//!                                  |                       judge -> verdict
//!                                  +----> chasles -> Contact /
//!                                                       |
//!                                                       +-> sound -> what is wrong in itself
//! ```
//!
//! Nothing here uses the numerics of the library under test: the oracle evaluates the motion as a
//! power series in twice the precision of `f64`, and the parity check knows only poses.

pub mod cone;
pub mod convex;
pub mod dd;
pub mod distance;
pub mod ellipsoid;
pub mod generate;
pub mod geometry;
pub mod judge;
pub mod labelled;
pub mod lattice;
pub mod linear;
pub mod motion;
pub mod near;
pub mod oracle;
pub mod parity;
pub mod query;
pub mod roots;
pub mod round;
pub mod screen;
pub mod shapes;
pub mod solid;
pub mod sound;
pub mod surface;
pub mod trace;

pub use judge::{Event, Verdict, judge};
pub use oracle::{oracle, oracle_of_step};
pub use query::{Query, step_along};
