//! The contacts of an island and what they do to velocities.
//!
//! Two kinds of response, and a stated switch between them [MW88 §3.2]: contacts that approach
//! faster than [`Options::gentle`](super::Options::gentle) collide, with restitution; all others
//! are held, without. Held contacts may close what is more than the gap that is kept, and gaps that
//! are less are opened by a displacement that leaves velocities alone.

use chasles::Pose;
use chasles::query::{self, Feature, Features, Near};
use glam::DVec3;

use super::broad::{Bounds, radius_about};
use super::event::Pressing;
use super::gap_curvature::{Form, Surfaces};
use super::island::{Blow, Island};
use super::quick_proofs::Guard;
use super::trial::Held;
use super::{BodyId, Impact, State};
use crate::body::{MassProperties, Material, Velocity};
use crate::impulse::rest::{self, hold, part};
use crate::impulse::spread::{Spread, collide_spreading};
use crate::impulse::{Effort, Loose, Response, Touch, several};

/// Contacts within this many kept gaps answer.
const REACH: f64 = 4.0;

/// Contacts that give back less than this share of their speed lose little by being held too early,
/// and a crowd of them would rattle.
const LIVELY: f64 = 0.5;

/// A bounce of less than this share of the smaller body is lost without harm where bodies that are
/// not lively are put down on each other.
const LOW: f64 = 0.02;

/// Places closer to each other than this share of the smaller body are one.
const NEXT_TO: f64 = 0.05;

/// So many touches of a linkage are solved together at most: all of them depend on each other, and
/// each push costs as much as the linkage is long.
const LINKED: usize = 48;

/// More contacts than this are a crowd.
const CROWD: usize = 64;

/// Contacts that would close this share of a gap are solved for longer, by so many times as many
/// sweeps.
const CLOSED: f64 = 0.25;
const PATIENCE: usize = 10;

/// Errors of contacts that change a gap by this share of the one that is kept in a part are too
/// large: small bodies would creep.
const CREEP: f64 = 0.05;

/// Gaps that lack more than this share of the one that is kept are opened.
const SMALL: f64 = 0.5;

/// Motions that bend by more than this share of the smaller body are cut instead.
const MOST_BENT: f64 = 0.01;

/// They open by at most this share of what they lack in one part of a step.
const OPENING: f64 = 0.5;

impl Island<'_> {
    /// Finds where members are near each other, and adds what the last trial would have hit.
    pub(super) fn gather(&mut self, h: f64) {
        self.touches.clear();
        self.coming.clear();
        self.names.clear();
        self.surfaces.clear();
        let velocities = self.velocities();
        // What forces close within the part is held before it is there, if no one misses the
        // bounce.
        let pulls = (0..self.states.len()).map(|i| self.pull(i).acceleration.length());
        let pull = pulls.fold(0.0, f64::max);
        let soon = (self.options.gentle + pull * h) * h;
        let boxes: Vec<Bounds> = (0..self.states.len())
            .map(|i| Bounds::of(self.body(i), &self.states[i].pose))
            .collect();
        self.guards.clear();
        for number in 0..self.pairs.len() {
            let pair = self.pairs[number];
            let early = soon.min(self.unnoticed(pair, pull));
            let held = (REACH * self.gap(pair) + early).max(self.spring_reach(pair));
            let reach = held + self.options.window * self.closing(pair);
            let [first, second] = pair.map(|i| &boxes[i]);
            let guard = if first.grown(reach).overlaps(second) {
                self.gather_pair(pair, [held, reach], &velocities)
            } else {
                Guard { room: reach, normal: None }
            };
            let across = (second.middle() - first.middle()).try_normalize();
            self.guards.push(Guard { normal: guard.normal.or(across), ..guard });
        }
        let hits = std::mem::take(&mut self.hits);
        let is_hard = |touch: &Touch| !self.is_soft(touch, &velocities);
        let hard: Vec<Touch> = hits.iter().map(|hit| hit.touch).filter(is_hard).collect();
        self.touches.extend(hard);
        self.names.resize(self.touches.len(), None);
        self.surfaces.resize(self.touches.len(), None);
        self.guesses.clear();
        let known = |(touch, name): (&Touch, &Option<Features>)| {
            let pair = touch.bodies.map(|i| self.members[i]);
            let of_pair = self.forces.get(&pair)?;
            let number = of_pair.binary_search_by_key(&(*name)?, |(features, _)| *features).ok()?;
            Some(of_pair[number].1)
        };
        let guesses = self.touches.iter().zip(&self.names);
        self.guesses.extend(guesses.map(|both| known(both).unwrap_or(DVec3::ZERO)));
    }

    /// What bodies that touch would have hit of each other in a trial, away from their touches: of
    /// two edges that are almost parallel only the nearest places are touches, and bodies turn
    /// about them into each other elsewhere. None of a linkage: what turns about a joint would be
    /// held off it.
    pub(super) fn unforeseen(&self) -> Vec<Blow> {
        if !self.joints.is_empty() {
            return Vec::new();
        }
        let is_news = |hit: &&Blow| {
            let near = NEXT_TO * self.smaller(hit.touch.bodies);
            let mut of_pair = self.touches.iter().filter(|touch| touch.bodies == hit.touch.bodies);
            let is_there = |touch: &Touch| touch.point.distance(hit.touch.point) <= near;
            of_pair.clone().next().is_some() && !of_pair.any(is_there)
        };
        self.hits.iter().filter(is_news).copied().collect()
    }

    /// The longest fall to a touch of a pair after which no one misses the bounce.
    fn unnoticed(&self, pair: [usize; 2], pull: f64) -> f64 {
        match self.materials(pair).restitution() {
            lively if lively >= LIVELY => 0.5 * self.options.gentle.powi(2) / pull,
            restitution => LOW * self.smaller(pair) / restitution.powi(2),
        }
    }

    /// A speed that no two points of a pair exceed that approach each other.
    fn closing(&self, pair: [usize; 2]) -> f64 {
        let [a, b] = pair.map(|i| self.states[i].velocity);
        let spin = |i: usize| {
            let centre = self.mass_properties(i).map_or(DVec3::ZERO, MassProperties::centre);
            self.states[i].velocity.angular.length() * radius_about(self.body(i), centre)
        };
        a.linear.distance(b.linear) + spin(pair[0]) + spin(pair[1])
    }

    /// Finds where two members are so near each other that they may have to be held, or are on the
    /// way to it, and what that tells about them.
    fn gather_pair(
        &mut self,
        pair: [usize; 2],
        [held, reach]: [f64; 2],
        velocities: &[Velocity],
    ) -> Guard {
        if !self.answers_to(pair) {
            return Guard::default();
        }
        let kept = self.gap(pair);
        let [a, b] = pair.map(|i| self.body(i).geometry());
        let poses = pair.map(|i| self.states[i].pose);
        let both = self.materials(pair);
        let response = Loose(&self.inertias);
        let gentle = self.options.gentle;
        let answering = self.answering(pair);
        let radii = pair.map(|i| self.body(i).shape().core().1);
        let mut guard = Guard { room: reach, normal: None };
        let places = query::near(a, b, poses, reach, &mut self.memory);
        for place in places.unwrap_or_default() {
            if place.gap < guard.room {
                guard = Guard { room: place.gap, normal: Some(place.normal) };
            }
            let point = 0.5 * (place.point_a + place.point_b);
            let touch = touch(pair, (point, -place.normal, place.gap - kept), &both);
            let speed = touch.normal.dot(response.approach(velocities, pair, point));
            if place.gap > answering && speed < -gentle {
                if touch.gap <= -speed * self.options.window {
                    self.coming.push(touch);
                }
                continue;
            }
            if place.gap > held {
                continue;
            }
            self.touches.push(touch);
            self.names.push(Some(place.features));
            self.surfaces.push(Some(surfaces(place, poses, radii)));
        }
        guard
    }

    /// Takes down the forces of the touches, as a first guess for the next part.
    pub(super) fn remember(&mut self, impulses: &[DVec3], h: f64) {
        for pair in &self.pairs {
            self.forces.remove(&pair.map(|i| self.members[i]));
        }
        for ((touch, name), impulse) in self.touches.iter().zip(&self.names).zip(impulses) {
            if let Some(features) = *name {
                let pair = touch.bodies.map(|i| self.members[i]);
                self.forces.entry(pair).or_default().push((features, *impulse / h));
            }
        }
        self.forces.values_mut().for_each(|of_pair| of_pair.sort_unstable_by_key(|f| f.0));
    }

    /// Lets touches collide that approach fast.
    pub(super) fn impact(&mut self) {
        let close = self.close();
        if close.is_empty() {
            return;
        }
        self.yield_to_touches();
        let velocities = self.velocities();
        if close.iter().any(|touch| !self.is_soft(touch, &velocities)) {
            self.collide(&close);
        }
    }

    /// Touches that answer: those within four kept gaps, or within the reach of springs.
    pub(super) fn close(&self) -> Vec<Touch> {
        let is_close = |touch: &&Touch| self.is_close(touch);
        self.touches.iter().filter(is_close).copied().collect()
    }

    fn is_close(&self, touch: &Touch) -> bool {
        touch.gap <= self.answering(touch.bodies) - self.gap(touch.bodies)
    }

    /// The distance at which bodies of a pair answer each other.
    fn answering(&self, pair: [usize; 2]) -> f64 {
        (REACH * self.gap(pair)).max(self.spring_reach(pair))
    }

    /// Lets touches collide; whether any of them approached. Members on routes that pinch others
    /// wait.
    pub(super) fn collide(&mut self, close: &[Touch]) -> bool {
        let (touches, velocities, impact) = loop {
            let before = self.settled();
            let mut velocities = before.clone();
            let touches = self.colliding(close, &before);
            let impact =
                collide_spreading(&self.answers(), &mut velocities, &touches, &self.spread(close));
            if impact.rounds == 0 {
                return false;
            }
            let pinching = self.pinching(&touches, &impact.impulses, [&before, &velocities]);
            if pinching.is_empty() {
                break (touches, velocities, impact);
            }
            self.stop(&pinching);
        };
        self.outcome.report.leave(impact.solved.error);
        self.let_go(&velocities);
        for (state, velocity) in self.states.iter_mut().zip(velocities) {
            state.velocity = velocity;
        }
        let hit = touches.iter().zip(&impact.impulses).filter(|(_, p)| **p != DVec3::ZERO);
        for (touch, &impulse) in hit {
            let Touch { bodies, point, normal, .. } = *touch;
            let bodies = bodies.map(|i| BodyId(self.members[i]));
            let impact = Impact { time: self.clock, bodies, point, normal, impulse };
            if self.world.is_listening {
                let pressing = Pressing::of(&impact, self.outcome.report.parts);
                self.outcome.pressing.push(pressing);
            }
            self.outcome.report.impacts.push(impact);
        }
        true
    }

    /// How an impact runs through so many touches: a shock that runs through a crowd ends in it; a
    /// few bodies pass it to and fro.
    fn spread(&self, close: &[Touch]) -> Spread {
        let rounds = if close.len() > CROWD { 1 } else { 4 };
        let together = several::Options { tolerance: 1e-6, sweeps: 40, together: self.together() };
        Spread { threshold: self.options.gentle, rounds, together }
    }

    /// The velocities of members, as joints have them.
    fn settled(&self) -> Vec<Velocity> {
        let mut velocities = self.velocities();
        self.settle(&mut velocities, 0.0);
        velocities
    }

    /// Touches that are close, and what comes soon to the bodies that collide there now.
    fn colliding(&self, close: &[Touch], velocities: &[Velocity]) -> Vec<Touch> {
        let mut touches = close.to_vec();
        if self.coming.is_empty() {
            return touches;
        }
        let response = self.answers();
        let collides = |touch: &&Touch| {
            let approach = response.approach(velocities, touch.bodies, touch.point);
            touch.normal.dot(approach) < -self.options.gentle
        };
        let hit = close.iter().filter(collides).flat_map(|touch| touch.bodies);
        let hit: Vec<usize> = hit.filter(|&i| self.is_dynamic(i)).collect();
        let is_hit = |touch: &&Touch| touch.bodies.iter().any(|i| hit.contains(i));
        touches.extend(self.coming.iter().filter(is_hit));
        touches
    }

    /// Leaves out touches with a gap that an impact has made fast: they collide when they get
    /// there, and to hold them would take their speed without giving any back.
    fn let_go(&mut self, velocities: &[Velocity]) {
        let response = Loose(&self.inertias);
        let is_held = |touch: &Touch| {
            let speed = touch.normal.dot(response.approach(velocities, touch.bodies, touch.point));
            self.is_close(touch) || touch.restitution < LIVELY || speed >= -self.options.gentle
        };
        let held: Vec<bool> = self.touches.iter().map(is_held).collect();
        keep(&mut self.touches, &held);
        keep(&mut self.names, &held);
        keep(&mut self.surfaces, &held);
        keep(&mut self.guesses, &held);
    }

    /// Makes members dynamic that are hit on their route: their velocity is from then on that of
    /// their centre of mass.
    fn yield_to_touches(&mut self) {
        let velocities = self.velocities();
        let is_hit = |touch: &&Touch| {
            let Touch { bodies, point, normal, .. } = **touch;
            let approach = Loose(&self.inertias).approach(&velocities, bodies, point);
            normal.dot(approach) < -self.options.gentle
        };
        let yields = |i: &usize| self.body(*i).yields() && !self.outcome.yielded[*i];
        let hit = self.touches.iter().filter(is_hit).flat_map(|touch| touch.bodies);
        let yielding: Vec<usize> = hit.filter(yields).collect();
        if yielding.is_empty() {
            return;
        }
        yielding.iter().for_each(|&i| self.outcome.yielded[i] = true);
        let origins: Vec<DVec3> = self.inertias.iter().map(|inertia| inertia.centre).collect();
        self.relink();
        for (i, state) in self.states.iter_mut().enumerate() {
            state.velocity = state.velocity.about(origins[i], self.inertias[i].centre);
        }
        for i in yielding {
            if let Some(mass_properties) = self.mass_properties(i) {
                self.states[i].velocity = mass_properties.locks().kept(&self.states[i].velocity);
            }
        }
    }

    /// Lets touches hold the velocities that forces made over a time, by impulses near those that
    /// are known.
    pub(super) fn hold(&self, held: &mut Held) {
        self.hold_on(&self.answers(), held);
    }

    /// The same for members that answer impulses in this way.
    pub(super) fn hold_on(&self, response: &impl Response, held: &mut Held) {
        let mut velocities = std::mem::take(&mut held.velocities);
        match self.has_belts() {
            true => self.on_belts(response, &mut velocities, |response, velocities, touches| {
                self.hold_touches(response, touches, (velocities, held));
            }),
            false => self.hold_touches(response, &self.touches, (&mut velocities, held)),
        }
        held.velocities = velocities;
    }

    /// The same for touches of these bodies, and their velocities.
    fn hold_touches(
        &self,
        response: &impl Response,
        touches: &[Touch],
        (velocities, held): (&mut [Velocity], &mut Held),
    ) {
        let Held { h, impulses, .. } = held;
        let mut options = rest::Options::new(0.0, *h);
        options.effort.together = self.together();
        let gaps = self.touches.iter().map(|touch| self.gap(touch.bodies));
        let creep = CREEP * gaps.fold(f64::INFINITY, f64::min) / *h;
        options.effort.rough = options.effort.rough.min(creep);
        options.effort.tolerance = options.effort.tolerance.min(1e-4 * creep);
        let before = self.is_patient.then(|| velocities.to_vec());
        let mut solved = hold(response, velocities, touches, impulses, &options);
        if let Some(before) = before
            && self.closes(response, velocities, *h)
        {
            options.effort.sweeps *= PATIENCE;
            velocities.copy_from_slice(&before);
            solved = hold(response, velocities, touches, impulses, &options);
        }
        held.error = solved.error;
    }

    /// So many touches are solved together at most.
    fn together(&self) -> usize {
        if self.joints.is_empty() { rest::TOGETHER } else { LINKED }
    }

    /// Whether a touch closes more of its gap than it may: bodies would wait for that, as in tall
    /// stacks that are heavy on top.
    pub(super) fn closes(&self, response: &impl Response, velocities: &[Velocity], h: f64) -> bool {
        self.touches.iter().any(|touch| {
            let speed = touch.normal.dot(response.approach(velocities, touch.bodies, touch.point));
            -speed * h > touch.gap.max(0.0) + CLOSED * self.gap(touch.bodies)
        })
    }

    /// The displacements that open gaps that have become too small.
    pub(super) fn opening(&self) -> Vec<Velocity> {
        let lack = |touch: &Touch| {
            let is_small = touch.gap < -SMALL * self.gap(touch.bodies);
            if is_small { -OPENING * touch.gap } else { 0.0 }
        };
        let lacks: Vec<f64> = self.touches.iter().map(lack).collect();
        self.displacements(&lacks)
    }

    /// What the gaps of touches lack on the way to these states.
    pub(super) fn lacks(&self, states: &[State]) -> Vec<f64> {
        (0..self.touches.len()).map(|i| self.lack(i, states)).collect()
    }

    /// What the gap of a touch lacks on the way to these states.
    pub(super) fn lack(&self, number: usize, states: &[State]) -> f64 {
        let (touch, surfaces) = (&self.touches[number], &self.surfaces[number]);
        let kept = self.gap(touch.bodies);
        let [from, to] = [&self.states[..], states].map(|all| touch.bodies.map(|i| all[i].pose));
        let least = surfaces.as_ref().map_or(kept, |surfaces| surfaces.least_gap(from, to));
        // A touch that is already nearer need not open.
        let wanted = kept.min(touch.gap + kept);
        (wanted - least).max(0.0)
    }

    /// Adds displacements that make up for what touches lack; false if that is nothing, or too
    /// much.
    pub(super) fn straighten(&self, lacks: &[f64], apart: &mut [Velocity]) -> bool {
        let share =
            |(lack, touch): (&f64, &Touch)| self.options.kept() * lack / self.gap(touch.bodies);
        let most = lacks.iter().zip(&self.touches).map(share).fold(0.0, f64::max);
        if most == 0.0 || most > MOST_BENT {
            return false;
        }
        for (all, more) in apart.iter_mut().zip(self.displacements(lacks)) {
            *all = all.plus(&more);
        }
        true
    }

    /// The displacements that open touches by this much, and close none.
    fn displacements(&self, lacks: &[f64]) -> Vec<Velocity> {
        if lacks.iter().all(|lack| *lack == 0.0) {
            return vec![Velocity::ZERO; self.states.len()];
        }
        let opened = |(touch, lack): (&Touch, &f64)| Touch { gap: -lack, ..*touch };
        self.parted(&self.touches.iter().zip(lacks).map(opened).collect::<Vec<Touch>>())
    }

    /// The displacements that open touches whose gaps are below 0, and close no other by more than
    /// its gap.
    pub(super) fn parted(&self, touches: &[Touch]) -> Vec<Velocity> {
        let sweeps = if self.is_patient { 20 * PATIENCE } else { 20 };
        let kept = touches.iter().map(|touch| self.gap(touch.bodies)).fold(f64::INFINITY, f64::min);
        let tolerance = 1e-9 * kept;
        let effort =
            Effort { sweeps, tolerance, rough: 1e4 * tolerance, together: self.together() };
        part(&self.answers(), self.states.len(), touches, 0.0, &effort).0
    }
}

/// Leaves out what is not kept.
fn keep<T>(all: &mut Vec<T>, is_kept: &[bool]) {
    let mut each = is_kept.iter();
    all.retain(|_| each.next() == Some(&true));
}

/// What a place between two bodies is made of.
fn surfaces(place: &Near, poses: [Pose; 2], radii: [f64; 2]) -> Surfaces {
    let Features { a, b } = place.features;
    let is_tip = |feature: Feature| matches!(feature, Feature::Vertex(_) | Feature::End(_));
    let form = match place.lines {
        Some(lines) => Form::Lines(lines),
        None if is_tip(a) && is_tip(b) => Form::Tips,
        None => Form::Plane(usize::from(is_tip(a))),
    };
    let cores = [place.point_a - radii[0] * place.normal, place.point_b + radii[1] * place.normal];
    Surfaces::new(poses, (cores, radii[0] + radii[1]), -place.normal, form)
}

/// A touch of two members at a point, with a normal; the gap is what is left above the one that is
/// kept.
pub(super) fn touch(
    bodies: [usize; 2],
    (point, normal, gap): (DVec3, DVec3, f64),
    both: &Material,
) -> Touch {
    let [restitution, friction] = [both.restitution(), both.friction()];
    Touch { bodies, point, normal, gap, restitution, friction }
}
