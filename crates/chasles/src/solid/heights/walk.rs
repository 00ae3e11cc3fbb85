//! A segment through the triangles below it.
//!
//! In cells, the edges of all triangles lie on three families of parallel lines: where `u`, `v` or
//! `u - v` is whole. Between two crossings a segment is over one triangle, and its height above it
//! is linear in time:
//!
//! ```text
//!     +----+----+          the next crossing is the least of
//!     |   /|   /|
//!     |  / | ./-|----          (k - w(0)) / w',   w in {u, v, u - v}
//!     | / .|'/  |
//!     |/.' |/   |          of the next whole number k of each family
//!     +----+----+
//! ```

use glam::DVec3;

use super::super::entry::by_balls;
use super::super::shapes::sum;
use super::HeightField;

/// The times at which a linear function is whole, one after the other.
struct Crossings {
    start: f64,
    slope: f64,
    /// The whole number next reached.
    next: f64,
}

impl Crossings {
    /// Those after a time.
    fn new(start: f64, end: f64, time: f64) -> Self {
        let slope = end - start;
        let now = start + slope * time;
        let next = if slope > 0.0 { now.floor() + 1.0 } else { now.ceil() - 1.0 };
        Self { start, slope, next }
    }

    fn time(&self) -> f64 {
        if self.slope == 0.0 { f64::INFINITY } else { (self.next - self.start) / self.slope }
    }

    fn advance(&mut self) {
        self.next += self.slope.signum();
    }
}

/// [`crate::solid::Solid::entry`] of a height field.
///
/// The segment is cut at the box around the solid, then followed until its height is `error` or
/// less. That is more than heights, places and times are wrong by, and far below any precision
/// that can be asked for; so the entry is not late.
pub(super) fn entry(field: &HeightField, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
    let error = 2.0 * field.error_of(sum(from) + sum(to));
    let [start, end] = clipped(from, to, [field.low - error, field.high + error])?;
    let [p, q] = [from, to].map(|point| field.in_cells(point));
    let height = |triangle: f64, time: f64| {
        from.lerp(to, time).y - field.height_by(p.lerp(q, triangle), p.lerp(q, time)) - error
    };
    let families = [(p.x, q.x), (p.y, q.y), (p.x - p.y, q.x - q.y)];
    let mut families = families.map(|(a, b)| Crossings::new(a, b, start));
    // Each family crosses no more lines than there are, and a few by rounding.
    let most = 2 * (field.cells[0] + field.cells[1]) + 16;
    let mut time = start;
    for _ in 0..most {
        let first = (0..3).min_by(|&a, &b| families[a].time().total_cmp(&families[b].time()));
        let first = first.expect("there are three");
        let next = families[first].time().clamp(time, end);
        let middle = 0.5 * (time + next);
        let [above, below] = [height(middle, time), height(middle, next)];
        if above <= 0.0 {
            return Some(time);
        }
        if below <= 0.0 {
            return Some((time + (next - time) * (above / (above - below))).min(next));
        }
        if next >= end {
            return None;
        }
        time = next;
        families[first].advance();
    }
    by_balls(field, from, to, precision)
}

/// The times at which a segment enters and leaves a box, if it meets it.
fn clipped(from: DVec3, to: DVec3, [low, high]: [DVec3; 2]) -> Option<[f64; 2]> {
    let way = to - from;
    let (mut start, mut end) = (0.0f64, 1.0f64);
    for i in 0..3 {
        if way[i] == 0.0 {
            if from[i] < low[i] || from[i] > high[i] {
                return None;
            }
            continue;
        }
        let times = [low[i], high[i]].map(|side| (side - from[i]) / way[i]);
        start = start.max(times[0].min(times[1]));
        end = end.min(times[0].max(times[1]));
    }
    (start <= end).then_some([start, end])
}
