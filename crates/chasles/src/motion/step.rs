//! How two bodies move during one step, cut into parts that are single relative screws.
//!
//! Each body has a motion of its own. The relative motion of two is not a screw in general, so as
//! in [Buss04 §4] it is *taken* to be the screw between its own end poses. A step given by end
//! poses is one such part. A step with twists or flights, which may turn any number of times, is
//! cut into equal parts in which neither body turns by more than a quarter-turn.

use glam::{DMat3, DQuat, DVec3};

use super::pose::{MotionError, Pose};
use super::rigid::{Flight, Motion, quarters};
use super::screw::Screw;

/// A turn whose quaternion has a smaller real part is a half-turn: far above rounding, and its
/// angle is off by twice as much.
const HALF_TURN: f64 = 1e-9;

/// The motion of two bodies A and B in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    a: Motion,
    b: Motion,
    parts: u32,
}

impl Step {
    /// The most parts a step is cut into.
    pub const MAX_PARTS: u32 = Motion::MAX_QUARTERS;

    /// Two bodies, each with a motion of its own.
    ///
    /// Between poses the relative motion is one screw that turns by at most a half-turn. If a body
    /// follows a twist or flies, the step has as many equal parts as the larger angle has
    /// quarter-turns.
    ///
    /// *Accepts* any two motions. *Guarantees* that each part begins and ends where the motions
    /// say. *Cost* constant. *Fails* never.
    ///
    /// ```
    /// use chasles::{Motion, Pose, Step};
    /// let [from, to] = [3.0, -3.0].map(|x| Pose::from_position([x, 0.0, 0.0]).unwrap());
    /// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to));
    /// assert_eq!(step.parts(), 1);
    /// assert_eq!(step.part(0).relative().translation(), 6.0);
    /// ```
    ///
    /// The poses of two bodies at one time are not a motion:
    ///
    /// ```compile_fail
    /// use chasles::{Pose, Step};
    /// let [starts, ends] = [[Pose::IDENTITY; 2]; 2];
    /// let step = Step::new(starts, ends);
    /// ```
    pub fn new(a: Motion, b: Motion) -> Self {
        let counts_turns = a.counts_turns() || b.counts_turns();
        let parts = if counts_turns { a.quarters().max(b.quarters()) } else { 1 };
        Self { a, b, parts }
    }

    /// How many parts a turn by `radians` needs.
    pub fn parts_for(radians: f64) -> Result<u32, MotionError> {
        quarters(radians)
    }

    /// The same motion cut into `parts` parts instead, at least as many as now.
    ///
    /// *Accepts* `1..=MAX_PARTS`; smaller values than [`Step::parts`] leave the step as it is.
    pub fn with_parts(mut self, parts: u32) -> Self {
        self.parts = parts.clamp(self.parts, Self::MAX_PARTS);
        self
    }

    /// How many relative screws the step consists of.
    pub fn parts(&self) -> u32 {
        self.parts
    }

    /// Part number `index`, counted from 0.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`Step::parts`].
    pub fn part(&self, index: u32) -> Part {
        assert!(index < self.parts, "part {index} of a step with {} parts", self.parts);
        let n = f64::from(self.parts);
        let times = [f64::from(index) / n, f64::from(index + 1) / n];
        let [a, b] = [&self.a, &self.b].map(|motion| times.map(|t| motion.pose_at(t)));
        let turn = self.turn(a, b);
        Part { times, a, b, turn }
    }

    /// The rotation between B's poses in A's frame, at most a half-turn; its sign tells which way
    /// round. Half-turns go the way that the bodies do, whatever rounding makes of them.
    fn turn(&self, a: [Pose; 2], b: [Pose; 2]) -> DQuat {
        let [start, end] = [0, 1].map(|i| a[i].inverse_after(&b[i]).rotation());
        let turn = end * start.conjugate();
        let is_over = if turn.w.abs() < HALF_TURN {
            let [of_a, of_b] = [&self.a, &self.b].map(|motion| motion.flow().angular);
            let spin = a[0].rotation().conjugate() * (of_b - of_a);
            match turn.xyz().dot(spin) {
                0.0 => turn.w < 0.0,
                along => along < 0.0,
            }
        } else {
            turn.w < 0.0
        };
        if is_over { -turn } else { turn }
    }

    /// A's pose at time `t` of the whole step.
    pub fn pose_of_a(&self, t: f64) -> Pose {
        self.a.pose_at(t)
    }

    /// The motions of A and B.
    pub fn motions(&self) -> [Motion; 2] {
        [self.a, self.b]
    }

    /// Whether both bodies move at constant velocities and one of them turns in free flight. The
    /// path method follows such a step as it is; the others take a screw for each part.
    pub fn is_free(&self) -> bool {
        self.flights().is_some()
    }

    /// The flights of A and B, if the step is free.
    pub(crate) fn flights(&self) -> Option<[Flight; 2]> {
        let flies = self.a.is_flight() || self.b.is_flight();
        self.a.to_flight().zip(self.b.to_flight()).filter(|_| flies).map(|(a, b)| [a, b])
    }

    /// Whether the relative motion is truly one screw: where neither body turns, and where one
    /// stands still while the other does not fly.
    pub(super) fn is_a_screw(&self) -> bool {
        let [a, b] = [&self.a, &self.b];
        let alone = |still: &Motion, other: &Motion| still.is_still() && !other.is_flight();
        a.is_straight() && b.is_straight() || alone(a, b) || alone(b, a)
    }

    /// Whether A stays where it is.
    pub fn is_a_still(&self) -> bool {
        self.a.is_still()
    }

    /// B's pose at time `t` of the whole step, by its own motion. Between the ends of a part this
    /// is not exactly where the relative screw takes B; see [`Step::pose_of_b_by_relative`].
    pub fn pose_of_b(&self, t: f64) -> Pose {
        self.b.pose_at(t)
    }

    /// B's pose at time `t` as the contacts see it: A by its own motion, B by the relative screw.
    pub fn pose_of_b_by_relative(&self, t: f64) -> Pose {
        self.pose_of_a(t).after(&self.b_in_a_by_relative(t))
    }

    /// B's pose in A's frame at time `t` of the whole step as the contacts see it: on the relative
    /// screw.
    pub fn b_in_a_by_relative(&self, t: f64) -> Pose {
        let index = ((t * f64::from(self.parts)) as u32).min(self.parts - 1);
        let part = self.part(index);
        let local = (t - part.times[0]) / (part.times[1] - part.times[0]);
        part.relative().pose_at(local).after(&part.b_in_a()[0])
    }

    /// The step seen by B: the bodies change places.
    pub fn swapped(&self) -> Self {
        Self { a: self.b, b: self.a, ..*self }
    }
}

/// A pose as a matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) rotation: DMat3,
    pub(crate) position: DVec3,
}

impl Frame {
    fn new(pose: &Pose) -> Self {
        Self { rotation: DMat3::from_quat(pose.rotation()), position: pose.position() }
    }

    #[inline]
    pub(crate) fn point(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.position
    }
}

/// Where A is during a step, for many times.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Frames {
    /// Always here.
    Still(Frame),
    /// On a motion that is worked out.
    Moving(Motion),
}

impl Frames {
    pub(crate) fn of_a(step: &Step) -> Self {
        if step.is_a_still() {
            Self::Still(Frame::new(&step.a.start()))
        } else {
            Self::Moving(step.a.prepared())
        }
    }

    #[inline]
    pub(crate) fn at(&self, t: f64) -> Frame {
        match self {
            Self::Still(frame) => *frame,
            Self::Moving(motion) => Frame::new(&motion.pose_at(t)),
        }
    }
}

/// One part of a [`Step`]: a single relative screw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    times: [f64; 2],
    a: [Pose; 2],
    b: [Pose; 2],
    turn: DQuat,
}

impl Part {
    /// Start and end as fractions of the whole step.
    pub fn times(&self) -> [f64; 2] {
        self.times
    }

    /// B's pose in A's frame at the start and at the end of the part.
    pub fn b_in_a(&self) -> [Pose; 2] {
        [self.a[0].inverse_after(&self.b[0]), self.a[1].inverse_after(&self.b[1])]
    }

    /// The relative screw in A's frame: carries B from its start to its end as A sees it
    /// [Buss04 eq. 1]; at most a half-turn.
    pub fn relative(&self) -> Screw {
        let [start, end] = self.b_in_a();
        Screw::through(self.turn, start.position(), end.position())
    }

    /// The relative screw in A's axes with A's pivot as origin, and where B's axes and pivot are
    /// there at the start.
    pub(crate) fn about(&self, [pivot_a, pivot_b]: [DVec3; 2]) -> (Screw, DMat3, DVec3) {
        let [start, end] = self.b_in_a();
        let [from, to] = [start, end].map(|pose| pose.point(pivot_b) - pivot_a);
        (Screw::through(self.turn, from, to), DMat3::from_quat(start.rotation()), from)
    }

    /// Whether points of A and B stay farther apart than `radius` for a simple reason: a screw that
    /// turns by at most a half-turn stays within the ball that has its chord as a diameter.
    pub(crate) fn keeps_apart(&self, [pivot_a, pivot_b]: [DVec3; 2], radius: f64) -> bool {
        let [from, to] = [0, 1].map(|i| {
            let between = self.b[i].point(pivot_b) - self.a[i].point(pivot_a);
            self.a[i].rotation().conjugate() * between
        });
        let middle = 0.5 * (from + to);
        let half_chord = 0.5 * from.distance(to);
        // Far above rounding, which grows with how far from the origin the bodies are.
        let far = self.a.iter().chain(&self.b).map(|pose| pose.position().abs().max_element());
        let rounding = 1e-14 * far.fold(radius, f64::max);
        self.turn.w >= 0.0 && middle.length() > (half_chord + radius) * (1.0 + 1e-12) + rounding
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn a_step_by_twist_has_a_part_for_each_quarter_turn() {
        let spin = Screw::from_twist([0.0, 0.0, 2.0 * PI], DVec3::ZERO).unwrap();
        let spinning = Motion::along(Pose::IDENTITY, spin).unwrap();
        let step = Step::new(Motion::still(Pose::IDENTITY), spinning);
        assert_eq!(step.parts(), 4);
        for index in 0..4 {
            let angular = step.part(index).relative().angular();
            assert!((angular - DVec3::Z * (PI / 2.0)).length() < 1e-14, "{angular}");
        }
    }

    #[test]
    fn frames_are_where_a_is() {
        let [start, end] = [[1.0, 0.0, 0.0], [0.0, 3.0, 2.0]];
        let turned = Pose::new(end, DQuat::from_rotation_z(1.2)).unwrap();
        let from = Pose::from_position(start).unwrap();
        for end in [from, turned] {
            let step = Step::new(Motion::between(from, end), Motion::still(Pose::IDENTITY));
            let frames = Frames::of_a(&step);
            assert_eq!(matches!(frames, Frames::Still(_)), end == from);
            for t in [0.0, 0.3, 1.0] {
                let point = DVec3::new(0.2, -0.4, 5.0);
                let apart = frames.at(t).point(point) - step.pose_of_a(t).point(point);
                assert!(apart.length() < 1e-14, "{apart}");
            }
        }
        // Back where it was after a whole turn is not still.
        let turn = Screw::from_twist([0.0, 0.0, 2.0 * PI], DVec3::ZERO).unwrap();
        let turning = Motion::along(from, turn).unwrap();
        let step = Step::new(turning, Motion::still(Pose::IDENTITY));
        assert!(matches!(Frames::of_a(&step), Frames::Moving(_)));
    }

    #[test]
    fn opposite_quarter_turns_keep_their_direction() {
        let spin = |z: f64| Screw::from_twist([0.0, 0.0, z], DVec3::ZERO).unwrap();
        for sign in [1.0, -1.0] {
            let along = |z: f64| Motion::along(Pose::IDENTITY, spin(z)).unwrap();
            let step = Step::new(along(-sign * PI / 2.0), along(sign * PI / 2.0));
            let angular = step.part(0).relative().angular();
            assert!((angular - DVec3::Z * (sign * PI)).length() < 1e-12, "{angular}");
        }
    }

    #[test]
    fn relative_screw_carries_b_from_start_to_end() {
        let pose = |p: [f64; 3], axis: DVec3, angle: f64| {
            Pose::new(p, DQuat::from_axis_angle(axis.normalize(), angle)).unwrap()
        };
        let a = [pose([1.0, 2.0, 3.0], DVec3::ONE, 0.4), pose([0.0, 1.0, 4.0], DVec3::X, 2.0)];
        let b = [pose([5.0, 2.0, 1.0], DVec3::Y, 1.4), pose([-2.0, 0.5, 1.0], DVec3::Z, -1.0)];
        let part = Step::new(Motion::between(a[0], a[1]), Motion::between(b[0], b[1])).part(0);
        let [start, end] = part.b_in_a();
        let moved = part.relative().pose_at(1.0).after(&start);
        let x = DVec3::new(0.3, -0.7, 0.9);
        assert!((moved.point(x) - end.point(x)).length() < 1e-14);
    }
}
