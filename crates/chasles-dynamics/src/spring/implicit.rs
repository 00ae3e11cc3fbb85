//! One implicit step of the velocities of a sheet [Baraff98 §3].
//!
//! ```text
//! (M - h D - h² K) dv = h (f + h K v)      K, D the derivatives of the forces by place, velocity
//! ```
//!
//! A spring of length `l` and rest length `L` along `n` has `-K = k (n nᵀ + (1 - L/l) (1 - n nᵀ))`.
//! The second term is left out where it is negative, in springs that are pressed together: so the
//! matrix is positive, and conjugate gradients end.
//!
//! Contacts take part as [`Tie`]s: a vertex that is stopped after the step, and not in it, would
//! leave its neighbours with velocities that stretch the springs between them.
//!
//! Bodies that a sheet carries take part as [`Rider`]s: the unknowns of the vertices are followed
//! by two vectors for each, the change of its velocity and that of its spin. A tie sees `w . v + s
//! (dv + dw x r)`, where `r` leads from the centre of the body to the contact.

use glam::{DMat3, DVec3};

use super::conjugate_gradients::Gradients;
use super::net::{Fabric, Spring};
use crate::body::{Inertia, Velocity};

/// Contacts that carry loads are held to this share of what gravity makes in the step.
const SLACK: f64 = 1e-3;

/// A sheet at one instant.
pub(super) struct Instant<'s> {
    pub(super) springs: &'s [Spring],
    pub(super) fabric: &'s Fabric,
    pub(super) masses: &'s [f64],
    pub(super) pinned: &'s [bool],
    pub(super) positions: &'s [DVec3],
    pub(super) velocities: &'s [DVec3],
}

/// A body that gives way to a sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rider {
    pub(crate) inertia: Inertia,
    /// What it has at the start, and at the end of the step if the sheet does nothing to it.
    pub(crate) before: Velocity,
    pub(crate) velocity: Velocity,
}

/// Where a contact acts on a rider.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    /// The place of its change of velocity among the unknowns; that of its spin comes next.
    pub(super) node: usize,
    /// 1 if it has the first feature of the contact, else -1.
    pub(super) sign: f64,
    /// From the centre of mass.
    pub(super) arm: DVec3,
}

impl Seat {
    /// The matrix that takes a spin to the velocity of the contact: `w -> w x arm`.
    fn lever(&self) -> DMat3 {
        let DVec3 { x, y, z } = self.arm;
        DMat3::from_cols(DVec3::new(0.0, -z, y), DVec3::new(z, 0.0, -x), DVec3::new(-y, x, 0.0))
    }

    /// What a contact sees of changes of velocity.
    pub(super) fn seen(&self, of: &[DVec3]) -> DVec3 {
        self.sign * (of[self.node] + of[self.node + 1].cross(self.arm))
    }
}

/// What holds a weighted sum of velocities near a goal, with an impulse of `block (goal - sum)`.
#[derive(Clone, Copy)]
pub(super) struct Tie {
    pub(super) vertices: [u32; 4],
    pub(super) weights: [f64; 4],
    pub(super) block: DMat3,
    pub(super) goal: DVec3,
    pub(super) seat: Option<Seat>,
}

impl Tie {
    pub(super) fn sum(&self, of: &[DVec3]) -> DVec3 {
        let own: DVec3 =
            self.vertices.iter().zip(self.weights).map(|(&v, w)| w * of[v as usize]).sum();
        self.seat.map_or(own, |seat| own + seat.seen(of))
    }

    fn add(&self, to: &mut [DVec3], impulse: DVec3) {
        for (&vertex, weight) in self.vertices.iter().zip(self.weights) {
            to[vertex as usize] += weight * impulse;
        }
        if let Some(Seat { node, sign, arm }) = self.seat {
            to[node] += sign * impulse;
            to[node + 1] += sign * arm.cross(impulse);
        }
    }

    /// What it adds to the blocks of the diagonal.
    fn stiffen(&self, diagonal: &mut [DMat3]) {
        for (&vertex, weight) in self.vertices.iter().zip(self.weights) {
            diagonal[vertex as usize] += weight * weight * self.block;
        }
        if let Some(seat) = self.seat {
            let lever = seat.lever();
            diagonal[seat.node] += self.block;
            diagonal[seat.node + 1] += lever.transpose() * self.block * lever;
        }
    }

    /// What it adds beside the diagonal, as blocks of the later row and the earlier column.
    fn couple(&self, blocks: &mut Vec<(u32, u32, DMat3)>) {
        let Self { vertices, weights, block, seat, .. } = *self;
        for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let weight = weights[i] * weights[j];
            if weight != 0.0 {
                blocks.push((vertices[i], vertices[j], weight * block));
            }
        }
        let Some(seat) = seat else { return };
        let (node, turned) = (seat.node as u32, seat.lever().transpose() * block);
        for (vertex, weight) in vertices.into_iter().zip(weights).filter(|(_, w)| *w != 0.0) {
            blocks.push((node, vertex, seat.sign * weight * block));
            blocks.push((node + 1, vertex, seat.sign * weight * turned));
        }
        blocks.push((node + 1, node, turned));
    }
}

impl<'s> Instant<'s> {
    /// The equation of a step of `h` seconds.
    pub(super) fn linearised(&'s self, gravity: DVec3, h: f64) -> Step<'s> {
        let Fabric { damping, drag, .. } = *self.fabric;
        let weigh = |(mass, v): (&f64, &DVec3)| h * *mass * (gravity - drag * *v);
        let mut load: Vec<_> = self.masses.iter().zip(self.velocities).map(weigh).collect();
        let diagonal = self.masses.iter().map(|mass| mass * (1.0 + h * drag));
        let mut diagonal: Vec<_> =
            diagonal.map(|m| DMat3::from_diagonal(DVec3::splat(m))).collect();
        let mut blocks = Vec::with_capacity(self.springs.len());
        for spring in self.springs {
            let [p, q] = spring.ends.map(|v| v as usize);
            let between = self.positions[p] - self.positions[q];
            let length = between.length();
            let along = between.normalize_or_zero();
            let outer = DMat3::from_cols(along * along.x, along * along.y, along * along.z);
            let across = (1.0 - spring.length / length.max(f64::MIN_POSITIVE)).max(0.0);
            let stiff = spring.stiffness * (outer + across * (DMat3::IDENTITY - outer));
            let damped = damping * outer;
            let apart = self.velocities[p] - self.velocities[q];
            let force = spring.stiffness * (length - spring.length) * along + damped * apart;
            let push = h * (force + h * (stiff * apart));
            load[p] -= push;
            load[q] += push;
            let block = h * h * stiff + h * damped;
            diagonal[p] += block;
            diagonal[q] += block;
            blocks.push(block);
        }
        let (start, riders) = (self.velocities.to_vec(), Vec::new());
        let slack = SLACK * h * gravity.length();
        Step { of: self, drag: 1.0 + h * drag, blocks, diagonal, load, start, riders, slack }
    }
}

/// The equation of a step.
pub(super) struct Step<'s> {
    of: &'s Instant<'s>,
    drag: f64,
    /// One for each spring.
    blocks: Vec<DMat3>,
    diagonal: Vec<DMat3>,
    load: Vec<DVec3>,
    /// The velocities at the start, and no change of those of riders.
    start: Vec<DVec3>,
    /// For each rider its mass and its inertia.
    riders: Vec<DMat3>,
    slack: f64,
}

impl Step<'_> {
    /// The rate by which contacts that carry loads may be off, in m/s.
    pub(super) fn slack(&self) -> f64 {
        self.slack
    }

    /// The same with riders, whose unknowns come after those of the vertices.
    pub(super) fn carrying<'r>(mut self, riders: impl Iterator<Item = &'r Rider>) -> Self {
        for Rider { inertia, .. } in riders {
            let mass = DMat3::from_diagonal(inertia.inv_mass.recip());
            self.riders.extend([mass, inertia.inv_inertia.inverse()]);
        }
        self.diagonal.extend(&self.riders);
        let count = self.diagonal.len();
        self.load.resize(count, DVec3::ZERO);
        self.start.resize(count, DVec3::ZERO);
        self
    }

    /// The velocities at the end of the step under ties, which begin from others that are near.
    pub(super) fn velocities(&self, ties: &[Tie], near: &[DVec3]) -> Vec<DVec3> {
        let start = &self.start;
        let mut load = self.load.clone();
        let mut diagonal = self.diagonal.clone();
        for tie in ties {
            tie.add(&mut load, tie.block * (tie.goal - tie.sum(start)));
            tie.stiffen(&mut diagonal);
        }
        let mut guess: Vec<_> = near.iter().zip(start).map(|(near, v)| *near - *v).collect();
        self.hold(&mut guess);
        let done = self.times(ties, &guess);
        let mut left: Vec<_> = load.iter().zip(done).map(|(load, done)| *load - done).collect();
        self.hold(&mut load);
        self.hold(&mut left);
        let more = Gradients::new(&diagonal, &self.beside(ties)).solved(&left, &load);
        let change: Vec<_> = guess.iter().zip(more).map(|(guess, more)| *guess + more).collect();
        let shift = self.imbalance(ties, &load, &change);
        start.iter().zip(change).map(|(v, change)| *v + change + shift).collect()
    }

    /// The velocity that all vertices lack for the momentum that loads and ties give, which what
    /// gradients leave would take; none where pins or riders take any.
    fn imbalance(&self, ties: &[Tie], load: &[DVec3], change: &[DVec3]) -> DVec3 {
        if self.of.pinned.contains(&true) || !self.riders.is_empty() {
            return DVec3::ZERO;
        }
        let done = self.times(ties, change);
        let missing = load.iter().zip(done).map(|(load, done)| *load - done).sum::<DVec3>();
        // Springs do not answer to a motion of all vertices, and ties to obstacles do.
        let mass = self.drag * self.of.masses.iter().sum::<f64>();
        let weight = |tie: &Tie| tie.weights.iter().sum::<f64>().powi(2);
        let held = ties.iter().map(|tie| weight(tie) * tie.block);
        let answer = held.fold(mass * DMat3::IDENTITY, |sum, block| sum + block);
        answer.inverse() * missing
    }

    /// The blocks beside the diagonal, without those of vertices that are held.
    fn beside(&self, ties: &[Tie]) -> Vec<(u32, u32, DMat3)> {
        let Instant { springs, pinned, .. } = *self.of;
        let is_loose = |vertex: u32| pinned.get(vertex as usize) != Some(&true);
        let springs = springs.iter().zip(&self.blocks);
        let mut blocks: Vec<_> =
            springs.map(|(spring, block)| (spring.ends[0], spring.ends[1], -*block)).collect();
        ties.iter().for_each(|tie| tie.couple(&mut blocks));
        blocks.retain(|&(p, q, _)| is_loose(p) && is_loose(q));
        blocks
    }

    /// The product of the matrix with changes of velocity.
    fn times(&self, ties: &[Tie], x: &[DVec3]) -> Vec<DVec3> {
        let Step { of, drag, blocks, riders, .. } = self;
        let mut y: Vec<_> = x.iter().zip(of.masses).map(|(x, m)| *x * (drag * m)).collect();
        y.extend(x[of.masses.len()..].iter().zip(riders).map(|(x, mass)| *mass * *x));
        for (spring, block) in of.springs.iter().zip(blocks) {
            let [p, q] = spring.ends.map(|v| v as usize);
            let push = *block * (x[p] - x[q]);
            y[p] += push;
            y[q] -= push;
        }
        for tie in ties {
            tie.add(&mut y, tie.block * tie.sum(x));
        }
        y
    }

    /// Vertices that are held do not answer.
    fn hold(&self, x: &mut [DVec3]) {
        let held = x.iter_mut().zip(self.of.pinned).filter(|(_, pinned)| **pinned);
        held.for_each(|(x, _)| *x = DVec3::ZERO);
    }
}
