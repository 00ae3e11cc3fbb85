//! What touches what where one body is round.

use super::gaps::Part;

/// A feature of a polyhedron, in the numbers of the input, or of a round body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// A vertex of a polyhedron.
    Vertex(u32),
    /// An edge of a polyhedron as its two vertices, the lower number first.
    Edge([u32; 2]),
    /// A face of a polyhedron.
    Face(u32),
    /// The curved side of a capsule, cylinder or cone, and all of an ellipsoid.
    Side,
    /// The half-ball at an end of a capsule, 0 or 1; a sphere is its end 0.
    End(u8),
    /// A flat end of a cylinder, 0 or 1; the base of a cone is its cap 0.
    Cap(u8),
    /// The circle around a flat end of a cylinder or a cone.
    Rim(u8),
    /// The tip of a cone.
    Tip,
}

impl Feature {
    pub(super) fn of(part: Part) -> Self {
        let number = |sign: f64| u8::from(sign > 0.0);
        match part {
            Part::Side | Part::Slant | Part::Skin => Self::Side,
            Part::End(sign) => Self::End(number(sign)),
            Part::Cap(sign) => Self::Cap(number(sign)),
            Part::Rim(sign) => Self::Rim(number(sign)),
            Part::Tip => Self::Tip,
        }
    }

    /// The word used in results: `vertex`, `edge`, `face`, `side`, `end`, `cap`, `rim` or `tip`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Vertex(_) => "vertex",
            Self::Edge(_) => "edge",
            Self::Face(_) => "face",
            Self::Side => "side",
            Self::End(_) => "end",
            Self::Cap(_) => "cap",
            Self::Rim(_) => "rim",
            Self::Tip => "tip",
        }
    }
}

/// The two features that touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Features {
    /// That of A: of the polyhedron, if there is one.
    pub a: Feature,
    /// That of B, a round body.
    pub b: Feature,
}
