//! `chasles simulate`: bodies with mass that move, collide and come to rest.
//!
//! ```text
//! scene -> world -> steps -> a line of the trajectory each -> Course -> table, JSON, picture, film
//! ```

mod check;
mod course;
mod film;
mod follow;
mod frames;
mod json;
mod moment;
mod sheets;
mod table;
mod trajectory;

use std::io::Write;

use chasles_dynamics::world::SheetId;
use chasles_dynamics::{BodyId, WorldError};
use miette::Diagnostic;
use thiserror::Error;

pub use crate::gltf::{Film, Track};
pub use check::{Findings, Inspector, LeftOut, Overlap, smallest_gap};
pub use course::{Course, Row};
pub(crate) use film::moving;
use follow::Stop;
pub use moment::{Energy, Moment};
pub(crate) use sheets::mesh as sheet_mesh;

pub(crate) use table::left_out;

use crate::args::SimulateArgs;
use crate::output::{self, Destination, OutputError, Targets};
use crate::progress::Progress;
use crate::{report, scene};
use chasles_scene::{Pace, SimulateScene};

/// Why a simulation ends before its time.
#[derive(Debug, Error, Diagnostic)]
pub enum SimulateError {
    /// A moment that is never reached.
    #[error("--at {at} is after the end of the simulation, {end} s")]
    #[diagnostic(help("name an earlier moment, or simulate longer with --seconds"))]
    At {
        /// The moment.
        at: f64,
        /// When the simulation ends.
        end: f64,
    },
    /// A film whose lengths do not fit the format.
    #[error("a film of {bytes} bytes does not fit into a GLB file, which takes 4 GB")]
    #[diagnostic(help(
        "simulate a shorter time, or take longer steps; --trajectory has no such limit"
    ))]
    Film {
        /// Its size.
        bytes: usize,
    },
    /// Threads that the system does not give.
    #[error("cannot start {count} threads: {reason}")]
    #[diagnostic(help("ask for fewer with --threads"))]
    Threads {
        /// How many were asked for.
        count: u32,
        /// What the system says.
        reason: String,
    },
    /// A step that cannot be taken.
    #[error("{scene}, at {time:.4} s: {message}")]
    #[diagnostic(help(
        "look at the last frames: `--seconds {time:.4} --trajectory FILE` writes them"
    ))]
    Step {
        /// The scene file.
        scene: String,
        /// Seconds since the beginning.
        time: f64,
        /// What is wrong.
        message: String,
    },
}

/// Runs the command. Files appear only if everything went well.
pub fn run(args: &SimulateArgs) -> miette::Result<()> {
    let progress = Progress::new(args.output.quiet);
    progress.stage("reading the scene and its meshes");
    let pace = Pace { seconds: args.seconds, dt: args.dt };
    let scene = scene::load(&args.scene, |document| SimulateScene::read(document, pace))?;
    let end = scene.dt() * f64::from(scene.steps());
    frames::check(args)?;
    if let Some(at) = args.at.filter(|at| *at > end) {
        return Err(SimulateError::At { at, end }.into());
    }
    let inputs = [std::slice::from_ref(&args.scene), scene.files()].concat();
    let targets = Targets::reserve(args.output.files(), &inputs)?;
    let trajectory = targets.beside(args.trajectory.as_deref(), &inputs)?;
    let film = targets.beside(args.gltf.as_deref(), &inputs)?;
    let page = targets.beside(args.report.report.as_deref(), &inputs)?;
    for (one, other) in [(&trajectory, &film), (&trajectory, &page), (&film, &page)] {
        output::apart(one.as_ref(), other.as_ref())?;
    }
    let bytes = if film.is_some() { size_bound(&scene) } else { 0 };
    if u32::try_from(bytes).is_err() {
        return Err(SimulateError::Film { bytes }.into());
    }
    scene.warnings().iter().for_each(|warning| progress.warn(warning));
    progress.count(u64::from(scene.steps()), "steps");
    let Some(course) = solve(&scene, args, trajectory.as_ref(), &progress)? else { return Ok(()) };
    if let (Some(file), Some(frames)) = (&film, &course.film) {
        progress.stage("writing the film");
        let stage = film::stage(&scene);
        stage.check(frames)?;
        file.write(|out| stage.write(frames, out))?;
    }
    if let (Some(file), Some(reel)) = (&page, &course.reel) {
        progress.stage("writing the report");
        let text = report::simulate(&scene, &course, reel, &table::outcome(&scene, &course));
        file.write(|out| out.write_all(text.as_bytes()))?;
    }
    targets.write(
        &progress,
        |path| frames::draw(&scene, &course, args, (path, &progress)),
        |out| json::write(&scene, &course, out),
    )?;
    trajectory.map_or(Ok(()), Destination::publish)?;
    film.map_or(Ok(()), Destination::publish)?;
    page.map_or(Ok(()), Destination::publish)?;
    drop(progress);
    if args.has_table() {
        let room = args.output.room(args.report.report.as_deref());
        output::to_stdout(|out| table::write(&scene, &course, room, out))?;
    }
    let [film, trajectory] = [&args.gltf, &args.trajectory].map(|path| path.as_deref());
    let more = [("film", film), ("trajectory", trajectory)];
    args.output.tell(args.report.report.as_deref(), &more);
    Ok(())
}

/// The bytes of a film of a scene, or somewhat more.
fn size_bound(scene: &SimulateScene) -> usize {
    film::stage(scene).size_bound(scene.steps() as usize + 1, film::moving(scene).count())
}

/// Simulates with the threads that were asked for. Nothing, if who reads the trajectory has left.
fn solve(
    scene: &SimulateScene,
    args: &SimulateArgs,
    trajectory: Option<&Destination>,
    progress: &Progress,
) -> miette::Result<Option<Course>> {
    let Some(count) = args.threads else { return advance(scene, args, trajectory, progress) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count as usize).build();
    let pool = pool.map_err(|error| SimulateError::Threads { count, reason: error.to_string() })?;
    pool.install(|| advance(scene, args, trajectory, progress))
}

fn advance(
    scene: &SimulateScene,
    args: &SimulateArgs,
    trajectory: Option<&Destination>,
    progress: &Progress,
) -> miette::Result<Option<Course>> {
    let mut done = None;
    let mut go = |out: Option<&mut dyn Write>| match follow::follow(scene, args, out, progress) {
        Ok(course) => {
            done = Some(Ok(course));
            Ok(())
        }
        Err(Stop::Write(error)) => Err(error),
        Err(Stop::World { time, error }) => {
            done = Some(Err(told(scene, args, time, error)));
            Ok(())
        }
    };
    match trajectory {
        Some(destination) => {
            if matches!(destination, Destination::Stdout) {
                // It may be the same terminal.
                progress.finish();
            }
            destination.write(|out| go(Some(out)))?;
        }
        None => go(None).map_err(OutputError::Stdout)?,
    }
    Ok(done.transpose()?)
}

fn told(scene: &SimulateScene, args: &SimulateArgs, time: f64, error: WorldError) -> SimulateError {
    let message = named(error, [scene.names(), scene.sheets()]);
    SimulateError::Step { scene: args.scene.display().to_string(), time, message }
}

/// What is wrong with a step, with the names of bodies and sheets.
fn named(error: WorldError, [bodies, sheets]: [&[String]; 2]) -> String {
    let body = |id: BodyId| crate::words::plain(&bodies[id.0]);
    let sheet = |id: SheetId| crate::words::plain(&sheets[id.0]);
    match error {
        WorldError::Lost(id) => {
            format!("{} has left the world: its pose or velocity is not finite", body(id))
        }
        WorldError::Load(id) => format!("the load of {} is not finite", body(id)),
        WorldError::Overlap(a, b) => format!("{} and {} overlap", body(a), body(b)),
        WorldError::SheetLost(id) => {
            format!("the sheet {} has left the world: its positions are not finite", sheet(id))
        }
        WorldError::SheetTouches(a, b) => format!("the sheet {} touches {}", sheet(a), body(b)),
        WorldError::SheetInside(a, b) => format!("the sheet {} is inside {}", sheet(a), body(b)),
        WorldError::SheetsTouch(a, b) => {
            format!("the sheets {} and {} touch", sheet(a), sheet(b))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_step_names_bodies_and_sheets() {
        let [bodies, sheets] =
            [["floor", "cube"], ["flag", "sail"]].map(|all| all.map(String::from));
        let (ids, cloths) = ([0, 1].map(BodyId), [0, 1].map(SheetId));
        let errors = [
            (WorldError::Lost(ids[1]), "cube has left"),
            (WorldError::Load(ids[0]), "the load of floor"),
            (WorldError::Overlap(ids[0], ids[1]), "floor and cube overlap"),
            (WorldError::SheetLost(cloths[1]), "the sheet sail has left"),
            (WorldError::SheetTouches(cloths[0], ids[1]), "the sheet flag touches cube"),
            (WorldError::SheetInside(cloths[1], ids[0]), "the sheet sail is inside floor"),
            (WorldError::SheetsTouch(cloths[0], cloths[1]), "the sheets flag and sail touch"),
        ];
        for (error, says) in errors {
            let told = named(error, [&bodies, &sheets]);
            assert!(told.starts_with(says), "{told:?}");
        }
    }
}
