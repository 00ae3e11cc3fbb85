//! When a moving edge enters the strip of a ridge; see [`super::cell`].

use glam::DVec3;

use super::cell::{Meeting, REST, Zone, from_segment, is_grazing, is_way_out, nearest};
use super::model::Ridge;
use super::sweep::{Quadratic, Sweep, Wave, Way, first_time, last_time};
use super::zone::OVERLAP;

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
/// of height. So the conditions are widened by that error, and looked at again from where they
/// hold.
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

/// Edges whose ends are less than this far apart across the strip run along it: in thicknesses, or
/// in lengths of the edge if that is shorter than the zone is thick. Where they cross it is a
/// matter of rounding, and is not asked: of two such edges that come near each other, an end of one
/// does so as well, and is in the cell of a panel or of a bevel.
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
            self.over.plus(-self.parallel(zone)),
            self.above.plus_wave(&self.over.scaled(zone.rounding)).widened(self.error),
            top.widened(self.error),
            self.rises[0].plus(zone.rounding),
            self.rises[1].plus(zone.rounding),
            self.approach(sweep, zone),
        ];
        let waves = waves.into_iter().map(|wave| sweep.quadratic(&wave));
        first_time(waves.chain(self.sides(sweep, ridge, zone)), end)
    }

    /// How far the ends of an edge that runs along the strip may be apart across it.
    fn parallel(&self, zone: &Zone) -> f64 {
        PARALLEL * zone.thickness.min(self.length)
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

    /// Whether the edge lies on the ridge at the start and stays there, as far as rounding can
    /// tell.
    fn is_grazing(&self, sweep: &Sweep, ridge: &Ridge, zone: &Zone) -> bool {
        let n = self.over.start;
        let u = self.along.start / n;
        let height = self.above.scaled(1.0 / n);
        n > self.parallel(zone)
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
