//! Whether a simulation keeps its promise, asked by tests that know nothing of how it does.
//!
//! ```text
//! frame -> overlaps (what is where) -> depth (how deep)
//! report of a step -> sweep (what moved, looked at many times on its way)
//!                  -> thin (the same for bodies without faces, by exact contacts)
//!                  -> flutter (the same for sheets, by exact contacts)
//! ```

mod depth;
mod flutter;
mod gap;
mod inside;
mod sweep;
mod thin;

use std::collections::BTreeMap;

use chasles::Pose;
use chasles::glam::DVec3;
use chasles_dynamics::world::Kind;
use chasles_dynamics::{Body, BodyId, Report, World};

pub use gap::smallest_gap;

/// Two bodies in each other at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// In seconds.
    pub time: f64,
    /// Their numbers.
    pub bodies: [usize; 2],
}

/// Two bodies that were not sought in each other, since the scene lets them pass through each
/// other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftOut {
    /// Their numbers, the smaller first.
    pub bodies: [usize; 2],
    /// How deep they were in each other in a frame at most, in metres.
    pub depth: f64,
}

/// What was found in all frames and steps that were looked at; nothing, if all is well.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Bodies in each other in a frame.
    pub overlaps: Vec<Overlap>,
    /// Bodies in each other between two frames, once for each step.
    pub crossings: Vec<Overlap>,
    /// How deep the deepest of the overlaps is, in metres.
    pub worst_depth: f64,
    /// Pairs that may be in each other, in order: linked ones that overlap at the start, or whose
    /// joint says so. None of them is among the others.
    pub left_out: Vec<LeftOut>,
    /// How many frames were looked at.
    pub frames: u32,
    /// How many steps were followed from frame to frame.
    pub steps: u32,
}

/// Looks at one world as it goes on.
#[derive(Debug, Default)]
pub struct Inspector {
    looks: sweep::Looks,
    solids: depth::Solids,
    flutter: flutter::Flutter,
    /// How deep pairs that are left out were in each other.
    left_out: BTreeMap<[usize; 2], f64>,
    findings: Findings,
}

impl Inspector {
    /// Looks at the bodies and sheets of a world as they are.
    ///
    /// *Guarantees* to find what [`chasles::query::overlaps`] finds. *Cost* a box test for each pair
    /// of bodies, a query for each whose boxes overlap, and distances for each that does. *Fails*
    /// never; depths are those of closed bodies.
    pub fn look(&mut self, world: &World) {
        let poses: Vec<Pose> = world.bodies().iter().map(Body::pose).collect();
        self.look_at(world, &poses, world.time());
        self.findings.overlaps.extend(super::sheets::overlaps(world));
    }

    /// The same with the bodies at other poses, one for each.
    ///
    /// *Accepts* any poses. *Guarantees*, *Cost* and *Fails* as [`Inspector::look`].
    ///
    /// # Panics
    ///
    /// If there are fewer poses than bodies.
    pub fn look_at(&mut self, world: &World, poses: &[Pose], time: f64) {
        let bodies = world.bodies();
        let boxes: Vec<[DVec3; 2]> = bodies.iter().zip(poses).map(around).collect();
        for j in 0..bodies.len() {
            for i in 0..j {
                let [[low_a, high_a], [low_b, high_b]] = [boxes[i], boxes[j]];
                let may_meet = low_a.cmple(high_b).all() && low_b.cmple(high_a).all();
                if may_meet && should_be_apart(world, [i, j]) {
                    self.look_at_pair(world, [i, j], ([poses[i], poses[j]], time));
                }
            }
        }
        self.look_at_left_out(world, poses);
        self.findings.frames += 1;
    }

    /// How deep bodies are in each other that may be.
    fn look_at_left_out(&mut self, world: &World, poses: &[Pose]) {
        let bodies = world.bodies();
        for pair in world.ignored().map(|pair| pair.map(|body| body.0)) {
            if pair.iter().any(|&i| bodies[i].is_intangible()) {
                continue;
            }
            let both = pair.map(|i| &bodies[i]);
            let poses = pair.map(|i| poses[i]);
            let is_inside = self.looks.inside.are_in(both, poses);
            let colliders = both.map(Body::collider);
            let depth = if is_inside { self.solids.depth(colliders, pair, poses) } else { 0.0 };
            let deepest = self.left_out.entry(pair).or_default();
            *deepest = deepest.max(depth);
        }
    }

    fn look_at_pair(&mut self, world: &World, pair: [usize; 2], at: ([Pose; 2], f64)) {
        let (poses, time) = at;
        let both = pair.map(|i| &world.bodies()[i]);
        if self.looks.inside.are_in(both, poses) {
            let depth = self.solids.depth(both.map(Body::collider), pair, poses);
            self.findings.worst_depth = self.findings.worst_depth.max(depth);
            self.findings.overlaps.push(Overlap { time, bodies: pair });
        }
    }

    /// Looks at what the last step of a world moved, if that was [recorded](World::record).
    ///
    /// *Guarantees* to look at moments between which nothing moves by more than a tenth of the
    /// smaller of two bodies, as far as 4096 of them suffice for a part of the step; and to find
    /// every contact of a sheet with itself, with those before it and with bodies, and of bodies
    /// without faces. *Cost* a query for each moment and pair of bodies that come near each other,
    /// and one for each piece of a sheet's way. *Fails* to see what touches and parts between two
    /// moments.
    pub fn follow(&mut self, world: &World, report: &Report) {
        self.findings.crossings.extend(sweep::crossings(world, report, &mut self.looks));
        self.findings.crossings.extend(self.flutter.crossings(world, report));
        self.findings.steps += 1;
    }

    /// What was found.
    pub fn into_findings(self) -> Findings {
        let left_out = self.left_out.into_iter().map(|(bodies, depth)| LeftOut { bodies, depth });
        Findings { left_out: left_out.collect(), ..self.findings }
    }
}

/// Whether two bodies may not be in each other: they collide, and one of them is not fixed.
fn should_be_apart(world: &World, [i, j]: [usize; 2]) -> bool {
    let is_fixed = |i: usize| matches!(world.bodies()[i].kind(), Kind::Static);
    !(is_fixed(i) && is_fixed(j)) && world.collides(BodyId(i), BodyId(j))
}

/// The box around a body where it is.
fn around((body, pose): (&Body, &Pose)) -> [DVec3; 2] {
    let Some((core, radius)) = body.shape().geometry().core() else { return [DVec3::ZERO; 2] };
    let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    let corners = core.mesh().positions().iter().map(|&corner| pose.point(corner));
    let [low, high] = corners.fold(none, |[low, high], at| [low.min(at), high.max(at)]);
    [low - radius, high + radius]
}
