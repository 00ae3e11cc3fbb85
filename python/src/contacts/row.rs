//! Contacts as they are pickled.

use chasles::glam::DVec3;
use chasles::query::{Contact, Features, Guarantee};
use serde::{Deserialize, Serialize};

/// A contact as it is pickled.
#[derive(Serialize, Deserialize)]
pub(crate) struct Row {
    features: Features,
    times: [f64; 3],
    places: [DVec3; 4],
    properness: f64,
    normal_speed: f64,
    is: [bool; 2],
}

impl From<&Contact> for Row {
    fn from(contact: &Contact) -> Self {
        let Contact { features, time, time_bracket: [from, to], .. } = *contact;
        let Contact { point_in_a, normal_in_a, point, normal, .. } = *contact;
        let Contact { properness, normal_speed, grazing, touchable, .. } = *contact;
        Self {
            features,
            times: [time, from, to],
            places: [point_in_a, normal_in_a, point, normal],
            properness,
            normal_speed,
            is: [grazing, touchable],
        }
    }
}

impl From<Row> for Contact {
    fn from(row: Row) -> Self {
        let ([time, from, to], [grazing, touchable]) = (row.times, row.is);
        let [point_in_a, normal_in_a, point, normal] = row.places;
        let Row { features, properness, normal_speed, .. } = row;
        Self {
            features,
            time,
            time_bracket: [from, to],
            point_in_a,
            normal_in_a,
            point,
            normal,
            properness,
            normal_speed,
            grazing,
            touchable,
        }
    }
}

/// A guarantee as it is pickled.
#[derive(Serialize, Deserialize)]
pub(super) enum Sure {
    Exact,
    Pixels(f64),
    Samples([Option<f64>; 2]),
}

impl From<Guarantee> for Sure {
    fn from(guarantee: Guarantee) -> Self {
        match guarantee {
            Guarantee::Exact => Self::Exact,
            Guarantee::Pixels { pixel } => Self::Pixels(pixel),
            Guarantee::Samples { missed_depth } => Self::Samples(missed_depth),
        }
    }
}

impl From<Sure> for Guarantee {
    fn from(sure: Sure) -> Self {
        match sure {
            Sure::Exact => Self::Exact,
            Sure::Pixels(pixel) => Self::Pixels { pixel },
            Sure::Samples(missed_depth) => Self::Samples { missed_depth },
        }
    }
}
