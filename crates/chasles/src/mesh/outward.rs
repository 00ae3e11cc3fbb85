//! Closed components that are inside out, and how they are turned.
//!
//! Some programs write faces clockwise. Then a closed surface has a negative volume, and what asks
//! for the outside finds the inside (`sense.rs`). A cavity has a negative volume too, and rightly
//! so; it lies in another component, and that is how the two are told apart.

use std::f64::consts::TAU;

use glam::DVec3;

use super::components::Components;
use super::mass::{middle, six_volumes};
use super::nesting::{Boxes, NOWHERE};
use super::sense::{Sense, Surface, face_angle};
use super::{Polygons, Polyhedron, Rows};

/// What [`Polyhedron::turn_outward`] turned, and what it could not tell, in the numbers of the
/// input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turned {
    /// Of each component that was turned, the lowest number of its faces.
    pub components: Vec<u32>,
    /// All faces that were turned, in order.
    pub faces: Vec<u32>,
    /// The same of closed components that pass through themselves, so that their volume has one
    /// sign and most of their faces look the other way. They are left as they are.
    pub doubtful: Vec<u32>,
    /// Whether there are components of negative volume, and so many or so large ones that it would
    /// take too long to tell which are cavities. Then nothing is turned.
    pub undecided: bool,
}

/// A volume smaller than this, relative to the area times the size of the mesh, has no sign: far
/// above its rounding (1e-16), far below that of any sheet with a thickness.
const FLAT: f64 = 1e-12;

/// Work after which all components are left as they are: about a second. Only meshes with thousands
/// of parts of negative volume in very large ones need as much.
const WORK: u64 = 1 << 28;

/// The work of a triangle, in comparisons of boxes.
const TRIANGLE: u64 = 16;

impl Polyhedron {
    /// Turns closed components that are inside out.
    ///
    /// These are the closed components of negative volume that lie in no other closed component,
    /// and with them whatever lies inside, so that a cavity stays one. A component of negative
    /// volume that lies in another is a cavity, and is left alone. One that passes through itself
    /// is left alone too, if its volume has one sign and most of its faces look the other way.
    ///
    /// *Accepts* any mesh. *Guarantees* that positions, numbers and labels of all features stay;
    /// loops of the faces run the other way, and their normals are opposite. Calling it again
    /// changes nothing. *Cost* `n log n` in the mesh, plus that of placing components of negative
    /// volume in those around them, which is given up after about a second. *Fails* never; what is
    /// left alone for doubt or time is said.
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
        let found = parts.report(is_turned.as_deref());
        let is_over = is_turned.filter(|all| all.contains(&true)).map(|all| {
            let of_face = parts.components.of_face.iter();
            of_face.map(|&component| all[component as usize]).collect::<Vec<bool>>()
        });
        match is_over {
            Some(is_over) => self.turn_over(&is_over, found),
            None => self.leave(found),
        }
        self.turned()
    }

    /// What [`Polyhedron::turn_outward`] would turn.
    ///
    /// *Accepts*, *Cost* and *Fails* as that does.
    pub fn inside_out(&self) -> Turned {
        let parts = Parts::of(self);
        parts.report(parts.inside_out().as_deref())
    }
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
    /// For each component its faces, its box, and which way it looks if it is closed.
    faces: Rows<u32>,
    boxes: Vec<[DVec3; 2]>,
    senses: Vec<Option<Sense>>,
}

impl<'m> Parts<'m> {
    fn of(mesh: &'m Polyhedron) -> Self {
        let components = Components::of(mesh);
        let of_face = components.of_face.iter().copied();
        let faces = Rows::from_pairs(components.count, of_face.zip(0..));
        let size = mesh.bounds()[1] - mesh.bounds()[0];
        let middle = middle(mesh);
        let volumes = components.sums(|face| six_volumes(mesh, face, middle));
        let areas = components.sums(|face| doubled_area(mesh, face));
        let each = 0..components.count as u32;
        let boxes = each.clone().map(|c| bounds(mesh, faces.row(c))).collect();
        let corners = corners(mesh, &Vec::from_iter(0..mesh.face_count() as u32));
        let sense = |c: u32| {
            let (volume, own) = (volumes[c as usize], faces.row(c));
            let has_volume = volume.abs() > FLAT * areas[c as usize] * size.max_element();
            let surface = Surface::new(mesh, own, corners);
            let is_closed = !mesh.is_two_sided(own[0]);
            is_closed.then(|| surface.sense(if has_volume { volume } else { 0.0 }))
        };
        let senses = each.map(sense).collect();
        Self { mesh, faces, boxes, senses, components }
    }

    /// The components for which it is so.
    fn which(&self, holds: impl Fn(usize) -> bool) -> Vec<u32> {
        (0..self.components.count).filter(|&part| holds(part)).map(|part| part as u32).collect()
    }

    /// For each component whether it is turned, unless that takes too long to tell.
    fn inside_out(&self) -> Option<Vec<bool>> {
        let mut work = 0;
        let mut turned = vec![false; self.components.count];
        let inward = self.which(|part| self.senses[part] == Some(Sense::Inward));
        if inward.is_empty() {
            return Some(turned);
        }
        let closed = self.which(|part| self.senses[part].is_some());
        let all = Boxes::new(&self.boxes, closed.clone());
        for part in inward {
            turned[part as usize] = !self.is_in_any(part, &all, &mut work)?;
        }
        let outer = Boxes::new(&self.boxes, self.which(|part| turned[part]));
        for part in closed {
            turned[part as usize] |= self.is_in_any(part, &outer, &mut work)?;
        }
        Some(turned)
    }

    /// Whether a component lies in another one of those, unless there is no time to tell.
    fn is_in_any(&self, part: u32, others: &Boxes, work: &mut u64) -> Option<bool> {
        let (around, looked_at) = others.around(self.boxes[part as usize]);
        *work += looked_at;
        for other in around.into_iter().filter(|&other| other != part) {
            *work += 3 * TRIANGLE * corners(self.mesh, self.faces.row(other));
            if *work > WORK {
                return None;
            }
            if self.is_within(part, other) {
                return Some(true);
            }
        }
        (*work <= WORK).then_some(false)
    }

    /// Whether a component lies in another: two of three of its corners do.
    fn is_within(&self, part: u32, other: u32) -> bool {
        let [own, around] = [part, other].map(|c| self.faces.row(c));
        let is_in = |&face: &u32| {
            let corner = self.mesh.position(self.mesh.face(face)[0]);
            let angles = around.iter().map(|&face| face_angle(self.mesh, face, corner));
            angles.sum::<f64>().abs() > TAU
        };
        let samples = [0, own.len() / 2, own.len() - 1].map(|i| &own[i]);
        samples.into_iter().filter(|face| is_in(face)).count() >= 2
    }

    /// What is said of it, in the numbers of the input.
    fn report(&self, is_turned: Option<&[bool]>) -> Turned {
        let turned = self.which(|part| is_turned.is_some_and(|all| all[part]));
        let doubtful = self.which(|part| self.senses[part] == Some(Sense::Doubtful));
        let label = |&face: &u32| self.mesh.face_label(face);
        let firsts = |parts: &[u32]| {
            let first = |&part: &u32| self.faces.row(part).iter().map(label).min();
            let mut firsts: Vec<u32> = parts.iter().filter_map(first).collect();
            firsts.sort_unstable();
            firsts
        };
        let mut faces: Vec<u32> =
            turned.iter().flat_map(|&part| self.faces.row(part)).map(label).collect();
        faces.sort_unstable();
        faces.dedup();
        Turned {
            components: firsts(&turned),
            faces,
            doubtful: firsts(&doubtful),
            undecided: is_turned.is_none(),
        }
    }
}

/// How many corners some faces have.
fn corners(mesh: &Polyhedron, faces: &[u32]) -> u64 {
    faces.iter().map(|&face| mesh.face(face).len() as u64).sum()
}

/// Lowest and highest coordinates of some faces.
fn bounds(mesh: &Polyhedron, faces: &[u32]) -> [DVec3; 2] {
    let corners = faces.iter().flat_map(|&face| mesh.face(face)).map(|&v| mesh.position(v));
    corners.fold(NOWHERE, |[low, high], p| [low.min(p), high.max(p)])
}

fn doubled_area(mesh: &Polyhedron, face: u32) -> f64 {
    let corners = mesh.face(face);
    let at = |i: usize| mesh.position(corners[i]) - mesh.position(corners[0]);
    (2..corners.len()).map(|i| at(i - 1).cross(at(i))).sum::<DVec3>().length()
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
        let volume = Polyhedron::new(&other).unwrap().volume();
        assert!((volume - mesh.volume()).abs() <= 1e-12 * volume.abs());
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
    fn thousands_of_parts_are_turned_at_once() {
        let place = |i: u32| [i % 20, i / 20 % 20, i / 400].map(|x| 2.0 * f64::from(x));
        let cubes: Vec<Polygons> = (0..8_000).map(|i| over(cube(1.0, place(i)))).collect();
        let (components, volume) = turned(&joined(&cubes));
        assert_eq!((components.len(), volume), (8_000, 8_000.0));
    }

    #[test]
    fn all_are_left_where_placing_them_takes_too_long() {
        // No ring holds another or a bead, but its box does.
        let ring = Torus { major: 2.0, minor: 0.02, segments: [60, 12] };
        let ring = over(Shape::Torus(ring).polygons().unwrap());
        let mut parts: Vec<Polygons> = vec![ring; 20];
        for (i, part) in parts.iter_mut().enumerate() {
            part.vertices.iter_mut().for_each(|v| *v *= 1.0 + 0.1 * i as f64);
        }
        assert_eq!(turned(&joined(&parts)).0.len(), 20);
        let place = |i: u32| [i % 50, 0, i / 50].map(|x| 0.01 * f64::from(x));
        parts.extend((0..1_000).map(|i| over(cube(1e-3, place(i)))));
        let mesh = Polyhedron::new(&joined(&parts)).unwrap();
        let found = mesh.inside_out();
        assert!(found.undecided && found.faces.is_empty() && found.components.is_empty());
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
