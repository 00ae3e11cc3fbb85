//! The traces that callers ask for: shifts, turns, both, and points.

use std::f64::consts::{PI, TAU};
use std::num::NonZeroU32;

use glam::DVec3;

use super::body::Body;
use super::cell::from_segment;
use super::query::{Pair, Query, Sight, Solid, Stop, Workspace};
use super::sweep::Sweep;
use super::world::World;
use crate::contact::Features;
use crate::motion::{MotionError, Pose, checked};
use crate::numeric::Elementary;

/// Turns are traced in parts of at most this angle, so that the boxes around arcs stay tight and
/// the tangent of half an angle stays small.
const LARGEST_PART: f64 = PI / 6.0;

/// How far a body got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace {
    /// How much of the motion is done, in `[0, 1]`.
    pub fraction: f64,
    /// Where the body is then; bit for bit the start where the fraction is 0.
    pub end: Pose,
    /// Whether the body intersects the world at the start. It then does not move at all.
    pub started_solid: bool,
    /// The thickness of the expel zone.
    pub thickness: f64,
    /// What stopped the body, if the motion is not done.
    pub touch: Option<Touch>,
}

/// What a body touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The features, those of the body first, in the numbers of the inputs.
    pub features: Features,
    /// Whose feature of the world it is, from 0.
    pub fixture: u32,
    /// The tag of the face, or of a face at the edge or vertex.
    pub tag: u32,
    /// Where: the vertex, or a point of the world's edge.
    pub point: DVec3,
    /// Unit, from the world towards the body.
    pub normal: DVec3,
    /// How far apart the features are along the normal.
    pub distance: f64,
}

/// A rotation about an axis in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    origin: DVec3,
    axis: DVec3,
    angle: f64,
}

impl Turn {
    /// About the axis through `origin`, by `angle` radians, counter-clockwise seen from the tip.
    ///
    /// *Accepts* any angle, also more than a turn. *Guarantees* a unit axis. *Cost* constant.
    /// *Fails* where a number is not finite or the axis is zero.
    pub fn new(origin: DVec3, axis: DVec3, angle: f64) -> Result<Self, MotionError> {
        let origin = checked("origin", origin)?;
        let length = checked("axis", axis)?.length();
        if length == 0.0 {
            return Err(MotionError::NoAxis);
        }
        checked("angle", DVec3::splat(angle))?;
        // A turn the other way is one about the opposite axis.
        let axis = axis / length * if angle < 0.0 { -1.0 } else { 1.0 };
        Ok(Self { origin, axis, angle: angle.abs() })
    }
}

/// A shift and a turn at once, or nearly so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Travel {
    /// The shift; it carries the turn's axis along.
    pub by: DVec3,
    /// The turn.
    pub turn: Turn,
    /// In how many portions, each a shift and then a turn.
    pub parts: NonZeroU32,
}

impl Travel {
    /// A shift alone.
    ///
    /// *Accepts* any vector; the trace checks it. *Cost* constant. *Fails* never.
    pub fn shift(by: DVec3) -> Self {
        let turn = Turn { origin: DVec3::ZERO, axis: DVec3::X, angle: 0.0 };
        Self { by, turn, parts: NonZeroU32::MIN }
    }

    /// A turn alone.
    ///
    /// *Accepts* any turn. *Cost* constant. *Fails* never.
    pub fn turn(turn: Turn) -> Self {
        Self { by: DVec3::ZERO, turn, parts: NonZeroU32::MIN }
    }

    /// The same as seen in the frame of a pose.
    pub(crate) fn seen_from(&self, pose: &Pose) -> Self {
        let back = pose.inverse();
        let Turn { origin, axis, angle } = self.turn;
        let turn = Turn { origin: back.point(origin), axis: back.vector(axis), angle };
        Self { by: back.vector(self.by), turn, ..*self }
    }
}

impl Trace {
    /// The same in the frame in which the world has a pose.
    pub(crate) fn seen_with_world_at(&self, pose: &Pose) -> Self {
        let touch = self.touch.map(|touch| Touch {
            point: pose.point(touch.point),
            normal: pose.vector(touch.normal),
            ..touch
        });
        Self { end: pose.after(&self.end), touch, ..*self }
    }
}

impl World {
    /// Moves a body along a travel: one trace for a shift or a turn alone.
    ///
    /// *Accepts* any travel. *Guarantees*, *Cost* and *Fails* as [`World::translate`],
    /// [`World::rotate`] or, where it is both or in portions, [`World::advance`].
    pub fn travel(
        &self,
        body: &Body,
        start: &Pose,
        travel: &Travel,
        workspace: &mut Workspace,
    ) -> Result<Trace, MotionError> {
        let Travel { by, turn, parts } = travel;
        match (parts.get(), *by == DVec3::ZERO, turn.angle == 0.0) {
            (1, _, true) => self.translate(body, start, *by, workspace),
            (1, true, _) => Ok(self.rotate(body, start, turn, workspace)),
            _ => self.advance(body, start, travel, workspace),
        }
    }

    /// Moves a body along a straight line until something stops it.
    ///
    /// *Accepts* any finite vector, zero included. *Guarantees* that the body does not intersect
    /// the world anywhere on the way, nor at the end. *Cost* see [`super`]. *Fails* on a vector
    /// that is not finite or beyond 1e100.
    pub fn translate(
        &self,
        body: &Body,
        start: &Pose,
        by: DVec3,
        workspace: &mut Workspace,
    ) -> Result<Trace, MotionError> {
        let sweep = Sweep::Shift(checked("translation", by)?);
        let zone = self.zone(body, start.position().abs().max_element() + body.radius);
        let query = Query { world: self, body, pose: *start, sweep, zone };
        Ok(match query.first_stop(true, workspace) {
            Ok(Sight { stop, .. }) => {
                stop.map_or_else(|| query.free(), |stop| query.stopped(&stop))
            }
            Err(Solid) => query.refused(),
        })
    }

    /// Turns a body until something stops it.
    ///
    /// *Accepts* any turn. *Guarantees* as [`World::translate`], along the arcs. *Cost* a search
    /// for each 30 degrees, up to a full turn. *Fails* never; [`Turn::new`] has checked the
    /// numbers.
    pub fn rotate(
        &self,
        body: &Body,
        start: &Pose,
        turn: &Turn,
        workspace: &mut Workspace,
    ) -> Trace {
        let Turn { origin, axis, angle } = *turn;
        let radius = (start.position() - origin).length() + body.radius;
        let near = start.position().abs().max_element() + body.radius;
        let zone = self.zone(body, near.max(origin.abs().max_element()).max(radius));
        // What a full turn does not meet, further turns do not meet either.
        let traced = angle.min(TAU);
        let parts = (traced / LARGEST_PART).ceil().max(1.0);
        let part = traced / parts;
        // No turn at all moves nothing; the direction it would have had must not stop it.
        let sweep = match angle == 0.0 {
            true => Sweep::Shift(DVec3::ZERO),
            false => Sweep::Turn { origin, axis, end: (part / 2.0).tangent() },
        };
        let query = Query { world: self, body, pose: *start, sweep, zone };
        let mut pose = *start;
        let mut grazes = false;
        for done in 0..parts as u32 {
            let query = Query { pose, ..query };
            let Ok(sight) = query.first_stop(done == 0, workspace) else { return query.refused() };
            grazes |= sight.is_grazing;
            if let Some(stop) = sight.stop {
                let turned = f64::from(done) * part + 2.0 * stop.r.arctangent();
                let fraction = (turned / angle).min(1.0);
                return Trace { fraction, ..query.stopped(&stop) };
            }
            pose = sweep.pose(&pose, sweep.end());
        }
        // From the start at once, without the rounding of the parts, unless only that is known to
        // be free.
        let whole = Sweep::Turn { origin, axis, end: (angle.rem_euclid(TAU) / 2.0).tangent() };
        let end = if grazes && angle <= TAU { pose } else { whole.pose(start, whole.end()) };
        Trace { end, ..query.free() }
    }

    /// Moves a body along a line and turns it meanwhile, until something stops it [Waveren05 §2].
    ///
    /// *Accepts* any travel. *Guarantees* that no portion of the way intersects the world; with
    /// more portions the way comes closer to a simultaneous motion. The fraction is the mean of how
    /// much of the shift and of the turn is done, or that of the one if the other is none. *Cost*
    /// two traces a portion. *Fails* as [`World::translate`].
    pub fn advance(
        &self,
        body: &Body,
        start: &Pose,
        travel: &Travel,
        workspace: &mut Workspace,
    ) -> Result<Trace, MotionError> {
        let Travel { by, turn, parts } = *travel;
        let count = f64::from(parts.get());
        let small = Turn { angle: turn.angle / count, ..turn };
        let mut trace = self.translate(body, start, DVec3::ZERO, workspace)?;
        // How much each portion's shift and turn count.
        let [shift_share, turn_share] = match (by == DVec3::ZERO, turn.angle == 0.0) {
            (true, false) => [0.0, 1.0],
            (false, true) => [1.0, 0.0],
            _ => [0.5, 0.5],
        };
        let mut done = 0.0;
        for part in 0..parts.get() {
            if trace.touch.is_some() || trace.started_solid {
                break;
            }
            trace = self.translate(body, &trace.end, by / count, workspace)?;
            done += shift_share * trace.fraction;
            if trace.touch.is_none() {
                let origin = turn.origin + by * (f64::from(part + 1) / count);
                trace = self.rotate(body, &trace.end, &Turn { origin, ..small }, workspace);
                done += turn_share * trace.fraction;
            }
        }
        Ok(Trace { fraction: (done / count).min(1.0), ..trace })
    }

    /// Moves a point along a line until something stops it: visibility, bullets, particles.
    ///
    /// *Accepts* finite ends. *Guarantees* as [`World::translate`] with [`Body::point`]. *Cost* the
    /// lowest of all traces. *Fails* as [`World::translate`].
    pub fn point(
        &self,
        from: DVec3,
        to: DVec3,
        workspace: &mut Workspace,
    ) -> Result<Trace, MotionError> {
        let start = Pose::from_position(from)?;
        self.translate(&self.dot, &start, to - from, workspace)
    }
}

impl Query<'_> {
    /// A body that starts in the world does not move.
    fn refused(&self) -> Trace {
        let thickness = self.zone.thickness;
        Trace { fraction: 0.0, end: self.pose, started_solid: true, thickness, touch: None }
    }

    fn free(&self) -> Trace {
        Trace {
            fraction: 1.0,
            end: self.sweep.pose(&self.pose, self.sweep.end()),
            started_solid: false,
            thickness: self.zone.thickness,
            touch: None,
        }
    }

    fn stopped(&self, stop: &Stop) -> Trace {
        let end = if stop.r == 0.0 { self.pose } else { self.sweep.pose(&self.pose, stop.r) };
        let touch = Some(self.touch(&end, &stop.pair));
        let thickness = self.zone.thickness;
        Trace { fraction: stop.r, end, started_solid: false, thickness, touch }
    }

    /// A pair of features as the caller knows it, with the body at a pose.
    pub(super) fn touch(&self, pose: &Pose, pair: &Pair) -> Touch {
        let [body, world] = [&self.body.model, &self.world.model];
        match *pair {
            Pair::Vf { vertex, panel } => {
                let panel = world.panel(panel);
                let point = pose.point(body.mesh.position(vertex));
                let (fixture, face, tag) = self.world.face(panel.face);
                let features = Features::Vf { vertex: body.mesh.vertex_label(vertex), face };
                let distance = panel.normal.dot(point - panel.point);
                Touch { features, fixture, tag, point, normal: panel.normal, distance }
            }
            Pair::Fv { panel, vertex } => {
                let panel = body.panel(panel);
                if let Some((edge, ends)) = body.lone_segment(panel) {
                    return self.segment_touch(pose, (edge, ends), (vertex, panel.normal));
                }
                let point = world.mesh.position(vertex);
                let normal = -pose.vector(panel.normal);
                let distance = normal.dot(pose.point(panel.point) - point);
                let (fixture, _, tag) = self.world.face(world.mesh.vertex_faces(vertex)[0]);
                let vertex = self.world.vertex(vertex, fixture);
                let features = Features::Fv { face: body.face_label(panel.face), vertex };
                Touch { features, fixture, tag, point, normal, distance }
            }
            Pair::Ee { edge, ridge } => {
                let ridge = &world.ridges[ridge as usize];
                let [p, q] = body.mesh.edge(edge).map(|v| pose.point(body.mesh.position(v)));
                let meeting = ridge.meeting(p, q);
                self.edges_touch([edge, ridge.edge], meeting)
            }
        }
    }

    /// A lone segment at a corner of the world, which is named by one of its edges.
    fn segment_touch(
        &self,
        pose: &Pose,
        (edge, ends): (u32, [DVec3; 2]),
        (vertex, outward): (u32, DVec3),
    ) -> Touch {
        let world = &self.world.model;
        let point = world.mesh.position(vertex);
        let away = -from_segment(point, ends.map(|end| pose.point(end)));
        let normal = away.try_normalize().unwrap_or_else(|| -pose.vector(outward));
        let is_ridge = |e: &&u32| {
            let home = world.mesh.edge_sides(**e).first();
            home.is_some_and(|side| world.parts.edges(side.face).contains(*e))
        };
        let has_face = |e: &&u32| !world.mesh.edge_sides(**e).is_empty();
        let own = world.mesh.vertex_edges(vertex).iter();
        let ridge = own.clone().find(is_ridge).or_else(|| own.clone().find(has_face));
        let ridge = *ridge.expect("a corner of a face is at an edge of it");
        self.edges_touch([edge, ridge], (point, normal, away.length()))
    }

    /// An edge of the body and one of the world, with the point, the normal and the distance.
    fn edges_touch(
        &self,
        [edge, other]: [u32; 2],
        (point, normal, distance): (DVec3, DVec3, f64),
    ) -> Touch {
        let [body, world] = [&self.body.model, &self.world.model];
        let (fixture, _, tag) = self.world.face(world.mesh.edge_sides(other)[0].face);
        let mut b = world.mesh.edge(other).map(|v| self.world.vertex(v, fixture));
        b.sort_unstable();
        let features = Features::Ee { a: body.mesh.edge_label(edge), b };
        Touch { features, fixture, tag, point, normal, distance }
    }
}
