//! Islands with joints: who answers impulses there, how linked bodies move, and how joints that
//! have drifted come together again.
//!
//! A linkage that touches nothing, or nothing that must be held, swings as `free_linkage` says.
//!
//! A linkage whose touches must hold something, or whose limits or motors act, gets new velocities
//! from forces, joints and contacts at the start of the part, and keeps them throughout: twice the
//! impulse of a limit would throw bodies back from it, and twice that of a motor leave them too
//! fast.
//!
//! Contacts then ask what limits and motors do, and these what contacts do. Those that act are
//! guessed, and contacts are solved on a linkage that they hold; if the same act in the end, all is
//! found at once, with any weight on them. Otherwise both are found in turns, each anew for what
//! the other does by now; contacts come last, since bodies must not wait for a limit.

use chasles::Pose;
use glam::{DMat3, DVec3};

use super::State;
use super::broad::groups;
use super::free_linkage::{Group, kinetic_energy};
use super::island::Island;
use super::response_cache::Learned;
use super::trial::Held;
use crate::body::{Inertia, Velocity};
use crate::impulse::{Loose, Response, Touch};
use crate::linkage::{Joint, Linkage, displaced};

/// Touches that close by this share of the gap that is kept need not be held.
const HARMLESS: f64 = 1e-6;

/// Corrections of the joints after each part at most: each squares the error, and that of one part
/// is small.
const CORRECTIONS: u32 = 12;

/// They end when joints are apart by no more than this share of the smallest body.
const CLOSED: f64 = 1e-8;

/// Or when one goes farther than this share of the last one: something is in the way.
const NO_BETTER: f64 = 0.5;

/// A part in which joints come open by more than this share of the smallest body is too long.
const OPENS: f64 = 1e-6;

/// Guesses at which limits and motors act at most: the second is right where few of them are.
const GUESSES: u32 = 4;

/// Turns of contacts, and of limits and motors, at most. At rest the forces of the last part leave
/// one or two to do; what a body that lands leaves undone, the next part does.
const TURNS: u32 = 12;

/// They end when velocities change by less than this share of what forces do meanwhile.
const SETTLED: f64 = 1e-4;

/// Forces count as such an acceleration at least, in m/s².
const WEAKEST: f64 = 1e-3;

/// Who answers impulses in an island.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answers<'i> {
    Alone(Loose<'i>),
    Linked(&'i Learned),
}

impl Response for Answers<'_> {
    fn inv_effective_mass(&self, bodies: [usize; 2], point: DVec3) -> DMat3 {
        match self {
            Self::Alone(loose) => loose.inv_effective_mass(bodies, point),
            Self::Linked(linkage) => linkage.inv_effective_mass(bodies, point),
        }
    }

    fn rigid(&self, bodies: [usize; 2], point: DVec3) -> f64 {
        match self {
            Self::Alone(loose) => loose.rigid(bodies, point),
            Self::Linked(linkage) => linkage.rigid(bodies, point),
        }
    }

    fn push(&self, velocities: &mut [Velocity], bodies: [usize; 2], point: DVec3, impulse: DVec3) {
        match self {
            Self::Alone(loose) => loose.push(velocities, bodies, point, impulse),
            Self::Linked(linkage) => linkage.push(velocities, bodies, point, impulse),
        }
    }

    fn approach(&self, velocities: &[Velocity], bodies: [usize; 2], point: DVec3) -> DVec3 {
        match self {
            Self::Alone(loose) => loose.approach(velocities, bodies, point),
            Self::Linked(linkage) => linkage.approach(velocities, bodies, point),
        }
    }

    fn may_move(&self, pushed: [usize; 2], body: usize) -> bool {
        match self {
            Self::Alone(loose) => loose.may_move(pushed, body),
            Self::Linked(linkage) => linkage.may_move(pushed, body),
        }
    }
}

impl Island<'_> {
    /// Who answers impulses.
    pub(super) fn answers(&self) -> Answers<'_> {
        if self.joints.is_empty() {
            Answers::Alone(Loose(&self.inertias))
        } else {
            Answers::Linked(&self.linkage)
        }
    }

    /// Groups of members that joints bind to each other: if one of them stays behind, joints open
    /// unless all do. What never moves binds nothing.
    pub(super) fn bound(&self) -> Vec<Vec<usize>> {
        let moves = |pair: &[usize; 2]| pair.iter().all(|&i| self.body(i).is_movable());
        let joined = self.joints.iter().map(Joint::bodies).filter(moves);
        groups(self.states.len(), joined)
    }

    /// Fits the linkage to where the members are.
    pub(super) fn fit(&mut self) {
        if !self.joints.is_empty() {
            let poses: Vec<Pose> = self.states.iter().map(|state| state.pose).collect();
            let is_fit = self.linkage.forget().fit(&self.joints, &self.inertias, &poses);
            debug_assert_eq!(is_fit, Ok(()), "joints are of members");
        }
    }

    /// Makes velocities fit the joints, as constraint forces do in a time.
    pub(super) fn settle(&self, velocities: &mut [Velocity], seconds: f64) {
        if !self.joints.is_empty() {
            self.linkage.linkage().settle(velocities, seconds);
        }
    }

    /// What touches, joints, limits and motors make of the velocities that forces make over a time;
    /// of another time it may be known.
    pub(super) fn held(&self, h: f64, known: Option<Held>) -> Held {
        let pushed: Vec<Velocity> = (0..self.states.len()).map(|i| self.pushed(i, h)).collect();
        let impulses: Vec<DVec3> = match known {
            Some(known) => known.impulses.iter().map(|impulse| *impulse * (h / known.h)).collect(),
            None => self.guesses.iter().map(|force| *force * h).collect(),
        };
        let mut held = Held { h, velocities: pushed.clone(), pushed, impulses, error: 0.0 };
        if self.joints.is_empty() {
            self.hold(&mut held);
            return held;
        }
        let mut fit = held.pushed.clone();
        self.linkage.linkage().align(&mut fit);
        let mut guess = fit.clone();
        for (touch, impulse) in self.touches.iter().zip(&held.impulses) {
            self.linkage.push(&mut guess, touch.bodies, touch.point, *impulse);
        }
        if self.act_together(&fit, &guess, &mut held) {
            return held;
        }
        let is_found = self.take_turns(&fit, &guess, &mut held);
        let [before, after] =
            [&held.pushed, &held.velocities].map(|velocities| self.kinetic_energy(velocities));
        if !is_found && after > before {
            self.take_turns(&fit, &fit, &mut held);
        }
        held
    }

    /// The kinetic energy of members with these velocities.
    fn kinetic_energy(&self, velocities: &[Velocity]) -> f64 {
        let of = |(member, velocity): (usize, &Velocity)| {
            let Some(mass_properties) = self.mass_properties(member) else { return 0.0 };
            kinetic_energy(mass_properties, &State { velocity: *velocity, ..self.states[member] })
        };
        velocities.iter().enumerate().map(of).sum()
    }

    /// Finds what touches hold on a linkage whose limits and motors hold too; whether these are the
    /// same that act with the impulses of the touches. The touches feel no give then, whatever
    /// presses on them.
    fn act_together(&self, fit: &[Velocity], start: &[Velocity], held: &mut Held) -> bool {
        let h = held.h;
        let linkage = self.linkage.linkage();
        let mut acts = linkage.acts(&mut start.to_vec(), h);
        for _ in 0..GUESSES {
            held.velocities.clone_from_slice(fit);
            linkage.brace(&mut held.velocities, &acts);
            self.hold_on(&self.linkage.braced(&acts), held);
            let mut pushed = fit.to_vec();
            for (touch, impulse) in self.touches.iter().zip(&held.impulses) {
                self.linkage.push(&mut pushed, touch.bodies, touch.point, *impulse);
            }
            let next = linkage.acts(&mut pushed, h);
            if next == acts {
                // A motor that may use any force, and drives into what is fixed, leaves touches no
                // say.
                return !self.closes(&self.linkage, &held.velocities, h);
            }
            acts = next;
        }
        false
    }

    /// Finds what touches hold, and what limits and motors do, in turns; whether that came to an
    /// end.
    ///
    /// Limits and motors first answer the velocities `start`. Each turn brings both nearer to where
    /// they belong, so no number of turns adds energy if `start` is `fit`, where touches have done
    /// nothing yet; from a wrong guess of what they do, too few turns might.
    fn take_turns(&self, fit: &[Velocity], start: &[Velocity], held: &mut Held) -> bool {
        let h = held.h;
        let mut by_stops = self.stopped(start, h);
        let pulls = (0..self.states.len()).map(|i| self.pull(i).acceleration.length());
        let pull = pulls.fold(0.0, f64::max).max(WEAKEST);
        for _ in 0..TURNS {
            let base = each(fit, &by_stops, Velocity::plus);
            held.velocities.clone_from(&base);
            self.hold(held);
            let by_touches = each(&held.velocities, &base, Velocity::minus);
            let next = self.stopped(&each(fit, &by_touches, Velocity::plus), h);
            let changes = each(&next, &by_stops, Velocity::minus);
            let change = changes.iter().map(|change| change.linear.length()).fold(0.0, f64::max);
            if change <= SETTLED * pull * h {
                return true;
            }
            by_stops = next;
        }
        false
    }

    /// What limits and motors add to velocities that fit the joints.
    fn stopped(&self, fit: &[Velocity], h: f64) -> Vec<Velocity> {
        let mut stopped = fit.to_vec();
        self.settle(&mut stopped, h);
        each(&stopped, fit, Velocity::minus)
    }

    /// Whether touches have nothing to hold on the way to these states: none closes by more than it
    /// may.
    pub(super) fn is_open(&self, states: &[State], h: f64) -> bool {
        let both = self.states.iter().zip(states);
        let mean: Vec<Velocity> =
            both.map(|(from, to)| from.velocity.plus(&to.velocity).times(0.5)).collect();
        self.touches.iter().all(|touch| {
            let approach = self.answers().approach(&mean, touch.bodies, touch.point);
            let room = touch.gap.max(0.0) + HARMLESS * self.gap(touch.bodies);
            touch.normal.dot(approach) * h >= -room
        })
    }

    /// Brings joints together that have drifted apart, by moving bodies and not by changing
    /// velocities; the linkage there. What was open at the start of the part is closed by a share
    /// only. Limits that are passed wait until nothing touches: the way back from one may be
    /// blocked.
    fn rejoin(&self, states: &mut [State], share: f64) {
        let smallest = self.smallest();
        let mut linkage = self.linkage.linkage().clone();
        let left_open = (share < 1.0).then(|| linkage.alignment(smallest));
        let mut farthest = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            let inertias = self.fit_to(&mut linkage, states);
            let is_beyond = self.touches.is_empty() && linkage.is_beyond();
            if linkage.gap().as_share_of(smallest) <= CLOSED && !is_beyond {
                break;
            }
            let mut steps = if self.touches.is_empty() {
                linkage.correction(smallest)
            } else {
                linkage.alignment(smallest)
            };
            if let Some(left) = &left_open {
                steps = each(&steps, left, |all, left| all.minus(&left.times(1.0 - share)));
            }
            let far = |by: &Velocity| (by.linear.length() / smallest).max(by.angular.length());
            let now = steps.iter().map(far).fold(0.0, f64::max);
            if now <= CLOSED || now > NO_BETTER * farthest {
                break;
            }
            farthest = now;
            let steps =
                if self.touches.is_empty() { steps } else { self.clear_of_touches(steps, states) };
            for ((state, inertia), by) in states.iter_mut().zip(&inertias).zip(&steps) {
                state.pose = displaced(&state.pose, inertia.centre, by);
            }
        }
    }

    /// Brings joints together after a part of this length; whether that is too long for it.
    ///
    /// In a part that is shorter than it was at first, what was open at its start is closed by that
    /// share only: what is in the way of the whole would be in the way of every part, however
    /// short. And where closing it would lift a linkage beyond its energy, it stays open until it
    /// can be closed.
    pub(super) fn close_joints(&self, states: &mut [State], h: f64) -> bool {
        let before = states.to_vec();
        self.rejoin(states, if h < self.first_length { h / self.first_length } else { 1.0 });
        let mut groups = self.free_groups(true);
        let is_driven =
            |group: &Group| self.joints.iter().any(|joint| group.has(joint) && joint.is_driven());
        groups.retain(|group| !is_driven(group));
        let is_high = |group: &Group, states: &[State]| self.is_too_high(group, states, h);
        if groups.iter().any(|group| is_high(group, states)) {
            let mut open = before;
            self.rejoin(&mut open, 0.0);
            for group in groups.iter().filter(|group| !is_high(group, &open)) {
                if is_high(group, states) {
                    group.members.iter().for_each(|&i| states[i] = open[i]);
                }
            }
        }
        let opens =
            |group: &Group| self.open(group, states) > self.open(group, &self.states) + OPENS;
        groups.iter().any(|group| is_high(group, states) || opens(group))
    }

    /// Whether joints are open at the start of a part that has been cut to this time. A swing would
    /// close them at once, and what is in the way of that would be in the way of every part,
    /// however short.
    pub(super) fn is_blocked_open(&self, h: f64) -> bool {
        let is_cut = h < self.first_length && !self.touches.is_empty();
        is_cut && self.linkage.linkage().gap().as_share_of(self.smallest()) > CLOSED
    }

    /// Fits a linkage of the joints to where members would be; how they answer impulses there.
    pub(super) fn fit_to(&self, linkage: &mut Linkage, states: &[State]) -> Vec<Inertia> {
        let poses: Vec<Pose> = states.iter().map(|state| state.pose).collect();
        let inertias: Vec<Inertia> =
            (0..states.len()).map(|i| self.inertia(i, &poses[i])).collect();
        let is_fit = linkage.fit(&self.joints, &inertias, &poses);
        debug_assert_eq!(is_fit, Ok(()), "joints are of members");
        inertias
    }

    /// Takes from linked members what they have got beyond the work of forces, since the way back
    /// to their joints has lifted them; not where motors or something that moves by itself do work
    /// on them. Who stops for that.
    pub(super) fn pay_for_joints(&self, states: &mut [State], h: f64) -> Vec<usize> {
        let mut groups = self.free_groups(true);
        groups.retain(|group| {
            let mut joints = self.joints.iter().filter(|joint| group.has(joint)).peekable();
            joints.peek().is_some() && !joints.any(Joint::is_driven)
        });
        self.cap(&groups, states, h)
    }

    /// The size of the smallest member.
    pub(super) fn smallest(&self) -> f64 {
        let sizes = (0..self.states.len()).map(|i| self.body(i).size());
        sizes.filter(|size| *size > 0.0).fold(f64::INFINITY, f64::min)
    }

    /// Displacements from some states that close no touch by more than its gap there, made of some
    /// that may: what they close too far is opened by others, in which all joints move together.
    ///
    /// Touches are gathered before they are met, and those of neighbours lie along their joint. If
    /// they could not close at all, joints that have drifted open would stay so.
    fn clear_of_touches(&self, steps: Vec<Velocity>, states: &[State]) -> Vec<Velocity> {
        let left = |touch: &Touch| {
            let opened = self.answers().approach(&steps, touch.bodies, touch.point);
            self.gap_at(touch, states).max(0.0) + touch.normal.dot(opened)
        };
        let moved: Vec<Touch> =
            self.touches.iter().map(|touch| Touch { gap: left(touch), ..*touch }).collect();
        if moved.iter().all(|touch| touch.gap >= 0.0) {
            return steps;
        }
        each(&steps, &self.parted(&moved), Velocity::plus)
    }

    /// What is left of the gap of a touch above the one that is kept, if members were in these
    /// states; to first order.
    fn gap_at(&self, touch: &Touch, states: &[State]) -> f64 {
        let moved = |i: usize| {
            let [from, to] = [&self.states[i].pose, &states[i].pose];
            to.point(from.inverse().point(touch.point))
        };
        let [first, second] = touch.bodies.map(moved);
        touch.gap + touch.normal.dot(first - second)
    }
}

/// Velocities of two lists put together one by one.
fn each(
    some: &[Velocity],
    others: &[Velocity],
    both: impl Fn(&Velocity, &Velocity) -> Velocity,
) -> Vec<Velocity> {
    some.iter().zip(others).map(|(one, other)| both(one, other)).collect()
}
