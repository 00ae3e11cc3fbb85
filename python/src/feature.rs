//! Features as words and numbers.

use chasles::query::{Feature, Features};
use numpy::PyFixedUnicode;

use chasles::path::Sample;

/// The letters of the longest kind, `surface-surface`, and one more.
pub(crate) type Kind = PyFixedUnicode<16>;

/// The kind of a pair, as in results: `fv`, `vf`, `ee`; `sp` and `ps` of samples; `face-side` and
/// the like of round bodies.
pub(crate) fn kind(features: Features) -> String {
    if let Some(meshes) = features.of_meshes() {
        return meshes.kind().to_owned();
    }
    match (features.a, features.b) {
        (Feature::Surface, Feature::Sample(_)) => "sp".to_owned(),
        (Feature::Sample(_), Feature::Surface) => "ps".to_owned(),
        (a, b) => format!("{}-{}", a.kind(), b.kind()),
    }
}

/// A word as NumPy keeps it.
pub(crate) fn fixed(word: &str) -> Kind {
    let mut letters = [0; 16];
    for (letter, byte) in letters.iter_mut().zip(word.bytes()) {
        *letter = u32::from(byte);
    }
    letters.into()
}

/// The numbers of a feature: of an edge its two vertices; else the first is that of the vertex,
/// face, end or sample. -1 stands for none.
pub(crate) fn numbers(feature: Feature) -> [i64; 2] {
    let both = |[p, q]: [u32; 2]| [i64::from(p), i64::from(q)];
    match feature {
        Feature::Vertex(n) | Feature::Face(n) => [n.into(), -1],
        Feature::Edge(edge) | Feature::Sample(Sample::Edge { edge, .. }) => both(edge),
        Feature::End(n) | Feature::Cap(n) | Feature::Rim(n) => [n.into(), -1],
        Feature::Sample(Sample::Face { face, number }) => both([face, number]),
        Feature::Sample(Sample::Vertex(n) | Sample::Point(n)) => [n.into(), -1],
        Feature::Side | Feature::Tip | Feature::Surface | Feature::Inside => [-1, -1],
    }
}
