//! Solids that are round: spheres, capsules, cylinders, cones and ellipsoids, which the exact
//! method takes as they are.

use chasles::glam::DVec3;
use chasles::round::Round;
use chasles::{Polyhedron, Pose};
use toml::Spanned;

use super::entry::{Kind, SolidEntry, TurnedEntry};
use crate::motion;

/// Faces of the meshes that pictures show, around the axis and from pole to pole: outlines look
/// smooth on a whole screen.
const SEGMENTS: [u32; 2] = [96, 48];

/// What a round solid is made of.
#[derive(Clone, Copy)]
enum Form {
    Around(Core),
    /// Centre and axes, and half of the lengths along these.
    Ellipsoid(Pose, DVec3),
}

/// The segment around which a round solid is.
#[derive(Clone, Copy)]
struct Core {
    ends: [DVec3; 2],
    radius: f64,
    end: End,
}

/// How it ends.
#[derive(Clone, Copy)]
enum End {
    Round,
    Flat,
    /// In a tip above a flat base.
    Tip,
}

/// The round body that a solid is, all lengths multiplied by `scale`; none if it is another solid.
///
/// *Accepts* an entry of which a solid was made.
pub(crate) fn round(entry: &SolidEntry, scale: f64) -> Option<Round> {
    let made = match form(entry)?.placed(&Pose::IDENTITY, scale)? {
        Form::Around(Core { ends, radius, end }) => match end {
            End::Round => Round::capsule(ends, radius),
            End::Flat => Round::cylinder(ends, radius),
            End::Tip => Round::cone(ends, radius),
        },
        Form::Ellipsoid(frame, half_axes) => Round::ellipsoid_at(&frame, half_axes),
    };
    made.ok()
}

fn form(entry: &SolidEntry) -> Option<Form> {
    let (_, kind, span) = entry.given().into_iter().next()?;
    match kind {
        Kind::Sphere(sphere) => {
            let centre = motion::vector(sphere.center);
            Some(Form::Around(Core { ends: [centre; 2], radius: sphere.radius, end: End::Round }))
        }
        Kind::Capsule(capsule) => {
            let ends = [capsule.from, capsule.to].map(|end| motion::vector(Some(end)));
            Some(Form::Around(Core { ends, radius: capsule.radius, end: End::Round }))
        }
        Kind::Cylinder(turned) => Some(upright(turned, End::Flat)),
        Kind::Cone(turned) => Some(upright(turned, End::Tip)),
        Kind::Ellipsoid(ellipsoid) => {
            Some(Form::Ellipsoid(Pose::IDENTITY, motion::vector(Some(ellipsoid.half_axes))))
        }
        Kind::Transformed(entry) => {
            let pose = motion::pose(&Spanned::new(span, entry.pose())).ok()?;
            form(entry.solid.get_ref())?.placed(&pose, entry.scale)
        }
        _ => None,
    }
}

fn upright(turned: &TurnedEntry, end: End) -> Form {
    let top = 0.5 * turned.height * DVec3::Y;
    Form::Around(Core { ends: [-top, top], radius: turned.radius, end })
}

impl Form {
    /// The same, scaled and then put elsewhere; none where that is beyond all numbers.
    fn placed(self, pose: &Pose, scale: f64) -> Option<Self> {
        Some(match self {
            Self::Around(core) => {
                let ends = core.ends.map(|end| pose.point(scale * end));
                Self::Around(Core { ends, radius: scale * core.radius, ..core })
            }
            Self::Ellipsoid(frame, half_axes) => {
                let frame = Pose::new(scale * frame.position(), frame.rotation()).ok()?;
                Self::Ellipsoid(pose.after(&frame), scale * half_axes)
            }
        })
    }
}

/// A fine mesh of a round body, for pictures alone; its vertices are on the surface. None of one
/// that is too small or too large for shapes.
pub(super) fn look(round: &Round) -> Option<Polyhedron> {
    Polyhedron::new(&round.polygons(SEGMENTS).ok()?).ok()
}
