//! The closest features of two leaves.

use glam::DVec3;
use wide::f64x2;

use super::scene::Scene;
use super::segment::{Segment, closest};
use crate::bounds::{Collider, Node, Twins};
use crate::contact::locate::{Place, in_polygon};
use crate::near::{Cut, cut};

/// A feature, in the numbers of the collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spot {
    Vertex(u32),
    Edge(u32),
    Face(u32),
}

/// The closest features found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) spots: [Spot; 2],
    /// The closest points, in A's local frame.
    pub(super) points: [DVec3; 2],
}

/// An edge or a lone vertex, and how far it reaches towards the other leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    spot: Spot,
    pub(super) ends: Segment,
    pub(super) toward: f64,
}

impl Bar {
    /// The edge, or the vertex at its end.
    fn spot_at(&self, place: f64, collider: &Collider) -> Spot {
        match self.spot {
            Spot::Edge(edge) if place == 0.0 => Spot::Vertex(collider.mesh().edge(edge)[0]),
            Spot::Edge(edge) if place == self.ends.length => {
                Spot::Vertex(collider.mesh().edge(edge)[1])
            }
            spot => spot,
        }
    }
}

/// The edges of a leaf and its vertices without edges, placed by `at`.
fn bars<'c>(
    collider: &'c Collider,
    node: &Node,
    at: impl Fn(u32) -> DVec3 + Copy + 'c,
    toward: DVec3,
) -> impl Iterator<Item = Bar> + 'c {
    let mesh = collider.mesh();
    let bar = move |spot: Spot, ends: [DVec3; 2]| {
        let [p, q] = ends.map(|end| end.dot(toward));
        Bar { spot, ends: Segment::new(ends), toward: p.max(q) }
    };
    let edges = node.edges.clone().map(move |e| bar(Spot::Edge(e), mesh.edge(e).map(at)));
    let lone = if collider.has_lone() { node.vertices.clone() } else { 0..0 };
    let lone = lone.filter(|&v| mesh.vertex_edges(v).is_empty());
    edges.chain(lone.map(move |v| bar(Spot::Vertex(v), [at(v); 2])))
}

/// The box of one node.
pub(super) struct Extent {
    pub(super) centre: DVec3,
    pub(super) sides: [DVec3; 3],
}

impl Extent {
    pub(super) fn new((twins, lane): (&Twins, usize)) -> Self {
        let one = |v: &[f64x2; 3]| DVec3::from_array(v.map(|x| x.to_array()[lane]));
        let half = one(&twins.half);
        Self { centre: one(&twins.centre), sides: [0, 1, 2].map(|i| half[i] * one(&twins.axes[i])) }
    }

    /// How far the box reaches from its centre in a direction.
    fn reach(&self, direction: DVec3) -> f64 {
        self.sides.iter().map(|side| side.dot(direction).abs()).sum()
    }
}

/// An edge of one body that passes through a face of the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crossing {
    pub(super) spots: [Spot; 2],
    /// Where, in A's local frame.
    pub(super) point: DVec3,
}

/// What two leaves have near each other; the memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaves {
    pub(super) bars: [Vec<Bar>; 2],
    /// In the frame of the other body.
    pub(super) vertices: [Vec<(u32, DVec3)>; 2],
}

/// The least distance so far, and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least {
    pub(super) distance: f64,
    pub(super) found: Found,
}

impl Least {
    /// The distance of two vertices to begin with: a surface has at least one.
    pub(super) fn new(scene: &Scene) -> Self {
        let points = [scene.a.local(0), scene.point(scene.b.local(0))];
        let found = Found { spots: [Spot::Vertex(0); 2], points };
        Self { distance: points[0].distance(points[1]).next_up(), found }
    }

    #[inline]
    fn take(&mut self, distance: f64, found: Found) {
        self.distance = distance;
        self.found = found;
    }
}

impl Leaves {
    /// Looks at all pairs of features of two leaves that may be nearer than `least`.
    pub(super) fn compare(&mut self, scene: &Scene, numbers: [u32; 2], least: &mut Least) {
        let nodes = [&scene.a.nodes()[numbers[0] as usize], &scene.b.nodes()[numbers[1] as usize]];
        self.gather(scene, numbers, nodes, |_| least.distance);
        self.edges(scene, least);
        for owner in [0, 1] {
            self.heights(scene, owner, nodes[owner], least);
        }
    }

    /// Keeps what reaches far enough along the line of the middles of the two leaves: what may be
    /// as near as `near` says for that direction, which is returned with rounding.
    pub(super) fn gather(
        &mut self,
        scene: &Scene,
        numbers: [u32; 2],
        nodes: [&Node; 2],
        near: impl Fn(DVec3) -> f64,
    ) -> f64 {
        let own = Extent::new(scene.a.fitted().of(numbers[0]));
        let other = Extent::new(scene.b.fitted().of(numbers[1]));
        let toward = (scene.point(other.centre) - own.centre).normalize_or_zero();
        let toward_in_b = scene.turn.transpose() * toward;
        let reach = near(toward) + scene.noise;
        let end_of_a = own.centre.dot(toward) + own.reach(toward);
        let end_of_b = scene.point(other.centre).dot(toward) - other.reach(toward_in_b);
        let of_a = |v: u32| scene.a.local(v);
        let of_b = |v: u32| scene.point(scene.b.local(v));
        let [first, second] = &mut self.bars;
        first.clear();
        first.extend(
            bars(scene.a, nodes[0], of_a, toward).filter(|bar| bar.toward > end_of_b - reach),
        );
        second.clear();
        second.extend(
            bars(scene.b, nodes[1], of_b, -toward).filter(|bar| -bar.toward < end_of_a + reach),
        );
        let [first, second] = &mut self.vertices;
        first.clear();
        let all = nodes[0].vertices.clone().map(|v| (v, of_a(v)));
        let close = all.filter(|(_, at)| at.dot(toward) > end_of_b - reach);
        first.extend(close.map(|(v, at)| (v, scene.point_in_b(at))));
        second.clear();
        let all = nodes[1].vertices.clone().map(|v| (v, of_b(v)));
        second.extend(all.filter(|(_, at)| at.dot(toward) < end_of_a + reach));
        reach
    }

    /// Pairs of edges.
    fn edges(&self, scene: &Scene, least: &mut Least) {
        for p in &self.bars[0] {
            for q in &self.bars[1] {
                if -q.toward - p.toward >= least.distance {
                    continue;
                }
                let least_sq = least.distance * least.distance;
                if let Some((places, square)) = closest(&p.ends, &q.ends, least_sq) {
                    let [on_p, on_q] = places;
                    let points = [p.ends.at(on_p), q.ends.at(on_q)];
                    let spots = [p.spot_at(on_p, scene.a), q.spot_at(on_q, scene.b)];
                    least.take(square.sqrt(), Found { spots, points });
                }
            }
        }
    }

    /// Vertices of the other body over faces of `owner`.
    fn heights(&self, scene: &Scene, owner: usize, node: &Node, least: &mut Least) {
        let collider = [scene.a, scene.b][owner];
        let mesh = collider.mesh();
        for face in node.faces.clone() {
            let [normal, origin] = [mesh.normal(face), collider.face_local(face)];
            let ring = mesh.face(face);
            let corner = |i: usize| collider.local(ring[i]);
            for &(vertex, at) in &self.vertices[1 - owner] {
                let height = normal.dot(at - origin);
                if height.abs() >= least.distance {
                    continue;
                }
                let foot = at - height * normal;
                if in_polygon(foot, normal, corner, ring.len(), 0.0) != Place::Outside {
                    let [face, vertex] = [Spot::Face(face), Spot::Vertex(vertex)];
                    let found = if owner == 0 {
                        Found { spots: [face, vertex], points: [foot, at] }
                    } else {
                        let points = [at, foot].map(|point| scene.point(point));
                        Found { spots: [vertex, face], points }
                    };
                    least.take(height.abs(), found);
                }
            }
        }
    }

    /// An edge that passes through a face, of those that [`Leaves::compare`] found near.
    pub(super) fn crossing(&self, scene: &Scene, numbers: [u32; 2]) -> Option<Crossing> {
        let faces =
            |collider: &Collider, i: usize| collider.nodes()[numbers[i] as usize].faces.clone();
        let through = |collider: &Collider, face: u32, ends: [DVec3; 2]| {
            matches!(cut(collider, face, ends, scene.tolerance, |_| true), Cut::Through)
        };
        for (owner, bars) in self.bars.iter().enumerate() {
            let other = [scene.b, scene.a][owner];
            for bar in bars {
                let ends = bar.ends.ends();
                let placed = if owner == 0 { ends.map(|p| scene.point_in_b(p)) } else { ends };
                let face = faces(other, 1 - owner).find(|&face| through(other, face, placed));
                if let Some(face) = face {
                    let point = bar.ends.at(bar.ends.length * along(other, face, placed));
                    let spots = [bar.spot, Spot::Face(face)];
                    let spots = if owner == 0 { spots } else { [spots[1], spots[0]] };
                    return Some(Crossing { spots, point });
                }
            }
        }
        None
    }
}

/// Where a segment that passes through the plane of a face does so, as a part of it.
fn along(collider: &Collider, face: u32, ends: [DVec3; 2]) -> f64 {
    let [normal, origin] = [collider.mesh().normal(face), collider.face_local(face)];
    let [from, to] = ends.map(|end| normal.dot(end - origin));
    from / (from - to)
}
