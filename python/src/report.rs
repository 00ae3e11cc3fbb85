//! The interactive page of two bodies and their contacts.

use std::path::PathBuf;

use chasles::Polyhedron;
use chasles_report::pair::{Body, Pair};
use pyo3::prelude::*;

use crate::contacts::PyContacts;
use crate::error::mesh as mesh_error;
use crate::feature::kind;
use crate::geometry::{PyGeometry, Source};
use crate::solid::surface;

/// Segments of the meshes that show round bodies, around the axis and from pole to pole.
const ROUND: [u32; 2] = [48, 24];

/// Cells of the meshes that show solids, along the longest side.
const SOLID: u32 = 48;

/// What shows a body, if it is not its own mesh.
fn shown(py: Python<'_>, body: &PyGeometry) -> PyResult<Option<Polyhedron>> {
    let polygons = match &body.source {
        Source::Mesh(_) => return Ok(None),
        Source::Round(_) => {
            let round = body.geometry.round().expect("it is round");
            round.polygons(ROUND).map_err(mesh_error)?
        }
        Source::Solid(_) => surface(py, body, SOLID)?,
    };
    Polyhedron::new(&polygons).map(Some).map_err(mesh_error)
}

#[pymethods]
impl PyContacts {
    /// The interactive page of the contacts, as HTML that needs no other file.
    ///
    /// >>> import chasles
    /// >>> cube = chasles.Mesh.box()
    /// >>> way = ([3, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 1])
    /// >>> hits = chasles.contacts(cube, cube, b_motion=way)
    /// >>> hits.report()[:15]
    /// '<!doctype html>'
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        let bodies = self.asked.bodies.each_ref().map(|body| body.get());
        let [sketch_a, sketch_b] = [shown(py, bodies[0])?, shown(py, bodies[1])?];
        let names = self.names();
        let found = format!("by the {} method", self.asked.method);
        let body = |i: usize, sketch: &Option<Polyhedron>| {
            let own = bodies[i].geometry.collider().map(|collider| collider.mesh().clone());
            let mesh = sketch.clone().or(own);
            (mesh.expect("a body without sketch is a mesh"), sketch.is_some())
        };
        let drawn = [body(0, &sketch_a), body(1, &sketch_b)];
        let pair = Pair {
            bodies: [0, 1].map(|i| Body {
                name: &names[i],
                mesh: &drawn[i].0,
                is_sketch: drawn[i].1,
                motion: &self.asked.motions[i].trajectory,
            }),
            contacts: &self.contacts,
            kind: |contact| kind(contact.features),
            found: &found,
        };
        Ok(py.detach(|| pair.page()))
    }

    /// Writes the interactive page to a file, which appears whole or not at all.
    fn save_report<'py>(slf: &Bound<'py, Self>, path: PathBuf) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("chasles._show")?.call_method1("save", (slf, path))
    }

    /// Opens the interactive page in a browser; gives the path of its file.
    fn show<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("chasles._show")?.call_method1("show", (slf,))
    }

    /// The interactive page within a notebook.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("chasles._show")?.call_method1("inline", (slf,))
    }
}
