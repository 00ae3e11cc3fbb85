//! Boxes in which bodies stay during a motion, and which two may meet.
//!
//! A point of a body that turns about an axis, while the axis moves straight, leaves the chord
//! between two of its places by at most `r φ² / 8`: `r` is its distance from the axis, `φ` the
//! angle between the places, and `r φ²` the size of its acceleration, which is across the axis. So
//! the boxes around the body at both places, grown by that across the axis, hold the whole way:
//!
//! ```text
//!      .-──-.   sagitta          |x(t) - chord| <= max |x''| / 8
//!    *────────*  chord
//! ```
//!
//! Turns are cut until this is small, and a body that turns more than once stays in a ring.
//!
//! *The relative screw.* Contacts are those of a screw that is taken for the relative motion of two
//! bodies; where both move, or one flies, it leaves their own motions ([`Step::departure`]), and
//! boxes around these must be grown by how much. Let the bodies turn by `φA`, `φB`, with `Φ` their
//! sum, and let no point of either move by more than `VA`, `VB`, with `V` their sum. Seen from A, a
//! point of B has an acceleration of at most `(φB + 2 φA) V + φA² D` by its own motion, `D` being
//! its distance from the middle of A, and of `k Φ c` on the screw, `c <= V + φA D` being its chord
//! and `k = (Φ/2) / sin(Φ/2)`. Both leave the chord by an eighth of that. At a touch the point is
//! within the radius `ρ` of A and what it departs by, so `D <= ρ + V + δ`; with `Φ <= 1` and
//! `k <= 1.05` this is
//!
//! ```text
//! δ <= 1.05 Φ V + 0.36 Φ² ρ          for the smaller ρ, since either may be A
//! ```
//!
//! Where bodies are asked for that come within a length of each other, `ρ` is larger by that.
//!
//! Of one body that flies past one that stands only the first terms are left, with `k <= 1.12` for
//! a quarter-turn: `δ <= 0.27 φ V` in each part.
//!
//! *Large turns.* Where a body turns by more, in parts of up to a quarter-turn, the middles of the
//! two tell. Let `D` be their distance when a part begins, and let them stay where they are while A
//! turns by `φ` about `a` and B by no more. Seen from A, B's middle goes from `p` to `q`, both at
//! `D` from A's, on a screw by an angle `ψ <= π` about `u`. Let `m` be the direction of `p + q`,
//! `β` the angle between `a` and `p`, and `s = sin(φ/2)`. Along `m` the screw has
//!
//! ```text
//! the middle of the chord              D √(1 - s² sin²β)
//! the bend of its arc, f(t) (q - p) x u . m / .., inward by at most
//!                                      D s² sin β |cos β| / √(1 - s² sin²β)
//! the pitch against the turn           0.106 D s sin β
//! ```
//!
//! For the bend, write both turns as quaternions with parts `c = cos(φ/2)`, `s` and `c'`, `s'`, and
//! B's axis as `(b1, b2, b3)` along `a`, across it towards `p`, and across both. Then the bend is
//! inward by `D s sin β (c sin β (c s' b1 - c' s) - s' b2 cos β) / ((1 + cos(ψ/2)) √(..))`; the
//! first term is not positive because B turns by no more than A, and the divisor is 1 at least. For
//! the pitch, `q - p` and `m` are at right angles, so the product of their parts along `u` is at
//! most half of `|q - p|`, and a screw by up to a half-turn is ahead of its turn by at most 0.106
//! of its pitch. With `s² <= 1/2` the first less the others is at least `0.449 D`, for any `β`. If
//! the middles move by `W` meanwhile, the end of the screw moves by as much, and all points between
//! by no more. So where the bodies touch, with radii `ρ` about their middles,
//!
//! ```text
//! 0.44 D <= ρA + ρB + WA + WB
//! ```
//!
//! and boxes around the ways of both middles, grown by `(ρ + W) / 0.44` each, overlap. Only of two
//! bodies that go from pose to pose, in one part, and of which one turns by more than a
//! quarter-turn, no box tells: there the screw may lead anywhere, and is asked (`track.rs`).
//!
//! *Waypoints.* A body that passes waypoints has the box around those of its legs, and the largest
//! angle and way of them. A leg may be cut where the other body has a waypoint. What is left of a
//! motion turns and moves by no more, but it may have fewer parts: a share `s` of a turn by `n`
//! quarters is cut into at least `s n` parts, so it moves by at most `1/n` of the whole way in
//! each.
//!
//! *Steps that are cut* until screws leave the bodies' own motions by no more than a length need no
//! more than the boxes around these, grown by half of that length each.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_8, PI, TAU};

use glam::{DMat3, DVec3};

use super::geometry::Geometry;
use super::track::Track;
use super::trajectory::Trajectory;
use crate::bounds::Aabb;
use crate::motion::{Motion, Pose, Spin};
use crate::numeric::Elementary;
use crate::round::Kind;

/// Bodies that turn by no more than this are told apart by how far screws leave their own motions:
/// above it the distances of middles are tighter.
const SMALL_TURN: f64 = 0.5;

/// The share of their distance that middles of bodies keep in a part, at least.
const KEPT: f64 = 0.44;

/// Where a body may be during a motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    /// Holds the body during its own motion, and on the screw past any body that stands.
    pub(super) around: Aabb,
    /// Overlaps that of any other moving body that it meets on screws by up to a quarter-turn.
    pub(super) wide: Aabb,
    pub(super) moves: bool,
    is_straight: bool,
    is_flight: bool,
    counts_turns: bool,
    /// Whether steps are cut until screws are as near to the body's own motion as the slack says.
    is_cut: bool,
    /// By how much it turns, on a leg at most.
    angle: f64,
    /// No point of it goes farther.
    way: f64,
    /// The radius of the ball about its middle.
    radius: f64,
    /// Its share of how far apart surfaces may be that a method reports.
    slack: f64,
    /// None past waypoints.
    track: Option<Track>,
}

/// How far apart bodies may be between which contacts are reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slack {
    /// The share of one body.
    pub(super) length: f64,
    /// Whether this allows for all by which screws leave the bodies' own motions.
    pub(super) is_cut: bool,
}

impl Slack {
    /// Allows for a bound of the departure, if there is one.
    pub(super) fn new(length: f64, max_departure: Option<f64>) -> Self {
        // What is no length is refused where it is asked for.
        let half = max_departure.map_or(0.0, |departure| 0.5 * departure.max(0.0));
        Self { length: length + half, is_cut: max_departure.is_some() }
    }
}

impl Sweep {
    /// The sweep of a body.
    pub(super) fn new(geometry: &Geometry, trajectory: &Trajectory, slack: Slack) -> Self {
        match trajectory {
            Trajectory::Motion(motion) => Self::of_motion(geometry, motion, slack),
            Trajectory::Waypoints(way) => {
                let legs = way.legs().map(|leg| Self::of_motion(geometry, &leg, slack));
                let all = legs.reduce(|all, leg| all.join(&leg)).expect("waypoints have a leg");
                Self { track: None, ..all }
            }
        }
    }

    /// What holds for two legs of a way.
    fn join(&self, other: &Self) -> Self {
        Self {
            around: self.around.join(&other.around),
            wide: self.wide.join(&other.wide),
            moves: self.moves || other.moves,
            is_straight: self.is_straight && other.is_straight,
            angle: self.angle.max(other.angle),
            way: self.way.max(other.way),
            ..*self
        }
    }

    fn of_motion(geometry: &Geometry, motion: &Motion, slack: Slack) -> Self {
        let [low, high] = geometry.bounds();
        let middle = 0.5 * (low + high);
        let half = 0.5 * (high - low);
        let is_bounded = half.is_finite();
        let body = Body::new(geometry, middle, half);
        let everywhere = Aabb { low: DVec3::NEG_INFINITY, high: DVec3::INFINITY };
        let mut sweep = Self {
            around: everywhere,
            wide: everywhere,
            moves: !motion.is_still(),
            is_straight: motion.is_straight(),
            is_flight: motion.is_flight(),
            counts_turns: motion.counts_turns(),
            is_cut: slack.is_cut,
            angle: motion.angle(),
            way: f64::INFINITY,
            radius: half.length(),
            slack: slack.length,
            track: None,
        };
        if is_bounded {
            let spin = motion.spin();
            let (around, reach) = body.swept(motion, &spin);
            // Points around the core turn about the axis too.
            sweep.way = spin.linear.length() + sweep.angle * (reach + body.radius);
            let far = around.low.abs().max(around.high.abs()).max_element();
            let grown = slack.length + ROUNDING * (far + sweep.way) + TOUCH * sweep.radius;
            sweep.around = around.grown(DVec3::splat(grown + sweep.departure_past_still()));
            let pole = Body { middle, core: Core::Segment(DVec3::ZERO), radius: 0.0 };
            let (path, reach) = pole.swept(motion, &spin);
            let way = (spin.linear.length() + sweep.angle * reach) / sweep.parts();
            let ball = sweep.radius * (1.0 + TOUCH) + slack.length;
            sweep.track = Some(Track::new(motion, middle, ball));
            sweep.wide = path.grown(DVec3::splat((sweep.radius + way + grown) / KEPT));
        }
        sweep
    }

    /// The whole way is at least so many times as long as that in a part, of any piece of the
    /// motion, unless both bodies go from pose to pose.
    fn parts(&self) -> f64 {
        (self.angle / FRAC_PI_2).max(1.0)
    }

    /// How far a flight may be from the screws past a body that stands.
    fn departure_past_still(&self) -> f64 {
        if !self.is_flight || self.is_cut {
            return 0.0;
        }
        let parts = self.parts();
        0.27 * (self.angle / parts) * (self.way / parts)
    }

    /// Whether the body has no end.
    pub(super) fn is_everywhere(&self) -> bool {
        self.way == f64::INFINITY
    }

    /// Whether wide boxes tell more about the body and others that move.
    pub(super) fn turns_much(&self) -> bool {
        !self.is_cut && self.angle > SMALL_TURN
    }

    /// The angle, of bodies that turn little.
    pub(super) fn small_angle(&self) -> f64 {
        if self.turns_much() { 0.0 } else { self.angle }
    }

    /// How much the box must grow so that no two moving bodies that turn by at most `largest` each
    /// are parted wrongly: half of the departure of two bodies like this.
    pub(super) fn margin(&self, largest: f64) -> f64 {
        if self.is_cut {
            return 0.0;
        }
        let sum = 2.0 * largest;
        1.05 * sum * self.way + 0.18 * sum * sum * (self.radius + 2.0 * self.slack)
    }

    /// Whether the relative motion is truly a screw, or so nearly that the slack allows for it.
    pub(super) fn is_a_screw(&self, other: &Self) -> bool {
        let alone = |still: &Self, other: &Self| !still.moves && !other.is_flight;
        self.is_cut
            || self.is_straight && other.is_straight
            || alone(self, other)
            || alone(other, self)
    }

    /// Whether the body goes from pose to pose and turns so far that boxes tell nothing about it
    /// and others that do.
    pub(super) fn turns_far(&self) -> bool {
        self.moves && !self.is_cut && !self.counts_turns && self.angle > FRAC_PI_2
    }

    /// Whether boxes cannot part the two: they both move from pose to pose, and turn far.
    pub(super) fn is_beyond_boxes(&self, other: &Self) -> bool {
        let both = self.moves && other.moves;
        let counts_turns = self.counts_turns || other.counts_turns;
        let far = !counts_turns && (self.turns_far() || other.turns_far());
        both && far && !self.is_a_screw(other)
    }

    /// Whether the bodies may meet on the screw of any step that is cut from their motions; what is
    /// [beyond boxes](Sweep::is_beyond_boxes) always may.
    pub(super) fn may_meet(&self, other: &Self) -> bool {
        if self.is_everywhere() || other.is_everywhere() || self.is_beyond_boxes(other) {
            return true;
        }
        let mut around = self.around;
        if self.moves && other.moves && !self.is_a_screw(other) {
            if self.turns_much() || other.turns_much() {
                return self.wide.overlaps(&other.wide);
            }
            let sum = self.angle + other.angle;
            let least = self.radius.min(other.radius) + self.slack + other.slack;
            let departure = 1.05 * sum * (self.way + other.way) + 0.36 * sum * sum * least;
            around = around.grown(DVec3::splat(departure));
        }
        around.overlaps(&other.around)
    }

    /// The bodies are apart by at least this at all times: 0 where boxes do not tell.
    pub(super) fn apart(&self, other: &Self) -> f64 {
        if self.is_everywhere() || other.is_everywhere() || !self.is_a_screw(other) {
            return 0.0;
        }
        let [p, q] = [&self.around, &other.around];
        let between = (p.low - q.high).max(q.low - p.high).max(DVec3::ZERO);
        between.length()
    }

    /// Whether balls around two bodies beyond boxes may meet on the screw of their step. Past
    /// waypoints they always may.
    pub(super) fn may_meet_on_screw(&self, other: &Self) -> bool {
        if self.is_everywhere() || other.is_everywhere() {
            return true;
        }
        let (Some(own), Some(others)) = (&self.track, &other.track) else { return true };
        own.may_meet(others)
    }
}

/// Rounding of coordinates, and of ways: some tens of operations of 1.1e-16 each.
const ROUNDING: f64 = 1e-13;

/// What is this share of a body's size away still touches: the round method with cylinders, cones
/// and ellipsoids is good to 1e-10.
const TOUCH: f64 = 1e-9;

/// What holds a body in its frame: all points within a radius of a box, or of a segment.
struct Body {
    middle: DVec3,
    core: Core,
    radius: f64,
}

/// What is around the middle.
enum Core {
    /// Half of the sides of a box along the axes of the frame.
    Box(DVec3),
    /// From the middle to an end of a segment.
    Segment(DVec3),
}

impl Body {
    /// A sphere or a capsule as it is, which does not grow when it turns; others in their box.
    fn new(geometry: &Geometry, middle: DVec3, half: DVec3) -> Self {
        match geometry.round() {
            Some(round) if matches!(round.kind(), Kind::Sphere | Kind::Capsule) => {
                let [from, to] = round.ends();
                let core = Core::Segment(0.5 * (to - from));
                Self { middle: 0.5 * from + 0.5 * to, core, radius: round.radius() }
            }
            _ => Self { middle, core: Core::Box(half), radius: 0.0 },
        }
    }

    /// The box around the body at a pose.
    fn at(&self, pose: &Pose) -> Aabb {
        let reach = match self.core {
            Core::Segment(half) => pose.vector(half).abs(),
            Core::Box(half) => {
                let turn = DMat3::from_quat(pose.rotation());
                let DVec3 { x, y, z } = half;
                turn.x_axis.abs() * x + turn.y_axis.abs() * y + turn.z_axis.abs() * z
            }
        };
        let middle = pose.point(self.middle);
        Aabb { low: middle - reach, high: middle + reach }.grown(DVec3::splat(self.radius))
    }

    /// The box around the body's way, and the largest distance of its core from the axis.
    fn swept(&self, motion: &Motion, spin: &Spin) -> (Aabb, f64) {
        let ends = [motion.start(), motion.end()];
        let both = self.at(&ends[0]).join(&self.at(&ends[1]));
        if motion.is_straight() {
            return (both, 0.0);
        }
        let angle = motion.angle();
        let axis = spin.angular / angle;
        let Range { along, reach } = self.about(&ends[0], spin.through, axis);
        // How far something across the axis reaches along x, y and z.
        let DVec3 { x, y, z } = axis;
        let across = DVec3::new(y.hypotenuse(z), z.hypotenuse(x), x.hypotenuse(y));
        // Rounding decides which way round a half-turn goes, and screws may take the other.
        let is_half = !motion.counts_turns() && angle > PI - 1e-6;
        if angle > TAU || is_half {
            let ends = along.map(|s| spin.through + s * axis);
            let core = Aabb::around(ends.into_iter().flat_map(|p| [p, p + spin.linear]));
            return (core.grown(across * reach + self.radius), reach);
        }
        let pieces = (angle / FRAC_PI_8).ceil().max(1.0);
        let turn = angle / pieces;
        let at = |piece: u32| self.at(&motion.pose_at(f64::from(piece) / pieces));
        let places = (1..pieces as u32).map(at).fold(both, |all, one| all.join(&one));
        (places.grown(across * (reach * turn * turn / 8.0)), reach)
    }

    /// Where along an axis through a point the core is, and how far from the axis it reaches.
    fn about(&self, pose: &Pose, through: DVec3, axis: DVec3) -> Range {
        let corners = (0..8_u32).map(|corner| {
            let side = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let to_corner = match self.core {
                Core::Box(half) => DVec3::new(side(0), side(1), side(2)) * half,
                Core::Segment(half) => side(0) * half,
            };
            pose.point(self.middle + to_corner) - through
        });
        let start = Range { along: [f64::INFINITY, f64::NEG_INFINITY], reach: 0.0 };
        corners.fold(start, |Range { along: [low, high], reach }, corner| {
            let s = corner.dot(axis);
            let away = (corner - s * axis).length();
            Range { along: [low.min(s), high.max(s)], reach: reach.max(away) }
        })
    }
}

struct Range {
    along: [f64; 2],
    reach: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::{Cuboid, Shape};
    use crate::motion::{Screw, Step};
    use glam::DQuat;

    /// Numbers between -1 and 1 that look random.
    fn vector(seed: &mut u64) -> DVec3 {
        let mut next = || {
            *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*seed >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
        };
        DVec3::new(next(), next(), next())
    }

    fn motions(angle: f64, seed: &mut u64) -> [Motion; 4] {
        let pose = |seed: &mut u64| {
            Pose::new(4.0 * vector(seed), DQuat::from_scaled_axis(vector(seed))).unwrap()
        };
        let start = pose(seed);
        let angular = angle * vector(seed).normalize();
        let [through, linear] = [5.0 * vector(seed), 2.0 * vector(seed)];
        let twist = Screw::from_twist(angular, linear - angular.cross(through)).unwrap();
        let pivot = 0.5 * vector(seed);
        [
            Motion::between(start, pose(seed)),
            Motion::along(start, twist).unwrap(),
            Motion::flight_about(pivot, start, linear, angular).unwrap(),
            Motion::still(start),
        ]
    }

    #[test]
    fn boxes_hold_bodies_at_all_times() {
        let size = [0.4, 1.0, 2.5];
        let bar = Geometry::shape(&Shape::Box(Cuboid { size })).unwrap();
        let mesh = bar.collider().unwrap().mesh();
        // A capsule around points of its own.
        let ends = [DVec3::new(-0.3, 0.2, 0.9), DVec3::new(0.4, 1.1, -0.5)];
        let pill = Geometry::capsule(ends, 0.3).unwrap();
        let around = [DVec3::X, DVec3::NEG_Y, DVec3::ONE.normalize()].map(|d| 0.3 * d);
        let points: Vec<DVec3> = ends.iter().flat_map(|end| around.map(|d| *end + d)).collect();
        let mut seed = 1;
        for angle in [0.0, 1e-9, 0.01, 0.3, 1.0, 3.0, 6.2, 6.3, 40.0] {
            for _ in 0..40 {
                for motion in motions(angle, &mut seed) {
                    holds(&bar, mesh.positions(), &motion);
                    holds(&pill, &points, &motion);
                }
            }
        }
    }

    const NONE: Slack = Slack { length: 0.0, is_cut: false };

    fn holds(body: &Geometry, points: &[DVec3], motion: &Motion) {
        let Aabb { low, high } = Sweep::of_motion(body, motion, NONE).around;
        let steps = (64.0 * (1.0 + motion.angle())).floor();
        for i in 0..=steps as u32 {
            let pose = motion.pose_at(f64::from(i) / steps);
            for p in points.iter().map(|&point| pose.point(point)) {
                assert!(p.cmpge(low).all() && p.cmple(high).all(), "{motion:?} {i}");
            }
        }
    }

    #[test]
    fn boxes_are_tight_around_bodies_that_turn_about_their_middle() {
        let body = Geometry::shape(&Shape::Box(Cuboid { size: [1.0; 3] })).unwrap();
        let at = |angle: f64| {
            let turn = Screw::from_twist(DVec3::Z * angle, DVec3::ZERO).unwrap();
            let motion = Motion::along(Pose::IDENTITY, turn).unwrap();
            Sweep::of_motion(&body, &motion, NONE).around.high
        };
        // Half the side, and a corner that turns by so much; never more than the ball.
        for angle in [1e-6, 0.01, 0.1, 0.5] {
            let true_reach = 0.5 * (f64::cos(angle) + f64::sin(angle));
            let DVec3 { x, y, z } = at(angle);
            assert!(x >= true_reach && x < true_reach * (1.0 + 0.2 * angle * angle + 1e-8));
            assert!((x - y).abs() < 1e-12 && z < 0.5 + 1e-8);
        }
        assert!(at(6e3).max_element() < 0.5_f64.sqrt() + 1e-8);
        assert!(at(2.0).max_element() < 1.03 * 0.5_f64.sqrt());
    }

    #[test]
    fn boxes_of_a_ring_hold_it_however_little_its_axis_is_tilted() {
        let ball = Geometry::sphere(1e-3).unwrap();
        for tilt in [1e-9, 5e-9, 1e-8, 1.4e-8, 3e-8, 1e-7] {
            let axis = DVec3::new(1.0, tilt, 0.0).normalize();
            let twist = Screw::from_twist(7.0 * axis, DVec3::ZERO).unwrap();
            let motion = Motion::along(Pose::from_position(DVec3::Y).unwrap(), twist).unwrap();
            // On the other side of the axis the ball is farther along x.
            let ring = Sweep::of_motion(&ball, &motion, Slack::new(0.0, None)).around;
            assert!(ring.high.x >= 1e-3 + 2.0 * tilt, "{tilt}: {ring:?}");
            assert!(ring.low.x <= -1e-3 && ring.high.x < 1e-3 + 4.0 * tilt + 1e-11, "{ring:?}");
        }
    }

    /// Middles at the origins of their bodies; those of bodies that turn alike come nearest.
    #[test]
    fn middles_keep_their_share_of_the_distance_on_every_screw() {
        let mut seed = 7;
        let mut least = f64::INFINITY;
        for number in 0..3000 {
            let angle = [0.6, 1.2, FRAC_PI_2, 3.1, 9.0][number % 5];
            let mut turn = || angle * vector(&mut seed).normalize();
            let about_a = turn();
            let about_b = if number % 2 == 0 { turn() } else { about_a };
            let place = |seed: &mut u64| Pose::from_position(4.0 * vector(seed)).unwrap();
            let spins = [about_a, about_b].map(|angular| {
                let linear = if number % 3 == 0 { DVec3::ZERO } else { vector(&mut seed) };
                Motion::flight(place(&mut seed), linear, angular).unwrap()
            });
            let step = Step::new(spins[0], spins[1]);
            let parts = f64::from(step.parts());
            let way: f64 = spins.iter().map(|spin| spin.spin().linear.length() / parts).sum();
            for i in 0..32 * step.parts() {
                let t = f64::from(i) / (32.0 * parts);
                let start = f64::from(i / 32) / parts;
                let apart = |b: Pose, t: f64| b.position().distance(step.pose_of_a(t).position());
                let before = apart(step.pose_of_b(start), start);
                let kept = (apart(step.pose_of_b_by_relative(t), t) + way) / before;
                assert!(kept > KEPT, "{kept} at {t} of {step:?}");
                least = least.min(kept);
            }
        }
        assert!((0.7..0.71).contains(&least), "two quarter-turns alike: {least}");
    }
}
