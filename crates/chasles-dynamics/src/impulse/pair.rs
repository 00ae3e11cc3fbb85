//! The analytical collision of two bodies in one point [MW88 §3.2.1].
//!
//! First the impulse as if the surfaces were infinitely rough; if it leaves the friction cone, the
//! one on the cone in the same tangential direction; restitution on the normal part alone. In the
//! words of the contact's plane (the [module of one contact](super) has the two laws share it):
//! `f` is the normal impulse that stops the approach without friction, `q` the tangential impulse
//! that then makes the surfaces stick, and the answer is
//!
//! ```text
//! p = (1 + e) f n + t (q - n (n.K q) / (n.K n)),      t in [0, 1],  |t q| <= mu n.p
//! ```
//!
//! with the largest such `t`. Three things follow, for every inverse effective mass, restitution
//! and friction:
//!
//! - the normal speed after is exactly `-e` times the one before (Newton), since the bracket does
//!   not change it;
//! - the energy changes by `-(1 - e^2) f^2 n.K n / 2 - (t - t^2 / 2) q.S q`, which is never a
//!   gain, since both terms of the split are not positive;
//! - the impulse never pulls: at `t = 0` its normal part is `(1 + e) f`, and it stays in the cone
//!   from there on.
//!
//! Differs from [MW88 §3.2.1]: the paper scales the whole impulse by `1 + e`, which throws sticking
//! bodies back along the surface. Here only the normal part comes back, and the cone is that of the
//! whole normal impulse, so a body that slides through a bounce loses `mu (1 + e)` times its normal
//! speed.

use glam::DVec3;

use super::contact_law::Spot;
use super::{Response, Touch};
use crate::body::Velocity;

/// Applies the impulse of one collision and returns it (on the first body).
///
/// *Accepts* any two bodies, one of which may be fixed; nothing happens if they do not approach.
/// *Guarantees* what the module says, up to rounding. *Cost* constant. *Fails* never: where no
/// impulse can change the normal speed, it is zero.
pub fn collide(response: &impl Response, velocities: &mut [Velocity], touch: &Touch) -> DVec3 {
    let Some(spot) = Spot::new(response, touch) else {
        return DVec3::ZERO;
    };
    let before = response.approach(velocities, spot.bodies, spot.point);
    let impulse = bounce(&spot, before, touch);
    response.push(velocities, spot.bodies, spot.point, impulse);
    impulse
}

/// The impulse for a relative velocity.
fn bounce(spot: &Spot, before: DVec3, touch: &Touch) -> DVec3 {
    let speed = -touch.normal.dot(before);
    if speed <= 0.0 {
        return DVec3::ZERO;
    }
    let push = speed / spot.along;
    let stick = spot.tangential(spot.sliding(before, push), 0.0);
    let whole = (1.0 + touch.restitution) * push;
    let allowed = touch.friction * spot.normal_part(whole, stick);
    if stick.length() <= allowed {
        return spot.impulse(whole, stick);
    }
    // |t q| = mu (whole - t lost), where `lost` is what sticking takes from the normal part. The
    // divisor, without mu, which may be beyond all bounds, exceeds `whole`, because sticking is
    // outside of the cone.
    let lost = whole - spot.normal_part(whole, stick);
    let share = whole / (stick.length() / touch.friction + lost);
    spot.impulse(whole, share.clamp(0.0, 1.0) * stick)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Inertia;
    use crate::impulse::Loose;
    use glam::DMat3;

    /// A unit ball of unit mass on a floor, moving along it and down.
    fn ball(restitution: f64, friction: f64) -> Velocity {
        let inv_inertia = DMat3::from_diagonal(DVec3::splat(2.5));
        let ball = Inertia { centre: DVec3::Z, inv_mass: DVec3::ONE, inv_inertia };
        let bodies = [ball, Inertia::fixed(DVec3::ZERO)];
        let mut velocities = [Velocity::ZERO; 2];
        velocities[0].linear = DVec3::new(3.0, 0.0, -2.0);
        let touch = Touch {
            bodies: [0, 1],
            point: DVec3::ZERO,
            normal: DVec3::Z,
            gap: 0.0,
            restitution,
            friction,
        };
        collide(&Loose(&bodies), &mut velocities, &touch);
        velocities[0]
    }

    #[test]
    fn a_ball_that_slides_through_its_bounce_loses_friction_times_the_whole_impulse() {
        let after = ball(0.5, 0.1);
        assert!((after.linear - DVec3::new(3.0 - 0.1 * 1.5 * 2.0, 0.0, 1.0)).length() < 1e-14);
        assert!((after.angular.y - 2.5 * 0.1 * 1.5 * 2.0).abs() < 1e-14);
    }

    #[test]
    fn a_ball_that_grips_rolls_with_five_sevenths_of_its_speed() {
        let after = ball(1.0, 1.0);
        assert!((after.linear - DVec3::new(3.0 * 5.0 / 7.0, 0.0, 2.0)).length() < 1e-14);
        assert!((after.linear.x - after.angular.y).abs() < 1e-14);
    }
}
