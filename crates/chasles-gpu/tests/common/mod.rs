//! Queries, and the device that the tests ask.

#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]

use std::ops::Range;

use chasles::screen::device::{Candidates, Listed, Plan};
use chasles::screen::{Options, Resolution, Workspace};
use chasles::{Collider, Contact, Step};
use chasles_gpu::{Device, Error, Memory, Pair, Screen, Statistics};
use chasles_testkit::labelled::{screw_cases, speed_cases};
use chasles_testkit::query::{Query as Meshes, collider};
use chasles_testkit::{generate, shapes};

/// Two bodies and a step.
pub struct Query {
    pub name: String,
    pub bodies: [Collider; 2],
    pub step: Step,
}

/// A screen on the device, which is Mesa's in software where it is there; `None` if there is no
/// adapter, unless `CHASLES_DEVICE` says that there is one.
pub fn screen(memory: Memory) -> Option<Screen> {
    match Device::named("llvmpipe").or_else(|_| Device::new()) {
        Ok(device) => Some(Screen::with_memory(device, memory)),
        Err(error @ Error::NoAdapter { .. }) if std::env::var_os("CHASLES_DEVICE").is_none() => {
            eprintln!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

pub fn pixels(n: u32) -> Options {
    Options { resolution: Resolution::Pixels(n), ..Options::default() }
}

impl Query {
    pub fn pair(&self) -> Pair<'_> {
        Pair { bodies: [&self.bodies[0], &self.bodies[1]], step: &self.step }
    }

    pub fn plan(&self, options: &Options) -> Plan<'_> {
        let Pair { bodies, step } = self.pair();
        Plan::new(bodies, step, options).unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }

    /// The contacts without a device, of bodies that are drawn in rows.
    pub fn in_rows(&self, options: &Options) -> Vec<Contact> {
        self.plan(options).sweep(&mut Workspace::new()).expect("few records").to_vec()
    }

    /// How many candidates the CPU confirms if everything is handed on.
    pub fn confirmed(&self, options: &Options) -> usize {
        let mut plan = self.plan(options);
        let mut all: Vec<Candidates> =
            plan.sheets().iter().map(|sheet| everything(&sheet.bodies)).collect();
        plan.judge(&mut all, &mut Workspace::new()).expect("numbers of the plan").confirmed
    }
}

fn everything([a, b]: &[Listed; 2]) -> Candidates {
    let all = |count: usize, of: usize| {
        (0..count as u32).flat_map(move |i| (0..of as u32).map(move |j| [i, j])).collect()
    };
    Candidates {
        edges: all(a.curves().len(), b.curves().len()),
        points: [all(a.points().len(), b.faces().len()), all(b.points().len(), a.faces().len())],
    }
}

fn named(name: String, meshes: &Meshes) -> Query {
    Query { name, bodies: meshes.colliders(), step: meshes.step() }
}

/// Closed bodies in no special position.
pub fn random(seeds: Range<u64>) -> Vec<Query> {
    seeds.map(|seed| named(format!("random {seed}"), &generate::query(seed))).collect()
}

/// Open sheets, polygons, segments and points.
pub fn open(seeds: Range<u64>) -> Vec<Query> {
    seeds.map(|seed| named(format!("open {seed}"), &generate::open_query(seed))).collect()
}

/// Double roots, near misses, identical bodies.
pub fn adversarial(seeds: Range<u64>) -> Vec<Query> {
    seeds.map(|seed| named(format!("planted {seed}"), &generate::adversarial(seed).1)).collect()
}

/// Bodies around or beside the axis, so that some lie on both sides of the cut behind it.
pub fn around(seeds: Range<u64>) -> Vec<Query> {
    let query = |seed: u64| {
        let mut random = generate::Random::new(seed);
        let place = random.vector() * 0.8;
        let b = shapes::mapped(generate::closed_mesh(&mut random), |p| p + place);
        let turn = random.direction() * random.between(0.3, 3.0);
        let a = generate::closed_mesh(&mut random);
        let shift = turn.cross(random.vector() * 0.3);
        named(format!("around {seed}"), &generate::spun(a, b, turn, shift))
    };
    seeds.map(query).collect()
}

/// Steps of several parts.
pub fn turning(seeds: Range<u64>) -> Vec<Query> {
    let query = |seed: u64| {
        let (a, b, step) = generate::turning(seed);
        Query { name: format!("turning {seed}"), bodies: [&a, &b].map(collider), step }
    };
    seeds.map(query).collect()
}

/// The labelled screw cases and speed cases; none where they are absent.
pub fn labelled() -> Vec<Query> {
    let screws = screw_cases().unwrap_or_default();
    let speeds = speed_cases().unwrap_or_default();
    let screws = screws.into_iter().map(|case| named(case.name, &case.query));
    screws.chain(speeds.into_iter().map(|case| named(case.name, &case.query))).collect()
}

/// Asserts that the device finds the same bits as the CPU; what it cost.
pub fn assert_same(screen: &mut Screen, queries: &[Query], options: &Options) -> Statistics {
    let pairs: Vec<Pair<'_>> = queries.iter().map(Query::pair).collect();
    let found = screen.contacts(&pairs, options).unwrap_or_else(|e| panic!("{e}"));
    for (query, found) in queries.iter().zip(&found) {
        let expected = query.in_rows(options);
        let lost = expected.iter().filter(|contact| !found.contains(contact)).count();
        assert!(&expected == found, "{}: {lost} of {} lost", query.name, expected.len());
    }
    screen.statistics()
}
