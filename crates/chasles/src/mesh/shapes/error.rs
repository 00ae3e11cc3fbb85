//! What is wrong with the parameters of a shape.

use thiserror::Error;

use crate::mesh::MeshError;
use crate::numeric::short;

/// Sizes outside this range are refused: their fifth powers, which inertia needs, leave `f64`.
pub(super) const SMALLEST: f64 = 1e-60;
pub(super) const LARGEST: f64 = 1e60;

/// More faces than this are taken for a slip of the pen: they would need gigabytes.
pub(super) const MOST_FACES: u64 = 20_000_000;

/// Why parameters do not make a shape.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ShapeError {
    /// A size that is NaN, infinite, zero, negative or absurd.
    #[error(
        "{shape}: `{field}` is {}, but must be a positive number from 1e-60 to 1e60",
        short(*value)
    )]
    BadSize {
        /// The shape's name.
        shape: &'static str,
        /// The parameter's name.
        field: &'static str,
        /// What it is.
        value: f64,
    },
    /// Too few segments, sides or teeth to enclose anything.
    #[error("{shape}: `{field}` is {value}, but must be at least {least}")]
    TooFew {
        /// The shape's name.
        shape: &'static str,
        /// The parameter's name.
        field: &'static str,
        /// What it is.
        value: u32,
        /// The least that works.
        least: u32,
    },
    /// More than 20 million faces.
    #[error(
        "{shape}: about {faces:.1e} faces, but at most {MOST_FACES} are made: {}",
        fewer_faces(shape)
    )]
    TooManyFaces {
        /// The shape's name.
        shape: &'static str,
        /// About how many there would be.
        faces: f64,
    },
    /// Parameters that contradict each other.
    #[error("{shape}: {rule}")]
    Unfit {
        /// The shape's name.
        shape: &'static str,
        /// The rule they break.
        rule: &'static str,
    },
    /// Faces so thin that they have no plane.
    #[error("the shape has faces thinner than 1e-12 of their length: make its sizes less unequal")]
    TooThin,
    /// The surface is not a mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

/// What makes fewer faces of a shape.
fn fewer_faces(shape: &str) -> &'static str {
    match shape {
        "gear" => "use fewer teeth",
        "prism" => "use fewer sides",
        "bolt" | "nut" => "use fewer segments, or a larger pitch",
        _ => "use fewer segments",
    }
}

/// Checks parameters in the name of one shape.
pub(super) struct Check(pub(super) &'static str);

impl Check {
    pub(super) fn size(&self, field: &'static str, value: f64) -> Result<(), ShapeError> {
        // NaN is in no range.
        if (SMALLEST..=LARGEST).contains(&value) {
            return Ok(());
        }
        Err(ShapeError::BadSize { shape: self.0, field, value })
    }

    pub(super) fn sizes(&self, sizes: &[(&'static str, f64)]) -> Result<(), ShapeError> {
        sizes.iter().try_for_each(|&(field, value)| self.size(field, value))
    }

    pub(super) fn count(
        &self,
        field: &'static str,
        value: u32,
        least: u32,
    ) -> Result<(), ShapeError> {
        if value >= least {
            return Ok(());
        }
        Err(ShapeError::TooFew { shape: self.0, field, value, least })
    }

    pub(super) fn faces(&self, faces: f64) -> Result<(), ShapeError> {
        if faces <= MOST_FACES as f64 {
            return Ok(());
        }
        Err(ShapeError::TooManyFaces { shape: self.0, faces })
    }

    pub(super) fn rule(&self, holds: bool, rule: &'static str) -> Result<(), ShapeError> {
        if holds { Ok(()) } else { Err(ShapeError::Unfit { shape: self.0, rule }) }
    }
}

#[cfg(test)]
mod tests {
    use crate::mesh::shapes::{Bolt, Cuboid, Gear, Shape};

    fn message(shape: Shape) -> String {
        shape.polygons().expect_err("the shape is refused").to_string()
    }

    #[test]
    fn messages_are_short_and_name_the_key_that_helps() {
        let gear = message(Shape::Gear(Gear { teeth: u32::MAX, ..Gear::default() }));
        assert!(gear.ends_with("use fewer teeth"), "{gear}");
        let bolt = message(Shape::Bolt(Bolt { length: 1e10, ..Bolt::default() }));
        assert!(bolt.ends_with("or a larger pitch"), "{bolt}");
        let size = message(Shape::Box(Cuboid { size: [1e61, 1.0, -0.25] }));
        assert!(size.starts_with("box: `size[0]` is 1e61, but"), "{size}");
    }
}
