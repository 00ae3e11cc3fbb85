//! Questions about where bodies are, between steps: rays, casts, overlaps, boxes and near places.
//!
//! All of them look at the bodies that a [tree](super::tree) of boxes shows, and ask the exact
//! method about these.

use chasles::query::{self, Geometry, Near, Overlap, Workspace};
use chasles::{Motion, Polygons, Polyhedron, Pose, Screw, Step};
use glam::DVec3;

use super::broad::Bounds;
use super::{Body, BodyId, Shape, World};

/// What a ray or a shape strikes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// The body that is struck.
    pub body: BodyId,
    /// After which share of the way; 0 if the shape overlaps the body at the start.
    pub share: f64,
    /// Where.
    pub point: DVec3,
    /// Unit, from the surface towards where the ray comes from; of a shape, towards the shape. Zero
    /// if the shape overlaps the body at the start.
    pub normal: DVec3,
}

/// The older name of [`CastHit`].
#[deprecated(note = "it is `CastHit`")]
pub type Struck = CastHit;

/// Boxes for rays are larger by this share of their coordinates, far above rounding.
const MARGIN: f64 = 1e-9;

impl World {
    /// The first surface on the way from a point to another: a ray is the motion of a point, and
    /// the exact method finds what that touches.
    ///
    /// *Accepts* any two points whose coordinates a pose may have. *Guarantees* the first body to
    /// 1e-14 of the size of the scene; of several at the same place the one that was added first.
    /// *Cost* logarithmic in the bodies, and a query for each that the way comes near before it
    /// strikes. *Fails* never: nothing is struck by a ray of no length or from points that are not
    /// finite. Intangible bodies and sensors are passed.
    pub fn ray(&self, from: DVec3, to: DVec3) -> Option<CastHit> {
        self.ray_where(from, to, |_| true)
    }

    /// The same for bodies that a function admits.
    ///
    /// ```
    /// use chasles_dynamics::world::{Body, Options, Shape, World};
    /// use glam::DVec3;
    /// let mut world = World::new(Options::default());
    /// let [near, far] = [2.0, 4.0].map(|x| {
    ///     let pose = chasles::Pose::from_position([x, 0.0, 0.0]).expect("finite");
    ///     world.add(Body::fixed(Shape::sphere(0.5).expect("a ball")).at(pose))
    /// });
    /// let struck = world.ray_where(DVec3::ZERO, DVec3::X * 8.0, |body| body != near);
    /// assert!(struck.is_some_and(|struck| struck.body == far));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray_where(
        &self,
        from: DVec3,
        to: DVec3,
        admits: impl Fn(BodyId) -> bool,
    ) -> Option<CastHit> {
        let point = Polygons { vertices: vec![DVec3::ZERO], ..Polygons::default() };
        let point = Geometry::mesh(Polyhedron::new(&point).ok()?);
        let ends = [Pose::from_position(from).ok()?, Pose::from_position(to).ok()?];
        // Surfaces are struck from either side.
        let options = query::Options::all();
        let mut memory = Workspace::new();
        let mut first: Option<CastHit> = None;
        for (entry, slot) in self.on_the_way(from, to) {
            if first.is_some_and(|first| first.share < entry) {
                break;
            }
            let body = &self.bodies[slot];
            if !admits(self.slots.id(slot)) {
                continue;
            }
            let step = Step::new(Motion::still(body.pose()), Motion::between(ends[0], ends[1]));
            let contact =
                query::first_contact(body.geometry(), &point, &step, &options, &mut memory);
            let Ok(Some(contact)) = contact else { continue };
            let sign = if contact.normal.dot(to - from) > 0.0 { -1.0 } else { 1.0 };
            let (share, point, normal) = (contact.time, contact.point, sign * contact.normal);
            let struck = CastHit { body: self.slots.id(slot), share, point, normal };
            first = Some(first.map_or(struck, |first| earlier(first, struck)));
        }
        first
    }

    /// The tangible bodies whose boxes a way goes through, with the share of it at which it enters
    /// them, the earliest first.
    fn on_the_way(&self, from: DVec3, to: DVec3) -> Vec<(f64, usize)> {
        let entry = |bounds: &Bounds| entry(&bounds.grown(MARGIN * bounds.size()), from, to);
        let slots = self.tree.find(|bounds| entry(bounds).is_some());
        let solid = slots.into_iter().filter(|&slot| !self.bodies[slot].is_intangible);
        let own = |slot: usize| Bounds::of(&self.bodies[slot], &self.bodies[slot].pose());
        let mut found: Vec<(f64, usize)> =
            solid.filter_map(|slot| Some((entry(&own(slot))?, slot))).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found
    }

    /// What a shape strikes first that goes from one pose to another on the screw between them.
    ///
    /// *Accepts* any shape and poses. *Guarantees* the first body that it touches on the way, or
    /// one that it overlaps at the start, after no share of it; of several at once the one in the
    /// lowest place. Intangible bodies and sensors are passed. *Cost* logarithmic in the bodies,
    /// and a query for each whose box is near the way. *Fails* never: pairs that no method answers
    /// are passed.
    ///
    /// ```
    /// use chasles::Pose;
    /// use chasles_dynamics::world::{Body, Options, Shape, World};
    /// let mut world = World::new(Options::default());
    /// let ball = Shape::sphere(0.5)?;
    /// let wall = world.add(Body::fixed(ball.clone()).at(Pose::from_position([3.0, 0.0, 0.0])?));
    /// let there = Pose::from_position([4.0, 0.0, 0.0])?;
    /// let struck = world.cast(&ball, [Pose::IDENTITY, there]).expect("it is in the way");
    /// assert!(struck.body == wall && (struck.share - 0.5).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast(&self, shape: &Shape, poses: [Pose; 2]) -> Option<CastHit> {
        self.cast_where(shape, poses, |_| true)
    }

    /// The same for bodies that a function admits.
    pub fn cast_where(
        &self,
        shape: &Shape,
        [from, to]: [Pose; 2],
        admits: impl Fn(BodyId) -> bool,
    ) -> Option<CastHit> {
        let options = query::Options::default();
        let mut memory = Workspace::new();
        let mut first: Option<CastHit> = None;
        for slot in self.reaching(&around_way(shape, &from, &to)) {
            let (id, body) = (self.slots.id(slot), &self.bodies[slot]);
            if body.is_intangible || !admits(id) {
                continue;
            }
            let step = Step::new(Motion::still(body.pose()), Motion::between(from, to));
            let outcome =
                query::outcome(body.geometry(), shape.geometry(), &step, &options, &mut memory);
            let struck = match outcome {
                Ok(query::Outcome::Hit(contact)) => {
                    let (share, point, normal) = (contact.time, contact.point, contact.normal);
                    CastHit { body: id, share, point, normal }
                }
                Ok(query::Outcome::StartsOverlapping(_)) => {
                    let point = from.position();
                    CastHit { body: id, share: 0.0, point, normal: DVec3::ZERO }
                }
                _ => continue,
            };
            first = Some(first.map_or(struck, |first| earlier(first, struck)));
        }
        first
    }

    /// The bodies that a shape at a pose overlaps, in the order of their places.
    ///
    /// *Accepts* any shape and pose. *Guarantees* what [`chasles::query::overlaps`] says; sensors
    /// and other intangible bodies are left out. *Cost* logarithmic in the bodies, and a query for
    /// each whose box overlaps that of the shape. *Fails* never.
    pub fn overlaps(&self, shape: &Shape, pose: Pose) -> Vec<BodyId> {
        let mut memory = Workspace::new();
        let mut found = self.reaching(&Bounds::of_box(shape.bounds(), &pose));
        found.retain(|&slot| {
            let body = &self.bodies[slot];
            let (of, with) = (body.geometry(), shape.geometry());
            !body.is_intangible
                && query::overlaps(of, with, [body.pose(), pose], &mut memory)
                    .is_ok_and(Overlap::is_overlapping)
        });
        found.into_iter().map(|slot| self.slots.id(slot)).collect()
    }

    /// The slots of bodies whose boxes reach into a box, in order.
    pub(super) fn reaching(&self, asked: &Bounds) -> Vec<usize> {
        let mut found = self.tree.find(|bounds| bounds.overlaps(asked));
        let own = |slot: usize| Bounds::of(&self.bodies[slot], &self.bodies[slot].pose());
        found.retain(|&slot| own(slot).overlaps(asked));
        found
    }

    /// The bodies whose boxes, along the axes of the world, reach into a box.
    ///
    /// *Accepts* any corners, the lower one first. *Guarantees* no body too few, in the order of
    /// their places; intangible ones are left out. *Cost* logarithmic in the bodies, and linear in
    /// the answer. *Fails* never.
    pub fn within(&self, low: DVec3, high: DVec3) -> Vec<BodyId> {
        let found = self.reaching(&Bounds { low, high }).into_iter();
        let solid = found.filter(|&slot| !self.bodies[slot].is_intangible);
        solid.map(|slot| self.slots.id(slot)).collect()
    }

    /// Where a body is near others: all places of theirs within a distance, with the other body.
    ///
    /// *Accepts* a distance of 0 or more; bodies that rest on each other are [`Options::zone`] of
    /// the smaller body apart. *Guarantees* the places that [`chasles::query::near`] finds, with
    /// this body first, in the order of the others that it collides with. *Cost* logarithmic in the
    /// bodies, and a query for each that is near. *Fails* never: nothing is near a body that is not
    /// there.
    ///
    /// [`Options::zone`]: super::Options::zone
    pub fn near(&self, id: BodyId, distance: f64) -> Vec<(BodyId, Near)> {
        let Some(slot) = self.slots.slot(id) else { return Vec::new() };
        let body = &self.bodies[slot];
        let around = Bounds::of(body, &body.pose()).grown(distance);
        let mut memory = Workspace::new();
        let mut found = Vec::new();
        for number in self.reaching(&around) {
            let other = &self.bodies[number];
            if number != slot && self.meet([slot.min(number), slot.max(number)]) {
                let poses = [body.pose(), other.pose()];
                let (of, with) = (body.geometry(), other.geometry());
                let places = query::near(of, with, poses, distance, &mut memory);
                let name = self.slots.id(number);
                found.extend(places.unwrap_or_default().iter().map(|place| (name, *place)));
            }
        }
        found
    }

    /// Takes down where all bodies are after a step; static ones are where they were put.
    pub(super) fn keep_moved(&mut self) {
        for (slot, body) in self.bodies.iter().enumerate().filter(|(_, body)| body.is_movable()) {
            self.tree.put(slot, &Bounds::of(body, &body.pose()));
        }
        self.tree.tidy();
    }

    /// Takes down anew where all bodies are.
    pub(super) fn keep_all(&mut self) {
        self.tree.clear();
        (0..self.bodies.len()).filter(|&slot| self.slots.is_taken(slot)).for_each(|slot| {
            let body = &self.bodies[slot];
            self.tree.put(slot, &Bounds::of(body, &body.pose()));
        });
        self.tree.tidy();
    }

    /// Takes down where a body is.
    pub(super) fn keep(&mut self, slot: usize) {
        let body: &Body = &self.bodies[slot];
        self.tree.put(slot, &Bounds::of(body, &body.pose()));
    }
}

/// The earlier of two; of those at one time the one in the lower place.
fn earlier(a: CastHit, b: CastHit) -> CastHit {
    let is_second = b.share.total_cmp(&a.share).then(b.body.index().cmp(&a.body.index())).is_lt();
    if is_second { b } else { a }
}

/// The share of a way from a point to another at which it enters a box; none if it does not.
fn entry(bounds: &Bounds, from: DVec3, to: DVec3) -> Option<f64> {
    let [mut enters, mut leaves] = [0.0_f64, 1.0_f64];
    for axis in 0..3 {
        let (start, way) = (from[axis], to[axis] - from[axis]);
        let [low, high] = [bounds.low[axis], bounds.high[axis]];
        if way == 0.0 {
            if !(low..=high).contains(&start) {
                return None;
            }
            continue;
        }
        let [a, b] = [(low - start) / way, (high - start) / way];
        enters = enters.max(a.min(b));
        leaves = leaves.min(a.max(b));
    }
    (enters <= leaves).then_some(enters)
}

/// A box around all that a shape passes on the screw between two poses.
fn around_way(shape: &Shape, from: &Pose, to: &Pose) -> Bounds {
    let ends = [from, to].map(|pose| Bounds::of_box(shape.bounds(), pose));
    let [low, high] = shape.bounds();
    let radius = low.abs().max(high.abs()).length();
    let turn = Screw::between(from, to).angle().min(std::f64::consts::PI);
    let way = from.position().distance(to.position());
    ends[0].join(&ends[1]).grown((radius + way) * turn)
}
