//! Contacts that sweeps do not solve: a Newton method in the velocities of the bodies.
//!
//! Where light bodies carry heavy ones, and in tall stacks, sweeps over contacts need more rounds
//! than there is time for. Here the unknowns are the velocities `v` of the bodies, six each, and
//! all contacts act at once. Legend: `v*` are the velocities without contacts, `M` the masses, `p`
//! the impulse that a contact is thought to have, `u` its velocity above its limit, `K` its
//! friction cone, `r` a stiffness. What is minimized is convex:
//!
//! ```text
//! |v - v*|²_M / 2 + sum of |P(p - r (u + s n))|² / 2r         P the nearest point of K
//! ```
//!
//! At its minimum contacts have the impulses `P(p - r (u + s n))`, and these are the next guess
//! (augmented Lagrangian). So the stiffness need not be infinite: some times the heaviest mass,
//! whose ratio to the lightest is the condition of the system. With `s = 0` what slides would also
//! lift, by `μ` times its slip; `s = μ |slip|`, from the last guess, makes that Coulomb's law
//! [DeSaxce98].
//!
//! Joints are rows whose rate is to be in an interval, and whose impulse is `p - r (rate - end)`,
//! cut to what it may be: nothing inside of limits, at most the force of a motor. A joint itself
//! has one number for an interval and any impulse.
//!
//! Each Newton step solves one sparse symmetric system, at a cost of about the bodies times the
//! square of how many others each touches, whatever the masses. With `M⁻¹ = L Lᵀ` and `v = v* + L
//! y` it is `1 + Bᵀ D B`, where `B` is how contacts see `y` and `D` how their impulses answer.
//! Bodies that do not move in some direction have nothing in `L` there.

use glam::{DMat3, DVec3, Vec3Swizzles};

use super::assembly::{PairSum, Side, mass, roots, seen, slots};
use super::newton_response::{Answer, Gives, breach, friction, hold_bond, hold_contact};
use super::solver::Row;
use crate::body::{Inertia, Velocity};
use crate::impulse::block_cholesky::Sparse;
use crate::linkage::Bond;

/// The stiffness of contacts at first, as a multiple of the largest mass. Where guesses do not
/// shrink to this share, bodies move together and are heavier than each of them (a tower that tilts
/// weighs on its foot as much as the square of its height): it grows by this factor.
const STIFF: f64 = 30.0;
const SHRINKS: f64 = 0.2;
const STIFFER: f64 = 10.0;

/// It grows up to this multiple of the largest mass; where that leaves too few digits for the least
/// mass, up to this multiple of it, or that of the largest which is always there.
const STIFFEST: f64 = 3e7;
const OF_LIGHTEST: f64 = 1e10;
const OF_HEAVIEST: f64 = 3e3;

/// Guesses of the impulses at most, and Newton steps for each.
const GUESSES: u32 = 24;
const STEPS: u32 = 40;

/// Guesses after which slips are no longer followed, but for those that are off by more than this
/// share of them, and of what is enough.
const PATIENCE: u32 = 1;
const OF_SLIP: f64 = 0.1;
const OF_ENOUGH: f64 = 0.1;

/// Slips are followed up to this friction. Beyond it contacts hold, or lift.
const SLIPPERY: f64 = 2.0;

/// Along a step the sum is minimized until its slope is this share of that at the start, or so
/// often.
const FLAT: f64 = 0.1;
const SEARCHES: u32 = 30;

/// Steps end when the impulses of contacts make the velocities at which they act, to this share of
/// the tolerance.
const SETTLED: f64 = 0.1;

/// Multiplications that a step takes for each contact, besides those of the factor.
const OF_ROW: f64 = 1e3;

/// What leaves fewer steps than these is not begun.
const FEWEST_STEPS: u32 = 10;

/// Contacts and joints, and the bodies that they move. Joints come after contacts in all lists, and
/// use the first of three numbers.
struct System<'p> {
    rows: &'p [Row],
    bonds: &'p [Bond],
    sides: Vec<[Option<Side>; 2]>,
    /// The velocity of each contact without any impulse, along normal and tangents; the rate of
    /// each joint.
    free: Vec<DVec3>,
    /// The matrix of Newton steps.
    matrix: Sparse,
    /// Numbers in a motion `y`: six for each body that moves.
    unknowns: usize,
    stiffness: f64,
    stiffest: f64,
    heaviest: f64,
    /// `s` of each contact.
    lifts: Vec<f64>,
    /// Newton steps that are left and that were taken, and the multiplications of each.
    steps: u32,
    taken: u32,
    cost: f64,
    memory: Memory,
}

/// What Newton steps write to, kept from step to step: velocities of contacts, how they change
/// along the way of a step, what contacts do at them, and that way.
#[derive(Default)]
struct Memory {
    speeds: Vec<DVec3>,
    along: Vec<DVec3>,
    answers: Vec<Answer>,
    way: Vec<f64>,
}

/// How long to look for a solution.
pub(super) struct Effort {
    /// What contacts may break their law by, in m/s.
    pub(super) tolerance: f64,
    /// What they may break it by where more steps gain little, in m/s.
    pub(super) enough: f64,
    /// Multiplications at most.
    pub(super) most: f64,
}

/// Impulses, by how much contacts break their law with them, and by how much their limits are to be
/// raised for that, both in m/s.
struct Solution {
    error: f64,
    impulses: Vec<DVec3>,
    raises: Vec<f64>,
}

/// What is given of a problem: the velocities that forces alone make, the bodies, and what binds
/// them to each other, with a guess of its impulses.
pub(super) struct Given<'p> {
    pub(super) pushed: &'p [Velocity],
    pub(super) inertias: &'p [Inertia],
    pub(super) bonds: &'p [Bond],
    pub(super) held: Vec<f64>,
    /// Where nothing is guessed: whether contacts most likely press, or most of them are right.
    pub(super) begin: Begin,
}

/// Where to begin without a guess of impulses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin {
    /// Where all contacts hold: bodies fall onto each other.
    Pressing,
    /// Where none does anything: few of them are to change what is right already.
    Still,
}

/// What was found: the velocities that all impulses make, the impulses of joints, limits and
/// motors, and by how much a contact or joint breaks its law at most, in m/s.
pub(super) struct Found {
    pub(super) velocities: Vec<Velocity>,
    pub(super) held: Vec<f64>,
    pub(super) error: f64,
    /// Multiplications that it took.
    pub(super) multiplications: f64,
}

/// Solves rows from the impulses that they have. None, with nothing changed, if that would cost too
/// much.
///
/// Ends when no contact or joint breaks its law by more than the tolerance, and leaves none that
/// breaks it by more than all did at first.
pub(super) fn solve(rows: &mut [Row], given: &Given<'_>, effort: &Effort) -> Option<Found> {
    let contacts = rows.iter().map(|row| row.impulse);
    let guess = contacts.chain(given.held.iter().map(|&held| held * DVec3::X)).collect();
    let mut system = System::new(rows, given, effort.most)?;
    let Solution { mut impulses, raises, error } = system.solve(guess, given.begin, effort);
    for (impulse, row) in impulses.iter_mut().zip(&*rows) {
        *impulse = row.cut(*impulse);
    }
    let velocities = system.velocities(&impulses, given);
    let held = impulses[rows.len()..].iter().map(|impulse| impulse.x).collect();
    let multiplications = system.cost * f64::from(system.taken);
    for (row, (impulse, raise)) in rows.iter_mut().zip(impulses.into_iter().zip(raises)) {
        row.impulse = impulse;
        row.raise(raise);
    }
    Some(Found { velocities, held, error, multiplications })
}

impl<'p> System<'p> {
    /// None if it would cost too much, or nothing moves.
    fn new(rows: &'p [Row], given: &Given<'p>, most: f64) -> Option<Self> {
        let Given { pushed, inertias, bonds, .. } = *given;
        let pairs =
            || rows.iter().map(|row| row.bodies).chain(bonds.iter().map(|bond| bond.bodies));
        let slots = slots(pairs(), inertias);
        let moving = slots.iter().flatten().count();
        let both = pairs().filter_map(|[a, b]| Some([slots[a]?, slots[b]?]));
        let matrix = Sparse::zero(moving, both);
        let cost = matrix.cost() + OF_ROW * (rows.len() + bonds.len()) as f64;
        let masses = || inertias.iter().filter(|body| body.is_dynamic()).map(mass);
        let heaviest = masses().fold(0.0, f64::max);
        let lightest = masses().fold(f64::INFINITY, f64::min);
        let steps = (most / cost) as u32;
        if heaviest == 0.0 || steps < FEWEST_STEPS {
            return None;
        }
        let roots: Vec<(DVec3, DMat3)> = inertias.iter().map(roots).collect();
        let of_row = |row: &Row, side: usize| {
            let body = row.bodies[side];
            slots[body].map(|slot| Side { slot, rows: row.seen(side, roots[body]) })
        };
        let of_bond = |bond: &Bond, side: usize| {
            let body = bond.bodies[side];
            slots[body].map(|slot| Side { slot, rows: seen(&bond.pull[side], roots[body]) })
        };
        let contacts = rows.iter().map(|row| [of_row(row, 0), of_row(row, 1)]);
        let joints = bonds.iter().map(|bond| [of_bond(bond, 0), of_bond(bond, 1)]);
        let rates = bonds.iter().map(|bond| rate(bond, pushed) * DVec3::X);
        let free = rows.iter().map(|row| row.slides(pushed)).chain(rates);
        Some(Self {
            rows,
            bonds,
            sides: contacts.chain(joints).collect(),
            free: free.collect(),
            matrix,
            unknowns: 6 * moving,
            stiffness: STIFF * heaviest,
            stiffest: (STIFFEST * heaviest).min(OF_LIGHTEST * lightest).max(OF_HEAVIEST * heaviest),
            heaviest,
            lifts: vec![0.0; rows.len()],
            steps,
            taken: 0,
            cost,
            memory: Memory::default(),
        })
    }

    /// The velocities of all bodies with these impulses.
    fn velocities(&self, impulses: &[DVec3], given: &Given<'_>) -> Vec<Velocity> {
        let mut velocities = given.pushed.to_vec();
        for (row, impulse) in self.rows.iter().zip(impulses) {
            row.push_by(&mut velocities, *impulse);
        }
        for (bond, impulse) in self.bonds.iter().zip(&impulses[self.rows.len()..]) {
            for (&body, pull) in bond.bodies.iter().zip(&bond.pull) {
                let Inertia { inv_mass, inv_inertia, .. } = given.inertias[body];
                velocities[body].linear += inv_mass * impulse.x * pull.linear;
                velocities[body].angular += inv_inertia * (impulse.x * pull.angular);
            }
        }
        velocities
    }

    /// The impulses of all contacts, from a guess.
    fn solve(&mut self, mut guess: Vec<DVec3>, begin: Begin, effort: &Effort) -> Solution {
        let Effort { tolerance, enough, .. } = *effort;
        // What is found must be better than what was given: the steps of a guess may end early.
        let mut best = self.judge(&guess, None);
        if best.error <= tolerance {
            return best;
        }
        let mut y = Vec::new();
        let is_guessed = guess.iter().any(|impulse| *impulse != DVec3::ZERO);
        if is_guessed || begin == Begin::Still {
            self.pushed(guess.iter().copied(), &mut y);
        } else {
            self.lifts.fill(0.0);
            y = self.all_pressing();
        }
        for number in 0..GUESSES {
            let is_found = self.minimize(&mut y, &mut guess, SETTLED * tolerance);
            let is_late = number >= PATIENCE;
            let found = self.judge(&guess, is_late.then_some(OF_ENOUGH * enough));
            let is_slow = number > 0 && found.error > SHRINKS * best.error;
            if found.error < best.error {
                best = found;
            }
            let is_enough = best.error <= if is_slow { enough } else { tolerance };
            if is_enough || !is_found {
                break;
            }
            if is_slow && is_late {
                self.stiffness = (STIFFER * self.stiffness).min(self.stiffest);
            }
        }
        best
    }

    /// How far impulses are from the law of contact; sets `s` for the next guess.
    ///
    /// Slips that go to and fro never come to an end. Late, `s` stays where it is off by no more
    /// than `slack` or a share of the slip, and only shrinks elsewhere. What slides is then lifted
    /// or sunk a little, by as much as its limit is raised here.
    fn judge(&mut self, impulses: &[DVec3], slack: Option<f64>) -> Solution {
        let mut memory = std::mem::take(&mut self.memory);
        self.pushed(impulses.iter().copied(), &mut memory.way);
        self.seen(&memory.way, &mut memory.speeds);
        let speeds = &memory.speeds;
        let mut found = Solution { error: 0.0, impulses: impulses.to_vec(), raises: Vec::new() };
        for (i, bond) in self.bonds.iter().enumerate() {
            let at = self.rows.len() + i;
            let breach = breach(bond, speeds[at].x + self.free[at].x, impulses[at].x);
            found.error = found.error.max(breach);
        }
        for (i, lift) in self.lifts.iter_mut().enumerate() {
            let velocity = speeds[i] + self.free[i];
            if self.rows[i].is_released() {
                found.raises.push(0.0);
                continue;
            }
            let due = friction(&self.rows[i]) * velocity.yz().length();
            let off = due - *lift;
            let (raise, next) = match slack {
                _ if friction(&self.rows[i]) > SLIPPERY => (off, 0.0),
                None => (0.0, due),
                Some(slack) if off.abs() <= slack.max(OF_SLIP * due) => (off, *lift),
                Some(_) => (off.max(0.0), lift.min(due)),
            };
            let mut row = self.rows[i];
            row.raise(raise);
            found.error = found.error.max(row.breach(velocity, impulses[i]));
            found.raises.push(raise);
            *lift = next;
        }
        self.memory = memory;
        found
    }

    /// The motion if all contacts held, and pulled where they must: a start from which it does not
    /// take a step for each layer of a stack to find out that it is pressed.
    fn all_pressing(&mut self) -> Vec<f64> {
        let r = self.stiffness;
        let hold = |i: usize| match self.rows[i].is_released() {
            true => Answer::NONE,
            false => Answer {
                impulse: r * (self.rows[i].stop() - self.free[i].x) * DVec3::X,
                gives: Gives::Along(r),
            },
        };
        let count = self.rows.len();
        let bond = |i: usize| hold_bond(&self.bonds[i], r, self.free[count + i].x, 0.0);
        let joints = (0..self.bonds.len()).map(bond);
        let answers: Vec<Answer> = (0..count).map(hold).chain(joints).collect();
        let still = vec![0.0; self.unknowns];
        let mut way = Vec::new();
        self.rest(&still, &answers, &mut way);
        if self.step(&mut way, &answers) { way } else { still }
    }

    /// Brings `y` to the minimum for this guess of the impulses, which become what contacts do
    /// there; whether it was found.
    fn minimize(&mut self, y: &mut [f64], guess: &mut [DVec3], tolerance: f64) -> bool {
        let mut memory = std::mem::take(&mut self.memory);
        let is_found = self.descend(y, guess, tolerance, &mut memory);
        guess.iter_mut().zip(&memory.answers).for_each(|(guess, answer)| *guess = answer.impulse);
        self.memory = memory;
        is_found
    }

    /// Newton steps to the minimum, with the answers of contacts there in memory.
    fn descend(
        &mut self,
        y: &mut [f64],
        guess: &[DVec3],
        tolerance: f64,
        memory: &mut Memory,
    ) -> bool {
        self.seen(y, &mut memory.speeds);
        let all = memory.speeds.iter().zip(guess).enumerate();
        memory.answers.clear();
        memory.answers.extend(all.map(|(i, (&speed, &guess))| self.answer(i, speed, guess)));
        for _ in 0..STEPS.min(self.steps) {
            self.rest(y, &memory.answers, &mut memory.way);
            self.seen(&memory.way, &mut memory.along);
            if fastest(&memory.along) <= tolerance {
                return true;
            }
            self.steps -= 1;
            self.taken += 1;
            if !self.step(&mut memory.way, &memory.answers) {
                return false;
            }
            self.seen(&memory.way, &mut memory.along);
            let share = self.share(y, guess, memory);
            y.iter_mut().zip(&memory.way).for_each(|(y, way)| *y += share * way);
            let moved = memory.speeds.iter_mut().zip(&memory.along);
            moved.for_each(|(speed, along)| *speed += share * *along);
            if fastest(&memory.along) <= tolerance * self.heaviest / self.stiffness {
                return true;
            }
        }
        false
    }

    /// What impulses make of a motion beyond `y`: nothing at the minimum.
    fn rest(&self, y: &[f64], answers: &[Answer], rest: &mut Vec<f64>) {
        self.pushed(answers.iter().map(|answer| answer.impulse), rest);
        rest.iter_mut().zip(y).for_each(|(rest, y)| *rest -= y);
    }

    /// How far to go along a way: to where the sum is least on it, at most all of it. The answers
    /// of contacts become those there.
    ///
    /// The slope `way . (y + s way) - sum of impulses . their velocities along the way` grows with
    /// the share `s`, since the sum is convex.
    fn share(&self, y: &[f64], guess: &[DVec3], memory: &mut Memory) -> f64 {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let Memory { speeds, along, answers, way, .. } = memory;
        let [own, square] = [dot(y, way), dot(way, way)];
        let pushes = |answers: &[Answer]| -> f64 {
            answers.iter().zip(&*along).map(|(answer, along)| answer.impulse.dot(*along)).sum()
        };
        let mut down = own - pushes(answers);
        let mut slope = |share: f64| {
            for (i, answer) in answers.iter_mut().enumerate() {
                *answer = self.answer(i, speeds[i] + share * along[i], guess[i]);
            }
            own + share * square - pushes(answers)
        };
        let [mut low, mut high] = [0.0, 1.0];
        let mut up = slope(high);
        let flat = FLAT * down.abs();
        if up <= flat {
            // Also where it is a little too far: what is cut short never ends.
            return high;
        }
        for _ in 0..SEARCHES {
            // Where a straight line between both slopes is level, but well inside.
            let level = (low * up - high * down) / (up - down);
            let share = level.clamp(low + 0.1 * (high - low), high - 0.1 * (high - low));
            let there = slope(share);
            if there.abs() <= flat {
                return share;
            }
            if there < 0.0 { (low, down) = (share, there) } else { (high, up) = (share, there) }
        }
        slope(low);
        low
    }

    /// What a contact or joint does at a velocity beyond that which forces give it, with a guess of
    /// its impulse.
    fn answer(&self, i: usize, speed: DVec3, guess: DVec3) -> Answer {
        let (r, velocity) = (self.stiffness, speed + self.free[i]);
        match self.rows.get(i) {
            Some(row) => hold_contact(row, r, velocity, (self.lifts[i], guess)),
            None => hold_bond(&self.bonds[i - self.rows.len()], r, velocity.x, guess.x),
        }
    }

    /// Turns what is left of a motion into the way of a Newton step: `(1 + Bᵀ D B) way = rest`;
    /// false if there is none.
    fn step(&mut self, rest: &mut [f64], answers: &[Answer]) -> bool {
        let Self { matrix, sides, .. } = self;
        matrix.set_one();
        let mut pair = PairSum::new([None; 2]);
        for (sides, answer) in sides.iter().zip(answers) {
            let (ways, count) = answer.gives.ways();
            if count == 0 {
                continue;
            }
            let slots = [0, 1].map(|side: usize| sides[side].as_ref().map(|side| side.slot));
            if slots != pair.slots {
                pair.flush(matrix);
                pair = PairSum::new(slots);
            }
            pair.add(sides, &ways[..count]);
        }
        pair.flush(matrix);
        let is_positive = matrix.factor();
        if is_positive {
            matrix.solve(rest);
        }
        is_positive
    }

    /// `Bᵀ` times impulses: six numbers a body.
    fn pushed(&self, impulses: impl Iterator<Item = DVec3>, sums: &mut Vec<f64>) {
        sums.clear();
        sums.resize(self.unknowns, 0.0);
        for (sides, impulse) in self.sides.iter().zip(impulses) {
            for side in sides.iter().flatten() {
                let own = sums[6 * side.slot..6 * side.slot + 6].iter_mut();
                own.zip(side.pulled(impulse)).for_each(|(sum, part)| *sum += part);
            }
        }
    }

    /// `B y`: what contacts see of a motion.
    fn seen(&self, y: &[f64], found: &mut Vec<DVec3>) {
        let of = |side: &Side| side.of(&y[6 * side.slot..6 * side.slot + 6]);
        found.clear();
        found.extend(self.sides.iter().map(|sides| sides.iter().flatten().map(of).sum::<DVec3>()));
    }
}

/// The largest of some velocities.
fn fastest(speeds: &[DVec3]) -> f64 {
    speeds.iter().map(|speed| speed.length()).fold(0.0, f64::max)
}

/// The rate of a joint at these velocities.
fn rate(bond: &Bond, velocities: &[Velocity]) -> f64 {
    let of = |side: usize| {
        let (pull, velocity) = (&bond.pull[side], &velocities[bond.bodies[side]]);
        pull.linear.dot(velocity.linear) + pull.angular.dot(velocity.angular)
    };
    of(0) + of(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chasles_testkit::generate::Random;

    /// Boxes of side 1 on each other on something fixed, each touching the one below in four
    /// corners; the masses are those of the boxes from below.
    fn tower(masses: &[f64], friction: f64) -> (Vec<Row>, Vec<Inertia>) {
        let mut inertias = vec![Inertia::fixed(DVec3::ZERO)];
        let mut rows = Vec::new();
        for (i, mass) in masses.iter().enumerate() {
            let inv_inertia = DMat3::from_diagonal(DVec3::splat(6.0 / mass));
            let centre = DVec3::Z * (i as f64 + 0.5);
            let inv_mass = DVec3::splat(mass.recip());
            inertias.push(Inertia { centre, inv_mass, inv_inertia });
        }
        for i in 0..masses.len() {
            for [x, y] in [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]] {
                let place = (DVec3::new(x, y, i as f64), DVec3::Z);
                rows.extend(Row::new([i + 1, i], &inertias, place, friction));
            }
        }
        (rows, inertias)
    }

    #[test]
    fn a_tower_of_any_masses_stands() {
        for (seed, spread) in [(1, 0.0), (2, 2.0), (3, 4.0), (4, 6.0)] {
            let random = &mut Random::new(seed);
            let masses: Vec<f64> =
                (0..12).map(|_| 10_f64.powf(random.between(-0.5, 0.5) * spread)).collect();
            let (mut rows, inertias) = tower(&masses, 0.5);
            let fall = Velocity { linear: DVec3::new(0.005, 0.0, -0.1), ..Velocity::ZERO };
            let pushed: Vec<Velocity> = inertias
                .iter()
                .map(|body| if body.is_dynamic() { fall } else { Velocity::ZERO })
                .collect();
            let (pushed, inertias) = (&pushed[..], &inertias[..]);
            let (bonds, held, begin) = (&[][..], Vec::new(), Begin::Pressing);
            let given = Given { pushed, inertias, bonds, held, begin };
            let solved =
                solve(&mut rows, &given, &Effort { tolerance: 1e-9, enough: 1e-9, most: 1e8 });
            let velocities = solved.expect("a small problem").velocities;
            let fastest = velocities.iter().map(|v| v.linear.length()).fold(0.0, f64::max);
            assert!(fastest < 1e-7, "masses over {spread} decades move at {fastest}");
        }
    }
    /// Light bodies that slide fast between heavy ones take more steps than there are.
    #[test]
    fn what_is_found_is_no_worse_than_the_guess() {
        for seed in 0..40 {
            let random = &mut Random::new(seed);
            let mut inertias = vec![Inertia::fixed(DVec3::ZERO)];
            inertias.extend((0..8).map(|_| {
                let inv_mass = 10_f64.powf(random.between(-3.0, 3.0));
                let inv_inertia = DMat3::from_diagonal(DVec3::splat(6.0 * inv_mass));
                let centre = random.vector();
                Inertia { centre, inv_mass: DVec3::splat(inv_mass), inv_inertia }
            }));
            let mut rows: Vec<Row> = (0..24)
                .filter_map(|_| {
                    let first = 1 + random.below(8);
                    let bodies = [first, (first + 1 + random.below(8)) % 9];
                    let place = (random.vector(), random.direction());
                    Row::new(bodies, &inertias, place, random.between(0.0, 2.0))
                })
                .collect();
            let pushed: Vec<Velocity> = inertias
                .iter()
                .map(|body| match body.is_dynamic() {
                    true => Velocity { linear: 1e3 * random.vector(), ..Velocity::ZERO },
                    false => Velocity::ZERO,
                })
                .collect();
            let worst = |rows: &[Row], velocities: &[Velocity]| {
                let breach = |row: &Row| row.breach(row.slides(velocities), row.impulse);
                rows.iter().map(breach).fold(0.0, f64::max)
            };
            let before = worst(&rows, &pushed);
            let (bonds, held, begin) = (&[][..], Vec::new(), Begin::Pressing);
            let given = Given { pushed: &pushed, inertias: &inertias, bonds, held, begin };
            let effort = Effort { tolerance: 1e-9, enough: 1e-9, most: 1e7 };
            let found = solve(&mut rows, &given, &effort).expect("a small problem");
            let after = worst(&rows, &found.velocities);
            assert!(after <= before * (1.0 + 1e-9), "seed {seed}: {after} after {before} m/s");
        }
    }
}
