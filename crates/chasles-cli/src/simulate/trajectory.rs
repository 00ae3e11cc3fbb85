//! A line of JSON for each frame, with the names that scripts rely on.

use std::io::{self, Write};

use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::world::{Impact, Passage, Sensed};
use chasles_dynamics::{Body, Report, World};
use serde::Serialize;

use chasles_scene::SimulateScene;

/// Writes where all bodies are, and what happened since the last line.
pub(super) fn write_line(
    scene: &SimulateScene,
    world: &World,
    report: &Report,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = scene.names();
    let bodies = names.iter().zip(world.bodies());
    let sheets = scene.sheets().iter().zip(world.sheets());
    let frame = FrameJson {
        time: world.time(),
        bodies: bodies.map(|(name, body)| BodyJson::new(name, body)).collect(),
        sheets: sheets.map(|(name, sheet)| SheetJson::new(name, sheet)).collect(),
        contacts: report.impacts.iter().map(|hit| ImpactJson::new(names, hit)).collect(),
        sensed: report.sensed.iter().map(|told| SensedJson::new(names, told)).collect(),
    };
    serde_json::to_writer(&mut *out, &frame)?;
    writeln!(out)
}

#[derive(Serialize)]
struct FrameJson<'w> {
    time: f64,
    bodies: Vec<BodyJson<'w>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sheets: Vec<SheetJson<'w>>,
    contacts: Vec<ImpactJson<'w>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sensed: Vec<SensedJson<'w>>,
}

#[derive(Serialize)]
struct SensedJson<'w> {
    sensor: &'w str,
    body: &'w str,
    change: &'static str,
}

impl<'w> SensedJson<'w> {
    fn new(names: &'w [String], told: &Sensed) -> Self {
        let [sensor, body] = [told.sensor, told.body].map(|body| names[body.index()].as_str());
        let change = match told.change {
            Passage::Entered => "entered",
            Passage::Left => "left",
            Passage::Crossed => "crossed",
        };
        Self { sensor, body, change }
    }
}

#[derive(Serialize)]
struct SheetJson<'w> {
    name: &'w str,
    vertices: Vec<[f64; 3]>,
}

impl<'w> SheetJson<'w> {
    fn new(name: &'w str, sheet: &Sheet) -> Self {
        Self { name, vertices: sheet.positions().iter().map(|p| p.to_array()).collect() }
    }
}

#[derive(Serialize)]
struct BodyJson<'w> {
    name: &'w str,
    position: [f64; 3],
    rotation: [f64; 4],
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
}

impl<'w> BodyJson<'w> {
    fn new(name: &'w str, body: &Body) -> Self {
        let (pose, velocity) = (body.pose(), body.velocity());
        Self {
            name,
            position: pose.position().to_array(),
            rotation: pose.rotation().to_array(),
            velocity: velocity.linear.to_array(),
            angular_velocity: velocity.angular.to_array(),
        }
    }
}

#[derive(Serialize)]
struct ImpactJson<'w> {
    time: f64,
    a: &'w str,
    b: &'w str,
    point: [f64; 3],
    /// From A to B, as in the results of `collide`.
    normal: [f64; 3],
    /// What B got, and A the opposite of.
    impulse: [f64; 3],
}

impl<'w> ImpactJson<'w> {
    fn new(names: &'w [String], impact: &Impact) -> Self {
        let [a, b] = impact.bodies.map(|body| names[body.0].as_str());
        Self {
            time: impact.time,
            a,
            b,
            point: impact.point.to_array(),
            normal: (-impact.normal).to_array(),
            impulse: (-impact.impulse).to_array(),
        }
    }
}
