//! What the speed measurements share: the queries, the peers, the stopwatch and the tables.
//!
//! ```text
//! cases, scenes -> Case -> Query (chasles), Cast (parry) -> stopwatch -> table
//! scene files -> World (chasles), Peer (rapier) -> simulation -> table
//! ```
//!
//! The binaries `peers` and `growth` and the benches stand on these modules. `docs/benchmarks.md`
//! says how to run them and what is fair in the comparison.

pub mod adversary;
pub mod cases;
pub mod dial;
pub mod grips;
pub mod growth;
pub mod heaps;
pub mod level;
pub mod lines;
pub mod mujoco;
pub mod parry;
pub mod query;
pub mod rapier;
pub mod rigid_ipc;
pub mod scenes;
pub mod screen_growth;
pub mod simulation;
pub mod stopwatch;
pub mod table;

pub use cases::{Body, Case};
pub use query::{InTurn, Mode, Pair, Poses, Query};
