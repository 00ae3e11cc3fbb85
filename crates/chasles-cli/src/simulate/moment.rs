//! A world at one time.

use chasles::Pose;
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::{Body, World};

/// Where all bodies are at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// In seconds.
    pub time: f64,
    /// In the order of the world.
    pub poses: Vec<Pose>,
    /// The sheets, in the order of the world.
    pub sheets: Vec<Sheet>,
}

impl Moment {
    pub(crate) fn of(world: &World) -> Self {
        let poses = world.bodies().iter().map(Body::pose).collect();
        Self { time: world.time(), poses, sheets: world.sheets().to_vec() }
    }
}

/// The energy of all dynamic bodies and sheets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// Of their motion.
    pub kinetic: f64,
    /// Of their height, from the origin of the world, and of the springs of sheets.
    pub potential: f64,
}

impl Energy {
    /// The energy of a world as it is.
    pub fn of(world: &World) -> Self {
        let potential = |body: &Body| {
            let weight = |mass: f64| -mass * world.options().gravity.dot(body.centre());
            body.mass_properties().map_or(0.0, |mass_properties| weight(mass_properties.mass()))
        };
        let mut energy = Self {
            kinetic: world.bodies().iter().map(Body::kinetic_energy).sum(),
            potential: world.bodies().iter().map(potential).sum(),
        };
        for sheet in world.sheets() {
            let [motion, springs, height] = sheet.energy(world.options().gravity);
            energy.kinetic += motion;
            energy.potential += springs + height;
        }
        energy
    }
}
