//! Volume, area, centre of mass and inertia, by sums over the surface.
//!
//! A closed surface is cut into tetrahedra from one reference point to the triangles of its faces.
//! Tetrahedra are signed, so the parts outside the surface cancel. For a tetrahedron of volume `v`
//! from the origin to `a`, `b`, `c`, with `s = a + b + c`:
//!
//! ```text
//!   v = a . (b x c) / 6
//!   ∫ x       = v s / 4
//!   ∫ x xᵀ    = v (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 20
//! ```
//!
//! The sums are exact for planar faces; only rounding remains. The reference point is the middle
//! of the bounding box for the volume and the centre of mass for the inertia, so that a mesh far
//! from the origin loses no more digits than its coordinates have.

use glam::{DMat3, DVec3};

use super::Polyhedron;

/// Mass, centre and inertia of a solid of constant density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// Density times volume.
    pub mass: f64,
    /// The centre of mass, in the body's frame.
    pub centre: DVec3,
    /// The inertia tensor about the centre of mass, along the axes of the body's frame.
    pub inertia: DMat3,
}

impl Polyhedron {
    /// The area of all faces.
    ///
    /// *Accepts* any mesh. *Guarantees* the sum of the faces' areas, each side counted once.
    /// *Cost* linear. *Fails* never; areas beyond 1e308 are infinite.
    pub fn area(&self) -> f64 {
        let face_area = |face: u32| {
            let doubled: DVec3 = triangles(self, face, self.face_point(face))
                .map(|[a, b, c]| (b - a).cross(c - a))
                .sum();
            0.5 * doubled.dot(self.normal(face))
        };
        (0..self.face_count() as u32).map(face_area).sum::<f64>() + 0.0
    }

    /// The volume enclosed by the closed components.
    ///
    /// *Accepts* any mesh. *Guarantees* the enclosed volume if closed components do not overlap;
    /// a component that is oriented inwards counts as a cavity, and open components do not count.
    /// *Cost* linear. *Fails* never.
    ///
    /// ```
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// let brick = Shape::Box(Cuboid { size: [1.0, 2.0, 3.0] }).build()?;
    /// assert_eq!((brick.volume(), brick.area()), (6.0, 22.0));
    /// # Ok::<(), chasles::mesh::shapes::ShapeError>(())
    /// ```
    pub fn volume(&self) -> f64 {
        let middle = middle(self);
        let six = closed_faces(self).map(|face| six_volumes(self, face, middle)).sum::<f64>();
        // The sum of nothing is -0.0, and adding zero drops the sign.
        six / 6.0 + 0.0
    }

    /// Mass, centre and inertia at a constant density, or none if the closed components enclose no
    /// positive volume.
    ///
    /// *Accepts* any mesh, and a density above 0. *Guarantees* exact integrals up to rounding, for
    /// the solid that [`Polyhedron::volume`] describes; open components are without mass. *Cost*
    /// linear, two passes. *Fails* never; bodies beyond 1e60 overflow to infinity.
    ///
    /// ```
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// let cube = Shape::Box(Cuboid { size: [2.0; 3] }).build()?;
    /// let mass = cube.mass(3.0).expect("a box has a volume");
    /// assert_eq!(mass.mass, 24.0);
    /// assert!((mass.inertia.x_axis.x - 16.0).abs() < 1e-12);
    /// # Ok::<(), chasles::mesh::shapes::ShapeError>(())
    /// ```
    pub fn mass(&self, density: f64) -> Option<Mass> {
        debug_assert!(density > 0.0, "a density is positive");
        let volume = self.volume();
        if volume <= 0.0 {
            return None;
        }
        let middle = middle(self);
        let moment: DVec3 = corners_of_solid(self, middle)
            .map(|[a, b, c]| (a + b + c) * (a.dot(b.cross(c)) / 24.0))
            .sum();
        let centre = middle + moment / volume;
        let second = corners_of_solid(self, centre).map(second_moment);
        let second = second.fold(DMat3::ZERO, |sum, moment| sum + moment);
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = (DMat3::from_diagonal(DVec3::splat(trace)) - second) * density;
        Some(Mass { mass: density * volume, centre, inertia })
    }
}

/// Six times the volume between a reference point and a face, positive if the point is behind the
/// face. Undivided, because sixths are rounded and small whole numbers are not.
pub(super) fn six_volumes(mesh: &Polyhedron, face: u32, reference: DVec3) -> f64 {
    triangles(mesh, face, reference).map(|[a, b, c]| a.dot(b.cross(c))).sum()
}

/// The middle of the bounding box.
pub(super) fn middle(mesh: &Polyhedron) -> DVec3 {
    let [low, high] = mesh.bounds();
    low + (high - low) / 2.0
}

fn closed_faces(mesh: &Polyhedron) -> impl Iterator<Item = u32> + '_ {
    (0..mesh.face_count() as u32).filter(|&face| !mesh.is_two_sided(face))
}

fn corners_of_solid(mesh: &Polyhedron, origin: DVec3) -> impl Iterator<Item = [DVec3; 3]> + '_ {
    closed_faces(mesh).flat_map(move |face| triangles(mesh, face, origin))
}

/// A face as a fan of signed triangles, with corners relative to an origin.
fn triangles(mesh: &Polyhedron, face: u32, origin: DVec3) -> impl Iterator<Item = [DVec3; 3]> + '_ {
    let corners = mesh.face(face);
    let at = move |i: usize| mesh.position(corners[i]) - origin;
    (1..corners.len() - 1).map(move |i| [at(0), at(i), at(i + 1)])
}

fn second_moment([a, b, c]: [DVec3; 3]) -> DMat3 {
    let square = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
    let sum = square(a) + square(b) + square(c) + square(a + b + c);
    sum * (a.dot(b.cross(c)) / 120.0)
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, dvec3};

    use super::*;
    use crate::mesh::Polygons;
    use crate::mesh::shapes::{Car, Cuboid, Nut, Shape};

    fn moved(polygons: &Polygons, rotation: DQuat, shift: DVec3) -> Polyhedron {
        let mut moved = polygons.clone();
        moved.vertices.iter_mut().for_each(|v| *v = rotation * *v + shift);
        Polyhedron::new(&moved).unwrap()
    }

    fn assert_close(found: DMat3, expected: DMat3, tolerance: f64) {
        let error = (found - expected).to_cols_array().map(f64::abs);
        assert!(error.iter().all(|e| *e <= tolerance), "{found} is not {expected}");
    }

    #[test]
    fn a_box_has_the_textbook_inertia() {
        let [x, y, z] = [1.0, 2.0, 3.0];
        let brick = Shape::Box(Cuboid { size: [x, y, z] }).build().unwrap();
        let mass = brick.mass(2.0).unwrap();
        assert_eq!(mass.mass, 12.0);
        assert!(mass.centre.length() < 1e-15);
        let expected = dvec3(y * y + z * z, x * x + z * z, x * x + y * y) * (12.0 / 12.0);
        assert_close(mass.inertia, DMat3::from_diagonal(expected), 1e-13);
    }

    #[test]
    fn a_corner_tetrahedron_has_the_textbook_moments() {
        let corner = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let mesh = Polyhedron::new(&Polygons::new(corner, faces)).unwrap();
        let mass = mesh.mass(6.0).unwrap();
        assert!((mass.mass - 1.0).abs() < 1e-15);
        assert!((mass.centre - DVec3::splat(0.25)).length() < 1e-15);
        // About the centre: ∫x² = 1/10 - 1/16 and ∫xy = 1/20 - 1/16 per unit of mass.
        let (square, product) = (0.1 - 1.0 / 16.0, 0.05 - 1.0 / 16.0);
        let expected = DMat3::from_cols(
            dvec3(2.0 * square, -product, -product),
            dvec3(-product, 2.0 * square, -product),
            dvec3(-product, -product, 2.0 * square),
        );
        assert_close(mass.inertia, expected, 1e-15);
    }

    #[test]
    fn moving_a_body_moves_its_centre_and_turns_its_inertia() {
        for shape in [Shape::Car(Car::default()), Shape::Nut(Nut::default())] {
            let polygons = shape.polygons().unwrap();
            let still = shape.build().unwrap().mass(1.0).unwrap();
            let rotation = DQuat::from_scaled_axis(dvec3(0.3, -1.0, 2.0));
            let shift = dvec3(1e6, -2e6, 3e6);
            let mass = moved(&polygons, rotation, shift).mass(1.0).unwrap();
            // The coordinates themselves are rounded to 5e-10 out there.
            assert!((mass.mass - still.mass).abs() < 1e-8);
            assert!((mass.centre - (rotation * still.centre + shift)).length() < 1e-8);
            let turn = DMat3::from_quat(rotation);
            assert_close(mass.inertia, turn * still.inertia * turn.transpose(), 1e-7);
        }
    }

    #[test]
    fn an_inner_box_facing_inwards_is_a_cavity() {
        let mut outer = Shape::Box(Cuboid { size: [2.0; 3] }).polygons().unwrap();
        let inner = Shape::Box(Cuboid { size: [1.0; 3] }).polygons().unwrap();
        outer.vertices.extend(inner.vertices);
        let turned = inner.faces.iter().map(|f| f.iter().rev().map(|v| v + 8).collect());
        outer.faces.extend(turned);
        let mesh = Polyhedron::new(&outer).unwrap();
        assert_eq!(mesh.volume(), 7.0);
        assert_eq!(mesh.area(), 30.0);
    }

    #[test]
    fn open_surfaces_have_an_area_and_no_mass() {
        let mut open = Shape::Box(Cuboid::default()).polygons().unwrap();
        open.faces.pop();
        let mesh = Polyhedron::new(&open).unwrap();
        assert_eq!((mesh.area(), mesh.volume()), (5.0, 0.0));
        assert!(mesh.volume().is_sign_positive(), "no volume is 0, not -0");
        assert_eq!(mesh.mass(1.0), None);
    }
}
