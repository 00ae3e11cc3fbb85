//! Exact screws: the motion of a pair with one moving joint between its links, and what is near
//! the motion of any pair in a short while.
//!
//! A joint that turns or slides alone moves one link along a screw, as seen from the other, and
//! then the contacts of `chasles::query` are exact. Between two poses of any pair lies a screw too.
//! It agrees with the true motion at both ends of a while of length `s`, and both have bounded
//! accelerations `M` and `M'` there, so no point is farther than `(M + M') s²/8` from where the
//! screw has it. Where that is less than a quarter of the gap, the clearance of the screw tells of
//! the true motion.

use chasles::query::{self, Kind, Options, Outcome};
use chasles::{Motion, Pose, Screw, Step};

use crate::error::SceneError;
use crate::moment::Moment;
use crate::scene::{Pair, Scene};
use crate::search::{Search, Workspace};

/// A screw between two poses turns the shorter way: a joint that turns by less than this does so.
const MOST_TURN: f64 = 3.0;

/// What a screw tells of a pair over a while.
pub(crate) enum Told {
    /// It stays at least this far apart.
    Apart(f64),
    /// It touches at this fraction of the edge.
    TouchesAt(f64),
    Nothing,
}

/// Asks a screw about a pair that is `distance` apart in the middle of a while, and should be
/// `need` and a little more apart: what rounding may take.
pub(crate) fn ask(
    search: &mut Search,
    number: usize,
    ends: [f64; 2],
    distance: f64,
    [need, rounding]: [f64; 2],
) -> Result<Told, SceneError> {
    let pair = search.scene.pairs[number];
    let poses = relative_poses(search, &pair, ends);
    let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(poses[0], poses[1]));
    let [a, b] = pair.parts.map(|part| &search.scene.parts[part].geometry);
    let are_revolved = [a, b].iter().all(|g| matches!(g.kind(), Kind::Cylinder | Kind::Cone));
    let is_single = is_single(search, &pair, ends);
    let Workspace { query, .. } = &mut *search.workspace;
    if is_single && need == 0.0 && !are_revolved {
        // Every contact counts: a surface that passes through itself, or looks inward, does not
        // tell its outside, and what faces the other body there may have no first contact of its
        // own.
        let options = Options::all().first();
        return Ok(match query::outcome(a, b, &step, &options, query)? {
            // It may come as near as rounding lets it.
            Outcome::Free => Told::Apart(0.0),
            Outcome::Hit(contact) => Told::TouchesAt(ends[0] + contact.time * (ends[1] - ends[0])),
            Outcome::StartsOverlapping(_) => Told::TouchesAt(ends[0]),
            Outcome::Undecided => Told::Nothing,
        });
    }
    let departure = if is_single { 0.0 } else { departure(search, &pair, &poses, ends) };
    let room = distance - need - rounding;
    let is_close = departure < 0.25 * room;
    if !is_close {
        return Ok(Told::Nothing);
    }
    let Workspace { query, .. } = &mut *search.workspace;
    let found = query::clearance(a, b, &step, 0.25 * room, query)?;
    let gap = found.lower - departure - rounding;
    Ok(if gap > need { Told::Apart(gap) } else { Told::Nothing })
}

/// Where the second part is in the frame of the first, at the ends of a while.
fn relative_poses(search: &Search, pair: &Pair, ends: [f64; 2]) -> [Pose; 2] {
    let mut moment = Moment::default();
    ends.map(|t| {
        moment.go(search.scene, search.line, &search.workspace.rates, (t, 0.0));
        let [x, y] = moment.poses(pair.parts);
        x.inverse_after(&y)
    })
}

/// Whether one joint alone moves between the two links, by less than half a turn.
fn is_single(search: &Search, pair: &Pair, ends: [f64; 2]) -> bool {
    let rates = &search.workspace.rates;
    let moving = search.scene.paths[pair.path].iter().map(|&joint| rates[joint as usize]);
    let mut moving = moving.filter(|&rate| rate != 0.0);
    let first = moving.next().unwrap_or(0.0);
    moving.next().is_none() && first.abs() * (ends[1] - ends[0]) < MOST_TURN
}

/// How far the true motion leaves the screw between its ends at most.
fn departure(search: &mut Search, pair: &Pair, poses: &[Pose; 2], ends: [f64; 2]) -> f64 {
    let scene: &Scene = search.scene;
    let part = &scene.parts[pair.parts[1]];
    let screw = Screw::between(&poses[0], &poses[1]);
    let turn = screw.angular();
    let at_centre = turn.cross(screw.flow(poses[0].point(part.centre))).length();
    let of_screw = at_centre + turn.length_squared() * part.radius;
    let Workspace { moment, rates, .. } = &mut *search.workspace;
    let bend = moment.bound(scene, rates, pair).bend;
    let length = ends[1] - ends[0];
    0.125 * (bend * length * length + of_screw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moment::Line;
    use crate::packages::Packages;
    use crate::robot::Robot;
    use crate::search::Goal;
    use chasles::glam::DVec3;
    use chasles::query::Geometry;
    use chasles_testkit::generate::Random;

    /// Two joints that turn about axes at an angle, and a ball at the end, beside a post.
    const ROBOT: &str = r#"<robot name="r"><link name="a"/><link name="b"/>
        <joint name="one" type="continuous"><parent link="a"/><child link="b"/>
            <axis xyz="0 0 1"/></joint>
        <link name="c"><collision><origin xyz="0.5 0.1 0"/>
            <geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="two" type="continuous"><parent link="b"/><child link="c"/>
            <origin xyz="0.5 0 0"/><axis xyz="0 1 0.5"/></joint></robot>"#;

    fn scene() -> Scene {
        let robot = Robot::parse(ROBOT, "r.urdf", &Packages::new()).expect("a robot");
        let mut scene = Scene::new(robot);
        let post = Geometry::sphere(0.1).expect("a ball");
        scene.add("post", post, Pose::IDENTITY).expect("new");
        scene
    }

    /// Asks something of a search along a line.
    fn on<T>(line: [[f64; 2]; 2], ask: impl FnOnce(&mut Search, &Pair) -> T) -> T {
        let (scene, mut workspace) = (scene(), Workspace::default());
        let line = Line { from: &line[0], to: &line[1] };
        let goal = Goal::Free { margin: 0.0, width: 1e-6 };
        let mut search = Search::new(&scene, line, goal, 100, &mut workspace);
        ask(&mut search, &scene.pairs[0])
    }

    #[test]
    fn one_joint_that_turns_less_than_half_a_circle_is_a_screw_and_others_are_not() {
        let is =
            |to: [f64; 2], ends| on([[0.1, 0.2], to], |search, pair| is_single(search, pair, ends));
        assert!(is([1.1, 0.2], [0.0, 1.0]) && is([0.1, -2.0], [0.0, 1.0]));
        assert!(!is([1.1, 1.2], [0.0, 1.0]));
        // The screw between poses turns the shorter way.
        assert!(!is([4.1, 0.2], [0.0, 1.0]) && is([4.1, 0.2], [0.2, 0.6]));
    }

    #[test]
    fn the_motion_of_two_joints_leaves_its_screw_by_its_bound_at_most() {
        let mut random = Random::new(6);
        for _ in 0..100 {
            let line = [(); 2].map(|()| [(); 2].map(|()| random.between(-1.5, 1.5)));
            let half = random.one_of(&[0.5, 0.1, 0.02]);
            let ends = [0.5 - half, 0.5 + half];
            let (bound, most) = on(line, |search, pair| {
                let poses = relative_poses(search, pair, ends);
                let Workspace { moment, rates, .. } = &mut *search.workspace;
                moment.go(search.scene, search.line, rates, (0.5, half));
                let bound = departure(search, pair, &poses, ends);
                let screw = Screw::between(&poses[0], &poses[1]);
                let at = |i: u32| {
                    let share = f64::from(i) / 20.0;
                    let t = ends[0] + share * (ends[1] - ends[0]);
                    let [pose, _] = relative_poses(search, pair, [t, t]);
                    let on_screw = screw.pose_at(share).after(&poses[0]);
                    let x = DVec3::new(0.06, -0.08, 0.0);
                    pose.point(x).distance(on_screw.point(x))
                };
                (bound, (0..=20).map(at).fold(0.0, f64::max))
            });
            assert!(most <= bound + 1e-12, "{most} {bound}");
        }
    }
}
