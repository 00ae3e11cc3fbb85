//! Poses and motions as numbers.

use chasles::glam::{DQuat, DVec3};
use chasles::{Pose, Screw};
use wasm_bindgen::prelude::*;

use crate::Wrong;

/// A pose as seven numbers: a place, and a quaternion x y z w.
pub(crate) fn numbers(pose: &Pose) -> [f64; 7] {
    let [x, y, z] = pose.position().to_array();
    let [i, j, k, w] = pose.rotation().to_array();
    [x, y, z, i, j, k, w]
}

/// A pose from seven numbers.
pub(crate) fn pose(numbers: &[f64]) -> Result<Pose, Wrong> {
    let &[x, y, z, i, j, k, w] = numbers else {
        let count = numbers.len();
        return Err(Wrong::new(format!(
            "a pose of {count} numbers: it must be 7, a place and a quaternion x y z w"
        )));
    };
    Pose::new([x, y, z], DQuat::from_xyzw(i, j, k, w)).map_err(Wrong::new)
}

/// A vector from three numbers.
pub(crate) fn vector(numbers: &[f64], name: &str) -> Result<DVec3, Wrong> {
    let wrong = |words: String| Wrong::new(words);
    let &[x, y, z] = numbers else {
        return Err(wrong(format!("the {name} has {} numbers: it must be 3", numbers.len())));
    };
    let vector = DVec3::new(x, y, z);
    match vector.is_finite() {
        true => Ok(vector),
        false => Err(wrong(format!("the {name} is {vector}: it must be finite"))),
    }
}

/// How one body moves during a step.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub struct Motion(chasles::Motion);

#[wasm_bindgen]
impl Motion {
    /// Stays where it is.
    ///
    /// *Accepts* a pose, seven numbers. *Fails* on others.
    pub fn still(at: &[f64]) -> Result<Motion, Wrong> {
        Ok(Self(chasles::Motion::still(pose(at)?)))
    }

    /// Goes from a pose to another along the screw between them, turning the shorter way.
    ///
    /// *Accepts* poses, seven numbers each. *Fails* on others.
    pub fn between(start: &[f64], end: &[f64]) -> Result<Motion, Wrong> {
        Ok(Self(chasles::Motion::between(pose(start)?, pose(end)?)))
    }

    /// Follows a twist in the world frame, by any angle.
    ///
    /// *Accepts* a pose, and two vectors per step: radians about the origin, and a shift. *Fails*
    /// on others, and beyond some thousand turns.
    pub fn along(start: &[f64], angular: &[f64], linear: &[f64]) -> Result<Motion, Wrong> {
        let angular = vector(angular, "angular velocity")?;
        let linear = vector(linear, "velocity")?;
        let twist = Screw::from_twist(angular, linear).map_err(Wrong::new)?;
        Ok(Self(chasles::Motion::along(pose(start)?, twist).map_err(Wrong::new)?))
    }

    /// The poses at times from 0 to 1, seven numbers each.
    pub fn poses(&self, times: &[f64]) -> Vec<f64> {
        times.iter().flat_map(|&t| numbers(&self.0.pose_at(t))).collect()
    }

    /// Whether it goes straight from its first pose to its last along one screw: then these two
    /// poses say all of it.
    #[wasm_bindgen(js_name = isBetween)]
    pub fn is_between(&self) -> bool {
        self.0 == chasles::Motion::between(self.0.start(), self.0.end()) || self.0.is_still()
    }
}

impl Motion {
    /// A motion of the library.
    #[cfg(feature = "world")]
    pub(crate) fn of(motion: chasles::Motion) -> Self {
        Self(motion)
    }

    /// The motion in the library.
    pub(crate) fn inner(self) -> chasles::Motion {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_are_seven_numbers() {
        let start = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0];
        let end = [1.0, 4.0, 3.0, 0.0, 0.0, 0.0, 1.0];
        let motion = Motion::between(&start, &end).unwrap();
        assert_eq!(motion.poses(&[0.0, 0.5])[..10], [&start[..], &[1.0, 3.0, 3.0]].concat());
        assert!(motion.is_between());
        let short = Motion::still(&start[..6]).unwrap_err().to_string();
        assert!(short.starts_with("a pose of 6 numbers"), "{short}");
        assert!(Motion::still(&[f64::NAN; 7]).is_err());
        assert!(Motion::along(&start, &[0.0; 3], &[f64::INFINITY, 0.0, 0.0]).is_err());
    }
}
