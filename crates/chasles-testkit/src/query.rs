//! Two meshes and how they move in one step: what every test asks about.

use chasles::{
    Collider, Contact, Motion, Options, Polygons, Polyhedron, Pose, Screw, Step, Workspace,
};
use glam::DVec3;

use crate::sound::unsound;

/// Two meshes and their poses at the start and at the end of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The mesh of A, in its own frame.
    pub a: Polygons,
    /// The mesh of B, in its own frame.
    pub b: Polygons,
    /// A at the start and at the end.
    pub poses_a: [Pose; 2],
    /// B at the start and at the end.
    pub poses_b: [Pose; 2],
}

/// Two bodies, each from a pose along a twist.
///
/// # Panics
///
/// Beyond [`Motion::MAX_QUARTERS`] quarter-turns.
pub fn step_along(a: (Pose, Screw), b: (Pose, Screw)) -> Step {
    let [a, b] = [a, b].map(|(start, twist)| Motion::along(start, twist).expect("few turns"));
    Step::new(a, b)
}

impl Query {
    /// The motion.
    pub fn step(&self) -> Step {
        Step::new(
            Motion::between(self.poses_a[0], self.poses_a[1]),
            Motion::between(self.poses_b[0], self.poses_b[1]),
        )
    }

    /// Both meshes, ready for queries.
    ///
    /// # Panics
    ///
    /// If a mesh is not acceptable; generators and labelled files make only acceptable ones.
    pub fn colliders(&self) -> [Collider; 2] {
        [&self.a, &self.b].map(collider)
    }

    /// What the library reports, from a fresh workspace.
    pub fn contacts(&self, options: &Options) -> Vec<Contact> {
        contacts_of_step([&self.a, &self.b], &self.step(), options)
    }

    /// What the library reports, checked for soundness.
    ///
    /// # Panics
    ///
    /// If the report is unsound in itself; see [`unsound`].
    #[track_caller]
    pub fn sound_contacts(&self, options: &Options) -> Vec<Contact> {
        sound_contacts_of_step([&self.a, &self.b], &self.step(), options)
    }

    /// The diagonal of the larger body's bounding box.
    pub fn size(&self) -> f64 {
        size_of(&self.a, &self.b)
    }

    /// The bodies change places.
    pub fn swapped(&self) -> Self {
        let q = self.clone();
        Self { a: q.b, b: q.a, poses_a: q.poses_b, poses_b: q.poses_a }
    }

    /// The step runs backwards.
    pub fn reversed(&self) -> Self {
        let back = |[start, end]: [Pose; 2]| [end, start];
        Self { poses_a: back(self.poses_a), poses_b: back(self.poses_b), ..self.clone() }
    }

    /// Every length times `factor`.
    pub fn scaled(&self, factor: f64) -> Self {
        let mut scaled = self.clone();
        for vertex in scaled.a.vertices.iter_mut().chain(&mut scaled.b.vertices) {
            *vertex *= factor;
        }
        let pose = |p: Pose| {
            Pose::new(p.position() * factor, p.rotation()).expect("a scaled pose is finite")
        };
        scaled.poses_a = self.poses_a.map(pose);
        scaled.poses_b = self.poses_b.map(pose);
        scaled
    }

    /// Everything seen from elsewhere: all four poses are moved by `by`.
    pub fn displaced(&self, by: &Pose) -> Self {
        let moved = |poses: [Pose; 2]| poses.map(|p| by.after(&p));
        Self { poses_a: moved(self.poses_a), poses_b: moved(self.poses_b), ..self.clone() }
    }

    /// Everything seen in the mirror `x -> -x`; loops are turned round so that outside stays
    /// outside.
    pub fn mirrored(&self) -> Self {
        let poses = |p: [Pose; 2]| p.map(|p| mirrored_pose(&p));
        Self {
            a: mirrored_mesh(&self.a),
            b: mirrored_mesh(&self.b),
            poses_a: poses(self.poses_a),
            poses_b: poses(self.poses_b),
        }
    }
}

/// What the library reports for any step, from a fresh workspace.
///
/// # Panics
///
/// If a mesh is not acceptable.
pub fn contacts_of_step(meshes: [&Polygons; 2], step: &Step, options: &Options) -> Vec<Contact> {
    let [a, b] = meshes.map(collider);
    chasles::contacts(&a, &b, step, options, &mut Workspace::new()).to_vec()
}

/// What the library reports for any step, checked for soundness.
///
/// # Panics
///
/// If a mesh is not acceptable, or the report is unsound in itself; see [`unsound`].
#[track_caller]
pub fn sound_contacts_of_step(
    meshes: [&Polygons; 2],
    step: &Step,
    options: &Options,
) -> Vec<Contact> {
    let [a, b] = meshes.map(collider);
    let contacts = chasles::contacts(&a, &b, step, options, &mut Workspace::new()).to_vec();
    assert_eq!(unsound(&contacts, [&a, &b], step), None);
    contacts
}

/// A mesh, ready for queries.
///
/// # Panics
///
/// If it is not acceptable.
pub fn collider(mesh: &Polygons) -> Collider {
    Collider::new(Polyhedron::new(mesh).expect("an acceptable mesh"))
}

/// The larger diagonal of two meshes' bounding boxes.
pub fn size_of(a: &Polygons, b: &Polygons) -> f64 {
    diagonal(a).max(diagonal(b))
}

/// The mirror image `x -> -x` of a vector.
pub fn mirror(v: DVec3) -> DVec3 {
    DVec3::new(-v.x, v.y, v.z)
}

/// The mirror image `x -> -x` of a mesh; loops are turned round so that outside stays outside.
pub fn mirrored_mesh(mesh: &Polygons) -> Polygons {
    let mut image = mesh.clone();
    for vertex in &mut image.vertices {
        *vertex = mirror(*vertex);
    }
    for face in &mut image.faces {
        face.reverse();
    }
    image
}

/// The mirror image `x -> -x` of a pose: conjugation by the mirror keeps the turn's component along
/// x and negates the other two.
///
/// # Panics
///
/// Never: what is mirrored is as finite as before.
pub fn mirrored_pose(pose: &Pose) -> Pose {
    let q = pose.rotation();
    let image = glam::DQuat::from_xyzw(q.x, -q.y, -q.z, q.w);
    Pose::new(mirror(pose.position()), image).expect("a mirrored pose is finite")
}

fn diagonal(mesh: &Polygons) -> f64 {
    let low = mesh.vertices.iter().copied().reduce(DVec3::min).unwrap_or(DVec3::ZERO);
    let high = mesh.vertices.iter().copied().reduce(DVec3::max).unwrap_or(DVec3::ZERO);
    (high - low).length()
}
