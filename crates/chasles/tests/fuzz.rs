//! Any input is refused or answered soundly: no panic, no hang, no NaN, whatever the mesh, the
//! motion and the options.
//!
//! Each run tries other input; a failure prints the smallest that fails.

use std::f64::consts::FRAC_PI_4;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use chasles::glam::{DQuat, DVec3};
use chasles::{
    Collider, Contact, Motion, Options, Polygons, Polyhedron, Pose, Screw, Step, Workspace,
    contacts,
};
use chasles_testkit::sound::{least_speed, unsound};
use chasles_testkit::{generate, lattice};
use proptest::prelude::*;

/// A query takes microseconds, and milliseconds with thousands of parts; one that takes this long
/// does not end.
const PATIENCE: Duration = Duration::from_secs(10);

/// Numbers that break methods.
struct Numbers {
    /// Units of length of a whole query: all of its lengths are multiples.
    units: &'static [f64],
    /// Single coordinates.
    extremes: &'static [f64],
}

/// Whose products stay in the range of `f64`; those that are refused are among them.
const IN_RANGE: Numbers = Numbers {
    units: &[1e-50, 1e-30, 1e30, 1e50],
    extremes: &[
        1e-50,
        1e50,
        1.000_000_000_000_001e100,
        1e300,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ],
};

/// Whose squares and cubes are not: the smallest and the largest lengths that are supported.
const EXTREME: Numbers = Numbers {
    units: &[1e-100, 1e-80, 1e77, 1e80, 1e99],
    extremes: &[5e-324, 1e-310, 1e-300, 1e-162, 1e-100, 1e-80, 1e77, 1e100],
};

/// Subnormals and squares that vanish: contacts may be lost.
const TOO_SMALL: Numbers = Numbers {
    units: &[1e-310, 1e-300, 1e-200, 1e-162, 1e-155, 1e-150],
    extremes: &[5e-324, 1e-310, 1e-300, 1e-162],
};

/// Reads input off a list of bytes; zeros when it runs out.
struct Bytes<'b> {
    bytes: std::slice::Iter<'b, u8>,
    unit: f64,
    /// Everything lies and mostly stays on a line, in a plane, or anywhere.
    dimensions: usize,
    /// One coordinate in thirty is one of these, if there are any.
    extremes: &'static [f64],
}

impl<'b> Bytes<'b> {
    fn new(bytes: &'b [u8], numbers: &'static Numbers) -> Self {
        let mut bytes = Self { bytes: bytes.iter(), unit: 1.0, dimensions: 3, extremes: &[] };
        bytes.dimensions = [1, 2, 3, 3, 3, 3][bytes.below(6)];
        match bytes.byte() % 8 {
            0 | 1 => bytes.unit = numbers.units[bytes.below(numbers.units.len())],
            2 | 3 => bytes.extremes = numbers.extremes,
            _ => {}
        }
        bytes
    }

    fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count.max(1)
    }

    /// A coordinate: mostly of a coarse grid, so that coincidences are common.
    fn coordinate(&mut self) -> f64 {
        if !self.extremes.is_empty() && self.byte() % 30 == 1 {
            return self.extremes[self.below(self.extremes.len())];
        }
        let grid = f64::from(self.byte() % 9) * 0.25 - 1.0;
        let value = match self.byte() % 8 {
            0 => grid + f64::from(self.byte()) * 1e-17,
            1 => grid * 1.1 + f64::from(self.byte()) * 1e-3,
            _ => grid,
        };
        value * self.unit
    }

    fn vector(&mut self) -> DVec3 {
        let dimensions = self.dimensions;
        let mut coordinate = |i: usize| if i < dimensions { self.coordinate() } else { 0.0 };
        DVec3::new(coordinate(0), coordinate(1), coordinate(2))
    }

    /// Vertices, some at the place of another.
    fn vertices(&mut self) -> Vec<DVec3> {
        let mut vertices: Vec<DVec3> = Vec::new();
        for i in 0..1 + self.below(9) {
            let copied = i > 0 && self.byte().is_multiple_of(6);
            vertices.push(if copied { vertices[self.below(i)] } else { self.vector() });
        }
        vertices
    }

    /// Faces of one to six corners, which may repeat, and a few lone segments and points.
    fn mesh(&mut self) -> Polygons {
        let vertices = self.vertices();
        let count = vertices.len();
        let mut corner = || self.below(count) as u32;
        let faces = 1 + corner() % 6;
        let face = |_| -> Vec<u32> { (0..1 + corner() % 6).map(|_| corner()).collect() };
        let faces: Vec<Vec<u32>> = (0..faces).map(face).collect();
        let segments = (0..self.below(3)).map(|_| [0; 2].map(|_| self.below(count) as u32));
        let segments = segments.collect();
        let points = (0..self.below(3)).map(|_| self.below(count) as u32).collect();
        Polygons { vertices, faces, segments, points }
    }

    fn rotation(&mut self) -> DQuat {
        let kind = self.byte() % 4;
        if kind > 0 && self.dimensions < 3 {
            return DQuat::IDENTITY;
        }
        if kind < 2 {
            return DQuat::from_rotation_z(f64::from(self.byte() % 5) * FRAC_PI_4);
        }
        let axis = (self.vector() / self.unit).normalize_or(DVec3::Z);
        DQuat::from_axis_angle(axis, f64::from(self.byte()) * 0.025)
    }

    /// None if it is refused.
    fn pose(&mut self) -> Option<Pose> {
        let (position, rotation) = (self.vector(), self.rotation());
        let pose = Pose::new(position, rotation);
        assert_eq!(pose.is_ok(), is_acceptable(position) && rotation.is_finite());
        pose.ok()
    }

    /// Up to a thousand turns; none if it is refused.
    fn twist(&mut self) -> Option<Screw> {
        let turns = [0.0, 1.0, 1.0, 4.0, 4.0, 4.0, 30.0, 3000.0][self.below(8)];
        let (angular, linear) = (self.vector() / self.unit * turns, self.vector());
        let twist = Screw::from_twist(angular, linear);
        assert_eq!(twist.is_ok(), is_acceptable(angular) && is_acceptable(linear));
        twist.ok()
    }

    fn step(&mut self) -> Option<Step> {
        if !self.byte().is_multiple_of(4) {
            let [a, b] = [[self.pose()?, self.pose()?], [self.pose()?, self.pose()?]];
            return Some(Step::new(Motion::between(a[0], a[1]), Motion::between(b[0], b[1])));
        }
        let mut body = || Motion::along(self.pose()?, self.twist()?).ok();
        Some(Step::new(body()?, body()?))
    }

    fn options(&mut self) -> Options {
        let [from, to] = [0; 2].map(|_| f64::from(self.byte() % 17) / 16.0);
        let window = match self.byte() % 8 {
            0..4 => [0.0, 1.0],
            4 => [from, f64::NAN],
            _ => [from, to],
        };
        Options {
            min_properness: [-1.0, -1.0, -0.1, 0.5, 1.0, f64::NAN][self.below(6)],
            facing: self.byte().is_multiple_of(2),
            touchable: false,
            first_only: self.byte().is_multiple_of(2),
            window,
        }
    }
}

fn is_acceptable(vector: DVec3) -> bool {
    vector.is_finite() && vector.abs().max_element() <= 1e100
}

/// The mesh, if all its coordinates are acceptable; fails if it is not refused otherwise.
fn accepted(mesh: &Polygons) -> Result<Option<Collider>, TestCaseError> {
    let polyhedron = Polyhedron::new(mesh);
    let acceptable = mesh.vertices.iter().all(|&v| is_acceptable(v));
    prop_assert_eq!(polyhedron.is_ok(), acceptable, "{:?}", polyhedron.err());
    Ok(polyhedron.ok().map(Collider::new))
}

/// The contacts; none if there is no end to them.
fn timely_contacts([a, b]: [&Collider; 2], step: &Step, options: Options) -> Option<Vec<Contact>> {
    let (a, b, step) = (a.clone(), b.clone(), *step);
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let found = contacts(&a, &b, &step, &options, &mut Workspace::new()).to_vec();
        // Nobody listens any more if the query was late.
        let _ = sender.send(found);
    });
    receiver.recv_timeout(PATIENCE).ok()
}

/// Whether the options allow a contact; speeds up to `slow` may be those of rounding.
fn is_asked_for(contact: &Contact, options: &Options, slow: impl Fn(f64) -> f64) -> bool {
    let approaches = || contact.normal_speed <= slow(contact.time) || contact.grazing;
    contact.properness >= options.min_properness
        && (options.window[0]..=options.window[1]).contains(&contact.time)
        && (!options.facing || approaches())
}

fn sound(meshes: [&Polygons; 2], step: &Step, chosen: Options) -> Result<(), TestCaseError> {
    let [Some(a), Some(b)] = [accepted(meshes[0])?, accepted(meshes[1])?] else {
        return Ok(());
    };
    for options in [Options::default(), chosen] {
        let found = timely_contacts([&a, &b], step, options);
        prop_assert!(found.is_some(), "a panic, or no answer in {PATIENCE:?}");
        let found = found.unwrap_or_default();
        prop_assert_eq!(unsound(&found, [&a, &b], step), None);
        let slow = |time| least_speed([&a, &b], step, time);
        let stray = found.iter().find(|c| !is_asked_for(c, &options, slow));
        prop_assert_eq!(stray, None, "not asked for: {:?}", options);
        prop_assert!(!options.first_only || found.len() <= 1);
    }
    Ok(())
}

/// A query that hangs is not tried in many smaller forms.
fn config(cases: u32) -> ProptestConfig {
    let config = ProptestConfig::with_cases(cases);
    ProptestConfig { failure_persistence: None, max_shrink_time: 20_000, ..config }
}

/// What is made of bytes; no step if its numbers are refused.
#[derive(Debug)]
struct Input {
    a: Polygons,
    b: Polygons,
    step: Option<Step>,
    options: Options,
}

impl Input {
    fn is_answered_soundly(&self) -> Result<(), TestCaseError> {
        self.step.map_or(Ok(()), |step| sound([&self.a, &self.b], &step, self.options))
    }
}

fn input(numbers: &'static Numbers) -> impl Strategy<Value = Input> {
    prop::collection::vec(any::<u8>(), 0..400).prop_map(move |bytes| {
        let mut bytes = Bytes::new(&bytes, numbers);
        let options = bytes.options();
        Input { a: bytes.mesh(), b: bytes.mesh(), step: bytes.step(), options }
    })
}

proptest! {
    #![proptest_config(config(2048))]

    #[test]
    fn input_made_of_bytes_is_refused_or_answered_soundly(input in input(&IN_RANGE)) {
        input.is_answered_soundly()?;
    }

    #[test]
    fn lengths_of_any_size_are_answered_soundly(input in input(&EXTREME)) {
        input.is_answered_soundly()?;
    }

    #[test]
    fn lengths_that_are_too_small_are_answered_soundly(input in input(&TOO_SMALL)) {
        input.is_answered_soundly()?;
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn generated_queries_give_sound_answers(seed in any::<u64>(), bytes in any::<[u8; 8]>()) {
        let options = Bytes::new(&bytes, &IN_RANGE).options();
        let everyday = [generate::query(seed), generate::open_query(seed)];
        let aligned = [generate::adversarial(seed).1, lattice::query(seed)];
        for query in everyday.iter().chain(&aligned) {
            sound([&query.a, &query.b], &query.step(), options)?;
        }
        let (a, b, step) = lattice::turning(seed);
        sound([&a, &b], &step, options)?;
    }
}
