//! The words that all methods share: what touches what, when, where and how well.
//!
//! A contact is between a face and a vertex, a vertex and a face, or two edges [Buss04 §5]. Other
//! coincidences (vertex on edge, vertex on vertex) are resolved into one of these three.
//!
//! ```
//! use chasles::mesh::shapes::{Cuboid, Shape};
//! use chasles::{Collider, Features, Motion, Options, Pose, Step, Workspace, contacts};
//!
//! let cube = Collider::new(Shape::Box(Cuboid::default()).build()?);
//! let [from, to] = [[0.3, 0.2, 3.0], [0.3, 0.2, 0.5]].map(Pose::from_position);
//! let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from?, to?));
//! let mut workspace = Workspace::new();
//! for contact in contacts(&cube, &cube, &step, &Options::default(), &mut workspace).iter() {
//!     match contact.features {
//!         Features::Fv { face, vertex } => println!("face {face} of A, vertex {vertex} of B"),
//!         Features::Vf { vertex, face } => println!("vertex {vertex} of A, face {face} of B"),
//!         Features::Ee { a, b } => println!("edges {a:?} of A and {b:?} of B"),
//!     }
//!     let [earliest, latest] = contact.time_bracket;
//!     assert!(earliest <= contact.time && contact.time <= latest);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod flat;
pub(crate) mod locate;
mod options;
mod pair;
mod properness;
mod touchable;

use glam::DVec3;

pub use flat::{FlatContact, FlatFeatures, flat_contacts};
pub use options::Options;
pub(crate) use pair::{Met, Pair};
pub(crate) use properness::{Facing, Terms};

/// The two features that touch, in the numbers of the input: those of the mesh file or arrays,
/// from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Features {
    /// A face of A and a vertex of B.
    Fv {
        /// The face of A.
        face: u32,
        /// The vertex of B.
        vertex: u32,
    },
    /// A vertex of A and a face of B.
    Vf {
        /// The vertex of A.
        vertex: u32,
        /// The face of B.
        face: u32,
    },
    /// An edge of A and an edge of B, each as its two vertices, the lower number first.
    Ee {
        /// The edge of A.
        a: [u32; 2],
        /// The edge of B.
        b: [u32; 2],
    },
}

impl Features {
    /// The name used in results: `fv`, `vf` or `ee`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Fv { .. } => "fv",
            Self::Vf { .. } => "vf",
            Self::Ee { .. } => "ee",
        }
    }
}

/// One touch of two features during a step. Every field is valid whenever a `Contact` exists.
///
/// Bodies that are not polyhedra have other features; the rest is the same for all methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<F = Features> {
    /// What touches what.
    pub features: F,
    /// When, as a fraction of the step in `[0, 1]`.
    pub time: f64,
    /// An interval that contains the true time: `time_bracket[0] <= time <= time_bracket[1]`.
    pub time_bracket: [f64; 2],
    /// Where, in A's frame.
    pub point_in_a: DVec3,
    /// Unit normal in A's frame, pointing from A to B.
    pub normal_in_a: DVec3,
    /// Where, in the world frame, A carried along its own screw.
    pub point: DVec3,
    /// Unit normal in the world frame, pointing from A to B.
    pub normal: DVec3,
    /// How well the features face each other, in `[-1, 1]`; negative when the bodies already
    /// interpenetrate next to the contact point [Buss04 §5].
    pub properness: f64,
    /// Rate of the gap per step along the normal; negative when the features approach.
    pub normal_speed: f64,
    /// The features touch without crossing (a double root), or stay in touch for a while. Such a
    /// pair is reported once, at its earliest time. Of the screen in robust mode: they only come
    /// within a pixel, and this is their closest approach.
    pub grazing: bool,
    /// Whether the features can be touched from outside. A reflex edge of a closed body cannot, nor
    /// can a vertex whose edges do not all lie on one side of some plane: bodies that meet there
    /// overlap already, even if the properness is not negative, since it looks at edges only. True
    /// where nothing says what is inside: on surfaces that are open, not manifold or deforming. If
    /// several features coincide at the contact, each of them must be touchable.
    pub touchable: bool,
}

impl<F> Contact<F> {
    /// The same contact with its features in other words.
    ///
    /// *Accepts* any contact. *Guarantees* all other fields as they are. *Cost* a copy. *Fails*
    /// never.
    pub fn with_features<G>(&self, features: G) -> Contact<G> {
        let Self { time, time_bracket, point_in_a, normal_in_a, point, normal, .. } = *self;
        let Self { properness, normal_speed, grazing, touchable, .. } = *self;
        Contact {
            features,
            time,
            time_bracket,
            point_in_a,
            normal_in_a,
            point,
            normal,
            properness,
            normal_speed,
            grazing,
            touchable,
        }
    }
}

/// Times of a step that are no farther apart than this are equal but for rounding.
pub(crate) const SIMULTANEOUS: f64 = 4.0 * f64::EPSILON;

/// Leaves of contacts the one that a query for the first gives.
///
/// Bodies that meet flat make many contacts at once, and most of them are of features that only
/// slide along each other. Of all that may be as early as the earliest, a touchable one is left; of
/// these one that approaches, of these the most proper, and of these the first in the list.
///
/// *Accepts* contacts in the order of time. *Guarantees* that one is left if there were any, and
/// that its time cannot be told from the earliest: it is in the bracket of that, but for rounding.
/// *Cost* linear in the contacts of that time. *Fails* never.
///
/// ```
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::{Collider, Options, Polyhedron, Pose, Motion, Step, Workspace, contact, contacts};
/// let cube = Shape::Box(Cuboid::default()).polygons()?;
/// let [a, b] = [0, 1].map(|_| Collider::new(Polyhedron::new(&cube).unwrap()));
/// let fall = [Pose::from_position([0.5, 0.0, 4.0])?, Pose::from_position([0.5, 0.0, 0.0])?];
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(fall[0], fall[1]));
/// let mut workspace = Workspace::new();
/// let mut found = contacts(&a, &b, &step, &Options::default(), &mut workspace).to_vec();
/// assert!(found.len() > 1);
/// contact::keep_first(&mut found);
/// assert!(found.len() == 1 && found[0].normal_speed < 0.0 && found[0].properness > -1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn keep_first<F>(contacts: &mut Vec<Contact<F>>) {
    let until = contacts.first().map_or(0.0, |first| first.time_bracket[1] + SIMULTANEOUS);
    let rank = |c: &Contact<F>| (c.touchable, c.normal_speed < 0.0, c.properness);
    let mut best = 0;
    for i in 1..contacts.len() {
        if contacts[i].time > until {
            break;
        }
        if rank(&contacts[i]) > rank(&contacts[best]) {
            best = i;
        }
    }
    if best > 0 {
        contacts.swap(0, best);
    }
    contacts.truncate(1);
}
