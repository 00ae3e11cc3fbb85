//! The command line.

mod compare;
mod demo;
mod examples;
mod known;
mod look;
mod play;
mod scenes;

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub use compare::CompareArgs;
pub use demo::DemoArgs;
use examples::{
    COLLIDE_EXAMPLES, COMPLETIONS_EXAMPLES, DOCS_EXAMPLES, EXAMPLES, FIELD_EXAMPLES,
    INSPECT_EXAMPLES, MAN_EXAMPLES, QUERIES_EXAMPLES, SCHEMA_EXAMPLES, SIMULATE_EXAMPLES,
    TRACE_EXAMPLES,
};
use known::{page_name, scene_path};
pub use look::{FilmArgs, FilmError, LookArgs, only_stills};
pub use play::PlayArgs;
pub use scenes::ScenesArgs;

use crate::room::Room;
use crate::written::Written;

/// When, where and how moving bodies touch.
#[derive(Debug, Parser)]
#[command(name = "chasles", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// What the command line takes, with the words of each command.
    pub fn described() -> clap::Command {
        let stills = |name: &'static str, help: &'static str| {
            move |command: clap::Command| {
                command.mut_arg("picture", |picture| picture.value_name(name).help(help))
            }
        };
        let draws = "Draw the bodies where they start and end, with what stops them";
        let odd = "Draw the mesh with its odd edges and vertices";
        Self::command()
            .mut_subcommand("trace", stills("FILE.png|svg", draws))
            .mut_subcommand("inspect", stills("FILE.png|svg", odd))
    }

    /// The arguments of a command line.
    ///
    /// *Fails* with what to print on wrong ones, and where help or the version is asked for.
    pub fn read(
        arguments: impl IntoIterator<Item = std::ffi::OsString>,
    ) -> Result<Self, clap::Error> {
        let matches = Self::described().try_get_matches_from(arguments)?;
        Self::from_arg_matches(&matches)
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// All contacts of one step, for every pair of bodies
    Collide(CollideArgs),
    /// All methods that take a scene, side by side
    Compare(CompareArgs),
    /// Bodies with mass, and sheets such as cloth, that move, collide and come to rest
    Simulate(SimulateArgs),
    /// How far a body gets through a world, and what stops it
    Trace(TraceArgs),
    /// Counts, findings and bounds of a mesh file
    Inspect(InspectArgs),
    /// Sample the signed distance from a mesh into a file for scenes
    Field(FieldArgs),
    /// Decide and time labelled queries: hits, false hits, misses
    Queries(QueriesArgs),
    /// List the built-in scenes, or copy them
    Scenes(ScenesArgs),
    /// A first result without a scene: two tori collide, on a page and in a table
    Demo(DemoArgs),
    /// The engine in a browser: move bodies, throw them, and see what they do
    Play(PlayArgs),
    /// Print a page of the documentation, or the list of all
    #[command(after_help = DOCS_EXAMPLES)]
    Docs {
        /// The page
        #[arg(value_parser = page_name(), hide_possible_values = true)]
        page: Option<String>,
    },
    /// Print the JSON schema of scene files
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema,
    /// Print the manual page of the program or of a command
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// The command
        command: Option<String>,
    },
    /// Print a script that completes commands, options and built-in scenes in a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// How contacts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Every contact of the relative screw, to rounding
    Exact,
    /// Facing contacts, to a pixel of the collision screen
    Screen,
    /// Samples of either body against the other, any solid, to a precision and a stated depth
    Path,
}

impl Method {
    /// The name used on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Screen => "screen",
            Self::Path => "path",
        }
    }
}

/// By what the screen sorts the records of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SortBy {
    /// By place: for bodies that are nearly convex
    Height,
    /// By time: compares less where many layers lie behind each other and the step is short, such
    /// as a bolt that turns by a few degrees in its nut; the paper's method, not faster where
    /// measured
    Time,
    /// Not sorted, but found in a hash table; with --drawing pixels only, and never faster where it
    /// was measured
    Hash,
}

/// How the screen draws bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DrawBy {
    /// What is fastest: pairs where features are few, rows otherwise
    Auto,
    /// The paper's own: Bresenham's pixels, and times as they say. --pixels is the dial: fewer are
    /// cheaper and coarser, more are dearer and finer
    Pixels,
    /// Lines in rows as high as a short edge is long; times are those of roots
    Rows,
    /// Features are compared pair by pair; times are those of roots
    Pairs,
}

/// A moment that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// A fraction of the step.
    Time(f64),
    /// The time of each proper, approaching contact.
    Proper,
}

/// Arguments of `chasles collide`.
#[derive(Debug, Args)]
#[command(after_help = COLLIDE_EXAMPLES)]
pub struct CollideArgs {
    /// The scene file (TOML or JSON), the name of a built-in scene, or `-` for standard input
    #[arg(value_name = "SCENE.toml", value_parser = scene_path("collide"))]
    #[arg(hide_possible_values = true)]
    pub scene: PathBuf,
    /// How contacts are found
    #[arg(long, value_enum, default_value = "exact")]
    pub method: Method,
    /// Leave out contacts with a lower properness; -1 keeps everything
    #[arg(long, value_name = "P", default_value = "-1", value_parser = properness)]
    #[arg(allow_negative_numbers = true)]
    pub min_properness: f64,
    /// Only the first contact of each pair; the screen finds all and keeps that one
    #[arg(long)]
    pub first: bool,
    /// Only approaching, touchable contacts between features that face each other: all touchable
    /// ones that the screen reports, but for near misses of --robust that move apart
    #[arg(long)]
    pub facing: bool,
    /// Only contacts that closed bodies can make from outside: not at reflex edges, nor at vertices
    /// whose surroundings no half-space holds
    #[arg(long)]
    pub touchable: bool,
    /// Only contacts in this part of the step, as fractions of it, bounds included
    #[arg(long, num_args = 2, value_names = ["T0", "T1"], value_parser = fraction)]
    #[arg(allow_negative_numbers = true)]
    pub window: Option<Vec<f64>>,
    /// Cut the step, into 4096 parts at most, until points of the smaller body are proven to leave
    /// the relative screws by at most this length; the step of a body that flies is cut at a 1000th
    /// of that body anyway
    #[arg(long, value_name = "LENGTH", value_parser = above_zero, allow_negative_numbers = true)]
    pub max_departure: Option<f64>,
    /// In the results as JSON, faces and edges that lie on each other up to this length are one
    /// flat contact with its polygon or segment, instead of the contacts in its points
    #[arg(long, value_name = "LENGTH", value_parser = above_zero, allow_negative_numbers = true)]
    #[arg(requires = "json")]
    pub flat: Option<f64>,
    /// Time N repetitions of the query after a first one, without set-up and output
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_RUNS))]
    pub repeat: Option<u32>,
    /// The time of the picture, as a fraction of the step, or several with commas between, each in
    /// a panel of its own; `proper` is that of each proper, approaching contact. By default that of
    /// the first of these
    #[arg(long, value_name = "T,...", requires = "picture", value_delimiter = ',')]
    #[arg(value_parser = moment, allow_negative_numbers = true)]
    pub at: Vec<At>,
    /// Write all bodies and their motion as an animation that viewers play: a second is the step
    #[arg(long, value_name = "FILE.glb", value_parser = film_path)]
    pub gltf: Option<PathBuf>,
    /// The page: before what has a heading of its own.
    #[command(flatten)]
    pub report: ReportArgs,
    /// Put the engine into the report, so that bodies can be moved and options changed there
    #[arg(long, requires = "report")]
    pub live: bool,
    /// Where results go.
    #[command(flatten)]
    pub output: OutputArgs,
    /// How animated pictures run.
    #[command(flatten)]
    pub film: FilmArgs,
    /// What only the screen knows.
    #[command(flatten)]
    pub screen: ScreenArgs,
    /// What only the path method knows.
    #[command(flatten)]
    pub path: PathArgs,
}

/// Options of `--method path`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Options of --method path")]
pub struct PathArgs {
    /// How near a sample is to a solid when it touches, a length [default: 1e-6]
    #[arg(long, value_name = "EPS", value_parser = above_zero, allow_negative_numbers = true)]
    pub precision: Option<f64>,
    /// Sample bodies so that no point of a surface is farther than this from a sample; what is less
    /// deep may be missed. inf: only vertices of meshes [default: 1/48 of the root of a body's
    /// area]
    #[arg(long, value_name = "LENGTH", value_parser = cover, allow_negative_numbers = true)]
    pub cover: Option<f64>,
    /// Follow paths by straight segments: only the first entry of each sample, and none that is
    /// less deep than the precision
    #[arg(long)]
    pub segments: bool,
}

impl PathArgs {
    /// The name of an option that is given, if any is.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            (self.precision.is_some(), "--precision"),
            (self.cover.is_some(), "--cover"),
            (self.segments, "--segments"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}

/// Options of `--method screen`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Options of --method screen")]
pub struct ScreenArgs {
    /// Pixels along a typical short edge of the two bodies [default: 12]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub pixels: Option<u32>,
    /// The length of a pixel, instead of --pixels
    #[arg(long, value_name = "LENGTH", conflicts_with = "pixels", value_parser = above_zero)]
    #[arg(allow_negative_numbers = true)]
    pub pixel_length: Option<f64>,
    /// How bodies are drawn [default: auto]
    #[arg(long, value_enum, value_name = "WAY")]
    pub drawing: Option<DrawBy>,
    /// Follow curves to this fraction of the step [default: the time in which the fastest point
    /// moves by a pixel]
    #[arg(long, value_name = "T", value_parser = above_zero)]
    #[arg(allow_negative_numbers = true)]
    pub time_resolution: Option<f64>,
    /// Report everything that comes within a pixel, and not only what crosses
    #[arg(long)]
    pub robust: bool,
    /// By what records are sorted; changes the cost only [default: height]
    #[arg(long, value_enum, value_name = "KEY")]
    pub order: Option<SortBy>,
    /// Look with pixels K times larger first, and then only at faces that may meet: the paper's
    /// method, slower wherever it was measured [default: 1]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub coarse_first: Option<u32>,
    /// Collide a coarse polytope around each body first: the paper's method, hardly ever faster
    /// than the boxes that are collided anyhow
    #[arg(long)]
    pub hull_first: bool,
    /// Give up beyond so many pixel records a body, some 52 bytes each [default: 4194304]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_RECORDS))]
    pub max_records: Option<u32>,
    /// Draw and search on graphics hardware, all pairs at once, in rows; on the adapter whose name
    /// contains NAME, or else the best. For programs that are built with the feature `gpu`
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "", conflicts_with_all = ["drawing", "order", "coarse_first"])]
    pub device: Option<String>,
    /// Let --picture show the collision screen with its contacts, instead of the bodies in space
    #[arg(long, requires = "picture", conflicts_with = "at")]
    pub screen: bool,
}

impl ScreenArgs {
    /// The name of an option that is given, if any is.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            (self.pixels.is_some(), "--pixels"),
            (self.pixel_length.is_some(), "--pixel-length"),
            (self.drawing.is_some(), "--drawing"),
            (self.time_resolution.is_some(), "--time-resolution"),
            (self.robust, "--robust"),
            (self.order.is_some(), "--order"),
            (self.coarse_first.is_some(), "--coarse-first"),
            (self.hull_first, "--hull-first"),
            (self.max_records.is_some(), "--max-records"),
            (self.device.is_some(), "--device"),
            (self.screen, "--screen"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}

/// Arguments of `chasles simulate`.
#[derive(Debug, Args)]
#[command(after_help = SIMULATE_EXAMPLES)]
pub struct SimulateArgs {
    /// The scene file (TOML or JSON), the name of a built-in scene, or `-` for standard input
    #[arg(value_name = "SCENE.toml", value_parser = scene_path("simulate"))]
    #[arg(hide_possible_values = true)]
    pub scene: PathBuf,
    /// How long, in seconds [default: as the scene says, or 5]
    #[arg(long, value_name = "S", value_parser = above_zero, allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// The length of a step, in seconds [default: as the scene says, or 1/60]
    #[arg(long, value_name = "S", value_parser = above_zero, allow_negative_numbers = true)]
    pub dt: Option<f64>,
    /// Write a line of JSON for each step; `-` is standard output, and then nothing else is printed
    /// there
    #[arg(long, value_name = "FILE.jsonl")]
    pub trajectory: Option<PathBuf>,
    /// Write all bodies and their motion as an animation that viewers play, with a
    /// key for each step; sheets are left out
    #[arg(long, value_name = "FILE.glb", value_parser = film_path)]
    pub gltf: Option<PathBuf>,
    /// Use so many threads; the results are the same with any number [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Look for bodies in each other after every step, and for bodies that cross each other within
    /// it; without this only after the last
    #[arg(long)]
    pub check: bool,
    /// Let --picture show this moment, in seconds [default: the end]
    #[arg(long, value_name = "T", requires = "picture", value_parser = distance)]
    #[arg(allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// The page: before what has a heading of its own.
    #[command(flatten)]
    pub report: ReportArgs,
    /// Where results go.
    #[command(flatten)]
    pub output: OutputArgs,
    /// How animated pictures run.
    #[command(flatten)]
    pub film: FilmArgs,
}

impl SimulateArgs {
    /// Whether the table is printed.
    pub fn has_table(&self) -> bool {
        let is_stdout = self.trajectory.as_deref().is_some_and(|path| path.as_os_str() == "-");
        self.output.has_table() && !is_stdout
    }
}

/// Arguments of `chasles trace`.
#[derive(Debug, Args)]
#[command(after_help = TRACE_EXAMPLES)]
pub struct TraceArgs {
    /// The scene file (TOML or JSON), the name of a built-in scene, or `-` for standard input
    #[arg(value_name = "SCENE.toml", value_parser = scene_path("trace"))]
    #[arg(hide_possible_values = true)]
    pub scene: PathBuf,
    /// The thickness of the expel zone; one that is too thin for rounding is made thicker
    /// [default: as thin as rounding allows]
    #[arg(long, value_name = "E", value_parser = thickness, allow_negative_numbers = true)]
    pub thickness: Option<f64>,
    /// Also list all contacts within this distance where the body ends
    #[arg(long, value_name = "DISTANCE", value_parser = distance, allow_negative_numbers = true)]
    pub contacts: Option<f64>,
    /// The page: before what has a heading of its own.
    #[command(flatten)]
    pub report: ReportArgs,
    /// Where results go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Arguments of `chasles inspect`.
#[derive(Debug, Args)]
#[command(after_help = INSPECT_EXAMPLES)]
pub struct InspectArgs {
    /// The mesh file: OBJ, STL, PLY, OFF or glTF/GLB
    pub mesh: PathBuf,
    /// Join vertices within this length of each other, as `weld` of a scene does; 0 joins equal
    /// ones only [default: 1e-12 of the size]
    #[arg(long, value_name = "LENGTH")]
    pub weld: Option<f64>,
    /// Where results go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Arguments of `chasles field`.
#[derive(Debug, Args)]
#[command(after_help = FIELD_EXAMPLES)]
pub struct FieldArgs {
    /// The mesh file: OBJ, STL, PLY, OFF or glTF/GLB
    pub mesh: PathBuf,
    /// Cells along the longest side of the mesh
    #[arg(long, value_name = "N", default_value = "64")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub cells: u32,
    /// The file to write; `-` is standard output, and then nothing else is printed there
    #[arg(long, short, value_name = "FILE.sdf")]
    pub output: PathBuf,
    /// Print no table and show no progress
    #[arg(long)]
    pub quiet: bool,
}

/// Arguments of `chasles queries`.
#[derive(Debug, Args)]
#[command(after_help = QUERIES_EXAMPLES)]
pub struct QueriesArgs {
    /// Files of labelled queries, with `.vf.` or `.ee.` in their names
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Write counts and times as JSON; `-` is standard output, and then nothing else is printed
    /// there
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a line for each query: 0, or 1 with the first time and the bounds of its bracket;
    /// those of several files follow each other in the order in which the files are named
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Print no table and show no progress
    #[arg(long)]
    pub quiet: bool,
}

impl QueriesArgs {
    /// Whether the table is printed.
    pub fn has_table(&self) -> bool {
        let is_stdout =
            |path: &Option<PathBuf>| path.as_deref().is_some_and(|p| p.as_os_str() == "-");
        !self.quiet && !is_stdout(&self.json) && !is_stdout(&self.answers)
    }
}

/// What all commands share. What `--open` can show is in the group `shown`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("shown").multiple(true))]
pub struct OutputArgs {
    /// Write the results as JSON; `-` is standard output, and then nothing else is printed there
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Draw the scene with its contacts; as .gif or .apng the picture is an animation
    #[arg(long, value_name = "FILE.png|svg|gif|apng", value_parser = picture_path, group = "shown")]
    pub picture: Option<PathBuf>,
    /// Show what was written, the report or else the picture, with the program that the system
    /// has for it
    #[arg(long, requires = "shown")]
    pub open: bool,
    /// Print no table, show no progress, and do not name the files that are written
    #[arg(long)]
    pub quiet: bool,
    /// How pictures look.
    #[command(flatten)]
    pub look: LookArgs,
}

impl OutputArgs {
    /// The JSON and the picture, where they are asked for.
    pub(crate) fn files(&self) -> [Option<&Path>; 2] {
        [self.json.as_deref(), self.picture.as_deref()]
    }
}

/// The page that `collide`, `simulate` and `trace` make.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Write a page to look at in a browser, also without a network: the bodies in motion, with all
    /// that was found
    #[arg(long, value_name = "FILE.html", value_parser = report_path, group = "shown")]
    pub report: Option<PathBuf>,
}

impl OutputArgs {
    /// How long the table is beside the files of the command.
    pub(crate) fn room<'r>(&'r self, report: Option<&'r Path>) -> Room<'r> {
        Room::beside([report, self.json.as_deref()], self.picture.as_deref())
    }

    /// Names the files of the command when they are there, and shows one if that is asked for.
    /// `more` is beside the report what else was asked for.
    pub(crate) fn tell(&self, report: Option<&Path>, more: &[(&'static str, Option<&Path>)]) {
        let mut files = vec![("report", report), ("picture", self.picture.as_deref())];
        files.extend(more);
        files.push(("JSON", self.json.as_deref()));
        Written { files: &files, quiet: self.quiet, open: self.open }.tell();
    }

    /// Whether the table is printed.
    pub fn has_table(&self) -> bool {
        !self.quiet && self.json.as_deref().is_none_or(|path| path.as_os_str() != "-")
    }
}

/// Every run keeps its duration in memory: a million are 8 MB.
const MOST_RUNS: i64 = 1_000_000;

/// The largest length, as in scene files.
const LARGEST: f64 = 1e100;

/// Both bodies then take at most some 7 GB.
const MOST_RECORDS: i64 = 1 << 26;

fn number_within(text: &str, low: f64, high: f64) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if (low..=high).contains(&number) {
        Ok(number)
    } else {
        Err(format!("must be a number from {low} to {high}"))
    }
}

fn properness(text: &str) -> Result<f64, String> {
    number_within(text, -1.0, 1.0)
}

fn fraction(text: &str) -> Result<f64, String> {
    number_within(text, 0.0, 1.0)
}

fn above_zero(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if number.is_finite() && number > 0.0 {
        Ok(number)
    } else {
        Err("must be a finite number above 0".to_string())
    }
}

/// A length, or `inf` for vertices alone.
fn cover(text: &str) -> Result<f64, String> {
    match text {
        "inf" => Ok(f64::INFINITY),
        _ => above_zero(text).map_err(|error| format!("{error}, or inf")),
    }
}

fn thickness(text: &str) -> Result<f64, String> {
    above_zero(text)
        .and_then(|x| if x <= LARGEST { Ok(x) } else { Err("must be at most 1e100".to_string()) })
}

fn distance(text: &str) -> Result<f64, String> {
    let error = "must be a number from 0 to 1e100";
    number_within(text, 0.0, LARGEST).map_err(|_| error.to_string())
}

fn moment(text: &str) -> Result<At, String> {
    if text == "proper" {
        return Ok(At::Proper);
    }
    fraction(text).map(At::Time).map_err(|error| format!("{error}, or `proper`"))
}

fn film_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().map(|ending| ending.eq_ignore_ascii_case("glb")) {
        Some(true) => Ok(path),
        _ => Err("the name of an animation must end in .glb".to_string()),
    }
}

fn report_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("html" | "htm") => Ok(path),
        _ => Err("the name of a report must end in .html".to_string()),
    }
}

fn picture_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("png" | "svg" | "gif" | "apng") => Ok(path),
        _ => Err("the name of a picture must end in .png or .svg, or .gif or .apng".to_string()),
    }
}
