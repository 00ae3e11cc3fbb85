//! Which contacts of one method are contacts of the exact method, one to one.
//!
//! A contact *can match* one of the exact method if on both bodies their features are the same or
//! share a vertex, and they are at the same time: for the screen, if the brackets of their times
//! overlap.
//!
//! The path method knows the feature of one body only, which must be the same or share a vertex,
//! and has samples. A vertex matches if the distance that is left along the normal, by the times
//! and by the places, is within the precision. The method says that a vertex touches when it comes
//! so near, and the vertex may be as deep before boxes can tell, so that both may add up, and twice
//! that allows for rounding. A sample of an edge matches two edges that cross: it comes in after
//! them, when that distance is no more than the missed depth, and is next to their crossing.
//!
//! Of all that can match, pairs are taken one after the other, and each contact only once: first
//! those with the same features, then neighbours, of either the sought ones first, and among equals
//! the nearest in time. So what is missed has no contact left to match, and neither has what is
//! repeated.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use chasles::path::{self, Sample};
use chasles::{Features as OfMeshes, Polyhedron};

use crate::results::{Features, Found, HowFound};

/// How many precisions a contact of the path method may be from that of the exact method.
const PRECISIONS: f64 = 4.0;

/// Contacts of the exact method that are kept for each contact of another: the best ones, so that
/// thousands that meet at one corner do not take memory by their square. Each is taken once at
/// most, and more neighbours than this at one place and time are rare.
const MOST_CANDIDATES: usize = 64;

/// How a method compares with the exact one. All matches are one to one.
///
/// ```text
/// sought   = found + missed
/// contacts = found + unsought + repeated + between + extra + inside
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Against {
    /// Contacts of the exact method that this method looks for.
    pub sought: usize,
    /// Those of them that a contact of this method matches.
    pub found: usize,
    /// Those of the others that could match a contact, which matches another: this method has one
    /// contact where the exact method has several.
    pub merged: usize,
    /// Those of all that are not found that are two edges.
    pub missed_edges: usize,
    /// Contacts of this method that match one of the exact method that it need not find.
    pub unsought: usize,
    /// Those that could match one, which another matches: this method says it more than once.
    pub repeated: usize,
    /// Samples of edges and faces that could match none: they touch, but the exact method has
    /// contacts at vertices and where edges cross, not between.
    pub between: usize,
    /// Others that could match none of the exact method, and are not `inside`.
    pub extra: usize,
    /// Those that could match none at time 0 of bodies that start in each other: points that are
    /// inside from the start. The exact method has contacts where surfaces meet, and says otherwise
    /// that the bodies overlap.
    pub inside: usize,
    /// The time of each contact that matches, and how far it is from that of its match.
    pub errors: Vec<[f64; 2]>,
}

impl Against {
    /// Contacts that are sought and have no match.
    pub fn missed(&self) -> usize {
        self.sought - self.found
    }

    /// The largest error in time, a fraction of the step; none if nothing matches.
    pub fn worst(&self) -> Option<f64> {
        self.errors.iter().map(|[_, error]| *error).max_by(f64::total_cmp)
    }
}

impl AddAssign for Against {
    fn add_assign(&mut self, other: Self) {
        self.sought += other.sought;
        self.found += other.found;
        self.merged += other.merged;
        self.missed_edges += other.missed_edges;
        self.between += other.between;
        self.unsought += other.unsought;
        self.repeated += other.repeated;
        self.extra += other.extra;
        self.inside += other.inside;
        self.errors.extend(other.errors);
    }
}

/// How well two contacts match: the lower the better. The numbers are those of the contacts in
/// their lists, so that no two are equal.
#[derive(Clone, Copy, Debug)]
struct Match {
    /// 0: the same features, sought; 1: the same; 2: neighbours, sought; 3: neighbours.
    rank: u8,
    error: f64,
    exact: usize,
    found: usize,
}

impl Match {
    fn order(&self, other: &Self) -> Ordering {
        let numbers = |m: &Self| (m.exact, m.found);
        let by_error = self.error.total_cmp(&other.error);
        self.rank.cmp(&other.rank).then(by_error).then(numbers(self).cmp(&numbers(other)))
    }
}

/// The vertices of the faces of two bodies, in the numbers of the input.
pub(super) struct Meshes {
    faces: [BTreeMap<u32, BTreeSet<u32>>; 2],
    /// Whether the bodies are in each other at the start.
    overlap_at_start: bool,
    /// How deep points of A and of B may be unnoticed by the method; 0 where that is no matter.
    missed_depth: [f64; 2],
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
        Self { faces, overlap_at_start, missed_depth: [0.0; 2] }
    }

    /// The same with what a method may miss; nothing where nothing bounds it.
    pub(super) fn missing(self, depths: [Option<f64>; 2]) -> Self {
        Self { missed_depth: depths.map(|depth| depth.unwrap_or(0.0)), ..self }
    }

    /// Compares the contacts of one pair: `exact` with `found`; `sought` are those of the exact
    /// method that are looked for.
    ///
    /// *Cost* the pairs that share a vertex, and memory for [`MOST_CANDIDATES`] of each contact.
    pub(super) fn against(
        &self,
        (exact, sought): (&[Found], &[Found]),
        found: &[Found],
        how: &HowFound,
    ) -> Against {
        let keys: BTreeSet<_> = sought.iter().map(key).collect();
        let is_sought: Vec<bool> = exact.iter().map(|c| keys.contains(&key(c))).collect();
        let mut all = self.possible((exact, &is_sought), found, how);
        all.sort_unstable_by(Match::order);
        let mut is_possible = [vec![false; exact.len()], vec![false; found.len()]];
        let mut is_taken = is_possible.clone();
        let mut sum = Against { sought: sought.len(), ..Against::default() };
        for one in all {
            let both = [one.exact, one.found];
            let mut is_free = true;
            for (list, number) in both.into_iter().enumerate() {
                is_possible[list][number] = true;
                is_free &= !is_taken[list][number];
            }
            if is_free {
                is_taken[0][one.exact] = true;
                is_taken[1][one.found] = true;
                sum.errors.push([found[one.found].time, one.error]);
                *(if is_sought[one.exact] { &mut sum.found } else { &mut sum.unsought }) += 1;
            }
        }
        let left = |list: usize| {
            let both = is_possible[list].iter().zip(&is_taken[list]).enumerate();
            both.filter(|(_, (_, taken))| !**taken)
                .map(|(number, (possible, _))| (number, *possible))
        };
        sum.merged = left(0).filter(|&(number, possible)| possible && is_sought[number]).count();
        let is_edges = |number: &usize| is_of_edges(&exact[*number]);
        let missed = left(0).map(|(number, _)| number).filter(|&number| is_sought[number]);
        sum.missed_edges = missed.filter(is_edges).count();
        for (number, possible) in left(1) {
            let is_inside = self.overlap_at_start && found[number].time == 0.0;
            match possible {
                true => sum.repeated += 1,
                false if is_inside => sum.inside += 1,
                false if is_between(&found[number]) => sum.between += 1,
                false => sum.extra += 1,
            }
        }
        sum
    }

    /// The contacts of both that can match, the best of each.
    fn possible(
        &self,
        (exact, is_sought): (&[Found], &[bool]),
        found: &[Found],
        how: &HowFound,
    ) -> Vec<Match> {
        let places = self.index(exact);
        let mut all = Vec::new();
        for (number, contact) in found.iter().enumerate() {
            let candidates = self.candidates(contact, &places).into_iter();
            let matching = candidates.filter(|&other| self.matches(&exact[other], contact, how));
            let mut own: Vec<Match> = matching
                .map(|other| Match {
                    rank: 2 * u8::from(!is_same(&exact[other], contact))
                        + u8::from(!is_sought[other]),
                    error: (exact[other].time - contact.time).abs(),
                    exact: other,
                    found: number,
                })
                .collect();
            own.sort_unstable_by(Match::order);
            all.extend(own.into_iter().take(MOST_CANDIDATES));
        }
        all
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
            // Scenes with round bodies are not compared contact by contact.
            Features::Round(_) => [None, None],
        }
    }

    fn sample(&self, body: usize, sample: &Sample) -> Option<BTreeSet<u32>> {
        match sample {
            Sample::Vertex(vertex) => one(*vertex),
            Sample::Edge { edge, .. } => Some(edge.iter().copied().collect()),
            Sample::Face { face, .. } => self.faces[body].get(face).cloned(),
            Sample::Point(_) => None,
        }
    }

    fn matches(&self, exact: &Found, found: &Found, how: &HowFound) -> bool {
        let [p, q] = [exact, found].map(|contact| self.corners(&contact.features));
        let share = |body: usize| match (&p[body], &q[body]) {
            (Some(p), Some(q)) => !p.is_disjoint(q),
            _ => true,
        };
        let is_near = match how {
            HowFound::Path(options, _) => self.is_near(exact, found, options.precision),
            HowFound::Exact | HowFound::Screen(_) => {
                let [early, late] = found.time_bracket;
                exact.time_bracket[0] <= late && exact.time_bracket[1] >= early
            }
        };
        is_near && share(0) && share(1)
    }

    /// Whether a sample touches where and when features do.
    fn is_near(&self, exact: &Found, found: &Found, precision: f64) -> bool {
        let Features::Path(features) = found.features else { return false };
        let near = PRECISIONS * precision;
        let (body, sample) = match features {
            path::Features::SampleSolid(sample) => (0, sample),
            path::Features::SolidSample(sample) => (1, sample),
        };
        match sample {
            Sample::Vertex(_) => gap(exact, found) <= near,
            Sample::Edge { edge, .. } if edge_of(exact, body) == Some(edge) => {
                // Samples of an edge are twice the cover apart.
                let deep = self.missed_depth[body];
                let is_next = exact.point_in_a.distance(found.point_in_a) <= 2.0 * deep + near;
                is_next && gap(exact, found) <= deep + near
            }
            _ => false,
        }
    }
}

/// The edge of a body that touches, if it is one.
fn edge_of(contact: &Found, body: usize) -> Option<[u32; 2]> {
    match contact.features {
        Features::Meshes(OfMeshes::Ee { a, b }) => Some([a, b][body]),
        _ => None,
    }
}

/// Whether two edges cross.
fn is_of_edges(contact: &Found) -> bool {
    matches!(contact.features, Features::Meshes(OfMeshes::Ee { .. }))
}

/// Whether a contact is of a sample that is no vertex.
fn is_between(contact: &Found) -> bool {
    let Features::Path(features) = contact.features else { return false };
    let (path::Features::SolidSample(sample) | path::Features::SampleSolid(sample)) = features;
    !matches!(sample, Sample::Vertex(_))
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

/// Whether two contacts are of the same features, as far as both methods name them.
fn is_same(exact: &Found, found: &Found) -> bool {
    match (exact.features, found.features) {
        (
            Features::Meshes(OfMeshes::Fv { vertex, .. }),
            Features::Path(path::Features::SolidSample(sample)),
        )
        | (
            Features::Meshes(OfMeshes::Vf { vertex, .. }),
            Features::Path(path::Features::SampleSolid(sample)),
        ) => sample == Sample::Vertex(vertex),
        (exact, found) => exact == found,
    }
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
            touchable: true,
        }
    }

    fn against(exact: &[Found], found: &[Found], how: &HowFound) -> Against {
        let cube = Shape::Box(Cuboid::default()).build().expect("a cube");
        Meshes::new([&cube; 2], false).against((exact, exact), found, how)
    }

    #[test]
    fn points_that_are_inside_from_the_start_are_no_extra_contacts() {
        use crate::results::Cover;
        let how = HowFound::Path(path::Options::default(), Cover::Usual);
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
        assert_eq!((found.missed(), found.extra, found.errors.len()), (0, 0, 1));
        assert!((found.worst().expect("one") - 5e-4).abs() < 1e-12);
        let far = contact(OfMeshes::Ee { a: [6, 7], b: [0, 2] }, 0.5);
        let late = contact(OfMeshes::Ee { a: [0, 1], b: [2, 3] }, 0.6);
        let found = against(&exact, &[far, late], &screen);
        assert_eq!((found.sought, found.missed(), found.extra), (1, 1, 2));
        assert_eq!(found.worst(), None);
    }

    #[test]
    fn each_contact_matches_one_and_the_sums_add_up() {
        let screen = HowFound::Screen(chasles::screen::Options::default());
        let edges = |a, b, time| contact(OfMeshes::Ee { a, b }, time);
        // One contact where the exact method has three, of which one is the same.
        let exact =
            [edges([0, 1], [2, 3], 0.5), edges([1, 5], [2, 3], 0.5), edges([5, 7], [2, 3], 0.5)];
        let found = against(&exact, &[edges([1, 5], [2, 3], 0.5005)], &screen);
        assert_eq!((found.sought, found.found, found.missed(), found.merged), (3, 1, 2, 2));
        assert_eq!((found.unsought, found.repeated, found.extra), (0, 0, 0));
        // And the reverse: the later one says it again.
        let found = against(&exact[..1], &[exact[1], exact[0]], &screen);
        assert_eq!((found.found, found.missed(), found.repeated, found.extra), (1, 0, 1, 0));
        assert_eq!(found.worst(), Some(0.0));
    }

    #[test]
    fn a_contact_matches_its_own_features_before_nearer_neighbours() {
        let screen = HowFound::Screen(chasles::screen::Options::default());
        let edges = |a, b, time| contact(OfMeshes::Ee { a, b }, time);
        let exact = [edges([0, 1], [2, 3], 0.5), edges([1, 5], [2, 3], 0.501)];
        let found = [edges([1, 5], [2, 3], 0.5), edges([0, 1], [2, 3], 0.501)];
        let sum = against(&exact, &found, &screen);
        assert_eq!((sum.found, sum.missed()), (2, 0));
        assert!(sum.errors.iter().all(|[_, error]| (error - 1e-3).abs() < 1e-12), "{sum:?}");
    }

    #[test]
    fn points_on_paths_match_within_their_precision() {
        use crate::results::Cover;
        let how = HowFound::Path(path::Options::default(), Cover::Usual);
        let exact = [contact(OfMeshes::Fv { face: 0, vertex: 3 }, 0.5)];
        let sample = |vertex| path::Features::SolidSample(Sample::Vertex(vertex));
        let found = against(&exact, &[contact(sample(3), 0.5 - 5e-7)], &how);
        assert_eq!((found.missed(), found.extra), (0, 0));
        let others = [contact(sample(3), 0.5 - 5e-5), contact(sample(4), 0.5)];
        let found = against(&exact, &others, &how);
        assert_eq!((found.missed(), found.extra), (1, 2));
    }

    #[test]
    fn edges_that_cross_match_their_samples_within_the_missed_depth() {
        use crate::results::Cover;
        let how = HowFound::Path(path::Options::default(), Cover::Usual);
        let exact = [contact(OfMeshes::Ee { a: [0, 1], b: [2, 3] }, 0.5)];
        let sample = |edge, time| {
            contact(path::Features::SolidSample(Sample::Edge { edge, number: 1 }), time)
        };
        let cube = Shape::Box(Cuboid::default()).build().expect("a cube");
        let meshes = Meshes::new([&cube; 2], false).missing([None, Some(0.1)]);
        // At a speed of 2 a sample is 0.1 deep after 0.05.
        for (found, [matched, between]) in [
            (sample([2, 3], 0.54), [1, 0]),
            (sample([2, 3], 0.56), [0, 1]),
            (sample([0, 2], 0.51), [0, 1]),
        ] {
            let sum = meshes.against((&exact, &exact), &[found], &how);
            assert_eq!([sum.found, sum.between], [matched, between], "{found:?}");
            assert_eq!((sum.missed(), sum.missed_edges, sum.extra), (1 - matched, 1 - matched, 0));
        }
    }
}
