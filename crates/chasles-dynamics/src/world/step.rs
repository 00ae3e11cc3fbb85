//! One step of the whole world: boxes, pairs, islands, and the bodies afterwards.
//!
//! A body that leaves the box in which it was expected gets a larger one, and its island looks for
//! what that meets among its own. The step starts over only where such a box meets a body of
//! another island.

use chasles::Pose;
use glam::DVec3;
#[cfg(feature = "threads")]
use rayon::prelude::*;

use super::body::{Body, Kind};
use super::broad::{Bounds, groups, pairs, radius_about};
use super::island::{Island, Outcome};
use super::route::Route;
use super::trial::Pull;
use super::{BodyId, Report, State, Stepping, World, WorldError, window};
use crate::body::Velocity;
use crate::linkage::{Gap, Joint};

/// How often a step starts over with larger boxes, before all bodies are one island.
const MAX_RETRIES: u32 = 6;

/// Seconds of rest before a body sleeps.
const REST: f64 = 0.5;

/// Coordinates and velocities are at most this, as those of poses.
const LARGEST: f64 = 1e100;

impl World {
    /// Moves everything on by this many seconds.
    ///
    /// *Accepts* any positive length. *Guarantees* that no two bodies that were apart cross each
    /// other on the way or overlap at the end: the motion between two poses is the relative screw
    /// of each pair. In windows, bodies on routes pass static ones and each other. The same state
    /// and step give the same bits at any number of threads. *Cost* a few queries for each pair of
    /// bodies that come near each other, times the parts into which collisions cut the step, at
    /// most [`Options::max_parts`](super::Options::max_parts). *Fails* for an impossible length,
    /// for bodies that are not finite or would not be afterwards, and in the first step for bodies
    /// that overlap; nothing has moved then.
    pub fn step(&mut self, dt: f64) -> Result<Report, WorldError> {
        let report = self.advanced(dt).map_err(|error| self.named_error(error))?;
        self.keep_moved();
        let mut report = self.named(report);
        let super::Due { events, sensed } = std::mem::take(&mut self.due);
        report.events.extend(events);
        report.sensed.extend(sensed);
        Ok(report)
    }

    /// Moves everything on; bodies of the report are named by their slots.
    fn advanced(&mut self, dt: f64) -> Result<Report, WorldError> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(WorldError::Step(dt));
        }
        self.check_all()?;
        self.step_length = dt;
        let mut report = match self.sheets.is_empty() {
            true => self.step_bodies(dt)?,
            false => self.step_with_sheets(dt)?,
        };
        if !self.sheets.is_empty() {
            self.tell_as_one(&mut report);
        }
        report.broken = self.break_joints(&report.joint_forces);
        Ok(report)
    }

    /// Moves all bodies on; none, if one would be lost.
    pub(super) fn step_bodies(&mut self, dt: f64) -> Result<Report, WorldError> {
        let (is_recording, senses) = (self.is_recording, self.has_sensors());
        let (is_listening, strains) = (self.is_listening, self.strains());
        self.is_recording |= senses;
        self.is_listening |= strains;
        let (outcomes, boxes) = self.outcomes(dt);
        self.is_recording = is_recording;
        self.is_listening = is_listening;
        let states = outcomes.iter().flat_map(|all| all.members.iter().zip(&all.states));
        if let Some((&lost, _)) = states.into_iter().find(|(_, state)| !state.is_possible()) {
            return Err(WorldError::Lost(BodyId(lost)));
        }
        let sleeps = |[i, j]: &[usize; 2]| self.bodies[*i].is_asleep || self.bodies[*j].is_asleep;
        self.forces.retain(|pair, _| sleeps(pair));
        self.reaches.retain(|pair, _| sleeps(pair));
        self.manifolds.retain(|pair, _| sleeps(pair));
        let mut report = Report::default();
        let before: Vec<State> = self.bodies.iter().map(|body| body.state).collect();
        let mut pressing = Vec::new();
        for mut outcome in outcomes {
            pressing.append(&mut outcome.pressing);
            report.add(self.settle(outcome, dt));
        }
        self.time += dt;
        if senses {
            let poses: Vec<Pose> = before.iter().map(|state| state.pose).collect();
            report.sensed = self.sense(&poses, &report.record, &boxes);
        }
        if !is_recording {
            report.record.clear();
        }
        report.gap = self.joint_gap();
        if strains {
            report.joint_forces = self.joint_forces(&before, &pressing, dt);
        }
        report.events = self.contact_events(pressing);
        Ok(report)
    }

    /// How far joints are from where they should be.
    fn joint_gap(&self) -> Gap {
        let gap = |joint: &Joint| joint.gap(joint.bodies().map(|i| &self.bodies[i].state.pose));
        self.joints.iter().map(gap).fold(Gap::default(), Gap::max)
    }

    /// What becomes of all islands, and boxes that hold all that bodies did.
    fn outcomes(&self, dt: f64) -> (Vec<Outcome>, Vec<Bounds>) {
        let mut boxes: Vec<Bounds> =
            self.bodies.iter().map(|body| self.expected(body, dt)).collect();
        for retry in 0.. {
            let is_last = retry == MAX_RETRIES;
            let islands = self.islands(&boxes, is_last);
            #[cfg(feature = "threads")]
            let islands = islands.into_par_iter();
            #[cfg(not(feature = "threads"))]
            let islands = islands.into_iter();
            let outcomes: Vec<Outcome> =
                islands.map(|island| self.advance(island, &boxes, dt)).collect();
            let grown = self.grow(&outcomes, &mut boxes);
            if is_last || !self.meet_others(&outcomes, &boxes, &grown) {
                return (outcomes, boxes);
            }
        }
        unreachable!("the last retry returns")
    }

    /// Takes an island through the step.
    fn advance(
        &self,
        (members, pairs): (Vec<usize>, Vec<[usize; 2]>),
        boxes: &[Bounds],
        dt: f64,
    ) -> Outcome {
        let is_here = |body: usize| members.binary_search(&body).is_ok();
        let is_joined = |joint: &Joint| joint.bodies().into_iter().any(is_here);
        // A linkage alone swings, which has parts of its own.
        let is_alone = pairs.is_empty() && self.joints.iter().any(is_joined);
        match self.options.stepping {
            Stepping::Windows if !is_alone => window::advance(self, (members, &pairs), boxes, dt),
            _ => Island::new(self, (members, &pairs), boxes).advance(dt),
        }
    }

    /// The box in which a body is expected to stay.
    fn expected(&self, body: &Body, dt: f64) -> Bounds {
        let pose = body.pose();
        let now = Bounds::of(body, &pose);
        let gap = self.options.near() * body.size();
        if let Some(route) = body.route() {
            return now.join(&along(route, body, dt)).grown(gap);
        }
        let Some(mass_properties) = body.mass_properties() else { return now.grown(gap) };
        if body.is_asleep {
            return now.grown(gap);
        }
        let Velocity { linear, angular } = body.velocity();
        let radius = radius_about(body, mass_properties.centre());
        let pull = Pull::new(mass_properties, self.options.gravity, body);
        let fall = 0.5 * pull.acceleration * dt;
        let way = ((linear + fall).length() + fall.length()) * dt;
        let turn = (angular.length() * dt * radius).min(2.0 * radius);
        now.grown(way + turn + gap)
    }

    /// Members and pairs of each island in which something moves.
    fn islands(&self, boxes: &[Bounds], is_one: bool) -> Vec<(Vec<usize>, Vec<[usize; 2]>)> {
        let moves = |i: usize| self.is_awake(i);
        let mut found = if is_one {
            let count = self.bodies.len();
            (0..count).flat_map(|i| (i + 1..count).map(move |j| [i, j])).collect()
        } else {
            pairs(boxes, |i| moves(i) || self.bodies[i].is_dynamic())
        };
        let is_still = |i: usize| matches!(self.bodies[i].kind, Kind::Static);
        found.retain(|&pair| self.may_meet(pair));
        // What stands still belongs to no island, and visits those of the bodies that it is near.
        let joined: Vec<[usize; 2]> = self.joints.iter().map(Joint::bodies).collect();
        let joins = |pair: &&[usize; 2]| is_one || pair.iter().all(|&i| !is_still(i));
        let links = found.iter().chain(&joined).filter(joins).copied();
        let groups = groups(self.bodies.len(), links);
        let mut leader = vec![0; self.bodies.len()];
        for (number, group) in groups.iter().enumerate() {
            group.iter().for_each(|&i| leader[i] = number);
        }
        let mut islands: Vec<(Vec<usize>, Vec<[usize; 2]>)> =
            groups.into_iter().map(|group| (group, Vec::new())).collect();
        let home = |[i, j]: [usize; 2]| leader[if is_still(i) { j } else { i }];
        joined.iter().for_each(|pair| islands[home(*pair)].0.extend(pair));
        found.iter().for_each(|pair| islands[home(*pair)].1.push(*pair));
        for (members, pairs) in &mut islands {
            members.extend(pairs.iter().flatten());
            members.sort_unstable();
            members.dedup();
        }
        islands.retain(|(members, _)| members.iter().any(|&i| moves(i)));
        islands
    }

    /// Whether a body moves by itself.
    pub(super) fn is_awake(&self, i: usize) -> bool {
        let body = &self.bodies[i];
        match body.kind() {
            Kind::Static => false,
            Kind::Dynamic(_) => !body.is_asleep,
            Kind::Kinematic(route) | Kind::Yielding(route, _) => {
                let time = body.state.on_route;
                let radius = radius_about(body, DVec3::ZERO);
                let is_held_up = !route.has((&body.pose(), time), radius);
                !route.is_over(time) || is_held_up || body.velocity() != Velocity::ZERO
            }
        }
    }

    /// Takes over the boxes of bodies that left the ones in which they were expected; whether each
    /// has one.
    fn grow(&self, outcomes: &[Outcome], boxes: &mut [Bounds]) -> Vec<bool> {
        let mut has_grown = vec![false; boxes.len()];
        for outcome in outcomes {
            for (&i, held) in outcome.members.iter().zip(&outcome.boxes) {
                has_grown[i] |= boxes[i] != *held;
                boxes[i] = boxes[i].join(held);
            }
        }
        has_grown
    }

    /// Whether a body could have met one of another island in the box that it got. Islands look
    /// after their own members.
    fn meet_others(&self, outcomes: &[Outcome], boxes: &[Bounds], has_grown: &[bool]) -> bool {
        outcomes.iter().any(|Outcome { members, .. }| {
            members.iter().filter(|&&i| has_grown[i]).any(|&i| {
                let is_other = |j: &usize| members.binary_search(j).is_err();
                let mut others = (0..boxes.len()).filter(is_other);
                others.any(|j| boxes[i].overlaps(&boxes[j]) && self.may_meet([i, j]))
            })
        })
    }

    /// Whether two bodies can come to each other and do not pass through.
    pub(super) fn may_meet(&self, [i, j]: [usize; 2]) -> bool {
        let is_still = |i: usize| matches!(self.bodies[i].kind, Kind::Static);
        !(is_still(i) && is_still(j)) && self.meet([i.min(j), i.max(j)])
    }

    /// Takes over what became of an island, and lets it sleep if it rests.
    fn settle(&mut self, outcome: Outcome, dt: f64) -> Report {
        for ((&i, state), &has_yielded) in
            outcome.members.iter().zip(&outcome.states).zip(&outcome.yielded)
        {
            let body = &mut self.bodies[i];
            if let (true, Kind::Yielding(_, mass_properties)) = (has_yielded, &body.kind) {
                body.kind = Kind::Dynamic(*mass_properties);
            }
            body.state = *state;
            let is_slow = body.fastest(&state.velocity) < self.options.sleep_below;
            body.still_for = if is_slow { body.still_for + dt } else { 0.0 };
        }
        // What nothing carries keeps its velocity, however low it is.
        let rests = |(&i, &is_carried): (&usize, &bool)| {
            let body = &self.bodies[i];
            let is_still = is_carried || body.velocity() == Velocity::ZERO;
            let sleeps = body.is_dynamic() && body.still_for >= REST && is_still;
            sleeps || !body.is_dynamic() && !self.is_awake(i)
        };
        let is_asleep = outcome.members.iter().zip(&outcome.carried).all(rests);
        for &i in &outcome.members {
            let body = &mut self.bodies[i];
            body.is_asleep = is_asleep && body.is_dynamic();
            if body.is_asleep {
                body.state.velocity = Velocity::ZERO;
            }
        }
        self.forces.extend(outcome.forces);
        self.reaches.extend(outcome.reaches);
        self.manifolds.extend(outcome.manifolds);
        outcome.report
    }

    /// Whether a step can be taken: every body is finite, and, the first time, apart from the
    /// others.
    ///
    /// *Accepts* any world. *Guarantees* that the next step does not fail for its bodies. *Cost*
    /// linear, and after bodies were added a query for each other body whose box overlaps theirs.
    /// *Fails* for bodies that are not finite, and for bodies that overlap.
    pub fn check(&mut self) -> Result<(), WorldError> {
        self.check_all().map_err(|error| self.named_error(error))
    }

    fn check_all(&mut self) -> Result<(), WorldError> {
        let super::Options { zone, gravity, gentle, sleep_below, window, max_work, .. } =
            self.options;
        if !(zone > 0.0 && zone <= 0.01) {
            return Err(WorldError::Zone(zone));
        }
        if !gravity.is_finite() {
            return Err(WorldError::Gravity(gravity));
        }
        let others = [("gentle", gentle), ("sleep_below", sleep_below), ("window", window)];
        if let Some(&(name, value)) = others.iter().find(|(_, x)| !(*x >= 0.0 && x.is_finite())) {
            return Err(WorldError::Option(name, value));
        }
        if max_work.is_nan() || max_work < 0.0 {
            return Err(WorldError::Work(max_work));
        }
        if let Some(springs) = self.options.springs.filter(|springs| !springs.is_possible()) {
            return Err(WorldError::Springs(springs));
        }
        for (i, body) in self.bodies.iter().enumerate() {
            let on_route = body.state.on_route;
            let is_possible = |route: &Route| {
                State { velocity: route.velocity(on_route, 1.0), ..body.state }.is_possible()
            };
            if !body.state.is_possible() || !body.route().is_none_or(is_possible) {
                return Err(WorldError::Lost(BodyId(i)));
            }
            if !body.load.is_finite() {
                return Err(WorldError::Load(BodyId(i)));
            }
            if !body.damping.is_possible() || !body.belt.is_finite() {
                return Err(WorldError::Surface(BodyId(i)));
            }
        }
        self.make_surfaces()?;
        if !self.is_checked {
            self.check_apart()?;
            self.check_sheets()?;
            self.is_checked = true;
        }
        Ok(())
    }
}

impl State {
    /// Whether a body may be there and move like this.
    pub(super) fn is_possible(&self) -> bool {
        let Velocity { linear, angular } = self.velocity;
        let vectors = [self.pose.position(), linear, angular];
        vectors.iter().all(|vector| vector.abs().max_element() <= LARGEST && !vector.is_nan())
    }
}

/// A box around all that a body passes on its route in a time from now on.
fn along(route: &Route, body: &Body, dt: f64) -> Bounds {
    let radius = radius_about(body, DVec3::ZERO);
    let mut from = body.state.on_route;
    let end = from + dt;
    let mut all = Bounds::of(body, &route.pose_at(from));
    while from < end {
        let to = route.next_key(from).map_or(end, |key| key.min(end));
        let poses = [from, to].map(|time| route.pose_at(time));
        let turn = route.velocity(from, to - from).angular.length() * (to - from);
        let way = poses[0].position().distance(poses[1].position());
        let sag = (radius + way) * turn.min(std::f64::consts::PI);
        let ends = Bounds::of(body, &poses[0]).join(&Bounds::of(body, &poses[1]));
        all = all.join(&ends.grown(sag));
        from = to;
    }
    all
}
