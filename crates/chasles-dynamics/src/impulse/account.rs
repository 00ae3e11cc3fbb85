//! Energy and momentum of bodies, to check the laws and to report them.

use glam::DVec3;

use crate::body::{Inertia, Velocity};

/// What isolated bodies keep, and what they may lose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Account {
    /// Kinetic energy.
    pub energy: f64,
    /// Linear momentum.
    pub linear: DVec3,
    /// Angular momentum about the origin of the world.
    pub angular: DVec3,
}

impl Account {
    /// The sums over the dynamic bodies among these.
    ///
    /// *Accepts* as many velocities as bodies. *Guarantees* sums in the order of the bodies. *Cost*
    /// linear. *Fails* never; bodies that nothing moves count as nothing.
    pub fn of(bodies: &[Inertia], velocities: &[Velocity]) -> Self {
        let dynamic = bodies.iter().zip(velocities).filter(|(body, _)| body.is_dynamic());
        dynamic.fold(Self::default(), |sum, (body, velocity)| sum.plus(&Self::one(body, velocity)))
    }

    fn one(body: &Inertia, velocity: &Velocity) -> Self {
        let [linear, spin] = body.momentum(velocity);
        Self {
            energy: 0.5 * (linear.dot(velocity.linear) + spin.dot(velocity.angular)),
            linear,
            angular: spin + body.centre.cross(linear),
        }
    }

    fn plus(&self, other: &Self) -> Self {
        Self {
            energy: self.energy + other.energy,
            linear: self.linear + other.linear,
            angular: self.angular + other.angular,
        }
    }
}
