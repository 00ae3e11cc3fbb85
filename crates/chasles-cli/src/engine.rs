//! The methods that `collide` can ask, behind one call.

use std::path::Path;

use chasles::screen::{self, Order, Resolution, ScreenError};
use chasles::{Collider, Contact, Options, Step, Workspace, contacts};
use miette::Diagnostic;
use thiserror::Error;

use crate::args::{CollideArgs, Method, ScreenArgs, SortBy};
use crate::results::{HowFound, ScreenCost};

/// Why options or bodies are refused.
#[derive(Debug, Error, Diagnostic)]
pub enum EngineError {
    /// A window that is none.
    #[error("the window {0:?} ends before it starts")]
    #[diagnostic(help("write the earlier time first, as in --window 0.25 0.75"))]
    Window(Vec<f64>),
    /// An option of a method that was not asked for.
    #[error("{0} is an option of the screen, and the method is exact")]
    #[diagnostic(help("add --method screen, or leave {0} out"))]
    NotOfExact(&'static str),
    /// The screen cannot answer.
    #[error("{place}{error}")]
    Screen {
        /// The scene and the bodies.
        place: String,
        /// What is wrong.
        error: ScreenError,
        /// What would be right.
        #[help]
        help: &'static str,
    },
}

impl EngineError {
    fn screen(error: ScreenError) -> Self {
        let help = match error {
            ScreenError::TooManyRecords { .. } => {
                "lower --pixels or raise --pixel-length for larger pixels, or allow more records \
                 with --max-records"
            }
            _ => "give another value; docs/screen.md explains the options",
        };
        Self::Screen { place: String::new(), error, help }
    }

    /// The same error with the scene and the bodies that it is about.
    #[must_use]
    pub fn of(self, scene: &Path, [a, b]: &[String; 2]) -> Self {
        match self {
            Self::Screen { error, help, .. } => {
                Self::Screen { place: format!("{}, {a} and {b}: ", scene.display()), error, help }
            }
            other => other,
        }
    }
}

/// A method with its options and its memory.
#[derive(Debug)]
pub enum Engine {
    /// The exact method.
    Exact {
        /// What to look for.
        options: Options,
        /// Reused from pair to pair.
        workspace: Box<Workspace>,
    },
    /// The screen.
    Screen {
        /// How finely, and with which threshold.
        options: screen::Options,
        /// What of the contacts is kept.
        kept: Options,
        /// Reused from pair to pair.
        workspace: Box<screen::Workspace>,
        /// Contacts that are kept.
        contacts: Vec<Contact>,
    },
}

impl Engine {
    /// The method that was asked for.
    ///
    /// *Accepts* what the command line accepts. *Fails* on a window that ends before it starts, and
    /// on options of another method.
    pub fn new(args: &CollideArgs) -> Result<Self, EngineError> {
        let options = options(args)?;
        match (args.method, args.screen.first_given()) {
            (Method::Exact, Some(option)) => Err(EngineError::NotOfExact(option)),
            (Method::Exact, None) => Ok(Self::Exact { options, workspace: Box::default() }),
            (Method::Screen, _) => Ok(Self::Screen {
                options: screen_options(&args.screen, &options),
                kept: options,
                workspace: Box::default(),
                contacts: Vec::new(),
            }),
        }
    }

    /// The contacts of two bodies, sorted by time.
    ///
    /// *Fails* where the screen would need too many records.
    pub fn contacts(
        &mut self,
        [a, b]: [&Collider; 2],
        step: &Step,
    ) -> Result<&[Contact], EngineError> {
        match self {
            Self::Exact { options, workspace } => Ok(contacts(a, b, step, options, workspace)),
            Self::Screen { options, kept, workspace, contacts } => {
                let found = screen::contacts(a, b, step, options, workspace);
                let found = found.map_err(EngineError::screen)?;
                contacts.clear();
                contacts.extend(found.iter().filter(|contact| keeps(kept, contact)));
                if kept.first_only {
                    contacts.truncate(1);
                }
                Ok(contacts)
            }
        }
    }

    /// What the last query of the screen cost.
    pub fn cost(&self, [a, b]: [&Collider; 2]) -> Option<ScreenCost> {
        let Self::Screen { options, workspace, .. } = self else { return None };
        let pixel = options.pixel(a, b).ok()?;
        Some(ScreenCost { pixel, statistics: workspace.statistics() })
    }

    /// The method, for results.
    pub fn method(&self) -> HowFound {
        match self {
            Self::Exact { .. } => HowFound::Exact,
            Self::Screen { options, .. } => HowFound::Screen(*options),
        }
    }
}

/// Whether a contact of the screen is asked for; the threshold is its own.
fn keeps(options: &Options, contact: &Contact) -> bool {
    let [from, to] = options.window;
    let approaches = !options.facing || contact.normal_speed <= 0.0;
    (from..=to).contains(&contact.time) && approaches
}

/// What to look for, which the command line has checked but for the order of the window.
fn options(args: &CollideArgs) -> Result<Options, EngineError> {
    let window = match args.window.as_deref() {
        Some(&[t0, t1]) if t0 <= t1 => [t0, t1],
        Some(window) => return Err(EngineError::Window(window.to_vec())),
        None => Options::default().window,
    };
    Ok(Options {
        min_properness: args.min_properness,
        facing: args.facing,
        first_only: args.first,
        window,
    })
}

fn screen_options(args: &ScreenArgs, kept: &Options) -> screen::Options {
    let default = screen::Options::default();
    let resolution = match (args.pixels, args.pixel_length) {
        (Some(pixels), _) => Resolution::Pixels(pixels),
        (None, Some(length)) => Resolution::Length(length),
        (None, None) => default.resolution,
    };
    screen::Options {
        resolution,
        time_resolution: args.time_resolution,
        min_properness: kept.min_properness,
        robust: args.robust,
        order: match args.order {
            Some(SortBy::Time) => Order::Time,
            Some(SortBy::Height) | None => default.order,
        },
        coarse_first: args.coarse_first.unwrap_or(default.coarse_first),
        max_records: args.max_records.map_or(default.max_records, |records| records as usize),
        ..default
    }
}
