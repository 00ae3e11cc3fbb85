//! Configurations at rest: where links are, how far they are from contact, and which pairs count.

mod support;

use chasles::Pose;
use chasles::glam::{DMat4, DQuat, DVec3};
use chasles::query::{Geometry, Workspace, distance};
use chasles::solid;
use chasles_planning::{JointKind, Packages, Robot, Scene, SceneError};
use chasles_testkit::generate::Random;
use support::{among, arm, configuration, scene};

/// Two rods of length 1 and 0.5 in a plane, and a ball at the end that slides out.
const PLANAR: &str = r#"<robot name="planar">
  <link name="base"/>
  <link name="first"/>
  <joint name="a" type="revolute"><parent link="base"/><child link="first"/>
    <axis xyz="0 0 2"/> <limit lower="-3" upper="3"/></joint>
  <link name="second"/>
  <joint name="b" type="revolute"><parent link="first"/><child link="second"/>
    <origin xyz="1 0 0"/> <axis xyz="0 0 -1"/> <limit lower="-3" upper="3"/></joint>
  <link name="tip"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
  <joint name="c" type="prismatic"><parent link="second"/><child link="tip"/>
    <origin xyz="0.5 0 0.2" rpy="0 0 1.5707963267948966"/> <axis xyz="0 -1 0"/>
    <mimic joint="b" multiplier="0.5" offset="0.1"/> <limit lower="0" upper="1"/></joint>
</robot>"#;

/// Where the ball of the planar robot is.
fn tip([a, b]: [f64; 2]) -> DVec3 {
    let reach = 0.5 + 0.5 * b + 0.1;
    DVec3::new(a.cos() + reach * (a - b).cos(), a.sin() + reach * (a - b).sin(), 0.2)
}

#[test]
fn links_are_where_trigonometry_says() {
    let robot = Robot::parse(PLANAR, "planar.urdf", &Packages::new()).expect("a robot");
    let mut scene = Scene::new(robot);
    let place = DVec3::new(0.3, -2.0, 1.0);
    let ball = Geometry::sphere(0.1).expect("a ball");
    scene.add("ball", ball, Pose::from_position(place).expect("finite")).expect("new");
    for q in [[0.0, 0.0], [0.4, 1.1], [-2.0, 0.7], [3.0, -0.1]] {
        let near = scene.distance(&q).expect("finite").expect("a pair");
        assert!((near.distance - (tip(q).distance(place) - 0.15)).abs() < 1e-14, "{near:?}");
        assert_eq!(near.bodies, ["tip", "ball"]);
        let n = (place - tip(q)).normalize();
        assert!(near.normal.distance(n) < 1e-14);
        assert!(near.points[0].distance(tip(q) + 0.05 * n) < 1e-14);
        assert!(near.points[1].distance(place - 0.1 * n) < 1e-14);
    }
}

/// The poses of all links, by matrices.
fn placed(robot: &Robot, text: &str, q: &[f64]) -> Vec<(String, DMat4)> {
    let number = |of: &str, key: &str| -> Option<String> {
        let from = of.find(&format!("{key}=\""))? + key.len() + 2;
        Some(of[from..from + of[from..].find('"')?].to_owned())
    };
    let triple = |of: &str, key: &str| -> DVec3 {
        let text = number(of, key).unwrap_or("0 0 0".into());
        let n: Vec<f64> = text.split_whitespace().map(|w| w.parse().expect("a number")).collect();
        DVec3::new(n[0], n[1], n[2])
    };
    let mut poses: Vec<(String, DMat4)> = vec![(robot.links()[0].name.clone(), DMat4::IDENTITY)];
    let joints: Vec<&str> =
        text.split("<joint name=").skip(1).filter(|j| j.contains("type=")).collect();
    for joint in joints {
        let joint = &joint[..joint.find("</joint>").expect("closed")];
        let name = joint[1..].split('"').next().expect("a name");
        let link =
            |role: &str| number(&joint[joint.find(role).expect("it")..], "link").expect("it");
        let xyz = triple(joint, "xyz");
        let origin = joint
            .find("<origin")
            .map_or("", |at| &joint[at..at + joint[at..].find('>').unwrap_or(0)]);
        let shift = if origin.is_empty() { DVec3::ZERO } else { xyz };
        let rpy = triple(origin, "rpy");
        let turn = DMat4::from_rotation_z(rpy.z)
            * DMat4::from_rotation_y(rpy.y)
            * DMat4::from_rotation_x(rpy.x);
        let axis = joint.find("<axis").map_or(DVec3::X, |at| triple(&joint[at..], "xyz"));
        let set = number(joint, "joint").unwrap_or(name.into());
        let value = robot.variable(&set).map_or(0.0, |variable| q[variable]);
        let kind = robot.joints().iter().find(|j| j.name == name).expect("it").kind;
        let moved = match kind {
            JointKind::Fixed => DMat4::IDENTITY,
            JointKind::Turns => DMat4::from_axis_angle(axis, value),
            JointKind::Slides => DMat4::from_translation(value * axis),
        };
        let above =
            poses.iter().find(|(link_name, _)| *link_name == link("<parent")).expect("above").1;
        poses.push((link("<child"), above * DMat4::from_translation(shift) * turn * moved));
    }
    poses
}

#[test]
fn all_distances_of_an_arm_are_those_of_its_shapes_placed_by_matrices() {
    let mut random = Random::new(3);
    let robot = arm();
    let mut scene = Scene::new(robot.clone());
    let post = Geometry::capsule([[0.0; 3], [0.0, 0.0, 1.0]], 0.05).expect("a capsule");
    let at = Pose::from_position([0.5, 0.3, 0.0]).expect("finite");
    scene.add("post", post.clone(), at).expect("new");
    let probe = Geometry::sphere(0.02).expect("a ball");
    for link in ["sleeve", "hand", "right_finger"] {
        let own = Pose::from_position([0.03, 0.05, 0.3]).expect("finite");
        scene.attach(format!("on {link}"), link, probe.clone(), own).expect("new");
    }
    let mut workspace = Workspace::new();
    for _ in 0..50 {
        let q = configuration(&robot, &mut random);
        let poses = placed(&robot, support::ARM, &q);
        let near = scene.near(&q, 10.0).expect("finite");
        let own = robot.poses(&q).expect("finite");
        for (link, matrix) in &poses {
            let number = robot.links().iter().position(|l| l.name == *link).expect("it");
            let x = DVec3::new(0.2, -0.3, 0.5);
            assert!(own[number].point(x).distance(matrix.transform_point3(x)) < 1e-14, "{link}");
        }
        for link in ["sleeve", "hand", "right_finger"] {
            let matrix = poses.iter().find(|(name, _)| name == link).expect("it").1;
            let centre = matrix.transform_point3(DVec3::new(0.03, 0.05, 0.3));
            let pose = Pose::new(centre, DQuat::IDENTITY).expect("finite");
            let wanted = distance(&probe, &post, [pose, at], &mut workspace).expect("exact");
            let bodies = [format!("on {link}"), "post".to_owned()];
            let found = near.iter().find(|near| near.bodies == bodies).expect("within reach");
            assert!((found.distance - wanted.distance).abs() < 1e-12, "{link}: {found:?}");
        }
    }
}

#[test]
fn the_gradient_is_the_rate_of_the_distance() {
    let mut random = Random::new(4);
    let scene = among(10, &mut random);
    let mut count = 0;
    for _ in 0..40 {
        let q = configuration(scene.robot(), &mut random);
        let near = scene.distance(&q).expect("finite").expect("pairs");
        if near.overlaps {
            assert!(near.gradient.iter().all(|&rate| rate == 0.0));
            continue;
        }
        for (variable, rate) in near.gradient.iter().enumerate() {
            // A corner of the distance has one rate on each side: one of them is the gradient.
            let step = 1e-7;
            let slopes = [step, -step].map(|step| {
                let mut moved = q.clone();
                moved[variable] += step;
                (scene.distance(&moved).expect("finite").expect("pairs").distance - near.distance)
                    / step
            });
            let off = slopes.map(|slope| (slope - rate).abs());
            assert!(off[0].min(off[1]) < 1e-5, "{variable}: {slopes:?}, {rate}");
            count += usize::from(rate.abs() > 0.01);
        }
    }
    assert!(count > 20, "{count} rates that count");
}

#[test]
fn pairs_are_those_that_may_meet() {
    let mut scene = scene();
    let q = [0.0; 8];
    let found = |scene: &Scene| scene.near(&q, 10.0).expect("finite");
    let has = |scene: &Scene, a: &str, b: &str| {
        found(scene).iter().any(|near| {
            near.bodies == [a.to_owned(), b.to_owned()]
                || near.bodies == [b.to_owned(), a.to_owned()]
        })
    };
    assert!(has(&scene, "plinth", "hand") && has(&scene, "shoulder", "sleeve"));
    assert!(!has(&scene, "plinth", "shoulder"), "adjacent");
    assert!(!has(&scene, "rod", "hand"), "disabled by SRDF");
    assert!(!has(&scene, "hand", "ring"), "fixed to each other");
    assert!(!has(&scene, "left_finger", "ring"), "allowed");
    assert!(has(&scene, "wrist", "ring"), "SRDF speaks of the hand only");
    let ball = Geometry::sphere(0.1).expect("a ball");
    scene.add("ball", ball.clone(), Pose::IDENTITY).expect("new");
    assert!(has(&scene, "ball", "hand") && !has(&scene, "ball", "plinth"), "both stand");
    let before = scene.pair_count();
    scene.allow("hand", "ball").expect("names");
    assert!(!has(&scene, "ball", "hand") && scene.pair_count() == before - 1);
    // Bodies that come later are not concerned.
    scene.add("ball 2", ball, Pose::IDENTITY).expect("new");
    assert!(has(&scene, "ball 2", "hand"));
}

#[test]
fn margins_count_for_configurations() {
    let robot = Robot::parse(PLANAR, "planar.urdf", &Packages::new()).expect("a robot");
    let mut scene = Scene::new(robot);
    let place = tip([0.4, 0.3]) + DVec3::new(0.0, 0.0, 0.25);
    let ball = Geometry::sphere(0.1).expect("a ball");
    scene.add("ball", ball, Pose::from_position(place).expect("finite")).expect("new");
    assert!(scene.is_free(&[0.4, 0.3]).expect("finite"));
    scene.set_margin("ball", "tip", 0.0999).expect("names");
    assert!(scene.is_free(&[0.4, 0.3]).expect("finite"));
    scene.set_margin("tip", "ball", 0.1001).expect("names");
    assert!(!scene.is_free(&[0.4, 0.3]).expect("finite"));
}

#[test]
fn what_a_scene_does_not_take_is_said() {
    let mut scene = scene();
    let ball = Geometry::sphere(0.1).expect("a ball");
    let egg = Geometry::ellipsoid([0.1, 0.2, 0.3]).expect("an egg");
    let cone = Geometry::solid(solid::Cone::new(0.1, 0.2).expect("a cone"));
    let stays = Pose::IDENTITY;
    assert!(matches!(scene.add("hand", ball.clone(), stays), Err(SceneError::Taken(_))));
    assert!(matches!(scene.add("egg", egg, stays), Err(SceneError::Kind { .. })));
    assert!(matches!(scene.add("cone", cone, stays), Err(SceneError::Kind { .. })));
    let away = Pose::from_position([0.0, -1e99, 0.0]).expect("finite");
    assert!(matches!(scene.add("moon", ball.clone(), away), Err(SceneError::Far { .. })));
    assert!(matches!(
        scene.attach("moon", "hand", ball.clone(), away),
        Err(SceneError::Far { .. })
    ));
    assert!(matches!(
        scene.attach("b", "leg", ball.clone(), stays),
        Err(SceneError::Unknown { .. })
    ));
    assert!(matches!(scene.attach("b", "ring", ball, stays), Err(SceneError::NotALink(_))));
    let unknown = scene.allow("hand", "leg").expect_err("no leg");
    assert!(unknown.to_string().contains("\"leg\"; there are plinth, shoulder"), "{unknown}");
    assert!(matches!(scene.set_margin("hand", "rod", -1.0), Err(SceneError::Negative { .. })));
    assert!(matches!(scene.set_margin("hand", "rod", f64::NAN), Err(SceneError::Negative { .. })));
    assert_eq!(scene.names().len(), 12, "nothing was added");
    let [short, odd, far] = [vec![0.0; 7], vec![f64::NAN; 8], vec![1e7; 8]];
    let error = scene.distance(&short).expect_err("too short");
    assert!(error.to_string().contains("7 values; the robot takes 8: turn, lift"), "{error}");
    for wrong in [&odd, &far] {
        assert!(matches!(scene.is_free(wrong), Err(SceneError::Value { .. })));
        assert!(matches!(scene.edge(&[0.0; 8], wrong, 0.0), Err(SceneError::Value { .. })));
    }
    assert!(matches!(scene.near(&[0.0; 8], -1.0), Err(SceneError::Negative { .. })));
    assert!(matches!(scene.edge(&[0.0; 8], &[1.0; 8], -1.0), Err(SceneError::Negative { .. })));
    assert!(matches!(scene.clearance(&[[0.0; 8]], 0.1), Err(SceneError::ShortPath(1))));
    let fail = scene.edges(&[[vec![0.0; 8], vec![1.0; 8]], [vec![0.0; 8], short]], 0.0);
    assert!(matches!(fail, Err((1, SceneError::Length { .. }))));
}

#[test]
fn a_robot_without_pairs_is_free() {
    let robot = Robot::parse(PLANAR, "planar.urdf", &Packages::new()).expect("a robot");
    let scene = Scene::new(robot);
    assert_eq!(scene.distance(&[0.0; 2]), Ok(None));
    let edge = scene.edge(&[0.0; 2], &[1.0; 2], 0.0).expect("finite");
    assert!(edge.is_free() && edge.clearance == [f64::INFINITY; 2]);
    assert_eq!(scene.clearance(&[[0.0; 2], [1.0; 2]], 0.1), Ok(None));
}

#[test]
fn turns_of_origins_are_about_fixed_axes_in_the_order_x_y_z() {
    let text = r#"<robot name="r"><link name="a"/><link name="b">
        <collision><origin xyz="0.1 0.2 0.3" rpy="0.4 -0.5 0.6"/>
            <geometry><capsule radius="0.01" length="0.5"/></geometry></collision></link>
        <joint name="j" type="revolute"><parent link="a"/><child link="b"/>
            <origin xyz="1 2 3" rpy="0.7 0.8 -0.9"/><axis xyz="0 0 1"/>
            <limit lower="-1" upper="1"/></joint></robot>"#;
    let robot = Robot::parse(text, "r.urdf", &Packages::new()).expect("a robot");
    let turned = |x: f64, y: f64, z: f64| {
        DMat4::from_rotation_z(z) * DMat4::from_rotation_y(y) * DMat4::from_rotation_x(x)
    };
    let joint = DMat4::from_translation(DVec3::new(1.0, 2.0, 3.0)) * turned(0.7, 0.8, -0.9);
    let own = DMat4::from_translation(DVec3::new(0.1, 0.2, 0.3)) * turned(0.4, -0.5, 0.6);
    // Beyond the upper end of the capsule, along its axis.
    let end = (joint * own).transform_point3(DVec3::Z * 0.35);
    let mut scene = Scene::new(robot);
    let ball = Geometry::sphere(0.01).expect("a ball");
    scene.add("ball", ball, Pose::from_position(end).expect("finite")).expect("new");
    let near = scene.distance(&[0.0]).expect("finite").expect("a pair");
    assert!((near.distance - 0.08).abs() < 1e-12, "{near:?}");
}
