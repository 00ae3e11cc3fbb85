//! Splits a polygon that is not planar into triangles by cutting off ears.
//!
//! The polygon is looked at along its mean normal. An ear is a corner whose triangle turns the
//! right way and contains no other corner; cutting ears off one by one ends with a triangle. Nor is
//! another corner on its border, up to rounding: what is left would have corners in one line, and
//! its last triangle no area. A polygon that crosses itself may run out of ears; the widest corner
//! is then cut anyway, so the split always ends and always keeps the polygon's boundary.

use crate::numeric::angle_between;
use std::f64::consts::TAU;

use glam::{DMat3, DVec2, DVec3};

use super::plane::{Plane, THINNEST, extent, mean_plane};
use super::polygons::{MeshError, Polygons};
use super::polyhedron::Polyhedron;

/// Ears are found by trying all corners: quadratic, so large loops are refused by the caller.
pub(crate) const LARGEST_SPLIT: usize = 4096;

/// A corner this near to a triangle, relative to the size of the polygon, is on its border: twice
/// as far as a triangle must be wide.
const NEAREST: f64 = 2.0 * THINNEST;

/// Triangles as positions in the loop, which has at least three corners.
pub(crate) fn triangles(corners: &[DVec3]) -> Vec<[usize; 3]> {
    let flat = project(corners);
    let near = (NEAREST * extent(corners)).max(rounding(corners));
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let mut triangles = Vec::with_capacity(corners.len() - 2);
    while left.len() > 3 {
        let ear = next_ear(&flat, &left, near);
        triangles.push(around(&left, ear));
        left.remove(ear);
    }
    triangles.push([left[0], left[1], left[2]]);
    triangles
}

/// Triangles of a polygon with at least three corners: a fan if its first corner sees all of it,
/// as in a convex one, else ears.
///
/// *Cost* linear for a fan. None if ears are needed and the polygon is too large for them.
pub(crate) fn fan_or_ears(corners: &[DVec3]) -> Option<Vec<[usize; 3]>> {
    if corners.len() == 3 || mean_plane(corners).is_some_and(|plane| is_fan(corners, &plane)) {
        return Some((2..corners.len()).map(|i| [0, i - 1, i]).collect());
    }
    (corners.len() <= LARGEST_SPLIT).then(|| triangles(corners))
}

impl Polyhedron {
    /// The triangles of a face, by the numbers of their vertices and turning as the face does.
    ///
    /// *Accepts* the number of a face. *Guarantees* that they cover a face that neither crosses nor
    /// touches itself; one of more than 4096 corners becomes a fan, which covers it if it is
    /// convex. *Cost* linear for convex faces, quadratic in the corners of others. *Fails* never.
    pub fn face_triangles(&self, face: u32) -> Vec<[u32; 3]> {
        let corners = self.face(face);
        if corners.len() < 3 {
            return Vec::new();
        }
        let places: Vec<DVec3> = corners.iter().map(|&v| self.position(v)).collect();
        let fan = || (2..corners.len()).map(|i| [0, i - 1, i]).collect();
        let pieces = fan_or_ears(&places).unwrap_or_else(fan);
        pieces.into_iter().map(|piece| piece.map(|i| corners[i])).collect()
    }
}

/// Whether the triangles from the first corner turn one way, and less than a full turn.
fn is_fan(corners: &[DVec3], plane: &Plane) -> bool {
    let tolerance = rounding(corners);
    let mut turned = 0.0;
    corners[1..].windows(2).all(|pair| {
        let [p, q] = [pair[0] - corners[0], pair[1] - corners[0]];
        turned += angle_between(p, q);
        // A little less than a turn: far more is missing than the angles' rounding.
        p.cross(q).dot(plane.normal) >= -tolerance * p.length() && turned < 0.999 * TAU
    })
}

/// The same mesh with every face convex and flat up to the rounding of its coordinates, and for
/// each face its number in the input.
///
/// *Accepts* checked polygons. *Fails* on a polygon too large to be split.
pub(crate) fn convex_pieces(polygons: &Polygons) -> Result<(Polygons, Vec<u32>), MeshError> {
    let mut pieces = Polygons { faces: Vec::new(), ..polygons.clone() };
    let mut labels = Vec::with_capacity(polygons.faces.len());
    for (face, corners) in polygons.faces.iter().enumerate() {
        let places: Vec<DVec3> = corners.iter().map(|&v| polygons.vertices[v as usize]).collect();
        if corners.len() <= 3 || mean_plane(&places).is_none_or(|plane| is_panel(&places, &plane)) {
            pieces.faces.push(corners.clone());
        } else if corners.len() > LARGEST_SPLIT {
            let limit = LARGEST_SPLIT;
            return Err(MeshError::PolygonTooLarge { face, vertices: corners.len(), limit });
        } else {
            let corners_of = |t: [usize; 3]| t.map(|i| corners[i]).to_vec();
            pieces.faces.extend(triangles(&places).into_iter().map(corners_of));
        }
        labels.resize(pieces.faces.len(), face as u32);
    }
    Ok((pieces, labels))
}

/// Whether a polygon is flat and all of it lies on the inner side of each of its edges.
fn is_panel(corners: &[DVec3], plane: &Plane) -> bool {
    let tolerance = rounding(corners);
    let is_flat = |c: &DVec3| (c - plane.point).dot(plane.normal).abs() <= tolerance;
    let next = corners.iter().cycle().skip(1);
    let is_inside = |(&p, &q): (&DVec3, &DVec3)| {
        let inward = plane.normal.cross(q - p).normalize_or_zero();
        corners.iter().all(|&c| inward.dot(c - p) >= -tolerance)
    };
    // One round only: a star turns the same way at every corner, but leaves its edges' inner side.
    corners.iter().all(is_flat) && corners.iter().zip(next).all(is_inside)
}

/// What rounding of their coordinates may move corners by.
fn rounding(corners: &[DVec3]) -> f64 {
    let magnitude = corners.iter().map(|c| c.abs().max_element()).fold(0.0, f64::max);
    8.0 * f64::EPSILON * magnitude
}

fn project(corners: &[DVec3]) -> Vec<DVec2> {
    let normal = mean_plane(corners).map_or(DVec3::Z, |plane| plane.normal);
    let (x, y) = normal.any_orthonormal_pair();
    let frame = DMat3::from_cols(x, y, normal).transpose();
    corners.iter().map(|&c| (frame * (c - corners[0])).truncate()).collect()
}

fn around(left: &[usize], i: usize) -> [usize; 3] {
    let n = left.len();
    [left[(i + n - 1) % n], left[i], left[(i + 1) % n]]
}

/// The ear whose smallest angle is largest and that no other corner is `near`; or any ear; or the
/// corner that turns most if there is no ear.
fn next_ear(flat: &[DVec2], left: &[usize], near: f64) -> usize {
    let shape = |i: &usize| {
        let [a, b, c] = around(left, *i).map(|k| flat[k]);
        let turn = (b - a).perp_dot(c - b);
        turn / (a.distance_squared(b) + b.distance_squared(c) + c.distance_squared(a))
    };
    let by_shape = |i: &usize, j: &usize| shape(i).total_cmp(&shape(j));
    let all = 0..left.len();
    let best_ear = |near: f64| {
        let is_ear = |i: &usize| {
            let corner = around(left, *i);
            let is_out = |k: &usize| corner.contains(k) || !inside(flat, corner, *k, near);
            shape(i) > 1e-12 && left.iter().all(is_out)
        };
        all.clone().filter(is_ear).max_by(by_shape)
    };
    let widest = || all.clone().max_by(by_shape);
    best_ear(near).or_else(|| best_ear(0.0)).or_else(widest).unwrap_or(0)
}

/// Whether a corner is in a triangle, or no further than `near` from the lines along its sides.
fn inside(flat: &[DVec2], corner: [usize; 3], k: usize, near: f64) -> bool {
    let [a, b, c] = corner.map(|i| flat[i]);
    let p = flat[k];
    let is_in = |u: DVec2, v: DVec2| (v - u).perp_dot(p - u) >= -near * u.distance(v);
    is_in(a, b) && is_in(b, c) && is_in(c, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fan_is_made_only_where_the_first_corner_sees_all() {
        let corners = |list: &[(f64, f64)]| -> Vec<DVec3> {
            list.iter().map(|&(x, y)| DVec3::new(x, y, 0.0)).collect()
        };
        let area = |corners: &[DVec3]| -> f64 {
            let split = fan_or_ears(corners).expect("small enough");
            let area = |t: &[usize; 3]| {
                let [a, b, c] = t.map(|i| corners[i].truncate());
                (b - a).perp_dot(c - a).abs() / 2.0
            };
            split.iter().map(area).sum()
        };
        // The dent of the arrow sees all of it, the corner beside its tip does not.
        let arrow = [(0.5, 1.), (0., 0.), (2., 1.), (0., 2.)];
        assert!((area(&corners(&arrow)) - 1.5).abs() < 1e-12);
        let hidden = [(0., 0.), (2., 1.), (0., 2.), (0.5, 1.)];
        assert!((area(&corners(&hidden)) - 1.5).abs() < 1e-12);
        let disc = |i: i32| DVec3::new(f64::from(i).cos(), f64::from(i).sin(), 0.0);
        let many: Vec<DVec3> = (0..6000).map(|i| disc(i) * 2.0).collect();
        assert_eq!(fan_or_ears(&many), None, "a star that winds often");
    }

    #[test]
    fn a_concave_loop_is_covered_once() {
        let arrow = [(0., 0.), (2., 1.), (0., 2.), (0.5, 1.)];
        let corners = arrow.map(|(x, y)| DVec3::new(x, y, 0.01 * x * y));
        let split = triangles(&corners);
        let area: f64 = split
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| corners[i].truncate());
                (b - a).perp_dot(c - a) / 2.0
            })
            .sum();
        assert_eq!(split.len(), 2);
        assert!((area - 1.5).abs() < 1e-12, "{area}");
        assert!(split.iter().all(|t| t.contains(&3)), "the diagonal starts at the reflex corner");
    }
}
