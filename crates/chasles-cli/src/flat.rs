//! Contacts of faces and edges that lie flat on each other, as JSON.

use chasles::Contact;
use chasles::contact::{FlatContact, FlatFeatures, flat_contacts};
use chasles::glam::DVec3;
use chasles_scene::Scene;
use serde::Serialize;

use crate::feature_json::FeatureJson;
use crate::results::{Features, PairResult};

/// The flat contacts of a pair.
pub(crate) struct Flats {
    flat: Vec<FlatContact>,
    /// For each contact of the pair, whether a flat one stands for it.
    stood_for: Vec<bool>,
}

impl Flats {
    /// Those of two rigid meshes; none of other bodies.
    ///
    /// *Accepts* the scene of the pair, and the length by which features may depart from a plane.
    /// *Guarantees* and *Cost* as of [`flat_contacts`]. *Fails* never.
    pub(crate) fn of(scene: &Scene, pair: &PairResult, length: f64) -> Self {
        let stood_for = vec![false; pair.contacts.len()];
        let bodies = pair.bodies.map(|body| scene.bodies()[body].rigid());
        let ([Some(a), Some(b)], Some(step)) = (bodies, &pair.step) else {
            return Self { flat: Vec::new(), stood_for };
        };
        let of_meshes = |(i, contact): (usize, &Contact<Features>)| match contact.features {
            Features::Meshes(features) => Some((i as u32, contact.with_features(features))),
            _ => None,
        };
        let (numbers, contacts): (Vec<u32>, Vec<Contact>) =
            pair.contacts.iter().enumerate().filter_map(of_meshes).unzip();
        let flat = flat_contacts([&a.collider, &b.collider], step, &contacts, length);
        let mut found = Self { flat, stood_for };
        for contact in found.flat.iter_mut().flat_map(|flat| &mut flat.contacts) {
            *contact = numbers[*contact as usize];
            found.stood_for[*contact as usize] = true;
        }
        found
    }

    /// Whether a contact of the pair is in a flat one.
    pub(crate) fn stands_for(&self, contact: usize) -> bool {
        self.stood_for[contact]
    }

    pub(crate) fn into_json(self) -> Vec<FlatJson> {
        self.flat.into_iter().map(FlatJson::from).collect()
    }
}

/// A face on a face, or an edge in a face.
#[derive(Serialize)]
pub(crate) struct FlatJson {
    kind: &'static str,
    a: FeatureJson,
    b: FeatureJson,
    time: f64,
    normal: [f64; 3],
    normal_in_a: [f64; 3],
    normal_speed: f64,
    /// Convex polygons, or segments.
    region: Vec<Vec<[f64; 3]>>,
    region_in_a: Vec<Vec<[f64; 3]>>,
    /// How many contacts it stands for.
    contacts: usize,
}

impl From<FlatContact> for FlatJson {
    fn from(flat: FlatContact) -> Self {
        let face = |face| FeatureJson::Face { face };
        let edge = |edge| FeatureJson::Edge { edge };
        let (a, b) = match flat.features {
            FlatFeatures::Ff { a, b } => (face(a), face(b)),
            FlatFeatures::Fe { face: a, edge: b } => (face(a), edge(b)),
            FlatFeatures::Ef { edge: a, face: b } => (edge(a), face(b)),
        };
        Self {
            kind: flat.features.kind(),
            a,
            b,
            time: flat.time,
            normal: flat.normal.to_array(),
            normal_in_a: flat.normal_in_a.to_array(),
            normal_speed: flat.normal_speed,
            region: arrays(&flat.region),
            region_in_a: arrays(&flat.region_in_a),
            contacts: flat.contacts.len(),
        }
    }
}

fn arrays(region: &[Vec<DVec3>]) -> Vec<Vec<[f64; 3]>> {
    region.iter().map(|piece| piece.iter().map(DVec3::to_array).collect()).collect()
}
