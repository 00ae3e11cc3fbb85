//! All places where two meshes at rest are near each other, by trying every pair of features in the
//! world frame. Shares nothing with the library but the mesh.

use chasles::{Polyhedron, Pose};
use glam::DVec3;

/// A place where two surfaces are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The closest point of A.
    pub point_a: DVec3,
    /// The closest point of B.
    pub point_b: DVec3,
    /// Unit, from A to B.
    pub normal: DVec3,
}

/// What counts: gaps up to `reach`, terms of properness from `least` on. With a positive `slack`
/// also what fails a condition by no more than that; with a negative one only what meets all of
/// them by more.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest gap.
    pub reach: f64,
    /// The least properness.
    pub least: f64,
    /// How far conditions are loosened.
    pub slack: f64,
}

/// Features of a mesh in the world, each with unit vectors into the body.
struct Body {
    corners: Vec<(DVec3, Vec<DVec3>)>,
    ridges: Vec<([DVec3; 2], Vec<DVec3>)>,
    /// Corners, normal, and whether both sides count.
    faces: Vec<(Vec<DVec3>, DVec3, bool)>,
}

impl Body {
    fn new(mesh: &Polyhedron, pose: &Pose) -> Self {
        let at = |v: u32| pose.point(mesh.position(v));
        let face = |f: u32| {
            let ring = mesh.face(f).iter().map(|&v| at(v)).collect();
            (ring, pose.vector(mesh.normal(f)), mesh.is_two_sided(f))
        };
        let wings = |e: u32| -> Vec<DVec3> {
            let [p, q] = mesh.edge(e).map(at);
            let into = |side: &chasles::mesh::Side| {
                let along = if side.left { q - p } else { p - q };
                pose.vector(mesh.normal(side.face)).cross(along).normalize()
            };
            mesh.edge_sides(e).iter().map(into).collect()
        };
        let is_seam = |e: u32| match wings(e)[..] {
            [p, q] => p.dot(q) < -1.0 + 1e-13,
            _ => false,
        };
        let edges = 0..mesh.edge_count() as u32;
        let ridges = edges.filter(|&e| !is_seam(e)).map(|e| (mesh.edge(e).map(at), wings(e)));
        let rays = |v: u32| {
            let others = mesh.vertex_edges(v).iter().map(move |&e| mesh.neighbour(e, v));
            others.map(|w| (at(w) - at(v)).normalize()).collect::<Vec<_>>()
        };
        let is_corner = |v: &u32| {
            let edges = mesh.vertex_edges(*v);
            edges.is_empty() || !edges.iter().all(|&e| is_seam(e))
        };
        let vertices = (0..mesh.vertex_count() as u32).filter(is_corner);
        Self {
            corners: vertices.map(|v| (at(v), rays(v))).collect(),
            ridges: ridges.collect(),
            faces: (0..mesh.face_count() as u32).map(face).collect(),
        }
    }
}

/// Every place within the limits, some of them several times.
pub fn places(meshes: [&Polyhedron; 2], poses: [Pose; 2], limits: &Limits) -> Vec<Place> {
    let [a, b] = [0, 1].map(|i| Body::new(meshes[i], &poses[i]));
    let mut places = over(&a, &b, limits);
    let turned = |place: Place| Place {
        point_a: place.point_b,
        point_b: place.point_a,
        normal: -place.normal,
    };
    places.extend(over(&b, &a, limits).into_iter().map(turned));
    for p in &a.ridges {
        places.extend(b.ridges.iter().filter_map(|q| crossing(p, q, limits)));
    }
    for (p, below) in &a.corners {
        let apart = b.corners.iter().filter_map(|(q, above)| nearest(*p, below, *q, above, limits));
        places.extend(apart);
    }
    places
}

/// Corners of the second body over faces and ridges of the first.
fn over(below: &Body, above: &Body, limits: &Limits) -> Vec<Place> {
    let mut places = Vec::new();
    for (corner, rays) in &above.corners {
        for face in &below.faces {
            places.extend(over_face(face, *corner, rays, limits));
        }
        for ([p, q], wings) in &below.ridges {
            let along = (*q - *p).normalize();
            let from = (*corner - *p).dot(along);
            if from >= -limits.slack && from <= p.distance(*q) + limits.slack {
                places.extend(nearest(*p + from * along, wings, *corner, rays, limits));
            }
        }
    }
    places
}

fn over_face(
    (ring, normal, two_sided): &(Vec<DVec3>, DVec3, bool),
    corner: DVec3,
    rays: &[DVec3],
    limits: &Limits,
) -> Option<Place> {
    let Limits { reach, least, slack } = *limits;
    let height = (corner - ring[0]).dot(*normal);
    let foot = corner - height * *normal;
    let normal = if *two_sided && height < 0.0 { -*normal } else { *normal };
    let gap = if *two_sided { height.abs() } else { height };
    let touching = *two_sided && gap <= slack;
    let fits = gap >= -slack && gap <= reach + slack && depth_in(ring, foot) >= -slack;
    let one_way = |way: f64| rays.iter().all(|ray| ray.dot(normal) * way >= least - slack);
    let normal = if touching && !one_way(1.0) { -normal } else { normal };
    let faces = one_way(1.0) || touching && one_way(-1.0);
    (fits && faces).then_some(Place { point_a: foot, point_b: corner, normal })
}

/// Two points of features with these unit vectors into their bodies, if nothing next to them is
/// nearer.
fn nearest(p: DVec3, below: &[DVec3], q: DVec3, above: &[DVec3], limits: &Limits) -> Option<Place> {
    let gap = p.distance(q);
    if gap <= (-limits.slack).max(1e-12) || gap > limits.reach + limits.slack {
        return None;
    }
    let normal = (q - p) / gap;
    // The direction is as uncertain as its ends are next to the gap.
    let slack = limits.slack + 1e-13 * limits.slack.signum() / gap;
    let away = below.iter().all(|into| -into.dot(normal) >= -slack);
    let toward = above.iter().all(|into| into.dot(normal) >= -slack);
    (away && toward).then_some(Place { point_a: p, point_b: q, normal })
}

fn crossing(
    (p, below): &([DVec3; 2], Vec<DVec3>),
    (q, above): &([DVec3; 2], Vec<DVec3>),
    limits: &Limits,
) -> Option<Place> {
    let Limits { reach, least, slack } = *limits;
    let [u, w] = [p, q].map(|[from, to]| (*to - *from).normalize());
    let across = u.cross(w);
    if across.length() < 1e-6 {
        return None;
    }
    let between = q[0] - p[0];
    // Solves `s u - t w = between` in the plane of the directions.
    let [uw, ub, wb] = [u.dot(w), u.dot(between), w.dot(between)];
    let sin_sq = across.length_squared();
    let [s, t] = [(ub - uw * wb) / sin_sq, (uw * ub - wb) / sin_sq];
    let within = |x: f64, [from, to]: &[DVec3; 2]| x >= -slack && x <= from.distance(*to) + slack;
    let [point_a, point_b] = [p[0] + s * u, q[0] + t * w];
    let gap = point_a.distance(point_b);
    if !within(s, p) || !within(t, q) || gap > reach + slack || gap < -slack {
        return None;
    }
    let side = if (point_b - point_a).dot(across) < 0.0 { -1.0 } else { 1.0 };
    let normal = side * across.normalize();
    let proper = |normal: DVec3| {
        below.iter().all(|wing| -wing.dot(normal) >= least - slack)
            && above.iter().all(|wing| wing.dot(normal) >= least - slack)
    };
    let normals = if gap <= slack { vec![normal, -normal] } else { vec![normal] };
    let normal = normals.into_iter().find(|normal| proper(*normal))?;
    Some(Place { point_a, point_b, normal })
}

/// How far inside a polygon a point of its plane lies; negative outside.
fn depth_in(ring: &[DVec3], x: DVec3) -> f64 {
    let sides = ring.iter().zip(ring.iter().cycle().skip(1));
    let mut turned = 0.0;
    let mut border = f64::INFINITY;
    let normal: DVec3 =
        sides.clone().map(|(p, q)| (*p - ring[0]).cross(*q - ring[0])).sum::<DVec3>().normalize();
    for (p, q) in sides {
        let along = *q - *p;
        let part = ((x - *p).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        border = border.min(x.distance(*p + part * along));
        let [from, to] = [*p - x, *q - x];
        turned += from.cross(to).dot(normal).atan2(from.dot(to));
    }
    if turned.abs() > std::f64::consts::PI { border } else { -border }
}

/// Whether the first vertex of one of two meshes lies inside the other, which must be closed: by
/// how often a ray in a direction without a pattern passes its faces.
pub fn inside(meshes: [&Polyhedron; 2], poses: [Pose; 2]) -> bool {
    let [a, b] = [0, 1].map(|i| Body::new(meshes[i], &poses[i]));
    let within = |one: &Body, other: &Body, closed: bool| {
        closed && one.corners.first().is_some_and(|(corner, _)| is_in(other, *corner))
    };
    within(&a, &b, meshes[1].is_closed()) || within(&b, &a, meshes[0].is_closed())
}

fn is_in(body: &Body, x: DVec3) -> bool {
    let ray = DVec3::new(0.547_231, 0.683_719, 0.482_671);
    let passed = body.faces.iter().filter(|(ring, normal, _)| {
        let way = (ring[0] - x).dot(*normal) / ray.dot(*normal);
        way > 0.0 && depth_in(ring, x + way * ray) > 0.0
    });
    passed.count() % 2 == 1
}
