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
//! With `N` the difference of the heights of `p` and `q` over the strip's plane, `u N` and `s N`
//! are volumes: the permuted products of the Plücker coordinates of the moving line with the lines
//! through the ridge's start, one along the strip's height and one along the ridge. All are waves.
//!
//! Differs from [Waveren05 §3.3, §3.4]: the paper asks for the crossing of the expanded plane and
//! tests sidedness there, which misses vertices near a ridge that turn past both faces, and those
//! that enter from the side; and its cases of roots take the leaving crossing for the entering one
//! where a vertex starts behind the plane or comes back after more than half a turn.
//!
//! A cell is wider than what is near its panel: beyond an edge a vertex may come closer to the
//! plane and yet leave the panel. For a shift there is a second opinion, at the start only: the
//! distance of a moving convex thing from another is a convex function of the shift, so what
//! clearly moves away at the start never comes closer, and need not stop. A body in the zone can so
//! be moved wherever it is free to go.

use glam::DVec3;

use super::model::{Model, Panel, is_over};
use super::sweep::{Quadratic, Sweep, Wave, Way, first_time, last_time};

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
    pub(super) fn allowance(&self, height: f64) -> f64 {
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
    pub(super) fn new(stop: Option<f64>, is_grazing: impl FnOnce() -> bool) -> Self {
        Self { stop, is_grazing: stop != Some(0.0) && is_grazing() }
    }
}

/// What keeps its height exactly does not come closer.
pub(super) const REST: f64 = f64::MIN_POSITIVE;

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
pub(super) fn is_grazing(sweep: &Sweep, height: &Wave, zone: &Zone) -> bool {
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
    // What touches a segment is on no side of it, and may leave to all.
    let depth = match panel.is_tube() {
        true => -zone.rounding,
        false if panel.is_sheet && !is_touching => 0.0,
        false => zone.rounding,
    };
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
    let is_leaving = || r == 0.0 && leaves_panel(vertex.at, velocity, (model, panel), zone);
    (!is_sliding && !is_leaving()).then_some(r)
}

/// Whether a vertex that moves straight on clearly leaves a face or a lone segment, all of it.
fn leaves_panel(at: DVec3, velocity: DVec3, (model, panel): (&Model, &Panel), zone: &Zone) -> bool {
    let away = match model.lone_segment(panel) {
        Some((_, ends)) => Some(from_segment(at, ends)),
        None => from_face(at, (model, panel.face)),
    };
    let away = away.filter(|away| away.length() > zone.rounding);
    away.is_some_and(|away| is_way_out(away.normalize(), velocity))
}

/// From the nearest point of a face to a vertex that is beyond one of its edges.
fn from_face(at: DVec3, (model, face): (&Model, u32)) -> Option<DVec3> {
    let corners = model.mesh.face(face);
    let ends = |i: usize| [i, i + 1].map(|k| model.mesh.position(corners[k % corners.len()]));
    let normal = model.mesh.normal(face);
    let is_beyond = |&i: &usize| {
        let [p, q] = ends(i);
        normal.cross(q - p).dot(at - p) < 0.0
    };
    // Over the face the plane tells; beyond an edge the nearest point is on an edge beyond which
    // the vertex is.
    nearest((0..corners.len()).filter(is_beyond).map(|i| from_segment(at, ends(i))))
}

/// From the nearest point of a segment to a point.
pub(super) fn from_segment(at: DVec3, [p, q]: [DVec3; 2]) -> DVec3 {
    let along = q - p;
    let share = (along.dot(at - p) / along.length_squared()).clamp(0.0, 1.0);
    at - p - along * share
}

/// The shortest of vectors.
pub(super) fn nearest(vectors: impl Iterator<Item = DVec3>) -> Option<DVec3> {
    vectors.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
}

/// Whether a velocity leads along a unit direction by more than rounding can feign: the vector
/// between features that are as near as the zone is thick has lost most of its digits.
pub(super) fn is_way_out(direction: DVec3, velocity: DVec3) -> bool {
    direction.dot(velocity) > 0.01 * velocity.length()
}
