//! From the keys of a sheet to sheets of the world.
//!
//! The doc comments of the keys are the descriptions in `chasles schema`.

use std::collections::BTreeSet;

use chasles::Pose;
use chasles::glam::DVec3;
use chasles_dynamics::World;
use chasles_dynamics::spring::net::{Fabric, Net};
use chasles_dynamics::spring::sheet::Sheet;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::error::SheetProblem;
use super::{SimulateProblem, fault};
use crate::error::{Fault, Problem};
use crate::file::{List, PoseEntry, Vector};
use crate::given::Span;
use crate::motion;

/// The most vertices of a sheet: a step of more takes minutes.
const MOST_VERTICES: u64 = 100_000;

/// A sheet of springs, such as a cloth. It lies flat, along x and z, before `start` turns it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SheetEntry {
    /// A name that nothing else has; default `sheet-0`, `sheet-1`, ... by position.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(crate) name: Option<Spanned<String>>,
    /// How long it is along x and z, each above 0; default `[1, 1]`.
    #[serde(default)]
    #[schemars(with = "[f64; 2]")]
    pub(crate) size: Option<Spanned<Two<f64>>>,
    /// Cells along x and z, each at least 1; default `[20, 20]`.
    #[serde(default)]
    #[schemars(with = "[u32; 2]")]
    pub(crate) cells: Option<Spanned<Two<u32>>>,
    /// Where its middle is, and how it is turned; default at the origin, flat.
    #[serde(default)]
    #[schemars(with = "PoseEntry")]
    pub(crate) start: Option<Spanned<PoseEntry>>,
    /// How fast it moves at the start; default not at all.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) velocity: Option<Spanned<Vector>>,
    /// Vertices that stay where they are, as cells along x and along z from the corner with the
    /// lowest numbers; default none.
    #[serde(default)]
    #[schemars(with = "Vec<[u32; 2]>")]
    pub(crate) pins: Vec<Spanned<Two<u32>>>,
    /// Kilograms per square metre, above 0; default 0.15.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub(crate) mass_per_area: Option<f64>,
    /// The stiffness along the cells, in newtons per metre; default 100.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) structural: Option<f64>,
    /// The stiffness across the cells, in newtons per metre; default 20.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) shear: Option<f64>,
    /// The stiffness against bending, in newtons per metre; default 0.5.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) bend: Option<f64>,
    /// The force against the lengthening of a spring, in newtons per metre and second; default
    /// 0.02.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) damping: Option<f64>,
    /// The share of its velocity that a vertex loses to the air in a second; default 0.2.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) drag: Option<f64>,
    /// Friction with bodies, of which the larger counts, and with itself; default 0.4.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) friction: Option<f64>,
    /// The share of its speed that contact gives back where the world has `response = "springs"`,
    /// from 0 to 1; of two the lower counts; default 0.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0, max = 1))]
    pub(crate) restitution: Option<f64>,
    /// The distance that is kept from it, above 0 and less than a cell; default 0.002.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub(crate) thickness: Option<f64>,
}

/// Two numbers, along x and z.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Two<T>(pub(crate) [T; 2]);

impl<'de, T: Deserialize<'de> + Copy + Default> Deserialize<'de> for Two<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(List::new("two numbers [along x, along z]")).map(Self)
    }
}

/// Lays the sheets of a scene into its world; their names, none of which may be one of these.
pub(super) fn lay(
    world: &mut World,
    bodies: &[String],
    entries: &[Spanned<SheetEntry>],
) -> Result<Vec<String>, Fault> {
    let mut seen: BTreeSet<String> = bodies.iter().cloned().collect();
    let mut names = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let stated = entry.get_ref().name.as_ref();
        let name = stated.map_or(format!("sheet-{number}"), |name| name.get_ref().clone());
        if !seen.insert(name.clone()) {
            let place = stated.map_or(entry.span(), Spanned::span);
            return Err(Fault::new(Problem::DuplicateName(name), place));
        }
        world.add_sheet(sheet(&name, entry)?);
        names.push(name);
    }
    Ok(names)
}

fn sheet(name: &str, entry: &Spanned<SheetEntry>) -> Result<Sheet, Fault> {
    let SheetEntry { size, cells, start, velocity, pins, .. } = entry.get_ref();
    let wrong = |reason: SheetProblem, place: Span| {
        fault(SimulateProblem::Sheet { name: name.to_string(), reason }, place)
    };
    let [along, across] = size.as_ref().map_or([1.0; 2], |size| size.get_ref().0);
    let count = cells.as_ref().map_or([20; 2], |cells| cells.get_ref().0);
    let place = |other: Option<Span>| other.unwrap_or_else(|| entry.span());
    if !(along > 0.0 && across > 0.0) {
        let reason = SheetProblem::Size([along, across]);
        return Err(wrong(reason, place(size.as_ref().map(Spanned::span))));
    }
    let vertices = count.iter().map(|&cells| u64::from(cells) + 1).product::<u64>();
    if vertices > MOST_VERTICES {
        let reason = SheetProblem::Vertices { vertices, most: MOST_VERTICES };
        return Err(wrong(reason, place(cells.as_ref().map(Spanned::span))));
    }
    let pose = start.as_ref().map_or(Ok(Pose::IDENTITY), motion::pose)?;
    // Seen from above, x and -z turn as the faces do.
    let corner = pose.point(DVec3::new(-0.5 * along, 0.0, -0.5 * across));
    let sides = [DVec3::X * along, DVec3::Z * across].map(|side| pose.vector(side));
    let made = Net::grid(corner, sides, count, &fabric(entry.get_ref()));
    let net = made.map_err(|error| wrong(error.into(), entry.span()))?;
    let mut sheet = Sheet::new(net).map_err(|error| wrong(error.into(), entry.span()))?;
    for pin in pins {
        let [i, j] = pin.get_ref().0;
        if i > count[0] || j > count[1] {
            return Err(wrong(SheetProblem::Pin { pin: [i, j], last: count }, pin.span()));
        }
        sheet.pin((i + j * (count[0] + 1)) as usize, true);
    }
    sheet.throw(motion::vector(velocity.as_ref().map(|velocity| *velocity.get_ref())));
    Ok(sheet)
}

fn fabric(entry: &SheetEntry) -> Fabric {
    let usual = Fabric::default();
    Fabric {
        mass_per_area: entry.mass_per_area.unwrap_or(usual.mass_per_area),
        structural: entry.structural.unwrap_or(usual.structural),
        shear: entry.shear.unwrap_or(usual.shear),
        bend: entry.bend.unwrap_or(usual.bend),
        damping: entry.damping.unwrap_or(usual.damping),
        drag: entry.drag.unwrap_or(usual.drag),
        friction: entry.friction.unwrap_or(usual.friction),
        restitution: entry.restitution.unwrap_or(usual.restitution),
        thickness: entry.thickness.unwrap_or(usual.thickness),
    }
}

/// Fails if there are sheets: only simulations have them.
pub(super) fn refuse(sheets: &[Spanned<SheetEntry>]) -> Result<(), Fault> {
    sheets.first().map_or(Ok(()), |sheet| Err(fault(SimulateProblem::SheetElsewhere, sheet.span())))
}
