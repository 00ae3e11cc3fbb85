//! `chasles trace`: how far bodies get through a world, and what stops them.

mod json;
mod result;
mod table;
mod walk;

use std::time::Instant;

use chasles::motion::MotionError;
use chasles::trace::Workspace;
use miette::Diagnostic;
use thiserror::Error;

use crate::args::{TraceArgs, only_stills};
use crate::output::{self, Destination, Targets};
use crate::progress::Progress;
use crate::{report, scene, still};
use chasles_scene::{Mover, TraceScene};
pub use result::TraceResult;
pub(crate) use table::within;

/// Why a body cannot be traced.
#[derive(Debug, Error, Diagnostic)]
#[error("{scene}, {body}: {error}")]
#[diagnostic(help("use smaller numbers"))]
pub struct TraceError {
    scene: String,
    body: String,
    error: MotionError,
}

/// Runs the command. Files appear only if everything went well.
pub fn run(args: &TraceArgs) -> miette::Result<()> {
    only_stills(args.output.picture.as_deref(), "`chasles trace`")?;
    let progress = Progress::new(args.output.quiet);
    progress.stage("reading the scene and its meshes");
    let mut scene = scene::load(&args.scene, TraceScene::read)?;
    if let Some(thickness) = args.thickness {
        scene = scene.with_thickness(thickness).map_err(|error| miette::miette!("{error}"))?;
    }
    scene.warnings().iter().for_each(|warning| progress.warn(warning));
    let inputs = [std::slice::from_ref(&args.scene), scene.files()].concat();
    let targets = Targets::reserve(args.output.files(), &inputs)?;
    let page = targets.beside(args.report.report.as_deref(), &inputs)?;
    progress.count(scene.movers().len() as u64, "traces");
    let results = solve(&scene, args, &progress)?;
    if let Some(file) = &page {
        progress.stage("writing the report");
        let text = report::trace(&scene, &results, &table::summary(&scene, &results));
        file.write(|out| out.write_all(text.as_bytes()))?;
    }
    targets.write(
        &progress,
        |path| still::draw_trace_on(&scene, &results, &args.output.look.canvas(path), path),
        |out| json::write(&scene, &results, out),
    )?;
    page.map_or(Ok(()), Destination::publish)?;
    drop(progress);
    if args.output.has_table() {
        let room = args.output.room(args.report.report.as_deref());
        output::to_stdout(|out| table::write(&scene, &results, room, out))?;
    }
    args.output.tell(args.report.report.as_deref(), &[]);
    Ok(())
}

/// Traces every moving body of a scene by itself.
///
/// *Fails* never on a scene that was checked, but says so if it does.
pub fn solve(
    scene: &TraceScene,
    args: &TraceArgs,
    progress: &Progress,
) -> Result<Vec<TraceResult>, TraceError> {
    let mut workspace = Workspace::new();
    let mut results = Vec::with_capacity(scene.movers().len());
    for mover in scene.movers() {
        let result = solve_one(scene, mover, args, &mut workspace).map_err(|error| TraceError {
            scene: args.scene.display().to_string(),
            body: crate::words::plain(&mover.name),
            error,
        });
        results.push(result?);
        progress.advance();
    }
    Ok(results)
}

fn solve_one(
    scene: &TraceScene,
    mover: &Mover,
    args: &TraceArgs,
    workspace: &mut Workspace,
) -> Result<TraceResult, MotionError> {
    let world = scene.world();
    let started = Instant::now();
    let (trace, moves) = mover.trace(world, workspace)?;
    let took = started.elapsed();
    let solid = trace.started_solid.then(|| world.contents(mover.body(), &mover.start, workspace));
    let near = |distance| world.contacts(mover.body(), &trace.end, distance, workspace);
    let contacts = args.contacts.map(near).transpose()?;
    Ok(TraceResult { trace, moves, solid, contacts, took })
}
