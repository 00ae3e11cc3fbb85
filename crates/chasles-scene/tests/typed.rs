//! What is wrong with a sheet or a way of a simulation is a value, not only a sentence.

use std::path::Path;

use chasles_dynamics::spring::net::NetError;
use chasles_scene::{Problem, SceneError, SheetProblem, SimulateProblem, SimulateScene};

const BALL: &str = "[[body]]\nshape = { sphere = {} }\ndensity = 1000\n";

/// What is wrong with a scene of a ball and this table, which is the second.
fn problem(table: &str) -> SimulateProblem {
    let text = format!("{BALL}{table}");
    let error = SimulateScene::from_text(&text, "scene.toml", Path::new("."));
    match error.expect_err("something is wrong") {
        SceneError::Wrong(wrong) => match wrong.problem {
            Problem::Simulate(problem) => problem,
            other => panic!("{other}"),
        },
        other => panic!("{other}"),
    }
}

#[test]
fn a_sheet_that_cannot_be_says_which_numbers_are_wrong() {
    let reason = |keys: &str| match problem(&format!("[[sheet]]\nname = 'cloth'\n{keys}\n")) {
        SimulateProblem::Sheet { name, reason } if name == "cloth" => reason,
        other => panic!("{other}"),
    };
    assert!(matches!(reason("size = [2, 0]"), SheetProblem::Size([2.0, 0.0])));
    let many = reason("cells = [1000, 1000]");
    assert!(matches!(many, SheetProblem::Vertices { vertices: 1_002_001, most: 100_000 }));
    let pin = reason("cells = [4, 3]\npins = [[4, 3], [5, 0]]");
    assert!(matches!(pin, SheetProblem::Pin { pin: [5, 0], last: [4, 3] }), "{pin}");
    let net = reason("thickness = -1");
    assert!(matches!(net, SheetProblem::Net(NetError::NotPositive("thickness", -1.0))), "{net}");
    assert_eq!(pin.to_string(), "the pin [5, 0] is beyond its last vertex, [4, 3]");
}

#[test]
fn a_twist_that_turns_too_often_says_how_often() {
    let fan = "[[body]]\nkind = 'kinematic'\nshape = { box = {} }\n\
               twist = { angular = [0, 1e9, 0], linear = [1, 0, 0] }\n";
    let found = problem(fan);
    assert!(matches!(found, SimulateProblem::Turns(quarters) if quarters > 1e6), "{found}");
}
