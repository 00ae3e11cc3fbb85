//! Scenes: bodies, each with a mesh and a motion.
//!
//! [`mod@file`] is what the file says, [`Scene`] what it means once everything is checked, and
//! [`SceneError`] what is wrong otherwise.

mod body;
mod ends;
mod error;
pub mod file;
mod form;
mod given;
mod motion;
mod numbers;
mod simulate;
mod solid;
mod strict;
mod text;
mod trace;
mod values;
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use chasles::deform::Moving;
use chasles::glam::DVec3;
use chasles::mesh::{Opening, Weld};
use chasles::motion::Departure;
use chasles::query::{self, BodyId, Geometry, Set};
use chasles::{Motion, Polyhedron, Pose, Step};
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;

pub use body::{Body, Deforming, Form, Frames, Rigid};
pub use error::{Problem, SceneError};
pub use simulate::{JointProblem, Pace, SimulateProblem, SimulateScene};
pub use solid::{BoundsEntry, LookError, SdfEntry, SolidBody, SolidEntry, SolidProblem};
pub use trace::{Fixed, Journey, Move, Mover, Route, TraceProblem, TraceScene, Turning};

use error::Fault;
use file::{BodyEntry, SceneFile};
use form::Source;
use motion::Course;

use crate::{bodies, library};

/// What is asked of two bodies, or of one.
#[derive(Clone, Debug)]
pub enum Query<'s> {
    /// The contacts of two bodies that keep their shape.
    Bodies {
        /// The bodies A and B.
        bodies: [&'s Geometry; 2],
        /// How they move.
        step: Box<Step>,
        /// How many samples they have, if these are followed.
        samples: Option<[usize; 2]>,
    },
    /// The contacts of two bodies whose vertices move in straight lines.
    Straight {
        /// The bodies A and B, in the world.
        surfaces: [Moving<'s>; 2],
        /// The same, where they are rigid.
        rigid: [Option<&'s Rigid>; 2],
    },
    /// The contacts of a body that deforms with itself.
    Itself(Moving<'s>),
    /// What only the path method answers: the contacts of a body that is no mesh.
    Solid,
    /// What the path method does not answer: the contacts of a body that deforms.
    Deforms,
}

/// Bodies and how they move in one step; everything in it is valid.
#[derive(Clone, Debug)]
pub struct Scene {
    title: String,
    bodies: Vec<Body>,
    files: Vec<PathBuf>,
    parts: u32,
    max_departure: Option<f64>,
}

/// The share of the smaller body, from corner to corner of its box, by which a relative motion may
/// leave its screws without a word: too little to see. Flights are cut until they depart by no
/// more.
pub const DEPARTURE_SHARE: f64 = 1e-3;

impl Scene {
    /// Reads and checks a scene file and the meshes it names.
    ///
    /// *Fails* on anything that is not a scene as docs/scenes.md describes it, and says where.
    pub fn load(path: &Path) -> Result<Self, SceneError> {
        load(path, Self::build)
    }

    /// Reads a scene from `text`; errors call it `name`, and meshes are sought in `folder`.
    pub fn from_text(text: &str, name: &str, folder: &Path) -> Result<Self, SceneError> {
        Self::build(text, name, folder)
            .map_err(|fault| SceneError::wrong(fault, Path::new(name), text))
    }

    fn build(text: &str, default_title: &str, folder: &Path) -> Result<Self, Fault> {
        let file = parse(text)?;
        if file.body.is_empty() {
            return Err(Fault::new(Problem::NoBodies, 0..0));
        }
        trace::refuse(&file.body)?;
        simulate::refuse(&file)?;
        let names = names(&file.body)?;
        let courses = motion::courses(&names, &file.body)?;
        let parts = motion::parts(&courses);
        let beside_frames = courses.iter().any(|course| matches!(course, Course::Frames(_)));
        let max_departure = max_departure(&file)?;
        let mut bodies = Vec::with_capacity(names.len());
        let mut files = Vec::new();
        for ((name, course), entry) in names.into_iter().zip(&courses).zip(&file.body) {
            let source = Source { name: &name, entry, folder };
            let form = source.form(course, beside_frames)?;
            files.extend(source.files());
            let is_file = entry.get_ref().mesh.is_some();
            bodies.push(Body { name, form, is_file });
        }
        let title = file.title.unwrap_or_else(|| default_title.to_string());
        Ok(Self { title, bodies, files, parts, max_departure })
    }

    /// The scene's name: its `title`, or that of the file.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The bodies, in the order of the file; at least one.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The mesh files that the scene names, frames among them.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The bodies with open meshes of files, by name, and how each is open.
    ///
    /// *Cost* as [`Body::opening`] for each body.
    pub fn open(&self) -> Vec<(String, Opening)> {
        let open = |body: &Body| Some((body.name.clone(), body.opening()?));
        self.bodies.iter().filter_map(open).collect()
    }

    /// Cuts steps until relative motions leave their screws by at most a length, whatever the file
    /// says.
    #[must_use]
    pub fn with_max_departure(self, length: Option<f64>) -> Self {
        Self { max_departure: length.or(self.max_departure), ..self }
    }

    /// How far relative motions may leave their screws, if that was said.
    pub fn max_departure(&self) -> Option<f64> {
        self.max_departure
    }

    /// What is odd about the bodies, mended or not; names are as in the file.
    pub fn warnings(&self) -> Vec<String> {
        let meshes = self.meshes();
        meshes.flat_map(|(name, mesh)| bodies::oddities(name, mesh)).collect()
    }

    /// The bodies of which vertices were not joined that are within their weld, by name.
    pub fn kept_apart(&self) -> Vec<(String, Weld)> {
        let apart = self.meshes().filter(|(_, mesh)| !mesh.weld().kept_apart.is_empty());
        apart.map(|(name, mesh)| (name.to_string(), mesh.weld().clone())).collect()
    }

    /// The meshes of rigid bodies, with their names.
    fn meshes(&self) -> impl Iterator<Item = (&str, &Polyhedron)> {
        self.bodies.iter().filter_map(|body| Some((&*body.name, body.rigid()?.collider.mesh())))
    }

    /// Into how many equal parts the step of every pair is cut at least: one, unless turns count.
    pub fn parts(&self) -> u32 {
        self.parts
    }

    /// All pairs of body numbers, the lower first; a body that may meet itself is a pair with itself.
    pub fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        let count = self.bodies.len();
        let meets_itself = |body: &Body| body.deforming().is_some_and(|body| body.meets_itself);
        (0..count).flat_map(move |a| {
            let first = if meets_itself(&self.bodies[a]) { a } else { a + 1 };
            (first..count).map(move |b| [a, b])
        })
    }

    /// The pairs of [`Scene::pairs`] with a body; none without one.
    pub fn pairs_of(&self, body: Option<usize>) -> impl Iterator<Item = [usize; 2]> {
        self.pairs().filter(move |pair| body.is_some_and(|body| pair.contains(&body)))
    }

    /// The pairs of [`Scene::pairs`] that come near each other; all of two bodies alone, and where
    /// one deforms.
    ///
    /// *Accepts* the options with which contacts are sought. *Guarantees* every pair that has a
    /// contact. *Cost* as [`Set::near_pairs`]. *Fails* never.
    pub fn near_pairs(&self, options: &query::Options) -> Vec<[usize; 2]> {
        let mut set = Set::new();
        for body in &self.bodies {
            let (Some(geometry), Some(motion)) = (body.geometry(), body.motion()) else { break };
            set.add(geometry, *motion);
        }
        if set.len() < self.bodies.len() || set.len() <= 2 {
            return self.pairs().collect();
        }
        let near = set.near_pairs(options, true);
        near.into_iter().map(|pair| pair.map(BodyId::index)).collect()
    }

    /// Makes the meshes that pictures show of solids; errors name the scene at `path`.
    ///
    /// *Cost* half a million questions for each solid. *Fails* on one that has no inside, and on one
    /// without end that stands alone.
    pub fn sketch(&mut self, path: &Path) -> Result<(), LookError> {
        let near = solid::around(self.bodies.iter().flat_map(reach));
        for Body { name, form, .. } in &mut self.bodies {
            if let Form::Solid(body) = form {
                body.sketch(near).map_err(|error| LookError::new(path, name, error))?;
            }
        }
        Ok(())
    }

    /// What the exact method or the screen is asked of a pair of [`Scene::pairs`].
    pub fn query(&self, pair: [usize; 2]) -> Query<'_> {
        let [a, b] = pair.map(|body| &self.bodies[body]);
        if [a, b].into_iter().any(|body| matches!(body.form, Form::Solid(_))) {
            return Query::Solid;
        }
        if let (Form::Rigid(rigid_a), Form::Rigid(rigid_b)) = (&a.form, &b.form) {
            let step = Box::new(self.cut(pair, Step::new(rigid_a.motion, rigid_b.motion)));
            let bodies = [&rigid_a.geometry, &rigid_b.geometry];
            return Query::Bodies { bodies, step, samples: None };
        }
        let surfaces = [a, b].map(|body| {
            let frames = body.frames().expect("bodies have frames in a scene in which one deforms");
            frames.moving()
        });
        if pair[0] == pair[1] {
            return Query::Itself(surfaces[0]);
        }
        Query::Straight { surfaces, rigid: [a.rigid(), b.rigid()] }
    }

    /// How two bodies move as the path method takes it; none if one of them deforms.
    pub fn path_motion(&self, pair: [usize; 2]) -> Option<Step> {
        let [a, b] = pair.map(|body| self.bodies[body].motion());
        let step = Step::new(*a?, *b?);
        Some(if step.is_free() { step.with_parts(self.parts) } else { self.cut(pair, step) })
    }

    /// How far the relative motion of two bodies leaves its screws, if the boxes around them tell.
    pub fn departure(&self, pair: [usize; 2], step: &Step) -> Option<Departure> {
        step.departure(pair.map(|body| self.bodies[body].bounds()))
    }

    /// The size of the smaller of two bodies, from corner to corner of its box.
    pub fn smaller(&self, pair: [usize; 2]) -> f64 {
        let size = |body: usize| {
            let [low, high] = self.bodies[body].bounds();
            (high - low).length()
        };
        size(pair[0]).min(size(pair[1]))
    }

    /// A step in as many parts as the whole scene, or as many more as keep its departure below what
    /// the scene allows; as many as there may be if that is not enough.
    fn cut(&self, pair: [usize; 2], step: Step) -> Step {
        let step = step.with_parts(self.parts);
        let flies = step.motions().iter().any(Motion::is_flight);
        let usual = flies.then(|| DEPARTURE_SHARE * self.smaller(pair));
        let length = self.max_departure.or(usual);
        let Some(length) = length.filter(|_| self.smaller(pair).is_finite()) else { return step };
        let bounds = pair.map(|body| self.bodies[body].bounds());
        step.with_departure_below(length, bounds).unwrap_or(step.with_parts(Step::MAX_PARTS))
    }
}

/// How far relative motions may leave their screws, if the file says so.
fn max_departure(file: &SceneFile) -> Result<Option<f64>, Fault> {
    let Some(entry) = &file.max_departure else { return Ok(None) };
    let length = *entry.get_ref();
    if length > 0.0 {
        return Ok(Some(length));
    }
    Err(Fault::new(Problem::MaxDeparture(length), entry.span()))
}

/// Corners of the box around a body, at its start and at its end; none if it has no end.
fn reach(body: &Body) -> Vec<DVec3> {
    let [low, high] = body.bounds();
    if !(low.is_finite() && high.is_finite()) {
        return Vec::new();
    }
    let poses = body.motion().map_or([Pose::IDENTITY; 2], |m| [m.start(), m.end()]);
    poses.iter().flat_map(|pose| solid::corners([low, high]).map(|p| pose.point(p))).collect()
}

/// Writes the JSON schema of scene files.
pub fn write_schema(out: &mut dyn Write) -> io::Result<()> {
    let for_toml = |schema: &mut Schema| {
        // TOML has no null, so none can be a default.
        if schema.get("default").is_some_and(|default| default.is_null()) {
            schema.remove("default");
        }
        // Editors show descriptions as they are, so the links of rustdoc are plain words.
        if let Some(Value::String(text)) = schema.get_mut("description") {
            *text = text.replace("[`", "`").replace("`]", "`");
        }
    };
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(for_toml));
    let schema = settings.into_generator().into_root_schema_for::<SceneFile>();
    serde_json::to_writer_pretty(&mut *out, &schema)?;
    writeln!(out)
}

/// The longest scene that is read from standard input, which might not end: a hundred thousand
/// bodies.
const LONGEST_INPUT: u64 = 1 << 28;

/// Reads a file and makes a scene of its text, its name without the ending, and its folder. What is no
/// file may be a built-in scene, and `-` is standard input, which belongs to the current folder.
fn load<S>(
    path: &Path,
    build: impl FnOnce(&str, &str, &Path) -> Result<S, Fault>,
) -> Result<S, SceneError> {
    let is_input = path == Path::new("-");
    let path = if is_input { Path::new("standard input") } else { path };
    let (text, folder) = match library::scene(path) {
        _ if is_input => (text_of(path, read_input())?, PathBuf::new()),
        Some(scene) => (scene.text.to_string(), library::folder()),
        None => {
            (text_of(path, fs::read(path))?, path.parent().unwrap_or(Path::new("")).to_path_buf())
        }
    };
    let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let scene = text::check_ending(path, &text).and_then(|()| build(&text, &stem, &folder));
    scene.map_err(|fault| SceneError::wrong(fault, path, &text))
}

fn read_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(LONGEST_INPUT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_INPUT {
        return Err(io::Error::other("it is longer than 256 MiB"));
    }
    Ok(bytes)
}

fn text_of(path: &Path, bytes: io::Result<Vec<u8>>) -> Result<String, SceneError> {
    let bytes = bytes.map_err(|error| SceneError::read(path, error))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
        SceneError::NotText { path: PathBuf::from(path), line }
    })
}

fn parse(text: &str) -> Result<SceneFile, Fault> {
    let table = text::table(text)?;
    numbers::check(table.get_ref())?;
    let reader = toml::Deserializer::from(table.clone());
    let file = SceneFile::deserialize(reader).map_err(|error| words::fault(&error))?;
    strict::check(table.get_ref(), &file.body)?;
    Ok(file)
}

/// The name of every body; fails if two are equal.
fn names(bodies: &[Spanned<BodyEntry>]) -> Result<Vec<String>, Fault> {
    let mut seen = BTreeSet::new();
    let mut names = Vec::with_capacity(bodies.len());
    for (index, entry) in bodies.iter().enumerate() {
        let name = given::name(index, entry.get_ref());
        let span = given::span(&entry.get_ref().name).unwrap_or_else(|| entry.span());
        if name.is_empty() {
            return Err(Fault::new(Problem::EmptyName, span));
        }
        if !seen.insert(name.clone()) {
            return Err(Fault::new(Problem::DuplicateName(name), span));
        }
        names.push(name);
    }
    Ok(names)
}
