//! A vertex that is far away from all others, as scans have now and then.
//!
//! Bounds are kept in units of a body's reach, with the digits of singles, so beside a vertex that
//! is ten thousand times as far away as the body is large its features cannot be told apart, and a
//! query looks at all pairs.

use glam::DVec3;

use super::polygons::{MeshError, Polygons};

/// Fewer vertices do not tell what is usual.
const FEWEST: usize = 64;

/// More vertices far away are a part of the mesh, such as a large floor.
const MOST_STRAY: usize = 3;

/// So many times the size of the rest: the bounds of features of a hundredth of the size then still
/// have a digit.
const FAR: f64 = 1e4;

impl Polygons {
    /// Refuses a mesh of which a vertex, or up to three, is ten thousand times as far away from the
    /// others as these are from each other. Queries of such a mesh are right, but take time and
    /// memory for all pairs of features.
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
}
