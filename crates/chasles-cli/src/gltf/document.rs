//! The JSON part of a GLB file.

use chasles_picture::Colour;
use serde_json::{Value, json};

use super::film::Film;
use super::stage::Stage;
use super::surface::{Surface, bounds};

/// Numbers that the format has for the types of values.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;

/// The document while it grows, and the length of the binary part so far.
#[derive(Default)]
pub(super) struct Document {
    views: Vec<Value>,
    accessors: Vec<Value>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    /// The mesh of each part, if it has faces.
    mesh_of: Vec<Option<usize>>,
    length: usize,
}

impl Document {
    /// The length of the binary part.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Adds numbers of four bytes to the binary part; the number of the accessor to them.
    fn numbers(&mut self, kind: (u32, &str, usize), count: usize, more: &Value) -> usize {
        let (component, name, width) = kind;
        let bytes = 4 * width * count;
        self.views.push(json!({ "buffer": 0, "byteOffset": self.length, "byteLength": bytes }));
        self.length += bytes;
        let mut accessor = json!({
            "bufferView": self.views.len() - 1, "componentType": component, "count": count,
            "type": name,
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            accessor[key] = value.clone();
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds points with the box around them.
    fn points(&mut self, points: &[[f32; 3]]) -> usize {
        let [low, high] = bounds(points);
        self.numbers((FLOAT, "VEC3", 3), points.len(), &json!({ "min": low, "max": high }))
    }

    pub(super) fn animate(&mut self, stage: &Stage, film: &Film) {
        let frames = film.times.len();
        let ends = [film.times.first(), film.times.last()].map(|time| time.copied());
        let bounds = json!({ "min": [ends[0]], "max": [ends[1]] });
        let times = self.numbers((FLOAT, "SCALAR", 1), frames, &bounds);
        for track in &film.tracks {
            let values = [("translation", "VEC3", 3), ("rotation", "VEC4", 4)];
            for (path, name, width) in values {
                let keys = self.numbers((FLOAT, name, width), frames, &Value::Null);
                self.channel([times, keys], track.body, path);
            }
        }
        for node in stage.deforming() {
            let keys = self.numbers((FLOAT, "SCALAR", 1), frames, &Value::Null);
            self.channel([times, keys], node, "weights");
        }
    }

    fn channel(&mut self, [times, keys]: [usize; 2], node: usize, path: &str) {
        self.samplers.push(json!({ "input": times, "output": keys, "interpolation": "LINEAR" }));
        let target = json!({ "node": node, "path": path });
        self.channels.push(json!({ "sampler": self.samplers.len() - 1, "target": target }));
    }

    pub(super) fn shapes(&mut self, stage: &Stage, surfaces: &[Surface]) {
        for (number, (part, surface)) in stage.parts.iter().zip(surfaces).enumerate() {
            self.materials.push(json!({
                "name": part.name, "doubleSided": true,
                "pbrMetallicRoughness": {
                    "baseColorFactor": linear(part.colour), "metallicFactor": 0.0,
                    "roughnessFactor": 0.7
                },
            }));
            let places = self.points(&surface.positions);
            if surface.corners.is_empty() {
                self.mesh_of.push(None);
                continue;
            }
            let corners =
                self.numbers((UNSIGNED, "SCALAR", 1), surface.corners.len(), &Value::Null);
            let mut triangles = json!({
                "attributes": { "POSITION": places }, "indices": corners, "material": number
            });
            let mut mesh = json!({ "name": part.name });
            if !surface.shifts.is_empty() {
                triangles["targets"] = json!([{ "POSITION": self.points(&surface.shifts) }]);
                mesh["weights"] = json!([0.0]);
            }
            mesh["primitives"] = json!([triangles]);
            self.meshes.push(mesh);
            self.mesh_of.push(Some(self.meshes.len() - 1));
        }
    }

    pub(super) fn finish(&self, stage: &Stage) -> Value {
        let node = |node: &super::stage::Node| {
            let mut value = json!({
                "name": node.name,
                "translation": node.pose.position().to_array(),
                "rotation": node.pose.rotation().to_array(),
            });
            if let Some(mesh) = self.mesh_of[node.part] {
                value["mesh"] = json!(mesh);
            }
            value
        };
        let nodes: Vec<Value> = stage.nodes.iter().map(node).collect();
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "chasles" },
            "scene": 0,
            "scenes": [{ "name": stage.title, "nodes": (0..nodes.len()).collect::<Vec<_>>() }],
            "nodes": nodes,
            "materials": self.materials,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.length }],
        });
        // The format knows no empty lists.
        if !self.meshes.is_empty() {
            document["meshes"] = json!(self.meshes);
        }
        if !self.channels.is_empty() {
            document["animations"] =
                json!([{ "name": "run", "channels": self.channels, "samplers": self.samplers }]);
        }
        document
    }
}

/// A colour as the format wants it: shares of light, and opaque.
fn linear(colour: Colour) -> [f64; 4] {
    let light = |channel: u8| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    [light(colour.r), light(colour.g), light(colour.b), 1.0]
}
