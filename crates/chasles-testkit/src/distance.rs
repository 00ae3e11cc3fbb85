//! The distance of two surfaces by trying every pair of features in the world frame. Shares nothing
//! with the library but the mesh.

use chasles::{Polyhedron, Pose};
use glam::DVec3;

/// The least distance of a vertex and a face, of two edges, or of vertices without edges: what the
/// distance of two surfaces is that do not pass through each other.
pub fn of_surfaces(meshes: [&Polyhedron; 2], poses: [Pose; 2]) -> f64 {
    let [a, b] = [0, 1].map(|i| Placed::new(meshes[i], &poses[i]));
    let mut least = f64::INFINITY;
    for (one, other) in [(&a, &b), (&b, &a)] {
        for face in &one.faces {
            for &vertex in &other.vertices {
                least = least.min(from_polygon(face, vertex));
            }
        }
        for edge in &one.edges {
            for &vertex in &other.vertices {
                least = least.min(from_segment(edge, vertex));
            }
        }
    }
    for p in &a.edges {
        for q in &b.edges {
            least = least.min(within_segments(p, q));
        }
    }
    for p in &a.vertices {
        for q in &b.vertices {
            least = least.min(p.distance(*q));
        }
    }
    least
}

/// Whether an edge of one surface passes through a face of the other, by more than rounding.
pub fn passes_through(meshes: [&Polyhedron; 2], poses: [Pose; 2]) -> bool {
    let [a, b] = [0, 1].map(|i| Placed::new(meshes[i], &poses[i]));
    let through = |one: &Placed, other: &Placed| {
        one.edges.iter().any(|edge| other.faces.iter().any(|face| is_through(face, edge)))
    };
    through(&a, &b) || through(&b, &a)
}

/// The pairs of faces, by their labels, of which one has an edge through the other by more than
/// rounding, in order.
pub fn crossing_faces(meshes: [&Polyhedron; 2], poses: [Pose; 2]) -> Vec<[u32; 2]> {
    let [a, b] = [0, 1].map(|i| Placed::new(meshes[i], &poses[i]));
    let through = |ring: &[DVec3], face: &[DVec3]| {
        (0..ring.len()).any(|i| is_through(face, &[ring[i], ring[(i + 1) % ring.len()]]))
    };
    let mut found = Vec::new();
    for (i, of_a) in (0..).zip(&a.faces) {
        for (j, of_b) in (0..).zip(&b.faces) {
            if through(of_a, of_b) || through(of_b, of_a) {
                found.push([meshes[0].face_label(i), meshes[1].face_label(j)]);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn is_through(face: &[DVec3], [p, q]: &[DVec3; 2]) -> bool {
    let next = |i: usize| face[(i + 1) % face.len()];
    let area = (0..face.len()).map(|i| (face[i] - face[0]).cross(next(i) - face[0]));
    let Some(normal) = area.sum::<DVec3>().try_normalize() else { return false };
    let [from, to] = [p, q].map(|end| (*end - face[0]).dot(normal));
    let small = 1e-9 * p.distance(*q);
    if from * to >= 0.0 || from.abs().min(to.abs()) < small {
        return false;
    }
    let at = p.lerp(*q, from / (from - to));
    let near = (0..face.len()).map(|i| from_segment(&[face[i], next(i)], at));
    from_polygon(face, at) < small && near.fold(f64::INFINITY, f64::min) > small
}

/// Whether a vertex of one surface lies inside the other, if that is closed: where its faces, as
/// seen from the vertex, cover the whole sphere at least once.
pub fn is_inside(meshes: [&Polyhedron; 2], poses: [Pose; 2]) -> bool {
    let [a, b] = [0, 1].map(|i| Placed::new(meshes[i], &poses[i]));
    let within = |one: &Placed, other: &Placed| {
        one.vertices.iter().any(|&v| {
            let seen: f64 = other.faces.iter().map(|face| solid_angle(face, v)).sum();
            seen > std::f64::consts::TAU
        })
    };
    meshes[1].is_closed() && within(&a, &b) || meshes[0].is_closed() && within(&b, &a)
}

/// The solid angle of a polygon seen from a point, positive from behind.
fn solid_angle(face: &[DVec3], point: DVec3) -> f64 {
    let triangle = |i: usize| {
        let [p, q, r] = [face[0] - point, face[i] - point, face[i + 1] - point];
        let [x, y, z] = [p.length(), q.length(), r.length()];
        let sum = x * y * z + p.dot(q) * z + q.dot(r) * x + r.dot(p) * y;
        2.0 * p.dot(q.cross(r)).atan2(sum)
    };
    (1..face.len().max(2) - 1).map(triangle).sum()
}

/// The distance of a point from a polygon, its inside and its border.
pub fn from_polygon(face: &[DVec3], point: DVec3) -> f64 {
    let next = |i: usize| face[(i + 1) % face.len()];
    let border = (0..face.len()).map(|i| from_segment(&[face[i], next(i)], point));
    let border = border.fold(f64::INFINITY, f64::min);
    let area = (0..face.len()).map(|i| (face[i] - face[0]).cross(next(i) - face[0]));
    let Some(normal) = area.sum::<DVec3>().try_normalize() else { return border };
    let height = (point - face[0]).dot(normal);
    // How far the border turns round the foot of the point: once if that is within.
    let foot = point - height * normal;
    let turn = |i: usize| {
        let [p, q] = [face[i] - foot, next(i) - foot];
        p.cross(q).dot(normal).atan2(p.dot(q))
    };
    let turns: f64 = (0..face.len()).map(turn).sum();
    if turns.abs() > std::f64::consts::PI { height.abs().min(border) } else { border }
}

/// The distance of a point from a segment.
pub fn from_segment([p, q]: &[DVec3; 2], point: DVec3) -> f64 {
    let along = *q - *p;
    let part = (point - *p).dot(along) / along.length_squared();
    let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
    point.distance(*p + part * along)
}

/// The distance of two segments where it is less than that of their ends.
fn within_segments([p0, p1]: &[DVec3; 2], [q0, q1]: &[DVec3; 2]) -> f64 {
    let [u, w, r] = [*p1 - *p0, *q1 - *q0, *q0 - *p0];
    let [uu, uw, ww, ur, wr] = [u.dot(u), u.dot(w), w.dot(w), u.dot(r), w.dot(r)];
    let determinant = uu * ww - uw * uw;
    let [s, t] = [(ww * ur - uw * wr) / determinant, (uw * ur - uu * wr) / determinant];
    let is_within = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    if is_within { (*p0 + s * u).distance(*q0 + t * w) } else { f64::INFINITY }
}

struct Placed {
    vertices: Vec<DVec3>,
    edges: Vec<[DVec3; 2]>,
    faces: Vec<Vec<DVec3>>,
}

impl Placed {
    fn new(mesh: &Polyhedron, pose: &Pose) -> Self {
        let at = |v: u32| pose.point(mesh.position(v));
        let ring = |f: u32| mesh.face(f).iter().map(|&v| at(v)).collect();
        Self {
            vertices: (0..mesh.vertex_count() as u32).map(at).collect(),
            edges: (0..mesh.edge_count() as u32).map(|e| mesh.edge(e).map(at)).collect(),
            faces: (0..mesh.face_count() as u32).map(ring).collect(),
        }
    }
}
