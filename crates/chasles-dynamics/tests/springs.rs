//! Springs give back the stated share of the speed and never energy; sheets cross nothing.

use chasles::Polygons;
use chasles::deform::Surface;
use chasles::mesh::shapes::{Cuboid, Shape, Sphere};
use chasles_dynamics::body::{Inertia, Velocity};
use chasles_dynamics::spring::integrate::{Moved, Options, Press, press};
use chasles_dynamics::spring::law::Law;
use chasles_dynamics::spring::net::{Fabric, Net};
use chasles_dynamics::spring::sheet::{Obstacle, Sheet, SheetError, Stepped};
use glam::{DMat3, DVec3};

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);
const DT: f64 = 1.0 / 60.0;

fn law(restitution: f64) -> Law {
    Law::new(1e6, 5e-3, restitution).expect("a law")
}

fn ball(height: f64) -> Inertia {
    Inertia { centre: height * DVec3::Z, inv_mass: DVec3::splat(0.5), inv_inertia: DMat3::ZERO }
}

/// The speed at which a point mass leaves a wall, and the most that its energy ever grew.
fn rebound(law: Law, speed: f64) -> (f64, f64) {
    let reach = law.limit();
    let mut height = 1.5 * reach;
    let mut velocity = Velocity { linear: -speed * DVec3::Z, ..Velocity::ZERO };
    let mut energy = speed * speed;
    let mut grown = f64::NEG_INFINITY;
    let start = energy;
    for _ in 0..1000 {
        let spring = Press {
            bodies: [0, 1],
            points: [height * DVec3::Z, DVec3::ZERO],
            normal: DVec3::Z,
            reach,
            law,
            friction: 0.0,
        };
        let bodies = [(ball(height), velocity), (Inertia::fixed(DVec3::ZERO), Velocity::ZERO)];
        let pressed = press(&bodies, &[spring], DVec3::ZERO, 5e-5, &Options::default());
        assert_eq!(pressed.seconds, 5e-5);
        height += pressed.bodies[0].shift.z;
        velocity = pressed.bodies[0].velocity;
        assert!(height > 0.0, "the wall is crossed");
        let now = velocity.linear.z * velocity.linear.z + law.energy(reach - height);
        grown = grown.max((now - energy) / start);
        energy = now;
    }
    (velocity.linear.z, grown)
}

#[test]
fn a_point_mass_leaves_a_wall_with_the_stated_share_of_its_speed() {
    for restitution in [0.0, 0.2, 0.5, 0.8, 1.0] {
        for speed in [0.3, 1.0, 3.0] {
            let (back, grown) = rebound(law(restitution), speed);
            assert!((back / speed - restitution).abs() <= 1e-3 * restitution.max(1e-3));
            assert!(grown < 1e-6, "energy grew by {grown}");
        }
    }
}

#[test]
fn damping_takes_more() {
    let damped = law(0.8).damped(1e6).expect("a law");
    let (back, grown) = rebound(damped, 1.0);
    assert!(back > 0.1 && back < 0.75, "{back}");
    assert!(grown < 1e-6, "energy grew by {grown}");
}

fn momenta(bodies: &[(Inertia, Velocity)]) -> (DVec3, DVec3, f64) {
    let [mut linear, mut angular] = [DVec3::ZERO; 2];
    let mut energy = 0.0;
    for (body, velocity) in bodies {
        let spin = body.inv_inertia.inverse() * velocity.angular;
        let push = velocity.linear / body.inv_mass;
        linear += push;
        angular += spin + body.centre.cross(push);
        energy += 0.5 * (velocity.linear.dot(push) + velocity.angular.dot(spin));
    }
    (linear, angular, energy)
}

fn turned(body: &Inertia, moved: &Moved) -> Inertia {
    let turn = DMat3::from_quat(moved.turn);
    Inertia {
        centre: body.centre + moved.shift,
        inv_inertia: turn * body.inv_inertia * turn.transpose(),
        ..*body
    }
}

#[test]
fn two_bodies_keep_their_momentum_and_gain_no_energy() {
    let first = Inertia {
        centre: DVec3::new(0.3, -0.2, 0.5),
        inv_mass: DVec3::splat(0.5),
        inv_inertia: DMat3::from_diagonal(DVec3::new(6.0, 9.0, 13.0)),
    };
    let second =
        Inertia { centre: DVec3::new(-0.1, 0.1, -0.5), inv_mass: DVec3::splat(1.3), ..first };
    let down = Velocity { linear: -2.0 * DVec3::Z, angular: DVec3::new(0.3, 2.0, -1.0) };
    let across = Velocity { linear: DVec3::new(1.0, 0.5, 1.0), angular: DVec3::new(1.0, 0.0, 3.0) };
    let bodies = [(first, down), (second, across)];
    let (linear, angular, energy) = momenta(&bodies);
    for (restitution, friction) in [(1.0, 0.0), (0.5, 0.0), (0.5, 0.6), (0.0, 0.2)] {
        let law = law(restitution);
        let points = [DVec3::new(0.0, 0.0, law.limit()), DVec3::ZERO];
        let reach = law.limit();
        let spring = Press { bodies: [0, 1], points, normal: DVec3::Z, reach, law, friction };
        let pressed = press(&bodies, &[spring], DVec3::ZERO, 0.01, &Options::default());
        assert_eq!(pressed.seconds, 0.01);
        let after: Vec<_> = bodies
            .iter()
            .zip(&pressed.bodies)
            .map(|((body, _), moved)| (turned(body, moved), moved.velocity))
            .collect();
        let (linear_now, angular_now, energy_now) = momenta(&after);
        assert!((linear_now - linear).length() < 1e-12 * linear.length());
        assert!((angular_now - angular).length() < 1e-11 * angular.length());
        assert!(energy_now < energy * (1.0 + 1e-6));
        let is_elastic = restitution == 1.0 && friction == 0.0;
        assert_eq!(energy_now > energy * (1.0 - 1e-6), is_elastic);
    }
}

#[test]
fn a_block_rests_on_springs() {
    let law = Law::new(1e4, 5e-3, 0.5).and_then(|law| law.settling(1e-2)).expect("a law");
    let inv_inertia = DMat3::from_diagonal(DVec3::splat(6.0));
    let block = Inertia { centre: 0.5 * DVec3::Z, inv_mass: DVec3::ONE, inv_inertia };
    let spring = |x: f64, y: f64| {
        let point = DVec3::new(x, y, 0.0);
        let points = [point + 5e-3 * DVec3::Z, point];
        Press { bodies: [0, 1], points, normal: DVec3::Z, reach: 5e-3, law, friction: 0.5 }
    };
    let springs = [spring(0.5, 0.5), spring(-0.5, 0.5), spring(-0.5, -0.5), spring(0.5, -0.5)];
    let start = Velocity { linear: DVec3::new(0.05, 0.0, -0.1), ..Velocity::ZERO };
    let bodies = [(block, start), (Inertia::fixed(DVec3::ZERO), Velocity::ZERO)];
    let pressed = press(&bodies, &springs, GRAVITY, 1.0, &Options::default());
    let moved = pressed.bodies[0];
    assert_eq!(pressed.seconds, 1.0);
    assert!(moved.velocity.linear.length() < 1e-3 && moved.velocity.angular.length() < 1e-2);
    assert!(moved.shift.z > -5e-3 && moved.shift.z < 0.0);
}

#[test]
fn steps_that_run_out_are_told() {
    let law = law(0.0);
    let points = [4e-3 * DVec3::Z, DVec3::ZERO];
    let spring =
        |reach: f64| Press { bodies: [0, 1], points, normal: DVec3::Z, reach, law, friction: 0.0 };
    let fall = Velocity { linear: -DVec3::Z, ..Velocity::ZERO };
    let bodies = [(ball(4e-3), fall), (Inertia::fixed(DVec3::ZERO), Velocity::ZERO)];
    let options = Options { max_steps: 50, ..Options::default() };
    let short = press(&bodies, &[spring(law.limit())], DVec3::ZERO, 1.0, &options);
    assert!(short.seconds > 0.0 && short.seconds < 1.0 && short.steps + short.rejected == 50);
    let beyond = press(&bodies, &[spring(0.01)], DVec3::ZERO, 1.0, &options);
    assert_eq!((beyond.seconds, beyond.steps, beyond.bodies[0].shift), (0.0, 0, DVec3::ZERO));
}

/// A mesh that stands still.
struct Still {
    mesh: Polygons,
    surface: Surface,
}

impl Still {
    fn new(shape: &Shape, by: DVec3) -> Self {
        let mut mesh = shape.polygons().expect("a shape");
        mesh.vertices.iter_mut().for_each(|p| *p += by);
        let fan = |face: &Vec<u32>| {
            (2..face.len()).map(|i| vec![face[0], face[i - 1], face[i]]).collect::<Vec<_>>()
        };
        mesh.faces = mesh.faces.iter().flat_map(fan).collect();
        let surface = Surface::new(&mesh).expect("a mesh");
        Self { mesh, surface }
    }

    fn obstacle(&self) -> Obstacle<'_> {
        self.named(0)
    }

    fn named(&self, name: usize) -> Obstacle<'_> {
        let at = self.mesh.vertices.as_slice();
        let surface = &self.surface;
        Obstacle { surface, start: at, end: at, friction: 0.6, restitution: 1.0, name }
    }
}

/// Whether a segment crosses the plane of a triangle inside it. Segments in the plane do not.
fn pierces([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let low = p.min(q).cmpgt(a.max(b).max(c));
    let high = p.max(q).cmplt(a.min(b).min(c));
    let normal = (b - a).cross(c - a);
    let [from, to] = [p, q].map(|end| normal.dot(end - a));
    if (low | high).any() || from * to >= 0.0 {
        return false;
    }
    let at = p.lerp(q, from / (from - to));
    let inside = |v: DVec3, w: DVec3| normal.dot((w - v).cross(at - v)) >= 0.0;
    inside(a, b) && inside(b, c) && inside(c, a)
}

fn sides(mesh: &Polygons) -> Vec<[u32; 2]> {
    let of = |face: &Vec<u32>| [[face[0], face[1]], [face[1], face[2]], [face[2], face[0]]];
    let mut edges: Vec<_> =
        mesh.faces.iter().flat_map(of).map(|[p, q]| [p.min(q), p.max(q)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Edges of one mesh that pierce faces of another, or of itself where they share no vertex.
fn piercings(
    edges: (&Polygons, &[DVec3]),
    faces: (&Polygons, &[DVec3]),
    with_itself: bool,
) -> usize {
    let mut count = 0;
    for edge in sides(edges.0) {
        let segment = edge.map(|v| edges.1[v as usize]);
        for face in &faces.0.faces {
            let shares = with_itself && face.iter().any(|v| edge.contains(v));
            let triangle = [0, 1, 2].map(|i| faces.1[face[i] as usize]);
            count += usize::from(!shares && pierces(segment, triangle));
        }
    }
    count
}

fn crossings(sheet: &Sheet, bodies: &[&Still]) -> usize {
    let cloth = (sheet.net().mesh(), sheet.positions());
    let with_bodies = bodies.iter().map(|body| {
        let body = (&body.mesh, body.mesh.vertices.as_slice());
        piercings(cloth, body, false) + piercings(body, cloth, false)
    });
    with_bodies.sum::<usize>() + piercings(cloth, cloth, true)
}

/// Runs a sheet among bodies that stand still and checks every frame.
fn run(sheet: &mut Sheet, bodies: &[&Still], frames: usize) -> [f64; 3] {
    run_with(sheet, bodies, frames, |sheet, obstacles| sheet.step(DT, GRAVITY, obstacles))
}

/// The same by steps of some kind.
fn run_with(
    sheet: &mut Sheet,
    bodies: &[&Still],
    frames: usize,
    step: impl Fn(&mut Sheet, &[Obstacle<'_>]) -> Result<Stepped, SheetError>,
) -> [f64; 3] {
    let obstacles: Vec<_> =
        bodies.iter().enumerate().map(|(number, body)| body.named(number)).collect();
    let total = |sheet: &Sheet| sheet.energy(GRAVITY).iter().sum::<f64>();
    let start = total(sheet);
    let mut most = f64::NEG_INFINITY;
    for frame in 0..frames {
        let stepped = step(sheet, &obstacles).expect("finite");
        assert!(stepped.pushes.iter().all(|push| push.impulse.is_finite()));
        assert_eq!(stepped.fraction, 1.0, "frame {frame} is held");
        most = most.max(total(sheet) - start);
        assert_eq!(crossings(sheet, bodies), 0, "frame {frame}");
    }
    let energy = sheet.energy(GRAVITY);
    // A hundredth of the fall of the sheet by a metre: what linear steps may add at an impact.
    let weight = sheet.net().masses().iter().sum::<f64>() * GRAVITY.length();
    assert!(most < 1e-2 * weight, "energy grew by {most}");
    energy
}

fn cloth(cells: u32, corner: DVec3, sides: [DVec3; 2], fabric: &Fabric) -> Sheet {
    Sheet::new(Net::grid(corner, sides, [cells; 2], fabric).expect("a net")).expect("a sheet")
}

#[test]
fn a_cloth_falls_on_a_sphere_and_rests() {
    let sphere = Shape::Sphere(Sphere { radius: 0.3, segments: [24, 12] });
    let sphere = Still::new(&sphere, DVec3::ZERO);
    let corner = DVec3::new(-0.5, -0.5, 0.4);
    let mut sheet = cloth(20, corner, [DVec3::X, DVec3::Y], &Fabric::default());
    let [motion, ..] = run(&mut sheet, &[&sphere], 100);
    let middle = sheet.positions()[220];
    assert!(middle.z > 0.29, "the cloth lies on the sphere: {middle}");
    assert!(motion < 1e-3, "it moves still: {motion} J");
}

#[test]
fn a_cloth_that_falls_on_its_edge_folds_without_crossing_itself() {
    let floor = Still::new(&Shape::Box(Cuboid { size: [4.0, 4.0, 0.2] }), -0.1 * DVec3::Z);
    let side = DVec3::new(0.05, 0.02, 0.6);
    let start =
        || cloth(12, DVec3::new(-0.3, 0.0, 0.05), [0.6 * DVec3::X, side], &Fabric::default());
    let mut sheet = start();
    let [motion, ..] = run(&mut sheet, &[&floor], 150);
    assert!(motion < 5e-3, "it moves still: {motion} J");
    let mut again = start();
    let obstacle = [floor.obstacle()];
    (0..150).for_each(|_| {
        again.step(DT, GRAVITY, &obstacle).expect("finite");
    });
    assert_eq!(sheet.positions(), again.positions());
}

/// Runs a sheet on contact springs of 10 ms.
fn run_on_springs(sheet: &mut Sheet, bodies: &[&Still], frames: usize) -> [f64; 3] {
    run_with(sheet, bodies, frames, |sheet, obstacles| {
        sheet.step_on_springs(DT, GRAVITY, obstacles, 0.01)
    })
}

#[test]
fn a_cloth_comes_to_lie_on_the_springs_of_a_sphere() {
    let sphere = Shape::Sphere(Sphere { radius: 0.3, segments: [24, 12] });
    let sphere = Still::new(&sphere, DVec3::ZERO);
    let corner = DVec3::new(-0.3, -0.3, 0.32);
    let sides = [0.6 * DVec3::X, 0.6 * DVec3::Y];
    let mut sheet = cloth(6, corner, sides, &Fabric::default());
    let [motion, ..] = run_on_springs(&mut sheet, &[&sphere], 90);
    let middle = sheet.positions()[24];
    assert!(middle.z > 0.302 && middle.z < 0.3045, "held between one thickness and two: {middle}");
    assert!(motion < 1e-3, "it moves still: {motion} J");
}

#[test]
fn a_cloth_that_folds_on_springs_does_not_cross_itself() {
    let floor = Still::new(&Shape::Box(Cuboid { size: [4.0, 4.0, 0.2] }), -0.1 * DVec3::Z);
    let side = DVec3::new(0.05, 0.02, 0.5);
    let corner = DVec3::new(-0.3, 0.0, 0.02);
    let fabric = Fabric { restitution: 0.5, ..Fabric::default() };
    let mut sheet = cloth(8, corner, [0.5 * DVec3::X, side], &fabric);
    run_on_springs(&mut sheet, &[&floor], 90);
}

/// A small layer above two large triangles of the same sheet, that comes down at a speed.
fn layers(restitution: f64, speed: f64) -> Sheet {
    let small = [[-0.1, 0.02], [0.05, -0.03], [0.12, 0.1], [-0.05, 0.15]];
    let large = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let vertices = large.into_iter().chain(small.map(|[x, y]| [x + 0.3, y - 0.3, 0.02]));
    let mesh = Polygons::new(vertices, [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]);
    let fabric = Fabric { restitution, drag: 0.0, ..Fabric::default() };
    let mut sheet = Sheet::new(Net::of_mesh(&mesh, &fabric).expect("a net")).expect("a sheet");
    (0..4).for_each(|vertex| sheet.pin(vertex, true));
    sheet.throw(-speed * DVec3::Z);
    sheet
}

#[test]
fn layers_of_one_sheet_leave_each_other_with_the_stated_share_of_their_speed() {
    for (restitution, speed) in [(1.0, 0.4), (0.5, 0.4), (0.0, 0.4), (0.7, 2.0)] {
        let mut sheet = layers(restitution, speed);
        for _ in 0..8 {
            sheet.step_on_springs(DT, DVec3::ZERO, &[], 0.01).expect("finite");
        }
        for velocity in &sheet.velocities()[4..] {
            let error = velocity.distance(restitution * speed * DVec3::Z) / speed;
            assert!(error < 0.01, "{velocity} for {restitution} of {speed} m/s");
        }
    }
}

#[test]
fn a_sheet_that_meets_itself_on_springs_keeps_its_momentum() {
    let mut sheet = layers(0.8, 0.5);
    (0..4).for_each(|vertex| sheet.pin(vertex, false));
    let momentum = |sheet: &Sheet| -> DVec3 {
        sheet.net().masses().iter().zip(sheet.velocities()).map(|(m, v)| *m * *v).sum()
    };
    let before = momentum(&sheet);
    let mut energy: f64 = sheet.energy(DVec3::ZERO).iter().sum();
    let start = energy;
    for _ in 0..12 {
        sheet.step_on_springs(DT, DVec3::ZERO, &[], 0.01).expect("finite");
        assert!(momentum(&sheet).distance(before) < 1e-12 * before.length());
        let now: f64 = sheet.energy(DVec3::ZERO).iter().sum();
        assert!(now < energy + 1e-5 * start, "energy grew from {energy} to {now}");
        energy = now;
    }
    assert!(sheet.velocities()[0].z < -1e-3, "the large layer was not pushed");
}

#[test]
fn a_stiff_sheet_that_hangs_is_stable() {
    let fabric = Fabric { structural: 1e5, shear: 1e5, bend: 1e3, ..Fabric::default() };
    let mut sheet = cloth(10, DVec3::ZERO, [DVec3::X, DVec3::Y], &fabric);
    let held = [0, 10].map(|vertex| {
        sheet.pin(vertex, true);
        sheet.positions()[vertex]
    });
    run(&mut sheet, &[], 120);
    assert_eq!([0, 10].map(|vertex| sheet.positions()[vertex]), held);
    let mesh = sheet.net().mesh().clone();
    let by_mesh = Sheet::new(Net::of_mesh(&mesh, &fabric).expect("a net"));
    let mut by_mesh = by_mesh.expect("a sheet");
    by_mesh.pin(0, true);
    run(&mut by_mesh, &[], 30);
}

#[test]
fn a_plate_that_squeezes_a_sheet_is_stopped() {
    let slab = Shape::Box(Cuboid { size: [1.0, 1.0, 0.2] });
    let [below, mut above] = [-0.101, 0.15].map(|z| Still::new(&slab, z * DVec3::Z));
    let corner = DVec3::new(-0.2, -0.2, 0.02);
    let mut sheet = cloth(4, corner, [0.4 * DVec3::X, 0.4 * DVec3::Y], &Fabric::default());
    let mut moved = 0.0;
    let mut pushed = DVec3::ZERO;
    for _ in 0..60 {
        let end: Vec<_> = above.mesh.vertices.iter().map(|p| *p - 0.005 * DVec3::Z).collect();
        let plate = Obstacle { end: &end, ..above.named(1) };
        let stepped = sheet.step(DT, GRAVITY, &[below.obstacle(), plate]).expect("finite");
        let part = stepped.fraction;
        let ends = above.mesh.vertices.iter().zip(&end);
        above.mesh.vertices = ends.map(|(p, q)| p.lerp(*q, part)).collect();
        let ups = stepped.pushes.iter().filter(|push| push.obstacle == 1);
        pushed += ups.map(|push| push.impulse).sum::<DVec3>();
        moved += 0.005 * part;
        assert_eq!(crossings(&sheet, &[&below, &above]), 0);
    }
    assert!(moved > 0.04 && moved < 0.051, "{moved}");
    assert!(pushed.z > 0.0);
}

#[test]
fn impossible_sheets_are_refused() {
    let sides = [DVec3::X, DVec3::Y];
    let grid = |cells, fabric: Fabric| Net::grid(DVec3::ZERO, sides, [cells, 2], &fabric);
    assert!(grid(0, Fabric::default()).is_err());
    assert!(grid(2, Fabric { mass_per_area: 0.0, ..Fabric::default() }).is_err());
    assert!(grid(2, Fabric { bend: -1.0, ..Fabric::default() }).is_err());
    let thick = grid(4, Fabric { thickness: 0.3, ..Fabric::default() }).expect("a net");
    assert!(matches!(Sheet::new(thick), Err(SheetError::TooThick(_))));
    let mut sheet = Sheet::new(grid(4, Fabric::default()).expect("a net")).expect("a sheet");
    assert!(matches!(sheet.step(f64::NAN, GRAVITY, &[]), Err(SheetError::Step(_))));
    let on_springs = sheet.step_on_springs(DT, GRAVITY, &[], 0.0);
    assert!(matches!(on_springs, Err(SheetError::Period(_))));
    assert!(grid(2, Fabric { restitution: 1.5, ..Fabric::default() }).is_err());
    let apart =
        Polygons::new([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [5., 5., 5.]], [[0, 1, 2]]);
    assert!(Net::of_mesh(&apart, &Fabric::default()).is_err());
}
