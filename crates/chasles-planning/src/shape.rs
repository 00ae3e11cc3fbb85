//! Colliders of links.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use chasles::glam::DVec3;
use chasles::mesh::files;
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::query::Geometry;
use chasles::{Polygons, Polyhedron};

use crate::error::RobotError;
use crate::frame::Frame;
use crate::packages::Packages;
use crate::part;
use crate::xml::{self, Element};

/// The largest mesh file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 28;

/// Scales of meshes are between one over this and this.
const MOST_SCALE: f64 = 1e6;

/// Meshes of a robot, each read once for each of its scales.
pub(crate) struct Meshes<'p> {
    packages: &'p Packages,
    folder: Option<&'p Path>,
    known: HashMap<(PathBuf, [u64; 3]), Geometry>,
}

impl<'p> Meshes<'p> {
    pub(crate) fn new(packages: &'p Packages, folder: Option<&'p Path>) -> Self {
        Self { packages, folder, known: HashMap::new() }
    }

    fn mesh(&mut self, element: Element) -> Result<Geometry, RobotError> {
        let name = element.needed("filename")?;
        let scale = scale(element)?;
        let failed = |reason: String| element.error(format!("the mesh {name:?}: {reason}"));
        let path = self.packages.find(name, self.folder).map_err(failed)?;
        let key = (path, scale.to_array().map(f64::to_bits));
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let polygons = read(&key.0).map_err(failed)?;
        let scaled = Polygons {
            vertices: polygons.vertices.iter().map(|&vertex| vertex * scale).collect(),
            ..polygons
        };
        let mesh = Polyhedron::new(&scaled).map_err(|error| failed(error.to_string()))?;
        let geometry = Geometry::mesh(mesh);
        self.known.insert(key, geometry.clone());
        Ok(geometry)
    }
}

fn read(path: &Path) -> Result<Polygons, String> {
    xml::check_size(path, MOST_BYTES)?;
    let polygons = files::load(path).map_err(|error| error.to_string())?;
    let Polygons { faces, segments, points, .. } = &polygons;
    match faces.is_empty() && segments.is_empty() && points.is_empty() {
        true => Err("it has no faces: nothing would collide with it".into()),
        false => Ok(polygons),
    }
}

fn scale(element: Element) -> Result<DVec3, RobotError> {
    let scale = element.triple("scale")?.unwrap_or(DVec3::ONE);
    let is_usable = |s: f64| (1.0 / MOST_SCALE..=MOST_SCALE).contains(&s.abs());
    if scale.to_array().into_iter().all(is_usable) {
        Ok(scale)
    } else {
        let range = format!("between {:e} and {MOST_SCALE:e}", 1.0 / MOST_SCALE);
        Err(element.error(format!("`scale` is {scale}: each should be {range}, or minus that")))
    }
}

/// A <collision>: its shape, and where it is in the frame of the link.
pub(crate) fn collider(
    collision: Element,
    meshes: &mut Meshes,
) -> Result<(Frame, Geometry), RobotError> {
    let (shift, turn) = collision.origin()?;
    let geometry = collision.needed_child("geometry")?;
    let mut shapes = geometry.elements();
    match (shapes.next(), shapes.next()) {
        (Some(shape), None) => {
            let (frame, geometry) = (Frame { turn, shift }, self::geometry(shape, meshes)?);
            let checked = part::check(shape.name(), &frame, &geometry);
            checked.map_err(|error| shape.error(error.to_string()))?;
            Ok((frame, geometry))
        }
        (_, Some(second)) => Err(second.error("a second shape in <geometry>")),
        (None, _) => Err(geometry.error("<geometry> needs a shape")),
    }
}

fn geometry(shape: Element, meshes: &mut Meshes) -> Result<Geometry, RobotError> {
    // The axis of cylinders and capsules is z, and their middle is the origin.
    let ends = |length: f64| [DVec3::Z * (-0.5 * length), DVec3::Z * (0.5 * length)];
    let made = match shape.name() {
        "box" => return cuboid(shape),
        "mesh" => return meshes.mesh(shape),
        "sphere" => Geometry::sphere(shape.length("radius")?),
        "cylinder" => Geometry::cylinder(ends(shape.length("length")?), shape.length("radius")?),
        "capsule" => Geometry::capsule(ends(shape.length("length")?), shape.length("radius")?),
        name => {
            return Err(shape.error(format!(
                "<{name}> is not a shape: it should be box, sphere, cylinder, capsule or mesh"
            )));
        }
    };
    made.map_err(|error| shape.error(error.to_string()))
}

fn cuboid(shape: Element) -> Result<Geometry, RobotError> {
    let missing = || shape.error("<box> needs the attribute `size`");
    let size = shape.triple("size")?.ok_or_else(missing)?;
    if size.min_element() <= 0.0 {
        return Err(shape.error(format!("`size` is {size}: each should be more than 0")));
    }
    let cuboid = Cuboid { size: size.to_array() };
    Geometry::shape(&Shape::Box(cuboid)).map_err(|error| shape.error(error.to_string()))
}
