//! Walks of `chasles trace`: a run through a level, falls and jumps in closed form, what is
//! refused.

mod common;

use std::fs;

use chasles::Pose;
use chasles::convex::{Convex, Workspace, first_point};
use chasles::glam::{DQuat, DVec3};
use chasles_scene::TraceScene;
use common::{Folder, root};
use serde_json::Value;

/// Lengths of the scenes are a few units, and zones below 1e-10.
const CLOSE: f64 = 1e-6;

fn level() -> String {
    root().join("scenes/trace-level.toml").to_string_lossy().into_owned()
}

fn walk(folder: &Folder, scene: &str) -> Value {
    let run = folder.run(&["trace", scene, "--json", "-"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{scene}");
    serde_json::from_str(&run.out).expect("standard output is one JSON document")
}

fn of_text(folder: &Folder, scene: &str) -> Value {
    folder.write("scene.toml", scene);
    walk(folder, "scene.toml")
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let list = value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number"));
    list.collect::<Vec<_>>().try_into().expect("as many as there should be")
}

fn moves(result: &Value) -> &[Value] {
    result["moves"].as_array().expect("a list")
}

fn position(one: &Value) -> DVec3 {
    DVec3::from_array(numbers(&one["end"]["position"]))
}

/// Where the last move of a leg ends.
fn end_of(result: &Value, leg: usize) -> &Value {
    moves(result).iter().rfind(|one| one["leg"] == leg).expect("the leg has moves")
}

/// Whose feature a contact has; empty for null.
fn whose(contact: &Value) -> &str {
    contact["world"]["body"].as_str().unwrap_or_default()
}

/// A floor with its top at height 0 and a player of height 1 above it; more bodies and keys follow.
fn player(world: &str, height: f64, walk: &str) -> String {
    format!(
        "[[body]]\nname = 'floor'\nshape = {{ box = {{ size = [40, 2, 40] }} }}\n\
         start = {{ position = [0, -1, 0] }}\n{world}\n\
         [[body]]\nname = 'player'\nshape = {{ box = {{}} }}\nmoving = true\n\
         start = {{ position = [0, {height}, 0] }}\n{walk}\n"
    )
}

#[test]
fn the_player_runs_the_whole_level() {
    let result = walk(&Folder::new("walk-level"), &level());
    assert_eq!((&result["fraction"], &result["contact"]), (&1.0.into(), &Value::Null));
    assert_eq!(moves(&result).len(), 246);
    // Up the ramp onto the platform, whose top is at 1; the player's middle is 0.9 above its feet.
    let on_top = end_of(&result, 0);
    assert_eq!(whose(&on_top["ground"]), "platform");
    assert!((position(on_top).y - 1.9).abs() < CLOSE && position(on_top).x > 3.8, "{on_top}");
    // Down by the jump, and along the wall: its face is at -2.9, and the player 0.6 wide.
    let landed = end_of(&result, 2);
    assert_eq!(whose(&landed["ground"]), "floor");
    assert!((position(landed).y - 0.9).abs() < CLOSE, "{landed}");
    assert!((position(landed).z + 2.4).abs() < CLOSE, "{landed}");
    let along = end_of(&result, 3);
    assert_eq!(whose(&along["wall"]), "wall");
    assert!((position(along).z + 2.6).abs() < CLOSE, "{along}");
    let way = position(along).x - position(landed).x;
    assert!((way + 8.0).abs() < CLOSE, "a wall does not slow what goes along it: {way}");
    // Up the stairs, one after the other, always on foot.
    let stairs = moves(&result).iter().filter(|one| one["leg"] == 6);
    let mut grounds: Vec<&str> = stairs.map(|one| whose(&one["ground"])).collect();
    grounds.dedup();
    assert_eq!(grounds, ["low step", "middle step", "high step", "platform"]);
    // And down the ramp, without a hop.
    let down = || moves(&result).iter().filter(|one| one["leg"] == 7);
    assert!(down().all(|one| one["on_ground"] == true));
    assert!(down().any(|one| whose(&one["ground"]) == "ramp"));
    let end = end_of(&result, 7);
    assert!((position(end).y - 0.9).abs() < CLOSE && position(end).x < 0.0, "{end}");
    assert_eq!(result["end"], end["end"]);
}

/// The convex method knows nothing of traces. The zone keeps them apart, so touching is too near.
#[test]
fn the_player_is_never_inside_the_level() {
    let result = walk(&Folder::new("walk-outside"), &level());
    let scene = TraceScene::load(level().as_ref()).expect("a scene");
    let convex = |mesh: &chasles::Polyhedron| Convex::new(mesh.clone()).expect("it is convex");
    let player = convex(&scene.movers()[0].mesh);
    let mut workspace = Workspace::new();
    for fixed in scene.fixed() {
        let body = convex(&fixed.mesh);
        for one in moves(&result) {
            let turn = DQuat::from_array(numbers(&one["end"]["rotation"]));
            let pose = Pose::new(position(one), turn).expect("finite");
            let meets = first_point(&player, &body, [pose, fixed.pose], &mut workspace);
            assert!(meets.is_none(), "{} at {one}", fixed.name);
        }
    }
}

#[test]
fn the_moves_have_the_documented_fields() {
    let result = walk(&Folder::new("walk-fields"), &level());
    for one in moves(&result) {
        let keys: Vec<&String> = one.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["end", "ground", "leg", "on_ground", "wall"]);
        assert_eq!(one["on_ground"], !one["ground"].is_null(), "{one}");
        for contact in [&one["ground"], &one["wall"]].into_iter().filter(|c| !c.is_null()) {
            let keys: Vec<&String> = contact.as_object().expect("an object").keys().collect();
            assert_eq!(keys, ["distance", "kind", "moving", "normal", "point", "tag", "world"]);
        }
    }
    let legs: Vec<u64> = moves(&result).iter().filter_map(|one| one["leg"].as_u64()).collect();
    assert!(legs.is_sorted() && legs.len() == moves(&result).len());
}

#[test]
fn a_fall_and_a_jump_are_parabolas() {
    let folder = Folder::new("walk-fall");
    let legs = "walk = { step = 0.2, gravity = 0.01, legs = [{ translate = [4, 0, 0], moves = 20 }, \
                { translate = [0, 0, 6], moves = 60, jump = 0.2 }] }";
    let result = of_text(&folder, &player("", 1.5, legs));
    // The feet begin 1 above the floor, and fall by 0.01 n (n + 1) / 2.
    for (one, n) in moves(&result).iter().zip(1..=20) {
        let n = f64::from(n);
        let height = (1.5 - 0.005 * n * (n + 1.0)).max(0.5);
        assert!((position(one) - DVec3::new(0.2 * n, height, 0.0)).length() < CLOSE, "{n}: {one}");
        assert_eq!(one["on_ground"], height == 0.5, "{n}: {one}");
    }
    for (one, n) in moves(&result)[20..].iter().zip(1..=60) {
        let n = f64::from(n);
        let height = 0.5 + (0.2 * n - 0.005 * n * (n - 1.0)).max(0.0);
        assert!((position(one) - DVec3::new(4.0, height, 0.1 * n)).length() < CLOSE, "{n}: {one}");
    }
}

#[test]
fn who_is_in_the_air_cannot_jump_and_a_ceiling_ends_a_jump() {
    let folder = Folder::new("walk-air");
    let legs = "walk = { step = 0.2, gravity = 0.01, legs = [{ translate = [0, 0, 0], moves = 5, jump = 3 }] }";
    let heights =
        |result: &Value| -> Vec<f64> { moves(result).iter().map(|one| position(one).y).collect() };
    let falls = heights(&of_text(&folder, &player("", 9.5, legs)));
    assert!(falls[0] < 9.5 && falls.is_sorted_by(|p, q| p > q), "{falls:?}");
    // A slab 0.25 above the head. The first move ends on the floor, and the second leg jumps.
    let slab = "[[body]]\nname = 'slab'\nshape = { box = { size = [4, 0.5, 4] } }\nstart = { position = [0, 1.5, 0] }";
    let legs = "walk = { step = 0.2, gravity = 0.01, legs = [{ translate = [0, 0, 0], moves = 1 }, \
                { translate = [0, 0, 0], moves = 4, jump = 0.2 }] }";
    let result = of_text(&folder, &player(slab, 0.501, legs));
    // Free, it would rise by 0.2, 0.19 and 0.18. The slab leaves 0.05 to the second move, so the
    // third wants 0.04 and gets nothing, and the fourth falls.
    for (height, expected) in heights(&result).iter().zip([0.5, 0.7, 0.75, 0.75, 0.74]) {
        assert!((height - expected).abs() < CLOSE, "{result}");
    }
    assert_eq!(whose(&moves(&result)[2]["wall"]), "slab");
}

#[test]
fn an_edge_is_fallen_from_and_a_step_is_not() {
    let folder = Folder::new("walk-edge");
    let legs =
        "walk = { step = 0.3, gravity = 0.01, legs = [{ translate = [3, 0, 0], moves = 15 }] }";
    let block = |height: f64| {
        format!(
            "[[body]]\nname = 'block'\nshape = {{ box = {{ size = [2, {height}, 2] }} }}\n\
             start = {{ position = [0, {}, 0] }}",
            height / 2.0
        )
    };
    let run = |height: f64| of_text(&folder, &player(&block(height), height + 0.5 + 1e-12, legs));
    assert!(moves(&run(0.25)).iter().all(|one| one["on_ground"] == true));
    let high = run(2.0);
    let air: Vec<&Value> = moves(&high).iter().filter(|one| one["on_ground"] == false).collect();
    assert!(!air.is_empty());
    // The move over the edge is level, and the next one falls by the gravity.
    for (one, n) in air.iter().zip(0..) {
        let expected = 2.5 - 0.005 * f64::from(n) * (f64::from(n) + 1.0);
        assert!((position(one).y - expected).abs() < CLOSE, "{n}: {one}");
    }
}

/// A point goes up a ramp until it ends: it does not go on upwards, as it did not jump.
#[test]
fn a_ramp_does_not_throw() {
    let folder = Folder::new("walk-throw");
    folder.write("point.obj", "v 0 0 0\np 1\n");
    let ramp = "[[body]]\nname = 'ramp'\nshape = { box = { size = [4, 2, 4] } }\n\
                start = { position = [3, 0, 0], rotation = { axis = [0, 0, 1], degrees = 30 } }";
    let walk =
        "walk = { step = 0.01, gravity = 0.001, legs = [{ translate = [6, 0, 0], moves = 60 }] }";
    let text = player(ramp, 1e-3, walk).replace("shape = { box = {} }", "mesh = 'point.obj'");
    let result = of_text(&folder, &text);
    let off = moves(&result)
        .windows(3)
        .find(|three| whose(&three[0]["ground"]) == "ramp" && three[1]["on_ground"] == false);
    let [before, first, second] = off.expect("it leaves the ramp") else { panic!("three moves") };
    let rise = position(first).y - position(before).y;
    assert!(rise > 0.01, "it leaves while it rises: {rise}");
    let fall = position(first).y - position(second).y;
    assert!((fall - 0.001).abs() < CLOSE, "{fall}");
}

#[test]
fn steep_slopes_are_walls_and_up_may_be_any_direction() {
    let folder = Folder::new("walk-slope");
    let ramp = "[[body]]\nname = 'ramp'\nshape = { box = { size = [8, 4, 8] } }\n\
                start = { position = [7, 0, 0], rotation = { axis = [0, 0, 1], degrees = 30 } }";
    let walk = |slope: &str| {
        format!(
            "walk = {{ step = 0.1, {slope} gravity = 0.01, legs = [{{ translate = [5, 0, 0], moves = 50 }}] }}"
        )
    };
    let height = |slope: &str| {
        position(moves(&of_text(&folder, &player(ramp, 0.51, &walk(slope)))).last().expect("moves"))
            .y
    };
    assert!(height("") > 1.0, "45 degrees by default");
    assert!(height("slope = 31, ") > 1.0);
    assert!(height("slope = 29, ") < 0.7);
    // With z for up there is no floor to stand on, and the player falls along z, level with it.
    let along = "walk = { step = 0.1, gravity = 0.5, up = [0, 0, 3], legs = [{ translate = [0, 0, 0], moves = 2 }] }";
    let end = position(&moves(&of_text(&folder, &player("", 0.6, along)))[1]);
    assert!((end - DVec3::new(0.0, 0.6, -1.5)).length() < CLOSE, "{end}");
}

#[test]
fn a_walk_that_starts_in_the_world_has_no_moves() {
    let folder = Folder::new("walk-solid");
    let legs = "walk = { step = 0.3, gravity = 0, legs = [{ translate = [3, 0, 0], moves = 15 }] }";
    let result = of_text(&folder, &player("", 0.2, legs));
    assert_eq!((&result["started_solid"], &result["fraction"]), (&true.into(), &0.0.into()));
    assert!(moves(&result).is_empty());
    assert_eq!(numbers(&result["end"]["position"]), [0.0, 0.2, 0.0]);
    let run = folder.run(&["trace", "scene.toml", "--picture", "a.png"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("starts in the world (it crosses face"), "{}", run.out);
}

#[test]
fn several_bodies_may_walk() {
    let folder = Folder::new("walk-several");
    let legs =
        "walk = { step = 0.3, gravity = 0, legs = [{ translate = [3, 0, 0], moves = 15 }] }\n";
    let one = player("", 0.6, legs);
    let body = &one[one.rfind("[[body]]").expect("a player")..];
    let result = of_text(&folder, &(one.clone() + &body.replace("'player'", "'other'")));
    let traces = result["traces"].as_array().expect("a list");
    assert_eq!(traces.len(), 2);
    assert_eq!(traces[0]["moves"], traces[1]["moves"]);
    let out = folder.run(&["trace", "scene.toml"]).out;
    for phrase in ["other   walks 15 moves, 0 of them on the ground", "0 stopped, 2 walked, 0 free"]
    {
        assert!(out.contains(phrase), "{phrase:?} is not in\n{out}");
    }
}

/// The block in docs/trace.md, but for the time.
#[test]
fn the_lines_of_the_notes_are_printed() {
    let out = Folder::new("walk-lines").run(&["trace", &level()]).out;
    let page = fs::read_to_string(root().join("docs/trace.md")).expect("the page exists");
    let block = page.split("```text\n").find(|block| block.starts_with("A player"));
    let block = block.and_then(|block| block.split("```").next()).expect("the page shows lines");
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.contains("took ")).map(String::from).collect()
    };
    assert_eq!(lines(block), lines(&out));
}

#[test]
fn a_picture_shows_the_legs() {
    let folder = Folder::new("walk-picture");
    let draw = |name: &str| {
        let run = folder.run(&["trace", &level(), "--picture", name, "--quiet"]);
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        fs::read_to_string(folder.path().join(name)).expect("a picture")
    };
    let svg = draw("a.svg");
    assert!(svg.contains("246 moves; faint: the start and the ends of legs"), "{svg:.300}");
    assert_eq!(svg, draw("b.svg"));
}

/// Keys of the player from line 11 on, the place as `line:column`, and a phrase of the message.
const WRONG: [(&str, &str, &str); 19] = [
    ("walk = {}", "11:8", "missing key `step`"),
    ("walk = { step = 1, legs = [] }", "11:8", "missing key `gravity`"),
    ("walk = { step = 1, gravity = 0 }", "11:8", "missing key `legs`"),
    ("walk = { step = 1, gravity = 0, legs = [], dt = 1 }", "11:44", "unknown key `dt`"),
    ("walk = { step = 1, gravity = 0, legs = [] }", "11:40", "the walk has no legs"),
    ("walk = { step = -1, gravity = 0, legs = [] }", "11:17", "`step` is -1, which is negative"),
    ("walk = { step = nan, gravity = 0, legs = [] }", "11:17", "`body[1].walk.step` is nan"),
    ("walk = { step = 1, gravity = -0.5, legs = [] }", "11:30", "`gravity` is -0.5, which is neg"),
    ("walk = { step = 1, gravity = 0, slope = 91, legs = [] }", "11:41", "cannot be 91 degrees"),
    ("walk = { step = 1, gravity = 0, slope = -1, legs = [] }", "11:41", "cannot be -1 degrees"),
    ("walk = { step = 1, gravity = 0, up = [0, 0, 0], legs = [] }", "11:38", "no direction"),
    ("LEGS [{ translate = [1, 0, 0], moves = 0 }] }", "11:74", "a leg of 0 moves"),
    (
        "LEGS [{ translate = [1, 0, 0], moves = 65536 }, { translate = [1, 0, 0], moves = 1 }] }",
        "11:116",
        "a leg of 1 moves",
    ),
    ("LEGS [{ translate = [1, 0.5, 0], moves = 2 }] }", "11:55", "leads along `up` by 0.5"),
    ("LEGS [{ translate = [1, 0], moves = 2 }] }", "11:55", "invalid length 2, expected a vector"),
    ("LEGS [{ moves = 2 }] }", "11:41", "missing key `translate`"),
    ("LEGS [{ translate = [1, 0, 0], moves = 2, jump = -1 }] }", "11:84", "`jump` is -1, which"),
    (
        "translate = [1, 0, 0]\nLEGS [{ translate = [1, 0, 0], moves = 2 }] }",
        "11:13",
        "has both `walk` and `translate`",
    ),
    (
        "portions = 3\nLEGS [{ translate = [1, 0, 0], moves = 2 }] }",
        "11:12",
        "has both `walk` and `portions`",
    ),
];

#[test]
fn wrong_walks_are_refused_with_their_place_and_advice() {
    let folder = Folder::new("walk-wrong");
    let legs = "walk = { step = 1, gravity = 0, legs =";
    for (keys, place, phrase) in WRONG {
        let text = player("", 0.6, &keys.replace("LEGS", legs));
        folder.write("bad.toml", &text);
        let run = folder.run(&["trace", "bad.toml", "--json", "out.json", "--picture", "out.png"]);
        assert_eq!(run.status, 2, "{text}\n{}", run.err);
        assert!(run.err.contains(phrase), "{phrase:?} is not said of\n{text}\n{}", run.err);
        let place = format!("bad.toml:{place}]");
        assert!(run.err.contains(&place), "{place:?} is not named for\n{text}\n{}", run.err);
        assert!(run.err.contains("help:"), "{}", run.err);
        assert_eq!(folder.names(), ["bad.toml"]);
    }
}

#[test]
fn bodies_of_the_world_do_not_walk_nor_do_those_of_collide() {
    let folder = Folder::new("walk-others");
    let walk = "walk = { step = 1, gravity = 0, legs = [{ translate = [1, 0, 0], moves = 2 }] }";
    let still = player("", 0.6, walk)
        .replace("box = { size = [40, 2, 40] } }", &format!("box = {{}} }}\n{walk}"));
    folder.write("still.toml", still);
    let run = folder.run(&["trace", "still.toml"]);
    assert!(
        run.status == 2 && run.err.contains("has `walk`, but not `moving = true`"),
        "{}",
        run.err
    );
    folder.write("collide.toml", player("", 0.6, walk).replace("moving = true\n", ""));
    let run = folder.run(&["collide", "collide.toml"]);
    assert!(run.status == 2 && run.err.contains("has `walk`, which belongs to"), "{}", run.err);
}

#[test]
fn a_fall_out_of_the_numbers_is_an_error() {
    let folder = Folder::new("walk-far");
    let walk = "walk = { step = 1, gravity = 1e100, up = [0, -1, 0], legs = [{ translate = [1, 0, 0], moves = 3 }] }";
    folder.write("far.toml", player("", 0.6, walk));
    let run = folder.run(&["trace", "far.toml"]);
    assert_eq!(run.status, 2, "{}", run.out);
    assert!(run.err.contains("far.toml, player:") && run.err.contains("help:"), "{}", run.err);
}
