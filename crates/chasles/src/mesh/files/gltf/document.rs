//! The parts of a glTF document that hold geometry.

use glam::{DMat4, DQuat, DVec3};
use serde::Deserialize;

use super::super::error::{ParseError, Problem};
use super::super::text::shown;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    asset: Asset,
    scene: Option<usize>,
    #[serde(default)]
    scenes: Vec<Scene>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<View>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
    #[serde(default)]
    extensions_required: Vec<String>,
}

#[derive(Deserialize)]
struct Asset {
    version: String,
}

#[derive(Deserialize)]
struct Scene {
    #[serde(default)]
    nodes: Vec<usize>,
}

#[derive(Deserialize)]
pub(super) struct Node {
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) mesh: Option<usize>,
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
    extensions: Option<NodeExtensions>,
}

/// The extensions of nodes that change what is there.
#[derive(Deserialize)]
struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    instancing: Option<Instancing>,
    #[serde(rename = "KHR_node_visibility")]
    visibility: Option<Visibility>,
}

/// Several copies of a node's mesh, each placed by an element of every accessor.
#[derive(Deserialize)]
pub(super) struct Instancing {
    pub(super) attributes: InstanceAttributes,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct InstanceAttributes {
    pub(super) translation: Option<usize>,
    pub(super) rotation: Option<usize>,
    pub(super) scale: Option<usize>,
}

#[derive(Deserialize)]
struct Visibility {
    #[serde(default = "yes")]
    visible: bool,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
pub(super) struct Mesh {
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<usize>,
    #[serde(default = "triangles")]
    pub(super) mode: u64,
}

fn triangles() -> u64 {
    4
}

#[derive(Deserialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u64,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) shape: String,
    pub(super) sparse: Option<Sparse>,
}

#[derive(Deserialize)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}

/// Required extensions that leave the geometry as it is, or that we read (the first three).
const HARMLESS: [&str; 9] = [
    "KHR_mesh_quantization",
    "EXT_mesh_gpu_instancing",
    "KHR_node_visibility",
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_animation_",
    "EXT_texture_",
    "MSFT_texture_",
];

impl Document {
    pub(super) fn check(&self) -> Result<(), ParseError> {
        if !self.asset.version.starts_with("2.") {
            let what = format!("version {} of glTF", shown(&self.asset.version));
            let instead = "write version 2.0";
            return Err(ParseError::whole(Problem::Unsupported { what, instead }));
        }
        let harmless = |name: &String| HARMLESS.iter().any(|prefix| name.starts_with(prefix));
        if let Some(name) = self.extensions_required.iter().find(|name| !harmless(name)) {
            let what = format!("the required extension `{}`", shown(name));
            let instead = "write plain, uncompressed glTF";
            return Err(ParseError::whole(Problem::Unsupported { what, instead }));
        }
        Ok(())
    }

    /// The roots of the default scene, or of the first; without scenes, all nodes without parent.
    pub(super) fn roots(&self) -> Result<Vec<usize>, ParseError> {
        if self.scene.is_some() || !self.scenes.is_empty() {
            let scene = item(&self.scenes, self.scene.unwrap_or(0), "scene");
            return Ok(scene.map_err(ParseError::whole)?.nodes.clone());
        }
        let mut is_root = vec![true; self.nodes.len()];
        for &child in self.nodes.iter().flat_map(|node| &node.children) {
            if let Some(is_root) = is_root.get_mut(child) {
                *is_root = false;
            }
        }
        Ok((0..self.nodes.len()).filter(|&node| is_root[node]).collect())
    }

    pub(super) fn node(&self, number: usize) -> Result<&Node, ParseError> {
        item(&self.nodes, number, "node").map_err(ParseError::whole)
    }

    pub(super) fn mesh(&self, number: usize) -> Result<&Mesh, ParseError> {
        item(&self.meshes, number, "mesh").map_err(ParseError::whole)
    }
}

/// An entry of a list, or the sentence that it does not exist.
pub(super) fn item<'a, T>(
    list: &'a [T],
    number: usize,
    what: &'static str,
) -> Result<&'a T, Problem> {
    let missing = Problem::NoSuchPart { what, index: number as u64, count: list.len() };
    list.get(number).ok_or(missing)
}

impl Node {
    /// From the node's frame to its parent's.
    pub(super) fn transform(&self) -> Result<DMat4, Problem> {
        if let Some(matrix) = &self.matrix {
            return Ok(DMat4::from_cols_array(matrix));
        }
        let place = Placement {
            translation: self.translation.unwrap_or([0.0; 3]),
            rotation: self.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]),
            scale: self.scale.unwrap_or([1.0; 3]),
        };
        place.transform()
    }

    /// Whether the node is shown, and what is below it.
    pub(super) fn is_visible(&self) -> bool {
        let visibility = self.extensions.as_ref().and_then(|all| all.visibility.as_ref());
        visibility.is_none_or(|visibility| visibility.visible)
    }

    /// The copies of its mesh, if there are several.
    pub(super) fn instancing(&self) -> Option<&Instancing> {
        self.extensions.as_ref()?.instancing.as_ref()
    }
}

/// A scale, then a rotation, then a translation.
pub(super) struct Placement {
    pub(super) translation: [f64; 3],
    pub(super) rotation: [f64; 4],
    pub(super) scale: [f64; 3],
}

impl Placement {
    pub(super) fn transform(&self) -> Result<DMat4, Problem> {
        let rotation = DQuat::from_array(self.rotation);
        // Files round rotations to seven digits; anything much farther from length 1 is a mistake.
        if (rotation.length() - 1.0).abs() > 1e-2 {
            let wanted = "a rotation quaternion of length 1";
            return Err(Problem::Unexpected { found: rotation.to_string(), wanted });
        }
        let [scale, translation] = [self.scale, self.translation].map(DVec3::from);
        Ok(DMat4::from_scale_rotation_translation(scale, rotation.normalize(), translation))
    }
}
