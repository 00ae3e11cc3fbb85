//! `Contacts` and `Contact`: results as columns, and one row of them.

mod one;
mod row;

use chasles::glam::DVec3;
use chasles::query::{Contact, Guarantee};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyTuple};

use self::row::Sure;
use crate::array::{column, rows, wholes};
use crate::feature::{Kind, fixed, kind, numbers};
use crate::geometry::PyGeometry;
use crate::motion::PyMotion;
use crate::pickle;

pub(crate) use one::{_contact, PyContact};
pub(crate) use row::Row;

/// What was asked, for reports and for pickles.
pub(crate) struct Asked {
    pub(crate) bodies: [Py<PyGeometry>; 2],
    pub(crate) motions: [PyMotion; 2],
    pub(crate) method: &'static str,
}

impl Asked {
    fn clone_ref(&self, py: Python<'_>) -> Self {
        let Self { bodies: [a, b], motions, method } = self;
        Self { bodies: [a.clone_ref(py), b.clone_ref(py)], motions: motions.clone(), method }
    }
}

/// The contacts of two bodies, in the order of time: columns as NumPy arrays.
///
/// Index it with a number for one contact, and with a slice, a mask or an array for some of them.
///
/// >>> import chasles
/// >>> cube = chasles.Mesh.box()
/// >>> fall = ([0.2, 3, 0.1, 0, 0, 0, 1], [0.2, 0, 0.1, 0, 0, 0, 1])
/// >>> hits = chasles.contacts(cube, cube, b_motion=fall, facing=True)
/// >>> hits.time.shape, hits.point.shape, sorted(set(hits.kind.tolist()))
/// ((10,), (10, 3), ['ee', 'fv', 'vf'])
/// >>> proper = hits[hits.properness >= 0]
/// >>> round(float(proper[0].time), 12)
/// 0.666666666667
#[pyclass(module = "chasles", name = "Contacts", frozen, sequence)]
pub(crate) struct PyContacts {
    pub(crate) contacts: Vec<Contact>,
    pub(crate) asked: Asked,
    guarantee: Guarantee,
    /// How many contacts the method could not settle.
    #[pyo3(get)]
    undecided: usize,
}

impl PyContacts {
    pub(crate) fn new(
        contacts: Vec<Contact>,
        asked: Asked,
        guarantee: Guarantee,
        undecided: usize,
    ) -> Self {
        Self { contacts, asked, guarantee, undecided }
    }

    fn numbers<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Contact) -> f64,
    ) -> Bound<'py, PyArray1<f64>> {
        column(py, self.contacts.iter().map(of))
    }

    fn vectors<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Contact) -> DVec3,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.contacts.iter().map(|contact| of(contact).to_array()))
    }

    fn some(&self, py: Python<'_>, contacts: Vec<Contact>) -> Self {
        Self { contacts, asked: self.asked.clone_ref(py), ..*self }
    }

    /// The names of both bodies.
    pub(crate) fn names(&self) -> [String; 2] {
        self.asked.bodies.each_ref().map(|body| body.get().label())
    }
}

#[pymethods]
impl PyContacts {
    /// When, as fractions of the step, (n,).
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |c| c.time)
    }

    /// Intervals that contain the true times, (n, 2).
    #[getter]
    fn bracket<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.contacts.iter().map(|c| c.time_bracket))
    }

    /// Where, in the world, (n, 3).
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.vectors(py, |c| c.point)
    }

    /// Unit normals from A to B, in the world, (n, 3).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.vectors(py, |c| c.normal)
    }

    /// Where, in A's frame, (n, 3).
    #[getter]
    fn point_in_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.vectors(py, |c| c.point_in_a)
    }

    /// Unit normals from A to B, in A's frame, (n, 3).
    #[getter]
    fn normal_in_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.vectors(py, |c| c.normal_in_a)
    }

    /// What touches what: `fv` a face of A and a vertex of B, `vf` the reverse, `ee` two edges;
    /// `sp` and `ps` samples; `face-side` and the like where a body is round. Strings, (n,).
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<Kind>> {
        column(py, self.contacts.iter().map(|c| fixed(&kind(c.features))))
    }

    /// The features of A, (n, 2): the two vertices of an edge, else a number and -1.
    #[getter]
    fn feature_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        rows(py, self.contacts.iter().map(|c| numbers(c.features.a)))
    }

    /// The features of B, (n, 2): the two vertices of an edge, else a number and -1.
    #[getter]
    fn feature_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        rows(py, self.contacts.iter().map(|c| numbers(c.features.b)))
    }

    /// How well the features face each other, from -1 to 1: negative where the bodies overlap
    /// beside the contact already, (n,).
    #[getter]
    fn properness<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |c| c.properness)
    }

    /// The rates of the gap per step, negative where the features approach, (n,).
    #[getter]
    fn normal_speed<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |c| c.normal_speed)
    }

    /// Whether the features can be touched from outside, (n,).
    #[getter]
    fn touchable<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        column(py, self.contacts.iter().map(|c| c.touchable))
    }

    /// Whether the features touch without crossing, or stay in touch, (n,).
    #[getter]
    fn grazing<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        column(py, self.contacts.iter().map(|c| c.grazing))
    }

    /// The method that found them.
    #[getter]
    fn method(&self) -> &'static str {
        self.asked.method
    }

    /// What is sure of them, in words.
    #[getter]
    fn guarantee(&self) -> String {
        match self.guarantee {
            Guarantee::Exact => "every contact clear of rounding, once, and no other".to_owned(),
            Guarantee::Pixels { pixel } => format!("contacts to a pixel of {pixel}"),
            Guarantee::Samples { missed_depth: [Some(a), Some(b)] } => {
                format!("points of A are at most {a} deep in B unnoticed, and of B {b} in A")
            }
            Guarantee::Samples { .. } => {
                "no sample of a surface is in the other body before its contact".to_owned()
            }
        }
    }

    /// The two bodies that were asked about.
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.asked.bodies.iter())
    }

    /// How they move.
    #[getter]
    fn motions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.asked.motions.iter().cloned())
    }

    fn __len__(&self) -> usize {
        self.contacts.len()
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        let count = self.contacts.len();
        let all = py.import("numpy")?.call_method1("arange", (count,))?;
        let chosen = all.get_item(key)?;
        let (shape, numbers) = wholes("the index", &chosen)?;
        let contacts = numbers.iter().map(|&i| self.contacts[i as usize]);
        if shape.is_empty() {
            let contact = contacts.map(PyContact).next();
            return Ok(Py::new(py, contact.expect("one number"))?.into_bound(py).into_any());
        }
        Ok(Py::new(py, self.some(py, contacts.collect()))?.into_bound(py).into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.contacts.iter().map(|c| PyContact(*c)))?.try_iter()
    }

    fn __repr__(&self) -> String {
        const SHOWN: usize = 6;
        let [a, b] = self.names();
        let count = self.contacts.len();
        let plural = if count == 1 { "" } else { "s" };
        let mut text =
            format!("{count} contact{plural} of {a} and {b}, by the {} method", self.method());
        if count > 0 {
            let heads = ["time", "kind", "of a", "of b", "properness", "speed"];
            let [time, kind, of_a, of_b, properness, speed] = heads;
            text += &format!(
                "\n{time:>10}  {kind:<9} {of_a:<18} {of_b:<18} {properness:>10} {speed:>10}"
            );
        }
        for Contact { features, time, properness, normal_speed, .. } in
            self.contacts.iter().take(SHOWN)
        {
            let (kind, a, b) = (kind(*features), features.a.to_string(), features.b.to_string());
            text += &format!(
                "\n{time:>10.6}  {kind:<9} {a:<18} {b:<18} {properness:>10.4} {normal_speed:>10.4}"
            );
        }
        if count > SHOWN { text + "\n       ..." } else { text }
    }

    /// All columns by their names, those of vectors as (n, 3).
    fn columns<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        all_columns(slf.py(), &slf.get().contacts)
    }

    /// A pandas table with a column for each number; needs pandas.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("chasles._frames")?.call_method1("to_pandas", (slf,))
    }

    /// An Arrow table, vectors as lists of fixed size; needs pyarrow.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("chasles._frames")?.call_method1("to_arrow", (slf,))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { contacts, asked, guarantee, undecided } = self;
        let rows: Vec<Row> = contacts.iter().map(Row::from).collect();
        let bodies = PyTuple::new(py, asked.bodies.iter())?;
        let motions = PyTuple::new(py, asked.motions.iter().cloned())?;
        let sure = Sure::from(*guarantee);
        let saved = (rows, sure, *undecided, asked.method);
        pickle::dumped(py, "_contacts", &saved, (bodies, motions))
    }
}

/// All columns of contacts, in the order of tables.
pub(crate) fn all_columns<'py>(py: Python<'py>, found: &[Contact]) -> PyResult<Bound<'py, PyDict>> {
    let numbered = |of: fn(&Contact) -> f64| column(py, found.iter().map(of));
    let vectors =
        |of: fn(&Contact) -> DVec3| rows(py, found.iter().map(|contact| of(contact).to_array()));
    let table = PyDict::new(py);
    table.set_item("time", numbered(|c| c.time))?;
    table.set_item("bracket", rows(py, found.iter().map(|c| c.time_bracket))?)?;
    table.set_item("kind", column(py, found.iter().map(|c| fixed(&kind(c.features)))))?;
    table.set_item("feature_a", rows(py, found.iter().map(|c| numbers(c.features.a)))?)?;
    table.set_item("feature_b", rows(py, found.iter().map(|c| numbers(c.features.b)))?)?;
    table.set_item("point", vectors(|c| c.point)?)?;
    table.set_item("normal", vectors(|c| c.normal)?)?;
    table.set_item("point_in_a", vectors(|c| c.point_in_a)?)?;
    table.set_item("normal_in_a", vectors(|c| c.normal_in_a)?)?;
    table.set_item("properness", numbered(|c| c.properness))?;
    table.set_item("normal_speed", numbered(|c| c.normal_speed))?;
    table.set_item("touchable", column(py, found.iter().map(|c| c.touchable)))?;
    table.set_item("grazing", column(py, found.iter().map(|c| c.grazing)))?;
    Ok(table)
}

/// Contacts that were pickled.
#[pyfunction]
pub(crate) fn _contacts(
    bytes: &[u8],
    bodies: [Py<PyGeometry>; 2],
    motions: [Bound<'_, PyMotion>; 2],
) -> PyResult<PyContacts> {
    let (rows, sure, undecided, method): (Vec<Row>, Sure, usize, String) = pickle::loaded(bytes)?;
    let method = ["exact", "screen", "path"].into_iter().find(|word| *word == method);
    let motions = motions.map(|motion| motion.get().clone());
    let asked = Asked { bodies, motions, method: method.unwrap_or("auto") };
    let contacts = rows.into_iter().map(Contact::from).collect();
    Ok(PyContacts::new(contacts, asked, sure.into(), undecided))
}
