//! Mass, material and velocity of a body, and how it answers an impulse.
//!
//! Everything that pushes bodies (impacts, resting contact, joints, springs) sees them as
//! [`Inertia`] and [`Velocity`] about the centre of mass, in the world's axes. A body that is not
//! dynamic answers nothing: its inverse mass is zero [MW88 §3.3].
//!
//! ```
//! use chasles::Pose;
//! use chasles::round::Round;
//! use chasles_dynamics::body::MassProperties;
//! use glam::DVec3;
//!
//! let ball = MassProperties::of_round(&Round::sphere(0.5)?, 1000.0)?;
//! let placed = ball.at(&Pose::IDENTITY);
//! // A blow through the centre of mass makes it move without turning.
//! let after = placed.answer(placed.centre, DVec3::X);
//! assert!((after.linear.x * ball.mass() - 1.0).abs() < 1e-12 && after.angular == DVec3::ZERO);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use chasles::Pose;
use chasles::mesh::{Mass, Polyhedron};
use chasles::numeric::Elementary;
use chasles::round::Round;
use glam::{DMat3, DQuat, DVec3};
use thiserror::Error;

pub use crate::lock::Locks;

/// What is wrong with a body.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum BodyError {
    /// The mass or density is not a positive number, or so small that one over it is none.
    #[error("a mass of {0} is no mass: it must be a positive number, of at least 1e-300")]
    Mass(f64),
    /// No distribution of mass has this inertia.
    #[error(
        "no body has the principal moments {0}, {1} and {2}: each must be positive and at most the \
         sum of the other two"
    )]
    Inertia(f64, f64, f64),
    /// The surface encloses nothing.
    #[error(
        "the mesh encloses no volume, so a density gives it no mass: close it, or give its inertia"
    )]
    NoVolume,
    /// The restitution is not in `[0, 1]`.
    #[error("a restitution of {0} is impossible: it must be from 0 to 1")]
    Restitution(f64),
    /// The friction is negative or not a number.
    #[error("a friction of {0} is impossible: it must be 0 or more")]
    Friction(f64),
}

/// What the surface of a body is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Material {
    restitution: f64,
    friction: f64,
}

impl Material {
    /// A material with these coefficients.
    ///
    /// *Accepts* a restitution from 0 (no bounce) to 1 (nothing is lost) and a friction of 0 or
    /// more. *Cost* constant. *Fails* for anything else.
    pub fn new(restitution: f64, friction: f64) -> Result<Self, BodyError> {
        if !(0.0..=1.0).contains(&restitution) {
            return Err(BodyError::Restitution(restitution));
        }
        if !(friction >= 0.0 && friction.is_finite()) {
            return Err(BodyError::Friction(friction));
        }
        Ok(Self { restitution, friction })
    }

    /// The share of the normal speed that a collision gives back.
    pub fn restitution(&self) -> f64 {
        self.restitution
    }

    /// The greatest ratio of a tangential impulse to its normal one.
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// What counts where two materials meet: the lower restitution and the larger friction
    /// [MW88 §3.2.1].
    pub fn with(&self, other: &Self) -> Self {
        Self {
            restitution: self.restitution.min(other.restitution),
            friction: self.friction.max(other.friction),
        }
    }
}

impl Default for Material {
    /// Restitution 0.3 and friction 0.5, between wood and stone.
    fn default() -> Self {
        Self { restitution: 0.3, friction: 0.5 }
    }
}

/// Mass and inertia in the body's own frame, checked once.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MassProperties {
    mass: f64,
    centre: DVec3,
    /// Principal moments, and the axes along which they are.
    moments: DVec3,
    axes: DQuat,
    locks: Locks,
}

/// The older name of [`MassProperties`].
#[deprecated(note = "it is `MassProperties`")]
pub type Solidity = MassProperties;

impl MassProperties {
    /// The mass of a mesh of constant density.
    ///
    /// *Accepts* meshes with closed parts and a density above 0. *Guarantees* exact integrals up to
    /// rounding. *Cost* linear in the faces. *Fails* if nothing is enclosed.
    pub fn of_mesh(mesh: &Polyhedron, density: f64) -> Result<Self, BodyError> {
        if !(density > 0.0 && density.is_finite()) {
            return Err(BodyError::Mass(density));
        }
        Self::new(&mesh.mass(density).ok_or(BodyError::NoVolume)?)
    }

    /// The mass of a sphere, a capsule, a cylinder, a cone or an ellipsoid of constant density.
    ///
    /// *Accepts* any round body and a density above 0. *Guarantees* and *Cost* as [`Round::mass`].
    /// *Fails* for other densities, and sizes whose mass is no number.
    pub fn of_round(round: &Round, density: f64) -> Result<Self, BodyError> {
        if !(density > 0.0 && density.is_finite()) {
            return Err(BodyError::Mass(density));
        }
        Self::new(&round.mass(density))
    }

    /// From a mass, its centre and the inertia about the centre, in the body's frame.
    ///
    /// *Accepts* a positive mass and an inertia whose principal moments are positive and satisfy
    /// the triangle inequality (to rounding). *Cost* constant. *Fails* for anything else.
    pub fn new(mass: &Mass) -> Result<Self, BodyError> {
        let &Mass { mass, centre, inertia } = mass;
        if !(is_mass(mass) && centre.is_finite()) {
            return Err(BodyError::Mass(mass));
        }
        let (moments, axes) = principal(inertia);
        let [x, y, z] = moments.to_array();
        let largest = moments.max_element();
        // Integrals of needles and plates are on the border, to a few roundings.
        let is_body = largest <= 0.5 * (x + y + z) * (1.0 + 1e-9);
        if !(moments.min_element() >= LEAST && largest.is_finite() && is_body) {
            return Err(BodyError::Inertia(x, y, z));
        }
        Ok(Self { mass, centre, moments, axes, locks: Locks::NONE })
    }

    /// The same shape with another total mass.
    ///
    /// *Accepts* a positive mass. *Guarantees* the inertia in proportion. *Cost* constant. *Fails*
    /// for anything else.
    pub fn with_mass(&self, mass: f64) -> Result<Self, BodyError> {
        if !is_mass(mass) {
            return Err(BodyError::Mass(mass));
        }
        Ok(Self { mass, moments: self.moments * (mass / self.mass), ..*self })
    }

    /// The same body, kept from moving in some directions of the world.
    ///
    /// *Accepts* any locks. *Guarantees* that impulses and forces move the body in free directions
    /// only, as if guides without friction held it; mass, centre and moments are those without
    /// locks. *Cost* constant. *Fails* never.
    #[must_use]
    pub fn locked(self, locks: Locks) -> Self {
        Self { locks, ..self }
    }

    /// The directions in which it does not move.
    pub fn locks(&self) -> Locks {
        self.locks
    }

    /// The mass.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The centre of mass in the body's frame.
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// The principal moments of inertia about the centre.
    pub fn moments(&self) -> DVec3 {
        self.moments
    }

    /// The rotation that takes the principal axes to the body's frame.
    pub fn axes(&self) -> DQuat {
        self.axes
    }

    /// How a body of this mass answers impulses where it stands.
    pub fn at(&self, pose: &Pose) -> Inertia {
        let turn = DMat3::from_quat(pose.rotation() * self.axes);
        let around = |moments: DVec3| turn * DMat3::from_diagonal(moments) * turn.transpose();
        let inv_inertia = match self.locks.turns_freely() {
            true => around(self.moments.recip()),
            false => self.locks.inv_inertia(&around(self.moments)),
        };
        let inv_mass = self.locks.shift(DVec3::splat(1.0 / self.mass));
        Inertia { centre: pose.point(self.centre), inv_mass, inv_inertia }
    }
}

/// Masses and moments below this have no inverse that is a number.
const LEAST: f64 = 1e-300;

fn is_mass(mass: f64) -> bool {
    mass >= LEAST && mass.is_finite()
}

/// The principal moments of a symmetric matrix and the rotation from principal to given axes, by
/// Jacobi's rotations.
fn principal(inertia: DMat3) -> (DVec3, DQuat) {
    let mut matrix = 0.5 * (inertia + inertia.transpose());
    let mut axes = DMat3::IDENTITY;
    // Convergence is quadratic; four sweeps reach rounding, and eight cost nothing.
    for _ in 0..8 {
        for [p, q] in [[0, 1], [0, 2], [1, 2]] {
            let off = matrix.col(q)[p];
            if off == 0.0 {
                continue;
            }
            let half = 0.5 * (matrix.col(q)[q] - matrix.col(p)[p]) / off;
            let tangent = half.signum() / (half.abs() + half.hypotenuse(1.0));
            let cosine = 1.0 / tangent.hypotenuse(1.0);
            let sine = tangent * cosine;
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cosine;
            turn.col_mut(q)[q] = cosine;
            turn.col_mut(q)[p] = sine;
            turn.col_mut(p)[q] = -sine;
            matrix = turn.transpose() * matrix * turn;
            axes *= turn;
        }
    }
    let moments = DVec3::new(matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z);
    (moments, DQuat::from_mat3(&axes).normalize())
}

/// How a body answers impulses where it stands now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// The centre of mass.
    pub centre: DVec3,
    /// One over the mass along each axis; 0 along locked ones, and for a body that nothing moves.
    pub inv_mass: DVec3,
    /// The inverse of the inertia about the centre, of what [`Locks`] leave of it; 0 for a body
    /// that nothing turns.
    pub inv_inertia: DMat3,
}

impl Inertia {
    /// A body that nothing moves, turning about this point.
    pub fn fixed(centre: DVec3) -> Self {
        Self { centre, inv_mass: DVec3::ZERO, inv_inertia: DMat3::ZERO }
    }

    /// Whether impulses move it.
    pub fn is_dynamic(&self) -> bool {
        self.inv_mass != DVec3::ZERO || self.inv_inertia != DMat3::ZERO
    }

    /// The change of velocity by an impulse at a point.
    pub fn answer(&self, point: DVec3, impulse: DVec3) -> Velocity {
        let arm = point - self.centre;
        Velocity { linear: self.inv_mass * impulse, angular: self.inv_inertia * arm.cross(impulse) }
    }

    /// Linear momentum, and angular momentum about the centre, along free directions; a body that
    /// nothing moves has none.
    pub fn momentum(&self, velocity: &Velocity) -> [DVec3; 2] {
        let [x, y, z] = [0, 1, 2].map(|i| self.inv_mass[i] == 0.0);
        let [u, v, w] = [0, 1, 2].map(|i| self.inv_inertia.col(i)[i] == 0.0);
        let locks = Locks { shifts: [x, y, z], turns: [u, v, w] };
        let Velocity { linear, angular } = locks.kept(velocity);
        // What is locked has no speed left, and any mass does.
        let mass = self.inv_mass.recip().min(DVec3::MAX);
        [linear * mass, locks.inv_inertia(&self.inv_inertia) * angular]
    }

    /// The change of the velocity of a point by an impulse there, as a matrix.
    pub fn inv_effective_mass(&self, point: DVec3) -> DMat3 {
        let arm = cross_matrix(point - self.centre);
        DMat3::from_diagonal(self.inv_mass) - arm * self.inv_inertia * arm
    }

    /// The older name of [`Inertia::inv_effective_mass`].
    #[deprecated(note = "it is `inv_effective_mass`")]
    pub fn softness(&self, point: DVec3) -> DMat3 {
        self.inv_effective_mass(point)
    }
}

/// The matrix of `v x`.
fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}

/// How fast a body moves: the velocity of its centre of mass, and its angular velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Velocity {
    /// Of the centre of mass.
    pub linear: DVec3,
    /// About any point.
    pub angular: DVec3,
}

impl Velocity {
    /// At rest.
    pub const ZERO: Self = Self { linear: DVec3::ZERO, angular: DVec3::ZERO };

    /// The velocity of a point of a body with its centre here.
    pub fn at(&self, centre: DVec3, point: DVec3) -> DVec3 {
        self.linear + self.angular.cross(point - centre)
    }

    /// The same motion of a body with its centre here, for one with its centre there.
    #[must_use]
    pub fn about(&self, centre: DVec3, other: DVec3) -> Self {
        Self { linear: self.at(centre, other), ..*self }
    }

    /// Two velocities of the same body together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self { linear: self.linear + other.linear, angular: self.angular + other.angular }
    }

    /// The change from another velocity to this one.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        Self { linear: self.linear - other.linear, angular: self.angular - other.angular }
    }

    /// A multiple.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        Self { linear: factor * self.linear, angular: factor * self.angular }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chasles::mesh::shapes::{Cuboid, Shape};

    #[test]
    fn principal_moments_of_a_turned_box_are_those_of_the_box() {
        let brick = Shape::Box(Cuboid { size: [1.0, 2.0, 3.0] }).build().expect("a box");
        let mass = brick.mass(2.0).expect("a volume");
        let turn = DMat3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7));
        let turned = Mass { inertia: turn * mass.inertia * turn.transpose(), ..mass };
        let mass_properties = MassProperties::new(&turned).expect("a body");
        let mut moments = mass_properties.moments().to_array();
        moments.sort_by(f64::total_cmp);
        for (found, expected) in moments.into_iter().zip([5.0, 10.0, 13.0]) {
            assert!((found - expected).abs() < 1e-12, "{found} for {expected}");
        }
        let axes = DMat3::from_quat(mass_properties.axes());
        let back = axes * DMat3::from_diagonal(mass_properties.moments()) * axes.transpose();
        assert!((back - turned.inertia).abs_diff_eq(DMat3::ZERO, 1e-12));
    }

    #[test]
    fn impossible_bodies_are_refused() {
        let mass = |mass: f64, x: f64, y: f64, z: f64| {
            let inertia = DMat3::from_diagonal(DVec3::new(x, y, z));
            MassProperties::new(&Mass { mass, centre: DVec3::ZERO, inertia })
        };
        assert!(mass(1.0, 1.0, 1.0, 1.9).is_ok());
        assert_eq!(mass(0.0, 1.0, 1.0, 1.0), Err(BodyError::Mass(0.0)));
        assert_eq!(mass(1e-310, 1.0, 1.0, 1.0), Err(BodyError::Mass(1e-310)));
        assert!(matches!(mass(f64::NAN, 1.0, 1.0, 1.0), Err(BodyError::Mass(_))));
        assert!(matches!(mass(1.0, 1.0, 1.0, 2.1), Err(BodyError::Inertia(..))));
        assert!(matches!(mass(1.0, -1.0, 1.0, 1.0), Err(BodyError::Inertia(..))));
        assert!(matches!(mass(1.0, f64::NAN, 1.0, 1.0), Err(BodyError::Inertia(..))));
    }

    #[test]
    fn softness_is_the_answer_at_the_point() {
        let inv_inertia = DMat3::from_diagonal(DVec3::new(0.3, 0.7, 1.1));
        let inv_mass = DVec3::new(0.5, 0.0, 0.5);
        let body = Inertia { centre: DVec3::new(1.0, 2.0, 3.0), inv_mass, inv_inertia };
        let [point, impulse] = [DVec3::new(0.2, -0.4, 2.0), DVec3::new(1.0, -2.0, 0.5)];
        let moved = body.answer(point, impulse).at(body.centre, point);
        assert!((body.inv_effective_mass(point) * impulse - moved).length() < 1e-14);
    }
}
