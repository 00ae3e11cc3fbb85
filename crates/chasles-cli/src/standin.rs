//! Stands in for `chasles::mesh::{shapes, files, Inspection}` until they are there.

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use chasles::{Polygons, Polyhedron};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A built-in shape.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// A box around the origin.
    Box(Cuboid),
    /// A torus around the y axis, of quads.
    Torus(Torus),
    /// A car; here a box.
    Car(Car),
}

/// A box.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Cuboid {
    size: [f64; 3],
}

impl Default for Cuboid {
    fn default() -> Self {
        Self { size: [1.0; 3] }
    }
}

/// A torus.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Torus {
    major: f64,
    minor: f64,
    segments: [u32; 2],
}

impl Default for Torus {
    fn default() -> Self {
        Self { major: 1.0, minor: 0.3, segments: [20, 15] }
    }
}

/// A car.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Car {
    length: f64,
}

impl Default for Car {
    fn default() -> Self {
        Self { length: 4.0 }
    }
}

/// Why a shape cannot be built.
#[derive(Debug, Error)]
pub enum ShapeError {
    /// A length must be above 0.
    #[error("`{0}` must be a positive number")]
    NotPositive(&'static str),
    /// Too few segments.
    #[error("`segments` must be at least 3")]
    TooFew,
}

impl Shape {
    /// Vertices and faces.
    pub fn polygons(&self) -> Result<Polygons, ShapeError> {
        match self {
            Self::Box(Cuboid { size }) => cuboid(*size),
            Self::Torus(shape) => torus(shape),
            Self::Car(Car { length }) => cuboid([*length, 0.3 * length, 0.4 * length]),
        }
    }
}

fn cuboid(size: [f64; 3]) -> Result<Polygons, ShapeError> {
    if size.iter().any(|&s| s <= 0.0) {
        return Err(ShapeError::NotPositive("size"));
    }
    let corner = |i: usize| {
        let side = |axis: usize| (((i >> axis) & 1) as f64 - 0.5) * size[axis];
        [side(0), side(1), side(2)]
    };
    let faces: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    Ok(Polygons::new((0..8).map(corner), faces))
}

fn torus(
    &Torus { major, minor, segments: [around, across] }: &Torus,
) -> Result<Polygons, ShapeError> {
    if major <= 0.0 || minor <= 0.0 {
        return Err(ShapeError::NotPositive("major"));
    }
    if around < 3 || across < 3 {
        return Err(ShapeError::TooFew);
    }
    let mut polygons = Polygons::default();
    for i in 0..around {
        for j in 0..across {
            let u = TAU * f64::from(i) / f64::from(around);
            let v = TAU * f64::from(j) / f64::from(across);
            let r = major + minor * v.cos();
            polygons.vertices.push([r * u.cos(), minor * v.sin(), -r * u.sin()].into());
            let (next_i, next_j) = ((i + 1) % around, (j + 1) % across);
            let at = |i: u32, j: u32| i * across + j;
            polygons.faces.push(vec![at(i, j), at(next_i, j), at(next_i, next_j), at(i, next_j)]);
        }
    }
    Ok(polygons)
}

/// Why a mesh file cannot be read.
#[derive(Debug, Error)]
pub enum FileError {
    /// The system says no.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// Not OBJ.
    #[error("line {0}: expected `v x y z` or `f i j k ...`")]
    Line(usize),
}

/// Reads the plainest OBJ.
pub fn load(path: &Path) -> Result<Polygons, FileError> {
    let mut polygons = Polygons::default();
    for (number, line) in fs::read_to_string(path)?.lines().enumerate() {
        let wrong = || FileError::Line(number + 1);
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let xyz: Option<Vec<f64>> = words.map(|w| w.parse().ok()).collect();
                let xyz: [f64; 3] = xyz.and_then(|v| v.try_into().ok()).ok_or_else(wrong)?;
                polygons.vertices.push(xyz.into());
            }
            Some("f") => {
                let face: Option<Vec<u32>> =
                    words.map(|w| w.parse::<u32>().ok()?.checked_sub(1)).collect();
                polygons.faces.push(face.ok_or_else(wrong)?);
            }
            None => {}
            Some(word) if word.starts_with('#') => {}
            Some(_) => return Err(wrong()),
        }
    }
    Ok(polygons)
}

/// Counts of an inspection.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Counts {
    pub(crate) input_vertices: usize,
    pub(crate) input_faces: usize,
    pub(crate) vertices: usize,
    pub(crate) edges: usize,
    pub(crate) faces: usize,
}

/// What can be said about a mesh; the fields that `inspect.rs` prints.
#[derive(Clone, Debug, Serialize)]
pub struct Inspection {
    pub(crate) counts: Counts,
    pub(crate) closed: bool,
    pub(crate) manifold: bool,
    pub(crate) oriented: bool,
    pub(crate) planar: bool,
    pub(crate) bounds: [[f64; 3]; 2],
    pub(crate) volume: f64,
    pub(crate) findings: Vec<String>,
}

impl Inspection {
    /// Looks the mesh over.
    pub fn new(polygons: &Polygons, mesh: &Polyhedron) -> Self {
        let sides = || (0..mesh.edge_count() as u32).map(|edge| mesh.edge_sides(edge));
        let pyramid = |face: u32| {
            let [p, rest @ ..] = mesh.face(face) else { return 0.0 };
            let at = |v: u32| mesh.position(v);
            rest.windows(2).map(|w| at(*p).dot(at(w[0]).cross(at(w[1]))) / 6.0).sum()
        };
        Self {
            counts: Counts {
                input_vertices: polygons.vertices.len(),
                input_faces: polygons.faces.len(),
                vertices: mesh.vertex_count(),
                edges: mesh.edge_count(),
                faces: mesh.face_count(),
            },
            closed: mesh.is_closed(),
            manifold: sides().all(|sides| sides.len() <= 2),
            oriented: sides().all(|s| s.len() != 2 || s[0].left != s[1].left),
            planar: mesh.face_count() == polygons.faces.len(),
            bounds: mesh.bounds().map(|corner| corner.to_array()),
            volume: (0..mesh.face_count() as u32).map(pyramid).sum(),
            findings: Vec::new(),
        }
    }
}
