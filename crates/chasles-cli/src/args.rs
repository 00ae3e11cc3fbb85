//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  chasles collide scenes/tori.toml
  chasles collide scenes/cubes.toml --first --json -
  chasles collide scenes/spin.toml --window 0 0.5 --repeat 100 --quiet --json spin.json
  chasles collide scenes/cars.toml --picture cars.png
  chasles inspect scenes/meshes/gear.obj
  chasles schema > scene.schema.json

Exit status: 0 the command did its work (contacts or none), 2 the input is wrong or a result
cannot be written, 130 interrupted.";

const COLLIDE_EXAMPLES: &str = "\
Examples:
  chasles collide scenes/tori.toml
  chasles collide scenes/tori.toml --min-properness -0.1 --facing
  chasles collide scenes/tori.toml --picture tori.png
  chasles collide scenes/cars.toml --picture end.svg --at 1
  chasles collide scenes/cubes.toml --first --json - | jq '.pairs[].contacts[0].time'

The keys of a scene file are explained in docs/scenes.md; `chasles schema` prints them as a JSON
schema.";

const INSPECT_EXAMPLES: &str = "\
Examples:
  chasles inspect scenes/meshes/gear.obj
  chasles inspect scan.ply --json - | jq .findings
  chasles inspect scan.ply --picture scan.png";

/// When, where and how moving bodies touch.
#[derive(Debug, Parser)]
#[command(name = "chasles", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// All contacts of one step, for every pair of bodies
    Collide(CollideArgs),
    /// Counts, findings and bounds of a mesh file
    Inspect(InspectArgs),
    /// Print the JSON schema of scene files
    Schema,
    /// Print a script that completes commands and options in a shell
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
}

impl Method {
    /// The name used on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
        }
    }
}

/// Arguments of `chasles collide`.
#[derive(Debug, Args)]
#[command(after_help = COLLIDE_EXAMPLES)]
pub struct CollideArgs {
    /// The scene file
    #[arg(value_name = "SCENE.toml")]
    pub scene: PathBuf,
    /// How contacts are found
    #[arg(long, value_enum, default_value = "exact")]
    pub method: Method,
    /// Leave out contacts with a lower properness; -1 keeps everything
    #[arg(long, value_name = "P", default_value = "-1", value_parser = properness)]
    #[arg(allow_negative_numbers = true)]
    pub min_properness: f64,
    /// Only the first contact of each pair
    #[arg(long)]
    pub first: bool,
    /// Only approaching contacts between features that face each other
    #[arg(long)]
    pub facing: bool,
    /// Only contacts in this part of the step, as fractions of it, bounds included
    #[arg(long, num_args = 2, value_names = ["T0", "T1"], value_parser = fraction)]
    #[arg(allow_negative_numbers = true)]
    pub window: Option<Vec<f64>>,
    /// Time N repetitions of the query after a first one, without set-up and output
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_RUNS))]
    pub repeat: Option<u32>,
    /// The time of the picture, as a fraction of the step; by default that of the first proper
    /// contact
    #[arg(long, value_name = "T", requires = "picture", value_parser = fraction)]
    #[arg(allow_negative_numbers = true)]
    pub at: Option<f64>,
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
    /// Where results go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What all commands share.
#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Write the results as JSON; `-` is standard output, and then nothing else is printed there
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Draw the scene with its contacts, or the mesh with its odd edges and vertices
    #[arg(long, value_name = "FILE.png|svg", value_parser = picture_path)]
    pub picture: Option<PathBuf>,
    /// Print no table and show no progress
    #[arg(long)]
    pub quiet: bool,
}

impl OutputArgs {
    /// Whether the table is printed.
    pub fn has_table(&self) -> bool {
        !self.quiet && self.json.as_deref().is_none_or(|path| path.as_os_str() != "-")
    }
}

/// Every run keeps its duration in memory: a million are 8 MB.
const MOST_RUNS: i64 = 1_000_000;

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

fn picture_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("png" | "svg") => Ok(path),
        _ => Err("the name of a picture must end in .png or .svg".to_string()),
    }
}
