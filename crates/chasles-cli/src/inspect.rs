//! `chasles inspect`: what a mesh file holds.

use std::io::{self, Write};
use std::path::Path;

use chasles::{Polygons, Polyhedron};
use miette::Diagnostic;
use serde::Serialize;
use thiserror::Error;

use crate::args::InspectArgs;
use crate::bodies::{self, FileError};
use crate::output::{self, Destination};

/// Why a mesh cannot be inspected.
#[derive(Debug, Error, Diagnostic)]
pub enum InspectError {
    /// The file cannot be read.
    #[error("cannot use the mesh {path}: {source}")]
    #[diagnostic(help("name an OBJ, STL, PLY, OFF or glTF/GLB file"))]
    File {
        /// The file.
        path: String,
        /// What is wrong with it.
        source: FileError,
    },
    /// The file makes no mesh.
    #[error("cannot use the mesh {path}: {source}")]
    Mesh {
        /// The file.
        path: String,
        /// What is wrong with it.
        source: chasles::mesh::MeshError,
    },
}

/// What is said about a mesh.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Findings {
    /// The file.
    pub file: String,
    /// Vertices in the file.
    pub vertices: usize,
    /// Faces in the file.
    pub faces: usize,
    /// Vertices after equal ones are one and unused ones are gone.
    pub distinct_vertices: usize,
    /// Edges, lone segments included.
    pub edges: usize,
    /// Planar faces after the others are split.
    pub planar_faces: usize,
    /// Whether the surface has no border.
    pub closed: bool,
    /// Lowest and highest coordinates.
    pub bounds: [[f64; 3]; 2],
}

impl Findings {
    fn new(path: &Path, polygons: &Polygons, mesh: &Polyhedron) -> Self {
        Self {
            file: path.display().to_string(),
            vertices: polygons.vertices.len(),
            faces: polygons.faces.len(),
            distinct_vertices: mesh.vertex_count(),
            edges: mesh.edge_count(),
            planar_faces: mesh.face_count(),
            closed: mesh.is_closed(),
            bounds: mesh.bounds().map(|corner| corner.to_array()),
        }
    }

    fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let [low, high] = self.bounds;
        writeln!(out, "{}", self.file.escape_debug())?;
        writeln!(out, "  vertices  {} ({} distinct)", self.vertices, self.distinct_vertices)?;
        writeln!(out, "  edges     {}", self.edges)?;
        writeln!(out, "  faces     {} ({} planar)", self.faces, self.planar_faces)?;
        writeln!(out, "  closed    {}", if self.closed { "yes" } else { "no" })?;
        writeln!(out, "  bounds    {low:?} to {high:?}")
    }
}

/// Runs the command.
pub fn run(args: &InspectArgs) -> miette::Result<()> {
    let findings = inspect(&args.mesh)?;
    if let Some(path) = &args.output.json {
        let json = Destination::reserve(path)?;
        json.write(|out| {
            serde_json::to_writer(&mut *out, &findings)?;
            writeln!(out)
        })?;
        json.publish()?;
    }
    if args.output.has_table() {
        output::to_stdout(|out| findings.write_table(out))?;
    }
    Ok(())
}

/// What can be said about the mesh of a file.
pub fn inspect(path: &Path) -> Result<Findings, InspectError> {
    let name = || path.display().to_string();
    let polygons =
        bodies::load(path).map_err(|source| InspectError::File { path: name(), source })?;
    let mesh =
        Polyhedron::new(&polygons).map_err(|source| InspectError::Mesh { path: name(), source })?;
    Ok(Findings::new(path, &polygons, &mesh))
}
