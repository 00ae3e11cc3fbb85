//! The methods that `collide` can ask, behind one call.

use std::path::{Path, PathBuf};

use chasles::deform::Moving;
use chasles::motion::MotionError;
use chasles::path::{self, PathError, SamplesError};
use chasles::query::{self, Guarantee, QueryError};
use chasles::screen::{self, Drawing, Order, Resolution, ScreenError};
use chasles::solid::SolidError;
use chasles::{Collider, Contact, Motion, Options, Step, contact, deform};
use chasles_scene::{Query, Rigid};
use miette::Diagnostic;
use thiserror::Error;

use crate::args::{CollideArgs, DrawBy, Method, PathArgs, ScreenArgs, SortBy};
use crate::device::{Device, DeviceCost, DeviceError, Refused};
use crate::results::{Cover, Features, Found, HowFound, ScreenCost};

/// Why options or bodies are refused.
#[derive(Debug, Error, Diagnostic)]
pub enum EngineError {
    /// A window that is none.
    #[error("the window {0:?} ends before it starts")]
    #[diagnostic(help("write the earlier time first, as in --window 0.25 0.75"))]
    Window(Vec<f64>),
    /// An option of a method that was not asked for.
    #[error("{option} is an option of {}, and the method is {}", with_article(*of), method.name())]
    #[diagnostic(help("add --method {}, or leave {option} out", of.name()))]
    OtherMethod {
        /// The option.
        option: &'static str,
        /// The method whose it is.
        of: Method,
        /// The method that was asked for.
        method: Method,
    },
    /// A body that only the path method takes.
    #[error(
        "{place}one of these is {}, which the method {} does not take",
        other(*method),
        method.name()
    )]
    #[diagnostic(help(
        "add --method path: it takes solids, distance fields and formulas; the exact method takes \
         spheres, capsules, cylinders, cones and ellipsoids"
    ))]
    Solid {
        /// The scene and the bodies.
        place: String,
        /// The method that was asked for.
        method: Method,
    },
    /// A body with frames beside one that is no mesh.
    #[error("{place}one of these has frames, and the other is no mesh: no method takes both")]
    #[diagnostic(help("give the other a `mesh` or a `shape`"))]
    SolidBesideFrames {
        /// The scene and the bodies.
        place: String,
    },
    /// Two bodies without samples.
    #[error(
        "{place}neither of these has points to follow: both have no end, or no surface is found"
    )]
    #[diagnostic(help(
        "give one of them a `mesh`, a `shape` or a solid with an end: an `intersection` with a \
         box has one"
    ))]
    TwoSolids {
        /// The scene and the bodies.
        place: String,
    },
    /// A step that cannot be cut as finely as was asked.
    #[error("{place}{error}")]
    #[diagnostic(help("allow a larger --max-departure, or make the step shorter"))]
    Departs {
        /// The scene and the bodies.
        place: String,
        /// What is wrong.
        error: MotionError,
    },
    /// A body that cannot be sampled.
    #[error("the body {body:?} cannot be sampled: {error}")]
    #[diagnostic(help("give another --cover, or mend the body where the message says"))]
    Samples {
        /// Its name.
        body: String,
        /// What is wrong.
        error: SamplesError,
    },
    /// Bodies that can be sampled each, but not together.
    #[error(
        "{}: the bodies need {count} samples together; at most {} are made",
        scene.display(),
        path::Samples::MAX
    )]
    #[diagnostic(help(
        "give a larger --cover (inf: vertices only), or put fewer bodies into the scene"
    ))]
    ManySamples {
        /// The scene.
        scene: PathBuf,
        /// How many there would be.
        count: usize,
    },
    /// A mesh that is no solid.
    #[error("the body {body:?} is no solid: {error}")]
    #[diagnostic(help("mend the mesh where the message says"))]
    MeshSolid {
        /// Its name.
        body: String,
        /// What is wrong.
        error: SolidError,
    },
    /// The path method cannot answer.
    #[error("{place}{error}")]
    #[diagnostic(help(
        "keep the paths of the other body away from there, or write the formula so that it has a \
         value: `sqrt(max(0, x))`, say"
    ))]
    Path {
        /// The scene and the bodies.
        place: String,
        /// What is wrong.
        error: PathError,
    },
    /// A body that only the exact method takes.
    #[error(
        "{place}{} takes rigid bodies only, and one of these has frames",
        with_article(*method)
    )]
    #[diagnostic(help(
        "leave out --method {}: the exact method takes bodies with frames",
        method.name()
    ))]
    Deforms {
        /// The scene and the bodies.
        place: String,
        /// The method that was asked for.
        method: Method,
    },
    /// There is no device, or it does not answer.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Device(#[from] DeviceError),
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
    /// What the front door says of two bodies.
    fn of_query(error: QueryError, method: Method) -> Self {
        let place = String::new();
        match error {
            QueryError::Screen(error) => Self::screen(error),
            QueryError::Path(PathError::NothingToAsk) => Self::TwoSolids { place },
            QueryError::Path(error) => Self::Path { place, error },
            QueryError::Samples { body, error } => Self::Samples { body: body.to_string(), error },
            QueryError::Solid { body, error } => Self::MeshSolid { body: body.to_string(), error },
            // What no method takes is what only the path method does.
            _ => Self::Solid { place, method },
        }
    }

    /// What the front door says of the samples of a body.
    pub fn of_body(error: QueryError, name: &str) -> Self {
        match Self::of_query(error, Method::Path) {
            Self::Samples { error, .. } => Self::Samples { body: name.to_string(), error },
            Self::MeshSolid { error, .. } => Self::MeshSolid { body: name.to_string(), error },
            other => other,
        }
    }

    fn screen(error: ScreenError) -> Self {
        let help = match error {
            ScreenError::TooManyRecords { .. } => {
                "lower --pixels or raise --pixel-length for larger pixels, or allow more records \
                 with --max-records"
            }
            _ => "give another value; `chasles docs screen` explains the options",
        };
        Self::Screen { place: String::new(), error, help }
    }

    /// The same error with the scene and the bodies that it is about.
    #[must_use]
    pub fn of(self, scene: &Path, [a, b]: &[String; 2]) -> Self {
        let place = format!("{}, {a} and {b}: ", scene.display());
        match self {
            Self::Screen { error, help, .. } => Self::Screen { place, error, help },
            Self::Deforms { method, .. } => Self::Deforms { place, method },
            Self::Solid { method, .. } => Self::Solid { place, method },
            Self::TwoSolids { .. } => Self::TwoSolids { place },
            Self::SolidBesideFrames { .. } => Self::SolidBesideFrames { place },
            Self::Departs { error, .. } => Self::Departs { place, error },
            Self::Path { error, .. } => Self::Path { place, error },
            other => other,
        }
    }
}

/// The method in a sentence.
fn with_article(method: Method) -> &'static str {
    match method {
        Method::Exact => "the exact method",
        Method::Screen => "the screen",
        Method::Path => "the path method",
    }
}

/// What a body is that a method does not take.
fn other(method: Method) -> &'static str {
    match method {
        Method::Exact => "neither a mesh nor round",
        Method::Screen | Method::Path => "no mesh",
    }
}

/// Contacts in the words of those who found them.
#[derive(Clone, Copy, Debug)]
pub enum Contacts<'e> {
    /// Of bodies that keep their shape.
    Bodies(&'e [query::Contact]),
    /// Of bodies that deform, or of meshes on a device.
    Straight(&'e [Contact]),
}

impl Contacts<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Bodies(contacts) => contacts.len(),
            Self::Straight(contacts) => contacts.len(),
        }
    }

    /// A copy of the first of them.
    pub fn first(&self, most: usize) -> Vec<Found> {
        match self {
            Self::Bodies(contacts) => contacts.iter().take(most).map(of_door).collect(),
            Self::Straight(contacts) => {
                let found = contacts.iter().take(most);
                found.map(|c| c.with_features(Features::Meshes(c.features))).collect()
            }
        }
    }
}

/// A contact in the words of results, which know meshes, samples and round bodies.
fn of_door(contact: &query::Contact) -> Found {
    let features = contact.features;
    let meshes = features.of_meshes().map(Features::Meshes);
    let sampled = || features.of_path().map(Features::Path);
    contact.with_features(meshes.or_else(sampled).unwrap_or(Features::Round(features)))
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
fn is_of_cut(rigid: [Option<&Rigid>; 2], features: chasles::Features) -> bool {
    let chasles::Features::Ee { a, b } = features else { return false };
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
fn kept<'k, F>(
    found: impl Iterator<Item = Contact<F>>,
    options: &Options,
    kept: &'k mut Vec<Contact<F>>,
) -> &'k [Contact<F>] {
    let is_kept = |contact: &Contact<F>| {
        contact.properness >= options.min_properness && keeps(options, contact)
    };
    kept.clear();
    kept.extend(found.filter(is_kept));
    if options.first_only {
        contact::keep_first(kept);
    }
    kept
}

/// A device, and what it showed last.
#[derive(Debug)]
struct OnDevice {
    device: Device,
    /// The contacts of each pair.
    shown: Vec<Vec<Contact>>,
}

impl OnDevice {
    fn named(part: &str) -> Result<Box<Self>, EngineError> {
        Ok(Box::new(Self { device: Device::named(part)?, shown: Vec::new() }))
    }

    fn ask(
        &mut self,
        queries: &[Query],
        options: &screen::Options,
    ) -> Result<(), (Option<usize>, EngineError)> {
        let pairs: Option<Vec<_>> = queries.iter().map(pair).collect();
        // The screen takes rigid meshes only, which was looked at before.
        let pairs = pairs.unwrap_or_default();
        self.shown = self.device.contacts(&pairs, options).map_err(|refused| match refused {
            Refused::Device(error) => (None, EngineError::Device(error)),
            Refused::Pair(pair, error) => (Some(pair), EngineError::screen(error)),
        })?;
        Ok(())
    }
}

/// The meshes of a query of two rigid bodies.
fn colliders<'q>(query: &Query<'q>) -> Option<[&'q Collider; 2]> {
    let Query::Bodies { bodies: [a, b], .. } = query else { return None };
    Some([a.collider()?, b.collider()?])
}

/// The meshes of a query, and how they move.
fn pair<'q>(query: &'q Query<'_>) -> Option<([&'q Collider; 2], &'q Step)> {
    let Query::Bodies { step, .. } = query else { return None };
    Some((colliders(query)?, step))
}

/// A method with its options and its memory.
#[derive(Debug)]
pub struct Engine {
    method: HowFound,
    /// What to look for.
    asked: Options,
    /// The same as the front door takes it, with the method.
    door: query::Options,
    /// Reused from pair to pair of bodies that keep their shape.
    workspace: Box<query::Workspace>,
    /// Reused from pair to pair of others.
    straight: Box<Straight>,
    /// What answers for all pairs at once, if it was asked for.
    device: Option<Box<OnDevice>>,
    /// What is sure of the last answer of the front door.
    guarantee: Option<Guarantee>,
}

impl Engine {
    /// The method that was asked for.
    ///
    /// *Accepts* what the command line accepts. *Fails* on a window that ends before it starts, on
    /// options of another method, and where there is no device that was asked for.
    pub fn new(args: &CollideArgs) -> Result<Self, EngineError> {
        let options = options(args)?;
        let method = args.method;
        let others =
            [(Method::Screen, args.screen.first_given()), (Method::Path, args.path.first_given())];
        let other = others
            .into_iter()
            .find_map(|(of, option)| Some((of, option?)).filter(|_| of != method));
        if let Some((of, option)) = other {
            return Err(EngineError::OtherMethod { option, of, method });
        }
        let device = args.screen.device.as_deref().map(OnDevice::named).transpose()?;
        Ok(Self { device, ..Self::made(method, options, &args.screen, &args.path) })
    }

    /// A method with its own options as they are by default; `kept` says what to look for.
    pub fn usual(method: Method, kept: Options) -> Self {
        Self::made(method, kept, &ScreenArgs::default(), &PathArgs::default())
    }

    fn made(method: Method, asked: Options, screen: &ScreenArgs, path: &PathArgs) -> Self {
        let (screen, path_options) = (screen_options(screen, &asked), path_options(path));
        let (method, by) = match method {
            Method::Exact => (HowFound::Exact, query::Method::Exact),
            Method::Screen => (HowFound::Screen(screen), query::Method::Screen),
            Method::Path => {
                let cover = path.cover.map_or(Cover::Usual, Cover::Length);
                (HowFound::Path(path_options, cover), query::Method::Path)
            }
        };
        let door =
            query::Options { screen, path: path_options, ..query::Options::from(asked) }.by(by);
        Self {
            method,
            asked,
            door,
            workspace: Box::default(),
            straight: Box::default(),
            device: None,
            guarantee: None,
        }
    }

    /// The contacts of two bodies, or of one with itself, sorted by time.
    ///
    /// *Fails* where the screen would need too many records, where a solid has no value, and where
    /// a method meets bodies or motions that it does not take.
    pub fn contacts(&mut self, query: &Query) -> Result<Contacts<'_>, EngineError> {
        let Self { asked, door, workspace, straight, guarantee, .. } = self;
        let method = self.method.method();
        let place = String::new();
        *guarantee = None;
        match query {
            Query::Bodies { bodies: [a, b], step, .. } => {
                let found = query::contacts(a, b, &**step, door, workspace);
                let found = found.map_err(|error| EngineError::of_query(error, method))?;
                *guarantee = Some(found.guarantee);
                Ok(Contacts::Bodies(found.contacts))
            }
            Query::Straight { surfaces, rigid } if method == Method::Exact => {
                Ok(Contacts::Straight(straight.of_two(surfaces, *rigid, asked)))
            }
            Query::Itself(surface) if method == Method::Exact => {
                Ok(Contacts::Straight(straight.of_one(surface, asked)))
            }
            Query::Straight { .. } | Query::Itself(_) | Query::Deforms => {
                Err(EngineError::Deforms { place, method })
            }
            Query::Solid => Err(EngineError::Solid { place, method }),
            Query::SolidBesideFrames => Err(EngineError::SolidBesideFrames { place }),
        }
    }

    /// Asks all pairs at once, if there is a device; [`Engine::answer`] then has it.
    ///
    /// *Fails* where the device does, and where the screen would; that names the pair.
    pub fn ask_all(&mut self, queries: &[Query]) -> Result<(), (Option<usize>, EngineError)> {
        let Self { device: Some(device), door, .. } = self else { return Ok(()) };
        device.ask(queries, &door.screen)
    }

    /// The contacts of the query with this number, of those that were asked at once, if they were.
    ///
    /// *Fails* as [`Engine::contacts`].
    pub fn answer(&mut self, number: usize, query: &Query) -> Result<Contacts<'_>, EngineError> {
        let Self { device: Some(device), asked, door, straight, guarantee, .. } = self else {
            return self.contacts(query);
        };
        let found = device.shown[number].iter().copied();
        if let Some([a, b]) = colliders(query) {
            let pixel = door.screen.pixel(a, b).map_err(EngineError::screen)?;
            *guarantee = Some(Guarantee::Pixels { pixel });
        }
        Ok(Contacts::Straight(kept(found, asked, &mut straight.contacts)))
    }

    /// What the device did for all pairs, if there is one.
    pub fn device_cost(&self) -> Option<DeviceCost> {
        self.device.as_ref().map(|on| on.device.cost())
    }

    /// What the last query of the screen cost.
    pub fn cost(&self) -> Option<ScreenCost> {
        let Some(Guarantee::Pixels { pixel }) = self.guarantee else { return None };
        let statistics = match self.device {
            Some(_) => None,
            None => Some(self.workspace.screen_statistics()?),
        };
        Some(ScreenCost { pixel, statistics })
    }

    /// How deep points of A may be in B, and of B in A, while the path method reports nothing.
    pub fn missed_depth(&self) -> Option<[Option<f64>; 2]> {
        match self.guarantee {
            Some(Guarantee::Samples { missed_depth }) => Some(missed_depth),
            _ => None,
        }
    }

    /// How densely bodies are sampled, if they are.
    pub fn cover(&self) -> Option<Cover> {
        match self.method {
            HowFound::Path(_, cover) => Some(cover),
            HowFound::Exact | HowFound::Screen(_) => None,
        }
    }

    /// Which contacts are kept.
    pub fn asked(&self) -> Options {
        self.asked
    }

    /// The same as the front door takes it, with the method.
    pub fn door(&self) -> &query::Options {
        &self.door
    }

    /// The method, for results.
    pub fn method(&self) -> HowFound {
        self.method
    }
}

/// Whether a contact of bodies that deform is asked for, but for its properness.
fn keeps<F>(options: &Options, contact: &Contact<F>) -> bool {
    let [from, to] = options.window;
    let approaches = !options.facing || contact.normal_speed <= 0.0;
    let is_admitted = contact.touchable || !(options.touchable || options.facing);
    (from..=to).contains(&contact.time) && approaches && is_admitted
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
        touchable: args.touchable,
        first_only: args.first,
        window,
    })
}

fn path_options(args: &PathArgs) -> path::Options {
    let default = path::Options::default();
    path::Options {
        precision: args.precision.unwrap_or(default.precision),
        method: if args.segments { path::Method::Segments } else { path::Method::Boxes },
        ..default
    }
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
        drawing: match args.drawing {
            Some(DrawBy::Pixels) => Drawing::Pixels,
            Some(DrawBy::Rows) => Drawing::Rows,
            Some(DrawBy::Pairs) => Drawing::Pairs,
            None if args.device.is_some() => Drawing::Rows,
            Some(DrawBy::Auto) | None => Drawing::Auto,
        },
        time_resolution: args.time_resolution,
        min_properness: kept.min_properness,
        robust: args.robust,
        order: match args.order {
            Some(SortBy::Time) => Order::Time,
            Some(SortBy::Hash) => Order::Hash,
            Some(SortBy::Height) | None => default.order,
        },
        coarse_first: args.coarse_first.unwrap_or(default.coarse_first),
        hull_first: args.hull_first,
        max_records: args.max_records.map_or(default.max_records, |records| records as usize),
        ..default
    }
}
