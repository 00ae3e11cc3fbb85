//! Every wrong scene is refused with its file, its line and what is wrong.

mod common;

use common::Folder;

/// A body without motion; its two lines come first in most scenes below.
const BOX: &str = "[[body]]\nshape = { box = { size = [1, 1, 1] } }\n";

/// What follows [`BOX`], the place as `line:column`, and a phrase of the message.
const AFTER_A_BOX: [(&str, &str, &str); 34] = [
    ("solid = 'x'", "3:9", "invalid type: string \"x\", expected a table of keys in braces"),
    ("copies = 2", "3:10", "has `copies`, which belongs to a scene for `chasles simulate`"),
    ("scale = 123456789012345678901234567890", "3:9", "which is too long for a whole number"),
    (
        "end = { rotation = { axis = [0, 0, 1], degrees = 1e6 } }",
        "3:20",
        "`end` turns by 1000000 degrees from `start`; at most 368640, 1024 turns, are allowed",
    ),
    ("colour = 3", "3:1", "unknown key `colour`, expected one of `name`, `mesh`"),
    ("name = 3", "3:8", "invalid type: integer `3`, expected a string"),
    ("name = ''", "3:8", "the name of a body is empty"),
    ("name = 'body-1'\n[[body]]", "4:1", "the name \"body-1\" is used by two bodies"),
    ("mesh = 'a.obj'", "2:9", "has both `mesh` and `shape`"),
    ("scale = 0", "3:9", "the scale 0 is not a positive number"),
    ("scale = -1.5", "3:9", "the scale -1.5 is not a positive number"),
    ("scale = 'big'", "3:9", "expected a number"),
    ("scale = 1\nscale = 2", "4:1", "duplicate key"),
    ("scale = 1e101", "3:9", "`body[0].scale` is 1e101, which is too large"),
    ("start = { position = [0, nan, 0] }", "3:26", "`body[0].start.position[1]` is nan"),
    ("start = { position = [0, 0, -inf] }", "3:29", "is -inf, which is not finite"),
    ("start = { position = [0, 0, 1e999] }", "3:29", "is 1e999, which is not finite"),
    ("start = { position = [0, 0] }", "3:22", "invalid length 2, expected a vector [x, y, z]"),
    ("start = { position = [0, 0, 0, 0] }", "3:22", "invalid length 4, expected a vector"),
    ("start = { position = 5 }", "3:22", "invalid type: integer `5`, expected a vector"),
    ("start = { place = [0, 0, 0] }", "3:11", "unknown key `place`"),
    ("start = { rotation = [0, 0, 0, 0] }", "3:22", "has no length, so it is no rotation"),
    ("start = { rotation = [0, 0, 1] }", "3:22", "expected a quaternion [x, y, z, w]"),
    ("start = { rotation = true }", "3:22", "expected a quaternion [x, y, z, w] or { axis"),
    ("end = { rotation = { axis = [0, 0, 0], degrees = 9 } }", "3:20", "the axis [0.0, 0.0, 0.0]"),
    ("end = { rotation = { axis = [0, 0, 1] } }", "3:20", "missing key `degrees`"),
    ("end = { rotation = { axis = [0, 1], degrees = 9 } }", "3:29", "invalid length 2"),
    ("end = { rotation = { axis = [0, 0, 1], radians = 9 } }", "3:40", "unknown key `radians`"),
    ("end = {}\ntwist = {}", "4:9", "has both `end` and `twist`"),
    ("twist = { angular = [0, 0, inf] }", "3:28", "which is not finite"),
    ("twist = { angular = [0, 0, 1e9] }", "3:9", "turns by 1000000000 radians in one step"),
    ("twist = { angular = [0, 0, 1], about = [0, 0, 0] }", "3:32", "unknown key `about`"),
    (
        "twist = { angular = [0, 0, 1e60], point = [1e60, 0, 0] }",
        "3:9",
        "the linear velocity has a coordinate beyond 1e100",
    ),
    ("[body.weight]\nvalue = 1", "3:7", "unknown key `weight`"),
];

/// Whole scenes, the place and a phrase.
const WHOLE: [(&str, &str, &str); 25] = [
    ("", "1:1", "the scene has no bodies"),
    ("title = 'empty'\nbody = []", "1:1", "the scene has no bodies"),
    ("title = 7", "1:9", "invalid type: integer `7`, expected a string"),
    ("titel = 'a'", "1:1", "unknown key `titel`, expected one of `title`, `body`, `world`"),
    ("[body]\nname = 'a'", "1:1", "this is one table, but must be a list of tables"),
    ("[[body]\nname = 'a'", "1:8", "unclosed array table"),
    ("title = 'a", "1:11", "literal string"),
    ("[[body]]", "1:1", "the body \"body-0\" has neither `mesh` nor `shape`"),
    ("[[body]]\nname = 'x'", "1:1", "the body \"x\" has neither"),
    ("[[body]]\nmesh = 'none.obj'", "2:8", "cannot use the mesh none.obj"),
    ("[[body]]\nmesh = 'broken.obj'", "2:8", "broken.obj: line 2"),
    ("[[body]]\nmesh = 'nowhere.obj'", "2:8", "nowhere.obj: line 4: vertex 9 does not exist"),
    ("[[body]]\nmesh = ['a.obj']", "2:8", "expected a file name in quotes"),
    ("[[body]]\nmesh = 'far.obj'\nscale = 1e60", "2:8", "vertex 0 is at"),
    ("[[body]]\nshape = { bxo = {} }", "2:11", "unknown shape `bxo`, expected one of `box`"),
    ("[[body]]\nshape = 'box'", "2:9", "the shape lacks its measures"),
    ("[[body]]\nshape = { box = {}, torus = {} }", "2:9", "a body has one shape, not several"),
    ("[[body]]\nshape = { box = { sides = 1 } }", "2:19", "unknown key `sides`, expected `size`"),
    (
        "[[body]]\nshape = { box = { size = [1, 1, 1, 1] } }",
        "2:26",
        "`size` has 4 numbers, but takes 3",
    ),
    ("[[body]]\nshape = { plane.size = [1, 1, 1] }", "2:24", "`size` has 3 numbers, but takes 2"),
    ("[[body]]\nshape = {}", "2:9", "the shape lacks its name"),
    ("[[body]]\nshape = { prism = { sides = -3 } }", "2:29", "expected a positive whole number"),
    ("[[body]]\nshape = { box = { size = [1e61, 1, 1] } }", "2:9", "`size[0]` is 1e61, but"),
    ("[[body]]\nshape = { gear = { teeth = 4000000000 } }", "2:9", "use fewer teeth"),
    ("[[body]]\nshape = { box = { size = [1, 0, 1] } }", "2:9", "the shape cannot be built"),
];

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("broken.obj", "v 0 0 0\nv 1 x 0\n");
    folder.write("nowhere.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 9 2 3\n");
    folder.write("far.obj", "v 1e60 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder
}

fn refuses(folder: &Folder, scene: &str, place: &str, phrase: &str) {
    folder.write("bad.toml", scene);
    let run = folder.run(&["collide", "bad.toml", "--json", "out.json"]);
    assert_eq!(run.status, 2, "{scene}\n{}", run.err);
    assert!(run.err.contains(phrase), "{phrase:?} is not said of\n{scene}\n{}", run.err);
    let place = format!("bad.toml:{place}]");
    assert!(run.err.contains(&place), "{place:?} is not named for\n{scene}\n{}", run.err);
    assert!(run.out.is_empty(), "{}", run.out);
    let left = ["bad.toml", "broken.obj", "far.obj", "nowhere.obj"];
    assert_eq!(folder.names(), left, "a file is left behind by\n{scene}");
}

#[test]
fn wrong_keys_of_a_body_are_named_with_their_place() {
    let folder = folder("wrong-keys");
    for (rest, place, phrase) in AFTER_A_BOX {
        refuses(&folder, &format!("{BOX}{rest}\n"), place, phrase);
    }
}

#[test]
fn wrong_scenes_are_named_with_their_place() {
    let folder = folder("wrong-scenes");
    for (scene, place, phrase) in WHOLE {
        refuses(&folder, scene, place, phrase);
    }
}

#[test]
fn places_count_from_the_start_of_the_file() {
    let scene = format!("# one\n\n{BOX}\n{BOX}scale = nan\n");
    refuses(&folder("places"), &scene, "8:9", "`body[1].scale` is nan");
}

#[test]
fn every_error_says_what_would_be_right() {
    let folder = folder("advice");
    let tables = AFTER_A_BOX.iter().map(|(rest, _, _)| format!("{BOX}{rest}\n"));
    for scene in tables.chain(WHOLE.iter().map(|(scene, _, _)| scene.to_string())) {
        folder.write("bad.toml", &scene);
        let err = folder.run(&["collide", "bad.toml"]).err;
        assert!(err.contains("help:"), "{scene}\n{err}");
    }
}

/// The file is of the right kind, so no other kind is recommended.
#[test]
fn the_help_for_a_broken_mesh_fits_what_is_wrong() {
    let folder = folder("mesh-advice");
    folder.write("empty.stl", "");
    for (mesh, help) in [
        ("broken.obj", "mend that line"),
        ("nowhere.obj", "mend that line"),
        ("empty.stl", "export the mesh again"),
        ("none.obj", "name an OBJ, STL, PLY, OFF or glTF/GLB file"),
        ("bad.toml", "name an OBJ, STL, PLY, OFF or glTF/GLB file"),
    ] {
        folder.write("bad.toml", format!("[[body]]\nmesh = '{mesh}'\n"));
        for arguments in [["collide", "bad.toml"], ["inspect", mesh]] {
            let err = folder.run(&arguments).err;
            assert!(err.contains(help), "{help:?} is not in\n{err}");
        }
    }
}

/// A grid of 400 vertices as an OBJ file, one of them far away in x.
fn grid_with_stray(far: &str) -> String {
    let x = |i: u32| if i == 123 { far.to_string() } else { (i % 20).to_string() };
    let vertices = (0..400).map(|i| format!("v {} {} 0\n", x(i), i / 20));
    let squares = (0..399).filter(|i| i % 20 != 19 && i / 20 != 19);
    let faces = squares.map(|i| format!("f {} {} {} {}\n", i + 1, i + 2, i + 22, i + 21));
    vertices.chain(faces).collect()
}

#[test]
fn a_vertex_far_away_is_named_before_anything_is_computed() {
    let folder = folder("stray");
    for far in ["427411", "-1e20"] {
        folder.write("grid.obj", grid_with_stray(far));
        folder.write("stray.toml", "[[body]]\nmesh = 'grid.obj'\n[[body]]\nmesh = 'grid.obj'\n");
        for command in ["collide", "simulate"] {
            let run = folder.run(&[command, "stray.toml"]);
            assert_eq!(run.status, 2);
            assert!(run.err.contains("vertex 123 is at"), "{}", run.err);
            assert!(run.err.contains("help: mend the "), "{}", run.err);
        }
        // Beside 1e20 all of the grid is rounding, and there is nothing to inspect.
        let run = folder.run(&["inspect", "grid.obj"]);
        assert_eq!(run.status, if far == "427411" { 0 } else { 2 });
        assert_eq!(run.err.contains("vertex 123 is at"), run.status == 2, "{}", run.err);
    }
}

#[test]
fn files_that_are_no_scenes_are_named() {
    let folder = folder("no-scenes");
    folder.write("bytes.toml", b"title = 'a'\n# \xff\n");
    for (file, phrase) in [
        ("none.toml", "cannot read the scene none.toml"),
        (".", "cannot read the scene ."),
        ("bytes.toml", "the scene bytes.toml is not UTF-8 text: line 2"),
    ] {
        let run = folder.run(&["collide", file]);
        assert_eq!(run.status, 2);
        assert!(run.err.contains(phrase), "{}", run.err);
    }
}
