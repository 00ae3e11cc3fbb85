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

use super::model::{Model, Panel, Ridge, is_over};
use super::sweep::{Quadratic, Sweep, Wave, Way, first_time, last_time};
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
    /// It is a matter of rounding, also where the zone is thick: slow pushes must not sink.
    #[inline]
    fn allowance(&self, height: f64) -> f64 {
        let most = (self.thickness / 64.0).min(16.0 * self.rounding);
        if height >= self.thickness / 2.0 { most } else { 0.0 }
    }
}

/// What a feature of the body does to one of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meeting {
    /// The parameter at which it must stop, if it must.
    pub(super) stop: Option<f64>,
    /// Whether it touches at the start and moves along, both up to rounding: whether it is free at
    /// the end is for exact arithmetic to say.
    pub(super) is_grazing: bool,
}

impl Meeting {
    fn new(stop: Option<f64>, is_grazing: impl FnOnce() -> bool) -> Self {
        Self { stop, is_grazing: stop != Some(0.0) && is_grazing() }
    }
}

/// What keeps its height exactly does not come closer.
const REST: f64 = f64::MIN_POSITIVE;

/// What a vertex does to a panel up to `end`.
///
/// `lean` is from the vertex into what it is a vertex of. It tells on which side of a sheet that is
/// where the vertex touches it; a lone point is on neither, and may leave to both.
#[inline]
pub(super) fn meets_panel(
    sweep: &Sweep,
    (vertex, lean): (&Way, impl FnOnce() -> DVec3),
    (model, panel): (&Model, u32),
    zone: &Zone,
    end: f64,
) -> Meeting {
    let panel = model.panel(panel);
    let height = vertex.height(panel.normal, panel.point);
    let stop = enters_panel(sweep, (vertex, &height, lean), (model, panel), zone, end);
    Meeting::new(stop, || {
        is_grazing(sweep, &height, zone)
            && !panel.is_bevel()
            && is_over(&model.mesh, panel.face, vertex.at, zone.thickness)
    })
}

/// Whether a height is 0 at the start and stays so, as far as rounding can tell.
#[inline]
fn is_grazing(sweep: &Sweep, height: &Wave, zone: &Zone) -> bool {
    let rounding = 4.0 * zone.rounding;
    height.start.abs() <= rounding && {
        // Of a shift that goes far, the part within the world counts.
        let length = sweep.velocity().map_or(0.0, DVec3::length);
        let change = (height.slope.abs() + height.sag.abs()) * sweep.duration();
        change <= rounding + 64.0 * f64::EPSILON * length
    }
}

/// The first parameter up to `end` at which a vertex must stop for a panel.
#[inline]
fn enters_panel(
    sweep: &Sweep,
    (vertex, height, lean): (&Way, &Wave, impl FnOnce() -> DVec3),
    (model, panel): (&Model, &Panel),
    zone: &Zone,
    end: f64,
) -> Option<f64> {
    let rise = panel.rise * zone.thickness;
    let approach = sweep.rate(height).scaled(-1.0).plus(-REST);
    let approach = match sweep {
        Sweep::Shift(_) => approach,
        Sweep::Turn { .. } => approach.plus(-zone.allowance(height.start) / sweep.duration()),
    };
    if let Sweep::Shift(_) = sweep {
        // What rounding cannot tell from the end is kept, so that of equal stops the lowest pair is
        // found whatever the order.
        let lowest = height.start + height.slope * end - zone.rounding;
        if approach.start < 0.0 || height.start < -zone.rounding || lowest > rise {
            return None;
        }
    } else {
        let fall = 2.0 * end * (height.slope.abs() + height.sag.abs() * end);
        if height.start - fall - zone.rounding > rise {
            return None;
        }
    }
    // What touches a face may seem to be behind it, but is not what clearly is behind a sheet.
    let is_touching = height.start.abs() <= zone.rounding
        && (!panel.is_sheet || is_over(&model.mesh, panel.face, vertex.at, zone.rounding));
    let depth = if panel.is_sheet && !is_touching { 0.0 } else { zone.rounding };
    let mut from = 0.0;
    if panel.is_sheet && is_touching && lean().dot(panel.normal) <= zone.rounding {
        // It is on the other side or on neither, and free until it clearly is on this one.
        let Sweep::Turn { .. } = sweep else { return None };
        let clear = sweep.quadratic(&height.plus(-2.0 * zone.rounding));
        from = first_time(std::iter::once(clear), end)?;
    }
    let top = height.scaled(-1.0).plus(rise);
    let slab = [top, height.plus(depth), approach].map(|wave| sweep.quadratic(&wave));
    let bounds = model.bounds(panel).iter().map(|bound| {
        let slack = bound.growth * zone.thickness + zone.rounding - bound.offset;
        sweep.quadratic(&vertex.height(bound.normal, panel.point).plus(slack))
    });
    let late = (from > 0.0).then(|| Quadratic::after(from));
    let r = first_time(slab.into_iter().chain(bounds.clone()).chain(late), end)?;
    let Some(velocity) = sweep.velocity() else { return Some(r) };
    let lost = -height.slope * (last_time(bounds) - r);
    let is_sliding = lost <= zone.allowance(height.start + height.slope * r);
    let is_leaving = || r == 0.0 && leaves_face(vertex.at, velocity, (model, panel.face), zone);
    (!is_sliding && !is_leaving()).then_some(r)
}

/// Whether a vertex that moves straight on clearly leaves a face, all of it.
fn leaves_face(at: DVec3, velocity: DVec3, (model, face): (&Model, u32), zone: &Zone) -> bool {
    let corners = model.mesh.face(face);
    let ends = |i: usize| [i, i + 1].map(|k| model.mesh.position(corners[k % corners.len()]));
    let normal = model.mesh.normal(face);
    let is_beyond = |&i: &usize| {
        let [p, q] = ends(i);
        normal.cross(q - p).dot(at - p) < 0.0
    };
    // Over the face the plane tells; beyond an edge the nearest point is on an edge beyond which
    // the vertex is, as far as that is not rounding.
    let beyond = (0..corners.len()).filter(is_beyond).map(|i| from_segment(at, ends(i)));
    let away = nearest(beyond).filter(|away| away.length() > zone.rounding);
    away.is_some_and(|away| is_way_out(away.normalize(), velocity))
}

/// From the nearest point of a segment to a point.
fn from_segment(at: DVec3, [p, q]: [DVec3; 2]) -> DVec3 {
    let along = q - p;
    let share = (along.dot(at - p) / along.length_squared()).clamp(0.0, 1.0);
    at - p - along * share
}

/// The shortest of vectors.
fn nearest(vectors: impl Iterator<Item = DVec3>) -> Option<DVec3> {
    vectors.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
}

/// Whether a velocity leads along a unit direction by more than rounding can feign: the vector
/// between features that are as near as the zone is thick has lost most of its digits.
fn is_way_out(direction: DVec3, velocity: DVec3) -> bool {
    direction.dot(velocity) > 0.01 * velocity.length()
}

/// What an edge from `p` to `q` does to a ridge up to `end`.
pub(super) fn meets_ridge(
    sweep: &Sweep,
    edge: [&Way; 2],
    ridge: &Ridge,
    zone: &Zone,
    end: f64,
) -> Meeting {
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
    let leaves = |velocity| leaves_ridge([p.at, q.at], velocity, ridge, zone);
    let is_held = |r: &f64| *r > 0.0 || !sweep.velocity().is_some_and(leaves);
    Meeting::new(other.or(found).filter(is_held), || {
        let [first, second] = strip.map(|height| height.start);
        (first * second < 0.0)
            && Strip::new(sweep, if first > 0.0 { [p, q] } else { [q, p] }, ridge, zone)
                .is_grazing(sweep, ridge, zone)
    })
}

/// Whether an edge that moves straight on clearly leaves a ridge.
fn leaves_ridge([p, q]: [DVec3; 2], velocity: DVec3, ridge: &Ridge, zone: &Zone) -> bool {
    let (u, normal) = ridge.passing(p, q);
    let along = (q - p).dot(ridge.start + ridge.along * u - p);
    // Where the edges pass each other, the common normal, of which the side is known even where
    // they touch; otherwise from an end, as far as that is not rounding.
    let is_on_edge = (0.0..=(q - p).length_squared()).contains(&along);
    if is_on_edge && (0.0..=ridge.length).contains(&u) {
        return is_way_out(normal, velocity);
    }
    let ends = [ridge.start, ridge.start + ridge.along * ridge.length];
    let from_ends = [
        from_segment(p, ends),
        from_segment(q, ends),
        -from_segment(ends[0], [p, q]),
        -from_segment(ends[1], [p, q]),
    ];
    let away = nearest(from_ends.into_iter()).filter(|away| away.length() > zone.rounding);
    away.is_some_and(|away| is_way_out(away.normalize(), velocity))
}

/// Where an edge must stop for a ridge, with `p` on the side of the ridge's first panel.
///
/// The volumes are exact at the start of a look, and wrong by `rounding` times the edge's length
/// for each radian of a turn; where the edge is nearly parallel to the strip that is much in terms
/// of height. So the conditions are widened by that error, and looked at again from where they hold.
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
    let strip = Strip::new(sweep, edge, ridge, zone);
    let mut done = strip.first_time(sweep, ridge, zone, end)?;
    if let Sweep::Shift(_) = sweep {
        let height = strip.shifted_height(done);
        let left = height - strip.shifted_height(last_time(strip.sides(sweep, ridge, zone)));
        return (left > zone.allowance(height)).then_some(done);
    }
    if let Sweep::Turn { .. } = sweep {
        // Not `end`, which depends on the order of the search, but for the first look: there the
        // parameter does not depend on how far it is looked for.
        for _ in 0..CLOSER_LOOKS {
            let ways = edge.map(|way| sweep.way(sweep.at(way, done)));
            let strip = Strip::new(sweep, [&ways[0], &ways[1]], ridge, zone);
            let rest = sweep.left(done, sweep.end());
            let r = strip.first_time(sweep, ridge, zone, rest)?;
            done = sweep.joined(done, r).min(sweep.end());
            if r <= CLOSE {
                break;
            }
        }
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

/// Each look reduces the error by the share of the way that is left, to a tenth at least where
/// the edges are [`PARALLEL`] by a hair.
const CLOSER_LOOKS: usize = 16;

/// Looks this close to each other, as tangents, see the same: within units in the last place.
const CLOSE: f64 = 4.0 * f64::EPSILON;

/// Edges whose ends are less than this far apart across the strip, in thicknesses, run along it.
/// Where they cross it is a matter of rounding, and is not asked: of two such edges that come near
/// each other, an end of one does so as well, and is in the cell of a panel or of a bevel.
const PARALLEL: f64 = 0.25;

/// A moving line against a strip.
struct Strip {
    /// The height of the first end over the strip's plane, and of the second end below it.
    ends: [Wave; 2],
    /// That of the edge.
    length: f64,
    /// Their sum, `N`.
    over: Wave,
    /// `s N` and `u N`.
    above: Wave,
    along: Wave,
    /// How much further the line is above the panel on either side at its end there than at the
    /// other end: a line that dips into a panel has met something else before.
    rises: [Wave; 2],
    /// What `s N` and `u N` may be wrong by, and what the rate of `s` times `N²` may be, for each
    /// radian from here.
    error: f64,
    rate_error: f64,
}

impl Strip {
    fn new(sweep: &Sweep, [p, q]: [&Way; 2], ridge: &Ridge, zone: &Zone) -> Self {
        let height = |way: &Way, normal| way.height(normal, ridge.start);
        let ends = [height(p, ridge.across), height(q, -ridge.across)];
        let [first, second] = ridge.normals;
        let length = p.at.distance(q.at);
        let over = ends[0].plus_wave(&ends[1]);
        let above = p.volume(q, ridge.start, ridge.along);
        let [error, rate_error] = match sweep {
            Sweep::Shift(_) => [0.0; 2],
            Sweep::Turn { .. } => {
                let [n, t] = [&over, &above].map(Wave::most);
                [2.0 * zone.rounding * length, 4.0 * zone.rounding * (t + n * length)]
            }
        };
        Self {
            ends,
            length,
            over,
            above,
            along: p.volume(q, ridge.start, -ridge.out),
            rises: [
                height(p, first).minus(&height(q, first)).plus(ALIGNED * length),
                height(q, second).minus(&height(p, second)).plus(ALIGNED * length),
            ],
            error,
            rate_error,
        }
    }

    fn first_time(&self, sweep: &Sweep, ridge: &Ridge, zone: &Zone, end: f64) -> Option<f64> {
        let top = self.over.scaled(ridge.rise * zone.thickness).minus(&self.above);
        let waves = [
            self.over.plus(-PARALLEL * zone.thickness),
            self.above.plus_wave(&self.over.scaled(zone.rounding)).widened(self.error),
            top.widened(self.error),
            self.rises[0].plus(zone.rounding),
            self.rises[1].plus(zone.rounding),
            self.approach(sweep, zone),
        ];
        let waves = waves.into_iter().map(|wave| sweep.quadratic(&wave));
        first_time(waves.chain(self.sides(sweep, ridge, zone)), end)
    }

    /// The conditions that the line crosses the strip between its ends and between those of the
    /// edge.
    fn sides(
        &self,
        sweep: &Sweep,
        ridge: &Ridge,
        zone: &Zone,
    ) -> impl Iterator<Item = Quadratic> + Clone {
        let far = self.over.scaled(ridge.length).minus(&self.along);
        // Beyond its ends too: a lone edge may pass a corner without touching a ridge. Beyond those
        // of the edge up to rounding, as far as that is not more along a slanted edge.
        let beyond = self.over.scaled(OVERLAP * zone.thickness);
        let slant = beyond.scaled(1.0 / self.length);
        let waves = [
            self.ends[0].plus(zone.rounding),
            self.ends[1].plus(zone.rounding),
            self.ends[0].plus_wave(&slant),
            self.ends[1].plus_wave(&slant),
            self.along.plus_wave(&beyond).widened(self.error),
            far.plus_wave(&beyond).widened(self.error),
        ];
        let sweep = *sweep;
        waves.into_iter().map(move |wave| sweep.quadratic(&wave))
    }

    /// How high the line is above the ridge along a shift, of which `N` does not change.
    fn shifted_height(&self, r: f64) -> f64 {
        (self.above.start + self.above.slope * r) / self.over.start
    }

    /// Whether the edge lies on the ridge at the start and stays there, as far as rounding can tell.
    fn is_grazing(&self, sweep: &Sweep, ridge: &Ridge, zone: &Zone) -> bool {
        let n = self.over.start;
        let u = self.along.start / n;
        let height = self.above.scaled(1.0 / n);
        n > PARALLEL * zone.thickness
            && (0.0..=ridge.length).contains(&u)
            && is_grazing(sweep, &height, zone)
    }

    fn approach(&self, sweep: &Sweep, zone: &Zone) -> Wave {
        let rate = sweep.rate_of_ratio(&self.above, &self.over).scaled(-1.0).plus(-REST);
        match sweep {
            Sweep::Shift(_) => rate,
            Sweep::Turn { .. } => {
                let height = self.above.start / self.over.start;
                let allowance = zone.allowance(height) * self.over.start / sweep.duration();
                rate.minus(&self.over.scaled(allowance)).widened(self.rate_error)
            }
        }
    }
}

/// Lines closer to a panel's plane than this angle run along it: rounding of the normals.
pub(super) const ALIGNED: f64 = 1e-9;
