//! Joints, and bodies that answer impulses together [MW88 §3.2.2-3.2.4].
//!
//! Joints ask that certain rates `J v` of the velocities `v` vanish. Impulses `lambda` along the
//! rows change velocities by `M⁻¹ Jᵀ lambda`, so those that make the joints fit solve
//!
//! ```text
//! K lambda = -J v,        K = J M⁻¹ Jᵀ
//! ```
//!
//! `K` has an entry only where two joints share a body. Differs from [MW88 §3.2.2]: velocities are
//! eliminated from the paper's system, which leaves a third of the unknowns and a symmetric matrix
//! that is not negative. It is factored once for given poses, in an order that keeps it sparse;
//! then all questions are triangular: how the linkage answers a push at a point, which velocities
//! fit, how bodies get back to where their joints hold them.
//!
//! The velocities that fit are the nearest to the given ones as kinetic energy measures distance,
//! so [`Linkage::settle`] never adds energy. Restitution belongs to the contact alone: joints
//! transmit a push and give nothing back themselves.
//!
//! Redundant rows (two balls on one pair, a loop of hinges) are found while factoring and get no
//! impulse; what they ask follows from the others.

mod bounded_impulses;
mod coupled_rows;
mod elimination_order;
mod joint;
mod limits;
mod rows;
mod sparse_ldl;
mod stabilization;

use chasles::Pose;
use glam::{DMat3, DVec3};
use thiserror::Error;

pub(crate) use coupled_rows::Bond;
pub use joint::{Anchor, Joint, JointError, Spring};
pub use stabilization::{Gap, displaced};

use crate::body::{Inertia, Velocity};
use crate::impulse::{Loose, Response, trace};
use elimination_order::{Link, Order};
pub(crate) use limits::Acts;
use limits::Stop;
use rows::Row;
use sparse_ldl::{Factor, LEAST_SINE};

/// Why joints and bodies do not fit each other.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum LinkageError {
    /// A joint names a body that is not there.
    #[error("joint {joint} holds body {body}, but there are only {bodies} bodies")]
    UnknownBody {
        /// The number of the joint.
        joint: usize,
        /// The number of the body.
        body: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// Not one pose for each body.
    #[error("there are {poses} poses for {bodies} bodies")]
    Poses {
        /// How many poses there are.
        poses: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// Other joints than those that the linkage was fitted to.
    #[error("these are not the joints that the linkage was fitted to")]
    OtherJoints,
}

/// Solutions are computed this often, each time for what the last one has left: a solution loses
/// digits to the condition of the matrix, and the second pass wins them back.
const PASSES: usize = 2;

/// An inverse effective mass may not be negative, nor promise that no impulse is too large, so
/// rounding of a direction that the joints block is covered by this share of what loose bodies
/// have.
const LEAST_SOFTNESS: f64 = 1e-12;

/// What joints leave of the inverse effective mass of loose bodies is rounding below this share: an
/// impulse for the speed that is left there would be so large that its own rounding moves bodies.
const RIGID: f64 = 1e-9;

/// The sine that drift of joints may give to redundant rows, in units of the drift: a row may meet
/// that of several joints.
const DRIFT_TO_SINE: f64 = 10.0;

/// Rows above this sine are rows of their own, whatever the drift is.
const MOST_SINE: f64 = 1e-2;

/// Bodies with joints between them, where they stand now.
///
/// As a [`Response`], it takes the change of velocity by a push through all joints. A contact
/// should only be solved on velocities that fit, after [`Linkage::settle`]: the speed of approach
/// has else a part that no push can see, and the impulse for it may add energy. Limits do not
/// answer pushes; they hold after the next `settle`.
///
/// It keeps its memory: fitted again to the same joints at other poses, it allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Linkage {
    bodies: Vec<Inertia>,
    order: Order,
    factor: Factor,
    /// In the order of elimination, as are the errors.
    rows: Vec<Row>,
    errors: Vec<f64>,
    stops: Vec<Stop>,
    /// The angles of joints with limits where they were last fitted or measured.
    angles: Vec<Option<f64>>,
}

impl Linkage {
    /// A linkage of these joints; [`Linkage::fit`] to an empty one.
    ///
    /// *Accepts*, *guarantees*, *costs* and *fails* as [`Linkage::fit`].
    pub fn new(joints: &[Joint], bodies: &[Inertia], poses: &[Pose]) -> Result<Self, LinkageError> {
        let mut linkage = Self::default();
        linkage.fit(joints, bodies, poses)?;
        Ok(linkage)
    }

    /// Makes the linkage ready for the bodies where they stand now.
    ///
    /// *Accepts* bodies and their poses under the same numbers; joints may form trees and loops, be
    /// several to a pair, and hold fixed bodies. *Guarantees* that joints between bodies that
    /// nothing moves are left out. *Cost* linear in the joints for chains and trees with a bounded
    /// number of joints at each body; cubic in the joints of one body. The order of elimination is
    /// found again only if other bodies are joined. Fitted again to the same joints, it counts
    /// angles with limits on from where they were, by less than half a turn. *Fails* if a body is
    /// not there; the linkage is then as before.
    pub fn fit(
        &mut self,
        joints: &[Joint],
        bodies: &[Inertia],
        poses: &[Pose],
    ) -> Result<(), LinkageError> {
        check(joints, bodies.len(), poses.len())?;
        self.bodies.clear();
        self.bodies.extend_from_slice(bodies);
        if self.order.update(joints.iter().map(|joint| link(joint, bodies)), bodies.len()) {
            self.factor.analyse(&self.order);
            self.angles.clear();
        }
        self.angles.resize(joints.len(), None);
        self.rows.clear();
        self.errors.clear();
        self.stops.clear();
        for number in self.visited(joints) {
            let joint = &joints[number];
            let frames = joint.frames(joint.bodies.map(|body| &poses[body]));
            self.rows.extend(joint.rows(&frames, bodies));
            self.errors.extend(joint.errors(&frames));
            self.angles[number] = limits::angle(joint, &frames, self.angles[number]);
            self.stops.extend(limits::of(joint, &frames, self.angles[number], bodies));
        }
        let sine = self.least_sine();
        let rows = &self.rows;
        self.factor.compute(&self.order, sine, |row, other| rows[row].coupling(&rows[other]));
        Ok(())
    }

    /// The numbers of the joints that hold something: those with rows in the order of these, then
    /// those that have limits and motors alone.
    fn visited(&self, joints: &[Joint]) -> Vec<usize> {
        let moves = |joint: &Joint| link(joint, &self.bodies).bodies != [None; 2];
        let is_rowless = |number: &usize| joints[*number].size() == 0 && moves(&joints[*number]);
        let rowless = (0..joints.len()).filter(is_rowless);
        self.order.sequence.iter().copied().chain(rowless).collect()
    }

    /// What joints did in a change of velocities that they alone made: the impulse on the second
    /// body of each, and the angular one about its centre.
    pub(crate) fn shares(&self, joints: &[Joint], change: &[Velocity]) -> Vec<Velocity> {
        let mut left = change.to_vec();
        let mut impulses = vec![0.0; self.rows.len()];
        for _ in 0..PASSES {
            let mut more: Vec<f64> = self.rows.iter().map(|row| row.rate(&left)).collect();
            self.factor.solve(&mut more);
            for ((sum, row), more) in impulses.iter_mut().zip(&self.rows).zip(more) {
                *sum += more;
                row.push(&mut left, -more);
            }
        }
        let mut shares = vec![Velocity::ZERO; joints.len()];
        let of_rows = self.order.sequence.iter().flat_map(|&i| vec![i; joints[i].size()]);
        for ((joint, row), impulse) in of_rows.zip(&self.rows).zip(impulses) {
            shares[joint] = shares[joint].plus(&row.on_second(impulse));
        }
        shares
    }

    /// Rows with a lower sine to the others are taken to follow from them.
    ///
    /// Redundant rows of a loop, as those of hinges across one plane, are so only while the joints
    /// are where they should be. Drift turns rows by about its share of the bodies' size, and rows
    /// that it makes independent would block the loop.
    fn least_sine(&self) -> f64 {
        if !self.order.has_loops {
            return LEAST_SINE;
        }
        let arm = self.rows.iter().map(Row::arm).fold(0.0, f64::max);
        let gap = self.gap();
        let drift = gap.angle + if arm > 0.0 { gap.length / arm } else { 0.0 };
        (DRIFT_TO_SINE * drift).clamp(LEAST_SINE, MOST_SINE)
    }

    /// Changes velocities so that all joints fit, limits hold and motors run: what constraint
    /// forces do in this many seconds. Says whether limits or motors had a part in it.
    ///
    /// *Accepts* a velocity for each body and a time of 0 or more. *Guarantees* velocities of
    /// joints that fit to rounding; limits stop what would leave them within the time, and never
    /// pull; a motor spends at most its force times the time. Without motors no energy is added.
    /// Momentum is kept if nothing is fixed. *Cost* a triangular solution, linear for chains; with
    /// `m` limits that are reached and motors, `m` more, and a dense system of that size. *Fails*
    /// never; a row that follows from others is left out, so velocities of fixed bodies that
    /// contradict each other stay so.
    pub fn settle(&self, velocities: &mut [Velocity], seconds: f64) -> bool {
        !self.hold(velocities, |_| 0.0, |_, stop| stop.rates(seconds)).is_empty()
    }

    /// Changes velocities so that all joints fit, as if there were neither limits nor motors.
    pub(crate) fn align(&self, velocities: &mut [Velocity]) {
        self.project(velocities, &|_| 0.0);
    }

    /// The greatest speed, linear or angular, with which a joint comes apart.
    ///
    /// *Accepts* a velocity for each body. *Cost* linear in the joints. *Fails* never.
    pub fn parting(&self, velocities: &[Velocity]) -> f64 {
        self.rows.iter().map(|row| row.rate(velocities).abs()).fold(0.0, f64::max)
    }

    /// How many rows the joints have, and how many of them follow from the others.
    pub fn rank(&self) -> (usize, usize) {
        (self.rows.len(), self.factor.redundant())
    }

    /// How many entries the factor has off its diagonal: what each solution costs.
    pub fn entries(&self) -> usize {
        self.factor.entries()
    }

    /// The velocities of all bodies after a unit impulse along each axis at a point of two of them.
    pub(crate) fn columns(&self, bodies: [usize; 2], point: DVec3) -> [Vec<Velocity>; 3] {
        DVec3::AXES.map(|axis| {
            let mut column = vec![Velocity::ZERO; self.bodies.len()];
            self.push(&mut column, bodies, point, axis);
            column
        })
    }

    /// The inverse effective mass at a point where unit impulses give these velocities.
    ///
    /// As a difference of what loose bodies have and what joints take, from the factors alone, it
    /// would lose the digits that pushes win back in their second pass, and an impulse for a speed
    /// would miss it.
    pub(crate) fn inv_effective_mass_of(
        &self,
        columns: &[Vec<Velocity>; 3],
        bodies: [usize; 2],
        point: DVec3,
    ) -> DMat3 {
        let [x, y, z] = [0, 1, 2].map(|axis: usize| self.approach(&columns[axis], bodies, point));
        let answer = DMat3::from_cols(x, y, z);
        let loose = trace(&Loose(&self.bodies).inv_effective_mass(bodies, point));
        let least = DMat3::from_diagonal(DVec3::splat(LEAST_SOFTNESS * loose));
        0.5 * (answer + answer.transpose()) + least
    }

    /// Moves rates to where they should be by impulses along the rows.
    fn project(&self, velocities: &mut [Velocity], aim: &impl Fn(usize) -> f64) {
        let mut impulses = vec![0.0; self.rows.len()];
        for _ in 0..PASSES {
            for (number, (impulse, row)) in impulses.iter_mut().zip(&self.rows).enumerate() {
                *impulse = aim(number) - row.rate(velocities);
            }
            self.factor.solve(&mut impulses);
            for (row, &impulse) in self.rows.iter().zip(&impulses) {
                row.push(velocities, impulse);
            }
        }
    }
}

fn check(joints: &[Joint], bodies: usize, poses: usize) -> Result<(), LinkageError> {
    if poses != bodies {
        return Err(LinkageError::Poses { poses, bodies });
    }
    for (number, joint) in joints.iter().enumerate() {
        if let Some(&body) = joint.bodies.iter().find(|&&body| body >= bodies) {
            return Err(LinkageError::UnknownBody { joint: number, body, bodies });
        }
    }
    Ok(())
}

fn link(joint: &Joint, bodies: &[Inertia]) -> Link {
    let ends = joint.bodies.map(|body| bodies[body].is_dynamic().then_some(body));
    Link { bodies: ends, size: if ends == [None; 2] { 0 } else { joint.size() } }
}

impl Response for Linkage {
    fn inv_effective_mass(&self, bodies: [usize; 2], point: DVec3) -> DMat3 {
        self.inv_effective_mass_of(&self.columns(bodies, point), bodies, point)
    }

    fn rigid(&self, bodies: [usize; 2], point: DVec3) -> f64 {
        RIGID * trace(&Loose(&self.bodies).inv_effective_mass(bodies, point))
    }

    fn push(&self, velocities: &mut [Velocity], bodies: [usize; 2], point: DVec3, impulse: DVec3) {
        let mut change = vec![Velocity::ZERO; self.bodies.len()];
        Loose(&self.bodies).push(&mut change, bodies, point, impulse);
        // What joints lack already is not mended here: the change alone fits them.
        self.project(&mut change, &|_| 0.0);
        for (velocity, change) in velocities.iter_mut().zip(&change) {
            *velocity = velocity.plus(change);
        }
    }

    fn approach(&self, velocities: &[Velocity], bodies: [usize; 2], point: DVec3) -> DVec3 {
        Loose(&self.bodies).approach(velocities, bodies, point)
    }
}
