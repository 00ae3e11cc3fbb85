//! Every contact of a sphere, a capsule, a cylinder, a cone or an ellipsoid with a polyhedron, or
//! of two of them, under a relative screw motion.
//!
//! *Question.* Two bodies move in one step, each along a screw; their relative motion is taken to
//! be a screw [Buss04 §4]. One of them, or both, is round. When, where and between which features
//! do they touch, if nothing stops them? The paper asks for this extension of its algorithm.
//!
//! *What is a contact.* The round body R is convex. A vertex, the line of an edge and the plane of
//! a face each begin to meet R, or cease to, at some times; where the point that touches then lies
//! in the feature itself, that is a contact:
//!
//! ```text
//!    face  ( )            ( )  edge        ( )  vertex         (X)   the edge passes through R:
//!   ________V_____     ____V         ______.V                   |    no contact
//! ```
//!
//! So a vertex gives a contact where it enters or leaves R, an edge where it is tangent to R at a
//! point between its vertices, a face where R rests on it; a face of a closed surface only on its
//! outer side. The first of these is the first touch of bodies that start apart. Flat touches (a
//! capsule that lies down, a cylinder that stands) are those of the corners of what the two have in
//! common: ends, rims, tips, vertices; of a cap that lies in a face its middle. Two round bodies
//! touch where they begin or cease to meet.
//!
//! *Accepts* any [`Collider`], any [`Round`] and any [`Step`]. *Guarantees* that every contact
//! whose place and time are clear of rounding (about 3e-14 of the reach: the distance of the
//! bodies, their sizes and the way they go) is found once, and that nothing is reported that is
//! farther from touching; the bracket contains the true time. Exceptions: times of lines that are
//! parallel to within a sine `s` are as uncertain as the bracket says, about 3e-14 over `s`, though
//! what is reported then still is on both bodies; those of ellipsoids are as many times more as
//! their half axes differ; and a touch that slides is found if it lasts for 1/8192 of the time for
//! which its line or plane is touched (1/64 for the side of a body and for what rolls). Double
//! roots, and pairs that stay in touch, are reported once, at the earliest time, and marked as
//! grazing. *Cost* about linear in the features near the way of the round body, about a dozen
//! evaluations for each that it touches. No allocation once the [`Workspace`] has grown. *Fails*
//! never; where a round body is made, [`RoundError`] says what is wrong.
//!
//! ```text
//! step -> parts -> Motion (one screw)           motion.rs
//!      -> features with windows (tree)          find.rs
//!      -> roots of gaps, with proofs            gaps.rs, slant.rs, skin.rs, solve.rs, series.rs
//!      -> places (in both features?)            locate.rs, spot.rs
//!      -> contacts (each once, world, sorted)   join.rs
//! two round bodies: pair.rs; with a cylinder, a cone or an ellipsoid: meet.rs, walk.rs, convex.rs
//! (directions) and climb.rs (beside needles)
//! bodies at rest: rest.rs
//! ```

mod body;
mod climb;
mod cone;
mod convex;
mod ellipsoid;
mod features;
mod find;
mod gaps;
mod join;
mod locate;
mod meet;
mod motion;
mod moving;
mod pair;
pub(crate) mod rest;
mod series;
mod skin;
mod slant;
mod solve;
mod spot;
mod walk;

pub use body::{Kind, Round, RoundError};
pub(crate) use cone::Slant;
pub use features::{Feature, Features};

use find::{Memory, Touch, Wanted};
use glam::DVec3;
use motion::Motion;
use pair::Pair;

use crate::bounds::Collider;
pub use crate::contact::Options;
use crate::contact::keep_first;
use crate::motion::{Part, Step};

/// A contact of a round body.
pub type Contact = crate::contact::Contact<Features>;

/// Memory that queries reuse: after the first query with bodies of a size, later ones allocate
/// nothing.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    touches: Vec<Touch>,
    stack: Vec<(u32, [f64; 2])>,
    /// Nodes that wait, for bodies at rest.
    pub(crate) nodes: Vec<u32>,
    contacts: Vec<Contact>,
}

impl Workspace {
    /// An empty workspace.
    ///
    /// *Cost* nothing: it allocates with the first query, and grows to the largest. *Fails* never.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Every contact of a polyhedron A and a round body B, sorted by time.
///
/// *Accepts* any bodies and any step; if the round body is A, swap the step ([`Step::swapped`]).
/// *Guarantees* as the [module](self) says; contacts at equal times are in the order of their
/// features. *Cost* see there. *Fails* never.
///
/// ```
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::round::{self, Feature, Round};
/// use chasles::{Collider, Pose, Motion, Step};
///
/// let cube = Collider::new(Shape::Box(Cuboid { size: [1.0; 3] }).build()?);
/// let ball = Round::sphere(0.25)?;
/// let fall = [Pose::from_position([0.1, 0.2, 1.75])?, Pose::from_position([0.1, 0.2, -0.25])?];
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(fall[0], fall[1]));
///
/// let mut workspace = round::Workspace::new();
/// let found = round::contacts(&cube, &ball, &step, &round::Options::default(), &mut workspace);
/// assert_eq!(found[0].time, 0.5);
/// assert_eq!(found[0].normal.z, 1.0);
/// assert!(matches!(found[0].features.a, Feature::Face(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts<'w>(
    a: &Collider,
    b: &Round,
    step: &Step,
    options: &Options,
    workspace: &'w mut Workspace,
) -> &'w [Contact] {
    let Workspace { touches, stack, .. } = &mut *workspace;
    let extent = (a.pivot(), a.radius());
    over_parts(step, options, touches, |part, wanted, touches| {
        find::run(a, &Motion::new(part, extent, b), wanted, Memory { touches, stack });
    });
    finish(step, options, workspace)
}

/// Every contact of two round bodies, sorted by time: when they begin to touch and when they part.
///
/// *Accepts* any bodies and any step. *Guarantees* as the [module](self) says; where one of them is
/// a cylinder, a cone or an ellipsoid, what is clear of 1e-10 of the reach instead. Spheres and
/// capsules touch at one place; where they touch along a line, at its two ends. *Cost* some
/// microseconds; with one of these, a millisecond where they begin to touch or part, some ten where
/// they do so by turning 1e-6, and up to a second for each part of the step where they slide
/// overlapping, or graze, by less than 1e-6 of their least size: below about 1e-7, or more where
/// they turn fast, the bracket of their parting may then begin long before it, brackets of what
/// comes later in that part of the step are 1/1024 of it wide, or wider, and what comes and goes
/// within 1/1024 of it may be missed; so may be a parting as short as that of bodies that stay in
/// touch with a rim. *Fails* never.
///
/// ```
/// use chasles::round::{self, Round};
/// use chasles::{Pose, Motion, Step};
/// let ball = Round::sphere(0.5)?;
/// let pass = [Pose::from_position([-2.0, 0.0, 0.0])?, Pose::from_position([2.0, 0.0, 0.0])?];
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(pass[0], pass[1]));
/// let mut workspace = round::Workspace::new();
/// let options = round::Options::default();
/// let found = round::contacts_of_rounds(&ball, &ball, &step, &options, &mut workspace);
/// assert_eq!(found.iter().map(|c| c.time).collect::<Vec<f64>>(), [0.25, 0.75]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts_of_rounds<'w>(
    a: &Round,
    b: &Round,
    step: &Step,
    options: &Options,
    workspace: &'w mut Workspace,
) -> &'w [Contact] {
    let pivot = a.centre;
    over_parts(step, options, &mut workspace.touches, |part, wanted, touches| {
        let motion = &Motion::new(part, (pivot, a.reach()), b);
        Pair { a: a.placed(DVec3::ZERO, a.axis), motion, pivot }.run(wanted, touches);
    });
    finish(step, options, workspace)
}

/// Calls `find` for each part of a step that the options ask for, and gives what it finds the times
/// of the step.
fn over_parts(
    step: &Step,
    options: &Options,
    touches: &mut Vec<Touch>,
    mut find: impl FnMut(&Part, Wanted, &mut Vec<Touch>),
) {
    touches.clear();
    let parts = step.parts();
    for index in 0..parts {
        let part = step.part(index);
        let [start, end] = part.times();
        if !(start <= options.window[1] && end >= options.window[0]) {
            continue;
        }
        let known = touches.len();
        // A little more, since the sum that is compared with the window is rounded.
        let latest = (options.window[1] - start) * f64::from(parts) + 1e-12;
        let wanted = Wanted { options, part: index, parts, latest: latest.min(1.0) };
        find(&part, wanted, touches);
        for touch in &mut touches[known..] {
            touch.bracket = touch.bracket.map(|t| wanted.in_step(t));
            [touch.time, touch.until] = [touch.time, touch.until].map(|t| wanted.in_step(t));
            touch.normal_speed *= f64::from(parts);
        }
        if options.first_only && touches.len() > known {
            break;
        }
    }
}

/// Joins what belongs together and writes the contacts.
fn finish<'w>(step: &Step, options: &Options, workspace: &'w mut Workspace) -> &'w [Contact] {
    let Workspace { touches, contacts, .. } = workspace;
    join::join(touches);
    contacts.clear();
    contacts.extend(touches.iter().map(|touch| join::contact(touch, step)));
    if options.first_only {
        keep_first(contacts);
    }
    contacts
}
