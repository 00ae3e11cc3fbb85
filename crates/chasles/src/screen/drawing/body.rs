//! What drawing a body needs to know about it: where it is, which way it faces, and how far its
//! edges and faces can bend on the screen.

use std::f64::consts::PI;

use glam::DVec3;

use crate::numeric::{Elementary, upper};
use crate::screen::drawing::doppel::Sectors;
use crate::screen::drawing::facing::Facing;
use crate::screen::place::axes::{Axes, Dot, Frame};
use crate::screen::place::extent::Extent;
use crate::screen::place::lanes::Lanes;

/// Nearer to the axis than this part of `r0`, curves bend too much for bounds.
const NEAR_AXIS: f64 = 0.05;

/// Of a flat polygon the square of the width is twice what [`Body::wide_pad`] takes, and a third of
/// it is 8 / 3 times an eighth.
const WIDER: f32 = 8.0 / 3.0;

/// Places are known to this part of their size: some ten roundings of singles.
const ROUNDING: f32 = 1e-6;

/// A number of steps beyond all windows, where there is no bound.
const UNBOUNDED: f32 = 1e6;

/// What drawing a body needs to know.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Body<'q> {
    pub(in crate::screen) facing: Facing<'q>,
    pub(in crate::screen) axes: &'q Axes,
    pub(in crate::screen) frame: Frame,
    /// If the body may reach the cut.
    pub(in crate::screen) sectors: Option<Sectors>,
    /// How far the curve of an edge can depart from its chord, in pixels over its length squared;
    /// infinite near the axis.
    pub(in crate::screen) bend: f64,
    /// How long the slowest point takes for a pixel.
    pub(in crate::screen) steps_per_pixel: f32,
    pub(in crate::screen) lanes: Lanes,
}

impl<'q> Body<'q> {
    /// `radius` is that of the ball around the body.
    pub(in crate::screen) fn new(
        (facing, frame): (Facing<'q>, Frame),
        axes: &'q Axes,
        radius: f64,
        reached_from: f64,
    ) -> Self {
        let sectors = axes.wraps.then(|| Sectors::new(axes, reached_from));
        let at = frame.at(facing.collider.nodes()[0].centre);
        let nearest = axes.root(at) - axes.kappa * radius;
        let bend = axes.bend(nearest);
        let bend = if nearest > NEAR_AXIS && sectors.is_none() { bend } else { f64::INFINITY };
        let bend = if axes.kappa == 0.0 { 0.0 } else { bend };
        let steps_per_pixel = axes.steps_per_pixel(nearest);
        let lanes = axes.lanes(at.length() + radius);
        Self { facing, axes, frame, sectors, bend, steps_per_pixel, lanes }
    }

    pub(in crate::screen) fn at(&self, vertex: u32) -> DVec3 {
        self.frame.at(self.facing.collider.local(vertex))
    }

    /// Bounds of a box of the hierarchy, for a body that keeps away from the axis and the cut.
    pub(in crate::screen) fn boxed(&self, node: u32) -> Extent {
        let node = &self.facing.collider.nodes()[node as usize];
        self.axes.boxed(self.frame.at(node.centre), self.frame.sizes(node.half))
    }

    /// How near to the axis a ball around a place comes, over `r0`; `None` if so near that curves
    /// have no bounds, or if it may reach the cut.
    pub(in crate::screen) fn nearest_of(&self, centre: DVec3, radius: f64) -> Option<f64> {
        let Axes { kappa, .. } = *self.axes;
        let root = self.axes.root(centre);
        let nearest = root - kappa * radius;
        let [cx, cz] = [kappa * centre.x, 1.0 + kappa * centre.z];
        let is_away = || cx.arctangent_over(cz).abs() + (kappa * radius / root).arcsine() < PI;
        let is_bounded = self.sectors.is_none() && nearest > NEAR_AXIS && is_away();
        is_bounded.then_some(nearest)
    }

    /// How far a face can depart on the screen from what its corners say, in pixels, and how far
    /// times inside can exceed those of its border. A regular polygon of `n` sides is `n / pi`
    /// sides wide.
    #[inline]
    pub(in crate::screen) fn wide_pad(&self, face: u32) -> (f32, f32) {
        let corners = self.facing.collider.mesh().face(face);
        let length_sq = self.facing.collider.face_length_sq(face);
        let wide = (0.125 * (corners.len() * corners.len()) as f64).max(1.0) * length_sq;
        if self.bend.is_finite() {
            let pixels = (self.bend * wide) as f32;
            return (pixels, (pixels * self.steps_per_pixel).min(UNBOUNDED));
        }
        // Of a body around the axis, most faces are still away from it.
        let roots = corners.iter().map(|&v| self.axes.root(self.at(v)));
        let nearest = roots.fold(f64::INFINITY, f64::min) - 0.5 * self.axes.kappa * wide.sqrt();
        let bend = if nearest > NEAR_AXIS { self.axes.bend(nearest) } else { f64::INFINITY };
        let pixels = (bend * wide) as f32;
        (pixels, (pixels * self.axes.steps_per_pixel(nearest)).min(UNBOUNDED))
    }

    /// How far the curve of an edge can depart from what its ends say, in pixels and in time, of a
    /// body that keeps away from the axis.
    pub(in crate::screen) fn edge_pad(&self, edge: u32) -> (f32, f32) {
        let [p, q] = self.facing.collider.mesh().edge(edge).map(|v| self.facing.collider.local(v));
        let pixels = (self.bend * p.distance_squared(q)) as f32;
        (pixels, (pixels * self.steps_per_pixel).min(UNBOUNDED))
    }

    /// How far the border of a face can depart from its corners, in pixels.
    #[inline]
    pub(in crate::screen) fn pad(&self, face: u32) -> f32 {
        (self.bend * self.facing.collider.face_length_sq(face)) as f32
    }
}

/// How the times of a face go with the place: a linear function through three corners.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::screen) struct Ramp {
    from: Dot,
    per_rho: f32,
    per_h: f32,
    /// How far times of the face may depart from it.
    slack: f32,
}

impl Ramp {
    /// Of a face that is seen edge-on, or not drawn.
    pub(in crate::screen) const NONE: Self = Self {
        from: Dot { rho: 0.0, h: 0.0, t: 0.0 },
        per_rho: f32::NAN,
        per_h: f32::NAN,
        slack: 0.0,
    };

    pub(in crate::screen) fn new([p, q, r]: [Dot; 3]) -> Self {
        let [qx, qy, qt] = [q.rho - p.rho, q.h - p.h, q.t - p.t];
        let [rx, ry, rt] = [r.rho - p.rho, r.h - p.h, r.t - p.t];
        let area = qx * ry - qy * rx;
        let [per_rho, per_h] = [(qt * ry - qy * rt) / area, (qx * rt - qt * rx) / area];
        Self { from: p, per_rho, per_h, slack: 0.0 }
    }

    /// The same for a face with these corners, of which places depart from what corners say by
    /// `bend` pixels and times by `late`.
    ///
    /// A point of the face is a mean of its corners, with weights `m`. So the ramp departs from its
    /// time by no more than from those of the corners, which is measured, and by what place and
    /// time depart from the mean of those of the corners: by half the second derivative times the
    /// mean of `m |p - x|²`, a third of the square of the width at most, where a chord has an
    /// eighth.
    pub(in crate::screen) fn over(
        self,
        corners: impl Iterator<Item = Dot>,
        (bend, late): (f32, f32),
    ) -> Self {
        let [mut off, mut size] = [0.0, 0.0];
        for dot in corners {
            off = upper(off, (dot.t - self.at(dot)).abs());
            size = upper(size, dot.rho.abs() + dot.h.abs());
        }
        // On a face that is seen nearly edge-on a small shift is a long time, and so is rounding.
        let slope = self.per_rho.abs() + self.per_h.abs();
        let slack = off + WIDER * late + slope * (WIDER * bend + ROUNDING * size);
        Self { slack, ..self }
    }

    /// How far times of the face may depart from it.
    #[inline]
    pub(in crate::screen) fn slack(&self) -> f32 {
        self.slack
    }

    /// The place that it is told from, with its time, and the slopes.
    pub(in crate::screen) fn parts(&self) -> ([f32; 3], [f32; 2]) {
        let Dot { rho, h, t } = self.from;
        ([rho, h, t], [self.per_rho, self.per_h])
    }

    /// The time at a place; not finite on a face that is seen edge-on.
    #[inline]
    pub(in crate::screen) fn at(&self, dot: Dot) -> f32 {
        let Self { from, per_rho, per_h, .. } = self;
        from.t + per_rho * (dot.rho - from.rho) + per_h * (dot.h - from.h)
    }

    /// The time at a place; none on a face that is seen edge-on.
    #[inline]
    pub(in crate::screen) fn time(&self, dot: Dot) -> Option<f32> {
        let time = self.at(dot);
        time.is_finite().then_some(time)
    }
}

impl Body<'_> {
    pub(in crate::screen) fn lone_edges(&self) -> impl Iterator<Item = u32> {
        let mesh = self.facing.collider.mesh();
        let count = if self.facing.collider.has_lone() { mesh.edge_count() as u32 } else { 0 };
        (0..count).filter(|&e| mesh.edge_sides(e).is_empty())
    }

    pub(in crate::screen) fn lone_vertices(&self) -> impl Iterator<Item = u32> {
        let mesh = self.facing.collider.mesh();
        let count = if self.facing.collider.has_lone() { mesh.vertex_count() as u32 } else { 0 };
        (0..count).filter(|&v| mesh.vertex_edges(v).is_empty())
    }
}
