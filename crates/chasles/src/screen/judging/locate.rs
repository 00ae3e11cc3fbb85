//! Where exactly: roots of the gap for a vertex and a face, and the closest points of two edges
//! [Buss04 §9].
//!
//! Differs from [Buss04 §9]: Newton's method from the guess of the pixels finds one meeting of a
//! vertex and a face, whichever is nearest. The gap has at most three, and its control coefficients
//! tell them apart at the price of two evaluations, so all of them are found and no guess is
//! needed.

use glam::DVec3;

use crate::bounds::Collider;
use crate::contact::locate::{Place, in_polygon};
use crate::motion::Screw;
use crate::numeric::Helix;
use crate::numeric::gaps::{HelixGap, LineGap, PlaneGap};
use crate::numeric::roots::{Gap, Root, Roots, all_roots};
use crate::screen::place::relative::Relative;

/// The way of a vertex over a face.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Approach<'q> {
    pub(in crate::screen) relative: &'q Relative,
    /// The body with the face.
    pub(in crate::screen) body: &'q Collider,
    pub(in crate::screen) face: u32,
    /// The vectors of which the path of the vertex is a combination, and the face's plane as a
    /// normal and a point, in A's local coordinates.
    pub(in crate::screen) spread: [DVec3; 4],
    pub(in crate::screen) plane: [DVec3; 2],
    /// Whether the face is B's, which is placed in A's coordinates.
    pub(in crate::screen) is_of_b: bool,
}

/// What counts as a meeting.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Meeting {
    /// Collision times that count.
    pub(in crate::screen) window: [f64; 2],
    /// Heights below this are rounding, or too small to see.
    pub(in crate::screen) noise: f64,
    /// Within this distance of the border of a face a vertex is at the border.
    pub(in crate::screen) border: f64,
    /// The time to take where a vertex slides in the plane of a face all the time.
    pub(in crate::screen) guess: f64,
}

impl<'q> Approach<'q> {
    /// Every time at which the vertex comes to the face from outside, and where it is then.
    pub(in crate::screen) fn meetings(
        self,
        meeting: Meeting,
    ) -> impl Iterator<Item = (f64, Place)> + 'q {
        let gap = self.gap();
        // Windows of robust queries end a little beyond the step.
        let bend = gap.bend() * meeting.window[1].max(1.0);
        let (roots, count) = match all_roots(&gap, meeting.window, bend, meeting.noise) {
            Roots::Some { roots, count } => (roots, count),
            Roots::Always => ([Root::lasting(meeting.guess); Roots::MAX], 1),
        };
        let has_outside = !self.is_two_sided();
        let times = roots.into_iter().take(count).map(|root| root.time);
        let enters = move |time: &f64| !has_outside || gap.at(*time)[1] <= 0.0;
        let placed = move |time: f64| (time, self.place(time, meeting.border));
        times.filter(enters).map(placed).filter(|(_, place)| *place != Place::Outside)
    }

    /// The height of the vertex over the plane of the face.
    #[inline]
    pub(in crate::screen) fn gap(&self) -> PlaneGap<'q> {
        let [normal, point] = self.plane;
        let [k0, k1, k2, k3] = self.spread;
        let k = [k0 - point, k1, k2, k3].map(|v| v.dot(normal));
        PlaneGap { helix: &self.relative.helix, k }
    }

    /// Whether the face has no outside.
    pub(in crate::screen) fn is_two_sided(&self) -> bool {
        self.body.mesh().is_two_sided(self.face)
    }

    /// Where in the face the vertex is at a time.
    pub(in crate::screen) fn place(&self, time: f64, border: f64) -> Place {
        let at = self.relative.helix.at(time).along(&self.spread);
        let at = if self.is_of_b { self.relative.local_of_b(at) } else { at };
        let mesh = self.body.mesh();
        let corners = mesh.face(self.face);
        let corner = |i: usize| self.body.local(corners[i]);
        in_polygon(at, mesh.normal(self.face), corner, corners.len(), border)
    }
}

/// The side product of a line that stands still and one that moves, each as a point and a direction
/// at the start: its derivatives there are products with those of the moving line (MATH 3).
#[inline]
pub(in crate::screen) fn side_product<'h>(
    [point, along]: [DVec3; 2],
    [start, d]: [DVec3; 2],
    screw: &Screw,
    helix: &'h Helix,
) -> LineGap<'h> {
    let moment = point.cross(along);
    let [w, v] = [screw.angular(), screw.linear()];
    let mut line = [d, start.cross(d)];
    let k = [0; 5].map(|_| {
        let [d, m] = line;
        line = [w.cross(d), w.cross(m) + v.cross(d)];
        along.dot(m) + moment.dot(d)
    });
    LineGap { helix, k }
}

/// The closest points of two lines, as fractions, and their common perpendicular, not a unit
/// vector; `None` if they are nearly parallel.
pub(in crate::screen) fn closest_on_lines(
    [p, d]: [DVec3; 2],
    [q, e]: [DVec3; 2],
) -> Option<([f64; 2], DVec3)> {
    let across = d.cross(e);
    let size = across.length_squared();
    if size <= PARALLEL * PARALLEL * d.length_squared() * e.length_squared() {
        return None;
    }
    let between = q - p;
    let u = between.cross(e).dot(across) / size;
    let v = between.cross(d).dot(across) / size;
    Some(([u, v], across))
}

/// The distance of two segments, each as a point and the way to its other end.
pub(in crate::screen) fn segment_distance([p, d]: [DVec3; 2], [q, e]: [DVec3; 2]) -> f64 {
    let to = |x: DVec3, [p, d]: [DVec3; 2]| {
        let f = ((x - p).dot(d) / d.length_squared()).clamp(0.0, 1.0);
        (p + f * d).distance(x)
    };
    let ends = [to(p, [q, e]), to(p + d, [q, e]), to(q, [p, d]), to(q + e, [p, d])];
    let at_ends = ends.into_iter().fold(f64::INFINITY, f64::min);
    match closest_on_lines([p, d], [q, e]) {
        Some((fractions, _)) if fractions.iter().all(|f| (0.0..=1.0).contains(f)) => {
            at_ends.min((p + fractions[0] * d).distance(q + fractions[1] * e))
        }
        _ => at_ends,
    }
}

/// Below this sine edges are parallel: where they touch, a vertex of one touches the other.
pub(in crate::screen) const PARALLEL: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_meet_where_they_are_closest() {
        let (fractions, across) = closest_on_lines(
            [DVec3::ZERO, DVec3::X * 2.0],
            [DVec3::new(1.0, -1.0, 3.0), DVec3::Y * 4.0],
        )
        .unwrap();
        assert_eq!(fractions, [0.5, 0.25]);
        assert_eq!(across.normalize(), DVec3::Z);
        assert_eq!(closest_on_lines([DVec3::ZERO, DVec3::X], [DVec3::Y, DVec3::X]), None);
        let apart =
            segment_distance([DVec3::ZERO, DVec3::X], [DVec3::new(3.0, 0.0, 0.0), DVec3::Y]);
        assert_eq!(apart, 2.0);
    }
}
