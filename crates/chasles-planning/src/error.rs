//! What is wrong with a robot's files, and with what is asked of a scene.

use std::path::PathBuf;

use chasles::query::QueryError;
use thiserror::Error;

/// Why files give no robot.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RobotError {
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The text is not what it should be.
    #[error("{}:{line}:{column}: {what}", path.display())]
    Text {
        /// The file, or the name that the caller gave to the text.
        path: PathBuf,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
        /// What is wrong, and what would be right.
        what: String,
    },
}

/// Why many edges have no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EdgesError {
    /// They were cancelled.
    #[error("the edges were cancelled")]
    Cancelled,
    /// An edge has no answer.
    #[error("edge {index}: {error}")]
    Edge {
        /// The first such edge, from 0.
        index: usize,
        /// Why.
        error: SceneError,
    },
}

/// Why a scene does not take a body, or does not answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SceneError {
    /// A body of this name is there already.
    #[error("there is a body named {0:?} already: names of links and obstacles differ")]
    Taken(String),
    /// No body has this name.
    #[error("no link and no obstacle is named {name:?}; there are {known}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// Those that there are, the first few.
        known: String,
    },
    /// A name that only a link may have.
    #[error("{0:?} is an obstacle: bodies are attached to links only")]
    NotALink(String),
    /// No joint that is set has this name.
    #[error("no joint that moves by itself is named {name:?}; there are {known}")]
    UnknownJoint {
        /// The name asked for.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// A body of a kind whose distance is not exact.
    #[error("{name:?} is {kind}: planning takes meshes, spheres, capsules, cylinders and cones")]
    Kind {
        /// Its name.
        name: String,
        /// What it is.
        kind: String,
    },
    /// A body without points, or without end.
    #[error("{0:?} has no finite extent")]
    Extent(String),
    /// A body so far away that rounding would exceed what robots are.
    #[error("{name:?} reaches {reach:e} from the origin: at most {farthest:e} is taken")]
    Far {
        /// Its name.
        name: String,
        /// How far it reaches, or may reach.
        reach: f64,
        /// How far it may.
        farthest: f64,
    },
    /// A configuration with too few or too many numbers.
    #[error("the configuration has {found} values; the robot takes {wanted}: {names}")]
    Length {
        /// How many there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
        /// The joints, in order.
        names: String,
    },
    /// A value that is not finite, or turns by more than 1e6.
    #[error("the value of joint {joint:?} is {value}: it must be finite and at most 1e6")]
    Value {
        /// The joint.
        joint: String,
        /// Its value.
        value: f64,
    },
    /// A length that is negative or not a number.
    #[error("the {what} is {value}: it must be finite and at least 0")]
    Negative {
        /// Which length.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A path without an edge.
    #[error("a path needs two configurations at least, and has {0}")]
    ShortPath(usize),
    /// A question of geometry has no answer.
    #[error(transparent)]
    Query(#[from] QueryError),
}
