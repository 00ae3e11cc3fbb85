//! A slow judge of traces: distances of triangles, and a walk along the way by safe steps.
//!
//! The distance of two bodies shrinks at most as fast as the fastest vertex moves. So from any
//! parameter it is safe to go on by the distance over that speed, and a walk of such steps sees
//! every approach. Shares nothing with the library.

use chasles::{Polygons, Pose};
use glam::{DQuat, DVec3};

use crate::generate::{self, Random};
use crate::geometry::segment_distance;
use crate::shapes;

/// Triangles, segments and points of a mesh, each with a sphere around it.
#[derive(Clone, Debug)]
pub struct Soup {
    pieces: Vec<Piece>,
    /// The greatest distance of a vertex from the origin.
    pub radius: f64,
}

/// One to three corners.
#[derive(Clone, Debug)]
struct Piece {
    corners: Vec<DVec3>,
    middle: DVec3,
    radius: f64,
}

impl Piece {
    fn new(corners: Vec<DVec3>) -> Self {
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let radius = corners.iter().map(|c| c.distance(middle)).fold(0.0, f64::max);
        Self { corners, middle, radius }
    }

    fn at(&self, pose: &Pose) -> Self {
        let corners = self.corners.iter().map(|&c| pose.point(c)).collect();
        Self { corners, middle: pose.point(self.middle), ..*self }
    }

    fn edges(&self) -> impl Iterator<Item = [DVec3; 2]> + '_ {
        let count = self.corners.len();
        (0..count).map(move |i| [self.corners[i], self.corners[(i + 1) % count]])
    }

    fn distance(&self, other: &Self) -> f64 {
        let crossed =
            |a: &Self, b: &Self| b.corners.len() == 3 && a.edges().any(|e| b.is_pierced(e));
        if crossed(self, other) || crossed(other, self) {
            return 0.0;
        }
        let edges = self.edges().flat_map(|a| other.edges().map(move |b| segment_distance(a, b)));
        let lowest = edges.fold(f64::INFINITY, f64::min);
        let over = |a: &Self, b: &Self| {
            let heights = a.corners.iter().filter_map(|&c| b.height(c));
            heights.fold(f64::INFINITY, f64::min)
        };
        lowest.min(over(self, other)).min(over(other, self))
    }

    /// How far a point is from the plane, if it is over the triangle.
    fn height(&self, point: DVec3) -> Option<f64> {
        let [a, b, c] = *self.corners.as_slice() else { return None };
        let normal = (b - a).cross(c - a).try_normalize()?;
        let inside = |p: DVec3, q: DVec3| (q - p).cross(point - p).dot(normal) >= 0.0;
        let is_over = inside(a, b) && inside(b, c) && inside(c, a);
        is_over.then(|| normal.dot(point - a).abs())
    }

    fn is_pierced(&self, [p, q]: [DVec3; 2]) -> bool {
        let [a, b, c] = *self.corners.as_slice() else { return false };
        let normal = (b - a).cross(c - a);
        let [from, to] = [p, q].map(|x| normal.dot(x - a));
        from * to < 0.0 && self.height(p.lerp(q, from / (from - to))).is_some()
    }
}

impl Soup {
    /// Faces become triangles.
    pub fn new(mesh: &Polygons) -> Self {
        let at = |v: u32| mesh.vertices[v as usize];
        let cut = |face: &Vec<u32>| triangles(face.iter().map(|&v| at(v)).collect());
        let mut pieces: Vec<Piece> = mesh.faces.iter().flat_map(cut).collect();
        pieces.extend(mesh.segments.iter().map(|s| Piece::new(s.map(at).to_vec())));
        pieces.extend(mesh.points.iter().map(|&p| Piece::new(vec![at(p)])));
        let radius = mesh.vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        Self { pieces, radius }
    }

    /// The distance of this soup at a pose from another at its own place, if it is below `limit`;
    /// otherwise something not above the distance and at least `limit`.
    pub fn distance(&self, pose: &Pose, fixed: &Self, limit: f64) -> f64 {
        let mut lowest = f64::INFINITY;
        let own: Vec<Piece> = self.pieces.iter().map(|piece| piece.at(pose)).collect();
        for other in &fixed.pieces {
            let bound = other.middle.distance(pose.position()) - other.radius - self.radius;
            if bound >= limit.min(lowest) {
                lowest = lowest.min(bound);
                continue;
            }
            for own in &own {
                let apart = own.middle.distance(other.middle) - own.radius - other.radius;
                let bound = if apart >= limit.min(lowest) { apart } else { own.distance(other) };
                lowest = lowest.min(bound);
            }
        }
        lowest
    }

    /// Pairs of pieces nearer than `limit`.
    pub fn near(&self, pose: &Pose, fixed: &Self, limit: f64) -> Near {
        let own: Vec<Piece> = self.pieces.iter().map(|piece| piece.at(pose)).collect();
        let mut pairs = Vec::new();
        for other in &fixed.pieces {
            if other.middle.distance(pose.position()) - other.radius - self.radius < limit {
                let close = own.iter().filter(|own| own.distance(other) < limit);
                pairs.extend(close.map(|own| [own.clone(), other.clone()]));
            }
        }
        Near { pairs }
    }
}

/// Cuts corners off a planar polygon, concave or not, until a triangle is left.
fn triangles(mut corners: Vec<DVec3>) -> Vec<Piece> {
    let area: DVec3 =
        corners.windows(2).map(|w| (w[0] - corners[0]).cross(w[1] - corners[0])).sum();
    let mut pieces = Vec::new();
    while corners.len() > 3 {
        let count = corners.len();
        let around = |i: usize| [(i + count - 1) % count, i, (i + 1) % count];
        let is_ear = |&i: &usize| {
            let [a, b, c] = around(i).map(|k| corners[k]);
            let side = |p: DVec3, q: DVec3, x: DVec3| (q - p).cross(x - p).dot(area);
            let is_out = |&x: &DVec3| {
                [a, b, c].contains(&x)
                    || [side(a, b, x), side(b, c, x), side(c, a, x)].iter().any(|s| *s < 0.0)
            };
            side(a, b, c) > 0.0 && corners.iter().all(is_out)
        };
        let ear = (0..count).find(is_ear).unwrap_or(0);
        pieces.push(Piece::new(around(ear).map(|k| corners[k]).to_vec()));
        corners.remove(ear);
    }
    pieces.push(Piece::new(corners));
    pieces
}

/// Pairs of pieces that are near each other.
#[derive(Clone, Debug)]
pub struct Near {
    pairs: Vec<[Piece; 2]>,
}

impl Near {
    /// Whether the first of each pair can be shifted along a unit vector by ten thicknesses, and on
    /// the way clearly leaves the second, or stays out of its zone, which reaches three thicknesses
    /// out.
    pub fn is_free(&self, direction: DVec3, thickness: f64) -> bool {
        self.pairs.iter().all(|[own, other]| {
            let start = own.distance(other);
            [0.25, 1.0, 3.0, 10.0].into_iter().all(|share| {
                let by = share * thickness;
                let moved = own.at(&Pose::from_position(by * direction).expect("finite"));
                moved.distance(other) >= (start + 0.05 * by).min(3.1 * thickness)
            })
        })
    }
}

/// A closed room with its faces towards the inside: a cube whose walls are grids of triangles with
/// random bumps, and convex obstacles in it.
pub fn room(cells: u32, obstacles: u32, seed: u64) -> Polygons {
    let mut random = Random::new(seed);
    let mut room = shapes::sheet(cells, cells);
    room.faces =
        room.faces.iter().flat_map(|f| [vec![f[0], f[1], f[2]], vec![f[0], f[2], f[3]]]).collect();
    let (low, high) = bounds(&room);
    let walls: Vec<Polygons> =
        (0..6).map(|wall| wall_of(&room, [low, high], wall, &mut random)).collect();
    let obstacle = |_| {
        let at = 7.0 * random.vector();
        let size = random.between(0.3, 1.2);
        shapes::mapped(generate::convex_mesh(&mut random), |v| size * v + at)
    };
    let obstacles: Vec<Polygons> = (0..obstacles).map(obstacle).collect();
    shapes::joined(&[walls, obstacles].concat())
}

fn bounds(mesh: &Polygons) -> (DVec3, DVec3) {
    let low = mesh.vertices.iter().copied().reduce(DVec3::min).unwrap_or(DVec3::ZERO);
    let high = mesh.vertices.iter().copied().reduce(DVec3::max).unwrap_or(DVec3::ZERO);
    (low, high)
}

/// One of six walls of a cube from -10 to 10: the sheet, bulged inward except at its border.
fn wall_of(sheet: &Polygons, [low, high]: [DVec3; 2], wall: u32, random: &mut Random) -> Polygons {
    let size = high - low;
    // The two axes along which the sheet extends.
    let flat = (0..3).min_by(|&i, &j| size[i].total_cmp(&size[j])).unwrap_or(2);
    let [u, v] = [(flat + 1) % 3, (flat + 2) % 3];
    let axis = (wall / 2) as usize;
    let sign = if wall.is_multiple_of(2) { -1.0 } else { 1.0 };
    let mut mesh = sheet.clone();
    for place in &mut mesh.vertices {
        let [s, t] = [u, v].map(|k| (place[k] - low[k]) / size[k]);
        let is_border = [s, t].iter().any(|x| *x < 1e-9 || *x > 1.0 - 1e-9);
        let bump = if is_border { 0.0 } else { random.between(0.0, 1.0) };
        place[axis] = sign * (10.0 - bump);
        place[(axis + 1) % 3] = grid(s);
        place[(axis + 2) % 3] = grid(t);
    }
    let face = &mesh.faces[0];
    let [a, b, c] = [0, 1, 2].map(|i| mesh.vertices[face[i] as usize]);
    if (b - a).cross(c - a)[axis] * sign > 0.0 {
        mesh.faces.iter_mut().for_each(|face| face.reverse());
    }
    mesh
}

/// A share of a wall as a coordinate, the same bits for walls that share a border.
fn grid(share: f64) -> f64 {
    ((20.0 * share - 10.0) * 1e6).round() / 1e6
}

/// A motion of a body: a shift, then perhaps a turn about an axis.
#[derive(Clone, Copy, Debug)]
pub enum Motion {
    /// By a vector.
    Shift(DVec3),
    /// About the axis through a point along a unit vector by an angle.
    Turn(DVec3, DVec3, f64),
}

impl Motion {
    /// Where a body is after a part of the motion.
    pub fn pose(&self, start: &Pose, fraction: f64) -> Pose {
        let (position, rotation) = (start.position(), start.rotation());
        let moved = match *self {
            Self::Shift(by) => Pose::new(position + fraction * by, rotation),
            Self::Turn(origin, axis, angle) => {
                let turn = DQuat::from_axis_angle(axis, fraction * angle);
                Pose::new(origin + turn * (position - origin), turn * rotation)
            }
        };
        moved.expect("finite")
    }

    /// The greatest speed of a vertex.
    pub fn speed(&self, start: &Pose, radius: f64) -> f64 {
        match *self {
            Self::Shift(by) => by.length(),
            Self::Turn(origin, axis, angle) => {
                let from = start.position() - origin;
                ((from - axis * axis.dot(from)).length() + radius) * angle.abs()
            }
        }
    }
}

/// The lowest distance on the way up to a fraction, seen by a walk in safe steps that are never
/// shorter than a share of `resolution`; what is left after many steps, along a surface for
/// instance, is looked at in a few places only.
pub fn lowest_distance(
    (body, start): (&Soup, &Pose),
    world: &Soup,
    motion: &Motion,
    fraction: f64,
    resolution: f64,
) -> f64 {
    let distance = |t: f64| body.distance(&motion.pose(start, t), world, 4.0 * resolution);
    let speed = motion.speed(start, body.radius).max(1e-300);
    let mut lowest = f64::INFINITY;
    let mut t = 0.0;
    for _ in 0..120 {
        let here = distance(t);
        lowest = lowest.min(here);
        if t >= fraction {
            return lowest;
        }
        // Steps end where the distance may have fallen to a little less than the resolution.
        t = (t + (here - 0.9 * resolution).max(0.05 * resolution) / speed).min(fraction);
    }
    let rest = (0..=30).map(|i| t + (fraction - t) * f64::from(i) / 30.0);
    rest.map(distance).fold(lowest, f64::min)
}
