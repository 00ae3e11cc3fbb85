//! Contact springs of a sheet, with bodies and with itself [MW88 §3.1].
//!
//! ```text
//! gap     2 thickness ------ thickness      where the spring of a vertex begins, and where its force has no bound:
//! depth        0      ------   limit        there impulses hold, as they do without springs (vertex_impulses.rs)
//! ```
//!
//! A vertex of the sheet has a spring to the nearest point of each surface that it comes near, a
//! vertex of a body one to the nearest point of the sheet, all of the [`Law`] that rigid bodies
//! have. What comes near is found anew in each portion of a step, in which nothing moves far beside
//! a cell; vertices, the springs between them and those of contacts then move together, in
//! sub-steps as short as they ask for ([`super::adaptive`]). The way is certified as without
//! springs.
//!
//! **Where springs begin.** At twice the thickness, or where a vertex is first seen if that is
//! nearer: a spring that nothing has pressed gives nothing back. One that is not pressed begins
//! anew as the vertex leaves. The nearest point of a surface goes over from face to face without a
//! jump of the distance, and the spring goes with it.
//!
//! **How stiff they are.** As a given period asks for, and stiffer for approaches that would take
//! more than 98 % of their way.
//!
//! *Where it fails*: normals and points stand still for a portion. Edges that cross edges have no
//! springs: impulses hold them. So they do where springs give out: in sheets too stiff for explicit
//! sub-steps, and in motion that is too fast beside a cell; what is stored in springs is lost then.

use std::collections::BTreeMap;

use chasles::deform::SurfaceError;
use glam::DVec3;

use super::adaptive::{self, Equations, advanced};
use super::law::{Law, fastest};
use super::sheet::{Obstacle, Sheet, SheetError, Stepped, ways};
use super::substep::Leg;
use super::vertex_impulses::Kept;

/// The speed below which pushes and friction of springs fade, in metres per second: four times that
/// of rigid bodies, since vertices carry what hangs on them, and need the shorter steps the more
/// they do.
const SLOW: f64 = 4e-3;

/// Where springs begin, in thicknesses.
const ZONE: f64 = 2.0;

/// The least way of a spring, in thicknesses: what is nearer is held by impulses.
const SHORTEST: f64 = 1e-3;

/// How far anything moves in a portion, as a share of the shortest spring of the sheet.
const STRIDE: f64 = 0.25;

/// Portions of a step at most.
const PORTIONS: usize = 64;

/// Bounces lose or gain a thousandth of their energy by it.
const OPTIONS: adaptive::Options = adaptive::Options { tolerance: 1e-6, max_steps: 2_000 };

/// The length of a sub-step, times the fastest rate in a sheet, that explicit steps bear.
const STABLE: f64 = 2.8;

/// A vertex, and what it has a spring with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    is_of_sheet: bool,
    vertex: u32,
    /// The name of an obstacle; none for the sheet itself.
    with: Option<usize>,
}

/// A spring that stays from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cushion {
    /// The distance at which it begins, and the one now.
    begin: f64,
    gap: f64,
    law: Law,
}

impl Cushion {
    /// The energy that it gives back at most.
    pub(super) fn energy(&self) -> f64 {
        self.law.energy(self.begin - self.gap)
    }
}

/// A spring in a portion of a step.
struct Pad {
    name: Name,
    kept: Kept,
    cushion: Cushion,
}

/// A portion of a step.
struct Portion<'s> {
    seconds: f64,
    gravity: DVec3,
    obstacles: &'s [Obstacle<'s>],
    period: f64,
    /// The velocities without contact.
    free: &'s [DVec3],
}

impl Sheet {
    /// Moves the sheet for some seconds among obstacles, on contact springs of this period.
    ///
    /// *Accepts* what [`Sheet::step`] does, and a positive period, in seconds: that of a vertex
    /// which swings on its spring. *Guarantees* what [`Sheet::step`] does. A sheet that nothing but
    /// a surface at rest slows leaves it with the lower of both restitutions, as a share of its
    /// speed; kinetic energy plus that of all springs does not grow by more than a thousandth of
    /// what is exchanged. *Cost* some queries of all pairs that are near, and six evaluations of
    /// all springs for each sub-step, of which contact needs some dozens in a period. *Fails* as
    /// [`Sheet::step`], and on periods that are not positive.
    pub fn step_on_springs(
        &mut self,
        seconds: f64,
        gravity: DVec3,
        obstacles: &[Obstacle<'_>],
        period: f64,
    ) -> Result<Stepped, SheetError> {
        self.check(seconds, obstacles)?;
        let is_period = period > 0.0 && period.is_finite();
        if !is_period {
            return Err(SheetError::Period(period));
        }
        let free: Vec<DVec3> = self.velocities().iter().map(|v| *v + seconds * gravity).collect();
        let mut all = Stepped::default();
        for number in 0.. {
            let from = all.fraction;
            let share = self.portion_of(obstacles, seconds, 1.0 - from);
            let to = if share < 1.0 { from + share * (1.0 - from) } else { 1.0 };
            let is_fast = number >= PORTIONS || share * PORTIONS as f64 <= 1.0;
            let ways = [1.0, to].map(|to| ways(obstacles, [from, to]));
            let [rest, part] = ways.each_ref().map(|ways| moving(obstacles, ways));
            let free = free.as_slice();
            let rest = Portion {
                seconds: (1.0 - from) * seconds,
                gravity,
                obstacles: &rest,
                period,
                free,
            };
            let pads = if is_fast { Vec::new() } else { self.pads(&rest)? };
            if pads.is_empty() {
                all.append(self.step(rest.seconds, gravity, rest.obstacles)?, [from, 1.0]);
                break;
            }
            let part = Portion { seconds: (to - from) * seconds, obstacles: &part, ..rest };
            let pads = if to < 1.0 { self.pads(&part)? } else { pads };
            let stepped = match self.pressed(&part, pads)? {
                Some(stepped) => stepped,
                None => self.step(part.seconds, gravity, part.obstacles)?,
            };
            all.append(stepped, [from, to]);
            if all.fraction < to || to >= 1.0 {
                break;
            }
        }
        Ok(all)
    }

    /// The share of what is left of a step in which nothing moves far.
    fn portion_of(&self, obstacles: &[Obstacle<'_>], whole: f64, left: f64) -> f64 {
        let mean = self.velocities().iter().sum::<DVec3>() / self.velocities().len().max(1) as f64;
        let own = self.velocities().iter().map(|v| v.distance(mean)).fold(0.0, f64::max);
        let ways = obstacles.iter().flat_map(|o| o.start.iter().zip(o.end));
        let other = ways.map(|(p, q)| ((*q - *p) / whole).distance(mean)).fold(0.0, f64::max);
        let far = (own + other) * left * whole;
        (STRIDE * self.net().shortest() / far.max(f64::MIN_POSITIVE)).min(1.0)
    }

    /// Moves the sheet on springs; nothing if they give out.
    fn pressed(
        &mut self,
        portion: &Portion<'_>,
        mut pads: Vec<Pad>,
    ) -> Result<Option<Stepped>, SheetError> {
        if pads.is_empty() || self.fastest_rate() * portion.seconds > STABLE * 1e3 {
            return Ok(None);
        }
        let sprung = Sprung::new(self, portion, &pads);
        let gone = advanced(&sprung, sprung.start(), portion.seconds, &OPTIONS);
        if gone.seconds < portion.seconds {
            return Ok(None);
        }
        let [ends, mut velocities, impulses] = sprung.parts(&gone.state);
        let way = |(p, q): (&DVec3, &DVec3)| (*q - *p) / portion.seconds;
        let sought: Vec<DVec3> = self.positions().iter().zip(&ends).map(way).collect();
        let mut means = sought.clone();
        let ways = ways(portion.obstacles, [0.0, 1.0]);
        let start = (self.positions(), self.thickness());
        let mut leg = Leg::new(self, start, portion.obstacles, &ways);
        let (kept, goal, free) = leg.answered(None, &mut means, portion.seconds)?;
        if free < 1.0 {
            return Ok(None);
        }
        let changes = means.iter().zip(&sought).map(|(mean, sought)| *mean - *sought);
        velocities.iter_mut().zip(changes).for_each(|(v, change)| *v += change);
        for (pad, impulse) in pads.iter_mut().zip(impulses) {
            pad.cushion.gap = pad.gap(&goal, self.positions(), 1.0);
            pad.kept.held = impulse;
        }
        let pushes = pads.iter().map(|pad| &pad.kept).chain(&kept);
        let pushes = pushes.filter_map(|kept| kept.push_on_obstacle(portion.free)).collect();
        let contacts = kept.len() + pads.iter().filter(|pad| pad.cushion.energy() > 0.0).count();
        // What impulses have brought nearer than springs reach has none any more.
        let room = self.thickness()..ZONE * self.thickness();
        let stay = pads.iter().filter(|pad| room.contains(&pad.cushion.gap));
        let cushions = stay.filter(|p| p.cushion.energy().is_finite()).map(|p| (p.name, p.cushion));
        let cushions = cushions.collect();
        Ok(Some(self.moved_to(goal, velocities, cushions, (contacts, pushes))))
    }

    /// The fastest rate of change in the sheet itself.
    fn fastest_rate(&self) -> f64 {
        let mut stiff = vec![[0.0; 2]; self.positions().len()];
        for spring in self.net().springs() {
            for vertex in spring.ends {
                let [stiffness, damping] = &mut stiff[vertex as usize];
                *stiffness += 2.0 * spring.stiffness;
                *damping += 2.0 * self.net().fabric().damping;
            }
        }
        let rates = stiff.iter().zip(self.inv_masses());
        rates.map(|([k, c], w)| (k * w).sqrt() + c * w).fold(0.0, f64::max)
    }

    /// The springs of all vertices that come near something, by their names.
    fn pads(&self, portion: &Portion<'_>) -> Result<Vec<Pad>, SurfaceError> {
        let h = portion.seconds;
        let ways = ways(portion.obstacles, [0.0, 1.0]);
        let mut leg = Leg::new(self, (self.positions(), 0.0), portion.obstacles, &ways);
        let fall = 0.5 * h * h * portion.gravity;
        let goal = self.positions().iter().zip(self.velocities());
        let goal: Vec<DVec3> = goal.map(|(p, v)| *p + h * *v + fall).collect();
        let mut nearest = BTreeMap::<Name, Kept>::new();
        for kept in leg.near(&goal, ZONE * self.thickness())? {
            let Some(name) = kept.name(portion.obstacles) else { continue };
            let is_nearer = |known: &Kept| (kept.time(), kept.gap) < (known.time(), known.gap);
            if nearest.get(&name).is_none_or(is_nearer) {
                nearest.insert(name, kept);
            }
        }
        let pad = |(name, kept)| self.pad(name, kept, portion);
        Ok(nearest.into_iter().filter_map(pad).collect())
    }

    /// The spring of a pair: the one it has, or a new one; none where impulses hold.
    fn pad(&self, name: Name, kept: Kept, portion: &Portion<'_>) -> Option<Pad> {
        let thickness = self.thickness();
        let zone = ZONE * thickness;
        // What comes along a face from its side is not in front of it yet.
        let is_beside = kept.time() > 0.0 && kept.gap < zone;
        if kept.inv_effective_mass <= 0.0 || is_beside || kept.gap <= (1.0 + SHORTEST) * thickness {
            return None;
        }
        let known = self.cushions().get(&name);
        let begin = kept.gap.max(known.map_or(0.0, |known| known.begin)).min(zone);
        let limit = begin - thickness;
        let own = self.net().fabric().restitution;
        let other = kept.obstacle.map_or(1.0, |(number, _)| portion.obstacles[number].restitution);
        let closing = kept.closing_speed(self.velocities(), portion.seconds);
        let stiffness = match known {
            Some(known) => known.law.stiffness(),
            None => {
                let share = (closing / fastest(limit, portion.period)).max(1.0);
                (share * std::f64::consts::TAU / portion.period).powi(2) / kept.inv_effective_mass
            }
        };
        let law = Law::new(stiffness, limit, own.min(other)).and_then(|law| law.settling(SLOW));
        Some(Pad { name, cushion: Cushion { begin, gap: kept.gap, law: law.ok()? }, kept })
    }
}

impl Kept {
    /// The name of a spring for the pair, if it has one.
    fn name(&self, obstacles: &[Obstacle<'_>]) -> Option<Name> {
        let vertex = self.lone_vertex()?;
        let is_of_sheet = !self.obstacle.is_some_and(|(_, is_first)| is_first);
        let with = self.obstacle.map(|(number, _)| obstacles[number].name);
        Some(Name { is_of_sheet, vertex, with })
    }
}

impl Pad {
    /// The distance when vertices are somewhere, a share of the portion on.
    fn gap(&self, positions: &[DVec3], start: &[DVec3], share: f64) -> f64 {
        let moved = self.kept.sum(positions) - self.kept.sum(start);
        self.kept.gap + self.kept.normal().dot(moved + share * self.kept.way)
    }
}

/// Obstacles on ways of theirs.
fn moving<'s>(all: &[Obstacle<'s>], ways: &'s [Vec<Vec<DVec3>>; 2]) -> Vec<Obstacle<'s>> {
    let [starts, ends] = ways;
    let ways = all.iter().zip(starts.iter().zip(ends));
    ways.map(|(obstacle, (start, end))| Obstacle { start, end, ..*obstacle }).collect()
}

/// The equations of a sheet on springs. The state is all positions, all velocities, the impulses of
/// all contacts, and the time.
struct Sprung<'s> {
    sheet: &'s Sheet,
    portion: &'s Portion<'s>,
    pads: &'s [Pad],
    /// For each contact the distance at the start, less what the vertices of the sheet make of it.
    offsets: Vec<f64>,
    size: f64,
}

impl<'s> Sprung<'s> {
    fn new(sheet: &'s Sheet, portion: &'s Portion<'s>, pads: &'s [Pad]) -> Self {
        let offset =
            |pad: &Pad| pad.kept.gap - pad.kept.normal().dot(pad.kept.sum(sheet.positions()));
        let size = pads.iter().map(|pad| pad.cushion.law.limit()).fold(1.0, f64::min);
        Self { sheet, portion, pads, offsets: pads.iter().map(offset).collect(), size }
    }

    fn start(&self) -> Vec<f64> {
        let vectors = self.sheet.positions().iter().chain(self.sheet.velocities());
        let mut state: Vec<f64> = vectors.flat_map(|v| v.to_array()).collect();
        state.resize(state.len() + 3 * self.pads.len() + 1, 0.0);
        state
    }

    /// Positions, velocities and impulses of a state.
    fn parts(&self, state: &[f64]) -> [Vec<DVec3>; 3] {
        let count = 3 * self.sheet.positions().len();
        let (positions, rest) = state.split_at(count);
        let (velocities, rest) = rest.split_at(count);
        let vectors = |of: &[f64]| of.chunks_exact(3).map(DVec3::from_slice).collect();
        [vectors(positions), vectors(velocities), vectors(&rest[..3 * self.pads.len()])]
    }

    /// Adds the forces of the fabric on vertices.
    fn stretch(&self, places: &Places<'_>, forces: &mut [f64]) {
        let damping = self.sheet.net().fabric().damping;
        for spring in self.sheet.net().springs() {
            let [p, q] = spring.ends.map(|v| v as usize);
            let between = places.position(p) - places.position(q);
            let length = between.length();
            let along = between / length.max(f64::MIN_POSITIVE);
            let rate = along.dot(places.velocity(p) - places.velocity(q));
            let force = (spring.stiffness * (length - spring.length) + damping * rate) * along;
            add(forces, p, -force);
            add(forces, q, force);
        }
    }

    /// Adds the forces of contacts on vertices, and writes them down.
    fn press(&self, places: &Places<'_>, forces: &mut [f64], pushes: &mut [f64]) {
        let seconds = self.portion.seconds;
        for (number, Pad { kept, cushion, .. }) in self.pads.iter().enumerate() {
            let normal = kept.normal();
            let sum = kept.sum_of(|vertex| places.position(vertex));
            let gap = self.offsets[number] + normal.dot(sum + places.time / seconds * kept.way);
            let apart = kept.sum_of(|vertex| places.velocity(vertex)) + kept.way / seconds;
            let push = cushion.law.push(cushion.begin - gap, normal, apart, kept.friction);
            push.write_to_slice(&mut pushes[3 * number..]);
            kept.each(|vertex, weight| add(forces, vertex, weight * push));
        }
    }
}

/// A state as vertices see it.
struct Places<'s> {
    positions: &'s [f64],
    velocities: &'s [f64],
    time: f64,
}

impl Places<'_> {
    fn position(&self, vertex: usize) -> DVec3 {
        DVec3::from_slice(&self.positions[3 * vertex..])
    }

    fn velocity(&self, vertex: usize) -> DVec3 {
        DVec3::from_slice(&self.velocities[3 * vertex..])
    }
}

fn add(to: &mut [f64], vertex: usize, what: DVec3) {
    let sum = DVec3::from_slice(&to[3 * vertex..]) + what;
    sum.write_to_slice(&mut to[3 * vertex..]);
}

impl Equations for Sprung<'_> {
    fn change(&self, state: &[f64], rates: &mut [f64]) {
        let count = 3 * self.sheet.positions().len();
        let (positions, rest) = state.split_at(count);
        let velocities = &rest[..count];
        let places = Places { positions, velocities, time: state[state.len() - 1] };
        let (of_positions, rest) = rates.split_at_mut(count);
        let (of_velocities, rest) = rest.split_at_mut(count);
        of_positions.copy_from_slice(velocities);
        of_velocities.fill(0.0);
        self.stretch(&places, of_velocities);
        self.press(&places, of_velocities, rest);
        rest[3 * self.pads.len()] = 1.0;
        let drag = self.sheet.net().fabric().drag;
        for (vertex, &inv_mass) in self.sheet.inv_masses().iter().enumerate() {
            let force = DVec3::from_slice(&of_velocities[3 * vertex..]);
            let free = self.portion.gravity - drag * places.velocity(vertex);
            let rate = if inv_mass > 0.0 { free + inv_mass * force } else { DVec3::ZERO };
            rate.write_to_slice(&mut of_velocities[3 * vertex..]);
        }
    }

    fn scales(&self, state: &[f64], scales: &mut [f64]) {
        let count = 3 * self.sheet.positions().len();
        let speeds = state[count..2 * count].chunks_exact(3).map(|v| DVec3::from_slice(v).length());
        let speed = speeds.fold(0.0, f64::max) + SLOW;
        scales.fill(f64::INFINITY);
        scales[..count].fill(self.size);
        scales[count..2 * count].fill(speed);
    }
}
