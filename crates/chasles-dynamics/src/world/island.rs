//! Bodies that could meet within a step, advanced through it part by part.

use std::collections::BTreeMap;

use chasles::Pose;
use chasles::query::Features;
use glam::DVec3;

use super::body::{Body, Kind};
use super::broad::{Bounds, groups, radius_about};
use super::event::Pressing;
use super::gap_curvature::Surfaces;
use super::quick_proofs::Guard;
use super::response_cache::Learned;
use super::route::Route;
use super::spring_contact::Reaches;
use super::trial::Trial;
use super::window::Manifolds;
use super::{BodyId, Lost, Options, Report, State, Stepping, World};
use crate::body::{Inertia, MassProperties, Material, Velocity};
use crate::impulse::Touch;
use crate::linkage::Joint;

/// A turn in one part of a step at most: the relative motion of two bodies that turn about each
/// other is near enough to a screw up to there ([Buss04 §4]).
const LARGEST_TURN: f64 = 0.4;

/// A body that is spun up in a part turns by this much in it at most.
const FARTHEST_TURN: f64 = 2.0 * LARGEST_TURN;

/// Of a body that passes another, the screw departs from the straight way `w` by up to `w a / 8`
/// for a turn `a`: this share of the smaller body at most.
const LARGEST_BOW: f64 = 0.05;

/// A part of a step that is shorter than this share of what is left gets nowhere.
const SHORTEST: f64 = 1e-12;

/// Trials of one part at most, each shorter than the one before; then bodies in conflict wait.
const MAX_TRIALS: u32 = 24;

/// A body on its route that comes no farther than this share of a part halts there, if what is in
/// its way cannot answer.
pub(super) const HALT: f64 = 1e-3;

/// A part that comes no farther than this share of what it was to be is cut short.
const CUT_SHORT: f64 = 0.1;

/// Corrections of one trial at most.
const MAX_BENT: u32 = 3;

/// A step is cut into this many parts at most because linkages swing fast.
const MOST_SWINGS: f64 = 16.0;

/// Parts in a row that get nowhere at most.
const MAX_STUCK: u32 = 3;

/// The bodies of an island on their way through a step.
pub(super) struct Island<'w> {
    pub(super) world: &'w World,
    pub(super) options: &'w Options,
    pub(super) bodies: &'w [Body],
    /// Numbers in the world.
    pub(super) members: Vec<usize>,
    /// Pairs of members that may meet, in order.
    pub(super) pairs: Vec<[usize; 2]>,
    /// The boxes that hold all that members do; pairs are all those whose boxes overlap.
    pub(super) boxes: Vec<Bounds>,
    /// Pairs that hit each other in trials of late, and will again unless something has answered.
    pub(super) likely: Vec<[usize; 2]>,
    pub(super) states: Vec<State>,
    pub(super) inertias: Vec<Inertia>,
    /// All joints between members.
    links: Vec<Joint>,
    /// Those of members that forces move, and the linkage that they make where these are.
    pub(super) joints: Vec<Joint>,
    pub(super) linkage: Learned,
    /// How long the part at hand was to be before anything cut it.
    pub(super) first_length: f64,
    /// Whether contacts are solved for longer, since the last part was cut short.
    pub(super) is_patient: bool,
    /// How long parts may be in which linkages swing, and how short they may become for that.
    calm_length: f64,
    pub(super) least_length: f64,
    /// Seconds since the world began.
    pub(super) clock: f64,
    /// Whether the report tells what each part moved.
    pub(super) is_recording: bool,
    pub(super) memory: chasles::query::Workspace,
    /// What is known about each pair.
    pub(super) guards: Vec<Guard>,
    /// The touches of the part at hand.
    pub(super) touches: Vec<Touch>,
    /// Touches that are not there yet, but soon.
    pub(super) coming: Vec<Touch>,
    /// The features of each touch, where they are known.
    pub(super) names: Vec<Option<Features>>,
    /// What each touch is made of, where that is known.
    pub(super) surfaces: Vec<Option<Surfaces>>,
    /// The force of each touch that is expected.
    pub(super) guesses: Vec<DVec3>,
    /// The forces of touches in the last part, by bodies of the world.
    pub(super) forces: Forces,
    /// Where the springs of pairs begin, by bodies of the world.
    pub(super) reaches: Reaches,
    /// What the last trial would have hit.
    pub(super) hits: Vec<Blow>,
    /// Pairs of members that pressed on each other in the last part.
    pub(super) presses: Vec<[usize; 2]>,
    /// Members that wait for the rest of the step, and how many seconds each has lost so far.
    pub(super) halted: Vec<bool>,
    pub(super) lost: Vec<f64>,
    pub(super) outcome: Outcome,
}

/// Forces at touches that last, by the numbers of the bodies and the features.
pub(super) type Forces = BTreeMap<[usize; 2], Vec<(Features, DVec3)>>;

/// Parts of a step at most where windows have another limit.
const MOST_PARTS: u32 = 64;

/// Where less than this share of a trial is free, the part after it would be no longer: what is hit
/// there has to answer.
const SCARCE: f64 = 0.01;

/// What became of an island.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) members: Vec<usize>,
    pub(super) states: Vec<State>,
    /// A box that holds all that each member did.
    pub(super) boxes: Vec<Bounds>,
    /// Members that were hit on their route.
    pub(super) yielded: Vec<bool>,
    /// Members that something which stands still carries, directly or through others.
    pub(super) carried: Vec<bool>,
    pub(super) report: Report,
    /// What pressed in each part, if the world listens.
    pub(super) pressing: Vec<Pressing>,
    pub(super) forces: Forces,
    pub(super) reaches: Reaches,
    pub(super) manifolds: Manifolds,
}

/// A contact that ends a trial.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blow {
    pub(super) touch: Touch,
    /// The share of the trial up to which there is room.
    pub(super) cut: f64,
}

impl<'w> Island<'w> {
    /// Members and pairs are numbers in the world, and boxes those in which all its bodies are
    /// expected.
    pub(super) fn new(
        world: &'w World,
        (members, pairs): (Vec<usize>, &[[usize; 2]]),
        boxes: &[Bounds],
    ) -> Self {
        let boxes = members.iter().map(|&i| boxes[i]).collect();
        Self::in_boxes(world, (members, pairs), boxes)
    }

    /// The same with the boxes of members alone.
    fn in_boxes(
        world: &'w World,
        (members, pairs): (Vec<usize>, &[[usize; 2]]),
        boxes: Vec<Bounds>,
    ) -> Self {
        let World { options, bodies, joints, .. } = world;
        let force = |pair: &[usize; 2]| Some((*pair, world.forces.get(pair)?.clone()));
        let forces = pairs.iter().filter_map(force).collect();
        let reach = |pair: &[usize; 2]| Some((*pair, *world.reaches.get(pair)?));
        let reaches = pairs.iter().filter_map(reach).collect();
        let local = |body: usize| members.binary_search(&body).expect("pairs are of members");
        let pairs = pairs.iter().map(|pair| pair.map(local)).collect();
        let is_here = |body: usize| members.binary_search(&body).is_ok();
        let links = joints.iter().filter(|joint| joint.bodies().into_iter().all(is_here));
        let links = links.map(|joint| joint.between(joint.bodies().map(local))).collect();
        let states: Vec<State> = members.iter().map(|&i| bodies[i].state).collect();
        let outcome = Outcome { yielded: vec![false; members.len()], ..Outcome::default() };
        let mut island = Self {
            world,
            boxes,
            likely: Vec::new(),
            options,
            bodies,
            pairs,
            states,
            inertias: Vec::new(),
            links,
            joints: Vec::new(),
            linkage: Learned::default(),
            first_length: 0.0,
            is_patient: false,
            calm_length: f64::INFINITY,
            least_length: 0.0,
            clock: world.time,
            is_recording: world.is_recording,
            memory: chasles::query::Workspace::new(),
            guards: Vec::new(),
            touches: Vec::new(),
            coming: Vec::new(),
            names: Vec::new(),
            surfaces: Vec::new(),
            guesses: Vec::new(),
            forces,
            reaches,
            hits: Vec::new(),
            presses: Vec::new(),
            halted: vec![false; members.len()],
            lost: vec![0.0; members.len()],
            outcome,
            members,
        };
        island.relink();
        island
    }

    /// Members without others near them, in these states, of which some have left their routes.
    pub(super) fn of_members(
        world: &'w World,
        members: Vec<usize>,
        states: &[State],
        yielded: Vec<bool>,
    ) -> Self {
        let both = members.iter().zip(states);
        let boxes = both.map(|(&i, state)| Bounds::of(&world.bodies[i], &state.pose)).collect();
        let mut island = Self::in_boxes(world, (members, &[]), boxes);
        island.states = states.to_vec();
        island.outcome.yielded = yielded;
        island.relink();
        island
    }

    /// Finds the joints that hold something, after members have become dynamic.
    pub(super) fn relink(&mut self) {
        let moves = |i: usize| self.mass_properties(i).is_some();
        let holds = |joint: &&Joint| joint.bodies().into_iter().any(moves);
        self.joints = self.links.iter().filter(holds).copied().collect();
        self.update_inertias();
    }

    /// Through the whole step.
    pub(super) fn advance(mut self, dt: f64) -> Outcome {
        let end = self.clock + dt;
        let mut left = dt;
        self.least_length = dt / MOST_SWINGS;
        let mut stuck = 0;
        for _ in 0..self.most_parts() {
            let part = self.part(left);
            self.outcome.report.parts += 1;
            self.is_patient = part < CUT_SHORT * self.first_length;
            // What is left may be rounding, of the time of a pose on a route.
            left = if left - part > SHORTEST * dt { left - part } else { 0.0 };
            self.clock = end - left;
            // What blocked a part answers in the next; if that does not help, nothing does.
            stuck = if part > 0.0 { 0 } else { stuck + 1 };
            if left <= 0.0 || stuck == MAX_STUCK {
                break;
            }
        }
        if left > 0.0 {
            self.wait(left);
        }
        self.tell_losses();
        self.outcome.report.contacts = self.touches.len();
        self.outcome.carried = self.carried();
        self.outcome.boxes = self.boxes;
        self.outcome.members = self.members;
        self.outcome.states = self.states;
        self.outcome.forces = self.forces;
        self.outcome.reaches = self.reaches;
        self.outcome
    }

    /// Parts of the step at most: windows are cheaper than parts, and may be more. A linkage that
    /// nothing is near has as many, since it waits for nobody.
    fn most_parts(&self) -> u32 {
        match self.options.stepping {
            Stepping::Windows if !self.pairs.is_empty() => self.options.max_parts.min(MOST_PARTS),
            _ => self.options.max_parts,
        }
    }

    /// Reports who waits, and for how long.
    fn tell_losses(&mut self) {
        for i in 0..self.members.len() {
            if !self.body(i).is_movable() {
                continue;
            }
            let (body, seconds) = (BodyId(self.members[i]), self.lost[i]);
            if self.halted[i] || seconds > 0.0 {
                self.outcome.report.waiting.push(body);
            }
            if seconds > 0.0 {
                self.outcome.report.lost.push(Lost { body, seconds });
            }
        }
    }

    /// Whether each member hangs together with one that stands still, by what presses and by
    /// joints.
    fn carried(&self) -> Vec<bool> {
        let joined = self.joints.iter().map(Joint::bodies);
        let links = self.presses.iter().copied().chain(joined);
        let mut carried = vec![false; self.members.len()];
        for group in groups(self.members.len(), links) {
            let stands =
                |i: usize| self.states[i].velocity == Velocity::ZERO && !self.is_dynamic(i);
            let is_carried = group.iter().any(|&i| stands(i));
            group.iter().for_each(|&i| carried[i] = is_carried);
        }
        carried
    }

    pub(super) fn body(&self, member: usize) -> &'w Body {
        &self.bodies[self.members[member]]
    }

    pub(super) fn velocities(&self) -> Vec<Velocity> {
        self.states.iter().map(|state| state.velocity).collect()
    }

    /// Whether forces and impulses move a member.
    pub(super) fn is_dynamic(&self, member: usize) -> bool {
        self.inertias[member].is_dynamic()
    }

    /// What the surfaces of a pair are together.
    pub(super) fn materials(&self, [i, j]: [usize; 2]) -> Material {
        self.body(i).material().with(&self.body(j).material())
    }

    /// The gap that is kept between a pair.
    pub(super) fn gap(&self, pair: [usize; 2]) -> f64 {
        self.options.kept() * self.smaller(pair)
    }

    /// The size of the smaller of a pair; that of the other, if one is a single point.
    pub(super) fn smaller(&self, pair: [usize; 2]) -> f64 {
        let [a, b] = pair.map(|i| self.body(i).size());
        if a.min(b) > 0.0 { a.min(b) } else { a.max(b) }
    }

    /// Mass and inertia of a member that forces move, or that has been hit on its route.
    pub(super) fn mass_properties(&self, member: usize) -> Option<&'w MassProperties> {
        match self.body(member).kind() {
            Kind::Yielding(_, mass_properties) if self.outcome.yielded[member] => {
                Some(mass_properties)
            }
            _ => self.body(member).mass_properties(),
        }
    }

    /// Whether a member that forces move is kept from some directions.
    pub(super) fn is_locked(&self, member: usize) -> bool {
        self.mass_properties(member).is_some_and(|mass_properties| mass_properties.locks().any())
    }

    /// How a member answers impulses at a pose.
    pub(super) fn inertia(&self, member: usize, pose: &Pose) -> Inertia {
        match self.mass_properties(member) {
            Some(mass_properties) => mass_properties.at(pose),
            None => Inertia::fixed(pose.position()),
        }
    }

    pub(super) fn update_inertias(&mut self) {
        let inertia = |(i, state): (usize, &State)| self.inertia(i, &state.pose);
        self.inertias = self.states.iter().enumerate().map(inertia).collect();
        self.fit();
    }

    /// One part of the step, at most this long; how long it was.
    fn part(&mut self, left: f64) -> f64 {
        let mut h = self.longest(left).min(self.calm_length);
        if let Some(springs) = self.springs() {
            h = h.min(springs.period);
        }
        self.first_length = h;
        self.route_velocities(h);
        self.gather(h);
        self.begin_springs();
        self.impact();
        if self.springs().is_some()
            && let Some(done) = self.part_on_springs(h)
        {
            return done;
        }
        let opening = self.opening();
        let mut apart = opening.clone();
        let mut bent = 0;
        let mut known = None;
        let mut unforeseen = Vec::new();
        for _ in 0..MAX_TRIALS {
            let trial = self.trial(h, &apart, &mut known);
            if trial.is_rough && h > self.least_length {
                h *= 0.5;
                self.calm_length = h;
                self.first_length = h;
                continue;
            }
            if self.turns_far(&trial) {
                h *= 0.5;
                continue;
            }
            let cut = self.cut(&trial);
            if cut >= 1.0 {
                self.accept(&trial);
                self.hits = unforeseen;
                return h;
            }
            if self.halt() {
                known = None;
                continue;
            }
            let lacks = self.lacks(&trial.states);
            if let Some(free) = self.unexplained(&lacks) {
                unforeseen = if free < SCARCE { self.unforeseen() } else { Vec::new() };
                h *= free;
                if h <= SHORTEST * left {
                    return 0.0;
                }
            } else if bent < MAX_BENT && self.straighten(&lacks, &mut apart) {
                bent += 1;
                continue;
            } else {
                h *= 0.5;
            }
            bent = 0;
            apart.clone_from(&opening);
        }
        0.0
    }

    /// Whether a member turns farther in a trial than its motion is a screw for: what an impact, a
    /// motor or a load has made of its spin was not known when the part was chosen.
    pub(super) fn turns_far(&self, trial: &Trial) -> bool {
        let is_fast = |(i, state): (usize, &State)| {
            let turn = state.velocity.angular.length() * trial.h;
            turn > FARTHEST_TURN && self.is_dynamic(i)
        };
        let is_alone = self.pairs.is_empty() && self.joints.is_empty();
        !is_alone && trial.states.iter().enumerate().any(is_fast)
    }

    /// Lets members wait that came next to something that cannot answer either; whether there were
    /// any.
    pub(super) fn halt(&mut self) -> bool {
        let hits = self.hits.iter().filter(|hit| hit.cut <= HALT).map(|hit| hit.touch.bodies);
        let stopped: Vec<usize> = hits.filter(|pair| !self.answers_to(*pair)).flatten().collect();
        self.stop(&stopped);
        !stopped.is_empty()
    }

    /// Lets members wait for the rest of the step.
    pub(super) fn stop(&mut self, members: &[usize]) {
        for &i in members {
            self.halted[i] = true;
            self.states[i].velocity = Velocity::ZERO;
        }
    }

    /// Whether one of a pair gives way to the other.
    pub(super) fn answers_to(&self, pair: [usize; 2]) -> bool {
        pair.iter().any(|&i| self.is_dynamic(i) || self.body(i).yields())
    }

    /// The share of the last trial that is free, if it hit something besides touches that bend.
    fn unexplained(&self, lacks: &[f64]) -> Option<f64> {
        let bends = |pair: [usize; 2]| {
            let of_pair = self.touches.iter().zip(lacks).filter(|(touch, _)| touch.bodies == pair);
            of_pair.into_iter().any(|(_, lack)| *lack > 0.0)
        };
        let others = self.hits.iter().filter(|hit| !bends(hit.touch.bodies));
        others.map(|hit| hit.cut).reduce(f64::min)
    }

    /// A part in which no route comes to another of its poses than at the end, no body turns too
    /// far, and no relative motion departs too far from its screw. Routes that meet nothing need
    /// none of that.
    pub(super) fn longest(&mut self, left: f64) -> f64 {
        let is_free = self.pairs.is_empty() && self.joints.is_empty();
        if is_free && (0..self.states.len()).all(|i| !self.is_dynamic(i)) {
            return left;
        }
        let until_key = |i: usize| {
            let time = self.states[i].on_route;
            self.followed(i).and_then(|route| route.next_key(time)).map(|key| key - time)
        };
        let left = (0..self.states.len()).filter_map(until_key).fold(left, f64::min);
        self.route_velocities(left);
        let turn = |i: usize| self.states[i].velocity.angular.length() * left;
        let turns = (0..self.states.len()).map(|i| turn(i) / LARGEST_TURN).fold(0.0, f64::max);
        let bow = |&[i, j]: &[usize; 2]| {
            let [a, b] = [i, j].map(|i| self.states[i].velocity.linear);
            let size = self.smaller([i, j]);
            let bow = a.distance(b) * left * (turn(i) + turn(j)) / 8.0;
            // What has no size has no bow that could matter.
            if size > 0.0 { (bow / (LARGEST_BOW * size)).sqrt() } else { 0.0 }
        };
        let parts = self.pairs.iter().map(bow).fold(turns, f64::max);
        left / parts.ceil().max(1.0)
    }

    /// Velocities of the bodies that have a route, for the time that comes.
    fn route_velocities(&mut self, h: f64) {
        for i in 0..self.states.len() {
            if let Some(route) = self.followed(i) {
                let from = (&self.states[i].pose, self.states[i].on_route);
                let radius = radius_about(self.body(i), DVec3::ZERO);
                self.states[i].velocity = route.velocity_from(from, h, radius);
            }
        }
    }

    /// The route of a member that goes on along one.
    fn followed(&self, member: usize) -> Option<&'w Route> {
        let has_left = self.outcome.yielded[member] || self.halted[member];
        self.body(member).route().filter(|_| !has_left)
    }

    pub(super) fn accept(&mut self, trial: &Trial) {
        self.note(trial);
        self.tell_presses(trial);
        for i in 0..self.members.len() {
            if self.halted[i] || trial.halts.contains(&i) && self.moves_at_all(i) {
                self.lost[i] += trial.h;
            }
        }
        self.outcome.report.leave(trial.error);
        self.remember(&trial.impulses, trial.h);
        self.presses.clone_from(&trial.presses);
        self.states.clone_from(&trial.states);
        self.damp_linkage(trial.h);
        self.update_inertias();
    }
}
