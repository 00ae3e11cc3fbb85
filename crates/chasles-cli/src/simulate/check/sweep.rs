//! Whether what a step moved crossed anything, asked by looking at many moments of it.
//!
//! Bodies of an island moved along their relative screw in each part of the step, others each along
//! its own. At moments so close that no point of one body moves far as the other sees it, the two
//! are asked whether they are in each other there, by the test for bodies at rest; bodies without
//! faces are followed from moment to moment. Neither the method that the world trusts nor its
//! shortcuts are in this.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

use chasles::glam::DVec3;
use chasles::{Pose, Screw};
use chasles_dynamics::world::{Kind, Move, Part};
use chasles_dynamics::{Body, Report, World};

use super::findings::Overlap;
use super::inside::Inside;
use super::pairs::should_be_apart;
use super::thin::{Thin, is_thin};

/// Between two moments nothing moves farther than this share of the shortest side of the smaller
/// body.
const SHARE: f64 = 0.1;

/// The same of bodies without faces: their chords leave a screw by less than 1e-5 of that side.
const FINE: f64 = 0.005;

/// Moments of a part at least: bodies that rest on each other move little, and turn.
const FEWEST: f64 = 8.0;

/// Moments of a part at most.
const MOST: f64 = 4096.0;

/// Memory of looking at one world.
#[derive(Debug, Default)]
pub(super) struct Looks {
    pub(super) inside: Inside,
    thin: Thin,
}

/// Pairs that were in each other on the way, each at the first moment at which it was.
pub(super) fn crossings(world: &World, report: &Report, looks: &mut Looks) -> Vec<Overlap> {
    let extents: Vec<Extent> = world.bodies().iter().map(Extent::of).collect();
    let mut sweep = Sweep { world, extents, looks, found: BTreeMap::new() };
    report.record.iter().for_each(|part| sweep.together(part));
    sweep.strangers(&report.record);
    sweep.found.into_iter().map(|(bodies, time)| Overlap { time, bodies }).collect()
}

struct Sweep<'w> {
    world: &'w World,
    extents: Vec<Extent>,
    looks: &'w mut Looks,
    found: BTreeMap<[usize; 2], f64>,
}

/// The box around a body in its own frame.
#[derive(Clone, Copy)]
struct Extent {
    bounds: [DVec3; 2],
    middle: DVec3,
    /// From the middle to a corner of the box.
    radius: f64,
    shortest: f64,
    is_thin: bool,
}

impl Extent {
    fn of(body: &Body) -> Self {
        let bounds @ [low, high] = body.shape().geometry().bounds();
        let sides = high - low;
        // The sides of something flat are those that it has.
        let real = sides.to_array().into_iter().filter(|side| *side > 1e-6 * sides.max_element());
        let shortest = real.fold(sides.max_element(), f64::min);
        Self {
            bounds,
            middle: 0.5 * (low + high),
            radius: 0.5 * sides.length(),
            shortest,
            is_thin: is_thin(body),
        }
    }

    /// The box around the body at a pose.
    fn at(&self, pose: &Pose) -> [DVec3; 2] {
        let half = 0.5 * (self.bounds[1] - self.bounds[0]);
        let sides = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| pose.vector(axis * half).abs());
        let (middle, reach) = (pose.point(self.middle), sides[0] + sides[1] + sides[2]);
        [middle - reach, middle + reach]
    }
}

/// A motion along one screw, in some frame.
#[derive(Clone, Copy)]
struct Way {
    start: Pose,
    screw: Screw,
    /// Where the middle is before and after, how far it goes, and how far it is off the straight
    /// line at most.
    middle: [DVec3; 2],
    length: f64,
    sag: f64,
}

impl Way {
    fn new([start, end]: [Pose; 2], extent: &Extent) -> Self {
        let screw = Screw::between(&start, &end);
        let middle = [start, end].map(|pose| pose.point(extent.middle));
        // An arc of at most a half-turn is at most this much longer than its chord. It departs from
        // that by at most an eighth of its second derivative, which is length times angle.
        let length = FRAC_PI_2 * middle[0].distance(middle[1]);
        Self { start, screw, middle, length, sag: 0.125 * length * screw.angle() }
    }

    fn pose_at(&self, share: f64) -> Pose {
        self.screw.pose_at(share).after(&self.start)
    }

    /// The farthest that a point of the body goes.
    fn longest(&self, extent: &Extent) -> f64 {
        self.length + self.screw.angle() * extent.radius
    }

    /// A box in which the body stays: its corners are no farther from the middle than the radius.
    fn bounds(&self, extent: &Extent) -> [DVec3; 2] {
        let [p, q] = self.middle;
        let reach = DVec3::splat(extent.radius + self.sag);
        [p.min(q) - reach, p.max(q) + reach]
    }
}

fn overlap([low_a, high_a]: [DVec3; 2], [low_b, high_b]: [DVec3; 2]) -> bool {
    low_a.cmple(high_b).all() && low_b.cmple(high_a).all()
}

/// At how many moments to look, so that nothing goes farther than it may between two.
fn moments(longest: f64, extents: [&Extent; 2]) -> u32 {
    let [p, q] = extents.map(|extent| extent.shortest);
    // A single point has no size.
    let size = if p.min(q) > 0.0 { p.min(q) } else { p.max(q) };
    let is_thin = extents.iter().any(|extent| extent.is_thin);
    let apart = size * if is_thin { FINE } else { SHARE };
    (longest / apart).ceil().clamp(FEWEST, MOST) as u32
}

impl Sweep<'_> {
    /// Bodies of one island, in one part.
    fn together(&mut self, part: &Part) {
        for (number, b) in part.moves.iter().enumerate() {
            for a in &part.moves[..number] {
                let stay = [a, b].iter().all(|moved| moved.poses[0] == moved.poses[1]);
                if !stay {
                    self.pair(part.times, a, b);
                }
            }
        }
    }

    /// Two bodies on their relative screw, seen from the larger one.
    fn pair(&mut self, [from, to]: [f64; 2], a: &Move, b: &Move) {
        let [p, q] = [a, b].map(|moved| self.extents[moved.body.0].radius);
        let [frame, moved] = if p < q { [b, a] } else { [a, b] };
        let extents = [frame, moved].map(|of| self.extents[of.body.0]);
        let relative = [0, 1].map(|end| frame.poses[end].inverse_after(&moved.poses[end]));
        let way = Way::new(relative, &extents[1]);
        if !overlap(way.bounds(&extents[1]), extents[0].bounds) {
            return;
        }
        let count = moments(way.longest(&extents[1]), [&extents[0], &extents[1]]);
        let at = |moment: u32| f64::from(moment) / f64::from(count);
        let poses = |moment: u32| [Pose::IDENTITY, way.pose_at(at(moment))];
        let pair = [frame.body.0, moved.body.0];
        if let Some(moment) = self.first(pair, count, poses) {
            self.note(pair, from + at(moment) * (to - from));
        }
    }

    /// Bodies of different islands, or of one and of none, as long as they are: the islands of a
    /// step that is halved for sheets are those of its parts.
    fn strangers(&mut self, record: &[Part]) {
        let courses = courses(self.world, &self.extents, record);
        let boxes: Vec<[DVec3; 2]> = courses
            .iter()
            .zip(&self.extents)
            .map(|(course, extent)| course.bounds(extent))
            .collect();
        for j in 0..courses.len() {
            for i in 0..j {
                if overlap(boxes[i], boxes[j]) {
                    self.pass(record, [&courses[i], &courses[j]], [i, j]);
                }
            }
        }
    }

    /// Two bodies, at times at which each goes its own way.
    fn pass(&mut self, record: &[Part], courses: [&Course; 2], pair: [usize; 2]) {
        let mut times: Vec<f64> =
            courses.iter().flat_map(|course| &course.legs).flat_map(|leg| leg.times).collect();
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        let extents = pair.map(|i| self.extents[i]);
        for between in times.windows(2) {
            let [from, to] = [between[0], between[1]];
            if are_told(record, courses, pair, 0.5 * (from + to)) {
                continue;
            }
            let longest = |side: usize| courses[side].longest(from, &extents[side]);
            let count = moments(longest(0) + longest(1), [&extents[0], &extents[1]]);
            let at = |moment: u32| from + f64::from(moment) / f64::from(count) * (to - from);
            let poses = |moment: u32| courses.map(|course| course.pose_at(at(moment)));
            if let Some(moment) = self.first(pair, count, poses) {
                self.note(pair, at(moment));
                return;
            }
        }
    }

    /// The first moment at which a pair is in each other that should not be.
    fn first(
        &mut self,
        pair: [usize; 2],
        count: u32,
        poses: impl Fn(u32) -> [Pose; 2],
    ) -> Option<u32> {
        if !should_be_apart(self.world, pair) {
            return None;
        }
        let both = pair.map(|i| &self.world.bodies()[i]);
        let is_thin = pair.iter().any(|&i| self.extents[i].is_thin);
        let Looks { inside, thin } = &mut *self.looks;
        (1..=count).find(|&moment| {
            let way = || [poses(moment - 1), poses(moment)];
            inside.are_in(both, poses(moment)) || is_thin && thin.meet(pair, both, way())
        })
    }

    fn note(&mut self, [i, j]: [usize; 2], time: f64) {
        self.found.entry([i.min(j), i.max(j)]).or_insert(time);
    }
}

/// A body on its way through a whole step.
struct Course {
    /// Where it ends.
    end: Pose,
    /// What it does in each part of its islands, in order; nothing if it is in none.
    legs: Vec<Leg>,
}

struct Leg {
    /// The number of the part.
    part: usize,
    times: [f64; 2],
    way: Way,
}

impl Course {
    /// The leg of a time.
    fn leg(&self, time: f64) -> Option<&Leg> {
        let after = self.legs.partition_point(|leg| leg.times[0] <= time);
        self.legs.get(after.saturating_sub(1))
    }

    fn pose_at(&self, time: f64) -> Pose {
        let at = |leg: &Leg| {
            let [from, to] = leg.times;
            // A part may be so short that its times are equal.
            let share = if to > from { (time - from) / (to - from) } else { 1.0 };
            leg.way.pose_at(share.clamp(0.0, 1.0))
        };
        self.leg(time).map_or(self.end, at)
    }

    fn longest(&self, time: f64, extent: &Extent) -> f64 {
        self.leg(time).map_or(0.0, |leg| leg.way.longest(extent))
    }

    fn bounds(&self, extent: &Extent) -> [DVec3; 2] {
        let ways = self.legs.iter().map(|leg| leg.way.bounds(extent));
        let join = |[low_a, high_a]: [DVec3; 2], [low_b, high_b]: [DVec3; 2]| {
            [low_a.min(low_b), high_a.max(high_b)]
        };
        ways.reduce(join).unwrap_or_else(|| extent.at(&self.end))
    }
}

/// What each body does. Fixed ones, which many islands may have, stay.
fn courses(world: &World, extents: &[Extent], record: &[Part]) -> Vec<Course> {
    let still = |body: &Body| Course { end: body.pose(), legs: Vec::new() };
    let mut courses: Vec<Course> = world.bodies().iter().map(still).collect();
    for (number, part) in record.iter().enumerate() {
        for Move { body, poses } in &part.moves {
            if matches!(world.bodies()[body.0].kind(), Kind::Static) {
                continue;
            }
            let way = Way::new(*poses, &extents[body.0]);
            courses[body.0].legs.push(Leg { part: number, times: part.times, way });
        }
    }
    courses
}

/// Whether two bodies are in one part at a time, which has told about them.
fn are_told(record: &[Part], courses: [&Course; 2], pair: [usize; 2], time: f64) -> bool {
    let has = |side: usize| {
        let leg = courses[side].leg(time).filter(|leg| time <= leg.times[1]);
        leg.is_some_and(|leg| {
            let moves = &record[leg.part].moves;
            moves.binary_search_by_key(&pair[1 - side], |moved| moved.body.0).is_ok()
        })
    };
    has(0) || has(1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chasles::mesh::Polygons;
    use chasles::mesh::shapes::{Cuboid, Shape};
    use chasles::{Collider, Polyhedron};
    use chasles_dynamics::body::MassProperties;
    use chasles_dynamics::{BodyId, Options};

    use super::*;

    fn at(x: f64, y: f64) -> Pose {
        Pose::from_position([x, y, 0.0]).expect("a pose")
    }

    /// Unit cubes where they are at the end of a step; the first of them is fixed.
    fn cubes(poses: &[Pose]) -> World {
        let mesh = Shape::Box(Cuboid::default()).build().expect("a cube");
        let mass_properties = MassProperties::of_mesh(&mesh, 1.0).expect("a solid cube");
        let cube = Arc::new(Collider::new(mesh));
        let mut world = World::new(Options::default());
        for (number, pose) in poses.iter().enumerate() {
            let body = match number {
                0 => Body::fixed(cube.clone()),
                _ => Body::dynamic(cube.clone(), mass_properties),
            };
            world.add(body.at(*pose));
        }
        world
    }

    fn part(times: [f64; 2], moves: &[(usize, [Pose; 2])]) -> Part {
        let moves = moves.iter().map(|&(body, poses)| Move { body: BodyId(body), poses });
        Part { times, moves: moves.collect() }
    }

    fn found(world: &World, record: Vec<Part>) -> Vec<Overlap> {
        let report = Report { record, ..Report::default() };
        crossings(world, &report, &mut Looks::default())
    }

    /// The only crossing is of these, about then.
    fn assert_one(found: &[Overlap], bodies: [usize; 2], time: f64) {
        assert_eq!(found.iter().map(|one| one.bodies).collect::<Vec<_>>(), [bodies], "{found:?}");
        assert!((found[0].time - time).abs() < 0.02, "{found:?}");
    }

    #[test]
    fn what_passes_through_another_in_a_part_is_found() {
        let world = cubes(&[at(0.0, 0.0), at(9.0, 0.0)]);
        let stays = (0, [at(0.0, 0.0); 2]);
        let through = [at(-9.0, 0.0), at(9.0, 0.0)];
        assert_one(&found(&world, vec![part([1.0, 2.0], &[stays, (1, through)])]), [0, 1], 1.45);
        let past = [at(-9.0, 1.001), at(9.0, 1.001)];
        assert_eq!(found(&world, vec![part([1.0, 2.0], &[stays, (1, past)])]), []);
        // In two parts, around it.
        let there = part([1.0, 1.5], &[stays, (1, [at(-9.0, 0.0), at(-9.0, 9.0)])]);
        let down = part([1.5, 2.0], &[stays, (1, [at(-9.0, 9.0), at(-9.0, 0.0)])]);
        assert_eq!(found(&world, vec![there, down]), []);
    }

    #[test]
    fn the_motion_between_bodies_of_an_island_is_their_relative_screw() {
        let quarter = chasles::glam::DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let turned = |x: f64, y: f64| Pose::new([x, y, 0.0], quarter).expect("a pose");
        // About the origin; a corner of the fixed cube is in its way.
        let around = [at(2.0, 0.0), turned(0.0, 2.0)];
        let world = cubes(&[at(0.9, 0.9), around[1]]);
        let stays = (0, [at(0.9, 0.9); 2]);
        let record = vec![part([0.0, 1.0], &[stays, (1, around)])];
        assert_one(&found(&world, record), [0, 1], 0.102);
        // About the fixed cube: the straight way from here to there is through it, the arc is not.
        let around = [at(1.25, 0.0), turned(0.0, 1.25)];
        let world = cubes(&[at(0.0, 0.0), around[1]]);
        let stays = (0, [at(0.0, 0.0); 2]);
        assert_eq!(found(&world, vec![part([0.0, 1.0], &[stays, (1, around)])]), []);
    }

    #[test]
    fn bodies_of_different_islands_are_compared_at_the_same_times() {
        let world = cubes(&[at(0.0, 90.0), at(9.0, 0.0), at(0.0, 9.0)]);
        let right = vec![part([0.0, 1.0], &[(1, [at(-9.0, 0.0), at(9.0, 0.0)])])];
        let up = |turn: f64| {
            let below = part([0.0, turn], &[(2, [at(0.0, -9.0); 2])]);
            let rises = part([turn, 1.0], &[(2, [at(0.0, -9.0), at(0.0, 9.0)])]);
            [right.clone(), vec![below, rises]].concat()
        };
        // At half time the one is in the middle, and so is the other if it does not start late.
        assert_one(&found(&world, up(1e-9)), [1, 2], 8.0 / 18.0);
        assert_eq!(found(&world, up(0.5)), []);
    }

    /// A step that is halved has other islands in each half.
    #[test]
    fn islands_are_those_of_a_time() {
        let world = cubes(&[at(0.0, 90.0), at(9.0, 0.0), at(0.0, 0.0)]);
        let rests = [at(0.0, 0.0); 2];
        let far = [at(-9.0, 0.0), at(-5.0, 0.0)];
        let through = [at(-5.0, 0.0), at(9.0, 0.0)];
        // Of one island while they are far from each other, and then of none.
        let before = part([0.0, 0.5], &[(1, far), (2, rests)]);
        let after = part([0.5, 1.0], &[(1, through)]);
        assert_one(&found(&world, vec![before, after]), [1, 2], 0.5 + 0.5 * 4.0 / 14.0);
        // The other way round, with a turn about the second cube that is free on their relative
        // screw only: each on its own, they would meet.
        let quarter = chasles::glam::DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let turned = |x: f64, y: f64| Pose::new([x, y, 0.0], quarter).expect("a pose");
        let world = cubes(&[at(0.0, 90.0), turned(10.0, 1.25), at(10.0, 0.0)]);
        let alone = part([0.0, 0.5], &[(1, [at(9.0, 9.0), at(1.25, 0.0)])]);
        let moves = [(1, [at(1.25, 0.0), turned(10.0, 1.25)]), (2, [at(0.0, 0.0), at(10.0, 0.0)])];
        let both = part([0.5, 1.0], &moves);
        let late = part([0.0, 0.5], &[(2, rests)]);
        assert_eq!(found(&world, vec![alone, late, both]), []);
    }

    #[test]
    fn what_belongs_to_no_island_is_in_the_way_too() {
        let world = cubes(&[at(0.0, 0.0), at(9.0, 0.0), at(5.0, 0.2)]);
        let right = part([0.0, 1.0], &[(1, [at(-9.0, 0.0), at(9.0, 0.0)])]);
        let found = found(&world, vec![right]);
        assert_eq!(found.iter().map(|one| one.bodies).collect::<Vec<_>>(), [[0, 1], [1, 2]]);
    }

    #[test]
    fn wires_that_pass_each_other_are_seen_and_those_beside_are_not() {
        let needle = |axis: DVec3| {
            let ends = vec![-axis, axis];
            let wire = Polygons { vertices: ends, segments: vec![[0, 1]], ..Polygons::default() };
            let mesh = Polyhedron::new(&wire).expect("a mesh");
            let mass_properties = MassProperties::of_wire(&mesh, 1.0, 0.01).expect("an edge");
            Body::dynamic(Arc::new(Collider::new(mesh)), mass_properties)
        };
        let turned = |y: f64, turn: f64| {
            Pose::new([0.3, y, 0.0], chasles::glam::DQuat::from_rotation_y(turn)).expect("finite")
        };
        for (height, is_wrong) in [(-0.2, true), (1e-3, false)] {
            let mut world = World::new(Options::default());
            world.add(needle(DVec3::X));
            let way = [turned(0.4, 0.0), turned(height, 0.9)];
            world.add(needle(DVec3::Z).at(way[1]));
            let still = [Pose::IDENTITY; 2];
            let record = vec![part([0.0, 0.1], &[(0, still), (1, way)])];
            let report = Report { record, ..Report::default() };
            let found = crossings(&world, &report, &mut Looks::default());
            assert_eq!(!found.is_empty(), is_wrong, "{found:?}");
        }
    }
}
