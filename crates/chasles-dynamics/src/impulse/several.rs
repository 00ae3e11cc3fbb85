//! Several contacts that collide at the same time, as one problem.
//!
//! As equations, several contacts pull bodies together; they are a complementarity problem: normal
//! impulses push or are zero, no contact approaches afterwards, and only those that would are
//! pushed. All contacts of a short time are best handled together: a box that lands flat and one
//! that lands a little tilted then respond alike [Buss04 §3].
//!
//! **Coming together.** The problem is solved with restitution 0 and friction. Every contact has
//! `p.v <= 0` with its impulse and its velocity afterwards (the normal speed is 0 or the impulse
//! is, and friction opposes what slides), and the energy changes by
//!
//! ```text
//! dE = sum p.(v before + v after) / 2 = sum p.(v after) - (energy of the change) <= 0
//! ```
//!
//! With much friction there may be no solution, or none that sweeps find: bodies wedged in others.
//! What then still approaches is stopped without friction, where each visit lowers the energy by
//! itself and the sweeps converge; and where energy was gained, or impulses that cancel each other
//! are so large that their rounding moves bodies, all is solved without. What little sweeps that
//! have not come to their end gain even then is cut off by making all impulses smaller alike.
//!
//! **Going apart.** More normal impulses bring each contact that approached to at least its
//! restitution times that speed (Newton), and leave no other approaching: the same problem without
//! friction. A contact that slides through the bounce has friction on the whole impulse, as alone:
//! its cone is `1 + e` times as wide while coming together, if its share of the return is as large
//! as that; else all is done again with the plain cone.
//!
//! **Energy.** Between the impulses before and after the return, all are in their cones and leave
//! no approach, since both are convex. Along this line the energy is a parabola that starts at or
//! below the energy before the collision; the return is cut where it comes back up to it. That is
//! never so for one contact, and rarely for several. Where bodies cannot part as fast as all their
//! contacts ask (one that is clasped by another), there is no return.

use glam::DVec3;

use super::contact_law::across;
use super::gauss_seidel::{Effort, Row, Solved, State, worst};
use super::rest::TOGETHER;
use super::{Response, Touch, pair};
use crate::body::Velocity;

/// An approach after the return of more than this share of the one before shows that there is no
/// return: well above what sweeps leave, well below what bodies that cannot part leave.
const IMPOSSIBLE: f64 = 1e-3;

/// Impulses whose rounding changes velocities by more than this share of the fastest approach are
/// too large: wedged bodies press on each other without bound.
const BLURRED: f64 = 1e-5;

/// The rounding of velocities to which so many impulses are added one after the other, as a share
/// of them.
const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// How several contacts are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The most visits to every contact, for each of the two parts.
    pub sweeps: usize,
    /// The error at which to stop, as a share of the fastest approach.
    pub tolerance: f64,
    /// The most contacts that are also solved together, at a cost of their number times the square
    /// of how many others each depends on.
    pub together: usize,
}

impl Default for Options {
    /// Ten digits, four more than the eye or a certified motion needs.
    fn default() -> Self {
        Self { sweeps: 200, tolerance: 1e-10, together: TOGETHER }
    }
}

/// What a collision did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Several {
    /// The impulse on the first body of each contact.
    pub impulses: Vec<DVec3>,
    /// How well the contacts are solved.
    pub solved: Solved,
    /// The share of the restitution that the energy allowed.
    pub returned: f64,
}

/// Applies the impulses of contacts that collide together.
///
/// *Accepts* any contacts; those that do not approach may be among them, and keep others from
/// pushing through. *Guarantees* impulses in their cones that never pull, momentum up to rounding,
/// no gain of energy, and no approach afterwards beyond the error that is returned. *Cost* linear
/// in contacts and sweeps; where these do not solve it, also the contacts times the square of how
/// many others each depends on, up to a tenth of a second. *Fails* never; the error tells what is
/// left.
pub fn collide_all(
    response: &impl Response,
    velocities: &mut [Velocity],
    touches: &[Touch],
    options: &Options,
) -> Several {
    if let [touch] = touches {
        let impulses = vec![pair::collide(response, velocities, touch)];
        return Several { impulses, solved: Solved::default(), returned: 1.0 };
    }
    let problem = Problem::new(response, velocities, touches, options);
    let found = problem.answer(velocities);
    for (touch, &impulse) in touches.iter().zip(&found.impulses) {
        response.push(velocities, touch.bodies, touch.point, impulse);
    }
    found
}

/// Contacts with what is asked of them.
struct Problem<'r, R> {
    response: &'r R,
    touches: &'r [Touch],
    effort: Effort,
    /// The velocities at the contacts.
    before: Vec<DVec3>,
    /// The fastest approach.
    fastest: f64,
}

impl<'r, R: Response> Problem<'r, R> {
    fn new(
        response: &'r R,
        velocities: &[Velocity],
        touches: &'r [Touch],
        options: &Options,
    ) -> Self {
        let at = |touch: &Touch| response.approach(velocities, touch.bodies, touch.point);
        let before: Vec<_> = touches.iter().map(at).collect();
        let approach = |(touch, v): (&Touch, &DVec3)| -touch.normal.dot(*v);
        let fastest = touches.iter().zip(&before).map(approach).fold(0.0, f64::max);
        let &Options { sweeps, tolerance, together } = options;
        let tolerance = tolerance * fastest;
        let effort = Effort { sweeps, tolerance, rough: 1e4 * tolerance, together };
        Self { response, touches, effort, before, fastest }
    }

    fn answer(&self, velocities: &[Velocity]) -> Several {
        let wide = |touch: &Touch| (touch.friction * (1.0 + touch.restitution)).min(f64::MAX);
        let plain = |touch: &Touch| touch.friction;
        let found = self.attempt(velocities, wide);
        let is_held = |found: &Several| {
            let within = |(touch, p): (&Touch, &DVec3)| {
                let pushed = touch.normal.dot(*p);
                let share = (1.0 + 1e-12) * touch.friction * pushed;
                across(touch.normal, *p).length() <= share
            };
            self.touches.iter().zip(&found.impulses).all(within)
        };
        if is_held(&found) { found } else { self.attempt(velocities, plain) }
    }

    /// Both parts, with these coefficients of friction while coming together.
    fn attempt(&self, velocities: &[Velocity], friction: impl Fn(&Touch) -> f64) -> Several {
        let mut rows = self.rows(friction);
        let (mut state, mut solved) = self.stopped(velocities, &rows);
        if solved.error > self.effort.tolerance && !self.is_wild(&state) {
            solved = self.smoothed(&mut state, &mut rows);
        }
        if self.is_wild(&state) {
            rows.iter_mut().for_each(|row| row.friction = 0.0);
            (state, solved) = self.stopped(velocities, &rows);
            if solved.error > self.effort.tolerance {
                solved = self.smoothed(&mut state, &mut rows);
            }
            self.calm(&mut state, velocities);
        }
        let stopped = state.impulses.clone();
        let between = self.at_all(&state);
        let (more, after, returning) = self.returned(state, &mut rows);
        if self.approach(&after) > IMPOSSIBLE * self.fastest || self.is_blurred(&more) {
            return Several { impulses: stopped, solved, returned: 0.0 };
        }
        let share = self.share(&stopped, &between, &more, &after);
        let impulses = stopped.iter().zip(&more).map(|(p, more)| *p + share * *more).collect();
        Several { impulses, solved: solved.with(returning), returned: share }
    }

    fn rows(&self, friction: impl Fn(&Touch) -> f64) -> Vec<Row> {
        let row = |touch: &Touch| {
            let friction = friction(touch);
            Row { friction, ..Row::new(self.response, touch, 0.0) }
        };
        self.touches.iter().map(row).collect()
    }

    fn stopped(&self, velocities: &[Velocity], rows: &[Row]) -> (State<'r, R>, Solved) {
        let mut state = State::new(self.response, velocities, rows.len());
        let solved = state.relax(rows, &self.effort);
        (state, solved)
    }

    /// Whether impulses add energy, or are too large to tell.
    fn is_wild(&self, state: &State<'r, R>) -> bool {
        let gain = worst([self.gain(&state.impulses, &self.at_all(state))].into_iter());
        gain > 0.0 || self.is_blurred(&state.impulses)
    }

    /// Whether the rounding of impulses moves bodies.
    fn is_blurred(&self, impulses: &[DVec3]) -> bool {
        let blur = |(touch, p): (&Touch, &DVec3)| {
            p.length() * self.response.rigid(touch.bodies, touch.point)
        };
        worst(self.touches.iter().zip(impulses).map(blur)) > BLURRED * self.fastest
    }

    /// Makes impulses that add energy smaller, all alike, until they take as much as they can.
    fn calm(&self, state: &mut State<'r, R>, before: &[Velocity]) {
        let after = self.at_all(state);
        if self.gain(&state.impulses, &after) <= 0.0 {
            return;
        }
        let product = |of: &[DVec3]| state.impulses.iter().zip(of).map(|(p, v)| p.dot(*v)).sum();
        let [start, end]: [f64; 2] = [product(&self.before), product(&after)];
        let share = if start < 0.0 { -start / (end - start) } else { 0.0 };
        state.impulses.iter_mut().for_each(|p| *p *= share);
        for (velocity, before) in state.velocities.iter_mut().zip(before) {
            *velocity = before.plus(&velocity.minus(before).times(share));
        }
    }

    /// Stops what the sweeps with friction left approaching, without friction.
    fn smoothed(&self, state: &mut State<'r, R>, rows: &mut [Row]) -> Solved {
        rows.iter_mut().for_each(|row| row.friction = 0.0);
        let rubbed = std::mem::replace(&mut state.impulses, vec![DVec3::ZERO; rows.len()]);
        let solved = state.relax(rows, &self.effort);
        state.impulses.iter_mut().zip(rubbed).for_each(|(p, rubbed)| *p += rubbed);
        solved
    }

    /// The normal impulses of going apart, the velocities then, and how well that is solved.
    fn returned(
        &self,
        mut state: State<'r, R>,
        rows: &mut [Row],
    ) -> (Vec<DVec3>, Vec<DVec3>, Solved) {
        for (i, row) in rows.iter_mut().enumerate() {
            let approach = -self.touches[i].normal.dot(self.before[i]);
            row.friction = 0.0;
            if approach > 0.0 {
                row.least = self.touches[i].restitution * approach;
            }
        }
        state.impulses.fill(DVec3::ZERO);
        let solved = state.relax(rows, &self.effort);
        let after = self.at_all(&state);
        (state.impulses, after, solved)
    }

    fn at_all(&self, state: &State<'r, R>) -> Vec<DVec3> {
        let at =
            |touch: &Touch| self.response.approach(&state.velocities, touch.bodies, touch.point);
        self.touches.iter().map(at).collect()
    }

    /// The fastest approach with these velocities at the contacts.
    fn approach(&self, velocities: &[DVec3]) -> f64 {
        let approach = |(touch, v): (&Touch, &DVec3)| -touch.normal.dot(*v);
        self.touches.iter().zip(velocities).map(approach).fold(0.0, f64::max)
    }

    /// The energy that impulses add from the velocities before to those after.
    fn gain(&self, impulses: &[DVec3], after: &[DVec3]) -> f64 {
        let work = |((p, before), after): ((&DVec3, &DVec3), &DVec3)| 0.5 * p.dot(*before + *after);
        impulses.iter().zip(&self.before).zip(after).map(work).sum()
    }

    /// The largest share of the return that leaves no more energy than before.
    fn share(&self, stopped: &[DVec3], between: &[DVec3], more: &[DVec3], after: &[DVec3]) -> f64 {
        let product = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum();
        // Impulses that nearly cancel have more rounding than the energy that they leave.
        let sizes = |a: &[DVec3], b: &[DVec3]| -> f64 {
            a.iter().zip(b).map(|(a, b)| a.length() * b.length()).sum()
        };
        let rounding = ROUNDINGS * (sizes(stopped, &self.before) + sizes(more, after));
        let lost = (self.gain(stopped, between) + rounding).min(0.0);
        let slope: f64 = product(more, between);
        let curve = 0.5 * (product(more, after) - slope);
        if lost + slope + curve <= 0.0 {
            return 1.0;
        }
        // The positive root; written so that nothing cancels for either sign of the slope.
        let root = (slope * slope - 4.0 * curve * lost).max(0.0).sqrt();
        let share =
            if slope > 0.0 { -2.0 * lost / (slope + root) } else { (root - slope) / (2.0 * curve) };
        share.clamp(0.0, 1.0)
    }
}
