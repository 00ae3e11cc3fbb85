//! `chasles field`: the signed distance from a mesh, sampled into a file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chasles::solid::{MeshSolid, Sdf, SdfOptions, Solid, SolidError};
use miette::Diagnostic;
use thiserror::Error;

use crate::args::FieldArgs;
use crate::inspect;
use crate::output::{self, Destination};
use crate::progress::Progress;
use crate::words::{length, plain};

/// Why a mesh cannot be sampled.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot sample the mesh {}: {error}", mesh.display())]
pub struct FieldError {
    mesh: PathBuf,
    error: SolidError,
    #[help]
    help: &'static str,
}

impl FieldError {
    fn new(mesh: &Path, error: SolidError) -> Self {
        let help = match &error {
            SolidError::Number { what, .. } if what.contains("bytes") => "give fewer --cells",
            SolidError::Number { what, .. } if what.contains("cell") => {
                "a point has no size to divide into cells: give a mesh with edges or faces"
            }
            _ => "mend the mesh where the message says",
        };
        Self { mesh: mesh.to_path_buf(), error, help }
    }
}

/// Parts of the work that are told.
const PIECES: u64 = 100;

/// Runs the command. The file appears only if everything went well.
pub fn run(args: &FieldArgs) -> miette::Result<()> {
    let target = Destination::reserve(&args.output, std::slice::from_ref(&args.mesh))?;
    let progress = Progress::new(args.quiet);
    progress.stage("reading the mesh");
    let (report, mesh) = inspect::inspect(&args.mesh, None)?;
    if !report.inspection.inside_out_components.is_empty() {
        let file = args.mesh.display();
        progress.warn(&format!("{file} is inside out: its inside is that of a mesh turned over"));
    }
    let sampled = MeshSolid::new(&mesh).and_then(|solid| sample(&solid, args.cells, &progress));
    let field = sampled.map_err(|error| FieldError::new(&args.mesh, error))?;
    progress.stage("writing the field");
    let has_table = !args.quiet && matches!(target, Destination::File(_));
    target.write(|out| field.write(out))?;
    target.publish()?;
    drop(progress);
    if has_table {
        output::to_stdout(|out| write_table(args, &field, out))?;
    }
    Ok(())
}

fn sample(solid: &MeshSolid, cells: u32, progress: &Progress) -> Result<Sdf, SolidError> {
    let options = SdfOptions::across(solid, cells)?;
    progress.count(PIECES, "percent of the field");
    let mut told = 0;
    Sdf::sample_with(solid, &options, &mut |done| {
        let reached = (done * PIECES as f64) as u64;
        (told..reached).for_each(|_| progress.advance());
        told = told.max(reached);
    })
}

fn write_table(args: &FieldArgs, field: &Sdf, out: &mut dyn Write) -> io::Result<()> {
    let [x, y, z] = field.cells();
    let [sampled, all] = field.block_counts();
    writeln!(out, "{}", plain(&args.output.display().to_string()))?;
    writeln!(out, "  cells   {x} x {y} x {z} of {}", length(field.cell()))?;
    writeln!(out, "  blocks  {sampled} with samples, of {all}")?;
    writeln!(out, "  error   {} at most near the surface", length(field.error()))?;
    writeln!(out, "  size    {} bytes", field.file_size())
}
