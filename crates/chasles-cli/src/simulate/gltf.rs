//! A simulation as an animated GLB file, which viewers and 3D programs play.
//!
//! ```text
//! header | JSON: scene, nodes, meshes, materials, animation | binary: times, tracks, meshes
//! ```
//!
//! Each body is a node at its first pose, with the mesh of its table; those that move have a channel
//! for their position and one for their rotation, with a key for each step. All numbers of the binary
//! part are four bytes, so everything in it is aligned.

use std::io::{self, Write};

use chasles::Polyhedron;
use chasles::glam::Vec3;
use serde_json::{Value, json};

use super::film::{Film, Track, moving};
use crate::picture::Colour;
use crate::scene::SimulateScene;
use crate::still;

/// Numbers that the format has for the types of values.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;

/// What the JSON takes for each body and mesh at most, but for their names.
const WORDS: usize = 2048;

/// The bytes of a GLB file of a scene, or somewhat more: lengths in it are of 32 bits.
pub(super) fn size_bound(scene: &SimulateScene) -> usize {
    let frames = scene.steps() as usize + 1;
    let names: usize = scene.names().iter().map(String::len).sum();
    let words = WORDS * (scene.names().len() + 1) + 6 * names;
    let meshes: usize = meshes(scene).map(Surface::size_bound).sum();
    let keys = 4 + 28 * moving(scene).count();
    frames.saturating_mul(keys).saturating_add(words + meshes)
}

/// Writes a film of a scene.
pub(super) fn write(scene: &SimulateScene, film: &Film, out: &mut dyn Write) -> io::Result<()> {
    let surfaces: Vec<Surface> = meshes(scene).map(Surface::new).collect();
    let tracks = film.tracks.iter().flat_map(|track| &track.positions);
    let mut places = tracks.chain(surfaces.iter().flat_map(|surface| &surface.positions));
    if places.any(|place| place.iter().any(|number| !number.is_finite())) {
        return Err(io::Error::other("a body is farther away than single precision reaches"));
    }
    let mut document = Document::default();
    document.animate(film);
    document.shapes(scene, &surfaces);
    let mut text = document.finish(scene, film).to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let words = |numbers: &[usize], out: &mut dyn Write| -> io::Result<()> {
        numbers.iter().try_for_each(|&number| {
            let word = u32::try_from(number).map_err(io::Error::other)?;
            out.write_all(&word.to_le_bytes())
        })
    };
    out.write_all(b"glTF")?;
    words(&[2, 12 + 8 + text.len() + 8 + document.length, text.len()], out)?;
    out.write_all(b"JSON")?;
    out.write_all(&text)?;
    words(&[document.length], out)?;
    out.write_all(b"BIN\0")?;
    floats(&film.times, out)?;
    for Track { positions, rotations, .. } in &film.tracks {
        floats(positions.as_flattened(), out)?;
        floats(rotations.as_flattened(), out)?;
    }
    for surface in &surfaces {
        floats(surface.positions.as_flattened(), out)?;
        surface.corners.iter().try_for_each(|corner| out.write_all(&corner.to_le_bytes()))?;
    }
    Ok(())
}

fn floats(numbers: &[f32], out: &mut dyn Write) -> io::Result<()> {
    numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

/// The mesh of each table.
fn meshes(scene: &SimulateScene) -> impl Iterator<Item = &Polyhedron> {
    scene.tables().map(|(_, first)| scene.world().bodies()[first].collider().mesh())
}

/// The triangles of a mesh.
struct Surface {
    positions: Vec<[f32; 3]>,
    corners: Vec<u32>,
}

impl Surface {
    fn new(mesh: &Polyhedron) -> Self {
        let faces = 0..mesh.face_count() as u32;
        Self {
            positions: mesh.positions().iter().map(|p| p.as_vec3().to_array()).collect(),
            corners: faces.flat_map(|face| mesh.face_triangles(face)).flatten().collect(),
        }
    }

    fn size_bound(mesh: &Polyhedron) -> usize {
        let corners: usize = (0..mesh.face_count() as u32).map(|face| mesh.face(face).len()).sum();
        12 * (mesh.vertex_count() + corners)
    }

    /// The corners of the box around it.
    fn bounds(&self) -> [[f32; 3]; 2] {
        let corners = || self.positions.iter().map(|p| Vec3::from_array(*p));
        let [low, high] = [corners().reduce(Vec3::min), corners().reduce(Vec3::max)];
        [low, high].map(|corner| corner.unwrap_or_default().to_array())
    }
}

/// The JSON part while it grows, and the length of the binary part so far.
#[derive(Default)]
struct Document {
    views: Vec<Value>,
    accessors: Vec<Value>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    /// The mesh of each table, if it has faces.
    mesh_of: Vec<Option<usize>>,
    length: usize,
}

impl Document {
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

    fn animate(&mut self, film: &Film) {
        let frames = film.times.len();
        let ends = [film.times.first(), film.times.last()].map(|time| time.copied());
        let bounds = json!({ "min": [ends[0]], "max": [ends[1]] });
        let times = self.numbers((FLOAT, "SCALAR", 1), frames, &bounds);
        for track in &film.tracks {
            let values = [("translation", "VEC3", 3), ("rotation", "VEC4", 4)];
            for (path, name, width) in values {
                let keys = self.numbers((FLOAT, name, width), frames, &Value::Null);
                self.samplers
                    .push(json!({ "input": times, "output": keys, "interpolation": "LINEAR" }));
                let target = json!({ "node": track.body, "path": path });
                self.channels.push(json!({ "sampler": self.samplers.len() - 1, "target": target }));
            }
        }
    }

    fn shapes(&mut self, scene: &SimulateScene, surfaces: &[Surface]) {
        for ((number, (name, first)), surface) in scene.tables().enumerate().zip(surfaces) {
            let colour = still::simulated_colour(scene, number, first);
            self.materials.push(json!({
                "name": name, "doubleSided": true,
                "pbrMetallicRoughness": {
                    "baseColorFactor": linear(colour), "metallicFactor": 0.0, "roughnessFactor": 0.7
                },
            }));
            let [low, high] = surface.bounds();
            let bounds = json!({ "min": low, "max": high });
            let places = self.numbers((FLOAT, "VEC3", 3), surface.positions.len(), &bounds);
            if surface.corners.is_empty() {
                self.mesh_of.push(None);
                continue;
            }
            let corners =
                self.numbers((UNSIGNED, "SCALAR", 1), surface.corners.len(), &Value::Null);
            let triangles = json!({
                "attributes": { "POSITION": places }, "indices": corners, "material": number
            });
            self.meshes.push(json!({ "name": name, "primitives": [triangles] }));
            self.mesh_of.push(Some(self.meshes.len() - 1));
        }
    }

    fn finish(&self, scene: &SimulateScene, film: &Film) -> Value {
        let node = |(number, name): (usize, &String)| {
            let pose = scene.world().bodies()[number].pose();
            let mut node = json!({
                "name": name,
                "translation": pose.position().to_array(), "rotation": pose.rotation().to_array(),
            });
            if let Some(mesh) = self.mesh_of[scene.table(number)] {
                node["mesh"] = json!(mesh);
            }
            node
        };
        let nodes: Vec<Value> = scene.names().iter().enumerate().map(node).collect();
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "chasles" },
            "scene": 0,
            "scenes": [{ "name": scene.title(), "nodes": (0..nodes.len()).collect::<Vec<_>>() }],
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
        if !film.tracks.is_empty() {
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
