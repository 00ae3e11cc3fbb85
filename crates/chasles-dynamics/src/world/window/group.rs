//! The bodies of an island on their way through a step, and what does not change within it.

use std::collections::BTreeSet;

use chasles::{Pose, query};
use glam::DVec3;

use super::super::body::{Body, Kind};
use super::super::broad::{Bounds, radius_about};
use super::super::route::Route;
use super::super::trial::Pull;
use super::super::{Options, State, Work, World};
use super::joints::Links;
use super::manifold::Manifold;
use crate::body::{Inertia, MassProperties, Material, Velocity};

/// A turn in one window at most: proofs by planes hold up to a radian.
const LARGEST_TURN: f64 = 0.8;

/// Of a body that passes another, the relative screw departs from the straight way `w` by up to
/// `w a / 8` for a turn `a`: this share of the smaller body at most.
const LARGEST_BOW: f64 = 0.1;

/// Bodies that could meet within a step.
pub(super) struct Group<'w> {
    pub(super) world: &'w World,
    pub(super) options: &'w Options,
    /// Numbers in the world.
    pub(super) members: Vec<usize>,
    pub(super) bodies: Vec<&'w Body>,
    /// Mass and inertia of those that forces move.
    pub(super) masses: Vec<Option<&'w MassProperties>>,
    pub(super) states: Vec<State>,
    pub(super) inertias: Vec<Inertia>,
    /// Boxes that hold all that members do; pairs are all those whose boxes overlap.
    pub(super) boxes: Vec<Bounds>,
    pub(super) pairs: Vec<Pair>,
    /// The members of all of them.
    pub(super) paired: BTreeSet<[usize; 2]>,
    /// Members that were hit on their route.
    pub(super) yielded: Vec<bool>,
    /// Where each pair is near, as far as that is known.
    pub(super) manifolds: Vec<Manifold>,
    /// Where each pair would be after a motion of this window that is proven free, the last one.
    pub(super) proven: Vec<Option<[Pose; 2]>>,
    /// Members on routes that cannot go on in this window.
    pub(super) blocked: Vec<bool>,
    /// The joints of members, if there are any.
    pub(super) links: Option<Links>,
    /// What was done so far.
    pub(super) work: Work,
    /// Seconds since the world began.
    pub(super) clock: f64,
    pub(super) memory: query::Workspace,
}

/// Two members that may meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) bodies: [usize; 2],
    pub(super) material: Material,
    /// The gap that is kept between them, and how far contact springs reach out, if there are any.
    pub(super) kept: f64,
    pub(super) reach: f64,
    /// The size of the smaller one.
    pub(super) size: f64,
}

impl<'w> Group<'w> {
    /// Members and pairs are numbers in the world, and boxes those in which all bodies are
    /// expected.
    pub(super) fn new(
        world: &'w World,
        members: Vec<usize>,
        pairs: &[[usize; 2]],
        boxes: &[Bounds],
    ) -> Self {
        let bodies: Vec<&Body> = members.iter().map(|&i| &world.bodies[i]).collect();
        let states: Vec<State> = bodies.iter().map(|body| body.state).collect();
        let masses: Vec<Option<&MassProperties>> =
            bodies.iter().map(|body| body.mass_properties()).collect();
        let mut group = Self {
            world,
            options: &world.options,
            boxes: members.iter().map(|&i| boxes[i]).collect(),
            inertias: Vec::new(),
            pairs: Vec::new(),
            paired: BTreeSet::new(),
            yielded: vec![false; members.len()],
            blocked: vec![false; members.len()],
            links: None,
            work: Work::default(),
            manifolds: Vec::new(),
            proven: Vec::new(),
            clock: world.time,
            memory: query::Workspace::new(),
            members,
            bodies,
            masses,
            states,
        };
        let local = |body: usize| group.members.binary_search(&body).expect("pairs are of members");
        let pairs = pairs.iter().map(|pair| pair.map(local));
        let pairs = pairs.filter(|pair| pair.iter().any(|&i| group.gives_way(i)));
        group.pairs = pairs.map(|pair| group.pair(pair)).collect();
        group.paired = group.pairs.iter().map(|pair| pair.bodies).collect();
        let known = |pair: &Pair| {
            let pair = pair.bodies.map(|i| group.members[i]);
            world.manifolds.get(&pair).cloned().unwrap_or_default()
        };
        group.manifolds = group.pairs.iter().map(known).collect();
        group.update_inertias();
        group.link();
        group
    }

    /// What is known about a pair of members.
    pub(super) fn pair(&self, bodies: [usize; 2]) -> Pair {
        let [a, b] = bodies.map(|i| self.bodies[i]);
        let material = a.material().with(&b.material());
        let [first, second] = [a.size(), b.size()];
        let size = if first.min(second) > 0.0 { first.min(second) } else { first.max(second) };
        let reach = self.options.springs.map_or(0.0, |springs| springs.reach * size);
        Pair { bodies, material, kept: self.options.kept() * size, reach, size }
    }

    /// Whether a member answers to impulses, or would once it is hit.
    pub(super) fn gives_way(&self, member: usize) -> bool {
        self.masses[member].is_some() || self.yields(member)
    }

    /// Whether a member would become dynamic once it is hit.
    pub(super) fn yields(&self, member: usize) -> bool {
        self.bodies[member].yields() && !self.yielded[member]
    }

    /// How members answer impulses at these states.
    pub(super) fn inertias_at(&self, states: &[State]) -> impl Iterator<Item = Inertia> {
        self.masses.iter().zip(states).map(|(mass, state)| match mass {
            Some(mass) => mass.at(&state.pose),
            None => Inertia::fixed(state.pose.position()),
        })
    }

    pub(super) fn update_inertias(&mut self) {
        self.inertias = self.inertias_at(&self.states).collect();
        self.fit_links();
    }

    /// Makes a member dynamic that was hit on its route: its velocity is from then on that of its
    /// centre of mass.
    pub(super) fn let_yield(&mut self, member: usize) {
        let Kind::Yielding(_, mass) = self.bodies[member].kind() else { return };
        self.yielded[member] = true;
        self.masses[member] = Some(mass);
        let origin = self.inertias[member].centre;
        self.inertias[member] = mass.at(&self.states[member].pose);
        let state = &mut self.states[member];
        let velocity = state.velocity.about(origin, self.inertias[member].centre);
        state.velocity = mass.locks().kept(&velocity);
        self.link();
    }

    /// How fast the surface of a member runs along.
    pub(super) fn belt(&self, member: usize) -> DVec3 {
        self.states[member].pose.vector(self.bodies[member].belt)
    }

    /// The route of a member that goes along one.
    pub(super) fn route(&self, member: usize) -> Option<&'w Route> {
        self.bodies[member].route().filter(|_| !self.yielded[member])
    }

    /// Gravity and load of a member; nothing if forces do not move it.
    pub(super) fn pull(&self, member: usize) -> Pull {
        let pull = |mass| Pull::new(mass, self.options.gravity, self.bodies[member]);
        self.masses[member].map(pull).unwrap_or_default()
    }

    /// The velocity of a member with the forces of a window.
    pub(super) fn pushed(&self, member: usize, h: f64) -> Velocity {
        let pushed =
            self.pull(member).pushed(&self.states[member].velocity, &self.inertias[member], h);
        self.borne(member).map_or(pushed, |borne| pushed.plus(&borne.times(h)))
    }

    /// What sheets that carry a member do to its velocity in a second.
    pub(super) fn borne(&self, member: usize) -> Option<&Velocity> {
        let borne = self.world.borne.get(self.members[member]);
        borne.filter(|borne| **borne != Velocity::ZERO)
    }

    /// A window in which no route comes to another of its poses than at the end, no body turns too
    /// far, and no relative motion departs too far from its screw.
    pub(super) fn longest(&mut self, left: f64) -> f64 {
        if self.pairs.is_empty() {
            return left;
        }
        let until_key = |i: usize| {
            let time = self.states[i].on_route;
            self.route(i).and_then(|route| route.next_key(time)).map(|key| key - time)
        };
        let left = (0..self.states.len()).filter_map(until_key).fold(left, f64::min);
        self.follow_routes(left);
        let velocities: Vec<Velocity> = self.states.iter().map(|state| state.velocity).collect();
        left / self.turns(&velocities, left).ceil().max(1.0)
    }

    /// How many times as far as in one window bodies turn with these velocities, or relative
    /// motions depart from their screws.
    pub(super) fn turns(&self, velocities: &[Velocity], seconds: f64) -> f64 {
        let times = |pair: &Pair| self.turns_of(pair, velocities, seconds);
        self.pairs.iter().map(times).fold(0.0, f64::max)
    }

    /// The same of one pair.
    fn turns_of(&self, pair: &Pair, velocities: &[Velocity], seconds: f64) -> f64 {
        let [a, b] = pair.bodies.map(|i| &velocities[i]);
        let turns = (a.angular.length() + b.angular.length()) * seconds;
        let bow = a.linear.distance(b.linear) * seconds * turns / 8.0;
        // What has no size has no bow that could matter.
        let bows = if pair.size > 0.0 { bow / (LARGEST_BOW * pair.size) } else { 0.0 };
        (turns / LARGEST_TURN).max(bows.sqrt())
    }

    /// Velocities of the members that have a route, for the time that comes.
    pub(super) fn follow_routes(&mut self, h: f64) {
        for i in 0..self.states.len() {
            if let Some(route) = self.route(i) {
                let from = (&self.states[i].pose, self.states[i].on_route);
                let radius = radius_about(self.bodies[i], DVec3::ZERO);
                self.states[i].velocity = match self.blocked[i] {
                    true => Velocity::ZERO,
                    false => route.velocity_from(from, h, radius),
                };
            }
        }
    }
}
