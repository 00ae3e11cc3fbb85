//! Questions about where bodies are, between steps.

use chasles::query::{self, Geometry, Near, Workspace};
use chasles::{Motion, Polygons, Polyhedron, Pose, Step};
use glam::DVec3;

use super::broad::Bounds;
use super::{Body, BodyId, World};

/// What a ray strikes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Struck {
    /// Whom.
    pub body: BodyId,
    /// After which share of the way.
    pub share: f64,
    /// Where.
    pub point: DVec3,
    /// Unit, from the surface towards where the ray comes from.
    pub normal: DVec3,
}

/// Boxes for rays are larger by this share of their coordinates, far above rounding.
const MARGIN: f64 = 1e-9;

impl World {
    /// The first surface on the way from a point to another: a ray is the motion of a point, and the
    /// exact method finds what that touches.
    ///
    /// *Accepts* any two points whose coordinates a pose may have. *Guarantees* the first body to
    /// 1e-14 of the size of the scene; of several at the same place the one that was added first.
    /// *Cost* a box test for each body, and a query for each that the way comes near. *Fails* never:
    /// nothing is struck by a ray of no length or from points that are not finite.
    pub fn ray(&self, from: DVec3, to: DVec3) -> Option<Struck> {
        let point = Polygons { vertices: vec![DVec3::ZERO], ..Polygons::default() };
        let point = Geometry::mesh(Polyhedron::new(&point).ok()?);
        let ends = [Pose::from_position(from).ok()?, Pose::from_position(to).ok()?];
        let way = Bounds { low: from.min(to), high: from.max(to) };
        // Surfaces are struck from either side.
        let options = query::Options::all();
        let mut memory = Workspace::new();
        let mut first: Option<Struck> = None;
        for (number, body) in self.tangible() {
            let around = Bounds::of(body, &body.pose());
            if !around.grown(MARGIN * around.size()).overlaps(&way) {
                continue;
            }
            let step = Step::new(Motion::still(body.pose()), Motion::between(ends[0], ends[1]));
            let contact =
                query::first_contact(body.geometry(), &point, &step, &options, &mut memory);
            let Ok(Some(contact)) = contact else { continue };
            if first.is_none_or(|first| contact.time < first.share) {
                let normal = if contact.normal.dot(to - from) > 0.0 { -1.0 } else { 1.0 };
                first = Some(Struck {
                    body: self.slots.id(number),
                    share: contact.time,
                    point: contact.point,
                    normal: normal * contact.normal,
                });
            }
        }
        first
    }

    /// The bodies that others do not pass through, with their numbers.
    fn tangible(&self) -> impl Iterator<Item = (usize, &Body)> {
        self.bodies.iter().enumerate().filter(|(_, body)| !body.is_intangible)
    }

    /// The bodies whose boxes, along the axes of the world, reach into a box.
    ///
    /// *Accepts* any corners, the lower one first. *Guarantees* no body too few, in the order of their
    /// numbers; intangible ones are left out. *Cost* linear in the bodies. *Fails* never.
    pub fn within(&self, low: DVec3, high: DVec3) -> Vec<BodyId> {
        let asked = Bounds { low, high };
        let reaches = |body: &Body| Bounds::of(body, &body.pose()).overlaps(&asked);
        self.tangible().filter(|(_, body)| reaches(body)).map(|(i, _)| self.slots.id(i)).collect()
    }

    /// Where a body is near others: all places of theirs within a distance, with the other body.
    ///
    /// *Accepts* a distance of 0 or more; bodies that rest on each other are [`Options::zone`] of the
    /// smaller body apart. *Guarantees* the places that [`chasles::query::near`] finds, with this body
    /// first, in the order of the others that it collides with. *Cost* a box test for each body, and
    /// a query for each that is near. *Fails* never: nothing is near a body that is not there.
    ///
    /// [`Options::zone`]: super::Options::zone
    pub fn near(&self, id: BodyId, distance: f64) -> Vec<(BodyId, Near)> {
        let Some(slot) = self.slots.slot(id) else { return Vec::new() };
        let body = &self.bodies[slot];
        let around = Bounds::of(body, &body.pose()).grown(distance);
        let mut memory = Workspace::new();
        let mut found = Vec::new();
        for (number, other) in self.tangible() {
            let pair = [slot.min(number), slot.max(number)];
            let is_other = number != slot && self.meet(pair);
            if is_other && Bounds::of(other, &other.pose()).overlaps(&around) {
                let poses = [body.pose(), other.pose()];
                let (of, with) = (body.geometry(), other.geometry());
                let places = query::near(of, with, poses, distance, &mut memory);
                let name = self.slots.id(number);
                found.extend(places.unwrap_or_default().iter().map(|place| (name, *place)));
            }
        }
        found
    }
}
