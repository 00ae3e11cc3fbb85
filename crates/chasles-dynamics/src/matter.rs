//! Mass of bodies whose surface encloses nothing: open meshes, shells, wires and beads.
//!
//! A density alone gives such bodies no mass. Each rule here says what is filled with it:
//!
//! | rule | what is filled |
//! |---|---|
//! | [`MassProperties::as_if_closed`] | cones from the middle of the vertices to all faces |
//! | [`MassProperties::of_shell`] | the faces, to a thickness |
//! | [`MassProperties::of_wire`] | the edges, as straight round rods |
//! | [`MassProperties::of_beads`] | the vertices, as balls |
//!
//! Rods and balls are added up as they are, so where they meet their mass counts twice. Every part
//! is a lump with a mass, a centre and an inertia about it; together they are added by the parallel
//! axis theorem, about their common centre.

use chasles::mesh::{Mass, Polyhedron};
use glam::{DMat3, DVec3};

use crate::body::{BodyError, MassProperties};

/// A surface encloses nothing if its cones fill less than this share of its area times its size:
/// far above what rounding makes of a flat sheet, far below any box.
const FLAT: f64 = 1e-9;

impl MassProperties {
    /// The mass of a mesh as if it were closed by a cone from the middle of its vertices to the
    /// rim, whichever way its faces look.
    ///
    /// *Accepts* meshes with faces, closed or open, and a density above 0. *Guarantees* that a
    /// closed mesh has the mass of [`MassProperties::of_mesh`], but for its sign: the surface is
    /// taken to look outward. *Cost* linear in the faces. *Fails* for other densities, and if
    /// nothing is enclosed, as by a flat sheet.
    ///
    /// ```
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// use chasles::{Polyhedron, glam::DVec3};
    /// use chasles_dynamics::body::MassProperties;
    ///
    /// let mut bin = Shape::Box(Cuboid { size: [1.0, 1.0, 2.0] }).polygons()?;
    /// bin.faces.pop();
    /// // Without one of its six sides the cone to its rim is missing: a sixth of the volume.
    /// let bin = MassProperties::as_if_closed(&Polyhedron::new(&bin)?, 3.0)?;
    /// assert!((bin.mass() - 5.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_if_closed(mesh: &Polyhedron, density: f64) -> Result<Self, BodyError> {
        check(density)?;
        let middle = mesh.positions().iter().sum::<DVec3>() / mesh.vertex_count() as f64;
        let cones: Vec<Lump> =
            triangles(mesh).map(|(corners, _)| Lump::cone(corners.map(|p| p - middle))).collect();
        let volume: f64 = cones.iter().map(|cone| cone.mass).sum();
        let [low, high] = mesh.bounds();
        if volume.abs() <= FLAT * mesh.area() * low.distance(high) {
            return Err(BodyError::NoVolume);
        }
        let density = density * volume.signum();
        Self::of_lumps(cones.iter().map(|cone| cone.times(density)), middle)
    }

    /// The mass of the faces of a mesh, each with this thickness.
    ///
    /// *Accepts* meshes with faces, a density and a thickness above 0. *Guarantees* the mass
    /// `density * thickness * area`, and the inertia of faces that are thin: the thickness has no
    /// part in it but for the mass. *Cost* linear in the faces. *Fails* for other numbers, and if
    /// there is no area.
    pub fn of_shell(mesh: &Polyhedron, density: f64, thickness: f64) -> Result<Self, BodyError> {
        check(density)?;
        check(thickness)?;
        let each = density * thickness;
        let lamina = move |(corners, normal)| Lump::lamina(corners, normal).times(each);
        Self::of_lumps(triangles(mesh).map(lamina), DVec3::ZERO)
    }

    /// The mass of all edges of a mesh, as round rods of this radius and straight ends.
    ///
    /// *Accepts* meshes with edges, a density and a radius above 0. *Guarantees* the mass
    /// `density * pi radius² * length` and the inertia of solid cylinders, so that a single rod has
    /// a moment about its axis too. *Cost* linear in the edges. *Fails* for other numbers, and if
    /// there are no edges.
    pub fn of_wire(mesh: &Polyhedron, density: f64, radius: f64) -> Result<Self, BodyError> {
        check(density)?;
        check(radius)?;
        let rod = |edge: u32| Lump::rod(mesh.edge(edge).map(|v| mesh.position(v)), radius);
        let rods = (0..mesh.edge_count() as u32).map(|edge| rod(edge).times(density));
        Self::of_lumps(rods, DVec3::ZERO)
    }

    /// The mass of all vertices of a mesh, as balls of this radius.
    ///
    /// *Accepts* any mesh, a density and a radius above 0. *Guarantees* the mass of a ball for each
    /// vertex, and the inertia of balls, so that a single one has moments too. *Cost* linear in the
    /// vertices. *Fails* for other numbers.
    pub fn of_beads(mesh: &Polyhedron, density: f64, radius: f64) -> Result<Self, BodyError> {
        check(density)?;
        check(radius)?;
        let beads = mesh.positions().iter().map(|&at| Lump::ball(at, radius).times(density));
        Self::of_lumps(beads, DVec3::ZERO)
    }

    /// Lumps together, seen from this point.
    fn of_lumps(
        lumps: impl Iterator<Item = Lump> + Clone,
        origin: DVec3,
    ) -> Result<Self, BodyError> {
        let mass: f64 = lumps.clone().map(|lump| lump.mass).sum();
        if mass <= 0.0 {
            return Err(BodyError::NoVolume);
        }
        let centre = lumps.clone().map(|lump| lump.mass * lump.centre).sum::<DVec3>() / mass;
        let inertia = lumps.fold(DMat3::ZERO, |sum, lump| sum + lump.inertia_about(centre));
        Self::new(&Mass { mass, centre: origin + centre, inertia })
    }
}

fn check(number: f64) -> Result<(), BodyError> {
    match number > 0.0 && number.is_finite() {
        true => Ok(()),
        false => Err(BodyError::Mass(number)),
    }
}

/// The faces of a mesh as fans of triangles with the normal of their face; those of dented faces
/// look the other way where they are outside.
fn triangles(mesh: &Polyhedron) -> impl Iterator<Item = ([DVec3; 3], DVec3)> + Clone + '_ {
    (0..mesh.face_count() as u32).flat_map(move |face| {
        let corners = mesh.face(face);
        let at = move |i: usize| mesh.position(corners[i]);
        (2..corners.len()).map(move |i| ([at(0), at(i - 1), at(i)], mesh.normal(face)))
    })
}

/// A part of a body, of density 1.
#[derive(Clone, Copy, Debug)]
struct Lump {
    mass: f64,
    centre: DVec3,
    /// `∫ x xᵀ` about its centre.
    spread: DMat3,
}

impl Lump {
    /// The tetrahedron from the origin to a triangle; negative if that looks towards the origin.
    /// With its corners `pᵢ` about the centre, `∫ x xᵀ = V / 20 Σ pᵢ pᵢᵀ`.
    fn cone(corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        let mass = a.dot(b.cross(c)) / 6.0;
        let centre = (a + b + c) / 4.0;
        let spread = [DVec3::ZERO, a, b, c].map(|p| outer(p - centre));
        let spread = spread.into_iter().fold(DMat3::ZERO, |sum, p| sum + p) * (mass / 20.0);
        Self { mass, centre, spread }
    }

    /// A triangle of a face: `∫ x xᵀ = A / 12 Σ pᵢ pᵢᵀ` about its centre.
    fn lamina(corners: [DVec3; 3], normal: DVec3) -> Self {
        let [a, b, c] = corners;
        let mass = 0.5 * (b - a).cross(c - a).dot(normal);
        let centre = (a + b + c) / 3.0;
        let spread = corners.map(|p| outer(p - centre));
        let spread = spread.into_iter().fold(DMat3::ZERO, |sum, p| sum + p) * (mass / 12.0);
        Self { mass, centre, spread }
    }

    /// A solid cylinder about a segment: `l² / 12` along it and `r² / 4` across.
    fn rod([p, q]: [DVec3; 2], radius: f64) -> Self {
        let along = q - p;
        let mass = std::f64::consts::PI * radius * radius * along.length();
        let direction = outer(along.normalize_or_zero());
        let across = (DMat3::IDENTITY - direction) * (0.25 * radius * radius);
        let spread = (outer(along) * (1.0 / 12.0) + across) * mass;
        Self { mass, centre: 0.5 * (p + q), spread }
    }

    /// A ball: `r² / 5` along each axis.
    fn ball(centre: DVec3, radius: f64) -> Self {
        let mass = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
        Self { mass, centre, spread: DMat3::IDENTITY * (0.2 * radius * radius * mass) }
    }

    fn times(&self, factor: f64) -> Self {
        Self { mass: factor * self.mass, spread: self.spread * factor, ..*self }
    }

    /// The inertia about a point.
    fn inertia_about(&self, point: DVec3) -> DMat3 {
        let spread = self.spread + outer(self.centre - point) * self.mass;
        let trace = spread.x_axis.x + spread.y_axis.y + spread.z_axis.z;
        DMat3::from_diagonal(DVec3::splat(trace)) - spread
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

#[cfg(test)]
mod tests {
    use chasles::mesh::Polygons;
    use chasles::mesh::shapes::{Cuboid, Shape, Torus};

    use super::*;

    fn sorted(mass_properties: &MassProperties) -> [f64; 3] {
        let mut moments = mass_properties.moments().to_array();
        moments.sort_by(f64::total_cmp);
        moments
    }

    fn assert_moments(mass_properties: &MassProperties, expected: [f64; 3]) {
        for (found, expected) in sorted(mass_properties).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12 * expected.abs(), "{found} for {expected}");
        }
    }

    #[test]
    fn closed_meshes_have_their_mass_whichever_way_they_look() {
        let mut torus = Shape::Torus(Torus::default()).polygons().expect("a torus");
        torus.vertices.iter_mut().for_each(|v| *v += DVec3::new(3.0, -2.0, 1.0));
        let mesh = Polyhedron::new(&torus).expect("a mesh");
        let right = MassProperties::of_mesh(&mesh, 7.0).expect("a volume");
        torus.faces.iter_mut().for_each(|face| face.reverse());
        for mesh in [mesh, Polyhedron::new(&torus).expect("a mesh")] {
            let found = MassProperties::as_if_closed(&mesh, 7.0).expect("a volume");
            assert!((found.mass() / right.mass() - 1.0).abs() < 1e-12);
            assert!(found.centre().distance(right.centre()) < 1e-12);
            for (a, b) in sorted(&found).into_iter().zip(sorted(&right)) {
                assert!((a / b - 1.0).abs() < 1e-11, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_sheet_encloses_nothing_and_has_the_mass_of_its_thickness() {
        let corners = [[5.0, 0.0, 1.0], [7.0, 0.0, 1.0], [7.0, 3.0, 1.0], [5.0, 3.0, 1.0]];
        let sheet = Polyhedron::new(&Polygons::new(corners, [[0, 1, 2, 3]])).expect("a mesh");
        assert_eq!(MassProperties::as_if_closed(&sheet, 1.0), Err(BodyError::NoVolume));
        // Tilted, rounding lifts it out of its plane.
        let turn = DMat3::from_rotation_x(0.7) * DMat3::from_rotation_y(0.3);
        let tilted = Polygons::new(corners.map(|p| turn * DVec3::from(p)), [[0, 1, 2], [0, 2, 3]]);
        let tilted = Polyhedron::new(&tilted).expect("a mesh");
        assert_eq!(MassProperties::as_if_closed(&tilted, 1.0), Err(BodyError::NoVolume));
        let shell = MassProperties::of_shell(&sheet, 10.0, 0.1).expect("an area");
        assert!((shell.mass() - 6.0).abs() < 1e-12);
        assert!(shell.centre().distance(DVec3::new(6.0, 1.5, 1.0)) < 1e-12);
        // m b² / 12, m a² / 12 and their sum.
        assert_moments(&shell, [2.0, 4.5, 6.5]);
        // An arrow's head, seen from its notch: its area is what is left without the notch.
        let arrow = [[1.0, 1.0, 0.0], [0.0, 0.0, 0.0], [4.0, 1.0, 0.0], [0.0, 2.0, 0.0]];
        let arrow = Polyhedron::new(&Polygons::new(arrow, [[3, 0, 1, 2]])).expect("a mesh");
        let arrow = MassProperties::of_shell(&arrow, 1.0, 1.0).expect("an area");
        assert!((arrow.mass() - 3.0).abs() < 1e-12, "{}", arrow.mass());
    }

    #[test]
    fn wires_and_beads_have_the_moments_of_rods_and_balls() {
        let pair = Polygons { vertices: vec![DVec3::ZERO, DVec3::Z * 3.0], ..Polygons::default() };
        let rod = Polygons { segments: vec![[0, 1]], ..pair.clone() };
        let [pair, rod] = [pair, rod].map(|all| Polyhedron::new(&all).expect("a mesh"));
        let wire = MassProperties::of_wire(&rod, 2.0, 0.5).expect("an edge");
        let mass = 2.0 * std::f64::consts::PI * 0.25 * 3.0;
        let across = mass * (9.0 / 12.0 + 0.25 / 4.0);
        assert!((wire.mass() - mass).abs() < 1e-12);
        assert_moments(&wire, [mass * 0.25 / 2.0, across, across]);
        let beads = MassProperties::of_beads(&pair, 2.0, 0.5).expect("vertices");
        let mass = 2.0 * std::f64::consts::PI / 6.0;
        let across = 2.0 * mass * (0.1 + 1.5 * 1.5);
        assert_moments(&beads, [2.0 * mass * 0.1, across, across]);
        assert_eq!(MassProperties::of_wire(&pair, 2.0, 0.5), Err(BodyError::NoVolume));
    }

    #[test]
    fn numbers_that_are_none_are_refused() {
        let cube = Shape::Box(Cuboid::default()).build().expect("a box");
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(MassProperties::as_if_closed(&cube, bad).is_err());
            assert!(MassProperties::of_shell(&cube, 1.0, bad).is_err());
            assert!(MassProperties::of_wire(&cube, bad, 1.0).is_err());
            assert!(MassProperties::of_beads(&cube, 1.0, bad).is_err());
        }
    }
}
