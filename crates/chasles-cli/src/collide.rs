//! `chasles collide`: every contact of every pair of bodies in one step.

use std::path::Path;
use std::time::{Duration, Instant};

use chasles::Step;
use chasles::motion::MotionError;
use chasles_scene::{Form, Query, Scene};

use crate::args::{CollideArgs, Method, OutputArgs};
use crate::engine::{Engine, EngineError};
use crate::output::{self, Destination, Targets};
use crate::probes::Probes;
use crate::progress::Progress;
use crate::results::{AtStart, PairResult, Results, Timing};
use crate::room::MOST_ROWS;
use crate::scene::Undrawn;
use crate::words::plain;
use crate::{gltf, json, play, report, scene, still, table};

/// Runs the command. Files appear only if everything went well.
pub fn run(args: &CollideArgs) -> miette::Result<()> {
    let engine = Engine::new(args)?;
    if args.live {
        play::template()?;
    }
    let of_still = if args.screen.screen { Some("--screen") } else { None };
    let of_still = of_still.or((!args.at.is_empty()).then_some("--at"));
    args.film.check(args.output.picture.as_deref(), of_still)?;
    let progress = Progress::new(args.output.quiet);
    progress.stage("reading the scene and its meshes");
    let mut scene = scene::load(&args.scene, Scene::read)?.with_max_departure(args.max_departure);
    scene.warnings().iter().for_each(|warning| progress.warn(warning));
    let inputs = [std::slice::from_ref(&args.scene), scene.files()].concat();
    let targets = Targets::reserve(args.output.files(), &inputs)?;
    let page = targets.beside(args.report.report.as_deref(), &inputs)?;
    let film = targets.beside(args.gltf.as_deref(), &inputs)?;
    output::apart(page.as_ref(), film.as_ref())?;
    if args.output.picture.is_some() || page.is_some() || film.is_some() {
        progress.stage("sketching solids");
        scene.sketch().map_err(|error| Undrawn { scene: args.scene.clone(), error })?;
    }
    let results = solve(&scene, args, engine, &progress)?;
    if let Some(file) = &page {
        progress.stage("writing the report");
        let page = match args.live {
            true => play::live(args, &report::parts(&scene, &results))?,
            false => report::collide(&scene, &results),
        };
        file.write(|out| out.write_all(page.as_bytes()))?;
    }
    if let Some(file) = &film {
        progress.stage("writing the film");
        let (stage, frames) = gltf::step::made(&scene)?;
        file.write(|out| stage.write(&frames, out))?;
    }
    let picture = |path: &Path| {
        let canvas = args.output.look.canvas(path);
        match args.film.reel(path) {
            Some(reel) => still::animate(&scene, &results, (&canvas, &reel), &progress),
            None if args.screen.screen => still::draw_screen(&scene, &results, path),
            None => still::draw_on(&scene, &results, &args.at, (&canvas, path)),
        }
    };
    targets.write(&progress, picture, |out| json::write(&scene, &results, args.flat, out))?;
    page.map_or(Ok(()), Destination::publish)?;
    film.map_or(Ok(()), Destination::publish)?;
    drop(progress);
    if args.output.has_table() {
        let room = args.output.room(args.report.report.as_deref());
        output::to_stdout(|out| table::write(&scene, &results, room, out))?;
    }
    args.output.tell(args.report.report.as_deref(), &[("film", args.gltf.as_deref())]);
    Ok(())
}

/// All contacts of a scene; timed if `--repeat` asks for it.
///
/// *Fails* where the engine does.
pub fn solve(
    scene: &Scene,
    args: &CollideArgs,
    engine: Engine,
    progress: &Progress,
) -> miette::Result<Results> {
    let timed = args.repeat.unwrap_or(0);
    let pairs = scene.near_pairs(engine.door());
    let pieces = (1 + u64::from(timed)) * pairs.len() as u64;
    progress.count(pieces, if timed > 0 { "queries" } else { "pairs" });
    let repeat = Repeat::Runs(timed);
    let task = Task { file: &args.scene, kept: kept(args), repeat, pairs: &pairs };
    let results = task.solve(scene, engine, progress)?;
    Ok(Results { open: scene.open(), ..results })
}

/// How often a query is timed, after a first run that is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// So many times.
    Runs(u32),
    /// So many times, but beyond three only while all runs together are shorter than this.
    Within(u32, Duration),
}

impl Repeat {
    /// Whether these runs are enough.
    pub(crate) fn is_enough(self, durations: &[Duration]) -> bool {
        match self {
            Self::Runs(runs) => durations.len() >= runs as usize,
            Self::Within(runs, time) => {
                let is_long = durations.len() >= 3 && durations.iter().sum::<Duration>() > time;
                durations.len() >= runs as usize || is_long
            }
        }
    }
}

/// What is asked of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Task<'t> {
    /// The scene file, for messages.
    pub file: &'t Path,
    /// How many contacts of each pair are kept.
    pub kept: usize,
    /// How often the query is timed.
    pub repeat: Repeat,
    /// Which pairs are asked.
    pub pairs: &'t [[usize; 2]],
}

impl Task<'_> {
    /// All contacts of a scene; timed if the task asks for it.
    ///
    /// A run is the query of every pair. Only the queries count: not the reading of the scene, not
    /// the building of hierarchies, not the copying of results, and not the first run, in which
    /// memory grows.
    ///
    /// *Fails* where the engine does.
    pub fn solve(
        &self,
        scene: &Scene,
        mut engine: Engine,
        progress: &Progress,
    ) -> Result<Results, EngineError> {
        let cover = engine.cover();
        let probes = cover.map(|cover| Probes::new(scene, self.file, cover)).transpose()?;
        let query = |bodies| match &probes {
            Some(probes) => probes.query(scene, bodies),
            None => scene.query(bodies),
        };
        if let Some(refused) = scene.pairs_of(refused(scene, engine.method().method())).next() {
            engine.contacts(&query(refused)).map_err(|error| self.of(scene, refused, error))?;
        }
        let queries: Vec<Query> = self.pairs.iter().map(|&bodies| query(bodies)).collect();
        let pairs = self.pairs.iter().zip(&queries);
        let mut pairs: Vec<PairResult> =
            pairs.map(|(&bodies, query)| PairResult::new(bodies, query)).collect();
        let mut at_start = AtStart::default();
        for (pair, query) in pairs.iter_mut().zip(&queries) {
            pair.look_at_start(scene, &mut at_start);
            pair.look_at_motion(scene, query);
            self.check_departure(scene, pair)?;
        }
        let mut durations = Vec::new();
        let mut is_first = true;
        while is_first || !self.repeat.is_enough(&durations) {
            let started = Instant::now();
            let asked = engine.ask_all(&queries);
            let mut duration = started.elapsed();
            asked.map_err(|(number, error)| match number {
                Some(number) => self.of(scene, pairs[number].bodies, error),
                None => error,
            })?;
            for (number, (pair, query)) in pairs.iter_mut().zip(&queries).enumerate() {
                let started = Instant::now();
                let found = engine.answer(number, query);
                duration += started.elapsed();
                let found = found.map_err(|error| self.of(scene, pair.bodies, error))?;
                if is_first {
                    pair.total = found.count();
                    pair.contacts = found.first(self.kept);
                    pair.screen = engine.cost();
                    pair.missed_depth = engine.missed_depth();
                }
                progress.advance();
            }
            if !is_first {
                durations.push(duration);
            }
            is_first = false;
        }
        Ok(Results {
            method: engine.method(),
            asked: engine.asked(),
            pairs,
            open: Vec::new(),
            device: engine.device_cost(),
            timing: Timing::of(durations),
        })
    }
}

impl Task<'_> {
    /// Fails where a step cannot be cut as finely as was asked.
    fn check_departure(&self, scene: &Scene, pair: &PairResult) -> Result<(), EngineError> {
        let (Some(length), Some(departure)) = (scene.max_departure(), pair.departure) else {
            return Ok(());
        };
        if departure.bound <= length {
            return Ok(());
        }
        let parts = pair.step.as_ref().map_or(1, Step::parts);
        let error = MotionError::Departs { parts, bound: departure.bound, length };
        let error = EngineError::Departs { place: String::new(), error };
        Err(self.of(scene, pair.bodies, error))
    }

    /// An error with the scene and the bodies that it is about.
    fn of(&self, scene: &Scene, bodies: [usize; 2], error: EngineError) -> EngineError {
        error.of(self.file, &bodies.map(|body| plain(&scene.bodies()[body].name)))
    }
}

/// The first body that a method does not take, wherever it is.
fn refused(scene: &Scene, method: Method) -> Option<usize> {
    scene.bodies().iter().position(|body| match &body.form {
        Form::Rigid(_) => false,
        Form::Solid(solid) if solid.round().is_some() => method == Method::Screen,
        Form::Solid(_) => method != Method::Path,
        Form::Deforming(_) => method != Method::Exact,
    })
}

/// How many contacts of each pair are needed: the table shows few, and a scene of many bodies may
/// have more than memory holds.
fn kept(args: &CollideArgs) -> usize {
    let OutputArgs { json, picture, .. } = &args.output;
    let all = json.is_some() || picture.is_some() || args.report.report.is_some();
    if all { usize::MAX } else { MOST_ROWS }
}
