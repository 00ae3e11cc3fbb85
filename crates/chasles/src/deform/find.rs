//! All contacts of two surfaces in a step, or of one with itself.

use std::cmp::Ordering;

use glam::DVec3;

use super::broad::{BroadPhase, Candidate, Memory, Search};
use super::pair::{Kind, Pair, Touch};
use super::surface::Moving;
use crate::contact::{Contact, Features, Terms};

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Edges against edges too. Without them only vertices meet triangles, as in the paper, and
    /// surfaces may pass through each other edge by edge.
    pub edges: bool,
    /// Every touch of a pair; otherwise the first of each pair.
    pub every_touch: bool,
    /// How pairs are found.
    pub broad_phase: BroadPhase,
}

impl Default for Options {
    /// The first touch of all pairs, by trees of boxes.
    fn default() -> Self {
        Self { edges: true, every_touch: false, broad_phase: BroadPhase::Boxes }
    }
}

/// How much work a query was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Pairs of features whose boxes overlap, all of which were decided.
    pub pairs: u64,
    /// Contacts, before those that are one were joined.
    pub touches: u64,
}

/// Memory that queries reuse: a query like an earlier one allocates nothing, unless a pair needs
/// exact arithmetic, as all do that touch if every touch is asked for.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) memory: Memory,
    found: Vec<Found>,
    contacts: Vec<Contact>,
    statistics: Statistics,
}

/// A contact, and when the features part again.
#[derive(Clone, Copy, Debug)]
struct Found {
    contact: Contact,
    until: f64,
}

impl Workspace {
    /// How much work the last query was.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }
}

/// Every contact of two surfaces in a step, sorted by time.
///
/// *Accepts* any two surfaces. *Guarantees* that each pair of a vertex and a triangle, and of two
/// edges, that touches is reported, and no other: see the [module](super). A touch that goes on
/// from one triangle of a polygon to the next is one contact, at its earliest time. Points, normals
/// and times are in the frame of the positions; the normal points from A to B, against the
/// approach. *Cost* about `n log n` for surfaces that touch in few places, plus the pairs whose
/// boxes overlap. *Fails* never.
pub fn contacts<'w>(
    a: &Moving<'_>,
    b: &Moving<'_>,
    options: &Options,
    workspace: &'w mut Workspace,
) -> &'w [Contact] {
    find([a, b], false, options, workspace)
}

/// Every contact of a surface with itself in a step, sorted by time. Features that share a vertex
/// always touch there and are left out.
///
/// *Accepts* any surface. *Guarantees*, *Cost* and *Fails* as [`contacts`]. The face is called A's
/// and the vertex B's; of two edges the one with the lower vertices is A's.
pub fn self_contacts<'w>(
    surface: &Moving<'_>,
    options: &Options,
    workspace: &'w mut Workspace,
) -> &'w [Contact] {
    find([surface, surface], true, options, workspace)
}

/// The largest fraction of the step that is certain to be free of contact, between two surfaces.
///
/// *Accepts* any two surfaces, and a separation that they must keep; 0 asks for exact contact, and
/// what is negative or not a number counts as the smallest separation.
/// *Guarantees* that no pair of features touches, or comes as close as the separation, before the
/// fraction; 1 if none does during the whole step, 0 if one does at its start. Positions that are
/// rounded to that fraction of the step are not covered: keep a separation that is large beside
/// rounding. *Cost* as [`contacts`]. *Fails* never.
pub fn free_fraction(
    a: &Moving<'_>,
    b: &Moving<'_>,
    separation: f64,
    workspace: &mut Workspace,
) -> f64 {
    free([a, b], false, separation, workspace)
}

/// As [`free_fraction`], of one surface with itself.
///
/// *Accepts*, *Guarantees*, *Cost* and *Fails* as there; features that share a vertex are left out.
pub fn self_free_fraction(surface: &Moving<'_>, separation: f64, workspace: &mut Workspace) -> f64 {
    free([surface, surface], true, separation, workspace)
}

fn free(
    surfaces: [&Moving<'_>; 2],
    with_itself: bool,
    separation: f64,
    workspace: &mut Workspace,
) -> f64 {
    let search = Search { surfaces, with_itself, edges: true, margin: separation.max(0.0) };
    let mut fraction = 1.0_f64;
    let mut statistics = Statistics::default();
    search.run(BroadPhase::Boxes, &mut workspace.memory, |candidate| {
        statistics.pairs += 1;
        let time = search.end_of_free(candidate, separation);
        statistics.touches += u64::from(time.is_some());
        fraction = fraction.min(time.unwrap_or(1.0));
    });
    workspace.statistics = statistics;
    fraction
}

fn find<'w>(
    surfaces: [&Moving<'_>; 2],
    with_itself: bool,
    options: &Options,
    workspace: &'w mut Workspace,
) -> &'w [Contact] {
    let search = Search { surfaces, with_itself, edges: options.edges, margin: 0.0 };
    let Workspace { memory, found, contacts, statistics } = workspace;
    *statistics = Statistics::default();
    found.clear();
    search.run(options.broad_phase, memory, |candidate| {
        statistics.pairs += 1;
        let pair = search.features(candidate);
        if options.every_touch && pair.touches() {
            found.extend(pair.all().iter().map(|touch| search.found(candidate, touch)));
        } else if !options.every_touch {
            found.extend(pair.first().map(|touch| search.found(candidate, &touch)));
        }
    });
    statistics.touches = found.len() as u64;
    join(found);
    contacts.clear();
    contacts.extend(found.iter().map(|found| found.contact));
    contacts.sort_unstable_by(|p, q| in_time(p, q).then_with(|| p.features.cmp(&q.features)));
    contacts
}

/// Makes one of contacts of the same features that follow each other without a gap: triangles of
/// one polygon share edges, at which both touch, and over which features slide.
fn join(found: &mut Vec<Found>) {
    found.sort_unstable_by(|Found { contact: p, .. }, Found { contact: q, .. }| {
        p.features.cmp(&q.features).then_with(|| in_time(p, q))
    });
    found.dedup_by(|later, earlier| {
        let [p, q] = [&earlier.contact, &later.contact];
        let goes_on = p.features == q.features && q.time_bracket[0] <= earlier.until;
        if goes_on {
            earlier.until = earlier.until.max(later.until);
        }
        goes_on
    });
}

/// By time, and then by whatever differs, so that no order of finding shows.
fn in_time(p: &Contact, q: &Contact) -> Ordering {
    let key = |c: &Contact| {
        let [low, high] = c.time_bracket;
        let [x, y, z] = c.point.to_array();
        [c.time, low, high, x, y, z, c.properness]
    };
    let both = key(p).into_iter().zip(key(q));
    both.map(|(p, q)| p.total_cmp(&q)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

impl Search<'_> {
    /// The positions of a pair.
    #[inline]
    pub(super) fn features(&self, candidate: Candidate) -> Pair {
        let (kind, of, vertices) = match candidate {
            Candidate::Vertex { of, vertex, triangle } => {
                let [p, q, r] = self.surfaces[1 - of].surface.triangles[triangle as usize];
                let other = 1 - of;
                (Kind::VertexTriangle, [of, other, other, other], [vertex, p, q, r])
            }
            Candidate::Edges([e, f]) => {
                let [p, q] = self.surfaces[0].surface.edges[e as usize];
                let [r, s] = self.surfaces[1].surface.edges[f as usize];
                (Kind::EdgeEdge, [0, 0, 1, 1], [p, q, r, s])
            }
        };
        let mut ends = [[DVec3::ZERO; 4]; 2];
        for i in 0..4 {
            let moving = &self.surfaces[of[i]].ends;
            ends[0][i] = moving[0][vertices[i] as usize];
            ends[1][i] = moving[1][vertices[i] as usize];
        }
        Pair::from_finite(kind, ends)
    }

    /// When a pair comes as close as a separation, or a little before; at a separation of 0, when
    /// it touches.
    pub(super) fn end_of_free(&self, candidate: Candidate, separation: f64) -> Option<f64> {
        let pair = self.features(candidate);
        if separation == 0.0 {
            pair.first().map(|touch| touch.bracket[0].next_down().max(0.0))
        } else {
            pair.first_within(separation)
        }
    }

    fn found(&self, candidate: Candidate, touch: &Touch) -> Found {
        let until = touch.until.max(touch.bracket[1]);
        Found { contact: self.contact(candidate, touch), until }
    }

    /// A touch in the words that all methods share.
    fn contact(&self, candidate: Candidate, touch: &Touch) -> Contact {
        let at = |of: usize, v: u32| self.position(of, v, touch.time);
        let (features, normal, properness) = match candidate {
            Candidate::Vertex { of, vertex, triangle } => {
                let face = self.surfaces[1 - of].surface.faces[triangle as usize];
                let from = at(of, vertex);
                let neighbours = self.surfaces[of].surface.neighbours.row(vertex).iter();
                let ray = |&v: &u32| (at(of, v) - from).normalize_or_zero().dot(touch.normal);
                let properness = Terms::of(neighbours.map(ray)).properness(true);
                // The normal points to the vertex.
                let vertex_of_b = of == 1 || self.with_itself;
                match vertex_of_b {
                    true => (Features::Fv { face, vertex }, touch.normal, properness),
                    false => (Features::Vf { vertex, face }, -touch.normal, properness),
                }
            }
            Candidate::Edges([p, q]) => {
                // The normal points to A's edge.
                let terms = self.wings(0, p, touch).map(|wing| wing.dot(touch.normal));
                let terms = terms.chain(self.wings(1, q, touch).map(|w| -w.dot(touch.normal)));
                let properness = Terms::of(terms).properness(true);
                let [a, b] =
                    [(0, p), (1, q)].map(|(of, e)| self.surfaces[of].surface.edges[e as usize]);
                match self.with_itself && b < a {
                    true => (Features::Ee { a: b, b: a }, touch.normal, properness),
                    false => (Features::Ee { a, b }, -touch.normal, properness),
                }
            }
        };
        Contact {
            features,
            time: touch.time,
            time_bracket: touch.bracket,
            point_in_a: touch.point,
            normal_in_a: normal,
            point: touch.point,
            normal,
            properness,
            normal_speed: touch.normal_speed,
            grazing: touch.grazing,
            // A surface that deforms has two sides and no inside.
            touchable: true,
        }
    }

    fn position(&self, of: usize, vertex: u32, time: f64) -> DVec3 {
        let [start, end] = self.surfaces[of].ends;
        start[vertex as usize].lerp(end[vertex as usize], time)
    }

    /// Unit vectors from an edge into its triangles at a touch.
    fn wings(&self, of: usize, edge: u32, touch: &Touch) -> impl Iterator<Item = DVec3> {
        let surface = self.surfaces[of].surface;
        let [p, q] = surface.edges[edge as usize].map(|v| self.position(of, v, touch.time));
        let along = (q - p).normalize_or_zero();
        surface.opposite.row(edge).iter().map(move |&apex| {
            let to = self.position(of, apex, touch.time) - p;
            (to - along * along.dot(to)).normalize_or_zero()
        })
    }
}
