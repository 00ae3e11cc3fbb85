//! A world of bodies in which nothing interpenetrates, at any step.
//!
//! ```text
//! step:    swept boxes -> pairs -> islands -> each island advances -> bodies
//! island:  near -> impacts -> forces, resting contact, joints -> trial poses -> certified poses
//! ```
//!
//! Poses change only to poses whose way there is certified: the exact method ([`chasles::screw`])
//! is asked for the first contact of every pair on the relative screw from the present poses to
//! the trial poses. If there is one, the trial is cut short of it, and the island goes on from
//! there with the contact among those that answer. So bodies that are apart stay apart whatever
//! the response does; at worst they wait ("last known good poses", [Buss04 §3]). A small gap is
//! kept between bodies that touch, half of the expel zone ([Waveren05 §3]), a share
//! [`Options::zone`] of the smaller body.
//!
//! Islands are bodies that could meet within the step. They do not see each other, so they are
//! advanced in parallel, and the results do not depend on the number of threads. A body that
//! leaves the box in which it was expected gets a larger one; the step starts over where that meets
//! another island.

mod amends;
mod among;
mod bend;
mod body;
mod broad;
mod certify;
mod cloth;
mod exchange;
mod guard;
mod island;
mod learned;
mod linked;
mod load;
mod method;
mod path;
mod pinch;
mod pressed;
mod query;
mod record;
mod regain;
mod respond;
mod route;
mod saved;
mod shape;
mod step;
mod swing;
mod trial;
mod window;

use std::sync::Arc;

use chasles::Pose;
use chasles::deform::Surface;
use glam::DVec3;
use thiserror::Error;

pub use body::{Body, Kind};
pub use cloth::SheetId;
pub use load::{Elsewhere, Load};
pub use method::Method;
pub use pressed::Springs;
pub use query::Struck;
pub use record::{Move, Part, SheetPart};
pub use route::{Cut, Route, RouteError};
pub use saved::{OtherWorld, Saved};
pub use shape::{RoundShapeError, Shape};

use crate::body::Velocity;
use crate::linkage::{Gap, Joint, LinkageError};
use crate::spring::sheet::Sheet;

/// How a world moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The acceleration of every dynamic body.
    pub gravity: DVec3,
    /// The gap that is kept between two bodies, as a share of the smaller: above 0 and at most
    /// 0.01. It is room for what solvers leave undone: of 1e-3 there are few second tries. With
    /// springs it is at most a twentieth of their reach.
    pub zone: f64,
    /// Slower approaches than this, in metres per second, do not bounce: 0.01 is what a fall of five
    /// micrometres gives.
    pub gentle: f64,
    /// Bodies that move slower than this for half a second fall asleep, in metres per second, if something that
    /// stands still carries them; others drift on.
    pub sleep_below: f64,
    /// Parts of a step at most, before bodies wait.
    pub max_parts: u32,
    /// Springs that gentle and resting contact of bodies is left to, and all contact of sheets; without them,
    /// impulses do all, and sheets give back no speed.
    pub springs: Option<Springs>,
    /// Seconds within which contacts of a body count as one impact [Buss04 §3]: where it collides, what would
    /// follow within this time at the present speed collides with it. 0: only what touches.
    pub window: f64,
    /// How what is in the way of bodies is found.
    pub method: Method,
    /// How a step is cut.
    pub stepping: Stepping,
}

/// How a step is cut into parts that are solved at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stepping {
    /// All contacts of the step together, in one window where that can be: for heaps, and for
    /// games. Islands with joints, springs or sheets are stepped by events.
    Windows,
    /// One impact after the other, in their order: for Newton's cradle.
    #[default]
    Events,
}

impl Options {
    /// What suits heaps of bodies and games: [`Stepping::Windows`], with a gap of a thousandth of
    /// the smaller body.
    pub fn windows() -> Self {
        Self { stepping: Stepping::Windows, zone: 1e-3, ..Self::default() }
    }

    /// The gap that is kept, as a share of the smaller body.
    fn kept(&self) -> f64 {
        let most = self.springs.map_or(f64::INFINITY, |springs| 0.05 * springs.reach);
        self.zone.min(most)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            gravity: DVec3::new(0.0, 0.0, -9.81),
            zone: 5e-5,
            gentle: 0.01,
            sleep_below: 3e-3,
            max_parts: 64,
            springs: None,
            window: 0.0,
            method: Method::Exact,
            stepping: Stepping::default(),
        }
    }
}

/// The number of a body, in the order in which bodies are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub usize);

/// Why a step is not taken; nothing has moved then.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum WorldError {
    /// The length of a step is not a positive number.
    #[error("a step of {0} s is impossible: it must be a positive number")]
    Step(f64),
    /// The gap to keep is no share of a body.
    #[error("a zone of {0} is impossible: it must be above 0 and at most 0.01 of the smaller body")]
    Zone(f64),
    /// Gravity is not finite.
    #[error("gravity is {0}, which is not finite")]
    Gravity(DVec3),
    /// An option that must be 0 or more is not.
    #[error("the option `{0}` is {1}, which is impossible: it must be 0 or more, and finite")]
    Option(&'static str, f64),
    /// Springs of no reach, period or speed.
    #[error("springs {0:?} are impossible: reach, period and speed must be positive numbers")]
    Springs(Springs),
    /// A force or torque on a body is not finite.
    #[error("the load of body {} is not finite", .0.0)]
    Load(BodyId),
    /// A body's state is not finite, or beyond what coordinates may be, or would be after the step.
    #[error("body {} has left the world: its pose or velocity is not finite, or beyond 1e100", .0.0)]
    Lost(BodyId),
    /// A sheet touches a body, or is nearer to it than half its thickness, when the world begins.
    #[error("sheet {} touches body {} at the start: move them apart", .0.0, .1.0)]
    SheetTouches(SheetId, BodyId),
    /// A sheet is inside a body when the world begins.
    #[error("sheet {} is inside body {} at the start: move it out", .0.0, .1.0)]
    SheetInside(SheetId, BodyId),
    /// Two sheets touch, or are nearer to each other than half their thickness, when the world begins.
    #[error("sheets {} and {} touch at the start: move them apart", .0.0, .1.0)]
    SheetsTouch(SheetId, SheetId),
    /// A vertex of a sheet is not finite.
    #[error("sheet {} has left the world: its positions are not finite", .0.0)]
    SheetLost(SheetId),
    /// Sheets meet meshes only.
    #[error("body {} is round, and sheets meet meshes only: take the mesh of a shape", .0.0)]
    SheetBesideRound(BodyId),
    /// Two bodies are in one another when the world begins.
    #[error("bodies {} and {} overlap at the start: move them apart", .0.0, .1.0)]
    Overlap(BodyId, BodyId),
}

/// Something that happened in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Seconds since the world began.
    pub time: f64,
    /// Who.
    pub bodies: [BodyId; 2],
    /// Where.
    pub point: DVec3,
    /// Unit, from the second body to the first.
    pub normal: DVec3,
    /// What the first body got, and the second the opposite of.
    pub impulse: DVec3,
}

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The impacts, in the order of islands and time.
    pub impacts: Vec<Impact>,
    /// Points of resting contact in the last part of the step.
    pub contacts: usize,
    /// Parts into which islands cut the step, in all.
    pub parts: u32,
    /// Bodies that had to wait, since nothing else kept them apart.
    pub waiting: Vec<BodyId>,
    /// How much time each of them has lost, as far as it was stepped in windows.
    pub lost: Vec<Lost>,
    /// What stepping in windows took.
    pub work: Work,
    /// What the solver left of impacts and of resting contact, in m/s: the most by which a contact breaks its
    /// law ([`Solved::error`](crate::impulse::Solved::error)).
    pub error: f64,
    /// How far joints are from where they should be at the end of the step.
    pub gap: Gap,
    /// What each part moved, if the world [records](World::record) that; in the order of islands and
    /// time.
    pub record: Vec<Part>,
    /// The same for sheets; parts of a step one after the other, in each the sheets in their order.
    pub sheet_record: Vec<SheetPart>,
}

/// Time that a body has lost in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lost {
    /// Which body.
    pub body: BodyId,
    /// How much of the step it did not move.
    pub seconds: f64,
}

/// What steps in windows took, for those who want to know where the time goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Solutions that were proven or refused.
    pub rounds: u64,
    /// Visits of single contacts by the solver.
    pub visits: u64,
    /// Pairs whose motion was looked at by simple proofs.
    pub proofs: u64,
    /// Pairs of which the exact method was asked.
    pub queries: u64,
    /// Bodies that were held back.
    pub held: u64,
}

impl Work {
    fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.visits += other.visits;
        self.proofs += other.proofs;
        self.queries += other.queries;
        self.held += other.held;
    }
}

impl Report {
    /// Takes down what the solver left of some contacts.
    fn leave(&mut self, error: f64) {
        self.error = self.error.max(error);
    }

    fn add(&mut self, other: Self) {
        self.impacts.extend(other.impacts);
        self.contacts += other.contacts;
        self.parts += other.parts;
        self.waiting.extend(other.waiting);
        self.lost.extend(other.lost);
        self.work.add(&other.work);
        self.leave(other.error);
        self.gap = self.gap.max(other.gap);
        self.record.extend(other.record);
        self.sheet_record.extend(other.sheet_record);
    }
}

/// Bodies, and the time since they began.
#[derive(Clone, Debug)]
pub struct World {
    options: Options,
    bodies: Vec<Body>,
    joints: Vec<Joint>,
    sheets: Vec<Sheet>,
    /// The surfaces of bodies for sheets to meet, as far as there are sheets; none for empty ones.
    surfaces: Vec<Option<Arc<Surface>>>,
    /// Pairs that do not collide, smaller number first, sorted.
    ignored: Vec<[usize; 2]>,
    /// Pairs that are ignored if they overlap when the world is checked, likewise.
    ignored_inside: Vec<[usize; 2]>,
    /// Forces at touches in the last step, a first guess for the next.
    forces: island::Forces,
    /// Where the springs of pairs begin.
    reaches: pressed::Reaches,
    /// Where pairs are near each other.
    manifolds: window::Manifolds,
    /// Whether a sheet was caught in the last step.
    is_caught: bool,
    time: f64,
    is_checked: bool,
    is_recording: bool,
}

/// Where a body is and how fast it moves: what changes from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) pose: Pose,
    pub(crate) velocity: Velocity,
    /// The time of a body's route, in seconds; it goes on while the body is held up.
    pub(crate) on_route: f64,
}

impl World {
    /// An empty world.
    ///
    /// *Accepts* any options; a step refuses impossible ones. *Cost* constant. *Fails* never.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            bodies: Vec::new(),
            joints: Vec::new(),
            sheets: Vec::new(),
            surfaces: Vec::new(),
            ignored: Vec::new(),
            ignored_inside: Vec::new(),
            forces: island::Forces::new(),
            reaches: pressed::Reaches::new(),
            manifolds: window::Manifolds::new(),
            time: 0.0,
            is_caught: false,
            is_checked: false,
            is_recording: false,
        }
    }

    /// Adds a body; whether it overlaps others is found out by the next step.
    ///
    /// *Accepts* any body. *Guarantees* the next number. *Cost* constant. *Fails* never.
    pub fn add(&mut self, body: Body) -> BodyId {
        self.bodies.push(body);
        self.is_checked = false;
        BodyId(self.bodies.len() - 1)
    }

    /// Lets two bodies pass through each other.
    ///
    /// *Accepts* bodies of this world, also twice. *Guarantees* that they never collide again, and that they
    /// wake up: one may lie on the other. *Cost* of sorting the pairs that do not collide.
    ///
    /// # Panics
    ///
    /// If a body is not of this world.
    pub fn ignore(&mut self, a: BodyId, b: BodyId) {
        let pair = self.pair(a, b);
        insert(&mut self.ignored, pair);
        [a, b].into_iter().for_each(|id| self.wake(id));
    }

    /// Lets two bodies pass through each other if they overlap when the next step begins; otherwise
    /// they collide from then on.
    ///
    /// So linkages may be made of crude shapes: a pin in a box without a hole. [`World::ignored`]
    /// tells which pairs it were, after [`World::check`] or a step.
    ///
    /// *Accepts* bodies of this world, also twice. *Guarantees* what [`World::ignore`] does, for
    /// pairs that overlap. *Cost* as that, and a query in the next check.
    ///
    /// # Panics
    ///
    /// If a body is not of this world.
    pub fn ignore_inside(&mut self, a: BodyId, b: BodyId) {
        let pair = self.pair(a, b);
        insert(&mut self.ignored_inside, pair);
        self.is_checked = false;
    }

    /// Two bodies of this world, the smaller number first.
    fn pair(&self, a: BodyId, b: BodyId) -> [usize; 2] {
        assert!(a.0.max(b.0) < self.bodies.len(), "both bodies are of this world");
        [a.0.min(b.0), a.0.max(b.0)]
    }

    /// Pairs that pass through each other, each with the smaller number first, in order. Those that
    /// [overlap at the start](World::ignore_inside) are among them once the world is checked.
    pub fn ignored(&self) -> impl Iterator<Item = [BodyId; 2]> {
        self.ignored.iter().map(|pair| pair.map(BodyId))
    }

    /// Links two bodies, of the numbers that they have here, by a joint. They collide with each
    /// other like any others, unless they [overlap](World::ignore_inside) when the next step
    /// begins.
    ///
    /// *Accepts* any joint of bodies of this world. *Guarantees* that both wake up. *Cost* linear
    /// in the pairs that do not collide. *Fails* if a body is not there.
    pub fn link(&mut self, joint: Joint) -> Result<(), LinkageError> {
        self.join(joint)?;
        let [a, b] = joint.bodies();
        self.ignore_inside(BodyId(a), BodyId(b));
        Ok(())
    }

    /// Links two bodies by a joint, and lets them collide as before: that they overlap is refused
    /// as for any others.
    ///
    /// *Accepts* any joint of bodies of this world. *Guarantees* that both wake up. *Cost* constant. *Fails*
    /// if a body is not there.
    pub fn join(&mut self, joint: Joint) -> Result<(), LinkageError> {
        let bodies = self.bodies.len();
        if let Some(body) = joint.bodies().into_iter().find(|body| *body >= bodies) {
            return Err(LinkageError::UnknownBody { joint: self.joints.len(), body, bodies });
        }
        self.joints.push(joint);
        joint.bodies().into_iter().for_each(|body| self.wake(BodyId(body)));
        Ok(())
    }

    /// Whether two bodies keep apart: neither is one that all others pass through, and they are not
    /// [ignored](World::ignore).
    ///
    /// *Accepts* any numbers of bodies. *Cost* logarithmic in the pairs that do not collide. *Fails*
    /// never.
    pub fn collides(&self, a: BodyId, b: BodyId) -> bool {
        let pair = [a.0.min(b.0), a.0.max(b.0)];
        let is_solid = |i: usize| self.bodies.get(i).is_some_and(|body| !body.is_intangible);
        pair.iter().all(|&i| is_solid(i)) && self.ignored.binary_search(&pair).is_err()
    }

    /// All joints, in the order in which they were added.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// All bodies, in the order of their numbers.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Seconds since the world began.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Has the world move otherwise from the next step on.
    ///
    /// *Accepts* any options; a step refuses impossible ones. *Guarantees* that all bodies wake up.
    /// *Cost* linear in the bodies. *Fails* never.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
        (0..self.bodies.len()).for_each(|i| self.wake(BodyId(i)));
    }

    /// How the world moves.
    pub fn options(&self) -> &Options {
        &self.options
    }
}

/// Adds a pair to a sorted list, if it is not in it.
fn insert(pairs: &mut Vec<[usize; 2]>, pair: [usize; 2]) {
    if let Err(place) = pairs.binary_search(&pair) {
        pairs.insert(place, pair);
    }
}
