//! `chasles collide`: every contact of every pair of bodies in one step.

use std::time::{Duration, Instant};

use chasles::{Options, Workspace, contacts};

use crate::args::CollideArgs;
use crate::output::{self, Targets};
use crate::progress::Progress;
use crate::results::{PairResult, Results, Timing};
use crate::scene::Scene;
use crate::{json, still, table};

/// Runs the command. Files appear only if everything went well.
pub fn run(args: &CollideArgs) -> miette::Result<()> {
    let options = options(args)?;
    let progress = Progress::new(args.output.quiet);
    progress.stage("reading the scene and its meshes");
    let scene = Scene::load(&args.scene)?;
    let inputs = [std::slice::from_ref(&args.scene), scene.files()].concat();
    let targets = Targets::reserve(&args.output, &inputs)?;
    let results = solve(&scene, args, &options, &progress);
    targets.write(
        &progress,
        |path| still::draw(&scene, &results, args.at, path),
        |out| json::write(&scene, &results, out),
    )?;
    drop(progress);
    if args.output.has_table() {
        output::to_stdout(|out| table::write(&scene, &results, out))?;
    }
    Ok(())
}

/// The options of the query, which the command line has checked but for the order of the window.
fn options(args: &CollideArgs) -> miette::Result<Options> {
    let window = match args.window.as_deref() {
        Some(&[t0, t1]) if t0 <= t1 => [t0, t1],
        Some(window) => {
            return Err(miette::miette!(
                help = "write the earlier time first, as in --window 0.25 0.75",
                "the window {window:?} ends before it starts"
            ));
        }
        None => Options::default().window,
    };
    Ok(Options {
        min_properness: args.min_properness,
        facing: args.facing,
        first_only: args.first,
        window,
    })
}

/// All contacts of a scene; timed if `--repeat` asks for it.
///
/// A run is the query of every pair. Only the queries count: not the reading of the scene, not the
/// building of hierarchies, not the copying of results, and not the first run, in which memory
/// grows.
pub fn solve(scene: &Scene, args: &CollideArgs, options: &Options, progress: &Progress) -> Results {
    let mut pairs: Vec<PairResult> = scene
        .pairs()
        .map(|bodies| {
            let step = scene.step(bodies);
            PairResult { bodies, step, contacts: Vec::new(), total: 0 }
        })
        .collect();
    let kept = kept(args);
    let timed = args.repeat.unwrap_or(0);
    let pieces = (1 + u64::from(timed)) * pairs.len() as u64;
    progress.count(pieces, if timed > 0 { "queries" } else { "pairs" });
    let mut workspace = Workspace::new();
    let mut durations = Vec::with_capacity(timed as usize);
    for run in 0..=timed {
        let mut duration = Duration::ZERO;
        for pair in &mut pairs {
            let [a, b] = pair.bodies.map(|body| &scene.bodies()[body].collider);
            let started = Instant::now();
            let found = contacts(a, b, &pair.step, options, &mut workspace);
            duration += started.elapsed();
            if run == 0 {
                pair.total = found.len();
                pair.contacts = found[..found.len().min(kept)].to_vec();
            }
            progress.advance();
        }
        if run > 0 {
            durations.push(duration);
        }
    }
    Results { method: args.method, pairs, timing: Timing::of(durations) }
}

/// How many contacts of each pair are needed: the table shows few, and a scene of many bodies may
/// have more than memory holds.
fn kept(args: &CollideArgs) -> usize {
    let all = args.output.json.is_some() || args.output.picture.is_some();
    if all { usize::MAX } else { table::MOST_ROWS }
}
