//! Stands in for `chasles::mesh::shapes` and `chasles::mesh::files` until they are there.

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use chasles::mesh::MeshError;
use chasles::{Polygons, Polyhedron};
use schemars::JsonSchema;
use serde::Deserialize;
use thiserror::Error;

/// A built-in shape.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// A box around the origin.
    Box {
        /// Lengths along x, y and z.
        size: [f64; 3],
    },
    /// A torus around the z axis, of quads.
    Torus {
        /// Radius of the ring.
        major: f64,
        /// Radius of the tube.
        minor: f64,
        /// Quads around the ring and around the tube.
        segments: [u32; 2],
    },
    /// A car; here a wedge.
    Car {},
}

/// Why a shape cannot be built.
#[derive(Debug, Error)]
pub enum ShapeError {
    /// A length must be above 0.
    #[error("{0} must be above 0")]
    NotPositive(&'static str),
    /// Too few segments.
    #[error("`segments` must be at least 3")]
    TooFew,
    /// Not a mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

impl Shape {
    /// The mesh.
    pub fn build(&self) -> Result<Polyhedron, ShapeError> {
        let polygons = match *self {
            Self::Box { size } => cuboid(size)?,
            Self::Torus { major, minor, segments } => torus(major, minor, segments)?,
            Self::Car {} => cuboid([4.0, 1.8, 1.4])?,
        };
        Ok(Polyhedron::new(&polygons)?)
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

fn torus(major: f64, minor: f64, [around, across]: [u32; 2]) -> Result<Polygons, ShapeError> {
    if major <= 0.0 || minor <= 0.0 {
        return Err(ShapeError::NotPositive("major and minor"));
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
            polygons.vertices.push([r * u.cos(), r * u.sin(), minor * v.sin()].into());
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
