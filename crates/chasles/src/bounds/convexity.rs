//! Where a solid bulges out and where it caves in: which features can be touched from outside.
//!
//! What counts is the solid next to a feature, not its edges alone: the edges of a spike and those
//! of a pit of the same shape are the same, and only the solid tells which is which.
//!
//! Each feature is judged when it is first asked for.

use std::sync::atomic::{AtomicU8, Ordering};

use glam::DVec3;
use robust::{Coord3D, orient3d};

use super::half_space::half_space;
use super::skeleton::FLAT;
use crate::mesh::{Polyhedron, Side};
use crate::numeric::Elementary;
use crate::numeric::solid_angle;

/// How a solid fills the surroundings of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corner {
    /// A half-space holds the solid there, so a plane can touch it. Also where it is not known
    /// what is solid.
    Peak,
    /// No half-space holds the solid: only an edge can touch it, or another vertex.
    Saddle,
    /// A half-space holds what is *not* solid, and no line fits into that: only a peak gets there.
    Pit,
}

/// Which edges of a mesh are reflex, and what its vertices are.
///
/// *Accepts* any mesh; all questions are about the same one. *Guarantees* that an edge is not
/// reflex unless it is between two faces of closed components that agree about the outside and
/// clearly bend inwards, and that a vertex is a peak unless all its edges are between two such
/// faces and these are one fan around it. Other features of a component that is no manifold
/// elsewhere are judged all the same. *Cost* a byte for each feature; the first question about one
/// looks at its faces.
#[derive(Clone, Debug)]
pub(crate) struct Convexity {
    reflex: Notes,
    corners: Notes,
}

impl Convexity {
    /// Nothing is judged yet.
    pub(crate) fn new(mesh: &Polyhedron) -> Self {
        Self { reflex: Notes::new(mesh.edge_count()), corners: Notes::new(mesh.vertex_count()) }
    }

    #[inline]
    pub(crate) fn is_reflex(&self, mesh: &Polyhedron, edge: u32) -> bool {
        self.reflex.of(edge, || u8::from(is_reflex(mesh, edge))) != 0
    }

    #[inline]
    pub(crate) fn corner(&self, mesh: &Polyhedron, vertex: u32) -> Corner {
        match self.corners.of(vertex, || self.judged(mesh, vertex) as u8) {
            PEAK => Corner::Peak,
            SADDLE => Corner::Saddle,
            _ => Corner::Pit,
        }
    }

    /// Without reflex edges a vertex is a peak.
    fn judged(&self, mesh: &Polyhedron, vertex: u32) -> Corner {
        let edges = mesh.vertex_edges(vertex);
        match edges.iter().any(|&e| self.is_reflex(mesh, e)) {
            true => corner(mesh, vertex, &fan(mesh, vertex)),
            false => Corner::Peak,
        }
    }
}

const PEAK: u8 = Corner::Peak as u8;
const SADDLE: u8 = Corner::Saddle as u8;

/// Small numbers, each found when it is first asked for: 0 is not known yet, and others are kept
/// with 1 added. Whoever finds one finds the same, so the order of threads does not matter.
#[derive(Debug)]
struct Notes(Box<[AtomicU8]>);

impl Notes {
    fn new(count: usize) -> Self {
        Self((0..count).map(|_| AtomicU8::new(0)).collect())
    }

    #[inline]
    fn of(&self, i: u32, find: impl FnOnce() -> u8) -> u8 {
        match self.0[i as usize].load(Ordering::Relaxed) {
            0 => self.note(i, find),
            known => known - 1,
        }
    }

    #[cold]
    #[inline(never)]
    fn note(&self, i: u32, find: impl FnOnce() -> u8) -> u8 {
        let found = find();
        self.0[i as usize].store(found + 1, Ordering::Relaxed);
        found
    }
}

impl Clone for Notes {
    fn clone(&self) -> Self {
        let copy = |note: &AtomicU8| AtomicU8::new(note.load(Ordering::Relaxed));
        Self(self.0.iter().map(copy).collect())
    }
}

/// The left and the right face of an edge between two faces of a closed surface.
fn banks(mesh: &Polyhedron, e: u32) -> Option<[u32; 2]> {
    let &[first, second] = mesh.edge_sides(e) else { return None };
    let [left, right] = if first.left { [first, second] } else { [second, first] };
    let is_solid = |side: Side| !mesh.is_two_sided(side.face);
    (left.left && !right.left && is_solid(left) && is_solid(right))
        .then_some([left.face, right.face])
}

/// The angle by which the surface bends at an edge, from -pi to pi: positive where it is convex.
/// A fold by half a turn counts as convex.
fn bend(mesh: &Polyhedron, e: u32, faces: [u32; 2]) -> f64 {
    let [left, right] = faces.map(|f| mesh.normal(f));
    let sine = left.cross(right).dot(along(mesh, e));
    let cosine = left.dot(right);
    if cosine < 0.0 && sine.abs() <= FLAT {
        std::f64::consts::PI
    } else {
        sine.arctangent_over(cosine)
    }
}

fn along(mesh: &Polyhedron, e: u32) -> DVec3 {
    let [p, q] = mesh.edge(e).map(|v| mesh.position(v));
    (q - p).normalize_or_zero()
}

/// Whether a solid fills more than half of the surroundings of an edge. Seams between coplanar
/// faces are not reflex.
fn is_reflex(mesh: &Polyhedron, e: u32) -> bool {
    let Some(faces) = banks(mesh, e) else { return false };
    let [left, right] = faces.map(|f| mesh.normal(f));
    left.cross(right).dot(along(mesh, e)) < -FLAT && is_above(mesh, e, faces)
}

/// Whether the right face is above the left one, by a corner of each and without rounding: the
/// normals of slivers are no better than their shape.
fn is_above(mesh: &Polyhedron, e: u32, faces: [u32; 2]) -> bool {
    let ends = mesh.edge(e);
    let [p, q] = ends.map(|v| mesh.position(v));
    let unit = along(mesh, e);
    let farthest = |face: u32, inward: DVec3| {
        let height = |&v: &u32| (mesh.position(v) - p).dot(inward);
        let others = mesh.face(face).iter().copied().filter(|v| !ends.contains(v));
        others.max_by(|v, w| height(v).total_cmp(&height(w))).map(|v| mesh.position(v))
    };
    let [left, right] = faces;
    let far_left = farthest(left, mesh.normal(left).cross(unit));
    let far_right = farthest(right, -mesh.normal(right).cross(unit));
    let coord = |p: DVec3| Coord3D { x: p.x, y: p.y, z: p.z };
    match (far_left, far_right) {
        (Some(l), Some(r)) => orient3d(coord(p), coord(q), coord(l), coord(r)) < 0.0,
        _ => false,
    }
}

/// Where a face's border passes a vertex: along which edge it comes and goes.
#[derive(Clone, Copy, Debug)]
struct Pass {
    face: u32,
    from: u32,
    to: u32,
}

/// The faces that pass a vertex, in order.
fn fan(mesh: &Polyhedron, vertex: u32) -> Vec<Pass> {
    let mut faces = mesh.vertex_faces(vertex).to_vec();
    faces.sort_unstable();
    let passes = |face: u32| {
        let edges = mesh.face_edges(face);
        let before = edges[edges.len() - 1..].iter().chain(edges);
        let around = mesh.face(face).iter().zip(before.zip(edges));
        let passing = around.filter(move |&(&v, _)| v == vertex);
        passing.map(move |(_, (&from, &to))| Pass { face, from, to })
    };
    faces.into_iter().flat_map(passes).collect()
}

/// Below this the sum of the bends at a vertex is negative and not a matter of rounding.
const CAVED_IN: f64 = -1e-6;

/// Directions rise above a plane if they do so by more than this.
const RISEN: f64 = 1e-6;

/// What the solid around a vertex is.
///
/// A half-space that holds all faces at the vertex holds the solid, or else all that is not solid.
/// The solid angle tells: it is `2 pi - sum of bends` (Gauss and Bonnet, on the unit sphere).
fn corner(mesh: &Polyhedron, vertex: u32, fan: &[Pass]) -> Corner {
    let Some(bends) = bends(mesh, vertex, fan) else { return Corner::Peak };
    let rays = directions(mesh, vertex, fan);
    let Some(normal) = half_space(rays.clone()) else { return Corner::Saddle };
    let middle = rays.iter().sum::<DVec3>().normalize_or(normal);
    let rises = |n: DVec3| rays.iter().all(|r| r.dot(n) > RISEN);
    match bends {
        CAVED_IN.. => Corner::Peak,
        _ if rises(normal) || rises(middle) => Corner::Pit,
        _ => Corner::Saddle,
    }
}

/// The sum of the bends at a vertex, if its faces are one fan of a closed surface.
fn bends(mesh: &Polyhedron, vertex: u32, fan: &[Pass]) -> Option<f64> {
    let edges = mesh.vertex_edges(vertex);
    if fan.len() != edges.len() || !is_one_fan(fan) {
        return None;
    }
    edges.iter().map(|&e| banks(mesh, e).map(|faces| bend(mesh, e, faces))).sum()
}

/// Whether each face's edge is the next one's, once around.
fn is_one_fan(fan: &[Pass]) -> bool {
    let mut by_from: Vec<(u32, u32)> = fan.iter().map(|pass| (pass.from, pass.to)).collect();
    by_from.sort_unstable();
    let next = |edge: u32| {
        let place = by_from.binary_search_by_key(&edge, |&(from, _)| from).ok()?;
        Some(by_from[place].1)
    };
    let start = fan[0].from;
    let mut edge = start;
    for turned in 1..=fan.len() {
        match next(edge) {
            Some(to) if to == start => return turned == fan.len(),
            Some(to) => edge = to,
            None => return false,
        }
    }
    false
}

/// Unit vectors along the edges at a vertex, and one into each face that fills half a turn there or
/// more.
fn directions(mesh: &Polyhedron, vertex: u32, fan: &[Pass]) -> Vec<DVec3> {
    let at = mesh.position(vertex);
    let ray = |e: u32| (mesh.position(mesh.neighbour(e, vertex)) - at).normalize_or_zero();
    let into = |pass: &Pass| {
        let (a, b, normal) = (ray(pass.to), ray(pass.from), mesh.normal(pass.face));
        // Triangles have no such corners, and the normals of the thinnest say little.
        let is_wide = mesh.face(pass.face).len() > 3 && a.cross(b).dot(normal) <= FLAT;
        is_wide.then(|| normal.cross(a - b).try_normalize()).flatten()
    };
    let edges = mesh.vertex_edges(vertex).iter().map(|&e| ray(e));
    edges.chain(fan.iter().filter_map(into)).collect()
}

/// How far the surface of a convex body may be dented, as a part of its size: what [`Polyhedron`]
/// calls flat, and so the least that its faces can tell.
const DENT: f64 = 1e-10;

/// Whether a closed mesh of one part is the surface of a convex body, up to dents of 1e-10 of its
/// size.
///
/// Seen from a point to which all faces turn their backs, a closed surface of one part covers all
/// directions equally often, and each face as much as its solid angle. If the sum is `4 pi`, that
/// is once, and the surface is a star around the point. A star without valleys is convex at all
/// edges and vertices, and a closed surface of one part that is convex everywhere is that of a
/// convex body (Tietze). Surfaces that wind more often have larger sums, such as that of the great
/// dodecahedron, which has no valleys either. *Cost* linear.
pub(super) fn is_convex(mesh: &Polyhedron) -> bool {
    let [low, high] = mesh.bounds();
    let size = (high - low).max_element();
    let is_ridge = |e: u32| banks(mesh, e).is_some_and(|f| !is_valley(mesh, e, f, DENT * size));
    (0..mesh.edge_count() as u32).all(is_ridge) && is_star(mesh, size)
}

/// Whether the right face rises above the left one by more than a height.
fn is_valley(mesh: &Polyhedron, e: u32, faces: [u32; 2], height: f64) -> bool {
    let [left, right] = faces.map(|f| mesh.normal(f));
    let unit = along(mesh, e);
    let sine = left.cross(right).dot(unit);
    let from = mesh.position(mesh.edge(e)[0]);
    let reach = |face: u32, inward: DVec3| {
        let corners = mesh.face(face).iter().map(|&v| (mesh.position(v) - from).dot(inward));
        corners.fold(0.0, f64::max)
    };
    let wide = reach(faces[0], left.cross(unit)).min(reach(faces[1], -right.cross(unit)));
    -sine * wide > height && is_above(mesh, e, faces)
}

/// Whether the mesh is seen once in each direction from the mean of its vertices, from behind.
fn is_star(mesh: &Polyhedron, size: f64) -> bool {
    let middle = mesh.positions().iter().sum::<DVec3>() / mesh.vertex_count() as f64;
    // The volume of a face without area is rounding: products of three sides, rounded some times.
    let noise = 32.0 * f64::EPSILON * size.powi(3);
    let mut sum = 0.0;
    for f in 0..mesh.face_count() as u32 {
        let ring = mesh.face(f);
        let at = |i: usize| mesh.position(ring[i]) - middle;
        for i in 2..ring.len() {
            let corners = [at(0), at(i - 1), at(i)];
            if corners[0].dot(corners[1].cross(corners[2])) < -noise {
                return false;
            }
            sum += solid_angle(corners);
        }
    }
    sum > 3.0 * std::f64::consts::PI && sum < 5.0 * std::f64::consts::PI
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Polygons;
    use crate::mesh::shapes::{Cuboid, Shape, Sphere, Torus};
    use glam::Vec3Swizzles;

    fn corners(polygons: &Polygons) -> (Vec<Corner>, usize) {
        let mesh = Polyhedron::new(polygons).unwrap();
        let convexity = Convexity::new(&mesh);
        let corners = (0..mesh.vertex_count() as u32).map(|v| convexity.corner(&mesh, v)).collect();
        let edges = 0..mesh.edge_count() as u32;
        (corners, edges.filter(|&e| convexity.is_reflex(&mesh, e)).count())
    }

    /// A prism over an L, its reflex edge from vertex 3 to vertex 9.
    fn l_profile() -> Polygons {
        let flat = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];
        let vertices: Vec<[f64; 3]> =
            [0.0, 1.0].iter().flat_map(|&z| flat.map(|[x, y]| [x, y, z])).collect();
        let mut faces = vec![vec![5, 4, 3, 2, 1, 0], vec![6, 7, 8, 9, 10, 11]];
        faces.extend((0..6).map(|i| vec![i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6]));
        Polygons::new(vertices, faces)
    }

    /// A box with a pyramid on its top, or dug into it.
    fn pyramid(height: f64) -> Polygons {
        let base = [[-2., -2.], [2., -2.], [2., 2.], [-2., 2.]];
        let mut vertices: Vec<[f64; 3]> = base.iter().map(|&[x, y]| [x, y, -3.0]).collect();
        vertices.extend(base.iter().map(|&[x, y]| [x, y, 0.0]));
        vertices.push([0.3, 0.2, height]);
        let mut faces = vec![vec![3, 2, 1, 0]];
        faces.extend((0..4).map(|i| vec![i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4]));
        faces.extend((0..4).map(|i| vec![i + 4, (i + 1) % 4 + 4, 8]));
        Polygons::new(vertices, faces)
    }

    #[test]
    fn a_box_has_peaks_and_no_reflex_edges() {
        let cube = Shape::Box(Cuboid::default()).polygons().unwrap();
        assert_eq!(corners(&cube), (vec![Corner::Peak; 8], 0));
    }

    #[test]
    fn the_end_of_a_groove_can_be_touched_by_the_plane_of_the_end() {
        assert_eq!(corners(&l_profile()), (vec![Corner::Peak; 12], 1));
        // A corner of it pulled out, and the plane of the end cuts the solid.
        let mut bent = l_profile();
        bent.vertices[4].z = -0.5;
        bent.vertices[2].z = -0.5;
        assert_eq!(corners(&bent).0[3], Corner::Saddle);
    }

    #[test]
    fn the_same_edges_make_a_spike_or_a_pit() {
        assert_eq!(corners(&pyramid(1.0)), (vec![Corner::Peak; 9], 0));
        let (pit, reflex) = corners(&pyramid(-1.0));
        assert_eq!((pit[8], reflex), (Corner::Pit, 4));
        assert!(pit[..8].iter().all(|&corner| corner == Corner::Peak));
        // Flat up to rounding.
        let (flat, reflex) = corners(&pyramid(-1e-12));
        assert_eq!((flat, reflex), (vec![Corner::Peak; 9], 0));
    }

    #[test]
    fn where_nothing_is_known_to_be_solid_everything_can_be_touched() {
        let mut open = pyramid(-1.0);
        open.faces.remove(0);
        assert_eq!(corners(&open), (vec![Corner::Peak; 9], 0));
        let mut turned = pyramid(-1.0);
        turned.faces[6].reverse();
        assert_eq!(corners(&turned), (vec![Corner::Peak; 9], 0));
    }

    #[test]
    fn a_pass_between_two_hills_is_a_saddle() {
        let side = 2;
        let at = |x: usize, y: usize, z: f64| [x as f64, y as f64, z];
        let top = |x: usize, y: usize| {
            let [dx, dy] = [x as f64 - 1.0, y as f64 - 1.0];
            at(x, y, 3.0 + dx * dx - dy * dy)
        };
        let all = |z: &dyn Fn(usize, usize) -> [f64; 3]| -> Vec<[f64; 3]> {
            (0..=side).flat_map(|y| (0..=side).map(move |x| (x, y))).map(|(x, y)| z(x, y)).collect()
        };
        let mut vertices = all(&top);
        vertices.extend(all(&|x, y| at(x, y, 0.0)));
        let n = |x: u32, y: u32, level: u32| level * 9 + y * 3 + x;
        let mut faces = Vec::new();
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let quad = [n(x, y, 0), n(x + 1, y, 0), n(x + 1, y + 1, 0), n(x, y + 1, 0)];
            faces.extend([vec![quad[0], quad[1], quad[2]], vec![quad[0], quad[2], quad[3]]]);
            faces.push(quad.iter().rev().map(|v| v + 9).collect());
        }
        let border = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)];
        for i in 0..8 {
            let ([px, py], [qx, qy]) = (border[i].into(), border[(i + 1) % 8].into());
            faces.push(vec![n(px, py, 1), n(qx, qy, 1), n(qx, qy, 0), n(px, py, 0)]);
        }
        let polygons = Polygons::new(vertices, faces);
        assert!(Polyhedron::new(&polygons).unwrap().is_closed());
        assert_eq!(corners(&polygons).0[4], Corner::Saddle);
    }

    /// The corners of an icosahedron; all edges are 2 long.
    fn icosahedron() -> Vec<DVec3> {
        let g = 0.5 * (1.0 + 5.0_f64.sqrt());
        let signs = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let around = signs.map(|[s, t]| DVec3::new(0.0, s, t * g));
        around.into_iter().flat_map(|v| [v, v.yzx(), v.zxy()]).collect()
    }

    #[test]
    fn convex_bodies_are_told_from_those_that_wind_twice_or_are_dented() {
        let of = |shape: Shape| is_convex(&shape.build().unwrap());
        let sphere = Sphere { segments: [40, 20], ..Sphere::default() };
        assert!(of(Shape::Box(Cuboid::default())) && of(Shape::Sphere(sphere)));
        assert!(!of(Shape::Torus(Torus::default())));
        // Pentagons around the neighbours of each corner: the great dodecahedron.
        let vertices = icosahedron();
        let pentagon = |&v: &DVec3| {
            let (x, y) = v.any_orthonormal_pair();
            let near = |&i: &u32| (vertices[i as usize].distance(v) - 2.0).abs() < 1e-9;
            let mut ring: Vec<u32> = (0..12).filter(near).collect();
            let angle = |i: &u32| vertices[*i as usize].dot(y).atan2(vertices[*i as usize].dot(x));
            ring.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
            let [a, b, c] = [0, 1, 2].map(|i| vertices[ring[i] as usize]);
            if (b - a).cross(c - b).dot(v) < 0.0 {
                ring.reverse();
            }
            ring
        };
        let faces = vertices.iter().map(pentagon).collect();
        let star = Polygons { vertices: vertices.clone(), faces, ..Polygons::default() };
        let star = Polyhedron::new(&star).unwrap();
        let convexity = Convexity::new(&star);
        assert!(star.is_closed() && star.edge_count() == 30);
        assert!((0..30).all(|e| !convexity.is_reflex(&star, e)) && !is_convex(&star));
        // A cube with a corner moved in, by less than its faces can tell and by more.
        for (depth, expected) in [(1e-12, true), (1e-8, false)] {
            let mut dented = Shape::Box(Cuboid { size: [1.0; 3] }).polygons().unwrap();
            let quads = std::mem::take(&mut dented.faces);
            let halves = |q: Vec<u32>| [vec![q[0], q[1], q[2]], vec![q[0], q[2], q[3]]];
            dented.faces = quads.into_iter().flat_map(halves).collect();
            let middle = dented.vertices.len() as u32;
            let ring = dented.faces.swap_remove(0);
            let mean = ring.iter().map(|&v| dented.vertices[v as usize]).sum::<DVec3>() / 3.0;
            dented.vertices.push(mean * (1.0 - depth));
            let fan = (0..3).map(|i| vec![ring[i], ring[(i + 1) % 3], middle]);
            dented.faces.extend(fan.collect::<Vec<_>>());
            assert_eq!(is_convex(&Polyhedron::new(&dented).unwrap()), expected, "{depth}");
        }
    }
}
