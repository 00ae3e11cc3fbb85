//! Brackets of times hold the true time, judged with sixty digits.
//!
//! The features of a contact touch when a side product vanishes: of a face and a vertex, or of two
//! edges. We follow the features along the screw between the poses of B with `dashu`, so the signs
//! of the product at both ends of the bracket are certain. They differ if the bracket holds the
//! time.

use std::array::from_fn;
use std::cmp::Ordering;

use chasles::glam::{DQuat, DVec3};
use chasles::{Contact, Features, Motion, Options, Polygons, Pose, Step};
use chasles_testkit::query::contacts_of_step;
use dashu_float::FBig;
use dashu_float::round::mode::HalfEven;

/// Sixty digits. Turns of 1e-9 lose a third of them, side products of features that hardly move
/// another.
const BITS: usize = 200;

type Real = FBig<HalfEven, 2>;
type Vector = [Real; 3];

fn real(x: f64) -> Real {
    Real::try_from(x).expect("finite").with_precision(BITS).value()
}

fn vector(v: DVec3) -> Vector {
    v.to_array().map(real)
}

fn sum(p: &Vector, q: &Vector) -> Vector {
    from_fn(|i| &p[i] + &q[i])
}

fn difference(p: &Vector, q: &Vector) -> Vector {
    from_fn(|i| &p[i] - &q[i])
}

fn times(s: &Real, v: &Vector) -> Vector {
    from_fn(|i| s * &v[i])
}

fn cross(p: &Vector, q: &Vector) -> Vector {
    from_fn(|i| {
        let [j, k] = [(i + 1) % 3, (i + 2) % 3];
        &p[j] * &q[k] - &p[k] * &q[j]
    })
}

fn dot(p: &Vector, q: &Vector) -> Real {
    &p[0] * &q[0] + &p[1] * &q[1] + &p[2] * &q[2]
}

fn triple(p: &Vector, q: &Vector, r: &Vector) -> Real {
    dot(&cross(p, q), r)
}

/// A unit quaternion: real part and vector part.
struct Turn(Real, Vector);

impl Turn {
    fn of(q: DQuat) -> Self {
        let (w, v) = (real(q.w), vector(q.xyz()));
        let inverse = real(1.0) / (&w * &w + dot(&v, &v)).sqrt();
        Self(w * &inverse, times(&inverse, &v))
    }

    fn after_inverse(&self, q: &Self) -> Self {
        let w = &self.0 * &q.0 + dot(&self.1, &q.1);
        let mixed = difference(&times(&q.0, &self.1), &times(&self.0, &q.1));
        Self(w, difference(&mixed, &cross(&self.1, &q.1)))
    }

    fn apply(&self, x: &Vector) -> Vector {
        let once = cross(&self.1, x);
        let twice = cross(&self.1, &once);
        let half = sum(&times(&self.0, &once), &twice);
        sum(x, &times(&real(2.0), &half))
    }
}

/// The screw between two poses.
struct Course {
    start: Turn,
    from: Vector,
    axis: Vector,
    angle: Real,
    /// A point of the axis, none for translations, and the way along it.
    centre: Option<Vector>,
    along: Vector,
}

impl Course {
    fn between(start: &Pose, end: &Pose) -> Self {
        let [first, last] = [start, end].map(|pose| Turn::of(pose.rotation()));
        let mut turn = last.after_inverse(&first);
        if turn.0 < real(0.0) {
            turn = Turn(-turn.0, turn.1.map(|x| -x));
        }
        let [from, to] = [start, end].map(|pose| vector(pose.position()));
        let way = difference(&to, &from);
        let sine = dot(&turn.1, &turn.1).sqrt();
        if sine == real(0.0) {
            let axis = vector(DVec3::Z);
            return Self { start: first, from, axis, angle: real(0.0), centre: None, along: way };
        }
        let axis = times(&(real(1.0) / &sine), &turn.1);
        let along = times(&dot(&way, &axis), &axis);
        let across = difference(&way, &along);
        // The axis is beside the middle of the way across, by the cotangent of half the angle.
        let aside = times(&(&turn.0 / &sine), &cross(&axis, &across));
        let centre = sum(&from, &times(&real(0.5), &sum(&across, &aside)));
        let angle = real(2.0) * sine.atan2(&turn.0);
        Self { start: first, from, axis, angle, centre: Some(centre), along }
    }

    /// Where points of B are at time `t`.
    fn at<const N: usize>(&self, points: [DVec3; N], t: f64) -> [Vector; N] {
        let along = times(&real(t), &self.along);
        let (sin, cos) = (&self.angle * real(t)).sin_cos();
        points.map(|point| {
            let placed = sum(&self.start.apply(&vector(point)), &self.from);
            let Some(centre) = &self.centre else { return sum(&placed, &along) };
            let arm = difference(&placed, centre);
            let once = cross(&self.axis, &arm);
            let twice = cross(&self.axis, &once);
            let turned = sum(&times(&sin, &once), &times(&(real(1.0) - &cos), &twice));
            sum(&sum(&placed, &turned), &along)
        })
    }
}

/// Two meshes of triangles, A standing at the identity.
struct Case {
    meshes: [Polygons; 2],
    poses: [Pose; 2],
}

impl Case {
    fn of_triangles(a: [[f64; 3]; 3], b: [[f64; 3]; 3], poses: [Pose; 2]) -> Self {
        Self { meshes: [a, b].map(|corners| Polygons::new(corners, [[0, 1, 2]])), poses }
    }

    fn contacts(&self) -> Vec<Contact> {
        let [a, b] = &self.meshes;
        let [start, end] = self.poses;
        let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(start, end));
        contacts_of_step([a, b], &step, &Options::default())
    }

    /// The side product of the features of a contact at a time.
    fn gap(&self, course: &Course, features: &Features, t: f64) -> Real {
        let [a, b] = [0, 1].map(|body| move |v: u32| self.meshes[body].vertices[v as usize]);
        let face = |body: usize, f: u32| -> [DVec3; 3] {
            let mesh = &self.meshes[body];
            from_fn(|i| mesh.vertices[mesh.faces[f as usize][i] as usize])
        };
        let over = |[p, q, r]: &[Vector; 3], x: &Vector| {
            triple(&difference(q, p), &difference(r, p), &difference(x, p))
        };
        match *features {
            Features::Fv { face: f, vertex } => {
                let [x] = course.at([b(vertex)], t);
                over(&face(0, f).map(vector), &x)
            }
            Features::Vf { vertex, face: f } => over(&course.at(face(1, f), t), &vector(a(vertex))),
            Features::Ee { a: of_a, b: of_b } => {
                let [p, q] = of_a.map(|v| vector(a(v)));
                let [r, s] = course.at(of_b.map(b), t);
                triple(&difference(&q, &p), &difference(&s, &r), &difference(&r, &p))
            }
        }
    }

    /// Whether the bracket of a contact holds a root.
    fn holds(&self, course: &Course, contact: &Contact) -> bool {
        let signs = contact.time_bracket.map(|t| {
            self.gap(course, &contact.features, t).partial_cmp(&real(0.0)).expect("ordered")
        });
        signs[0] != signs[1] || signs.contains(&Ordering::Equal)
    }

    /// The contacts whose bracket holds no root, and how many contacts there are. What grazes, or
    /// happens within rounding of an end of the step, need not have one in the step.
    fn off(&self) -> (Vec<Contact>, usize) {
        let course = Course::between(&self.poses[0], &self.poses[1]);
        let is_inner =
            |c: &Contact| !c.grazing && c.time_bracket[0] > 0.0 && c.time_bracket[1] < 1.0;
        let contacts: Vec<Contact> = self.contacts().into_iter().filter(is_inner).collect();
        let off = contacts.iter().filter(|c| !self.holds(&course, c)).copied().collect();
        (off, contacts.len())
    }
}

#[test]
fn a_root_beside_an_inflection_is_in_its_bracket() {
    let a = [[0.28, -0.26, 0.95], [0.62, 0.94, -0.24], [-0.67, 0.97, -0.34]];
    let b = [[0.71, -0.84, 0.53], [0.36, 0.12, 0.29], [0.44, 0.78, 0.34]];
    let turn = DQuat::from_rotation_z(2.92);
    let centre = DVec3::new(0.48, 0.0, 0.0);
    let end = Pose::new(centre - turn * centre + 0.13 * DVec3::Z, turn).expect("finite");
    let case = Case::of_triangles(a, b, [Pose::IDENTITY, end]);
    let wanted = Features::Ee { a: [0, 2], b: [1, 2] };
    let contacts = case.contacts();
    let contact = contacts.iter().find(|c| c.features == wanted).expect("the edges cross");
    assert!((contact.time - 0.36474944669831).abs() < 1e-13, "{contact:?}");
    assert_eq!(case.off().0, []);
}

/// Random numbers, by a generator that is the same everywhere.
struct Random(u64);

impl Random {
    /// In [-1, 1].
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn point(&mut self) -> [f64; 3] {
        from_fn(|_| self.number())
    }

    fn turn(&mut self, angle: f64) -> DQuat {
        let axis = DVec3::from(self.point()).normalize_or(DVec3::X);
        DQuat::from_axis_angle(axis, angle)
    }

    /// Two triangles, B turning by an angle.
    fn case(&mut self, angle: f64) -> Case {
        let [a, b] = from_fn(|_| from_fn(|_| self.point()));
        let turn = self.turn(1.0);
        let start = Pose::new(self.point(), turn).expect("finite");
        let end = Pose::new(self.point(), self.turn(angle) * turn).expect("finite");
        Case::of_triangles(a, b, [start, end])
    }
}

fn check(seed: u64, cases: usize, angle: impl Fn(f64) -> f64) {
    let mut random = Random(seed);
    let mut contacts = 0;
    for number in 0..cases {
        let share = 0.5 + 0.5 * random.number();
        let (off, count) = random.case(angle(share)).off();
        assert_eq!(off, [], "case {number}");
        contacts += count;
    }
    assert!(contacts > cases, "{contacts}");
}

#[test]
fn times_of_random_triangles_are_in_their_brackets_at_large_angles() {
    check(1, 6000, |share| 1.0 + 2.14 * share);
}

#[test]
fn times_of_random_triangles_are_in_their_brackets_at_all_angles() {
    check(2, 1500, |share| 3.1 * 10_f64.powf(-9.0 * share));
}
