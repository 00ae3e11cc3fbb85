//! Scenes for `chasles simulate`: bodies with mass that move, collide and come to rest.

mod body;
mod copies;
mod entry;
mod error;
mod joint;
mod lock;
mod manner;
mod matter;
mod sheet;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use chasles::glam::DVec3;
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::world::{Kind, Method, Springs};
use chasles_dynamics::{Body, Options, World, WorldError};
use toml::Spanned;

use crate::document::Document;
use crate::error::{Fault, Problem, SceneError};
use crate::file::SceneFile;
use crate::files::Folder;
use crate::form::Source;
use crate::given::{Span, first_given};
use crate::meshes;
use crate::{motion, names, parse};
use entry::{MethodEntry, ResponseEntry, SteppingEntry};
pub(crate) use entry::{SimulateKeys, WorldEntry};
pub use error::{SheetProblem, SimulateProblem};
pub(crate) use joint::JointEntry;
pub use joint::JointProblem;
pub(crate) use sheet::SheetEntry;

/// Seconds of a simulation, unless the scene or the command line says otherwise.
const SECONDS: f64 = 5.0;

/// The length of a step, unless the scene or the command line says otherwise.
const DT: f64 = 1.0 / 60.0;

/// Down, as far as shapes know one: their axes are y.
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// The most steps: each is counted, and every one would be a line of a trajectory.
const MOST_STEPS: f64 = 1e7;

/// Said of scenes in which all bodies fall for ever.
const FALLS: &str = "nothing holds the bodies: all of them fall for ever; add a body with \
                     kind = \"static\" or set gravity = [0, 0, 0] in [world]";

/// What the command line says instead of the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// How long, in seconds.
    pub seconds: Option<f64>,
    /// The length of a step in seconds.
    pub dt: Option<f64>,
}

/// Bodies ready to move; everything in it is valid, and nothing overlaps.
#[derive(Clone, Debug)]
pub struct SimulateScene {
    title: String,
    names: Vec<String>,
    /// The table of each body, and the name and the first body of each table.
    tables: Vec<usize>,
    heads: Vec<(String, usize)>,
    /// The names of the sheets.
    sheets: Vec<String>,
    /// Pairs that a joint says do not collide, the smaller number first.
    uncolliding: BTreeSet<[usize; 2]>,
    /// What a reader of the results should know, a sentence each.
    warnings: Vec<String>,
    world: World,
    dt: f64,
    steps: u32,
    files: Vec<PathBuf>,
}

impl SimulateScene {
    /// Reads and checks a scene file and the meshes it names.
    ///
    /// *Fails* on anything that is not a scene for simulations as docs/scenes.md describes it, and
    /// says where; also on bodies that overlap.
    pub fn load(path: &Path, pace: Pace) -> Result<Self, SceneError> {
        Self::read(&Document::open(path)?, pace)
    }

    /// Checks a scene and reads the meshes that it names. *Accepts* any document. *Fails* as
    /// [`SimulateScene::load`].
    pub fn read(document: &Document, pace: Pace) -> Result<Self, SceneError> {
        document.read(|document| Self::build(document, pace))
    }

    /// Reads a scene from `text`; errors call it `name`, and meshes are sought in `folder`.
    pub fn from_text(text: &str, name: &str, folder: &Path) -> Result<Self, SceneError> {
        Self::read(&Document::new(text, name, Folder::new(folder)), Pace::default())
    }

    fn build(document: &Document, pace: Pace) -> Result<Self, Fault> {
        let (file, entries) = parse::<SimulateKeys>(document.text())?;
        let settings = file.world.unwrap_or_default();
        let (dt, steps) = pace.over(&settings)?;
        let mut made = Made::new(World::new(options(&settings)?));
        let mut files = Vec::new();
        let mut open = Vec::new();
        let mut copied = Vec::new();
        for (name, entry) in names(&entries)?.iter().zip(&entries) {
            let source = Source { name, entry, files: document.files() };
            if let Some(shifts) = source.shifts()? {
                let first = made.names.len();
                copied.push(joint::Copied { name: name.clone(), first, shifts });
            }
            made.add(name, source.bodies(dt * f64::from(steps))?, entry.span());
            if entry.get_ref().common.mesh.is_some() {
                open.extend(made.last_opening());
            }
            files.extend(source.mesh_file());
        }
        made.check_names(!file.sheet.is_empty())?;
        let holdable = joint::Holdable { names: &made.names, copied: &copied };
        let uncolliding = joint::link(&mut made.world, holdable, &file.joint)?;
        let sheets = sheet::lay(&mut made.world, &made.names, &file.sheet)?;
        made.check(&sheets, &file.sheet)?;
        let warnings = made.warnings().into_iter().chain(open).collect();
        let title = file.title.unwrap_or_else(|| document.title());
        let Made { world, names, tables, heads, .. } = made;
        Ok(Self {
            title,
            names,
            tables,
            heads,
            sheets,
            uncolliding,
            warnings,
            world,
            dt,
            steps,
            files,
        })
    }

    /// The scene's name: its `title`, or that of the file.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The names of the bodies, in the order of the world.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The names of the sheets, in the order of the world.
    pub fn sheets(&self) -> &[String] {
        &self.sheets
    }

    /// The name of a body, or of a sheet: those are numbered behind the bodies of the world.
    pub fn name(&self, number: usize) -> &str {
        let sheet = number.checked_sub(self.world.bodies().len());
        sheet.map_or_else(|| &self.names[number], |sheet| &self.sheets[sheet])
    }

    /// The number of the `[[body]]` table that a body is from.
    pub fn table(&self, body: usize) -> usize {
        self.tables[body]
    }

    /// The name of each `[[body]]` table, and the number of its first body.
    pub fn tables(&self) -> impl Iterator<Item = (&str, usize)> {
        self.heads.iter().map(|(name, first)| (name.as_str(), *first))
    }

    /// Whether a joint says that two bodies do not collide, the smaller number first. Other linked
    /// bodies that pass through each other [overlap at the start](World::ignore_inside).
    pub fn is_uncolliding(&self, pair: [usize; 2]) -> bool {
        self.uncolliding.contains(&pair)
    }

    /// What is allowed in the scene, but hardly meant, or was mended; a sentence each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The world at its beginning. Bodies behind those that have names hold others to the world;
    /// they are not for results.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The length of a step in seconds.
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// How many steps are to be taken.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// The mesh files that the scene names.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

/// The world as far as it is built, and where each of its bodies is in the file.
struct Made {
    world: World,
    names: Vec<String>,
    tables: Vec<usize>,
    heads: Vec<(String, usize)>,
    places: Vec<Span>,
}

impl Made {
    /// What is to be said of the table that was added last, if its mesh is open.
    fn last_opening(&self) -> Option<String> {
        let (name, first) = self.heads.last()?;
        let opening = self.world.bodies()[*first].collider().mesh().opening()?;
        Some(meshes::open(name, &opening))
    }

    /// What is odd about meshes, once for each table, and that bodies fall for ever.
    fn warnings(&self) -> Vec<String> {
        let odd = |(name, first): &(String, usize)| {
            meshes::oddities(name, self.world.bodies()[*first].collider().mesh())
        };
        let falls = falls_for_ever(&self.world).then(|| FALLS.to_string());
        self.heads.iter().flat_map(odd).chain(falls).collect()
    }

    fn new(world: World) -> Self {
        Self { world, names: Vec::new(), tables: Vec::new(), heads: Vec::new(), places: Vec::new() }
    }

    /// Adds the bodies of a table.
    fn add(&mut self, table: &str, bodies: Vec<(String, Body)>, place: Span) {
        self.heads.push((table.to_string(), self.names.len()));
        for (name, body) in bodies {
            self.names.push(name);
            self.tables.push(self.heads.len() - 1);
            self.places.push(place.clone());
            self.world.add(body);
        }
    }

    /// Fails where names are used twice, or nothing moves by forces.
    fn check_names(&self, has_sheets: bool) -> Result<(), Fault> {
        let mut seen = BTreeSet::new();
        for (name, place) in self.names.iter().zip(&self.places) {
            if !seen.insert(name) {
                return Err(Fault::new(Problem::DuplicateName(name.clone()), place.clone()));
            }
        }
        let moves = |body: &Body| matches!(body.kind(), Kind::Dynamic(_) | Kind::Yielding(..));
        if !has_sheets && !self.world.bodies().iter().any(moves) {
            return Err(fault(SimulateProblem::NothingDynamic, 0..0));
        }
        Ok(())
    }

    /// Fails where bodies overlap, or sheets touch them.
    fn check(&mut self, sheets: &[String], tables: &[Spanned<SheetEntry>]) -> Result<(), Fault> {
        self.world.check().map_err(|error| match error {
            WorldError::Overlap(first, second) => {
                let names = [first, second].map(|body| self.names[body.0].clone());
                fault(SimulateProblem::Overlap(names), self.places[second.0].clone())
            }
            WorldError::SheetTouches(sheet, body) => {
                let names = [self.names[body.0].clone(), sheets[sheet.0].clone()];
                fault(SimulateProblem::Touch(names), tables[sheet.0].span())
            }
            WorldError::SheetInside(sheet, body) => {
                let names = [self.names[body.0].clone(), sheets[sheet.0].clone()];
                fault(SimulateProblem::Inside(names), tables[sheet.0].span())
            }
            WorldError::SheetsTouch(first, second) => {
                let names = [first, second].map(|sheet| sheets[sheet.0].clone());
                fault(SimulateProblem::SheetsTouch(names), tables[second.0].span())
            }
            error => fault(SimulateProblem::World(error), 0..0),
        })
    }
}

/// Whether there is weight, and nothing that it could come to rest on: nothing that stands still or
/// is on a route, no joint with the world (its bodies hang on static ones that nothing else
/// touches), and no pinned sheet.
fn falls_for_ever(world: &World) -> bool {
    let falls = |body: &Body| matches!(body.kind(), Kind::Dynamic(_));
    world.options().gravity != DVec3::ZERO
        && world.bodies().iter().all(falls)
        && !world.sheets().iter().any(Sheet::is_pinned)
}

fn options(settings: &WorldEntry) -> Result<Options, Fault> {
    let WorldEntry { gravity, zone, stepping, method, response, window, dt: _, seconds: _ } =
        settings;
    let usual = match stepping {
        None | Some(SteppingEntry::Windows) => Options::windows(),
        Some(SteppingEntry::Events) => Options::events(),
    };
    if let Some(zone) = zone.as_ref().filter(|zone| !(1e-9..=0.01).contains(zone.get_ref())) {
        let number = *zone.get_ref();
        let problem = SimulateProblem::OutOfRange { key: "zone", number, low: 1e-9, high: 0.01 };
        return Err(fault(problem, zone.span()));
    }
    let window = window.as_ref().map_or(Ok(0.0), |window| match *window.get_ref() {
        number if number >= 0.0 => Ok(number),
        number => Err(fault(SimulateProblem::Below { key: "window", number }, window.span())),
    })?;
    Ok(Options {
        gravity: gravity.map_or(GRAVITY, |gravity| motion::vector(Some(gravity))),
        zone: zone.as_ref().map_or(usual.zone, |zone| *zone.get_ref()),
        springs: match response {
            None | Some(ResponseEntry::Impulses) => None,
            Some(ResponseEntry::Springs) => Some(Springs::default()),
        },
        window,
        method: match method {
            None | Some(MethodEntry::Exact) => Method::Exact,
            Some(MethodEntry::Screen) => Method::Screen,
            Some(MethodEntry::Trace) => Method::Trace,
        },
        ..usual
    })
}

impl Pace {
    /// The length of a step and the number of steps, the scene saying what the command line does
    /// not.
    fn over(&self, settings: &WorldEntry) -> Result<(f64, u32), Fault> {
        let stated =
            |key, given: Option<f64>, entry: &Option<Spanned<f64>>, usual| match (given, entry) {
                (Some(number), _) => Ok((number, 0..0)),
                (None, Some(entry)) if *entry.get_ref() > 0.0 => {
                    Ok((*entry.get_ref(), entry.span()))
                }
                (None, Some(entry)) => {
                    let number = *entry.get_ref();
                    Err(fault(SimulateProblem::NotAbove { key, number }, entry.span()))
                }
                (None, None) => Ok((usual, 0..0)),
            };
        let (dt, place) = stated("dt", self.dt, &settings.dt, DT)?;
        let (seconds, _) = stated("seconds", self.seconds, &settings.seconds, SECONDS)?;
        // A whole number of steps, to the rounding of the two.
        let steps = (seconds / dt * (1.0 - 1e-12)).ceil().max(1.0);
        if steps > MOST_STEPS {
            return Err(fault(SimulateProblem::TooManySteps { seconds, dt, steps }, place));
        }
        Ok((dt, steps as u32))
    }
}

/// Fails on tables that only simulations have.
pub(crate) fn refuse(file: &SceneFile) -> Result<(), Fault> {
    joint::refuse(&file.joint)?;
    sheet::refuse(&file.sheet)
}

fn fault(problem: SimulateProblem, span: Span) -> Fault {
    Fault::new(problem, span)
}
