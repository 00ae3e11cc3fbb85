//! What URDF and SRDF say is what the robot is, and what is wrong with them is said with its place.

mod support;

use std::fs;

use chasles_planning::{JointKind, Packages, Robot, RobotError};
use support::{ARM, arm};

/// A robot of these elements.
fn parse(elements: &str) -> Result<Robot, RobotError> {
    Robot::parse(&format!("<robot name=\"r\">\n{elements}\n</robot>"), "r.urdf", &Packages::new())
}

const TWO: &str = "<link name=\"a\"/> <link name=\"b\"/>\n";

fn joint(kind: &str, inner: &str) -> String {
    let ends = "<parent link=\"a\"/> <child link=\"b\"/>";
    format!("{TWO}<joint name=\"j\" type=\"{kind}\">\n{ends}\n{inner}\n</joint>")
}

fn collider(shape: &str) -> String {
    format!("<link name=\"a\">\n<collision><geometry>\n{shape}\n</geometry></collision></link>")
}

/// The line and the words of an error.
fn place(result: Result<Robot, RobotError>) -> (u32, String) {
    match result.expect_err("it is wrong") {
        RobotError::Text { line, what, .. } => (line, what),
        RobotError::File { path, reason } => panic!("{}: {reason}", path.display()),
    }
}

#[test]
fn the_arm_has_what_its_file_says() {
    let robot = arm();
    assert_eq!((robot.name(), robot.links().len(), robot.joints().len()), ("arm", 11, 10));
    let names: Vec<&str> = robot.variables().iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["turn", "lift", "bend", "roll", "reach", "pitch", "spin", "grip"]);
    assert_eq!(robot.variables()[0].limits, [f64::NEG_INFINITY, f64::INFINITY]);
    assert_eq!(robot.variables()[4].kind, JointKind::Slides);
    assert_eq!((robot.variables()[4].limits, robot.variables()[4].max_speed), ([0.0, 0.15], 0.5));
    assert_eq!(robot.variable("bend"), Ok(2));
    assert!(robot.variable("grip_other").unwrap_err().to_string().contains("turn, lift"));
    let elbow = robot.links().iter().find(|link| link.name == "elbow").expect("an elbow");
    assert_eq!(elbow.colliders().len(), 2);
    for (joint, child) in robot.joints().iter().zip(1..) {
        assert!(joint.parent < child, "parents first");
    }
}

#[test]
fn srdf_adds_pairs_groups_and_configurations() {
    let robot = arm();
    assert_eq!(robot.disabled().len(), 7);
    let groups: Vec<(&str, &[usize])> =
        robot.groups().iter().map(|group| (group.name.as_str(), &*group.variables)).collect();
    let all: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7];
    assert_eq!(groups, [("arm", &all[..7]), ("gripper", &all[7..]), ("all", all)]);
    assert_eq!(robot.states()[0].configuration, [0.0, -0.5, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn srdf_of_another_robot_is_refused_with_its_place() {
    let extend = |inner: &str| {
        arm().with_srdf_text(&format!("<robot name=\"arm\">\n{inner}\n</robot>"), "arm.srdf")
    };
    for (inner, word) in [
        ("<disable_collisions link1=\"hand\" link2=\"leg\"/>", "no link named \"leg\""),
        ("<group name=\"g\"><joint name=\"knee\"/></group>", "no joint named \"knee\""),
        ("<group name=\"g\"><group name=\"h\"/></group>", "no group is named \"h\""),
        ("<group name=\"g\"><chain base_link=\"hand\" tip_link=\"rod\"/></group>", "not beyond"),
        ("<group_state name=\"s\"><joint name=\"lift\" value=\"up\"/></group_state>", "a number"),
    ] {
        let (line, what) = place(extend(inner));
        assert!(line == 2 && what.contains(word), "{line}: {what}");
    }
    // Joints that SRDF adds below the root move nothing here.
    let with_virtual = "<virtual_joint name=\"v\" type=\"planar\" parent_frame=\"map\" child_link=\
                        \"plinth\"/><group name=\"g\"><joint name=\"v\"/><joint name=\"lift\"/></group>\
                        <group_state name=\"s\" group=\"g\"><joint name=\"v\" value=\"0 0 0\"/>\
                        <joint name=\"lift\" value=\"0.5\"/></group_state>";
    let robot = extend(with_virtual).expect("it names a joint of its own");
    let group = robot.groups().iter().find(|group| group.name == "g").expect("a group");
    let state = robot.states().iter().find(|state| state.name == "s").expect("a state");
    assert_eq!((&*group.variables, state.configuration[1]), (&[1][..], 0.5));
    // A group within itself ends.
    assert!(extend("<group name=\"g\"><group name=\"g\"/></group>").is_ok());
}

#[test]
fn what_is_wrong_with_a_tree_is_said_with_its_line() {
    let fixed = "type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>";
    let back = "type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>";
    for (elements, line, word) in [
        (String::new(), 1, "0 links"),
        ("<link/>".into(), 2, "attribute `name`"),
        ("<link name=\"a\"/>\n<link name=\"a\"/>".into(), 3, "a second <link> named \"a\""),
        (TWO.into(), 2, "one link should be the root"),
        (format!("{TWO}<joint name=\"j\" {fixed}\n<joint name=\"j\" {fixed}"), 4, "a second"),
        (format!("{TWO}<joint name=\"j\" {fixed}\n<joint name=\"k\" {fixed}"), 4, "\"b\""),
        (format!("{TWO}<joint name=\"j\" {fixed}<joint name=\"k\" {back}"), 1, "a loop"),
        (
            format!("<link name=\"c\"/>{TWO}<joint name=\"j\" {fixed}<joint name=\"k\" {back}"),
            2,
            "",
        ),
        (joint("fixed", "").replace("link=\"b\"", "link=\"x\""), 4, "no link is named \"x\""),
        (joint("ball", ""), 3, "fixed, revolute, continuous or prismatic"),
        (joint("floating", ""), 3, "such joints are not taken"),
        (joint("planar", ""), 3, "such joints are not taken"),
        (joint("revolute", ""), 3, "needs a <limit>"),
        (joint("prismatic", "<limit lower=\"1\" upper=\"0\"/>"), 5, "more than `upper`"),
        (joint("continuous", "<axis xyz=\"0 0 0\"/>"), 5, "the axis is 0"),
        (joint("continuous", "<axis xyz=\"0 0\"/>"), 5, "three numbers"),
        (joint("continuous", "<origin xyz=\"0 0 1e9\"/>"), 5, "at most 1e6"),
        (joint("continuous", "<origin xyz=\"0 nan 1\"/>"), 5, "finite"),
        (joint("continuous", "<mimic joint=\"k\"/>"), 5, "no joint is named \"k\""),
        (joint("continuous", "<mimic joint=\"j\"/>"), 3, "mimic each other in a loop"),
        (joint("continuous", "<mimic joint=\"j\" multiplier=\"1e5\"/>"), 5, "multiplier"),
        (joint("fixed", "<mimic joint=\"j\"/>"), 5, "mimics none"),
    ] {
        let (found, what) = place(parse(&elements));
        assert!(found == line && what.contains(word), "{found}: {what}, of {elements}");
    }
}

#[test]
fn what_is_wrong_with_a_shape_is_said_with_its_line() {
    for (shape, line, word) in [
        ("<ball/>", 4, "box, sphere, cylinder, capsule or mesh"),
        ("", 3, "needs a shape"),
        ("<sphere radius=\"1\"/>\n<sphere radius=\"1\"/>", 5, "a second shape"),
        ("<sphere/>", 4, "attribute `radius`"),
        ("<sphere radius=\"-1\"/>", 4, "more than 0"),
        ("<sphere radius=\"wide\"/>", 4, "a number"),
        ("<box/>", 4, "attribute `size`"),
        ("<box size=\"1 0 1\"/>", 4, "more than 0"),
        ("<cylinder radius=\"1\" length=\"0\"/>", 4, "more than 0"),
        ("<mesh filename=\"package://p/a.stl\"/>", 4, "no folder is given for the package \"p\""),
        ("<mesh filename=\"http://p/a.stl\"/>", 4, "package://"),
        ("<mesh filename=\"a.stl\"/>", 4, "packages only"),
        ("<mesh filename=\"package://p/a.stl\" scale=\"1 0 1\"/>", 4, "`scale`"),
        ("<mesh filename=\"package://p/a.stl\" scale=\"1 1e9 1\"/>", 4, "at most 1e6"),
    ] {
        let (found, what) = place(parse(&collider(shape)));
        assert!(found == line && what.contains(word), "{found}: {what}, of {shape}");
    }
}

#[test]
fn xml_with_entities_is_refused_and_deep_xml_is_no_danger() {
    let bomb = "<!DOCTYPE r [<!ENTITY a \"&b;&b;\">]><robot name=\"&a;\"/>";
    let read = |text: &str| Robot::parse(text, "r.urdf", &Packages::new());
    assert!(place(read(bomb)).1.contains("document type"));
    let external = "<!DOCTYPE r [<!ENTITY a SYSTEM \"file:///secret\">]><robot>&a;</robot>";
    assert!(place(read(external)).1.contains("document type"));
    assert!(place(read("<robot><link name=\"a\"/>")).1.contains("well-formed"));
    assert!(place(read("<sdf/>")).1.contains("it should be <robot>"));
    let depth = 200_000;
    let deep = format!("<robot>{}{}</robot>", "<a>".repeat(depth), "</a>".repeat(depth));
    assert!(place(read(&deep)).1.contains("0 links"));
    let many = format!("<robot>{}</robot>", "<a/>".repeat(1 << 20));
    assert!(place(read(&many)).1.contains("well-formed"));
    let macros = "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n<xacro:arm/></robot>";
    let (line, what) = place(read(macros));
    assert!(line == 2 && what.contains("expand the file first"), "{what}");
    // Within an element that is read: what it expands to would be missing.
    let within = "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n<link name=\"a\">\n\
                  <collision>\n<xacro:shape/></collision></link></robot>";
    let (line, what) = place(read(within));
    assert!(line == 4 && what.contains("expand the file first"), "{what}");
}

#[test]
fn a_collider_that_nothing_would_meet_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    fs::write(folder.path().join("a.obj"), points).expect("a file");
    let packages = Packages::new().with("p", folder.path());
    let text = collider("<mesh filename=\"package://p/a.obj\"/>");
    let read = Robot::parse(&format!("<robot>\n{text}</robot>"), "r.urdf", &packages);
    let (line, what) = place(read);
    assert!(line == 4 && what.contains("no faces"), "{what}");
    let far = "<link name=\"a\"><collision>\n<geometry>\n<sphere radius=\"1e6\"/>\n</geometry>\
               </collision></link>";
    assert!(parse(far).is_ok(), "large, and not too large");
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("r.urdf")).expect("a link");
    let endless = Robot::load(folder.path().join("r.urdf"), &Packages::new());
    assert!(endless.expect_err("it has no end").to_string().contains("it is no file"));
    let packages = Packages::new().with("p", folder.path());
    fs::create_dir(folder.path().join("a.obj")).expect("a folder");
    let text = collider("<mesh filename=\"package://p/a.obj\"/>");
    let read = Robot::parse(&format!("<robot>\n{text}</robot>"), "r.urdf", &packages);
    assert!(place(read).1.contains("it is no file"));
}

#[test]
fn meshes_come_from_the_given_folders_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let [package, outside] = ["package", "outside"].map(|name| folder.path().join(name));
    for place in [&package, &outside] {
        fs::create_dir(place).expect("a folder");
        fs::write(
            place.join("a.obj"),
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
        )
        .expect("a file");
    }
    fs::write(package.join("a.dae"), "<COLLADA/>").expect("a file");
    let packages = Packages::new().with("p", &package);
    let read = |name: &str| {
        let text = format!("<robot>{}</robot>", collider(&format!("<mesh filename=\"{name}\"/>")));
        Robot::parse(&text, "r.urdf", &packages)
    };
    let robot = read("package://p/a.obj").expect("it is there");
    assert_eq!(robot.links()[0].colliders().len(), 1);
    assert!(place(read("package://p/../outside/a.obj")).1.contains("leads out"));
    assert!(place(read(&outside.join("a.obj").display().to_string())).1.contains("leads out"));
    assert!(read(&package.join("a.obj").display().to_string()).is_ok());
    assert!(place(read("package://p/b.obj")).1.contains("b.obj"));
    assert!(place(read("package://p/a.dae")).1.contains("dae"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.join("a.obj"), package.join("link.obj"))
            .expect("a link");
        assert!(place(read("package://p/link.obj")).1.contains("leads out"));
    }
    // Beside the file of the robot, and not above it.
    let text =
        format!("<robot>{}</robot>", collider("<mesh filename=\"a.obj\" scale=\"2 -2 2\"/>"));
    fs::write(package.join("r.urdf"), &text).expect("a file");
    let robot = Robot::load(package.join("r.urdf"), &Packages::new()).expect("beside it");
    let mesh = robot.links()[0].colliders().next().expect("a mesh");
    assert_eq!(mesh.bounds()[0].to_array(), [0.0, -2.0, 0.0]);
    fs::write(package.join("r.urdf"), text.replace("a.obj", "../outside/a.obj")).expect("a file");
    assert!(place(Robot::load(package.join("r.urdf"), &Packages::new())).1.contains("leads out"));
    let missing = Robot::load(package.join("none.urdf"), &Packages::new()).expect_err("none");
    assert!(matches!(missing, RobotError::File { .. }));
}

#[test]
fn bytes_changed_at_random_never_do_harm() {
    let mut random = chasles_testkit::generate::Random::new(5);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..3000 {
        let mut bytes = ARM.as_bytes().to_vec();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = b"<>/\"=0.9e-x"[random.below(11)],
                1 => {
                    bytes.remove(at);
                }
                _ => bytes.truncate(bytes.len() - random.below(40)),
            }
        }
        match Robot::parse(&String::from_utf8_lossy(&bytes), "r.urdf", &Packages::new()) {
            Ok(robot) => {
                read += 1;
                let mut joints = robot.joints().iter().zip(1..);
                assert!(joints.all(|(joint, child)| joint.parent < child));
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().starts_with("r.urdf:"), "{error}");
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}

/// Scenes keep the ways between all links: those of a long chain would take gigabytes.
#[test]
fn a_chain_of_too_many_links_is_refused() {
    let chain = |count: usize| {
        let link = |i: usize| {
            format!(
                "<link name=\"l{i}\"><collision><geometry><sphere radius=\"0.1\"/></geometry>\
                 </collision></link>"
            )
        };
        let joint = |i: usize| {
            format!(
                "<joint name=\"j{i}\" type=\"continuous\"><parent link=\"l{}\"/>\
                 <child link=\"l{i}\"/><origin xyz=\"1 0 0\"/></joint>",
                i - 1
            )
        };
        let links: String = (0..count).map(link).collect();
        let joints: String = (1..count).map(joint).collect();
        format!("<robot name=\"chain\">{links}{joints}</robot>")
    };
    let read = |count| Robot::parse(&chain(count), "chain.urdf", &Packages::new());
    assert_eq!(read(100).expect("a long arm").links().len(), 100);
    let error = read(2000).expect_err("too long").to_string();
    assert!(error.contains("chain of too many links"), "{error}");
}
