//! A number for all that a world goes on from, to compare runs by.

use std::fmt::{self, Write};

use super::World;
use super::body::Body;

/// A hash of the text that is written to it. Numbers are written with all their digits, so texts
/// differ where a bit does.
struct Digest(u64);

impl Write for Digest {
    /// FNV-1a, byte by byte.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        self.0 = text.bytes().fold(self.0, mix);
        Ok(())
    }
}

/// Where FNV-1a begins.
const START: u64 = 0xcbf2_9ce4_8422_2325;

impl World {
    /// A number of all that the next step and its report depend on but for the surfaces of bodies
    /// and the nets of sheets: options, bodies with their kinds, masses and loads, joints and their
    /// strengths, who collides, sleeps and touches, what is known of contacts, which vertices of
    /// sheets are held and what sheets carry.
    ///
    /// *Guarantees* the same number for the same bits, on any machine, with this version of the
    /// crate; other bits have another but for one chance in 2^64. A [rule](World::collide_if) is
    /// not part of it, nor are handles: a world that goes back to a moment has its number again.
    /// *Cost* linear in bodies, joints, contacts and vertices of sheets, some microseconds each:
    /// for each step of a large world [`World::fingerprint`] costs less. *Fails* never.
    ///
    /// ```
    /// use chasles_dynamics::world::{Body, Options, Shape, World};
    /// let mut world = World::new(Options::default());
    /// world.add(Body::fixed(Shape::sphere(0.5)?));
    /// let before = world.hash();
    /// assert_eq!(world.clone().hash(), before);
    /// world.set_gravity(glam::DVec3::ZERO);
    /// assert_ne!(world.hash(), before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hash(&self) -> u64 {
        let mut digest = Digest(START);
        // Writing to a digest does not fail.
        let _ = self.tell(&mut digest);
        digest.0
    }

    fn tell(&self, digest: &mut Digest) -> fmt::Result {
        let Self { options, joints, strengths, ignored, ignored_inside, forces, .. } = self;
        let Self { reaches, manifolds, props, touching, watched, due, .. } = self;
        write!(digest, "{options:?} {:016x} ", self.fingerprint())?;
        self.bodies.iter().try_for_each(|body| tell_body(body, digest))?;
        let borne: Vec<_> = self.joint_ids.iter().map(|id| strengths.get(id)).collect();
        write!(digest, "{joints:?} {borne:?} {ignored:?} {ignored_inside:?} ")?;
        write!(digest, "{forces:?} {reaches:?} {manifolds:?} ")?;
        self.sheets.iter().try_for_each(|sheet| sheet.tell(digest))?;
        write!(digest, "{props:?} {touching:?} {watched:?} {due:?} ")?;
        write!(digest, "{:?}", [self.is_caught, self.is_checked, self.is_listening])
    }
}

fn tell_body(body: &Body, digest: &mut Digest) -> fmt::Result {
    let Body { kind, material, load, damping, belt, .. } = body;
    let Body { still_for, is_asleep, is_intangible, is_sensor, filter, is_new, .. } = body;
    write!(digest, "{kind:?} {material:?} {load:?} {damping:?} {belt:?} ")?;
    let flags = [is_asleep, is_intangible, is_sensor, is_new];
    write!(digest, "{still_for:?} {flags:?} {filter:?} ")
}

#[cfg(test)]
mod tests {
    use super::super::{BodyId, Options, Passage, Sensed};
    use super::*;
    use crate::body::Velocity;

    #[test]
    fn what_sheets_carry_and_what_is_due_is_part_of_it() {
        let mut world = World::new(Options::default());
        let mut hashes = vec![world.hash()];
        world.props = vec![Velocity::ZERO];
        hashes.push(world.hash());
        let change = Passage::Left;
        world.due.sensed = vec![Sensed { sensor: BodyId(0), body: BodyId(1), change }];
        hashes.push(world.hash());
        hashes.dedup();
        assert_eq!(hashes.len(), 3);
    }
}
