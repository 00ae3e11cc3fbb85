//! The keys of `solid = { ... }` as they are written, with the place of each value.
//!
//! The doc comments here are the descriptions in `chasles schema`.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::file::{List, PoseEntry, RotationEntry, Vector};

/// A solid: exactly one of its keys is given, and `bounds` with `expression` only.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    { "required": ["sphere"] }, { "required": ["box"] }, { "required": ["capsule"] },
    { "required": ["ellipsoid"] },
    { "required": ["cylinder"] }, { "required": ["cone"] }, { "required": ["torus"] },
    { "required": ["half_space"] }, { "required": ["heights"] }, { "required": ["union"] },
    { "required": ["intersection"] }, { "required": ["difference"] }, { "required": ["offset"] },
    { "required": ["transformed"] }, { "required": ["mesh"] }, { "required": ["sdf"] },
    { "required": ["expression"] }
]))]
#[schemars(extend("dependentRequired" = { "bounds": ["expression"] }))]
pub(crate) struct SolidEntry {
    /// All points within a radius of a point.
    #[serde(default)]
    #[schemars(with = "SphereEntry")]
    pub(crate) sphere: Option<Spanned<SphereEntry>>,
    /// A box with its middle at the origin.
    #[serde(default, rename = "box")]
    #[schemars(with = "BoxEntry")]
    pub(crate) cuboid: Option<Spanned<BoxEntry>>,
    /// All points within a radius of a segment.
    #[serde(default)]
    #[schemars(with = "CapsuleEntry")]
    pub(crate) capsule: Option<Spanned<CapsuleEntry>>,
    /// A sphere stretched along x, y and z, its middle at the origin.
    #[serde(default)]
    #[schemars(with = "EllipsoidEntry")]
    pub(crate) ellipsoid: Option<Spanned<EllipsoidEntry>>,
    /// A cylinder along y, its middle at the origin.
    #[serde(default)]
    #[schemars(with = "TurnedEntry")]
    pub(crate) cylinder: Option<Spanned<TurnedEntry>>,
    /// A cone along y, its apex above, half of its height at the origin.
    #[serde(default)]
    #[schemars(with = "TurnedEntry")]
    pub(crate) cone: Option<Spanned<TurnedEntry>>,
    /// A torus about y.
    #[serde(default)]
    #[schemars(with = "TorusEntry")]
    pub(crate) torus: Option<Spanned<TorusEntry>>,
    /// All points on one side of a plane; without end.
    #[serde(default)]
    #[schemars(with = "HalfSpaceEntry")]
    pub(crate) half_space: Option<Spanned<HalfSpaceEntry>>,
    /// The ground below a grid of heights.
    #[serde(default)]
    #[schemars(with = "HeightsEntry")]
    pub(crate) heights: Option<Spanned<HeightsEntry>>,
    /// What is in any of these solids.
    #[serde(default)]
    #[schemars(with = "Vec<SolidEntry>", length(min = 1))]
    pub(crate) union: Option<Spanned<Vec<Spanned<SolidEntry>>>>,
    /// What is in all of these solids.
    #[serde(default)]
    #[schemars(with = "Vec<SolidEntry>", length(min = 1))]
    pub(crate) intersection: Option<Spanned<Vec<Spanned<SolidEntry>>>>,
    /// What is in one solid and in none of others.
    #[serde(default)]
    #[schemars(with = "DifferenceEntry")]
    pub(crate) difference: Option<Spanned<DifferenceEntry>>,
    /// A solid that is grown or shrunk.
    #[serde(default)]
    #[schemars(with = "OffsetEntry")]
    pub(crate) offset: Option<Spanned<OffsetEntry>>,
    /// A solid that is scaled, then turned, then moved.
    #[serde(default)]
    #[schemars(with = "TransformedEntry")]
    pub(crate) transformed: Option<Spanned<TransformedEntry>>,
    /// A mesh file, relative to the scene file: solid where it is closed, a sheet elsewhere.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(crate) mesh: Option<Spanned<PathBuf>>,
    /// A distance field: a file of `chasles field`, or a mesh to sample now.
    #[serde(default)]
    #[schemars(with = "SdfEntry")]
    pub(crate) sdf: Option<Spanned<SdfEntry>>,
    /// A formula in x, y and z: all points where it is not positive.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(crate) expression: Option<Spanned<String>>,
    /// The lowest and the highest corner of a box that cuts the solid of the formula.
    #[serde(default)]
    #[schemars(with = "BoundsEntry")]
    pub(crate) bounds: Option<Spanned<BoundsEntry>>,
}

/// The one thing that a solid is.
#[derive(Clone, Copy)]
pub(crate) enum Kind<'e> {
    Sphere(&'e SphereEntry),
    Box(&'e BoxEntry),
    Capsule(&'e CapsuleEntry),
    Ellipsoid(&'e EllipsoidEntry),
    Cylinder(&'e TurnedEntry),
    Cone(&'e TurnedEntry),
    Torus(&'e TorusEntry),
    HalfSpace(&'e HalfSpaceEntry),
    Heights(&'e HeightsEntry),
    Union(&'e [Spanned<SolidEntry>]),
    Intersection(&'e [Spanned<SolidEntry>]),
    Difference(&'e DifferenceEntry),
    Offset(&'e OffsetEntry),
    Transformed(&'e TransformedEntry),
    Mesh(&'e Spanned<PathBuf>),
    Sdf(&'e SdfEntry),
    Expression(&'e Spanned<String>, Option<&'e Spanned<BoundsEntry>>),
}

/// A key that is given, what it says, and where.
pub(crate) type Given<'e> = (&'static str, Kind<'e>, Range<usize>);

impl SolidEntry {
    /// All that is given; one thing if the entry is right.
    pub(crate) fn given(&self) -> Vec<Given<'_>> {
        fn of<'e, T>(
            key: &'static str,
            entry: &'e Option<Spanned<T>>,
            kind: impl FnOnce(&'e T) -> Kind<'e>,
        ) -> Option<Given<'e>> {
            entry.as_ref().map(|entry| (key, kind(entry.get_ref()), entry.span()))
        }
        let bounds = self.bounds.as_ref();
        let expression = self.expression.as_ref();
        let mesh = self.mesh.as_ref();
        let given = [
            of("sphere", &self.sphere, Kind::Sphere),
            of("box", &self.cuboid, Kind::Box),
            of("capsule", &self.capsule, Kind::Capsule),
            of("ellipsoid", &self.ellipsoid, Kind::Ellipsoid),
            of("cylinder", &self.cylinder, Kind::Cylinder),
            of("cone", &self.cone, Kind::Cone),
            of("torus", &self.torus, Kind::Torus),
            of("half_space", &self.half_space, Kind::HalfSpace),
            of("heights", &self.heights, Kind::Heights),
            of("union", &self.union, |list| Kind::Union(list)),
            of("intersection", &self.intersection, |list| Kind::Intersection(list)),
            of("difference", &self.difference, Kind::Difference),
            of("offset", &self.offset, Kind::Offset),
            of("transformed", &self.transformed, Kind::Transformed),
            mesh.map(|file| ("mesh", Kind::Mesh(file), file.span())),
            of("sdf", &self.sdf, Kind::Sdf),
            expression.map(|text| ("expression", Kind::Expression(text, bounds), text.span())),
        ];
        given.into_iter().flatten().collect()
    }

    /// The files that it and the solids in it name.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let of_all =
            |list: &[Spanned<Self>]| list.iter().flat_map(|s| s.get_ref().files()).collect();
        let of_kind = |(_, kind, _): Given| match kind {
            Kind::Mesh(file) => vec![file.get_ref().clone()],
            Kind::Sdf(entry) => vec![entry.file().clone()],
            Kind::Union(list) | Kind::Intersection(list) => of_all(list),
            Kind::Difference(DifferenceEntry { from, minus }) => {
                [from.get_ref().files(), of_all(minus)].concat()
            }
            Kind::Offset(OffsetEntry { solid, .. })
            | Kind::Transformed(TransformedEntry { solid, .. }) => solid.get_ref().files(),
            _ => Vec::new(),
        };
        self.given().into_iter().flat_map(of_kind).collect()
    }
}

/// All points within a radius of a point.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SphereEntry {
    /// The radius; default 0.5.
    #[serde(default = "half")]
    pub(crate) radius: f64,
    /// The middle; default the origin.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) center: Option<Vector>,
}

/// A box with its middle at the origin.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoxEntry {
    /// The lengths along x, y and z; default 1 each.
    #[serde(default = "ones")]
    pub(crate) size: Vector,
}

/// All points within a radius of a segment.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CapsuleEntry {
    /// One end of the segment; default `[0, -0.5, 0]`.
    #[serde(default = "below")]
    pub(crate) from: Vector,
    /// Its other end; default `[0, 0.5, 0]`.
    #[serde(default = "above")]
    pub(crate) to: Vector,
    /// The radius; default 0.5.
    #[serde(default = "half")]
    pub(crate) radius: f64,
}

/// A sphere stretched along x, y and z, its middle at the origin.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EllipsoidEntry {
    /// Half of its lengths along x, y and z; default 0.5 each.
    #[serde(default = "halves")]
    pub(crate) half_axes: Vector,
}

/// A cylinder or a cone along y.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TurnedEntry {
    /// The radius, of a cone that of its foot; default 0.5.
    #[serde(default = "half")]
    pub(crate) radius: f64,
    /// The height; default 1.
    #[serde(default = "one")]
    pub(crate) height: f64,
}

/// A torus about y.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TorusEntry {
    /// The radius of the ring; default 1.
    #[serde(default = "one")]
    pub(crate) major: f64,
    /// The radius of the tube; default 0.3.
    #[serde(default = "tube")]
    pub(crate) minor: f64,
}

/// All points on one side of a plane.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HalfSpaceEntry {
    /// Points out of the solid, of any length but 0; default `[0, 1, 0]`: the ground.
    #[serde(default = "up")]
    pub(crate) normal: Vector,
    /// How far along the normal the plane is from the origin; default 0.
    #[serde(default)]
    pub(crate) offset: f64,
}

/// The ground from a floor up to heights on a grid.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeightsEntry {
    /// Rows of heights along x, all of one length, in the order of z.
    #[schemars(with = "Vec<Vec<f64>>")]
    pub(crate) rows: Vec<Spanned<Vec<f64>>>,
    /// The x and z of the first height; default `[0, 0]`.
    #[serde(default)]
    #[schemars(with = "[f64; 2]")]
    pub(crate) origin: Option<Plane>,
    /// How far apart heights are; default 1.
    #[serde(default = "one")]
    pub(crate) spacing: f64,
    /// Where the ground ends below.
    pub(crate) floor: f64,
}

/// Two numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane(pub(crate) [f64; 2]);

impl<'de> Deserialize<'de> for Plane {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(List::new("a place [x, z]")).map(Self)
    }
}

/// What is in one solid and in none of others.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DifferenceEntry {
    /// The solid from which others are taken.
    #[schemars(with = "SolidEntry")]
    pub(crate) from: Box<Spanned<SolidEntry>>,
    /// What is taken away.
    #[schemars(with = "Vec<SolidEntry>")]
    pub(crate) minus: Vec<Spanned<SolidEntry>>,
}

/// A solid that is grown or shrunk.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OffsetEntry {
    /// The solid.
    #[schemars(with = "SolidEntry")]
    pub(crate) solid: Box<Spanned<SolidEntry>>,
    /// By how much it is grown; shrunk if negative.
    pub(crate) by: f64,
}

/// A solid elsewhere.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TransformedEntry {
    /// The solid.
    #[schemars(with = "SolidEntry")]
    pub(crate) solid: Box<Spanned<SolidEntry>>,
    /// Where its origin is; default `[0, 0, 0]`.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) position: Option<Vector>,
    /// How it is turned; default not at all.
    #[serde(default)]
    #[schemars(with = "RotationEntry")]
    pub(crate) rotation: Option<Spanned<RotationEntry>>,
    /// Factor on all lengths, above 0; default 1.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub(crate) scale: f64,
}

impl TransformedEntry {
    pub(super) fn pose(&self) -> PoseEntry {
        PoseEntry { position: self.position, rotation: self.rotation.clone() }
    }
}

/// A distance field: a file of `chasles field`, or a mesh that is sampled when the scene is read.
#[derive(Debug, JsonSchema)]
#[schemars(untagged)]
pub(crate) enum SdfEntry {
    /// A file of `chasles field`, relative to the scene file.
    File(#[schemars(with = "String")] PathBuf),
    /// A mesh to sample.
    Sampled(SampledEntry),
}

impl SdfEntry {
    pub(crate) fn file(&self) -> &PathBuf {
        match self {
            Self::File(file) => file,
            Self::Sampled(entry) => entry.mesh.get_ref(),
        }
    }
}

/// A mesh that is sampled when the scene is read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SampledEntry {
    /// The mesh file, relative to the scene file.
    #[schemars(with = "String")]
    pub(crate) mesh: Spanned<PathBuf>,
    /// Cells along the longest side of the mesh, from 1 to 1024; default 64.
    #[serde(default = "cells")]
    #[schemars(range(min = 1, max = 1024))]
    pub(crate) cells: u32,
}

impl<'de> Deserialize<'de> for SdfEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Fields)
    }
}

/// Reads either form of a field. An untagged enum would lose the place of the error.
struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = SdfEntry;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a file name in quotes or { mesh = \"file.obj\", cells = 64 }")
    }

    fn visit_str<E: Error>(self, file: &str) -> Result<SdfEntry, E> {
        Ok(SdfEntry::File(PathBuf::from(file)))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SdfEntry, A::Error> {
        SampledEntry::deserialize(MapAccessDeserializer::new(map)).map(SdfEntry::Sampled)
    }
}

/// The lowest and the highest corner of a box.
#[derive(Clone, Copy, Debug, JsonSchema)]
#[schemars(transparent)]
pub(crate) struct BoundsEntry(pub(crate) [Vector; 2]);

impl<'de> Deserialize<'de> for BoundsEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "the two corners [[x, y, z], [x, y, z]] of a box";
        deserializer.deserialize_seq(List::new(expected)).map(Self)
    }
}

fn half() -> f64 {
    0.5
}

fn one() -> f64 {
    1.0
}

fn tube() -> f64 {
    0.3
}

fn cells() -> u32 {
    64
}

fn halves() -> Vector {
    Vector([0.5; 3])
}

fn ones() -> Vector {
    Vector([1.0; 3])
}

fn up() -> Vector {
    Vector([0.0, 1.0, 0.0])
}

fn below() -> Vector {
    Vector([0.0, -0.5, 0.0])
}

fn above() -> Vector {
    Vector([0.0, 0.5, 0.0])
}
