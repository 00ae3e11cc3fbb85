//! Why a question has no answer, and what else could be asked.

use std::fmt;

use thiserror::Error;

use super::{Kind, Method};
use crate::mesh::MeshError;
use crate::motion::MotionError;
use crate::path::{PathError, SamplesError};
use crate::screen::ScreenError;
use crate::solid::SolidError;
use crate::trace::WorldError;

/// What is asked of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// [`contacts`](super::contacts) and [`first_contact`](super::first_contact).
    Contacts,
    /// [`distance`](super::distance()).
    Distance,
    /// [`clearance`](super::clearance()).
    Clearance,
    /// [`penetration`](super::penetration()).
    Penetration,
    /// [`near`](super::near).
    Near,
    /// [`cast`](super::cast).
    Cast,
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Contacts => "contacts",
            Self::Distance => "the distance",
            Self::Clearance => "the clearance",
            Self::Penetration => "a penetration",
            Self::Near => "near places",
            Self::Cast => "casts",
        })
    }
}

/// Which of the two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::A { "A" } else { "B" })
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// No method answers this for these bodies.
    #[error("{} {question} of a {} and a {}; {alternatives}", who(*method), bodies[0], bodies[1])]
    NoMethod {
        /// What was asked.
        question: Question,
        /// What the bodies are.
        bodies: [Kind; 2],
        /// The method that was asked for, if one was.
        method: Option<Method>,
        /// What can be done instead.
        alternatives: &'static str,
    },
    /// The screen cannot answer.
    #[error("{0}")]
    Screen(#[from] ScreenError),
    /// The path method cannot answer.
    #[error("{0}")]
    Path(#[from] PathError),
    /// The surface of a body cannot be sampled.
    #[error("body {body} cannot be sampled: {error}")]
    Samples {
        /// Whose.
        body: Side,
        /// Why not.
        error: SamplesError,
    },
    /// A mesh or a round body that is no solid.
    #[error("body {body} is no solid: {error}")]
    Solid {
        /// Which.
        body: Side,
        /// Why not.
        error: SolidError,
    },
    /// A mesh that cannot stand still in a cast.
    #[error("nothing can be cast against body A: {0}")]
    Fixture(WorldError),
    /// A mesh that cannot be cast.
    #[error("body B cannot be cast: {0}")]
    Moving(MeshError),
    /// A motion that cannot be followed, or not as closely as asked for.
    #[error("{0}")]
    Motion(#[from] MotionError),
    /// A clearance is asked for to a width that is negative or not a number.
    #[error("the width of a clearance is {0}: it must be 0 or more")]
    Width(f64),
}

/// Who does not answer.
fn who(method: Option<Method>) -> String {
    method.map_or("no method gives".into(), |method| format!("{method} does not give"))
}

impl QueryError {
    /// No method answers a question about these bodies, which has no methods to choose from.
    pub(super) fn no_method(question: Question, bodies: [Kind; 2]) -> Self {
        let has_ellipsoid = bodies.contains(&Kind::Ellipsoid);
        let alternatives = match (question, bodies.contains(&Kind::Solid)) {
            (_, false) if has_ellipsoid => {
                "Geometry::mesh takes what Round::polygons makes of an ellipsoid, and overlaps and \
                 first_contact take bodies of any kind"
            }
            (Question::Cast, true) => {
                "casts take meshes: solid::surface makes one of a solid, and first_contact takes \
                 bodies of any kind"
            }
            (Question::Cast, false) => {
                "casts take meshes: Geometry::shape makes one of a sphere, a capsule, a cylinder \
                 or a cone, and first_contact takes bodies of any kind"
            }
            (Question::Penetration, false) => {
                "it takes meshes: Geometry::shape makes one of a sphere, a capsule, a cylinder or \
                 a cone, and overlaps takes bodies of any kind"
            }
            (_, true) => {
                "solid::surface makes a mesh of a solid, and overlaps and first_contact take \
                 bodies of any kind"
            }
            (_, false) => {
                "Geometry::shape makes a mesh of Shape::Cylinder or Shape::Cone, and overlaps and \
                 first_contact take bodies of any kind"
            }
        };
        Self::NoMethod { question, bodies, method: None, alternatives }
    }
}
