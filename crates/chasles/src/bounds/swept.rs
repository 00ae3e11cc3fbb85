//! Boxes around parts of two bodies in space, one of which moves: when can they meet?
//!
//! The chart is tight where the axis of the screw is far away. Where it passes through the bodies,
//! as for a body that turns about its own middle, what lies near the axis is seen from all sides
//! and has no bounds in the chart. In space it has. Nor does the chart ask the plane of a large
//! face, which separates it from all that lies before it; the axes of its box do. B's box is placed
//! as it is half-way and moves along the chord of its centre's path:
//!
//! ```text
//! centre(t) = chord(t) + at most |centre''| / 8
//! R(t) x    = R(1/2) x + at most 2 sin(angle / 4) |x|
//! ```
//!
//! Along each axis of either box that is an interval that moves at a constant speed, so it meets
//! the other box's between two times. Both boxes can meet only while all six do.

use glam::{DMat3, DVec3, Vec3};
use wide::f32x4;

use super::hull::Hull;
use super::slab::ROUNDING;
use crate::numeric::Elementary;

/// A map of local coordinates, linear and a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Affine {
    pub(crate) turned: DMat3,
    pub(crate) offset: DVec3,
}

impl Affine {
    #[inline]
    fn at(&self, point: DVec3) -> DVec3 {
        self.turned * point + self.offset
    }

    pub(crate) fn scaled(&self, by: f64) -> Self {
        Self { turned: self.turned * by, offset: self.offset * by }
    }
}

/// How boxes of one body lie in A's axes, in units of the reach of the motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// Where points are in the middle of their chords.
    middle: Affine,
    /// Turns sides of boxes into A's axes, as they are half-way.
    turned: DMat3,
    course: Option<Course>,
}

/// How a body moves past A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    /// Half the chords of points.
    way: Affine,
    /// How points leave their chords at most, as vectors.
    bend: Affine,
    /// How far a point turns from where it is half-way, over its distance from the centre.
    turning: f64,
}

impl Placement {
    /// A body that stands still; its hulls are in units of `scale`.
    pub(crate) fn still(reach: f64, scale: f64) -> Self {
        let unit = unit(reach);
        let middle = Affine { turned: DMat3::IDENTITY * unit, offset: DVec3::ZERO };
        Self { middle, turned: DMat3::IDENTITY * (scale * unit), course: None }
    }

    /// A body that is here at the start and at the end, turned so half-way, and turns by an angle;
    /// its points are bent so from their chords, at any time.
    pub(crate) fn moving(
        [start, end]: [Affine; 2],
        half_way: DMat3,
        (acceleration, angle): (Affine, f64),
        (reach, scale): (f64, f64),
    ) -> Self {
        let unit = unit(reach);
        let half = 0.5 * unit;
        let way = Affine {
            turned: (end.turned - start.turned) * half,
            offset: (end.offset - start.offset) * half,
        };
        let middle = Affine {
            turned: (end.turned + start.turned) * half,
            offset: (end.offset + start.offset) * half,
        };
        let bend = acceleration.scaled(0.125 * unit);
        let turning = 2.0 * (0.25 * angle).sine() * unit;
        let course = Some(Course { way, bend, turning });
        Self { middle, turned: half_way * (scale * unit), course }
    }

    /// The box of a node.
    pub(crate) fn boxed(&self, hull: &Hull) -> SweptBox {
        let centre = self.middle.at(hull.centre).as_vec3();
        let [x, y, z] = hull.sides.map(|side| (self.turned * side.as_dvec3()).as_vec3());
        let lanes = |i: usize| f32x4::new([x[i], y[i], z[i], 0.0]);
        let sides = [lanes(0), lanes(1), lanes(2)];
        let length_sq = sides[0] * sides[0] + sides[1] * sides[1] + sides[2] * sides[2];
        let half = length_sq.sqrt();
        let inverse = f32x4::ONE / half.fast_max(f32x4::splat(f32::MIN_POSITIVE));
        let axes = sides.map(|side| side * inverse);
        let (way, slack) = match &self.course {
            None => (Vec3::ZERO, 0.0),
            Some(course) => {
                let bend = course.bend.at(hull.centre).length();
                let slack = bend + course.turning * hull.ball().1;
                (course.way.at(hull.centre).as_vec3(), slack as f32)
            }
        };
        let slack = slack * (1.0 + 1e-6) + 2.0 * ROUNDING;
        SweptBox { sides, axes, half, centre, way, slack }
    }
}

fn unit(reach: f64) -> f64 {
    if reach > 0.0 { 1.0 / reach } else { 1.0 }
}

/// A box and its way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SweptBox {
    /// Half the sides, a lane each, coordinate by coordinate.
    sides: [f32x4; 3],
    /// Their directions.
    axes: [f32x4; 3],
    /// Their lengths.
    half: f32x4,
    /// In the middle of the way.
    centre: Vec3,
    /// Half the way of the centre.
    way: Vec3,
    /// How far anything in the box is from there at most.
    slack: f32,
}

impl SweptBox {
    /// When the box of A, `self`, and one of B can meet, as a part of the motion; empty if never.
    #[inline]
    pub(crate) fn meeting(&self, other: &Self) -> [f32; 2] {
        let between = other.centre - self.centre;
        let slack = f32x4::splat(other.slack + self.slack);
        let (from, to) = along(self, &other.sides, (between, other.way), slack);
        let (later, earlier) = along(other, &self.sides, (between, other.way), slack);
        let from = from.fast_max(later).to_array();
        let to = to.fast_min(earlier).to_array();
        let last = from[0].max(from[1]).max(from[2]);
        let first = to[0].min(to[1]).min(to[2]);
        [0.5 + 0.5 * last, 0.5 + 0.5 * first]
    }
}

/// When intervals along the axes of a box meet, as shares of half the way.
#[inline(always)]
fn along(
    own: &SweptBox,
    [x, y, z]: &[f32x4; 3],
    (between, way): (Vec3, Vec3),
    slack: f32x4,
) -> (f32x4, f32x4) {
    let project = |v: [f32; 3]| {
        let [x, y, z] = v.map(f32x4::splat);
        own.axes[0] * x + own.axes[1] * y + own.axes[2] * z
    };
    let [xs, ys, zs] = [x.as_array(), y.as_array(), z.as_array()];
    let side = |i: usize| project([xs[i], ys[i], zs[i]]).abs();
    let reach = own.half + slack + side(0) + side(1) + side(2);
    let [at, speed] = [between, way].map(|v| project(v.to_array()));
    // Lanes that move backward are looked at from the other side.
    let at = at ^ (speed & f32x4::splat(-0.0));
    let inverse = f32x4::ONE / speed.abs().fast_max(f32x4::splat(1e-30));
    ((-reach - at) * inverse, (reach - at) * inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Screw;
    use crate::numeric::Helix;

    /// Numbers in `[-1, 1]` that look random.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
        }

        fn vector(&mut self) -> DVec3 {
            DVec3::new(self.next(), self.next(), self.next())
        }
    }

    fn place(screw: &Screw, start: &Affine, t: f64) -> Affine {
        let at = Helix::new(screw.angle()).at(t);
        let turn = |axis: DVec3| screw.turn(axis, &at, 1.0);
        let DMat3 { x_axis, y_axis, z_axis } = start.turned;
        let turned = DMat3::from_cols(turn(x_axis), turn(y_axis), turn(z_axis));
        Affine { turned, offset: at.along(&screw.spread(start.offset, 1.0)) }
    }

    /// A box about the origin, flat or not: its axes and half sides.
    fn block(random: &mut Random, flat: bool) -> (DMat3, DVec3) {
        let turn = glam::DQuat::from_scaled_axis(3.0 * random.vector());
        let mut half = 0.3 * random.vector().abs();
        if flat {
            half.z = 0.0;
        }
        (DMat3::from_quat(turn), half)
    }

    /// A corner of the second box that touches one of the first at some time of the motion must
    /// find both of them meeting then.
    #[test]
    fn boxes_that_touch_meet_at_that_time() {
        let mut random = Random(7);
        let mut apart = 0;
        for case in 0..60_000 {
            let angular = random.vector() * [0.0, 1e-5, 0.1, 0.8][case % 4];
            let screw = Screw::from_twist(angular, random.vector()).expect("finite");
            let turned = DMat3::from_quat(glam::DQuat::from_scaled_axis(random.vector()));
            let start = Affine { turned, offset: 0.8 * random.vector() };
            let [(axes_a, half_a), (axes_b, half_b)] =
                [0, 1].map(|i| block(&mut random, case % 3 == i));
            let t = 0.5 + 0.5 * random.next();
            let [middle_b, corner_a, corner_b] =
                [0; 3].map(|_| random.vector()).map(|v| (v, v.signum()));
            let corner = middle_b.0 + axes_b * (corner_b.1 * half_b);
            let there = place(&screw, &start, t).at(corner);
            let a = Hull::new(there - axes_a * (corner_a.1 * half_a), (axes_a, half_a), 1.0);
            let b = Hull::new(middle_b.0, (axes_b, half_b), 1.0);
            let w = screw.angular();
            let DMat3 { x_axis, y_axis, z_axis } = turned;
            let [x, y, z] = [x_axis, y_axis, z_axis].map(|axis| w.cross(w.cross(axis)));
            let acceleration = Affine {
                turned: DMat3::from_cols(x, y, z),
                offset: w.cross(screw.flow(start.offset)),
            };
            let reach = 8.0;
            let ends = [start, place(&screw, &start, 1.0)];
            let half_way = place(&screw, &start, 0.5).turned;
            let motion = (acceleration, screw.angle());
            let moving = Placement::moving(ends, half_way, motion, (reach, 1.0));
            let still = Placement::still(reach, 1.0);
            let [from, to] = still.boxed(&a).meeting(&moving.boxed(&b)).map(f64::from);
            assert!(from <= t && t <= to, "{case}: {t} in {from} to {to}");
            // Elsewhere they hardly ever meet, or bounds would be of no use.
            let far = Hull::new(a.ball().0 + 2.0 * random.vector(), (axes_a, half_a), 1.0);
            let [from, to] = still.boxed(&far).meeting(&moving.boxed(&b));
            apart += usize::from(from.max(0.0) > to.min(1.0));
        }
        assert!(apart > 45_000, "{apart}");
    }
}
