//! A right-handed V thread: a surface around the y axis, given by its radius.
//!
//! ```text
//!   radius                        The radius falls from the crest by `depth` over half a pitch
//!     |  /\    /\    /\           and rises again: a function of `y / pitch - turns` only, so a
//!     | /  \  /  \  /  \          screw motion of that pitch moves the thread into itself.
//!     |/    \/    \/    \
//!     +------------------ y / pitch - turns
//!        0     1     2
//! ```
//!
//! The surface is cut into columns: of equal angle, and one more wherever a crest or root runs out
//! at an end. A column holds the crests and roots at its angle and the two ends, in the order of y.
//! Two neighbouring columns are joined by triangles that follow the crests and roots. Every
//! horizontal cut through such a strip runs steadily around the axis, so the surface never crosses
//! itself.

use super::builder::{Builder, on_circle};

/// The ideal thread; a crest passes through the x axis at `y = 0`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thread {
    /// Largest radius.
    pub(super) crest: f64,
    /// From crest to root.
    pub(super) depth: f64,
    /// Advance per turn.
    pub(super) pitch: f64,
    /// Columns per turn.
    pub(super) segments: u32,
}

/// A crest or root nearer to an end than this part of half a pitch is left out, and so is an extra
/// column nearer than this part of a turn to another: slivers thinner than this serve nobody.
const SLIVER: f64 = 1e-6;

/// A vertex of a column with its rank: half pitches above the thread's start, a whole number and
/// the same from column to column along a crest or root.
#[derive(Clone, Copy)]
struct Stop {
    rank: f64,
    vertex: u32,
}

/// The two edges of the surface, which have a vertex in each column.
pub(super) struct Edges {
    pub(super) lower: Vec<u32>,
    pub(super) upper: Vec<u32>,
    /// Which columns stand at multiples of a sixth of a turn.
    pub(super) sixths: Vec<usize>,
}

impl Thread {
    /// About how many triangles the surface has between two heights.
    pub(super) fn triangles(&self, height: f64) -> f64 {
        f64::from(self.segments) * (4.0 * height / self.pitch + 4.0)
    }

    /// The radius at a height and an angle.
    pub(super) fn radius(&self, y: f64, turns: f64) -> f64 {
        let phase = y / self.pitch - turns;
        self.crest - 2.0 * self.depth * (phase - phase.round()).abs()
    }

    /// Adds the surface from `low` to `high`. Its outside is away from the axis, or towards it for
    /// a `bore`.
    pub(super) fn surface(&self, builder: &mut Builder, ends: [f64; 2], bore: bool) -> Edges {
        let angles = self.angles(ends);
        let columns: Vec<Vec<Stop>> =
            angles.iter().map(|&turns| self.column(builder, turns, ends)).collect();
        for (i, left) in columns.iter().enumerate() {
            match columns.get(i + 1) {
                Some(right) => join(builder, left, right, bore),
                None => join(builder, left, &one_turn_on(&columns[0]), bore),
            }
        }
        let at = |turns: f64| angles.partition_point(|&other| other < turns);
        let segment = |sixth| f64::from(sixth * self.segments / 6) / f64::from(self.segments);
        Edges {
            lower: columns.iter().map(|column| column[0].vertex).collect(),
            upper: columns.iter().map(|column| column[column.len() - 1].vertex).collect(),
            sixths: (0..6).map(|sixth| at(segment(sixth))).collect(),
        }
    }

    /// The columns' angles in turns, in order from 0 to 1.
    fn angles(&self, ends: [f64; 2]) -> Vec<f64> {
        let segments = f64::from(self.segments);
        let mut angles: Vec<f64> = (0..self.segments).map(|i| f64::from(i) / segments).collect();
        let run_outs = ends.map(|y| [y / self.pitch, y / self.pitch + 0.5]);
        for turns in run_outs.into_iter().flatten().map(|turns| turns.rem_euclid(1.0)) {
            let is_new = angles.iter().all(|other| (turns - other).abs() > SLIVER);
            if is_new && turns < 1.0 - SLIVER {
                angles.push(turns);
            }
        }
        angles.sort_unstable_by(f64::total_cmp);
        angles
    }

    fn column(&self, builder: &mut Builder, turns: f64, [low, high]: [f64; 2]) -> Vec<Stop> {
        let mut add = |rank, y: f64| Stop {
            rank,
            vertex: builder.vertex(on_circle(self.radius(y, turns), turns, y)),
        };
        let rank = |y: f64| 2.0 * (y / self.pitch - turns);
        // Twice the sliver: an extra column left out for standing too near to another must not
        // bring its crest back here.
        let first = (rank(low) + 2.0 * SLIVER).ceil() as i64;
        let last = (rank(high) - 2.0 * SLIVER).floor() as i64;
        let mut column = vec![add(rank(low), low)];
        let inner = (first..=last).map(|k| k as f64);
        column.extend(inner.map(|k| add(k, self.pitch * (turns + 0.5 * k))));
        column.push(add(rank(high), high));
        column
    }
}

/// Column 0 as the neighbour of the last column: the thread is one pitch higher there.
fn one_turn_on(column: &[Stop]) -> Vec<Stop> {
    column.iter().map(|stop| Stop { rank: stop.rank - 2.0, ..*stop }).collect()
}

/// Triangles between two neighbouring columns, always stepping to the next stop of lower rank.
fn join(builder: &mut Builder, left: &[Stop], right: &[Stop], bore: bool) {
    let mut add = |a: Stop, b: Stop, c: Stop| {
        let [a, b, c] = [a.vertex, b.vertex, c.vertex];
        builder.face(if bore { vec![a, c, b] } else { vec![a, b, c] });
    };
    let (mut i, mut j) = (0, 0);
    while i + 1 < left.len() || j + 1 < right.len() {
        let step_left = match (left.get(i + 1), right.get(j + 1)) {
            (Some(l), Some(r)) => l.rank <= r.rank,
            (l, _) => l.is_some(),
        };
        if step_left {
            add(left[i], right[j], left[i + 1]);
            i += 1;
        } else {
            add(left[i], right[j], right[j + 1]);
            j += 1;
        }
    }
}
