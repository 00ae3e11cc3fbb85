//! How near an open surface is to being closed.
//!
//! Where a surface ends, its edges have more faces on one side than on the other. Joining vertices
//! closes it if every such edge meets others that make up for it. So it is enough to look at those
//! edges and their ends: all others are balanced, and stay so whatever they are joined with.

use std::fmt;

use glam::DVec3;
use rustc_hash::FxHashMap;

use super::polyhedron::Polyhedron;
use super::weld::Groups;
use crate::numeric::Elementary;

/// Lengths are tried in factors of ten between these shares of the size: from below rounding to
/// what could only be a mistake.
const TRIED: std::ops::RangeInclusive<i32> = -16..=-2;

/// How often the factor of ten is halved: to one percent, and two digits are told.
const HALVINGS: usize = 9;

/// The most open edges for which lengths are tried, each in linear time: beyond this the surface
/// is a heap of faces, and one wants to know that rather than wait.
const MOST_EDGES: usize = 200_000;

/// How a surface is open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    /// Edges with more faces on one side than on the other.
    pub edges: usize,
    /// What would close it.
    pub remedy: Remedy,
}

/// What would close an open surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Remedy {
    /// Joining vertices within this length, about the smallest that does, rounded up to two digits.
    Weld(f64),
    /// No length up to a hundredth of the size: faces are missing, or turned the wrong way.
    None,
    /// Not looked for: there are too many open edges.
    Unknown,
}

impl Remedy {
    /// The length, if there is one.
    pub fn weld(self) -> Option<f64> {
        match self {
            Self::Weld(length) => Some(length),
            Self::None | Self::Unknown => None,
        }
    }
}

impl Polyhedron {
    /// How the surface is open, or none if all its components are closed.
    ///
    /// *Accepts* any mesh. *Guarantees* that a length that is named closes it: it was tried.
    /// *Cost* linear, and some 25 times linear in the open edges. *Fails* never.
    ///
    /// ```
    /// use chasles::mesh::{Opening, Remedy};
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// let mut polygons = Shape::Box(Cuboid::default()).polygons()?;
    /// polygons.faces.pop();
    /// let opening = chasles::Polyhedron::new(&polygons)?.opening();
    /// assert_eq!(opening, Some(Opening { edges: 4, remedy: Remedy::None }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn opening(&self) -> Option<Opening> {
        let border = Border::of(self);
        let edges = border.edges.len();
        let remedy = if edges > MOST_EDGES { Remedy::Unknown } else { self.remedy(&border) };
        (edges > 0).then_some(Opening { edges, remedy })
    }

    fn remedy(&self, border: &Border) -> Remedy {
        let [low, high] = self.bounds();
        let size = (high - low).max_element();
        let tried = TRIED.map(|exponent| size * 10_f64.powi(exponent));
        let Some(coarse) = tried.into_iter().find(|&length| border.is_closed_by(length)) else {
            return Remedy::None;
        };
        let length = two_digits(border.refined(coarse));
        let closes = |weld: f64| {
            Self::welded(&self.to_polygons(), weld).is_ok_and(|mesh| Border::of(&mesh).is_empty())
        };
        [length, coarse].into_iter().find(|&weld| closes(weld)).map_or(Remedy::None, Remedy::Weld)
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.edges {
            1 => write!(f, "1 edge is open")?,
            edges => write!(f, "{edges} edges are open")?,
        }
        match self.remedy {
            Remedy::Weld(length) => {
                write!(f, "; joining vertices within {length:e} would close it")
            }
            Remedy::None => {
                write!(f, "; joining vertices within a hundredth of its size would not close it")
            }
            Remedy::Unknown => write!(f, ", too many to look for vertices to join"),
        }
    }
}

/// Rounded up to two digits.
fn two_digits(length: f64) -> f64 {
    let digits = |length: f64| format!("{length:.1e}").parse().unwrap_or(length);
    let nearest: f64 = digits(length);
    let unit = 10_f64.to_power(length.logarithm_10().floor() - 1.0);
    if nearest >= length { nearest } else { digits(nearest + unit) }
}

/// The open edges, each as many times as faces are missing and from its start to its end, and the
/// places of their ends.
struct Border {
    places: Vec<DVec3>,
    edges: Vec<[u32; 2]>,
    excess: Vec<i32>,
}

impl Border {
    fn of(mesh: &Polyhedron) -> Self {
        let mut numbers = FxHashMap::default();
        let mut border = Self { places: Vec::new(), edges: Vec::new(), excess: Vec::new() };
        for edge in 0..mesh.edge_count() as u32 {
            let sides = mesh.edge_sides(edge).iter();
            let excess: i32 = sides.map(|side| if side.left { 1 } else { -1 }).sum();
            if excess == 0 {
                continue;
            }
            let ends = mesh.edge(edge).map(|v| {
                *numbers.entry(v).or_insert_with(|| {
                    border.places.push(mesh.position(v));
                    border.places.len() as u32 - 1
                })
            });
            border.edges.push(ends);
            border.excess.push(excess);
        }
        border
    }

    fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Whether joining the ends of open edges within a length balances them all and keeps each.
    fn is_closed_by(&self, length: f64) -> bool {
        let alone: Vec<u32> = (0..self.places.len() as u32).collect();
        let Some(groups) = Groups::near(&self.places, &alone, length) else { return false };
        let mut balance = FxHashMap::default();
        for (&ends, &excess) in self.edges.iter().zip(&self.excess) {
            let [p, q] = ends.map(|v| groups.root[v as usize]);
            if p == q {
                return false;
            }
            let along = if p < q { excess } else { -excess };
            *balance.entry([p.min(q), p.max(q)]).or_insert(0) += along;
        }
        balance.values().all(|&sum| sum == 0)
    }

    /// A length that closes the border, between a tenth of `length`, which does not, and `length`.
    fn refined(&self, length: f64) -> f64 {
        let [mut open, mut closed] = [length / 10.0, length];
        for _ in 0..HALVINGS {
            let middle = (open * closed).sqrt();
            if self.is_closed_by(middle) {
                closed = middle;
            } else {
                open = middle;
            }
        }
        closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Polygons;
    use crate::mesh::shapes::{Cuboid, Shape, Torus};

    /// Each face with corners of its own, moved by up to `noise` in each direction.
    fn soup(shape: &Shape, noise: f64) -> Polygons {
        let polygons = shape.polygons().expect("a shape");
        let mut soup = Polygons::default();
        for (face, corners) in polygons.faces.iter().enumerate() {
            let copy = |(i, &v): (usize, &u32)| {
                let turn = f64::from(7 * face as u32 + 3 * i as u32);
                polygons.vertices[v as usize] + noise * DVec3::new(turn.sin(), turn.cos(), 1.0)
            };
            let first = soup.vertices.len() as u32;
            soup.vertices.extend(corners.iter().enumerate().map(copy));
            soup.faces.push((first..soup.vertices.len() as u32).collect());
        }
        soup
    }

    #[test]
    fn the_weld_that_is_named_closes_and_a_smaller_one_does_not() {
        for shape in [Shape::Box(Cuboid::default()), Shape::Torus(Torus::default())] {
            let soup = soup(&shape, 1e-6);
            let mesh = Polyhedron::new(&soup).expect("a mesh");
            let opening = mesh.opening().expect("open everywhere");
            assert_eq!(opening.edges, soup.vertices.len());
            let Remedy::Weld(length) = opening.remedy else { panic!("{opening:?}") };
            assert!(length < 4e-6, "{length}");
            let with = |weld: f64| Polyhedron::welded(&soup, weld).expect("a mesh");
            assert!(with(length).is_closed() && with(length).opening().is_none());
            assert!(!with(0.9 * length).is_closed());
        }
    }

    #[test]
    fn lengths_are_rounded_up_to_two_digits() {
        assert_eq!([1.01e-7, 9.99e-7, 0.12].map(two_digits), [1.1e-7, 1e-6, 0.12]);
    }
}
