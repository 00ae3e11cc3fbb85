//! The screen against the exact engine: what it finds, and what it makes up.
//!
//! A contact of the exact engine is *due* if a screen of that resolution must show it: proper,
//! approaching, its place clear of other features by three pixels, and still there if the bodies
//! pass two pixels farther from each other. A screen contact *matches* it if the features are the
//! same or touch each other, and the times agree within the bracket. What the screen reports and
//! nothing matches must be within a pixel of touching.

use std::fmt;
use std::ops::AddAssign;

use chasles::{Collider, Contact, Features, Motion, Polygons, Pose, Step, screen};
use glam::DVec3;

use crate::geometry::{boundary_margin, segment_distance};
use crate::query::contacts_of_step;

/// How a screen compares with the exact engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates {
    /// Contacts that are due.
    pub due: usize,
    /// Those of them that are missed.
    pub missed: Vec<Features>,
    /// Contacts that the screen reports.
    pub reported: usize,
    /// Those of them that the exact engine does not have.
    pub made_up: usize,
    /// Made-up contacts farther than a pixel from touching, with their gaps in pixels.
    pub far: Vec<(Features, f64)>,
    /// The greatest gap of a made-up contact, in pixels.
    pub widest: f64,
}

impl AddAssign for Rates {
    fn add_assign(&mut self, other: Self) {
        self.due += other.due;
        self.missed.extend(other.missed);
        self.reported += other.reported;
        self.made_up += other.made_up;
        self.far.extend(other.far);
        self.widest = self.widest.max(other.widest);
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (missed, far) = (self.missed.len(), self.far.len());
        write!(f, "{} due, {missed} missed; ", self.due)?;
        write!(f, "{} reported, {} made up, ", self.reported, self.made_up)?;
        write!(f, "{far} of them farther than a pixel (widest {:.2})", self.widest)
    }
}

/// Two bodies in one step, and a screen that looks at them.
struct Scene<'s> {
    meshes: [&'s Polygons; 2],
    step: &'s Step,
    pixel: f64,
}

/// Compares the screen with the exact engine.
///
/// # Panics
///
/// If a mesh is not acceptable, or the screen refuses the options.
pub fn rates(meshes: [&Polygons; 2], step: &Step, options: &screen::Options) -> Rates {
    let [a, b] = meshes
        .map(|mesh| Collider::new(chasles::Polyhedron::new(mesh).expect("an acceptable mesh")));
    let pixel = options.pixel(&a, &b).expect("good options");
    let scene = Scene { meshes, step, pixel };
    let mut workspace = screen::Workspace::new();
    let shown =
        screen::contacts(&a, &b, step, options, &mut workspace).unwrap_or_else(|e| panic!("{e}"));
    let all = chasles::Options::default();
    let exact = chasles::contacts(&a, &b, step, &all, &mut chasles::Workspace::new()).to_vec();
    let facing = chasles::Options { facing: true, min_properness: 0.0, ..all };
    let facing = chasles::contacts(&a, &b, step, &facing, &mut chasles::Workspace::new()).to_vec();
    let mut rates = Rates { reported: shown.len(), ..Rates::default() };
    for contact in facing.iter().filter(|contact| scene.is_due(contact)) {
        rates.due += 1;
        if !shown.iter().any(|other| scene.matches(contact, other)) {
            rates.missed.push(contact.features);
        }
    }
    for contact in shown {
        if exact.iter().any(|other| scene.matches(other, contact)) {
            continue;
        }
        rates.made_up += 1;
        let gap = scene.gap(contact) / pixel;
        rates.widest = rates.widest.max(gap);
        if gap > 1.0 {
            rates.far.push((contact.features, gap));
        }
    }
    rates
}

/// How far off a screen is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Contacts of the exact engine that face the motion.
    pub facing: usize,
    /// Those of them that the screen shows between the same features.
    pub shown: usize,
    /// The largest difference of their times, in parts of the step.
    pub worst: f64,
    /// The mean of these differences.
    pub mean: f64,
    /// Proper contacts of the exact engine.
    pub proper: usize,
    /// Those of them that nothing matches: the same or adjacent features within the bracket.
    pub missed: usize,
    /// Contacts of the screen that match none of the exact engine.
    pub extra: usize,
}

/// Compares the times of the screen with those of the exact engine, contact by contact.
///
/// # Panics
///
/// As [`rates`].
pub fn errors(meshes: [&Polygons; 2], step: &Step, options: &screen::Options) -> Errors {
    let [a, b] = meshes
        .map(|mesh| Collider::new(chasles::Polyhedron::new(mesh).expect("an acceptable mesh")));
    let pixel = options.pixel(&a, &b).expect("good options");
    let scene = Scene { meshes, step, pixel };
    let mut workspace = screen::Workspace::new();
    let shown =
        screen::contacts(&a, &b, step, options, &mut workspace).unwrap_or_else(|e| panic!("{e}"));
    let wanted = chasles::Options { facing: true, ..chasles::Options::default() };
    let exact = chasles::contacts(&a, &b, step, &wanted, &mut chasles::Workspace::new()).to_vec();
    let proper = exact.iter().filter(|contact| contact.properness >= 0.0);
    let is_matched = |contact: &&Contact| shown.iter().any(|other| scene.matches(contact, other));
    let is_extra = |other: &&Contact| !exact.iter().any(|contact| scene.matches(contact, other));
    let off = |contact: &Contact| {
        let same = shown.iter().filter(|other| other.features == contact.features);
        same.map(|other| (other.time - contact.time).abs()).min_by(f64::total_cmp)
    };
    let off: Vec<f64> = exact.iter().filter_map(off).collect();
    Errors {
        facing: exact.len(),
        shown: off.len(),
        worst: off.iter().copied().fold(0.0, f64::max),
        mean: off.iter().sum::<f64>() / off.len().max(1) as f64,
        proper: proper.clone().count(),
        missed: proper.clone().count() - proper.filter(is_matched).count(),
        extra: shown.iter().filter(is_extra).count(),
    }
}

/// The distance of the two features of a contact at its time.
pub fn feature_gap(meshes: [&Polygons; 2], step: &Step, contact: &Contact) -> f64 {
    Scene { meshes, step, pixel: 1.0 }.gap(contact)
}

impl Scene<'_> {
    fn is_due(&self, contact: &Contact) -> bool {
        let is_clear = !contact.grazing && self.margin(contact) > 3.0 * self.pixel;
        is_clear && (self.step.parts() > 1 || self.is_deep(contact))
    }

    /// Whether the contact is still there if B passes two pixels farther off, along the normal.
    fn is_deep(&self, contact: &Contact) -> bool {
        let shift = Pose::from_position(contact.normal_in_a * (2.0 * self.pixel));
        let shift = shift.expect("a small shift is finite");
        let poses_a = [0.0, 1.0].map(|t| self.step.pose_of_a(t));
        let b_in_a = [0.0, 1.0].map(|t| self.step.pose_of_b(t));
        let poses_b =
            [0, 1].map(|i| poses_a[i].after(&shift.after(&poses_a[i].inverse_after(&b_in_a[i]))));
        let farther = Step::new(
            Motion::between(poses_a[0], poses_a[1]),
            Motion::between(poses_b[0], poses_b[1]),
        )
        .with_parts(self.step.parts());
        let contacts = contacts_of_step(self.meshes, &farther, &chasles::Options::default());
        contacts.iter().any(|other| contact.features == other.features)
    }

    /// Where a feature's corners are at a time, A's or B's.
    fn places(&self, body: usize, corners: &[u32], time: f64) -> Vec<DVec3> {
        let pose = match body {
            0 => self.step.pose_of_a(time),
            _ => self.step.pose_of_b_by_relative(time),
        };
        corners.iter().map(|&v| pose.point(self.meshes[body].vertices[v as usize])).collect()
    }

    /// How far a contact is from the borders of its features.
    fn margin(&self, contact: &Contact) -> f64 {
        let [a, b] = self.corners(&contact.features);
        let [a, b] = [self.places(0, &a, contact.time), self.places(1, &b, contact.time)];
        let from_point = |corners: &[DVec3]| -> Vec<DVec3> {
            corners.iter().map(|p| p - contact.point).collect()
        };
        let ends = |edge: &[DVec3]| {
            edge.iter().map(|p| p.distance(contact.point)).fold(f64::INFINITY, f64::min)
        };
        match contact.features {
            Features::Fv { .. } => boundary_margin(&from_point(&a), contact.normal),
            Features::Vf { .. } => boundary_margin(&from_point(&b), contact.normal),
            Features::Ee { .. } => ends(&a).min(ends(&b)),
        }
    }

    /// The vertices of the two features.
    fn corners(&self, features: &Features) -> [Vec<u32>; 2] {
        let face = |body: usize, face: u32| self.meshes[body].faces[face as usize].clone();
        match *features {
            Features::Fv { face: f, vertex } => [face(0, f), vec![vertex]],
            Features::Vf { vertex, face: f } => [vec![vertex], face(1, f)],
            Features::Ee { a, b } => [a.to_vec(), b.to_vec()],
        }
    }

    fn matches(&self, exact: &Contact, shown: &Contact) -> bool {
        let [early, late] = shown.time_bracket;
        let in_time = exact.time_bracket[0] <= late && exact.time_bracket[1] >= early;
        in_time && self.touch(&exact.features, &shown.features)
    }

    /// Whether the features of both bodies are the same or share a vertex.
    fn touch(&self, p: &Features, q: &Features) -> bool {
        let [p, q] = [p, q].map(|features| self.corners(features));
        (0..2).all(|body| p[body].iter().any(|v| self.same(body, *v, &q[body])))
    }

    /// Whether a vertex is among others, by place: input meshes may repeat vertices.
    fn same(&self, body: usize, vertex: u32, others: &[u32]) -> bool {
        let place = |v: u32| self.meshes[body].vertices[v as usize];
        others.iter().any(|&other| place(other) == place(vertex))
    }

    /// The distance of the two features at the time of a contact.
    fn gap(&self, contact: &Contact) -> f64 {
        let [a, b] = self.corners(&contact.features);
        let [a, b] = [self.places(0, &a, contact.time), self.places(1, &b, contact.time)];
        match contact.features {
            Features::Fv { .. } => polygon_distance(&a, b[0]),
            Features::Vf { .. } => polygon_distance(&b, a[0]),
            Features::Ee { .. } => segment_distance([a[0], a[1]], [b[0], b[1]]),
        }
    }
}

/// The distance of a point from a planar polygon.
fn polygon_distance(corners: &[DVec3], point: DVec3) -> f64 {
    let normal = area(corners).normalize_or(DVec3::Z);
    let height = (point - corners[0]).dot(normal);
    let foot: Vec<DVec3> = corners.iter().map(|p| p - (point - height * normal)).collect();
    if boundary_margin(&foot, normal) >= 0.0 {
        return height.abs();
    }
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    edges.map(|(&p, &q)| segment_distance([p, q], [point, point])).fold(f64::INFINITY, f64::min)
}

/// Twice the area of a polygon, along its normal.
fn area(corners: &[DVec3]) -> DVec3 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(p, q)| (p - corners[0]).cross(q - corners[0])).sum()
}

/// Whether the surfaces of two bodies at rest cross: an edge of one pierces a face of the other.
/// Shares nothing with the library.
pub fn overlap(meshes: [&Polygons; 2], poses: [Pose; 2]) -> bool {
    let placed = [0, 1].map(|i| Placed::new(meshes[i], &poses[i]));
    placed[0].pierces(&placed[1]) || placed[1].pierces(&placed[0])
}

/// The distance of the surfaces of two bodies at rest that do not cross.
pub fn distance(meshes: [&Polygons; 2], poses: [Pose; 2]) -> f64 {
    if overlap(meshes, poses) {
        return 0.0;
    }
    let [a, b] = [0, 1].map(|i| Placed::new(meshes[i], &poses[i]));
    let edges = |p: &[DVec3; 2]| {
        b.edges.iter().map(|q| segment_distance(*p, *q)).fold(f64::INFINITY, f64::min)
    };
    let crosswise = a.edges.iter().map(edges).fold(f64::INFINITY, f64::min);
    crosswise.min(a.to_vertices(&b)).min(b.to_vertices(&a))
}

/// The features of a mesh in the world.
struct Placed {
    faces: Vec<Vec<DVec3>>,
    edges: Vec<[DVec3; 2]>,
}

impl Placed {
    fn new(mesh: &Polygons, pose: &Pose) -> Self {
        let corner = |&v: &u32| pose.point(mesh.vertices[v as usize]);
        let faces: Vec<Vec<DVec3>> =
            mesh.faces.iter().map(|face| face.iter().map(corner).collect()).collect();
        let around = |face: &Vec<DVec3>| {
            let next = face.iter().cycle().skip(1);
            face.iter().zip(next).map(|(&p, &q)| [p, q]).collect::<Vec<_>>()
        };
        Self { edges: faces.iter().flat_map(around).collect(), faces }
    }

    fn pierces(&self, other: &Self) -> bool {
        self.edges.iter().any(|edge| other.faces.iter().any(|face| pierces(edge, face)))
    }

    /// The distance of the faces from the vertices of another body.
    fn to_vertices(&self, other: &Self) -> f64 {
        let vertices = other.edges.iter().map(|edge| edge[0]);
        let to_faces = |v: DVec3| {
            self.faces.iter().map(|face| polygon_distance(face, v)).fold(f64::INFINITY, f64::min)
        };
        vertices.map(to_faces).fold(f64::INFINITY, f64::min)
    }
}

/// Whether a segment passes through a polygon, by more than rounding.
fn pierces([p, q]: &[DVec3; 2], face: &[DVec3]) -> bool {
    let normal = area(face).normalize_or(DVec3::Z);
    let [from, to] = [p, q].map(|end| (end - face[0]).dot(normal));
    let size = face[0].distance(face[1]);
    if from.signum() == to.signum() || from.abs().min(to.abs()) < 1e-9 * size {
        return false;
    }
    let at = p.lerp(*q, from / (from - to));
    let around: Vec<DVec3> = face.iter().map(|corner| corner - at).collect();
    boundary_margin(&around, normal) > 1e-9 * size
}
