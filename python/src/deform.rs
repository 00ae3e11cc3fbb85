//! Surfaces whose vertices move straight during a step: cloth, soft bodies, keyframes.

use std::collections::BTreeSet;

use chasles::deform::{Kind, Options, Pair, Surface, Workspace, self_contacts, self_free_fraction};
use chasles::glam::DVec3;
use chasles::{Contact, Features, Polygons};
use numpy::{PyArray1, PyFixedUnicode};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::array::{Floats, column, pairs, points, rows, shaped};
use crate::batch::run::on_all_cores;
use crate::error::{Error, mesh as mesh_error};
use crate::feature::fixed;
use crate::mesh::faces;
use crate::rest::columns;

/// A surface, and where its vertices are at both ends of a step.
struct Step {
    surface: Surface,
    ends: [Vec<DVec3>; 2],
}

impl Step {
    /// Vertices at both ends, faces, and edges, of which those of no face count as segments.
    fn new(
        [start, end]: [&Bound<'_, PyAny>; 2],
        polygons: Option<&Bound<'_, PyAny>>,
        edges: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let ends = [points("V0", start)?, points("V1", end)?];
        let faces = polygons.map_or(Ok(Vec::new()), faces)?;
        let segments = segments(edges, &faces)?;
        let of = |vertices: &Vec<DVec3>| Polygons {
            vertices: vertices.clone(),
            faces: faces.clone(),
            segments: segments.clone(),
            points: Vec::new(),
        };
        let [first, last] = ends.each_ref().map(of);
        let surface = start.py().detach(|| Surface::between(&first, &last)).map_err(mesh_error)?;
        Ok(Self { surface, ends })
    }

    /// Asks about the surface in the step.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&chasles::deform::Moving<'_>, &mut Workspace) -> T + Send,
    ) -> PyResult<T> {
        let [start, end] = &self.ends;
        let moving = self.surface.moving(start, end).map_err(mesh_error)?;
        Ok(py.detach(|| ask(&moving, &mut Workspace::default())))
    }
}

/// Edges that no face has.
fn segments(edges: Option<&Bound<'_, PyAny>>, faces: &[Vec<u32>]) -> PyResult<Vec<[u32; 2]>> {
    let Some(edges) = edges.filter(|edges| !edges.is_none()) else { return Ok(Vec::new()) };
    let edges = pairs("E", edges)?;
    let sorted = |p: u32, q: u32| [p.min(q), p.max(q)];
    let around = |face: &Vec<u32>| {
        let next = face.iter().cycle().skip(1);
        face.iter().zip(next).map(|(&p, &q)| sorted(p, q)).collect::<Vec<_>>()
    };
    let of_faces: BTreeSet<[u32; 2]> = faces.iter().flat_map(around).collect();
    Ok(edges.into_iter().filter(|&[p, q]| !of_faces.contains(&sorted(p, q))).collect())
}

/// Whether no parts of deforming surfaces touch during a step in which each vertex moves straight
/// from its row of `V0` to that of `V1`; with a `separation`, whether none come that near.
///
/// `F` are faces and `E`, optional, edges: those of no face count too. The decision is that of
/// exact arithmetic, for degenerate input as well. Features that share a vertex do not count.
///
/// >>> import chasles, numpy as np
/// >>> V0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [.4, .2, 1], [.2, .4, 1.]])
/// >>> V1 = V0.copy(); V1[3:, 2] = -1
/// >>> chasles.step_free(V0, V1, [[0, 1, 2], [3, 4, 5]])
/// False
#[pyfunction]
#[pyo3(signature = (V0, V1, F=None, E=None, *, separation=0.0))]
#[expect(non_snake_case, reason = "the names of the field")]
pub(crate) fn step_free(
    V0: &Bound<'_, PyAny>,
    V1: &Bound<'_, PyAny>,
    F: Option<&Bound<'_, PyAny>>,
    E: Option<&Bound<'_, PyAny>>,
    separation: f64,
) -> PyResult<bool> {
    Ok(collision_free_step(V0, V1, F, E, separation)? >= 1.0)
}

/// The largest fraction of a step that is certain to be free: 1 if nothing touches, or comes as
/// near as `separation`, during all of it. Arguments are those of `step_free`.
///
/// >>> import chasles, numpy as np
/// >>> V0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [.4, .2, 1], [.2, .4, 1.]])
/// >>> V1 = V0.copy(); V1[3:, 2] = -1
/// >>> round(chasles.collision_free_step(V0, V1, [[0, 1, 2], [3, 4, 5]]), 9)
/// 0.5
#[pyfunction]
#[pyo3(signature = (V0, V1, F=None, E=None, *, separation=0.0))]
#[expect(non_snake_case, reason = "the names of the field")]
pub(crate) fn collision_free_step(
    V0: &Bound<'_, PyAny>,
    V1: &Bound<'_, PyAny>,
    F: Option<&Bound<'_, PyAny>>,
    E: Option<&Bound<'_, PyAny>>,
    separation: f64,
) -> PyResult<f64> {
    if !(separation >= 0.0 && separation.is_finite()) {
        return Err(Error::new_err(format!("separation is {separation}; expected 0 or more")));
    }
    let step = Step::new([V0, V1], F, E)?;
    step.ask(V0.py(), |moving, memory| self_free_fraction(moving, separation, memory))
}

/// All contacts of deforming surfaces in a step, in the order of time, as columns: the first of
/// each pair of features, or with `every_touch` all of them. Arguments are those of `step_free`.
///
/// `feature_a` and `feature_b` are (n, 2): the two vertices of an edge, else a number and -1; of a
/// vertex and a face, the face is A's.
///
/// >>> import chasles, numpy as np
/// >>> V0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [.4, .2, 1], [.2, .4, 2.]])
/// >>> V1 = V0.copy(); V1[3:, 2] -= 2
/// >>> hits = chasles.deforming_contacts(V0, V1, [[0, 1, 2], [3, 4, 5]])
/// >>> hits.time.round(9).tolist(), hits.kind.tolist(), hits.feature_b[:, 0].tolist()
/// ([0.5, 0.5, 1.0], ['fv', 'fv', 'fv'], [3, 4, 5])
#[pyfunction]
#[pyo3(signature = (V0, V1, F=None, E=None, *, every_touch=false))]
#[expect(non_snake_case, reason = "the names of the field")]
pub(crate) fn deforming_contacts<'py>(
    V0: &Bound<'py, PyAny>,
    V1: &Bound<'py, PyAny>,
    F: Option<&Bound<'py, PyAny>>,
    E: Option<&Bound<'py, PyAny>>,
    every_touch: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let step = Step::new([V0, V1], F, E)?;
    let options = Options { every_touch, ..Options::default() };
    let found =
        step.ask(V0.py(), |moving, memory| self_contacts(moving, &options, memory).to_vec())?;
    columns(V0.py(), "contacts", contact_columns(V0.py(), &found)?)
}

fn contact_columns<'py>(py: Python<'py>, found: &[Contact]) -> PyResult<Bound<'py, PyDict>> {
    let kinds = found.iter().map(|c| fixed(c.features.kind()));
    let table = PyDict::new(py);
    table.set_item("time", column(py, found.iter().map(|c| c.time)))?;
    table.set_item("bracket", rows(py, found.iter().map(|c| c.time_bracket))?)?;
    table.set_item("kind", column::<PyFixedUnicode<16>>(py, kinds))?;
    table.set_item("feature_a", rows(py, found.iter().map(|c| numbers(c.features)[0]))?)?;
    table.set_item("feature_b", rows(py, found.iter().map(|c| numbers(c.features)[1]))?)?;
    table.set_item("point", rows(py, found.iter().map(|c| c.point.to_array()))?)?;
    table.set_item("normal", rows(py, found.iter().map(|c| c.normal.to_array()))?)?;
    table.set_item("normal_speed", column(py, found.iter().map(|c| c.normal_speed)))?;
    table.set_item("grazing", column(py, found.iter().map(|c| c.grazing)))?;
    Ok(table)
}

/// The numbers of both features.
fn numbers(features: Features) -> [[i64; 2]; 2] {
    let edge = |[p, q]: [u32; 2]| [i64::from(p), i64::from(q)];
    match features {
        Features::Fv { face, vertex } => [[face.into(), -1], [vertex.into(), -1]],
        Features::Vf { vertex, face } => [[vertex.into(), -1], [face.into(), -1]],
        Features::Ee { a, b } => [edge(a), edge(b)],
    }
}

/// Pairs of features on straight paths, `(n, 4, 3)` positions at each end.
fn quads(start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>, kind: &str) -> PyResult<Vec<Pair>> {
    let kind = match kind {
        "vf" => Kind::VertexTriangle,
        "ee" => Kind::EdgeEdge,
        other => return Err(Error::new_err(format!("kind is {other:?}; expected vf or ee"))),
    };
    let [start, end] = [Floats::of("start", start)?, Floats::of("end", end)?];
    for (what, floats) in [("start", &start), ("end", &end)] {
        if !matches!(floats.shape(), [_, 4, 3]) || floats.shape() != start.shape() {
            return Err(shaped(what, floats.shape(), "(n, 4, 3), the same for both ends"));
        }
    }
    let of_four = |numbers: &[f64]| -> Vec<[DVec3; 4]> {
        let points = numbers.as_chunks::<3>().0.iter().copied().map(DVec3::from);
        points.collect::<Vec<_>>().as_chunks::<4>().0.to_vec()
    };
    let both = of_four(start.numbers()?).into_iter().zip(of_four(end.numbers()?)).enumerate();
    let one = |(i, (from, to))| {
        Pair::new(kind, [from, to]).map_err(|error| Error::new_err(format!("query {i}: {error}")))
    };
    both.map(one).collect()
}

/// Whether pairs of features on straight paths touch, (n,), decided as by exact arithmetic.
///
/// `start` and `end` are (n, 4, 3): for `kind` "vf" a vertex and the three corners of a triangle,
/// for "ee" the ends of one edge and those of the other. Runs on all cores.
///
/// >>> import chasles, numpy as np
/// >>> start = np.array([[[.2, .2, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]]])
/// >>> end = start.copy(); end[0, 0, 2] = -1
/// >>> chasles.queries(start, end, "vf").tolist()
/// [True]
#[pyfunction]
#[pyo3(signature = (start, end, kind="vf"))]
pub(crate) fn queries<'py>(
    start: &Bound<'py, PyAny>,
    end: &Bound<'py, PyAny>,
    kind: &str,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let (py, pairs) = (start.py(), quads(start, end, kind)?);
    let decide = || pairs.par_iter().map(Pair::touches).collect::<Vec<bool>>();
    Ok(column(py, py.detach(|| on_all_cores(decide))?))
}

/// When pairs of features on straight paths first touch, (n,): NaN where they do not. Arguments are
/// those of `queries`.
///
/// >>> import chasles, numpy as np
/// >>> start = np.array([[[.2, .2, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]]])
/// >>> end = start.copy(); end[0, 0, 2] = -1
/// >>> chasles.query_times(start, end, "vf").tolist()
/// [0.5]
#[pyfunction]
#[pyo3(signature = (start, end, kind="vf"))]
pub(crate) fn query_times<'py>(
    start: &Bound<'py, PyAny>,
    end: &Bound<'py, PyAny>,
    kind: &str,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (py, pairs) = (start.py(), quads(start, end, kind)?);
    let first = |pair: &Pair| pair.first().map_or(f64::NAN, |touch| touch.time);
    let decide = || pairs.par_iter().map(first).collect::<Vec<f64>>();
    Ok(column(py, py.detach(|| on_all_cores(decide))?))
}
