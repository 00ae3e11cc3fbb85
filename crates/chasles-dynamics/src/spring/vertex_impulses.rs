//! Impulses on the vertices of a sheet that keep near features apart.
//!
//! A pair of features that comes near is a half-space for the end of the step: along the normal,
//! the points that are closest when it comes near must end as far apart as the thickness, or not
//! nearer than they are. The impulses that see to it never pull, friction stays in its cone, and
//! all are found one by one, over and over [MW88 §3.2.1]. Features that are nearer than the
//! thickness are also moved apart a little, by displacements that leave velocities alone and so
//! add no energy of motion.

use chasles::deform::{Closing, Kind};
use glam::{DMat3, DVec3};

use super::implicit::{Rider, Seat, Step, Tie};
use super::sheet::Push;

/// Rounds over all pairs.
const ROUNDS: usize = 20;

/// The share of what is missing to the thickness that one step makes up for.
const PUSH: f64 = 0.2;

/// Two normals of the same features are two half-spaces if they differ by more than this: by
/// a degree.
const SAME: f64 = 0.9998;

/// How stiffly ties hold, as a multiple of the masses they hold: the velocities along normals are
/// then off by a thousandth of what contacts change, which impulses after the step make up for.
/// Stiffer ones cost more: what ties several vertices makes the equations that much harder to
/// solve.
const STIFF: f64 = 1e3;

/// Rounds in which ties are made and let go, and friction finds its size.
const TIES: usize = 6;

/// The same where loads are found, too.
const LOADED_TIES: usize = 12;

/// Those of them that friction needs.
const FRICTION: usize = 2;

/// The velocities that impulses change, and the displacements besides.
pub(super) struct State<'s> {
    pub(super) inv_masses: &'s [f64],
    pub(super) velocities: &'s mut [DVec3],
    pub(super) shifts: &'s mut [DVec3],
}

/// Who comes near whom, and where both are at the start and at the end of what is left of the step.
pub(super) struct Scene<'s> {
    pub(super) sheet: &'s [DVec3],
    /// Of the closing's surfaces the one that is the obstacle, its number and its positions.
    pub(super) obstacle: Option<(usize, usize, [&'s [DVec3]; 2])>,
    pub(super) friction: f64,
    pub(super) inv_masses: &'s [f64],
}

/// A pair of features that is kept apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    closing: Closing,
    /// The number of the obstacle, and whether it has the first feature.
    pub(super) obstacle: Option<(usize, bool)>,
    /// How each vertex of the sheet counts; 0 for those of obstacles.
    weights: [f64; 4],
    /// The way of the obstacle's point, against that of the sheet.
    pub(super) way: DVec3,
    /// The distance along the normal at the start.
    pub(super) gap: f64,
    pub(super) inv_effective_mass: f64,
    pub(super) friction: f64,
    /// The impulse on the first feature after the implicit step, along the normal and across it.
    normal_impulse: f64,
    friction_impulse: DVec3,
    /// The impulse in the implicit step, or that of a contact spring. The others come after it:
    /// they begin from nothing, since a change of this one would have to be answered by the springs
    /// too.
    pub(super) held: DVec3,
    /// What the implicit step begins with, along the normal, in newton seconds.
    pub(super) load: f64,
    seat: Option<Seat>,
    pushed: f64,
    point: DVec3,
}

/// Distances and time of an implicit step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    pub(super) thickness: f64,
    pub(super) seconds: f64,
    /// The rate by which contacts may come nearer than they should, in m/s, if they carry loads:
    /// their impulses then begin with these, and are the next loads (augmented Lagrangian), so that
    /// ties hold any weight. Without it ties are as stiff as they are.
    pub(super) slack: Option<f64>,
}

impl Kept {
    pub(super) fn new(closing: &Closing, scene: &Scene<'_>) -> Self {
        let mut weights = [0.0; 4];
        let [mut apart, mut way, mut point] = [DVec3::ZERO; 3];
        let mut inv_effective_mass = 0.0;
        for (i, &vertex) in closing.vertices.iter().enumerate() {
            let is_first = i < closing.vertices_of_first();
            let vertex = vertex as usize;
            let weight = if is_first { closing.weights[i] } else { -closing.weights[i] };
            let surface = closing.surfaces[usize::from(!is_first)];
            match scene.obstacle {
                Some((of, _, [start, end])) if of == surface => {
                    apart += weight * start[vertex];
                    way += weight * (end[vertex] - start[vertex]);
                    point += closing.weights[i] * start[vertex];
                }
                _ => {
                    apart += weight * scene.sheet[vertex];
                    weights[i] = weight;
                    inv_effective_mass += weight * weight * scene.inv_masses[vertex];
                }
            }
        }
        Self {
            closing: *closing,
            obstacle: scene.obstacle.map(|(of, number, _)| (number, closing.surfaces[0] == of)),
            weights,
            way,
            gap: closing.normal.dot(apart),
            inv_effective_mass,
            friction: scene.friction,
            normal_impulse: 0.0,
            friction_impulse: DVec3::ZERO,
            held: DVec3::ZERO,
            load: 0.0,
            seat: None,
            pushed: 0.0,
            point,
        }
    }

    /// The features, as they were found.
    pub(super) fn closing(&self) -> &Closing {
        &self.closing
    }

    /// Lets the obstacle be a rider whose unknowns begin at a node: its way is then that of its
    /// velocity without the sheet.
    pub(super) fn sit(&mut self, rider: &Rider, node: usize, seconds: f64) {
        let Some((_, is_first)) = self.obstacle else { return };
        let Rider { inertia, velocity, .. } = rider;
        let sign = if is_first { 1.0 } else { -1.0 };
        self.seat = Some(Seat { node, sign, arm: self.point - inertia.centre });
        self.way = sign * seconds * velocity.at(inertia.centre, self.point);
        // Where pins hold the sheet only the rider gives way.
        if self.inv_effective_mass == 0.0 {
            let normal = self.closing.normal;
            self.inv_effective_mass = normal.dot(inertia.inv_effective_mass(self.point) * normal);
        }
    }

    /// What tells the features.
    pub(super) fn key(&self) -> (Option<usize>, bool, [usize; 2], [u32; 4]) {
        let Closing { kind, surfaces, vertices, .. } = self.closing;
        let number = self.obstacle.map(|(number, _)| number);
        (number, kind == Kind::EdgeEdge, surfaces, vertices)
    }

    /// The vertex of a pair of a vertex and a triangle.
    pub(super) fn lone_vertex(&self) -> Option<u32> {
        let Closing { kind, vertices, .. } = self.closing;
        (kind == Kind::VertexTriangle).then_some(vertices[0])
    }

    /// Unit, to the first feature.
    pub(super) fn normal(&self) -> DVec3 {
        self.closing.normal
    }

    /// When it comes near, as a share of the way.
    pub(super) fn time(&self) -> f64 {
        self.closing.time
    }

    /// How fast the pair closes if vertices have these velocities, for a way of these seconds.
    pub(super) fn closing_speed(&self, velocities: &[DVec3], seconds: f64) -> f64 {
        -self.normal().dot(self.sum(velocities) + self.way / seconds)
    }

    /// Whether a pair of the same features asks the same.
    pub(super) fn is_along(&self, other: &Self) -> bool {
        self.closing.normal.dot(other.closing.normal) > SAME
    }

    /// What holds the pair apart in an implicit step, at these velocities, if anything must.
    fn tie(&self, velocities: &[DVec3], hold: &Hold, stiff: f64) -> Option<Tie> {
        let Hold { thickness, seconds, .. } = *hold;
        let normal = self.closing.normal;
        let velocity = self.relative(velocities, seconds);
        // A load is what the tie would answer to so much more speed.
        let least = self.least(thickness, seconds) + self.load * self.inv_effective_mass / STIFF;
        let missing = least - normal.dot(velocity);
        let is_needed = missing > 0.0 && self.inv_effective_mass > 0.0;
        if !is_needed {
            return None;
        }
        let along = velocity - normal * normal.dot(velocity);
        // The drag that makes the friction of this sliding, or sticks.
        let more = missing - self.load * self.inv_effective_mass / STIFF;
        let pressed = (self.load * self.inv_effective_mass + stiff * more).max(0.0);
        let drag = self.friction * pressed / along.length().max(f64::MIN_POSITIVE);
        let drag = drag.min(STIFF) / self.inv_effective_mass;
        let outer = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
        let block = STIFF / self.inv_effective_mass * outer + drag * (DMat3::IDENTITY - outer);
        let vertices = std::array::from_fn(|i| match self.weights[i] == 0.0 {
            true => self.any_of_sheet(),
            false => self.closing.vertices[i],
        });
        let goal = least * normal - self.way / seconds;
        Some(Tie { vertices, weights: self.weights, block, goal, seat: self.seat })
    }

    /// How the first feature moves, as the second sees it.
    fn relative(&self, velocities: &[DVec3], seconds: f64) -> DVec3 {
        let of_rider = self.seat.map_or(DVec3::ZERO, |seat| seat.seen(velocities));
        self.sum(velocities) + of_rider + self.way / seconds
    }

    /// By how much the pair comes nearer than it should, as a rate.
    fn lack(&self, velocities: &[DVec3], hold: &Hold) -> f64 {
        let rate = self.closing.normal.dot(self.relative(velocities, hold.seconds));
        self.least(hold.thickness, hold.seconds) - rate
    }

    /// A vertex that belongs to the sheet, for those that do not count.
    fn any_of_sheet(&self) -> u32 {
        let counts = self.weights.iter().position(|w| *w != 0.0);
        counts.map_or(0, |i| self.closing.vertices[i])
    }

    /// The least relative velocity along the normal that keeps the pair apart.
    fn least(&self, thickness: f64, seconds: f64) -> f64 {
        -(self.gap - thickness).max(0.0) / seconds
    }

    /// What the obstacle gets from a sheet that would have these velocities without it.
    pub(super) fn push_on_obstacle(&self, free: &[DVec3]) -> Option<Push> {
        let (obstacle, is_first) = self.obstacle?;
        let sign = if is_first { 1.0 } else { -1.0 };
        let after = self.normal_impulse * self.closing.normal + self.friction_impulse;
        let impulse = sign * (self.held + after);
        // The weights of the second feature are negative.
        let free = -sign * self.sum(free);
        (impulse != DVec3::ZERO).then_some(Push { obstacle, point: self.point, impulse, free })
    }

    pub(super) fn sum(&self, of: &[DVec3]) -> DVec3 {
        self.sum_of(|vertex| of[vertex])
    }

    /// What vertices of the sheet have of something, weighed.
    pub(super) fn sum_of(&self, of: impl Fn(usize) -> DVec3) -> DVec3 {
        let mut sum = DVec3::ZERO;
        self.each(|vertex, weight| sum += weight * of(vertex));
        sum
    }

    /// All vertices of the sheet that count, with their weights.
    pub(super) fn each(&self, mut each: impl FnMut(usize, f64)) {
        for (&vertex, weight) in self.closing.vertices.iter().zip(self.weights) {
            if weight != 0.0 {
                each(vertex as usize, weight);
            }
        }
    }

    fn add(&self, to: &mut [DVec3], inv_masses: &[f64], impulse: DVec3) {
        self.each(|vertex, weight| to[vertex] += weight * inv_masses[vertex] * impulse);
    }

    /// Takes away what would bring the pair too near in this many seconds, and sliding.
    fn relax(&mut self, state: &mut State<'_>, thickness: f64, seconds: f64) {
        let normal = self.closing.normal;
        let velocity = self.sum(state.velocities) + self.way / seconds;
        let least = self.least(thickness, seconds);
        let wanted = self.normal_impulse + (least - normal.dot(velocity)) / self.inv_effective_mass;
        let more = wanted.max(0.0) - self.normal_impulse;
        self.normal_impulse += more;
        self.add(state.velocities, state.inv_masses, more * normal);

        let velocity = self.sum(state.velocities) + self.way / seconds;
        let along = velocity - normal * normal.dot(velocity);
        let wanted = self.friction_impulse - along / self.inv_effective_mass;
        let wanted = wanted.clamp_length_max(self.friction * self.normal_impulse);
        let more = wanted - self.friction_impulse;
        self.friction_impulse = wanted;
        self.add(state.velocities, state.inv_masses, more);
    }

    /// Moves what is too near apart, beside what velocities do.
    fn part(&mut self, state: &mut State<'_>, thickness: f64, seconds: f64) {
        let missing = PUSH * (thickness - self.gap).max(0.0);
        let way = self.sum(state.shifts) + self.way + seconds * self.sum(state.velocities);
        let wanted =
            self.pushed + (missing - self.closing.normal.dot(way)) / self.inv_effective_mass;
        // Only those that are too near are moved; others were kept apart by their velocities.
        let wanted = if missing > 0.0 { wanted.max(0.0) } else { 0.0 };
        let more = wanted - self.pushed;
        self.pushed = wanted;
        self.add(state.shifts, state.inv_masses, more * self.closing.normal);
    }
}

/// The velocities after an implicit step in which all pairs are kept apart, from those without;
/// the pairs keep the impulses for the record.
pub(super) fn resist(
    pairs: &mut [Kept],
    step: &Step<'_>,
    velocities: &mut Vec<DVec3>,
    hold: &Hold,
) {
    let mut ties: Vec<Option<Tie>> = Vec::new();
    // Where most pairs have been held before, friction has found its size already.
    let first = if pairs.iter().any(|pair| pair.held != DVec3::ZERO) { FRICTION } else { 0 };
    let rounds = if hold.slack.is_some() { LOADED_TIES } else { TIES };
    for round in first..rounds {
        // Velocities do not know of ties that are new, and only masses tell their impulses.
        let tie = |pair: &Kept| {
            let is_new = round == first && pair.held == DVec3::ZERO;
            pair.tie(velocities, hold, if is_new { 1.0 } else { STIFF })
        };
        let next: Vec<_> = pairs.iter().map(tie).collect();
        let held = |ties: &[Option<Tie>]| ties.iter().map(Option::is_some).collect::<Vec<_>>();
        let mut is_settled = round > FRICTION && held(&next) == held(&ties);
        let all: Vec<Tie> = next.iter().flatten().copied().collect();
        let before = std::mem::replace(velocities, step.velocities(&all, velocities));
        ties = next;
        if let Some(slack) = hold.slack {
            let changes = before.iter().zip(&*velocities).map(|(v, w)| v.distance(*w));
            let is_still = changes.fold(0.0, f64::max) <= slack;
            is_settled = bear(pairs, &ties, velocities, hold) <= slack && is_still;
        }
        if is_settled {
            break;
        }
    }
    for (pair, tie) in pairs.iter_mut().zip(ties) {
        pair.held = tie.map_or(DVec3::ZERO, |tie| tie.block * (tie.goal - tie.sum(velocities)));
    }
}

/// Lets pairs that carry loads begin with the impulses of their ties from now on; the rate by which
/// one comes nearer than it should.
fn bear(pairs: &mut [Kept], ties: &[Option<Tie>], velocities: &[DVec3], hold: &Hold) -> f64 {
    let mut worst = 0.0_f64;
    for (pair, tie) in pairs.iter_mut().zip(ties) {
        let lack = pair.lack(velocities, hold);
        worst = worst.max(if pair.inv_effective_mass > 0.0 { lack } else { 0.0 });
        let impulse = |tie: &Tie| tie.block * (tie.goal - tie.sum(velocities));
        let load = tie.as_ref().map_or(0.0, |tie| pair.closing.normal.dot(impulse(tie)));
        pair.load = load.max(0.0);
    }
    worst
}

/// Changes velocities and displacements so that all pairs are kept apart for some seconds.
pub(super) fn keep(pairs: &mut [Kept], state: &mut State<'_>, thickness: f64, seconds: f64) {
    for _ in 0..ROUNDS {
        for pair in pairs.iter_mut().filter(|pair| pair.inv_effective_mass > 0.0) {
            pair.relax(state, thickness, seconds);
        }
    }
    for _ in 0..ROUNDS {
        for pair in pairs.iter_mut().filter(|pair| pair.inv_effective_mass > 0.0) {
            pair.part(state, thickness, seconds);
        }
    }
}
