//! Resting contact: what keeps bodies apart between impacts.
//!
//! A step first gives the bodies the velocities that forces alone would; this module then finds the
//! impulses of the contacts over the step. A gap above its target may close to the target, and no
//! further: `n.v >= -(gap - target) / dt`. Nothing comes back (restitution 0), and friction is in
//! its cone.
//!
//! Impulses of the last step are a good first guess (warm start): a stack that stands needs a few
//! sweeps to stay. A guess from another state of affairs does no harm: sweeps take back what is too
//! much.
//!
//! **Gaps below the target** are not pushed open by velocities, which would stay as energy. They
//! are opened by a displacement of its own ([`part`]), which moves bodies and leaves velocities
//! alone.

use glam::DVec3;

use super::relax::{Effort, Row, Solved, State};
use super::{Response, Touch};
use crate::body::Velocity;

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
        let effort = Effort { sweeps: 40, tolerance: 1e-8 * 9.81 * dt, direct: 64 };
        Self { target, dt, effort }
    }
}

/// Applies the impulses of resting contacts over a step.
///
/// `impulses` holds a first guess for each contact, zero where there is none, and the impulses on
/// the first bodies afterwards.
///
/// *Accepts* velocities with all forces of the step, and as many impulses as contacts. *Guarantees*
/// impulses in their cones that never pull. *Cost* linear in contacts and sweeps. *Fails* never; the
/// error tells what the sweeps left.
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
    let mut state = State::new(response, velocities, rows.len());
    for (i, row) in rows.iter().enumerate() {
        if let Some(spot) = &row.spot {
            state.set(i, spot, row.within(spot.normal, impulses[i]));
        }
    }
    let solved = state.relax(&rows, &options.effort);
    impulses.copy_from_slice(&state.impulses);
    velocities.copy_from_slice(&state.velocities);
    solved
}

/// The displacements that bring gaps below the target up to it, one for each body.
///
/// They are small motions in the form of velocities over a unit of time: `linear` a shift of the
/// centre, `angular` a turn. Gaps above the target are kept from closing below it.
///
/// *Accepts* any contacts; `count` is the number of bodies. *Guarantees* that velocities have no
/// part in it, and gaps at the target to first order, up to the error that is returned (in metres).
/// *Cost* linear in contacts and sweeps. *Fails* never; fixed bodies that overlap stay.
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
