//! What collisions do to velocities [MW88 §3.2].
//!
//! Bodies are [`Inertia`]s and [`Velocity`]s, numbered as the caller has them; a [`Touch`] is a
//! point where two of them meet. Who answers to an impulse is a question of its own
//! ([`Response`]): loose bodies answer alone, linked ones with their whole linkage.
//!
//! - [`pair`]: one contact, in closed form;
//! - [`several`]: contacts that collide at the same time, as one problem;
//! - [`spread`]: how an impact runs through bodies that touch;
//! - [`rest`]: what keeps bodies apart between impacts;
//! - [`account`]: energy and momentum.
//!
//! ```
//! use chasles::Pose;
//! use chasles::round::Round;
//! use chasles_dynamics::body::{MassProperties, Velocity};
//! use chasles_dynamics::impulse::{Loose, Touch, pair};
//! use glam::DVec3;
//!
//! // Two equal balls, one of which stands: it takes over the speed of the other.
//! let ball = MassProperties::of_round(&Round::sphere(0.5)?, 1000.0)?;
//! let bodies = [0.0, 1.0].map(|x| Pose::from_position([x, 0.0, 0.0]));
//! let [a, b] = bodies;
//! let bodies = [ball.at(&a?), ball.at(&b?)];
//! let mut velocities = [Velocity { linear: DVec3::X, ..Velocity::ZERO }, Velocity::ZERO];
//! let touch = Touch {
//!     bodies: [0, 1],
//!     point: DVec3::new(0.5, 0.0, 0.0),
//!     normal: -DVec3::X,
//!     gap: 0.0,
//!     restitution: 1.0,
//!     friction: 0.0,
//! };
//! pair::collide(&Loose(&bodies), &mut velocities, &touch);
//! assert!(velocities[0].linear.length() < 1e-12 && (velocities[1].linear.x - 1.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod account;
pub(crate) mod cuthill_mckee;
mod gauss_seidel;
mod interior_point;
pub mod pair;
mod pivoting;
pub mod rest;
pub mod several;
mod skyline;
mod sparse_lu;

pub(crate) mod block_cholesky;
mod contact_law;
pub mod spread;

use glam::{DMat3, DVec3};

use crate::body::{Inertia, Velocity};
pub use gauss_seidel::{Effort, Solved};

/// A point where two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The numbers of the bodies.
    pub bodies: [usize; 2],
    /// Where.
    pub point: DVec3,
    /// Unit, from the second body to the first: the way an impulse on the first may point.
    pub normal: DVec3,
    /// The distance that is left between the surfaces.
    pub gap: f64,
    /// The share of the normal speed that comes back, in `[0, 1]`.
    pub restitution: f64,
    /// The greatest ratio of tangential to normal impulse: finite, not negative.
    pub friction: f64,
}

/// How bodies answer impulses at points.
pub trait Response {
    /// The change of the relative velocity (first minus second) at a point of two bodies by an
    /// impulse on the first, and the opposite one on the second, there. Symmetric, not negative.
    fn inv_effective_mass(&self, bodies: [usize; 2], point: DVec3) -> DMat3;

    /// An inverse effective mass along a direction there that is no more than this is rounding:
    /// nothing gives way.
    fn rigid(&self, bodies: [usize; 2], point: DVec3) -> f64;

    /// Changes the velocities of all that answer to an impulse on the first body, and the opposite
    /// one on the second, at a point.
    fn push(&self, velocities: &mut [Velocity], bodies: [usize; 2], point: DVec3, impulse: DVec3);

    /// The relative velocity of two bodies (first minus second) at a point.
    fn approach(&self, velocities: &[Velocity], bodies: [usize; 2], point: DVec3) -> DVec3;

    /// Whether a push on two bodies may move another one; true where that is not known.
    fn may_move(&self, pushed: [usize; 2], body: usize) -> bool {
        let _ = (pushed, body);
        true
    }
}

/// The share of the whole inverse effective mass of loose bodies that is rounding.
const RIGID: f64 = 1e-12;

/// Bodies that are not linked to each other.
#[derive(Clone, Copy, Debug)]
pub struct Loose<'b>(pub &'b [Inertia]);

impl Response for Loose<'_> {
    fn inv_effective_mass(&self, [first, second]: [usize; 2], point: DVec3) -> DMat3 {
        self.0[first].inv_effective_mass(point) + self.0[second].inv_effective_mass(point)
    }

    fn rigid(&self, bodies: [usize; 2], point: DVec3) -> f64 {
        RIGID * trace(&self.inv_effective_mass(bodies, point))
    }

    fn push(
        &self,
        velocities: &mut [Velocity],
        [first, second]: [usize; 2],
        point: DVec3,
        impulse: DVec3,
    ) {
        for (body, impulse) in [(first, impulse), (second, -impulse)] {
            velocities[body] = velocities[body].plus(&self.0[body].answer(point, impulse));
        }
    }

    fn approach(
        &self,
        velocities: &[Velocity],
        [first, second]: [usize; 2],
        point: DVec3,
    ) -> DVec3 {
        let [first, second] =
            [first, second].map(|body| velocities[body].at(self.0[body].centre, point));
        first - second
    }

    fn may_move(&self, pushed: [usize; 2], body: usize) -> bool {
        pushed.contains(&body) && self.0[body].is_dynamic()
    }
}

/// The sum of the inverse effective mass along three axes.
pub(crate) fn trace(inv_effective_mass: &DMat3) -> f64 {
    inv_effective_mass.x_axis.x + inv_effective_mass.y_axis.y + inv_effective_mass.z_axis.z
}
