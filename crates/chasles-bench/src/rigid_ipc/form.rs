//! The surface of a body of the benchmark in its size, and its mass.

use std::path::Path;

use chasles::glam::DVec3;
use chasles::mesh::{Polygons, files};
use chasles::{Collider, Polyhedron};
use chasles_dynamics::body::{BodyError, MassProperties};

use super::convert::Failure;
use super::fixture::{Entry, Scale};

/// The thickness of rods and beads that stand for edges and points, as a share of the body's size:
/// their mass is given, and so thin they have no other part in the inertia.
const THIN: f64 = 1e-3;

/// A surface, and what it would weigh.
pub(super) struct Form {
    pub(super) mesh: Polyhedron,
    pub(super) mass_properties: MassProperties,
}

/// The surfaces of a body: one, or its connected pieces.
pub(super) fn forms(entry: &Entry, meshes: &Path) -> Result<Vec<Form>, Failure> {
    let polygons = polygons(entry, meshes)?;
    let all = if entry.split_components { polygons.pieces()? } else { vec![polygons] };
    let form = |polygons: &Polygons| {
        let mesh = Polyhedron::new(polygons)?;
        Ok(Form { mass_properties: mass_properties(&mesh, entry.density)?, mesh })
    };
    all.iter().map(form).collect()
}

impl Form {
    /// The same surface with the centre of mass at the origin.
    pub(super) fn centred(&self) -> Result<Collider, Failure> {
        let mut polygons = self.mesh.to_polygons();
        let centre = self.mass_properties.centre();
        polygons.vertices.iter_mut().for_each(|vertex| *vertex -= centre);
        Ok(Collider::new(Polyhedron::new(&polygons)?))
    }
}

/// What a body is made of, in its size.
fn polygons(entry: &Entry, meshes: &Path) -> Result<Polygons, Failure> {
    let mut polygons = match &entry.mesh {
        Some(name) => {
            let path = meshes.join(name);
            files::load(&path).map_err(|error| format!("{}: {error}", path.display()))?
        }
        None => {
            let faces = entry.faces.iter().cloned();
            let polygons = Polygons::new(entry.vertices.iter().copied(), faces);
            // Beside faces, the edges are those of the faces.
            let is_wire = entry.faces.is_empty();
            Polygons { segments: if is_wire { entry.edges.clone() } else { vec![] }, ..polygons }
        }
    };
    let factors = factors(entry, &polygons.vertices);
    polygons.vertices.iter_mut().for_each(|vertex| *vertex *= factors);
    Ok(polygons)
}

/// By how much coordinates grow.
fn factors(entry: &Entry, vertices: &[DVec3]) -> DVec3 {
    if let Some(reached) = entry.dimensions {
        let low = vertices.iter().fold(DVec3::INFINITY, |low, v| low.min(*v));
        let high = vertices.iter().fold(DVec3::NEG_INFINITY, |high, v| high.max(*v));
        let extents =
            (high - low).to_array().map(|extent| if extent == 0.0 { 1.0 } else { extent });
        return DVec3::from(reached) / DVec3::from(extents);
    }
    match entry.scale {
        None => DVec3::ONE,
        Some(Scale::One(factor)) => DVec3::splat(factor),
        Some(Scale::Three(factors)) => DVec3::from(factors),
    }
}

/// The mass of a body by the rules of the benchmark: open meshes count as closed; a flat sheet has
/// its density on each square metre, a wire on each metre and a point once.
fn mass_properties(mesh: &Polyhedron, density: f64) -> Result<MassProperties, BodyError> {
    if mesh.face_count() > 0 {
        let closed = MassProperties::of_mesh(mesh, density).ok().filter(|_| mesh.is_closed());
        return closed.map_or_else(|| open(mesh, density), Ok);
    }
    let [low, high] = mesh.bounds();
    let size = (high - low).max_element();
    let radius = THIN * if size > 0.0 { size } else { 1.0 };
    if mesh.edge_count() > 0 {
        let length = |edge: u32| {
            let [p, q] = mesh.edge(edge).map(|v| mesh.position(v));
            p.distance(q)
        };
        let length: f64 = (0..mesh.edge_count() as u32).map(length).sum();
        return MassProperties::of_wire(mesh, density, radius)?.with_mass(density * length);
    }
    let count = mesh.vertex_count() as f64;
    MassProperties::of_beads(mesh, density, radius)?.with_mass(density * count)
}

fn open(mesh: &Polyhedron, density: f64) -> Result<MassProperties, BodyError> {
    match MassProperties::as_if_closed(mesh, density) {
        Err(BodyError::NoVolume) => MassProperties::of_shell(mesh, density, 1.0),
        made => made,
    }
}
