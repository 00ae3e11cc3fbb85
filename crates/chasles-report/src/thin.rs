//! Coarser meshes for pages: vertices of one cell of a grid become one.

use std::collections::BTreeMap;

use chasles::glam::DVec3;

use super::mesh::Surface;

/// Each round has so much fewer cells along a side than the one before.
const COARSER: f64 = 0.82;

/// A surface of at most `most` bytes that looks like another, without its edges and numbers.
///
/// *Accepts* any surface. *Guarantees* at most `most` bytes, if that is at least 1000: eight
/// vertices have no more than 112 triangles. *Cost* linear for each of some twenty rounds. *Fails*
/// to keep what is thinner than a cell.
pub(crate) fn thinned(surface: &Surface, most: usize) -> Surface {
    // A surface through n x n x n cells has at least some n x n triangles, of nine bytes each.
    let mut cells = (most as f64 / 9.0).sqrt();
    loop {
        let coarse = clustered(surface, cells.max(1.0));
        if coarse.bytes() <= most || cells <= 1.0 {
            return coarse;
        }
        cells *= COARSER;
    }
}

fn clustered(surface: &Surface, cells: f64) -> Surface {
    let Some(first) = surface.positions.first() else { return Surface::default() };
    let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    let [low, high] = first.iter().fold(none, |[low, high], &p| [low.min(p), high.max(p)]);
    let side = ((high - low).max_element() / cells).max(f64::MIN_POSITIVE);
    let mut numbers: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let cell = |p: &DVec3| ((*p - low) / side).to_array().map(|x| x as u32);
    let of: Vec<u32> = first
        .iter()
        .map(|place| {
            let next = numbers.len() as u32;
            *numbers.entry(cell(place)).or_insert(next)
        })
        .collect();
    let positions = surface.positions.iter().map(|all| means(all, &of, numbers.len())).collect();
    let moved = surface.triangles.iter().map(|corners| corners.map(|v| of[v as usize]));
    let is_left = |[p, q, r]: &[u32; 3]| p != q && q != r && r != p;
    let mut triangles: Vec<[u32; 3]> = moved.filter(is_left).map(turned).collect();
    triangles.sort_unstable();
    triangles.dedup();
    Surface { positions, triangles, is_rough: true, ..Surface::default() }
}

/// The same triangle, from its lowest corner on.
fn turned([p, q, r]: [u32; 3]) -> [u32; 3] {
    match p.min(q).min(r) {
        least if least == p => [p, q, r],
        least if least == q => [q, r, p],
        _ => [r, p, q],
    }
}

/// The mean of the places of each cluster.
fn means(places: &[DVec3], of: &[u32], count: usize) -> Vec<DVec3> {
    let mut sums = vec![(DVec3::ZERO, 0.0); count];
    for (&place, &cluster) in places.iter().zip(of) {
        let (sum, number) = &mut sums[cluster as usize];
        *sum += place;
        *number += 1.0;
    }
    sums.into_iter().map(|(sum, number)| sum / number).collect()
}

#[cfg(test)]
mod tests {
    use chasles::mesh::shapes::{Shape, Torus};

    use super::*;

    #[test]
    fn a_torus_keeps_its_size_with_fewer_triangles() {
        let torus = Torus { segments: [120, 60], ..Torus::default() };
        let mesh = Shape::Torus(torus).build().unwrap();
        let surface = Surface::rigid(&mesh);
        assert_eq!(surface.triangles.len(), 14_400);
        for most in [50_000, 5000, 1000] {
            let coarse = thinned(&surface, most);
            assert!(coarse.bytes() <= most, "{} of {most}", coarse.bytes());
            let reach = |s: &Surface| s.positions[0].iter().map(|p| p.length()).fold(0.0, f64::max);
            assert!(most == 1000 || (reach(&coarse) - reach(&surface)).abs() < 0.2);
        }
    }
}
