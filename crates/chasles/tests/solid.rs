//! What solids say about points, boxes and segments is true: checked as bounds, for every solid.

use chasles::glam::{DQuat, DVec2, DVec3};
use chasles::solid::{
    Bend, Capsule, Complement, Cone, Cuboid, Cylinder, Difference, Ellipsoid, HalfSpace,
    HeightField, Intersection, Interval, Offset, Patch, Place, Solid, SolidError, Sphere, Torus,
    Transformed, Union,
};
use chasles::{Polygons, Pose};
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
    let half_axes = DVec3::new(0.9, 0.5, 0.3);
    let egg = Case::new(
        "ellipsoid",
        boxed(Ellipsoid::new(half_axes).expect("an ellipsoid")),
        move |p| (p / half_axes).length_squared() - 1.0,
        2.0,
    );
    vec![ball, brick, capsule, cylinder, cone, torus, wall, egg]
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
        boxed(Complement::new(boxed(Union::new(three()).expect("a union"))).expect("a complement")),
        move |p| -in_three(p),
        1.5,
    );
    let grown = Case::new(
        "grown box",
        boxed(Offset::new(cuboid(1.0, 0.4, 0.8), 0.25).expect("grown")),
        |p| (p.abs() - DVec3::new(0.5, 0.2, 0.4)).max(DVec3::ZERO).length() - 0.25,
        1.5,
    )
    .with_exact(|p| {
        let half = [0.5, 0.2, 0.4].map(Dd::from);
        beyond(&[0, 1, 2].map(|i| dd(p)[i].abs() - half[i])) - Dd::from(0.25)
    });
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
    vec![union, intersection, difference, outside, grown, shrunk, moved]
}

/// A drilled block, moved, together with a torus around it.
fn nested() -> Case {
    let drill = boxed(Cylinder::new(0.3, 3.0).expect("a cylinder"));
    let drilled = Difference::new(cuboid(1.2, 1.0, 1.4), vec![drill]).expect("a difference");
    let both = Union::new(vec![
        boxed(Transformed::new(boxed(drilled), pose(), 0.8).expect("moved")),
        boxed(Torus::new(1.0, 0.2).expect("a torus")),
    ]);
    Case::new(
        "nested",
        boxed(both.expect("a union")),
        |p| {
            let q = into_frame(p, 0.8);
            let block = in_box(q, [0.6, 0.5, 0.7]).max(-in_cylinder(q, 0.3, 3.0));
            let across = DVec2::new(p.x, p.z).length() - 1.0;
            block.min(DVec2::new(across, p.y).length() - 0.2)
        },
        1.5,
    )
}

/// Constructions that come to a box, whose distance is known to all digits.
fn boxes() -> Vec<Case> {
    let brick = |name, solid, half: [f64; 3]| {
        Case::new(name, solid, move |p| in_box(p, half), 1.5).with_exact(move |p| {
            let half = half.map(Dd::from);
            beyond(&[0, 1, 2].map(|i| dd(p)[i].abs() - half[i]))
        })
    };
    let half_at = |x: f64| {
        let pose = Pose::from_position([x, 0.0, 0.0]).expect("a pose");
        boxed(Transformed::new(cuboid(0.5, 0.75, 1.0), pose, 1.0).expect("moved"))
    };
    // The face at which they touch is inside.
    let halves = Union::new(vec![half_at(-0.25), half_at(0.25)]).expect("a union");
    let slabs = vec![cuboid(1.0, 3.0, 2.0), cuboid(2.0, 0.75, 2.0), cuboid(2.0, 2.0, 0.5)];
    let slabs = Intersection::new(slabs).expect("an intersection");
    let not = |solid: Box<dyn Solid>| Complement::new(solid).expect("a complement");
    let cut = |x: f64| {
        let wall = HalfSpace::new([x, 0.0, 0.0], -0.375).expect("a half-space");
        boxed(not(boxed(not(boxed(wall)))))
    };
    let cut = Difference::new(cuboid(1.5, 0.75, 0.5), vec![cut(1.0), cut(-1.0)]);
    let shrunk = Offset::new(cuboid(1.5, 1.0, 1.25), -0.125).expect("shrunk");
    vec![
        brick("two halves", boxed(halves), [0.5, 0.375, 0.5]),
        brick("three slabs", boxed(slabs), [0.5, 0.375, 0.25]),
        brick("cut at both ends", boxed(cut.expect("a difference")), [0.375, 0.375, 0.25]),
        brick("shrunk box", boxed(shrunk), [0.625, 0.375, 0.5]).with_grazing(1e-4),
    ]
}

/// Hills and a pit of steep sides, 11 by 8 samples.
fn hill(i: usize, j: usize) -> f64 {
    let (x, z) = (i as f64, j as f64);
    let pit = if (i, j) == (6, 3) { 0.8 } else { 0.0 };
    0.3 * (0.9 * x).sin() + 0.2 * (1.3 * z + 0.4 * x).cos() - pit
}

/// The height of the triangles over a place in cells, by weights of their corners.
fn over(u: f64, v: f64) -> f64 {
    let (i, j) = ((u.floor() as usize).min(9), (v.floor() as usize).min(6));
    let (a, b) = (u - i as f64, v - j as f64);
    let (middle, least, most) = if a > b { (hill(i + 1, j), b, a) } else { (hill(i, j + 1), a, b) };
    hill(i, j) * (1.0 - most) + middle * (most - least) + hill(i + 1, j + 1) * least
}

fn terrain() -> Case {
    let heights = (0..8).flat_map(|j| (0..11).map(move |i| hill(i, j))).collect();
    let field = HeightField::new(heights, 11, [-1.3, -0.9], 0.25, -1.2).expect("a field");
    Case::new(
        "heights",
        boxed(field),
        |p| {
            let (u, v) = ((p.x + 1.3) / 0.25, (p.z + 0.9) / 0.25);
            let aside = (-u).max(u - 10.0).max(-v).max(v - 7.0);
            let below = -1.2 - p.y;
            if aside > 0.0 { aside } else { below.max(p.y - over(u.max(0.0), v.max(0.0))) }
        },
        2.0,
    )
}

fn all() -> Vec<Case> {
    let mut cases = shapes();
    cases.extend([terrain(), nested()]);
    cases.extend(constructed());
    cases.extend(boxes());
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
    each(200, Case::distance);
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

/// The distance of a point from a triangle.
fn from_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let foot = p - normal * normal.dot(p - a);
    let is_left = |q: DVec3, r: DVec3| normal.dot((r - q).cross(foot - q)) >= 0.0;
    if is_left(a, b) && is_left(b, c) && is_left(c, a) {
        return foot.distance(p);
    }
    let edge = |q: DVec3, r: DVec3| {
        let t = ((p - q).dot(r - q) / (r - q).length_squared()).clamp(0.0, 1.0);
        p.distance(q.lerp(r, t))
    };
    edge(a, b).min(edge(b, c)).min(edge(c, a))
}

fn from_polygons(p: DVec3, polygons: &Polygons) -> f64 {
    let corners = |face: &Vec<u32>| [0, 1, 2].map(|i| polygons.vertices[face[i] as usize]);
    let distances = polygons.faces.iter().map(|face| from_triangle(p, corners(face)));
    distances.fold(f64::INFINITY, f64::min)
}

/// Points of the surface are within the error of the triangles, and the error is not idle.
fn check_patch(patch: &Patch, tolerance: f64, f: impl Fn(f64, f64) -> DVec3) {
    let mut random = Random::new(5);
    let mut worst: f64 = 0.0;
    for _ in 0..300 {
        let point = f(random.unit(), random.unit());
        worst = worst.max(from_polygons(point, patch.polygons()));
    }
    assert!(patch.error() <= tolerance * (1.0 + 1e-9), "{} of {tolerance}", patch.error());
    assert!(worst <= patch.error(), "{worst}, stated {}", patch.error());
    assert!(worst >= 0.02 * patch.error(), "{worst}, stated {}", patch.error());
}

#[test]
fn patches_are_as_close_as_they_state() {
    // A saddle with a twist: second derivatives are 0.6 and 0.4 along, 1 across.
    let saddle = |u: f64, v: f64| DVec3::new(u, v, 0.3 * u * u - 0.2 * v * v + u * v);
    let bend = Bend { uu: 0.6, uv: 1.0, vv: 0.4 };
    for tolerance in [1e-1, 1e-2, 1e-3] {
        let patch = Patch::new(saddle, bend, tolerance).expect("a patch");
        check_patch(&patch, tolerance, saddle);
    }
}

/// The Bezier patch by Bernstein's polynomials.
fn bernstein(control: &[DVec3], columns: usize, u: f64, v: f64) -> DVec3 {
    let weight = |n: usize, k: usize, t: f64| {
        let binomial = (0..k).fold(1.0, |b, i| b * (n - i) as f64 / (i + 1) as f64);
        binomial * t.powi(k as i32) * (1.0 - t).powi((n - k) as i32)
    };
    let rows = control.len() / columns;
    let term = |(k, &p): (usize, &DVec3)| {
        p * weight(columns - 1, k % columns, u) * weight(rows - 1, k / columns, v)
    };
    control.iter().enumerate().map(term).sum()
}

#[test]
fn bezier_patches_of_any_degree_bend_no_more_than_their_control_points() {
    let mut random = Random::new(3);
    for (columns, rows) in [(2, 2), (3, 2), (2, 4), (4, 4), (6, 3)] {
        let place = |k: usize| DVec3::new((k % columns) as f64, (k / columns) as f64, 0.0);
        let control: Vec<DVec3> =
            (0..columns * rows).map(|k| place(k) + 0.5 * random.vector()).collect();
        let patch = Patch::bezier(&control, columns, 0.05).expect("a patch");
        check_patch(&patch, 0.05, |u, v| bernstein(&control, columns, u, v));
    }
}

#[test]
fn a_parabola_needs_all_of_its_bound() {
    let parabola = |k: usize| {
        let i = (k % 5) as f64;
        DVec3::new(i, (k / 5) as f64, 0.25 * i * i)
    };
    let control: Vec<DVec3> = (0..10).map(parabola).collect();
    let patch = Patch::bezier(&control, 5, 0.01).expect("a patch");
    check_patch(&patch, 0.01, |u, v| bernstein(&control, 5, u, v));
}

/// Where `x` is not positive: its distance has no rounding at all.
#[derive(Debug)]
struct Wall;

impl Solid for Wall {
    fn bounds(&self) -> [DVec3; 2] {
        [DVec3::NEG_INFINITY, DVec3::INFINITY.with_x(0.0)]
    }

    fn distance(&self, point: DVec3) -> Interval {
        Interval::point(point.x)
    }

    fn normal(&self, _: DVec3) -> DVec3 {
        DVec3::X
    }
}

#[test]
fn the_rounding_of_a_frame_is_counted() {
    let far = DVec3::new(1000.3, -2000.7, 500.1);
    let pose = Pose::new(far, pose().rotation()).expect("a pose");
    let wall = Transformed::new(boxed(Wall), pose, 1.0).expect("moved");
    let mut random = Random::new(2);
    for _ in 0..2000 {
        let point = far + 3.0 * random.vector();
        // The first column of the matrix of the quaternion, all in twice the digits.
        let [x, y, z, w] = pose.rotation().to_array().map(Dd::from);
        let norm = x * x + y * y + z * z + w * w;
        let two = Dd::from(2.0);
        let axis = [w * w + x * x - y * y - z * z, two * (x * y + w * z), two * (x * z - w * y)];
        let along = |i: usize| (dd(point)[i] - dd(far)[i]) * axis[i] / norm;
        let (found, distance) = (wall.distance(point), along(0) + along(1) + along(2));
        let holds = Dd::from(found.low) <= distance && distance <= Dd::from(found.high);
        assert!(holds, "{found:?} at {point}, not {distance:?}");
    }
}

#[test]
fn what_no_solid_can_be_made_of_is_refused() {
    let empty = |made: Result<Box<dyn Solid>, SolidError>| {
        let error = made.expect_err("refused");
        assert!(matches!(error, SolidError::Empty(_)), "{error}");
    };
    empty(Union::new(vec![]).map(boxed));
    empty(Intersection::new(vec![]).map(boxed));
    empty(Difference::new(sphere([0.0; 3], 1.0), vec![]).map(boxed));
    let apart = vec![sphere([0.0; 3], 1.0), sphere([5.0, 0.0, 0.0], 1.0)];
    empty(Intersection::new(apart).map(boxed));
    let wall = boxed(HalfSpace::new([1.0, 1.0, 1.0], -9.0).expect("a half-space"));
    empty(Intersection::new(vec![sphere([0.0; 3], 1.0), wall]).map(boxed));
    empty(Difference::new(sphere([0.0; 3], 1.0), vec![sphere([0.0; 3], 2.0)]).map(boxed));
    empty(Offset::new(sphere([0.0; 3], 1.0), -1.5).map(boxed));
    let number = |error: SolidError| matches!(error, SolidError::Number { .. });
    assert!(number(Offset::new(sphere([0.0; 3], 1.0), f64::NAN).expect_err("refused")));
    let scaled = Transformed::new(sphere([0.0; 3], 1.0), pose(), 0.0);
    assert!(number(scaled.expect_err("refused")));
    let flat = |_, _| DVec3::NAN;
    assert!(number(Patch::new(flat, Bend::default(), 0.1).expect_err("refused")));
    let fine = Patch::new(|u, v| DVec3::new(u, v, 0.0), Bend { uu: 1.0, uv: 1.0, vv: 1.0 }, 1e-9);
    assert!(number(fine.expect_err("refused")));
    assert!(number(Patch::bezier(&[DVec3::ZERO; 5], 2, 0.1).expect_err("refused")));
}

#[test]
fn deep_nests_cost_what_they_hold_and_deeper_ones_are_refused() {
    let mut nest: Box<dyn Solid> = Box::new(Cuboid::new([1.0; 3]).expect("a cube"));
    for level in 1..=256 {
        let more: Box<dyn Solid> = Box::new(Cuboid::new([2.0; 3]).expect("a cube"));
        nest = match level % 3 {
            0 => Box::new(Offset::new(nest, 0.0).expect("an offset")),
            1 => Box::new(Union::new(vec![nest, more]).expect("a union")),
            _ => Box::new(Intersection::new(vec![nest, more]).expect("an intersection")),
        };
    }
    // With every level asking several times this would not end.
    for y in [0.5, 0.99, 1.01] {
        let distance = nest.distance(DVec3::new(0.3, y, 0.0));
        assert!(distance.contains(y - 1.0), "{distance:?}");
    }
    assert!(matches!(Complement::new(nest), Err(SolidError::Nested(257))));
}
