//! Sheets of a world: cloth of masses and springs.

use chasles::Polygons;
use chasles_dynamics::spring::net::{Fabric, Net};
use chasles_dynamics::spring::sheet::Sheet;
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::PyWorld;
use crate::array::{numbers, points, rows};
use crate::error::{Error, world as world_error};
use crate::mesh::faces;

/// What a sheet is made of, from keywords.
fn fabric(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Fabric> {
    let mut fabric = Fabric::default();
    for (key, value) in keywords.into_iter().flat_map(|keywords| keywords.iter()) {
        let key: String = key.extract()?;
        let number = match key.as_str() {
            "mass_per_area" => &mut fabric.mass_per_area,
            "structural" => &mut fabric.structural,
            "shear" => &mut fabric.shear,
            "bend" => &mut fabric.bend,
            "damping" => &mut fabric.damping,
            "drag" => &mut fabric.drag,
            "friction" => &mut fabric.friction,
            "restitution" => &mut fabric.restitution,
            "thickness" => &mut fabric.thickness,
            other => return Err(Error::new_err(format!("{other:?} is nothing that cloth has"))),
        };
        *number = value.extract()?;
    }
    Ok(fabric)
}

#[pymethods]
impl PyWorld {
    /// Adds a sheet of triangles and gives its number; `pinned` are vertices that stay.
    ///
    /// >>> import chasles
    /// >>> world = chasles.World()
    /// >>> sheet = [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]
    /// >>> cloth = world.add_sheet(sheet, [[0, 1, 2], [0, 2, 3]],
    /// ...                   pinned=[0, 1])
    /// >>> _ = world.step(0.01, steps=10)
    /// >>> places = world.sheet(cloth)
    /// >>> float(places[0, 2]), bool(places[2, 2] < 1)
    /// (1.0, True)
    #[pyo3(
        signature = (vertices, faces, *, pinned=None, **fabric),
        text_signature = "($self, vertices, faces, *, pinned=None, mass_per_area=0.15, \
                          structural=100.0, shear=20.0, bend=0.5, damping=0.02, drag=0.2, \
                          friction=0.4, restitution=0.0, thickness=0.002)"
    )]
    fn add_sheet(
        &self,
        vertices: &Bound<'_, PyAny>,
        faces: &Bound<'_, PyAny>,
        pinned: Option<&Bound<'_, PyAny>>,
        fabric: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<usize> {
        let polygons = Polygons {
            vertices: points("vertices", vertices)?,
            faces: self::faces(faces)?,
            ..Polygons::default()
        };
        if let Some(face) = polygons.faces.iter().position(|face| face.len() != 3) {
            return Err(world_error(format!(
                "face {face} is no triangle: sheets are of triangles"
            )));
        }
        let net = Net::of_mesh(&polygons, &self::fabric(fabric)?).map_err(world_error)?;
        let mut sheet = Sheet::new(net).map_err(world_error)?;
        for vertex in pinned.map_or(Ok(Vec::new()), |all| numbers("pinned", all))? {
            let count = sheet.positions().len();
            if vertex as usize >= count {
                let message = format!("pinned has vertex {vertex}; the sheet has {count} (from 0)");
                return Err(world_error(message));
            }
            sheet.pin(vertex as usize, true);
        }
        Ok(self.lock(vertices.py())?.world.add_sheet(sheet).0)
    }

    /// Where the vertices of a sheet are, (n, 3).
    fn sheet<'py>(&self, py: Python<'py>, sheet: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let inner = self.lock(py)?;
        let sheet = inner.world.sheets().get(sheet);
        let sheet = sheet.ok_or_else(|| world_error("there is no such sheet"))?;
        rows(py, sheet.positions().iter().map(|place| place.to_array()))
    }
}
