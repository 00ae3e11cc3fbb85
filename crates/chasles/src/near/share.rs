//! Whether closed bodies that touch share points a little inside.
//!
//! Edges that touch the other body are noted once each, with the part of them that touches: an end,
//! or what is between the ends. So a vertex with many edges on one with many faces is a list of
//! edges, and not of pairs. Shared points are then looked for inside of each place that touches, in
//! the directions into both bodies, and inside of each edge between such places.

use glam::DVec3;

use super::inside::{beside, contains, is_at, visit_faces};
use super::intersect::{CLEAR, Cut, cut};
use super::scene::Scene;
use crate::bounds::{Aabb, Node};

/// Shared points are looked for this many tolerances inside: clearly away from the surfaces that
/// touch within one.
const DEPTH: f64 = 1e3;

/// A touch this many tolerances from an end of an edge is at the end: each is known to one, and the
/// depth is far more.
const AT: f64 = 4.0;

/// The parts of an edge, as bits.
const FIRST: u8 = 1;
const SECOND: u8 = 2;
const BETWEEN: u8 = 4;

/// Which edges touch the other body; the memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches {
    /// For each body and edge, the parts that touch.
    parts: [Vec<u8>; 2],
    /// The edges with such parts, in the order in which they were found.
    edges: [Vec<u32>; 2],
    /// Whether touches are noted; otherwise all count as known.
    wanted: bool,
    /// The vertices of one body that touch.
    vertices: Vec<u32>,
    /// The touches between the ends of one edge.
    between: Vec<Touch>,
    /// For walks through one tree.
    pub(super) stack: Vec<u32>,
}

/// A place between the ends of an edge.
#[derive(Clone, Copy, Debug)]
struct Touch {
    /// How far along the edge, from 0 to 1.
    along: f64,
    /// Into the other body, in the frame of the edge.
    inward: DVec3,
}

impl Touches {
    /// Forgets what was noted.
    pub(super) fn begin(&mut self, wanted: bool) {
        for (parts, edges) in self.parts.iter_mut().zip(&mut self.edges) {
            edges.drain(..).for_each(|edge| parts[edge as usize] = 0);
        }
        self.wanted = wanted;
    }

    #[inline]
    pub(super) fn knows(&self, owner: usize, edge: u32, part: u8) -> bool {
        !self.wanted || self.parts[owner].get(edge as usize).is_some_and(|parts| parts & part != 0)
    }

    pub(super) fn note(&mut self, owner: usize, edge: u32, part: u8) {
        if !self.wanted {
            return;
        }
        let (parts, edges) = (&mut self.parts[owner], &mut self.edges[owner]);
        if parts.len() <= edge as usize {
            parts.resize(edge as usize + 1, 0);
        }
        let known = &mut parts[edge as usize];
        if *known == 0 {
            edges.push(edge);
        }
        *known |= part;
    }
}

/// A few unit vectors that stand for any number: all of them if they are few, otherwise some that
/// are an angle apart, such that each of the others is within twice that angle of one of these: it
/// may have been left out beside one that was left out itself, at half of the angle.
struct Directions {
    list: [DVec3; Self::MAX],
    count: usize,
    angle: f64,
}

impl Directions {
    /// More than the faces of an ordinary vertex. Twelve directions at most are 60 degrees apart
    /// from each other, so there is room for one more at some angle below that.
    const MAX: usize = 16;

    /// Directions closer than this are the same.
    const SAME: f64 = 1e-6;

    fn of(directions: impl Iterator<Item = DVec3>) -> Self {
        let mut kept = Self { list: [DVec3::ZERO; Self::MAX], count: 0, angle: Self::SAME };
        directions.filter(|d| *d != DVec3::ZERO).for_each(|direction| kept.add(direction));
        kept
    }

    fn add(&mut self, direction: DVec3) {
        if !self.is_new(direction) {
            return;
        }
        while self.count == Self::MAX {
            self.angle *= 2.0;
            let all = self.list;
            self.count = 0;
            for direction in all {
                self.push_new(direction);
            }
        }
        self.push_new(direction);
    }

    fn push_new(&mut self, direction: DVec3) {
        if self.is_new(direction) {
            self.list[self.count] = direction;
            self.count += 1;
        }
    }

    fn is_new(&self, direction: DVec3) -> bool {
        self.as_slice().iter().all(|kept| kept.distance(direction) > self.angle)
    }

    fn as_slice(&self) -> &[DVec3] {
        &self.list[..self.count]
    }
}

impl Scene<'_> {
    /// The part of an edge of `owner` at which a touch is.
    #[inline]
    pub(super) fn part_at(&self, owner: usize, edge: u32, along: f64) -> u8 {
        let length = self.sides[owner].collider.edge_length_sq(edge).sqrt();
        let near = AT * self.tolerance;
        if along * length <= near {
            FIRST
        } else if (1.0 - along) * length <= near {
            SECOND
        } else {
            BETWEEN
        }
    }

    /// Whether two closed bodies share a point near where they touch.
    pub(super) fn share(&self, touches: &mut Touches) -> bool {
        (0..2).any(|owner| {
            let count = touches.edges[owner].len();
            (0..count).any(|i| self.share_along(owner, touches.edges[owner][i], touches))
                || self.share_at_vertices(owner, touches)
        })
    }

    /// Likewise inside of an edge of `owner`, between its touches and at those.
    fn share_along(&self, owner: usize, edge: u32, touches: &mut Touches) -> bool {
        let Touches { parts, between, stack, .. } = touches;
        between.clear();
        if parts[owner][edge as usize] & BETWEEN != 0 {
            self.find_between(owner, edge, between, stack);
        }
        let collider = self.sides[owner].collider;
        let [from, to] = collider.mesh().edge(edge).map(|v| collider.local(v));
        let inward = self.inward(owner, edge);
        let near = AT * self.tolerance / from.distance(to);
        let mut last = 0.0;
        for place in between.chunk_by(|p, q| q.along - p.along <= near) {
            let along = place[0].along;
            let into_other = Directions::of(place.iter().map(|touch| touch.inward));
            let middle = from.lerp(to, 0.5 * (last + along));
            if self.is_shared_below(owner, middle, inward, stack)
                || self.share_at(
                    owner,
                    from.lerp(to, along),
                    [&[inward], into_other.as_slice()],
                    stack,
                )
            {
                return true;
            }
            last = along;
        }
        self.is_shared_below(owner, from.lerp(to, 0.5 * (last + 1.0)), inward, stack)
    }

    /// The touches of an edge of `owner` that are not at its ends, in order.
    fn find_between(
        &self,
        owner: usize,
        edge: u32,
        between: &mut Vec<Touch>,
        stack: &mut Vec<u32>,
    ) {
        let [own, other] = [&self.sides[owner], &self.sides[1 - owner]];
        let ends = own.collider.mesh().edge(edge).map(|v| other.point(own.collider.local(v)));
        // A touch may be off by a tolerance along the face and across it.
        let around = Aabb::around(ends).grown(DVec3::splat(2.0 * self.tolerance + self.noise));
        let meets = |node: &Node| {
            let [low, high] = [node.centre - node.half, node.centre + node.half];
            around.overlaps(&Aabb { low, high })
        };
        visit_faces(other.collider, stack, meets, |face| {
            if let Cut::Touch(along) = cut(other.collider, face, ends, self.tolerance, |_| false)
                && self.part_at(owner, edge, along) == BETWEEN
            {
                let inward = own.vector(-other.collider.mesh().normal(face));
                between.push(Touch { along, inward });
            }
            true
        });
        between.sort_by(|p, q| p.along.total_cmp(&q.along));
    }

    /// Whether the bodies share a point next to a vertex of `owner` that touches.
    fn share_at_vertices(&self, owner: usize, touches: &mut Touches) -> bool {
        let Touches { parts, edges, vertices, stack, .. } = touches;
        let [own, other] = [&self.sides[owner], &self.sides[1 - owner]];
        let (mesh, parts) = (own.collider.mesh(), &parts[owner]);
        let touches_at = |e: u32, v: u32| {
            let [first, second] = mesh.edge(e);
            let known = parts.get(e as usize).copied().unwrap_or(0);
            first == v && known & FIRST != 0 || second == v && known & SECOND != 0
        };
        vertices.clear();
        for &e in &edges[owner] {
            vertices.extend(mesh.edge(e).into_iter().filter(|&v| touches_at(e, v)));
        }
        vertices.sort_unstable();
        vertices.dedup();
        vertices.iter().any(|&v| {
            let at = own.collider.local(v);
            let touching = mesh.vertex_edges(v).iter().filter(|&&e| touches_at(e, v));
            let into_own = Directions::of(touching.map(|&e| self.inward(owner, e)));
            let into_other = self.directions_into(1 - owner, other.point(at), stack);
            let directions = [into_own.as_slice(), into_other.as_slice()];
            self.share_at(owner, at, directions, stack)
        })
    }

    /// Into the faces of `owner` that a local point of it touches, in the frame of the other body.
    fn directions_into(&self, owner: usize, at: DVec3, stack: &mut Vec<u32>) -> Directions {
        let [own, other] = [&self.sides[owner], &self.sides[1 - owner]];
        let near = AT * self.tolerance;
        let mut kept = Directions::of(std::iter::empty());
        visit_faces(own.collider, stack, beside(at, near), |face| {
            if is_at(own.collider, face, at, near) {
                kept.add(other.vector(-own.collider.mesh().normal(face)));
            }
            true
        });
        kept
    }

    /// Into `owner` from one of its edges: against the mean normal of its faces.
    fn inward(&self, owner: usize, edge: u32) -> DVec3 {
        let mesh = self.sides[owner].collider.mesh();
        let normals = mesh.edge_sides(edge).iter().map(|side| mesh.normal(side.face));
        -normals.sum::<DVec3>().normalize_or_zero()
    }

    /// Whether the bodies share a point next to a local point of `owner`, in one of some directions
    /// into it, in one of others into the other body, or between one of each.
    fn share_at(
        &self,
        owner: usize,
        at: DVec3,
        [into_own, into_other]: [&[DVec3]; 2],
        stack: &mut Vec<u32>,
    ) -> bool {
        let mut shared = |toward: DVec3| self.is_shared_below(owner, at, toward, stack);
        into_own.iter().chain(into_other).any(|&toward| shared(toward))
            || into_own.iter().any(|&p| into_other.iter().any(|&q| shared(p + q)))
    }

    /// Whether the point that is a little farther in some direction is inside both bodies.
    fn is_shared_below(
        &self,
        owner: usize,
        from: DVec3,
        toward: DVec3,
        stack: &mut Vec<u32>,
    ) -> bool {
        let Some(toward) = toward.try_normalize() else { return false };
        let at = from + DEPTH * self.tolerance * toward;
        let [own, other] = [&self.sides[owner], &self.sides[1 - owner]];
        let clear = CLEAR * self.tolerance;
        contains(other.collider, other.point(at), clear, stack)
            && contains(own.collider, at, clear, stack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_directions_stand_for_a_thousand() {
        let turned = |i: u32| DVec3::new(f64::from(i).cos(), f64::from(i).sin(), 0.5).normalize();
        let few = Directions::of((0..16).map(turned));
        assert_eq!((few.as_slice().len(), few.angle), (16, Directions::SAME));
        let many = Directions::of((0..1000).map(turned));
        assert!((6..=16).contains(&many.as_slice().len()));
        for i in 0..1000 {
            let nearest = many.as_slice().iter().map(|kept| kept.distance(turned(i)));
            assert!(nearest.fold(f64::INFINITY, f64::min) <= 2.0 * many.angle);
        }
    }
}
