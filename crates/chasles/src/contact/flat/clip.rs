//! Where two faces, or a face and an edge, lie on each other: convex pieces clipped by each other
//! in the plane of a face.

use glam::DVec3;

use super::numbers::Lying;
use crate::bounds::Collider;
use crate::mesh::Polyhedron;
use crate::motion::Pose;

/// Where features are flat on each other, in A's frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plate {
    /// Points from A to B.
    pub(super) normal: DVec3,
    /// Convex polygons, or segments.
    pub(super) region: Vec<Vec<DVec3>>,
}

impl Plate {
    /// Where two features are flat on each other up to `flatness`, if they are.
    pub(super) fn of(
        lying: Lying,
        bodies: [&Collider; 2],
        b_in_a: &Pose,
        flatness: f64,
    ) -> Option<Self> {
        let [a, b] = bodies.map(Collider::mesh);
        let of_a = |v: u32| a.position(v);
        let of_b = |v: u32| b_in_a.point(b.position(v));
        let normal_of_b = |face: u32| b_in_a.rotation() * b.normal(face);
        let (normal, ground, things) = match lying {
            Lying::Faces(p, q) => {
                let [normal, other] = [a.normal(p), normal_of_b(q)];
                let looks_the_same_way = normal.dot(other) >= 0.0;
                let normal = match [a.is_two_sided(p), b.is_two_sided(q)] {
                    [false, false] if looks_the_same_way => return None,
                    [true, false] if looks_the_same_way => -normal,
                    _ => normal,
                };
                (normal, pieces(a, p, of_a), pieces(b, q, of_b))
            }
            Lying::FaceEdge(face, edge) => {
                let normal = a.normal(face);
                let in_b = b_in_a.rotation().inverse() * normal;
                let side = side(bodies[1], edge, (in_b, a.is_two_sided(face)), flatness)?;
                (side * normal, pieces(a, face, of_a), vec![b.edge(edge).map(of_b).to_vec()])
            }
            Lying::EdgeFace(edge, face) => {
                let normal = normal_of_b(face);
                let side = side(bodies[0], edge, (normal, b.is_two_sided(face)), flatness)?;
                (-side * normal, pieces(b, face, of_b), vec![a.edge(edge).map(of_a).to_vec()])
            }
        };
        let region: Vec<Vec<DVec3>> = ground
            .iter()
            .flat_map(|piece| things.iter().map(move |thing| (piece, thing)))
            .filter_map(|(piece, thing)| clipped(thing, piece, normal, flatness))
            .collect();
        let top = ground[0][0];
        let departs = |p: &DVec3| (p - top).dot(normal).abs() > flatness;
        if region.is_empty() || region.iter().flatten().any(departs) {
            return None;
        }
        Some(Self { normal, region })
    }
}

/// On which side of a face an edge that touches it lies, 1 for the outer one: the side from which
/// the faces beside the edge depart by no more than `flatness`. `None` if they are on both sides,
/// or behind a face that has an outside: so is the rim of a side that is in one plane with the face
/// and looks the same way.
fn side(
    body: &Collider,
    edge: u32,
    (normal, is_two_sided): (DVec3, bool),
    flatness: f64,
) -> Option<f64> {
    let mesh = body.mesh();
    let foot = mesh.position(mesh.edge(edge)[0]);
    let faces = mesh.edge_sides(edge).iter().map(|side| side.face);
    let rise = |(wing, face): (DVec3, u32)| {
        let reach = |v: &u32| (mesh.position(*v) - foot).dot(wing);
        wing.dot(normal) * mesh.face(face).iter().map(reach).fold(0.0, f64::max)
    };
    let mut rises = body.wings(edge).zip(faces).map(rise);
    let is_before = rises.clone().all(|rise| rise >= -flatness);
    let is_behind = is_two_sided && rises.all(|rise| rise <= flatness);
    if is_before { Some(1.0) } else { is_behind.then_some(-1.0) }
}

/// A face as convex pieces that turn around its normal.
fn pieces(mesh: &Polyhedron, face: u32, place: impl Fn(u32) -> DVec3) -> Vec<Vec<DVec3>> {
    let corners = mesh.face(face);
    let placed = |corners: &[u32]| -> Vec<DVec3> { corners.iter().map(|&v| place(v)).collect() };
    let whole = placed(corners);
    if is_convex(&whole) {
        return vec![whole];
    }
    mesh.face_triangles(face).iter().map(|triangle| placed(triangle)).collect()
}

/// Whether all of a flat polygon lies on the inner side of each of its edges, up to rounding.
fn is_convex(corners: &[DVec3]) -> bool {
    let normal = area(corners).normalize_or_zero();
    sides(corners).all(|(p, q)| {
        let inward = normal.cross(q - p);
        let slack = 1e-12 * (q - p).length_squared();
        corners.iter().all(|c| inward.dot(c - p) >= -slack)
    })
}

fn sides(corners: &[DVec3]) -> impl Iterator<Item = (DVec3, DVec3)> {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// Twice the area of a polygon, along its normal.
fn area(corners: &[DVec3]) -> DVec3 {
    let Some(&from) = corners.first() else { return DVec3::ZERO };
    sides(corners).map(|(p, q)| (p - from).cross(q - from)).sum()
}

/// What of a convex polygon or segment is over a convex piece, if it is wider than `least`: clipped
/// by one side after the other, as Sutherland and Hodgman (1974) do, and turning around `normal`. A
/// segment that runs along a side, up to `least`, is over the piece.
fn clipped(thing: &[DVec3], piece: &[DVec3], normal: DVec3, least: f64) -> Option<Vec<DVec3>> {
    let around = area(piece);
    let is_segment = thing.len() == 2;
    let mut left = thing.to_vec();
    for (p, q) in sides(piece) {
        let inward = around.cross(q - p).normalize_or_zero();
        let inside = |x: DVec3| inward.dot(x - p);
        if !(is_segment && left.iter().all(|x| inside(*x) >= -least)) {
            left = clipped_by(&left, is_segment, inside);
        }
    }
    let is_wide = if is_segment { is_long(&left, least) } else { is_wide(&left, least) };
    is_wide.then(|| {
        if !is_segment && area(&left).dot(normal) < 0.0 {
            left.reverse();
        }
        left
    })
}

/// What of a polygon or segment has `inside` not below 0.
fn clipped_by(corners: &[DVec3], is_segment: bool, inside: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
    let count = if is_segment { corners.len().min(1) } else { corners.len() };
    let mut left = Vec::with_capacity(corners.len() + 1);
    let mut keep = |x: DVec3| {
        if left.last() != Some(&x) && left.first() != Some(&x) {
            left.push(x);
        }
    };
    for (p, q) in sides(corners).take(count) {
        let [from, to] = [inside(p), inside(q)];
        if from >= 0.0 {
            keep(p);
        }
        if (from < 0.0) != (to < 0.0) {
            keep(p.lerp(q, from / (from - to)));
        }
        if is_segment && to >= 0.0 {
            keep(q);
        }
    }
    left
}

/// Whether what is left of a segment is longer than `least`.
fn is_long(ends: &[DVec3], least: f64) -> bool {
    matches!(ends, [p, q] if p.distance(*q) > least)
}

/// Whether a convex polygon is wider than `least`: about its area over its longest side.
fn is_wide(corners: &[DVec3], least: f64) -> bool {
    let longest = sides(corners).map(|(p, q)| p.distance(q)).fold(0.0, f64::max);
    corners.len() > 2 && area(corners).length() > 2.0 * least * longest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(at: [f64; 2], size: f64) -> Vec<DVec3> {
        let corner = |x, y| DVec3::new(at[0] + size * x, at[1] + size * y, 0.0);
        vec![corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)]
    }

    #[test]
    fn squares_overlap_in_a_square() {
        let both = clipped(&square([0.5, 0.25], 1.0), &square([0.0, 0.0], 1.0), DVec3::Z, 1e-9);
        let both = both.unwrap();
        assert_eq!(both.len(), 4);
        assert!((area(&both).z - 2.0 * 0.5 * 0.75).abs() < 1e-12);
        let turned: Vec<DVec3> = square([0.5, 0.25], 1.0).into_iter().rev().collect();
        let same = clipped(&turned, &square([0.0, 0.0], 1.0), DVec3::Z, 1e-9).unwrap();
        assert!(area(&same).z > 0.0, "turns around the normal");
    }

    #[test]
    fn what_shares_a_border_or_nothing_is_not_flat() {
        for at in [[1.0, 0.0], [2.0, 0.0], [1.0, 1.0]] {
            let none = clipped(&square(at, 1.0), &square([0.0, 0.0], 1.0), DVec3::Z, 1e-9);
            assert_eq!(none, None, "{at:?}");
        }
    }

    #[test]
    fn a_segment_is_cut_at_the_border() {
        let segment = [DVec3::new(-1.0, 0.5, 0.0), DVec3::new(0.25, 0.5, 0.0)];
        let cut = clipped(&segment, &square([0.0, 0.0], 1.0), DVec3::Z, 1e-9).unwrap();
        let length = cut[0].distance(cut[1]);
        assert!(cut.len() == 2 && (length - 0.25).abs() < 1e-8, "{cut:?}");
        let along = [DVec3::ZERO, DVec3::X];
        assert!(clipped(&along, &square([0.0, 0.0], 1.0), DVec3::Z, 1e-9).is_some());
    }

    #[test]
    fn an_angle_is_not_convex() {
        let mut angle = square([0.0, 0.0], 1.0);
        assert!(is_convex(&angle));
        angle[2] = DVec3::new(0.2, 0.2, 0.0);
        assert!(!is_convex(&angle));
    }
}
