//! Whether a point or an edge meets a convex solid, and whether two solids meet. Exact.

use glam::DVec3;

use super::Owner;
use super::hull::Hull;
use super::side::Plane;

/// A hull at its place.
#[derive(Clone, Copy)]
pub(super) struct Solid<'a> {
    pub(super) points: &'a [DVec3],
    pub(super) hull: &'a Hull,
    pub(super) planes: &'a [Plane],
    /// Lowest and highest coordinates.
    pub(super) bounds: [DVec3; 2],
    /// No two points of the query differ by more in a coordinate.
    pub(super) reach: f64,
}

/// A part of one solid that meets the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    Vertex(u32),
    Edge([u32; 2]),
}

impl Solid<'_> {
    fn side(&self, plane: usize, p: DVec3) -> f64 {
        self.planes[plane].side(p, self.reach)
    }

    /// Whether a point lies in the closed solid. `last` is the plane to try first, and becomes the
    /// one that shows the point to be outside: for neighbouring points mostly the same.
    ///
    /// A point on no plane's outer side is in the hull of the solid's points even if the surface
    /// has valleys: from the point all triangles appear with the same orientation, so the surface
    /// winds around it, and it does not around points outside the hull. The test for a strict side
    /// leaves out solids that rounding has made flat, around which nothing winds.
    pub(super) fn contains(&self, p: DVec3, last: &mut usize) -> bool {
        let [low, high] = self.bounds;
        if (p.cmplt(low) | p.cmpgt(high)).any() || self.side(*last, p) > 0.0 {
            return false;
        }
        let mut is_strict = false;
        for (i, plane) in self.planes.iter().enumerate() {
            let side = plane.side(p, self.reach);
            if side > 0.0 {
                *last = i;
                return false;
            }
            is_strict |= side < 0.0;
        }
        is_strict
    }

    /// Whether an edge passes through the closed surface, at a point where it is not in the plane
    /// of the triangle that it passes through. `last` is as for [`Solid::contains`].
    ///
    /// An edge with both ends outside the solid meets it if and only if this holds, see the
    /// [module](super).
    pub(super) fn is_crossed(&self, [p, q]: [DVec3; 2], last: &mut usize) -> bool {
        let [low, high] = self.bounds;
        if (p.cmplt(low) & q.cmplt(low) | p.cmpgt(high) & q.cmpgt(high)).any() {
            return false;
        }
        let is_beyond = |i: usize| self.side(i, p) > 0.0 && self.side(i, q) > 0.0;
        if is_beyond(*last) {
            return false;
        }
        if let Some(i) = (0..self.planes.len()).find(|&i| is_beyond(i)) {
            *last = i;
            return false;
        }
        self.planes.iter().any(|plane| {
            let [s, t] = [p, q].map(|end| plane.side(end, self.reach));
            let is_through = (s >= 0.0 && t <= 0.0 || s <= 0.0 && t >= 0.0) && s != t;
            is_through && plane.is_hit(p, q)
        })
    }
}

/// A part of one solid that meets the other, or none if there is none: vertices of both first,
/// then edges of both.
pub(super) fn meeting_part(solids: &[Solid; 2]) -> Option<(Owner, Part)> {
    let ways =
        || [Owner::B, Owner::A].map(|owner| (owner, owner.of(solids), owner.other().of(solids)));
    for (owner, inner, outer) in ways() {
        let mut last = 0;
        let is_in = |v: &&u32| outer.contains(inner.points[**v as usize], &mut last);
        if let Some(&v) = inner.hull.vertices.iter().find(is_in) {
            return Some((owner, Part::Vertex(v)));
        }
    }
    for (owner, inner, outer) in ways() {
        let mut last = 0;
        let mut edges = inner.hull.edges.iter().map(|edge| edge.ends);
        let ends = |edge: [u32; 2]| edge.map(|v| inner.points[v as usize]);
        if let Some(edge) = edges.find(|&edge| outer.is_crossed(ends(edge), &mut last)) {
            return Some((owner, Part::Edge(edge)));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron(top: DVec3) -> ([DVec3; 4], Hull) {
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y, top];
        let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        (points, Hull::from_triangles(triangles, 4).expect("closed"))
    }

    #[test]
    fn corners_edges_and_faces_belong_to_a_solid() {
        let (points, hull) = tetrahedron(DVec3::Z);
        let planes: Vec<Plane> = hull.planes(&points).collect();
        let bounds = [DVec3::splat(-9.0), DVec3::splat(9.0)];
        let solid = Solid { points: &points, hull: &hull, planes: &planes, bounds, reach: 4.0 };
        let mut last = 0;
        for inside in [DVec3::Z, DVec3::new(0.5, 0.5, 0.0), DVec3::splat(0.1)] {
            assert!(solid.contains(inside, &mut last), "{inside}");
        }
        assert!(!solid.contains(DVec3::new(0.5, 0.5, 1e-30), &mut last));
        let along = [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(2.0, 0.0, 0.0)];
        assert!(solid.is_crossed(along, &mut last), "an edge along an edge passes its corners");
        let past = along.map(|p| p - 1e-30 * DVec3::Z);
        assert!(!solid.is_crossed(past, &mut last));
    }

    #[test]
    fn a_solid_that_rounding_has_made_flat_contains_nothing() {
        let (points, hull) = tetrahedron(0.25 * (DVec3::X + DVec3::Y));
        let planes: Vec<Plane> = hull.planes(&points).collect();
        let bounds = [DVec3::splat(-9.0), DVec3::splat(9.0)];
        let solid = Solid { points: &points, hull: &hull, planes: &planes, bounds, reach: 4.0 };
        assert!(!solid.contains(DVec3::new(5.0, 5.0, 0.0), &mut 0));
    }
}
