//! `chasles inspect`: what a mesh file holds.

use std::io::{self, Write};
use std::path::Path;

use chasles::Polyhedron;
use chasles::mesh::Inspection;
use chasles::mesh::files::{self, FileError};
use chasles_scene::meshes;
use miette::Diagnostic;
use serde::Serialize;
use thiserror::Error;

use crate::args::{InspectArgs, only_stills};
use crate::output::{self, Targets};
use crate::progress::Progress;
use crate::still;
use crate::words::{length, plain};

/// Why a mesh cannot be inspected.
#[derive(Debug, Error, Diagnostic)]
pub enum InspectError {
    /// The file cannot be read.
    #[error("cannot use the mesh {error}")]
    File {
        /// What is wrong.
        error: FileError,
        /// What would be right.
        #[help]
        help: String,
    },
    /// The file makes no mesh.
    #[error("cannot use the mesh {path}: {error}")]
    #[diagnostic(help("mend the mesh where the message says"))]
    Mesh {
        /// The file.
        path: String,
        /// What is wrong with it.
        error: chasles::mesh::MeshError,
    },
}

/// A mesh file and what can be said about it.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The file.
    pub file: String,
    /// What can be said about its mesh.
    #[serde(flatten)]
    pub inspection: Inspection,
}

impl Report {
    /// The volume in words: an open surface has none.
    fn volume(&self) -> String {
        let Inspection { closed, components, volume, .. } = &self.inspection;
        match components.iter().any(|component| component.closed) {
            false => "none: nothing is closed".to_string(),
            true if *closed => length(*volume),
            true => format!("{} within the closed parts", length(*volume)),
        }
    }

    fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let Inspection { counts, bounds: [low, high], .. } = &self.inspection;
        let is = |value: bool| if value { "yes" } else { "no" };
        writeln!(out, "{}", plain(&self.file))?;
        writeln!(out, "  vertices  {} ({} in the file)", counts.vertices, counts.input_vertices)?;
        writeln!(out, "  edges     {}", counts.edges)?;
        writeln!(out, "  faces     {} ({} in the file)", counts.faces, counts.input_faces)?;
        writeln!(out, "  closed    {}", is(self.inspection.closed))?;
        writeln!(out, "  manifold  {}", is(self.inspection.manifold))?;
        writeln!(out, "  oriented  {}", is(self.inspection.oriented))?;
        writeln!(out, "  planar    {}", is(self.inspection.planar))?;
        writeln!(out, "  volume    {}", self.volume())?;
        let corner = |at: &[f64; 3]| format!("({})", at.map(length).join(", "));
        writeln!(out, "  bounds    {} to {}", corner(low), corner(high))?;
        self.inspection.findings.iter().try_for_each(|finding| writeln!(out, "  - {finding}"))
    }
}

/// Runs the command.
pub fn run(args: &InspectArgs) -> miette::Result<()> {
    only_stills(args.output.picture.as_deref(), "`chasles inspect`")?;
    let targets = Targets::reserve(args.output.files(), std::slice::from_ref(&args.mesh))?;
    let progress = Progress::new(args.output.quiet);
    progress.stage("looking the mesh over");
    let (report, mesh) = inspect(&args.mesh, args.weld)?;
    targets.write(
        &progress,
        |path| still::draw_mesh_on(&report, &mesh, &args.output.look.canvas(path), path),
        |out| {
            serde_json::to_writer(&mut *out, &report)?;
            writeln!(out)
        },
    )?;
    drop(progress);
    if args.output.has_table() {
        output::to_stdout(|out| report.write_table(out))?;
    }
    args.output.tell(None, &[]);
    Ok(())
}

/// What can be said about the mesh of a file, and the mesh. Vertices within `weld` are joined, by
/// default those that the library joins.
pub fn inspect(path: &Path, weld: Option<f64>) -> Result<(Report, Polyhedron), InspectError> {
    let file = path.display().to_string();
    let polygons = files::load(path).map_err(|error| {
        let help = meshes::remedy(&error, "");
        InspectError::File { error, help }
    })?;
    let mesh = weld
        .map_or_else(|| Polyhedron::new(&polygons), |weld| Polyhedron::welded(&polygons, weld))
        .map_err(|error| InspectError::Mesh { path: file.clone(), error })?;
    Ok((Report { file, inspection: Inspection::new(&polygons, &mesh) }, mesh))
}
