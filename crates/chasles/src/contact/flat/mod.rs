//! Faces that lie flat on each other, and edges that lie in faces: contacts of two faces (FF), and
//! of a face and an edge (FE, EF) [Buss04 §5].
//!
//! The methods report what meets in points: a box that lands on a table is four vertices in a face
//! and, beyond the rim, crossings of edges. That is what a response needs. Where the contact itself
//! is asked for, many points are one *flat* contact with its polygon or segment:
//!
//! ```text
//!     o---------o              contacts          flat contact
//!     |    B    |              o . . . o         #########
//!   ==o=========o=====         .       .    ->   #########     one polygon, one normal, one time
//!     A                        o . . . o         #########
//! ```
//!
//! Two features are flat on each other if, where they overlap, neither departs from the plane of
//! the face of A (or of B, for an edge of A) by more than a length, and if they lie there from
//! outside: two faces look at each other, and no face beside an edge goes behind the face that the
//! edge lies on. So sides of two boxes that are in one plane and look the same way are not flat on
//! each other, nor is an edge of one of them on the other. Flat features are looked for only among
//! those that meet in a contact: the faces at its vertex, or at its edges.

mod clip;
mod numbers;

use glam::DVec3;
use rustc_hash::FxHashMap;

use self::clip::Plate;
use self::numbers::{Lying, Numbers};
use super::Contact;
use crate::bounds::Collider;
use crate::motion::Step;

/// Two features that lie flat on each other, in the numbers of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FlatFeatures {
    /// A face of A and a face of B.
    Ff {
        /// The face of A.
        a: u32,
        /// The face of B.
        b: u32,
    },
    /// A face of A and an edge of B, as its two vertices, the lower number first.
    Fe {
        /// The face of A.
        face: u32,
        /// The edge of B.
        edge: [u32; 2],
    },
    /// An edge of A and a face of B.
    Ef {
        /// The edge of A.
        edge: [u32; 2],
        /// The face of B.
        face: u32,
    },
}

impl FlatFeatures {
    /// The name used in results: `ff`, `fe` or `ef`. *Cost* constant. *Fails* never.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Ff { .. } => "ff",
            Self::Fe { .. } => "fe",
            Self::Ef { .. } => "ef",
        }
    }
}

/// Two features that lie flat on each other, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatContact {
    /// What lies on what.
    pub features: FlatFeatures,
    /// When they come to lie so: the time of the earliest of the [`contacts`](Self::contacts).
    pub time: f64,
    /// Unit normal in A's frame, pointing from A to B.
    pub normal_in_a: DVec3,
    /// The same in the world frame.
    pub normal: DVec3,
    /// Where, in A's frame: convex polygons of at least three points that turn around the normal,
    /// or segments of two. One, if the faces are convex.
    pub region_in_a: Vec<Vec<DVec3>>,
    /// The same in the world frame.
    pub region: Vec<Vec<DVec3>>,
    /// The fastest approach of the contacts, as a rate of the gap per step.
    pub normal_speed: f64,
    /// Which contacts of the list this one stands for.
    pub contacts: Vec<u32>,
}

/// The flat contacts of two bodies, by what meets in their contacts, sorted by time.
///
/// *Accepts* the contacts of one query between these bodies, in the order of time, of any method
/// that names faces, vertices and edges; and the length by which features may depart from a common
/// plane: 1e-9 of the size of the bodies suits the exact method, a pixel the screen. *Guarantees*
/// one result for each two features that lie flat at the time of a contact between them, over a
/// region wider than that length; an edge of a face that lies flat has no result of its own.
/// Features that stay flat from one contact to the next, as far as the times of both and the time
/// half-way tell, are one result. *Cost* linear in the contacts and the features at them, plus
/// sorting the features of both bodies. *Fails* never: contacts of other bodies name features that
/// are not there, and give nothing.
///
/// ```
/// use chasles::contact::{FlatFeatures, flat_contacts};
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::{Collider, Motion, Options, Pose, Step, Workspace, contacts};
/// let cube = Collider::new(Shape::Box(Cuboid::default()).build()?);
/// let fall = [Pose::from_position([0.4, 0.0, 3.0])?, Pose::from_position([0.4, 0.0, 0.5])?];
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(fall[0], fall[1]));
/// let mut workspace = Workspace::new();
/// let found = contacts(&cube, &cube, &step, &Options::default(), &mut workspace);
/// let flat = flat_contacts([&cube, &cube], &step, found, 1e-9);
/// assert_eq!(flat.len(), 1);
/// assert!(matches!(flat[0].features, FlatFeatures::Ff { .. }) && flat[0].region[0].len() == 4);
/// assert!(flat[0].contacts.len() > 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn flat_contacts(
    bodies: [&Collider; 2],
    step: &Step,
    contacts: &[Contact],
    flatness: f64,
) -> Vec<FlatContact> {
    if contacts.is_empty() {
        return Vec::new();
    }
    let numbers = bodies.map(Numbers::of);
    let mut search =
        Search { bodies, step, flatness, found: Vec::new(), last: FxHashMap::default() };
    let mut all = Vec::new();
    for (index, contact) in (0..).zip(contacts) {
        all.clear();
        numbers::lying(bodies, &numbers, &contact.features, &mut all);
        let faces = all.iter().filter(|lying| lying.is_of_faces());
        let faces: Vec<Lying> =
            faces.copied().filter(|&lying| search.join(lying, (index, contact))).collect();
        for &lying in all.iter().filter(|lying| !lying.is_of_faces()) {
            if !faces.iter().any(|faces| lying.is_border_of(faces, bodies)) {
                search.join(lying, (index, contact));
            }
        }
    }
    search.found
}

/// What is known so far.
struct Search<'s> {
    bodies: [&'s Collider; 2],
    step: &'s Step,
    flatness: f64,
    found: Vec<FlatContact>,
    /// For features that were flat, the last result, and when they were seen so last.
    last: FxHashMap<Lying, (usize, f64)>,
}

impl Search<'_> {
    /// Adds a contact to the result of two features, if they are flat at its time; whether they
    /// are.
    fn join(&mut self, lying: Lying, (index, contact): (u32, &Contact)) -> bool {
        let Some(plate) = self.plate(lying, contact.time) else { return false };
        let stays = |time: f64| self.plate(lying, 0.5 * (time + contact.time)).is_some();
        let known = self.last.get(&lying).copied().filter(|&(_, time)| stays(time));
        let number = known.map_or(self.found.len(), |(number, _)| number);
        if known.is_none() {
            self.found.push(self.flat_contact(lying, plate, contact.time));
        }
        self.last.insert(lying, (number, contact.time));
        let flat = &mut self.found[number];
        flat.normal_speed = flat.normal_speed.min(contact.normal_speed);
        flat.contacts.push(index);
        true
    }

    /// Where two features are flat on each other at a time, if they are.
    fn plate(&self, lying: Lying, time: f64) -> Option<Plate> {
        let b_in_a = self.step.b_in_a_by_relative(time);
        Plate::of(lying, self.bodies, &b_in_a, self.flatness)
    }

    fn flat_contact(&self, lying: Lying, plate: Plate, time: f64) -> FlatContact {
        let a_in_world = self.step.pose_of_a(time);
        let Plate { normal, region } = plate;
        let carried = |piece: &Vec<DVec3>| piece.iter().map(|p| a_in_world.point(*p)).collect();
        FlatContact {
            features: lying.labelled(self.bodies),
            time,
            normal_in_a: normal,
            normal: a_in_world.rotation() * normal,
            region: region.iter().map(carried).collect(),
            region_in_a: region,
            normal_speed: f64::INFINITY,
            contacts: Vec::new(),
        }
    }
}
