//! The search along an edge: whiles in the order of time, halved where a pair is in doubt.
//!
//! ```text
//! while -> Moment     links, parts and velocities in its middle      moment.rs
//!       -> each pair  balls and boxes, moved by what the middle does  moment.rs, bound.rs
//!                     a direction that parts them all the while       plane.rs
//!                     the exact distance, less what any point moves   bound.rs
//!                     an exact screw                                  screw.rs
//!       -> halves     with the pairs that are left, the earlier first
//! ```

use chasles::glam::DVec3;
use chasles::query::{self, Distance};

use crate::bound::Bound;
use crate::error::SceneError;
use crate::moment::{Line, Moment};
use crate::plane::Plane;
use crate::scene::{Pair, Scene};
use crate::screw;

/// Bodies nearer than this share of the smaller one's radius count as touching: beyond rounding,
/// and below what anyone sees.
pub(crate) const TOUCHING: f64 = 1e-9;

/// Whiles are halved this often at most: then their length is that of rounding in times.
const MOST_HALVINGS: u32 = 48;

/// Every so many distances of a pair on an edge, a screw is tried: it costs some dozen distances.
const PATIENCE: u32 = 8;

/// A pair that a direction parts now, but not all the while, has its distance looked for after so
/// many halvings, if the motion is not far longer than the gap. Before, another halving is cheaper:
/// of random edges of an arm a sixth of the distances are needed then.
const FINE: u32 = 5;

/// A pair that no direction is known to part has its distance looked for once it moves less than
/// this share of its size: longer motions lead from overlap to overlap through what is free.
const DEEP: f64 = 0.2;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    /// The first time at which a pair is nearer than its margin, or than this.
    Free { margin: f64, width: f64 },
    /// The least distance to within a width, below one that is known.
    Least { width: f64, known: f64 },
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    /// All pairs are apart before this fraction.
    pub(crate) fraction: f64,
    pub(crate) end: End,
    /// No pair was found nearer than this on what is apart, and none can be.
    pub(crate) lower: f64,
    /// The least distance that was met, where, and of which pair.
    pub(crate) nearest: Option<Nearest>,
    pub(crate) evaluations: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    Free,
    Hit(Nearest),
    /// At this fraction, of this pair.
    Undecided(f64, usize),
}

/// A distance that was met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    pub(crate) at: f64,
    /// As a number among the pairs of the scene.
    pub(crate) pair: usize,
    pub(crate) distance: Distance,
}

/// What is known of a pair over a while.
enum Told {
    /// It stays this far apart.
    Apart(f64),
    Hit(Nearest),
    Open,
}

/// What became of a while.
enum Progress {
    Looked,
    /// It cannot be halved, or there were enough evaluations.
    GivenUp,
}

/// A part of the edge in which these pairs are open: places in the arena.
#[derive(Clone, Copy, Debug)]
struct While {
    from: f64,
    to: f64,
    halvings: u32,
    pairs: [usize; 2],
}

/// What is kept of a pair during one edge.
#[derive(Clone, Copy, Debug, Default)]
struct Memory {
    /// The direction that parted it last, in the frame of its first part.
    direction: Option<DVec3>,
    distances: u32,
}

/// Memory that searches use again; what it was used for before does not matter.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) moment: Moment,
    pub(crate) query: query::Workspace,
    pub(crate) rates: Vec<f64>,
    whiles: Vec<While>,
    arena: Vec<u32>,
    memory: Vec<Memory>,
}

/// A search on its way.
pub(crate) struct Search<'s> {
    pub(crate) scene: &'s Scene,
    pub(crate) line: Line<'s>,
    pub(crate) goal: Goal,
    pub(crate) most_evaluations: u32,
    pub(crate) workspace: &'s mut Workspace,
    pub(crate) found: Found,
}

impl<'s> Search<'s> {
    pub(crate) fn new(
        scene: &'s Scene,
        line: Line<'s>,
        goal: Goal,
        most_evaluations: u32,
        workspace: &'s mut Workspace,
    ) -> Self {
        let found = Found {
            fraction: 0.0,
            end: End::Free,
            lower: f64::INFINITY,
            nearest: None,
            evaluations: 0,
        };
        line.rates(scene, &mut workspace.rates);
        workspace.memory.clear();
        workspace.memory.resize(scene.pairs.len(), Memory::default());
        workspace.arena.clear();
        workspace.arena.extend(0..scene.pairs.len() as u32);
        workspace.whiles.clear();
        Self { scene, line, goal, most_evaluations, workspace, found }
    }

    /// Searches all of the edge.
    pub(crate) fn run(mut self) -> Result<Found, SceneError> {
        let all = [0, self.workspace.arena.len()];
        let start = While { from: 0.0, to: 0.0, halvings: 0, pairs: all };
        self.look(start)?;
        if let End::Hit(_) = self.found.end {
            return Ok(self.found);
        }
        // What was left open at the start is open for the whole.
        self.workspace.arena.truncate(all[1]);
        self.workspace.whiles.clear();
        self.workspace.whiles.push(While { to: 1.0, ..start });
        while let Some(next) = self.workspace.whiles.pop() {
            self.workspace.arena.truncate(next.pairs[1]);
            let Some(next) = self.trimmed(next) else { continue };
            self.found.fraction = next.from;
            if self.is_done(&next) {
                return Ok(self.found);
            }
            if let Progress::GivenUp = self.look(next)? {
                return Ok(self.found);
            }
        }
        self.found.fraction = match self.found.end {
            End::Hit(hit) => hit.at,
            _ => 1.0,
        };
        Ok(self.found)
    }

    /// A while as far as it is before a known hit.
    fn trimmed(&self, next: While) -> Option<While> {
        match self.found.end {
            End::Hit(hit) if next.from >= hit.at => None,
            End::Hit(hit) => Some(While { to: next.to.min(hit.at), ..next }),
            _ => Some(next),
        }
    }

    /// Whether a hit is known closely enough, or at all if any will do.
    fn is_done(&self, next: &While) -> bool {
        match (self.found.end, self.goal) {
            (End::Hit(hit), Goal::Free { width, .. }) => {
                next.to == hit.at && next.to - next.from <= width
            }
            (End::Hit(_), Goal::Least { .. }) => true,
            _ => false,
        }
    }

    /// Looks at all pairs of a while, and leaves its halves with those that are open.
    fn look(&mut self, span: While) -> Result<Progress, SceneError> {
        let While { from, to, halvings, pairs: [first, end] } = span;
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let Workspace { moment, rates, .. } = &mut *self.workspace;
        // Rounding of the middle does not take an end out of the while.
        let grown = half + f64::EPSILON * to;
        moment.go(self.scene, self.line, rates, (middle, if to == 0.0 { 0.0 } else { grown }));
        self.found.evaluations += 1;
        for place in first..end {
            let number = self.workspace.arena[place];
            match self.ask(number as usize, &span)? {
                Told::Apart(gap) => self.found.lower = self.found.lower.min(gap),
                Told::Hit(hit) => {
                    self.hit(hit);
                    self.workspace.arena.push(number);
                }
                Told::Open => self.workspace.arena.push(number),
            }
        }
        let open = [end, self.workspace.arena.len()];
        if open[0] == open[1] || to == 0.0 {
            return Ok(Progress::Looked);
        }
        if halvings == MOST_HALVINGS || self.found.evaluations >= self.most_evaluations {
            // A hit that is known stays one, however closely it is known.
            if self.found.end == End::Free {
                self.found.end = End::Undecided(middle, self.workspace.arena[end] as usize);
            }
            return Ok(Progress::GivenUp);
        }
        let halvings = halvings + 1;
        self.workspace.whiles.push(While { from: middle, to, halvings, pairs: open });
        self.workspace.whiles.push(While { from, to: middle, halvings, pairs: open });
        Ok(Progress::Looked)
    }

    /// Keeps the earlier of two hits.
    fn hit(&mut self, hit: Nearest) {
        let is_later = matches!(self.found.end, End::Hit(known) if known.at <= hit.at);
        if !is_later {
            self.found.end = End::Hit(hit);
        }
    }

    /// How far apart a pair has to be.
    fn need(&self, pair: &Pair) -> f64 {
        match self.goal {
            Goal::Free { margin, .. } => margin.max(pair.margin),
            Goal::Least { width, known } => {
                let nearest = self.found.nearest.map_or(f64::INFINITY, |n| n.distance.distance);
                (nearest.min(known) - width).max(0.0)
            }
        }
    }

    /// What is known of a pair over a while; the moment is its middle.
    fn ask(&mut self, number: usize, span: &While) -> Result<Told, SceneError> {
        let pair = self.scene.pairs[number];
        let Workspace { moment, rates, .. } = &mut *self.workspace;
        let rounding = moment.rounding(self.scene, pair.parts);
        let apart = moment.apart(self.scene, pair.parts);
        let bound = moment.bound(self.scene, rates, &pair);
        let need = self.need(&pair);
        if apart - bound.centre > need + rounding {
            return Ok(Told::Apart(apart - bound.centre - rounding));
        }
        let plane = self.plane(&pair, &bound, span);
        let direction = self.direction(number, &pair);
        let guess = direction.map(|n| plane.gap(n));
        if let Some(gap) = guess
            && gap.least > need + rounding
        {
            return Ok(Told::Apart(gap.least - rounding));
        }
        let is_worth = match guess {
            Some(gap) if gap.now > need => {
                span.halvings >= FINE && gap.now - gap.least < 2.0 * (gap.now - need)
            }
            _ => bound.points < DEEP * self.size(&pair),
        };
        if span.to > 0.0 && !is_worth {
            return Ok(Told::Open);
        }
        self.measure(number, span, &bound, [need, rounding])
    }

    /// What the exact distance tells of a pair.
    fn measure(
        &mut self,
        number: usize,
        span: &While,
        bound: &Bound,
        [need, rounding]: [f64; 2],
    ) -> Result<Told, SceneError> {
        let pair = self.scene.pairs[number];
        let at = 0.5 * (span.from + span.to);
        let met = self.distance(number, at)?;
        if self.is_hit(&met) {
            return Ok(Told::Hit(met));
        }
        let gap = met.distance.distance - bound.points;
        if gap > need + rounding {
            return Ok(Told::Apart(gap - rounding));
        }
        let n = met.distance.normal;
        let along = self.plane(&pair, bound, span).gap(n);
        let frame = self.workspace.moment.frame(pair.parts[0]);
        self.workspace.memory[number].direction = Some(frame.vector_inside(n));
        if along.least > need + rounding {
            return Ok(Told::Apart(along.least - rounding));
        }
        let distances = self.workspace.memory[number].distances;
        if span.to > 0.0 && distances.is_multiple_of(PATIENCE) {
            return self.by_screw(number, span, met.distance.distance, [need, rounding]);
        }
        Ok(Told::Open)
    }

    /// What an exact screw tells of a pair.
    fn by_screw(
        &mut self,
        number: usize,
        span: &While,
        distance: f64,
        need: [f64; 2],
    ) -> Result<Told, SceneError> {
        let ends = [span.from, span.to];
        self.found.evaluations += PATIENCE;
        let found = screw::ask(self, number, ends, distance, need)?;
        Ok(match found {
            screw::Told::Apart(gap) => Told::Apart(gap),
            screw::Told::TouchesAt(t) => {
                let Workspace { moment, rates, .. } = &mut *self.workspace;
                let (middle, half) = (0.5 * (span.from + span.to), 0.5 * (span.to - span.from));
                moment.go(self.scene, self.line, rates, (t, 0.0));
                let met = self.distance(number, t)?;
                let Workspace { moment, rates, .. } = &mut *self.workspace;
                moment.go(self.scene, self.line, rates, (middle, half + f64::EPSILON * span.to));
                if self.is_hit(&met) { Told::Hit(met) } else { Told::Open }
            }
            screw::Told::Nothing => Told::Open,
        })
    }

    /// The exact distance of a pair in the moment.
    fn distance(&mut self, number: usize, at: f64) -> Result<Nearest, SceneError> {
        let Workspace { moment, query, memory, .. } = &mut *self.workspace;
        let parts = self.scene.pairs[number].parts;
        let [a, b] = parts.map(|part| &self.scene.parts[part].geometry);
        let distance = query::distance(a, b, moment.poses(parts), query)?;
        memory[number].distances += 1;
        self.found.evaluations += 1;
        let met = Nearest { at, pair: number, distance };
        if self.found.nearest.is_none_or(|known| distance.distance < known.distance.distance) {
            self.found.nearest = Some(met);
        }
        Ok(met)
    }

    /// Whether a distance is one at which the edge is not free.
    fn is_hit(&self, met: &Nearest) -> bool {
        let pair = &self.scene.pairs[met.pair];
        let [p, q] = pair.parts.map(|part| self.scene.parts[part].radius);
        let margin = match self.goal {
            Goal::Free { margin, .. } => margin.max(pair.margin),
            Goal::Least { .. } => 0.0,
        };
        met.distance.overlaps || met.distance.distance <= margin + TOUCHING * p.min(q)
    }

    /// How large two parts are together.
    fn size(&self, pair: &Pair) -> f64 {
        pair.parts.map(|part| self.scene.parts[part].radius).into_iter().sum()
    }

    fn plane(&self, pair: &Pair, bound: &Bound, span: &While) -> Plane<'_> {
        let moment = &self.workspace.moment;
        let half = if span.to == 0.0 { 0.0 } else { 0.5 * (span.to - span.from) };
        Plane {
            parts: pair.parts.map(|part| &self.scene.parts[part]),
            frames: pair.parts.map(|part| moment.frame(part)),
            twist: moment.twist(self.scene, pair.parts),
            bend: bound.bend,
            half: half + f64::EPSILON * span.to,
        }
    }

    /// A direction that may part a pair: the last that was tried, or from the box of the first to
    /// the middle of the second.
    fn direction(&self, number: usize, pair: &Pair) -> Option<DVec3> {
        let [x, _] = pair.parts;
        let moment = &self.workspace.moment;
        if let Some(known) = self.workspace.memory[number].direction {
            return Some(moment.frame(x).vector(known));
        }
        let centre = moment.frame(x).point_inside(moment.centres(pair.parts)[1]);
        let across = centre - self.scene.parts[x].nearest_in_box(centre);
        across.try_normalize().map(|n| moment.frame(x).vector(n))
    }
}
