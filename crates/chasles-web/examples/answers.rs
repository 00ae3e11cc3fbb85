//! What the native engine answers, for comparison with the same questions in WebAssembly.
//!
//!     answers contacts CASE.json...    a line for each case: its contacts, all and facing
//!     answers time CASE.json...        a line for each case: nanoseconds, all and facing
//!     answers scene COMMAND NAME SECONDS
//!                                      the built-in scene: contacts, stops, or where its bodies
//!                                      and sheets are after seconds, or after a step for 0
//!
//! Lines are JSON. `.ci/web/agree.mjs` asks both and compares.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Instant;

use chasles_scene::library::SCENES;
use chasles_web::{Body, Engine, Files, Level, Motion, Options, Pair, Scene, Simulation};
use serde_json::{Value, json};

type Answer<T> = Result<T, Box<dyn Error>>;

fn main() -> Answer<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let lines = match words[..] {
        ["contacts", ref cases @ ..] => each(cases, answers)?,
        ["time", ref cases @ ..] => each(cases, timed)?,
        ["scene", command, name, seconds] => vec![scene(command, name, seconds.parse()?)?],
        _ => {
            return Err(
                "usage: answers contacts|time CASE.json... | scene COMMAND NAME SECONDS".into()
            );
        }
    };
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    std::io::Write::write_all(&mut std::io::stdout(), (lines.join("\n") + "\n").as_bytes())?;
    Ok(())
}

fn each(cases: &[&str], ask: impl Fn(&Pair) -> Answer<Value>) -> Answer<Vec<Value>> {
    cases.iter().map(|case| ask(&pair(case)?)).collect()
}

/// Every contact, and those that a collision response needs.
fn wishes() -> [Options; 2] {
    [Options::new(), Options::proper()]
}

fn answers(pair: &Pair) -> Answer<Value> {
    let mut engine = Engine::new();
    let rows = wishes().map(|options| rows(&mut engine, pair, &options));
    let [all, facing] = rows;
    Ok(json!([all?, facing?]))
}

fn rows(engine: &mut Engine, pair: &Pair, options: &Options) -> Answer<Value> {
    let mut found = engine.contacts(pair, options)?;
    Ok(json!({ "numbers": found.take_numbers(), "features": found.take_features() }))
}

/// The least time of a query, of as many as take a quarter of a second.
fn timed(pair: &Pair) -> Answer<Value> {
    let mut engine = Engine::new();
    let mut times = Vec::new();
    for options in wishes() {
        let begun = Instant::now();
        let mut least = u128::MAX;
        while begun.elapsed().as_millis() < 250 {
            let start = Instant::now();
            engine.contacts(pair, &options)?;
            least = least.min(start.elapsed().as_nanos());
        }
        times.push(least as f64);
    }
    Ok(json!(times))
}

/// A labelled case: two meshes, each with its poses.
fn pair(path: &str) -> Answer<Pair> {
    let case: Value = serde_json::from_slice(&std::fs::read(path)?)?;
    let [(a, of_a), (b, of_b)] = [body(&case["a"])?, body(&case["b"])?];
    Ok(Pair::new(&a, &b, &of_a, &of_b))
}

fn body(entry: &Value) -> Answer<(Body, Motion)> {
    let vertices: Vec<[f64; 3]> = serde_json::from_value(entry["vertices"].clone())?;
    let faces: Vec<Vec<u32>> = serde_json::from_value(entry["faces"].clone())?;
    let sizes: Vec<u32> = faces.iter().map(|face| face.len() as u32).collect();
    let body = Body::mesh(vertices.as_flattened(), &sizes, &faces.concat())?;
    let pose = |key: &str| -> Answer<Vec<f64>> {
        let pose: BTreeMap<String, Vec<f64>> = serde_json::from_value(entry[key].clone())?;
        Ok([&pose["position"][..], &pose["rotation"]].concat())
    };
    Ok((body, Motion::between(&pose("start")?, &pose("end")?)?))
}

fn scene(command: &str, name: &str, seconds: f64) -> Answer<Value> {
    let scene = SCENES.iter().find(|scene| scene.name == name).ok_or("no such scene")?;
    let mut files = Files::new();
    for (file, bytes) in scene.files() {
        files.add(file, bytes.to_vec());
    }
    match command {
        "trace" => stops(Level::read(scene.text, name, &files)?),
        "simulate" => poses(Simulation::read(scene.text, name, &files)?, seconds),
        _ => touches(&Scene::read(scene.text, name, &files)?),
    }
}

fn touches(scene: &Scene) -> Answer<Value> {
    let mut engine = Engine::new();
    let options = Options::new();
    let pairs = scene.near_pairs(&options)?;
    let ask = |pair: &[u32]| {
        rows(&mut engine, &scene.pair(pair[0] as usize, pair[1] as usize)?, &options)
    };
    Ok(Value::Array(pairs.chunks_exact(2).map(ask).collect::<Answer<_>>()?))
}

fn stops(mut level: Level) -> Answer<Value> {
    let movers = level.names().len() - level.standing();
    let ask = |mover: usize| -> Answer<Value> {
        let stop = level.journey(mover)?;
        let numbers = [vec![stop.fraction()], stop.end(), stop.touch()].concat();
        Ok(json!({ "numbers": numbers, "features": stop.features() }))
    };
    Ok(Value::Array((0..movers).map(ask).collect::<Answer<_>>()?))
}

fn poses(mut world: Simulation, seconds: f64) -> Answer<Value> {
    let dt = world.dt();
    for _ in 0..(seconds / dt).max(1.0).ceil() as u32 {
        world.step(dt)?;
    }
    let sheets = 0..world.sheet_names().len();
    let sheets: Vec<Vec<f32>> =
        sheets.map(|i| world.sheet_places(i, 1.0)).collect::<Result<_, _>>()?;
    // Fingerprints say whether all bits are the same, and nothing where they are not.
    let kept = if cfg!(feature = "libm") { world.fingerprint() } else { Vec::new() };
    Ok(json!([
        { "numbers": world.poses(), "features": [] },
        { "numbers": sheets.concat(), "features": [] },
        { "numbers": kept, "features": [] },
    ]))
}
