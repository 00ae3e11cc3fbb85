//! `collide --method path` says how deep a contact may be missed, and sees everything deeper.

mod common;

use common::Folder;
use serde_json::Value;

fn collide(folder: &Folder, scene: &str) -> Value {
    let run = folder.run(&["collide", scene, "--method", "path", "--json", "-"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{scene}");
    serde_json::from_str(&run.out).expect("standard output is one JSON document")
}

fn first_time(results: &Value) -> f64 {
    results["pairs"][0]["contacts"][0]["time"].as_f64().expect("a number")
}

/// Bars that cross without a vertex near either: meshes and solids, in all orders.
#[test]
fn crossed_bars_are_seen_and_what_may_be_missed_is_said() {
    let folder = Folder::new("path-bars");
    let bar = |kind: &str, size: &str, motion: &str| {
        format!("[[body]]\n{kind} = {{ box = {{ size = {size} }} }}\n{motion}\n")
    };
    let falls = "start = { position = [0, 1, 0] }\nend = { position = [0, -1, 0] }";
    for [a, b] in [["shape", "shape"], ["shape", "solid"], ["solid", "shape"], ["solid", "solid"]] {
        let bars = [bar(a, "[4, 0.2, 0.2]", ""), bar(b, "[0.2, 0.2, 4]", falls)];
        folder.write("bars.toml", bars.concat());
        let found = collide(&folder, "bars.toml");
        let depths = found["pairs"][0]["missed_depth"].as_array().expect("two depths").iter();
        let depths: Vec<f64> = depths.map(|d| d.as_f64().expect("a bound")).collect();
        let deepest = depths[0].max(depths[1]);
        // Their faces meet at 0.4, and they close in by 2 in the step.
        let late = 2.0 * (first_time(&found) - 0.4);
        assert!((-1e-5..=deepest + 1e-5).contains(&late), "{a} and {b}: {late} over {deepest}");
        assert!(deepest < 0.06, "{a} and {b}: {deepest}");
        let table = folder.run(&["collide", "bars.toml", "--method", "path"]).out;
        assert_eq!(table.matches("may be missed").count(), 2, "{table}");
        folder.write("swapped.toml", [&*bars[1], &bars[0]].concat());
        let swapped = collide(&folder, "swapped.toml");
        assert!((first_time(&swapped) - first_time(&found)).abs() < 1e-5, "{a} and {b}");
    }
    let scene = bar("shape", "[4, 0.2, 0.2]", "") + &bar("shape", "[0.2, 0.2, 4]", falls);
    folder.write("bars.toml", scene);
    let run = folder.run(&["collide", "bars.toml", "--method", "path", "--cover", "inf"]);
    assert!(run.out.contains("0 contacts in 0 of 1 pair"), "{}", run.out);
    assert!(run.out.contains("points between vertices may be missed at any depth"), "{}", run.out);
    let tiny = folder.run(&["collide", "bars.toml", "--method", "path", "--precision", "1e-300"]);
    assert!(tiny.out.contains("to a precision of 1e-300;"), "{}", tiny.out);
    let run = folder.run(&["compare", "bars.toml", "--repeat", "1", "--json", "-"]);
    let compared: Value = serde_json::from_str(&run.out).expect("one document");
    let path = &compared["methods"][2];
    assert!(path["method"] == "path" && path["sought"].as_u64() > Some(0), "{path}");
    assert!(path["missed_depth"].as_f64().expect("a bound") < 0.06, "{path}");
    assert!(path["contacts"].as_u64() > Some(0), "{path}");
}

/// A rod without end has no samples, so nothing bounds how deep it is in the ball that it goes
/// through.
#[test]
fn bodies_without_samples_may_be_missed_at_any_depth_and_are_named() {
    let folder = Folder::new("path-endless");
    folder.write(
        "rod.toml",
        "[[body]]\nname = 'ball'\nsolid = { sphere = {} }\n[[body]]\nname = 'rod'\n\
         expression = 'sqrt(x^2 + z^2) - 0.2'\nstart = { position = [2, 0, 0.0123] }\n\
         end = { position = [-2, 0, 0.0123] }\n",
    );
    let found = collide(&folder, "rod.toml");
    let [of_ball, of_rod] = [0, 1].map(|body| found["pairs"][0]["missed_depth"][body].as_f64());
    assert!(of_ball.expect("a bound") < 0.1 && of_rod.is_none(), "{found}");
    let words = "and points of rod, which has no samples, at any depth";
    let run = folder.run(&["collide", "rod.toml", "--method", "path", "--report", "rod.html"]);
    assert!(run.out.contains(words), "{}", run.out);
    let page = std::fs::read_to_string(folder.path().join("rod.html")).expect("a page");
    assert!(page.contains(words), "the page does not say it");
    let run = folder.run(&["compare", "rod.toml", "--repeat", "1", "--json", "-"]);
    let compared: Value = serde_json::from_str(&run.out).expect("one document");
    let path = &compared["methods"][0];
    assert!(path["method"] == "path" && path["missed_depth"].is_null(), "{path}");
    assert_eq!(path["without_samples"], serde_json::json!(["rod"]), "{path}");
    let run = folder.run(&["compare", "rod.toml", "--repeat", "1", "--report", "all.html"]);
    assert!(run.out.contains(words), "{}", run.out);
    let page = std::fs::read_to_string(folder.path().join("all.html")).expect("a page");
    assert!(page.contains(words), "the page of the comparison does not say it");
}
