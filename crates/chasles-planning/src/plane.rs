//! How far two parts stay apart along a direction that is fixed to the first.
//!
//! In the frame of X a point `x` of Y has, in the middle of a while, the velocity `w x x + v`, and
//! at most the acceleration `M`. Along a unit direction `n` at a time `t` from the middle it is at
//!
//! ```text
//! n . x(t) >= n . x + t n . (w x x + v) - M t²/2 = (n + t n x w) . x + t n . v - M t²/2
//! ```
//!
//! The least of the first two terms over Y is a least product of its hull with one vector; as a
//! function of `t` it is concave, being a least of linear functions. So over the while it is least
//! at an end, and two products with the hull bound the gap.

use chasles::glam::DVec3;

use crate::frame::{Frame, Twist};
use crate::part::Part;

/// Two parts, the second moving as seen from the first, in the world.
#[derive(Clone, Copy)]
pub(crate) struct Plane<'p> {
    pub(crate) parts: [&'p Part; 2],
    pub(crate) frames: [&'p Frame; 2],
    pub(crate) twist: Twist,
    /// The largest acceleration of a point of the second.
    pub(crate) bend: f64,
    /// Half the length of the while.
    pub(crate) half: f64,
}

/// Lengths that two parts are apart at least, along a direction; negative where it does not part
/// them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gap {
    /// In the middle of the while.
    pub(crate) now: f64,
    /// In all of it.
    pub(crate) least: f64,
}

impl Plane<'_> {
    /// The gap along a unit direction of the world in the middle of the while.
    pub(crate) fn gap(&self, n: DVec3) -> Gap {
        let Self { twist, bend, half, .. } = *self;
        let high = -self.low(0, -n);
        let now = self.low(1, n) - high;
        if half == 0.0 {
            return Gap { now, least: now };
        }
        let lean = n.cross(twist.turn);
        let along = n.dot(twist.shift);
        let at = |t: f64| self.low(1, n + t * lean) + t * along;
        let least = at(half).min(at(-half)) - high - 0.5 * half * half * bend;
        Gap { now, least: least.min(now) }
    }

    /// The least product of a vector with points of a part.
    fn low(&self, part: usize, m: DVec3) -> f64 {
        let frame = self.frames[part];
        self.parts[part].low(frame.vector_inside(m)) + m.dot(frame.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chasles::Pose;
    use chasles::glam::DQuat;
    use chasles::mesh::shapes::{Cuboid, Shape};
    use chasles::query::Geometry;
    use chasles_testkit::generate::Random;

    fn part(number: usize, geometry: Geometry) -> Part {
        let frame = Frame::from(Pose::IDENTITY);
        Part::new(number, None, frame, geometry)
    }

    /// A body that turns about z at the origin, as far as `reach`, beside one that stands.
    fn gaps(body: Geometry, frame: Frame, angle: f64, n: DVec3) -> (Gap, f64) {
        let stands = part(0, Geometry::sphere(0.5).expect("a ball"));
        let moves = part(1, body);
        let reach = frame.shift.length() + moves.centre.length() + moves.radius;
        let still = Frame::from(Pose::from_position([0.0, 3.0, 0.0]).expect("finite"));
        let plane = Plane {
            parts: [&stands, &moves],
            frames: [&still, &frame],
            twist: Twist { turn: DVec3::Z, shift: DVec3::ZERO },
            bend: reach,
            half: angle,
        };
        let mut least = f64::INFINITY;
        for i in -50..=50 {
            let turn = DQuat::from_rotation_z(angle * f64::from(i) / 50.0);
            let turned = Frame { turn: turn * frame.turn, shift: turn * frame.shift };
            let there = Plane { frames: [&still, &turned], half: 0.0, ..plane };
            least = least.min(there.gap(n).now);
        }
        (plane.gap(n), least)
    }

    #[test]
    fn the_gap_over_a_while_is_below_all_gaps_in_it_and_close() {
        let mut random = Random::new(3);
        let ends = [DVec3::ZERO, DVec3::X];
        let bodies = [
            Geometry::shape(&Shape::Box(Cuboid { size: [0.3, 0.5, 0.2] })).expect("a box"),
            Geometry::cylinder(ends, 0.2).expect("a cylinder"),
            Geometry::capsule(ends, 0.2).expect("a capsule"),
            Geometry::sphere(0.3).expect("a ball"),
        ];
        for _ in 0..400 {
            let body = bodies[random.below(4)].clone();
            let frame = Frame { turn: random.rotation(), shift: random.vector() };
            let angle = random.one_of(&[0.3, 0.1, 0.01]);
            let n = random.direction();
            let (gap, least) = gaps(body, frame, angle, n);
            assert!(gap.least <= least + 1e-12 && gap.least <= gap.now, "{gap:?} {least}");
            // The bound is off by the bend, and by no more.
            assert!(least - gap.least <= 3.0 * angle * angle, "{gap:?} {least} {angle}");
        }
    }

    #[test]
    fn the_bend_of_a_circle_is_what_the_bound_takes_off() {
        // A ball of radius 0 or so at 1 on a circle, at its farthest along x: it comes back by
        // the sagitta, half the square of the angle.
        let ball = Geometry::sphere(1e-9).expect("a ball");
        let frame = Frame { shift: DVec3::X, ..Frame::IDENTITY };
        let (gap, least) = gaps(ball, frame, 0.1, DVec3::X);
        assert!((gap.now - least - 0.005).abs() < 1e-5, "{gap:?} {least}");
        assert!((gap.now - gap.least - 0.005).abs() < 1e-6, "{gap:?}");
    }
}
