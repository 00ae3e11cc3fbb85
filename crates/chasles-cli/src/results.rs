//! What `collide` found, before it is written anywhere.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use chasles::mesh::Opening;
use chasles::motion::Departure;
use chasles::near::{self, intersect};
use chasles::query::{self, Overlap, overlaps};
use chasles::screen::{self, Resolution, Statistics};
use chasles::{Contact, Motion, Options, Step, path};
use chasles_scene::{Body, DEPARTURE_SHARE, Query, Scene};

use crate::args::Method;
use crate::device::DeviceCost;
use crate::words::whole;

/// What touches what, whichever method found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Features {
    /// Parts of two meshes.
    Meshes(chasles::Features),
    /// A sample and a solid.
    Path(path::Features),
    /// Parts of two bodies of which one is round exactly.
    Round(query::Features),
}

impl Features {
    /// The name of the kind, as in results.
    pub fn kind(self) -> Cow<'static, str> {
        match self {
            Self::Meshes(features) => features.kind().into(),
            Self::Path(path::Features::SolidSample(_)) => "sp".into(),
            Self::Path(path::Features::SampleSolid(_)) => "ps".into(),
            Self::Round(query::Features { a, b }) => format!("{}-{}", a.kind(), b.kind()).into(),
        }
    }
}

impl From<chasles::Features> for Features {
    fn from(features: chasles::Features) -> Self {
        Self::Meshes(features)
    }
}

impl From<path::Features> for Features {
    fn from(features: path::Features) -> Self {
        Self::Path(features)
    }
}

/// A contact, whichever method found it.
pub type Found = Contact<Features>;

pub use chasles_picture::ROUNDING;

/// Whether nothing overlaps next to a contact.
pub fn is_proper(contact: &Found) -> bool {
    contact.properness >= -ROUNDING
}

/// Whether a collision can begin with a contact: it is proper and touchable, and the bodies
/// approach.
pub fn begins(contact: &Found) -> bool {
    is_proper(contact) && contact.touchable && contact.normal_speed < 0.0
}

/// The method, with the options that change what it finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HowFound {
    /// To rounding.
    Exact,
    /// To a pixel.
    Screen(screen::Options),
    /// To the precision, where samples are.
    Path(path::Options, Cover),
}

/// How far a point of a body may be from the next sample.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Cover {
    /// A part of the size of each body.
    #[default]
    Usual,
    /// The same for all; infinite for the vertices of meshes alone.
    Length(f64),
}

impl HowFound {
    /// The method alone.
    pub fn method(&self) -> Method {
        match self {
            Self::Exact => Method::Exact,
            Self::Screen(_) => Method::Screen,
            Self::Path(..) => Method::Path,
        }
    }

    /// The resolution or precision in words; none for the exact method.
    pub fn resolution(&self) -> Option<String> {
        let options = match self {
            Self::Exact => return None,
            Self::Path(options, cover) => return Some(path_words(options, *cover)),
            Self::Screen(options) => options,
        };
        let size = match options.resolution {
            Resolution::Pixels(1) => "1 pixel along a short edge".to_string(),
            Resolution::Pixels(n) => format!("{n} pixels along a short edge"),
            Resolution::Length(length) => format!("pixels of {}", whole(length)),
        };
        Some(if options.robust { size + ", robust" } else { size })
    }
}

fn path_words(options: &path::Options, cover: Cover) -> String {
    let samples = match cover {
        Cover::Usual => "samples".to_string(),
        Cover::Length(cover) if cover.is_finite() => format!("samples that cover {}", whole(cover)),
        Cover::Length(_) => "vertices".to_string(),
    };
    let segments = match options.method {
        path::Method::Boxes => "",
        path::Method::Segments => ", by segments",
    };
    format!("{samples} to a precision of {}{segments}", whole(options.precision))
}

/// What the screen of a pair cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreenCost {
    /// The length of a pixel.
    pub pixel: f64,
    /// Records, and comparisons of them; not known of each pair where a device has them.
    pub statistics: Option<Statistics>,
}

/// The contacts of two bodies.
#[derive(Clone, Debug)]
pub struct PairResult {
    /// The bodies A and B, as positions in [`chasles_scene::Scene::bodies`].
    pub bodies: [usize; 2],
    /// How they move along screws; absent where a body deforms, and where paths of flights are
    /// followed.
    pub step: Option<Step>,
    /// Their contacts, sorted by time: all, or the first if no more are shown.
    pub contacts: Vec<Found>,
    /// How many contacts there are.
    pub total: usize,
    /// Present if the screen found them.
    pub screen: Option<ScreenCost>,
    /// How many samples A and B have, if they were sought along paths.
    pub samples: Option<[usize; 2]>,
    /// How far the relative motion leaves its screws; absent where a body deforms, and where
    /// neither has an end.
    pub departure: Option<Departure>,
    /// How deep points of A may be in B, and of B in A, unnoticed: [`path::missed_depth`].
    pub missed_depth: Option<[Option<f64>; 2]>,
    /// Whether A and B are in each other at the start; absent unless both are rigid meshes or
    /// round.
    pub overlap_at_start: Option<bool>,
}

impl PairResult {
    /// A pair of which nothing is known yet.
    pub fn new(bodies: [usize; 2], query: &Query) -> Self {
        let step = match query {
            Query::Bodies { step, samples: None, .. } => Some(**step),
            Query::Bodies { step, .. } => Some(**step).filter(|step| !step.is_free()),
            _ => None,
        };
        let samples = match query {
            Query::Bodies { samples, .. } => *samples,
            _ => None,
        };
        Self {
            bodies,
            step,
            contacts: Vec::new(),
            total: 0,
            screen: None,
            samples,
            departure: None,
            missed_depth: None,
            overlap_at_start: None,
        }
    }

    /// Finds out how far the true relative motion leaves the screws that it is taken to be.
    ///
    /// *Accepts* the scene and the query of the pair. *Guarantees* and *Cost* as of
    /// [`Step::departure`]. *Fails* never.
    pub fn look_at_motion(&mut self, scene: &Scene, query: &Query) {
        self.departure = match (&self.step, query) {
            (Some(step), _) => scene.departure(self.bodies, step),
            // A free step is followed as it is.
            (None, Query::Bodies { .. }) => Some(Departure::default()),
            _ => None,
        };
    }

    /// The departure, if its bound is worth a word.
    pub fn notable_departure(&self, scene: &Scene) -> Option<Departure> {
        let least = DEPARTURE_SHARE * scene.smaller(self.bodies);
        self.departure.filter(|departure| departure.bound > least)
    }

    /// Finds out whether the bodies are in each other at the start; contacts do not tell.
    ///
    /// *Accepts* the scene of the pair. *Guarantees* and *Cost* as of [`intersect`], and of
    /// [`overlaps`] for round bodies. *Fails* never: of bodies that deform and other solids nothing
    /// is known.
    pub fn look_at_start(&mut self, scene: &Scene, memory: &mut AtStart) {
        let bodies = self.bodies.map(|body| &scene.bodies()[body]);
        if let [Some(a), Some(b)] = bodies.map(|body| body.rigid()) {
            let poses = [a.motion.start(), b.motion.start()];
            let overlap = intersect(&a.collider, &b.collider, poses, &mut memory.meshes);
            self.overlap_at_start = Some(overlap);
            return;
        }
        let start = |body: &'_ Body| body.motion().map(Motion::start);
        let ([Some(a), Some(b)], [Some(from_a), Some(from_b)]) =
            (bodies.map(Body::exact), bodies.map(start))
        else {
            return;
        };
        let found = overlaps(a, b, [from_a, from_b], &mut memory.rounds);
        self.overlap_at_start = found.ok().map(Overlap::is_overlapping);
    }

    /// Whether the bodies are known to be in each other at the start.
    pub fn starts_in_overlap(&self) -> bool {
        self.overlap_at_start == Some(true)
    }
}

/// What questions about the start reuse.
#[derive(Debug, Default)]
pub struct AtStart {
    meshes: near::Workspace,
    rounds: query::Workspace,
}

/// How deep contacts may be missed where bodies are sampled, over all pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Missed {
    /// How deep points of bodies with samples may be in another body unnoticed.
    pub depth: Option<f64>,
    /// The names of the other bodies: nothing bounds how deep their points may be.
    pub without_samples: Vec<String>,
    /// Whether samples are vertices alone, which bound nothing.
    pub is_of_vertices: bool,
}

impl Missed {
    /// The bound for points of all bodies, if there is one.
    pub fn bound(&self) -> Option<f64> {
        self.depth.filter(|_| self.without_samples.is_empty() && !self.is_of_vertices)
    }
}

/// How long the query took, without set-up and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// How often the query ran.
    pub runs: u32,
    /// The median duration; of an even number of runs the mean of the middle two.
    pub median: Duration,
    /// The shortest duration.
    pub min: Duration,
}

impl Timing {
    /// Sums up durations; none without runs.
    pub fn of(mut runs: Vec<Duration>) -> Option<Self> {
        runs.sort_unstable();
        let min = *runs.first()?;
        let median = (runs[(runs.len() - 1) / 2] + runs[runs.len() / 2]) / 2;
        Some(Self { runs: u32::try_from(runs.len()).unwrap_or(u32::MAX), median, min })
    }
}

/// The contacts of every pair of bodies.
#[derive(Clone, Debug)]
pub struct Results {
    /// How they were found.
    pub method: HowFound,
    /// Which contacts were asked for.
    pub asked: Options,
    /// The pairs that come near each other, in the order of [`chasles_scene::Scene::pairs`]; all,
    /// where methods are compared.
    pub pairs: Vec<PairResult>,
    /// The bodies whose meshes are open, by name; asked by `collide` alone.
    pub open: Vec<(String, Opening)>,
    /// Present if a device found them.
    pub device: Option<DeviceCost>,
    /// Present if the query was timed.
    pub timing: Option<Timing>,
}

impl Results {
    /// How many contacts there are in all pairs.
    pub fn contact_count(&self) -> usize {
        self.pairs.iter().map(|pair| pair.total).sum()
    }

    /// How deep contacts may be missed; none unless bodies are sampled.
    pub fn missed(&self, scene: &Scene) -> Option<Missed> {
        let HowFound::Path(_, cover) = self.method else { return None };
        let sides = self
            .pairs
            .iter()
            .flat_map(|pair| pair.bodies.into_iter().zip(pair.missed_depth.into_iter().flatten()));
        let depth = sides.clone().filter_map(|(_, depth)| depth).reduce(f64::max);
        let unbounded: BTreeSet<usize> =
            sides.filter(|(_, depth)| depth.is_none()).map(|(body, _)| body).collect();
        let name = |body: usize| scene.bodies()[body].name.clone();
        Some(Missed {
            depth,
            without_samples: unbounded.into_iter().map(name).collect(),
            is_of_vertices: matches!(cover, Cover::Length(length) if length.is_infinite()),
        })
    }

    /// Which contacts were asked for, in words; none if it was all of them.
    pub fn filters(&self) -> Option<String> {
        let Options { min_properness, facing, touchable, first_only, window: [from, to] } =
            self.asked;
        let which = match (facing, touchable) {
            (true, _) => "facing, approaching, touchable ",
            (false, true) => "touchable ",
            (false, false) => "",
        };
        let what = match first_only {
            true => format!("the first {which}contact of each pair"),
            false => format!("{which}contacts"),
        };
        let limits = [
            (min_properness > -1.0)
                .then(|| format!("a properness of at least {}", whole(min_properness))),
            ([from, to] != [0.0, 1.0])
                .then(|| format!("a time from {} to {}", whole(from), whole(to))),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let with = if limits.is_empty() { "" } else { " with " };
        let words = format!("only {what}{with}{}", limits.join(" and "));
        (words != "only contacts").then_some(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_told_in_words() {
        let of = |asked: Options| {
            let method = HowFound::Exact;
            Results {
                method,
                asked,
                pairs: Vec::new(),
                open: Vec::new(),
                device: None,
                timing: None,
            }
            .filters()
        };
        assert_eq!(of(Options::default()), None);
        let all = Options {
            min_properness: -0.1,
            facing: true,
            touchable: true,
            first_only: true,
            window: [0.0, 0.5],
        };
        assert_eq!(
            of(all).as_deref(),
            Some(
                "only the first facing, approaching, touchable contact of each pair with a \
                properness of at least -0.1 and a time from 0 to 0.5"
            )
        );
        let late = Options { window: [0.5, 1.0], ..Options::default() };
        assert_eq!(of(late).as_deref(), Some("only contacts with a time from 0.5 to 1"));
        let first = Options { first_only: true, ..Options::default() };
        assert_eq!(of(first).as_deref(), Some("only the first contact of each pair"));
        let facing = Options { facing: true, ..Options::default() };
        let words = "only facing, approaching, touchable contacts";
        assert_eq!(of(facing).as_deref(), Some(words));
        let touchable = Options { touchable: true, ..Options::default() };
        assert_eq!(of(touchable).as_deref(), Some("only touchable contacts"));
    }

    #[test]
    fn the_median_of_an_even_number_of_runs_lies_between_the_middle_two() {
        let runs = [40, 10, 30, 20].map(Duration::from_nanos).to_vec();
        let timing = Timing::of(runs).unwrap();
        assert_eq!(timing.median, Duration::from_nanos(25));
        assert_eq!(timing.min, Duration::from_nanos(10));
    }

    #[test]
    fn the_median_of_an_odd_number_of_runs_is_the_middle_one() {
        let runs = [5, 100, 1].map(Duration::from_nanos).to_vec();
        assert_eq!(Timing::of(runs).unwrap().median, Duration::from_nanos(5));
    }
}
