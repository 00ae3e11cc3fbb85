//! Lines that show a world.

use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::world::{Line, Report, Shows};
use chasles_dynamics::{Body, Options, World};
use glam::DVec3;

use crate::scenes::{at, cuboid, dynamic, floor};

fn count(lines: &[Line], shows: Shows) -> usize {
    lines.iter().filter(|line| line.shows == shows).count()
}

#[test]
fn boxes_joints_and_contacts_are_where_they_are() {
    let mut world = World::new(Options::default());
    world.add(floor());
    let cube = cuboid([0.4; 3]);
    world.add(dynamic(&cube, 1.0).at(at(0.0, 0.0, 0.2001)));
    let post = world.add(Body::fixed(cuboid([0.1; 3])).at(at(3.0, 0.0, 2.0)));
    let arm = world.add(dynamic(&cube, 1.0).at(at(4.0, 0.0, 2.0)));
    world.add(Body::fixed(cuboid([1.0; 3])).at(at(0.0, 5.0, 2.0)).sensing());
    let anchors = [[0.0; 3], [-1.0, 0.0, 0.0]].map(|p| Anchor::along(p, DVec3::Y).expect("finite"));
    world.link(Joint::hinge([post.0, arm.0], anchors).expect("two")).expect("of the world");
    world.listen(true);
    let mut report = Report::default();
    for _ in 0..5 {
        report = world.step(1.0 / 60.0).expect("a step");
    }
    let lines = world.lines(&report);
    assert_eq!(count(&lines, Shows::Static), 24);
    assert_eq!([count(&lines, Shows::Awake), count(&lines, Shows::Sensor)], [24, 12]);
    assert_eq!([count(&lines, Shows::Joint), count(&lines, Shows::Axis)], [3, 1]);
    assert!(count(&lines, Shows::Normal) >= 3, "the cube rests on the floor");
    for line in &lines {
        let [from, to] = line.ends;
        match line.shows {
            Shows::Axis => assert!((to - from).normalize().y.abs() > 1.0 - 1e-9),
            Shows::Normal => assert!(from.z.abs() < 0.01 && (to - from).normalize().z < -0.999),
            // An edge is along an axis.
            Shows::Static | Shows::Awake | Shows::Sensor => {
                let zeros = (to - from).to_array().into_iter().filter(|x| x.abs() < 1e-12).count();
                assert!(zeros == 2, "{line:?}");
            }
            _ => {}
        }
    }
    let held = lines.iter().filter(|line| line.shows == Shows::Joint).nth(1).expect("three");
    assert!(held.ends[0].distance(held.ends[1]) < 1e-6, "the joint is closed");
    for _ in 0..90 {
        report = world.step(1.0 / 60.0).expect("a step");
    }
    assert_eq!(count(&world.lines(&report), Shows::Asleep), 12, "the cube sleeps");
}
