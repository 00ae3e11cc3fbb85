//! `chasles collide`: every contact of every pair of bodies in one step.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::args::{CollideArgs, OutputArgs};
use crate::engine::Engine;
use crate::output::{self, Destination, Targets};
use crate::probes::Probes;
use crate::progress::Progress;
use crate::results::{PairResult, Results, Timing};
use crate::scene::{Query, Scene};
use crate::{json, report, still, table};

/// Runs the command. Files appear only if everything went well.
pub fn run(args: &CollideArgs) -> miette::Result<()> {
    let engine = Engine::new(args)?;
    let progress = Progress::new(args.output.quiet);
    progress.stage("reading the scene and its meshes");
    let mut scene = Scene::load(&args.scene)?;
    let inputs = [std::slice::from_ref(&args.scene), scene.files()].concat();
    let targets = Targets::reserve(&args.output, &inputs)?;
    let page = targets.beside(args.report.report.as_deref(), &inputs)?;
    if args.output.picture.is_some() || page.is_some() {
        progress.stage("sketching solids");
        scene.sketch(&args.scene)?;
    }
    let results = solve(&scene, args, engine, &progress)?;
    if let Some(file) = &page {
        progress.stage("writing the report");
        file.write(|out| out.write_all(report::collide(&scene, &results).as_bytes()))?;
    }
    let picture = |path: &Path| {
        if args.screen.screen {
            still::draw_screen(&scene, &results, path)
        } else {
            still::draw(&scene, &results, &args.at, path)
        }
    };
    targets.write(&progress, picture, |out| json::write(&scene, &results, out))?;
    page.map_or(Ok(()), Destination::publish)?;
    drop(progress);
    if args.output.has_table() {
        output::to_stdout(|out| table::write(&scene, &results, out))?;
    }
    Ok(())
}

/// All contacts of a scene; timed if `--repeat` asks for it.
///
/// A run is the query of every pair. Only the queries count: not the reading of the scene, not the
/// building of hierarchies, not the copying of results, and not the first run, in which memory
/// grows.
///
/// *Fails* where the engine does.
pub fn solve(
    scene: &Scene,
    args: &CollideArgs,
    mut engine: Engine,
    progress: &Progress,
) -> miette::Result<Results> {
    let probes = engine.cover().map(|cover| Probes::new(scene, &args.scene, cover)).transpose()?;
    let query = |bodies| match &probes {
        Some(probes) => probes.query(scene, bodies),
        None => scene.query(bodies),
    };
    let queries: Vec<Query> = scene.pairs().map(query).collect();
    let mut pairs: Vec<PairResult> =
        scene.pairs().zip(&queries).map(|(bodies, query)| PairResult::new(bodies, query)).collect();
    let kept = kept(args);
    let timed = args.repeat.unwrap_or(0);
    let pieces = (1 + u64::from(timed)) * pairs.len() as u64;
    progress.count(pieces, if timed > 0 { "queries" } else { "pairs" });
    let mut durations = Vec::with_capacity(timed as usize);
    for run in 0..=timed {
        let mut duration = Duration::ZERO;
        for (pair, query) in pairs.iter_mut().zip(&queries) {
            let started = Instant::now();
            let found = engine.contacts(query);
            duration += started.elapsed();
            let found = found.map_err(|error| {
                let names = pair.bodies.map(|body| table::plain(&scene.bodies()[body].name));
                error.of(&args.scene, &names)
            })?;
            if run == 0 {
                pair.total = found.count();
                pair.contacts = found.first(kept);
                pair.screen = engine.cost(query);
            }
            progress.advance();
        }
        if run > 0 {
            durations.push(duration);
        }
    }
    Ok(Results { method: engine.method(), pairs, timing: Timing::of(durations) })
}

/// How many contacts of each pair are needed: the table shows few, and a scene of many bodies may
/// have more than memory holds.
fn kept(args: &CollideArgs) -> usize {
    let OutputArgs { json, picture, .. } = &args.output;
    let all = json.is_some() || picture.is_some() || args.report.report.is_some();
    if all { usize::MAX } else { table::MOST_ROWS }
}
