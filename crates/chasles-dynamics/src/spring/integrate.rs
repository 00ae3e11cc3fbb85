//! Rigid bodies pressed together by contact springs, in steps as short as the springs ask for.
//!
//! The state of a body is its centre, its turn since the start, its velocity and its angular
//! momentum. Steps are those of `adaptive`: one that reaches the limit of a spring is tried
//! again with a shorter one. Forces come in opposite pairs at one point, and momenta are sums of
//! them, so linear and angular momentum are kept to rounding.
//!
//! *Where it fails*: the normals and points of a spring stay with the bodies. After large turns the
//! surfaces touch elsewhere, and the caller must gather contacts anew.

use chasles::Pose;
use chasles::motion::MotionError;
use glam::{DMat3, DQuat, DVec3};

pub use super::adaptive::Options;
use super::adaptive::{Equations, advanced};
use super::law::Law;
use crate::body::{Inertia, Velocity};

/// Numbers that tell the state of a body: centre, turn, velocity and angular momentum.
const SIZE: usize = 13;

/// The first speed that counts as one, in metres per second: below it the error is not relative.
const LEAST_SPEED: f64 = 1e-3;

/// A spring between two bodies. Points and normal are in the world, where the bodies stand at the
/// start; the first point moves with the first body, the second and the normal with the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// The numbers of the bodies.
    pub bodies: [usize; 2],
    /// The closest points of the bodies.
    pub points: [DVec3; 2],
    /// Unit, from the second body to the first.
    pub normal: DVec3,
    /// The distance of the points along the normal at which the spring begins to push. If it is the
    /// limit of the law, the points never meet.
    pub reach: f64,
    /// How it pushes.
    pub law: Law,
    /// The greatest ratio of tangential to normal force; sliding below the settling speed of the
    /// law meets less, in proportion.
    pub friction: f64,
}

/// Where a body has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// The way of its centre.
    pub shift: DVec3,
    /// Its turn about the centre.
    pub turn: DQuat,
    /// Its velocity now.
    pub velocity: Velocity,
}

impl Moved {
    /// The pose of the body, from the one at the start and its centre there.
    ///
    /// *Accepts* any pose. *Cost* constant. *Fails* if the numbers overflow.
    pub fn pose(&self, start: &Pose, centre: DVec3) -> Result<Pose, MotionError> {
        let position = centre + self.shift + self.turn * (start.position() - centre);
        Pose::new(position, (self.turn * start.rotation()).normalize())
    }
}

/// What came of pressing.
#[derive(Clone, Debug, PartialEq)]
pub struct Pressed {
    /// The bodies, as they were given.
    pub bodies: Vec<Moved>,
    /// How many seconds have passed: less than asked for if the steps ran out.
    pub seconds: f64,
    /// Sub-steps that count.
    pub steps: usize,
    /// Sub-steps that were tried again.
    pub rejected: usize,
}

/// The bodies after some seconds under springs and gravity.
///
/// *Accepts* bodies of any inertia (those that are not dynamic keep their velocity, those without
/// an inverse of their inverse inertia do not turn), springs between any two of them that are not
/// yet pressed to their limit, and a positive time. *Guarantees* that no spring reaches its limit;
/// the same bits for the same input; linear and angular momentum to rounding, but for gravity and
/// bodies that are not dynamic. *Cost* seven evaluations of all springs for each sub-step; stiffer
/// springs and slower settling need shorter ones. *Fails* never; `seconds` says how far the steps
/// went, 0 if a spring is at its limit from the start or the input is not finite.
pub fn press(
    bodies: &[(Inertia, Velocity)],
    springs: &[Press],
    gravity: DVec3,
    seconds: f64,
    options: &Options,
) -> Pressed {
    let system = System::new(bodies, springs, gravity);
    let gone = advanced(&system, system.start(bodies), seconds, options);
    Pressed {
        bodies: (0..bodies.len()).map(|body| system.moved(&gone.state, body)).collect(),
        seconds: gone.seconds,
        steps: gone.steps,
        rejected: gone.rejected,
    }
}

/// One body as the equations see it.
struct Part {
    centre: DVec3,
    inv_mass: DVec3,
    /// At the start; none for what does not answer to torques.
    inertia: Option<[DMat3; 2]>,
    angular: DVec3,
}

struct System<'s> {
    parts: Vec<Part>,
    springs: &'s [Press],
    gravity: DVec3,
    /// The smallest limit of a spring.
    size: f64,
}

impl<'s> System<'s> {
    fn new(bodies: &[(Inertia, Velocity)], springs: &'s [Press], gravity: DVec3) -> Self {
        let part = |(body, velocity): &(Inertia, Velocity)| {
            let inertia = body.inv_inertia.inverse();
            let turns = body.is_dynamic() && inertia.is_finite();
            Part {
                centre: body.centre,
                inv_mass: body.inv_mass,
                inertia: turns.then_some([inertia, body.inv_inertia]),
                angular: velocity.angular,
            }
        };
        let size = springs.iter().map(|spring| spring.law.limit()).fold(1.0, f64::min);
        Self { parts: bodies.iter().map(part).collect(), springs, gravity, size }
    }

    fn start(&self, bodies: &[(Inertia, Velocity)]) -> Vec<f64> {
        let mut state = Vec::with_capacity(SIZE * bodies.len());
        for (part, (_, velocity)) in self.parts.iter().zip(bodies) {
            let momentum = part.inertia.map_or(DVec3::ZERO, |[of, _]| of * velocity.angular);
            state.extend(part.centre.to_array());
            state.extend(DQuat::IDENTITY.to_array());
            state.extend(velocity.linear.to_array());
            state.extend(momentum.to_array());
        }
        state
    }

    fn moved(&self, state: &[f64], body: usize) -> Moved {
        let View { centre, turn, linear, angular } = self.view(state, body);
        let shift = centre - self.parts[body].centre;
        Moved { shift, turn, velocity: Velocity { linear, angular } }
    }

    fn view(&self, state: &[f64], body: usize) -> View {
        let of = &state[SIZE * body..][..SIZE];
        let turn = DQuat::from_slice(&of[3..]);
        let momentum = DVec3::from_slice(&of[10..]);
        let part = &self.parts[body];
        let angular = part
            .inertia
            .map_or(part.angular, |[_, inverse]| turn * (inverse * (turn.conjugate() * momentum)));
        let [centre, linear] = [0, 7].map(|from| DVec3::from_slice(&of[from..]));
        View { centre, turn, linear, angular }
    }

    /// Where a spring pushes, and the force on the first body.
    ///
    /// The normal and the second point move with the second body, so the distance changes as the
    /// two bodies' velocities differ at the first point: force and depth rate belong together, and
    /// what the bodies lose the spring gains.
    fn push(&self, spring: &Press, state: &[f64]) -> (DVec3, DVec3) {
        let [first, second] = spring.bodies.map(|body| self.view(state, body));
        let [a, b] = spring.bodies.map(|body| self.parts[body].centre);
        let point = first.centre + first.turn * (spring.points[0] - a);
        let opposite = second.centre + second.turn * (spring.points[1] - b);
        let normal = second.turn * spring.normal;
        let depth = spring.reach - normal.dot(point - opposite);
        if depth <= 0.0 {
            return (point, DVec3::ZERO);
        }
        let apart = first.at(point) - second.at(point);
        (point, spring.law.push(depth, normal, apart, spring.friction))
    }
}

impl Equations for System<'_> {
    fn change(&self, state: &[f64], rates: &mut [f64]) {
        for (body, part) in self.parts.iter().enumerate() {
            let view = self.view(state, body);
            let spin = DQuat::from_xyzw(view.angular.x, view.angular.y, view.angular.z, 0.0);
            let turning = spin.mul_quat(view.turn) * 0.5;
            let falls = part.inv_mass.cmpgt(DVec3::ZERO);
            let gravity = DVec3::select(falls, self.gravity, DVec3::ZERO);
            let of = &mut rates[SIZE * body..][..SIZE];
            view.linear.write_to_slice(&mut of[0..]);
            turning.write_to_slice(&mut of[3..]);
            gravity.write_to_slice(&mut of[7..]);
            DVec3::ZERO.write_to_slice(&mut of[10..]);
        }
        for spring in self.springs {
            let (point, force) = self.push(spring, state);
            for (body, force) in [(spring.bodies[0], force), (spring.bodies[1], -force)] {
                let part = &self.parts[body];
                let arm = point - DVec3::from_slice(&state[SIZE * body..]);
                let torque = part.inertia.map_or(DVec3::ZERO, |_| arm.cross(force));
                let of = &mut rates[SIZE * body..][7..SIZE];
                for axis in 0..3 {
                    of[axis] += part.inv_mass[axis] * force[axis];
                    of[3 + axis] += torque[axis];
                }
            }
        }
    }

    fn scales(&self, state: &[f64], scales: &mut [f64]) {
        for (body, part) in self.parts.iter().enumerate() {
            let speed = DVec3::from_slice(&state[SIZE * body + 7..]).length();
            let spin = DVec3::from_slice(&state[SIZE * body + 10..]).length();
            let heavy = part.inertia.map_or(1.0, |[of, _]| of.col(0).x + of.col(1).y + of.col(2).z);
            let of = &mut scales[SIZE * body..][..SIZE];
            of[..3].fill(self.size);
            of[3..7].fill(1.0);
            of[7..10].fill(speed + LEAST_SPEED);
            of[10..].fill(spin + LEAST_SPEED * heavy);
        }
    }

    fn unify(&self, state: &mut [f64]) {
        for of in state.chunks_exact_mut(SIZE) {
            DQuat::from_slice(&of[3..]).normalize().write_to_slice(&mut of[3..7]);
        }
    }
}

/// A body in a state.
struct View {
    centre: DVec3,
    turn: DQuat,
    linear: DVec3,
    angular: DVec3,
}

impl View {
    fn at(&self, point: DVec3) -> DVec3 {
        self.linear + self.angular.cross(point - self.centre)
    }
}
