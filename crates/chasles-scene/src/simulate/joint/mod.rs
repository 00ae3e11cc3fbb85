//! From the keys of a joint to joints of the world.
//!
//! A joint with the world holds its body to an intangible one, which no result shows.

mod entry;
mod error;

use std::collections::BTreeSet;

use chasles::glam::DVec3;
use chasles_dynamics::linkage::{Anchor, Joint, JointError};
use chasles_dynamics::{Body, BodyId, World};
use toml::Spanned;

pub(crate) use entry::JointEntry;
use entry::{IntervalEntry, JointKind};
pub use error::JointProblem;

use super::SimulateProblem;
use crate::error::{Fault, Problem};
use crate::given::{Span, span};
use crate::motion;
use crate::spelling::nearest;

/// A table with copies: its name, its first body, and how far each copy is from `start`.
#[derive(Clone, Debug)]
pub(super) struct Copied {
    pub(super) name: String,
    pub(super) first: usize,
    pub(super) shifts: Vec<DVec3>,
}

/// What a joint may hold: bodies by their names, and tables whose copies each get one.
#[derive(Clone, Copy)]
pub(super) struct Holdable<'s> {
    pub(super) names: &'s [String],
    pub(super) copied: &'s [Copied],
}

/// Links the bodies of a world by joints; the pairs that joints say do not collide, the smaller
/// number first.
pub(super) fn link(
    world: &mut World,
    holdable: Holdable<'_>,
    joints: &[Spanned<JointEntry>],
) -> Result<BTreeSet<[usize; 2]>, Fault> {
    let [mut refused, mut stated] = [BTreeSet::new(), BTreeSet::new()];
    let mut linked = BTreeSet::new();
    for entry in joints {
        let maker = Maker { holdable, entry };
        let named = maker.named(world)?;
        for copy in 0..maker.count(&named)? {
            let pair = maker.link(world, &named, copy)?;
            match entry.get_ref().collide.as_ref().map(|collide| *collide.get_ref()) {
                Some(true) => stated.insert(pair),
                Some(false) => refused.insert(pair),
                None => linked.insert(pair),
            };
        }
    }
    for &[a, b] in linked.difference(&stated) {
        world.ignore_inside(BodyId(a), BodyId(b));
    }
    for &[a, b] in &refused {
        world.ignore(BodyId(a), BodyId(b));
    }
    Ok(refused)
}

/// What holds a body to the world. It has the same surface, for the world corrects joints by at
/// most the size of the smallest body.
fn hook(body: &Body) -> Body {
    Body::fixed(body.shape().clone()).at(body.pose()).intangible()
}

/// What a name of a joint stands for: one body, or all copies of a table.
#[derive(Clone, Copy)]
struct Named<'s> {
    first: usize,
    shifts: Option<&'s [DVec3]>,
}

impl Named<'_> {
    /// The number of the body that a copy of the joint holds.
    fn body(&self, copy: usize) -> usize {
        self.first + self.shifts.map_or(0, |_| copy)
    }
}

/// A table of a joint, and what it may hold.
struct Maker<'s> {
    holdable: Holdable<'s>,
    entry: &'s Spanned<JointEntry>,
}

impl<'s> Maker<'s> {
    fn kind(&self) -> JointKind {
        *self.entry.get_ref().kind.get_ref()
    }

    fn unknown(&self, name: &str) -> JointProblem {
        let Holdable { names, copied } = self.holdable;
        let all = names.iter().chain(copied.iter().map(|table| &table.name));
        let meant = nearest(name, all.map(String::as_str));
        let meant = meant.map(|other| format!("; did you mean {other:?}?")).unwrap_or_default();
        JointProblem::Unknown(name.to_string(), meant)
    }

    /// The bodies of one name.
    fn one(&self, name: &Spanned<String>) -> Result<Named<'s>, Fault> {
        let Holdable { names, copied } = self.holdable;
        if let Some(first) = names.iter().position(|other| other == name.get_ref()) {
            return Ok(Named { first, shifts: None });
        }
        let table = copied.iter().find(|table| table.name == *name.get_ref());
        let table = table.ok_or_else(|| fault(self.unknown(name.get_ref()), name.span()))?;
        Ok(Named { first: table.first, shifts: Some(&table.shifts) })
    }

    /// How many joints the table makes: one for each copy of the bodies that it names.
    fn count(&self, named: &[Named<'_>]) -> Result<usize, Fault> {
        let counts: Vec<usize> =
            named.iter().filter_map(|one| one.shifts.map(<[DVec3]>::len)).collect();
        match counts[..] {
            [first, second] if first != second => {
                let problem = JointProblem::CopyCounts([first, second]);
                Err(fault(problem, self.entry.get_ref().bodies.span()))
            }
            [count, ..] => Ok(count),
            [] => Ok(1),
        }
    }

    /// Makes one of the joints; the numbers of its bodies, the smaller first.
    fn link(
        &self,
        world: &mut World,
        named: &[Named<'_>],
        copy: usize,
    ) -> Result<[usize; 2], Fault> {
        let found: Vec<usize> = named.iter().map(|one| one.body(copy)).collect();
        let shift = named.iter().find_map(|one| one.shifts).map_or(DVec3::ZERO, |all| all[copy]);
        let bodies = match found[..] {
            [first, second] => [first, second],
            _ => [world.add(hook(&world.bodies()[found[0]])).0, found[0]],
        };
        let joint = self.joint(world, bodies, shift)?;
        let joined = world.join(joint);
        joined.map_err(|error| fault(JointProblem::Other(error.to_string()), self.entry.span()))?;
        Ok([bodies[0].min(bodies[1]), bodies[0].max(bodies[1])])
    }

    /// What the one or two names of the joint stand for.
    fn named(&self, world: &World) -> Result<Vec<Named<'s>>, Fault> {
        let JointEntry { bodies, collide, .. } = self.entry.get_ref();
        let stated = bodies.get_ref();
        let named = stated.iter().map(|name| self.one(name));
        let named = named.collect::<Result<Vec<Named<'_>>, Fault>>()?;
        let found: Vec<usize> = named.iter().map(|one| one.first).collect();
        match (found.as_slice(), collide) {
            ([first, second], _) if first == second => {
                let name = stated[1].get_ref().clone();
                return Err(fault(JointProblem::Itself(name), stated[1].span()));
            }
            ([_], Some(collide)) => return Err(fault(JointProblem::CollideAlone, collide.span())),
            ([_] | [_, _], _) => {}
            (other, _) => return Err(fault(JointProblem::Count(other.len()), bodies.span())),
        }
        if !found.iter().any(|&body| world.bodies()[body].mass_properties().is_some()) {
            let verb = if found.len() == 1 { "is" } else { "are" };
            let names: Vec<String> =
                stated.iter().map(|name| format!("{:?}", name.get_ref())).collect();
            let names = format!("{} {verb}", names.join(" and "));
            return Err(fault(JointProblem::NothingDynamic(names), bodies.span()));
        }
        Ok(named)
    }

    /// The joint between two bodies where they are now, its anchor moved by a shift.
    fn joint(&self, world: &World, bodies: [usize; 2], shift: DVec3) -> Result<Joint, Fault> {
        let JointEntry { degrees, travel, swing_degrees, turn_motor, slide_motor, .. } =
            self.entry.get_ref();
        let poses = bodies.map(|body| world.bodies()[body].pose());
        let anchors = self.anchor(shift)?.in_bodies([&poses[0], &poses[1]]);
        let mut joint = self.bare(bodies, anchors).map_err(|error| self.told(error, None))?;
        if let Some(entry) = degrees {
            let [low, high] = interval("degrees", entry)?;
            let limited = joint.limit_angle(low.to_radians(), high.to_radians());
            joint = limited.map_err(|error| self.told(error, Some(("degrees", entry.span()))))?;
        }
        if let Some(entry) = travel {
            let [low, high] = interval("travel", entry)?;
            let limited = joint.limit_travel(low, high);
            joint = limited.map_err(|error| self.told(error, Some(("travel", entry.span()))))?;
        }
        if let Some(entry) = swing_degrees {
            let limited = joint.limit_swing(entry.get_ref().to_radians());
            let key = ("swing_degrees", entry.span());
            joint = limited.map_err(|error| self.told(error, Some(key)))?;
        }
        if let Some(entry) = turn_motor {
            let torque = strength("torque", &entry.get_ref().torque)?;
            let driven = joint.drive_angle(entry.get_ref().speed, torque);
            joint = driven.map_err(|error| self.told(error, Some(("turn_motor", entry.span()))))?;
        }
        if let Some(entry) = slide_motor {
            let force = strength("force", &entry.get_ref().force)?;
            let driven = joint.drive_travel(entry.get_ref().speed, force);
            joint =
                driven.map_err(|error| self.told(error, Some(("slide_motor", entry.span()))))?;
        }
        Ok(joint)
    }

    /// Where the joint is, moved by a shift, and which way its axis points.
    fn anchor(&self, shift: DVec3) -> Result<Anchor, Fault> {
        let JointEntry { kind, anchor, axis, swing_degrees, .. } = self.entry.get_ref();
        let point = shift + motion::vector(anchor.as_ref().map(|anchor| *anchor.get_ref()));
        let name = self.kind().name();
        let made = match (axis, swing_degrees) {
            (Some(axis), _) if self.kind() == JointKind::Weld => {
                let problem = JointProblem::NotOfKind { kind: name, key: "axis" };
                return Err(fault(problem, axis.span()));
            }
            (Some(axis), _) => Anchor::along(point, motion::vector(Some(*axis.get_ref()))),
            (None, _) if self.kind().has_axis() => {
                return Err(fault(JointProblem::NoAxis(name), kind.span()));
            }
            (None, Some(swing)) if self.kind() == JointKind::Ball => {
                return Err(fault(JointProblem::SwingOfNothing, swing.span()));
            }
            (None, _) => Anchor::at(point),
        };
        made.map_err(|error| self.told(error, None))
    }

    fn bare(&self, bodies: [usize; 2], anchors: [Anchor; 2]) -> Result<Joint, JointError> {
        match self.kind() {
            JointKind::Ball => Joint::ball(bodies, anchors),
            JointKind::Hinge => Joint::hinge(bodies, anchors),
            JointKind::Cardan => Joint::cardan(bodies, anchors),
            JointKind::Weld => Joint::weld(bodies, anchors),
            JointKind::Line => Joint::line(bodies, anchors),
            JointKind::Piston => Joint::piston(bodies, anchors),
            JointKind::Rail => Joint::rail(bodies, anchors),
            JointKind::Plane => Joint::plane(bodies, anchors),
            JointKind::Plate => Joint::plate(bodies, anchors),
            JointKind::NoSpin => Joint::no_spin(bodies, anchors),
        }
    }

    /// What the library objects to, where the file says so.
    fn told(&self, error: JointError, key: Option<(&'static str, Span)>) -> Fault {
        let JointEntry { anchor, axis, .. } = self.entry.get_ref();
        let kind = self.kind().name();
        let place = |other: Option<Span>| other.unwrap_or_else(|| self.entry.span());
        match (error, key) {
            (JointError::Missing(_), Some((key, span))) => {
                fault(JointProblem::NotOfKind { kind, key }, span)
            }
            (JointError::Swing(angle), Some((_, span))) => {
                fault(JointProblem::Swing(angle.to_degrees()), span)
            }
            (JointError::Axis(axis_as_read), _) => {
                Fault::new(Problem::ZeroAxis(axis_as_read.to_array()), place(span(axis)))
            }
            (error, key) => {
                let stated = key.map(|(_, span)| span).or_else(|| span(anchor));
                fault(JointProblem::Other(error.to_string()), place(stated))
            }
        }
    }
}

/// Limits in their order, around the start.
fn interval(key: &'static str, entry: &Spanned<IntervalEntry>) -> Result<[f64; 2], Fault> {
    let [low, high] = entry.get_ref().0;
    if low > high {
        return Err(fault(JointProblem::Empty { key, low, high }, entry.span()));
    }
    if low > 0.0 || high < 0.0 {
        return Err(fault(JointProblem::Outside { key, low, high }, entry.span()));
    }
    Ok([low, high])
}

/// The most that a motor may do: without end, if it is not given.
fn strength(key: &'static str, entry: &Option<Spanned<f64>>) -> Result<f64, Fault> {
    let Some(entry) = entry else { return Ok(f64::INFINITY) };
    let number = *entry.get_ref();
    if number < 0.0 {
        return Err(fault(JointProblem::Below { key, number }, entry.span()));
    }
    Ok(number)
}

/// Fails if there are joints: only simulations have them.
pub(super) fn refuse(joints: &[Spanned<JointEntry>]) -> Result<(), Fault> {
    joints.first().map_or(Ok(()), |joint| Err(fault(JointProblem::OfSimulate, joint.span())))
}

fn fault(problem: JointProblem, span: Span) -> Fault {
    Fault::new(SimulateProblem::Joint(problem), span)
}
