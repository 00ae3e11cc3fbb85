//! What is wrong with contacts in themselves, whatever the truth: order, ranges, units, frames,
//! and whether the named features are where the contact says, at that time.
//!
//! The truth says more, but has to leave out what rounding may change; this holds for every
//! contact.

use std::collections::BTreeMap;

use chasles::motion::Part;
use chasles::{Collider, Contact, Features, Polyhedron, Step};
use glam::DVec3;

use crate::geometry::{boundary_margin, distance_to_segment};
use crate::judge::exceeds;

/// Features this part of the size from the point do not touch there: far above what `f64` loses
/// in a query, far below any length that a caller sees.
const PLACE: f64 = 1e-6;
/// A method may place features at the far end of a time bracket, up to this width.
const WIDE: f64 = 1e-6;
/// Rounding of positions, as a part of everything that takes part: sizes, offsets, ways.
const ROUNDING: f64 = 1e-12;

/// The first thing wrong with contacts that somebody reports for two bodies and a step.
pub fn unsound(contacts: &[Contact], bodies: [&Collider; 2], step: &Step) -> Option<String> {
    let unsorted = contacts.windows(2).find(|w| exceeds(w[0].time, w[1].time));
    if let Some(pair) = unsorted {
        return Some(format!("not sorted: {} before {}", pair[0].time, pair[1].time));
    }
    let flaw = |c: &Contact| unsound_alone(c, step).map(|what| format!("{what} in {c:?}"));
    contacts.iter().find_map(flaw).or_else(|| misplaced(contacts, bodies, step))
}

fn unsound_alone(c: &Contact, step: &Step) -> Option<&'static str> {
    let vectors = [c.point_in_a, c.normal_in_a, c.point, c.normal];
    let numbers = [c.time, c.time_bracket[0], c.time_bracket[1], c.properness, c.normal_speed];
    let is_unit = |n: DVec3| (n.length() - 1.0).abs() <= 1e-12;
    let pose = step.pose_of_a(c.time);
    let reach = pose.position().length() + c.point_in_a.length();
    let checks = [
        ("a number that is not finite", numbers.iter().all(|x| x.is_finite())),
        ("a vector that is not finite", vectors.iter().all(|v| v.is_finite())),
        ("a time outside the step", (0.0..=1.0).contains(&c.time)),
        ("a bracket without the time", (c.time_bracket[0]..=c.time_bracket[1]).contains(&c.time)),
        ("a normal that is not unit", is_unit(c.normal_in_a) && is_unit(c.normal)),
        ("a properness outside [-1, 1]", (-1.0..=1.0).contains(&c.properness)),
        (
            "a world point that is not A's",
            (pose.point(c.point_in_a) - c.point).length() <= 1e-11 * reach,
        ),
        (
            "a world normal that is not A's",
            (pose.vector(c.normal_in_a) - c.normal).length() <= 1e-11,
        ),
    ];
    checks.into_iter().find(|(_, holds)| !holds).map(|(what, _)| what)
}

/// The first contact whose features are not at its point at its time, or do not exist.
pub fn misplaced(contacts: &[Contact], bodies: [&Collider; 2], step: &Step) -> Option<String> {
    if contacts.is_empty() {
        return None;
    }
    let [a, b] = bodies.map(|body| Named::new(body.mesh()));
    contacts.iter().find_map(|contact| {
        let still = Still::new(step, contact.time, [&a, &b]);
        let Some(distance) = still.distance(contact) else {
            return Some(format!("a feature that does not exist in {contact:?}"));
        };
        let width = contact.time_bracket[1] - contact.time_bracket[0];
        let far = exceeds(distance, still.tolerance(width * f64::from(step.parts())));
        let sizes = distance / still.size;
        far.then(|| format!("features {sizes:e} sizes away from the point of {contact:?}"))
    })
}

/// The distance from the point of a contact to the farther of its features at that time, for the
/// worst contact, in sizes of the larger body.
///
/// # Panics
///
/// If a contact names a feature that does not exist.
pub fn farthest(contacts: &[Contact], bodies: [&Collider; 2], step: &Step) -> f64 {
    let [a, b] = bodies.map(|body| Named::new(body.mesh()));
    let sizes = |contact: &Contact| {
        let still = Still::new(step, contact.time, [&a, &b]);
        still.distance(contact).expect("the features exist") / still.size
    };
    contacts.iter().map(sizes).fold(0.0, f64::max)
}

/// A normal speed that rounding alone can make, for these bodies at a time of a step.
pub fn least_speed(bodies: [&Collider; 2], step: &Step, time: f64) -> f64 {
    let [a, b] = bodies.map(|body| Named::new(body.mesh()));
    let still = Still::new(step, time, [&a, &b]);
    10.0 * ROUNDING * f64::from(step.parts()) * (1.0 + still.speed) * still.unit
}

/// A mesh with its features by the numbers of the input. A face that was split has several pieces.
struct Named<'m> {
    mesh: &'m Polyhedron,
    vertices: BTreeMap<u32, u32>,
    edges: BTreeMap<[u32; 2], u32>,
    faces: BTreeMap<u32, Vec<u32>>,
    /// Twice the distance of the farthest vertex from the middle of the bounds, at most.
    size: f64,
    /// The distance of the farthest vertex from the origin, at most.
    reach: f64,
}

impl<'m> Named<'m> {
    fn new(mesh: &'m Polyhedron) -> Self {
        let numbers = |count: usize| 0..count as u32;
        let vertices = numbers(mesh.vertex_count()).map(|v| (mesh.vertex_label(v), v)).collect();
        let edges = numbers(mesh.edge_count()).map(|e| (mesh.edge_label(e), e)).collect();
        let mut faces: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for face in numbers(mesh.face_count()) {
            faces.entry(mesh.face_label(face)).or_default().push(face);
        }
        let [low, high] = mesh.bounds();
        let size = (high - low).abs().element_sum();
        let reach = low.abs().max(high.abs()).element_sum();
        Self { mesh, vertices, edges, faces, size, reach }
    }

    fn vertex(&self, label: u32) -> Option<DVec3> {
        self.vertices.get(&label).map(|&v| self.mesh.position(v))
    }

    /// The ends of an edge, or twice a vertex that stands for one.
    fn edge(&self, label: [u32; 2]) -> Option<[DVec3; 2]> {
        if label[0] == label[1] {
            return self.vertex(label[0]).map(|p| [p; 2]);
        }
        self.edges.get(&label).map(|&e| self.mesh.edge(e).map(|v| self.mesh.position(v)))
    }

    /// The corners of each piece of a face.
    fn face(&self, label: u32) -> Option<Vec<Vec<DVec3>>> {
        let corners = |f: &u32| self.mesh.face(*f).iter().map(|&v| self.mesh.position(v)).collect();
        self.faces.get(&label).map(|pieces| pieces.iter().map(corners).collect())
    }
}

/// Both bodies at one time, in A's frame and in units of everything that takes part, so that no
/// size is too large or too small for products.
struct Still<'m> {
    bodies: [&'m Named<'m>; 2],
    part: Part,
    time: f64,
    unit: f64,
    size: f64,
    speed: f64,
}

impl<'m> Still<'m> {
    fn new(step: &Step, time: f64, bodies: [&'m Named<'m>; 2]) -> Self {
        let [a, b] = bodies;
        let scaled = time * f64::from(step.parts());
        let index = (scaled as u32).min(step.parts() - 1);
        let (part, time) = (step.part(index), scaled - f64::from(index));
        let from = part.b_in_a()[0].position().abs().element_sum();
        let screw = part.relative();
        let linear = screw.linear().abs().element_sum();
        let unit = a.reach + b.reach + from + linear;
        let unit = if unit > 0.0 { unit } else { 1.0 };
        let size = a.size.max(b.size) / unit;
        let speed = linear / unit + screw.angle();
        Self { bodies, part, time, unit, size, speed }
    }

    /// How far features may be from the point, if the time is as uncertain as this.
    fn tolerance(&self, width: f64) -> f64 {
        PLACE * self.size + width.min(WIDE) * self.speed + ROUNDING
    }

    /// How far the farther of the two named features is from the point; none if one does not exist.
    fn distance(&self, contact: &Contact) -> Option<f64> {
        let [a, b] = self.bodies;
        let point = contact.point_in_a / self.unit;
        let of_a = |p: DVec3| p / self.unit - point;
        let of_b = |p: DVec3| self.moved(p) - point;
        let [from_a, from_b] = match contact.features {
            Features::Fv { face, vertex } => {
                [to_face(a.face(face)?, of_a), of_b(b.vertex(vertex)?).length()]
            }
            Features::Vf { vertex, face } => {
                [of_a(a.vertex(vertex)?).length(), to_face(b.face(face)?, of_b)]
            }
            Features::Ee { a: of, b: and } => {
                [to_segment(a.edge(of)?.map(of_a)), to_segment(b.edge(and)?.map(of_b))]
            }
        };
        Some(from_a.max(from_b))
    }

    /// Where a point of B is, by the power series of the motion.
    fn moved(&self, point_in_b: DVec3) -> DVec3 {
        let start = self.part.b_in_a()[0];
        let screw = self.part.relative();
        let [w, v] = [screw.angular() * self.time, screw.linear() / self.unit * self.time];
        let mut sum = start.rotation() * (point_in_b / self.unit) + start.position() / self.unit;
        let mut term = w.cross(sum) + v;
        // A part turns by pi at most: the last term is below 1e-16.
        for k in 2..40 {
            sum += term;
            term = w.cross(term) / f64::from(k);
        }
        sum
    }
}

/// The distance of the origin from the nearest of some polygons.
fn to_face(pieces: Vec<Vec<DVec3>>, placed: impl Fn(DVec3) -> DVec3) -> f64 {
    let distance = |corners: Vec<DVec3>| {
        let corners: Vec<DVec3> = corners.into_iter().map(&placed).collect();
        let area = |i: usize| (corners[i] - corners[0]).cross(corners[i - 1] - corners[0]);
        let normal = (2..corners.len()).map(area).sum::<DVec3>().normalize_or_zero();
        let height = corners.iter().sum::<DVec3>().dot(normal) / corners.len() as f64;
        let foot = height * normal;
        let around: Vec<DVec3> = corners.iter().map(|c| c - foot).collect();
        boundary_margin(&around, normal).min(0.0).hypot(height)
    };
    pieces.into_iter().map(distance).fold(f64::INFINITY, f64::min)
}

fn to_segment([p, q]: [DVec3; 2]) -> f64 {
    distance_to_segment(p, q)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Query, collider};
    use crate::{generate, shapes};
    use chasles::{Options, Pose, Screw};

    /// A point falls on a square face; the true contact is at half time in the middle.
    fn fall() -> (Query, Contact) {
        let at = |z: f64| Pose::from_position([0.0, 0.0, z]).expect("finite");
        let query = Query {
            a: shapes::cube(),
            b: shapes::point(DVec3::ZERO),
            poses_a: [Pose::IDENTITY; 2],
            poses_b: [at(1.0), at(0.0)],
        };
        let contacts = query.contacts(&Options::default());
        assert_eq!(contacts.len(), 1);
        (query, contacts[0])
    }

    #[test]
    fn each_flaw_is_found() {
        let (query, good) = fall();
        let [a, b] = query.colliders();
        let flaw = |c: Contact| unsound(&[c], [&a, &b], &query.step()).unwrap_or_default();
        assert_eq!(flaw(good), "");
        let point = good.point + DVec3::X * 1e-4;
        let beside = Contact { point_in_a: point, point, ..good };
        let early = Contact { time: 0.4999, time_bracket: [0.4999; 2], ..good };
        let features = |face, vertex| Features::Fv { face, vertex };
        let named = |features| Contact { features, ..good };
        for (contact, what) in [
            (Contact { properness: -1.0 - f64::EPSILON, ..good }, "a properness"),
            (Contact { normal_speed: f64::NAN, ..good }, "a number"),
            (Contact { normal_in_a: DVec3::ZERO, ..good }, "a normal"),
            (Contact { time_bracket: [0.6, 0.7], ..good }, "a bracket"),
            (Contact { point: DVec3::ZERO, ..good }, "a world point"),
            (beside, "features"),
            (early, "features"),
            (named(features(0, 0)), "features"),
            (named(features(6, 0)), "a feature that does not exist"),
            (named(features(5, 1)), "a feature that does not exist"),
            (named(Features::Ee { a: [0, 7], b: [0, 0] }), "a feature that does not exist"),
        ] {
            assert!(flaw(contact).starts_with(what), "{what}: {:?}", flaw(contact));
        }
        let unsorted = [Contact { time: 0.5_f64.next_up(), ..good }, good];
        assert!(unsound(&unsorted, [&a, &b], &query.step()).is_some());
    }

    #[test]
    fn features_are_followed_through_several_parts() {
        let (a, b, step) = generate::turning(1);
        let [a, b] = [&a, &b].map(collider);
        assert!(step.parts() > 4);
        let mut workspace = chasles::Workspace::new();
        let mut contacts =
            chasles::contacts(&a, &b, &step, &Options::default(), &mut workspace).to_vec();
        assert!(contacts.len() > 10);
        assert_eq!(misplaced(&contacts, [&a, &b], &step), None);
        contacts.iter_mut().for_each(|c| c.time *= 1.0 - 1e-4);
        assert!(misplaced(&contacts, [&a, &b], &step).is_some());
    }

    #[test]
    fn points_go_where_the_screw_takes_them() {
        let twist = Screw::from_twist([1.0, -2.0, 2.0], [0.3, 0.2, 0.1]).expect("finite");
        let pose = Pose::new([1.0, 2.0, 3.0], glam::DQuat::from_rotation_x(0.7)).expect("finite");
        let still = (Pose::IDENTITY, Screw::STILL);
        let step = crate::step_along(still, (pose, twist));
        let mesh = Polyhedron::new(&shapes::cube()).expect("a mesh");
        let named = Named::new(&mesh);
        let at_end = Still::new(&step, 1.0, [&named, &named]);
        let expected = step.pose_of_b(1.0).point(DVec3::ONE);
        assert!((at_end.moved(DVec3::ONE) * at_end.unit - expected).length() < 1e-14);
    }
}
