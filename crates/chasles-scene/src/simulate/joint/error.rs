//! What can be wrong with a joint of a scene.

use thiserror::Error;

/// A joint that cannot be.
#[derive(Debug, Error)]
pub enum JointProblem {
    /// A joint in a scene for another command.
    #[error("joints belong to a scene for `chasles simulate`")]
    OfSimulate,
    /// Neither one nor two bodies.
    #[error("a joint holds one body or two, not {0}")]
    Count(usize),
    /// A name that no body has, and a question about the one that was meant.
    #[error("no body has the name {0:?}{1}")]
    Unknown(String, String),
    /// Both ends on one body.
    #[error("a joint of {0:?} with itself joins nothing")]
    Itself(String),
    /// Copies that do not match.
    #[error("a joint of {} copies with {} cannot pair them", .0[0], .0[1])]
    CopyCounts([usize; 2]),
    /// Nothing that the joint could hold.
    #[error("a joint needs a dynamic body, and {0} not")]
    NothingDynamic(String),
    /// A joint without the axis that it needs.
    #[error("a joint of kind \"{0}\" needs an `axis`")]
    NoAxis(&'static str),
    /// A cone without its axis.
    #[error("`swing_degrees` needs an `axis`, which swings")]
    SwingOfNothing,
    /// A key that this kind of joint does not have.
    #[error("a joint of kind \"{kind}\" has no `{key}`")]
    NotOfKind {
        /// Its kind.
        kind: &'static str,
        /// The key.
        key: &'static str,
    },
    /// Limits in the wrong order.
    #[error("`{key}` is from {low} to {high}, which is empty")]
    Empty {
        /// The key.
        key: &'static str,
        /// The lower limit.
        low: f64,
        /// The upper limit.
        high: f64,
    },
    /// Limits that the start is not in.
    #[error("`{key}` is from {low} to {high}, but the joint begins at 0")]
    Outside {
        /// The key.
        key: &'static str,
        /// The lower limit.
        low: f64,
        /// The upper limit.
        high: f64,
    },
    /// A cone that is none.
    #[error("`swing_degrees` is {0}, which is not above 0 and at most 180")]
    Swing(f64),
    /// A motor that pulls the wrong way.
    #[error("the `{key}` of a motor is {number}, which is below 0")]
    Below {
        /// The key.
        key: &'static str,
        /// Its value.
        number: f64,
    },
    /// One body that shall collide with the world.
    #[error("a joint with the world has `collide`, but the world is nothing to collide with")]
    CollideAlone,
    /// What the library says.
    #[error("{0}")]
    Other(String),
}

impl JointProblem {
    /// What would be right.
    pub(crate) fn help(&self) -> &'static str {
        match self {
            Self::OfSimulate => "run `chasles simulate` on this scene, or leave the joints out",
            Self::Count(_) => {
                "write `bodies = [\"first\", \"second\"]`, or `bodies = [\"name\"]` for a body \
                 that the world holds"
            }
            Self::Unknown(..) => {
                "write the `name` of a body; without one it is \"body-0\", \"body-1\", ... by \
                 position, and copies have \"-0\", \"-1\", ... behind their names"
            }
            Self::Itself(_) => "name two bodies, or only one that the world shall hold",
            Self::CopyCounts(_) => {
                "give both bodies the same number of `copies`, or name one copy, such as \"link-0\""
            }
            Self::NothingDynamic(_) => {
                "let one of the bodies be `kind = \"dynamic\"`, which is the default, or leave the \
                 joint out"
            }
            Self::NoAxis(_) | Self::SwingOfNothing => {
                "add `axis = [x, y, z]`, in the world frame at the start"
            }
            Self::NotOfKind { .. } => {
                "leave it out, or choose another `kind`: `degrees` and `turn_motor` are of hinges \
                 and pistons, `travel` and `slide_motor` of lines, pistons and rails, \
                 `swing_degrees` of joints whose axis is not held, `axis` of all but welds"
            }
            Self::Empty { .. } => "write the lower limit first",
            Self::Outside { .. } => {
                "limits count from where the bodies are at the start: write a lower limit of at \
                 most 0 and an upper one of at least 0"
            }
            Self::Swing(_) => "write an angle in degrees, such as 45",
            Self::Below { .. } => "write 0 or more; the sign of `speed` says which way",
            Self::CollideAlone => "leave it out",
            Self::Other(_) => "use smaller numbers",
        }
    }
}
