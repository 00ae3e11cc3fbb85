//! Directions of the world in which a body does not move.
//!
//! A locked direction is an ideal guide: it takes whatever force is needed, does no work, and
//! belongs to the world, so momentum along it is not kept and momentum along the others is. With
//! `P` the free axes of the world, velocities `P u` are those that the guides allow, and impulses
//! answer with the inverse of what is left of mass and inertia:
//!
//! ```text
//! linear:   diag(1 / m along free axes, 0 along locked ones)
//! angular:  P (Pᵀ I P)⁻¹ Pᵀ
//! ```
//!
//! The second is not the inverse inertia with rows struck out: a body that turns about one axis
//! only has the whole moment about that axis.

use glam::{DMat3, DVec3};

use crate::body::Velocity;

/// Which shifts along and turns about the axes of the world a body is kept from.
///
/// ```
/// use chasles_dynamics::body::Locks;
/// let drawer = Locks { shifts: [false, true, true], turns: [true; 3] };
/// assert!(drawer.any() && !Locks::NONE.any() && Locks::TURNS.turns == [true; 3]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Locks {
    /// The centre of mass does not move along x, y, z.
    pub shifts: [bool; 3],
    /// The body does not turn about x, y, z.
    pub turns: [bool; 3],
}

impl Locks {
    /// A body that is free to move.
    pub const NONE: Self = Self { shifts: [false; 3], turns: [false; 3] };

    /// A body that does not turn at all.
    pub const TURNS: Self = Self { shifts: [false; 3], turns: [true; 3] };

    /// Whether anything is locked.
    pub fn any(&self) -> bool {
        *self != Self::NONE
    }

    /// Whether all turns are free.
    pub(crate) fn turns_freely(&self) -> bool {
        self.turns == [false; 3]
    }

    /// What is left of a vector that shifts: 0 along locked directions.
    pub(crate) fn shift(&self, vector: DVec3) -> DVec3 {
        left(self.shifts, vector)
    }

    /// What is left of a velocity.
    pub(crate) fn kept(&self, velocity: &Velocity) -> Velocity {
        Velocity {
            linear: self.shift(velocity.linear),
            angular: left(self.turns, velocity.angular),
        }
    }

    /// `P (Pᵀ I P)⁻¹ Pᵀ` of an inertia about the centre, in the world's axes.
    pub(crate) fn inv_inertia(&self, inertia: &DMat3) -> DMat3 {
        let mut inverse = DMat3::ZERO;
        match *self.free_turns() {
            [i] => inverse.col_mut(i)[i] = inertia.col(i)[i].recip(),
            [i, j] => {
                // In units of the larger moment, so that products neither over- nor underflow.
                let unit = inertia.col(i)[i].max(inertia.col(j)[j]);
                let [a, b, c] = [[i, i], [i, j], [j, j]].map(|[p, q]| inertia.col(p)[q] / unit);
                let by = (a * c - b * b) * unit;
                inverse.col_mut(i)[i] = c / by;
                inverse.col_mut(j)[j] = a / by;
                inverse.col_mut(i)[j] = -b / by;
                inverse.col_mut(j)[i] = -b / by;
            }
            [] => {}
            _ => inverse = inertia.inverse(),
        }
        inverse
    }

    /// The numbers of the axes about which the body may turn.
    pub(crate) fn free_turns(&self) -> &'static [usize] {
        match self.turns {
            [false, false, false] => &[0, 1, 2],
            [true, false, false] => &[1, 2],
            [false, true, false] => &[0, 2],
            [false, false, true] => &[0, 1],
            [false, true, true] => &[0],
            [true, false, true] => &[1],
            [true, true, false] => &[2],
            [true, true, true] => &[],
        }
    }
}

fn left(locked: [bool; 3], vector: DVec3) -> DVec3 {
    let [x, y, z] = locked;
    DVec3::new(
        if x { 0.0 } else { vector.x },
        if y { 0.0 } else { vector.y },
        if z { 0.0 } else { vector.z },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn inertia() -> DMat3 {
        let turn = DMat3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7));
        turn * DMat3::from_diagonal(DVec3::new(1.0, 2.0, 2.7)) * turn.transpose()
    }

    fn all() -> impl Iterator<Item = Locks> {
        (0..8).map(|bits| Locks { turns: [0, 1, 2].map(|i| bits >> i & 1 == 1), ..Locks::NONE })
    }

    #[test]
    fn what_locks_leave_of_an_inertia_is_inverted() {
        // I P (Pᵀ I P)⁻¹ Pᵀ has the torque again along free axes.
        let inertia = inertia();
        let torque = DVec3::new(0.3, -1.0, 2.0);
        for locks in all() {
            let turned = locks.inv_inertia(&inertia) * torque;
            assert_eq!(locks.kept(&Velocity { angular: turned, ..Velocity::ZERO }).angular, turned);
            let missing = left(locks.turns, inertia * turned - torque);
            assert!(missing.length() < 1e-14, "{missing} with {locks:?}");
        }
    }

    #[test]
    fn what_is_tiny_is_inverted_as_well() {
        let locks = Locks { turns: [false, true, false], ..Locks::NONE };
        let tiny = locks.inv_inertia(&(inertia() * 1e-250));
        let usual = locks.inv_inertia(&inertia());
        let off = (tiny * 1e-250 - usual).to_cols_array();
        assert!(off.iter().all(|x| x.abs() < 1e-13), "{off:?}");
    }
}
