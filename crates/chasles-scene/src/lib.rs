//! Scene files: what they say, what they mean, and what is wrong with them.
//!
//! ```text
//! file or text -> Document -> tables with places -> keys -> Scene, TraceScene, SimulateScene
//! ```
//!
//! A scene is a list of bodies, each with a look and a motion, in TOML or JSON. [`Scene`] is one
//! for contacts, [`TraceScene`] one for traces, [`SimulateScene`] one for simulations; what exists
//! is valid. [`SceneError`] says what is wrong with a file, where, and what would be right;
//! [`library`] has the scenes of the project.
//!
//! Nothing is printed here and no process ends, and files are read by [`Files`] alone. So the
//! program, Python and a browser read the same scenes in the same way.
//!
//! ```
//! use std::path::Path;
//! use chasles::query::{self, Workspace};
//! use chasles_scene::{Query, Scene};
//!
//! let text = "
//!     [[body]]
//!     shape = { box = { size = [1, 1, 1] } }
//!     [[body]]
//!     shape = { box = { size = [1, 1, 1] } }
//!     start = { position = [3, 0.25, 0.25] }
//!     end = { position = [-1, 0.25, 0.25] }
//! ";
//! let scene = Scene::from_text(text, "boxes.toml", Path::new(""))?;
//! let Query::Bodies { bodies: [a, b], step, .. } = scene.query([0, 1]) else { unreachable!() };
//! let mut workspace = Workspace::new();
//! let found = query::first_contact(a, b, &*step, &query::Options::default(), &mut workspace)?;
//! assert!(found.is_some_and(|contact| (contact.time - 0.5).abs() < 1e-12));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod document;
mod ends;
mod error;
mod file;
mod files;
mod form;
mod given;
mod keys;
pub mod library;
pub mod meshes;
mod motion;
mod numbers;
mod schema;
mod simulate;
mod solid;
pub mod spelling;
mod strict;
mod text;
mod trace;
mod values;
mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use chasles::deform::Moving;
use chasles::glam::DVec3;
use chasles::mesh::{Opening, Weld};
use chasles::motion::Departure;
use chasles::query::{self, BodyId, Geometry, Set};
use chasles::{Motion, Polyhedron, Pose, Step};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use body::{Body, Deforming, Form, Frames, Rigid};
pub use document::Document;
pub use error::{Problem, SceneError, Wrong};
pub use files::{Files, Folder};
pub use schema::write_schema;
pub use simulate::{JointProblem, Pace, SheetProblem, SimulateProblem, SimulateScene};
pub use solid::{LookError, SolidBody, SolidProblem};
pub use trace::{Fixed, Journey, Move, Mover, Route, TraceProblem, TraceScene, Turning};

use error::Fault;
use file::{CollideKeys, SceneFile};
use form::Source;
use keys::{BodyEntry, Use};
use motion::Course;

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
    /// What only the path method answers: the contacts of a body that is neither a mesh nor round.
    Solid,
    /// What no method answers: the contacts of a body that is no mesh with one that deforms.
    SolidBesideFrames,
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
        Self::read(&Document::open(path)?)
    }

    /// Reads a scene from `text`; errors call it `name`, and meshes are sought in `folder`.
    pub fn from_text(text: &str, name: &str, folder: &Path) -> Result<Self, SceneError> {
        Self::read(&Document::new(text, name, Folder::new(folder)))
    }

    /// Checks a scene and reads the meshes that it names.
    ///
    /// *Accepts* any document. *Guarantees* a valid scene. *Cost* that of reading and preparing its
    /// meshes. *Fails* as [`Scene::load`].
    pub fn read(document: &Document) -> Result<Self, SceneError> {
        document.read(Self::build)
    }

    fn build(document: &Document) -> Result<Self, Fault> {
        let (file, entries) = parse::<CollideKeys>(document.text())?;
        let names = names(&entries)?;
        let courses = motion::courses(&names, &entries)?;
        let parts = motion::parts(&courses);
        let beside_frames = courses.iter().any(|course| matches!(course, Course::Frames(_)));
        let max_departure = max_departure(&file)?;
        let mut bodies = Vec::with_capacity(names.len());
        let mut files = Vec::new();
        for ((name, course), entry) in names.into_iter().zip(&courses).zip(&entries) {
            let source = Source { name: &name, entry, files: document.files() };
            let form = source.form(course, beside_frames)?;
            files.extend(source.files());
            let is_file = entry.get_ref().common.mesh.is_some();
            bodies.push(Body { name, form, is_file });
        }
        let title = file.title.unwrap_or_else(|| document.title());
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
        meshes.flat_map(|(name, mesh)| meshes::oddities(name, mesh)).collect()
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

    /// All pairs of body numbers, the lower first; a body that may meet itself is a pair with
    /// itself.
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

    /// Gives a body another motion, as if the file said so; whether it has it now. A body that
    /// deforms, or that stands beside one, keeps its way: that of its vertices.
    ///
    /// *Accepts* the number of a body. *Guarantees* that the step keeps its parts. *Cost* constant.
    /// *Fails* never.
    pub fn set_motion(&mut self, body: usize, motion: Motion) -> bool {
        match self.bodies.get_mut(body).map(|body| &mut body.form) {
            Some(Form::Rigid(rigid)) if rigid.frames.is_none() => rigid.motion = motion,
            Some(Form::Solid(solid)) => solid.motion = motion,
            _ => return false,
        }
        true
    }

    /// Makes the meshes that pictures show of solids.
    ///
    /// *Cost* half a million questions for each solid. *Fails* on one that has no inside, and on
    /// one without end that stands alone.
    pub fn sketch(&mut self) -> Result<(), LookError> {
        let near = solid::around(self.bodies.iter().flat_map(reach));
        for Body { name, form, .. } in &mut self.bodies {
            if let Form::Solid(body) = form {
                body.sketch(near).map_err(|error| LookError::new(name, error))?;
            }
        }
        Ok(())
    }

    /// What the exact method or the screen is asked of a pair of [`Scene::pairs`].
    pub fn query(&self, pair: [usize; 2]) -> Query<'_> {
        let [a, b] = pair.map(|body| &self.bodies[body]);
        if let (Some(of_a), Some(of_b)) = (a.exact(), b.exact()) {
            let motion = |body: &Body| *body.motion().expect("bodies that keep their shape move");
            let step = Box::new(self.cut(pair, Step::new(motion(a), motion(b))));
            return Query::Bodies { bodies: [of_a, of_b], step, samples: None };
        }
        let is_solid = |body: &Body| matches!(body.form, Form::Solid(_));
        match [a, b].map(|body| (is_solid(body), body.deforming().is_some())) {
            [(true, _), (_, true)] | [(_, true), (true, _)] => return Query::SolidBesideFrames,
            [(true, _), _] | [_, (true, _)] => return Query::Solid,
            _ => {}
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

/// The bodies of a scene as they are written for one use, and where.
type Bodies<K> = Vec<Spanned<BodyEntry<K>>>;

/// What a scene says: its own keys, and those of its bodies for one use.
///
/// The text is parsed once, into tables that know their places; those of the bodies are taken out
/// and read as what the use has.
fn parse<K: Use>(text: &str) -> Result<(SceneFile, Bodies<K>), Fault> {
    let mut table = text::table(text)?;
    numbers::check(table.get_ref())?;
    let bodies = taken_out(table.get_mut());
    let file: SceneFile = keys::typed(table)?;
    K::check(&file, &bodies)?;
    let read = |(index, body)| BodyEntry::read(index, body);
    let bodies = bodies.into_iter().enumerate().map(read).collect::<Result<Vec<_>, Fault>>()?;
    match file.body.is_empty() {
        true => Err(Fault::new(Problem::NoBodies, 0..0)),
        false => Ok((file, bodies)),
    }
}

/// The tables of the bodies of a scene; empty ones stay in their places.
fn taken_out<'t>(scene: &mut DeTable<'t>) -> Vec<Spanned<DeTable<'t>>> {
    let Some(DeValue::Array(bodies)) = scene.get_mut("body").map(Spanned::get_mut) else {
        return Vec::new();
    };
    let take = |body: &mut Spanned<DeValue<'t>>| {
        let span = body.span();
        let DeValue::Table(table) = body.get_mut() else { return None };
        Some(Spanned::new(span, std::mem::take(table)))
    };
    bodies.iter_mut().filter_map(take).collect()
}

/// The name of every body; fails if two are equal.
fn names<K>(bodies: &[Spanned<BodyEntry<K>>]) -> Result<Vec<String>, Fault> {
    let mut seen = BTreeSet::new();
    let mut names = Vec::with_capacity(bodies.len());
    for (index, entry) in bodies.iter().enumerate() {
        let name = given::name(index, entry.get_ref());
        let span = given::span(&entry.get_ref().common.name).unwrap_or_else(|| entry.span());
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
