//! Every contact of two polyhedra under a relative screw motion, exactly.
//!
//! *Question.* Two bodies move in one step, each along a screw; their relative motion is taken to
//! be a screw [Buss04 §4]. When, where and between which features do they touch, if nothing stops
//! them? This is the exact counterpart of the rasterized algorithm of the paper, the "alternate
//! method" at the end of its section 6, with the analytic tests of MATH 2 to 5.
//!
//! *Accepts* any two [`Collider`]s and any [`Step`]. *Guarantees* that every contact whose place
//! and time are clear of rounding (by about 1e-13 of the sizes at hand) is found once, and that
//! nothing is reported that is farther than that from touching; each contact carries a bracket for
//! its time. Grazing contacts and pairs that stay in touch are reported once, at the earliest
//! time, and marked. *Cost* about linear in the number of features whose bounds in the chart
//! overlap, plus the number of contacts; sublinear in the meshes for bodies that miss each other.
//! Where vertices far away make these bounds coarse, leaves of the trees whose balls meet on the
//! way count instead. Memory is linear in the meshes and the contacts, and at most 100 megabytes
//! more. No allocation once the [`Workspace`] has grown and queries have seen the parts of large
//! bodies that meet. *Fails* never.
//!
//! ```text
//! step -> parts -> Relative (one screw)      relative.rs
//!      -> Candidates (chart, two trees)      pairs.rs, body.rs, leaf.rs
//!      -> Touches (roots, places)            touch.rs, numeric/gaps.rs, contact/locate.rs
//!      -> Found (normal, properness)         resolve.rs
//!      -> Contacts (labels, world, sorted)   here
//! ```

mod apart;
mod body;
mod cache;
mod leaf;
mod meet;
mod pack;
mod pairs;
mod placed;
mod query;
mod relative;
mod resolve;
mod touch;
mod trial;
mod turn_set;

use crate::bounds::Collider;
pub use crate::contact::Options;
use crate::contact::{Contact, Features, keep_first};
use crate::motion::{Frames, Step};
use crate::numeric::roots::Root;

use query::{Results, Scratch, in_step, run};
use resolve::Found;

/// Memory that queries reuse: after the first query with bodies of a size, later ones allocate
/// nothing.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    scratch: Scratch,
    found: Vec<(u32, Found)>,
    order: Vec<(u64, u32)>,
    /// Where shares of the step end in the order.
    ends: Vec<u32>,
    contacts: Vec<Contact>,
}

impl Workspace {
    /// An empty workspace; grows with the first query.
    pub fn new() -> Self {
        Self::default()
    }
}

/// A root of a feature pair before anything is resolved, in input numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawEvent {
    /// The pair whose gap vanishes.
    pub features: Features,
    /// When.
    pub time: f64,
    /// A double root, a pair that stays in touch, or a touch on the border of a feature.
    pub grazing: bool,
}

/// Every contact of the step, sorted by time.
///
/// *Accepts* any two bodies and any step. *Guarantees* as the [module](self) says; contacts at
/// equal times are in the order of their features. *Cost* see there. *Fails* never.
///
/// ```
/// use chasles::{Collider, Options, Polygons, Polyhedron, Pose, Motion, Step, Workspace, contacts};
/// let triangle = Polygons::new([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]], [[0, 1, 2]]);
/// let point = Polygons::new([[0.2, 0.2, 1.0]], [] as [[u32; 3]; 0]);
/// let [a, b] = [&triangle, &point].map(|p| Collider::new(Polyhedron::new(p).unwrap()));
/// let fall = [Pose::IDENTITY, Pose::from_position([0.0, 0.0, -4.0])?];
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(fall[0], fall[1]));
/// let mut workspace = Workspace::new();
/// let found = contacts(&a, &b, &step, &Options::default(), &mut workspace);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].time, 0.25);
/// # Ok::<(), chasles::motion::MotionError>(())
/// ```
pub fn contacts<'w>(
    a: &Collider,
    b: &Collider,
    step: &Step,
    options: &Options,
    workspace: &'w mut Workspace,
) -> &'w [Contact] {
    workspace.found.clear();
    let mut coincidences = false;
    for index in 0..step.parts() {
        let part = step.part(index);
        if part.times()[0] > options.window[1] || part.times()[1] < options.window[0] {
            continue;
        }
        let Workspace { scratch, found, .. } = &mut *workspace;
        let results = Results { part: index, parts: step.parts(), found, touches: None };
        coincidences |= run([a, b], &part, options, scratch, results);
        if options.first_only && !workspace.found.is_empty() {
            break;
        }
    }
    finish(a, b, step, workspace);
    let Workspace { contacts, order, .. } = workspace;
    if coincidences || contacts.iter().any(|contact| contact.grazing) {
        drop_repeated(contacts, order);
    }
    if step.parts() > 1 {
        join_parts(contacts, step.parts());
    }
    if options.first_only {
        keep_first(contacts);
    }
    contacts
}

/// Every root of every pair of features that may touch, before resolution: for tests of
/// completeness. Times are of the whole step.
///
/// *Accepts* and *Guarantees* as [`contacts`]. *Cost* as there, and allocates its result. *Fails*
/// never.
pub fn raw_events(
    a: &Collider,
    b: &Collider,
    step: &Step,
    workspace: &mut Workspace,
) -> Vec<RawEvent> {
    workspace.found.clear();
    let mut events = Vec::new();
    let mut touches = Vec::new();
    for index in 0..step.parts() {
        let part = step.part(index);
        let Workspace { scratch, found, .. } = &mut *workspace;
        let wanted = Some(&mut touches);
        let results = Results { part: index, parts: step.parts(), found, touches: wanted };
        run([a, b], &part, &Options::default(), scratch, results);
        let [t0, t1] = part.times();
        events.extend(touches.drain(..).map(|touch| RawEvent {
            features: touch.tested.labelled(a.mesh(), b.mesh()),
            time: t0 + (t1 - t0) * touch.root.time,
            grazing: touch.root.grazing || touch.pair != touch.tested,
        }));
    }
    events
}

/// Sorts what was found by time, and equal times by features, and writes the contacts.
fn finish(a: &Collider, b: &Collider, step: &Step, workspace: &mut Workspace) {
    let Workspace { found, order, ends, contacts, .. } = workspace;
    let n = f64::from(step.parts());
    let global = |part: u32, t: f64| in_step(part, t, step.parts());
    // Bits of numbers that are not negative are in the order of the numbers.
    let bits = |(part, found): &(u32, Found)| (global(*part, found.root.time) + 0.0).to_bits();
    sort_evenly(order, ends, found.iter().map(bits));
    let features = |i: u32| found[i as usize].1.pair.labelled(a.mesh(), b.mesh());
    for equal in order.chunk_by_mut(|p, q| p.0 == q.0) {
        equal.sort_unstable_by_key(|(_, i)| features(*i));
    }
    contacts.clear();
    if order.is_empty() {
        return;
    }
    let frames = Frames::of_a(step);
    // All at once: each is written where it stays.
    contacts.extend(order.iter().map(|&(bits, i)| {
        let time = f64::from_bits(bits);
        let (part, found) = &found[i as usize];
        let frame = frames.at(time);
        let point_in_a = found.point + a.pivot();
        let Root { bracket, grazing, .. } = found.root;
        Contact {
            features: found.pair.labelled(a.mesh(), b.mesh()),
            time,
            time_bracket: bracket.map(|t| global(*part, t)),
            point_in_a,
            normal_in_a: found.normal,
            point: frame.point(point_in_a),
            normal: frame.rotation * found.normal,
            properness: found.properness,
            normal_speed: found.normal_speed * n,
            grazing,
            touchable: found.touchable,
        }
    }));
}

/// Sorts times in `[0, 1]`, given as bits, and says which is where: each goes to one of as many
/// equal shares of the step as there are times, and few of them need to be sorted there.
fn sort_evenly(
    order: &mut Vec<(u64, u32)>,
    ends: &mut Vec<u32>,
    times: impl ExactSizeIterator<Item = u64> + Clone,
) {
    // Adding this leaves the nearest whole number in the last bits.
    const WHOLE: f64 = (1_u64 << 52) as f64;
    let count = times.len();
    let place = |bits: u64| f64::from_bits(bits) * count as f64 + WHOLE;
    let share = |bits: u64| (place(bits).to_bits() as u32 as usize).min(count);
    ends.clear();
    ends.resize(count + 2, 0);
    times.clone().for_each(|bits| ends[share(bits) + 1] += 1);
    let mut before = 0;
    for end in ends.iter_mut() {
        before += *end;
        *end = before;
    }
    order.clear();
    order.resize(count, (0, 0));
    for (bits, i) in times.zip(0..) {
        let end = &mut ends[share(bits)];
        order[*end as usize] = (bits, i);
        *end += 1;
    }
    let mut start = 0;
    for &end in ends.iter() {
        let [from, to] = [start as usize, end as usize];
        if to > from + 1 {
            order[from..to].sort_unstable_by_key(|(bits, _)| *bits);
        }
        start = end;
    }
}

/// Drops what is the same contact again: coincidences of one place that were resolved into the same
/// pair, grazing contacts between features that grazed before, and all but the first contact of
/// pairs that stay in touch: such a pair is seen again where it crosses an edge, and in each part.
fn drop_repeated(contacts: &mut Vec<Contact>, order: &mut Vec<(u64, u32)>) {
    order.clear();
    order.extend((0..contacts.len() as u32).map(|i| (0, i)));
    let at = |i: u32| &contacts[i as usize];
    order.sort_unstable_by_key(|(_, i)| (at(*i).features, *i));
    for equal in order.chunk_by_mut(|p, q| at(p.1).features == at(q.1).features) {
        let [mut grazed, mut lasted] = [false; 2];
        let mut before: Option<u32> = None;
        for (dropped, i) in equal {
            // The time of a pair that stays in touch is where it begins; its bracket is a point.
            let grazing = at(*i).grazing;
            let lasting = grazing && width(at(*i)) == 0.0;
            let again = before.is_some_and(|before| is_same_time(at(before), at(*i)));
            let repeated = grazing && (lasted || grazed) || before.is_some() && lasting || again;
            // What is the same touch of coincident features can be touched if one of them can.
            *dropped = match before {
                Some(before) if again => u64::from(before) + 2,
                _ => u64::from(repeated),
            };
            grazed |= grazing;
            lasted |= lasting;
            before = Some(*i);
        }
    }
    order.retain(|(dropped, _)| *dropped > 0);
    // The last first: what it repeats may be dropped itself.
    for &(dropped, i) in order.iter().rev().filter(|(dropped, _)| *dropped > 1) {
        let touchable = contacts[i as usize].touchable;
        contacts[(dropped - 2) as usize].touchable |= touchable;
    }
    order.sort_unstable_by_key(|(_, i)| *i);
    let mut next = 0;
    let mut index = 0;
    contacts.retain(|_| {
        let drop = order.get(next).is_some_and(|(_, i)| *i == index);
        next += usize::from(drop);
        index += 1;
        !drop
    });
}

/// Removes what two neighbouring parts both saw at their common border.
fn join_parts(contacts: &mut Vec<Contact>, parts: u32) {
    let n = f64::from(parts);
    let mut kept = 0;
    for i in 0..contacts.len() {
        let next = contacts[i];
        let scaled = next.time * n;
        let at_border = (scaled - scaled.round()).abs() <= 1e-9 + n * width(&next);
        let earlier = contacts[..kept].iter().rev();
        let mut soon = earlier.take_while(|earlier| next.time - earlier.time <= 1e-9 + 2.0 * SHORT);
        let seen = at_border
            && soon.any(|earlier| {
                let near = next.time - earlier.time <= 1e-9 + width(&next) + width(earlier);
                near && earlier.features == next.features
            });
        if !seen {
            contacts[kept] = next;
            kept += 1;
        }
    }
    contacts.truncate(kept);
}

/// Whether two contacts of the same features may be one: features do not meet again this soon.
fn is_same_time(earlier: &Contact, later: &Contact) -> bool {
    later.time - earlier.time <= 1e-9 + width(later).max(width(earlier))
}

/// Brackets are not wider than this, apart from uncertain ones, which join only with near ones.
const SHORT: f64 = 1e-6;

fn width(contact: &Contact) -> f64 {
    contact.time_bracket[1] - contact.time_bracket[0]
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::contact::Features;

    #[test]
    fn the_last_of_three_repeats_makes_the_first_touchable() {
        let at = |time: f64, touchable: bool| Contact {
            features: Features::Vf { vertex: 1, face: 2 },
            time,
            time_bracket: [time; 2],
            point_in_a: DVec3::ZERO,
            normal_in_a: DVec3::Z,
            point: DVec3::ZERO,
            normal: DVec3::Z,
            properness: 0.5,
            normal_speed: -1.0,
            grazing: false,
            touchable,
        };
        for last in [true, false] {
            let mut contacts = vec![at(0.5, false), at(0.5, false), at(0.5, last), at(0.7, false)];
            drop_repeated(&mut contacts, &mut Vec::new());
            let found: Vec<bool> = contacts.iter().map(|contact| contact.touchable).collect();
            assert_eq!(found, [last, false]);
        }
    }
}
