//! Scenes from standard input, and scenes in JSON: the same results, and errors with their places.

mod common;

use std::io::Write;
use std::process::Stdio;

use common::{CUBES, Folder, Run, command, root};
use serde_json::Value;

const JSON_CUBES: &str = r#"{
  "title": "Cubes",
  "body": [
    { "name": "a", "shape": { "box": { "size": [1, 1, 1] } }, "twist": null },
    {
      "name": "b",
      "shape": { "box": { "size": [1, 1, 1] } },
      "start": { "position": [3, 0.25, 2.5e-1] },
      "end": { "position": [0, 0.25, 0.25], "rotation": { "axis": [0, 0, 1], "degrees": 40 } }
    }
  ]
}
"#;

/// Runs the program in a folder, with a text as standard input.
fn with_input(folder: &Folder, arguments: &[&str], input: &str) -> Run {
    let mut command = command(arguments);
    command.current_dir(folder.path()).stdin(Stdio::piped());
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("the program reads");
    drop(stdin);
    Run::from(child.wait_with_output().expect("the program ends"))
}

#[test]
fn toml_and_json_are_read_from_standard_input_and_from_files_alike() {
    let folder = Folder::new("input-alike");
    folder.write("cubes.toml", CUBES);
    folder.write("cubes.json", JSON_CUBES);
    let arguments = |scene| ["collide", scene, "--json", "-"];
    let expected = folder.run(&arguments("cubes.toml"));
    assert_eq!(expected.status, 0, "{}", expected.err);
    assert_eq!(folder.run(&arguments("cubes.json")).out, expected.out);
    for input in [CUBES, JSON_CUBES, &format!("\n \t{JSON_CUBES}")] {
        let run = with_input(&folder, &arguments("-"), input);
        assert_eq!((run.status, run.out), (0, expected.out.clone()), "{}", run.err);
    }
}

#[test]
fn all_commands_read_scenes_from_standard_input() {
    let folder = Folder::new("input-commands");
    for (command, scene) in
        [("simulate", "simulate-cradle"), ("trace", "trace-corner"), ("compare", "cubes")]
    {
        let path = root().join(format!("scenes/{scene}.toml"));
        let text = std::fs::read_to_string(path).expect("a scene");
        let run = with_input(&folder, &[command, "-", "--json", "-"], &text);
        assert_eq!(run.status, 0, "{command}: {}", run.err);
        let result: Value = serde_json::from_str(&run.out).expect("one document");
        assert!(result.is_object(), "{command}");
    }
}

#[test]
fn meshes_of_standard_input_are_sought_in_the_current_folder() {
    let folder = Folder::new("input-meshes");
    folder.write("meshes/part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let input = "[[body]]\nmesh = \"meshes/part.obj\"\n";
    let run = with_input(&folder, &["collide", "-"], input);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.starts_with("standard input\n"), "{}", run.out);
}

#[test]
fn errors_name_the_line_and_the_column() {
    let folder = Folder::new("input-errors");
    let error = |input: &str| {
        let run = with_input(&folder, &["collide", "-"], input);
        assert_eq!(run.status, 2, "{}", run.out);
        run.err
    };
    let unknown = JSON_CUBES.replacen("\"start\":", "\"begin\":", 1);
    let message = error(&unknown);
    assert!(message.contains("begin") && message.contains("standard input:8:7"), "{message}");
    let message = error(&CUBES.replacen("start =", "begin =", 1));
    assert!(message.contains("begin") && message.contains("standard input:10:1"), "{message}");
    let message = error(&JSON_CUBES.replacen("\"b\",", "\"b\"", 1));
    assert!(message.contains("not JSON") && message.contains("standard input:7:7"), "{message}");
    let message = error(&JSON_CUBES.replacen("2.5e-1", "1e101", 1));
    assert!(message.contains("too large") && message.contains("standard input:8:40"), "{message}");
    let message = error(&JSON_CUBES.replacen("\"b\"", "\"a\"", 1));
    assert!(message.contains("two bodies") && message.contains("standard input:6:15"), "{message}");
    let message = error(&JSON_CUBES.replacen("2.5e-1", &"9".repeat(30), 1));
    assert!(message.contains("too long for a whole number"), "{message}");
    let message = error("{}");
    assert!(message.contains("{ \"body\": [ {") && !message.contains("[[body]]"), "{message}");
    folder.write("list.json", "[]");
    let run = folder.run(&["collide", "list.json"]);
    assert!(run.status == 2 && run.err.contains("not a JSON scene"), "{}", run.err);
}
