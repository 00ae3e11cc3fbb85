//! Solids that are round: spheres, capsules and cylinders, which the exact method takes as they
//! are.

use chasles::glam::DVec3;
use chasles::round::Round;
use chasles::{Polyhedron, Pose};
use toml::Spanned;

use super::entry::{Kind, SolidEntry};
use crate::motion;

/// Faces of the meshes that pictures show, around the axis and from pole to pole: outlines look
/// smooth on a whole screen.
const SEGMENTS: [u32; 2] = [96, 48];

/// The segment around which a round solid is.
#[derive(Clone, Copy)]
struct Core {
    ends: [DVec3; 2],
    radius: f64,
    /// Whether it ends flat, as a cylinder does.
    is_flat: bool,
}

/// The round body that a solid is, all lengths multiplied by `scale`; none if it is another solid.
///
/// *Accepts* an entry of which a solid was made.
pub(crate) fn round(entry: &SolidEntry, scale: f64) -> Option<Round> {
    let Core { ends, radius, is_flat } = core(entry)?.placed(&Pose::IDENTITY, scale);
    match is_flat {
        true => Round::cylinder(ends, radius).ok(),
        false => Round::capsule(ends, radius).ok(),
    }
}

fn core(entry: &SolidEntry) -> Option<Core> {
    let (_, kind, span) = entry.given().into_iter().next()?;
    match kind {
        Kind::Sphere(sphere) => {
            let centre = motion::vector(sphere.center);
            Some(Core { ends: [centre; 2], radius: sphere.radius, is_flat: false })
        }
        Kind::Capsule(capsule) => {
            let ends = [capsule.from, capsule.to].map(|end| motion::vector(Some(end)));
            Some(Core { ends, radius: capsule.radius, is_flat: false })
        }
        Kind::Cylinder(cylinder) => {
            let end = 0.5 * cylinder.height * DVec3::Y;
            Some(Core { ends: [-end, end], radius: cylinder.radius, is_flat: true })
        }
        Kind::Transformed(entry) => {
            let pose = motion::pose(&Spanned::new(span, entry.pose())).ok()?;
            Some(core(entry.solid.get_ref())?.placed(&pose, entry.scale))
        }
        _ => None,
    }
}

impl Core {
    /// The same, scaled and then put elsewhere.
    fn placed(self, pose: &Pose, scale: f64) -> Self {
        let ends = self.ends.map(|end| pose.point(scale * end));
        Self { ends, radius: scale * self.radius, ..self }
    }
}

/// A fine mesh of a round body, for pictures alone; its vertices are on the surface. None of one
/// that is too small or too large for shapes.
pub(super) fn look(round: &Round) -> Option<Polyhedron> {
    Polyhedron::new(&round.polygons(SEGMENTS).ok()?).ok()
}
