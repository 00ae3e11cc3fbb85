//! Scenes for `chasles trace`: bodies that move, one by one, through all others.

mod entry;
mod error;
mod journey;
mod walk;

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use chasles::glam::DVec3;
use chasles::mesh::Opening;
use chasles::motion::MotionError;
use chasles::trace::{self, Fixture, Trace, Travel, Workspace, World, WorldError};
use chasles::{Polyhedron, Pose};
use toml::Spanned;

use crate::document::Document;
use crate::error::{Fault, Problem, SceneError};
use crate::file::CommonKeys;
use crate::files::Folder;
use crate::form::Source;
use crate::given::{Span, first_given, span};
use crate::keys::BodyEntry;
use crate::meshes;
use crate::{motion, names, parse};
pub(crate) use entry::TraceKeys;
pub use error::TraceProblem;
pub use journey::{Journey, Turning};
pub use walk::{Move, Route};

/// Portions of a motion with both a translation and a rotation, unless the scene says otherwise:
/// a quarter-turn then has steps of less than six degrees.
const PORTIONS: NonZeroU32 = NonZeroU32::new(16).expect("16 is not 0");

/// The most portions: each is two traces.
const MOST_PORTIONS: u32 = 1 << 16;

/// Bodies that move through a world; everything in it is valid.
#[derive(Clone, Debug)]
pub struct TraceScene {
    title: String,
    world: World,
    fixed: Vec<Fixed>,
    movers: Vec<Mover>,
    files: Vec<PathBuf>,
}

/// A body of the world.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// Unique in the scene.
    pub name: String,
    /// What contacts with it are tagged with.
    pub tag: String,
    /// The mesh, scaled.
    pub mesh: Polyhedron,
    /// Where it stands.
    pub pose: Pose,
    /// How its mesh is open; none if it is closed or a shape.
    pub opening: Option<Opening>,
}

/// A body that moves.
#[derive(Clone, Debug)]
pub struct Mover {
    /// Unique in the scene.
    pub name: String,
    /// The mesh, scaled.
    pub mesh: Polyhedron,
    /// Where it starts.
    pub start: Pose,
    /// Where it shall go.
    pub journey: Journey,
    /// How its mesh is open; none if it is closed or a shape.
    pub opening: Option<Opening>,
    body: trace::Body,
}

impl Mover {
    /// How far the body gets; and every move, if it walks.
    ///
    /// *Cost* a trace, or two for each portion, or up to 28 for each move. *Fails* where a number
    /// leaves the range of the library, as a fall may after many moves.
    pub fn trace(
        &self,
        world: &World,
        workspace: &mut Workspace,
    ) -> Result<(Trace, Option<Vec<Move>>), MotionError> {
        let trace = match &self.journey {
            Journey::Shift(by) => world.translate(&self.body, &self.start, *by, workspace)?,
            Journey::Turn(Turning { turn, .. }) => {
                world.rotate(&self.body, &self.start, turn, workspace)
            }
            Journey::Both { by, turning, portions } => {
                let travel = Travel { by: *by, turn: turning.turn, parts: *portions };
                world.advance(&self.body, &self.start, &travel, workspace)?
            }
            Journey::Walk(route) => {
                let (trace, moves) = route.run((world, &self.body), &self.start, workspace)?;
                return Ok((trace, Some(moves)));
            }
        };
        Ok((trace, None))
    }

    /// The body, for other questions to the world.
    pub fn body(&self) -> &trace::Body {
        &self.body
    }

    /// Where the body would be after a part of its journey in a world without obstacles, shift and
    /// turn being done at once; who walks, where it starts.
    pub fn pose_at(&self, part: f64) -> Pose {
        let shifted = |pose: Pose, by: DVec3| {
            Pose::new(pose.position() + by * part, pose.rotation()).unwrap_or(pose)
        };
        match &self.journey {
            Journey::Shift(by) => shifted(self.start, *by),
            Journey::Turn(turning) => turning.carried(&self.start, part),
            Journey::Both { by, turning, .. } => shifted(turning.carried(&self.start, part), *by),
            Journey::Walk(_) => self.start,
        }
    }
}

impl TraceScene {
    /// What is odd about the bodies, or was and has been mended.
    pub fn warnings(&self) -> Vec<String> {
        let fixed = self.fixed.iter().map(|body| (&body.name, &body.mesh, &body.opening));
        let movers = self.movers.iter().map(|body| (&body.name, &body.mesh, &body.opening));
        let of = |(name, mesh, opening): (&String, &Polyhedron, &Option<Opening>)| {
            let open = opening.as_ref().map(|opening| meshes::open(name, opening));
            meshes::oddities(name, mesh).into_iter().chain(open)
        };
        fixed.chain(movers).flat_map(of).collect()
    }

    /// Reads and checks a scene file and the meshes it names.
    ///
    /// *Fails* on anything that is not a scene for traces as docs/scenes.md describes it, and says
    /// where.
    pub fn load(path: &Path) -> Result<Self, SceneError> {
        Self::read(&Document::open(path)?)
    }

    /// Checks a scene and reads the meshes that it names. *Accepts* any document. *Fails* as
    /// [`TraceScene::load`].
    pub fn read(document: &Document) -> Result<Self, SceneError> {
        document.read(Self::build)
    }

    /// Reads a scene from `text`; errors call it `name`, and meshes are sought in `folder`.
    pub fn from_text(text: &str, name: &str, folder: &Path) -> Result<Self, SceneError> {
        Self::read(&Document::new(text, name, Folder::new(folder)))
    }

    fn build(document: &Document) -> Result<Self, Fault> {
        let (file, entries) = parse::<TraceKeys>(document.text())?;
        let names = names(&entries)?;
        let moving = entries.iter().filter(|entry| is_moving(entry)).count();
        if moving == 0 {
            return Err(fault(TraceProblem::NothingMoves, 0..0));
        }
        let mut world = Vec::new();
        let (mut fixed, mut movers, mut files) = (Vec::new(), Vec::new(), Vec::new());
        for (name, entry) in names.iter().zip(&entries) {
            let source = Source { name, entry, files: document.files() };
            source.check()?;
            files.extend(source.mesh_file());
            match is_moving(entry) {
                true => movers.push(source.mover()?),
                false => {
                    let (body, fixture) = source.fixed(fixed.len())?;
                    fixed.push(body);
                    world.push((fixture, source));
                }
            }
        }
        if fixed.is_empty() {
            return Err(fault(TraceProblem::NoWorld, 0..0));
        }
        let world = join(world)?;
        let title = file.title.unwrap_or_else(|| document.title());
        Ok(Self { title, world, fixed, movers, files })
    }

    /// The same scene with an expel zone of another thickness. *Fails* as
    /// [`World::with_thickness`].
    pub fn with_thickness(self, thickness: f64) -> Result<Self, WorldError> {
        Ok(Self { world: self.world.with_thickness(thickness)?, ..self })
    }

    /// The scene's name: its `title`, or that of the file.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What stands still. Tags are the numbers of bodies in [`TraceScene::fixed`].
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The bodies of the world, in the order of the file; at least one.
    pub fn fixed(&self) -> &[Fixed] {
        &self.fixed
    }

    /// The bodies that move, in the order of the file; at least one.
    pub fn movers(&self) -> &[Mover] {
        &self.movers
    }

    /// The mesh files that the scene names.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

impl Source<'_, TraceKeys> {
    /// Fails on keys that have no meaning in a trace.
    fn check(&self) -> Result<(), Fault> {
        let TraceKeys { tag, portions, translate, rotate, walk, .. } = self.own();
        let body = self.name.to_string();
        if let Some(itself) = self.meets_itself() {
            return Err(Fault::new(Problem::RigidItself(body), itself.span()));
        }
        let motions = [
            ("translate", span(translate)),
            ("rotate", span(rotate)),
            ("portions", span(portions)),
        ];
        if let (Some(_), Some((key, span))) = (walk, first_given(motions.clone())) {
            return Err(fault(TraceProblem::WalksAnd { body, key }, span));
        }
        let motions = [first_given(motions), span(walk).map(|span| ("walk", span))];
        match (is_moving(self.entry), motions.into_iter().flatten().next(), tag, portions) {
            (false, Some((key, span)), _, _) => {
                Err(fault(TraceProblem::NotMoving { body, key }, span))
            }
            (true, _, Some(tag), _) => Err(fault(TraceProblem::MovingTag(body), tag.span())),
            (true, _, _, Some(portions)) if translate.is_none() || rotate.is_none() => {
                Err(fault(TraceProblem::Undivided(body), portions.span()))
            }
            _ => Ok(()),
        }
    }

    fn start(&self) -> Result<Pose, Fault> {
        self.common().start.as_ref().map_or(Ok(Pose::IDENTITY), motion::pose)
    }

    /// How a mesh is open, if it is of a file: a shape is open on purpose if it is.
    fn opening(&self, mesh: &Polyhedron) -> Option<Opening> {
        self.common().mesh.as_ref().and_then(|_| mesh.opening())
    }

    /// A body of the world, whose tag for the library is `number`.
    fn fixed(&self, number: usize) -> Result<(Fixed, Fixture), Fault> {
        let made = self.mesh()?;
        let pose = self.start()?;
        let tag = self
            .own()
            .tag
            .as_ref()
            .map_or_else(|| self.name.to_string(), |tag| tag.get_ref().clone());
        // A file of more than 2^32 bodies does not fit into memory.
        let fixture = Fixture::new(made.welded()).at(pose).tagged(number as u32);
        let opening = self.opening(&made.mesh);
        let name = self.name.to_string();
        Ok((Fixed { name, tag, mesh: made.mesh, pose, opening }, fixture))
    }

    fn mover(&self) -> Result<Mover, Fault> {
        let start = self.start()?;
        let journey = self.journey()?;
        let made = self.mesh()?;
        let body = trace::Body::new(&made.welded()).map_err(|error| {
            let problem = TraceProblem::Untraceable {
                body: self.name.to_string(),
                reason: error.to_string(),
            };
            fault(problem, self.entry.span())
        })?;
        let opening = self.opening(&made.mesh);
        let name = self.name.to_string();
        Ok(Mover { name, mesh: made.mesh, start, journey, opening, body })
    }

    fn journey(&self) -> Result<Journey, Fault> {
        let TraceKeys { translate, rotate, walk, .. } = self.own();
        if let Some(walk) = walk {
            return Route::new(walk.get_ref()).map(Journey::Walk);
        }
        let by = translate.as_ref().map(|by| DVec3::from_array(by.get_ref().0));
        let turning = rotate.as_ref().map(Turning::new).transpose()?;
        match (by, turning) {
            (Some(by), None) => Ok(Journey::Shift(by)),
            (None, Some(turning)) => Ok(Journey::Turn(turning)),
            (Some(by), Some(turning)) => {
                Ok(Journey::Both { by, turning, portions: self.portions()? })
            }
            (None, None) => {
                let span = span(&self.own().moving).unwrap_or_else(|| self.entry.span());
                Err(fault(TraceProblem::NoMotion(self.name.to_string()), span))
            }
        }
    }

    fn portions(&self) -> Result<NonZeroU32, Fault> {
        let Some(entry) = &self.own().portions else { return Ok(PORTIONS) };
        let portions = NonZeroU32::new(*entry.get_ref()).filter(|n| n.get() <= MOST_PORTIONS);
        portions.ok_or_else(|| fault(TraceProblem::Portions(*entry.get_ref()), entry.span()))
    }

    /// Why the body is no part of a world.
    fn unworldly(&self, error: &WorldError) -> Fault {
        let reason = match error {
            WorldError::Mesh { error, .. } => error.to_string(),
            WorldError::NoArea { face, .. } => {
                format!("face {face} has no area, so nothing can rest on it")
            }
            WorldError::NoFace { .. } => {
                "it has segments or points without a face, and a world is made of faces".to_string()
            }
            other => other.to_string(),
        };
        let CommonKeys { mesh, shape, .. } = self.common();
        let place = span(mesh).or(span(shape)).unwrap_or_else(|| self.entry.span());
        fault(TraceProblem::Unworldly { body: self.name.to_string(), reason }, place)
    }
}

/// The world of all fixtures. If there is none, the body at fault is found by trying each alone.
fn join(parts: Vec<(Fixture, Source<'_, TraceKeys>)>) -> Result<World, Fault> {
    let all = parts.iter().map(|(fixture, _)| fixture.clone()).collect();
    World::new(all).map_err(|error| {
        let alone = |(fixture, source): &(Fixture, Source<'_, TraceKeys>)| {
            let error = World::new(vec![fixture.clone()]).err()?;
            Some(source.unworldly(&error))
        };
        let of_all = || Fault::new(Problem::Format(error.to_string()), 0..0);
        parts.iter().find_map(alone).unwrap_or_else(of_all)
    })
}

fn is_moving(entry: &Spanned<BodyEntry<TraceKeys>>) -> bool {
    entry.get_ref().own.moving.as_ref().is_some_and(|moving| *moving.get_ref())
}

fn fault(problem: TraceProblem, span: Span) -> Fault {
    Fault::new(problem, span)
}
