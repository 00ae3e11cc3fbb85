//! Where bodies would go in a part of a step, if nothing were in their way that does not touch them
//! yet.
//!
//! A body that nothing touches falls along its parabola and spins freely: `v1 = v0 + h a`, and the
//! way is that of the mean velocity, so both are exact for a constant force. The way of a body
//! that others hold is that of its new velocity instead, since the mean of two velocities of which
//! only the second respects a contact does not.

use chasles::Pose;
use chasles::numeric::rotation_by;
use glam::{DQuat, DVec3};

use super::State;
use super::body::{Body, top};
use super::broad::radius_about;
use super::damping::{Damping, Fading};
use super::free_linkage::Swung;
use super::island::Island;
use super::load::Load;
use crate::body::{Inertia, MassProperties, Velocity};
use crate::spin::{Guided, Top};

/// What moves a body besides contacts and joints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pull {
    pub(super) acceleration: DVec3,
    pub(super) torque: DVec3,
    pub(super) damping: Damping,
}

impl Pull {
    /// Gravity, and the load and damping of a body.
    pub(super) fn new(mass_properties: &MassProperties, gravity: DVec3, body: &Body) -> Self {
        let Load { force, torque } = body.load;
        let acceleration = mass_properties.locks().shift(gravity + force / mass_properties.mass());
        Self { acceleration, torque, damping: body.damping }
    }

    /// What it makes of the velocity of a body in a time.
    pub(super) fn pushed(&self, velocity: &Velocity, inertia: &Inertia, h: f64) -> Velocity {
        let Self { acceleration, torque, damping } = *self;
        let push = Velocity { linear: acceleration, angular: inertia.inv_inertia * torque };
        if damping == Damping::NONE {
            return velocity.plus(&push.times(h));
        }
        let [linear, angular] = [damping.linear, damping.angular].map(|rate| Fading::new(rate, h));
        Velocity {
            linear: linear.left * velocity.linear + linear.pace * push.linear,
            angular: angular.left * velocity.angular + angular.pace * push.angular,
        }
    }
}

/// A try at the next part of the step.
pub(super) struct Trial {
    pub(super) states: Vec<State>,
    pub(super) impulses: Vec<DVec3>,
    /// Pairs of members that press on each other.
    pub(super) presses: Vec<[usize; 2]>,
    pub(super) h: f64,
    /// By how much a touch breaks its law at most, in m/s.
    pub(super) error: f64,
    /// Whether a linkage swings too fast for a part as long as this.
    pub(super) is_rough: bool,
    /// Members of linkages that are left where they are.
    pub(super) halts: Vec<usize>,
}

/// What touches and joints make of the velocities that forces give members in a time. How members
/// are moved apart besides has no part in it.
pub(super) struct Held {
    pub(super) h: f64,
    /// What forces alone make of velocities.
    pub(super) pushed: Vec<Velocity>,
    pub(super) velocities: Vec<Velocity>,
    /// Those of the touches.
    pub(super) impulses: Vec<DVec3>,
    /// By how much a touch breaks its law at most, in m/s.
    pub(super) error: f64,
}

impl Island<'_> {
    /// Where members would be after a time, with the touches at hand; what is held is found anew
    /// only if it is not known for this time.
    pub(super) fn trial(&self, h: f64, apart: &[Velocity], known: &mut Option<Held>) -> Trial {
        let is_apart = apart.iter().all(|by| *by == Velocity::ZERO);
        let swings = is_apart && !self.joints.is_empty() && !self.is_blocked_open(h);
        let swung = swings.then(|| self.swing(h)).flatten();
        if let Some(Swung { states, is_calm, halts }) =
            swung.filter(|swung| self.is_open(&swung.states, h))
        {
            let impulses = vec![DVec3::ZERO; self.touches.len()];
            return Trial {
                states,
                impulses,
                presses: Vec::new(),
                h,
                error: 0.0,
                is_rough: !is_calm,
                halts,
            };
        }
        let found = match known.take() {
            Some(held) if held.h == h => held,
            other => self.held(h, other),
        };
        let Held { pushed, velocities: held, impulses, error, .. } = known.insert(found);
        let states = (0..held.len()).map(|i| {
            let is_held = held[i] != pushed[i] || apart[i] != Velocity::ZERO;
            match self.mass_properties(i) {
                Some(mass_properties) if is_held => {
                    let state = State { velocity: held[i], ..self.states[i] };
                    carry(mass_properties, &state, &apart[i], h)
                }
                _ => self.free(i, h),
            }
        });
        let mut states: Vec<State> = states.collect();
        if !is_apart {
            self.regain(&mut states, apart);
        }
        let mut is_rough = false;
        let mut halts = Vec::new();
        if !self.joints.is_empty() {
            is_rough = self.close_joints(&mut states, h);
            halts = self.pay_for_joints(&mut states, h);
        }
        let both = self.touches.iter().zip(&*impulses);
        let pressed = both.filter(|(_, impulse)| **impulse != DVec3::ZERO);
        let presses = pressed.map(|(touch, _)| touch.bodies).collect();
        let error = *error;
        Trial { states, impulses: impulses.clone(), presses, h, error, is_rough, halts }
    }

    /// The velocity of a member with the forces of a time.
    pub(super) fn pushed(&self, member: usize, h: f64) -> Velocity {
        self.pull(member).pushed(&self.states[member].velocity, &self.inertias[member], h)
    }

    /// Gravity, load and damping of a member; nothing if forces do not move it. Linkages are damped
    /// after each part.
    pub(super) fn pull(&self, member: usize) -> Pull {
        let pull =
            |mass_properties| Pull::new(mass_properties, self.options.gravity, self.body(member));
        let mut pull = self.mass_properties(member).map(pull).unwrap_or_default();
        if !self.joints.is_empty() {
            pull.damping = Damping::NONE;
        }
        pull
    }

    /// A member after a time without contact.
    pub(super) fn free(&self, member: usize, h: f64) -> State {
        let state = &self.states[member];
        match (self.mass_properties(member), self.body(member).route()) {
            (Some(mass_properties), _) => fall(mass_properties, state, &self.pull(member), h),
            (None, Some(route)) => {
                let on_route = route.rounded(state.on_route + h);
                let pose = match self.halted[member] {
                    true => state.pose,
                    false => route.pose_from(
                        (&state.pose, state.on_route),
                        h,
                        radius_about(self.body(member), DVec3::ZERO),
                    ),
                };
                State { pose, on_route, ..*state }
            }
            (None, _) => *state,
        }
    }
}

/// A dynamic body after a time without contact.
pub(super) fn fall(mass_properties: &MassProperties, state: &State, pull: &Pull, h: f64) -> State {
    let Pull { acceleration, torque, damping } = *pull;
    let before = state.velocity.linear;
    let (linear, way) = if damping.linear == 0.0 {
        let linear = before + acceleration * h;
        (linear, 0.5 * h * (before + linear))
    } else {
        let Fading { left, pace, reach } = Fading::new(damping.linear, h);
        (left * before + pace * acceleration, pace * before + reach * acceleration)
    };
    let spin = Spin { besides: DQuat::IDENTITY, torque, fading: Fading::new(damping.angular, h) };
    moved(mass_properties, state, (linear, way), spin, h)
}

/// A dynamic body that has these velocities throughout, and is moved a little besides.
pub(super) fn carry(
    mass_properties: &MassProperties,
    state: &State,
    apart: &Velocity,
    h: f64,
) -> State {
    let linear = state.velocity.linear;
    let besides = rotation_by(apart.angular);
    let spin = Spin { besides, torque: DVec3::ZERO, fading: Fading::new(0.0, h) };
    moved(mass_properties, state, (linear, linear * h + apart.linear), spin, h)
}

/// What happens to the rotation of a body besides free spin.
struct Spin {
    besides: DQuat,
    torque: DVec3,
    fading: Fading,
}

/// A body that spins under a torque while its centre goes this way, and is turned besides: half of
/// the torque's impulse comes before the spin and half after it.
fn moved(
    mass_properties: &MassProperties,
    state: &State,
    (linear, way): (DVec3, DVec3),
    Spin { besides, torque, fading }: Spin,
    h: f64,
) -> State {
    let (attitude, angular) = turned(mass_properties, state, (torque, &fading), h);
    let rotation = besides * attitude * mass_properties.axes().conjugate();
    let centre = state.pose.point(mass_properties.centre()) + way;
    let pose = placed(centre, rotation, mass_properties).unwrap_or(state.pose);
    State { pose, velocity: Velocity { linear, angular }, ..*state }
}

/// The attitude of the principal axes, and the angular velocity, after a spin under a torque that
/// fades. What is locked turns for the time in which it would have gone as far without fading.
fn turned(
    mass_properties: &MassProperties,
    state: &State,
    (torque, fading): (DVec3, &Fading),
    h: f64,
) -> (DQuat, DVec3) {
    let mut top = top(mass_properties, state);
    if !mass_properties.locks().turns_freely() {
        let Top { attitude, moments, .. } = top;
        let (angular, locks) = (state.velocity.angular, mass_properties.locks());
        let end = Guided { attitude, angular, moments, locks }.after(torque, fading.pace);
        return (end.attitude, fading.left * end.angular);
    }
    top.momentum += 0.5 * h * torque;
    top = top.after(fading.pace);
    top.momentum = fading.left * top.momentum + 0.5 * h * torque;
    (top.attitude, top.angular_velocity())
}

/// The pose with this centre of mass; none if there is no such pose.
fn placed(centre: DVec3, rotation: DQuat, mass_properties: &MassProperties) -> Option<Pose> {
    let rotation = rotation.normalize();
    Pose::new(centre - rotation * mass_properties.centre(), rotation).ok()
}
