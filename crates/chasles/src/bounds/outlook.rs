//! Which faces look where a body goes, four at a time.

use glam::DVec3;
use wide::f32x4;

use crate::mesh::Polyhedron;
use crate::motion::Screw;

/// Where four faces look, in units of the body's size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outlook {
    normal: [f32x4; 3],
    /// Of the normals at the middles of the faces.
    moment: [f32x4; 3],
    /// How far corners are from there at most; no number for faces with two sides.
    radius: f32x4,
}

impl Outlook {
    /// Of the faces from four times `quad` on, of a body of this size about `pivot`.
    pub(super) fn new(
        mesh: &Polyhedron,
        quad: u32,
        radius: &[f32],
        (pivot, scale): (DVec3, f64),
    ) -> Self {
        let last = mesh.face_count() as u32 - 1;
        let faces = [0, 1, 2, 3].map(|lane| last.min(4 * quad + lane));
        let lanes = |of: &dyn Fn(u32) -> f64| f32x4::new(faces.map(|f| of(f) as f32));
        let normal = |f: u32| mesh.normal(f);
        let moment = |f: u32| ((mesh.face_point(f) - pivot) / scale).cross(normal(f));
        let radius = |f: u32| match mesh.is_two_sided(f) {
            true => f64::NAN,
            false => f64::from(radius[f as usize]) / scale,
        };
        Self {
            normal: [0, 1, 2].map(|i| lanes(&|f| normal(f)[i])),
            moment: [0, 1, 2].map(|i| lanes(&|f| moment(f)[i])),
            radius: lanes(&radius),
        }
    }
}

/// A motion for which faces are asked whether they look ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    linear: [f32x4; 3],
    angular: [f32x4; 3],
    bend: f32x4,
    /// What rounding may make of a speed.
    slow: f32x4,
}

/// Far above the rounding of singles in a sum of six products of numbers of at most 1.
const ROUNDING: f32 = 4e-6;

impl Aim {
    /// A motion that turns by `angle`, of a body of this size; speeds up to `slow` are rounding.
    pub(crate) fn new(motion: &Screw, [angle, slow]: [f64; 2], scale: f64) -> Self {
        let [w, v] = [motion.angular() * scale, motion.linear()];
        let fastest = w.length() + v.length();
        let unit = if fastest > 0.0 { 1.0 / fastest } else { 0.0 };
        let lanes = |v: DVec3| (v * unit).to_array().map(|x| f32x4::splat(x as f32));
        Self {
            linear: lanes(v),
            angular: lanes(w),
            bend: f32x4::splat((angle * scale * unit) as f32),
            slow: f32x4::splat((slow * unit) as f32 + ROUNDING),
        }
    }

    /// Which of four faces may move outward anywhere, as bits, and which do so everywhere.
    #[inline]
    pub(crate) fn ask(&self, outlook: &Outlook) -> [u8; 2] {
        let Outlook { normal: [nx, ny, nz], moment: [mx, my, mz], radius } = *outlook;
        let ([vx, vy, vz], [wx, wy, wz]) = (self.linear, self.angular);
        let speed = (vx * nx + vy * ny + vz * nz) + (wx * mx + wy * my + wz * mz);
        let bend = self.bend * radius + self.slow;
        // Where nothing is a number, a face may look ahead, and it is not known where.
        let away = speed.simd_lt(-bend).to_bitmask() as u8;
        [!away & 0b1111, speed.simd_gt(bend).to_bitmask() as u8]
    }
}

#[cfg(test)]
mod tests {
    use super::super::Collider;
    use super::*;
    use crate::mesh::shapes::{Cuboid, Shape, Torus};

    /// Motions of all sizes, some of them along faces, so that speeds are near zero.
    fn motions() -> impl Iterator<Item = Screw> {
        (0..400).map(|i| {
            let x = f64::from(i);
            let size = 10_f64.powi(i % 7 * 3 - 9);
            let angular = DVec3::new(x.sin(), (2.0 * x).cos(), (0.3 * x).sin()) * size;
            let linear = DVec3::new((5.0 * x).cos(), (0.7 * x).sin(), (3.0 * x).cos()) * size;
            let [w, v] = match i % 3 {
                0 => [angular, linear],
                1 => [DVec3::ZERO, DVec3::X * size],
                _ => [DVec3::Z * size, DVec3::ZERO],
            };
            Screw::from_valid(w, v)
        })
    }

    /// No face that looks ahead anywhere is left out, and none is taken whole that does not look
    /// ahead everywhere; of most faces it is known.
    #[test]
    fn four_faces_are_asked_as_each_would_be_by_its_corners() {
        let torus = Shape::Torus(Torus::default()).build().expect("a torus");
        let [known, all] = ask(&Collider::new(torus));
        assert!(2 * known > all, "{known} of {all}");
    }

    /// The last four of a box are two, and what is open has two sides.
    #[test]
    fn faces_with_two_sides_may_always_look_ahead_and_groups_may_be_short() {
        let cube = Shape::Box(Cuboid { size: [1.0, 2.0, 0.1] });
        let [known, all] = ask(&Collider::new(cube.build().expect("a box")));
        assert!(known > 300 && all == 6 * motions().count(), "{known} of {all}");
        let mut polygons = cube.polygons().expect("a box");
        polygons.faces.pop();
        let open = Collider::new(Polyhedron::new(&polygons).expect("a mesh"));
        let [known, all] = ask(&open);
        assert!(known == 0 && all == 5 * motions().count(), "{known} of {all}");
    }

    /// Of how many faces and motions it is known, and how many were asked.
    fn ask(collider: &Collider) -> [usize; 2] {
        let mesh = collider.mesh();
        let [mut known, mut all] = [0, 0];
        for motion in motions() {
            let slow = 1e-12 * (motion.linear().length() + 4.0);
            let angle = motion.angle();
            let aim = Aim::new(&motion, [angle, slow], collider.scale());
            for f in 0..mesh.face_count() as u32 {
                let [may, does] =
                    aim.ask(collider.outlook(f / 4)).map(|bits| bits >> (f % 4) & 1 == 1);
                let ahead = |v: &u32| mesh.normal(f).dot(motion.flow(collider.local(*v))) >= -slow;
                let (corners, is_one_sided) = (mesh.face(f), !mesh.is_two_sided(f));
                let away = is_one_sided && !corners.iter().any(ahead);
                assert!(may || away, "{motion:?} {f}");
                let all_ahead = is_one_sided && corners.iter().all(ahead);
                assert!(!does || all_ahead, "{motion:?} {f}");
                known += usize::from(!may || does);
                all += 1;
            }
        }
        [known, all]
    }
}
