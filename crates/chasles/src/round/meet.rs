//! When two convex round bodies begin to meet, and when they part.
//!
//! At any time either a direction separates the bodies, or they have a point in common, or they are
//! within rounding of touching. Each proof holds for a while. Along a direction `d`, points of B move
//! no faster than `d.F` and bend by at most `theta` times their speed; a point of B that is `m`
//! deep in A stays in A until it has gone `m`. So, as for gaps, an interval is settled by a proof in its
//! middle that holds for all of it, or halved.
//!
//! What turns about its own axis has points that move a lot, and goes nowhere. With `c`, `a` centre and
//! axis of B, `h` half of its length, `r` its radius, a direction that rests with A sees only those:
//!
//! ```text
//! d.c      changes by d.F(c),       and bends by at most |d x w| |F(c)|
//! |d.a| h  changes by d.(w x a) h,  and bends by at most |d x w| |w x a| h
//! |d x a| r, the rim:  no more than the axis does, and with e = d.a than |e| / |d x a| times that
//! ```
//!
//! A direction that moves with B sees as little of A: what goes around A stays as far from it.
//!
//! Bodies that overlap by next to nothing have no point that stays for long in both; there a point is
//! taken that goes with what they have in common ([`meets_all_along`]).

use glam::DVec3;

use super::body::{Kind, Round};
use super::convex::{common_point, separation, touching};
use super::features::Feature;
use super::find::{Touch, WIDE};
use super::motion::Motion;

/// Bodies that move by less than this in an interval, in units of the reach, are not told apart
/// there: the direction between points 1e-11 apart is known to about 1e-5, and wrong by its square
/// in what it separates.
const FINEST: f64 = 1e-11;

/// Halvings at most; motions are no faster than their reach, so the finest interval comes first.
const DEPTH: usize = 46;

/// Intervals looked at in one part before they are no longer halved below [`COARSE`]: a few hundred
/// are usual. What is undecided then is taken as touching, so that it is reported with a wide
/// bracket rather than lost.
const BUDGET: u32 = 5_000;

/// What intervals are halved to at least, whatever came before them: a thousand more.
const COARSE: f64 = 1.0 / 1024.0;

/// What is proven of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Proof {
    Apart,
    Meet,
    /// They touch all along.
    Touch,
    None,
}

impl Motion {
    /// The shortest interval that is looked at.
    fn shortest(&self) -> f64 {
        FINEST * self.reach / self.speed.max(FINEST * self.reach)
    }
}

/// All times at which the bodies begin to meet or part, in order; `a` is in local coordinates.
pub(super) fn meetings(
    a: &Round,
    motion: &Motion,
    window: [f64; 2],
    mut report: impl FnMut(Touch),
) {
    let shortest = motion.shortest();
    // The window may end where they part; a little more shows that they do.
    let more = 256.0 * shortest;
    let window = [(window[0] - more).max(0.0), (window[1] + more).min(1.0)];
    let mut stack = [(window, 0); DEPTH + 2];
    let mut height = 1;
    let mut walk = Walk { shortest, last: None, open: None, since: None };
    let mut budget = BUDGET;
    let is_seen = |found: &Found| !overlaps(a, motion, found);
    while height > 0 {
        height -= 1;
        let ([from, to], depth) = stack[height];
        budget = budget.saturating_sub(1);
        let proof = proof(a, motion, [from, to]);
        let least = if budget > 0 { shortest } else { shortest.max(COARSE) };
        if proof == Proof::None && depth < DEPTH && to - from > least {
            let middle = 0.5 * (from + to);
            stack[height] = ([middle, to], depth + 1);
            stack[height + 1] = ([from, middle], depth + 1);
            height += 2;
        } else if let Some(found) = walk.pass([from, to], proof).filter(is_seen) {
            report(touch(a, motion, found));
        }
    }
    let (_, gap, _) = separation(a, &motion.at(window[1]));
    if gap.abs() > motion.noise {
        walk.end(window[1], if gap > 0.0 { Proof::Apart } else { Proof::Meet });
    }
    if let Some(found) = walk.finish().filter(is_seen) {
        report(touch(a, motion, found));
    }
}

/// Whether the bodies overlap in the middle of a stretch that they come to overlapping and do not
/// leave apart: what is undecided there is how deep they are.
fn overlaps(a: &Round, motion: &Motion, ([from, to], sides): &Found) -> bool {
    sides[0] == Some(Proof::Meet)
        && sides[1] != Some(Proof::Apart)
        && separation(a, &motion.at(0.5 * (from + to))).1 < -motion.tolerance
}

/// A stretch in which the bodies touch, and what is proven before and after it.
type Found = ([f64; 2], [Option<Proof>; 2]);

/// What is known on the way from left to right.
struct Walk {
    shortest: f64,
    /// What was proven last.
    last: Option<Proof>,
    /// The stretch that is undecided since then.
    open: Option<[f64; 2]>,
    /// What is proven since, and where: it may still be a part of the stretch.
    since: Option<(Proof, [f64; 2])>,
}

impl Walk {
    /// Passes an interval. Next to a touch proofs come and go by rounding, so a stretch is taken as
    /// ended when it is followed by a proof for longer than it lasted, or than what is halved in any
    /// case.
    fn pass(&mut self, [from, to]: [f64; 2], proof: Proof) -> Option<Found> {
        if matches!(proof, Proof::None | Proof::Touch) {
            self.open = Some([self.open.map_or(from, |open| open[0]), to]);
            self.since = None;
            return None;
        }
        if self.open.is_none() && self.last.is_none_or(|last| last == proof) {
            self.last = Some(proof);
            return None;
        }
        let open = self.open.get_or_insert([from, from]);
        let start = match self.since {
            Some((same, [start, _])) if same == proof => start,
            _ => {
                open[1] = from;
                from
            }
        };
        self.since = Some((proof, [start, to]));
        let enough = (open[1] - open[0]).min(COARSE).max(16.0 * self.shortest);
        if to - start > enough { self.finish() } else { None }
    }

    /// Ends with what is known of a time, which an undecided interval before it may hide.
    fn end(&mut self, time: f64, proof: Proof) {
        self.since.get_or_insert((proof, [time; 2]));
    }

    /// The stretch that is open, unless the bodies meet before and after it: how much they do is
    /// then below rounding for so short a time that it says nothing.
    fn finish(&mut self) -> Option<Found> {
        let open = self.open.take()?;
        let after = self.since.take().map(|since| since.0);
        let before = std::mem::replace(&mut self.last, after);
        let hidden = before == Some(Proof::Meet) && after == before && open[1] - open[0] < WIDE;
        (!hidden).then_some((open, [before, after]))
    }
}

/// What can be shown for a whole interval from its middle.
fn proof(a: &Round, motion: &Motion, [from, to]: [f64; 2]) -> Proof {
    let half = 0.5 * (to - from);
    let b = motion.at(from + half);
    let Motion { theta, speed, noise, ref screw, .. } = *motion;
    let (d, gap, _) = separation(a, &b);
    if gap > noise {
        let turning = d.cross(screw.angular()).length() * b.reach();
        let rate = d.dot(motion.flow(b.centre)).abs() + turning;
        let by_points = half * (rate.min(speed) + 0.5 * half * theta * speed);
        let change = by_points.min(change(a, motion, d, half)).min(change(&b, motion, d, half));
        return if gap > change + noise { Proof::Apart } else { Proof::None };
    }
    if half > LASTING * motion.shortest() && touches_all_along(a, motion, [from, to]) {
        return Proof::Touch;
    }
    // A quarter of what the bodies overlap is left for a point to be deep.
    let depth = (half * speed + noise).min(-0.25 * gap);
    if depth <= 0.0 {
        return Proof::None;
    }
    // A point of either body serves: seen from B it is A that moves, as fast.
    let stays = |body: &Round, (point, deep): (DVec3, f64)| {
        deep > half * least_speed(body, motion, point, half) + noise
    };
    let meets = common_point(a, &b, depth).is_some_and(|found| stays(&b, found))
        || common_point(&b, a, depth).is_some_and(|found| stays(a, found))
        || meets_all_along(a, motion, [from, to]);
    if meets { Proof::Meet } else { Proof::None }
}

/// Whether a point is in both bodies all along an interval: one that goes straight, as A sees it,
/// from a common point at the beginning to one at the end.
///
/// A is convex, so it stays in A. B sees it on a path `r` that bends: with its velocity `u`,
///
/// ```text
/// r' = u - F(q),   r'' = w x (F(q) - 2 u)
/// ```
///
/// which is off its chord by no more than `|r''| h²/8`, and B is convex too: the point stays in B if
/// it is deeper than that at both ends. `r''` is linear in `q`, so it is longest at one of them.
/// Where bodies meet by little this holds for as long as they do, not for the time in which a
/// point goes as far as they overlap.
fn meets_all_along(a: &Round, motion: &Motion, [from, to]: [f64; 2]) -> bool {
    let common = |t: f64| {
        let b = motion.at(t);
        let (_, gap, _) = separation(a, &b);
        if gap < -motion.noise { common_point(&b, a, -0.25 * gap) } else { None }
    };
    let Some((p, deep_at_p)) = common(from) else { return false };
    let Some((q, deep_at_q)) = common(to) else { return false };
    let time = to - from;
    let velocity = (q - p) / time;
    let bend = |point: DVec3| motion.bent(motion.flow(point) - 2.0 * velocity).length();
    let off = bend(p).max(bend(q)) * time * time / 8.0;
    deep_at_p.min(deep_at_q) > off + motion.noise
}

/// How much a body's extent along a direction changes at most within a time, where the direction
/// rests with the other body.
fn change(body: &Round, motion: &Motion, d: DVec3, time: f64) -> f64 {
    let w = motion.screw.angular();
    let aside = d.cross(w).length();
    let within = |slope: f64, bend: f64| time * (slope.abs() + 0.5 * time * bend);
    let flow = motion.flow(body.centre);
    let bend = (aside * flow.length()).min(motion.bent(flow).length());
    let of_centre = within(d.dot(flow), bend);
    let turned = w.cross(body.axis);
    let alpha = turned.length();
    let of_axis = within(d.dot(turned), aside * alpha);
    let of_rim = if body.kind == Kind::Cylinder {
        let most = d.dot(body.axis).abs() + of_axis;
        let least = (1.0 - most * most).max(0.0).sqrt();
        let by_angle = if of_axis > 0.0 { of_axis * most / least } else { 0.0 };
        within(d.cross(turned).length(), motion.theta * alpha).min(by_angle)
    } else {
        0.0
    };
    of_centre + body.half * of_axis + body.radius * of_rim
}

/// The speed of the slowest point found that is in a body, and begins where a point of it is: the point
/// itself, or one that goes with the nearest of the core and does not turn with the body. It stays as
/// near to the core; of a cylinder it may leave through a cap.
fn least_speed(body: &Round, motion: &Motion, point: DVec3, time: f64) -> f64 {
    let along = (point - body.centre).dot(body.axis).clamp(-body.half, body.half);
    let core = body.centre + along * body.axis;
    let tipped = motion.bent(body.axis).length() * time * point.distance(core);
    let all = motion.flow(point).length();
    match body.kind {
        Kind::Cylinder if along.abs() + tipped > body.half => all,
        _ => all.min(motion.flow(core).length()),
    }
}

/// Intervals shorter than this many of the shortest are not worth more than to be halved.
const LASTING: f64 = 64.0;

/// Whether the bodies touch at all nodes of an interval, and so everywhere in it, as for gaps (see
/// solve.rs): a direction along which they overlap by next to nothing says that they do not more.
fn touches_all_along(a: &Round, motion: &Motion, [from, to]: [f64; 2]) -> bool {
    const NODES: usize = 24;
    let [middle, half] = [0.5 * (from + to), 0.5 * (to - from)];
    (0..NODES).all(|i| {
        let angle = std::f64::consts::PI * (i as f64 + 0.5) / NODES as f64;
        let (_, gap, _) = separation(a, &motion.at(middle + half * angle.cos()));
        gap.abs() <= motion.noise
    })
}

/// How far bodies go, in units of the reach, from the touch to where its direction is taken: there
/// it is known to about 1e-9, and not much older.
const ASIDE: f64 = 1e-7;

/// The touch in an undecided stretch between two proofs.
fn touch(a: &Round, motion: &Motion, (open, sides): Found) -> Touch {
    let [from, to] = open;
    let crosses = sides[0].is_some() && sides[1].is_some() && sides[0] != sides[1];
    let grazing = !crosses && to > from;
    let lasts = grazing && to - from > WIDE;
    // Where it was too much to prove more, a stretch may begin long before the touch.
    let finest = 2.0 * FINEST * motion.reach + motion.noise;
    let is_coarse = lasts && separation(a, &motion.at(from)).1 > finest;
    let starts_apart = is_coarse || sides[0] == Some(Proof::Apart);
    let is_sought = crosses || is_coarse;
    let time = if is_sought { crossing(a, motion, open, starts_apart) } else { from };
    let bracket = [from, if lasts && !is_coarse { time } else { to }];
    let b = motion.at(time);
    let (normal, mut point) =
        meeting_place(a, motion, open, sides).unwrap_or_else(|| touching(a, &b));
    // Nearest points of nearest points come as near to both bodies as the touch allows.
    for _ in 0..8 {
        point = a.nearest(b.nearest(point));
    }
    let slack = motion.tolerance;
    Touch {
        a: feature(a, normal),
        b: feature(&b, -normal),
        time,
        bracket,
        grazing,
        until: if lasts { to } else { time },
        point,
        normal,
        properness: 1.0,
        normal_speed: normal.dot(motion.flow(point)),
        is_border: false,
        slack,
    }
}

/// The time of a touch in a stretch at whose end the bodies are not as at its beginning: its middle, or,
/// where it was too much to prove more, where the gap changes its sign.
fn crossing(a: &Round, motion: &Motion, [mut low, mut high]: [f64; 2], starts_apart: bool) -> f64 {
    while high - low > WIDE {
        let middle = 0.5 * (low + high);
        let is_apart = separation(a, &motion.at(middle)).1 > motion.noise;
        if is_apart == starts_apart {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The normal and a point of A, taken next to the touch if there is a ball between the bodies;
/// otherwise a little aside, where they are apart by enough to tell. None if they are not apart on
/// the side that is looked at.
fn meeting_place(
    a: &Round,
    motion: &Motion,
    [from, to]: [f64; 2],
    sides: [Option<Proof>; 2],
) -> Option<(DVec3, DVec3)> {
    let away = ASIDE * motion.reach / motion.speed.max(ASIDE * motion.reach);
    let apart = Some(Proof::Apart);
    let (next, aside) = match sides {
        [before, _] if before == apart => (from, (from - away).max(0.0)),
        [_, after] if after == apart => (to, (to + away).min(1.0)),
        _ => return None,
    };
    let is_sharp = [a.kind, motion.body.kind] == [Kind::Cylinder; 2];
    let (normal, _, near) = separation(a, &motion.at(if is_sharp { aside } else { next }));
    Some((normal, near.on_a))
}

/// Directions that differ by less than this are taken as one: see [`FINEST`].
const SAME_DIRECTION: f64 = 1e-5;

/// The feature of a body that is farthest along a unit direction.
fn feature(body: &Round, d: DVec3) -> Feature {
    let along = d.dot(body.axis);
    let end = u8::from(along > 0.0);
    match body.kind {
        Kind::Sphere => Feature::End(0),
        _ if along.abs() < SAME_DIRECTION => Feature::Side,
        Kind::Capsule => Feature::End(end),
        Kind::Cylinder if d.cross(body.axis).length() < SAME_DIRECTION => Feature::Cap(end),
        Kind::Cylinder => Feature::Rim(end),
    }
}
