//! How far relative motions leave their screws: told in the table, the JSON and the page, and kept
//! below what is asked.

mod common;

use std::f64::consts::PI;

use common::Folder;
use serde_json::Value;

/// Two wheels that turn alike by half a radian on parallel axles 1.6 apart.
const WHEELS: &str = "[[body]]
name = 'left'
shape = { box = {} }
twist = { angular = [0, 0, 0.5] }
[[body]]
name = 'right'
shape = { box = {} }
start = { position = [1.6, 0, 0] }
twist = { angular = [0, 0, 0.5], point = [1.6, 0, 0] }
";

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    let run = folder.run(&[&["collide"], arguments, &["--json", "-"]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    serde_json::from_str(&run.out).expect("JSON")
}

fn departure(found: &Value) -> [f64; 2] {
    let departure = &found["pairs"][0]["departure"];
    ["estimate", "bound"].map(|key| departure[key].as_f64().expect("a number"))
}

#[test]
fn wheels_on_parallel_axles_are_said_to_depart() {
    let folder = Folder::new("departure-wheels");
    folder.write("wheels.toml", WHEELS);
    let [estimate, bound] = departure(&json(&folder, &["wheels.toml"]));
    assert!((estimate - 0.0497).abs() < 5e-5 && bound >= estimate && bound < 0.051);
    let run = folder.run(&["collide", "wheels.toml", "--report", "page.html"]);
    let words =
        ["smaller of left and right leave", "about 0.0497, at most 0.05", "--max-departure"];
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("a page");
    for word in words {
        assert!(run.out.contains(word), "{word:?} is not in {}", run.out);
        assert!(page.contains(word), "{word:?} is not on the page");
    }
    // Who has set a limit needs no advice to set one.
    let limited = folder.run(&["collide", "wheels.toml", "--max-departure", "0.03"]).out;
    assert!(limited.contains("departure: points of the smaller of left and right"), "{limited}");
    assert!(!limited.contains("--max-departure"), "{limited}");
    for (text, arguments) in [
        (WHEELS.to_string(), &["wheels.toml", "--max-departure", "0.001"][..]),
        (format!("max_departure = 0.001\n{WHEELS}"), &["wheels.toml"]),
        (format!("max_departure = 9\n{WHEELS}"), &["wheels.toml", "--max-departure", "0.001"]),
    ] {
        folder.write("wheels.toml", text);
        let found = json(&folder, arguments);
        let [_, bound] = departure(&found);
        assert!(bound <= 0.001, "{bound}");
        assert_eq!(found["max_departure"], 0.001);
        let parts = found["parts"].as_u64().expect("a number");
        assert!((6..12).contains(&parts) && found["pairs"][0]["parts"] == parts, "{parts}");
        let run = folder.run(&[&["collide"], arguments].concat());
        assert!(!run.out.contains("departure"), "{}", run.out);
    }
}

#[test]
fn screws_are_no_departure_and_what_cannot_be_reached_is_refused() {
    let folder = Folder::new("departure-none");
    folder.write("still.toml", WHEELS.replacen("twist = { angular = [0, 0, 0.5] }\n", "", 1));
    let found = json(&folder, &["still.toml"]);
    assert_eq!(departure(&found), [0.0, 0.0]);
    assert_eq!(found["pairs"][0]["parts"], 1);
    folder.write("wheels.toml", WHEELS);
    let run = folder.run(&["collide", "wheels.toml", "--max-departure", "1e-14"]);
    assert_eq!(run.status, 2, "{}", run.out);
    for phrase in ["wheels.toml, left and right", "4096 parts", "larger --max-departure"] {
        assert!(run.err.contains(phrase), "{phrase:?} is not in {}", run.err);
    }
    folder.write("bad.toml", format!("max_departure = -1\n{WHEELS}"));
    let run = folder.run(&["collide", "bad.toml"]);
    assert!(run.status == 2 && run.err.contains("bad.toml:1:17"), "{}", run.err);
}

/// The first contact of a plank that falls and spins, with the floor.
fn landing(folder: &Folder, arguments: &[&str]) -> f64 {
    let found = json(folder, &[&["plank.toml", "--first"], arguments].concat());
    found["pairs"][0]["contacts"][0]["time"].as_f64().expect("a time")
}

#[test]
fn a_spinning_falling_plank_lands_on_time() {
    let folder = Folder::new("departure-plank");
    let plank = "[[body]]
shape = { box = { size = [20, 2, 20] } }
start = { position = [0, -1, 0] }
[[body]]
shape = { box = { size = [2, 0.5, 0.5] } }
start = { position = [0.3, 3, 0] }
flight = { linear = [0, -4, 0], angular = [0, 0, 12.566370614359172] }
";
    folder.write("plank.toml", plank);
    // How low its corners are; they approach the floor at more than 1 a step.
    let low = |t: f64| {
        let (sin, cos) = (4.0 * PI * t).sin_cos();
        3.0 - 4.0 * t - sin.abs() - 0.25 * cos.abs()
    };
    let mut last = f64::INFINITY;
    for length in ["0.05", "0.002", "0.0001", "0.000001"] {
        let allowed: f64 = length.parse().expect("a number");
        let time = landing(&folder, &["--max-departure", length]);
        let off = low(time).abs();
        assert!(off <= 1.01 * allowed, "{off} above {length}");
        assert!(off < last, "no better with {length}: {off} after {last}");
        last = off;
    }
    // Without a word a 1000th of the plank, which is 2.12 long from corner to corner.
    assert!(low(landing(&folder, &[])).abs() <= 2.2e-3);
}

/// A speck that spins a thousand times on a way of a hundred million times its size: no step has as
/// many parts as it would take.
#[test]
fn what_is_cut_as_finely_as_can_be_is_said_to_be() {
    let folder = Folder::new("departure-speck");
    folder.write(
        "speck.toml",
        "[[body]]\nname = 'speck'\nshape = { box = { size = [1e-6, 1e-6, 1e-6] } }\n\
         flight = { linear = [100, 0, 0], angular = [0, 0, 6000] }\n[[body]]\nname = 'block'\n\
         shape = { box = {} }\nstart = { position = [5, 0, 0] }\n",
    );
    let found = json(&folder, &["speck.toml"]);
    assert!(found["parts"] == 4096 && departure(&found)[1] > 1.8e-9, "{found}");
    let said = folder.run(&["collide", "speck.toml"]).out;
    assert!(said.contains("the step is in 4096 parts, and no more are made"), "{said}");
    assert!(!said.contains("--max-departure"), "{said}");
}
