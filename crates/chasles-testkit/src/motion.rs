//! The relative screw in twice the precision of `f64`, as a power series in time.
//!
//! A point of B moves by `x' = w x x + v`. Its path is the series with `c_0 = x`,
//! `c_1 = w x x + v`, `c_(k+1) = w x c_k / (k + 1)`. For an angle up to pi the terms never exceed
//! a few times their sum, so nothing cancels, and 50 of them give 32 digits. There is no division
//! by the angle anywhere, so none of its values is special.

use chasles::Pose;
use glam::DVec3;

use crate::dd::{Dd, Vector};

/// How far beyond the step roots are looked for: much farther than 1e-5, within which another
/// root makes an event borderline.
pub const OVERHANG: f64 = 1e-4;

/// The terms left out of a series are below this part of the whole.
const TRUNCATION: f64 = 1e-36;

/// A quaternion of double-double numbers.
#[derive(Clone, Copy, Debug)]
struct Quaternion {
    w: Dd,
    v: Vector,
}

impl Quaternion {
    /// The rotation of a pose, made unit to 32 digits.
    fn of(pose: &Pose) -> Self {
        let q = pose.rotation();
        let v = Vector::from(DVec3::new(q.x, q.y, q.z));
        let w = Dd::from(q.w);
        let inverse = Dd::ONE / (w * w + v.dot(v)).sqrt();
        Self { w: w * inverse, v: v * inverse }
    }

    fn conjugate(self) -> Self {
        Self { w: self.w, v: -self.v }
    }

    fn times(self, o: Self) -> Self {
        Self {
            w: self.w * o.w - self.v.dot(o.v),
            v: o.v * self.w + self.v * o.w + self.v.cross(o.v),
        }
    }

    fn rotate(self, x: Vector) -> Vector {
        let once = self.v.cross(x);
        x + (once * self.w + self.v.cross(once)) * Dd::from(2.0)
    }
}

/// How B moves as A sees it: `exp(t (w, v))` after the start pose.
#[derive(Clone, Debug)]
pub struct Motion {
    rotation: Quaternion,
    position: Vector,
    axis: Vector,
    angular: Vector,
    linear: Vector,
    angle: Dd,
    terms: usize,
}

impl Motion {
    /// The relative screw of the poses of A and B at the start and at the end, turning by at most
    /// a half-turn.
    pub fn new(a: &[Pose; 2], b: &[Pose; 2]) -> Self {
        let [(q0, p0), (q1, p1)] = [0, 1].map(|i| relative(&a[i], &b[i]));
        let mut turn = q1.times(q0.conjugate());
        if turn.w.is_negative() {
            turn = Quaternion { w: -turn.w, v: -turn.v };
        }
        let sin_half = turn.v.length();
        let half = Dd::angle_of(sin_half, turn.w);
        let angle = half + half;
        let axis = if sin_half == Dd::ZERO { Vector::default() } else { turn.v.unit() };
        let angular = axis * angle;
        let terms = terms_for(angle.to_f64());
        let linear = velocity_reaching(p1 - turn.rotate(p0), angular, terms);
        Self { rotation: q0, position: p0, axis, angular, linear, angle, terms }
    }

    /// The angle of the step, in `[0, pi]`.
    pub fn angle(&self) -> f64 {
        self.angle.to_f64()
    }

    /// A point of B's frame, in A's frame at the start.
    pub fn placed(&self, point_in_b: DVec3) -> Vector {
        self.rotation.rotate(point_in_b.into()) + self.position
    }

    /// A direction turned by the motion from the start to time `t`.
    pub fn turned(&self, direction: Vector, t: Dd) -> Vector {
        let (sin, cos) = (self.angle * t).sin_cos();
        let once = self.axis.cross(direction);
        direction + once * sin + self.axis.cross(once) * (Dd::ONE - cos)
    }

    /// The path of a point of B that is at `start` in A's frame at time 0.
    pub fn path(&self, start: Vector) -> Path {
        let mut terms = vec![start, self.angular.cross(start) + self.linear];
        for k in 1..self.terms {
            terms.push(self.angular.cross(terms[k]) * (Dd::ONE / Dd::from(k as f64 + 1.0)));
        }
        Path { terms }
    }

    /// The path of the line through `p` and `q`, given at time 0: direction and moment obey
    /// `d' = w x d` and `m' = w x m + v x d`.
    pub fn line(&self, p: Vector, q: Vector) -> LinePath {
        let direction = (q - p).unit();
        let mut directions = vec![direction];
        let mut moments = vec![p.cross(direction)];
        // The moment's terms lag those of the direction by a factor k, hence three more.
        for k in 0..self.terms + 3 {
            let inverse = Dd::ONE / Dd::from(k as f64 + 1.0);
            let moment = self.angular.cross(moments[k]) + self.linear.cross(directions[k]);
            directions.push(self.angular.cross(directions[k]) * inverse);
            moments.push(moment * inverse);
        }
        LinePath { directions, moments }
    }
}

/// B's rotation and position in A's frame.
fn relative(a: &Pose, b: &Pose) -> (Quaternion, Vector) {
    let back = Quaternion::of(a).conjugate();
    let apart = Vector::from(b.position()) - Vector::from(a.position());
    (back.times(Quaternion::of(b)), back.rotate(apart))
}

/// How many terms a series needs for `angle^k / k!` to become negligible.
fn terms_for(angle: f64) -> usize {
    let (mut term, mut k) = (1.0, 0);
    while term > TRUNCATION {
        k += 1;
        term *= angle * (1.0 + OVERHANG) / f64::from(k);
    }
    k.max(3) as usize + 1
}

/// The velocity of the origin that carries it to `end`: solves `V v = end` with
/// `V = sum of [w]^k / (k + 1)!`, by Cramer's rule. `V` is far from singular up to a half-turn.
fn velocity_reaching(end: Vector, angular: Vector, terms: usize) -> Vector {
    let column = |axis: DVec3| {
        let mut term = Vector::from(axis);
        let mut sum = term;
        for k in 0..terms {
            term = angular.cross(term) * (Dd::ONE / Dd::from(k as f64 + 2.0));
            sum = sum + term;
        }
        sum
    };
    let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(column);
    let inverse = Dd::ONE / x.dot(y.cross(z));
    Vector { x: end.dot(y.cross(z)), y: x.dot(end.cross(z)), z: x.dot(y.cross(end)) } * inverse
}

/// A point's path as a power series in time.
#[derive(Clone, Debug)]
pub struct Path {
    terms: Vec<Vector>,
}

impl Path {
    /// The coefficients, constant term first.
    pub fn terms(&self) -> &[Vector] {
        &self.terms
    }

    /// Where the point is at time `t`.
    pub fn at(&self, t: Dd) -> Vector {
        self.terms.iter().rev().fold(Vector::default(), |sum, &c| sum * t + c)
    }

    /// Where the point is at time `t`, to 15 digits.
    pub fn near(&self, t: f64) -> DVec3 {
        self.terms.iter().rev().fold(DVec3::ZERO, |sum, c| sum * t + c.to_f64())
    }

    /// The speed, which does not change along a screw.
    pub fn speed(&self) -> f64 {
        self.terms[1].to_f64().length()
    }
}

/// A line's path: unit direction and moment about A's origin as power series in time.
#[derive(Clone, Debug)]
pub struct LinePath {
    /// Coefficients of the direction.
    pub directions: Vec<Vector>,
    /// Coefficients of the moment.
    pub moments: Vec<Vector>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn poses(angle: f64) -> ([Pose; 2], [Pose; 2]) {
        let pose = |p: [f64; 3], axis: DVec3, angle: f64| {
            Pose::new(p, DQuat::from_axis_angle(axis.normalize(), angle)).expect("finite")
        };
        let a = [pose([1.0, 2.0, 3.0], DVec3::ONE, 0.4), pose([0.0, 1.0, 4.0], DVec3::X, 0.7)];
        let b = [pose([5.0, 2.0, 1.0], DVec3::Y, 1.4), pose([-2.0, 0.5, 1.0], DVec3::Z, angle)];
        (a, b)
    }

    #[test]
    fn the_series_reaches_the_end_pose_to_thirty_digits() {
        for angle in [0.0, 0.3, 1.0, 2.0, 3.0] {
            let (a, b) = poses(angle);
            let motion = Motion::new(&a, &b);
            let x = DVec3::new(0.3, -0.7, 0.9);
            let (q1, p1) = relative(&a[1], &b[1]);
            let end = motion.path(motion.placed(x)).at(Dd::ONE);
            let error = (end - (q1.rotate(x.into()) + p1)).length().to_f64();
            assert!(error < 1e-28, "{angle}: {error:e}");
        }
    }

    #[test]
    fn directions_turn_as_differences_of_points_do() {
        let (a, b) = poses(2.5);
        let motion = Motion::new(&a, &b);
        let [p, q] = [DVec3::X, DVec3::new(0.1, 0.2, 0.3)].map(|x| motion.placed(x));
        let t = Dd::from(0.37);
        let by_points = motion.path(q).at(t) - motion.path(p).at(t);
        assert!((by_points - motion.turned(q - p, t)).length().to_f64() < 1e-29);
    }

    #[test]
    fn a_line_passes_through_its_points() {
        let (a, b) = poses(1.5);
        let motion = Motion::new(&a, &b);
        let [p, q] = [DVec3::X, DVec3::new(0.1, 0.2, 0.3)].map(|x| motion.placed(x));
        let line = motion.line(p, q);
        let t = Dd::from(0.81);
        let at =
            |series: &[Vector]| series.iter().rev().fold(Vector::default(), |sum, &c| sum * t + c);
        let through = motion.path(p).at(t).cross(at(&line.directions)) - at(&line.moments);
        assert!(through.length().to_f64() < 1e-29);
    }
}
