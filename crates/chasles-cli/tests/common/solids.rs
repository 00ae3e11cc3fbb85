//! What falls on solids, and what they are made of; what is said of wrong ones.

use super::Folder;

/// A unit cube that falls by 4 from a height of 2.5; its lowest corners start at 2.
pub(crate) const CUBE: &str = "\
[[body]]
name = \"cube\"
shape = { box = {} }
start = { position = [0, 2.5, 0] }
end = { position = [0, -1.5, 0] }
";

/// A box from -1.5 to 1.5.
pub(crate) const CUBE_OBJ: &str = "\
v -1.5 -1.5 -1.5\nv 1.5 -1.5 -1.5\nv 1.5 1.5 -1.5\nv -1.5 1.5 -1.5
v -1.5 -1.5 1.5\nv 1.5 -1.5 1.5\nv 1.5 1.5 1.5\nv -1.5 1.5 1.5
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4
";

/// The option that asks for the path method.
pub(crate) const PATH: [&str; 2] = ["--method", "path"];

/// Runs a scene that is wrong, and returns what is said. Nothing is left behind.
pub(crate) fn refusal(folder: &Folder, scene: &str, more: &[&str]) -> String {
    folder.write("bad.toml", scene);
    let before = folder.names();
    let arguments = ["collide", "bad.toml", "--json", "out.json", "--picture", "out.png"];
    let run = folder.run(&[&arguments, more].concat());
    assert_eq!(run.status, 2, "{scene}\n{}", run.err);
    assert!(run.err.contains("help:") || run.err.contains("try '--help'"), "{}", run.err);
    assert!(run.out.is_empty(), "{}", run.out);
    assert_eq!(folder.names(), before, "a file is left behind by\n{scene}");
    run.err
}
