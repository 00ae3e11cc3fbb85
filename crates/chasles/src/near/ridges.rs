//! Two ridges near each other.

use glam::DVec3;

use super::find::{Finder, Found};
use super::leaf::Segment;
use crate::contact::{Met, Pair, Terms};

/// The square of the sine of the least angle of edges that cross. Directions are known to 1e-16, so
/// the place is known to 1e-7 of the length, which the gap feels 1e-9 times.
pub(super) const PARALLEL_SQ: f64 = 1e-18;

/// The square of the sine below which the common perpendicular is too badly known to measure the
/// gap along it: it is off by 1e-12, and so is the gap.
const NARROW_SQ: f64 = 1e-8;

/// The closest points of two lines.
struct Crossing {
    /// On the first line.
    point: DVec3,
    /// Unit, from the first to the second line where these are apart.
    normal: DVec3,
    gap: f64,
}

impl Finder<'_, '_> {
    /// Two ridges whose closest points lie within both, in A's frame.
    #[inline]
    pub(super) fn between_ridges(&mut self, p: &Segment, q: &Segment) {
        let reach = self.options.reach;
        let Some(crossing) = crossing(p, q, reach, self.scene.noise) else { return };
        let Crossing { point, normal, gap } = crossing;
        if gap > reach {
            return;
        }
        let [a, b] = self.scene.sides.map(|side| side.collider);
        let in_b = self.scene.sides[1].vector(normal);
        let of_a = a.wings(p.edge).map(|wing| -wing.dot(normal));
        let of_b = b.wings(q.edge).map(|wing| wing.dot(in_b));
        let apart = gap > self.scene.tolerance;
        let facing = Terms::of(of_a.chain(of_b)).facing(normal, DVec3::ZERO, apart);
        self.push(Found {
            pair: Pair { met: Met::EdgeEdge, a: p.edge, b: q.edge },
            resolved: false,
            point,
            normal: facing.normal,
            gap,
            properness: facing.properness,
        });
    }
}

/// Where two segments that are not parallel cross, if they do, and the lines are within `reach`.
///
/// With unit directions `u` and `w`, `c = u x w` and `r` from a point of the first line to one of
/// the second, the lines are `r . c / |c|` apart and closest `(r x w) . c / c²` along the first.
#[inline]
fn crossing(p: &Segment, q: &Segment, reach: f64, noise: f64) -> Option<Crossing> {
    let between = q.from - p.from;
    let across = p.direction.cross(q.direction);
    let across_sq = across.length_squared();
    let apart = between.dot(across);
    if across_sq < PARALLEL_SQ || apart.abs() > reach * across_sq.sqrt() + noise {
        return None;
    }
    let along_p = between.cross(q.direction).dot(across) / across_sq;
    let along_q = between.cross(p.direction).dot(across) / across_sq;
    let within = |along: f64, length: f64| along >= 0.0 && along <= length;
    if !within(along_p, p.length) || !within(along_q, q.length) {
        return None;
    }
    let point = p.from + along_p * p.direction;
    if across_sq < NARROW_SQ {
        return Some(narrow(point, q, across));
    }
    let inverse = 1.0 / across_sq.sqrt();
    let normal = across * if apart < 0.0 { -inverse } else { inverse };
    Some(Crossing { point, normal, gap: apart.abs() * inverse })
}

/// The crossing of nearly parallel lines, measured from a point of the first, as a point of it that
/// is a little off is nearly as close.
#[cold]
fn narrow(point: DVec3, q: &Segment, across: DVec3) -> Crossing {
    let apart = (q.from - point).reject_from_normalized(q.direction);
    let normal = apart.try_normalize().unwrap_or_else(|| across.normalize_or(DVec3::Z));
    Crossing { point, normal, gap: apart.length() }
}
