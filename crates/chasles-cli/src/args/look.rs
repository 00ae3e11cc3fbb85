//! How pictures look, and how animated ones run.

use std::path::Path;

use chasles_picture::{Drawing, Format, Size};
use clap::{Args, ValueEnum};
use miette::Diagnostic;
use thiserror::Error;

use crate::still::{Canvas, Reel};

/// Width and height in pixels of stills: fits a page, and a PNG stays below 300 KB.
const STILL: [u32; 2] = [1200, 800];

/// The same of animations, whose frames add up.
const ANIMATION: [u32; 2] = [720, 480];

/// Frames a second, unless asked for: smooth, and half as many as would be needless.
const FPS: u32 = 20;

/// How long the animation of a simulation plays at least, in seconds, if it has steps enough: what
/// is shorter is slowed down.
const LEAST_SECONDS: f64 = 3.0;

/// The fewest frames a second that still look like motion.
const SLOWEST: u32 = 4;

/// The most frames: half a minute at the usual rate, and some ten megabytes.
const MOST_FRAMES: u32 = 600;

/// How bodies are drawn, in the words of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DrawingStyle {
    /// Faces in colour, as light falls on them, with thin edges
    Shaded,
    /// Edges only, where no face hides them: for print
    Lines,
}

impl From<DrawingStyle> for Drawing {
    fn from(style: DrawingStyle) -> Self {
        match style {
            DrawingStyle::Shaded => Self::Shaded,
            DrawingStyle::Lines => Self::Lines,
        }
    }
}

/// Options of pictures.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Options of --picture")]
pub struct LookArgs {
    /// How bodies are drawn [default: shaded]
    #[arg(long, value_enum, value_name = "STYLE", requires = "picture")]
    pub style: Option<DrawingStyle>,
    /// Width and height in pixels [default: 1200x800, or 720x480 for animations]
    #[arg(long, value_name = "WxH", requires = "picture", value_parser = size)]
    pub size: Option<Size>,
    /// Leave out title, caption and legend
    #[arg(long, requires = "picture")]
    pub plain: bool,
}

impl LookArgs {
    /// What a picture of this name is drawn on.
    pub fn canvas(&self, path: &Path) -> Canvas {
        let [width, height] = if Format::of(path).is_some() { ANIMATION } else { STILL };
        let usual = Size::new(width, height).expect("both are within the limits");
        Canvas {
            size: self.size.unwrap_or(usual),
            drawing: self.style.map(Drawing::from).unwrap_or_default(),
            is_plain: self.plain,
            has_few_colours: false,
        }
    }
}

/// Options of animated pictures.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Options of --picture")]
pub struct FilmArgs {
    /// How many frames an animated picture has [default: 60, or of a simulation what real time
    /// needs, at most 300; less than 3 s are slowed down to that, or to 4 frames a second where
    /// there are fewer than 12 steps]
    #[arg(long, value_name = "N", requires = "picture")]
    #[arg(value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_FRAMES)))]
    pub frames: Option<u32>,
    /// How many frames of it are shown in a second [default: 20, or fewer for simulations that are
    /// slowed down]
    #[arg(long, value_name = "N", requires = "picture")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=50))]
    pub fps: Option<u32>,
}

/// Why a picture cannot be animated.
#[derive(Debug, Error, Diagnostic)]
pub enum FilmError {
    /// Options of an animation without one.
    #[error("{0} is for animated pictures, and this one is a still")]
    #[diagnostic(help("name a file that ends in .gif or .apng, or leave {0} out"))]
    Still(&'static str),
    /// An option of a still.
    #[error("{0} chooses what a still shows, and this picture is animated")]
    #[diagnostic(help("name a file that ends in .png or .svg, or leave {0} out"))]
    Animated(&'static str),
    /// A command without animations.
    #[error("{0} draws stills only")]
    #[diagnostic(help("name a file that ends in .png or .svg"))]
    StillsOnly(&'static str),
}

impl FilmArgs {
    /// Fails on options that the picture does not have; `of_still` is one that only stills have.
    pub fn check(
        &self,
        picture: Option<&Path>,
        of_still: Option<&'static str>,
    ) -> Result<(), FilmError> {
        let given = [(self.frames.is_some(), "--frames"), (self.fps.is_some(), "--fps")];
        let given = given.into_iter().find(|(is_given, _)| *is_given);
        match (self.is_animated(picture), given, of_still) {
            (false, Some((_, option)), _) => Err(FilmError::Still(option)),
            (true, _, Some(option)) => Err(FilmError::Animated(option)),
            _ => Ok(()),
        }
    }

    /// Whether the picture is animated.
    pub fn is_animated(&self, picture: Option<&Path>) -> bool {
        picture.is_some_and(|path| Format::of(path).is_some())
    }

    /// Frames a second.
    pub fn fps(&self) -> u32 {
        self.fps.unwrap_or(FPS)
    }

    /// How many frames a simulation of so many steps has, and how many are shown in a second.
    ///
    /// In real time, unless that is too short to be seen: then it is slower, with a frame for
    /// each step at most. With `--fps` it is real time always.
    pub fn pace(&self, steps: u32, dt: f64) -> [u32; 2] {
        let seconds = f64::from(steps) * dt;
        let is_slow = self.fps.is_none() && seconds < LEAST_SECONDS;
        let shown = if is_slow { LEAST_SECONDS } else { seconds };
        let frames = self.frames((shown * f64::from(self.fps())).round() + 1.0);
        if !is_slow {
            return [frames, self.fps()];
        }
        let frames = frames.min(steps.saturating_add(1)).max(2);
        let fps = (f64::from(frames - 1) / LEAST_SECONDS).round();
        [frames, (fps as u32).clamp(SLOWEST, FPS)]
    }

    /// How many frames there are, `usual` unless another number is asked for.
    pub fn frames(&self, usual: f64) -> u32 {
        self.frames.unwrap_or(usual.clamp(2.0, f64::from(MOST_FRAMES / 2)) as u32)
    }

    /// How the animation of this name runs; none if it is a still.
    pub fn reel(&self, path: &Path) -> Option<Reel> {
        let format = Format::of(path)?;
        Some(Reel { format, fps: self.fps(), frames: self.frames(60.0) })
    }
}

/// Fails if the picture is animated, for commands that draw stills.
pub fn only_stills(picture: Option<&Path>, command: &'static str) -> Result<(), FilmError> {
    match picture.and_then(Format::of) {
        Some(_) => Err(FilmError::StillsOnly(command)),
        None => Ok(()),
    }
}

fn size(text: &str) -> Result<Size, String> {
    let sides = text.split_once(['x', 'X', '×']);
    let sides = sides.and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let (width, height) = sides.ok_or("must be two numbers, as in 1200x800")?;
    Size::new(width, height).map_err(|error| error.to_string())
}
