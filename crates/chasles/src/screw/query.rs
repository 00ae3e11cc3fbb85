//! One part of a step from bodies to contacts.

use super::Options;
use super::body::{Body, Cull, Who};
use super::cache::Cache;
use super::pairs::{Candidate, Candidates};
use super::relative::{Relative, Turns};
use super::resolve::{Found, merge};
use super::touch::{Moving, Touch, Twin};
use crate::bounds::{Chart, Collider};
use crate::contact::{Met, Pair, SIMULTANEOUS};
use crate::motion::Part;
use crate::numeric::roots::Root;

/// The two bodies of one part and what was found so far.
pub(crate) struct Query<'q> {
    pub(crate) a: Body<'q>,
    pub(crate) b: Body<'q>,
    pub(crate) relative: &'q Relative,
    pub(crate) turns: Turns,
    pub(crate) options: &'q Options,
    /// A pair is met in one turn only, so features that touch do so at one place of the screen.
    pub(crate) is_one_turn: bool,
    pub(crate) times: &'q mut Vec<f64>,
    coincidences: &'q mut Vec<Touch>,
    /// Coincidences are merged when there are this many.
    many: usize,
    /// Vertices and faces that stay in touch.
    lasting: &'q mut Vec<Pair>,
    results: Results<'q>,
    /// The earliest wanted contact so far, and until when others may be as early.
    earliest: [f64; 2],
    /// The least of these ends so far: what cannot touch before may have been left out.
    cut: f64,
    /// Nothing that touches before this is left out.
    floor: f64,
    /// The coincidence that was last looked at for that.
    asked: Option<Asked>,
    /// When what is looked at begins and ends in the part.
    meeting: [f64; 2],
    /// That is the whole part; asked for each contact.
    is_whole_part: bool,
    /// The options want contacts for their properness alone; asked for each contact.
    is_undemanding: bool,
}

/// Where a query leaves what it finds.
pub(crate) struct Results<'r> {
    /// The number of the part that is looked at, and of all parts.
    pub(crate) part: u32,
    pub(crate) parts: u32,
    /// Contacts, with the number of their part.
    pub(crate) found: &'r mut Vec<(u32, Found)>,
    /// All touches before resolution, where somebody wants them.
    pub(crate) touches: Option<&'r mut Vec<Touch>>,
}

/// Memory of a query that is reused by the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    a: Cache,
    b: Cache,
    candidates: Candidates,
    coincidences: Vec<Touch>,
    lasting: Vec<Pair>,
    times: Vec<f64>,
    by_time: Vec<(f64, Test)>,
}

/// Times are exact to far less than this share of a part.
const WINDOW_PAD: f64 = 1e-9;

/// One test to be made.
#[derive(Clone, Copy, Debug)]
enum Test {
    Vertex(Candidate, Moving),
    Edges(Candidate),
}

/// A coincidence whose contact is known. Where tips of `n` edges meet, `n²` pairs see the same one
/// at times that differ by rounding, and each answer looks at all of these edges.
#[derive(Clone, Copy, Debug)]
struct Asked {
    pair: Pair,
    touchable: bool,
    bracket: [f64; 2],
}

impl Asked {
    fn new(touch: &Touch) -> Self {
        Self { pair: touch.pair, touchable: touch.touchable, bracket: touch.root.bracket }
    }

    /// Whether a touch is the same coincidence: its contact is then wanted or not as this one is,
    /// and no earlier but for rounding.
    fn is_same(&self, touch: &Touch) -> bool {
        let [from, to] = touch.root.bracket;
        (self.pair, self.touchable) == (touch.pair, touch.touchable)
            && from <= self.bracket[1]
            && self.bracket[0] <= to
    }
}

/// How many coincidences are kept before those that belong together are merged: more than usual
/// queries have, and little memory.
const MANY: usize = 1 << 12;

/// Finds the touches of one part and, of these, the contacts that the options ask for; true if
/// there were coincidences, of which several may be the same contact.
pub(crate) fn run(
    [a, b]: [&Collider; 2],
    part: &Part,
    options: &Options,
    scratch: &mut Scratch,
    results: Results<'_>,
) -> bool {
    if part.keeps_apart([a.pivot(), b.pivot()], a.radius() + b.radius()) {
        return false;
    }
    let mut relative = Relative::new(part, a, b);
    let meeting = wanted(relative.meeting(), part, options);
    if meeting[0] > meeting[1] {
        return false;
    }
    if meeting != [0.0, 1.0] {
        relative = relative.during(meeting);
    }
    let Scratch { a: cache_a, b: cache_b, candidates, coincidences, lasting, times, by_time } =
        scratch;
    let cull = Cull { facing: options.facing, min_properness: options.min_properness };
    let chart = Chart::new(&relative.screw, a.radius(), relative.reach);
    let motion = (&relative, &chart);
    coincidences.clear();
    lasting.clear();
    let mut query = Query {
        a: Body::new(a, motion, Who::A, cull, cache_a),
        b: Body::new(b, motion, Who::B, cull, cache_b),
        relative: &relative,
        turns: Turns::new(),
        options,
        is_one_turn: false,
        times,
        coincidences,
        many: MANY,
        lasting,
        results,
        earliest: [f64::INFINITY; 2],
        cut: f64::INFINITY,
        floor: 0.0,
        asked: None,
        meeting,
        is_whole_part: meeting == [0.0, 1.0],
        is_undemanding: options.window == [0.0, 1.0] && options.admits(false),
    };
    let known = query.results.found.len();
    query.search(candidates, &chart, by_time);
    while options.first_only && query.has_left_out(known) {
        query.begin_again(known);
        query.search(candidates, &chart, by_time);
    }
    !query.coincidences.is_empty()
}

/// What of the time in which bodies may meet in a part is in the window of the options. That is a
/// little more, since contacts are asked again for their times.
fn wanted([from, to]: [f64; 2], part: &Part, options: &Options) -> [f64; 2] {
    let [start, end] = part.times();
    let local = |time: f64| (time - start) / (end - start);
    let [low, high] = options.window;
    [from.max(local(low) - WINDOW_PAD), to.min(local(high) + WINDOW_PAD)]
}

impl Query<'_> {
    /// Finds and tests candidates: all, or until none that is left can be the first.
    fn search(
        &mut self,
        candidates: &mut Candidates,
        chart: &Chart,
        by_time: &mut Vec<(f64, Test)>,
    ) {
        let is_first_only = self.options.first_only;
        self.is_one_turn = candidates.begin(&mut self.a, &mut self.b, chart);
        if is_first_only && !candidates.are_few() {
            let mut until = f64::INFINITY;
            while candidates.find_next((&mut self.a, &mut self.b), chart, until) {
                self.test_until_first(candidates, by_time);
                until = self.earliest[1];
            }
        } else {
            loop {
                let all = candidates.find(&mut self.a, &mut self.b, chart);
                if is_first_only {
                    self.test_until_first(candidates, by_time);
                } else {
                    self.test_all(candidates);
                }
                if all {
                    break;
                }
            }
        }
        self.resolve_coincidences();
    }

    /// Whether something may have been left out that cannot be told from the earliest contact,
    /// which is among those after the first `known`.
    ///
    /// A contact that is found later may be earlier, and its bracket may end later, than those
    /// before which candidates were left out. Nothing earlier than the earliest is ever left out,
    /// so its bracket says how far the search has to go.
    fn has_left_out(&mut self, known: usize) -> bool {
        let roots = self.results.found[known..].iter().map(|(_, found)| found.root);
        let time = roots.clone().map(|root| root.time).fold(f64::INFINITY, f64::min);
        let ends = roots.filter(|root| root.time == time).map(|root| root.bracket[1]);
        let [from, to] = self.meeting;
        self.floor = ends.map(|end| self.padded((end - from) / (to - from))).fold(0.0, f64::max);
        self.floor > self.cut
    }

    /// Forgets what was found after the first `known`.
    fn begin_again(&mut self, known: usize) {
        self.results.found.truncate(known);
        self.coincidences.clear();
        self.lasting.clear();
        self.asked = None;
        (self.earliest, self.cut) = ([f64::INFINITY; 2], f64::INFINITY);
        self.b.look_until(1.0);
    }

    fn test_all(&mut self, candidates: &Candidates) {
        for (list, moving) in [(&candidates.fv, Moving::B), (&candidates.vf, Moving::A)] {
            let mut waiting = None;
            for pair in list {
                if self.may_meet(pair, moving)
                    && let Some(pairs) = Twin::next(&mut waiting, pair)
                {
                    self.vertex_roots(pairs, moving);
                }
            }
            if let Some(first) = waiting {
                self.vertex_roots(Twin { first, second: None }, moving);
            }
        }
        let mut waiting = None;
        for pair in &candidates.ee {
            if self.may_cross(pair)
                && let Some(pairs) = Twin::next(&mut waiting, pair)
            {
                self.edge_roots(pairs);
            }
        }
        if let Some(first) = waiting {
            self.edge_roots(Twin { first, second: None });
        }
    }

    /// Tests candidates in the order in which they can touch at the earliest, and stops when a
    /// wanted contact comes before everything that is left.
    fn test_until_first(&mut self, candidates: &Candidates, by_time: &mut Vec<(f64, Test)>) {
        by_time.clear();
        let vertex = |moving: Moving| move |c: &Candidate| (c.window[0], Test::Vertex(*c, moving));
        by_time.extend(candidates.fv.iter().map(vertex(Moving::B)));
        by_time.extend(candidates.vf.iter().map(vertex(Moving::A)));
        by_time.extend(candidates.ee.iter().map(|c| (c.window[0], Test::Edges(*c))));
        by_time.sort_unstable_by(|p, q| p.0.total_cmp(&q.0));
        for &(from, test) in by_time.iter() {
            if from > self.earliest[1] {
                break;
            }
            let known = [self.results.found.len(), self.coincidences.len()];
            match test {
                Test::Vertex(first, moving) if self.may_meet(&first, moving) => {
                    self.vertex_roots(Twin { first: &first, second: None }, moving);
                }
                Test::Edges(first) if self.may_cross(&first) => {
                    self.edge_roots(Twin { first: &first, second: None });
                }
                _ => {}
            }
            self.note_earliest(known);
        }
    }

    /// Takes note of the earliest wanted contact among those that have become known.
    fn note_earliest(&mut self, known: [usize; 2]) {
        let [from, to] = self.meeting;
        for i in known[0]..self.results.found.len() {
            let Root { time, bracket, .. } = self.results.found[i].1.root;
            self.note_time([time, bracket[1]].map(|t| (t - from) / (to - from)));
        }
        for i in known[1]..self.coincidences.len() {
            let touch = self.coincidences[i];
            let is_news = !self.asked.is_some_and(|asked| asked.is_same(&touch));
            if is_news && touch.root.time <= self.earliest[0] {
                self.asked = Some(Asked::new(&touch));
                let found = self.resolve(&touch);
                if self.is_wanted(&found) {
                    self.note_time([touch.root.time, touch.root.bracket[1]]);
                }
            }
        }
    }

    /// Takes note of a wanted contact at a time, or until another, of the time in which bodies
    /// meet.
    fn note_time(&mut self, [time, until]: [f64; 2]) {
        // Twice, since coincidences that are merged differ by rounding: they need no second search.
        let until = self.padded(self.padded(until)).max(self.floor);
        let [earliest, latest] = self.earliest;
        if time < earliest || time == earliest && until > latest {
            self.earliest = [time, until];
            self.cut = self.cut.min(until);
        }
    }

    /// A time of that in which bodies meet, and what cannot be told from it.
    fn padded(&self, time: f64) -> f64 {
        let [from, to] = self.meeting;
        time + SIMULTANEOUS * f64::from(self.results.parts) / (to - from)
    }

    /// Whether a touch inside both of its features is a contact by itself, as nearly all are; the
    /// others are reported.
    #[inline(always)]
    pub(crate) fn is_plain(&self, root: &Root) -> bool {
        !root.is_lasting() && self.results.touches.is_none()
    }

    /// Takes down a touch: a coincidence waits until all that belong to it are known.
    #[cold]
    #[inline(never)]
    pub(crate) fn report(&mut self, touch: Touch) {
        if let Some(touches) = &mut self.results.touches {
            touches.push(Touch { root: in_part(touch.root, self.meeting), ..touch });
        }
        if touch.pair.met > Met::EdgeEdge {
            self.coincidences.push(touch);
            if self.coincidences.len() >= self.many {
                self.merge_coincidences();
            }
            return;
        }
        if touch.root.is_lasting() {
            // Edges that already slide over each other when a later part begins are not news: what
            // met first was reported then.
            if touch.pair.met == Met::EdgeEdge && self.results.part > 0 && touch.root.time == 0.0 {
                return;
            }
            self.lasting.push(touch.pair);
        }
        let found = self.resolve(&touch);
        self.keep_wanted(found);
    }

    /// Keeps a contact if the options ask for it.
    #[inline(always)]
    pub(crate) fn keep_wanted(&mut self, found: Found) {
        if self.is_wanted(&found) {
            self.keep(found);
        }
    }

    /// Keeps a contact, in the times of the part.
    #[inline(always)]
    fn keep(&mut self, mut found: Found) {
        if !self.is_whole_part {
            found.root = in_part(found.root, self.meeting);
            found.normal_speed /= self.meeting[1] - self.meeting[0];
        }
        self.results.found.push((self.results.part, found));
    }

    #[cold]
    fn merge_coincidences(&mut self) {
        merge(self.coincidences);
        self.many = MANY.max(2 * self.coincidences.len());
    }

    /// Resolves each coincidence, unless into a pair that stays in touch: that pair has a contact
    /// of its own, at its earliest time.
    fn resolve_coincidences(&mut self) {
        merge(self.coincidences);
        self.lasting.sort_unstable();
        for i in 0..self.coincidences.len() {
            let touch = self.coincidences[i];
            let found = self.resolve(&touch);
            if self.is_wanted(&found) && self.lasting.binary_search(&found.pair).is_err() {
                self.keep(found);
            }
        }
    }

    /// Whether the options ask for a contact.
    #[inline(always)]
    fn is_wanted(&mut self, found: &Found) -> bool {
        found.properness >= self.options.min_properness
            && (self.is_undemanding || self.is_wanted_here(found))
    }

    /// Whether the options ask for a contact of this place and time.
    #[inline(never)]
    fn is_wanted_here(&mut self, found: &Found) -> bool {
        let Options { facing, window, .. } = *self.options;
        let Results { part, parts, .. } = self.results;
        let time = in_step(part, in_part(found.root, self.meeting).time, parts);
        let is_in_window = window == [0.0, 1.0] || time >= window[0] && time <= window[1];
        let is_admitted = is_in_window && self.options.admits(found.touchable);
        is_admitted && (!facing || self.is_facing(found))
    }
}

/// A time of a part as one of the step. All that compare times of the step must round alike.
#[inline]
pub(crate) fn in_step(part: u32, time: f64, parts: u32) -> f64 {
    (f64::from(part) + time) * (1.0 / f64::from(parts))
}

/// A root between two times as one of the whole part.
#[inline]
fn in_part(root: Root, [from, to]: [f64; 2]) -> Root {
    if [from, to] == [0.0, 1.0] {
        return root;
    }
    let map = |t: f64| from + (to - from) * t;
    let [low, high] = root.bracket.map(map);
    let pad = if root.is_lasting() { 0.0 } else { f64::EPSILON };
    let bracket = [(low - pad).max(0.0), (high + pad).min(1.0)];
    Root { time: map(root.time), bracket, ..root }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::numeric::Helix;

    #[test]
    fn a_coincidence_that_another_pair_sees_is_not_asked_about_again() {
        let touch = |pair: Pair, touchable: bool, [from, to]: [f64; 2]| Touch {
            pair,
            tested: pair,
            root: Root { time: 0.5 * (from + to), bracket: [from, to], ..Root::lasting(from) },
            at: Helix::new(0.0).at(from),
            point: DVec3::ZERO,
            normal: DVec3::X,
            touchable,
        };
        let tips = Pair { met: Met::VertexVertex, a: 3, b: 7 };
        let asked = Asked::new(&touch(tips, true, [0.4, 0.5]));
        for bracket in [[0.4, 0.5], [0.45, 0.46], [0.3, 0.4], [0.5, 0.6]] {
            assert!(asked.is_same(&touch(tips, true, bracket)), "{bracket:?}");
            assert!(!asked.is_same(&touch(tips, false, bracket)), "{bracket:?}");
            let beside = Pair { b: 8, ..tips };
            assert!(!asked.is_same(&touch(beside, true, bracket)), "{bracket:?}");
        }
        for bracket in [[0.2, 0.3], [0.51, 0.6]] {
            assert!(!asked.is_same(&touch(tips, true, bracket)), "{bracket:?}");
        }
    }
}
