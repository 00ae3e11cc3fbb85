//! Whether balls around two bodies may meet on the screw between their end poses.
//!
//! Two bodies that go from pose to pose move on one relative screw, and where they turn far it may
//! lead one through the other from any distance: two bodies that stand side by side and each make a
//! half-turn have not turned against each other, so as one sees it the other goes straight through
//! it to its far side. So no box around each body alone can part such a pair. The middles tell.
//!
//! *The screw.* Let `d0`, `d1` be the vectors from A's middle to B's when the step begins and ends,
//! and `QA`, `QB` how the bodies turn, all in the world's axes. In A's axes as they are at the
//! start, from A's middle, B's middle goes
//!
//! ```text
//! from p = d0  to q = QA⁻¹ d1,  turned by  QA⁻¹ QB = (w, v),   w = cos(ψ/2),  v = u sin(ψ/2)
//! ```
//!
//! on a helix about `u` by `ψ <= π`. Along `u` it moves evenly from `p . u` to `q . u`; across it,
//! with `p'`, `q'` for what is left of `p` and `q` and `e = q' - p'`, it keeps the distance `r`
//! from the axis through `m`:
//!
//! ```text
//! sin(ψ/2) m = sin(ψ/2) (p' + q') / 2 + w (u x e) / 2          sin(ψ/2) r = |e| / 2
//! ```
//!
//! A's middle is the origin. It stays at least `| |m| - r |` away across the axis, and it is beside
//! the helix only while `p . u + t (q - p) . u` is near 0. What is left of the helix is cut into
//! pieces: one that turns by `φ` leaves its chord by at most `r φ² / 8`.

use glam::{DQuat, DVec3};

use crate::motion::Motion;
use crate::numeric::Elementary;

/// Where the middle of a body is when its motion begins and ends, and how the body turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
    ends: [DVec3; 2],
    turn: DQuat,
    /// No point of the body that counts is farther from its middle.
    radius: f64,
    /// No coordinate is larger.
    far: f64,
}

/// Rounding of places: some tens of operations of 1.1e-16 each.
const ROUNDING: f64 = 1e-13;

/// Below this sine of half the turn the helix is as good as its chord, and its axis is far away.
const STRAIGHT: f64 = 1e-6;

/// Above this cosine of half the turn it is clear which way round a turn goes.
const HALF_TURN: f64 = 1e-8;

/// Pieces of a helix at most: each leaves its chord by a 400th of that at most.
const MOST_PIECES: f64 = 16.0;

impl Track {
    /// The track of a body with this middle, in its frame, and a ball around that.
    pub(super) fn new(motion: &Motion, middle: DVec3, radius: f64) -> Self {
        let poses = [motion.start(), motion.end()];
        let ends = poses.map(|pose| pose.point(middle));
        let turn = (poses[1].rotation() * poses[0].rotation().conjugate()).normalize();
        let far = poses.iter().map(|pose| pose.position().length()).fold(0.0, f64::max);
        Self { ends, turn, radius, far: far + middle.length() }
    }

    /// Whether the balls may meet on the screw between the poses of the bodies.
    ///
    /// *Accepts* two bodies that go from pose to pose. *Guarantees* true if they meet. *Cost* some
    /// 20 ns where they stay far apart. *Fails* never.
    pub(super) fn may_meet(&self, other: &Self) -> bool {
        let to_start = self.turn.conjugate();
        let from = other.ends[0] - self.ends[0];
        let to = to_start * (other.ends[1] - self.ends[1]);
        let rounding = ROUNDING * (self.far + other.far);
        let near = self.radius + other.radius + rounding;
        let turn = to_start * other.turn;
        // The shorter way round.
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let sine = turn.xyz().length();
        if sine < STRAIGHT {
            // A chord of length 1 is left by less than this.
            let bend = STRAIGHT * from.distance(to);
            return chord_distance(from, to) <= near + bend;
        }
        let helix = Helix::new([from, to], turn.xyz() / sine, [sine, turn.w]);
        helix.may_come_near(near, rounding)
    }
}

/// How far the origin is from a segment.
fn chord_distance(from: DVec3, to: DVec3) -> f64 {
    let chord = to - from;
    let along = -from.dot(chord) / chord.length_squared();
    // No chord, or one so short that its square vanishes: either end will do.
    let along = if along.is_finite() { along.clamp(0.0, 1.0) } else { 0.0 };
    (from + along * chord).length()
}

/// A helix from a point on, by at most a half-turn.
struct Helix {
    axis: DVec3,
    /// Where it begins and ends along the axis.
    along: [f64; 2],
    /// Across the axis: where it begins, and from there to where it ends.
    start: DVec3,
    chord: DVec3,
    /// The axis, times the sine of half the turn.
    centre: DVec3,
    /// Sine and cosine of half the turn.
    half: [f64; 2],
}

impl Helix {
    fn new([from, to]: [DVec3; 2], axis: DVec3, [sine, cosine]: [f64; 2]) -> Self {
        let along = [from, to].map(|point| point.dot(axis));
        let start = from - along[0] * axis;
        let end = to - along[1] * axis;
        let chord = end - start;
        let centre = 0.5 * (sine * (start + end) + cosine * axis.cross(chord));
        Self { axis, along, start, chord, centre, half: [sine, cosine] }
    }

    /// Whether the helix may come as near to the origin as this.
    fn may_come_near(&self, near: f64, rounding: f64) -> bool {
        let [sine, cosine] = self.half;
        let [low, high] = [self.along[0].min(self.along[1]), self.along[0].max(self.along[1])];
        if low > near || high < -near {
            return false;
        }
        let off = self.centre.length() - 0.5 * self.chord.length();
        // Both lengths are as large as the places, and so is their rounding.
        if off.abs() > sine * near + rounding {
            return false;
        }
        // Rounding decides which way round a half-turn goes.
        cosine < HALF_TURN || self.pieces_come_near(near + 4.0 * rounding / sine)
    }

    /// The same, by the chords of pieces.
    fn pieces_come_near(&self, near: f64) -> bool {
        let [sine, cosine] = self.half;
        let angle = 2.0 * sine.arctangent_over(cosine);
        let spoke = self.start - self.centre / sine;
        let [from, to] = self.beside(near);
        // One piece would leave its chord by so much.
        let bend = spoke.length() * (angle * (to - from)).powi(2) / 8.0;
        let pieces = (2.0 * bend / near).sqrt().ceil().clamp(1.0, MOST_PIECES);
        let near = near + bend / (pieces * pieces);
        let at = |piece: u32| {
            let time = from + (to - from) * (f64::from(piece) / pieces);
            let (sine_t, cosine_t) = (angle * time).sine_cosine();
            let across = cosine_t * spoke + sine_t * self.axis.cross(spoke);
            let along = self.along[0] + time * (self.along[1] - self.along[0]);
            self.centre / sine + across + along * self.axis
        };
        let mut last = at(0);
        (1..=pieces as u32).any(|piece| {
            let next = at(piece);
            let distance = chord_distance(last, next);
            last = next;
            distance <= near
        })
    }

    /// The times at which the helix is beside the origin along its axis; all if it hardly moves.
    fn beside(&self, near: f64) -> [f64; 2] {
        let speed = self.along[1] - self.along[0];
        let [p, q] = [-near, near].map(|place| (place - self.along[0]) / speed);
        let [from, to] = [p.min(q), p.max(q)].map(|time| time.clamp(0.0, 1.0));
        if from.is_finite() && to.is_finite() { [from, to] } else { [0.0, 1.0] }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::motion::{Pose, Step};

    /// Numbers between -1 and 1 that look random.
    fn vector(seed: &mut u64) -> DVec3 {
        let mut next = || {
            *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*seed >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
        };
        DVec3::new(next(), next(), next())
    }

    /// A motion from pose to pose that turns by an angle.
    fn motion(angle: f64, far: f64, seed: &mut u64) -> Motion {
        let from = DQuat::from_scaled_axis(PI * vector(seed));
        let turn = DQuat::from_scaled_axis(angle * vector(seed).normalize());
        let start = Pose::new(far * vector(seed), from).expect("finite");
        let end = start.position() + vector(seed);
        Motion::between(start, Pose::new(end, turn * from).expect("finite"))
    }

    /// How near two middles come on the screw, by many samples.
    fn nearest(step: &Step, middles: [DVec3; 2]) -> f64 {
        let at = |i: u32| {
            let b = step.b_in_a_by_relative(f64::from(i) / 400.0).point(middles[1]);
            b.distance(middles[0])
        };
        (0..=400).map(at).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn balls_that_meet_on_the_screw_are_told_and_few_others() {
        let mut seed = 5;
        let [mut meeting, mut told] = [0, 0];
        let angles = [0.0, 1e-7, 1e-3, 0.8, 2.0, 3.0, PI - 1e-10, PI];
        for number in 0..12_000 {
            let far = [2.0, 6.0, 1e3][number % 3];
            let [p, q] = [angles[number % 8], angles[number / 8 % 8]];
            let motions = [motion(p, far, &mut seed), motion(q, far, &mut seed)];
            let middles = [vector(&mut seed), 0.2 * vector(&mut seed)];
            let radii = [0.5, 0.1 + 0.2 * vector(&mut seed).x.abs()];
            let tracks = [0, 1].map(|i| Track::new(&motions[i], middles[i], radii[i]));
            let step = Step::new(motions[0], motions[1]);
            let may = tracks[0].may_meet(&tracks[1]);
            let meets = nearest(&step, middles) <= radii[0] + radii[1];
            assert!(may || !meets, "{number}: {step:?}");
            told += usize::from(may);
            meeting += usize::from(meets);
        }
        assert!(meeting > 200 && told < 2 * meeting, "{told} of {meeting}");
    }

    #[test]
    fn half_turns_side_by_side_lead_through_each_other_from_any_distance() {
        let turn = DQuat::from_rotation_z(PI);
        for apart in [3.0, 100.0, 1e4] {
            let motions = [0.0, apart].map(|x| {
                let ends = [DQuat::IDENTITY, turn].map(|q| Pose::new([x, 0.0, 0.0], q));
                let [from, to] = ends.map(|pose| pose.expect("finite"));
                Motion::between(from, to)
            });
            let [a, b] = motions.map(|motion| Track::new(&motion, DVec3::ZERO, 0.5));
            assert!(a.may_meet(&b) && b.may_meet(&a), "{apart}");
            let half_way = Step::new(motions[0], motions[1]).b_in_a_by_relative(0.5);
            assert!(half_way.position().length() < 1e-9 * apart, "{half_way:?}");
        }
    }
}
