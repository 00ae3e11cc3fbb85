//! Ellipsoids through the front door: what is answered, and what is refused with its alternatives.

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::query::{
    self, Feature, Geometry, Kind, Method, Options, Overlap, QueryError, Set, Workspace,
};
use chasles::round::Round;
use chasles::{Motion, Pose, Step};
use chasles_testkit::ellipsoid::Ellipsoid;
use chasles_testkit::generate::Random;

const HALF_AXES: [f64; 3] = [1.0, 0.5, 0.25];

fn egg() -> Geometry {
    Geometry::ellipsoid(HALF_AXES).expect("fits")
}

fn cube() -> Geometry {
    Geometry::shape(&Shape::Box(Cuboid { size: [2.0; 3] })).expect("a cube")
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position([x, y, z]).expect("finite")
}

#[test]
fn contacts_are_those_of_the_round_method_either_way() {
    let mut workspace = Workspace::new();
    let fall = Motion::between(at(0.2, 0.3, 3.0), at(0.2, 0.3, 1.0));
    let step = Step::new(Motion::still(Pose::IDENTITY), fall);
    let options = Options::all();
    let found = query::contacts(&cube(), &egg(), &step, &options, &mut workspace).expect("exact");
    assert_eq!(found.choice.method, Method::Exact);
    let only = found[0];
    assert!((only.time - 0.875).abs() < 1e-12 && only.features.b == Feature::Side);
    let back = query::contacts(&egg(), &cube(), &step.swapped(), &options, &mut workspace);
    let same = back.expect("exact")[0];
    assert!((same.time - only.time).abs() < 1e-14 && same.features.a == Feature::Side);
    assert!((same.normal + only.normal).length() < 1e-12);
    assert_eq!((egg().kind(), egg().kind().to_string()), (Kind::Ellipsoid, "ellipsoid".into()));
    // A set has the same, and the path method comes to it by samples.
    let mut set = Set::new();
    set.add(cube(), Motion::still(Pose::IDENTITY));
    set.add(egg(), fall);
    let first = set.first_contact(&Options::default()).expect("exact").expect("a hit");
    assert!((first.1.time - only.time).abs() < 1e-12);
    let by_path = Options::all().by(Method::Path);
    let first = query::first_contact(&cube(), &egg(), &step, &by_path, &mut workspace);
    let first = first.expect("sampled").expect("a hit");
    assert!(first.time > 0.85 && first.time < 0.92, "{first:?}");
}

#[test]
fn overlaps_are_what_points_in_both_say() {
    let mut workspace = Workspace::new();
    let mut counts = [0; 2];
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let poses =
            [(); 2].map(|()| Pose::new(1.6 * random.vector(), random.rotation()).expect("finite"));
        let found = query::overlaps(&cube(), &egg(), poses, &mut workspace).expect("exact");
        let [pose, other] = poses;
        let back = query::overlaps(&egg(), &cube(), [other, pose], &mut workspace).expect("exact");
        assert_eq!(found.is_overlapping(), back.is_overlapping(), "seed {seed}");
        let frame = pose.inverse_after(&other);
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| frame.vector(axis));
        let body = Ellipsoid { centre: frame.position(), axes, half_axes: HALF_AXES };
        let level = least_in_cube(&body);
        if level.abs() < 1e-6 {
            continue;
        }
        assert_eq!(found.is_overlapping(), level < 0.0, "seed {seed}: {level} {found:?}");
        counts[usize::from(level < 0.0)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}

/// The lowest level in the cube, by going down along each coordinate in turn, from the middle.
fn least_in_cube(body: &Ellipsoid) -> f64 {
    let mut x = DVec3::ZERO;
    for _ in 0..4000 {
        let before = x;
        for (i, way) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
            let (_, along) = body.on_line(x, way);
            x[i] = (x[i] + along).clamp(-1.0, 1.0);
        }
        if x.distance(before) < 1e-12 {
            break;
        }
    }
    body.level(x)
}

#[test]
fn distances_of_round_bodies_are_proven_and_others_are_refused_by_name() {
    let mut workspace = Workspace::new();
    let ball = Geometry::sphere(0.5).expect("fits");
    let can = Geometry::cylinder([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], 0.5).expect("fits");
    let poses = [at(0.0, 0.0, 0.0), at(5.0, 0.0, 0.0)];
    for (other, expected) in [(&ball, 3.5), (&can, 3.5), (&egg(), 3.0)] {
        let found = query::distance(&egg(), other, poses, &mut workspace).expect("proven");
        assert!((found.distance - expected).abs() < 1e-9 && !found.overlaps, "{found:?}");
        let back = query::distance(other, &egg(), poses, &mut workspace).expect("proven");
        assert!((back.distance - expected).abs() < 1e-9, "{back:?}");
    }
    let mut random = Random::new(3);
    for _ in 0..200 {
        let turned = |random: &mut Random| {
            Pose::new(2.0 * random.vector(), random.rotation()).expect("finite")
        };
        let poses = [turned(&mut random), turned(&mut random)];
        let found = query::distance(&egg(), &can, poses, &mut workspace).expect("proven");
        let [p, q] = found.points;
        let apart = p.distance(q);
        assert!((apart - found.distance).abs() < 1e-9, "{found:?}");
        let body = Round::ellipsoid(HALF_AXES).expect("fits");
        let off = body.distance(poses[0].inverse().point(p));
        assert!(off.abs() < 1e-12 || found.distance == 0.0 && off < 1e-12, "{found:?}: {off}");
    }
    let inside = query::distance(&egg(), &ball, [at(0.0, 0.0, 0.0); 2], &mut workspace);
    assert!(inside.expect("proven").overlaps);
    refuses_others(&mut workspace);
}

fn refuses_others(workspace: &mut Workspace) {
    let poses = [Pose::IDENTITY, at(3.0, 0.0, 0.0)];
    let step = Step::new(Motion::still(poses[0]), Motion::between(poses[1], poses[0]));
    let errors = [
        query::distance(&egg(), &cube(), poses, workspace).map(drop).expect_err("refused"),
        query::clearance(&egg(), &egg(), &step, 1e-3, workspace).map(drop).expect_err("refused"),
        query::near(&egg(), &egg(), poses, 0.1, workspace).map(drop).expect_err("refused"),
        query::penetration(&egg(), &egg(), poses, workspace).map(drop).expect_err("refused"),
    ];
    for error in errors {
        assert!(matches!(error, QueryError::NoMethod { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("ellipsoid") && text.contains("Round::polygons"), "{text}");
    }
}

#[test]
fn a_start_inside_a_mesh_or_around_it_is_an_overlap() {
    let mut workspace = Workspace::new();
    let poses = [Pose::IDENTITY; 2];
    let large = Geometry::ellipsoid([9.0, 8.0, 7.0]).expect("fits");
    let small = Geometry::ellipsoid([0.3, 0.2, 0.1]).expect("fits");
    for (body, part) in [(&large, None), (&small, Some(Feature::Inside))] {
        let found = query::overlaps(&cube(), body, poses, &mut workspace).expect("exact");
        let Overlap::Overlapping(parts) = found else { panic!("{found:?}") };
        assert!(part.is_none_or(|part| parts.a == part), "{parts:?}");
    }
    let turn = DQuat::from_rotation_y(0.5);
    let apart = Pose::new([2.5, 0.0, 0.0], turn).expect("finite");
    let found = query::overlaps(&cube(), &egg(), [Pose::IDENTITY, apart], &mut workspace);
    assert_eq!(found.expect("exact"), Overlap::Apart);
}

/// A body beside a needle, and its farthest point along a direction.
type Beside = (Geometry, fn(&Pose, DVec3) -> DVec3);

fn farthest_of(half_axes: [f64; 3], pose: &Pose, d: DVec3) -> DVec3 {
    let squares = DVec3::from(half_axes) * DVec3::from(half_axes);
    let own = pose.inverse().vector(d);
    let reach = (DVec3::from(half_axes) * own).length();
    pose.point(squares * own / reach)
}

const NEEDLES: [[f64; 3]; 3] = [[1.0, 1e-4, 1e-4], [1.0, 1.0, 1e-4], [1e-4, 1.0, 1e-2]];

/// Bodies to hold beside needles, each with its farthest point along a direction.
fn bodies_beside() -> [Beside; 7] {
    let ends = [-DVec3::X, DVec3::X];
    [
        (Geometry::ellipsoid(NEEDLES[0]).expect("fits"), |p, d| farthest_of(NEEDLES[0], p, d)),
        (Geometry::ellipsoid(NEEDLES[1]).expect("fits"), |p, d| farthest_of(NEEDLES[1], p, d)),
        (Geometry::ellipsoid(NEEDLES[2]).expect("fits"), |p, d| farthest_of(NEEDLES[2], p, d)),
        (Geometry::sphere(0.5).expect("fits"), |p, d| p.position() + 0.5 * d),
        (Geometry::capsule(ends, 1e-4).expect("fits"), |p, d| {
            let axis = p.vector(DVec3::X);
            p.position() + 1.0_f64.copysign(d.dot(axis)) * axis + 1e-4 * d
        }),
        (Geometry::cylinder(ends, 1e-3).expect("fits"), |p, d| {
            let axis = p.vector(DVec3::X);
            let out = (d - d.dot(axis) * axis).normalize();
            p.position() + 1.0_f64.copysign(d.dot(axis)) * axis + 1e-3 * out
        }),
        (Geometry::cone(ends, 1e-3).expect("fits"), |p, d| {
            let axis = p.vector(DVec3::X);
            let out = (d - d.dot(axis) * axis).normalize();
            let [rim, tip] = [p.position() - axis + 1e-3 * out, p.position() + axis];
            if d.dot(rim) > d.dot(tip) { rim } else { tip }
        }),
    ]
}

/// Needles and bodies beside them that are apart by a hair, or overlap by less, by how both are
/// placed: along a direction in which they reach as far as they do.
#[test]
fn needles_that_are_a_hair_apart_are_not_said_to_overlap_and_others_are() {
    let mut workspace = Workspace::new();
    let beside = bodies_beside();
    let (mut wrong, mut overlapping) = (Vec::new(), 0);
    for seed in 0..6300 {
        let mut random = Random::new(seed);
        let half_axes = NEEDLES[seed as usize % 3];
        let (other, farthest) = &beside[seed as usize / 3 % 7];
        let needle = Geometry::ellipsoid(half_axes).expect("fits");
        let a = Pose::new(DVec3::ZERO, random.rotation()).expect("finite");
        // Nearly side by side, or anyhow.
        let turn = DQuat::from_scaled_axis(random.one_of(&[1e-3, 0.1, 3.0]) * random.vector());
        let b = Pose::new(DVec3::ZERO, turn * a.rotation()).expect("finite");
        let d = match random.below(2) {
            0 => random.direction(),
            _ => a.vector(random.direction() / DVec3::from(half_axes)).normalize(),
        };
        let gap = random.one_of(&[1e-8, 1e-7, 1e-5, -1e-9]);
        let shared = farthest_of(half_axes, &a, d) + gap * d;
        let b = Pose::new(shared - farthest(&b, -d), b.rotation()).expect("finite");
        let found = query::overlaps(&needle, other, [a, b], &mut workspace).expect("exact");
        let distance = query::distance(&needle, other, [a, b], &mut workspace).expect("proven");
        if gap > 0.0 {
            let off = (distance.distance - gap).abs();
            if found != Overlap::Apart || off > 1e-10 {
                wrong.push((seed, other.kind(), gap, found, off));
            }
            continue;
        }
        // A point of B, clearly inside of A.
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| a.vector(axis));
        if (Ellipsoid { centre: DVec3::ZERO, axes, half_axes }).level(shared) < -1e-6 {
            overlapping += 1;
            if found == Overlap::Apart {
                wrong.push((seed, other.kind(), gap, found, distance.distance));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(40)]);
    assert!(overlapping > 200, "{overlapping}");
}
