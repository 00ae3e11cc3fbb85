//! What a random world is like, before there are bodies in it.

use chasles::glam::DVec3;
use chasles_testkit::generate::Random;

/// The highest speed in metres per second, as a power of ten.
const FASTEST: f64 = 4.0;

/// What stands still around the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arena {
    /// Nothing.
    Open,
    /// A floor below them.
    Floor,
    /// Six thin walls.
    Closed,
}

/// What is drawn once for a world.
#[derive(Clone, Debug)]
pub(super) struct Nature {
    /// The length of a step.
    pub(super) dt: f64,
    /// The size of bodies in the mean, and by which power of ten they differ from it at most.
    pub(super) size: f64,
    pub(super) spread: f64,
    /// The power of ten by which masses differ from that of the mean at most.
    pub(super) masses: f64,
    /// The speed and the spin of the fastest.
    pub(super) speed: f64,
    pub(super) spin: f64,
    pub(super) gravity: DVec3,
    pub(super) arena: Arena,
    pub(super) count: usize,
    pub(super) has_round: bool,
    pub(super) has_links: bool,
    pub(super) has_routes: bool,
    pub(super) has_cloth: bool,
}

impl Nature {
    pub(super) fn new(random: &mut Random) -> Self {
        let mut power = |low: f64, high: f64| 10_f64.powf(random.between(low, high));
        let [dt, size] = [power(-4.0, 0.5_f64.log10()), power(-2.0, 2.0)];
        // The fastest cross a body in thirty steps, if speeds allow that, and any number in one.
        let least = (0.03 * size / dt).log10().min(FASTEST);
        let [speed, spin] = [power(least, FASTEST), power(0.0, 300_f64.log10())];
        let has_cloth = random.below(4) == 0;
        let pull = random.one_of(&[0.0, 9.81, 9.81, 100.0]);
        let tilt = 0.3 * random.vector();
        Self {
            dt,
            size,
            spread: random.one_of(&[0.0, 0.3, 1.0]),
            masses: random.one_of(&[0.0, 1.0, 3.0]),
            speed,
            spin,
            gravity: pull * (tilt - DVec3::Z),
            arena: random.one_of(&[Arena::Open, Arena::Floor, Arena::Closed, Arena::Closed]),
            count: 3 + random.below(10),
            // Sheets meet meshes only.
            has_round: !has_cloth && random.below(2) == 0,
            has_links: random.below(2) == 0,
            has_routes: random.below(3) == 0,
            has_cloth,
        }
    }

    /// A few words for the table.
    pub(super) fn story(&self) -> String {
        let mut words = vec![format!("{:?}", self.arena).to_lowercase()];
        let parts = [
            (self.has_round, "round"),
            (self.has_links, "linked"),
            (self.has_routes, "routes"),
            (self.has_cloth, "cloth"),
        ];
        words.extend(parts.iter().filter(|(has, _)| *has).map(|(_, word)| (*word).to_string()));
        words.push(format!("{:.2e} m", self.size));
        words.push(format!("{:.2e} m/s", self.speed));
        words.push(format!("{:.0} rad/s", self.spin));
        words.push(format!("masses 1 to {:.0e}", 10_f64.powf(2.0 * self.masses)));
        words.join(", ")
    }
}
