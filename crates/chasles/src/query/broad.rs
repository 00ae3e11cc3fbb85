//! Which bodies of a set come near each other: boxes around their motions, in trees.

use glam::DVec3;

use super::geometry::{Form, Geometry};
use super::options::{Method, Options};
use super::sweep::{Slack, Sweep};
use super::trajectory::Trajectory;
use crate::bounds::{Aabb, Bvh, Stack};
use crate::parallel;
use crate::screen::{Resolution, typical_edge};

/// The bodies of a set with boxes around their motions.
#[derive(Debug)]
pub(super) struct Broad {
    sweeps: Vec<Sweep>,
    moving: Tree,
    still: Tree,
    /// Bodies without end.
    everywhere: Vec<u32>,
    /// Moving bodies that turn much, and the others that move, in wide boxes; the latter only if
    /// there are any of the former.
    spinning: [Tree; 2],
    /// Moving bodies that turn so far that boxes tell nothing about two of them.
    beyond: Vec<u32>,
}

/// Some of the bodies, in a tree of their boxes.
#[derive(Debug)]
struct Tree {
    /// Their numbers.
    bodies: Vec<u32>,
    shape: Bvh,
    boxes: Vec<Aabb>,
}

impl Tree {
    fn new(bodies: Vec<u32>, around: impl Fn(u32) -> Aabb) -> Self {
        let items: Vec<Aabb> = bodies.iter().map(|&body| around(body)).collect();
        let middles: Vec<DVec3> = items.iter().map(|b| 0.5 * b.low + 0.5 * b.high).collect();
        let shape = Bvh::new(&middles);
        let mut boxes = Vec::new();
        shape.fit(&items, &mut boxes);
        Self { bodies, shape, boxes }
    }
}

/// How far apart bodies may be between which a method reports contacts: the share of one body.
pub(super) fn slack(geometry: &Geometry, options: &Options) -> Slack {
    let length = match (options.method, geometry.form()) {
        (Method::Screen, Form::Mesh(collider)) => match options.screen.resolution {
            // The pixel of a pair is no longer than that of either body, and robust mode sees two.
            Resolution::Pixels(count) => 2.0 * typical_edge(collider) / f64::from(count.max(1)),
            Resolution::Length(length) => length,
        },
        (_, Form::Solid(solid)) => options.path.precision + 2.0 * solid.error(),
        (Method::Path, _) => options.path.precision,
        _ => 0.0,
    };
    Slack::new(length, options.max_departure)
}

impl Broad {
    /// Boxes and trees of bodies with trajectories, to find which come within a reach.
    ///
    /// *Cost* `n log n`. *Fails* never.
    pub(super) fn new<'b>(
        bodies: impl Iterator<Item = (&'b Geometry, &'b Trajectory)>,
        options: &Options,
        reach: f64,
    ) -> Self {
        let share = 0.5 * reach.max(0.0);
        let sweep = |(geometry, motion)| {
            let slack = slack(geometry, options);
            let length = slack.length + share;
            Sweep::new(geometry, motion, Slack { length, ..slack })
        };
        Self::of_sweeps(bodies.map(sweep).collect())
    }

    /// The same of boxes that are there.
    pub(super) fn of_sweeps(sweeps: Vec<Sweep>) -> Self {
        let which = |is: &dyn Fn(&Sweep) -> bool| -> Vec<u32> {
            let numbered = (0..).zip(&sweeps);
            numbered.filter(|(_, sweep)| is(sweep)).map(|(i, _)| i).collect()
        };
        let everywhere = which(&|sweep| sweep.is_everywhere());
        let spinning = which(&|s| s.moves && s.turns_much() && !s.is_everywhere());
        let any = !spinning.is_empty();
        let beside = which(&|s| any && s.moves && !s.turns_much() && !s.is_everywhere());
        let beyond = which(&|sweep| sweep.turns_far() && !sweep.is_everywhere());
        let moving = which(&|sweep| sweep.moves && !sweep.is_everywhere());
        let still = which(&|sweep| !sweep.moves && !sweep.is_everywhere());
        let largest = sweeps.iter().map(Sweep::small_angle).fold(0.0, f64::max);
        let at = |i: u32| &sweeps[i as usize];
        let grown = |i: u32| at(i).around.grown(DVec3::splat(at(i).margin(largest)));
        Self {
            moving: Tree::new(moving, grown),
            still: Tree::new(still, |i| at(i).around),
            spinning: [spinning, beside].map(|bodies| Tree::new(bodies, |i| at(i).wide)),
            everywhere,
            beyond,
            sweeps,
        }
    }

    /// All pairs of bodies that may meet, the lower number first, in order; of two that stand only
    /// if `asks_still`. Of pairs that boxes cannot part, those for which `beyond` holds.
    ///
    /// *Cost* about linear in bodies and pairs; every body that goes from pose to pose and turns by
    /// more than a quarter-turn is held against every moving one.
    pub(super) fn pairs(
        &self,
        asks_still: bool,
        beyond: impl Fn(&Sweep, &Sweep) -> bool + Sync,
    ) -> Vec<[u32; 2]> {
        let mut found = Vec::new();
        let mut stack = Stack::new();
        let at = |i: u32| &self.sweeps[i as usize];
        // Pairs of which one turns much are those of wide boxes, or beyond all.
        let is_usual = |p: &Sweep, q: &Sweep| {
            let both = p.moves && q.moves;
            !(both && (p.turns_much() || q.turns_much()) && !p.is_a_screw(q))
        };
        let mut add = |i: u32, j: u32, usual: bool| {
            let [p, q] = [at(i), at(j)];
            if is_usual(p, q) == usual && !p.is_beyond_boxes(q) && p.may_meet(q) {
                found.push([i.min(j), i.max(j)]);
            }
        };
        let Self { moving, still, spinning: [spinning, beside], .. } = self;
        let of = |tree: &Tree, k: u32| tree.bodies[k as usize];
        moving.shape.pairs_within(&moving.boxes, &mut stack, |i, j| {
            add(of(moving, i), of(moving, j), true);
        });
        let others = (&still.shape, still.boxes.as_slice());
        moving.shape.pairs_between(&moving.boxes, others, &mut stack, |i, j| {
            add(of(moving, i), of(still, j), true);
        });
        spinning.shape.pairs_within(&spinning.boxes, &mut stack, |i, j| {
            add(of(spinning, i), of(spinning, j), false);
        });
        let others = (&beside.shape, beside.boxes.as_slice());
        spinning.shape.pairs_between(&spinning.boxes, others, &mut stack, |i, j| {
            add(of(spinning, i), of(beside, j), false);
        });
        if asks_still {
            still.shape.pairs_within(&still.boxes, &mut stack, |i, j| {
                add(of(still, i), of(still, j), true);
            });
        }
        found.extend(self.pairs_beyond(beyond));
        for &i in &self.everywhere {
            let is_first = |j: u32| i < j || i != j && !at(j).is_everywhere();
            let others = (0..self.sweeps.len() as u32).filter(|&j| is_first(j));
            let asked = others.filter(|&j| asks_still || at(i).moves || at(j).moves);
            found.extend(asked.map(|j| [i.min(j), i.max(j)]));
        }
        found.sort_unstable();
        found
    }

    /// The pairs of moving bodies that boxes cannot part and for which `may_meet` holds.
    fn pairs_beyond(&self, may_meet: impl Fn(&Sweep, &Sweep) -> bool + Sync) -> Vec<[u32; 2]> {
        let at = |i: u32| &self.sweeps[i as usize];
        let of_body = |(): &mut (), &i: &u32| {
            let is_first = |j: u32| i < j || i != j && !at(j).turns_far();
            let others = self.moving.bodies.iter().filter(move |&&j| is_first(j));
            let pairs = others.map(|&j| [i.min(j), i.max(j)]);
            let is_near = |&[i, j]: &[u32; 2]| {
                let [p, q] = [at(i), at(j)];
                p.is_beyond_boxes(q) && may_meet(p, q)
            };
            pairs.filter(is_near).collect::<Vec<_>>()
        };
        let lists: Vec<Vec<[u32; 2]>> = parallel::map(&self.beyond, || (), of_body);
        lists.concat()
    }

    /// Calls `each` with every body that another one, which is not of the set, may meet.
    pub(super) fn near(&self, other: &Sweep, stack: &mut Stack, mut each: impl FnMut(u32)) {
        let at = |i: u32| &self.sweeps[i as usize];
        let Tree { bodies, shape, boxes } = &self.still;
        // What stands is parted from the other by the box that the other has.
        shape.items_in(boxes, &other.around, stack, |k| {
            let body = bodies[k as usize];
            if at(body).may_meet(other) {
                each(body);
            }
        });
        let rest = self.moving.bodies.iter().chain(&self.everywhere);
        for &body in rest {
            let is_near = match at(body).is_beyond_boxes(other) {
                true => at(body).may_meet_on_screw(other),
                false => at(body).may_meet(other),
            };
            if is_near {
                each(body);
            }
        }
    }
}
