//! `chasles compare`: every method that takes a scene, side by side.
//!
//! ```text
//! scene -> exact contacts ┐
//!       -> each method ───┼> matching -> Row -> table, JSON, page
//!       -> trace ─────────┘
//! ```

mod json;
mod matching;
mod page;
mod rows;
mod table;
mod traced;

use std::path::{Path, PathBuf};
use std::time::Duration;

use chasles::Options;
use miette::Diagnostic;
use thiserror::Error;

use crate::args::{CompareArgs, Method};
use crate::collide::{Repeat, Task};
use crate::engine::{Engine, EngineError};
use crate::output::{self, Destination};
use crate::progress::Progress;
use crate::results::{Features, Found, HowFound, Results, Timing};
use crate::scene;
use crate::words::plain;
use crate::written::Written;
use chasles_scene::{Form, Scene, meshes};
use matching::{Against, Meshes};
pub use rows::{Comparison, Refused, Row};

/// All methods, in the order of the rows. What follows the exact method is counted against it.
const METHODS: [Method; 3] = [Method::Exact, Method::Screen, Method::Path];

/// How often a method is timed, and how long that may take, unless the command line says otherwise:
/// the median of 25 is steady, and nobody waits.
const USUAL: Repeat = Repeat::Within(25, Duration::from_secs(1));

/// Runs the command. Files appear only if everything went well.
pub fn run(args: &CompareArgs) -> miette::Result<()> {
    let progress = Progress::new(args.quiet);
    progress.stage("reading the scene and its meshes");
    let scene = scene::load(&args.scene, Scene::read)?.with_max_departure(args.max_departure);
    let open = scene.open();
    let open = open.iter().map(|(name, opening)| meshes::open(name, opening));
    let warnings: Vec<String> = scene.warnings().into_iter().chain(open).collect();
    warnings.iter().for_each(|warning| progress.warn(warning));
    let inputs = [std::slice::from_ref(&args.scene), scene.files()].concat();
    let targets = [args.json.as_deref(), args.report.as_deref()];
    let [json, page] = output::reserve_both(targets, &inputs)?;
    let comparison = compare(&scene, args, &progress);
    comparison.check(&args.scene)?;
    progress.finish();
    if let Some(page) = &page {
        page.write(|out| out.write_all(page::draw(&comparison, &warnings).as_bytes()))?;
    }
    if let Some(json) = &json {
        json.write(|out| json::write(&comparison, &warnings, out))?;
    }
    [page, json].into_iter().flatten().try_for_each(Destination::publish)?;
    drop(progress);
    if args.has_table() {
        output::to_stdout(|out| table::write(&comparison, out))?;
    }
    let files = [("report", args.report.as_deref()), ("JSON", args.json.as_deref())];
    Written { files: &files, quiet: args.quiet, open: args.open }.tell();
    Ok(())
}

/// Asks every method about the pairs of bodies that come near each other.
///
/// *Accepts* any scene. *Guarantees* counts that do not depend on the machine. *Cost* of some
/// thirty queries with each method for each of these pairs. *Fails* never: a method that does is in
/// the list of those.
pub fn compare(scene: &Scene, args: &CompareArgs, progress: &Progress) -> Comparison {
    let repeat = args.repeat.map_or(USUAL, Repeat::Runs);
    let near = near_pairs(scene);
    let task = Task { file: &args.scene, kept: usize::MAX, repeat, pairs: &near };
    let once = Task { repeat: Repeat::Runs(0), ..task };
    let facing = Options { facing: true, ..Options::default() };
    let facing = once.solve(scene, Engine::usual(Method::Exact, facing), progress);
    let facing = facing.map_err(|error| reason(&error));
    let mut exact: Option<Results> = None;
    let (mut rows, mut refused) = (Vec::new(), Vec::new());
    // Of a body alone there is nothing to ask.
    let methods = METHODS.into_iter().filter(|_| scene.pairs().next().is_some());
    for method in methods {
        progress.stage(&format!("timing the method {}", method.name()));
        let found = task.solve(scene, Engine::usual(method, Options::default()), progress);
        let results = match found {
            Ok(results) => results,
            Err(error) => {
                refused.push(Refused { method: method.name(), reason: reason(&error) });
                continue;
            }
        };
        // Contacts of round bodies are with no vertex and no edge that samples could be matched by.
        let all_meshes = scene.bodies().iter().all(|body| !matches!(body.form, Form::Solid(_)));
        let against = exact.as_ref().zip(facing.as_ref().ok()).filter(|_| all_meshes);
        let against = against.map(|both| against_exact(scene, both, &results));
        rows.push(Row::of(scene, &results, against));
        if method == Method::Exact {
            exact = Some(results);
        }
    }
    if scene.pairs().next().is_some() {
        progress.stage("timing the method trace");
        match facing.and_then(|facing| traced::row(scene, &facing, repeat)) {
            Ok(row) => rows.push(row),
            Err(reason) => refused.push(Refused { method: "trace", reason }),
        }
    }
    let (title, bodies) = (scene.title().to_string(), scene.bodies().len());
    let pairs = scene.pairs().count();
    Comparison { title, bodies, pairs, rows, refused }
}

/// The pairs that come near each other for any of the methods, in order: all are asked about the
/// same.
fn near_pairs(scene: &Scene) -> Vec<[usize; 2]> {
    let engines = METHODS.map(|method| Engine::usual(method, Options::default()));
    let near = engines.iter().flat_map(|engine| scene.near_pairs(engine.door()));
    let mut pairs: Vec<[usize; 2]> = near.collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// What a method does not take, without the names of the first bodies that it met.
fn reason(error: &EngineError) -> String {
    match error {
        EngineError::Solid { method: Method::Exact, .. } => {
            "takes meshes and round bodies only, and a body is neither".to_string()
        }
        EngineError::Solid { .. } => "takes meshes only, and a body is none".to_string(),
        EngineError::Deforms { .. } => "takes rigid bodies only, and one has frames".to_string(),
        other => other.to_string(),
    }
}

/// Why there is nothing to compare.
#[derive(Debug, Error, Diagnostic)]
#[error("no method takes the scene {}: {reasons}", plain(&scene.display().to_string()))]
#[diagnostic(help("change what they do not take; `chasles docs compare` says what each takes"))]
pub struct NoMethod {
    scene: PathBuf,
    reasons: String,
}

impl Comparison {
    /// Fails if no method takes the scene.
    fn check(&self, scene: &Path) -> Result<(), NoMethod> {
        if self.pairs == 0 || !self.rows.is_empty() {
            return Ok(());
        }
        let reason = |refused: &Refused| format!("{}: {}", refused.method, plain(&refused.reason));
        let reasons: Vec<String> = self.refused.iter().map(reason).collect();
        Err(NoMethod { scene: scene.to_path_buf(), reasons: reasons.join("; ") })
    }
}

impl Row {
    fn of(scene: &Scene, results: &Results, against: Option<Against>) -> Self {
        let contacts = results.pairs.iter().flat_map(|pair| &pair.contacts);
        let mut times: Vec<f64> = contacts.map(|contact| contact.time).collect();
        times.sort_by(f64::total_cmp);
        let timing = results.timing.unwrap_or(Timing {
            runs: 0,
            median: Duration::ZERO,
            min: Duration::ZERO,
        });
        let options = results.method.resolution().unwrap_or_else(|| "to rounding".to_string());
        Self {
            method: results.method.method().name(),
            options,
            timing,
            times,
            matched: matched(&results.method),
            missed: results.missed(scene),
            against,
        }
    }
}

/// What is sought for a method, and what its contacts are matched with, in a line.
fn matched(method: &HowFound) -> &'static str {
    match method {
        HowFound::Exact => "",
        HowFound::Screen(_) => {
            "sought are facing contacts that do not graze; matched one to one: same or adjacent \
             features, overlapping brackets of time"
        }
        HowFound::Path(..) => {
            "sought are contacts of a vertex and a face that approach, and facing ones of two \
             edges, unless they graze; matched one to one: the same vertex within 4 precisions, or \
             a sample of an edge that crosses, within the missed depth"
        }
    }
}

/// Compares all pairs with what the exact method says of all contacts and of facing ones.
fn against_exact(scene: &Scene, (exact, facing): (&Results, &Results), other: &Results) -> Against {
    let mut sum = Against::default();
    let pairs = exact.pairs.iter().zip(&facing.pairs).zip(&other.pairs);
    for ((exact, facing), other_pair) in pairs {
        let meshes = exact.bodies.map(|body| scene.bodies()[body].mesh());
        let meshes = Meshes::new(meshes, exact.starts_in_overlap())
            .missing(other_pair.missed_depth.unwrap_or_default());
        let sought: Vec<Found> = match other.method {
            HowFound::Path(..) => {
                let vertices = exact.contacts.iter().filter(|c| is_of_vertex(c));
                let edges = facing.contacts.iter().filter(|c| !is_of_vertex(c));
                vertices.chain(edges).filter(|c| enters(c)).copied().collect()
            }
            _ => facing.contacts.iter().filter(|c| enters(c)).copied().collect(),
        };
        sum += meshes.against((&exact.contacts, &sought), &other_pair.contacts, &other.method);
    }
    sum
}

/// Whether features come to each other from outside. What slides along or stays in touch crosses
/// nothing, and only the exact method looks for it.
fn enters(contact: &Found) -> bool {
    contact.normal_speed < 0.0 && !contact.grazing
}

/// Whether a vertex touches a face.
fn is_of_vertex(contact: &Found) -> bool {
    use chasles::Features::{Fv, Vf};
    matches!(contact.features, Features::Meshes(Fv { .. } | Vf { .. }))
}
