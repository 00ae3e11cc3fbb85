//! What can be wrong with a scene for `chasles simulate`.

use chasles_dynamics::body::BodyError;
use chasles_dynamics::spring::net::NetError;
use chasles_dynamics::spring::sheet::SheetError;
use chasles_dynamics::world::{RouteError, WorldError};
use thiserror::Error;

use super::joint::JointProblem;

/// What a simulation does not take, or takes alone.
#[derive(Debug, Error)]
pub enum SimulateProblem {
    /// A key of simulations in a scene for another command.
    #[error("the body {body:?} has `{key}`, which belongs to a scene for `chasles simulate`")]
    OfSimulate {
        /// Its name.
        body: String,
        /// The key.
        key: &'static str,
    },
    /// A key of another command in a scene for simulations.
    #[error("the body {body:?} has `{key}`, which `chasles simulate` does not take")]
    NotOfSimulate {
        /// Its name.
        body: String,
        /// The key.
        key: &'static str,
    },
    /// A sheet in a scene for another command.
    #[error("sheets belong to a scene for `chasles simulate`")]
    SheetElsewhere,
    /// A sheet that cannot be.
    #[error("the sheet {name:?} cannot be: {reason}")]
    Sheet {
        /// Its name.
        name: String,
        /// Why not.
        reason: SheetProblem,
    },
    /// A body and a sheet that begin in each other.
    #[error("the body {:?} and the sheet {:?} touch at the start", .0[0], .0[1])]
    Touch([String; 2]),
    /// A sheet in a body.
    #[error("the sheet {:?} is inside the body {:?} at the start", .0[1], .0[0])]
    Inside([String; 2]),
    /// Two sheets that begin in each other.
    #[error("the sheets {:?} and {:?} touch at the start", .0[0], .0[1])]
    SheetsTouch([String; 2]),
    /// Nothing moves by forces.
    #[error("no body of the scene is dynamic or yielding, so there is nothing to simulate")]
    NothingDynamic,
    /// A key that this kind of body does not have.
    #[error("the body {body:?} is {kind} and has `{key}`")]
    NotOfKind {
        /// Its name.
        body: String,
        /// What moves it.
        kind: &'static str,
        /// The key.
        key: &'static str,
    },
    /// A body on its own way that has none.
    #[error("the body {body:?} is {kind}, but has neither `twist` nor `keyframes`")]
    NoRoute {
        /// Its name.
        body: String,
        /// What moves it.
        kind: &'static str,
    },
    /// Two keys of which one is enough.
    #[error("the body {body:?} has both `{}` and `{}`", keys[0], keys[1])]
    Both {
        /// Its name.
        body: String,
        /// The keys.
        keys: [&'static str; 2],
    },
    /// A key that needs another.
    #[error("the body {body:?} has `{key}`, but not `{needs}`")]
    Alone {
        /// Its name.
        body: String,
        /// The key.
        key: &'static str,
        /// What it needs.
        needs: &'static str,
    },
    /// A number that must be above zero.
    #[error("`{key}` is {}, which is not above 0", short(*number))]
    NotAbove {
        /// The key.
        key: &'static str,
        /// Its value.
        number: f64,
    },
    /// A number that must not be below zero.
    #[error("`{key}` is {}, which is below 0", short(*number))]
    Below {
        /// The key.
        key: &'static str,
        /// Its value.
        number: f64,
    },
    /// A number that is out of its range.
    #[error("`{key}` is {number}, which is not from {low} to {high}")]
    OutOfRange {
        /// The key.
        key: &'static str,
        /// Its value.
        number: f64,
        /// The least.
        low: f64,
        /// The largest.
        high: f64,
    },
    /// Mass, inertia or material that no body has.
    #[error("the body {body:?} cannot be: {error}")]
    Body {
        /// Its name.
        body: String,
        /// What is wrong.
        error: BodyError,
    },
    /// A body without volume and without inertia.
    #[error("the body {0:?} is not closed, so it encloses no volume and has no mass of its own")]
    NoVolume(String),
    /// A solid that is neither a sphere nor a capsule.
    #[error("the solid of {body:?} is no body of a simulation: {source}")]
    NotRound {
        /// Its name.
        body: String,
        /// Why.
        source: chasles_dynamics::world::RoundShapeError,
    },
    /// A solid that is not round at all.
    #[error("the solid of {0:?} is neither a sphere nor a capsule")]
    NotRoundAtAll(String),
    /// Keyframes that do not follow each other.
    #[error("keyframe {index} is at {time} s, which is not after the one before it")]
    Order {
        /// Counted from 0.
        index: usize,
        /// In seconds.
        time: f64,
    },
    /// No keyframes at all.
    #[error("the body {0:?} has no keyframes")]
    NoKeyframes(String),
    /// A grid without one of its numbers.
    #[error("the copies of {0:?} have neither `count` and `spacing` nor `at`")]
    NoPlaces(String),
    /// A grid and a list of places.
    #[error("the copies of {body:?} have both `at` and `{key}`")]
    TwoPlaces {
        /// The name of the body.
        body: String,
        /// The key of the grid.
        key: &'static str,
    },
    /// No copies, or too many.
    #[error("{count} copies of {body:?} cannot be made")]
    Copies {
        /// The name of the body.
        body: String,
        /// How many.
        count: u64,
    },
    /// More steps than a simulation takes.
    #[error(
        "{} s in steps of {} s are {} steps, more than a simulation takes",
        short(*seconds),
        short(*dt),
        short(*steps)
    )]
    TooManySteps {
        /// How long.
        seconds: f64,
        /// The length of a step.
        dt: f64,
        /// How many.
        steps: f64,
    },
    /// Two bodies in each other.
    #[error("the bodies {:?} and {:?} overlap at the start", .0[0], .0[1])]
    Overlap([String; 2]),
    /// A joint that cannot be.
    #[error("{0}")]
    Joint(JointProblem),
    /// What the world does not take.
    #[error("{0}")]
    World(WorldError),
    /// A way that is none.
    #[error("{0}")]
    Route(RouteError),
    /// A twist that turns a body too often.
    #[error("the twist turns the body by {0:.0} quarter-turns")]
    Turns(f64),
}

/// Why a sheet cannot be.
#[derive(Debug, Error)]
pub enum SheetProblem {
    /// A side that is not above 0.
    #[error("its size is {} by {}, which is no area", .0[0], .0[1])]
    Size([f64; 2]),
    /// More vertices than can be followed.
    #[error("it would have {vertices} vertices, more than {most}")]
    Vertices {
        /// How many it would have.
        vertices: u64,
        /// How many it may have.
        most: u64,
    },
    /// A pin that is on no vertex.
    #[error("the pin {pin:?} is beyond its last vertex, {last:?}")]
    Pin {
        /// The vertex, counted along x and z.
        pin: [u32; 2],
        /// The last one.
        last: [u32; 2],
    },
    /// Its springs.
    #[error("{0}")]
    Net(#[from] NetError),
    /// Its surface.
    #[error("{0}")]
    Sheet(#[from] SheetError),
}

/// The most characters of a number with an exponent.
const SHORT: usize = 9;

/// A number in few digits: with an exponent where it would have many zeros.
fn short(number: f64) -> String {
    let is_plain = number == 0.0 || (1e-4..1e15).contains(&number.abs());
    let exact = if is_plain { number.to_string() } else { format!("{number:e}") };
    if is_plain || exact.len() <= SHORT { exact } else { format!("{number:.1e}") }
}

impl SimulateProblem {
    /// What would be right.
    pub(crate) fn help(&self) -> &'static str {
        match self {
            Self::OfSimulate { .. } => {
                "run `chasles simulate` on this scene; or leave it out, and let the body move by \
                 `end` or `twist` (`density`, `mass`, `inertia`, `centre`, `restitution`, \
                 `friction` and `[world]` may stay)"
            }
            Self::NotOfSimulate { .. } => {
                "leave it out: bodies of a simulation are a `mesh`, a `shape` or a round `solid`, \
                 begin at `start`, and move by `velocity` and `angular_velocity`, or as kinematic \
                 bodies by `twist` or `keyframes`"
            }
            Self::SheetElsewhere => "run `chasles simulate` on this scene, or leave the sheets out",
            Self::Sheet { .. } => {
                "a sheet is `size = [x, z]` of `cells = [x, z]`, with a `thickness` less than a \
                 cell; `chasles docs scenes` explains every key"
            }
            Self::Inside(_) => "move the sheet out of the body",
            Self::Touch(_) | Self::SheetsTouch(_) => {
                "move them apart by more than half the thickness of the sheet"
            }
            Self::NothingDynamic => {
                "let a body be `kind = \"dynamic\"`, which is the default; or run `chasles \
                 collide` or `chasles trace`, which need no masses"
            }
            Self::NotOfKind { .. } => {
                "leave it out, or choose another `kind`: mass and inertia are of dynamic and \
                 yielding bodies, and so are `force`, `torque` and `lock`; `velocity` and \
                 `angular_velocity` are of dynamic ones, `twist`, `keyframes` and `until` of \
                 kinematic and yielding ones"
            }
            Self::NoRoute { .. } => {
                "add `twist = { linear = [x, y, z], angular = [x, y, z] }` per second, or \
                 `keyframes = [{ time = seconds, position = [x, y, z] }, ...]`; a body that does \
                 not move is `kind = \"static\"`"
            }
            Self::Both { .. } => "keep one of the two",
            Self::Alone { .. } => {
                "add it, or leave both out: `density` gives a closed body all three"
            }
            Self::NotAbove { .. } => "write a number above 0",
            Self::Below { .. } => "write 0 or a number above it",
            Self::OutOfRange { .. } => "write a number in that range",
            Self::Body { error, .. } => match error {
                BodyError::Mass(_) => "write a mass or a density above 0",
                BodyError::Inertia(..) => {
                    "write moments `inertia = [x, y, z]` about the centre of mass, each above 0 \
                     and at most the sum of the other two; or leave `inertia` out"
                }
                BodyError::NoVolume => {
                    "close the mesh, or give `mass` and `inertia`, or a `thickness`"
                }
                BodyError::Restitution(_) => "write a number from 0, no bounce, to 1, nothing lost",
                BodyError::Friction(_) => "write a number from 0 on; wood on wood has about 0.5",
            },
            Self::NoVolume(_) => {
                "close the mesh (`chasles inspect` shows where), or give `thickness`, \
                 `closed = true`, or `mass` and `inertia`; or let it be `kind = \"static\"`"
            }
            Self::NotRound { .. } | Self::NotRoundAtAll(_) => {
                "bodies of a simulation are a `mesh`, a `shape`, or a `solid` that is a `sphere` or \
                 a `capsule`, scaled and placed as you like"
            }
            Self::Order { .. } => "write keyframes in the order of their times",
            Self::NoKeyframes(_) => {
                "write `keyframes = [{ time = seconds, position = [x, y, z] }, ...]`"
            }
            Self::NoPlaces(_) => {
                "write `copies = { count = [4, 1, 3], spacing = [x, y, z] }`, or \
                 `copies = { at = [[x, y, z], ...] }`"
            }
            Self::TwoPlaces { .. } => "keep the grid or the list of places",
            Self::Copies { .. } => "write numbers from 1 on, and at most 100,000 copies",
            Self::TooManySteps { .. } => "simulate a shorter time, or take longer steps",
            Self::Overlap(_) => {
                "move them apart by a little more than nothing: bodies that rest on each other \
                 begin with a gap of about a thousandth of their size"
            }
            Self::Joint(problem) => problem.help(),
            Self::World(_) | Self::Route(_) | Self::Turns(_) => "use smaller numbers",
        }
    }
}
