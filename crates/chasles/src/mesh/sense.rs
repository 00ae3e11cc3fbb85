//! Which way the faces of a closed surface look.
//!
//! The sign of the volume tells, unless the surface passes through itself: one vertex that is
//! pulled through the body and far out of it has a spike behind it that is inside out, and may
//! outweigh the rest. So the faces are asked too, each of a few that stand for all. Seen from a
//! point of a face, all others fill half of the view from behind if the surface looks outwards
//! there:
//!
//! ```text
//!   winding number      0  |  1          sum of solid angles / 4 pi = (0 + 1) / 2
//!                  outside | inside                        inside out: (-1 + 0) / 2
//! ```
//!
//! That takes a pass over the surface for each. A surface that has a positive volume is asked only
//! if it looks inwards at a vertex that is farthest out in some direction.

use std::f64::consts::PI;

use glam::DVec3;

use super::Polyhedron;
use crate::numeric::solid_angle;

/// What is known of a closed component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    Outward,
    Inward,
    /// It has no volume.
    Flat,
    /// Its volume and its faces contradict each other.
    Doubtful,
}

/// Faces that are asked at most; of the largest meshes it is [`FEWEST`].
const MOST: u64 = 15;

/// With fewer a single odd one would decide.
const FEWEST: u64 = 3;

/// Solid angles that all faces together may take while more than the fewest are asked: some 0.4 s.
const ANGLES: u64 = 1 << 23;

/// Directions in which the farthest vertex is looked at, and their opposites. None is along an axis
/// or in a plane of symmetry of the usual shapes, where whole faces would be equally far.
const TILTED: [DVec3; 4] = [
    DVec3::new(0.83, 0.47, 0.31),
    DVec3::new(-0.29, 0.77, 0.57),
    DVec3::new(0.53, -0.37, 0.76),
    DVec3::new(-0.61, -0.43, 0.67),
];

/// A solid angle that is not 0 but for rounding, which is some 1e-15.
const CLEAR: f64 = 1e-9;

/// The faces of a closed component, and how many of them are asked.
pub(super) struct Surface<'m> {
    mesh: &'m Polyhedron,
    faces: &'m [u32],
    asked: usize,
}

impl<'m> Surface<'m> {
    /// `corners` is how many the faces of all components have together.
    pub(super) fn new(mesh: &'m Polyhedron, faces: &'m [u32], corners: u64) -> Self {
        let asked = (ANGLES / corners.max(1)).clamp(FEWEST, MOST) as usize;
        Self { mesh, faces, asked: asked.min(faces.len()) }
    }

    /// Which way the surface looks, given a number with the sign of its volume.
    ///
    /// *Guarantees* the sense of surfaces that do not pass through themselves. *Cost* linear.
    pub(super) fn sense(&self, volume: f64) -> Sense {
        if volume == 0.0 {
            return Sense::Flat;
        }
        if volume > 0.0 && self.is_outward_at_extremes() {
            return Sense::Outward;
        }
        match (volume > 0.0, self.majority()) {
            (true, Sense::Outward) => Sense::Outward,
            (false, Sense::Inward) => Sense::Inward,
            _ => Sense::Doubtful,
        }
    }

    /// How most of the faces that are asked look.
    fn majority(&self) -> Sense {
        let mut votes = [0; 2];
        for i in 0..self.asked {
            let face = self.faces[(2 * i + 1) * self.faces.len() / (2 * self.asked)];
            let half_turns = self.seen_around(face) / (2.0 * PI);
            votes[0] += usize::from(half_turns > 0.5);
            votes[1] += usize::from(half_turns < -0.5);
        }
        match votes.map(|count| 2 * count > self.asked) {
            [true, _] => Sense::Outward,
            [_, true] => Sense::Inward,
            _ => Sense::Doubtful,
        }
    }

    /// The solid angles of all other faces seen from the middle of one.
    fn seen_around(&self, own: u32) -> f64 {
        let corners = self.mesh.face(own);
        let sum: DVec3 = corners.iter().map(|&v| self.mesh.position(v)).sum();
        let from = sum / corners.len() as f64;
        let others = self.faces.iter().filter(|&&face| face != own);
        others.map(|&face| face_angle(self.mesh, face, from)).sum()
    }

    /// Whether the surface looks outwards at the vertices that are farthest in some directions.
    fn is_outward_at_extremes(&self) -> bool {
        let both = TILTED.iter().flat_map(|&d| [d, -d]);
        both.map(|d| self.angle_at(self.farthest(d), d)).all(|angle| angle > CLEAR)
    }

    fn farthest(&self, direction: DVec3) -> u32 {
        let height = |v: u32| self.mesh.position(v).dot(direction);
        let corners = self.faces.iter().flat_map(|&face| self.mesh.face(face));
        let higher = |best: (f64, u32), &v: &u32| {
            let height = height(v);
            if height > best.0 { (height, v) } else { best }
        };
        corners.fold((f64::NEG_INFINITY, 0), higher).1
    }

    /// The solid angle of what is behind the faces at a vertex, all of which are below it:
    /// positive if they look outwards.
    fn angle_at(&self, vertex: u32, up: DVec3) -> f64 {
        let ray = |v: u32| self.mesh.position(v) - self.mesh.position(vertex);
        let of_face = |face: u32| {
            let corners = self.mesh.face(face);
            let n = corners.len();
            let own = (0..n).filter(move |&i| corners[i] == vertex);
            own.map(move |i| [corners[(i + n - 1) % n], corners[(i + 1) % n]])
        };
        let faces = self.mesh.vertex_faces(vertex).iter();
        // Those of a component are in order.
        let own = faces.filter(|face| self.faces.binary_search(face).is_ok());
        let sectors = own.flat_map(|&face| of_face(face));
        sectors.map(|[before, after]| solid_angle([-up, ray(before), ray(after)])).sum()
    }
}

/// The solid angle of a face seen from a point, positive from behind.
pub(super) fn face_angle(mesh: &Polyhedron, face: u32, from: DVec3) -> f64 {
    let corners = mesh.face(face);
    let at = |i: usize| mesh.position(corners[i]) - from;
    (2..corners.len()).map(|i| solid_angle([at(0), at(i - 1), at(i)])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Polygons;
    use crate::mesh::shapes::{Cuboid, Gear, Nut, Shape, Sphere, Torus};

    fn sense(polygons: &Polygons) -> Sense {
        let mesh = Polyhedron::new(polygons).unwrap();
        let faces: Vec<u32> = (0..mesh.face_count() as u32).collect();
        Surface::new(&mesh, &faces, 1).sense(mesh.volume())
    }

    fn over(mut mesh: Polygons) -> Polygons {
        mesh.faces.iter_mut().for_each(|face| face.reverse());
        mesh
    }

    #[test]
    fn shapes_look_outwards_at_faces_and_extremes() {
        let shapes = [
            Shape::Box(Cuboid::default()),
            Shape::Torus(Torus::default()),
            Shape::Gear(Gear::default()),
            Shape::Nut(Nut::default()),
        ];
        for shape in shapes {
            let polygons = shape.polygons().unwrap();
            let mesh = Polyhedron::new(&polygons).unwrap();
            let faces: Vec<u32> = (0..mesh.face_count() as u32).collect();
            let surface = Surface::new(&mesh, &faces, 1);
            assert!(surface.is_outward_at_extremes(), "{shape:?}");
            assert_eq!(surface.majority(), Sense::Outward, "{shape:?}");
            assert_eq!(sense(&over(polygons)), Sense::Inward, "{shape:?}");
        }
    }

    /// A sphere; vertices of the side opposite to each place are pulled through it to there.
    fn pulled(places: &[f64]) -> Polygons {
        let sphere = Shape::Sphere(Sphere::default()).polygons().unwrap();
        let mut pulled = sphere.clone();
        for &x in places {
            let along = |v: usize| sphere.vertices[v].x * x.signum();
            let all = 0..sphere.vertices.len();
            let farthest = all.min_by(|&v, &w| along(v).total_cmp(&along(w))).unwrap();
            pulled.vertices[farthest].x = x;
        }
        pulled
    }

    #[test]
    fn one_vertex_does_not_decide() {
        assert_eq!(sense(&pulled(&[])), Sense::Outward);
        assert_eq!(sense(&pulled(&[3.0])), Sense::Outward);
        for far in [&[1e4][..], &[1e4, -1e4]] {
            let mesh = pulled(far);
            assert!(Polyhedron::new(&mesh).unwrap().volume() < 0.0);
            assert_eq!(sense(&mesh), Sense::Doubtful, "{far:?}");
        }
        let mesh = over(pulled(&[1e4]));
        assert!(Polyhedron::new(&mesh).unwrap().volume() > 0.0);
        assert_eq!(sense(&mesh), Sense::Doubtful);
        assert_eq!(sense(&over(pulled(&[3.0]))), Sense::Inward);
    }
}
