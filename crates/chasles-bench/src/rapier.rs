//! The rapier side of a simulation: the same bodies, as rapier's users state them.
//!
//! Mass, centre and inertia, velocities, friction, restitution and gravity are those of the world;
//! of two materials the lower restitution and the larger friction count in both. Boxes are cuboids,
//! convex meshes their hulls, cars compounds of two hulls, and fixed meshes of any form triangles
//! with mended inner edges. Ball joints are spherical ones, and linked bodies collide, as here.
//! Continuous detection is on for all that moves; all else is rapier's default.

use chasles::glam::{DQuat, DVec3};
use chasles::round::Kind as RoundKind;
use chasles::{Polygons, Polyhedron, Pose};
use chasles_dynamics::world::Kind;
use chasles_dynamics::{Body, World};
use parry3d_f64::math::{Rotation, Vector};
use parry3d_f64::shape::{SharedShape, TriMesh, TriMeshFlags};
use rapier3d_f64::dynamics::{
    CoefficientCombineRule, MassProperties, RigidBodyBuilder, RigidBodyHandle,
    SphericalJointBuilder,
};
use rapier3d_f64::geometry::ColliderBuilder;
use rapier3d_f64::pipeline::PhysicsWorld;

use crate::parry::{car, fans, placed, vector};

/// A vertex this share of the size above a face makes a mesh not convex: far above rounding.
const FLAT: f64 = 1e-9;

/// A world of rapier's with the bodies of another.
pub struct Peer {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

impl Peer {
    /// The same bodies where they are now.
    ///
    /// *Accepts* worlds of fixed bodies and of dynamic ones, the latter convex or cars, with no
    /// joints but balls. *Fails* with the number of the first body of another kind, or on another
    /// joint.
    pub fn new(world: &World, dt: f64) -> Result<Self, usize> {
        let mut peer = Self { world: PhysicsWorld::new(), bodies: Vec::new() };
        peer.world.gravity = vector(world.options().gravity);
        peer.world.integration_parameters.dt = dt;
        for (number, body) in world.bodies().iter().enumerate() {
            let (rigid, shape) = stated(body).ok_or(number)?;
            peer.bodies.push(peer.world.insert(rigid, shape).0);
        }
        for joint in world.joints() {
            let numbers = joint.bodies();
            if !joint.is_ball() {
                return Err(numbers[0]);
            }
            let [a, b] = joint.anchors().map(|anchor| vector(anchor.frame().position()));
            let ball = SphericalJointBuilder::new().local_anchor1(a).local_anchor2(b);
            let [first, second] = numbers.map(|body| peer.bodies[body]);
            peer.world.insert_impulse_joint(first, second, ball);
        }
        Ok(peer)
    }

    /// What rapier does by default, and is done here, in one line.
    pub fn settings(&self) -> String {
        let given = &self.world.integration_parameters;
        format!(
            "rapier3d-f64 0.36.1: dt {:.6} s, {} solver iterations with {} sweeps each and {} \
             after, continuous detection on with {} substeps, allowed error {} m, warm start {}",
            given.dt,
            given.num_solver_iterations,
            given.num_internal_pgs_iterations,
            given.num_internal_stabilization_iterations,
            given.max_ccd_substeps,
            given.normalized_allowed_linear_error * given.length_unit,
            given.warmstart_coefficient,
        )
    }

    /// Lets no body sleep.
    pub fn never_sleeps(&mut self) {
        for handle in &self.bodies {
            let activation = self.world.bodies[*handle].activation_mut();
            activation.normalized_linear_threshold = -1.0;
            activation.angular_threshold = -1.0;
        }
    }

    /// What is timed.
    pub fn step(&mut self) {
        self.world.step();
    }

    /// Where the bodies are; none if a number of it is not finite.
    pub fn poses(&self) -> Option<Vec<Pose>> {
        let pose = |handle: &RigidBodyHandle| {
            let at = self.world.bodies[*handle].position();
            let (v, q) = (at.translation, at.rotation);
            let turn = DQuat::from_xyzw(q.x, q.y, q.z, q.w).normalize();
            Pose::new(DVec3::new(v.x, v.y, v.z), turn).ok()
        };
        self.bodies.iter().map(pose).collect()
    }
}

fn stated(body: &Body) -> Option<(RigidBodyBuilder, ColliderBuilder)> {
    let material = body.material();
    let collider = ColliderBuilder::new(shape(body)?)
        .friction(material.friction())
        .friction_combine_rule(CoefficientCombineRule::Max)
        .restitution(material.restitution())
        .restitution_combine_rule(CoefficientCombineRule::Min);
    let pose = placed(&body.pose());
    let mass_properties = match body.kind() {
        Kind::Static => return Some((RigidBodyBuilder::fixed().pose(pose), collider)),
        Kind::Dynamic(mass_properties) => mass_properties,
        Kind::Kinematic(_) | Kind::Yielding(..) => return None,
    };
    let [x, y, z, w] = mass_properties.axes().to_array();
    let mass = MassProperties::with_principal_inertia_frame(
        vector(mass_properties.centre()),
        mass_properties.mass(),
        vector(mass_properties.moments()),
        Rotation::from_xyzw(x, y, z, w),
    );
    let velocity = body.velocity();
    let rigid = RigidBodyBuilder::dynamic()
        .pose(pose)
        .linvel(vector(velocity.linear))
        .angvel(vector(velocity.angular))
        .ccd_enabled(true);
    Some((rigid, collider.mass_properties(mass)))
}

fn shape(body: &Body) -> Option<SharedShape> {
    if let Some(round) = body.shape().geometry().round() {
        return (round.kind() == RoundKind::Sphere).then(|| SharedShape::ball(round.radius()));
    }
    let mesh = body.collider().mesh();
    let corners = || mesh.positions().iter().map(|&v| vector(v)).collect::<Vec<Vector>>();
    if is_box(mesh) {
        let [low, high] = mesh.bounds();
        let half = 0.5 * (high - low);
        return Some(SharedShape::cuboid(half.x, half.y, half.z));
    }
    if is_convex(mesh) {
        return SharedShape::convex_hull(&corners());
    }
    if matches!(body.kind(), Kind::Static) {
        let (vertices, indices) = fans(&mesh.to_polygons());
        let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
        return TriMesh::with_flags(vertices, indices, flags).ok().map(SharedShape::new);
    }
    (mesh.vertex_count() == 16).then(|| SharedShape::new(car(&as_stated(mesh))))
}

/// The vertices in the order of the input, by which the parts of a car are known.
fn as_stated(mesh: &Polyhedron) -> Polygons {
    let mut order: Vec<u32> = (0..mesh.vertex_count() as u32).collect();
    order.sort_unstable_by_key(|&v| mesh.vertex_label(v));
    let vertices = order.into_iter().map(|v| mesh.position(v)).collect();
    Polygons { vertices, ..Polygons::default() }
}

/// Whether a mesh is the box around the origin with its bounds.
pub(crate) fn is_box(mesh: &Polyhedron) -> bool {
    let [low, high] = mesh.bounds();
    let is_corner = |v: &DVec3| v.abs().abs_diff_eq(high, FLAT * high.max_element());
    mesh.vertex_count() == 8
        && low.abs_diff_eq(-high, FLAT * high.max_element())
        && mesh.positions().iter().all(is_corner)
}

/// Whether no vertex is above a face.
pub(crate) fn is_convex(mesh: &Polyhedron) -> bool {
    let [low, high] = mesh.bounds();
    let most = FLAT * (high - low).length();
    (0..mesh.face_count() as u32).all(|face| {
        let (on, normal) = (mesh.position(mesh.face(face)[0]), mesh.normal(face));
        mesh.positions().iter().all(|v| normal.dot(*v - on) <= most)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chasles::Collider;
    use chasles::mesh::shapes::{Car, Cuboid, Shape};
    use chasles_dynamics::Options;
    use chasles_dynamics::body::MassProperties;
    use chasles_dynamics::linkage::{Anchor, Joint};

    use super::*;

    fn mesh(shape: Shape) -> Arc<Collider> {
        Arc::new(Collider::new(shape.build().expect("a shape")))
    }

    fn dynamic(collider: &Arc<Collider>, position: [f64; 3]) -> Body {
        let mass_properties = MassProperties::of_mesh(collider.mesh(), 700.0).expect("a volume");
        Body::dynamic(Arc::clone(collider), mass_properties)
            .at(Pose::from_position(position).expect("a pose"))
    }

    #[test]
    fn shapes_have_the_volume_of_their_meshes() {
        let shapes = [
            Shape::Box(Cuboid { size: [1.0, 2.0, 3.0] }),
            Shape::Car(Car::default()),
            Shape::Sphere(chasles::mesh::shapes::Sphere::default()),
        ];
        for collider in shapes.map(mesh) {
            let body = dynamic(&collider, [0.0; 3]);
            let mass = shape(&body).expect("it has one").mass_properties(700.0).mass();
            let expected = body.mass_properties().expect("it has mass").mass();
            assert!((mass / expected - 1.0).abs() < 1e-9, "{mass} is not {expected}");
        }
    }

    #[test]
    fn ball_joints_hold_there_as_they_do_here() {
        let mut world = World::new(Options { gravity: DVec3::Z * -9.81, ..Options::default() });
        let cube = mesh(Shape::Box(Cuboid { size: [0.2; 3] }));
        let post = world.add(Body::fixed(Arc::clone(&cube)));
        let bob = world.add(dynamic(&cube, [0.5, 0.0, 0.0]));
        let poses = [post, bob].map(|id| world.bodies()[id.index()].pose());
        let anchor = Anchor::at([0.25, 0.0, 0.0]).expect("a point");
        let anchors = anchor.in_bodies([&poses[0], &poses[1]]);
        let ball = Joint::ball([post.index(), bob.index()], anchors).expect("two bodies");
        world.link(ball).expect("bodies of the world");
        let mut peer = Peer::new(&world, 1e-3).expect("a ball joint");
        for _ in 0..200 {
            peer.step();
            world.step(1e-3).expect("a step");
        }
        let there = peer.poses().expect("finite")[1].position();
        let here = world.bodies()[1].pose().position();
        assert!(here.z < -0.1 && there.distance(here) < 5e-3, "{there} is not {here}");
        let hinge = Joint::hinge([post.index(), bob.index()], anchors).expect("two bodies");
        world.link(hinge).expect("bodies of the world");
        assert_eq!(Peer::new(&world, 1e-3).err(), Some(0));
    }

    #[test]
    fn bodies_fly_as_they_do_here_and_land_near_the_same_place() {
        let mut world = World::new(Options { gravity: DVec3::Y * -9.81, ..Options::default() });
        let floor = mesh(Shape::Box(Cuboid { size: [20.0, 1.0, 20.0] }));
        world.add(Body::fixed(floor).at(Pose::from_position([0.0, -0.5, 0.0]).expect("a pose")));
        let cube = dynamic(&mesh(Shape::Box(Cuboid::default())), [0.0, 2.0, 0.0]);
        world.add(cube.moving(DVec3::X, DVec3::ZERO));
        let mut peer = Peer::new(&world, 1e-3).expect("a cube and a floor");
        for step in 1..=2000 {
            peer.step();
            world.step(1e-3).expect("a step");
            let there = peer.poses().expect("finite")[1].position();
            let here = world.bodies()[1].pose().position();
            // The fall of 0.553 s is followed to the order of a step.
            let allowed = if step < 540 { 5e-3 } else { 0.2 };
            assert!(there.distance(here) < allowed, "step {step}: {there} is not {here}");
        }
    }
}
