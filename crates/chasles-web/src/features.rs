//! Parts of surfaces as whole numbers.

use chasles::path::Sample;
use chasles::query::{Feature, Features};

/// Whole numbers for the two features of a contact: for that of A and then for that of B a kind and
/// up to three numbers, the rest 0.
///
/// | kind | | numbers |
/// |---|---|---|
/// | 0 | vertex | its number |
/// | 1 | edge | its two vertices |
/// | 2 | face | its number |
/// | 3 | side | |
/// | 4, 5, 6 | end, cap, rim | 0 or 1 |
/// | 7 | vertex, as a sample | its number |
/// | 8 | sample of an edge | two vertices, and which |
/// | 9 | sample of a face | the face, and which |
/// | 10 | sample of a solid | which |
/// | 11 | surface | |
/// | 12 | inside | |
/// | 13 | tip | |
pub const CONTACT_FEATURES: usize = 8;

/// Both features as whole numbers.
pub(crate) fn coded(features: Features) -> [u32; CONTACT_FEATURES] {
    let [[a, b, c, d], [e, f, g, h]] = [features.a, features.b].map(code);
    [a, b, c, d, e, f, g, h]
}

fn code(feature: Feature) -> [u32; 4] {
    match feature {
        Feature::Vertex(v) => [0, v, 0, 0],
        Feature::Edge([p, q]) => [1, p, q, 0],
        Feature::Face(f) => [2, f, 0, 0],
        Feature::Side => [3, 0, 0, 0],
        Feature::End(i) => [4, i.into(), 0, 0],
        Feature::Cap(i) => [5, i.into(), 0, 0],
        Feature::Rim(i) => [6, i.into(), 0, 0],
        Feature::Sample(Sample::Vertex(v)) => [7, v, 0, 0],
        Feature::Sample(Sample::Edge { edge: [p, q], number }) => [8, p, q, number],
        Feature::Sample(Sample::Face { face, number }) => [9, face, number, 0],
        Feature::Sample(Sample::Point(n)) => [10, n, 0, 0],
        Feature::Surface => [11, 0, 0, 0],
        Feature::Inside => [12, 0, 0, 0],
        Feature::Tip => [13, 0, 0, 0],
    }
}
