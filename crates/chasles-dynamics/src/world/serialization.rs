//! Worlds and their moments as values that other processes read: what [`serde`] writes.
//!
//! Surfaces are in a table, each once, however many bodies have it: round ones as they are, meshes
//! by their vertices and faces. Lists of pairs stand for maps, so that any format can write them.

use chasles::round::Round;
use chasles::{Collider, Polygons, Polyhedron};
use glam::DVec3;
use serde::ser::Error;
use serde::{Deserialize, Serialize, Serializer};

use super::body::Body;
use super::handle::Slots;
use super::joint_forces::Strength;
use super::snapshot::Saved;
use super::window::Manifold;
use super::{Due, JointId, Options, Shape, World};
use crate::linkage::Joint;

/// What is known of pairs.
type Pairs<T> = Vec<([usize; 2], T)>;

/// A moment of a world, with the surfaces of its bodies.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Moment {
    surfaces: Vec<Surface>,
    /// The surface of each body.
    shapes: Vec<usize>,
    bodies: Vec<Body>,
    slots: Slots,
    joints: Vec<Joint>,
    joint_ids: Vec<JointId>,
    /// The next handle of a joint; not in worlds of older versions.
    #[serde(default)]
    next_joint: u64,
    strengths: Vec<(JointId, Strength)>,
    ignored: Vec<[usize; 2]>,
    ignored_inside: Vec<[usize; 2]>,
    forces: Pairs<Vec<(chasles::query::Features, DVec3)>>,
    reaches: Pairs<f64>,
    manifolds: Pairs<Manifold>,
    touching: Vec<[usize; 2]>,
    watched: Pairs<(chasles::Pose, bool)>,
    due: Due,
    /// How many there are: a moment with sheets is not written.
    #[serde(serialize_with = "none")]
    sheets: usize,
    time: f64,
    is_caught: bool,
    is_checked: bool,
}

/// A world: how it moves, and where it is.
#[derive(Serialize, Deserialize)]
pub(super) struct Stored {
    options: Options,
    moment: Saved,
    is_recording: bool,
    is_listening: bool,
}

/// The surface of a body.
#[derive(Clone, Serialize, Deserialize)]
enum Surface {
    Round(Round),
    Mesh { vertices: Vec<DVec3>, faces: Vec<Vec<u32>>, segments: Vec<[u32; 2]>, points: Vec<u32> },
}

fn none<S: Serializer>(sheets: &usize, out: S) -> Result<S::Ok, S::Error> {
    match sheets {
        0 => out.serialize_u8(0),
        _ => Err(S::Error::custom("a world with sheets cannot be stored: remove the sheets")),
    }
}

impl From<&Shape> for Surface {
    fn from(shape: &Shape) -> Self {
        match shape.geometry().round() {
            Some(round) => Self::Round(*round),
            None => {
                let Polygons { vertices, faces, segments, points } = in_input(shape.drawn().mesh());
                Self::Mesh { vertices, faces, segments, points }
            }
        }
    }
}

/// A mesh with the numbers that its input had, which name places of contact; with its own where
/// polygons were split or vertices joined.
fn in_input(mesh: &Polyhedron) -> Polygons {
    let own = mesh.to_polygons();
    let labels: Vec<u32> =
        (0..mesh.vertex_count() as u32).map(|vertex| mesh.vertex_label(vertex)).collect();
    let numbers: Vec<u32> =
        (0..mesh.face_count() as u32).map(|face| mesh.face_label(face)).collect();
    if !(is_permutation(&labels) && is_permutation(&numbers)) {
        return own;
    }
    let renamed = |vertex: &u32| labels[*vertex as usize];
    let mut polygons = own.clone();
    for (label, place) in labels.iter().zip(&own.vertices) {
        polygons.vertices[*label as usize] = *place;
    }
    for (number, face) in numbers.iter().zip(&own.faces) {
        polygons.faces[*number as usize] = face.iter().map(renamed).collect();
    }
    polygons.segments = own.segments.iter().map(|ends| ends.map(|end| renamed(&end))).collect();
    polygons.points = own.points.iter().map(renamed).collect();
    polygons
}

fn is_permutation(numbers: &[u32]) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..numbers.len() as u32)
}

impl TryFrom<Surface> for Shape {
    type Error = String;

    fn try_from(surface: Surface) -> Result<Self, String> {
        match surface {
            Surface::Round(round) => Self::try_from(round).map_err(|error| error.to_string()),
            Surface::Mesh { vertices, faces, segments, points } => {
                let polygons = Polygons { vertices, faces, segments, points };
                let mesh = Polyhedron::new(&polygons).map_err(|error| error.to_string())?;
                Ok(Collider::new(mesh).into())
            }
        }
    }
}

impl From<Saved> for Moment {
    fn from(saved: Saved) -> Self {
        let mut known: Vec<Shape> = Vec::new();
        let mut shapes = Vec::new();
        for body in &saved.bodies {
            let number = known.iter().position(|shape| shape.is_same(body.shape()));
            shapes.push(number.unwrap_or(known.len()));
            if number.is_none() {
                known.push(body.shape().clone());
            }
        }
        Self {
            surfaces: known.iter().map(Surface::from).collect(),
            shapes,
            bodies: saved.bodies,
            slots: saved.slots,
            joints: saved.joints,
            joint_ids: saved.joint_ids,
            next_joint: saved.next_joint,
            strengths: saved.strengths.into_iter().collect(),
            ignored: saved.ignored.into_iter().collect(),
            ignored_inside: saved.ignored_inside.into_iter().collect(),
            forces: saved.forces.into_iter().collect(),
            reaches: saved.reaches.into_iter().collect(),
            manifolds: saved.manifolds.into_iter().collect(),
            touching: saved.touching.into_iter().collect(),
            watched: saved.watched.into_iter().collect(),
            due: saved.due,
            sheets: saved.sheets.len(),
            time: saved.time,
            is_caught: saved.is_caught,
            is_checked: saved.is_checked,
        }
    }
}

impl Moment {
    /// Fails if numbers name what is not there.
    fn check(&self) -> Result<(), String> {
        let count = self.bodies.len();
        let pairs = [&self.ignored, &self.ignored_inside, &self.touching].into_iter().flatten();
        let known = self.forces.iter().map(|(pair, _)| pair);
        let known = known.chain(self.reaches.iter().map(|(pair, _)| pair));
        let known = known.chain(self.manifolds.iter().map(|(pair, _)| pair));
        let known = known.chain(self.watched.iter().map(|(pair, _)| pair));
        let mut joined = self.joints.iter().map(Joint::bodies);
        let is_here = |pair: &[usize; 2]| pair.iter().all(|&i| i < count);
        let are_here = pairs.chain(known).all(is_here) && joined.all(|pair| is_here(&pair));
        let are_sorted = self.joint_ids.is_sorted_by(|a, b| a < b);
        let is_sound = self.shapes.len() == count
            && self.shapes.iter().all(|&shape| shape < self.surfaces.len())
            && self.joint_ids.len() == self.joints.len()
            && self.slots.is_sound(count)
            && self.bodies.iter().all(Body::is_sound)
            && self.manifolds.iter().all(|(_, known)| known.is_sound());
        match is_sound && are_here && are_sorted {
            true => Ok(()),
            false => {
                Err("the stored world names bodies, joints or shapes that are not there".into())
            }
        }
    }
}

impl TryFrom<Moment> for Saved {
    type Error = String;

    fn try_from(moment: Moment) -> Result<Self, String> {
        moment.check()?;
        let surfaces = moment.surfaces.into_iter().map(Shape::try_from);
        let surfaces: Vec<Shape> = surfaces.collect::<Result<_, String>>()?;
        let shapes = moment.shapes.iter().map(|&number| surfaces[number].clone());
        let bodies = moment.bodies.into_iter().zip(shapes);
        Ok(Self {
            bodies: bodies.map(|(body, shape)| body.shaped(shape)).collect(),
            slots: moment.slots,
            joints: moment.joints,
            joint_ids: moment.joint_ids,
            next_joint: moment.next_joint,
            strengths: moment.strengths.into_iter().collect(),
            ignored: moment.ignored.into_iter().collect(),
            ignored_inside: moment.ignored_inside.into_iter().collect(),
            forces: moment.forces.into_iter().collect(),
            reaches: moment.reaches.into_iter().collect(),
            manifolds: moment.manifolds.into_iter().collect(),
            touching: moment.touching.into_iter().collect(),
            watched: moment.watched.into_iter().collect(),
            due: moment.due,
            sheets: Vec::new(),
            props: Vec::new(),
            time: moment.time,
            is_caught: moment.is_caught,
            is_checked: moment.is_checked,
        })
    }
}

impl From<World> for Stored {
    fn from(world: World) -> Self {
        Self {
            options: world.options,
            moment: world.save(),
            is_recording: world.is_recording,
            is_listening: world.is_listening,
        }
    }
}

impl From<Stored> for World {
    fn from(stored: Stored) -> Self {
        let mut world = Self::new(stored.options);
        world.go_back(&stored.moment);
        world.keep_all();
        world.is_recording = stored.is_recording;
        world.is_listening = stored.is_listening;
        world
    }
}
