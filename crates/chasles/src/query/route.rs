//! Motions that front-door questions take: one step, or many along waypoints.

use glam::DVec3;

use super::geometry::Geometry;
use super::trajectory::Trajectory;
use crate::motion::{Departure, MotionError, Step};

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

/// A step in so many parts that its departure is at most what is asked for; as it is if nothing is.
pub(super) fn cut(
    step: &Step,
    max_departure: Option<f64>,
    bodies: [&Geometry; 2],
) -> Result<Step, MotionError> {
    match max_departure {
        None => Ok(*step),
        Some(length) => step.with_departure_below(length, bodies.map(Geometry::bounds)),
    }
}

/// More than the rounding of a time in a piece, less than what tells two contacts apart.
const WIDER: f64 = 1e-9;

pub(super) mod sealed {
    use super::{Piece, Step};
    use crate::motion::Pose;
    use crate::query::options::Options;

    /// A motion as pieces in the order of time.
    pub trait Pieces: Sync {
        /// How many there are.
        fn count(&self) -> usize;
        /// One of them.
        fn piece(&self, index: usize) -> Piece;

        /// Where A and B are when the window of some options begins, as contacts see it.
        fn starts(&self, options: &Options) -> [Pose; 2] {
            // NaN is no time, and there are no contacts then.
            let from = options.window[0];
            let time = if from > 0.0 { from.min(1.0) } else { 0.0 };
            let is_in = |piece: &Piece| time <= piece.times[1];
            let index = (0..self.count()).find(|&i| is_in(&self.piece(i))).unwrap_or(0);
            let Piece { step, times: [from, to] } = self.piece(index);
            match (time - from) / (to - from) {
                0.0 => step.motions().map(|motion| motion.start()),
                local => [step.pose_of_a(local), step.pose_of_b_by_relative(local)],
            }
        }
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

/// How two bodies with trajectories move.
#[expect(clippy::large_enum_variant, reason = "it is made for one query, on the stack")]
pub(super) enum Together {
    Step(Step),
    Route(Route),
}

impl Together {
    pub(super) fn new(a: &Trajectory, b: &Trajectory) -> Self {
        match (a, b) {
            (Trajectory::Motion(a), Trajectory::Motion(b)) => Self::Step(Step::new(*a, *b)),
            _ => Self::Route(Route::new(a, b)),
        }
    }
}

impl sealed::Pieces for Together {
    fn count(&self) -> usize {
        match self {
            Self::Step(step) => step.count(),
            Self::Route(route) => route.count(),
        }
    }

    fn piece(&self, index: usize) -> Piece {
        match self {
            Self::Step(step) => step.piece(index),
            Self::Route(route) => route.piece(index),
        }
    }
}

impl Moves for Together {}

/// Two bodies of which one or both pass waypoints.
///
/// The motion is cut where either has one, so that each piece is a [`Step`]. The other body may
/// move by any [`Motion`](crate::Motion).
///
/// ```
/// use chasles::query::{Geometry, Options, Route, Waypoints, Workspace, first_contact};
/// use chasles::{Motion, Pose};
///
/// let ball = Geometry::sphere(0.5)?;
/// let at = |x: f64, y: f64| Pose::from_position([x, y, 0.0]);
/// // Past the other ball, up, and back over it.
/// let way = Waypoints::evenly([at(-3.0, 2.0)?, at(3.0, 2.0)?, at(3.0, 0.0)?, at(-3.0, 0.0)?])?;
/// let route = Route::new(Motion::still(Pose::IDENTITY), way);
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
    /// The motion of A and B, each a [`Motion`](crate::Motion) or
    /// [`Waypoints`](super::Waypoints).
    ///
    /// *Accepts* any of these. *Guarantees* that the bodies pass all waypoints; between two times
    /// at which either has one, the relative motion is that of a [`Step`]: one screw, or several
    /// where a body follows a twist or flies. [`Route::departure`] tells how far it is from both
    /// bodies' own motions. *Cost* linear in both. *Fails* never.
    pub fn new(a: impl Into<Trajectory>, b: impl Into<Trajectory>) -> Self {
        let [a, b] = [a.into(), b.into()];
        let mut times: Vec<f64> = a.times().chain(b.times()).chain([0.0, 1.0]).collect();
        // A body that stays may say when; that is no time at which anything changes.
        times.retain(|t| (0.0..=1.0).contains(t));
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        let piece = |pair: &[f64]| {
            let times = [pair[0], pair[1]];
            Piece { step: Step::new(a.during(times), b.during(times)), times }
        };
        Self { pieces: times.windows(2).map(piece).collect() }
    }

    /// How far the true relative motion leaves the screws that it is taken to be: the largest
    /// [`Step::departure`] of all pieces.
    ///
    /// *Accepts*, *Guarantees* and *Fails* as there. *Cost* some microseconds for each piece.
    pub fn departure(&self, bounds: [[DVec3; 2]; 2]) -> Option<Departure> {
        let mut all = Departure::default();
        for piece in &self.pieces {
            let Departure { estimate, bound } = piece.step.departure(bounds)?;
            all.estimate = all.estimate.max(estimate);
            all.bound = all.bound.max(bound);
        }
        Some(all)
    }

    /// The same motion with steps in so many parts that the [departure](Route::departure) is proven
    /// to be at most `length`.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`Step::with_departure_below`], for each
    /// piece.
    pub fn with_departure_below(
        mut self,
        length: f64,
        bounds: [[DVec3; 2]; 2],
    ) -> Result<Self, MotionError> {
        for piece in &mut self.pieces {
            piece.step = piece.step.with_departure_below(length, bounds)?;
        }
        Ok(self)
    }

    /// The steps in the order of time.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }
}

#[cfg(test)]
mod tests {
    use super::super::trajectory::Waypoints;
    use super::*;
    use crate::motion::{Motion, Pose, Screw};

    fn at(x: f64) -> Pose {
        Pose::from_position([x, 0.0, 0.0]).unwrap()
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
    fn a_body_that_spins_beside_waypoints_spins_in_each_piece() {
        let spin = Screw::about_axis(DVec3::ZERO, DVec3::Z, 12.0, 1.0).unwrap();
        let spinning = Motion::along(Pose::IDENTITY, spin).unwrap();
        let way = Waypoints::evenly([at(5.0), at(6.0), at(7.0)]).unwrap();
        let route = Route::new(spinning, &way);
        assert_eq!(route.pieces().len(), 2);
        // Six radians each: four quarter-turns.
        assert!(route.pieces().iter().all(|piece| piece.step.parts() == 4));
        let [before, after] = [0, 1].map(|i| route.pieces()[i].step.motions()[0]);
        assert!(before.end().position().distance(after.start().position()) < 1e-14);
        // Seen from the body that spins the other one goes round: cut finely, nearly so.
        let bounds = [[-DVec3::ONE, DVec3::ONE]; 2];
        let departure = route.departure(bounds).unwrap();
        assert!(departure.bound > 0.02);
        let fine = route.with_departure_below(0.01, bounds).unwrap();
        assert!(fine.departure(bounds).unwrap().bound <= 0.01);
        assert!(fine.pieces().iter().all(|piece| piece.step.parts() > 4));
    }

    #[test]
    fn a_window_is_seen_by_the_pieces_it_meets() {
        let way = Waypoints::evenly([at(0.0), at(1.0), at(2.0)]).unwrap();
        let route = Route::new(&way, Waypoints::still(at(0.0)));
        let [first, second] = [route.pieces()[0], route.pieces()[1]];
        assert_eq!(second.local([0.0, 0.4]), None);
        let [from, to] = first.local([0.25, 0.75]).unwrap();
        assert!((from - 0.5).abs() < 1e-8 && (to - 1.5).abs() < 1e-8, "{from} {to}");
        assert_eq!(second.whole(0.5), 0.75);
    }
}
