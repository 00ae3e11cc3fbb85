//! Joints of `chasles simulate`: what each kind holds, limits and motors, and what is refused.

mod common;

use common::{CUBES, Folder, root};
use serde_json::Value;

/// A floor and a unit cube above it, both without gravity; joints follow on line 15.
const BODIES: &str = "\
[world]
gravity = [0, 0, 0]
dt = 0.01

[[body]]
name = \"floor\"
kind = \"static\"
shape = { box = { size = [9, 2, 9] } }
start = { position = [0, -1, 0] }

[[body]]
name = \"cube\"
shape = { box = {} }
start = { position = [0, 2.5, 0] }
";

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// What the file of a trajectory says after so many seconds.
fn last_frame(scene: &str, seconds: &str) -> Value {
    let folder = Folder::new(&format!("joints-{}", scene.len()));
    folder.write("scene.toml", scene);
    let run = folder.run(&["simulate", "scene.toml", "--seconds", seconds, "--trajectory", "-"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{scene}");
    let last = run.out.lines().last().expect("frames");
    serde_json::from_str(last).expect("a line is an object")
}

/// Where a body is, and by which vector it is turned.
fn place(frame: &Value, name: &str) -> ([f64; 3], [f64; 3]) {
    let bodies = frame["bodies"].as_array().expect("a list");
    let body = bodies.iter().find(|body| body["name"] == name).expect("a body of this name");
    let [x, y, z, w] = [0, 1, 2, 3].map(|i| number(&body["rotation"][i]));
    let sine = f64::sqrt(x * x + y * y + z * z);
    let angle = 2.0 * f64::atan2(sine, w);
    let turn = [x, y, z].map(|c| if sine == 0.0 { 0.0 } else { c / sine * angle });
    ([0, 1, 2].map(|i| number(&body["position"][i])), turn)
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
}

/// Each kind, and whether it lets a body slide across the axis and along it, and turn across it and
/// about it.
const KINDS: [(&str, [bool; 4]); 10] = [
    ("ball", [false, false, true, true]),
    ("hinge", [false, false, false, true]),
    ("cardan", [false, false, true, false]),
    ("weld", [false, false, false, false]),
    ("line", [false, true, true, true]),
    ("piston", [false, true, false, true]),
    ("rail", [false, true, false, false]),
    ("plane", [true, false, true, true]),
    ("plate", [true, false, false, false]),
    ("no_spin", [true, true, true, false]),
];

#[test]
fn each_kind_leaves_free_what_it_says() {
    for (kind, free) in KINDS {
        let axis = if kind == "weld" { "" } else { "axis = [0, 0, 2]" };
        let joint = format!(
            "[[joint]]\nkind = '{kind}'\nbodies = ['cube']\nanchor = [0, 2.5, 0]\n{axis}\n"
        );
        let moving = "velocity = [1, 1, 1]\nangular_velocity = [0.5, 0.5, 0.5]\n";
        let frame = last_frame(&format!("{BODIES}{moving}{joint}"), "0.1");
        let ([x, y, z], [turn_x, turn_y, turn_z]) = place(&frame, "cube");
        let moved = [x, z, turn_x, turn_z].map(|way| way.abs() > 0.02);
        assert_eq!(moved, free, "{kind} at {frame}");
        assert_eq!([y - 2.5, turn_y].map(|way| way.abs() > 0.02), [free[0], free[2]], "{kind}");
    }
}

#[test]
fn a_motor_turns_the_second_body_until_the_limit_stops_it() {
    let joint = |more: &str| {
        format!(
            "{BODIES}[[joint]]\nkind = 'hinge'\nbodies = ['cube']\nanchor = [0, 2.5, 0]\n\
             axis = [0, 1, 0]\n{more}\n"
        )
    };
    let turned = |more: &str| place(&last_frame(&joint(more), "1"), "cube").1[1];
    near(turned("turn_motor = { speed = 1.5 }"), 1.5);
    near(turned("turn_motor = { speed = -1.5, torque = 1e9 }"), -1.5);
    near(turned("turn_motor = { speed = 1.5 }\ndegrees = [-10, 30]"), 30f64.to_radians());
    near(turned("turn_motor = { speed = -1.5 }\ndegrees = [-10, 30]"), -10f64.to_radians());
    // 1000 / 6 kg m² and 50 N m: 0.3 rad/s after a second, and half of that on average.
    let weak = turned("turn_motor = { speed = 9, torque = 50 }");
    assert!((weak - 0.15).abs() < 0.002, "{weak}");
}

#[test]
fn a_motor_slides_the_second_body_until_the_limit_stops_it() {
    let joint = |more: &str| {
        format!(
            "{BODIES}[[joint]]\nkind = 'rail'\nbodies = ['floor', 'cube']\naxis = [3, 0, 0]\n{more}\n"
        )
    };
    let slid = |more: &str| place(&last_frame(&joint(more), "1"), "cube").0[0];
    near(slid("slide_motor = { speed = 2 }"), 2.0);
    near(slid("slide_motor = { speed = 2 }\ntravel = [-1, 1.25]"), 1.25);
    near(slid("slide_motor = { speed = -2 }\ntravel = [-1, 1.25]"), -1.0);
    let weak = slid("slide_motor = { speed = 2, force = 100 }");
    assert!((weak - 0.05).abs() < 0.001, "{weak}");
}

#[test]
fn a_cone_stops_what_swings() {
    let falls = BODIES.replace("gravity = [0, 0, 0]", "gravity = [0, -9.81, 0]");
    let joint = "\
[[joint]]
kind = 'ball'
bodies = ['cube']
anchor = [-2, 2.5, 0]
axis = [1, 0, 0]
swing_degrees = 20
";
    let ([_, height, _], _) = place(&last_frame(&format!("{falls}{joint}"), "3"), "cube");
    near(height, 2.5 - 2.0 * 20f64.to_radians().sin());
}

#[test]
fn linked_bodies_collide_unless_the_joint_says_no() {
    let sliding = "\
velocity = [0, -2, 0]
[[joint]]
kind = 'rail'
bodies = ['floor', 'cube']
axis = [0, 1, 0]
";
    let height = |more: &str| {
        let frame = last_frame(&format!("{BODIES}restitution = 0\n{sliding}{more}\n"), "2");
        place(&frame, "cube").0[1]
    };
    near(height("collide = false"), -1.5);
    for collides in ["", "collide = true"] {
        let found = height(collides);
        assert!((0.5..0.5011).contains(&found), "{collides:?}: {found}");
    }
}

/// A cube, and an arm that begins half in it.
const ARM: &str =
    "[[body]]\nname = 'arm'\nshape = { box = {} }\nstart = { position = [0.5, 2.5, 0] }\n";

fn summary(folder: &Folder, joints: &str) -> Value {
    folder.write("scene.toml", format!("{BODIES}{ARM}{joints}"));
    let run = folder.run(&["simulate", "scene.toml", "--check", "--seconds", "0.1", "--json", "-"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    serde_json::from_str(&run.out).expect("one document")
}

#[test]
fn linked_bodies_that_begin_in_each_other_are_named_and_not_counted() {
    let folder = Folder::new("joints-inside");
    let joint = "[[joint]]\nkind = 'weld'\nbodies = ['arm', 'cube']\n";
    let found = summary(&folder, joint);
    assert_eq!(found["overlaps"], serde_json::json!([]));
    let left_out = &found["left_out"][0];
    assert_eq!([&left_out["a"], &left_out["b"]], ["cube", "arm"]);
    assert_eq!(left_out["why"], "overlap_at_start");
    near(left_out["depth"].as_f64().expect("a number"), 0.5);
    let run = folder.run(&["simulate", "scene.toml", "--check", "--seconds", "0.1"]);
    let named = "left out: cube and arm, which overlap at the start; up to 0.5000 m deep\n";
    assert!(run.out.contains(named), "{}", run.out);
    let page = ["simulate", "scene.toml", "--check", "--seconds", "0.1", "--report", "page.html"];
    assert_eq!(folder.run(&page).status, 0);
    let noted = "Left out: cube and arm, which overlap at the start; up to 0.5000 m deep.";
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("a page");
    assert!(page.contains(noted));
    let last = run.out.lines().last().expect("a line");
    let counted = "; 0 overlaps in 10 frames, 0 crossings in 10 steps looked at; \
                   1 linked pair left out: cube and arm; ";
    assert!(last.contains(counted), "{last}");
    // What says so itself is named too, and what holds a body to the world is no body of the scene.
    let hung = "[[joint]]\nkind = 'weld'\nbodies = ['arm']\n";
    let found = summary(&folder, &format!("{joint}collide = false\n{hung}"));
    assert_eq!(found["left_out"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["left_out"][0]["why"], "collide_false");
    assert_eq!(found["bodies"], 3);
    // One joint of the pair that wants a collision is enough to refuse the scene.
    let both = format!("{BODIES}{ARM}{joint}{joint}collide = true\n");
    folder.write("scene.toml", both);
    let run = folder.run(&["simulate", "scene.toml", "--seconds", "0.1"]);
    assert!(run.status == 2 && run.err.contains("overlap"), "{}", run.err);
}

/// The figures and mechanisms of the project are made so that no two of their links pass through
/// each other.
#[test]
fn the_links_of_scenes_collide_with_each_other() {
    for scene in ["chain", "crank", "sitting", "stairs"] {
        let name = format!("simulate-{scene}");
        let folder = Folder::new("joints-scenes");
        let run = folder.run(&["simulate", &name, "--check", "--seconds", "1.5", "--json", "-"]);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{name}");
        let found: Value = serde_json::from_str(&run.out).expect("one document");
        for key in ["left_out", "overlaps", "crossings"] {
            assert_eq!(found[key], serde_json::json!([]), "{key} of {name}");
        }
        assert_eq!(found["waits"], 0, "{name}");
        let open = found["joint_gap"]["length"].as_f64().expect("a number");
        assert!(open < 1e-6, "joints of {name} are open by {open} m");
    }
}

#[test]
fn bodies_that_nothing_holds_are_warned_of() {
    let folder = Folder::new("joints-falls");
    let body = "[[body]]\nname = 'cube'\nshape = { box = {} }\n";
    let warned = |more: &str| {
        folder.write("scene.toml", format!("{more}\n{body}"));
        let run = folder.run(&["simulate", "scene.toml", "--seconds", "0.1", "--json", "-"]);
        assert_eq!(run.status, 0, "{}", run.err);
        let found: Value = serde_json::from_str(&run.out).expect("one document");
        let told = found["warnings"].as_array().expect("a list").len();
        assert_eq!(run.err.matches("warning: nothing holds the bodies: ").count(), told, "{more}");
        assert_eq!(run.err.lines().count(), told, "{}", run.err);
        told
    };
    assert_eq!(warned(""), 1);
    assert_eq!(warned("[world]\ngravity = [0, 0, 0]"), 0);
    assert_eq!(warned("[world]\ngravity = [0, 0, -1]"), 1);
    let ground = "shape = { box = {} }\nstart = { position = [0, -3, 0] }\n";
    assert_eq!(warned(&format!("[[body]]\nname = 'ground'\n{ground}")), 1);
    for kind in ["kind = 'static'", "kind = 'kinematic'\ntwist = { linear = [1, 0, 0] }"] {
        let held = format!("[[body]]\nname = 'ground'\n{kind}\n{ground}");
        assert_eq!(warned(&held), 0, "{kind}");
    }
    assert_eq!(warned("[[joint]]\nkind = 'ball'\nbodies = ['cube']\n"), 0);
    let sheet = "[[sheet]]\nstart = { position = [0, -3, 0] }\ncells = [2, 2]\n";
    assert_eq!(warned(sheet), 1);
    assert_eq!(warned(&format!("{sheet}pins = [[0, 0]]\n")), 0);
}

/// The keys of a joint after its `[[joint]]`, the place as `line:column`, and a phrase of the
/// message.
const BAD: [(&str, &str, &str); 32] = [
    ("bodies = ['cube']", "15:1", "missing key `kind`"),
    ("kind = 'ball'", "15:1", "missing key `bodies`"),
    ("kind = 'glue'\nbodies = ['cube']", "16:8", "unknown kind `glue`, expected one of `ball`"),
    ("kind = 'ball'\nbodies = 'cube'", "17:10", "expected a sequence"),
    ("kind = 'ball'\nbodies = []", "17:10", "a joint holds one body or two, not 0"),
    (
        "kind = 'ball'\nbodies = ['cube', 'floor', 'cube']",
        "17:10",
        "a joint holds one body or two, not 3",
    ),
    ("kind = 'ball'\nbodies = ['cube', 'tube']", "17:19", "no body has the name \"tube\""),
    ("kind = 'ball'\nbodies = ['tube']", "17:11", "no body has the name \"tube\""),
    ("kind = 'ball'\nbodies = ['cube', 'cube']", "17:19", "a joint of \"cube\" with itself"),
    ("kind = 'ball'\nbodies = ['floor']", "17:10", "needs a dynamic body, and \"floor\" is not"),
    (
        "kind = 'ball'\nbodies = ['floor', 'lift']",
        "17:10",
        "needs a dynamic body, and \"floor\" and \"lift\" are not",
    ),
    ("kind = 'hinge'\nbodies = ['cube']", "16:8", "kind \"hinge\" needs an `axis`"),
    ("kind = 'plane'\nbodies = ['cube']", "16:8", "kind \"plane\" needs an `axis`"),
    ("kind = 'hinge'\nbodies = ['cube']\naxis = [0, 0, 0]", "18:8", "has no length"),
    ("kind = 'hinge'\nbodies = ['cube']\naxis = [0, 0]", "18:8", "expected a vector [x, y, z]"),
    ("kind = 'hinge'\nbodies = ['cube']\naxis = [0, nan, 1]", "18:12", "which is not finite"),
    ("kind = 'ball'\nbodies = ['cube']\nanchor = [1]", "18:10", "expected a vector [x, y, z]"),
    ("kind = 'weld'\nbodies = ['cube']\naxis = [0, 0, 1]", "18:8", "\"weld\" has no `axis`"),
    (
        "kind = 'hinge'\nbodies = ['cube']\naxis = [0, 0, 1]\ndegrees = [30, -30]",
        "19:11",
        "`degrees` is from 30 to -30, which is empty",
    ),
    (
        "kind = 'rail'\nbodies = ['cube']\naxis = [0, 0, 1]\ntravel = [0.5, 0]",
        "19:10",
        "`travel` is from 0.5 to 0, which is empty",
    ),
    (
        "kind = 'rail'\nbodies = ['cube']\naxis = [0, 0, 1]\ntravel = [0.5, 1]",
        "19:10",
        "`travel` is from 0.5 to 1, but the joint begins at 0",
    ),
    (
        "kind = 'hinge'\nbodies = ['cube']\naxis = [0, 0, 1]\ndegrees = [-90, -1]",
        "19:11",
        "but the joint begins at 0",
    ),
    (
        "kind = 'hinge'\nbodies = ['cube']\naxis = [0, 0, 1]\ndegrees = [1, 2, 3]",
        "19:11",
        "expected two limits [least, largest]",
    ),
    (
        "kind = 'hinge'\nbodies = ['cube']\naxis = [0, 0, 1]\ntravel = [0, 1]",
        "19:10",
        "\"hinge\" has no `travel`",
    ),
    (
        "kind = 'rail'\nbodies = ['cube']\naxis = [0, 0, 1]\ndegrees = [0, 1]",
        "19:11",
        "\"rail\" has no `degrees`",
    ),
    (
        "kind = 'hinge'\nbodies = ['cube']\naxis = [0, 0, 1]\nswing_degrees = 10",
        "19:17",
        "\"hinge\" has no `swing_degrees`",
    ),
    (
        "kind = 'ball'\nbodies = ['cube']\nswing_degrees = 10",
        "18:17",
        "`swing_degrees` needs an `axis`",
    ),
    (
        "kind = 'ball'\nbodies = ['cube']\naxis = [0, 0, 1]\nswing_degrees = 0",
        "19:17",
        "`swing_degrees` is 0, which is not above 0",
    ),
    (
        "kind = 'ball'\nbodies = ['cube']\nturn_motor = { speed = 1 }",
        "18:14",
        "\"ball\" has no `turn_motor`",
    ),
    (
        "kind = 'rail'\nbodies = ['cube']\naxis = [0, 0, 1]\nslide_motor = { speed = 1, force = -1 }",
        "19:36",
        "the `force` of a motor is -1, which is below 0",
    ),
    ("kind = 'ball'\nbodies = ['cube']\ncollide = true", "18:11", "nothing to collide with"),
    ("kind = 'ball'\nbodies = ['cube']\nstiff = 3", "18:1", "unknown key `stiff`, expected one of"),
];

#[test]
fn joints_that_cannot_be_are_refused_with_their_place() {
    let lift = "\
[[body]]
name = \"lift\"
kind = \"kinematic\"
shape = { box = {} }
start = { position = [4, 5, 0] }
twist = { linear = [0, 1, 0] }
";
    let folder = Folder::new("joints-bad");
    for (keys, place, phrase) in BAD {
        let scene = format!("{BODIES}[[joint]]\n{keys}\n{lift}");
        folder.write("bad.toml", &scene);
        let run = folder.run(&["simulate", "bad.toml", "--json", "out.json"]);
        assert_eq!(run.status, 2, "{scene}\n{}", run.err);
        assert!(run.err.contains(phrase), "{phrase:?} is not said of\n{scene}\n{}", run.err);
        let place = format!("bad.toml:{place}]");
        assert!(run.err.contains(&place), "{place:?} is not named for\n{scene}\n{}", run.err);
        assert!(run.err.contains("help:"), "no remedy for\n{scene}\n{}", run.err);
        assert_eq!(folder.names(), ["bad.toml"], "a file is left behind by\n{scene}");
    }
}

#[test]
fn other_commands_refuse_joints() {
    let folder = Folder::new("joints-others");
    folder.write("scene.toml", format!("{CUBES}[[joint]]\nkind = 'ball'\nbodies = ['a']\n"));
    let run = folder.run(&["collide", "scene.toml"]);
    assert_eq!(run.status, 2);
    let said = "joints belong to a scene for `chasles simulate`";
    assert!(run.err.contains(said) && run.err.contains("help:"), "{}", run.err);
}

/// The trajectory of a scene of the repository, and its summary.
fn run(scene: &str, seconds: &str) -> (Vec<Value>, Value) {
    run_with(scene, &["--seconds", seconds])
}

fn run_with(scene: &str, more: &[&str]) -> (Vec<Value>, Value) {
    let folder = Folder::new(&format!("joints-{scene}-{}", more.join("")));
    let path = root().join(format!("scenes/simulate-{scene}.toml"));
    let path = path.to_string_lossy();
    let outputs = ["--quiet", "--check", "--trajectory", "a.jsonl", "--json", "-"];
    let run = folder.run(&[&["simulate", &path], more, &outputs[..]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{scene}");
    let text = std::fs::read_to_string(folder.path().join("a.jsonl")).expect("just written");
    let frames = text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    (frames, serde_json::from_str(&run.out).expect("one document"))
}

#[test]
fn a_piston_is_where_its_crank_puts_it() {
    let (frames, _) = run("crank", "1.5");
    let mut least = f64::INFINITY;
    for frame in &frames {
        let ([x, y, _], [_, _, turn]) = place(frame, "rod");
        // The pins are 0.6 from the middle of the rod; that of the crank is 0.36 from its axle.
        let pin = [x - 0.6 * turn.cos(), y - 0.6 * turn.sin()];
        near(f64::hypot(pin[0], pin[1]), 0.36);
        let ([piston, _, _], _) = place(frame, "piston");
        near(piston - 0.04, pin[0] + f64::sqrt(1.44 - pin[1] * pin[1]));
        least = least.min(piston - 0.04);
    }
    assert!(least < 0.841, "the piston gets to {least} only");
}

#[test]
fn the_last_ball_of_the_cradle_leaves_and_the_first_gets_its_blow_back() {
    let (frames, _) = run("cradle", "1.7");
    let speeds = |time: f64| {
        let frame = &frames[(60.0 * time).round() as usize];
        let bodies = frame["bodies"].as_array().expect("a list").clone();
        [1, 2, 3, 4, 5].map(|ball| number(&bodies[ball]["velocity"][0]))
    };
    let [first, others @ .., last] = speeds(0.55);
    assert!(last > 1.9 && first.abs() < 0.05, "{first} and {last} m/s");
    assert!(others.iter().all(|speed| speed.abs() < 0.05), "{others:?} m/s");
    let [first, others @ .., last] = speeds(1.6);
    assert!(first < -1.7 && last.abs() < 0.05, "{first} and {last} m/s");
    // Those between swing by a twentieth of the blow at most.
    assert!(others.iter().all(|speed| speed.abs() < 0.1), "{others:?} m/s");
}

#[test]
fn chains_and_men_hold_together_and_nothing_waits() {
    for (scene, seconds) in [("chain", "1"), ("sitting", "0.5"), ("stairs", "0.5")] {
        let (_, summary) = run(scene, seconds);
        assert_eq!(summary["overlaps"], serde_json::json!([]), "{scene}");
        assert_eq!(summary["waits"], 0, "{scene}");
        let energy = |when: &str| {
            let energy = &summary["energy"][when];
            number(&energy["kinetic"]) + number(&energy["potential"])
        };
        assert!(energy("end") < energy("start") + 1e-6, "{scene} gains energy: {summary}");
    }
}

/// Links that rest on the ring with open joints are not held fast by what is in the way of closing
/// them at once.
#[test]
fn a_chain_in_its_ring_does_not_freeze_at_large_steps() {
    for dt in ["0.05", "0.033333333333333333", "0.028571428571428571"] {
        let (_, summary) = run_with("chain", &["--seconds", "10", "--dt", dt]);
        assert_eq!(summary["waits"], 0, "at {dt} s");
        assert_eq!(summary["crossings"], serde_json::json!([]), "at {dt} s");
        let open = number(&summary["joint_gap"]["length"]);
        assert!(open < 0.01, "joints are open by {open} m at {dt} s");
    }
}
