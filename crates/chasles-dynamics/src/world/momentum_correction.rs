//! Displacements without a loss of angular momentum, of bodies that hang together and that nothing
//! else holds.
//!
//! To move bodies apart leaves their velocities alone, but not the moments `x × m v`; nor, where a
//! body is turned, the momentum of its spin. Such a group gets the rotation, as if it were rigid,
//! that makes up for it. Seen from each other its bodies move as before, so contacts stay as they
//! are solved.
//!
//! A rotation may add energy. The velocities are then taken apart into those of a rigid body that
//! has all the momentum, and the rest, which has none; both have their energy by themselves. The
//! rest is made slower, until the energy is what it was.
//!
//! Bodies that something fixed carries have no momentum to keep. What lifts them is paid for by
//! their motion.

use glam::{DMat3, DVec3};

use super::State;
use super::body::top;
use super::broad::groups;
use super::free_linkage::{Group, Hold, kinetic_energy};
use super::island::Island;
use crate::body::{MassProperties, Velocity};
use crate::linkage::{Joint, displaced};

/// A motion is made faster or slower by this share at most in a part: enough for what the rule of a
/// swing loses, and no more than that where velocities are rounding.
const LITTLE: f64 = 0.1;

/// A group of bodies as a whole.
struct Whole {
    mass: f64,
    linear: DVec3,
    /// Angular momentum and inertia about a centre.
    angular: DVec3,
    inertia: DMat3,
    /// Kinetic.
    energy: f64,
}

impl Whole {
    /// Of bodies with their states.
    fn of<'s>(members: impl Iterator<Item = (&'s MassProperties, State)>, centre: DVec3) -> Self {
        let [linear, angular] = [DVec3::ZERO; 2];
        let mut sum = Self { mass: 0.0, linear, angular, inertia: DMat3::ZERO, energy: 0.0 };
        for (mass_properties, state) in members {
            let mass = mass_properties.mass();
            let offset = state.pose.point(mass_properties.centre()) - centre;
            let (own, linear) = (top(mass_properties, &state), mass * state.velocity.linear);
            let axes = DMat3::from_quat(own.attitude);
            let spread = DMat3::from_cols(offset * offset.x, offset * offset.y, offset * offset.z);
            let far = DMat3::from_diagonal(DVec3::splat(offset.length_squared())) - spread;
            sum.mass += mass;
            sum.linear += linear;
            sum.angular += offset.cross(linear) + own.momentum;
            sum.inertia += axes * DMat3::from_diagonal(own.moments) * axes.transpose() + mass * far;
            sum.energy += 0.5 * linear.dot(state.velocity.linear) + own.energy();
        }
        sum
    }

    /// The velocity of a rigid body with this momentum, at its centre.
    fn rigid(&self) -> Velocity {
        let inverse = self.inertia.inverse();
        Velocity { linear: self.linear / self.mass, angular: inverse * self.angular }
    }
}

impl Island<'_> {
    /// Gives back to members what angular momentum these displacements have taken from them.
    pub(super) fn regain(&self, states: &mut [State], apart: &[Velocity]) {
        let is_still = |i: usize| self.mass_properties(i).is_none() || self.is_locked(i);
        let is_moved = |i: usize| is_still(i) || apart[i] != Velocity::ZERO;
        let touching = self.touches.iter().map(|touch| touch.bodies);
        let joined = self.joints.iter().map(Joint::bodies);
        let links = touching.chain(joined).filter(|pair| pair.iter().all(|&i| is_moved(i)));
        for group in groups(states.len(), links).into_iter().filter(|group| group.len() > 1) {
            if !group.iter().any(|&i| is_still(i)) {
                self.regain_in(&group, states, apart);
            } else if !group.iter().any(|&i| self.body(i).route().is_some()) {
                self.pay_for_lift(&group, states, apart);
            }
        }
    }

    /// Takes the work of displacements against gravity from the motion of members that something
    /// fixed carries, as far as they move.
    fn pay_for_lift(&self, group: &[usize], states: &mut [State], apart: &[Velocity]) {
        let weight = |i: usize| self.mass_properties(i).map(|s| -s.mass() * self.options.gravity);
        let work = |&i: &usize| weight(i).map(|weight| weight.dot(apart[i].linear));
        let lifted: f64 = group.iter().filter_map(work).sum();
        if lifted > 0.0 {
            let now = self.whole(group, |i| states[i], self.middle(group, states)).energy;
            self.rescale(group, states, ((now - lifted).max(0.0), 1.0), true);
        }
    }

    fn regain_in(&self, group: &[usize], states: &mut [State], apart: &[Velocity]) {
        let centre = self.middle(group, states);
        let undone = |i: usize, state: &State| {
            let middle =
                self.mass_properties(i).map_or(DVec3::ZERO, |s| state.pose.point(s.centre()));
            State { pose: displaced(&state.pose, middle, &apart[i].times(-1.0)), ..*state }
        };
        let before = self.whole(group, |i| undone(i, &states[i]), centre);
        let after = self.whole(group, |i| states[i], centre);
        let lost = before.angular - after.angular;
        let turn = Whole { angular: lost, linear: DVec3::ZERO, ..after }.rigid();
        self.adapt(group, states, |velocity, offset| velocity.plus(&field(&turn, offset)), centre);
        self.rescale(group, states, (before.energy, 1.0), false);
    }

    /// Gives members this kinetic energy as far as scaling velocities does that, by up to a factor;
    /// what they do as a rigid whole, and with it their momentum, stays unless something holds
    /// them.
    pub(super) fn rescale(
        &self,
        group: &[usize],
        states: &mut [State],
        (energy, most): (f64, f64),
        is_anchored: bool,
    ) {
        let centre = self.middle(group, states);
        let now = self.whole(group, |i| states[i], centre);
        let rigid = if is_anchored { Velocity::ZERO } else { now.rigid() };
        let least = 0.5 * (rigid.linear.dot(now.linear) + rigid.angular.dot(now.angular));
        let rest = now.energy - least;
        let share = ((energy - least).max(0.0) / rest).sqrt().min(most);
        if share == 1.0 || share.is_nan() {
            return;
        }
        let scaled = |velocity: &Velocity, offset: DVec3| {
            let carried = field(&rigid, offset);
            carried.plus(&velocity.minus(&carried).times(share))
        };
        self.adapt(group, states, scaled, centre);
    }

    /// What the centres of a group do besides the motion that has its momentum.
    pub(super) fn centre_ways(&self, group: &Group, states: &[State], along: &mut [Velocity]) {
        let (kept, centre) = match group.hold {
            Hold::Nothing => self.rigid(&group.members, |i| states[i]),
            Hold::Point(point) => (self.orbit(&group.members, states, point), point),
            Hold::Other => Default::default(),
        };
        for &i in &group.members {
            if let Some(mass_properties) = self.mass_properties(i) {
                let offset = states[i].pose.point(mass_properties.centre()) - centre;
                let linear = states[i].velocity.linear - field(&kept, offset).linear;
                along[i] = Velocity { linear, ..Velocity::ZERO };
            }
        }
    }

    /// The motion of members as a rigid whole, and its centre.
    fn rigid(&self, group: &[usize], state: impl Fn(usize) -> State) -> (Velocity, DVec3) {
        let states: Vec<State> = (0..self.states.len()).map(&state).collect();
        let centre = self.middle(group, &states);
        (self.whole(group, state, centre).rigid(), centre)
    }

    /// How centres go round the vertical through a point: weight has no torque about that.
    fn orbit(&self, group: &[usize], states: &[State], point: DVec3) -> Velocity {
        let down = self.options.gravity.normalize_or_zero();
        let [mut momentum, mut inertia] = [0.0; 2];
        for &i in group {
            if let Some(mass_properties) = self.mass_properties(i) {
                let round = down.cross(states[i].pose.point(mass_properties.centre()) - point);
                momentum += mass_properties.mass() * round.dot(states[i].velocity.linear);
                inertia += mass_properties.mass() * round.length_squared();
            }
        }
        let rate = if inertia > 0.0 { momentum / inertia } else { 0.0 };
        Velocity { linear: DVec3::ZERO, angular: down * rate }
    }

    /// Gives a group this kinetic energy by more of a motion that fits its joints, as far as a
    /// little of it does that. What momentum it keeps stays.
    pub(super) fn quicken(
        &self,
        group: &Group,
        states: &mut [State],
        along: &[Velocity],
        energy: f64,
    ) {
        let members = &group.members;
        let (whole, centre) = match group.hold {
            Hold::Nothing => self.rigid(members, |i| State { velocity: along[i], ..states[i] }),
            Hold::Point(_) | Hold::Other => Default::default(),
        };
        let [mut now, mut slope, mut bend] = [0.0; 3];
        let mut ways = Vec::with_capacity(members.len());
        for &i in members {
            let Some(mass_properties) = self.mass_properties(i) else { continue };
            let offset = states[i].pose.point(mass_properties.centre()) - centre;
            let way = along[i].minus(&field(&whole, offset));
            let [own, other] =
                [states[i].velocity, way].map(|velocity| State { velocity, ..states[i] });
            now += kinetic_energy(mass_properties, &own);
            slope += mass_properties.mass() * own.velocity.linear.dot(way.linear)
                + top(mass_properties, &own).momentum.dot(way.angular);
            bend += 2.0 * kinetic_energy(mass_properties, &other);
            ways.push((i, way));
        }
        let missing = energy - now;
        let root = (slope * slope + 2.0 * bend * missing).max(0.0).sqrt();
        let share = (2.0 * missing / (slope + root)).clamp(-LITTLE, LITTLE);
        if share.is_finite() && slope > 0.0 {
            for (i, way) in ways {
                states[i].velocity = states[i].velocity.plus(&way.times(share));
            }
        }
    }

    /// The centre of mass of members.
    fn middle(&self, group: &[usize], states: &[State]) -> DVec3 {
        let mut sum = (0.0, DVec3::ZERO);
        for &i in group {
            if let Some(mass_properties) = self.mass_properties(i) {
                let centre = states[i].pose.point(mass_properties.centre());
                sum = (sum.0 + mass_properties.mass(), sum.1 + mass_properties.mass() * centre);
            }
        }
        sum.1 / sum.0
    }

    fn whole(&self, group: &[usize], state: impl Fn(usize) -> State, centre: DVec3) -> Whole {
        Whole::of(group.iter().filter_map(|&i| Some((self.mass_properties(i)?, state(i)))), centre)
    }

    /// Changes the velocities of members by what they are and where.
    fn adapt(
        &self,
        group: &[usize],
        states: &mut [State],
        change: impl Fn(&Velocity, DVec3) -> Velocity,
        centre: DVec3,
    ) {
        for &i in group {
            if let Some(mass_properties) = self.mass_properties(i) {
                let offset = states[i].pose.point(mass_properties.centre()) - centre;
                states[i].velocity = change(&states[i].velocity, offset);
            }
        }
    }
}

/// The velocity of a part of a rigid body, off its centre.
fn field(rigid: &Velocity, offset: DVec3) -> Velocity {
    Velocity { linear: rigid.linear + rigid.angular.cross(offset), angular: rigid.angular }
}
