//! Contacts solved together from the inside of their cones.
//!
//! Which contacts stick, slide and open is a guess in the direct solution, and where bodies of very
//! different mass press on each other there are too many to try. Here nothing is guessed (an
//! interior point method): impulses and velocities stay inside of their cones, and come closer to
//! the border from step to step, all together.
//!
//! Legend, for each contact: `x` the impulse and `z` the velocity, with the normal part first and
//! the tangential parts times `1 / mu` and `mu`, so that the cones of both are `x0 >= |x1, x2|`;
//! both by the root of the inverse effective mass along the normal, so that contacts of light and
//! heavy bodies are alike. Coulomb's law is then
//!
//! ```text
//! z = A x + b + s,     x.z = 0,     x and z in the cone,     s = |z1, z2| along the normal [DeSaxce98]
//! ```
//!
//! with `A` the inverse effective mass of all contacts and `b` their velocities without impulses.
//! With `s` given, it is convex and has a solution wherever bodies can part. Newton's method for
//! `x.z = m` with an ever smaller `m`, in the metric in which `x` and `z` are one vector, with a
//! prediction of the step and its curvature [Vandenberghe10], takes some 20 steps, whatever the
//! masses. The change of `s` is part of the step; where such steps get short, since the problem is
//! not convex, it follows a step behind.
//!
//! With `t` the way in which a contact slides, `dz = T A dx` for a unit triangle `T = 1 + n t`, and
//! the step solves
//!
//! ```text
//! (A + T^-1 G^-2) dx = T^-1 (what is wanted),     G the metric
//! ```

use glam::{DMat3, DVec3, Vec3Swizzles};

use super::Response;
use super::gauss_seidel::{Row, worst};
use super::pivoting::{Direct, firsts};
use super::skyline::Envelope;

/// Steps at most.
const STEPS: usize = 40;

/// Steps that are taken, about.
const USUAL_STEPS: f64 = 20.0;

/// Where all begin, as a multiple of the largest velocity: too near to the tip of the cone, and
/// contacts that carry much take steps to get away from it.
const FAR: f64 = 10.0;

/// So many steps in a row that go less than a share of their way lead nowhere.
const PATIENCE: usize = 3;
const SHORT: f64 = 0.1;

/// The share of the way to the border of a cone that is gone.
const SHY: f64 = 0.99;

/// The product of impulses and velocities stays above this share of the square of what velocities
/// lack, or contacts would be at the border before they are where they belong.
const AHEAD: f64 = 0.01;

/// Steps that would be short go this far in from the border instead, and half of the way to what
/// velocities lack.
const INWARD: f64 = 0.5;

/// Contacts are solved with no more friction than this: it takes digits from all of them. What
/// wedges may need more, and is left as it was.
const STEEPEST: f64 = 1e3;

/// The problem in the coordinates of the cones.
pub(super) struct Interior {
    /// `A`: for each contact the others whose impulses change its velocity, in their order, and
    /// how.
    inv_effective_mass: Vec<Vec<(usize, DMat3)>>,
    b: Vec<DVec3>,
    /// From `x` to the impulse, for each contact; zero where nothing gives way.
    frames: Vec<DMat3>,
    /// From velocities here to those in m/s.
    speeds: Vec<DVec3>,
    /// Where the unknowns of each contact begin; without friction there is only one.
    firsts: Vec<usize>,
}

impl Interior {
    /// Of contacts that change each other so, and have these velocities without any impulses.
    pub(super) fn new(direct: &Direct, rows: &[Row], free: &[DVec3]) -> Self {
        let mut firsts = vec![0];
        for (i, row) in rows.iter().enumerate() {
            let size = match row.spot {
                None => 0,
                Some(_) if row.friction == 0.0 => 1,
                Some(_) => 3,
            };
            firsts.push(firsts[i] + size);
        }
        let frames: Vec<DMat3> = rows.iter().map(frame).collect();
        let seen = |i: usize| {
            let back = frames[i].transpose();
            let of = direct.of(i).iter();
            of.map(|&(by, block)| (by, back * block * frames[by])).collect()
        };
        let inv_effective_mass = (0..rows.len()).map(seen).collect();
        let known = |(i, row): (usize, &Row)| {
            let least = row.spot.as_ref().map_or(DVec3::ZERO, |spot| row.least * spot.normal);
            frames[i].transpose() * (free[i] - least)
        };
        let b = rows.iter().enumerate().map(known).collect();
        let speed = |row: &Row| {
            let along = row.spot.as_ref().map_or(0.0, |spot| spot.along.sqrt());
            let across = if row.friction > 0.0 { along / steepness(row) } else { 0.0 };
            DVec3::new(along, across, across)
        };
        let speeds = rows.iter().map(speed).collect();
        Self { inv_effective_mass, b, frames, speeds, firsts }
    }

    /// The impulses of all contacts, up to an error of their speeds in m/s, if that can be reached.
    pub(super) fn impulses(&self, tolerance: f64) -> Vec<DVec3> {
        let largest = self.b.iter().map(|b| b.length()).fold(f64::MIN_POSITIVE, f64::max);
        let start = FAR * largest * DVec3::X;
        let mut pairs = vec![Pair { x: start, z: start }; self.b.len()];
        let envelope = self.envelope();
        let (mut patience, mut is_ahead) = (PATIENCE, true);
        for _ in 0..STEPS {
            let aim = self.aim(&pairs, is_ahead);
            let error = |i: usize| {
                let gap = self.speeds[i].x * pairs[i].gap();
                worst([(self.speeds[i] * aim.lacks[i]).length(), gap].into_iter())
            };
            if worst((0..pairs.len()).map(error)) <= tolerance {
                break;
            }
            let Some((way, share)) = self.step(&envelope, &pairs, &aim) else { break };
            pairs.iter_mut().zip(&way).for_each(|(pair, by)| *pair = pair.plus(by, share));
            patience = if share < SHORT { patience - 1 } else { PATIENCE };
            match (patience, is_ahead) {
                (0, true) => (patience, is_ahead) = (PATIENCE, false),
                (0, false) => break,
                _ => {}
            }
        }
        pairs.iter().zip(&self.frames).map(|(pair, frame)| *frame * pair.x).collect()
    }

    /// What velocities lack, and which way contacts slide; not which way, if that is not to be
    /// looked at.
    fn aim(&self, pairs: &[Pair], is_ahead: bool) -> Aim {
        let (mut lacks, mut slides) = (Vec::new(), Vec::new());
        for (i, pair) in pairs.iter().enumerate() {
            let velocity = self.made(i, |by| pairs[by].x) + self.b[i];
            let slide = DVec3::new(0.0, velocity.y, velocity.z);
            lacks.push(velocity + slide.length() * DVec3::X - pair.z);
            slides.push(if is_ahead { slide.normalize_or_zero() } else { DVec3::ZERO });
        }
        Aim { lacks, slides }
    }

    /// The way of one step of Newton's method, and the share of it to go; nothing if there is none.
    fn step(&self, envelope: &Envelope, pairs: &[Pair], aim: &Aim) -> Option<(Vec<Pair>, f64)> {
        let metrics: Vec<Metric> = pairs.iter().map(Metric::new).collect();
        let mut matrix = envelope.clone();
        for (i, metric) in metrics.iter().enumerate() {
            self.add(&mut matrix, [i, i], &aim.without(i, &metric.stiffness()));
        }
        if !matrix.factor() {
            return None;
        }
        let lacks = &aim.lacks;
        // Straight to the border first: how far that leads tells how much to stay off it.
        let straight = |i: usize| -(lacks[i] + pairs[i].z);
        let ahead = self.moved(&matrix, straight, aim, 1.0);
        let off = (1.0 - reach(pairs, &ahead).min(1.0)).powi(3);
        let mean =
            |of: &dyn Fn(usize) -> f64| (0..pairs.len()).map(of).sum::<f64>() / pairs.len() as f64;
        let now = mean(&|i| pairs[i].x.dot(pairs[i].z));
        let least = AHEAD * mean(&|i| lacks[i].length_squared());
        let curved = |i: usize| {
            let bend = metrics[i].bend(&ahead[i]);
            metrics[i].target((off * now).max(least), bend) - (1.0 - off) * lacks[i]
        };
        let inward =
            |i: usize| metrics[i].target(now.max(least), DVec3::ZERO) - (1.0 - INWARD) * lacks[i];
        let way = self.moved(&matrix, curved, aim, 1.0 - off);
        let share = (SHY * reach(pairs, &way)).min(1.0);
        let (way, share) = if share < SHORT {
            let other = self.moved(&matrix, inward, aim, 1.0 - INWARD);
            let other_share = (SHY * reach(pairs, &other)).min(1.0);
            if other_share > share { (other, other_share) } else { (way, share) }
        } else {
            (way, share)
        };
        let is_finite = |by: &Pair| by.x.is_finite() && by.z.is_finite();
        way.iter().all(is_finite).then_some((way, share))
    }

    /// `A` as a matrix of the unknowns.
    fn envelope(&self) -> Envelope {
        let count = self.b.len();
        let mut befores: Vec<usize> = (0..count).collect();
        for (i, inv_effective_mass) in self.inv_effective_mass.iter().enumerate() {
            for &(by, _) in inv_effective_mass {
                let later = i.max(by);
                befores[later] = befores[later].min(i.min(by));
            }
        }
        let mut starts = Vec::with_capacity(self.firsts[count]);
        for (i, &before) in befores.iter().enumerate() {
            starts.resize(self.firsts[i + 1], self.firsts[before]);
        }
        let mut envelope = Envelope::zero(starts);
        for (i, inv_effective_mass) in self.inv_effective_mass.iter().enumerate() {
            for (by, block) in inv_effective_mass {
                self.add(&mut envelope, [i, *by], block);
            }
        }
        envelope
    }

    /// Adds what one contact does to another to the matrix of the unknowns.
    fn add(&self, matrix: &mut Envelope, [of, by]: [usize; 2], block: &DMat3) {
        for (c, column) in (self.firsts[by]..self.firsts[by + 1]).enumerate() {
            for (r, row) in (self.firsts[of]..self.firsts[of + 1]).enumerate() {
                matrix.add(row, column, block.col(c)[r]);
            }
        }
    }

    /// The way to what is wanted, up to a share of what is lacking.
    fn moved(
        &self,
        triangles: &Envelope,
        wanted: impl Fn(usize) -> DVec3,
        aim: &Aim,
        share: f64,
    ) -> Vec<Pair> {
        let count = self.b.len();
        let of = |i: usize| self.firsts[i]..self.firsts[i + 1];
        let mut numbers = vec![0.0; self.firsts[count]];
        for i in 0..count {
            let wanted = wanted(i);
            let wanted = (wanted - aim.slides[i].dot(wanted) * DVec3::X).to_array();
            numbers[of(i)].iter_mut().zip(wanted).for_each(|(number, wanted)| *number = wanted);
        }
        triangles.solve(&mut numbers);
        let found = |i: usize| {
            let mut x = [0.0; 3];
            x.iter_mut().zip(&numbers[of(i)]).for_each(|(x, number)| *x = *number);
            DVec3::from_array(x)
        };
        let x: Vec<DVec3> = (0..count).map(found).collect();
        let both = |i: usize| {
            let made = self.made(i, |by| x[by]);
            let z = made + aim.slides[i].dot(made) * DVec3::X;
            Pair { x: x[i], z: z + share * aim.lacks[i] }
        };
        (0..count).map(both).collect()
    }

    /// The velocity at a contact that impulses make: a row of `A x`.
    fn made(&self, i: usize, x: impl Fn(usize) -> DVec3) -> DVec3 {
        self.inv_effective_mass[i].iter().map(|&(by, block)| block * x(by)).sum()
    }
}

/// The operations that a solution takes, about.
pub(super) fn cost(response: &impl Response, rows: &[Row]) -> f64 {
    let firsts = firsts(response, rows);
    let width = |contact: usize| 3.0 * (contact - firsts[contact]) as f64;
    let each = |contact: usize| 3.0 * width(contact) * width(contact);
    USUAL_STEPS * (0..rows.len()).map(each).sum::<f64>()
}

/// The friction that a contact is solved with.
fn steepness(row: &Row) -> f64 {
    row.friction.min(STEEPEST)
}

/// From `x` to the impulse of a contact.
fn frame(row: &Row) -> DMat3 {
    let Some(spot) = &row.spot else { return DMat3::ZERO };
    let (first, second) = spot.normal.any_orthonormal_pair();
    let [first, second] = [first, second].map(|side| steepness(row) * side);
    DMat3::from_cols(spot.normal, first, second) * spot.along.sqrt().recip()
}

/// Where a step has to lead.
struct Aim {
    /// What the velocities `z` lack of those that the impulses `x` make.
    lacks: Vec<DVec3>,
    /// The unit way in which each contact slides: the change of `s` by that of its velocity.
    slides: Vec<DVec3>,
}

impl Aim {
    /// `T^-1 M` for a contact: the first row less what slides.
    fn without(&self, i: usize, matrix: &DMat3) -> DMat3 {
        let less = |column: DVec3| column - self.slides[i].dot(column) * DVec3::X;
        DMat3::from_cols(less(matrix.x_axis), less(matrix.y_axis), less(matrix.z_axis))
    }
}

/// The impulse and the velocity of a contact, or how they change.
#[derive(Clone, Copy, Debug)]
struct Pair {
    x: DVec3,
    z: DVec3,
}

impl Pair {
    fn plus(&self, by: &Self, share: f64) -> Self {
        Self { x: self.x + share * by.x, z: self.z + share * by.z }
    }

    /// How far the smaller of both is from where it must be.
    fn gap(&self) -> f64 {
        self.x.dot(self.z) / self.x.x.max(self.z.x)
    }
}

/// The share of a way that stays inside of all cones.
fn reach(pairs: &[Pair], way: &[Pair]) -> f64 {
    let within = |(pair, by): (&Pair, &Pair)| until(pair.x, by.x).min(until(pair.z, by.z));
    pairs.iter().zip(way).map(within).fold(f64::INFINITY, f64::min)
}

/// How far from a point inside of the cone its border is along a way.
fn until(from: DVec3, way: DVec3) -> f64 {
    let (a, b, c) = (product(way, way), product(from, way), depth(from));
    // Never negative but for rounding: of two ways inside of the cone no product is smaller than
    // their depths'.
    let steep = (b * b - a * c).max(0.0).sqrt() - b;
    if steep > 0.0 { c / steep } else { f64::INFINITY }
}

/// The product of a vector with itself, positive inside of the cone: without cancellation near its
/// border.
fn depth(v: DVec3) -> f64 {
    let side = v.yz().length();
    (v.x - side) * (v.x + side)
}

/// The product that boosts keep.
fn product(a: DVec3, b: DVec3) -> f64 {
    a.x * b.x - a.yz().dot(b.yz())
}

/// The metric in which the impulse and the velocity of a contact are the same vector:
/// `G z = G^-1 x`.
#[derive(Clone, Copy, Debug)]
struct Metric {
    /// `G` is `size` times the boost that takes the axis of the cone here.
    axis: DVec3,
    size: f64,
    /// The vector that both are.
    both: DVec3,
}

impl Metric {
    fn new(pair: &Pair) -> Self {
        let [x_sq, z_sq] = [pair.x, pair.z].map(depth);
        let [x, z] = [pair.x / x_sq.sqrt(), pair.z / z_sq.sqrt()];
        let sum = x + mirrored(z);
        let axis = sum / (2.0 * (0.5 * (1.0 + x.dot(z))).sqrt());
        let metric = Self { axis, size: (x_sq / z_sq).sqrt().sqrt(), both: DVec3::ZERO };
        Self { both: metric.times(pair.z), ..metric }
    }

    /// `G v`.
    fn times(&self, v: DVec3) -> DVec3 {
        self.size * boosted(self.axis, v)
    }

    /// `G^-1 v`.
    fn over(&self, v: DVec3) -> DVec3 {
        boosted(mirrored(self.axis), v) / self.size
    }

    /// `G^-2`.
    fn stiffness(&self) -> DMat3 {
        let axis = mirrored(self.axis);
        let outer = DMat3::from_cols(axis.x * axis, axis.y * axis, axis.z * axis);
        let mirror = DMat3::from_diagonal(DVec3::new(1.0, -1.0, -1.0));
        (2.0 * outer - mirror) * (self.size * self.size).recip()
    }

    /// By how much the product of the impulse and the velocity is missed along a way.
    fn bend(&self, way: &Pair) -> DVec3 {
        circle(self.over(way.x), self.times(way.z))
    }

    /// What the impulse has to do for a product that is as large as this, if it is missed so.
    fn target(&self, product: f64, missed: DVec3) -> DVec3 {
        let wanted = product * DVec3::X - circle(self.both, self.both) - missed;
        self.over(uncircled(self.both, wanted))
    }
}

fn mirrored(v: DVec3) -> DVec3 {
    DVec3::new(v.x, -v.y, -v.z)
}

/// The boost that takes the axis of the cone to a vector of unit product, applied to another.
fn boosted(axis: DVec3, v: DVec3) -> DVec3 {
    let side = DVec3::new(0.0, axis.y, axis.z);
    let along = side.dot(v);
    let first = axis.x * v.x + along;
    DVec3::new(first, v.y, v.z) + (v.x + along / (1.0 + axis.x)) * side
}

/// The product of the algebra of the cone: `(a.b, a0 b1 + b0 a1)`.
fn circle(a: DVec3, b: DVec3) -> DVec3 {
    let sides = a.x * b.yz() + b.x * a.yz();
    DVec3::new(a.dot(b), sides.x, sides.y)
}

/// The `b` with `circle(a, b)` equal to this.
fn uncircled(a: DVec3, product_of_both: DVec3) -> DVec3 {
    let sides = a.yz();
    let first = (a.x * product_of_both.x - sides.dot(product_of_both.yz())) / depth(a);
    let rest = (product_of_both.yz() - first * sides) / a.x;
    DVec3::new(first, rest.x, rest.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Inertia, Velocity};
    use crate::impulse::{Loose, Touch};
    use chasles_testkit::generate::Random;

    /// A body that is hit at a point away from its centre, and something fixed.
    fn bodies(random: &mut Random) -> [Inertia; 2] {
        let inv_inertia = DMat3::from_diagonal(DVec3::ONE + random.vector());
        let centre = 0.5 * random.vector();
        [Inertia { centre, inv_mass: DVec3::splat(1.5), inv_inertia }, Inertia::fixed(DVec3::ZERO)]
    }

    #[test]
    fn one_contact_has_the_impulse_of_its_closed_form() {
        for seed in 0..200 {
            let random = &mut Random::new(seed);
            let bodies = bodies(random);
            let friction = random.one_of(&[0.0, 0.2, 0.6]);
            let normal = random.vector().normalize();
            let (point, gap) = (DVec3::ZERO, 0.0);
            let touch = Touch { bodies: [0, 1], point, normal, gap, restitution: 0.0, friction };
            let row = Row::new(&Loose(&bodies), &touch, random.between(-0.1, 0.1));
            let velocity = random.vector();
            let direct = Direct::new(&Loose(&bodies), &mut [Velocity::ZERO; 2], &[row]);
            let found = Interior::new(&direct, &[row], &[velocity]).impulses(1e-10)[0];
            let wanted = row.spot.expect("a body that moves").stop(velocity, row.least, friction);
            assert!(found.distance(wanted) < 1e-5, "seed {seed}: {found} for {wanted}");
        }
    }

    #[test]
    fn in_its_metric_the_impulse_and_the_velocity_are_one_vector() {
        let inside = |random: &mut Random| {
            let side = random.vector().yz();
            DVec3::new(side.length() + random.between(0.01, 1.0), side.x, side.y)
        };
        for seed in 0..100 {
            let random = &mut Random::new(seed);
            let pair = Pair { x: inside(random), z: inside(random) };
            let metric = Metric::new(&pair);
            assert!(metric.times(pair.z).distance(metric.over(pair.x)) < 1e-12, "seed {seed}");
            assert!((metric.stiffness() * pair.x).distance(pair.z) < 1e-10, "seed {seed}");
            let border = pair.x + until(pair.x, -pair.z) * -pair.z;
            assert!(depth(border).abs() < 1e-12 && border.x >= 0.0, "seed {seed}: {border}");
        }
    }
}
