//! One part of a step with two round bodies.
//!
//! Spheres and capsules touch where their cores come as near as the sum of their radii: A's core is
//! a vertex or an edge, against which B is taken with both radii, so the gaps are those of
//! polyhedra. With a cylinder, a cone or an ellipsoid, which have no closed form against others,
//! convexity decides (meet.rs).

use glam::DVec3;

use super::body::{Kind, Round};
use super::features::Feature;
use super::find::{SHORT, SLOW, Touch, Wanted, in_part};
use super::gaps::{Gap, Part, Place};
use super::locate::{Located, located, tolerance_at};
use super::meet::meetings;
use super::motion::Motion;
use super::solve::all_roots;
use super::spot::Corners;

/// A feature of A's core, and one of B.
type Cores = (Part, Place, Part);

/// Two round bodies; A in its own frame but for its centre, which is the origin.
pub(super) struct Pair<'p> {
    pub(super) a: Round,
    pub(super) motion: &'p Motion,
    /// A's centre.
    pub(super) pivot: DVec3,
}

impl Pair<'_> {
    /// Finds all touches of a part.
    pub(super) fn run(&self, mut wanted: Wanted, touches: &mut Vec<Touch>) {
        let window = self.motion.window(DVec3::ZERO, self.a.reach(), [0.0, wanted.latest]);
        if window[0] > window[1] {
            return;
        }
        if window[1] - window[0] < SHORT {
            let motion = &self.motion.during(window);
            Pair { motion, ..*self }.find([0.0, 1.0], window, &mut wanted, touches);
        } else {
            self.find(window, [0.0, 1.0], &mut wanted, touches);
        }
    }

    /// Finds the touches in a window of the motion, which is the part of a part given.
    fn find(
        &self,
        window: [f64; 2],
        during: [f64; 2],
        wanted: &mut Wanted,
        touches: &mut Vec<Touch>,
    ) {
        let slow = SLOW * self.motion.reach;
        let mut keep = |touch: Touch| {
            let touch = in_part(touch, during);
            let point = touch.point + self.pivot;
            wanted.keep(Touch { point, ..touch }, slow, touches);
        };
        let kinds = [self.a.kind, self.motion.body.kind];
        if !kinds.iter().all(|kind| kind.has_core()) {
            meetings(&self.a, self.motion, window, keep);
            return;
        }
        for (part_a, place) in self.cores() {
            let parts: &[Part] = match self.motion.body.kind {
                Kind::Sphere => &[Part::End(-1.0)],
                _ => &[Part::End(-1.0), Part::End(1.0), Part::Side],
            };
            for &part in parts {
                self.roots((part_a, place, part), window, &mut keep);
            }
        }
    }

    /// The features of A's core.
    fn cores(&self) -> impl Iterator<Item = (Part, Place)> {
        let a = self.a;
        let end = move |sign: f64| (Part::End(sign), Place::Vertex(a.end(sign)));
        let side = (Part::Side, Place::Edge(a.centre, a.axis, a.half));
        let count = if a.kind == Kind::Sphere { 1 } else { 3 };
        [end(-1.0), end(1.0), side].into_iter().take(count)
    }

    fn roots(&self, (part_a, place, part): Cores, window: [f64; 2], keep: &mut impl FnMut(Touch)) {
        let radius = self.a.radius + self.motion.body.radius;
        let gap = Gap { motion: self.motion, place, part, radius };
        let corners = Corners { positions: &[], corners: &[] };
        all_roots(&gap, window, |root| {
            if let Some(located) = located(&gap, root, &corners)
                && let Some(touch) = self.touch(part_a, &located)
            {
                keep(touch);
            }
        });
    }

    /// The touch, unless the end of A's core is not the point of it that is nearest to B.
    fn touch(&self, part_a: Part, located: &Located) -> Option<Touch> {
        let Located { root, until, spot } = located;
        let tolerance = tolerance_at(self.motion, root);
        let mut is_border = spot.is_border;
        if let (Part::End(sign), Kind::Capsule) = (part_a, self.a.kind) {
            let reach = self.a.radius + self.motion.body.radius;
            let beyond = sign * reach * spot.normal.dot(self.a.axis);
            if beyond < -tolerance {
                return None;
            }
            is_border |= beyond <= tolerance;
        }
        let point = spot.point + self.a.radius * spot.normal;
        Some(Touch {
            a: Feature::of(part_a),
            b: Feature::of(spot.part),
            time: root.time,
            bracket: root.bracket,
            grazing: root.grazing,
            until: *until,
            point,
            normal: spot.normal,
            properness: 1.0,
            touchable: true,
            normal_speed: spot.normal.dot(self.motion.flow(point)),
            is_border,
            slack: 4.0 * tolerance,
        })
    }
}
