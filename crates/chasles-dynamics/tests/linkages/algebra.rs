//! Pushes through linkages against dense algebra, redundant rows, and the cost of long chains.

use chasles_dynamics::body::{Inertia, Velocity};
use chasles_dynamics::impulse::{Loose, Response};
use chasles_dynamics::linkage::Joint;
use glam::{DMat3, DVec3};

use crate::kit::{Random, System, difference, largest, solid};

const AXES: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

/// A matrix of any size, for slow algebra.
type Matrix = Vec<Vec<f64>>;

/// Balls as the paper writes them: the velocities of both bodies at the joint are the same.
struct Balls<'s> {
    bodies: &'s [Inertia],
    /// Bodies and places.
    joints: Vec<([usize; 2], DVec3)>,
}

impl Balls<'_> {
    fn gradient(&self) -> Matrix {
        let mut rows = Vec::new();
        for &(ends, point) in &self.joints {
            for axis in AXES {
                let mut row = vec![0.0; 6 * self.bodies.len()];
                for (body, sign) in ends.into_iter().zip([-1.0, 1.0]) {
                    let arm = point - self.bodies[body].centre;
                    row[6 * body..6 * body + 3].copy_from_slice(&(sign * axis).to_array());
                    let turn = sign * arm.cross(axis);
                    row[6 * body + 3..6 * body + 6].copy_from_slice(&turn.to_array());
                }
                rows.push(row);
            }
        }
        rows
    }

    fn answer(&self, row: &[f64]) -> Vec<f64> {
        let mut answer = vec![0.0; row.len()];
        for (body, inertia) in self.bodies.iter().enumerate() {
            let part = |at: usize| DVec3::from_slice(&row[6 * body + at..6 * body + at + 3]);
            let linear = inertia.inv_mass * part(0);
            let angular = inertia.inv_inertia * part(3);
            answer[6 * body..6 * body + 3].copy_from_slice(&linear.to_array());
            answer[6 * body + 3..6 * body + 6].copy_from_slice(&angular.to_array());
        }
        answer
    }

    /// The nearest velocities that fit, by the pseudo-inverse.
    fn fitted(&self, velocities: &[Velocity]) -> Vec<Velocity> {
        let pair = |v: &Velocity| [v.linear.to_array(), v.angular.to_array()].concat();
        let mut all: Vec<f64> = velocities.iter().flat_map(pair).collect();
        let rows = self.gradient();
        let answers: Matrix = rows.iter().map(|row| self.answer(row)).collect();
        let matrix: Matrix =
            rows.iter().map(|a| answers.iter().map(|b| dot(a, b)).collect()).collect();
        let side: Vec<f64> = rows.iter().map(|row| -dot(row, &all)).collect();
        for (impulse, answer) in pseudo_solved(matrix, &side).iter().zip(&answers) {
            for (value, answer) in all.iter_mut().zip(answer) {
                *value += impulse * answer;
            }
        }
        let velocity = |six: &[f64]| Velocity {
            linear: DVec3::from_slice(&six[..3]),
            angular: DVec3::from_slice(&six[3..]),
        };
        all.chunks(6).map(velocity).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The shortest solution, by Jacobi's eigenvectors; eigenvalues that are nothing are left out.
fn pseudo_solved(mut matrix: Matrix, side: &[f64]) -> Vec<f64> {
    let n = side.len();
    let mut vectors: Matrix = (0..n).map(|i| (0..n).map(|j| f64::from(i == j)).collect()).collect();
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut matrix, &mut vectors, p, q);
            }
        }
    }
    let most = (0..n).map(|i| matrix[i][i]).fold(0.0, f64::max);
    let mut solution = vec![0.0; n];
    for k in (0..n).filter(|&k| matrix[k][k] > 1e-11 * most) {
        let share = dot(&vectors[k], side) / matrix[k][k];
        for (value, component) in solution.iter_mut().zip(&vectors[k]) {
            *value += share * component;
        }
    }
    solution
}

/// Makes one entry vanish; rows of `vectors` are the eigenvectors to be.
fn rotate(matrix: &mut Matrix, vectors: &mut Matrix, p: usize, q: usize) {
    if matrix[p][q].abs() < 1e-300 {
        return;
    }
    let half = 0.5 * (matrix[q][q] - matrix[p][p]) / matrix[p][q];
    let tangent = half.signum() / (half.abs() + half.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    for line in matrix.iter_mut() {
        [line[p], line[q]] = [cosine * line[p] - sine * line[q], sine * line[p] + cosine * line[q]];
    }
    for k in 0..matrix.len() {
        for matrix in [&mut *matrix, &mut *vectors] {
            let [a, b] = [matrix[p][k], matrix[q][k]];
            [matrix[p][k], matrix[q][k]] = [cosine * a - sine * b, sine * a + cosine * b];
        }
    }
}

/// A chain of links of length 1 along a crooked line, from body 0, with balls between.
fn chain(links: usize, random: &mut Random) -> (System, Vec<([usize; 2], DVec3)>) {
    let mut system = System::default();
    let mut joints = Vec::new();
    let mut end = DVec3::ZERO;
    for link in 0..links {
        let way = (DVec3::X + 0.5 * random.vector()).normalize();
        let rod = solid(1.0, DVec3::new(0.1, 0.11, 0.1));
        system.place(Some(rod), end + 0.5 * way);
        if link > 0 {
            let bodies = [link - 1, link];
            joints.push((bodies, end));
            let anchors = system.at(bodies, end, DVec3::Z);
            system.joints.push(Joint::ball(bodies, anchors).expect("two bodies"));
        }
        end += way;
    }
    system.fit();
    (system, joints)
}

/// Settling and pushing against the dense solution.
fn agrees(system: &System, joints: Vec<([usize; 2], DVec3)>, random: &mut Random) {
    let bodies = system.inertias(&system.poses);
    let dense = Balls { bodies: &bodies, joints };
    let mut velocities: Vec<Velocity> = bodies.iter().map(|_| random.velocity()).collect();
    for (velocity, body) in velocities.iter_mut().zip(&bodies) {
        if !body.is_dynamic() {
            *velocity = Velocity::ZERO;
        }
    }
    let expected = dense.fitted(&velocities);
    system.linkage.settle(&mut velocities, 0.01);
    let error = difference(&velocities, &expected) / largest(&expected);
    assert!(error < 1e-9, "settled velocities are off by {error}");
    let ends = [0, bodies.len() - 1];
    let [point, impulse] = [random.vector(), random.vector()];
    let mut loose = vec![Velocity::ZERO; bodies.len()];
    Loose(&bodies).push(&mut loose, ends, point, impulse);
    let expected = dense.fitted(&loose);
    let mut pushed = vec![Velocity::ZERO; bodies.len()];
    system.linkage.push(&mut pushed, ends, point, impulse);
    let error = difference(&pushed, &expected) / largest(&loose);
    assert!(error < 1e-9, "the push is off by {error}");
    let moved = system.linkage.approach(&pushed, ends, point);
    let soft = system.linkage.inv_effective_mass(ends, point) * impulse;
    let free = Loose(&bodies).inv_effective_mass(ends, point);
    let size = (free.x_axis.x + free.y_axis.y + free.z_axis.z) * impulse.length();
    assert!((moved - soft).length() < 1e-10 * size, "{moved} for {soft} of {size}");
}

#[test]
fn a_chain_of_twenty_links_answers_as_dense_algebra_says() {
    let mut random = Random(1);
    for _ in 0..10 {
        let (system, joints) = chain(20, &mut random);
        agrees(&system, joints, &mut random);
        assert_eq!(system.linkage.rank(), (57, 0));
    }
}

#[test]
fn several_balls_on_one_pair_are_harmless() {
    let mut random = Random(2);
    for (balls, redundant) in [(1, 0), (2, 1), (3, 3), (5, 9)] {
        for _ in 0..10 {
            let mut system = System::default();
            for _ in 0..2 {
                system.add(Some(random.solid()), random.pose());
            }
            let places: Vec<DVec3> = (0..balls).map(|_| random.vector()).collect();
            for &place in &places {
                let anchors = system.at([0, 1], place, DVec3::Z);
                system.joints.push(Joint::ball([0, 1], anchors).expect("two bodies"));
            }
            system.fit();
            assert_eq!(system.linkage.rank(), (3 * balls, redundant));
            agrees(&system, places.iter().map(|&place| ([0, 1], place)).collect(), &mut random);
        }
    }
}

#[test]
fn a_loop_of_balls_answers_as_dense_algebra_says() {
    let mut random = Random(3);
    for is_fixed in [false, true] {
        let mut system = System::default();
        let corners = [[0.0, 0.0], [3.0, 0.2], [2.7, 2.0], [0.4, 1.5]];
        let corners = corners.map(|[x, y]| DVec3::new(x, y, 0.0));
        let mut joints = Vec::new();
        for i in 0..4 {
            let is_dynamic = i > 0 || !is_fixed;
            let solid = is_dynamic.then(|| random.solid());
            system.place(solid, 0.5 * (corners[i] + corners[(i + 1) % 4]));
        }
        for i in 0..4 {
            let bodies = [i, (i + 1) % 4];
            // Two balls across the plane are a hinge.
            for height in [-0.1, 0.1] {
                let place = corners[(i + 1) % 4] + height * DVec3::Z;
                joints.push((bodies, place));
                let anchors = system.at(bodies, place, DVec3::Z);
                system.joints.push(Joint::ball(bodies, anchors).expect("two bodies"));
            }
        }
        system.fit();
        // Each pair has a row too many, and the plane loop three more.
        assert_eq!(system.linkage.rank(), (24, 7));
        agrees(&system, joints, &mut random);
    }
}

#[test]
fn impulses_pass_a_thousand_links() {
    let mut random = Random(4);
    let (mut system, _) = chain(1000, &mut random);
    for velocity in &mut system.velocities {
        *velocity = random.velocity();
    }
    system.linkage.settle(&mut system.velocities, 0.01);
    let speed = largest(&system.velocities);
    assert!(system.linkage.parting(&system.velocities) < 1e-12 * speed);
    let impulse = DVec3::new(-3.0, 4.0, 12.0);
    let free = system.place(Some(solid(1.0, DVec3::ONE)), DVec3::ZERO);
    system.fit();
    system.linkage.push(&mut system.velocities, [0, free], DVec3::ZERO, impulse);
    let parting = system.linkage.parting(&system.velocities);
    assert!(parting < 1e-9 * largest(&system.velocities), "{parting}");
}

#[test]
fn a_straight_chain_moves_as_one_along_itself() {
    let links = 1000;
    let mut system = System::default();
    for link in 0..links {
        let body = system.place(Some(solid(1.0, DVec3::splat(0.1))), DVec3::X * link as f64);
        if body > 0 {
            let bodies = [body - 1, body];
            let anchors = system.at(bodies, DVec3::X * (link as f64 - 0.5), DVec3::Z);
            system.joints.push(Joint::ball(bodies, anchors).expect("two bodies"));
        }
    }
    let free = system.place(Some(solid(1.0, DVec3::ONE)), DVec3::ZERO);
    system.fit();
    system.linkage.push(&mut system.velocities, [0, free], DVec3::ZERO, 10.0 * DVec3::X);
    let shared = Velocity { linear: 0.01 * DVec3::X, angular: DVec3::ZERO };
    let error = difference(&system.velocities[..links], &vec![shared; links]);
    assert!(error < 1e-14, "off by {error}");
}

#[test]
fn the_cost_of_a_chain_is_linear() {
    let mut random = Random(5);
    let entries = |links: usize, random: &mut Random| chain(links, random).0.linkage.entries();
    // Each ball: a triangle of 3, and a block of 9 with the next one.
    for links in [2, 10, 100, 1000, 4000] {
        assert_eq!(entries(links, &mut random), 12 * (links - 1) - 9);
    }
}

#[test]
fn a_tree_gets_no_more_entries_than_it_has() {
    // Each body carries three others.
    let mut system = System::default();
    let mut random = Random(6);
    for body in 0..364 {
        system.add(Some(random.solid()), random.pose());
        if body > 0 {
            let bodies = [(body - 1) / 3, body];
            let anchors = system.at(bodies, random.vector(), DVec3::X);
            system.joints.push(Joint::hinge(bodies, anchors).expect("two bodies"));
        }
    }
    system.fit();
    // A body with four hinges entangles them: 6 pairs of 25 entries at most, and 10 for each.
    assert!(system.linkage.entries() <= 121 * 6 * 25 + 363 * 10, "{}", system.linkage.entries());
    let mut velocities: Vec<Velocity> = (0..364).map(|_| random.velocity()).collect();
    system.linkage.settle(&mut velocities, 0.01);
    assert!(system.linkage.parting(&velocities) < 1e-11);
}

#[test]
fn a_hub_with_twelve_joints_is_fine() {
    let mut random = Random(7);
    let mut system = System::default();
    system.add(Some(random.solid()), random.pose());
    let mut joints = Vec::new();
    for body in 1..=12 {
        system.add(Some(random.solid()), random.pose());
        let place = random.vector();
        let anchors = system.at([0, body], place, DVec3::X);
        joints.push(([0, body], place));
        system.joints.push(Joint::ball([0, body], anchors).expect("two bodies"));
    }
    system.fit();
    agrees(&system, joints, &mut random);
}

#[test]
fn bodies_that_nothing_moves_do_not_entangle_their_joints() {
    let mut random = Random(8);
    let mut system = System::default();
    system.place(None, DVec3::ZERO);
    system.place(None, DVec3::X);
    let anchors = system.at([0, 1], DVec3::ZERO, DVec3::Z);
    system.joints.push(Joint::weld([0, 1], anchors).expect("two bodies"));
    for body in 2..102 {
        system.add(Some(random.solid()), random.pose());
        let anchors = system.at([0, body], random.vector(), DVec3::Z);
        system.joints.push(Joint::ball([0, body], anchors).expect("two bodies"));
    }
    system.fit();
    assert_eq!(system.linkage.rank(), (300, 0));
    assert_eq!(system.linkage.entries(), 300);
}

#[test]
fn a_blocked_point_has_a_softness_of_almost_nothing() {
    let mut random = Random(9);
    let mut system = System::default();
    system.place(None, DVec3::ZERO);
    system.add(Some(random.solid()), random.pose());
    let anchors = system.at([0, 1], random.vector(), random.vector());
    system.joints.push(Joint::weld([0, 1], anchors).expect("two bodies"));
    system.fit();
    let point = random.vector();
    let loose = Loose(&system.inertias(&system.poses)).inv_effective_mass([1, 0], point);
    let soft = system.linkage.inv_effective_mass([1, 0], point);
    let [x, y, z] = [loose.x_axis.x, loose.y_axis.y, loose.z_axis.z];
    assert!(soft.abs_diff_eq(DMat3::ZERO, 1e-11 * (x + y + z)), "{soft}");
    for _ in 0..100 {
        let way = random.vector();
        assert!(way.dot(soft * way) > 0.0);
    }
}
