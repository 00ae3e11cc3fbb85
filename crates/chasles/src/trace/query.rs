//! The narrow and the broad phase of one sweep: the first feature that must stop.

use glam::DVec3;

use super::body::Body;
use super::cell::{Zone, enters_panel, enters_ridge};
use super::model::{Model, REACH};
use super::sweep::{Sweep, Way};
use super::tree::Waiting;
use super::world::World;
use crate::bounds::Aabb;
use crate::motion::Pose;

/// Memory that traces keep from one query to the next.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    ways: Vec<Way>,
    vertex_boxes: Vec<Aabb>,
    pub(super) places: Vec<DVec3>,
    pub(super) part_boxes: Vec<Aabb>,
    pub(super) tree_boxes: Vec<Aabb>,
    pub(super) waiting: Waiting,
    pub(super) waiting_in_body: Waiting,
    pub(super) near: Vec<u32>,
}

impl Workspace {
    /// Empty; it grows with the first queries.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Which features stop a sweep; numbers are those of the models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pair {
    /// A vertex of the body and a panel of the world.
    Vf { vertex: u32, panel: u32 },
    /// A panel of the body and a vertex of the world.
    Fv { panel: u32, vertex: u32 },
    /// An edge of the body and a ridge of the world.
    Ee { edge: u32, ridge: u32 },
}

/// Where a sweep must stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) r: f64,
    pub(super) pair: Pair,
}

/// One sweep of a body through a world.
pub(super) struct Query<'a> {
    pub(super) world: &'a World,
    pub(super) body: &'a Body,
    pub(super) pose: Pose,
    pub(super) sweep: Sweep,
    pub(super) zone: Zone,
}

impl Query<'_> {
    /// The first stop, if there is one.
    ///
    /// *Cost* grows with the logarithm of the world and with the features near the way.
    pub(super) fn first_stop(&self, workspace: &mut Workspace) -> Option<Stop> {
        self.prepare(workspace);
        let Workspace { ways, vertex_boxes, part_boxes, tree_boxes, .. } = workspace;
        let (waiting, waiting_in_body) = (&mut workspace.waiting, &mut workspace.waiting_in_body);
        let near = &mut workspace.near;
        near.clear();
        let narrow = Narrow {
            query: self,
            ways,
            vertex_boxes,
            part_boxes,
            back: self.sweep.seen_from(&self.pose),
            reach: DVec3::splat(REACH * self.zone.thickness),
        };
        let mut best = Best { end: self.sweep.end(), stop: None };
        let front = Front::new(&self.sweep, ways, part_boxes, narrow.reach);
        let World { tree, boxes, tree_boxes: world_boxes, .. } = self.world;
        tree.visit(
            world_boxes,
            waiting,
            |around| front.reaches(around),
            |face| {
                let place = boxes[face as usize].grown(narrow.reach);
                match &self.body.tree {
                    None => near.extend(0..part_boxes.len() as u32),
                    Some(tree) => {
                        tree.overlapping(tree_boxes, waiting_in_body, &place, |part| {
                            near.push(part)
                        });
                    }
                }
                for part in near.drain(..) {
                    if part_boxes[part as usize].overlaps(&place) {
                        narrow.meet(part, face, &place, &mut best);
                    }
                }
                best.end
            },
        );
        best.stop
    }

    /// Fills in the ways and boxes of the body.
    fn prepare(&self, workspace: &mut Workspace) {
        let Workspace { ways, vertex_boxes, part_boxes, tree_boxes, .. } = workspace;
        let Model { mesh, parts, .. } = &self.body.model;
        ways.clear();
        ways.extend(mesh.positions().iter().map(|&p| self.sweep.way(self.pose.point(p))));
        vertex_boxes.clear();
        vertex_boxes.extend(ways.iter().map(|way| self.sweep.around(way)));
        part_boxes.clear();
        part_boxes.extend((0..parts.count()).map(|part| {
            let own = parts.vertices(part).iter().map(|&v| &vertex_boxes[v as usize]);
            own.fold(Aabb::EMPTY, |all, one| all.join(one))
        }));
        if let Some(tree) = &self.body.tree {
            tree.fit(part_boxes, tree_boxes);
        }
    }
}

/// The earliest stop so far.
struct Best {
    end: f64,
    stop: Option<Stop>,
}

impl Best {
    #[inline]
    fn keep(&mut self, r: Option<f64>, pair: Pair) {
        let Some(r) = r else { return };
        // Of equal stops the lowest pair, whatever the order of the search.
        if self.stop.is_none_or(|best| r < best.r || (r == best.r && pair < best.pair)) {
            self.stop = Some(Stop { r, pair });
            self.end = r;
        }
    }
}

/// The moving box of the whole body.
struct Front {
    is_shift: bool,
    /// The box of the whole way, with the zone.
    all: Aabb,
    middle: DVec3,
    half: DVec3,
    inverse: DVec3,
}

impl Front {
    fn new(sweep: &Sweep, ways: &[Way], parts: &[Aabb], reach: DVec3) -> Self {
        let start = Aabb::around(ways.iter().map(|way| way.at));
        let all = parts.iter().fold(Aabb::EMPTY, |all, one| all.join(one));
        let (is_shift, velocity) = match *sweep {
            Sweep::Shift(velocity) => (true, velocity),
            Sweep::Turn { .. } => (false, DVec3::ZERO),
        };
        // A little more than the box, for the rounding of the division.
        let half = (start.high - start.low) * 0.5 + reach * 1.01;
        let middle = (start.low + start.high) * 0.5;
        // Finite, so that the product with zero is zero: at rest along an axis a box is reached at
        // once or never.
        let inverse = velocity.recip().clamp(DVec3::splat(-1e300), DVec3::splat(1e300));
        Self { is_shift, all: all.grown(reach), middle, half, inverse }
    }

    /// The parameter at which the body's box reaches another, if it does.
    #[inline]
    fn reaches(&self, around: &Aabb) -> Option<f64> {
        if !self.is_shift {
            return around.overlaps(&self.all).then_some(0.0);
        }
        let low = (around.low - self.half - self.middle) * self.inverse;
        let high = (around.high + self.half - self.middle) * self.inverse;
        let enter = low.min(high).max(DVec3::ZERO).max_element();
        let leave = low.max(high).min(DVec3::ONE).min_element();
        (enter <= leave).then_some(enter)
    }
}

/// Features of a part of the body against those of a face of the world.
struct Narrow<'a> {
    query: &'a Query<'a>,
    ways: &'a [Way],
    vertex_boxes: &'a [Aabb],
    part_boxes: &'a [Aabb],
    /// The motion as the body sees it.
    back: Sweep,
    reach: DVec3,
}

impl Narrow<'_> {
    fn meet(&self, part: u32, face: u32, place: &Aabb, best: &mut Best) {
        self.vertices(part, face, place, best);
        self.faces(part, face, best);
        self.edges(part, face, place, best);
    }

    /// Vertices of the body against the panels of the face.
    fn vertices(&self, part: u32, face: u32, place: &Aabb, best: &mut Best) {
        let Query { world, body, sweep, zone, .. } = self.query;
        for &vertex in body.model.parts.corners(part) {
            if !self.vertex_boxes[vertex as usize].overlaps(place) {
                continue;
            }
            for panel in world.model.panels(face) {
                let way = &self.ways[vertex as usize];
                let r = enters_panel(sweep, way, (&world.model, panel), zone, best.end);
                best.keep(r, Pair::Vf { vertex, panel });
            }
        }
    }

    /// Panels of the body against the vertices of the face, in the body's frame.
    fn faces(&self, part: u32, face: u32, best: &mut Best) {
        let Query { world, body, pose, zone, .. } = self.query;
        let panels = body.model.panels(part);
        for &vertex in world.model.parts.corners(face) {
            let at = world.model.mesh.position(vertex);
            if panels.is_empty() || !self.is_near(part, at) {
                continue;
            }
            let way = self.back.way(pose.rotation().conjugate() * (at - pose.position()));
            for panel in panels.clone() {
                let r = enters_panel(&self.back, &way, (&body.model, panel), zone, best.end);
                best.keep(r, Pair::Fv { panel, vertex });
            }
        }
    }

    fn is_near(&self, part: u32, at: DVec3) -> bool {
        self.part_boxes[part as usize]
            .overlaps(&Aabb { low: at - self.reach, high: at + self.reach })
    }

    /// Edges of the body against the ridges of the face.
    fn edges(&self, part: u32, face: u32, place: &Aabb, best: &mut Best) {
        let Query { world, body, sweep, zone, .. } = self.query;
        for &edge in body.model.parts.edges(part) {
            let ends = body.model.mesh.edge(edge);
            let [p, q] = ends.map(|v| &self.vertex_boxes[v as usize]);
            let around = p.join(q);
            if !around.overlaps(place) {
                continue;
            }
            for &number in world.model.parts.ridges(face) {
                let ridge = &world.model.ridges[number as usize];
                let line = Aabb::around([ridge.start, ridge.start + ridge.along * ridge.length]);
                if line.grown(self.reach).overlaps(&around) {
                    let ways = ends.map(|v| &self.ways[v as usize]);
                    let r = enters_ridge(sweep, ways, ridge, zone, best.end);
                    best.keep(r, Pair::Ee { edge, ridge: number });
                }
            }
        }
    }
}
