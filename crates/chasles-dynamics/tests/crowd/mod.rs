//! Bodies with contacts between them, at random and by hand.

use chasles_dynamics::body::{Inertia, Velocity};
use chasles_dynamics::impulse::{Loose, Response, Touch};
use chasles_testkit::generate::Random;
use glam::{DMat3, DVec3};

/// Bodies that touch each other.
#[derive(Clone, Debug)]
pub(crate) struct Crowd {
    pub(crate) bodies: Vec<Inertia>,
    pub(crate) velocities: Vec<Velocity>,
    pub(crate) touches: Vec<Touch>,
}

impl Crowd {
    /// Two to five bodies, up to a thousand times heavier than each other and long or flat, some of
    /// them fixed, with one to eight contacts of all materials. The first contact approaches.
    pub(crate) fn random(random: &mut Random) -> Self {
        let count = 2 + random.below(4);
        Self::of(random, count, |random| 1 + random.below(8))
    }

    /// The same with 6 to 19 bodies and 25 to 100 contacts, which are more than are solved one by
    /// one.
    pub(crate) fn large(random: &mut Random) -> Self {
        let count = 6 + random.below(14);
        Self::of(random, count, |random| 25 + random.below(76))
    }

    fn of(random: &mut Random, count: usize, contacts: impl Fn(&mut Random) -> usize) -> Self {
        let mut bodies: Vec<_> = (0..count).map(|_| body(random)).collect();
        for body in &mut bodies[1..] {
            if random.below(5) == 0 {
                *body = Inertia::fixed(body.centre);
            }
        }
        let moves = |body: &Inertia, random: &mut Random| match body.is_dynamic() {
            true => Velocity { linear: random.vector(), angular: 3.0 * random.vector() },
            false => Velocity::ZERO,
        };
        let velocities = bodies.iter().map(|body| moves(body, random)).collect();
        let mut crowd = Self { bodies, velocities, touches: Vec::new() };
        for _ in 0..contacts(random) {
            crowd.join(random);
        }
        let first = crowd.touches[0];
        if crowd.approach(&first, &crowd.velocities) < 0.0 {
            crowd.touches[0].normal = -first.normal;
        }
        crowd
    }

    /// One more contact, of bodies of which one moves.
    fn join(&mut self, random: &mut Random) {
        let first = random.below(self.bodies.len());
        let second = (first + 1 + random.below(self.bodies.len() - 1)) % self.bodies.len();
        if !self.bodies[first].is_dynamic() && !self.bodies[second].is_dynamic() {
            return self.join(random);
        }
        let [a, b] = [first, second].map(|i| self.bodies[i].centre);
        let likely = (a - b + 0.5 * random.vector()).normalize();
        let normal = if random.below(3) == 0 { random.direction() } else { likely };
        // Often a second contact of the same two bodies on the same plane.
        let (bodies, point, normal) = match self.touches.last() {
            Some(last) if random.below(3) == 0 => {
                (last.bodies, last.point + last.normal.cross(random.vector()), last.normal)
            }
            _ => ([first, second], a.lerp(b, random.unit()) + 0.3 * random.vector(), normal),
        };
        let [some, more] = [0; 2].map(|_| random.unit());
        let restitution = random.one_of(&[0.0, 1.0, some]);
        let friction = random.one_of(&[0.0, 2.0, 2.0 * more]);
        self.touches.push(Touch { bodies, point, normal, gap: 0.0, restitution, friction });
    }

    /// The normal speed at which a contact closes.
    pub(crate) fn approach(&self, touch: &Touch, velocities: &[Velocity]) -> f64 {
        let Touch { bodies, point, normal, .. } = *touch;
        -normal.dot(Loose(&self.bodies).approach(velocities, bodies, point))
    }

    /// Whether nothing outside takes momentum up.
    pub(crate) fn is_isolated(&self) -> bool {
        self.bodies.iter().all(Inertia::is_dynamic)
    }

    /// What a rounding of momentum is measured against: what the bodies have and hand over.
    pub(crate) fn momentum_scale(&self, strongest: f64) -> f64 {
        let of = |(body, velocity): (&Inertia, &Velocity)| match body.is_dynamic() {
            true => (velocity.linear / body.inv_mass).length(),
            false => 0.0,
        };
        self.bodies.iter().zip(&self.velocities).map(of).sum::<f64>() + strongest
    }
}

/// A box of any shape and turn, about the size of a metre.
fn body(random: &mut Random) -> Inertia {
    let mass = 10_f64.powf(random.between(-1.5, 1.5));
    let size = DVec3::from_array([0; 3].map(|_| 10_f64.powf(random.between(-1.5, 0.0))));
    let squares = size * size;
    let moments = mass / 12.0 * (DVec3::splat(squares.element_sum()) - squares);
    let (second, third) = random.direction().any_orthonormal_pair();
    let turn = DMat3::from_cols(second.cross(third), second, third);
    let inv_inertia = turn * DMat3::from_diagonal(moments.recip()) * turn.transpose();
    Inertia { centre: random.vector(), inv_mass: DVec3::splat(1.0 / mass), inv_inertia }
}

/// A solid ball of unit mass and radius one half.
pub(crate) fn ball(centre: DVec3) -> Inertia {
    Inertia { centre, inv_mass: DVec3::ONE, inv_inertia: DMat3::from_diagonal(DVec3::splat(10.0)) }
}

/// A contact of two bodies without gap.
pub(crate) fn touch(bodies: [usize; 2], point: DVec3, normal: DVec3) -> Touch {
    Touch { bodies, point, normal, gap: 0.0, restitution: 0.0, friction: 0.0 }
}

/// What carries and never moves.
pub(crate) fn fixed_floor() -> Inertia {
    Inertia::fixed(DVec3::ZERO)
}
