//! What touches, as JSON.

use chasles::path::{self, Sample};
use chasles::query::{self, Feature};
use serde::Serialize;

use crate::results::Features;

/// A part of a body, by its kind and number.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum FeatureJson {
    Vertex { vertex: u32 },
    Edge { edge: [u32; 2] },
    Face { face: u32 },
    EdgeSample { edge: [u32; 2], sample: u32 },
    FaceSample { face: u32, sample: u32 },
    Point { point: u32 },
    Solid { solid: bool },
    Side { side: bool },
    End { end: u8 },
    Cap { cap: u8 },
    Rim { rim: u8 },
    Tip { tip: bool },
}

impl From<Sample> for FeatureJson {
    fn from(sample: Sample) -> Self {
        match sample {
            Sample::Vertex(vertex) => Self::Vertex { vertex },
            Sample::Edge { edge, number } => Self::EdgeSample { edge, sample: number },
            Sample::Face { face, number } => Self::FaceSample { face, sample: number },
            Sample::Point(point) => Self::Point { point },
        }
    }
}

impl From<Feature> for FeatureJson {
    fn from(feature: Feature) -> Self {
        match feature {
            Feature::Vertex(vertex) => Self::Vertex { vertex },
            Feature::Edge(edge) => Self::Edge { edge },
            Feature::Face(face) => Self::Face { face },
            Feature::Side => Self::Side { side: true },
            Feature::End(end) => Self::End { end },
            Feature::Cap(cap) => Self::Cap { cap },
            Feature::Rim(rim) => Self::Rim { rim },
            Feature::Tip => Self::Tip { tip: true },
            Feature::Sample(sample) => sample.into(),
            Feature::Surface | Feature::Inside => Self::Solid { solid: true },
        }
    }
}

pub(crate) fn features(features: impl Into<Features>) -> [FeatureJson; 2] {
    let solid = FeatureJson::Solid { solid: true };
    match features.into() {
        Features::Meshes(features) => of_meshes(features),
        Features::Path(path::Features::SolidSample(sample)) => [solid, sample.into()],
        Features::Path(path::Features::SampleSolid(sample)) => [sample.into(), solid],
        Features::Round(query::Features { a, b }) => [a.into(), b.into()],
    }
}

fn of_meshes(features: chasles::Features) -> [FeatureJson; 2] {
    let face = |face| FeatureJson::Face { face };
    let vertex = |vertex| FeatureJson::Vertex { vertex };
    let edge = |edge| FeatureJson::Edge { edge };
    match features {
        chasles::Features::Fv { face: f, vertex: v } => [face(f), vertex(v)],
        chasles::Features::Vf { vertex: v, face: f } => [vertex(v), face(f)],
        chasles::Features::Ee { a, b } => [edge(a), edge(b)],
    }
}
