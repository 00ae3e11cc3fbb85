//! The car of the experiments of \[Buss04\], in proportions of our own.

use glam::DVec3;

use super::error::{Check, ShapeError};
#[cfg(feature = "serde")]
use super::error::{LARGEST, SMALLEST};
use crate::mesh::Polygons;

/// A car of 16 vertices, 26 edges and 12 faces: forward is x, up is y.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Car {
    /// From bumper to bumper; all else follows in proportion.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub length: f64,
}

impl Default for Car {
    /// Length 4.
    fn default() -> Self {
        Self { length: 4.0 }
    }
}

/// The outline as x, y and half the width, for a length of 4. Corners 3 and 6 are level, and so
/// are 4 and 5: the leaning cabin sides stay planar.
///
/// ```text
///            5 ______ 4
///            /       \            each side is one hexagon 0 1 2 3 6 7
///      7 __6/_________\3___       and one cabin side 3 4 5 6, which leans inwards
///       |                   \ 2
///       0 ----------------- 1
/// ```
const OUTLINE: [[f64; 3]; 8] = [
    [-1.95, -0.6, 0.85],
    [1.9, -0.6, 0.85],
    [2.0, -0.1, 0.85],
    [0.85, 0.1, 0.85],
    [0.2, 0.6, 0.7],
    [-1.0, 0.6, 0.7],
    [-1.45, 0.1, 0.85],
    [-2.0, 0.0, 0.85],
];

impl Car {
    pub(super) fn polygons(&self) -> Result<Polygons, ShapeError> {
        Check("car").size("length", self.length)?;
        let scale = self.length / 4.0;
        let right = OUTLINE.map(|[x, y, z]| DVec3::new(x, y, z) * scale);
        let left = OUTLINE.map(|[x, y, z]| DVec3::new(x, y, -z) * scale);
        let around = (0..8).map(|i| vec![(i + 1) % 8, i, i + 8, (i + 1) % 8 + 8]);
        let sides = [
            vec![0, 1, 2, 3, 6, 7],
            vec![3, 4, 5, 6],
            vec![15, 14, 11, 10, 9, 8],
            vec![14, 13, 12, 11],
        ];
        Ok(Polygons::new(right.into_iter().chain(left), around.chain(sides)))
    }
}

#[cfg(test)]
mod tests {
    use crate::mesh::shapes::{Car, Shape};

    #[test]
    fn the_car_has_the_papers_counts() {
        let car = Shape::Car(Car::default()).build().unwrap();
        assert_eq!((car.vertex_count(), car.edge_count(), car.face_count()), (16, 26, 12));
        assert!(car.is_closed());
        let [low, high] = car.bounds();
        assert_eq!(high.x - low.x, 4.0);
    }
}
