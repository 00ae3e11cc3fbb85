//! Approximately: all contacts of a step, from projections onto a screen of pixels.
//!
//! *Question.* The same as that of [`screw`](crate::screw): two bodies move along a relative screw;
//! when, where and between which features do they touch? Here the two whole bodies are projected
//! along their common motion onto a curved screen [Buss04 §6 to §9]. What falls on the same pixel
//! may touch, and the difference of the times at which both reach the screen says when.
//!
//! *Accepts* any two [`Collider`]s and any [`Step`]. *Guarantees* contacts of facing, approaching
//! parts of the surfaces only, each within a pixel of touching; proper contacts whose place is
//! clear of other features by more than a few pixels are found. With [`Options::robust`] every pair
//! of features that comes within a pixel is reported too, at its closest approach, and none that
//! stays farther than two. *Cost* of [`Drawing::Pixels`] linear in the pixels that edges cover,
//! plus the pairs that share one; of the others linear in the edges; below some 500 faces linear in
//! these, plus a small part of all pairs; in robust mode also linear in the pairs of features whose
//! ways come near each other. No allocation once the [`Workspace`] has grown. *Fails* on options
//! that make no sense, and on screens of too many records.
//!
//! Where to find each step, and the section of the paper; the `mod.rs` of a folder has its files:
//!
//! ```text
//! step -> parts -> Relative, Axes   the screw; the screen      §4.1, §6, §7   place/
//!      -> Tiles, Strokes            facing faces; their edges  §4.2, §8       drawing/
//!      -> Pen                       edges as straight pieces   §9, step 3     drawing/
//!      -> one of three drawings, see Drawing:
//!         Pixels   pixel records, sweeps, times from them      §9, steps 3-6  pixels/
//!         Rows     lines in high rows, and a sweep                            rows/
//!         Pairs    few faces, compared by bounds                              pairs/
//!      -> Found    properness; EV, VE and VV resolved          §5             judging/
//!      -> Near     robust: what comes within a pixel           §10            near/
//!      -> Contacts labels, world, sorted                                      here
//!
//! query.rs     leads one part of a step through these
//! device/      the same for graphics hardware
//! tracker.rs   keeps poses that are known to be good          §10
//! ```
//!
//! *Where it fails.* Features smaller than a pixel are seen or not as they happen to fall. Bodies
//! that do not move relative to each other have no screen, and touch nothing; robust mode sees what
//! of them is near. A vertex without edges comes near faces, but not near other such vertices or
//! edges without faces. An edge with more than two faces is drawn once for each two, and compared
//! once where faces are few.

pub mod device;
mod drawing;
mod judging;
mod near;
mod options;
mod pairs;
mod pixels;
mod place;
mod query;
mod rows;
mod tracker;

use crate::bounds::Collider;
use crate::contact::Contact;
use crate::motion::{Frames, Step};

use judging::resolve::Found;
use near::closest::SAME;
use options::Grid;
use query::Scratch;

pub use drawing::facing::facing_parts;
pub use options::{Drawing, Options, Resolution, ScreenError, typical_edge};
pub use place::projection::{Place, Projection, projection};
pub use query::Statistics;
pub use rows::records::Order;
pub use tracker::Tracker;

/// Memory that queries reuse: after the first query with bodies of a size, later ones allocate
/// nothing.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    scratch: Scratch,
    nearby: near::pairs_near::Scratch,
    found: Vec<Found>,
    contacts: Vec<Contact>,
    /// Of steps with several parts: where each contact is from.
    origins: Vec<Origin>,
    order: Vec<u32>,
    cost: Statistics,
}

impl Workspace {
    /// An empty workspace; grows with the first query. *Cost* constant. *Fails* never.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the last query cost; nothing before the first. *Cost* constant. *Fails* never.
    pub fn statistics(&self) -> Statistics {
        self.cost
    }
}

/// The contacts of the step that the screen shows, sorted by time.
///
/// *Accepts* any two bodies and any step. *Guarantees* as the [module](self) says; contacts at
/// equal times are in the order of their features. *Cost* see there. *Fails* as [`ScreenError`]
/// says.
///
/// ```
/// use chasles::{Collider, Polygons, Polyhedron, Pose, Motion, Step, screen};
/// let triangle = Polygons::new([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]], [[0, 1, 2]]);
/// let point = Polygons::new([[0.2, 0.2, 1.0]], [] as [[u32; 3]; 0]);
/// let [a, b] = [&triangle, &point].map(|p| Collider::new(Polyhedron::new(p).unwrap()));
/// let fall = [Pose::IDENTITY, Pose::from_position([0.0, 0.0, -4.0])?];
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(fall[0], fall[1]));
/// let mut workspace = screen::Workspace::new();
/// let found = screen::contacts(&a, &b, &step, &screen::Options::default(), &mut workspace)?;
/// assert_eq!(found.len(), 1);
/// assert!((found[0].time - 0.25).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts<'w>(
    a: &Collider,
    b: &Collider,
    step: &Step,
    options: &Options,
    workspace: &'w mut Workspace,
) -> Result<&'w [Contact], ScreenError> {
    let grid = options.grid(a, b)?;
    workspace.start();
    let mut frames = None;
    let crossing = &Options { robust: false, ..*options };
    for index in 0..step.parts() {
        let part = &step.part(index);
        let Workspace { scratch, found, .. } = workspace;
        let one = query::run([a, b], part, (crossing, grid), scratch, found)?;
        workspace.cost.add(&one);
        workspace.end_part([a, b], (step, index), (options, grid), &mut frames)?;
    }
    Ok(workspace.end(step, grid))
}

impl Workspace {
    /// Forgets the last query.
    fn start(&mut self) {
        self.found.clear();
        self.contacts.clear();
        self.origins.clear();
        self.cost = Statistics::default();
    }

    /// Takes over what was found in a part of the step, and in robust mode what comes near in it.
    fn end_part(
        &mut self,
        bodies: [&Collider; 2],
        (step, index): (&Step, u32),
        (options, grid): (&Options, Grid),
        frames: &mut Option<Frames>,
    ) -> Result<(), ScreenError> {
        let Self { nearby, found, contacts, origins, cost, .. } = self;
        if options.robust {
            let part = &step.part(index);
            cost.compared += near::passing::add(bodies, part, (options, grid), nearby, found)?;
        }
        if !found.is_empty() {
            let frames = *frames.get_or_insert_with(|| Frames::of_a(step));
            let part = PartOfStep { parts: step.parts(), index, frames };
            contacts.extend(found.iter().map(|found| part.contact(bodies, found)));
            if step.parts() > 1 {
                origins.extend(found.iter().map(|found| Origin::of(found, index)));
            }
        }
        found.clear();
        Ok(())
    }

    /// The contacts of all parts, sorted.
    fn end(&mut self, step: &Step, grid: Grid) -> &[Contact] {
        let Self { contacts, origins, order, .. } = self;
        if step.parts() > 1 {
            join_parts(contacts, origins, order, SAME * grid.pixel);
        }
        contacts.sort_unstable_by_key(|c: &Contact| ((c.time + 0.0).to_bits(), c.features));
        contacts
    }
}

struct PartOfStep {
    parts: u32,
    index: u32,
    frames: Frames,
}

impl PartOfStep {
    fn contact(&self, [a, b]: [&Collider; 2], found: &Found) -> Contact {
        let n = f64::from(self.parts);
        let global = |t: f64| (f64::from(self.index) + t.clamp(0.0, 1.0)) / n;
        let time = global(found.time);
        let frame = self.frames.at(time);
        let point_in_a = found.point + a.pivot();
        Contact {
            features: found.pair.labelled(a.mesh(), b.mesh()),
            time,
            time_bracket: [-found.doubt, found.doubt].map(|w| global(found.time + w)),
            point_in_a,
            normal_in_a: found.normal,
            point: frame.point(point_in_a),
            normal: frame.rotation * found.normal,
            properness: found.properness,
            normal_speed: found.normal_speed * n,
            grazing: found.gap > 0.0,
            touchable: found.touchable,
        }
    }
}

/// What a contact does not tell: its part, and how it was there.
#[derive(Clone, Copy, Debug)]
struct Origin {
    part: u32,
    gap: f64,
    /// Whether it is at the start and at the end of the part, where a closest approach is one only
    /// if the neighbouring part has no closer one.
    at_border: [bool; 2],
    is_kept: bool,
}

/// What is within this share of a part of its start or end is there.
const BORDER: f64 = 1e-6;

impl Origin {
    fn of(found: &Found, part: u32) -> Self {
        let at_border = [found.time <= BORDER, found.time >= 1.0 - BORDER];
        Self { part, gap: found.gap, at_border, is_kept: true }
    }
}

/// Drops of what two neighbouring parts both saw at their common border the later, or the farther;
/// and what is near only since its features come nearer in the neighbouring part.
fn join_parts(
    contacts: &mut Vec<Contact>,
    origins: &mut [Origin],
    order: &mut Vec<u32>,
    same: f64,
) {
    order.clear();
    order.extend(0..contacts.len() as u32);
    let key = |i: &u32| {
        let contact = &contacts[*i as usize];
        (contact.features, origins[*i as usize].part, (contact.time + 0.0).to_bits())
    };
    order.sort_unstable_by_key(key);
    for pair in order.windows(2) {
        let both = [pair[0] as usize, pair[1] as usize];
        let [last, next] = both.map(|i| &contacts[i]);
        let [from, to] = both.map(|i| origins[i]);
        if last.features == next.features && from.part + 1 == to.part {
            let dropped = dropped([last, next], [from, to], same);
            dropped.into_iter().for_each(|i| origins[both[i]].is_kept = false);
        }
    }
    let mut kept = origins.iter().map(|origin| origin.is_kept);
    contacts.retain(|_| kept.next() == Some(true));
}

/// Which of two contacts of the same features in neighbouring parts is none of its own; of gaps
/// that differ by `same` at most the later.
fn dropped([last, next]: [&Contact; 2], [from, to]: [Origin; 2], same: f64) -> Option<usize> {
    let farther = usize::from(to.gap >= from.gap - same);
    let width = |c: &Contact| c.time_bracket[1] - c.time_bracket[0];
    let both_touch = from.gap == 0.0 && to.gap == 0.0;
    let is_one = both_touch && next.time - last.time <= 2.0 * width(last).max(width(next));
    let is_passing = [from.gap > 0.0 && from.at_border[1], to.gap > 0.0 && to.at_border[0]];
    (is_one || is_passing[farther]).then_some(farther)
}
