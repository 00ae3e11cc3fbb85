//! When a moving vertex enters the cell of a panel, and a moving edge that of a ridge.
//!
//! Whatever is in a cell may only move away from its panel or ridge [Waveren05 §3]. So a motion
//! must stop at the first parameter at which a feature is in the cell *and* comes closer; that is
//! the lowest parameter at which none of a few waves is negative ([`first_time`]). It makes no
//! difference whether the feature starts outside the zone, starts in it, or enters a cell from the
//! side, out of the cell of a neighbour.
//!
//! ```text
//! vertex x, panel                          edge p q, ridge
//!   -h' >= 0      comes closer               p on the side of the first panel, q on the other
//!   e - h >= 0    below the top              0 <= u <= length     where the line meets the strip,
//!   h >= 0        in front                   0 <= s <= rise e     u along and s above the ridge
//!   on the inner side of every bound         -s' >= 0             comes closer
//! ```
//!
//! With `N` the difference of the heights of `p` and `q` over the strip's plane, `u N` and `s N` are
//! volumes: the permuted products of the Plücker coordinates of the moving line with the lines
//! through the ridge's start, one along the strip's height and one along the ridge. All are waves.
//!
//! Differs from [Waveren05 §3.3, §3.4]: the paper asks for the crossing of the expanded plane and
//! tests sidedness there, which misses vertices near a ridge that turn past both faces, and those
//! that enter from the side; and its cases of roots take the leaving crossing for the entering one
//! where a vertex starts behind the plane or comes back after more than half a turn.
//!
//! A cell is wider than what is near its panel: beyond an edge a vertex may come closer to the plane
//! and yet leave the panel. For a shift there is a second opinion, at the start only: the distance
//! of a moving convex thing from another is a convex function of the shift, so what clearly moves
//! away at the start never comes closer, and need not stop. A body in the zone can so be moved
//! wherever it is free to go.

use glam::DVec3;

use super::model::{Model, Ridge};
use super::sweep::{Sweep, Wave, Way, first_time};
use super::zone::OVERLAP;

/// The zone of one query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zone {
    /// The thickness.
    pub(super) thickness: f64,
    /// What positions and heights may be wrong by.
    pub(super) rounding: f64,
}

impl Zone {
    /// What may be lost of a height at most while moving along a panel or ridge.
    ///
    /// A motion meant to be parallel comes closer by rounding; without this allowance it would not
    /// move at all. It is given in the upper half of the zone only, so that it adds up to less
    /// than half of the zone however many motions there are.
    #[inline]
    fn allowance(&self, height: f64) -> f64 {
        if height >= self.thickness / 2.0 { self.thickness / 64.0 } else { 0.0 }
    }
}

/// What keeps its height exactly does not come closer.
const REST: f64 = f64::MIN_POSITIVE;

/// The first parameter up to `end` at which a vertex must stop for a panel.
#[inline]
pub(super) fn enters_panel(
    sweep: &Sweep,
    vertex: &Way,
    (model, panel): (&Model, u32),
    zone: &Zone,
    end: f64,
) -> Option<f64> {
    let panel = model.panel(panel);
    let height = vertex.height(panel.normal, panel.point);
    let rise = panel.rise * zone.thickness;
    // What touches a solid may seem to be behind its face. The two sides of a sheet are strict, or
    // else what touches it could leave to neither side.
    let depth = if panel.is_sheet { 0.0 } else { zone.rounding };
    let approach = sweep.rate(&height).scaled(-1.0);
    let approach = approach.plus(-zone.allowance(height.start) / sweep.duration() - REST);
    if let Sweep::Shift(_) = sweep {
        // What rounding cannot tell from the end is kept, so that of equal stops the lowest pair is
        // found whatever the order.
        let lowest = height.start + height.slope * end - zone.rounding;
        if approach.start < 0.0 || height.start < -depth || lowest > rise {
            return None;
        }
    } else {
        let fall = 2.0 * end * (height.slope.abs() + height.sag.abs() * end);
        if height.start - fall - zone.rounding > rise {
            return None;
        }
    }
    let top = height.scaled(-1.0).plus(rise);
    let slab = [top, height.plus(depth), approach].map(|wave| sweep.quadratic(&wave));
    let bounds = model.bounds(panel).iter().map(|bound| {
        let slack = bound.growth * zone.thickness + zone.rounding - bound.offset;
        sweep.quadratic(&vertex.height(bound.normal, panel.point).plus(slack))
    });
    let r = first_time(slab.into_iter().chain(bounds), end)?;
    let leaves = |velocity| leaves_face(vertex.at, velocity, (model, panel.face));
    (r > 0.0 || !sweep.velocity().is_some_and(leaves)).then_some(r)
}

/// Whether a vertex that moves straight on clearly leaves a face, all of it.
fn leaves_face(at: DVec3, velocity: DVec3, (model, face): (&Model, u32)) -> bool {
    let corners = model.mesh.face(face);
    let ends = |i: usize| [i, i + 1].map(|k| model.mesh.position(corners[k % corners.len()]));
    let normal = model.mesh.normal(face);
    let is_beyond = |&i: &usize| {
        let [p, q] = ends(i);
        normal.cross(q - p).dot(at - p) < 0.0
    };
    // Over the face the plane tells; beyond an edge the nearest point is on an edge beyond which
    // the vertex is.
    let beyond = (0..corners.len()).filter(is_beyond).map(|i| from_segment(at, ends(i)));
    let nearest = beyond.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    nearest.is_some_and(|away| is_clear(away, velocity))
}

/// From the nearest point of a segment to a point.
fn from_segment(at: DVec3, [p, q]: [DVec3; 2]) -> DVec3 {
    let along = q - p;
    let share = (along.dot(at - p) / along.length_squared()).clamp(0.0, 1.0);
    at - p - along * share
}

/// Whether a velocity leads away by more than rounding can feign: the vector between features that
/// are as near as the zone is thick has lost most of its digits.
fn is_clear(away: DVec3, velocity: DVec3) -> bool {
    away.dot(velocity) > 0.01 * away.length() * velocity.length()
}

/// The first parameter up to `end` at which an edge from `p` to `q` must stop for a ridge.
pub(super) fn enters_ridge(
    sweep: &Sweep,
    edge: [&Way; 2],
    ridge: &Ridge,
    zone: &Zone,
    end: f64,
) -> Option<f64> {
    let strip = edge.map(|way| way.height(ridge.across, ridge.start));
    let [p, q] = edge;
    let either = |wave: &Wave| {
        // The range of a wave; a turn's end is at most the tangent of 15 degrees.
        let spread = 2.0 * end * (wave.slope.abs() + wave.sag.abs() * end);
        [wave.start - spread, wave.start + spread]
    };
    let [[low_p, high_p], [low_q, high_q]] = [either(&strip[0]), either(&strip[1])];
    let rounding = zone.rounding;
    let forward = high_p >= -rounding && low_q <= rounding;
    let backward = high_q >= -rounding && low_p <= rounding;
    let found = forward.then(|| crosses_strip(sweep, [p, q], ridge, zone, end)).flatten();
    let end = found.unwrap_or(end);
    let other = backward.then(|| crosses_strip(sweep, [q, p], ridge, zone, end)).flatten();
    let r = other.or(found)?;
    let leaves = |velocity| leaves_ridge([p.at, q.at], velocity, ridge);
    (r > 0.0 || !sweep.velocity().is_some_and(leaves)).then_some(r)
}

/// Whether an edge that moves straight on clearly leaves a ridge.
fn leaves_ridge([p, q]: [DVec3; 2], velocity: DVec3, ridge: &Ridge) -> bool {
    let ends = [ridge.start, ridge.start + ridge.along * ridge.length];
    let (on, normal) = ridge.meeting(p, q);
    let height = normal.dot(p - on);
    let along = (q - p).dot(on + normal * height - p);
    // Where the edges pass each other, the common normal; otherwise from an end.
    let crossing = (0.0..=(q - p).length_squared()).contains(&along).then_some(normal * height);
    let away = [
        from_segment(p, ends),
        from_segment(q, ends),
        -from_segment(ends[0], [p, q]),
        -from_segment(ends[1], [p, q]),
    ];
    let nearest = away.into_iter().chain(crossing).filter(|away| *away != DVec3::ZERO);
    let nearest = nearest.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    nearest.is_some_and(|away| is_clear(away, velocity))
}

/// As [`enters_ridge`], with `p` on the side of the ridge's first panel.
///
/// Far from the start of a turn the volumes are wrong by `rounding` times the edge's length; where
/// the edge is nearly parallel to the strip that is much in terms of height. So the conditions are
/// widened by that error, and where it matters the answer is looked at again from close by.
fn crosses_strip(
    sweep: &Sweep,
    edge: [&Way; 2],
    ridge: &Ridge,
    zone: &Zone,
    end: f64,
) -> Option<f64> {
    if leans_away(sweep, edge, ridge, zone) {
        return None;
    }
    let mut done = 0.0;
    let mut ways = edge.map(|way| *way);
    for _ in 0..CLOSER_LOOKS {
        // Not `end`, which depends on the order of the search, but for the first look: there the
        // parameter does not depend on how far it is looked for.
        let rest = sweep.left(done, sweep.end());
        let strip = Strip::new(sweep, &ways, ridge, zone, rest);
        let r = strip.first_time(sweep, ridge, zone, if done == 0.0 { end } else { rest })?;
        done = sweep.joined(done, r).min(sweep.end());
        if strip.is_sharp(sweep, zone, 0.0) && strip.is_sharp(sweep, zone, r) {
            break;
        }
        ways = ways.map(|way| sweep.way(sweep.at(&way, r)));
    }
    (done <= end).then_some(done)
}

/// Whether an edge that keeps its direction dips into a panel of the ridge, clearly: a cheap test
/// before [`Strip::rises`].
#[inline]
fn leans_away(sweep: &Sweep, [p, q]: [&Way; 2], ridge: &Ridge, zone: &Zone) -> bool {
    let Sweep::Shift(_) = sweep else { return false };
    let along = p.at - q.at;
    let [first, second] = ridge.normals.map(|normal| normal.dot(along));
    let slack = 2.0 * (ALIGNED * along.length() + zone.rounding);
    first < -slack || second > slack
}

/// Each look reduces the error by the share of the way that is left.
const CLOSER_LOOKS: usize = 8;

/// A moving line against a strip.
struct Strip {
    /// The height of the first end over the strip's plane, and of the second end below it.
    sides: [Wave; 2],
    /// Their sum, `N`.
    over: Wave,
    /// `s N` and `u N`.
    above: Wave,
    along: Wave,
    /// How much further the line is above the panel on either side at its end there than at the
    /// other end: a line that dips into a panel has met something else before.
    rises: [Wave; 2],
    /// What `s N` and `u N` may be wrong by.
    error: f64,
}

impl Strip {
    fn new(sweep: &Sweep, [p, q]: &[Way; 2], ridge: &Ridge, zone: &Zone, end: f64) -> Self {
        let height = |way: &Way, normal| way.height(normal, ridge.start);
        let sides = [height(p, ridge.across), height(q, -ridge.across)];
        let [first, second] = ridge.normals;
        let length = p.at.distance(q.at);
        let share = match sweep {
            Sweep::Shift(_) => 0.0,
            Sweep::Turn { .. } => (2.0 * end).min(1.0),
        };
        Self {
            sides,
            over: sides[0].plus_wave(&sides[1]),
            above: p.volume(q, ridge.start, ridge.along),
            along: p.volume(q, ridge.start, -ridge.out),
            rises: [
                height(p, first).minus(&height(q, first)).plus(ALIGNED * length),
                height(q, second).minus(&height(p, second)).plus(ALIGNED * length),
            ],
            error: zone.rounding * length * share,
        }
    }

    /// Whether the error is small in terms of height at a parameter.
    fn is_sharp(&self, sweep: &Sweep, zone: &Zone, r: f64) -> bool {
        self.error <= zone.thickness / 8.0 * sweep.value(&self.over, r)
    }

    fn first_time(&self, sweep: &Sweep, ridge: &Ridge, zone: &Zone, end: f64) -> Option<f64> {
        let top = self.over.scaled(ridge.rise * zone.thickness).minus(&self.above);
        let far = self.over.scaled(ridge.length).minus(&self.along);
        // Beyond its ends too: a lone edge may pass a corner without touching a ridge.
        let beyond = self.over.scaled(OVERLAP * zone.thickness);
        let waves = [
            self.sides[0].plus(zone.rounding),
            self.sides[1].plus(zone.rounding),
            self.above.plus_wave(&self.over.scaled(zone.rounding)).plus(self.error),
            top.plus(self.error),
            self.along.plus_wave(&beyond).plus(self.error),
            far.plus_wave(&beyond).plus(self.error),
            self.rises[0].plus(zone.rounding),
            self.rises[1].plus(zone.rounding),
        ];
        // Whether the line comes closer is asked only where rounding leaves an answer.
        let is_sharp = self.is_sharp(sweep, zone, 0.0);
        let approach = is_sharp.then(|| sweep.quadratic(&self.approach(sweep, zone)));
        let conditions = waves.iter().map(|wave| sweep.quadratic(wave)).chain(approach);
        first_time(conditions, end)
    }

    fn approach(&self, sweep: &Sweep, zone: &Zone) -> Wave {
        let height = self.above.start / self.over.start;
        let allowance = zone.allowance(height) * self.over.start / sweep.duration();
        let rate = sweep.rate_of_ratio(&self.above, &self.over);
        rate.scaled(-1.0).minus(&self.over.scaled(allowance)).plus(-REST)
    }
}

/// Lines closer to a panel's plane than this angle run along it: rounding of the normals.
const ALIGNED: f64 = 1e-9;
