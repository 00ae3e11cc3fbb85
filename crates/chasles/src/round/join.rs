//! From touches to contacts: sorted, each once, in the world.

use super::Contact;
use super::features::Features;
use super::find::{Touch, WIDEST};
use crate::motion::{Pose, Step};

/// Two sightings of one touch are no farther apart in time than this and their brackets.
const SAME_TIME: f64 = 1e-9;

/// Sorts touches, whose times are those of the step, and leaves out what is there twice: seen by
/// two parts of the step, by neighbouring features at their border, or again while it lasts.
pub(super) fn join(touches: &mut Vec<Touch>) {
    let order = |p: &Touch, q: &Touch| p.time.total_cmp(&q.time).then((p.a, p.b).cmp(&(q.a, q.b)));
    touches.sort_unstable_by(order);
    let mut kept: usize = 0;
    let mut lasting = 0_usize;
    for i in 0..touches.len() {
        let next = touches[i];
        let same = |old: &Touch| (old.a, old.b) == (next.a, next.b);
        if next.grazing && lasting > 0 {
            let goes_on = |old: &Touch| same(old) && next.time <= old.until + SAME_TIME;
            let lasts = touches[..kept].iter_mut().find(|old| old.until > old.time && goes_on(old));
            if let Some(old) = lasts {
                old.until = old.until.max(next.until);
                continue;
            }
        }
        let near = |old: &Touch| {
            let apart = next.time - old.time;
            apart <= SAME_TIME + width(&next).max(width(old)) && !is_way_out(old, &next)
        };
        let soon = |old: &&mut Touch| next.time - old.time <= WIDEST;
        let slack = next.slack;
        let mut recent = touches[..kept].iter_mut().rev().take_while(soon);
        let seen = recent.find(|old| {
            let border = old.is_border || next.is_border;
            let is_here = old.point.distance(next.point) <= slack + old.slack;
            near(old) && (same(old) || border && is_here)
        });
        match seen {
            Some(old) => *old = joined(old, &next),
            None => {
                lasting += usize::from(next.until > next.time);
                touches[kept] = next;
                kept += 1;
            }
        }
    }
    touches.truncate(kept);
    // The better of two times may be the later one.
    touches.sort_unstable_by(order);
}

/// Whether one touch is the way into a body and the other the way out again.
fn is_way_out(old: &Touch, next: &Touch) -> bool {
    let are_apart = old.bracket[1] < next.bracket[0] || next.bracket[1] < old.bracket[0];
    let crossings = !old.grazing && !next.grazing;
    crossings && are_apart && old.normal_speed * next.normal_speed < 0.0
}

/// One touch that is seen twice: the more proper sighting, with the time of the sharper one.
fn joined(old: &Touch, next: &Touch) -> Touch {
    let kept = if next.properness > old.properness { next } else { old };
    let sharp = if width(next) < width(old) { next } else { old };
    let until = old.until.max(next.until);
    Touch { time: sharp.time, bracket: sharp.bracket, until, ..*kept }
}

fn width(touch: &Touch) -> f64 {
    touch.bracket[1] - touch.bracket[0]
}

/// A contact in the world, A carried along its own screw.
pub(super) fn contact(touch: &Touch, step: &Step) -> Contact {
    let pose: Pose = step.pose_of_a(touch.time);
    Contact {
        features: Features { a: touch.a, b: touch.b },
        time: touch.time,
        time_bracket: touch.bracket,
        point_in_a: touch.point,
        normal_in_a: touch.normal,
        point: pose.point(touch.point),
        normal: pose.vector(touch.normal),
        properness: touch.properness,
        normal_speed: touch.normal_speed,
        grazing: touch.grazing,
    }
}
