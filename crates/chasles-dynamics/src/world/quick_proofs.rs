//! Motions that cross nothing for a simple reason, without asking the exact method.
//!
//! Three reasons, each of which is enough:
//!
//! - **Room.** Two bodies have been found so far apart, and no point of one moves that far relative
//!   to the other.
//! - **A plane** that one of them carries along: all of it lies behind, and all of the other before
//!   it all the time.
//! - **Planes of faces.** Each face of one of them is too far away, or all of the other stays on
//!   one side of it: so a stone in a bowl.
//!
//! All look at the relative screw of a part, as the exact method does. On a screw by the angle `a`
//! below 1 a point goes along an arc that is at most 1.05 times as long as its chord `c`, and that
//! is nowhere farther than `1.05 a c / 8` from where it would be on the chord: its acceleration is
//! `a` times its speed across the axis. Where that is too wide, the four control points of the arc
//! tell: the arc is in their hull, as a C-Bézier curve.

use chasles::numeric::Elementary;
use chasles::{Pose, Screw};
use glam::{DMat3, DVec3};

use super::body::Body;
use super::swept_pairs::turn_bound;

/// Arcs are longer than their chords by less than this, for [`MAX_TURN`].
const ARC: f64 = 1.05;

/// The largest angle, in radians.
const MAX_TURN: f64 = 1.0;

/// Rounding of positions, as a share of the largest coordinate.
const ROUNDING: f64 = 1e-14;

/// Rounding of control points, as a share of the way.
const LEAD_ERROR: f64 = 1e-9;

/// Meshes of more faces are left to the exact method, which does not look at all of them.
const MAX_FACES: usize = 512;

/// Of meshes of more faces none is tried as a plane between bodies.
const MAX_TRIED: usize = 64;

/// What is known about a pair of bodies at the start of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Guard {
    /// They are at least this far apart.
    pub(super) room: f64,
    /// From the first to the second where they are nearest, if that is known.
    pub(super) normal: Option<DVec3>,
}

impl Guard {
    /// Whether bodies that move between two poses each surely stay apart.
    pub(super) fn holds(&self, bodies: [&Body; 2], poses: [[Pose; 2]; 2]) -> bool {
        let bounds = bodies.map(Body::bounds);
        let [first, second] = poses;
        let seen = [0, 1].map(|end| first[end].inverse_after(&second[end]));
        let turn = turn_bound(seen[0].rotation(), seen[1].rotation());
        if turn > MAX_TURN {
            return false;
        }
        let margin = rounding(&poses, &bounds);
        if self.room > ARC * longest_way(&bounds[1], &seen) + margin {
            return true;
        }
        let Some(normal) = self.normal else { return false };
        let back = [0, 1].map(|end| second[end].inverse_after(&first[end]));
        let [a, b] = bodies.map(Points::of);
        let local = [first, second].map(|ends| ends[0].rotation().conjugate() * normal);
        let of_first = Seen::new(b, bounds[1], &seen, (turn, margin));
        let of_second = Seen::new(a, bounds[0], &back, (turn, margin));
        of_first.is_beyond(local[0], a.height(local[0]))
            || of_second.is_beyond(-local[1], b.height(-local[1]))
            || of_first.is_beyond_a_face(bodies[0])
            || of_second.is_beyond_a_face(bodies[1])
            || of_first.passes(bodies[0])
            || of_second.passes(bodies[1])
    }
}

/// The farthest that a point of a box gets between two poses: the distance is convex, so it is that
/// of a corner.
pub(super) fn longest_way(&[low, high]: &[DVec3; 2], [from, to]: &[Pose; 2]) -> f64 {
    let turn = DMat3::from_quat(to.rotation()) - DMat3::from_quat(from.rotation());
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let middle = turn * middle + (to.position() - from.position());
    let [x, y, z] = [turn.x_axis * half.x, turn.y_axis * half.y, turn.z_axis * half.z];
    let [down, up] = [middle - x, middle + x];
    let ways = [y + z, y - z, z - y, -y - z].map(|side| {
        let [first, second] = [down + side, up + side];
        first.length_squared().max(second.length_squared())
    });
    ways.into_iter().fold(0.0, f64::max).sqrt()
}

/// Points and a distance from them within which all of a body is, if what is between them is added.
#[derive(Clone, Copy)]
struct Points<'b> {
    points: &'b [DVec3],
    radius: f64,
}

impl<'b> Points<'b> {
    fn of(body: &'b Body) -> Self {
        let (core, radius) = body.shape().core();
        Self { points: core.mesh().positions(), radius }
    }

    /// How far the body reaches along a direction.
    fn height(&self, normal: DVec3) -> f64 {
        let heights = self.points.iter().map(|point| normal.dot(*point));
        heights.fold(f64::NEG_INFINITY, f64::max) + self.radius
    }
}

/// A body on its way, seen from another.
struct Seen<'b> {
    body: Points<'b>,
    /// Where it is at both ends.
    ends: [(DMat3, DVec3); 2],
    /// The box around it: its middle at both ends, and half of its sides.
    middles: [DVec3; 2],
    half: DVec3,
    /// The screw on which it goes, and the share of it by which the way leads the control points.
    screw: Screw,
    lead: f64,
    /// The farthest that one of its points gets, as a chord.
    way: f64,
    turn: f64,
    margin: f64,
}

impl<'b> Seen<'b> {
    fn new(
        body: Points<'b>,
        bounds: [DVec3; 2],
        ends: &[Pose; 2],
        (turn, margin): (f64, f64),
    ) -> Self {
        let [low, high] = bounds;
        let screw = Screw::between(&ends[0], &ends[1]);
        Self {
            body,
            lead: lead(screw.angle()),
            screw,
            ends: ends.map(|pose| (DMat3::from_quat(pose.rotation()), pose.position())),
            middles: ends.map(|pose| pose.point(0.5 * (low + high))),
            half: 0.5 * (high - low),
            way: longest_way(&bounds, ends),
            turn,
            margin,
        }
    }

    /// Whether all of it stays beyond a height: that of its box tells, or that of its points.
    fn is_beyond(&self, normal: DVec3, height: f64) -> bool {
        let height = height + self.margin;
        let bow = ARC / 8.0 * self.turn;
        let lowest = |end: usize| {
            let depth = (self.ends[end].0.transpose() * normal).abs().dot(self.half);
            normal.dot(self.middles[end]) - depth
        };
        if lowest(0).min(lowest(1)) - bow * self.way > height {
            return true;
        }
        let [(from, start), (to, end)] = self.ends;
        let Points { points, radius } = self.body;
        points.iter().all(|&point| {
            let [start, end] = [from * point + start, to * point + end];
            let ends = normal.dot(start).min(normal.dot(end)) - height - radius;
            ends > bow * start.distance(end)
                || ends > 0.0 && self.inner(normal, [start, end]) > height + radius
        })
    }

    /// The lower of the two inner control heights of a point's way between these ends: no point of
    /// the way is lower than its ends and these (an arc of a screw is a curve of Bézier's kind).
    fn inner(&self, normal: DVec3, [start, end]: [DVec3; 2]) -> f64 {
        let rise = |point: DVec3| self.lead * normal.dot(self.screw.flow(point));
        (normal.dot(start) + rise(start)).min(normal.dot(end) - rise(end)) - LEAD_ERROR * self.way
    }

    /// Whether it stays beyond the whole of a body in the direction of one of its faces, that from
    /// which its middle is farthest.
    fn is_beyond_a_face(&self, body: &Body) -> bool {
        let mesh = body.shape().core().0.mesh();
        if mesh.face_count() > MAX_TRIED {
            return false;
        }
        let height = |face: u32| mesh.normal(face).dot(self.middles[0] - mesh.face_point(face));
        let highest =
            (0..mesh.face_count() as u32).max_by(|a, b| height(*a).total_cmp(&height(*b)));
        highest.is_some_and(|face| {
            let normal = mesh.normal(face);
            self.is_beyond(normal, Points::of(body).height(normal))
        })
    }

    /// Whether it stays on one side of each face of a body that is not far away.
    fn passes(&self, body: &Body) -> bool {
        let mesh = body.shape().core().0.mesh();
        if mesh.face_count() > MAX_FACES || !body.is_all_faces() {
            return false;
        }
        let middle = self.middles[0];
        let reach = self.half.length() + ARC * self.way + self.margin;
        (0..mesh.face_count() as u32).all(|face| {
            let [point, normal] = [mesh.face_point(face), mesh.normal(face)];
            let distance = middle.distance(point);
            let is_far = |corner: DVec3| distance > reach + corner.distance(point);
            let height = normal.dot(middle - point);
            let corners = || mesh.face(face).iter().map(|&vertex| mesh.position(vertex));
            let outwards = if height < 0.0 { -normal } else { normal };
            let top = || corners().map(|corner| outwards.dot(corner)).fold(f64::MIN, f64::max);
            corners().all(is_far) || self.is_beyond(outwards, top())
        })
    }
}

/// How far control points are ahead of the ends of an arc by an angle below pi, in units of the
/// velocity there: `(a - sin a) / (a (1 - cos a))`, which is a third for small angles.
fn lead(angle: f64) -> f64 {
    let square = angle * angle;
    if square < 0.01 {
        return (1.0 + square / 30.0 + square * square / 840.0) / 3.0;
    }
    (angle - angle.sine()) / (angle * (1.0 - angle.cosine()))
}

/// The largest error of a position that is seen from the other body.
fn rounding(poses: &[[Pose; 2]; 2], bounds: &[[DVec3; 2]; 2]) -> f64 {
    let places = poses.iter().flatten().map(Pose::position);
    let corners = bounds.iter().flatten().copied();
    ROUNDING * places.chain(corners).map(DVec3::length).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chasles::near::{Options, Workspace, near};
    use chasles::{Collider, Motion, Polygons, Polyhedron, Step, screw};
    use chasles_testkit::generate::Random;
    use chasles_testkit::shapes;
    use glam::DQuat;

    use super::*;

    /// What the world knows about a pair.
    fn guard(bodies: [&Body; 2], poses: [Pose; 2], reach: f64) -> Guard {
        let colliders = bodies.map(Body::collider);
        let mut guard = Guard { room: reach, normal: None };
        for place in
            near(colliders[0], colliders[1], poses, &Options::within(reach), &mut Workspace::new())
        {
            if place.gap < guard.room {
                guard = Guard { room: place.gap, normal: Some(place.normal) };
            }
        }
        let across = (poses[1].position() - poses[0].position()).try_normalize();
        Guard { normal: guard.normal.or(across), ..guard }
    }

    fn body(shape: &Polygons) -> Body {
        Body::fixed(Arc::new(Collider::new(Polyhedron::new(shape).unwrap())))
    }

    fn moved(random: &mut Random, pose: &Pose, size: f64) -> Pose {
        let turn = DQuat::from_scaled_axis(size * random.vector());
        Pose::new(pose.position() + size * random.vector(), turn * pose.rotation()).unwrap()
    }

    #[test]
    fn what_holds_is_never_hit() {
        let flat = shapes::cuboid(DVec3::new(3.0, 0.2, 3.0));
        // Beside the plate a lone edge, which no face tells of.
        let edge = shapes::segment(DVec3::new(-1.5, 0.8, 0.0), DVec3::new(1.5, 0.9, 0.3));
        let plate = shapes::joined(&[flat.clone(), edge]);
        let torus = shapes::torus(9, 6, 1.0, 0.3);
        let shapes = [shapes::cube(), flat, torus, shapes::sheet(3, 2), plate];
        let bodies = shapes.map(|shape| body(&shape));
        let mut random = Random::new(11);
        let mut memory = screw::Workspace::new();
        let [mut held, mut hit, mut free] = [0; 3];
        for round in 0..50_000 {
            let bodies = [round % 5, round / 5 % 5].map(|i| &bodies[i]);
            let pair = bodies.map(Body::collider);
            let start = [Pose::IDENTITY; 2].map(|pose| moved(&mut random, &pose, 1.6));
            if chasles::near::intersect(pair[0], pair[1], start, &mut Workspace::new()) {
                continue;
            }
            let size = 10_f64.powf(random.between(-3.0, 0.0));
            let poses = start.map(|pose| [pose, moved(&mut random, &pose, size)]);
            let holds = guard(bodies, start, 0.05).holds(bodies, poses);
            let step = Step::new(
                Motion::between(poses[0][0], poses[0][1]),
                Motion::between(poses[1][0], poses[1][1]),
            );
            let contacts =
                screw::contacts(pair[0], pair[1], &step, &screw::Options::default(), &mut memory);
            assert!(!holds || contacts.is_empty(), "round {round}");
            *(if holds {
                &mut held
            } else if contacts.is_empty() {
                &mut free
            } else {
                &mut hit
            }) += 1;
        }
        assert!(held > 2 * free && hit > 500, "{held} held, {free} free, {hit} hit");
    }

    #[test]
    fn a_corner_that_swings_through_the_floor_between_its_ends_is_not_held() {
        let floor = shapes::cuboid(DVec3::new(9.0, 1.0, 9.0));
        let [floor, cube] = [floor, shapes::cube()].map(|shape| body(&shape));
        let below = Pose::from_position([0.0, -0.5, 0.0]).unwrap();
        let radius = cube.collider().mesh().position(0).truncate().length();
        let swings = |angle: f64, above: f64| {
            let straight = std::f64::consts::FRAC_PI_4;
            let at = |turn: f64| {
                let height = radius * turn.cos() + above;
                Pose::new([0.0, height, 0.0], DQuat::from_rotation_z(straight + turn)).unwrap()
            };
            let poses = [[below; 2], [at(-angle), at(angle)]];
            let pair = [&floor, &cube];
            let start = poses.map(|ends| ends[0]);
            guard(pair, start, 0.05).holds(pair, poses)
        };
        for angle in [0.01_f64, 0.1, 0.3] {
            let sag = radius * (1.0 - angle.cos());
            assert!(!swings(angle, 0.9 * sag), "passes the floor at {angle}");
            assert!(swings(angle, 1.2 * sag), "has room at {angle}");
        }
    }
}
