//! Bodies that sheets carry: what sheets do to them in a step, found before they move.
//!
//! ```text
//! bodies as they would fall, sheets -> changes of velocity      spring/prediction.rs
//! bodies with these                 -> their paths              window
//! sheets among the paths            -> pushes, as foreseen      cloth.rs
//! ```
//!
//! Bodies that are stepped in windows get their changes little by little over the step, and move as
//! all that is held does, with the velocity of the end of a window.
//!
//! Sheets do not know what bodies do to each other: they take it to be what it was in the last
//! step. Where it turns out to be something else, sheets and bodies are asked in turns until both
//! agree. That is a fixed point `r = f(r)` in what bodies do to each other. Where a heavy body
//! presses on a light one through a sheet, turns alone take many rounds; a secant through the last
//! two of them (Anderson's method, weighed by masses) takes few.

use chasles::deform::Surface;
use glam::DVec3;

use super::sheet_motion::bounds;
use super::trial::Pull;
use super::{Body, Kind, Report, Saved, SheetId, Stepping, World, WorldError};
use crate::body::Velocity;
use crate::spring::implicit::Rider;
use crate::spring::net::Fabric;
use crate::spring::sheet::{Obstacle, Sheet};

/// Sheets and bodies agree if no point of a body goes another way by more than this share of the
/// thinnest sheet's thickness.
const AGREED: f64 = 0.1;

/// Rounds in which they may come to that.
const ROUNDS: usize = 6;

/// Bodies of less than this share of the lightest vertex are not carried, but take what the sheet
/// does: their contacts are so much stiffer than they are that rounding would move them.
const LIGHTEST: f64 = 0.01;

/// Bodies that have moved with what sheets do to them.
pub(super) struct Carried {
    pub(super) report: Report,
    /// What sheets did to the velocity of each body.
    pub(super) given: Vec<Velocity>,
    /// The energy of that, in joules.
    pub(super) energy: f64,
    /// Bodies that sheets carry, and that moved as the sheets took them to.
    pub(super) is_foreseen: Vec<bool>,
}

/// A body as it would move without sheets.
struct Way<'w> {
    body: usize,
    surface: &'w Surface,
    start: Vec<DVec3>,
    end: Vec<DVec3>,
    rider: Option<Rider>,
}

impl Way<'_> {
    /// As sheets see it, by a name.
    fn obstacle<'a>(&'a self, world: &World, name: usize) -> Obstacle<'a> {
        let material = world.bodies[self.body].material();
        let [friction, restitution] = [material.friction(), material.restitution()];
        let Self { surface, start, end, .. } = self;
        Obstacle { surface, start, end, friction, restitution, name }
    }
}

/// A sheet that stays where it is, as others see it.
fn still(sheet: &Sheet, name: usize) -> Obstacle<'_> {
    let Fabric { friction, restitution, .. } = *sheet.net().fabric();
    let (surface, start) = (sheet.surface(), sheet.positions());
    Obstacle { surface, start, end: start, friction, restitution, name }
}

impl World {
    /// Moves bodies from a moment that is now, with what sheets will do to them.
    pub(super) fn step_carried(&mut self, now: &Saved, dt: f64) -> Result<Carried, WorldError> {
        let free: Vec<Velocity> = (0..self.bodies.len()).map(|i| self.forced(i, dt)).collect();
        let mut props: Vec<Velocity> = self.props.iter().map(|prop| prop.times(dt)).collect();
        props.resize(free.len(), Velocity::ZERO);
        let mut last: Option<[Vec<Velocity>; 2]> = None;
        for round in 1.. {
            let (mut carried, found) = self.step_propped(&props, &free, dt)?;
            let both = found.iter().zip(&props);
            let off: Vec<Velocity> = both.map(|(found, prop)| found.minus(prop)).collect();
            carried.is_foreseen = self.agreed(&carried.given, &off, dt);
            let is_some = carried.given.iter().map(|given| *given != Velocity::ZERO);
            let is_agreed = is_some.zip(&carried.is_foreseen).all(|(is, agrees)| !is || *agrees);
            if is_agreed || round == ROUNDS {
                self.props = found.iter().map(|prop| prop.times(dt.recip())).collect();
                return Ok(carried);
            }
            let sheets = std::mem::take(&mut self.sheets);
            self.go_back(now);
            // Nothing has changed in them but the loads that they know.
            self.sheets = sheets;
            props = self.next_props([&found, &off], last.as_ref());
            last = Some([found, off]);
        }
        unreachable!("the last round returns")
    }

    /// The same if bodies do this to each other, and without sheets would have these velocities;
    /// and what bodies that sheets carry did to each other.
    fn step_propped(
        &mut self,
        props: &[Velocity],
        free: &[Velocity],
        dt: f64,
    ) -> Result<(Carried, Vec<Velocity>), WorldError> {
        let given = self.foreseen(props, dt)?;
        let begun = self.bodies.clone();
        let energy = self.give(&given, dt);
        let report = self.step_recorded(dt);
        let borne = std::mem::take(&mut self.borne);
        let report = report?;
        let found = |i: usize| match borne[i] == Velocity::ZERO {
            true => Velocity::ZERO,
            false => self.bodies[i].velocity().minus(&free[i]).minus(&given[i]),
        };
        let found = (0..borne.len()).map(found).collect();
        let energy = energy.min(self.gained(&begun, &given));
        Ok((Carried { report, given, energy, is_foreseen: Vec::new() }, found))
    }

    /// Which of the bodies that were given something moved as sheets took them to, if what others
    /// did to them was off by this much.
    fn agreed(&self, given: &[Velocity], off: &[Velocity], dt: f64) -> Vec<bool> {
        let thinnest = self.sheets.iter().map(Sheet::thickness).fold(f64::INFINITY, f64::min);
        let agrees = |i: usize| {
            let is_close = dt * self.bodies[i].fastest(&off[i]) <= AGREED * thinnest;
            given[i] != Velocity::ZERO && is_close
        };
        (0..given.len()).map(agrees).collect()
    }

    /// What to take for the work of bodies on each other next, from what they did, how far that is
    /// from what it was taken for, and the same of the round before.
    fn next_props(
        &self,
        [found, off]: [&[Velocity]; 2],
        last: Option<&[Vec<Velocity>; 2]>,
    ) -> Vec<Velocity> {
        let Some([before, was_off]) = last else { return found.to_vec() };
        let dot = |i: usize, a: &Velocity, b: &Velocity| {
            let [linear, angular] = self.bodies[i].inertia().momentum(a);
            linear.dot(b.linear) + angular.dot(b.angular)
        };
        let [mut along, mut square] = [0.0; 2];
        for i in (0..off.len()).filter(|&i| self.is_borne(i)) {
            let turn = off[i].minus(&was_off[i]);
            along += dot(i, &off[i], &turn);
            square += dot(i, &turn, &turn);
        }
        let share = if square > 0.0 { along / square } else { 0.0 };
        let next = found.iter().zip(before);
        next.map(|(found, before)| found.minus(&found.minus(before).times(share))).collect()
    }

    /// The energy that bodies which were given something have gained beyond the work of forces.
    fn gained(&self, begun: &[Body], given: &[Velocity]) -> f64 {
        let of = |i: usize| {
            let (body, before) = (&self.bodies[i], &begun[i]);
            let mass_properties = body.mass_properties().filter(|_| given[i] != Velocity::ZERO)?;
            let pull = Pull::new(mass_properties, self.options.gravity, body);
            let way = body.centre() - before.centre();
            let work = mass_properties.mass() * pull.acceleration.dot(way);
            Some(body.kinetic_energy() - before.kinetic_energy() - work)
        };
        (0..given.len()).filter_map(of).sum()
    }

    /// What forces make of the velocity of a body in a step.
    fn forced(&self, number: usize, dt: f64) -> Velocity {
        let body = &self.bodies[number];
        let Some(mass_properties) = body.mass_properties() else { return body.velocity() };
        let pull = Pull::new(mass_properties, self.options.gravity, body);
        pull.pushed(&body.velocity(), &body.inertia(), dt)
    }

    /// The changes of velocity that sheets will give bodies in a step, if bodies do this to each
    /// other; the sheets remember the loads of their contacts.
    fn foreseen(&mut self, props: &[Velocity], dt: f64) -> Result<Vec<Velocity>, WorldError> {
        let mut given = vec![Velocity::ZERO; self.bodies.len()];
        let mut sheets = std::mem::take(&mut self.sheets);
        let mut outcome = Ok(());
        for number in 0..sheets.len() {
            outcome = self.foresee(&mut sheets, number, (&mut given, props, dt));
            if outcome.is_err() {
                break;
            }
        }
        self.sheets = sheets;
        outcome.map(|()| given)
    }

    /// The same for one sheet.
    fn foresee(
        &self,
        sheets: &mut [Sheet],
        number: usize,
        (given, props, dt): (&mut [Velocity], &[Velocity], f64),
    ) -> Result<(), WorldError> {
        let count = sheets.len();
        let (earlier, sheet) = sheets.split_at_mut(number);
        let sheet = &mut sheet[0];
        let gravity = self.options.gravity;
        let fastest = sheet.velocities().iter().map(|v| v.length()).fold(0.0, f64::max);
        let room = 2.0 * (fastest + gravity.length() * dt) * dt + 2.0 * sheet.thickness();
        let around = bounds(sheet.positions()).grown(room);
        let ways: Vec<Way<'_>> = (0..self.bodies.len())
            .filter_map(|i| self.unhindered(i, &given[i].plus(&props[i]), dt))
            .filter(|way| bounds(&way.start).join(&bounds(&way.end)).overlaps(&around))
            .collect();
        let least = LIGHTEST * sheet.net().masses().iter().copied().fold(f64::INFINITY, f64::min);
        let mut riders: Vec<Option<Rider>> = vec![None; earlier.len()];
        let is_heavy = |rider: &Rider| rider.inertia.inv_mass.max_element() * least <= 1.0;
        riders.extend(ways.iter().map(|way| way.rider.filter(is_heavy)));
        if riders.iter().all(Option::is_none) {
            sheet.unload();
            return Ok(());
        }
        let sheets = earlier.iter().enumerate().map(|(name, sheet)| still(sheet, name));
        let bodies = ways.iter().map(|way| way.obstacle(self, count + way.body));
        let obstacles: Vec<Obstacle<'_>> = sheets.chain(bodies).collect();
        let changes = sheet.foresee(dt, gravity, &obstacles, &riders);
        let changes = changes.map_err(|_| WorldError::SheetLost(SheetId(number)))?;
        for (way, change) in ways.iter().zip(&changes[earlier.len()..]) {
            given[way.body] = given[way.body].plus(change);
        }
        Ok(())
    }

    /// How a body that sheets meet moves without them, but for what else it gets.
    fn unhindered(&self, number: usize, given: &Velocity, dt: f64) -> Option<Way<'_>> {
        let body = &self.bodies[number];
        let surface = self.surfaces.get(number)?.as_deref()?;
        if body.is_intangible {
            return None;
        }
        let pose = body.pose();
        let vertices = body.collider().mesh().positions();
        let start: Vec<DVec3> = vertices.iter().map(|p| pose.point(*p)).collect();
        let rider = self.rider(number, given, dt);
        let end = match (&rider, body.kind()) {
            (Some(Rider { inertia, velocity, .. }), _) => {
                start.iter().map(|p| *p + dt * velocity.at(inertia.centre, *p)).collect()
            }
            (None, Kind::Kinematic(route) | Kind::Yielding(route, _)) => {
                let pose = route.pose_at(body.state.on_route + dt);
                vertices.iter().map(|p| pose.point(*p)).collect()
            }
            _ => start.clone(),
        };
        Some(Way { body: number, surface, start, end, rider })
    }

    /// A body that gives way to sheets in all directions, with the velocity that forces make.
    fn rider(&self, number: usize, given: &Velocity, dt: f64) -> Option<Rider> {
        let body = &self.bodies[number];
        let inertia = body.inertia();
        let velocity = self.forced(number, dt).plus(given);
        self.is_borne(number).then(|| Rider { inertia, before: body.velocity(), velocity })
    }

    /// Whether sheets carry a body: it is awake, free in all directions, and goes in windows.
    pub(super) fn is_borne(&self, number: usize) -> bool {
        let body = &self.bodies[number];
        let is_free = body.inertia().inv_mass.min_element() > 0.0
            && body.inertia().inv_inertia.determinant() > 0.0;
        let is_in_windows =
            self.options.stepping == Stepping::Windows && self.options.springs.is_none();
        let is_joined = || self.joints.iter().any(|joint| joint.bodies().contains(&number));
        is_in_windows && body.is_dynamic() && !body.is_asleep && is_free && !is_joined()
    }
}
