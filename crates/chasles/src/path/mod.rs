//! Time of contact of points against any geometry.
//!
//! *Question.* One body is a [`Solid`], which need not be a polyhedron; of the other there are
//! points, the samples of its surface. When does each point come to the solid, if nothing stops it,
//! and what is the normal there [TOC §2]?
//!
//! *Accepts* any solid, any samples, and any step. A [free](Step::is_free) one is followed as it
//! is, others along the relative screw of each part. *Guarantees* for every sample, with a
//! precision of the caller's choice: no contact before the reported time; and at that time the
//! sample is within the precision (and twice the solid's [error](Solid::error)) of the solid,
//! unless the contact is marked as grazing: then 65,536 boxes could not tell, and later contacts of
//! the sample in that part of the step may be missing. A sample that leaves for less than 1/2048 of
//! a part has not left. Between samples a body may be in the solid no deeper than their
//! [cover](Samples::cover). *Cost* linear in the samples that come near the solid, and proportional
//! to the logarithm of the precision for those that enter it; up to thousands of questions for a
//! sample that slides. *Fails* where a solid is not a number.
//!
//! ```text
//! Step -> Course of a part, Arc of a point          course.rs
//! Polyhedron, Solid -> Samples in clusters         samples.rs, grid.rs, covering.rs
//! body, clusters, samples near the solid           query.rs
//! -> Entry of a point                              search.rs
//! -> Contact (normal, properness, world)           query.rs
//! ```

mod course;
mod covering;
mod grid;
mod query;
mod samples;
mod search;

use thiserror::Error;

use glam::DVec3;

use crate::contact::Contact;
use crate::motion::Step;
use crate::solid::Solid;

pub use query::Workspace;
pub use samples::{Sample, Samples, SamplesError};

/// What touches what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Features {
    /// The solid A and a sample of B.
    SolidSample(Sample),
    /// A sample of A and the solid B.
    SampleSolid(Sample),
}

/// A body as a solid, as samples, or as both.
#[derive(Clone, Copy, Debug, Default)]
pub struct Body<'a> {
    /// What samples of the other body are held against.
    pub solid: Option<&'a dyn Solid>,
    /// What is held against the other body's solid.
    pub samples: Option<&'a Samples>,
}

/// How paths are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Boxes around pieces of the paths: nothing is missed.
    #[default]
    Boxes,
    /// Straight pieces: contacts less deep than the precision may be missed. A sample is no deeper
    /// than the precision before its contact, and no farther away than twice the precision (and
    /// twice the solid's error) at that time. Finds the first entry of each sample only, and stops
    /// where a solid is not a number as if it touched.
    Segments,
}

/// What to look for, and how precisely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How near a sample is when it touches. A length; below some 1e-13 of the way and the sizes,
    /// which rounding leaves open, that is taken instead.
    pub precision: f64,
    /// Keep only the earliest contact.
    pub first_only: bool,
    /// How paths are searched.
    pub method: Method,
}

impl Default for Options {
    /// Every contact, to a millionth of a unit of length.
    fn default() -> Self {
        Self { precision: 1e-6, first_only: false, method: Method::Boxes }
    }
}

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum PathError {
    /// Neither body has samples where the other has a solid.
    #[error("nothing to ask: one body must have samples and the other be a solid")]
    NothingToAsk,
    /// Not a length.
    #[error("the precision is {}; it must be a positive number", crate::numeric::short(*.0))]
    Precision(f64),
    /// A solid without a value.
    #[error("the solid {body} is not a number at {point} of its frame")]
    NotANumber {
        /// Which, `A` or `B`.
        body: char,
        /// Where.
        point: DVec3,
    },
}

/// How deep a point of the surface of A may be in B, and one of B in A, while no contact is
/// reported; none where nothing bounds it: that body has no samples, or vertices alone, or the
/// other is no solid.
///
/// The depth of a point is its distance from the surface of the solid that it is in. *Accepts* what
/// [`contacts`] does. *Guarantees* that up to the first contact no point of a surface is deeper; an
/// overlap that is missed altogether is no deeper at any time of the step. *Cost* none. *Fails*
/// never.
pub fn missed_depth([a, b]: [&Body; 2], options: &Options) -> [Option<f64>; 2] {
    // A segment may be that far from the path.
    let more = match options.method {
        Method::Boxes => 0.0,
        Method::Segments => options.precision,
    };
    [(a, b), (b, a)].map(|(sampled, solid)| {
        let cover = sampled.samples.filter(|_| solid.solid.is_some())?.cover() + more;
        cover.is_finite().then_some(cover)
    })
}

/// Every contact of samples of one body with the solid of the other, both ways, sorted by time.
///
/// *Accepts* bodies of which one has samples and the other is a solid, at least one way.
/// *Guarantees* as the [module](self) says. Equal times are in the order of the features. *Cost*
/// see there; no allocation once the workspace has grown, but for long formulas. *Fails* if there
/// is nothing to ask, if the precision is not positive, and where a solid is not a number on the
/// way.
///
/// ```
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::path::{Body, Options, Samples, Workspace, contacts};
/// use chasles::solid::{Block, Interval, Place, Solid};
/// use chasles::{Pose, Motion, Step, glam::DVec3};
///
/// /// All that is below the ground.
/// #[derive(Debug)]
/// struct Ground;
///
/// impl Solid for Ground {
///     fn bounds(&self) -> [DVec3; 2] {
///         [DVec3::NEG_INFINITY, DVec3::INFINITY.with_y(0.0)]
///     }
///     fn distance(&self, point: DVec3) -> Interval {
///         Interval::point(point.y)
///     }
///     fn normal(&self, _: DVec3) -> DVec3 {
///         DVec3::Y
///     }
/// }
///
/// let cube = Samples::new(Shape::Box(Cuboid::default()).build()?, f64::INFINITY)?;
/// let fall = [Pose::from_position([0.0, 2.5, 0.0])?, Pose::IDENTITY];
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(fall[0], fall[1]));
/// let ground = Body { solid: Some(&Ground), samples: None };
/// let body = Body { solid: None, samples: Some(&cube) };
/// let mut workspace = Workspace::new();
/// let found = contacts([&ground, &body], &step, &Options::default(), &mut workspace)?;
/// assert_eq!(found.len(), 4);
/// assert!((found[0].time - 0.8).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts<'w>(
    [a, b]: [&Body; 2],
    step: &Step,
    options: &Options,
    workspace: &'w mut Workspace,
) -> Result<&'w [Contact<Features>], PathError> {
    if !(options.precision.is_finite() && options.precision > 0.0) {
        return Err(PathError::Precision(options.precision));
    }
    workspace.clear();
    let mut is_asked = false;
    for (solid, samples, is_swapped) in [(a.solid, b.samples, false), (b.solid, a.samples, true)] {
        let (Some(solid), Some(samples)) = (solid, samples) else { continue };
        is_asked = true;
        let query = query::Query { solid, samples, step, options, is_swapped };
        query.run(workspace)?;
    }
    if is_asked { Ok(workspace.finished(options.first_only)) } else { Err(PathError::NothingToAsk) }
}
