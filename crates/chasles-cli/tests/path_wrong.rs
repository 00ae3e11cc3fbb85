//! `collide --method path`: what is said of solids and options that are wrong.

mod common;

use std::fs;

use common::Folder;
use common::solids::{CUBE, CUBE_OBJ, PATH, refusal};

/// Scenes, the place, and a phrase.
const WRONG: [(&str, &str, &str); 24] = [
    ("solid = {}", "2:9", "the solid lacks its name"),
    ("solid = { spehre = {} }", "2:11", "unknown key `spehre`, expected one of `sphere`, `box`"),
    ("solid = { sphere = { size = 1 } }", "2:22", "unknown key `size`, expected `radius` or"),
    ("solid = { sphere = {}, box = {} }", "2:30", "the solid has both `sphere` and `box`"),
    ("solid = { sphere = {}, bounds = [[0, 0, 0], [1, 1, 1]] }", "2:33", "belongs to `expression`"),
    ("solid = { sphere = { radius = -1 } }", "2:20", "the radius of the sphere is -1"),
    ("solid = { box = { size = [1, 1, 1, 1] } }", "2:26", "invalid length 4, expected a vector"),
    ("solid = { union = [] }", "2:19", "the solid is empty"),
    ("solid = { union = [{ sphere = {} }, { shpere = {} }] }", "2:39", "unknown key `shpere`"),
    ("solid = { difference = { from = { box = {} } } }", "2:24", "missing key `minus`"),
    ("solid = { offset = { solid = { box = {} }, by = -2 } }", "2:20", "the solid is empty"),
    ("solid = { transformed = { solid = { box = {} }, scale = 0 } }", "2:25", "scale"),
    (
        "solid = { intersection = [{ sphere = {} }, { sphere = { center = [9, 0, 0] } }] }",
        "2:26",
        "the solid is empty",
    ),
    (
        "solid = { heights = { rows = [[1, 2], [3]], floor = 0 } }",
        "2:39",
        "this row has 1 heights, and the first has 2",
    ),
    ("solid = { mesh = 'none.obj' }", "2:18", "cannot use the mesh none.obj"),
    ("solid = { sphere = {} }\nshape = { box = {} }", "2:9", "has both `shape` and `solid`"),
    ("sdf = 'none.sdf'", "2:7", "cannot read the distance field none.sdf"),
    ("sdf = 'short.sdf'", "2:7", "the file has 200 bytes; with the counts in its header"),
    ("sdf = 'cube.obj'", "2:7", "a distance field begins with \"ChaslSdf\""),
    ("sdf = { mesh = 'cube.obj', cells = 0 }", "2:7", "a field of 0 cells"),
    ("sdf = 7", "2:7", "expected a file name in quotes or { mesh"),
    ("expression = 'y'\nself_collision = true", "3:18", "cannot collide with itself"),
    ("shape = { box = {} }\nbounds = [[0, 0, 0], [1, 1, 1]]", "3:10", "belongs to `expression`"),
    ("solid = { sphere = { radius = nan } }", "2:31", "which is not finite"),
];

#[test]
fn wrong_solids_are_named_with_their_place() {
    let folder = Folder::new("path-wrong");
    folder.write("cube.obj", CUBE_OBJ);
    assert_eq!(folder.run(&["field", "cube.obj", "--output", "short.sdf", "--quiet"]).status, 0);
    let whole = fs::read(folder.path().join("short.sdf")).expect("just written");
    folder.write("short.sdf", &whole[..200]);
    for (solid, place, phrase) in WRONG {
        let err = refusal(&folder, &format!("[[body]]\n{solid}\n\n{CUBE}"), &PATH);
        assert!(err.contains(phrase), "{phrase:?} is not said of\n{solid}\n{err}");
        assert!(err.contains(&format!("bad.toml:{place}]")), "{place} of\n{solid}\n{err}");
    }
}

/// The place of the character in the file, and what is said there.
#[test]
fn errors_of_formulas_point_at_the_character() {
    let folder = Folder::new("path-formulas");
    for (line, place, phrase) in [
        ("expression = \"x + sine(y)\"", "2:19", "column 5: \"sine\" is not known"),
        ("expression = 'x^2 + (y'", "2:23", "found the end"),
        ("solid = { union = [{ expression = \"x ** 2\" }] }", "2:39", "found '*'"),
        ("expression = \"\"\"\nx + 1\n+ µ\"\"\"", "4:3", "line 2, column 3"),
        ("expression = \"x \\u0024 y\"", "2:14", "column 3"),
        ("expression = ''", "2:14", "found the end"),
        ("expression = \"0/0\"", "2:14", "not a number anywhere"),
        ("expression = \"x^2 + 1\"\nbounds = [[-1, -1, -1], [1, 1, 1]]", "2:14", "empty"),
        ("expression = \"x\"\nbounds = [[1, 1, 1], [0, 0, 0]]", "3:10", "bounds"),
    ] {
        let err = refusal(&folder, &format!("[[body]]\n{line}\n\n{CUBE}"), &PATH);
        assert!(err.contains(phrase), "{phrase:?} is not said of\n{line}\n{err}");
        assert!(err.contains(&format!("bad.toml:{place}]")), "{place} of\n{line}\n{err}");
    }
}

#[test]
fn solids_that_cannot_be_asked_are_refused() {
    let folder = Folder::new("path-refused");
    let body = |line: &str| format!("[[body]]\nname = 'a'\n{line}\n\n{CUBE}");
    let ring = body("solid = { torus = {} }");
    for (method, what) in [("exact", "neither a mesh nor round"), ("screen", "no mesh")] {
        let err = refusal(&folder, &ring, &["--method", method]);
        let said = format!("one of these is {what}");
        assert!(err.contains(&said) && err.contains("--method path"), "{err}");
        assert!(err.contains("bad.toml, a and cube"), "{err}");
    }
    let err = refusal(
        &folder,
        "[[body]]\nsolid = { box = {} }\n[[body]]\nsdf = { mesh = 'c.obj' }",
        &PATH,
    );
    assert!(err.contains("cannot use the mesh c.obj"), "{err}");
    let two = "[[body]]\nsolid = { half_space = {} }\n[[body]]\nexpression = 'y - 2'\n";
    folder.write("two.toml", two);
    let run = folder.run(&["collide", "two.toml", "--method", "path"]);
    let err = run.err;
    assert!(run.status == 2 && err.contains("neither of these has points to follow"), "{err}");
    assert!(err.contains("`mesh`"), "{err}");
    // Where the cube starts the root has no value.
    let nowhere = "expression = 'length(x - 3, y, z) - 1 + 0 * sqrt(1.5 - y)'";
    let nowhere = body(&format!("{nowhere}\nbounds = [[-9, -9, -9], [9, 9, 9]]"));
    let err = refusal(&folder, &nowhere, &PATH);
    assert!(err.contains("is not a number"), "{err}");
    let alone = "[[body]]\nsolid = { half_space = {} }\n";
    assert!(refusal(&folder, alone, &PATH).contains("the solid has no end"));
    let sheet = body("solid = { mesh = 'sheet.obj' }");
    folder.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    assert!(refusal(&folder, &sheet, &PATH).contains("cannot draw the body \"a\""));
}

/// Other commands and other bodies.
#[test]
fn solids_are_for_collide_and_rigid_bodies() {
    let folder = Folder::new("path-others");
    folder.write("cube.obj", CUBE_OBJ);
    let moving = "[[body]]\nshape = { box = {} }\nmoving = true\ntranslate = [0, -1, 0]\n";
    for (key, line) in [
        ("solid", "solid = { sphere = {} }"),
        ("sdf", "sdf = { mesh = 'cube.obj' }"),
        ("expression", "expression = 'x'"),
        ("flight", "shape = { box = {} }\nflight = {}"),
    ] {
        folder.write("trace.toml", format!("{moving}[[body]]\n{line}\n"));
        let run = folder.run(&["trace", "trace.toml"]);
        let phrase = format!("has `{key}`, which belongs to a scene for `chasles collide`");
        assert!(run.status == 2 && run.err.contains(&phrase), "{}", run.err);
    }
    folder.write("trace.toml", format!("{moving}[[body]]\nsolid = {{ sphere = {{}} }}\n"));
    let run = folder.run(&["trace", "trace.toml"]);
    assert!(run.err.contains("give the body a `mesh` or a `shape`"), "{}", run.err);
    let frames = "[[body]]\nframes = ['cube.obj', 'cube.obj']\n";
    let solid = "[[body]]\nsolid = { sphere = {} }\n";
    let err = refusal(&folder, &format!("{frames}{solid}"), &PATH);
    assert!(err.contains("the path method takes rigid bodies only"), "{err}");
    let err = refusal(&folder, &format!("{frames}{solid}"), &[]);
    assert!(err.contains("one of these has frames, and the other is no mesh"), "{err}");
}

#[test]
fn options_of_other_methods_are_refused() {
    let folder = Folder::new("path-other-options");
    let err = refusal(&folder, CUBE, &["--precision", "1e-3"]);
    assert!(err.contains("--precision is an option of the path method, and the method is exact"));
    let err = refusal(&folder, CUBE, &["--method", "screen", "--segments"]);
    assert!(err.contains("--segments is an option of the path method"), "{err}");
    let err = refusal(&folder, CUBE, &["--method", "path", "--pixels", "3"]);
    assert!(err.contains("--pixels is an option of the screen, and the method is path"), "{err}");
    for (option, value) in
        [("--precision", "0"), ("--precision", "nan"), ("--precision", "inf"), ("--cover", "-1")]
    {
        let err = refusal(&folder, CUBE, &["--method", "path", option, value]);
        assert!(err.contains("must be a finite number above 0") && err.contains(option), "{err}");
    }
    let scene = format!("{CUBE}\n[[body]]\nshape = {{ box = {{}} }}\n");
    // 7 million samples for each cube: each could be sampled, but not both.
    let err = refusal(&folder, &scene, &["--method", "path", "--cover", "7.6e-4"]);
    assert!(err.contains("bad.toml: the bodies need") && err.contains("larger --cover"), "{err}");
    let err = refusal(&folder, &scene, &["--method", "path", "--cover", "1e-6"]);
    assert!(
        err.contains("the body \"cube\" cannot be sampled") && err.contains("--cover"),
        "{err}"
    );
}

/// A pipe may never end, and a sparse file has any size.
#[test]
fn only_files_of_the_size_of_a_field_are_read_as_one() {
    let folder = Folder::new("path-field-size");
    let large = fs::File::create(folder.path().join("large.sdf")).expect("may be written");
    large.set_len((1 << 30) + 145).expect("a hole");
    fs::create_dir(folder.path().join("folder.sdf")).expect("may be made");
    for (file, phrase) in [
        ("large.sdf", "it has 1073741969 bytes, more than 1073741968"),
        ("folder.sdf", "it is no regular file"),
        ("/dev/zero", "it is no regular file"),
    ] {
        let err = refusal(&folder, &format!("[[body]]\nsdf = '{file}'\n\n{CUBE}"), &PATH);
        assert!(err.contains(phrase), "{file}: {err}");
    }
}
