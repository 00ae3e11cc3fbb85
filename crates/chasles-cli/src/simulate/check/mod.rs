//! Whether a simulation keeps its promise, asked by tests that know nothing of how it does.
//!
//! ```text
//! frame -> overlaps (what is where) -> depth (how deep)
//! report of a step -> sweep (what moved, looked at many times on its way)
//!                  -> thin (the same for bodies without faces, by exact contacts)
//!                  -> flutter (the same for sheets, by exact contacts)
//! ```

mod depth;
mod findings;
mod flutter;
mod gap;
mod inside;
mod pairs;
mod sweep;
mod thin;

use std::collections::BTreeMap;

use chasles::Pose;
use chasles::glam::DVec3;
use chasles_dynamics::{Body, Report, World};

pub use findings::{Findings, LeftOut, Overlap};
pub use gap::smallest_gap;
use pairs::{around, pass_each_other, should_be_apart};

/// Looks at one world as it goes on.
#[derive(Debug, Default)]
pub struct Inspector {
    looks: sweep::Looks,
    solids: depth::Solids,
    flutter: flutter::Flutter,
    /// How deep pairs that are left out were in each other.
    left_out: BTreeMap<[usize; 2], f64>,
    /// The same of pairs of which neither gives way.
    passing: BTreeMap<[usize; 2], f64>,
    findings: Findings,
}

impl Inspector {
    /// Looks at the bodies and sheets of a world as they are.
    ///
    /// *Guarantees* to find what [`chasles::query::overlaps`] finds. *Cost* a box test for each
    /// pair of bodies, a query for each whose boxes overlap, and distances for each that does.
    /// *Fails* never; depths are those of closed bodies.
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
            if pass_each_other(world, pair) {
                let deepest = self.passing.entry(pair).or_default();
                *deepest = deepest.max(depth);
                return;
            }
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
        let crossings = sweep::crossings(world, report, &mut self.looks);
        let (passing, crossings): (Vec<_>, Vec<_>) =
            crossings.into_iter().partition(|pair| pass_each_other(world, pair.bodies));
        for pair in passing {
            self.passing.entry(pair.bodies).or_default();
        }
        self.findings.crossings.extend(crossings);
        self.findings.crossings.extend(self.flutter.crossings(world, report));
        self.findings.steps += 1;
    }

    /// What was found.
    pub fn into_findings(self) -> Findings {
        let [left_out, passing] = [self.left_out, self.passing].map(|pairs| {
            pairs.into_iter().map(|(bodies, depth)| LeftOut { bodies, depth }).collect()
        });
        Findings { left_out, passing, ..self.findings }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chasles::Collider;
    use chasles::mesh::shapes::{Cuboid, Shape};
    use chasles_dynamics::Options;
    use chasles_dynamics::world::Route;

    use super::*;

    /// What is found of a plank on a route that goes through a wall within some steps.
    fn through_a_wall(options: Options, steps: u32) -> Findings {
        let mut world = World::new(options);
        let cube = Shape::Box(Cuboid { size: [1.0; 3] }).build().expect("a box");
        let cube = Arc::new(Collider::new(cube));
        world.add(Body::fixed(Arc::clone(&cube)));
        let start = Pose::from_position([-2.0, 0.0, 0.0]).expect("finite");
        let route = Route::twist(start, DVec3::X * 3.0, DVec3::ZERO).expect("a route");
        world.add(Body::kinematic(cube, route));
        world.record(true);
        let mut inspector = Inspector::default();
        for _ in 0..steps {
            let report = world.step(0.5).expect("apart at the start");
            inspector.follow(&world, &report);
            inspector.look(&world);
        }
        inspector.into_findings()
    }

    #[test]
    fn pairs_that_give_way_to_nobody_are_counted_apart() {
        // At -0.5 it is halfway in, and at 2.5 it has gone through.
        for steps in [1, 3] {
            let found = through_a_wall(Options::windows(), steps);
            assert!(found.overlaps.is_empty() && found.crossings.is_empty());
            assert_eq!((found.passing.len(), found.passing[0].bodies), (1, [0, 1]));
            assert!((found.passing[0].depth - 0.5).abs() < 1e-6, "{}", found.passing[0].depth);
            assert!(found.worst_depth < 1e-9);
        }
        assert_eq!(through_a_wall(Options::events(), 3).passing, []);
    }
}
