//! What can be wrong with a scene, and how it is told.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use chasles::deform::SurfaceError;
use chasles::mesh::MeshError;
use chasles::mesh::files::FileError;
use chasles::mesh::shapes::ShapeError;
use chasles::motion::MotionError;
use thiserror::Error;

use crate::library;
use crate::meshes;
use crate::simulate::SimulateProblem;
use crate::solid::SolidProblem;
use crate::text;
use crate::trace::TraceProblem;
use crate::words;

/// Why a scene file cannot be used.
///
/// Written out, it names the file and the place in it. [`SceneError::help`] says what would be
/// right.
///
/// ```
/// use std::path::Path;
/// use chasles_scene::Scene;
/// let text = "[[body]]\nshpe = { box = {} }\n";
/// let error = Scene::from_text(text, "a.toml", Path::new("")).unwrap_err();
/// assert!(error.to_string().starts_with("a.toml:2:1: unknown key `shpe`"));
/// assert!(error.help().starts_with("did you mean `shape`?"));
/// ```
#[derive(Debug, Error)]
pub enum SceneError {
    /// The file cannot be read.
    #[error("cannot read the scene {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is not text.
    #[error("the scene {} is not UTF-8 text: line {line} has other bytes", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The first line with such bytes, from 1.
        line: usize,
    },
    /// Something in the file is wrong.
    #[error("{0}")]
    Wrong(Box<Wrong>),
}

/// Something in a scene file that is wrong.
#[derive(Debug, Error)]
#[error("{}:{}: {problem}", path.display(), place(text, span.start))]
pub struct Wrong {
    /// What is wrong.
    pub problem: Problem,
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Which bytes of the text it is about; none of them where it is about the whole.
    pub span: Range<usize>,
}

/// The line and the column of a byte of a text, both from 1; columns count characters.
fn place(text: &str, byte: usize) -> String {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    format!("{}:{}", 1 + before.matches('\n').count(), 1 + line.chars().count())
}

impl SceneError {
    /// A file that cannot be read.
    pub fn read(path: &Path, error: io::Error) -> Self {
        Self::Read { path: path.to_path_buf(), error }
    }

    /// A problem in the lines of a file.
    pub(crate) fn wrong(fault: Fault, path: &Path, text: &str) -> Self {
        let place = match &fault.problem {
            Problem::Solid(problem) => problem.place(text, &fault.span),
            _ => None,
        };
        let (path, text) = (path.to_path_buf(), text.to_string());
        let span = place.unwrap_or(fault.span);
        Self::Wrong(Box::new(Wrong { problem: fault.problem, path, text, span }))
    }

    /// What would be right.
    pub fn help(&self) -> String {
        match self {
            Self::Read { path, error } => unread(path, error),
            Self::NotText { .. } => "save the scene as UTF-8".to_string(),
            Self::Wrong(wrong) => match wrong.problem {
                Problem::NoBodies if text::is_json(&wrong.text) => NO_BODIES_IN_JSON.to_string(),
                _ => wrong.problem.help(),
            },
        }
    }
}

/// What would be right instead of a file that cannot be read. It may be a built-in scene, misspelt.
fn unread(path: &Path, error: &io::Error) -> String {
    let nearest = library::nearest(&path.to_string_lossy());
    match nearest.filter(|_| error.kind() == io::ErrorKind::NotFound) {
        Some(scene) => {
            format!("did you mean the built-in scene {scene}? `chasles scenes` lists all")
        }
        None => "name a scene file in TOML, or a scene of `chasles scenes`; `chasles docs scenes` \
                 shows how to write one"
            .to_string(),
    }
}

/// What an empty scene lacks that is JSON.
const NO_BODIES_IN_JSON: &str = "add an object for each body:\n\n\
    { \"body\": [ { \"shape\": { \"box\": { \"size\": [1, 1, 1] } } } ] }";

/// A problem and the bytes of the file it is about.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) problem: Problem,
    pub(crate) span: Range<usize>,
}

impl Fault {
    pub(crate) fn new(problem: impl Into<Problem>, span: Range<usize>) -> Self {
        Self { problem: problem.into(), span }
    }
}

/// What is wrong at one place of a scene file.
#[derive(Debug, Error)]
pub enum Problem {
    /// A whole number beyond those of 64 bits.
    #[error("`{key}` is {number}, which is too long for a whole number")]
    LongInteger {
        /// The key, with the positions in arrays.
        key: String,
        /// The number as the file has it.
        number: String,
    },
    /// More turns from one pose to the next than a step may have.
    #[error(
        "{place} turns by {degrees} degrees from {before}; at most {}, 1024 turns, are allowed",
        crate::ends::MOST_DEGREES
    )]
    ManyTurns {
        /// The pose that the body gets to.
        place: &'static str,
        /// The one before.
        before: &'static str,
        /// By how much it turns.
        degrees: f64,
    },
    /// Not TOML, an unknown key, or a value of another type.
    #[error("{0}")]
    Format(String),
    /// A number is NaN or infinite.
    #[error("`{key}` is {number}, which is not finite")]
    NotFinite {
        /// The key, with the positions in arrays.
        key: String,
        /// As the file states it.
        number: String,
    },
    /// A number is too large to be squared safely.
    #[error("`{key}` is {number}, which is too large")]
    TooLarge {
        /// The key, with the positions in arrays.
        key: String,
        /// As the file states it.
        number: String,
    },
    /// There is no body.
    #[error("the scene has no bodies")]
    NoBodies,
    /// Two bodies have the same name.
    #[error("the name {0:?} is used by two bodies")]
    DuplicateName(String),
    /// A name without letters.
    #[error("the name of a body is empty")]
    EmptyName,
    /// A body with two looks.
    #[error("the body {body:?} has both `{}` and `{}`", keys[0], keys[1])]
    TwoLooks {
        /// Its name.
        body: String,
        /// What it has.
        keys: [&'static str; 2],
    },
    /// A body without looks.
    #[error(
        "the body {0:?} has neither `mesh` nor `shape` nor `frames` nor `solid`, `sdf` or \
         `expression`"
    )]
    NoLooks(String),
    /// A body whose frames say where it is, and another key too.
    #[error("the body {body:?} has both `frames` and `{key}`")]
    FramesAndPose {
        /// Its name.
        body: String,
        /// The other key.
        key: &'static str,
    },
    /// A rigid body that turns next to one that deforms.
    #[error(
        "the body {turning:?} turns, and {deforming:?} has frames: contacts of bodies with frames \
         are found for vertices that move in straight lines only"
    )]
    TurnsBesideFrames {
        /// The name of the rigid body.
        turning: String,
        /// The name of the other.
        deforming: String,
    },
    /// A rigid body that shall meet itself.
    #[error("the body {0:?} is rigid, so it cannot collide with itself")]
    RigidItself(String),
    /// A rigid body that cannot be made a surface of triangles.
    #[error("the body {body:?} cannot meet bodies with frames: {source}")]
    BesideFrames {
        /// Its name.
        body: String,
        /// What is wrong with it, after scaling.
        source: SurfaceError,
    },
    /// Frames that make no surface.
    #[error("cannot use the frame {}: {source}", path.display())]
    Frames {
        /// The frame that is wrong, or that differs from the first.
        path: PathBuf,
        /// What is wrong with it, after scaling.
        source: SurfaceError,
    },
    /// A body with two motions.
    #[error("the body {body:?} has both `{}` and `{}`", keys[0], keys[1])]
    TwoMotions {
        /// Its name.
        body: String,
        /// What it has.
        keys: [&'static str; 2],
    },
    /// A turn that no two poses say.
    #[error(
        "{place} turns by {degrees} degrees, and not about the axis of {before}: which way and how \
         often the body turns between them is then not said"
    )]
    TurnBeyondHalf {
        /// The pose that says it.
        place: &'static str,
        /// The pose before it.
        before: &'static str,
        /// As written.
        degrees: f64,
    },
    /// A length that is none.
    #[error("`max_departure` is {0}, which is not a positive length")]
    MaxDeparture(f64),
    /// A scale that is zero, negative or next to nothing.
    #[error("the scale {0} is not a positive number of at least 1e-100")]
    Scale(f64),
    /// A length within which vertices are joined that is none.
    #[error("vertices are to be joined within {0}, which is negative")]
    Weld(f64),
    /// The same for a body without a mesh file.
    #[error("the body {0:?} has `weld`, but no `mesh`")]
    NothingToWeld(String),
    /// A quaternion without direction.
    #[error("the quaternion {0:?} has no length, so it is no rotation")]
    ZeroQuaternion([f64; 4]),
    /// An axis without direction.
    #[error("the axis {0:?} has no length, so it has no direction")]
    ZeroAxis([f64; 3]),
    /// A motion the library refuses.
    #[error("{0}")]
    Motion(#[from] MotionError),
    /// A shape that cannot be built.
    #[error("the shape cannot be built: {0}")]
    Shape(#[from] ShapeError),
    /// A mesh file that cannot be used.
    #[error("cannot use the mesh {0}")]
    MeshFile(FileError),
    /// A mesh file whose contents make no mesh.
    #[error("cannot use the mesh {}: {source}", path.display())]
    MeshContents {
        /// The mesh file.
        path: PathBuf,
        /// What is wrong with it, after scaling.
        source: MeshError,
    },
    /// A shape that makes no mesh.
    #[error("the shape cannot be built: {0}")]
    ShapeContents(MeshError),
    /// A solid that cannot be made.
    #[error("{0}")]
    Solid(#[from] SolidProblem),
    /// What a trace does not take, or takes alone.
    #[error("{0}")]
    Trace(#[from] TraceProblem),
    /// What a simulation does not take, or takes alone.
    #[error("{0}")]
    Simulate(#[from] SimulateProblem),
}

impl Problem {
    /// What would be right.
    fn help(&self) -> String {
        let help = match self {
            Self::Format(message) => return words::advice(message),
            Self::MeshFile(error) => return meshes::remedy(error, ", relative to the scene file"),
            Self::Trace(problem) => problem.help(),
            Self::Simulate(problem) => problem.help(),
            Self::Solid(problem) => problem.help(),
            Self::NotFinite { .. } => "write a finite number",
            Self::LongInteger { .. } => "write it with a point or an exponent, as 1e20",
            Self::ManyTurns { .. } => "write degrees that differ by less, or cut the step",
            Self::TooLarge { .. } => "numbers up to 1e100 are allowed",
            Self::NoBodies => {
                "add a table for each body:\n\n[[body]]\nshape = { box = { size = [1, 1, 1] } }"
            }
            Self::DuplicateName(_) => {
                "give each body a name of its own; without `name` it is \"body-0\", \"body-1\", \
                 ... by position"
            }
            Self::EmptyName => "give the body a name, or leave `name` out",
            Self::TwoLooks { .. } => {
                "keep one of `mesh`, `shape`, `frames`, `solid`, `sdf` and `expression`"
            }
            Self::NoLooks(_) => {
                "add `mesh = \"file.obj\"`, `shape = { box = { size = [1, 1, 1] } }`, \
                 `frames = [\"start.obj\", \"end.obj\"]` or `solid = { sphere = {} }`"
            }
            Self::FramesAndPose { .. } => {
                "leave it out: the positions in the two files are those in the world"
            }
            Self::TurnsBesideFrames { .. } => {
                "let it rest or move without turning; or give it `frames` too, which cut the \
                 corners of its turn: keep steps short then"
            }
            Self::RigidItself(_) => {
                "leave `self_collision` out, or give the body `frames` between which it deforms"
            }
            Self::BesideFrames { .. } => "mend the mesh where the message says",
            Self::Frames { .. } => {
                "export both frames from one mesh, so that vertices and faces have the same numbers"
            }
            Self::TwoMotions { .. } => {
                "keep one: `end` for poses, `twist` for a constant twist, `flight` for constant \
                 velocities"
            }
            Self::TurnBeyondHalf { .. } => {
                "write both rotations about the same axis, whose degrees then count literally; or \
                 degrees from -180 to 180 for the shorter turn; or a \
                 `twist = { angular = [x, y, z] }` in radians instead"
            }
            Self::MaxDeparture(_) => {
                "write how far the relative motion may leave its screws, such as 0.001; or leave \
                 it out"
            }
            Self::Scale(_) => "write a factor from 1e-100 to 1e100; 1 keeps the size",
            Self::Weld(_) => "write a length from 0, which joins equal vertices only",
            Self::NothingToWeld(_) => {
                "leave it out: only vertices of mesh files are rounded apart; `weld` joins them"
            }
            Self::ZeroQuaternion(_) => "[0, 0, 0, 1] is no rotation at all",
            Self::ZeroAxis(_) => "name a direction, such as [0, 0, 1]",
            Self::Motion(_) => "use smaller numbers; angles are radians per step",
            Self::Shape(_) | Self::ShapeContents(_) => {
                "`chasles docs scenes` lists the shapes and their limits"
            }
            Self::MeshContents { .. } => {
                "mend the mesh where the message says, or choose another `scale`"
            }
        };
        help.to_string()
    }
}
