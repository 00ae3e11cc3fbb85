//! From the keys of a body to bodies of the world: mass, material, and the way of those that have
//! one.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};

use chasles::glam::{DMat3, DVec3};
use chasles::mesh::Mass;
use chasles::{Collider, Motion, Polyhedron, Pose, Screw};
use chasles_dynamics::Body;
use chasles_dynamics::body::{BodyError, Locks, MassProperties, Material};
use chasles_dynamics::world::{Load, Route, RouteError, Shape};
use toml::Spanned;

use super::copies::{Copy, copies};
use super::entry::{KeyframeEntry, KindEntry, SimulateKeys};
use super::error::SimulateProblem;
use super::fault;
use super::lock::locks;
use super::matter::Matter;
use crate::ends::{Names, Placed};
use crate::error::{Fault, Problem};
use crate::file::{CommonKeys, MatterKeys, PoseEntry, Vector};
use crate::form::Source;
use crate::given::{Span, first_given, span};
use crate::{motion, solid};

/// Mass per volume where the scene states none: that of water.
const DENSITY: f64 = 1000.0;

/// The most keyframes that a twist is cut into; a quarter-turn each.
const MOST_KEYS: f64 = 1e6;

/// The largest turn between two poses of a longer one: 30 degrees, in which the screw leaves a
/// straight way by a fifteenth of its length.
const LARGEST_PIECE: f64 = FRAC_PI_6;

impl Source<'_, SimulateKeys> {
    /// The bodies of a table, each with its name: one, or as many as it has copies.
    ///
    /// `seconds` is how far bodies are followed that go their own way.
    pub(super) fn bodies(&self, seconds: f64) -> Result<Vec<(String, Body)>, Fault> {
        self.check_keys()?;
        let entry = self.own();
        let material = self.material()?;
        let (shape, mass_properties) = self.shape()?;
        let copies = copies(self.name, entry.copies.as_ref())?;
        let is_alone = entry.copies.is_none();
        let name = |number: usize| match is_alone {
            true => self.name.to_string(),
            false => format!("{}-{number}", self.name),
        };
        let make = |(number, copy): (usize, &Copy)| {
            let body = self.placed(shape.clone(), mass_properties, (copy, seconds))?;
            Ok((name(number), self.mannered(body.made_of(material))?))
        };
        copies.iter().enumerate().map(make).collect()
    }

    /// How far the copies of the table are from `start`; none if it has no such key.
    pub(super) fn shifts(&self) -> Result<Option<Vec<DVec3>>, Fault> {
        let Some(entry) = &self.own().copies else { return Ok(None) };
        Ok(Some(copies(self.name, Some(entry))?.iter().map(Copy::shift).collect()))
    }

    /// The surface of the bodies, and their mass if they have one.
    fn shape(&self) -> Result<(Shape, Option<MassProperties>), Fault> {
        let Some(solid) = &self.own().solid else {
            let mesh = self.mesh()?.mesh;
            let mass_properties = self.mass_properties(&self.matter(&mesh)?)?;
            return Ok((Shape::from(Collider::new(mesh)), mass_properties));
        };
        let CommonKeys { mesh, shape, .. } = self.common();
        if mesh.is_some() || shape.is_some() {
            let first = if mesh.is_some() { "mesh" } else { "shape" };
            return Err(self.two_looks([first, "solid"], solid));
        }
        let body = || self.name.to_string();
        solid::Builder::new(self.files).solid(solid)?;
        let round = solid::round(solid.get_ref(), self.scale()?)
            .ok_or_else(|| fault(SimulateProblem::NotRoundAtAll(body()), solid.span()))?;
        let shape = Shape::try_from(round).map_err(|source| {
            fault(SimulateProblem::NotRound { body: body(), source }, solid.span())
        })?;
        Ok((shape, self.mass_properties(&Matter::Round(&round))?))
    }

    /// What is filled of a mesh.
    fn matter<'m>(&self, mesh: &'m Polyhedron) -> Result<Matter<'m>, Fault> {
        let SimulateKeys { thickness, closed, .. } = self.own();
        let is_closed = closed.as_ref().is_some_and(|closed| *closed.get_ref());
        match thickness {
            None if is_closed => Ok(Matter::Closed(mesh)),
            None => Ok(Matter::Volume(mesh)),
            Some(thickness) if *thickness.get_ref() <= 0.0 => {
                let number = *thickness.get_ref();
                let problem = SimulateProblem::NotAbove { key: "thickness", number };
                Err(fault(problem, thickness.span()))
            }
            Some(thickness) if is_closed => {
                let (body, keys) = (self.name.to_string(), ["closed", "thickness"]);
                Err(fault(SimulateProblem::Both { body, keys }, thickness.span()))
            }
            Some(thickness) => Ok(Matter::Thin(mesh, *thickness.get_ref())),
        }
    }

    pub(super) fn kind(&self) -> KindEntry {
        self.own().kind.as_ref().map_or(KindEntry::Dynamic, |kind| *kind.get_ref())
    }

    fn placed(
        &self,
        shape: Shape,
        mass_properties: Option<MassProperties>,
        (copy, seconds): (&Copy, f64),
    ) -> Result<Body, Fault> {
        let entry = self.own();
        let start = self.common().start.as_ref().map_or(Ok(Pose::IDENTITY), motion::pose)?;
        let at = copy.of(&start);
        let first =
            |key: &Option<Spanned<Vector>>| motion::vector(key.as_ref().map(|v| *v.get_ref()));
        let load = Load { force: first(&entry.force), torque: first(&entry.torque) };
        let locks = entry.lock.as_ref().map_or(Locks::NONE, |lock| locks(lock.get_ref()));
        let body = match (self.kind(), mass_properties) {
            (KindEntry::Dynamic, Some(mass_properties)) => Body::dynamic(shape, mass_properties)
                .at(at)
                .moving(first(&entry.velocity), first(&entry.angular_velocity)),
            (KindEntry::Yielding, Some(mass_properties)) => {
                Body::yielding(shape, self.route(&at, copy, seconds)?, mass_properties)
            }
            (KindEntry::Kinematic, _) => Body::kinematic(shape, self.route(&at, copy, seconds)?),
            _ => Body::fixed(shape).at(at),
        };
        Ok(body.locked(locks).loaded(load))
    }

    /// Fails on keys that have no meaning in a simulation, or none for this kind of body.
    fn check_keys(&self) -> Result<(), Fault> {
        let body = self.name.to_string();
        if let Some(itself) = self.meets_itself() {
            return Err(Fault::new(Problem::RigidItself(body), itself.span()));
        }
        self.check_kind()?;
        self.check_manners()?;
        let both =
            |keys, span: Span| Err(fault(SimulateProblem::Both { body: body.clone(), keys }, span));
        let alone = |key, needs, span: Span| {
            Err(fault(SimulateProblem::Alone { body: body.clone(), key, needs }, span))
        };
        let MatterKeys { density, mass, inertia, centre, .. } = &self.entry.get_ref().matter;
        let SimulateKeys { twist, keyframes, .. } = self.own();
        match (density, mass, inertia, centre) {
            (Some(_), Some(mass), ..) => return both(["density", "mass"], mass.span()),
            (_, None, Some(inertia), _) => return alone("inertia", "mass", inertia.span()),
            (_, _, None, Some(centre)) => return alone("centre", "inertia", centre.span()),
            _ => {}
        }
        match (twist, keyframes, &self.common().start) {
            (Some(_), Some(keyframes), _) => both(["twist", "keyframes"], keyframes.span()),
            (None, Some(_), Some(start)) => both(["start", "keyframes"], start.span()),
            _ => Ok(()),
        }
    }

    fn check_kind(&self) -> Result<(), Fault> {
        let own = self.own();
        let SimulateKeys { velocity, angular_velocity, twist, keyframes, .. } = own;
        let kind = self.kind();
        let speeds = [("velocity", span(velocity)), ("angular_velocity", span(angular_velocity))];
        let routes =
            [("twist", span(twist)), ("keyframes", span(keyframes)), ("until", span(&own.until))];
        let pulls =
            [("force", span(&own.force)), ("torque", span(&own.torque)), ("lock", span(&own.lock))];
        let (body, name) = (self.name.to_string(), kind.name());
        let wrong = match kind {
            KindEntry::Dynamic => first_given(routes),
            KindEntry::Kinematic => first_given(speeds).or(first_given(pulls)),
            KindEntry::Yielding => first_given(speeds),
            KindEntry::Static => first_given(routes).or(first_given(speeds)).or(first_given(pulls)),
        };
        if let Some((key, span)) = wrong {
            return Err(fault(SimulateProblem::NotOfKind { body, kind: name, key }, span));
        }
        if kind.has_route() && twist.is_none() && keyframes.is_none() {
            let place = span(&self.own().kind).unwrap_or_else(|| self.entry.span());
            return Err(fault(SimulateProblem::NoRoute { body, kind: name }, place));
        }
        Ok(())
    }

    fn material(&self) -> Result<Material, Fault> {
        let MatterKeys { restitution, friction, .. } = &self.entry.get_ref().matter;
        let usual = Material::default();
        let number =
            |key: &Option<Spanned<f64>>, usual: f64| key.as_ref().map_or(usual, |x| *x.get_ref());
        Material::new(number(restitution, usual.restitution()), number(friction, usual.friction()))
            .map_err(|error| {
                let key =
                    if let BodyError::Restitution(_) = error { restitution } else { friction };
                self.impossible(error, span(key))
            })
    }

    /// Mass and inertia of a body that has them.
    fn mass_properties(&self, matter: &Matter<'_>) -> Result<Option<MassProperties>, Fault> {
        let MatterKeys { density, mass, inertia, centre, .. } = &self.entry.get_ref().matter;
        for (key, entry) in [("density", density), ("mass", mass)] {
            if let Some(number) = entry.as_ref().filter(|number| *number.get_ref() <= 0.0) {
                let problem = SimulateProblem::NotAbove { key, number: *number.get_ref() };
                return Err(fault(problem, number.span()));
            }
        }
        if let (Some(mass), Some(inertia)) = (mass, inertia) {
            let of_surface = || matter.centre().unwrap_or(DVec3::ZERO);
            let centre = centre.as_ref().map(|centre| motion::vector(Some(*centre.get_ref())));
            let moments = motion::vector(Some(*inertia.get_ref()));
            let mass_properties = MassProperties::new(&Mass {
                mass: *mass.get_ref(),
                centre: centre.unwrap_or_else(of_surface),
                inertia: DMat3::from_diagonal(moments),
            });
            return mass_properties.map(Some).map_err(|e| self.impossible(e, Some(inertia.span())));
        }
        if !self.kind().has_mass() {
            return Ok(None);
        }
        let density = density.as_ref().map_or(DENSITY, |density| *density.get_ref());
        let mass_properties = matter.mass_properties(density);
        let mass_properties = match mass {
            Some(mass) => mass_properties
                .and_then(|mass_properties| mass_properties.with_mass(*mass.get_ref())),
            None => mass_properties,
        };
        mass_properties.map(Some).map_err(|error| self.impossible(error, None))
    }

    /// What is wrong with a body, where the file says so or else where its looks are.
    fn impossible(&self, error: BodyError, place: Option<Span>) -> Fault {
        let CommonKeys { mesh, shape, .. } = self.common();
        let looks = || {
            let looks = span(mesh).or(span(shape)).or(span(&self.own().solid));
            looks.unwrap_or_else(|| self.entry.span())
        };
        let body = self.name.to_string();
        let problem = match error {
            BodyError::NoVolume => SimulateProblem::NoVolume(body),
            error => SimulateProblem::Body { body, error },
        };
        fault(problem, place.unwrap_or_else(looks))
    }

    /// The way of a body that begins at `start`, up to the time at which it ends.
    fn route(&self, start: &Pose, copy: &Copy, seconds: f64) -> Result<Route, Fault> {
        let route = self.whole_route(start, copy, seconds)?;
        let Some(until) = &self.own().until else { return Ok(route) };
        let number = *until.get_ref();
        let below = SimulateProblem::Below { key: "until", number };
        route.until(number).map_err(|_| fault(below, until.span()))
    }

    /// The way by its twist or its keyframes.
    fn whole_route(&self, start: &Pose, copy: &Copy, seconds: f64) -> Result<Route, Fault> {
        let SimulateKeys { twist, keyframes, .. } = self.own();
        if let Some(keyframes) = keyframes {
            return self.by_keyframes(keyframes, copy);
        }
        let Some(entry) = twist else {
            return Ok(Route::Keys(vec![(0.0, *start)]));
        };
        let linear = motion::vector(entry.get_ref().linear);
        let angular = motion::vector(entry.get_ref().angular);
        let point = copy.shifted(motion::vector(entry.get_ref().point));
        let screw = Screw::from_twist(angular, linear - angular.cross(point))
            .map_err(|error| Fault::new(error, entry.span()))?;
        along(start, &screw, seconds).map_err(|problem| fault(problem, entry.span()))
    }

    fn by_keyframes(
        &self,
        entries: &Spanned<Vec<Spanned<KeyframeEntry>>>,
        copy: &Copy,
    ) -> Result<Route, Fault> {
        self.check_times(entries)?;
        let mut keys: Vec<(f64, Pose)> = Vec::new();
        let mut last: Option<(f64, Placed)> = None;
        for entry in entries.get_ref() {
            let KeyframeEntry { time, position, rotation } = entry.get_ref();
            let pose = PoseEntry { position: *position, rotation: rotation.clone() };
            let before = last.map_or(Placed::ORIGIN, |(_, placed)| placed);
            let placed = before.then(&Spanned::new(entry.span(), pose))?;
            let to = *time.get_ref();
            if let Some((from, before)) = last {
                let way = before.motion_to(&placed, KEYFRAMES);
                let way = way.map_err(|problem| Fault::new(problem, entry.span()))?;
                let at = |(share, pose)| (from + (to - from) * share, copy.of(&pose));
                keys.extend(between(&way).map(at));
            }
            keys.push((to, copy.of(&placed.pose)));
            last = Some((to, placed));
        }
        Route::keys(keys).map_err(|error| fault(SimulateProblem::Route(error), entries.span()))
    }

    /// Fails where there are no keyframes, or their times do not grow.
    fn check_times(&self, entries: &Spanned<Vec<Spanned<KeyframeEntry>>>) -> Result<(), Fault> {
        let time = |entry: &Spanned<KeyframeEntry>| *entry.get_ref().time.get_ref();
        let times = entries.get_ref().iter().map(|entry| (time(entry), Pose::IDENTITY));
        Route::keys(times.collect()).map(|_| ()).map_err(|error| match error {
            RouteError::Order { index, time } => {
                let place = entries.get_ref()[index].get_ref().time.span();
                fault(SimulateProblem::Order { index, time }, place)
            }
            _ => fault(SimulateProblem::NoKeyframes(self.name.to_string()), entries.span()),
        })
    }
}

/// What two keyframes are called in messages.
const KEYFRAMES: Names = Names { before: "the one before it", place: "a keyframe" };

/// Poses on the way from one keyframe to the next, with their shares of the time: none, unless the
/// body turns by half a turn or more.
fn between(way: &Motion) -> impl Iterator<Item = (f64, Pose)> {
    let pieces = match way.counts_turns() {
        true => (way.angle() / LARGEST_PIECE).ceil().max(1.0) as u32,
        false => 1,
    };
    (1..pieces).map(move |i| {
        let share = f64::from(i) / f64::from(pieces);
        (share, way.pose_at(share))
    })
}

/// The way along a twist per second. Bodies whose origin moves straight go on for ever; the way of
/// others is a pose for each quarter-turn, between which lies the same screw.
fn along(start: &Pose, screw: &Screw, seconds: f64) -> Result<Route, SimulateProblem> {
    let velocity = screw.flow(start.position());
    let bend = screw.angular().cross(velocity).length();
    // Far below what rounding makes of a twist about the body's own origin.
    if bend <= 1e-12 * screw.angle() * velocity.length() || velocity.length() == 0.0 {
        let route = Route::twist(*start, velocity, screw.angular());
        return route.map_err(SimulateProblem::Route);
    }
    let pieces = (screw.angle() * seconds / FRAC_PI_2).ceil().max(1.0);
    if pieces > MOST_KEYS {
        return Err(SimulateProblem::Turns(pieces));
    }
    let key = |i: u32| {
        let time = seconds * f64::from(i) / pieces;
        (time, screw.pose_at(time).after(start))
    };
    Route::keys((0..=pieces as u32).map(key).collect()).map_err(SimulateProblem::Route)
}
