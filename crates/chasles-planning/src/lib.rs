//! Robots among obstacles: which configurations and motions of joints are free, proven.
//!
//! ```text
//! URDF, SRDF -> Robot -> Scene with obstacles -> distance(q), edge(q0, q1), clearance(path)
//! ```
//!
//! [`Robot`] is what a URDF file says; [`Scene`] puts it among obstacles and says which pairs of
//! bodies are checked; [`Scene::edge`] answers for the straight line between two configurations.
//!
//! **Joints do not move links along screws**, and samples miss thin things. So an edge is certified
//! on the true motion of the joints: exact distances at some configurations, and between them a
//! bound of how far any point can get. `docs/planning.md` derives it, and says where it fails.
//!
//! | question | answered by |
//! |---|---|
//! | is this configuration free? | [`Scene::is_free`] |
//! | how far is it from contact, where, and how does that change with the joints? | [`Scene::distance`], [`Scene::near`] |
//! | is this edge free, and how far along? | [`Scene::edge`], many at once: [`Scene::edges`] |
//! | how near does a whole path come? | [`Scene::clearance`] |
//!
//! Examples, each under 80 lines:
//!
//! | | |
//! |---|---|
//! | `examples/shortcut.rs` | a path made shorter by certified edges |
//! | `examples/rrt_connect.rs` | a path found by two trees of certified edges |

mod bound;
mod edge;
mod error;
mod frame;
mod moment;
mod near;
mod packages;
mod part;
mod plane;
mod robot;
mod scene;
mod screw;
mod search;
mod shape;
mod srdf;
mod urdf;
mod xml;

pub use edge::{Clearance, Doubt, Edge, Hit, Options, Verdict};
pub use error::{EdgesError, RobotError, SceneError};
pub use near::Near;
pub use packages::Packages;
pub use robot::{Group, Joint, JointKind, Link, Robot, State, Variable};
pub use scene::Scene;
