//! What the cut behind the axis asks for: sectors, and things drawn twice [Buss04 §8].
//!
//! Angles jump by a whole turn at the cut, opposite to Z. A point of B just before the cut can
//! reach points of A just behind it, so these are drawn a second time, a turn further:
//!
//! ```text
//!             pi | -pi
//!          third |  twice /        A: [-pi, -pi + theta] is drawn at its angles
//!                | `.    /            and again a whole turn further;
//!          ------+---`-./             the rest is two sectors, so that each is
//!                |      `. theta      convex
//!          third | second          B: theta = 0: two sectors, nothing twice
//!                | 0
//! ```
//!
//! Faces that reach the cut or a sector that is drawn twice, or that the axis pierces, are clipped
//! by the half-planes of each sector; where they are cut, *virtual* edges close them. A virtual
//! edge only bounds a face and never touches anything. Everything else is drawn as it is. All of
//! this is done only for bodies that the placement of the screen could not keep away from the cut.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::numeric::Elementary;
use crate::screen::drawing::facing::clip_into;
use crate::screen::place::axes::{Axes, Sector};

/// The sectors of a body that may reach the cut.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Sectors {
    all: [Sector; 4],
    /// How many of them there are: the last two are there only if something is drawn twice.
    count: usize,
    /// Below this angle points are drawn twice.
    twice: f64,
    kappa: f64,
}

/// How many copies of a face there can be: one as it is, and one for each sector.
pub(in crate::screen) const COPIES: u32 = 5;

impl Sectors {
    /// For a body whose points are met by what comes from up to `theta` behind them: the angle of
    /// the step for A, 0 for B.
    pub(in crate::screen) fn new(axes: &Axes, theta: f64) -> Self {
        let twice = -PI + theta;
        let middle = 0.5 * (twice + PI);
        let sector = |from, to, shift| Sector { from, to, shift };
        Self {
            all: [
                sector(twice, middle, 0.0),
                sector(middle, PI, 0.0),
                sector(-PI, twice, 0.0),
                sector(-PI, twice, TAU),
            ],
            count: if theta > 0.0 { 4 } else { 2 },
            twice,
            kappa: axes.kappa,
        }
    }

    /// All sectors with their numbers.
    pub(in crate::screen) fn all(&self) -> impl Iterator<Item = (u32, Sector)> {
        (0..).zip(self.all).take(self.count)
    }

    fn side(&self, at: DVec3, phi: f64) -> f64 {
        let (sin, cos) = phi.sine_cosine();
        self.kappa * at.x * cos - (1.0 + self.kappa * at.z) * sin
    }

    fn angle(&self, at: DVec3) -> f64 {
        (self.kappa * at.x).arctangent_over(1.0 + self.kappa * at.z)
    }

    /// Whether a segment or closed polygon keeps away from the cut and from what is drawn twice:
    /// then its corners tell all about its angles.
    pub(in crate::screen) fn is_plain(&self, corners: impl Iterator<Item = DVec3> + Clone) -> bool {
        // The margin is far above the rounding of angles.
        let margin = 1e-9;
        let within = |at: DVec3| {
            let phi = self.angle(at);
            phi > self.twice + margin && phi < PI - margin
        };
        let next = corners.clone().cycle().skip(1);
        let short = |(p, q): (DVec3, DVec3)| (self.angle(p) - self.angle(q)).abs() < PI - 1e-6;
        corners.clone().all(within) && corners.zip(next).all(short)
    }

    /// Where a point is drawn: once, or twice.
    pub(in crate::screen) fn places(&self, at: DVec3) -> impl Iterator<Item = Sector> {
        let phi = self.angle(at);
        let copies = if phi <= self.twice { 2..4 } else { 0..1 };
        let whole = Sector { from: -PI, to: PI, shift: 0.0 };
        let all = self.all;
        let count = self.count;
        copies
            .filter(move |&i| i < count || i == 2)
            .map(move |i| Sector { shift: all[i].shift, ..whole })
    }

    /// The part of a segment in a sector, as fractions; `None` if there is none.
    pub(in crate::screen) fn part_of(&self, ends: [DVec3; 2], sector: &Sector) -> Option<[f64; 2]> {
        let mut part = [0.0f64, 1.0];
        for (phi, sign) in [(sector.from, 1.0), (sector.to, -1.0)] {
            let [p, q] = ends.map(|at| sign * self.side(at, phi));
            let zero = p / (p - q);
            match (p < 0.0, q < 0.0) {
                (true, true) => return None,
                (true, false) => part[0] = part[0].max(zero),
                (false, true) => part[1] = part[1].min(zero),
                (false, false) => {}
            }
        }
        (part[0] < part[1]).then_some(part)
    }

    /// The part of a polygon in a sector.
    pub(in crate::screen) fn clip(
        &self,
        corners: &[DVec3],
        sector: &Sector,
        out: &mut [Vec<DVec3>; 2],
    ) {
        let [first, second] = out;
        clip_into(corners, |at| self.side(at, sector.from), first);
        clip_into(first, |at| -self.side(at, sector.to), second);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Screw;
    use crate::screen::place::relative::{Ball, Relative};
    use glam::DMat3;

    /// A turn by one radian about y, with the axis through the middle of both bodies.
    fn axes() -> Axes {
        let screw = Screw::from_twist([0.0, 1.0, 0.0], [0.0, 0.3, 0.0]).unwrap();
        let relative = Relative {
            screw,
            helix: crate::numeric::Helix::new(1.0),
            turned: DMat3::IDENTITY,
            offset: DVec3::ZERO,
        };
        let ball = Ball { centre: DVec3::ZERO, radius: 1.0 };
        Axes::place(&relative, &[ball; 2], 1.0).unwrap().0
    }

    #[test]
    fn a_body_around_the_axis_reaches_the_cut() {
        assert!(axes().wraps);
    }

    #[test]
    fn sectors_share_a_polygon_that_the_axis_pierces() {
        let axes = axes();
        let sectors = Sectors::new(&axes, axes.theta);
        let r0 = 1.0 / axes.kappa;
        // A square around the axis, which is at Z = -r0.
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[x, z]| DVec3::new(x, 0.0, z - r0));
        assert!(!sectors.is_plain(corners.iter().copied()));
        let mut out = [Vec::new(), Vec::new()];
        let mut area = 0.0;
        for (i, sector) in sectors.all() {
            sectors.clip(&corners, &sector, &mut out);
            let fan = out[1].windows(2).map(|w| (w[0] - out[1][0]).cross(w[1] - out[1][0]).y);
            area += if i == 3 { 0.0 } else { 0.5 * fan.sum::<f64>().abs() };
            let has_axis = out[1].iter().any(|p| p.x.abs() + (p.z + r0).abs() < 1e-12);
            assert!(has_axis, "each sector of it reaches the axis");
        }
        assert!((area - 4.0).abs() < 1e-12, "{area}");
    }

    #[test]
    fn what_b_reaches_from_behind_the_cut_is_drawn_twice() {
        let axes = axes();
        let sectors = Sectors::new(&axes, axes.theta);
        let r0 = 1.0 / axes.kappa;
        let at = |phi: f64| DVec3::new(phi.sin(), 0.0, phi.cos() - r0);
        let shifts = |phi: f64| sectors.places(at(phi)).map(|s| s.shift).collect::<Vec<_>>();
        assert_eq!(shifts(-PI + 0.5), [0.0, TAU]);
        assert_eq!(shifts(-PI + 1.5), [0.0]);
        assert_eq!(shifts(3.0), [0.0]);
        let of_b = Sectors::new(&axes, 0.0);
        assert_eq!(of_b.places(at(-3.0)).count(), 1);
    }
}
