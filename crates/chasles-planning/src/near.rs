//! How far a configuration is from contact.

use std::ops::ControlFlow;

use chasles::glam::DVec3;
use chasles::query::{self, Distance};

use crate::error::SceneError;
use crate::frame::Twist;
use crate::moment::{Line, Moment};
use crate::scene::{Scene, length};
use crate::search::{Nearest, TOUCHING, Workspace};

/// Two colliders that are near each other, or in each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// The names of their link or obstacle; a link of the robot, if only one is, comes first.
    pub bodies: [String; 2],
    /// How far apart they are; 0 in overlap.
    pub distance: f64,
    /// Their closest points, in the world; in overlap a point of both, twice.
    pub points: [DVec3; 2],
    /// Unit, in the world, from the first to the second.
    pub normal: DVec3,
    /// Whether they share more than points where they touch.
    pub overlaps: bool,
    /// How fast the distance grows with each variable of the robot. In overlap there is no
    /// distance, and all are 0. Where several places are equally near, this is of one of them.
    pub gradient: Vec<f64>,
}

impl Scene {
    /// Whether a configuration is free: no pair overlaps, touches within 1e-9 of the smaller one's
    /// radius, or is within its margin.
    ///
    /// *Accepts* a finite value for each variable, also beyond limits. *Guarantees* the exact
    /// answer, to rounding. *Cost* the distances of pairs whose boxes are nearer than their margin.
    /// *Fails* on configurations that are not of the robot.
    pub fn is_free(&self, configuration: &[f64]) -> Result<bool, SceneError> {
        self.check(configuration)?;
        let mut workspace = Workspace::default();
        workspace.stand(self, configuration);
        let mut hit = false;
        for (number, pair) in self.pairs.iter().enumerate() {
            let within = pair.margin;
            hit = workspace.near(self, number, within)?.is_some();
            if hit {
                break;
            }
        }
        Ok(!hit)
    }

    /// The two bodies that are nearest to each other in a configuration; none if there is no pair.
    ///
    /// *Accepts* a finite value for each variable, also beyond limits. *Guarantees* the least of
    /// the exact distances, to rounding; of pairs in overlap the first. *Cost* the distances of
    /// pairs whose boxes are nearer than the nearest. *Fails* on configurations that are not of the
    /// robot.
    pub fn distance(&self, configuration: &[f64]) -> Result<Option<Near>, SceneError> {
        self.check(configuration)?;
        let mut workspace = Workspace::default();
        workspace.stand(self, configuration);
        let nearest = workspace.nearest(self)?;
        Ok(nearest.map(|nearest| self.describe(&workspace.moment, &nearest)))
    }

    /// All pairs of colliders that are within a reach of each other, the nearest first.
    ///
    /// *Accepts* as [`Scene::distance`], and a reach of at least 0. *Guarantees* exact distances,
    /// to rounding. *Cost* the distances of pairs whose boxes are within reach. *Fails* as there,
    /// and on a reach that is negative or not finite.
    pub fn near(&self, configuration: &[f64], reach: f64) -> Result<Vec<Near>, SceneError> {
        self.check(configuration)?;
        let reach = length("reach", reach)?;
        let mut workspace = Workspace::default();
        workspace.stand(self, configuration);
        let mut found = Vec::new();
        for number in 0..self.pairs.len() {
            if let Some(near) = workspace.near(self, number, reach)? {
                found.push(self.describe(&workspace.moment, &near));
            }
        }
        found.sort_by(|p, q| p.distance.total_cmp(&q.distance));
        Ok(found)
    }

    /// What users see of a distance in a moment.
    pub(crate) fn describe(&self, moment: &Moment, nearest: &Nearest) -> Near {
        let pair = &self.pairs[nearest.pair];
        let Distance { distance, points, normal, overlaps, .. } = nearest.distance;
        let gradient = self.gradient(moment, nearest);
        // The body of the world is the first of a pair, so that motion is seen from it.
        let [x, y] = pair.parts.map(|part| self.names[self.parts[part].body].clone());
        let [p, q] = points;
        Near { bodies: [y, x], distance, points: [q, p], normal: -normal, overlaps, gradient }
    }

    /// The rate of a distance with each variable: how fast the points part along the normal.
    fn gradient(&self, moment: &Moment, nearest: &Nearest) -> Vec<f64> {
        let mut gradient = vec![0.0; self.robot.variables().len()];
        let Distance { points: [p, q], normal, overlaps, .. } = nearest.distance;
        if overlaps {
            return gradient;
        }
        let parts = self.pairs[nearest.pair].parts;
        let mut add = |part: usize, point: DVec3, sign: f64| {
            let mut link = self.parts[part].link.unwrap_or(0);
            while link > 0 {
                let joint = &self.robot.joints()[link - 1];
                if let Some(drive) = joint.drive {
                    let twist: Twist = moment.stance.axes[link - 1].twist(joint.kind);
                    gradient[drive.variable] += sign * drive.factor * normal.dot(twist.at(point));
                }
                link = joint.parent;
            }
        };
        add(parts[0], p, -1.0);
        add(parts[1], q, 1.0);
        gradient
    }
}

impl Workspace {
    /// Goes to a configuration.
    pub(crate) fn stand(&mut self, scene: &Scene, configuration: &[f64]) {
        self.rates.clear();
        self.rates.resize(scene.robot.joints().len(), 0.0);
        let line = Line { from: configuration, to: configuration };
        self.moment.go(scene, line, &self.rates, (0.0, 0.0));
    }

    /// A pair in the moment, if it is within a reach, or touches.
    fn near(
        &mut self,
        scene: &Scene,
        number: usize,
        reach: f64,
    ) -> Result<Option<Nearest>, SceneError> {
        let parts = scene.pairs[number].parts;
        let [p, q] = parts.map(|part| scene.parts[part].radius);
        let reach = reach + TOUCHING * p.min(q);
        if self.moment.apart(scene, parts) > reach {
            return Ok(None);
        }
        let nearest = self.exact(scene, number)?;
        let is_near = nearest.distance.overlaps || nearest.distance.distance <= reach;
        Ok(is_near.then_some(nearest))
    }

    /// The nearest pair in the moment.
    pub(crate) fn nearest(&mut self, scene: &Scene) -> Result<Option<Nearest>, SceneError> {
        let apart = |pair: &crate::scene::Pair| self.moment.apart(scene, pair.parts);
        let mut order: Vec<(f64, usize)> = scene.pairs.iter().map(apart).zip(0..).collect();
        order.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        let mut best: Option<Nearest> = None;
        let search = order.into_iter().try_for_each(|(apart, number)| {
            if best.is_some_and(|best| best.distance.overlaps || best.distance.distance < apart) {
                return ControlFlow::Break(Ok(()));
            }
            match self.exact(scene, number) {
                Err(error) => return ControlFlow::Break(Err(error)),
                Ok(next) if best.is_none_or(|best| is_nearer(&next, &best)) => best = Some(next),
                Ok(_) => {}
            }
            ControlFlow::Continue(())
        });
        match search {
            ControlFlow::Break(Err(error)) => Err(error),
            _ => Ok(best),
        }
    }

    fn exact(&mut self, scene: &Scene, number: usize) -> Result<Nearest, SceneError> {
        let parts = scene.pairs[number].parts;
        let [a, b] = parts.map(|part| &scene.parts[part].geometry);
        let distance = query::distance(a, b, self.moment.poses(parts), &mut self.query)?;
        Ok(Nearest { at: 0.0, pair: number, distance })
    }
}

/// Whether a distance is less, or an overlap where both are 0.
fn is_nearer(next: &Nearest, best: &Nearest) -> bool {
    let [p, q] = [next.distance, best.distance];
    p.distance < q.distance || p.distance == q.distance && p.overlaps && !q.overlaps
}
