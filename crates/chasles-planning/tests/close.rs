//! Edges on which bodies come very close, slide along each other, or go through each other, where
//! closed forms say what is right.

mod support;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape, Torus};
use chasles::query::Geometry;
use chasles::{Collider, Polygons, Polyhedron, Pose};
use chasles_planning::{Edge, Options, Packages, Robot, Scene};

/// A rod of length 1 from the origin that turns about z, slides along itself and up, and a hand at
/// its end that spins about the vertical through it.
const CRANE: &str = r#"<robot name="crane">
  <link name="base"/>
  <link name="mast"/>
  <joint name="turn" type="continuous"><parent link="base"/><child link="mast"/>
    <axis xyz="0 0 1"/></joint>
  <link name="lift"/>
  <joint name="up" type="prismatic"><parent link="mast"/><child link="lift"/>
    <axis xyz="0 0 1"/> <limit lower="-1" upper="1"/></joint>
  <link name="trolley"/>
  <joint name="out" type="prismatic"><parent link="lift"/><child link="trolley"/>
    <origin xyz="1 0 0"/> <axis xyz="1 0 0"/> <limit lower="-1" upper="1"/></joint>
  <link name="hand"/>
  <joint name="spin" type="continuous"><parent link="trolley"/><child link="hand"/>
    <axis xyz="0 0 1"/></joint>
</robot>"#;

/// The crane with a body in its hand.
fn crane(tool: Geometry) -> Scene {
    let robot = Robot::parse(CRANE, "crane.urdf", &Packages::new()).expect("a crane");
    let mut scene = Scene::new(robot);
    scene.attach("tool", "hand", tool, Pose::IDENTITY).expect("a hand");
    scene
}

fn cuboid(size: [f64; 3]) -> Geometry {
    Geometry::shape(&Shape::Box(Cuboid { size })).expect("a box")
}

fn ball(radius: f64) -> Geometry {
    Geometry::sphere(radius).expect("a ball")
}

fn at(position: [f64; 3]) -> Pose {
    Pose::from_position(position).expect("finite")
}

fn edge(scene: &Scene, q0: [f64; 4], q1: [f64; 4], options: impl Into<Options>) -> Edge {
    scene.edge(&q0, &q1, options).expect("finite")
}

#[test]
fn a_sweep_that_passes_by_a_little_is_free_and_one_that_does_not_hits_where_it_does() {
    // The ball goes round the origin at 1 while it spins; the post stands outside.
    for gap in [1e-1, 1e-3, 1e-5, 1e-7] {
        let mut scene = crane(ball(0.1));
        let angle: f64 = 1.0;
        let out = 1.0 + 0.1 + 0.2 + gap;
        let post = at([out * angle.cos(), out * angle.sin(), 0.0]);
        scene.add("post", ball(0.2), post).expect("new");
        let found = edge(&scene, [0.0; 4], [3.0, 0.0, 0.0, 1.0], 0.0);
        assert!(found.is_free(), "{gap}: {found:?}");
        assert!(found.clearance[0] <= gap && gap <= found.clearance[1] + 1e-12, "{found:?}");
        // With a margin above the gap, the ball is too near where the law of cosines says.
        let margin = 2.0 * gap;
        let found = edge(&scene, [0.0; 4], [3.0, 0.0, 0.0, 1.0], margin);
        let near = 0.3 + margin;
        let off = ((1.0 + out * out - near * near) / (2.0 * out)).acos();
        let hit = found.hit().expect("within the margin");
        let first = (angle - off) / 3.0;
        assert!(found.fraction <= first + 1e-9 && hit.at >= first - 1e-9, "{first}: {found:?}");
        assert!(hit.at - found.fraction <= 1e-6);
    }
}

#[test]
fn a_sweep_into_a_post_hits_at_the_first_touch() {
    for deep in [1e-1, 1e-3, 1e-5, 1e-7] {
        let mut scene = crane(ball(0.1));
        let angle: f64 = 1.0;
        let out = 1.0 + 0.1 + 0.2 - deep;
        let post = at([out * angle.cos(), out * angle.sin(), 0.0]);
        scene.add("post", ball(0.2), post).expect("new");
        let off = ((1.0 + out * out - 0.09) / (2.0 * out)).acos();
        let first = (angle - off) / 3.0;
        let found = edge(&scene, [0.0; 4], [3.0, 0.0, 0.0, 1.0], 0.0);
        let hit = found.hit().expect("it is in the way");
        assert!(found.fraction <= first + 1e-9 && hit.at >= first - 1e-9, "{first}: {found:?}");
        assert!(hit.at - found.fraction <= 1e-6);
        assert!(hit.configuration[0] == 3.0 * hit.at && hit.near.bodies == ["tool", "post"]);
    }
}

#[test]
fn bodies_that_slide_along_each_other_are_told_from_those_that_touch() {
    // A box goes over a table, a hair above it: straight, and while it spins.
    for gap in [1e-2, 1e-4, 1e-6] {
        let mut scene = crane(cuboid([0.2, 0.1, 0.1]));
        scene.add("table", cuboid([4.0, 4.0, 0.1]), at([0.0, 0.0, -0.1 - gap])).expect("new");
        for to in [[0.0, 0.0, 0.9, 0.0], [0.0, 0.0, 0.9, 2.0], [2.0, 0.0, 0.5, -3.0]] {
            let found = edge(&scene, [0.0; 4], to, 0.0);
            assert!(found.is_free(), "{gap} {to:?}: {found:?}");
            assert!(found.clearance[0] <= gap * (1.0 + 1e-9), "{found:?}");
            // Down by more than the gap.
            let mut down = to;
            down[1] = -2.0 * gap;
            let hit = edge(&scene, [0.0; 4], down, 0.0);
            let hit_at = hit.hit().expect("through the table").at;
            // Within 1e-9 of the size counts as a touch.
            let early = 1.3e-10 / (2.0 * gap);
            assert!(hit.fraction <= 0.5 + 1e-9 && hit_at >= 0.5 - early, "{hit:?}");
        }
        let touching = edge(&scene, [0.0, -gap, 0.0, 0.0], [1.0, -gap, 0.0, 0.0], 0.0);
        assert!(touching.hit().is_some_and(|hit| hit.at == 0.0), "{touching:?}");
    }
}

#[test]
fn a_ring_on_a_rod_is_free_though_no_plane_parts_them() {
    // The ring of inner radius 0.08 goes up a rod of radius 0.079 while it spins.
    let ring = Torus { major: 0.1, minor: 0.02, segments: [60, 24] };
    let ring = Geometry::shape(&Shape::Torus(ring)).expect("a ring");
    for (radius, is_free) in [(0.05, true), (0.075, true), (0.081, false)] {
        let mut scene = crane(ring.clone());
        // The axis of the torus is z or y, whichever it is: the rod follows it.
        let [low, high] = ring.bounds();
        let upright = high.z - low.z < high.y - low.y;
        assert!(upright || high.y - low.y < high.z - low.z);
        let ends = [DVec3::Z * -2.0, DVec3::Z * 2.0];
        let rod = Geometry::capsule(ends, radius).expect("a rod");
        if !upright {
            scene = crane(turned(&ring));
        }
        scene.add("rod", rod, at([1.0, 0.0, 0.0])).expect("new");
        let found = edge(&scene, [0.0, -0.5, 0.0, 0.0], [0.0, 0.5, 0.0, 2.0], 0.0);
        assert_eq!(found.is_free(), is_free, "{radius}: {found:?}");
        assert!(found.undecided().is_none() && found.evaluations < 2000, "{found:?}");
    }
}

/// A mesh with y and z exchanged.
fn turned(mesh: &Geometry) -> Geometry {
    let mut polygons = mesh.collider().expect("a mesh").mesh().to_polygons();
    let turn = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    polygons.vertices.iter_mut().for_each(|vertex| *vertex = turn * *vertex);
    Geometry::mesh(chasles::Polyhedron::new(&polygons).expect("a mesh"))
}

#[test]
fn a_thin_blade_is_not_jumped_over() {
    // Between samples of 5 mm along the way: a blade of a tenth of that.
    let mut scene = crane(cuboid([0.01, 0.01, 0.3]));
    scene.add("blade", cuboid([0.0005, 0.3, 0.3]), at([0.0, 1.0, 0.0])).expect("new");
    let found = edge(&scene, [0.0; 4], [3.0, 0.0, 0.0, 0.5], 0.0);
    let hit = found.hit().expect("it is in the way");
    assert!((hit.at * 3.0 - std::f64::consts::FRAC_PI_2).abs() < 0.02);
}

#[test]
fn what_runs_out_of_evaluations_is_undecided_and_free_before() {
    let mut scene = crane(ball(0.1));
    // The ball goes round a post at a distance of 1e-10, while it spins.
    scene.add("post", ball(0.9 - 1e-9), at([0.0; 3])).expect("new");
    let ask = |most_evaluations| {
        let options = Options { most_evaluations, ..Options::default() };
        edge(&scene, [0.0; 4], [3.0, 0.0, 0.0, 1.0], options)
    };
    let [few, more] = [ask(500), ask(5000)];
    for found in [&few, &more] {
        let doubt = found.undecided().expect("too close to tell so soon");
        assert!(found.fraction <= doubt.at && found.fraction < 1.0);
        assert_eq!(
            (doubt.bodies.clone(), found.clearance),
            (["tool".into(), "post".into()], [0.0; 2])
        );
    }
    assert!(few.fraction > 0.0 && few.fraction < more.fraction, "{few:?} {more:?}");
    assert!(more.evaluations < 5100);
}

#[test]
fn a_hit_behind_what_is_undecided_leaves_the_rest_unproven() {
    let mut scene = crane(ball(0.1));
    scene.add("post", ball(0.9 - 1e-9), at([0.0; 3])).expect("new");
    // In the way from half a radian on.
    scene.add("wall", ball(5.0), at([0.0, 5.503, 0.0])).expect("new");
    let options = Options { most_evaluations: 500, ..Options::default() };
    let found = edge(&scene, [0.0; 4], [3.0, 0.0, 0.0, 1.0], options);
    let hit = found.hit().expect("the wall is wide");
    assert_eq!(hit.near.bodies, ["tool", "wall"]);
    assert!(found.fraction > 0.0 && found.fraction < 0.1 && hit.at > 0.16, "{found:?}");
}

#[test]
fn one_joint_alone_goes_along_an_exact_screw() {
    // The same as above, but nothing spins: the motion is a screw, and the exact method knows.
    let mut scene = crane(cuboid([0.2, 0.1, 0.1]));
    let post = Geometry::shape(&Shape::Box(Cuboid { size: [0.1, 0.1, 4.0] })).expect("a post");
    let gap = 1e-7;
    let away = 0.9 - gap - 0.05;
    scene.add("post", post, at([away, 0.0, 0.0])).expect("new");
    let found = edge(&scene, [0.0, -0.5, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], 0.0);
    assert!(found.is_free() && found.evaluations < 100, "{found:?}");
}

#[test]
fn an_edge_that_goes_nowhere_is_what_its_configuration_is() {
    let mut scene = crane(ball(0.1));
    scene.add("post", ball(0.2), at([0.0, 1.25, 0.0])).expect("new");
    let free = edge(&scene, [0.0; 4], [0.0; 4], 0.0);
    assert!(free.is_free() && free.fraction == 1.0);
    let deep = [std::f64::consts::FRAC_PI_2, 0.0, 0.0, 0.0];
    let found = edge(&scene, deep, deep, 0.0);
    let hit = found.hit().expect("it is in the post");
    assert!(hit.at == 0.0 && found.fraction == 0.0 && hit.near.overlaps);
}

#[test]
fn turns_beyond_half_a_circle_are_turned() {
    let mut scene = crane(ball(0.1));
    scene.add("post", ball(0.2), at([0.0, -1.0, 0.0])).expect("new");
    // The long way round passes the post at three quarters of a turn.
    let found = edge(&scene, [0.0; 4], [6.0, 0.0, 0.0, 0.0], 0.0);
    let hit = found.hit().expect("on the long way");
    let off = 2.0 * (0.15_f64).asin();
    assert!((hit.at * 6.0 - (1.5 * std::f64::consts::PI - off)).abs() < 1e-4, "{hit:?}");
    assert!(edge(&scene, [0.0; 4], [6.0 - std::f64::consts::TAU, 0.0, 0.0, 0.0], 0.0).is_free());
}

#[test]
fn margins_of_pairs_and_allowed_pairs_count_on_edges() {
    let mut scene = crane(ball(0.1));
    scene.add("post", ball(0.2), at([0.0, 1.35, 0.0])).expect("new");
    let go = |scene: &Scene| edge(scene, [0.0; 4], [3.0, 0.0, 0.0, 1.0], 0.0);
    assert!(go(&scene).is_free());
    scene.set_margin("tool", "post", 0.06).expect("names");
    assert!(go(&scene).hit().is_some_and(|hit| (hit.near.distance - 0.06).abs() < 1e-3));
    scene.allow("post", "tool").expect("names");
    assert!(go(&scene).is_free());
}

#[test]
fn cones_are_what_samples_say() {
    let mut random = chasles_testkit::generate::Random::new(15);
    let tilted = [DVec3::new(-0.3, 0.1, -0.2), DVec3::new(0.2, -0.1, 0.3)];
    let cone = || Geometry::cone(tilted, 0.25).expect("a cone");
    let others = [cone(), ball(0.2), cuboid([0.3, 0.2, 0.1]), {
        Geometry::cylinder([DVec3::ZERO, DVec3::new(0.1, 0.2, 0.4)], 0.2).expect("a cylinder")
    }];
    let [mut free, mut hits] = [0; 2];
    for other in others {
        for _ in 0..12 {
            let mut scene = crane(cone());
            let turn = random.rotation();
            let place = Pose::new(DVec3::new(1.2, 0.6, 0.1), turn).expect("a pose");
            scene.add("other", other.clone(), place).expect("new");
            let [q0, q1] = [(); 2].map(|()| {
                let turn = random.between(-1.0, 2.0);
                [turn, random.between(-0.4, 0.4), random.between(-0.2, 0.2), 3.0 * turn]
            });
            let found = edge(&scene, q0, q1, 0.0);
            assert!(found.undecided().is_none(), "{found:?}");
            let until = if found.is_free() { 1.0 } else { found.fraction };
            for i in 0..=400 {
                let t = until * f64::from(i) / 400.0;
                let q: Vec<f64> = q0.iter().zip(q1).map(|(p, q)| p + t * (q - p)).collect();
                let near = scene.distance(&q).expect("finite").expect("a pair");
                assert!(!near.overlaps || t == found.fraction, "{t}: {found:?}");
                if found.is_free() {
                    assert!(near.distance >= found.clearance[0] - 1e-12, "{t}: {found:?}");
                }
            }
            match found.hit() {
                Some(hit) => {
                    hits += 1;
                    assert!(!scene.is_free(&hit.configuration).expect("finite"));
                }
                None => free += 1,
            }
        }
    }
    assert!(free > 5 && hits > 5, "{free} free, {hits} hits");
}

/// A box goes up into what does not tell its outside: a trough that passes through itself, and a
/// cube whose faces look inward.
#[test]
fn surfaces_without_an_outside_are_hit_as_well() {
    let trough = Polygons::new(
        [
            [-1.0, -1.0, 0.0],
            [1.0, -1.0, 0.0],
            [1.0, 1.0, 0.0],
            [-1.0, 1.0, 0.0],
            [0.5, -1.0, 1.5],
            [-0.5, -1.0, 1.5],
            [-0.5, 1.0, 1.5],
            [0.5, 1.0, 1.5],
        ],
        [
            vec![3, 2, 1, 0],
            vec![4, 5, 6, 7],
            vec![0, 4, 7, 3],
            vec![1, 2, 6, 5],
            vec![0, 1, 5],
            vec![0, 5, 4],
            vec![2, 3, 7],
            vec![2, 7, 6],
        ],
    );
    let trough = Geometry::mesh(Polyhedron::new(&trough).expect("a mesh"));
    let mut inward = Shape::Box(Cuboid { size: [2.0, 2.0, 1.5] }).polygons().expect("a box");
    inward.faces.iter_mut().for_each(|face| face.reverse());
    let inward = Geometry::from(Collider::new(Polyhedron::new(&inward).expect("a mesh")));
    const LIFT: &str = r#"<robot name="lift"><link name="base"/><link name="car"/>
      <joint name="down" type="prismatic"><parent link="base"/><child link="car"/>
      <axis xyz="0 0 -1"/><limit lower="-9" upper="9"/></joint></robot>"#;
    for (body, place) in [(trough, [0.013, 0.017, -2.6]), (inward, [0.013, 0.017, -1.85])] {
        let robot = Robot::parse(LIFT, "lift.urdf", &Packages::new()).expect("a lift");
        let mut scene = Scene::new(robot);
        scene.attach("box", "car", cuboid([0.2; 3]), Pose::IDENTITY).expect("a car");
        scene.add("body", body, at(place)).expect("a body");
        for depth in [1e-3, 3e-5, 1e-6] {
            let found = scene.edge(&[0.0], &[1.0 + depth], 0.0).expect("finite");
            assert!(!scene.is_free(&[1.0 + depth]).expect("finite"), "{place:?}: {depth} deep");
            assert!(found.hit().is_some(), "{place:?}, {depth} deep: {found:?}");
            assert!(found.fraction <= 1.0 / (1.0 + depth) + 1e-9, "{found:?}");
        }
        assert!(scene.edge(&[0.0], &[1.0 - 1e-6], 0.0).expect("finite").is_free());
    }
}
