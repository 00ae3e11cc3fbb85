//! How points of one body move as the other, a solid, sees them.
//!
//! Two motions of a step are known. Under screws [Buss04 §4] a point follows a helix in the solid's
//! frame. Under constant velocities [TOC §2], linear and angular, each body's reference point moves
//! straight while the body turns, and a point `u` of B is, in the frame of S,
//!
//! ```text
//! p(t) = exp(-ωs t) q(t)      q(t) = d + v t + exp(ωb t) u       d, v: of B's point, seen from S's
//! ```
//!
//! Between two times `h` apart any path stays within `M h²/8` of its chord, `M` a bound of its
//! second derivative: the error of linear interpolation. On a helix `M = θ² ρ`, which makes it the
//! bound `ρ φ²/8`, and it is attained. For the other motion
//!
//! ```text
//! p'' = exp(-ωs t) (q'' - 2 ωs x q' + ωs x (ωs x q))
//! M   = |ωb x (ωb x u)| + 2 |ωs| V + |ωs|² (|q| + V h/2)        V = |v| + |ωb x u| >= |q'|
//! ```
//!
//! with `|q|` that of the farther end. Differs from [TOC eq. 2]: that box neither contains the path
//! nor shrinks with the interval, and takes the solid to stand still.

use glam::{DMat3, DVec3};

use crate::motion::{Flight, Pose, Screw, Step};
use crate::numeric::Helix;
use crate::solid::PLACE_ERROR;

/// How two bodies move in a step: at constant velocities, or along one screw for each part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Courses {
    step: Step,
    /// Of a free step.
    flights: Option<[Flight; 2]>,
}

impl Courses {
    pub(super) fn new(step: &Step) -> Self {
        Self { step: *step, flights: step.flights() }
    }

    /// In how many parts the step is cut.
    pub(super) fn parts(&self) -> u32 {
        self.step.parts()
    }

    /// A's pose at time `t`.
    pub(super) fn pose_of_a(&self, t: f64) -> Pose {
        self.step.pose_of_a(t)
    }

    /// B's pose at time `t`, as contacts see it.
    pub(super) fn pose_of_b(&self, t: f64) -> Pose {
        match self.flights {
            Some(_) => self.step.pose_of_b(t),
            None => self.step.pose_of_b_by_relative(t),
        }
    }

    /// A part of the step as A sees it.
    pub(super) fn course(&self, part: u32) -> Course {
        match &self.flights {
            None => {
                let part = self.step.part(part);
                let screw = part.relative();
                let start = part.b_in_a()[0];
                Course::Helical { screw, start, helix: Helix::new(screw.angle()) }
            }
            Some(flights) => Course::Free(Free::new(flights, [part, self.parts()])),
        }
    }
}

/// One part of a motion of B's points, in A's frame; the time of the part runs from 0 to 1.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one for each part, and it is asked often")]
pub(super) enum Course {
    Helical { screw: Screw, start: Pose, helix: Helix },
    Free(Free),
}

/// Two flights, in the axes and about the pivot of A at the start of the part.
#[derive(Clone, Debug)]
pub(super) struct Free {
    /// In the frames of A and B.
    pivots: [DVec3; 2],
    between: DVec3,
    velocity: DVec3,
    rotation: DMat3,
    /// Angular velocities of A and B.
    spins: [DVec3; 2],
    helices: [Helix; 2],
    /// How far the bodies were apart and have gone, and by how much both have turned, before the
    /// part.
    past: [f64; 2],
}

impl Free {
    fn new([a, b]: &[Flight; 2], [part, parts]: [u32; 2]) -> Self {
        let time = f64::from(part) / f64::from(parts);
        let [from, to] = [a, b].map(|flight| flight.pose_at(time).rotation());
        let back = from.conjugate();
        // Differences first: bodies far from the origin may be close to each other.
        let [between, velocity] = [a.between_pivots(b), b.linear - a.linear].map(|v| back * v);
        let share = f64::from(parts).recip();
        let spins = [a.angular, b.angular].map(|spin| back * spin * share);
        let way = between.length() + velocity.length() * time;
        let turned = (a.angular.length() + b.angular.length()) * time;
        Self {
            pivots: [a.pivot, b.pivot],
            between: between + velocity * time,
            velocity: velocity * share,
            rotation: DMat3::from_quat(back * to),
            spins,
            helices: spins.map(|spin| Helix::new(spin.length())),
            past: [way, turned],
        }
    }

    /// Where a point is from A's pivot, in axes that do not turn with A, and how it moves.
    fn seen_at_rest(&self, arc: &Arc, t: f64) -> [DVec3; 2] {
        let at = self.helices[1].at(t);
        let arm = arc.k[0] + at.s1 * arc.k[1] + at.c2 * arc.k[2];
        let place = self.between + self.velocity * t + arm;
        [place, self.velocity + self.spins[1].cross(arm)]
    }

    /// A vector in the axes that turn with A.
    fn turned(&self, v: DVec3, t: f64) -> DVec3 {
        let at = self.helices[0].at(t);
        let once = self.spins[0].cross(v);
        v - at.s1 * once + at.c2 * self.spins[0].cross(once)
    }
}

/// The path of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    /// The vectors of which it is a combination.
    k: [DVec3; 4],
    /// Bounds of the first and the second derivative where the solid does not turn.
    speed: f64,
    bend: f64,
    /// What a place on it may be wrong by.
    pub(super) rounding: f64,
}

impl Course {
    /// The path of a point of B, given in B's frame.
    pub(super) fn arc(&self, point: DVec3) -> Arc {
        let k = match self {
            Self::Helical { screw, start, .. } => screw.spread(start.point(point), 1.0),
            Self::Free(free) => {
                let arm = free.rotation * (point - free.pivots[1]);
                let once = free.spins[1].cross(arm);
                [arm, once, free.spins[1].cross(once), DVec3::ZERO]
            }
        };
        let (more, shift, turned) = match self {
            Self::Helical { start, .. } => (start.position().length(), 0.0, 0.0),
            Self::Free(free) => {
                let shift = free.velocity.length();
                let [way, turned] = free.past;
                let pivots = free.pivots.map(DVec3::length);
                (way + shift + pivots[0] + pivots[1], shift, turned)
            }
        };
        let [speed, bend] = [shift + k[1].length(), k[2].length()];
        let size = k.iter().map(|v| v.length()).sum::<f64>() + more + point.length();
        // An angle is known to half a unit of its size; a place error is eight.
        Arc { k, speed, bend, rounding: PLACE_ERROR * size * (1.0 + turned / 8.0) }
    }

    /// Where the point is.
    #[inline]
    pub(super) fn at(&self, arc: &Arc, t: f64) -> DVec3 {
        match self {
            Self::Helical { helix, .. } => helix.at(t).along(&arc.k),
            Self::Free(free) => free.turned(free.seen_at_rest(arc, t)[0], t) + free.pivots[0],
        }
    }

    /// How it moves, per part.
    pub(super) fn velocity(&self, arc: &Arc, t: f64) -> DVec3 {
        match self {
            Self::Helical { helix, .. } => {
                let at = helix.at(t);
                arc.k[1] + at.s1 * arc.k[2] + at.c2 * arc.k[3]
            }
            Self::Free(free) => {
                let [place, velocity] = free.seen_at_rest(arc, t);
                free.turned(velocity - free.spins[0].cross(place), t)
            }
        }
    }

    /// A bound of how far the path between two times `length` apart is from its chord, of which
    /// the ends are given; rounding included.
    #[inline]
    pub(super) fn pad(&self, arc: &Arc, length: f64, ends: [DVec3; 2]) -> f64 {
        let bend = match self {
            Self::Helical { .. } => arc.bend,
            Self::Free(free) => {
                let spin = free.spins[0].length();
                let [p, q] = ends.map(|end| end.distance(free.pivots[0]));
                let far = p.max(q) + 0.5 * arc.speed * length;
                arc.bend + spin * (2.0 * arc.speed + spin * far)
            }
        };
        bend * length * length / 8.0 * ROUNDED + arc.rounding
    }
}

/// Exceeds the rounding of a dozen operations.
const ROUNDED: f64 = 1.0 + 1e-14;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Motion;

    #[test]
    fn parts_of_flights_agree_on_where_a_point_is_up_to_what_they_say() {
        let pose = |p: DVec3| Pose::from_position(p).expect("finite");
        let far = DVec3::new(3001.7, -4000.3, 1234.1);
        let [spin_a, spin_b] = [DVec3::new(0.3, 0.1, 0.7), DVec3::new(-300.1, 200.7, 510.3)];
        let a = Motion::flight(pose(DVec3::ZERO), DVec3::ZERO, spin_a).expect("few turns");
        // B comes to A from afar, and turns a hundred times on the way.
        let way = DVec3::new(1.1, 0.2, 0.3) - far;
        let b = Motion::flight(pose(far), way, spin_b).expect("few turns");
        let motion = Courses::new(&Step::new(a, b));
        let point = DVec3::new(0.4, -0.3, 0.2);
        for part in 1..motion.parts() {
            let courses = [part - 1, part].map(|part| motion.course(part));
            let arcs = [0, 1].map(|i| courses[i].arc(point));
            let off = courses[0].at(&arcs[0], 1.0).distance(courses[1].at(&arcs[1], 0.0));
            let rounding = arcs[0].rounding + arcs[1].rounding;
            assert!(off <= rounding, "part {part}: {off:e} apart, not {rounding:e}");
        }
    }
}
