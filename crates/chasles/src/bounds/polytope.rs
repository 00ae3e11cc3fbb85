//! A coarse convex polytope around a body, of at most 26 faces.
//!
//! Its planes touch the body in the directions to the faces, edges and corners of a cube. It is cut
//! out of the box by one plane after the other:
//!
//! ```text
//!    +-------+            /-----+
//!    |  body |     ->    /      |         each polygon is clipped, and the cuts
//!    +-------+          +-------+         close in a new one
//! ```

use glam::DVec3;

use crate::numeric::Elementary;

/// Planes stand off by this part of the size: far above rounding, far below any pixel.
const PAD: f64 = 1e-9;

/// Points this near to each other, in parts of the size, are one: far below what planes stand off,
/// or a corner between two of them would be lost, and above rounding.
const SAME: f64 = 1e-12;

/// A face of a polytope.
#[derive(Clone, Debug)]
pub(crate) struct Facet {
    /// Unit normal, outward.
    pub(crate) normal: DVec3,
    /// A convex polygon.
    pub(crate) corners: Vec<DVec3>,
    /// The square of its diameter.
    pub(crate) diameter_sq: f64,
}

/// A convex polytope that contains a body.
#[derive(Clone, Debug)]
pub(crate) struct Polytope {
    pub(crate) facets: Vec<Facet>,
    /// No corner is farther from the centre that was given.
    pub(crate) radius: f64,
}

impl Polytope {
    /// Around some points; `centre` is a place among them.
    pub(crate) fn around(points: &[DVec3], centre: DVec3) -> Self {
        let size = points.iter().map(|p| p.distance(centre)).fold(0.0, f64::max);
        let pad = PAD * size.max(f64::MIN_POSITIVE);
        let reach = |normal: DVec3| {
            points.iter().map(|p| p.dot(normal)).fold(f64::NEG_INFINITY, f64::max) + pad
        };
        let ends = |sign: f64| DVec3::from_array(DVec3::AXES.map(|axis| sign * reach(sign * axis)));
        let mut facets = cuboid(ends(-1.0), ends(1.0));
        for normal in slanted() {
            cut(&mut facets, normal, reach(normal), SAME * size);
        }
        let facets = facets.into_iter().map(|(normal, corners)| {
            let apart =
                |p: &DVec3| corners.iter().map(|q| p.distance_squared(*q)).fold(0.0, f64::max);
            let diameter_sq = corners.iter().map(apart).fold(0.0, f64::max);
            Facet { normal, corners, diameter_sq }
        });
        let facets: Vec<Facet> = facets.collect();
        let corners = facets.iter().flat_map(|facet| &facet.corners);
        let radius = corners.map(|p| p.distance(centre)).fold(0.0, f64::max);
        Self { facets, radius }
    }
}

/// A normal and a polygon.
type Cut = (DVec3, Vec<DVec3>);

/// The faces of a box.
fn cuboid(low: DVec3, high: DVec3) -> Vec<Cut> {
    let face = |(axis, sign): (usize, f64)| {
        let [u, v] = [DVec3::AXES[(axis + 1) % 3], DVec3::AXES[(axis + 2) % 3]];
        let end = |way: DVec3, is_high: bool| way * if is_high { high } else { low };
        let base = end(DVec3::AXES[axis], sign > 0.0);
        let square = [[false, false], [true, false], [true, true], [false, true]];
        (sign * DVec3::AXES[axis], square.map(|[i, j]| base + end(u, i) + end(v, j)).to_vec())
    };
    (0..3).flat_map(|axis| [(axis, -1.0), (axis, 1.0)]).map(face).collect()
}

/// Directions to the corners and edges of a cube.
fn slanted() -> impl Iterator<Item = DVec3> {
    let all = (0..27).map(|i| [i / 9, i / 3 % 3, i % 3].map(|c| f64::from(c) - 1.0));
    all.map(DVec3::from_array).filter(|way| way.length_squared() > 1.5).map(DVec3::normalize)
}

/// Leaves of a polytope what is on the inner side of a plane.
fn cut(facets: &mut Vec<Cut>, normal: DVec3, offset: f64, same: f64) {
    let height = |p: DVec3| p.dot(normal) - offset;
    let mut rim = Vec::new();
    let mut is_cut = false;
    facets.retain_mut(|(_, corners)| {
        let mut left = Vec::with_capacity(corners.len() + 1);
        for i in 0..corners.len() {
            let [p, q] = [corners[i], corners[(i + 1) % corners.len()]];
            let [from, to] = [height(p), height(q)];
            if from <= 0.0 {
                left.push(p);
            }
            if (from <= 0.0) != (to <= 0.0) {
                let at = p.lerp(q, from / (from - to));
                left.push(at);
                rim.push(at);
                is_cut = true;
            }
        }
        left.dedup_by(|q, p| p.distance(*q) <= same);
        *corners = left;
        corners.len() > 2
    });
    if is_cut {
        facets.push((normal, around(rim, normal, same)));
        facets.retain(|(_, corners)| corners.len() > 2);
    }
}

/// The corners of a convex polygon, given in any order, as they go around its normal.
fn around(mut corners: Vec<DVec3>, normal: DVec3, same: f64) -> Vec<DVec3> {
    let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
    let (u, v) = normal.any_orthonormal_pair();
    let angle = |p: &DVec3| (p - middle).dot(v).arctangent_over((p - middle).dot(u));
    corners.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    corners.dedup_by(|q, p| p.distance(*q) <= same);
    while corners.len() > 1 && corners[0].distance(corners[corners.len() - 1]) <= same {
        corners.pop();
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(seed: u32) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 23) - 1.0
        }
    }

    /// The volume, which is right only if the polygons close and turn the right way or are whole.
    fn volume(polytope: &Polytope) -> f64 {
        let of = |Facet { normal, corners, .. }: &Facet| {
            let area: DVec3 = (1..corners.len() - 1)
                .map(|i| (corners[i] - corners[0]).cross(corners[i + 1] - corners[0]))
                .sum();
            corners[0].dot(*normal) * area.length() / 6.0
        };
        polytope.facets.iter().map(of).sum()
    }

    #[test]
    fn a_cube_is_its_own_polytope() {
        let corners: Vec<DVec3> =
            (0..8).map(|i| DVec3::from_array([0, 1, 2].map(|k| f64::from(i >> k & 1)))).collect();
        let polytope = Polytope::around(&corners, DVec3::splat(0.5));
        assert!((volume(&polytope) - 1.0).abs() < 1e-6, "{}", volume(&polytope));
    }

    /// Planes run along edges of what is cut so far: the slivers that they leave are corners.
    #[test]
    fn bodies_in_line_with_the_planes_keep_their_corners() {
        let wholes = |points: &[[i32; 3]]| -> Vec<DVec3> {
            points.iter().map(|p| DVec3::from_array(p.map(f64::from))).collect()
        };
        let mut bodies = vec![
            wholes(&[[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]),
            wholes(&[[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
            wholes(&[[0, 0, 0], [1, 1, 0]]),
            wholes(&[[0, 0, 0], [1, 1, 1]]),
            wholes(&[[0, 0, 0], [0, 0, 1]]),
        ];
        let mut number = numbers(3);
        bodies.extend((0..500).map(|i| {
            let whole = |number: &mut dyn FnMut() -> f64| (2.5 * number()).round();
            let corner = |_| DVec3::from_array([0; 3].map(|_| whole(&mut number)));
            (0..2 + i % 6).map(corner).collect()
        }));
        for points in bodies.iter().filter(|points| points.iter().any(|p| *p != points[0])) {
            let centre = points.iter().sum::<DVec3>() / points.len() as f64;
            let polytope = Polytope::around(points, centre);
            let faces = polytope.facets.iter();
            // All of the body is in the hull of the facets that look any way, edge-on ones as well.
            for way in slanted().chain(DVec3::AXES) {
                let seen = faces.clone().filter(|facet| facet.normal.dot(way) >= 0.0);
                let corners: Vec<DVec3> = seen.flat_map(|f| f.corners.iter().copied()).collect();
                for side in slanted().map(|side| side.reject_from(way)) {
                    let most = |points: &[DVec3]| {
                        points.iter().map(|p| p.dot(side)).fold(f64::NEG_INFINITY, f64::max)
                    };
                    assert!(most(points) <= most(&corners) + 1e-6, "{points:?} {way} {side}");
                }
            }
        }
    }

    #[test]
    fn points_of_a_ball_are_within_a_little_more_than_a_ball() {
        let mut number = numbers(4);
        let points: Vec<DVec3> = (0..5000)
            .map(|_| DVec3::new(number(), number(), number()).normalize_or(DVec3::X))
            .collect();
        let polytope = Polytope::around(&points, DVec3::ZERO);
        assert_eq!(polytope.facets.len(), 26);
        let ball = 4.0 / 3.0 * std::f64::consts::PI;
        assert!((1.0..1.2).contains(&(volume(&polytope) / ball)), "{}", volume(&polytope) / ball);
        assert!((1.0..1.3).contains(&polytope.radius), "{}", polytope.radius);
    }

    #[test]
    fn every_body_is_inside_and_every_corner_on_planes() {
        let mut number = numbers(9);
        for i in 0..300 {
            let flat = if i % 5 == 0 { 0.0 } else { 1.0 };
            // A single point has no size, and no polytope either.
            let count = 2 + i % 29;
            let points: Vec<DVec3> =
                (0..count).map(|_| DVec3::new(number(), number(), flat * number())).collect();
            let centre = points.iter().sum::<DVec3>() / points.len() as f64;
            let polytope = Polytope::around(&points, centre);
            for Facet { normal, corners, .. } in &polytope.facets {
                let offset = corners[0].dot(*normal);
                assert!(points.iter().all(|p| p.dot(*normal) <= offset + 1e-12), "{i}");
                assert!(corners.iter().all(|p| (p.dot(*normal) - offset).abs() < 1e-6), "{i}");
            }
            // Every point of the body is in the hull of the corners: seen from any direction.
            let corners = || polytope.facets.iter().flat_map(|facet| &facet.corners);
            for _ in 0..20 {
                let way = DVec3::new(number(), number(), number());
                let most = corners().map(|p| p.dot(way)).fold(f64::NEG_INFINITY, f64::max);
                assert!(points.iter().all(|p| p.dot(way) <= most + 1e-6), "{i} {way}");
            }
        }
    }
}
