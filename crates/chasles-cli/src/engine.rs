//! The methods that `collide` can ask, behind one call.

use std::path::Path;

use chasles::deform::Moving;
use chasles::screen::{self, Order, Resolution, ScreenError};
use chasles::{Contact, Features, Options, Workspace, contacts, deform};
use miette::Diagnostic;
use thiserror::Error;

use crate::args::{CollideArgs, Method, ScreenArgs, SortBy};
use crate::results::{HowFound, ScreenCost};
use crate::scene::{Motion, Query, Rigid};

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
    /// A body that only the exact method takes.
    #[error("{place}the screen takes rigid bodies only, and one of these has frames")]
    #[diagnostic(help("leave out --method screen: the exact method takes bodies with frames"))]
    Deforms {
        /// The scene and the bodies.
        place: String,
    },
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
        let place = format!("{}, {a} and {b}: ", scene.display());
        match self {
            Self::Screen { error, help, .. } => Self::Screen { place, error, help },
            Self::Deforms { .. } => Self::Deforms { place },
            other => other,
        }
    }
}

/// What queries of bodies that deform reuse.
#[derive(Debug, Default)]
pub struct Straight {
    workspace: deform::Workspace,
    /// Contacts that are kept.
    contacts: Vec<Contact>,
}

impl Straight {
    /// The contacts of two bodies, in the frame of A if that is rigid and so has one.
    fn of_two(
        &mut self,
        [a, b]: &[Moving<'_>; 2],
        rigid: [Option<&Rigid>; 2],
        options: &Options,
    ) -> &[Contact] {
        let found = deform::contacts(a, b, &every_touch(), &mut self.workspace);
        let found = found.iter().filter(|contact| !is_of_cut(rigid, contact.features));
        let found = found.map(|contact| match rigid[0] {
            Some(a) => in_frame_of(&a.motion, contact),
            None => *contact,
        });
        kept(found, options, &mut self.contacts)
    }

    /// The contacts of a body with itself.
    fn of_one(&mut self, surface: &Moving<'_>, options: &Options) -> &[Contact] {
        let found = deform::self_contacts(surface, &every_touch(), &mut self.workspace);
        kept(found.iter().copied(), options, &mut self.contacts)
    }
}

/// As of rigid bodies, all contacts of a pair of features are wanted.
fn every_touch() -> deform::Options {
    deform::Options { every_touch: true, ..deform::Options::default() }
}

/// Whether an edge is none of its rigid body, whose flat polygons are whole.
fn is_of_cut(rigid: [Option<&Rigid>; 2], features: Features) -> bool {
    let Features::Ee { a, b } = features else { return false };
    let is_cut = |(rigid, edge): (Option<&Rigid>, _)| rigid.is_some_and(|r| !r.has_edge(edge));
    rigid.into_iter().zip([a, b]).any(is_cut)
}

/// A contact in the world, with its place on a rigid A.
fn in_frame_of(motion: &Motion, contact: &Contact) -> Contact {
    let world_in_a = motion.pose_at(contact.time).inverse();
    Contact {
        point_in_a: world_in_a.point(contact.point),
        normal_in_a: world_in_a.vector(contact.normal),
        ..*contact
    }
}

/// The contacts that are asked for.
fn kept<'k>(
    found: impl Iterator<Item = Contact>,
    options: &Options,
    kept: &'k mut Vec<Contact>,
) -> &'k [Contact] {
    let is_kept =
        |contact: &Contact| contact.properness >= options.min_properness && keeps(options, contact);
    kept.clear();
    kept.extend(found.filter(is_kept).take(if options.first_only { 1 } else { usize::MAX }));
    kept
}

/// A method with its options and its memory.
#[derive(Debug)]
pub enum Engine {
    /// The exact method.
    Exact {
        /// What to look for.
        options: Options,
        /// Reused from pair to pair of rigid bodies.
        workspace: Box<Workspace>,
        /// Reused from pair to pair of others.
        straight: Box<Straight>,
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
            (Method::Exact, None) => {
                Ok(Self::Exact { options, workspace: Box::default(), straight: Box::default() })
            }
            (Method::Screen, _) => Ok(Self::Screen {
                options: screen_options(&args.screen, &options),
                kept: options,
                workspace: Box::default(),
                contacts: Vec::new(),
            }),
        }
    }

    /// The contacts of two bodies, or of one with itself, sorted by time.
    ///
    /// *Fails* where the screen would need too many records, and where it meets bodies that deform.
    pub fn contacts(&mut self, query: &Query) -> Result<&[Contact], EngineError> {
        match (self, query) {
            (Self::Exact { options, workspace, .. }, Query::Rigid { colliders: [a, b], step }) => {
                Ok(contacts(a, b, step, options, workspace))
            }
            (Self::Exact { options, straight, .. }, Query::Straight { surfaces, rigid }) => {
                Ok(straight.of_two(surfaces, *rigid, options))
            }
            (Self::Exact { options, straight, .. }, Query::Itself(surface)) => {
                Ok(straight.of_one(surface, options))
            }
            (
                Self::Screen { options, kept, workspace, contacts },
                Query::Rigid { colliders: [a, b], step },
            ) => {
                let found = screen::contacts(a, b, step, options, workspace);
                let found = found.map_err(EngineError::screen)?;
                contacts.clear();
                contacts.extend(found.iter().filter(|contact| keeps(kept, contact)));
                if kept.first_only {
                    contacts.truncate(1);
                }
                Ok(contacts)
            }
            (Self::Screen { .. }, Query::Straight { .. } | Query::Itself(_)) => {
                Err(EngineError::Deforms { place: String::new() })
            }
        }
    }

    /// What the last query of the screen cost.
    pub fn cost(&self, query: &Query) -> Option<ScreenCost> {
        let Self::Screen { options, workspace, .. } = self else { return None };
        let Query::Rigid { colliders: [a, b], .. } = query else { return None };
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

/// Whether a contact is asked for, but for its properness, which the screen looks at itself.
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
