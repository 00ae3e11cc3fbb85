//! The narrow and the broad phase of one sweep: the first feature that must stop.

use glam::DVec3;

use super::body::Body;
use super::broad::{Front, Pending};
use super::cell::{Meeting, Zone, meets_panel};
use super::contents::Contents;
use super::model::Model;
use super::pierce::Meet;
use super::strip::meets_ridge;
use super::sweep::{Sweep, Way};
use super::tree::Waiting;
use super::world::World;
use super::zone::REACH;
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
    pub(super) pending: Pending,
    /// Nodes of the body's tree, and parts found in it.
    pub(super) waiting: Waiting,
    found: Vec<u32>,
    ahead: Ahead,
    /// Pieces of the world that may be within the body.
    pub(super) near: Vec<u32>,
}

impl Workspace {
    /// Empty; it grows with the first queries.
    ///
    /// *Guarantees* that no later query of the same size asks for memory. *Cost* constant. *Fails*
    /// never.
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

/// The features of a face that the body may meet.
#[derive(Clone, Debug, Default)]
struct Ahead {
    is_facing: bool,
    corners: Vec<u32>,
    ridges: Vec<u32>,
}

impl Ahead {
    fn is_empty(&self) -> bool {
        !self.is_facing && self.corners.is_empty() && self.ridges.is_empty()
    }
}

/// The answer for a body that is in the world at the start.
pub(super) struct Solid;

/// What becomes of a sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    /// Where it must stop, if it must.
    pub(super) stop: Option<Stop>,
    /// Whether something touches all along; the end has then been found to be free.
    pub(super) is_grazing: bool,
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
    /// The first stop, if there is one; or that the start is not free, as
    /// [`World::contents`] would say, if that is asked.
    ///
    /// *Cost* grows with the logarithm of the world and with the features near the way.
    pub(super) fn first_stop(
        &self,
        is_checked: bool,
        workspace: &mut Workspace,
    ) -> Result<Sight, Solid> {
        let Self { world, body, pose, .. } = self;
        if is_checked && world.is_any_piece_inside(body, pose, &mut workspace.pending) {
            return Err(Solid);
        }
        if let ([at], Sweep::Shift(_)) = (body.model.mesh.positions(), &self.sweep) {
            let stop = self.first_stop_of_point(pose.point(*at), &mut workspace.pending);
            return Ok(Sight { stop, is_grazing: false });
        }
        self.prepare(workspace);
        let Workspace { ways, vertex_boxes, places, part_boxes, tree_boxes, .. } = workspace;
        let Workspace { pending, waiting, found, near, ahead, .. } = workspace;
        near.clear();
        let start = Aabb::around(places.iter().copied());
        let narrow = Narrow {
            query: self,
            ways,
            vertex_boxes,
            part_boxes,
            start,
            back: self.sweep.seen_from(pose),
            front: self.front(&start, part_boxes),
            reach: DVec3::splat(REACH * self.zone.thickness),
        };
        let mut best = Best { end: self.sweep.end(), stop: None, grazing: None };
        let mut meet = Meet::Apart;
        world.index.visit(&world.boxes, &narrow.front, pending, |face| {
            let around = &world.boxes[face as usize];
            let place = around.grown(narrow.reach);
            // All that is reached at once is visited, so the start is judged on the way.
            let is_at_start = is_checked && around.overlaps(&start);
            if is_at_start && start.contains(around) {
                near.push(world.piece(face));
            }
            narrow.look_ahead(face, best.end, ahead);
            if !is_at_start && ahead.is_empty() {
                return best.end;
            }
            match &body.tree {
                None => found.extend(0..part_boxes.len() as u32),
                Some(tree) => {
                    tree.overlapping(tree_boxes, waiting, &place, |part| found.push(part));
                }
            }
            for part in found.drain(..) {
                if part_boxes[part as usize].overlaps(&place) {
                    if is_at_start && meet < Meet::Crossing {
                        meet = meet.max(world.meet(face, (&body.model, places, part)));
                    }
                    narrow.meet((part, face), ahead, &place, &mut best);
                }
            }
            best.end
        });
        let is_solid = match meet {
            Meet::Crossing => true,
            _ if is_checked && world.is_around(body, pose, near) => true,
            Meet::Touching => world.overlap(body, pose, workspace) != Contents::Free,
            Meet::Apart => false,
        };
        if is_solid {
            return Err(Solid);
        }
        Ok(self.sight(&best, workspace))
    }

    /// The best stop, or one at the start where what touches and moves along would end in the world
    /// by rounding.
    fn sight(&self, best: &Best, workspace: &mut Workspace) -> Sight {
        let Best { stop, grazing, .. } = *best;
        let free = Sight { stop, is_grazing: grazing.is_some() };
        let r = stop.map_or(self.sweep.end(), |stop| stop.r);
        let Some(pair) = grazing.filter(|_| r > 0.0) else { return free };
        let end = self.sweep.pose(&self.pose, r);
        match self.world.contents(self.body, &end, workspace) {
            Contents::Free => free,
            _ => Sight { stop: Some(Stop { r: 0.0, pair }), ..free },
        }
    }

    /// The first stop of a single point on a straight way.
    fn first_stop_of_point(&self, at: DVec3, pending: &mut Pending) -> Option<Stop> {
        let Self { world, sweep, zone, .. } = self;
        let way = sweep.way(at);
        let mut best = Best { end: sweep.end(), stop: None, grazing: None };
        let front = self.front(&Aabb { low: at, high: at }, &[]);
        world.index.visit(&world.boxes, &front, pending, |face| {
            for panel in world.model.panels(face) {
                let point = (&way, || DVec3::ZERO);
                let met = meets_panel(sweep, point, (&world.model, panel), zone, best.end);
                best.keep(met, Pair::Vf { vertex: 0, panel });
            }
            best.end
        });
        best.stop
    }

    /// The box around the body from `start` on, or around its whole way, with the zone.
    fn front(&self, start: &Aabb, parts: &[Aabb]) -> Front {
        // A little more than the reach, for rounding.
        let reach = DVec3::splat(1.01 * REACH * self.zone.thickness);
        match self.sweep {
            Sweep::Shift(velocity) => Front::moving(&start.grown(reach), velocity),
            Sweep::Turn { .. } => {
                let all = parts.iter().fold(Aabb::EMPTY, |all, one| all.join(one));
                Front::Still(all.grown(reach))
            }
        }
    }

    /// Fills in the ways and boxes of the body.
    fn prepare(&self, workspace: &mut Workspace) {
        let Workspace { ways, vertex_boxes, places, part_boxes, tree_boxes, .. } = workspace;
        let Model { mesh, parts, .. } = &self.body.model;
        places.clear();
        places.extend(mesh.positions().iter().map(|&p| self.pose.point(p)));
        ways.clear();
        ways.extend(places.iter().map(|&place| self.sweep.way(place)));
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

/// Normals are between those of two panels to this part of their length; ten times what
/// [`meets_ridge`] allows.
const ALIGNED: f64 = 1e-8;

/// The earliest stop so far.
struct Best {
    end: f64,
    stop: Option<Stop>,
    /// The lowest pair that touches at the start and moves along.
    grazing: Option<Pair>,
}

impl Best {
    #[inline]
    fn keep(&mut self, met: Meeting, pair: Pair) {
        if met.is_grazing {
            self.grazing = Some(self.grazing.map_or(pair, |lowest| lowest.min(pair)));
        }
        let Some(r) = met.stop else { return };
        // Of equal stops the lowest pair, whatever the order of the search.
        if self.stop.is_none_or(|best| r < best.r || (r == best.r && pair < best.pair)) {
            self.stop = Some(Stop { r, pair });
            self.end = r;
        }
    }
}

/// Features of a part of the body against those of a face of the world.
struct Narrow<'a> {
    query: &'a Query<'a>,
    ways: &'a [Way],
    vertex_boxes: &'a [Aabb],
    part_boxes: &'a [Aabb],
    /// The box around the body at the start.
    start: Aabb,
    /// The motion as the body sees it.
    back: Sweep,
    front: Front,
    reach: DVec3,
}

impl Narrow<'_> {
    fn meet(&self, (part, face): (u32, u32), ahead: &Ahead, place: &Aabb, best: &mut Best) {
        if ahead.is_facing {
            self.vertices(part, face, place, best);
        }
        self.faces(part, ahead, best);
        self.edges(part, ahead, place, best);
    }

    /// Finds what any part of the body may meet of a face up to `end`: not what a shift goes away
    /// from [Waveren05 §4], nor what the box around the body does not reach or stays above.
    fn look_ahead(&self, face: u32, end: f64, ahead: &mut Ahead) {
        let world = &self.query.world.model;
        let is_reached = |around: &Aabb| self.front.reaches(around).is_some_and(|r| r <= end);
        let is_met = |&number: &u32| {
            let ridge = &world.ridges[number as usize];
            let line = Aabb::around([ridge.start, ridge.start + ridge.along * ridge.length]);
            let planes = ridge.normals.map(|normal| self.fall(normal, ridge.start, end));
            let rise = self.rise(ridge.rise);
            // Whatever meets a ridge has a normal between those of its panels.
            let is_left = planes.iter().all(|(slope, _)| *slope > ALIGNED * self.speed());
            !is_left && planes.iter().all(|(_, lowest)| *lowest <= rise) && is_reached(&line)
        };
        let Ahead { is_facing, corners, ridges } = ahead;
        *is_facing = world.panels(face).any(|panel| {
            let panel = world.panel(panel);
            let (slope, lowest) = self.fall(panel.normal, panel.point, end);
            slope <= self.level() && lowest <= self.rise(panel.rise)
        });
        corners.clear();
        corners.extend(world.parts.corners(face).iter().copied().filter(|&vertex| {
            let at = world.mesh.position(vertex);
            is_reached(&Aabb { low: at, high: at })
        }));
        ridges.clear();
        ridges.extend(world.parts.ridges(face).iter().copied().filter(is_met));
    }

    /// How fast the body moves along a normal, and the lowest height over the plane through a point
    /// that its box comes to up to `end`; no bounds for turns.
    #[inline]
    fn fall(&self, normal: DVec3, point: DVec3, end: f64) -> (f64, f64) {
        match self.query.sweep {
            Sweep::Turn { .. } => (0.0, f64::NEG_INFINITY),
            Sweep::Shift(velocity) => {
                let [middle, half] =
                    [self.start.low + self.start.high, self.start.high - self.start.low];
                let slope = normal.dot(velocity);
                let lowest = normal.dot(middle * 0.5 - point) - normal.abs().dot(half * 0.5);
                (slope, lowest + slope.min(0.0) * end)
            }
        }
    }

    fn speed(&self) -> f64 {
        match self.query.sweep {
            Sweep::Shift(velocity) => velocity.length(),
            Sweep::Turn { .. } => 0.0,
        }
    }

    /// How much a motion along a panel may rise by rounding.
    fn level(&self) -> f64 {
        4.0 * self.query.zone.rounding + 64.0 * f64::EPSILON * self.speed()
    }

    /// The height of a cell in lengths, with rounding.
    fn rise(&self, rise: f64) -> f64 {
        rise * self.query.zone.thickness + self.query.zone.rounding
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
                let lean = || body.model.lean(vertex, |v| self.ways[v as usize].at);
                let met = meets_panel(sweep, (way, lean), (&world.model, panel), zone, best.end);
                best.keep(met, Pair::Vf { vertex, panel });
            }
        }
    }

    /// Panels of the body against the vertices of the face, in the body's frame.
    fn faces(&self, part: u32, ahead: &Ahead, best: &mut Best) {
        let Query { world, body, pose, zone, .. } = self.query;
        let panels = body.model.panels(part);
        for &vertex in &ahead.corners {
            let at = world.model.mesh.position(vertex);
            if panels.is_empty() || !self.is_near(part, at) {
                continue;
            }
            let back = pose.rotation().conjugate();
            let way = self.back.way(back * (at - pose.position()));
            for panel in panels.clone() {
                let lean = || back * world.model.lean(vertex, |v| world.model.mesh.position(v));
                let corner = (&way, lean);
                let met = meets_panel(&self.back, corner, (&body.model, panel), zone, best.end);
                best.keep(met, Pair::Fv { panel, vertex });
            }
        }
    }

    fn is_near(&self, part: u32, at: DVec3) -> bool {
        self.part_boxes[part as usize]
            .overlaps(&Aabb { low: at - self.reach, high: at + self.reach })
    }

    /// Edges of the body against the ridges of the face.
    fn edges(&self, part: u32, ahead: &Ahead, place: &Aabb, best: &mut Best) {
        let Query { world, body, sweep, zone, .. } = self.query;
        let edges = if ahead.ridges.is_empty() { &[] } else { body.model.parts.edges(part) };
        for &edge in edges {
            let ends = body.model.mesh.edge(edge);
            let [p, q] = ends.map(|v| &self.vertex_boxes[v as usize]);
            let around = p.join(q);
            if !around.overlaps(place) {
                continue;
            }
            for &number in &ahead.ridges {
                let ridge = &world.model.ridges[number as usize];
                let line = Aabb::around([ridge.start, ridge.start + ridge.along * ridge.length]);
                if line.grown(self.reach).overlaps(&around) {
                    let ways = ends.map(|v| &self.ways[v as usize]);
                    let met = meets_ridge(sweep, ways, ridge, zone, best.end);
                    best.keep(met, Pair::Ee { edge, ridge: number });
                }
            }
        }
    }
}
