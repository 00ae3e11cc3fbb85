//! The way of a body that nothing diverts: a constant twist, poses at given times, or one of these
//! for a time and then another.

use chasles::motion::MotionError;
use chasles::numeric::{rotation_by, vector_of};
use chasles::{Pose, Screw};
use glam::DVec3;
use thiserror::Error;

use crate::body::Velocity;

/// Steps that add up to the time of a pose differ from it by less than this share, up to some
/// thousands of them.
const ROUNDING: f64 = 1e-12;

/// A body this share of its radius beside its route is on it.
const BESIDE: f64 = 1e-3;

/// Seconds that are no time.
const INSTANT: f64 = 1e-9;

/// What is wrong with a route.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RouteError {
    /// No poses.
    #[error("a route needs at least one pose")]
    Empty,
    /// Times do not grow.
    #[error("pose {index} is at {time} s, which is not after the one before it")]
    Order {
        /// Counted from 0.
        index: usize,
        /// In seconds.
        time: f64,
    },
    /// A time at which a route is to end that is none.
    #[error("a route cannot end at {0} s: the time must be 0 or later, and finite")]
    End(f64),
    /// A step between poses that is none.
    #[error("poses cannot follow each other every {0} s: that must be a positive number")]
    Step(f64),
    /// A velocity that is no number.
    #[error(transparent)]
    Motion(#[from] MotionError),
}

/// Where a body is at any time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Route {
    /// From a pose along a twist of the world, given per second.
    Twist {
        /// Where it begins.
        start: Pose,
        /// Linear velocity of the origin of the body's frame.
        linear: DVec3,
        /// Angular velocity about it.
        angular: DVec3,
    },
    /// From pose to pose along screws, at rest before the first and after the last.
    Keys(Vec<(f64, Pose)>),
    /// One route for a time, and from where it is then along a twist.
    Cut(Box<Cut>),
}

impl Route {
    /// From a pose with constant velocities: of the origin of the body's frame, and about it.
    ///
    /// *Accepts* finite velocities. *Cost* constant. *Fails* for others.
    pub fn twist(start: Pose, linear: DVec3, angular: DVec3) -> Result<Self, RouteError> {
        Screw::from_twist(angular, linear)?;
        Ok(Self::Twist { start, linear, angular })
    }

    /// From pose to pose.
    ///
    /// *Accepts* at least one pose, at finite times that grow. *Cost* linear. *Fails* otherwise.
    pub fn keys(keys: Vec<(f64, Pose)>) -> Result<Self, RouteError> {
        if keys.is_empty() {
            return Err(RouteError::Empty);
        }
        let mut before = f64::NEG_INFINITY;
        for (index, &(time, _)) in keys.iter().enumerate() {
            if !(time > before && time.is_finite()) {
                return Err(RouteError::Order { index, time });
            }
            before = time;
        }
        Ok(Self::Keys(keys))
    }

    /// A pose for each step of this many seconds, the first at time 0; at rest after the last.
    ///
    /// *Accepts* at least one pose and a positive time. *Guarantees* the route of [`Route::keys`]
    /// with the poses at whole multiples of the step. *Cost* linear. *Fails* otherwise.
    pub fn every(dt: f64, poses: &[Pose]) -> Result<Self, RouteError> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(RouteError::Step(dt));
        }
        Self::keys(poses.iter().enumerate().map(|(i, pose)| (i as f64 * dt, *pose)).collect())
    }

    /// The same route up to a time; from then on the body stays where it is.
    ///
    /// *Accepts* a finite time of 0 or later. *Cost* constant. *Fails* for others.
    pub fn until(self, end: f64) -> Result<Self, RouteError> {
        self.then(end, DVec3::ZERO, DVec3::ZERO)
    }

    /// The same route up to a time; from then on, from where it is, with constant velocities of the
    /// origin of the body's frame and about it.
    ///
    /// *Accepts* a finite time of 0 or later and finite velocities. *Cost* constant. *Fails* for
    /// others.
    ///
    /// ```
    /// use chasles::Pose;
    /// use chasles_dynamics::world::Route;
    /// use glam::DVec3;
    /// let lift = Route::twist(Pose::IDENTITY, DVec3::Z, DVec3::ZERO)?.until(2.0)?;
    /// assert_eq!(lift.pose_at(9.0).position(), DVec3::Z * 2.0);
    /// # Ok::<(), chasles_dynamics::world::RouteError>(())
    /// ```
    pub fn then(self, end: f64, linear: DVec3, angular: DVec3) -> Result<Self, RouteError> {
        if !(end >= 0.0 && end.is_finite()) {
            return Err(RouteError::End(end));
        }
        let then = Self::twist(self.pose_at(end), linear, angular)?;
        Ok(Self::Cut(Box::new(Cut { first: self, end, then })))
    }

    /// Where the body is.
    ///
    /// *Accepts* any finite time. *Guarantees* a continuous path. *Cost* logarithmic in the poses.
    /// *Fails* never.
    pub fn pose_at(&self, time: f64) -> Pose {
        match self {
            Self::Cut(cut) => {
                let (route, since) = cut.at(time);
                route.pose_at(time - since)
            }
            Self::Twist { start, linear, angular } => {
                let turn = rotation_by(*angular * time);
                let position = start.position() + *linear * time;
                Pose::new(position, (turn * start.rotation()).normalize()).unwrap_or(*start)
            }
            Self::Keys(keys) => {
                if let Some(leg) = Leg::at(keys, time) {
                    return leg.start.after(&leg.screw().pose_at((time - leg.from) / leg.seconds));
                }
                let is_before = keys.first().is_some_and(|(first, _)| time < *first);
                let end = if is_before { keys.first() } else { keys.last() };
                end.map_or(Pose::IDENTITY, |(_, pose)| *pose)
            }
        }
    }

    /// The mean velocity of the origin of the body's frame from a time on for some seconds, and the
    /// angular velocity at that time.
    pub(super) fn velocity(&self, time: f64, seconds: f64) -> Velocity {
        match self {
            Self::Twist { linear, angular, .. } => Velocity { linear: *linear, angular: *angular },
            Self::Keys(keys) => {
                let now = Leg::at(keys, time).map_or(Velocity::ZERO, |leg| leg.velocity(time));
                self.mean(now, time, seconds)
            }
            Self::Cut(cut) => {
                let (route, since) = cut.at(time);
                match time < cut.end && time + seconds > cut.end {
                    true => self.mean(route.velocity(time - since, 0.0), time, seconds),
                    false => route.velocity(time - since, seconds),
                }
            }
        }
    }

    /// The mean velocity of the origin over some seconds, and the angular velocity of now.
    fn mean(&self, now: Velocity, time: f64, seconds: f64) -> Velocity {
        // Of places that are so near each other the difference is rounding.
        if seconds <= INSTANT {
            return now;
        }
        let [from, to] = [time, time + seconds].map(|time| self.pose_at(time).position());
        Velocity { linear: (to - from) / seconds, ..now }
    }

    /// Where a body is some seconds after a time at which it was at a pose: where the route has it;
    /// or, if something held it up, on the straight way back to the route, at most as fast as the
    /// route ever is for a body of this radius about its origin.
    pub(super) fn pose_from(&self, (pose, time): (&Pose, f64), seconds: f64, radius: f64) -> Pose {
        let goal = self.pose_at(self.rounded(time + seconds));
        if self.has((pose, time), radius) {
            return goal;
        }
        let back = Screw::between(pose, &goal);
        let way = pose.position().distance(goal.position()) + back.angle() * radius;
        let most = self.fastest(radius) * seconds;
        if way <= most { goal } else { back.pose_at(most / way).after(pose) }
    }

    /// The mean velocity on the way of [`Route::pose_from`].
    pub(super) fn velocity_from(
        &self,
        (pose, time): (&Pose, f64),
        seconds: f64,
        radius: f64,
    ) -> Velocity {
        if self.has((pose, time), radius) {
            return self.velocity(time, seconds);
        }
        let to = self.pose_from((pose, time), seconds, radius);
        let turn = vector_of(to.rotation() * pose.rotation().conjugate());
        let way = to.position() - pose.position();
        Velocity { linear: way, angular: turn }.times(1.0 / seconds.max(INSTANT))
    }

    /// Whether a body of this radius about its origin is on the route, or next to it.
    pub(super) fn has(&self, (pose, time): (&Pose, f64), radius: f64) -> bool {
        let there = self.pose_at(time);
        // Twice the sine of half the angle is the chord that a point at distance 1 goes.
        let turn = || 2.0 * (there.rotation() * pose.rotation().conjugate()).xyz().length();
        there == *pose
            || there.position().distance(pose.position()) + turn() * radius <= BESIDE * radius
    }

    /// A speed that no point of a body of this radius about its origin exceeds on the route.
    fn fastest(&self, radius: f64) -> f64 {
        let speed = |v: Velocity| v.linear.length() + v.angular.length() * radius;
        match self {
            Self::Twist { linear, angular, .. } => {
                speed(Velocity { linear: *linear, angular: *angular })
            }
            Self::Keys(keys) => {
                let legs = keys.iter().filter_map(|(from, _)| Leg::at(keys, *from));
                legs.map(|leg| speed(leg.velocity(leg.from))).fold(0.0, f64::max)
            }
            Self::Cut(cut) => cut.first.fastest(radius).max(cut.then.fastest(radius)),
        }
    }

    /// The first of the times of given poses, or at which a route is cut, that comes after a time.
    pub(super) fn next_key(&self, time: f64) -> Option<f64> {
        match self {
            Self::Twist { .. } => None,
            Self::Keys(keys) => {
                keys.get(keys.partition_point(|(at, _)| *at <= time)).map(|(at, _)| *at)
            }
            Self::Cut(cut) if time < cut.end => {
                Some(cut.first.next_key(time).map_or(cut.end, |key| key.min(cut.end)))
            }
            Self::Cut(_) => None,
        }
    }

    /// A time, or that of the given pose from which it differs by rounding.
    pub(super) fn rounded(&self, time: f64) -> f64 {
        let is_near = |at: f64| (time - at).abs() <= ROUNDING * at.abs();
        match self {
            Self::Twist { .. } => time,
            Self::Keys(keys) => {
                let next = keys.partition_point(|(at, _)| *at <= time);
                let near = keys[next.saturating_sub(1)..].iter().take(2).map(|(at, _)| *at);
                near.into_iter().find(|at| is_near(*at)).unwrap_or(time)
            }
            Self::Cut(cut) if is_near(cut.end) => cut.end,
            Self::Cut(cut) if time < cut.end => cut.first.rounded(time),
            Self::Cut(_) => time,
        }
    }

    /// Whether the body does not move after a time.
    pub(super) fn is_over(&self, time: f64) -> bool {
        match self {
            Self::Twist { linear, angular, .. } => {
                *linear == DVec3::ZERO && *angular == DVec3::ZERO
            }
            Self::Keys(keys) => keys.last().is_none_or(|(last, _)| time >= *last),
            Self::Cut(cut) => (time >= cut.end || cut.first.is_over(time)) && cut.then.is_over(0.0),
        }
    }
}

/// A route that ends, and the twist that follows.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cut {
    first: Route,
    end: f64,
    then: Route,
}

impl Cut {
    /// The route of a time, and when it begins.
    fn at(&self, time: f64) -> (&Route, f64) {
        if time < self.end { (&self.first, 0.0) } else { (&self.then, self.end) }
    }
}

/// The way from one given pose to the next.
struct Leg {
    from: f64,
    seconds: f64,
    start: Pose,
    end: Pose,
}

impl Leg {
    /// The one at a time; none before the first pose and after the last.
    fn at(keys: &[(f64, Pose)], time: f64) -> Option<Self> {
        let next = keys.partition_point(|(at, _)| *at <= time);
        let (from, start) = keys[next.checked_sub(1)?];
        let &(to, end) = keys.get(next)?;
        Some(Self { from, seconds: to - from, start, end })
    }

    /// The velocity at a time, of the origin of the body's frame.
    fn velocity(&self, time: f64) -> Velocity {
        let screw = self.screw();
        let origin = screw.pose_at((time - self.from) / self.seconds).position();
        let [linear, angular] = [screw.flow(origin), screw.angular()]
            .map(|along| self.start.rotation() * along / self.seconds);
        Velocity { linear, angular }
    }

    /// In the frame of the first pose.
    fn screw(&self) -> Screw {
        Screw::between(&Pose::IDENTITY, &self.start.inverse_after(&self.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn at(x: f64, turn: f64) -> Pose {
        Pose::new([x, 0.0, 0.0], DQuat::from_rotation_z(turn)).expect("finite")
    }

    #[test]
    fn velocities_are_those_of_the_leg() {
        let keys = vec![(1.0, at(0.0, 0.0)), (2.0, at(1.0, 0.0)), (4.0, at(1.0, -3.0))];
        let route = Route::keys(keys).expect("times that grow");
        let linear = |time: f64| route.velocity(time, 0.1).linear;
        let angular = |time: f64| route.velocity(time, 0.1).angular;
        assert_eq!([linear(0.5), angular(0.5)], [DVec3::ZERO; 2]);
        assert!((linear(1.0) - DVec3::X).length() < 1e-12 && angular(1.0) == DVec3::ZERO);
        assert!(linear(2.0).length() < 1e-12);
        assert!((angular(2.0) + DVec3::Z * 1.5).length() < 1e-12, "{}", angular(2.0));
        assert_eq!([linear(4.0), angular(4.0)], [DVec3::ZERO; 2]);
        for seconds in [1e-3, 1e-6, 1e-10, 1e-17] {
            let now = route.velocity(1.7, seconds).linear;
            assert!((now - DVec3::X).length() < 1e-7, "{now} over {seconds} s");
        }
    }

    #[test]
    fn what_was_held_up_comes_back_no_faster_than_its_route_goes() {
        let keys = vec![(0.0, at(0.0, 0.0)), (1.0, at(2.0, 0.0)), (2.0, at(2.0, 1.0))];
        let route = Route::keys(keys).expect("times that grow");
        let (held, radius) = (at(0.5, 0.0), 0.8);
        assert!(!route.has((&held, 1.0), radius) && route.has((&at(0.5003, 0.0), 0.25), radius));
        // The fastest leg goes 2 m in a second.
        let back = route.pose_from((&held, 1.0), 0.1, radius);
        let velocity = route.velocity_from((&held, 1.0), 0.1, radius);
        let way = back.position().x - 0.5 + radius * velocity.angular.z * 0.1;
        assert!(way <= 0.2 + 1e-9 && way > 0.199 && velocity.angular.z > 0.0, "{way}");
        assert!((velocity.linear.x * 0.1 - (back.position().x - 0.5)).abs() < 1e-12);
        assert_eq!(route.pose_from((&held, 1.0), 3.0, radius), at(2.0, 1.0));
    }

    #[test]
    fn velocities_at_an_instant_are_those_of_a_short_time() {
        let keys = vec![(0.0, at(3.0, 0.5)), (2.0, at(1.0, 2.5))];
        let route = Route::keys(keys).expect("times that grow");
        for time in [0.0, 0.3, 1.9] {
            let [now, soon] = [1e-12, 1e-6].map(|seconds| route.velocity(time, seconds).linear);
            assert!((now - soon).length() < 1e-5 && now.length() > 0.1, "{now} {soon}");
        }
    }

    #[test]
    fn times_are_rounded_to_keys_and_routes_end_at_the_last() {
        let route = Route::keys(vec![(0.5, at(0.0, 0.0)), (1.5, at(1.0, 0.0))]).expect("grow");
        assert_eq!(route.rounded(0.5 - 1e-15), 0.5);
        assert_eq!(route.rounded(1.5 + 1e-15), 1.5);
        assert_eq!(route.rounded(0.7), 0.7);
        assert_eq!([0.0, 0.5, 1.5].map(|t| route.next_key(t)), [Some(0.5), Some(1.5), None]);
        assert!(!route.is_over(1.4) && route.is_over(1.5));
    }

    #[test]
    fn routes_are_cut_without_a_jump() {
        let start = at(1.0, 0.2);
        let twist = Route::twist(start, DVec3::X, DVec3::Z * 2.0).expect("finite");
        let route = twist.clone().until(1.5).expect("a time");
        assert_eq!([0.0, 1.0].map(|t| route.pose_at(t)), [0.0, 1.0].map(|t| twist.pose_at(t)));
        let [end, later] = [1.5, 7.0].map(|t| route.pose_at(t));
        let off = (end.rotation() * twist.pose_at(1.5).rotation().conjugate()).xyz().length();
        assert!(end == later && end.position() == DVec3::X * 2.5 && off < 1e-15, "{end:?}");
        assert_eq!([0.0, 1.5].map(|t| route.next_key(t)), [Some(1.5), None]);
        assert!(!route.is_over(1.4) && route.is_over(1.5));
        assert_eq!(route.rounded(1.5 - 1e-15), 1.5);
        assert_eq!(route.velocity(1.5, 0.1), Velocity::ZERO);
        // Half of these seconds it moves.
        assert!((route.velocity(1.4, 0.2).linear - DVec3::X * 0.5).length() < 1e-12);
        assert!(twist.clone().until(-1.0).is_err() && twist.until(f64::NAN).is_err());
    }

    #[test]
    fn poses_follow_each_other_every_step_and_go_on_from_there() {
        let poses = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 0.5)];
        let route = Route::every(0.01, &poses).expect("a step");
        assert_eq!(
            [0.0, 0.01, 0.02, 9.0].map(|t| route.pose_at(t)),
            [poses[0], poses[1], poses[2], poses[2]]
        );
        let route = route.then(0.02, DVec3::X, DVec3::Z).expect("a time");
        let later = route.pose_at(1.02);
        assert!(later.position().distance(DVec3::X * 2.0) < 1e-12 && !route.is_over(5.0));
        assert_eq!(route.velocity(3.0, 0.1), Velocity { linear: DVec3::X, angular: DVec3::Z });
        assert_eq!(route.next_key(0.0), Some(0.01));
        assert!(Route::every(0.0, &poses).is_err() && Route::every(1.0, &[]).is_err());
    }
}
