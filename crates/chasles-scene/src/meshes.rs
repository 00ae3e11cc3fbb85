//! From what a scene says of a body to its mesh, and what is to be said of meshes that are odd.
//!
//! ```
//! use chasles::{Polygons, Polyhedron};
//! use chasles_scene::meshes::oddities;
//!
//! let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]];
//! let triangle = Polyhedron::new(&Polygons::new(corners, [[0, 1, 2]]))?;
//! println!("{}", oddities("flag", &triangle).join("\n"));
//! # Ok::<(), chasles::mesh::MeshError>(())
//! ```

use std::path::Path;

use chasles::mesh::files::{FileError, Place};
use chasles::mesh::shapes::Shape;
use chasles::mesh::{Opening, Weld};
use chasles::{Polygons, Polyhedron};

use crate::error::Problem;
use crate::files::Files;

/// What would be right instead of a file that cannot be used; `from` says where names are sought.
pub fn remedy(error: &FileError, from: &str) -> String {
    let FileError::Parse { error, .. } = error else {
        return format!("name an OBJ, STL, PLY, OFF or glTF/GLB file{from}");
    };
    match error.place {
        Place::Line(_) => "mend that line, or export the mesh again".to_string(),
        Place::Whole | Place::Byte(_) | Place::Part(_) => {
            "mend the file there, or export the mesh again".to_string()
        }
    }
}

/// The smallest scale: a smaller one would push coordinates together at zero.
const SMALLEST_SCALE: f64 = 1e-100;

/// The scale, if it can be one.
pub(crate) fn scale(scale: f64) -> Result<f64, Problem> {
    if scale >= SMALLEST_SCALE { Ok(scale) } else { Err(Problem::Scale(scale)) }
}

/// A mesh, and the polygons that it was made of.
#[derive(Debug)]
pub(crate) struct Made {
    /// As the input has them, scaled.
    pub(crate) polygons: Polygons,
    /// The same, checked.
    pub(crate) mesh: Polyhedron,
}

impl Made {
    /// The polygons with the vertices joined that the mesh joins. *Cost* linear.
    pub(crate) fn welded(&self) -> Polygons {
        self.polygons.welded(self.mesh.weld().length).expect("the mesh was made of these polygons")
    }

    /// The same with components turned that are inside out. *Cost* as
    /// [`Polyhedron::turn_outward`].
    pub(crate) fn outward(mut self) -> Self {
        let turned = self.mesh.turn_outward();
        self.polygons.turn(&turned.faces);
        self
    }
}

/// What is to be said of a body whose mesh is open, with the name as it is.
pub fn open(name: &str, opening: &Opening) -> String {
    format!("the mesh of {name} is open: {opening}")
}

/// What is to be said of a body whose mesh is not as its file and its scene have it: sentences with
/// the name as it is.
pub fn oddities(name: &str, mesh: &Polyhedron) -> Vec<String> {
    let said = [turned(name, mesh), doubtful(name, mesh), undecided(name, mesh)];
    said.into_iter().chain([kept_apart(name, mesh)]).flatten().collect()
}

/// A part of a mesh that was perhaps to be turned.
fn doubtful(name: &str, mesh: &Polyhedron) -> Option<String> {
    let first = mesh.turned().doubtful.first()?;
    Some(format!(
        "the mesh of {name} goes through itself at the part of face {first}: its volume and most \
         of its faces disagree about the outside, and it is left as it is"
    ))
}

/// Parts that were not looked at for want of time.
fn undecided(name: &str, mesh: &Polyhedron) -> Option<String> {
    mesh.turned().undecided.then(|| {
        format!(
            "the mesh of {name} has too many parts of negative volume to tell which are inside out \
             and which are cavities: all are left as they are"
        )
    })
}

/// Vertices within the weld that are not joined.
fn kept_apart(name: &str, mesh: &Polyhedron) -> Option<String> {
    let Weld { length, kept_apart, .. } = mesh.weld();
    let first = kept_apart.first.first()?;
    Some(format!(
        "{} vertices of {name}, the first of them vertex {first}, are not welded: they are within \
         {length:e} of each other, but joining them would collapse an edge or a face; a smaller \
         `weld` joins copies of a vertex alone",
        kept_apart.total,
    ))
}

/// A mesh that was turned.
fn turned(name: &str, mesh: &Polyhedron) -> Option<String> {
    match mesh.turned().components[..] {
        [] => None,
        [0] => Some(format!("the mesh of {name} is inside out: its faces are turned over")),
        [first] => Some(format!(
            "a part of the mesh of {name}, that of face {first}, is inside out: its faces are \
            turned over"
        )),
        [first, ..] => Some(format!(
            "{} parts of the mesh of {name}, the first that of face {first}, are inside out: their \
            faces are turned over",
            mesh.turned().components.len()
        )),
    }
}

/// The mesh of a file, all lengths multiplied by `scale`. Vertices within `weld` are joined, by
/// default those that the library joins.
pub(crate) fn from_file(
    files: &dyn Files,
    name: &Path,
    scale: f64,
    weld: Option<f64>,
) -> Result<Made, Problem> {
    let polygons = scaled(files.mesh(name).map_err(Problem::MeshFile)?, scale);
    let mesh = weld
        .map_or_else(|| Polyhedron::new(&polygons), |weld| Polyhedron::welded(&polygons, weld))
        .and_then(|mesh| polygons.check_strays().map(|()| mesh))
        .map_err(|source| Problem::MeshContents { path: files.path(name), source })?;
    Ok(Made { polygons, mesh })
}

/// The mesh of a built-in shape, all lengths multiplied by `scale`.
pub(crate) fn from_shape(shape: &Shape, scale: f64) -> Result<Made, Problem> {
    let polygons = scaled(shape.polygons()?, scale);
    let mesh = Polyhedron::new(&polygons).map_err(Problem::ShapeContents)?;
    Ok(Made { polygons, mesh })
}

fn scaled(mut polygons: Polygons, scale: f64) -> Polygons {
    for vertex in &mut polygons.vertices {
        *vertex *= scale;
    }
    polygons
}
