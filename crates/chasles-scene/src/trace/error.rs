//! What can be wrong with a scene for `chasles trace`.

use thiserror::Error;

/// What a trace does not take, or takes alone.
#[derive(Debug, Error)]
pub enum TraceProblem {
    /// A key of traces in a scene for `collide`.
    #[error("the body {body:?} has `{key}`, which belongs to a scene for `chasles trace`")]
    NotOfCollide {
        /// Its name.
        body: String,
        /// The key.
        key: &'static str,
    },
    /// A key of `collide` in a scene for traces.
    #[error("the body {body:?} has `{key}`, which belongs to a scene for `chasles collide`")]
    NotOfTrace {
        /// Its name.
        body: String,
        /// The key.
        key: &'static str,
    },
    /// A body that deforms.
    #[error("the body {0:?} has `frames`, and bodies that deform cannot be traced")]
    Deforms(String),
    /// Nothing moves.
    #[error("no body of the scene has `moving = true`, so there is nothing to trace")]
    NothingMoves,
    /// Nothing stands still.
    #[error("every body of the scene has `moving = true`, so there is no world")]
    NoWorld,
    /// A moving body without a motion.
    #[error("the body {0:?} has `moving = true`, but neither `translate` nor `rotate` nor `walk`")]
    NoMotion(String),
    /// A motion of a body of the world.
    #[error("the body {body:?} has `{key}`, but not `moving = true`")]
    NotMoving {
        /// Its name.
        body: String,
        /// The key.
        key: &'static str,
    },
    /// A tag of a moving body.
    #[error("the body {0:?} has both `moving = true` and `tag`")]
    MovingTag(String),
    /// Portions of a motion that needs none.
    #[error("the body {0:?} has `portions`, but not both `translate` and `rotate`")]
    Undivided(String),
    /// Too few or too many portions.
    #[error("the motion cannot be cut into {0} portions")]
    Portions(u32),
    /// A walk and another motion.
    #[error("the body {body:?} has both `walk` and `{key}`")]
    WalksAnd {
        /// Its name.
        body: String,
        /// The other key.
        key: &'static str,
    },
    /// A walk to nowhere.
    #[error("the walk has no legs")]
    NoLegs,
    /// No moves, or too many.
    #[error("a leg of {0} moves cannot be walked")]
    Moves(u32),
    /// A leg that leads up or down.
    #[error("the leg leads along `up` by {0}, but legs are level")]
    NotLevel(f64),
    /// An angle that no slope has.
    #[error("the steepest slope cannot be {0} degrees")]
    Slope(f64),
    /// A number below 0.
    #[error("`{key}` is {number}, which is negative")]
    Negative {
        /// The key.
        key: &'static str,
        /// Its value.
        number: f64,
    },
    /// A body that nothing can rest on.
    #[error("the body {body:?} cannot be part of the world: {reason}")]
    Unworldly {
        /// Its name.
        body: String,
        /// What is wrong with its mesh.
        reason: String,
    },
    /// A body that cannot be traced.
    #[error("the body {body:?} cannot be traced: {reason}")]
    Untraceable {
        /// Its name.
        body: String,
        /// What is wrong with its mesh.
        reason: String,
    },
}

impl TraceProblem {
    /// What would be right.
    pub(crate) fn help(&self) -> &'static str {
        match self {
            Self::NotOfCollide { .. } => {
                "run `chasles trace` on this scene; or leave out `moving`, `translate`, `rotate`, \
                 `portions`, `walk` and `tag`, and let bodies move by `end` or `twist`"
            }
            Self::NotOfTrace { key: "solid" | "sdf" | "expression" | "bounds", .. } => {
                "give the body a `mesh` or a `shape`; `chasles collide --method path` takes \
                 solids, fields and formulas"
            }
            Self::NotOfTrace { .. } => {
                "leave it out: in a trace the body with `moving = true` goes from `start` by \
                 `translate` and `rotate` or by `walk`, and all others stay at `start`"
            }
            Self::Deforms(_) => {
                "give it a `mesh` or a `shape`; `chasles collide` finds contacts of bodies with \
                 frames"
            }
            Self::NothingMoves => {
                "give one body `moving = true` and `translate = [x, y, z]` or \
                 `rotate = { origin = [x, y, z], axis = [x, y, z], degrees = angle }`; or run \
                 `chasles collide`, for which bodies move by `end` or `twist`"
            }
            Self::NoWorld => "add a body without `moving`: a floor, or a wall",
            Self::NoMotion(_) => {
                "add `translate = [x, y, z]`, or `rotate = { origin = [x, y, z], axis = [x, y, z], \
                 degrees = angle }`, or both; or `walk = { step = height, gravity = length, legs = \
                 [{ translate = [x, y, z], moves = number }] }`"
            }
            Self::NotMoving { .. } => {
                "add `moving = true`, or leave it out: bodies of the world do not move"
            }
            Self::MovingTag(_) => "leave `tag` out: only bodies of the world have one",
            Self::Undivided(_) => {
                "leave `portions` out: a translation or a rotation alone is traced as a whole"
            }
            Self::Portions(_) => "write a whole number from 1 to 65536; 16 is the default",
            Self::WalksAnd { .. } => {
                "keep one of the two: a walk has `translate` in its `legs`, and does not turn"
            }
            Self::NoLegs => "write `legs = [{ translate = [x, y, z], moves = number }]`",
            Self::Moves(_) => {
                "write a whole number from 1 on; the legs of a walk have at most 65536 moves \
                 together"
            }
            Self::NotLevel(_) => {
                "make it level: `jump` leads up, `gravity` down, and steps and slopes are climbed \
                 by themselves; or say with `up` which direction is up, by default `[0, 1, 0]`"
            }
            Self::Slope(_) => "write an angle from 0 to 90; 45 is the default",
            Self::Negative { .. } => "write a number from 0 on",
            Self::Unworldly { .. } => "mend the mesh where the message says",
            Self::Untraceable { .. } => "mend the mesh where the message says",
        }
    }
}
