//! How one body moves: by one motion, or past waypoints.

use thiserror::Error;

use crate::motion::{Motion, Pose};
use crate::numeric::short;

/// Why waypoints are no way.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum RouteError {
    /// There are none.
    #[error("there are no waypoints: at least one is needed")]
    Empty,
    /// The first is not at the start, or the last not at the end.
    #[error(
        "the waypoints are from time {} to {}: several must be from 0 to 1",
        short(*first),
        short(*last)
    )]
    Ends {
        /// The time of the first.
        first: f64,
        /// The time of the last.
        last: f64,
    },
    /// A time that is not later than the one before.
    #[error(
        "waypoint {index} is at time {}, and the one before at {}: times must rise",
        short(*time),
        short(*before)
    )]
    Order {
        /// Which, from 0.
        index: usize,
        /// Its time.
        time: f64,
        /// That of the one before.
        before: f64,
    },
}

/// Where one body is at given times; between them it moves along the screw from each pose to the
/// next, turning the shorter way: by at most a half-turn from waypoint to waypoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Waypoints {
    points: Vec<(f64, Pose)>,
}

impl Waypoints {
    /// Poses at times that rise from 0 to 1, or one pose alone: a body that stays there.
    ///
    /// *Accepts* any poses. *Guarantees* to pass each of them at its time. *Cost* linear. *Fails*
    /// on times that do not rise from 0 to 1.
    pub fn new(points: impl IntoIterator<Item = (f64, Pose)>) -> Result<Self, RouteError> {
        let points: Vec<(f64, Pose)> = points.into_iter().collect();
        let (Some(&(first, _)), Some(&(last, _))) = (points.first(), points.last()) else {
            return Err(RouteError::Empty);
        };
        for (index, pair) in points.windows(2).enumerate() {
            let [(before, _), (time, _)] = [pair[0], pair[1]];
            // NaN is not later than anything.
            if !matches!(time.partial_cmp(&before), Some(std::cmp::Ordering::Greater)) {
                return Err(RouteError::Order { index: index + 1, time, before });
            }
        }
        if points.len() > 1 && [first, last] != [0.0, 1.0] {
            return Err(RouteError::Ends { first, last });
        }
        Ok(Self { points })
    }

    /// The same at even times.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`Waypoints::new`].
    pub fn evenly(poses: impl IntoIterator<Item = Pose>) -> Result<Self, RouteError> {
        let poses: Vec<Pose> = poses.into_iter().collect();
        let last = (poses.len().max(2) - 1) as f64;
        Self::new(poses.into_iter().enumerate().map(|(i, pose)| (i as f64 / last, pose)))
    }

    /// A body that stays where it is.
    pub fn still(pose: Pose) -> Self {
        Self { points: vec![(0.0, pose)] }
    }

    /// The pose at a time in `[0, 1]`; beyond that the first or the last.
    pub fn pose_at(&self, t: f64) -> Pose {
        let next = self.points.partition_point(|(time, _)| *time <= t);
        match (next.checked_sub(1).map(|last| self.points[last]), self.points.get(next)) {
            (Some((from, start)), Some(&(to, end))) if t > from && start != end => {
                Motion::between(start, end).pose_at((t - from) / (to - from))
            }
            (Some((_, pose)), _) | (None, Some(&(_, pose))) => pose,
            (None, None) => Pose::IDENTITY,
        }
    }

    /// The motions from each waypoint to the next; of one alone, to stay there.
    pub(super) fn legs(&self) -> impl Iterator<Item = Motion> {
        let alone = (self.points.len() == 1).then(|| Motion::still(self.points[0].1));
        self.points.windows(2).map(|pair| Motion::between(pair[0].1, pair[1].1)).chain(alone)
    }
}

/// How one body moves during a question: by one [`Motion`], or past [`Waypoints`]. Both become one
/// by `into`.
#[derive(Clone, Debug, PartialEq)]
pub enum Trajectory {
    /// By one motion.
    Motion(Motion),
    /// Past waypoints.
    Waypoints(Waypoints),
}

impl Trajectory {
    /// The pose at time 0.
    pub fn start(&self) -> Pose {
        self.pose_at(0.0)
    }

    /// The pose at time 1.
    pub fn end(&self) -> Pose {
        self.pose_at(1.0)
    }

    /// The pose at a time in `[0, 1]`.
    pub fn pose_at(&self, t: f64) -> Pose {
        match self {
            Self::Motion(motion) => motion.pose_at(t),
            Self::Waypoints(way) => way.pose_at(t),
        }
    }

    /// Whether the body stays where it is; a whole turn does not count as staying.
    pub fn is_still(&self) -> bool {
        match self {
            Self::Motion(motion) => motion.is_still(),
            Self::Waypoints(way) => way.legs().all(|leg| leg.is_still()),
        }
    }

    /// The motion, if it is one.
    pub fn motion(&self) -> Option<&Motion> {
        match self {
            Self::Motion(motion) => Some(motion),
            Self::Waypoints(_) => None,
        }
    }

    /// The times at which it passes waypoints.
    pub(super) fn times(&self) -> impl Iterator<Item = f64> {
        let points = match self {
            Self::Motion(_) => &[],
            Self::Waypoints(way) => way.points.as_slice(),
        };
        points.iter().map(|(time, _)| *time)
    }

    /// The motion from one time to another between which there is no waypoint.
    pub(super) fn during(&self, times: [f64; 2]) -> Motion {
        match self {
            Self::Motion(motion) => motion.during(times),
            Self::Waypoints(way) => {
                let [start, end] = times.map(|t| way.pose_at(t));
                Motion::between(start, end)
            }
        }
    }
}

impl From<Motion> for Trajectory {
    fn from(motion: Motion) -> Self {
        Self::Motion(motion)
    }
}

impl From<&Motion> for Trajectory {
    fn from(motion: &Motion) -> Self {
        Self::Motion(*motion)
    }
}

impl From<Waypoints> for Trajectory {
    fn from(way: Waypoints) -> Self {
        Self::Waypoints(way)
    }
}

impl From<&Waypoints> for Trajectory {
    fn from(way: &Waypoints) -> Self {
        Self::Waypoints(way.clone())
    }
}

impl From<&Trajectory> for Trajectory {
    fn from(trajectory: &Trajectory) -> Self {
        trajectory.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64) -> Pose {
        Pose::from_position([x, 0.0, 0.0]).unwrap()
    }

    #[test]
    fn times_must_rise_from_0_to_1() {
        let of = |times: &[f64]| Waypoints::new(times.iter().map(|&t| (t, at(1.0))));
        assert_eq!(of(&[]), Err(RouteError::Empty));
        assert!(of(&[0.4]).is_ok() && of(&[0.0, 1.0]).is_ok());
        assert_eq!(of(&[0.0, 0.5]), Err(RouteError::Ends { first: 0.0, last: 0.5 }));
        let back = RouteError::Order { index: 2, time: 0.5, before: 0.5 };
        assert_eq!(of(&[0.0, 0.5, 0.5, 1.0]), Err(back));
        assert!(matches!(of(&[0.0, f64::NAN, 1.0]), Err(RouteError::Order { index: 1, .. })));
        assert_eq!(
            back.to_string(),
            "waypoint 2 is at time 0.5, and the one before at 0.5: times must rise"
        );
    }

    #[test]
    fn waypoints_at_one_place_are_still() {
        let way = Waypoints::evenly([at(2.0), at(2.0), at(2.0)]).unwrap();
        assert_eq!(way.pose_at(0.3), at(2.0));
        assert!(Trajectory::from(&way).is_still());
        assert!(Trajectory::from(Waypoints::still(at(1.0))).is_still());
        let moves = Waypoints::evenly([at(2.0), at(2.0), at(3.0)]).unwrap();
        assert!(!Trajectory::from(moves).is_still());
    }
}
