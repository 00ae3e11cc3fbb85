//! The convex hull of points as triangles, with exact decisions.

use glam::DVec3;

use super::side::{Plane, is_on_line, outside};

/// An edge of a hull: its ends, and the corners across it in the triangles on its left and right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HullEdge {
    pub(super) ends: [u32; 2],
    wings: [u32; 2],
}

/// Triangles around points, counter-clockwise seen from outside, and their edges.
#[derive(Clone, Debug, Default)]
pub(super) struct Hull {
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) edges: Vec<HullEdge>,
    pub(super) vertices: Vec<u32>,
    /// Points that are no corner of a triangle.
    spare: Vec<u32>,
    scratch: Scratch,
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    visible: Vec<[u32; 3]>,
    rim: Vec<[u32; 2]>,
    sides: Vec<([u32; 2], u32)>,
    used: Vec<bool>,
}

impl Hull {
    /// Takes triangles as they are, if each edge has one triangle on each side.
    pub(super) fn from_triangles(triangles: Vec<[u32; 3]>, points: usize) -> Option<Self> {
        let mut hull = Self { triangles, ..Self::default() };
        hull.join(points).then_some(hull)
    }

    /// Whether the triangles are the boundary of the convex hull of the points, given that they
    /// are one surface around an inner point, or nearly so: no triangle is a line, no edge is a
    /// valley, no spare point sticks out.
    pub(super) fn is_convex(&self, points: &[DVec3]) -> bool {
        let at = |i: u32| points[i as usize];
        let is_ridge = |edge: &HullEdge| {
            let [p, q] = edge.ends;
            outside([p, q, edge.wings[0]].map(at), at(edge.wings[1])) <= 0.0
        };
        self.triangles.iter().all(|t| !is_on_line(t.map(at)))
            && self.edges.iter().all(is_ridge)
            && self
                .spare
                .iter()
                .all(|&v| self.triangles.iter().all(|t| outside(t.map(at), at(v)) <= 0.0))
    }

    /// The planes of the triangles, in their order.
    pub(super) fn planes(&self, points: &[DVec3]) -> impl Iterator<Item = Plane> {
        self.triangles.iter().map(|t| Plane::new(t.map(|i| points[i as usize])))
    }

    /// Makes this the hull of the points, one point at a time: the triangles that see the point
    /// give way to a fan from the point to their rim. Triangles in whose plane the point lies stay,
    /// so no new triangle is a line. Returns false, and holds nothing of use, if all points lie in
    /// a plane.
    ///
    /// Quadratic at worst; allocates nothing once it has been as large.
    pub(super) fn rebuild(&mut self, points: &[DVec3]) -> bool {
        let Some(first) = tetrahedron(points) else {
            return false;
        };
        self.triangles.clear();
        self.triangles.extend(first);
        for v in 0..points.len() as u32 {
            self.add(v, points);
        }
        self.join(points.len())
    }

    fn add(&mut self, v: u32, points: &[DVec3]) {
        let Scratch { visible, rim, .. } = &mut self.scratch;
        visible.clear();
        let sees = |t: &[u32; 3]| outside(t.map(|i| points[i as usize]), points[v as usize]) > 0.0;
        self.triangles.retain(|t| {
            let gone = sees(t);
            if gone {
                visible.push(*t);
            }
            !gone
        });
        rim.clear();
        rim.extend(visible.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]));
        rim.sort_unstable();
        let is_rim = |&&[p, q]: &&[u32; 2]| rim.binary_search(&[q, p]).is_err();
        self.triangles.extend(rim.iter().filter(is_rim).map(|&[p, q]| [p, q, v]));
    }

    /// Finds edges, vertices and spare points. False if some edge has not one triangle on each
    /// side.
    fn join(&mut self, points: usize) -> bool {
        let Scratch { sides, used, .. } = &mut self.scratch;
        used.clear();
        used.resize(points, false);
        sides.clear();
        for &[a, b, c] in &self.triangles {
            sides.extend([([a, b], c), ([b, c], a), ([c, a], b)]);
            for v in [a, b, c] {
                used[v as usize] = true;
            }
        }
        self.vertices.clear();
        self.spare.clear();
        for (v, &used) in used.iter().enumerate() {
            let list = if used { &mut self.vertices } else { &mut self.spare };
            list.push(v as u32);
        }
        // Both directions of an edge become neighbours, the one from the lower end first.
        sides.sort_unstable_by_key(|&([p, q], _)| (p.min(q), p.max(q), p > q));
        self.edges.clear();
        let pairs = sides.chunks(2).map(|pair| match *pair {
            [([p, q], left), ([r, s], right)] if [p, q] == [s, r] && p < q => {
                Some(HullEdge { ends: [p, q], wings: [left, right] })
            }
            _ => None,
        });
        for edge in pairs {
            let Some(edge) = edge else { return false };
            self.edges.push(edge);
        }
        // An edge with four triangles would stand as two equal edges.
        self.edges.windows(2).all(|pair| pair[0].ends != pair[1].ends)
    }
}

/// Four points that are not in a plane, as triangles seen from outside.
pub(crate) fn tetrahedron(points: &[DVec3]) -> Option<[[u32; 3]; 4]> {
    let at = |i: u32| points[i as usize];
    let mut all = 0..points.len() as u32;
    let a = all.next()?;
    let b = all.find(|&i| at(i) != at(a))?;
    let c = all.clone().find(|&i| !is_on_line([at(a), at(b), at(i)]))?;
    let d = all.find(|&i| outside([a, b, c].map(at), at(i)) != 0.0)?;
    let [b, c] = if outside([a, b, c].map(at), at(d)) > 0.0 { [c, b] } else { [b, c] };
    Some([[a, b, c], [a, d, b], [b, d, c], [c, d, a]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(side: i32) -> Vec<DVec3> {
        let all = move |z| (0..side).flat_map(move |y| (0..side).map(move |x| (x, y, z)));
        (0..side).flat_map(all).map(|(x, y, z)| DVec3::new(x.into(), y.into(), z.into())).collect()
    }

    #[test]
    fn the_hull_of_a_grid_is_a_cube() {
        let points = grid(4);
        let mut hull = Hull::default();
        assert!(hull.rebuild(&points));
        assert!(hull.is_convex(&points));
        let at = |i: u32| points[i as usize];
        let six_volumes = |t: &[u32; 3]| at(t[0]).dot(at(t[1]).cross(at(t[2])));
        assert_eq!(hull.triangles.iter().map(six_volumes).sum::<f64>(), 6.0 * 27.0);
        assert_eq!(hull.triangles.len() + hull.vertices.len(), hull.edges.len() + 2);
        assert!(!hull.vertices.contains(&21), "an inner point is spare");
    }

    #[test]
    fn points_in_a_plane_have_no_hull() {
        let points: Vec<DVec3> = grid(3).into_iter().filter(|p| p.z == p.x).collect();
        assert!(!Hull::default().rebuild(&points));
        assert!(!Hull::default().rebuild(&[]));
    }

    #[test]
    fn a_valley_of_one_unit_in_the_last_place_is_seen_and_mended() {
        let mut points = grid(2);
        let mut hull = Hull::default();
        assert!(hull.rebuild(&points));
        points[7].z = points[7].z.next_down();
        points[4].z = points[4].z.next_down();
        let before = hull.is_convex(&points);
        points[7].z = 1.0_f64.next_up();
        points[4].z = 1.0_f64.next_up();
        assert_ne!(before, hull.is_convex(&points), "one of the two makes the diagonal a valley");
        assert!(hull.rebuild(&points) && hull.is_convex(&points));
    }
}
