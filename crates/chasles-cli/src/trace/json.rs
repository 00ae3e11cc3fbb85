//! Traces as JSON, with the names that scripts rely on.

use std::io::{self, Write};

use chasles::Pose;
use chasles::trace::Touch;
use chasles_scene::{Fixed, Move, TraceScene};
use serde::Serialize;

use super::result::TraceResult;
use crate::feature_json::{FeatureJson, features};

/// Writes one object for one body, and a list of them for several, and a line end.
pub(super) fn write(
    scene: &TraceScene,
    results: &[TraceResult],
    out: &mut dyn Write,
) -> io::Result<()> {
    match results {
        [result] => {
            let trace = TraceJson::new(scene, None, result);
            serde_json::to_writer(&mut *out, &Warned { trace, warnings: scene.warnings() })?;
        }
        _ => {
            let of_one = |(mover, result)| TraceJson::new(scene, Some(mover), result);
            let names = scene.movers().iter().map(|mover| mover.name.as_str());
            let traces = names.zip(results).map(of_one).collect();
            serde_json::to_writer(
                &mut *out,
                &Warned {
                    trace: TracesJson { title: scene.title(), traces },
                    warnings: scene.warnings(),
                },
            )?;
        }
    }
    writeln!(out)
}

/// A document and what is odd about the scene; left out if there is nothing.
#[derive(Serialize)]
struct Warned<T> {
    #[serde(flatten)]
    trace: T,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct TracesJson<'r> {
    title: &'r str,
    traces: Vec<TraceJson<'r>>,
}

#[derive(Serialize)]
struct TraceJson<'r> {
    /// Stated where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<&'r str>,
    fraction: f64,
    started_solid: bool,
    end: PoseJson,
    expel_zone: f64,
    contact: Option<TouchJson<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contacts: Option<Vec<TouchJson<'r>>>,
    /// Of a walk.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveJson<'r>>>,
}

impl<'r> TraceJson<'r> {
    fn new(scene: &'r TraceScene, body: Option<&'r str>, result: &'r TraceResult) -> Self {
        let trace = &result.trace;
        let touch = |touch: &Touch| TouchJson::new(scene.fixed(), touch);
        Self {
            body,
            fraction: trace.fraction,
            started_solid: trace.started_solid,
            end: PoseJson::from(&trace.end),
            expel_zone: trace.thickness,
            contact: trace.touch.as_ref().map(touch),
            contacts: result.contacts.as_ref().map(|all| all.iter().map(touch).collect()),
            moves: result
                .moves
                .as_ref()
                .map(|all| all.iter().map(|one| MoveJson::new(scene.fixed(), one)).collect()),
        }
    }
}

#[derive(Serialize)]
struct MoveJson<'r> {
    leg: usize,
    end: PoseJson,
    on_ground: bool,
    ground: Option<TouchJson<'r>>,
    wall: Option<TouchJson<'r>>,
}

impl<'r> MoveJson<'r> {
    fn new(fixed: &'r [Fixed], Move { leg, walk }: &Move) -> Self {
        let touch = |touch: &Touch| TouchJson::new(fixed, touch);
        Self {
            leg: *leg,
            end: PoseJson::from(&walk.end),
            on_ground: walk.ground.is_some(),
            ground: walk.ground.as_ref().map(touch),
            wall: walk.wall.as_ref().map(touch),
        }
    }
}

#[derive(Serialize)]
struct PoseJson {
    position: [f64; 3],
    rotation: [f64; 4],
}

impl From<&Pose> for PoseJson {
    fn from(pose: &Pose) -> Self {
        Self { position: pose.position().to_array(), rotation: pose.rotation().to_array() }
    }
}

#[derive(Serialize)]
struct TouchJson<'r> {
    kind: &'static str,
    moving: FeatureJson,
    world: WorldJson<'r>,
    point: [f64; 3],
    normal: [f64; 3],
    distance: f64,
    tag: &'r str,
}

#[derive(Serialize)]
struct WorldJson<'r> {
    body: &'r str,
    #[serde(flatten)]
    feature: FeatureJson,
}

impl<'r> TouchJson<'r> {
    fn new(fixed: &'r [Fixed], touch: &Touch) -> Self {
        let [moving, feature] = features(touch.features);
        Self {
            kind: touch.features.kind(),
            moving,
            world: WorldJson { body: &fixed[touch.fixture as usize].name, feature },
            point: touch.point.to_array(),
            normal: touch.normal.to_array(),
            distance: touch.distance,
            tag: &fixed[touch.tag as usize].tag,
        }
    }
}
