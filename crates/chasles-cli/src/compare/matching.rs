//! Which contacts of one method are contacts of the exact method.
//!
//! A contact *matches* one of the exact method if on both bodies their features are the same or share
//! a vertex, and they are at the same time: for the screen, if the brackets of their times overlap.
//! The path method knows one vertex only; its contacts match if the feature of that body has the
//! vertex, and if the distance that is left along the normal, by the times and by the places, is
//! within the precision. It says that a vertex touches when it comes so near, and the vertex may be
//! as deep before boxes can tell, so that both may add up, and twice that allows for rounding.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use chasles::path::{self, Sample};
use chasles::{Features as OfMeshes, Polyhedron};

use crate::results::{Features, Found, HowFound};

/// How many precisions a contact of the path method may be from that of the exact method.
const PRECISIONS: f64 = 4.0;

/// How a method compares with the exact one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Against {
    /// Contacts of the exact method that this method looks for.
    pub sought: usize,
    /// Those of them that nothing matches.
    pub missed: usize,
    /// Contacts of this method that match none of the exact method, and are not `inside`.
    pub extra: usize,
    /// Those that match none at time 0 of bodies that start in each other: points that are inside from the start. The
    /// exact method has contacts where surfaces meet, and says otherwise that the bodies overlap.
    pub inside: usize,
    /// The time of each other contact, and how far it is from that of the nearest match.
    pub errors: Vec<[f64; 2]>,
}

impl Against {
    /// The largest error in time, a fraction of the step; none if nothing matches.
    pub fn worst(&self) -> Option<f64> {
        self.errors.iter().map(|[_, error]| *error).max_by(f64::total_cmp)
    }
}

impl AddAssign for Against {
    fn add_assign(&mut self, other: Self) {
        self.sought += other.sought;
        self.missed += other.missed;
        self.extra += other.extra;
        self.inside += other.inside;
        self.errors.extend(other.errors);
    }
}

/// The vertices of the faces of two bodies, in the numbers of the input.
pub(super) struct Meshes {
    faces: [BTreeMap<u32, BTreeSet<u32>>; 2],
    /// Whether the bodies are in each other at the start.
    overlap_at_start: bool,
}

impl Meshes {
    pub(super) fn new(meshes: [&Polyhedron; 2], overlap_at_start: bool) -> Self {
        let faces = meshes.map(|mesh| {
            let mut faces: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
            for face in 0..mesh.face_count() as u32 {
                let corners = mesh.face(face).iter().map(|&vertex| mesh.vertex_label(vertex));
                faces.entry(mesh.face_label(face)).or_default().extend(corners);
            }
            faces
        });
        Self { faces, overlap_at_start }
    }

    /// Compares the contacts of one pair: `exact` with `found`, of which `sought` are looked for.
    pub(super) fn against(
        &self,
        (exact, sought): (&[Found], &[Found]),
        found: &[Found],
        how: &HowFound,
    ) -> Against {
        let places = self.index(exact);
        let mut is_found = BTreeSet::new();
        let mut sum = Against { sought: sought.len(), ..Against::default() };
        for contact in found {
            let mut nearest = f64::INFINITY;
            for &other in self.candidates(contact, &places).iter() {
                if self.matches(&exact[other], contact, how) {
                    nearest = nearest.min((exact[other].time - contact.time).abs());
                    is_found.insert(key(&exact[other]));
                }
            }
            match nearest.is_finite() {
                true => sum.errors.push([contact.time, nearest]),
                false if self.overlap_at_start && contact.time == 0.0 => sum.inside += 1,
                false => sum.extra += 1,
            }
        }
        sum.missed = sought.iter().filter(|contact| !is_found.contains(&key(contact))).count();
        sum
    }

    /// The contacts at each vertex of each body.
    fn index(&self, contacts: &[Found]) -> BTreeMap<(usize, u32), Vec<usize>> {
        let mut places: BTreeMap<(usize, u32), Vec<usize>> = BTreeMap::new();
        for (number, contact) in contacts.iter().enumerate() {
            for (body, corners) in self.corners(&contact.features).into_iter().enumerate() {
                for vertex in corners.unwrap_or_default() {
                    places.entry((body, vertex)).or_default().push(number);
                }
            }
        }
        places
    }

    /// The contacts that share a vertex with this one, on a body whose feature it knows.
    fn candidates(
        &self,
        contact: &Found,
        places: &BTreeMap<(usize, u32), Vec<usize>>,
    ) -> BTreeSet<usize> {
        let corners = self.corners(&contact.features).into_iter().enumerate();
        let known = corners.filter_map(|(body, corners)| Some((body, corners?))).next();
        let (body, corners) = known.unwrap_or_default();
        let at = |vertex: u32| places.get(&(body, vertex)).into_iter().flatten().copied();
        corners.into_iter().flat_map(at).collect()
    }

    /// The vertices of both features, where they are parts of meshes.
    fn corners(&self, features: &Features) -> [Option<BTreeSet<u32>>; 2] {
        let face = |body: usize, face: u32| self.faces[body].get(&face).cloned();
        match features {
            Features::Meshes(OfMeshes::Fv { face: f, vertex }) => [face(0, *f), one(*vertex)],
            Features::Meshes(OfMeshes::Vf { vertex, face: f }) => [one(*vertex), face(1, *f)],
            Features::Meshes(OfMeshes::Ee { a, b }) => {
                [a, b].map(|edge| Some(edge.iter().copied().collect()))
            }
            Features::Path(path::Features::SolidSample(sample)) => [None, self.sample(1, sample)],
            Features::Path(path::Features::SampleSolid(sample)) => [self.sample(0, sample), None],
        }
    }

    fn sample(&self, body: usize, sample: &Sample) -> Option<BTreeSet<u32>> {
        match sample {
            Sample::Vertex(vertex) => one(*vertex),
            Sample::Edge { edge, .. } => Some(edge.iter().copied().collect()),
            Sample::Face { face, .. } => self.faces[body].get(face).cloned(),
        }
    }

    fn matches(&self, exact: &Found, found: &Found, how: &HowFound) -> bool {
        let [p, q] = [exact, found].map(|contact| self.corners(&contact.features));
        let share = |body: usize| match (&p[body], &q[body]) {
            (Some(p), Some(q)) => !p.is_disjoint(q),
            _ => true,
        };
        let is_near = match how {
            HowFound::Path(options, _) => gap(exact, found) <= PRECISIONS * options.precision,
            HowFound::Exact | HowFound::Screen(_) => {
                let [early, late] = found.time_bracket;
                exact.time_bracket[0] <= late && exact.time_bracket[1] >= early
            }
        };
        is_near && share(0) && share(1)
    }
}

fn one(vertex: u32) -> Option<BTreeSet<u32>> {
    Some(BTreeSet::from([vertex]))
}

/// How far two contacts are from each other along the normal, by their times and by their places.
fn gap(exact: &Found, found: &Found) -> f64 {
    let by_time = exact.normal_speed * (exact.time - found.time);
    let by_place = (exact.point_in_a - found.point_in_a).dot(exact.normal_in_a);
    by_time.abs().max(by_place.abs())
}

/// What tells the contacts of one pair from each other.
fn key(contact: &Found) -> (u64, String) {
    (contact.time.to_bits(), format!("{:?}", contact.features))
}

#[cfg(test)]
mod tests {
    use chasles::glam::DVec3;
    use chasles::mesh::shapes::{Cuboid, Shape};

    use super::*;

    fn contact(features: impl Into<Features>, time: f64) -> Found {
        Found {
            features: features.into(),
            time,
            time_bracket: [time - 1e-3, time + 1e-3],
            point_in_a: DVec3::ZERO,
            normal_in_a: DVec3::Z,
            point: DVec3::ZERO,
            normal: DVec3::Z,
            properness: 0.5,
            normal_speed: -2.0,
            grazing: false,
        }
    }

    fn against(exact: &[Found], found: &[Found], how: &HowFound) -> Against {
        let cube = Shape::Box(Cuboid::default()).build().expect("a cube");
        Meshes::new([&cube; 2], false).against((exact, exact), found, how)
    }

    #[test]
    fn points_that_are_inside_from_the_start_are_no_extra_contacts() {
        use crate::results::Cover;
        let how = HowFound::Path(path::Options::default(), Cover(f64::INFINITY));
        let sample = |time| contact(path::Features::SolidSample(Sample::Vertex(3)), time);
        let cube = Shape::Box(Cuboid::default()).build().expect("a cube");
        for (overlaps, inside, extra) in [(true, 1, 1), (false, 0, 2)] {
            let meshes = Meshes::new([&cube; 2], overlaps);
            let found = meshes.against((&[], &[]), &[sample(0.0), sample(0.5)], &how);
            assert_eq!((found.inside, found.extra), (inside, extra));
        }
    }

    #[test]
    fn contacts_at_neighbours_and_in_time_are_the_same() {
        let screen = HowFound::Screen(chasles::screen::Options::default());
        let exact = [contact(OfMeshes::Ee { a: [0, 1], b: [2, 3] }, 0.5)];
        let near = contact(OfMeshes::Ee { a: [1, 5], b: [0, 2] }, 0.5005);
        let found = against(&exact, &[near], &screen);
        assert_eq!((found.missed, found.extra, found.errors.len()), (0, 0, 1));
        assert!((found.worst().expect("one") - 5e-4).abs() < 1e-12);
        let far = contact(OfMeshes::Ee { a: [6, 7], b: [0, 2] }, 0.5);
        let late = contact(OfMeshes::Ee { a: [0, 1], b: [2, 3] }, 0.6);
        let found = against(&exact, &[far, late], &screen);
        assert_eq!((found.sought, found.missed, found.extra), (1, 1, 2));
        assert_eq!(found.worst(), None);
    }

    #[test]
    fn points_on_paths_match_within_their_precision() {
        use crate::results::Cover;
        let how = HowFound::Path(path::Options::default(), Cover(f64::INFINITY));
        let exact = [contact(OfMeshes::Fv { face: 0, vertex: 3 }, 0.5)];
        let sample = |vertex| path::Features::SolidSample(Sample::Vertex(vertex));
        let found = against(&exact, &[contact(sample(3), 0.5 - 5e-7)], &how);
        assert_eq!((found.missed, found.extra), (0, 0));
        let others = [contact(sample(3), 0.5 - 5e-5), contact(sample(4), 0.5)];
        let found = against(&exact, &others, &how);
        assert_eq!((found.missed, found.extra), (1, 2));
    }
}
