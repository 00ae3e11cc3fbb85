//! Random queries, the same for the same seed.
//!
//! [`query`] makes everyday ones, [`built_in_query`] those of the library's own shapes, threads
//! and gears included, [`aligned`] those shapes as people place them, [`open_query`] adds open
//! sheets, lone polygons, segments and points, and [`adversarial`] plants what breaks methods:
//! double roots, near-misses a few units in the last place apart, motions about an axis through a
//! feature, aligned and identical bodies. Queries on a grid are in [`crate::lattice`].

use std::f64::consts::{PI, TAU};

use chasles::{Polygons, Pose, Screw, Step};
use glam::{DMat3, DQuat, DVec3};

use crate::query::Query;
use crate::shapes;
use crate::step_along;

/// Splitmix64: small, seeded, good enough for tests.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator that always gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * f64::EPSILON / 2.0
    }

    /// A number in `[low, high)`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// One of several.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A point in the cube `[-1, 1]^3`.
    pub fn vector(&mut self) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| self.between(-1.0, 1.0)))
    }

    /// A unit vector, evenly spread.
    pub fn direction(&mut self) -> DVec3 {
        let z = self.between(-1.0, 1.0);
        let angle = self.between(0.0, TAU);
        let r = (1.0 - z * z).sqrt();
        DVec3::new(r * angle.cos(), r * angle.sin(), z)
    }

    /// A rotation.
    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), self.between(0.0, TAU))
    }
}

/// A convex closed mesh of about unit size, 4 to 20 faces, in no special position.
pub fn convex_mesh(random: &mut Random) -> Polygons {
    let mesh = match random.below(8) {
        0 => shapes::cube(),
        1 => shapes::tetrahedron([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]),
        2 => shapes::prism(&shapes::regular(3 + random.below(6) as u32, 0.0), 1.0),
        3 => shapes::antiprism(3 + random.below(5) as u32),
        4 => shapes::truncated_cube(random.between(0.1, 0.45)),
        5 => shapes::octahedron(),
        6 => on_the_sphere(shapes::icosahedron(), random),
        _ => on_the_sphere(shapes::octahedron(), random),
    };
    stretched(mesh, random)
}

/// Triangles of a regular solid, their corners shifted along the sphere: still convex for small
/// shifts.
fn on_the_sphere(mesh: Polygons, random: &mut Random) -> Polygons {
    let mut shifted = mesh;
    for vertex in &mut shifted.vertices {
        *vertex = (*vertex + 0.1 * random.vector()).normalize();
    }
    shifted
}

/// A random linear map of moderate condition, which keeps planes planar and outside outside.
fn stretched(mesh: Polygons, random: &mut Random) -> Polygons {
    let turn = DMat3::from_quat(random.rotation());
    let lengths = DVec3::from_array([0; 3].map(|_| random.between(0.5, 1.5)));
    let map = turn * DMat3::from_diagonal(lengths) * DMat3::from_quat(random.rotation());
    shapes::mapped(mesh, |v| map * v)
}

/// A closed mesh, convex or not, of 4 to 40 faces.
pub fn closed_mesh(random: &mut Random) -> Polygons {
    match random.below(10) {
        0 => shapes::mapped(shapes::car(), |v| 0.5 * v),
        1 => stretched(shapes::torus(6, 5, 1.0, 0.4), random),
        2 => stretched(shapes::l_prism(), random),
        3 => {
            let apart = 1.5 * random.direction();
            let other = shapes::mapped(convex_mesh(random), |v| 0.5 * v + apart);
            shapes::joined(&[shapes::mapped(convex_mesh(random), |v| 0.5 * v), other])
        }
        4 => shapes::cuboid(DVec3::from_array([0; 3].map(|_| random.between(0.2, 2.0)))),
        _ => convex_mesh(random),
    }
}

/// A mesh that is not closed: a sheet, a polygon, a segment, a point, or some of each.
pub fn open_mesh(random: &mut Random) -> Polygons {
    match random.below(6) {
        0 => stretched(shapes::sheet(3, 2), random),
        1 => stretched(shapes::polygon(&shapes::regular(3 + random.below(4) as u32, 0.2)), random),
        2 => shapes::segment(random.vector(), random.vector()),
        3 => shapes::point(random.vector()),
        4 => {
            let mut opened = closed_mesh(random);
            let face = random.below(opened.faces.len());
            opened.faces.swap_remove(face);
            opened
        }
        _ => {
            let spike = shapes::segment(random.vector(), 2.0 * random.vector());
            shapes::joined(&[convex_mesh(random), spike, shapes::point(random.vector())])
        }
    }
}

/// Two closed meshes that meet during the step; everyday and extreme scales, offsets and angles.
pub fn query(seed: u64) -> Query {
    let mut random = Random::new(seed);
    let (a, b) = (closed_mesh(&mut random), closed_mesh(&mut random));
    meeting(a, b, &mut random)
}

/// As [`query`], with two of the shapes that the library builds.
pub fn built_in_query(seed: u64) -> Query {
    let mut random = Random::new(seed ^ 0xb017);
    let shapes = shapes::built_in();
    let [a, b] = [0; 2].map(|_| shapes[random.below(shapes.len())].clone());
    meeting(a, b, &mut random)
}

/// Two of the shapes that the library builds, not turned, which start apart; B comes along an axis
/// and meanwhile turns about an axis by `angle`.
pub fn aligned(seed: u64, angle: f64) -> Query {
    let mut random = Random::new(seed ^ 0xa119);
    let shapes = shapes::built_in();
    let [a, b] = [0; 2].map(|_| shapes[random.below(shapes.len())].clone());
    let radius = |mesh: &Polygons| mesh.vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
    let from = (radius(&a) + radius(&b)) * random.between(1.001, 1.5);
    let to = -from * random.unit();
    let [way, axis] = [0; 2].map(|_| random.one_of(&[DVec3::X, DVec3::Y, DVec3::Z]));
    let turn = DQuat::from_axis_angle(axis, angle);
    let poses_b = [pose(way * from, DQuat::IDENTITY), pose(way * to, turn)];
    Query { a, b, poses_a: [Pose::IDENTITY; 2], poses_b }
}

/// Two convex closed meshes that meet during the step.
pub fn convex_query(seed: u64) -> Query {
    let mut random = Random::new(seed ^ 0xc0_0e);
    let (a, b) = (convex_mesh(&mut random), convex_mesh(&mut random));
    meeting(a, b, &mut random)
}

/// As [`query`], with at least one mesh that is not closed.
pub fn open_query(seed: u64) -> Query {
    let mut random = Random::new(seed ^ 0x09e4);
    let open = open_mesh(&mut random);
    let other =
        if random.below(2) == 0 { open_mesh(&mut random) } else { closed_mesh(&mut random) };
    let (a, b) = if random.below(2) == 0 { (open, other) } else { (other, open) };
    meeting(a, b, &mut random)
}

/// The angles at which methods change their mind, and everything between.
pub fn angle(random: &mut Random) -> f64 {
    // At pi itself the way round is open.
    let largest = PI - 1e-3;
    let special = random.one_of(&[0.0, 1e-14, 1e-10, 1e-6, 0.01, largest]);
    if random.below(2) == 0 { special } else { random.between(0.01, largest) }
}

/// Lets two meshes of about unit size meet: at some time in the step a random point of B is at a
/// random point of A. All lengths are then scaled by 1e-3 to 1e3 and moved by up to 1e4.
pub fn meeting(a: Polygons, b: Polygons, random: &mut Random) -> Query {
    let scale = 10.0_f64.powf(random.between(-3.0, 3.0));
    let angle = angle(random);
    let (a, b) = (shapes::mapped(a, |v| v * scale), shapes::mapped(b, |v| v * scale));
    let centre = 0.5 * scale * random.vector();
    let rotation = random.rotation();
    let velocity = random.direction() * scale * random.between(0.5, 4.0);
    let at_time = random.between(0.2, 0.8);
    let angular = random.direction() * angle;
    let b_in_a = [0.0, 1.0].map(|t| {
        let local = moved(angular, velocity, centre, t - at_time);
        let turned = if angle == 0.0 { rotation } else { local.rotation() * rotation };
        pose(local.point(centre), turned)
    });
    let poses_a = carrier(random, scale, angle == 0.0);
    let poses_b = [0, 1].map(|i| poses_a[i].after(&b_in_a[i]));
    Query { a, b, poses_a, poses_b }
}

/// Two closed meshes and a step by twists of up to three turns each, about points near the other
/// body so that they meet.
pub fn turning(seed: u64) -> (Polygons, Polygons, Step) {
    let mut random = Random::new(seed ^ 0x7091);
    let (a, b) = (closed_mesh(&mut random), closed_mesh(&mut random));
    let body = |random: &mut Random| {
        let start = pose(random.vector() * 1.5, random.rotation());
        let angular = random.direction() * random.between(0.0, 3.0 * TAU);
        let twist = Screw::from_twist(angular, random.vector());
        (start, twist.expect("generated twists are finite"))
    };
    let (of_a, of_b) = (body(&mut random), body(&mut random));
    (a, b, step_along(of_a, of_b))
}

/// How A itself moves: not at all, or with the frame of everything. Without rotation where the
/// relative angle must stay exactly zero.
fn carrier(random: &mut Random, scale: f64, straight: bool) -> [Pose; 2] {
    let offset = random.direction() * 10.0_f64.powf(random.between(-2.0, 4.0));
    let start = pose(offset, random.rotation());
    if random.below(3) == 0 {
        return [start; 2];
    }
    let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 1.0));
    let rotation = if straight { start.rotation() } else { turn * start.rotation() };
    [start, pose(offset + scale * random.vector(), rotation)]
}

/// The displacement after time `t` of the motion that turns by `angular` and moves the point
/// `centre` at `velocity` at time 0.
fn moved(angular: DVec3, velocity: DVec3, centre: DVec3, t: f64) -> Pose {
    let screw = Screw::from_twist(angular, velocity - angular.cross(centre));
    screw.expect("generated twists are finite").pose_at(t)
}

fn pose(position: DVec3, rotation: DQuat) -> Pose {
    Pose::new(position, rotation).expect("generated poses are finite")
}

/// What an adversarial query plants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// A vertex of B touches a face of A without crossing its plane.
    TangentVertex,
    /// An edge of B touches an edge of A without passing it.
    TangentEdge,
    /// Two cubes slide along each other a few units in the last place apart.
    UlpsApart,
    /// B turns about one of its own vertices, which lies on A's face.
    AxisThroughVertex,
    /// B turns about an axis through the middle of a face of A.
    AxisThroughFace,
    /// Boxes turn about an axis parallel to edges of both.
    ParallelEdges,
    /// Equal, aligned cubes meet face to face.
    AlignedCubes,
    /// The same mesh at the same pose, still or moving.
    Identical,
    /// Two polygons in one plane.
    OnePlane,
}

impl Plant {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::TangentVertex,
        Self::TangentEdge,
        Self::UlpsApart,
        Self::AxisThroughVertex,
        Self::AxisThroughFace,
        Self::ParallelEdges,
        Self::AlignedCubes,
        Self::Identical,
        Self::OnePlane,
    ];
}

/// A query with something planted; kinds take turns with the seed.
pub fn adversarial(seed: u64) -> (Plant, Query) {
    let plant = Plant::ALL[(seed % Plant::ALL.len() as u64) as usize];
    let mut random = Random::new(seed ^ 0xadd);
    (plant, planted(plant, &mut random))
}

/// A planted tangent and its time: of a vertex for even seeds, of an edge for odd ones.
pub fn tangent(seed: u64) -> (f64, Query) {
    let mut random = Random::new(seed ^ 0x7a46);
    let plant = if seed.is_multiple_of(2) { tangent_vertex } else { tangent_edge };
    let passage = Passage::new(&mut random);
    (passage.time, plant(&passage, &mut random))
}

fn planted(plant: Plant, random: &mut Random) -> Query {
    match plant {
        Plant::TangentVertex => tangent_vertex(&Passage::new(random), random),
        Plant::TangentEdge => tangent_edge(&Passage::new(random), random),
        Plant::UlpsApart => ulps_apart(random),
        Plant::AxisThroughVertex => axis_through_vertex(random),
        Plant::AxisThroughFace => {
            let box_a = shapes::cuboid(DVec3::new(2.0, 2.0, 1.0));
            let b = shapes::mapped(shapes::cube(), |v| v + DVec3::new(0.3, 0.2, 1.0));
            spun(box_a, b, DVec3::Z * random.between(0.1, 3.1), DVec3::NEG_Z * random.unit())
        }
        Plant::ParallelEdges => {
            let apart = DVec3::X * random.between(0.5, 1.5);
            let b = shapes::mapped(shapes::cube(), |v| v + apart);
            spun(shapes::cube(), b, DVec3::Z * random.between(0.1, 3.1), DVec3::ZERO)
        }
        Plant::AlignedCubes => aligned_cubes(random),
        Plant::Identical => {
            let mesh = closed_mesh(random);
            let linear = random.one_of(&[0.0, 1e-12, 1.0]) * random.direction();
            let angular = random.one_of(&[0.0, 1e-12, 1.0]) * random.direction();
            spun(mesh.clone(), mesh, angular, linear)
        }
        Plant::OnePlane => {
            let shape = shapes::polygon(&shapes::regular(3 + random.below(4) as u32, 0.1));
            let [apart, travel] = [0; 2].map(|_| DVec3::X * random.between(0.0, 3.0));
            let b = shapes::mapped(shape.clone(), |v| v - apart);
            spun(shape, b, DVec3::Z * random.one_of(&[0.0, 1.0]), travel)
        }
    }
}

/// A stands still, B starts at the identity and moves by a twist.
pub fn spun(a: Polygons, b: Polygons, angular: DVec3, linear: DVec3) -> Query {
    let end = moved(angular, linear, DVec3::ZERO, 1.0);
    Query { a, b, poses_a: [Pose::IDENTITY; 2], poses_b: [Pose::IDENTITY, end] }
}

/// A twist of B and a time, with the place and velocity there of a point given at time 0.
struct Passage {
    angular: DVec3,
    linear: DVec3,
    time: f64,
}

impl Passage {
    fn new(random: &mut Random) -> Self {
        Self {
            angular: random.direction() * random.between(0.3, 3.0),
            linear: random.vector() * 2.0,
            time: random.between(0.2, 0.8),
        }
    }

    fn place(&self, start: DVec3) -> DVec3 {
        moved(self.angular, self.linear, DVec3::ZERO, self.time).point(start)
    }

    fn velocity(&self, place: DVec3) -> DVec3 {
        self.angular.cross(place) + self.linear
    }
}

/// The plane of the face contains the tangent of the vertex's path and is normal to its curvature.
fn tangent_vertex(passage: &Passage, random: &mut Random) -> Query {
    let b = convex_mesh(random);
    let place = passage.place(b.vertices[random.below(b.vertices.len())]);
    let velocity = passage.velocity(place);
    let normal = passage.angular.cross(velocity).normalize_or(velocity.any_orthonormal_vector());
    let along = velocity.normalize();
    let across = normal.cross(along);
    let side = random.one_of(&[1.0, -1.0]);
    let base = shapes::regular(3, random.between(0.0, TAU));
    let corner = |i: usize| place + base[i].x * along + base[i].y * across;
    let apex = place - side * normal + 0.2 * random.vector();
    let a = shapes::tetrahedron([corner(0), corner(1), corner(2), apex]);
    spun(a, b, passage.angular, passage.linear)
}

/// A's edge lies in the plane of B's edge and its velocity, so the gap has a double root.
fn tangent_edge(passage: &Passage, random: &mut Random) -> Query {
    let b = convex_mesh(random);
    let [p, q] = [0, 1].map(|i| passage.place(b.vertices[b.faces[0][i] as usize]));
    let place = p.lerp(q, random.between(0.2, 0.8));
    let across = (q - p).normalize();
    let along = passage.velocity(place).normalize();
    let direction = (along + random.between(-0.5, 0.5) * across).normalize();
    let side = direction.cross(across).normalize() * random.one_of(&[1.0, -1.0]);
    let back = place + side + 0.3 * random.vector();
    let wing = direction.cross(side).normalize() * 0.5;
    let a = shapes::tetrahedron([place - direction, place + direction, back + wing, back - wing]);
    spun(a, b, passage.angular, passage.linear)
}

/// Cube B slides over the top of cube A, some units in the last place above or below contact.
fn ulps_apart(random: &mut Random) -> Query {
    let height = 1.0 + (random.below(9) as f64 - 4.0) * f64::EPSILON;
    let aside = random.one_of(&[0.0, 0.25, 1.0]);
    let at = |x: f64| pose(DVec3::new(x, aside, height), DQuat::IDENTITY);
    let (a, b) = (shapes::cube(), shapes::cube());
    Query { a, b, poses_a: [Pose::IDENTITY; 2], poses_b: [at(-2.0), at(2.0)] }
}

fn axis_through_vertex(random: &mut Random) -> Query {
    let b = convex_mesh(random);
    let pivot = b.vertices[random.below(b.vertices.len())];
    let b = shapes::mapped(b, |v| v - pivot);
    let a = shapes::mapped(shapes::cube(), |v| v - DVec3::Z * 0.5);
    spun(a, b, random.direction() * random.between(0.1, 3.1), DVec3::ZERO)
}

fn aligned_cubes(random: &mut Random) -> Query {
    let aside = DVec3::new(0.0, random.one_of(&[0.0, 0.5, 1.0]), random.one_of(&[0.0, 0.5, 1.0]));
    let from = random.one_of(&[-2.0, -1.0]);
    let to = random.one_of(&[-1.0, -0.5, 0.0, 2.0]);
    let at = |x: f64| pose(aside + DVec3::X * x, DQuat::IDENTITY);
    let (a, b) = (shapes::cube(), shapes::cube());
    Query { a, b, poses_a: [Pose::IDENTITY; 2], poses_b: [at(from), at(to)] }
}
