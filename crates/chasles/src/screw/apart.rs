//! Whether parts of two bodies stay apart, where the bounds of the chart are too coarse to tell.
//!
//! Bounds are singles in units of the reach of a query. Beside a vertex that is a hundred thousand
//! times as far away as the body is large, all features of the body have nearly the same bounds,
//! and every pair would be looked at. There a node of each tree is also taken as a ball, in
//! doubles: on a screw each point has a constant speed, so the centres come no closer than that
//! speed allows, and from both ends of the step the time is passed in which they cannot meet.

use glam::DVec3;

use super::body::Body;
use super::relative::{Relative, WIDE};
use crate::bounds::Collider;
use crate::motion::Screw;
use crate::numeric::Helix;

/// Bounds are coarse where typical leaves are this small a part of the reach: singles have a digit
/// left for them.
const COARSE: f64 = 1e-5;

/// Times are passed in so many steps from each end at most; any number is safe, and balls that do
/// not come near each other need few.
const STEPS: u32 = 16;

/// The motion of B's balls past those of A, in A's local coordinates.
#[derive(Clone, Debug)]
pub(super) struct Apart {
    helix: Helix,
    screw: Screw,
    angle: f64,
    /// Twice what counts as touching.
    rounding: f64,
}

impl Apart {
    /// The test, if the bounds of the chart are coarse for one of the bodies.
    pub(super) fn where_bounds_are_coarse(a: &Body<'_>, b: &Body<'_>) -> Option<Self> {
        let Relative { helix, screw, angle, reach, tolerance, .. } = a.relative;
        let is_coarse = |body: &Collider| body.leaf_radius() < COARSE * reach;
        (is_coarse(a.collider) || is_coarse(b.collider)).then(|| Self {
            helix: *helix,
            screw: *screw,
            angle: *angle,
            rounding: 2.0 * tolerance,
        })
    }

    /// Whether two nodes of the trees of A and B cannot touch.
    pub(super) fn holds(&self, [a, b]: [&Body<'_>; 2], [i, j]: [u32; 2]) -> bool {
        let (centre, radius) = a.ball(i);
        let (from, other) = b.ball(j);
        let path = self.screw.spread(from, 1.0);
        let speed = path[1].length();
        // Times are uncertain by up to `WIDE` where features graze each other.
        let near = radius + other + self.rounding + WIDE * (speed + self.angle * other);
        self.stays_apart((centre, near), &path, speed)
    }

    /// Whether a path stays outside a ball.
    fn stays_apart(&self, (centre, near): (DVec3, f64), path: &[DVec3; 4], speed: f64) -> bool {
        let spare = |t: f64| self.helix.at(t).along(path).distance(centre) - near;
        let [mut from, mut to] = [0.0, 1.0];
        for _ in 0..STEPS {
            let [before, after] = [spare(from), spare(to)];
            if before <= 0.0 && after <= 0.0 {
                return false;
            }
            from += before.max(0.0) / speed;
            to -= after.max(0.0) / speed;
            if from > to {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::body::{Cull, Who};
    use super::super::cache::Cache;
    use super::super::pairs::Candidates;
    use super::*;
    use crate::bounds::Chart;
    use crate::mesh::shapes::{Shape, Torus};
    use crate::mesh::{Polygons, Polyhedron};
    use crate::motion::{Motion, Pose, Step};

    fn torus() -> Polygons {
        let torus = Torus { segments: [40, 30], ..Torus::default() };
        Shape::Torus(torus).polygons().expect("a torus")
    }

    /// A torus that falls through another, and turns by this angle.
    fn step(angle: f64) -> Step {
        let turn = glam::DQuat::from_axis_angle(glam::DVec3::X, angle);
        let start = Pose::from_position([0.3, 2.0, 0.1]).expect("finite");
        let end = Pose::new([0.3, -2.0, 0.1], turn).expect("finite");
        Step::new(Motion::still(Pose::IDENTITY), Motion::between(start, end))
    }

    /// How many pairs of features are looked at, and of how many.
    fn pairs(a: &Collider, b: &Collider, step: &Step) -> [usize; 2] {
        let relative = Relative::new(&step.part(0), a, b);
        let chart = Chart::new(&relative.screw, a.radius(), relative.reach);
        let cull = Cull { facing: false, min_properness: -1.0 };
        let [mut of_a, mut of_b] = [Cache::default(), Cache::default()];
        let mut a = Body::new(a, (&relative, &chart), Who::A, cull, &mut of_a);
        let mut b = Body::new(b, (&relative, &chart), Who::B, cull, &mut of_b);
        let mut candidates = Candidates::default();
        candidates.begin(&mut a, &mut b, &chart);
        let mut found = 0;
        loop {
            let is_last = candidates.find(&mut a, &mut b, &chart);
            found += candidates.fv.len() + candidates.vf.len() + candidates.ee.len();
            if is_last {
                break;
            }
        }
        let [p, q] = [a.collider.mesh(), b.collider.mesh()];
        let vertices = p.face_count() * q.vertex_count() + p.vertex_count() * q.face_count();
        [found, vertices + p.edge_count() * q.edge_count()]
    }

    #[test]
    fn few_pairs_are_looked_at_beside_vertices_far_away() {
        for far in [&[427_411.0][..], &[-1e9], &[1e6, -2e6, 3e6, -4e6, 5e6]] {
            let mut mesh = torus();
            far.iter().enumerate().for_each(|(i, &x)| mesh.vertices[7 * i].x = x);
            let [a, b] =
                [&mesh, &torus()].map(|mesh| Collider::new(Polyhedron::new(mesh).expect("a mesh")));
            for angle in [0.0, 0.6, 3.0] {
                let [found, all] = pairs(&a, &b, &step(angle));
                assert!(found < all / 5, "{far:?}, {angle}: {found} of {all}");
                let [found, all] = pairs(&b, &a, &step(angle));
                assert!(found < all / 5, "{far:?}, {angle}: {found} of {all}");
            }
        }
    }
}
