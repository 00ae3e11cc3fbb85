//! Energy that displacements and what the solver left have given bodies, and how they pay for it.
//!
//! Bodies that press on each other, or hang together, pay for themselves. Where something fixed
//! carries them, all of their motion is scaled down to the energy that they had and the work of
//! forces. What nothing carries keeps its momentum: only what departs from its motion as if it were
//! one rigid body pays. With `V` and `Ω` of that motion, energies add up, since the momenta of the
//! rest are zero:
//!
//! ```text
//! E = M V² / 2 + Ω.L / 2 + E_rest         Ω = I⁻¹ L, about the common centre of mass
//! ```
//!
//! Nobody pays where a body on a route, a motor, a torque, a belt or a sheet does work. What such
//! bodies get back when they bounce is at most what contacts took from them in the window: with the
//! velocities `u*` without contacts and `u` with them, and impulses `p`,
//!
//! ```text
//! taken = -sum of p.(u* + u) / 2
//! ```

use glam::{DMat3, DVec3};

use super::super::State;
use super::super::broad::groups;
use super::Trial;
use super::candidate::Candidate;
use super::group::Group;
use super::solver::Row;
use crate::body::{MassProperties, Velocity};
use crate::linkage::Joint;

/// Energy above what is allowed by less than this share of it is rounding.
const ROUNDING: f64 = 1e-13;

/// Bodies that press on each other or hang together.
#[derive(Default)]
pub(super) struct Bundle {
    pub(super) members: Vec<usize>,
    /// Whether they touch anything, and something fixed.
    touches: bool,
    is_carried: bool,
    /// Whether something does work on them besides gravity and constant forces, and whether that is
    /// a body on a route.
    is_driven: bool,
    is_led: bool,
}

impl Group<'_> {
    /// Takes from the motion of members the energy that displacements and what the solver left have
    /// given them.
    pub(super) fn pay(&self, candidates: &[Candidate], trial: &mut Trial, bundles: &[Bundle]) {
        for bundle in bundles {
            if bundle.touches && !bundle.is_driven {
                let [allowed, left] = self.energies(candidates, trial, &bundle.members);
                if left > allowed.max(0.0) * (1.0 + ROUNDING) {
                    self.pay_for(trial, bundle, [allowed, left]);
                }
            }
        }
    }

    /// The energy that members of a bundle may get back when they bounce; none if there is no
    /// bound, where a body on a route does work.
    pub(super) fn room(
        &self,
        candidates: &[Candidate],
        trial: &Trial,
        bundle: &Bundle,
    ) -> Option<f64> {
        let room = match (bundle.is_led, bundle.is_driven) {
            (true, _) => return None,
            (false, true) => self.taken(trial, &bundle.members),
            (false, false) => {
                let [allowed, left] = self.energies(candidates, trial, &bundle.members);
                allowed - left
            }
        };
        Some(room.max(0.0))
    }

    /// The energy that contacts of some members took from them.
    fn taken(&self, trial: &Trial, members: &[usize]) -> f64 {
        let is_theirs = |row: &&Row| row.bodies.iter().any(|i| members.binary_search(i).is_ok());
        let taken = |row: &Row| {
            let [free, held] = [&trial.pushed, &trial.velocities].map(|all| row.approach(all));
            -0.5 * row.impulse_vector().dot(free + held)
        };
        trial.rows.iter().filter(is_theirs).map(taken).sum()
    }

    /// Members that press on each other, were moved apart or hang together.
    pub(super) fn bundles(&self, trial: &Trial) -> Vec<Bundle> {
        let moves = |i: usize| self.masses[i].is_some();
        let joints = || self.links.iter().flat_map(|links| &links.joints);
        let pressing = trial.rows.iter().filter(|row| row.impulse.x > 0.0).map(|row| row.bodies);
        let apart = trial.opened.iter().copied();
        let touching: Vec<[usize; 2]> =
            pressing.chain(apart).chain(joints().map(Joint::bodies)).collect();
        let both = touching.iter().copied().filter(|pair| pair.iter().all(|&i| moves(i)));
        let all = groups(self.masses.len(), both);
        let mut of = vec![0; self.masses.len()];
        for (number, members) in all.iter().enumerate() {
            members.iter().for_each(|&i| of[i] = number);
        }
        let bundle = |members| Bundle { members, ..Bundle::default() };
        let mut bundles: Vec<Bundle> = all.into_iter().map(bundle).collect();
        for [a, b] in touching {
            for (i, other) in [(a, b), (b, a)].into_iter().filter(|(i, _)| moves(*i)) {
                let bundle = &mut bundles[of[i]];
                bundle.touches = true;
                bundle.is_carried |= !moves(other);
                bundle.is_driven |= !moves(other) && self.drives(other);
                bundle.is_led |= !moves(other) && self.states[other].velocity != Velocity::ZERO;
            }
        }
        for i in joints().filter(|joint| joint.is_driven()).flat_map(Joint::bodies) {
            bundles[of[i]].is_driven = true;
        }
        for i in (0..of.len()).filter(|&i| moves(i)) {
            let is_turned = self.pull(i).torque != DVec3::ZERO;
            bundles[of[i]].is_driven |=
                is_turned || self.belt(i) != DVec3::ZERO || self.borne(i).is_some();
        }
        bundles
    }

    /// Whether a member that answers to nothing does work on others.
    fn drives(&self, member: usize) -> bool {
        self.states[member].velocity != Velocity::ZERO || self.belt(member) != DVec3::ZERO
    }

    /// Slows bodies down to the energy that is allowed, if they can pay so much.
    fn pay_for(&self, trial: &mut Trial, bundle: &Bundle, [allowed, left]: [f64; 2]) {
        let Bundle { members, is_carried, .. } = bundle;
        let rigid = match is_carried {
            true => Rigid::default(),
            false => match self.rigid(trial, members) {
                Some(rigid) => rigid,
                None => return,
            },
        };
        let share = ((allowed - rigid.energy).max(0.0) / (left - rigid.energy)).sqrt();
        if share.is_nan() || share >= 1.0 {
            return;
        }
        for &i in members {
            let Some(mass) = self.masses[i] else { continue };
            let end = &mut trial.ends[i];
            let along = rigid.at(end.pose.point(mass.centre()));
            end.velocity = along.plus(&end.velocity.minus(&along).times(share));
        }
    }

    /// How members would move at the end of a trial if they were one rigid body with the momenta
    /// that they have; none where locks keep them from that, or they are all in one point.
    fn rigid(&self, trial: &Trial, members: &[usize]) -> Option<Rigid> {
        let parts: Vec<(&MassProperties, &State, DVec3)> = members
            .iter()
            .filter_map(|&i| self.masses[i].map(|mass| (mass, &trial.ends[i])))
            .map(|(mass, end)| (mass, end, end.pose.point(mass.centre())))
            .collect();
        if parts.iter().any(|(mass, ..)| mass.locks().any()) {
            return None;
        }
        let mass: f64 = parts.iter().map(|(part, ..)| part.mass()).sum();
        let centre = parts.iter().map(|(part, _, at)| part.mass() * *at).sum::<DVec3>() / mass;
        let momentum: DVec3 =
            parts.iter().map(|(part, end, _)| part.mass() * end.velocity.linear).sum();
        let (mut spin, mut inertia) = (DVec3::ZERO, DMat3::ZERO);
        for (part, end, at) in parts {
            let axes = DMat3::from_quat(end.pose.rotation() * part.axes());
            let own = axes * DMat3::from_diagonal(part.moments()) * axes.transpose();
            let arm = at - centre;
            let outer = DMat3::from_cols(arm.x * arm, arm.y * arm, arm.z * arm);
            let round = arm.length_squared() * DMat3::IDENTITY - outer;
            spin += part.mass() * arm.cross(end.velocity.linear) + own * end.velocity.angular;
            inertia += own + part.mass() * round;
        }
        let angular = inertia.inverse() * spin;
        let linear = momentum / mass;
        let energy = 0.5 * (linear.dot(momentum) + angular.dot(spin));
        angular.is_finite().then_some(Rigid { centre, linear, angular, energy })
    }

    /// The kinetic energy that some members may have at the end of a trial, that of the start and
    /// the work of forces and springs, and what they have.
    fn energies(&self, candidates: &[Candidate], trial: &Trial, members: &[usize]) -> [f64; 2] {
        let mut allowed = self.given_back(candidates, trial, members);
        let mut left = 0.0;
        for &i in members {
            let Some(mass) = self.masses[i] else { continue };
            let (before, end) = (&self.states[i], &trial.ends[i]);
            let way = end.pose.point(mass.centre()) - self.inertias[i].centre;
            let [first, last] = [before, end].map(|state| Kinetic { mass, state });
            allowed += first.energy() + mass.mass() * self.pull(i).acceleration.dot(way);
            left += last.energy();
        }
        [allowed, left]
    }

    /// What contact springs of some members give back in a trial at most.
    fn given_back(&self, candidates: &[Candidate], trial: &Trial, members: &[usize]) -> f64 {
        let mut sum = 0.0;
        if self.options.springs.is_none() {
            return sum;
        }
        let mut is_one = vec![false; self.masses.len()];
        members.iter().for_each(|&i| is_one[i] = true);
        for (row, &source) in trial.rows.iter().zip(&trial.sources) {
            let candidate = &candidates[source];
            let is_theirs = row.bodies.into_iter().any(|i| is_one[i]);
            if let Some(spring) = candidate.used_spring(row).filter(|_| is_theirs) {
                let end = candidate.anchors.place(candidate.bodies.map(|i| &trial.ends[i].pose));
                let energy = |gap: f64| spring.energy(gap.max(candidate.kept));
                sum += energy(candidate.place.gap) - energy(end.gap);
            }
        }
        sum
    }
}

/// The motion of bodies as one, and its energy.
#[derive(Default)]
struct Rigid {
    centre: DVec3,
    linear: DVec3,
    angular: DVec3,
    energy: f64,
}

impl Rigid {
    fn at(&self, point: DVec3) -> Velocity {
        let Self { centre, linear, angular, .. } = *self;
        Velocity { linear: linear + angular.cross(point - centre), angular }
    }
}

/// The kinetic energy of a body as a quadratic form.
pub(super) struct Kinetic<'s> {
    pub(super) mass: &'s MassProperties,
    pub(super) state: &'s State,
}

impl Kinetic<'_> {
    fn energy(&self) -> f64 {
        0.5 * self.product(&self.state.velocity, &self.state.velocity)
    }

    pub(super) fn product(&self, a: &Velocity, b: &Velocity) -> f64 {
        let axes = self.state.pose.rotation() * self.mass.axes();
        let [x, y]: [DVec3; 2] = [a, b].map(|v| axes.conjugate() * v.angular);
        self.mass.mass() * a.linear.dot(b.linear) + (self.mass.moments() * x).dot(y)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chasles::mesh::shapes::{Cuboid, Shape};
    use chasles::{Collider, Pose};

    use super::super::super::{Body, Options, World};
    use super::*;

    /// Two boxes side by side, and a wall that they do not touch though it is near.
    fn near_a_wall() -> World {
        let mut world = World::new(Options { gravity: DVec3::ZERO, ..Options::windows() });
        let cube = Shape::Box(Cuboid { size: [1.0; 3] }).build().expect("a box");
        let mass_properties = MassProperties::of_mesh(&cube, 1.0).expect("a volume");
        let cube = Arc::new(Collider::new(cube));
        let at = |x: f64, z: f64| Pose::from_position([x, 0.0, z]).expect("finite");
        world.add(Body::fixed(Arc::clone(&cube)).at(at(0.0, -1.003)));
        for x in [0.0, 1.001] {
            world.add(Body::dynamic(Arc::clone(&cube), mass_properties).at(at(x, 0.0)));
        }
        world
    }

    /// All three of them.
    fn group(world: &World) -> Group<'_> {
        let boxes: Vec<_> =
            world.bodies.iter().map(|body| super::super::Bounds::of(body, &body.pose())).collect();
        Group::new(world, vec![0, 1, 2], &[[0, 1], [0, 2], [1, 2]], &boxes)
    }

    /// A spring whose gap is nothing would store energy without end: it gives back no more than
    /// from the gap that is kept.
    #[test]
    fn a_spring_whose_end_gap_is_nothing_has_an_energy() {
        let mut world = near_a_wall();
        world.options.springs = Some(super::super::super::Springs::default());
        let mut group = group(&world);
        let candidates = group.gather(0.01).candidates;
        let mut trial = group.solve(&candidates, 0.01);
        let both = trial.rows.iter_mut().zip(&trial.sources);
        let mut of_boxes = both.filter(|(_, source)| candidates[**source].bodies == [1, 2]);
        let (row, source) = of_boxes.next().expect("they are near");
        row.impulse.x = 1.0;
        row.soft = candidates[*source].soft(0.01);
        assert!(row.soft.is_some());
        // The second box to where the first ends.
        trial.ends[2].pose = Pose::from_position([1.0, 0.0, 0.0]).expect("finite");
        trial.ends[1].pose = Pose::IDENTITY;
        let [allowed, left] = group.energies(&candidates, &trial, &[1, 2]);
        assert!(allowed.is_finite() && allowed < 0.0 && left.is_finite(), "{allowed}, {left}");
    }

    #[test]
    fn what_is_near_does_not_carry_bodies_that_are_moved_apart() {
        let world = near_a_wall();
        let mut group = group(&world);
        let mut candidates = group.gather(0.01).candidates;
        let of_boxes = |c: &&mut Candidate| c.bodies == [1, 2];
        candidates.iter_mut().filter(of_boxes).for_each(|candidate| candidate.lift = 1e-4);
        assert!(candidates.iter().any(|candidate| candidate.bodies[0] == 0), "the wall is near");
        let trial = group.solve(&candidates, 0.01);
        assert!(trial.shifts[1] != Velocity::ZERO && trial.shifts[2] != Velocity::ZERO);
        let bundles = group.bundles(&trial);
        let both = bundles.iter().find(|bundle| bundle.members == [1, 2]).expect("they touch");
        assert!(both.touches && !both.is_carried);
    }
}
