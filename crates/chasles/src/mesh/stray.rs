//! A vertex that is far away from all others, as scans have now and then.
//!
//! Bounds are kept in units of a body's reach, with the digits of singles, so beside a vertex that
//! is ten thousand times as far away as the body is large they hardly tell its features apart, and
//! queries take longer. What counts as touching is a share of the reach, too: where most edges are
//! shorter than that, each would touch each, and no such mesh is made.

use glam::DVec3;

use super::plane::extent;
use super::polygons::{MeshError, Polygons};

/// Fewer vertices do not tell what is usual.
const FEWEST: usize = 64;

/// More vertices far away are a part of the mesh, such as a large floor.
const MOST_STRAY: usize = 3;

/// So many times the size of the rest: the bounds of features of a hundredth of the size then still
/// have a digit.
const FAR: f64 = 1e4;

/// Edges below this share of the size are lost: it is some 30 times what counts as touching for a
/// body of that size.
const LOST: f64 = 1e-12;

impl Polygons {
    /// Refuses a mesh of which more than half of the edges, and so many that their pairs count, are
    /// lost beside its size. The vertex that is farthest from the middle one is named.
    pub(super) fn check_lost(&self) -> Result<(), MeshError> {
        let short = LOST * extent(&self.vertices);
        let at = |v: u32| self.vertices[v as usize];
        let mut counts = [0usize; 2];
        let mut count = |v: u32, w: u32| {
            let length = at(v).distance(at(w));
            // Corners that repeat are no edges.
            counts[usize::from(length < short)] += usize::from(length > 0.0);
        };
        for face in &self.faces {
            let next = face.iter().cycle().skip(1);
            face.iter().zip(next).for_each(|(&v, &w)| count(v, w));
        }
        self.segments.iter().for_each(|&[v, w]| count(v, w));
        let [kept, lost] = counts;
        if lost <= kept.max(FEWEST) {
            return Ok(());
        }
        let middle = self.ranked(self.vertices.len() / 2);
        let far = |&(_, p): &(usize, &DVec3)| (*p - middle).abs().max_element();
        let all = self.vertices.iter().enumerate();
        match all.max_by(|p, q| far(p).total_cmp(&far(q)).then(q.0.cmp(&p.0))) {
            Some((vertex, &position)) => Err(MeshError::LostBesideVertex { vertex, position }),
            None => Ok(()),
        }
    }

    /// Refuses a mesh of which a vertex, or up to three, is ten thousand times as far away from the
    /// others as these are from each other. Queries of such a mesh are right, and take memory as
    /// for any, but up to some hundred times as long: seconds beside a vertex at 1e9.
    ///
    /// *Accepts* any mesh. *Guarantees* the first such vertex in the error. *Cost* linear. *Fails*
    /// with [`MeshError::StrayVertex`].
    ///
    /// ```
    /// use chasles::Polygons;
    /// use chasles::mesh::shapes::{Shape, Sphere};
    /// let mut ball = Shape::Sphere(Sphere::default()).polygons()?;
    /// assert!(ball.check_strays().is_ok());
    /// ball.vertices[17].x = 1e6;
    /// assert!(ball.check_strays().unwrap_err().to_string().starts_with("vertex 17 "));
    /// # Ok::<(), chasles::mesh::shapes::ShapeError>(())
    /// ```
    pub fn check_strays(&self) -> Result<(), MeshError> {
        if self.vertices.len() < FEWEST {
            return Ok(());
        }
        // All but a few vertices are in this box, and these do not move it.
        let few = self.vertices.len() / 16;
        let [low, high] = [few, self.vertices.len() - 1 - few].map(|rank| self.ranked(rank));
        let size = (high - low).length();
        let beyond = |p: DVec3| (p - p.clamp(low, high)).length();
        let is_far = |p: DVec3| beyond(p) > FAR * size;
        let mut far = self.vertices.iter().enumerate().filter(|&(_, &p)| is_far(p));
        let first = far.next();
        match first {
            Some((vertex, &position)) if size > 0.0 && far.count() < MOST_STRAY => {
                Err(MeshError::StrayVertex { vertex, position, sizes: beyond(position) / size })
            }
            _ => Ok(()),
        }
    }

    /// The coordinates that so many vertices are below, axis by axis.
    fn ranked(&self, rank: usize) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|axis| {
            let mut all: Vec<f64> = self.vertices.iter().map(|p| p[axis]).collect();
            *all.select_nth_unstable_by(rank, f64::total_cmp).1
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Polyhedron;
    use crate::mesh::shapes::{Shape, Torus};

    fn torus(far: &[f64]) -> Polygons {
        let mut mesh = Shape::Torus(Torus::default()).polygons().expect("a torus");
        far.iter().enumerate().for_each(|(i, &x)| mesh.vertices[10 + i].y = x);
        mesh
    }

    #[test]
    fn up_to_three_vertices_far_away_are_refused_by_number() {
        for far in [&[427_411.0][..], &[-1e20], &[1e9, -1e9, 1e50]] {
            let error = torus(far).check_strays().unwrap_err();
            assert!(matches!(error, MeshError::StrayVertex { vertex: 10, .. }), "{error}");
        }
        for near in [&[][..], &[100.0], &[1e6; 4]] {
            assert_eq!(torus(near).check_strays(), Ok(()));
        }
        let flat = Polygons::new([[1.0; 3]; 99], [[0, 1, 2]]);
        assert_eq!(flat.check_strays(), Ok(()));
    }

    #[test]
    fn a_mesh_that_is_lost_beside_far_vertices_is_not_made() {
        for far in [&[1e20][..], &[-1e15, 1e14], &[1e20; 9]] {
            let error = Polyhedron::new(&torus(far)).unwrap_err();
            assert!(matches!(error, MeshError::LostBesideVertex { vertex: 10, .. }), "{error}");
            assert_eq!(Polyhedron::welded(&torus(far), 0.0), Err(error));
        }
        for near in [&[][..], &[427_411.0], &[1e10; 9]] {
            assert!(Polyhedron::new(&torus(near)).is_ok(), "{near:?}");
        }
        // Of few edges all pairs are soon looked at.
        let few = Polygons::new([[0.0; 3], [1.0; 3], [1e30; 3]], [[0, 1, 2]]);
        assert!(Polyhedron::new(&few).is_ok());
    }
}
