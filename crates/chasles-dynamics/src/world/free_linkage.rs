//! Linkages that nothing holds.
//!
//! They move as RATTLE has it: impulses of the joints at the start of a part throw bodies so that
//! the joints are closed at its end, on the way that forces and free spin lead them there, and
//! further ones make the velocities fit there. The rule is the same backwards, so neither energy
//! nor spins run away; a joint impulse acts on both bodies in one point, so that momentum stays,
//! also that about a point on which a linkage hangs.
//!
//! Joints do no work, so the energy at the end is known: that of the start and the work of forces.
//! What is missing is made up along the ways of the centres: what bodies spin besides is exact
//! already, and would feed the swings. Where that is more than a small change, or joints cannot be
//! closed, the linkage swings too fast for the rule, and the part is halved. In the shortest part,
//! and for a linkage that is straight so that it cannot give way at all, bodies go as forces move
//! them, are brought back to the joints from there, and have the velocity of that way: fast swings
//! fade, and none of them grows. A linkage that would come out higher than it has energy for, or
//! open, stops where it is.

use chasles::Pose;
use glam::DVec3;

use super::State;
use super::body::top;
use super::broad::groups;
use super::island::Island;
use super::trial::{Pull, fall};
use crate::body::{Inertia, MassProperties, Velocity};
use crate::linkage::{Joint, Linkage, displaced};

/// The energy that RATTLE may miss, as a share of all motion. The value is a choice and not
/// derived: scaling makes up for what is missed, and larger shares leave more to it.
const MILD: f64 = 0.05;

/// Energy below this share of what forces can do in a part is rounding.
const ROUNDING: f64 = 1e-12;

/// Throws at most for a part.
const MOST_THROWS: u32 = 32;

/// Each throw leaves at most this share of what the last one left open; else they lead nowhere.
const CONTRACTS: f64 = 0.7;

/// Ways back to the joints at most; each squares the error, or halves it where joints are in line.
const WAYS_BACK: u32 = 48;

/// Joints that are open by more than this share of the smallest body are not left so.
const OPEN: f64 = 1e-6;

/// So many of them move what is light rather than what is heavy, further ones all alike: links that
/// are in line cannot reach a weight that is too far away, however they turn.
const BY_WEIGHT: u32 = 16;

/// Joints that are apart by less than this share of the smallest body are together.
const TOGETHER: f64 = 1e-10;

/// Bodies that are linked to each other, as far as forces move them.
pub(super) struct Group {
    pub(super) members: Vec<usize>,
    pub(super) hold: Hold,
}

impl Group {
    /// Whether a joint holds one of its members.
    pub(super) fn has(&self, joint: &Joint) -> bool {
        joint.bodies().iter().any(|i| self.members.contains(i))
    }
}

/// What holds a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hold {
    Nothing,
    /// One ball joint here.
    Point(DVec3),
    Other,
}

/// Where a linkage that nothing holds is after a time, whether the time is short enough for that,
/// and which of its members stay where they were.
pub(super) struct Swung {
    pub(super) states: Vec<State>,
    pub(super) is_calm: bool,
    pub(super) halts: Vec<usize>,
}

/// Where members of a linkage are that has swung, and how many seconds each has lost.
type Swings = (Vec<State>, Vec<f64>);

/// The energies of a group that has gone through a part.
struct Energies {
    /// Kinetic, before and after.
    before: f64,
    after: f64,
    /// The work of gravity and loads.
    work: f64,
    /// The energy that they would give to bodies that are free and at rest.
    most: f64,
}

impl Energies {
    /// What the motion should have in the end.
    fn due(&self) -> f64 {
        self.before + self.work
    }

    /// Whether it has nearly that.
    fn is_mild(&self) -> bool {
        let missed = (self.after - self.due()).abs();
        missed <= MILD * (self.before + self.after) + ROUNDING * self.most
    }
}

impl Island<'_> {
    /// Where members of a linkage are that swings for so many parts of a time each; the outer
    /// option is none if limits or motors act, the inner one if it swings too fast for that. Where
    /// it `must`, it is brought back to its joints then, and fast swings fade. With the seconds
    /// that members have stopped for.
    pub(super) fn swung(mut self, part: f64, count: u32, must: bool) -> Option<Option<Swings>> {
        self.least_length = if must { part } else { 0.0 };
        for _ in 0..count {
            let Swung { states, is_calm, halts } = self.swing(part)?;
            if !is_calm && !must {
                return Some(None);
            }
            for i in halts {
                self.lost[i] += if self.moves_at_all(i) { part } else { 0.0 };
            }
            self.states = states;
            self.update_inertias();
        }
        Some(Some((self.states, self.lost)))
    }
}

impl Island<'_> {
    /// Where members of a linkage that nothing holds are after a time, and whether the time is
    /// short enough for that; none if limits or motors act.
    pub(super) fn swing(&self, h: f64) -> Option<Swung> {
        let (mut states, end, is_closed) = self.thrown(h)?;
        let groups = self.free_groups(false);
        let is_mild = |group: &Group| self.energies(group, &states, h).is_mild();
        let is_calm = is_closed && groups.iter().all(is_mild);
        let mut halts = Vec::new();
        if is_calm {
            self.refill(&groups, &mut states, &end, h);
        } else if self.touches.is_empty() && h > self.least_length {
            return Some(Swung { states, is_calm, halts: Vec::new() });
        } else {
            states = self.drawn(h);
            // What touches something may be held by that instead of being stopped here for good.
            let stops = |group: &Group| {
                self.open(group, &states) > OPEN || self.is_too_high(group, &states, h)
            };
            if !self.touches.is_empty() && groups.iter().any(stops) {
                return None;
            }
            for group in &groups {
                if self.open(group, &states) > OPEN {
                    self.halt_group(group, &mut states);
                    halts.extend(&group.members);
                }
            }
        }
        halts.extend(self.cap(&groups, &mut states, h));
        Some(Swung { states, is_calm, halts })
    }

    /// Takes from the motion of groups what they have more than is due; groups that would come out
    /// higher than they have energy for stop where they are. Who stops.
    pub(super) fn cap(&self, groups: &[Group], states: &mut [State], h: f64) -> Vec<usize> {
        let mut halts = Vec::new();
        for group in groups {
            if self.is_too_high(group, states, h) {
                self.halt_group(group, states);
                halts.extend(&group.members);
                continue;
            }
            let due = self.energies(group, states, h).due();
            self.rescale(&group.members, states, (due, 1.0), group.hold != Hold::Nothing);
        }
        halts
    }

    /// Whether a group would come out higher than it has energy for.
    pub(super) fn is_too_high(&self, group: &Group, states: &[State], h: f64) -> bool {
        let energies = self.energies(group, states, h);
        energies.due() < -ROUNDING * energies.most
    }

    /// Gives groups the energy that is due.
    fn refill(&self, groups: &[Group], states: &mut [State], end: &Linkage, h: f64) {
        let mut along = vec![Velocity::ZERO; states.len()];
        for group in groups {
            self.centre_ways(group, states, &mut along);
        }
        end.align(&mut along);
        for group in groups {
            let due = self.energies(group, states, h).due();
            self.quicken(group, states, &along, due);
        }
    }

    /// By impulses of the joints at both ends; none if limits or motors act. Joints are open in the
    /// end where no impulse was found that closes them.
    fn thrown(&self, h: f64) -> Option<(Vec<State>, Linkage, bool)> {
        let start = self.linkage.linkage();
        let mut mean: Vec<Velocity> =
            (0..self.states.len()).map(|i| self.pushed(i, 0.5 * h)).collect();
        if start.settle(&mut mean, h) {
            return None;
        }
        let (throws, is_closed) = self.throws(h);
        let mut states: Vec<State> =
            throws.iter().enumerate().map(|(i, throw)| self.landed(i, throw, h)).collect();
        let mut end = start.clone();
        self.fit_to(&mut end, &states);
        if end.is_beyond() {
            return None;
        }
        let mut velocities: Vec<Velocity> = states.iter().map(|state| state.velocity).collect();
        end.align(&mut velocities);
        for (state, velocity) in states.iter_mut().zip(velocities) {
            state.velocity = velocity;
        }
        Some((states, end, is_closed))
    }

    /// The impulses at the start that lead members to where joints are closed, on the way without
    /// joints; and whether there are such.
    fn throws(&self, h: f64) -> (Vec<Velocity>, bool) {
        let mut linkage = self.linkage.linkage().clone();
        let mut throws = vec![Velocity::ZERO; self.states.len()];
        let smallest = self.smallest();
        let mut open = f64::INFINITY;
        for _ in 0..MOST_THROWS {
            let poses: Vec<Pose> =
                throws.iter().enumerate().map(|(i, throw)| self.landed(i, throw, h).pose).collect();
            let is_measured = linkage.measure(&self.joints, &poses);
            debug_assert!(is_measured.is_ok(), "joints are of members");
            let now = linkage.gap().as_share_of(smallest);
            if now <= TOGETHER {
                return (throws, true);
            }
            if now > CONTRACTS * open {
                break;
            }
            open = now;
            for (throw, step) in throws.iter_mut().zip(linkage.alignment(smallest)) {
                *throw = throw.plus(&step.times(1.0 / h));
            }
        }
        (throws, false)
    }

    /// A member after a time to which an impulse at its start gives another velocity; forces act
    /// half at the start and half at the end.
    fn landed(&self, member: usize, throw: &Velocity, h: f64) -> State {
        let state = &self.states[member];
        let Some(mass_properties) = self.mass_properties(member) else {
            return self.free(member, h);
        };
        let thrown = State { velocity: state.velocity.plus(throw), ..*state };
        fall(mass_properties, &thrown, &self.pull(member), h)
    }

    /// By the way that forces alone would make, and back to the joints.
    fn drawn(&self, h: f64) -> Vec<State> {
        let smallest = self.smallest();
        let mut states: Vec<State> = (0..self.states.len())
            .map(|i| {
                let free = self.free(i, h);
                // The way of the velocity at the end.
                let linear = 0.5 * h * h * self.pull(i).acceleration;
                let farther = Velocity { linear, ..Velocity::ZERO };
                State { pose: displaced(&free.pose, DVec3::ZERO, &farther), ..free }
            })
            .collect();
        let mut linkage = self.linkage.linkage().clone();
        let mut back = vec![Velocity::ZERO; states.len()];
        for way in 0..WAYS_BACK {
            let inertias = self.fit_to(&mut linkage, &states);
            if linkage.gap().length <= TOGETHER * smallest && linkage.gap().angle <= TOGETHER {
                break;
            }
            if way >= BY_WEIGHT {
                let poses: Vec<Pose> = states.iter().map(|state| state.pose).collect();
                let alike: Vec<Inertia> = inertias.iter().map(of_unit_mass).collect();
                let is_fit = linkage.fit(&self.joints, &alike, &poses);
                debug_assert_eq!(is_fit, Ok(()), "joints are of members");
            }
            let steps = linkage.alignment(smallest);
            for (i, step) in steps.iter().enumerate() {
                states[i].pose = displaced(&states[i].pose, inertias[i].centre, step);
                back[i] = back[i].plus(step);
            }
        }
        let faster = |(state, back): (&State, &Velocity)| state.velocity.plus(&back.times(1.0 / h));
        let mut velocities: Vec<Velocity> = states.iter().zip(&back).map(faster).collect();
        linkage.settle(&mut velocities, 0.0);
        for (i, velocity) in velocities.into_iter().enumerate() {
            if self.is_dynamic(i) {
                states[i].velocity = velocity;
            }
        }
        states
    }

    /// Whether a member is faster than what may sleep: else it loses nothing where it stops.
    pub(super) fn moves_at_all(&self, member: usize) -> bool {
        self.body(member).fastest(&self.states[member].velocity) > self.options.sleep_below
    }

    /// Leaves a group where it is.
    fn halt_group(&self, group: &Group, states: &mut [State]) {
        for &i in &group.members {
            states[i] = State { velocity: Velocity::ZERO, ..self.states[i] };
        }
    }

    /// The linked bodies whose energy is known: not those that hang on something that moves by
    /// itself. With those that touch them, if asked for.
    pub(super) fn free_groups(&self, with_touches: bool) -> Vec<Group> {
        let moves = |i: usize| self.mass_properties(i).is_some();
        let touches = if with_touches { &self.touches[..] } else { &[] };
        let touching = touches.iter().map(|touch| touch.bodies);
        let joined = self.joints.iter().map(Joint::bodies).chain(touching);
        let links = joined.clone().filter(|pair| pair.iter().all(|&i| moves(i)));
        let mut found = Vec::new();
        for members in groups(self.states.len(), links) {
            let touches = |pair: &[usize; 2]| pair.iter().any(|i| members.contains(i));
            let holders = joined.clone().filter(touches).flatten().filter(|&i| !moves(i));
            let holders: Vec<usize> = holders.collect();
            let is_joined = members.len() > 1 || !holders.is_empty();
            let stands = |&i: &usize| self.states[i].velocity == Velocity::ZERO;
            if moves(members[0]) && is_joined && holders.iter().all(stands) {
                let hold = self.hold_of(&members, &holders);
                found.push(Group { members, hold });
            }
        }
        found
    }

    /// What holds members that hang on, or touch, these others.
    fn hold_of(&self, members: &[usize], holders: &[usize]) -> Hold {
        if members.iter().any(|&i| self.is_locked(i)) {
            return Hold::Other;
        }
        let &[holder] = holders else {
            return if holders.is_empty() { Hold::Nothing } else { Hold::Other };
        };
        let is_it = |joint: &&Joint| {
            let [a, b] = joint.bodies();
            let joins = |a, b| a == holder && members.contains(&b);
            joint.is_ball() && (joins(a, b) || joins(b, a))
        };
        self.joints.iter().find(is_it).map_or(Hold::Other, |joint| {
            let side = usize::from(joint.bodies()[1] == holder);
            let point = joint.anchors()[side].frame().position();
            Hold::Point(self.states[holder].pose.point(point))
        })
    }

    /// How far joints of a group are open, as a share of the smallest body or an angle.
    pub(super) fn open(&self, group: &Group, states: &[State]) -> f64 {
        let smallest = self.smallest();
        let open = |joint: &Joint| {
            joint.gap(joint.bodies().map(|i| &states[i].pose)).as_share_of(smallest)
        };
        self.joints.iter().filter(|joint| group.has(joint)).map(open).fold(0.0, f64::max)
    }

    fn energies(&self, group: &Group, states: &[State], h: f64) -> Energies {
        let mut sum = Energies { before: 0.0, after: 0.0, work: 0.0, most: 0.0 };
        for &i in &group.members {
            let Some(mass_properties) = self.mass_properties(i) else { continue };
            let Pull { acceleration, torque, .. } = self.pull(i);
            let [from, to] = [&self.states[i], &states[i]];
            let [start, end] = [from, to].map(|state| state.pose.point(mass_properties.centre()));
            let turn = 0.5 * h * (from.velocity.angular + to.velocity.angular);
            sum.before += kinetic_energy(mass_properties, from);
            sum.after += kinetic_energy(mass_properties, to);
            sum.work += mass_properties.mass() * acceleration.dot(end - start) + torque.dot(turn);
            sum.most += 0.5 * mass_properties.mass() * acceleration.length_squared() * h * h;
        }
        sum
    }
}

/// A body of the same shape with a mass of 1, if its centre moves.
fn of_unit_mass(inertia: &Inertia) -> Inertia {
    let mass = inertia.inv_mass.max_element().recip();
    if !mass.is_finite() {
        return *inertia;
    }
    Inertia {
        inv_mass: inertia.inv_mass * mass,
        inv_inertia: inertia.inv_inertia * mass,
        ..*inertia
    }
}

/// The kinetic energy of a body in a state.
pub(super) fn kinetic_energy(mass_properties: &MassProperties, state: &State) -> f64 {
    0.5 * mass_properties.mass() * state.velocity.linear.length_squared()
        + top(mass_properties, state).energy()
}
