//! What touches what, whatever the bodies are.

use std::fmt;

use super::geometry::Geometry;
use crate::path::{self, Sample};
use crate::{contact, distance, round};

/// A part of the surface of a body. Numbers are those of the input, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Feature {
    /// A vertex of a mesh.
    Vertex(u32),
    /// An edge of a mesh as its two vertices, the lower number first.
    Edge([u32; 2]),
    /// A face of a mesh.
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
    /// A point of the surface that was followed on its path.
    Sample(Sample),
    /// Some point of the surface: what a sample of the other body came to.
    Surface,
    /// What a closed surface encloses, of bodies that overlap.
    Inside,
}

impl Feature {
    /// The word used in results: `vertex`, `edge`, `face`, `side`, `end`, `cap`, `rim`, `tip`,
    /// `sample`, `surface` or `inside`.
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
            Self::Sample(_) => "sample",
            Self::Surface => "surface",
            Self::Inside => "inside",
        }
    }

    /// The part of a body whose mesh, or whose core if it is round, has this part: an end of a core
    /// is an end of the body, and an edge its side.
    pub(super) fn of_body(self, body: &Geometry) -> Self {
        match self {
            Self::Vertex(v) if body.round().is_some() => Self::End(u8::from(v > 0)),
            Self::Edge(_) if body.round().is_some() => Self::Side,
            _ => self,
        }
    }
}

impl fmt::Display for Feature {
    /// As `vertex 3`, `edge 1-4`, `end 0` or `side`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vertex(n) | Self::Face(n) => write!(f, "{} {n}", self.kind()),
            Self::Edge([p, q]) => write!(f, "edge {p}-{q}"),
            Self::End(n) | Self::Cap(n) | Self::Rim(n) => write!(f, "{} {n}", self.kind()),
            Self::Sample(Sample::Vertex(n)) => write!(f, "vertex {n}"),
            Self::Sample(Sample::Edge { edge: [p, q], number }) => {
                write!(f, "sample {number} of edge {p}-{q}")
            }
            Self::Sample(Sample::Face { face, number }) => {
                write!(f, "sample {number} of face {face}")
            }
            Self::Sample(Sample::Point(n)) => write!(f, "sample {n}"),
            Self::Side | Self::Tip | Self::Surface | Self::Inside => f.write_str(self.kind()),
        }
    }
}

impl From<distance::Feature> for Feature {
    fn from(feature: distance::Feature) -> Self {
        match feature {
            distance::Feature::Vertex(v) => Self::Vertex(v),
            distance::Feature::Edge(e) => Self::Edge(e),
            distance::Feature::Face(f) => Self::Face(f),
            distance::Feature::Inside => Self::Inside,
        }
    }
}

impl From<round::Feature> for Feature {
    fn from(feature: round::Feature) -> Self {
        match feature {
            round::Feature::Vertex(v) => Self::Vertex(v),
            round::Feature::Edge(e) => Self::Edge(e),
            round::Feature::Face(f) => Self::Face(f),
            round::Feature::Side => Self::Side,
            round::Feature::End(i) => Self::End(i),
            round::Feature::Cap(i) => Self::Cap(i),
            round::Feature::Rim(i) => Self::Rim(i),
            round::Feature::Tip => Self::Tip,
        }
    }
}

/// The two features that touch: that of A and that of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Features {
    /// That of A.
    pub a: Feature,
    /// That of B.
    pub b: Feature,
}

impl Features {
    /// The same seen by B: the bodies change places.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { a: self.b, b: self.a }
    }

    /// The parts of bodies whose meshes or cores have these parts.
    pub(super) fn of_bodies(self, [a, b]: [&Geometry; 2]) -> Self {
        Self { a: self.a.of_body(a), b: self.b.of_body(b) }
    }

    /// The same in the words of the methods for two meshes; none if another method found them.
    pub fn of_meshes(self) -> Option<contact::Features> {
        match (self.a, self.b) {
            (Feature::Face(face), Feature::Vertex(vertex)) => {
                Some(contact::Features::Fv { face, vertex })
            }
            (Feature::Vertex(vertex), Feature::Face(face)) => {
                Some(contact::Features::Vf { vertex, face })
            }
            (Feature::Edge(a), Feature::Edge(b)) => Some(contact::Features::Ee { a, b }),
            _ => None,
        }
    }

    /// The same in the words of the path method; none if another method found them.
    pub fn of_path(self) -> Option<path::Features> {
        match (self.a, self.b) {
            (Feature::Surface, Feature::Sample(sample)) => {
                Some(path::Features::SolidSample(sample))
            }
            (Feature::Sample(sample), Feature::Surface) => {
                Some(path::Features::SampleSolid(sample))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Features {
    /// That of A and that of B, as `face 2 and vertex 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {}", self.a, self.b)
    }
}

impl From<contact::Features> for Features {
    fn from(features: contact::Features) -> Self {
        match features {
            contact::Features::Fv { face, vertex } => {
                Self { a: Feature::Face(face), b: Feature::Vertex(vertex) }
            }
            contact::Features::Vf { vertex, face } => {
                Self { a: Feature::Vertex(vertex), b: Feature::Face(face) }
            }
            contact::Features::Ee { a, b } => Self { a: Feature::Edge(a), b: Feature::Edge(b) },
        }
    }
}

impl From<[distance::Feature; 2]> for Features {
    fn from([a, b]: [distance::Feature; 2]) -> Self {
        Self { a: a.into(), b: b.into() }
    }
}

impl From<round::Features> for Features {
    fn from(features: round::Features) -> Self {
        Self { a: features.a.into(), b: features.b.into() }
    }
}

impl From<path::Features> for Features {
    fn from(features: path::Features) -> Self {
        match features {
            path::Features::SolidSample(s) => Self { a: Feature::Surface, b: Feature::Sample(s) },
            path::Features::SampleSolid(s) => Self { a: Feature::Sample(s), b: Feature::Surface },
        }
    }
}

/// One touch of two bodies during a motion, whichever method found it.
pub type Contact = contact::Contact<Features>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_each_method_come_back() {
        let meshes = [
            contact::Features::Fv { face: 3, vertex: 4 },
            contact::Features::Vf { vertex: 3, face: 4 },
            contact::Features::Ee { a: [1, 2], b: [3, 4] },
        ];
        for features in meshes {
            let all = Features::from(features);
            assert_eq!((all.of_meshes(), all.of_path()), (Some(features), None));
        }
        let sample = Sample::Edge { edge: [1, 2], number: 3 };
        for features in [path::Features::SolidSample(sample), path::Features::SampleSolid(sample)] {
            let all = Features::from(features);
            assert_eq!((all.of_meshes(), all.of_path()), (None, Some(features)));
        }
        let words = Features::from(meshes[2]).to_string();
        assert_eq!(words, "edge 1-2 and edge 3-4");
        let words = [Feature::Face(3), Feature::End(1), Feature::Side, Feature::Sample(sample)];
        let words = words.map(|feature| feature.to_string());
        assert_eq!(words, ["face 3", "end 1", "side", "sample 3 of edge 1-2"]);
        let ball = round::Features { a: round::Feature::Face(1), b: round::Feature::End(0) };
        let all = Features::from(ball);
        assert_eq!((all.a.kind(), all.swapped().a.kind()), ("face", "end"));
        assert_eq!((all.of_meshes(), all.of_path()), (None, None));
    }
}
