//! Linkages that nothing holds.
//!
//! They move by the midpoint rule: the mean velocity of a part, `v0 + h a / 2`, is made to fit the joints
//! half way, where it is used, and the end velocity is as far beyond it as the start velocity was before.
//! What joints did to the mean is half of their impulse, so the end has twice of it; angular momentum
//! takes it up, and the angular velocity follows from that where the body is then.
//!
//! Joints do no work, so the energy at the end is known: that of the start and the work of forces. The
//! velocities are scaled to it, without the motion as a whole where nothing is fixed, which has the momentum. Where
//! that is more than a small change, the linkage swings too fast for the rule, which would shake it to pieces, and the
//! part is halved. In the shortest part, and for a linkage that is straight so that it cannot give way at
//! all, bodies go as forces move them, are brought back to the joints from there, and have the velocity of that
//! way: fast swings fade, and none of them grows. A linkage that would come out higher than it has energy for
//! stops where it is.

use chasles::Pose;
use glam::DVec3;

use super::State;
use super::body::top;
use super::broad::groups;
use super::island::Island;
use super::trial::{Pull, fall, turned};
use crate::body::{Inertia, Solidity, Velocity};
use crate::linkage::{Joint, displaced};

/// The energy that the midpoint rule may miss, as a share of all motion. The value is a choice and not
/// derived: scaling makes up for what is missed, and larger shares leave more to it.
const MILD: f64 = 0.05;

/// Energy below this share of what forces can do in a part is rounding.
const ROUNDING: f64 = 1e-12;

/// Velocities are made faster by this at most in a part: enough for what the midpoint rule loses, and no
/// more than that where velocities are rounding.
const FASTER: f64 = 1.02;

/// Ways back to the joints at most; each squares the error, or halves it where joints are in line.
const WAYS_BACK: u32 = 24;

/// Joints that are apart by less than this share of the smallest body are together.
const TOGETHER: f64 = 1e-10;

/// Bodies that are linked to each other, as far as forces move them.
struct Group {
    members: Vec<usize>,
    is_anchored: bool,
}

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
    /// Where members of a linkage that nothing holds are after a time, and whether the time is short enough
    /// for that; none if limits or motors act.
    pub(super) fn swing(&self, h: f64) -> Option<(Vec<State>, bool)> {
        let mut states = self.midway(h)?;
        let groups = self.free_groups();
        let is_calm = groups.iter().all(|group| self.energies(group, &states, h).is_mild());
        let most = if is_calm { FASTER } else { 1.0 };
        if !is_calm {
            states = self.drawn(h);
        }
        for group in &groups {
            let mut energies = self.energies(group, &states, h);
            if energies.due() < -ROUNDING * energies.most {
                self.halt_group(group, &mut states);
                energies = self.energies(group, &states, h);
            }
            self.rescale(&group.members, &mut states, (energies.due(), most), group.is_anchored);
        }
        Some((states, is_calm))
    }

    /// By the midpoint rule.
    fn midway(&self, h: f64) -> Option<Vec<State>> {
        let half: Vec<State> = (0..self.states.len()).map(|i| self.free(i, 0.5 * h)).collect();
        let poses: Vec<Pose> = half.iter().map(|state| state.pose).collect();
        let inertias: Vec<Inertia> = (0..half.len()).map(|i| self.inertia(i, &poses[i])).collect();
        let mut middle = self.linkage.linkage().clone();
        let is_fit = middle.fit(&self.joints, &inertias, &poses);
        debug_assert_eq!(is_fit, Ok(()), "joints are of members");
        let free: Vec<Velocity> = half.iter().map(|state| state.velocity).collect();
        let mut mean = free.clone();
        if middle.settle(&mut mean, 0.5 * h) {
            return None;
        }
        let mut states: Vec<State> = (0..half.len())
            .map(|i| self.swung(i, &half[i].pose, &mean[i].minus(&free[i]), h))
            .collect();
        let end = self.rejoin(&mut states, h);
        let mut velocities: Vec<Velocity> = states.iter().map(|state| state.velocity).collect();
        // Twice the mean less the start keeps what does not fit, and turns its sign in every part.
        end.settle(&mut velocities, 0.0);
        for (state, velocity) in states.iter_mut().zip(velocities) {
            state.velocity = velocity;
        }
        Some(states)
    }

    /// A member after a time in which joints changed its mean velocity by this, half way at a pose.
    fn swung(&self, member: usize, half_way: &Pose, change: &Velocity, h: f64) -> State {
        let state = &self.states[member];
        let Some(solidity) = self.solidity(member) else { return self.free(member, h) };
        let free = fall(solidity, state, &self.pull(member), h);
        let momentum = {
            let spin = State { pose: *half_way, velocity: *change, ..*state };
            top(solidity, state).momentum + 2.0 * top(solidity, &spin).momentum
        };
        let pose = displaced(&free.pose, free.pose.point(solidity.centre()), &change.times(h));
        let angular = turned(solidity, &pose, momentum);
        let linear = free.velocity.linear + 2.0 * change.linear;
        State { pose, velocity: Velocity { linear, angular }, ..free }
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
        for _ in 0..WAYS_BACK {
            let poses: Vec<Pose> = states.iter().map(|state| state.pose).collect();
            let inertias: Vec<Inertia> =
                (0..states.len()).map(|i| self.inertia(i, &poses[i])).collect();
            let is_fit = linkage.fit(&self.joints, &inertias, &poses);
            debug_assert_eq!(is_fit, Ok(()), "joints are of members");
            if linkage.gap().length <= TOGETHER * smallest && linkage.gap().angle <= TOGETHER {
                break;
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

    /// Leaves a group where it is: the way back to its joints has led higher than it has energy for.
    fn halt_group(&self, group: &Group, states: &mut [State]) {
        for &i in &group.members {
            states[i] = State { velocity: Velocity::ZERO, ..self.states[i] };
        }
    }

    /// The linked bodies whose energy is known: not those that hang on something that moves by itself.
    fn free_groups(&self) -> Vec<Group> {
        let moves = |i: usize| self.solidity(i).is_some();
        let joined = self.joints.iter().map(Joint::bodies);
        let links = joined.clone().filter(|pair| pair.iter().all(|&i| moves(i)));
        let mut found = Vec::new();
        for members in groups(self.states.len(), links) {
            let touches = |pair: &[usize; 2]| pair.iter().any(|i| members.contains(i));
            let holders = joined.clone().filter(touches).flatten().filter(|&i| !moves(i));
            let holders: Vec<usize> = holders.collect();
            let is_joined = members.len() > 1 || !holders.is_empty();
            let stands = |&i: &usize| self.states[i].velocity == Velocity::ZERO;
            if moves(members[0]) && is_joined && holders.iter().all(stands) {
                found.push(Group { is_anchored: !holders.is_empty(), members });
            }
        }
        found
    }

    fn energies(&self, group: &Group, states: &[State], h: f64) -> Energies {
        let mut sum = Energies { before: 0.0, after: 0.0, work: 0.0, most: 0.0 };
        for &i in &group.members {
            let Some(solidity) = self.solidity(i) else { continue };
            let Pull { acceleration, torque } = self.pull(i);
            let [from, to] = [&self.states[i], &states[i]];
            let [start, end] = [from, to].map(|state| state.pose.point(solidity.centre()));
            let turn = 0.5 * h * (from.velocity.angular + to.velocity.angular);
            sum.before += kinetic_energy(solidity, from);
            sum.after += kinetic_energy(solidity, to);
            sum.work += solidity.mass() * acceleration.dot(end - start) + torque.dot(turn);
            sum.most += 0.5 * solidity.mass() * acceleration.length_squared() * h * h;
        }
        sum
    }
}

/// The kinetic energy of a body in a state.
pub(super) fn kinetic_energy(solidity: &Solidity, state: &State) -> f64 {
    0.5 * solidity.mass() * state.velocity.linear.length_squared() + top(solidity, state).energy()
}
