//! How far the true relative motion of two bodies leaves the screws that it is taken to be.
//!
//! Let `T(t)` be B's pose as A sees it by both bodies' own motions in one part of a step, and
//! `S(t)` that on the relative screw. They agree at both ends. For a point `x` of B let `d = T x -
//! S x`. With `V(t, y)` the velocity of B's points as A sees them and `W(y)` that on the screw, `w`
//! its turn,
//!
//! ```text
//! d' = V(t, Tx) - W(Sx) = g(t) + w x d        g(t) = V(t, Tx) - W(Tx)
//! ```
//!
//! The last term is at right angles to `d`, so `|d|` changes no faster than `|g|`. Between two
//! times `h` apart, at which `d` and `g` are known, whichever end one comes from,
//!
//! ```text
//!  |d| │    .-*-.            |d(t)| <= (|d0| + |d1| + ∫|g|) / 2
//!      │  *'     '*          ∫|g|   <= h (|g0| + |g1|) / 2 + L h²/4      L >= |g'|
//!      │ /         \
//!      *───────────────*     nodes
//! ```
//!
//! `d` and `g` are affine in `x`, so their sizes are largest at corners of a box. For `L`, in the
//! world: body `i` moves by the flow `wi x (y - o) + ui(t)`, where `ui` is constant for a screw and
//! has the slope `ki = -wi x vi` for a flight whose pivot has the velocity `vi`. Then, with `Δ` for
//! B less A,
//!
//! ```text
//! g'  = V_t + (w_V - w) x V
//! V_t = (wB x wA) x (y - o) + wB x uA - wA x uB + Δk          V = Δw x (y - o) + Δu
//! ```
//!
//! The first is the Lie bracket of both motions: zero where they commute, and then the relative
//! motion is a screw and the bound is rounding. Everything else is bounded over the ways of B's
//! points.

use glam::DVec3;

use super::pose::{MotionError, Pose};
use super::rigid::Flow;
use super::step::{Part, Step};

/// How far the relative motion of two bodies leaves the relative screws of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Departure {
    /// The largest distance that was seen, at nine times of each part: not above the true one, and
    /// below it by a 64th or so.
    pub estimate: f64,
    /// A proven upper bound, rounding included; above the estimate by 3 % at the median of motions
    /// that turn by less than half a radian, and by a third at worst.
    pub bound: f64,
}

impl Departure {
    fn max(self, other: Self) -> Self {
        let Self { estimate, bound } = other;
        Self { estimate: self.estimate.max(estimate), bound: self.bound.max(bound) }
    }
}

/// Pieces of a part between times that are looked at: the bound exceeds the estimate by about the
/// inverse square of it.
const PIECES: u32 = 8;

/// Rounding of a pose, in units of its size: some tens of operations of 1.1e-16 each.
const ROUNDING: f64 = 1e-14;

/// Parts are at least so many times as many as before: a guess that falls short is not repeated for
/// ever.
const LEAST_GROWTH: f64 = 1.1;

impl Step {
    /// How far the true relative motion leaves the relative screws that it is taken to be, for the
    /// points of the smaller body; `bounds` are boxes around A and B, each in its own frame.
    ///
    /// A contact is on both bodies, so what it may be off by is known from either; the smaller one
    /// tells more.
    ///
    /// *Accepts* boxes given by their lowest and highest corners. *Guarantees* that no point of the
    /// smaller box is farther than the bound from where the contacts have it, at any time; zero
    /// where one body stands still and the other moves along a screw, or where neither turns.
    /// *Cost* a few microseconds for each part. *Fails* with `None` if neither box is finite and
    /// the relative motion is no screw.
    ///
    /// ```
    /// use chasles::{Motion, Pose, Screw, Step, glam::DVec3};
    /// // Two wheels turn alike by half a radian, on parallel axles 1.6 apart.
    /// let wheel = |x: f64| {
    ///     let hub = DVec3::X * x;
    ///     let turn = Screw::from_twist(DVec3::Z * 0.5, hub.cross(DVec3::Z * 0.5))?;
    ///     Motion::along(Pose::from_position(hub)?, turn)
    /// };
    /// let step = Step::new(wheel(0.0)?, wheel(1.6)?);
    /// let departure = step.departure([[-DVec3::ONE, DVec3::ONE]; 2]).expect("finite boxes");
    /// assert!((departure.estimate - 1.6 * (1.0 - f64::cos(0.25))).abs() < 1e-12); // 0.0497
    /// assert!(departure.bound >= departure.estimate && departure.bound < 0.051);
    /// # Ok::<(), chasles::motion::MotionError>(())
    /// ```
    pub fn departure(&self, bounds: [[DVec3; 2]; 2]) -> Option<Departure> {
        if self.is_a_screw() {
            return Some(Departure::default());
        }
        let [a, b] = bounds.map(size);
        let (step, [low, high]) = match (a, b) {
            (None, None) => return None,
            (Some(a), Some(b)) if a < b => (self.swapped(), bounds[0]),
            (Some(_), None) => (self.swapped(), bounds[0]),
            _ => (*self, bounds[1]),
        };
        let corners = corners([low, high]);
        let of_part = |index| Watched::new(&step, step.part(index), &corners).departure();
        Some((0..step.parts()).map(of_part).fold(Departure::default(), Departure::max))
    }

    /// The same motion in so many parts that the [departure](Step::departure) is proven to be at
    /// most `length`.
    ///
    /// *Accepts* any length. *Guarantees* that bound, and no fewer parts than now. *Cost* that of a
    /// few departures: their bounds shrink with the square of the parts. *Fails* if
    /// [`Step::MAX_PARTS`] are not enough, and if neither box is finite and the relative motion is
    /// no screw.
    pub fn with_departure_below(
        mut self,
        length: f64,
        bounds: [[DVec3; 2]; 2],
    ) -> Result<Self, MotionError> {
        loop {
            let parts = self.parts();
            let bound = self.departure(bounds).map_or(f64::INFINITY, |departure| departure.bound);
            if bound <= length {
                return Ok(self);
            }
            if parts == Self::MAX_PARTS || !bound.is_finite() {
                return Err(MotionError::Departs { parts, bound, length });
            }
            let growth = (bound / length).sqrt().max(LEAST_GROWTH);
            // A float beyond the range becomes the largest number, and that is clamped.
            self = self.with_parts((f64::from(parts) * growth).ceil() as u32);
        }
    }
}

/// The length of a box's diagonal, if it is finite.
fn size([low, high]: [DVec3; 2]) -> Option<f64> {
    Some((high - low).length()).filter(|size| size.is_finite())
}

fn corners([low, high]: [DVec3; 2]) -> [DVec3; 8] {
    std::array::from_fn(|i| {
        let pick = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
        DVec3::new(pick(0), pick(1), pick(2))
    })
}

/// One part of a step, with what bounds its motion; rates are per part.
struct Watched<'s> {
    step: &'s Step,
    part: Part,
    corners: &'s [DVec3; 8],
    flows: [Flow; 2],
    /// A bound of `|V_t|`, of `|V|`, and of how fast the axis of `V` turns.
    bends: f64,
    speed: f64,
    sways: f64,
    rounding: f64,
}

/// What is known at a time: `|d|` and `|g|` of each corner, and how far both turns differ.
struct Node {
    apart: [f64; 8],
    drifts: [f64; 8],
    unlike: f64,
}

impl<'s> Watched<'s> {
    fn new(step: &'s Step, part: Part, corners: &'s [DVec3; 8]) -> Self {
        let [from, to] = part.times();
        let flows = step.motions().map(|motion| motion.flow().over([from, to]));
        let [a, b] = flows;
        let start = step.pose_of_b(from);
        let origin = start.point(0.5 * (corners[0] + corners[7]));
        let way = |x: &DVec3| {
            let place = start.point(*x);
            place.distance(origin) + b.speed_bound(place)
        };
        let reach = corners.iter().map(way).fold(0.0, f64::max);
        let bracket = b.angular.cross(a.angular).length();
        let at = |t: f64| {
            let [of_a, of_b] = [a.at(t, origin), b.at(t, origin)];
            let bend = b.angular.cross(of_a) - a.angular.cross(of_b) + (b.drift - a.drift);
            [bend.length(), (of_b - of_a).length()]
        };
        // Both are affine in time, so their sizes are largest at an end.
        let [first, last] = [at(0.0), at(1.0)];
        let size = reach + origin.length() + step.pose_of_a(from).position().length();
        let turned = step.motions().map(|motion| motion.angle());
        Self {
            step,
            part,
            corners,
            flows,
            bends: bracket * reach + first[0].max(last[0]),
            speed: (b.angular - a.angular).length() * reach + first[1].max(last[1]),
            sways: bracket,
            rounding: ROUNDING
                * (size + corners[0].length() + corners[7].length())
                * (1.0 + turned[0] + turned[1]),
        }
    }

    fn departure(&self) -> Departure {
        let node = |i: u32| self.node(f64::from(i) / f64::from(PIECES));
        let mut before = node(0);
        let mut all = Departure::default();
        for i in 1..=PIECES {
            let next = node(i);
            let estimate = next.apart.into_iter().fold(0.0, f64::max);
            all = all.max(Departure { estimate, bound: self.bound(&before, &next) });
            before = next;
        }
        all
    }

    fn node(&self, t: f64) -> Node {
        let [from, to] = self.part.times();
        let time = if t == 1.0 { to } else { from + (to - from) * t };
        let [pose_a, pose_b] = [self.step.pose_of_a(time), self.step.pose_of_b(time)];
        let screw = self.part.relative();
        let truly = pose_a.inverse_after(&pose_b);
        let taken = screw.pose_at(t).after(&self.part.b_in_a()[0]);
        let back = pose_a.rotation().conjugate();
        let [a, b] = &self.flows;
        let drift = |x: DVec3| {
            let place = pose_b.point(x);
            let seen = back * (b.at(t, place) - a.at(t, place));
            (seen - screw.flow(truly.point(x))).length()
        };
        let apart = |pose: &Pose, x: DVec3| pose.point(x).distance(taken.point(x));
        Node {
            apart: self.corners.map(|x| apart(&truly, x)),
            drifts: self.corners.map(drift),
            unlike: (back * (b.angular - a.angular) - screw.angular()).length(),
        }
    }

    /// A bound of how fast `|g|` changes between two nodes.
    fn slope(&self, one: &Node, other: &Node) -> f64 {
        let h = 1.0 / f64::from(PIECES);
        let unlike = one.unlike.max(other.unlike) + 0.5 * h * self.sways;
        self.bends + unlike * self.speed
    }

    /// The largest distance between two nodes.
    fn bound(&self, one: &Node, other: &Node) -> f64 {
        let h = 1.0 / f64::from(PIECES);
        let slope = self.slope(one, other);
        let at = |i: usize| {
            let drifts = 0.5 * h * (one.drifts[i] + other.drifts[i]);
            0.5 * (one.apart[i] + other.apart[i] + drifts)
        };
        (0..8).map(at).fold(0.0, f64::max) + slope * h * h / 8.0 + self.rounding
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::motion::{Motion, Screw};

    /// Vectors in a cube.
    struct Vectors(u64);

    impl Vectors {
        fn next(&mut self) -> DVec3 {
            DVec3::from_array([0, 1, 2].map(|_| {
                self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
            }))
        }

        /// About the middle of the world, in free flight, or along a screw.
        fn motion(&mut self, kind: usize) -> Motion {
            let turn = DQuat::from_scaled_axis(3.0 * self.next());
            let spin = 1.5 * self.next();
            let [place, way] =
                if kind == 0 { [DVec3::ZERO; 2] } else { [self.next(), self.next()] };
            let start = Pose::new(place, turn).expect("finite");
            let motion = match kind {
                0 | 1 => Motion::flight(start, way, spin),
                _ => Motion::along(start, Screw::from_twist(spin, way).expect("finite")),
            };
            motion.expect("few turns")
        }
    }

    #[test]
    fn drifts_change_no_faster_than_the_slope_and_bounds_count_it() {
        const FINE: u32 = 8;
        let mut vectors = Vectors(5);
        let corners = corners([DVec3::splat(-0.5), DVec3::splat(0.5)]);
        let h = 1.0 / f64::from(PIECES);
        for case in 0..120 {
            let [a, b] = [case % 3, case / 3 % 3].map(|kind| vectors.motion(kind));
            let step = Step::new(a, b);
            let watched = Watched::new(&step, step.part(0), &corners);
            for from in (0..PIECES).map(|i| f64::from(i) * h) {
                let nodes: Vec<Node> = (0..=FINE)
                    .map(|k| watched.node(from + h * f64::from(k) / f64::from(FINE)))
                    .collect();
                let [one, other] = [&nodes[0], &nodes[FINE as usize]];
                let slope = watched.slope(one, other);
                let most = slope * h / f64::from(FINE) + 1e-12;
                for i in 0..8 {
                    let mut pairs = nodes.windows(2);
                    let change = |n: &[Node]| (n[1].drifts[i] - n[0].drifts[i]).abs();
                    assert!(pairs.all(|pair| change(pair) <= most), "case {case}, {slope}");
                    // The drift rises from both ends as fast as it may, up to where they meet.
                    let [g0, g1] = [one.drifts[i], other.drifts[i]];
                    let tent =
                        0.5 * h * (g0 + g1) + 0.25 * (slope * h * h - (g1 - g0).powi(2) / slope);
                    let farthest = 0.5 * (one.apart[i] + other.apart[i] + tent);
                    assert!(watched.bound(one, other) >= farthest, "case {case}, corner {i}");
                }
            }
        }
    }
}
