//! glTF 2.0 and its binary form GLB.
//!
//! The default scene is walked depth first, in the order of the file; each mesh is placed by
//! its node, as often as `EXT_mesh_gpu_instancing` says, and left out where
//! `KHR_node_visibility` hides the node or one above it. A vertex list that several primitives
//! of a mesh share is added once. Triangles, strips and fans become faces, lines become
//! segments. Where a node mirrors its mesh, faces are turned around so that the outside stays
//! outside. Skins, morph targets and animations are not applied.

mod buffers;
mod document;

use std::path::Path;

use glam::DMat4;
use rustc_hash::FxHashMap;

use self::buffers::Buffers;
use self::document::{Document, Primitive};
use super::error::{ParseError, Place, Problem};
use super::{checked, unmarked};
use crate::mesh::Polygons;

/// The most vertices or corners that are made. A scene may place one mesh many times, so a small
/// file can ask for any number; these take about a gigabyte.
const MOST: usize = 1 << 25;

/// The most primitives that are placed, copies counted each. A copy takes a quarter of a
/// microsecond even if it adds next to nothing, so these take a second.
const MOST_COPIES: usize = 1 << 22;

/// Reads a glTF or GLB file.
///
/// *Accepts* the bytes of the file, and the folder in which the files of its buffers are looked
/// up; without a folder only embedded buffers are read. Files outside the folder are refused,
/// whether a name leads there or a link. *Guarantees* vertices and faces in the
/// order of the scene. *Cost* linear in the placed meshes. *Fails* with the part of the file that
/// is wrong, on compressed meshes, and on scenes of more than 2^25 vertices or corners, or 2^22
/// primitives.
pub fn parse_gltf(bytes: impl AsRef<[u8]>, folder: Option<&Path>) -> Result<Polygons, ParseError> {
    let bytes = bytes.as_ref();
    let bytes = &*unmarked(bytes);
    if bytes.is_empty() {
        return Err(ParseError::whole(Problem::Empty));
    }
    let (json, blob) = if bytes.starts_with(b"glTF") { chunks(bytes)? } else { (bytes, None) };
    let document: Document = serde_json::from_slice(json)
        .map_err(|error| ParseError::whole(Problem::Json(format!("not glTF: {error}"))))?;
    document.check()?;
    let buffers = Buffers::load(&document, blob, folder)?;
    let polygons = Polygons::default();
    let mut scene = Scene { document: &document, buffers, polygons, copies: 0 };
    scene.walk()?;
    checked(scene.polygons)
}

/// The JSON chunk of a GLB file, and its binary chunk.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ParseError> {
    let truncated = |offset: usize, wanted: &str| ParseError {
        place: Place::Byte(offset.min(bytes.len())),
        problem: Problem::Truncated { wanted: wanted.to_owned() },
    };
    let word = |offset: usize| {
        let raw = bytes.get(offset..offset + 4)?;
        Some(u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]))
    };
    if word(4) != Some(2) {
        let what = format!("version {} of GLB", word(4).unwrap_or(0));
        let instead = "write version 2";
        return Err(ParseError::whole(Problem::Unsupported { what, instead }));
    }
    let mut found: [Option<&[u8]>; 2] = [None, None];
    let mut offset = 12;
    while offset < bytes.len() {
        let (Some(length), Some(kind)) = (word(offset), word(offset + 4)) else {
            return Err(truncated(offset, "the header of a chunk"));
        };
        let start = offset + 8;
        let chunk = bytes.get(start..start.saturating_add(length as usize));
        let chunk = chunk.ok_or_else(|| truncated(offset, "the end of a chunk"))?;
        // Chunks of other kinds are to be skipped.
        let names = [*b"JSON", *b"BIN\0"].map(u32::from_le_bytes);
        for (slot, name) in found.iter_mut().zip(names) {
            if kind == name && slot.is_none() {
                *slot = Some(chunk);
            }
        }
        offset = start + chunk.len();
    }
    let [json, blob] = found;
    Ok((json.ok_or_else(|| truncated(offset, "the JSON chunk"))?, blob))
}

struct Scene<'a> {
    document: &'a Document,
    buffers: Buffers<'a>,
    polygons: Polygons,
    /// Primitives that were placed.
    copies: usize,
}

impl Scene<'_> {
    fn walk(&mut self) -> Result<(), ParseError> {
        let document = self.document;
        let mut waiting: Vec<(usize, DMat4)> = Vec::new();
        let roots = document.roots()?;
        waiting.extend(roots.iter().rev().map(|&node| (node, DMat4::IDENTITY)));
        let mut seen = vec![false; document.nodes.len()];
        while let Some((number, parent)) = waiting.pop() {
            let part = || format!("node {number}");
            let node = document.node(number)?;
            // Nodes form trees, so a second visit means a loop.
            if std::mem::replace(&mut seen[number], true) {
                let wanted = "each node at one place of the tree only";
                let found = format!("a second way to node {number}");
                return Err(ParseError::part(part(), Problem::Unexpected { found, wanted }));
            }
            let local = node.transform().map_err(|problem| ParseError::part(part(), problem))?;
            let transform = parent * local;
            if !node.is_visible() {
                continue;
            }
            match (node.mesh, node.instancing()) {
                (Some(mesh), None) => {
                    self.count_copies(mesh, 1)?;
                    self.add_mesh(mesh, &transform)?;
                }
                (Some(mesh), Some(instancing)) => {
                    let error = |problem| ParseError::part(part(), problem);
                    let of = &instancing.attributes;
                    let count = self.buffers.instance_count(of).map_err(error)?;
                    // Copies of nothing are not looked at.
                    if self.count_copies(mesh, count)? {
                        let instances = self.buffers.instances(of).map_err(error)?;
                        let mut placed = instances.iter().map(|instance| transform * *instance);
                        placed.try_for_each(|at| self.add_mesh(mesh, &at))?;
                    }
                }
                (None, _) => {}
            }
            waiting.extend(node.children.iter().rev().map(|&child| (child, transform)));
        }
        if document.nodes.is_empty() {
            (0..document.meshes.len()).try_for_each(|m| self.add_mesh(m, &DMat4::IDENTITY))?;
        }
        Ok(())
    }

    /// Counts the primitives of so many copies of a mesh; false if it has none.
    fn count_copies(&mut self, mesh: usize, count: usize) -> Result<bool, ParseError> {
        let primitives = self.document.mesh(mesh)?.primitives.len();
        self.copies = self.copies.saturating_add(count.saturating_mul(primitives));
        if self.copies > MOST_COPIES {
            let what = format!("a scene of more than {MOST_COPIES} copies of primitives");
            let instead = "place fewer copies of its meshes";
            return Err(ParseError::whole(Problem::Unsupported { what, instead }));
        }
        Ok(primitives > 0)
    }

    fn add_mesh(&mut self, number: usize, transform: &DMat4) -> Result<(), ParseError> {
        let mut starts = FxHashMap::default();
        for (i, primitive) in self.document.mesh(number)?.primitives.iter().enumerate() {
            let part = || format!("mesh {number}, primitive {i}");
            let error = |problem| ParseError::part(part(), problem);
            let missing = Problem::Missing { wanted: "the attribute `POSITION`" };
            let accessor = primitive.attributes.position.ok_or_else(|| error(missing))?;
            let (start, count) = match starts.get(&accessor) {
                Some(&known) => known,
                None => {
                    let added = self.add_vertices(accessor, transform)?;
                    starts.insert(accessor, added);
                    added
                }
            };
            let corners = self.corners(primitive, count)?;
            if let Some(&index) = corners.iter().find(|&&v| v as usize >= count) {
                let index = i64::from(index);
                return Err(error(Problem::NoSuchVertex { index, count, from: 0 }));
            }
            let corners: Vec<u32> = corners.iter().map(|v| v + start).collect();
            let mirrored = transform.determinant() < 0.0;
            self.add_elements(primitive.mode, &corners, mirrored).map_err(error)?;
        }
        Ok(())
    }

    /// Adds placed vertices; returns the number of the first, and how many there are.
    fn add_vertices(&mut self, accessor: usize, at: &DMat4) -> Result<(u32, usize), ParseError> {
        let places = self.buffers.positions(accessor)?;
        let start = self.polygons.vertices.len();
        if start + places.len() > MOST {
            return Err(ParseError::whole(too_large()));
        }
        self.polygons.vertices.extend(places.iter().map(|&p| at.transform_point3(p)));
        Ok((start as u32, places.len()))
    }

    fn corners(&self, primitive: &Primitive, count: usize) -> Result<Vec<u32>, ParseError> {
        match primitive.indices {
            Some(accessor) => self.buffers.indices(accessor),
            None => Ok((0..count as u32).collect()),
        }
    }

    fn add_elements(&mut self, mode: u64, v: &[u32], mirrored: bool) -> Result<(), Problem> {
        let polygons = &mut self.polygons;
        let corners =
            3 * polygons.faces.len() + 2 * polygons.segments.len() + polygons.points.len();
        if corners + 3 * v.len() > MOST {
            return Err(too_large());
        }
        let mut face =
            |a, b, c| polygons.faces.push(if mirrored { vec![a, c, b] } else { vec![a, b, c] });
        match mode {
            0 => polygons.points.extend(v),
            1 => polygons.segments.extend(v.chunks_exact(2).map(|s| [s[0], s[1]])),
            2 | 3 => {
                polygons.segments.extend(v.windows(2).map(|s| [s[0], s[1]]));
                if let (2, [first, .., last]) = (mode, v) {
                    polygons.segments.push([*last, *first]);
                }
            }
            4 => v.chunks_exact(3).for_each(|t| face(t[0], t[1], t[2])),
            // Every other triangle of a strip runs backwards.
            5 => v.windows(3).enumerate().for_each(|(i, t)| match i % 2 {
                0 => face(t[0], t[1], t[2]),
                _ => face(t[1], t[0], t[2]),
            }),
            6 => v.windows(2).skip(1).for_each(|t| face(v[0], t[0], t[1])),
            _ => {
                let wanted = "a mode from 0 to 6";
                return Err(Problem::Unexpected { found: mode.to_string(), wanted });
            }
        }
        Ok(())
    }
}

fn too_large() -> Problem {
    let what = format!("a scene of more than {MOST} vertices or corners");
    Problem::Unsupported { what, instead: "place fewer copies of its meshes" }
}

#[cfg(test)]
mod tests;
