//! How deep the origin lies in a convex polytope that is known by its farthest points alone.
//!
//! Let A and B be convex. The translations of B that leave the bodies in each other are the inside
//! of the polytope of all differences `a - b`, so the shortest that separates them leads from the
//! origin to its nearest face. The hull of some points of the polytope is inside of it, and the
//! nearest face of the hull is a lower bound; the farthest point of the polytope across that face
//! gives an upper bound, and is a new point of the hull. When there is none farther, both are
//! equal. This is the expanding polytope of [Bergen01], with a hull that is found exactly and grows
//! in place: each point costs the faces that it takes away.
//!
//! *The bound.* Let `n` be any unit vector and `c` the corners of a triangle. Then all of its
//! points are at least `min n . c` away from the origin. The nearest point of a hull around the
//! origin is in one of its triangles, so no way out of the hull is shorter than the least of these,
//! whatever rounding makes of normals; it is the distance of the plane if `n` is the normal.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec3;

use crate::convex::{first_tetrahedron, outside, without_dust};

/// Points at most: more than the polytope of two spheres of 8,192 faces has.
const MOST_POINTS: usize = 1 << 18;

/// Gains below this part of the size are rounding.
const ROUNDING: f64 = 1e-14;

/// Products of three coordinates stay within the range of doubles.
const LARGEST: f64 = 1e90;

/// The shortest way out, or what is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    /// Unit.
    pub(super) toward: DVec3,
    /// How far the polytope reaches that way.
    pub(super) length: f64,
    /// No way is shorter.
    pub(super) lower: f64,
}

/// The shortest way from the origin out of a polytope, by its farthest point in a direction. None
/// if the polytope is flat, or beyond 1e90. `size` is that of the polytope.
pub(super) fn out(mut farthest: impl FnMut(DVec3) -> DVec3, size: f64) -> Option<Out> {
    let mut farthest = |toward: DVec3| without_dust(farthest(toward));
    let mut hull = Hull::around(first_directions().map(&mut farthest).collect())?;
    let rounding = ROUNDING * size;
    let mut best = Out { toward: DVec3::X, length: f64::INFINITY, lower: 0.0 };
    // The distance of the nearest face of the hull that is one of the polytope.
    let mut known = f64::INFINITY;
    while let Some(Nearest { distance, facet }) = hull.nearest.pop() {
        if !hull.facets[facet as usize].is_there {
            continue;
        }
        // All others are no nearer.
        best.lower = best.lower.max(distance.min(known).min(best.length));
        let is_settled = best.length - best.lower <= rounding || distance > known + rounding;
        if is_settled || hull.points.len() > MOST_POINTS {
            break;
        }
        let toward = hull.facets[facet as usize].normal;
        let point = farthest(toward);
        let length = point.dot(toward);
        if length < best.length {
            best = Out { toward, length, ..best };
        }
        if length - distance <= rounding || !hull.grow(facet, point) {
            // A face of the polytope, up to rounding: a sliver may be farther away than it seems.
            let farther = hull.distance_of_sliver(facet);
            if farther > distance {
                hull.nearest.push(Nearest { distance: farther, facet });
            } else {
                known = known.min(distance);
            }
        }
    }
    Some(best)
}

/// Along the axes and between them, none exactly, so that not all points lie in a plane.
fn first_directions() -> impl Iterator<Item = DVec3> {
    let signs = [-1.0, 1.0];
    let axes = [DVec3::new(1.0, 0.1, 0.01), DVec3::new(0.01, 1.0, 0.1), DVec3::new(0.1, 0.01, 1.0)];
    let along = axes.into_iter().flat_map(move |axis| signs.map(|sign| sign * axis));
    let corners = (0..8).map(move |i| DVec3::new(signs[i & 1], signs[i >> 1 & 1], signs[i >> 2]));
    along.chain(corners)
}

/// A triangle of a hull, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug)]
struct Facet {
    corners: [u32; 3],
    /// Across the edges from each corner to the next.
    neighbours: [u32; 3],
    normal: DVec3,
    /// Whether it is still part of the hull.
    is_there: bool,
}

/// A facet and a lower bound of its distance from the origin.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    distance: f64,
    facet: u32,
}

/// The greatest is the nearest, and of equally near ones the first.
impl Ord for Nearest {
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.total_cmp(&self.distance).then_with(|| other.facet.cmp(&self.facet))
    }
}

impl PartialOrd for Nearest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Nearest {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Nearest {}

/// The convex hull of points that come one by one.
#[derive(Debug)]
struct Hull {
    points: Vec<DVec3>,
    facets: Vec<Facet>,
    nearest: BinaryHeap<Nearest>,
    visible: Vec<u32>,
    /// Edges between facets that go and facets that stay: their ends as the former have them, and
    /// the latter.
    rim: Vec<([u32; 2], u32)>,
}

impl Hull {
    /// The hull of points; none if they lie in a plane, or are too large.
    fn around(points: Vec<DVec3>) -> Option<Self> {
        if !points.iter().all(|p| p.is_finite() && p.abs().max_element() <= LARGEST) {
            return None;
        }
        let first = first_tetrahedron(&points)?;
        let mut hull = Self {
            points,
            facets: Vec::new(),
            nearest: BinaryHeap::new(),
            visible: Vec::new(),
            rim: Vec::new(),
        };
        for corners in first {
            let has = |t: &[u32; 3], edge: [u32; 2]| (0..3).any(|i| [t[i], t[(i + 1) % 3]] == edge);
            let across = |i: usize| {
                let edge = [corners[(i + 1) % 3], corners[i]];
                first.iter().position(|t| has(t, edge)).map_or(0, |number| number as u32)
            };
            hull.add(corners, [0, 1, 2].map(across));
        }
        for v in 0..hull.points.len() as u32 {
            let seen = (0..hull.facets.len() as u32).find(|&f| hull.sees(v, f));
            if let Some(facet) = seen {
                hull.replace(facet, v);
            }
        }
        Some(hull)
    }

    fn at(&self, facet: u32) -> [DVec3; 3] {
        self.facets[facet as usize].corners.map(|v| self.points[v as usize])
    }

    fn sees(&self, v: u32, facet: u32) -> bool {
        self.facets[facet as usize].is_there
            && outside(self.at(facet), self.points[v as usize]) > 0.0
    }

    fn add(&mut self, corners: [u32; 3], neighbours: [u32; 3]) -> u32 {
        let number = self.facets.len() as u32;
        let [p, q, r] = corners.map(|v| self.points[v as usize]);
        let normal = (q - p).cross(r - p).try_normalize();
        let normal = normal.or(p.try_normalize()).unwrap_or(DVec3::X);
        self.facets.push(Facet { corners, neighbours, normal, is_there: true });
        self.nearest.push(Nearest { distance: least([p, q, r], normal), facet: number });
        number
    }

    /// Takes in a point beyond a facet. False if it is not beyond.
    fn grow(&mut self, facet: u32, point: DVec3) -> bool {
        let v = self.points.len() as u32;
        self.points.push(point);
        let is_beyond = self.sees(v, facet);
        if is_beyond {
            self.replace(facet, v);
        } else {
            self.points.pop();
        }
        is_beyond
    }

    /// Facets that see a point give way to a fan from the point to their rim. Those in whose plane
    /// it lies stay, so no new triangle is a line; those that go hang together, as those do that
    /// see a point next to it, farther in.
    fn replace(&mut self, facet: u32, v: u32) {
        self.visible.clear();
        self.rim.clear();
        self.visible.push(facet);
        self.facets[facet as usize].is_there = false;
        let mut next = 0;
        while let Some(&current) = self.visible.get(next) {
            next += 1;
            let Facet { corners, neighbours, .. } = self.facets[current as usize];
            for i in 0..3 {
                let across = neighbours[i];
                if self.sees(v, across) {
                    self.facets[across as usize].is_there = false;
                    self.visible.push(across);
                } else if self.facets[across as usize].is_there {
                    self.rim.push(([corners[i], corners[(i + 1) % 3]], across));
                }
            }
        }
        self.close(v);
    }

    /// A fan from a point to the rim, which goes once around.
    fn close(&mut self, v: u32) {
        let rim = std::mem::take(&mut self.rim);
        let first = self.facets.len() as u32;
        let mut starts: Vec<(u32, u32)> =
            rim.iter().zip(first..).map(|(&([p, _], _), number)| (p, number)).collect();
        starts.sort_unstable();
        let starting = |p: u32| {
            starts.binary_search_by_key(&p, |&(start, _)| start).map_or(first, |i| starts[i].1)
        };
        let mut before = vec![first; rim.len()];
        for (&([_, q], _), number) in rim.iter().zip(first..) {
            before[(starting(q) - first) as usize] = number;
        }
        for (i, &([p, q], across)) in rim.iter().enumerate() {
            let number = self.add([p, q, v], [across, starting(q), before[i]]);
            let Facet { corners, neighbours, .. } = &mut self.facets[across as usize];
            for side in 0..3 {
                if [corners[side], corners[(side + 1) % 3]] == [q, p] {
                    neighbours[side] = number;
                }
            }
        }
        self.rim = rim;
    }

    /// A lower bound of the distance of a facet, along the nearest points of its edges: of a sliver
    /// the normal is no better than its shape.
    fn distance_of_sliver(&self, facet: u32) -> f64 {
        let corners = self.at(facet);
        let nearest = |i: usize| {
            let [p, q] = [corners[i], corners[(i + 1) % 3]];
            let along = q - p;
            let place = (-p.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let toward = (p + place * along).try_normalize();
            toward.map_or(f64::NEG_INFINITY, |toward| least(corners, toward))
        };
        [0, 1, 2].map(nearest).into_iter().fold(f64::NEG_INFINITY, f64::max)
    }
}

/// All points of a triangle are at least this far from the origin.
fn least(corners: [DVec3; 3], toward: DVec3) -> f64 {
    corners.map(|corner| corner.dot(toward)).into_iter().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::hull;

    /// A box about a middle, by its corners.
    fn cuboid(half: DVec3, middle: DVec3) -> impl Fn(DVec3) -> DVec3 {
        move |toward| middle + half * toward.signum()
    }

    #[test]
    fn the_nearest_side_of_a_box_is_found() {
        let half = DVec3::new(1.0, 2.0, 3.0);
        for (middle, toward, length) in [
            (DVec3::ZERO, None, 1.0),
            (DVec3::new(0.0, 1.75, 0.0), Some(-DVec3::Y), 0.25),
            (DVec3::new(0.25, -1.5, 2.875), Some(-DVec3::Z), 0.125),
        ] {
            let out = out(cuboid(half, middle), 6.0).expect("not flat");
            assert!((out.length - length).abs() < 1e-14 && out.lower >= length - 1e-13, "{out:?}");
            assert!(toward.is_none_or(|toward| out.toward.abs_diff_eq(toward, 1e-12)), "{out:?}");
        }
    }

    #[test]
    fn a_ball_of_many_corners_is_as_deep_as_its_flattest_face() {
        let corners: Vec<DVec3> = (0..400)
            .map(|i| {
                let z = 1.0 - (f64::from(i) + 0.5) / 200.0;
                let (sin, cos) = (2.399963 * f64::from(i)).sin_cos();
                (1.0 - z * z).sqrt() * DVec3::new(cos, sin, 0.0) + DVec3::Z * z
            })
            .collect();
        let farthest = |toward: DVec3| {
            let along = |p: &&DVec3, q: &&DVec3| p.dot(toward).total_cmp(&q.dot(toward));
            *corners.iter().max_by(along).expect("some")
        };
        let hull = hull(&corners).expect("not flat");
        let height = |face: &Vec<u32>| {
            let [p, q, r] = [0, 1, 2].map(|i| hull.vertices[face[i] as usize]);
            (q - p).cross(r - p).normalize().dot(p)
        };
        let expected = hull.faces.iter().map(height).fold(f64::INFINITY, f64::min);
        let out = out(farthest, 2.0).expect("not flat");
        assert!(
            (out.length - expected).abs() < 1e-13 && out.lower >= out.length - 1e-12,
            "{out:?}"
        );
    }

    #[test]
    fn flat_sets_have_no_depth() {
        assert!(out(cuboid(DVec3::new(1.0, 2.0, 0.0), DVec3::ZERO), 4.0).is_none());
    }

    /// Many points of the sides of a box that is turned, so that rounding makes slivers of them.
    #[test]
    fn slivers_do_not_lower_the_bound() {
        let turn = glam::DQuat::from_scaled_axis(DVec3::new(0.3, -0.7, 0.5));
        let half = DVec3::new(1.0, 2.0, 3.0);
        let middle = DVec3::new(0.2, -1.5, 0.3);
        let along = |i: i32| f64::from(i) / 8.0;
        let grid = (-8..=8).flat_map(|i| (-8..=8).map(move |j| [along(i), along(j)]));
        let sides = grid.flat_map(|[u, v]| {
            let [x, y, z] = [DVec3::new(1.0, u, v), DVec3::new(u, 1.0, v), DVec3::new(u, v, 1.0)];
            [x, -x, y, -y, z, -z]
        });
        let points: Vec<DVec3> = sides.map(|p| turn * (half * p + middle)).collect();
        let farthest = |toward: DVec3| {
            let along = |p: &&DVec3, q: &&DVec3| p.dot(toward).total_cmp(&q.dot(toward));
            *points.iter().max_by(along).expect("some")
        };
        let out = out(farthest, 8.0).expect("not flat");
        assert!((out.length - 0.5).abs() < 1e-13 && out.lower > 0.5 - 1e-12, "{out:?}");
    }
}
