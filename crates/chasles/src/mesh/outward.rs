//! Closed components that are inside out, and how they are turned.
//!
//! Some programs write faces clockwise. Then a closed surface has a negative volume, and what asks
//! for the outside finds the inside. A cavity has a negative volume too, and rightly so; it lies in
//! another component, and that is how the two are told apart.

use std::f64::consts::TAU;

use glam::DVec3;

use super::components::Components;
use super::mass::{middle, six_volumes};
use super::{Polygons, Polyhedron, Rows};

/// What [`Polyhedron::turn_outward`] turned, in the numbers of the input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turned {
    /// Of each component that was turned, the lowest number of its faces.
    pub components: Vec<u32>,
    /// All faces that were turned, in order.
    pub faces: Vec<u32>,
}

/// A volume smaller than this, relative to the area times the size of the mesh, has no sign: far
/// above its rounding (1e-16), far below that of any sheet with a thickness.
const FLAT: f64 = 1e-12;

/// Work after which components are left as they are: about a second. Only meshes of thousands of
/// parts that are inside out, or of such parts in very large ones, need as much.
const WORK: u64 = 1 << 28;

/// The work of a triangle, in comparisons of boxes.
const TRIANGLE: u64 = 16;

impl Polyhedron {
    /// Turns closed components that are inside out.
    ///
    /// These are the closed components of negative volume that lie in no other closed component,
    /// and with them whatever lies inside, so that a cavity stays one. A component of negative
    /// volume that lies in another is a cavity, and is left alone. *Accepts* any mesh. *Guarantees*
    /// that positions, numbers and labels of all features stay; loops of the faces run the other
    /// way, and their normals are opposite. Calling it again changes nothing. *Cost* linear in the
    /// mesh, plus that of placing inward components among others, which ends after a second with
    /// the rest left as it is. *Fails* never.
    ///
    /// ```
    /// use chasles::Polyhedron;
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// let mut cube = Shape::Box(Cuboid::default()).polygons()?;
    /// cube.faces.iter_mut().for_each(|face| face.reverse());
    /// let mut mesh = Polyhedron::new(&cube)?;
    /// assert_eq!(mesh.volume(), -1.0);
    /// assert_eq!(mesh.turn_outward().components, [0]);
    /// assert_eq!(mesh.volume(), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn turn_outward(&mut self) -> &Turned {
        let parts = Parts::of(self);
        let is_turned = parts.inside_out();
        if is_turned.contains(&true) {
            let of_face = &parts.components.of_face;
            let is_over: Vec<bool> = of_face.iter().map(|&c| is_turned[c as usize]).collect();
            let turned = labels(self, of_face, &is_turned);
            self.turn_over(&is_over, turned);
        }
        self.turned()
    }

    /// What [`Polyhedron::turn_outward`] would turn.
    ///
    /// *Accepts*, *Cost* and *Fails* as that does.
    pub fn inside_out(&self) -> Turned {
        let parts = Parts::of(self);
        labels(self, &parts.components.of_face, &parts.inside_out())
    }
}

/// What is turned, in the numbers of the input.
fn labels(mesh: &Polyhedron, of_face: &[u32], is_turned: &[bool]) -> Turned {
    let mut first = vec![u32::MAX; is_turned.len()];
    let mut faces = Vec::new();
    for (face, &component) in of_face.iter().enumerate() {
        let label = mesh.face_label(face as u32);
        if is_turned[component as usize] {
            first[component as usize] = first[component as usize].min(label);
            faces.push(label);
        }
    }
    faces.sort_unstable();
    faces.dedup();
    let mut components: Vec<u32> = first.into_iter().filter(|&label| label < u32::MAX).collect();
    components.sort_unstable();
    Turned { components, faces }
}

impl Polygons {
    /// Turns faces over: their loops run the other way, from the same corner.
    ///
    /// *Accepts* any numbers; those of no face are passed over. *Cost* linear. *Fails* never.
    pub fn turn(&mut self, faces: &[u32]) {
        for &face in faces {
            if let Some([_, others @ ..]) = self.faces.get_mut(face as usize).map(Vec::as_mut_slice)
            {
                others.reverse();
            }
        }
    }
}

/// The components of a mesh.
struct Parts<'m> {
    mesh: &'m Polyhedron,
    components: Components,
    /// For each component its faces, its box, whether it is closed, and whether its volume is
    /// clearly negative.
    faces: Rows<u32>,
    boxes: Vec<[DVec3; 2]>,
    closed: Vec<bool>,
    inward: Vec<bool>,
}

impl<'m> Parts<'m> {
    fn of(mesh: &'m Polyhedron) -> Self {
        let components = Components::of(mesh);
        let of_face = components.of_face.iter().copied();
        let faces = Rows::from_pairs(components.count, of_face.zip(0..));
        let size = mesh.bounds()[1] - mesh.bounds()[0];
        let middle = middle(mesh);
        let volumes = components.sums(|face| six_volumes(mesh, face, middle));
        let each = 0..components.count as u32;
        let closed: Vec<bool> = each.clone().map(|c| !mesh.is_two_sided(faces.row(c)[0])).collect();
        let areas = components.sums(|face| doubled_area(mesh, face));
        let is_inward = |c: usize| closed[c] && volumes[c] < -FLAT * areas[c] * size.max_element();
        let inward = (0..components.count).map(is_inward).collect();
        let boxes = each.map(|c| bounds(mesh, faces.row(c))).collect();
        Self { mesh, faces, boxes, closed, inward, components }
    }

    /// For each component whether it is turned.
    fn inside_out(&self) -> Vec<bool> {
        let mut work = 0;
        let count = self.components.count;
        let mut turned = vec![false; count];
        for part in (0..count).filter(|&part| self.inward[part]) {
            let others = (0..count).filter(|&other| other != part && self.closed[other]);
            turned[part] = self.is_outside(part, others, &mut work);
        }
        let outer: Vec<usize> = (0..count).filter(|&part| turned[part]).collect();
        if !outer.is_empty() {
            for part in (0..count).filter(|&part| self.closed[part]) {
                // A component that was not placed for want of time is not turned either.
                let others = outer.iter().copied().filter(|&other| other != part);
                turned[part] |= !self.is_outside(part, others, &mut work) && work < WORK;
            }
        }
        turned
    }

    /// Whether a component lies in none of the others. False if there is no time to tell.
    fn is_outside(&self, part: usize, others: impl Iterator<Item = usize>, work: &mut u64) -> bool {
        let [low, high] = self.boxes[part];
        for other in others {
            let [from, to] = self.boxes[other];
            *work += 1;
            let may_hold = from.cmple(low).all() && to.cmpge(high).all();
            if may_hold && *work < WORK && self.is_within(part, other, work) {
                return false;
            }
        }
        *work < WORK
    }

    /// Whether a component lies in another: two of three of its corners do.
    fn is_within(&self, part: usize, other: usize, work: &mut u64) -> bool {
        let [own, around] = [part, other].map(|c| self.faces.row(c as u32));
        let is_in = |&face: &u32| {
            let corner = self.mesh.position(self.mesh.face(face)[0]);
            let angles = around.iter().map(|&face| solid_angle(self.mesh, face, corner));
            angles.sum::<f64>().abs() > TAU
        };
        *work += 3 * TRIANGLE * self.mesh_corners(around);
        let samples = [0, own.len() / 2, own.len() - 1].map(|i| &own[i]);
        samples.into_iter().filter(|face| is_in(face)).count() >= 2
    }

    fn mesh_corners(&self, faces: &[u32]) -> u64 {
        faces.iter().map(|&face| self.mesh.face(face).len() as u64).sum()
    }
}

/// Lowest and highest coordinates of some faces.
fn bounds(mesh: &Polyhedron, faces: &[u32]) -> [DVec3; 2] {
    let corners = faces.iter().flat_map(|&face| mesh.face(face)).map(|&v| mesh.position(v));
    let all = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    corners.fold(all, |[low, high], p| [low.min(p), high.max(p)])
}

fn doubled_area(mesh: &Polyhedron, face: u32) -> f64 {
    let corners = mesh.face(face);
    let at = |i: usize| mesh.position(corners[i]) - mesh.position(corners[0]);
    (2..corners.len()).map(|i| at(i - 1).cross(at(i))).sum::<DVec3>().length()
}

/// The solid angle of a face seen from a point, positive from behind [VanOosterom83]. All faces of
/// a closed surface add up to 4 pi seen from inside, and to 0 from outside.
fn solid_angle(mesh: &Polyhedron, face: u32, from: DVec3) -> f64 {
    let corners = mesh.face(face);
    let at = |i: usize| mesh.position(corners[i]) - from;
    let triangle = |i: usize| {
        let [a, b, c] = [at(0), at(i - 1), at(i)];
        let [p, q, r] = [a.length(), b.length(), c.length()];
        let above = a.dot(b.cross(c));
        let below = p * q * r + a.dot(b) * r + b.dot(c) * p + c.dot(a) * q;
        2.0 * above.atan2(below)
    };
    // On the face itself nothing can be said, and nothing is.
    (2..corners.len()).map(triangle).filter(|angle| !angle.is_nan()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::{Cuboid, Shape, Torus};

    fn cube(size: f64, at: [f64; 3]) -> Polygons {
        let mut cube = Shape::Box(Cuboid { size: [size; 3] }).polygons().unwrap();
        cube.vertices.iter_mut().for_each(|v| *v += DVec3::from(at));
        cube
    }

    fn over(mut mesh: Polygons) -> Polygons {
        let all: Vec<u32> = (0..mesh.faces.len() as u32).collect();
        mesh.turn(&all);
        mesh
    }

    fn joined(parts: &[Polygons]) -> Polygons {
        let mut all = Polygons::default();
        for part in parts {
            let shift = all.vertices.len() as u32;
            all.vertices.extend(&part.vertices);
            all.faces.extend(part.faces.iter().map(|f| f.iter().map(|v| v + shift).collect()));
        }
        all
    }

    /// The first faces of turned components, and the volume afterwards.
    fn turned(polygons: &Polygons) -> (Vec<u32>, f64) {
        let mut mesh = Polyhedron::new(polygons).unwrap();
        let components = mesh.turn_outward().components.clone();
        let once = mesh.clone();
        mesh.turn_outward();
        assert_eq!(mesh, once, "turning twice");
        let mut other = polygons.clone();
        other.turn(&mesh.turned().faces);
        assert_eq!(Polyhedron::new(&other).unwrap().volume(), mesh.volume());
        (components, mesh.volume())
    }

    #[test]
    fn what_is_inside_out_is_turned_and_a_cavity_is_not() {
        let [outer, inner] = [cube(2.0, [0.; 3]), cube(1.0, [0.1; 3])];
        assert_eq!(turned(&outer), (vec![], 8.0));
        assert_eq!(turned(&over(outer.clone())), (vec![0], 8.0));
        let hollow = joined(&[outer.clone(), over(inner.clone())]);
        assert_eq!(turned(&hollow), (vec![], 7.0));
        assert_eq!(turned(&over(hollow)), (vec![0, 6], 7.0));
        let beside = joined(&[outer, over(cube(1.0, [5.; 3])), over(cube(1.0, [9.; 3]))]);
        assert_eq!(turned(&beside), (vec![6, 12], 10.0));
    }

    #[test]
    fn what_a_ring_goes_round_does_not_lie_in_it() {
        let ring = Shape::Torus(Torus { major: 2.0, minor: 0.5, ..Torus::default() });
        let all = joined(&[ring.polygons().unwrap(), over(cube(0.5, [0.; 3]))]);
        let faces = all.faces.len() as u32;
        assert_eq!(turned(&all).0, [faces - 6]);
    }

    #[test]
    fn open_and_flat_surfaces_are_left_alone() {
        let mut open = over(cube(1.0, [0.; 3]));
        open.faces.pop();
        assert!(turned(&open).0.is_empty());
        let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]];
        let sheet = Polygons::new(corners, [[0, 1, 2], [0, 2, 1]]);
        assert!(turned(&sheet).0.is_empty());
    }

    #[test]
    fn turning_keeps_numbers_and_neighbours() {
        let polygons = over(cube(1.0, [0.; 3]));
        let before = Polyhedron::new(&polygons).unwrap();
        let mut mesh = before.clone();
        mesh.turn_outward();
        let right = Polyhedron::new(&over(polygons)).unwrap();
        for face in 0..6 {
            assert_eq!(mesh.normal(face), -before.normal(face));
            assert_eq!(mesh.normal(face), right.normal(face));
            let edges = mesh.face_edges(face).iter().map(|&e| mesh.edge(e));
            let corners = mesh.face(face);
            for (i, [p, q]) in edges.enumerate() {
                let ends = [corners[i], corners[(i + 1) % corners.len()]];
                assert_eq!([p.min(q), p.max(q)], [ends[0].min(ends[1]), ends[0].max(ends[1])]);
                let edge = mesh.face_edges(face)[i];
                let side = mesh.edge_sides(edge).iter().find(|side| side.face == face).unwrap();
                assert_eq!(side.left, ends == mesh.edge(edge));
            }
        }
        assert_eq!(mesh.positions(), before.positions());
    }
}
