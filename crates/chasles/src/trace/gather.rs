//! All contacts within a distance, in all directions at once [Waveren05 §2.6].
//!
//! Resting bodies touch in many places. The paper gathers them by moving each feature outward
//! along normals; what such a motion by a distance would hit is what is nearer than that along the
//! normal, so it is asked for without moving anything.

use glam::DVec3;

use super::body::Body;
use super::model::{Model, Ridge, is_over};
use super::motion::Touch;
use super::query::{Pair, Query, Workspace};
use super::strip::ALIGNED;
use super::sweep::Sweep;
use super::world::World;
use crate::bounds::Aabb;
use crate::motion::{MotionError, Pose, checked};

impl World {
    /// Everything that a body at a pose touches: pairs of features no further apart than
    /// `distance`, nearest first.
    ///
    /// *Accepts* any distance from 0; less than the zone's thickness finds nothing at a stop.
    /// *Guarantees* every vertex over a face, and every pair of crossing edges, at most that far
    /// apart along their normal, each pair once; a vertex near the border of a face counts as over
    /// it. *Cost* the features near the body. *Fails* on a distance that is negative or not finite.
    pub fn contacts(
        &self,
        body: &Body,
        pose: &Pose,
        distance: f64,
        workspace: &mut Workspace,
    ) -> Result<Vec<Touch>, MotionError> {
        checked("distance", DVec3::splat(distance))?;
        if distance < 0.0 {
            return Err(MotionError::Negative { what: "distance", value: distance });
        }
        let zone = self.zone(body, pose.position().abs().max_element() + body.radius);
        let sweep = Sweep::Shift(DVec3::ZERO);
        let query = Query { world: self, body, pose: *pose, sweep, zone };
        let near = Near { query: &query, distance, slack: zone.rounding };
        let mut touches = near.touches(workspace);
        let name = |touch: &Touch| (touch.features, touch.fixture);
        // Pieces of a face that was split touch as one, at their least distance.
        touches
            .sort_by(|a, b| name(a).cmp(&name(b)).then_with(|| a.distance.total_cmp(&b.distance)));
        touches.dedup_by_key(|touch| name(touch));
        touches
            .sort_by(|a, b| a.distance.total_cmp(&b.distance).then_with(|| name(a).cmp(&name(b))));
        Ok(touches)
    }
}

struct Near<'a> {
    query: &'a Query<'a>,
    distance: f64,
    slack: f64,
}

impl Near<'_> {
    fn touches(&self, workspace: &mut Workspace) -> Vec<Touch> {
        let Query { world, body, pose, .. } = self.query;
        let Model { mesh, parts, .. } = &body.model;
        let Workspace { places, pending, .. } = workspace;
        places.clear();
        places.extend(mesh.positions().iter().map(|&p| pose.point(p)));
        let all = Aabb::around(places.iter().copied()).grown(DVec3::splat(self.distance));
        let mut touches = Vec::new();
        let mut keep = |pair: Pair| touches.push(self.query.touch(pose, &pair));
        world.index.overlapping(&world.boxes, &all, pending, |face| {
            let place = world.boxes[face as usize].grown(DVec3::splat(self.distance));
            for part in 0..parts.count() {
                let own = parts.vertices(part).iter().map(|&v| places[v as usize]);
                if Aabb::around(own).overlaps(&place) {
                    self.pairs(part, face, places, &mut keep);
                }
            }
        });
        touches
    }

    fn pairs(&self, part: u32, face: u32, places: &[DVec3], keep: &mut impl FnMut(Pair)) {
        let Query { world, body, pose, .. } = self.query;
        let [own, other] = [&body.model, &world.model];
        for &vertex in own.parts.corners(part) {
            for panel in other.panels(face) {
                let lean = || own.lean(vertex, |v| places[v as usize]);
                if self.is_over((other, panel), places[vertex as usize], lean) {
                    keep(Pair::Vf { vertex, panel });
                }
            }
        }
        for &vertex in other.parts.corners(face) {
            let from = other.mesh.position(vertex) - pose.position();
            let at = pose.rotation().conjugate() * from;
            for panel in own.panels(part) {
                let lean =
                    || pose.rotation().conjugate() * other.lean(vertex, |v| other.mesh.position(v));
                if self.is_over((own, panel), at, lean) {
                    keep(Pair::Fv { panel, vertex });
                }
            }
        }
        for &edge in own.parts.edges(part) {
            let ends = own.mesh.edge(edge).map(|v| places[v as usize]);
            for &ridge in other.parts.ridges(face) {
                if self.is_across(&other.ridges[ridge as usize], ends) {
                    keep(Pair::Ee { edge, ridge });
                }
            }
        }
    }

    /// Whether a vertex that leans to one side is over a panel and near enough. What touches a
    /// sheet is on the side that it leans to.
    fn is_over(
        &self,
        (model, panel): (&Model, u32),
        point: DVec3,
        lean: impl FnOnce() -> DVec3,
    ) -> bool {
        let panel = model.panel(panel);
        let height = panel.normal.dot(point - panel.point);
        let is_behind = || {
            let lean = lean().dot(panel.normal);
            if lean.abs() <= self.slack { height < 0.0 } else { lean < 0.0 }
        };
        !panel.is_bevel()
            && (-self.slack..=self.distance).contains(&height)
            && is_over(&model.mesh, panel.face, point, self.slack)
            && !(panel.is_sheet && height <= self.slack && is_behind())
    }

    /// Whether an edge crosses over a ridge and is near enough.
    fn is_across(&self, ridge: &Ridge, [p, q]: [DVec3; 2]) -> bool {
        let (point, normal, height) = ridge.meeting(p, q);
        let [first, second] = ridge.normals;
        // The normal lies between those of the panels, and the edge passes over the point.
        let down = (p - q) * ridge.across.dot(p - q).signum();
        let rises = [first.dot(down), -second.dot(down)];
        let along = (q - p).dot(point - p) / (q - p).length_squared();
        let level = self.slack + ALIGNED * down.length();
        let beside = (point + normal * height - p).cross(q - p).length();
        (-self.slack..=self.distance).contains(&height)
            && rises.iter().all(|rise| *rise >= -level)
            && (0.0..=1.0).contains(&along)
            && beside <= self.slack * (q - p).length()
    }
}
