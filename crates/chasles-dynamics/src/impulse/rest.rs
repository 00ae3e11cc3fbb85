//! Resting contact: what keeps bodies apart between impacts.
//!
//! A step first gives the bodies the velocities that forces alone would; this module then finds the
//! impulses of the contacts over the step. A gap above its target may close to the target, and no
//! further: `n.v >= -(gap - target) / dt`. Nothing comes back (restitution 0), and friction is in
//! its cone.
//!
//! Impulses of the last step are a good first guess (warm start): a stack that stands needs a few
//! sweeps to stay.
//!
//! **Energy.** Contacts take energy and never give any. Sweeps with much friction need not come to
//! an end, though (wedged bodies press on each other without bound), nor take all of a wrong guess
//! back in time. So what impulses `p` add to the energy is found, `sum p.(v before + v after) / 2`,
//! with the relative velocities at the contacts: bodies on routes, which may well push others, have
//! no part in it. If that is more than nothing, or impulses are so large that their rounding moves
//! bodies, all is found again without the guess; and if that does not help either, by impulses that
//! are only added to, where each visit stops one contact and takes energy by itself. That ends with
//! contacts that press more than they must and rub less than they could, and always with less
//! energy than before.
//!
//! **Gaps below the target** are not pushed open by velocities, which would stay as energy. They
//! are opened by a displacement of its own ([`part`]), which moves bodies and leaves velocities
//! alone.

use glam::DVec3;

use super::gauss_seidel::{Effort, Row, Solved, State};
use super::{Response, Touch};
use crate::body::Velocity;

/// Impulses whose rounding changes velocities by more than this share of the fastest are too large.
/// A body a million times heavier than the one that carries it stays ten times below.
const BLURRED: f64 = 1e-5;

/// So many contacts are also solved together where that does not cost too much: a tower of a
/// thousand boxes.
pub(crate) const TOGETHER: usize = 4096;

/// How resting contact is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The gap that contacts keep.
    pub target: f64,
    /// The length of the step in seconds.
    pub dt: f64,
    /// How long to look for the impulses.
    pub effort: Effort,
}

impl Options {
    /// What suits a step of this length.
    ///
    /// *Accepts* a gap of 0 or more and a step above 0. *Guarantees* a tolerance of a hundred
    /// millionth of the speed that gravity gives in the step, far below where anything creeps.
    pub fn new(target: f64, dt: f64) -> Self {
        let tolerance = 1e-8 * 9.81 * dt;
        let effort = Effort { sweeps: 40, tolerance, rough: 1e4 * tolerance, together: TOGETHER };
        Self { target, dt, effort }
    }
}

/// Applies the impulses of resting contacts over a step.
///
/// `impulses` holds a first guess for each contact, zero where there is none, and the impulses on
/// the first bodies afterwards.
///
/// *Accepts* velocities with all forces of the step, and as many impulses as contacts. *Guarantees*
/// impulses in their cones that never pull, and no gain of energy whatever the guess, except from
/// bodies that no impulse moves and that move themselves. *Cost* linear in contacts and sweeps;
/// where these do not solve it, also the contacts times the square of how many others each depends
/// on, up to a tenth of a second. *Fails* never; the error tells what is left.
///
/// # Panics
///
/// If there are not as many impulses as contacts.
pub fn hold(
    response: &impl Response,
    velocities: &mut [Velocity],
    touches: &[Touch],
    impulses: &mut [DVec3],
    options: &Options,
) -> Solved {
    assert_eq!(touches.len(), impulses.len(), "each contact has its impulse");
    let least = |touch: &Touch| -((touch.gap - options.target).max(0.0) / options.dt);
    let rows: Vec<_> =
        touches.iter().map(|touch| Row::new(response, touch, least(touch))).collect();
    let before: Vec<_> = touches
        .iter()
        .map(|touch| response.approach(velocities, touch.bodies, touch.point))
        .collect();
    let relaxed = |guess: &[DVec3]| {
        let mut state = State::new(response, velocities, rows.len());
        for (i, row) in rows.iter().enumerate() {
            if let Some(spot) = &row.spot {
                state.set(i, spot, row.within(spot.normal, guess[i]));
            }
        }
        let solved = state.relax(&rows, &options.effort);
        (state, solved)
    };
    let (mut state, mut solved) = relaxed(impulses);
    if is_wild(&state, touches, &before) && impulses.iter().any(|p| *p != DVec3::ZERO) {
        (state, solved) = relaxed(&vec![DVec3::ZERO; rows.len()]);
    }
    if is_wild(&state, touches, &before) {
        state = State::new(response, velocities, rows.len());
        solved = state.stop_in_turn(&rows, &options.effort);
    }
    impulses.copy_from_slice(&state.impulses);
    velocities.copy_from_slice(&state.velocities);
    solved
}

/// Whether impulses add energy to bodies that had these velocities at their contacts, or are too
/// large to tell.
fn is_wild<R: Response>(state: &State<'_, R>, touches: &[Touch], before: &[DVec3]) -> bool {
    let response = state.response;
    let [mut gain, mut blur, mut fastest] = [0.0_f64; 3];
    for ((touch, before), p) in touches.iter().zip(before).zip(&state.impulses) {
        let after = response.approach(&state.velocities, touch.bodies, touch.point);
        gain += 0.5 * p.dot(*before + after);
        blur = blur.max(p.length() * response.rigid(touch.bodies, touch.point));
        fastest = fastest.max(before.length());
    }
    !(gain <= 0.0 && blur <= BLURRED * fastest)
}

/// The displacements that bring gaps below the target up to it, one for each body.
///
/// They are small motions in the form of velocities over a unit of time: `linear` a shift of the
/// centre, `angular` a turn. Gaps above the target are kept from closing below it.
///
/// *Accepts* any contacts; `count` is the number of bodies. *Guarantees* that velocities have no
/// part in it, and gaps at the target to first order, up to the error that is returned (in metres).
/// *Cost* as [`hold`]. *Fails* never; fixed bodies that overlap stay.
pub fn part(
    response: &impl Response,
    count: usize,
    touches: &[Touch],
    target: f64,
    effort: &Effort,
) -> (Vec<Velocity>, Solved) {
    let smooth =
        |touch: &Touch| Row { friction: 0.0, ..Row::new(response, touch, target - touch.gap) };
    let rows: Vec<_> = touches.iter().map(smooth).collect();
    let mut state = State::new(response, &vec![Velocity::ZERO; count], rows.len());
    let solved = state.relax(&rows, effort);
    (state.velocities, solved)
}
