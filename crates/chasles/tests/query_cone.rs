//! Cones through the front door: contacts, overlaps, distances and clearances beside bodies of all
//! kinds, and what is refused with its alternatives.

use chasles::glam::DVec3;
use chasles::mesh::shapes::{Cuboid, Shape, Torus};
use chasles::query::{
    self, Feature, Geometry, Kind, Method, Options, Overlap, QueryError, Set, Workspace,
};
use chasles::round::Round;
use chasles::{Motion, Pose, Step};
use chasles_testkit::cone::Cone;
use chasles_testkit::ellipsoid::Ellipsoid;
use chasles_testkit::generate::Random;

const RADIUS: f64 = 0.6;

/// Its tip up at z = 1, its base at z = -1.
fn hat() -> Geometry {
    Geometry::cone([-DVec3::Z, DVec3::Z], RADIUS).expect("fits")
}

fn placed(pose: &Pose) -> Cone {
    Cone { base: pose.point(-DVec3::Z), tip: pose.point(DVec3::Z), radius: RADIUS }
}

fn cube() -> Geometry {
    Geometry::shape(&Shape::Box(Cuboid { size: [2.0; 3] })).expect("a cube")
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position([x, y, z]).expect("finite")
}

fn random_pose(random: &mut Random) -> Pose {
    Pose::new(1.4 * random.vector(), random.rotation()).expect("finite")
}

#[test]
fn contacts_are_those_of_the_round_method_either_way() {
    let mut workspace = Workspace::new();
    let fall = Motion::between(at(0.2, 0.3, 4.0), at(0.2, 0.3, 1.0));
    let step = Step::new(Motion::still(Pose::IDENTITY), fall);
    let options = Options::all();
    let found = query::contacts(&cube(), &hat(), &step, &options, &mut workspace).expect("exact");
    assert_eq!(found.choice.method, Method::Exact);
    let only = found[0];
    assert!((only.time - 2.0 / 3.0).abs() < 1e-12 && only.features.b == Feature::Cap(0));
    let back = query::contacts(&hat(), &cube(), &step.swapped(), &options, &mut workspace);
    let same = back.expect("exact")[0];
    assert!((same.time - only.time).abs() < 1e-14 && same.features.a == Feature::Cap(0));
    assert!((same.normal + only.normal).length() < 1e-12);
    assert_eq!((hat().kind(), hat().kind().to_string()), (Kind::Cone, "cone".into()));
    assert!(Kind::Cone.is_round() && Feature::Tip.to_string() == "tip");
    let mut set = Set::new();
    set.add(cube(), Motion::still(Pose::IDENTITY));
    set.add(hat(), fall);
    let first = set.first_contact(&Options::default()).expect("exact").expect("a hit");
    assert!((first.1.time - only.time).abs() < 1e-12);
    // The path method comes to it by samples, as a solid.
    let by_path = Options::all().by(Method::Path);
    let first = query::first_contact(&cube(), &hat(), &step, &by_path, &mut workspace);
    let first = first.expect("sampled").expect("a hit");
    assert!(first.time > 0.65 && first.time < 0.7, "{first:?}");
}

/// The least signed distance of the cone over the cube, by thirds along each coordinate.
fn least_in_cube(cone: &Cone) -> f64 {
    let least = |f: &dyn Fn(f64) -> f64| {
        let [mut low, mut high] = [-1.0, 1.0];
        for _ in 0..40 {
            let [s, t] = [low + (high - low) * 0.381_966, low + (high - low) * 0.618_034];
            if f(s) < f(t) {
                high = t;
            } else {
                low = s;
            }
        }
        f(0.5 * (low + high))
    };
    least(&|x| least(&|y| least(&|z| cone.distance(DVec3::new(x, y, z)))))
}

#[test]
fn overlaps_and_distances_of_a_cube_are_what_its_points_say() {
    let mut workspace = Workspace::new();
    let mut counts = [0; 2];
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let poses = [(); 2].map(|()| random_pose(&mut random));
        let found = query::overlaps(&cube(), &hat(), poses, &mut workspace).expect("exact");
        let back = query::overlaps(&hat(), &cube(), [poses[1], poses[0]], &mut workspace);
        assert_eq!(found.is_overlapping(), back.expect("exact").is_overlapping(), "seed {seed}");
        let least = least_in_cube(&placed(&poses[0].inverse_after(&poses[1])));
        if least.abs() < 1e-6 {
            continue;
        }
        assert_eq!(found.is_overlapping(), least < 0.0, "seed {seed}: {least} {found:?}");
        let gap = query::distance(&cube(), &hat(), poses, &mut workspace).expect("exact");
        assert!((gap.distance - least.max(0.0)).abs() < 1e-7, "seed {seed}: {least} {gap:?}");
        counts[usize::from(least < 0.0)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 15), "{counts:?}");
}

/// How far a body reaches along a direction, and how far a point is from it.
struct Known {
    geometry: Geometry,
    extent: fn(&Pose, DVec3) -> f64,
    off: fn(&Pose, DVec3) -> f64,
}

fn known() -> Vec<Known> {
    vec![
        Known {
            geometry: cube(),
            extent: |pose, d| pose.position().dot(d) + pose.inverse().vector(d).abs().element_sum(),
            off: |pose, x| {
                let q = pose.inverse().point(x).abs() - DVec3::ONE;
                q.max(DVec3::ZERO).length() + q.max_element().min(0.0)
            },
        },
        Known {
            geometry: Geometry::sphere(0.4).expect("fits"),
            extent: |pose, d| pose.position().dot(d) + 0.4,
            off: |pose, x| pose.position().distance(x) - 0.4,
        },
        Known {
            geometry: Geometry::capsule([-DVec3::X, DVec3::X], 0.3).expect("fits"),
            extent: |pose, d| pose.position().dot(d) + pose.vector(DVec3::X).dot(d).abs() + 0.3,
            off: |pose, x| {
                let y = pose.inverse().point(x);
                y.distance(DVec3::X * y.x.clamp(-1.0, 1.0)) - 0.3
            },
        },
        Known {
            geometry: Geometry::cylinder([-DVec3::Y, DVec3::Y], 0.5).expect("fits"),
            extent: |pose, d| {
                let e = pose.inverse().vector(d);
                pose.position().dot(d) + e.y.abs() + 0.5 * e.x.hypot(e.z)
            },
            off: |pose, x| {
                let y = pose.inverse().point(x);
                let [out, up] = [y.x.hypot(y.z) - 0.5, y.y.abs() - 1.0];
                out.max(0.0).hypot(up.max(0.0)) + out.max(up).min(0.0)
            },
        },
        Known {
            geometry: hat(),
            extent: |pose, d| placed(pose).extent(d),
            off: |pose, x| placed(pose).distance(x),
        },
        Known {
            geometry: Geometry::ellipsoid([1.0, 0.5, 0.25]).expect("fits"),
            extent: |pose, d| -egg(pose).over_plane(DVec3::ZERO, -d).0,
            off: |pose, x| egg(pose).distance(x),
        },
    ]
}

fn egg(pose: &Pose) -> Ellipsoid {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| pose.vector(axis));
    Ellipsoid { centre: pose.position(), axes, half_axes: [1.0, 0.5, 0.25] }
}

#[test]
fn distances_are_those_of_two_points_and_proven_by_how_far_both_reach() {
    let mut workspace = Workspace::new();
    for (number, known) in known().iter().enumerate() {
        let mut counts = [0; 2];
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let poses = [(); 2].map(|()| random_pose(&mut random));
            let found = query::distance(&known.geometry, &hat(), poses, &mut workspace);
            let found = found.expect("proven");
            let at = format!("{:?}, {number}, seed {seed}: {found:?}", known.geometry.kind());
            let back =
                query::distance(&hat(), &known.geometry, [poses[1], poses[0]], &mut workspace);
            let back = back.expect("proven");
            assert!((back.distance - found.distance).abs() < 1e-9, "{at} {back:?}");
            assert_eq!(back.overlaps, found.overlaps, "{at} {back:?}");
            let [p, q] = found.points;
            assert!((p.distance(q) - found.distance).abs() < 1e-9, "{at}");
            let off = [(known.off)(&poses[0], p), placed(&poses[1]).distance(q)];
            counts[usize::from(found.overlaps)] += 1;
            if found.overlaps {
                assert!(off.iter().all(|off| *off < 1e-9), "{at}: {off:?}");
                continue;
            }
            assert!(off.iter().all(|off| off.abs() < 1e-9), "{at}: {off:?}");
            let n = found.normal;
            let gap = -(known.extent)(&poses[0], n) - placed(&poses[1]).extent(-n);
            assert!((gap - found.distance).abs() < 1e-9, "{at}: {gap}");
        }
        assert!(counts.iter().all(|count| *count > 20), "{number}: {counts:?}");
    }
}

#[test]
fn clearances_hold_at_all_times_and_are_as_narrow_as_asked() {
    let mut workspace = Workspace::new();
    let torus = Shape::Torus(Torus { major: 1.0, minor: 0.3, segments: [12, 8] });
    let others = [
        Geometry::shape(&torus).expect("a torus"),
        Geometry::capsule([-DVec3::X, DVec3::X], 0.3).expect("fits"),
        Geometry::cylinder([-DVec3::Y, DVec3::Y], 0.5).expect("fits"),
        hat(),
    ];
    let mut apart = 0;
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let other = &others[seed as usize % 4];
        let mut motion = || {
            let (from, to) = (random_pose(&mut random), random_pose(&mut random));
            Motion::between(from, Pose::new(to.position(), from.rotation()).expect("finite"))
        };
        let (of_a, of_b) = (motion(), motion());
        let step = Step::new(of_a, of_b);
        let width = 1e-4;
        let found = query::clearance(other, &hat(), &step, width, &mut workspace).expect("proven");
        let at = format!("seed {seed}: {found:?}");
        assert!(found.lower <= found.upper && found.upper - found.lower <= width + 1e-12, "{at}");
        for i in 0..=40 {
            let t = f64::from(i) / 40.0;
            let poses = [step.pose_of_a(t), step.pose_of_b_by_relative(t)];
            let sampled = query::distance(other, &hat(), poses, &mut workspace).expect("exact");
            assert!(sampled.distance >= found.lower - 1e-12, "{at}: {} at {t}", sampled.distance);
        }
        let swapped = query::clearance(&hat(), other, &step.swapped(), width, &mut workspace);
        let swapped = swapped.expect("proven");
        assert!((swapped.upper - found.upper).abs() <= 2.0 * width, "{at} {swapped:?}");
        apart += usize::from(found.lower > 0.0);
    }
    assert!(apart > 20, "{apart}");
}

#[test]
fn what_is_not_answered_is_refused_by_name() {
    let mut workspace = Workspace::new();
    let poses = [Pose::IDENTITY, at(3.0, 0.0, 0.0)];
    let step = Step::new(Motion::still(poses[0]), Motion::between(poses[1], poses[0]));
    let egg = Geometry::ellipsoid([1.0, 0.5, 0.25]).expect("fits");
    let workspace = &mut workspace;
    let errors = [
        query::near(&hat(), &hat(), poses, 0.1, workspace).map(drop).expect_err("refused"),
        query::penetration(&hat(), &hat(), poses, workspace).map(drop).expect_err("refused"),
        query::clearance(&hat(), &egg, &step, 1e-3, workspace).map(drop).expect_err("refused"),
    ];
    for error in errors {
        assert!(matches!(error, QueryError::NoMethod { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("cone") && text.contains("overlaps"), "{text}");
    }
}

#[test]
fn a_start_inside_a_mesh_or_around_it_is_an_overlap() {
    let mut workspace = Workspace::new();
    let poses = [Pose::IDENTITY; 2];
    let large = Geometry::cone([-9.0 * DVec3::Z, 9.0 * DVec3::Z], 9.0).expect("fits");
    let small = Geometry::cone([-0.2 * DVec3::Z, 0.2 * DVec3::Z], 0.1).expect("fits");
    for (body, part) in [(&large, None), (&small, Some(Feature::Inside))] {
        let found = query::overlaps(&cube(), body, poses, &mut workspace).expect("exact");
        let Overlap::Overlapping(parts) = found else { panic!("{found:?}") };
        assert!(part.is_none_or(|part| parts.a == part), "{parts:?}");
    }
    let round = Round::cone([-DVec3::Z, DVec3::Z], RADIUS).expect("fits");
    assert_eq!(Geometry::from(round).bounds(), hat().bounds());
}
