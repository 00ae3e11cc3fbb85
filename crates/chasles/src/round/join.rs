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
        if next.grazing
            && lasting > 0
            && let Some(old) = lasts_until(&mut touches[..kept], &next)
        {
            old.until = old.until.max(next.until);
        } else if let Some(old) = seen(&mut touches[..kept], &next) {
            *old = joined(old, &next);
        } else {
            lasting += usize::from(next.until > next.time);
            touches[kept] = next;
            kept += 1;
        }
    }
    touches.truncate(kept);
    // The better of two times may be the later one.
    touches.sort_unstable_by(order);
}

fn same_features(old: &Touch, next: &Touch) -> bool {
    (old.a, old.b) == (next.a, next.b)
}

/// The touch that still lasts when the next one of the same features begins.
fn lasts_until<'t>(kept: &'t mut [Touch], next: &Touch) -> Option<&'t mut Touch> {
    let goes_on = |old: &Touch| same_features(old, next) && next.time <= old.until + SAME_TIME;
    kept.iter_mut().find(|old| old.until > old.time && goes_on(old))
}

/// The touch that the next one is another sighting of.
fn seen<'t>(kept: &'t mut [Touch], next: &Touch) -> Option<&'t mut Touch> {
    let near = |old: &Touch| {
        let apart = next.time - old.time;
        apart <= SAME_TIME + width(next).max(width(old)) && !is_way_out(old, next)
    };
    let soon = |old: &&mut Touch| next.time - old.time <= WIDEST;
    kept.iter_mut().rev().take_while(soon).find(|old| {
        let border = old.is_border || next.is_border;
        let is_here = old.point.distance(next.point) <= next.slack + old.slack;
        near(old) && (same_features(old, next) || border && is_here)
    })
}

/// Whether one touch is the way into a body and the other the way out again. Their brackets may
/// have an end in common, at which the bodies are known to meet.
fn is_way_out(old: &Touch, next: &Touch) -> bool {
    let are_apart = old.bracket[1] <= next.bracket[0] || next.bracket[1] <= old.bracket[0];
    let crossings = !old.grazing && !next.grazing;
    crossings && are_apart && old.normal_speed * next.normal_speed < 0.0
}

/// One touch that is seen twice: the more proper sighting, with the time of the sharper one.
fn joined(old: &Touch, next: &Touch) -> Touch {
    let kept = if next.properness > old.properness { next } else { old };
    let sharp = if width(next) < width(old) { next } else { old };
    let until = old.until.max(next.until);
    let touchable = old.touchable || next.touchable;
    Touch { time: sharp.time, bracket: sharp.bracket, until, touchable, ..*kept }
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
        touchable: touch.touchable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round::Feature;
    use glam::DVec3;

    fn touch(bracket: [f64; 2], normal_speed: f64) -> Touch {
        let time = 0.5 * (bracket[0] + bracket[1]);
        Touch {
            a: Feature::Side,
            b: Feature::Side,
            time,
            bracket,
            grazing: false,
            until: time,
            point: DVec3::X,
            normal: DVec3::X,
            properness: 1.0,
            touchable: true,
            normal_speed,
            is_border: false,
            slack: 0.0,
        }
    }

    #[test]
    fn the_way_in_and_out_are_two_though_their_brackets_have_an_end_in_common() {
        let [way_in, way_out] = [touch([0.4, 0.400_004], -1.0), touch([0.400_004, 0.400_008], 1.0)];
        let count = |touches: &[Touch]| {
            let mut touches = touches.to_vec();
            join(&mut touches);
            touches.len()
        };
        assert_eq!(count(&[way_out, way_in]), 2);
        assert_eq!(count(&[way_in, Touch { normal_speed: -1.0, ..way_out }]), 1, "seen twice");
    }
}
