//! How far points of one link move, seen from another, while all joints move.
//!
//! Between a link X and a link Y lie joints `1 .. n`, in order from X. In the frame of X, joint `k`
//! moves what lies beyond it with the velocity field `ξ_k`: of size `|dq_k|` times the distance
//! from its axis if it turns, `|dq_k|` if it slides. A point of Y has the velocity `Σ ξ_k` and the
//! acceleration (`docs/planning.md`, 2)
//!
//! ```text
//! Σ_k (ω_k + 2 Σ_{j<k} ω_j) x ξ_k          ω: the angular velocity of a joint, 0 if it slides
//! ```
//!
//! Its distance from axis `k` changes only by the joints beyond `k`. So in a while of length `2 h`
//! the reach `r_k` of a ball about `c` is at most what it is in the middle, and `h` times the
//! speeds of the joints beyond. The last joint's reach does not change; from there the bounds of
//! the others follow.

use chasles::glam::DVec3;

use crate::frame::{Axis, Twist};
use crate::robot::{Joint, JointKind};

/// What rounding may take from a bound: some hundred operations.
const ROUNDING: f64 = 1.0 + 1e-13;

/// Bounds over a while of length `2 h`, about its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bound {
    /// How far the middle of the ball moves at most.
    pub(crate) centre: f64,
    /// How far any point in the ball moves at most.
    pub(crate) points: f64,
    /// The largest acceleration of any point in the ball.
    pub(crate) bend: f64,
}

/// The joints of a robot in the middle of a while.
#[derive(Clone, Copy)]
pub(crate) struct Moving<'m> {
    pub(crate) joints: &'m [Joint],
    /// In the world.
    pub(crate) axes: &'m [Axis],
    /// How fast each joint moves.
    pub(crate) rates: &'m [f64],
    /// Half the length of the while.
    pub(crate) half: f64,
}

impl Moving<'_> {
    /// Bounds for a ball that is carried by the joints of a path, in order from what stands still.
    /// `twist` is how it moves in the middle of the while; ball and twist are in the world.
    pub(crate) fn bound(
        &self,
        path: &[u32],
        (centre, radius): (DVec3, f64),
        twist: &Twist,
    ) -> Bound {
        let h = self.half;
        let turn_of = |k: u32| match self.joints[k as usize].kind {
            JointKind::Turns => self.rates[k as usize].abs(),
            JointKind::Fixed | JointKind::Slides => 0.0,
        };
        let mut turn_before: f64 = path.iter().map(|&k| turn_of(k)).sum();
        let [mut speed, mut bend, mut speed_around, mut bend_around] = [0.0; 4];
        for &k in path.iter().rev() {
            let turn = turn_of(k);
            let Axis { through, along } = self.axes[k as usize];
            let reach = along.cross(centre - through).length() + h * speed;
            let own = match self.joints[k as usize].kind {
                JointKind::Fixed => 0.0,
                JointKind::Turns => turn * reach,
                JointKind::Slides => self.rates[k as usize].abs(),
            };
            turn_before = (turn_before - turn).max(0.0);
            let carried = turn + 2.0 * turn_before;
            speed += own;
            bend += own * carried;
            speed_around += turn * radius;
            bend_around += turn * radius * carried;
        }
        let now = twist.at(centre).length();
        let around = twist.turn.length() * radius;
        let all = bend + bend_around;
        let at_centre = speed.min(now + 0.5 * h * bend);
        let at_points = (speed + speed_around).min(now + around + 0.5 * h * all);
        Bound {
            centre: h * at_centre * ROUNDING,
            points: h * at_points * ROUNDING,
            bend: all * ROUNDING,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Frame;
    use crate::moment::{Line, Moment};
    use crate::packages::Packages;
    use crate::robot::Robot;
    use crate::scene::Scene;
    use chasles::Pose;
    use chasles::query::Geometry;
    use chasles_testkit::generate::Random;

    /// A chain of joints, each half a metre from the one before, with a ball in its hand.
    fn chain(kinds: &[&str], random: &mut Random) -> Scene {
        let mut text = String::from("<robot name=\"chain\"><link name=\"0\"/>");
        for (number, kind) in kinds.iter().enumerate() {
            let n = random.direction();
            let [axis, rpy] = if *kind == "flat" {
                ["0 0 1".into(), "0 0 0".into()]
            } else {
                [format!("{} {} {}", n.x, n.y, n.z), format!("{} 0.3 {}", n.y, n.x)]
            };
            let kind = if *kind == "flat" { "continuous" } else { kind };
            text += &format!(
                "<link name=\"{0}\"/><joint name=\"j{0}\" type=\"{kind}\">\
                 <parent link=\"{number}\"/><child link=\"{0}\"/><origin xyz=\"{1} 0 0\" rpy=\"{rpy}\"/><axis xyz=\"{axis}\"/>\
                 <limit lower=\"-9\" upper=\"9\"/></joint>",
                number + 1,
                if number == 0 { 0.0 } else { 0.5 },
            );
        }
        let robot = Robot::parse(&(text + "</robot>"), "chain.urdf", &Packages::new()).expect("it");
        let mut scene = Scene::new(robot);
        let ball = Geometry::sphere(0.1).expect("a ball");
        let hand = Pose::from_position([0.4, 0.0, 0.0]).expect("finite");
        scene.attach("ball", &kinds.len().to_string(), ball.clone(), hand).expect("a hand");
        scene.add("post", ball, Pose::IDENTITY).expect("new");
        scene
    }

    /// The bound of the ball over a while about the middle of a line, and its frames at the times
    /// of samples.
    fn seen(scene: &Scene, ends: [&[f64]; 2], half: f64) -> (Bound, Vec<(f64, Frame)>) {
        let (line, mut rates) = (Line { from: ends[0], to: ends[1] }, Vec::new());
        line.rates(scene, &mut rates);
        let mut moment = Moment::default();
        moment.go(scene, line, &rates, (0.5, half));
        let pair = scene.pairs[0];
        let bound = moment.bound(scene, &rates, &pair);
        let frames = (-50..=50).map(|i| {
            let t = half * f64::from(i) / 50.0;
            moment.go(scene, line, &rates, (0.5 + t, half));
            (t, *moment.frame(pair.parts[1]))
        });
        (bound, frames.collect())
    }

    #[test]
    fn no_point_moves_farther_or_bends_more_than_its_bound() {
        let mut random = Random::new(1);
        for round in 0..300 {
            let kinds: Vec<&str> = (0..1 + random.below(6))
                .map(|_| random.one_of(&["continuous", "continuous", "prismatic"]))
                .collect();
            let scene = chain(&kinds, &mut random);
            let [q0, q1] = [(); 2].map(|()| -> Vec<f64> {
                kinds.iter().map(|_| random.between(-2.0, 2.0)).collect()
            });
            let half = random.one_of(&[0.5, 0.1, 0.01]);
            let (bound, frames) = seen(&scene, [&q0, &q1], half);
            let middle = frames[50].1;
            let step = frames[1].0 - frames[0].0;
            for x in [DVec3::ZERO, 0.1 * random.direction(), 0.1 * random.direction()] {
                let limit = if x == DVec3::ZERO { bound.centre } else { bound.points };
                for (_, frame) in &frames {
                    assert!(frame.point(x).distance(middle.point(x)) <= limit + 1e-12, "{round}");
                }
                for three in frames.windows(3) {
                    let [p, q, r] = [0, 1, 2].map(|i| three[i].1.point(x));
                    let bend = (p - 2.0 * q + r).length() / (step * step);
                    // Differences of places lose digits where times are close.
                    let rounding = 1e-14 / (step * step);
                    assert!(
                        bend <= bound.bend * (1.0 + 1e-9) + rounding,
                        "{round}: {bend} {bound:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_bounds_of_a_stretched_arm_are_attained() {
        let mut random = Random::new(2);
        let scene = chain(&["flat", "flat", "flat"], &mut random);
        // In the middle all joints are at 0: the arm is straight, and all turn the same way.
        let (bound, frames) = seen(&scene, [&[-0.5, -0.4, -0.3], &[0.5, 0.4, 0.3]], 1e-3);
        // Of the centre: 1.4, 0.9 and 0.4 from the axes.
        let speed = 1.0 * 1.4 + 0.8 * 0.9 + 0.6 * 0.4;
        assert!((bound.centre / 1e-3 - speed).abs() < 0.01 * speed, "{bound:?}");
        let moved = frames[100].1.shift.distance(frames[50].1.shift);
        assert!(moved <= bound.centre && moved > 0.99 * bound.centre);
        // Of the farthest point: 0.1 more, and 0.5 (1)² + 0.5 (1.8)² + 0.5 (2.4)².
        let bend = 0.5 + 0.5 * 3.24 + 0.5 * 5.76;
        assert!((bound.bend - bend).abs() < 0.01 * bend, "{bound:?}, {bend}");
        let points = speed + 0.1 * 2.4;
        assert!((bound.points / 1e-3 - points).abs() < 0.01 * points, "{bound:?}");
    }

    #[test]
    fn the_reach_grows_where_joints_beyond_carry_a_body_away_from_an_axis() {
        // In the middle the ball is on the axis; then it slides out, and is swung round.
        let text = r#"<robot name="r"><link name="0"/><link name="1"/><link name="2"/>
            <joint name="a" type="continuous"><parent link="0"/><child link="1"/>
                <axis xyz="0 0 1"/></joint>
            <joint name="b" type="prismatic"><parent link="1"/><child link="2"/>
                <axis xyz="1 0 0"/><limit lower="-9" upper="9"/></joint></robot>"#;
        let robot = Robot::parse(text, "r.urdf", &Packages::new()).expect("a robot");
        let mut scene = Scene::new(robot);
        let ball = Geometry::sphere(0.1).expect("a ball");
        scene.attach("ball", "2", ball.clone(), Pose::IDENTITY).expect("a hand");
        scene.add("post", ball, Pose::IDENTITY).expect("new");
        let (bound, frames) = seen(&scene, [&[-0.5, -2.0], &[0.5, 2.0]], 0.5);
        // At the end, 2 out: 4 outward, swung at 1, and drawn inward by 2.
        let bend = 8.0_f64.hypot(2.0);
        let step = frames[1].0 - frames[0].0;
        let [p, q, r] = [98, 99, 100].map(|i| frames[i].1.shift);
        assert!(((p - 2.0 * q + r).length() / (step * step) - bend).abs() < 0.05);
        assert!(bound.bend >= bend, "{bound:?}");
    }
}
