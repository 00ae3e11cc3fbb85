//! Bodies with joints that the tests can step, and slow algebra to compare with.

use chasles::Pose;
use chasles::mesh::Mass;
use chasles_dynamics::body::{Inertia, MassProperties, Velocity};
use chasles_dynamics::linkage::{Anchor, Joint, Linkage, displaced};
use glam::{DMat3, DQuat, DVec3};

/// Gravity, along `y`.
pub(crate) const G: f64 = 9.81;

/// Bodies, of which those without mass are fixed, and their joints.
#[derive(Clone, Default)]
pub(crate) struct System {
    pub(crate) solids: Vec<Option<MassProperties>>,
    pub(crate) poses: Vec<Pose>,
    pub(crate) velocities: Vec<Velocity>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) linkage: Linkage,
}

pub(crate) fn solid(mass: f64, moments: DVec3) -> MassProperties {
    solid_about(mass, moments, DVec3::ZERO)
}

fn solid_about(mass: f64, moments: DVec3, centre: DVec3) -> MassProperties {
    let inertia = DMat3::from_diagonal(moments);
    MassProperties::new(&Mass { mass, centre, inertia }).expect("a body")
}

pub(crate) fn anchor(point: DVec3, axis: DVec3) -> Anchor {
    Anchor::along(point, axis).expect("a place")
}

impl System {
    pub(crate) fn add(&mut self, solid: Option<MassProperties>, pose: Pose) -> usize {
        self.solids.push(solid);
        self.poses.push(pose);
        self.velocities.push(Velocity::ZERO);
        self.poses.len() - 1
    }

    /// A body at a place, as in the world.
    pub(crate) fn place(&mut self, solid: Option<MassProperties>, place: DVec3) -> usize {
        self.add(solid, Pose::from_position(place).expect("a place"))
    }

    /// The anchors of two bodies at a place of the world.
    pub(crate) fn at(&self, bodies: [usize; 2], point: DVec3, axis: DVec3) -> [Anchor; 2] {
        anchor(point, axis).in_bodies(bodies.map(|body| &self.poses[body]))
    }

    pub(crate) fn inertias(&self, poses: &[Pose]) -> Vec<Inertia> {
        let bodies = self.solids.iter().zip(poses);
        let inertia = |(solid, pose): (&Option<MassProperties>, &Pose)| match solid {
            Some(solid) => solid.at(pose),
            None => Inertia::fixed(pose.position()),
        };
        bodies.map(inertia).collect()
    }

    pub(crate) fn fit(&mut self) {
        let inertias = self.inertias(&self.poses);
        self.linkage.fit(&self.joints, &inertias, &self.poses).expect("known bodies");
    }

    pub(crate) fn shifted(&self, by: &[Velocity], factor: f64) -> Vec<Pose> {
        let inertias = self.inertias(&self.poses);
        let all = self.poses.iter().zip(&inertias).zip(by);
        all.map(|((pose, inertia), by)| displaced(pose, inertia.centre, &scaled(by, factor)))
            .collect()
    }

    /// Takes back drift by as many Newton steps.
    pub(crate) fn straighten(&mut self, steps: usize) {
        for _ in 0..steps {
            self.fit();
            let by = self.linkage.correction(0.1);
            self.poses = self.shifted(&by, 1.0);
        }
    }

    /// The mean velocity `u` of the step fits the joints half-way; `v1 = 2 u - v0` then has the
    /// energy of `v0` and of what gravity did.
    pub(crate) fn step(&mut self, h: f64) {
        let half = self.shifted(&self.velocities, 0.5 * h);
        let inertias = self.inertias(&half);
        self.linkage.fit(&self.joints, &inertias, &half).expect("known bodies");
        let mut mean = self.velocities.clone();
        for (velocity, solid) in mean.iter_mut().zip(&self.solids) {
            if solid.is_some() {
                velocity.linear.y -= 0.5 * h * G;
            }
        }
        self.linkage.settle(&mut mean, h);
        self.poses = self.shifted(&mean, h);
        for (velocity, mean) in self.velocities.iter_mut().zip(&mean) {
            *velocity = scaled(mean, 2.0).plus(&scaled(velocity, -1.0));
        }
        self.straighten(2);
    }

    pub(crate) fn kinetic(&self) -> f64 {
        self.kinetic_of(&self.velocities)
    }

    pub(crate) fn kinetic_of(&self, velocities: &[Velocity]) -> f64 {
        let momenta = self.momenta(velocities);
        let both = momenta.iter().zip(velocities);
        both.map(|((p, l), v)| 0.5 * (p.dot(v.linear) + l.dot(v.angular))).sum()
    }

    /// Of each body, linear and about its own centre.
    fn momenta(&self, velocities: &[Velocity]) -> Vec<(DVec3, DVec3)> {
        let momentum = |((solid, pose), v): ((&Option<MassProperties>, &Pose), &Velocity)| {
            let Some(solid) = solid else { return (DVec3::ZERO, DVec3::ZERO) };
            let turn = pose.rotation() * solid.axes();
            let in_body = solid.moments() * (turn.conjugate() * v.angular);
            (solid.mass() * v.linear, turn * in_body)
        };
        self.solids.iter().zip(&self.poses).zip(velocities).map(momentum).collect()
    }

    /// Linear and angular momentum of all about the origin.
    pub(crate) fn momentum(&self, velocities: &[Velocity]) -> (DVec3, DVec3) {
        let inertias = self.inertias(&self.poses);
        let all = self.momenta(velocities).into_iter().zip(&inertias);
        all.fold((DVec3::ZERO, DVec3::ZERO), |(sum, about), ((p, l), inertia)| {
            (sum + p, about + l + inertia.centre.cross(p))
        })
    }

    pub(crate) fn potential(&self) -> f64 {
        let all = self.solids.iter().zip(&self.poses);
        let height = |(solid, pose): (&Option<MassProperties>, &Pose)| {
            solid.map_or(0.0, |solid| solid.mass() * G * pose.point(solid.centre()).y)
        };
        all.map(height).sum()
    }

    pub(crate) fn energy(&self) -> f64 {
        self.kinetic() + self.potential()
    }
}

pub(crate) fn scaled(velocity: &Velocity, factor: f64) -> Velocity {
    Velocity { linear: factor * velocity.linear, angular: factor * velocity.angular }
}

/// The greatest difference of two sets of velocities.
pub(crate) fn difference(a: &[Velocity], b: &[Velocity]) -> f64 {
    let both = a.iter().zip(b);
    both.map(|(a, b)| (a.linear - b.linear).length().max((a.angular - b.angular).length()))
        .fold(0.0, f64::max)
}

pub(crate) fn largest(velocities: &[Velocity]) -> f64 {
    difference(velocities, &vec![Velocity::ZERO; velocities.len()])
}

/// Numbers that look random, the same each time.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    /// In `[0, 1)`.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// In `[-1, 1)`.
    pub(crate) fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    pub(crate) fn velocity(&mut self) -> Velocity {
        Velocity { linear: self.vector(), angular: self.vector() }
    }

    pub(crate) fn pose(&mut self) -> Pose {
        let turn = DQuat::from_scaled_axis(3.0 * self.vector());
        Pose::new(2.0 * self.vector(), turn).expect("finite")
    }

    /// Mass from 0.1 to 10, moments of a box, the centre not at the origin.
    pub(crate) fn solid(&mut self) -> MassProperties {
        let mass = 10f64.powf(self.signed());
        let [x, y, z] = [0, 1, 2].map(|_| 0.1 + self.unit());
        let moments = DVec3::new(y * y + z * z, x * x + z * z, x * x + y * y);
        solid_about(mass, moments * (mass / 12.0), 0.3 * self.vector())
    }
}
