//! Round bodies against polyhedra: steps, queries, and what leaves their contacts as they are.

use chasles::round::{self, Contact, Options, Round, Workspace};
use chasles::{Motion, Polygons, Pose, Step};
use glam::DQuat;

use crate::generate::{self, Random};
use crate::query::{collider, mirror, mirrored_mesh, mirrored_pose};
use crate::shapes;

/// The pose at a place, not turned.
///
/// # Panics
///
/// If a number is not finite.
pub fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position([x, y, z]).expect("finite")
}

/// B from one pose to another; A rests.
pub fn between(from: Pose, to: Pose) -> Step {
    Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to))
}

/// All contacts of a mesh and a round body, from a fresh workspace.
///
/// # Panics
///
/// If the mesh is not acceptable.
pub fn all(a: &Polygons, b: &Round, step: &Step) -> Vec<Contact> {
    some(a, b, step, &Options::default())
}

/// Those of them that are asked for.
///
/// # Panics
///
/// If the mesh is not acceptable.
pub fn some(a: &Polygons, b: &Round, step: &Step, options: &Options) -> Vec<Contact> {
    round::contacts(&collider(a), b, step, options, &mut Workspace::new()).to_vec()
}

/// Asserts that a number is another, but for rounding.
///
/// # Panics
///
/// If it is not.
#[track_caller]
pub fn assert_close(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-12, "{value} instead of {expected}");
}

/// A mesh and a motion of B beside it, in one part.
///
/// # Panics
///
/// Never: all numbers are finite.
pub fn scene(random: &mut Random) -> (Polygons, Step) {
    let mesh = match random.below(3) {
        0 => shapes::l_prism(),
        1 => generate::closed_mesh(random),
        _ => generate::convex_mesh(random),
    };
    let pose =
        |random: &mut Random| Pose::new(1.5 * random.vector(), random.rotation()).expect("finite");
    let [start, of_a] = [pose(random), pose(random)];
    let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 2.0));
    let end = Pose::new(1.5 * random.vector(), turn * start.rotation()).expect("finite");
    (mesh, Step::new(Motion::still(of_a), Motion::between(start, end)))
}

/// Asserts that each contact is, once it is mapped, one of the others, and the other way round.
///
/// # Panics
///
/// If one is not.
#[track_caller]
pub fn assert_same(
    one: &[Contact],
    other: &[Contact],
    what: &str,
    map: impl Fn(&Contact) -> Contact,
) {
    assert_eq!(one.len(), other.len(), "{what}: {one:#?} {other:#?}");
    for p in one {
        let expected = map(p);
        let is_same = |q: &&Contact| {
            let near = if p.grazing || q.grazing { 1e-6 } else { 1e-9 };
            (expected.time - q.time).abs() < near
                && expected.features == q.features
                && (expected.normal_in_a - q.normal_in_a).length() < 1e-4
        };
        assert_eq!(other.iter().filter(is_same).count(), 1, "{what}: {p:?} {other:#?}");
    }
}

/// Asserts that moving all, going back, and a mirror change nothing else, and returns how many
/// contacts there are. `image` is the body as the mirror `x -> -x` shows it.
///
/// # Panics
///
/// If something else changes.
#[track_caller]
pub fn assert_invariant(
    (mesh, step): &(Polygons, Step),
    [body, image]: [&Round; 2],
    elsewhere: &Pose,
    what: &str,
) -> usize {
    let [of_a, of_b] = step.motions().map(|motion| [motion.start(), motion.end()]);
    let step_of = |map: &dyn Fn(&Pose) -> Pose, order: [usize; 2]| {
        let [a, b] = [of_a, of_b].map(|ends| order.map(|i| map(&ends[i])));
        Step::new(Motion::still(a[0]), Motion::between(b[0], b[1]))
    };
    let found = all(mesh, body, step);
    let moved = all(mesh, body, &step_of(&|pose| elsewhere.after(pose), [0, 1]));
    assert_same(&found, &moved, &format!("moved, {what}"), |c| *c);
    let back = all(mesh, body, &step_of(&|pose| *pose, [1, 0]));
    assert_same(&found, &back, &format!("back, {what}"), |c| Contact { time: 1.0 - c.time, ..*c });
    let seen = all(&mirrored_mesh(mesh), image, &step_of(&mirrored_pose, [0, 1]));
    let flipped = |c: &Contact| Contact { normal_in_a: mirror(c.normal_in_a), ..*c };
    assert_same(&found, &seen, &format!("mirrored, {what}"), flipped);
    found.len()
}
