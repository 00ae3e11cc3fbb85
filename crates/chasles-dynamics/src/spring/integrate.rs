//! Rigid bodies pressed together by contact springs, in steps as short as the springs ask for.
//!
//! The state of a body is its centre, its turn since the start, its velocity and its angular
//! momentum. One step is the pair of orders 5 and 4 of [Hairer93 §II.5]: the difference of both is
//! the error, and a step whose error is above the tolerance, or that reaches the limit of
//! a spring, is tried again with a shorter one. Forces come in opposite pairs at one point, and
//! momenta are sums of them, so linear and angular momentum are kept to rounding.
//!
//! *Where it fails*: the normals and points of a spring stay with the bodies. After large turns the
//! surfaces touch elsewhere, and the caller must gather contacts anew.

use chasles::Pose;
use chasles::motion::MotionError;
use glam::{DMat3, DQuat, DVec3};

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

/// Accuracy and effort.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The error of one sub-step at most: of positions as a part of the smallest limit of a spring,
    /// of velocities and momenta as a part of themselves.
    pub tolerance: f64,
    /// Sub-steps at most, also those that are tried again.
    pub max_steps: usize,
}

impl Default for Options {
    /// A restitution to four digits and more; the steps suffice for most contacts that come to rest
    /// within a tenth of a second.
    fn default() -> Self {
        Self { tolerance: 1e-9, max_steps: 200_000 }
    }
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
/// an inverse inertia do not turn), springs between any two of them that are not yet pressed to
/// their limit, and a positive time. *Guarantees* that no spring reaches its limit; the same bits
/// for the same input; linear and angular momentum to rounding, but for gravity and bodies that are
/// not dynamic. *Cost* seven evaluations of all springs for each sub-step; stiffer springs and
/// slower settling need shorter ones. *Fails* never; `seconds` says how far the steps went, 0 if
/// a spring is at its limit from the start or the input is not finite.
pub fn press(
    bodies: &[(Inertia, Velocity)],
    springs: &[Press],
    gravity: DVec3,
    seconds: f64,
    options: &Options,
) -> Pressed {
    let system = System::new(bodies, springs, gravity);
    let mut stages = vec![vec![0.0; SIZE * bodies.len()]; 7];
    let mut state = system.start(bodies);
    system.change(&state, &mut stages[0]);
    let mut trial = state.clone();
    let mut pressed = Pressed { bodies: Vec::new(), seconds: 0.0, steps: 0, rejected: 0 };
    let mut h = 1e-3 * seconds;
    let is_possible = stages[0].iter().chain(&state).all(|x| x.is_finite());
    while is_possible
        && pressed.seconds < seconds
        && pressed.steps + pressed.rejected < options.max_steps
    {
        let is_last = pressed.seconds + h >= seconds;
        let step = if is_last { seconds - pressed.seconds } else { h };
        system.advance(&state, step, &mut stages, &mut trial);
        let error = system.error(&state, step, &stages) / options.tolerance;
        let is_good = error <= 1.0;
        if is_good {
            std::mem::swap(&mut state, &mut trial);
            system.unify(&mut state);
            // The last stage stands at the new state, but for the length of the turns.
            stages.swap(0, 6);
            pressed.seconds = if is_last { seconds } else { pressed.seconds + step };
            pressed.steps += 1;
        } else {
            pressed.rejected += 1;
        }
        // Order 5, and no change of more than five: the springs begin and end at once.
        let factor = if error.is_finite() { 0.9 * error.max(1e-10).powf(-0.2) } else { 0.2 };
        h = step * factor.clamp(0.2, 5.0);
    }
    pressed.bodies = (0..bodies.len()).map(|body| system.moved(&state, body)).collect();
    pressed
}

/// One body as the equations see it.
struct Part {
    centre: DVec3,
    inv_mass: f64,
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

    /// How fast the state changes.
    fn change(&self, state: &[f64], rates: &mut [f64]) {
        for (body, part) in self.parts.iter().enumerate() {
            let view = self.view(state, body);
            let spin = DQuat::from_xyzw(view.angular.x, view.angular.y, view.angular.z, 0.0);
            let turning = spin.mul_quat(view.turn) * 0.5;
            let gravity = if part.inv_mass > 0.0 { self.gravity } else { DVec3::ZERO };
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
                    of[axis] += part.inv_mass * force[axis];
                    of[3 + axis] += torque[axis];
                }
            }
        }
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
        let push = spring.law.force(depth, -normal.dot(apart));
        let along = apart - normal * normal.dot(apart);
        let drag = spring.friction * push / along.length().max(spring.law.slow());
        (point, push * normal - drag * along)
    }

    /// All stages of a step but the first, and the state at its end.
    fn advance(&self, state: &[f64], h: f64, stages: &mut [Vec<f64>], trial: &mut [f64]) {
        for (done, row) in STAGES.iter().enumerate() {
            trial.copy_from_slice(state);
            for (weight, stage) in row.iter().zip(&*stages) {
                trial.iter_mut().zip(stage).for_each(|(x, rate)| *x += h * weight * rate);
            }
            self.change(trial, &mut stages[done + 1]);
        }
    }

    /// The error of a step as a multiple of what the state is measured by; infinite or not
    /// a number if a spring came to its limit.
    fn error(&self, state: &[f64], h: f64, stages: &[Vec<f64>]) -> f64 {
        let mut worst = 0.0_f64;
        for (body, part) in self.parts.iter().enumerate() {
            let speed = DVec3::from_slice(&state[SIZE * body + 7..]).length();
            let spin = DVec3::from_slice(&state[SIZE * body + 10..]).length();
            let heavy = part.inertia.map_or(1.0, |[of, _]| of.col(0).x + of.col(1).y + of.col(2).z);
            for i in 0..SIZE {
                let scale = match i {
                    0..3 => self.size,
                    3..7 => 1.0,
                    7..10 => speed + LEAST_SPEED,
                    _ => spin + LEAST_SPEED * heavy,
                };
                let error: f64 =
                    ERROR.iter().zip(stages).map(|(weight, k)| weight * k[SIZE * body + i]).sum();
                let error = h * error.abs() / scale;
                if !error.is_finite() {
                    return f64::INFINITY;
                }
                worst = worst.max(error);
            }
        }
        worst
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

/// The stages of the method of Dormand and Prince; the last is its result of order 5.
const STAGES: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// What the result of order 5 has more than that of order 4.
const ERROR: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339_200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];
