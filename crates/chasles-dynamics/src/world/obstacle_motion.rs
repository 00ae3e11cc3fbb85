//! The ways of bodies through a step, as sheets see them.
//!
//! A step moves a body in parts, along one screw in each; one that bounces goes back on its way in
//! a later part. Sheets see straight ways, so the step is cut at the ends of parts where the body
//! departs from the chord, and in between where it turns.

use chasles::deform::Surface;
use chasles::{Pose, Screw};
use glam::DVec3;

use super::broad::{Bounds, radius_about};
use super::swept_pairs::turn_bound;
use super::{Body, Part};

/// Parts of a step at most.
const MAX_PARTS: usize = 64;

/// The share of a thickness by which points of bodies that turn may depart from their chords.
const SAG: f64 = 0.1;

/// The same for what collisions do to the way: far below the distances that sheets keep.
const STRAIGHT: f64 = 1e-3;

/// Moments closer than this share of the step are one.
const SHORTEST: f64 = 1e-9;

/// Arcs of parts, which are of 0.4 radians at most, leave their chords by less than this share of
/// the radius.
pub(super) const BOW: f64 = 0.05;

/// How often chords may be four times as crude, until there are few enough of them.
const CRUDER: u32 = 64;

/// A body on its way through a step.
pub(super) struct Path<'w> {
    pub(super) body: &'w Body,
    pub(super) surface: &'w Surface,
    /// Shares of the step, the first of them 0, and where the body is then; a screw leads from each
    /// to the next.
    stops: Vec<(f64, Pose)>,
}

impl<'w> Path<'w> {
    /// A body that stands somewhere.
    pub(super) fn new(body: &'w Body, surface: &'w Surface, start: Pose) -> Self {
        Self { body, surface, stops: vec![(0.0, start)] }
    }

    /// Lets it go from a pose to another between two shares of the step.
    pub(super) fn go(&mut self, shares: [f64; 2], [from, to]: [Pose; 2]) {
        let [start, end] = shares.map(|share| share.clamp(0.0, 1.0));
        if from == to {
            return;
        }
        if self.stops.last().is_some_and(|(last, _)| start > *last) {
            self.stops.push((start, from));
        }
        self.stops.push((end, to));
    }

    pub(super) fn pose(&self, share: f64) -> Pose {
        let next = self.stops.partition_point(|(at, _)| *at <= share).max(1);
        let (from, start) = self.stops[next - 1];
        match self.stops.get(next) {
            Some((to, end)) => {
                let part = (share - from) / (to - from);
                Screw::between(&start, end).pose_at(part).after(&start)
            }
            None => start,
        }
    }

    /// The vertices after a share of the step.
    pub(super) fn at(&self, share: f64) -> Vec<DVec3> {
        let pose = self.pose(share);
        self.body.collider().mesh().positions().iter().map(|p| pose.point(*p)).collect()
    }

    /// A box around the whole way.
    pub(super) fn bounds(&self) -> Bounds {
        let boxes = self.stops.iter().map(|(_, pose)| Bounds::of(self.body, pose));
        let all = boxes.reduce(|all, one| all.join(&one));
        let radius = radius_about(self.body, DVec3::ZERO);
        all.expect("a path begins somewhere").grown(BOW * radius)
    }

    /// The moments between two shares without which the chord departs too far from the way.
    fn bends(&self, [from, to]: [f64; 2], straight: f64, found: &mut Vec<f64>) {
        let ends = [from, to].map(|share| self.pose(share));
        let inside = self.stops.iter().filter(|(at, _)| *at > from && *at < to);
        let far =
            inside.map(|(at, pose)| (*at, self.departure(pose, (at - from) / (to - from), &ends)));
        let Some((at, departure)) = far.max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        if departure > straight {
            found.push(at);
            self.bends([from, at], straight, found);
            self.bends([at, to], straight, found);
        }
    }

    /// How far points of the body are at most from the chords between two poses, a share of the way
    /// on.
    fn departure(&self, pose: &Pose, share: f64, ends: &[Pose; 2]) -> f64 {
        let [low, high] = self.body.bounds();
        let corner = |i: u32| {
            let pick = |axis: u32, low, high| if i >> axis & 1 == 0 { low } else { high };
            DVec3::new(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z))
        };
        let depart = |point: DVec3| {
            let [start, end] = ends.map(|end| end.point(point));
            pose.point(point).distance(start.lerp(end, share))
        };
        (0..8).map(|i| depart(corner(i))).fold(0.0, f64::max)
    }

    /// Pieces between two shares in which points that turn stay near their chords.
    fn pieces(&self, [from, to]: [f64; 2], thinnest: f64) -> f64 {
        let [start, end] = [from, to].map(|share| self.pose(share));
        let turn = turn_bound(start.rotation(), end.rotation());
        let way = start.position().distance(end.position());
        let arm = radius_about(self.body, DVec3::ZERO) + way;
        (turn * (arm / (8.0 * SAG * thinnest)).sqrt()).ceil()
    }
}

/// The way of each body: where it was, and what the parts of a step did with it.
pub(super) fn follow(paths: &mut [Option<Path<'_>>], record: &[Part], [start, dt]: [f64; 2]) {
    for part in record {
        let shares = part.times.map(|time| (time - start) / dt);
        for way in &part.moves {
            if let Some(path) = &mut paths[way.body.0] {
                path.go(shares, way.poses);
            }
        }
    }
}

/// Shares of the step from 0 to 1 between which bodies go straight, but for a share of the
/// thickness.
///
/// If there were more than 64 parts, bends are left out, the slightest first, and turns are seen
/// cruder.
pub(super) fn moments(paths: &[&Path<'_>], thinnest: f64) -> Vec<f64> {
    let mut moments = vec![0.0, 1.0];
    for cruder in 0..CRUDER {
        let straight = STRAIGHT * thinnest * 4.0_f64.powi(cruder as i32);
        let mut found = vec![0.0, 1.0];
        paths.iter().for_each(|path| path.bends([0.0, 1.0], straight, &mut found));
        found.sort_unstable_by(f64::total_cmp);
        found.dedup_by(|later, earlier| *later - *earlier < SHORTEST);
        if found.len() <= MAX_PARTS {
            moments = found;
            break;
        }
    }
    let last = moments.len() - 1;
    moments[last] = 1.0;
    let mut all = vec![0.0];
    for ends in moments.windows(2) {
        let ends = [ends[0], ends[1]];
        let pieces = paths.iter().map(|path| path.pieces(ends, thinnest)).fold(1.0, f64::max);
        let pieces = pieces.min(1.0 + (MAX_PARTS - last) as f64) as u32;
        let between = |i: u32| ends[0] + (ends[1] - ends[0]) * f64::from(i) / f64::from(pieces);
        all.extend((1..pieces).map(between).chain([ends[1]]));
    }
    all
}
