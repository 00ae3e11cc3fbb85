//! What solids say about points, boxes and segments is true: checked as bounds, for every solid.

use chasles::Pose;
use chasles::glam::{DQuat, DVec2, DVec3};
use chasles::solid::{
    Capsule, Complement, Cone, Cuboid, Cylinder, Difference, HalfSpace, Intersection, Offset,
    Place, Solid, Sphere, Torus, Transformed, Union,
};
use chasles_testkit::dd::Dd;
use chasles_testkit::generate::Random;
use chasles_testkit::solid::Case;

fn boxed(solid: impl Solid + 'static) -> Box<dyn Solid> {
    Box::new(solid)
}

fn sphere(center: [f64; 3], radius: f64) -> Box<dyn Solid> {
    boxed(Sphere::new(center, radius).expect("a sphere"))
}

fn cuboid(x: f64, y: f64, z: f64) -> Box<dyn Solid> {
    boxed(Cuboid::new([x, y, z]).expect("a box"))
}

/// Levels: negative inside, of no particular size.
fn in_ball(p: DVec3, center: [f64; 3], radius: f64) -> f64 {
    p.distance_squared(center.into()) - radius * radius
}

fn in_box(p: DVec3, half: [f64; 3]) -> f64 {
    (p.abs() - DVec3::from(half)).max_element()
}

fn in_cylinder(p: DVec3, radius: f64, height: f64) -> f64 {
    (p.x * p.x + p.z * p.z - radius * radius).max(p.y.abs() - height / 2.0)
}

fn dd(v: DVec3) -> [Dd; 3] {
    v.to_array().map(Dd::from)
}

fn length(v: &[Dd]) -> Dd {
    v.iter().fold(Dd::ZERO, |sum, &c| sum + c * c).sqrt()
}

fn larger(a: Dd, b: Dd) -> Dd {
    if a > b { a } else { b }
}

/// From how far a point is beyond each side.
fn beyond(sides: &[Dd]) -> Dd {
    let deepest = sides.iter().copied().reduce(larger).expect("there are sides");
    let out: Vec<Dd> = sides.iter().map(|&s| larger(s, Dd::ZERO)).collect();
    if deepest.is_negative() { deepest } else { length(&out) }
}

fn shapes() -> Vec<Case> {
    let ball = Case::new(
        "sphere",
        sphere([0.3, -0.2, 0.1], 0.7),
        |p| in_ball(p, [0.3, -0.2, 0.1], 0.7),
        2.0,
    )
    .with_exact(|p| {
        let c = [0.3, -0.2, 0.1].map(Dd::from);
        let arm = [0, 1, 2].map(|i| dd(p)[i] - c[i]);
        length(&arm) - Dd::from(0.7)
    });
    let brick = Case::new("box", cuboid(1.0, 0.4, 1.6), |p| in_box(p, [0.5, 0.2, 0.8]), 2.0)
        .with_exact(|p| {
            let half = [0.5, 0.2, 0.8].map(Dd::from);
            beyond(&[0, 1, 2].map(|i| dd(p)[i].abs() - half[i]))
        });
    let ends = [DVec3::new(-0.6, 0.1, 0.0), DVec3::new(0.7, 0.4, -0.2)];
    let capsule = Case::new(
        "capsule",
        boxed(Capsule::new(ends[0], ends[1], 0.3).expect("a capsule")),
        move |p| {
            let [a, b] = ends;
            let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            p.distance(a.lerp(b, t)) - 0.3
        },
        2.0,
    );
    let cylinder = Case::new(
        "cylinder",
        boxed(Cylinder::new(0.6, 1.1).expect("a cylinder")),
        |p| in_cylinder(p, 0.6, 1.1),
        2.0,
    )
    .with_exact(|p| {
        let [x, y, z] = dd(p);
        beyond(&[length(&[x, z]) - Dd::from(0.6), y.abs() - Dd::from(0.55)])
    });
    let cone = Case::new(
        "cone",
        boxed(Cone::new(0.8, 1.2).expect("a cone")),
        |p| {
            let across = DVec2::new(p.x, p.z).length();
            (across - 0.8 * (0.6 - p.y) / 1.2).max(-0.6 - p.y)
        },
        2.0,
    );
    let torus = Case::new(
        "torus",
        boxed(Torus::new(0.9, 0.3).expect("a torus")),
        |p| {
            let sum = p.length_squared() + 0.81 - 0.09;
            sum * sum - 4.0 * 0.81 * (p.x * p.x + p.z * p.z)
        },
        2.0,
    )
    .with_exact(|p| {
        let [x, y, z] = dd(p);
        length(&[length(&[x, z]) - Dd::from(0.9), y]) - Dd::from(0.3)
    });
    let wall = Case::new(
        "half-space",
        boxed(HalfSpace::new([1.0, 2.0, -2.0], 0.25).expect("a half-space")),
        |p| (p.x + 2.0 * p.y - 2.0 * p.z) / 3.0 - 0.25,
        2.0,
    );
    vec![ball, brick, capsule, cylinder, cone, torus, wall]
}

/// Turned about an axis in general position, shifted and scaled.
fn pose() -> Pose {
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
    Pose::new([0.2, -0.1, 0.3], turn).expect("a pose")
}

fn into_frame(p: DVec3, scale: f64) -> DVec3 {
    pose().rotation().conjugate() * (p - pose().position()) / scale
}

fn constructed() -> Vec<Case> {
    let three =
        || vec![sphere([0.4, 0.0, 0.0], 0.5), cuboid(1.0, 0.3, 0.3), sphere([-0.5, 0.3, 0.0], 0.4)];
    let in_three = |p: DVec3| {
        let balls = in_ball(p, [0.4, 0.0, 0.0], 0.5).min(in_ball(p, [-0.5, 0.3, 0.0], 0.4));
        balls.min(in_box(p, [0.5, 0.15, 0.15]))
    };
    let union = Case::new("union", boxed(Union::new(three()).expect("a union")), in_three, 1.5);
    let lens =
        vec![sphere([0.4, 0.0, 0.0], 0.8), sphere([-0.4, 0.0, 0.0], 0.8), cuboid(2.0, 0.9, 1.0)];
    let intersection = Case::new(
        "intersection",
        boxed(Intersection::new(lens).expect("an intersection")),
        |p| {
            let balls = in_ball(p, [0.4, 0.0, 0.0], 0.8).max(in_ball(p, [-0.4, 0.0, 0.0], 0.8));
            balls.max(in_box(p, [1.0, 0.45, 0.5]))
        },
        1.5,
    );
    let drill = || boxed(Cylinder::new(0.3, 3.0).expect("a cylinder"));
    let drilled =
        Difference::new(cuboid(1.2, 1.0, 1.4), vec![drill(), sphere([0.6, 0.5, 0.7], 0.4)]);
    let in_drilled = |p: DVec3| {
        let removed = in_cylinder(p, 0.3, 3.0).min(in_ball(p, [0.6, 0.5, 0.7], 0.4));
        in_box(p, [0.6, 0.5, 0.7]).max(-removed)
    };
    let difference =
        Case::new("difference", boxed(drilled.expect("a difference")), in_drilled, 1.5);
    let outside = Case::new(
        "complement",
        boxed(Complement::new(boxed(Union::new(three()).expect("a union")))),
        move |p| -in_three(p),
        1.5,
    );
    let grown = Case::new(
        "grown box",
        boxed(Offset::new(cuboid(1.0, 0.4, 0.8), 0.25).expect("grown")),
        |p| (p.abs() - DVec3::new(0.5, 0.2, 0.4)).max(DVec3::ZERO).length() - 0.25,
        1.5,
    );
    let shrunk = Case::new(
        "shrunk cylinder",
        boxed(
            Offset::new(boxed(Cylinder::new(0.9, 1.8).expect("a cylinder")), -0.3).expect("shrunk"),
        ),
        |p| in_cylinder(p, 0.6, 1.2),
        1.5,
    )
    .with_grazing(1e-4);
    let moved = Case::new(
        "transformed cone",
        boxed(
            Transformed::new(boxed(Cone::new(0.5, 0.8).expect("a cone")), pose(), 1.3)
                .expect("moved"),
        ),
        |p| {
            let p = into_frame(p, 1.3);
            let across = DVec2::new(p.x, p.z).length();
            (across - 0.5 * (0.4 - p.y) / 0.8).max(-0.4 - p.y)
        },
        1.5,
    );
    let drilled = Difference::new(cuboid(1.2, 1.0, 1.4), vec![drill()]).expect("a difference");
    let nested = Union::new(vec![
        boxed(Transformed::new(boxed(drilled), pose(), 0.8).expect("moved")),
        boxed(Torus::new(1.0, 0.2).expect("a torus")),
    ]);
    let nested = Case::new(
        "nested",
        boxed(nested.expect("a union")),
        |p| {
            let q = into_frame(p, 0.8);
            let block = in_box(q, [0.6, 0.5, 0.7]).max(-in_cylinder(q, 0.3, 3.0));
            let across = DVec2::new(p.x, p.z).length() - 1.0;
            block.min(DVec2::new(across, p.y).length() - 0.2)
        },
        1.5,
    );
    vec![union, intersection, difference, outside, grown, shrunk, moved, nested]
}

fn all() -> Vec<Case> {
    let mut cases = shapes();
    cases.extend(constructed());
    cases
}

/// Asks each case a number of times.
fn each<T>(times: u32, ask: impl Fn(&Case, &mut Random) -> Result<T, String>) -> Vec<Vec<T>> {
    let asked = |case: &Case| {
        let mut random = Random::new(11);
        let answer = |_| ask(case, &mut random).unwrap_or_else(|wrong| panic!("{wrong}"));
        (0..times).map(answer).collect()
    };
    all().iter().map(asked).collect()
}

#[test]
fn intervals_contain_the_distance() {
    each(400, Case::distance);
}

#[test]
fn distances_differ_no_more_than_points() {
    each(2000, Case::slope);
}

#[test]
fn normals_follow_the_gradient() {
    each(1000, Case::normal);
}

#[test]
fn boxes_are_placed_truly_and_most_of_them_are() {
    for places in each(2000, Case::place) {
        let count = |place| places.iter().filter(|&&p| p == place).count();
        let [outside, inside] = [Place::Outside, Place::Inside].map(count);
        assert!(outside > 20 && inside > 10, "{outside} {inside}");
    }
}

#[test]
fn segments_enter_neither_late_nor_early() {
    for entries in each(1000, Case::entry) {
        let found = entries.iter().flatten().count();
        assert!(found > 100 && found < 1000, "{found}");
    }
}

#[test]
fn boxes_around_solids_hold_them() {
    each(3000, Case::bounds);
}
