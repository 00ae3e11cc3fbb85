//! Solids of a scene: from `solid = { ... }`, `sdf` and `expression` to what queries ask.

mod entry;
mod error;
mod look;
mod round;

use std::ops::Range;
use std::path::Path;

use chasles::glam::DVec3;
use chasles::solid::{
    self, Capsule, Cone, Cuboid, Cylinder, Difference, Ellipsoid, Expression, HalfSpace,
    HeightField, Intersection, MeshSolid, Offset, Sdf, SdfOptions, Solid, SolidError, Sphere,
    Torus, Transformed, Union,
};
use toml::Spanned;

pub(crate) use entry::{BoundsEntry, SdfEntry, SolidEntry};
pub use error::SolidProblem;
pub use look::{LookError, SolidBody};
pub(crate) use look::{around, corners};
pub(crate) use round::round;

use crate::error::{Fault, Problem};
use crate::file::Vector;
use crate::files::Files;
use crate::meshes;
use crate::motion;
use entry::{HeightsEntry, Kind, SampledEntry};

/// How many solids may stand around one: each takes room on the stack, and the TOML reader ends at
/// 80 tables and lists, of which each takes two.
const MOST_LEVELS: usize = 32;

/// Cells of a field along its longest side; more are another tool's task.
const MOST_CELLS: u32 = 1024;

type Made = Box<dyn Solid>;

/// Makes solids of what a scene says.
#[derive(Clone, Copy)]
pub(crate) struct Builder<'e> {
    files: &'e dyn Files,
    /// Solids around this one.
    levels: usize,
}

impl<'e> Builder<'e> {
    pub(crate) fn new(files: &'e dyn Files) -> Self {
        Self { files, levels: 0 }
    }

    /// The solid of an entry.
    pub(crate) fn solid(&self, entry: &Spanned<SolidEntry>) -> Result<Made, Fault> {
        if self.levels > MOST_LEVELS {
            return Err(Fault::new(SolidProblem::TooDeep, entry.span()));
        }
        let given = entry.get_ref().given();
        let wrong = |problem: SolidProblem, span| Err(Fault::new(problem, span));
        if let (Some(bounds), None) = (&entry.get_ref().bounds, &entry.get_ref().expression) {
            return wrong(SolidProblem::Bounds, bounds.span());
        }
        match &given[..] {
            [] => wrong(SolidProblem::Nothing, entry.span()),
            [(_, kind, span)] => self.kind(*kind, span.clone()),
            [(one, ..), (other, _, span), ..] => {
                wrong(SolidProblem::Several([one, other]), span.clone())
            }
        }
    }

    fn kind(&self, kind: Kind, span: Range<usize>) -> Result<Made, Fault> {
        let inner = Self { levels: self.levels + 1, ..*self };
        let all = |list: &[Spanned<SolidEntry>]| -> Result<Vec<Made>, Fault> {
            list.iter().map(|entry| inner.solid(entry)).collect()
        };
        let at = |error: SolidError| Fault::new(SolidProblem::Solid(error), span.clone());
        let vector = |Vector(v): Vector| DVec3::from_array(v);
        match kind {
            Kind::Sphere(s) => made(Sphere::new(motion::vector(s.center), s.radius)).map_err(at),
            Kind::Box(s) => made(Cuboid::new(vector(s.size))).map_err(at),
            Kind::Capsule(s) => {
                made(Capsule::new(vector(s.from), vector(s.to), s.radius)).map_err(at)
            }
            Kind::Ellipsoid(s) => made(Ellipsoid::new(vector(s.half_axes))).map_err(at),
            Kind::Cylinder(s) => made(Cylinder::new(s.radius, s.height)).map_err(at),
            Kind::Cone(s) => made(Cone::new(s.radius, s.height)).map_err(at),
            Kind::Torus(s) => made(Torus::new(s.major, s.minor)).map_err(at),
            Kind::HalfSpace(s) => made(HalfSpace::new(vector(s.normal), s.offset)).map_err(at),
            Kind::Union(list) => made(Union::new(all(list)?)).map_err(at),
            Kind::Intersection(list) => made(Intersection::new(all(list)?)).map_err(at),
            Kind::Difference(entry) => {
                let from = inner.solid(&entry.from)?;
                made(Difference::new(from, all(&entry.minus)?)).map_err(at)
            }
            Kind::Offset(entry) => {
                made(Offset::new(inner.solid(&entry.solid)?, entry.by)).map_err(at)
            }
            Kind::Transformed(entry) => {
                let pose = motion::pose(&Spanned::new(span.clone(), entry.pose()))?;
                let solid = inner.solid(&entry.solid)?;
                made(Transformed::new(solid, pose, entry.scale)).map_err(at)
            }
            Kind::Heights(entry) => heights(entry, &span).map(|field| Box::new(field) as Made),
            Kind::Mesh(file) => self.mesh(file.get_ref(), file.span()).map(|s| Box::new(s) as Made),
            Kind::Sdf(entry) => self.field(entry, &span).map(|field| Box::new(field) as Made),
            Kind::Expression(text, bounds) => {
                expression(text, bounds).map(|solid| Box::new(solid) as Made)
            }
        }
    }

    fn mesh(&self, file: &Path, span: Range<usize>) -> Result<MeshSolid, Fault> {
        let at = |problem: Problem| Fault::new(problem, span.clone());
        let made = meshes::from_file(self.files, file, 1.0, None).map_err(at)?;
        MeshSolid::new(&made.mesh).map_err(|error| at(SolidProblem::Solid(error).into()))
    }

    /// The field of a file, or that of a mesh.
    pub(crate) fn field(&self, entry: &SdfEntry, span: &Range<usize>) -> Result<Sdf, Fault> {
        let at = |problem: SolidProblem| Fault::new(problem, span.clone());
        match entry {
            SdfEntry::File(file) => {
                let path = self.files.path(file);
                let bytes = self.files.read(file, Sdf::LARGEST_FILE);
                let unread = |error| SolidProblem::FieldFile { path: path.clone(), error };
                let bytes = bytes.map_err(unread).map_err(at)?;
                Sdf::from_bytes(&bytes)
                    .map_err(|source| at(SolidProblem::FieldContents { path, source }))
            }
            SdfEntry::Sampled(SampledEntry { cells, .. }) if !(1..=MOST_CELLS).contains(cells) => {
                Err(at(SolidProblem::Cells(*cells)))
            }
            SdfEntry::Sampled(SampledEntry { mesh, cells }) => {
                let solid = self.mesh(mesh.get_ref(), mesh.span())?;
                let options = SdfOptions::across(&solid, *cells);
                let field = options.and_then(|options| Sdf::sample(&solid, &options));
                field.map_err(|error| at(SolidProblem::Solid(error)))
            }
        }
    }
}

fn made<S: Solid + 'static>(solid: Result<S, SolidError>) -> Result<Made, SolidError> {
    solid.map(|solid| Box::new(solid) as Made)
}

fn heights(entry: &HeightsEntry, span: &Range<usize>) -> Result<HeightField, Fault> {
    let rows = &entry.rows;
    let columns = rows.first().map_or(0, |row| row.get_ref().len());
    if let Some(row) = rows.iter().find(|row| row.get_ref().len() != columns) {
        let problem = SolidProblem::Row { found: row.get_ref().len(), expected: columns };
        return Err(Fault::new(problem, row.span()));
    }
    let heights = rows.iter().flat_map(|row| row.get_ref()).copied().collect();
    let origin = entry.origin.map_or([0.0; 2], |origin| origin.0);
    HeightField::new(heights, columns, origin, entry.spacing, entry.floor)
        .map_err(|error| Fault::new(SolidProblem::Solid(error), span.clone()))
}

/// The solid of a formula.
pub(crate) fn expression(
    text: &Spanned<String>,
    bounds: Option<&Spanned<BoundsEntry>>,
) -> Result<Expression, Fault> {
    let corners = |entry: &BoundsEntry| entry.0.map(|c| DVec3::from_array(c.0));
    let span = match bounds {
        Some(entry) if !is_ordered(corners(entry.get_ref())) => entry.span(),
        _ => text.span(),
    };
    let bounds = bounds.map(|entry| corners(entry.get_ref()));
    Expression::parse(text.get_ref(), bounds).map_err(|error| {
        let is_formula = matches!(error, SolidError::Expression(_));
        let problem = match error {
            SolidError::Expression(error) => {
                SolidProblem::Formula { formula: text.get_ref().clone(), error }
            }
            other => SolidProblem::Solid(other),
        };
        Fault::new(problem, if is_formula { text.span() } else { span })
    })
}

/// Whether the second corner is nowhere below the first.
fn is_ordered([low, high]: [DVec3; 2]) -> bool {
    low.cmple(high).all()
}

/// A solid with all lengths multiplied by `scale`.
pub(crate) fn scaled(solid: Made, scale: f64) -> Result<Made, solid::SolidError> {
    match scale {
        1.0 => Ok(solid),
        _ => made(Transformed::new(solid, chasles::Pose::IDENTITY, scale)),
    }
}
