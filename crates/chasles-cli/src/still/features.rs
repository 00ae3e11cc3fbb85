//! The features that touch, as lines of a picture.

use chasles::glam::DVec3;
use chasles::query::Feature;

use super::placed::Placed;
use crate::results::{Features, Found};

/// The outlines of both features of a contact where the bodies stand: of an edge its ends, of a
/// face its corners and the first again. A vertex has none: the marker is there.
pub(super) fn outlines(contact: &Found, [a, b]: [&Placed; 2]) -> Vec<Vec<DVec3>> {
    let features = match contact.features {
        Features::Meshes(features) => features.into(),
        Features::Round(features) => features,
        Features::Path(_) => return Vec::new(),
    };
    let both = [outline(a, features.a), outline(b, features.b)];
    both.into_iter().flatten().collect()
}

fn outline(placed: &Placed, feature: Feature) -> Option<Vec<DVec3>> {
    match feature {
        Feature::Face(face) => face_of(placed, face),
        Feature::Edge(edge) => edge_of(placed, edge),
        _ => None,
    }
}

/// The face of this number in the input; of one that was split the first part.
fn face_of(placed: &Placed, label: u32) -> Option<Vec<DVec3>> {
    let mesh = &placed.mesh;
    let face = (0..mesh.face_count() as u32).find(|&face| mesh.face_label(face) == label)?;
    let corners = mesh.face(face);
    let around = corners.iter().chain(corners.first());
    Some(around.map(|&corner| placed.pose.point(mesh.position(corner))).collect())
}

fn edge_of(placed: &Placed, label: [u32; 2]) -> Option<Vec<DVec3>> {
    let mesh = &placed.mesh;
    let mut ends = label;
    ends.sort_unstable();
    let is_it = |&edge: &u32| {
        let mut other = mesh.edge_label(edge);
        other.sort_unstable();
        other == ends
    };
    let edge = (0..mesh.edge_count() as u32).find(is_it)?;
    Some(mesh.edge(edge).map(|end| placed.pose.point(mesh.position(end))).to_vec())
}
