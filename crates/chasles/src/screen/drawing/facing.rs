//! Which parts of a surface face the motion [Buss04 §4.2].
//!
//! A point of a face is carried outward through its own surface where `n . flow(x) >= 0`: it faces
//! *forward*. `flow(x) = w x x + v`, so the value is linear on the face,
//!
//! ```text
//!   n . flow(x) = (n x w) . x + n . v            +--------+
//!                                                | for-  /|
//!   and its zero is a straight cut that          | ward / | backward
//!   splits the face in two                       +-----/--+
//! ```
//!
//! The value does not change with time. Bodies that start apart first touch with forward parts of B
//! and backward parts of A, so only these are drawn. The cut itself is an outline of the projected
//! face: the motion is tangent to the face there. A face without an outside is drawn whole, and
//! folded along its cut.

use glam::DVec3;

use crate::bounds::Collider;
use crate::motion::Screw;

/// How much of a face is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::screen) enum Class {
    /// Nothing: it faces away, or is out of the other body's reach.
    #[default]
    Away,
    /// All of it.
    Whole,
    /// The part on one side of the cut.
    Cut,
}

/// The facing value of a face as a linear function; drawn where it is not negative.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Slope {
    pub(in crate::screen) gradient: DVec3,
    constant: f64,
}

impl Slope {
    /// Of a face with this normal, under a screw given in the body's coordinates. `sign` is 1 for
    /// forward parts, -1 for backward ones.
    #[inline]
    pub(in crate::screen) fn new(normal: DVec3, screw: &Screw, sign: f64) -> Self {
        let normal = normal * sign;
        Self { gradient: normal.cross(screw.angular()), constant: normal.dot(screw.linear()) }
    }

    #[inline]
    pub(in crate::screen) fn at(&self, point: DVec3) -> f64 {
        self.gradient.dot(point) + self.constant
    }

    /// The part of an edge, as fractions, where the value is positive; `None` if nowhere.
    #[inline]
    pub(in crate::screen) fn part_of([p, q]: [f64; 2]) -> Option<[f64; 2]> {
        if p <= 0.0 && q <= 0.0 {
            return None;
        }
        let zero = p / (p - q);
        Some(match (p < 0.0, q < 0.0) {
            (true, _) => [zero, 1.0],
            (_, true) => [0.0, zero],
            _ => [0.0, 1.0],
        })
    }
}

/// Values smaller than this part of the speed are rounding: a face along which the motion slides
/// is drawn on neither side.
const NOISE: f64 = 1e-12;

/// The facing of the faces of one body.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Facing<'q> {
    pub(in crate::screen) collider: &'q Collider,
    /// In the body's local coordinates.
    pub(in crate::screen) screw: Screw,
    /// 1 draws forward parts, -1 backward ones.
    pub(in crate::screen) sign: f64,
    noise: f64,
}

impl<'q> Facing<'q> {
    pub(in crate::screen) fn new(collider: &'q Collider, screw: Screw, sign: f64) -> Self {
        let speed = screw.linear().length() + screw.angle() * collider.radius();
        Self { collider, screw, sign, noise: NOISE * speed }
    }

    #[inline]
    pub(in crate::screen) fn slope(&self, face: u32) -> Slope {
        Slope::new(self.collider.mesh().normal(face), &self.screw, self.sign)
    }

    /// How much of a face is drawn. Faces without an outside are drawn whole.
    #[inline]
    pub(in crate::screen) fn class(&self, face: u32) -> Class {
        let mesh = self.collider.mesh();
        if mesh.is_two_sided(face) {
            return Class::Whole;
        }
        let slope = self.slope(face);
        let corners = mesh.face(face);
        // All corners are within half the way around of the first, so most faces need no other.
        let first = slope.at(self.collider.local(corners[0]));
        let around = (corners.len() * corners.len()) as f64 * self.collider.face_length_sq(face);
        if first * first > 0.25 * around * slope.gradient.length_squared() {
            return match first {
                _ if first > self.noise => Class::Whole,
                _ => Class::Away,
            };
        }
        let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
        for &v in corners {
            let value = slope.at(self.collider.local(v));
            [low, high] = [low.min(value), high.max(value)];
        }
        if high <= self.noise {
            Class::Away
        } else if low >= -self.noise {
            Class::Whole
        } else {
            Class::Cut
        }
    }

    /// Whether a face without an outside faces forward in one part and backward in the other: on
    /// the screen it is folded along the cut.
    pub(in crate::screen) fn is_folded(&self, face: u32) -> bool {
        let mesh = self.collider.mesh();
        mesh.is_two_sided(face) && {
            let slope = self.slope(face);
            let value = |v: &u32| slope.at(self.collider.local(*v));
            let values = || mesh.face(face).iter().map(value);
            values().any(|value| value > self.noise) && values().any(|value| value < -self.noise)
        }
    }

    /// The facing values of a face at the ends of one of its edges.
    pub(in crate::screen) fn along(&self, face: u32, edge: u32) -> [f64; 2] {
        let slope = self.slope(face);
        self.collider.mesh().edge(edge).map(|v| slope.at(self.collider.local(v)))
    }

    /// Whether an edge is drawn within `reach` of a place on its line, both as fractions: a face
    /// beside it is, or there is none.
    pub(in crate::screen) fn draws(&self, edge: u32, place: f64, reach: f64) -> bool {
        let mesh = self.collider.mesh();
        let is_drawn = |face: u32| match self.class(face) {
            Class::Away => false,
            Class::Whole => true,
            Class::Cut => {
                let [p, q] = self.along(face, edge);
                p + place * (q - p) + reach * (q - p).abs() >= -self.noise
            }
        };
        let sides = mesh.edge_sides(edge);
        sides.is_empty() || sides.iter().any(|side| is_drawn(side.face))
    }

    /// Appends where the border of a face crosses its cut, in pairs: between the two of a pair the
    /// cut lies in the face.
    pub(in crate::screen) fn cut(&self, face: u32, crossings: &mut Vec<Crossing>) {
        crossings.clear();
        let mesh = self.collider.mesh();
        let slope = self.slope(face);
        let along = mesh.normal(face).cross(slope.gradient);
        let corners = mesh.face(face);
        for (i, &v) in corners.iter().enumerate() {
            let ends = [v, corners[(i + 1) % corners.len()]].map(|v| self.collider.local(v));
            let [p, q] = ends.map(|x| slope.at(x));
            if (p < 0.0) != (q < 0.0) {
                let point = ends[0].lerp(ends[1], p / (p - q));
                crossings.push(Crossing { order: along.dot(point), point });
            }
        }
        crossings.sort_unstable_by(|p, q| p.order.total_cmp(&q.order));
    }
}

/// A point where the border of a face crosses its cut.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Crossing {
    order: f64,
    pub(in crate::screen) point: DVec3,
}

/// The forward and the backward part of a face, as polygons in the body's frame; either may be
/// empty.
///
/// *Accepts* a face number of [`Collider::mesh`] and a screw in the body's frame. *Guarantees* that
/// both polygons run as the face does and together cover it. *Cost* linear in its corners. *Fails*
/// never; parts of a face that is not convex may hang together by edges along the cut.
///
/// ```
/// use chasles::{Collider, Polygons, Polyhedron, Screw, screen::facing_parts};
/// let square = [[1., 0., 0.], [3., 0., 0.], [3., 2., 0.], [1., 2., 0.]];
/// let body = Collider::new(Polyhedron::new(&Polygons::new(square, [[0, 1, 2, 3]]))?);
/// // A turn about the line x = 2 carries one half up and the other half down.
/// let turn = Screw::from_twist([0.0, 1.0, 0.0], [0.0, 0.0, 2.0])?;
/// let [forward, backward] = facing_parts(&body, 0, &turn);
/// assert!(forward.iter().all(|p| p.x <= 2.0) && backward.iter().all(|p| p.x >= 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn facing_parts(body: &Collider, face: u32, screw: &Screw) -> [Vec<DVec3>; 2] {
    let mesh = body.mesh();
    let slope = Slope::new(mesh.normal(face), screw, 1.0);
    let corners: Vec<DVec3> = mesh.face(face).iter().map(|&v| mesh.position(v)).collect();
    [1.0, -1.0].map(|sign| clipped(&corners, |p| sign * slope.at(p)))
}

/// The part of a polygon where a linear function is not negative.
pub(in crate::screen) fn clipped(corners: &[DVec3], value: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
    let mut kept = Vec::new();
    clip_into(corners, value, &mut kept);
    kept
}

/// As [`clipped`], into memory that is reused.
pub(in crate::screen) fn clip_into(
    corners: &[DVec3],
    value: impl Fn(DVec3) -> f64,
    kept: &mut Vec<DVec3>,
) {
    kept.clear();
    for (i, &p) in corners.iter().enumerate() {
        let q = corners[(i + 1) % corners.len()];
        let [at_p, at_q] = [value(p), value(q)];
        if at_p >= 0.0 {
            kept.push(p);
        }
        if (at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0) {
            kept.push(p.lerp(q, at_p / (at_p - at_q)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Polygons, Polyhedron};

    fn square_around_axis() -> Collider {
        let corners = [[1., 0., -1.], [1., 0., 1.], [1., 2., 1.], [1., 2., -1.]];
        Collider::new(Polyhedron::new(&Polygons::new(corners, [[0, 3, 2, 1]])).unwrap())
    }

    #[test]
    fn a_wall_beside_the_axis_is_half_forward_and_half_backward() {
        let body = square_around_axis();
        let screw = Screw::from_twist([0.0, 0.7, 0.0], DVec3::ZERO).unwrap();
        let parts = facing_parts(&body, 0, &screw);
        for part in &parts {
            assert_eq!(part.len(), 4);
        }
        // About +y the point (1, y, z) moves by (z, 0, -1): outward along +-x where z has its sign.
        let outward = body.mesh().normal(0).x;
        assert!(parts[0].iter().all(|p| p.z * outward >= 0.0), "{parts:?}");
        assert!(parts[1].iter().all(|p| p.z * outward <= 0.0), "{parts:?}");
    }

    /// The square as the end of a block.
    fn block_beside_axis() -> Collider {
        let near = [[1., 0., -1.], [1., 0., 1.], [1., 2., 1.], [1., 2., -1.]];
        let far = near.map(|[_, y, z]: [f64; 3]| [3., y, z]);
        let sides = [[0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]];
        let faces = [[0, 1, 2, 3], [7, 6, 5, 4]].into_iter().chain(sides);
        let corners = near.into_iter().chain(far);
        Collider::new(Polyhedron::new(&Polygons::new(corners, faces)).unwrap())
    }

    #[test]
    fn an_edge_is_drawn_where_a_face_beside_it_is() {
        let body = block_beside_axis();
        let screw =
            Screw::from_twist([0.0, 0.7, 0.0], DVec3::ZERO).unwrap().seen_from(body.pivot());
        let facing = Facing::new(&body, screw, 1.0);
        let mut across = 0;
        for edge in 0..body.mesh().edge_count() as u32 {
            let [p, q] = body.mesh().edge(edge).map(|v| body.mesh().position(v));
            if [p.x, q.x] != [1.0; 2] || p.z == q.z {
                continue;
            }
            // The end goes outward, to -x, where z is below 0. Along the other face beside the edge
            // the motion slides, and that counts on neither side.
            for place in [0.1, 0.4, 0.6, 0.9] {
                let is_forward = p.lerp(q, place).z < 0.0;
                assert_eq!(facing.draws(edge, place, 0.0), is_forward, "{edge} {place}");
            }
            assert!(facing.draws(edge, 0.4, 0.15) && facing.draws(edge, 0.6, 0.15));
            across += 1;
        }
        assert_eq!(across, 2);
    }

    #[test]
    fn gliding_along_the_axis_moves_the_cut_away() {
        let body = square_around_axis();
        let outward = body.mesh().normal(0);
        let screw = Screw::from_twist([0.0, 0.7, 0.0], outward * 5.0).unwrap();
        let [forward, backward] = facing_parts(&body, 0, &screw);
        assert_eq!((forward.len(), backward.len()), (4, 0));
    }

    #[test]
    fn an_edge_between_two_cut_faces_has_three_parts() {
        let parts = [Slope::part_of([1.0, -3.0]), Slope::part_of([-1.0, 1.0])];
        assert_eq!(parts, [Some([0.0, 0.25]), Some([0.5, 1.0])]);
        assert_eq!(Slope::part_of([-1.0, 0.0]), None);
        assert_eq!(Slope::part_of([0.0, 2.0]), Some([0.0, 1.0]));
    }
}
