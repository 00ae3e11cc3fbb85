//! What is measured: two meshes, four poses, and the labelled time of the first contact.

use chasles::{Polygons, Pose};
use chasles_testkit::labelled::{self, SpeedCase};

/// A mesh and where it goes.
#[derive(Clone, Debug)]
pub struct Body {
    /// The surface, polygons as in the input.
    pub polygons: Polygons,
    /// Start and end of the step.
    pub poses: [Pose; 2],
}

/// One query with what is known about its answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// `shape-situation`, for example `torus-deep`.
    pub name: String,
    /// The first body.
    pub a: Body,
    /// The second body.
    pub b: Body,
    /// Labelled time of the first contact, to about 1e-7; none for a miss.
    pub first_contact_time: Option<f64>,
}

impl Case {
    /// The part of the name before the dash: `cube`, `car` or `torus`.
    pub fn shape(&self) -> &str {
        self.name.split('-').next().unwrap_or(&self.name)
    }

    /// The part of the name after the dash: `deep`, `early` or `miss`.
    pub fn situation(&self) -> &str {
        self.name.split_once('-').map_or("", |(_, situation)| situation)
    }
}

impl From<SpeedCase> for Case {
    fn from(case: SpeedCase) -> Self {
        let query = case.query;
        Self {
            name: case.name,
            a: Body { polygons: query.a, poses: query.poses_a },
            b: Body { polygons: query.b, poses: query.poses_b },
            first_contact_time: case.first_contact_time,
        }
    }
}

/// The labelled speed cases by name; none, with a printed line, where the data are absent.
///
/// # Panics
///
/// As [`labelled::speed_cases`].
pub fn speed_cases() -> Vec<Case> {
    labelled::speed_cases().unwrap_or_default().into_iter().map(Case::from).collect()
}
