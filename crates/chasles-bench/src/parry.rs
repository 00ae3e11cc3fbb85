//! The parry side of a measurement: the same bodies and end poses, as parry's users state them.
//!
//! parry's motion is a constant linear velocity of a centre and a constant angular velocity about
//! it. Between the same end poses this is the same kind of query as a screw, but the path between
//! them differs, and so does the time of the hit, slightly. If the centre lies on the screw's axis
//! both motions are one and the same; [`Path::Screw`] states it so, for bodies A at rest, and then
//! the times must agree to parry's tolerance.

use chasles::glam::DVec3;
use chasles::{Polygons, Pose, Screw};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::{
    NonlinearRigidMotion, Ray, RayCast, ShapeCastHit, ShapeCastOptions, cast_shapes,
    cast_shapes_nonlinear,
};
use parry3d_f64::shape::{Compound, ConvexPolyhedron, Cuboid, SharedShape, TriMesh};

use crate::cases::{Body, Case};

/// Which of the two motions between the end poses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// The body's origin moves in a straight line: the usual call.
    Straight,
    /// The centre of rotation lies on the screw's axis: the motion that chasles sees.
    Screw,
}

/// A nonlinear cast in its steady state: shapes built, hierarchies included.
pub struct Cast {
    shapes: [SharedShape; 2],
    poses: [[Pose; 2]; 2],
    path: Path,
}

impl Cast {
    /// Builds the shapes: cuboids for cubes, compounds of two convex parts for cars, triangle
    /// meshes for everything else.
    pub fn new(case: &Case, path: Path) -> Self {
        let shape = |body: &Body| shape(case.shape(), &body.polygons);
        Self { shapes: [shape(&case.a), shape(&case.b)], poses: [case.a.poses, case.b.poses], path }
    }

    /// Other end poses for the same shapes.
    pub fn set_poses(&mut self, poses: [[Pose; 2]; 2]) {
        self.poses = poses;
    }

    /// What is timed: from four poses to the first hit.
    ///
    /// # Panics
    ///
    /// If parry does not support the pair of shapes; it does support those of [`Cast::new`].
    pub fn run(&self) -> Option<ShapeCastHit> {
        let [a, b] = self.poses.map(|poses| motion(poses, self.path));
        let [shape_a, shape_b] = &self.shapes;
        cast_shapes_nonlinear(&a, &**shape_a, &b, &**shape_b, 0.0, 1.0, true)
            .expect("cuboids, compounds and triangle meshes are supported")
    }
}

/// A level as parry sees it: triangles that stand still.
pub struct Level(TriMesh);

/// What moves through a level in a straight line.
pub enum Moving {
    /// A point: a ray.
    Point,
    /// Any shape, turned as its pose says.
    Shape(SharedShape),
}

impl Moving {
    /// The box with these half sides.
    pub fn cuboid(half: DVec3) -> Self {
        Self::Shape(SharedShape::new(Cuboid::new(vector(half))))
    }

    /// The triangles of a mesh.
    pub fn mesh(polygons: &Polygons) -> Self {
        Self::Shape(SharedShape::new(triangles(polygons)))
    }
}

impl Level {
    /// Cuts the polygons and builds the hierarchy.
    pub fn new(polygons: &Polygons) -> Self {
        Self(triangles(polygons))
    }

    /// How many triangles there are.
    pub fn triangle_count(&self) -> usize {
        self.0.num_triangles()
    }

    /// What is timed: the part of the way at which the first triangle is hit.
    ///
    /// # Panics
    ///
    /// If parry does not support the pair of shapes; it does support those of [`Moving`].
    pub fn cast(&self, moving: &Moving, start: &Pose, by: DVec3) -> Option<f64> {
        match moving {
            Moving::Point => {
                let ray = Ray::new(vector(start.position()), vector(by));
                self.0.cast_local_ray(&ray, 1.0, true)
            }
            Moving::Shape(shape) => {
                let options = ShapeCastOptions::with_max_time_of_impact(1.0);
                let [still, start] = [ParryPose::IDENTITY, placed(start)];
                let hit = cast_shapes(
                    &still,
                    Vector::ZERO,
                    &self.0,
                    &start,
                    vector(by),
                    &**shape,
                    options,
                )
                .expect("cuboids and triangle meshes are supported");
                hit.map(|hit| hit.time_of_impact)
            }
        }
    }
}

/// Start pose and velocities over a step of length 1.
fn motion([start, end]: [Pose; 2], path: Path) -> NonlinearRigidMotion {
    let mut turn = end.rotation() * start.rotation().conjugate();
    if turn.w < 0.0 {
        turn = -turn;
    }
    let angular = turn.to_scaled_axis();
    let (center, linear) = match path {
        Path::Straight => (DVec3::ZERO, end.position() - start.position()),
        Path::Screw => {
            let screw = Screw::between(&start, &end);
            let center = start.inverse().point(screw.axis_point());
            (center, screw.axis_direction() * screw.translation())
        }
    };
    NonlinearRigidMotion::new(placed(&start), vector(center), vector(linear), vector(angular))
}

pub(crate) fn placed(pose: &Pose) -> ParryPose {
    let [x, y, z, w] = pose.rotation().to_array();
    ParryPose::from_parts(vector(pose.position()), Rotation::from_xyzw(x, y, z, w))
}

pub(crate) fn vector(v: DVec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn shape(name: &str, polygons: &Polygons) -> SharedShape {
    match name {
        "cube" => SharedShape::new(cuboid(polygons)),
        "car" => SharedShape::new(car(polygons)),
        _ => SharedShape::new(triangles(polygons)),
    }
}

/// The box around the origin with the mesh's corners.
fn cuboid(polygons: &Polygons) -> Cuboid {
    let half = polygons.vertices.iter().fold(DVec3::ZERO, |half, v| half.max(v.abs()));
    Cuboid::new(vector(half))
}

/// The car is a prism over a profile of eight points: the body below, and the cabin on points 3
/// to 6. Both are convex, and together they are the car.
pub(crate) fn car(polygons: &Polygons) -> Compound {
    let part = |profile: &[usize]| {
        let both_sides = profile.iter().flat_map(|&i| [i, i + 8]);
        let points: Vec<Vector> = both_sides.map(|i| vector(polygons.vertices[i])).collect();
        let hull = ConvexPolyhedron::from_convex_hull(&points).expect("the parts have volume");
        (ParryPose::IDENTITY, SharedShape::new(hull))
    };
    Compound::new(vec![part(&[0, 1, 2, 3, 6, 7]), part(&[3, 4, 5, 6])])
}

/// Polygons cut into fans.
fn triangles(polygons: &Polygons) -> TriMesh {
    let (vertices, indices) = fans(polygons);
    TriMesh::new(vertices, indices).expect("the mesh has faces")
}

/// Their corners and triangles.
pub(crate) fn fans(polygons: &Polygons) -> (Vec<Vector>, Vec<[u32; 3]>) {
    let fan = |face: &Vec<u32>| -> Vec<[u32; 3]> {
        (1..face.len() - 1).map(|i| [face[0], face[i], face[i + 1]]).collect()
    };
    let indices = polygons.faces.iter().flat_map(fan).collect();
    (polygons.vertices.iter().map(|&v| vector(v)).collect(), indices)
}
