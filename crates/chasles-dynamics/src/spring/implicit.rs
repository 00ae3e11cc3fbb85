//! One implicit step of the velocities of a sheet [Baraff98 §3].
//!
//! ```text
//! (M - h D - h² K) dv = h (f + h K v)      K, D the derivatives of the forces by place, velocity
//! ```
//!
//! A spring of length `l` and rest length `L` along `n` has `-K = k (n nᵀ + (1 - L/l) (1 - n nᵀ))`.
//! The second term is left out where it is negative, in springs that are pressed together: so the
//! matrix is positive, and conjugate gradients end.

use glam::{DMat3, DVec3};

use super::net::{Fabric, Spring};

/// Rounds of conjugate gradients at most: enough for the stiffest springs of a hundred vertices in
/// a row; what is left then is a little more damping.
const ROUNDS: usize = 400;

/// The residual at the end as a part of that at the start, squared.
const SMALL: f64 = 1e-18;

/// A sheet at one instant.
pub(super) struct Instant<'s> {
    pub(super) springs: &'s [Spring],
    pub(super) fabric: &'s Fabric,
    pub(super) masses: &'s [f64],
    pub(super) pinned: &'s [bool],
    pub(super) positions: &'s [DVec3],
    pub(super) velocities: &'s [DVec3],
}

impl Instant<'_> {
    /// The velocities after `h` seconds without contacts.
    pub(super) fn after(&self, gravity: DVec3, h: f64) -> Vec<DVec3> {
        let (matrix, load) = self.linearised(gravity, h);
        let change = matrix.solved(load);
        self.velocities.iter().zip(change).map(|(v, dv)| *v + dv).collect()
    }

    fn linearised(&self, gravity: DVec3, h: f64) -> (Matrix<'_>, Vec<DVec3>) {
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
        let inverse = diagonal.iter().map(DMat3::inverse).collect();
        (Matrix { of: self, drag: 1.0 + h * drag, blocks, inverse }, load)
    }
}

struct Matrix<'s> {
    of: &'s Instant<'s>,
    drag: f64,
    /// One for each spring.
    blocks: Vec<DMat3>,
    /// Inverses of the diagonal, which make the rounds few.
    inverse: Vec<DMat3>,
}

impl Matrix<'_> {
    fn times(&self, x: &[DVec3]) -> Vec<DVec3> {
        let mut y: Vec<_> =
            x.iter().zip(self.of.masses).map(|(x, m)| *x * (self.drag * m)).collect();
        for (spring, block) in self.of.springs.iter().zip(&self.blocks) {
            let [p, q] = spring.ends.map(|v| v as usize);
            let push = *block * (x[p] - x[q]);
            y[p] += push;
            y[q] -= push;
        }
        self.hold(&mut y);
        y
    }

    /// Vertices that are held do not answer.
    fn hold(&self, x: &mut [DVec3]) {
        let held = x.iter_mut().zip(self.of.pinned).filter(|(_, pinned)| **pinned);
        held.for_each(|(x, _)| *x = DVec3::ZERO);
    }

    /// Conjugate gradients.
    fn solved(&self, mut left: Vec<DVec3>) -> Vec<DVec3> {
        self.hold(&mut left);
        let mut x = vec![DVec3::ZERO; left.len()];
        let smooth = |r: &[DVec3]| -> Vec<DVec3> {
            r.iter().zip(&self.inverse).map(|(r, inverse)| *inverse * *r).collect()
        };
        let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
        let mut toward = smooth(&left);
        let mut size = dot(&left, &toward);
        let enough = SMALL * size;
        for _ in 0..ROUNDS {
            if size.is_nan() || size <= enough {
                break;
            }
            let image = self.times(&toward);
            let step = size / dot(&toward, &image);
            for (i, (x, left)) in x.iter_mut().zip(&mut left).enumerate() {
                *x += step * toward[i];
                *left -= step * image[i];
            }
            let smoothed = smooth(&left);
            let next = dot(&left, &smoothed);
            toward.iter_mut().zip(smoothed).for_each(|(d, z)| *d = z + *d * (next / size));
            size = next;
        }
        x
    }
}
