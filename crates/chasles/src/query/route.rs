//! Motions that front-door questions take: one step, or many along waypoints.

use thiserror::Error;

use crate::motion::{Motion, Pose, Step};
use crate::numeric::short;

/// One piece of a motion: two bodies that move along one step, from one time to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// How the bodies move.
    pub step: Step,
    /// When the piece begins and ends, as fractions of the whole motion.
    pub times: [f64; 2],
}

impl Piece {
    /// A time of the step as one of the whole motion.
    pub(super) fn whole(&self, t: f64) -> f64 {
        let [from, to] = self.times;
        if [from, to] == [0.0, 1.0] { t } else { from + (to - from) * t }
    }

    /// The part of a window of the whole motion that is in this piece, in times of the step; none
    /// if there is none. A little wider than that, but for a piece that is the whole motion.
    pub(super) fn local(&self, window: [f64; 2]) -> Option<[f64; 2]> {
        let [from, to] = self.times;
        if [from, to] == [0.0, 1.0] {
            return Some(window);
        }
        let is_in = window[0] <= to && window[1] >= from;
        let inner = |t: f64| (t - from) / (to - from);
        is_in.then(|| [inner(window[0]) - WIDER, inner(window[1]) + WIDER])
    }
}

/// More than the rounding of a time in a piece, less than what tells two contacts apart.
const WIDER: f64 = 1e-9;

pub(super) mod sealed {
    use super::{Piece, Step};

    /// A motion as pieces in the order of time.
    pub trait Pieces: Sync {
        /// How many there are.
        fn count(&self) -> usize;
        /// One of them.
        fn piece(&self, index: usize) -> Piece;
    }

    impl Pieces for Step {
        fn count(&self) -> usize {
            1
        }

        fn piece(&self, _: usize) -> Piece {
            Piece { step: *self, times: [0.0, 1.0] }
        }
    }

    impl Pieces for super::Route {
        fn count(&self) -> usize {
            self.pieces.len()
        }

        fn piece(&self, index: usize) -> Piece {
            self.pieces[index]
        }
    }
}

/// How two bodies move: a [`Step`], or a [`Route`] of many.
///
/// No other type can be one.
pub trait Moves: sealed::Pieces {}

impl Moves for Step {}
impl Moves for Route {}

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
/// next.
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
            (Some((from, start)), Some(&(to, end))) if t > from => {
                Motion::between(start, end).pose_at((t - from) / (to - from))
            }
            (Some((_, pose)), _) | (None, Some(&(_, pose))) => pose,
            (None, None) => Pose::IDENTITY,
        }
    }

    fn times(&self) -> impl Iterator<Item = f64> {
        self.points.iter().map(|(time, _)| *time)
    }
}

/// Two bodies that each pass their waypoints.
///
/// The motion is cut where either has one, so that each piece is a [`Step`].
///
/// ```
/// use chasles::Pose;
/// use chasles::query::{Geometry, Options, Route, Waypoints, Workspace, first_contact};
///
/// let ball = Geometry::sphere(0.5)?;
/// let at = |x: f64, y: f64| Pose::from_position([x, y, 0.0]);
/// // Past the other ball, up, and back over it.
/// let way = Waypoints::evenly([at(-3.0, 2.0)?, at(3.0, 2.0)?, at(3.0, 0.0)?, at(-3.0, 0.0)?])?;
/// let route = Route::new(&Waypoints::still(Pose::IDENTITY), &way);
/// let options = Options::default();
/// let hit = first_contact(&ball, &ball, &route, &options, &mut Workspace::new())?;
/// // In the last third, after two of the six units of length: at 2/3 + 1/9.
/// assert!((hit.expect("a hit").time - 7.0 / 9.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    pieces: Vec<Piece>,
}

impl Route {
    /// The motion of A and B.
    ///
    /// *Accepts* any waypoints. *Guarantees* that the bodies pass all of them; between two times at
    /// which either has one, the relative motion is one screw. *Cost* linear in both. *Fails*
    /// never.
    pub fn new(a: &Waypoints, b: &Waypoints) -> Self {
        let mut times: Vec<f64> = a.times().chain(b.times()).chain([0.0, 1.0]).collect();
        // A body that stays may say when; that is no time at which anything changes.
        times.retain(|t| (0.0..=1.0).contains(t));
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        let motion = |way: &Waypoints, [from, to]: [f64; 2]| {
            Motion::between(way.pose_at(from), way.pose_at(to))
        };
        let piece = |pair: &[f64]| {
            let times = [pair[0], pair[1]];
            Piece { step: Step::new(motion(a, times), motion(b, times)), times }
        };
        Self { pieces: times.windows(2).map(piece).collect() }
    }

    /// The steps in the order of time.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
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
    fn a_route_is_cut_where_either_body_has_a_waypoint() {
        let a = Waypoints::evenly([at(0.0), at(1.0), at(3.0)]).unwrap();
        let b = Waypoints::new([(0.0, at(9.0)), (0.25, at(8.0)), (1.0, at(5.0))]).unwrap();
        let route = Route::new(&a, &b);
        let times: Vec<[f64; 2]> = route.pieces().iter().map(|piece| piece.times).collect();
        assert_eq!(times, [[0.0, 0.25], [0.25, 0.5], [0.5, 1.0]]);
        let ends = route.pieces().iter().map(|p| p.step.motions().map(|m| m.end().position().x));
        assert_eq!(ends.collect::<Vec<_>>(), [[0.5, 8.0], [1.0, 7.0], [3.0, 5.0]]);
        let still = Waypoints::still(at(2.0));
        assert_eq!(Route::new(&still, &still).pieces().len(), 1);
        assert_eq!(still.pose_at(0.7), at(2.0));
    }

    #[test]
    fn a_window_is_seen_by_the_pieces_it_meets() {
        let way = Waypoints::evenly([at(0.0), at(1.0), at(2.0)]).unwrap();
        let route = Route::new(&way, &Waypoints::still(at(0.0)));
        let [first, second] = [route.pieces()[0], route.pieces()[1]];
        assert_eq!(second.local([0.0, 0.4]), None);
        let [from, to] = first.local([0.25, 0.75]).unwrap();
        assert!((from - 0.5).abs() < 1e-8 && (to - 1.5).abs() < 1e-8, "{from} {to}");
        assert_eq!(second.whole(0.5), 0.75);
    }
}
