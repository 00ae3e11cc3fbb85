//! The least distance of two bodies over a whole motion.

use std::cmp::Ordering;

use glam::{DMat3, DVec3};

use super::scene::Scene;
use super::sweep::{Sweep, Swept};
use super::{Distance, Workspace, distance};
use crate::bounds::Collider;
use crate::contact::Options;
use crate::motion::{Pose, Screw, Step};
use crate::screw;

/// The least distance of two bodies over a motion. Every field is valid whenever a `Clearance`
/// exists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// The distance is at least this at all times.
    pub lower: f64,
    /// The distance at `time`.
    pub upper: f64,
    /// When the bodies are that near, as a fraction of the step. Bodies that touch do so at this
    /// time, and perhaps before: [`first_contact`](crate::query::first_contact) tells when first.
    pub time: f64,
    /// The closest points of A and B then, in the world frame; a point of both, twice, if the
    /// bodies touch or overlap then.
    pub points: [DVec3; 2],
    /// Unit, from A to B then, in the world frame.
    pub normal: DVec3,
    /// How many searches it took; each costs about as much as a [`distance`].
    pub searches: u32,
}

/// Searches at most: far above what any width takes but that of rounding.
const MOST_SEARCHES: u32 = 1 << 16;

/// Whiles of this part of a step's part that may hold a touch are a reason to look for contacts.
const SHORT: f64 = 1.0 / 8.0;

/// A step of one part is looked at in so many pieces first: bounds over longer ones hardly ever end
/// a search.
const FIRST_PIECES: u32 = 4;

/// The first search of a while opens so many pairs of nodes, those of its halves twice as many, and
/// so on: long whiles tell little, however long they are looked at.
const FIRST_LIMIT: u32 = 512;

/// The least distance of two bodies over a motion, as an interval no wider than `width`.
///
/// *Accepts* any two colliders, any step and any width; the relative motion is that of
/// [`Step::part`], as contacts see it: A by its own motion, B by
/// [`Step::pose_of_b_by_relative`]. *Guarantees* that the distance at every time is at least
/// `lower`, that it is `upper` at `time`, and that `upper - lower` is at most `width`, or rounding
/// if that is more. If the bodies touch or overlap at some time, both bounds are 0 and the time is
/// such a one. *Cost* about 6 searches for a width of 1e-3 of the size and 14 for 1e-6, see
/// `docs/distance.md`; a query for contacts where the bodies may touch. No allocation once the
/// workspace has grown. *Fails* never; after 65,536 searches the interval is as wide as it is.
///
/// ```
/// use chasles::distance::{Workspace, clearance};
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::{Collider, Motion, Pose, Step};
///
/// let cube = Collider::new(Shape::Box(Cuboid::default()).build()?);
/// let [from, to] = [[-3.0, 1.5, 0.0], [3.0, 1.5, 0.25]].map(|p| Pose::from_position(p).unwrap());
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to));
/// let found = clearance(&cube, &cube, &step, 1e-6, &mut Workspace::new());
/// assert!(found.lower <= 0.5 && found.upper >= 0.5 - 1e-12 && found.upper - found.lower <= 1e-6);
/// assert!((found.time - 0.5).abs() < 0.2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn clearance(
    a: &Collider,
    b: &Collider,
    step: &Step,
    width: f64,
    workspace: &mut Workspace,
) -> Clearance {
    let mut journey = Journey::new([a, b], step, workspace);
    let lower = journey.search(possible(width, [a, b], step), workspace);
    journey.told(lower, workspace)
}

/// Where the bodies are, as contacts see it.
fn poses_at(step: &Step, time: f64) -> [Pose; 2] {
    [step.pose_of_a(time), step.pose_of_b_by_relative(time)]
}

/// A while in one part of a step, and a lower bound of the distance in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct While {
    lower: f64,
    part: u32,
    /// In the time of the part, from 0 to 1.
    from: f64,
    to: f64,
}

/// The greatest is that with the least bound, and of these the first.
impl Ord for While {
    fn cmp(&self, other: &Self) -> Ordering {
        let start = |w: &Self| (w.part, w.from.to_bits());
        other.lower.total_cmp(&self.lower).then_with(|| start(other).cmp(&start(self)))
    }
}

impl PartialOrd for While {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for While {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for While {}

/// One relative screw, from A's pivot.
struct Way {
    screw: Screw,
    turn: DMat3,
    from: DVec3,
    times: [f64; 2],
}

/// What is known of a motion so far.
struct Journey<'q> {
    bodies: [&'q Collider; 2],
    step: &'q Step,
    /// The least distance that is known.
    upper: f64,
    time: f64,
    searches: u32,
    is_touching: bool,
    /// Whether contacts were looked for.
    has_asked: bool,
}

impl<'q> Journey<'q> {
    fn new(bodies: [&'q Collider; 2], step: &'q Step, workspace: &mut Workspace) -> Self {
        workspace.whiles.clear();
        let found = distance(bodies[0], bodies[1], poses_at(step, 0.0), workspace);
        Self {
            bodies,
            step,
            upper: found.distance,
            time: 0.0,
            searches: 1,
            is_touching: found.overlaps,
            has_asked: false,
        }
    }

    /// A lower bound for all times, by halving the while with the least bound.
    fn search(&mut self, width: f64, workspace: &mut Workspace) -> f64 {
        if self.is_touching {
            return 0.0;
        }
        let pieces = if self.step.parts() > 1 { 1 } else { FIRST_PIECES };
        for part in 0..self.step.parts() {
            for i in 0..pieces {
                let [from, to] = [i, i + 1].map(|i| f64::from(i) / f64::from(pieces));
                self.look(While { lower: 0.0, part, from, to }, workspace);
            }
        }
        while let Some(next) = workspace.whiles.pop() {
            let is_last = next.lower >= self.upper - width || self.searches >= MOST_SEARCHES;
            let is_short = next.to - next.from <= SHORT;
            if next.lower <= 0.0 && (is_short || is_last) && self.finds_contact(workspace) {
                return 0.0;
            }
            if is_last {
                return next.lower;
            }
            let middle = 0.5 * (next.from + next.to);
            self.look(While { to: middle, ..next }, workspace);
            self.look(While { from: middle, ..next }, workspace);
        }
        self.upper
    }

    /// Bounds the distance in a while, and keeps the while with its bound.
    fn look(&mut self, whole: While, workspace: &mut Workspace) {
        let [a, b] = self.bodies;
        let way = self.way(whole.part);
        let half = 0.5 * (whole.to - whole.from);
        let middle = whole.from + half;
        let placed = way.screw.pose_at(middle);
        let turn = DMat3::from_quat(placed.rotation()) * way.turn;
        let scene = Scene::placed(a, b, turn, placed.point(way.from));
        let sweep = Sweep::new(&way.screw, half);
        let limit = (f64::from(FIRST_LIMIT) / half) as u32;
        let Swept { lower, upper } = workspace.search.sweep(&scene, &sweep, limit);
        self.searches += 1;
        if upper < self.upper {
            self.upper = upper;
            self.time = way.times[0] + middle * (way.times[1] - way.times[0]);
        }
        let lower = (lower - ROUNDINGS * scene.noise).max(whole.lower);
        workspace.whiles.push(While { lower, ..whole });
    }

    fn way(&self, part: u32) -> Way {
        let part = self.step.part(part);
        let (screw, turn, from) = part.about(self.bodies.map(Collider::pivot));
        Way { screw, turn, from, times: part.times() }
    }

    /// Whether the bodies touch on the way, which is looked for once.
    fn finds_contact(&mut self, workspace: &mut Workspace) -> bool {
        if self.has_asked {
            return false;
        }
        self.has_asked = true;
        let [a, b] = self.bodies;
        let options = Options { first_only: true, ..Options::default() };
        let workspace = workspace.screw.get_or_insert_default();
        if let Some(first) = screw::contacts(a, b, self.step, &options, workspace).first() {
            (self.is_touching, self.time) = (true, first.time);
        }
        self.is_touching
    }

    /// The answer, with the points at the time that was found.
    fn told(&self, lower: f64, workspace: &mut Workspace) -> Clearance {
        let [a, b] = self.bodies;
        let Distance { distance: upper, points, normal, .. } =
            distance(a, b, poses_at(self.step, self.time), workspace);
        let searches = self.searches + 1;
        let [lower, upper] =
            if self.is_touching { [0.0; 2] } else { [lower.max(0.0).min(upper), upper] };
        Clearance { lower, upper, time: self.time, points, normal, searches }
    }
}

/// The narrowest interval that rounding allows, or what was asked for if that is more. NaN is not.
fn possible(width: f64, [a, b]: [&Collider; 2], step: &Step) -> f64 {
    let far = |part: u32| {
        let (_, _, from) = step.part(part).about([a.pivot(), b.pivot()]);
        from.length()
    };
    let far = (0..step.parts()).map(far).fold(a.radius() + b.radius(), f64::max);
    width.max(WIDEST * f64::EPSILON * far)
}

/// A width of so many roundings can be had, some thousand units in the last place: bounds are off
/// by dozens of them, and end poses of a screw by some more.
const WIDEST: f64 = 16384.0;

/// A bound is wrong by so many roundings of coordinates at most: that of a box, of its approach,
/// and of what is nearer by less than rounding.
const ROUNDINGS: f64 = 4.0;
