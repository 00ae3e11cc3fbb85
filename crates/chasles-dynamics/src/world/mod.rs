//! A world of bodies in which nothing interpenetrates, at any step.
//!
//! ```text
//! step:    swept boxes -> pairs -> islands -> each island advances -> bodies
//! window:  near pairs -> candidates -> limits -> velocities -> trial poses -> certified poses
//! event:   near -> impacts -> forces, resting contact, joints -> trial poses -> certified poses
//! ```
//!
//! Poses change only to poses whose way there is certified: the exact method ([`chasles::screw`])
//! is asked for the first contact of every pair on the relative screw from the present poses to
//! the trial poses, unless something simpler settles the pair. If there is one, velocities are
//! solved again with it, or by events the trial is cut short of it ([`Stepping`]). So bodies that
//! are apart stay apart whatever the response does; at worst they wait ("last known good poses",
//! [Buss04 §3]). A small gap is kept between bodies that touch, half of the expel zone ([Waveren05
//! §3]), a share [`Options::zone`] of the smaller body.
//!
//! Islands are bodies that could meet within the step. They do not see each other, so they are
//! advanced in parallel, and the results do not depend on the number of threads. A body that
//! leaves the box in which it was expected gets a larger one; the step starts over where that meets
//! another island.

mod body;
mod broad;
mod certify;
mod change;
mod cloth;
mod collision_filter;
mod contact_response;
mod conveyor;
mod damping;
mod debug_lines;
mod event;
mod free_linkage;
mod gap_curvature;
mod handle;
mod hash;
mod island;
mod island_joints;
mod joint_forces;
mod load;
mod merged_report;
mod method;
mod momentum_correction;
mod obstacle_motion;
mod pinch;
mod query;
mod quick_proofs;
mod record;
mod response_cache;
mod route;
mod sensor;
#[cfg(feature = "serde")]
mod serialization;
mod shape;
mod sheet_impulses;
mod sheet_motion;
mod sheet_reactions;
mod sheet_support;
mod snapshot;
mod spring_contact;
mod step;
mod swept_pairs;
mod tree;
mod trial;
mod window;

use std::collections::BTreeSet;
use std::sync::Arc;

use chasles::Pose;
use chasles::deform::Surface;
use glam::DVec3;
use thiserror::Error;

pub use body::{Body, Kind};
pub use change::ChangeError;
pub use chasles::query::Filter;
pub use cloth::SheetId;
pub use damping::Damping;
pub use debug_lines::{Line, Shows};
pub use event::{ContactEvent, ContactPoint, Phase};
pub use handle::{BodyId, JointId};
pub use joint_forces::{JointForce, Strength};
pub use load::Load;
pub use method::Method;
pub use query::CastHit;
#[allow(deprecated)]
pub use query::Struck;
pub use record::{Move, Part, SheetPart};
pub use route::{Cut, Route, RouteError};
pub use sensor::{Passage, Sensed};
pub use shape::{RoundShapeError, Shape};
pub use snapshot::{OtherWorld, Saved};
pub use spring_contact::Springs;

use crate::body::Velocity;
use crate::linkage::{Gap, Joint, LinkageError};
use crate::spring::sheet::Sheet;

/// How a world moves.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options {
    /// The acceleration of every dynamic body.
    pub gravity: DVec3,
    /// The gap that is kept between two bodies, as a share of the smaller: above 0 and at most
    /// 0.01. It is room for what solvers leave undone: of 1e-3 there are few second tries. With
    /// springs it is at most a twentieth of their reach.
    pub zone: f64,
    /// Slower approaches than this, in metres per second, do not bounce: 0.01 is what a fall of
    /// five micrometres gives.
    pub gentle: f64,
    /// Bodies that move slower than this for half a second fall asleep, in metres per second, if
    /// something that stands still carries them; others drift on.
    pub sleep_below: f64,
    /// Parts, or windows, of a step at most. By events bodies wait for what is left of the step
    /// then; 64 are enough. Windows share the step, so that none of it is left: they are no shorter
    /// than what is left of it over those that are left. With no window at all nothing moves, and
    /// [`Report::lost`] says so.
    pub max_parts: u32,
    /// What a step may cost for each body of an island, as [`Work::cost`] counts it: a budget of
    /// time that does not depend on the machine. Infinite: any. Where it is nearly spent windows
    /// get longer. Once it is spent, what is left of the step is one window, in which bodies go as
    /// far as is proven free and [`Report::lost`] says who waited. By events and in sheets it has
    /// no effect.
    #[cfg_attr(feature = "serde", serde(with = "crate::unbounded"))]
    pub max_work: f64,
    /// Springs that gentle and resting contact of bodies is left to, and all contact of sheets;
    /// without them, impulses do all, and sheets give back no speed. In windows they cost about
    /// what impulses do; by events, where a push is seen as it goes on, up to 100 times as much.
    pub springs: Option<Springs>,
    /// By events: seconds within which contacts of a body count as one impact [Buss04 §3]. Where it
    /// collides, what would follow within this time at the present speed collides with it. 0: only
    /// what touches.
    pub window: f64,
    /// How what is in the way of bodies is found.
    pub method: Method,
    /// How a step is cut.
    pub stepping: Stepping,
}

/// How a step is cut into parts that are solved at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stepping {
    /// All contacts of the step together, in one window where that can be: for heaps, and for
    /// games. Linkages that nothing is near are stepped by events.
    #[default]
    Windows,
    /// One impact after the other, in their order: for Newton's cradle, and where bodies on routes
    /// have to wait for static ones.
    Events,
}

impl Options {
    /// What suits heaps of bodies and games: [`Stepping::Windows`]. The default.
    pub fn windows() -> Self {
        Self::default()
    }

    /// One impact after the other ([`Stepping::Events`]), with a gap of 5e-5 of the smaller body.
    pub fn events() -> Self {
        Self { stepping: Stepping::Events, zone: 5e-5, max_parts: 64, ..Self::default() }
    }

    /// How far around bodies others are looked for, as a share of their size.
    fn near(&self) -> f64 {
        let reach = match self.stepping {
            Stepping::Windows => self.springs.map_or(0.0, |springs| springs.reach),
            Stepping::Events => 0.0,
        };
        (8.0 * self.zone).max(2.0 * reach)
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
            zone: 1e-3,
            gentle: 0.01,
            sleep_below: 3e-3,
            max_parts: 4096,
            max_work: 1e6,
            springs: None,
            window: 0.0,
            method: Method::Exact,
            stepping: Stepping::default(),
        }
    }
}

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
    /// What a step may cost is no number of 0 or more.
    #[error("the option `max_work` is {0}, which is impossible: it must be 0 or more")]
    Work(f64),
    /// Springs of no reach, period or speed.
    #[error("springs {0:?} are impossible: reach, period and speed must be positive numbers")]
    Springs(Springs),
    /// A force or torque on a body is not finite.
    #[error("the load of body {0} is not finite")]
    Load(BodyId),
    /// The damping of a body or the velocity of its surface is none.
    #[error("the damping of body {0} must be 0 or more, and the velocity of its surface finite")]
    Surface(BodyId),
    /// A body's state is not finite, or beyond what coordinates may be, or would be after the step.
    #[error("body {0} has left the world: its pose or velocity is not finite, or beyond 1e100")]
    Lost(BodyId),
    /// A sheet touches a body, or is nearer to it than half its thickness, when the world begins.
    #[error("sheet {} touches body {} at the start: move them apart", .0.0, .1)]
    SheetTouches(SheetId, BodyId),
    /// A sheet is inside a body when the world begins.
    #[error("sheet {} is inside body {} at the start: move it out", .0.0, .1)]
    SheetInside(SheetId, BodyId),
    /// Two sheets touch, or are nearer to each other than half their thickness, when the world
    /// begins.
    #[error("sheets {} and {} touch at the start: move them apart", .0.0, .1.0)]
    SheetsTouch(SheetId, SheetId),
    /// A vertex of a sheet is not finite.
    #[error("sheet {} has left the world: its positions are not finite", .0.0)]
    SheetLost(SheetId),
    /// Sheets meet meshes only.
    #[error("body {0} is round, and sheets meet meshes only: take the mesh of a shape")]
    SheetBesideRound(BodyId),
    /// Two bodies are in one another when the world begins.
    #[error("bodies {0} and {1} overlap at the start: move them apart, or remove one")]
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
    /// Pairs that began to touch, went on or parted, if the world [listens](World::listen); in the
    /// order of their places.
    pub events: Vec<ContactEvent>,
    /// What sensors noticed, in the order of their places.
    pub sensed: Vec<Sensed>,
    /// Points of resting contact in the last part of the step.
    pub contacts: usize,
    /// Parts into which islands cut the step, in all.
    pub parts: u32,
    /// Bodies that had to wait, since nothing else kept them apart.
    pub waiting: Vec<BodyId>,
    /// How much time each of them has lost.
    pub lost: Vec<Lost>,
    /// How much time sheets have lost that were caught and could not be moved.
    pub lost_sheets: Vec<LostSheet>,
    /// What stepping in windows took.
    pub work: Work,
    /// What the solver left of impacts and of resting contact, in m/s: the most by which a contact
    /// breaks its law ([`Solved::error`](crate::impulse::Solved::error)).
    pub error: f64,
    /// How far joints are from where they should be at the end of the step.
    pub gap: Gap,
    /// What joints bore on the mean of the step, if the world [listens](World::listen), but for
    /// those of bodies that sleep. It is right to first order in the length of the step; joints of
    /// a loop share it in one of many ways, and contact springs, which tell no impulses by events,
    /// count as joints.
    pub joint_forces: Vec<JointForce>,
    /// Joints that [broke](World::set_strength) at the end of the step.
    pub broken: Vec<JointId>,
    /// What each part moved, if the world [records](World::record) that; in the order of islands
    /// and time.
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

/// Time that a sheet has lost in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LostSheet {
    /// Which sheet.
    pub sheet: SheetId,
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
    /// Multiplications of contacts and joints that were solved together.
    pub multiplications: u64,
}

impl Work {
    /// All of it in visits of single contacts, by what each takes on the mean: about 50 ns.
    pub fn cost(&self) -> f64 {
        const PROOF: f64 = 40.0;
        const QUERY: f64 = 1000.0;
        const MULTIPLICATION: f64 = 0.01;
        self.visits as f64
            + PROOF * self.proofs as f64
            + QUERY * self.queries as f64
            + MULTIPLICATION * self.multiplications as f64
    }

    fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.visits += other.visits;
        self.proofs += other.proofs;
        self.queries += other.queries;
        self.held += other.held;
        self.multiplications += other.multiplications;
    }
}

impl Report {
    /// Takes down what the solver left of some contacts.
    fn leave(&mut self, error: f64) {
        self.error = self.error.max(error);
    }

    fn add(&mut self, other: Self) {
        self.impacts.extend(other.impacts);
        self.events.extend(other.events);
        self.sensed.extend(other.sensed);
        self.contacts += other.contacts;
        self.parts += other.parts;
        self.waiting.extend(other.waiting);
        self.lost.extend(other.lost);
        self.lost_sheets.extend(other.lost_sheets);
        self.work.add(&other.work);
        self.leave(other.error);
        self.gap = self.gap.max(other.gap);
        self.joint_forces.extend(other.joint_forces);
        self.broken.extend(other.broken);
        self.record.extend(other.record);
        self.sheet_record.extend(other.sheet_record);
    }
}

/// Bodies, and the time since they began.
///
/// With the feature `serde` worlds and [moments](Saved) are values of any format that keeps every
/// bit, and go on with the same bits in another process: but for worlds with sheets, which are not
/// written, for a [rule](World::collide_if), which is left out, and for meshes whose polygons were
/// split or vertices joined when they were made, which are numbered anew.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(from = "serialization::Stored", into = "serialization::Stored")
)]
pub struct World {
    options: Options,
    bodies: Vec<Body>,
    /// Who is where in `bodies`; what stands in an empty place nothing meets.
    slots: handle::Slots,
    /// Joints, of numbers in `bodies`, and their handles, which grow.
    joints: Vec<Joint>,
    joint_ids: Vec<JointId>,
    next_joint: u64,
    strengths: joint_forces::Strengths,
    sheets: Vec<Sheet>,
    /// The surfaces of bodies for sheets to meet, as far as there are sheets; none for empty ones.
    surfaces: Vec<Option<Arc<Surface>>>,
    /// Pairs that do not collide, smaller number first.
    ignored: BTreeSet<[usize; 2]>,
    /// Pairs that are ignored if they overlap when the world is checked, likewise.
    ignored_inside: BTreeSet<[usize; 2]>,
    /// A rule of the caller: who may collide.
    rule: Option<collision_filter::Rule>,
    /// Forces at touches in the last step, a first guess for the next.
    forces: island::Forces,
    /// Where the springs of pairs begin.
    reaches: spring_contact::Reaches,
    /// Where pairs are near each other.
    manifolds: window::Manifolds,
    /// Whether a sheet was caught in the last step.
    is_caught: bool,
    /// What sheets do to the velocity of each body in a second, while a step with sheets is taken.
    borne: Vec<Velocity>,
    /// What bodies did to the velocity of each body that sheets carry, in a second of the last
    /// step.
    props: Vec<Velocity>,
    time: f64,
    /// Seconds of the step that is being taken, all its parts together.
    step_length: f64,
    is_checked: bool,
    is_recording: bool,
    is_listening: bool,
    /// Where bodies are, for questions.
    tree: tree::Tree,
    /// Pairs that touched in the last step, smaller number first, if the world listens.
    touching: BTreeSet<[usize; 2]>,
    /// Who is in which sensor.
    watched: sensor::Watched,
    /// What the next report tells besides, of bodies that were removed.
    due: Due,
}

/// Events that happened between steps.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Due {
    events: Vec<ContactEvent>,
    sensed: Vec<Sensed>,
}

/// Where a body is and how fast it moves: what changes from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
            slots: handle::Slots::default(),
            joints: Vec::new(),
            joint_ids: Vec::new(),
            next_joint: 0,
            strengths: joint_forces::Strengths::new(),
            sheets: Vec::new(),
            surfaces: Vec::new(),
            ignored: BTreeSet::new(),
            ignored_inside: BTreeSet::new(),
            rule: None,
            forces: island::Forces::new(),
            reaches: spring_contact::Reaches::new(),
            manifolds: window::Manifolds::new(),
            time: 0.0,
            step_length: 0.0,
            is_caught: false,
            borne: Vec::new(),
            props: Vec::new(),
            is_checked: false,
            is_recording: false,
            is_listening: false,
            tree: tree::Tree::default(),
            touching: BTreeSet::new(),
            watched: sensor::Watched::new(),
            due: Due::default(),
        }
    }

    /// Adds a body; whether it overlaps others is found out by the next step. [`World::try_add`]
    /// finds out at once and refuses it.
    ///
    /// *Accepts* any body. *Guarantees* a handle that no other body of this world ever has: the
    /// next number, as long as none is removed. *Cost* constant. *Fails* never.
    pub fn add(&mut self, mut body: Body) -> BodyId {
        let slot = self.slots.take();
        body.is_new = true;
        self.bodies.resize_with(self.bodies.len().max(slot + 1), Body::vacant);
        self.bodies[slot] = body;
        self.keep(slot);
        self.is_checked = false;
        self.slots.id(slot)
    }

    /// Links two bodies, of the numbers that their handles have, by a joint. They collide with each
    /// other like any others, unless they [overlap](World::ignore_inside) when the next step
    /// begins.
    ///
    /// *Accepts* any joint of bodies of this world. *Guarantees* that both wake up. *Cost*
    /// logarithmic in the pairs that do not collide. *Fails* if a body is not there.
    pub fn link(&mut self, joint: Joint) -> Result<JointId, LinkageError> {
        let id = self.join(joint)?;
        let [a, b] = joint.bodies().map(BodyId);
        self.ignore_inside(a, b);
        Ok(id)
    }

    /// Links two bodies by a joint, and lets them collide as before: that they overlap is refused
    /// as for any others.
    ///
    /// *Accepts* any joint of bodies of this world. *Guarantees* that both wake up. *Cost*
    /// constant. *Fails* if a body is not there.
    pub fn join(&mut self, joint: Joint) -> Result<JointId, LinkageError> {
        let number = self.joints.len();
        let slot = |body: usize| {
            let bodies = self.bodies.len();
            let unknown = LinkageError::UnknownBody { joint: number, body, bodies };
            self.slots.slot(BodyId(body)).ok_or(unknown)
        };
        let [a, b] = joint.bodies();
        let slots = [slot(a)?, slot(b)?];
        self.joints.push(joint.between(slots));
        let id = JointId(self.next_joint);
        self.next_joint += 1;
        self.joint_ids.push(id);
        slots.into_iter().for_each(|slot| self.rouse(slot));
        Ok(id)
    }

    /// All joints, in the order in which they were added, of the [places](BodyId::index) of their
    /// bodies; [`World::joint_ids`] has their handles.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// All bodies, in the order of their [places](BodyId::index). The place of one that was removed
    /// holds a point that meets nothing until it is taken again; [`World::iter`] leaves it out.
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
        (0..self.bodies.len()).for_each(|slot| self.rouse(slot));
    }

    /// How the world moves.
    pub fn options(&self) -> &Options {
        &self.options
    }
}
