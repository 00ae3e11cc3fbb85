//! Values of scene files that several keys have: vectors, rotations, lists of a known length.
//!
//! The doc comments here are descriptions in `chasles schema`.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Three numbers, `[x, y, z]`.
#[derive(Clone, Copy, Debug, JsonSchema)]
#[schemars(transparent)]
pub(crate) struct Vector(pub(crate) [f64; 3]);

impl<'de> Deserialize<'de> for Vector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(List::new("a vector [x, y, z]")).map(Self)
    }
}

/// A rotation: a quaternion `[x, y, z, w]` of any length but 0, or an axis and an angle.
#[derive(Clone, Copy, Debug, JsonSchema)]
#[schemars(untagged)]
pub(crate) enum RotationEntry {
    /// A quaternion `[x, y, z, w]`; its length does not matter.
    Quaternion([f64; 4]),
    /// A turn about an axis.
    AxisAngle(AxisAngle),
}

/// A turn about an axis, counter-clockwise when the axis points at the eye.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AxisAngle {
    /// The direction of the axis; its length does not matter.
    pub(crate) axis: Vector,
    /// The angle in degrees.
    pub(crate) degrees: f64,
}

impl<'de> Deserialize<'de> for RotationEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Rotations)
    }
}

/// Reads either form of a rotation. An untagged enum would lose the place of the error.
struct Rotations;

const ROTATION: &str = "a quaternion [x, y, z, w] or { axis = [x, y, z], degrees = angle }";

impl<'de> Visitor<'de> for Rotations {
    type Value = RotationEntry;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(ROTATION)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<RotationEntry, A::Error> {
        List::new(ROTATION).visit_seq(seq).map(RotationEntry::Quaternion)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RotationEntry, A::Error> {
        AxisAngle::deserialize(MapAccessDeserializer::new(map)).map(RotationEntry::AxisAngle)
    }
}

/// Reads exactly `N` values; arrays of serde would pass over what follows them.
pub(crate) struct List<T, const N: usize> {
    expected: &'static str,
    values: PhantomData<[T; N]>,
}

impl<T, const N: usize> List<T, N> {
    pub(crate) fn new(expected: &'static str) -> Self {
        Self { expected, values: PhantomData }
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for List<T, N> {
    type Value = [T; N];

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<[T; N], A::Error> {
        let mut values = Vec::with_capacity(N);
        while let Some(value) = seq.next_element()? {
            values.push(value);
        }
        <[T; N]>::try_from(values).map_err(|all| A::Error::invalid_length(all.len(), &self))
    }
}
