//! The least distance of two bodies over a whole motion.

use std::cmp::Ordering;

use glam::{DMat3, DVec3};

use super::scene::Scene;
use super::sweep::Sweep;
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
    /// How many pairs of nodes of the two trees were opened or compared, which is what it cost: a
    /// [`distance`] takes some hundred to a thousand.
    pub pairs: u64,
}

/// Pairs of nodes at most: some seconds.
pub(super) const MOST_PAIRS: u64 = 1 << 24;

/// Whiles of this part of a step's part that may hold a touch are a reason to look for contacts.
const SHORT: f64 = 1.0 / 8.0;

/// A step of one part is looked at in so many pieces first: bounds over longer ones hardly ever end
/// a search.
pub(super) const FIRST_PIECES: u32 = 4;

/// The search of a while of all of a part looks at so many pairs of nodes, those of its halves at
/// twice as many, and so on: long whiles tell little, however long they are looked at.
const FIRST_LIMIT: f64 = 64.0;

/// The least distance of two bodies over a motion, as an interval no wider than `width`.
///
/// *Accepts* any two colliders, any step and any width; the relative motion is that of
/// [`Step::part`], as contacts see it: A by its own motion, B by
/// [`Step::pose_of_b_by_relative`]. *Guarantees* that the distance at every time is at least
/// `lower`, that it is `upper` at `time`, and that `upper - lower` is at most `width`, or rounding
/// if that is more. If the bodies touch or overlap at some time, both bounds are 0 and the time is
/// such a one. *Cost* about that of 25 distances for a width of 1e-3 and 50 for 1e-6 between bodies
/// of size 1, see `docs/distance.md`, and up to 200 if they keep their distance all the way; a
/// query for contacts where the bodies may touch. No allocation once the workspace has grown.
/// *Fails* never; after 2^24 pairs of nodes, some seconds, the interval is as wide as it is.
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
    let lower = journey.search(SPARED * possible(width, [a, b], step), workspace);
    journey.told(lower, workspace)
}

/// Where the bodies are, as contacts see it.
pub(super) fn poses_at(step: &Step, time: f64) -> [Pose; 2] {
    [step.pose_of_a(time), step.pose_of_b_by_relative(time)]
}

/// A while in one part of a step, and a lower bound of the distance in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct While {
    pub(super) lower: f64,
    pub(super) part: u32,
    /// In the time of the part, from 0 to 1.
    pub(super) from: f64,
    pub(super) to: f64,
    /// Leaves that are near each other in its middle, nearer than any were before.
    pub(super) leaves: Option<[u32; 2]>,
}

impl While {
    pub(super) fn half(&self) -> f64 {
        0.5 * (self.to - self.from)
    }

    pub(super) fn middle(&self) -> f64 {
        self.from + self.half()
    }
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

/// One relative screw, from the pivot of the first body.
struct Way<'q> {
    /// The first stands, and the second moves.
    bodies: [&'q Collider; 2],
    screw: Screw,
    turn: DMat3,
    from: DVec3,
    times: [f64; 2],
}

impl<'q> Way<'q> {
    /// The motion of one part, as the body sees it for which the other is slower: bounds get worse
    /// with the speed, and a body that goes round another far away is all but at rest for it.
    fn new([a, b]: [&'q Collider; 2], step: &Step, part: u32) -> Self {
        let seen = [Self::seen([a, b], step, part), Self::seen([b, a], &step.swapped(), part)];
        let [by_a, by_b] = seen;
        if by_b.speed() < by_a.speed() { by_b } else { by_a }
    }

    fn seen(bodies: [&'q Collider; 2], step: &Step, part: u32) -> Self {
        let part = step.part(part);
        let (screw, turn, from) = part.about(bodies.map(Collider::pivot));
        Self { bodies, screw, turn, from, times: part.times() }
    }

    /// No point of the second body is faster.
    fn speed(&self) -> f64 {
        let angular = self.screw.angular();
        let of_pivot = angular.cross(self.from) + self.screw.linear();
        of_pivot.length() + angular.length() * self.bodies[1].radius()
    }

    /// The bodies in the middle of a while, and how they move around it.
    fn scene(&self, whole: &While) -> Scene<'q> {
        let placed = self.screw.pose_at(whole.middle());
        let turn = DMat3::from_quat(placed.rotation()) * self.turn;
        Scene::placed(self.bodies[0], self.bodies[1], turn, placed.point(self.from))
    }
}

/// What is known of a motion so far.
struct Journey<'q> {
    bodies: [&'q Collider; 2],
    step: &'q Step,
    /// The least distance that is known.
    upper: f64,
    time: f64,
    /// The distance is at least this in all whiles that need not be looked at any more.
    lower: f64,
    is_touching: bool,
    /// Whether contacts were looked for.
    has_asked: bool,
}

impl<'q> Journey<'q> {
    fn new(bodies: [&'q Collider; 2], step: &'q Step, workspace: &mut Workspace) -> Self {
        workspace.whiles.clear();
        workspace.search.pairs = 0;
        let found = distance(bodies[0], bodies[1], poses_at(step, 0.0), workspace);
        Self {
            bodies,
            step,
            upper: found.distance,
            time: 0.0,
            lower: f64::INFINITY,
            is_touching: found.overlaps,
            has_asked: false,
        }
    }

    /// A lower bound for all times, by halving the while with the least bound.
    fn search(&mut self, width: f64, workspace: &mut Workspace) -> f64 {
        let pieces = if self.step.parts() > 1 { 1 } else { FIRST_PIECES };
        for part in 0..self.step.parts() {
            for i in 0..pieces {
                let [from, to] = [i, i + 1].map(|i| f64::from(i) / f64::from(pieces));
                self.look(While { lower: 0.0, part, from, to, leaves: None }, workspace);
            }
        }
        while !self.is_touching
            && let Some(next) = workspace.whiles.pop()
        {
            let is_spent = workspace.search.pairs >= MOST_PAIRS;
            let is_last = next.lower.max(0.0) >= self.upper - width || is_spent;
            let is_short = next.to - next.from <= SHORT;
            if next.lower <= 0.0 && (is_short || is_last) && self.finds_contact(workspace) {
                break;
            }
            if is_last {
                return self.lower.min(next.lower);
            }
            if self.stays_apart(&next, self.upper - width, workspace) {
                self.lower = self.lower.min(self.upper - width);
                continue;
            }
            let middle = next.middle();
            self.look(While { to: middle, ..next }, workspace);
            self.look(While { from: middle, ..next }, workspace);
        }
        if self.is_touching { 0.0 } else { self.lower.min(self.upper) }
    }

    /// Finds the distance in the middle of a while, if it is less than all that is known, and keeps
    /// the while: no point moves farther from there than its speed says.
    fn look(&mut self, whole: While, workspace: &mut Workspace) {
        if self.is_touching {
            return;
        }
        let way = Way::new(self.bodies, self.step, whole.part);
        let scene = way.scene(&whole);
        let found = workspace.search.nearer(&scene, self.upper);
        if let Some(nearer) = found {
            self.is_touching = nearer.is_crossing;
            self.upper = nearer.distance;
            self.time = way.times[0] + whole.middle() * (way.times[1] - way.times[0]);
        }
        let travel = whole.half() * way.speed();
        let lower = (self.upper - travel - ROUNDINGS * scene.noise).max(whole.lower);
        let leaves = found.map(|nearer| nearer.leaves);
        workspace.whiles.push(While { lower, leaves, ..whole });
    }

    /// Whether the bodies are at least `goal` apart for all of a while, if that is easy to tell.
    fn stays_apart(&self, whole: &While, goal: f64, workspace: &mut Workspace) -> bool {
        let way = Way::new(self.bodies, self.step, whole.part);
        let scene = way.scene(whole);
        let sweep = Sweep::new(&way.screw, whole.half());
        let limit = (FIRST_LIMIT / whole.half()) as u64;
        let goal = goal + ROUNDINGS * scene.noise;
        workspace.search.sweep(&scene, &sweep, (goal, whole.leaves), limit) >= goal
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
        let pairs = workspace.search.pairs;
        let [lower, upper] =
            if self.is_touching { [0.0; 2] } else { [lower.max(0.0).min(upper), upper] };
        Clearance { lower, upper, time: self.time, points, normal, pairs }
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
pub(super) const WIDEST: f64 = 16384.0;

/// The share of a width that is looked for: the distance at the end is worked out anew, and is off
/// by some rounding.
pub(super) const SPARED: f64 = 1.0 - 1.0 / 64.0;

/// A bound is wrong by so many roundings of coordinates at most: that of a box, of its approach,
/// and of what is nearer by less than rounding.
const ROUNDINGS: f64 = 4.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::{Shape, Sphere, Torus};
    use crate::motion::Motion;
    use glam::DQuat;

    fn sphere(segments: [u32; 2]) -> Collider {
        let shape = Shape::Sphere(Sphere { segments, ..Sphere::default() });
        Collider::new(shape.build().expect("a sphere"))
    }

    fn torus() -> Collider {
        let shape = Shape::Torus(Torus { segments: [60, 40], ..Torus::default() });
        Collider::new(shape.build().expect("a torus"))
    }

    fn pose(position: DVec3, turn: DVec3) -> Pose {
        Pose::new(position, DQuat::from_scaled_axis(turn)).expect("finite")
    }

    /// How many pairs of nodes a clearance takes, and a distance on that way in the mean.
    fn pairs(body: &Collider, step: &Step, width: f64, workspace: &mut Workspace) -> [f64; 2] {
        let found = clearance(body, body, step, width, workspace);
        assert!(found.lower > 0.0 && found.upper - found.lower <= width, "{found:?}");
        workspace.search.pairs = 0;
        for i in 0..10 {
            distance(body, body, poses_at(step, f64::from(i) / 9.0), workspace);
        }
        [found.pairs as f64, workspace.search.pairs as f64 / 10.0]
    }

    #[test]
    fn clearances_cost_some_dozen_distances() {
        let mut workspace = Workspace::new();
        let bodies = [sphere([32, 16]), sphere([64, 32]), sphere([128, 64]), torus()];
        let mut seed = 9_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut vector = || DVec3::new(random(), random(), random());
        for (width, mean, most) in [(1e-3, 40.0, 120.0), (1e-6, 80.0, 200.0)] {
            let mut shares = Vec::new();
            for number in 0..40 {
                let ends = [0, 1].map(|_| pose(2.0 * vector() + DVec3::Z * 4.5, vector()));
                let b = Motion::between(ends[0], ends[1]);
                let step = Step::new(Motion::still(Pose::IDENTITY), b);
                let [moving, at_rest] = pairs(&bodies[number % 4], &step, width, &mut workspace);
                shares.push(moving / at_rest);
            }
            let greatest = shares.iter().copied().fold(0.0, f64::max);
            let sum: f64 = shares.iter().sum();
            assert!(greatest < most && sum < mean * 40.0, "{width}: {shares:.0?}");
        }
    }

    /// As A sees it each point of B goes a long way; as B sees it, A turns.
    #[test]
    fn bodies_that_go_round_others_far_away_are_told_soon() {
        let mut workspace = Workspace::new();
        let body = sphere([64, 32]);
        for far in [3.0, 100.0, 1e3] {
            let start = pose(far * DVec3::X, DVec3::new(0.3, 0.2, 0.1));
            let screw = Screw::from_twist(DVec3::new(0.1, 0.2, 1.0), DVec3::ZERO).expect("finite");
            let b = Motion::along(start, screw).expect("a radian");
            let step = Step::new(Motion::still(Pose::IDENTITY), b);
            for width in [0.1, 1e-3] {
                for step in [step, step.swapped()] {
                    let [moving, at_rest] = pairs(&body, &step, width, &mut workspace);
                    assert!(moving < 200.0 * at_rest, "{far} {width}: {moving}, {at_rest}");
                }
            }
        }
    }
}
