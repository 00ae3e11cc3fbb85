//! A vertex that passes a face: the distance of the segment that is its way, over a short time,
//! from the face; and where over the face it is.

use glam::DVec3;

use crate::bounds::Collider;
use crate::contact::locate::{Place, in_polygon};
use crate::contact::{Met, Pair};
use crate::screen::near::closest::{Closest, Passage, Sliding, is_before, rounding, search};
use crate::screen::near::over_edge::closest_on_segments;

/// So many seams are crossed at most on the way to the face that a vertex is over: it is a pixel
/// away.
const MOST_SEAMS: usize = 16;

/// A vertex and a face that it passes.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct VertexOverFace<'q> {
    pub(in crate::screen) passage: &'q Passage<'q>,
    /// The vertex, in the local coordinates of its body.
    pub(in crate::screen) vertex: DVec3,
    /// The other body, with the face.
    pub(in crate::screen) body: &'q Collider,
    pub(in crate::screen) face: u32,
}

impl<'q> VertexOverFace<'q> {
    /// Those of a pair; `None` if it is not a vertex and a face.
    pub(in crate::screen) fn of(
        Pair { met, a, b }: Pair,
        bodies: [&'q Collider; 2],
        passages: &'q [Passage<'q>; 2],
    ) -> Option<Self> {
        let (moving, vertex, face) = match met {
            Met::FaceVertex => (1, b, a),
            Met::VertexFace => (0, a, b),
            _ => return None,
        };
        let vertex = bodies[moving].local(vertex);
        Some(Self { passage: &passages[1 - moving], vertex, body: bodies[1 - moving], face })
    }

    /// The closest approach within a span, if it may be within `reach`.
    pub(in crate::screen) fn closest(&self, span: [f64; 2], reach: f64) -> Option<Closest> {
        search(span, reach, |middle, half, far| self.slide(middle, half, far), |_, _| 0.0)
    }

    /// The distance at a time.
    pub(in crate::screen) fn gap(&self, time: f64) -> f64 {
        self.slide(time, 0.0, f64::INFINITY).distance
    }

    #[inline]
    fn slide(&self, middle: f64, half: f64, far: f64) -> Sliding {
        let x = self.passage.point(self.vertex, middle);
        let velocity = self.passage.screw.flow(x);
        let error = self.passage.error(0.0, velocity, half);
        let way = [x - half * velocity, x + half * velocity];
        let (distance, f) = self.way_to_face(way, far + error);
        Sliding { distance, at: (2.0 * f - 1.0) * half, error }
    }

    #[inline]
    fn corner(&self, i: usize) -> DVec3 {
        self.body.local(self.body.mesh().face(self.face)[i])
    }

    fn height(&self, x: DVec3) -> f64 {
        self.body.mesh().normal(self.face).dot(x - self.body.face_local(self.face))
    }

    fn located(&self, x: DVec3, border: f64) -> Place {
        let normal = self.body.mesh().normal(self.face);
        let foot = x - self.height(x) * normal;
        let count = self.body.mesh().face(self.face).len();
        in_polygon(foot, normal, |i| self.corner(i), count, border)
    }

    /// The distance of a way from the face and the first such place on the way, as a fraction; of
    /// ways farther than `far` something above that.
    fn way_to_face(&self, way: [DVec3; 2], far: f64) -> (f64, f64) {
        let [p, q] = way;
        let slack = rounding(far);
        let heights = way.map(|x| self.height(x));
        let [least, most] = {
            let [p, q] = heights.map(f64::abs);
            [p.min(q), p.max(q)]
        };
        let crosses = (heights[0] < 0.0) != (heights[1] < 0.0) && most > slack;
        if !crosses && least > far {
            return (least, 0.5);
        }
        if crosses {
            let f = heights[0] / (heights[0] - heights[1]);
            if self.located(p.lerp(q, f), 0.0) != Place::Outside {
                return (0.0, f);
            }
        }
        let mut best = (f64::INFINITY, 0.5);
        for (i, end) in way.into_iter().enumerate() {
            let there = (heights[i].abs(), i as f64);
            if is_before(there, best, slack) && self.located(end, 0.0) != Place::Outside {
                best = there;
            }
        }
        let count = self.body.mesh().face(self.face).len();
        for i in 0..count {
            let side = [self.corner(i), self.corner((i + 1) % count)];
            let ([f, _], distance) = closest_on_segments(way, side);
            if is_before((distance, f), best, slack) {
                best = (distance, f);
            }
        }
        best
    }

    /// Where the vertex is at a time, and over which face: at the border within `near` of it or
    /// beyond it. A border that is a seam within a plane is none: above it, within `seam`, the
    /// first of the faces there has the vertex, and beyond it the face that it is over, which is as
    /// near, or nearer.
    pub(in crate::screen) fn place(&self, time: f64, [near, seam]: [f64; 2]) -> (u32, Place) {
        let x = self.passage.point(self.vertex, time);
        let mut over = *self;
        for _ in 0..MOST_SEAMS {
            let located = over.located(x, near);
            let place = if located == Place::Outside { over.on_border(x, near) } else { located };
            if over.is_feature(place) {
                return (over.face, place);
            }
            match over.located(x, seam) {
                Place::Inside => return (over.face, Place::Inside),
                Place::Outside => {}
                place => {
                    let first = over.faces_at(place).min().unwrap_or(over.face);
                    return (first, Place::Inside);
                }
            }
            let is_over =
                |face: &u32| Self { face: *face, ..over }.located(x, seam) != Place::Outside;
            let mut others = over.faces_at(place).filter(|face| *face != over.face);
            let next = others.clone().find(is_over).or_else(|| others.next());
            over.face = next.unwrap_or(over.face);
        }
        (self.face, Place::Inside)
    }

    /// The faces at an edge or a corner of the face.
    fn faces_at(&self, place: Place) -> impl Iterator<Item = u32> + Clone + use<'q> {
        let mesh = self.body.mesh();
        let (sides, around): (&[_], &[u32]) = match place {
            Place::Edge(i) => (mesh.edge_sides(mesh.face_edges(self.face)[i]), &[]),
            Place::Corner(i) => (&[], mesh.vertex_faces(mesh.face(self.face)[i])),
            Place::Inside | Place::Outside => (&[], &[]),
        };
        sides.iter().map(|side| side.face).chain(around.iter().copied())
    }

    /// Whether a place is in the face, or at an edge or a vertex that is not within a plane.
    fn is_feature(&self, place: Place) -> bool {
        let mesh = self.body.mesh();
        match place {
            Place::Edge(i) => self.body.is_ridge(mesh.face_edges(self.face)[i]),
            Place::Corner(i) => self.body.is_corner(mesh.face(self.face)[i]),
            Place::Inside | Place::Outside => true,
        }
    }

    /// The place of the border that is closest to a point.
    fn on_border(&self, x: DVec3, near: f64) -> Place {
        let count = self.body.mesh().face(self.face).len();
        let mut best = (f64::INFINITY, Place::Outside);
        for i in 0..count {
            let next = (i + 1) % count;
            let side = [self.corner(i), self.corner(next)];
            let ([_, f], distance) = closest_on_segments([x; 2], side);
            if distance < best.0 {
                let length = side[0].distance(side[1]);
                let place = match f {
                    _ if f * length <= near && f <= 0.5 => Place::Corner(i),
                    _ if (1.0 - f) * length <= near => Place::Corner(next),
                    _ => Place::Edge(i),
                };
                best = (distance, place);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Polygons, Polyhedron};
    use crate::motion::Screw;
    use crate::numeric::Helix;
    use glam::DMat3;

    #[test]
    fn bounds_of_passing_vertices_hold_and_are_sharp() {
        let square = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
        let mesh = Polyhedron::new(&Polygons::new(square, [[0, 1, 2, 3]])).expect("a square");
        let body = &Collider::new(mesh);
        let mut sharp = 0;
        for seed in 0..4000 {
            let number = |i: u32| (1.7 * f64::from(seed) + 2.3 * f64::from(i * i)).sin();
            let vector = |i: u32| DVec3::new(number(i), number(i + 10), number(i + 20));
            let screw = Screw::from_valid(2.0 * vector(0), vector(1));
            let helix = Helix::new(screw.angle());
            let offset = vector(2);
            let passage = &Passage { screw, helix: &helix, turned: DMat3::IDENTITY, offset };
            let over = VertexOverFace { passage, vertex: vector(3), body, face: 0 };
            let [middle, half] = [0.5, [0.5, 0.1, 0.01][seed as usize % 3]];
            let Sliding { distance, error, .. } = over.slide(middle, half, f64::INFINITY);
            let times = (0..=200).map(|i| middle + half * (0.01 * f64::from(i) - 1.0));
            let least = times.map(|time| over.gap(time)).fold(f64::INFINITY, f64::min);
            assert!(distance - error <= least + 1e-12, "{seed}: {distance} - {error} > {least}");
            sharp += u32::from(distance - error > 0.9 * least);
        }
        assert!(sharp > 1000, "{sharp}");
    }
}
