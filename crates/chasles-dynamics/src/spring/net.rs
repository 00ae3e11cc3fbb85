//! The springs and masses of a sheet.
//!
//! ```text
//! o---o---o   structural: along the edges of the grid
//! |\ /|\ /|   shear:      across its cells, both ways
//! | X | X |   bend:       from each vertex to the next but one
//! |/ \|/ \|
//! o---o---o   any mesh:   structural along its edges, bend across them, from corner to corner
//! ```

use std::collections::BTreeMap;

use chasles::Polygons;
use glam::DVec3;
use thiserror::Error;

/// What is wrong with a sheet.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum NetError {
    /// A quantity that must be positive is not.
    #[error("the {0} of a sheet is {1}: it must be a positive number")]
    NotPositive(&'static str, f64),
    /// A quantity that must not be negative is.
    #[error("the {0} of a sheet is {1}: it must be 0 or more")]
    Negative(&'static str, f64),
    /// The restitution is not in `[0, 1]`.
    #[error("a restitution of {0} of a sheet is impossible: it must be from 0 to 1")]
    Restitution(f64),
    /// The cells along a side are none or too many.
    #[error("a sheet of {0} cells along a side is none: there must be from 1 to 4096")]
    Cells(u32),
    /// A face is no triangle of vertices that exist.
    #[error("face {0} of a sheet is no triangle of three of its vertices")]
    NoTriangle(usize),
    /// A vertex belongs to no triangle with an area.
    #[error("vertex {0} of a sheet has no mass: no triangle with an area has it as a corner")]
    Massless(usize),
    /// A vertex is not at a finite place of its own.
    #[error("vertex {0} of a sheet must stand at a finite place where no other vertex stands")]
    Place(usize),
}

/// What a sheet is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    /// Kilograms per square metre.
    pub mass_per_area: f64,
    /// The stiffness of structural springs, in newtons per metre.
    pub structural: f64,
    /// Of shear springs.
    pub shear: f64,
    /// Of bend springs.
    pub bend: f64,
    /// The force against the lengthening of each spring, in newtons per metre and second.
    pub damping: f64,
    /// The share of its velocity that a vertex loses to the air in a second.
    pub drag: f64,
    /// The greatest ratio of tangential to normal impulse, also of the sheet with itself.
    pub friction: f64,
    /// The share of the speed that contact on springs gives back, from 0 to 1; of two the lower
    /// counts. Impulses give nothing back.
    pub restitution: f64,
    /// The distance that surfaces keep from the sheet, and its parts from each other.
    pub thickness: f64,
}

impl Default for Fabric {
    /// Cotton, for cells of some centimetres.
    fn default() -> Self {
        Self {
            mass_per_area: 0.15,
            structural: 100.0,
            shear: 20.0,
            bend: 0.5,
            damping: 0.02,
            drag: 0.2,
            friction: 0.4,
            restitution: 0.0,
            thickness: 2e-3,
        }
    }
}

impl Fabric {
    fn check(&self) -> Result<(), NetError> {
        let positive = [("mass per area", self.mass_per_area), ("thickness", self.thickness)];
        for (name, value) in positive {
            let is_positive = value > 0.0 && value.is_finite();
            if !is_positive {
                return Err(NetError::NotPositive(name, value));
            }
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(NetError::Restitution(self.restitution));
        }
        let others = [
            ("structural stiffness", self.structural),
            ("shear stiffness", self.shear),
            ("bend stiffness", self.bend),
            ("damping", self.damping),
            ("drag", self.drag),
            ("friction", self.friction),
        ];
        let is_not_negative = |value: f64| value >= 0.0 && value.is_finite();
        match others.into_iter().find(|&(_, value)| !is_not_negative(value)) {
            Some((name, value)) => Err(NetError::Negative(name, value)),
            None => Ok(()),
        }
    }
}

/// A spring between two vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// The vertices.
    pub ends: [u32; 2],
    /// Its length without force.
    pub length: f64,
    /// Newtons per metre.
    pub stiffness: f64,
}

/// Triangles, springs and masses of a sheet in its shape without force.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    pub(super) mesh: Polygons,
    pub(super) springs: Vec<Spring>,
    pub(super) masses: Vec<f64>,
    pub(super) fabric: Fabric,
}

impl Net {
    /// A grid from a corner along two sides, with this many cells along each.
    ///
    /// *Accepts* two sides that span an area and from 1 to 4096 cells each way. *Guarantees* vertex
    /// `i + j (cells[0] + 1)` at `i` cells along the first side and `j` along the second. *Cost*
    /// linear in the cells. *Fails* on anything else, and on a fabric that is none.
    pub fn grid(
        corner: DVec3,
        sides: [DVec3; 2],
        cells: [u32; 2],
        fabric: &Fabric,
    ) -> Result<Self, NetError> {
        if let Some(&count) = cells.iter().find(|count| !(1..=4096).contains(*count)) {
            return Err(NetError::Cells(count));
        }
        let across = cells[0] + 1;
        let at = |i: u32, j: u32| i + j * across;
        let part = |i: u32, of: usize| sides[of] * (f64::from(i) / f64::from(cells[of]));
        let rows = (0..=cells[1]).flat_map(|j| (0..across).map(move |i| (i, j)));
        let places = rows.clone().map(|(i, j)| corner + part(i, 0) + part(j, 1));
        let inner = rows.clone().filter(|&(i, j)| i < cells[0] && j < cells[1]);
        // Diagonals alternate, so that the sheet is as stiff one way as the other.
        let faces = inner.flat_map(|(i, j)| {
            let [p, q, r, s] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            let is_even = (i + j) % 2 == 0;
            if is_even { [[p, q, r], [p, r, s]] } else { [[p, q, s], [q, r, s]] }
        });
        let mesh = Polygons::new(places, faces);
        let mut net = Self::unsprung(mesh, fabric)?;
        let steps = [
            ([1, 0], [0, 0], fabric.structural),
            ([0, 1], [0, 0], fabric.structural),
            ([1, 1], [0, 0], fabric.shear),
            ([0, 1], [1, 0], fabric.shear),
            ([2, 0], [0, 0], fabric.bend),
            ([0, 2], [0, 0], fabric.bend),
        ];
        for (i, j) in rows {
            for ([right, up], [from, _], stiffness) in steps {
                let far = [i + right.max(from), j + up];
                if far[0] <= cells[0] && far[1] <= cells[1] {
                    net.tie([at(i + from, j), at(i + right, j + up)], stiffness);
                }
            }
        }
        Ok(net)
    }

    /// Springs along the edges of any mesh of triangles and across them.
    ///
    /// *Accepts* triangles whose vertices stand apart, with an area about each vertex. *Guarantees*
    /// springs in the order of the vertices. *Cost* `n log n`. *Fails* on anything else, and on
    /// a fabric that is none.
    pub fn of_mesh(mesh: &Polygons, fabric: &Fabric) -> Result<Self, NetError> {
        let mut net = Self::unsprung(mesh.clone(), fabric)?;
        let mut opposite = BTreeMap::<[u32; 2], Vec<u32>>::new();
        for face in &mesh.faces {
            for turn in 0..3 {
                let [p, q, r] = [0, 1, 2].map(|i| face[(i + turn) % 3]);
                opposite.entry([p.min(q), p.max(q)]).or_default().push(r);
            }
        }
        for (edge, corners) in opposite {
            net.tie(edge, fabric.structural);
            if let [p, q] = corners[..]
                && p != q
            {
                net.tie([p, q], fabric.bend);
            }
        }
        Ok(net)
    }

    fn unsprung(mesh: Polygons, fabric: &Fabric) -> Result<Self, NetError> {
        fabric.check()?;
        let count = mesh.vertices.len();
        let mut by_place: Vec<usize> = (0..count).collect();
        let key = |v: usize| (mesh.vertices[v] + 0.0).to_array().map(f64::to_bits);
        by_place.sort_unstable_by_key(|&v| (key(v), v));
        if let Some(vertex) = mesh.vertices.iter().position(|p| !p.is_finite()) {
            return Err(NetError::Place(vertex));
        }
        if let Some(pair) = by_place.windows(2).find(|pair| key(pair[0]) == key(pair[1])) {
            return Err(NetError::Place(pair[1]));
        }
        let mut masses = vec![0.0; count];
        for (number, face) in mesh.faces.iter().enumerate() {
            let is_triangle = face.len() == 3 && face.iter().all(|&v| (v as usize) < count);
            if !is_triangle {
                return Err(NetError::NoTriangle(number));
            }
            let [p, q, r] = [0, 1, 2].map(|i| mesh.vertices[face[i] as usize]);
            let area = 0.5 * (q - p).cross(r - p).length();
            face.iter().for_each(|&v| masses[v as usize] += fabric.mass_per_area * area / 3.0);
        }
        let is_mass = |mass: &f64| *mass > 0.0 && mass.is_finite();
        match masses.iter().position(|mass| !is_mass(mass)) {
            Some(vertex) => Err(NetError::Massless(vertex)),
            None => Ok(Self { mesh, springs: Vec::new(), masses, fabric: *fabric }),
        }
    }

    fn tie(&mut self, ends: [u32; 2], stiffness: f64) {
        let [p, q] = ends.map(|v| self.mesh.vertices[v as usize]);
        self.springs.push(Spring { ends, length: p.distance(q), stiffness });
    }

    /// The springs.
    pub fn springs(&self) -> &[Spring] {
        &self.springs
    }

    /// The length of the shortest spring; infinite without any.
    pub(super) fn shortest(&self) -> f64 {
        self.springs.iter().map(|spring| spring.length).fold(f64::INFINITY, f64::min)
    }

    /// The mass of each vertex.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// What it is made of.
    pub fn fabric(&self) -> &Fabric {
        &self.fabric
    }

    /// The triangles, where the sheet has no force.
    pub fn mesh(&self) -> &Polygons {
        &self.mesh
    }
}
