//! Sequential impulses: velocities that respect the limits of all contacts, by Gauss-Seidel sweeps.
//!
//! A contact asks for a rate of its gap of at least `least`, with an impulse that pushes and whose
//! tangential part is in the friction cone. One visit of a contact puts it right while all others
//! stay as they are. Legend: `K` is the inverse effective mass at the point, `n` the normal, `t`
//! the two tangents, `λ` the normal and `q` the tangential impulse so far.
//!
//! ```text
//! q' = q - K_tt⁻¹ v_t                                     if that is in the disc of radius μ λ
//! q' = the point of the disc nearest to q - k v_t         else; k is the least value of K_tt⁻¹
//! λ' = max(0, λ + (least - v_n - K_nt (q' - q)) / K_nn)
//! ```
//!
//! Sweeps go through the contacts forwards and backwards in turn: a load runs down a stack in one
//! sweep and its answer up in the next. They begin with the impulses of the last window (warm
//! start) and end when no visit changes a velocity by more than the tolerance.

use glam::{DMat3, DVec2, DVec3, Vec3Swizzles};

use super::assembly::six;
use super::soft::Soft;
use crate::body::{Inertia, Velocity};
use chasles::numeric::Elementary;

/// One contact as the sweeps see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) bodies: [usize; 2],
    /// The inverse masses of both bodies, with the sign of the impulse on each.
    inv_masses: [DVec3; 2],
    /// From the centres of mass to the contact point.
    arms: [DVec3; 2],
    /// The change of each body's turning by an impulse of one along normal and tangents.
    turns: [DMat3; 2],
    /// Unit, from the second body to the first, and two directions across it.
    pub(super) normal: DVec3,
    tangents: [DVec3; 2],
    /// `1 / K_nn`, `K_tt⁻¹` as its entries xx, xy, yy, and `K_nt`.
    inv_normal: f64,
    inv_tangent: DVec3,
    /// The least value of `K_tt⁻¹`.
    least_tangent: f64,
    coupling: DVec2,
    friction: f64,
    /// How fast the surface of the first body runs along, as that of the second sees it.
    belt: DVec2,
    /// The rate of the gap that is wanted at least, in m/s.
    pub(super) least: f64,
    /// The contact spring before that.
    pub(super) soft: Option<Soft>,
    /// The impulse on the first body so far: along the normal and the tangents.
    pub(super) impulse: DVec3,
}

/// A share of the mobility that is rounding: bodies give way in no direction that has less.
const RIGID: f64 = 1e-12;

impl Row {
    /// None if no impulse along the normal changes the rate.
    pub(super) fn new(
        bodies: [usize; 2],
        inertias: &[Inertia],
        (point, normal): (DVec3, DVec3),
        friction: f64,
    ) -> Option<Self> {
        let [a, b] = bodies.map(|i| &inertias[i]);
        let mobility = a.inv_effective_mass(point) + b.inv_effective_mass(point);
        let rigid = RIGID * (mobility.x_axis.x + mobility.y_axis.y + mobility.z_axis.z);
        let along = normal.dot(mobility * normal);
        if !(along > rigid && along.is_finite()) {
            return None;
        }
        let (u, w) = normal.any_orthonormal_pair();
        let inv_tangent = inverse(&mobility, [u, w], rigid);
        let turn = |body: &Inertia| {
            let [x, y, z] = [normal, u, w].map(|way| (point - body.centre).cross(way));
            body.inv_inertia * DMat3::from_cols(x, y, z)
        };
        Some(Self {
            bodies,
            inv_masses: [a.inv_mass, -b.inv_mass],
            arms: [point - a.centre, point - b.centre],
            turns: [turn(a), -turn(b)],
            normal,
            tangents: [u, w],
            inv_normal: along.recip(),
            inv_tangent,
            least_tangent: least(inv_tangent),
            coupling: DVec2::new(normal.dot(mobility * u), normal.dot(mobility * w)),
            friction,
            belt: DVec2::ZERO,
            least: 0.0,
            soft: None,
            impulse: DVec3::ZERO,
        })
    }

    /// The relative velocity of the two bodies at the contact, first minus second.
    #[inline]
    pub(super) fn approach(&self, velocities: &[Velocity]) -> DVec3 {
        let at = |side: usize| {
            let velocity = &velocities[self.bodies[side]];
            velocity.linear + velocity.angular.cross(self.arms[side])
        };
        at(0) - at(1)
    }

    /// The rate of the gap.
    pub(super) fn rate(&self, velocities: &[Velocity]) -> f64 {
        self.normal.dot(self.approach(velocities))
    }

    /// An impulse along normal and tangents as a vector.
    fn vector(&self, impulse: DVec3) -> DVec3 {
        impulse.x * self.normal + impulse.y * self.tangents[0] + impulse.z * self.tangents[1]
    }

    /// The impulse on the first body so far.
    pub(super) fn impulse_vector(&self) -> DVec3 {
        self.vector(self.impulse)
    }

    /// Lets the surface of the first body run along, as that of the second sees it.
    pub(super) fn convey(&mut self, velocity: DVec3) {
        self.belt = self.along(velocity).yz();
    }

    /// A vector as an impulse along normal and tangents, in the cone.
    pub(super) fn in_cone(&self, vector: DVec3) -> DVec3 {
        self.cut(self.along(vector))
    }

    /// How the surfaces move on each other at these velocities, along normal and tangents.
    pub(super) fn slides(&self, velocities: &[Velocity]) -> DVec3 {
        self.along(self.approach(velocities)) + self.belt_along()
    }

    /// The velocity of belts along normal and tangents.
    fn belt_along(&self) -> DVec3 {
        DVec3::new(0.0, self.belt.x, self.belt.y)
    }

    /// A velocity of the contact along normal and tangents.
    #[inline]
    fn along(&self, velocity: DVec3) -> DVec3 {
        let [u, w] = self.tangents;
        DVec3::new(velocity.dot(self.normal), velocity.dot(u), velocity.dot(w))
    }

    /// The change of the velocity along normal and tangents by linear and angular motion of one of
    /// its bodies, of which these are the roots of the inverse mass and inertia.
    pub(super) fn seen(&self, side: usize, roots: (DVec3, DMat3)) -> [[f64; 6]; 3] {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let axes = [self.normal, self.tangents[0], self.tangents[1]];
        axes.map(|axis| six(sign * axis, sign * self.arms[side].cross(axis), roots))
    }

    /// An impulse along normal and tangents brought into the cone.
    pub(super) fn cut(&self, impulse: DVec3) -> DVec3 {
        let normal = impulse.x.max(0.0);
        let across = impulse.yz().clamp_length_max(self.friction * normal);
        DVec3::new(normal, across.x, across.y)
    }

    /// The radius of the cone where an impulse presses like this.
    pub(super) fn cone(&self, normal: f64) -> f64 {
        self.friction * normal
    }

    /// By how much an impulse would change the velocity of the contact, about.
    pub(super) fn change(&self, impulse: DVec3) -> f64 {
        impulse.length() / self.inv_normal
    }

    /// Adds an impulse along normal and tangents.
    #[inline]
    pub(super) fn push_by(&self, velocities: &mut [Velocity], impulse: DVec3) {
        let vector = self.vector(impulse);
        for side in [0, 1] {
            let velocity = &mut velocities[self.bodies[side]];
            velocity.linear += self.inv_masses[side] * vector;
            velocity.angular += self.turns[side] * impulse;
        }
    }

    /// Puts the contact right; how much its velocity changed.
    #[inline]
    fn visit(&mut self, velocities: &mut [Velocity]) -> f64 {
        let approach = self.approach(velocities);
        // Most of what is near presses on nothing, and its normal tells.
        let is_idle = self.impulse == DVec3::ZERO && self.soft.is_none();
        if is_idle && self.normal.dot(approach) >= self.least {
            return 0.0;
        }
        let wanted = self.wanted(self.along(approach) + self.belt_along(), self.impulse);
        let change = wanted - self.impulse;
        if change == DVec3::ZERO {
            return 0.0;
        }
        self.impulse = wanted;
        self.push_by(velocities, change);
        self.change(change)
    }

    /// The impulse of the contact if all others are right, from its velocity and its impulse now.
    #[inline]
    fn wanted(&self, velocity: DVec3, impulse: DVec3) -> DVec3 {
        let slip = velocity.yz();
        let across = if self.friction > 0.0 && impulse.x > 0.0 {
            let inv = self.inv_tangent;
            let stop = DVec2::new(inv.x * slip.x + inv.y * slip.y, inv.y * slip.x + inv.z * slip.y);
            let cone = self.friction * impulse.x;
            let stuck = impulse.yz() - stop;
            match stuck.length_squared() <= cone * cone {
                true => stuck,
                // What slides is stopped along its slip, or it would be deflected.
                false => (impulse.yz() - self.least_tangent * slip).clamp_length_max(cone),
            }
        } else {
            DVec2::ZERO
        };
        let rate = velocity.x + self.coupling.dot(across - impulse.yz());
        let hard = (impulse.x + (self.least - rate) * self.inv_normal).max(0.0);
        let normal = self.soft.map_or(hard, |soft| {
            hard.max(soft.answer(impulse.x - rate * self.inv_normal, self.inv_normal, 1.0).0)
        });
        DVec3::new(normal, across.x, across.y)
    }

    /// By how much a contact breaks its law at a velocity and with an impulse, in m/s.
    pub(super) fn breach(&self, velocity: DVec3, impulse: DVec3) -> f64 {
        self.change(self.wanted(velocity, impulse) - impulse)
    }
}

/// The inverse of the mobility in the tangent plane; 0 along directions that give no way.
fn inverse(mobility: &DMat3, [u, w]: [DVec3; 2], rigid: f64) -> DVec3 {
    let entry = |a: DVec3, b: DVec3| a.dot(*mobility * b);
    let [xx, xy, yy] = [entry(u, u), entry(u, w), entry(w, w)];
    let determinant = xx * yy - xy * xy;
    if determinant > rigid * (xx + yy) {
        DVec3::new(yy, -xy, xx) / determinant
    } else {
        let largest = xx.max(yy).max(rigid);
        DVec3::new(largest.recip(), 0.0, largest.recip())
    }
}

/// The lower value of a symmetric matrix with the entries xx, xy, yy.
fn least(matrix: DVec3) -> f64 {
    let [xx, xy, yy] = matrix.to_array();
    0.5 * (xx + yy) - (0.5 * (xx - yy)).hypotenuse(xy)
}

/// How long sweeps go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) sweeps: u32,
    /// They end when no visit changes a velocity by more than this, in m/s.
    pub(super) tolerance: f64,
}

/// Contacts, and the bodies that they push.
pub(super) struct Problem<'p> {
    pub(super) rows: &'p mut [Row],
    pub(super) velocities: &'p mut [Velocity],
    pub(super) inertias: &'p [Inertia],
}

/// Memory of sweeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweeps {
    /// The rows that are visited, in order.
    live: Vec<usize>,
    directions: Vec<DVec3>,
    olds: Vec<DVec3>,
    /// Visits so far.
    pub(super) visits: u64,
}

impl Sweeps {
    /// Sweeps over rows until they settle; the largest change of the last sweep.
    ///
    /// Only the rows of bodies that are `dirty` are visited. A visit that changes the velocity of
    /// others by more than the tolerance makes these dirty too, so what is solved already and feels
    /// nothing of the news keeps its bits.
    ///
    /// Sweeps alone take as many rounds as the square of the height of a stack. What a sweep
    /// changes is the gradient of a conjugate direction [Silcowitz10]: after each sweep impulses
    /// go on along the directions of those before, as far as the gradients shrink.
    pub(super) fn run(&mut self, problem: Problem<'_>, dirty: &mut [bool], effort: &Effort) -> f64 {
        let Problem { rows, velocities, inertias } = problem;
        let mut change: f64 = 0.0;
        let mut before = 0.0;
        let mut grows = true;
        for number in 0..effort.sweeps {
            if grows {
                self.live.clear();
                let is_live = |row: &Row| row.bodies.iter().any(|&i| dirty[i]);
                self.live.extend((0..rows.len()).filter(|&i| is_live(&rows[i])));
                self.directions.clear();
                self.directions.resize(self.live.len(), DVec3::ZERO);
                before = 0.0;
                grows = false;
            }
            self.visits += self.live.len() as u64;
            self.olds.clear();
            self.olds.extend(self.live.iter().map(|&i| rows[i].impulse));
            change = 0.0;
            let mut visit = |&i: &usize| {
                let by = rows[i].visit(velocities);
                change = change.max(by);
                if by > effort.tolerance {
                    for i in rows[i].bodies {
                        if !dirty[i] && inertias[i].is_dynamic() {
                            dirty[i] = true;
                            grows = true;
                        }
                    }
                }
            };
            if number % 2 == 0 {
                self.live.iter().for_each(&mut visit);
            } else {
                self.live.iter().rev().for_each(&mut visit);
            }
            if change <= effort.tolerance {
                break;
            }
            before = self.go_on(rows, velocities, before);
        }
        change
    }

    /// Goes on along the directions of the sweeps so far; the square of the last gradient.
    fn go_on(&mut self, rows: &mut [Row], velocities: &mut [Velocity], before: f64) -> f64 {
        let square = |(&i, old): (&usize, &DVec3)| {
            (rows[i].impulse - *old).length_squared() / rows[i].inv_normal
        };
        let now: f64 = self.live.iter().zip(&self.olds).map(square).sum();
        let share = if now >= before { 0.0 } else { now / before };
        let all = self.live.iter().zip(&self.olds).zip(&mut self.directions);
        for ((&i, old), direction) in all {
            let gradient = rows[i].impulse - *old;
            if share > 0.0 {
                rows[i].go_on(share * *direction, velocities);
            }
            *direction = share * *direction + gradient;
        }
        now
    }
}

/// Applies the impulses that rows begin with.
pub(super) fn warm_start(rows: &[Row], velocities: &mut [Velocity]) {
    for row in rows {
        if row.impulse != DVec3::ZERO {
            row.push_by(velocities, row.impulse);
        }
    }
}

impl Row {
    /// Adds to the impulse, within the cone.
    fn go_on(&mut self, by: DVec3, velocities: &mut [Velocity]) {
        let wanted = self.cut(self.impulse + by);
        if wanted != self.impulse {
            let change = wanted - self.impulse;
            self.impulse = wanted;
            self.push_by(velocities, change);
        }
    }

    /// Asks for a rate that is higher by this much.
    pub(super) fn raise(&mut self, by: f64) {
        self.least += by;
        if let Some(soft) = &mut self.soft {
            soft.raise(by);
        }
    }

    /// The rate that it most likely ends with if it presses.
    pub(super) fn stop(&self) -> f64 {
        self.soft.map_or(self.least, |soft| self.least.max(soft.stop()))
    }

    /// The least rate that its impulse is right for.
    pub(super) fn due(&self) -> f64 {
        let soft = self.soft.map_or(self.least, |soft| soft.rate(self.impulse.x));
        self.least.max(soft)
    }

    /// Asks for nothing.
    pub(super) fn release(&mut self) {
        self.soft = None;
        self.least = f64::MIN;
        self.impulse = DVec3::ZERO;
    }

    /// Whether it asks for nothing.
    pub(super) fn is_released(&self) -> bool {
        self.least == f64::MIN
    }

    /// Leaves out friction.
    pub(super) fn smooth(&mut self) {
        self.friction = 0.0;
    }
}
