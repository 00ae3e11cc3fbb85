//! Pairs of convex bodies that touch, coincide, cross, nest or pass, and an oracle that knows.
//!
//! The oracle ([`overlap`]) is the separating axis theorem in whole numbers and sees only points;
//! it shares no code and no idea with clipping.

mod sat;

use chasles::{Polygons, Pose};
use glam::{DMat3, DQuat, DVec2, DVec3};

use crate::generate::{Random, convex_mesh};
use crate::shapes;

pub use sat::overlap;

/// How a pair was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// At random on a small grid.
    Grid,
    /// The same body at the same place, or one made larger about a common point.
    Coincident,
    /// Bars through each other, their faces flush or not.
    Crossed,
    /// One inside the other.
    Nested,
    /// The lowest place of B along a direction is at the highest of A: they touch and no more. The
    /// direction is a face's normal, across two edges, or any.
    Touching,
    /// As touching, but a step of the grid along the direction nearer or farther.
    Near,
    /// At any pose, in doubles.
    Turned,
    /// At any pose, in doubles, touching up to rounding.
    TurnedTouching,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Grid,
        Self::Coincident,
        Self::Crossed,
        Self::Nested,
        Self::Touching,
        Self::Near,
        Self::Turned,
        Self::TurnedTouching,
    ];

    /// Whether vertices and poses are whole numbers, so that placing is exact.
    pub fn is_exact(self) -> bool {
        !matches!(self, Self::Turned | Self::TurnedTouching)
    }
}

/// Two convex meshes and their poses.
#[derive(Clone, Debug)]
pub struct ConvexPair {
    /// How it was made.
    pub kind: Kind,
    /// The first body.
    pub a: Polygons,
    /// The second body.
    pub b: Polygons,
    /// The poses of both.
    pub poses: [Pose; 2],
}

impl ConvexPair {
    /// The pair with the number `seed`; kinds take turns.
    pub fn new(seed: u64) -> Self {
        let kind = Kind::ALL[(seed % Kind::ALL.len() as u64) as usize];
        let mut random = Random::new(seed ^ 0xc0_4e7);
        let random = &mut random;
        let [a, b] = [grid_body(random), grid_body(random)];
        match kind {
            Kind::Grid => Self { kind, a, b, poses: [grid_pose(random), grid_pose(random)] },
            Kind::Coincident => coincident(a, random),
            Kind::Crossed => crossed(random),
            Kind::Nested => nested(a, b, random),
            Kind::Touching | Kind::Near => touching(kind, a, b, random),
            Kind::Turned => turned(random),
            Kind::TurnedTouching => turned_touching(random),
        }
    }

    /// The vertices of both in the frame of A, as the library defines them.
    pub fn points(&self) -> [Vec<DVec3>; 2] {
        let b_in_a = self.poses[0].inverse_after(&self.poses[1]);
        [self.a.vertices.clone(), self.b.vertices.iter().map(|&p| b_in_a.point(p)).collect()]
    }

    /// The pair with B as the first body.
    pub fn swapped(&self) -> Self {
        let [p, q] = self.poses;
        Self { kind: self.kind, a: self.b.clone(), b: self.a.clone(), poses: [q, p] }
    }
}

fn whole(random: &mut Random, most: usize) -> f64 {
    random.below(2 * most + 1) as f64 - most as f64
}

fn grid_vector(random: &mut Random, most: usize) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| whole(random, most)))
}

/// Shifts of whole numbers, and half-turns about an axis: both are exact in doubles.
fn grid_pose(random: &mut Random) -> Pose {
    let rotation = match random.below(6) {
        0 => DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        1 => DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
        2 => DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0),
        _ => DQuat::IDENTITY,
    };
    Pose::new(grid_vector(random, 3), rotation).expect("finite")
}

/// A box, or the image of a small solid under a linear map of whole numbers.
fn grid_body(random: &mut Random) -> Polygons {
    let triangle = [[0., 0.], [2., 0.], [0., 2.]].map(DVec2::from_array);
    let hexagon =
        [[2., 0.], [2., 1.], [1., 2.], [0., 2.], [0., 1.], [1., 0.]].map(DVec2::from_array);
    let solid = match random.below(7) {
        0 | 1 => {
            let size = [0; 3].map(|_| 2.0 * (1 + random.below(3)) as f64);
            return shapes::cuboid(DVec3::from_array(size));
        }
        2 => shapes::cuboid(DVec3::splat(2.0)),
        3 => shapes::octahedron(),
        4 => shapes::tetrahedron([DVec3::ZERO, 2.0 * DVec3::X, 2.0 * DVec3::Y, 2.0 * DVec3::Z]),
        5 => shapes::prism(&triangle, 2.0),
        _ => shapes::prism(&hexagon, 2.0),
    };
    let map = loop {
        let map = DMat3::from_cols(
            grid_vector(random, 2),
            grid_vector(random, 2),
            grid_vector(random, 2),
        );
        if map.determinant() > 0.5 {
            break map;
        }
    };
    shapes::mapped(solid, |v| map * v)
}

fn coincident(a: Polygons, random: &mut Random) -> ConvexPair {
    let any = Pose::new(random.vector(), random.rotation()).expect("finite");
    let pose = if random.below(2) == 0 { grid_pose(random) } else { any };
    let fixed = a.vertices[random.below(a.vertices.len())];
    let factor = random.one_of(&[1.0, 1.0, 2.0]);
    let b = shapes::mapped(a.clone(), |v| fixed + factor * (v - fixed));
    ConvexPair { kind: Kind::Coincident, a, b, poses: [pose; 2] }
}

fn crossed(random: &mut Random) -> ConvexPair {
    let mut width = || 2.0 * (1 + random.below(2)) as f64;
    let a = shapes::cuboid(DVec3::new(12.0, width(), width()));
    let b = shapes::cuboid(DVec3::new(width(), 12.0, width()));
    let shift = DVec3::new(whole(random, 2), whole(random, 2), whole(random, 3));
    let poses = [Pose::IDENTITY, Pose::from_position(shift).expect("finite")];
    ConvexPair { kind: Kind::Crossed, a, b, poses }
}

/// B shrunk to an eighth of A's size, about a place in A.
fn nested(a: Polygons, b: Polygons, random: &mut Random) -> ConvexPair {
    let a = shapes::mapped(a, |v| 64.0 * v);
    let middle = a.vertices.iter().sum::<DVec3>() / a.vertices.len() as f64;
    let place = middle.round() + grid_vector(random, 4);
    let poses = [Pose::IDENTITY, Pose::from_position(place).expect("finite")];
    let pair = ConvexPair { kind: Kind::Nested, a, b, poses };
    if random.below(2) == 0 { pair } else { pair.swapped() }
}

fn touching(kind: Kind, a: Polygons, b: Polygons, random: &mut Random) -> ConvexPair {
    let direction = direction(&a, &b, random);
    let [p, q] = touching_points(&a, &b, direction, random);
    let step = direction.map(|c| if c == 0.0 { 0.0 } else { c.signum() });
    let nudge = if kind == Kind::Near { random.one_of(&[-1.0, 1.0]) * step } else { DVec3::ZERO };
    let both = grid_vector(random, 3);
    let poses =
        [both, both + p - q + nudge].map(|place| Pose::from_position(place).expect("finite"));
    ConvexPair { kind, a, b, poses }
}

/// The normal of a face of A or B, across an edge of each, or anything.
fn direction(a: &Polygons, b: &Polygons, random: &mut Random) -> DVec3 {
    let mut edges = |mesh: &Polygons| {
        let face = &mesh.faces[random.below(mesh.faces.len())];
        let at = |i: usize| mesh.vertices[face[i] as usize];
        [at(1) - at(0), at(2) - at(1)]
    };
    let [of_a, of_b] = [edges(a), edges(b)];
    let direction = match random.below(4) {
        0 => of_a[0].cross(of_a[1]),
        1 => of_b[1].cross(of_b[0]),
        2 => random.one_of(&[1.0, -1.0]) * of_a[0].cross(of_b[0]),
        _ => grid_vector(random, 3),
    };
    if direction == DVec3::ZERO { DVec3::X } else { direction }
}

/// A vertex of A as far along the direction as any, and one of B as far back as any.
fn touching_points(a: &Polygons, b: &Polygons, along: DVec3, random: &mut Random) -> [DVec3; 2] {
    [(a, along), (b, -along)].map(|(mesh, along)| random.one_of(&highest(mesh, along)))
}

/// The vertices that are as far along the direction as any, up to rounding.
fn highest(mesh: &Polygons, along: DVec3) -> Vec<DVec3> {
    let heights = mesh.vertices.iter().map(|v| v.dot(along));
    let least = heights.fold(f64::NEG_INFINITY, f64::max) - 1e-12 * along.length();
    mesh.vertices.iter().copied().filter(|v| v.dot(along) >= least).collect()
}

/// A place among the highest vertices: within a face, if they are its corners. Rounding bends faces
/// that are turned, and only there does it show.
fn touching_places(a: &Polygons, b: &Polygons, along: DVec3, random: &mut Random) -> [DVec3; 2] {
    [(a, along), (b, -along)].map(|(mesh, along)| {
        let corners = highest(mesh, along);
        let weights: Vec<f64> = corners.iter().map(|_| random.unit()).collect();
        let sum: DVec3 = corners.iter().zip(&weights).map(|(&p, &w)| p * w).sum();
        sum / weights.iter().sum::<f64>()
    })
}

fn turned(random: &mut Random) -> ConvexPair {
    let [a, b] = [convex_mesh(random), convex_mesh(random)];
    let poses = [0; 2].map(|_| Pose::new(random.vector(), random.rotation()).expect("finite"));
    ConvexPair { kind: Kind::Turned, a, b, poses }
}

fn turned_touching(random: &mut Random) -> ConvexPair {
    let any = |random: &mut Random| {
        if random.below(2) == 0 { convex_mesh(random) } else { grid_body(random) }
    };
    let a = any(random);
    let b = if random.below(3) == 0 { a.clone() } else { any(random) };
    let pose = Pose::new(10.0 * random.vector(), random.rotation()).expect("finite");
    let along = direction(&a, &b, random);
    let [p, q] = if random.below(4) == 0 {
        touching_points(&a, &b, along, random)
    } else {
        touching_places(&a, &b, along, random)
    };
    let b_in_a = Pose::from_position(p - q).expect("finite");
    ConvexPair { kind: Kind::TurnedTouching, a, b, poses: [pose, pose.after(&b_in_a)] }
}
