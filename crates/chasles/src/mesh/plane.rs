//! The plane of a polygon, and whether it has one.

use glam::DVec3;

/// A plane through `point` with unit `normal`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) normal: DVec3,
    pub(super) point: DVec3,
}

/// A polygon thinner than this, relative to its size, has no usable normal: the rounding of its
/// own coordinates (2^-53) would turn it by more than 1e-4.
pub(super) const THINNEST: f64 = 1e-12;

/// A polygon that leaves its plane by more than this, relative to its size, is split. Far above
/// the rounding of a rotated mesh (1e-15), far below the 1e-8 at which an event counts as clear.
const FLATNESS: f64 = 1e-10;

/// The mean plane of a loop by Newell's sum, or none if the loop is (nearly) a line or a point.
///
/// Positions are taken relative to the first corner and scaled by the size, so neither a far
/// origin nor a tiny scale costs digits.
pub(super) fn mean_plane(corners: &[DVec3]) -> Option<Plane> {
    let origin = corners[0];
    let size = extent(corners);
    if size == 0.0 {
        return None;
    }
    let at = |i: usize| (corners[i % corners.len()] - origin) / size;
    let sum: DVec3 = (1..corners.len()).map(|i| at(i).cross(at(i + 1))).sum();
    let mean: DVec3 = (0..corners.len()).map(at).sum::<DVec3>() / corners.len() as f64;
    if sum.length() < THINNEST {
        return None;
    }
    Some(Plane { normal: sum.normalize(), point: origin + mean * size })
}

/// Whether every corner lies in the plane, up to rounding of the coordinates.
pub(super) fn is_flat(corners: &[DVec3], plane: &Plane) -> bool {
    let magnitude = corners.iter().map(|c| c.abs().max_element()).fold(0.0, f64::max);
    let tolerance = (FLATNESS * extent(corners)).max(8.0 * f64::EPSILON * magnitude);
    corners.iter().all(|c| (c - plane.point).dot(plane.normal).abs() <= tolerance)
}

/// The largest side of the bounding box.
pub(super) fn extent(corners: &[DVec3]) -> f64 {
    let low = corners.iter().copied().reduce(DVec3::min).unwrap_or(DVec3::ZERO);
    let high = corners.iter().copied().reduce(DVec3::max).unwrap_or(DVec3::ZERO);
    (high - low).max_element()
}
