//! When two convex round bodies begin to meet, and when they part.
//!
//! At any time either a direction separates the bodies, or they have a point in common, or they are
//! within rounding of touching. Each proof holds for a while. Along a direction `d`, points of B
//! move no faster than `d.F` and bend by at most `theta` times their speed; a point of B that is
//! `m` deep in A stays in A until it has gone `m`. So, as for gaps, an interval is settled by a
//! proof in its middle that holds for all of it, or halved.
//!
//! What turns about its own axis has points that move a lot, and goes nowhere. With `c`, `a` centre
//! and axis of B, `h` half of its length, `r` its radius, a direction that rests with A sees only
//! those:
//!
//! ```text
//! d.c      changes by d.F(c),       and bends by at most |d x w| |F(c)|
//! |d.a| h  changes by d.(w x a) h,  and bends by at most |d x w| |w x a| h
//! |d x a| r, the rim:  no more than the axis does, and with e = d.a than |e| / |d x a| times that
//! ```
//!
//! A direction that moves with B sees as little of A: what goes around A stays as far from it.
//!
//! Bodies that overlap by next to nothing have no point that stays for long in both; there a point
//! is taken that goes with what they have in common ([`meets_all_along`]).

use glam::DVec3;

use super::body::{Kind, Round};
use super::convex::{common_depth, common_point, separation, touch_inside, touching};
use super::features::Feature;
use super::find::{Touch, WIDE};
use super::motion::Motion;
use super::skin;
use super::walk::{Found, Proof, Walk};
use crate::numeric::Elementary;

/// Bodies that move by less than this in an interval, in units of the reach, are not told apart
/// there: the direction between points 1e-11 apart is known to about 1e-5, and wrong by its square
/// in what it separates.
const FINEST: f64 = 1e-11;

/// Halvings at most; motions are no faster than their reach, so the finest interval comes first.
const DEPTH: usize = 46;

/// What is farther from touching than this, in units of the reach, is so at that time whatever can
/// be shown of the times around it: ten times what the finest intervals leave open.
const CLEAR: f64 = 1e-10;

/// Intervals looked at in one part, with bodies that meet in the middle and with such that do not,
/// before they are no longer halved below [`COARSE`]: a few hundred are usual. The latter take a
/// quarter of the time. What is undecided then is told by its middle, or taken as touching, so that
/// it is reported with a wide bracket rather than lost.
const BUDGETS: [u32; 2] = [5_000, 20_000];

/// What intervals are halved to at least, whatever came before them: a thousand more.
pub(super) const COARSE: f64 = 1.0 / 1024.0;

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
    let mut walk = Walk::new(shortest);
    let mut budgets = BUDGETS;
    let is_seen = |found: &Found| is_touch(a, motion, found);
    while height > 0 {
        height -= 1;
        let ([from, to], depth) = stack[height];
        let (proof, (d, gap)) = proof(a, motion, [from, to]);
        let budget = &mut budgets[usize::from(gap > motion.noise)];
        *budget = budget.saturating_sub(1);
        let least = if *budget > 0 { shortest } else { shortest.max(COARSE) };
        if proof == Proof::None && depth < DEPTH && to - from > least {
            let middle = 0.5 * (from + to);
            stack[height] = ([middle, to], depth + 1);
            stack[height + 1] = ([from, middle], depth + 1);
            height += 2;
            continue;
        }
        let clear = clear(a, motion, 0.5 * (from + to), (d, gap));
        if let Some(found) = walk.pass([from, to], proof, clear).filter(is_seen) {
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

/// What is clear at a time, given the gap there and its direction: see [`CLEAR`].
fn clear(a: &Round, motion: &Motion, time: f64, (d, gap): (DVec3, f64)) -> Option<Proof> {
    if gap.abs() <= CLEAR * motion.reach {
        return None;
    }
    if gap > 0.0 {
        return Some(Proof::Apart);
    }
    let b = motion.at(time);
    let depth = common_depth(a, &b, gap);
    let meets = |p: &Round, q: &Round| common_point(p, q, d, depth).is_some();
    (meets(a, &b) || meets(&b, a)).then_some(Proof::Meet)
}

/// Whether bodies touch in a stretch in which that is undecided. Where they come to it overlapping
/// and do not leave it apart, they may do so all along; where it was too much to prove more, they
/// may be apart.
fn is_touch(a: &Round, motion: &Motion, (open, sides): &Found) -> bool {
    let gap = |t: f64| separation(a, &motion.at(t)).1;
    match sides {
        [Some(Proof::Meet), Some(Proof::Apart)] | [Some(Proof::Apart), Some(Proof::Meet)] => true,
        [Some(Proof::Meet), _] => {
            // A parting in the middle of a long stretch says nothing of where it begins.
            let begins_inside = open[1] - open[0] > WIDE && gap(open[0]) < -CLEAR * motion.reach;
            !begins_inside && gap(0.5 * (open[0] + open[1])) >= -motion.tolerance
        }
        _ if begins_apart(a, motion, *open) => {
            gap(nearest_time(a, motion, *open)) <= CLEAR * motion.reach
        }
        _ => true,
    }
}

/// Whether it was too much to prove more where a stretch begins: it may do so long before the
/// touch.
fn begins_apart(a: &Round, motion: &Motion, [from, to]: [f64; 2]) -> bool {
    let finest = 2.0 * FINEST * motion.reach + motion.noise;
    to - from > WIDE && separation(a, &motion.at(from)).1 > finest
}

/// What can be shown for a whole interval from its middle, and the gap there with its direction.
fn proof(a: &Round, motion: &Motion, [from, to]: [f64; 2]) -> (Proof, (DVec3, f64)) {
    let half = 0.5 * (to - from);
    let b = motion.at(from + half);
    let Motion { theta, speed, noise, ref screw, .. } = *motion;
    let (d, gap, _) = separation(a, &b);
    if gap > noise {
        let turning = d.cross(screw.angular()).length() * b.reach();
        let rate = d.dot(motion.flow(b.centre)).abs() + turning;
        let by_points = half * (rate.min(speed) + 0.5 * half * theta * speed);
        let change = by_points.min(change(a, motion, -d, half)).min(change(&b, motion, d, half));
        return (if gap > change + noise { Proof::Apart } else { Proof::None }, (d, gap));
    }
    if half > LASTING * motion.shortest() && touches_all_along(a, motion, [from, to]) {
        return (Proof::Touch, (d, gap));
    }
    // A quarter of what the bodies overlap is left for a point to be deep.
    let depth = (half * speed + noise).min(common_depth(a, &b, gap));
    if depth <= 0.0 {
        return (Proof::None, (d, gap));
    }
    // A point of either body serves: seen from B it is A that moves, as fast.
    let stays = |body: &Round, (point, deep): (DVec3, f64)| {
        deep > half * least_speed(body, motion, point, half) + noise
    };
    let meets = common_point(a, &b, d, depth).is_some_and(|found| stays(&b, found))
        || common_point(&b, a, d, depth).is_some_and(|found| stays(a, found))
        || meets_all_along(a, motion, [from, to]);
    (if meets { Proof::Meet } else { Proof::None }, (d, gap))
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
/// which is off its chord by no more than `|r''| h²/8`, and B is convex too: the point stays in B
/// if it is deeper than that at both ends. `r''` is linear in `q`, so it is longest at one of them.
/// Where bodies meet by little this holds for as long as they do, not for the time in which a point
/// goes as far as they overlap.
fn meets_all_along(a: &Round, motion: &Motion, [from, to]: [f64; 2]) -> bool {
    let common = |t: f64| {
        let b = motion.at(t);
        let (d, gap, _) = separation(a, &b);
        if gap < -motion.noise { common_point(&b, a, d, common_depth(a, &b, gap)) } else { None }
    };
    let Some((p, deep_at_p)) = common(from) else { return false };
    let Some((q, deep_at_q)) = common(to) else { return false };
    let time = to - from;
    let velocity = (q - p) / time;
    let bend = |point: DVec3| motion.bent(motion.flow(point) - 2.0 * velocity).length();
    let off = bend(p).max(bend(q)) * time * time / 8.0;
    deep_at_p.min(deep_at_q) > off + motion.noise
}

/// How much a body's extent against a unit direction changes at most within a time, where the
/// direction rests with the other body.
fn change(body: &Round, motion: &Motion, d: DVec3, time: f64) -> f64 {
    if body.kind == Kind::Ellipsoid {
        return skin::change(motion, body, d, time);
    }
    let w = motion.screw.angular();
    let aside = d.cross(w).length();
    let within = |slope: f64, bend: f64| time * (slope.abs() + 0.5 * time * bend);
    let flow = motion.flow(body.centre);
    let bend = (aside * flow.length()).min(motion.bent(flow).length());
    let of_centre = within(d.dot(flow), bend);
    let turned = w.cross(body.axis);
    let alpha = turned.length();
    let of_axis = within(d.dot(turned), aside * alpha);
    let of_rim = if matches!(body.kind, Kind::Cylinder | Kind::Cone) {
        let most = d.dot(body.axis).abs() + of_axis;
        let least = (1.0 - most * most).max(0.0).sqrt();
        let by_angle = if of_axis > 0.0 { of_axis * most / least } else { 0.0 };
        within(d.cross(turned).length(), motion.theta * alpha).min(by_angle)
    } else {
        0.0
    };
    of_centre + body.half * of_axis + body.radius * of_rim
}

/// The speed of the slowest point found that is in a body, and begins where a point of it is: the
/// point itself, or one that goes with the nearest of the core and does not turn with the body. It
/// stays as near to the core; of a cylinder it may leave through a cap, and of a cone that tips
/// through anything.
fn least_speed(body: &Round, motion: &Motion, point: DVec3, time: f64) -> f64 {
    let along = (point - body.centre).dot(body.axis).clamp(-body.half, body.half);
    let core = body.centre + along * body.axis;
    let tipped = motion.bent(body.axis).length() * time * point.distance(core);
    let all = motion.flow(point).length();
    match body.kind {
        Kind::Cylinder if along.abs() + tipped > body.half => all,
        Kind::Cone if tipped > motion.noise => all,
        Kind::Ellipsoid => all,
        _ => all.min(motion.flow(core).length()),
    }
}

/// Intervals shorter than this many of the shortest are not worth more than to be halved.
const LASTING: f64 = 64.0;

/// Intervals up to this may have a touch that begins and ends between nodes, which then are no
/// farther apart than [`COARSE`].
const BRIEF: f64 = 1.0 / 64.0;

/// Whether the bodies touch at all nodes of an interval, and so everywhere in it, as for gaps (see
/// solve.rs): a direction along which they overlap by next to nothing says that they do not more.
///
/// Unlike those, bodies leave each other over a border, and may come back before the next node. No
/// time is farther from a node than 1/30 of the interval, so they do not if what touches is farther
/// from the border than they go in that time.
fn touches_all_along(a: &Round, motion: &Motion, [from, to]: [f64; 2]) -> bool {
    const NODES: usize = 24;
    let [middle, half] = [0.5 * (from + to), 0.5 * (to - from)];
    let way = motion.speed * (to - from) / 30.0;
    let slack = FINEST * motion.reach;
    (0..NODES).all(|i| {
        let angle = std::f64::consts::PI * (i as f64 + 0.5) / NODES as f64;
        let b = motion.at(middle + half * angle.cosine());
        let (d, gap, _) = separation(a, &b);
        let is_inside = || to - from <= BRIEF || touch_inside(a, &b, d, way, slack);
        gap.abs() <= motion.noise && is_inside()
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
    let is_coarse = lasts && begins_apart(a, motion, open);
    let near = if crosses {
        crossing(a, motion, open, sides[0] == Some(Proof::Apart))
    } else if is_coarse {
        [nearest_time(a, motion, open); 2]
    } else if lasts {
        [from; 2]
    } else {
        open
    };
    let time = if crosses { 0.5 * (near[0] + near[1]) } else { near[0] };
    let bracket = [from, if lasts && !is_coarse { time } else { to }];
    let b = motion.at(time);
    // What comes after a touch that lasts tells nothing of its beginning.
    let sides = [sides[0], sides[1].filter(|_| !lasts)];
    let (normal, mut point) =
        meeting_place(a, motion, near, sides).unwrap_or_else(|| touching(a, &b));
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
        touchable: true,
        normal_speed: normal.dot(motion.flow(point)),
        is_border: false,
        slack,
    }
}

/// A stretch at whose end the bodies are not as at its beginning, or, where it was too much to
/// prove more, the shortest one in it where the gap changes its sign.
fn crossing(
    a: &Round,
    motion: &Motion,
    [mut low, mut high]: [f64; 2],
    starts_apart: bool,
) -> [f64; 2] {
    let least = if high - low > WIDE { motion.shortest() } else { WIDE };
    for _ in 0..DEPTH {
        if high - low <= least {
            break;
        }
        let middle = 0.5 * (low + high);
        let is_apart = separation(a, &motion.at(middle)).1 > motion.noise;
        if is_apart == starts_apart {
            low = middle;
        } else {
            high = middle;
        }
    }
    [low, high]
}

/// The time in a stretch at which the bodies are nearest, as far as times half of [`COARSE`] apart
/// and thirds between those next to the nearest tell.
fn nearest_time(a: &Round, motion: &Motion, [from, to]: [f64; 2]) -> f64 {
    let gap = |t: &f64| separation(a, &motion.at(*t)).1;
    let count = (2.0 * (to - from) / COARSE).ceil().max(2.0);
    let times = (0..=count as u32).map(|i| from + (to - from) * f64::from(i) / count);
    let time = times.min_by(|s, t| gap(s).total_cmp(&gap(t))).unwrap_or(from);
    let [mut low, mut high] =
        [-1.0, 1.0].map(|side| (time + side * (to - from) / count).clamp(from, to));
    while high - low > WIDE {
        let third = (high - low) / 3.0;
        if gap(&(low + third)) < gap(&(high - third)) {
            high -= third;
        } else {
            low += third;
        }
    }
    let times = [0.5 * (low + high), low, high];
    times.into_iter().min_by(|s, t| gap(s).total_cmp(&gap(t))).unwrap_or(low)
}

/// The normal and a point of A, taken next to the touch if there is a ball between the bodies;
/// otherwise a little aside, where they are apart by enough to tell. None if they are not apart
/// there.
///
/// Aside of the touch another place may be the nearest, as of bodies that rock: it is that of the
/// touch if they come or go there as they do, and as fast as it takes to be there in time.
fn meeting_place(
    a: &Round,
    motion: &Motion,
    [from, to]: [f64; 2],
    sides: [Option<Proof>; 2],
) -> Option<(DVec3, DVec3)> {
    let away = ASIDE * motion.reach / motion.speed.max(ASIDE * motion.reach);
    let apart = Some(Proof::Apart);
    let (next, aside, sign) = match sides {
        [before, _] if before == apart => (from, (from - away).max(0.0), -1.0),
        [_, after] if after == apart => (to, (to + away).min(1.0), 1.0),
        _ => return None,
    };
    let place = |time: f64| {
        let (normal, gap, near) = separation(a, &motion.at(time));
        (gap > motion.noise).then_some((normal, near.on_a, gap, time))
    };
    // No way bends by more than this in that time: a part turns by less than four radians.
    let bend = CLEAR * motion.reach + 4.0 * motion.speed * away * away;
    let is_there = |&(normal, point, gap, time): &(DVec3, DVec3, f64, f64)| {
        let speed = normal.dot(motion.flow(point));
        let is_in_time =
            || gap + speed * (next - time) <= separation(a, &motion.at(next)).1.max(0.0) + bend;
        sign * speed > SAME_DIRECTION * motion.speed && (time == next || is_in_time())
    };
    let is_sharp =
        [a, &motion.body].iter().all(|body| matches!(body.kind, Kind::Cylinder | Kind::Cone));
    let best = place(if is_sharp { aside } else { next });
    let found = best.filter(is_there).or_else(|| place(next).filter(is_there)).or(best);
    found.map(|(normal, point, ..)| (normal, point))
}

/// Directions that differ by less than this are taken as one: see [`FINEST`].
const SAME_DIRECTION: f64 = 1e-5;

/// The feature of a body that is farthest along a unit direction.
pub(super) fn feature(body: &Round, d: DVec3) -> Feature {
    let along = d.dot(body.axis);
    let end = u8::from(along > 0.0);
    match body.kind {
        Kind::Sphere => Feature::End(0),
        Kind::Ellipsoid => Feature::Side,
        Kind::Cone => feature_of_cone(body, d),
        _ if along.abs() < SAME_DIRECTION => Feature::Side,
        Kind::Capsule => Feature::End(end),
        Kind::Cylinder if d.cross(body.axis).length() < SAME_DIRECTION => Feature::Cap(end),
        Kind::Cylinder => Feature::Rim(end),
    }
}

fn feature_of_cone(body: &Round, d: DVec3) -> Feature {
    let beyond = body.tip_over_rim(d) / body.slant().length;
    if beyond.abs() < SAME_DIRECTION {
        Feature::Side
    } else if beyond > 0.0 {
        Feature::Tip
    } else if d.cross(body.axis).length() < SAME_DIRECTION {
        Feature::Cap(0)
    } else {
        Feature::Rim(0)
    }
}
